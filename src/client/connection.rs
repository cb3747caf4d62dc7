//! A link with a mirror: a client that is always up to date.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::interpreter::{Interpreter, Tongue};
use super::link::{Link, LinkClosed};
use super::messages::{Answer, Command, FromHost, Reply, Request};
use super::mirror::Mirror;

/// A link to a host, with a mirror that is fed by everything that arrives.
pub struct Connection {
    link: Box<dyn Link>,
    mirror: Mirror,
    interpreter: Interpreter,
    next_id: u64,
    /// Ids of the mirror's own questions, whose answers are for nobody else.
    own: Vec<u64>,
    /// What arrived while an answer was waited for.
    waiting: VecDeque<FromHost>,
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Connection(at {})", self.mirror.at())
    }
}

impl Connection {
    /// Greets the host and asks for what the mirror needs. The answers come with the next calls of [`poll`](Self::poll).
    ///
    /// # Errors
    /// If the host is gone.
    pub fn open(link: Box<dyn Link>) -> Result<Self, LinkClosed> {
        let mut connection = Self {
            link,
            mirror: Mirror::new(),
            interpreter: Interpreter::default(),
            next_id: 1,
            own: Vec::new(),
            waiting: VecDeque::new(),
        };
        for command in Mirror::opening() {
            connection.ask_for_mirror(command)?;
        }
        Ok(connection)
    }

    /// The mirror.
    pub fn mirror(&self) -> &Mirror {
        &self.mirror
    }

    /// What a text of the ruleset or of the program is called in the language of this client.
    pub fn say<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.interpreter.say(text)
    }

    /// What so many pieces of a seat are called, where the texts of the ruleset say it.
    pub fn pieces(&self, count: usize) -> Option<String> {
        self.interpreter.pieces(count)
    }

    /// Puts what the host says into a language from now on. What is known already is asked for again. Whether it is another language than before.
    ///
    /// # Errors
    /// If the host is gone.
    pub fn speak(&mut self, tongue: Tongue) -> Result<bool, LinkClosed> {
        let is_new = self.interpreter.set_tongue(tongue);
        if is_new && self.mirror.description().is_some() {
            self.ask_for_mirror(Command::Describe)?;
            self.ask_for_mirror(Command::History { from: 0 })?;
        }
        Ok(is_new)
    }

    /// Takes something in that the host has sent.
    fn take(&mut self, message: &mut FromHost) -> Result<(), LinkClosed> {
        self.interpreter.hear(message);
        for command in self.mirror.take(message) {
            self.ask_for_mirror(command)?;
        }
        Ok(())
    }

    /// Sends a request and returns its id; the answer comes with a later call of [`poll`](Self::poll).
    ///
    /// # Errors
    /// If the host is gone.
    pub fn send(&mut self, command: Command) -> Result<u64, LinkClosed> {
        let id = self.next_id;
        self.next_id += 1;
        self.link.send(Request { id, command })?;
        Ok(id)
    }

    fn ask_for_mirror(&mut self, command: Command) -> Result<(), LinkClosed> {
        let id = self.send(command)?;
        self.own.push(id);
        Ok(())
    }

    /// The next notice, or answer to a request sent here; the mirror knows it already. Waits at most for `timeout`, without one
    /// until something comes.
    ///
    /// # Errors
    /// If the host is gone and everything it sent was received.
    pub fn poll(&mut self, timeout: Option<Duration>) -> Result<Option<FromHost>, LinkClosed> {
        if let Some(message) = self.waiting.pop_front() {
            return Ok(Some(message));
        }
        self.receive(timeout)
    }

    fn receive(&mut self, timeout: Option<Duration>) -> Result<Option<FromHost>, LinkClosed> {
        let until = timeout.map(|timeout| Instant::now() + timeout);
        loop {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            let Some(mut message) = self.link.receive(left)? else {
                return Ok(None);
            };
            self.take(&mut message)?;
            match &message {
                FromHost::Answer(answer) if self.own.contains(&answer.id) => self.own.retain(|id| *id != answer.id),
                _ => return Ok(Some(message)),
            }
        }
    }

    /// Sends a request and waits for its answer. What else arrives is kept for [`poll`](Self::poll).
    ///
    /// # Errors
    /// If the host is gone.
    pub fn ask(&mut self, command: Command) -> Result<Reply, LinkClosed> {
        let id = self.send(command)?;
        loop {
            match self.receive(None)? {
                Some(FromHost::Answer(Answer { id: answered, reply })) if answered == id => {
                    self.settle()?;
                    return Ok(reply);
                }
                Some(message) => self.waiting.push_back(message),
                None => {}
            }
        }
    }

    /// Waits until the mirror has everything it asked for.
    ///
    /// # Errors
    /// If the host is gone.
    pub fn settle(&mut self) -> Result<(), LinkClosed> {
        while !self.own.is_empty() {
            let Some(mut message) = self.link.receive(None)? else { continue };
            self.take(&mut message)?;
            match &message {
                FromHost::Answer(answer) if self.own.contains(&answer.id) => self.own.retain(|id| *id != answer.id),
                _ => self.waiting.push_back(message),
            }
        }
        Ok(())
    }
}
