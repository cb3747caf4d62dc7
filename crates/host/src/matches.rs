//! A match: the one authority on what happened and what is.

use std::rc::Rc;
use std::sync::Arc;

use super::luck::MatchLuck;
use super::rulebooks::Rulebooks;
use super::{Cause, Event, HostError, Journal};
use boardwright_model::{
    Action, EventLuck, Fingerprint, Forfeit, Policy, Refusal, RefusalCode, Rejection, SeatId, Seed, Sentence, State, Visibility, sentence,
};
use boardwright_rules::{Generator, Luck, Request, RequestKind, Rules, RulesSource, Transaction, agree_draw, flow, forfeit_sentence};

/// A playing of a scenario under rules.
///
/// Everything that changes the state goes through one pipeline: the rules run in a [`Transaction`]; if they refuse or fail,
/// nothing has happened; else effects, draws and digest become an [`Event`] of the [`Journal`].
///
/// Going back and forth in the journal leads to the very states that were there, under the rules that were in force then.
pub struct Match {
    pub(super) rules: Rc<dyn Rules>,
    /// All rules of the journal.
    pub(super) books: Rulebooks,
    /// The state at the position in the journal, and behind the pending event; between changes nothing is recorded in it.
    pub(super) present: Transaction,
    pub(super) journal: Journal,
    /// A change of rules that was made while events were taken back. It goes into the journal in front of what is done next.
    pub(super) pending: Option<Arc<Event>>,
    pub(super) generator: Generator,
    /// Where the luck of the match can be verified: it does not come from the generator then.
    pub(super) luck: Option<MatchLuck>,
    pub(super) policy: Policy,
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

pub(super) fn refuse<T>(code: RefusalCode, reason: Sentence) -> Result<T, HostError> {
    Err(HostError::Rejected(Refusal::new(code, reason).into()))
}

pub(super) fn forfeit_notation(why: Forfeit) -> Arc<str> {
    match why {
        Forfeit::Resigned => sentence!("resigned"),
        Forfeit::OutOfTime => sentence!("ran out of time"),
    }
    .into()
}

pub(super) fn draw_notation() -> Arc<str> {
    sentence!("draw agreed").into()
}

impl Match {
    /// Begins a match from what a setup built.
    ///
    /// # Errors
    /// If the rules fail on it.
    pub fn begin(source: Arc<dyn RulesSource>, setup: State, seed: impl Into<Seed>, policy: Policy) -> Result<Self, HostError> {
        let fingerprint = source.fingerprint();
        let mut begun = Self::stand(&[source], &fingerprint, setup, seed, policy, Journal::default())?;
        begun.run_beginning()?;
        Ok(begun)
    }

    /// Begins a match whose luck can be verified. `luck` has the terms, and the first numbers.
    ///
    /// # Errors
    /// If the rules fail on it, or the numbers do not fit.
    pub fn begin_verifiable(
        source: Arc<dyn RulesSource>,
        setup: State,
        seed: impl Into<Seed>,
        policy: Policy,
        luck: EventLuck,
    ) -> Result<Self, HostError> {
        let fingerprint = source.fingerprint();
        let mut begun = Self::stand(&[source], &fingerprint, setup, seed, policy, Journal::default())?;
        begun.luck = Some(MatchLuck::begin(luck)?);
        begun.run_beginning()?;
        Ok(begun)
    }

    fn run_beginning(&mut self) -> Result<(), HostError> {
        self.run(Cause::Begin, Arc::from(""), |rules, transaction| {
            flow::begin_scenario(rules, transaction)
        })?;
        Ok(())
    }

    /// Takes up a match from its setup and its journal, as a save holds them, with the sources of all rules that the journal names.
    /// The events before the position are applied, not run again; [`verify`](super::verify) runs them again.
    ///
    /// # Errors
    /// If rules are missing or do not work, or an event does not fit or leads to another digest.
    pub fn resume(
        sources: &[Arc<dyn RulesSource>],
        setup: State,
        seed: impl Into<Seed>,
        policy: Policy,
        journal: Journal,
    ) -> Result<Self, HostError> {
        let position = journal.position();
        let first = journal.events().first().map(|event| event.fingerprint);
        let first = first.or_else(|| sources.first().map(|source| source.fingerprint()));
        let mut resumed = Self::stand(sources, &first.unwrap_or_default(), setup, seed, policy, journal.rewound())?;
        resumed.go_to(position)?;
        Ok(resumed)
    }

