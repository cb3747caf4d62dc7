//! The transaction an action runs in: changes are made through it, and taken back together.

use std::sync::Arc;

use smallvec::SmallVec;

use super::{Fault, Luck, Refusal, Rejection};
use crate::model::{
    ActionId, CellId, Decision, DecisionId, Draw, DrawKind, Effect, EffectError, KindId, Outcome, PhaseId, Piece, PieceId, Place,
    PropertyId, SeatId, SeatSet, State, Target, TerrainId, TurnMark, Value, ZoneId,
};

/// What rules ask the flow of play to do when a hook has returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Requests {
    pub(super) end_turn: bool,
    pub(super) next_phase: bool,
    pub(super) next_seat: Option<SeatId>,
}

/// A state being changed, with the list of what changed and what was drawn. [`rollback`](Self::rollback) takes everything back
/// to a [`mark`](Self::mark); nothing else can undo part of an action.
#[derive(Debug)]
pub struct Transaction {
    state: Arc<State>,
    effects: Vec<Effect>,
    draws: Vec<Draw>,
    luck: Luck,
    pub(super) requests: Requests,
    pub(super) removed: bool,
    /// Whether pieces created in a zone take the place of pieces there that are not seen.
    pub(super) imagines: bool,
}

/// A moment of a transaction to go back to.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    effects: usize,
    draws: usize,
    removed: bool,
}

fn misfit(error: &EffectError) -> Rejection {
    Fault::new("effect", error.to_string()).into()
}

fn missing(what: &str) -> Rejection {
    Fault::new("no-such-thing", format!("{what} does not exist")).into()
}

impl Transaction {
    /// The most effects one action may have.
    pub const MOST_EFFECTS: usize = 200_000;

    /// A transaction on a state. The state is changed in place if nobody else holds it, else copied first.
    pub fn new(state: Arc<State>, luck: Luck) -> Self {
        Self {
            state,
            effects: Vec::new(),
            draws: Vec::new(),
            luck,
            requests: Requests::default(),
            removed: false,
            imagines: false,
        }
    }

    /// The state as changed so far.
    pub fn state(&self) -> &Arc<State> {
        &self.state
    }

    /// What has changed so far.
    pub fn effects(&self) -> &[Effect] {
        &self.effects
    }

    /// What has changed since a mark.
    pub fn effects_since(&self, mark: Mark) -> &[Effect] {
        self.effects.get(mark.effects..).unwrap_or_default()
    }

    /// Where random results come from.
    pub fn luck(&self) -> &Luck {
        &self.luck
    }

    /// Takes random results from somewhere else from here on; gives back where they came from.
    pub fn set_luck(&mut self, luck: Luck) -> Luck {
        std::mem::replace(&mut self.luck, luck)
    }

    /// What was drawn so far.
    pub fn draws(&self) -> &[Draw] {
        &self.draws
    }

    /// The state, effects, draws and luck.
    pub fn into_parts(self) -> (Arc<State>, Vec<Effect>, Vec<Draw>, Luck) {
        (self.state, self.effects, self.draws, self.luck)
    }

    /// Hands over what has changed and what was drawn, and begins anew on the same state.
    pub fn take_record(&mut self) -> (Vec<Effect>, Vec<Draw>) {
        (std::mem::take(&mut self.effects), std::mem::take(&mut self.draws))
    }

    /// Applies effects of a journal without recording them.
    ///
    /// # Errors
    /// If one does not fit; those before it stay applied.
    pub fn replay(&mut self, effects: &[Effect]) -> Result<(), EffectError> {
        let state = Arc::make_mut(&mut self.state);
        effects.iter().try_for_each(|effect| state.apply(effect))
    }

    /// Takes back effects of a journal, the last one first.
    ///
    /// # Errors
    /// If one does not fit; those behind it stay taken back.
    pub fn unplay(&mut self, effects: &[Effect]) -> Result<(), EffectError> {
        let state = Arc::make_mut(&mut self.state);
        effects.iter().rev().try_for_each(|effect| state.revert(effect))
    }

    /// This moment.
    pub fn mark(&self) -> Mark {
        Mark {
            effects: self.effects.len(),
            draws: self.draws.len(),
            removed: self.removed,
        }
    }

    /// Takes back everything since a mark.
    pub fn rollback(&mut self, mark: Mark) {
        self.requests = Requests::default();
        self.removed = mark.removed;
        self.draws.truncate(mark.draws);
        if self.effects.len() <= mark.effects {
            return;
        }
        let state = Arc::make_mut(&mut self.state);
        for effect in self.effects.drain(mark.effects..).rev() {
            let reverted = state.revert(&effect);
            debug_assert!(reverted.is_ok(), "{effect:?}: {reverted:?}");
        }
    }

