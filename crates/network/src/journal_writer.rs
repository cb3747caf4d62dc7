//! The changes of a match on their way to the store.
//!
//! A change that cannot be stored is tried again until it can be: the database may be down, or the disk full. Those behind it wait, so that the store
//! never sees a gap, and nobody is told of any of them meanwhile. A change that can never be stored, because the match is gone or another server has
//! written to it, ends the match here.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use boardwright_local::StoredChange;
use boardwright_server::Receipt;
use boardwright_store::{MatchId, NewEntry, Status, Store, StoreError};

use super::metrics::Metrics;
use super::open_matches::now;

/// How long after a failure it is tried again.
const RETRY_AFTER: Duration = Duration::from_millis(500);

/// The writers of all open matches, and a thread that has those try again that have failed.
pub(super) struct JournalWriters {
    shared: Arc<Shared>,
    metrics: Arc<Metrics>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<Retries>,
    changed: Condvar,
}

#[derive(Default)]
struct Retries {
    open: Vec<Weak<Writing>>,
    /// Those that wait until it is tried again, and when that is.
    failed: Vec<JournalWriter>,
    retry_at: Option<Instant>,
    /// When all that is not stored is given up, because the server stops.
    give_up_at: Option<Instant>,
    has_given_up: bool,
    is_over: bool,
    /// How many matches have lost changes with that.
    lost: usize,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, Retries> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn retry(&self, writer: JournalWriter) {
        let mut state = self.state();
        state.failed.push(writer);
        state.retry_at.get_or_insert_with(|| Instant::now() + RETRY_AFTER);
        drop(state);
        self.changed.notify_all();
    }

    fn run(&self) {
        let mut state = self.state();
        while !state.is_over {
            let now = Instant::now();
            if state.give_up_at.take_if(|due| *due <= now).is_some() {
                state.has_given_up = true;
                let open = std::mem::take(&mut state.open);
                drop(state);
                open.iter()
                    .filter_map(Weak::upgrade)
                    .for_each(|writing| JournalWriter(writing).lose());
                state = self.state();
            } else if state.retry_at.take_if(|due| *due <= now).is_some() {
                let failed = std::mem::take(&mut state.failed);
                drop(state);
                failed.into_iter().for_each(JournalWriter::try_again);
                state = self.state();
            } else {
                let due = [state.retry_at, state.give_up_at].into_iter().flatten().min();
                state = match due {
                    None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                    Some(due) => {
                        let waited = self.changed.wait_timeout(state, due.saturating_duration_since(now));
                        waited.unwrap_or_else(PoisonError::into_inner).0
                    }
                };
            }
        }
    }
}

impl JournalWriters {
    /// # Errors
    /// If the system gives no thread.
    pub(super) fn new(metrics: Arc<Metrics>) -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let running = Arc::clone(&shared);
        let thread = thread::Builder::new().name("store again".to_owned()).spawn(move || running.run())?;
        Ok(Self {
            shared,
            metrics,
            thread: Mutex::new(Some(thread)),
        })
    }

    /// The writer of a match. The store is not kept alive by it: what the store calls back would be the last to hold it, and let it go on its own thread.
    pub(super) fn open(&self, id: MatchId, store: Weak<dyn Store>) -> JournalWriter {
        let writer = JournalWriter(Arc::new(Writing {
            id,
            store,
            metrics: Arc::clone(&self.metrics),
            shared: Arc::clone(&self.shared),
            queue: Mutex::default(),
        }));
        let mut state = self.shared.state();
        // Looked through when it has doubled, so that opening a match takes the same time however many are open.
        if state.open.len() == state.open.capacity() {
            state.open.retain(|open| open.strong_count() > 0);
        }
        state.open.push(Arc::downgrade(&writer.0));
        writer
    }

    /// Stores nothing more of all matches that are open: others may run them.
    pub(super) fn lose_all(&self) {
        let open = std::mem::take(&mut self.shared.state().open);
        open.iter()
            .filter_map(Weak::upgrade)
            .for_each(|writing| JournalWriter(writing).lose());
    }

    /// Whether something could not be stored, and waits to be tried again.
    pub(super) fn is_behind(&self) -> bool {
        !self.shared.state().failed.is_empty()
    }

    /// Gives up what is not stored then. Matches that wait for it end.
    pub(super) fn give_up_at(&self, due: Instant) {
        self.shared.state().give_up_at = Some(due);
        self.shared.changed.notify_all();
    }

    /// Ends the thread; nothing is tried again any more. How many matches have lost changes because it was given up to store them.
    pub(super) fn close(&self) -> usize {
        self.shared.state().is_over = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take() {
            drop(thread.join());
        }
        self.shared.state().lost
    }
}

