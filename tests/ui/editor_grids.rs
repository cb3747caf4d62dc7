//! Drawing on hexes of both orientations and on squares, with the pointer.

use std::fs;
use std::path::Path;

use crate::editor::{cell, text, with_file};
use crate::support::{Window, own_content};
use egui::{Event, Key, Modifiers};

const FILE: &str = "maps/river-crossing/drawn.map.xml";
const POINTY: &str = r#"<hex width="9" height="9" orientation="pointy" offset="odd"/>"#;
const FLAT: &str = r#"<hex width="9" height="9" orientation="flat" offset="odd"/>"#;
const SQUARES: &str = r#"<square width="9" height="9" diagonals="no"/>"#;

/// A map of cells that lie in one way, and of which nothing is said.
fn drawn(root: &Path, cells: &str) -> Window {
    let map = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map format=\"1\" id=\"drawn\" title=\"Drawn\">\n  {cells}\n</map>\n");
    fs::write(root.join(FILE), map).unwrap();
    let mut window = with_file(root, FILE);
    window.sees("e5, Clear, empty");
    window
}

fn saved(window: &mut Window, root: &Path) -> String {
    window.presses(Modifiers::COMMAND, Key::S).no_longer_sees("not saved");
    text(root, FILE)
}

/// Cells of a terrain by their names.
fn cells_of(window: &Window, terrain: &str) -> Vec<String> {
    let labels = window.labels();
    let cell = |label: &str| {
        label
            .split_once(", ")
            .filter(|(_, rest)| *rest == format!("{terrain}, empty"))
            .map(|(name, _)| name.to_owned())
    };
    let mut cells: Vec<String> = labels.lines().filter_map(cell).collect();
    cells.sort();
    cells
}

#[test]
fn a_brush_reaches_as_far_as_its_size_on_every_grid() {
    for (cells, small, large) in [(POINTY, 7, 19), (FLAT, 7, 19), (SQUARES, 5, 13)] {
        let content = own_content();
        let mut window = drawn(content.path(), cells);
        window.clicks("Terrain Wood").presses(Modifiers::NONE, Key::CloseBracket);
        let middle = cell(&mut window, "e5");
        window.clicks_place(middle, Modifiers::NONE).sees("e5, Wood");
        assert_eq!(cells_of(&window, "Wood").len(), small, "{cells}");
        window.clicks("Terrain Hill").presses(Modifiers::NONE, Key::CloseBracket);
        window.clicks_place(middle, Modifiers::NONE).sees("e5, Hill");
        assert_eq!(cells_of(&window, "Hill").len(), large, "{cells}");
        window.presses(Modifiers::COMMAND, Key::Z).sees("e5, Wood");
    }
}

#[test]
fn lines_rectangles_fills_and_replacing_paint_on_every_grid() {
    for cells in [POINTY, FLAT, SQUARES] {
        let content = own_content();
        let mut window = drawn(content.path(), cells);
        window.clicks("Terrain Wood").presses(Modifiers::NONE, Key::L);
        let (top, bottom) = (cell(&mut window, "e1"), cell(&mut window, "e9"));
        window.drags(top, bottom).sees("e1, Wood").sees("e9, Wood");
        let line = cells_of(&window, "Wood").len();
        assert!((9..=10).contains(&line), "{cells}: {line} cells");
        window.clicks("Terrain Marsh").presses(Modifiers::NONE, Key::F);
        let left = cell(&mut window, "a5");
        window.clicks_place(left, Modifiers::NONE).sees("a1, Marsh").sees("a9, Marsh");
        assert!(window.shows("i5, Clear"), "the fill stops at the line: {cells}");
        window.clicks("Terrain Town").presses(Modifiers::NONE, Key::R);
        let (from, to) = (cell(&mut window, "g2"), cell(&mut window, "h4"));
        window.drags(from, to).sees("h4, Town");
        assert_eq!(cells_of(&window, "Town"), ["g2", "g3", "g4", "h2", "h3", "h4"], "{cells}");
        window.clicks("Terrain Hill").presses(Modifiers::NONE, Key::G);
        let wood = cell(&mut window, "e1");
        window.clicks_place(wood, Modifiers::NONE).sees("e9, Hill").no_longer_sees(", Wood");
        // Alt and a click pick what is there.
        let town = cell(&mut window, "g2");
        window.clicks_place(town, Modifiers::ALT).presses(Modifiers::NONE, Key::B);
        let right = cell(&mut window, "i9");
        window.clicks_place(right, Modifiers::NONE).sees("i9, Town");
    }
}

