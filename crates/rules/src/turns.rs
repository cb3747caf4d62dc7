//! Whose turn comes next.

use super::Transaction;
use boardwright_model::{Rejection, SeatId, State, Target, TurnMark, Value};

/// The turn that follows, by the declared turns of a round or, where none are declared, by the order of the seats. Seats that are
/// out of the match and turns that are closed are left out; `next` asks for a certain seat. `None` if no turn is left.
pub(super) fn following(state: &State, next: Option<SeatId>) -> Option<TurnMark> {
    let declarations = state.declarations();
    let mark = state.sequence().mark;
    let has_begun = mark.turn > 0;
    let is_out = |seat: SeatId| state.eliminated().contains(seat);
    if declarations.turns.is_empty() {
        let seat = next.or_else(|| next_seat(state, mark.seat));
        let first = if has_begun { mark.first } else { seat.filter(|seat| seat.0 > 0) };
        let place = |seat: SeatId| {
            let (seats, first) = (declarations.seats.len().max(1), first.map_or(0, SeatId::index));
            (seat.index() + seats - first) % seats
        };
        // A seat that is given another turn has it in the same round.
        let wraps = match (mark.seat, seat) {
            (Some(old), Some(new)) => place(new) < place(old) || (new == old && next.is_none()),
            _ => true,
        };
        return Some(TurnMark {
            round: mark.round + u32::from(wraps),
            turn: mark.turn + 1,
            seat,
            first,
            ..mark
        });
    }
    let turns = declarations.turns.len() as u32;
    let shared = declarations.turns.iter().map(|turn| turn.seats.len() as u32).max().unwrap_or(1);
    let first = if has_begun {
        (mark.round.max(1) - 1) * turns + u32::from(mark.place) + 1
    } else {
        0
    };
    let mark_of = |index: u32| -> Option<TurnMark> {
        let (round, place) = (index / turns + 1, (index % turns) as u8);
        let seat = declarations.turn(place)?.seat(round)?;
        let fits = !mark.closed.contains(place) && !is_out(seat) && next.is_none_or(|next| next == seat);
        fits.then_some(TurnMark {
            round,
            turn: mark.turn + 1,
            seat: Some(seat),
            place,
            closed: mark.closed,
            first: None,
        })
    };
    // A turn that seats share comes to each of them once in as many rounds as there are.
    (first..first + turns * shared.max(1)).find_map(mark_of)
}

/// The seat that follows, in the order of declaration, among those still in the match.
fn next_seat(state: &State, after: Option<SeatId>) -> Option<SeatId> {
    let seats = state.declarations().seats.len();
    let first = after.map_or(0, |seat| seat.index() + 1);
    let mut order = (0..seats).map(|offset| SeatId::from_index((first + offset) % seats.max(1)));
    order.find(|seat| !state.eliminated().contains(*seat))
}

/// Counts on the clock of turns without progress, if there is one.
pub(super) fn count_progress(transaction: &mut Transaction) -> Result<(), Rejection> {
    let Some(clock) = transaction.state().declarations().progress_clock else {
        return Ok(());
    };
    let turns = transaction.state().value(Target::Match, clock).and_then(Value::as_integer);
    let turns = if transaction.removed { 0 } else { turns.unwrap_or(0) + 1 };
    transaction.set(Target::Match, clock, Value::Integer(turns))
}

/// What players call the present turn: its title, or that of the seat.
pub(super) fn title(state: &State) -> String {
    let mark = state.sequence().mark;
    match (state.declarations().turn(mark.place), mark.seat) {
        (Some(turn), _) => turn.title.to_string(),
        (None, Some(seat)) => state.declarations().seat_title(seat).to_string(),
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Luck, Transaction};
    use boardwright_fixtures::Rows;

    #[test]
    fn rounds_are_counted_from_whoever_began() {
        let rules = Rows::new(3, 3, 3);
        let mut transaction = Transaction::new(rules.begun("").unwrap(), Luck::Forbidden);
        transaction.set_turn(TurnMark::default()).unwrap();
        let mut rounds = Vec::new();
        for asked in [Some(SeatId(1)), Some(SeatId(1)), None, Some(SeatId(0)), None, None] {
            let mark = following(transaction.state(), asked).unwrap();
            rounds.push((mark.round, mark.seat.unwrap().0));
            transaction.set_turn(mark).unwrap();
        }
        assert_eq!(rounds, [(1, 1), (1, 1), (1, 0), (1, 0), (2, 1), (2, 0)]);
    }
}
