//! A match: the one authority on what happened and what is.

use std::sync::Arc;

use super::{Cause, Event, HostError, Journal, Policy, ReloadError, UndoPolicy};
use crate::model::{Action, Effect, Fingerprint, SeatId, Sight, State};
use crate::rules::{Fault, Generator, Luck, Refusal, RefusalCode, Rejection, Rules, RulesSource, Transaction, flow};

/// A playing of a scenario under rules.
///
/// Everything that changes the state goes through one pipeline: the rules run in a [`Transaction`]; if they refuse or fail,
/// nothing has happened; else effects, draws and digest become an [`Event`] of the [`Journal`].
pub struct Match {
    rules: Box<dyn Rules>,
    /// The state at the position in the journal; between changes nothing is recorded in it.
    present: Transaction,
    journal: Journal,
    generator: Generator,
    policy: Policy,
}

impl std::fmt::Debug for Match {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Match(event {} of {}, {:016x})",
            self.journal.position(),
            self.journal.events().len(),
            self.state().digest()
        )
    }
}

fn refuse<T>(code: RefusalCode, reason: &str) -> Result<T, HostError> {
    Err(HostError::Rejected(Refusal::new(code, reason).into()))
}

impl Match {
    /// Begins a match from what a setup built.
    ///
    /// # Errors
    /// If the rules fail on it.
    pub fn begin(rules: Box<dyn Rules>, setup: State, seed: u64, policy: Policy) -> Result<Self, HostError> {
        let present = Transaction::new(Arc::new(setup), Luck::Forbidden);
        let mut begun = Self {
            rules,
            present,
            journal: Journal::default(),
            generator: Generator::new(seed),
            policy,
        };
        begun.run(Cause::Begin, Arc::from(""), |rules, transaction| flow::begin(rules, transaction))?;
        Ok(begun)
    }

    /// Takes up a match from its setup and its journal, as a save holds them. The events before the position are applied, not
    /// run again; [`verify`](super::verify) runs them again.
    ///
    /// # Errors
    /// If an event does not fit, or its digest is another.
    pub fn resume(rules: Box<dyn Rules>, setup: State, seed: u64, policy: Policy, journal: Journal) -> Result<Self, HostError> {
        let position = journal.position();
        let journal = journal.rewound();
        let present = Transaction::new(Arc::new(setup), Luck::Forbidden);
        let mut resumed = Self {
            rules,
            present,
            journal,
            generator: Generator::new(seed),
            policy,
        };
        resumed.go_to(position)?;
        Ok(resumed)
    }

    /// The rules in force.
    pub fn rules(&self) -> &dyn Rules {
        &*self.rules
    }

    /// The state at the position in the journal. Holding on to it makes the next change copy the state.
    pub fn state(&self) -> &Arc<State> {
        self.present.state()
    }

    /// What happened.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// What is allowed beside the rules.
    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// The seed of the generator.
    pub fn seed(&self) -> u64 {
        self.generator.seed()
    }

    /// Carries out an action for a seat, chosen when `at` events stood.
    ///
    /// # Errors
    /// If it was chosen at another moment, is refused, or the rules are at fault. The match stands as before.
    pub fn submit(&mut self, action: &Action, at: usize) -> Result<&Arc<Event>, HostError> {
        if at != self.journal.position() {
            let reason = format!("chosen when {at} events stood, now {} stand", self.journal.position());
            return refuse(RefusalCode::Stale, &reason);
        }
        flow::check(&*self.rules, self.state(), action)?;
        let notation = Arc::from(self.rules.notation(self.state(), action));
        self.run(Cause::Action(action.clone()), notation, |rules, transaction| {
            flow::perform_legal(rules, transaction, action)
        })
    }

