//! The board widget by itself: what is seen of it, and how it is moved, by pointer and by keyboard.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use boardwright::content::MapDocument;
use boardwright::content::xml::{Document as _, Source};
use boardwright::model::{Arrow, CellId, CellLook, Declarations, Effect, Looks, MapCell, PieceLook, State, TerrainId};
use boardwright::ui::board::{Art, Clicks, LastAction};
use boardwright::ui::command::{CellClick, ChoiceCommand};
use boardwright::ui::{Language, texts, theme};
use egui::{Event, Key, Modifiers, MouseWheelUnit, Pos2, Rect, TouchPhase, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

use crate::support::stage::{self, Stage};
use crate::support::{Painter, Picture, SharedPainter, project};

const SIZE: Vec2 = vec2(900.0, 700.0);

/// A board, what was clicked on it, and the window it is in.
struct Shown {
    harness: Harness<'static, (Stage, Vec<CellClick>)>,
    painter: SharedPainter,
}

impl Shown {
    fn new(stage: Stage) -> Self {
        Self::sized(stage, SIZE)
    }

    fn sized(stage: Stage, size: Vec2) -> Self {
        texts::set_language(Language::English);
        let painter = SharedPainter::default();
        let draw = |ui: &mut egui::Ui, (stage, clicks): &mut (Stage, Vec<CellClick>)| {
            let whole = ui.ctx().content_rect();
            ui.scope_builder(egui::UiBuilder::new().max_rect(whole), |ui| {
                ui.set_clip_rect(whole);
                clicks.extend(stage.ui(ui).commands.into_iter().filter_map(|command| match command {
                    ChoiceCommand::Click(click) => Some(click),
                    _ => None,
                }));
            });
        };
        let mut harness = Harness::builder()
            .with_size(size)
            .with_theme(egui::Theme::Light)
            .with_context_setup(|context| {
                theme::install(context);
                egui_extras::install_image_loaders(context);
            })
            .renderer(painter.clone())
            .build_ui_state(draw, (stage, Vec::new()));
        harness.run_steps(3);
        Self { harness, painter }
    }

    fn rect(&self, label: &str) -> Rect {
        self.harness.get_by_label_contains(label).rect()
    }

    fn shows(&self, label: &str) -> bool {
        self.harness.query_all_by_label_contains(label).next().is_some()
    }

    fn clicked(&self) -> Vec<String> {
        let (stage, clicks) = self.harness.state();
        let name = |click: &CellClick| stage.state.board().cell_name(click.cell).to_owned();
        clicks.iter().map(name).collect()
    }

    fn presses(&mut self, modifiers: Modifiers, key: Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.harness.run_steps(2);
    }

    fn turns_wheel(&mut self, at: Pos2, delta: Vec2) {
        self.harness.hover_at(at);
        self.harness.event(Event::MouseWheel {
            unit: MouseWheelUnit::Point,
            delta,
            phase: TouchPhase::Move,
            source: egui::MouseWheelSource::Wheel,
            modifiers: Modifiers::NONE,
        });
        self.harness.run_steps(40);
    }

    fn drags(&mut self, from: Pos2, to: Pos2) {
        self.harness.drag_at(from);
        self.harness.step();
        self.harness.hover_at(from.lerp(to, 0.5));
        self.harness.step();
        self.harness.hover_at(to);
        self.harness.step();
        self.harness.drop_at(to);
        self.harness.run_steps(2);
    }

    fn triangles(&self) -> usize {
        let output = self.harness.output();
        let primitives = self.harness.ctx.tessellate(output.shapes.clone(), output.pixels_per_point);
        let count = |primitive: &egui::ClippedPrimitive| match &primitive.primitive {
            egui::epaint::Primitive::Mesh(mesh) => mesh.indices.len() / 3,
            egui::epaint::Primitive::Callback(_) => 0,
        };
        primitives.iter().map(count).sum()
    }

    /// How many texts are drawn.
    fn texts(&mut self) -> usize {
        self.harness.run_steps(4);
        let shapes = self.harness.output().shapes.iter();
        shapes.filter(|clipped| matches!(clipped.shape, egui::Shape::Text(_))).count()
    }

    fn picture(&mut self) -> Picture {
        self.harness.run_steps(4);
        let output = self.harness.output();
        let primitives = self.harness.ctx.tessellate(output.shapes.clone(), output.pixels_per_point);
        let painter: &Painter = &self.painter.borrow();
        painter.paint(&primitives, SIZE, output.pixels_per_point)
    }
}

#[test]
fn every_cell_in_sight_is_read_out_with_what_stands_on_it() {
    let mut stage = Stage::of(&stage::hexes(9, 7));
    stage.put(stage.cell("c3"), 1, 0);
    stage.put(stage.cell("c3"), 2, 1);
    stage.marks.targets.insert(stage.cell("d4"));
    let shown = Shown::new(stage);
    assert!(shown.shows("c3, ") && shown.shows("north horse, south guns"));
    assert!(shown.shows("d4, ") && shown.shows("empty, can be chosen"));
    let cells = shown.harness.query_all_by_role(egui::Role::Button).count();
    assert_eq!(cells, 63);
}

#[test]
fn the_wheel_makes_the_board_larger_around_the_pointer() {
    let mut shown = Shown::new(Stage::of(&stage::hexes(30, 20)));
    let before = shown.rect("j8, ");
    shown.turns_wheel(before.center(), vec2(0.0, 240.0));
    let after = shown.rect("j8, ");
    assert!(after.width() > before.width() * 1.5, "{before:?} {after:?}");
    assert!((after.center() - before.center()).length() < 2.0, "{before:?} {after:?}");
}

#[test]
fn dragging_moves_the_board_and_0_shows_it_whole_again() {
    let mut shown = Shown::new(Stage::of(&stage::squares(8, 8)));
    let before = shown.rect("d4, ").center();
    shown.drags(before, before + vec2(90.0, -40.0));
    let moved = shown.rect("d4, ").center() - before;
    assert!((moved - vec2(90.0, -40.0)).length() < 8.0, "{moved:?}");
    assert!(shown.clicked().is_empty());
    shown.presses(Modifiers::NONE, Key::Num0);
    assert!((shown.rect("d4, ").center() - before).length() < 1.0);
}

#[test]
fn a_large_board_seen_in_part_has_a_minimap_and_a_click_on_it_goes_there() {
    let mut shown = Shown::new(Stage::of(&stage::hexes(60, 50)));
    assert!(!shown.shows("Overview map"));
    for _ in 0..6 {
        shown.presses(Modifiers::NONE, Key::Plus);
    }
    assert!(!shown.shows("a1, "));
    let corner = shown.rect("Overview map").left_top();
    shown.harness.get_by_label("Overview map").hover();
    let place = corner + vec2(7.0, 7.0);
    shown.harness.drag_at(place);
    shown.harness.drop_at(place);
    shown.harness.run_steps(2);
    assert!(shown.shows("a1, "));
    assert!(shown.clicked().is_empty());
}

#[test]
fn only_what_is_in_sight_is_drawn() {
    // Too small for a minimap.
    let mut shown = Shown::sized(Stage::of(&stage::hexes(100, 100)), vec2(500.0, 350.0));
    let all = shown.triangles();
    assert!(all > 40_000, "{all}");
    for _ in 0..14 {
        shown.presses(Modifiers::NONE, Key::Plus);
    }
    let some = shown.triangles();
    assert!(some < all / 8, "{some} of {all}");
}

/// A board as it is drawn on, which is the same board.
fn drawn_on(map: &boardwright::model::Map) -> Stage {
    let mut stage = Stage::of(map);
    stage.clicks = Clicks::Drawn;
    stage
}

#[test]
fn a_large_board_that_is_drawn_on_looks_the_same_and_is_cheaper() {
    for (name, mut map, is_wooden) in [
        ("hexes", stage::hexes(100, 100), false),
        ("squares", stage::squares(100, 100), false),
        ("wooden hexes", stage::hexes(100, 100), true),
        ("wooden squares", stage::squares(100, 100), true),
    ] {
        if is_wooden {
            map.cells.iter_mut().for_each(|cell| cell.terrain = None);
        }
        map.cells.retain(|cell| cell.x % 9 > 1 || cell.y < 50);
        let holes = (50..100).flat_map(|y| (0..100).filter(|x| x % 9 < 2).map(move |x| (x, y)));
        map.cells.extend(holes.map(|(x, y)| MapCell {
            absent: true,
            ..MapCell::new("", x, y)
        }));
        let shown = |mut stage: Stage| {
            if is_wooden {
                let declarations = Declarations {
                    terrains: Vec::new(),
                    ..stage::declarations()
                };
                stage.state = Arc::new(State::empty(Arc::clone(stage.state.board()), Arc::new(declarations), &[]));
            }
            Shown::new(stage)
        };
        let (mut seen, mut drawn) = (shown(Stage::of(&map)), shown(drawn_on(&map)));
        // All of it, and a part in which cells have gaps between them. Rims of holes are up to a pixel softer.
        for (zoom, most) in [("all", 28.0), ("a part", 28.0)] {
            let differing = drawn.picture().blocks_beyond(&seen.picture(), most);
            assert!(differing.is_empty(), "{name}, {zoom}: {differing:?}");
            assert!(drawn.triangles() < 3_000, "{name}, {zoom}: {}", drawn.triangles());
            for shown in [&mut seen, &mut drawn] {
                (0..3).for_each(|_| shown.presses(Modifiers::NONE, Key::Plus));
            }
        }
    }
}

#[test]
fn what_is_drawn_on_a_large_board_is_seen_at_once_and_nothing_else_changes() {
    let map = stage::hexes(100, 100);
    let mut shown = Shown::new(drawn_on(&map));
    let before = shown.picture();
    let (stage, _) = shown.harness.state_mut();
    let cells: Vec<CellId> = stage
        .state
        .board()
        .cells()
        .filter(|cell| cell.0 / 100 == 40 && cell.0 % 100 > 60)
        .collect();
    let state = Arc::make_mut(&mut stage.state);
    for cell in &cells {
        let (cell, old, new) = (*cell, state.terrain(*cell).unwrap(), TerrainId::from_index(3));
        if old != new {
            state.apply(&Effect::Terrain { cell, old, new }).unwrap();
        }
    }
    stage.washes = Some(Arc::from(vec![egui::Color32::BLACK; 50]));
    let after = shown.picture();
    let unlike = |[x, y]: [usize; 2]| before.pixels[y * before.width + x] != after.pixels[y * after.width + x];
    let places = (0..before.height).flat_map(|y| (0..before.width).map(move |x| [x, y]));
    let view = &shown.harness.state().0.view;
    let place = |cell: &CellId| view.place_of(*cell).unwrap();
    let near = |cells: &[CellId], at: egui::Pos2| cells.iter().any(|cell| place(cell).distance(at) < 9.0);
    let beginning: Vec<CellId> = (0..50).map(CellId).collect();
    let (mut washed, mut painted) = (0, 0);
    for [x, y] in places.filter(|place| unlike(*place)) {
        let at = egui::pos2(x as f32 + 0.5, y as f32 + 0.5);
        if near(&beginning, at) {
            washed += 1;
        } else {
            assert!(near(&cells, at), "{x}, {y}");
            painted += 1;
        }
    }
    assert!(washed > 1_000 && painted > 800, "{washed} {painted}");
}

#[test]
fn names_of_cells_are_drawn_only_if_they_are_wanted() {
    for map in [stage::squares(6, 6), stage::hexes(6, 6)] {
        let mut without = Stage::of(&map);
        without.shows_names = false;
        assert_eq!(Shown::new(without).texts(), 0);
        assert!(Shown::new(Stage::of(&map)).texts() >= 6);
    }
}

#[test]
fn arrow_keys_lead_from_cell_to_cell_and_space_clicks() {
    let mut stage = Stage::of(&stage::squares(5, 5));
    stage.marks.targets.insert(stage.cell("c3"));
    let mut shown = Shown::new(stage);
    shown.presses(Modifiers::NONE, Key::ArrowRight);
    shown.presses(Modifiers::NONE, Key::ArrowRight);
    shown.presses(Modifiers::NONE, Key::ArrowDown);
    shown.presses(Modifiers::NONE, Key::Space);
    assert_eq!(shown.clicked(), ["d4"]);
    assert!(shown.harness.get_by_label_contains("d4, ").is_focused());
}

#[test]
fn n_leads_to_the_next_cell_that_can_be_chosen() {
    let mut stage = Stage::of(&stage::squares(5, 5));
    for name in ["b2", "e4", "a5"] {
        stage.marks.targets.insert(stage.cell(name));
    }
    let mut shown = Shown::new(stage);
    shown.presses(Modifiers::NONE, Key::ArrowDown);
    let mut visited = Vec::new();
    for _ in 0..4 {
        shown.presses(Modifiers::NONE, Key::N);
        shown.presses(Modifiers::NONE, Key::Space);
    }
    visited.extend(shown.clicked());
    assert_eq!(visited, ["e4", "a5", "b2", "e4"]);
}

#[test]
fn an_assistive_program_clicks_a_cell_without_a_pointer() {
    let mut shown = Shown::new(Stage::of(&stage::squares(5, 5)));
    shown.harness.get_by_label_contains("e5, ").click_accesskit();
    shown.harness.run_steps(2);
    assert_eq!(shown.clicked(), ["e5"]);
}

#[test]
fn a_cell_far_away_comes_into_sight_when_the_keyboard_goes_there() {
    let mut shown = Shown::new(Stage::of(&stage::squares(40, 40)));
    for _ in 0..8 {
        shown.presses(Modifiers::NONE, Key::Plus);
    }
    shown.presses(Modifiers::NONE, Key::ArrowLeft);
    for _ in 0..45 {
        shown.presses(Modifiers::NONE, Key::ArrowLeft);
    }
    for _ in 0..45 {
        shown.presses(Modifiers::NONE, Key::ArrowUp);
    }
    assert!(shown.harness.get_by_label_contains("a1, ").is_focused());
}

/// Every sort of look on hexes.
#[test]
fn looks_of_cells_and_pieces() {
    let mut stage = Stage::of(&stage::hexes(11, 8));
    let svg = |inner: &str| format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 100\">{inner}</svg>");
    let tile = svg(
        "<rect width=\"100\" height=\"100\" fill=\"#86b0c8\"/><path d=\"M0 30q25-18 50 0t50 0M0 80q25-18 50 0t50 0\" fill=\"none\" stroke=\"#fff\" stroke-width=\"6\"/>",
    );
    let tower =
        svg("<path d=\"M25 85V30l-5-15h12v8h12v-8h12v8h12v-8h12l-5 15v55z\" fill=\"#7a6a58\" stroke=\"#2a2018\" stroke-width=\"5\"/>");
    let flag = svg("<path d=\"M60 8v40M60 8l30 10-30 10\" fill=\"#d8402f\" stroke=\"#2a2018\" stroke-width=\"4\"/>");
    let arrow = svg("<path d=\"M50 12l22 30H60v44H40V42H28z\" fill=\"#fff6d8\" stroke=\"#2a2018\" stroke-width=\"4\"/>");
    let art = [("waves.svg", tile), ("tower.svg", tower), ("flag.svg", flag), ("arrow.svg", arrow)];
    let art: BTreeMap<String, String> = art.into_iter().map(|(name, svg)| (name.to_owned(), svg)).collect();
    let mut looks = Looks::default();
    let cell = |stage: &Stage, name: &str| stage.cell(name);
    for name in ["g6", "h6", "g7", "h7", "i7"] {
        let look = CellLook {
            texture: Some("waves.svg".into()),
            ..CellLook::default()
        };
        looks.cells.insert(cell(&stage, name), look);
    }
    let town = CellLook {
        icon: Some("tower.svg".into()),
        overlays: vec!["flag.svg".into()],
        label: Some("Ford".into()),
        outline: Some(0x00FF_E070),
        badge: Some("3".into()),
        ..CellLook::default()
    };
    looks.cells.insert(cell(&stage, "d3"), town);
    let wind = CellLook {
        icon: Some("arrow.svg".into()),
        facing: Some(120),
        ..CellLook::default()
    };
    looks.cells.insert(cell(&stage, "b6"), wind);
    let camp = CellLook {
        glyph: Some("*".into()),
        fill: Some(0x00E8_D0A0),
        ..CellLook::default()
    };
    looks.cells.insert(cell(&stage, "c6"), camp);
    let ship = stage.put(cell(&stage, "f4"), 1, 1);
    let course = PieceLook {
        facing: Some(90),
        badge: Some("12".into()),
        outline: Some(0x00FF_E070),
        vectors: vec![
            Arrow {
                label: Some("2".into()),
                ..Arrow::to(cell(&stage, "i4"))
            },
            Arrow {
                from: Some(cell(&stage, "i4")),
                dashed: true,
                ..Arrow::to(cell(&stage, "k4"))
            },
            Arrow {
                from: Some(cell(&stage, "d4")),
                headless: true,
                ..Arrow::to(cell(&stage, "f4"))
            },
        ],
        ..PieceLook::default()
    };
    looks.pieces.insert(ship, course);
    let guard = stage.put(cell(&stage, "e6"), 0, 0);
    looks.pieces.insert(
        guard,
        PieceLook {
            overlays: vec!["flag.svg".into()],
            ..PieceLook::default()
        },
    );
    for kind in 0..6 {
        stage.put(cell(&stage, "h2"), kind % 4, kind % 2);
    }
    stage.put(cell(&stage, "b2"), 3, 0);
    stage.put(cell(&stage, "b2"), 0, 0);
    stage.marks.pickable.insert(cell(&stage, "b2"));
    stage
        .marks
        .targets
        .extend([cell(&stage, "f5"), cell(&stage, "g4"), cell(&stage, "e4")]);
    stage.marks.last = vec![LastAction::way(vec![cell(&stage, "j6"), cell(&stage, "j5")])];
    stage.looks = Arc::new(looks);
    let mut shown = Shown::new(stage);
    let context = shown.harness.ctx.clone();
    shown.harness.state_mut().0.art = Art::new(&context, &art);
    shown.picture().is_as_approved("board-hexes");
}

#[test]
fn areas_and_points_of_one_map() {
    let path = project().join("tests/formats/v1-areas.map.xml");
    let text = fs::read_to_string(path).unwrap();
    let map = MapDocument::read(&Source::new("areas", &text)).unwrap().map;
    let mut stage = Stage::of(&map);
    let first = stage.state.board().cells().next().unwrap();
    stage.put(first, 0, 0);
    Shown::new(stage).picture().is_as_approved("board-areas");
}
