//! Random play without a journal: the quick path of search and measurement.
#![expect(clippy::missing_errors_doc, reason = "they fail if the rules are at fault")]

use std::sync::Arc;

use super::listing::list_domains;
use super::pattern::Moves;
use super::{Generator, PlayoutWeights, Rules, Transaction, flow};
use boardwright_model::{Action, ActionId, Domain, Picks, Rejection, SeatId, State};

/// Buffers of playouts, kept between them.
#[derive(Debug, Default)]
pub struct PlayoutBuffers {
    actions: Vec<Action>,
    domains: Vec<(ActionId, Option<Domain>)>,
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
    room.domains.clear();
    if list_domains(rules, state, seat, &mut room.domains) {
        return Ok(draw_of_domains(&room.domains, seat, generator));
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

/// One of the actions of a seat that some domains allow, all of them equally likely.
fn draw_of_domains(domains: &[(ActionId, Option<Domain>)], seat: SeatId, generator: &mut Generator) -> Option<Action> {
    let count = |domain: &Option<Domain>| domain.as_ref().map_or(Some(1), Domain::listed).unwrap_or(0);
    let mut left = below(generator, domains.iter().map(|(_, domain)| count(domain)).sum());
    for (action, domain) in domains {
        let own = count(domain);
        if left < own {
            let picks = match domain {
                Some(domain) => Picks::from_iter([domain.each_pick().nth(left)?]),
                None => Picks::new(),
            };
            return Some(Action {
                seat,
                action: *action,
                picks,
            });
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
