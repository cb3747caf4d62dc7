//! A link over lines of text, one JSON value a line.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use super::link::{Link, LinkClosed, Wake, receive_from};
use boardwright_protocol::{FromHost, Request};

/// A link to a host that reads and writes lines: such as `boardwright engine`.
pub struct LineLink<W> {
    output: W,
    inbox: Receiver<FromHost>,
}

impl<W: Write + Send> LineLink<W> {
    /// Reads what the host sends from `input` on a thread of its own, and writes requests to `output`. Lines that are no
    /// messages are left out.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn new(input: impl BufRead + Send + 'static, output: W, wake: Option<Wake>) -> io::Result<Self> {
        let (outbox, inbox) = mpsc::channel();
        thread::Builder::new().name("reader".to_owned()).spawn(move || {
            for line in input.lines() {
                let Ok(line) = line else { break };
                match serde_json::from_str(&line) {
                    Ok(message) => {
                        if outbox.send(message).is_err() {
                            break;
                        }
                    }
                    Err(error) => tracing::warn!("not a message of a host: {error}: {line}"),
                }
                if let Some(wake) = &wake {
                    wake();
                }
            }
        })?;
        Ok(Self { output, inbox })
    }
}

impl<W> std::fmt::Debug for LineLink<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("LineLink")
    }
}

impl<W: Write + Send> Link for LineLink<W> {
    fn send(&mut self, request: Request) -> Result<(), LinkClosed> {
        let mut line = serde_json::to_vec(&request).map_err(|_| LinkClosed::HostGone)?;
        line.push(b'\n');
        let written = self.output.write_all(&line).and_then(|()| self.output.flush());
        written.map_err(|_| LinkClosed::HostGone)
    }

    fn receive(&mut self, timeout: Option<Duration>) -> Result<Option<FromHost>, LinkClosed> {
        receive_from(&self.inbox, timeout)
    }
}
