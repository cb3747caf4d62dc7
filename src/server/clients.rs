//! The clients of a session: how they join, what is delivered to them, how they leave.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use crate::client::messages::{FromHost, Notice, Request};
use crate::host::ClientId;
use crate::model::SeatSet;

/// Which seats a client asks for when it joins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Claim {
    /// None: it looks on.
    #[default]
    Onlooker,
    /// Some seats.
    Seats(SeatSet),
    /// Every seat that no computer plays: around one screen.
    AllPeople,
}

/// Takes what is sent to a client; false when the client is gone. Called on the thread of the session: it must not wait.
pub type Deliver = Box<dyn FnMut(FromHost) -> bool + Send>;

/// What may be asked of a session from outside any client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionCommand {
    /// Read the rules again: their files have changed.
    Reload {
        /// When the change was noticed.
        noticed: Instant,
    },
    /// End, whoever is still there.
    Close,
}

/// What reaches the thread of a session.
pub(super) enum ToSession {
    Join {
        client: ClientId,
        claim: Claim,
        is_host: bool,
        deliver: Deliver,
    },
    Request(ClientId, Request),
    Leave(ClientId),
    Computers,
    /// A strategy that is followed has halted, or goes on.
    Followed,
    Command(SessionCommand),
}

/// A session from outside. Clones are of the same session.
#[derive(Clone)]
pub struct SessionHandle {
    to: Sender<ToSession>,
    next_client: Arc<AtomicU64>,
    thread: Arc<Mutex<Option<JoinHandle<()>>>>,
}

impl fmt::Debug for SessionHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionHandle")
    }
}

impl SessionHandle {
    pub(super) fn new(to: Sender<ToSession>, thread: JoinHandle<()>) -> Self {
        Self {
            to,
            next_client: Arc::new(AtomicU64::new(1)),
            thread: Arc::new(Mutex::new(Some(thread))),
        }
    }

    /// Adds a client. A host client may also steer: seat players, pause, save, reload, go through the journal.
    pub fn join(&self, claim: Claim, is_host: bool, deliver: Deliver) -> Joined {
        let client = ClientId(self.next_client.fetch_add(1, Ordering::Relaxed));
        let joined = Joined {
            client,
            to: self.to.clone(),
        };
        joined.send(ToSession::Join {
            client,
            claim,
            is_host,
            deliver,
        });
        joined
    }

    /// Asks something of the session; false if it has ended.
    pub fn command(&self, command: SessionCommand) -> bool {
        self.to.send(ToSession::Command(command)).is_ok()
    }

    /// Whether the session has not ended yet.
    pub fn is_running(&self) -> bool {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// Waits until the session has ended.
    pub fn wait(&self) {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            drop(thread.join());
        }
    }
}

/// A client's place in a session; dropped, the client leaves.
#[derive(Debug)]
pub struct Joined {
    client: ClientId,
    to: Sender<ToSession>,
}

impl Joined {
    /// The client.
    pub fn client(&self) -> ClientId {
        self.client
    }

    /// Sends a request; false if the session has ended.
    pub fn request(&self, request: Request) -> bool {
        self.send(ToSession::Request(self.client, request))
    }

    fn send(&self, message: ToSession) -> bool {
        self.to.send(message).is_ok()
    }
}

impl Drop for Joined {
    fn drop(&mut self) {
        self.send(ToSession::Leave(self.client));
    }
}

/// A client as its session knows it.
pub(super) struct Client {
    pub(super) is_host: bool,
    deliver: Deliver,
}

/// All clients of a session.
#[derive(Default)]
pub(super) struct Clients {
    all: BTreeMap<ClientId, Client>,
}

impl Clients {
    pub(super) fn add(&mut self, client: ClientId, is_host: bool, deliver: Deliver) {
        self.all.insert(client, Client { is_host, deliver });
    }

    pub(super) fn remove(&mut self, client: ClientId) -> bool {
        self.all.remove(&client).is_some()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(super) fn ids(&self) -> Vec<ClientId> {
        self.all.keys().copied().collect()
    }

    pub(super) fn is_host(&self, client: ClientId) -> bool {
        self.all.get(&client).is_some_and(|client| client.is_host)
    }

    /// Sends something to one client. One that is gone is left alone; it will be told to leave by its own end.
    pub(super) fn send(&mut self, client: ClientId, message: FromHost) {
        if let Some(client) = self.all.get_mut(&client) {
            (client.deliver)(message);
        }
    }

    pub(super) fn send_all(&mut self, notice: &Notice) {
        for client in self.all.values_mut() {
            (client.deliver)(FromHost::Notice(notice.clone()));
        }
    }
}
