//! What the calls of a request have used together.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use super::fault::Fault;
use super::limits::Limits;
use super::work_clock::WorkClock;
use boardwright_rules::RequestKind;

/// What a call costs beside its own operations: the host makes its arguments and reads what it returns.
const CALL_OPERATIONS: u64 = 20;
/// The clock is looked at before the last of every so many calls, so that it is not read for requests of a few. A power of two, less one.
const CALLS_BETWEEN_LOOKS: u64 = 15;
/// How many times as long something may take that is run again.
const PATIENCE_IN_REPLAY: u32 = 10;

/// What calls took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spent {
    pub(super) calls: u64,
    pub(super) operations: u64,
    pub(super) time: Duration,
}

impl Spent {
    fn add(&mut self, other: Self) {
        self.calls = self.calls.saturating_add(other.calls);
        self.operations = self.operations.saturating_add(other.operations);
        self.time = self.time.saturating_add(other.time);
    }
}

/// The request that is going on.
#[derive(Clone, Copy, Debug)]
struct Current {
    kind: RequestKind,
    /// How many requests inside it count on its budget.
    joined: u32,
    /// What its calls took.
    spent: Spent,
    /// The time since its first call: that of its calls, and of what the host does between them.
    clock: WorkClock,
    /// Time of requests inside it that counts.
    before: Duration,
    /// Identifies it, for what each function counts of it.
    number: u64,
}

/// Counts the calls of a program by requests, which may lie inside each other.
#[derive(Debug)]
pub(super) struct RequestMeter {
    operations: u64,
    wall: Duration,
    current: Cell<Option<Current>>,
    outer: RefCell<Vec<Current>>,
    /// Within a search: what its failed steps and calls took.
    wasted: Cell<Spent>,
    searches: Cell<u32>,
    begun: Cell<u64>,
    /// What is said of every call that comes after the budget is spent.
    fault: RefCell<Option<(u64, Fault)>>,
}

