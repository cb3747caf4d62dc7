//! Odds without error: every place the sides can come to, with its chance as a fraction.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use num_integer::Integer;

use super::fraction::{Fraction, ratio};
use super::rounds::{Course, Distribution};
use super::{Chance, ContestQuery, End, Method, Odds, result_count};
use crate::Stand;
use boardwright_model::Rejection;
use boardwright_model::diagnostic::{Code, Diagnostic};

/// With more places than this their fractions have so many digits that nobody waits for them: a contest of 200 against 200 has that many.
const MOST_EXACT_PLACES: usize = 40_000;

/// Where the sides can go from one place: the places, with the parts of the whole.
struct Step {
    to: Vec<(usize, BigUint)>,
    whole: BigUint,
}

#[derive(Default)]
pub(super) struct Graph {
    places: Vec<Stand>,
    index: BTreeMap<Stand, usize>,
    /// By place; `None` where the contest is over.
    steps: Vec<Option<Step>>,
}

impl Graph {
    /// Every place that can be reached; `None` if there are too many, a round has too many results, or it takes too long.
    fn of(course: &mut Course<'_>, query: &ContestQuery<'_>, goes_on: &mut dyn FnMut() -> bool) -> Result<Option<Self>, Rejection> {
        let mut graph = Self::default();
        graph.place(Stand::new(query.sides));
        let mut next = 0;
        while let Some(place) = graph.places.get(next).cloned() {
            let step = match course.round(&place)? {
                None => None,
                Some(round) => match course.distribution(&round, goes_on)? {
                    Some(distribution) => Some(graph.step(&place, &distribution)?),
                    None => return Ok(None),
                },
            };
            graph.steps.push(step);
            next += 1;
            if graph.places.len() > MOST_EXACT_PLACES || is_over(next, goes_on) {
                return Ok(None);
            }
        }
        Ok(Some(graph))
    }

    fn place(&mut self, stand: Stand) -> usize {
        let next = self.places.len();
        let index = *self.index.entry(stand.clone()).or_insert(next);
        if index == next {
            self.places.push(stand);
        }
        index
    }

    fn step(&mut self, place: &Stand, distribution: &Distribution) -> Result<Step, Diagnostic> {
        let mut to = Vec::with_capacity(distribution.ways.len());
        for (clash, part) in &distribution.ways {
            to.push((self.place(place.after(clash)?), part.clone()));
        }
        Ok(Step {
            to,
            whole: distribution.whole.clone(),
        })
    }

    /// The places in an order in which every step leads on; `None` if some lead round in a ring. Steps that stay where they are do
    /// not count: they are only waited for.
    fn order(&self) -> Option<Vec<usize>> {
        let mut waiting = vec![0usize; self.places.len()];
        let resume = |place: usize| {
            let step = self.steps.get(place).and_then(Option::as_ref);
            let to = step.map_or(&[][..], |step| &step.to);
            to.iter().map(|(next, _)| *next).filter(move |next| *next != place)
        };
        for place in 0..self.places.len() {
            for next in resume(place) {
                *waiting.get_mut(next)? += 1;
            }
        }
        let mut ready: Vec<usize> = (0..self.places.len()).filter(|place| waiting.get(*place) == Some(&0)).collect();
        let mut order = Vec::with_capacity(self.places.len());
        while let Some(place) = ready.pop() {
            order.push(place);
            for next in resume(place) {
                let left = waiting.get_mut(next)?;
                *left -= 1;
                if *left == 0 {
                    ready.push(next);
                }
            }
        }
        (order.len() == self.places.len()).then_some(order)
    }
}

/// Chances as whole numbers of parts: a part is one over a power of a common base, the same for all steps of a contest.
struct Parts {
    base: BigUint,
    /// By place: the number of parts, and the power.
    held: Vec<(BigUint, u32)>,
}

impl Parts {
    fn new(places: usize, base: BigUint) -> Self {
        let mut held = vec![(BigUint::ZERO, 0); places];
        if let Some(first) = held.first_mut() {
            first.0 = BigUint::from(1u8);
        }
        Self { base, held }
    }

    fn add(&mut self, place: usize, (parts, power): (BigUint, u32)) {
        let base = self.base.clone();
        let Some((sum, own)) = self.held.get_mut(place) else { return };
        if *sum == BigUint::ZERO {
            (*sum, *own) = (parts, power);
        } else if *own >= power {
            *sum += parts * base.pow(*own - power);
        } else {
            *sum = std::mem::take(sum) * base.pow(power - *own) + parts;
            *own = power;
        }
    }

    fn take(&mut self, place: usize) -> (BigUint, u32) {
        self.held.get_mut(place).map_or((BigUint::ZERO, 0), std::mem::take)
    }
}

/// So many places are gone through in any case, so that whether odds are exact does not depend on how busy the machine is.
const PLACES_IN_ANY_CASE: usize = 4_096;

