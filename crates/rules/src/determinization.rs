//! Determinization: sampling what a view hides, for players that search where something is hidden.

use std::sync::Arc;

use super::{Generator, Luck, Rules, Transaction};
use boardwright_model::{Rejection, SeatId, State};

/// Samples a state that `seat` would see as `view`: the rules fill in what is hidden, with luck from the generator. Where nothing can be
/// hidden it is the view itself; where the rules cannot do it, `None`.
///
/// # Errors
/// If the rules are at fault.
pub fn determinize(rules: &dyn Rules, view: &Arc<State>, seat: SeatId, generator: &mut Generator) -> Result<Option<Arc<State>>, Rejection> {
    if !view.may_hide() {
        return Ok(Some(Arc::clone(view)));
    }
    let luck = Luck::Roll(Generator::new(generator.next_seed()));
    let mut transaction = Transaction::new(Arc::new(State::clone(view)), luck);
    transaction.determinizes = true;
    let knows_how = rules.guidance().determinize(&mut transaction, seat)?;
    Ok(knows_how.then(|| transaction.into_parts().0))
}
