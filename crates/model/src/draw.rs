//! Random results, as asked for and as drawn.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::SeatId;

/// What is drawn: the question a rule puts to luck.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawKind {
    /// Some dice of one sort. The result is the face of each die, 1 to `sides`.
    Dice {
        /// How many dice, 1 to 1,000.
        count: u16,
        /// How many sides each has, 1 to 1,000,000.
        sides: u32,
    },
    /// An order of `count` things. The result is a permutation of 0 to `count` - 1.
    Shuffle {
        /// How many things are put into an order.
        count: u32,
    },
    /// One of some things with whole-number weights. The result is one index.
    Choose {
        /// The weight of each; at least one is above zero.
        weights: Arc<[u32]>,
    },
}

/// The most dice that are rolled at once.
const MOST_DICE: u16 = 1_000;
/// The most sides of a die.
const MOST_SIDES: u32 = 1_000_000;
/// The most things that are shuffled, or among which one is chosen.
const MOST_THINGS: usize = 100_000;

/// A random result with its purpose, as recorded in the journal. One that is read always fits its question, so that it can be passed over at
/// little cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RecordedDraw")]
pub struct Draw {
    /// What was drawn.
    pub kind: DrawKind,
    /// What for, in words for players: "assault on D4".
    pub purpose: Arc<str>,
    /// The result, as its kind says.
    pub result: Arc<[u32]>,
    /// The seat whose turn had begun when it was drawn, where that is a later turn than the one of the action it was recorded with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_turn: Option<SeatId>,
}

/// A draw as it is written, before it is known to make sense.
#[derive(Deserialize)]
struct RecordedDraw {
    kind: DrawKind,
    purpose: Arc<str>,
    result: Arc<[u32]>,
    #[serde(default)]
    next_turn: Option<SeatId>,
}

impl TryFrom<RecordedDraw> for Draw {
    type Error = String;

    fn try_from(recorded: RecordedDraw) -> Result<Self, String> {
        let RecordedDraw {
            kind,
            purpose,
            result,
            next_turn,
        } = recorded;
        if !kind.is_possible() {
            Err(format!("{kind} cannot be drawn"))
        } else if !kind.allows(&result) {
            Err(format!("{kind} has no such result"))
        } else {
            Ok(Self {
                kind,
                purpose,
                result,
                next_turn,
            })
        }
    }
}

impl fmt::Display for DrawKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dice { count, sides } => write!(f, "{count}d{sides}"),
            Self::Shuffle { count } => write!(f, "an order of {count} things"),
            Self::Choose { weights } => write!(f, "one of {} things", weights.len()),
        }
    }
}

impl DrawKind {
    /// Whether this can be drawn at all: its numbers are within their bounds.
    pub fn is_possible(&self) -> bool {
        match self {
            Self::Dice { count, sides } => (1..=MOST_DICE).contains(count) && (1..=MOST_SIDES).contains(sides),
            Self::Shuffle { count } => *count as usize <= MOST_THINGS,
            Self::Choose { weights } => {
                let total = weights.iter().try_fold(0u32, |sum, weight| sum.checked_add(*weight));
                weights.len() <= MOST_THINGS && total.is_some_and(|total| total > 0)
            }
        }
    }

    /// The bytes that a result takes.
    pub fn result_bytes(&self) -> usize {
        let numbers = match self {
            Self::Dice { count, .. } => usize::from(*count),
            Self::Shuffle { count } => *count as usize,
            Self::Choose { weights } => 1 + weights.len(),
        };
        numbers * size_of::<u32>()
    }

    /// Whether a result could have come from this draw. Used where results are read back from files or set by an edit.
    pub fn allows(&self, result: &[u32]) -> bool {
        match self {
            Self::Dice { count, sides } => result.len() == usize::from(*count) && result.iter().all(|face| (1..=*sides).contains(face)),
            Self::Shuffle { count } => {
                let mut sorted = result.to_vec();
                sorted.sort_unstable();
                sorted.iter().copied().eq(0..*count)
            }
            Self::Choose { weights } => match result {
                [index] => weights.get(*index as usize).is_some_and(|weight| *weight > 0),
                _ => false,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_must_fit_its_question() {
        let dice = DrawKind::Dice { count: 2, sides: 6 };
        assert!(dice.allows(&[1, 6]));
        assert!(!dice.allows(&[0, 6]) && !dice.allows(&[7, 1]) && !dice.allows(&[3]));
        let shuffle = DrawKind::Shuffle { count: 3 };
        assert!(shuffle.allows(&[2, 0, 1]));
        assert!(!shuffle.allows(&[2, 2, 1]));
        let choose = DrawKind::Choose {
            weights: Arc::from([1, 0, 2]),
        };
        assert!(choose.allows(&[2]) && !choose.allows(&[1]) && !choose.allows(&[3]));
    }

    #[test]
    fn only_draws_that_make_sense_are_read() {
        let read = |kind: &str, result: &str| {
            let text = format!(r#"{{"kind":{kind},"purpose":"x","result":{result}}}"#);
            serde_json::from_str::<Draw>(&text).map_err(|error| error.to_string())
        };
        assert!(read(r#"{"dice":{"count":2,"sides":6}}"#, "[1,6]").is_ok());
        for (kind, result, expected) in [
            (
                r#"{"shuffle":{"count":4294967295}}"#,
                "[0]",
                "an order of 4294967295 things cannot be drawn",
            ),
            (
                r#"{"dice":{"count":65535,"sides":4294967295}}"#,
                "[0]",
                "65535d4294967295 cannot be drawn",
            ),
            (r#"{"dice":{"count":1,"sides":0}}"#, "[0]", "1d0 cannot be drawn"),
            (r#"{"choose":{"weights":[]}}"#, "[0]", "one of 0 things cannot be drawn"),
            (r#"{"dice":{"count":1,"sides":6}}"#, "[7]", "1d6 has no such result"),
        ] {
            let error = read(kind, result).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
