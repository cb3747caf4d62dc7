//! How play goes on: which actions are legal, what happens when one is carried out, when turns and matches end.

use std::fmt::Write as _;
use std::sync::Arc;

use super::{Fault, Refusal, RefusalCode, Rejection, Rules, Transaction};
use crate::model::{
    Action, ActionId, Domain, EndingCondition, EndingResult, Limit, Outcome, PhaseId, Pick, PickKind, Picks, SeatId, State, Target,
    TurnMark, Value,
};

/// The most phases, turns and hooks that may follow one another without anyone being asked.
const MOST_STEPS: usize = 10_000;

/// The most actions listed for one seat.
pub const MOST_ACTIONS: usize = 200_000;

/// The actions that fit the phase and the open decision, for a seat that may act.
pub fn offered(state: &State, seat: SeatId) -> impl Iterator<Item = ActionId> {
    let may_act = state.acting().contains(seat);
    let decision = state.sequence().decision().map(|decision| decision.action);
    let phase = state.sequence().phase;
    let all = state.frame().action_ids().filter(move |(id, declared)| {
        may_act
            && match decision {
                Some(answer) => answer == *id,
                None => !declared.answers_decision && (declared.phases.is_empty() || declared.phases.contains(&phase)),
            }
    });
    all.map(|(id, _)| id)
}

/// Appends all legal actions of a seat, in any order and perhaps twice. The quick form, for playouts.
///
/// # Errors
/// If the rules are at fault.
pub fn list(rules: &dyn Rules, state: &Arc<State>, seat: SeatId, out: &mut Vec<Action>) -> Result<(), Rejection> {
    for action in offered(state, seat) {
        list_sort(rules, state, seat, action, out)?;
    }
    Ok(())
}

/// Appends all legal actions of one sort that is offered.
fn list_sort(rules: &dyn Rules, state: &Arc<State>, seat: SeatId, action: ActionId, out: &mut Vec<Action>) -> Result<(), Rejection> {
    if rules.pattern(action).is_none() && !may(rules, state, seat, action)? {
        return Ok(());
    }
    if !rules.list(state, seat, action, out)? {
        enumerate(rules, state, seat, action, &mut Picks::new(), out)?;
    }
    Ok(())
}

/// All legal actions of a seat, sorted and unique.
///
/// # Errors
/// If the rules are at fault.
pub fn legal(rules: &dyn Rules, state: &Arc<State>, seat: SeatId) -> Result<Vec<Action>, Rejection> {
    let mut actions = Vec::new();
    list(rules, state, seat, &mut actions)?;
    actions.sort_unstable();
    actions.dedup();
    Ok(actions)
}

/// Appends the actions of a seat that a player should think about, in any order and perhaps twice: what the rules suggest where
/// they suggest something, else all that are legal. Suggestions are not checked.
///
/// # Errors
/// If the rules are at fault.
pub fn list_considered(rules: &dyn Rules, state: &Arc<State>, seat: SeatId, out: &mut Vec<Action>) -> Result<(), Rejection> {
    let before = out.len();
    let mut suggests = false;
    for action in offered(state, seat) {
        suggests |= rules.suggest(state, seat, action, out)?;
    }
    if !suggests {
        return list(rules, state, seat, out);
    }
    let suggested = out.len();
    for action in offered(state, seat) {
        // Sorts that are not suggested from are listed whole.
        let is_suggested = out
            .get(before..suggested)
            .unwrap_or_default()
            .iter()
            .any(|one| one.action == action);
        if !is_suggested {
            list_sort(rules, state, seat, action, out)?;
        }
    }
    Ok(())
}

/// The actions of a seat that a player should think about, sorted and unique. Suggestions are checked.
///
/// # Errors
/// If the rules are at fault, or suggest what is not legal.
pub fn considered(rules: &dyn Rules, state: &Arc<State>, seat: SeatId) -> Result<Vec<Action>, Rejection> {
    let mut actions = Vec::new();
    let mut suggested = Vec::new();
    for action in offered(state, seat) {
        suggested.clear();
        if rules.suggest(state, seat, action, &mut suggested)? {
            for one in &suggested {
                check(rules, state, one).map_err(|rejection| match rejection {
                    Rejection::Refused(refusal) => {
                        let what = plain_notation(state, one);
                        Fault::new("suggested-but-illegal", format!("{what} is suggested, but not legal: {refusal}")).into()
                    }
                    fault @ Rejection::Fault(_) => fault,
                })?;
            }
            actions.append(&mut suggested);
        }
        if actions.last().is_none_or(|last: &Action| last.action != action) {
            list_sort(rules, state, seat, action, &mut actions)?;
        }
    }
    actions.sort_unstable();
    actions.dedup();
    Ok(actions)
}

