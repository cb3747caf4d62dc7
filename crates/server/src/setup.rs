//! What a session begins with.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::chat::{ChatEntry, KeepChat};
use super::handle::ToSession;
use super::mailbox::Mailbox;
use boardwright_host::{HostError, Journal, Match};
use boardwright_model::diagnostic::Diagnostic;
use boardwright_model::{
    Declarations, EventLuck, Fingerprint, LineCompletions, LuckTerms, Map, Policy, SeatId, Seed, Sentence, State, TimeControl,
};
use boardwright_players::{Player, PlayerContext, PlayerError, PlayerSpec};
use boardwright_protocol::{Description, HelpPage, Reply, RuleText, Translation};
use boardwright_rules::{MakeRules, Rules, RulesSource};

/// What clients are told of ruleset, scenario and map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchInfo {
    /// The id of the ruleset.
    pub ruleset: String,
    /// The title of the ruleset.
    pub title: String,
    /// The id of the scenario.
    pub scenario: String,
    /// The title of the scenario.
    pub scenario_title: String,
    /// The map.
    pub map: Map,
    /// What the rules in force tell people.
    pub ruleset_info: Arc<RulesetInfo>,
}

/// What the sources of rules tell people. Matches of the same rules share it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RulesetInfo {
    /// The pages of the rule book.
    pub help: Vec<HelpPage>,
    /// The rules as the scripts say them, by number.
    pub rules: Vec<RuleText>,
    /// The strategies of the ruleset.
    pub strategies: Vec<String>,
    /// The player that is asked for hints when none is named; without one it is chosen by the rules.
    pub advisor: Option<PlayerSpec>,
    /// The pictures: SVG by file name.
    pub art: BTreeMap<String, String>,
    /// The texts of the ruleset in other languages.
    pub languages: BTreeMap<String, Translation>,
    /// What a line of a script may say.
    pub script_words: LineCompletions,
}

impl MatchInfo {
    /// Of a map alone, for rules that come without files.
    pub fn of_map(map: Map) -> Self {
        Self {
            scenario: map.id.clone(),
            scenario_title: map.title.clone(),
            map,
            ..Self::default()
        }
    }

    pub(super) fn description(
        &self,
        rules: &dyn Rules,
        declarations: &Declarations,
        policy: Policy,
        substitute_after: Option<Duration>,
        (seed, luck): (Option<Seed>, Option<LuckTerms>),
    ) -> Reply {
        Reply::Description(Box::new(Description {
            ruleset: self.ruleset.clone(),
            title: self.title.clone(),
            scenario: self.scenario.clone(),
            scenario_title: self.scenario_title.clone(),
            fingerprint: rules.fingerprint(),
            map: if declarations.has_fog && declarations.has_shroud {
                self.map.veiled()
            } else {
                self.map.clone()
            },
            declarations: declarations.clone(),
            rated: policy.is_rated(),
            undo: policy.undo,
            substitute_after: substitute_after.map(|time| time.as_secs()),
            seed,
            luck,
            help: self.ruleset_info.help.clone(),
            rules: self.ruleset_info.rules.clone(),
            strategies: self.ruleset_info.strategies.clone(),
            art: self.ruleset_info.art.clone(),
            languages: self.ruleset_info.languages.clone(),
            script_words: self.ruleset_info.script_words.clone(),
        }))
    }
}

/// A match as it is to be saved.
#[derive(Clone)]
pub struct Record<'a> {
    /// The state before the match began.
    pub start: &'a State,
    /// The match: its journal, seed, policy and state.
    pub playing: &'a Match,
    /// Who plays each seat.
    pub players: &'a [PlayerSpec],
    /// Ruleset, scenario and map.
    pub info: &'a MatchInfo,
    /// What each seat has left on its clock, in milliseconds, where there are clocks.
    pub clocks: Option<Vec<u64>>,
    /// The file that was asked for.
    pub file: Option<&'a str>,
    /// Whether a file may be written over that is no save.
    pub overwrite: bool,
}

