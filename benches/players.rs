//! How fast computer players think, on the deterministic fixture.
//!
//!     cargo bench --bench players
//!
//! Prints first how deep the search comes in one second and how many actions it tries.

#![allow(
    missing_docs,
    clippy::panic,
    clippy::print_stdout,
    clippy::items_after_statements,
    reason = "a bench that cannot run has to stop, and tells depths"
)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use boardwright::model::{SeatId, State};
use boardwright::players::{AlphaBeta, Budget, Choice, Decision, Greedy, Level, Player, Random, SearchSettings};
use boardwright::rules::Rules;
use boardwright_fixtures::Skirmish;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const SEAT: SeatId = SeatId(0);

fn fixture(width: u16, height: u16) -> (Skirmish, Arc<State>) {
    let rules = Skirmish::new(width, height, false).unwrap_or_else(|fault| panic!("{fault}"));
    let state = rules.full().unwrap_or_else(|rejection| panic!("{rejection}"));
    (rules, state)
}

fn choose(player: &mut dyn Player, rules: &dyn Rules, state: &Arc<State>, budget: &Budget) -> Choice {
    player
        .choose(
            Decision {
                rules,
                state,
                seat: SEAT,
                budget,
            },
            &mut |_| {},
        )
        .unwrap_or_else(|error| panic!("{error}"))
}

fn one_second(rules: &dyn Rules, state: &Arc<State>, size: &str) {
    for is_selective in [false, true] {
        let settings = SearchSettings {
            is_selective,
            ..SearchSettings::default()
        };
        let mut player = AlphaBeta::with_settings(Level::HIGHEST, settings, 1);
        let choice = choose(&mut player, rules, state, &Budget::time(Duration::from_secs(1)));
        let per_second = choice.nodes as f64 / choice.elapsed.as_secs_f64();
        let way = if is_selective { "selective" } else { "plain" };
        println!(
            "{size}, one second, {way}: depth {}, {per_second:.0} actions a second",
            choice.depth
        );
    }
}

fn players(criterion: &mut Criterion) {
    let (rules, state) = fixture(5, 5);
    one_second(&rules, &state, "5 by 5");
    let (large_rules, large) = fixture(8, 8);
    one_second(&large_rules, &large, "8 by 8");

    const NODES: u64 = 20_000;
    let mut group = criterion.benchmark_group("alpha-beta");
    group.throughput(Throughput::Elements(NODES)).sample_size(20);
    for (name, rules, state) in [("5 by 5", &rules, &state), ("8 by 8", &large_rules, &large)] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let mut player = AlphaBeta::new(Level::HIGHEST, 1);
                black_box(choose(&mut player, rules, state, &Budget::nodes(NODES)))
            });
        });
    }
    group.finish();

    let mut group = criterion.benchmark_group("one choice");
    group.bench_function("random", |bencher| {
        let mut player = Random::new(1);
        bencher.iter(|| black_box(choose(&mut player, &rules, &state, &Budget::unlimited())));
    });
    group.bench_function("greedy", |bencher| {
        let mut player = Greedy::new(1);
        bencher.iter(|| black_box(choose(&mut player, &rules, &state, &Budget::unlimited())));
    });
    group.finish();
}

criterion_group!(benches, players);
criterion_main!(benches);
