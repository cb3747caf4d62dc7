//! The player that takes any legal action.

use std::time::Instant;

use super::{Choice, Decision, Player, PlayerError, Thinking};
use boardwright_model::diagnostic::Code;
use boardwright_model::{Action, Rejection};
use boardwright_rules::{Generator, flow, random_action};

/// Takes any legal action, each as likely as any other; where there are too many to be listed, one picked step by step.
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

    fn any(&mut self, mut actions: Vec<Action>) -> Option<Action> {
        let index = self.generator.below(actions.len() as u32) as usize;
        (index < actions.len()).then(|| actions.swap_remove(index))
    }
}

impl Player for Random {
    fn name(&self) -> String {
        "random".to_owned()
    }

    fn choose(&mut self, decision: Decision<'_>, _report: &mut dyn FnMut(&Thinking)) -> Result<Choice, PlayerError> {
        let Decision { rules, state, seat, .. } = decision;
        let begun = Instant::now();
        let action = match flow::legal(rules, state, seat) {
            Ok(actions) => self.any(actions),
            Err(Rejection::Fault(fault)) if fault.code == Code::TooManyActions => random_action(rules, state, seat, &mut self.generator)?,
            Err(_) => self.any(flow::available(rules, state, seat)?),
        };
        let action = action.ok_or_else(|| PlayerError::no_action(state, seat))?;
        Ok(Choice {
            elapsed: begun.elapsed(),
            ..Choice::of(action)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Budget;
    use boardwright_fixtures::{Race, Rows};
    use boardwright_model::SeatId;
    use boardwright_rules::{Luck, Transaction};

    fn chosen(seed: u64, count: usize) -> Vec<boardwright_model::Action> {
        let rules = Rows::new(3, 3, 3);
        let state = rules.begun("").unwrap();
        let mut player = Random::new(seed);
        let mut choose = || {
            player
                .choose(
                    Decision {
                        rules: &rules,
                        state: &state,
                        seat: SeatId(0),
                        budget: &Budget::nodes(0),
                    },
                    &mut |_| {},
                )
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
        let result = Random::new(1).choose(
            Decision {
                rules: &rules,
                state: transaction.state(),
                seat: SeatId(1),
                budget: &Budget::unlimited(),
            },
            &mut |_| {},
        );
        assert_eq!(result.unwrap_err().to_string(), "blue has no action to choose from");
    }
}
