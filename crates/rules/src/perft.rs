//! Perft: counting all ways in which play can go on, to a depth. One wrong rule changes the counts.
#![expect(
    clippy::missing_errors_doc,
    reason = "they fail if the rules are at fault or luck has too many results"
)]

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Enumeration, Generator, Luck, Rules, Transaction, flow};
use boardwright_model::diagnostic::Code;
use boardwright_model::{Action, Rejection, State};

/// The most results of the draws of one action that are gone through.
const MOST_RESULTS: usize = 300_000;

/// How draws are counted.
#[derive(Clone, Debug, Default)]
#[expect(clippy::large_enum_variant, reason = "there is one for a count")]
pub enum PerftLuck {
    /// An action counts once for each state that its draws may lead to: dice that come to the same count once.
    #[default]
    Each,
    /// An action counts once, with what a generator draws.
    Seed(Generator),
}

/// How many sequences of actions of a length there are from a state, with each result of their draws. Matches that end earlier count at the
/// depth they reach only, as is usual. Draws after the last action are not counted.
pub fn perft(rules: &dyn Rules, state: Arc<State>, depth: u32) -> Result<u64, Rejection> {
    perft_with(rules, state, depth, &PerftLuck::Each)
}

/// The same with draws counted as said.
pub fn perft_with(rules: &dyn Rules, state: Arc<State>, depth: u32, luck: &PerftLuck) -> Result<u64, Rejection> {
    let mut transaction = Transaction::new(state, Luck::Forbidden);
    count(rules, &mut transaction, depth, luck)
}

/// The counts below each action of the first ply, in the order of the actions.
pub fn divide(rules: &dyn Rules, state: &Arc<State>, depth: u32, luck: &PerftLuck) -> Result<Vec<(String, u64)>, Rejection> {
    let mut counts = Vec::new();
    let Some(seat) = state.acting().first() else { return Ok(counts) };
    let mut transaction = Transaction::new(Arc::clone(state), Luck::Forbidden);
    for action in flow::legal(rules, state, seat)? {
        let below = match depth {
            0 | 1 => 1,
            _ => below(rules, &mut transaction, &action, depth - 1, luck)?,
        };
        counts.push((rules.notation(state, &action), below));
    }
    Ok(counts)
}

fn count(rules: &dyn Rules, transaction: &mut Transaction, depth: u32, luck: &PerftLuck) -> Result<u64, Rejection> {
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
            leaves += below(rules, transaction, &action, depth - 1, luck)?;
        }
    }
    Ok(leaves)
}

/// The count below an action.
fn below(rules: &dyn Rules, transaction: &mut Transaction, action: &Action, depth: u32, luck: &PerftLuck) -> Result<u64, Rejection> {
    let mark = transaction.mark();
    match luck {
        PerftLuck::Seed(generator) => {
            transaction.set_luck(Luck::Roll(generator.clone()));
            perform(rules, transaction, action)?;
            let drawn = transaction.set_luck(Luck::Forbidden);
            let next = if let Luck::Roll(generator) = drawn {
                PerftLuck::Seed(generator)
            } else {
                luck.clone()
            };
            let leaves = count(rules, transaction, depth, &next);
            transaction.rollback(mark);
            leaves
        }
        PerftLuck::Each => {
            let mut enumeration = Enumeration::default();
            let mut seen = BTreeSet::new();
            let mut leaves = 0;
            for _ in 0..MOST_RESULTS {
                transaction.set_luck(Luck::Enumerate(enumeration));
                perform(rules, transaction, action)?;
                let Luck::Enumerate(ran) = transaction.set_luck(Luck::Forbidden) else {
                    break;
                };
                enumeration = ran;
                if seen.insert(transaction.state().digest()) {
                    leaves += count(rules, transaction, depth, luck)?;
                }
                transaction.rollback(mark);
                if !enumeration.advance() {
                    return Ok(leaves);
                }
            }
            Err(too_many_results(rules, transaction, action))
        }
    }
}

fn perform(rules: &dyn Rules, transaction: &mut Transaction, action: &Action) -> Result<(), Rejection> {
    let performed = flow::perform_legal(rules, transaction, action);
    performed.map_err(|rejection| match rejection {
        Rejection::Refused(refusal) => {
            let notation = rules.notation(transaction.state(), action);
            let message = format!("{notation} is listed as legal but refused: {refusal}");
            Rejection::at_fault(Code::ListedButRefused, message)
        }
        Rejection::Fault(fault) if fault.code == Code::TooManyResults => too_many_results(rules, transaction, action),
        Rejection::Fault(_) => rejection,
    })
}

fn too_many_results(rules: &dyn Rules, transaction: &Transaction, action: &Action) -> Rejection {
    let notation = rules.notation(transaction.state(), action);
    let message = format!("{notation}: luck has too many results to count each of them");
    Rejection::at_fault(Code::TooManyResults, message)
}
