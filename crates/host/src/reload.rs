//! Changed rules for a running match.

use std::sync::Arc;

use super::{Cause, Event, Match, ReloadError};
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{Declarations, DeclarationsChange, Effect, Rejection, State, sentence};
use boardwright_rules::{Luck, MakeRules, Rules, RulesSource, Transaction, flow, looks};

impl Match {
    /// Puts other rules in force, between two actions. They are first tried on a copy of the match: declarations, legal
    /// actions of whoever is to act, outcome, sight.
    ///
    /// At the end of the journal that is an event. While events are taken back it is [`pending`](Self::pending), so that these are
    /// not lost: the rules are in force, and the change goes into the journal in front of what is done next.
    ///
    /// # Errors
    /// If they fail; the old ones stay in force.
    pub fn reload(&mut self, source: Arc<dyn RulesSource>, changes: Vec<String>) -> Result<&Arc<Event>, ReloadError> {
        self.reload_made_by(source, None, changes)
    }

    /// The same with rules made by `make`, if it is given: `source` is not compiled again then.
    ///
    /// # Errors
    /// As [`reload`](Self::reload).
    pub fn reload_made_by(
        &mut self,
        source: Arc<dyn RulesSource>,
        make: Option<MakeRules>,
        changes: Vec<String>,
    ) -> Result<&Arc<Event>, ReloadError> {
        if !self.policy.reload {
            return Err(ReloadError::Policy);
        }
        let base = self.without_pending()?;
        let declarations = base.reconcile(Declarations::clone(source.declarations()));
        let declarations = declarations.map_err(ReloadError::Lost)?;
        let old = Arc::clone(base.declarations());
        let change = (declarations != *old).then(|| {
            let new = Arc::new(declarations);
            Box::new(DeclarationsChange { old, new })
        });
        let newest = self.journal.last();
        let mut transaction = Transaction::new(base, Luck::Forbidden);
        transaction.apply(Effect::Rules {
            old: newest.map_or_else(|| self.rules.fingerprint(), |event| event.fingerprint),
            new: source.fingerprint(),
            declarations: change,
        })?;
        let fingerprint = source.fingerprint();
        self.books.add(source);
        let rules = self.books.rules_made_by(make, &fingerprint, transaction.state())?;
        let rules = rules.ok_or_else(|| Diagnostic::error(Code::NoRules, "the changed rules are not at hand"))?;
        rules.migrate(&mut transaction)?;
        flow::resume(&*rules, &mut transaction)?;
        try_out(&*rules, transaction.state())?;
        let (effects, _) = transaction.take_record();
        let event = Arc::new(Event {
            cause: Cause::Reload { changes },
            notation: sentence!("rules changed").into(),
            sentence: Arc::default(),
            round: transaction.state().sequence().mark.round.max(1),
            draws: Vec::new(),
            effects,
            digest: transaction.state().digest(),
            fingerprint: rules.fingerprint(),
            generator: self.generator.position(),
        });
        self.present = transaction;
        self.rules = rules;
        if self.journal.later() > 0 {
            Ok(self.pending.insert(event))
        } else {
            self.journal.push(event);
            let newest = self.journal.last();
            newest.ok_or_else(|| Diagnostic::error(Code::Journal, "the journal is empty").into())
        }
    }

    /// The state at the position in the journal, as it was there.
    fn without_pending(&self) -> Result<Arc<State>, Diagnostic> {
        let Some(event) = &self.pending else {
            return Ok(Arc::clone(self.state()));
        };
        let mut back = Transaction::new(Arc::clone(self.state()), Luck::Forbidden);
        let taken_back = back.revert(&event.effects);
        taken_back.map_err(|error| Diagnostic::error(Code::Journal, format!("a change of rules cannot be taken back: {error}")))?;
        Ok(back.into_parts().0)
    }

    /// The change of rules that goes into the journal in front of what is done next.
    pub fn pending(&self) -> Option<&Arc<Event>> {
        self.pending.as_ref()
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
        fail_on_fault(rules.guidance().value(state, seat).map(drop))?;
    }
    for seat in state.declarations().all_seats().iter() {
        fail_on_fault(rules.visible(state, Some(seat)).map(drop))?;
        fail_on_fault(looks(rules, state, Some(seat)).map(drop))?;
    }
    fail_on_fault(rules.outcome(state).map(drop))
}
