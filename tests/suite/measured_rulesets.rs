//! The games under `benches/`, written with move patterns or with hooks alone: their counts are those of independent programs.

use std::sync::Arc;

use crate::command_line::{root, run_in};
use crate::common::Bundled;
use boardwright::rules::{conformance, perft};

const MEASURED: [&str; 4] = ["brandubh", "breakthrough", "dice-race", "kalah"];

fn counts(ruleset: &str, scenario: &str, depth: u32) -> Vec<u64> {
    let (rules, start) = Bundled::measured(ruleset, scenario).begin(1);
    (1..=depth)
        .map(|depth| perft::perft(&*rules, Arc::clone(&start), depth).unwrap())
        .collect()
}

/// As published.
#[test]
fn breakthrough_has_the_known_counts() {
    assert_eq!(counts("breakthrough", "standard", 4), [22, 484, 11_132, 256_036]);
}

#[test]
fn brandubh_has_the_known_counts() {
    assert_eq!(counts("brandubh", "standard", 3), [40, 960, 39_512]);
}

/// In this position pieces are captured in most lines of play, beside the throne and against a corner, and the king in some: a program
/// for which the throne is not hostile counts 57,729, one with a king who does not capture 57,820.
#[test]
fn captures_are_counted_right() {
    assert_eq!(counts("brandubh", "skirmish", 3), [46, 1_288, 57_725]);
}

#[test]
fn kalah_has_the_known_counts() {
    assert_eq!(counts("kalah", "standard", 7), [6, 35, 185, 942, 4_690, 23_233, 114_430]);
}

/// With a first throw that is no six, each result of each later throw counted. A six gives another turn, so choices grow from there.
#[test]
fn a_race_with_dice_has_the_known_counts() {
    assert_eq!(counts("dice-race", "standard", 6), [1, 6, 36, 217, 1_313, 7_951]);
}

#[test]
fn random_matches_hold_to_everything() {
    for ruleset in MEASURED {
        let (rules, start) = Bundled::measured(ruleset, "standard").begin(1);
        for seed in 0..3 {
            if let Err(breach) = conformance::random_match(&*rules, &start, seed, 300) {
                panic!("{ruleset} with seed {seed}: {breach}");
            }
        }
    }
}

#[test]
fn their_own_tests_pass() {
    let measured = root().join("benches");
    for ruleset in MEASURED {
        run_in(&measured, &["check", ruleset], "").with(0).says("0 errors, 0 warnings");
        run_in(&measured, &["test", ruleset], "").with(0);
    }
}
