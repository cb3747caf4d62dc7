//! The rounds of a contest: what each depends on, and all that it can come to.

use std::collections::BTreeMap;
use std::sync::Arc;

use num_bigint::BigUint;
use num_integer::Integer;

use super::MOST_PLACES;
use super::fraction::ratio;
use crate::{Clash, Contests, DrawError, Enumeration, Generator, Luck, Round, Stand, Transaction};
use boardwright_model::diagnostic::Code;
use boardwright_model::{Rejection, Sides, State, Value};

/// The most results of its draws that a round is run through.
const MOST_RESULTS: usize = 300_000;
/// So many results are run through in any case, so that whether odds are exact does not depend on how busy the machine is.
const RUNS_IN_ANY_CASE: usize = 20_000;
/// So many results are run through between two looks at whether it goes on.
const RUNS_BETWEEN_LOOKS: usize = 256;
/// Of so many rounds that are found by what counts one is compared with what the rules say of all that there is.
const COMPARED_EVERY: u32 = 1_024;

/// All that a round may come to, with how many parts of the whole each is likely.
#[derive(Clone, Debug)]
pub(super) struct Distribution {
    pub(super) ways: Vec<(Clash, BigUint)>,
    pub(super) whole: BigUint,
    /// The chance of each way and those before it.
    below: Vec<f64>,
}

impl Distribution {
    /// Each way with its chance.
    pub(super) fn chances(&self) -> impl Iterator<Item = (&Clash, f64)> {
        let before = std::iter::once(&0.0).chain(&self.below);
        let chances = self.below.iter().zip(before).map(|(below, before)| below - before);
        self.ways.iter().map(|(clash, _)| clash).zip(chances)
    }

    /// One of the ways, as luck has it.
    pub(super) fn sample(&self, generator: &mut Generator) -> Option<&Clash> {
        let drawn = f64::from(generator.below(u32::MAX)) / f64::from(u32::MAX);
        let place = self.below.partition_point(|below| *below <= drawn);
        self.ways.get(place).or(self.ways.last()).map(|(clash, _)| clash)
    }
}

/// Rounds of one contest that were run through all their results, and where the sides stood then.
#[derive(Clone, Debug, Default)]
pub struct Rounds {
    distributions: BTreeMap<Round, Option<Arc<Distribution>>>,
    /// What the next round depends on, by where the sides stand, as far as it counts; `None` where the contest is over.
    of_sides: BTreeMap<Sides, Option<Arc<Round>>>,
    /// How many of them were found without asking the rules, for the comparison now and then.
    taken: u32,
}

impl Rounds {
    /// How many different rounds were met.
    pub fn len(&self) -> usize {
        self.distributions.len()
    }

    /// Whether none was met yet.
    pub fn is_empty(&self) -> bool {
        self.distributions.is_empty()
    }

    /// What the next round depends on, where the sides stand so; `None` when the contest is over.
    pub(super) fn next(
        &mut self,
        contests: &dyn Contests,
        state: &Arc<State>,
        contest: usize,
        sides: &[Value],
    ) -> Result<Option<Arc<Round>>, Rejection> {
        let declared = state.declarations().contests.get(contest);
        let counted = declared.and_then(|declared| declared.counted(sides));
        let key = counted.as_deref().unwrap_or(sides);
        let known = self.of_sides.get(key).cloned();
        self.taken = self.taken.wrapping_add(1);
        let is_compared = counted.is_some() && (known.is_none() || self.taken.is_multiple_of(COMPARED_EVERY));
        let found = match known {
            Some(known) => known,
            None => contests.round(state, contest, key)?.map(Arc::new),
        };
        if is_compared && contests.round(state, contest, sides)?.as_ref() != found.as_deref() {
            let name = declared.map_or("?", |declared| &declared.name);
            let message = format!("a round of the contest {name} depends on more of a number than its `counts_up_to` says");
            return Err(Rejection::at_fault(Code::Contest, message));
        }
        if self.of_sides.len() >= MOST_PLACES {
            self.of_sides.clear();
        }
        if !self.of_sides.contains_key(key) {
            self.of_sides.insert(key.to_vec(), found.clone());
        }
        Ok(found)
    }

