//! What players say to one another. It is kept with the session and is no part of the match.

use super::answers::refused;
use super::control::{Answered, error};
use super::session::Session;
use crate::client::messages::{ChatLine, FromHost, Notice, Reply};
use crate::host::{ClientId, HostError};
use crate::model::SeatId;
use crate::rules::{RefusalCode, sentence};

/// The longest line, in characters.
const MOST_SAID_CHARS: usize = 500;
/// How many lines are kept; older ones are forgotten.
const MOST_LINES: usize = 500;

impl Session {
    /// Tells what a client says to those it is for, the client itself among them.
    pub(super) fn chat(&mut self, client: ClientId, text: &str, from: Option<SeatId>, to: Option<SeatId>) -> Answered {
        if let Some(seat) = from {
            let check = self.access.check(client, seat);
            check.map_err(|refusal| HostError::Rejected(refusal.into()))?;
        }
        let from = from.or_else(|| self.speaks_for(client));
        if let Some(to) = to {
            if !self.playing.state().frame().all_seats().contains(to) {
                return Err(refused(RefusalCode::NotYourSeat, sentence!("there is no such seat")));
            }
            if from.is_none() {
                return Err(refused(
                    RefusalCode::NotYourSeat,
                    sentence!("who holds no seat can only speak to everyone"),
                ));
            }
        }
        let text = text.trim();
        if text.is_empty() {
            return Ok(error(sentence!("nothing was said")));
        }
        if text.chars().any(char::is_control) {
            return Ok(error(sentence!("what is said is one line of text")));
        }
        let length = text.chars().count();
        if length > MOST_SAID_CHARS {
            return Ok(error(sentence!(
                "what is said has at most {most} characters, not {length}",
                most = MOST_SAID_CHARS
            )));
        }
        let line = ChatLine {
            from,
            to,
            text: text.to_owned(),
        };
        for reader in self.clients.ids() {
            if self.may_read(reader, &line) {
                self.clients.send(reader, FromHost::Notice(Notice::Said(line.clone())));
            }
        }
        if self.said.len() >= MOST_LINES {
            self.said.remove(0);
        }
        self.said.push(line);
        Ok(self.done())
    }

    /// What was said so far, as far as it was for a client: for everyone, or from or to a seat that it holds.
    pub(super) fn said(&self, client: ClientId) -> Reply {
        let lines = self.said.iter().filter(|line| self.may_read(client, line));
        Reply::Said {
            lines: lines.cloned().collect(),
        }
    }

    fn may_read(&self, client: ClientId, line: &ChatLine) -> bool {
        let held = self.access.seats(client);
        line.to.is_none() || [line.from, line.to].into_iter().flatten().any(|seat| held.contains(seat))
    }
}
