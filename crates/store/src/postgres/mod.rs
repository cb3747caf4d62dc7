//! The store in a database of `PostgreSQL`, for several servers.
//!
//! Reading and most changes go over a few connections that are shared. Entries go through one thread, which takes everything that has come while it
//! waited for the disk into one statement, so that a thousand entries cost one wait; a single one does not wait for others. Another thread
//! says that this node is alive and hears what the others say.
//!
//! A connection that is lost is opened again when it is needed next.

mod appending;
mod connections;
mod membership;

use std::str::FromStr as _;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use postgres::error::SqlState;
use postgres::{Client, Config, Row, Transaction};

use super::cluster::{Cluster, Heard, Node, Owner};
use super::names::name_key;
use super::{Holder, MatchId, MatchRow, NewEntry, SeatChange, Seating, Status, Store, StoreError, Stored, StoredMatch};
use appending::{Appender, ToAppender};
use connections::{Connections, configured, gone, open};
use membership::Membership;

mod migrations {
    refinery::embed_migrations!("migrations_postgres");
}

/// The connections for reading and changing: a long match that is read keeps nobody from the list.
const CONNECTIONS: usize = 8;
/// Held by the node that brings the database to the form of its version.
const MIGRATING: &str = "SELECT pg_advisory_lock(7474, 0)";
const COLUMNS: &str = "id, name, ruleset, scenario, status, is_listed, created, changed, settings";

/// A store in a database of `PostgreSQL`, and this server as one of those that share it. Dropped, it waits until everything is written, and leaves.
pub struct PostgresStore {
    connections: Connections,
    membership: Arc<Membership>,
    to: Option<Sender<ToAppender>>,
    appender: Option<JoinHandle<()>>,
    place: String,
}

impl std::fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PostgresStore({})", self.place)
    }
}

impl From<postgres::Error> for StoreError {
    fn from(error: postgres::Error) -> Self {
        // What the server says is in the source of the error; neither has the password in it.
        let source = std::error::Error::source(&error).map(|source| format!(": {source}"));
        Self::Database(format!("{error}{}", source.unwrap_or_default()))
    }
}

impl PostgresStore {
    /// How long a node counts as alive that says nothing: long enough for a hitch, short enough for players who wait.
    pub const ALIVE_FOR: Duration = Duration::from_secs(2);

    /// Opens the store in a database, such as `postgres://user:password@host/database`, brings it to the form of this version of the program, and takes part as
    /// the node that the others reach at an address. It counts as alive for so long after it has said so, which it does twice a second.
    ///
    /// # Errors
    /// If the URL is none, the database cannot be reached, or was written by a newer version.
    pub fn open(url: &str, address: &str, alive_for: Duration) -> Result<Self, StoreError> {
        let config = Config::from_str(url).map_err(|_| StoreError::Database("this is no URL of a database of PostgreSQL".to_owned()))?;
        let place = place_of(&config);
        let config = configured(config);
        let mut first = open(&config)?;
        // However many nodes start at once. The lock ends with the connection.
        first.batch_execute("SET statement_timeout = 0")?;
        first.batch_execute(MIGRATING)?;
        let migrated = migrations::migrations::runner().run(&mut first);
        migrated.map_err(|error| match error.kind() {
            refinery::error::Kind::MissingVersion(_) | refinery::error::Kind::DivergentVersion(..) => StoreError::Newer(error.to_string()),
            _ => StoreError::Database(error.to_string()),
        })?;
        drop(first);
        let membership = Membership::begin(config.clone(), address, alive_for)?;
        let (to, inbox) = mpsc::channel();
        let appender = Appender::new(config.clone(), Arc::clone(&membership));
        let appender = thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || appender.run(&inbox))
            .map_err(|error| StoreError::Database(error.to_string()))?;
        Ok(Self {
            connections: Connections::new(config, CONNECTIONS),
            membership,
            to: Some(to),
            appender: Some(appender),
            place,
        })
    }

    /// Where it is, for people: without a password.
    pub fn place(&self) -> &str {
        &self.place
    }

    fn send(&self, message: ToAppender) {
        let Some(to) = &self.to else { return };
        if let Err(mpsc::SendError(ToAppender::Append { stored, .. } | ToAppender::Wait(stored) | ToAppender::Release(_, stored))) =
            to.send(message)
        {
            stored(Err(gone()));
        }
    }

    /// Sends a message, and waits until it is answered.
    fn wait_for(&self, message: impl FnOnce(Stored) -> ToAppender) -> Result<(), StoreError> {
        let (done, result) = mpsc::channel();
        let stored = move |result| drop(done.send(result));
        self.send(message(Box::new(stored)));
        result.recv().unwrap_or_else(|_| Err(gone()))
    }

    fn read<T>(&self, read: impl FnOnce(&mut Client) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.connections.with(read)
    }

    /// Has something changed, wholly or not at all.
    fn change<T>(&self, change: impl FnOnce(&mut Transaction<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.connections.with(|client| {
            let mut transaction = client.transaction()?;
            let value = change(&mut transaction)?;
            transaction.commit()?;
            Ok(value)
        })
    }

    /// Tells the other nodes of a match, when what was changed in it is committed.
    fn notify(&self, transaction: &mut Transaction<'_>, id: MatchId, seat: Option<u8>) -> Result<(), StoreError> {
        let seat = seat.map_or_else(|| "-".to_owned(), |seat| seat.to_string());
        self.membership.notify(transaction, &format!("changed {id} {seat}"))
    }
}