    /// Runs a change whole or not at all and records it.
    fn run(
        &mut self,
        cause: Cause,
        notation: Arc<str>,
        change: impl FnOnce(&dyn Rules, &mut Transaction) -> Result<(), Rejection>,
    ) -> Result<&Arc<Event>, HostError> {
        let round = self.state().sequence().mark.round.max(1);
        let generator = self.generator.position();
        self.present.set_luck(Luck::Roll(self.generator.clone()));
        let mark = self.present.mark();
        let result = change(&*self.rules, &mut self.present);
        if result.is_err() {
            self.present.rollback(mark);
        }
        let luck = self.present.set_luck(Luck::Forbidden);
        let (effects, draws) = self.present.take_record();
        result?;
        if let Luck::Roll(rolled) = luck {
            self.generator = rolled;
        }
        let (digest, fingerprint) = (self.state().digest(), self.rules.fingerprint());
        self.journal.push(Event {
            cause,
            notation,
            round,
            draws,
            effects,
            digest,
            fingerprint,
            generator,
        });
        self.journal.last().ok_or(HostError::NoSuchPosition { asked: 0, length: 0 })
    }

    /// Takes back the newest action. `by` is who asks; none for the host itself.
    ///
    /// # Errors
    /// If there is none or the policy forbids it.
    pub fn undo(&mut self, by: Option<SeatId>) -> Result<usize, HostError> {
        let Some(before) = self.journal.before_last_action() else {
            return refuse(RefusalCode::NoHistory, "nothing has been done yet that could be taken back");
        };
        self.check_undo(before, by)?;
        self.go_to(before)?;
        Ok(before)
    }

    fn check_undo(&self, before: usize, by: Option<SeatId>) -> Result<(), HostError> {
        match self.policy.undo {
            UndoPolicy::Free => Ok(()),
            UndoPolicy::Never => refuse(RefusalCode::Policy, "nothing is taken back in this match"),
            UndoPolicy::OwnTurn => {
                let undone = self.journal.standing().get(before..).unwrap_or_default();
                let is_own = |event: &Arc<Event>| event.action().is_none_or(|action| by.is_none_or(|seat| seat == action.seat));
                let shows = |event: &Arc<Event>| {
                    let reveals = event
                        .effects
                        .iter()
                        .any(|effect| matches!(effect, Effect::Reveal { .. } | Effect::Turn { .. }));
                    reveals || !event.draws.is_empty()
                };
                if !undone.iter().all(is_own) {
                    return refuse(RefusalCode::Policy, "only one's own actions can be taken back");
                }
                if undone.iter().any(shows) {
                    return refuse(RefusalCode::Policy, "what came after dice, hidden things or another's turn stands");
                }
                Ok(())
            }
        }
    }

    /// Does again what was taken back last.
    ///
    /// # Errors
    /// If nothing was taken back.
    pub fn redo(&mut self) -> Result<usize, HostError> {
        let Some(after) = self.journal.after_next_action() else {
            return refuse(RefusalCode::NoHistory, "nothing was taken back that could be done again");
        };
        self.go_to(after)?;
        Ok(after)
    }

    /// Goes to a position of the journal, back or forth. What lies between is all that costs.
    ///
    /// # Errors
    /// If there is no such position or the journal is damaged.
    pub fn go_to(&mut self, position: usize) -> Result<(), HostError> {
        let length = self.journal.events().len();
        if position > length {
            return Err(HostError::NoSuchPosition { asked: position, length });
        }
        while self.journal.position() > position {
            let Some(event) = self.journal.last().cloned() else { break };
            let damaged = |error| HostError::Damaged {
                event: self.journal.position() - 1,
                error,
            };
            self.present.unplay(&event.effects).map_err(damaged)?;
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
            self.journal.forth();
            let drawn = event.draws.iter();
            drawn.for_each(|draw| drop(self.generator.draw(&draw.kind)));
        }
        Ok(())
    }

