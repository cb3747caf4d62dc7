//! The modes in which the same rule meets luck: roll, replay, sample, enumerate.

use std::collections::VecDeque;
use std::sync::Arc;

use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{DrawKind, Generator};

/// Where random results come from.
#[derive(Clone, Debug, Default)]
pub enum Luck {
    /// Nothing may be drawn: previews and questions about a state.
    #[default]
    Forbidden,
    /// Drawn from numbers that are still to be given: whoever runs the rules stops at the first draw, and asks for them.
    Awaited,
    /// Drawn from the generator of the match (play) or of a search (sample).
    Roll(Generator),
    /// Taken from a record, or from the dice a test or a tutorial lays down.
    Replay(VecDeque<Vec<u32>>),
    /// Taken from what is laid down where that fits, else drawn: the beginning of a test's match, with a shuffle before the first roll.
    Laid(VecDeque<Vec<u32>>, Generator),
    /// Every result in turn, for exact odds.
    Enumerate(Enumeration),
}

/// Why nothing could be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum DrawError {
    #[error("nothing can be drawn here: draw in do_... and phase hooks only")]
    Forbidden,
    #[error("the numbers that luck is to follow from are not given yet")]
    Awaited,
    #[error("what was laid down or recorded ({result}) is no result of {kind}")]
    Misfit { result: String, kind: DrawKind },
    #[error("more is drawn than was recorded")]
    UsedUp,
    #[error("{0}: too many results to go through")]
    TooManyResults(DrawKind),
}

impl DrawError {
    /// What the author of the rules reads it as.
    pub const fn code(&self) -> Code {
        match self {
            Self::Forbidden | Self::Awaited => Code::LuckForbidden,
            Self::Misfit { .. } | Self::UsedUp => Code::LuckRecord,
            Self::TooManyResults(_) => Code::TooManyResults,
        }
    }
}

impl From<DrawError> for Diagnostic {
    fn from(error: DrawError) -> Self {
        Self::error(error.code(), error.to_string())
    }
}

impl Luck {
    /// Draws.
    ///
    /// # Errors
    /// If nothing may be drawn, the record is used up or does not fit, or there are too many results to enumerate.
    pub fn draw(&mut self, kind: &DrawKind) -> Result<Arc<[u32]>, DrawError> {
        match self {
            Self::Forbidden => Err(DrawError::Forbidden),
            Self::Awaited => Err(DrawError::Awaited),
            Self::Roll(generator) => Ok(generator.draw(kind).into()),
            Self::Replay(results) => match results.pop_front() {
                Some(result) if kind.allows(&result) => Ok(result.into()),
                Some(result) => {
                    let result: Vec<String> = result.iter().map(ToString::to_string).collect();
                    Err(DrawError::Misfit {
                        result: result.join(", "),
                        kind: kind.clone(),
                    })
                }
                None => Err(DrawError::UsedUp),
            },
            Self::Laid(results, generator) => match results.pop_front_if(|result| kind.allows(result)) {
                Some(result) => Ok(result.into()),
                None => Ok(generator.draw(kind).into()),
            },
            Self::Enumerate(enumeration) => enumeration.draw(kind).map(Arc::from),
        }
    }
}

/// One path through all results that a series of draws can have. Run the rule, read the probability, [`advance`](Self::advance)
/// and run again, until there are no more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Enumeration {
    /// The result taken at each draw, with the number of results it has and the weight of each.
    path: Vec<(u32, u32)>,
    weights: Vec<(u64, u64)>,
    depth: usize,
}

impl Enumeration {
    /// The most results one draw may have.
    pub const MOST_RESULTS: u64 = 1 << 20;

    /// The probability of the path just run: a numerator and a denominator for each of its draws.
    pub fn probability(&self) -> &[(u64, u64)] {
        &self.weights
    }

    /// How many paths there would be if all had the draws of the one just run.
    pub fn ways(&self) -> u64 {
        self.path
            .iter()
            .take(self.depth)
            .fold(1, |ways, (_, count)| ways.saturating_mul(u64::from(*count)))
    }

    /// Goes to the next path. False when all have been run.
    pub fn advance(&mut self) -> bool {
        self.path.truncate(self.depth);
        self.depth = 0;
        self.weights.clear();
        while let Some((index, count)) = self.path.last_mut() {
            if *index + 1 < *count {
                *index += 1;
                return true;
            }
            self.path.pop();
        }
        false
    }

