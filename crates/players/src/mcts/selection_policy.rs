//! The selection policy: which action of a node is worth the next simulation.

use super::value::WHOLE;

/// The logarithm to base 2 of a number from 1, straight between powers of 2.
pub(super) fn log2(number: u32) -> f32 {
    let whole = number.max(1).ilog2();
    let rest = number.max(1) as f32 / (1u64 << whole) as f32 - 1.0;
    whole as f32 + rest
}

/// What the tree knows about an action.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EdgeStatistics {
    /// Its simulations, and the sum of their values.
    pub(super) visits: u32,
    pub(super) sum: u64,
    /// All moves as first: the same of simulations in which its seat played it later.
    pub(super) amaf_visits: u32,
    pub(super) amaf_sum: u64,
    /// The value it is taken to have before its first visit.
    pub(super) initial_value: u32,
    /// The prior probability that it is the best; 0 where the rules give none.
    pub(super) prior: f32,
}

/// Which action of a node the next simulation goes on with: UCT, or PUCT where the rules give a prior, with RAVE.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SelectionPolicy {
    /// The exploration constant of UCT.
    pub(super) exploration: f32,
    /// As how many visits the initial value counts.
    pub(super) initial_visits: f32,
    /// Whether actions played later in a simulation count (RAVE).
    pub(super) uses_rave: bool,
    /// The exploration constant of PUCT, which weighs the prior.
    pub(super) c_puct: f32,
    /// The number of visits at which an action's own mean weighs as much as its AMAF mean.
    pub(super) rave_equivalence: f32,
}

impl SelectionPolicy {
    pub(super) const RAVE_EQUIVALENCE: f32 = 300.0;

    /// The same among many actions, each of which gets fewer visits.
    const RAVE_EQUIVALENCE_OF_MANY: f32 = 1_000.0;

    /// By which part the initial value of an action without any prior lies below that of the likeliest.
    const OF_PRIOR: f32 = 0.3;

    /// The part of the exploration that is left among many actions.
    const OF_MANY: f32 = 0.06;

    /// The mean value of an action, 0 to 1.
    pub(super) fn mean(&self, statistics: &EdgeStatistics) -> f32 {
        let visits = statistics.visits as f32;
        let sum = statistics.sum as f32 + self.initial_visits * statistics.initial_value as f32;
        let own = sum / ((visits + self.initial_visits) * WHOLE as f32);
        if !self.uses_rave || statistics.amaf_visits == 0 {
            return own;
        }
        let amaf_visits = statistics.amaf_visits as f32;
        let amaf = statistics.amaf_sum as f32 / (amaf_visits * WHOLE as f32);
        // After Gelly and Silver (2011): the two are weighed by their variances.
        let weight = amaf_visits / (amaf_visits + visits + amaf_visits * visits / self.rave_equivalence);
        own + weight * (amaf - own)
    }

    /// The same policy among many actions. Each gets too few visits there for luck to even out: their AMAF means have to do, and
    /// exploration hardly counts.
    pub(super) fn among_many(mut self) -> Self {
        if self.uses_rave {
            self.exploration *= Self::OF_MANY;
            self.rave_equivalence = Self::RAVE_EQUIVALENCE_OF_MANY;
        }
        self
    }

    /// The initial value of an action where the way to its node has brought `base`: the likeliest one is taken to bring as much, others
    /// less. `likelihood` is its prior next to that of the likeliest, 0 to 1.
    pub(super) fn initial_value(base: u32, likelihood: f32) -> u32 {
        (base as f32 * (1.0 - Self::OF_PRIOR * (1.0 - likelihood.sqrt()))) as u32
    }

    /// The score by which an action is selected, after so many visits of its node: the upper confidence bound of its value. A prior
    /// weighs less with each visit, after Rosin (2011).
    pub(super) fn selection_score(&self, statistics: &EdgeStatistics, node_visits: u32) -> f32 {
        let next_visit = statistics.visits as f32 + 1.0;
        let explore = if statistics.prior > 0.0 {
            self.c_puct * statistics.prior * (node_visits as f32).sqrt() / next_visit
        } else {
            self.exploration * (log2(node_visits) / next_visit).sqrt()
        };
        self.mean(statistics) + explore
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy() -> SelectionPolicy {
        SelectionPolicy {
            exploration: 0.35,
            initial_visits: 2.0,
            uses_rave: true,
            c_puct: 1.0,
            rave_equivalence: SelectionPolicy::RAVE_EQUIVALENCE,
        }
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
        let policy = policy();
        let statistics = |visits| EdgeStatistics {
            visits,
            sum: u64::from(visits) * u64::from(WHOLE) / 4,
            amaf_visits: 10_000,
            amaf_sum: 10_000 * u64::from(WHOLE),
            initial_value: WHOLE,
            prior: 0.0,
        };
        assert!(policy.mean(&statistics(0)) > 0.99);
        assert!(policy.mean(&statistics(300)) > 0.5);
        assert!((policy.mean(&statistics(1_000_000)) - 0.25).abs() < 0.01);
        assert!(policy.selection_score(&statistics(10), 1_024) > policy.selection_score(&statistics(40), 1_024));
    }

    #[test]
    fn among_many_what_was_good_is_tried_again_before_what_was_hardly_tried() {
        let policy = policy();
        let statistics = |visits: u32, hundredths: u64| EdgeStatistics {
            visits,
            sum: u64::from(visits) * u64::from(WHOLE) * hundredths / 100,
            initial_value: WHOLE / 2,
            ..EdgeStatistics::default()
        };
        let (good, new) = (statistics(40, 55), statistics(4, 50));
        assert!(policy.selection_score(&new, 1_024) > policy.selection_score(&good, 1_024));
        let many = policy.among_many();
        assert!(many.selection_score(&good, 1_024) > many.selection_score(&new, 1_024));
        let without = SelectionPolicy {
            uses_rave: false,
            ..policy
        };
        assert_eq!(without.among_many(), without, "nothing else tells them apart");
    }

    #[test]
    fn an_action_with_a_high_prior_is_selected_first_but_not_for_ever() {
        let policy = policy();
        let statistics = |visits: u32, hundredths: u64, prior| EdgeStatistics {
            visits,
            sum: u64::from(visits) * u64::from(WHOLE) * hundredths / 100,
            initial_value: WHOLE / 2,
            prior,
            ..EdgeStatistics::default()
        };
        let (likely, other) = (|visits, hundredths| statistics(visits, hundredths, 0.5), statistics(10, 50, 0.01));
        assert!(policy.selection_score(&likely(10, 45), 100) > policy.selection_score(&other, 100));
        assert!(policy.selection_score(&likely(2_000, 45), 2_500) < policy.selection_score(&other, 2_500));
        let (most, half) = (
            SelectionPolicy::initial_value(1_000, 1.0),
            SelectionPolicy::initial_value(1_000, 0.25),
        );
        assert!(most == 1_000 && half < most && SelectionPolicy::initial_value(1_000, 0.0) > 500);
    }
}
