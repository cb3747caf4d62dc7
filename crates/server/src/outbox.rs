//! What waits for a client: bounded in number and bytes, so that a client that does not read takes no more memory than that.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvError, RecvTimeoutError, Sender, TryRecvError};
use std::time::Duration;

use boardwright_protocol::{FromHost, Notice};

/// How much may wait for a client; answers to its own requests always find room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MostWaiting {
    /// The most messages.
    pub messages: usize,
    /// The most bytes, in JSON.
    pub bytes: usize,
}

impl MostWaiting {
    /// For a client of this machine: 50,000 messages and 32 MiB.
    pub const LOCAL: Self = Self {
        messages: 50_000,
        bytes: 32 << 20,
    };
    /// For one of the many clients of a server: 2,000 messages and 1 MiB.
    pub const REMOTE: Self = Self {
        messages: 2_000,
        bytes: 1 << 20,
    };
}

#[derive(Debug, Default)]
struct Load {
    messages: AtomicUsize,
    bytes: AtomicUsize,
}

/// The host's end.
#[derive(Debug)]
pub struct Outbox<T> {
    to: Sender<(T, usize)>,
    load: Arc<Load>,
    most: MostWaiting,
}

impl<T> Clone for Outbox<T> {
    fn clone(&self) -> Self {
        Self {
            to: self.to.clone(),
            load: Arc::clone(&self.load),
            most: self.most,
        }
    }
}

/// The client's end.
#[derive(Debug)]
pub struct Inbox<T> {
    from: Receiver<(T, usize)>,
    load: Arc<Load>,
}

/// What waits for one client.
pub fn outbox<T>(most: MostWaiting) -> (Outbox<T>, Inbox<T>) {
    let (to, from) = mpsc::channel();
    let load = Arc::new(Load::default());
    let outbox = Outbox {
        to,
        load: Arc::clone(&load),
        most,
    };
    (outbox, Inbox { from, load })
}

impl<T> Outbox<T> {
    /// Adds a message of so many bytes; false if there is no room for it, or nobody there. With `must` there is always room.
    pub fn send(&self, message: T, bytes: usize, must: bool) -> bool {
        let (messages, waiting) = (&self.load.messages, &self.load.bytes);
        let count = messages.load(Ordering::Relaxed);
        let has_room = count < self.most.messages && waiting.load(Ordering::Relaxed).saturating_add(bytes) <= self.most.bytes;
        // A single message may be as large as it is.
        if !must && count > 0 && !has_room {
            return false;
        }
        messages.fetch_add(1, Ordering::Relaxed);
        waiting.fetch_add(bytes, Ordering::Relaxed);
        self.to.send((message, bytes)).is_ok()
    }
}

impl<T> Inbox<T> {
    fn taken(&self, (message, bytes): (T, usize)) -> T {
        self.load.messages.fetch_sub(1, Ordering::Relaxed);
        self.load.bytes.fetch_sub(bytes, Ordering::Relaxed);
        message
    }

    /// Waits for the next message.
    ///
    /// # Errors
    /// If the host is gone and everything it sent was received.
    pub fn recv(&self) -> Result<T, RecvError> {
        self.from.recv().map(|waiting| self.taken(waiting))
    }

    /// Waits for the next message, but no longer than `timeout`.
    ///
    /// # Errors
    /// If none came, or the host is gone and everything it sent was received.
    pub fn recv_timeout(&self, timeout: Duration) -> Result<T, RecvTimeoutError> {
        self.from.recv_timeout(timeout).map(|waiting| self.taken(waiting))
    }

    /// The next message, if one is there.
    ///
    /// # Errors
    /// If none is there.
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        self.from.try_recv().map(|waiting| self.taken(waiting))
    }
}

/// Whether there is always room for a message: it answers a request, or is the last one before a client is cut off.
pub fn must_be_sent(message: &FromHost) -> bool {
    matches!(message, FromHost::Answer(_) | FromHost::Notice(Notice::CutOff { .. }))
}

/// The bytes that a message takes in JSON.
pub fn json_bytes(message: &FromHost) -> usize {
    struct Count(usize);
    impl Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    drop(serde_json::to_writer(&mut count, message));
    count.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_is_bounded_in_bytes_and_number_and_what_is_read_makes_room() {
        let most = MostWaiting::REMOTE;
        let (outbox, inbox) = outbox(most);
        assert!(outbox.send(1, 2 * most.bytes, false), "one message may be of any size");
        assert!(!outbox.send(2, 1, false));
        assert!(outbox.send(3, 1, true));
        assert_eq!((inbox.recv(), inbox.recv()), (Ok(1), Ok(3)));
        for number in 0..most.messages {
            assert!(outbox.send(number, 0, false));
        }
        assert!(!outbox.send(0, 0, false));
        assert_eq!(inbox.try_recv(), Ok(0));
        assert!(outbox.send(0, 0, false));
        drop(inbox);
        assert!(!outbox.send(0, 0, true));
    }
}
