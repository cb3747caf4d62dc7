//! Picks that are typed without the name of an action.

use std::sync::Arc;

use boardwright::model::{Board, Map, SeatId, Setup, State, Topology};
use boardwright::rules::{Luck, Rules, RulesSource, Transaction, flow, read_action};
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Limits, ScriptSource};

/// A ship can be moved to any cell, or given up, which people confirm.
const RULES: &str = r#"
/// 1 Ships move.
fn ruleset() {
    #{
        seats: [#{ name: "red" }, #{ name: "blue" }],
        kinds: [#{ name: "ship" }, #{ name: "tug" }],
        actions: [
            #{ name: "give_up", rule: "1", confirm: true, picks: [#{ name: "ship", pick: "piece" }] },
            #{ name: "move", rule: "1", confirm: true, picks: [#{ name: "ship", pick: "piece" }, #{ name: "to", pick: "cell" }] },
        ],
    }
}
fn start(turn) {
    turn.create("ship", turn.seats[0], turn.cell("a1"));
    turn.create("tug", turn.seats[0], turn.cell("b1"));
    turn.create("ship", turn.seats[0], turn.cell("b1"));
}
fn give_up_ship(view) { view.pieces_of(view.seat) }
fn do_give_up(turn, picked) { turn.remove(picked.ship); }
fn move_ship(view) { view.pieces_of(view.seat).filter(|ship| ship.cell.name != "c1") }
fn move_to(view, picked) { view.cells - picked.ship.cell }
fn do_move(turn, picked) { turn.move_piece(picked.ship, picked.to); }
"#;

fn with_match(look: impl FnOnce(&dyn Rules, &Arc<State>)) {
    let sources = Sources::of(Layer::new("rules").with("rules.rhai", RULES));
    let source =
        Arc::new(ScriptSource::new(Arc::new(sources), Limits::default()).unwrap_or_else(|problems| panic!("{}", problems.render())));
    let topology = Topology::Square {
        width: 3,
        height: 1,
        diagonals: false,
    };
    let board = Arc::new(Board::from_map(&Map::new("board", "Board", topology)).unwrap());
    let state = Setup::default().build(&board, source.declarations()).unwrap();
    let rules = source.rules(&board, source.declarations(), state.options()).unwrap();
    let mut transaction = Transaction::new(Arc::new(state), Luck::Forbidden);
    flow::begin(&*rules, &mut transaction).unwrap_or_else(|error| panic!("{error}"));
    let (state, ..) = transaction.into_parts();
    look(&*rules, &state);
}

#[test]
fn an_action_that_people_confirm_is_not_guessed_where_another_is_begun() {
    with_match(|rules, state| {
        let read = |text: &str| read_action(rules, state, SeatId(0), text);
        let refused = read("a1").unwrap_err().to_string();
        assert!(refused.contains("can mean more than one action: give_up a1; move a1"), "{refused}");
        assert_eq!(flow::plain_notation(state, &read("give_up a1").unwrap()), "give_up a1");
        assert_eq!(flow::plain_notation(state, &read("a1 c1").unwrap()), "move a1 c1");
    });
}

#[test]
fn one_of_several_pieces_of_a_cell_is_named_by_its_number() {
    with_match(|rules, state| {
        let read = |text: &str| read_action(rules, state, SeatId(0), text);
        let refused = read("give_up b1").unwrap_err().to_string();
        assert!(refused.contains("\"b1\" can mean more than one piece: b1#1; b1#2"), "{refused}");
        assert_eq!(read("give_up b1#2").unwrap().picks, read("give_up #2").unwrap().picks);
        assert_eq!(read("give_up tug").unwrap().picks, read("give_up #1").unwrap().picks);
    });
}
