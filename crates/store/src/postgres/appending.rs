//! The thread that stores entries: all that have come while it waited for the disk with one statement.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use postgres::{Client, Config, GenericClient, Statement};

use super::connections::open;
use super::membership::Membership;
use super::{MatchId, NewEntry, StoreError, Stored, bounded, number, status_number, unsigned};

/// The most changes in one statement.
const MOST_AT_ONCE: usize = 4_096;
/// The most matches of which the number of the newest entry is kept in mind.
const MOST_KNOWN: usize = 100_000;
/// The most entries of the chat of a match that are kept.
const MOST_CHAT: i64 = 600;

/// Stores entries of the matches that are a node's own, and tells which matches those are. The node is there until it is done: who declares it dead waits,
/// and a match is a node's own as long as the node is there. So nothing is stored of a match that another one runs.
const APPEND: &str = "
WITH node AS (SELECT id FROM nodes WHERE id = $1 FOR KEY SHARE),
own AS (SELECT match_id FROM leases JOIN node ON node_id = node.id WHERE match_id = ANY($2)),
stored AS (
    INSERT INTO entries (match_id, number, entry)
    SELECT match_id, number, entry FROM unnest($2::bigint[], $3::bigint[], $4::bytea[]) AS new (match_id, number, entry) JOIN own USING (match_id)
),
went_on AS (
    UPDATE matches SET changed = greatest(matches.changed, last.changed), status = last.status
    FROM unnest($5::bigint[], $6::bigint[], $7::smallint[]) AS last (match_id, changed, status) JOIN own USING (match_id)
    WHERE id = last.match_id
)
SELECT match_id FROM own";

const CHAT: &str = "
INSERT INTO chat (match_id, entry)
SELECT id, entry FROM unnest($1::bigint[], $2::bytea[]) WITH ORDINALITY AS new (match_id, entry, place) JOIN matches ON id = match_id ORDER BY place";

const FORGET_CHAT: &str = "
DELETE FROM chat WHERE match_id = $1 AND id <= (SELECT id FROM chat WHERE match_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $2)";

/// What reaches the thread.
pub(super) enum ToAppender {
    /// An entry, of the node that has sent it.
    Append {
        node: i64,
        entry: NewEntry,
        stored: Stored,
    },
    Chat(MatchId, Vec<u8>),
    /// Answered when what was sent before is stored.
    Wait(Stored),
    Release(MatchId, Stored),
    Tell(String),
}

/// A connection, and what it has prepared.
struct Connection {
    client: Client,
    append: Statement,
}

impl Connection {
    fn open(config: &Config) -> Result<Self, StoreError> {
        let mut client = open(config)?;
        let append = client.prepare(APPEND)?;
        Ok(Self { client, append })
    }
}

/// What the thread owns.
pub(super) struct Appender {
    config: Config,
    connection: Option<Connection>,
    membership: Arc<Membership>,
    /// The node whose matches `newest` is of.
    node: i64,
    /// The numbers of the newest entries, of matches that were written to: nobody else writes to them.
    newest: HashMap<MatchId, u64>,
}

impl Appender {
    pub(super) fn new(config: Config, membership: Arc<Membership>) -> Self {
        Self {
            config,
            connection: None,
            membership,
            node: 0,
            newest: HashMap::new(),
        }
    }

    pub(super) fn run(mut self, inbox: &Receiver<ToAppender>) {
        while let Ok(first) = inbox.recv() {
            let rest = std::iter::from_fn(|| inbox.try_recv().ok());
            self.handle(std::iter::once(first).chain(rest).take(MOST_AT_ONCE));
        }
    }

