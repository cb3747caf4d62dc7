//! Running a journal again and reporting the first difference.

use std::sync::Arc;

use super::{Cause, Event};
use crate::model::{Fingerprint, State};
use crate::rules::{Luck, Rejection, Rules, Transaction, flow};

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

/// Gives rules by their fingerprint for the match as it stands, if they are at hand.
pub type RulesFor<'a, 'f> = dyn FnMut(&Fingerprint, &Arc<State>) -> Option<&'a dyn Rules> + 'f;

/// Runs all events again from a setup, under the rules each was made with. `rules_for` gives rules by fingerprint, if they
/// are at hand.
///
/// # Errors
/// The first difference.
pub fn verify(setup: State, events: &[Arc<Event>], rules_for: &mut RulesFor<'_, '_>) -> Result<Verified, Difference> {
    let mut transaction = Transaction::new(Arc::new(setup), Luck::Forbidden);
    let mut verified = Verified::default();
    for (index, event) in events.iter().enumerate() {
        let differs = |what: String| Difference {
            event: index,
            notation: Arc::clone(&event.notation),
            what,
        };
        let rules = rules_for(&event.fingerprint, transaction.state());
        let repeated = match (&event.cause, rules) {
            (Cause::Begin, Some(rules)) => Some(repeat(&mut transaction, event, |transaction| flow::begin(rules, transaction))),
            (Cause::Action(action), Some(rules)) => Some(repeat(&mut transaction, event, |transaction| {
                flow::perform(rules, transaction, action)
            })),
            _ => None,
        };
        if let Some(result) = repeated {
            result.map_err(differs)?;
            verified.repeated += 1;
        } else {
            if let (Cause::Reload { .. }, Some(rules)) = (&event.cause, rules) {
                transaction.adopt(rules.frame());
            }
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

fn repeat(transaction: &mut Transaction, event: &Event, run: impl FnOnce(&mut Transaction) -> Result<(), Rejection>) -> Result<(), String> {
    let draws = event.draws.iter().map(|draw| draw.result.to_vec()).collect();
    transaction.set_luck(Luck::Replay(draws));
    run(transaction).map_err(|rejection| rejection.to_string())?;
    let (effects, draws) = transaction.take_record();
    if draws != event.draws {
        return Err("other things are drawn than were recorded".to_owned());
    }
    let mut pairs = effects.iter().zip(&event.effects).enumerate();
    if let Some((index, (now, then))) = pairs.find(|(_, (now, then))| now != then) {
        return Err(format!("effect {index} is {now:?}, recorded was {then:?}"));
    }
    if effects.len() != event.effects.len() {
        return Err(format!("{} effects, recorded were {}", effects.len(), event.effects.len()));
    }
    Ok(())
}
