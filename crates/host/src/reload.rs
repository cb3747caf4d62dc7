//! Changed rules for a running match.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use super::{Cause, Event, Match, ReloadError};
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{Declarations, DeclarationsChange, Effect, Fingerprint, Rejection, State, sentence};
use boardwright_rules::{Generator, Luck, MakeRules, Request, RequestKind, Rules, RulesSource, Transaction, flow, looks};

/// How many actions rules that are tried play one after the other.
const MOST_PLAYED: usize = 3;

/// A match at the moment at which changed rules are tried on it. It can be sent to another thread, so that the match goes on meanwhile.
#[derive(Clone, Debug)]
pub struct ReloadSnapshot {
    state: Arc<State>,
    in_force: Fingerprint,
}

/// Changed rules that were tried on a match without a fault, and what they change in it when they come into force.
#[derive(Clone, Debug)]
pub struct TriedRules {
    on: ReloadSnapshot,
    effects: Vec<Effect>,
}

impl ReloadSnapshot {
    /// Tries rules on the match: makes them, has them migrate the state, and asks everything that would be asked of them next: legal
    /// actions of whoever is to act, outcome, sight, looks. Then it plays an action of each sort, and a few more behind one of them, on copies of
    /// the match. `make` makes them if it is given, else the source does. `made` is told of the
    /// rules before anything is asked of them.
    ///
    /// # Errors
    /// If they fail.
    pub fn try_rules(
        &self,
        source: &dyn RulesSource,
        make: Option<MakeRules>,
        made: &mut dyn FnMut(&dyn Rules),
    ) -> Result<TriedRules, ReloadError> {
        let mut transaction = self.under_declarations_of(source)?;
        let (board, options) = (Arc::clone(transaction.state().board()), transaction.state().options().to_vec());
        let declarations = Arc::clone(transaction.state().declarations());
        let rules: Rc<dyn Rules> = Rc::from(match make {
            Some(make) => make(&board, &declarations, &options)?,
            None => source.rules(&board, &declarations, &options)?,
        });
        made(&*rules);
        let request = Request::begin(&*rules, RequestKind::Whole);
        adapt(&*rules, &mut transaction)?;
        try_out(&*rules, transaction.state())?;
        drop(request);
        play_on(&*rules, transaction.state())?;
        Ok(TriedRules {
            on: self.clone(),
            effects: transaction.take_record().0,
        })
    }

    /// Whether it is of the same moment as another.
    fn is_same(&self, other: &Self) -> bool {
        self.in_force == other.in_force && self.state.digest() == other.state.digest()
    }

