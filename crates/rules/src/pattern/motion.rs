//! Ways of moving from cell to cell, declared as data.
//!
//! They are a list of [`Motion`]s. Each says for which pieces, along which directions and over what a piece moves. A hop
//! goes on in the direction in which it began: over the next cell of the line to the one behind.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Arc;

use smallvec::SmallVec;

use super::super::Transaction;
use super::cell_table::CellTable;
use super::cells::{CellsOf, Place as SetPlace, Sets};
use super::drops::enemies;
use super::enclosure::{Arrival, Captured, Enclosure, PlacedEnclosure};
use super::track::Track;
use super::ways::{Way, Ways};
use super::{Moves, PatternMove, Sink};
use crate::Generator;
use boardwright_model::Rejection;
use boardwright_model::{Board, CellId, CellSet, DirectionId, KindId, Path, PieceId, Place, RegionId, SeatId, State};

/// How a piece gets from cell to cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gait {
    /// To a neighbouring cell.
    Step,
    /// Over a neighbouring piece to the cell behind it.
    Hop,
    /// Along a direction over any number of empty cells.
    Slide,
    /// Along the motion's track by a number of cells, whatever stands on those between.
    Advance,
}

/// Whose piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// One of another seat.
    Enemy,
    /// One of the same seat.
    Own,
    /// Anyone's.
    Any,
}

/// What may be on the cell a piece comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Into {
    /// Nothing.
    Empty,
    /// An enemy piece, which is captured.
    Enemy,
    /// Nothing, or an enemy piece, which is captured.
    EmptyOrEnemy,
}

/// One way of moving.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Motion {
    /// The number of the rule.
    pub rule: Arc<str>,
    /// How the piece moves.
    pub gait: Gait,
    /// The kinds that move so; empty for all.
    pub kinds: Vec<KindId>,
    /// The seats whose pieces move so; empty for all.
    pub seats: Vec<SeatId>,
    /// The region in which the piece must start.
    pub starts_in: Option<RegionId>,
    /// The directions; empty for all.
    pub directions: Vec<DirectionId>,
    /// Along what it advances.
    pub track: Option<Arc<Track>>,
    /// The cells that it does not leave on its way; `None` for all.
    pub within: Option<CellsOf>,
    /// The cells on which it may end; `None` for all.
    pub ends_on: Option<CellsOf>,
    /// Over whose piece it hops.
    pub over: Whose,
    /// Whether the pieces hopped over are captured. They leave the board at once.
    pub captures: bool,
    /// How enemies next to a cell that it comes to are captured.
    pub enclosures: Vec<Enclosure>,
    /// What kind it becomes if it ends on a cell of a set; the first that applies.
    pub promotions: Vec<(KindId, CellsOf)>,
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
            seats: Vec::new(),
            starts_in: None,
            directions: Vec::new(),
            track: None,
            within: None,
            ends_on: None,
            over: Whose::Enemy,
            captures: false,
            enclosures: Vec::new(),
            promotions: Vec::new(),
            into: Into::Empty,
            at_least: 1,
            at_most: 1,
            may_return: true,
            rank: 0,
        }
    }
}

/// The hops that lead away from a cell: in which direction, over what, and to where.
pub(super) type Hops = SmallVec<[(DirectionId, CellId, CellId); 8]>;

/// Motions made ready for a board.
#[derive(Clone, Debug, PartialEq)]
pub struct Motions {
    placed: Vec<Placed>,
    /// For each cell, the cells hopped over and landed on.
    hops: Vec<Hops>,
    has_ranks: bool,
    has_kinds: bool,
    sets: Sets,
    ways: Ways,
}

/// A motion with the places of its sets.
#[derive(Clone, Debug, PartialEq)]
struct Placed {
    motion: Motion,
    within: Option<SetPlace>,
    ends_on: Option<SetPlace>,
    enclosures: Vec<PlacedEnclosure>,
    promotions: Vec<(KindId, SetPlace)>,
    /// For each cell, the neighbours to which or over which the motion can begin there, where that is known.
    beginnings: Option<CellTable>,
}

/// The most cells of a board on which motions know where they can begin.
const MOST_CELLS_WITH_BEGINNINGS: usize = 512;

