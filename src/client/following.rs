//! What clients are told of a strategy that they follow line by line.

use serde::{Deserialize, Serialize};

use super::messages::{Call, HaltCause, ThoughtLine, Variable, Watched};
use crate::model::SeatId;

/// Where a strategy has halted, and what is to be seen there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HaltReport {
    /// The seat it decides for.
    pub seat: SeatId,
    /// The player.
    pub player: String,
    /// Why it has halted.
    pub cause: HaltCause,
    /// The file.
    pub file: String,
    /// The line that comes next, from 1.
    pub line: u32,
    /// At a break point: how often strategies have halted there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hits: Option<u64>,
    /// At a break point: why its condition could not be worked out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The text of the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_line: Option<String>,
    /// The calls that have not come back, the innermost first.
    pub stack: Vec<Call>,
    /// The variables of the innermost call, the newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<Variable>,
    /// The expressions that are watched.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub watches: Vec<Watched>,
    /// What it has said so far, and the actions it has weighed so far, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thoughts: Vec<ThoughtLine>,
    /// The action it is weighing, in the notation of the ruleset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub considered: Option<String>,
    /// The action it has chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen: Option<String>,
}
