//! Reading actions that people write: the name of an action and its picks, the ruleset's notation, or the picks alone.

use std::sync::Arc;

use crate::model::{Action, ActionId, Pick, PickKind, Picks, SeatId, State};
use crate::rules::{Refusal, RefusalCode, Rejection, Rules, flow, sentence, split_pick};

/// Reads an action of a seat from text.
///
/// # Errors
/// A refusal that says what could not be understood or is not offered, or a fault of the rules.
pub(super) fn read_action(rules: &dyn Rules, view: &Arc<State>, seat: SeatId, text: &str) -> Result<Action, Rejection> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Refusal::new(RefusalCode::UnknownAction, sentence!("no action is named")).into());
    }
    let named = by_name(rules, view, seat, text);
    if let Some(Ok(action)) = &named
        && flow::check(rules, view, action).is_ok()
    {
        return Ok(action.clone());
    }
    if let Some(action) = by_notation(rules, view, seat, text)? {
        return Ok(action);
    }
    match named {
        Some(result) => result,
        None => by_picks(rules, view, seat, text)?.ok_or_else(|| not_understood(view, seat, text).into()),
    }
}

/// The action whose name the text begins with; `None` if it begins with none.
fn by_name(rules: &dyn Rules, view: &Arc<State>, seat: SeatId, text: &str) -> Option<Result<Action, Rejection>> {
    let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let frame = view.frame();
    let same = |(_, declared): &(ActionId, &crate::model::ActionDeclaration)| declared.name.eq_ignore_ascii_case(name);
    let (action, _) = frame.action_ids().find(same)?;
    Some(read_picks(rules, view, seat, action, rest))
}

/// The offered action whose picks the text is.
fn by_picks(rules: &dyn Rules, view: &Arc<State>, seat: SeatId, text: &str) -> Result<Option<Action>, Rejection> {
    let offered: Vec<ActionId> = flow::offered(view, seat).collect();
    let mut fault = None;
    for action in offered {
        let read = read_picks(rules, view, seat, action, text).and_then(|action| {
            flow::check(rules, view, &action)?;
            Ok(action)
        });
        match read {
            Ok(action) => return Ok(Some(action)),
            // The text may be meant for another action.
            Err(wrong @ Rejection::Fault(_)) => drop(fault.get_or_insert(wrong)),
            Err(Rejection::Refused(_)) => {}
        }
    }
    fault.map_or(Ok(None), Err)
}

fn read_picks(rules: &dyn Rules, view: &Arc<State>, seat: SeatId, action: ActionId, text: &str) -> Result<Action, Rejection> {
    let declared = view.frame().action(action).map_or(&[][..], |declared| &declared.picks);
    let mut rest = text.trim();
    let mut picks = Picks::new();
    for pick in declared {
        let (word, tail) = split_pick(view, pick.kind, rest);
        rest = tail;
        if word.is_empty() && pick.kind != PickKind::Text {
            // What was picked may not be possible, or lead nowhere: then nothing is asked.
            if let Some(domain) = flow::next_domain(rules, view, seat, action, &picks)?
                && domain.is_empty()
                && let Some(last) = picks.last()
            {
                let reason = sentence!("nothing can be done with {pick} now", pick = flow::pick_text(view, last));
                return Err(Refusal::new(RefusalCode::NotOffered, reason).into());
            }
            return Err(flow::still_to_pick(Some(pick)).into());
        }
        let picked = read_pick(rules, view, seat, action, &picks, (pick.kind, word))?;
        picks.push(picked);
    }
    if rest.is_empty() {
        Ok(Action { seat, action, picks })
    } else {
        Err(Refusal::new(
            RefusalCode::WrongPicks,
            sentence!("nothing more is to be picked, so {rest:?} is too much"),
        )
        .into())
    }
}

