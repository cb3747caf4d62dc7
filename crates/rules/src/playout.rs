//! Random play without a journal: the quick path of search and measurement.
#![expect(clippy::missing_errors_doc, reason = "they fail if the rules are at fault")]

use std::sync::Arc;

use super::pattern::Moves;
use super::{Generator, PlayoutWeights, Rules, Transaction, flow};
use boardwright_model::{Action, ActionId, Rejection, SeatId, State};

/// Buffers of playouts, kept between them.
#[derive(Debug, Default)]
pub struct PlayoutBuffers {
    actions: Vec<Action>,
    moves: Moves,
    weights: Vec<u32>,
}

/// Plays random legal actions until the match ends or so many were played; gives the number played. Nothing is recorded: the
/// transaction can not go back behind it.
pub fn playout(
    rules: &dyn Rules,
    transaction: &mut Transaction,
    generator: &mut Generator,
    most: usize,
    room: &mut PlayoutBuffers,
) -> Result<usize, Rejection> {
    for played in 0..most {
        let Some(action) = draw_action(rules, transaction.state(), generator, room)? else {
            return Ok(played);
        };
        flow::perform_legal(rules, transaction, &action)?;
        transaction.forget();
    }
    Ok(most)
}

/// Samples a legal action of the seat to act in proportion to its playout weight; all weigh the same where the rules give none. Where a
/// single action is offered and has a pattern, only the chosen move is made an action. `None` if nobody is to act or nothing is legal.
pub fn draw_action(
    rules: &dyn Rules,
    state: &Arc<State>,
    generator: &mut Generator,
    room: &mut PlayoutBuffers,
) -> Result<Option<Action>, Rejection> {
    let Some(seat) = state.acting().first() else { return Ok(None) };
    let mut offered = flow::offered(state, seat);
    if let (Some(action), None) = (offered.next(), offered.next())
        && let Some(pattern) = rules.pattern(action)
    {
        room.moves.clear();
        pattern.collect(state, seat, &mut room.moves);
        let index = match rules.guidance().playout_weights(state, seat, action)? {
            None => below(generator, room.moves.count()),
            Some(weights) => {
                let sampled = room.moves.sample(state, &weights, generator);
                sampled.unwrap_or_else(|| {
                    room.weights.clear();
                    room.moves.weigh(state, &weights, &mut room.weights);
                    sample(generator, &room.weights)
                })
            }
        };
        return Ok(room.moves.action(index, seat, action));
    }
    room.actions.clear();
    flow::list(rules, state, seat, &mut room.actions)?;
    let index = draw_index(rules, state, seat, generator, room)?;
    Ok(if index < room.actions.len() {
        Some(room.actions.swap_remove(index))
    } else {
        None
    })
}

/// Which of the listed actions is drawn.
fn draw_index(
    rules: &dyn Rules,
    state: &Arc<State>,
    seat: SeatId,
    generator: &mut Generator,
    room: &mut PlayoutBuffers,
) -> Result<usize, Rejection> {
    room.weights.clear();
    let mut known: Option<(ActionId, Option<PlayoutWeights>)> = None;
    let mut is_weighted = false;
    for action in &room.actions {
        // Actions of one sort are listed one after the other.
        let of_sort = match &mut known {
            Some((sort, weights)) if *sort == action.action => weights,
            other => {
                &mut other
                    .insert((action.action, rules.guidance().playout_weights(state, seat, action.action)?))
                    .1
            }
        };
        is_weighted |= of_sort.is_some();
        room.weights.push(of_sort.as_ref().map_or(1, |weights| weights.of(state, action)));
    }
    Ok(if is_weighted {
        sample(generator, &room.weights)
    } else {
        below(generator, room.actions.len())
    })
}

fn below(generator: &mut Generator, count: usize) -> usize {
    generator.below(count.min(u32::MAX as usize) as u32) as usize
}

/// An index, sampled in proportion to its weight.
fn sample(generator: &mut Generator, weights: &[u32]) -> usize {
    let total: u64 = weights.iter().map(|weight| u64::from(*weight)).sum();
    // Weights beyond 2^32 together are left out, which no list of actions comes to.
    let mut left = u64::from(generator.below(total.min(u64::from(u32::MAX)) as u32));
    for (index, own) in weights.iter().enumerate() {
        if left < u64::from(*own) {
            return index;
        }
        left -= u64::from(*own);
    }
    0
}
