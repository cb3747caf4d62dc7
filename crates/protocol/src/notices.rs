//! What the host tells without being asked.

use serde::{Deserialize, Serialize};

use crate::{HistoryEntry, LegalAction, Offer, PauseReport, ViewSnapshot};
use boardwright_model::diagnostic::Diagnostic;
use boardwright_model::{
    Action, Declarations, Draw, Effect, Evaluation, EventLuck, Fingerprint, LuckNumber, Outcome, SeatId, SeatSet, TimeControl,
};

/// Something that happened, sent to every client.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "notice", rename_all = "snake_case")]
pub enum Notice {
    /// An event, as the seat sees it.
    Event(Box<SeatEvent>),
    /// The position in the journal changed, or effects alone do not lead to the new view: the whole view.
    View(Box<ViewSnapshot>),
    /// A seat is to act; told to a program that plays it (`exec:`), after the view.
    Turn {
        /// The seat.
        seat: SeatId,
        /// The position to name when acting.
        at: usize,
        /// How long it may take, in milliseconds, if that is limited.
        #[serde(skip_serializing_if = "Option::is_none")]
        milliseconds: Option<u64>,
    },
    /// Who plays each seat has changed.
    Players {
        /// The players, by seat.
        players: Vec<String>,
        /// Whether computer players wait.
        paused: bool,
        /// The least time between an action and the next one of a computer player, in milliseconds.
        pace: u64,
        /// The seats the client holds that is sent this.
        #[serde(default)]
        seats: SeatSet,
        /// The names of the people at the seats, where they have some; empty where nobody has.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        names: Vec<Option<String>>,
        /// The seats of people that no client holds.
        #[serde(default, skip_serializing_if = "crate::are_none")]
        gone: SeatSet,
        /// The seats of people that a computer player plays on.
        #[serde(default, skip_serializing_if = "crate::are_none")]
        substitutes: SeatSet,
    },
    /// A clock was started or stopped.
    Clocks {
        /// How much time seats have.
        control: TimeControl,
        /// What each seat has left, in milliseconds; `None` for computer players, which have no clock.
        remaining: Vec<Option<u64>>,
        /// The seats whose time runs from now on.
        #[serde(default)]
        running: SeatSet,
    },
    /// The open offers have changed.
    Offers {
        /// All that are open.
        offers: Vec<Offer>,
    },
    /// A computer player is thinking.
    Thinking(Box<ThinkingReport>),
    /// A computer player has stopped thinking.
    ThinkingEnded {
        /// The seat.
        seat: SeatId,
    },
    /// What a computer player would do.
    Hint(Box<ThinkingReport>),
    /// What a computer player thought on the way to a decision. Sent to those who watch.
    Thoughts(Box<ThoughtsReport>),
    /// A strategy has paused, or the watch expressions where it has were replaced. Sent to clients that are attached.
    Paused(Box<PauseReport>),
    /// The strategy that had paused resumed, or its decision was given up.
    Resumed {
        /// The seat.
        seat: SeatId,
    },
    /// Other rules are in force.
    Reloaded {
        /// What changed.
        changes: Vec<String>,
        /// The rules in force.
        fingerprint: Fingerprint,
        /// How long it took from noticing the change, in milliseconds.
        milliseconds: u64,
        /// The declarations, if they changed.
        #[serde(skip_serializing_if = "Option::is_none")]
        declarations: Option<Box<Declarations>>,
    },
    /// Problems were found in changed rules; an empty list when there are none any more.
    Problems {
        /// Each problem.
        problems: Vec<Diagnostic>,
    },
    /// The rules in force were found at fault, and the match went on without what they were asked for: an action is not offered, a
    /// notation is plain. Each thing is told once.
    Fault(Box<Diagnostic>),
    /// Something is to be drawn in a match whose luck can be verified: the client is asked for the next numbers of its seats, and answers with
    /// [`Reveal`](crate::Command::Reveal).
    Reveal {
        /// Counts the events in which something is drawn, from 0.
        index: u32,
        /// What the host commits to its own number and to the action with.
        commitment: LuckNumber,
        /// The heads of the chains of which a number is asked for.
        heads: Vec<LuckNumber>,
    },
    /// A chat line, sent to those it is for.
    Chat(ChatLine),
    /// The client has not read for so long that no more notices are sent to it until it asks to [`Resume`](crate::Command::Resume).
    CutOff {
        /// Why.
        reason: String,
    },
    /// Something players should know: a strategy was replaced, a file could not be written.
    Message {
        /// The text.
        text: String,
    },
}

/// A line of the chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatLine {
    /// The seat that it comes from; none for a spectator.
    pub from: Option<SeatId>,
    /// The only seat it is for; without it everyone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<SeatId>,
    /// The text.
    pub text: String,
}

/// An event, as a seat sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatEvent {
    /// The seat that is sent it; none for spectators. In JSON it is called `viewer`: `seat` is the one that acted.
    #[serde(rename = "viewer")]
    pub seat: Option<SeatId>,
    /// How many events are applied after it.
    pub at: usize,
    /// The event in readable form.
    #[serde(flatten)]
    pub entry: HistoryEntry,
    /// The action, if a seat acted and nothing in it is hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<Action>,
    /// What was drawn, as far as it may be known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub draws: Vec<Draw>,
    /// Where luck can be verified: what was drawn follows from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<SeatLuck>,
    /// What changed in the view.
    pub effects: Vec<Effect>,
    /// The digest of the position of the view afterwards.
    pub position: u64,
    /// The outcome, if the match ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
}

/// What the luck of an event was made of, as a seat may know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatLuck {
    /// The numbers of the players.
    #[serde(flatten)]
    pub numbers: EventLuck,
    /// The number of the host, if the seat may know all that was drawn. That of others is known when the match has ended: it follows from the seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<LuckNumber>,
}

impl SeatEvent {
    /// The effects of what happened, without what only came into sight, or went out of it, because of it.
    pub fn happened(&self) -> &[Effect] {
        let sight = self.effects.iter().position(|effect| matches!(effect, Effect::Sight(_)));
        self.effects.get(..sight.unwrap_or(self.effects.len())).unwrap_or_default()
    }
}

/// What a computer player thinks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThinkingReport {
    /// The seat it thinks for.
    pub seat: SeatId,
    /// The player.
    pub player: String,
    /// How many actions ahead it has looked.
    pub depth: u32,
    /// How good it finds the match for its seat; `None` where it does not judge, or that would tell what is hidden.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<Evaluation>,
    /// How many positions it has looked at.
    pub nodes: u64,
    /// How long it has thought, in milliseconds.
    pub milliseconds: u64,
    /// What it expects, beginning with its own action.
    pub line: Vec<LegalAction>,
    /// Of a hint: what it thought on the way to it, where it says so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thoughts: Vec<ThoughtLine>,
}

/// What a computer player thought on the way to a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThoughtsReport {
    /// The seat it decided for.
    pub seat: SeatId,
    /// The player.
    pub player: String,
    /// What it chose, in the notation of the ruleset.
    pub chosen: String,
    /// What it said, and the actions it weighed, the best first.
    pub thoughts: Vec<ThoughtLine>,
}

/// One thing a computer player thought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThoughtLine {
    /// What it said, or the action it weighed in the notation of the ruleset.
    pub text: String,
    /// A number that goes with it: the value of an action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<i64>,
    /// Whether it is an action.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub weighed: bool,
    /// Whether it is the action that was chosen. While a decision is being made none is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub chosen: bool,
}
