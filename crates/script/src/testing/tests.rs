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
    let sources = Sources::of(Layer::new("fixture").with("rules.rhai", RULES));
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
        ("t.setup(#{ z9: \"red army\" });", "\"z9\" is no cell of the board and no zone"),
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
