//! Actions in the place of one that could not be chosen, or was refused.

use std::sync::Arc;

use super::{Generator, Rejection, Rules, flow, pick_blindly};
use crate::model::{Action, SeatId, State};

/// How many actions are picked step by step before all are listed.
const MOST_BLIND: u32 = 10;

/// Legal actions of a seat by luck, one after the other until one can be carried out. The first ones are picked step by step, for which
/// nothing has to be listed; where these lead nowhere, all that can be listed come in a random order.
#[derive(Debug, Default)]
pub struct StandIns {
    picked: u32,
    /// What is left of all that could be listed.
    listed: Option<Vec<Action>>,
}

impl StandIns {
    /// The next action, for a state in which those before could not be carried out; `None` if there is no other.
    ///
    /// # Errors
    /// If nothing can be listed because the rules are at fault.
    pub fn next(
        &mut self,
        rules: &dyn Rules,
        state: &Arc<State>,
        seat: SeatId,
        generator: &mut Generator,
    ) -> Result<Option<Action>, Rejection> {
        if self.picked < MOST_BLIND {
            self.picked += 1;
            // What one sort of action is at fault with is left out of the list.
            if let Ok(Some(action)) = pick_blindly(rules, state, seat, generator) {
                return Ok(Some(action));
            }
            self.picked = MOST_BLIND;
        }
        let listed = match &mut self.listed {
            Some(listed) => listed,
            none => none.insert(flow::available(rules, state, seat)?),
        };
        let index = generator.below(listed.len().min(1 << 30) as u32) as usize;
        Ok((index < listed.len()).then(|| listed.swap_remove(index)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::fixture::Rows;

    #[test]
    fn first_come_some_by_luck_and_then_every_action_once() {
        let rules = Rows::new(3, 3, 3);
        let state = rules.begun("rb. ... ...").unwrap();
        let seat = state.acting().first().unwrap();
        let (mut stand_ins, mut generator) = (StandIns::default(), Generator::new(3));
        let mut next = || stand_ins.next(&rules, &state, seat, &mut generator).unwrap();
        for _ in 0..MOST_BLIND {
            flow::check(&rules, &state, &next().unwrap()).unwrap();
        }
        let mut rest: Vec<Action> = std::iter::from_fn(next).collect();
        rest.sort_unstable();
        assert_eq!(rest, flow::legal(&rules, &state, seat).unwrap());
    }
}
