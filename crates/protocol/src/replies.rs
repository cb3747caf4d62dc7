//! What the host answers.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{ChatLine, OddsReport};
use boardwright_localization::Phrase;
use boardwright_model::diagnostic::Diagnostic;
use boardwright_model::{
    Action, ActionId, CellId, Declarations, Domain, Effect, Fingerprint, LineCompletions, Looks, LuckTerms, Map, Outcome, PickMark,
    PieceId, Refusal, SeatId, SeatSet, Seed, StateParts, UndoPolicy,
};

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
        /// Whether others steer the match: the client may not assign players, pause it, save it or edit it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        guest: bool,
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
        /// What stands beside some of it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        marks: Vec<PickMark>,
    },
    /// What an action would bring about.
    Preview(Box<Preview>),
    /// The legal actions, sorted.
    Legal {
        /// How many events are applied.
        at: usize,
        /// The actions.
        actions: Vec<LegalAction>,
        /// How the match ended, if it has.
        #[serde(skip_serializing_if = "Option::is_none")]
        outcome: Option<Outcome>,
    },
    /// Done.
    Done {
        /// How many events are applied now.
        at: usize,
    },
    /// What a strategy thinks of the match.
    Evaluation {
        /// For each seat; nothing where the strategy does not say.
        seats: Vec<Option<i64>>,
    },
    /// What a strategy thinks of the cells, or a heat map of the rules.
    HeatMap {
        /// For each cell; nothing where neither says anything.
        cells: Vec<Option<i64>>,
    },
    /// The odds of a contest; none if the action begins none, or that is not known yet.
    Odds {
        /// The odds.
        #[serde(skip_serializing_if = "Option::is_none")]
        odds: Option<Box<OddsReport>>,
    },
    /// The match was edited.
    Edited {
        /// How many events are applied now.
        at: usize,
        /// What a script printed, or the list of edit commands.
        text: String,
    },
    /// The journal in readable form.
    History(Box<History>),
    /// What each seat had all along the match.
    Statistics(Box<Statistics>),
    /// The chat so far, as far as the client may read it.
    ChatLog {
        /// The lines, the oldest first.
        lines: Vec<ChatLine>,
    },
    /// The match was saved.
    Saved {
        /// The file.
        file: String,
    },
    /// A scenario was written.
    Exported {
        /// The file.
        file: String,
        /// What of the match is not in it, in sentences.
        left_out: Vec<String>,
    },
    /// The problems found in the rules, ready to be shown.
    Problems {
        /// Each problem.
        problems: Vec<Diagnostic>,
    },
    /// The rules or the host refuse.
    Refused(Refusal),
    /// The rules are at fault.
    Fault(Box<Diagnostic>),
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
    pub declarations: Declarations,
    /// Whether the match is rated: no undo, no edits, no hints.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// How far actions may be undone.
    pub undo: UndoPolicy,
    /// After how many seconds a computer player plays for somebody who is gone; `None` if never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub substitute_after: Option<u64>,
    /// The seed of the generator, where the policy lets it be known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
    /// What the luck of the match follows from, where players can verify it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<LuckTerms>,
    /// The pages of the rule book: title and text.
    pub help: Vec<HelpPage>,
    /// The rules as the scripts in force say them, by number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleText>,
    /// What a line of a script may say, for whoever writes one as an edit.
    #[serde(default, skip_serializing_if = "LineCompletions::is_empty")]
    pub script_words: LineCompletions,
    /// The strategies of the ruleset, which may sit at seats like other computer players.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strategies: Vec<String>,
    /// The pictures: SVG by file name.
    pub art: BTreeMap<String, String>,
    /// What the texts of the ruleset become in other languages, by the code of the language.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub languages: BTreeMap<String, Translation>,
}

