//! The transaction an action runs in: changes are made through it, and taken back together.

mod board;
mod course;

use std::sync::Arc;

use super::{DrawError, Luck};
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{Draw, DrawKind, Effect, EffectError, PieceId, Refusal, Rejection, SeatId, State, ZoneId};

/// What rules ask the flow of play to do when a hook has returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Requests {
    pub(super) end_turn: bool,
    pub(super) next_phase: bool,
    pub(super) next_seat: Option<SeatId>,
}

impl Requests {
    /// Whether the phase or the turn ends.
    pub(super) fn go_on(self) -> bool {
        self.end_turn || self.next_phase
    }

    /// Both together; who was asked for last follows.
    pub(super) fn and(self, later: Self) -> Self {
        Self {
            end_turn: self.end_turn || later.end_turn,
            next_phase: self.next_phase || later.next_phase,
            next_seat: later.next_seat.or(self.next_seat),
        }
    }
}

/// A state being changed, with the list of what changed and what was drawn. [`rollback`](Self::rollback) takes everything back
/// to a [`mark`](Self::mark); nothing else can undo part of an action.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each notes something else that has come about in it")]
pub struct Transaction {
    state: Arc<State>,
    effects: Vec<Effect>,
    draws: Vec<Draw>,
    /// Shared with savepoints until something is drawn.
    luck: Arc<Luck>,
    draw_error: Option<DrawError>,
    awaits_luck: bool,
    pub(super) requests: Requests,
    pub(super) removed: bool,
    /// Whether another turn has begun since the record was begun.
    is_next_turn: bool,
    /// Bytes of text in the effects, and of what was drawn.
    bytes: usize,
    /// Whether pieces created in a zone take the place of pieces there that are not seen.
    pub(super) determinizes: bool,
}

/// A moment of a transaction to go back to.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    effects: usize,
    draws: usize,
    removed: bool,
    is_next_turn: bool,
    bytes: usize,
}

/// A moment of a transaction to go back to as if nothing had happened since: unlike with a [`Mark`], luck and what rules have asked for are as
/// they were, so the same can be tried in another way.
#[derive(Clone, Debug)]
pub struct Savepoint {
    mark: Mark,
    requests: Requests,
    luck: Arc<Luck>,
    draw_error: Option<DrawError>,
    awaits_luck: bool,
}

fn missing(what: &str) -> Rejection {
    Rejection::at_fault(Code::NoSuchThing, format!("{what} does not exist"))
}

impl Transaction {
    /// The most effects one action may have.
    pub const MOST_EFFECTS: usize = 200_000;
    /// The most bytes of texts, lists and draws in one action.
    pub const MOST_BYTES: usize = 4 << 20;