impl Drop for JournalWriters {
    fn drop(&mut self) {
        self.close();
    }
}

/// Writes the changes of one match. Clones write those of the same match.
#[derive(Clone)]
pub(super) struct JournalWriter(Arc<Writing>);

struct Writing {
    id: MatchId,
    store: Weak<dyn Store>,
    metrics: Arc<Metrics>,
    shared: Arc<Shared>,
    queue: Mutex<Queue>,
}

/// Changes that are not on disk, in order. Of those before `sent` the store has not said yet how it went.
#[derive(Default)]
struct Queue {
    entries: VecDeque<(NewEntry, Receipt)>,
    sent: usize,
    /// Whether some thread is sending: entries reach the store in order.
    is_sending: bool,
    /// Whether clients know that it is being waited for.
    is_told: bool,
    course: Course,
}

/// How the writing of a match goes.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Course {
    #[default]
    Writing,
    /// The store has refused an entry, and nothing is sent until it is tried again.
    Waiting,
    /// Nothing of the match will ever be stored from here.
    Lost,
}

impl JournalWriter {
    /// Stores a change.
    pub(super) fn write(&self, change: StoredChange) {
        let entry = NewEntry {
            id: self.0.id,
            number: change.number,
            entry: change.entry,
            status: if change.has_ended { Status::Ended } else { Status::Playing },
            at: now(),
        };
        let mut queue = self.queue();
        if queue.course == Course::Lost || self.0.shared.state().has_given_up {
            drop(queue);
            return change.receipt.lose();
        }
        queue.entries.push_back((entry, change.receipt));
        drop(queue);
        self.send();
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends what was not sent yet.
    fn send(&self) {
        let mut queue = self.queue();
        if queue.is_sending {
            return;
        }
        while queue.course == Course::Writing {
            let Some((entry, _)) = queue.entries.get(queue.sent) else { return };
            let entry = entry.clone();
            let Some(store) = self.0.store.upgrade() else { return };
            queue.sent += 1;
            queue.is_sending = true;
            // The store may answer at once, on this thread.
            drop(queue);
            let (writer, number) = (self.clone(), entry.number);
            store.append(entry, Box::new(move |stored| writer.handle_stored(number, stored)));
            queue = self.queue();
            queue.is_sending = false;
        }
    }

    /// Sends again what has failed, when everything that was sent is answered.
    fn try_again(self) {
        let mut queue = self.queue();
        if queue.sent > 0 {
            drop(queue);
            return Arc::clone(&self.0.shared).retry(self);
        }
        if queue.course == Course::Waiting {
            queue.course = Course::Writing;
        }
        drop(queue);
        self.send();
    }

    /// The store answers in the order in which it was asked.
    fn handle_stored(&self, number: u64, stored: Result<(), StoreError>) {
        let mut queue = self.queue();
        queue.sent = queue.sent.saturating_sub(1);
        match stored {
            // Given up meanwhile.
            _ if queue.course == Course::Lost => {}
            Ok(()) => {
                self.0.metrics.entries.inc();
                queue.is_told = false;
                let done = queue.entries.pop_front();
                drop(queue);
                self.send();
                // Dropped, the receipt lets the match tell of the change; from then on its server may be gone.
                drop(done);
            }
            // What was sent behind one that failed does not follow the newest, and is sent again with it.
            Err(_) if queue.course == Course::Waiting => {}
            Err(StoreError::Database(error)) => {
                tracing::error!(match_id = %self.0.id, "entry {number} cannot be stored, it is tried again: {error}");
                self.0.metrics.failed_writes.inc();
                queue.course = Course::Waiting;
                if !std::mem::replace(&mut queue.is_told, true)
                    && let Some((_, receipt)) = queue.entries.front()
                {
                    receipt.delay();
                }
                drop(queue);
                self.0.shared.retry(self.clone());
            }
            Err(error) => {
                tracing::error!(match_id = %self.0.id, "entry {number} will never be stored, and the match ends here: {error}");
                drop(queue);
                self.lose();
            }
        }
    }

    /// Ends the match without what is not stored: nobody is told of that.
    fn lose(&self) {
        let mut queue = self.queue();
        queue.course = Course::Lost;
        let entries = std::mem::take(&mut queue.entries);
        drop(queue);
        if !entries.is_empty() {
            let mut state = self.0.shared.state();
            state.lost += usize::from(state.has_given_up);
            drop(state);
            tracing::error!(match_id = %self.0.id, "{} changes of the match are lost", entries.len());
        }
        for (_, receipt) in entries {
            receipt.lose();
        }
    }
}
