//! The link of a client in the same process.

use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use boardwright_client::{Link, LinkClosed, Wake, receive_from};
use boardwright_protocol::{FromHost, Request};
use boardwright_server::{Claim, Joined, SessionHandle};

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
        receive_from(&self.inbox, timeout)
    }
}