/// The texts of a ruleset in another language.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Translation {
    /// What each text becomes.
    #[serde(default)]
    pub texts: Vec<Phrase>,
    /// The pages of the rule book, all of them; those that nobody has translated in the language of the ruleset.
    #[serde(default)]
    pub help: Vec<HelpPage>,
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
    /// The name of its file without the ending, by which pages link to each other in whatever language.
    #[serde(default)]
    pub name: String,
    /// The title.
    pub title: String,
    /// The text, in a small part of Markdown: headings, paragraphs, lists, emphasis, pictures from the art.
    pub text: String,
}

/// The match as a seat sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewSnapshot {
    /// The seat; none for spectators.
    pub seat: Option<SeatId>,
    /// How many events are applied.
    pub at: usize,
    /// How many events there are, undone ones included.
    pub length: usize,
    /// Counts how often the line of the journal or its variations changed other than by an event: then the history has to be asked for
    /// again.
    #[serde(default)]
    pub revision: u64,
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
    /// The names of the people at the seats, where they have some; empty where nobody has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<Option<String>>,
    /// The seats of people that no client holds.
    #[serde(default, skip_serializing_if = "crate::are_none")]
    pub gone: SeatSet,
    /// The seats of people that a computer player plays on.
    #[serde(default, skip_serializing_if = "crate::are_none")]
    pub substitutes: SeatSet,
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
    /// The action in plain notation, as `play` takes it.
    pub text: String,
    /// The action in the notation of the ruleset.
    pub notation: String,
}

/// The journal in readable form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    /// The seat that reads it; none for spectators.
    pub seat: Option<SeatId>,
    /// How many events are applied.
    pub at: usize,
    /// The events.
    pub entries: Vec<HistoryEntry>,
    /// The variations that leave the line, oldest first: their events. Those that leave a variation are shown once it is the line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Vec<HistoryEntry>>,
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
    /// What made it.
    pub cause: EntryCause,
    /// The notation; for an edit its command, empty where that may tell what is hidden.
    pub notation: Arc<str>,
    /// The action by its parts, where the ruleset writes it by its name and picks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plain: Option<PlainAction>,
    /// What it came to, as a sentence; empty where the rules have none.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub sentence: Arc<str>,
    /// The contest that the action is a part of, if it is one: what follows in the history with the same one belongs together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contest: Option<ContestPart>,
    /// The cell that the action picked last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<CellId>,
    /// What was drawn and what players were told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<EventRemark>,
    /// What was drawn when the next turn had begun.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next_turn: Vec<TurnRemark>,
}

/// What players are told of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventRemark {
    /// The words.
    pub text: String,
    /// The cell that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<CellId>,
}

impl fmt::Display for EventRemark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What made an event of the history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryCause {
    /// A seat acted.
    Action,
    /// Somebody edited the match, past its rules.
    Edit,
    /// The rules, or what the host did: the beginning, a reload.
    #[default]
    Host,
}

/// An action without a notation of the ruleset, by its parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlainAction {
    /// The action.
    pub action: ActionId,
    /// The picks as players write them, in parts: one behind the other they are the text behind the name of the action.
    pub picks: Vec<PlainPart>,
}

/// A part of what was picked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlainPart {
    /// A text, such as `a1 b2` or `3,`.
    Text(String),
    /// A piece that plain notation has by its number.
    Piece(PieceId),
}

/// What was drawn at the beginning of a turn, before anybody acted in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnRemark {
    /// Whose turn it is.
    pub seat: SeatId,
    /// The draw as text: `how far to run: 4`.
    pub text: String,
}

/// The part of an action in a contest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContestPart {
    /// It fights for these cells; more of it for the same cells is the same contest.
    Over(Vec<CellId>),
    /// It answers what was asked in the contest.
    Answer,
}

/// What each seat had at moments all along the match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics {
    /// The moments: how many events were applied.
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
    /// Its points, as the rules count them for the outcome (`final_score`).
    Points,
    /// How likely it is to win, in thousandths, where the rules declare a `value_scale`.
    Chance,
    /// How good it stands, as the rules tell computer players (`value`), where they do not.
    Score,
    /// Its pieces in play.
    Pieces,
}