#[test]
fn strokes_are_repeated_by_the_symmetry_that_is_chosen() {
    for (cells, symmetry, painted, repeated) in [
        (SQUARES, "Left and right", "b3", vec!["b3", "h3"]),
        (SQUARES, "Quarters of a turn", "b3", vec!["b3", "c8", "g2", "h7"]),
        (SQUARES, "Falling diagonal", "b3", vec!["b3", "c2"]),
        (POINTY, "Half a turn", "c5", vec!["c5", "g5"]),
        (FLAT, "Half a turn", "e2", vec!["e2", "e8"]),
        (FLAT, "Left and right", "b3", vec!["b3", "h3"]),
        (POINTY, "Top and bottom", "b3", vec!["b3", "b7"]),
    ] {
        let content = own_content();
        let mut window = drawn(content.path(), cells);
        window.clicks("Terrain Wood");
        for _ in 0..10 {
            if window.counts(symmetry) > 0 {
                break;
            }
            window.presses(Modifiers::NONE, Key::M);
        }
        window.sees(symmetry);
        let place = cell(&mut window, painted);
        window.clicks_place(place, Modifiers::NONE).sees(&format!("{painted}, Wood"));
        assert_eq!(cells_of(&window, "Wood"), repeated, "{symmetry} of {cells}");
        window.clicks("History").sees("1. Brush");
        assert!(!window.shows("2. "), "a stroke with its images is one step");
    }
}

#[test]
fn a_fill_that_is_repeated_leaves_holes_alone() {
    let content = own_content();
    let mut window = drawn(content.path(), SQUARES);
    window.presses(Modifiers::NONE, Key::H);
    let hole = cell(&mut window, "h3");
    window.clicks_place(hole, Modifiers::NONE).no_longer_sees("h3, ");
    window
        .clicks("Terrain Wood")
        .presses(Modifiers::NONE, Key::M)
        .sees("Left and right");
    window.presses(Modifiers::NONE, Key::F);
    let land = cell(&mut window, "b3");
    window.clicks_place(land, Modifiers::NONE).sees("b3, Wood");
    assert_eq!(cells_of(&window, "Wood").len(), 80);
    assert!(!window.shows("h3, "));
}

#[test]
fn holes_are_made_and_filled_again() {
    for cells in [POINTY, FLAT, SQUARES] {
        let content = own_content();
        let mut window = drawn(content.path(), cells);
        window.presses(Modifiers::NONE, Key::H);
        let (from, to) = (cell(&mut window, "c3"), cell(&mut window, "c5"));
        window.drags(from, to).no_longer_sees("c3, ").no_longer_sees("c5, ");
        let map = saved(&mut window, content.path());
        assert!(map.contains("absent"), "{map}");
        window.clicks_place(from, Modifiers::NONE).sees("c3, Clear");
        assert!(!window.shows("c5, "), "only what is clicked is filled");
    }
}

#[test]
fn cells_are_raised_lowered_and_set_to_a_height() {
    let content = own_content();
    let mut window = drawn(content.path(), FLAT);
    window.presses(Modifiers::NONE, Key::E);
    let place = cell(&mut window, "d4");
    window.clicks_place(place, Modifiers::NONE).sees("height 1");
    window.clicks_place(place, Modifiers::NONE).sees("height 2");
    window.clicks_place(place, Modifiers::SHIFT).sees("height 1");
    window
        .clicks("Height: Lower")
        .clicks_place(place, Modifiers::NONE)
        .no_longer_sees("height 1");
    window.clicks_place(place, Modifiers::NONE).sees("height -1");
    window.clicks("Height: Set").clicks_place(place, Modifiers::NONE).sees("height 1");
    let map = saved(&mut window, content.path());
    assert!(map.contains("elevation=\"1\""), "{map}");
}

