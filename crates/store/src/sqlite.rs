//! The store in one file of `SQLite`.
//!
//! One thread writes. It takes everything that has come while it waited for the disk into one transaction, so that a thousand changes cost one
//! wait; a single change does not wait for others. Reading goes over a connection of its own and never waits for writing.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use rusqlite::{Connection, ErrorCode, OptionalExtension as _, Row, Transaction, TransactionBehavior, params};

use super::{Holder, MatchId, MatchRow, NewEntry, Status, Store, StoreError, Stored, StoredMatch};

mod migrations {
    refinery::embed_migrations!("migrations");
}

/// The most changes in one transaction.
const MOST_AT_ONCE: usize = 4_096;
/// The most matches of which the number of the newest entry is kept in mind.
const MOST_KNOWN: usize = 100_000;
const COLUMNS: &str = "id, name, ruleset, scenario, status, is_listed, created, changed, settings";

/// What is to be changed, as one step that is carried out wholly or not at all.
type Change = Box<dyn FnOnce(&Connection, &mut Newest) -> Result<(), StoreError> + Send>;

enum ToWriter {
    Append(NewEntry, Stored),
    Change(Change, Stored),
}

/// The numbers of the newest entries, of matches that were written to.
type Newest = HashMap<MatchId, u64>;

/// A store in one file of `SQLite`. Dropped, it waits until everything is written.
#[derive(Debug)]
pub struct SqliteStore {
    to: Option<Sender<ToWriter>>,
    writer: Option<JoinHandle<()>>,
    reader: Mutex<Connection>,
    /// Held while the store is open: two servers on one file would not know of each other's matches.
    _lock: File,
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error.to_string())
    }
}

impl SqliteStore {
    /// Opens a store, or makes a new one, and brings it to the form of this version of the program.
    ///
    /// # Errors
    /// If the file cannot be read and written, is no store, is one of a newer version, or is open in another program.
    pub fn open(file: &Path) -> Result<Self, StoreError> {
        let lock = lock_beside(file)?;
        let mut connection = connect(file)?;
        let migrated = migrations::migrations::runner().run(&mut connection);
        migrated.map_err(|error| match error.kind() {
            refinery::error::Kind::MissingVersion(_) | refinery::error::Kind::DivergentVersion(..) => StoreError::Newer(error.to_string()),
            _ => StoreError::Database(error.to_string()),
        })?;
        let reader = connect(file)?;
        let (to, inbox) = mpsc::channel();
        let writer = Writer {
            connection,
            newest: Newest::new(),
        };
        let writer = thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || writer.run(&inbox))
            .map_err(|error| StoreError::Database(error.to_string()))?;
        Ok(Self {
            to: Some(to),
            writer: Some(writer),
            reader: Mutex::new(reader),
            _lock: lock,
        })
    }

    fn send(&self, message: ToWriter) {
        let Some(to) = &self.to else { return };
        if let Err(mpsc::SendError(ToWriter::Append(_, stored) | ToWriter::Change(_, stored))) = to.send(message) {
            stored(Err(StoreError::Database("its thread is gone".to_owned())));
        }
    }

    /// Has something changed, and waits for it.
    fn change(&self, change: impl FnOnce(&Connection, &mut Newest) -> Result<(), StoreError> + Send + 'static) -> Result<(), StoreError> {
        let (done, result) = mpsc::sync_channel(1);
        let stored = move |result| drop(done.send(result));
        self.send(ToWriter::Change(Box::new(change), Box::new(stored)));
        result
            .recv()
            .unwrap_or_else(|_| Err(StoreError::Database("its thread is gone".to_owned())))
    }

    fn reader(&self) -> MutexGuard<'_, Connection> {
        self.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        self.to = None;
        // What is called when something is stored may hold the store as the last; a thread cannot wait for itself.
        if let Some(writer) = self.writer.take().filter(|writer| writer.thread().id() != thread::current().id()) {
            drop(writer.join());
        }
    }
}

