//! What a frame of the board costs the window: everything egui does for it, and cutting the shapes into triangles, without the
//! graphics card. Figures stand in docs/performance.md.
#![allow(missing_docs, reason = "criterion makes the entry points")]
#![allow(clippy::unwrap_used, reason = "a bench that cannot run has to stop")]

#[path = "support/frames.rs"]
mod frames;
#[path = "../tests/ui/support/stage.rs"]
mod stage;

use std::sync::Arc;

use boardwright::model::{CellId, Looks, PieceLook};
use criterion::{Criterion, criterion_group, criterion_main};
use egui::{Event, MouseWheelUnit, TouchPhase, pos2, vec2};
use frames::{Frames, SCREEN};
use stage::Stage;

const SIDE: u16 = 100;
const PIECES: u32 = 1000;

/// A window with nothing but a board in it.
struct Window {
    frames: Frames,
    stage: Stage,
}

impl Window {
    fn new() -> Self {
        let mut stage = Stage::of(&stage::hexes(SIDE, SIDE));
        let side = u32::from(SIDE);
        let mut looks = Looks::default();
        for index in 0..PIECES {
            let cell = CellId(((index * 97 + index / 7) % side * side + index * 61 % side) as u16);
            let piece = stage.put(cell, (index % 4) as u8, (index % 2) as u8);
            let look = PieceLook {
                badge: Some((index % 9 + 1).to_string().into()),
                facing: index.is_multiple_of(3).then_some((index * 60 % 360) as i32),
                ..PieceLook::default()
            };
            looks.pieces.insert(piece, look);
        }
        stage.looks = Arc::new(looks);
        stage.marks.targets = stage.state.board().cells().filter(|cell| cell.0 % 150 < 3).collect();
        let mut window = Self {
            frames: Frames::new(),
            stage,
        };
        for _ in 0..3 {
            window.frame(Vec::new());
        }
        window
    }

    /// One frame, up to the triangles.
    fn frame(&mut self, events: Vec<Event>) {
        let stage = &mut self.stage;
        self.frames.frame(events, |ui| drop(stage.ui(ui)));
    }

    fn zoom_in(&mut self, steps: usize) {
        let middle = (SCREEN / 2.0).to_pos2();
        self.stage.view.zoom(1.25_f32.powi(steps as i32));
        self.frame(vec![Event::PointerMoved(middle)]);
    }
}

fn frames(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("a frame of 100 x 100 hexes with 1000 pieces");
    for (zoom, name) in [(0, "all in sight"), (4, "a quarter in sight"), (9, "hexes of 60 points")] {
        let mut window = Window::new();
        window.zoom_in(zoom);
        group.bench_function(format!("{name}, at rest"), |bench| bench.iter(|| window.frame(Vec::new())));
        let mut way = 1.0;
        group.bench_function(format!("{name}, moving"), |bench| {
            bench.iter(|| {
                way = -way;
                let wheel = Event::MouseWheel {
                    unit: MouseWheelUnit::Point,
                    delta: vec2(way * 3.0, 0.0),
                    phase: TouchPhase::Move,
                    source: egui::MouseWheelSource::Wheel,
                    modifiers: egui::Modifiers::NONE,
                };
                window.frame(vec![Event::PointerMoved(pos2(800.0, 500.0)), wheel]);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, frames);
criterion_main!(benches);
