//! The reload: rules that are read again, tried on a thread of their own, and put in force between two actions.

use std::sync::Arc;
use std::time::Instant;

use super::super::failure::{Failure, ensure, error, refused};
use super::super::hosted_match::Update;
use super::super::mailbox::Mailbox;
use super::super::setup::{NewRules, NewScenario, ReloadRules};
use super::Session;
use super::rules_trial::{MOST_TRIAL, RulesReader, RulesTrial, TrialReport, TrialResult, problems_of};
use boardwright_host::{ClientId, Match, TriedRules};
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{Declarations, Fingerprint, RefusalCode, Sentence, State, sentence};
use boardwright_protocol::{Answer, FromHost, Notice, Reply};
use boardwright_rules::RulesSource;

/// How often rules are tried again because the match has gone on meanwhile, before they migrate it as it is.
const MOST_ROUNDS: u32 = 3;
/// The most threads of trials: one that is under way, and some that were stopped and have not noticed yet.
const MOST_THREADS: usize = 3;

/// The newest rules, which rules clients know, and the trial of newer ones.
pub(super) struct NewestRules {
    /// Those in force, unless events are looked back at or the newest do not fit.
    source: Arc<dyn RulesSource>,
    /// What was found in them that does not keep them from being used.
    problems: Vec<Diagnostic>,
    reader: Option<RulesReader>,
    /// The rules and declarations that clients know.
    announced: (Fingerprint, Arc<Declarations>),
    trial: Option<RulesTrial>,
    trials: u64,
    /// As many threads of trials are running as there are others that hold it.
    threads: Arc<()>,
    /// A change that waits for one of them to end, as it was noticed then.
    waiting: Option<Instant>,
    /// The requests that are answered when the trial is over.
    askers: Vec<(ClientId, u64)>,
    /// How a match began by the scenario as it was carried over last.
    start: State,
    to: Mailbox,
}

impl NewestRules {
    pub(super) fn new(
        source: Arc<dyn RulesSource>,
        problems: Vec<Diagnostic>,
        read: Option<ReloadRules>,
        playing: &Match,
        start: State,
        to: Mailbox,
    ) -> Self {
        Self {
            source,
            problems,
            reader: read.map(RulesReader::new),
            announced: (playing.rules().fingerprint(), Arc::clone(playing.state().declarations())),
            trial: None,
            trials: 0,
            threads: Arc::new(()),
            waiting: None,
            askers: Vec::new(),
            start,
            to,
        }
    }

    /// When the trial that is under way has taken too long.
    pub(super) fn due(&self) -> Option<Instant> {
        self.trial.as_ref().map(|trial| trial.deadline)
    }

    /// Stops the trial that is under way.
    pub(super) fn stop_trial(&mut self) {
        self.trial = None;
        self.waiting = None;
    }

    /// The requests of a client that wait for a trial.
    pub(super) fn take_requests_of(&mut self, client: ClientId) -> Vec<u64> {
        let asked = self.askers.extract_if(.., |asker| asker.0 == client);
        asked.map(|(_, id)| id).collect()
    }
}

impl Session {
    pub(super) fn source_in_force(&self) -> Arc<dyn RulesSource> {
        Arc::clone(self.game.playing().source().unwrap_or(&self.newest.source))
    }

    /// Has the rules read again and tried; they come into force when that went well. The request of `asker` is answered then. A trial
    /// that is under way is given up, because what it tries is not the newest any more.
    pub(super) fn begin_trial(&mut self, noticed: Instant, asker: Option<(ClientId, u64)>) -> Result<(), Failure> {
        let reason = sentence!("the rules of this match cannot be changed");
        ensure(self.game.playing().policy().reload, || refused(RefusalCode::Policy, reason))?;
        let Some(reader) = self.newest.reader.clone() else {
            return Err(error(sentence!("the rules of this match do not come from files")));
        };
        self.newest.trial = None;
        if Arc::strong_count(&self.newest.threads) > MOST_THREADS {
            self.newest.waiting = Some(noticed);
        } else {
            self.newest.waiting = None;
            self.newest.trials += 1;
            let begun = RulesTrial::begin(
                self.newest.trials,
                noticed,
                reader,
                self.source_in_force(),
                self.game.playing().reload_snapshot()?,
                self.newest.to.clone(),
                Arc::clone(&self.newest.threads),
            );
            self.newest.trial = Some(begun.map_err(|wrong| error(sentence!("the rules cannot be tried: {wrong}")))?);
        }
        self.newest.askers.extend(asker);
        Ok(())
    }

    /// The thread of a trial has ended: a change that has waited for it can be tried.
    pub(super) fn handle_trial_over(&mut self) {
        if let Some(noticed) = self.newest.waiting.take()
            && let Err(failure) = self.begin_trial(noticed, None)
        {
            self.answer_askers(&failure.into());
        }
    }

    /// Takes note of what came of a trial, unless it was given up.
    pub(super) fn handle_tried(&mut self, TrialReport { number, result }: TrialReport) {
        let Some(mut trial) = self.newest.trial.take_if(|trial| trial.number == number) else {
            return;
        };
        let noticed = trial.noticed;
        let reply = match result {
            TrialResult::Unreadable(problems) | TrialResult::Unfit(problems) => self.keep_rules(problems),
            TrialResult::Unchanged(new) => self.change_rules(&new, None, noticed),
            TrialResult::Fit(new, tried) => {
                if !self.game.playing().is_as_tried(&tried)
                    && trial.rounds < MOST_ROUNDS
                    && let Ok(snapshot) = self.game.playing().reload_snapshot()
                {
                    trial.again(snapshot);
                    self.newest.trial = Some(trial);
                    return;
                }
                self.change_rules(&new, Some(&tried), noticed)
            }
        };
        self.answer_askers(&reply);
    }

