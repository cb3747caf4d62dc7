//! What the window plays: rulesets to choose from, saved matches, and the way to begin or take up a match. Whoever starts the
//! window provides it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::{Link, Locale, Wake};
use boardwright_localization::Localizer;
use boardwright_model::diagnostic::{Diagnostic, Severity};
use boardwright_model::{Action, CellId, Fingerprint, OptionDeclaration, Policy, SeatDeclaration, SeatId, SeatRange, Seed, Value};
use boardwright_protocol::{HelpPage, RuleText};

/// How long computer players wait before they act, so that people can follow.
pub const PACE: Duration = Duration::from_millis(500);

/// What is to be played, as people choose it: by names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchChoice {
    /// The id of the ruleset.
    pub ruleset: String,
    /// The id of the scenario; without it the default one.
    pub scenario: Option<String>,
    /// Who plays which seat, by the name of the seat. The others are played as the scenario says.
    pub players: Vec<(String, String)>,
    /// Options that differ from the scenario's, by name.
    pub options: Vec<(String, String)>,
    /// The seed of all luck; without it one nobody knows.
    pub seed: Option<Seed>,
    /// What is allowed beside the rules. Without it everything is, but for one thing: in fog undo ends at what was shown.
    pub policy: Option<Policy>,
    /// The least time between an action and the next one of a computer player.
    pub pace: Duration,
    /// Whether computer players wait at first.
    pub is_paused: bool,
    /// Whether changed files of the ruleset are put in force while the match runs.
    pub watches: bool,
    /// The folder in which the match is saved unless a file is named; without it that of the user.
    pub saves: Option<PathBuf>,
    /// The file of the autosave, with a log beside it to which each change is added; without it the match is not kept.
    pub autosave: Option<PathBuf>,
    /// What becomes of a scenario that is made of the match; without it the folder for content of the user's own has it, as the match was begun.
    pub export: Option<ScenarioExport>,
}

/// How a scenario is made of a match that tries a drawing out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioExport {
    /// The folder in which it lies unless a file is named; without it that of the user's own.
    pub folder: Option<PathBuf>,
    /// The file with its script, if it has one: that of the match tells more than it should.
    pub script: Option<PathBuf>,
}

impl MatchChoice {
    /// Chooses whether the match is rated: then the rules stay as they are. `watches` is whether changed files are put in force otherwise.
    pub fn play_by(&mut self, is_rated: bool, watches: bool) {
        self.policy = is_rated.then_some(Policy::RATED);
        self.watches = watches && !is_rated;
    }
}

/// Where rulesets and matches come from. Its functions are called on threads of their own: they may take their time.
pub trait Content: Send + Sync {
    /// Begins to read, on a thread of its own, what [`look_through`](Self::look_through) tells first: called once before there is a window.
    fn read_ahead(&self) {}

    /// Looks through all there is to play. First everything that can be told at once is told, then each ruleset as it has been
    /// looked through, the one with the id `first` before the others; `tell` returns false when nobody listens any more.
    fn look_through(&self, locale: &Locale, first: Option<&str>, tell: &mut dyn FnMut(ContentUpdate) -> bool);

    /// Calls `tell` whenever there may be something else to play, until it returns false. Returns at once if that cannot be known.
    fn watch(&self, tell: &mut dyn FnMut(ContentChange) -> bool);

    /// The saved matches, the newest first.
    fn saves(&self, locale: &Locale) -> Vec<SaveCard>;

    /// The folder of saved matches; none if matches cannot be saved by name.
    fn saves_folder(&self) -> Option<PathBuf>;

    /// The name that is proposed for saving a match for the first time, without folder and ending.
    fn save_name(&self, ruleset: &str, scenario: &str) -> String;

    /// The ending of the files of saved matches: `.save.xml`.
    fn save_ending(&self) -> &'static str;

    /// Waits until what is written in the background is on disk, at most for some time.
    fn settle(&self, most: Duration);

    /// Deletes a saved match with its earlier versions.
    ///
    /// # Errors
    /// Why it could not be deleted.
    fn delete_save(&self, file: &Path) -> Result<(), String>;

    /// Lets a match that was cut off be a saved match like any other: it is not offered again.
    fn forget_cut_off(&self, file: &Path);

    /// Begins a match. `wake` is to be called whenever something arrives on the link.
    ///
    /// # Errors
    /// What is wrong with the rules, the scenario or the choice.
    fn begin(&self, choice: &MatchChoice, wake: Wake) -> Result<OpenedMatch, Vec<Diagnostic>>;

