//! The matches that run: each is opened once, however many come to play it at the same moment.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use boardwright_server::SessionHandle;
use boardwright_store::MatchId;
use tokio::sync::Mutex as AsyncMutex;

/// The time now, in milliseconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

/// The session of a match, if it runs. Whoever opens or asks for it holds the lock.
pub(super) type Slot = Arc<AsyncMutex<Option<SessionHandle>>>;

/// The matches that run, by id.
#[derive(Debug, Default)]
pub(super) struct OpenMatches {
    slots: Mutex<HashMap<MatchId, Slot>>,
}

impl OpenMatches {
    fn slots(&self) -> MutexGuard<'_, HashMap<MatchId, Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The slot of a match.
    pub(super) fn slot(&self, id: MatchId) -> Slot {
        Arc::clone(self.slots().entry(id).or_default())
    }

    /// The slot of a match, if somebody asks for it or it runs.
    pub(super) fn find(&self, id: MatchId) -> Option<Slot> {
        self.slots().get(&id).cloned()
    }

    /// Forgets matches that have ended and that nobody asks for.
    pub(super) fn sweep(&self) {
        self.slots().retain(|_, slot| {
            Arc::strong_count(slot) > 1
                || slot
                    .try_lock()
                    .is_ok_and(|slot| slot.as_ref().is_some_and(SessionHandle::is_running))
        });
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.slots().len()
    }
}
