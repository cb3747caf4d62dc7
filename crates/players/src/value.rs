//! Values: those of states as the rules give them, and of ends, which say how far away they are.

use std::cmp::Ordering;
use std::sync::Arc;

use boardwright_model::{Outcome, Rejection, SeatId, State, WIN};
use boardwright_rules::Rules;

/// The greatest score that is told apart from a certain win.
const MOST_POINTS: i64 = 400_000_000;

/// The value of a state for a seat: the one that the rules give, or else its pieces in play against those of all others.
pub(super) fn of_state(rules: &dyn Rules, state: &Arc<State>, seat: SeatId) -> Result<i64, Rejection> {
    let count_pieces = || {
        let in_play = |seat| state.in_play(seat) as i64;
        2 * in_play(seat) - state.declarations().all_seats().iter().map(in_play).sum::<i64>()
    };
    Ok(rules.guidance().value(state, seat)?.unwrap_or_else(count_pieces))
}

pub(super) fn of_points(points: i64) -> i32 {
    points.clamp(-MOST_POINTS, MOST_POINTS) as i32
}

/// The value of an end for a seat, so many actions ahead: a sole win, a sole loss, or something between by how many other
/// seats it leaves behind.
pub(super) fn of_outcome(outcome: &Outcome, seat: SeatId, ahead: i32) -> i32 {
    let (lead, others) = lead(outcome, seat);
    let whole = i64::from(WIN) * lead / others;
    (whole - i64::from(ahead) * whole.signum()) as i32
}

/// How many more seats an end leaves behind a seat than before it, of so many others.
pub(super) fn lead(outcome: &Outcome, seat: SeatId) -> (i64, i64) {
    let others = (outcome.places.len() as i64 - 1).max(1);
    let Some(own) = outcome.places.get(seat.index()) else {
        return (0, others);
    };
    let lead = outcome.places.iter().map(|place| match place.cmp(own) {
        Ordering::Greater => 1,
        Ordering::Equal => 0,
        Ordering::Less => -1,
    });
    (lead.sum(), others)
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_model::Evaluation;

    const RED: SeatId = SeatId(0);

    #[test]
    fn a_near_win_is_worth_more_than_a_far_one_and_a_far_loss_more_than_a_near_one() {
        let (won, lost) = (Outcome::win(2, RED, "", ""), Outcome::win(2, SeatId(1), "", ""));
        assert!(of_outcome(&won, RED, 1) > of_outcome(&won, RED, 3));
        assert!(of_outcome(&lost, RED, 4) > of_outcome(&lost, RED, 2));
        assert_eq!(of_outcome(&Outcome::draw(2, "", ""), RED, 5), 0);
    }

    #[test]
    fn between_many_seats_each_one_left_behind_counts() {
        let places = Outcome::by_score(vec![9, 5, 5, 1], "", "");
        let values: Vec<i32> = (0..4).map(|seat| of_outcome(&places, SeatId(seat), 0)).collect();
        assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
        assert_eq!((values[0], values[1], values[3]), (WIN, 0, -WIN));
    }

    #[test]
    fn a_score_tells_how_far_away_the_end_is() {
        let won = Outcome::win(2, RED, "", "");
        assert_eq!(Evaluation::of_score(i64::from(of_outcome(&won, RED, 3))), Evaluation::WinsIn(3));
        assert_eq!(
            Evaluation::of_score(i64::from(of_outcome(&won, SeatId(1), 2))),
            Evaluation::LosesIn(2)
        );
        assert!(matches!(
            Evaluation::of_score(i64::from(of_points(i64::MAX))),
            Evaluation::Points(_)
        ));
    }
}
