//! Random play without a journal: the quick path of search and measurement.
#![expect(clippy::missing_errors_doc, reason = "they fail if the rules are at fault")]

use std::sync::Arc;

use super::listing::{Bunch, list_bunches, may};
use super::pattern::{Moves, Pattern};
use super::{Generator, PlayoutWeights, Rules, Transaction, flow};
use boardwright_model::{Action, ActionId, Rejection, SeatId, State};

/// Buffers of playouts, kept between them.
#[derive(Debug, Default)]
pub struct PlayoutBuffers {
    actions: Vec<Action>,
    bunches: Vec<Bunch>,
    moves: Moves,
    weights: Vec<u32>,
}

/// Plays random legal actions until the match ends or so many were played; gives the number played. Nothing is recorded: the
/// transaction cannot go back behind it.
pub fn playout(
    rules: &dyn Rules,
    transaction: &mut Transaction,
    generator: &mut Generator,
    most: usize,
    room: &mut PlayoutBuffers,
) -> Result<usize, Rejection> {
    let mut played = 0;
    while played < most
        && let Some(action) = draw_action(rules, transaction.state(), generator, room)?
    {
        flow::perform_in_playout(rules, transaction, &action)?;
        transaction.forget();
        played += 1;
    }
    flow::conclude(rules, transaction)?;
    transaction.forget();
    Ok(played)
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
    // What is only legal where nothing else is waits until nothing else was found.
    let is_last = |action: &ActionId| state.declarations().action(*action).is_some_and(|declared| declared.is_last_resort);
    let mut offered = flow::offered(state, seat).filter(|action| !is_last(action));
    if let (Some(action), None) = (offered.next(), offered.next())
        && let Some(pattern) = rules.pattern(action)
        && matches!(may(rules, state, seat, action), Ok(true))
    {
        let drawn = draw_move(rules, state, (seat, action, pattern), generator, room)?;
        if drawn.is_some() || !flow::offered(state, seat).any(|action| is_last(&action)) {
            return Ok(drawn);
        }
    }
    room.bunches.clear();
    if list_bunches(rules, state, seat, &mut room.bunches) {
        return Ok(draw_of_bunches(&room.bunches, seat, generator));
    }
    room.actions.clear();
    flow::list(rules, state, seat, &mut room.actions)?;
    room.weights.clear();
    let index = if playout_weights(rules, state, &room.actions, &mut room.weights)? {
        sample(generator, &room.weights)
    } else {
        below(generator, room.actions.len())
    };
    Ok(if index < room.actions.len() {
        Some(room.actions.swap_remove(index))
    } else {
        None
    })
}

/// One of the moves of a pattern, by their weights.
fn draw_move(
    rules: &dyn Rules,
    state: &Arc<State>,
    (seat, action, pattern): (SeatId, ActionId, &Pattern),
    generator: &mut Generator,
    room: &mut PlayoutBuffers,
) -> Result<Option<Action>, Rejection> {
    let weights = rules.guidance().playout_weights(state, seat, action)?;
    if let Some(found) = pattern.sample(state, seat, weights.as_ref(), generator, &mut room.moves) {
        return Ok(Some(found.action(seat, action)));
    }
    room.moves.clear();
    pattern.collect(state, seat, &mut room.moves);
    let index = match weights {
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
    Ok(room.moves.nth(index).map(|found| found.action(seat, action)))
}

/// One of the actions of a seat, all of them equally likely.
fn draw_of_bunches(bunches: &[Bunch], seat: SeatId, generator: &mut Generator) -> Option<Action> {
    let mut left = below(generator, bunches.iter().map(Bunch::count).sum());
    for bunch in bunches {
        let own = bunch.count();
        if left < own {
            return bunch.nth(left, seat);
        }
        left -= own;
    }
    None
}

/// Appends the playout weight of each of some actions. Returns whether the rules give any.
pub fn playout_weights<'a>(
    rules: &dyn Rules,
    state: &Arc<State>,
    actions: impl IntoIterator<Item = &'a Action>,
    out: &mut Vec<u32>,
) -> Result<bool, Rejection> {
    let mut known: Option<(ActionId, Option<PlayoutWeights>)> = None;
    let mut is_weighted = false;
    for action in actions {
        // Actions of one sort are listed one after the other.
        let (_, of_sort) = match known.take() {
            Some(of_sort) if of_sort.0 == action.action => known.insert(of_sort),
            _ => {
                let weights = rules.guidance().playout_weights(state, action.seat, action.action)?;
                known.insert((action.action, weights))
            }
        };
        is_weighted |= of_sort.is_some();
        out.push(of_sort.as_ref().map_or(1, |weights| weights.of(state, action)));
    }
    Ok(is_weighted)
}

fn below(generator: &mut Generator, count: usize) -> usize {
    generator.below(count.min(u32::MAX as usize) as u32) as usize
}

/// An index, sampled in proportion to its weight.
fn sample(generator: &mut Generator, weights: &[u32]) -> usize {
    let total = weights.iter().map(|weight| u64::from(*weight)).sum();
    let mut left = generator.below_u64(total);
    for (index, own) in weights.iter().enumerate() {
        if left < u64::from(*own) {
            return index;
        }
        left -= u64::from(*own);
    }
    0
}
