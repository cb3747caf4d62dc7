//! The declared ways in which a match ends.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::PropertyId;

/// One declared way in which a match ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// When it applies.
    pub condition: EndingCondition,
    /// What it brings.
    pub result: EndingResult,
    /// The number of the rule.
    pub rule: Arc<str>,
    /// The reason shown to players.
    pub reason: Arc<str>,
}

/// When a declared ending applies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields are named after what they hold")]
pub enum EndingCondition {
    /// A seat has no piece in play. That seat is the one concerned.
    NoPieces,
    /// The seat to act has no legal action. That seat is the one concerned.
    NoActions,
    /// No seat can do anything in any turn. Only where idle seats are passed over.
    NobodyCanAct,
    /// The present position stands for the given time.
    Repetition {
        /// How many times, at least 2.
        times: u32,
    },
    /// A whole-number property of the match has reached a limit: a number, or the value of an option.
    Reached { property: PropertyId, limit: Limit },
}

/// A number, written down or taken from an option of the match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// The number itself.
    Number(i64),
    /// The index of an option with a whole number.
    Option(usize),
}

/// What a declared ending brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndingResult {
    /// The seat concerned loses, the others win.
    Loses,
    /// The seat concerned wins.
    Wins,
    /// All seats are level.
    Draw,
    /// The rules count the points of every seat. Seats that are out of the match come after all others.
    Ranking,
}
