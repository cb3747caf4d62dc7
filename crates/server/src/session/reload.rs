//! The reload: rules that are read again and put in force between two actions.

use std::sync::Arc;
use std::time::Instant;

use super::super::failure::{Answered, ensure, error, refused};
use super::super::hosted_match::Update;
use super::super::setup::ReloadRules;
use super::Session;
use boardwright_host::{Match, ReloadError};
use boardwright_model::diagnostic::Code;
use boardwright_model::diagnostic::Diagnostic;
use boardwright_model::{Declarations, Fingerprint, Lost, RefusalCode, sentence};
use boardwright_protocol::{Notice, Reply};
use boardwright_rules::RulesSource;

/// The newest rules, and which rules clients know.
pub(super) struct NewestRules {
    /// Those in force, unless events are looked back at or the newest do not fit.
    source: Arc<dyn RulesSource>,
    /// What was found in them that does not keep them from being used.
    problems: Vec<Diagnostic>,
    read: Option<ReloadRules>,
    /// The rules and declarations that clients know.
    announced: (Fingerprint, Arc<Declarations>),
}

impl NewestRules {
    pub(super) fn new(source: Arc<dyn RulesSource>, problems: Vec<Diagnostic>, read: Option<ReloadRules>, playing: &Match) -> Self {
        Self {
            source,
            problems,
            read,
            announced: (playing.rules().fingerprint(), Arc::clone(playing.state().declarations())),
        }
    }
}

impl Session {
    pub(super) fn source_in_force(&self) -> Arc<dyn RulesSource> {
        Arc::clone(self.game.playing().source().unwrap_or(&self.newest.source))
    }

    /// Reads the rules again and puts them in force, unless something is wrong with them. `is_asked` is whether a client asked for it.
    pub(super) fn reload_rules(&mut self, noticed: Instant, is_asked: bool) -> Answered {
        let reason = sentence!("the rules of this match cannot be changed");
        ensure(self.game.playing().policy().reload, || refused(RefusalCode::Policy, reason))?;
        let Some(read) = &mut self.newest.read else {
            return Err(error(sentence!("the rules of this match do not come from files")));
        };
        let read = match read() {
            Ok(read) => read,
            Err(problems) => return Ok(self.keep_rules(problems)),
        };
        let mut update = Update::Views;
        let has_new = read.source.fingerprint() != self.game.rules().fingerprint();
        if has_new {
            let old = self.source_in_force();
            update = match self.game.reload(Arc::clone(&read.source), read.make, read.changes.clone()) {
                Ok(update) => update,
                Err(wrong) => return Ok(self.keep_rules(problems_of(wrong, &*old, &*read.source, &read.gone))),
            };
        }
        self.newest.source = read.source;
        self.newest.problems.clone_from(&read.problems);
        if has_new || is_asked || read.info.is_some() {
            if let Some(info) = read.info {
                self.info = info;
            }
            let has_new_declarations = self.announce_rules(read.changes, noticed);
            self.notify(if has_new_declarations { &Update::Views } else { &update });
        }
        self.problems.replace(read.problems, &mut self.roster);
        Ok(self.done())
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
        let problems = match self.game.reload(Arc::clone(&newest), None, Vec::new()) {
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

fn problems_of(error: ReloadError, old: &dyn RulesSource, new: &dyn RulesSource, gone: &[String]) -> Vec<Diagnostic> {
    match error {
        ReloadError::Fault(fault) => vec![*fault],
        ReloadError::Policy => vec![Diagnostic::error(Code::Policy, error.to_string())],
        ReloadError::Lost(lost) => lost.iter().map(|lost| problem_of_lost(lost, old, new, gone)).collect(),
    }
}

/// Something that is no longer declared: reported where it should be, with where it was.
fn problem_of_lost(lost: &Lost, old: &dyn RulesSource, new: &dyn RulesSource, gone: &[String]) -> Diagnostic {
    let fault = Diagnostic::error(Code::DoesNotFit, lost.to_string());
    let was = old.at_declaration(fault.clone(), lost.list, &lost.name);
    let now = new.at_declaration(fault, lost.list, &lost.name);
    let mut help = "declare it again, or take it over in migrate(..)".to_owned();
    if let Some(was) = was.place {
        if gone.contains(&was.file) {
            help = format!("it was declared in {}, which is gone; {help}", was.file);
        } else if let Some(line) = &was.source_line {
            help = format!("it was declared in {}:{} by `{}`; {help}", was.file, was.line, line.trim());
        }
    }
    now.with_help(help)
}
