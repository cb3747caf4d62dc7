//! Placement patterns: how pieces that have a shape (polyominoes) are placed, declared as data.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::PatternMove;
use super::cells::{CellsOf, Each, Place as SetPlace, Steps};
use super::legal_placements::LegalPlacements;
use super::prior::{Feature, Outlines, PlacedFeature, Prior};
use super::proposals::{Proposals, Stencils};
use super::shape_search::{PiecesOfKind, Plan, Search, Walker};
use crate::{Generator, PlayoutWeights, Shortlist, Transaction, WeightFor};
use boardwright_model::{
    ActionId, Board, CellId, CellSet, Declarations, PieceId, Place, Pose, PropertyId, Rejection, SeatId, State, Target, Value, ZoneId,
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
    /// The factors by which the playout weights of pieces of some size are multiplied: the number of squares, 1 to 1,024, and the factor, 1 to
    /// [`PlayoutWeights::MOST`].
    pub playout_factors: Vec<(usize, u32)>,
    /// The features that the prior is made of.
    pub features: Vec<Feature>,
}

/// Placement patterns compiled for a board.
#[derive(Clone)]
pub struct Placements {
    patterns: Vec<Placement>,
    /// The sets of all patterns, and behind them those that only computer players ask for. Before them all stand those that are the same in
    /// every state.
    steps: Steps,
    fixed: Vec<CellSet>,
    /// For each pattern the places of its two sets.
    sets: Vec<(SetPlace, Option<SetPlace>)>,
    /// So many sets are needed for legal placements.
    needed: usize,
    /// So many are needed with those of the playout weights.
    weighed: usize,
    playout_weights: Vec<(SetPlace, u32)>,
    /// By number of squares, the factor of that size in playouts.
    playout_factors: Vec<u32>,
    features: Vec<PlacedFeature>,
    /// By number of squares, the weight of that size.
    sizes: Vec<i32>,
    outlines: Option<Arc<Outlines>>,
    plan: Plan,
    stencils: Option<Arc<Stencils>>,
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

/// Who receives what a search finds: the pieces by place of their kind in the plan, and what the walk finds.
type FoundFor<'a> = dyn FnMut(&[PiecesOfKind], &[u64], &[(usize, Pose)]) -> ControlFlow<()> + 'a;

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
    proposals: Proposals,
    proposals_of: Option<Asked>,
    newest: Newest<LegalPlacements>,
    spare: Option<Arc<LegalPlacements>>,
    newest_prior: Newest<Prior>,
}

impl Placement {
    /// The sets it speaks of.
    fn sets(&self) -> impl Iterator<Item = &CellsOf> {
        let weighed = self.playout_weights.iter().map(|(cells, _)| cells);
        let features = self.features.iter().filter_map(|feature| match feature {
            Feature::Cells(_, cells, _) => Some(cells),
            Feature::Size(..) => None,
        });
        std::iter::once(&self.on).chain(&self.covering).chain(weighed).chain(features)
    }
}

/// Sets an element of a list, which is made long enough for it.
fn set_at<T: Clone>(list: &mut Vec<T>, at: usize, value: T, other: T) {
    if list.len() <= at {
        list.resize(at + 1, other);
    }
    if let Some(own) = list.get_mut(at) {
        *own = value;
    }
}