/// Why a match was not saved.
#[derive(Clone, Debug)]
pub enum NotSaved {
    /// There is a file that is no save, and nobody said that it may be written over.
    WouldOverwrite(Sentence),
    /// It cannot be written, or could not be read again.
    Failed(Sentence),
}

impl From<Sentence> for NotSaved {
    fn from(why: Sentence) -> Self {
        Self::Failed(why)
    }
}

/// Writes a match and says where, or why it could not.
pub type SaveMatch = Box<dyn FnMut(&Record<'_>) -> Result<String, NotSaved> + Send>;

/// Acknowledges a change of a match: messages about it are held back until this is dropped, when it is on disk or the match goes on without that. Nobody
/// is told of the change before.
#[derive(Debug)]
pub struct Receipt {
    pub(super) number: u64,
    pub(super) to: Mailbox,
    pub(super) is_lost: bool,
}

impl Receipt {
    /// Has clients told that the change cannot be written yet and is tried again.
    pub fn delay(&self) {
        self.to.send(ToSession::Delayed);
    }

    /// The change will never be written: the match ends here, without that anybody is told of it.
    pub fn lose(mut self) {
        self.is_lost = true;
    }
}

impl Drop for Receipt {
    fn drop(&mut self) {
        self.to.send(if self.is_lost {
            ToSession::Lost
        } else {
            ToSession::OnDisk(self.number)
        });
    }
}

/// Saves a match after each change without making it wait; a sentence that it returns is shown to everyone.
pub type Autosave = Box<dyn FnMut(&Record<'_>, Receipt) -> Option<Sentence> + Send>;

/// Rules as they were read again from their files.
pub struct NewRules {
    /// The rules.
    pub source: Arc<dyn RulesSource>,
    /// What changed, a sentence for each file.
    pub changes: Vec<String>,
    /// The files that are gone.
    pub gone: Vec<String>,
    /// What was found in them that does not keep them from being used.
    pub problems: Vec<Diagnostic>,
    /// Help, pictures and titles as read again.
    pub info: Option<MatchInfo>,
    /// How a match would begin now, if the map or the scenario is not what it was.
    pub scenario: Option<NewScenario>,
}

/// The map and the scenario as they were read again from their files.
pub struct NewScenario {
    /// The state before the match begins.
    pub start: State,
    /// What of them takes hold only when a match begins.
    pub left_out: Vec<Sentence>,
}

/// Reads the rules again from their files, or says what is wrong with them. It is called on the thread on which they are tried, with the fingerprint
/// of the rules in force, from which it tells what changed. What is given beside the rules makes the rules of what was compiled when they were read; without it the source makes them.
pub type ReloadRules = Box<dyn FnMut(Fingerprint) -> Result<(NewRules, Option<MakeRules>), Vec<Diagnostic>> + Send>;

/// Makes computer players. It is called on the threads they think on.
pub type MakePlayer = Arc<dyn Fn(&PlayerSpec, &PlayerContext) -> Result<Box<dyn Player>, PlayerError> + Send + Sync>;

/// The clocks of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockSetup {
    /// How much time seats have.
    pub control: TimeControl,
    /// What each seat has left, in milliseconds, where the match has begun.
    pub remaining: Option<Vec<u64>>,
    /// Whether a computer player plays on for a seat whose time has run out; else it forfeits.
    pub plays_on: bool,
}

/// What time it is, for clocks and for people who are gone.
pub type TimeSource = Arc<dyn Fn() -> Instant + Send + Sync>;

/// What somebody who is not there may want to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatNews {
    /// Their seat is to act.
    YourTurn,
    /// The match has ended.
    Ended,
}

/// Tells people who are not there, by the seat and their name, if that is known. Called on the thread of the session, so it must not block.
pub type TellSeat = Box<dyn FnMut(SeatId, Option<&str>, SeatNews) + Send>;

/// How long messages are held back until what they tell of is on disk, for players at one machine: they rather lose an action than wait.
const MOST_HELD: Duration = Duration::from_secs(2);

