//! Rules that declare more, less or other things come into force under a running match, which goes back and forth across them.

use std::sync::Arc;

use boardwright::host::{Match, verify};
use boardwright::model::Policy;
use boardwright::model::{Board, Scope, Setup, State, Target, Value};
use boardwright::rules::{Generator, RulesSource, flow};
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Limits, ScriptSource};

use crate::common::row_of;

/// Markers are put on a row of cells, and go away again.
const FIRST: &str = r#"
fn ruleset() {
    #{
        seats: [#{ name: "red" }, #{ name: "blue" }],
        kinds: [#{ name: "mark" }],
        zones: [#{ name: "box" }],
        options: [#{ name: "most", integer: 9, min: 0, max: 9 }],
        properties: [
            #{ of: "match", name: "put", integer: 0 },
            #{ of: "edge", name: "walls", integer: 1 },
            #{ of: "seat", name: "tired", integer: 2 },
        ],
        counts_positions: true,
        actions: [
            #{ name: "put", ends_turn: true, picks: [#{ name: "cell", pick: "cell" }] },
            #{ name: "store", ends_turn: true, picks: [#{ name: "piece", pick: "piece" }] },
        ],
    }
}
fn put_cell(view) { view.empty }
fn do_put(turn, picked) {
    turn.create("mark", turn.seat, picked.cell);
    turn.put += 1;
}
fn store_piece(view) { view.pieces_of(view.seat).filter(|piece| piece.cell != ()) }
fn do_store(turn, picked) { turn.move_to_zone(picked.piece, "box"); }
"#;

/// Another order, more of everything, a default and a type that changed, and `store` is gone.
const SECOND: &str = r#"
fn ruleset() {
    #{
        seats: [#{ name: "red" }, #{ name: "blue" }],
        kinds: [#{ name: "tower", values: #{ strength: 3 } }, #{ name: "mark" }],
        zones: [#{ name: "hand", each: "seat" }, #{ name: "box" }],
        options: [#{ name: "rough", flag: true }, #{ name: "most", integer: 5, min: 0, max: 9 }],
        properties: [
            #{ of: "piece", name: "strength", integer: 1 },
            #{ of: "cell", name: "visits", integer: 0 },
            #{ of: "match", name: "put", integer: 7 },
            #{ of: "seat", name: "tired", flag: false },
            #{ of: "edge", name: "walls", integer: 4 },
            #{ of: "seat", name: "towers", integer: 2, min: 0, max: 9 },
        ],
        counts_positions: true,
        endings: [#{ when: "reached", property: "put", limit: "most", then: "draw", rule: "1", reason: "never" }],
        actions: [
            #{ name: "build", ends_turn: true, picks: [#{ name: "cell", pick: "cell" }] },
            #{ name: "put", ends_turn: true, picks: [#{ name: "cell", pick: "cell" }] },
        ],
    }
}
fn put_cell(view) { view.empty }
fn do_put(turn, picked) {
    let piece = turn.create("mark", turn.seat, picked.cell);
    piece.strength += 1;
    picked.cell.visits += 1;
}
fn build_cell(view) { view.seat.cells }
fn do_build(turn, picked) {
    for piece in turn.pieces_at(picked.cell) { piece.strength += 2; }
    turn.seat.tired = !turn.seat.tired;
}
fn migrate(turn) {
    for seat in turn.seats { seat.towers = 5; }
}
"#;

fn compile(text: &str) -> Arc<dyn RulesSource> {
    let sources = Sources::of(Layer::new("row").with("rules.rhai", text));
    let source = ScriptSource::new(Arc::new(sources), Limits::default());
    Arc::new(source.unwrap_or_else(|problems| panic!("{}", problems.render())))
}

fn row(source: &dyn RulesSource, options: &[(&str, &str)]) -> State {
    let board = Arc::new(Board::from_map(&row_of(8)).unwrap());
    let setup = Setup {
        options: options
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        ..Setup::default()
    };
    setup.build(&board, source.declarations()).unwrap()
}

/// Plays some random actions.
fn play(one: &mut Match, generator: &mut Generator, count: usize) {
    for _ in 0..count {
        let seat = one.state().acting().first().unwrap();
        let legal = flow::legal(one.rules(), one.state(), seat).unwrap_or_else(|rejection| panic!("{rejection}"));
        let action = &legal[generator.below(legal.len() as u32) as usize];
        one.submit(action, one.journal().position())
            .unwrap_or_else(|error| panic!("{error}"));
    }
}

/// The three rules, and a match that was played under each and under the second once more.
fn long_match(seed: u64) -> (Vec<Arc<dyn RulesSource>>, Match) {
    let third = format!("{FIRST}\n/// 9 The same once more.\nfn more(view) {{ more(view) }}");
    let sources: Vec<_> = [FIRST, SECOND, &third].map(compile).into();
    let mut generator = Generator::new(seed);
    let mut one = Match::begin(sources[0].clone(), row(&*sources[0], &[]), seed, Policy::default()).unwrap();
    play(&mut one, &mut generator, 3);
    for next in [1, 2, 1] {
        one.reload(sources[next].clone(), vec![format!("rules {next}")])
            .unwrap_or_else(|error| panic!("{error}"));
        play(&mut one, &mut generator, 3);
    }
    (sources, one)
}

fn value(state: &State, scope: Scope, target: Target, name: &str) -> Value {
    let property = state.declarations().find_property(scope, name).unwrap();
    state.value(target, property).unwrap().clone()
}

#[test]
fn what_is_declared_again_has_its_default_and_what_is_gone_is_no_longer_found() {
    let (_, mut one) = long_match(1);
    one.go_to(4).unwrap();
    let before = State::clone(one.state());
    assert!(before.declarations().find_action("store").is_some() && before.declarations().find_kind("tower").is_none());
    one.go_to(5).unwrap();
    let state = one.state();
    assert!(state.declarations().find_action("store").is_none() && state.declarations().find_action("build").is_some());
    let offered: Vec<_> = flow::offered(state, state.acting().first().unwrap()).collect();
    assert_eq!(
        offered,
        [
            state.declarations().find_action("put").unwrap(),
            state.declarations().find_action("build").unwrap()
        ]
    );
    let seat = Target::Seat(state.acting().first().unwrap());
    assert_eq!(value(&before, Scope::Seat, seat, "tired"), Value::Integer(2));
    assert_eq!(value(state, Scope::Seat, seat, "tired"), Value::Flag(false));
    assert_eq!(value(state, Scope::Seat, seat, "towers"), Value::Integer(5), "what `migrate` gave");
    for piece in state.pieces() {
        assert_eq!(value(state, Scope::Piece, Target::Piece(piece.id), "strength"), Value::Integer(1));
    }
    // What was there keeps its value, even where that went without saying and the default is another now.
    let edge = Target::Edge(boardwright::model::EdgeId::from_index(2));
    assert_eq!(value(state, Scope::Edge, edge, "walls"), Value::Integer(1));
    assert_eq!(
        value(state, Scope::Match, Target::Match, "put"),
        value(&before, Scope::Match, Target::Match, "put")
    );
    assert_eq!(state.option("most"), Some(&Value::Integer(9)));
    assert_eq!(state.option("rough"), Some(&Value::Flag(true)));
}

#[test]
fn every_position_is_reached_again_as_it_was() {
    for seed in 0..12 {
        let (sources, mut one) = long_match(seed);
        let length = one.journal().position();
        assert_eq!(length, 16);
        let mut states = Vec::new();
        for position in 0..=length {
            one.go_to(position).unwrap();
            states.push((State::clone(one.state()), one.rules().fingerprint()));
        }
        assert_eq!(states[0].0, row(&*sources[0], &[]));
        let mut generator = Generator::new(seed + 100);
        for _ in 0..40 {
            let position = generator.below(length as u32 + 1) as usize;
            one.go_to(position).unwrap();
            let (state, fingerprint) = &states[position];
            assert_eq!((&**one.state(), one.rules().fingerprint()), (state, *fingerprint), "at {position}");
            assert_eq!(state.digest(), state.digest_from_scratch());
        }
        let verified =
            verify(row(&*sources[0], &[]), one.journal(), &sources, Some(one.seed())).unwrap_or_else(|difference| panic!("{difference}"));
        assert_eq!((verified.repeated, verified.applied), (13, 3));
        for position in [0, 4, 5, 10, 16] {
            one.go_to(position).unwrap();
            let resumed = Match::resume(&sources, row(&*sources[0], &[]), seed, Policy::default(), one.journal().clone()).unwrap();
            assert_eq!(**resumed.state(), **one.state());
            let mut branch = one.branch();
            assert_eq!((&**branch.state(), branch.journal().later()), (&**one.state(), 0));
            if position > 0 {
                play(&mut branch, &mut generator, 2);
                branch.go_to(1).unwrap();
                assert_eq!(*branch.state(), Arc::new(states[1].0.clone()));
            }
        }
    }
}

#[test]
fn a_journal_without_its_rules_is_not_taken_up() {
    let (sources, one) = long_match(3);
    let without = Match::resume(&sources[..1], row(&*sources[0], &[]), 3, Policy::default(), one.journal().clone());
    let error = without.unwrap_err().to_string();
    assert!(error.contains(&sources[1].fingerprint().short()), "{error}");
}

#[test]
fn an_option_that_an_ending_names_is_found_among_those_that_were_there() {
    let (first, second) = (compile(FIRST), compile(SECOND));
    let mut one = Match::begin(first.clone(), row(&*first, &[("most", "2")]), 1, Policy::default()).unwrap();
    for cell in [0, 1] {
        let seat = one.state().acting().first().unwrap();
        let legal = flow::legal(one.rules(), one.state(), seat).unwrap();
        one.submit(&legal[cell], one.journal().position()).unwrap();
    }
    assert!(one.state().outcome().is_none());
    one.reload(second, Vec::new()).unwrap();
    assert_eq!(one.state().outcome().map(|outcome| &*outcome.reason), Some("never"));
    one.undo(None).unwrap();
    assert!(one.state().outcome().is_none());
}

#[test]
fn rules_changed_while_looking_back_wait_for_the_next_action_and_lose_nothing() {
    let (sources, mut one) = long_match(5);
    one.go_to(3).unwrap();
    let back = State::clone(one.state());
    let (length, events) = (one.journal().events().len(), one.journal().events().to_vec());

    // In force at once, and nothing is lost.
    one.reload(sources[1].clone(), Vec::new()).unwrap();
    assert_eq!(one.rules().fingerprint(), sources[1].fingerprint());
    assert!(one.pending().is_some());
    assert_eq!((one.journal().position(), one.journal().events().len()), (3, length));
    // Once more in the place of the first time.
    one.reload(sources[2].clone(), Vec::new()).unwrap();
    one.reload(sources[1].clone(), Vec::new()).unwrap();

    // Going elsewhere leaves it behind.
    let mut elsewhere = Match::resume(&sources, row(&*sources[0], &[]), 5, Policy::default(), one.journal().clone()).unwrap();
    elsewhere.reload(sources[1].clone(), Vec::new()).unwrap();
    elsewhere.go_to(3).unwrap();
    assert_eq!((&**elsewhere.state(), elsewhere.pending().is_none()), (&back, true));
    elsewhere.go_to(length).unwrap();
    assert_eq!(elsewhere.journal().events(), events);

    // Playing on writes it down, in front of the action.
    play(&mut one, &mut Generator::new(1), 1);
    assert!(one.pending().is_none());
    let journal = one.journal();
    assert_eq!((journal.position(), journal.later()), (5, 0));
    assert_eq!(&*journal.events()[3].notation, "rules changed");
    assert!(journal.events()[4].action().is_some());
    let verified = verify(row(&*sources[0], &[]), journal, &sources, None).unwrap_or_else(|difference| panic!("{difference}"));
    // What was taken back is a variation now, and is verified as well.
    assert_eq!(verified.repeated + verified.applied, length + 2);
    assert_eq!(journal.variations().len(), 1);
    one.go_to(3).unwrap();
    assert_eq!(**one.state(), back);
}

#[test]
fn redo_takes_a_change_of_rules_along_as_undo_does() {
    let (first, second) = (compile(FIRST), compile(SECOND));
    let mut one = Match::begin(first.clone(), row(&*first, &[]), 1, Policy::default()).unwrap();
    play(&mut one, &mut Generator::new(2), 2);
    one.reload(second.clone(), Vec::new()).unwrap();
    assert_eq!(one.undo(None).unwrap(), 2);
    assert_eq!(one.rules().fingerprint(), first.fingerprint());
    assert_eq!(one.redo().unwrap(), 4);
    assert_eq!((one.rules().fingerprint(), one.journal().later()), (second.fingerprint(), 0));
}
