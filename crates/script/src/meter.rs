//! What a running call has used, and whether it has to stop.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rhai::{Dynamic, EvalAltResult, ImmutableString, NativeCallContext, Position};

use super::fault::Fault;
use super::limits::{LOG_LINE_BYTES, Limits};
use super::request_meter::RequestMeter;
use super::work_clock::WorkClock;
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_rules::{RequestBudget, RequestKind};

/// Why a call had to stop. Scripts cannot catch it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// More operations than so many.
    Operations(u64),
    /// More time than this.
    Time(Duration),
    /// All calls of the request together.
    Request,
    /// More calls inside each other than so many.
    Levels(usize),
    Stack,
    Data,
    Interrupted,
}

impl Stop {
    /// The error that carries the reason to the caller.
    #[expect(clippy::unnecessary_box_returns, reason = "natives return boxed errors")]
    pub(crate) fn error(self) -> Box<EvalAltResult> {
        EvalAltResult::ErrorTerminated(Dynamic::from(self), Position::NONE).into()
    }
}

/// A flag by which another thread stops a running script. Clones are the same flag.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Stops the running call, and every later one until [`Interrupt::clear`].
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Lets calls run again.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// The flag itself, for those who know no scripts.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// Whether calls are to stop.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Between two looks at the clock, the stack and the interrupt lie this many operations, less one. A power of two, less one.
const LOOK_EVERY: u64 = 63;

/// The operations of no more natives are told apart.
const MOST_WORDS: usize = 16;

/// What the running call has used. Natives that make large values tell it with [`Meter::charge`].
#[derive(Debug)]
pub struct Meter {
    operations: Cell<u64>,
    /// What the running call may take.
    operations_limit: Cell<u64>,
    wall: Cell<Duration>,
    /// What every call may take.
    own_operations: Cell<u64>,
    own_wall: Cell<Duration>,
    pub(super) request: RequestMeter,
    /// The operations that natives took for the running call, in all and by name.
    worked: Cell<u64>,
    by_word: RefCell<Vec<(ImmutableString, u64)>>,
    /// The time that the running call has taken.
    clock: Cell<WorkClock>,
    stack_start: Cell<usize>,
    stack_bytes: usize,
    native_bytes: Cell<usize>,
    native_bytes_limit: usize,
    /// Of whoever calls now.
    interrupt: RefCell<Interrupt>,
    /// Why the running call has to stop. It goes on to where the engine knows its place, and no further than the next look.
    stopping: Cell<Option<Stop>>,
    levels: Cell<u32>,
    log: RefCell<Vec<String>>,
    log_lines: usize,
}

