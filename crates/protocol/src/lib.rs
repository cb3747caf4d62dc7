//! The messages between a client and the host of a match: the same in one process, over pipes and over the network.
//!
//! A client sends [`Request`]s; each gets exactly one [`Answer`] with its id. Beside them the host sends [`Notice`]s. All are
//! JSON values, one a line. `docs/protocol.md` describes them for readers of other languages.
//!
//! It promises that both ends read each other's messages by one set of types. It names no rules, no session and no transport.

mod debugger;
mod notices;
mod odds;
mod offers;
mod replies;

use serde::{Deserialize, Serialize};

use boardwright_model::{Action, ActionId, LuckNumber, Pick, SeatId, SeatSet};
pub use boardwright_model::{BreakPoint, Evaluation, PauseCause, StackFrame, StepKind, Variable, WatchResult};
pub use debugger::PauseReport;
pub use notices::{ChatLine, Notice, SeatEvent, SeatLuck, ThinkingReport, ThoughtLine, ThoughtsReport};
pub use odds::{ChanceReport, EndReport, OddsReport};
pub use offers::{Offer, OfferKind};
pub use replies::{
    ContestPart, Description, EntryCause, EventRemark, HelpPage, History, HistoryEntry, LegalAction, Measure, PlainAction, PlainPart,
    Preview, Reply, RuleText, Series, Statistics, Translation, TurnRemark, ViewSnapshot,
};

/// The version of the protocol. A client that speaks another one is told so in the answer to its greeting.
pub const PROTOCOL: u32 = 1;

/// What a client asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// A number of the client's choice; the answer carries it.
    pub id: u64,
    /// What it asks.
    #[serde(flatten)]
    pub command: Command,
}

