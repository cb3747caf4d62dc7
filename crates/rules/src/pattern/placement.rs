//! Placement patterns: how pieces that have a shape (polyominoes) are placed, declared as data.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::cells::{CellsOf, Each, Place as SetPlace, Steps};
use super::legal_placements::LegalPlacements;
use super::prior::{Feature, Outlines, PlacedFeature, Prior};
use super::shape_search::{PiecesOfKind, Plan, Search, Walker};
use crate::{PlayoutWeights, Transaction, WeightFor};
use boardwright_model::{
    Board, CellId, CellSet, Declarations, PieceId, Place, Pose, PropertyId, Rejection, SeatId, State, Target, Value, ZoneId,
};

/// One way of placing pieces: from a zone onto the board, in any pose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The number of the rule.
    pub rule: Arc<str>,
    /// The zone the pieces come from.
    pub from: Each<ZoneId>,
    /// The cells a piece may cover.
    pub on: CellsOf,
    /// The cells of which it has to cover one; `None` if there is no such condition.
    pub covering: Option<CellsOf>,
    /// The property of the piece, a whole number, that takes the turn in which it was placed.
    pub dated: Option<PropertyId>,
    /// The playout weight of covering a cell of a set, added up over the cells.
    pub playout_weights: Vec<(CellsOf, u32)>,
    /// The features that the prior is made of.
    pub features: Vec<Feature>,
}

/// Placement patterns compiled for a board.
#[derive(Clone)]
pub struct Placements {
    patterns: Vec<Placement>,
    /// The sets of all patterns, and behind them those that only computer players ask for.
    steps: Steps,
    /// For each pattern the places of its two sets.
    sets: Vec<(SetPlace, Option<SetPlace>)>,
    /// So many sets are needed for legal placements.
    needed: usize,
    /// So many are needed with those of the playout weights.
    weighed: usize,
    playout_weights: Vec<(SetPlace, u32)>,
    features: Vec<PlacedFeature>,
    /// By number of squares, the weight of that size.
    sizes: Vec<i32>,
    outlines: Option<Arc<Outlines>>,
    plan: Plan,
    cache: SharedCache,
}

struct SharedCache(Mutex<Cache>);

impl SharedCache {
    fn lock(&self) -> MutexGuard<'_, Cache> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clone for SharedCache {
    fn clone(&self) -> Self {
        Self(Mutex::new(self.lock().clone()))
    }
}

/// A state by its digest, and a seat.
type Asked = (u64, SeatId);

/// The newest answer: the same question is often asked twice in a row.
type Newest<T> = Option<(Asked, Arc<T>)>;

fn known<T>(newest: Option<&(Asked, Arc<T>)>, asked: Asked) -> Option<Arc<T>> {
    newest.filter(|(of, _)| *of == asked).map(|(_, found)| Arc::clone(found))
}

fn keep<T>(newest: &mut Newest<T>, asked: Asked, found: T) -> Arc<T> {
    Arc::clone(&newest.insert((asked, Arc::new(found))).1)
}

/// Buffers, and the newest answers.
#[derive(Clone)]
struct Cache {
    walker: Walker,
    /// Sets that were worked out, and for what.
    sets: Vec<CellSet>,
    sets_of: Option<Asked>,
    /// By place of their kind in the plan, the pieces to place.
    pieces: Vec<PiecesOfKind>,
    newest: Newest<LegalPlacements>,
    spare: Option<Arc<LegalPlacements>>,
    newest_prior: Newest<Prior>,
}

impl Placements {
    /// Compiles placement patterns for a board.
    pub fn new(patterns: Vec<Placement>, board: &Board, declarations: &Declarations) -> Self {
        let mut steps = Steps::default();
        let sets = patterns
            .iter()
            .map(|pattern| (steps.add(&pattern.on), pattern.covering.as_ref().map(|cells| steps.add(cells))))
            .collect();
        let needed = steps.count();
        let playout_weights = patterns.iter().flat_map(|pattern| &pattern.playout_weights);
        let playout_weights = playout_weights.map(|(cells, weight)| (steps.add(cells), *weight)).collect();
        let weighed = steps.count();
        let mut features = Vec::new();
        let mut sizes = Vec::new();
        for feature in patterns.iter().flat_map(|pattern| &pattern.features) {
            match feature {
                Feature::Cells(around, cells, points) => features.push((*around, steps.add(cells), *points)),
                Feature::Size(size, points) => {
                    if sizes.len() <= *size {
                        sizes.resize(*size + 1, 0);
                    }
                    if let Some(of_size) = sizes.get_mut(*size) {
                        *of_size = *points;
                    }
                }
            }
        }
        let outlines = if !features.is_empty() || !sizes.is_empty() {
            Outlines::new(board, declarations).map(Arc::new)
        } else {
            None
        };
        let figures = declarations
            .kinds
            .iter()
            .enumerate()
            .filter_map(|(index, kind)| Some((boardwright_model::KindId::from_index(index), &**kind.figure.as_ref()?)));
        Self {
            patterns,
            steps,
            sets,
            needed,
            weighed,
            playout_weights,
            features,
            sizes,
            outlines,
            plan: Plan::new(figures),
            cache: SharedCache(Mutex::new(Cache {
                walker: Walker::new(board),
                sets: Vec::new(),
                sets_of: None,
                pieces: Vec::new(),
                newest: None,
                spare: None,
                newest_prior: None,
            })),
        }
    }

