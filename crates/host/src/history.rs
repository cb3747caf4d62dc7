//! Going back and forth in what happened.

use std::slice;
use std::sync::Arc;

use super::matches::refuse;
use super::{Event, HostError, Journal, Match, Variation};
use boardwright_model::{CellSet, Effect, EffectError, RefusalCode, Rejection, SeatId, Target, UndoPolicy, sentence};
use boardwright_rules::{Luck, Transaction};

impl Match {
    /// Takes back the newest action or manual edit. `by` is who asks; none for the host itself.
    ///
    /// # Errors
    /// If there is none or the policy forbids it.
    pub fn undo(&mut self, by: Option<SeatId>) -> Result<usize, HostError> {
        let Some(before) = self.journal.before_last_change() else {
            return refuse(RefusalCode::NoHistory, sentence!("there is nothing to undo"));
        };
        self.check_undo(before, by)?;
        self.go_to(before)?;
        Ok(before)
    }

    fn check_undo(&self, before: usize, by: Option<SeatId>) -> Result<(), HostError> {
        match self.policy.undo {
            UndoPolicy::Free => Ok(()),
            UndoPolicy::Never => refuse(RefusalCode::Policy, sentence!("this match has no undo")),
            UndoPolicy::OwnTurn => {
                let undone = self.journal.applied().get(before..).unwrap_or_default();
                let is_own = |event: &Arc<Event>| !event.is_of_seats() || by.is_none_or(|seat| event.seat() == Some(seat));
                let ends_turn = |event: &Arc<Event>| event.effects.iter().any(|effect| matches!(effect, Effect::Turn { .. }));
                if !undone.iter().all(is_own) {
                    return refuse(RefusalCode::Policy, sentence!("you can undo only your own actions"));
                }
                let who = by.or_else(|| undone.iter().find_map(|event| event.seat()));
                if undone.iter().any(ends_turn) {
                    return refuse(RefusalCode::Policy, sentence!("actions cannot be undone past the end of a turn"));
                }
                if undone.iter().any(|event| !event.draws.is_empty()) {
                    return refuse(RefusalCode::Policy, sentence!("actions cannot be undone past a roll"));
                }
                if undone.iter().any(|event| reveals(event)) || self.has_shown_cells(before, who)? {
                    return refuse(
                        RefusalCode::Policy,
                        sentence!("this has shown what was hidden: it cannot be undone"),
                    );
                }
                Ok(())
            }
        }
    }

    /// Checks that the events from a position on may be taken back when all agree.
    ///
    /// # Errors
    /// If the policy forbids undo, or something was drawn or shown that nobody can forget.
    pub fn check_agreed_undo(&self, position: usize) -> Result<(), HostError> {
        if self.policy.undo == UndoPolicy::Never {
            return refuse(RefusalCode::Policy, sentence!("this match has no undo"));
        }
        let undone = self.journal.applied().get(position..).unwrap_or_default();
        if undone.is_empty() {
            return refuse(RefusalCode::NoHistory, sentence!("there is nothing to undo"));
        }
        if self.policy.undo == UndoPolicy::Free {
            return Ok(());
        }
        let mut has_shown = undone.iter().any(|event| reveals(event));
        for seat in self.state().declarations().all_seats().iter() {
            has_shown = has_shown || self.has_shown_cells(position, Some(seat))?;
        }
        if has_shown {
            return refuse(
                RefusalCode::Policy,
                sentence!("actions cannot be undone past a roll or hidden information"),
            );
        }
        Ok(())
    }