    /// A match in which nothing stands yet.
    fn stand(
        sources: &[Arc<dyn RulesSource>],
        fingerprint: &Fingerprint,
        setup: State,
        seed: impl Into<Seed>,
        policy: Policy,
        journal: Journal,
    ) -> Result<Self, HostError> {
        let mut books = Rulebooks::new(sources);
        let rules = books.rules(fingerprint, &setup).map_err(Rejection::from)?;
        Ok(Self {
            rules: rules.ok_or(HostError::NoRules(*fingerprint))?,
            books,
            present: Transaction::new(Arc::new(setup), Luck::Forbidden),
            journal,
            pending: None,
            generator: Generator::new(seed),
            luck: None,
            policy,
        })
    }

    /// The same match made again from its setup, with rules made again: after a panic, which may have left an action half done.
    ///
    /// # Errors
    /// As [`resume`](Self::resume).
    pub fn recover(&self, setup: State) -> Result<Self, HostError> {
        let mut recovered = Self::resume(&self.books.sources(), setup, self.seed(), self.policy, self.journal.clone())?;
        if self.luck.is_some() {
            recovered.keep_luck_verifiable()?;
        }
        Ok(recovered)
    }

    /// The rules in force.
    pub fn rules(&self) -> &dyn Rules {
        &*self.rules
    }

    /// Begins a request to the rules in force: what it makes them do counts together, until it is dropped.
    pub fn request(&self, kind: RequestKind) -> Request<Rc<dyn Rules>> {
        Request::begin(Rc::clone(&self.rules), kind)
    }

    /// Where the rules in force come from.
    pub fn source(&self) -> Option<&Arc<dyn RulesSource>> {
        self.books.source(&self.rules.fingerprint())
    }

    /// Begins another match of the same scenario with the same policy, under the rules in force: they need not be made again.
    ///
    /// # Errors
    /// If the rules fail on it.
    pub fn begin_again(self, setup: State, seed: impl Into<Seed>) -> Result<Self, HostError> {
        let mut begun = Self {
            present: Transaction::new(Arc::new(setup), Luck::Forbidden),
            journal: Journal::default(),
            pending: None,
            generator: Generator::new(seed),
            luck: None,
            ..self
        };
        begun.run_beginning()?;
        Ok(begun)
    }

    /// The state at the position in the journal, under the rules in force. Holding on to it makes the next change copy the state.
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
    pub fn seed(&self) -> Seed {
        self.generator.seed()
    }

    /// Carries out an action for a seat, chosen when `at` events stood.
    ///
    /// # Errors
    /// If it was chosen at another moment, is refused, or the rules are at fault. The match stands as before.
    pub fn submit(&mut self, action: &Action, at: usize) -> Result<&Arc<Event>, HostError> {
        if at != self.journal.position() {
            let now = self.journal.position();
            return refuse(
                RefusalCode::Stale,
                sentence!("this action was chosen at position {at}; the match is at {now}"),
            );
        }
        let _request = self.request(RequestKind::Step);
        flow::check(&*self.rules, self.state(), action)?;
        let notation = Arc::from(self.rules.notation(self.state(), action));
        self.run(Cause::Action(action.clone()), notation, |rules, transaction| {
            flow::perform_legal(rules, transaction, action)
        })
    }

    /// A seat forfeits, by resigning or on time.
    ///
    /// # Errors
    /// If the match is over, the seat is out of it, or the rules are at fault. The match stands as before.
    pub fn forfeit(&mut self, seat: SeatId, why: Forfeit) -> Result<&Arc<Event>, HostError> {
        let cause = Cause::Forfeit { seat, why };
        self.run(cause, forfeit_notation(why), |rules, transaction| {
            boardwright_rules::forfeit(rules, transaction, seat, why)
        })
    }

    /// The seats agree on a draw.
    ///
    /// # Errors
    /// If the match is over.
    pub fn agree_draw(&mut self) -> Result<&Arc<Event>, HostError> {
        self.run(Cause::Draw, draw_notation(), |_, transaction| agree_draw(transaction))
    }

    /// What an action came to, in a sentence of the rules.
    fn sentence(&self, action: &Action, before: &Arc<State>) -> Option<Arc<str>> {
        let after = self.seen_by_all().ok()?;
        self.rules.sentence(before, action, &after).map(Arc::from)
    }

