//! What authors are told of mistakes that show only when rules meet a map or a scenario: where, and what was meant.

use std::path::Path;

use boardwright::content::Catalog;
use boardwright::local::inspect;

use crate::command_line::{copied, edit};

/// Everything that is found in a ruleset, each as `place: error[code]: message` and its help.
fn told(content: &Path, ruleset: &str) -> Vec<String> {
    let found = inspect(&Catalog::scan(&[content.to_path_buf()]), ruleset).found;
    found
        .iter()
        .map(|one| format!("{one} {}", one.help.as_deref().unwrap_or_default()))
        .collect()
}

#[track_caller]
fn is_told(content: &Path, ruleset: &str, expected: &str) {
    let told = told(content, ruleset);
    assert!(told.iter().any(|one| one.contains(expected)), "{expected:?} is not in {told:#?}");
}

#[test]
fn a_wrong_name_in_a_pattern_is_told_where_it_is_written() {
    let rules = "rulesets/sixteen-soldiers/rules.rhai";
    for (written, expected) in [
        (
            "starting_in(\"trianglse\")",
            "rules.rhai:60:33: error[unknown-name]: there is no region `trianglse`; did you mean `triangles`?",
        ),
        (
            "starting_in(\"nowhere\")",
            "rules.rhai:60:33: error[unknown-name]: there is no region `nowhere`; there are `red_triangle`, `blue_triangle`",
        ),
        (
            "by(\"zork\")",
            "rules.rhai:60:24: error[unknown-name]: there is no kind `zork`; there are `soldier`",
        ),
        (
            "along([\"up\"])",
            "rules.rhai:60:28: error[unknown-name]: there is no direction `up`; there are ",
        ),
    ] {
        let content = copied(&["sixteen-soldiers"]);
        edit(&content.path().join(rules), "starting_in(\"triangles\")", written);
        is_told(content.path(), "sixteen-soldiers", expected);
    }
}

#[test]
fn a_region_that_was_renamed_is_told_in_the_rules_below_a_mod() {
    let content = copied(&["sixteen-soldiers", "sixteen-captains"]);
    edit(
        &content.path().join("maps/sixteen-soldiers/board.map.xml"),
        "\"triangles\"",
        "\"corners\"",
    );
    for ruleset in ["sixteen-soldiers", "sixteen-captains"] {
        let told = told(content.path(), ruleset);
        let errors: Vec<&String> = told.iter().filter(|one| one.contains("error[")).collect();
        let place = "rulesets/sixteen-soldiers/rules.rhai:60:33: error[unknown-name]: there is no region `triangles`";
        assert!(!errors.is_empty() && errors.iter().all(|one| one.starts_with(place)), "{told:#?}");
    }
}

#[test]
fn a_pattern_of_something_else_is_told_with_its_line() {
    let content = copied(&["sixteen-soldiers"]);
    let rules = content.path().join("rulesets/sixteen-soldiers/rules.rhai");
    edit(&rules, "    ways\n}", "    ways.len\n}");
    is_told(
        content.path(),
        "sixteen-soldiers",
        "rules.rhai:45:1: error[return-type]: pattern_move has to return a list of motions",
    );
}

#[test]
fn a_hook_that_the_declarations_ask_for_is_told_where_they_do() {
    let content = copied(&["tic-tac-toe"]);
    let rules = content.path().join("rulesets/tic-tac-toe/rules.rhai");
    edit(&rules, "fn pattern_", "fn patterns_");
    let told = told(content.path(), "tic-tac-toe");
    let place = |one: &&String| one.contains("rules.rhai:") && one.contains("error[missing-hook]: action ");
    assert!(told.iter().any(|one| place(&one)), "{told:#?}");
}

#[test]
fn seats_and_players_of_a_scenario_that_are_none_are_told_where_they_stand() {
    let scenario = "maps/tic-tac-toe/standard.scenario.xml";
    for (from, to, expected) in [
        (
            "seat=\"crosses\"",
            "seat=\"green\"",
            "standard.scenario.xml:4:17: error[unknown-name]: there is no seat `green` there are: crosses, noughts",
        ),
        (
            "plays=\"human\"",
            "plays=\"search:77\"",
            "standard.scenario.xml:4:33: error[bad-value]: `77` is no level",
        ),
        (
            "plays=\"human\"",
            "plays=\"serch:3\"",
            "standard.scenario.xml:4:33: error[unknown-name]: there is no player `serch` did you mean `search`?",
        ),
    ] {
        let content = copied(&["tic-tac-toe"]);
        edit(&content.path().join(scenario), from, to);
        is_told(content.path(), "tic-tac-toe", expected);
    }
}

#[test]
fn strategies_are_players_of_a_scenario_and_programs_are_not() {
    let content = copied(&["tic-tac-toe"]);
    let scenario = content.path().join("maps/tic-tac-toe/standard.scenario.xml");
    let strategies = content.path().join("rulesets/tic-tac-toe/strategies");
    std::fs::create_dir_all(&strategies).unwrap();
    std::fs::write(strategies.join("corners.rhai"), "fn choose(view) { () }").unwrap();
    edit(&scenario, "plays=\"human\"", "plays=\"corners\"");
    assert!(
        told(content.path(), "tic-tac-toe").iter().all(|one| !one.contains("error[")),
        "a strategy may play"
    );
    // Scenarios come from anywhere, and start no programs.
    edit(&scenario, "plays=\"human\"", "plays=\"exec:./player\"");
    is_told(content.path(), "tic-tac-toe", "error[bad-value]: a scenario cannot start a program");
}