impl Drop for PostgresStore {
    fn drop(&mut self) {
        self.to = None;
        // What is called when something is stored may hold the store as the last; a thread cannot wait for itself.
        if let Some(appender) = self
            .appender
            .take()
            .filter(|appender| appender.thread().id() != thread::current().id())
        {
            drop(appender.join());
        }
        self.membership.leave();
        self.connections.close();
    }
}

/// A database, for people.
fn place_of(config: &Config) -> String {
    let host = config.get_hosts().first().map(|host| match host {
        postgres::config::Host::Tcp(host) => host.clone(),
        #[cfg(unix)]
        postgres::config::Host::Unix(path) => path.display().to_string(),
    });
    let database = config.get_dbname().or(config.get_user()).unwrap_or_default();
    format!("the database {database} of PostgreSQL at {}", host.unwrap_or_default())
}

/// `PostgreSQL` knows integers with a sign only; an id has 60 bits.
fn number(id: MatchId) -> i64 {
    id.number() as i64
}

/// A time or a count, where one that is too large stands for the end of time.
fn bounded(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

const fn status_number(status: Status) -> i16 {
    match status {
        Status::Waiting => 0,
        Status::Playing => 1,
        Status::Ended => 2,
    }
}

const fn status_of(number: i16) -> Status {
    match number {
        0 => Status::Waiting,
        1 => Status::Playing,
        _ => Status::Ended,
    }
}

/// A number that was stored as one without a sign.
fn unsigned(row: &Row, column: usize) -> Result<u64, postgres::Error> {
    row.try_get::<_, i64>(column).map(|value| value as u64)
}

fn row_of(row: &Row) -> Result<MatchRow, postgres::Error> {
    Ok(MatchRow {
        id: MatchId::new(unsigned(row, 0)?),
        name: row.try_get(1)?,
        ruleset: row.try_get(2)?,
        scenario: row.try_get(3)?,
        status: status_of(row.try_get(4)?),
        is_listed: row.try_get(5)?,
        created: unsigned(row, 6)?,
        changed: unsigned(row, 7)?,
        settings: row.try_get(8)?,
    })
}

/// The columns of a holder from one on.
fn holder_of(row: &Row, first: usize) -> Result<Holder, StoreError> {
    let hash = |column: usize| -> Result<Option<[u8; 32]>, StoreError> {
        let bytes: Option<Vec<u8>> = row.try_get(column)?;
        let hash = bytes.map(|bytes| <[u8; 32]>::try_from(bytes).map_err(|_| StoreError::Database("a hash has 32 bytes".to_owned())));
        hash.transpose()
    };
    Ok(Holder {
        seat: row.try_get::<_, i16>(first)? as u8,
        name: row.try_get(first + 1)?,
        token_hash: hash(first + 2)?.unwrap_or_default(),
        commitment: hash(first + 3)?,
    })
}

fn holders_of(client: &mut impl postgres::GenericClient, id: MatchId) -> Result<Vec<Holder>, StoreError> {
    let select = "SELECT seat, name, token_hash, commitment FROM holders WHERE match_id = $1 ORDER BY seat";
    let rows = client.query(select, &[&number(id)])?;
    rows.iter().map(|row| holder_of(row, 0)).collect()
}

/// How far a match is, which nobody changes until the transaction is over.
fn locked_status(transaction: &mut Transaction<'_>, id: MatchId) -> Result<Status, StoreError> {
    let found = transaction.query_opt("SELECT status FROM matches WHERE id = $1 FOR NO KEY UPDATE", &[&number(id)])?;
    let found = found.ok_or(StoreError::NoMatch(id))?;
    Ok(status_of(found.try_get(0)?))
}

fn seat(transaction: &mut Transaction<'_>, id: MatchId, change: &SeatChange, at: u64) -> Result<Seating, StoreError> {
    let status = locked_status(transaction, id)?;
    let holders = holders_of(transaction, id)?;
    let seating = change.seating(status, &holders)?;
    let seat = i16::from(seating.seat);
    let SeatChange::Take {
        name,
        token_hash,
        commitment,
        ..
    } = change
    else {
        transaction.execute("DELETE FROM holders WHERE match_id = $1 AND seat = $2", &[&number(id), &seat])?;
        return Ok(seating);
    };
    let insert = "INSERT INTO holders (match_id, seat, name, token_hash, commitment) VALUES ($1, $2, $3, $4, $5)";
    let commitment = commitment.as_ref().map(<[u8; 32]>::as_slice);
    transaction.execute(insert, &[&number(id), &seat, name, &token_hash.as_slice(), &commitment])?;
    let update = "UPDATE matches SET status = $2, changed = greatest(changed, $3) WHERE id = $1";
    transaction.execute(update, &[&number(id), &status_number(seating.status), &bounded(at)])?;
    Ok(seating)
}

impl Store for PostgresStore {
    fn create(&self, row: &MatchRow, head: &[u8]) -> Result<(), StoreError> {
        self.change(|transaction| {
            let key = name_key(&row.name);
            if row.is_listed {
                let alike = "SELECT FROM matches WHERE name_key = $1 AND status < 2 AND is_listed LIMIT 1";
                if transaction.query_opt(alike, &[&key])?.is_some() {
                    return Err(StoreError::NameTaken(row.name.clone()));
                }
            }
            let insert = format!("INSERT INTO matches ({COLUMNS}, name_key) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)");
            let inserted = transaction.execute(
                &insert,
                &[
                    &number(row.id),
                    &row.name,
                    &row.ruleset,
                    &row.scenario,
                    &status_number(row.status),
                    &row.is_listed,
                    &bounded(row.created),
                    &bounded(row.changed),
                    &row.settings,
                    &key,
                ],
            );
            inserted.map_err(|error| match error.as_db_error() {
                // Another node had the same name in mind at the same moment.
                Some(why) if why.constraint() == Some("matches_by_name") => StoreError::NameTaken(row.name.clone()),
                Some(why) if *why.code() == SqlState::UNIQUE_VIOLATION => StoreError::Exists(row.id),
                _ => error.into(),
            })?;
            let insert = "INSERT INTO heads (match_id, number, head) VALUES ($1, 0, $2)";
            transaction.execute(insert, &[&number(row.id), &head])?;
            Ok(())
        })
    }

    fn append(&self, entry: NewEntry, stored: Stored) {
        // As the node that it was sent by: one that was declared dead meanwhile and has begun again does not store what the other one has done.
        let node = self.membership.node();
        self.send(ToAppender::Append { node, entry, stored });
    }

    fn add_chat(&self, id: MatchId, entry: Vec<u8>) {
        self.send(ToAppender::Chat(id, entry));
    }

    fn chat(&self, id: MatchId) -> Result<Vec<Vec<u8>>, StoreError> {
        self.wait_for(ToAppender::Wait)?;
        self.read(|client| {
            let rows = client.query("SELECT entry FROM chat WHERE match_id = $1 ORDER BY id", &[&number(id)])?;
            Ok(rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?)
        })
    }

    fn check(&self) -> Result<(), StoreError> {
        self.change(|transaction| {
            transaction.execute("UPDATE cluster SET secret = secret", &[])?;
            Ok(())
        })
    }

    fn replace_head(&self, id: MatchId, head: &[u8], up_to: u64) -> Result<(), StoreError> {
        self.change(|transaction| {
            let last = appending::newest_of(transaction, &[id])?;
            let last = last.get(&id).copied().ok_or(StoreError::NoMatch(id))?;
            self.membership.check(transaction, id)?;
            if up_to > last {
                return Err(StoreError::OutOfOrder {
                    id,
                    number: up_to,
                    newest: last,
                });
            }
            let update = "UPDATE heads SET head = $2, number = $3 WHERE match_id = $1 AND number <= $3";
            transaction.execute(update, &[&number(id), &head, &bounded(up_to)])?;
            let delete = "DELETE FROM entries WHERE match_id = $1 AND number <= $2";
            transaction.execute(delete, &[&number(id), &bounded(up_to)])?;
            Ok(())
        })
    }

    fn seat(&self, id: MatchId, change: &SeatChange, at: u64) -> Result<Seating, StoreError> {
        self.change(|transaction| {
            let seating = seat(transaction, id, change, at)?;
            self.notify(transaction, id, Some(seating.seat))?;
            Ok(seating)
        })
    }

    fn row(&self, id: MatchId) -> Result<MatchRow, StoreError> {
        self.read(|client| {
            let found = client.query_opt(&format!("SELECT {COLUMNS} FROM matches WHERE id = $1"), &[&number(id)])?;
            found.map_or(Err(StoreError::NoMatch(id)), |row| Ok(row_of(&row)?))
        })
    }

    fn load(&self, id: MatchId) -> Result<StoredMatch, StoreError> {
        self.read(|client| {
            // Head and entries are of the same moment.
            let builder = client.build_transaction().isolation_level(postgres::IsolationLevel::RepeatableRead);
            let mut transaction = builder.read_only(true).start()?;
            let select = format!("SELECT {COLUMNS}, head, number FROM matches JOIN heads ON match_id = id WHERE id = $1");
            let found = transaction.query_opt(&select, &[&number(id)])?.ok_or(StoreError::NoMatch(id))?;
            let head_number = unsigned(&found, 10)?;
            let select = "SELECT entry FROM entries WHERE match_id = $1 AND number > $2 ORDER BY number";
            let entries = transaction.query(select, &[&number(id), &bounded(head_number)])?;
            Ok(StoredMatch {
                row: row_of(&found)?,
                head: found.try_get(9)?,
                head_number,
                entries: entries.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?,
                holders: holders_of(&mut transaction, id)?,
            })
        })
    }

    fn list(&self, status: Status, listed: bool, most: usize) -> Result<Vec<(MatchRow, Vec<Holder>)>, StoreError> {
        self.read(|client| {
            // Spelled out, so that the index of those that are listed is used however many are not.
            let which = if listed { "AND is_listed" } else { "" };
            // One statement, so that rows and holders are of the same moment.
            let select = format!(
                "SELECT found.*, seat, holders.name, token_hash, commitment \
                 FROM (SELECT {COLUMNS} FROM matches WHERE status = $1 {which} ORDER BY changed DESC LIMIT $2) AS found \
                 LEFT JOIN holders ON match_id = id ORDER BY changed DESC, id, seat"
            );
            let found = client.query(&select, &[&status_number(status), &bounded(most as u64)])?;
            let mut rows: Vec<(MatchRow, Vec<Holder>)> = Vec::new();
            for row in &found {
                let id = MatchId::new(unsigned(row, 0)?);
                if rows.last().is_none_or(|(last, _)| last.id != id) {
                    rows.push((row_of(row)?, Vec::new()));
                }
                if row.try_get::<_, Option<i16>>(9)?.is_some()
                    && let Some((_, holders)) = rows.last_mut()
                {
                    holders.push(holder_of(row, 9)?);
                }
            }
            Ok(rows)
        })
    }

    fn holders(&self, id: MatchId) -> Result<Vec<Holder>, StoreError> {
        self.read(|client| holders_of(client, id))
    }

    fn counts(&self) -> Result<[u64; 3], StoreError> {
        self.read(|client| {
            let mut counts = [0; 3];
            for row in client.query("SELECT status, matches FROM totals", &[])? {
                if let Some(slot) = usize::try_from(row.try_get::<_, i16>(0)?)
                    .ok()
                    .and_then(|status| counts.get_mut(status))
                {
                    *slot = unsigned(&row, 1)?;
                }
            }
            Ok(counts)
        })
    }

    fn put_rules(&self, fingerprint: &[u8; 32], sources: &[u8]) -> Result<(), StoreError> {
        self.change(|transaction| {
            let insert = "INSERT INTO rules (fingerprint, sources) VALUES ($1, $2) ON CONFLICT DO NOTHING";
            transaction.execute(insert, &[&fingerprint.as_slice(), &sources])?;
            Ok(())
        })
    }

    fn rules(&self, fingerprint: &[u8; 32]) -> Result<Option<Vec<u8>>, StoreError> {
        self.read(|client| {
            let found = client.query_opt("SELECT sources FROM rules WHERE fingerprint = $1", &[&fingerprint.as_slice()])?;
            Ok(found.map(|row| row.try_get(0)).transpose()?)
        })
    }

    fn cancel(&self, id: MatchId) -> Result<(), StoreError> {
        self.change(|transaction| {
            if locked_status(transaction, id)? != Status::Waiting {
                return Err(StoreError::TooLate);
            }
            transaction.execute("DELETE FROM matches WHERE id = $1", &[&number(id)])?;
            self.notify(transaction, id, None)
        })
    }

    fn sweep(&self, status: Status, before: u64, most: usize) -> Result<Vec<MatchId>, StoreError> {
        self.change(|transaction| {
            // All nodes sweep: none waits for what another one is about to delete.
            let delete = "DELETE FROM matches WHERE id IN (SELECT id FROM matches WHERE status = $1 AND changed < $2 \
                          ORDER BY changed LIMIT $3 FOR UPDATE SKIP LOCKED) RETURNING id, changed";
            let mut found = transaction.query(delete, &[&status_number(status), &bounded(before), &bounded(most as u64)])?;
            found.sort_by_key(|row| row.try_get::<_, i64>(1).unwrap_or_default());
            let found = found.iter().map(|row| Ok(MatchId::new(unsigned(row, 0)?)));
            let found = found.collect::<Result<Vec<_>, StoreError>>()?;
            for id in &found {
                self.notify(transaction, *id, None)?;
            }
            Ok(found)
        })
    }

    fn cluster(&self) -> Option<&dyn Cluster> {
        Some(self)
    }
}

impl Cluster for PostgresStore {
    fn claim(&self, id: MatchId) -> Result<Owner, StoreError> {
        self.read(|client| self.membership.claim(client, id))
    }

    fn release(&self, id: MatchId) -> Result<(), StoreError> {
        // Behind what is on its way, and forgotten there.
        self.wait_for(|stored| ToAppender::Release(id, stored))
    }

    fn nodes(&self) -> Result<Vec<Node>, StoreError> {
        self.read(|client| self.membership.nodes(client))
    }

    fn secret(&self) -> &str {
        self.membership.secret()
    }

    fn notes(&self) -> Result<String, StoreError> {
        self.read(|client| Ok(client.query_one("SELECT notes FROM cluster", &[])?.try_get(0)?))
    }

    fn change_notes(&self, change: &mut dyn FnMut(&str) -> Option<String>) -> Result<(), StoreError> {
        self.change(|transaction| {
            let notes: String = transaction.query_one("SELECT notes FROM cluster FOR UPDATE", &[])?.try_get(0)?;
            if let Some(changed) = change(&notes) {
                transaction.execute("UPDATE cluster SET notes = $1", &[&changed])?;
            }
            Ok(())
        })
    }

    fn listen(&self, heard: Heard) {
        self.membership.listen(heard);
    }

    fn tell(&self, text: String) {
        self.send(ToAppender::Tell(text));
    }

    fn leave(&self) {
        self.membership.leave();
    }
}
