//! The debugger of a strategy, asked on the thread on which the strategy runs.

use std::fmt;
use std::sync::Arc;

use boardwright_model::{BreakPoint, PauseCause, StackFrame, Variable, WatchResult};

use super::Remark;

/// Where a strategy is paused, and what is to be seen there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pause {
    /// Why.
    pub cause: PauseCause,
    /// The call stack, the innermost call first: its line is the one that comes next.
    pub stack: Vec<StackFrame>,
    /// The text of that line.
    pub source_line: Option<String>,
    /// The variables of the innermost call, the newest first.
    pub variables: Vec<Variable>,
    /// The expressions that are watched.
    pub watches: Vec<WatchResult>,
    /// What the strategy has said so far about its thoughts.
    pub remarks: Vec<Remark>,
    /// At a break point: how often strategies have paused there.
    pub hits: Option<u64>,
    /// At a break point: why its condition could not be evaluated.
    pub problem: Option<String>,
}

/// What a strategy may have to pause for before a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PauseReasons {
    /// The break points there.
    pub points: Vec<BreakPoint>,
    /// What it pauses for besides.
    pub cause: Option<PauseCause>,
}

/// What a paused strategy is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resume {
    /// Go on.
    Go,
    /// Pause again: other expressions are watched.
    Look,
    /// End without a decision.
    End,
}

/// The debugger attached to a strategy while it decides. Called on the thread on which it runs.
pub trait StrategyDebugger: fmt::Debug + Send + Sync {
    /// Whether the strategy is to end without a decision. Asked at every step, so it has to be quick.
    fn is_over(&self) -> bool;

    /// What it pauses for before a line, at a depth of the call stack.
    fn pauses_at(&self, file: &str, line: u32, depth: usize) -> PauseReasons;

    /// Counts a pause at a break point; gives the count.
    fn hits(&self, point: &BreakPoint) -> u64;

    /// The watched expressions.
    fn watches(&self) -> Vec<Arc<str>>;

    /// Pauses until it is told how to resume.
    fn pause(&self, pause: Pause) -> Resume;
}
