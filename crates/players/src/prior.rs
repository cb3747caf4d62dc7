//! Priors: how likely the rules say that each action is the best, before anything is searched.

use std::sync::Arc;

use boardwright_model::{Action, Rejection, State};
use boardwright_rules::{HELD_BACK, Prior, Rules, prior};

/// The prior of one action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Logit {
    /// In hundredths of log-odds.
    pub(super) hundredths: i32,
    /// Whether it is chosen only where all others lose for certain. Only a hook says so: what a pattern adds up has no zero of its own.
    pub(super) is_held_back: bool,
}

/// The prior of each of some actions: what the hook says, or else the pattern. Where all are held back, none is.
pub(super) fn priors<'a>(
    rules: &dyn Rules,
    state: &Arc<State>,
    actions: impl IntoIterator<Item = &'a Action>,
) -> Result<Vec<Logit>, Rejection> {
    let mut known: Option<(&Action, Option<Arc<Prior>>)> = None;
    let mut of_action = |action: &'a Action| {
        if let Some(hundredths) = rules.guidance().prior_of(state, action)? {
            let is_held_back = hundredths <= HELD_BACK;
            return Ok(Logit { hundredths, is_held_back });
        }
        // Actions of one sort are listed one after the other.
        let (_, of_sort) = match known.take() {
            Some(of_sort) if (of_sort.0.seat, of_sort.0.action) == (action.seat, action.action) => known.insert(of_sort),
            _ => known.insert((action, prior(rules, state, action.seat, action.action))),
        };
        Ok(Logit {
            hundredths: of_sort.as_ref().map_or(0, |prior| prior.of(state, action)),
            is_held_back: false,
        })
    };
    let mut logits: Vec<Logit> = actions.into_iter().map(&mut of_action).collect::<Result<_, Rejection>>()?;
    if logits.iter().all(|logit| logit.is_held_back) {
        for logit in &mut logits {
            logit.is_held_back = false;
        }
    }
    Ok(logits)
}
