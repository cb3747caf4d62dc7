//! One entry of the journal.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use boardwright_model::{Action, Draw, Effect, EventLuck, Fingerprint, Forfeit, SeatId};

/// Why something happened.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields are named after what they hold")]
pub enum Cause {
    /// The match began.
    #[default]
    Begin,
    /// A seat acted.
    Action(Action),
    /// A seat forfeited, by resigning or on time.
    Forfeit { seat: SeatId, why: Forfeit },
    /// The seats agreed on a draw.
    Draw,
    /// Other rules came into force.
    Reload { changes: Vec<String> },
    /// A manual edit.
    Debug { what: String },
    /// The next dice are forced. The state stays as it is.
    Dice {
        /// The faces, in the order in which they come.
        faces: Vec<u32>,
    },
}

/// One thing that happened in a match, with all that followed from it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Why.
    pub cause: Cause,
    /// The cause in the notation of the ruleset.
    pub notation: Arc<str>,
    /// What it came to, as a sentence; empty where the rules have none.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub sentence: Arc<str>,
    /// The round in which it happened.
    pub round: u32,
    /// What was drawn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub draws: Vec<Draw>,
    /// What changed, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<Effect>,
    /// The digest of the state afterwards.
    pub digest: u64,
    /// The rules in force afterwards.
    pub fingerprint: Fingerprint,
    /// The position of the generator before.
    pub generator: u64,
    /// Where the luck of the match can be verified: what was drawn follows from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<EventLuck>,
}

impl Event {
    /// The action, if a seat acted.
    pub fn action(&self) -> Option<&Action> {
        if let Cause::Action(action) = &self.cause {
            Some(action)
        } else {
            None
        }
    }

    /// The seat that acted or forfeited.
    pub fn seat(&self) -> Option<SeatId> {
        match &self.cause {
            Cause::Action(action) => Some(action.seat),
            Cause::Forfeit { seat, .. } => Some(*seat),
            _ => None,
        }
    }

    /// Whether a seat did something, or all of them: acted, forfeited, or agreed on a draw.
    pub fn is_of_seats(&self) -> bool {
        matches!(self.cause, Cause::Action(_) | Cause::Forfeit { .. } | Cause::Draw)
    }

    /// Whether somebody did something: the seats, or who edited the match. That is what undo takes back and redo does again.
    pub fn is_change(&self) -> bool {
        self.is_of_seats() || self.is_manual_edit()
    }

    /// Whether it is a manual edit, past the rules.
    pub fn is_manual_edit(&self) -> bool {
        matches!(self.cause, Cause::Debug { .. } | Cause::Dice { .. })
    }
}
