//! The declared ways in which a match ends.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{KindId, PropertyId, SeatId};

/// One declared way in which a match ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// When it applies.
    pub condition: EndingCondition,
    /// The only seat that it can concern, if the condition is about seats; nothing for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<SeatId>,
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
    /// A seat has no piece in play, of a kind or of any. That seat is the one concerned.
    NoPieces { kind: Option<KindId> },
    /// So many cells in a line have pieces of a seat. That seat is the one concerned.
    Row {
        /// How many, at least 2.
        length: u16,
    },
    /// A piece of a seat, of a kind or of any, stands in a region. That seat is the one concerned.
    Enters { region: Arc<str>, kind: Option<KindId> },
    /// All cells of a region have pieces of a seat. That seat is the one concerned.
    Fills { region: Arc<str> },
    /// Pieces of a seat on neighbouring cells lead from a region to all the others. That seat is the one concerned.
    Connects {
        /// At least two.
        regions: Vec<Arc<str>>,
    },
    /// Every cell has a piece.
    Full,
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

impl EndingCondition {
    /// Whether it is about one seat at a time.
    pub fn is_of_seat(&self) -> bool {
        match self {
            Self::NoPieces { .. }
            | Self::NoActions
            | Self::Row { .. }
            | Self::Enters { .. }
            | Self::Fills { .. }
            | Self::Connects { .. } => true,
            Self::Full | Self::NobodyCanAct | Self::Repetition { .. } | Self::Reached { .. } => false,
        }
    }

    /// The regions that the board has to have for it.
    pub fn regions(&self) -> &[Arc<str>] {
        match self {
            Self::Enters { region, .. } | Self::Fills { region } => std::slice::from_ref(region),
            Self::Connects { regions } => regions,
            _ => &[],
        }
    }
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
