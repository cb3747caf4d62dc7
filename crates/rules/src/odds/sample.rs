//! Odds by fighting a contest many times.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Chance, End, Method, Odds, Question, SAMPLES, result_count};
use crate::{Contests, Generator, Luck, Transaction, after};
use boardwright_model::diagnostic::Code;
use boardwright_model::{Rejection, Sides, State};

const MOST_ROUNDS: u32 = 100_000;
/// So many standard errors hold the true chance 95 of 100 times.
const WIDTH: f64 = 1.959_964;

/// Fights a contest many times, as long as it goes on, with luck from a seed.
pub(super) fn odds(
    contests: &dyn Contests,
    state: &Arc<State>,
    question: &Question<'_>,
    seed: u64,
    goes_on: &mut dyn FnMut(u32) -> bool,
) -> Result<Odds, Rejection> {
    let mut transaction = Transaction::new(Arc::clone(state), Luck::Roll(Generator::new(seed)));
    let mut counts: BTreeMap<Sides, u32> = BTreeMap::new();
    let mut fought = 0;
    while fought == 0 || (fought < SAMPLES && goes_on(fought)) {
        let end = fight(contests, &mut transaction, state, question)?;
        *counts.entry(end).or_default() += 1;
        fought += 1;
    }
    let chance = |count: u32| chance(count, fought);
    let mut sums = vec![0u32; result_count(state, question.contest)];
    let mut ends = Vec::with_capacity(counts.len());
    for (sides, count) in counts {
        let result = contests.result(state, question.contest, &sides)?;
        if let Some(sum) = sums.get_mut(result) {
            *sum += count;
        }
        ends.push(End {
            sides,
            result,
            chance: chance(count),
        });
    }
    Ok(Odds {
        method: Method::Sampled(fought),
        results: sums.into_iter().map(chance).collect(),
        ends,
    })
}

fn fight(contests: &dyn Contests, transaction: &mut Transaction, state: &Arc<State>, question: &Question<'_>) -> Result<Sides, Rejection> {
    let mut sides = question.sides.to_vec();
    for _ in 0..question.rounds.unwrap_or(MOST_ROUNDS).min(MOST_ROUNDS) {
        let Some(round) = contests.round(state, question.contest, &sides)? else {
            return Ok(sides);
        };
        let mark = transaction.mark();
        let changes = contests.clash(transaction, question.contest, &round);
        transaction.rollback(mark);
        sides = after(&sides, &changes?)?;
    }
    if question.rounds.is_some() || contests.round(state, question.contest, &sides)?.is_none() {
        return Ok(sides);
    }
    let message = format!("the contest is not over after {MOST_ROUNDS} rounds");
    Err(Rejection::at_fault(Code::Contest, message))
}

/// The chance behind a count, with Wilson's half width: it is not 0 where nothing was seen.
fn chance(count: u32, fought: u32) -> Chance {
    let (samples, value) = (f64::from(fought), f64::from(count) / f64::from(fought));
    let square = WIDTH * WIDTH;
    let spread = value * (1.0 - value) / samples + square / (4.0 * samples * samples);
    Chance {
        value,
        exact: None,
        error: WIDTH * spread.sqrt() / (1.0 + square / samples),
    }
}
