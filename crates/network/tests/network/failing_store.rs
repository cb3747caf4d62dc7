//! A store that fails when it is told to.

use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};

use boardwright_store::{
    Holder, MatchId, MatchRow, NewEntry, SeatChange, Seating, SqliteStore, Status, Store, StoreError, Stored, StoredMatch,
};

use super::LONG;

/// What becomes of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// They are stored.
    Works,
    /// They are not stored, as on a full disk.
    Fails,
    /// They are stored, but said not to be, as when the answer of a database is lost.
    StoresAndFails,
    /// They are stored, and it is not said how it went until the mode changes.
    Silent,
    /// The match is gone.
    Gone,
}

struct State {
    mode: Mode,
    /// How many entries were to be stored.
    asked: usize,
    silent: Vec<(NewEntry, Stored)>,
}

pub(super) struct FailingStore {
    inner: SqliteStore,
    state: Mutex<State>,
    changed: Condvar,
}

fn down() -> StoreError {
    StoreError::Database("it is down".to_owned())
}

impl FailingStore {
    pub(super) fn open(folder: &Path) -> Arc<Self> {
        Arc::new(Self {
            inner: SqliteStore::open(&folder.join("matches.db")).unwrap(),
            state: Mutex::new(State {
                mode: Mode::Works,
                asked: 0,
                silent: Vec::new(),
            }),
            changed: Condvar::new(),
        })
    }

    pub(super) fn set(&self, mode: Mode) {
        let mut state = self.state.lock().unwrap();
        state.mode = mode;
        let held = std::mem::take(&mut state.silent);
        drop(state);
        for (entry, stored) in held {
            self.inner.append(entry, stored);
        }
    }

    /// How many entries it has not said anything of.
    pub(super) fn unanswered(&self) -> usize {
        self.state.lock().unwrap().silent.len()
    }

    /// Waits until so many entries were to be stored; gives how many there were.
    pub(super) fn wait_for(&self, asked: usize) -> usize {
        let state = self.state.lock().unwrap();
        let (state, waited) = self.changed.wait_timeout_while(state, LONG, |state| state.asked < asked).unwrap();
        assert!(!waited.timed_out(), "only {} entries", state.asked);
        state.asked
    }
}

impl Store for FailingStore {
    fn append(&self, entry: NewEntry, stored: Stored) {
        let mut state = self.state.lock().unwrap();
        state.asked += 1;
        let mode = state.mode;
        self.changed.notify_all();
        if mode == Mode::Silent {
            state.silent.push((entry, stored));
            return;
        }
        drop(state);
        match mode {
            Mode::Works | Mode::Silent => self.inner.append(entry, stored),
            Mode::Fails => stored(Err(down())),
            Mode::StoresAndFails => self.inner.append(
                entry,
                Box::new(move |result| {
                    result.unwrap();
                    stored(Err(down()));
                }),
            ),
            Mode::Gone => stored(Err(StoreError::NoMatch(entry.id))),
        }
    }

    fn add_chat(&self, id: MatchId, entry: Vec<u8>) {
        self.inner.add_chat(id, entry);
    }

    fn chat(&self, id: MatchId) -> Result<Vec<Vec<u8>>, StoreError> {
        self.inner.chat(id)
    }

    fn check(&self) -> Result<(), StoreError> {
        match self.state.lock().unwrap().mode {
            Mode::Fails => Err(down()),
            _ => self.inner.check(),
        }
    }

    fn create(&self, row: &MatchRow, head: &[u8]) -> Result<(), StoreError> {
        self.inner.create(row, head)
    }

    fn replace_head(&self, id: MatchId, head: &[u8], number: u64) -> Result<(), StoreError> {
        self.inner.replace_head(id, head, number)
    }

    fn seat(&self, id: MatchId, change: &SeatChange, at: u64) -> Result<Seating, StoreError> {
        self.inner.seat(id, change, at)
    }

    fn row(&self, id: MatchId) -> Result<MatchRow, StoreError> {
        self.inner.row(id)
    }

    fn load(&self, id: MatchId) -> Result<StoredMatch, StoreError> {
        self.inner.load(id)
    }

    fn list(&self, status: Status, listed: bool, most: usize) -> Result<Vec<(MatchRow, Vec<Holder>)>, StoreError> {
        self.inner.list(status, listed, most)
    }

    fn holders(&self, id: MatchId) -> Result<Vec<Holder>, StoreError> {
        self.inner.holders(id)
    }

    fn counts(&self) -> Result<[u64; 3], StoreError> {
        self.inner.counts()
    }

    fn put_rules(&self, fingerprint: &[u8; 32], sources: &[u8]) -> Result<(), StoreError> {
        self.inner.put_rules(fingerprint, sources)
    }

    fn rules(&self, fingerprint: &[u8; 32]) -> Result<Option<Vec<u8>>, StoreError> {
        self.inner.rules(fingerprint)
    }

    fn cancel(&self, id: MatchId) -> Result<(), StoreError> {
        self.inner.cancel(id)
    }

    fn sweep(&self, status: Status, before: u64, most: usize) -> Result<Vec<MatchId>, StoreError> {
        self.inner.sweep(status, before, most)
    }
}
