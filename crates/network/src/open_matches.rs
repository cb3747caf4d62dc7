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

    /// Those that have ended, or have not begun, and that nobody asks for.
    pub(super) fn idle(&self) -> Vec<(MatchId, Slot)> {
        let slots = self.slots();
        let idle = slots.iter().filter(|(_, slot)| {
            Arc::strong_count(slot) == 1
                && slot
                    .try_lock()
                    .is_ok_and(|slot| !slot.as_ref().is_some_and(SessionHandle::is_running))
        });
        idle.map(|(id, slot)| (*id, Arc::clone(slot))).collect()
    }

    /// Forgets a match if only the caller asks for it.
    pub(super) fn forget(&self, id: MatchId, slot: &Slot) {
        let mut slots = self.slots();
        // That of the map and that of the caller.
        if Arc::strong_count(slot) <= 2 && slots.get(&id).is_some_and(|known| Arc::ptr_eq(known, slot)) {
            slots.remove(&id);
        }
    }

    /// Whether a slot is the one of a match: that of one that was ended here with all others is not.
    pub(super) fn is_known(&self, id: MatchId, slot: &Slot) -> bool {
        self.slots().get(&id).is_some_and(|known| Arc::ptr_eq(known, slot))
    }

    /// Their ids.
    pub(super) fn ids(&self) -> Vec<MatchId> {
        self.slots().keys().copied().collect()
    }

    /// Forgets all of them.
    pub(super) fn take_all(&self) -> Vec<Slot> {
        std::mem::take(&mut *self.slots()).into_values().collect()
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.slots().len()
    }
}
