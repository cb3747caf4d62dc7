//! Squares and hexes in characters.

use std::collections::BTreeMap;

use super::canvas::Canvas;
use super::cell_marks::{Marked, Marks};
use boardwright_model::{Board, CellId, DirectionId, Offset, Orientation, Place, State, Topology};

/// Where cells stand on the sheet.
struct Plan {
    left: i32,
    top: i32,
    step_x: i32,
    step_y: i32,
    /// Added to shoved columns or rows.
    shove: (i32, i32),
    offset: Option<(Orientation, Offset)>,
}

impl Plan {
    fn is_shoved(&self, (column, row): (i32, i32)) -> bool {
        self.offset.is_some_and(|(orientation, offset)| {
            let index = if orientation == Orientation::Pointy { row } else { column };
            (index % 2 != 0) == (offset == Offset::Odd)
        })
    }

    fn place(&self, at: (i32, i32)) -> (i32, i32) {
        let shove = if self.is_shoved(at) { self.shove } else { (0, 0) };
        (self.left + at.0 * self.step_x + shove.0, self.top + at.1 * self.step_y + shove.1)
    }
}

pub(super) fn draw(state: &State, marks: &Marks<'_>) -> Canvas {
    let board = state.board();
    let at = |cell: CellId| board.coordinates(cell).unwrap_or_default();
    let axes = Axes::of(board, at);
    let mark = |cell: CellId| -> Marked {
        // Without labels at the edges the names have to stand in the cells.
        let empty = if axes.is_some() { "." } else { board.cell_name(cell) };
        marks.cell(cell, empty)
    };
    let width = board.cells().map(|cell| mark(cell).0.chars().count()).max().unwrap_or(1) as i32;
    let has_sides = state.pieces().any(|piece| matches!(piece.place, Place::Side(..)));
    let plan = plan(board, axes.as_ref(), width, has_sides);
    let mut canvas = Canvas::default();
    if let Some(axes) = &axes {
        label(&mut canvas, axes, &plan);
    }
    for cell in board.cells() {
        let (x, y) = plan.place(at(cell));
        let (text, colour) = mark(cell);
        canvas.put(x, y, &text, colour);
    }
    for piece in state.pieces() {
        if let Place::Side(cell, direction) = piece.place {
            let (_, colour) = marks.piece(piece);
            side(&mut canvas, board, &plan, (cell, direction), (width, colour));
        }
    }
    canvas
}

fn plan(board: &Board, axes: Option<&Axes>, width: i32, has_sides: bool) -> Plan {
    let left = axes.map_or(0, |axes| axes.row_width() + 2);
    let top = i32::from(axes.is_some());
    let sides = i32::from(has_sides);
    match board.topology() {
        Topology::Hex { orientation, offset, .. } => {
            let pointy = orientation == Orientation::Pointy;
            // Even, so that half of it is whole.
            let step = width + 2 + width % 2;
            Plan {
                left,
                top,
                step_x: if pointy { step } else { width + 2 },
                step_y: if pointy { 1 + sides } else { 2 },
                shove: if pointy { (step / 2, 0) } else { (0, 1) },
                offset: Some((orientation, offset)),
            }
        }
        _ => Plan {
            left,
            top,
            step_x: width + 1 + 2 * sides,
            step_y: 1 + sides,
            shove: (0, 0),
            offset: None,
        },
    }
}

fn label(canvas: &mut Canvas, axes: &Axes, plan: &Plan) {
    for (column, label) in &axes.columns {
        canvas.put(plan.left + column * plan.step_x, 0, label, None);
    }
    for (row, label) in &axes.rows {
        let padding = axes.row_width() - label.chars().count() as i32;
        canvas.put(padding, plan.top + row * plan.step_y, label, None);
    }
}

/// A piece on a side of a cell: a stroke between it and its neighbour.
fn side(canvas: &mut Canvas, board: &Board, plan: &Plan, (cell, direction): (CellId, DirectionId), (width, colour): (i32, Option<u32>)) {
    let Some(at) = board.coordinates(cell) else { return };
    let (x, y) = plan.place(at);
    let name = board.direction_name(direction);
    let dx = i32::from(name.contains('e')) - i32::from(name.contains('w'));
    let dy = i32::from(name.contains('s')) - i32::from(name.contains('n'));
    match (dx, dy) {
        (0, _) => canvas.put(x, y + dy, &"-".repeat(width.max(1) as usize), colour),
        (_, 0) => canvas.put(if dx > 0 { x + width + 1 } else { x - 2 }, y, "|", colour),
        _ => {
            let stroke = if (dx > 0) == (dy > 0) { "/" } else { "\\" };
            canvas.put(if dx > 0 { x + width } else { x - 1 }, y + dy, stroke, colour);
        }
    }
}

/// Labels at the edges of a board, where the names of its cells are made of a column and a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Axes {
    pub(super) columns: BTreeMap<i32, String>,
    pub(super) rows: BTreeMap<i32, String>,
}

impl Axes {
    /// The labels, if every name is letters for its column and a number for its row; `place` gives column and row of a cell.
    pub(super) fn of(board: &Board, place: impl Fn(CellId) -> (i32, i32)) -> Option<Self> {
        let mut axes = Self::default();
        for cell in board.cells() {
            let name = board.cell_name(cell);
            let (letters, number) = name.split_at(name.find(|letter: char| letter.is_ascii_digit())?);
            let is_plain =
                !letters.is_empty() && letters.chars().all(char::is_alphabetic) && number.bytes().all(|byte| byte.is_ascii_digit());
            let (column, row) = place(cell);
            let column = axes.columns.entry(column).or_insert_with(|| letters.to_owned());
            let row = axes.rows.entry(row).or_insert_with(|| number.to_owned());
            if !is_plain || column != letters || row != number {
                return None;
            }
        }
        Some(axes)
    }

    pub(super) fn row_width(&self) -> i32 {
        self.rows.values().map(|label| label.chars().count()).max().unwrap_or(0) as i32
    }
}