    /// Begins anew on a state, which is copied into the room of the old one.
    pub fn restart(&mut self, state: &State) {
        self.forget();
        self.requests = Requests::default();
        self.removed = false;
        Arc::make_mut(&mut self.state).clone_from(state);
    }

    /// Keeps what was done but forgets how: what comes after can no longer be taken back past this point. For search and
    /// playouts, which keep no journal.
    pub fn forget(&mut self) {
        self.effects.clear();
        self.draws.clear();
    }

    /// Applies one effect and records it.
    ///
    /// # Errors
    /// If it does not fit, or there are too many.
    pub fn apply(&mut self, effect: Effect) -> Result<(), Rejection> {
        if self.effects.len() >= Self::MOST_EFFECTS {
            return Err(Fault::new("budget-effects", format!("more than {} effects in one action", Self::MOST_EFFECTS)).into());
        }
        Arc::make_mut(&mut self.state).apply(&effect).map_err(|error| misfit(&error))?;
        self.effects.push(effect);
        Ok(())
    }

    /// Sets a declared property, within its type and range.
    ///
    /// # Errors
    /// If the property is not declared for the target, or the value is not allowed.
    pub fn set(&mut self, target: Target, property: PropertyId, new: Value) -> Result<(), Rejection> {
        let declaration = self.state.frame().property(property).ok_or_else(|| missing("the property"))?;
        let old = self
            .state
            .value(target, property)
            .ok_or_else(|| missing(&format!("property {}", declaration.name)))?;
        if *old == new {
            return Ok(());
        }
        declaration
            .value_type
            .check(&new)
            .map_err(|error| Fault::new("wrong-value", format!("property {}: {error}", declaration.name)))?;
        let old = old.clone();
        self.apply(Effect::Set {
            target,
            property,
            old,
            new,
        })
    }

    /// Moves a piece. Into a zone it goes to `index`, or to the end (the top of a deck).
    ///
    /// # Errors
    /// If piece or place do not exist.
    pub fn move_piece(&mut self, piece: PieceId, to: Place, index: Option<usize>) -> Result<(), Rejection> {
        let from = self.state.piece(piece).ok_or_else(|| missing("the piece"))?.place;
        if from == to && to.zone().is_none() {
            return Ok(());
        }
        let from_index = from.zone().and_then(|zone| self.zone_index(zone, piece)).unwrap_or(0);
        let length = to
            .zone()
            .and_then(|zone| self.state.zone(zone))
            .map_or(0, |zone| zone.pieces().len() - usize::from(from == to));
        let to_index = if to.zone().is_some() {
            index.unwrap_or(length).min(length).min(usize::from(u16::MAX)) as u16
        } else {
            0
        };
        self.removed |= to.is_off();
        self.apply(Effect::Move {
            piece,
            from,
            from_index,
            to,
            to_index,
        })
    }

    fn zone_index(&self, zone: ZoneId, piece: PieceId) -> Option<u16> {
        let index = self.state.zone(zone)?.pieces().iter().position(|other| *other == piece)?;
        u16::try_from(index).ok()
    }

    /// Takes a piece out of play.
    ///
    /// # Errors
    /// If the piece does not exist.
    pub fn remove(&mut self, piece: PieceId) -> Result<(), Rejection> {
        self.move_piece(piece, Place::Off, None)
    }

    /// Brings a new piece into play.
    ///
    /// # Errors
    /// If kind, owner or place do not exist.
    pub fn spawn(&mut self, kind: KindId, owner: Option<SeatId>, place: Place) -> Result<PieceId, Rejection> {
        if owner.is_some_and(|seat| seat.index() >= self.state.frame().seats.len()) {
            return Err(missing("the seat"));
        }
        let unseen = place
            .zone()
            .filter(|_| self.imagines)
            .and_then(|zone| Some((zone, self.state.zone(zone)?.unseen())));
        if let Some((zone, old @ 1..)) = unseen {
            self.apply(Effect::Unseen { zone, old, new: old - 1 })?;
        }
        let id = self.state.next_piece();
        let values = self.state.frame().starting_values(kind);
        self.apply(Effect::Spawn(Box::new(Piece {
            id,
            kind,
            owner,
            place,
            revealed: SeatSet::EMPTY,
            values,
        })))?;
        Ok(id)
    }

