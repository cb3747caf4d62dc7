//! The store in one file of `SQLite`.
//!
//! One thread writes. It takes everything that has come while it waited for the disk into one transaction, so that a thousand changes cost one
//! wait; a single change does not wait for others. Reading goes over a connection of its own and never waits for writing.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use rusqlite::{Connection, ErrorCode, OptionalExtension as _, Row, Transaction, TransactionBehavior, params};

use super::names::name_key;
use super::{Holder, MatchId, MatchRow, NewEntry, SeatChange, Seating, Status, Store, StoreError, Stored, StoredMatch};

mod migrations {
    refinery::embed_migrations!("migrations");
}

/// The most changes in one transaction.
const MOST_AT_ONCE: usize = 4_096;
/// The most matches of which the number of the newest entry is kept in mind.
const MOST_KNOWN: usize = 100_000;
/// The most entries of the chat of a match that are kept.
const MOST_CHAT: i64 = 600;
/// The connections for reading: a long match that is read keeps nobody from the list.
const READERS: usize = 4;
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
    readers: Vec<Mutex<Connection>>,
    /// Which of them is waited for when all are busy.
    next_reader: AtomicUsize,
    /// Held while the store is open: two servers on one file would not know of each other's matches.
    lock: File,
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
        make_private(file)?;
        let mut connection = connect(file)?;
        let migrated = migrations::migrations::runner().run(&mut connection);
        migrated.map_err(|error| match error.kind() {
            refinery::error::Kind::MissingVersion(_) | refinery::error::Kind::DivergentVersion(..) => StoreError::Newer(error.to_string()),
            _ => StoreError::Database(error.to_string()),
        })?;
        fill_name_keys(&mut connection)?;
        let readers = (0..READERS).map(|_| connect(file).map(Mutex::new)).collect::<Result<_, _>>()?;
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
            readers,
            next_reader: AtomicUsize::new(0),
            lock,
        })
    }

    fn send(&self, message: ToWriter) {
        let Some(to) = &self.to else { return };
        if let Err(mpsc::SendError(ToWriter::Append(_, stored) | ToWriter::Change(_, stored))) = to.send(message) {
            stored(Err(StoreError::Database("its thread is gone".to_owned())));
        }
    }

    /// Has something changed, and waits for it.
    fn change<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Connection, &mut Newest) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (done, result) = mpsc::sync_channel(1);
        let (found, value) = mpsc::sync_channel(1);
        let change = move |connection: &Connection, newest: &mut Newest| {
            let value = change(connection, newest)?;
            drop(found.send(value));
            Ok(())
        };
        let stored = move |result| drop(done.send(result));
        self.send(ToWriter::Change(Box::new(change), Box::new(stored)));
        let gone = || StoreError::Database("its thread is gone".to_owned());
        result.recv().unwrap_or_else(|_| Err(gone()))?;
        value.recv().map_err(|_| gone())
    }

    fn reader(&self) -> MutexGuard<'_, Connection> {
        let free = self.readers.iter().find_map(|reader| reader.try_lock().ok());
        free.unwrap_or_else(|| {
            let next = self.next_reader.fetch_add(1, Ordering::Relaxed) % READERS;
            self.readers[next].lock().unwrap_or_else(PoisonError::into_inner)
        })
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        self.to = None;
        // What is called when something is stored may hold the store as the last; a thread cannot wait for itself.
        if let Some(writer) = self.writer.take().filter(|writer| writer.thread().id() != thread::current().id()) {
            drop(writer.join());
        }
        // Not left to closing the file: a program that is just being started shares it, and the lock, until it runs.
        drop(self.lock.unlock());
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

/// Makes the file for its owner alone, if it is not there; what the database puts beside it is like it.
fn make_private(file: &Path) -> Result<(), StoreError> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(file) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
            Err(StoreError::Database(format!("{}: {error}", file.display())))
        }
        _ => Ok(()),
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

