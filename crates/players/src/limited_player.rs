//! A player with a limit of its own.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use super::{Budget, Choice, Decision, Player, PlayerError, Thinking};
use boardwright_model::{SeatId, State};
use boardwright_rules::Rules;

/// How much a player may search for a choice. Written `7000` or `500ms`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlayerLimit {
    /// So many nodes, or simulations of a Monte Carlo player.
    Steps(u64),
    /// So many milliseconds.
    Milliseconds(u64),
}

impl PlayerLimit {
    /// A budget within this limit. `counts_simulations` says that steps are simulations, not nodes.
    #[must_use]
    pub fn within(self, budget: &Budget, counts_simulations: bool) -> Budget {
        let mut within = budget.clone();
        // A number of nodes that stands for the level says nothing beside a number of simulations or a time.
        let without_level = |nodes: Option<u64>| nodes.filter(|nodes| *nodes != u64::MAX);
        let stricter = |given: Option<u64>, own: u64| Some(given.map_or(own, |given| given.min(own)));
        match self {
            Self::Milliseconds(own) => {
                let own = Duration::from_millis(own);
                within.nodes = without_level(within.nodes);
                within.time = Some(within.time.map_or(own, |given| given.min(own)));
            }
            Self::Steps(own) if counts_simulations => {
                within.nodes = without_level(within.nodes);
                within.simulations = stricter(within.simulations, own);
            }
            Self::Steps(own) => within.nodes = stricter(within.nodes, own),
        }
        within
    }
}

impl FromStr for PlayerLimit {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (number, limit): (_, fn(u64) -> Self) = match text.strip_suffix("ms") {
            Some(number) => (number, Self::Milliseconds),
            None => (text, Self::Steps),
        };
        match number.parse() {
            Ok(0) | Err(_) => Err(()),
            Ok(number) => Ok(limit(number)),
        }
    }
}

impl fmt::Display for PlayerLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Steps(number) => write!(f, "{number}"),
            Self::Milliseconds(number) => write!(f, "{number}ms"),
        }
    }
}

/// A player that searches no more than its limit says for a choice, whatever it is allowed beside.
pub struct LimitedPlayer {
    player: Box<dyn Player>,
    limit: PlayerLimit,
    counts_simulations: bool,
}

impl LimitedPlayer {
    /// Limits a player. `counts_simulations` says that steps are simulations, not nodes.
    pub fn new(player: Box<dyn Player>, limit: PlayerLimit, counts_simulations: bool) -> Self {
        Self {
            player,
            limit,
            counts_simulations,
        }
    }
}

impl Player for LimitedPlayer {
    fn name(&self) -> String {
        format!("{}@{}", self.player.name(), self.limit)
    }

    fn choose(&mut self, decision: Decision<'_>, report: &mut dyn FnMut(&Thinking)) -> Result<Choice, PlayerError> {
        let budget = self.limit.within(decision.budget, self.counts_simulations);
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

    #[test]
    fn the_stricter_limit_holds() {
        let milliseconds = |limit: &str, budget: &Budget| {
            let within = limit.parse::<PlayerLimit>().unwrap().within(budget, true);
            (within.time.map(|time| time.as_millis()), within.nodes, within.simulations)
        };
        assert_eq!(milliseconds("500ms", &Budget::of_level()), (Some(500), None, None));
        assert_eq!(
            milliseconds("500ms", &Budget::time(Duration::from_millis(200))),
            (Some(200), None, None)
        );
        assert_eq!(milliseconds("70", &Budget::of_level()), (None, None, Some(70)));
        assert_eq!(milliseconds("70", &Budget::simulations(50)), (None, None, Some(50)));
        let nodes = PlayerLimit::Steps(70).within(&Budget::of_level(), false);
        assert_eq!((nodes.nodes, nodes.simulations), (Some(70), None));
    }
}
