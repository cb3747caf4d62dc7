//! Laying pieces that have a shape, declared as data.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::cells::{CellsOf, Each, Place as SetPlace, Steps};
use super::plan::{PiecesOfKind, Plan, Search, Walker};
use super::promise::{Outlines, PlacedSign, Promise, Sign};
use super::sites::Sites;
use crate::model::{Board, CellId, CellSet, Frame, PieceId, Place, Pose, PropertyId, SeatId, State, Target, Value, ZoneId};
use crate::rules::{Rejection, Transaction};

/// One way of laying pieces: from a zone onto the board, in any pose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Laying {
    /// The number of the rule.
    pub rule: Arc<str>,
    /// The zone the pieces come from.
    pub from: Each<ZoneId>,
    /// The cells a piece may cover.
    pub on: CellsOf,
    /// The cells of which it has to cover one; `None` if there is no such condition.
    pub covering: Option<CellsOf>,
    /// The property of the piece, a whole number, that notes the turn in which it was laid.
    pub dated: Option<PropertyId>,
    /// What computer players like about covering cells: points for each covered cell of a set. Below 0 for what they dislike.
    pub worth: Vec<(CellsOf, i64)>,
    /// What makes a laying promising.
    pub signs: Vec<Sign>,
}

/// Sets of cells with the points for covering one of theirs.
pub(super) type Tastes = Vec<(CellSet, i64)>;

/// Ways of laying pieces, made ready for a board.
#[expect(clippy::struct_field_names, reason = "no other word says what they are")]
pub struct Layings {
    layings: Vec<Laying>,
    /// The sets of all ways, and behind them those that only computer players ask for.
    steps: Steps,
    /// For each way the places of its two sets.
    sets: Vec<(SetPlace, Option<SetPlace>)>,
    /// So many sets are needed for laying.
    needed: usize,
    /// So many are needed with those that say what is liked.
    tasted: usize,
    /// What computer players like.
    tastes: Vec<(SetPlace, i64)>,
    /// What makes a laying promising: by cells, and by size.
    signs: Vec<PlacedSign>,
    sizes: Vec<i32>,
    outlines: Option<Arc<Outlines>>,
    plan: Plan,
    desk: Mutex<Desk>,
}

/// Room to work in, and the newest result: the same question is often asked twice in a row.
#[derive(Clone)]
struct Desk {
    walker: Walker,
    /// Sets that were worked out, and for which state, by its digest, and seat.
    sets: Vec<CellSet>,
    sets_of: Option<(u64, SeatId)>,
    /// By place of their kind in the plan, the pieces to lay.
    pieces: Vec<PiecesOfKind>,
    /// The state by its digest, the seat, and what was found.
    newest: Option<(u64, SeatId, Arc<Sites>)>,
    spare: Option<Arc<Sites>>,
    newest_tastes: Option<(u64, SeatId, Arc<Tastes>)>,
    newest_promise: Option<(u64, SeatId, Arc<Promise>)>,
}

impl Layings {
    /// Makes ways of laying ready for a board.
    pub fn new(layings: Vec<Laying>, board: &Board, frame: &Frame) -> Self {
        let mut steps = Steps::default();
        let sets = layings
            .iter()
            .map(|laying| (steps.add(&laying.on), laying.covering.as_ref().map(|cells| steps.add(cells))))
            .collect();
        let needed = steps.count();
        let tastes = layings.iter().flat_map(|laying| &laying.worth);
        let tastes = tastes.map(|(cells, points)| (steps.add(cells), *points)).collect();
        let tasted = steps.count();
        let mut signs = Vec::new();
        let mut sizes = Vec::new();
        for sign in layings.iter().flat_map(|laying| &laying.signs) {
            match sign {
                Sign::Cells(around, cells, points) => signs.push((*around, steps.add(cells), *points)),
                Sign::Size(size, points) => {
                    if sizes.len() <= *size {
                        sizes.resize(*size + 1, 0);
                    }
                    if let Some(of_size) = sizes.get_mut(*size) {
                        *of_size = *points;
                    }
                }
            }
        }
        let has_signs = !signs.is_empty() || !sizes.is_empty();
        let outlines = if has_signs {
            Outlines::new(board, frame).map(Arc::new)
        } else {
            None
        };
        let figures = frame
            .kinds
            .iter()
            .enumerate()
            .filter_map(|(index, kind)| Some((crate::model::KindId::from_index(index), &**kind.figure.as_ref()?)));
        Self {
            layings,
            steps,
            sets,
            needed,
            tasted,
            tastes,
            signs,
            sizes,
            outlines,
            plan: Plan::new(figures),
            desk: Mutex::new(Desk {
                walker: Walker::new(board),
                sets: Vec::new(),
                sets_of: None,
                pieces: Vec::new(),
                newest: None,
                spare: None,
                newest_tastes: None,
                newest_promise: None,
            }),
        }
    }

    /// The ways of laying, for showing them.
    pub fn layings(&self) -> &[Laying] {
        &self.layings
    }

