//! Where the time of scripts goes: samples of what runs, and how often it was called.
//!
//! While a thread is profiled, a clock ticks beside it, and whatever is about to run notes the ticks that have passed since the last look, with
//! the calls that lead there. What the engine runs is known by its hook alone; lowered code by its functions, lines and words.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use boardwright_model::diagnostic::Location;

/// Between two ticks of the clock.
const TICK: Duration = Duration::from_micros(100);
/// What is no script.
const HOST: &str = "(host)";
/// What the engine runs.
const ENGINE: &str = "(engine)";

/// What was found of the scripts that a thread has run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// The time that was looked at, that outside of scripts included.
    pub time: Duration,
    /// The time outside of scripts.
    pub host: Duration,
    /// The hooks, the one that took longest first.
    pub hooks: Vec<ProfiledHook>,
    /// The functions of lowered code, the one that took longest itself first.
    pub functions: Vec<ProfiledFunction>,
    /// The lines of lowered code, the one that took longest first.
    pub lines: Vec<ProfiledLine>,
    /// The words of the script API that took time, by name.
    pub words: Vec<ProfiledWord>,
    /// For a flame graph: each chain of calls, the outermost first, with its time.
    pub stacks: Vec<(Vec<String>, Duration)>,
}

/// A hook.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProfiledHook {
    /// Its name.
    pub name: String,
    /// How often it was called.
    pub calls: u64,
    /// How many of these calls the engine ran.
    pub by_engine: u64,
    /// The line that lowered code left to the engine, the last time that it did.
    pub left_at: Option<Location>,
    /// How long all calls took.
    pub time: Duration,
}

/// A function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProfiledFunction {
    /// Its name.
    pub name: String,
    /// How often it was called.
    pub calls: u64,
    /// How long it took, without the functions it called.
    pub own: Duration,
    /// How long it took with them.
    pub time: Duration,
}

/// A line.
#[derive(Clone, Debug, PartialEq)]
pub struct ProfiledLine {
    /// Where it is.
    pub place: Location,
    /// How long it took, without the functions it called.
    pub time: Duration,
}

/// A word of the script API.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProfiledWord {
    /// Its name.
    pub name: String,
    /// How often it was called.
    pub calls: u64,
    /// How long it took.
    pub time: Duration,
}

/// A function that runs, and where it is.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) function: Box<str>,
    pub(crate) line: u32,
}

struct Recorder {
    ticks: Arc<AtomicU64>,
    is_over: Arc<AtomicBool>,
    begun: Instant,
    last: u64,
    stacks: BTreeMap<Vec<String>, u64>,
    hooks: BTreeMap<String, ProfiledHook>,
    left: BTreeMap<String, Location>,
    calls: BTreeMap<Box<str>, u64>,
    words: BTreeMap<Box<str>, u64>,
    own: BTreeMap<String, u64>,
    total: BTreeMap<String, u64>,
    lines: BTreeMap<(String, u32), (Location, u64)>,
    in_words: BTreeMap<String, u64>,
    host: u64,
}

impl Recorder {
    fn new() -> Self {
        let (ticks, is_over) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let (clock, end) = (Arc::clone(&ticks), Arc::clone(&is_over));
        std::thread::spawn(move || {
            let begun = Instant::now();
            while !end.load(Ordering::Relaxed) {
                std::thread::sleep(TICK);
                clock.store((begun.elapsed().as_nanos() / TICK.as_nanos()) as u64, Ordering::Relaxed);
            }
        });
        Self {
            ticks,
            is_over,
            begun: Instant::now(),
            last: 0,
            stacks: BTreeMap::new(),
            hooks: BTreeMap::new(),
            left: BTreeMap::new(),
            calls: BTreeMap::new(),
            words: BTreeMap::new(),
            own: BTreeMap::new(),
            total: BTreeMap::new(),
            lines: BTreeMap::new(),
            in_words: BTreeMap::new(),
            host: 0,
        }
    }

    /// The ticks since the last look.
    fn passed(&mut self) -> u64 {
        let now = self.ticks.load(Ordering::Relaxed);
        now.saturating_sub(std::mem::replace(&mut self.last, now))
    }

    fn note(&mut self, hook: &str, frames: &[Frame], place: impl Fn(u32) -> Option<Location>, word: Option<&str>) {
        let passed = self.passed();
        if passed == 0 {
            return;
        }
        let mut stack = vec![hook.to_owned()];
        let mut seen: Vec<&str> = Vec::new();
        for frame in frames {
            if *frame.function != *hook || stack.len() > 1 {
                stack.push(frame.function.to_string());
            }
            if !seen.contains(&&*frame.function) {
                seen.push(&frame.function);
                *self.total.entry(frame.function.to_string()).or_default() += passed;
            }
        }
        if let Some(last) = frames.last() {
            *self.own.entry(last.function.to_string()).or_default() += passed;
            if let Some(found) = place(last.line) {
                stack.push(format!("{}:{}", file_name(&found.file), found.line));
                let line = self.lines.entry((found.file.clone(), found.line)).or_insert_with(|| (found, 0));
                line.1 += passed;
            }
        }
        if let Some(word) = word {
            stack.push(word.to_owned());
            *self.in_words.entry(word.to_owned()).or_default() += passed;
        }
        *self.stacks.entry(stack).or_default() += passed;
    }

