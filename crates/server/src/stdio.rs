//! Serving a client over standard input and output: the protocol as lines of text, one JSON value a line.

use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use serde_json::Value;

use super::handle::{Claim, SessionHandle};
use boardwright_protocol::{Answer, Command, FromHost, Reply, Request};

const MOST_BYTES: u64 = 1 << 20;
/// How many requests may wait for their answer before no more are read.
const MOST_OPEN: usize = 256;

/// How many requests wait for their answer, so that a client that sends faster than it reads is made to wait.
#[derive(Default)]
struct Throttle {
    state: Mutex<(usize, bool)>,
    changed: Condvar,
}

impl Throttle {
    /// Counts a request, when there is room for it; false if the writer is gone.
    fn enter(&self) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.0 >= MOST_OPEN && !state.1 {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.0 += 1;
        !state.1
    }

    fn change(&self, change: impl FnOnce(&mut (usize, bool))) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }
}

/// Serves one client that writes requests to `input` and reads from `output`, until it quits or `input` ends. Whatever a line
/// holds, it is answered and the next one read. Everything asked before the end is answered before this returns.
///
/// # Errors
/// If `input` can not be read or `output` not written; a client that is gone is no error.
pub fn serve_lines(session: &SessionHandle, claim: Claim, input: impl BufRead, output: impl Write + Send + 'static) -> io::Result<()> {
    let (outbox, messages) = mpsc::channel();
    let throttle = Arc::new(Throttle::default());
    let writer = {
        let throttle = Arc::clone(&throttle);
        thread::Builder::new()
            .name("writer".to_owned())
            .spawn(move || write_lines(&messages, output, &throttle))?
    };
    let deliver = outbox.clone();
    let joined = session.join(claim, true, Box::new(move |message| deliver.send(message).is_ok()));
    let read = read_requests(input, &outbox, &throttle, |request| joined.request(request));
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
    throttle: &Throttle,
    request: impl Fn(Request) -> bool,
) -> io::Result<()> {
    let mut line = Vec::new();
    while read_line(&mut input, &mut line)? {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        if !throttle.enter() {
            break;
        }
        match parse(&line) {
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

/// Reads a line without its end; what is too long is cut and the rest of the line skipped. False at the end of the input.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    if input.by_ref().take(MOST_BYTES + 1).read_until(b'\n', line)? == 0 {
        return Ok(false);
    }
    if line.last() != Some(&b'\n') && line.len() as u64 > MOST_BYTES {
        input.skip_until(b'\n')?;
    }
    Ok(true)
}

/// Reads a request, or makes the answer to what is none: with its id if that can be read, else with 0.
fn parse(line: &[u8]) -> Result<Request, Answer> {
    let error = |id, message: String| Answer {
        id,
        reply: Reply::Error { message },
    };
    if line.len() as u64 > MOST_BYTES {
        return Err(error(0, format!("a line has at most {MOST_BYTES} bytes")));
    }
    let line = line.trim_ascii_end();
    let value: Value =
        serde_json::from_slice(line).map_err(|wrong| error(0, format!("this is no JSON value: {}", json_error_text(&wrong))))?;
    let id = value.get("id").and_then(Value::as_u64).unwrap_or(0);
    serde_json::from_value(value).map_err(|wrong| error(id, format!("this is no request: {}", json_error_text(&wrong))))
}

/// What is wrong with a line, in terms of JSON instead of Rust.
fn json_error_text(wrong: &serde_json::Error) -> String {
    [
        ("EOF while parsing", "it ends inside"),
        ("struct Request", "an object with `id` and `do`"),
        ("u8", "a whole number from 0 to 255"),
        ("u16", "a whole number from 0 to 65535"),
        ("u32", "a whole number from 0"),
        ("u64", "a whole number from 0"),
        ("usize", "a whole number from 0"),
        ("i64", "a whole number"),
        ("a sequence", "a list"),
        ("sequence", "a list"),
        ("a map", "an object"),
        ("map", "an object"),
        ("a value", "a value"),
        ("line 1 column", "letter"),
    ]
    .iter()
    .fold(wrong.to_string(), |text, (old, new)| replace_word(&text, old, new))
}

fn replace_word(text: &str, old: &str, new: &str) -> String {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '`';
    let mut replaced = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(old) {
        let (before, after) = (rest.get(..at).unwrap_or_default(), rest.get(at + old.len()..).unwrap_or_default());
        let stands_alone = !before.ends_with(is_part) && !after.starts_with(is_part);
        replaced.push_str(before);
        replaced.push_str(if stands_alone { new } else { old });
        rest = after;
    }
    replaced + rest
}

fn write_lines(messages: &Receiver<FromHost>, mut output: impl Write, throttle: &Throttle) -> io::Result<()> {
    let result = write_all(messages, &mut output, throttle);
    throttle.change(|state| state.1 = true);
    result
}

fn write_all(messages: &Receiver<FromHost>, output: &mut impl Write, throttle: &Throttle) -> io::Result<()> {
    while let Ok(first) = messages.recv() {
        let mut next = Some(first);
        while let Some(message) = next {
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            output.write_all(&line)?;
            if matches!(message, FromHost::Answer(_)) {
                throttle.change(|state| state.0 = state.0.saturating_sub(1));
            }
            next = messages.try_recv().ok();
        }
        output.flush()?;
    }
    output.flush()
}
