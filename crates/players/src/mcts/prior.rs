//! The prior of each action: its probability and its initial value, from what the rules say before any simulation.

use std::cmp::Reverse;
use std::sync::Arc;

use super::packed_action::PackedAction;
use super::selection_policy::SelectionPolicy;
use super::value::{WHOLE, squash};
use crate::move_ordering::push_shuffled;
use boardwright_model::{Action, ActionId, Rejection, State};
use boardwright_rules::{Generator, PlayoutWeights, Prior, Rules};

#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) action: PackedAction,
    pub(super) key: u32,
    /// The value it is taken to have before its first visit.
    pub(super) initial_value: u32,
    /// The probability that it is the best: 0 to 1, all of a node together 1. 0 where the rules give none.
    pub(super) prior: f32,
}

/// The candidates among some actions with their keys, the best first, equal ones in a random order. `base` is the value that the way to
/// their node has brought so far, `scale` the usual size of a score.
pub(super) fn candidates(
    rules: &dyn Rules,
    state: &Arc<State>,
    actions: Vec<(u32, Action)>,
    (base, scale): (u32, f32),
    generator: &mut Generator,
) -> Result<Vec<Candidate>, Rejection> {
    if let Some((_, first)) = actions.first()
        && actions.iter().all(|(_, action)| action.action == first.action)
        && let Some(promise) = boardwright_rules::prior(rules, state, first.seat, first.action)
    {
        return Ok(with_prior(state, actions, base, &promise, generator));
    }
    let mut known_lots: Option<(ActionId, Option<PlayoutWeights>)> = None;
    let mut found: Vec<(u32, Candidate)> = Vec::with_capacity(actions.len());
    for (key, action) in actions {
        let hint = rules.guidance().ordering_points(state, &action)?.unwrap_or(0);
        let lots = match &mut known_lots {
            Some((sort, lots)) if *sort == action.action => lots,
            other => {
                &mut other
                    .insert((action.action, rules.guidance().playout_weights(state, action.seat, action.action)?))
                    .1
            }
        };
        let lots = lots.as_ref().map_or(1, |lots| lots.of(state, &action));
        let lift = squash(hint, scale) * 0.25;
        let candidate = Candidate {
            action: PackedAction::new(&action),
            key,
            initial_value: (base as f32 + lift * WHOLE as f32).clamp(0.0, WHOLE as f32) as u32,
            prior: 0.0,
        };
        push_shuffled(&mut found, (lots, candidate), generator);
    }
    let most_lots = found.iter().map(|(lots, _)| *lots).max().unwrap_or(1);
    if most_lots > 1 {
        for (lots, candidate) in &mut found {
            let lift = *lots as f32 / most_lots as f32 - 0.5;
            let initial_value = candidate.initial_value as f32 + 0.2 * lift * WHOLE as f32;
            candidate.initial_value = initial_value.clamp(0.0, WHOLE as f32) as u32;
        }
    }
    found.sort_by_key(|(_, candidate)| Reverse(candidate.initial_value));
    Ok(found.into_iter().map(|(_, candidate)| candidate).collect())
}

/// Candidates for which the rules give a prior: all of one declared action.
fn with_prior(state: &State, actions: Vec<(u32, Action)>, base: u32, promise: &Prior, generator: &mut Generator) -> Vec<Candidate> {
    let points: Vec<i32> = actions.iter().map(|(_, action)| promise.of(state, action)).collect();
    let likelihoods = Prior::shares(&points);
    let all: f32 = likelihoods.iter().sum();
    let mut found: Vec<Candidate> = Vec::with_capacity(actions.len());
    for ((key, action), likelihood) in actions.into_iter().zip(likelihoods) {
        let candidate = Candidate {
            action: PackedAction::new(&action),
            key,
            initial_value: SelectionPolicy::initial_value(base, likelihood),
            prior: likelihood / all,
        };
        push_shuffled(&mut found, candidate, generator);
    }
    found.sort_by(|a, b| b.prior.total_cmp(&a.prior));
    found
}