    fn draw(&mut self, kind: &DrawKind) -> Result<Vec<u32>, DrawError> {
        let count = match kind {
            DrawKind::Dice { count, sides } => u64::from(*sides).checked_pow(u32::from(*count)),
            DrawKind::Shuffle { count } => (1..=u64::from(*count)).try_fold(1u64, u64::checked_mul),
            DrawKind::Choose { weights } => Some(weights.iter().filter(|weight| **weight > 0).count() as u64),
        };
        let count = count.filter(|count| (1..=Self::MOST_RESULTS).contains(count));
        let count = count.ok_or_else(|| DrawError::TooManyResults(kind.clone()))?;
        if self.depth == self.path.len() {
            self.path.push((0, count as u32));
        }
        let index = u64::from(self.path.get(self.depth).map_or(0, |step| step.0));
        self.depth += 1;
        let (result, weight) = nth_result(kind, index, count);
        self.weights.push(weight);
        Ok(result)
    }
}

fn nth_result(kind: &DrawKind, mut index: u64, count: u64) -> (Vec<u32>, (u64, u64)) {
    match kind {
        DrawKind::Dice { count: dice, sides } => {
            let mut faces = Vec::with_capacity(usize::from(*dice));
            for _ in 0..*dice {
                faces.push(1 + (index % u64::from(*sides)) as u32);
                index /= u64::from(*sides);
            }
            (faces, (1, count))
        }
        DrawKind::Shuffle { count: things } => {
            let mut left: Vec<u32> = (0..*things).collect();
            let mut order = Vec::with_capacity(left.len());
            while !left.is_empty() {
                let among = left.len() as u64;
                order.push(left.remove((index % among) as usize));
                index /= among;
            }
            (order, (1, count))
        }
        DrawKind::Choose { weights } => {
            let total = weights.iter().map(|weight| u64::from(*weight)).sum();
            let mut possible = weights.iter().enumerate().filter(|(_, weight)| **weight > 0);
            let (place, weight) = possible.nth(index as usize).unwrap_or((0, &0));
            (vec![place as u32], (u64::from(*weight), total))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_of_dependent_draws_comes_once_and_the_probabilities_add_up() {
        let mut luck = Luck::Enumerate(Enumeration::default());
        let mut seen = Vec::new();
        let mut total = 0u64;
        loop {
            let first = luck.draw(&DrawKind::Dice { count: 1, sides: 6 }).unwrap();
            let mut path = first.to_vec();
            if first.first() == Some(&6) {
                path.extend(
                    luck.draw(&DrawKind::Choose {
                        weights: Arc::from([1, 0, 3]),
                    })
                    .unwrap()
                    .iter(),
                );
            }
            seen.push(path);
            let Luck::Enumerate(enumeration) = &mut luck else { unreachable!() };
            total += enumeration.probability().iter().fold(24, |sum, (weight, of)| sum * weight / of);
            if !enumeration.advance() {
                break;
            }
        }
        assert_eq!(seen, [vec![1], vec![2], vec![3], vec![4], vec![5], vec![6, 0], vec![6, 2]]);
        assert_eq!(total, 24);
    }

    #[test]
    fn all_orders_are_enumerated() {
        let mut luck = Luck::Enumerate(Enumeration::default());
        let mut orders = Vec::new();
        loop {
            orders.push(luck.draw(&DrawKind::Shuffle { count: 4 }).unwrap());
            let Luck::Enumerate(enumeration) = &mut luck else { unreachable!() };
            if !enumeration.advance() {
                break;
            }
        }
        orders.sort();
        orders.dedup();
        assert_eq!(orders.len(), 24);
    }

    #[test]
    fn what_is_laid_down_waits_for_a_draw_that_it_fits() {
        let mut luck = Luck::Laid(VecDeque::from([vec![6]]), Generator::new(1));
        let die = DrawKind::Dice { count: 1, sides: 6 };
        assert_eq!(luck.draw(&DrawKind::Shuffle { count: 5 }).unwrap().len(), 5);
        assert_eq!(*luck.draw(&die).unwrap(), [6]);
        assert!((1..=6).contains(&luck.draw(&die).unwrap()[0]));
    }

    #[test]
    fn a_record_that_does_not_fit_is_a_fault() {
        let mut luck = Luck::Replay(VecDeque::from([vec![7]]));
        let die = DrawKind::Dice { count: 1, sides: 6 };
        assert!(luck.draw(&die).unwrap_err().to_string().contains("(7) is no result of 1d6"));
        assert_eq!(luck.draw(&die).unwrap_err(), DrawError::UsedUp);
        assert_eq!(Luck::Forbidden.draw(&die).unwrap_err(), DrawError::Forbidden);
    }
}
