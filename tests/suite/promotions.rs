//! Pieces that are promoted by a pattern where they arrive: what becomes of them, of what they carry, and of the way back.

use std::sync::Arc;

use boardwright::model::{Board, Map, MapRegion, Setup, Topology};
use boardwright::rules::{Luck, RulesSource, Transaction, conformance, flow};
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Limits, ScriptSource, TestScenario, run_tests};

const RULES: &str = r#"
/// 1 Pawns go to the far side, and are kings there.
fn ruleset() {
    #{
        seats: [#{ name: "red" }, #{ name: "blue" }],
        kinds: [#{ name: "pawn", values: #{ strength: 3 } }, #{ name: "king" }],
        properties: [#{ of: "piece", name: "strength", integer: 1, min: 0, max: 9 }],
        actions: [#{ name: "move", rule: "1", picks: [#{ name: "piece", pick: "piece" }, #{ name: "way", pick: "path" }], ends_turn: true }],
        idle: "passes",
        endings: [#{ when: "nobody_can_act", then: "draw", rule: "1" }],
    }
}

fn pattern_move(view) {
    [
        step().along(["s"]).by("pawn").onto("empty or enemy").promoting("king", view.region("far")),
        step().along(["n"]).by("king").onto("empty or enemy"),
    ]
}
"#;

/// Three columns and four rows; the far side is the last row.
fn board() -> Arc<Board> {
    let topology = Topology::Square {
        width: 3,
        height: 4,
        diagonals: false,
    };
    let mut map = Map::new("board", "Board", topology);
    map.regions = vec![MapRegion {
        name: "far".to_owned(),
        cells: ["a4", "b4", "c4"].map(str::to_owned).to_vec(),
    }];
    Arc::new(Board::from_map(&map).unwrap())
}

fn source() -> Arc<ScriptSource> {
    let sources = Sources::of(Layer::new("rules").with("rules.rhai", RULES));
    Arc::new(ScriptSource::new(Arc::new(sources), Limits::default()).unwrap_or_else(|problems| panic!("{}", problems.render())))
}

fn holds(body: &str) {
    let find = |id: &str| (id == "standard").then(|| TestScenario::plain(board(), Setup::default()));
    let text = format!("/// 1 A test.\nfn test_it(t) {{\n{body}\n}}\n");
    let result = run_tests(&source(), &[("tests/it.rhai", text.as_str())], &find).remove(0);
    assert!(result.is_passed(), "{body}\n{}", result.problems.render());
}

#[test]
fn a_piece_that_arrives_is_replaced_by_a_fresh_one() {
    holds(
        r#"t.setup(#{ a2: "red pawn strength=7", c1: "blue pawn" });
        t.plays("move a2 a3");
        t.expect_at("a3", "red pawn strength=7");
        t.plays("move c1 c2");
        t.plays("move a3 a4");
        t.expect_at("a4", "red king strength=1");
        t.expect(t.view.pieces.len == 2, "no piece more");"#,
    );
}

#[test]
fn one_that_captures_where_it_arrives_is_promoted_as_well() {
    holds(
        r#"t.setup(#{ b3: "red pawn", b4: "blue king", c1: "blue pawn" });
        t.plays("move b3 b4");
        t.expect_at("b4", "red king");
        t.expect(t.view.pieces_of(t.view.seats[1]).len == 1, "the king is captured");"#,
    );
}

#[test]
fn another_kind_that_arrives_stays_what_it_is() {
    holds(
        r#"t.setup(#{ a4: "red king strength=5", c1: "blue pawn" });
        t.expect_legal(["move a4 a3"]);
        t.plays("move a4 a3");
        t.expect_at("a3", "red king strength=5");"#,
    );
}

#[test]
fn promotions_are_taken_back_and_repeated_exactly() {
    let (source, board) = (source(), board());
    let piece = |kind: &str, owner: &str, cell: &str| boardwright::model::SetupPiece {
        kind: kind.to_owned(),
        owner: Some(owner.to_owned()),
        place: boardwright::model::SetupPlace::Cell(cell.to_owned()),
        ..Default::default()
    };
    let setup = Setup {
        pieces: vec![
            piece("pawn", "red", "a1"),
            piece("pawn", "red", "b3"),
            piece("pawn", "blue", "c1"),
            piece("king", "blue", "b4"),
        ],
        ..Setup::default()
    };
    let state = setup.build(&board, source.declarations()).unwrap();
    let rules = source.rules(&board, source.declarations(), state.options()).unwrap();
    let mut transaction = Transaction::new(Arc::new(state), Luck::Forbidden);
    flow::begin(&*rules, &mut transaction).unwrap_or_else(|error| panic!("{error}"));
    let (start, ..) = transaction.into_parts();
    for seed in 0..10 {
        if let Err(breach) = conformance::random_match(&*rules, &start, seed, 60) {
            panic!("with seed {seed}: {breach}");
        }
    }
}
