//! Guidance: what a ruleset tells computer players. Values of states, priors, candidate actions, playout weights, determinization.
#![expect(clippy::missing_errors_doc, reason = "they fail if the rules are at fault")]
#![expect(unused_variables, reason = "defaults look at nothing")]

use std::sync::Arc;

use super::{PlayoutWeights, Prior, Rules, Transaction};
use boardwright_model::{Action, ActionId, Rejection, SeatId, State};

/// What rules may tell computer players, each part of it optional. The host asks none of it, and no match depends on it.
pub trait Guidance {
    /// The value of a state for a seat, in points of the ruleset's own; 0 where the seats are level, as in a draw. Only what makes up the
    /// [`position`](State::position) may go into it: players keep values by position. `None` where the rules evaluate no states.
    fn value(&self, state: &Arc<State>, seat: SeatId) -> Result<Option<i64>, Rejection> {
        Ok(None)
    }

    /// The prior of an action, in hundredths of log-odds from -2,000 to 2,000: an action with 100 more is e times as likely to be the
    /// best. It never changes a value, but an action with [`HELD_BACK`] or less is chosen only where all others lose for certain. `None`
    /// where the rules say nothing about it; then its pattern may have a [`prior`].
    fn prior_of(&self, state: &Arc<State>, action: &Action) -> Result<Option<i32>, Rejection> {
        Ok(None)
    }

    /// Appends the candidate actions of one sort, where there are too many to search them all; none where all legal ones are. They have
    /// to be legal.
    fn candidates(&self, state: &Arc<State>, seat: SeatId, action: ActionId, out: &mut Vec<Action>) -> Result<(), Rejection> {
        Ok(())
    }

    /// Whether priors of single actions or candidates may be given for actions of one sort. Where not, the [`prior`] of their pattern is all
    /// that is said of them before a search.
    fn looks_at_each(&self, action: ActionId) -> bool {
        true
    }

    /// The playout weights of the actions of one sort; `None` where all weigh the same.
    fn playout_weights(&self, state: &Arc<State>, seat: SeatId, action: ActionId) -> Result<Option<PlayoutWeights>, Rejection> {
        Ok(None)
    }

    /// Determinizes the view of a seat: samples what it hides (the cards of a hand, the order of a deck) and puts it in, with luck of the
    /// player. Returns whether the rules know how.
    fn determinize(&self, transaction: &mut Transaction, seat: SeatId) -> Result<bool, Rejection> {
        Ok(false)
    }
}

/// An action whose prior is this or less is held back.
pub const HELD_BACK: i32 = -1_000;

/// The guidance of rules that give none.
#[derive(Clone, Copy, Debug)]
pub struct NoGuidance;

impl Guidance for NoGuidance {}

/// The prior over the actions of one sort, which is that of its pattern; `None` where there is none.
pub fn prior(rules: &dyn Rules, state: &State, seat: SeatId, action: ActionId) -> Option<Arc<Prior>> {
    rules.pattern(action)?.prior(state, seat)
}