impl Meter {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            operations: Cell::new(0),
            operations_limit: Cell::new(limits.operations),
            wall: Cell::new(limits.wall),
            own_operations: Cell::new(limits.operations),
            own_wall: Cell::new(limits.wall),
            request: RequestMeter::new(limits),
            worked: Cell::new(0),
            by_word: RefCell::default(),
            clock: Cell::default(),
            stack_start: Cell::new(0),
            stack_bytes: limits.stack_bytes,
            native_bytes: Cell::new(0),
            native_bytes_limit: limits.native_bytes,
            interrupt: RefCell::default(),
            stopping: Cell::new(None),
            levels: Cell::new(0),
            log: RefCell::new(Vec::new()),
            log_lines: limits.log_lines,
        }
    }

    /// Operations of the running call, or of the last one.
    pub fn operations(&self) -> u64 {
        self.operations.get()
    }

    /// The flag that stops calls from outside.
    pub fn interrupt(&self) -> Interrupt {
        self.interrupt.borrow().clone()
    }

    /// Sets the flag that stops the calls from now on.
    pub(crate) fn set_interrupt(&self, interrupt: &Interrupt) {
        let mut current = self.interrupt.borrow_mut();
        if !Arc::ptr_eq(&current.0, &interrupt.0) {
            current.clone_from(interrupt);
        }
    }

    /// Sets what the calls from now on may take.
    pub fn set_budget(&self, operations: u64, wall: Duration) {
        self.own_operations.set(operations);
        self.own_wall.set(wall);
    }

    /// Counts bytes of data that a native makes for a script.
    ///
    /// # Errors
    /// When the call has had more than it may; the native passes the error on.
    pub fn charge(&self, bytes: usize) -> Result<(), Box<EvalAltResult>> {
        let total = self.native_bytes.get().saturating_add(bytes);
        self.native_bytes.set(total);
        if total > self.native_bytes_limit {
            Err(self.stop_for(Stop::Data))
        } else {
            Ok(())
        }
    }

    /// Counts operations that a native takes on behalf of a script.
    ///
    /// # Errors
    /// When the call has had more than it may; the native passes the error on.
    pub fn work(&self, operations: u64) -> Result<(), Box<EvalAltResult>> {
        let count = self.operations.get().saturating_add(operations);
        self.operations.set(count);
        if count > self.operations_limit.get() {
            return Err(self.stop_for(self.out_of_operations()));
        }
        self.look().map_or(Ok(()), |stop| Err(self.stop_for(stop)))
    }

    /// Notes which native takes operations for the running call.
    pub(crate) fn note_word(&self, name: &str, operations: u64) {
        self.worked.set(self.worked.get().saturating_add(operations));
        let name = name.strip_prefix("get$").unwrap_or(name);
        let mut words = self.by_word.borrow_mut();
        if let Some((_, sum)) = words.iter_mut().find(|(word, _)| word == name) {
            *sum = sum.saturating_add(operations);
        } else if words.len() < MOST_WORDS {
            words.push((name.into(), operations));
        }
    }

    /// Stops the call from within a native or where a variable is read: with an error that, unlike the one of [`Stop::error`], keeps the
    /// place where it arose and the calls that led there. A script that catches it comes no further than the next look.
    #[expect(clippy::unnecessary_box_returns, reason = "natives return boxed errors")]
    fn stop_for(&self, stop: Stop) -> Box<EvalAltResult> {
        self.stopping.set(Some(stop));
        EvalAltResult::ErrorRuntime(Dynamic::from(stop), Position::NONE).into()
    }

    /// Asked where the engine knows the place: ends a call that has to stop, or is nested too deep.
    #[inline]
    pub(crate) fn stop_here(&self, level: usize, deepest: usize) -> Result<(), Box<EvalAltResult>> {
        match self.stopping.get() {
            Some(stop) => Err(self.stop_for(stop)),
            None if level > deepest => Err(self.stop_for(Stop::Levels(deepest))),
            None => Ok(()),
        }
    }

    /// Why a call has to stop that has no operations left: it may take no more, or its request.
    fn out_of_operations(&self) -> Stop {
        let (limit, own) = (self.operations_limit.get(), self.own_operations.get());
        if limit < own { Stop::Request } else { Stop::Operations(own) }
    }

    fn out_of_time(&self) -> Stop {
        let (limit, own) = (self.wall.get(), self.own_wall.get());
        if limit < own { Stop::Request } else { Stop::Time(limit) }
    }

    /// The native that took most of the running call, if one did.
    pub(crate) fn heaviest(&self) -> Option<ImmutableString> {
        let is_most = self.worked.get() > self.operations.get() / 2;
        let words = self.by_word.borrow();
        let most = words.iter().max_by_key(|(_, operations)| *operations);
        most.filter(|_| is_most).map(|(word, _)| word.clone())
    }

    /// Stops the call: it is of no interest any more.
    #[expect(clippy::unnecessary_box_returns, reason = "what the engine asks for")]
    pub(crate) fn give_up(&self) -> Box<EvalAltResult> {
        self.stop_for(Stop::Interrupted)
    }

    /// Runs something with a budget of its own, which the running call does not pay.
    pub(crate) fn aside<R>(&self, operations: u64, wall: Duration, run: impl FnOnce() -> R) -> R {
        let used = (self.operations.replace(0), self.native_bytes.replace(0));
        let may = (self.operations_limit.replace(operations), self.wall.replace(wall));
        let (clock, stopping) = (self.clock.take(), self.stopping.replace(None));
        let result = run();
        self.operations.set(used.0);
        self.native_bytes.set(used.1);
        self.operations_limit.set(may.0);
        self.wall.set(may.1);
        self.clock.set(clock);
        self.stopping.set(stopping);
        result
    }

    /// Why the call that has just ended had to stop, if it had to: whatever it came back with does not count.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        self.stopping.get()
    }

    /// What scripts have printed since the last time this was asked, oldest first.
    pub fn take_log(&self) -> Vec<String> {
        self.log.take()
    }

    pub(crate) fn print(&self, text: &str) {
        let mut log = self.log.borrow_mut();
        if log.len() < self.log_lines {
            let end = text.floor_char_boundary(LOG_LINE_BYTES);
            log.push(text.get(..end).unwrap_or_default().to_owned());
        }
    }

    /// Starts a call. Calls made by natives while a script runs count on the budget of the outermost.
    pub(crate) fn enter(&self) {
        let level = self.levels.get();
        self.levels.set(level.saturating_add(1));
        if level == 0 {
            self.request.look_now_and_then();
            let (operations, wall) = self.request.left(self.own_operations.get(), self.own_wall.get());
            self.operations_limit.set(operations);
            self.wall.set(wall);
            if self.worked.replace(0) > 0 {
                self.by_word.borrow_mut().clear();
            }
            self.operations.set(0);
            self.native_bytes.set(0);
            self.stopping.set(None);
            self.stack_start.set(stack_position());
            self.clock.take();
        }
    }

    /// Whether no call is under way.
    pub(crate) fn is_outermost(&self) -> bool {
        self.levels.get() == 0
    }

    /// Takes a call back that [`Meter::enter`] started, as if it had not been made.
    pub(crate) fn abandon(&self) {
        self.levels.set(self.levels.get().saturating_sub(1));
        self.stopping.set(None);
    }

    /// Says how many operations the running call has taken, where it counts them itself.
    pub(crate) fn set_operations(&self, operations: u64) {
        self.operations.set(operations);
    }

    /// Whether the running call has taken no more operations than it may.
    pub(crate) fn is_within(&self) -> bool {
        self.operations.get() <= self.operations_limit.get()
    }

    /// Whether a call that counts its operations itself may go on.
    pub(crate) fn may_go_on(&self) -> bool {
        self.is_within() && self.stopping.get().is_none() && self.look().is_none()
    }

    /// Whether the stack of the running call is nearly used up.
    pub(crate) fn is_stack_low(&self) -> bool {
        self.stack_start.get().abs_diff(stack_position()) > self.stack_bytes / 2
    }

    /// Ends what [`Meter::enter`] started.
    pub(crate) fn leave(&self) {
        let level = self.levels.get().saturating_sub(1);
        self.levels.set(level);
        if level == 0 {
            let is_stopped = matches!(self.stopping.get(), Some(Stop::Operations(_) | Stop::Time(_) | Stop::Data));
            self.request.note(self.operations.get(), self.clock.get().taken(), is_stopped);
        }
    }

    /// Counts one operation. A call that has used up its operations or its time is given the few up to the next look, so that it ends
    /// at a place that can be told: see [`Meter::stop_here`].
    #[inline]
    pub(crate) fn tick(&self) -> Option<Stop> {
        let count = self.operations.get() + 1;
        self.operations.set(count);
        if count & LOOK_EVERY != 0 {
            return None;
        }
        if let Some(stop) = self.stopping.get() {
            return Some(stop);
        }
        if count > self.operations_limit.get() {
            self.stopping.set(Some(self.out_of_operations()));
            return None;
        }
        match self.look() {
            Some(stop @ (Stop::Time(_) | Stop::Request)) => {
                self.stopping.set(Some(stop));
                None
            }
            stop => stop,
        }
    }

    #[inline(never)]
    fn look(&self) -> Option<Stop> {
        if self.interrupt.borrow().is_raised() {
            return Some(Stop::Interrupted);
        }
        if self.stack_start.get().abs_diff(stack_position()) > self.stack_bytes {
            return Some(Stop::Stack);
        }
        // The clock is first read some operations into the call, so short calls never read it.
        let mut clock = self.clock.get();
        let taken = clock.look();
        self.clock.set(clock);
        if taken >= self.wall.get() {
            return Some(self.out_of_time());
        }
        None
    }
}

