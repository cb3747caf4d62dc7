//! Every bundled ruleset holds to what any ruleset must, and has its known counts.

use std::sync::Arc;

use crate::common::{Bundled, bundled};
use boardwright::model::{Effect, Place};
use boardwright::rules::{Luck, Transaction, conformance, flow, perft};

#[test]
fn sixteen_soldiers_has_the_known_counts() {
    let bundled = Bundled::read("sixteen-soldiers", "standard");
    let (rules, start) = bundled.begin(1);
    let counts: Vec<u64> = (1..=4)
        .map(|depth| perft::perft(&*rules, Arc::clone(&start), depth).unwrap())
        .collect();
    assert_eq!(counts, [9, 69, 783, 9_063]);
}

#[test]
fn random_matches_hold_to_everything() {
    for (ruleset, matches, most) in [
        ("tic-tac-toe", 50, 20),
        ("sixteen-soldiers", 10, 2_000),
        ("sixteen-captains", 5, 3_000),
        ("river-crossing", 2, 2_000),
    ] {
        hold_to_everything(ruleset, "standard", matches, most);
    }
}

/// Each scenario is a variant of the rules.
#[test]
fn random_matches_of_every_variant_hold_to_everything() {
    for scenario in ["standard", "two", "obstacles", "double", "three", "teams", "duo"] {
        hold_to_everything("cornered", scenario, 1, 90);
    }
}

fn hold_to_everything(ruleset: &str, scenario: &str, matches: u64, most: usize) {
    let bundled = Bundled::read(ruleset, scenario);
    let (rules, start) = bundled.begin(1);
    for seed in 0..matches {
        match conformance::random_match(&*rules, &start, seed, most) {
            Ok(playout) => assert!(
                playout.is_over,
                "{ruleset}/{scenario} with seed {seed} did not end in {most} actions"
            ),
            Err(breach) => panic!("{ruleset}/{scenario} with seed {seed}: {breach}"),
        }
    }
}

/// Random matches of this size are too long to be played to their end here; every option is in one of them.
#[test]
fn random_beginnings_of_wars_hold_to_everything() {
    let all = ["random_areas", "missions", "capitals", "area_cards"];
    for (scenario, options, seed) in [
        ("standard", &all[..1], 1),
        ("two", &all[..], 2),
        ("four", &["random_areas", "free_order"][..], 3),
        ("six", &all[1..], 4),
    ] {
        let mut bundled = Bundled::read("conquest", scenario);
        let set = options.iter().map(|option| ((*option).to_owned(), "yes".to_owned()));
        bundled.scenario.setup.options.extend(set);
        let (rules, start) = bundled.begin(seed);
        if let Err(breach) = conformance::random_match(&*rules, &start, seed, 150) {
            panic!("{scenario} with seed {seed}: {breach}");
        }
    }
}

#[test]
fn a_capture_begins_the_count_of_positions_afresh() {
    let bundled = Bundled::read("sixteen-soldiers", "standard");
    let (rules, start) = bundled.begin(1);
    let playout = conformance::random_match(&*rules, &start, 3, 400).unwrap();
    let mut transaction = Transaction::new(start, Luck::Forbidden);
    let (mut captures, mut fresh, mut longest, mut run) = (0, 0, 0, 0);
    for action in &playout.actions {
        let mark = transaction.mark();
        flow::perform(&*rules, &mut transaction, action).unwrap();
        let effects = transaction.effects_since(mark);
        let captured = effects.iter().any(|effect| matches!(effect, Effect::Move { to: Place::Off, .. }));
        let begins = effects.iter().any(|effect| matches!(effect, Effect::Turn { fresh: true, .. }));
        run = if captured { 0 } else { run + 1 };
        longest = longest.max(run);
        captures += u32::from(captured);
        fresh += u32::from(begins);
    }
    assert_eq!(captures, fresh);
    assert!(captures > 5 && longest <= 60, "{captures} captures, {longest} moves without one");
}

#[test]
fn every_bundled_ruleset_lints_clean() {
    for (ruleset, scenarios) in bundled() {
        let bundled = Bundled::read(&ruleset, &scenarios[0]);
        assert!(bundled.source.findings().is_empty(), "{}", bundled.source.findings().render());
    }
}
