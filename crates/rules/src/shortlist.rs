//! Shortlists: of many actions the likeliest, found without making an action of each.

use std::sync::Arc;

use super::listing::{is_last_resort, may};
use super::{Generator, Request, RequestKind, Rules, flow};
use boardwright_model::{Action, Rejection, SeatId, State};

/// The likeliest of the actions of a seat.
#[derive(Clone, Debug, Default)]
pub struct Shortlist {
    /// The likeliest ones with their priors in hundredths of log-odds, the likeliest first, equal ones in a random order.
    pub actions: Vec<(Action, i32)>,
    /// How many more there are.
    pub rest: usize,
    /// The sum of the probabilities of all, the rest among them, each relative to that of the likeliest.
    pub sum: f32,
}

/// The likeliest actions of a seat, so many at most. `None` where a prior is not all that is said of its actions, as where there are several
/// sorts, hooks name candidates or give priors, or all are equally likely: then they have to be listed.
///
/// # Errors
/// If the rules are at fault.
pub fn shortlist(
    rules: &dyn Rules,
    state: &Arc<State>,
    seat: SeatId,
    most: usize,
    generator: &mut Generator,
) -> Result<Option<Shortlist>, Rejection> {
    let _request = Request::begin(rules, RequestKind::Step);
    let mut offered = flow::offered(state, seat);
    let (Some(action), None) = (offered.next(), offered.next()) else {
        return Ok(None);
    };
    let Some(pattern) = rules.pattern(action) else { return Ok(None) };
    if is_last_resort(state, action) || rules.guidance().looks_at_each(action) || !may(rules, state, seat, action)? {
        return Ok(None);
    }
    Ok(pattern.shortlist(state, (seat, action), most, generator))
}