/// What stands where before a piece is on its way.
struct Occupancy<'a> {
    occupied: &'a CellSet,
    /// The cells with a piece of another seat; empty where no motion looks at them.
    enemies: Cow<'a, CellSet>,
}

impl Occupancy<'_> {
    fn may_enter(&self, into: Into, cell: CellId) -> bool {
        match into {
            Into::Empty => !self.occupied.contains(cell),
            Into::Enemy => self.enemies.contains(cell),
            Into::EmptyOrEnemy => !self.occupied.contains(cell) || self.enemies.contains(cell),
        }
    }

    /// Whether a piece can go a way from its cell, on which it stands alone.
    fn lets_go(&self, placed: &Placed, way: &Way, start: CellId, sets: &[CellSet]) -> bool {
        let motion = &placed.motion;
        let is_in = |set: Option<SetPlace>, cell: CellId| set.is_none_or(|set| sets.get(set).is_some_and(|set| set.contains(cell)));
        let is_empty = |cell: CellId| cell == start || !self.occupied.contains(cell);
        let lets_hop = |over: CellId| match motion.over {
            Whose::Enemy => self.enemies.contains(over),
            Whose::Own | Whose::Any => !is_empty(over),
        };
        let lets_enter = |cell: CellId| (cell == start && motion.into != Into::Enemy) || self.may_enter(motion.into, cell);
        way.path.iter().all(|cell| lets_enter(*cell) && is_in(placed.within, *cell))
            && way.past.iter().all(|cell| is_empty(*cell) && is_in(placed.within, *cell))
            && way.over.is_none_or(lets_hop)
            && way.path.last().is_some_and(|cell| is_in(placed.ends_on, *cell))
    }

    /// Whether a motion may be possible for a piece on a cell: whether it can begin with one of the neighbours.
    fn lets_begin(&self, placed: &Placed, cell: CellId) -> bool {
        let Some(beginnings) = placed.beginnings.as_ref().map(|table| table.of(cell)) else {
            return true;
        };
        match (placed.motion.gait, placed.motion.into, placed.motion.over) {
            (Gait::Step, Into::Enemy, _) | (Gait::Hop, _, Whose::Enemy) => beginnings.intersects(&self.enemies),
            (Gait::Hop, _, Whose::Own | Whose::Any) => beginnings.intersects(self.occupied),
            (Gait::Step | Gait::Slide, Into::Empty, _) => !beginnings.is_subset(self.occupied),
            (Gait::Step | Gait::Slide, ..) => !beginnings.is_subset(self.occupied) || beginnings.intersects(&self.enemies),
            (Gait::Advance, ..) => true,
        }
    }
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
        let mut sets = Sets::new(motions.iter().flat_map(Motion::sets), board);
        let ways = Ways::new(motions.iter(), board, &hops, MOST_CELLS_WITH_BEGINNINGS);
        Self {
            has_ranks: motions.iter().any(|motion| motion.rank > 0),
            has_kinds: motions.iter().any(|motion| !motion.kinds.is_empty()),
            ways,
            placed: motions
                .into_iter()
                .map(|motion| {
                    let beginnings = beginnings(&motion, board, &hops);
                    Placed::new(motion, beginnings, &mut sets)
                })
                .collect(),
            hops,
            sets,
        }
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
        let (sets, occupancy) = (self.sets.of(state, seat), self.occupancy(state, seat));
        let mut list_rank = |rank: Option<u8>, sink: &mut Sink<'_>| {
            let mut walk = Walk::new(self, (state, seat), (&sets, &occupancy), legs_left, sink);
            self.each(state, seat, |placed, piece, cell| {
                if rank.is_none_or(|rank| rank == placed.motion.rank) {
                    walk.go(placed, piece, cell, cell)
                } else {
                    ControlFlow::Continue(())
                }
            })
        };
        if !self.has_ranks {
            let _ = list_rank(None, sink);
            return;
        }
        let mut ranks: SmallVec<[u8; 4]> = self.placed.iter().map(|placed| placed.motion.rank).collect();
        ranks.sort_unstable_by(|a, b| b.cmp(a));
        ranks.dedup();
        for rank in ranks {
            let mut found = false;
            let flow = list_rank(Some(rank), &mut |one| {
                found = true;
                sink(one)
            });
            if found || flow.is_break() {
                return;
            }
        }
    }

    /// Calls a function for each piece of a seat and each motion that fits it.
    fn each(&self, state: &State, seat: SeatId, mut call: impl FnMut(&Placed, PieceId, CellId) -> ControlFlow<()>) -> ControlFlow<()> {
        for cell in state.owned_by(seat).into_iter().flatten() {
            let pieces = state.pieces_at(cell);
            for id in pieces {
                // Whose a piece is that stands there alone is known, and what kind it is does not always matter.
                let mut kind = None;
                if self.has_kinds || pieces.len() > 1 {
                    let piece = state.piece(*id).filter(|piece| piece.owner == Some(seat));
                    kind = piece.map(|piece| piece.kind);
                    if kind.is_none() {
                        continue;
                    }
                }
                for placed in &self.placed {
                    if placed.motion.fits(state, seat, kind, cell) {
                        call(placed, *id, cell)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn occupancy<'a>(&self, state: &'a State, seat: SeatId) -> Occupancy<'a> {
        let enemies = if self.placed.iter().any(|placed| placed.motion.looks_at_enemies()) {
            enemies(state, seat)
        } else {
            Cow::Owned(CellSet::empty(state.board().cell_count()))
        };
        Occupancy {
            occupied: state.occupied(),
            enemies,
        }
    }

    /// Lists the moves of a seat's pieces in their shortest form: those of [`list`](Self::list), in its order.
    pub(super) fn collect(&self, state: &State, seat: SeatId, moves: &mut Moves) {
        if self.has_ranks {
            let _ = self.list(state, seat, &mut |found| moves.add_found(found));
        } else {
            let _ = self.each_move(state, seat, &mut |found| moves.add_found(found));
        }
    }

    /// Whether a seat has any move.
    pub(super) fn has_any(&self, state: &State, seat: SeatId) -> bool {
        self.each_move(state, seat, &mut |_| ControlFlow::Break(())).is_break()
    }

    /// Calls a function for each move of a seat, whatever its rank. Looks first whether a motion can begin.
    fn each_move(&self, state: &State, seat: SeatId, sink: &mut impl FnMut(PatternMove<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        let (sets, occupancy, board) = (self.sets.of(state, seat), self.occupancy(state, seat), state.board());
        let mut legs_left = MOST_LEGS;
        let is_in = |set: Option<SetPlace>, cell| set.is_none_or(|set| sets.get(set).is_some_and(|set| set.contains(cell)));
        let flow = self.each(state, seat, |placed, piece, cell| {
            let motion = &placed.motion;
            if !self.can_begin(&occupancy, placed, cell) {
                return ControlFlow::Continue(());
            }
            if motion.is_single_step() && placed.beginnings.is_some() {
                for (direction, next) in board.steps(cell) {
                    let ends = motion.allows(*direction) && occupancy.may_enter(motion.into, *next);
                    if ends && is_in(placed.within, *next) && is_in(placed.ends_on, *next) {
                        sink(PatternMove::Path(piece, &[*next]))?;
                    }
                }
                return ControlFlow::Continue(());
            }
            Walk::new(self, (state, seat), (&sets, &occupancy), &mut legs_left, sink).go(placed, piece, cell, cell)
        });
        // Where there are more ways than can be gone, a walk breaks off as well.
        if legs_left > 0 { flow } else { ControlFlow::Continue(()) }
    }

    /// Samples one of the moves of a seat without listing all. `None` where that does not come to an end soon.
    ///
    /// A piece is proposed with one of the ways that lead from its cell, each as likely as any other, until one can be gone. The moves of
    /// motions whose ways are open are listed, and each is as likely as a proposal.
    pub(super) fn sample<'a>(
        &'a self,
        state: &State,
        seat: SeatId,
        generator: &mut Generator,
        moves: &'a mut Moves,
    ) -> Option<PatternMove<'a>> {
        if self.has_ranks || !self.ways.has_any() {
            return None;
        }
        // Each piece with the number of the ways from its cell and from those of the pieces before it.
        let mut pieces: SmallVec<[(CellId, PieceId, usize); 64]> = SmallVec::new();
        let mut proposals = 0;
        for cell in state.owned_by(seat)? {
            let &[piece] = state.pieces_at(cell) else { return None };
            proposals += self.ways.count(cell);
            pieces.push((cell, piece, proposals));
        }
        let (sets, occupancy) = (self.sets.of(state, seat), self.occupancy(state, seat));
        let kind = |piece: PieceId| state.piece(piece).filter(|_| self.has_kinds).map(|piece| piece.kind);
        moves.clear();
        let mut legs_left = MOST_LEGS;
        let mut sink = |found: PatternMove<'_>| moves.add_found(found);
        let mut walk = Walk::new(self, (state, seat), (&sets, &occupancy), &mut legs_left, &mut sink);
        for placed in self.ways.open.iter().filter_map(|place| self.placed.get(*place)) {
            for (cell, piece, _) in &pieces {
                if self.can_begin(&occupancy, placed, *cell) && placed.motion.fits(state, seat, kind(*piece), *cell) {
                    let flow = walk.go(placed, *piece, *cell, *cell);
                    if flow.is_break() {
                        return None;
                    }
                }
            }
        }
        let listed = moves.count();
        let all = u32::try_from(listed + proposals).ok()?;
        for _ in 0..Self::PROPOSALS {
            let index = generator.below(all) as usize;
            let Some(index) = index.checked_sub(listed) else {
                return moves.nth(index);
            };
            let (cell, piece, end) = *pieces.get(pieces.partition_point(|(.., end)| *end <= index))?;
            let way = self.ways.get(cell, end - 1 - index)?;
            let placed = self.placed.get(way.motion)?;
            if occupancy.lets_go(placed, way, cell, &sets) && placed.motion.fits(state, seat, kind(piece), cell) {
                return Some(PatternMove::Path(piece, &way.path));
            }
        }
        None
    }

    /// So many ways are proposed before all moves are listed.
    const PROPOSALS: u32 = 48;

    /// Whether a motion may be possible for a piece on a cell, as things stand.
    fn can_begin(&self, occupancy: &Occupancy<'_>, placed: &Placed, cell: CellId) -> bool {
        occupancy.lets_begin(placed, cell) && (placed.motion.gait != Gait::Hop || self.can_hop(occupancy, &placed.motion, cell))
    }

    /// Whether a hop may be possible from a cell, as things stand.
    fn can_hop(&self, occupancy: &Occupancy<'_>, motion: &Motion, cell: CellId) -> bool {
        let hops = self.hops.get(cell.index()).map_or(&[][..], SmallVec::as_slice);
        hops.iter().any(|(direction, over, next)| {
            let is_over = match motion.over {
                Whose::Enemy => occupancy.enemies.contains(*over),
                Whose::Own | Whose::Any => occupancy.occupied.contains(*over),
            };
            is_over && motion.allows(*direction) && (*next == cell || occupancy.may_enter(motion.into, *next))
        })
    }

    /// Whether a move may capture something: it comes to cells with others on them, or goes further than a step where hops capture, or something
    /// captures by enclosing.
    pub(super) fn may_capture(&self, state: &State, seat: SeatId, piece: PieceId, path: &[CellId]) -> bool {
        let is_others = |cell: &CellId| state.occupied().contains(*cell) && !state.owned_by(seat).is_some_and(|own| own.contains(*cell));
        if path.iter().any(is_others) || self.placed.iter().any(|placed| !placed.enclosures.is_empty()) {
            return true;
        }
        let Some(start) = state.piece(piece).and_then(|piece| piece.place.cell()) else {
            return true;
        };
        let hops_capture = self
            .placed
            .iter()
            .any(|placed| placed.motion.gait == Gait::Hop && placed.motion.captures);
        let mut legs = std::iter::once(&start).chain(path).zip(path);
        hops_capture && legs.any(|(from, to)| !state.board().neighbours(*from).contains(to))
    }

    /// Carries a move out: the piece visits the cells of its path; what it hops over, lands on or encloses is captured, and it is promoted
    /// where it ends. Returns the number of captures. A leg to a neighbouring cell is a step, any other a hop or slide.
    ///
    /// # Errors
    /// If the piece is not on the board.
    pub(super) fn follow(&self, transaction: &mut Transaction, piece: PieceId, path: &[CellId]) -> Result<usize, Rejection> {
        let Some((start, kind, owner)) = transaction
            .state()
            .piece(piece)
            .and_then(|piece| Some((piece.place.cell()?, piece.kind, piece.owner)))
        else {
            return Ok(0);
        };
        let seat = owner.unwrap_or(SeatId(u8::MAX));
        let followed = self.followed(transaction.state(), seat, kind, start, path);
        let captures_by_hopping = self
            .placed
            .iter()
            .any(|placed| placed.motion.gait == Gait::Hop && placed.motion.captures);
        let mut cell = start;
        let mut captured = 0;
        for next in path {
            let hops = self.hops.get(cell.index());
            let hop = hops.and_then(|hops| hops.iter().find(|(_, _, land)| land == next));
            let is_step = transaction.state().board().neighbours(cell).contains(next);
            let over = hop.filter(|_| !is_step).map(|(_, over, _)| *over);
            for (target, captures) in [(over, captures_by_hopping), (Some(*next), true)] {
                let Some(target) = target.filter(|_| captures) else { continue };
                if transaction.state().occupied().contains(target) {
                    for enemy in transaction.enemies_at(target, seat) {
                        transaction.remove(enemy)?;
                        captured += 1;
                    }
                }
            }
            transaction.move_piece(piece, Place::Cell(*next), None)?;
            cell = *next;
            for enemy in self.enclosed(transaction.state(), &followed, (seat, piece, cell)) {
                enemy.leave_to(transaction, seat)?;
                captured += 1;
            }
        }
        if let Some(kind) = self.promotion(transaction.state(), &followed, seat, cell) {
            transaction.remove(piece)?;
            transaction.spawn(kind, owner, Place::Cell(cell))?;
        }
        Ok(captured)
    }

    /// The motions with consequences by which a piece can go a way.
    fn followed(&self, state: &State, seat: SeatId, kind: KindId, start: CellId, path: &[CellId]) -> SmallVec<[&Placed; 2]> {
        let all = self.placed.iter();
        let with_consequences = all.filter(|placed| !placed.enclosures.is_empty() || !placed.promotions.is_empty());
        let found = with_consequences.filter(|placed| {
            let from = std::iter::once(&start).chain(path);
            let goes = |(from, to): (&CellId, &CellId)| self.goes(state, &placed.motion, *from, *to);
            placed.motion.fits(state, seat, Some(kind), start) && from.zip(path).all(goes)
        });
        found.collect()
    }

    /// Whether a motion leads from one cell to another, whatever is on them.
    fn goes(&self, state: &State, motion: &Motion, from: CellId, to: CellId) -> bool {
        let board = state.board();
        let mut steps = board.steps(from).iter().filter(|(direction, _)| motion.allows(*direction));
        match motion.gait {
            Gait::Step => steps.any(|(_, next)| *next == to),
            Gait::Slide => steps.any(|(direction, _)| board.ray(from, *direction).any(|next| next == to)),
            Gait::Hop => {
                let hops = self.hops.get(from.index()).map_or(&[][..], SmallVec::as_slice);
                hops.iter().any(|(direction, _, land)| *land == to && motion.allows(*direction))
            }
            Gait::Advance => motion.track.as_ref().is_some_and(|track| track.target(state, from) == Some(to)),
        }
    }

    fn enclosed(&self, state: &State, followed: &[&Placed], (seat, piece, cell): (SeatId, PieceId, CellId)) -> Captured {
        let mut found = Captured::new();
        if followed.iter().any(|placed| !placed.enclosures.is_empty()) {
            let arrival = Arrival {
                state,
                sets: &self.sets.of(state, seat),
                seat,
                piece: Some(piece),
                cell,
                taken: &[],
            };
            for enclosure in followed.iter().flat_map(|placed| &placed.enclosures) {
                enclosure.captured(arrival, &mut found);
            }
        }
        found
    }

    fn promotion(&self, state: &State, followed: &[&Placed], seat: SeatId, cell: CellId) -> Option<KindId> {
        let mut promotions = followed.iter().flat_map(|placed| &placed.promotions).peekable();
        promotions.peek()?;
        let sets = self.sets.of(state, seat);
        let found = promotions.find(|(_, set)| sets.get(*set).is_some_and(|set| set.contains(cell)));
        found.map(|(kind, _)| *kind)
    }
}

impl Placed {
    fn new(motion: Motion, beginnings: Option<CellTable>, sets: &mut Sets) -> Self {
        let mut place = |cells: &Option<CellsOf>| cells.as_ref().map(|cells| sets.add(cells));
        let (within, ends_on) = (place(&motion.within), place(&motion.ends_on));
        let enclosures = motion.enclosures.iter().cloned();
        let enclosures = enclosures.map(|enclosure| PlacedEnclosure::new(enclosure, sets)).collect();
        let promotions = motion.promotions.iter().map(|(kind, cells)| (*kind, sets.add(cells))).collect();
        Self {
            motion,
            within,
            ends_on,
            enclosures,
            promotions,
            beginnings,
        }
    }
}

/// For each cell of a board that is small enough, the neighbours to which or over which a motion can begin there. `None` where two directions
/// lead to the same neighbour, or one to the cell itself: sets could not tell them apart.
fn beginnings(motion: &Motion, board: &Board, hops: &[Hops]) -> Option<CellTable> {
    if board.cell_count() > MOST_CELLS_WITH_BEGINNINGS || motion.gait == Gait::Advance {
        return None;
    }
    let mut table = CellTable::new(board.cell_count());
    for cell in board.cells() {
        let allowed = |direction: &DirectionId| motion.allows(*direction);
        if motion.gait == Gait::Hop {
            let hops = hops.get(cell.index()).into_iter().flatten();
            let over = hops.filter(|(direction, ..)| allowed(direction)).map(|(_, over, _)| *over);
            over.for_each(|over| _ = table.insert(cell, over));
            continue;
        }
        let mut steps = board.steps(cell).iter().filter(|(direction, _)| allowed(direction));
        if !steps.all(|(_, next)| *next != cell && table.insert(cell, *next)) {
            return None;
        }
    }
    Some(table)
}

impl Motion {
    /// The sets it speaks of.
    fn sets(&self) -> impl Iterator<Item = &CellsOf> {
        let enclosures = self.enclosures.iter().flat_map(Enclosure::sets);
        let promotions = self.promotions.iter().map(|(_, cells)| cells);
        self.within.iter().chain(&self.ends_on).chain(enclosures).chain(promotions)
    }

    /// Whether it is one of a seat's piece on a cell; without a kind any will do.
    fn fits(&self, state: &State, seat: SeatId, kind: Option<KindId>, cell: CellId) -> bool {
        kind.is_none_or(|kind| self.kinds.is_empty() || self.kinds.contains(&kind))
            && (self.seats.is_empty() || self.seats.contains(&seat))
            && self.starts_in.is_none_or(|region| state.board().region(region).contains(cell))
    }

    fn is_single_step(&self) -> bool {
        self.gait == Gait::Step && (self.at_least, self.at_most) == (1, 1)
    }

    fn looks_at_enemies(&self) -> bool {
        self.into != Into::Empty || (self.gait == Gait::Hop && self.over == Whose::Enemy)
    }

    pub(super) fn allows(&self, direction: DirectionId) -> bool {
        self.directions.is_empty() || self.directions.contains(&direction)
    }
}

/// The most legs that are gone to list the moves of a seat. Motions that may go back and forth would have no end.
const MOST_LEGS: u32 = 1_000_000;

struct Walk<'a, 's> {
    pattern: &'a Motions,
    state: &'a State,
    seat: SeatId,
    sets: &'a [CellSet],
    occupancy: &'a Occupancy<'a>,
    path: Path,
    taken: SmallVec<[CellId; 8]>,
    legs_left: &'a mut u32,
    sink: &'a mut Sink<'s>,
}

impl<'a, 's> Walk<'a, 's> {
    fn new(
        pattern: &'a Motions,
        (state, seat): (&'a State, SeatId),
        (sets, occupancy): (&'a [CellSet], &'a Occupancy<'a>),
        legs_left: &'a mut u32,
        sink: &'a mut Sink<'s>,
    ) -> Self {
        Self {
            pattern,
            state,
            seat,
            sets,
            occupancy,
            path: Path::new(),
            taken: SmallVec::new(),
            legs_left,
            sink,
        }
    }

    fn is_in(&self, set: Option<SetPlace>, cell: CellId) -> bool {
        set.is_none_or(|set| self.sets.get(set).is_some_and(|set| set.contains(cell)))
    }

    /// Whether a cell is empty while the piece is on its way from `start`.
    fn is_empty(&self, cell: CellId, start: CellId) -> bool {
        !self.occupancy.occupied.contains(cell) || self.taken.contains(&cell) || (cell == start && self.state.pieces_at(start).len() == 1)
    }

    fn has_enemy(&self, cell: CellId) -> bool {
        self.occupancy.enemies.contains(cell) && !self.taken.contains(&cell)
    }

    fn has_own(&self, cell: CellId) -> bool {
        self.state.owned_by(self.seat).is_some_and(|own| own.contains(cell))
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
        match whose {
            Whose::Any => !self.is_empty(cell, start),
            Whose::Enemy => self.has_enemy(cell),
            Whose::Own => cell != start && self.has_own(cell),
        }
    }

    fn go(&mut self, placed: &Placed, piece: PieceId, start: CellId, cell: CellId) -> ControlFlow<()> {
        let board = self.state.board();
        let motion = &placed.motion;
        match motion.gait {
            Gait::Step => {
                for (direction, next) in board.steps(cell) {
                    if motion.allows(*direction) && self.is_in(placed.within, *next) && self.may_enter(motion.into, *next, start) {
                        self.arrive(placed, piece, start, *next, None)?;
                    }
                }
            }
            Gait::Hop => {
                let pattern = self.pattern;
                for (direction, over, next) in pattern.hops.get(cell.index()).map_or(&[][..], SmallVec::as_slice) {
                    if motion.allows(*direction)
                        && self.may_hop(motion.over, *over, start)
                        && self.is_in(placed.within, *next)
                        && self.may_enter(motion.into, *next, start)
                    {
                        self.arrive(placed, piece, start, *next, motion.captures.then_some(*over))?;
                    }
                }
            }
            Gait::Advance => {
                let target = motion.track.as_ref().and_then(|track| track.target(self.state, cell));
                // Around a closed track there would be no end.
                let next = target.filter(|next| !self.path.contains(next) && self.is_in(placed.within, *next));
                if let Some(next) = next.filter(|next| self.may_enter(motion.into, *next, start)) {
                    self.arrive(placed, piece, start, next, None)?;
                }
            }
            Gait::Slide => {
                for (direction, _) in board.steps(cell).iter().filter(|(direction, _)| motion.allows(*direction)) {
                    for next in board.ray(cell, *direction) {
                        if !self.is_in(placed.within, next) {
                            break;
                        }
                        if self.may_enter(motion.into, next, start) {
                            self.arrive(placed, piece, start, next, None)?;
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

    fn arrive(&mut self, placed: &Placed, piece: PieceId, start: CellId, cell: CellId, captured: Option<CellId>) -> ControlFlow<()> {
        let motion = &placed.motion;
        let landed_on = (captured.is_none() && !self.is_empty(cell, start)).then_some(cell);
        *self.legs_left = self.legs_left.saturating_sub(1);
        if *self.legs_left == 0 {
            return ControlFlow::Break(());
        }
        let taken_before = self.taken.len();
        self.path.push(cell);
        self.taken.extend(captured.or(landed_on));
        let legs = self.path.len();
        let mut flow = ControlFlow::Continue(());
        if legs >= usize::from(motion.at_least) && (motion.may_return || cell != start) && self.is_in(placed.ends_on, cell) {
            flow = (self.sink)(PatternMove::Path(piece, &self.path));
        }
        if flow.is_continue() && legs < usize::from(motion.at_most) && landed_on.is_none() {
            self.take_enclosed(placed, piece, cell);
            flow = self.go(placed, piece, start, cell);
        }
        self.path.pop();
        self.taken.truncate(taken_before);
        flow
    }

    /// Notes what is captured before the piece goes on.
    fn take_enclosed(&mut self, placed: &Placed, piece: PieceId, cell: CellId) {
        let mut found = Captured::new();
        for enclosure in &placed.enclosures {
            let arrival = Arrival {
                state: self.state,
                sets: self.sets,
                seat: self.seat,
                piece: Some(piece),
                cell,
                taken: &self.taken,
            };
            enclosure.captured(arrival, &mut found);
        }
        // What changes sides stays where it is.
        self.taken.extend(found.into_iter().filter(|one| !one.turns).map(|one| one.cell));
    }
}
