//! The debugger of strategies, which follows them line by line: where they halt, and how they go on.
//!
//! A [`Debugger`] stands between whoever follows and the thread on which a strategy decides. The strategy's side is a [`DebugSession`], one for
//! each decision; it waits there while the strategy is halted, and ends soon after the player is stopped.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Interrupt;
use boardwright_model::{Action, BreakPoint, PauseCause, SeatId, StepKind};
use boardwright_rules::{Pause, PauseReasons, Remark, Resume, StrategyDebugger};

/// How often a halted strategy looks whether its player was stopped.
const LOOKS_EVERY: Duration = Duration::from_millis(5);

/// Whether a strategy halts before its decisions and after them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HaltsAround {
    /// At the first line of a decision.
    pub before: bool,
    /// When it has decided.
    pub after: bool,
}

/// A strategy that has halted.
#[derive(Clone, Debug, PartialEq)]
pub struct Halted {
    /// Counts the halts.
    pub number: u64,
    /// The seat it decides for.
    pub seat: SeatId,
    /// Where, and what is to be seen there.
    pub halt: Pause,
    /// The action it is weighing.
    pub considered: Option<Action>,
    /// The actions it has weighed so far, in this order.
    pub weighed: Vec<Remark>,
    /// The action it has chosen.
    pub chosen: Option<Action>,
}

#[derive(Default)]
struct Inner {
    seats: BTreeMap<SeatId, HaltsAround>,
    /// The break points, and how often strategies have halted at each.
    points: Vec<(BreakPoint, u64)>,
    watches: Vec<Arc<str>>,
    /// Whether it was asked to halt.
    is_asked: bool,
    decision: Decision,
    number: u64,
    halted: Option<Halted>,
}

/// How far a decision has come.
#[derive(Default)]
struct Decision {
    /// Whether its next line is the first, and is to be halted at.
    is_beginning: bool,
    /// How it goes on, and how many calls there were when this was said.
    stride: Option<(StepKind, usize)>,
    considered: Option<Action>,
    weighed: Vec<Remark>,
    resume: Option<Resume>,
}

/// Says where strategies halt and how they go on, and knows where one has halted.
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
    /// One that follows nobody yet. `wake` is called on the thread of a strategy that has halted.
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

    /// Follows the strategy of a seat from its next decision on. The one it is in is not followed if it was begun without.
    pub fn follow(&self, seat: SeatId, halts: HaltsAround) {
        self.change(|inner| _ = inner.seats.insert(seat, halts));
    }

    /// Follows the strategy of a seat no longer. If it has halted, it goes on.
    pub fn unfollow(&self, seat: SeatId) {
        self.change(|inner| {
            inner.seats.remove(&seat);
            if inner.halted.take_if(|halted| halted.seat == seat).is_some() {
                inner.decision.resume = Some(Resume::Go);
            }
        });
    }

    /// Follows nobody any more.
    pub fn unfollow_all(&self) {
        self.change(|inner| inner.seats.clear());
    }

    /// Whether any strategy is followed.
    pub fn follows_any(&self) -> bool {
        !self.inner().seats.is_empty()
    }

    /// Sets the lines at which strategies halt.
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

    /// Sets the expressions that are worked out where a strategy halts. One that has halted works them out at once.
    pub fn set_watches(&self, watches: Vec<Arc<str>>) {
        self.change(|inner| {
            inner.watches = watches;
            if inner.halted.as_ref().is_some_and(|halted| halted.halt.cause != PauseCause::After) {
                inner.decision.resume = Some(Resume::Look);
            }
        });
    }

    /// A strategy that is deciding is to halt at its next line.
    pub fn ask_to_halt(&self) {
        self.change(|inner| inner.is_asked = inner.halted.is_none());
    }

    /// Lets the strategy that has halted go on; false if none has.
    pub fn go_on(&self, stride: StepKind) -> bool {
        let mut inner = self.inner();
        let Some(halted) = inner.halted.take() else { return false };
        inner.decision.stride = Some((stride, halted.halt.stack.len()));
        inner.decision.resume = Some(Resume::Go);
        drop(inner);
        self.changed.notify_all();
        true
    }

    /// Where a strategy has halted.
    pub fn halted(&self) -> Option<Halted> {
        self.inner().halted.clone()
    }

    /// The number of the halt that stands.
    pub fn halt_number(&self) -> Option<u64> {
        self.inner().halted.as_ref().map(|halted| halted.number)
    }

    /// What is being decided is of no interest any more. The player has to be stopped besides.
    pub fn forget(&self) {
        self.change(|inner| {
            inner.is_asked = false;
            if inner.halted.take().is_some() {
                inner.decision.resume = Some(Resume::End);
            }
        });
    }

    /// Begins a decision of a seat, if it is followed.
    pub fn begin(self: &Arc<Self>, seat: SeatId, interrupt: &Interrupt) -> Option<Arc<DebugSession>> {
        let mut inner = self.inner();
        let halts = *inner.seats.get(&seat)?;
        inner.decision = Decision {
            is_beginning: halts.before,
            ..Decision::default()
        };
        drop(inner);
        Some(Arc::new(DebugSession {
            follower: Arc::clone(self),
            seat,
            interrupt: interrupt.clone(),
        }))
    }
}

