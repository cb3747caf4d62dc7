//! Determinization: sampling what a view hides, for players that search where something is hidden.

use std::sync::Arc;

use super::{Generator, Luck, Rules, Transaction};
use boardwright_model::{Rejection, SeatId, State};

/// Samples a state that `seat` would see as `view`: the rules fill in what is hidden, with luck from the generator. Where nothing can be
/// hidden it is the view itself; where the rules can not do it, `None`.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Race;
    use crate::flow;
    use boardwright_model::{KindId, Visibility, ZoneId};

    #[test]
    fn a_determinization_has_the_hidden_cards_and_what_is_seen_stays() {
        let rules = Race::default();
        let mut transaction = Transaction::new(Race::start().unwrap(), Luck::Roll(Generator::new(1)));
        flow::begin(&rules, &mut transaction).unwrap();
        let seat = SeatId(0);
        let view = transaction.state().project(&Visibility::new(Some(seat), None));
        let cards = |state: &State| state.pieces().filter(|piece| piece.kind == KindId(1)).count();
        assert_eq!((cards(&view), cards(transaction.state())), (1, 6));
        let world = determinize(&rules, &view, seat, &mut Generator::new(2)).unwrap().unwrap();
        assert_eq!(cards(&world), 6);
        for zone in 0..3 {
            let count = |state: &State| state.zone(ZoneId(zone)).unwrap().count();
            assert_eq!(count(&world), count(&view), "zone {zone}");
            assert_eq!(world.zone(ZoneId(zone)).unwrap().pieces().len(), count(&world));
        }
        assert_eq!(world.digest(), world.digest_from_scratch());
    }
}
