//! Running a journal again and reporting the first difference.

use std::sync::Arc;

use super::rulebooks::Rulebooks;
use super::{Cause, Event};
use crate::model::State;
use crate::rules::{Luck, RulesSource, Transaction, flow};

/// The first place at which a journal, run again, goes another way.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("event {event} ({notation}): {what}")]
pub struct Difference {
    /// The event, from 0.
    pub event: usize,
    /// Its notation.
    pub notation: Arc<str>,
    /// What differs.
    pub what: String,
}

/// What running a journal again showed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// How many events were run again under their own rules with the same result.
    pub repeated: usize,
    /// How many could only be applied and compared by digest: their rules are not at hand, or they are reloads or changes by
    /// hand.
    pub applied: usize,
}

/// Runs all events again from a setup, under the rules each was made with, as far as their sources are at hand.
///
/// # Errors
/// The first difference.
pub fn verify(setup: State, events: &[Arc<Event>], sources: &[Arc<dyn RulesSource>]) -> Result<Verified, Difference> {
    let mut books = Rulebooks::new(sources);
    let mut transaction = Transaction::new(Arc::new(setup), Luck::Forbidden);
    let mut verified = Verified::default();
    for (index, event) in events.iter().enumerate() {
        let differs = |what: String| Difference {
            event: index,
            notation: Arc::clone(&event.notation),
            what,
        };
        if repeat(&mut transaction, event, &mut books).map_err(differs)? {
            verified.repeated += 1;
        } else {
            transaction.replay(&event.effects).map_err(|error| differs(error.to_string()))?;
            verified.applied += 1;
        }
        if transaction.state().digest() != event.digest {
            return Err(differs(format!(
                "the digest is {:016x}, recorded was {:016x}",
                transaction.state().digest(),
                event.digest
            )));
        }
    }
    Ok(verified)
}

/// Runs an event again. Returns whether it could be: it is an action or the beginning, and its rules are at hand.
fn repeat(transaction: &mut Transaction, event: &Event, books: &mut Rulebooks) -> Result<bool, String> {
    if matches!(event.cause, Cause::Reload { .. } | Cause::Debug { .. }) {
        return Ok(false);
    }
    let rules = books.rules(&event.fingerprint, transaction.state());
    let Some(rules) = rules.map_err(|fault| fault.to_string())? else {
        return Ok(false);
    };
    let draws = event.draws.iter().map(|draw| draw.result.to_vec()).collect();
    transaction.set_luck(Luck::Replay(draws));
    let run = match event.action() {
        Some(action) => flow::perform(&*rules, transaction, action),
        None => flow::begin(&*rules, transaction),
    };
    run.map_err(|rejection| rejection.to_string())?;
    let (effects, draws) = transaction.take_record();
    if draws != event.draws {
        return Err("other things are drawn than were recorded".to_owned());
    }
    let mut pairs = effects.iter().zip(&event.effects).enumerate();
    if let Some((index, (now, then))) = pairs.find(|(_, (now, then))| now != then) {
        let (now, then) = (transaction.state().effect_words(now), transaction.state().effect_words(then));
        return Err(format!("change {}: {now}; recorded was: {then}", index + 1));
    }
    if effects.len() != event.effects.len() {
        return Err(format!("{} things change, recorded were {}", effects.len(), event.effects.len()));
    }
    Ok(true)
}
