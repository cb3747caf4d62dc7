//! Random play without a journal: the quick path of search and measurement.

use super::pattern::Moves;
use super::{Generator, Rejection, Rules, Transaction, flow};
use crate::model::Action;

/// Room that playouts work in, kept between them so that it need not be made anew.
#[derive(Debug, Default)]
pub struct Room {
    actions: Vec<Action>,
    moves: Moves,
}

/// Plays random legal actions until the match ends or so many were played; gives the number played. Nothing is recorded: the
/// transaction can not go back behind it.
///
/// # Errors
/// If the rules are at fault.
pub fn playout(
    rules: &dyn Rules,
    transaction: &mut Transaction,
    generator: &mut Generator,
    most: usize,
    room: &mut Room,
) -> Result<usize, Rejection> {
    for played in 0..most {
        let Some(action) = random_action(rules, transaction, generator, room)? else {
            return Ok(played);
        };
        flow::perform_legal(rules, transaction, &action)?;
        transaction.forget();
    }
    Ok(most)
}

/// A random legal action of the seat to act. Where a single action is offered and has a pattern, only the chosen move is made an
/// action.
fn random_action(
    rules: &dyn Rules,
    transaction: &Transaction,
    generator: &mut Generator,
    room: &mut Room,
) -> Result<Option<Action>, Rejection> {
    let state = transaction.state();
    let Some(seat) = state.acting().first() else { return Ok(None) };
    let mut below = |count: usize| generator.below(count.min(u32::MAX as usize) as u32) as usize;
    let mut offered = flow::offered(state, seat);
    if let (Some(action), None) = (offered.next(), offered.next())
        && let Some(pattern) = rules.pattern(action)
    {
        room.moves.clear();
        pattern.collect(state, seat, &mut room.moves);
        return Ok(room.moves.action(below(room.moves.count()), seat, action));
    }
    room.actions.clear();
    flow::list(rules, state, seat, &mut room.actions)?;
    let index = below(room.actions.len());
    Ok(if index < room.actions.len() {
        Some(room.actions.swap_remove(index))
    } else {
        None
    })
}