    /// Where a seat can lay pieces.
    pub(super) fn sites(&self, state: &State, seat: SeatId) -> Arc<Sites> {
        let mut desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        let digest = state.digest();
        if let Some((known, of, sites)) = &desk.newest
            && (*known, *of) == (digest, seat)
        {
            return Arc::clone(sites);
        }
        let older = desk.newest.take().map(|(.., sites)| sites);
        let spare = std::mem::replace(&mut desk.spare, older);
        let mut sites = spare.and_then(Arc::into_inner).unwrap_or_default();
        sites.clear();
        self.work_out(self.needed, state, seat, &mut desk);
        self.search(state, seat, &mut desk, &mut sites);
        let sites = Arc::new(sites);
        desk.newest = Some((digest, seat, Arc::clone(&sites)));
        sites
    }

    /// Works the first sets out, as far as it was not done before.
    fn work_out(&self, count: usize, state: &State, seat: SeatId, desk: &mut Desk) {
        let asked = Some((state.digest(), seat));
        if desk.sets_of != asked {
            desk.sets_of = asked;
            desk.sets.clear();
        }
        self.steps.work_out(count, state, seat, &mut desk.sets);
    }

    fn search(&self, state: &State, seat: SeatId, desk: &mut Desk, sites: &mut Sites) {
        let Desk { walker, sets, pieces, .. } = desk;
        for (laying, (on, covering)) in self.layings.iter().zip(&self.sets) {
            let Some(ground) = sets.get(*on) else { continue };
            let contacts = covering.and_then(|place| sets.get(place));
            if contacts.is_some_and(|contacts| !contacts.intersects(ground)) {
                continue;
            }
            pieces.clear();
            pieces.resize(self.plan.count(), PiecesOfKind::new());
            let zone = laying.from.now(state, seat).and_then(|zone| state.zone(*zone));
            for id in zone.map_or(&[][..], |zone| zone.pieces()) {
                let place = state.piece(*id).and_then(|piece| self.plan.place(piece.kind));
                if let Some(of_kind) = place.and_then(|place| pieces.get_mut(place)) {
                    of_kind.push(*id);
                }
            }
            walker.walk(&self.plan, state.board(), &Search { ground, contacts, pieces }, sites);
        }
    }

    /// What computer players like about covering cells, for a seat; `None` if nothing is said about it.
    pub(super) fn tastes(&self, state: &State, seat: SeatId) -> Option<Arc<Tastes>> {
        if self.tastes.is_empty() {
            return None;
        }
        let mut desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        let digest = state.digest();
        if let Some((known, of, tastes)) = &desk.newest_tastes
            && (*known, *of) == (digest, seat)
        {
            return Some(Arc::clone(tastes));
        }
        self.work_out(self.tasted, state, seat, &mut desk);
        let with_points = self.tastes.iter();
        let with_points = with_points.filter_map(|(place, points)| Some((desk.sets.get(*place)?.clone(), *points)));
        let tastes = Arc::new(with_points.collect::<Tastes>());
        desk.newest_tastes = Some((digest, seat, Arc::clone(&tastes)));
        Some(tastes)
    }

    /// How promising layings look to a seat; `None` if nothing is said about it.
    pub(super) fn promise(&self, state: &State, seat: SeatId) -> Option<Arc<Promise>> {
        let outlines = self.outlines.as_ref()?;
        let mut desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        let digest = state.digest();
        if let Some((known, of, promise)) = &desk.newest_promise
            && (*known, *of) == (digest, seat)
        {
            return Some(Arc::clone(promise));
        }
        self.work_out(self.steps.count(), state, seat, &mut desk);
        let signs = self.signs.iter();
        let signs = signs.filter_map(|(around, place, points)| Some((*around, desk.sets.get(*place)?, *points)));
        let promise = Arc::new(Promise::new(outlines, signs, &self.sizes));
        desk.newest_promise = Some((digest, seat, Arc::clone(&promise)));
        Some(promise)
    }

    /// Lays a piece.
    pub(super) fn lay(&self, transaction: &mut Transaction, piece: PieceId, pose: Pose, cell: CellId) -> Result<(), Rejection> {
        transaction.move_piece(piece, Place::Lying(cell, pose), None)?;
        let dated = self.layings.iter().find_map(|laying| laying.dated);
        let turn = i64::from(transaction.state().sequence().mark.turn);
        dated.map_or(Ok(()), |property| {
            transaction.set(Target::Piece(piece), property, Value::Integer(turn))
        })
    }
}

impl Clone for Layings {
    fn clone(&self) -> Self {
        Self {
            layings: self.layings.clone(),
            steps: self.steps.clone(),
            sets: self.sets.clone(),
            needed: self.needed,
            tasted: self.tasted,
            tastes: self.tastes.clone(),
            signs: self.signs.clone(),
            sizes: self.sizes.clone(),
            outlines: self.outlines.clone(),
            plan: self.plan.clone(),
            desk: Mutex::new(self.desk.lock().unwrap_or_else(PoisonError::into_inner).clone()),
        }
    }
}

impl fmt::Debug for Layings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.layings).finish()
    }
}
