//! Areas out of a mask of 4,000 by 2,000 pixels with 60 areas, step by step.

#![allow(missing_docs, reason = "criterion makes the entry points")]
use std::hint::black_box;

use boardwright_import::areas::{AreaPlan, Borders, FindOptions, find_areas, pivot};
use boardwright_import::{Picture, Progress, encode_png};
use criterion::{Criterion, criterion_group, criterion_main};

const WIDTH: u32 = 4_000;
const HEIGHT: u32 = 2_000;
const AREAS: u32 = 60;

/// Areas with ragged borders around sixty points, in a sea.
fn mask() -> Picture {
    let seeds: Vec<(f64, f64)> = (0..AREAS)
        .map(|number| {
            let (column, row) = (f64::from(number % 10), f64::from(number / 10));
            let slip = f64::from(number * 7919 % 100) / 100.0;
            (250.0 + column * 380.0 + slip * 160.0, 170.0 + row * 320.0 + (1.0 - slip) * 140.0)
        })
        .collect();
    let wave = |x: f64, y: f64| {
        (x / 17.0).sin() * 9.0 + (y / 23.0).cos() * 11.0 + ((x + y) / 7.0).sin() * 4.0 + ((x - 2.0 * y) / 61.0).sin() * 20.0
    };
    let pixel = |place: u32| {
        let (x, y) = (f64::from(place % WIDTH), f64::from(place / WIDTH));
        let (x, y) = (x + wave(x, y), y + wave(y, x));
        let away = |(_, seed): &(usize, &(f64, f64))| ((seed.0 - x).hypot(seed.1 - y) * 1000.0) as u64;
        let nearest = seeds.iter().enumerate().min_by_key(away);
        match nearest {
            Some(found) if away(&found) < 240_000 => [(found.0 * 4 + 10) as u8, (found.0 * 37 % 256) as u8, 200, 255],
            _ => [0, 20, 60, 255],
        }
    };
    Picture::new(WIDTH, HEIGHT, (0..WIDTH * HEIGHT).map(pixel).collect()).unwrap_or_else(|| unreachable!("the size is right"))
}

fn import(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("import");
    group.sample_size(10);
    let picture = mask();
    let silent = Progress::silent;
    let options = FindOptions::default();
    let (Ok(found), Ok(png)) = (find_areas(&picture, &options, &mut silent()), encode_png(&picture)) else {
        return;
    };
    let Ok(borders) = Borders::trace(&found.mask, &mut silent()) else {
        return;
    };
    group.bench_function("decode", |bencher| {
        bencher.iter(|| Picture::decode(black_box(&png), "mask.png").map(|picture| picture.width()));
    });
    group.bench_function("find", |bencher| {
        bencher.iter(|| find_areas(&picture, &options, &mut silent()).map(|found| found.parts.len()));
    });
    group.bench_function("trace", |bencher| {
        bencher.iter(|| Borders::trace(&found.mask, &mut silent()).map(|borders| borders.point_count()));
    });
    for tolerance in [0.5, 1.0, 2.0, 8.0] {
        group.bench_function(format!("simplify {tolerance}"), |bencher| {
            bencher.iter(|| borders.outlines(black_box(tolerance)).len());
        });
    }
    let outlines = borders.outlines(1.0);
    group.bench_function("pivots", |bencher| {
        bencher.iter(|| outlines.iter().filter_map(|outline| pivot(outline, 1.0)).count());
    });
    group.bench_function("whole", |bencher| {
        bencher.iter(|| {
            let picture = Picture::decode(&png, "mask.png")?;
            let found = find_areas(&picture, &options, &mut silent())?;
            let borders = Borders::trace(&found.mask, &mut silent())?;
            let plan = AreaPlan::new("mask", "Mask", &found, &borders, 1.0, 4, &mut silent())?;
            Ok::<_, boardwright_import::ImportError>(plan.build().cells.len())
        });
    });
    group.finish();
}

criterion_group!(benches, import);
criterion_main!(benches);
