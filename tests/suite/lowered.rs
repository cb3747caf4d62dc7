//! Hooks in lowered form do what the engine does: same results, changes, draws and operations.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::common::{Bundled, bundled};
use boardwright::rules::{Generator, Luck, PlayoutBuffers, Transaction, draw_action, flow};
use boardwright::script::{Comparison, begin_comparing, end_comparing};

/// Actions of each match.
const ACTIONS: usize = 60;

/// Plays a match at random, asks for looks and texts on the way, and runs each hook in both ways.
fn compare(game: &Bundled, seed: u64) -> Comparison {
    begin_comparing();
    let (rules, start) = game.begin(seed);
    let (mut generator, mut room) = (Generator::new(seed), PlayoutBuffers::default());
    let mut transaction = Transaction::new(start, Luck::Roll(Generator::new(seed)));
    for _ in 0..ACTIONS {
        let state = Arc::clone(transaction.state());
        for seat in state.acting().iter() {
            if let Some(appearance) = rules.appearance() {
                drop(appearance.looks(&state, Some(seat)));
            }
        }
        let Ok(Some(action)) = draw_action(&*rules, &state, &mut generator, &mut room) else {
            break;
        };
        drop(rules.notation(&state, &action));
        drop(flow::check(&*rules, &state, &action));
        if flow::perform(&*rules, &mut transaction, &action).is_err() {
            break;
        }
        drop(rules.sentence(&state, &action, transaction.state()));
    }
    end_comparing()
}

/// What was not the same in a match, once for each function.
fn differences(name: &str, comparison: &Comparison) -> Vec<String> {
    if std::env::var_os("SHOW").is_some() {
        for (function, (lowered, engine)) in &comparison.runs {
            println!("{name} {function}: {lowered} lowered, {engine} by the engine");
        }
    }
    let mut told = Vec::new();
    let mut seen = BTreeSet::new();
    for [function, lowered, engine] in &comparison.differences {
        if seen.insert(function) {
            told.push(format!("{name}, {function}\n  lowered {lowered}\n  engine  {engine}\n"));
        }
    }
    told
}

fn assert_none(differences: &[String]) {
    assert!(differences.is_empty(), "{}", differences.concat());
}

#[test]
fn hooks_of_bundled_rulesets_come_to_the_same_in_both_ways() {
    let mut found = Vec::new();
    for (ruleset, scenarios) in bundled() {
        for scenario in scenarios {
            let comparison = compare(&Bundled::read(&ruleset, &scenario), 1);
            found.extend(differences(&format!("{ruleset}/{scenario}"), &comparison));
        }
    }
    assert_none(&found);
}

#[test]
fn hooks_of_measured_rulesets_come_to_the_same_in_both_ways() {
    let mut found = Vec::new();
    for ruleset in ["brandubh", "breakthrough", "dice-race", "kalah"] {
        for seed in 0..3 {
            found.extend(differences(ruleset, &compare(&Bundled::measured(ruleset, "standard"), seed)));
        }
    }
    assert_none(&found);
}
