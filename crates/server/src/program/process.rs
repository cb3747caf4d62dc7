//! A running program with its pipes.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use boardwright_protocol::{Answer, FromHost, Reply, Request};

/// A running program. When it is dropped the program is ended.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
}

/// What came from a program.
pub(super) enum Received {
    /// Nothing yet.
    Nothing,
    /// A request.
    Request(Request),
    /// A line that is none, with the answer to it.
    Unreadable(Answer),
    /// It has closed its output.
    Ended,
}

impl Process {
    const MOST_BYTES: u64 = 1 << 20;
    const MOST_LINES: usize = 64;
    const FAREWELL: Duration = Duration::from_millis(200);

    /// Starts a program. What it says on standard error is shown.
    pub(super) fn start(command: &str) -> io::Result<Self> {
        let words = split(command);
        let (program, arguments) = words
            .split_first()
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no command is given"))?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take();
        let (to, lines) = mpsc::sync_channel(Self::MOST_LINES);
        if let Some(output) = child.stdout.take() {
            let read = move || {
                let mut output = BufReader::new(output);
                loop {
                    let mut line = Vec::new();
                    let read = output.by_ref().take(Self::MOST_BYTES).read_until(b'\n', &mut line);
                    if !matches!(read, Ok(1..)) || to.send(line).is_err() {
                        return;
                    }
                }
            };
            thread::Builder::new().name("program".to_owned()).spawn(read)?;
        }
        Ok(Self { child, input, lines })
    }

    pub(super) fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    pub(super) fn send(&mut self, message: &FromHost) -> io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        match &mut self.input {
            Some(input) => {
                input.write_all(&line)?;
                input.flush()
            }
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// What it writes next, waited for so long.
    pub(super) fn receive(&mut self, timeout: Duration) -> Received {
        loop {
            let line = match self.lines.recv_timeout(timeout) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => return Received::Nothing,
                Err(RecvTimeoutError::Disconnected) => return Received::Ended,
            };
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let value: Result<serde_json::Value, _> = serde_json::from_slice(&line);
            let id = value.as_ref().ok().and_then(|value| value.get("id")?.as_u64()).unwrap_or(0);
            return match value.and_then(serde_json::from_value) {
                Ok(request) => Received::Request(request),
                Err(error) => Received::Unreadable(Answer {
                    id,
                    reply: Reply::Error {
                        message: format!("this is no request: {error}"),
                    },
                }),
            };
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The end of its input tells a program that it is not needed any more.
        self.input = None;
        let begun = Instant::now();
        while self.is_running() {
            if begun.elapsed() > Self::FAREWELL {
                drop(self.child.kill());
                break;
            }
            thread::sleep(Duration::from_millis(5));
        }
        drop(self.child.wait());
    }
}

/// The words of a command: split at spaces, but for those in quotes.
fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for letter in command.chars() {
        match quote {
            Some(end) if letter == end => quote = None,
            None if letter == '"' || letter == '\'' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_at_spaces_outside_quotes() {
        assert_eq!(split("./bot  --seed 3"), ["./bot", "--seed", "3"]);
        assert_eq!(
            split("python3 \"my bot.py\" --name 'it'\"'\"'s'"),
            ["python3", "my bot.py", "--name", "it's"]
        );
        assert_eq!(split("a ''"), ["a", ""]);
        assert!(split("  ").is_empty());
    }
}