    /// Gives a piece to another seat, or to none.
    ///
    /// # Errors
    /// If piece or seat do not exist.
    pub fn set_owner(&mut self, piece: PieceId, new: Option<SeatId>) -> Result<(), Rejection> {
        let old = self.state.piece(piece).ok_or_else(|| missing("the piece"))?.owner;
        if new.is_some_and(|seat| seat.index() >= self.state.frame().seats.len()) {
            return Err(missing("the seat"));
        }
        if old == new {
            Ok(())
        } else {
            self.apply(Effect::Owner { piece, old, new })
        }
    }

    /// Shows a piece to seats that its place hides it from.
    ///
    /// # Errors
    /// If the piece does not exist.
    pub fn reveal(&mut self, piece: PieceId, to: SeatSet) -> Result<(), Rejection> {
        let old = self.state.piece(piece).ok_or_else(|| missing("the piece"))?.revealed;
        if old == to {
            Ok(())
        } else {
            self.apply(Effect::Reveal { piece, old, new: to })
        }
    }

    /// Changes the ground of a cell.
    ///
    /// # Errors
    /// If cell or terrain do not exist.
    pub fn set_terrain(&mut self, cell: CellId, new: TerrainId) -> Result<(), Rejection> {
        let old = self.state.terrain(cell).ok_or_else(|| missing("the cell"))?;
        if new.index() >= self.state.frame().terrains.len() {
            return Err(missing("the terrain"));
        }
        if old == new {
            Ok(())
        } else {
            self.apply(Effect::Terrain { cell, old, new })
        }
    }

    /// Draws a random result.
    ///
    /// # Errors
    /// If nothing may be drawn here, or the draw makes no sense.
    pub fn draw(&mut self, kind: DrawKind, purpose: &str) -> Result<Arc<[u32]>, Rejection> {
        let senseless = match &kind {
            DrawKind::Dice { count, sides } => !(1..=1000).contains(count) || !(1..=1_000_000).contains(sides),
            DrawKind::Shuffle { count } => *count > 100_000,
            DrawKind::Choose { weights } => {
                let total: u64 = weights.iter().map(|weight| u64::from(*weight)).sum();
                total == 0 || total > u64::from(u32::MAX) || weights.len() > 100_000
            }
        };
        if senseless {
            let may = match &kind {
                DrawKind::Dice { .. } => "1 to 1,000 dice with 1 to 1,000,000 sides can be rolled",
                DrawKind::Shuffle { .. } => "at most 100,000 things can be shuffled",
                DrawKind::Choose { .. } => "it takes at most 100,000 things, with weights that together are 1 to 4,294,967,295",
            };
            return Err(Fault::new("luck", format!("{kind} can not be drawn: {may}")).into());
        }
        if self.draws.len() >= 10_000 {
            return Err(Fault::new("budget-draws", "more than 10,000 draws in one action").into());
        }
        let result = self.luck.draw(&kind)?;
        self.draws.push(Draw {
            kind,
            purpose: Arc::from(purpose),
            result: Arc::clone(&result),
        });
        Ok(result)
    }

    /// Puts the pieces of a zone into a random order.
    ///
    /// # Errors
    /// If the zone does not exist or nothing may be drawn here.
    pub fn shuffle(&mut self, zone: ZoneId, purpose: &str) -> Result<(), Rejection> {
        let old: Arc<[PieceId]> = self.state.zone(zone).ok_or_else(|| missing("the zone"))?.pieces().into();
        let order = self.draw(
            DrawKind::Shuffle {
                count: old.len().min(u32::MAX as usize) as u32,
            },
            purpose,
        )?;
        let new = order.iter().filter_map(|index| old.get(*index as usize).copied()).collect();
        self.apply(Effect::Reorder { zone, old, new })
    }

    /// Puts a question to seats, to be answered with an action.
    ///
    /// # Errors
    /// If the action can not answer, or no seat is asked.
    pub fn ask(&mut self, seats: SeatSet, action: ActionId, data: Vec<(Arc<str>, Value)>) -> Result<DecisionId, Rejection> {
        let declared = self.state.frame().action(action).ok_or_else(|| missing("the action"))?;
        if !declared.answers_decision {
            return Err(Fault::new(
                "ask",
                format!("action {} is not declared as an answer (answers: true)", declared.name),
            )
            .into());
        }
        let all = self.state.frame().all_seats();
        let asked: SeatSet = seats
            .iter()
            .filter(|seat| all.contains(*seat) && !self.state.eliminated().contains(*seat))
            .collect();
        if asked.is_empty() {
            return Err(Fault::new("ask", format!("{} is asked of no seat in the match", declared.name)).into());
        }
        let id = DecisionId(self.state.sequence().next_decision);
        self.apply(Effect::OpenDecision(Box::new(Decision {
            id,
            action,
            asked,
            waiting: asked,
            data,
        })))?;
        Ok(id)
    }