    /// Where a seat can place pieces.
    pub(super) fn legal(&self, state: &State, seat: SeatId) -> Arc<LegalPlacements> {
        let asked = (state.digest(), seat);
        let mut cache = self.cache.lock();
        if let Some(placements) = known(cache.newest.as_ref(), asked) {
            return placements;
        }
        let older = cache.newest.take().map(|(_, placements)| placements);
        let spare = std::mem::replace(&mut cache.spare, older);
        let mut placements = spare.and_then(Arc::into_inner).unwrap_or_default();
        placements.clear();
        self.work_out(self.needed, state, seat, &mut cache);
        self.search(state, seat, &mut cache, &mut placements);
        keep(&mut cache.newest, asked, placements)
    }

    /// Works the first sets out, as far as it was not done before.
    fn work_out(&self, count: usize, state: &State, seat: SeatId, cache: &mut Cache) {
        let asked = Some((state.digest(), seat));
        if cache.sets_of != asked {
            cache.sets_of = asked;
            cache.sets.clear();
        }
        self.steps.work_out(count, state, seat, &mut cache.sets);
    }

    fn search(&self, state: &State, seat: SeatId, cache: &mut Cache, placements: &mut LegalPlacements) {
        let Cache { walker, sets, pieces, .. } = cache;
        for (pattern, (on, covering)) in self.patterns.iter().zip(&self.sets) {
            let Some(ground) = sets.get(*on) else { continue };
            let contacts = covering.and_then(|place| sets.get(place));
            if contacts.is_some_and(|contacts| !contacts.intersects(ground)) {
                continue;
            }
            pieces.clear();
            pieces.resize(self.plan.count(), PiecesOfKind::new());
            let zone = pattern.from.now(state, seat).and_then(|zone| state.zone(*zone));
            for id in zone.map_or(&[][..], |zone| zone.pieces()) {
                let place = state.piece(*id).and_then(|piece| self.plan.place(piece.kind));
                if let Some(of_kind) = place.and_then(|place| pieces.get_mut(place)) {
                    of_kind.push(*id);
                }
            }
            walker.walk(&self.plan, state.board(), &Search { ground, contacts, pieces }, placements);
        }
    }

    /// The playout weights of the placements of a seat; `None` if nothing is said about it.
    pub(super) fn playout_weights(&self, state: &State, seat: SeatId) -> Option<PlayoutWeights> {
        if self.playout_weights.is_empty() {
            return None;
        }
        let mut cache = self.cache.lock();
        self.work_out(self.weighed, state, seat, &mut cache);
        let sets = self.playout_weights.iter();
        let sets = sets.filter_map(|(place, weight)| Some((cache.sets.get(*place)?.clone(), *weight)));
        Some(sets.fold(PlayoutWeights::default(), |weights, (set, weight)| {
            weights.with(WeightFor::Cells(set), weight)
        }))
    }

    /// The prior over the placements of a seat; `None` if nothing is said about it.
    pub(super) fn prior(&self, state: &State, seat: SeatId) -> Option<Arc<Prior>> {
        let outlines = self.outlines.as_ref()?;
        let asked = (state.digest(), seat);
        let mut cache = self.cache.lock();
        if let Some(prior) = known(cache.newest_prior.as_ref(), asked) {
            return Some(prior);
        }
        self.work_out(self.steps.count(), state, seat, &mut cache);
        let features = self.features.iter();
        let features = features.filter_map(|(around, place, points)| Some((*around, cache.sets.get(*place)?, *points)));
        let prior = Prior::new(outlines, features, &self.sizes);
        Some(keep(&mut cache.newest_prior, asked, prior))
    }

    /// Places a piece.
    pub(super) fn place(&self, transaction: &mut Transaction, piece: PieceId, pose: Pose, cell: CellId) -> Result<(), Rejection> {
        transaction.move_piece(piece, Place::Posed(cell, pose), None)?;
        let dated = self.patterns.iter().find_map(|pattern| pattern.dated);
        let turn = i64::from(transaction.state().sequence().mark.turn);
        dated.map_or(Ok(()), |property| {
            transaction.set(Target::Piece(piece), property, Value::Integer(turn))
        })
    }
}

impl fmt::Debug for Placements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.patterns).finish()
    }
}
