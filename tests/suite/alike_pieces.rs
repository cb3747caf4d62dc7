//! Pieces that are alike, such as equal cards of a hand: an action that may mean either of them means the first.

use std::sync::Arc;

use boardwright::model::{Board, Map, SeatId, Setup, Topology};
use boardwright::rules::{Luck, RulesSource, Transaction, flow, read_action};
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Limits, ScriptSource, TestScenario, run_tests};

const RULES: &str = r#"
/// 1 Cards are played from a hand.
fn ruleset() {
    #{
        seats: [#{ name: "red" }, #{ name: "blue" }],
        kinds: [#{ name: "card" }],
        properties: [#{ of: "piece", name: "steps", integer: 1, min: 0, max: 9 }],
        zones: [#{ name: "hand", each: "seat" }, #{ name: "discard" }],
        actions: [
            #{ name: "put", rule: "1", picks: [#{ name: "card", pick: "piece" }], ends_turn: true },
            #{ name: "swap", rule: "1", picks: [#{ name: "cards", pick: "pieces" }], ends_turn: true },
        ],
    }
}
fn start(turn) {
    for steps in [2, 2, 3] {
        let card = turn.create_in("hand", turn.seats[0], "card");
        card.steps = steps;
    }
}
fn put_card(view) { view.zone("hand", view.seat) }
fn do_put(turn, picked) { turn.move_to_zone(picked.card, "discard"); }
fn notation_put(view, picked) { if picked.card.steps == 3 { "three" } else { "two" } }
fn swap_cards(view) { some(view.zone("hand", view.seat), 2, 2) }
fn do_swap(turn, picked) { }
fn notation_swap(view, picked) { "swap" }
"#;

fn source() -> Arc<ScriptSource> {
    let sources = Sources::of(Layer::new("rules").with("rules.rhai", RULES));
    Arc::new(ScriptSource::new(Arc::new(sources), Limits::default()).unwrap_or_else(|problems| panic!("{}", problems.render())))
}

fn board() -> Arc<Board> {
    let topology = Topology::Square {
        width: 1,
        height: 1,
        diagonals: false,
    };
    Arc::new(Board::from_map(&Map::new("board", "Board", topology)).unwrap())
}

#[test]
fn a_player_need_not_say_which_of_two_equal_cards() {
    let (source, board) = (source(), board());
    let state = Setup::default().build(&board, source.declarations()).unwrap();
    let rules = source.rules(&board, source.declarations(), state.options()).unwrap();
    let mut transaction = Transaction::new(Arc::new(state), Luck::Forbidden);
    flow::begin(&*rules, &mut transaction).unwrap_or_else(|error| panic!("{error}"));
    let (state, ..) = transaction.into_parts();
    let read = |text| read_action(&*rules, &state, SeatId(0), text);
    assert_eq!(flow::plain_notation(&state, &read("two").unwrap()), "put #0");
    assert_eq!(flow::plain_notation(&state, &read("three").unwrap()), "put #2");
    // Two equal cards are another choice than two different ones.
    let refused = read("swap").unwrap_err().to_string();
    assert!(refused.contains("can mean more than one action"), "{refused}");
}

#[test]
fn nor_need_a_test() {
    let find = |id: &str| (id == "standard").then(|| TestScenario::plain(board(), Setup::default()));
    let text = "/// 1 A test.\nfn test_it(t) {\n    t.plays(\"two\");\n    t.expect(t.view.zone(\"discard\").len == 1, \"one card\");\n}\n";
    let result = run_tests(&source(), &[("tests/it.rhai", text)], &find).remove(0);
    assert!(result.is_passed(), "{}", result.problems.render());
}
