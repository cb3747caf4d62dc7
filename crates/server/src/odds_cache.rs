//! The odds of contests that players are about to begin, with a cache of the rounds that were worked out.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::failure::Answered;
use boardwright_model::{ActionId, ContestDeclaration, Fingerprint, Pick, SeatId, State, Value};
use boardwright_protocol::{ChanceReport, EndReport, OddsReport, Reply};
use boardwright_rules::Rules;
use boardwright_rules::odds::{Chance, ContestQuery, Effort, Method, Odds, Rounds, odds_within};

/// How long odds are worked out in fractions.
const COUNTING: Duration = Duration::from_millis(200);
/// How long it may be worked out in decimals after that.
const ROUNDING: Duration = Duration::from_millis(700);
/// How long it may take in all: the match waits for it, and it is part of a request, which ends a little later.
const PATIENCE: Duration = Duration::from_millis(850);
/// The seed of the samples: who asks the same again is told the same.
const SEED: u64 = 1;
const MOST_LETTERS: usize = 400;
/// A smaller error is not told.
const NEGLIGIBLE: f64 = 1e-6;

/// Rounds of contests with all their results, under the rules in force.
#[derive(Debug, Default)]
pub(super) struct OddsCache {
    rules: Option<Fingerprint>,
    rounds: BTreeMap<usize, Rounds>,
}

impl OddsCache {
    /// The odds of the contest that an action begins, judged by what its seat sees.
    pub(super) fn odds(&mut self, rules: &dyn Rules, view: &Arc<State>, seat: SeatId, action: ActionId, picks: &[Pick]) -> Answered {
        let Some(contests) = rules.contests() else {
            return Ok(Reply::Odds { odds: None });
        };
        let begun = contests.contest_of(view, seat, action, picks)?;
        let found = begun.and_then(|(index, sides)| Some((index, view.declarations().contests.get(index)?, sides)));
        let Some((contest, declared, sides)) = found else {
            return Ok(Reply::Odds { odds: None });
        };
        if self.rules != Some(rules.fingerprint()) {
            self.rules = Some(rules.fingerprint());
            self.rounds.clear();
        }
        let rounds = self.rounds.entry(contest).or_default();
        let query = ContestQuery {
            contest,
            sides: &sides,
            rounds: None,
        };
        let begun = Instant::now();
        let mut effort = Effort {
            counts: &mut || begun.elapsed() < COUNTING,
            rounds: &mut || begun.elapsed() < ROUNDING,
            samples: &mut |_| begun.elapsed() < PATIENCE,
        };
        let odds = odds_within(rounds, contests, view, &query, SEED, &mut effort)?;
        Ok(Reply::Odds {
            odds: Some(Box::new(report(declared, &sides, &odds))),
        })
    }
}

fn report(contest: &ContestDeclaration, sides: &[Value], odds: &Odds) -> OddsReport {
    OddsReport {
        contest: Arc::clone(&contest.name),
        sides: sides.to_vec(),
        samples: match odds.method {
            Method::Exact | Method::Rounded => None,
            Method::Sampled(samples) => Some(samples),
        },
        results: odds.results.iter().map(chance).collect(),
        means: means(sides, odds),
        ends: odds
            .ends
            .iter()
            .map(|end| EndReport {
                sides: end.sides.clone(),
                result: end.result,
                chance: chance(&end.chance),
            })
            .collect(),
    }
}

/// The mean of each side that changes; a condition stays what it is.
fn means(sides: &[Value], odds: &Odds) -> Vec<Option<f64>> {
    let mean = |(side, begins): (usize, &Value)| odds.mean(side, None).filter(|_| odds.changes(side, begins));
    sides.iter().enumerate().map(mean).collect()
}

fn chance(chance: &Chance) -> ChanceReport {
    let fraction = chance.exact.as_ref().map(ToString::to_string);
    ChanceReport {
        chance: chance.value,
        fraction: fraction.filter(|fraction| fraction.len() <= MOST_LETTERS),
        error: chance.exact.is_none().then_some(chance.error).filter(|error| *error > NEGLIGIBLE),
    }
}
