//! Fog and shroud: what is sent to a seat in matches of a small game of scouts, word for word, and what its view remembers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use super::hidden_things::Tapped;
use boardwright::client::Connection;
use boardwright::host::{Match, verify};
use boardwright::local::LocalLink;
use boardwright::model::{
    Action, Board, CellId, CellSet, CellSight, EdgeId, Map, MapCell, MapEdge, MapLine, MapRegion, Offset, Orientation, Piece, PieceId,
    Place, Policy, Scope, SeatId, SeatSet, Setup, SetupPiece, SetupPlace, State, Target, TerrainId, Topology, Touched, Value, Visibility,
};
use boardwright::protocol::{Command, Reply};
use boardwright::rules::{Generator, RulesSource, flow};
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Limits, ScriptSource};
use boardwright::server::{Claim, MatchInfo, NewRules, Session, SessionHandle, SessionSetup};

/// Scouts see two cells far and carry riders; they burn woods, dig for gold and take each other. Cards change hands.
const RULES: &str = r#"
    fn ruleset() {
        #{
            FOG
            seats: [#{ name: "red" }, #{ name: "blue" }],
            kinds: [#{ name: "scout" }, #{ name: "rider" }, #{ name: "card" }],
            terrains: [#{ name: "plain" }, #{ name: "wood" }, #{ name: "ash" }],
            zones: [#{ name: "hand", each: "seat", seen_by: "owner" }, #{ name: "heap", seen_by: "no one" }],
            properties: [
                #{ of: "cell", name: "gold", integer: 0 },
                #{ of: "edge", name: "river", integer: 0 },
                #{ of: "piece", name: "trace", integer: 0 },
                #{ of: "piece", name: "plan", integer: 0, secret: true },
                #{ of: "match", name: "traces", integer: 5000000, secret: true },
            ],
            actions: [
                #{ name: "go", ends_turn: true, picks: [#{ name: "who", pick: "piece" }, #{ name: "where", pick: "cell" }] },
                #{ name: "burn", ends_turn: true, picks: [#{ name: "who", pick: "piece" }] },
                #{ name: "dig", ends_turn: true, picks: [#{ name: "who", pick: "piece" }] },
                #{ name: "mount", ends_turn: true, picks: [#{ name: "who", pick: "piece" }] },
                #{ name: "draw_card", ends_turn: true },
                #{ name: "hand_over", ends_turn: true, picks: [#{ name: "card", pick: "piece" }] },
                #{ name: "play_card", ends_turn: true, picks: [#{ name: "card", pick: "piece" }, #{ name: "where", pick: "cell" }] },
                #{ name: "pass", ends_turn: true },
            ],
        }
    }

    fn mark(turn, piece) {
        turn.traces += 1;
        piece.trace = turn.traces;
        piece.plan = turn.traces + 1000000;
    }

    fn start(turn) {
        for number in 0..6 { mark(turn, turn.create_in("heap", "card")); }
        for piece in turn.pieces { mark(turn, piece); }
    }

    fn visible(view) {
        if view.seat == () { return view.no_cells; }
        view.set_of(view.pieces_of(view.seat).filter(|piece| piece.kind == "scout" && piece.cell != ()).map(|piece| piece.cell)).dilate(2)
    }

    fn scouts(view) { view.pieces_of(view.seat).filter(|piece| piece.kind == "scout" && piece.cell != ()) }

    fn go_who(view) { scouts(view) }
    fn go_where(view, picked) {
        picked.who.cell.neighbours.filter(|cell| view.pieces_at(cell).filter(|piece| piece.owner == view.seat).len() == 0)
    }
    fn do_go(turn, picked) {
        for piece in turn.pieces_at(picked.where) { turn.remove(piece); }
        turn.move_piece(picked.who, picked.where);
        mark(turn, picked.who);
    }

    fn burn_who(view) { scouts(view).filter(|piece| piece.cell.terrain == "wood") }
    fn do_burn(turn, picked) { turn.set_terrain(picked.who.cell, "ash"); mark(turn, picked.who); }

    fn dig_who(view) { scouts(view).filter(|piece| piece.cell.gold > 0) }
    fn do_dig(turn, picked) {
        picked.who.cell.gold += 500000;
        for cell in picked.who.cell.neighbours {
            let edge = picked.who.cell.edge_to(cell);
            if edge.river > 0 { edge.river += 500000; }
        }
    }

    fn mount_who(view) { scouts(view) }
    fn do_mount(turn, picked) {
        let rider = turn.create("rider", turn.seat, picked.who.cell);
        mark(turn, rider);
        turn.move_aboard(rider, picked.who);
    }

    fn may_draw_card(view) { view.zone_count("heap") > 0 }
    fn do_draw_card(turn, picked) {
        let card = turn.zone("heap")[0];
        turn.move_to_zone(card, "hand", turn.seat);
        turn.give(card, turn.seat);
        mark(turn, card);
    }

    fn hand_over_card(view) { view.zone("hand", view.seat) }
    fn do_hand_over(turn, picked) {
        let other = turn.seat.next;
        turn.move_to_zone(picked.card, "hand", other);
        turn.give(picked.card, other);
        mark(turn, picked.card);
    }

    fn play_card_card(view) { view.zone("hand", view.seat) }
    fn play_card_where(view, picked) { view.empty }
    fn do_play_card(turn, picked) { turn.move_piece(picked.card, picked.where); mark(turn, picked.card); }

    fn do_pass(turn, picked) { }
"#;

const RED: SeatId = SeatId(0);
const BLUE: SeatId = SeatId(1);
const WIDTH: i32 = 8;
const HEIGHT: i32 = 6;

fn rules(fog: &str) -> Arc<ScriptSource> {
    rules_of(&RULES.replace("FOG", fog))
}

/// Rules under which scouts see so far.
fn seeing(fog: &str, far: u32) -> Arc<ScriptSource> {
    let changed = RULES.replace("FOG", fog).replace("dilate(2)", &format!("dilate({far})"));
    rules_of(&changed)
}

fn rules_of(text: &str) -> Arc<ScriptSource> {
    let sources = Sources::of(Layer::new("scouts").with("rules.rhai", text));
    let source = ScriptSource::new(Arc::new(sources), Limits::default());
    Arc::new(source.unwrap_or_else(|problems| panic!("{}", problems.render())))
}

/// Hexes that are all named, high, rich and wet in their own way, so that each number is found in a text.
fn map() -> Map {
    let topology = Topology::Hex {
        width: WIDTH as u16,
        height: HEIGHT as u16,
        orientation: Orientation::Pointy,
        offset: Offset::Odd,
    };
    let mut map = Map::new("country", "The country", topology);
    let places = (0..HEIGHT).flat_map(|row| (0..WIDTH).map(move |column| (column, row)));
    map.cells = places.map(|(x, y)| cell(y * WIDTH + x, x, y)).collect();
    map.edges = (0..WIDTH - 1)
        .map(|x| MapEdge {
            a: name(x),
            b: name(x + 1),
            properties: [("river".to_owned(), (8_300_000 + x).to_string())].into(),
        })
        .collect();
    map.regions = vec![MapRegion {
        name: "north".to_owned(),
        cells: (0..WIDTH).map(name).collect(),
    }];
    map
}

fn name(index: i32) -> String {
    format!("Grim{index:03}wood")
}

fn cell(index: i32, x: i32, y: i32) -> MapCell {
    MapCell {
        terrain: Some(if index % 3 == 0 { "wood" } else { "plain" }.to_owned()),
        elevation: (20_000 + index) as i16,
        properties: [("gold".to_owned(), (8_100_000 + index).to_string())].into(),
        ..MapCell::new(name(index), x, y)
    }
}

/// Points on lines, with the same in them.
fn graph() -> Map {
    let mut map = Map::new("roads", "The roads", Topology::Graph);
    let places = (0..HEIGHT).flat_map(|row| (0..WIDTH).map(move |column| (column, row)));
    map.cells = places.map(|(x, y)| cell(y * WIDTH + x, 1000 * x, 1000 * y)).collect();
    map.lines = (0..HEIGHT).map(|y| MapLine::new((0..WIDTH).map(|x| name(y * WIDTH + x)))).collect();
    map.lines
        .extend((0..WIDTH).map(|x| MapLine::new((0..HEIGHT).map(|y| name(y * WIDTH + x)))));
    map
}

fn setup() -> Setup {
    let scout = |owner: &str, index: i32| SetupPiece {
        kind: "scout".to_owned(),
        name: None,
        owner: Some(owner.to_owned()),
        place: SetupPlace::Cell(name(index)),
        values: Vec::new(),
    };
    Setup {
        pieces: vec![
            scout("red", 0),
            scout("red", WIDTH),
            scout("blue", WIDTH * HEIGHT - 1),
            scout("blue", WIDTH * HEIGHT - 9),
        ],
        ..Setup::default()
    }
}

fn start(source: &ScriptSource, map: &Map) -> State {
    let board = Arc::new(Board::from_map(map).unwrap());
    setup().build(&board, source.declarations()).unwrap()
}

/// What a seat may be told, found again in what it is sent by these texts.
#[derive(Default)]
struct Knowledge {
    known: BTreeSet<String>,
    secret: BTreeSet<String>,
    /// By cell, as it was last seen.
    memory: BTreeMap<CellId, (Option<TerrainId>, Value)>,
}

impl Knowledge {
    /// Takes in what the seat sees of a state.
    fn see(&mut self, state: &State, seat: SeatId, visible: &CellSet) {
        let declarations = state.declarations();
        let gold = declarations.find_property(Scope::Cell, "gold").unwrap();
        let river = declarations.find_property(Scope::Edge, "river").unwrap();
        let number = |target, property| state.value(target, property).unwrap().to_string();
        let mut tell = |text: String, is_seen: bool| {
            if is_seen {
                self.secret.remove(&text);
                self.known.insert(text);
            } else if !self.known.contains(&text) {
                self.secret.insert(text);
            }
        };
        for cell in state.board().cells() {
            let is_seen = visible.contains(cell);
            tell(state.board().cell_name(cell).to_owned(), is_seen);
            tell(state.board().elevation(cell).to_string(), is_seen);
            tell(number(Target::Cell(cell), gold), is_seen);
            if is_seen {
                self.memory
                    .insert(cell, (state.terrain(cell), state.value(Target::Cell(cell), gold).unwrap().clone()));
            }
        }
        for edge in (0..state.board().edge_count()).map(EdgeId::from_index) {
            let (a, b) = state.board().edge_ends(edge);
            let value = number(Target::Edge(edge), river);
            if value.len() > 3 {
                tell(value, visible.contains(a) || visible.contains(b));
            }
        }
        let slot = |name: &str| {
            usize::from(
                declarations
                    .property(declarations.find_property(Scope::Piece, name).unwrap())
                    .unwrap()
                    .slot,
            )
        };
        let (trace, plan) = (slot("trace"), slot("plan"));
        for piece in state.pieces() {
            let is_seen = sees(state, piece, seat, visible);
            if piece.values[trace].to_string().len() > 3 {
                tell(piece.values[trace].to_string(), is_seen);
                tell(piece.values[plan].to_string(), is_seen && piece.owner == Some(seat));
            }
        }
    }
}

/// Whether a seat sees a piece, by the rules of the game told in other words.
fn sees(state: &State, piece: &Piece, seat: SeatId, visible: &CellSet) -> bool {
    match piece.place {
        Place::Cell(cell) => piece.owner == Some(seat) || visible.contains(cell),
        Place::Zone(zone) => {
            let zone = &state.declarations().zones[zone.index()];
            &*zone.name == "hand" && zone.owner == Some(seat)
        }
        Place::Aboard(carrier) => sees(state, state.piece(carrier).unwrap(), seat, visible),
        Place::Off => piece.owner == Some(seat),
        Place::Side(..) | Place::Posed(..) => unreachable!("no such piece is in the game"),
    }
}

/// A match with a client for each seat, another who only conducts it, and the same match again, of which all is known.
struct Table {
    session: SessionHandle,
    clients: [Connection; 2],
    lines: [Arc<Mutex<Vec<String>>>; 2],
    conductor: Connection,
    truth: Match,
    /// The rules that a reload reads.
    newest: Arc<Mutex<Arc<ScriptSource>>>,
    knowledge: [Knowledge; 2],
    /// How many events were applied when it was last looked.
    at: usize,
    /// How many words were sent that the seats knew: the test has to be able to find them.
    known_words: usize,
}

impl Table {
    fn begin(fog: &str, map: &Map) -> Self {
        let source = rules(fog);
        let start = start(&source, map);
        let truth = Match::begin(Arc::clone(&source) as Arc<dyn RulesSource>, start.clone(), 7, Policy::default()).unwrap();
        let mut with = SessionSetup::new(source, start, MatchInfo::of_map(map.clone()), 7);
        with.ends_when_left = false;
        Self::around(with, truth)
    }

    fn around(mut with: SessionSetup, truth: Match) -> Self {
        let newest = Arc::new(Mutex::new(rules("fog: true,")));
        let read = Arc::clone(&newest);
        with.reload = Some(Box::new(move |_| {
            let new = NewRules {
                source: Arc::clone(&*read.lock().unwrap()) as Arc<dyn RulesSource>,
                changes: Vec::new(),
                gone: Vec::new(),
                problems: Vec::new(),
                info: None,
                scenario: None,
            };
            Ok((new, None))
        }));
        let session = Session::spawn(with).unwrap();
        let lines = [RED, BLUE].map(|_| Arc::new(Mutex::new(Vec::new())));
        let join = |seat: SeatId| {
            let link = LocalLink::join(&session, Claim::Seats(SeatSet::one(seat)), false, None);
            let lines = Arc::clone(&lines[seat.index()]);
            let mut client = Connection::open(Box::new(Tapped { link, lines })).unwrap();
            client.settle().unwrap();
            client
        };
        let clients = [join(RED), join(BLUE)];
        let mut conductor = Connection::open(Box::new(LocalLink::join(&session, Claim::Spectator, true, None))).unwrap();
        conductor.settle().unwrap();
        let mut table = Self {
            session,
            clients,
            lines,
            conductor,
            truth,
            newest,
            knowledge: Default::default(),
            at: 0,
            known_words: 0,
        };
        table.look_back();
        table
    }

    /// What the seats have seen up to now, and not what comes later.
    fn look_back(&mut self) {
        self.knowledge.iter_mut().for_each(|knowledge| knowledge.memory.clear());
        let mut again = self.truth.branch();
        for position in 1..=self.truth.journal().position() {
            again.go_to(position).unwrap();
            for seat in [RED, BLUE] {
                let visible = visible(&again, seat);
                self.knowledge[seat.index()].see(again.state(), seat, &visible);
            }
        }
    }

    /// Asks every client something, so that it has taken in all that was sent before.
    fn settle(&mut self) {
        for seat in [RED, BLUE] {
            let client = &mut self.clients[seat.index()];
            for command in [
                Command::Describe,
                Command::Legal { seat: Some(seat) },
                Command::Looks { seat: Some(seat) },
                Command::History { seat: Some(seat), from: 0 },
                Command::View { seat: None },
            ] {
                client.ask(command).unwrap();
            }
        }
    }

    /// Sees what there is to be seen, and reads every word that was sent.
    fn check(&mut self) {
        self.settle();
        let at = self.truth.journal().position();
        if at != self.at + 1 {
            self.look_back();
        }
        self.at = at;
        for seat in [RED, BLUE] {
            let visible = visible(&self.truth, seat);
            let knowledge = &mut self.knowledge[seat.index()];
            knowledge.see(self.truth.state(), seat, &visible);
            let lines: Vec<String> = self.lines[seat.index()].lock().unwrap().drain(..).collect();
            for line in &lines {
                let words = || line.split(|letter: char| !letter.is_ascii_alphanumeric());
                self.known_words += words().filter(|word| knowledge.known.contains(*word)).count();
                if let Some(word) = words().find(|word| knowledge.secret.contains(*word)) {
                    panic!("{word} was sent to {seat:?}, who has not seen it: {line}");
                }
            }
            let client = &mut self.clients[seat.index()];
            let led = client.mirror().view(Some(seat)).unwrap().clone();
            for (cell, (terrain, gold)) in &knowledge.memory {
                let property = led.declarations().find_property(Scope::Cell, "gold").unwrap();
                assert_eq!(led.terrain(*cell), *terrain, "{seat:?} remembers {}", led.board().cell_name(*cell));
                assert_eq!(led.value(Target::Cell(*cell), property), Some(gold));
            }
            for piece in self.truth.state().pieces() {
                let is_seen = sees(self.truth.state(), piece, seat, &visible);
                let shown = led.piece(piece.id);
                if is_seen {
                    assert_eq!(shown.map(|shown| shown.place), Some(piece.place), "{seat:?} sees {piece:?}");
                } else if let Some(place) = shown.map(|shown| shown.place) {
                    assert!(
                        place.cell().is_none_or(|cell| !visible.contains(cell)),
                        "{seat:?} sees a ghost: {shown:?}"
                    );
                }
            }
            let Reply::View(fresh) = client.ask(Command::View { seat: Some(seat) }).unwrap() else {
                panic!("no view")
            };
            assert_eq!(led.parts(), fresh.state, "the mirror of {seat:?}");
            assert_eq!(client.mirror().resyncs(), 0);
        }
    }

    /// A seat does something it believes it can do. Gives whether it could.
    fn act(&mut self, generator: &mut Generator) -> bool {
        let seat = self.truth.state().acting().first().unwrap();
        let client = &mut self.clients[seat.index()];
        let Reply::Legal { actions, at, .. } = client.ask(Command::Legal { seat: Some(seat) }).unwrap() else {
            panic!("no actions")
        };
        // Of each kind of action as often, so that more than walks happen.
        let kinds: BTreeSet<_> = actions.iter().map(|legal| legal.action.action).collect();
        let kind = *kinds.iter().nth(generator.below(kinds.len() as u32) as usize).unwrap();
        let of_kind: Vec<&Action> = actions
            .iter()
            .map(|legal| &legal.action)
            .filter(|action| action.action == kind)
            .collect();
        let action = of_kind[generator.below(of_kind.len() as u32) as usize].clone();
        let reply = client
            .ask(Command::Submit {
                action: action.clone(),
                at,
            })
            .unwrap();
        let by_truth = self.truth.submit(&action, at).map(drop);
        assert_eq!(matches!(reply, Reply::Done { .. }), by_truth.is_ok(), "{reply:?} {by_truth:?}");
        by_truth.is_ok()
    }

    fn views_sent(&self) -> usize {
        let all = self.lines.iter().map(|lines| {
            let lines = lines.lock().unwrap();
            lines.iter().filter(|line| line.contains("\"notice\":\"view\"")).count()
        });
        all.sum()
    }

    /// Puts other rules in force, here and in the session.
    fn reload(&mut self, source: &Arc<ScriptSource>) {
        *self.newest.lock().unwrap() = Arc::clone(source);
        self.conduct(Command::Reload);
        self.truth
            .reload(Arc::clone(source) as Arc<dyn RulesSource>, Vec::new())
            .unwrap_or_else(|error| panic!("{error}"));
    }

    fn conduct(&mut self, command: Command) {
        let reply = self.conductor.ask(command).unwrap();
        assert!(matches!(reply, Reply::Done { .. }), "{reply:?}");
    }
}

fn visible(of: &Match, seat: SeatId) -> CellSet {
    of.sight(Some(seat)).unwrap().cells().unwrap().clone()
}

/// Plays at random, with everything that can be done with a journal in between, and checks all that is sent.
fn play(fog: &str, map: &Map, seed: u64, steps: usize) {
    let mut table = Table::begin(fog, map);
    table.check();
    let mut generator = Generator::new(seed);
    let mut refused = 0;
    for step in 0..steps {
        let views_before = table.views_sent();
        refused += usize::from(!table.act(&mut generator));
        table.settle();
        assert_eq!(table.views_sent(), views_before, "an action sends no whole view");
        table.check();
        if step % 9 == 8 {
            for _ in 0..3 {
                table.conduct(Command::Undo);
                table.truth.undo(None).unwrap();
                table.check();
            }
            table.conduct(Command::Redo);
            table.truth.redo().unwrap();
            table.check();
        }
        if step % 18 == 17 {
            table.conduct(Command::Branch);
            table.truth.leave_later();
            table.check();
        }
        if step % 27 == 26 {
            let length = table.truth.journal().events().len();
            table.conduct(Command::GoTo { position: 2 });
            table.truth.go_to(2).unwrap();
            table.check();
            table.conduct(Command::GoTo { position: length });
            table.truth.go_to(length).unwrap();
            table.check();
        }
    }
    assert!(refused < steps / 2, "{refused} of {steps} were refused");
    assert!(table.known_words > 1000, "{} known words were sent", table.known_words);
    assert!(table.knowledge.iter().all(|knowledge| knowledge.secret.len() > 20));
    // Taken up again from its journal, the seats remember the same.
    let source = rules(fog);
    let setup = start(&source, map);
    let seen = [RED, BLUE].map(|seat| table.clients[seat.index()].mirror().view(Some(seat)).unwrap().parts());
    let mut with = SessionSetup::new(
        Arc::clone(&source) as Arc<dyn RulesSource>,
        setup.clone(),
        MatchInfo::of_map(map.clone()),
        7,
    );
    with.journal = Some(table.truth.journal().clone());
    verify(setup, table.truth.journal(), &[source as Arc<dyn RulesSource>], None).unwrap();
    drop(table.session);
    let resumed = Table::around(with, table.truth);
    for seat in [RED, BLUE] {
        assert_eq!(
            resumed.clients[seat.index()].mirror().view(Some(seat)).unwrap().parts(),
            seen[seat.index()]
        );
    }
}

#[test]
fn under_a_shroud_nothing_is_sent_of_what_was_never_seen() {
    play("fog: true, shroud: true,", &map(), 1, 45);
    play("fog: true, shroud: true,", &map(), 2, 30);
}

/// Lets rules under which scouts see more or less come into force, and checks all that is sent.
fn reload_in_between(fog: &str, seed: u64) {
    let mut table = Table::begin(fog, &map());
    table.check();
    let mut generator = Generator::new(seed);
    for far in [3, 1, 4, 2] {
        for _ in 0..4 {
            table.act(&mut generator);
            table.check();
        }
        let seen = |table: &Table| visible(&table.truth, RED).count();
        let before = seen(&table);
        table.reload(&seeing(fog, far));
        assert_ne!(seen(&table), before, "they see {far} cells far");
        table.check();
        table.conduct(Command::Undo);
        table.truth.undo(None).unwrap();
        table.check();
        table.conduct(Command::Redo);
        table.truth.redo().unwrap();
        table.check();
    }
    assert!(table.known_words > 1000, "{} known words were sent", table.known_words);
    assert!(table.knowledge.iter().all(|knowledge| !knowledge.secret.is_empty()));
}

#[test]
fn rules_that_change_how_far_one_sees_leak_nothing_when_they_come_into_force() {
    reload_in_between("fog: true, shroud: true,", 5);
}

#[test]
fn a_shroud_hides_points_as_well() {
    play("shroud: true,", &graph(), 3, 30);
}

#[test]
fn with_fog_alone_the_map_is_known_and_the_pieces_are_not() {
    let map = map();
    let source = rules("fog: true,");
    let table = Table::begin("fog: true,", &map);
    let view = table.clients[0].mirror().view(Some(RED)).unwrap();
    let far = view.board().find_cell(&name(WIDTH * HEIGHT - 1)).unwrap();
    let gold = source.declarations().find_property(Scope::Cell, "gold").unwrap();
    assert_eq!(view.cell_sight(far), CellSight::Remembered);
    assert_eq!(
        view.value(Target::Cell(far), gold).unwrap().to_string(),
        (8_100_000 + WIDTH * HEIGHT - 1).to_string()
    );
    assert_eq!(view.board().elevation(far), (20_000 + WIDTH * HEIGHT - 1) as i16);
    assert!(view.pieces_at(far).is_empty() && !table.truth.state().pieces_at(far).is_empty());
}

/// A state in which a scout of red stands on a cell of a large plain, and one of blue beside it or elsewhere.
fn plain(red: i32, blue: i32) -> Arc<State> {
    let topology = Topology::Square {
        width: 100,
        height: 100,
        diagonals: true,
    };
    let board = Arc::new(Board::from_map(&Map::new("plain", "The plain", topology)).unwrap());
    let scout = |owner: &str, column: i32| SetupPiece {
        kind: "scout".to_owned(),
        name: None,
        owner: Some(owner.to_owned()),
        place: SetupPlace::Cell(Topology::default_name(column, 50).unwrap()),
        values: Vec::new(),
    };
    let setup = Setup {
        pieces: vec![scout("red", red), scout("blue", blue)],
        ..Setup::default()
    };
    Arc::new(setup.build(&board, rules("shroud: true,").declarations()).unwrap())
}

fn around(state: &State, column: i32) -> Visibility {
    let board = state.board();
    let middle = board.cell_at(column, 50).unwrap();
    Visibility::new(Some(RED), Some(board.disk(middle, 2)))
}

fn goes(piece: u32, from: i32, to: i32, state: &State) -> boardwright::model::Effect {
    let cell = |column| Place::Cell(state.board().cell_at(column, 50).unwrap());
    boardwright::model::Effect::Move {
        piece: PieceId(piece),
        from: cell(from),
        from_index: 0,
        to: cell(to),
        to_index: 0,
    }
}

#[test]
fn the_work_of_a_view_grows_with_what_came_into_sight() {
    let before = plain(20, 60);
    let mut view = State::clone(&before.project(&around(&before, 20)));
    let step = goes(0, 20, 21, &before);
    let mut after = State::clone(&before);
    after.apply(&step).unwrap();
    let update = view.update_view(
        (&before, &around(&before, 20)),
        (&after, &around(&after, 21)),
        &[step],
        Touched::ByEffects,
    );
    let update = update.unwrap();
    assert!(update.is_whole);
    // Five cells with their edges come into sight, on a board of ten thousand.
    assert!((5..60).contains(&update.looked_at), "{} things were looked at", update.looked_at);
}

#[test]
fn a_piece_that_walks_off_unseen_stays_where_it_was_seen_until_one_looks_again() {
    let before = plain(20, 22);
    let enemy = PieceId(1);
    let cell = |column| before.board().cell_at(column, 50).unwrap();
    let mut view = State::clone(&before.project(&around(&before, 20)));
    let mut state = State::clone(&before);
    let mut follow = |view: &mut State, effect, from: i32, to: i32| {
        let earlier = state.clone();
        state.apply(&effect).unwrap();
        view.update_view(
            (&earlier, &around(&earlier, from)),
            (&state, &around(&state, to)),
            &[effect],
            Touched::ByEffects,
        )
        .unwrap()
    };
    // Red goes back, then blue goes away where red does not look.
    follow(&mut view, goes(0, 20, 10, &before), 20, 10);
    assert_eq!(view.piece(enemy).unwrap().place, Place::Cell(cell(22)));
    assert_eq!(view.cell_sight(cell(22)), CellSight::Remembered);
    let unseen = follow(&mut view, goes(1, 22, 30, &before), 10, 10);
    assert!(unseen.effects.is_empty() && !unseen.is_whole);
    assert_eq!(
        view.piece(enemy).unwrap().place,
        Place::Cell(cell(22)),
        "it is remembered where it was"
    );
    // Red comes back and finds nothing.
    follow(&mut view, goes(0, 10, 20, &before), 10, 20);
    assert_eq!(view.piece(enemy), None);
    assert_eq!(view.cell_sight(cell(22)), CellSight::Visible);
    // Red meets it elsewhere.
    follow(&mut view, goes(0, 20, 28, &before), 20, 28);
    assert_eq!(view.piece(enemy).unwrap().place, Place::Cell(cell(30)));
    assert_eq!(view.digest(), view.digest_from_scratch());
}

#[test]
fn rules_list_for_a_seat_what_its_view_allows() {
    let table = Table::begin("shroud: true,", &map());
    let view = table.clients[0].mirror().view(Some(RED)).unwrap().clone();
    let legal = flow::legal(table.truth.rules(), &view, RED).unwrap();
    assert!(!legal.is_empty());
    let unknown = view.board().cells().filter(|cell| view.cell_sight(*cell) == CellSight::Unexplored);
    assert!(unknown.count() > 20);
    assert!(view.board().region(view.board().find_region("north").unwrap()).count() < WIDTH as usize);
}
