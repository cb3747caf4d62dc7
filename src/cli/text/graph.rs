//! Points and the lines between them in characters, and areas as a list.

use anstream::adapter::strip_str;

use super::canvas::{Canvas, painted};
use super::cell_marks::Marks;
use super::grid::Axes;
use boardwright_model::{Board, CellId, CellSet, EdgeId, RegionId, State};

/// The widest and highest drawing; larger boards are listed.
const MOST: (i32, i32) = (150, 100);

/// Draws a board of points, unless it is too large or has areas.
pub(super) fn draw(state: &State, marks: &Marks<'_>) -> Option<Canvas> {
    let board = state.board();
    if board.cells().any(|cell| !board.outline(cell).is_empty()) {
        return None;
    }
    let axes = Axes::of(board, |cell| board.position(cell));
    let mark = |cell: CellId| marks.cell(cell, if axes.is_some() { "+" } else { board.cell_name(cell) });
    let width = board.cells().map(|cell| mark(cell).0.chars().count()).max().unwrap_or(1) as i32;
    let (unit_x, unit_y) = units(board)?;
    let left = axes.as_ref().map_or((width - 1) / 2, |axes| axes.row_width() + 2);
    let bounds = board.cells().map(|cell| board.position(cell));
    let (least_x, least_y) = bounds.fold((i32::MAX, i32::MAX), |least, at| (least.0.min(at.0), least.1.min(at.1)));
    let scaled = |value: i32, unit: i32, letters: i32| (i64::from(value) * i64::from(letters) / i64::from(unit)) as i32;
    let step = (width + 2).max(4);
    let place = |cell: CellId| {
        let (x, y) = board.position(cell);
        (left + scaled(x - least_x, unit_x, step), scaled(y - least_y, unit_y, 2))
    };
    if board.cells().map(place).any(|(x, y)| x > MOST.0 || y > MOST.1) {
        return None;
    }
    let mut canvas = Canvas::default();
    for edge in 0..board.edge_count() {
        let (a, b) = board.edge_ends(EdgeId::from_index(edge));
        canvas.line(place(a), place(b));
    }
    for cell in board.cells() {
        let (x, y) = place(cell);
        let (text, colour) = mark(cell);
        // Around the point, so that lines meet in its middle.
        canvas.put(x - (text.chars().count() as i32 - 1) / 2, y, &text, colour);
    }
    if let Some(axes) = &axes {
        let bottom = board.cells().map(|cell| place(cell).1).max().unwrap_or(0);
        for (y, label) in &axes.rows {
            let padding = axes.row_width() - label.chars().count() as i32;
            canvas.put(padding, scaled(y - least_y, unit_y, 2), label, None);
        }
        for (x, label) in &axes.columns {
            canvas.put(left + scaled(x - least_x, unit_x, step), bottom + 1, label, None);
        }
    }
    Some(canvas)
}

/// The shortest steps of lines to the side and down.
fn units(board: &Board) -> Option<(i32, i32)> {
    let mut units = (i32::MAX, i32::MAX);
    for edge in 0..board.edge_count() {
        let (a, b) = board.edge_ends(EdgeId::from_index(edge));
        let ((ax, ay), (bx, by)) = (board.position(a), board.position(b));
        let (dx, dy) = ((ax - bx).abs(), (ay - by).abs());
        units.0 = if dx > 0 { units.0.min(dx) } else { units.0 };
        units.1 = if dy > 0 { units.1.min(dy) } else { units.1 };
    }
    let or_other = |one: i32, other: i32| if one == i32::MAX { other } else { one };
    let (x, y) = (or_other(units.0, units.1), or_other(units.1, units.0));
    (x != i32::MAX).then_some((x, y))
}

/// The most characters of a line of such a list.
const WIDEST: usize = 98;

/// Every cell in a line of its own: its pieces and its neighbours, by region.
pub(super) fn list(state: &State, marks: &Marks<'_>) -> String {
    let board = state.board();
    let mut text = String::new();
    let mut listed = CellSet::empty(board.cell_count());
    for region in 0..board.region_count() {
        let region = RegionId::from_index(region);
        let cells = board.region(region).difference(&listed);
        if cells.is_empty() {
            continue;
        }
        text.push_str(&format!("{}:\n", as_heading(board.region_name(region))));
        for cell in &cells {
            text.push_str(&area(state, marks, cell));
        }
        listed.union_with(&cells);
    }
    for cell in board.cells().filter(|cell| !listed.contains(*cell)) {
        text.push_str(&area(state, marks, cell));
    }
    text
}

/// A name such as `north_america` as a heading: North America.
fn as_heading(name: &str) -> String {
    let capitalized = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>())
    };
    name.split(['_', ' ']).filter_map(capitalized).collect::<Vec<_>>().join(" ")
}

/// A cell: its name, its pieces, and its neighbours, which go on in lines of their own where they are many.
fn area(state: &State, marks: &Marks<'_>, cell: CellId) -> String {
    let board = state.board();
    let widest = board.cells().map(|cell| board.cell_name(cell).chars().count()).max().unwrap_or(0);
    let pieces: Vec<String> = marks
        .pieces_on(cell)
        .map(|piece| {
            let (_, colour) = marks.piece(piece);
            let signs = [marks.own_glyph(piece), marks.badge(piece)].into_iter().flatten();
            let signs: String = signs.flat_map(|sign| [" ", sign]).collect();
            painted(&format!("{}{signs}", marks.title(piece)), colour)
        })
        .collect();
    let written = marks.cell_texts(cell).map(|text| format!("[{text}]"));
    let pieces: Vec<String> = written.into_iter().chain(pieces).collect();
    let shown = Some(pieces.join(", ")).filter(|shown| !shown.is_empty());
    let mut text = format!("  {:widest$}  {}  (", board.cell_name(cell), shown.as_deref().unwrap_or("-"));
    let mut length = strip_str(&text).to_string().chars().count();
    for (index, neighbour) in board.neighbours(cell).iter().enumerate() {
        let name = board.cell_name(*neighbour);
        // With the comma or the bracket behind it.
        let long = name.chars().count() + 1;
        if index > 0 && length + 1 + long > WIDEST {
            length = widest + 6;
            text.push_str(&format!(",\n{:length$}", ""));
        } else if index > 0 {
            length += 1;
            text.push_str(", ");
        }
        length += long;
        text.push_str(name);
    }
    text.push_str(")\n");
    text
}
