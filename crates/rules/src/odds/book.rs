//! Chances kept for whoever asks often: strategies, and tables of many contests.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::MOST_PLACES;
use super::fraction::ratio;
use super::{Rounds, result_count};
use crate::{Clash, Contests, Round, Stand};
use boardwright_model::diagnostic::Code;
use boardwright_model::{Rejection, State, Value};

/// What may be expected of a contest, as decimals.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// The chance of each declared result.
    pub chances: Vec<f64>,
    /// For each result what each parameter is on average, times the chance of that result; 0 for what is no number.
    sums: Vec<Vec<f64>>,
}

impl Expected {
    fn nothing(results: usize, parameters: usize) -> Self {
        Self {
            chances: vec![0.0; results],
            sums: vec![vec![0.0; parameters]; results],
        }
    }

    fn add(&mut self, other: &Self, share: f64) {
        for (sum, chance) in self.chances.iter_mut().zip(&other.chances) {
            *sum += chance * share;
        }
        for (own, others) in self.sums.iter_mut().zip(&other.sums) {
            for (sum, other) in own.iter_mut().zip(others) {
                *sum += other * share;
            }
        }
    }

    /// What a parameter is on average where the contest ends with a result; `None` if it cannot.
    pub fn mean(&self, parameter: usize, result: usize) -> Option<f64> {
        let chance = self.chances.get(result).filter(|chance| **chance > 0.0)?;
        Some(self.sums.get(result)?.get(parameter)? / chance)
    }

    /// What a parameter is on average, however it ends.
    pub fn mean_of_all(&self, parameter: usize) -> Option<f64> {
        self.sums.iter().map(|sums| sums.get(parameter)).sum()
    }
}

/// Where a round leads, with the chance of each.
type Ways = Arc<[(Clash, f64)]>;

/// The expectations of one contest, each worked out once. They belong to one set of rules and options.
#[derive(Clone, Debug)]
pub struct Book {
    contest: usize,
    rounds: Rounds,
    ways: BTreeMap<Round, Ways>,
    known: BTreeMap<Stand, Arc<Expected>>,
}

impl Book {
    /// An empty book for a contest.
    pub fn new(contest: usize) -> Self {
        Self {
            contest,
            rounds: Rounds::default(),
            ways: BTreeMap::new(),
            known: BTreeMap::new(),
        }
    }

    /// How many places are known.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether nothing is known yet.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// What may be expected of the contest fought to its end.
    ///
    /// # Errors
    /// If it has too many results or places, can come back to where it was, or the rules are at fault.
    pub fn expect(&mut self, contests: &dyn Contests, state: &Arc<State>, sides: &[Value]) -> Result<Arc<Expected>, Rejection> {
        let begun_at = Stand::new(sides);
        if let Some(known) = self.known.get(&begun_at) {
            return Ok(Arc::clone(known));
        }
        // A place is worked out when all that it leads to are: those wait on a stack, each with whether it is being worked out.
        let mut open: Vec<(Stand, bool)> = vec![(begun_at.clone(), false)];
        let mut begun: BTreeSet<Stand> = BTreeSet::new();
        while let Some((place, is_begun)) = open.pop() {
            if self.known.contains_key(&place) {
                continue;
            }
            let ways = self.ways(contests, state, &place)?;
            let Some(ways) = ways else {
                let end = Self::end(contests, state, self.contest, &place)?;
                self.keep(place, end)?;
                continue;
            };
            // What leads back to itself is only waited for.
            let mut ahead: Vec<(Stand, f64)> = Vec::with_capacity(ways.len());
            for (clash, chance) in &*ways {
                let next = place.after(clash)?;
                if next != place {
                    ahead.push((next, *chance));
                }
            }
            if ahead.iter().all(|(next, _)| self.known.contains_key(next)) {
                let expected = self.expected(state, place.sides.len(), &ahead)?;
                begun.remove(&place);
                self.keep(place, expected)?;
                continue;
            }
            ahead.retain(|(next, _)| !self.known.contains_key(next));
            if is_begun || ahead.iter().any(|(next, _)| begun.contains(next)) {
                return Err(Rejection::at_fault(Code::Contest, "the contest can come back to where it was"));
            }
            begun.insert(place.clone());
            open.push((place, true));
            open.extend(ahead.into_iter().map(|(next, _)| (next, false)));
        }
        let found = self.known.get(&begun_at).cloned();
        found.ok_or_else(|| Rejection::at_fault(Code::Contest, "the contest leads nowhere"))
    }

    fn keep(&mut self, place: Stand, expected: Expected) -> Result<(), Rejection> {
        if self.known.len() >= MOST_PLACES {
            let message = format!("the contest has more than {MOST_PLACES} places");
            return Err(Rejection::at_fault(Code::Contest, message));
        }
        self.known.insert(place, Arc::new(expected));
        Ok(())
    }

    fn ways(&mut self, contests: &dyn Contests, state: &Arc<State>, place: &Stand) -> Result<Option<Ways>, Rejection> {
        if place.result.is_some() {
            return Ok(None);
        }
        let Some(round) = self.rounds.next(contests, state, self.contest, &place.sides)? else {
            return Ok(None);
        };
        if let Some(ways) = self.ways.get(&*round) {
            return Ok(Some(Arc::clone(ways)));
        }
        let found = self.rounds.distribution(contests, state, (self.contest, &round), &mut || true)?;
        let found = found.ok_or_else(|| Rejection::at_fault(Code::Contest, "a round of the contest has too many results to be counted"))?;
        let ways = found.ways.iter().map(|(clash, part)| (clash.clone(), ratio(part, &found.whole)));
        let ways: Ways = ways.collect();
        self.ways.insert(Round::clone(&round), Arc::clone(&ways));
        Ok(Some(ways))
    }

    fn end(contests: &dyn Contests, state: &Arc<State>, contest: usize, place: &Stand) -> Result<Expected, Rejection> {
        let results = result_count(state, contest);
        let result = match place.result {
            Some(result) => result,
            None => contests.result(state, contest, &place.sides)?,
        };
        let mut end = Expected::nothing(results, place.sides.len());
        if let (Some(chance), Some(sums)) = (end.chances.get_mut(result), end.sums.get_mut(result)) {
            *chance = 1.0;
            *sums = place.sides.iter().map(|side| side.as_integer().unwrap_or(0) as f64).collect();
        }
        Ok(end)
    }

    /// The expectation of a place from those of the places that it leads to, each with its chance.
    fn expected(&self, state: &State, parameters: usize, ahead: &[(Stand, f64)]) -> Result<Expected, Rejection> {
        let mut expected = Expected::nothing(result_count(state, self.contest), parameters);
        let moves: f64 = ahead.iter().map(|(_, chance)| chance).sum();
        if moves <= 0.0 {
            return Err(Rejection::at_fault(
                Code::Contest,
                "the contest never ends: a round changes nothing",
            ));
        }
        for (next, chance) in ahead {
            if let Some(known) = self.known.get(next) {
                expected.add(known, chance / moves);
            }
        }
        Ok(expected)
    }
}
