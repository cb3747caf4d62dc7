//! Players made of other players: one that picks the search that suits the rules, and one with fallbacks.

use std::sync::Arc;

use super::{AlphaBeta, Choice, Decision, Greedy, Level, MaxN, OpponentModel, Player, PlayerError, Random, Thinking};
use boardwright_model::{Fingerprint, SeatId, State};
use boardwright_rules::Rules;

/// Searches by [`AlphaBeta`] between two seats without luck and secrets, else by [`MaxN`].
#[derive(Debug)]
pub struct AutoPlayer {
    level: Level,
    alpha_beta: AlphaBeta,
    max_n: MaxN,
    unsuitable: Option<Fingerprint>,
}

impl AutoPlayer {
    /// A player of a level. The seed gives it its luck.
    pub fn new(level: Level, seed: u64) -> Self {
        Self {
            level,
            alpha_beta: AlphaBeta::new(level, seed),
            max_n: MaxN::new(level, OpponentModel::BySeats, seed),
            unsuitable: None,
        }
    }
}

impl Player for AutoPlayer {
    fn name(&self) -> String {
        format!("search:{}", self.level)
    }

    fn choose(&mut self, decision: Decision<'_>, report: &mut dyn FnMut(&Thinking)) -> Result<Choice, PlayerError> {
        if self.unsuitable != Some(decision.rules.fingerprint()) {
            match self.alpha_beta.choose(decision, report) {
                Err(PlayerError::Unsuitable { .. }) => self.unsuitable = Some(decision.rules.fingerprint()),
                result => return result,
            }
        }
        self.max_n.choose(decision, report)
    }
}

/// Asks one player; where it cannot choose, the greedy one, and at last the random one. Why is said in the choice.
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

    fn choose(&mut self, decision: Decision<'_>, report: &mut dyn FnMut(&Thinking)) -> Result<Choice, PlayerError> {
        let error = match self.player.choose(decision, report) {
            Err(error) if !matches!(error, PlayerError::NoAction { .. }) => error,
            result => return result,
        };
        let others: [&mut dyn Player; 2] = [&mut self.greedy, &mut self.random];
        for other in others {
            if let Ok(choice) = other.choose(decision, report) {
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
