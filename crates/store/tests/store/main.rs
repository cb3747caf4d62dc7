//! Stores, as those who run matches use them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

mod conformance;
mod nodes;

use std::sync::{Arc, mpsc};
use std::time::Duration;

use boardwright_store::{MatchId, MatchRow, NewEntry, Owner, PostgresStore, SeatChange, SqliteStore, Status, Store, StoreError};

use conformance::Place;

/// How long something is waited for that comes, and nodes count as alive: far longer than anything takes.
const LONG: Duration = Duration::from_mins(1);

/// A file in a folder of its own.
struct Sqlite(tempfile::TempDir);

impl Sqlite {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }
}

impl Place for Sqlite {
    fn open(&self) -> Arc<dyn Store> {
        Arc::new(SqliteStore::open(&self.0.path().join("matches.db")).unwrap())
    }
}

/// A database of its own.
struct Postgres(String);

impl Postgres {
    fn new() -> Self {
        Self(boardwright_test_postgres::new_database())
    }

    /// A node of the database.
    fn node(&self, address: &str) -> PostgresStore {
        PostgresStore::open(&self.0, address, LONG).unwrap()
    }
}

impl Place for Postgres {
    fn open(&self) -> Arc<dyn Store> {
        Arc::new(self.node("here"))
    }
}

/// Makes a match one's own, if others may have it.
fn claim(store: &dyn Store, id: u64) {
    let claimed = store.cluster().map(|cluster| cluster.claim(MatchId::new(id)));
    assert!(
        matches!(claimed, None | Some(Ok(Owner::Here) | Err(StoreError::NoMatch(_)))),
        "{claimed:?}"
    );
}

fn row(id: u64) -> MatchRow {
    MatchRow {
        id: MatchId::new(id),
        name: format!("Zápas {id}"),
        ruleset: "tic-tac-toe".to_owned(),
        scenario: "standard".to_owned(),
        status: Status::Waiting,
        is_listed: true,
        created: 1_000 + id,
        changed: 1_000 + id,
        settings: b"{}".to_vec(),
    }
}

fn entry(id: u64, number: u64) -> NewEntry {
    NewEntry {
        id: MatchId::new(id),
        number,
        entry: format!("{id}:{number}").into_bytes(),
        status: Status::Waiting,
        at: 5_000 + number,
    }
}

/// Stores an entry, as whoever runs its match.
fn append(store: &dyn Store, entry: NewEntry) -> Result<(), StoreError> {
    claim(store, entry.id.number());
    append_only(store, entry)
}

fn append_only(store: &dyn Store, entry: NewEntry) -> Result<(), StoreError> {
    let (done, result) = mpsc::channel();
    store.append(entry, Box::new(move |stored| done.send(stored).unwrap()));
    result.recv().unwrap()
}

fn take(seats: &[u8], people: usize, name: &str, token: u8) -> SeatChange {
    SeatChange::Take {
        seats: seats.to_vec(),
        people,
        name: name.to_owned(),
        token_hash: [token; 32],
        commitment: Some([9; 32]),
    }
}
