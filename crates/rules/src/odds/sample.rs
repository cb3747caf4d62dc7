//! Odds by fighting a contest many times.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::rounds::Course;
use super::{Chance, ContestQuery, End, Method, Odds, SAMPLES, result_count};
use crate::{Clash, Generator, Luck, Stand, Transaction};
use boardwright_model::Rejection;
use boardwright_model::diagnostic::Code;

const MOST_ROUNDS: u32 = 100_000;
/// So many standard errors hold the true chance 95 of 100 times.
const WIDTH: f64 = 1.959_964;

/// Fights a contest many times, as long as it goes on, with luck from a seed.
pub(super) fn odds(
    course: &mut Course<'_>,
    query: &ContestQuery<'_>,
    seed: u64,
    goes_on: &mut dyn FnMut(u32) -> bool,
) -> Result<Odds, Rejection> {
    let mut generator = Generator::new(seed);
    let mut transaction = Transaction::new(Arc::clone(course.state), Luck::Forbidden);
    let mut counts: BTreeMap<Stand, u32> = BTreeMap::new();
    let mut fought = 0;
    while fought == 0 || (fought < SAMPLES && goes_on(fought)) {
        let end = fight(course, &mut transaction, &mut generator, query)?;
        *counts.entry(end).or_default() += 1;
        fought += 1;
    }
    let chance = |count: u32| chance(count, fought);
    let mut sums = vec![0u32; result_count(course.state, query.contest)];
    let mut ends = Vec::with_capacity(counts.len());
    for (end, count) in counts {
        let result = course.result(&end)?;
        if let Some(sum) = sums.get_mut(result) {
            *sum += count;
        }
        ends.push(End {
            sides: end.sides,
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

/// Fights once. A round whose results were all run through before is drawn from them, without asking the rules.
fn fight(
    course: &mut Course<'_>,
    transaction: &mut Transaction,
    generator: &mut Generator,
    query: &ContestQuery<'_>,
) -> Result<Stand, Rejection> {
    let mut stand = Stand::new(query.sides);
    for _ in 0..query.rounds.unwrap_or(MOST_ROUNDS).min(MOST_ROUNDS) {
        let Some(round) = course.round(&stand)? else {
            return Ok(stand);
        };
        stand = if let Some(distribution) = course.known_distribution(&round) {
            stand.after(distribution.sample(generator).unwrap_or(&Clash::default()))?
        } else {
            let mark = transaction.mark();
            transaction.set_luck(Luck::Roll(generator.clone()));
            let clash = course.contests.clash(transaction, query.contest, &round);
            if let Luck::Roll(left) = transaction.set_luck(Luck::Forbidden) {
                *generator = left;
            }
            transaction.rollback(mark);
            stand.after(&clash?)?
        };
    }
    if query.rounds.is_some() || course.round(&stand)?.is_none() {
        return Ok(stand);
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
