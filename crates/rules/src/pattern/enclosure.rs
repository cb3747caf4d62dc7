//! Custodial capture: enemy pieces that a move encloses.

use smallvec::SmallVec;

use super::cells::{CellsOf, Place as SetPlace, Steps};
use boardwright_model::{CellId, CellSet, DirectionId, KindId, Piece, PieceId, SeatId, State};

/// How enemy pieces next to the cell that a piece comes to are captured: between it and another of its side, or on all sides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Enclosure {
    /// The kinds that are captured so; empty for all.
    pub kinds: Vec<KindId>,
    /// The cells on which a piece is captured so; `None` for all.
    pub on: Option<CellsOf>,
    /// The kinds that help the piece that moved to enclose another; empty for all.
    pub with: Vec<KindId>,
    /// Cells that help as well while no piece is on them.
    pub against: Option<CellsOf>,
    /// The directions along which pieces are enclosed; empty for all.
    pub directions: Vec<DirectionId>,
    /// Whether a piece has to be enclosed along all of them, not only along the line of the piece that moved.
    pub on_all_sides: bool,
}

/// What is captured: the cells and the pieces on them.
pub(super) type Captured = SmallVec<[(CellId, PieceId); 4]>;

/// An enclosure made ready for a board.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlacedEnclosure {
    enclosure: Enclosure,
    on: Option<SetPlace>,
    against: Option<SetPlace>,
}

/// Where a piece has come to, among the others.
#[derive(Clone, Copy)]
pub(super) struct Arrival<'a> {
    pub(super) state: &'a State,
    pub(super) sets: &'a [CellSet],
    pub(super) seat: SeatId,
    pub(super) piece: PieceId,
    pub(super) cell: CellId,
    /// Cells whose pieces were captured on the way here.
    pub(super) taken: &'a [CellId],
}

impl Arrival<'_> {
    fn pieces_at(&self, cell: CellId) -> impl Iterator<Item = &Piece> {
        let here = self.state.pieces_at(cell).iter().filter_map(|piece| self.state.piece(*piece));
        let is_gone = self.taken.contains(&cell);
        here.filter(move |piece| piece.id != self.piece && !is_gone)
    }

    fn is_in(&self, set: Option<SetPlace>, cell: CellId) -> bool {
        set.and_then(|set| self.sets.get(set)).is_some_and(|set| set.contains(cell))
    }
}

impl PlacedEnclosure {
    pub(super) fn new(enclosure: Enclosure, steps: &mut Steps) -> Self {
        let mut place = |cells: &Option<CellsOf>| cells.as_ref().map(|cells| steps.add(cells));
        let (on, against) = (place(&enclosure.on), place(&enclosure.against));
        Self { enclosure, on, against }
    }

    /// Adds what is captured by a piece that has come to a cell.
    pub(super) fn captured(&self, arrival: Arrival<'_>, out: &mut Captured) {
        let board = arrival.state.board();
        for (direction, next) in board.steps(arrival.cell) {
            if !self.allows(*direction) || !self.may_be_on(arrival, *next) {
                continue;
            }
            for piece in arrival.pieces_at(*next) {
                let is_meant = piece.owner.is_some_and(|owner| owner != arrival.seat) && has(&self.enclosure.kinds, piece.kind);
                let found = (*next, piece.id);
                if is_meant && !out.contains(&found) && self.encloses(arrival, *next, *direction) {
                    out.push(found);
                }
            }
        }
    }

    /// Whether a piece on a cell is enclosed, seen from the piece that came next to it along a direction.
    fn encloses(&self, arrival: Arrival<'_>, cell: CellId, direction: DirectionId) -> bool {
        let board = arrival.state.board();
        if !self.enclosure.on_all_sides {
            return board.step(cell, direction).is_some_and(|beyond| self.helps(arrival, beyond));
        }
        let mut directions = board.directions().filter(|direction| self.allows(*direction));
        directions.all(|direction| board.step(cell, direction).is_some_and(|side| self.helps(arrival, side)))
    }

    /// Whether a cell has a piece that encloses others, or is as good as one.
    fn helps(&self, arrival: Arrival<'_>, cell: CellId) -> bool {
        if cell == arrival.cell {
            return true;
        }
        let mut is_empty = true;
        for piece in arrival.pieces_at(cell) {
            is_empty = false;
            if piece.owner == Some(arrival.seat) && has(&self.enclosure.with, piece.kind) {
                return true;
            }
        }
        is_empty && arrival.is_in(self.against, cell)
    }

    fn may_be_on(&self, arrival: Arrival<'_>, cell: CellId) -> bool {
        self.on.is_none() || arrival.is_in(self.on, cell)
    }

    fn allows(&self, direction: DirectionId) -> bool {
        has(&self.enclosure.directions, direction)
    }
}

/// Whether something is in a list that is empty for all.
fn has<T: PartialEq + Copy>(list: &[T], item: T) -> bool {
    list.is_empty() || list.contains(&item)
}
