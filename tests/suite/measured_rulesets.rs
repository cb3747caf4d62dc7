//! The games under `benches/`, written with move patterns or with hooks alone: their counts are those of independent programs.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::command_line::{root, run_in};
use crate::common::Bundled;
use boardwright::model::{ActionId, Path, Pick};
use boardwright::rules::{Generator, Luck, PatternMove, PlayoutBuffers, Transaction, conformance, draw_action, flow, perft};

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

/// Random matches of a ruleset, in which playouts have to draw from what its patterns list, in that order.
fn draws_from_the_list(game: &Bundled, matches: u64) -> usize {
    let (mut drawn, mut room) = (0, PlayoutBuffers::default());
    for seed in 0..matches {
        let (rules, start) = game.begin(seed);
        let mut transaction = Transaction::new(start, Luck::Roll(Generator::new(seed)));
        let mut generator = Generator::new(seed);
        for _ in 0..300 {
            let state = Arc::clone(transaction.state());
            let Some(seat) = state.acting().first() else { break };
            let mut twin = generator.clone();
            let action = draw_action(&*rules, &state, &mut generator, &mut room).unwrap();
            let offered: Vec<ActionId> = flow::offered(&state, seat).collect();
            if let [only] = offered[..]
                && let Some(pattern) = rules.pattern(only)
            {
                let mut listed = Vec::new();
                pattern.list(&state, seat, &mut |found| {
                    if let PatternMove::Path(piece, path) = found {
                        listed.push((piece, path.to_vec()));
                    }
                    ControlFlow::Continue(())
                });
                let (piece, path) = &listed[twin.below(listed.len() as u32) as usize];
                let picks = [Pick::Piece(*piece), Pick::Path(Path::from_slice(path))];
                assert_eq!(action.as_ref().unwrap().picks.as_slice(), picks);
                assert_eq!(twin.position(), generator.position());
                drawn += 1;
            }
            let Some(action) = action else { break };
            flow::perform(&*rules, &mut transaction, &action).unwrap();
        }
    }
    drawn
}

#[test]
fn playouts_draw_from_all_that_patterns_list() {
    for game in [
        Bundled::read("sixteen-soldiers", "standard"),
        Bundled::read("sixteen-captains", "standard"),
        Bundled::measured("breakthrough", "standard"),
        Bundled::measured("brandubh", "standard"),
    ] {
        assert!(draws_from_the_list(&game, 10) > 300);
    }
}
