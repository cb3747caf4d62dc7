//! The changes of a match on their way to the store.
//!
//! A change that cannot be stored is tried again until it can be: the database may be down, or the disk full. Those behind it wait, so that the store
//! never sees a gap, and nobody is told of any of them meanwhile.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use boardwright_local::StoredChange;
use boardwright_server::Receipt;
use boardwright_store::{MatchId, NewEntry, Status, Store, StoreError};

use super::metrics::Metrics;
use super::open_matches::now;

/// How long after a failure it is tried again.
const RETRY_AFTER: Duration = Duration::from_millis(500);

/// Writes the changes of one match.
#[derive(Clone)]
pub(super) struct JournalWriter {
    id: MatchId,
    /// Not kept alive from here: what the store calls back would be the last to hold it, and let it go on its own thread.
    store: Weak<dyn Store>,
    metrics: Arc<Metrics>,
    queue: Arc<Mutex<Queue>>,
}

/// Changes that are not on disk, in order. Of those before `sent` the store has not said yet how it went.
#[derive(Default)]
struct Queue {
    entries: VecDeque<(NewEntry, Receipt)>,
    sent: usize,
    /// Whether the store has refused one, and nothing is sent until it is tried again.
    is_waiting: bool,
    /// Whether another server has written to the match: then nothing of it will ever be stored here.
    is_lost: bool,
}

impl JournalWriter {
    pub(super) fn new(id: MatchId, store: Weak<dyn Store>, metrics: Arc<Metrics>) -> Self {
        Self {
            id,
            store,
            metrics,
            queue: Arc::default(),
        }
    }

    /// Stores a change.
    pub(super) fn write(&self, change: StoredChange) {
        let entry = NewEntry {
            id: self.id,
            number: change.number,
            entry: change.entry,
            status: if change.has_ended { Status::Ended } else { Status::Playing },
            at: now(),
        };
        self.queue().entries.push_back((entry, change.receipt));
        self.send();
    }

    fn queue(&self) -> std::sync::MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends what was not sent yet.
    fn send(&self) {
        let mut queue = self.queue();
        while !queue.is_waiting && !queue.is_lost {
            let Some((entry, _)) = queue.entries.get(queue.sent) else { return };
            let entry = entry.clone();
            queue.sent += 1;
            let writer = self.clone();
            let number = entry.number;
            let Some(store) = self.store.upgrade() else { return };
            store.append(entry, Box::new(move |stored| writer.handle_stored(number, stored)));
        }
    }

    /// The store answers in the order in which it was asked.
    fn handle_stored(&self, number: u64, stored: Result<(), StoreError>) {
        let mut queue = self.queue();
        queue.sent = queue.sent.saturating_sub(1);
        match stored {
            Ok(()) => {
                self.metrics.entries.inc();
                let done = queue.entries.pop_front();
                drop(queue);
                self.send();
                // Dropped, the receipt lets the match tell of the change; from then on its server may be gone.
                drop(done);
            }
            // What was sent behind one that failed does not follow the newest, and is sent again with it.
            Err(_) if queue.is_waiting => {}
            Err(StoreError::OutOfOrder { newest, .. }) if newest >= number => {
                tracing::error!(match_id = %self.id, "entry {number} was written by another server; the match is not gone on with here");
                queue.is_lost = true;
            }
            Err(error) => {
                tracing::error!(match_id = %self.id, "entry {number} cannot be stored, it is tried again: {error}");
                self.metrics.failed_writes.inc();
                queue.is_waiting = true;
                drop(queue);
                let writer = self.clone();
                let retry = move || {
                    thread::sleep(RETRY_AFTER);
                    // Everything that was sent is answered before the first is sent again.
                    while writer.queue().sent > 0 {
                        thread::sleep(RETRY_AFTER);
                    }
                    writer.queue().is_waiting = false;
                    writer.send();
                };
                if let Err(error) = thread::Builder::new().name("store again".to_owned()).spawn(retry) {
                    tracing::error!(match_id = %self.id, "it cannot be tried again: {error}");
                }
            }
        }
    }
}
