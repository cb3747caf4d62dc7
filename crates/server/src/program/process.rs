//! A running program with its pipes.

use std::io::{self, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use super::super::lines::{read_request, write_message};
use boardwright_protocol::{Answer, FromHost, Request};

/// A running program. When it is dropped the program is ended.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    /// What it asks, and the answers to lines that are no requests.
    pub(super) requests: Receiver<Result<Request, Answer>>,
}

impl Process {
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
        let (to, requests) = mpsc::sync_channel(Self::MOST_LINES);
        if let Some(output) = child.stdout.take() {
            let read = move || {
                let mut output = BufReader::new(output);
                while let Ok(Some(request)) = read_request(&mut output)
                    && to.send(request).is_ok()
                {}
            };
            thread::Builder::new().name("program".to_owned()).spawn(read)?;
        }
        Ok(Self { child, input, requests })
    }

    pub(super) fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    pub(super) fn send(&mut self, message: &FromHost) -> io::Result<()> {
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        write_message(input, message)?;
        input.flush()
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
