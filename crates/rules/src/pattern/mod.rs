//! Patterns: what can be done with pieces, declared as data and listed by the host for all of them at once.
//!
//! There are three sorts. [`Motions`] say how pieces get from cell to cell, and their actions pick a piece and a path. [`Placements`]
//! say where pieces that have a shape may be placed, and their actions pick a piece, a pose and a cell. [`Drops`] say where others come onto
//! the board, and their actions pick a cell.

mod cell_table;
mod cells;
mod drops;
mod enclosure;
mod legal_placements;
mod motion;
mod placement;
mod prior;
mod proposals;
mod shape_search;
mod track;
mod ways;

use std::ops::ControlFlow;
use std::sync::Arc;

use smallvec::SmallVec;

pub use cells::{CellsOf, Each};
pub use drops::{Drop, Drops};
pub use enclosure::Enclosure;
use legal_placements::LegalPlacements;
pub use motion::{Gait, Into, Motion, Motions, Whose};
pub use placement::{Placement, Placements};
pub use prior::{Around, Feature, Prior};
pub use track::{Advance, Track};

use super::listing::{MOST_ACTIONS, MOST_PICK_BYTES};
use super::{Generator, PlayoutWeights, Shortlist, Transaction};
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{
    Action, ActionId, CellId, CellSet, Domain, Path, Pick, PickKind, Picks, PieceId, Place, Pose, Rejection, SeatId, State,
};

/// What can be done with pieces in one sort of action.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// Pieces go from cell to cell.
    Motions(Motions),
    /// Pieces with a shape are placed.
    Placements(Box<Placements>),
    /// Pieces come onto the board.
    Drops(Drops),
}

/// One move that a pattern allows, in its shortest form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternMove<'a> {
    /// A piece visits cells.
    Path(PieceId, &'a [CellId]),
    /// A piece is placed in a pose, its first square on a cell.
    Posed(PieceId, Pose, CellId),
    /// A piece comes onto a cell.
    Dropped(CellId),
}

/// Who receives what a listing finds; breaks off by returning `Break`.
pub type Sink<'a> = dyn FnMut(PatternMove<'_>) -> ControlFlow<()> + 'a;

impl PatternMove<'_> {
    fn piece(self) -> Option<PieceId> {
        match self {
            Self::Path(piece, _) | Self::Posed(piece, ..) => Some(piece),
            Self::Dropped(_) => None,
        }
    }

    fn picks(self) -> Picks {
        match self {
            Self::Path(piece, path) => Picks::from_iter([Pick::Piece(piece), Pick::Path(Path::from_slice(path))]),
            Self::Posed(piece, pose, cell) => Picks::from_iter([Pick::Piece(piece), Pick::Pose(pose), Pick::Cell(cell)]),
            Self::Dropped(cell) => Picks::from_iter([Pick::Cell(cell)]),
        }
    }

    pub(super) fn action(self, seat: SeatId, action: ActionId) -> Action {
        Action {
            seat,
            action,
            picks: self.picks(),
        }
    }
}

/// The most cells of all paths of which one is drawn in a playout.
const MOST_CELLS_OF_PATHS: usize = 1 << 20;