    /// Notes that a seat has answered a question, which closes when all have. Questions that were put in answering it stay open.
    pub(super) fn answer(&mut self, seat: SeatId, decision: DecisionId) -> Result<(), Rejection> {
        let find = |state: &State| state.sequence().decisions.iter().find(|open| open.id == decision).cloned();
        if !find(&self.state).is_some_and(|open| open.waiting.contains(seat)) {
            return Ok(());
        }
        self.apply(Effect::AnswerDecision { decision, seat })?;
        match find(&self.state) {
            Some(open) if open.waiting.is_empty() => {
                let closed = Box::new(open.clone());
                self.apply(Effect::CloseDecision(closed))
            }
            _ => Ok(()),
        }
    }

    /// Tells players something.
    ///
    /// # Errors
    /// If there are too many effects.
    pub fn note(&mut self, to: SeatSet, text: &str) -> Result<(), Rejection> {
        self.apply(Effect::Note { to, text: Arc::from(text) })
    }

    /// Puts a seat out of the match.
    ///
    /// # Errors
    /// If the seat does not exist.
    pub fn eliminate(&mut self, seat: SeatId) -> Result<(), Rejection> {
        if self.state.eliminated().contains(seat) {
            Ok(())
        } else {
            self.apply(Effect::Eliminate(seat))
        }
    }

    /// Ends the match. A second call changes nothing: the first ending stands.
    ///
    /// # Errors
    /// If the outcome does not name a place for each seat.
    pub fn end(&mut self, outcome: Outcome) -> Result<(), Rejection> {
        if outcome.places.len() != self.state.frame().seats.len() {
            return Err(Fault::new("outcome", "the outcome must give a place to every seat").into());
        }
        if self.state.outcome().is_some() {
            Ok(())
        } else {
            self.apply(Effect::End(Box::new(outcome)))
        }
    }

    /// Asks for the turn to end once the hook has returned. `next` is the seat that follows; by default the next one in the
    /// order of declaration that is still in the match.
    pub fn end_turn(&mut self, next: Option<SeatId>) {
        self.requests.end_turn = true;
        self.requests.next_seat = next;
    }

    /// Asks for the phase to end once the hook has returned. After the last phase the turn ends.
    pub fn next_phase(&mut self) {
        self.requests.next_phase = true;
    }

    pub(super) fn set_phase(&mut self, new: PhaseId) -> Result<(), Rejection> {
        let old = self.state.sequence().phase;
        if old == new {
            Ok(())
        } else {
            self.apply(Effect::Phase { old, new })
        }
    }

    pub(super) fn set_turn(&mut self, new: TurnMark) -> Result<(), Rejection> {
        let old = self.state.sequence().mark;
        let fresh = std::mem::take(&mut self.removed);
        let journey = if self.state.frame().counts_positions {
            self.journey(old.seat)
        } else {
            None
        };
        self.apply(Effect::Turn { old, new, fresh, journey })
    }

    /// The journey of the first piece a seat moved since its turn began.
    fn journey(&self, seat: Option<SeatId>) -> Option<crate::model::Journey> {
        let since = self
            .effects
            .iter()
            .rposition(|effect| matches!(effect, Effect::Turn { .. }))
            .map_or(0, |turn| turn + 1);
        let moves = self.effects.get(since..)?.iter().filter_map(|effect| match effect {
            Effect::Move {
                piece,
                from: Place::Cell(from),
                ..
            } => Some((*piece, *from)),
            _ => None,
        });
        let mut own = moves
            .filter_map(|(id, from)| Some((self.state.piece(id)?, from)))
            .filter(|(piece, _)| piece.owner == seat);
        let (piece, from) = own.next()?;
        Some(crate::model::Journey {
            piece: piece.id,
            from,
            to: piece.place.cell()?,
        })
    }

    /// The pieces on a cell that belong to another seat than the given one.
    pub fn enemies_at(&self, cell: CellId, seat: SeatId) -> SmallVec<[PieceId; 2]> {
        let pieces = self.state.pieces_at(cell).iter().copied();
        pieces
            .filter(|id| {
                self.state
                    .piece(*id)
                    .is_some_and(|piece| piece.owner.is_some_and(|owner| owner != seat))
            })
            .collect()
    }

    /// Refuses an action by a rule: shorthand for hooks written in Rust.
    ///
    /// # Errors
    /// Always.
    pub fn refuse<T>(rule: &str, reason: &str) -> Result<T, Rejection> {
        Err(Refusal::by_rule(rule, reason).into())
    }
}
