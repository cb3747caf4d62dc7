//! How many actions a second random play makes in each ruleset, to the end of its matches, in the path that searches use.
//!
//!     cargo bench --bench random_play [NAME...]
//!
//! A name is that of a ruleset, or `RULESET/SCENARIO`. Figures are per second of processor time of the one thread.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a bench that cannot run has to stop, and tells figures"
)]

#[path = "../tests/suite/common.rs"]
mod common;

use std::sync::Arc;

use boardwright::lab::CpuClock;
use boardwright::model::State;
use boardwright::rules::{Generator, Luck, PlayoutBuffers, Transaction, playout};
use common::Bundled;

/// Bundled rulesets, and those that are there to be measured.
const BUNDLED: [&str; 4] = ["sixteen-soldiers", "tic-tac-toe", "river-crossing", "conquest/two"];
const MEASURED: [&str; 5] = ["breakthrough", "dice-race", "kalah", "brandubh", "reversi"];
/// Matches are played for so long.
const SECONDS: f64 = 3.0;
/// No match is longer.
const MOST_ACTIONS: usize = 5_000;

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let is_chosen = |name: &&str| chosen.is_empty() || chosen.iter().any(|word| word == name);
    for name in BUNDLED.iter().copied().filter(is_chosen) {
        let (ruleset, scenario) = split(name);
        measure(name, &Bundled::read(ruleset, scenario));
    }
    for name in MEASURED.iter().copied().filter(is_chosen) {
        let (ruleset, scenario) = split(name);
        measure(name, &Bundled::measured(ruleset, scenario));
    }
}

fn split(name: &str) -> (&str, &str) {
    name.split_once('/').unwrap_or((name, "standard"))
}

fn measure(name: &str, game: &Bundled) {
    let (rules, start) = game.begin(1);
    let (mut generator, mut room) = (Generator::new(9), PlayoutBuffers::default());
    let (mut matches, mut actions) = (0, 0);
    let clock = CpuClock::start();
    while clock.elapsed().as_secs_f64() < SECONDS {
        let luck = Luck::Roll(Generator::new(matches));
        let mut transaction = Transaction::new(Arc::new(State::clone(&start)), luck);
        actions += playout(&*rules, &mut transaction, &mut generator, MOST_ACTIONS, &mut room).unwrap_or_else(|error| panic!("{error}"));
        matches += 1;
    }
    let spent = clock.elapsed().as_secs_f64();
    println!(
        "{name}: {:.0} actions a second, {matches} matches of {:.0} actions",
        actions as f64 / spent,
        actions as f64 / matches as f64
    );
}
