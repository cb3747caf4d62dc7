//! The player that searches in whatever way suits the rules.

use std::sync::Arc;

use super::{AlphaBeta, Budget, Choice, Foresight, Level, Player, PlayerError, Stance, Thinking};
use crate::model::{Fingerprint, SeatId, State};
use crate::rules::Rules;

/// Searches by [`AlphaBeta`] between two seats without luck and secrets, else by [`Foresight`].
#[derive(Debug)]
pub struct Versatile {
    level: Level,
    alpha_beta: AlphaBeta,
    foresight: Foresight,
    /// The rules for which alpha-beta does not do.
    unsuitable: Option<Fingerprint>,
}

impl Versatile {
    /// A player of a level. The seed gives it its luck.
    pub fn new(level: Level, seed: u64) -> Self {
        Self {
            level,
            alpha_beta: AlphaBeta::new(level, seed),
            foresight: Foresight::new(level, Stance::ByRules, seed),
            unsuitable: None,
        }
    }
}

impl Player for Versatile {
    fn name(&self) -> String {
        format!("search:{}", self.level)
    }

    fn choose(
        &mut self,
        rules: &dyn Rules,
        state: &Arc<State>,
        seat: SeatId,
        budget: &Budget,
        report: &mut dyn FnMut(&Thinking),
    ) -> Result<Choice, PlayerError> {
        if self.unsuitable != Some(rules.fingerprint()) {
            match self.alpha_beta.choose(rules, state, seat, budget, report) {
                Err(PlayerError::Unsuitable { .. }) => self.unsuitable = Some(rules.fingerprint()),
                result => return result,
            }
        }
        self.foresight.choose(rules, state, seat, budget, report)
    }
}
