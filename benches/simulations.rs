//! How many simulations Monte Carlo players run, on a ruleset of scripts, and what a second thread brings.
//!
//!     cargo bench --bench simulations [one] [two] [stop]
//!
//! Simulations are given per second of processor time: of one thread, then of all threads of the process together, so that a busy machine does
//! not show in it.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a bench that cannot run has to stop, and tells figures"
)]

#[path = "../tests/suite/common.rs"]
mod common;

use std::fs;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use boardwright::lab::CpuClock;
use boardwright::model::State;
use boardwright::players::{Budget, Decision, Level, MonteCarlo, MonteCarloSettings, Player};
use boardwright::rules::{Rules, RulesSource};
use common::Bundled;

const RULESET: &str = "sixteen-soldiers";
const THINKING: Duration = Duration::from_secs(5);
const PLAYED: u32 = 50;
/// As many as the ruleset declares.
const PLAYED_OF_DUO: u32 = 4;

/// Measures something on a ruleset from the beginning of a match.
type Measure = fn(&Bundled, &dyn Rules, &Arc<State>);

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let bundled = Bundled::read(RULESET, "standard");
    let (rules, state) = bundled.begin(1);
    let all: [(&str, Measure); 3] = [("one", one), ("two", two), ("stop", stop)];
    for (name, measure) in all {
        if chosen.is_empty() || chosen.iter().any(|word| word == name) {
            measure(&bundled, &*rules, &state);
        }
    }
}

fn player(seed: u64, played: u32) -> MonteCarlo {
    let settings = MonteCarloSettings {
        playout_actions: Some(played),
        ..MonteCarloSettings::default()
    };
    MonteCarlo::with_settings(Level::HIGHEST, settings, seed)
}

/// Thinks for some time; gives the number of simulations.
fn think(player: &mut MonteCarlo, rules: &dyn Rules, state: &Arc<State>) -> f64 {
    let seat = state.acting().first().unwrap();
    player
        .choose(
            Decision {
                rules,
                state,
                seat,
                budget: &Budget::time(THINKING),
            },
            &mut |_| {},
        )
        .unwrap_or_else(|error| panic!("{error}"));
    f64::from(player.tree_visits())
}

/// The time the whole process has worked, all threads together, to a hundredth of a second.
fn process_seconds() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = text.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |index: usize| fields.get(index)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

fn one(_: &Bundled, rules: &dyn Rules, state: &Arc<State>) {
    let mut one = player(1, PLAYED);
    let clock = CpuClock::start();
    let simulations = think(&mut one, rules, state);
    println!(
        "one thread, playouts of {PLAYED} actions: {:.0} simulations a second, tree of {:.1} MB",
        simulations / clock.elapsed().as_secs_f64(),
        one.tree_bytes() as f64 / f64::from(1 << 20)
    );
}

fn two(bundled: &Bundled, rules: &dyn Rules, state: &Arc<State>) {
    compare_threads(RULESET, PLAYED, bundled, (rules, state));
    let duo = Bundled::read("cornered", "duo");
    let (rules, state) = duo.begin(1);
    compare_threads("cornered/duo", PLAYED_OF_DUO, &duo, (&*rules, &state));
}

fn compare_threads(name: &str, played: u32, bundled: &Bundled, (rules, state): (&dyn Rules, &Arc<State>)) {
    let source: Arc<dyn RulesSource> = bundled.source.clone();
    // In turn, so that what changes on the machine meanwhile shows in both.
    let mut rates = [Vec::new(), Vec::new()];
    for round in 0..3 {
        for (index, rates) in rates.iter_mut().enumerate() {
            let mut player = player(round, played).on_threads(index + 1, &source);
            let (Some(before), wall) = (process_seconds(), Instant::now()) else {
                println!("two threads: the system does not tell the time of the process");
                return;
            };
            let simulations = think(&mut player, rules, state);
            let worked = process_seconds().unwrap_or(before) - before;
            rates.push((simulations / worked, simulations / wall.elapsed().as_secs_f64()));
        }
    }
    let median = |rates: &[(f64, f64)], of: fn(&(f64, f64)) -> f64| {
        let mut rates: Vec<f64> = rates.iter().map(of).collect();
        rates.sort_by(f64::total_cmp);
        rates.get(rates.len() / 2).copied().unwrap_or(0.0)
    };
    let [single, double] = &rates;
    let (by_work, by_wall) = (|rate: &(f64, f64)| rate.0, |rate: &(f64, f64)| rate.1);
    println!(
        "{name}, two threads: {:.2} times one, if each has a core ({:.0} and {:.0} simulations a second of work); {:.2} times by the clock on the wall",
        2.0 * median(double, by_work) / median(single, by_work),
        median(single, by_work),
        median(double, by_work),
        median(double, by_wall) / median(single, by_wall)
    );
}

/// From the interrupt to the answer.
fn stop(bundled: &Bundled, rules: &dyn Rules, state: &Arc<State>) {
    let source: Arc<dyn RulesSource> = bundled.source.clone();
    let waits = (0..11).map(|seed| {
        let mut player = player(seed, PLAYED).on_threads(2, &source);
        let budget = Budget::time(Duration::from_mins(1));
        let handle = budget.interrupt.clone();
        let stopper = thread::spawn(move || {
            thread::sleep(Duration::from_millis(400));
            handle.stop();
            Instant::now()
        });
        let seat = state.acting().first().unwrap();
        player
            .choose(
                Decision {
                    rules,
                    state,
                    seat,
                    budget: &budget,
                },
                &mut |_| {},
            )
            .unwrap_or_else(|error| panic!("{error}"));
        stopper.join().unwrap().elapsed()
    });
    let mut waits: Vec<Duration> = waits.collect();
    waits.sort();
    println!(
        "from the interrupt to the answer, two threads: median {:.2} ms, longest of {} {:.2} ms",
        waits[waits.len() / 2].as_secs_f64() * 1_000.0,
        waits.len(),
        waits[waits.len() - 1].as_secs_f64() * 1_000.0
    );
}