    /// Whether a seat came to see cells in the events from a position on that it did not see before, also for a moment.
    fn has_shown_cells(&self, position: usize, seat: Option<SeatId>) -> Result<bool, HostError> {
        if !self.state().declarations().has_fog {
            return Ok(false);
        }
        let undone = self.journal.applied().get(position..).unwrap_or_default();
        let damaged = |error| HostError::Damaged { event: position, error };
        let mut there = Transaction::new(Arc::clone(self.state()), Luck::Forbidden);
        for event in self.pending.iter().chain(undone.iter().rev()) {
            there.revert(&event.effects).map_err(damaged)?;
        }
        let Some(seen) = self.rules().visible(there.state(), seat)? else {
            return Ok(false);
        };
        for event in undone {
            let mut newest = None;
            for (index, effect) in event.effects.iter().enumerate() {
                there.replay(slice::from_ref(effect)).map_err(damaged)?;
                // Where pieces are is what mostly decides what is seen; what else does is looked at when the event is over. A piece that comes into play
                // is whole when its properties have been set.
                if let Effect::Spawn(piece) = effect {
                    newest = Some(Target::Piece(piece.id));
                }
                let sets_newest = |effect: &Effect| matches!(effect, Effect::Set { target, .. } if Some(*target) == newest);
                let next = event.effects.get(index + 1);
                let moves = !matches!(effect, Effect::Set { .. }) || sets_newest(effect);
                let is_shown = |visible: CellSet| !visible.difference(&seen).is_empty();
                if next.is_none_or(|next| moves && !sets_newest(next)) && self.rules().visible(there.state(), seat)?.is_none_or(is_shown) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Does again what was taken back last.
    ///
    /// # Errors
    /// If nothing was taken back.
    pub fn redo(&mut self) -> Result<usize, HostError> {
        let Some(after) = self.journal.after_next_change() else {
            return refuse(RefusalCode::NoHistory, sentence!("there is nothing to redo"));
        };
        self.go_to(after)?;
        Ok(after)
    }

    /// Goes to a position of the journal, back or forth. What lies between is all that costs. The rules are those that were in force
    /// there; changed rules that wait for the next action are left behind.
    ///
    /// # Errors
    /// If there is no such position, the journal is damaged, or the rules of that position cannot be made.
    pub fn go_to(&mut self, position: usize) -> Result<(), HostError> {
        let length = self.journal.events().len();
        if position > length {
            return Err(HostError::NoSuchPosition { asked: position, length });
        }
        let from = self.journal.position();
        if let Some(pending) = self.pending.take() {
            self.revert(&pending, from)?;
        }
        self.walk(position)?;
        let taken = self.restore_rules();
        if taken.is_err() {
            self.walk(from)?;
            self.restore_rules()?;
        }
        taken
    }

    /// Applies or takes back the events up to a position.
    fn walk(&mut self, position: usize) -> Result<(), HostError> {
        while self.journal.position() > position {
            let Some(event) = self.journal.last().cloned() else { break };
            self.revert(&event, self.journal.position() - 1)?;
            self.generator.set_position(event.generator);
            self.journal.back();
        }
        while self.journal.position() < position {
            let Some(event) = self.journal.next().cloned() else { break };
            let damaged = |error| HostError::Damaged {
                event: self.journal.position(),
                error,
            };
            self.present.replay(&event.effects).map_err(damaged)?;
            if self.state().digest() != event.digest {
                return Err(damaged(EffectError::Differs("the digest".to_owned())));
            }
            self.journal.forth();
            let drawn = event.draws.iter().filter(|_| event.luck.is_none());
            drawn.for_each(|draw| self.generator.pass(&draw.kind));
        }
        self.generator.force_dice(self.journal.forced_dice());
        Ok(())
    }

    fn revert(&mut self, event: &Event, index: usize) -> Result<(), HostError> {
        let damaged = |error| HostError::Damaged { event: index, error };
        self.present.revert(&event.effects).map_err(damaged)
    }

    /// Puts the rules in force that belong to the position.
    fn restore_rules(&mut self) -> Result<(), HostError> {
        let event = self.journal.last().or(self.journal.events().first());
        let fingerprint = event.map_or_else(|| self.rules.fingerprint(), |event| event.fingerprint);
        if self.rules.fingerprint() != fingerprint || !Arc::ptr_eq(self.rules.declarations(), self.present.state().declarations()) {
            let rules = self.books.rules(&fingerprint, self.present.state()).map_err(Rejection::from)?;
            self.rules = rules.ok_or(HostError::NoRules(fingerprint))?;
        }
        Ok(())
    }

    /// A match of its own that stands where this one stands; later events are left behind.
    #[must_use]
    pub fn branch(&self) -> Self {
        let mut branch = Self {
            rules: std::rc::Rc::clone(&self.rules),
            books: self.books.clone(),
            present: Transaction::new(Arc::clone(self.state()), Luck::Forbidden),
            journal: self.journal.clone(),
            pending: self.pending.clone(),
            generator: self.generator.clone(),
            luck: self.luck.clone(),
            policy: self.policy,
        };
        branch.journal = Journal::new(branch.journal.applied().to_vec(), usize::MAX);
        branch.record_pending();
        branch
    }

    /// Lets play go on from here: what was taken back becomes a variation. Changed rules that waited for it are in force from here on.
    pub fn leave_later(&mut self) {
        self.journal.leave_later();
        self.record_pending();
    }

    /// Makes a variation of the journal the line and goes to its end; what it replaces becomes a variation.
    ///
    /// # Errors
    /// If there is no such variation; else as [`go_to`](Self::go_to), with the match as it was.
    pub fn promote_variation(&mut self, index: usize) -> Result<(), HostError> {
        let at = self.variation(index)?.at;
        let before = self.journal.clone();
        self.go_to(at)?;
        self.journal.promote(index);
        let taken = self.go_to(self.journal.events().len());
        if taken.is_err() {
            // Nothing stands yet of what could not be taken up.
            self.walk(at)?;
            self.journal = Journal::new(before.events().to_vec(), at).with_variations(before.variations().to_vec());
            self.go_to(before.position())?;
        }
        taken
    }

    /// Deletes a variation of the journal, with those that leave it.
    ///
    /// # Errors
    /// If there is no such variation.
    pub fn delete_variation(&mut self, index: usize) -> Result<(), HostError> {
        self.variation(index)?;
        self.journal.delete_variation(index);
        Ok(())
    }

    fn variation(&self, index: usize) -> Result<&Variation, HostError> {
        let count = self.journal.variations().len();
        let found = self.journal.variations().get(index);
        found.ok_or(HostError::NoSuchVariation { asked: index, count })
    }

    /// Writes changed rules that waited for the next action into the journal.
    pub(super) fn record_pending(&mut self) {
        if let Some(event) = self.pending.take() {
            self.journal.push(event);
        }
    }
}

/// Whether an event told somebody what it cannot be made to forget.
fn reveals(event: &Event) -> bool {
    !event.draws.is_empty() || event.effects.iter().any(|effect| matches!(effect, Effect::Reveal { .. }))
}
