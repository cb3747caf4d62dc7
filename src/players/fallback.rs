//! A player with others that choose in its place when it can not.

use std::sync::Arc;

use super::{Budget, Choice, Greedy, Player, PlayerError, Random, Thinking};
use crate::model::{SeatId, State};
use crate::rules::Rules;

/// Asks one player; where it can not choose, the greedy one, and at last the random one. Why is said in the choice.
pub struct WithFallback {
    player: Box<dyn Player>,
    greedy: Greedy,
    random: Random,
}

impl WithFallback {
    /// Puts fallbacks behind a player. The seed gives them their luck.
    pub fn new(player: Box<dyn Player>, seed: u64) -> Self {
        Self {
            player,
            greedy: Greedy::new(seed),
            random: Random::new(seed),
        }
    }
}

impl Player for WithFallback {
    fn name(&self) -> String {
        self.player.name()
    }

    fn choose(
        &mut self,
        rules: &dyn Rules,
        state: &Arc<State>,
        seat: SeatId,
        budget: &Budget,
        report: &mut dyn FnMut(&Thinking),
    ) -> Result<Choice, PlayerError> {
        let error = match self.player.choose(rules, state, seat, budget, report) {
            Err(error) if !matches!(error, PlayerError::NoAction { .. }) => error,
            result => return result,
        };
        let others: [&mut dyn Player; 2] = [&mut self.greedy, &mut self.random];
        for other in others {
            if let Ok(choice) = other.choose(rules, state, seat, budget, report) {
                return Ok(Choice {
                    instead_of: Some(error),
                    ..choice
                });
            }
        }
        Err(error)
    }

    fn see_end(&mut self, rules: &dyn Rules, state: &Arc<State>, seat: SeatId) {
        self.player.see_end(rules, state, seat);
    }
}
