//! Changing the match by hand, for whoever may.

use super::answers::refused;
use super::control::{Answered, error};
use super::session::Session;
use crate::client::messages::Reply;
use crate::host::{ByHand, ClientId, WORDS_BY_HAND};
use crate::rules::{RefusalCode, sentence};

/// Every word with what it does.
fn help() -> String {
    let widest = WORDS_BY_HAND.iter().map(|(form, _)| form.len()).max().unwrap_or(0);
    let lines = WORDS_BY_HAND.iter().map(|(form, help)| format!("{form:widest$}  {help}"));
    lines.collect::<Vec<_>>().join("\n")
}

impl Session {
    /// Does what is said in words, as an event of its own that everyone is told of.
    pub(super) fn change_by_hand(&mut self, client: ClientId, text: &str) -> Answered {
        self.check_host(client)?;
        if !self.playing.policy().debug {
            let reason = sentence!("the state of this match can not be changed by hand");
            return Err(refused(RefusalCode::Policy, reason));
        }
        let text = text.trim();
        if text.is_empty() || text == "help" {
            return Ok(Reply::ByHand {
                at: self.playing.journal().position(),
                text: help(),
            });
        }
        if self.playing.journal().later() > 0 {
            return Ok(error(sentence!("events are taken back: do them again or drop them first")));
        }
        let command = match ByHand::read(text, self.playing.state()) {
            Ok(command) => command,
            Err(wrong) => return Ok(error(wrong)),
        };
        let before = self.before();
        let (_, printed) = self.playing.do_by_hand(text, &command)?;
        self.computers.interrupt();
        self.tell_event(before);
        Ok(Reply::ByHand {
            at: self.playing.journal().position(),
            text: printed,
        })
    }
}
