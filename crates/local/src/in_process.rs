//! The link of a client in the same process.

use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use boardwright_client::{Link, LinkClosed, Wake};
use boardwright_protocol::{FromHost, Request};
use boardwright_server::{Claim, Inbox, Joined, MostWaiting, SessionHandle, json_bytes, must_be_sent, outbox};

/// A link to a session in the same process. Dropped, the client leaves the match.
#[derive(Debug)]
pub struct LocalLink {
    joined: Joined,
    inbox: Inbox<FromHost>,
}

impl LocalLink {
    /// Joins a session. A host client may also steer it.
    pub fn join(session: &SessionHandle, claim: Claim, is_host: bool, wake: Option<Wake>) -> Self {
        let (outbox, inbox) = outbox(MostWaiting::LOCAL);
        let deliver = move |message: FromHost| {
            let (bytes, must) = (json_bytes(&message), must_be_sent(&message));
            let is_there = outbox.send(message, bytes, must);
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
        if self.joined.request(request) {
            Ok(())
        } else {
            Err(LinkClosed::HostGone)
        }
    }

    fn receive(&mut self, timeout: Option<Duration>) -> Result<Option<FromHost>, LinkClosed> {
        match timeout {
            None => self.inbox.recv().map(Some).map_err(|_| LinkClosed::HostGone),
            Some(timeout) => match self.inbox.recv_timeout(timeout) {
                Ok(message) => Ok(Some(message)),
                Err(RecvTimeoutError::Timeout) => Ok(None),
                Err(RecvTimeoutError::Disconnected) => Err(LinkClosed::HostGone),
            },
        }
    }
}
