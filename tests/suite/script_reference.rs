//! The reference of the words of rules is what the words say, and every example in it works in a match.

use crate::common::root;
use crate::golden;
use std::sync::Arc;

use boardwright::import::read_foreign_document;
use boardwright::model::{Action, Board, Effect, Map, MapRegion, Setup, SetupPiece, SetupPlace, State, Topology, TurnMark};
use boardwright::rules::{Consultation, Generator, Luck, Rules, RulesSource, Settings, Transaction, flow, looks};
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::reference::{Word, topics};
use boardwright::script::{Limits, ScriptSource, TestScenario, reference, run_tests};

/// Rules that declare whatever the examples of the reference speak of.
const FIXTURE: &str = r#"
fn ruleset() {
    #{
        seats: [#{ name: "red" }, #{ name: "blue" }],
        kinds: [
            #{ name: "mark" }, #{ name: "wall" }, #{ name: "army" }, #{ name: "ship" }, #{ name: "card" },
            #{ name: "tile", shape: ["X.", "XX"] },
        ],
        terrains: [#{ name: "land" }, #{ name: "water" }],
        turns: [#{ name: "red", seat: "red" }, #{ name: "blue", seat: "blue" }],
        zones: [
            #{ name: "red" }, #{ name: "blue" },
            #{ name: "deck", seen_by: "no one" }, #{ name: "discard" },
            #{ name: "hand", each: "seat", seen_by: "owner" }, #{ name: "reserve", each: "seat" },
        ],
        phases: [#{ name: "income", automatic: true }, #{ name: "bidding", automatic: true }, #{ name: "play" }],
        options: [#{ name: "must_take", flag: false }],
        properties: [
            #{ of: "match", name: "rounds_left", integer: 10 },
            #{ of: "piece", name: "strength", integer: 2 },
            #{ of: "cell", name: "owner", seat: () },
            #{ of: "cell", name: "grain", integer: 3, min: 0, max: 99 },
            #{ of: "edge", name: "river", integer: 0, min: 0, max: 9 },
            #{ of: "seat", name: "gold", integer: 5 },
        ],
        counts_positions: true,
        actions: [
            #{ name: "example", picks: [] },
            #{ name: "move", picks: [#{ name: "piece", pick: "piece" }, #{ name: "path", pick: "path" }] },
            #{ name: "march", picks: [#{ name: "piece", pick: "piece" }, #{ name: "path", pick: "path" }] },
            #{ name: "place", picks: [
                #{ name: "tile", pick: "piece" }, #{ name: "pose", pick: "pose" }, #{ name: "cell", pick: "cell" },
            ] },
            #{ name: "step", picks: [#{ name: "piece", pick: "piece" }, #{ name: "cell", pick: "cell" }] },
            #{ name: "embark", picks: [#{ name: "army", pick: "piece" }, #{ name: "ship", pick: "piece" }] },
            #{ name: "capture", picks: [#{ name: "piece", pick: "piece" }] },
            #{ name: "convert", picks: [#{ name: "piece", pick: "piece" }] },
            #{ name: "mark", picks: [#{ name: "cell", pick: "cell" }] },
            #{ name: "build", picks: [#{ name: "cell", pick: "cell" }] },
            #{ name: "flood", picks: [#{ name: "cell", pick: "cell" }] },
            #{ name: "draw_card" }, #{ name: "recruit" }, #{ name: "assault" }, #{ name: "charge" }, #{ name: "spy" },
            #{ name: "pass" }, #{ name: "again" }, #{ name: "done" }, #{ name: "resign" },
            #{ name: "discard", picks: [#{ name: "card", pick: "piece" }] },
            #{ name: "show", picks: [#{ name: "card", pick: "piece" }] },
            #{ name: "peek", picks: [#{ name: "card", pick: "piece" }] },
            #{ name: "attack", picks: [
                #{ name: "enemy", pick: "seat" }, #{ name: "cell", pick: "cell" }, #{ name: "armies", pick: "number" },
            ] },
            #{ name: "buy", picks: [#{ name: "tons", pick: "number" }] },
            #{ name: "put", picks: [#{ name: "cell", pick: "cell" }] },
            #{ name: "sow", picks: [#{ name: "cell", pick: "cell" }] },
            #{ name: "fortify", picks: [#{ name: "cells", pick: "cells" }] },
            #{ name: "defend", answers: true }, #{ name: "bid", answers: true },
        ],
        contests: [#{ name: "duel", results: ["won", "lost"], parameters: [#{ name: "skill", integer: 3, min: 0, max: 10 }] }],
    }
}

fn round_duel(view, sides) { if sides.skill > 1 { #{} } }
fn clash_duel(turn, round) { if turn.roll("1d2", "the duel") > 1 { #{ skill: -1 } } else { #{ skill: -2 } } }
fn result_duel(view, sides) { if sides.skill == 1 { "won" } else { "lost" } }

fn map_grid(view) { #{ topology: "square", width: 4, height: 4 } }

fn own(view, kind) { view.pieces_of(view.seat).filter(|piece| piece.kind == kind) }

fn pattern_move(options) { [step()] }
fn pattern_march(options) { [step()] }
fn pattern_place(view) { [place_from("reserve")] }
fn pattern_put(view) { [drop("mark")] }
fn sow_cell(view) { view.cells }
fn do_sow(turn, picked) {}
fn step_piece(view) { own(view, "army") }
fn step_cell(view, picked) { picked.piece.cell.neighbours & view.empty }
fn embark_army(view) { own(view, "army") }
fn embark_ship(view, picked) { own(view, "ship") }
fn capture_piece(view) { view.pieces_of(view.seat.next) }
fn convert_piece(view) { view.pieces_of(view.seat.next) }
fn mark_cell(view) { view.empty }
fn build_cell(view) { view.empty }
fn flood_cell(view) { view.empty }
fn discard_card(view) { view.zone("hand", view.seat) }
fn show_card(view) { view.zone("hand", view.seat) }
fn peek_card(view) { view.zone("deck") }
fn attack_enemy(view) { [view.seat.next] }
fn attack_cell(view, picked) { picked.enemy.cells }
fn attack_armies(view, picked) { numbers(1, 2) }
fn buy_tons(view) { numbers(1, 2) }
fn fortify_cells(view) { some(view.empty, 1, 1) }

fn do_example(turn, picked) {}
fn do_step(turn, picked) {}
fn do_embark(turn, picked) {}
fn do_capture(turn, picked) {}
fn do_convert(turn, picked) {}
fn do_mark(turn, picked) {}
fn do_build(turn, picked) {}
fn do_flood(turn, picked) {}
fn do_draw_card(turn, picked) {}
fn do_recruit(turn, picked) {}
fn do_assault(turn, picked) {}
fn do_charge(turn, picked) {}
fn do_spy(turn, picked) {}
fn do_pass(turn, picked) {}
fn do_again(turn, picked) {}
fn do_done(turn, picked) {}
fn do_resign(turn, picked) {}
fn do_discard(turn, picked) {}
fn do_show(turn, picked) {}
fn do_peek(turn, picked) {}
fn do_attack(turn, picked) {}
fn do_buy(turn, picked) {}
fn do_fortify(turn, picked) {}
fn do_defend(turn, picked) {}
fn do_bid(turn, picked) {}
"#;

/// A match of the fixture with an example laid over it.
struct Example {
    rules: Box<dyn Rules>,
    source: ScriptSource,
    board: Arc<Board>,
}

fn piece(kind: &str, owner: Option<&str>, place: SetupPlace) -> SetupPiece {
    SetupPiece {
        kind: kind.into(),
        owner: owner.map(Into::into),
        place,
        ..SetupPiece::default()
    }
}

impl Example {
    fn new(overlay: &str) -> Self {
        let sources =
            Sources::of(Layer::new("fixture").with("rules.rhai", FIXTURE)).with_layer(Layer::new("example").with("example.rhai", overlay));
        let source =
            ScriptSource::new(Arc::new(sources), Limits::default()).unwrap_or_else(|problems| panic!("{overlay}\n{}", problems.render()));
        let mut map = Map::new(
            "board",
            "Board",
            Topology::Square {
                width: 4,
                height: 4,
                diagonals: false,
            },
        );
        let region = |name: &str, cells: &[&str]| MapRegion {
            name: name.into(),
            cells: cells.iter().map(|cell| (*cell).into()).collect(),
        };
        map.regions = vec![region("centre", &["b2", "c2"]), region("red", &["d1"]), region("blue", &["d4"])];
        let board = Arc::new(Board::from_map(&map).unwrap());
        let state = Setup::default().build(&board, source.declarations()).unwrap();
        let rules = source.rules(&board, source.declarations(), state.options());
        let rules = rules.unwrap_or_else(|fault| panic!("{overlay}\n{fault}"));
        Self { rules, source, board }
    }

    /// A match with pieces on some cells, in some round.
    fn begin(&self, cells: &[(&str, &str, &str)], round: u32) -> Arc<State> {
        let mut setup = Setup::default();
        let on_board = cells
            .iter()
            .map(|(cell, owner, kind)| piece(kind, Some(owner), SetupPlace::Cell((*cell).into())));
        setup.pieces.extend(on_board);
        for zone in ["deck", "deck", "deck", "discard"] {
            setup.pieces.push(piece("card", None, SetupPlace::Zone(zone.into(), None)));
        }
        for seat in ["red", "blue"] {
            setup
                .pieces
                .push(piece("tile", Some(seat), SetupPlace::Zone("reserve".into(), Some(seat.into()))));
            setup.pieces.push(piece("tile", Some(seat), SetupPlace::Zone(seat.into(), None)));
            setup
                .pieces
                .push(piece("card", Some(seat), SetupPlace::Zone("hand".into(), Some(seat.into()))));
        }
        let state = setup.build(&self.board, self.source.declarations()).unwrap();
        let mut transaction = Transaction::new(Arc::new(state), Luck::Roll(Generator::new(1)));
        let seat = self.source.declarations().find_seat("red");
        let turn = Effect::Turn {
            old: TurnMark::default(),
            new: TurnMark {
                round,
                turn: 1,
                seat,
                ..TurnMark::default()
            },
            fresh: true,
            displacement: None,
        };
        transaction.apply(turn).unwrap();
        flow::begin(&*self.rules, &mut transaction).unwrap_or_else(|rejection| panic!("{rejection}"));
        transaction.into_parts().0
    }

    fn usual(&self) -> Arc<State> {
        self.begin(
            &[
                ("a1", "red", "army"),
                ("b1", "red", "ship"),
                ("c1", "red", "army"),
                ("b2", "red", "mark"),
                ("a2", "blue", "army"),
                ("c3", "blue", "army"),
                ("b3", "blue", "ship"),
            ],
            1,
        )
    }

    /// The legal actions of a name.
    fn legal(&self, state: &Arc<State>, action: &str) -> Vec<Action> {
        let id = self.source.declarations().find_action(action);
        let legal = flow::legal(&*self.rules, state, state.acting().first().unwrap());
        let legal = legal.unwrap_or_else(|rejection| panic!("{rejection}"));
        let found: Vec<_> = legal.into_iter().filter(|legal| Some(legal.action) == id).collect();
        assert!(!found.is_empty(), "{action} cannot be done");
        found
    }

    fn perform(&self, state: &Arc<State>, action: &str) {
        for action in self.legal(state, action) {
            let mut transaction = Transaction::new(Arc::clone(state), Luck::Roll(Generator::new(1)));
            flow::perform(&*self.rules, &mut transaction, &action).unwrap_or_else(|rejection| panic!("{rejection}"));
        }
    }

    /// Has the example read a file: whatever it says of it, it says of the file and not of the example.
    fn import(&self) {
        let world = b"<world name='Isle' width='4' height='4' diagonals='yes'>A battle
            <army id='first' side='R' x='0' y='1' strength='2.5' rank='guard'/> <rock x='2' y='2'/></world>";
        let document = read_foreign_document(world, "world.xml", None).unwrap();
        let found = match self.source.import(document) {
            Ok(imported) => imported.left_out,
            Err(found) => found,
        };
        assert!(found.iter().all(|one| one.file() == "world.xml"), "{}", found.render());
    }

    /// Calls a hook by its name.
    fn call(&self, hook: &str) {
        let state = self.usual();
        let seat = state.acting().first();
        match hook {
            "start" | "enter_income" | "enter_bidding" | "on_turn" => {}
            "generate_map" => {
                let map = self
                    .source
                    .generate_map(1, &[])
                    .unwrap_or_else(|found| panic!("{}", found.render()));
                assert!(!map.cells.is_empty() || !map.regions.is_empty(), "the example draws nothing");
            }
            "import_file" => self.import(),
            "outcome" => {
                let cells: Vec<&str> = self.board.cells().map(|cell| self.board.cell_name(cell)).collect();
                let marks: Vec<_> = cells.into_iter().map(|cell| (cell, "red", "mark")).collect();
                let full = self.begin(&marks, 11);
                assert!(full.outcome().is_some(), "the example of outcome ends no match");
            }
            "prior" => {
                for action in self.legal(&state, "move") {
                    assert!(self.rules.guidance().prior_of(&state, &action).unwrap().is_some());
                }
            }
            "look_piece" => assert!(!looks(&*self.rules, &state, seat).unwrap().pieces.is_empty()),
            _ => {
                if let Some(action) = hook.strip_prefix("do_").or_else(|| hook.strip_prefix("may_")) {
                    return self.perform(&state, action);
                }
                if let Some(action) = hook.strip_prefix("pattern_") {
                    return self.perform(&state, action);
                }
                let picks = self.source.declarations().actions.iter().flat_map(|action| {
                    let name = |pick: &boardwright::model::PickDeclaration| (format!("{}_{}", action.name, pick.name), action.name.clone());
                    action.picks.iter().map(name).collect::<Vec<_>>()
                });
                let (_, action) = picks
                    .into_iter()
                    .find(|(name, _)| name == hook)
                    .unwrap_or_else(|| panic!("{hook} is no hook of the fixture"));
                self.perform(&state, &action);
            }
        }
    }
}

fn run(topic: &str, word: &Word) {
    let text = &word.example;
    if topic == "Ruleset tests" {
        return run_test(&format!("/// 1 An example.\nfn test_example(t) {{\n{text}\n}}"));
    }
    if ["Strategies", "Actions", "Contests and odds"].contains(&topic) {
        return run_strategy(text);
    }
    let hooks: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("fn ")?.split('(').next())
        .collect();
    if hooks.is_empty() {
        Example::new(&format!("fn do_example(turn, picked) {{\nlet view = turn;\n{text}\n}}")).call("do_example");
    } else {
        let example = Example::new(text);
        for hook in hooks {
            example.call(hook);
        }
    }
}

/// Asks a strategy that is an example.
fn run_strategy(text: &str) {
    let strategy = format!("{text}\nfn evaluate(view, agent) {{ 0 }}");
    let layer = Layer::new("fixture")
        .with("rules.rhai", FIXTURE)
        .with("strategies/example.rhai", strategy);
    let settings = Settings::read([("value", "10"), ("value.a1", "30")]);
    let source = ScriptSource::new(Arc::new(Sources::of(layer)), Limits::default());
    let source = source.unwrap_or_else(|problems| panic!("{}", problems.render()));
    let source = source.with_settings([("example".to_owned(), settings)].into());
    let found = source.check_strategies();
    assert!(!found.has_errors(), "{text}\n{}", found.render());
    let example = Example::new("");
    let state = example.usual();
    let rules = source.rules(&example.board, source.declarations(), state.options()).unwrap();
    let asked = Consultation {
        strategy: "example",
        settings: &Settings::default(),
        state: &state,
        seat: state.acting().first().unwrap(),
        seed: 1,
        operations: 100_000,
        wall: std::time::Duration::from_secs(5),
        is_watched: true,
        debugger: None,
    };
    let advice = rules
        .strategies()
        .unwrap()
        .consult(&asked)
        .unwrap_or_else(|rejection| panic!("{text}\n{rejection}"));
    assert!(
        advice.action.is_some() || !advice.remarks.is_empty(),
        "{text}\nneither decides nor says anything"
    );
}

/// Rules for the examples of tests.
const TESTED: &str = r#"
fn ruleset() {
    #{
        seats: [#{ name: "red" }, #{ name: "blue" }],
        kinds: [#{ name: "army" }],
        zones: [#{ name: "reserve", each: "seat" }],
        options: [#{ name: "long_march", flag: false }],
        properties: [
            #{ of: "match", name: "rounds_left", integer: 10 }, #{ of: "seat", name: "gold", integer: 0 },
            #{ of: "piece", name: "strength", integer: 1 },
        ],
        actions: [
            #{ name: "march", ends_turn: true, picks: [#{ name: "army", pick: "piece" }, #{ name: "path", pick: "path" }] },
            #{ name: "attack", ends_turn: true, picks: [#{ name: "army", pick: "piece" }, #{ name: "enemy", pick: "cell" }] },
        ],
        contests: [#{ name: "combat", results: ["won", "lost"], parameters: [#{ name: "strength", integer: 3, min: 0, max: 6 }] }],
        heat_maps: [#{ name: "danger" }],
        endings: [#{ when: "no_pieces", then: "loses", rule: "4.1" }],
    }
}
fn heat_map_danger(view) { [[view.seat.next.cells.neighbours, 1]] }
fn left_to_do(view) { view.pieces_of(view.seat).map(|piece| #{ label: "Army can still move", cell: piece.cell }) }
fn contest_attack(view, picked) { #{ combat: #{ strength: 3 } } }
fn clash_combat(turn, round) { #{ result: if turn.roll("1d6", "the attack") <= round.strength { "won" } else { "lost" } } }
fn pattern_march(options) { [step(), hop_over("enemy").capturing()] }
fn attack_army(view) { view.pieces_of(view.seat).filter(|piece| piece.cell != ()) }
fn attack_enemy(view, picked) { view.seat.next.cells }
fn do_attack(turn, picked) {
    if !(picked.enemy in picked.army.cell.neighbours) { throw refuse("3.2", "too far"); }
    if turn.roll("1d6", "the attack") > 3 { turn.remove(turn.piece_at(picked.enemy)); }
}
fn look_piece(view, piece) { #{ badge: `${piece.strength}` } }
fn panel(view) { [["Rounds left", view.rounds_left]] }
"#;

/// Runs an example of a test.
fn run_test(text: &str) {
    let source = ScriptSource::new(
        Arc::new(Sources::of(Layer::new("tested").with("rules.rhai", TESTED))),
        Limits::default(),
    );
    let source = Arc::new(source.unwrap_or_else(|problems| panic!("{}", problems.render())));
    let size = Topology::Square {
        width: 3,
        height: 3,
        diagonals: false,
    };
    let board = Arc::new(Board::from_map(&Map::new("board", "Board", size)).unwrap());
    let find = |name: &str| {
        let pieces = [
            piece("army", Some("red"), SetupPlace::Cell("a1".into())),
            piece("army", Some("blue"), SetupPlace::Cell("c3".into())),
        ];
        let setup = Setup {
            pieces: pieces.to_vec(),
            ..Setup::default()
        };
        (name == "standard").then(|| TestScenario::plain(Arc::clone(&board), setup))
    };
    let results = run_tests(&source, &[("tests/example.rhai", text)], &find);
    assert_eq!(results.len(), 1);
    for result in results {
        assert!(result.is_passed(), "{}", result.problems.render());
    }
}

#[test]
fn the_example_of_a_test_in_the_reference_passes() {
    let page = std::fs::read_to_string(root().join("docs/script-api.md")).unwrap();
    let example = page.split("```rhai-test\n").nth(1).unwrap();
    run_test(example.split("```").next().unwrap());
}

#[test]
fn every_word_has_a_summary_and_an_example_that_works_in_a_match() {
    let mut failed = Vec::new();
    for topic in topics() {
        for word in &topic.words {
            assert!(!word.summary.is_empty(), "{} has no summary", word.signature);
            if word.is_operator {
                continue;
            }
            assert!(!word.example.is_empty(), "{} has no example", word.signature);
            if let Err(panic) = std::panic::catch_unwind(|| run(&topic.title, word)) {
                let message = panic.downcast_ref::<String>().cloned();
                let message = message.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
                failed.push(format!("{}: {}", word.signature, message.unwrap_or_default()));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn the_reference_is_what_the_words_say() {
    let reference = reference();
    golden::compare("docs/script-api.md", &reference.markdown);
    golden::compare("scripts/boardwright.d.rhai", &reference.definitions);
}

#[test]
fn the_declarations_of_the_reference_make_a_ruleset() {
    let page = std::fs::read_to_string(root().join("docs/script-api.md")).unwrap();
    let blocks = page
        .split("```rhai-declaration\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap());
    let blocks: Vec<&str> = blocks.collect();
    assert!(blocks.len() > 5);
    // The page shows each key by itself; the hooks of its actions and contests are shown elsewhere.
    let hooks = "fn do_resign(turn, picked) {} fn do_rest(turn, picked) {} fn do_march(turn, picked) {} fn march_army(view) { [] } fn march_path(view, picked) { [] }
        fn do_defend(turn, picked) {} fn defend_card(view) { [] } fn do_stand(turn, picked) {}
        fn round_battle(view, sides) {} fn clash_battle(turn, round) { #{} } fn result_battle(view, sides) { \"lost\" }
        fn heat_map_danger(view) { [] } fn final_score(view) { [0, 0] }";
    let text = format!("fn ruleset() {{\n#{{\n{}\n}}\n}}\n{hooks}", blocks.join(""));
    let sources = Sources::of(Layer::new("reference").with("rules.rhai", text));
    let source = ScriptSource::new(Arc::new(sources), Limits::default()).unwrap_or_else(|problems| panic!("{}", problems.render()));
    assert_eq!(source.declarations().seats.len(), 2);
}
