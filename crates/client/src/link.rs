//! The way between a client and the host of a match.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use boardwright_protocol::{FromHost, Request};

/// The host is gone, or the way to it is cut.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkClosed {
    /// Nothing is known but that.
    #[error("the host of the match is gone")]
    HostGone,
    /// Why, in words for people: what the host has said at last, or what has cut the way.
    #[error("{0}")]
    Because(String),
}

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

    /// How long a message to the host and its answer take, where they go over a network: measured last, or longer if an answer is overdue.
    fn latency(&self) -> Option<Duration> {
        None
    }
}

/// The next message of a channel, as [`Link::receive`] gives it.
///
/// # Errors
/// If the other end is gone and everything it sent was received.
pub fn receive_from(inbox: &Receiver<FromHost>, timeout: Option<Duration>) -> Result<Option<FromHost>, LinkClosed> {
    match timeout {
        None => inbox.recv().map(Some).map_err(|_| LinkClosed::HostGone),
        Some(timeout) => match inbox.recv_timeout(timeout) {
            Ok(message) => Ok(Some(message)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(LinkClosed::HostGone),
        },
    }
}
