//! The messages between a client and the host of a match: the same in one process, over pipes and over the network.
//!
//! A client sends [`Request`]s; each gets exactly one [`Answer`] with its id. Beside them the host sends [`Notice`]s. All are
//! JSON values, one a line. `docs/protocol.md` describes them for readers of other languages.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::odds_report::OddsReport;
use crate::model::{Action, ActionId, Domain, Draw, Effect, Fingerprint, Frame, Looks, Map, Outcome, Pick, SeatId, SeatSet, StateParts};
pub use crate::rules::{BreakPoint, Call, HaltCause, Stride, Variable, Watched};
use crate::rules::{Fault, Refusal};

pub use super::following::HaltReport;

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
    /// The match as a seat sees it; as onlookers do if no seat is named.
    View {
        /// The seat.
        #[serde(default)]
        seat: Option<SeatId>,
    },
    /// How cells and pieces look, and the lines of the panel.
    Looks {
        /// The seat that looks.
        #[serde(default)]
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
        #[serde(default)]
        seat: Option<SeatId>,
    },
    /// Acts.
    Submit {
        /// The action.
        #[serde(flatten)]
        action: Action,
        /// How many events stood when it was chosen.
        at: usize,
        /// Whether events that were taken back may be dropped.
        #[serde(default)]
        drop_later: bool,
    },
    /// Acts, in words: the name of an action and its picks, or its notation.
    Play {
        /// The words.
        text: String,
        /// The seat; by default the one to act.
        #[serde(default)]
        seat: Option<SeatId>,
        /// How many events stood when it was chosen; by default it is taken as chosen now.
        #[serde(default)]
        at: Option<usize>,
        /// Whether events that were taken back may be dropped.
        #[serde(default)]
        drop_later: bool,
    },
    /// Takes the newest action back.
    Undo,
    /// Does again what was taken back last.
    Redo,
    /// Goes to a position of the journal.
    GoTo {
        /// How many events are to stand.
        position: usize,
    },
    /// Drops what was taken back.
    DropLater,
    /// The journal in readable form.
    History {
        /// The first event wanted.
        #[serde(default)]
        from: usize,
    },
    /// What each seat had at moments all along the match, those taken back included.
    Statistics {
        /// The seat that looks; onlookers if none is named.
        #[serde(default)]
        seat: Option<SeatId>,
    },
    /// Puts a player on a seat: `human`, `random`, `greedy`, `search:5`, ...
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
    /// Lets computer players wait, or go on.
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
        #[serde(default)]
        player: Option<String>,
        /// How long it may think, in milliseconds.
        #[serde(default)]
        milliseconds: Option<u64>,
    },
    /// Watches computer players think, or no longer: a [`Notice::Thoughts`] follows each decision of one that says what it thinks.
    Watch {
        /// Whether to watch.
        watched: bool,
    },
    /// Follows the strategy of a seat line by line, or no longer: a [`Notice::Halted`] comes wherever it halts.
    Follow {
        /// The seat.
        seat: SeatId,
        /// Whether to follow it.
        #[serde(default = "yes", skip_serializing_if = "is_yes")]
        followed: bool,
        /// Whether it halts at the first line of each decision.
        #[serde(default)]
        before: bool,
        /// Whether it halts when it has decided.
        #[serde(default)]
        after: bool,
    },
    /// Sets the lines at which strategies that are followed halt; those set before are no more.
    BreakPoints {
        /// The lines.
        points: Vec<BreakPoint>,
    },
    /// Sets the expressions that are worked out wherever a strategy halts; those set before are no more.
    Watches {
        /// The expressions.
        expressions: Vec<String>,
    },
    /// Halts a strategy that is followed at the next line it comes to.
    Halt,
    /// Lets a strategy that has halted go on.
    Step {
        /// How far.
        stride: Stride,
    },
    /// What a strategy thinks the match is worth for each seat, as far as the client sees.
    Evaluate {
        /// The strategy.
        strategy: String,
    },
    /// What a strategy thinks each cell is worth to a seat, as far as the client sees.
    HeatMap {
        /// The strategy.
        strategy: String,
        /// The seat.
        seat: SeatId,
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
    /// Stops whoever is thinking: a hint is given with what was found so far, a computer player acts on it.
    Stop,
    /// Saves the match.
    Save {
        /// The file; by default one named after scenario and date.
        #[serde(default)]
        file: Option<String>,
    },
    /// Reads the rules again from their files and puts them in force.
    Reload,
    /// Changes the match by hand, in words: `set match.rounds_left = 3`. `help` lists them.
    Debug {
        /// The words.
        text: String,
    },
    /// The problems found in the rules.
    Problems,
    /// Ends the connection.
    Quit,
}

fn yes() -> bool {
    true
}

