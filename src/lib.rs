//! Boardwright: an engine for turn-based board and strategy games whose rules are scripts.
//!
//! This page is a tour of five minutes: a board, rules, a match on them, and the rules changed while it is played. Whoever writes
//! rulesets needs none of it (`docs/README.md` says where to begin); it is for programs that use Boardwright as a library.
//!
//! # A board
//!
//! A [`Map`](model::Map) is what an author drew, and may be wrong. A [`Board`](model::Board) is checked, and answers questions about
//! cells, directions, distances and whole sets of cells at once.
//!
//! ```
//! use boardwright::model::{Board, CellSet, Map, MapCell, MapRegion, Topology};
//!
//! let mut map = Map::new("pond", "The pond", Topology::Square { width: 4, height: 4, diagonals: false });
//! map.cells.push(MapCell::hole(0, 0));
//! map.regions.push(MapRegion { name: "bank".to_owned(), cells: vec!["b1".to_owned(), "a2".to_owned()] });
//! let board = Board::from_map(&map).unwrap();
//!
//! let bank = board.region(board.find_region("bank").unwrap());
//! assert_eq!((board.all().count(), bank.count()), (15, 2));
//! let south = board.find_direction("s").unwrap();
//! let below: Vec<&str> = board.shift(bank, south).iter().map(|cell| board.cell_name(cell)).collect();
//! assert_eq!(below, ["b2", "a3"]);
//!
//! // A map that is wrong says in how many ways.
//! map.regions.push(MapRegion { name: "bank".to_owned(), cells: vec!["z9".to_owned()] });
//! assert_eq!(Board::from_map(&map).unwrap_err().len(), 2);
//! ```
//!
//! # Rules
//!
//! Rules are [Rhai](https://rhai.rs) scripts. `ruleset()` declares seats, kinds, actions and endings as data; everything else is a
//! function that is found by its name. [`ScriptSource`](script::ScriptSource) compiles them, in memory and in a sandbox. It either has
//! everything that is declared, checked, or a list of everything that is wrong, with file, line and column.
//!
//! ```
//! use std::sync::Arc;
//!
//! use boardwright::rules::RulesSource;
//! use boardwright::ruleset::{Layer, Sources};
//! use boardwright::script::{Limits, ScriptSource};
//!
//! const RULES: &str = r#"
//!     /// 1 Two sides take turns to put a marker on the board.
//!     fn ruleset() {
//!         #{
//!             seats: [#{ name: "light" }, #{ name: "dark" }],
//!             kinds: [#{ name: "marker" }],
//!             actions: [#{ name: "put", rule: "2", ends_turn: true, picks: [#{ name: "place", pick: "cell" }] }],
//!             endings: [#{ when: "no_actions", then: "loses", rule: "3", reason: "there is no place left" }],
//!         }
//!     }
//!
//!     /// 2 Markers do not touch.
//!     fn put_place(view) {
//!         view.empty - view.occupied.dilate(1)
//!     }
//!
//!     fn do_put(turn, picked) {
//!         turn.create("marker", turn.seat, picked.place);
//!     }
//! "#;
//!
//! let compile = |text: &str| {
//!     let layer = Layer::new("pond").with("rules.rhai", text);
//!     ScriptSource::new(Arc::new(Sources::of(layer)), Limits::default())
//! };
//! let source = compile(RULES).unwrap();
//! assert_eq!(&*source.declarations().seats[1].title, "Dark");
//!
//! let problems = compile(&RULES.replace("ends_turn", "end_turn")).unwrap_err();
//! let problem = problems.iter().next().unwrap();
//! assert!(problem.to_string().starts_with("pond/rules.rhai:"), "{problem}");
//! assert!(problem.to_string().contains("error[unknown-key]"), "{problem}");
//! ```
//!
//! # A match
//!
//! A [`Setup`](model::Setup) (pieces, options, values by name) becomes a [`State`](model::State), and with rules for its board a
//! [`Match`](host::Match): the one place in which a state changes. Every change is an event of its journal.
//!
//! ```
//! # use std::sync::Arc;
//! # use boardwright::model::{Board, Map, Topology};
//! # use boardwright::rules::RulesSource;
//! # use boardwright::ruleset::{Layer, Sources};
//! # use boardwright::script::{Limits, ScriptSource};
//! # const RULES: &str = r#"
//! #     fn ruleset() {
//! #         #{
//! #             seats: [#{ name: "light" }, #{ name: "dark" }],
//! #             kinds: [#{ name: "marker" }],
//! #             actions: [#{ name: "put", rule: "2", ends_turn: true, picks: [#{ name: "place", pick: "cell" }] }],
//! #             endings: [#{ when: "no_actions", then: "loses", rule: "3", reason: "there is no place left" }],
//! #         }
//! #     }
//! #     fn put_place(view) { view.empty - view.occupied.dilate(1) }
//! #     fn do_put(turn, picked) { turn.create("marker", turn.seat, picked.place); }
//! # "#;
//! # let sources = Sources::of(Layer::new("pond").with("rules.rhai", RULES));
//! # let source = ScriptSource::new(Arc::new(sources), Limits::default()).unwrap();
//! # let map = Map::new("pond", "The pond", Topology::Square { width: 4, height: 4, diagonals: false });
//! # let board = Arc::new(Board::from_map(&map).unwrap());
//! use boardwright::host::Match;
//! use boardwright::model::{Policy, Setup, SetupPiece, SetupPlace};
//! use boardwright::rules::flow;
//!
//! let mut setup = Setup::default();
//! setup.pieces.push(SetupPiece {
//!     kind: "marker".to_owned(),
//!     owner: Some("dark".to_owned()),
//!     place: SetupPlace::Cell("b2".to_owned()),
//!     ..SetupPiece::default()
//! });
//! let state = setup.build(&board, source.declarations()).unwrap();
//! let mut played = Match::begin(Arc::new(source), state, 1, Policy::default()).unwrap();
//!
//! // Whoever acts may put a marker on any of the 16 squares but b2 and the four next to it.
//! let light = played.state().acting().first().unwrap();
//! let legal = flow::legal(played.rules(), played.state(), light).unwrap();
//! assert_eq!(legal.len(), 11);
//!
//! // An action says how many events stood when it was chosen, so that a late or repeated one does no harm.
//! let before = played.state().digest();
//! let at = played.journal().position();
//! let event = played.submit(&legal[0], at).unwrap();
//! assert_eq!(&*event.notation, "put a1");
//! let refused = played.submit(&legal[0], at).unwrap_err();
//! assert!(refused.to_string().contains("chosen at position 1; the match is at 2"), "{refused}");
//!
//! // What happened inverts: the state is what it was, digest included.
//! played.undo(None).unwrap();
//! assert_eq!(played.state().digest(), before);
//! played.redo().unwrap();
//! ```
//!
//! # Other rules, in the middle of it
//!
//! [`Match::reload`](host::Match::reload) tries changed rules on a copy of the running match. If they fail there, nothing has happened;
//! if not, they are in force from the next action on, and the journal says so.
//!
//! ```
//! # use std::sync::Arc;
//! # use boardwright::host::Match;
//! # use boardwright::model::{Board, Map, Policy, Setup, Topology};
//! # use boardwright::rules::{RulesSource, flow};
//! # use boardwright::ruleset::{Layer, Sources};
//! # use boardwright::script::{Limits, ScriptSource};
//! # const RULES: &str = r#"
//! #     fn ruleset() {
//! #         #{
//! #             seats: [#{ name: "light" }, #{ name: "dark" }],
//! #             kinds: [#{ name: "marker" }],
//! #             actions: [#{ name: "put", rule: "2", ends_turn: true, picks: [#{ name: "place", pick: "cell" }] }],
//! #             endings: [#{ when: "no_actions", then: "loses", rule: "3", reason: "there is no place left" }],
//! #         }
//! #     }
//! #     fn put_place(view) { view.empty - view.occupied.dilate(1) }
//! #     fn do_put(turn, picked) { turn.create("marker", turn.seat, picked.place); }
//! # "#;
//! # let compile = |text: &str| {
//! #     let layer = Layer::new("pond").with("rules.rhai", text);
//! #     let source = ScriptSource::new(Arc::new(Sources::of(layer)), Limits::default());
//! #     Arc::new(source.unwrap()) as Arc<dyn RulesSource>
//! # };
//! # let source = compile(RULES);
//! # let map = Map::new("pond", "The pond", Topology::Square { width: 4, height: 4, diagonals: false });
//! # let board = Arc::new(Board::from_map(&map).unwrap());
//! # let state = Setup::default().build(&board, source.declarations()).unwrap();
//! # let mut played = Match::begin(source, state, 1, Policy::default()).unwrap();
//! let count = |played: &Match| {
//!     let seat = played.state().acting().first().unwrap();
//!     flow::legal(played.rules(), played.state(), seat).unwrap().len()
//! };
//! let seat = played.state().acting().first().unwrap();
//! let first = flow::legal(played.rules(), played.state(), seat).unwrap().remove(0);
//! played.submit(&first, played.journal().position()).unwrap();
//! assert_eq!(count(&played), 13);
//!
//! // Markers may touch from now on.
//! let changed = compile(&RULES.replace("view.empty - view.occupied.dilate(1)", "view.empty"));
//! played.reload(changed, vec!["put_place".to_owned()]).unwrap();
//! assert_eq!(count(&played), 15);
//!
//! // Rules that fail on this match do not come into force.
//! let failing = compile(&RULES.replace("dilate(1)", "shift(\"up\")"));
//! let error = played.reload(failing, Vec::new()).unwrap_err();
//! assert!(error.to_string().contains("there is no direction \"up\""), "{error}");
//! assert_eq!(count(&played), 15);
//! ```
//!
//! # Where to go on
//!
//! | Layer | For |
//! | --- | --- |
//! | [`model`] | values of a match: boards, states, actions, effects, views; no scripts, files or clocks |
//! | [`rules`] | what a host asks of any rules, and how play goes on between the answers |
//! | [`script`], [`ruleset`] | rules made of scripts; their sources and what is wrong with them |
//! | [`host`] | matches: journal, replay, undo, reload, what each seat sees |
//! | [`players`] | computer players that need nothing but rules |
//! | [`lab`] | matches by the hundred: arena, ratings, what random play says of rules |
//! | [`content`] | maps, scenarios and manifests as XML; saves; folders |
//! | [`protocol`], [`client`] | the messages between a host and its players, and the mirror that a player keeps |
//! | [`server`], [`local`] | matches run for clients: many at once, or in this process from the files of a folder |

pub mod cli;

pub use boardwright_client as client;
pub use boardwright_content as content;
pub use boardwright_editing as editing;
pub use boardwright_host as host;
pub use boardwright_import as import;
pub use boardwright_lab as lab;
pub use boardwright_local as local;
pub use boardwright_localization as localization;
pub use boardwright_model as model;
#[cfg(feature = "server")]
pub use boardwright_network as network;
pub use boardwright_players as players;
pub use boardwright_protocol as protocol;
pub use boardwright_rules as rules;
pub use boardwright_ruleset as ruleset;
pub use boardwright_script as script;
pub use boardwright_server as server;
#[cfg(feature = "server")]
pub use boardwright_store as store;
pub use boardwright_triggers as triggers;
#[cfg(feature = "gui")]
pub use boardwright_ui as ui;
