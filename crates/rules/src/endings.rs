//! How a match ends by what its ruleset declares.

use std::convert::Infallible;
use std::sync::Arc;

use smallvec::SmallVec;

use super::{Rules, flow};
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{
    Board, CellId, CellSet, Declarations, Ending, EndingCondition, EndingResult, KindId, Limit, Outcome, Piece, Rejection, SeatId, State,
    Target, Value,
};

/// When endings by `no_actions` are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoActionsCheck {
    /// With the other endings.
    Now,
    /// Only if another ending applies: the declared order decides between them. The caller checks later, when it can draw no action.
    Deferred,
}

/// The outcome that the declared endings give, if any applies.
pub(super) fn declared_outcome(rules: &dyn Rules, state: &Arc<State>, no_actions: NoActionsCheck) -> Result<Option<Outcome>, Rejection> {
    for ending in &state.declarations().endings {
        if no_actions == NoActionsCheck::Deferred && matches!(ending.condition, EndingCondition::NoActions) {
            continue;
        }
        if let Some(seat) = concerned(rules, state, ending)? {
            return match no_actions {
                NoActionsCheck::Now => outcome(rules, state, ending, seat).map(Some),
                NoActionsCheck::Deferred => declared_outcome(rules, state, NoActionsCheck::Now),
            };
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

/// Whether the condition of an ending holds: for which seat, if it is about one.
#[expect(clippy::option_option, reason = "whether it holds, and of whom, are two questions")]
fn concerned(rules: &dyn Rules, state: &Arc<State>, ending: &Ending) -> Result<Option<Option<SeatId>>, Rejection> {
    let board = state.board();
    let region = |name: &str| board.find_region(name).map(|region| board.region(region));
    let of_seat = |holds: &dyn Fn(SeatId) -> bool| {
        let concerned = |seat: &SeatId| ending.seat.is_none_or(|only| only == *seat) && !state.eliminated().contains(*seat) && holds(*seat);
        state.declarations().all_seats().iter().find(concerned).map(Some)
    };
    Ok(match &ending.condition {
        EndingCondition::NoPieces { kind: None } => of_seat(&|seat| state.in_play(seat) == 0),
        EndingCondition::NoPieces { kind: Some(kind) } => {
            let is_one = |piece: &Piece, seat| piece.owner == Some(seat) && piece.kind == *kind && !piece.place.is_off();
            of_seat(&|seat| !state.pieces().any(|piece| is_one(piece, seat)))
        }
        EndingCondition::Row { length } => of_seat(&|seat| {
            let row = |cells: &CellSet| board.has_row(cells, i64::from(*length), &mut |_| Ok::<(), Infallible>(()));
            state.owned_by(seat).is_some_and(|cells| row(cells) == Ok(true))
        }),
        EndingCondition::Enters { region: name, kind } => region(name).and_then(|region| {
            let is_one = |cell: CellId, seat: SeatId, kind: KindId| {
                let mut pieces = state.pieces_at(cell).iter().filter_map(|piece| state.piece(*piece));
                pieces.any(|piece| piece.owner == Some(seat) && piece.kind == kind)
            };
            of_seat(&|seat| {
                let stands = state.owned_by(seat).filter(|cells| cells.intersects(region));
                stands.is_some_and(|cells| kind.is_none_or(|kind| cells.intersection(region).iter().any(|cell| is_one(cell, seat, kind))))
            })
        }),
        EndingCondition::Fills { region: name } => region(name)
            .filter(|region| !region.is_empty())
            .and_then(|region| of_seat(&|seat| state.owned_by(seat).is_some_and(|cells| region.is_subset(cells)))),
        EndingCondition::Connects { regions } => {
            let regions: Option<SmallVec<[&CellSet; 4]>> = regions.iter().map(|name| region(name)).collect();
            regions.and_then(|regions| of_seat(&|seat| state.owned_by(seat).is_some_and(|cells| connects(board, cells, &regions))))
        }
        EndingCondition::Full => (state.occupied().count() == board.all().count()).then_some(None),
        EndingCondition::NoActions => {
            let stuck = |seat: SeatId| flow::has_legal(rules, state, seat).map(|has| !has);
            match state.acting().first().filter(|seat| ending.seat.is_none_or(|only| only == *seat)) {
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

/// Whether neighbouring cells of a set lead from the first of some regions to all the others.
fn connects(board: &Board, cells: &CellSet, regions: &[&CellSet]) -> bool {
    let Some((first, others)) = regions.split_first() else {
        return false;
    };
    // Most often a side has nothing in one of them.
    if !regions.iter().all(|region| cells.intersects(region)) {
        return false;
    }
    let mut starts = cells.intersection(first);
    while let Some(start) = starts.first() {
        let joined = board.flood(&CellSet::from_cells(cells.capacity(), [start]), cells);
        if others.iter().all(|region| joined.intersects(region)) {
            return true;
        }
        starts.subtract(&joined);
    }
    false
}

/// Checks that a board has the regions of the declared endings.
///
/// # Errors
/// The first one that it does not have.
pub fn check_endings(declarations: &Declarations, board: &Board) -> Result<(), Diagnostic> {
    for region in declarations.endings.iter().flat_map(|ending| ending.condition.regions()) {
        if board.find_region(region).is_none() {
            let message = format!("an ending asks for the region {region:?}, which the map does not have");
            return Err(Diagnostic::error(Code::NoSuchThing, message).with_help("draw it in the map, or name one of its regions"));
        }
    }
    Ok(())
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