    /// The state without what is hidden from anybody: what is said to all is made of it.
    fn seen_by_all(&self) -> Result<Arc<State>, HostError> {
        if self.state().may_hide() {
            self.view(None)
        } else {
            Ok(Arc::clone(self.state()))
        }
    }

    /// Runs a change whole or not at all and records it.
    fn run(
        &mut self,
        cause: Cause,
        notation: Arc<str>,
        change: impl FnOnce(&dyn Rules, &mut Transaction) -> Result<(), Rejection>,
    ) -> Result<&Arc<Event>, HostError> {
        let _request = self.request(RequestKind::Step);
        let round = self.state().sequence().mark.round.max(1);
        let generator = self.generator.position();
        let from_rules = match &cause {
            Cause::Action(action) if self.rules.has_sentence(action.action) => Some((action.clone(), self.seen_by_all()?)),
            _ => None,
        };
        self.present.set_luck(self.next_luck());
        let mark = self.present.mark();
        let result = change(&*self.rules, &mut self.present);
        let awaits_numbers = self.present.awaits_luck();
        if result.is_err() || awaits_numbers {
            self.present.rollback(mark);
        }
        let luck = self.present.set_luck(Luck::Forbidden);
        let (effects, draws) = self.present.take_record();
        if awaits_numbers {
            return Err(HostError::AwaitsNumbers);
        }
        result?;
        let luck = match (luck, &mut self.luck) {
            (Luck::Roll(rolled), None) => {
                self.generator = rolled;
                None
            }
            (_, Some(verifiable)) => verifiable.use_numbers(!draws.is_empty())?,
            _ => None,
        };
        let (digest, fingerprint) = (self.state().digest(), self.rules.fingerprint());
        let sentence = match &cause {
            Cause::Forfeit { seat, why } => forfeit_sentence(self.state(), *seat, *why).into(),
            _ => from_rules
                .and_then(|(action, before)| self.sentence(&action, &before))
                .unwrap_or_default(),
        };
        self.record_pending();
        self.journal.push(Arc::new(Event {
            cause,
            notation,
            sentence,
            round,
            draws,
            effects,
            digest,
            fingerprint,
            generator,
            luck,
        }));
        self.newest()
    }

    fn newest(&self) -> Result<&Arc<Event>, HostError> {
        self.journal.last().ok_or(HostError::NoSuchPosition { asked: 0, length: 0 })
    }

    /// Makes a manual edit and records it.
    ///
    /// # Errors
    /// If the policy forbids it or the change fails.
    pub fn debug(
        &mut self,
        what: &str,
        change: impl FnOnce(&dyn Rules, &mut Transaction) -> Result<(), Rejection>,
    ) -> Result<&Arc<Event>, HostError> {
        self.run_edit(Cause::Debug { what: what.to_owned() }, what, change)
    }

    pub(super) fn run_edit(
        &mut self,
        cause: Cause,
        what: &str,
        change: impl FnOnce(&dyn Rules, &mut Transaction) -> Result<(), Rejection>,
    ) -> Result<&Arc<Event>, HostError> {
        if !self.policy.debug {
            return refuse(RefusalCode::Policy, sentence!("this match cannot be edited"));
        }
        // Everyone reads the notation; what was done may concern what not everyone may see.
        let notation = if self.state().may_hide() { "" } else { what };
        self.run(cause, Arc::from(notation), change)
    }

    /// What a seat sees now; none for spectators.
    ///
    /// # Errors
    /// If the rules are at fault.
    pub fn sight(&self, seat: Option<SeatId>) -> Result<Visibility, HostError> {
        Ok(Visibility::new(seat, self.rules.visible(self.state(), seat)?))
    }

    /// The state as a seat sees it.
    ///
    /// # Errors
    /// If the rules are at fault.
    pub fn view(&self, seat: Option<SeatId>) -> Result<Arc<State>, HostError> {
        Ok(self.state().project(&self.sight(seat)?))
    }

    /// The rules that were in force at some event of the journal or of a variation, by fingerprint, each once, oldest first.
    pub fn fingerprints(&self) -> Vec<Fingerprint> {
        let mut found: Vec<Fingerprint> = Vec::new();
        for event in self.journal.all_events() {
            if !found.contains(&event.fingerprint) {
                found.push(event.fingerprint);
            }
        }
        found
    }
}
