//! Odds as decimals, where fractions would take too long: chances are passed on from round to round, and what is next to impossible is left
//! out.

use std::collections::BTreeMap;

use super::rounds::Course;
use super::{Chance, ContestQuery, End, Method, Odds, result_count};
use crate::Stand;
use boardwright_model::Rejection;

/// Places less likely than this are left out. All that are left out together bound the error.
const LEAST: f64 = 1e-11;
/// After so many rounds a contest that is not over is fought many times instead.
const MOST_ROUNDS: u32 = 100_000;
/// So many places are gone through between two looks at whether it goes on.
const PLACES_BETWEEN_LOOKS: usize = 256;

/// The odds of a contest; `None` if a round has too many results, the contest is too long, or `goes_on` says no.
pub(super) fn odds(
    course: &mut Course<'_>,
    query: &ContestQuery<'_>,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Option<Odds>, Rejection> {
    let mut now = BTreeMap::from([(Stand::new(query.sides), 1.0)]);
    let mut ends: BTreeMap<Stand, f64> = BTreeMap::new();
    let mut left_out = 0.0;
    let mut seen = 0usize;
    for fought in 0..=query.rounds.unwrap_or(MOST_ROUNDS) {
        let mut later: BTreeMap<Stand, f64> = BTreeMap::new();
        for (stand, held) in now {
            seen += 1;
            if seen.is_multiple_of(PLACES_BETWEEN_LOOKS) && !goes_on() {
                return Ok(None);
            }
            if held < LEAST {
                left_out += held;
                continue;
            }
            let round = if query.rounds == Some(fought) {
                None
            } else {
                course.round(&stand)?
            };
            let Some(round) = round else {
                *ends.entry(stand).or_default() += held;
                continue;
            };
            let Some(distribution) = course.distribution(&round, goes_on)? else {
                return Ok(None);
            };
            for (clash, chance) in distribution.chances() {
                *later.entry(stand.after(clash)?).or_default() += held * chance;
            }
        }
        now = later;
        if now.is_empty() {
            return finish(course, query, ends, left_out).map(Some);
        }
    }
    Ok(None)
}

fn finish(course: &Course<'_>, query: &ContestQuery<'_>, ends: BTreeMap<Stand, f64>, left_out: f64) -> Result<Odds, Rejection> {
    let chance = |value: f64| Chance {
        value,
        exact: None,
        error: left_out,
    };
    let mut sums = vec![0.0; result_count(course.state, query.contest)];
    let mut found = Vec::with_capacity(ends.len());
    for (stand, held) in ends {
        let result = course.result(&stand)?;
        if let Some(sum) = sums.get_mut(result) {
            *sum += held;
        }
        found.push(End {
            sides: stand.sides,
            result,
            chance: chance(held),
        });
    }
    Ok(Odds {
        method: Method::Rounded,
        results: sums.into_iter().map(chance).collect(),
        ends: found,
    })
}