impl Pattern {
    /// The picks that an action with such a pattern has.
    pub fn picks(&self) -> &'static [PickKind] {
        match self {
            Self::Motions(_) => &[PickKind::Piece, PickKind::Path],
            Self::Placements(_) => &[PickKind::Piece, PickKind::Pose, PickKind::Cell],
            Self::Drops(_) => &[PickKind::Cell],
        }
    }

    /// Lists all that a seat can do. One thing may come more than once.
    pub fn list(&self, state: &State, seat: SeatId, sink: &mut Sink<'_>) {
        match self {
            Self::Motions(motions) => _ = motions.list(state, seat, sink),
            Self::Placements(placements) => _ = placements.legal(state, seat).list(sink),
            Self::Drops(drops) => {
                _ = drops
                    .cells(state, seat)
                    .iter()
                    .try_for_each(|cell| sink(PatternMove::Dropped(cell)));
            }
        }
    }

    /// Whether a seat can do anything.
    pub fn has_any(&self, state: &State, seat: SeatId) -> bool {
        match self {
            Self::Motions(motions) => motions.has_any(state, seat),
            Self::Placements(placements) => placements.has_any(state, seat),
            Self::Drops(drops) => !drops.cells(state, seat).is_empty(),
        }
    }

    /// What may be picked next.
    pub fn domain(&self, state: &State, seat: SeatId, picked: &[Pick]) -> Domain {
        match (self, picked) {
            (Self::Drops(drops), _) => Domain::Cells(drops.cells(state, seat)),
            (_, []) => {
                let mut pieces: Vec<PieceId> = Vec::new();
                self.list(state, seat, &mut |found| {
                    pieces.extend(found.piece().filter(|piece| pieces.last() != Some(piece)));
                    ControlFlow::Continue(())
                });
                pieces.sort_unstable();
                pieces.dedup();
                Domain::Pieces(pieces)
            }
            (Self::Motions(motions), _) => {
                let (mut paths, mut bytes): (Vec<Path>, usize) = (Vec::new(), 0);
                motions.list(state, seat, &mut |found| {
                    if let PatternMove::Path(piece, path) = found
                        && picked.first() == Some(&Pick::Piece(piece))
                    {
                        bytes += size_of_val(path);
                        paths.push(Path::from_slice(path));
                    }
                    if bytes <= MOST_PICK_BYTES {
                        ControlFlow::Continue(())
                    } else {
                        ControlFlow::Break(())
                    }
                });
                paths.sort_unstable();
                paths.dedup();
                Domain::Paths(paths)
            }
            (Self::Placements(placements), [Pick::Piece(chosen)]) => Domain::Poses(placements.legal(state, seat).poses(*chosen)),
            (Self::Placements(placements), [Pick::Piece(chosen), Pick::Pose(pose), ..]) => {
                let cells = placements.legal(state, seat).cells(*chosen, *pose, state.board().cell_count());
                Domain::Cells(cells)
            }
            (Self::Placements(_), _) => Domain::Cells(CellSet::empty(state.board().cell_count())),
        }
    }

    /// Appends all that a seat can do as actions.
    ///
    /// # Errors
    /// If that is more than can be listed.
    pub fn actions(&self, state: &State, seat: SeatId, action: ActionId, out: &mut Vec<Action>) -> Result<(), Rejection> {
        let most = out.len().saturating_add(MOST_ACTIONS);
        let mut is_whole = true;
        match self {
            Self::Placements(placements) => {
                let legal = placements.legal(state, seat);
                out.reserve(legal.count().min(MOST_ACTIONS));
                is_whole = legal.count() <= MOST_ACTIONS;
                if is_whole {
                    let _ = legal.list(&mut |found| {
                        out.push(found.action(seat, action));
                        ControlFlow::Continue(())
                    });
                }
            }
            Self::Motions(motions) => {
                let mut bytes = 0;
                let is_complete = motions.list(state, seat, &mut |found| {
                    if let PatternMove::Path(_, path) = found {
                        bytes += size_of_val(path);
                    }
                    is_whole = out.len() < most && bytes <= MOST_PICK_BYTES;
                    if !is_whole {
                        return ControlFlow::Break(());
                    }
                    out.push(found.action(seat, action));
                    ControlFlow::Continue(())
                });
                is_whole &= is_complete;
            }
            Self::Drops(drops) => {
                let cells = drops.cells(state, seat);
                out.extend(cells.iter().map(|cell| PatternMove::Dropped(cell).action(seat, action)));
            }
        }
        if is_whole {
            return Ok(());
        }
        let name = state.declarations().action(action).map_or("?", |declared| &declared.name);
        let message = format!("the pattern of {name} gives more ways to carry it out than can be listed");
        let fault = Diagnostic::error(Code::TooManyActions, message);
        Err(fault
            .with_help(format!(
                "at most {MOST_ACTIONS} are listed: bound how far a piece goes, as by .times(6)"
            ))
            .into())
    }

    /// Appends all that a seat can do in its shortest form.
    pub(super) fn collect(&self, state: &State, seat: SeatId, moves: &mut Moves) {
        match self {
            Self::Motions(motions) => motions.collect(state, seat, moves),
            Self::Placements(placements) => moves.placements = Some(placements.legal(state, seat)),
            Self::Drops(drops) => moves.drops = Some(drops.cells(state, seat)),
        }
    }

    /// Samples one of the things that a seat can do, by its weight, without finding the others; `None` where that cannot be done.
    pub(super) fn sample<'a>(
        &'a self,
        state: &State,
        seat: SeatId,
        weights: Option<&PlayoutWeights>,
        generator: &mut Generator,
        moves: &'a mut Moves,
    ) -> Option<PatternMove<'a>> {
        match self {
            Self::Placements(placements) => placements.sample(state, seat, weights, generator),
            Self::Motions(motions) if weights.is_none() => motions.sample(state, seat, generator, moves),
            Self::Motions(_) | Self::Drops(_) => None,
        }
    }

    /// The prior over its actions. `None` where the pattern says nothing about it.
    pub fn prior(&self, state: &State, seat: SeatId) -> Option<Arc<Prior>> {
        match self {
            Self::Placements(placements) => placements.prior(state, seat),
            Self::Motions(_) | Self::Drops(_) => None,
        }
    }

    /// The likeliest of the actions of a seat by its prior, so many at most. `None` where it has none, or all are equally likely.
    pub(super) fn shortlist(&self, state: &State, of: (SeatId, ActionId), most: usize, generator: &mut Generator) -> Option<Shortlist> {
        match self {
            Self::Placements(placements) => placements.shortlist(state, of, most, generator),
            Self::Motions(_) | Self::Drops(_) => None,
        }
    }

    /// The playout weights of its actions. `None` where the pattern says nothing about it.
    pub fn playout_weights(&self, state: &State, seat: SeatId) -> Option<PlayoutWeights> {
        match self {
            Self::Placements(placements) => placements.playout_weights(state, seat),
            Self::Motions(_) | Self::Drops(_) => None,
        }
    }

    /// Whether what a seat picked may capture something.
    pub fn may_capture(&self, state: &State, seat: SeatId, picks: &[Pick]) -> bool {
        match (self, picks) {
            (Self::Motions(motions), [Pick::Piece(piece), Pick::Path(path)]) => motions.may_capture(state, seat, *piece, path),
            _ => true,
        }
    }

    /// Carries out what a seat picked. Returns the number of captures.
    ///
    /// # Errors
    /// If the picks do not fit the pattern, or the piece is not there.
    pub fn follow(&self, transaction: &mut Transaction, seat: SeatId, picks: &[Pick]) -> Result<usize, Rejection> {
        match (self, picks) {
            (Self::Motions(motions), [Pick::Piece(piece), Pick::Path(path)]) => motions.follow(transaction, *piece, path),
            (Self::Placements(placements), [Pick::Piece(piece), Pick::Pose(pose), Pick::Cell(cell)]) => {
                placements.place(transaction, *piece, *pose, *cell).map(|()| 0)
            }
            (Self::Drops(drops), [Pick::Cell(cell)]) => drops.follow(transaction, seat, *cell),
            _ => Err(Diagnostic::error(Code::NoSuchThing, "the picks do not fit the pattern").into()),
        }
    }
}

