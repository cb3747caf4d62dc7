//! How a match looks to a seat.

use std::sync::Arc;

use super::{Request, RequestKind, Rules};
use boardwright_model::{ActionId, Domain, Looks, Pick, PickMark, Rejection, SeatId, State};

/// Rules that say how things look.
pub trait Appearance {
    /// How things look to a seat, where it is not as the declarations say.
    ///
    /// # Errors
    /// If the rules are at fault.
    fn looks(&self, view: &Arc<State>, seat: Option<SeatId>) -> Result<Looks, Rejection>;

    /// A number for each cell of a declared heat map, for a seat or whoever looks on; none for cells that the rules say nothing of.
    ///
    /// # Errors
    /// If the rules are at fault.
    fn heat_map(&self, view: &Arc<State>, seat: Option<SeatId>, map: usize) -> Result<Vec<Option<i64>>, Rejection>;

    /// What stands beside things that may be picked next: none where the rules say nothing of them, or are at fault.
    fn marks(&self, view: &Arc<State>, seat: SeatId, action: ActionId, picked: &[Pick], domain: &Domain) -> Vec<PickMark>;
}

/// How things look to a seat: as the declarations say, where the rules say nothing else.
///
/// # Errors
/// If the rules are at fault.
pub fn looks(rules: &dyn Rules, view: &Arc<State>, seat: Option<SeatId>) -> Result<Looks, Rejection> {
    let _request = Request::begin(rules, RequestKind::Step);
    rules.appearance().map_or_else(
        || {
            Ok(Looks {
                position: view.position(),
                ..Looks::default()
            })
        },
        |appearance| appearance.looks(view, seat),
    )
}

/// A number for each cell of a declared heat map, for a seat or whoever looks on; none for cells that the rules say nothing of.
///
/// # Errors
/// If the rules are at fault.
pub fn heat_map(rules: &dyn Rules, view: &Arc<State>, seat: Option<SeatId>, map: usize) -> Result<Vec<Option<i64>>, Rejection> {
    let _request = Request::begin(rules, RequestKind::Step);
    rules.appearance().map_or_else(
        || Ok(vec![None; view.board().cell_count()]),
        |appearance| appearance.heat_map(view, seat, map),
    )
}
