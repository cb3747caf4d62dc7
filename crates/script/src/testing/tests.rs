use super::*;
use boardwright_model::{Map, Topology};

const RULES: &str = r#"
fn ruleset() {
    #{
        seats: [#{ name: "red" }, #{ name: "blue" }],
        kinds: [#{ name: "army" }],
        actions: [
            #{ name: "march", ends_turn: true, picks: [#{ name: "army", pick: "piece" }, #{ name: "path", pick: "path" }] },
            #{ name: "raid", ends_turn: true, picks: [#{ name: "cell", pick: "cell" }] },
        ],
        endings: [#{ when: "no_pieces", then: "loses", rule: "4.1" }],
    }
}
fn pattern_march(options) { [step()] }
fn raid_cell(view) { view.seat.next.cells }
fn do_raid(turn, picked) {
    if turn.roll("1d6", "the raid") < 4 { throw refuse("3.1", "too weak"); }
    turn.remove(turn.piece_at(picked.cell));
}
"#;

fn run(text: &str) -> Vec<TestResult> {
    run_on(RULES, text)
}

fn run_on(rules: &str, text: &str) -> Vec<TestResult> {
    let sources = Sources::of(Layer::new("fixture").with("rules.rhai", rules));
    let source = ScriptSource::new(Arc::new(sources), Limits::default()).unwrap_or_else(|problems| panic!("{}", problems.render()));
    let size = Topology::Square {
        width: 3,
        height: 3,
        diagonals: false,
    };
    let board = Arc::new(Board::from_map(&Map::new("board", "Board", size)).unwrap());
    let find = |name: &str| (name == "standard").then(|| TestScenario::plain(Arc::clone(&board), Setup::default()));
    run_tests(&Arc::new(source), &[("fixture/tests/a.rhai", text)], &find)
}

/// The message of the only problem of the only test.
fn problem(body: &str) -> String {
    let results = run(&format!(
        "/// 1 A rule.\nfn test_it(t) {{\n    t.setup(#{{ a1: \"red army\", c3: \"blue army\" }});\n{body}\n}}"
    ));
    let [result] = results.as_slice() else { panic!("{results:?}") };
    let problems: Vec<String> = result.problems.iter().map(ToString::to_string).collect();
    problems.join("\n")
}

#[test]
fn a_test_that_holds_passes_and_is_named_by_its_rule() {
    let results = run(
        "/// 2.1 An army marches\n/// to a cell next to it.\nfn test_march(t) {\n t.setup(#{ a1: \"red army\", c3: \"blue army\" }); t.plays(\"march a1 a2\"); print(\"done\"); }",
    );
    let [result] = results.as_slice() else { panic!("{results:?}") };
    assert!(result.is_passed(), "{}", result.problems);
    assert_eq!(
        (result.name.as_str(), result.about.as_str()),
        ("test_march", "2.1 An army marches to a cell next to it.")
    );
    assert_eq!(
        result.place.as_ref().map(ToString::to_string).as_deref(),
        Some("fixture/tests/a.rhai:3:1")
    );
    assert_eq!(result.printed, ["done"]);
}

#[test]
fn what_is_not_as_expected_is_told_with_its_line() {
    for (body, expected) in [
        (
            "t.expect_empty(\"a1\");",
            "fixture/tests/a.rhai:4:3: error[expectation]: on a1 is red army",
        ),
        (
            "\n t.expect_at(\"b2\", \"red army\");",
            "a.rhai:5:4: error[expectation]: on b2 is nothing, not red army",
        ),
        ("t.expect_at(\"a1\", \"army\");", "on a1 is red army, not army"),
        (
            "t.expect_at(\"a1\", \"green army\");",
            "\"green\" is no kind, seat, pose or property=value",
        ),
        ("t.expect_turn(\"blue\");", "to act is red, not blue"),
        ("t.expect_outcome(\"draw\");", "the match is not over"),
        ("t.expect_phase(\"war\");", "the phase is play, not war"),
        ("t.expect(1 == 2, \"one is two\");", "expected: one is two"),
        ("t.plays(\"march a1 b2\");", "\"march a1 b2\" is refused: b2 cannot be picked"),
        ("t.plays(\"fly a1 b2\");", "\"fly a1 b2\" is not legal"),
        ("t.plays(\"blue\", \"march c3 c2\");", "it is the turn of Red"),
        ("t.expect_refused(\"march a1 a2\");", "\"march a1 a2\" is legal"),
        ("t.expect_refused(\"march a1 z9\");", "\"z9\" is no cell of this board"),
        (
            "t.expect_refused(\"march a1 b2\", \"2.1\");",
            "is refused by no rule, not by rule 2.1",
        ),
        (
            "t.expect_legal([\"march a1 a2\", \"march a1 b2\"]);",
            "expected and not legal: march a1 b2; legal and not expected: march a1 b1, raid c3",
        ),
        (
            "t.dice([5]); t.plays(\"march a1 a2\");",
            "[5] was laid down with t.dice(..) and never drawn",
        ),
        ("t.plays(\"raid c3\");", "more is drawn than was recorded"),
        ("t.dice([7]); t.plays(\"raid c3\");", "is no result of"),
        ("t.dice([1]); t.plays(\"raid c3\");", "\"raid c3\" is refused: too weak (rule 3.1)"),
        ("t.plays(\"march a1 a2\"); t.begins(\"blue\");", "comes before the first action"),
        ("t.scenario(\"duel\");", "there is no scenario \"duel\""),
        (
            "t.setup(#{ z9: \"red army\" });",
            "\"z9\" is no cell of the board, no side of one and no zone",
        ),
        ("t.option(\"fog\", true); t.expect_turn(\"red\");", "there is no option \"fog\""),
        ("nothing_such(t);", "error[unknown-function]"),
        ("loop {}", "error[budget-operations]"),
    ] {
        let found = problem(body);
        assert!(found.contains(expected), "{body}\n  found: {found}\n  expected: {expected}");
    }
}

#[test]
fn what_is_as_expected_passes() {
    for body in [
        "t.dice([4]); t.plays(\"raid c3\"); t.expect_outcome(\"win red\", \"4.1\");",
        "t.dice([1]); t.expect_refused(\"raid c3\", \"3.1\"); t.dice([6]); t.plays(\"raid c3\");",
        "t.seed(1); t.begins(\"blue\"); t.plays(\"march c3 b3\"); t.expect_turn(\"red\"); t.expect_no_outcome();",
        "t.expect_legal(\"a1\", [\"march a1 a2\", \"march a1 b1\"]); t.expect(t.legal.len == 3, \"a raid as well\");",
        "let view = t.view; t.plays(\"march a1 a2\"); t.expect(t.view.seat.name == \"blue\", \"blue is to act\");",
        "t.scenario(\"standard\"); t.setup(#{ b2: [\"red army\", \"blue army\"] }); t.expect_at(\"b2\", [\"blue army\", \"red army\"]);",
    ] {
        let found = problem(body);
        assert!(found.is_empty(), "{body}\n{found}");
    }
}

/// A die before each turn, dealt cards, a rank that only its owner sees, and questions.
const DICE: &str = r#"
fn ruleset() {
    #{
        seats: [#{ name: "red" }, #{ name: "blue" }],
        kinds: [#{ name: "army" }],
        zones: [#{ name: "deck", seen_by: "no one" }],
        properties: [
            #{ of: "match", name: "rolled", integer: 1, min: 1, max: 6 },
            #{ of: "match", name: "ended", integer: 0 },
            #{ of: "match", name: "said", text: "" },
            #{ of: "piece", name: "rank", integer: -1, secret: true },
        ],
        contests: [#{ name: "shot", results: ["hit", "miss"], parameters: [#{ name: "least", integer: 4, min: 1, max: 7 }] }],
        actions: [
            #{ name: "wait", ends_turn: true },
            #{ name: "challenge" },
            #{ name: "retreat", answers: true, picks: [#{ name: "cell", pick: "cell" }] },
            #{ name: "stand", instead_of: "retreat" },
            #{ name: "cheer", answers: true },
        ],
        endings: [#{ when: "no_pieces", then: "loses", rule: "9.2", reason: "no army" }],
    }
}
fn start(turn) {
    for number in 0..3 { turn.create_in("deck", "army"); }
    turn.shuffle("deck", "the deck");
    rank_all(turn);
}
fn rank_all(turn) { for army in turn.occupied.pieces { army.rank = 5; } }
fn enter_play(turn) { turn.rolled = turn.roll("1d6", "the turn"); }
fn do_wait(turn, picked) {}
fn end_round(turn) { turn.ended += 1; }
fn do_challenge(turn, picked) {
    turn.ask(turn.seat.next, "retreat", #{});
    turn.ask(turn.seat.next, "cheer", #{});
}
fn retreat_cell(view) { view.empty }
fn do_retreat(turn, picked) { turn.said += "r"; }
fn do_stand(turn, picked) { turn.said += "s"; }
fn do_cheer(turn, picked) { turn.said += "c"; }
fn clash_shot(turn, sides) { #{ result: if turn.roll("1d6", "the shot") >= sides.least { "hit" } else { "miss" } } }
fn contest_challenge(view, picked) { #{ shot: #{ least: 6 } } }
fn outcome(view) { if view.ended == 2 { return draw("9.1", "two rounds"); } }
"#;

fn dice_problem(body: &str) -> String {
    let text = format!("/// 1 A rule.\nfn test_it(t) {{\n    t.setup(#{{ a1: \"red army\", c3: \"blue army\" }});\n{body}\n}}");
    let results = run_on(DICE, &text);
    let [result] = results.as_slice() else { panic!("{results:?}") };
    result.problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn dice_laid_before_the_match_starts_serve_its_first_rolls() {
    for body in [
        // The shuffle before the roll is no roll.
        "t.dice([6]); t.starts(); t.expect(t.view.rolled == 6, \"six\");",
        "t.dice([6]); t.starts(); t.dice([2]); t.plays(\"wait\"); t.expect(t.view.rolled == 2, \"two\");",
        "t.dice([6]); t.dice([3]); t.starts(); t.plays(\"wait\"); t.expect(t.view.rolled == 3, \"what is left is for the actions\");",
        "t.dice([4]); t.plays(\"wait\"); t.expect(t.view.rolled == 4, \"without it they are for the actions\");",
    ] {
        assert_eq!(dice_problem(body), "", "{body}");
    }
    let told = dice_problem("t.dice([6]); t.dice([5]); t.starts(); t.expect_turn(\"red\");");
    assert!(told.contains("[5] was laid down"), "{told}");
    let told = dice_problem("t.starts(); t.starts();");
    assert!(told.contains("`starts` comes before the first action"), "{told}");
}

#[test]
fn a_test_sees_with_the_eyes_of_a_seat() {
    for body in [
        "let blue = t.seen_by(\"blue\"); t.expect(blue.piece_at(blue.cell(\"a1\")).rank == -1, \"hidden\");",
        "let red = t.seen_by(\"red\"); t.expect(red.piece_at(red.cell(\"a1\")).rank == 5, \"its own\");",
        "let red = t.seen_by(\"red\"); t.expect(red.zone(\"deck\").is_empty && red.zone_count(\"deck\") == 3, \"only counted\");",
        "let red = t.seen_by(\"red\"); let all = t.view; t.expect(all.zone(\"deck\").len == 3 && red.zone(\"deck\").is_empty, \"side by side\");",
    ] {
        assert_eq!(dice_problem(body), "", "{body}");
    }
    assert!(dice_problem("t.seen_by(\"green\");").contains("there is no seat \"green\""));
}

#[test]
fn a_test_knows_the_odds() {
    for body in [
        "t.expect(t.odds(\"shot\", #{ least: 5 }) == #{ hit: \"1/3\", miss: \"2/3\" }, \"a third\");",
        "t.expect(t.odds(\"challenge\").hit == \"1/6\", \"of an action\");",
        "t.expect(t.odds(\"shot\", #{ least: 7 }).hit == \"0/1\", \"never\");",
        "t.expect(t.chances(\"shot\", #{}) == #{ hit: 500000, miss: 500000 }, \"as it usually is\");",
    ] {
        assert_eq!(dice_problem(body), "", "{body}");
    }
    assert!(dice_problem("t.odds(\"shot\", #{ most: 5 });").contains("it has none called most"));
    assert!(dice_problem("t.odds(\"shot\", #{ least: 9 });").contains("9 is outside 1 to 7"));
    assert!(dice_problem("t.odds(\"wait\");").contains("\"wait\" begins no contest"));
}

#[test]
fn the_question_put_last_is_answered_first_and_one_can_be_declined() {
    for body in [
        "t.plays(\"challenge\"); t.expect_turn(\"blue\"); t.expect_legal([\"cheer\"]); t.plays(\"cheer\"); \
         t.expect(\"stand\" in t.legal && \"retreat b2\" in t.legal && t.legal.len == 8, \"seven cells, or to stand\"); \
         t.plays(\"stand\"); t.expect(t.view.said == \"cs\", \"in this order\"); t.expect_turn(\"red\");",
        "t.plays(\"challenge\"); t.plays(\"cheer\"); t.plays(\"retreat b2\"); t.expect(t.view.said == \"cr\", \"as asked\");",
    ] {
        assert_eq!(dice_problem(body), "", "{body}");
    }
    assert!(dice_problem("t.expect_refused(\"stand\");").is_empty());
    let wrong = DICE.replace("instead_of: \"retreat\"", "instead_of: \"wait\"");
    let sources = Sources::of(Layer::new("fixture").with("rules.rhai", wrong.as_str()));
    let told = ScriptSource::new(Arc::new(sources), Limits::default()).unwrap_err().render();
    assert!(told.contains("stand: there is no action \"wait\" that answers"), "{told}");
}

#[test]
fn rounds_end_and_the_hook_outcome_comes_before_declared_endings() {
    let body = "t.seed(1); t.plays(\"wait\"); t.expect(t.view.ended == 0, \"red\"); t.plays(\"wait\"); \
        t.expect(t.view.ended == 1 && t.view.round == 2, \"both\"); t.plays(\"wait\"); t.plays(\"wait\"); t.expect_outcome(\"draw\", \"9.1\");";
    assert_eq!(dice_problem(body), "", "{body}");
    // Both hold at once.
    let empty = DICE.replace(
        "turn.ended += 1;",
        "turn.ended = 2; for army in turn.occupied.pieces { turn.remove(army); }",
    );
    let text = "/// 1 A rule.\nfn test_it(t) { t.setup(#{ a1: \"red army\", c3: \"blue army\" }); t.seed(1); t.plays(\"wait\"); \
        t.plays(\"wait\"); t.expect_outcome(\"draw\", \"9.1\"); }";
    let results = run_on(&empty, text);
    assert!(results[0].is_passed(), "{}", results[0].problems);
}

#[test]
fn a_test_without_a_sentence_and_a_file_without_tests_fail() {
    let results = run("fn test_it(t) { }");
    assert!(!results[0].is_passed());
    let results = run("/// 1 A rule.\nfn test_it() { }");
    assert!(!results[0].is_passed());
    let results = run("fn helper(t) { }");
    assert!(!results[0].is_passed() && results[0].name.is_empty());
    let results = run("/// 1 A rule.\nfn test_it(t) { ");
    assert!(!results[0].is_passed());
}
