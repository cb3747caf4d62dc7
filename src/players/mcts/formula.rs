//! The arithmetic of the tree: what an action is worth looking at again.
//!
//! Only operations whose result is the same on every machine: sums, products, quotients and square roots.

use smallvec::SmallVec;

use crate::model::{Outcome, SeatId};

/// The worth of a match won; 0 is that of one lost, half of it that of a draw.
pub(super) const WHOLE: u32 = 1 << 16;

/// What a match, or a moment of it, is worth for each seat, 0 to [`WHOLE`].
pub(super) type Worths = SmallVec<[u32; 4]>;

/// How much of the worth the score decides where the match has not ended: an end, once seen, weighs more.
const OF_SCORE: f32 = 0.9;

/// How much of the worth of an end its margin decides, where the rules keep scores.
const OF_MARGIN: f32 = 0.1;

/// A number of points between -1 and 1: half way at the usual number.
pub(super) fn squash(points: i64, usual: f32) -> f32 {
    let points = points as f32;
    points / (points.abs() + usual.max(1.0))
}

/// A number from -1 (lost) to 1 (won) as a worth.
fn worth(value: f32) -> u32 {
    ((value.clamp(-1.0, 1.0) + 1.0) * 0.5 * WHOLE as f32) as u32
}

/// The worth of a score for its seat.
pub(super) fn of_score(points: i64, usual: f32) -> u32 {
    worth(OF_SCORE * squash(points, usual))
}

/// The worths of an end.
pub(super) fn of_outcome(outcome: &Outcome, seats: usize) -> Worths {
    let others = (outcome.places.len() as f32 - 1.0).max(1.0);
    let has_scores = outcome.scores.len() == outcome.places.len();
    let of_seat = |index: usize| {
        let Some(own) = outcome.places.get(index) else { return worth(0.0) };
        let worse = outcome.places.iter().filter(|place| *place > own).count() as f32;
        let better = outcome.places.iter().filter(|place| *place < own).count() as f32;
        let result = (worse - better) / others;
        let best_other = || {
            outcome
                .scores
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != index)
                .map(|(_, score)| *score)
                .max()
        };
        match outcome.scores.get(index).filter(|_| has_scores).zip(best_other()) {
            Some((own, other)) => {
                let margin = own.saturating_sub(other);
                let usual = (own.abs().saturating_add(other.abs()) / 4) as f32;
                worth((1.0 - OF_MARGIN) * result + OF_MARGIN * squash(margin, usual))
            }
            None => worth(result),
        }
    };
    (0..seats).map(of_seat).collect()
}

/// The worth for one seat.
pub(super) fn for_seat(worths: &Worths, seat: SeatId) -> u32 {
    worths.get(seat.index()).copied().unwrap_or(WHOLE / 2)
}

/// The logarithm to base 2 of a number from 1, straight between powers of 2.
pub(super) fn log2(number: u32) -> f32 {
    let whole = number.max(1).ilog2();
    let rest = number.max(1) as f32 / (1u64 << whole) as f32 - 1.0;
    whole as f32 + rest
}

/// What is known about an action.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    /// How often it was tried, and the sum of what came of it.
    pub(super) visits: u32,
    pub(super) sum: u64,
    /// How often it was played later by the same seat, and the sum of what came of that.
    pub(super) later_visits: u32,
    pub(super) later_sum: u64,
    /// What it was expected to bring before it was tried.
    pub(super) prior: u32,
    /// How likely it was taken to be the best before it was tried; 0 where nothing was said.
    pub(super) chance: f32,
    /// What the rules take off.
    pub(super) markdown: u32,
}

/// How tries are shared out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Formula {
    /// How much little-tried actions are favoured.
    pub(super) exploration: f32,
    /// As how many tries the prior counts.
    pub(super) prior_visits: f32,
    /// Whether what was played later counts for what is played now (RAVE).
    pub(super) counts_later: bool,
    /// How much what looked promising is favoured.
    pub(super) trust: f32,
    /// The number of tries at which what came of an action itself counts as much as what came of it when it was played later.
    pub(super) equal_visits: f32,
}

impl Formula {
    /// The usual number of tries at which what came of an action itself counts as much as what came of it when it was played later.
    pub(super) const EQUAL_VISITS: f32 = 300.0;

    /// The same number among many actions, where each is tried less often.
    const EQUAL_VISITS_OF_MANY: f32 = 1_000.0;

    /// How much less than the most promising action one that is not promising at all is expected to bring.
    const OF_PROMISE: f32 = 0.3;

    /// What is left of favouring little-tried actions among many.
    const OF_MANY: f32 = 0.06;