    /// The match with the declarations of a source, as far as it has use for them.
    fn under_declarations_of(&self, source: &dyn RulesSource) -> Result<Transaction, ReloadError> {
        let declarations = self.state.reconcile(Declarations::clone(source.declarations()));
        let declarations = declarations.map_err(ReloadError::Lost)?;
        let old = Arc::clone(self.state.declarations());
        let change = (declarations != *old).then(|| {
            let new = Arc::new(declarations);
            Box::new(DeclarationsChange { old, new })
        });
        let mut transaction = Transaction::new(Arc::clone(&self.state), Luck::Forbidden);
        transaction.apply(Effect::Rules {
            old: self.in_force,
            new: source.fingerprint(),
            declarations: change,
        })?;
        Ok(transaction)
    }
}

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
        let mut transaction = self.reload_snapshot()?.under_declarations_of(&*source)?;
        let rules = self.changed_rules(source, make, &transaction)?;
        let _request = Request::begin(Rc::clone(&rules), RequestKind::Whole);
        adapt(&*rules, &mut transaction)?;
        try_out(&*rules, transaction.state())?;
        self.enforce(rules, transaction, changes)
    }

    /// Puts rules in force that were tried on a snapshot of the match. If the match has gone on since, they migrate its state as it is
    /// now; nothing else is asked of them here.
    ///
    /// # Errors
    /// If they fail after all; the old ones stay in force.
    pub fn put_in_force(
        &mut self,
        source: Arc<dyn RulesSource>,
        tried: &TriedRules,
        changes: Vec<String>,
    ) -> Result<&Arc<Event>, ReloadError> {
        let snapshot = self.reload_snapshot()?;
        let mut transaction = snapshot.under_declarations_of(&*source)?;
        let rules = self.changed_rules(source, None, &transaction)?;
        if snapshot.is_same(&tried.on) {
            transaction = Transaction::new(snapshot.state, Luck::Forbidden);
            for effect in &tried.effects {
                transaction.apply(effect.clone())?;
            }
        } else {
            let _request = Request::begin(&*rules, RequestKind::Whole);
            adapt(&*rules, &mut transaction)?;
        }
        self.enforce(rules, transaction, changes)
    }

    /// The match as changed rules are to be tried on it.
    ///
    /// # Errors
    /// If its policy forbids a reload, or the journal is damaged.
    pub fn reload_snapshot(&self) -> Result<ReloadSnapshot, ReloadError> {
        if !self.policy.reload {
            return Err(ReloadError::Policy);
        }
        let newest = self.journal.last();
        Ok(ReloadSnapshot {
            state: self.without_pending()?,
            in_force: newest.map_or_else(|| self.rules.fingerprint(), |event| event.fingerprint),
        })
    }

    /// Whether rules were tried on the match as it is now.
    pub fn is_as_tried(&self, tried: &TriedRules) -> bool {
        self.reload_snapshot().is_ok_and(|snapshot| snapshot.is_same(&tried.on))
    }

    fn changed_rules(
        &mut self,
        source: Arc<dyn RulesSource>,
        make: Option<MakeRules>,
        transaction: &Transaction,
    ) -> Result<Rc<dyn Rules>, ReloadError> {
        let fingerprint = source.fingerprint();
        self.books.add(source);
        let rules = self.books.rules_made_by(make, &fingerprint, transaction.state())?;
        rules.ok_or_else(|| Diagnostic::error(Code::NoRules, "the changed rules are not at hand").into())
    }

    /// Puts rules in force together with what they changed.
    fn enforce(&mut self, rules: Rc<dyn Rules>, mut transaction: Transaction, changes: Vec<String>) -> Result<&Arc<Event>, ReloadError> {
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
            luck: None,
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

    /// The state at the position in the journal, as it was there: without changed rules that wait.
    ///
    /// # Errors
    /// If the journal is damaged.
    pub fn without_pending(&self) -> Result<Arc<State>, Diagnostic> {
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

/// Has rules take over a state that was made under others.
fn adapt(rules: &dyn Rules, transaction: &mut Transaction) -> Result<(), Rejection> {
    rules.migrate(transaction)?;
    flow::resume(rules, transaction)
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

/// Plays an action of each sort, and a few more behind the last, and asks after each what would be asked then: what an action brings about is
/// only seen when it is carried out.
fn play_on(rules: &dyn Rules, state: &Arc<State>) -> Result<(), Rejection> {
    let mut generator = Generator::new(1);
    let mut state = Arc::clone(state);
    for _ in 0..MOST_PLAYED {
        let Some(seat) = state.acting().first() else { break };
        let legal = {
            let _request = Request::begin(rules, RequestKind::Whole);
            flow::legal(rules, &state, seat)
        };
        let legal = match legal {
            Ok(legal) => legal,
            Err(Rejection::Refused(_)) => break,
            fault => fault?,
        };
        let mut sorts = BTreeSet::new();
        let of_each_sort = legal.iter().filter(|action| sorts.insert(action.action));
        let any = legal.get(generator.below(legal.len().max(1) as u32) as usize);
        let mut next = None;
        for action in of_each_sort.chain(any) {
            let _request = Request::begin(rules, RequestKind::Whole);
            let luck = Luck::Roll(Generator::new(generator.next_seed()));
            let mut transaction = Transaction::new(Arc::clone(&state), luck);
            match flow::perform_legal(rules, &mut transaction, action) {
                Ok(()) => {
                    try_out(rules, transaction.state())?;
                    next = Some(Arc::clone(transaction.state()));
                }
                Err(Rejection::Refused(_)) => {}
                fault => fault?,
            }
        }
        let Some(next) = next else { break };
        state = next;
    }
    Ok(())
}
