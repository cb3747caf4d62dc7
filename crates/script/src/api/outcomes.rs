//! Words for how a match ends.

use rhai::plugin::*;
use rhai::{Dynamic, ImmutableString};

use super::super::value::{Answer, wrong};
use boardwright_model::{Outcome, SeatId, State};

/// How a match ends, as a script says it.
#[derive(Clone, Debug)]
pub struct EndOfMatch {
    result: EndResult,
    rule: ImmutableString,
    reason: ImmutableString,
}

#[derive(Clone, Debug)]
enum EndResult {
    Win(SeatId),
    Draw,
    Scores(Vec<i64>),
}

impl EndOfMatch {
    /// The outcome for the seats of a match.
    pub(crate) fn outcome(&self, state: &State) -> Answer<Outcome> {
        let seats = state.declarations().seats.len();
        match &self.result {
            EndResult::Win(seat) => Ok(Outcome::win(seats, *seat, &self.rule, &self.reason)),
            EndResult::Draw => Ok(Outcome::draw(seats, &self.rule, &self.reason)),
            EndResult::Scores(scores) if scores.len() == seats => Ok(Outcome::by_score(scores.clone(), &self.rule, &self.reason)),
            EndResult::Scores(scores) => Err(wrong(format!("{} scores for {seats} seats", scores.len()))),
        }
    }
}

fn numbers(scores: &Dynamic) -> Answer<Vec<i64>> {
    let items = super::convert::list_items(scores).ok_or_else(|| wrong("ranking takes a list of scores"))?;
    items
        .iter()
        .map(|score| score.as_int().map_err(|_| wrong("a score is a whole number")))
        .collect()
}

#[export_module]
pub(super) mod outcomes {
    use rhai::{Dynamic, ImmutableString};

    use super::super::super::value::Answer;
    use super::super::handles::Seat;
    use super::{EndOfMatch, EndResult, numbers};

    /// One seat wins, by a rule and for a reason shown to players.
    ///
    /// ```rhai
    /// fn outcome(view) { if view.empty.is_empty { win(view.turn_of, "3.1", "the board is full") } }
    /// ```
    pub fn win(seat: Seat, rule: ImmutableString, reason: ImmutableString) -> EndOfMatch {
        EndOfMatch {
            result: EndResult::Win(seat.id),
            rule,
            reason,
        }
    }

    /// No seat wins.
    ///
    /// ```rhai
    /// fn outcome(view) { if view.empty.is_empty { draw("3.2", "the board is full") } }
    /// ```
    pub fn draw(rule: ImmutableString, reason: ImmutableString) -> EndOfMatch {
        EndOfMatch {
            result: EndResult::Draw,
            rule,
            reason,
        }
    }

    /// Places by score, the highest first: one score a seat, in turn order.
    ///
    /// ```rhai
    /// fn outcome(view) { if view.round > 10 { ranking(view.seats.map(|seat| seat.pieces_in_play), "6", "ten rounds") } }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn ranking(scores: Dynamic, rule: ImmutableString, reason: ImmutableString) -> Answer<EndOfMatch> {
        Ok(EndOfMatch {
            result: EndResult::Scores(numbers(&scores)?),
            rule,
            reason,
        })
    }
}