    fn handle(&mut self, messages: impl Iterator<Item = ToAppender>) {
        let (mut entries, mut chat, mut waiting, mut released, mut told) = (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for message in messages {
            match message {
                ToAppender::Append { node, entry, stored } => entries.push((node, entry, stored)),
                ToAppender::Chat(id, entry) => chat.push((id, entry)),
                ToAppender::Wait(stored) => waiting.push(stored),
                ToAppender::Release(id, stored) => released.push((id, stored)),
                ToAppender::Tell(text) => told.push(text),
            }
        }
        if !entries.is_empty() {
            self.append(entries);
        }
        if !chat.is_empty()
            && let Err(error) = self.with(|connection| add_chat(&mut connection.client, &chat))
        {
            tracing::warn!("what was said in {} matches is not kept: {error}", chat.len());
        }
        for stored in waiting {
            stored(Ok(()));
        }
        for (id, stored) in released {
            self.newest.remove(&id);
            let membership = Arc::clone(&self.membership);
            stored(self.with(|connection| membership.release(&mut connection.client, id)));
        }
        for text in told {
            let membership = Arc::clone(&self.membership);
            if let Err(error) = self.with(|connection| membership.notify(&mut connection.client, &format!("told {text}"))) {
                tracing::warn!("other nodes are not told of something: {error}");
            }
        }
    }

    /// Does something with the connection, which is opened again after a failure.
    fn with<T>(&mut self, run: impl FnOnce(&mut Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let open = self.connection.take().filter(|connection| !connection.client.is_closed());
        let mut connection = open.map_or_else(|| Connection::open(&self.config), Ok)?;
        let result = run(&mut connection)?;
        self.connection = Some(connection);
        Ok(result)
    }

    /// Stores entries, and tells of each how it went when all of them are on disk.
    fn append(&mut self, entries: Vec<(i64, NewEntry, Stored)>) {
        let node = self.membership.node();
        if node != self.node || self.newest.len() > MOST_KNOWN {
            self.newest.clear();
            self.node = node;
        }
        let (entries, callbacks): (Vec<_>, Vec<_>) = entries.into_iter().map(|(by, entry, stored)| ((by, entry), stored)).unzip();
        let mut newest = std::mem::take(&mut self.newest);
        let results = self.with(|connection| append(connection, node, &mut newest, &entries));
        match results {
            Ok(results) => {
                self.newest = newest;
                std::iter::zip(callbacks, results).for_each(|(stored, result)| stored(result));
            }
            // After a failure, what was counted may not be there.
            Err(error) => {
                let why = match error {
                    StoreError::Database(why) => why,
                    other => other.to_string(),
                };
                for stored in callbacks {
                    stored(Err(StoreError::Database(why.clone())));
                }
            }
        }
    }
}

/// The numbers of the newest entries of matches; one that is not there has none.
pub(super) fn newest_of(client: &mut impl GenericClient, ids: &[MatchId]) -> Result<HashMap<MatchId, u64>, StoreError> {
    let select = "SELECT match_id, greatest(number, (SELECT max(number) FROM entries WHERE entries.match_id = heads.match_id)) \
                  FROM heads WHERE match_id = ANY($1)";
    let ids: Vec<i64> = ids.iter().copied().map(number).collect();
    let rows = client.query(select, &[&ids])?;
    rows.iter()
        .map(|row| Ok((MatchId::new(unsigned(row, 0)?), unsigned(row, 1)?)))
        .collect()
}

/// How each entry went; an error if none of them is on disk, or that is not known.
fn append(
    Connection { client, append }: &mut Connection,
    node: i64,
    newest: &mut HashMap<MatchId, u64>,
    entries: &[(i64, NewEntry)],
) -> Result<Vec<Result<(), StoreError>>, StoreError> {
    let ids: BTreeSet<MatchId> = entries.iter().map(|(_, entry)| entry.id).collect();
    let unknown: Vec<MatchId> = ids.into_iter().filter(|id| !newest.contains_key(id)).collect();
    if !unknown.is_empty() {
        newest.extend(newest_of(client, &unknown)?);
    }
    let mut new: Vec<&NewEntry> = Vec::new();
    let mut results = Vec::with_capacity(entries.len());
    for (by, entry) in entries {
        results.push(if *by == node {
            follows(client, newest, &mut new, entry)?
        } else {
            Err(StoreError::Fenced(entry.id))
        });
    }
    if new.is_empty() {
        return Ok(results);
    }
    let numbers: Vec<i64> = new.iter().map(|entry| bounded(entry.number)).collect();
    let matches: Vec<i64> = new.iter().map(|entry| number(entry.id)).collect();
    let bytes: Vec<&[u8]> = new.iter().map(|entry| entry.entry.as_slice()).collect();
    // Of each match its last entry says how far it is.
    let last: HashMap<MatchId, &NewEntry> = new.iter().map(|entry| (entry.id, *entry)).collect();
    let last_ids: Vec<i64> = last.keys().copied().map(number).collect();
    let changed: Vec<i64> = last.values().map(|entry| bounded(entry.at)).collect();
    let status: Vec<i16> = last.values().map(|entry| status_number(entry.status)).collect();
    let own = client.query(append, &[&node, &matches, &numbers, &bytes, &last_ids, &changed, &status])?;
    let own = own
        .iter()
        .map(|row| Ok(MatchId::new(unsigned(row, 0)?)))
        .collect::<Result<BTreeSet<_>, StoreError>>()?;
    for ((_, entry), result) in std::iter::zip(entries, &mut results) {
        if result.is_ok() && last.contains_key(&entry.id) && !own.contains(&entry.id) {
            newest.remove(&entry.id);
            *result = Err(StoreError::Fenced(entry.id));
        }
    }
    Ok(results)
}

/// Whether an entry follows the newest one of its match, or is there already as it is; one that follows is added to `new`.
fn follows<'a>(
    client: &mut Client,
    newest: &mut HashMap<MatchId, u64>,
    new: &mut Vec<&'a NewEntry>,
    entry: &'a NewEntry,
) -> Result<Result<(), StoreError>, StoreError> {
    let Some(last) = newest.get_mut(&entry.id) else {
        return Ok(Err(StoreError::NoMatch(entry.id)));
    };
    if entry.number <= *last {
        let sent = new.iter().find(|sent| sent.id == entry.id && sent.number == entry.number);
        let is_there = match sent {
            Some(sent) => sent.entry == entry.entry,
            None => is_stored(client, entry)?,
        };
        if is_there {
            return Ok(Ok(()));
        }
    }
    if entry.number != *last + 1 {
        return Ok(Err(StoreError::OutOfOrder {
            id: entry.id,
            number: entry.number,
            newest: *last,
        }));
    }
    *last = entry.number;
    new.push(entry);
    Ok(Ok(()))
}

/// Whether an entry is there already, as it is: it may have been stored though that was not heard of.
fn is_stored(client: &mut Client, entry: &NewEntry) -> Result<bool, StoreError> {
    let select = "SELECT entry = $3 FROM entries WHERE match_id = $1 AND number = $2";
    let found = client.query_opt(select, &[&number(entry.id), &bounded(entry.number), &entry.entry])?;
    Ok(found.map(|row| row.try_get(0)).transpose()?.unwrap_or(false))
}

fn add_chat(client: &mut Client, chat: &[(MatchId, Vec<u8>)]) -> Result<(), StoreError> {
    let ids: Vec<i64> = chat.iter().map(|(id, _)| number(*id)).collect();
    let entries: Vec<&[u8]> = chat.iter().map(|(_, entry)| entry.as_slice()).collect();
    client.execute(CHAT, &[&ids, &entries])?;
    let ids: BTreeSet<i64> = ids.into_iter().collect();
    for id in ids {
        client.execute(FORGET_CHAT, &[&id, &MOST_CHAT])?;
    }
    Ok(())
}
