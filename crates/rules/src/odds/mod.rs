//! The odds of a contest, from the rules themselves.
//!
//! One round is run through every result of its draws ([`Luck::Enumerate`](super::Luck)); rounds that depend on the same things are
//! worked out once. Sides that stand equal are one, however they came about, so that a battle of any size is a small graph. Its
//! chances are fractions without error. Where that takes too long, or a contest can come back to where it was, they are
//! decimals, and where a round has too many results the contest
//! is fought many times instead; the answer says so with its error.

mod book;
mod exact;
mod fraction;
mod rounded;
mod rounds;
mod sample;

use std::sync::Arc;

pub use book::{Book, Expected};
pub use fraction::Fraction;
use rounds::Course;
pub use rounds::Rounds;

use super::Contests;
use boardwright_model::diagnostic::Code;
use boardwright_model::{Rejection, Sides, State, Value};

/// How often a contest is fought where its odds cannot be worked out.
pub const SAMPLES: u32 = 20_000;
/// The most places that the sides of a contest may come to.
const MOST_PLACES: usize = 200_000;

/// What is asked about a contest.
#[derive(Clone, Copy, Debug)]
pub struct ContestQuery<'a> {
    /// The index of the contest among those declared.
    pub contest: usize,
    /// What its sides stand at.
    pub sides: &'a [Value],
    /// After how many rounds it is broken off; `None` for one that is fought to its end.
    pub rounds: Option<u32>,
}

/// How odds were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Every result of every draw was counted.
    Exact,
    /// Chances were passed on from round to round as decimals, without what is next to impossible.
    Rounded,
    /// The contest was fought so many times.
    Sampled(u32),
}

/// A chance, with all that is known about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Chance {
    /// The chance itself, from 0 to 1.
    pub value: f64,
    /// The same without error; `None` where it was rounded or sampled.
    pub exact: Option<Fraction>,
    /// How far the true chance may be away: at most so much where it was rounded; where it was sampled, 95 of 100 times it is nearer. 0 where
    /// it is exact.
    pub error: f64,
}

/// One way for a contest to end.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// What the sides stand at.
    pub sides: Sides,
    /// The index of the declared result.
    pub result: usize,
    /// How likely it is.
    pub chance: Chance,
}

/// The odds of a contest.
#[derive(Clone, Debug, PartialEq)]
pub struct Odds {
    /// How they were found.
    pub method: Method,
    /// The chance of each declared result.
    pub results: Vec<Chance>,
    /// Every way to end, in the order of the sides.
    pub ends: Vec<End>,
}

impl Odds {
    /// What a number of the sides is on average, with one result or with any. `None` if that result cannot be or it is no number.
    pub fn mean(&self, parameter: usize, result: Option<usize>) -> Option<f64> {
        let (mut sum, mut weight) = (0.0, 0.0);
        for end in self.ends.iter().filter(|end| result.is_none_or(|result| result == end.result)) {
            sum += end.chance.value * end.sides.get(parameter)?.as_integer()? as f64;
            weight += end.chance.value;
        }
        (weight > 0.0).then(|| sum / weight)
    }

    /// Whether a parameter may end at something else than it begins with. One that may not is a condition, such as the ground.
    pub fn changes(&self, parameter: usize, begins: &Value) -> bool {
        self.ends.iter().any(|end| end.sides.get(parameter) != Some(begins))
    }
}

/// How many results a contest has.
fn result_count(state: &State, contest: usize) -> usize {
    let contests = &state.declarations().contests;
    contests.get(contest).map_or(0, |contest| contest.results.len())
}

/// Works the odds of a contest out, as fractions if that is possible; else fights it with luck from the seed.
///
/// # Errors
/// If there is no such contest, it never ends, or the rules are at fault.
pub fn odds(contests: &dyn Contests, state: &Arc<State>, query: &ContestQuery<'_>, seed: u64) -> Result<Odds, Rejection> {
    let mut effort = Effort {
        counts: &mut || true,
        rounds: &mut || true,
        samples: &mut |_| true,
    };
    odds_within(&mut Rounds::default(), contests, state, query, seed, &mut effort)
}

/// How much may be done for an answer that somebody waits for.
pub struct Effort<'a> {
    /// Asked again and again while chances are worked out as fractions; when it says no, they are worked out as decimals.
    pub counts: &'a mut dyn FnMut() -> bool,
    /// Asked again and again meanwhile; when it says no, the contest is fought many times instead.
    pub rounds: &'a mut dyn FnMut() -> bool,
    /// Whether it is fought once more, after so many times; it is fought [`SAMPLES`] times at most, and once in any case.
    pub samples: &'a mut dyn FnMut(u32) -> bool,
}

impl std::fmt::Debug for Effort<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Effort")
    }
}

/// The same with bounds on what is done for it, and with the rounds that were met before in the same contest under the same rules: only
/// new ones are run through.
///
/// # Errors
/// As [`odds`].
pub fn odds_within(
    rounds: &mut Rounds,
    contests: &dyn Contests,
    state: &Arc<State>,
    query: &ContestQuery<'_>,
    seed: u64,
    effort: &mut Effort<'_>,
) -> Result<Odds, Rejection> {
    let contest = state.declarations().contests.get(query.contest);
    let contest = contest.ok_or_else(|| Rejection::at_fault(Code::NoSuchThing, "there is no such contest"))?;
    if contest.parameters.len() != query.sides.len() {
        let message = format!("the contest {} has {} sides", contest.name, contest.parameters.len());
        return Err(Rejection::at_fault(Code::Contest, message));
    }
    let mut course = Course::new(rounds, contests, state, query.contest);
    if let Some(found) = exact::odds(&mut course, query, effort.counts)? {
        return Ok(found);
    }
    match rounded::odds(&mut course, query, effort.rounds)? {
        Some(found) => Ok(found),
        None => sample::odds(&mut course, query, seed, effort.samples),
    }
}