    /// Puts other rules in force, between two actions. They are first tried on a copy of the match: declarations, legal
    /// actions of whoever is to act, outcome, sight.
    ///
    /// # Errors
    /// If they fail; the old ones stay in force.
    pub fn reload(&mut self, source: &dyn RulesSource, changes: Vec<String>) -> Result<&Arc<Event>, ReloadError> {
        if !self.policy.reload {
            return Err(ReloadError::Policy);
        }
        let old = self.rules.fingerprint();
        let frame = self
            .state()
            .reconcile(crate::model::Frame::clone(source.frame()))
            .map_err(ReloadError::Lost)?;
        let frame = Arc::new(frame);
        let mut tried = State::clone(self.state());
        tried.adopt(&frame);
        let rules = source.rules(tried.board(), &frame, tried.options())?;
        let mut transaction = Transaction::new(Arc::new(tried), Luck::Forbidden);
        transaction.apply(Effect::Rules {
            old,
            new: rules.fingerprint(),
        })?;
        rules.migrate(&mut transaction)?;
        flow::resume(&*rules, &mut transaction)?;
        try_out(&*rules, transaction.state())?;
        let (effects, _) = transaction.take_record();
        self.present = transaction;
        self.rules = rules;
        let event = Event {
            cause: Cause::Reload { changes },
            notation: Arc::from("rules changed"),
            round: self.state().sequence().mark.round.max(1),
            draws: Vec::new(),
            effects,
            digest: self.state().digest(),
            fingerprint: self.rules.fingerprint(),
            generator: self.generator.position(),
        };
        self.journal.push(event);
        self.journal
            .last()
            .ok_or_else(|| Fault::new("journal", "the journal is empty").into())
    }

    /// Changes the state by hand, recorded as such.
    ///
    /// # Errors
    /// If the policy forbids it or the change fails.
    pub fn debug(
        &mut self,
        what: &str,
        change: impl FnOnce(&dyn Rules, &mut Transaction) -> Result<(), Rejection>,
    ) -> Result<&Arc<Event>, HostError> {
        if !self.policy.debug {
            return refuse(RefusalCode::Policy, "the state of this match can not be changed by hand");
        }
        self.run(Cause::Debug { what: what.to_owned() }, Arc::from(what), change)
    }

    /// A match of its own that stands where this one stands; later events are left behind.
    ///
    /// # Errors
    /// If the rules do not work on this board.
    pub fn branch(&self, source: &dyn RulesSource) -> Result<Self, HostError> {
        let rules = source
            .rules(self.state().board(), self.state().frame(), self.state().options())
            .map_err(Rejection::from)?;
        Ok(Self {
            rules,
            present: Transaction::new(Arc::clone(self.state()), Luck::Forbidden),
            journal: Journal::new(self.journal.standing().to_vec(), usize::MAX),
            generator: self.generator.clone(),
            policy: self.policy,
        })
    }

    /// Drops what was taken back: play goes on from here.
    pub fn drop_later(&mut self) {
        self.journal = Journal::new(self.journal.standing().to_vec(), usize::MAX);
    }

    /// What a seat sees now; none for onlookers.
    ///
    /// # Errors
    /// If the rules are at fault.
    pub fn sight(&self, seat: Option<SeatId>) -> Result<Sight, HostError> {
        Ok(Sight::new(seat, self.rules.visible(self.state(), seat)?))
    }

    /// The state as a seat sees it.
    ///
    /// # Errors
    /// If the rules are at fault.
    pub fn view(&self, seat: Option<SeatId>) -> Result<Arc<State>, HostError> {
        Ok(self.state().project(&self.sight(seat)?))
    }

    /// The rules that were in force at some event of the journal, by fingerprint, each once, oldest first.
    pub fn fingerprints(&self) -> Vec<Fingerprint> {
        let mut found: Vec<Fingerprint> = Vec::new();
        for event in self.journal.events() {
            if !found.contains(&event.fingerprint) {
                found.push(event.fingerprint);
            }
        }
        found
    }
}

/// Asks rules everything that would be asked of them next.
fn try_out(rules: &dyn Rules, state: &Arc<State>) -> Result<(), Rejection> {
    let fail_on_fault = |result: Result<(), Rejection>| match result {
        Err(Rejection::Fault(fault)) => Err(Rejection::Fault(fault)),
        Ok(()) | Err(Rejection::Refused(_)) => Ok(()),
    };
    for seat in state.acting().iter() {
        fail_on_fault(flow::legal(rules, state, seat).map(drop))?;
        fail_on_fault(rules.score(state, seat).map(drop))?;
    }
    for seat in state.frame().all_seats().iter() {
        fail_on_fault(rules.visible(state, Some(seat)).map(drop))?;
    }
    fail_on_fault(rules.outcome(state).map(drop))
}
