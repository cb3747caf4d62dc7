//! Serving a client over standard input and output: the protocol as lines of text, one JSON value a line.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use super::handle::{Claim, SessionHandle};
use super::lines::{message_line, read_request};
use super::outbox::{Inbox, MostWaiting, Outbox, must_be_sent, outbox};
use boardwright_protocol::{Command, FromHost, Request};

/// How many requests may wait for their answer before no more are read: a client that sends faster than it reads is made to wait.
const MOST_OPEN: usize = 256;

/// A message that waits to be written.
struct Line {
    bytes: Vec<u8>,
    is_answer: bool,
}

/// Serves one client that writes requests to `input` and reads from `output`, until it quits or `input` ends. Whatever a line
/// holds, it is answered and the next one read. Everything asked before the end is answered before this returns.
///
/// # Errors
/// If `input` cannot be read or `output` not written; a client that is gone is no error.
pub fn serve_lines(session: &SessionHandle, claim: Claim, input: impl BufRead, output: impl Write + Send + 'static) -> io::Result<()> {
    let (outbox, lines) = outbox(MostWaiting::LOCAL);
    let (open, answered) = mpsc::sync_channel(MOST_OPEN);
    let writer = thread::Builder::new().name("writer".to_owned());
    let writer = writer.spawn(move || write_lines(&lines, output, &answered))?;
    let deliver = outbox.clone();
    let joined = session.join(claim, true, Box::new(move |message| put(&deliver, &message)));
    let read = read_requests(input, &outbox, &open, |request| joined.request(request));
    // Requests before it are answered first, and then nobody holds the other end of `messages` any more.
    drop(joined);
    drop(outbox);
    let written = writer
        .join()
        .unwrap_or_else(|_| Err(io::Error::other("the thread that writes broke down")));
    match read.and(written) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

fn read_requests(
    mut input: impl BufRead,
    outbox: &Outbox<Line>,
    open: &SyncSender<()>,
    request: impl Fn(Request) -> bool,
) -> io::Result<()> {
    while let Some(read) = read_request(&mut input)? {
        // Waits until there is room; an error means that the writer is gone.
        if open.send(()).is_err() {
            break;
        }
        match read {
            Ok(parsed) => {
                let quits = parsed.command == Command::Quit;
                if !request(parsed) || quits {
                    break;
                }
            }
            Err(answer) => drop(put(outbox, &FromHost::Answer(answer))),
        }
    }
    Ok(())
}

/// Puts a message into what waits to be written; false if there is no room for it.
fn put(outbox: &Outbox<Line>, message: &FromHost) -> bool {
    let bytes = match message_line(message) {
        Ok(bytes) => bytes,
        Err(error) => {
            tracing::error!("a message cannot be written as JSON: {error}");
            return true;
        }
    };
    let (size, is_answer) = (bytes.len(), matches!(message, FromHost::Answer(_)));
    outbox.send(Line { bytes, is_answer }, size, must_be_sent(message))
}

fn write_lines(lines: &Inbox<Line>, mut output: impl Write, open: &Receiver<()>) -> io::Result<()> {
    while let Ok(first) = lines.recv() {
        for line in std::iter::once(first).chain(std::iter::from_fn(|| lines.try_recv().ok())) {
            output.write_all(&line.bytes)?;
            if line.is_answer {
                let _ = open.try_recv();
            }
        }
        output.flush()?;
    }
    output.flush()
}
