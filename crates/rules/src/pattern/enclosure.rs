//! Custodial capture: enemy pieces that a move encloses.

use smallvec::SmallVec;

use super::cells::{CellsOf, Place as SetPlace, Sets};
use crate::Transaction;
use boardwright_model::{CellId, CellSet, DirectionId, KindId, Piece, PieceId, Rejection, SeatId, State};

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
    /// Whether any number of pieces in a row is captured between the piece that moved and the next one that helps it, not a single piece alone.
    pub in_rows: bool,
    /// Whether what is captured changes sides, and stays where it is.
    pub turns: bool,
    /// Whether a piece has to be enclosed along all of them, not only along the line of the piece that moved.
    pub on_all_sides: bool,
}

/// What is captured.
pub(super) type Captured = SmallVec<[CapturedPiece; 4]>;

/// A piece that is captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CapturedPiece {
    pub(super) cell: CellId,
    piece: PieceId,
    /// Whether it changes sides.
    pub(super) turns: bool,
}

impl CapturedPiece {
    /// Carries the capture out for a seat.
    pub(super) fn leave_to(self, transaction: &mut Transaction, seat: SeatId) -> Result<(), Rejection> {
        if self.turns {
            transaction.set_owner(self.piece, Some(seat))
        } else {
            transaction.remove(self.piece)
        }
    }
}

impl Enclosure {
    /// The sets it speaks of.
    pub(super) fn sets(&self) -> impl Iterator<Item = &CellsOf> {
        self.on.iter().chain(&self.against)
    }
}

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
    /// The piece; nothing as long as it is not on the board.
    pub(super) piece: Option<PieceId>,
    pub(super) cell: CellId,
    /// Cells whose pieces were captured on the way here.
    pub(super) taken: &'a [CellId],
}

impl Arrival<'_> {
    fn pieces_at(&self, cell: CellId) -> impl Iterator<Item = &Piece> {
        let here = self.state.pieces_at(cell).iter().filter_map(|piece| self.state.piece(*piece));
        let is_gone = self.taken.contains(&cell);
        here.filter(move |piece| Some(piece.id) != self.piece && !is_gone)
    }

    fn is_in(&self, set: Option<SetPlace>, cell: CellId) -> bool {
        set.and_then(|set| self.sets.get(set)).is_some_and(|set| set.contains(cell))
    }
}

impl PlacedEnclosure {
    pub(super) fn new(enclosure: Enclosure, sets: &mut Sets) -> Self {
        let mut place = |cells: &Option<CellsOf>| cells.as_ref().map(|cells| sets.add(cells));
        let (on, against) = (place(&enclosure.on), place(&enclosure.against));
        Self { enclosure, on, against }
    }

    /// Adds what is captured by a piece that has come to a cell.
    pub(super) fn captured(&self, arrival: Arrival<'_>, out: &mut Captured) {
        let board = arrival.state.board();
        for (direction, next) in board.steps(arrival.cell).iter().filter(|(direction, _)| self.allows(*direction)) {
            if self.enclosure.in_rows {
                self.add_row(arrival, *direction, *next, out);
            } else if self.may_be_on(arrival, *next) && self.encloses(arrival, *next, *direction) {
                self.add(arrival, *next, out);
            }
        }
    }

    /// Adds the pieces in a row up to the next one that helps; nothing if there is none.
    fn add_row(&self, arrival: Arrival<'_>, direction: DirectionId, first: CellId, out: &mut Captured) {
        let before = out.len();
        let mut cell = first;
        while !self.helps(arrival, cell) {
            let next = arrival.state.board().step(cell, direction).filter(|next| *next != first);
            let (true, true, Some(next)) = (self.may_be_on(arrival, cell), self.add(arrival, cell, out), next) else {
                out.truncate(before);
                return;
            };
            cell = next;
        }
    }

    /// Adds the pieces on a cell that are captured if they are enclosed. Returns whether there are any.
    fn add(&self, arrival: Arrival<'_>, cell: CellId, out: &mut Captured) -> bool {
        let mut is_one = false;
        for piece in arrival.pieces_at(cell) {
            if piece.owner.is_some_and(|owner| owner != arrival.seat) && has(&self.enclosure.kinds, piece.kind) {
                is_one = true;
                if !out.iter().any(|known| known.piece == piece.id) {
                    out.push(CapturedPiece {
                        cell,
                        piece: piece.id,
                        turns: self.enclosure.turns,
                    });
                }
            }
        }
        is_one
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