/// Whether a seat has any legal action.
///
/// # Errors
/// If the rules are at fault.
pub fn has_legal(rules: &dyn Rules, state: &Arc<State>, seat: SeatId) -> Result<bool, Rejection> {
    let mut actions = Vec::new();
    for action in offered(state, seat) {
        if let Some(pattern) = rules.pattern(action) {
            if pattern.has_any(state, seat) {
                return Ok(true);
            }
        } else if may(rules, state, seat, action)? {
            if !rules.list(state, seat, action, &mut actions)? {
                enumerate(rules, state, seat, action, &mut Picks::new(), &mut actions)?;
            }
            if !actions.is_empty() {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Whether an action can be asked at all now. Rules may say no by a refusal, which gives the reason.
fn may(rules: &dyn Rules, state: &Arc<State>, seat: SeatId, action: ActionId) -> Result<bool, Rejection> {
    match rules.may(state, seat, action) {
        Err(Rejection::Refused(_)) => Ok(false),
        result => result,
    }
}

/// Goes through the domains of an action, pick by pick.
fn enumerate(
    rules: &dyn Rules,
    state: &Arc<State>,
    seat: SeatId,
    action: ActionId,
    picked: &mut Picks,
    out: &mut Vec<Action>,
) -> Result<(), Rejection> {
    let count = state.frame().action(action).map_or(0, |declared| declared.picks.len());
    if picked.len() >= count {
        out.push(Action {
            seat,
            action,
            picks: picked.clone(),
        });
        return Ok(());
    }
    let domain = match rules.domain(state, seat, action, picked) {
        Err(Rejection::Refused(_)) => return Ok(()),
        result => result?,
    };
    for pick in domain.picks(MOST_ACTIONS) {
        if out.len() >= MOST_ACTIONS {
            let name = state.frame().action(action).map_or("?", |declared| &declared.name);
            return Err(Fault::new(
                "too-many-actions",
                format!("{name} has more than {MOST_ACTIONS} ways to be carried out"),
            )
            .into());
        }
        picked.push(pick);
        let result = enumerate(rules, state, seat, action, picked, out);
        picked.pop();
        result?;
    }
    Ok(())
}

/// What may be picked next, after some picks that are checked first. `None` when the picks are complete.
///
/// # Errors
/// If the action can not be asked now, a pick is not offered, or the rules are at fault.
pub fn next_domain(
    rules: &dyn Rules,
    state: &Arc<State>,
    seat: SeatId,
    action: ActionId,
    picked: &[Pick],
) -> Result<Option<Domain>, Rejection> {
    check_asked(rules, state, seat, action)?;
    let declared = state.frame().action(action).map_or(&[][..], |declared| &declared.picks);
    if picked.len() > declared.len() {
        return Err(Refusal::new(
            RefusalCode::WrongPicks,
            format!("{} picks given, {} asked", picked.len(), declared.len()),
        )
        .into());
    }
    for (index, (pick, declared)) in picked.iter().zip(declared).enumerate() {
        let domain = rules.domain(state, seat, action, picked.get(..index).unwrap_or_default())?;
        if !domain.contains(pick) {
            let text = pick_text(state, pick);
            let refusal = Refusal::new(RefusalCode::NotOffered, format!("{}: {text} can not be picked", declared.name));
            return Err(refusal.of_rule(rule_of(state, action, Some(index))).into());
        }
    }
    if picked.len() == declared.len() {
        Ok(None)
    } else {
        rules.domain(state, seat, action, picked).map(Some)
    }
}

/// The rule that says what may be picked, or when the action can be asked.
fn rule_of(state: &State, action: ActionId, pick: Option<usize>) -> Arc<str> {
    let declared = state.frame().action(action);
    let of_pick = declared.and_then(|declared| Some(&declared.picks.get(pick?)?.rule));
    let rule = of_pick
        .filter(|rule| !rule.is_empty())
        .or_else(|| declared.map(|declared| &declared.rule));
    rule.map_or_else(|| Arc::from(""), Arc::clone)
}

fn check_asked(rules: &dyn Rules, state: &Arc<State>, seat: SeatId, action: ActionId) -> Result<(), Rejection> {
    let refuse = |code, reason: String| Err(Refusal::new(code, reason).into());
    let Some(declared) = state.frame().action(action) else {
        return refuse(RefusalCode::UnknownAction, "there is no such action".to_owned());
    };
    if state.outcome().is_some() {
        return refuse(RefusalCode::MatchOver, "the match is over".to_owned());
    }
    if !state.acting().contains(seat) {
        let acting: Vec<_> = state
            .acting()
            .iter()
            .map(|seat| state.frame().seat_title(seat).to_string())
            .collect();
        return refuse(RefusalCode::NotYourTurn, format!("it is the turn of {}", acting.join(" and ")));
    }
    if !offered(state, seat).any(|offered| offered == action) || !rules.may(state, seat, action)? {
        let refusal = Refusal::new(RefusalCode::NotNow, format!("{} can not be done now", declared.title));
        return Err(refusal.of_rule(rule_of(state, action, None)).into());
    }
    Ok(())
}

/// Checks an action against phase, decision and domains.
///
/// # Errors
/// If it is not legal, with the reason.
pub fn check(rules: &dyn Rules, state: &Arc<State>, action: &Action) -> Result<(), Rejection> {
    match next_domain(rules, state, action.seat, action.action, &action.picks)? {
        None => Ok(()),
        Some(_) => Err(Refusal::new(RefusalCode::WrongPicks, "something is still to be picked").into()),
    }
}

/// Begins a match: first round, first phase, and the first seat, or the one that the rules let follow when they prepared the match.
///
/// # Errors
/// If the rules are at fault; nothing has changed then.
pub fn begin(rules: &dyn Rules, transaction: &mut Transaction) -> Result<(), Rejection> {
    whole(transaction, |transaction| {
        rules.begin(transaction)?;
        let requests = std::mem::take(&mut transaction.requests);
        let mark = transaction.state().sequence().mark;
        if mark.turn == 0 {
            let seat = requests.next_seat.or_else(|| next_seat(transaction.state(), None));
            transaction.set_turn(TurnMark { round: 1, turn: 1, seat })?;
        }
        rules.enter_phase(transaction)?;
        settle(rules, transaction)
    })
}

/// Takes up a match under changed rules: it ends at once if by these it is over.
///
/// # Errors
/// If the rules are at fault; nothing has changed then.
pub fn resume(rules: &dyn Rules, transaction: &mut Transaction) -> Result<(), Rejection> {
    whole(transaction, |transaction| settle(rules, transaction))
}

/// Checks an action and carries it out, with all that follows from it until someone is asked again or the match has ended.
///
/// # Errors
/// If it is refused or the rules are at fault; nothing has changed then.
pub fn perform(rules: &dyn Rules, transaction: &mut Transaction, action: &Action) -> Result<(), Rejection> {
    check(rules, transaction.state(), action)?;
    perform_legal(rules, transaction, action)
}

/// Carries out an action that is known to be legal, because it was listed for this very state.
///
/// # Errors
/// If the rules refuse it or are at fault; nothing has changed then.
pub fn perform_legal(rules: &dyn Rules, transaction: &mut Transaction, action: &Action) -> Result<(), Rejection> {
    whole(transaction, |transaction| {
        let decision = transaction.state().sequence().decision().map(|decision| decision.id);
        rules.carry_out(transaction, action)?;
        if let Some(decision) = decision {
            transaction.answer(action.seat, decision)?;
        }
        if transaction
            .state()
            .frame()
            .action(action.action)
            .is_some_and(|declared| declared.ends_turn)
        {
            transaction.end_turn(transaction.requests.next_seat);
        }
        settle(rules, transaction)
    })
}

/// Runs something whole or not at all.
fn whole(transaction: &mut Transaction, run: impl FnOnce(&mut Transaction) -> Result<(), Rejection>) -> Result<(), Rejection> {
    let mark = transaction.mark();
    let result = run(transaction);
    if result.is_err() {
        transaction.rollback(mark);
    }
    result
}

/// Grants what hooks asked for, until someone is asked or the match has ended.
fn settle(rules: &dyn Rules, transaction: &mut Transaction) -> Result<(), Rejection> {
    for step in 0..MOST_STEPS {
        let requests = std::mem::take(&mut transaction.requests);
        let state = transaction.state();
        let asks_to_go_on = requests.end_turn || requests.next_phase;
        if state.outcome().is_some() {
            return Ok(());
        }
        if !state.sequence().decisions.is_empty() {
            let message = "a turn or phase can not end while a question is open: end it where the question is answered";
            return if asks_to_go_on {
                Err(Fault::new("open-question", message).into())
            } else {
                Ok(())
            };
        }
        let phase = state.sequence().phase;
        let goes_on = asks_to_go_on || state.frame().phases.get(phase.index()).is_some_and(|phase| phase.automatic);
        let is_new_turn = step > 0 && phase == PhaseId(0);
        let is_over = (!goes_on || is_new_turn) && end_if_over(rules, transaction)?;
        if is_over || !goes_on {
            return Ok(());
        }
        rules.leave_phase(transaction)?;
        let last = transaction.state().frame().phases.len().saturating_sub(1);
        if requests.end_turn || phase.index() >= last {
            next_turn(transaction, requests.next_seat)?;
            transaction.set_phase(PhaseId(0))?;
        } else {
            transaction.set_phase(PhaseId(phase.0 + 1))?;
        }
        rules.enter_phase(transaction)?;
    }
    Err(Fault::new("endless-phases", format!("{MOST_STEPS} phases went by without anyone being asked")).into())
}

/// Ends the match if it is over.
fn end_if_over(rules: &dyn Rules, transaction: &mut Transaction) -> Result<bool, Rejection> {
    let outcome = match declared_outcome(rules, transaction.state())? {
        Some(outcome) => Some(outcome),
        None => rules.outcome(transaction.state())?,
    };
    let is_over = outcome.is_some();
    if let Some(outcome) = outcome {
        transaction.end(outcome)?;
    }
    Ok(is_over)
}

fn next_turn(transaction: &mut Transaction, next: Option<SeatId>) -> Result<(), Rejection> {
    if let Some(clock) = transaction.state().frame().progress_clock {
        let turns = transaction
            .state()
            .value(Target::Match, clock)
            .and_then(Value::as_integer)
            .unwrap_or(0);
        let turns = if transaction.removed { 0 } else { turns + 1 };
        transaction.set(Target::Match, clock, Value::Integer(turns))?;
    }
    let mark = transaction.state().sequence().mark;
    let seat = next.or_else(|| next_seat(transaction.state(), mark.seat));
    let wraps = match (mark.seat, seat) {
        (Some(old), Some(new)) => new <= old,
        _ => true,
    };
    transaction.set_turn(TurnMark {
        round: mark.round + u32::from(wraps),
        turn: mark.turn + 1,
        seat,
    })
}

/// The seat that follows, in the order of declaration, among those still in the match.
fn next_seat(state: &State, after: Option<SeatId>) -> Option<SeatId> {
    let seats = state.frame().seats.len();
    let first = after.map_or(0, |seat| seat.index() + 1);
    let mut order = (0..seats).map(|offset| SeatId::from_index((first + offset) % seats.max(1)));
    order.find(|seat| !state.eliminated().contains(*seat))
}

/// The outcome that the declared endings give, if any applies.
///
/// # Errors
/// If the rules are at fault.
pub fn declared_outcome(rules: &dyn Rules, state: &Arc<State>) -> Result<Option<Outcome>, Rejection> {
    let frame = state.frame();
    let seats = frame.seats.len();
    for ending in &frame.endings {
        let concerned = match &ending.condition {
            EndingCondition::NoPieces => {
                let mut in_match = frame.all_seats().iter().filter(|seat| !state.eliminated().contains(*seat));
                in_match.find(|seat| state.in_play(*seat) == 0).map(Some)
            }
            EndingCondition::NoActions => {
                let stuck = |seat: SeatId| has_legal(rules, state, seat).map(|has| !has);
                match state.acting().first() {
                    Some(seat) if stuck(seat)? => Some(Some(seat)),
                    _ => None,
                }
            }
            EndingCondition::Repetition { times } => (state.times_stood() >= *times).then_some(None),
            EndingCondition::Reached { property, limit } => {
                let value = state.value(Target::Match, *property).and_then(Value::as_integer);
                let limit = match limit {
                    Limit::Number(number) => Some(*number),
                    Limit::Option(index) => state.options().get(*index).and_then(Value::as_integer),
                };
                value.zip(limit).is_some_and(|(value, limit)| value >= limit).then_some(None)
            }
        };
        let Some(seat) = concerned else { continue };
        let places = |concerned_place: u8, others: u8| {
            let place = |index: usize| {
                if Some(SeatId::from_index(index)) == seat {
                    concerned_place
                } else {
                    others
                }
            };
            (0..seats).map(place).collect()
        };
        let places = match ending.result {
            EndingResult::Loses => places(seats.min(255) as u8, 1),
            EndingResult::Wins => places(1, 2),
            EndingResult::Draw => vec![1; seats],
        };
        return Ok(Some(Outcome {
            places,
            scores: Vec::new(),
            rule: ending.rule.clone(),
            reason: ending.reason.clone(),
        }));
    }
    Ok(None)
}

/// An action in plain words: its name and its picks.
pub fn plain_notation(state: &State, action: &Action) -> String {
    let declared = state.frame().action(action.action);
    let mut text = declared.map_or_else(|| "?".to_owned(), |declared| declared.name.to_string());
    for pick in &action.picks {
        let _ = write!(text, " {}", pick_text(state, pick));
    }
    text
}

/// A pick as players write it: names of cells and seats; a piece by the cell it is on.
pub fn pick_text(state: &State, pick: &Pick) -> String {
    let board = state.board();
    let piece_text = |piece: &crate::model::PieceId| match state.piece(*piece).and_then(|piece| piece.place.cell()) {
        Some(cell) if state.pieces_at(cell).len() == 1 => board.cell_name(cell).to_owned(),
        _ => format!("#{}", piece.0),
    };
    let joined = |texts: Vec<String>, separator: &str| texts.join(separator);
    match pick {
        Pick::Cell(cell) => board.cell_name(*cell).to_owned(),
        Pick::Cells(cells) => joined(cells.iter().map(|cell| board.cell_name(*cell).to_owned()).collect(), ","),
        Pick::Piece(piece) => piece_text(piece),
        Pick::Pieces(pieces) => joined(pieces.iter().map(piece_text).collect(), ","),
        Pick::Seat(seat) => state
            .frame()
            .seats
            .get(seat.index())
            .map_or_else(|| "?".to_owned(), |seat| seat.name.to_string()),
        Pick::Number(number) => number.to_string(),
        Pick::Choice(word) | Pick::Text(word) => word.to_string(),
        Pick::Path(path) => joined(path.iter().map(|cell| board.cell_name(*cell).to_owned()).collect(), "-"),
    }
}

/// Reads a pick as players write it. The reverse of [`pick_text`].
///
/// # Errors
/// If the text names nothing of that kind.
pub fn read_pick(state: &State, kind: PickKind, text: &str) -> Result<Pick, Refusal> {
    let board = state.board();
    let wrong = |what: &str| Refusal::new(RefusalCode::NotOffered, format!("{text:?} is no {what}"));
    let cell = |text: &str| board.find_cell(text).ok_or_else(|| wrong("cell of this board"));
    let piece = |text: &str| match text.strip_prefix('#').map(str::parse) {
        Some(Ok(id)) => Ok(crate::model::PieceId(id)),
        Some(Err(_)) => Err(wrong("piece")),
        None => state
            .pieces_at(cell(text)?)
            .first()
            .copied()
            .ok_or_else(|| wrong("cell with a piece")),
    };
    let split = |text: &str| {
        text.split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    Ok(match kind {
        PickKind::Cell => Pick::Cell(cell(text)?),
        PickKind::Cells => {
            let mut cells = split(text).iter().map(|text| cell(text)).collect::<Result<Vec<_>, _>>()?;
            cells.sort_unstable();
            Pick::Cells(cells)
        }
        PickKind::Piece => Pick::Piece(piece(text)?),
        PickKind::Pieces => {
            let mut pieces = split(text).iter().map(|text| piece(text)).collect::<Result<Vec<_>, _>>()?;
            pieces.sort_unstable();
            Pick::Pieces(pieces)
        }
        PickKind::Seat => Pick::Seat(state.frame().find_seat(text).ok_or_else(|| wrong("seat"))?),
        PickKind::Number => Pick::Number(text.parse().map_err(|_| wrong("whole number"))?),
        PickKind::Choice => Pick::Choice(Arc::from(text)),
        PickKind::Path => Pick::Path(text.split('-').map(cell).collect::<Result<_, _>>()?),
        PickKind::Text => Pick::Text(Arc::from(text)),
    })
}
