//! Serving a client over standard input and output: the protocol as lines of text, one JSON value a line.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread;

use super::handle::{Claim, SessionHandle};
use super::lines::{read_request, write_message};
use boardwright_protocol::{Command, FromHost, Request};

/// How many requests may wait for their answer before no more are read: a client that sends faster than it reads is made to wait.
const MOST_OPEN: usize = 256;

/// Serves one client that writes requests to `input` and reads from `output`, until it quits or `input` ends. Whatever a line
/// holds, it is answered and the next one read. Everything asked before the end is answered before this returns.
///
/// # Errors
/// If `input` cannot be read or `output` not written; a client that is gone is no error.
pub fn serve_lines(session: &SessionHandle, claim: Claim, input: impl BufRead, output: impl Write + Send + 'static) -> io::Result<()> {
    let (outbox, messages) = mpsc::channel();
    let (open, answered) = mpsc::sync_channel(MOST_OPEN);
    let writer = thread::Builder::new().name("writer".to_owned());
    let writer = writer.spawn(move || write_lines(&messages, output, &answered))?;
    let deliver = outbox.clone();
    let joined = session.join(claim, true, Box::new(move |message| deliver.send(message).is_ok()));
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
    outbox: &Sender<FromHost>,
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
            Err(answer) => drop(outbox.send(FromHost::Answer(answer))),
        }
    }
    Ok(())
}

fn write_lines(messages: &Receiver<FromHost>, mut output: impl Write, open: &Receiver<()>) -> io::Result<()> {
    while let Ok(first) = messages.recv() {
        for message in std::iter::once(first).chain(messages.try_iter()) {
            write_message(&mut output, &message)?;
            if matches!(message, FromHost::Answer(_)) {
                let _ = open.try_recv();
            }
        }
        output.flush()?;
    }
    output.flush()
}
