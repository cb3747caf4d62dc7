//! How a match ends beside its rules: a seat forfeits, or all agree on a draw.
#![expect(
    clippy::missing_errors_doc,
    reason = "they fail if the match is over, and else if the rules are at fault"
)]

use super::flow::{legal, perform_legal, settle, whole};
use super::listeners::Watch;
use super::{Request, RequestKind, Rules, Transaction};
use boardwright_model::{Forfeit, Forfeits, Outcome, Refusal, RefusalCode, Rejection, SeatId, SeatSet, Sentence, State, sentence};

/// The most questions that are answered for a seat which forfeits.
const MOST_ANSWERS: usize = 100;

/// The seats that are not out of the match.
pub fn seats_left(state: &State) -> SeatSet {
    let seats = state.declarations().all_seats().iter();
    seats.filter(|seat| !state.eliminated().contains(*seat)).collect()
}

/// Whether a computer player plays a seat on that forfeits: others go on without it, and the rules do not say that it drops out.
pub fn is_played_on(state: &State) -> bool {
    state.declarations().forfeits == Forfeits::PlayedOn && seats_left(state).count() > 2
}

/// A seat forfeits. It is out of the match, and when one seat is left, that one has won. Where three or more are left, questions that wait for it are answered
/// with the first legal answer, and its turn ends; where [a computer player plays it on](is_played_on) nothing changes.
pub fn forfeit(rules: &dyn Rules, transaction: &mut Transaction, seat: SeatId, why: Forfeit) -> Result<(), Rejection> {
    let _request = Request::begin(rules, RequestKind::Step);
    check_goes_on(transaction.state())?;
    let left = seats_left(transaction.state());
    if !left.contains(seat) {
        return Err(Refusal::new(RefusalCode::NotYourSeat, sentence!("this seat is out of the match")).into());
    }
    if is_played_on(transaction.state()) {
        return Ok(());
    }
    whole(transaction, |transaction| {
        if left.count() > 2 {
            answer_questions(rules, transaction, seat)?;
        }
        if transaction.state().outcome().is_some() {
            return Ok(());
        }
        let mut watch = Watch::new(rules, transaction);
        transaction.eliminate(seat)?;
        watch.catch_up(transaction)?;
        let left = seats_left(transaction.state());
        if transaction.state().outcome().is_none() && left.count() <= 1 {
            let reason = forfeit_sentence(transaction.state(), seat, why);
            let seats = transaction.state().declarations().seats.len();
            return transaction.end(Outcome::of_left(seats, left, "", reason.text()));
        }
        settle(rules, transaction, watch, false)
    })
}

/// All seats agree on a draw, which those share that are not out of the match.
pub fn agree_draw(transaction: &mut Transaction) -> Result<(), Rejection> {
    check_goes_on(transaction.state())?;
    let seats = transaction.state().declarations().seats.len();
    let left = seats_left(transaction.state());
    let reason = sentence!("the players have agreed on it");
    transaction.end(Outcome::of_left(seats, left, "", reason.text()))
}

/// That a seat has forfeited, and how.
pub fn forfeit_sentence(state: &State, seat: SeatId, why: Forfeit) -> Sentence {
    let seat = state.declarations().seat_title(seat);
    match why {
        Forfeit::Resigned => sentence!("{seat} resigned"),
        Forfeit::OutOfTime => sentence!("{seat} ran out of time"),
    }
}

fn check_goes_on(state: &State) -> Result<(), Rejection> {
    if state.outcome().is_some() {
        return Err(Refusal::new(RefusalCode::MatchOver, sentence!("the match is over")).into());
    }
    Ok(())
}

/// Answers the questions that wait for a seat: what was asked is half done without the answer.
fn answer_questions(rules: &dyn Rules, transaction: &mut Transaction, seat: SeatId) -> Result<(), Rejection> {
    for _ in 0..MOST_ANSWERS {
        let open = &transaction.state().sequence().decisions;
        let asks = |decision: &boardwright_model::Decision| decision.waiting.contains(seat);
        if transaction.state().outcome().is_some() || !open.iter().any(asks) {
            return Ok(());
        }
        if !open.last().is_some_and(asks) {
            break;
        }
        let Some(answer) = legal(rules, transaction.state(), seat)?.into_iter().next() else {
            break;
        };
        perform_legal(rules, transaction, &answer)?;
    }
    let reason = sentence!("the seat has to answer a question first");
    Err(Refusal::new(RefusalCode::NotNow, reason).into())
}
