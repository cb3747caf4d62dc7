//! Edits of the position by the console, and the result of each.

use super::requests::{Pending, Requests};
use boardwright_protocol::{Command, Reply};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManualEdit {
    pub text: String,
    /// The result, once the host has answered: what a script printed, or why nothing has changed.
    pub result: Option<Result<String, String>>,
}

/// All edits of a match from here, oldest first.
#[derive(Debug, Default)]
pub(super) struct ManualEdits(Vec<ManualEdit>);

impl ManualEdits {
    pub(super) fn all(&self) -> &[ManualEdit] {
        &self.0
    }

    pub(super) fn send(&mut self, text: String, requests: &mut Requests) {
        requests.send(Command::Edit { text: text.clone() }, Pending::Edit(self.0.len()));
        self.0.push(ManualEdit { text, result: None });
    }

    pub(super) fn handle(&mut self, index: usize, reply: Reply) {
        if let Some(edit) = self.0.get_mut(index) {
            edit.result = Some(match reply {
                Reply::Edited { text, .. } => Ok(text),
                reply => super::failure_text(reply).map_or(Ok(String::new()), Err),
            });
        }
    }
}
