//! What is not in sight: how it is drawn and read out on boards of every topology.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

use boardwright::content::MapDocument;
use boardwright::content::xml::{Document as _, Source};
use boardwright::model::{
    Board, CellId, CellSet, CellSight, Declarations, Map, MapCell, MapLine, SeatId, State, Topology, Touched, Visibility,
};
use boardwright::ui::{Language, texts, theme};
use egui::{Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

use crate::support::stage::{self, Stage};
use crate::support::{Painter, Picture, SharedPainter, project};

const SIZE: Vec2 = vec2(400.0, 300.0);

/// A match under a shroud: the first seat has seen what lies around one cell, and sees what lies around another.
fn foggy(map: &Map, remembered: &str, seen: &str, far: &str) -> Stage {
    let mut stage = Stage::of(map);
    let declarations = Declarations {
        has_fog: true,
        has_shroud: true,
        ..stage::declarations()
    };
    let board = Arc::new(Board::from_map(map).unwrap());
    stage.state = Arc::new(State::empty(board, Arc::new(declarations), &[]));
    let cells = [remembered, seen, far].map(|name| stage.cell(name));
    for (kind, cell) in [1, 0, 2].into_iter().zip(cells) {
        stage.put(cell, kind, 1);
    }
    let whole = Arc::clone(&stage.state);
    let around = |cell: CellId| {
        let one = CellSet::from_cells(whole.board().cell_count(), [cell]);
        Visibility::new(Some(SeatId(0)), Some(whole.board().dilate(&one, 2)))
    };
    let mut view = State::clone(&whole.project(&around(cells[0])));
    view.update_view((&whole, &around(cells[0])), (&whole, &around(cells[1])), &[], Touched::ByEffects)
        .unwrap();
    stage.state = Arc::new(view);
    stage
}

struct Shown {
    harness: Harness<'static, Stage>,
    painter: SharedPainter,
}

impl Shown {
    fn new(stage: Stage, theme: egui::Theme) -> Self {
        texts::set_language(Language::English);
        let painter = SharedPainter::default();
        let draw = |ui: &mut egui::Ui, stage: &mut Stage| {
            let whole = ui.ctx().content_rect();
            ui.scope_builder(egui::UiBuilder::new().max_rect(whole), |ui| stage.ui(ui));
        };
        let mut harness = Harness::builder()
            .with_size(SIZE)
            .with_theme(theme)
            .with_context_setup(|context| {
                theme::install(context);
                egui_extras::install_image_loaders(context);
            })
            .renderer(painter.clone())
            .build_ui_state(draw, stage);
        harness.run_steps(3);
        Self { harness, painter }
    }

    fn count(&self, label: &str) -> usize {
        self.harness.query_all_by_label_contains(label).count()
    }

    fn picture(&mut self) -> Picture {
        self.harness.run_steps(4);
        let output = self.harness.output();
        let primitives = self.harness.ctx.tessellate(output.shapes.clone(), output.pixels_per_point);
        let painter: &Painter = &self.painter.borrow();
        painter.paint(&primitives, SIZE, output.pixels_per_point)
    }

    /// The colour in the middle of a cell.
    fn colour(&self, cell: CellId, picture: &Picture) -> [u8; 3] {
        let place = self.harness.state().view.place_of(cell).unwrap() + vec2(0.0, 6.0);
        picture.pixels[place.y as usize * picture.width + place.x as usize]
    }
}

fn points() -> Map {
    let mut map = Map::new("points", "Points", Topology::Graph);
    let name = |x: i32, y: i32| Topology::default_name(x, y).unwrap();
    map.cells = (0..7)
        .flat_map(|y| (0..9).map(move |x| MapCell::new(name(x, y), 1000 * x, 1000 * y)))
        .collect();
    map.lines = (0..7).map(|y| MapLine::new((0..9).map(|x| name(x, y)))).collect();
    map.lines.extend((0..9).map(|x| MapLine::new((0..7).map(|y| name(x, y)))));
    map
}

fn world() -> Map {
    let text = fs::read_to_string(project().join("maps/conquest/world.map.xml")).unwrap();
    let map = MapDocument::read(&Source::new("world.map.xml", &text)).unwrap_or_else(|problems| panic!("{}", problems.render()));
    map.map
}

/// Every board with three cells of it: remembered, seen, and never seen.
fn boards() -> Vec<(&'static str, Map, [&'static str; 3])> {
    let mut squares = stage::squares(12, 9);
    for (index, place) in (0..108).map(|index| (index, (index % 12, index / 12))) {
        squares.cells.push(MapCell {
            terrain: Some(["clear", "wood", "hill", "water"][index as usize * 7 / 5 % 4].to_owned()),
            ..MapCell::new("", place.0, place.1)
        });
    }
    vec![
        ("hexes", stage::hexes(14, 10), ["d4", "g5", "m9"]),
        ("squares", squares, ["c3", "g4", "l9"]),
        ("points", points(), ["c3", "e4", "i7"]),
        ("areas", world(), ["Alaska", "Iceland", "Siam"]),
    ]
}

#[test]
fn cells_are_read_out_as_seen_remembered_or_not_seen_yet() {
    for (board, map, [remembered, seen, far]) in boards() {
        let stage = foggy(&map, remembered, seen, far);
        let cells = stage.state.board().cells().count();
        let shown = Shown::new(stage, egui::Theme::Dark);
        let unseen = shown.count("not seen yet");
        assert!(unseen > 8 && unseen < cells, "{unseen} of {cells} cells of {board} were never seen");
        assert!(shown.count("remembered") > 1, "{board}");
        assert_eq!(shown.count("south guns"), 0, "what stands where nobody looked on {board}");
        assert_eq!(shown.count("south horse"), 1, "what was seen on {board}");
        assert_eq!(shown.count("south foot"), 1, "what is seen on {board}");
    }
}

#[test]
fn what_was_never_seen_is_of_one_colour_and_what_is_remembered_darker_than_what_is_seen() {
    for (theme, (board, map, [remembered, seen, far])) in [egui::Theme::Dark, egui::Theme::Light].into_iter().zip(boards()) {
        let stage = foggy(&map, remembered, seen, far);
        let state = Arc::clone(&stage.state);
        let mut shown = Shown::new(stage, theme);
        let picture = shown.picture();
        let of = |sight: CellSight| {
            state
                .board()
                .cells()
                .filter(|cell| state.cell_sight(*cell) == sight)
                .collect::<Vec<_>>()
        };
        let [unexplored, remembered, visible] = [CellSight::Unexplored, CellSight::Remembered, CellSight::Visible].map(&of);
        let colours: BTreeSet<[u8; 3]> = unexplored.iter().map(|cell| shown.colour(*cell, &picture)).collect();
        assert_eq!(colours.len(), 1, "{board} {theme:?}: {colours:?}");
        let light_of = |cells: &[CellId]| {
            let light = cells
                .iter()
                .map(|cell| shown.colour(*cell, &picture).into_iter().map(u32::from).sum::<u32>());
            light.sum::<u32>() / cells.len() as u32
        };
        let (dim, bright) = (light_of(&remembered), light_of(&visible));
        assert!(dim < bright, "{board} {theme:?}: {dim} and {bright}");
    }
}
