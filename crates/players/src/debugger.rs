//! The debugger of strategies, line by line: where they pause, and how they go on.
//!
//! A [`Debugger`] stands between whoever debugs and the thread on which a strategy decides. The strategy's side is a [`DebugSession`], one for
//! each decision; it waits there while the strategy is paused, and ends soon after the player is stopped.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Interrupt;
use boardwright_model::{Action, BreakPoint, PauseCause, SeatId, StepKind};
use boardwright_rules::{Pause, PauseReasons, Remark, Resume, StrategyDebugger};

/// How often a paused strategy looks whether its player was stopped.
const LOOKS_EVERY: Duration = Duration::from_millis(5);

/// Whether a strategy pauses before its decisions and after them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DecisionBreaks {
    /// At the first line of a decision.
    pub before: bool,
    /// When it has decided.
    pub after: bool,
}

/// A strategy that has paused.
#[derive(Clone, Debug, PartialEq)]
pub struct PausedStrategy {
    /// Counts the pauses.
    pub number: u64,
    /// The seat it decides for.
    pub seat: SeatId,
    /// Where, and what is to be seen there.
    pub pause: Pause,
    /// The action it is weighing.
    pub evaluated: Option<Action>,
    /// The actions it has weighed so far, in this order.
    pub weighed: Vec<Remark>,
    /// The action it has chosen.
    pub chosen: Option<Action>,
}

#[derive(Default)]
struct Inner {
    seats: BTreeMap<SeatId, DecisionBreaks>,
    /// The break points, and how often strategies have paused at each.
    points: Vec<(BreakPoint, u64)>,
    watches: Vec<Arc<str>>,
    /// Whether it was asked to pause.
    is_asked: bool,
    decision: Decision,
    number: u64,
    paused: Option<PausedStrategy>,
}

/// How far a decision has come.
#[derive(Default)]
struct Decision {
    /// Counts the decisions.
    number: u64,
    /// Whether its next line is the first, and is to be paused at.
    is_beginning: bool,
    /// How to resume, and the call depth at which that was requested.
    step: Option<(StepKind, usize)>,
    evaluated: Option<Action>,
    weighed: Vec<Remark>,
    resume: Option<Resume>,
}

/// Says where strategies pause and how they go on, and knows where one has paused.
pub struct Debugger {
    inner: Mutex<Inner>,
    changed: Condvar,
    wake: Box<dyn Fn() + Send + Sync>,
}

impl fmt::Debug for Debugger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Debugger")
    }
}

