//! A player with a limit of its own.

use std::sync::Arc;

use super::{Budget, Choice, Decision, Player, PlayerError, Thinking};
use boardwright_model::{SeatId, State};
use boardwright_rules::Rules;

/// A player that searches no more than so many nodes or simulations for a choice, whatever it is allowed beside.
pub struct LimitedPlayer {
    player: Box<dyn Player>,
    limit: u64,
    counts_simulations: bool,
}

impl LimitedPlayer {
    /// Limits a player. `counts_simulations` says that the limit is one of simulations, not of nodes.
    pub fn new(player: Box<dyn Player>, limit: u64, counts_simulations: bool) -> Self {
        Self {
            player,
            limit,
            counts_simulations,
        }
    }

    fn within(&self, budget: &Budget) -> Budget {
        let mut within = budget.clone();
        let slot = if self.counts_simulations {
            // A number of nodes that stands for the level says nothing beside a number of simulations.
            within.nodes = within.nodes.filter(|nodes| *nodes != u64::MAX);
            &mut within.simulations
        } else {
            &mut within.nodes
        };
        *slot = Some(slot.map_or(self.limit, |given| given.min(self.limit)));
        within
    }
}

impl Player for LimitedPlayer {
    fn name(&self) -> String {
        format!("{}@{}", self.player.name(), self.limit)
    }

    fn choose(&mut self, decision: Decision<'_>, report: &mut dyn FnMut(&Thinking)) -> Result<Choice, PlayerError> {
        let budget = self.within(decision.budget);
        self.player.choose(
            Decision {
                budget: &budget,
                ..decision
            },
            report,
        )
    }

    fn see_end(&mut self, rules: &dyn Rules, state: &Arc<State>, seat: SeatId) {
        self.player.see_end(rules, state, seat);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlayerSpec;
    use boardwright_fixtures::Skirmish;

    #[test]
    fn it_searches_no_more_than_its_limit() {
        let rules = Skirmish::new(5, 5, false).unwrap();
        let state = rules.full().unwrap();
        for spec in ["search:9@300", "maxn:9@300", "greedy@2"] {
            let mut player = spec.parse::<PlayerSpec>().unwrap().build(1).unwrap();
            assert_eq!(player.name(), spec);
            let choice = player
                .choose(
                    Decision {
                        rules: &rules,
                        state: &state,
                        seat: SeatId(0),
                        budget: &Budget::unlimited(),
                    },
                    &mut |_| {},
                )
                .unwrap();
            assert!(choice.nodes <= 300, "{spec}: {} nodes", choice.nodes);
        }
        let limited = |spec: &str| {
            let mut player = spec.parse::<PlayerSpec>().unwrap().build(1).unwrap();
            player
                .choose(
                    Decision {
                        rules: &rules,
                        state: &state,
                        seat: SeatId(0),
                        budget: &Budget::unlimited(),
                    },
                    &mut |_| {},
                )
                .unwrap()
                .nodes
        };
        assert!(limited("mcts:9@20") < limited("mcts:9@200"));
    }
}