impl RequestMeter {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            operations: limits.request_operations,
            wall: limits.request_wall,
            current: Cell::new(None),
            outer: RefCell::default(),
            wasted: Cell::default(),
            searches: Cell::new(0),
            begun: Cell::new(0),
            fault: RefCell::default(),
        }
    }

    /// Whether no request is going on.
    pub(super) fn is_idle(&self) -> bool {
        self.current.get().is_none()
    }

    pub(super) fn begin(&self, kind: RequestKind) {
        let current = self.current.get();
        if let (RequestKind::Step, Some(mut joined)) = (kind, current)
            && joined.kind != RequestKind::Search
        {
            joined.joined = joined.joined.saturating_add(1);
            self.current.set(Some(joined));
            return;
        }
        self.outer.borrow_mut().extend(current);
        if kind == RequestKind::Search {
            if self.searches.get() == 0 {
                self.wasted.set(Spent::default());
            }
            self.searches.set(self.searches.get().saturating_add(1));
        }
        let number = self.begun.get().wrapping_add(1);
        self.begun.set(number);
        self.current.set(Some(Current {
            kind,
            joined: 0,
            spent: Spent::default(),
            clock: WorkClock::default(),
            before: Duration::ZERO,
            number,
        }));
    }

    pub(super) fn end(&self) {
        let Some(mut current) = self.current.get() else { return };
        if current.joined > 0 {
            current.joined -= 1;
            self.current.set(Some(current));
            return;
        }
        match current.kind {
            RequestKind::Search => self.searches.set(self.searches.get().saturating_sub(1)),
            RequestKind::Step if self.is_over(&current.total(), 1) => self.waste(current.total()),
            RequestKind::Step | RequestKind::Whole | RequestKind::Replay => {}
        }
        let outer = self.outer.borrow_mut().pop();
        self.current.set(outer.map(|mut outer| {
            outer.clock.skip();
            if (outer.kind, current.kind) == (RequestKind::Whole, RequestKind::Whole) {
                self.pay_for_inner(&mut outer, &current.total());
            }
            outer
        }));
    }

    /// A request inside another has a budget of its own, and the outer one keeps half of its: so both together end in time.
    fn pay_for_inner(&self, outer: &mut Current, inner: &Spent) {
        outer.spent.operations = outer.spent.operations.saturating_add(inner.operations.min(self.operations / 2));
        outer.before = outer.before.saturating_add(inner.time.min(self.wall / 2));
    }

    /// Looks at the clock before some of the calls.
    pub(super) fn look_now_and_then(&self) {
        let Some(current) = self.current.get() else { return };
        if current.spent.calls & CALLS_BETWEEN_LOOKS == CALLS_BETWEEN_LOOKS {
            self.look();
        }
    }

    /// Counts what was done since the last look.
    pub(super) fn look(&self) {
        if let Some(mut current) = self.current.get().filter(|current| current.kind != RequestKind::Search) {
            current.clock.look();
            self.current.set(Some(current));
        }
    }

    /// Notes what a call took that counts, and whether it was stopped for what it took.
    pub(super) fn note(&self, operations: u64, time: Duration, is_stopped: bool) {
        let Some(mut current) = self.current.get() else { return };
        let spent = Spent {
            calls: 1,
            operations: operations.saturating_add(CALL_OPERATIONS),
            time,
        };
        current.spent.add(spent);
        self.current.set(Some(current));
        // A step that has nothing left is added as a whole when it ends.
        if is_stopped && (current.kind == RequestKind::Search || !self.is_over(&current.total(), current.patience())) {
            self.waste(spent);
        }
    }

    fn waste(&self, spent: Spent) {
        if self.searches.get() > 0 {
            let mut wasted = self.wasted.get();
            wasted.add(spent);
            self.wasted.set(wasted);
        }
    }

    fn is_over(&self, spent: &Spent, patience: u32) -> bool {
        spent.operations >= self.operations || spent.time >= self.wall.saturating_mul(patience)
    }

    /// What the next call may take, at most: operations and time. Nothing more than its own budget outside of requests.
    pub(super) fn left(&self, operations: u64, wall: Duration) -> (u64, Duration) {
        let Some(current) = self.current.get() else {
            return (operations, wall);
        };
        let wall = wall.saturating_mul(current.patience());
        if current.kind == RequestKind::Search {
            return (operations, wall);
        }
        let most = self.wall.saturating_mul(current.patience());
        let spent = current.total();
        (
            operations.min(self.operations.saturating_sub(spent.operations)),
            wall.min(most.saturating_sub(spent.time)),
        )
    }

    /// What was spent, if nothing is left.
    pub(super) fn spent(&self) -> Option<Spent> {
        let current = self.current.get()?;
        let spent = current.total();
        if current.kind != RequestKind::Search && self.is_over(&spent, current.patience()) {
            return Some(spent);
        }
        let wasted = self.wasted.get();
        (self.searches.get() > 0 && self.is_over(&wasted, 1)).then_some(wasted)
    }

    /// The number of the request that is going on; 0 for none.
    pub(super) fn number(&self) -> u64 {
        self.current.get().map_or(0, |current| current.number)
    }

    /// Whether operations are what was spent, and not only time.
    pub(super) fn is_out_of_operations(&self, spent: &Spent) -> bool {
        spent.operations >= self.operations
    }

    /// The fault that says so: the first one, for all calls of a request.
    pub(super) fn fault(&self, make: impl FnOnce() -> Fault) -> Fault {
        let number = self.number();
        let mut known = self.fault.borrow_mut();
        match &*known {
            Some((of, fault)) if *of == number => fault.clone(),
            _ => known.insert((number, make())).1.clone(),
        }
    }
}

impl Current {
    /// What was spent, the work of the host between the calls included.
    fn total(&self) -> Spent {
        Spent {
            time: self.spent.time.max(self.clock.taken()).saturating_add(self.before),
            ..self.spent
        }
    }

    fn patience(&self) -> u32 {
        if self.kind == RequestKind::Replay { PATIENCE_IN_REPLAY } else { 1 }
    }
}
