//! The games under `benches/`, written with move patterns or with hooks alone: their counts are those of independent programs.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::command_line::{root, run_in};
use crate::common::Bundled;
use boardwright::model::Action;
use boardwright::rules::{Generator, Luck, PlayoutBuffers, Transaction, conformance, draw_action, flow, perft, playout_weights};

const MEASURED: [&str; 5] = ["brandubh", "breakthrough", "dice-race", "kalah", "reversi"];

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

/// As published.
#[test]
fn reversi_has_the_known_counts() {
    assert_eq!(counts("reversi", "standard", 6), [4, 12, 56, 244, 1_396, 8_200]);
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

/// Positions of a random match in which what playouts draw was counted. Each legal action has to come as often as its weight says: over all
/// positions of the match, by the chi-squared test.
fn positions_drawn_from(game: &Bundled, seed: u64) -> usize {
    let (rules, start) = game.begin(seed);
    let mut transaction = Transaction::new(start, Luck::Roll(Generator::new(seed)));
    let (mut generator, mut room) = (Generator::new(seed), PlayoutBuffers::default());
    let (mut positions, mut freedom, mut chi_squared) = (0, 0_f64, 0_f64);
    for played in 0..300 {
        let state = Arc::clone(transaction.state());
        let Some(seat) = state.acting().first() else { break };
        let mut actions = Vec::new();
        flow::list(&*rules, &state, seat, &mut actions).unwrap();
        let mut weights = Vec::new();
        playout_weights(&*rules, &state, &actions, &mut weights).unwrap();
        let mut expected: BTreeMap<&Action, f64> = BTreeMap::new();
        for (action, weight) in actions.iter().zip(weights) {
            *expected.entry(action).or_default() += f64::from(weight);
        }
        if played % 9 == 0 && expected.len() > 1 {
            let draws = 20 * expected.len();
            let mut drawn: BTreeMap<Action, f64> = BTreeMap::new();
            for _ in 0..draws {
                let action = draw_action(&*rules, &state, &mut generator, &mut room).unwrap().unwrap();
                *drawn.entry(action).or_default() += 1.0;
            }
            assert!(drawn.keys().all(|action| expected.contains_key(action)));
            let sum: f64 = expected.values().sum();
            for (action, weight) in &expected {
                let expected = draws as f64 * weight / sum;
                chi_squared += (drawn.get(*action).unwrap_or(&0.0) - expected).powi(2) / expected;
            }
            freedom += (expected.len() - 1) as f64;
            positions += 1;
        }
        let next = draw_action(&*rules, &state, &mut generator, &mut room).unwrap().unwrap();
        flow::perform(&*rules, &mut transaction, &next).unwrap();
    }
    // Four standard deviations of the distribution.
    assert!(chi_squared < freedom + 4.0 * (2.0 * freedom).sqrt(), "{chi_squared} of {freedom}");
    positions
}

#[test]
fn playouts_draw_each_action_as_often_as_its_weight_says() {
    for game in [
        Bundled::read("sixteen-soldiers", "standard"),
        Bundled::read("sixteen-captains", "standard"),
        Bundled::read("cornered", "duo"),
        Bundled::measured("breakthrough", "standard"),
        Bundled::measured("brandubh", "standard"),
        Bundled::measured("reversi", "standard"),
        Bundled::measured("kalah", "standard"),
    ] {
        let positions: usize = (0..3).map(|seed| positions_drawn_from(&game, seed)).sum();
        assert!(positions >= 8, "{positions}");
    }
}
