//! What clients are told of a strategy that they debug.

use serde::{Deserialize, Serialize};

use crate::{PauseCause, StackFrame, ThoughtLine, Variable, WatchResult};
use boardwright_model::SeatId;

/// Where a strategy has paused, and its variables there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PauseReport {
    /// The seat it decides for.
    pub seat: SeatId,
    /// The player.
    pub player: String,
    /// Why it has paused.
    pub cause: PauseCause,
    /// The file.
    pub file: String,
    /// The line that comes next, from 1.
    pub line: u32,
    /// At a break point: how often strategies have paused there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hits: Option<u64>,
    /// At a break point: why its condition could not be evaluated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The text of the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_line: Option<String>,
    /// The call stack, the innermost call first.
    pub stack: Vec<StackFrame>,
    /// The variables of the innermost call, the newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<Variable>,
    /// The watch expressions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub watches: Vec<WatchResult>,
    /// Its messages so far, then the actions it has evaluated so far, each in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thoughts: Vec<ThoughtLine>,
    /// The action it is evaluating, in the notation of the ruleset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluated: Option<String>,
    /// The action it has chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<String>,
}
