//! The values of states, as the tree adds them up: those of ends, and those of scores on a scale learned from the match.
//!
//! Here as in the selection policy only operations whose result is the same on every machine: sums, products, quotients and square
//! roots.

use std::sync::atomic::{AtomicU64, Ordering};

use smallvec::SmallVec;

use crate::value::lead;
use boardwright_model::{Outcome, SeatId};

/// The value of a match won. One lost has 0, a draw half of it.
pub(super) const WHOLE: u32 = 1 << 16;

/// The value of a match, or of a moment of it, for each seat, 0 to [`WHOLE`].
pub(super) type Values = SmallVec<[u32; 4]>;

/// How much of the value the score decides where the match has not ended: an end, once seen, weighs more.
const OF_SCORE: f32 = 0.9;

/// How much of the value of an end its margin decides, where the rules keep scores.
const OF_MARGIN: f32 = 0.1;

/// A number of points between -1 and 1: half way at `scale`.
pub(super) fn squash(points: i64, scale: f32) -> f32 {
    let points = points as f32;
    points / (points.abs() + scale.max(1.0))
}

/// A number from -1 (lost) to 1 (won) as a value.
fn value(result: f32) -> u32 {
    ((result.clamp(-1.0, 1.0) + 1.0) * 0.5 * WHOLE as f32) as u32
}

pub(super) fn of_score(points: i64, scale: f32) -> u32 {
    value(OF_SCORE * squash(points, scale))
}

pub(super) fn of_outcome(outcome: &Outcome, seats: usize) -> Values {
    let has_scores = outcome.scores.len() == outcome.places.len();
    let of_seat = |index: usize| {
        let (lead, others) = lead(outcome, SeatId::from_index(index));
        let result = lead as f32 / others as f32;
        let best_other = || {
            let others = outcome.scores.iter().enumerate().filter(|(other, _)| *other != index);
            others.map(|(_, score)| *score).max()
        };
        match outcome.scores.get(index).filter(|_| has_scores).zip(best_other()) {
            Some((own, other)) => {
                let margin = own.saturating_sub(other);
                let scale = (own.abs().saturating_add(other.abs()) / 4) as f32;
                value((1.0 - OF_MARGIN) * result + OF_MARGIN * squash(margin, scale))
            }
            None => value(result),
        }
    };
    (0..seats).map(of_seat).collect()
}

pub(super) fn for_seat(values: &Values, seat: SeatId) -> u32 {
    values.get(seat.index()).copied().unwrap_or(WHOLE / 2)
}

/// The typical size of a score, by which one is compared with a win. Learned from the first scores seen.
#[derive(Debug, Default)]
pub(super) struct ScoreScale {
    sum: AtomicU64,
    count: AtomicU64,
}

impl ScoreScale {
    /// So many scores are taken in for one choice.
    const MOST: u64 = 512;
    /// As how many scores those of earlier choices count.
    const REMEMBERED: u64 = 128;

    pub(super) fn points(&self) -> f32 {
        let count = self.count.load(Ordering::Relaxed).max(1);
        self.sum.load(Ordering::Relaxed) as f32 / count as f32
    }

    pub(super) fn note(&self, points: i64) {
        if self.count.load(Ordering::Relaxed) < Self::MOST {
            self.count.fetch_add(1, Ordering::Relaxed);
            self.sum.fetch_add(points.unsigned_abs().min(1 << 48), Ordering::Relaxed);
        }
    }

    pub(super) fn renewed(&self) -> Self {
        let count = self.count.load(Ordering::Relaxed);
        let kept = count.min(Self::REMEMBERED);
        Self {
            sum: AtomicU64::new((self.points() * kept as f32) as u64),
            count: AtomicU64::new(kept),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_of_two_seats_add_up_and_a_win_is_all() {
        let won = of_outcome(&Outcome::win(2, SeatId(1), "", ""), 2);
        assert_eq!(won.as_slice(), [0, WHOLE]);
        assert_eq!(of_outcome(&Outcome::draw(2, "", ""), 2).as_slice(), [WHOLE / 2; 2]);
        let three = of_outcome(&Outcome::by_score(vec![30, 20, 10], "", ""), 3);
        assert!(three[0] > three[1] && three[1] > three[2] && three[2] < WHOLE / 10);
    }

    #[test]
    fn a_higher_win_is_worth_more_but_never_as_much_as_winning() {
        let first = |scores| of_outcome(&Outcome::by_score(scores, "", ""), 2)[0];
        let (low, high, draw, lost) = (first(vec![51, 50]), first(vec![90, 10]), first(vec![50, 50]), first(vec![10, 90]));
        assert!(lost < draw && draw < low && low < high);
        assert!(low - draw > high - low);
        assert!((first(vec![10, 90]) + first(vec![90, 10])).abs_diff(WHOLE) <= 1);
    }

    #[test]
    fn a_score_is_worth_less_than_an_end_of_the_same_sort() {
        assert_eq!(of_score(0, 5.0), WHOLE / 2);
        assert!(of_score(i64::MAX, 5.0) < WHOLE && of_score(i64::MIN, 5.0) > 0);
        assert!(of_score(5, 5.0) > of_score(4, 5.0));
    }

    #[test]
    fn the_scale_follows_the_match() {
        let scale = ScoreScale::default();
        (0..10_000).for_each(|_| scale.note(-20));
        assert!((scale.points() - 20.0).abs() < 0.01);
        let later = scale.renewed();
        (0..10_000).for_each(|_| later.note(60));
        assert!((45.0..60.0).contains(&later.points()), "{}", later.points());
    }
}