fn is_yes(flag: &bool) -> bool {
    *flag
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

/// What is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "snake_case")]
pub enum Reply {
    /// To a greeting.
    Welcome {
        /// The version of the protocol.
        protocol: u32,
        /// The version of the engine.
        engine: String,
        /// The seats this client holds.
        #[serde(default)]
        seats: SeatSet,
    },
    /// Ruleset, map, scenario, options.
    Description(Box<Description>),
    /// The match as a seat sees it.
    View(Box<ViewSnapshot>),
    /// How things look.
    Looks(Box<Looks>),
    /// What may be picked next.
    Domain {
        /// The domain; none when all picks are made.
        domain: Option<Domain>,
        /// What the player is asked.
        prompt: Arc<str>,
    },
    /// What an action would bring about.
    Preview(Box<Preview>),
    /// The legal actions, sorted.
    Legal {
        /// How many events stand.
        at: usize,
        /// The actions.
        actions: Vec<LegalAction>,
        /// How the match ended, if it has.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        outcome: Option<Outcome>,
    },
    /// Done.
    Done {
        /// How many events stand now.
        at: usize,
    },
    /// What a strategy thinks of the match.
    Evaluation {
        /// For each seat; nothing where the strategy does not say.
        seats: Vec<Option<i64>>,
    },
    /// What a strategy thinks of the cells.
    HeatMap {
        /// For each cell; nothing where the strategy does not say.
        cells: Vec<Option<i64>>,
    },
    /// The odds of a contest; none if the action begins none, or that is not known yet.
    Odds {
        /// The odds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        odds: Option<Box<OddsReport>>,
    },
    /// Done by hand.
    ByHand {
        /// How many events stand now.
        at: usize,
        /// What a script printed, or the list of words.
        text: String,
    },
    /// The journal in readable form.
    History(Box<History>),
    /// What each seat had all along the match.
    Statistics(Box<Statistics>),
    /// The match was saved.
    Saved {
        /// The file.
        file: String,
    },
    /// The problems found in the rules, ready to be shown.
    Problems {
        /// Each problem.
        problems: Vec<Problem>,
    },
    /// The rules or the host refuse.
    Refused(Refusal),
    /// The rules are at fault.
    Fault(Box<Fault>),
    /// The request could not be understood or carried out.
    Error {
        /// What is wrong and what to do.
        message: String,
    },
}

/// Ruleset, map, scenario and options of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Description {
    /// The id of the ruleset.
    pub ruleset: String,
    /// The title of the ruleset.
    pub title: String,
    /// The id of the scenario.
    pub scenario: String,
    /// The title of the scenario.
    pub scenario_title: String,
    /// The rules in force.
    pub fingerprint: Fingerprint,
    /// The map.
    pub map: Map,
    /// The declarations.
    pub frame: Frame,
    /// The seed of the generator, where the policy lets it be known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The pages of the rule book: title and text.
    pub help: Vec<HelpPage>,
    /// The rules as the scripts in force say them, by number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleText>,
    /// The strategies of the ruleset, which may sit at seats like other computer players.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strategies: Vec<String>,
    /// The pictures: SVG by file name.
    pub art: BTreeMap<String, String>,
}

/// A rule as the comment of the function says it that carries it out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleText {
    /// Its number: `3.1`.
    pub number: String,
    /// What it says.
    pub text: String,
    /// The script.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// A page of the rule book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HelpPage {
    /// The title.
    pub title: String,
    /// The text, in a small part of Markdown: headings, paragraphs, lists, emphasis, pictures from the art.
    pub text: String,
}

/// The match as a seat sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewSnapshot {
    /// The seat; none for onlookers.
    pub seat: Option<SeatId>,
    /// How many events stand.
    pub at: usize,
    /// How many events there are, those taken back included.
    pub length: usize,
    /// The state.
    pub state: StateParts,
    /// The digest of its position, to check a mirror against.
    pub position: u64,
    /// Who plays each seat.
    pub players: Vec<String>,
    /// Whether computer players wait.
    pub paused: bool,
    /// The least time between an action and the next one of a computer player, in milliseconds.
    pub pace: u64,
}

/// What an action would bring about by itself: turns and phases that follow it are not part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preview {
    /// What it would change in the view of its seat.
    #[serde(default)]
    pub effects: Vec<Effect>,
    /// How the pieces that it would change would look then.
    #[serde(default)]
    pub looks: Looks,
    /// Whether that is certain. If not, it depends on luck or on what the seat does not see, and nothing is told.
    #[serde(default)]
    pub is_certain: bool,
}

/// A legal action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LegalAction {
    /// The action.
    #[serde(flatten)]
    pub action: Action,
    /// The action in plain words, as `play` takes it.
    pub text: String,
    /// The action in the notation of the ruleset.
    pub notation: String,
}

/// The journal in readable form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    /// How many events stand.
    pub at: usize,
    /// The events.
    pub entries: Vec<HistoryEntry>,
}

