//! Standing orders: what people have told the rules to go on with, carried out by actions of their own.

use std::sync::Arc;

use super::{Request, RequestKind, Rules};
use boardwright_model::{Action, Rejection, SeatId, State};

/// The most actions that standing orders may call for in a row, with nothing between them.
pub const MOST_STANDING_ACTIONS: usize = 500;

/// The action that the standing orders of a seat call for now, as it sees the match. `None` if it may not act, or they call for nothing. It is
/// not checked: it is carried out, or refused, as any action of the seat.
///
/// # Errors
/// If the rules are at fault.
pub fn standing_action(rules: &dyn Rules, view: &Arc<State>, seat: SeatId) -> Result<Option<Action>, Rejection> {
    if !view.acting().contains(seat) {
        return Ok(None);
    }
    let _request = Request::begin(rules, RequestKind::Step);
    rules.standing_action(view, seat)
}
