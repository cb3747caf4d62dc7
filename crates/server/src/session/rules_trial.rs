//! Changed rules are read, compiled and tried on a thread of their own, on a snapshot of the match, so that the match goes on meanwhile however
//! long they take.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::super::handle::ToSession;
use super::super::mailbox::Mailbox;
use super::super::setup::{NewRules, ReloadRules};
use super::{STACK_BYTES, panic_text};
use boardwright_host::{ReloadError, ReloadSnapshot, TriedRules};
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{Fingerprint, Lost};
use boardwright_rules::{MakeRules, RulesSource};

/// How long reading and trying may take: as long as an author waits before looking for the reason.
pub(super) const MOST_TRIAL: Duration = Duration::from_secs(20);

/// Rules that were read, with what makes them on the thread on which they were.
type ReadRules = (NewRules, Option<MakeRules>);

/// Reads the rules of a match; its trials take turns. Clones are of the same one.
#[derive(Clone)]
pub(super) struct RulesReader {
    read: Arc<Mutex<ReloadRules>>,
}

impl RulesReader {
    pub(super) fn new(read: ReloadRules) -> Self {
        Self {
            read: Arc::new(Mutex::new(read)),
        }
    }

    /// Reads the rules; `None` if that is not wanted any more.
    fn read(&self, stop: &Stop, in_force: Fingerprint) -> Option<Result<ReadRules, Vec<Diagnostic>>> {
        let mut read = lock(&self.read);
        (!stop.is_raised()).then(|| read(in_force))
    }
}

/// What came of a trial.
pub(in super::super) enum TrialResult {
    /// The files hold no rules that could be tried.
    Unreadable(Vec<Diagnostic>),
    /// The rules are those in force.
    Unchanged(Arc<NewRules>),
    /// The rules fail on the match.
    Unfit(Vec<Diagnostic>),
    /// The rules do for the match as it was.
    Fit(Arc<NewRules>, Box<TriedRules>),
}

/// The result of a trial, with its number.
pub(in super::super) struct TrialReport {
    pub(super) number: u64,
    pub(super) result: TrialResult,
}

/// Stops a trial, whatever it is doing.
#[derive(Clone, Default)]
struct Stop {
    is_raised: Arc<AtomicBool>,
    /// The flag of the rules that are being tried.
    rules: Arc<Mutex<Option<Arc<AtomicBool>>>>,
}

impl Stop {
    fn raise(&self) {
        self.is_raised.store(true, Ordering::SeqCst);
        self.pass_on();
    }

    fn is_raised(&self) -> bool {
        self.is_raised.load(Ordering::SeqCst)
    }

    fn watch(&self, rules: Option<Arc<AtomicBool>>) {
        *lock(&self.rules) = rules;
        if self.is_raised() {
            self.pass_on();
        }
    }

    fn pass_on(&self) {
        if let Some(flag) = &*lock(&self.rules) {
            flag.store(true, Ordering::SeqCst);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A trial that is under way. Dropped, it is of no interest any more and stops.
pub(super) struct RulesTrial {
    pub(super) number: u64,
    /// When the change was noticed.
    pub(super) noticed: Instant,
    /// When the trial has taken too long.
    pub(super) deadline: Instant,
    /// How often the rules were tried: again if the match has gone on meanwhile.
    pub(super) rounds: u32,
    again: Sender<ReloadSnapshot>,
    stop: Stop,
}

impl Drop for RulesTrial {
    fn drop(&mut self) {
        self.stop.raise();
    }
}

/// What the thread of a trial is given.
struct Task {
    number: u64,
    reader: RulesReader,
    in_force: Arc<dyn RulesSource>,
    snapshots: Receiver<ReloadSnapshot>,
    stop: Stop,
    to: Mailbox,
}

impl RulesTrial {
    /// Begins a trial. `running` counts the threads of trials: those that were stopped need a moment to end.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub(super) fn begin(
        number: u64,
        noticed: Instant,
        reader: RulesReader,
        in_force: Arc<dyn RulesSource>,
        snapshot: ReloadSnapshot,
        to: Mailbox,
        running: Arc<()>,
    ) -> std::io::Result<Self> {
        let (again, snapshots) = mpsc::channel();
        drop(again.send(snapshot));
        let stop = Stop::default();
        let task = Task {
            number,
            reader,
            in_force,
            snapshots,
            stop: stop.clone(),
            to,
        };
        let body = move || {
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| task.run())) {
                let broken = Diagnostic::error(
                    Code::Script,
                    format!("the rules broke down while they were tried: {}", panic_text(&*panic)),
                );
                task.report(TrialResult::Unfit(vec![broken]));
            }
            let to = task.to.clone();
            drop((task, running));
            to.send(ToSession::TrialOver);
        };
        thread::Builder::new()
            .name("rules trial".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(body)?;
        Ok(Self {
            number,
            noticed,
            deadline: Instant::now() + MOST_TRIAL,
            rounds: 1,
            again,
            stop,
        })
    }

    /// Has the rules tried once more, on the match as it is now.
    pub(super) fn again(&mut self, snapshot: ReloadSnapshot) {
        self.rounds += 1;
        drop(self.again.send(snapshot));
    }
}

impl Task {
    fn report(&self, result: TrialResult) {
        let number = self.number;
        self.to.send(ToSession::Tried(Box::new(TrialReport { number, result })));
    }

    fn run(&self) {
        let Some(read) = self.reader.read(&self.stop, self.in_force.fingerprint()) else {
            return;
        };
        let (new, mut make) = match read {
            Ok(read) => read,
            Err(problems) => return self.report(TrialResult::Unreadable(problems)),
        };
        let new = Arc::new(new);
        if new.source.fingerprint() == self.in_force.fingerprint() {
            return self.report(TrialResult::Unchanged(new));
        }
        // As long as the match asks for it: once for each snapshot.
        for snapshot in &self.snapshots {
            if self.stop.is_raised() {
                return;
            }
            let tried = snapshot.try_rules(&*new.source, make.take(), &mut |rules| self.stop.watch(rules.stop_flag()));
            self.report(match tried {
                Ok(tried) => TrialResult::Fit(Arc::clone(&new), Box::new(tried)),
                Err(wrong) => TrialResult::Unfit(problems_of(wrong, &*self.in_force, &*new.source, &new.gone)),
            });
        }
    }
}

/// Why rules did not come into force, for their author.
pub(super) fn problems_of(error: ReloadError, old: &dyn RulesSource, new: &dyn RulesSource, gone: &[String]) -> Vec<Diagnostic> {
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