/// Work that costs less than this many operations is covered by the operation of the call itself.
pub(crate) const LEAST_WORK: u64 = 16;

/// Lets the script that calls a native pay for the work of the native, given in operations (about 100 ns each). Natives whose work grows
/// with the board call it before they begin, or at each step if they take many.
///
/// # Errors
/// When the call has had more than it may; the native passes the error on.
pub(crate) fn pay(context: &NativeCallContext<'_>, operations: usize) -> Result<(), Box<EvalAltResult>> {
    let operations = operations as u64;
    let meter = context
        .tag()
        .filter(|_| operations >= LEAST_WORK)
        .and_then(Dynamic::read_lock::<Rc<Meter>>);
    meter.map_or(Ok(()), |meter| {
        meter.note_word(context.fn_name(), operations);
        meter.work(operations)
    })
}

impl RequestBudget for Meter {
    fn begin(&self, kind: RequestKind) {
        self.request.begin(kind);
    }

    fn end(&self) {
        self.request.end();
    }

    fn spent(&self) -> Option<Diagnostic> {
        self.request.look();
        let spent = self.request.spent()?;
        let fault = self.request.fault(|| {
            let message = format!("the rules take too long for one request: {} ms", spent.time.as_millis());
            Fault::new(Code::BudgetRequest, "", message)
        });
        Some(fault.into())
    }
}

