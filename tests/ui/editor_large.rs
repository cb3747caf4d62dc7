//! A hex map of 100 by 100 cells, drawn by a script of clicks and strokes, and kept in the repository.

use std::fs;
use std::path::Path;

use crate::editor::{editor, text};
use crate::support::{Window, own_content, project};
use boardwright::content::MapDocument;
use boardwright::content::xml::{Document as _, Source};
use boardwright::model::Board;
use boardwright::ui::EditRequest;
use egui::{Key, Modifiers, Pos2, Rect, Vec2, vec2};

const FILE: &str = "maps/river-crossing/highlands.map.xml";
/// What was approved.
const APPROVED: &str = "tests/golden/highlands.map.xml";
/// What is left free around a board that is seen whole, in points of the screen.
const RIM: f32 = 18.0;
/// What is left free around the cells of a grid, in units of the drawing.
const MARGIN: f32 = 0.55;

/// A tool in the hand, on terrain and with a brush of a size, over cells by column and row.
type Stroke = (Key, &'static str, u32, &'static [(i32, i32)]);

/// A valley between two ranges, with woods, a marsh where it ends, a lake, and towns along the road. Half of it is drawn: the rest is repeated
/// by the symmetry, half a turn.
const STROKES: [Stroke; 13] = [
    (Key::B, "Hill", 6, &[(4, 8), (22, 14), (38, 10), (60, 16), (92, 9)]),
    (Key::B, "Hill", 3, &[(10, 24), (28, 28), (44, 23)]),
    (Key::L, "Hill", 2, &[(60, 16), (70, 34)]),
    (Key::B, "Wood", 5, &[(12, 34), (30, 40), (50, 36)]),
    (Key::B, "Wood", 2, &[(66, 22), (74, 28), (88, 26), (94, 38)]),
    (Key::R, "Town", 1, &[(2, 44), (14, 49)]),
    (Key::G, "Marsh", 1, &[(3, 45)]),
    (Key::L, "Town", 1, &[(30, 48), (30, 48)]),
    (Key::L, "Town", 1, &[(58, 46), (60, 46)]),
    (Key::R, "Town", 1, &[(78, 40), (80, 43)]),
    (Key::H, "Clear", 3, &[(44, 44), (47, 46)]),
    (Key::E, "Clear", 4, &[(22, 14), (38, 10), (60, 16)]),
    (Key::E, "Clear", 1, &[(22, 14), (38, 10)]),
];

/// Where cells of the board are on the screen while the whole of it is seen.
struct Sheet {
    board: Board,
    screen: Rect,
}

impl Sheet {
    /// The cells of a map within the widget that shows it.
    fn of(map: &Path, screen: Rect) -> Self {
        let source = Source::open(map, "the map").unwrap();
        let board = MapDocument::read(&source).unwrap().board().unwrap();
        Self { board, screen }
    }

    fn at(&self, (column, row): (i32, i32)) -> Pos2 {
        let bounds = self.board.bounds();
        let units = |(x, y): (i32, i32)| vec2(x as f32, y as f32) / 1000.0;
        let (min, max) = (units(bounds.min) - Vec2::splat(MARGIN), units(bounds.max) + Vec2::splat(MARGIN));
        let room = self.screen.size() - Vec2::splat(2.0 * RIM);
        let unit = (room.x / (max.x - min.x)).min(room.y / (max.y - min.y));
        let cell = self.board.cell_at(column, row).unwrap();
        self.screen.center() + (units(self.board.position(cell)) - (min + max) / 2.0) * unit
    }
}

fn chooses_size(window: &mut Window, now: &mut u32, size: u32) {
    while *now != size {
        let (key, step) = if *now < size {
            (Key::CloseBracket, 1)
        } else {
            (Key::OpenBracket, -1)
        };
        window.presses(Modifiers::NONE, key);
        *now = now.saturating_add_signed(step);
    }
}

#[test]
fn a_hex_map_of_a_hundred_by_a_hundred_is_drawn_by_a_script_of_clicks() {
    let content = own_content();
    let mut window = editor(content.path(), EditRequest::NewMap("river-crossing".to_owned()));
    window
        .sees("Give it a title.")
        .writes("Title", "Highlands")
        .clicks("Shape of the cells: Hexes, flat");
    for side in ["Columns", "Rows"] {
        window.writes_field(side, "100").presses(Modifiers::NONE, Key::Enter);
    }
    window.clicks("Make").sees("100 by 100 hexes, 10000 cells");
    for _ in 0..12 {
        if window.counts("Half a turn") > 0 {
            break;
        }
        window.presses(Modifiers::NONE, Key::M);
    }
    window.sees("Half a turn");
    let board = window.rect_of("Board: Highlands");
    let sheet = Sheet::of(&content.path().join(FILE), board);
    for (cell, name) in [((0, 0), "a1"), ((25, 49), "z50"), ((99, 99), "cv100")] {
        window.harness.hover_at(sheet.at(cell));
        window.sees(&format!("{name}, Clear"));
    }
    let mut size = 1;
    for (key, terrain, wanted, cells) in STROKES {
        window.clicks(&format!("Terrain {terrain}")).presses(Modifiers::NONE, key);
        chooses_size(&mut window, &mut size, wanted);
        let places: Vec<Pos2> = cells.iter().map(|cell| sheet.at(*cell)).collect();
        window.harness.hover_at(places[0]);
        window.harness.step();
        window.harness.drag_at(places[0]);
        window.harness.step();
        for place in &places[1..] {
            window.harness.hover_at(*place);
            window.harness.step();
        }
        window.harness.drop_at(places[places.len() - 1]);
        window.harness.step();
        window.harness.step();
    }
    window.clicks("History").sees("13. ");
    window.presses(Modifiers::COMMAND, Key::S).no_longer_sees("not saved");
    let map = text(content.path(), FILE);
    let approved = project().join(APPROVED);
    if std::env::var_os("BLESS").is_some() {
        fs::write(&approved, &map).unwrap();
    }
    assert!(
        fs::read_to_string(&approved).unwrap() == map,
        "{APPROVED}: the drawn map is another one"
    );
    // It opens again as it is, and what was drawn last is undone first.
    window.presses(Modifiers::COMMAND, Key::Z).sees("not saved");
}