/// An event in readable form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryEntry {
    /// The event, from 0.
    pub event: usize,
    /// The round.
    pub round: u32,
    /// The seat that acted, if one did.
    pub seat: Option<SeatId>,
    /// The notation.
    pub notation: Arc<str>,
    /// What was drawn and what players were told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// Whether the match was changed by hand, past its rules.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_hand: bool,
}

/// What each seat had at moments all along the match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics {
    /// The moments: how many events stood.
    pub positions: Vec<usize>,
    /// The round at each moment.
    pub rounds: Vec<u32>,
    /// The lines, by measure and then by seat.
    pub series: Vec<Series>,
}

/// What one seat had at each moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Series {
    /// The seat.
    pub seat: SeatId,
    /// What was measured.
    pub measure: Measure,
    /// The value at each moment; none where the rules did not say.
    pub values: Vec<Option<i64>>,
}

/// What can be measured of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Its points, as the rules count them for the outcome (`tally`).
    Points,
    /// How good it stands, as the rules tell computer players (`score`).
    Score,
    /// Its pieces in play.
    Pieces,
}

/// Something that happened, sent to every client.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "notice", rename_all = "snake_case")]
pub enum Notice {
    /// An event, as the seat sees it.
    Event(Box<SeatEvent>),
    /// The position in the journal changed, or the view can not be led on by effects: the whole view.
    View(Box<ViewSnapshot>),
    /// A seat is to act; told to a program that plays it (`exec:`), after the view.
    Turn {
        /// The seat.
        seat: SeatId,
        /// The position to name when acting.
        at: usize,
        /// How long it may take, in milliseconds, if that is limited.
        #[serde(default, skip_serializing_if = "Option::is_none")]
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
    },
    /// A computer player is thinking.
    Thinking(Box<ThinkingReport>),
    /// A computer player has stopped thinking.
    Thought {
        /// The seat.
        seat: SeatId,
    },
    /// What a computer player would do.
    Hint(Box<ThinkingReport>),
    /// What a computer player thought on the way to a decision. Sent to those who watch.
    Thoughts(Box<ThoughtsReport>),
    /// A strategy has halted, or shows anew what is to be seen where it has. Sent to those who follow.
    Halted(Box<HaltReport>),
    /// The strategy that had halted goes on, or its decision was given up.
    WentOn {
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
        #[serde(default, skip_serializing_if = "Option::is_none")]
        frame: Option<Box<Frame>>,
    },
    /// Problems were found in changed rules; an empty list when there are none any more.
    Problems {
        /// Each problem.
        problems: Vec<Problem>,
    },
    /// The rules in force were found at fault, and the match went on without what they were asked for: an action is not offered, a
    /// notation is plain. Each thing is told once.
    Fault(Box<Fault>),
    /// Something players should know: a strategy was replaced, a file could not be written.
    Message {
        /// The text.
        text: String,
    },
}

/// An event, as a seat sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatEvent {
    /// The seat that is sent it; none for onlookers. In JSON it is called `viewer`: `seat` is the one that acted.
    #[serde(rename = "viewer")]
    pub seat: Option<SeatId>,
    /// How many events stand after it.
    pub at: usize,
    /// The event in readable form.
    #[serde(flatten)]
    pub entry: HistoryEntry,
    /// The action, if a seat acted and nothing in it is hidden.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<Action>,
    /// What was drawn, as far as it may be known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub draws: Vec<Draw>,
    /// What changed in the view.
    pub effects: Vec<Effect>,
    /// The digest of the position of the view afterwards.
    pub position: u64,
    /// The outcome, if the match ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
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
    /// How good it finds the match for its seat, in points of the ruleset.
    pub score: i64,
    /// How many positions it has looked at.
    pub nodes: u64,
    /// How long it has thought, in milliseconds.
    pub milliseconds: u64,
    /// What it expects, beginning with its own action.
    pub line: Vec<LegalAction>,
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
    /// A number that goes with it: for an action what it is worth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<i64>,
    /// Whether it is an action.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub weighed: bool,
}

/// A problem found in rules or other content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// A stable word for the sort of problem.
    pub code: String,
    /// What is wrong.
    pub message: String,
    /// The file; empty where there is none.
    pub file: String,
    /// The line, from 1; 0 where it is not known.
    pub line: u32,
    /// The column, from 1; 0 where it is not known.
    pub column: u32,
    /// The text of the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_line: Option<String>,
    /// What to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl From<&Fault> for Problem {
    fn from(fault: &Fault) -> Self {
        Self {
            severity: "error".to_owned(),
            code: fault.code.to_string(),
            message: fault.message.clone(),
            file: fault.file.clone(),
            line: fault.line,
            column: fault.column,
            source_line: fault.source_line.clone(),
            help: (!fault.hook.is_empty()).then(|| format!("while running `{}`", fault.hook)),
        }
    }
}
