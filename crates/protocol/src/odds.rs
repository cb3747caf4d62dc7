//! The odds of a contest as clients are sent them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use boardwright_model::Value;

/// The odds of a contest, of all ways in which it can end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OddsReport {
    /// The declared name of the contest.
    pub contest: Arc<str>,
    /// What its sides stand at, in the order of their declaration.
    pub sides: Vec<Value>,
    /// The number of samples; none if the odds are exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<u32>,
    /// The chance of each declared result.
    pub results: Vec<ChanceReport>,
    /// The mean of each side in the end; none for what is no number or never changes.
    pub means: Vec<Option<f64>>,
    /// Every way to end, in the order of the sides.
    pub ends: Vec<EndReport>,
}

/// A probability, with how exact it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChanceReport {
    /// The probability, from 0 to 1.
    pub chance: f64,
    /// The exact probability, as a fraction in lowest terms; left out if it is not known or has more than 400 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fraction: Option<String>,
    /// Half the width of the 95 % confidence interval; left out if the probability is exact, or as good as that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
}

/// One way for a contest to end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EndReport {
    /// What the sides stand at.
    pub sides: Vec<Value>,
    /// The index of the declared result.
    pub result: usize,
    /// How likely it is.
    #[serde(flatten)]
    pub chance: ChanceReport,
}