impl Debugger {
    /// One that is attached to nothing yet. `wake` is called on the thread of a strategy that has paused.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self {
            inner: Mutex::default(),
            changed: Condvar::new(),
            wake: Box::new(wake),
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Inner)) {
        change(&mut self.inner());
        self.changed.notify_all();
    }

    /// Attaches to the strategy of a seat from its next decision on. The one it is in is not debugged if it was begun without.
    pub fn attach(&self, seat: SeatId, pauses: DecisionBreaks) {
        self.change(|inner| _ = inner.seats.insert(seat, pauses));
    }

    /// Detaches from the strategy of a seat. If it has paused, it goes on.
    pub fn detach(&self, seat: SeatId) {
        self.change(|inner| {
            inner.seats.remove(&seat);
            if inner.paused.take_if(|paused| paused.seat == seat).is_some() {
                inner.decision.resume = Some(Resume::Go);
            }
        });
    }

    /// Detaches from all.
    pub fn detach_all(&self) {
        self.change(|inner| inner.seats.clear());
    }

    /// Whether any strategy is debugged.
    pub fn is_attached_anywhere(&self) -> bool {
        !self.inner().seats.is_empty()
    }

    /// Sets the lines at which strategies pause.
    pub fn set_break_points(&self, points: Vec<BreakPoint>) {
        self.change(|inner| {
            let before = std::mem::take(&mut inner.points);
            let hits = |point: &BreakPoint| before.iter().find(|(known, _)| known == point).map_or(0, |known| known.1);
            inner.points = points
                .into_iter()
                .map(|point| (hits(&point), point))
                .map(|(hits, point)| (point, hits))
                .collect();
        });
    }

    /// Sets the expressions that are worked out where a strategy pauses. One that has paused works them out at once.
    pub fn set_watches(&self, watches: Vec<Arc<str>>) {
        self.change(|inner| {
            inner.watches = watches;
            if inner.paused.as_ref().is_some_and(|paused| paused.pause.cause != PauseCause::After) {
                inner.decision.resume = Some(Resume::Look);
            }
        });
    }

    /// A strategy that is deciding is to pause at its next line.
    pub fn ask_to_pause(&self) {
        self.change(|inner| inner.is_asked = inner.paused.is_none());
    }

    /// Lets the strategy that has paused go on; false if none has.
    pub fn go_on(&self, step: StepKind) -> bool {
        let mut inner = self.inner();
        let Some(paused) = inner.paused.take() else { return false };
        inner.decision.step = Some((step, paused.pause.stack.len()));
        inner.decision.resume = Some(Resume::Go);
        drop(inner);
        self.changed.notify_all();
        true
    }

    /// Where a strategy has paused.
    pub fn paused(&self) -> Option<PausedStrategy> {
        self.inner().paused.clone()
    }

    /// The number of the pause that stands.
    pub fn pause_number(&self) -> Option<u64> {
        self.inner().paused.as_ref().map(|paused| paused.number)
    }

    /// What is being decided is of no interest any more. The player has to be stopped besides.
    pub fn forget(&self) {
        self.change(|inner| {
            inner.is_asked = false;
            if inner.paused.take().is_some() {
                inner.decision.resume = Some(Resume::End);
            }
        });
    }

    /// Begins a decision of a seat, if it is debugged.
    pub fn begin(self: &Arc<Self>, seat: SeatId, interrupt: &Interrupt) -> Option<Arc<DebugSession>> {
        let mut inner = self.inner();
        let pauses = *inner.seats.get(&seat)?;
        let number = inner.decision.number + 1;
        inner.decision = Decision {
            number,
            is_beginning: pauses.before,
            ..Decision::default()
        };
        drop(inner);
        Some(Arc::new(DebugSession {
            debugger: Arc::clone(self),
            number,
            seat,
            interrupt: interrupt.clone(),
        }))
    }
}

/// A decision that is debugged.
#[derive(Debug)]
pub struct DebugSession {
    debugger: Arc<Debugger>,
    number: u64,
    seat: SeatId,
    interrupt: Interrupt,
}

