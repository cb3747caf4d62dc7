//! The odds of contests that players are about to begin, with a cache of the rounds that were worked out.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::failure::Answered;
use boardwright_model::{ActionId, ContestDeclaration, Fingerprint, Pick, SeatId, State, Value};
use boardwright_protocol::{ChanceReport, EndReport, OddsReport, Reply};
use boardwright_rules::Rules;
use boardwright_rules::odds::{Chance, Effort, Method, Odds, Question, Rounds, odds_within};

/// The most places of a contest whose odds are worked out exactly while the match waits; beyond that it is sampled.
const MOST_PLACES: usize = 20_000;
/// How long it is sampled: the match waits for it.
const PATIENCE: Duration = Duration::from_millis(250);
/// The seed of the samples: who asks the same again is told the same.
const SEED: u64 = 1;
const MOST_LETTERS: usize = 400;

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
        let question = Question {
            contest,
            sides: &sides,
            rounds: None,
        };
        let begun = Instant::now();
        let mut effort = Effort {
            places: MOST_PLACES,
            goes_on: &mut |_| begun.elapsed() < PATIENCE,
        };
        let odds = odds_within(rounds, contests, view, &question, SEED, &mut effort)?;
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
            Method::Exact => None,
            Method::Sampled(samples) => Some(samples),
        },
        results: odds.results.iter().map(chance).collect(),
        means: (0..sides.len()).map(|side| odds.mean(side, None)).collect(),
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

fn chance(chance: &Chance) -> ChanceReport {
    let fraction = chance.exact.as_ref().map(ToString::to_string);
    ChanceReport {
        chance: chance.value,
        fraction: fraction.filter(|fraction| fraction.len() <= MOST_LETTERS),
        error: chance.exact.is_none().then_some(chance.error),
    }
}
