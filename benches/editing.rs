//! What the editor costs without its window: a large map opened, painted on, undone and saved.
#![allow(missing_docs, reason = "criterion makes the entry points")]
#![allow(clippy::unwrap_used, reason = "a bench that cannot run has to stop")]

#[path = "support/large_map.rs"]
mod large_map;

use std::fs;
use std::hint::black_box;
use std::path::PathBuf;

use boardwright::editing::{Document, Draft, Edit, Lattice, Step, StepKind, paint, setup};
use boardwright::model::{CellId, Map, Scenario, SetupPiece, SetupPlace, Topology};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use large_map::large_map;

const PIECES: usize = 2_000;
/// How many strokes a long log has.
const LOGGED: usize = 100_000;

/// A folder with a map of 200 by 200 hexes, each with a terrain and every fourth raised, and a scenario with 2,000 pieces.
struct Files {
    _folder: tempfile::TempDir,
    map: PathBuf,
    scenario: PathBuf,
}

impl Files {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let map = large_map();
        let mut scenario = Scenario {
            id: "large".to_owned(),
            title: "Large".to_owned(),
            ruleset: "r".to_owned(),
            map: "large".to_owned(),
            ..Scenario::default()
        };
        scenario.setup.pieces = (0..PIECES)
            .map(|index| SetupPiece {
                kind: ["foot", "horse", "guard"][index % 3].to_owned(),
                owner: Some(["red", "blue"][index % 2].to_owned()),
                place: SetupPlace::Cell(Topology::default_name((index % 200) as i32, (index / 10) as i32).unwrap()),
                ..SetupPiece::default()
            })
            .collect();
        let paths = ["large.map.xml", "large.scenario.xml"].map(|name| folder.path().join(name));
        fs::write(&paths[0], Draft::Map(map).print()).unwrap();
        fs::write(&paths[1], Draft::Scenario(scenario).print()).unwrap();
        let [map, scenario] = paths;
        Self {
            _folder: folder,
            map,
            scenario,
        }
    }
}

/// A stroke of a brush over 20 cells, in the middle of the map.
fn stroke(map: &Map, lattice: &Lattice, terrain: &str) -> Step {
    let cells = paint::line(lattice, CellId(20_090), CellId(20_110), 3);
    Step::new(StepKind::Paint, paint::terrain(map, lattice, &cells, Some(terrain)))
}

/// A file beside which a log of many strokes lies.
fn long_log(criterion: &mut Criterion, files: &Files) {
    let mut document = Document::open(&files.map).unwrap().document;
    let lattice = Lattice::of(document.draft().map().unwrap()).unwrap();
    for turn in 0..LOGGED {
        let cell = CellId((turn % 39_000) as u16);
        let cells = paint::brush(&lattice, cell, 2);
        let terrain = ["sand", "snow", "clear"][turn % 3];
        let edits = paint::terrain(document.draft().map().unwrap(), &lattice, &cells, Some(terrain));
        document.apply(Step::new(StepKind::Paint, edits));
    }
    drop(document);
    criterion.bench_function("open a map of 200 by 200 with 100,000 strokes that are not saved", |bencher| {
        bencher.iter(|| Document::open(black_box(&files.map)).unwrap());
    });
    let mut document = Document::open(&files.map).unwrap().document;
    document.save().unwrap();
    drop(document);
    criterion.bench_function("open a map of 200 by 200 with 100,000 strokes in its history", |bencher| {
        bencher.iter(|| Document::open(black_box(&files.map)).unwrap());
    });
    let mut document = Document::open(&files.map).unwrap().document;
    for depth in [LOGGED, LOGGED / 2] {
        document.go_to(depth);
        criterion.bench_function(&format!("undo and redo of a stroke behind {depth} others"), |bencher| {
            bencher.iter(|| {
                document.undo();
                document.redo();
            });
        });
    }
    document.discard();
}

fn editing(criterion: &mut Criterion) {
    let files = Files::new();
    criterion.bench_function("open a map of 200 by 200", |bencher| {
        bencher.iter(|| Document::open(black_box(&files.map)).unwrap());
    });
    criterion.bench_function("open a scenario with 2,000 pieces", |bencher| {
        bencher.iter(|| Document::open(black_box(&files.scenario)).unwrap());
    });

    let mut document = Document::open(&files.map).unwrap().document;
    let lattice = Lattice::of(document.draft().map().unwrap()).unwrap();
    let mut turn = 0;
    criterion.bench_function("a stroke on 200 by 200", |bencher| {
        bencher.iter(|| {
            turn += 1;
            let step = stroke(document.draft().map().unwrap(), &lattice, ["sand", "snow"][turn % 2]);
            document.apply(step);
        });
    });
    criterion.bench_function("undo and redo of a stroke", |bencher| {
        bencher.iter(|| {
            document.undo();
            document.redo();
        });
    });
    let all = paint::rectangle(&lattice, CellId(0), CellId(39_999), true);
    let edits = paint::elevation(document.draft().map().unwrap(), &lattice, &all, paint::Height::By(1));
    document.apply(Step::new(StepKind::Elevation, edits));
    criterion.bench_function("undo and redo of a change of every cell", |bencher| {
        bencher.iter(|| {
            document.undo();
            document.redo();
        });
    });
    document.undo();
    criterion.bench_function("save a map of 200 by 200", |bencher| {
        bencher.iter_batched(
            || (),
            |()| {
                turn += 1;
                let step = stroke(document.draft().map().unwrap(), &lattice, ["sand", "snow"][turn % 2]);
                document.apply(step);
                document.save().unwrap();
            },
            BatchSize::PerIteration,
        );
    });
    document.discard();

    long_log(criterion, &files);

    let mut document = Document::open(&files.scenario).unwrap().document;
    criterion.bench_function("move a piece of 2,000 and save", |bencher| {
        bencher.iter(|| {
            turn += 1;
            let edits: Vec<Edit> = setup::move_pieces(document.draft().scenario().unwrap(), &[700].into(), ["a1", "b1"][turn % 2]);
            document.apply(Step::new(StepKind::Move, edits));
            document.save().unwrap();
        });
    });
    document.discard();
}

criterion_group!(benches, editing);
criterion_main!(benches);
