//! What the chosen action would bring about: a preview of its effects, and the odds of the contest it begins.

use std::sync::Arc;

use super::requests::{Pending, Requests};
use crate::action_picker::ActionPicker;
use crate::board::ActionPreview;
use boardwright_model::{Action, ActionId, Looks, Picks};
use boardwright_protocol::{Command, OddsReport, Reply};

/// The preview of an action: requested when the choice or the pointer comes to another one.
#[derive(Debug, Default)]
pub(super) struct PreviewQuery {
    /// The choice and the action of the query.
    wanted: Option<(u64, Action)>,
    request: Option<u64>,
    found: Option<ActionPreview>,
}

impl PreviewQuery {
    pub(super) fn ask(&mut self, wanted: Option<(u64, Action)>, requests: &mut Requests) {
        if self.wanted == wanted {
            return;
        }
        let preview = wanted.as_ref().map(|(_, action)| Command::Preview { action: action.clone() });
        self.request = preview.and_then(|preview| requests.send(preview, Pending::Preview));
        (self.wanted, self.found) = (wanted, None);
    }

    pub(super) fn handle(&mut self, id: u64, reply: Option<Reply>, requests: &Requests, looks: &Looks) {
        if self.request.take_if(|request| *request == id).is_some()
            && let (Some(Reply::Preview(preview)), Some(state)) = (reply, requests.mirror().main_view())
        {
            let found = ActionPreview::of(state, &preview.effects, &preview.looks, looks);
            self.found = found.filter(|found| !found.is_empty());
        }
    }

    pub(super) fn of(&self, choice: u64) -> Option<&ActionPreview> {
        let is_current = self.wanted.as_ref().is_some_and(|(of, _)| *of == choice);
        self.found.as_ref().filter(|_| is_current)
    }
}

type BegunActions = (u64, Vec<(ActionId, Picks)>);

/// The odds of the choice as it stands.
#[derive(Debug, Default)]
pub(crate) struct OddsQuery {
    wanted: Option<BegunActions>,
    /// Counts queries; an answer to an earlier one is dropped.
    number: u64,
    /// How many answers are still to come.
    missing: usize,
    /// The first odds among the answers so far.
    next: Option<Arc<OddsReport>>,
    found: Option<Arc<OddsReport>>,
}

impl OddsQuery {
    /// The odds of the contest that the action being chosen begins, if it does; requested when the choice has changed. The odds found
    /// before stay until the answers are there.
    pub(super) fn ask(&mut self, choice: u64, picker: Option<&ActionPicker>, requests: &mut Requests) -> Option<Arc<OddsReport>> {
        let mut begun = picker.map_or_else(Vec::new, ActionPicker::begun);
        // Where there are contests, the host knows which actions begin one.
        let declarations = requests.mirror().declarations();
        if declarations.is_none_or(|declarations| declarations.contests.is_empty()) {
            begun.clear();
        }
        let wanted = Some((choice, begun.clone()));
        if self.wanted != wanted {
            *self = Self {
                wanted,
                number: self.number + 1,
                missing: begun.len(),
                next: None,
                found: self.found.take().filter(|_| !begun.is_empty()),
            };
            let seat = picker.map(ActionPicker::seat)?;
            for (action, picks) in begun {
                let picks = picks.to_vec();
                requests.send(Command::Odds { seat, action, picks }, Pending::Odds(self.number));
            }
        }
        self.found.clone()
    }

    /// Whether there are odds of what is chosen.
    pub(crate) fn is_known(&self) -> bool {
        self.found.is_some()
    }

    pub(crate) fn is_pending(&self) -> bool {
        self.missing > 0
    }

    /// Takes an answer. A failure counts as no odds, for the host reports faults of the rules by itself.
    pub(super) fn handle(&mut self, number: u64, reply: Option<Reply>) {
        if number != self.number {
            return;
        }
        if let Some(Reply::Odds { odds: Some(odds) }) = reply {
            self.next.get_or_insert_with(|| Arc::from(odds));
        }
        self.missing = self.missing.saturating_sub(1);
        if self.missing == 0 {
            self.found = self.next.take();
        }
    }
}
