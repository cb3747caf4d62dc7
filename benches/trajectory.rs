//! What vectors, phases and tables in scripts cost: an action of a segment through the whole host, and the decisions of the computer's pilot.
//! Figures stand in docs/performance.md.
//!
//!     cargo bench --bench trajectory [tour] [nova] [crossed] [NUMBER [SEED]]
//!
//! With a number so many matches are played, each from a seed of its own, from 0 or the given one on, and it is told how each ended. A whole match is
//! measured in processor time. A decision or an action can be shorter than a tick of that clock, so these are measured by the clock on the wall.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a bench that cannot run has to stop, and tells figures"
)]

#[path = "../tests/suite/common.rs"]
mod common;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use boardwright::content::read_settings;
use boardwright::host::Match;
use boardwright::lab::CpuClock;
use boardwright::model::{Policy, SeatId};
use boardwright::players::{Budget, Decision, Player, PlayerSpec};
use boardwright::rules::Generator;
use boardwright::script::{Limits, ScriptSource};
use common::Bundled;

const RULESET: &str = "trajectory";

/// Measures something, in matches with these seeds.
type Measure = fn(Range<u64>);

fn main() {
    let words = std::env::args().skip(1).filter(|word| !word.starts_with('-'));
    let (numbers, chosen): (Vec<String>, Vec<String>) = words.partition(|word| word.parse::<u64>().is_ok());
    let number = |place: usize, otherwise| numbers.get(place).map_or(otherwise, |number| number.parse().unwrap());
    let seeds = number(1, 0)..number(1, 0) + number(0, 2);
    let all: [(&str, Measure); 3] = [
        ("tour", |seeds| measure("standard", seeds)),
        ("nova", |seeds| measure("nova", seeds)),
        ("crossed", |_| crossed()),
    ];
    for (name, run) in all {
        if chosen.is_empty() || chosen.iter().any(|word| word == name) {
            run(seeds.clone());
        }
    }
}

/// Times, and how they are told.
#[derive(Default)]
struct Times(Vec<Duration>);

impl Times {
    fn told(&mut self) -> String {
        self.0.sort_unstable();
        let part = |of: usize| self.0.get(self.0.len() * of / 100).copied().unwrap_or_default().as_secs_f64() * 1e3;
        format!("{} times, median {:.3} ms, 95 % under {:.3} ms", self.0.len(), part(50), part(95))
    }
}

/// Plays matches of the strategy `pilot` to their ends. An action counts from its arrival at the host until every seat has its view: what may be picked is
/// checked, effects, triggers, digest, journal.
fn measure(scenario: &str, seeds: Range<u64>) {
    let matches = seeds.end - seeds.start;
    let bundled = Bundled::read(RULESET, scenario);
    let settings = read_settings(bundled.source.sources()).unwrap_or_else(|problems| panic!("{}", problems.render()));
    let source = ScriptSource::new(Arc::clone(bundled.source.sources()), Limits::default());
    let source = Arc::new(
        source
            .unwrap_or_else(|problems| panic!("{}", problems.render()))
            .with_settings(settings),
    );
    let spec: PlayerSpec = "pilot".parse().unwrap();
    let mut decisions: BTreeMap<String, Times> = BTreeMap::new();
    let mut actions: BTreeMap<String, Times> = BTreeMap::new();
    let whole = CpuClock::start();
    for seed in seeds {
        let mut one = Match::begin(source.clone(), bundled.setup(), seed, Policy::default()).unwrap_or_else(|error| panic!("{error}"));
        let seats: Vec<SeatId> = (0..one.state().declarations().seats.len()).map(|seat| SeatId(seat as u8)).collect();
        let mut players: Vec<Box<dyn Player>> = seats.iter().map(|_| spec.build(seed).unwrap()).collect();
        while let Some(seat) = one.state().acting().first() {
            let view = one.view(Some(seat)).unwrap();
            let begun = Instant::now();
            let decision = Decision {
                rules: one.rules(),
                state: &view,
                seat,
                budget: &Budget::unlimited(),
            };
            let player = &mut players[usize::from(seat.0)];
            let action = player
                .choose(decision, &mut |_| {})
                .unwrap_or_else(|error| panic!("{error}"))
                .action;
            let decided = begun.elapsed();
            let name = one.state().declarations().action(action.action).unwrap().name.to_string();
            let position = one.journal().position();
            let begun = Instant::now();
            one.submit(&action, position).unwrap_or_else(|error| panic!("{error}"));
            for seat in &seats {
                black_box(one.view(Some(*seat)).unwrap());
            }
            actions.entry(name.clone()).or_default().0.push(begun.elapsed());
            decisions.entry(name).or_default().0.push(decided);
        }
        let outcome = one.state().outcome().unwrap();
        println!(
            "{scenario}, seed {seed}: {} rounds, {} actions, {} seats out, places {:?}, rule {}: {}",
            one.state().sequence().mark.round,
            one.journal().position(),
            one.state().eliminated().count(),
            outcome.places,
            outcome.rule,
            outcome.reason
        );
    }
    let share = whole.elapsed().as_secs_f64() / matches as f64;
    println!("{scenario}: a match of computers takes {share:.1} s of processor time");
    for (what, times) in [("decision", decisions), ("action", actions)] {
        for (name, mut times) in times {
            println!("{scenario}, {what} `{name}`: {}", times.told());
        }
    }
}

/// The exact cells on a segment, on the map of the inner system, between cells drawn at random.
fn crossed() {
    const PAIRS: usize = 200_000;
    let bundled = Bundled::read(RULESET, "standard");
    let board = &bundled.board;
    let mut generator = Generator::new(1);
    let cells: Vec<_> = board.all().iter().collect();
    let mut any = || cells[generator.below(cells.len() as u32) as usize];
    let pairs: Vec<_> = (0..PAIRS).map(|_| [any(), any()]).collect();
    let clock = CpuClock::start();
    let mut crossed = 0;
    for [from, to] in &pairs {
        crossed += board.crossed(*from, *to).unwrap().len();
    }
    let nanoseconds = clock.elapsed().as_nanos() as f64 / PAIRS as f64;
    println!("crossed cells: {nanoseconds:.0} ns a segment of {} cells", crossed / PAIRS);
}
