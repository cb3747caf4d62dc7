//! Connections to the database: a few that are shared, opened when they are needed.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use postgres::config::SslMode;
use postgres::{Client, Config, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::StoreError;

/// How long it may take until the database has answered a connection.
const MOST_CONNECTING: Duration = Duration::from_secs(5);
/// How long what was sent may wait until the machine of the database has it.
const MOST_SENDING: Duration = Duration::from_secs(10);
/// How long a connection may be unused and still counts as sound: no database is gone and back in less.
const SOUND_FOR: Duration = Duration::from_millis(50);
/// A transaction that was committed is on disk. One whose node hangs holds nobody up, and no statement lasts for ever.
const OPTIONS: &str = "-c synchronous_commit=on -c idle_in_transaction_session_timeout=2s -c statement_timeout=60s -c lock_timeout=10s \
                       -c tcp_keepalives_idle=2 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=3";

/// The same database as this program talks to it.
pub(super) fn configured(mut config: Config) -> Config {
    let given = config.get_options().unwrap_or_default().to_owned();
    config.options(&format!("{given} {OPTIONS}"));
    config.application_name("boardwright");
    config.connect_timeout(MOST_CONNECTING);
    config.tcp_user_timeout(MOST_SENDING);
    config
}

/// Opens a connection: encrypted if the URL says `sslmode=require`, and then only to a server whose certificate the system trusts.
pub(super) fn open(config: &Config) -> Result<Client, StoreError> {
    if config.get_ssl_mode() != SslMode::Require {
        return Ok(config.connect(NoTls)?);
    }
    let tls = boardwright_tls::client_config().map_err(|error| StoreError::Database(error.to_string()))?;
    Ok(config.connect(MakeRustlsConnect::new((*tls).clone()))?)
}

/// The thread that should do it is gone.
pub(super) fn gone() -> StoreError {
    StoreError::Database("its thread is gone".to_owned())
}

/// A connection, and when it was used last.
type Slot = Option<(Client, Instant)>;

/// Connections that are shared.
pub(super) struct Connections {
    config: Config,
    slots: Vec<Mutex<Slot>>,
    /// Which of them is waited for when all are busy.
    next: AtomicUsize,
}

impl Connections {
    pub(super) fn new(config: Config, count: usize) -> Self {
        Self {
            config,
            slots: (0..count).map(|_| Mutex::new(None)).collect(),
            next: AtomicUsize::new(0),
        }
    }

    fn slot(&self) -> MutexGuard<'_, Slot> {
        let free = self.slots.iter().find_map(|slot| slot.try_lock().ok());
        free.unwrap_or_else(|| {
            let next = self.next.fetch_add(1, Ordering::Relaxed) % self.slots.len();
            self.slots[next].lock().unwrap_or_else(PoisonError::into_inner)
        })
    }

    /// Does something with a connection.
    pub(super) fn with<T>(&self, run: impl FnOnce(&mut Client) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut slot = self.slot();
        // The database may have been away meanwhile.
        let pooled = slot.take();
        let pooled = pooled.filter(|(client, _)| !client.is_closed());
        let pooled = pooled.and_then(|(mut client, used)| {
            let is_sound = used.elapsed() < SOUND_FOR || client.is_valid(MOST_CONNECTING).is_ok();
            is_sound.then_some(client)
        });
        let mut client = pooled.map_or_else(|| open(&self.config), Ok)?;
        let result = run(&mut client);
        // One that has failed is not used again: what became of it is not known.
        if !matches!(result, Err(StoreError::Database(_))) {
            *slot = Some((client, Instant::now()));
        }
        result
    }

    /// Closes all of them, on a thread that does nothing else: closing waits, which not every thread may.
    pub(super) fn close(&self) {
        let slots = self
            .slots
            .iter()
            .map(|slot| slot.lock().unwrap_or_else(PoisonError::into_inner).take());
        let open: Vec<Slot> = slots.collect();
        drop(std::thread::spawn(move || drop(open)).join());
    }
}
