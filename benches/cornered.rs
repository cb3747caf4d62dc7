//! What placement pieces costs: listing all placements, random matches. Figures stand in docs/performance.md.
#![allow(missing_docs, reason = "criterion makes the entry points")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a bench that cannot run has to stop")]

#[path = "../tests/suite/common.rs"]
mod common;

use std::hint::black_box;
use std::sync::Arc;

use boardwright::model::{ActionId, State};
use boardwright::rules::{Generator, Luck, PlayoutBuffers, Rules, Transaction, flow, playout};
use common::Bundled;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const RULESET: &str = "cornered";

fn begun(scenario: &str) -> (Box<dyn Rules>, Arc<State>) {
    Bundled::read(RULESET, scenario).begin(1)
}

/// The state after so many random placements.
fn after(rules: &dyn Rules, start: &Arc<State>, placements: usize, seed: u64) -> Arc<State> {
    let mut transaction = Transaction::new(Arc::clone(start), Luck::Forbidden);
    playout(
        rules,
        &mut transaction,
        &mut Generator::new(seed),
        placements,
        &mut PlayoutBuffers::default(),
    )
    .unwrap_or_else(|error| panic!("{error}"));
    Arc::clone(transaction.state())
}

fn listing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("placements listed");
    for (scenario, placements) in [("standard", 24), ("duo", 12)] {
        let (rules, start) = begun(scenario);
        // Two positions in turn, so that the answer to the same question asked twice is not what is measured.
        let states = [3, 4].map(|seed| after(&*rules, &start, placements, seed));
        let counts = states.each_ref().map(|state| {
            let seat = state.acting().first().unwrap();
            flow::legal(&*rules, state, seat).unwrap_or_else(|error| panic!("{error}")).len()
        });
        let mut out = Vec::new();
        let mut turn = 0;
        group.throughput(Throughput::Elements((counts[0] + counts[1]) as u64 / 2));
        group.bench_function(format!("{scenario}, after {placements} placements, {counts:?} to list"), |bench| {
            bench.iter(|| {
                turn = 1 - turn;
                let state = &states[turn];
                out.clear();
                let pattern = rules.pattern(ActionId(0)).unwrap();
                pattern
                    .actions(state, state.acting().first().unwrap(), ActionId(0), &mut out)
                    .unwrap();
                black_box(out.len())
            });
        });
    }
    group.finish();
}

fn matches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("random matches");
    group.throughput(Throughput::Elements(1));
    for scenario in ["standard", "duo"] {
        let (rules, start) = begun(scenario);
        let mut generator = Generator::new(9);
        let mut room = PlayoutBuffers::default();
        let mut plies = |generator: &mut Generator| {
            let mut transaction = Transaction::new(Arc::new(State::clone(&start)), Luck::Forbidden);
            let plies = playout(&*rules, &mut transaction, generator, 200, &mut room).unwrap_or_else(|error| panic!("{error}"));
            assert!(transaction.state().outcome().is_some());
            plies
        };
        let total: usize = (0..200).map(|_| plies(&mut generator)).sum();
        group.bench_function(
            format!("{scenario}, {} placements a match (elements are matches)", total / 200),
            |bench| {
                bench.iter(|| plies(&mut generator));
            },
        );
    }
    group.finish();
}

criterion_group!(benches, listing, matches);
criterion_main!(benches);