/// About where the stack ends at present.
#[inline(never)]
fn stack_position() -> usize {
    let marker = 0_u8;
    std::ptr::from_ref(std::hint::black_box(&marker)).addr()
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use std::time::Instant;

    use super::super::thread_clock::thread_nanoseconds;
    use super::*;

    #[test]
    fn only_time_in_which_a_call_runs_counts() {
        let wall = Duration::from_millis(40);
        let meter = Meter::new(&Limits::default().with_budget(u64::MAX, wall));
        meter.stack_start.set(stack_position());
        assert!(meter.look().is_none());
        std::thread::sleep(wall * 2);
        assert!(meter.look().is_none(), "it was put aside once");
        let begun = Instant::now();
        let end = loop {
            assert!(begun.elapsed() < Duration::from_secs(20), "the time is counted");
            if let Some(stop) = meter.look() {
                break stop;
            }
        };
        assert!(matches!(end, Stop::Time(_)), "and runs out");
    }

    #[test]
    fn a_native_that_works_long_between_two_looks_is_not_taken_for_another_program() {
        let Some(begun) = thread_nanoseconds() else { return };
        let wall = Duration::from_millis(40);
        let meter = Meter::new(&Limits::default().with_budget(u64::MAX, wall));
        meter.stack_start.set(stack_position());
        let mut until = begun;
        let ends = (0..3).map(|_| {
            until += 60_000_000;
            while thread_nanoseconds().is_some_and(|now| now < until) {}
            meter.look()
        });
        let ends: Vec<Option<Stop>> = ends.collect();
        assert!(matches!(ends.as_slice(), [None, None, Some(Stop::Time(_))]), "{ends:?}");
    }
}
