//! What the terminal makes of a ruleset that has a bit of everything it can show: selections of none, looks, badges, dice.

use std::fs;
use std::path::Path;

use super::command_line::{Ended, plays, run_in};

const RULES: &str = r##"
/// 1 Black and White advance with any of their pawns, or with none.
fn ruleset() {
    #{
        seats: [#{ name: "black", title: "Black" }, #{ name: "white", title: "White" }],
        kinds: [
            #{ name: "pawn", title: "Black pawn", glyph: "p" },
            #{ name: "guard", title: "Guard", glyph: "g" },
        ],
        zones: [#{ name: "camp", title: "Camp", each: "seat" }],
        terrains: [#{ name: "plain", colour: "#90A070" }, #{ name: "wood", colour: "#406040" }],
        properties: [#{ of: "match", name: "rolled", integer: 1, min: 1, max: 6 }],
        actions: [#{ name: "advance", ends_turn: true, picks: [#{ name: "who", pick: "pieces" }] }],
    }
}

fn start(turn) {
    for number in 0..4 {
        turn.create_in("camp", turn.seats[0], "pawn");
    }
}

/// 2 At the beginning of a turn a die says how many may go.
fn enter_play(turn) {
    turn.rolled = turn.roll("1d6", "who may go");
}

fn advance_who(view) {
    some(view.pieces_of(view.seat).filter(|piece| piece.cell != ()), 0, 2)
}

fn do_advance(turn, picked) {}

fn look_cell(view, cell) {
    switch cell.name {
        "a1" => #{ glyph: "T" },
        "b1" => #{ label: "12" },
        "c1" => #{ label: "Village" },
        _ => #{},
    }
}

fn look_piece(view, piece) {
    if piece.kind == "guard" { #{ badge: "5-3-5" } } else { #{} }
}
"##;

const MAP: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<map format="1" id="board" title="Board">
  <square width="4" height="2" diagonals="no"/>
  <legend>
    <code text="p" terrain="plain"/>
    <code text="w" terrain="wood"/>
  </legend>
  <terrain>
    <row>p p p p</row>
    <row>w p p w</row>
  </terrain>
</map>
"#;

const SCENARIO: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<scenario format="1" id="standard" title="Standard" ruleset="pawns" map="board">
  <player seat="black" plays="human"/>
  <player seat="white" plays="human"/>
  <pieces kind="pawn" owner="black" at="a1, a2"/>
  <pieces kind="guard" owner="white" at="d2"/>
</scenario>
"#;

const TESTS: &str = r#"
/// 1 Nobody need go.
fn test_nobody_goes(t) {
    t.seed(1);
    t.expect_legal(["advance -", "advance a1", "advance a2", "advance a1,a2"]);
    t.plays("advance");
    t.plays("advance -");
}
"#;

fn content() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let manifest = r#"<ruleset format="1" id="pawns" title="Pawns" version="1" licence="CC0-1.0" seats="2" advisor="random"><description>Pawns.</description></ruleset>"#;
    write("rulesets/pawns/ruleset.xml", manifest);
    write("rulesets/pawns/rules.rhai", RULES);
    write("rulesets/pawns/tests/nobody.rhai", TESTS);
    write("maps/pawns/board.map.xml", MAP);
    write("maps/pawns/standard.scenario.xml", SCENARIO);
    folder
}

fn play(folder: &Path, lines: &[&str]) -> Ended {
    let input = lines.join("\n") + "\n";
    run_in(folder, &["play", "--text", "pawns", "--seed", "3"], &input).with(0)
}

#[test]
fn nothing_can_be_picked_and_is_written_as_a_stroke() {
    let content = content();
    let ended = play(content.path(), &["moves", "advance", "advance -", "history"]);
    assert!(!ended.out.lines().any(|line| line.ends_with(' ')), "{}", ended.out);
    ended
        .says("advance -")
        .says("   1  Black advance -\n")
        .says("   2  White advance -\n");
    run_in(content.path(), &["test", "pawns"], "").with(0).says("1 test passed");
}

#[test]
fn what_can_be_done_in_too_many_ways_is_named_in_the_list() {
    let content = content();
    let rules = content.path().join("rulesets/pawns/rules.rhai");
    let text = fs::read_to_string(&rules).unwrap();
    let text = text.replace(
        "        actions: [",
        "        actions: [
            #{ name: \"bid\", picks: [#{ name: \"coins\", pick: \"number\" }, #{ name: \"by\", pick: \"number\" }] },
            #{ name: \"stuck\", picks: [#{ name: \"first\", pick: \"number\" }, #{ name: \"second\", pick: \"cell\" }] },
        ",
    );
    let hooks = "
fn bid_coins(view, picked) { numbers(1, 1000) }
fn bid_by(view, picked) { numbers(1, 1000) }
fn do_bid(turn, picked) {}
fn stuck_first(view, picked) { numbers(1, 3) }
fn stuck_second(view, picked) { view.cells.none }
fn do_stuck(turn, picked) {}
";
    fs::write(&rules, text + hooks).unwrap();
    let ended = play(content.path(), &["moves", "bid", "7", "9", "history"]);
    assert!(!ended.out.contains("stuck: not listed"), "{}", ended.out);
    ended
        .says("actions:")
        .says("bid: not listed, because there are too many ways to do it; type `bid` and its picks.")
        .says("   1  Black bid 7 9");
}

#[test]
fn a_roll_at_the_beginning_of_a_turn_is_told_with_that_turn() {
    let content = content();
    let ended = play(content.path(), &["advance -", "quit"]);
    let lines: Vec<&str> = ended.out.lines().collect();
    let acted = lines.iter().position(|line| *line == "Black advance -").unwrap();
    assert!(lines[acted + 1].starts_with("White: who may go: "), "{}", ended.out);
    assert!(!ended.out.contains("(who may go"), "{}", ended.out);
}

#[test]
fn the_ground_shows_below_pieces_and_what_is_too_long_stands_below_the_board() {
    let content = content();
    play(content.path(), &["quit"])
        .with(0)
        // A glyph and a terrain behind the piece that stands there, a label of the rules, a label that is too long.
        .says("1  pT 12 .")
        .says("2  p~ .  .  g~")
        .says("White guard: 5-3-5 at d2\n")
        .says("Labels: c1 Village\n")
        // Whose it is is said once, and pieces that look alike are told together.
        .says("p Black pawn")
        .says("Black: Camp: 4 x Black pawn #");
}

#[test]
fn a_hint_asks_the_player_that_the_ruleset_names() {
    let content = content();
    play(content.path(), &["hint", "quit"]).says("random would play advance");
    let manifest = content.path().join("rulesets/pawns/ruleset.xml");
    let text = fs::read_to_string(&manifest).unwrap().replace("\"random\"", "\"rndom\"");
    fs::write(&manifest, text).unwrap();
    run_in(content.path(), &["check", "pawns"], "")
        .with(1)
        .says("rulesets/pawns/ruleset.xml:1:")
        .says("there is no player `rndom`")
        .says("did you mean `random`?");
}

#[test]
fn where_only_computers_play_what_is_said_is_done_at_once() {
    // The match has no end: were nothing heard, the program would not end either.
    let content = content();
    let seats = ["--seat", "black=random", "--seat", "white=random"];
    let arguments = [&["play", "--text", "pawns"], seats.as_slice()].concat();
    run_in(content.path(), &arguments, "quit\n").with(0);
    let saved = content.path().join("match.save.xml");
    let lines = format!("pause\nsave {}\nseat black=human\nseat black=random\nquit\n", saved.display());
    run_in(content.path(), &arguments, &lines).with(0).says("Saved in");
    assert!(saved.is_file());
}

#[test]
fn a_player_with_a_limit_sits_where_any_player_does() {
    let lines = [
        "mark b2",
        "seat noughts=search:2@50",
        "mark a1",
        "hint mcts:9@30",
        "seat noughts=human@5",
        "history",
    ];
    plays(&["tic-tac-toe", "--seat", "noughts=mcts:9@50"], &lines)
        .with(0)
        .says("Noughts mcts:9@50")
        .says("   2  Noughts mark ")
        .says("mcts:9@30 would play mark ")
        .says("a person has no limit");
    plays(&["tic-tac-toe", "--seat", "noughts=mcts:9@many"], &[])
        .with(2)
        .complains("`many` is no limit of a player");
}