/// Moves in their shortest form, for playouts that sample one of many.
#[derive(Debug, Default)]
pub(super) struct Moves {
    cells: Vec<CellId>,
    /// The piece, and where its path begins and how long it is.
    paths: Vec<(PieceId, usize, usize)>,
    placements: Option<Arc<LegalPlacements>>,
    drops: Option<CellSet>,
}

impl Moves {
    pub(super) fn clear(&mut self) {
        self.cells.clear();
        self.paths.clear();
        self.placements = None;
        self.drops = None;
    }

    /// Adds a piece that visits cells. Breaks where they are too many.
    fn add(&mut self, piece: PieceId, path: &[CellId]) -> ControlFlow<()> {
        self.paths.push((piece, self.cells.len(), path.len()));
        self.cells.extend_from_slice(path);
        if self.cells.len() < MOST_CELLS_OF_PATHS {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    fn add_found(&mut self, found: PatternMove<'_>) -> ControlFlow<()> {
        match found {
            PatternMove::Path(piece, path) => self.add(piece, path),
            PatternMove::Posed(..) | PatternMove::Dropped(_) => ControlFlow::Continue(()),
        }
    }

    pub(super) fn count(&self) -> usize {
        let placements = self.placements.as_ref().map_or(0, |placements| placements.count());
        self.paths.len() + placements + self.drops.as_ref().map_or(0, CellSet::count)
    }

    /// Samples one by its weight, by rejection: quicker than weighing each. `None` where that cannot be done.
    pub(super) fn sample(&self, state: &State, weights: &PlayoutWeights, generator: &mut Generator) -> Option<usize> {
        let placements = self.placements.as_ref()?;
        let most = |piece: PieceId| {
            let kind = state.piece(piece).map(|piece| piece.kind);
            let figure = kind.and_then(|kind| state.declarations().figure(kind));
            weights.most_of_placement(state, piece, figure.map_or(1, |figure| figure.shape().count()) as u32)
        };
        // Each placement is proposed by an upper bound on its weight, and accepted in proportion to the weight itself.
        let bounds: SmallVec<[u32; 128]> = placements.pieces().map(|(piece, _)| most(piece)).collect();
        for _ in 0..Self::DRAWS {
            let (index, bound) = placements.sample(&bounds, generator)?;
            let Some(PatternMove::Posed(piece, pose, cell)) = placements.nth(index) else {
                return None;
            };
            let own = weights.of_placement(state, piece, Place::Posed(cell, pose));
            if generator.below(bound) < own {
                return Some(index);
            }
        }
        None
    }

    const DRAWS: usize = 64;

    pub(super) fn weigh(&self, state: &State, weights: &PlayoutWeights, out: &mut Vec<u32>) {
        if let Some(placements) = &self.placements {
            let _ = placements.list(&mut |found| {
                if let PatternMove::Posed(piece, pose, cell) = found {
                    out.push(weights.of_placement(state, piece, Place::Posed(cell, pose)));
                }
                ControlFlow::Continue(())
            });
        }
        let drops = self.drops.iter().flatten();
        out.extend(drops.map(|cell| weights.of_drop(state, cell)));
        let last = |start: usize, length: usize| self.cells.get((start + length).checked_sub(1)?).copied();
        let paths = self.paths.iter();
        out.extend(paths.map(|(piece, start, length)| weights.of_move(state, *piece, last(*start, *length))));
    }

    /// The move of an index.
    pub(super) fn nth(&self, index: usize) -> Option<PatternMove<'_>> {
        if let Some(placements) = &self.placements {
            return placements.nth(index);
        }
        if let Some(cells) = &self.drops {
            return Some(PatternMove::Dropped(cells.iter().nth(index)?));
        }
        let (piece, start, length) = *self.paths.get(index)?;
        Some(PatternMove::Path(piece, self.cells.get(start..start + length)?))
    }
}