    /// Begins the match of a ruleset's tutorial, with the tutorial.
    ///
    /// # Errors
    /// What is wrong with the rules or the tutorial.
    fn learn(&self, ruleset: &str, wake: Wake) -> Result<OpenedMatch, Vec<Diagnostic>>;

    /// Takes up a saved match.
    ///
    /// # Errors
    /// What is wrong with the file.
    fn resume(&self, file: &Path, wake: Wake) -> Result<OpenedMatch, Vec<Diagnostic>>;

    /// Resumes the autosave of a match that was just left as a match of another ruleset: a copy of the one by which it was played.
    ///
    /// # Errors
    /// What is wrong with the file.
    fn resume_as(&self, autosave: &Path, ruleset: &str, wake: Wake) -> Result<OpenedMatch, Vec<Diagnostic>>;

    /// The rule book of a ruleset, as far as its files can be read.
    fn rule_book(&self, ruleset: &str, locale: &Locale) -> BookContent;

    /// The files of a ruleset that can be edited: its own, those of what it builds on, and the scripts they share.
    fn sources(&self, ruleset: &str) -> Vec<SourceFile>;

    /// Reads a file of a ruleset.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn read_source(&self, file: &SourceFile, locale: &Locale) -> Result<String, String>;

    /// Writes a file of a ruleset, whole or not at all.
    ///
    /// # Errors
    /// Why it was not written.
    fn write_source(&self, file: &SourceFile, text: &str, locale: &Locale) -> Result<(), String>;

    /// Copies a ruleset with its maps into the content of the user, under a title, and returns the id of the copy.
    ///
    /// # Errors
    /// Why it was not copied.
    fn copy_ruleset(&self, ruleset: &str, title: &str, locale: &Locale) -> Result<String, String>;

    /// Opens a file in the editor of the system.
    ///
    /// # Errors
    /// Why that cannot be done.
    fn open_elsewhere(&self, file: &SourceFile) -> Result<(), String>;
}

/// A rule book.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BookContent {
    /// The id of the ruleset.
    pub ruleset: String,
    /// The files it was made of.
    pub fingerprint: Option<Fingerprint>,
    /// Its pages.
    pub pages: Vec<HelpPage>,
    /// The rules as the scripts say them, by number.
    pub rules: Vec<RuleText>,
    /// The pictures: SVG by file name.
    pub art: BTreeMap<String, String>,
}

/// A file of a ruleset.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceFile {
    /// What diagnostics call it: `rulesets/race/rules.rhai`.
    pub place: String,
    /// Where it is.
    pub path: PathBuf,
    /// Whether it came with the program and stays as it is.
    pub is_bundled: bool,
}

impl SourceFile {
    /// The id of the ruleset to which it belongs; none for what rulesets share.
    pub fn ruleset(&self) -> Option<&str> {
        self.place.strip_prefix("rulesets/")?.split('/').next()
    }

    /// Whether it is a script.
    pub fn is_script(&self) -> bool {
        self.place.ends_with(".rhai")
    }
}

/// What was seen while looking through the content.
#[derive(Clone, Debug)]
pub enum ContentUpdate {
    /// Everything, as far as it can be told without reading rules.
    RulesetIndex(RulesetIndex),
    /// A ruleset that has been looked through.
    Card(Box<RulesetCard>),
}

/// Something changed in the content, or a while has gone by without a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentChange {
    /// Files have changed.
    Files,
    /// Nothing; it is only asked whether anyone still listens.
    Nothing,
}

/// A match that was begun or taken up.
pub struct OpenedMatch {
    /// The way to it.
    pub link: Box<dyn Link>,
    /// The file it was saved in by name.
    pub file: Option<PathBuf>,
    /// The file of its autosave.
    pub autosave: Option<PathBuf>,
    /// The tutorial that it is played for.
    pub tutorial: Option<Tutorial>,
}

impl std::fmt::Debug for OpenedMatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "OpenedMatch({:?})", self.file)
    }
}

/// A tutorial, ready to be led: its actions have been tried.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tutorial {
    /// The seat of the player who learns.
    pub seat: SeatId,
    /// The steps, in order.
    pub steps: Vec<TutorialStep>,
}

/// A step of a tutorial.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TutorialStep {
    /// What the player reads, in the language of the ruleset.
    pub text: String,
    /// The cells that are pointed out.
    pub cells: Vec<CellId>,
    /// What happens, in order.
    pub tasks: Vec<TutorialTask>,
}

/// What happens in a step of a tutorial.
#[derive(Clone, Debug, PartialEq)]
pub struct TutorialTask {
    /// What.
    pub kind: TutorialTaskKind,
    /// How many events have been applied at least when it is done.
    pub after: usize,
}