fn lock_beside(file: &Path) -> Result<File, StoreError> {
    let mut name = file.as_os_str().to_owned();
    name.push(".lock");
    let wrong = |error: std::io::Error| StoreError::Database(format!("{}: {error}", file.display()));
    let lock = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&name)
        .map_err(wrong)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(StoreError::Database(format!("{} is open in another server", file.display()))),
        Err(TryLockError::Error(error)) => Err(wrong(error)),
    }
}

fn connect(file: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open(file)?;
    // WAL: reading does not wait for writing. FULL: a transaction that was committed is on disk.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// What the thread that writes owns.
struct Writer {
    connection: Connection,
    newest: Newest,
}

impl Writer {
    fn run(mut self, inbox: &Receiver<ToWriter>) {
        while let Ok(first) = inbox.recv() {
            let rest = std::iter::from_fn(|| inbox.try_recv().ok());
            self.write(std::iter::once(first).chain(rest).take(MOST_AT_ONCE).collect());
        }
    }

    /// Carries out changes in one transaction, and tells of each how it went when all of them are on disk.
    fn write(&mut self, changes: Vec<ToWriter>) {
        let (work, told): (Vec<_>, Vec<_>) = changes
            .into_iter()
            .map(|change| match change {
                ToWriter::Append(entry, stored) => (Work::Append(entry), stored),
                ToWriter::Change(change, stored) => (Work::Change(change), stored),
            })
            .unzip();
        let committed = self.carry_out(work);
        if committed.is_err() || self.newest.len() > MOST_KNOWN {
            // After a failure, what was counted is not there.
            self.newest.clear();
        }
        match committed {
            Ok(results) => std::iter::zip(told, results).for_each(|(stored, result)| stored(result)),
            Err(error) => {
                let why = error.to_string();
                told.into_iter().for_each(|stored| stored(Err(StoreError::Database(why.clone()))));
            }
        }
    }

    /// How each change went; an error if none of them is on disk.
    fn carry_out(&mut self, changes: Vec<Work>) -> Result<Vec<Result<(), StoreError>>, rusqlite::Error> {
        let mut transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut results = Vec::with_capacity(changes.len());
        let mut changed: HashMap<MatchId, (u64, Status)> = HashMap::new();
        for change in changes {
            let result = match change {
                Work::Append(entry) => {
                    let result = append(&transaction, &mut self.newest, &entry);
                    if result.is_ok() {
                        changed.insert(entry.id, (entry.at, entry.status));
                    }
                    result
                }
                Work::Change(change) => in_savepoint(&mut transaction, change, &mut self.newest),
            };
            if transaction.is_autocommit() {
                // On a full disk and the like `SQLite` takes the whole transaction back by itself; what followed would be on its own.
                return Err(match result {
                    Err(StoreError::Database(why)) => rusqlite::Error::ToSqlConversionFailure(why.into()),
                    _ => rusqlite::Error::ToSqlConversionFailure("the transaction was taken back".into()),
                });
            }
            results.push(result);
        }
        for (id, (at, status)) in changed {
            let mut update = transaction.prepare_cached("UPDATE matches SET changed = max(changed, ?2), status = ?3 WHERE id = ?1")?;
            update.execute(params![number(id), at as i64, status_number(status)])?;
        }
        transaction.commit()?;
        Ok(results)
    }
}

/// What is to be done, without who is told of it.
enum Work {
    Append(NewEntry),
    Change(Change),
}

fn in_savepoint(transaction: &mut Transaction<'_>, change: Change, newest: &mut Newest) -> Result<(), StoreError> {
    let savepoint = transaction.savepoint()?;
    // Dropped after an error, the savepoint takes back what was done.
    change(&savepoint, newest)?;
    Ok(savepoint.commit()?)
}

/// `SQLite` knows integers with a sign only; an id has 60 bits.
fn number(id: MatchId) -> i64 {
    id.number() as i64
}

/// The number of the newest entry of a match.
fn newest_of(connection: &Connection, newest: &mut Newest, id: MatchId) -> Result<u64, StoreError> {
    if let Some(known) = newest.get(&id) {
        return Ok(*known);
    }
    let mut select = connection.prepare_cached(
        "SELECT max(head_number, coalesce((SELECT max(number) FROM entries WHERE match_id = ?1), 0)) FROM matches WHERE id = ?1",
    )?;
    let found: Option<i64> = select.query_row([number(id)], |row| row.get(0)).optional()?;
    let found = found.ok_or(StoreError::NoMatch(id))? as u64;
    newest.insert(id, found);
    Ok(found)
}

fn append(transaction: &Connection, newest: &mut Newest, entry: &NewEntry) -> Result<(), StoreError> {
    let last = newest_of(transaction, newest, entry.id)?;
    if entry.number <= last && is_stored(transaction, entry)? {
        return Ok(());
    }
    if entry.number != last + 1 {
        return Err(StoreError::OutOfOrder {
            id: entry.id,
            number: entry.number,
            newest: last,
        });
    }
    let mut insert = transaction.prepare_cached("INSERT INTO entries (match_id, number, entry) VALUES (?1, ?2, ?3)")?;
    insert.execute(params![number(entry.id), entry.number as i64, entry.entry])?;
    newest.insert(entry.id, entry.number);
    Ok(())
}

/// Whether an entry is there already, as it is: it may have been stored though that was not heard of.
fn is_stored(transaction: &Connection, entry: &NewEntry) -> Result<bool, StoreError> {
    let mut select = transaction.prepare_cached("SELECT entry = ?3 FROM entries WHERE match_id = ?1 AND number = ?2")?;
    let found = select.query_row(params![number(entry.id), entry.number as i64, entry.entry], |row| row.get(0));
    Ok(found.optional()?.unwrap_or(false))
}

fn status_number(status: Status) -> i64 {
    match status {
        Status::Waiting => 0,
        Status::Playing => 1,
        Status::Ended => 2,
    }
}

fn row_of(row: &Row<'_>) -> rusqlite::Result<MatchRow> {
    let status: i64 = row.get(4)?;
    Ok(MatchRow {
        id: MatchId::new(row.get::<_, i64>(0)? as u64),
        name: row.get(1)?,
        ruleset: row.get(2)?,
        scenario: row.get(3)?,
        status: match status {
            0 => Status::Waiting,
            1 => Status::Playing,
            _ => Status::Ended,
        },
        is_listed: row.get(5)?,
        created: row.get::<_, i64>(6)? as u64,
        changed: row.get::<_, i64>(7)? as u64,
        settings: row.get(8)?,
    })
}

fn holders_of(connection: &Connection, id: MatchId) -> Result<Vec<Holder>, StoreError> {
    let mut select = connection.prepare_cached("SELECT seat, name, token_hash FROM holders WHERE match_id = ?1 ORDER BY seat")?;
    let holders = select.query_map([number(id)], |row| {
        Ok(Holder {
            seat: row.get(0)?,
            name: row.get(1)?,
            token_hash: row.get(2)?,
        })
    })?;
    Ok(holders.collect::<rusqlite::Result<_>>()?)
}

/// An error if nothing was changed, because there is no such match.
fn some(changed: usize, id: MatchId) -> Result<(), StoreError> {
    if changed == 0 { Err(StoreError::NoMatch(id)) } else { Ok(()) }
}

impl Store for SqliteStore {
    fn create(&self, row: &MatchRow, head: &[u8]) -> Result<(), StoreError> {
        let (row, head) = (row.clone(), head.to_vec());
        self.change(move |transaction, newest| {
            let mut insert = transaction.prepare_cached(&format!(
                "INSERT INTO matches ({COLUMNS}, head, head_number) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 0)"
            ))?;
            let inserted = insert.execute(params![
                number(row.id),
                row.name,
                row.ruleset,
                row.scenario,
                status_number(row.status),
                row.is_listed,
                row.created as i64,
                row.changed as i64,
                row.settings,
                head
            ]);
            match inserted {
                Err(rusqlite::Error::SqliteFailure(error, _)) if error.code == ErrorCode::ConstraintViolation => {
                    Err(StoreError::Exists(row.id))
                }
                other => {
                    other?;
                    newest.insert(row.id, 0);
                    Ok(())
                }
            }
        })
    }

    fn append(&self, entry: NewEntry, stored: Stored) {
        self.send(ToWriter::Append(entry, stored));
    }

    fn replace_head(&self, id: MatchId, head: &[u8], up_to: u64) -> Result<(), StoreError> {
        let head = head.to_vec();
        self.change(move |transaction, newest| {
            let last = newest_of(transaction, newest, id)?;
            if up_to > last {
                return Err(StoreError::OutOfOrder {
                    id,
                    number: up_to,
                    newest: last,
                });
            }
            transaction.execute(
                "UPDATE matches SET head = ?2, head_number = ?3 WHERE id = ?1 AND head_number <= ?3",
                params![number(id), head, up_to as i64],
            )?;
            transaction.execute(
                "DELETE FROM entries WHERE match_id = ?1 AND number <= ?2",
                params![number(id), up_to as i64],
            )?;
            Ok(())
        })
    }

    fn set_status(&self, id: MatchId, status: Status, at: u64) -> Result<(), StoreError> {
        self.change(move |transaction, _| {
            let changed = transaction.execute(
                "UPDATE matches SET status = ?2, changed = max(changed, ?3) WHERE id = ?1",
                params![number(id), status_number(status), at as i64],
            )?;
            some(changed, id)
        })
    }

    fn hold(&self, id: MatchId, holder: &Holder) -> Result<(), StoreError> {
        let holder = holder.clone();
        self.change(move |transaction, newest| {
            newest_of(transaction, newest, id)?;
            let changed = transaction.execute(
                "INSERT INTO holders (match_id, seat, name, token_hash) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (match_id, seat) DO UPDATE SET name = excluded.name WHERE token_hash = excluded.token_hash",
                params![number(id), holder.seat, holder.name, holder.token_hash],
            )?;
            if changed == 0 { Err(StoreError::SeatTaken) } else { Ok(()) }
        })
    }

    fn release(&self, id: MatchId, seat: u8) -> Result<(), StoreError> {
        self.change(move |transaction, newest| {
            newest_of(transaction, newest, id)?;
            transaction.execute("DELETE FROM holders WHERE match_id = ?1 AND seat = ?2", params![number(id), seat])?;
            Ok(())
        })
    }

    fn row(&self, id: MatchId) -> Result<MatchRow, StoreError> {
        let reader = self.reader();
        let mut select = reader.prepare_cached(&format!("SELECT {COLUMNS} FROM matches WHERE id = ?1"))?;
        select.query_row([number(id)], row_of).optional()?.ok_or(StoreError::NoMatch(id))
    }

    fn load(&self, id: MatchId) -> Result<StoredMatch, StoreError> {
        let mut reader = self.reader();
        // One transaction, so that head and entries are of the same moment.
        let transaction = reader.transaction()?;
        let head = {
            let mut select = transaction.prepare_cached(&format!("SELECT {COLUMNS}, head, head_number FROM matches WHERE id = ?1"))?;
            select
                .query_row([number(id)], |row| Ok((row_of(row)?, row.get(9)?, row.get::<_, i64>(10)?)))
                .optional()?
        };
        let (row, head, head_number) = head.ok_or(StoreError::NoMatch(id))?;
        let entries = {
            let mut select = transaction.prepare_cached("SELECT entry FROM entries WHERE match_id = ?1 AND number > ?2 ORDER BY number")?;
            let entries = select.query_map(params![number(id), head_number], |row| row.get(0))?;
            entries.collect::<rusqlite::Result<_>>()?
        };
        let holders = holders_of(&transaction, id)?;
        Ok(StoredMatch {
            row,
            head,
            head_number: head_number as u64,
            entries,
            holders,
        })
    }

    fn list(&self, status: Status, listed: bool, most: usize) -> Result<Vec<MatchRow>, StoreError> {
        let reader = self.reader();
        let mut select = reader.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM matches WHERE status = ?1 AND (is_listed OR NOT ?2) ORDER BY changed DESC LIMIT ?3"
        ))?;
        let rows = select.query_map(params![status_number(status), listed, most as i64], row_of)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    fn holders(&self, id: MatchId) -> Result<Vec<Holder>, StoreError> {
        holders_of(&self.reader(), id)
    }

    fn counts(&self) -> Result<[u64; 3], StoreError> {
        let reader = self.reader();
        let mut select = reader.prepare_cached("SELECT status, count(*) FROM matches GROUP BY status")?;
        let mut counts = [0; 3];
        let rows = select.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)))?;
        for row in rows {
            let (status, count) = row?;
            if let Some(slot) = usize::try_from(status).ok().and_then(|status| counts.get_mut(status)) {
                *slot = count as u64;
            }
        }
        Ok(counts)
    }

    fn put_rules(&self, fingerprint: &[u8; 32], sources: &[u8]) -> Result<(), StoreError> {
        let (fingerprint, sources) = (*fingerprint, sources.to_vec());
        self.change(move |transaction, _| {
            transaction.execute(
                "INSERT INTO rules (fingerprint, sources) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
                params![fingerprint, sources],
            )?;
            Ok(())
        })
    }

    fn rules(&self, fingerprint: &[u8; 32]) -> Result<Option<Vec<u8>>, StoreError> {
        let reader = self.reader();
        let mut select = reader.prepare_cached("SELECT sources FROM rules WHERE fingerprint = ?1")?;
        Ok(select.query_row([fingerprint], |row| row.get(0)).optional()?)
    }

    fn delete(&self, id: MatchId) -> Result<(), StoreError> {
        self.change(move |transaction, newest| {
            newest.remove(&id);
            for table in ["entries", "holders"] {
                transaction.execute(&format!("DELETE FROM {table} WHERE match_id = ?1"), [number(id)])?;
            }
            some(transaction.execute("DELETE FROM matches WHERE id = ?1", [number(id)])?, id)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

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

    fn append(store: &SqliteStore, entry: NewEntry) -> Result<(), StoreError> {
        let (done, result) = mpsc::channel();
        store.append(entry, Box::new(move |stored| done.send(stored).unwrap()));
        result.recv().unwrap()
    }

    fn store() -> (tempfile::TempDir, SqliteStore) {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("matches.db")).unwrap();
        (folder, store)
    }

    #[test]
    fn what_was_stored_is_there_when_the_store_is_opened_again() {
        let (folder, store) = store();
        store.create(&row(1), b"head").unwrap();
        for number in 1..=3 {
            append(&store, entry(1, number)).unwrap();
        }
        let holder = Holder {
            seat: 1,
            name: "Žofie".to_owned(),
            token_hash: [7; 32],
        };
        store.hold(MatchId::new(1), &holder).unwrap();
        store.set_status(MatchId::new(1), Status::Playing, 6_000).unwrap();
        drop(store);
        let store = SqliteStore::open(&folder.path().join("matches.db")).unwrap();
        let stored = store.load(MatchId::new(1)).unwrap();
        assert_eq!(
            stored.row,
            MatchRow {
                status: Status::Playing,
                changed: 6_000,
                ..row(1)
            }
        );
        assert_eq!((stored.head.as_slice(), stored.head_number), (b"head".as_slice(), 0));
        assert_eq!(stored.entries, [b"1:1".to_vec(), b"1:2".to_vec(), b"1:3".to_vec()]);
        assert_eq!(stored.holders, [holder]);
        assert_eq!(store.counts().unwrap(), [0, 1, 0]);
        append(&store, entry(1, 4)).unwrap();
    }

    #[test]
    fn what_is_called_when_something_is_stored_may_be_the_last_to_hold_the_store() {
        let (folder, store) = store();
        store.create(&row(1), b"").unwrap();
        let store = Arc::new(store);
        let (last, (done, result)) = (Arc::clone(&store), mpsc::channel());
        let (go_on, waits) = mpsc::channel::<()>();
        let stored = move |stored: Result<(), StoreError>| {
            waits.recv().unwrap();
            stored.unwrap();
            drop(last);
            done.send(()).unwrap();
        };
        store.append(entry(1, 1), Box::new(stored));
        drop(store);
        go_on.send(()).unwrap();
        result.recv().unwrap();
        let store = SqliteStore::open(&folder.path().join("matches.db")).unwrap();
        assert_eq!(store.load(MatchId::new(1)).unwrap().entries, [b"1:1".to_vec()]);
    }

    #[test]
    fn an_entry_that_does_not_follow_the_newest_is_refused_and_others_of_its_batch_are_not() {
        let (_folder, store) = store();
        store.create(&row(1), b"").unwrap();
        store.create(&row(2), b"").unwrap();
        append(&store, entry(1, 1)).unwrap();
        // Sent again as it is, an entry is stored; another one in its place is not.
        append(&store, entry(1, 1)).unwrap();
        let changed = NewEntry {
            entry: b"another".to_vec(),
            ..entry(1, 1)
        };
        for wrong in [entry(1, 0), changed, entry(1, 3)] {
            let refused = append(&store, wrong).unwrap_err();
            assert!(matches!(refused, StoreError::OutOfOrder { newest: 1, .. }), "{refused}");
        }
        assert!(matches!(append(&store, entry(9, 1)), Err(StoreError::NoMatch(_))));
        let failed = Arc::new(AtomicUsize::new(0));
        let (done, all) = mpsc::channel();
        let other = NewEntry {
            entry: b"another".to_vec(),
            ..entry(1, 2)
        };
        let entries = [2, 2, 3, 9, 4].map(|number| entry(1, number));
        for entry in entries.into_iter().chain([other]) {
            let (failed, done) = (Arc::clone(&failed), done.clone());
            let stored = move |stored: Result<(), StoreError>| {
                failed.fetch_add(usize::from(stored.is_err()), Ordering::Relaxed);
                done.send(()).unwrap();
            };
            store.append(entry, Box::new(stored));
        }
        (0..6).for_each(|_| all.recv().unwrap());
        assert_eq!(failed.load(Ordering::Relaxed), 2);
        assert_eq!(store.load(MatchId::new(1)).unwrap().entries.len(), 4);
    }

    /// Bounds the size of the file, as a full disk does.
    fn bound_pages(store: &SqliteStore, more: i64) {
        let bound = move |connection: &Connection, _: &mut Newest| {
            let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
            connection.pragma_update_and_check(None, "max_page_count", pages + more, |_| Ok(()))?;
            Ok(())
        };
        store.change(bound).unwrap();
    }

    #[test]
    fn on_a_full_disk_nothing_of_a_batch_is_stored_and_all_of_it_later() {
        let (_folder, store) = store();
        store.create(&row(1), b"").unwrap();
        bound_pages(&store, 2);
        let large = NewEntry {
            entry: vec![7; 1 << 20],
            ..entry(1, 2)
        };
        let send_all = || {
            // The thread of the store is kept waiting, so that all of it is one batch.
            let (go_on, waits) = mpsc::channel::<()>();
            let wait = move |_: &Connection, _: &mut Newest| {
                waits.recv().unwrap();
                Ok(())
            };
            store.send(ToWriter::Change(Box::new(wait), Box::new(|_| {})));
            let (done, told) = mpsc::channel();
            for entry in [entry(1, 1), large.clone(), entry(1, 3)] {
                let done = done.clone();
                store.append(entry, Box::new(move |stored| done.send(stored).unwrap()));
            }
            go_on.send(()).unwrap();
            [(); 3].map(|()| told.recv().unwrap())
        };
        for _ in 0..2 {
            for stored in send_all() {
                let error = stored.unwrap_err();
                assert!(matches!(&error, StoreError::Database(why) if why.contains("full")), "{error}");
            }
            assert_eq!(store.load(MatchId::new(1)).unwrap().entries, [] as [Vec<u8>; 0]);
        }
        bound_pages(&store, 10_000);
        send_all().into_iter().for_each(|stored| stored.unwrap());
        assert_eq!(store.load(MatchId::new(1)).unwrap().entries.len(), 3);
    }

    #[test]
    fn a_new_head_takes_the_place_of_the_entries_in_it() {
        let (_folder, store) = store();
        let id = MatchId::new(1);
        store.create(&row(1), b"old").unwrap();
        (1..=5).for_each(|number| append(&store, entry(1, number)).unwrap());
        store.replace_head(id, b"new", 3).unwrap();
        let stored = store.load(id).unwrap();
        assert_eq!((stored.head.as_slice(), stored.head_number), (b"new".as_slice(), 3));
        assert_eq!(stored.entries, [b"1:4".to_vec(), b"1:5".to_vec()]);
        assert!(matches!(store.replace_head(id, b"ahead", 6), Err(StoreError::OutOfOrder { .. })));
        store.replace_head(id, b"all", 5).unwrap();
        append(&store, entry(1, 6)).unwrap();
        assert_eq!(store.load(id).unwrap().entries, [b"1:6".to_vec()]);
    }

    #[test]
    fn a_seat_has_one_holder_until_it_is_released() {
        let (_folder, store) = store();
        let id = MatchId::new(1);
        store.create(&row(1), b"").unwrap();
        let holder = |name: &str, token: u8| Holder {
            seat: 0,
            name: name.to_owned(),
            token_hash: [token; 32],
        };
        store.hold(id, &holder("Ada", 1)).unwrap();
        store.hold(id, &holder("Ada L.", 1)).unwrap();
        assert!(matches!(store.hold(id, &holder("Eve", 2)), Err(StoreError::SeatTaken)));
        assert_eq!(store.holders(id).unwrap(), [holder("Ada L.", 1)]);
        store.release(id, 0).unwrap();
        store.hold(id, &holder("Eve", 2)).unwrap();
    }

    #[test]
    fn lists_show_what_changed_last_first_and_nothing_private() {
        let (_folder, store) = store();
        for id in 1..=4 {
            let is_listed = id != 3;
            store.create(&MatchRow { is_listed, ..row(id) }, b"").unwrap();
        }
        append(&store, entry(2, 1)).unwrap();
        let ids = |listed| -> Vec<u64> {
            let rows = store.list(Status::Waiting, listed, 3).unwrap();
            rows.iter().map(|row| row.id.number()).collect()
        };
        assert_eq!((ids(true), ids(false)), (vec![2, 4, 1], vec![2, 4, 3]));
        assert!(matches!(store.create(&row(1), b""), Err(StoreError::Exists(_))));
        store.delete(MatchId::new(2)).unwrap();
        assert!(matches!(store.delete(MatchId::new(2)), Err(StoreError::NoMatch(_))));
        assert_eq!(ids(true), [4, 1]);
    }

    #[test]
    fn a_file_is_open_in_one_server_and_what_is_no_store_is_refused() {
        let (folder, store) = store();
        let file = folder.path().join("matches.db");
        let refused = SqliteStore::open(&file).unwrap_err().to_string();
        assert!(refused.contains("is open in another server"), "{refused}");
        drop(store);
        let other = folder.path().join("text.db");
        std::fs::write(&other, "this is no database, whatever its name says ".repeat(40)).unwrap();
        assert!(matches!(SqliteStore::open(&other), Err(StoreError::Database(_))));
        assert!(std::fs::read_to_string(&other).unwrap().starts_with("this is no database"));
    }
}
