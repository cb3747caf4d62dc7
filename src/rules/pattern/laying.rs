//! Laying pieces that have a shape, declared as data.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::cells::{CellsOf, Each, Place as SetPlace, Steps};
use super::plan::{Plan, Search, Walker};
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
}

/// Sets of cells with the points for covering one of theirs.
pub(super) type Tastes = Vec<(CellSet, i64)>;

/// Ways of laying pieces, made ready for a board.
#[expect(clippy::struct_field_names, reason = "no other word says what they are")]
pub struct Layings {
    layings: Vec<Laying>,
    steps: Steps,
    /// For each way the places of its two sets.
    sets: Vec<(SetPlace, Option<SetPlace>)>,
    /// What computer players like, worked out only when they ask.
    tasting: Steps,
    tastes: Vec<(SetPlace, i64)>,
    plan: Plan,
    desk: Mutex<Desk>,
}

/// Room to work in, and the newest result: the same question is often asked twice in a row.
#[derive(Clone)]
struct Desk {
    walker: Walker,
    sets: Vec<CellSet>,
    wanted: Vec<bool>,
    pieces: Vec<(usize, PieceId)>,
    /// The state by its digest, the seat, and what was found.
    newest: Option<(u64, SeatId, Arc<Sites>)>,
    spare: Option<Arc<Sites>>,
    newest_tastes: Option<(u64, SeatId, Arc<Tastes>)>,
}

impl Layings {
    /// Makes ways of laying ready for a board.
    pub fn new(layings: Vec<Laying>, board: &Board, frame: &Frame) -> Self {
        let mut steps = Steps::default();
        let sets = layings
            .iter()
            .map(|laying| (steps.add(&laying.on), laying.covering.as_ref().map(|cells| steps.add(cells))))
            .collect();
        let mut tasting = Steps::default();
        let tastes = layings.iter().flat_map(|laying| &laying.worth);
        let tastes = tastes.map(|(cells, points)| (tasting.add(cells), *points)).collect();
        let figures = frame
            .kinds
            .iter()
            .enumerate()
            .filter_map(|(index, kind)| Some((crate::model::KindId::from_index(index), &**kind.figure.as_ref()?)));
        Self {
            layings,
            steps,
            sets,
            tasting,
            tastes,
            plan: Plan::new(figures),
            desk: Mutex::new(Desk {
                walker: Walker::new(board),
                sets: Vec::new(),
                wanted: Vec::new(),
                pieces: Vec::new(),
                newest: None,
                spare: None,
                newest_tastes: None,
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
        self.search(state, seat, &mut desk, &mut sites);
        let sites = Arc::new(sites);
        desk.newest = Some((digest, seat, Arc::clone(&sites)));
        sites
    }

    fn search(&self, state: &State, seat: SeatId, desk: &mut Desk, sites: &mut Sites) {
        let Desk {
            walker,
            sets,
            wanted,
            pieces,
            ..
        } = desk;
        self.steps.run(state, seat, sets);
        for (laying, (on, covering)) in self.layings.iter().zip(&self.sets) {
            let Some(ground) = sets.get(*on) else { continue };
            let contacts = covering.and_then(|place| sets.get(place));
            if contacts.is_some_and(|contacts| !contacts.intersects(ground)) {
                continue;
            }
            pieces.clear();
            wanted.clear();
            wanted.resize(self.plan.count(), false);
            let zone = laying.from.now(state, seat).and_then(|zone| state.zone(*zone));
            for id in zone.map_or(&[][..], |zone| zone.pieces()) {
                let place = state.piece(*id).and_then(|piece| self.plan.place(piece.kind));
                if let Some(place) = place {
                    pieces.push((place, *id));
                    wanted.iter_mut().skip(place).take(1).for_each(|wanted| *wanted = true);
                }
            }
            let search = Search { ground, contacts, wanted };
            walker.walk(&self.plan, state.board(), &search, sites, &mut |sites, place, pose, cells| {
                for (_, piece) in pieces.iter().filter(|(own, _)| *own == place) {
                    sites.add(*piece, pose, cells.clone());
                }
            });
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
        let mut sets = Vec::new();
        self.tasting.run(state, seat, &mut sets);
        let with_points = self
            .tastes
            .iter()
            .filter_map(|(place, points)| Some((sets.get(*place)?.clone(), *points)));
        let tastes = Arc::new(with_points.collect::<Tastes>());
        desk.newest_tastes = Some((digest, seat, Arc::clone(&tastes)));
        Some(tastes)
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
            tasting: self.tasting.clone(),
            tastes: self.tastes.clone(),
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
