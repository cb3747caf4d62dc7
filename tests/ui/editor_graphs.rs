//! Boards of points and lines, and of areas, drawn with the pointer.

use std::fs;
use std::path::Path;

use crate::editor::{cell, editor, text, with_file};
use crate::support::{Window, own_content, project};
use boardwright::ui::EditRequest;
use egui::{Key, Modifiers, Pos2, vec2};

/// Where places of the drawing are on the screen.
#[derive(Clone, Copy)]
struct Paper {
    origin: Pos2,
    unit: f32,
}

impl Paper {
    /// Learns it from a cell that lies at the origin, when a unit takes at most so many points of the screen.
    fn of(window: &mut Window, at_origin: &str, most: f32) -> Self {
        loop {
            let unit = unit(window);
            if unit <= most {
                let origin = cell(window, at_origin);
                return Self { origin, unit };
            }
            window.presses(Modifiers::NONE, Key::Minus).settles();
        }
    }

    /// A place in thousandths of a unit.
    fn at(self, (x, y): (i32, i32)) -> Pos2 {
        self.origin + vec2(x as f32, y as f32) * self.unit / 1000.0
    }
}

fn unit(window: &Window) -> f32 {
    let labels = window.labels();
    let shown = labels.lines().find_map(|label| label.strip_suffix(" points a cell")).unwrap();
    shown.parse().unwrap()
}

/// A new map of the sort that has a label in the dialog, of one cell.
fn new_map(root: &Path, ruleset: &str, sort: &str, title: &str) -> Window {
    let mut window = editor(root, EditRequest::NewMap(ruleset.to_owned()));
    window
        .sees("Give it a title.")
        .writes("Title", title)
        .clicks(&format!("Shape of the cells: {sort}"));
    for side in ["Columns", "Rows"] {
        window.writes_field(side, "1").presses(Modifiers::NONE, Key::Enter);
    }
    window.clicks("Make").sees("points and areas, 1 cell");
    window
}

/// Drags over places one after the other.
fn drags_over(window: &mut Window, places: &[Pos2]) {
    window.harness.hover_at(places[0]);
    window.harness.step();
    window.harness.drag_at(places[0]);
    window.harness.step();
    for place in &places[1..] {
        window.harness.hover_at(*place);
        window.harness.step();
        window.harness.step();
    }
    window.harness.drop_at(places[places.len() - 1]);
    window.harness.step();
    window.harness.step();
}

fn saved(window: &mut Window, root: &Path, file: &str) -> String {
    window.presses(Modifiers::COMMAND, Key::S).no_longer_sees("not saved");
    text(root, file)
}

/// Compares a map that was drawn with the one that was approved; `BLESS=1` writes that again.
fn is_as_approved(map: &str, file: &str) {
    let path = project().join(file);
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, map).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), map, "{file}");
}

/// The board of nine men's morris: three squares within each other, joined in the middle of their sides.
#[test]
fn a_board_of_points_is_drawn_wholly_with_the_tools() {
    let content = own_content();
    let mut window = new_map(content.path(), "tic-tac-toe", "Points", "Nine men's morris");
    let paper = Paper::of(&mut window, "a1", 90.0);
    let name = |x: i32, y: i32| format!("{}{}", char::from(b'd' + x as u8), 4 - y);
    let name = |(x, y): (i32, i32)| {
        if x < 0 {
            format!("{}{}", char::from(b'd' - (-x) as u8), 4 - y)
        } else {
            name(x, y)
        }
    };
    let ring = |size: i32| [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)].map(|(x, y)| (x * size, y * size));
    let points: Vec<(i32, i32)> = [3, 2, 1].into_iter().flat_map(ring).collect();
    let place = |(x, y): (i32, i32)| paper.at((x * 1000, y * 1000));
    window.presses(Modifiers::NONE, Key::V).clicks_place(paper.origin, Modifiers::NONE);
    window
        .writes_field("Name", "middle")
        .presses(Modifiers::NONE, Key::Enter)
        .sees("Cell middle");
    window.presses(Modifiers::NONE, Key::O);
    for point in &points {
        // A little beside: points snap.
        window.clicks_place(place(*point) + vec2(3.0, -4.0), Modifiers::NONE).sees("Cell p");
        window.writes_field("Name", &name(*point)).presses(Modifiers::NONE, Key::Enter);
        window.sees(&format!("Cell {}", name(*point)));
    }
    // The point that the map began with goes.
    window
        .presses(Modifiers::NONE, Key::V)
        .clicks_place(paper.origin, Modifiers::NONE)
        .sees("Cell middle");
    window.presses(Modifiers::NONE, Key::Delete).no_longer_sees("middle, ");
    window.presses(Modifiers::NONE, Key::K);
    let along = |from: (i32, i32), step: (i32, i32)| [0, 1, 2].map(|count| place((from.0 + count * step.0, from.1 + count * step.1)));
    for size in [3, 2, 1] {
        for (from, step) in [
            ((-size, -size), (size, 0)),
            ((size, -size), (0, size)),
            ((size, size), (-size, 0)),
            ((-size, size), (0, -size)),
        ] {
            drags_over(&mut window, &along(from, step));
        }
    }
    for (x, y) in [(0, -1), (1, 0), (0, 1), (-1, 0)] {
        drags_over(&mut window, &along((3 * x, 3 * y), (-x, -y)));
    }
    window.clicks("Problems: none").sees("Nothing is wrong.");
    let map = saved(&mut window, content.path(), "maps/tic-tac-toe/nine-men-s-morris.map.xml");
    is_as_approved(&map, "tests/golden/nine-mens-morris.map.xml");
    // All that was drawn can be undone.
    window
        .clicks("History")
        .clicks_field("As it was opened")
        .no_longer_sees("g7, empty")
        .sees("a1, empty");
}