/// A decision that is followed.
#[derive(Debug)]
pub struct DebugSession {
    follower: Arc<Debugger>,
    seat: SeatId,
    interrupt: Interrupt,
}

impl DebugSession {
    /// An action is going to be weighed.
    pub fn considers(&self, action: &Action) {
        self.follower.inner().decision.considered = Some(action.clone());
    }

    /// An action was weighed: what is value how much, or that it cannot be taken.
    pub fn has_weighed(&self, action: &Action, value: Option<i64>) {
        let mut inner = self.follower.inner();
        inner.decision.considered = None;
        inner.decision.weighed.push(Remark {
            text: Arc::from(""),
            action: Some(action.clone()),
            number: value,
        });
    }

    /// The decision is made. Halts if it is to be halted at; false if the player was stopped there.
    pub fn has_chosen(&self, action: &Action, halt: Pause) -> bool {
        let halts = self.follower.inner().seats.get(&self.seat).is_some_and(|halts| halts.after);
        !halts || self.wait(halt, Some(action)) != Resume::End
    }

    fn wait(&self, halt: Pause, chosen: Option<&Action>) -> Resume {
        let mut inner = self.follower.inner();
        inner.number += 1;
        let number = inner.number;
        inner.is_asked = false;
        inner.decision.stride = None;
        inner.decision.resume = None;
        inner.halted = Some(Halted {
            number,
            seat: self.seat,
            halt,
            considered: inner.decision.considered.clone(),
            weighed: inner.decision.weighed.clone(),
            chosen: chosen.cloned(),
        });
        drop(inner);
        (self.follower.wake)();
        let mut inner = self.follower.inner();
        loop {
            let resume = match inner.decision.resume.take() {
                _ if self.interrupt.is_stopped() => Some(Resume::End),
                None if !inner.seats.contains_key(&self.seat) => Some(Resume::Go),
                said => said,
            };
            if let Some(resume) = resume {
                // Looked at again, it stands until it is shown again. Another decision may have halted since, if this one was given up.
                let is_gone = resume != Resume::Look && inner.halted.take_if(|halted| halted.number == number).is_some();
                drop(inner);
                if is_gone {
                    (self.follower.wake)();
                }
                return resume;
            }
            let waited = self.follower.changed.wait_timeout(inner, LOOKS_EVERY);
            inner = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl StrategyDebugger for DebugSession {
    fn is_over(&self) -> bool {
        self.interrupt.is_stopped()
    }

    fn halts_at(&self, file: &str, line: u32, depth: usize) -> PauseReasons {
        let for_cause = |cause| PauseReasons {
            points: Vec::new(),
            cause: Some(cause),
        };
        let mut inner = self.follower.inner();
        if !inner.seats.contains_key(&self.seat) {
            return PauseReasons::default();
        }
        if std::mem::take(&mut inner.decision.is_beginning) {
            return for_cause(PauseCause::Before);
        }
        let points = inner.points.iter().map(|known| &known.0).filter(|point| point.is_at(file, line));
        let points = points.cloned().collect();
        let is_done = inner.decision.stride.is_some_and(|(stride, from)| match stride {
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
        let mut inner = self.follower.inner();
        let known = inner.points.iter_mut().find(|(known, _)| known == point);
        known.map_or(0, |(_, hits)| {
            *hits += 1;
            *hits
        })
    }

    fn watches(&self) -> Vec<Arc<str>> {
        self.follower.inner().watches.clone()
    }

    fn halt(&self, halt: Pause) -> Resume {
        self.wait(halt, None)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;
    use std::time::Instant;

    use super::*;
    use boardwright_model::StackFrame;

    const RED: SeatId = SeatId(0);

    fn halt_in(depth: usize) -> Pause {
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

    fn followed(halts: HaltsAround) -> (Arc<Debugger>, Interrupt, Arc<DebugSession>) {
        let follower = Arc::new(Debugger::new(|| {}));
        follower.follow(RED, halts);
        let interrupt = Interrupt::new();
        let following = follower.begin(RED, &interrupt).unwrap();
        (follower, interrupt, following)
    }

    /// Where a decision halts next after it has halted at a depth and was let go.
    fn halts_after(stride: StepKind, depth: usize) -> Option<PauseCause> {
        let (follower, _, following) = followed(HaltsAround::default());
        let (gone, has_gone) = mpsc::channel();
        let waiting = Arc::clone(&following);
        let thread = thread::spawn(move || gone.send(waiting.halt(halt_in(2))));
        while !follower.go_on(stride) {
            thread::yield_now();
        }
        assert_eq!(has_gone.recv().unwrap(), Resume::Go);
        thread.join().unwrap().unwrap();
        following.halts_at("a.rhai", 9, depth).cause
    }

    #[test]
    fn a_stride_ends_in_the_call_it_is_about() {
        use StepKind::{Continue, Into, Out, Over};
        let step = Some(PauseCause::Step);
        let found = [Continue, Into, Over, Out].map(|stride| [1, 2, 3].map(|depth| halts_after(stride, depth)));
        assert_eq!(found, [[None; 3], [step; 3], [step, step, None], [step, None, None]]);
    }

    #[test]
    fn a_decision_halts_once_at_its_beginning_and_at_each_break_point() {
        let (follower, _, following) = followed(HaltsAround {
            before: true,
            after: false,
        });
        let point = BreakPoint {
            file: "a.rhai".to_owned(),
            line: 3,
            condition: None,
        };
        follower.set_break_points(vec![point.clone()]);
        let at = |line| {
            let PauseReasons { points, cause } = following.halts_at("a.rhai", line, 1);
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
        assert_eq!([following.hits(&point), following.hits(&point)], [1, 2]);
        follower.set_break_points(vec![point.clone()]);
        assert_eq!(following.hits(&point), 3, "set again it is the same one");
        follower.ask_to_halt();
        assert_eq!(at(2), Some(PauseCause::Asked));
        follower.unfollow(RED);
        assert_eq!(at(3), None);
        assert!(follower.begin(RED, &Interrupt::new()).is_none());
    }

    #[test]
    fn a_halted_decision_ends_when_its_player_is_stopped_and_goes_on_when_it_is_not_followed_any_more() {
        // The least of several times: other work of the machine keeps threads waiting, and is not meant.
        let least = |stops| (0..8).map(|_| time_to_go(stops)).min().unwrap();
        let least = [true, false].map(least);
        assert!(least.iter().all(|time| *time < Duration::from_millis(20)), "{least:?}");
    }

    /// How long a halted decision takes to go when it is stopped, or not followed any more.
    fn time_to_go(stops: bool) -> Duration {
        let (follower, interrupt, following) = followed(HaltsAround::default());
        let thread = thread::spawn(move || (following.halt(halt_in(1)), Instant::now()));
        while follower.halted().is_none() {
            thread::yield_now();
        }
        let said = Instant::now();
        if stops {
            interrupt.stop();
        } else {
            follower.unfollow_all();
        }
        let (resume, ended) = thread.join().unwrap();
        assert_eq!(resume, if stops { Resume::End } else { Resume::Go });
        assert_eq!(follower.halted(), None);
        ended - said
    }

    #[test]
    fn other_watches_are_looked_at_where_it_has_halted() {
        let (follower, _, following) = followed(HaltsAround::default());
        let waiting = Arc::clone(&following);
        let thread = thread::spawn(move || waiting.halt(halt_in(1)));
        while follower.halted().is_none() {
            thread::yield_now();
        }
        follower.set_watches(vec![Arc::from("1 + 1")]);
        assert_eq!(thread.join().unwrap(), Resume::Look);
        assert_eq!(following.watches(), [Arc::from("1 + 1")]);
        assert_eq!(follower.halt_number(), Some(1), "it stands until it is shown again");
    }
}
