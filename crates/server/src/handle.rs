//! A session from outside: how clients join it, send requests and leave.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;

use super::mailbox::Mailbox;
use super::session::TrialReport;
use boardwright_host::ClientId;
use boardwright_model::{SeatId, SeatSet};
use boardwright_protocol::{FromHost, Request};

/// Which seats a client asks for when it joins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Claim {
    /// None: it is a spectator.
    #[default]
    Spectator,
    /// Some seats, to which it has proven its right: a client that holds one of them loses it.
    Seats(SeatSet),
    /// Every seat that no computer plays and no other client holds: around one screen.
    AllPeople,
}

/// Delivers a message to a client; false if there is no room for it, or the client is gone. There is always room for a message that
/// [`must_be_sent`](super::must_be_sent). Called on the thread of the session, so it must not block.
pub type Deliver = Box<dyn FnMut(FromHost) -> bool + Send>;

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
    /// A computer player has news.
    PlayerNews,
    /// A strategy that is being debugged has paused or resumed.
    DebuggerNews,
    /// The files of the rules have changed, as was noticed then.
    Reload(Instant),
    /// What was changed is on disk, or will not come there, up to this number.
    OnDisk(u64),
    /// What was changed cannot be written yet, and is tried again.
    Delayed,
    /// What was changed will never be written.
    Lost,
    /// Somebody of this name has taken a seat, or nobody holds it any more.
    Seated(SeatId, Option<String>),
    /// Whoever runs the program halts the match, or lets it go on.
    Halt(bool),
    /// Changed rules were tried.
    Tried(Box<TrialReport>),
    /// The thread of a trial has ended.
    TrialOver,
}

/// A session from outside. Clones are of the same session.
#[derive(Clone, Debug)]
pub struct SessionHandle {
    to: Mailbox,
    next_client: Arc<AtomicU64>,
    end: Arc<SessionEnd>,
}

/// Whether a session has ended, for those that wait for it.
#[derive(Debug, Default)]
pub(super) struct SessionEnd {
    has_ended: Mutex<bool>,
    changed: Condvar,
}

impl SessionEnd {
    fn has_come(&self) -> bool {
        *self.has_ended.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The session's own end of it: dropped when nothing of the session is left.
#[derive(Debug)]
pub(super) struct EndSignal(Arc<SessionEnd>);

impl Drop for EndSignal {
    fn drop(&mut self) {
        *self.0.has_ended.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.changed.notify_all();
    }
}

impl SessionHandle {
    pub(super) fn new(to: Mailbox) -> (Self, EndSignal) {
        let end = Arc::new(SessionEnd::default());
        let signal = EndSignal(Arc::clone(&end));
        let handle = Self {
            to,
            next_client: Arc::new(AtomicU64::new(1)),
            end,
        };
        (handle, signal)
    }

    /// Adds a client. A host client may also steer: assign players, pause, save, reload, move through the journal.
    pub fn join(&self, claim: Claim, is_host: bool, deliver: Deliver) -> Joined {
        let client = ClientId(self.next_client.fetch_add(1, Ordering::Relaxed));
        let joined = Joined {
            client,
            to: self.to.clone(),
            end: Arc::clone(&self.end),
        };
        joined.send(ToSession::Join {
            client,
            claim,
            is_host,
            deliver,
        });
        joined
    }

    /// Has the rules read again, because a change of their files was noticed; false if the session has ended.
    pub fn reload(&self, noticed: Instant) -> bool {
        self.is_running() && self.to.send(ToSession::Reload(noticed))
    }

    /// Says that somebody of a name has taken a seat, or that nobody holds it any more: then the client that has it loses it. All clients are told.
    pub fn seat(&self, seat: SeatId, name: Option<String>) -> bool {
        self.is_running() && self.to.send(ToSession::Seated(seat, name))
    }

    /// Halts the match, so that nobody acts in it and computer players wait, or lets it go on; false if the session has ended. All clients are told.
    pub fn halt(&self, is_halted: bool) -> bool {
        self.is_running() && self.to.send(ToSession::Halt(is_halted))
    }

    /// Ends the session without what is not stored, because another program runs the match; false if it has ended.
    pub fn abandon(&self) -> bool {
        self.is_running() && self.to.send(ToSession::Lost)
    }

    /// Whether the session has not ended yet.
    pub fn is_running(&self) -> bool {
        !self.end.has_come()
    }

    /// Waits until the session has ended.
    pub fn wait(&self) {
        let has_ended = self.end.has_ended.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.end.changed.wait_while(has_ended, |has_ended| !*has_ended));
    }
}

/// A client's place in a session; dropped, the client leaves.
#[derive(Debug)]
pub struct Joined {
    client: ClientId,
    to: Mailbox,
    end: Arc<SessionEnd>,
}

impl Joined {
    /// Sends a request; false if the session has ended.
    pub fn request(&self, request: Request) -> bool {
        self.send(ToSession::Request(self.client, request))
    }

    fn send(&self, message: ToSession) -> bool {
        !self.end.has_come() && self.to.send(message)
    }
}

impl Drop for Joined {
    fn drop(&mut self) {
        self.send(ToSession::Leave(self.client));
    }
}