/// What a client may ask. In JSON the name stands in the field `do`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Command {
    /// A greeting with the version of the protocol.
    Hello {
        /// The version the client speaks.
        protocol: u32,
    },
    /// Ruleset, map, scenario, options.
    Describe,
    /// The match as a seat sees it; as spectators do if no seat is named.
    View {
        /// The seat.
        seat: Option<SeatId>,
    },
    /// How cells and pieces look, and the lines of the panel.
    Looks {
        /// The seat that looks.
        seat: Option<SeatId>,
    },
    /// What may be picked next.
    Domain {
        /// The seat.
        seat: SeatId,
        /// The action.
        action: ActionId,
        /// The picks already made.
        #[serde(default)]
        picks: Vec<Pick>,
    },
    /// What an action would bring about, as far as its seat can tell before it is played.
    Preview {
        /// The action.
        #[serde(flatten)]
        action: Action,
    },
    /// All legal actions of a seat.
    Legal {
        /// The seat; by default the first to act among those the client holds.
        seat: Option<SeatId>,
    },
    /// Submits an action.
    Submit {
        /// The action.
        #[serde(flatten)]
        action: Action,
        /// How many events were applied when it was chosen.
        at: usize,
    },
    /// Submits an action that is written as text: its name and picks, or its notation.
    Play {
        /// The text.
        text: String,
        /// The seat; by default the one to act.
        seat: Option<SeatId>,
        /// How many events were applied when it was chosen; by default it counts as chosen now.
        at: Option<usize>,
    },
    /// Resigns the match for a seat.
    Resign {
        /// The seat; by default the first held one that is to act, or else the first held one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<SeatId>,
    },
    /// Offers something to the others; a [`Notice::Offers`] tells them.
    Offer {
        /// What is offered.
        offer: OfferKind,
        /// The seat that offers it; by default the first held one that is to act, or else the first held one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<SeatId>,
    },
    /// Accepts an offer for all held seats whose answer is awaited.
    Accept {
        /// What was offered.
        offer: OfferKind,
    },
    /// Declines an offer.
    Decline {
        /// What was offered.
        offer: OfferKind,
    },
    /// Withdraws an offer that was made for a held seat.
    Withdraw {
        /// What was offered.
        offer: OfferKind,
    },
    /// Gives the numbers that a [`Notice::Reveal`] asks for.
    Reveal {
        /// The index that was asked for.
        index: u32,
        /// A number for each head, in the order in which they were named; none where the client does not have it, and takes no part any more.
        numbers: Vec<Option<LuckNumber>>,
    },
    /// Undoes the newest action.
    Undo,
    /// Redoes what was undone last.
    Redo,
    /// Goes to a position of the journal.
    GoTo {
        /// How many events are to be applied.
        position: usize,
    },
    /// Lets play go on from here: the events that were undone become a variation.
    Branch,
    /// Makes a variation the line, and goes to its end; what it replaces becomes a variation.
    PromoteVariation {
        /// The variation, from 0, as `history` lists them.
        variation: usize,
    },
    /// Deletes a variation, with those that leave it.
    DeleteVariation {
        /// The variation, from 0.
        variation: usize,
    },
    /// The journal in readable form.
    History {
        /// The seat that reads it, for what others did may be hidden from it; spectators if none is named.
        seat: Option<SeatId>,
        /// The first event wanted.
        #[serde(default)]
        from: usize,
    },
    /// What each seat had at moments all along the match, undone ones included.
    Statistics {
        /// The seat that looks; spectators if none is named.
        seat: Option<SeatId>,
    },
    /// Assigns a player to a seat: `human`, `random`, `greedy`, `search:5`, ...
    Assign {
        /// The seat.
        seat: SeatId,
        /// The player.
        player: String,
    },
    /// Swaps the players of two seats.
    Swap {
        /// One seat.
        a: SeatId,
        /// The other.
        b: SeatId,
    },
    /// Pauses computer players, or resumes them.
    Pause {
        /// Whether they wait.
        paused: bool,
    },
    /// The least time between an action and the next one of a computer player.
    Pace {
        /// In milliseconds, 0 to 60,000.
        milliseconds: u64,
    },
    /// Asks what a computer player would do; a [`Notice::Hint`] follows.
    Hint {
        /// The player to ask; by default the strongest that suits the rules.
        player: Option<String>,
        /// How long it may think, in milliseconds.
        milliseconds: Option<u64>,
    },
    /// Watches computer players think, or no longer: a [`Notice::Thoughts`] follows each decision of one that says what it thinks.
    Watch {
        /// Whether to watch.
        watched: bool,
    },
    /// Attaches the debugger to the strategy of a seat, or detaches it: a [`Notice::Paused`] comes wherever it pauses.
    Attach {
        /// The seat.
        seat: SeatId,
        /// Whether to attach or to detach.
        #[serde(default = "yes", skip_serializing_if = "is_yes")]
        attached: bool,
        /// Whether it pauses at the first line of each decision.
        #[serde(default)]
        before: bool,
        /// Whether it pauses when it has decided.
        #[serde(default)]
        after: bool,
    },
    /// Replaces the break points, at which attached strategies pause.
    BreakPoints {
        /// The break points.
        points: Vec<BreakPoint>,
    },
    /// Replaces the watch expressions, which are evaluated wherever a strategy pauses.
    Watches {
        /// The expressions.
        expressions: Vec<String>,
    },
    /// Pauses an attached strategy at its next line.
    DebugPause,
    /// Resumes a strategy that has paused.
    Step {
        /// How far.
        kind: StepKind,
    },
    /// A strategy's value of the match for each seat, as far as the client sees.
    Evaluate {
        /// The strategy.
        strategy: String,
    },
    /// A strategy's value of each cell for a seat, as far as the client sees.
    EvaluateCells {
        /// The strategy.
        strategy: String,
        /// The seat.
        seat: SeatId,
    },
    /// A heat map of the rules, as far as its viewer sees.
    HeatMap {
        /// Its name.
        name: String,
        /// For whom; by default for whoever looks on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<SeatId>,
    },
    /// The odds of the contest that an action begins, as far as it was picked.
    Odds {
        /// The seat.
        seat: SeatId,
        /// The action.
        action: ActionId,
        /// The picks already made.
        #[serde(default)]
        picks: Vec<Pick>,
    },
    /// Sends a chat line to everyone, or to one seat.
    Say {
        /// The line.
        text: String,
        /// The seat that it comes from; by default of the first held seat that is to act, or else the first one held.
        #[serde(skip_serializing_if = "Option::is_none")]
        from: Option<SeatId>,
        /// The only seat it is for; without it everyone.
        #[serde(skip_serializing_if = "Option::is_none")]
        to: Option<SeatId>,
    },
    /// The chat so far.
    ChatLog,
    /// Stops whoever is thinking: a hint is given with what was found so far, a computer player acts on it.
    Stop,
    /// Saves the match.
    Save {
        /// The file; by default one named after scenario and date.
        file: Option<String>,
        /// Whether a file may be written over that is no save of a match.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        overwrite: bool,
    },
    /// Writes a scenario that begins where the match stands.
    ExportScenario {
        /// The file, or a name for one among the maps of the ruleset in the user's own content; by default one named after scenario and round.
        file: Option<String>,
        /// Whether a file that is there may be written over.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        overwrite: bool,
    },
    /// Reads the rules again from their files and puts them in force.
    Reload,
    /// Edits the match past its rules: `set match.rounds_left = 3`. `help` lists the edit commands.
    Edit {
        /// The edit command.
        text: String,
    },
    /// The problems found in the rules.
    Problems,
    /// Asks for notices again after a [`Notice::CutOff`]: whole views follow.
    Resume,
    /// Ends the connection.
    Quit,
}

fn yes() -> bool {
    true
}

fn is_yes(flag: &bool) -> bool {
    *flag
}

fn are_none(seats: &SeatSet) -> bool {
    seats.is_empty()
}

/// What the host sends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FromHost {
    /// The answer to a request.
    Answer(Answer),
    /// Something that happened.
    Notice(Notice),
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The id of the request; 0 for a line that could not be read.
    pub id: u64,
    /// The answer.
    #[serde(flatten)]
    pub reply: Reply,
}
