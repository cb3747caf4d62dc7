//! The odds of a contest as the host tells them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::model::{ContestDeclaration, Value};
use crate::rules::odds::{Chance, Method, Odds};

/// The odds of a contest, of all ways in which it can end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OddsReport {
    /// The declared name of the contest.
    pub contest: Arc<str>,
    /// What its sides stand at, in the order of their declaration.
    pub sides: Vec<Value>,
    /// How often it was fought to find them; none if every result of luck was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<u32>,
    /// The chance of each declared result.
    pub results: Vec<ChanceReport>,
    /// What each side stands at on average in the end; nothing for what is no number.
    pub means: Vec<Option<f64>>,
    /// Every way to end, in the order of the sides.
    pub ends: Vec<EndReport>,
}

/// A chance, with all that is known about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChanceReport {
    /// The chance, from 0 to 1.
    pub chance: f64,
    /// The same without error, as a fraction in lowest terms; left out where it was sampled or has very many digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fraction: Option<String>,
    /// How far the true chance may well be away (95 of 100 times it is nearer); left out where it is exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
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

/// The most letters of a fraction that is told.
const MOST_LETTERS: usize = 400;

impl From<&Chance> for ChanceReport {
    fn from(chance: &Chance) -> Self {
        let fraction = chance.exact.as_ref().map(ToString::to_string);
        Self {
            chance: chance.value,
            fraction: fraction.filter(|fraction| fraction.len() <= MOST_LETTERS),
            error: chance.exact.is_none().then_some(chance.error),
        }
    }
}

impl OddsReport {
    /// Tells odds that were found.
    pub fn new(contest: &ContestDeclaration, sides: &[Value], odds: &Odds) -> Self {
        Self {
            contest: Arc::clone(&contest.name),
            sides: sides.to_vec(),
            samples: match odds.method {
                Method::Exact => None,
                Method::Sampled(samples) => Some(samples),
            },
            results: odds.results.iter().map(ChanceReport::from).collect(),
            means: (0..sides.len()).map(|side| odds.mean(side, None)).collect(),
            ends: odds
                .ends
                .iter()
                .map(|end| EndReport {
                    sides: end.sides.clone(),
                    result: end.result,
                    chance: ChanceReport::from(&end.chance),
                })
                .collect(),
        }
    }
}
