//! How a match ends by what its ruleset declares.
#![expect(clippy::missing_errors_doc, reason = "they fail if the rules are at fault")]

use std::sync::Arc;

use super::{Rules, flow};
use boardwright_model::diagnostic::Code;
use boardwright_model::{Ending, EndingCondition, EndingResult, Limit, Outcome, Rejection, SeatId, State, Target, Value};

/// The outcome that the declared endings give, if any applies.
pub fn declared_outcome(rules: &dyn Rules, state: &Arc<State>) -> Result<Option<Outcome>, Rejection> {
    for ending in &state.declarations().endings {
        if let Some(seat) = concerned(rules, state, &ending.condition)? {
            return outcome(rules, state, ending, seat).map(Some);
        }
    }
    Ok(None)
}

/// The outcome when nobody can do anything in any turn.
pub(super) fn nobody_can_act(rules: &dyn Rules, state: &Arc<State>) -> Result<Outcome, Rejection> {
    let mut endings = state.declarations().endings.iter();
    let Some(ending) = endings.find(|ending| ending.condition == EndingCondition::NobodyCanAct) else {
        let message = "nobody can do anything, and no ending is declared for it: add one with when: \"nobody_can_act\"";
        return Err(Rejection::at_fault(Code::NobodyCanAct, message));
    };
    outcome(rules, state, ending, None)
}

/// Whether a condition holds: for which seat, if it is about one.
#[expect(clippy::option_option, reason = "whether it holds, and of whom, are two questions")]
fn concerned(rules: &dyn Rules, state: &Arc<State>, condition: &EndingCondition) -> Result<Option<Option<SeatId>>, Rejection> {
    Ok(match condition {
        EndingCondition::NoPieces => {
            let mut all = state.declarations().all_seats().iter();
            all.find(|seat| !state.eliminated().contains(*seat) && state.in_play(*seat) == 0)
                .map(Some)
        }
        EndingCondition::NoActions => {
            let stuck = |seat: SeatId| flow::has_legal(rules, state, seat).map(|has| !has);
            match state.acting().first() {
                Some(seat) if stuck(seat)? => Some(Some(seat)),
                _ => None,
            }
        }
        // Looked for where turns are passed over.
        EndingCondition::NobodyCanAct => None,
        EndingCondition::Repetition { times } => (state.times_stood() >= *times).then_some(None),
        EndingCondition::Reached { property, limit } => {
            let value = state.value(Target::Match, *property).and_then(Value::as_integer);
            let limit = match limit {
                Limit::Number(number) => Some(*number),
                Limit::Option(index) => state.options().get(*index).and_then(Value::as_integer),
            };
            value.zip(limit).is_some_and(|(value, limit)| value >= limit).then_some(None)
        }
    })
}

fn outcome(rules: &dyn Rules, state: &Arc<State>, ending: &Ending, seat: Option<SeatId>) -> Result<Outcome, Rejection> {
    let seats = state.declarations().seats.len();
    let places = |concerned: u8, others: u8| {
        let all = (0..seats).map(SeatId::from_index);
        all.map(|one| if Some(one) == seat { concerned } else { others }).collect()
    };
    let places = match ending.result {
        EndingResult::Loses => places(seats.min(255) as u8, 1),
        EndingResult::Wins => places(1, 2),
        EndingResult::Draw => vec![1; seats],
        EndingResult::Ranking => {
            let scores = rules.final_scores(state)?;
            return Ok(Outcome::by_score_among(scores, state.eliminated(), &ending.rule, &ending.reason));
        }
    };
    Ok(Outcome {
        places,
        scores: Vec::new(),
        rule: ending.rule.clone(),
        reason: ending.reason.clone(),
    })
}
