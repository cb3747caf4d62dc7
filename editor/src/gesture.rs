//! What the pointer has begun on the board.

use std::collections::BTreeSet;

use boardwright_model::CellId;
use egui::Pos2;

/// What the pointer has begun.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Begun {
    /// Nothing.
    #[default]
    Nothing,
    /// A stroke: what was painted in it so far.
    Stroke(BTreeSet<CellId>),
    /// From one cell to another: a line, a rectangle, a selection.
    Span(CellId),
    /// What is selected is dragged from a cell.
    Move(CellId),
    /// A point is dragged, or the middle of an area, by its position in the list of cells.
    Point(usize),
    /// Corners of areas that lie at one place are dragged from there.
    Corner((i32, i32)),
    /// A piece is dragged, by its position among those of the scenario.
    Piece(usize),
    /// Cells are linked one after the other.
    Link(Vec<CellId>),
}

/// What the pointer does on the board.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gesture {
    /// What it has begun.
    pub(crate) begun: Begun,
    /// Where it was in the frame before.
    pub(crate) last: Option<Pos2>,
    /// The cell under it.
    pub(crate) hovered: Option<CellId>,
    /// Whether the stroke has made a step already, which it goes on with.
    pub(crate) has_step: bool,
    /// Whether the stroke takes away: cells out of a region, holes.
    pub(crate) takes_away: bool,
}

impl Gesture {
    /// Whether a stroke is under way, during which the board is not made again.
    pub(crate) fn is_stroke(&self) -> bool {
        matches!(self.begun, Begun::Stroke(_) | Begun::Point(_) | Begun::Corner(_))
    }

    /// Whether nothing is under way.
    pub(crate) fn is_idle(&self) -> bool {
        self.begun == Begun::Nothing
    }

    /// Ends it.
    pub(crate) fn cancel(&mut self) {
        *self = Self {
            hovered: self.hovered,
            ..Self::default()
        };
    }
}