/// Fills in the keys of names that were stored before there were any.
fn fill_name_keys(connection: &mut Connection) -> Result<(), rusqlite::Error> {
    let transaction = connection.transaction()?;
    for (table, column) in [("matches", "id"), ("holders", "match_id")] {
        let mut select = transaction.prepare(&format!("SELECT DISTINCT {column}, name FROM {table} WHERE name_key = ''"))?;
        let mut update = transaction.prepare(&format!("UPDATE {table} SET name_key = ?3 WHERE {column} = ?1 AND name = ?2"))?;
        let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        for (id, name) in rows.collect::<rusqlite::Result<Vec<(i64, String)>>>()? {
            update.execute(params![id, name, name_key(&name)])?;
        }
    }
    transaction.commit()
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
        let (work, callbacks): (Vec<_>, Vec<_>) = changes
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
            Ok(results) => std::iter::zip(callbacks, results).for_each(|(stored, result)| stored(result)),
            Err(error) => {
                let why = error.to_string();
                for stored in callbacks {
                    stored(Err(StoreError::Database(why.clone())));
                }
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
        "SELECT max(number, coalesce((SELECT max(number) FROM entries WHERE match_id = ?1), 0)) FROM heads WHERE match_id = ?1",
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

const fn status_of(number: i64) -> Status {
    match number {
        0 => Status::Waiting,
        1 => Status::Playing,
        _ => Status::Ended,
    }
}

fn row_of(row: &Row<'_>) -> rusqlite::Result<MatchRow> {
    Ok(MatchRow {
        id: MatchId::new(row.get::<_, i64>(0)? as u64),
        name: row.get(1)?,
        ruleset: row.get(2)?,
        scenario: row.get(3)?,
        status: status_of(row.get(4)?),
        is_listed: row.get(5)?,
        created: row.get::<_, i64>(6)? as u64,
        changed: row.get::<_, i64>(7)? as u64,
        settings: row.get(8)?,
    })
}

/// Deletes a match with all that is stored of it.
fn delete(transaction: &Connection, newest: &mut Newest, id: MatchId) -> Result<(), StoreError> {
    newest.remove(&id);
    for table in ["chat", "entries", "holders", "heads"] {
        let mut delete = transaction.prepare_cached(&format!("DELETE FROM {table} WHERE match_id = ?1"))?;
        delete.execute([number(id)])?;
    }
    some(transaction.execute("DELETE FROM matches WHERE id = ?1", [number(id)])?, id)
}

fn status_in(transaction: &Connection, id: MatchId) -> Result<Status, StoreError> {
    let mut select = transaction.prepare_cached("SELECT status FROM matches WHERE id = ?1")?;
    let found = select.query_row([number(id)], |row| row.get(0)).optional()?;
    found.map(status_of).ok_or(StoreError::NoMatch(id))
}

fn seat(transaction: &Connection, id: MatchId, change: &SeatChange, at: u64) -> Result<Seating, StoreError> {
    let status = status_in(transaction, id)?;
    let holders = holders_of(transaction, id)?;
    let seating = change.seating(status, &holders)?;
    let SeatChange::Take {
        name,
        token_hash,
        commitment,
        ..
    } = change
    else {
        let delete = "DELETE FROM holders WHERE match_id = ?1 AND seat = ?2";
        transaction.execute(delete, params![number(id), seating.seat])?;
        return Ok(seating);
    };
    transaction.execute(
        "INSERT INTO holders (match_id, seat, name, name_key, token_hash, commitment) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![number(id), seating.seat, name, name_key(name), token_hash, commitment],
    )?;
    transaction.execute(
        "UPDATE matches SET status = ?2, changed = max(changed, ?3) WHERE id = ?1",
        params![number(id), status_number(seating.status), at as i64],
    )?;
    Ok(seating)
}

fn holders_of(connection: &Connection, id: MatchId) -> Result<Vec<Holder>, StoreError> {
    let mut select =
        connection.prepare_cached("SELECT seat, name, token_hash, commitment FROM holders WHERE match_id = ?1 ORDER BY seat")?;
    let holders = select.query_map([number(id)], |row| {
        Ok(Holder {
            seat: row.get(0)?,
            name: row.get(1)?,
            token_hash: row.get(2)?,
            commitment: row.get(3)?,
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
            let key = name_key(&row.name);
            if row.is_listed {
                let alike = "SELECT 1 FROM matches WHERE name_key = ?1 AND status < 2 AND is_listed LIMIT 1";
                if transaction.prepare_cached(alike)?.exists([&key])? {
                    return Err(StoreError::NameTaken(row.name));
                }
            }
            let mut insert = transaction.prepare_cached(&format!(
                "INSERT INTO matches ({COLUMNS}, name_key) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"
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
                key
            ]);
            match inserted {
                Err(rusqlite::Error::SqliteFailure(error, _)) if error.code == ErrorCode::ConstraintViolation => {
                    Err(StoreError::Exists(row.id))
                }
                other => {
                    other?;
                    let mut insert = transaction.prepare_cached("INSERT INTO heads (match_id, number, head) VALUES (?1, 0, ?2)")?;
                    insert.execute(params![number(row.id), head])?;
                    newest.insert(row.id, 0);
                    Ok(())
                }
            }
        })
    }

    fn add_chat(&self, id: MatchId, entry: Vec<u8>) {
        let change = move |transaction: &Connection, _: &mut Newest| {
            let mut insert = transaction.prepare_cached("INSERT INTO chat (match_id, entry) SELECT id, ?2 FROM matches WHERE id = ?1")?;
            insert.execute(params![number(id), entry])?;
            let mut forget = transaction.prepare_cached(
                "DELETE FROM chat WHERE match_id = ?1 AND id <= (SELECT id FROM chat WHERE match_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)",
            )?;
            forget.execute(params![number(id), MOST_CHAT])?;
            Ok(())
        };
        let stored = move |result: Result<(), StoreError>| {
            if let Err(error) = result {
                tracing::warn!(match_id = %id, "what was said is not kept: {error}");
            }
        };
        self.send(ToWriter::Change(Box::new(change), Box::new(stored)));
    }

    fn chat(&self, id: MatchId) -> Result<Vec<Vec<u8>>, StoreError> {
        // Behind what is on its way.
        self.change(move |transaction, _| {
            let mut select = transaction.prepare_cached("SELECT entry FROM chat WHERE match_id = ?1 ORDER BY id")?;
            let entries = select.query_map([number(id)], |row| row.get(0))?;
            Ok(entries.collect::<rusqlite::Result<_>>()?)
        })
    }

    fn check(&self) -> Result<(), StoreError> {
        // A page is written though nothing in it changes: the version of the form is kept by the migrations, in a table of theirs.
        self.change(|transaction, _| Ok(transaction.pragma_update(None, "user_version", 0)?))
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
                "UPDATE heads SET head = ?2, number = ?3 WHERE match_id = ?1 AND number <= ?3",
                params![number(id), head, up_to as i64],
            )?;
            transaction.execute(
                "DELETE FROM entries WHERE match_id = ?1 AND number <= ?2",
                params![number(id), up_to as i64],
            )?;
            Ok(())
        })
    }

    fn seat(&self, id: MatchId, change: &SeatChange, at: u64) -> Result<Seating, StoreError> {
        let change = change.clone();
        self.change(move |transaction, _| seat(transaction, id, &change, at))
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
            let mut select = transaction.prepare_cached(&format!(
                "SELECT {COLUMNS}, head, number FROM matches JOIN heads ON match_id = id WHERE id = ?1"
            ))?;
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

    fn list(&self, status: Status, listed: bool, most: usize) -> Result<Vec<(MatchRow, Vec<Holder>)>, StoreError> {
        let mut reader = self.reader();
        // One transaction, so that rows and holders are of the same moment.
        let transaction = reader.transaction()?;
        // Spelled out, so that the index of those that are listed is used however many are not.
        let which = if listed { "AND is_listed" } else { "" };
        let mut select = transaction.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM matches WHERE status = ?1 {which} ORDER BY changed DESC LIMIT ?2"
        ))?;
        let rows = select.query_map(params![status_number(status), most as i64], row_of)?;
        let rows = rows.collect::<rusqlite::Result<Vec<_>>>()?;
        let with_holders = |row: MatchRow| holders_of(&transaction, row.id).map(|holders| (row, holders));
        rows.into_iter().map(with_holders).collect()
    }

    fn holders(&self, id: MatchId) -> Result<Vec<Holder>, StoreError> {
        holders_of(&self.reader(), id)
    }

    fn counts(&self) -> Result<[u64; 3], StoreError> {
        let reader = self.reader();
        let mut select = reader.prepare_cached("SELECT status, matches FROM totals")?;
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

    fn cancel(&self, id: MatchId) -> Result<(), StoreError> {
        self.change(move |transaction, newest| {
            if status_in(transaction, id)? != Status::Waiting {
                return Err(StoreError::TooLate);
            }
            delete(transaction, newest, id)
        })
    }

    fn sweep(&self, status: Status, before: u64, most: usize) -> Result<Vec<MatchId>, StoreError> {
        self.change(move |transaction, newest| {
            let mut select =
                transaction.prepare_cached("SELECT id FROM matches WHERE status = ?1 AND changed < ?2 ORDER BY changed LIMIT ?3")?;
            let before = i64::try_from(before).unwrap_or(i64::MAX);
            let found = select.query_map(params![status_number(status), before, most as i64], |row| row.get::<_, i64>(0))?;
            let found = found.map(|id| Ok(MatchId::new(id? as u64))).collect::<rusqlite::Result<Vec<_>>>()?;
            found.iter().try_for_each(|id| delete(transaction, newest, *id))?;
            Ok(found)
        })
    }
}

#[cfg(test)]
mod tests {
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

    fn store() -> (tempfile::TempDir, SqliteStore) {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("matches.db")).unwrap();
        (folder, store)
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
            let (done, callbacks) = mpsc::channel();
            for entry in [entry(1, 1), large.clone(), entry(1, 3)] {
                let done = done.clone();
                store.append(entry, Box::new(move |stored| done.send(stored).unwrap()));
            }
            go_on.send(()).unwrap();
            [(); 3].map(|()| callbacks.recv().unwrap())
        };
        for _ in 0..2 {
            for stored in send_all() {
                let error = stored.unwrap_err();
                assert!(matches!(&error, StoreError::Database(why) if why.contains("full")), "{error}");
            }
            assert_eq!(store.load(MatchId::new(1)).unwrap().entries, [] as [Vec<u8>; 0]);
        }
        bound_pages(&store, 10_000);
        for stored in send_all() {
            stored.unwrap();
        }
        assert_eq!(store.load(MatchId::new(1)).unwrap().entries.len(), 3);
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