/// One pick. Of several pieces that the word may mean it takes one that is offered.
fn read_pick(
    rules: &dyn Rules,
    view: &Arc<State>,
    seat: SeatId,
    action: ActionId,
    picked: &[Pick],
    (kind, word): (PickKind, &str),
) -> Result<Pick, Rejection> {
    if kind == PickKind::Piece && !word.starts_with('#') {
        let is_meant = |piece: &&crate::model::Piece| {
            let on_cell = piece.place.cell().is_some_and(|cell| view.board().cell_name(cell) == word);
            on_cell
                || view
                    .frame()
                    .kind(piece.kind)
                    .is_some_and(|kind| kind.name.eq_ignore_ascii_case(word))
        };
        let domain = rules.domain(view, seat, action, picked)?;
        let mut meant = view.pieces().filter(is_meant).map(|piece| Pick::Piece(piece.id));
        if let Some(pick) = meant.find(|pick| domain.contains(pick)) {
            return Ok(pick);
        }
    }
    Ok(flow::read_pick(view, kind, word)?)
}

/// The legal action of a notation, that of the ruleset or the plain one: first exactly, then ignoring case.
fn by_notation(rules: &dyn Rules, view: &Arc<State>, seat: SeatId, text: &str) -> Result<Option<Action>, Rejection> {
    let legal = flow::available(rules, view, seat)?;
    let mut near: Option<Action> = None;
    let mut same = Vec::new();
    for action in legal {
        let notation = rules.notation(view, &action);
        if notation == text || flow::plain_notation(view, &action) == text {
            same.push(action);
        } else if near.is_none() && notation.eq_ignore_ascii_case(text) {
            near = Some(action);
        }
    }
    match same.as_slice() {
        [] => Ok(near),
        [one] => Ok(Some(one.clone())),
        several => {
            let texts: Vec<_> = several.iter().map(|action| flow::plain_notation(view, action)).collect();
            let reason = sentence!("{text:?} can mean more than one action: {actions}", actions = texts.join("; "));
            Err(Refusal::new(RefusalCode::NotOffered, reason).into())
        }
    }
}

fn not_understood(view: &State, seat: SeatId, text: &str) -> Refusal {
    if view.outcome().is_some() {
        return Refusal::new(RefusalCode::MatchOver, sentence!("the match is over"));
    }
    let names: Vec<_> = flow::offered(view, seat)
        .filter_map(|action| view.frame().action(action))
        .map(|declared| &*declared.name)
        .collect();
    let reason = sentence!("{text:?} is no action; now there is {actions}", actions = names.join(", "));
    Refusal::new(RefusalCode::UnknownAction, reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::fixture::Race;
    use crate::rules::{Generator, Luck, Transaction};

    fn begun() -> (Race, Arc<State>) {
        let rules = Race::default();
        let mut transaction = Transaction::new(Race::start().unwrap(), Luck::Roll(Generator::new(3)));
        flow::begin(&rules, &mut transaction).unwrap();
        let state = transaction.state().clone();
        (rules, state)
    }

    fn reading(text: &str) -> Result<String, Refusal> {
        let (rules, state) = begun();
        let read = read_action(&rules, &state, SeatId(0), text);
        read.map(|action| flow::plain_notation(&state, &action))
            .map_err(|rejection| rejection.refusal().cloned().unwrap())
    }

    #[test]
    fn every_legal_action_reads_back_from_its_plain_notation() {
        let (rules, state) = begun();
        let legal = flow::legal(&rules, &state, SeatId(0)).unwrap();
        assert!(legal.len() >= 2);
        for action in legal {
            let text = flow::plain_notation(&state, &action);
            assert_eq!(read_action(&rules, &state, SeatId(0), &text).unwrap(), action, "{text}");
        }
    }

    #[test]
    fn a_piece_may_be_named_by_its_kind_and_the_action_left_out() {
        let card = reading("play card").unwrap();
        assert!(card.starts_with("play #"));
        assert_eq!(reading("card").unwrap(), card);
        assert_eq!(reading(" RUN ").unwrap(), "run");
    }

    #[test]
    fn what_is_missing_or_too_much_is_said() {
        assert_eq!(reading("play").unwrap_err().code, RefusalCode::WrongPicks);
        assert!(reading("run fast").unwrap_err().reason.contains("\"fast\" is too much"));
        let unknown = reading("fly").unwrap_err();
        assert_eq!(unknown.code, RefusalCode::UnknownAction);
        assert!(unknown.reason.contains("run, play, bar"), "{}", unknown.reason);
    }
}
