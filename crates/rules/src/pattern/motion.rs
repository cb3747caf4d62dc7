//! Ways of moving from cell to cell, declared as data.
//!
//! They are a list of [`Motion`]s. Each says for which pieces, along which directions and over what a piece moves. A hop
//! goes on in the direction in which it began: over the next cell of the line to the one behind.

use std::ops::ControlFlow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::super::Transaction;
use super::{PatternMove, Sink};
use boardwright_model::Rejection;
use boardwright_model::{Board, CellId, CellSet, DirectionId, KindId, Path, Piece, PieceId, Place, RegionId, SeatId, State};

/// How a piece gets from cell to cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gait {
    /// To a neighbouring cell.
    Step,
    /// Over a neighbouring piece to the cell behind it.
    Hop,
    /// Along a direction over any number of empty cells.
    Slide,
}

/// Whose piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Whose {
    /// One of another seat.
    Enemy,
    /// One of the same seat.
    Own,
    /// Anyone's.
    Any,
}

/// What may be on the cell a piece comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Into {
    /// Nothing.
    Empty,
    /// An enemy piece, which is captured.
    Enemy,
    /// Nothing, or an enemy piece, which is captured.
    EmptyOrEnemy,
}

/// One way of moving.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Motion {
    /// The number of the rule.
    pub rule: Arc<str>,
    /// How the piece moves.
    pub gait: Gait,
    /// The kinds that move so; empty for all.
    pub kinds: Vec<KindId>,
    /// The region in which the piece must start.
    pub starts_in: Option<RegionId>,
    /// The directions; empty for all.
    pub directions: Vec<DirectionId>,
    /// Over whose piece it hops.
    pub over: Whose,
    /// Whether the pieces hopped over are captured. They leave the board at once.
    pub captures: bool,
    /// What may be on the cell it comes to.
    pub into: Into,
    /// The least number of times it moves so in one action, at least 1.
    pub at_least: u8,
    /// The greatest number of times it moves so in one action.
    pub at_most: u8,
    /// Whether it may end where it began.
    pub may_return: bool,
    /// When a motion of a higher rank is possible for any piece of the seat, those of lower ranks are not.
    pub rank: u8,
}

impl Default for Motion {
    fn default() -> Self {
        Self {
            rule: Arc::from(""),
            gait: Gait::Step,
            kinds: Vec::new(),
            starts_in: None,
            directions: Vec::new(),
            over: Whose::Enemy,
            captures: false,
            into: Into::Empty,
            at_least: 1,
            at_most: 1,
            may_return: true,
            rank: 0,
        }
    }
}

/// Motions made ready for a board.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_field_names, reason = "no other word says what they are")]
pub struct Motions {
    motions: Vec<Motion>,
    /// For each cell, the cells hopped over and landed on.
    hops: Vec<SmallVec<[(DirectionId, CellId, CellId); 8]>>,
    has_ranks: bool,
}

impl Motions {
    /// Makes motions ready for a board.
    pub fn new(motions: Vec<Motion>, board: &Board) -> Self {
        let mut hops = Vec::new();
        if motions.iter().any(|motion| motion.gait == Gait::Hop) {
            let beyond = |over: CellId, direction| board.step(over, direction);
            hops.extend(board.cells().map(|cell| {
                let steps = board.steps(cell).iter();
                steps
                    .filter_map(|(direction, over)| Some((*direction, *over, beyond(*over, *direction)?)))
                    .collect::<SmallVec<_>>()
            }));
        }
        let has_ranks = motions.iter().any(|motion| motion.rank > 0);
        Self { motions, hops, has_ranks }
    }

    /// Lists the moves of a seat's pieces: each piece with the cells it visits. A move may come more than once where two
    /// motions give the same path.
    ///
    /// Returns false where there are more ways than can be gone: then not all are listed.
    pub(super) fn list(&self, state: &State, seat: SeatId, sink: &mut Sink<'_>) -> bool {
        let mut legs_left = MOST_LEGS;
        self.list_by_rank(state, seat, &mut legs_left, sink);
        legs_left > 0
    }

