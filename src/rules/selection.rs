//! Legal actions without listing all of them: those of one sort, or any one where there are too many to list.

use std::sync::Arc;

use super::listing::list_sort;
use super::{Generator, Rejection, Rules, flow};
use crate::model::{Action, ActionId, Picks, SeatId, State};

/// How often picking blindly may lead nowhere before it is given up.
const MOST_TRIES: usize = 200;
/// Of so many picks at most one is taken.
const MOST_PICKS: usize = 10_000;

/// The legal actions of a seat of one sort, sorted and unique; none if that sort is not offered.
///
/// # Errors
/// If the rules are at fault.
pub fn legal_of(rules: &dyn Rules, state: &Arc<State>, seat: SeatId, action: ActionId) -> Result<Vec<Action>, Rejection> {
    let mut found = Vec::new();
    if flow::offered(state, seat).any(|offered| offered == action) {
        list_sort(rules, state, seat, action, &mut found)?;
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// A legal action picked step by step, each step by luck: where there are too many to be listed. Not all are equally likely. `None` if none
/// was found.
///
/// # Errors
/// If the rules are at fault.
pub fn pick_blindly(rules: &dyn Rules, state: &Arc<State>, seat: SeatId, generator: &mut Generator) -> Result<Option<Action>, Rejection> {
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