/// What a session begins with.
pub struct SessionSetup {
    /// The rules.
    pub source: Arc<dyn RulesSource>,
    /// The state before the match begins.
    pub start: State,
    /// What happened already, when a saved match is taken up.
    pub journal: Option<Journal>,
    /// Other rules that the journal was made with.
    pub earlier: Vec<Arc<dyn RulesSource>>,
    /// The seed of all luck of the match.
    pub seed: Seed,
    /// Of a match that begins: what its luck was agreed to follow from, with the first numbers of its players, where it can be verified.
    pub luck: Option<EventLuck>,
    /// Whether a match that is taken up goes on with luck that can be verified, if it had begun so.
    pub keeps_luck_verifiable: bool,
    /// What is allowed beside the rules.
    pub policy: Policy,
    /// Who plays each seat; missing ones are people.
    pub players: Vec<PlayerSpec>,
    /// What clients are told.
    pub info: MatchInfo,
    /// What was found in the rules that does not keep them from being used.
    pub problems: Vec<Diagnostic>,
    /// The least time between an action and the next one of a computer player.
    pub pace: Duration,
    /// Whether computer players wait at first.
    pub is_paused: bool,
    /// Whether the session is there for its clients: computer players wait for the first one, and it ends when the last one leaves.
    pub ends_when_left: bool,
    /// Saves the match; without it it cannot be saved.
    pub save: Option<SaveMatch>,
    /// Saves the match after each change; without it nothing is saved by itself.
    pub autosave: Option<Autosave>,
    /// How long nobody is told of a change that is not on disk yet; without it as long as that takes.
    pub most_held: Option<Duration>,
    /// Writes a scenario that begins where the match stands; without it none can be made.
    pub export: Option<SaveMatch>,
    /// Reads the rules again; without it they cannot be changed.
    pub reload: Option<ReloadRules>,
    /// Makes computer players.
    pub make_player: MakePlayer,
    /// The clocks; without them seats have as much time as they like. A match with clocks stays open until it is over.
    pub clocks: Option<ClockSetup>,
    /// How long people may be gone before a computer player plays for them; without it as long as they like.
    pub grace: Option<Duration>,
    /// The names of the people at the seats, where they have some.
    pub names: Vec<Option<String>>,
    /// What time it is.
    pub time: TimeSource,
    /// Tells people who are not there; without it nobody does.
    pub tell: Option<TellSeat>,
    /// What was said before.
    pub chat: Vec<ChatEntry>,
    /// Keeps what is said; without it that is forgotten with the session.
    pub keep_chat: Option<KeepChat>,
    /// How many lines of chat a client says in ten seconds at most; without it as many as it likes.
    pub chat_pace: Option<usize>,
    /// What its lines in the log belong to.
    pub span: tracing::Span,
}

impl SessionSetup {
    /// A match of people, which can neither be saved nor reloaded.
    pub fn new(source: Arc<dyn RulesSource>, start: State, info: MatchInfo, seed: impl Into<Seed>) -> Self {
        Self {
            make_player: super::program::maker(info.clone()),
            source,
            start,
            journal: None,
            earlier: Vec::new(),
            seed: seed.into(),
            luck: None,
            keeps_luck_verifiable: false,
            policy: Policy::default(),
            players: Vec::new(),
            info,
            problems: Vec::new(),
            pace: Duration::ZERO,
            is_paused: false,
            ends_when_left: true,
            save: None,
            autosave: None,
            most_held: Some(MOST_HELD),
            export: None,
            reload: None,
            clocks: None,
            grace: None,
            names: Vec::new(),
            time: Arc::new(Instant::now),
            tell: None,
            chat: Vec::new(),
            keep_chat: None,
            chat_pace: None,
            span: tracing::Span::none(),
        }
    }
}

/// Why a session could not begin.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The rules do not work on the board.
    #[error(transparent)]
    Rules(#[from] Diagnostic),
    /// The match cannot begin or be taken up.
    #[error(transparent)]
    Host(#[from] HostError),
    /// Its thread cannot be started.
    #[error("the thread of the match cannot be started: {0}")]
    Thread(#[from] std::io::Error),
    /// The server is about to stop.
    #[error("no match can begin: the server is about to stop")]
    Stopping,
    /// It broke down while it began.
    #[error("the match broke down while it began: {0}")]
    Broken(String),
}
