//! This server as a node: it says that it is alive, declares those dead that do not, and hears what the others tell.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use postgres::fallible_iterator::FallibleIterator as _;
use postgres::{Client, Config, GenericClient};

use super::connections::open;
use super::{MatchId, StoreError, number, unsigned};
use crate::cluster::{ClusterNews, Heard, Node, Owner};

/// How often a node says that it is alive, and looks whether others are.
const BEAT: Duration = Duration::from_millis(500);
/// The most matches without a node that are told of at once.
const MOST_ORPHANS: i64 = 1_000;
/// How many attempts are made to claim a match whose node is dead.
const MOST_ATTEMPTS: usize = 3;

const REGISTER: &str = "
INSERT INTO nodes (address, alive_until, steady_since) VALUES ($1, clock_timestamp() + $2 * interval '1 ms', '-infinity') RETURNING id";

const SAY_ALIVE: &str = "
UPDATE nodes SET
    steady_since = CASE WHEN alive_until < clock_timestamp() THEN clock_timestamp() ELSE steady_since END,
    alive_until = clock_timestamp() + $2 * interval '1 ms'
WHERE id = $1";

/// When the database is back after it was away, all nodes are late: only one that was in time for a while may say it of others.
const DECLARE_DEAD: &str = "
DELETE FROM nodes WHERE id IN (
    SELECT id FROM nodes WHERE alive_until < clock_timestamp() AND id <> $1
    AND EXISTS (SELECT FROM nodes WHERE id = $1 AND steady_since < clock_timestamp() - $2 * interval '1 ms')
    FOR UPDATE SKIP LOCKED
) RETURNING id, address";

const OWNER: &str = "
SELECT nodes.id, address, alive_until < clock_timestamp() FROM leases JOIN nodes ON nodes.id = node_id WHERE match_id = $1";

const TAKE: &str = "
INSERT INTO leases AS lease (match_id, node_id) VALUES ($1, $2)
ON CONFLICT (match_id) DO UPDATE SET node_id = $2 WHERE lease.node_id IS NULL";

const CHECK: &str = "
SELECT FROM leases JOIN nodes ON nodes.id = node_id WHERE match_id = $1 AND node_id = $2 FOR KEY SHARE OF nodes";

const NODES: &str = "
SELECT id, address, (SELECT count(*) FROM leases WHERE node_id = nodes.id) FROM nodes ORDER BY id";

