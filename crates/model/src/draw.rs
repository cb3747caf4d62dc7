//! Random results, as asked for and as drawn.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

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

/// A random result with its purpose, as recorded in the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draw {
    /// What was drawn.
    pub kind: DrawKind,
    /// What for, in words for players: "assault on D4".
    pub purpose: Arc<str>,
    /// The result, as its kind says.
    pub result: Arc<[u32]>,
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
    /// Whether a result could have come from this draw. Used where results are read back from files or set by hand.
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
}
