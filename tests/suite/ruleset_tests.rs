//! The worked examples of the bundled rulesets hold, and show every rule.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Arc;

use crate::common::{Bundled, catalog, root, sources};
use boardwright::rules::RulesSource;
use boardwright::script::{Limits, TestResult, TestScenario, compile_rules, run_tests};

fn bundled() -> Vec<String> {
    catalog().rulesets.into_keys().collect()
}

/// The files of a folder of a ruleset by path, those with an ending.
fn files(ruleset: &str, folder: &str, ending: &str) -> BTreeMap<String, String> {
    let place = format!("rulesets/{ruleset}/{folder}");
    let Ok(entries) = fs::read_dir(root().join(&place)) else {
        panic!("{place} is missing");
    };
    let paths = entries.map(|entry| entry.unwrap().path());
    let paths = paths.filter(|path| path.extension().is_some_and(|found| found == ending));
    paths
        .map(|path| {
            (
                format!("{place}/{}", path.file_name().unwrap().to_str().unwrap()),
                fs::read_to_string(&path).unwrap(),
            )
        })
        .collect()
}

fn run(ruleset: &str) -> Vec<TestResult> {
    let files = files(ruleset, "tests", "rhai");
    let tests: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let source = Bundled::read(ruleset, "standard").source;
    let find = |scenario: &str| {
        let is_there = catalog().scenarios(ruleset).contains_key(scenario);
        is_there.then(|| Bundled::read(ruleset, scenario)).map(|found| TestScenario {
            source: found.scenario.overlay.is_some().then(|| Arc::clone(&found.source)),
            board: found.board,
            setup: found.scenario.setup,
        })
    };
    run_tests(&source, &tests, &find)
}

/// The number of a rule at the beginning of a text: `4.3`.
fn rule_number(text: &str) -> Option<&str> {
    let number = text.split_whitespace().next()?;
    let is_number = number
        .split('.')
        .all(|part| !part.is_empty() && part.bytes().all(|digit| digit.is_ascii_digit()));
    is_number.then_some(number)
}

/// The numbers of rules in doc comments: at the beginning, and after the ends of sentences.
fn cited(doc: &str) -> impl Iterator<Item = &str> {
    std::iter::once(doc)
        .chain(doc.match_indices(". ").map(|(at, end)| doc.split_at(at + end.len()).1))
        .filter_map(rule_number)
}

/// The numbers of the rules that a ruleset brings itself: what it builds on has examples and help of its own.
fn rules(ruleset: &str) -> BTreeSet<String> {
    let below = catalog().rulesets[ruleset]
        .manifest
        .as_ref()
        .and_then(|manifest| manifest.builds_on.clone());
    let own = all_rules(ruleset);
    match below {
        Some(below) => &own - &all_rules(&below),
        None => own,
    }
}

/// The numbers of the rules of a ruleset, as its scripts say: doc comments, declared actions and endings.
fn all_rules(ruleset: &str) -> BTreeSet<String> {
    let program = compile_rules(&sources(ruleset), &Limits::default()).unwrap_or_else(|problems| panic!("{}", problems.render()));
    let docs = program.functions().into_iter().map(|function| function.doc.join(" "));
    let mut found: BTreeSet<String> = docs.flat_map(|doc| cited(&doc).map(str::to_owned).collect::<Vec<_>>()).collect();
    // Scenarios that change rules say which ones in the first line of what they lay over them, and in its doc comments.
    for overlay in scripts_of_scenarios(ruleset) {
        let first = overlay.lines().next().into_iter().map(|line| line.trim_start_matches('/'));
        let docs = overlay.lines().filter_map(|line| line.strip_prefix("///"));
        let cited = first.chain(docs).flat_map(cited).map(str::to_owned);
        found.extend(cited);
    }
    let source = Bundled::read(ruleset, "standard").source;
    let declared = source.declarations().actions.iter().map(|action| &action.rule);
    found.extend(
        declared
            .chain(source.declarations().endings.iter().map(|ending| &ending.rule))
            .map(ToString::to_string),
    );
    found
}

fn scripts_of_scenarios(ruleset: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(format!("maps/{ruleset}"))).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let scripts = paths.filter(|path| path.extension().is_some_and(|found| found == "rhai"));
    scripts.map(|path| fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn every_rule_has_a_worked_example_and_all_hold() {
    for ruleset in bundled() {
        let results = run(&ruleset);
        let failed = results.iter().filter(|result| !result.is_passed());
        let failed: Vec<String> = failed
            .map(|result| format!("{} ({})\n{}", result.name, result.about, result.problems.render()))
            .collect();
        assert!(failed.is_empty(), "{}", failed.join("\n\n"));
        let shown: BTreeSet<String> = results
            .iter()
            .filter_map(|result| rule_number(&result.about).map(str::to_owned))
            .collect();
        let rules = rules(&ruleset);
        // A chapter is shown by the rules in it.
        let is_shown = |rule: &String| shown.contains(rule) || shown.iter().any(|shown| shown.starts_with(&format!("{rule}.")));
        let missing: Vec<&String> = rules.iter().filter(|rule| !is_shown(rule)).collect();
        assert!(missing.is_empty(), "{ruleset}: no worked example for {missing:?}");
        // A mod may show what becomes of a rule whose tables it changes.
        let all = all_rules(&ruleset);
        let unknown: Vec<&String> = shown.difference(&all).collect();
        assert!(unknown.is_empty(), "{ruleset}: no rule has the numbers {unknown:?}");
    }
}

/// The numbers of the headings of help pages, and pictures that are not there.
fn help(ruleset: &str) -> (BTreeSet<String>, Vec<String>) {
    let (mut numbers, mut missing) = (BTreeSet::new(), Vec::new());
    for (path, text) in files(ruleset, "help", "md") {
        assert!(text.starts_with("# "), "{path} does not begin with a title");
        let headings = text
            .lines()
            .filter_map(|line| line.strip_prefix('#').map(|rest| rest.trim_start_matches('#')));
        numbers.extend(headings.filter_map(rule_number).map(str::to_owned));
        let folder = root().join(&path).parent().unwrap().to_owned();
        let pictures = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        missing.extend(
            pictures
                .filter(|picture| !folder.join(picture).exists())
                .map(|picture| format!("{path}: {picture}")),
        );
    }
    (numbers, missing)
}

#[test]
fn the_help_has_the_numbers_of_the_rules() {
    for ruleset in bundled() {
        let (headings, missing) = help(&ruleset);
        assert!(missing.is_empty(), "pictures are missing: {missing:?}");
        let rules = rules(&ruleset);
        let unexplained: Vec<&String> = rules.difference(&headings).collect();
        assert!(unexplained.is_empty(), "{ruleset}: the help does not explain {unexplained:?}");
        // Pages of a mod may take the place of those of what it is laid over.
        let all = all_rules(&ruleset);
        let is_chapter = |number: &String| all.iter().any(|rule| rule.starts_with(&format!("{number}.")));
        let unknown: Vec<&String> = headings.difference(&all).filter(|number| !is_chapter(number)).collect();
        assert!(unknown.is_empty(), "{ruleset}: no rule has the numbers {unknown:?}");
    }
}