#[test]
fn what_the_ruleset_declares_of_cells_and_edges_is_a_field_by_its_type() {
    let content = own_content();
    let mut window = drawn(content.path(), POINTY);
    let place = cell(&mut window, "d4");
    window
        .presses(Modifiers::NONE, Key::V)
        .clicks_place(place, Modifiers::NONE)
        .sees("Cell d4");
    window
        .clicks_field("Held by")
        .clicks_field("Blue")
        .sees("Held by: reset to default");
    window.clicks_field("River to e4").sees("River to e4: reset to default");
    let map = saved(&mut window, content.path());
    assert!(map.contains("holder") && map.contains("river"), "{map}");
    window
        .clicks("River to e4: reset to default")
        .no_longer_sees("River to e4: reset to default");
    let map = saved(&mut window, content.path());
    assert!(!map.contains("river"), "{map}");
}

#[test]
fn a_region_is_painted_renamed_and_cells_are_taken_out() {
    let content = own_content();
    let mut window = drawn(content.path(), FLAT);
    window.presses(Modifiers::NONE, Key::Q);
    let (from, to) = (cell(&mut window, "b2"), cell(&mut window, "e2"));
    window.drags(from, to).clicks("Regions").sees("Delete region 1");
    window.clicks_place(to, Modifiers::SHIFT);
    window.writes_field("Name", "north bank").presses(Modifiers::NONE, Key::Enter);
    window.sees("Delete north bank");
    let map = saved(&mut window, content.path());
    assert!(
        map.contains("north bank") && map.contains("b2") && map.contains("d2") && !map.contains("e2"),
        "{map}"
    );
}

#[test]
fn a_selection_is_dragged_copied_cut_pasted_turned_and_mirrored() {
    for cells in [POINTY, FLAT, SQUARES] {
        let content = own_content();
        let mut window = drawn(content.path(), cells);
        window.clicks("Terrain Wood");
        let (b2, c2) = (cell(&mut window, "b2"), cell(&mut window, "c2"));
        window.clicks_place(b2, Modifiers::NONE).sees("b2, Wood");
        window.clicks("Terrain Hill").clicks_place(c2, Modifiers::NONE).sees("c2, Hill");
        window.presses(Modifiers::NONE, Key::S).drags(b2, c2).sees("2 cells selected");
        // Two rows down, which leads to the same column on all grids.
        let b4 = cell(&mut window, "b4");
        window
            .drags(b2, b4)
            .sees("b4, Wood")
            .sees("c4, Hill")
            .sees("b2, Clear")
            .sees("2 cells selected");
        window.harness.event(Event::Copy);
        window.harness.step();
        let e6 = cell(&mut window, "f6");
        window.harness.hover_at(e6);
        window.harness.step();
        window.harness.event(Event::Paste(String::new()));
        window.settles();
        assert_eq!(
            (cells_of(&window, "Wood").len(), cells_of(&window, "Hill").len()),
            (2, 2),
            "{cells}"
        );
        window.presses(Modifiers::SHIFT, Key::M).settles();
        assert_eq!(
            (cells_of(&window, "Wood").len(), cells_of(&window, "Hill").len()),
            (2, 2),
            "{cells}"
        );
        window.presses(Modifiers::SHIFT, Key::T).settles();
        window.harness.event(Event::Cut);
        window.settles();
        window.sees("b4, Wood").sees("c4, Hill");
        window
            .clicks("History")
            .sees("4. Paste")
            .sees("5. Mirror")
            .sees("6. Turn")
            .sees("7. Delete");
        // All of it can be undone, to the byte.
        window.clicks("As it was opened").no_longer_sees(", Wood").no_longer_sees(", Hill");
        window.no_longer_sees("not saved");
    }
}

