//! What the pointer has begun on the board.

use std::collections::BTreeSet;

use boardwright_model::CellId;
use egui::Pos2;

use crate::edge_tool::Ends;

/// What the pointer has begun.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Begun {
    /// Nothing.
    #[default]
    Nothing,
    /// A stroke: what was painted in it so far.
    Stroke(BTreeSet<CellId>),
    /// A stroke along edges: those that it has reached so far.
    Edges(BTreeSet<Ends>),
    /// From one cell to another: a line, a rectangle, a selection.
    Span(CellId),
    /// What is selected is dragged from a cell.
    Move(CellId),
    /// Points are dragged, or areas, or where the name of an area stands.
    Points(HeldPoint),
    /// Corners of areas that lie at one place are dragged from there.
    Corner(HeldCorner),
    /// A frame is drawn around what is to be selected, from a point of the screen.
    Frame(Pos2),
    /// The selected pieces are dragged.
    Piece(HeldPiece),
    /// Cells are linked one after the other.
    Link(Vec<CellId>),
}

/// A point that the pointer holds; what is selected with it moves along. Places are those of the drawing, in thousandths of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HeldPoint {
    /// Its position in the list of cells.
    pub(crate) index: usize,
    /// Where it was.
    pub(crate) was: (i32, i32),
    /// Where the pointer took hold.
    pub(crate) from: (i32, i32),
    /// Whether outlines move along.
    pub(crate) is_whole: bool,
}

/// A piece that the pointer holds; those that are selected with it move along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HeldPiece {
    /// Its position among those of the scenario.
    pub(crate) index: usize,
    /// The cell at which the pointer took hold.
    pub(crate) cell: CellId,
    /// Whether it was selected before.
    pub(crate) was_selected: bool,
}

/// A corner of areas that the pointer holds, in thousandths of a unit of the drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HeldCorner {
    /// Where it is.
    pub(crate) at: (i32, i32),
    /// The side on which it lies, if it is none yet and becomes one where the pointer moves.
    pub(crate) side: Option<((i32, i32), (i32, i32))>,
    /// Where the pointer took hold.
    pub(crate) from: (i32, i32),
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
        matches!(self.begun, Begun::Stroke(_) | Begun::Edges(_) | Begun::Points(_) | Begun::Corner(_))
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
