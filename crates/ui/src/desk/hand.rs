//! Changes of the match by hand, and what came of each.

use super::intake::sentence;
use super::{Awaited, Desk};
use boardwright_protocol::{Command, Reply};

/// Something said to change the match by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The words.
    pub text: String,
    /// What came of it, once the host has answered: what a script printed, or why nothing has changed.
    pub answer: Option<Result<String, String>>,
}

impl Desk {
    /// Changes the match by hand.
    pub fn say_by_hand(&mut self, text: String) {
        let number = self.said.len();
        self.said.push(Said {
            text: text.clone(),
            answer: None,
        });
        self.request(Command::Edit { text }, Awaited::ManualEdit(number));
    }

    /// What was said so far, oldest first.
    pub fn said_by_hand(&self) -> &[Said] {
        &self.said
    }

    pub(super) fn take_answer_by_hand(&mut self, number: usize, reply: Reply) {
        let answer = match reply {
            Reply::Edited { text, .. } => Ok(text),
            Reply::Refused(refusal) => Err(sentence(&refusal.reason)),
            Reply::Fault(fault) => Err(fault.to_string()),
            Reply::Error { message } => Err(sentence(&message)),
            _ => Ok(String::new()),
        };
        if let Some(said) = self.said.get_mut(number) {
            said.answer = Some(answer);
        }
    }
}
