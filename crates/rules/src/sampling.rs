//! Random legal actions, also where there are too many to list.
#![expect(clippy::missing_errors_doc, reason = "they fail if the rules are at fault")]

use std::sync::Arc;

use super::{Generator, Rules, flow};
use boardwright_model::{Action, ActionId, Picks, Rejection, SeatId, State};

/// The most attempts of [`random_action`].
const MOST_TRIES: usize = 200;
/// The most choices of one pick that are looked at.
const MOST_PICKS: usize = 10_000;

/// A random legal action, each of its picks drawn uniformly from its domain, so that not all actions are equally likely. `None` if none was
/// found.
pub fn random_action(rules: &dyn Rules, state: &Arc<State>, seat: SeatId, generator: &mut Generator) -> Result<Option<Action>, Rejection> {
    let offered: Vec<ActionId> = flow::offered(state, seat).collect();
    let mut any = |count: usize| generator.below(count.min(u32::MAX as usize) as u32) as usize;
    for _ in 0..MOST_TRIES {
        let Some(action) = offered.get(any(offered.len())).copied() else {
            break;
        };
        let mut picks = Picks::new();
        loop {
            match flow::next_domain(rules, state, seat, action, &picks) {
                Ok(None) => return Ok(Some(Action { seat, action, picks })),
                Ok(Some(domain)) => {
                    let mut choices = domain.picks(MOST_PICKS);
                    if choices.is_empty() {
                        break;
                    }
                    let chosen = any(choices.len());
                    picks.push(choices.swap_remove(chosen));
                }
                Err(Rejection::Refused(_)) => break,
                Err(fault) => return Err(fault),
            }
        }
    }
    Ok(None)
}

/// How many actions are drawn pick by pick before all are listed.
const MOST_BLIND: u32 = 10;

/// Random legal actions of a seat, in the place of one that could not be chosen or was refused: one after the other until one can be
/// carried out. The first ones are drawn pick by pick, for which nothing has to be listed; then all that can be listed come in a random
/// order.
#[derive(Debug, Default)]
pub struct RandomActionSampler {
    picked: u32,
    /// What is left of all that could be listed.
    listed: Option<Vec<Action>>,
}

impl RandomActionSampler {
    /// The next action, for a state in which those before could not be carried out; `None` if there is no other.
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
            if let Ok(Some(action)) = random_action(rules, state, seat, generator) {
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