    /// Gives up a trial that takes too long.
    pub(super) fn check_trial(&mut self) {
        if self.newest.trial.take_if(|trial| trial.deadline <= Instant::now()).is_some() {
            let seconds = MOST_TRIAL.as_secs();
            let message = format!("after {seconds} seconds the changed rules were still being read and tried");
            let reply = self.keep_rules(vec![Diagnostic::error(Code::BudgetTime, message)]);
            self.answer_askers(&reply);
        }
    }

    fn answer_askers(&mut self, reply: &Reply) {
        for (client, id) in std::mem::take(&mut self.newest.askers) {
            self.roster.send(client, FromHost::Answer(Answer { id, reply: reply.clone() }));
        }
    }

    /// Puts rules in force that were tried; without a trial they are in force already.
    fn change_rules(&mut self, new: &NewRules, tried: Option<&TriedRules>, noticed: Instant) -> Reply {
        let mut update = Update::Views;
        let has_new = new.source.fingerprint() != self.game.rules().fingerprint();
        if let Some(tried) = tried.filter(|_| has_new) {
            let old = self.source_in_force();
            update = match self.game.put_in_force(Arc::clone(&new.source), tried, new.changes.clone()) {
                Ok(update) => update,
                Err(wrong) => return self.keep_rules(problems_of(wrong, &*old, &*new.source, &new.gone)),
            };
        }
        self.newest.source = Arc::clone(&new.source);
        self.newest.problems.clone_from(&new.problems);
        if has_new || !self.newest.askers.is_empty() || new.info.is_some() {
            if let Some(info) = new.info.clone() {
                self.info = info;
            }
            let has_new_declarations = self.announce_rules(new.changes.clone(), noticed);
            self.notify(if has_new_declarations { &Update::Views } else { &update });
        }
        let mut problems = new.problems.clone();
        problems.extend(
            new.scenario
                .as_ref()
                .map(|scenario| self.change_scenario(scenario))
                .unwrap_or_default(),
        );
        self.problems.replace(problems, &mut self.roster);
        Reply::Done { at: self.game.position() }
    }

    /// Carries over what changed in the map and the scenario. Returns what could not be.
    fn change_scenario(&mut self, new: &NewScenario) -> Vec<Diagnostic> {
        let note = |left_out: &Sentence| Diagnostic::warning(Code::DoesNotFit, left_out.text());
        if self.game.journal().later() > 0 {
            let waits = sentence!("events are undone: the scenario is carried over when it is read again behind the last one");
            return vec![note(&waits)];
        }
        match self.game.reload_scenario(&self.newest.start, &new.start) {
            Ok((update, reloaded)) => {
                self.newest.start = new.start.clone();
                if let Some(update) = update {
                    self.interrupt();
                    self.notify(&update);
                }
                new.left_out.iter().chain(&reloaded.left_out).map(note).collect()
            }
            Err(failed) => vec![Diagnostic::error(Code::DoesNotFit, failed.to_string())],
        }
    }

    fn keep_rules(&mut self, problems: Vec<Diagnostic>) -> Reply {
        self.problems.replace(problems.clone(), &mut self.roster);
        Reply::Problems { problems }
    }

    /// Puts the newest rules in force where they are not, behind what was undone or dropped. Returns whether they came into force;
    /// clients are to be notified then.
    pub(super) fn apply_newest_rules(&mut self) -> bool {
        let newest = Arc::clone(&self.newest.source);
        if newest.fingerprint() == self.game.rules().fingerprint() {
            return false;
        }
        let old = self.source_in_force();
        let problems = match self.game.reload(Arc::clone(&newest)) {
            Ok(_) => self.newest.problems.clone(),
            Err(wrong) => problems_of(wrong, &*old, &*newest, &[]),
        };
        self.problems.replace(problems, &mut self.roster);
        newest.fingerprint() == self.game.rules().fingerprint()
    }

    /// Tells clients which rules are in force, if they know others.
    pub(super) fn notify_rules(&mut self) {
        let fingerprint = self.game.rules().fingerprint();
        let (known, declarations) = &self.newest.announced;
        if *known != fingerprint || **declarations != **self.game.state().declarations() {
            let change = if fingerprint == self.newest.source.fingerprint() {
                sentence!("the newest rules are in force again")
            } else {
                sentence!("the rules are those of the moment that is shown")
            };
            self.announce_rules(vec![change.into()], Instant::now());
        }
    }

    /// Tells clients which rules are in force. Returns whether the declarations differ from those they know.
    fn announce_rules(&mut self, changes: Vec<String>, noticed: Instant) -> bool {
        if let Some(message) = self.debugger.restart_message(&self.game) {
            self.roster.notify_message(message);
        }
        self.release_players();
        self.problems.forget_faults();
        let (fingerprint, declarations) = (self.game.rules().fingerprint(), Arc::clone(self.game.state().declarations()));
        let has_new_declarations = *self.newest.announced.1 != *declarations;
        self.roster.notify_all(&Notice::Reloaded {
            changes,
            fingerprint,
            milliseconds: noticed.elapsed().as_millis().min(u128::from(u64::MAX)) as u64,
            declarations: has_new_declarations.then(|| Box::new(Declarations::clone(&declarations))),
        });
        self.newest.announced = (fingerprint, declarations);
        has_new_declarations
    }
}
