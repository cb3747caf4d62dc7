//! Who takes part in an arena.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Allowance;
use boardwright_players::{Budget, PlayerLimit, PlayerSpec, SpecError};

/// A player, and its budget for a choice if that is not that of all others. Written as the player, and behind `@` the number of
/// nodes or simulations, or the time: `search:9@2000`, `mcts:9@500`, `mcts:9@200ms`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Contestant {
    /// The player.
    pub player: PlayerSpec,
    /// Its time, its nodes, or its simulations where it is a Monte Carlo player.
    pub limit: Option<PlayerLimit>,
}

impl Contestant {
    /// The budget of one choice, where all may think so much.
    pub fn budget(&self, allowance: &Allowance) -> Budget {
        let mut own = *allowance;
        match (self.limit, &self.player) {
            (None, _) => {}
            (Some(PlayerLimit::Milliseconds(time)), _) => own.milliseconds = Some(time),
            (Some(PlayerLimit::Steps(simulations)), PlayerSpec::MonteCarlo(_)) => own.simulations = Some(simulations),
            (Some(PlayerLimit::Steps(nodes)), _) => own.nodes = Some(nodes),
        }
        own.budget()
    }
}

impl FromStr for Contestant {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        Ok(match text.parse()? {
            PlayerSpec::Limited { player, limit } => Self {
                player: *player,
                limit: Some(limit),
            },
            player => Self { player, limit: None },
        })
    }
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.limit {
            Some(limit) => write!(f, "{}@{limit}", self.player),
            None => write!(f, "{}", self.player),
        }
    }
}

impl TryFrom<String> for Contestant {
    type Error = SpecError;

    fn try_from(text: String) -> Result<Self, SpecError> {
        text.parse()
    }
}

impl From<Contestant> for String {
    fn from(contestant: Contestant) -> Self {
        contestant.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back_the_same() {
        for text in ["random", "search:9@2000", "mcts:9@500", "mcts:9@200ms", "exec:./bot me@7"] {
            let contestant: Contestant = text.parse().unwrap();
            assert_eq!(contestant.to_string(), text);
            assert_eq!(contestant.limit.is_some(), text.contains(":9@"));
        }
        assert!("search:9@many".parse::<Contestant>().is_err());
    }

    #[test]
    fn a_number_of_tries_counts_what_the_player_tries() {
        let budget = |text: &str| text.parse::<Contestant>().unwrap().budget(&Allowance::default());
        assert_eq!((budget("search:9@70").nodes, budget("search:9@70").simulations), (Some(70), None));
        assert_eq!((budget("mcts:9@70").nodes, budget("mcts:9@70").simulations), (None, Some(70)));
        assert_eq!(budget("mcts:9@70ms").time, Some(std::time::Duration::from_millis(70)));
        assert_eq!(budget("search:3").nodes, Allowance::default().budget().nodes);
    }
}
