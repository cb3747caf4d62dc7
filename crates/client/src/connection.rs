//! A link with a mirror: a client that is always up to date.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::link::{Link, LinkClosed};
use super::mirror::Mirror;
use super::translator::{Locale, Translator};
use boardwright_protocol::{Answer, Command, FromHost, Reply, Request};

/// A link to a host, with a mirror that is fed by everything that arrives.
pub struct Connection {
    link: Box<dyn Link>,
    mirror: Mirror,
    translator: Translator,
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
            translator: Translator::default(),
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

    /// How long a message to the host and its answer take over the network; see [`Link::latency`].
    pub fn latency(&self) -> Option<Duration> {
        self.link.latency()
    }

    /// A text of the ruleset or of the program in the language of this client.
    pub fn translate<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.translator.translate(text)
    }

    /// What translates texts for this client.
    pub fn translator(&self) -> &Translator {
        &self.translator
    }

    /// A number of pieces of a seat as text, if the ruleset has one for it.
    pub fn pieces(&self, count: usize) -> Option<String> {
        self.translator.pieces(count)
    }

    /// Localizes what the host sends from now on; what is known already is asked for again. Returns whether the locale changed.
    ///
    /// # Errors
    /// If the host is gone.
    pub fn set_locale(&mut self, locale: Locale) -> Result<bool, LinkClosed> {
        let is_new = self.translator.set_locale(locale);
        if is_new && self.mirror.description().is_some() {
            for command in self.mirror.texts() {
                self.ask_for_mirror(command)?;
            }
        }
        Ok(is_new)
    }

    /// Feeds the mirror. Whether the message is an answer that only the mirror asked for, which is for nobody else.
    fn handle(&mut self, message: &mut FromHost) -> Result<bool, LinkClosed> {
        self.translator.localize(message);
        for command in self.mirror.handle(message) {
            self.ask_for_mirror(command)?;
        }
        let own = match message {
            FromHost::Answer(answer) => self.own.iter().position(|id| *id == answer.id),
            FromHost::Notice(_) => None,
        };
        Ok(own.map(|index| self.own.swap_remove(index)).is_some())
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
            if !self.handle(&mut message)? {
                return Ok(Some(message));
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

    /// Whether the mirror has everything it asked for.
    pub fn is_settled(&self) -> bool {
        self.own.is_empty() && self.waiting.is_empty()
    }

    /// Waits until the mirror has everything it asked for.
    ///
    /// # Errors
    /// If the host is gone.
    pub fn settle(&mut self) -> Result<(), LinkClosed> {
        while !self.own.is_empty() {
            if let Some(mut message) = self.link.receive(None)?
                && !self.handle(&mut message)?
            {
                self.waiting.push_back(message);
            }
        }
        Ok(())
    }
}