#[test]
fn points_are_dragged_alone_and_together_and_brought_into_line() {
    let content = own_content();
    let mut window = new_map(content.path(), "tic-tac-toe", "Points", "Dots");
    let file = "maps/tic-tac-toe/dots.map.xml";
    let paper = Paper::of(&mut window, "a1", 90.0);
    window.presses(Modifiers::NONE, Key::O);
    for at in [(1000, 250), (2000, -250)] {
        window.clicks_place(paper.at(at), Modifiers::NONE).sees("Cell p");
    }
    // With Shift it does not snap.
    window
        .presses(Modifiers::NONE, Key::V)
        .drags(paper.at((2000, -250)), paper.at((2500, -500)));
    let map = saved(&mut window, content.path(), file);
    assert!(map.contains(r#"<cell name="p2" x="2500" y="-500"/>"#), "{map}");
    // A frame around all of them, then one is dragged and the others follow.
    window
        .presses(Modifiers::NONE, Key::S)
        .drags(paper.at((-600, -1200)), paper.at((3000, 900)))
        .sees("3 cells selected");
    window.clicks("Into one row");
    let map = saved(&mut window, content.path(), file);
    assert!(
        map.contains(r#"<cell name="p" x="1000" y="-83"/>"#) && map.contains(r#"<cell name="a1" x="0" y="-83"/>"#),
        "{map}"
    );
    window.clicks("Even gaps across").clicks("Onto the grid");
    let map = saved(&mut window, content.path(), file);
    assert!(map.contains(r#"<cell name="p" x="1500" y="0"/>"#), "{map}");
    window.drags(paper.at((1500, 0)), paper.at((1750, 1000)));
    let map = saved(&mut window, content.path(), file);
    for place in [
        r#"name="a1" x="250" y="1000""#,
        r#"name="p" x="1750" y="1000""#,
        r#"name="p2" x="2750" y="1000""#,
    ] {
        assert!(map.contains(place), "{map}");
    }
    // A link is drawn, and taken away by drawing it again.
    window
        .presses(Modifiers::NONE, Key::K)
        .drags(paper.at((250, 1000)), paper.at((1750, 1000)));
    assert!(saved(&mut window, content.path(), file).contains(r#"<line cells="a1 p"/>"#));
    window.drags(paper.at((1750, 1000)), paper.at((250, 1000)));
    assert!(!saved(&mut window, content.path(), file).contains("<line"));
}

#[test]
fn areas_are_outlined_and_their_borders_stay_shared() {
    let content = own_content();
    let mut window = new_map(content.path(), "conquest", "Areas", "Coast");
    let file = "maps/conquest/coast.map.xml";
    let paper = Paper::of(&mut window, "a1", 110.0);
    window.presses(Modifiers::NONE, Key::U);
    // From the middle of the eastern side of the first area along its border, then out into the open and back.
    for at in [(500, 0), (0, 500), (0, 1500), (1500, 1500), (1500, 0), (500, 0)] {
        window.clicks_place(paper.at(at), Modifiers::NONE);
    }
    window.sees("Cell area").sees("area, North America, empty");
    let map = saved(&mut window, content.path(), file);
    let outlines: Vec<Vec<(i32, i32)>> = outlines(&map);
    let shared: Vec<(i32, i32)> = outlines[0].iter().copied().filter(|corner| outlines[1].contains(corner)).collect();
    assert_eq!((outlines.len(), shared.len()), (2, 3), "{map}");
    assert!(map.contains(r#"<line cells="a1 area"/>"#), "neighbours by touching: {map}");
    assert!(shared.contains(&(500, 500)), "the border is followed: {map}");
    // A corner that both have moves in both.
    window
        .presses(Modifiers::NONE, Key::V)
        .drags(paper.at((500, 500)), paper.at((750, 750)));
    let map = saved(&mut window, content.path(), file);
    let moved = self::outlines(&map);
    let new: Vec<(i32, i32)> = moved[0].iter().copied().filter(|corner| !outlines[0].contains(corner)).collect();
    assert!(new.len() == 1 && moved[1].contains(&new[0]), "{map}");
    // A corner more on a side, of which one area has one only.
    window
        .presses(Modifiers::NONE, Key::U)
        .drags(paper.at((-500, 0)), paper.at((-1000, 0)));
    let map = saved(&mut window, content.path(), file);
    assert_eq!(self::outlines(&map)[0].len(), moved[0].len() + 1, "{map}");
    window.clicks_place(paper.at((-1000, 0)), Modifiers::SHIFT);
    let map = saved(&mut window, content.path(), file);
    assert_eq!(self::outlines(&map)[0].len(), moved[0].len(), "{map}");
    // An island of the area that is selected.
    window
        .presses(Modifiers::NONE, Key::V)
        .clicks_place(paper.at((1200, 1200)), Modifiers::NONE)
        .sees("Cell area");
    window.presses(Modifiers::NONE, Key::U).clicks("Outlines of areas: Part");
    for at in [(-1500, 1000), (-1000, 1000), (-1000, 1500)] {
        window.clicks_place(paper.at(at), Modifiers::NONE);
    }
    window.presses(Modifiers::NONE, Key::Enter).sees("Cell area");
    let map = saved(&mut window, content.path(), file);
    assert_eq!(self::outlines(&map).len(), 3, "{map}");
    // What is drawn wrongly goes corner by corner, or at once.
    window
        .clicks_place(paper.at((-1500, -1000)), Modifiers::NONE)
        .clicks_place(paper.at((-1500, -1500)), Modifiers::NONE);
    window.presses(Modifiers::NONE, Key::Delete).presses(Modifiers::NONE, Key::Escape);
    assert_eq!(saved(&mut window, content.path(), file), map);
    // The part goes again by the menu over it.
    window
        .clicks_with_other_button(paper.at((-1100, 1100)), Modifiers::NONE)
        .clicks_containing("Take this part away");
    assert_eq!(self::outlines(&saved(&mut window, content.path(), file)).len(), 2);
}

#[test]
fn where_the_name_and_the_armies_of_an_area_stand_is_dragged() {
    let content = own_content();
    let file = "maps/conquest/amber-isles.map.xml";
    let mut window = with_file(content.path(), file);
    let before = text(content.path(), file);
    window.presses(Modifiers::NONE, Key::V);
    let place = cell(&mut window, "Emberhold");
    // A click moves nothing.
    window.clicks_place(place, Modifiers::NONE).sees("Cell Emberhold");
    assert!(!window.shows("not saved"));
    window.drags(place, place + vec2(6.0, -6.0)).sees("not saved");
    let after = saved(&mut window, content.path(), file);
    let changed = before.lines().zip(after.lines()).filter(|(old, new)| old != new);
    let changed: Vec<&str> = changed.map(|(_, new)| new.trim_start()).collect();
    assert!(
        changed.len() == 1 && changed[0].starts_with("<cell name=\"Emberhold\""),
        "{changed:?}"
    );
}

/// The outlines of a map, part by part.
fn outlines(map: &str) -> Vec<Vec<(i32, i32)>> {
    let point = |pair: &str| {
        let (x, y) = pair.split_once(',').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    let part = |line: &str| {
        let inner = line.trim().strip_prefix("<outline>")?.strip_suffix("</outline>")?;
        Some(inner.split_whitespace().map(point).collect())
    };
    map.lines().filter_map(part).collect()
}
