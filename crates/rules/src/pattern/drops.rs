//! Drops: pieces that come onto the board, one on a cell, declared as data.

use std::borrow::Cow;
use std::sync::Arc;

use super::cells::{CellsOf, Each, Place as SetPlace, Sets};
use super::enclosure::{Arrival, Captured, Enclosure, PlacedEnclosure};
use crate::Transaction;
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{Board, CellId, CellSet, KindId, PieceId, Place, Rejection, SeatId, State, ZoneId};

/// One way in which pieces come onto the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drop {
    /// The number of the rule.
    pub rule: Arc<str>,
    /// The kind of the piece.
    pub kind: KindId,
    /// The zone it comes from, whoever owned it there; `None` if it is made.
    pub from: Option<Each<ZoneId>>,
    /// The seats that drop so; empty for all.
    pub seats: Vec<SeatId>,
    /// The cells it may come to.
    pub on: CellsOf,
    /// How enemies next to it are captured.
    pub enclosures: Vec<Enclosure>,
    /// Whether it may come only where it captures.
    pub must_capture: bool,
}

/// Drops made ready for a board.
#[derive(Clone, Debug, PartialEq)]
pub struct Drops {
    placed: Vec<Placed>,
    sets: Sets,
}

/// A drop with the places of its sets.
#[derive(Clone, Debug, PartialEq)]
struct Placed {
    drop: Drop,
    on: SetPlace,
    enclosures: Vec<PlacedEnclosure>,
}

impl Drops {
    /// Makes drops ready for a board.
    pub fn new(drops: Vec<Drop>, board: &Board) -> Self {
        let of_enclosures = |drop: &'_ Drop| -> Vec<CellsOf> { drop.enclosures.iter().flat_map(Enclosure::sets).cloned().collect() };
        let all: Vec<CellsOf> = drops
            .iter()
            .flat_map(|drop| std::iter::once(drop.on.clone()).chain(of_enclosures(drop)))
            .collect();
        let mut sets = Sets::new(all.iter(), board);
        let placed = drops.into_iter().map(|drop| Placed {
            on: sets.add(&drop.on),
            enclosures: drop
                .enclosures
                .iter()
                .map(|enclosure| PlacedEnclosure::new(enclosure.clone(), &mut sets))
                .collect(),
            drop,
        });
        let placed = placed.collect();
        Self { placed, sets }
    }

    /// The cells to which a seat can drop a piece.
    pub(super) fn cells(&self, state: &State, seat: SeatId) -> CellSet {
        let mut cells = CellSet::empty(state.board().cell_count());
        let sets = self.sets.of(state, seat);
        for placed in self.placed.iter().filter(|placed| placed.is_of(state, seat)) {
            match sets.get(placed.on) {
                Some(on) if placed.drop.must_capture => {
                    // Captures are of what stands next to the cell.
                    let near = state.board().dilate(&enemies(state, seat), 1);
                    let captures = |cell: &CellId| !placed.captured(state, &sets, seat, None, *cell).is_empty();
                    cells.extend(on.intersection(&near).iter().filter(captures));
                }
                Some(on) => cells.union_with(on),
                None => {}
            }
        }
        cells
    }

    /// Drops a piece on a cell; what it encloses is captured. Returns the number of captures.
    ///
    /// # Errors
    /// If there is no such piece to drop.
    pub(super) fn follow(&self, transaction: &mut Transaction, seat: SeatId, cell: CellId) -> Result<usize, Rejection> {
        let state = transaction.state();
        let sets = self.sets.of(state, seat);
        let fits = |placed: &&Placed| {
            placed.is_of(state, seat)
                && sets.get(placed.on).is_some_and(|on| on.contains(cell))
                && !(placed.drop.must_capture && placed.captured(state, &sets, seat, None, cell).is_empty())
        };
        let Some(placed) = self.placed.iter().find(fits) else {
            let name = state.board().cell_name(cell);
            return Err(Diagnostic::error(Code::NoSuchThing, format!("the pattern lets no piece come to {name} now")).into());
        };
        let captured = placed.captured(state, &sets, seat, None, cell);
        let waiting = placed.waiting(state, seat);
        drop(sets);
        match waiting {
            Some(piece) => {
                transaction.move_piece(piece, Place::Cell(cell), None)?;
                transaction.set_owner(piece, Some(seat))?;
            }
            None => drop(transaction.spawn(placed.drop.kind, Some(seat), Place::Cell(cell))?),
        }
        for one in &captured {
            one.leave_to(transaction, seat)?;
        }
        Ok(captured.len())
    }
}

impl Placed {
    /// Whether a seat has something to drop so.
    fn is_of(&self, state: &State, seat: SeatId) -> bool {
        let may = self.drop.seats.is_empty() || self.drop.seats.contains(&seat);
        may && (self.drop.from.is_none() || self.waiting(state, seat).is_some())
    }

    /// The first piece of the kind in the zone that it comes from.
    fn waiting(&self, state: &State, seat: SeatId) -> Option<PieceId> {
        let zone = state.zone(*self.drop.from.as_ref()?.now(state, seat)?)?;
        let is_of_kind = |piece: &&PieceId| state.piece(**piece).is_some_and(|piece| piece.kind == self.drop.kind);
        zone.pieces().iter().find(is_of_kind).copied()
    }

    fn captured(&self, state: &State, sets: &[CellSet], seat: SeatId, piece: Option<PieceId>, cell: CellId) -> Captured {
        let mut captured = Captured::new();
        let arrival = Arrival {
            state,
            sets,
            seat,
            piece,
            cell,
            taken: &[],
        };
        for enclosure in &self.enclosures {
            enclosure.captured(arrival, &mut captured);
        }
        captured
    }
}

/// The cells with a piece of another seat.
pub(super) fn enemies(state: &State, seat: SeatId) -> Cow<'_, CellSet> {
    let all = state.declarations().all_seats();
    let mut others = all.iter().filter(|other| *other != seat).filter_map(|other| state.owned_by(other));
    let (first, second) = (others.next(), others.next());
    if let (Some(enemies), None) = (first, second) {
        return Cow::Borrowed(enemies);
    }
    let mut enemies = CellSet::empty(state.board().cell_count());
    let all = first.into_iter().chain(second).chain(others);
    all.for_each(|cells| enemies.union_with(cells));
    Cow::Owned(enemies)
}
