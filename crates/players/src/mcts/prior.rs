//! The prior probability and the initial value of each action of a node, from what the rules say before any simulation.

use std::sync::Arc;

use super::packed_action::PackedAction;
use super::search::keyed;
use super::selection_policy::SelectionPolicy;
use super::value::WHOLE;
use crate::move_ordering::push_shuffled;
use crate::prior::priors;
use boardwright_model::{Action, Rejection, SeatId, State};
use boardwright_rules::{Generator, Prior, Rules, playout_weights, shortlist};

#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) action: PackedAction,
    pub(super) key: u32,
    /// The value it is taken to have before its first visit.
    pub(super) initial_value: u32,
    /// The probability that it is the best: 0 to 1, all of a node together 1. 0 where the rules give none.
    pub(super) prior: f32,
}

/// Candidates, the likeliest first, and how many more there are.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    pub(super) first: Vec<Candidate>,
    pub(super) rest: usize,
}

/// The likeliest candidates of a node, so many at most; `None` where all have to be looked at to know them. See [`candidates`].
pub(super) fn likeliest(
    rules: &dyn Rules,
    (state, seat): (&Arc<State>, SeatId),
    base: u32,
    most: usize,
    generator: &mut Generator,
) -> Result<Option<Candidates>, Rejection> {
    let Some(found) = shortlist(rules, state, seat, most, generator)? else {
        return Ok(None);
    };
    let logits: Vec<i32> = found.actions.iter().map(|(_, logit)| *logit).collect();
    let actions = found.actions.into_iter().map(|(action, _)| action).collect();
    let candidate = |((key, action), likelihood): ((u32, Action), f32)| Candidate {
        action: PackedAction::new(&action),
        key,
        initial_value: SelectionPolicy::initial_value(base, likelihood),
        prior: likelihood / found.sum,
    };
    let first = keyed(state, actions).into_iter().zip(Prior::likelihoods(&logits)).map(candidate);
    Ok(Some(Candidates {
        first: first.collect(),
        rest: found.rest,
    }))
}

/// How much more than the mean an action of the greatest playout weight is taken to bring, and one of no weight less.
const OF_PLAYOUT_WEIGHT: f32 = 0.1;

/// The candidates of a node with their keys, the likeliest first, equal ones in a random order. `base` is the value that the way to the node
/// has brought so far. Where the priors of all that are not held back are equal the node has none; then playout weights raise and lower
/// initial values.
pub(super) fn candidates(
    rules: &dyn Rules,
    state: &Arc<State>,
    actions: &[(u32, Action)],
    base: u32,
    generator: &mut Generator,
) -> Result<Candidates, Rejection> {
    let actions_alone = || actions.iter().map(|(_, action)| action);
    let priors = priors(rules, state, actions_alone())?;
    let mut open = priors.iter().filter(|prior| !prior.is_held_back).map(|prior| prior.hundredths);
    let first = open.next();
    let has_prior = open.any(|other| Some(other) != first);
    let logits: Vec<i32> = priors.iter().map(|prior| prior.hundredths).collect();
    let likelihoods = Prior::likelihoods(&logits);
    let sum: f32 = likelihoods.iter().sum();
    let mut weights = Vec::new();
    if !has_prior {
        playout_weights(rules, state, actions_alone(), &mut weights)?;
    }
    let most_weight = weights.iter().copied().max().unwrap_or(1);
    let mut found: Vec<(f32, Candidate)> = Vec::with_capacity(actions.len());
    for (index, ((key, action), likelihood)) in actions.iter().zip(likelihoods).enumerate() {
        let mut initial_value = SelectionPolicy::initial_value(base, likelihood);
        if most_weight > 1 {
            let weight = weights.get(index).map_or(1.0, |weight| *weight as f32);
            let lift = OF_PLAYOUT_WEIGHT * (2.0 * weight / most_weight as f32 - 1.0);
            initial_value = (initial_value as f32 + lift * WHOLE as f32).clamp(0.0, WHOLE as f32) as u32;
        }
        let candidate = Candidate {
            action: PackedAction::new(action),
            key: *key,
            initial_value,
            prior: if has_prior { likelihood / sum } else { 0.0 },
        };
        push_shuffled(&mut found, (likelihood, candidate), generator);
    }
    found.sort_by(|(one, a), (other, b)| other.total_cmp(one).then(b.initial_value.cmp(&a.initial_value)));
    Ok(Candidates {
        first: found.into_iter().map(|(_, candidate)| candidate).collect(),
        rest: 0,
    })
}