    /// What a round may come to; `None` if its draws have too many results, or `goes_on` says no before it has been run through all of them.
    pub(super) fn distribution(
        &mut self,
        contests: &dyn Contests,
        state: &Arc<State>,
        (contest, round): (usize, &Round),
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Arc<Distribution>>, Rejection> {
        if let Some(known) = self.distributions.get(round) {
            return Ok(known.clone());
        }
        let found = match run_through(contests, state, (contest, round), goes_on)? {
            Ran::Through(distribution) => Some(Arc::new(distribution)),
            Ran::TooMany => None,
            Ran::Stopped => return Ok(None),
        };
        self.distributions.insert(round.clone(), found.clone());
        Ok(found)
    }
}

/// How it went to run a round through all results of its draws.
enum Ran {
    Through(Distribution),
    TooMany,
    Stopped,
}

fn run_through(
    contests: &dyn Contests,
    state: &Arc<State>,
    (contest, round): (usize, &Round),
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Ran, Rejection> {
    let mut transaction = Transaction::new(Arc::clone(state), Luck::Forbidden);
    let mark = transaction.mark();
    let mut enumeration = Enumeration::default();
    // Grouped by the denominator of the path, so that large numbers are only added at the end.
    let mut parts: BTreeMap<(Clash, u128), u128> = BTreeMap::new();
    for ran in 0..MOST_RESULTS {
        if ran >= RUNS_IN_ANY_CASE && ran.is_multiple_of(RUNS_BETWEEN_LOOKS) && !goes_on() {
            return Ok(Ran::Stopped);
        }
        transaction.set_luck(Luck::Enumerate(enumeration));
        let clash = contests.clash(&mut transaction, contest, round);
        let has_too_many = matches!(transaction.draw_error(), Some(DrawError::TooManyResults(_)));
        transaction.rollback(mark);
        let Luck::Enumerate(used) = transaction.set_luck(Luck::Forbidden) else {
            return Ok(Ran::TooMany);
        };
        enumeration = used;
        if has_too_many {
            return Ok(Ran::TooMany);
        }
        let clash = clash?;
        let product = enumeration
            .probability()
            .iter()
            .try_fold((1u128, 1u128), |(above, below), (weight, of)| {
                let (above, below) = (above.checked_mul((*weight).into())?, below.checked_mul((*of).into())?);
                let common = above.gcd(&below).max(1);
                Some((above / common, below / common))
            });
        let Some((above, below)) = product else { return Ok(Ran::TooMany) };
        let Some(sum) = parts.get(&(clash.clone(), below)).copied().unwrap_or(0).checked_add(above) else {
            return Ok(Ran::TooMany);
        };
        parts.insert((clash, below), sum);
        if !enumeration.advance() {
            return Ok(Ran::Through(add_up(parts)));
        }
    }
    Ok(Ran::TooMany)
}

fn add_up(parts: BTreeMap<(Clash, u128), u128>) -> Distribution {
    let whole = parts
        .keys()
        .fold(BigUint::from(1u8), |whole, (_, below)| whole.lcm(&BigUint::from(*below)));
    let mut ways: Vec<(Clash, BigUint)> = Vec::new();
    for ((clash, below), above) in parts {
        let share = BigUint::from(above) * (&whole / BigUint::from(below));
        match ways.last_mut().filter(|(last, _)| *last == clash) {
            Some((_, sum)) => *sum += share,
            None => ways.push((clash, share)),
        }
    }
    let mut sum = 0.0;
    let below = ways.iter().map(|(_, part)| {
        sum += ratio(part, &whole);
        sum
    });
    Distribution {
        below: below.collect(),
        ways,
        whole,
    }
}

/// The rounds of one contest on one state: what they depend on, by where the sides stand.
pub(super) struct Course<'a> {
    pub(super) contests: &'a dyn Contests,
    pub(super) state: &'a Arc<State>,
    pub(super) contest: usize,
    pub(super) rounds: &'a mut Rounds,
}

impl<'a> Course<'a> {
    pub(super) fn new(rounds: &'a mut Rounds, contests: &'a dyn Contests, state: &'a Arc<State>, contest: usize) -> Self {
        Self {
            contests,
            state,
            contest,
            rounds,
        }
    }

    /// What the next round depends on; `None` when the contest is over.
    pub(super) fn round(&mut self, stand: &Stand) -> Result<Option<Arc<Round>>, Rejection> {
        if stand.result.is_some() {
            return Ok(None);
        }
        self.rounds.next(self.contests, self.state, self.contest, &stand.sides)
    }

    pub(super) fn distribution(
        &mut self,
        round: &Round,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Arc<Distribution>>, Rejection> {
        self.rounds.distribution(self.contests, self.state, (self.contest, round), goes_on)
    }

    /// What a round may come to, if it was run through before.
    pub(super) fn known_distribution(&self, round: &Round) -> Option<Arc<Distribution>> {
        self.rounds.distributions.get(round)?.clone()
    }

    /// The result that a contest has where it has come to.
    pub(super) fn result(&self, stand: &Stand) -> Result<usize, Rejection> {
        match stand.result {
            Some(result) => Ok(result),
            None => self.contests.result(self.state, self.contest, &stand.sides),
        }
    }
}