impl DebugSession {
    /// How far the decision has come, and all the rest; none once another one was begun. The thread of a decision that was given up may
    /// notice late, and has no part in the next one.
    fn current(&self) -> Option<MutexGuard<'_, Inner>> {
        Some(self.debugger.inner()).filter(|inner| inner.decision.number == self.number)
    }

    /// An action is going to be weighed.
    pub fn considers(&self, action: &Action) {
        if let Some(mut inner) = self.current() {
            inner.decision.evaluated = Some(action.clone());
        }
    }

    /// An action was weighed: what is value how much, or that it cannot be taken.
    pub fn has_weighed(&self, action: &Action, value: Option<i64>) {
        let Some(mut inner) = self.current() else { return };
        inner.decision.evaluated = None;
        inner.decision.weighed.push(Remark {
            text: Arc::from(""),
            action: Some(action.clone()),
            number: value,
        });
    }

    /// The decision is made. Pauses if it is to be paused at; false if the player was stopped there.
    pub fn has_chosen(&self, action: &Action, pause: Pause) -> bool {
        let pauses = self.debugger.inner().seats.get(&self.seat).is_some_and(|pauses| pauses.after);
        !pauses || self.wait(pause, Some(action)) != Resume::End
    }

    fn wait(&self, pause: Pause, chosen: Option<&Action>) -> Resume {
        let Some(mut inner) = self.current() else { return Resume::End };
        inner.number += 1;
        let number = inner.number;
        inner.is_asked = false;
        inner.decision.step = None;
        inner.decision.resume = None;
        inner.paused = Some(PausedStrategy {
            number,
            seat: self.seat,
            pause,
            evaluated: inner.decision.evaluated.clone(),
            weighed: inner.decision.weighed.clone(),
            chosen: chosen.cloned(),
        });
        drop(inner);
        (self.debugger.wake)();
        let mut inner = self.debugger.inner();
        loop {
            let resume = match &inner.decision.resume {
                _ if inner.decision.number != self.number || self.interrupt.is_stopped() => Some(Resume::End),
                None if !inner.seats.contains_key(&self.seat) => Some(Resume::Go),
                said => *said,
            };
            if let Some(resume) = resume {
                // Looked at again, it stands until it is shown again. Another decision may have paused since, if this one was given up.
                let is_gone = resume != Resume::Look && inner.paused.take_if(|paused| paused.number == number).is_some();
                drop(inner);
                if is_gone {
                    (self.debugger.wake)();
                }
                return resume;
            }
            let waited = self.debugger.changed.wait_timeout(inner, LOOKS_EVERY);
            inner = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl StrategyDebugger for DebugSession {
    fn is_over(&self) -> bool {
        self.interrupt.is_stopped()
    }

    fn pauses_at(&self, file: &str, line: u32, depth: usize) -> PauseReasons {
        let for_cause = |cause| PauseReasons {
            points: Vec::new(),
            cause: Some(cause),
        };
        let current = self.current().filter(|inner| inner.seats.contains_key(&self.seat));
        let Some(mut inner) = current else {
            return PauseReasons::default();
        };
        if std::mem::take(&mut inner.decision.is_beginning) {
            return for_cause(PauseCause::Before);
        }
        let points = inner.points.iter().map(|known| &known.0).filter(|point| point.is_at(file, line));
        let points = points.cloned().collect();
        let is_done = inner.decision.step.is_some_and(|(step, from)| match step {
            StepKind::Continue => false,
            StepKind::Into => true,
            StepKind::Over => depth <= from,
            StepKind::Out => depth < from,
        });
        let cause = if is_done {
            Some(PauseCause::Step)
        } else {
            inner.is_asked.then_some(PauseCause::Asked)
        };
        PauseReasons { points, cause }
    }

    fn hits(&self, point: &BreakPoint) -> u64 {
        let Some(mut inner) = self.current() else { return 0 };
        let known = inner.points.iter_mut().find(|(known, _)| known == point);
        known.map_or(0, |(_, hits)| {
            *hits += 1;
            *hits
        })
    }

    fn watches(&self) -> Vec<Arc<str>> {
        self.debugger.inner().watches.clone()
    }

    fn pause(&self, pause: Pause) -> Resume {
        self.wait(pause, None)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;
    use boardwright_model::StackFrame;

    const RED: SeatId = SeatId(0);

    fn pause_in(depth: usize) -> Pause {
        let call = StackFrame {
            function: "decide".to_owned(),
            file: "a.rhai".to_owned(),
            line: 1,
            arguments: Vec::new(),
        };
        Pause {
            cause: PauseCause::Step,
            stack: vec![call; depth],
            source_line: None,
            variables: Vec::new(),
            watches: Vec::new(),
            remarks: Vec::new(),
            hits: None,
            problem: None,
        }
    }

    fn debugged(pauses: DecisionBreaks) -> (Arc<Debugger>, Interrupt, Arc<DebugSession>) {
        let debugger = Arc::new(Debugger::new(|| {}));
        debugger.attach(RED, pauses);
        let interrupt = Interrupt::new();
        let session = debugger.begin(RED, &interrupt).unwrap();
        (debugger, interrupt, session)
    }

    /// Where a decision pauses next after it has paused at a depth and was let go.
    fn pauses_after(step: StepKind, depth: usize) -> Option<PauseCause> {
        let (debugger, _, session) = debugged(DecisionBreaks::default());
        let (gone, has_gone) = mpsc::channel();
        let waiting = Arc::clone(&session);
        let thread = thread::spawn(move || gone.send(waiting.pause(pause_in(2))));
        while !debugger.go_on(step) {
            thread::yield_now();
        }
        assert_eq!(has_gone.recv().unwrap(), Resume::Go);
        thread.join().unwrap().unwrap();
        session.pauses_at("a.rhai", 9, depth).cause
    }

    #[test]
    fn a_step_ends_in_the_call_it_is_about() {
        use StepKind::{Continue, Into, Out, Over};
        let step = Some(PauseCause::Step);
        let found = [Continue, Into, Over, Out].map(|step| [1, 2, 3].map(|depth| pauses_after(step, depth)));
        assert_eq!(found, [[None; 3], [step; 3], [step, step, None], [step, None, None]]);
    }

    #[test]
    fn a_decision_pauses_once_at_its_beginning_and_at_each_break_point() {
        let (debugger, _, session) = debugged(DecisionBreaks {
            before: true,
            after: false,
        });
        let point = BreakPoint {
            file: "a.rhai".to_owned(),
            line: 3,
            condition: None,
        };
        debugger.set_break_points(vec![point.clone()]);
        let at = |line| {
            let PauseReasons { points, cause } = session.pauses_at("a.rhai", line, 1);
            points.first().map(|_| PauseCause::BreakPoint).or(cause)
        };
        assert_eq!(
            [at(1), at(2), at(3), at(3)],
            [
                Some(PauseCause::Before),
                None,
                Some(PauseCause::BreakPoint),
                Some(PauseCause::BreakPoint)
            ]
        );
        assert_eq!([session.hits(&point), session.hits(&point)], [1, 2]);
        debugger.set_break_points(vec![point.clone()]);
        assert_eq!(session.hits(&point), 3, "set again it is the same one");
        debugger.ask_to_pause();
        assert_eq!(at(2), Some(PauseCause::Asked));
        debugger.detach(RED);
        assert_eq!(at(3), None);
        assert!(debugger.begin(RED, &Interrupt::new()).is_none());
    }

    #[test]
    fn a_paused_decision_ends_when_its_player_is_stopped_and_goes_on_when_it_is_not_debugged_any_more() {
        assert_eq!(ends_with(|_, interrupt| interrupt.stop()), Resume::End);
        assert_eq!(ends_with(|debugger, _| debugger.detach_all()), Resume::Go);
    }

    /// How a decision that has paused goes on after something was done.
    fn ends_with(done: impl FnOnce(&Debugger, &Interrupt)) -> Resume {
        let (debugger, interrupt, session) = debugged(DecisionBreaks::default());
        let thread = thread::spawn(move || session.pause(pause_in(1)));
        while debugger.paused().is_none() {
            thread::yield_now();
        }
        done(&debugger, &interrupt);
        let resume = thread.join().unwrap();
        assert_eq!(debugger.paused(), None);
        resume
    }

    #[test]
    fn a_decision_that_was_given_up_has_no_part_in_the_next_one() {
        let (debugger, _, given_up) = debugged(DecisionBreaks::default());
        let session = debugger.begin(RED, &Interrupt::new()).unwrap();
        let thread = thread::spawn(move || session.pause(pause_in(1)));
        while debugger.paused().is_none() {
            thread::yield_now();
        }
        assert_eq!(given_up.pause(pause_in(2)), Resume::End);
        debugger.ask_to_pause();
        assert_eq!(given_up.pauses_at("a.rhai", 1, 1).cause, None);
        let paused = debugger.paused().unwrap();
        assert_eq!((paused.number, paused.pause.stack.len()), (1, 1), "what has paused is the next one");
        assert!(debugger.go_on(StepKind::Continue));
        assert_eq!(thread.join().unwrap(), Resume::Go);
    }

    #[test]
    fn other_watches_are_looked_at_where_it_has_paused() {
        let (debugger, _, session) = debugged(DecisionBreaks::default());
        let waiting = Arc::clone(&session);
        let thread = thread::spawn(move || waiting.pause(pause_in(1)));
        while debugger.paused().is_none() {
            thread::yield_now();
        }
        debugger.set_watches(vec![Arc::from("1 + 1")]);
        assert_eq!(thread.join().unwrap(), Resume::Look);
        assert_eq!(session.watches(), [Arc::from("1 + 1")]);
        assert_eq!(debugger.pause_number(), Some(1), "it stands until it is shown again");
    }
}
