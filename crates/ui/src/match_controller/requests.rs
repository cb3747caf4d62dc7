//! The connection to the host, and what each answer that is still to come is for.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::action_picker::DomainQuery;
use crate::texts::sentence;
use boardwright_client::{Connection, Link, LinkClosed, Locale, Mirror};
use boardwright_model::{Refusal, diagnostic::Diagnostic};
use boardwright_protocol::{Command, FromHost, Reply};

#[derive(Clone, Debug)]
pub(super) enum Pending {
    /// The domain of the next pick, for the choice with this number.
    Domain(DomainQuery, u64),
    /// Why the click with this number chose nothing.
    Explanation(u64),
    Looks,
    Submit,
    Repeat,
    Save,
    Export,
    Hint,
    Statistics,
    Preview,
    Edit(usize),
    Odds(u64),
    Evaluation,
    HeatMap,
    /// Going to a position of the history.
    GoTo(usize),
    /// Something of which only a failure matters.
    Nothing,
}

/// Why a request failed.
#[derive(Debug)]
pub(super) enum Failure {
    Refused(Refusal),
    Fault(Box<Diagnostic>),
    Error(String),
}

impl Failure {
    /// Tells a reply from a failure.
    pub(super) fn or_reply(reply: Reply) -> Result<Reply, Self> {
        match reply {
            Reply::Refused(refusal) => Err(Self::Refused(refusal)),
            Reply::Fault(fault) => Err(Self::Fault(fault)),
            Reply::Error { message } => Err(Self::Error(message)),
            Reply::Welcome { .. }
            | Reply::Description(_)
            | Reply::View(_)
            | Reply::Looks(_)
            | Reply::Domain { .. }
            | Reply::Preview(_)
            | Reply::Legal { .. }
            | Reply::Done { .. }
            | Reply::Evaluation { .. }
            | Reply::HeatMap { .. }
            | Reply::Odds { .. }
            | Reply::Edited { .. }
            | Reply::History(_)
            | Reply::Statistics(_)
            | Reply::ChatLog { .. }
            | Reply::Saved { .. }
            | Reply::Exported { .. }
            | Reply::Problems { .. } => Ok(reply),
        }
    }

    pub(super) fn text(&self) -> String {
        match self {
            Self::Refused(refusal) => sentence(&refusal.reason),
            Self::Fault(fault) => fault.to_string(),
            Self::Error(message) => sentence(message),
        }
    }
}

#[derive(Debug)]
pub(super) struct Requests {
    pub(super) connection: Connection,
    pending: BTreeMap<u64, Pending>,
    pub(super) is_closed: bool,
}

impl Requests {
    pub(super) fn open(link: Box<dyn Link>) -> Result<Self, LinkClosed> {
        Ok(Self {
            connection: Connection::open(link)?,
            pending: BTreeMap::new(),
            is_closed: false,
        })
    }

    pub(super) fn mirror(&self) -> &Mirror {
        self.connection.mirror()
    }

    /// Sets the language of what the host sends. Whether it has changed.
    pub(super) fn set_language(&mut self, locale: Locale) -> bool {
        self.connection.set_locale(locale).unwrap_or_else(|_: LinkClosed| {
            self.is_closed = true;
            false
        })
    }

    /// Sends a request and returns its id; none if the host is gone.
    pub(super) fn send(&mut self, command: Command, pending: Pending) -> Option<u64> {
        let Ok(id) = self.connection.send(command) else {
            self.is_closed = true;
            return None;
        };
        self.pending.insert(id, pending);
        Some(id)
    }

    /// Whether something was asked that is not answered yet.
    pub(super) fn are_open(&self) -> bool {
        let has_all = self.pending.is_empty() && self.connection.is_settled();
        !(has_all || self.is_closed)
    }

    /// The position of the history that is shown once everything is answered.
    pub(super) fn destination(&self) -> usize {
        let asked = self.pending.values().rev().find_map(|pending| match pending {
            Pending::GoTo(position) => Some(*position),
            _ => None,
        });
        asked.unwrap_or_else(|| self.mirror().at())
    }

    /// What the request with this id was sent for.
    pub(super) fn complete(&mut self, id: u64) -> Pending {
        self.pending.remove(&id).unwrap_or(Pending::Nothing)
    }

    /// The next message that has arrived. Never waits.
    pub(super) fn receive(&mut self) -> Option<FromHost> {
        if self.is_closed {
            return None;
        }
        self.connection.poll(Some(Duration::ZERO)).unwrap_or_else(|_: LinkClosed| {
            self.is_closed = true;
            None
        })
    }
}
