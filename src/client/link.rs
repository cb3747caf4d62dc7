//! The way between a client and the host of a match.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use super::messages::{FromHost, Request};
use crate::server::{Claim, Joined, SessionHandle};

/// The host is gone, or the way to it is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the host of the match is gone")]
pub struct LinkClosed;

/// Called when something has arrived, from another thread: it wakes a window that sleeps until there is something to draw.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// The way between a client and the host of a match.
pub trait Link: Send {
    /// Sends a request.
    ///
    /// # Errors
    /// If the host is gone.
    fn send(&mut self, request: Request) -> Result<(), LinkClosed>;

    /// The next thing the host sent, in order. Waits for it at most for `timeout`, without one until it comes.
    ///
    /// # Errors
    /// If the host is gone and everything it sent was received.
    fn receive(&mut self, timeout: Option<Duration>) -> Result<Option<FromHost>, LinkClosed>;
}

/// A link to a session in the same process. Dropped, the client leaves the match.
#[derive(Debug)]
pub struct LocalLink {
    joined: Joined,
    inbox: Receiver<FromHost>,
}

impl LocalLink {
    /// Joins a session. A host client may also steer it.
    pub fn join(session: &SessionHandle, claim: Claim, is_host: bool, wake: Option<Wake>) -> Self {
        let (outbox, inbox) = mpsc::channel();
        let deliver = move |message| {
            let is_there = outbox.send(message).is_ok();
            if let Some(wake) = &wake {
                wake();
            }
            is_there
        };
        let joined = session.join(claim, is_host, Box::new(deliver));
        Self { joined, inbox }
    }
}

impl Link for LocalLink {
    fn send(&mut self, request: Request) -> Result<(), LinkClosed> {
        if self.joined.request(request) { Ok(()) } else { Err(LinkClosed) }
    }

    fn receive(&mut self, timeout: Option<Duration>) -> Result<Option<FromHost>, LinkClosed> {
        receive(&self.inbox, timeout)
    }
}

pub(super) fn receive(inbox: &Receiver<FromHost>, timeout: Option<Duration>) -> Result<Option<FromHost>, LinkClosed> {
    match timeout {
        None => inbox.recv().map(Some).map_err(|_| LinkClosed),
        Some(timeout) => match inbox.recv_timeout(timeout) {
            Ok(message) => Ok(Some(message)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(LinkClosed),
        },
    }
}