impl Placements {
    /// Compiles placement patterns for a board.
    pub fn new(patterns: Vec<Placement>, board: &Board, declarations: &Declarations) -> Self {
        let mut steps = Steps::default();
        for cells in patterns.iter().flat_map(Placement::sets) {
            steps.add_fixed(cells);
        }
        let fixed = steps.fixed(board);
        let sets = patterns
            .iter()
            .map(|pattern| (steps.add(&pattern.on), pattern.covering.as_ref().map(|cells| steps.add(cells))))
            .collect();
        let needed = steps.count();
        let playout_weights = patterns.iter().flat_map(|pattern| &pattern.playout_weights);
        let playout_weights = playout_weights.map(|(cells, weight)| (steps.add(cells), *weight)).collect();
        let weighed = steps.count();
        let mut playout_factors = Vec::new();
        for (size, factor) in patterns.iter().flat_map(|pattern| &pattern.playout_factors) {
            set_at(&mut playout_factors, *size, *factor, 1);
        }
        let mut features = Vec::new();
        let mut sizes = Vec::new();
        for feature in patterns.iter().flat_map(|pattern| &pattern.features) {
            match feature {
                Feature::Cells(around, cells, points) => features.push((*around, steps.add(cells), *points)),
                Feature::Size(size, points) => set_at(&mut sizes, *size, *points, 0),
            }
        }
        let stencils = match patterns.as_slice() {
            [only] => Stencils::new(board, declarations, only.covering.is_some()),
            _ => None,
        };
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
            fixed,
            sets,
            needed,
            weighed,
            playout_weights,
            playout_factors,
            features,
            sizes,
            outlines,
            plan: Plan::new(figures),
            stencils: stencils.map(Arc::new),
            cache: SharedCache(Mutex::new(Cache {
                walker: Walker::new(board),
                sets: Vec::new(),
                sets_of: None,
                pieces: Vec::new(),
                proposals: Proposals::default(),
                proposals_of: None,
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
        let _ = self.search(state, seat, &mut cache, &mut |pieces, cells, ends| {
            let added = placements.add_cells(cells);
            for (place, pose) in ends {
                for piece in pieces.get(*place).into_iter().flatten() {
                    placements.add(*piece, *pose, added.clone());
                }
            }
            ControlFlow::Continue(())
        });
        keep(&mut cache.newest, asked, placements)
    }

    /// Whether a seat can place a piece.
    pub(super) fn has_any(&self, state: &State, seat: SeatId) -> bool {
        let mut cache = self.cache.lock();
        if let Some(placements) = known(cache.newest.as_ref(), (state.digest(), seat)) {
            return placements.count() > 0;
        }
        if let Some(proposals) = self.proposals(state, seat, &mut cache) {
            return self.stencils.as_ref().is_some_and(|stencils| proposals.any(stencils));
        }
        let is_wanted = |pieces: &[PiecesOfKind], place: usize| pieces.get(place).is_some_and(|pieces| !pieces.is_empty());
        let search = self.search(state, seat, &mut cache, &mut |pieces, _, ends| {
            if ends.iter().any(|(place, _)| is_wanted(pieces, *place)) {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        search.is_break()
    }

    /// Samples a placement of a seat by its weight without finding the others. `None` where that does not come to an end soon, as when
    /// there are few.
    pub(super) fn sample(
        &self,
        state: &State,
        seat: SeatId,
        weights: Option<&PlayoutWeights>,
        generator: &mut Generator,
    ) -> Option<PatternMove<'static>> {
        let mut cache = self.cache.lock();
        let proposals = self.proposals(state, seat, &mut cache)?;
        proposals.sample(self.stencils.as_ref()?, state, weights, generator)
    }

    /// What can be proposed to a seat, where there is one pattern.
    fn proposals<'a>(&self, state: &State, seat: SeatId, cache: &'a mut Cache) -> Option<&'a Proposals> {
        let ([pattern], [(on, covering)]) = (self.patterns.as_slice(), self.sets.as_slice()) else {
            return None;
        };
        let stencils = self.stencils.as_ref()?;
        let asked = Some((state.digest(), seat));
        if cache.proposals_of != asked {
            self.work_out(self.needed, state, seat, cache);
            let ground = cache.sets.get(*on)?;
            let contacts = match covering {
                Some(place) => Some(cache.sets.get(*place)?),
                None => None,
            };
            let zone = pattern.from.now(state, seat).and_then(|zone| state.zone(*zone))?;
            cache.proposals.set(stencils, state, (ground, contacts), zone.pieces());
            cache.proposals_of = asked;
        }
        Some(&cache.proposals)
    }

    /// Works the first sets out, as far as it was not done before.
    fn work_out(&self, count: usize, state: &State, seat: SeatId, cache: &mut Cache) {
        let asked = Some((state.digest(), seat));
        if cache.sets_of != asked {
            cache.sets_of = asked;
            // In a view that has not seen all of the map, regions are what is known of them.
            let fixed = if state.explored_cells().is_none() { self.fixed.len() } else { 0 };
            cache.sets.truncate(fixed);
            if let Some(missing) = self.fixed.get(cache.sets.len()..fixed) {
                cache.sets.extend_from_slice(missing);
            }
        }
        self.steps.work_out(count, state, seat, &mut cache.sets);
    }

    /// Finds what a seat can place, and where.
    fn search(&self, state: &State, seat: SeatId, cache: &mut Cache, found: &mut FoundFor<'_>) -> ControlFlow<()> {
        self.work_out(self.needed, state, seat, cache);
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
            let search = Search { ground, contacts, pieces };
            walker.walk(&self.plan, state.board(), &search, &mut |cells, ends| found(pieces, cells, ends))?;
        }
        ControlFlow::Continue(())
    }

    /// The playout weights of the placements of a seat; `None` if nothing is said about it.
    pub(super) fn playout_weights(&self, state: &State, seat: SeatId) -> Option<PlayoutWeights> {
        if self.playout_weights.is_empty() && self.playout_factors.is_empty() {
            return None;
        }
        let mut cache = self.cache.lock();
        self.work_out(self.weighed, state, seat, &mut cache);
        let sets = self.playout_weights.iter();
        let mut weights = PlayoutWeights::default().times(&self.playout_factors);
        for (set, weight) in sets.filter_map(|(place, weight)| Some((cache.sets.get(*place)?, *weight))) {
            weights.add(WeightFor::Cells(set.clone()), weight);
        }
        Some(weights)
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

    /// The likeliest placements of a seat by the prior, so many at most. `None` where there is no prior, or all are equally likely.
    pub(super) fn shortlist(
        &self,
        state: &State,
        (seat, action): (SeatId, ActionId),
        most: usize,
        generator: &mut Generator,
    ) -> Option<Shortlist> {
        let prior = self.prior(state, seat)?;
        let placements = self.legal(state, seat);
        let salt = generator.below(u32::MAX);
        let mut ranked: Vec<(i32, u32, PatternMove<'static>)> = Vec::with_capacity(placements.count());
        placements.each(|piece, pose, cell| {
            let kind = state.piece(piece).map(|piece| piece.kind);
            let logit = kind.map_or(0, |kind| prior.of_placement(kind, pose, cell));
            // Among equals any order will do, so long as it is another one each time.
            let tie = (ranked.len() as u32 ^ salt).wrapping_mul(0x9e37_79b1);
            ranked.push((logit, tie, PatternMove::Posed(piece, pose, cell)));
        });
        let logits: Vec<i32> = ranked.iter().map(|(logit, ..)| *logit).collect();
        let first = *logits.first()?;
        if logits.iter().all(|logit| *logit == first) {
            return None;
        }
        let sum = Prior::likelihoods(&logits).iter().sum();
        let by_rank = |(a, tie, _): &(i32, u32, _), (b, other, _): &(i32, u32, _)| b.cmp(a).then(tie.cmp(other));
        let rest = ranked.len().saturating_sub(most);
        if rest > 0 && most > 0 {
            ranked.select_nth_unstable_by(most - 1, by_rank);
        }
        ranked.truncate(most);
        ranked.sort_unstable_by(by_rank);
        let actions = ranked.into_iter().map(|(logit, _, found)| (found.action(seat, action), logit));
        Some(Shortlist {
            actions: actions.collect(),
            rest,
            sum,
        })
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
