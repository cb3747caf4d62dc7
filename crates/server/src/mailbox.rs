//! The way to a session: what is sent there is handled one after the other.

use std::sync::Arc;

use super::handle::ToSession;

/// Sends to a session, whether it has a thread for itself or shares one. Clones lead to the same session.
#[derive(Clone)]
pub(super) struct Mailbox(Arc<dyn Fn(ToSession) -> bool + Send + Sync>);

impl Mailbox {
    /// `send` puts a message to what waits for the session; false if the session has ended.
    pub(super) fn new(send: impl Fn(ToSession) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(send))
    }

    /// Sends a message; false if the session has ended.
    pub(super) fn send(&self, message: ToSession) -> bool {
        (self.0)(message)
    }
}

impl std::fmt::Debug for Mailbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Mailbox")
    }
}