    /// What an action is expected to bring, 0 to 1.
    pub(super) fn mean(&self, known: &Known) -> f32 {
        let visits = known.visits as f32;
        let sum = known.sum as f32 + self.prior_visits * known.prior as f32;
        let own = sum / ((visits + self.prior_visits) * WHOLE as f32);
        if !self.counts_later || known.later_visits == 0 {
            return own;
        }
        let later_visits = known.later_visits as f32;
        let later = known.later_sum as f32 / (later_visits * WHOLE as f32);
        // After Gelly and Silver (2011): the two are weighed by their variances.
        let weight = later_visits / (later_visits + visits + later_visits * visits / self.equal_visits);
        own + weight * (later - own)
    }

    /// The same formula for an action of many. Among many, each can not be tried often enough for chance to even out: what came of them
    /// when they were played later has to do, and little-tried ones are hardly favoured.
    pub(super) fn among_many(mut self) -> Self {
        if self.counts_later {
            self.exploration *= Self::OF_MANY;
            self.equal_visits = Self::EQUAL_VISITS_OF_MANY;
        }
        self
    }

    /// What an untried action is expected to bring, as a worth, if the way to it has brought `base`: the most promising one as much, others
    /// less. Its share is how likely it looks next to that one, 0 to 1.
    pub(super) fn promised(base: u32, share: f32) -> u32 {
        (base as f32 * (1.0 - Self::OF_PROMISE * (1.0 - share.sqrt()))) as u32
    }

    /// How much an action deserves the next try, after so many tries of all actions beside it. What was said of its promise is trusted
    /// less the more it was tried, as in the formula of Rosin (2011) that programs with learned policies use.
    pub(super) fn urge(&self, known: &Known, all: u32) -> f32 {
        let more_tries = known.visits as f32 + 1.0;
        let explore = if known.chance > 0.0 {
            self.trust * known.chance * (all as f32).sqrt() / more_tries
        } else {
            self.exploration * (log2(all) / more_tries).sqrt()
        };
        self.mean(known) + explore - known.markdown as f32 / WHOLE as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usual() -> Formula {
        Formula {
            exploration: 0.35,
            prior_visits: 2.0,
            counts_later: true,
            trust: 1.0,
            equal_visits: Formula::EQUAL_VISITS,
        }
    }

    #[test]
    fn the_worths_of_two_seats_add_up_and_a_win_is_all() {
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
    fn the_logarithm_is_right_at_powers_and_rises_between() {
        for power in 0..31 {
            assert!((log2(1 << power) - power as f32).abs() < f32::EPSILON);
        }
        assert!((1..5_000).all(|number| log2(number) < log2(number + 1)));
        assert!((log2(1_000) - 1_000f32.log2()).abs() < 0.09);
    }

    #[test]
    fn with_many_tries_only_what_came_of_them_counts() {
        let formula = usual();
        let known = |visits| Known {
            visits,
            sum: u64::from(visits) * u64::from(WHOLE) / 4,
            later_visits: 10_000,
            later_sum: 10_000 * u64::from(WHOLE),
            prior: WHOLE,
            chance: 0.0,
            markdown: 0,
        };
        assert!(formula.mean(&known(0)) > 0.99);
        assert!(formula.mean(&known(300)) > 0.5);
        assert!((formula.mean(&known(1_000_000)) - 0.25).abs() < 0.01);
        assert!(formula.urge(&known(10), 1_024) > formula.urge(&known(40), 1_024));
    }

    #[test]
    fn among_many_what_was_good_is_tried_again_before_what_was_hardly_tried() {
        let formula = usual();
        let known = |visits: u32, hundredths: u64| Known {
            visits,
            sum: u64::from(visits) * u64::from(WHOLE) * hundredths / 100,
            prior: WHOLE / 2,
            ..Known::default()
        };
        let (good, new) = (known(40, 55), known(4, 50));
        assert!(formula.urge(&new, 1_024) > formula.urge(&good, 1_024));
        let many = formula.among_many();
        assert!(many.urge(&good, 1_024) > many.urge(&new, 1_024));
        let without = Formula {
            counts_later: false,
            ..formula
        };
        assert_eq!(without.among_many(), without, "nothing else tells them apart");
    }

    #[test]
    fn a_promising_action_is_tried_first_but_not_for_ever() {
        let formula = usual();
        let known = |visits: u32, hundredths: u64, chance| Known {
            visits,
            sum: u64::from(visits) * u64::from(WHOLE) * hundredths / 100,
            prior: WHOLE / 2,
            chance,
            ..Known::default()
        };
        let (likely, other) = (|visits, hundredths| known(visits, hundredths, 0.5), known(10, 50, 0.01));
        assert!(formula.urge(&likely(10, 45), 100) > formula.urge(&other, 100));
        assert!(formula.urge(&likely(2_000, 45), 2_500) < formula.urge(&other, 2_500));
        let (most, half) = (Formula::promised(1_000, 1.0), Formula::promised(1_000, 0.25));
        assert!(most == 1_000 && half < most && Formula::promised(1_000, 0.0) > 500);
    }
}
