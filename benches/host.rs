//! What the host costs: effects, submits, projections, undo, random play, reload. Figures stand in docs/performance.md.
#![allow(missing_docs, reason = "criterion makes the entry points")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a bench that cannot run has to stop")]

#[path = "../tests/suite/common.rs"]
mod common;

use std::fs;
use std::hint::black_box;
use std::sync::Arc;

use boardwright::host::Match;
use boardwright::model::Policy;
use boardwright::model::{Effect, PieceId, Place, SeatId, State};
use boardwright::rules::{Generator, Luck, PlayoutBuffers, Rules, RulesSource, Transaction, flow, playout};
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Limits, ScriptSource};
use common::Bundled;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

const RULESET: &str = "sixteen-soldiers";

fn rules_text() -> String {
    fs::read_to_string(common::root().join("rulesets").join(RULESET).join("rules.rhai")).unwrap()
}

fn begun(bundled: &Bundled) -> Match {
    Match::begin(bundled.source.clone(), bundled.setup(), 1, Policy::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn effects(criterion: &mut Criterion) {
    let mut state = State::clone(begun(&Bundled::read(RULESET, "standard")).state());
    let piece = state.pieces().find(|piece| piece.owner == Some(SeatId(0))).unwrap();
    let (id, from): (PieceId, Place) = (piece.id, piece.place);
    let empty = state.board().all().difference(state.occupied()).first().unwrap();
    let effect = Effect::Move {
        piece: id,
        from,
        from_index: 0,
        to: Place::Cell(empty),
        to_index: 0,
    };
    let mut group = criterion.benchmark_group("effects");
    group.throughput(Throughput::Elements(2));
    group.bench_function("a move applied and taken back", |bench| {
        bench.iter(|| {
            state.apply(black_box(&effect)).unwrap();
            state.apply(black_box(&effect).inverse()).unwrap();
        });
    });
    group.finish();
}

fn submit(criterion: &mut Criterion) {
    let mut one = begun(&Bundled::read(RULESET, "standard"));
    let seat = one.state().acting().first().unwrap();
    let action = flow::legal(one.rules(), one.state(), seat)
        .unwrap_or_else(|error| panic!("{error}"))
        .remove(0);
    criterion.bench_function("submit, with the views of both seats", |bench| {
        bench.iter(|| {
            one.go_to(1).unwrap();
            one.leave_later();
            one.submit(black_box(&action), 1).unwrap();
            for seat in [SeatId(0), SeatId(1)] {
                black_box(one.view(Some(seat)).unwrap());
            }
        });
    });
    criterion.bench_function("projection of the state for a seat", |bench| {
        bench.iter(|| black_box(one.view(Some(SeatId(0))).unwrap()));
    });
}

fn undo(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("undo and redo");
    for length in [10, 10_000] {
        let mut one = long(length);
        group.bench_function(format!("at journal length {length}"), |bench| {
            bench.iter(|| {
                one.undo(None).unwrap();
                one.redo().unwrap();
            });
        });
    }
    group.finish();
}

/// A match of so many events under rules that never end it: no captures, no draws.
fn long(length: usize) -> Match {
    let text = rules_text().replace("times: 3", "times: 1000000");
    let text = text.replace("integer: 60, min: 1, max: 500", "integer: 90000, min: 1, max: 90000");
    let text = text.replace("[plain_step(), capture(options.must_capture)]", "[plain_step()]");
    let bundled = Bundled::with(RULESET, "standard", Sources::of(Layer::new(RULESET).with("rules.rhai", text)));
    let mut one = begun(&bundled);
    let mut generator = Generator::new(5);
    while one.journal().position() < length {
        let Some(seat) = one.state().acting().first() else {
            panic!("the match ended after {} events", one.journal().position())
        };
        let legal = flow::legal(one.rules(), one.state(), seat).unwrap_or_else(|error| panic!("{error}"));
        let Some(action) = legal.get(generator.below(legal.len() as u32) as usize) else {
            panic!("no action")
        };
        one.submit(action, one.journal().position())
            .unwrap_or_else(|error| panic!("{error}"));
    }
    one
}

fn random_play(criterion: &mut Criterion) {
    let bundled = Bundled::read(RULESET, "standard");
    let (rules, start) = bundled.begin(1);
    let mut generator = Generator::new(9);
    let mut room = PlayoutBuffers::default();
    let plies = |rules: &dyn Rules, generator: &mut Generator, room: &mut PlayoutBuffers| {
        let mut transaction = Transaction::new(Arc::new(State::clone(&start)), Luck::Forbidden);
        playout(rules, &mut transaction, generator, 5_000, room).unwrap_or_else(|error| panic!("{error}"))
    };
    let matches = 2_000;
    let total: usize = (0..matches).map(|_| plies(&*rules, &mut generator, &mut room)).sum();
    let mut group = criterion.benchmark_group("random play of sixteen-soldiers");
    group.throughput(Throughput::Elements((total / matches) as u64));
    group.bench_function("one match (elements are actions)", |bench| {
        bench.iter(|| plies(&*rules, &mut generator, &mut room));
    });
    group.finish();
}

fn reload(criterion: &mut Criterion) {
    let mut long = rules_text();
    let mut number = 0;
    while long.lines().count() < 2_000 {
        number += 1;
        long.push_str("\n/// 9 A helper.\n");
        long.push_str(&format!(
            "fn helper_{number}(view) {{\n    let own = view.seat.cells;\n    own.count\n}}\n"
        ));
    }
    let sources = Arc::new(Sources::of(Layer::new(RULESET).with("rules.rhai", long)));
    let one = begun(&Bundled::read(RULESET, "standard"));
    let compiled = || -> Arc<dyn RulesSource> {
        let source = ScriptSource::new(Arc::clone(&sources), Limits::default());
        Arc::new(source.unwrap_or_else(|problems| panic!("{}", problems.render())))
    };
    criterion.bench_function("reload of a ruleset of 2,000 lines: compile, try out, swap", |bench| {
        bench.iter_batched(
            || one.branch(),
            |mut branch| {
                branch.reload(compiled(), Vec::new()).unwrap_or_else(|error| panic!("{error}"));
                branch
            },
            BatchSize::PerIteration,
        );
    });
}

criterion_group!(benches, effects, submit, undo, random_play, reload);
criterion_main!(benches);