/// What a task of a tutorial is.
#[derive(Clone, Debug, PartialEq)]
pub enum TutorialTaskKind {
    /// An edit of the position, as an edit command.
    Edit(String),
    /// The player is to play an action.
    Play(Action),
    /// The player is to play any action.
    PlayAny,
    /// Somebody else plays an action.
    Answer(Action),
}

/// Everything there is to play.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RulesetIndex {
    /// The rulesets, by title; mods follow what they build on.
    pub rulesets: Vec<RulesetCard>,
    /// What is wrong outside of them.
    pub problems: Vec<Diagnostic>,
}

impl RulesetIndex {
    /// The ruleset of an id.
    pub fn find(&self, id: &str) -> Option<&RulesetCard> {
        self.rulesets.iter().find(|card| card.id == id)
    }

    /// Puts a card in the place of the one with its id.
    pub fn put(&mut self, card: RulesetCard) {
        if let Some(slot) = self.rulesets.iter_mut().find(|known| known.id == card.id) {
            *slot = card;
        }
    }
}

/// A ruleset as the launcher shows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RulesetCard {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What it is, in a few sentences.
    pub line: String,
    /// The title of the ruleset it is laid over, for mods.
    pub builds_on: Option<String>,
    /// Well-known games that play alike.
    pub plays_like: Vec<String>,
    /// Its picture, as SVG.
    pub picture: Option<Arc<str>>,
    /// How many may take part; none if the manifest cannot be read.
    pub seat_range: Option<SeatRange>,
    /// About how long a match takes.
    pub minutes: Option<u32>,
    /// Whether its rules have been read. Until then there are no seats, options and scenarios.
    pub is_read: bool,
    /// Its seats.
    pub seats: Vec<SeatDeclaration>,
    /// What may be set before a match.
    pub options: Vec<OptionDeclaration>,
    /// The scenarios that can be begun: the default one, then those with fewer seats before those with more.
    pub scenarios: Vec<ScenarioCard>,
    /// Names of its own strategies, which may sit at seats like other computer players.
    pub strategies: Vec<String>,
    /// Whether it has a tutorial.
    pub has_tutorial: bool,
    /// What is wrong with it.
    pub problems: Vec<Diagnostic>,
    /// What its texts become in the language of the window.
    pub localizer: Localizer,
}

impl RulesetCard {
    /// The seats of one of its scenarios.
    pub fn seats_of<'a>(&'a self, scenario: Option<&'a ScenarioCard>) -> &'a [SeatDeclaration] {
        scenario
            .map(|scenario| scenario.seats.as_slice())
            .filter(|seats| !seats.is_empty())
            .unwrap_or(&self.seats)
    }

    /// Whether a match can be begun.
    pub fn is_playable(&self) -> bool {
        !self.scenarios.is_empty()
    }

    /// How many errors were found.
    pub fn errors(&self) -> usize {
        self.problems.iter().filter(|problem| problem.severity == Severity::Error).count()
    }
}

/// A scenario as the launcher shows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScenarioCard {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What it is about.
    pub line: String,
    /// Its board as play begins, as SVG.
    pub picture: Option<Arc<str>>,
    /// Its seats; empty if they are those of the ruleset.
    pub seats: Vec<SeatDeclaration>,
    /// The default player of each seat, by the name of the seat.
    pub players: Vec<(String, String)>,
    /// The values of the options, in the order of their declarations.
    pub options: Vec<Value>,
}

/// A saved match as lists show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaveCard {
    /// Its file.
    pub file: PathBuf,
    /// The name of its file without folder and ending.
    pub name: String,
    /// When it was saved.
    pub saved: Option<SystemTime>,
    /// Whether the program wrote it by itself.
    pub is_autosave: bool,
    /// Whether the program was killed while the match was running.
    pub was_cut_off: bool,
    /// What is in it, or why it cannot be opened.
    pub content: Result<SavedContent, Box<Diagnostic>>,
}

impl SaveCard {
    /// Whether it can be opened and has not ended.
    pub fn can_go_on(&self) -> bool {
        self.content.as_ref().is_ok_and(|content| !content.is_finished)
    }

    /// Whether it can be opened and has ended.
    pub fn is_finished(&self) -> bool {
        self.content.as_ref().is_ok_and(|content| content.is_finished)
    }
}

/// What is in a saved match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedContent {
    /// The id of the ruleset.
    pub ruleset: String,
    /// The title of the ruleset; its id if it is not there.
    pub title: String,
    /// The title of the scenario.
    pub scenario: String,
    /// Who sat where: the name of the seat and a player.
    pub players: Vec<(String, String)>,
    /// How many actions stand.
    pub actions: usize,
    /// Whether the match has ended.
    pub is_finished: bool,
}