/// Whether time is up, looked at now and then.
fn is_over(step: usize, goes_on: &mut dyn FnMut() -> bool) -> bool {
    step >= PLACES_IN_ANY_CASE && step.is_multiple_of(64) && !goes_on()
}

/// The odds as fractions; `None` where they cannot be worked out so, or not as long as it goes on.
pub(super) fn odds(
    course: &mut Course<'_>,
    query: &ContestQuery<'_>,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Option<Odds>, Rejection> {
    let Some(graph) = Graph::of(course, query, goes_on)? else {
        return Ok(None);
    };
    let parts = match query.rounds {
        Some(rounds) => after_rounds(&graph, rounds, goes_on),
        None => match graph.order() {
            Some(order) => to_the_end(&graph, &order, goes_on)?,
            None => None,
        },
    };
    let Some(parts) = parts else { return Ok(None) };
    let mut ends = Vec::new();
    let mut sums = Parts {
        base: parts.base.clone(),
        held: vec![(BigUint::ZERO, 0); result_count(course.state, query.contest)],
    };
    for (place, held) in graph.places.iter().zip(parts.held) {
        if held.0 == BigUint::ZERO {
            continue;
        }
        let result = course.result(place)?;
        sums.add(result, held.clone());
        ends.push(End {
            sides: place.sides.clone(),
            result,
            chance: chance(held, &parts.base),
        });
        if is_over(ends.len(), goes_on) {
            return Ok(None);
        }
    }
    ends.sort_by(|a, b| (&a.sides, a.result).cmp(&(&b.sides, b.result)));
    let results = sums.held.into_iter().map(|held| chance(held, &parts.base)).collect();
    Ok(Some(Odds {
        method: Method::Exact,
        results,
        ends,
    }))
}

fn chance((parts, power): (BigUint, u32), base: &BigUint) -> Chance {
    let whole = base.pow(power);
    Chance {
        value: ratio(&parts, &whole),
        exact: Some(Fraction::new(parts, whole)),
        error: 0.0,
    }
}

fn base_of<'a>(wholes: impl Iterator<Item = &'a BigUint>) -> BigUint {
    wholes.fold(BigUint::from(1u8), |base, whole| base.lcm(whole))
}

/// What is where when the contest is over. A step that changes nothing is made again until something changes.
fn to_the_end(graph: &Graph, order: &[usize], goes_on: &mut dyn FnMut() -> bool) -> Result<Option<Parts>, Rejection> {
    let mut wholes: Vec<BigUint> = Vec::with_capacity(graph.steps.len());
    for (place, step) in graph.steps.iter().enumerate() {
        let Some(step) = step else {
            wholes.push(BigUint::from(1u8));
            continue;
        };
        let stays = step.to.iter().filter(|(next, _)| *next == place).map(|(_, part)| part);
        let moves = &step.whole - stays.sum::<BigUint>();
        if moves == BigUint::ZERO {
            return Err(Rejection::at_fault(
                Code::Contest,
                "the contest never ends: a round changes nothing",
            ));
        }
        wholes.push(moves);
    }
    let mut parts = Parts::new(graph.places.len(), base_of(wholes.iter()));
    for (done, place) in order.iter().enumerate() {
        if is_over(done + 1, goes_on) {
            return Ok(None);
        }
        let (Some(Some(step)), Some(whole)) = (graph.steps.get(*place), wholes.get(*place)) else {
            continue;
        };
        let (held, power) = parts.take(*place);
        if held == BigUint::ZERO {
            continue;
        }
        let scale = &parts.base / whole;
        for (next, part) in step.to.iter().filter(|(next, _)| next != place) {
            parts.add(*next, (&held * part * &scale, power + 1));
        }
    }
    Ok(Some(parts))
}

/// What is where after so many rounds.
fn after_rounds(graph: &Graph, rounds: u32, goes_on: &mut dyn FnMut() -> bool) -> Option<Parts> {
    let wholes = graph.steps.iter().flatten().map(|step| &step.whole);
    let mut parts = Parts::new(graph.places.len(), base_of(wholes));
    let mut passed = 0;
    for _ in 0..rounds {
        let mut later = Parts::new(graph.places.len(), parts.base.clone());
        drop(later.take(0));
        let mut moved = false;
        for place in 0..graph.places.len() {
            passed += 1;
            if is_over(passed, goes_on) {
                return None;
            }
            let (held, power) = parts.take(place);
            if held == BigUint::ZERO {
                continue;
            }
            let Some(Some(step)) = graph.steps.get(place) else {
                later.add(place, (held, power));
                continue;
            };
            moved = true;
            let scale = &parts.base / &step.whole;
            for (next, part) in &step.to {
                later.add(*next, (&held * part * &scale, power + 1));
            }
        }
        parts = later;
        if !moved {
            break;
        }
    }
    Some(parts)
}
