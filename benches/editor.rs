//! What a frame of the editor costs on a large map: everything egui does for it, and cutting the shapes into triangles, without the graphics
//! card. Figures stand in docs/performance.md.
#![allow(missing_docs, reason = "criterion makes the entry points")]
#![allow(clippy::unwrap_used, reason = "a bench that cannot run has to stop")]

#[path = "support/frames.rs"]
mod frames;
#[path = "support/large_map.rs"]
mod large_map;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use boardwright::editing::Draft;
use boardwright::local::ContentLibrary;
use boardwright::model::{Scenario, SetupPiece, SetupPlace, Topology};
use boardwright::ui::{App, EditRequest, Language, Motion, Settings, StartScreen};
use boardwright_fixtures::copy_folder;
use criterion::{Criterion, criterion_group, criterion_main};
use egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect, pos2, vec2};
use frames::Frames;
use large_map::large_map;

const PIECES: usize = 2_000;
/// The part of the screen in which the board is.
const BOARD: Rect = Rect::from_min_max(pos2(420.0, 150.0), pos2(1150.0, 850.0));

/// A folder with the example ruleset, a map of 200 by 200 hexes with terrains and heights, and a scenario with 2,000 pieces on it.
fn content() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let content = tempfile::tempdir().unwrap();
    copy_folder(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets/river-crossing"),
        &content.path().join("rulesets/river-crossing"),
    )
    .unwrap();
    let map = large_map();
    let mut scenario = Scenario {
        id: "large".to_owned(),
        title: "Large".to_owned(),
        ruleset: "river-crossing".to_owned(),
        map: "large".to_owned(),
        ..Scenario::default()
    };
    scenario.setup.pieces = (0..PIECES)
        .map(|index| SetupPiece {
            kind: "guard".to_owned(),
            owner: Some(["red", "blue"][index % 2].to_owned()),
            place: SetupPlace::Cell(Topology::default_name((index % 200) as i32, (index / 10) as i32).unwrap()),
            ..SetupPiece::default()
        })
        .collect();
    let maps = content.path().join("maps/river-crossing");
    fs::create_dir_all(&maps).unwrap();
    let paths = ["large.map.xml", "large.scenario.xml"].map(|name| maps.join(name));
    fs::write(&paths[0], Draft::Map(map).print()).unwrap();
    fs::write(&paths[1], Draft::Scenario(scenario).print()).unwrap();
    let [map, scenario] = paths;
    (content, map, scenario)
}

/// The editor with a file.
struct Window {
    frames: Frames,
    app: App,
}

impl Window {
    fn open(root: &Path, file: PathBuf) -> Self {
        let frames = Frames::new();
        let settings = Settings {
            motion: Motion::Off,
            language: Some(Language::English),
            ..Settings::default()
        };
        let content = Arc::new(ContentLibrary::new(vec![root.to_owned()]));
        let app = App::new(&frames.context, content, StartScreen::Editor(EditRequest::File(file)), settings);
        let app = app.with_editor(boardwright_editor::factory(vec![root.to_owned()], None));
        let mut window = Self { frames, app };
        // What is checked beside it is done by then.
        for _ in 0..100 {
            window.frame(Vec::new());
            std::thread::sleep(Duration::from_millis(30));
        }
        window
    }

    /// One frame, up to the triangles.
    fn frame(&mut self, events: Vec<Event>) {
        let app = &mut self.app;
        self.frames.frame(events, |ui| app.draw(ui));
    }

    fn presses(&mut self, key: Key) {
        for pressed in [true, false] {
            self.frame(vec![Event::Key {
                key,
                physical_key: None,
                pressed,
                repeat: false,
                modifiers: Modifiers::NONE,
            }]);
        }
    }

    fn button(&mut self, pos: Pos2, pressed: bool) {
        self.frame(vec![
            Event::PointerMoved(pos),
            Event::PointerButton {
                pos,
                button: PointerButton::Primary,
                pressed,
                modifiers: Modifiers::NONE,
            },
        ]);
    }
}

/// Places to and fro over the board, line by line, so that a stroke reaches new cells in each frame.
fn way(turn: usize) -> Pos2 {
    let (steps, lines) = (90, 80);
    let (line, step) = (turn / steps % lines, turn % steps);
    let across = if line % 2 == 0 { step } else { steps - 1 - step };
    let share = vec2(across as f32 / steps as f32, line as f32 / lines as f32);
    BOARD.min + share * BOARD.size()
}

fn editor(criterion: &mut Criterion) {
    let (folder, map, scenario) = content();
    let mut window = Window::open(folder.path(), map.clone());
    let mut turn = 0;
    criterion.bench_function("a frame of the map of 200 by 200 at rest", |bencher| {
        bencher.iter(|| window.frame(Vec::new()));
    });
    for zoom in 1..=3 {
        window.presses(Key::Plus);
        window.presses(Key::Plus);
        criterion.bench_function(&format!("the same at rest, {} steps nearer", 2 * zoom), |bencher| {
            bencher.iter(|| window.frame(Vec::new()));
        });
    }
    window.presses(Key::Num0);
    // All edges that have a property are marked on the board: more than are drawn by hand would not be measured.
    let most_edges = 2_000;
    for (key, name, most) in [
        (Key::B, "the brush", usize::MAX),
        (Key::E, "the height tool", usize::MAX),
        (Key::W, "the edge tool, up to 2,000 edges", most_edges),
    ] {
        window.presses(key);
        window.button(way(turn % most), true);
        criterion.bench_function(&format!("a frame of a stroke of {name}"), |bencher| {
            bencher.iter(|| {
                turn += 1;
                window.frame(vec![Event::PointerMoved(way(turn % most))]);
            });
        });
        window.button(way(turn % most), false);
    }
    window.presses(Key::B);
    criterion.bench_function("a click of the brush: pressed, let go, and the frame behind it", |bencher| {
        bencher.iter(|| {
            turn += 1;
            window.button(way(turn), true);
            window.button(way(turn), false);
            window.frame(Vec::new());
        });
    });
    drop(window);
    // A stroke is undone by the log that it has left.
    fs::remove_file(map.with_file_name("large.map.xml.edits")).unwrap_or_default();
    let mut window = Window::open(folder.path(), scenario);
    criterion.bench_function("a frame of the scenario with 2,000 pieces at rest", |bencher| {
        bencher.iter(|| window.frame(Vec::new()));
    });
}

criterion_group!(benches, editor);
criterion_main!(benches);