/// This server as a node.
pub(super) struct Membership {
    config: Config,
    address: String,
    /// How long it counts as alive after it has said so, in milliseconds.
    alive_for: f64,
    secret: String,
    /// Its number, until it is declared dead: then it gets another one.
    node: AtomicI64,
    heard: Mutex<Option<Heard>>,
    is_over: Mutex<bool>,
    left: Condvar,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Membership {
    /// Takes part from now on.
    pub(super) fn begin(config: Config, address: &str, alive_for: Duration) -> Result<Arc<Self>, StoreError> {
        let mut client = open(&config)?;
        let alive_for = alive_for.as_secs_f64() * 1_000.0;
        let node = register(&mut client, address, alive_for)?;
        let secret = client.query_one("SELECT secret FROM cluster", &[])?.try_get(0)?;
        let membership = Arc::new(Self {
            config,
            address: address.to_owned(),
            alive_for,
            secret,
            node: AtomicI64::new(node),
            heard: Mutex::default(),
            is_over: Mutex::default(),
            left: Condvar::new(),
            threads: Mutex::default(),
        });
        let spawn = |name: &str, run: fn(&Self)| {
            let running = Arc::clone(&membership);
            let thread = thread::Builder::new().name(name.to_owned()).spawn(move || run(&running));
            thread.map_err(|error| StoreError::Database(error.to_string()))
        };
        // Two threads: however long what a dead node has left takes, this one is alive.
        let threads = [spawn("node alive", Self::say_alive)?, spawn("nodes", Self::watch)?];
        membership.threads().extend(threads);
        Ok(membership)
    }

    fn threads(&self) -> MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn over(&self) -> MutexGuard<'_, bool> {
        self.is_over.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next beat; false if the node is to leave.
    fn waits(&self) -> bool {
        let waited = self.left.wait_timeout_while(self.over(), BEAT, |is_over| !*is_over);
        !*waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// The number of this node.
    pub(super) fn node(&self) -> i64 {
        self.node.load(Ordering::SeqCst)
    }

    pub(super) fn secret(&self) -> &str {
        &self.secret
    }

    pub(super) fn listen(&self, heard: Heard) {
        *self.heard.lock().unwrap_or_else(PoisonError::into_inner) = Some(heard);
        // What was told before went by unheard.
        self.hear(ClusterNews::Missed);
    }

    fn hear(&self, news: ClusterNews) {
        if let Some(heard) = self.heard.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            heard(news);
        }
    }

    /// Says again and again that the node is alive.
    fn say_alive(&self) {
        let (mut client, mut is_lost) = (None, false);
        while self.waits() {
            let said = self.with(&mut client, |client| {
                Ok(client.execute(SAY_ALIVE, &[&self.node(), &self.alive_for])?)
            });
            match said {
                Ok(0) if !*self.over() => {
                    tracing::error!("this node was declared dead, for it was late: its matches are closed here, and it begins again");
                    // Before it has another number, so that nothing of them is stored under that one.
                    self.hear(ClusterNews::DeclaredDead);
                    match self.with(&mut client, |client| register(client, &self.address, self.alive_for)) {
                        Ok(node) => self.node.store(node, Ordering::SeqCst),
                        Err(error) => tracing::warn!("this node cannot begin again: {error}"),
                    }
                }
                Ok(_) => is_lost = false,
                // Told once, however long it lasts.
                Err(error) if !std::mem::replace(&mut is_lost, true) => tracing::warn!("this node cannot say that it is alive: {error}"),
                Err(_) => {}
            }
        }
    }

    /// Does something with a connection, which is opened again after a failure.
    fn with<T>(&self, slot: &mut Option<Client>, run: impl FnOnce(&mut Client) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut client = match slot.take() {
            Some(client) => client,
            None => open(&self.config)?,
        };
        let result = run(&mut client)?;
        *slot = Some(client);
        Ok(result)
    }

    /// Hears what other nodes tell, and looks now and then whether they are alive.
    fn watch(&self) {
        let (mut client, mut is_lost) = (None, false);
        while !*self.over() {
            let watched = self.with(&mut client, |client| {
                client.batch_execute("LISTEN boardwright")?;
                is_lost = false;
                // Nothing was heard while there was no connection.
                self.hear(ClusterNews::Missed);
                loop {
                    self.declare_dead(client)?;
                    let orphans = client.query("SELECT match_id FROM leases WHERE node_id IS NULL LIMIT $1", &[&MOST_ORPHANS])?;
                    let orphans = orphans.iter().map(|row| Ok(MatchId::new(unsigned(row, 0)?)));
                    let orphans = orphans.collect::<Result<Vec<_>, StoreError>>()?;
                    if !orphans.is_empty() {
                        self.hear(ClusterNews::Orphans(orphans));
                    }
                    self.hear_all(client)?;
                    if *self.over() {
                        return Ok(());
                    }
                }
            });
            if let Err(error) = watched {
                if !std::mem::replace(&mut is_lost, true) {
                    tracing::warn!("other nodes are not heard: {error}");
                }
                self.waits();
            }
        }
    }

    /// Hears what comes until it is to be looked again whether other nodes are alive.
    fn hear_all(&self, client: &mut Client) -> Result<(), StoreError> {
        let until = std::time::Instant::now() + BEAT;
        loop {
            let left = until.saturating_duration_since(std::time::Instant::now());
            let Some(notification) = client.notifications().timeout_iter(left).next()? else {
                return Ok(());
            };
            let (by, text) = notification.payload().split_once(' ').unwrap_or_default();
            if by == self.node().to_string() {
                continue;
            }
            match text.split_once(' ').unwrap_or((text, "")) {
                ("changed", what) => {
                    let (id, seat) = what.split_once(' ').unwrap_or((what, ""));
                    if let Ok(id) = id.parse() {
                        self.hear(ClusterNews::Changed {
                            id,
                            seat: seat.parse().ok(),
                        });
                    }
                }
                ("gone", address) => self.hear(ClusterNews::Gone(address.to_owned())),
                ("told", text) => self.hear(ClusterNews::Told(text.to_owned())),
                // A node has left: its matches wait. What else there may be, a later version knows.
                _ => return Ok(()),
            }
        }
    }

    /// Tells the other nodes something when what it belongs to is committed.
    pub(super) fn notify(&self, client: &mut impl GenericClient, text: &str) -> Result<(), StoreError> {
        client.execute("SELECT pg_notify('boardwright', $1)", &[&format!("{} {text}", self.node())])?;
        Ok(())
    }

    /// Declares nodes dead that are late. Who stores something at the moment is not late enough.
    fn declare_dead(&self, client: &mut Client) -> Result<(), StoreError> {
        for dead in client.query(DECLARE_DEAD, &[&self.node(), &self.alive_for])? {
            let address: String = dead.try_get(1)?;
            tracing::warn!("node {} at {address} is dead", dead.try_get::<_, i64>(0)?);
            self.notify(client, &format!("gone {address}"))?;
            self.hear(ClusterNews::Gone(address));
        }
        Ok(())
    }

    pub(super) fn claim(&self, client: &mut Client, id: MatchId) -> Result<Owner, StoreError> {
        let node = self.node();
        let mut owner = None;
        for _ in 0..MOST_ATTEMPTS {
            if let Some(row) = client.query_opt(OWNER, &[&number(id)])? {
                let (found, is_late): (i64, bool) = (row.try_get(0)?, row.try_get(2)?);
                if found == node {
                    return Ok(Owner::Here);
                }
                let address = row.try_get(1)?;
                if !is_late {
                    return Ok(Owner::At(address));
                }
                owner = Some(address);
                self.declare_dead(client)?;
            } else {
                owner = None;
                let taken = client.execute(TAKE, &[&number(id), &node]);
                let taken = taken.map_err(|error| match error.as_db_error().and_then(|why| why.constraint()) {
                    Some("leases_match_id_fkey") => StoreError::NoMatch(id),
                    Some("leases_node_id_fkey") => StoreError::Fenced(id),
                    _ => error.into(),
                })?;
                if taken > 0 {
                    return Ok(Owner::Here);
                }
            }
        }
        // Late, and nobody may say yet that it is dead.
        owner.map(Owner::At).ok_or(StoreError::Fenced(id))
    }

    /// Checks that a match is this node's own, until the transaction is over.
    pub(super) fn check(&self, client: &mut impl GenericClient, id: MatchId) -> Result<(), StoreError> {
        let own = client.query_opt(CHECK, &[&number(id), &self.node()])?;
        own.map(drop).ok_or(StoreError::Fenced(id))
    }

    pub(super) fn release(&self, client: &mut Client, id: MatchId) -> Result<(), StoreError> {
        let delete = "DELETE FROM leases WHERE match_id = $1 AND node_id = $2";
        client.execute(delete, &[&number(id), &self.node()])?;
        Ok(())
    }

    pub(super) fn nodes(&self, client: &mut Client) -> Result<Vec<Node>, StoreError> {
        let rows = client.query(NODES, &[])?;
        let node = |row: &postgres::Row| {
            Ok(Node {
                id: unsigned(row, 0)?,
                address: row.try_get(1)?,
                is_here: row.try_get::<_, i64>(0)? == self.node(),
                matches: unsigned(row, 2)?,
            })
        };
        rows.iter().map(node).collect()
    }

    /// Takes part no more: the matches of this node wait for others at once. Only the first call does something.
    pub(super) fn leave(&self) {
        if std::mem::replace(&mut *self.over(), true) {
            return;
        }
        self.left.notify_all();
        let (config, node) = (self.config.clone(), self.node());
        // On a thread of its own: a connection waits, which not every thread may.
        let left = thread::spawn(move || {
            let mut client = open(&config)?;
            client.execute("DELETE FROM nodes WHERE id = $1", &[&node])?;
            client.execute("SELECT pg_notify('boardwright', $1)", &[&format!("{node} left")])?;
            Ok::<_, StoreError>(())
        });
        if let Ok(Err(error)) = left.join() {
            tracing::warn!("this node could not say that it leaves, and counts as alive for a while: {error}");
        }
        for thread in self
            .threads()
            .drain(..)
            .filter(|thread| thread.thread().id() != thread::current().id())
        {
            drop(thread.join());
        }
    }
}

fn register(client: &mut Client, address: &str, alive_for: f64) -> Result<i64, StoreError> {
    Ok(client.query_one(REGISTER, &[&address, &alive_for])?.try_get(0)?)
}