    /// A transaction on a state. The state is changed in place if nobody else holds it, else copied first.
    pub fn new(state: Arc<State>, luck: Luck) -> Self {
        Self {
            state,
            effects: Vec::new(),
            draws: Vec::new(),
            luck: Arc::new(luck),
            draw_error: None,
            awaits_luck: false,
            requests: Requests::default(),
            removed: false,
            is_next_turn: false,
            bytes: 0,
            determinizes: false,
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

    /// Why the last draw that failed did, however rules told it further. Forgotten when luck [changes](Self::set_luck) and when things
    /// are [taken back](Self::rollback).
    pub fn draw_error(&self) -> Option<&DrawError> {
        self.draw_error.as_ref()
    }

    /// Takes random results from somewhere else from here on; gives back where they came from.
    pub fn set_luck(&mut self, luck: Luck) -> Luck {
        self.draw_error = None;
        self.awaits_luck = false;
        Arc::unwrap_or_clone(std::mem::replace(&mut self.luck, Arc::new(luck)))
    }

    /// Whether something was to be drawn for which the numbers are [still to be given](Luck::Awaited), also if that was taken back. Forgotten when luck
    /// [changes](Self::set_luck).
    pub fn awaits_luck(&self) -> bool {
        self.awaits_luck
    }

    /// What was drawn so far.
    pub fn draws(&self) -> &[Draw] {
        &self.draws
    }

    /// The state, effects, draws and luck.
    pub fn into_parts(self) -> (Arc<State>, Vec<Effect>, Vec<Draw>, Luck) {
        (self.state, self.effects, self.draws, Arc::unwrap_or_clone(self.luck))
    }

    /// Hands over what has changed and what was drawn, and begins again on the same state.
    pub fn take_record(&mut self) -> (Vec<Effect>, Vec<Draw>) {
        self.bytes = 0;
        self.is_next_turn = false;
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
    pub fn revert(&mut self, effects: &[Effect]) -> Result<(), EffectError> {
        let state = Arc::make_mut(&mut self.state);
        effects.iter().rev().try_for_each(|effect| state.apply(effect.inverse()))
    }

    /// This moment.
    pub fn mark(&self) -> Mark {
        Mark {
            effects: self.effects.len(),
            draws: self.draws.len(),
            removed: self.removed,
            is_next_turn: self.is_next_turn,
            bytes: self.bytes,
        }
    }

    /// This moment, with the luck that is to come.
    pub fn savepoint(&self) -> Savepoint {
        Savepoint {
            mark: self.mark(),
            requests: self.requests,
            luck: Arc::clone(&self.luck),
            draw_error: self.draw_error.clone(),
            awaits_luck: self.awaits_luck,
        }
    }

    /// What has changed and what was drawn and asked for since a savepoint, as text.
    pub fn changes_since(&self, savepoint: &Savepoint) -> String {
        let draws = self.draws.get(savepoint.mark.draws..).unwrap_or_default();
        format!("{:?} {draws:?} {:?}", self.effects_since(savepoint.mark), self.requests)
    }

    /// Goes back to a savepoint.
    pub fn restore(&mut self, savepoint: Savepoint) {
        self.rollback(savepoint.mark);
        self.requests = savepoint.requests;
        self.luck = savepoint.luck;
        self.draw_error = savepoint.draw_error;
        self.awaits_luck = savepoint.awaits_luck;
    }

    /// Takes back everything since a mark.
    pub fn rollback(&mut self, mark: Mark) {
        self.requests = Requests::default();
        self.draw_error = None;
        self.removed = mark.removed;
        self.is_next_turn = mark.is_next_turn;
        self.bytes = mark.bytes;
        self.draws.truncate(mark.draws);
        if self.effects.len() <= mark.effects {
            return;
        }
        let state = Arc::make_mut(&mut self.state);
        for effect in self.effects.drain(mark.effects..).rev() {
            let taken_back = state.apply(effect.inverse());
            debug_assert!(taken_back.is_ok(), "{effect:?}: {taken_back:?}");
        }
    }

    /// Begins again on a state, which is copied into the room of the old one.
    pub fn restart(&mut self, state: &State) {
        self.forget();
        self.requests = Requests::default();
        self.removed = false;
        Arc::make_mut(&mut self.state).copy_from(state);
    }

    /// Keeps what was done but forgets how: what comes after can no longer be taken back past this point. For search and
    /// playouts, which keep no journal.
    pub fn forget(&mut self) {
        self.effects.clear();
        self.draws.clear();
        self.bytes = 0;
        self.is_next_turn = false;
    }

    /// Applies one effect and records it.
    ///
    /// # Errors
    /// If it does not fit, or there are too many.
    pub fn apply(&mut self, effect: Effect) -> Result<(), Rejection> {
        if self.effects.len() >= Self::MOST_EFFECTS {
            let message = format!("more than {} effects in one action", Self::MOST_EFFECTS);
            return Err(Rejection::at_fault(Code::BudgetEffects, message));
        }
        let begins_turn = matches!(&effect, Effect::Turn { old, new, .. } if old.turn != new.turn);
        self.count_bytes(effect.text_bytes())?;
        let applied = Arc::make_mut(&mut self.state).apply(&effect);
        applied.map_err(|error| Rejection::at_fault(Code::Effect, error.to_string()))?;
        self.effects.push(effect);
        self.is_next_turn |= begins_turn;
        Ok(())
    }

    /// Applies an effect if it changes anything.
    fn change<T: PartialEq>(&mut self, old: T, new: T, effect: impl FnOnce(T, T) -> Effect) -> Result<(), Rejection> {
        if old == new { Ok(()) } else { self.apply(effect(old, new)) }
    }

    fn count_bytes(&mut self, bytes: usize) -> Result<(), Rejection> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes <= Self::MOST_BYTES {
            return Ok(());
        }
        let message = format!("more than {} MiB of texts and draws in one action", Self::MOST_BYTES >> 20);
        Err(Rejection::at_fault(Code::BudgetSize, message))
    }

    /// Draws a random result.
    ///
    /// # Errors
    /// If nothing may be drawn here, or the draw makes no sense.
    pub fn draw(&mut self, kind: DrawKind, purpose: &str) -> Result<Arc<[u32]>, Rejection> {
        if !kind.is_possible() {
            let may = match &kind {
                DrawKind::Dice { .. } => "1 to 1,000 dice with 1 to 1,000,000 sides can be rolled",
                DrawKind::Shuffle { .. } => "at most 100,000 things can be shuffled",
                DrawKind::Choose { .. } => "it takes at most 100,000 things, with weights that together are 1 to 4,294,967,295",
            };
            return Err(Rejection::at_fault(Code::WrongDraw, format!("{kind} cannot be drawn: {may}")));
        }
        if self.draws.len() >= 10_000 {
            return Err(Rejection::at_fault(Code::BudgetDraws, "more than 10,000 draws in one action"));
        }
        self.count_bytes(purpose.len() + kind.result_bytes())?;
        let result = Arc::make_mut(&mut self.luck).draw(&kind).map_err(|error| {
            self.awaits_luck |= error == DrawError::Awaited;
            self.draw_error = Some(error.clone());
            Diagnostic::from(error)
        })?;
        self.draws.push(Draw {
            kind,
            purpose: Arc::from(purpose),
            result: Arc::clone(&result),
            next_turn: self.state.sequence().mark.seat.filter(|_| self.is_next_turn),
        });
        Ok(result)
    }

    /// Puts the pieces of a zone into a random order.
    ///
    /// # Errors
    /// If the zone does not exist or nothing may be drawn here.
    pub fn shuffle(&mut self, zone: ZoneId, purpose: &str) -> Result<(), Rejection> {
        let old: Arc<[PieceId]> = self.state.zone(zone).ok_or_else(|| missing("the zone"))?.pieces().into();
        let count = old.len().min(u32::MAX as usize) as u32;
        let order = self.draw(DrawKind::Shuffle { count }, purpose)?;
        let new = order.iter().filter_map(|index| old.get(*index as usize).copied()).collect();
        self.apply(Effect::Reorder { zone, old, new })
    }

    /// Refuses an action by a rule: shorthand for hooks written in Rust.
    ///
    /// # Errors
    /// Always.
    pub fn refuse<T>(rule: &str, reason: &str) -> Result<T, Rejection> {
        Err(Refusal::by_rule(rule, reason).into())
    }
}
