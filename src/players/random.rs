//! The player that takes any legal action.

use std::sync::Arc;

use super::{Budget, Choice, Player, PlayerError, Thinking};
use crate::model::{SeatId, State};
use crate::rules::{Generator, Rules, flow};

/// Takes any legal action, each as likely as any other.
#[derive(Clone, Debug)]
pub struct Random {
    generator: Generator,
}

impl Random {
    /// A player with luck of its own.
    pub fn new(seed: u64) -> Self {
        Self {
            generator: Generator::new(seed),
        }
    }
}

impl Player for Random {
    fn name(&self) -> String {
        "random".to_owned()
    }

    fn choose(
        &mut self,
        rules: &dyn Rules,
        state: &Arc<State>,
        seat: SeatId,
        budget: &Budget,
        _report: &mut dyn FnMut(&Thinking),
    ) -> Result<Choice, PlayerError> {
        let meter = budget.meter();
        let mut actions = flow::available(rules, state, seat)?;
        if actions.is_empty() {
            return Err(PlayerError::no_action(state, seat));
        }
        let action = actions.swap_remove(self.generator.below(actions.len() as u32) as usize);
        Ok(Choice {
            line: vec![action.clone()],
            action,
            score: 0,
            depth: 0,
            nodes: 0,
            elapsed: meter.elapsed(),
            instead_of: None,
            thoughts: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::fixture::Rows;
    use crate::rules::{Luck, Transaction, fixture::Race};

    fn chosen(seed: u64, count: usize) -> Vec<crate::model::Action> {
        let rules = Rows::new(3, 3, 3);
        let state = rules.begun("").unwrap();
        let mut player = Random::new(seed);
        let mut choose = || {
            player
                .choose(&rules, &state, SeatId(0), &Budget::nodes(0), &mut |_| {})
                .unwrap()
                .action
        };
        (0..count).map(|_| choose()).collect()
    }

    #[test]
    fn every_action_is_taken_at_times_and_the_same_seed_takes_the_same() {
        let actions = chosen(1, 200);
        let mut kinds = actions.clone();
        kinds.sort();
        kinds.dedup();
        assert_eq!(kinds.len(), 9);
        assert_eq!(actions, chosen(1, 200));
        assert_ne!(actions, chosen(2, 200));
    }

    #[test]
    fn a_seat_that_is_not_asked_has_no_choice() {
        let rules = Race::default();
        let mut transaction = Transaction::new(Race::start().unwrap(), Luck::Roll(Generator::new(1)));
        flow::begin(&rules, &mut transaction).unwrap();
        let result = Random::new(1).choose(&rules, transaction.state(), SeatId(1), &Budget::unlimited(), &mut |_| {});
        assert_eq!(result.unwrap_err().to_string(), "blue has no action to choose from");
    }
}
