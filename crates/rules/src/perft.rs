//! Perft: counting all ways in which play can go on, to a depth. One wrong rule changes the counts.
#![expect(clippy::missing_errors_doc, reason = "they fail if the rules are at fault or draw")]

use std::sync::Arc;

use super::{Luck, Rules, Transaction, flow};
use boardwright_model::diagnostic::Code;
use boardwright_model::{Rejection, State};

/// How many sequences of actions of a length there are from a state. Matches that end earlier count at the depth they reach
/// only, as is usual. Rules that draw cannot be counted so.
pub fn perft(rules: &dyn Rules, state: Arc<State>, depth: u32) -> Result<u64, Rejection> {
    let mut transaction = Transaction::new(state, Luck::Forbidden);
    count(rules, &mut transaction, depth)
}

/// The counts below each action of the first ply, in the order of the actions.
pub fn divide(rules: &dyn Rules, state: &Arc<State>, depth: u32) -> Result<Vec<(String, u64)>, Rejection> {
    let mut counts = Vec::new();
    let Some(seat) = state.acting().first() else { return Ok(counts) };
    for action in flow::legal(rules, state, seat)? {
        let notation = rules.notation(state, &action);
        let mut transaction = Transaction::new(Arc::clone(state), Luck::Forbidden);
        perform(rules, &mut transaction, &action)?;
        counts.push((notation, count(rules, &mut transaction, depth.saturating_sub(1))?));
    }
    Ok(counts)
}

fn perform(rules: &dyn Rules, transaction: &mut Transaction, action: &boardwright_model::Action) -> Result<(), Rejection> {
    flow::perform_legal(rules, transaction, action).map_err(|rejection| match rejection {
        Rejection::Refused(refusal) => {
            let notation = rules.notation(transaction.state(), action);
            let message = format!("{notation} is listed as legal but refused: {refusal}");
            Rejection::at_fault(Code::ListedButRefused, message)
        }
        Rejection::Fault(_) => rejection,
    })
}

fn count(rules: &dyn Rules, transaction: &mut Transaction, depth: u32) -> Result<u64, Rejection> {
    if depth == 0 {
        return Ok(1);
    }
    let mut leaves = 0;
    for seat in transaction.state().acting().iter() {
        let actions = flow::legal(rules, transaction.state(), seat)?;
        if depth == 1 {
            leaves += actions.len() as u64;
            continue;
        }
        for action in actions {
            let mark = transaction.mark();
            perform(rules, transaction, &action)?;
            leaves += count(rules, transaction, depth - 1)?;
            transaction.rollback(mark);
        }
    }
    Ok(leaves)
}