#[test]
fn a_map_is_made_larger_and_smaller_about_what_stays() {
    let content = own_content();
    let mut window = drawn(content.path(), SQUARES);
    window.clicks("Terrain Wood");
    let corner = cell(&mut window, "i9");
    window.clicks_place(corner, Modifiers::NONE).sees("i9, Wood");
    window
        .clicks("Change the size")
        .clicks("100 % of the new columns on the left, 100 % of the new rows above");
    window.writes_field("Columns", "5").presses(Modifiers::NONE, Key::Enter);
    window.writes_field("Rows", "4").presses(Modifiers::NONE, Key::Enter);
    window.sees("61 cells are cut off").clicks_field("Change the size");
    window.sees("5 by 4 squares, 20 cells").sees("e4, Wood");
}

#[test]
fn problems_are_told_while_drawing_marked_and_mended() {
    let content = own_content();
    let mut window = drawn(content.path(), SQUARES);
    // Two rows of holes cut the board into two.
    window.presses(Modifiers::NONE, Key::H);
    let (from, to) = (cell(&mut window, "a5"), cell(&mut window, "i5"));
    window.drags(from, to).no_longer_sees("e5, ");
    window
        .presses(Modifiers::NONE, Key::F8)
        .sees("no way leads to these cells from the rest of the board: 36");
    window.sees("36 cells selected");
    window
        .clicks("Regions")
        .clicks("New region of the selected cells")
        .sees("Delete region 1");
    window
        .presses(Modifiers::COMMAND, Key::A)
        .clicks("New region of the selected cells")
        .sees("Delete region 2");
    window
        .presses(Modifiers::NONE, Key::Escape)
        .clicks("New region")
        .sees("Delete region 3");
    window
        .clicks_containing("4 problems")
        .sees("no rule and no trigger names the region region 1")
        .sees("the region region 3 has no cells")
        .clicks("take it out");
    window.no_longer_sees("the region region 3 has no cells");
}

#[test]
fn edges_are_given_a_property_by_a_stroke_along_the_borders_of_cells() {
    for (cells, between) in [(POINTY, "d4 d5"), (FLAT, "d4 e4"), (SQUARES, "d4 d5")] {
        let content = own_content();
        let mut window = drawn(content.path(), cells);
        window.presses(Modifiers::NONE, Key::W).clicks("River");
        let border = |window: &mut Window, a: &str, b: &str| cell(window, a).lerp(cell(window, b), 0.5);
        let (first, last) = (border(&mut window, "c4", "c5"), border(&mut window, "e4", "e5"));
        window.drags(first, last);
        let file = saved(&mut window, content.path());
        for edge in ["c4 c5", between, "e4 e5"] {
            assert!(file.contains(&format!("<edge between=\"{edge}\">")), "{edge}: {file}");
        }
        // A stroke is one step, and Shift takes away.
        window.clicks_place(last, Modifiers::SHIFT);
        assert!(!saved(&mut window, content.path()).contains("\"e4 e5\""));
        window.presses(Modifiers::COMMAND, Key::Z).presses(Modifiers::COMMAND, Key::Z);
        assert!(!saved(&mut window, content.path()).contains("<edge"));
    }
}

#[test]
fn edges_are_repeated_by_the_symmetry() {
    let content = own_content();
    let mut window = drawn(content.path(), SQUARES);
    window.presses(Modifiers::NONE, Key::W).presses(Modifiers::NONE, Key::M);
    let at = cell(&mut window, "a2").lerp(cell(&mut window, "b2"), 0.5);
    window.clicks_place(at, Modifiers::NONE);
    let file = saved(&mut window, content.path());
    for edge in ["a2 b2", "h2 i2"] {
        assert!(file.contains(&format!("<edge between=\"{edge}\">")), "{file}");
    }
    window.settles().picture().is_as_approved("draw-edges");
}