    fn into_profile(mut self) -> Profile {
        self.host += self.passed();
        self.is_over.store(true, Ordering::Relaxed);
        let time = |ticks: u64| TICK.saturating_mul(u32::try_from(ticks).unwrap_or(u32::MAX));
        let mut left = self.left;
        let with_places = self.hooks.into_values().map(|hook| ProfiledHook {
            left_at: left.remove(&hook.name),
            ..hook
        });
        let mut hooks: Vec<ProfiledHook> = with_places.collect();
        hooks.sort_by_key(|hook| std::cmp::Reverse(hook.time));
        let functions = self.total.iter().map(|(name, total)| ProfiledFunction {
            name: name.clone(),
            calls: self.calls.get(name.as_str()).copied().unwrap_or(0),
            own: time(self.own.get(name).copied().unwrap_or(0)),
            time: time(*total),
        });
        let mut functions: Vec<ProfiledFunction> = functions.collect();
        functions.sort_by_key(|function| std::cmp::Reverse((function.own, function.time)));
        let lines = self
            .lines
            .into_values()
            .map(|(place, ticks)| ProfiledLine { place, time: time(ticks) });
        let mut lines: Vec<ProfiledLine> = lines.collect();
        lines.sort_by_key(|line| std::cmp::Reverse(line.time));
        let words = self.words.iter().map(|(name, calls)| ProfiledWord {
            name: name.to_string(),
            calls: *calls,
            time: time(self.in_words.get(&**name).copied().unwrap_or(0)),
        });
        let mut words: Vec<ProfiledWord> = words.collect();
        words.sort_by_key(|word| std::cmp::Reverse((word.time, word.calls)));
        let stacks = self.stacks.into_iter().map(|(stack, ticks)| (stack, time(ticks)));
        let outside = [(vec![HOST.to_owned()], time(self.host))]
            .into_iter()
            .filter(|(_, time)| !time.is_zero());
        Profile {
            time: self.begun.elapsed(),
            host: time(self.host),
            hooks,
            functions,
            lines,
            words,
            stacks: outside.chain(stacks).collect(),
        }
    }
}

/// The last part of a path.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

thread_local! {
    static RECORDER: RefCell<Option<Recorder>> = const { RefCell::new(None) };
}

/// From now on notes what the scripts that this thread runs take.
pub fn begin_profiling() {
    RECORDER.set(Some(Recorder::new()));
}

/// Ends what [`begin_profiling`] began, and gives what was found.
pub fn end_profiling() -> Profile {
    RECORDER.take().map(Recorder::into_profile).unwrap_or_default()
}

/// Whether this thread is profiled.
pub(crate) fn is_profiling() -> bool {
    RECORDER.with_borrow(Option::is_some)
}

fn with(note: impl FnOnce(&mut Recorder)) {
    RECORDER.with_borrow_mut(|recorder| {
        if let Some(recorder) = recorder {
            note(recorder);
        }
    });
}

/// A hook is about to run: what has passed belongs to the host.
pub(crate) fn enter_hook() {
    with(|recorder| recorder.host += recorder.passed());
}

/// A hook has run.
pub(crate) fn leave_hook(name: &str, time: Duration, is_by_engine: bool) {
    with(|recorder| {
        recorder.note(name, &[], |_| None, is_by_engine.then_some(ENGINE));
        let hook = recorder.hooks.entry(name.to_owned()).or_insert_with(|| ProfiledHook {
            name: name.to_owned(),
            ..ProfiledHook::default()
        });
        hook.calls += 1;
        hook.by_engine += u64::from(is_by_engine);
        hook.time += time;
    });
}

/// Lowered code leaves a hook to the engine.
pub(crate) fn note_abandoned(hook: &str, place: impl FnOnce() -> Option<Location>) {
    with(|recorder| {
        if let Some(place) = place() {
            recorder.left.insert(hook.to_owned(), place);
        }
    });
}

/// A function of lowered code is called.
pub(crate) fn enter_function(name: &str) {
    with(|recorder| match recorder.calls.get_mut(name) {
        Some(calls) => *calls += 1,
        None => drop(recorder.calls.insert(name.into(), 1)),
    });
}

/// Lowered code is at a place, having run a word or not.
pub(crate) fn look(frames: &[Frame], place: impl Fn(u32) -> Option<Location>, word: Option<&str>) {
    with(|recorder| {
        if let Some(word) = word {
            match recorder.words.get_mut(word) {
                Some(calls) => *calls += 1,
                None => drop(recorder.words.insert(word.into(), 1)),
            }
        }
        if let Some(first) = frames.first() {
            let hook = first.function.clone();
            recorder.note(&hook, frames, place, word);
        }
    });
}