    fn list_by_rank(&self, state: &State, seat: SeatId, legs_left: &mut u32, sink: &mut Sink<'_>) {
        let Some(cells) = state.owned_by(seat) else { return };
        if !self.has_ranks {
            let _ = self.list_rank(state, seat, (cells, None), legs_left, sink);
            return;
        }
        let mut ranks: SmallVec<[u8; 4]> = self.motions.iter().map(|motion| motion.rank).collect();
        ranks.sort_unstable_by(|a, b| b.cmp(a));
        ranks.dedup();
        for rank in ranks {
            let mut found = false;
            let flow = self.list_rank(state, seat, (cells, Some(rank)), legs_left, &mut |one| {
                found = true;
                sink(one)
            });
            if found || flow.is_break() {
                return;
            }
        }
    }

    fn list_rank(
        &self,
        state: &State,
        seat: SeatId,
        (cells, rank): (&CellSet, Option<u8>),
        legs_left: &mut u32,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let mut walk = Walk {
            pattern: self,
            state,
            seat,
            path: Path::new(),
            taken: SmallVec::new(),
            legs_left,
            sink,
        };
        for cell in cells {
            for piece in state.pieces_at(cell) {
                let Some(piece) = state.piece(*piece).filter(|piece| piece.owner == Some(seat)) else {
                    continue;
                };
                for motion in &self.motions {
                    if rank.is_none_or(|rank| rank == motion.rank) && motion.fits(state, piece.kind, cell) {
                        walk.go(motion, piece, cell, cell)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Carries a move out: the piece visits the cells of its path, what it hops over or lands on is captured. Returns the
    /// number of captures. A leg to a neighbouring cell is a step, any other a hop or slide.
    ///
    /// # Errors
    /// If the piece is not on the board.
    pub(super) fn follow(&self, transaction: &mut Transaction, piece: PieceId, path: &[CellId]) -> Result<usize, Rejection> {
        let Some(mut cell) = transaction.state().piece(piece).and_then(|piece| piece.place.cell()) else {
            return Ok(0);
        };
        let owner = transaction.state().piece(piece).and_then(|piece| piece.owner);
        let mut captured = 0;
        for next in path {
            let hops = self.hops.get(cell.index());
            let hop = hops.and_then(|hops| hops.iter().find(|(_, _, land)| land == next));
            let is_step = transaction.state().board().neighbours(cell).contains(next);
            let over = hop.filter(|_| !is_step).map(|(_, over, _)| *over);
            for (target, captures) in [(over, self.captures_by_hopping()), (Some(*next), true)] {
                let Some(target) = target.filter(|_| captures) else { continue };
                if transaction.state().occupied().contains(target) {
                    for enemy in transaction.enemies_at(target, owner.unwrap_or(SeatId(u8::MAX))) {
                        transaction.remove(enemy)?;
                        captured += 1;
                    }
                }
            }
            transaction.move_piece(piece, Place::Cell(*next), None)?;
            cell = *next;
        }
        Ok(captured)
    }

    fn captures_by_hopping(&self) -> bool {
        self.motions.iter().any(|motion| motion.gait == Gait::Hop && motion.captures)
    }
}

impl Motion {
    fn fits(&self, state: &State, kind: KindId, cell: CellId) -> bool {
        (self.kinds.is_empty() || self.kinds.contains(&kind))
            && self.starts_in.is_none_or(|region| state.board().region(region).contains(cell))
    }

    fn allows(&self, direction: DirectionId) -> bool {
        self.directions.is_empty() || self.directions.contains(&direction)
    }
}

/// The most legs that are gone to list the moves of a seat. Motions that may go back and forth would have no end.
const MOST_LEGS: u32 = 1_000_000;

struct Walk<'a, 's> {
    pattern: &'a Motions,
    state: &'a State,
    seat: SeatId,
    path: Path,
    taken: SmallVec<[CellId; 8]>,
    legs_left: &'a mut u32,
    sink: &'a mut Sink<'s>,
}

impl Walk<'_, '_> {
    /// Whether a cell is empty while the piece is on its way from `start`.
    fn is_empty(&self, cell: CellId, start: CellId) -> bool {
        !self.state.occupied().contains(cell) || self.taken.contains(&cell) || (cell == start && self.state.pieces_at(start).len() == 1)
    }

    /// Whether a piece on a cell has an owner of whom something is true.
    fn has_owner(&self, cell: CellId, is_meant: impl Fn(SeatId) -> bool) -> bool {
        let mut pieces = self.state.pieces_at(cell).iter().filter_map(|piece| self.state.piece(*piece));
        pieces.any(|piece| piece.owner.is_some_and(&is_meant))
    }

    fn has_enemy(&self, cell: CellId) -> bool {
        !self.taken.contains(&cell) && self.has_owner(cell, |owner| owner != self.seat)
    }

    fn may_enter(&self, into: Into, cell: CellId, start: CellId) -> bool {
        let is_empty = self.is_empty(cell, start);
        match into {
            Into::Empty => is_empty,
            Into::Enemy => !is_empty && self.has_enemy(cell),
            Into::EmptyOrEnemy => is_empty || self.has_enemy(cell),
        }
    }

    fn may_hop(&self, whose: Whose, cell: CellId, start: CellId) -> bool {
        if self.is_empty(cell, start) {
            return false;
        }
        match whose {
            Whose::Any => true,
            Whose::Enemy => self.has_enemy(cell),
            Whose::Own => cell != start && self.has_owner(cell, |owner| owner == self.seat),
        }
    }

    fn go(&mut self, motion: &Motion, piece: &Piece, start: CellId, cell: CellId) -> ControlFlow<()> {
        let board = self.state.board();
        match motion.gait {
            Gait::Step => {
                for (direction, next) in board.steps(cell) {
                    if motion.allows(*direction) && self.may_enter(motion.into, *next, start) {
                        self.arrive(motion, piece, start, *next, None)?;
                    }
                }
            }
            Gait::Hop => {
                let pattern = self.pattern;
                for (direction, over, next) in pattern.hops.get(cell.index()).map_or(&[][..], SmallVec::as_slice) {
                    if motion.allows(*direction)
                        && self.state.occupied().contains(*over)
                        && self.may_hop(motion.over, *over, start)
                        && self.may_enter(motion.into, *next, start)
                    {
                        self.arrive(motion, piece, start, *next, motion.captures.then_some(*over))?;
                    }
                }
            }
            Gait::Slide => {
                for (direction, _) in board.steps(cell).iter().filter(|(direction, _)| motion.allows(*direction)) {
                    for next in board.ray(cell, *direction) {
                        if self.may_enter(motion.into, next, start) {
                            self.arrive(motion, piece, start, next, None)?;
                        }
                        if !self.is_empty(next, start) {
                            break;
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn arrive(&mut self, motion: &Motion, piece: &Piece, start: CellId, cell: CellId, captured: Option<CellId>) -> ControlFlow<()> {
        let landed_on = (captured.is_none() && !self.is_empty(cell, start)).then_some(cell);
        let taken = captured.or(landed_on);
        *self.legs_left = self.legs_left.saturating_sub(1);
        if *self.legs_left == 0 {
            return ControlFlow::Break(());
        }
        self.path.push(cell);
        self.taken.extend(taken);
        let legs = self.path.len();
        let mut flow = ControlFlow::Continue(());
        if legs >= usize::from(motion.at_least) && (motion.may_return || cell != start) {
            flow = (self.sink)(PatternMove::Path(piece.id, &self.path));
        }
        if flow.is_continue() && legs < usize::from(motion.at_most) && landed_on.is_none() {
            flow = self.go(motion, piece, start, cell);
        }
        self.path.pop();
        if taken.is_some() {
            self.taken.pop();
        }
        flow
    }
}
