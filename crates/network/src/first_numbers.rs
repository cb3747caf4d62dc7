//! The first numbers of the luck of matches that are about to begin, where it can be verified: a match begins when all of its players have given theirs.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use boardwright_model::LuckNumber;
use boardwright_store::MatchId;

/// By match and head of a chain; none for a player who has none.
type Known = BTreeMap<(MatchId, LuckNumber), Option<LuckNumber>>;

/// What was given so far. It is gone when the server stops: then players are asked again, and give the same.
#[derive(Debug, Default)]
pub(super) struct FirstNumbers(Mutex<Known>);

impl FirstNumbers {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn add(&self, id: MatchId, head: LuckNumber, number: Option<LuckNumber>) {
        self.known().insert((id, head), number);
    }

    /// Whether it is known what a player gives.
    pub(super) fn is_known(&self, id: MatchId, head: LuckNumber) -> bool {
        self.known().contains_key(&(id, head))
    }

    pub(super) fn find(&self, id: MatchId, head: LuckNumber) -> Option<LuckNumber> {
        self.known().get(&(id, head)).copied().flatten()
    }

    /// Forgets those of a match that has begun.
    pub(super) fn forget(&self, id: MatchId) {
        self.known().retain(|(of, _), _| *of != id);
    }
}
