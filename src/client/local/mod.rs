//! A match in this process: a scenario of a catalogue is opened, its rules are compiled, and a session runs it.

mod book;
mod inspect;
mod keeper;
mod languages;
mod players;
mod saves;
mod stamp;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::thread;
use std::time::{Duration, Instant};

use book::files;
pub use book::{RuleBook, help_pages, pictures, read_book, rule_texts, translations};
pub use inspect::{InspectedScenario, Inspection, check_beginning, inspect, untranslated};
pub use keeper::{COPIES, copy_file, cut_off_copies, forget_copy, is_copy, is_running, settle_copies};
pub use saves::{SavedMatch, default_file, saves_folder};

use super::link::{LocalLink, Wake};
use super::messages::Problem;
use crate::host::Policy;
use crate::io::xml::{Source, did_you_mean};
use crate::io::{Catalog, FolderWatch, MANIFEST_FILE, MAPS, Manifest, Opened, WatchSettings, read_settings, read_texts};
use crate::model::{Frame, Map, Scenario, State};
use crate::players::PlayerSpec;
use crate::rules::{RulesSource, sentence};
use crate::ruleset::{Code, Diagnostic, Diagnostics, Layer, Place, Sources};
use crate::script::{Limits, ScriptSource};
use crate::server::{About, Claim, NewRules, ReloadRules, Session, SessionCommand, SessionError, SessionHandle, SessionSetup};

/// What is to be played, as people choose it: by names.
#[derive(Clone, Debug, Default)]
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
    pub seed: Option<u64>,
    /// What is allowed beside the rules.
    pub policy: Policy,
    /// The least time between an action and the next one of a computer player.
    pub pace: Duration,
    /// Whether computer players wait at first.
    pub is_paused: bool,
    /// Whether changed files of the ruleset are put in force while the match runs.
    pub watches: bool,
    /// The folder in which the match is saved unless a file is named; without it that of the user.
    pub saves: Option<PathBuf>,
    /// The file of the automatic copy, which is written after each action; without it there is none.
    pub copy: Option<PathBuf>,
}

impl MatchChoice {
    /// Chooses whether the match is rated: then the rules stay as they are. `watches` is whether changed files are put in force otherwise.
    pub fn play_by(&mut self, is_rated: bool, watches: bool) {
        self.policy = if is_rated { Policy::RATED } else { Policy::default() };
        self.watches = watches && !is_rated;
    }
}

/// Why a match could not begin.
#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    /// Something is wrong in the files of the ruleset, the map or the scenario.
    #[error("{0}")]
    Content(Diagnostics),
    /// What was chosen does not exist or is not allowed: a seat, a player, an option.
    #[error("{0}")]
    Choice(String),
    /// The rules do not work on the board, or the system gives no thread.
    #[error(transparent)]
    Session(#[from] SessionError),
}

impl From<Diagnostics> for BeginError {
    fn from(found: Diagnostics) -> Self {
        Self::Content(found)
    }
}

/// A scenario with its rules compiled and everything chosen: ready to begin, or to be looked at without a session.
pub struct Prepared {
    /// The files.
    pub opened: Opened,
    /// The rules.
    pub source: Arc<ScriptSource>,
    /// The state before the match begins.
    pub start: State,
    /// Who plays each seat.
    pub players: Vec<PlayerSpec>,
}

impl std::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Prepared({}/{})", self.opened.ruleset.id, self.opened.scenario.scenario.id)
    }
}

impl Prepared {
    /// What clients are told about the match.
    pub fn about(&self) -> About {
        let opened = &self.opened;
        let (id, title) = (&opened.ruleset.id, opened.ruleset.title());
        about(id, title, &opened.scenario.scenario, &opened.map.map, &self.source)
    }
}

/// Opens a scenario, compiles its rules, and applies what was chosen.
///
/// # Errors
/// Everything that is wrong in the files, or the first choice that is not possible.
pub fn prepare(catalog: &Catalog, choice: &MatchChoice) -> Result<Prepared, BeginError> {
    prepare_with(catalog, choice, None)
}

/// The same with rules that may have been compiled already: they are used if their sources are those of the scenario.
fn prepare_with(catalog: &Catalog, choice: &MatchChoice, compiled: Option<&Arc<ScriptSource>>) -> Result<Prepared, BeginError> {
    let opened = catalog.open(&choice.ruleset, choice.scenario.as_deref())?;
    let source = match compiled.filter(|compiled| **compiled.sources() == opened.sources) {
        Some(compiled) => Arc::clone(compiled),
        None => Arc::new(sound(&opened.sources)?),
    };
    let frame = RulesSource::frame(&*source);
    let mut setup = opened.scenario.scenario.setup.clone();
    for (name, value) in &choice.options {
        check_option(frame, name, value)?;
        // Replaced where it stands, so that faults of the scenario keep their positions.
        match setup.options.iter_mut().find(|(known, _)| known == name) {
            Some(slot) => slot.1.clone_from(value),
            None => setup.options.push((name.clone(), value.clone())),
        }
    }
    let start = setup
        .build(&opened.board, frame)
        .map_err(|faults| faults.iter().map(|fault| opened.diagnostic(fault)).collect::<Diagnostics>())?;
    let declared = RulesSource::frame(&*source);
    let mut players = players::of_scenario(declared, start.frame(), &opened)?;
    players::choose(&mut players, declared, start.frame(), &opened.sources, &choice.players)?;
    Ok(Prepared {
        opened,
        source,
        start,
        players,
    })
}

fn check_option(frame: &Frame, name: &str, value: &str) -> Result<(), BeginError> {
    let Some(option) = frame.find_option(name).and_then(|index| frame.options.get(index)) else {
        let names = || frame.options.iter().map(|option| &*option.name);
        let help = did_you_mean(name, names()).unwrap_or_else(|| match names().collect::<Vec<_>>().join(", ") {
            none if none.is_empty() => "the ruleset has none".to_owned(),
            names => format!("there are: {names}"),
        });
        return Err(BeginError::Choice(format!("there is no option `{name}`: {help}")));
    };
    match option.value_type.parse(value) {
        Ok(_) => Ok(()),
        Err(error) => Err(BeginError::Choice(format!("option {name}: {error}"))),
    }
}

/// A match that runs in this process.
#[derive(Debug)]
pub struct LocalMatch {
    session: SessionHandle,
}

impl LocalMatch {
    /// Begins a match.
    ///
    /// # Errors
    /// If something is wrong with the files, the choice, or the rules on this board.
    pub fn begin(catalog: &Catalog, choice: &MatchChoice) -> Result<Self, BeginError> {
        let prepared = prepare(catalog, choice)?;
        let folders = prepared.opened.folders.clone();
        let session = Session::spawn(setup(catalog, choice, prepared))?;
        if choice.watches {
            watch(&folders, &session);
        }
        Ok(Self { session })
    }

    /// Takes up a saved match with the rules it was played with. Of the choice count players, pace, pause and watching; the
    /// current rules of the catalogue come into force when a client asks for a reload, or when their files change.
    ///
    /// # Errors
    /// If a chosen player is not possible, or the journal does not fit.
    pub fn take_up(catalog: &Catalog, saved: SavedMatch, choice: &MatchChoice) -> Result<Self, BeginError> {
        let SavedMatch {
            save,
            start,
            source,
            sources,
        } = saved;
        let mut players = players::of_save(start.frame(), &save.players)?;
        players::choose(
            &mut players,
            RulesSource::frame(&*source),
            start.frame(),
            source.sources(),
            &choice.players,
        )?;
        let title = catalog.ruleset(&save.ruleset).map_or(save.ruleset.as_str(), |entry| entry.title());
        let about = about(&save.ruleset, title, &save.scenario, &save.map, &source);
        let kept = saves::Kept::default();
        kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner).extend(save.rules);
        let folders = catalog.folders_of(&save.ruleset);
        let setup = SessionSetup {
            journal: Some(save.journal),
            earlier: sources,
            policy: save.policy,
            players,
            problems: problems(source.findings()),
            pace: choice.pace,
            is_paused: choice.is_paused,
            save: Some(saves::saver(save.scenario.clone(), saves::Kept::clone(&kept), choice.saves.clone())),
            keep: choice
                .copy
                .clone()
                .map(|copy| keeper::keep(copy, save.scenario.clone(), saves::Kept::clone(&kept))),
            reload: Some(reload(
                catalog.clone(),
                about.clone(),
                save.scenario,
                Sources::clone(source.sources()),
                kept,
            )),
            ..SessionSetup::new(source, start, about, save.seed)
        };
        let session = Session::spawn(setup)?;
        if choice.watches {
            watch(&folders, &session);
        }
        Ok(Self { session })
    }

    /// The session.
    pub fn session(&self) -> &SessionHandle {
        &self.session
    }

    /// A client at this screen: it holds the seats of all people and steers the match.
    pub fn connect(&self, wake: Option<Wake>) -> LocalLink {
        LocalLink::join(&self.session, Claim::AllPeople, true, wake)
    }
}

/// The setup of a session from what was prepared.
fn setup(catalog: &Catalog, choice: &MatchChoice, prepared: Prepared) -> SessionSetup {
    let about = prepared.about();
    let Prepared {
        opened,
        source,
        start,
        players,
    } = prepared;
    let seed = choice.seed.unwrap_or_else(any_seed);
    let scenario = opened.scenario.scenario;
    let kept = saves::Kept::default();
    saves::keep(&kept, &source);
    SessionSetup {
        policy: choice.policy,
        players,
        problems: problems(source.findings()),
        pace: choice.pace,
        is_paused: choice.is_paused,
        save: Some(saves::saver(scenario.clone(), saves::Kept::clone(&kept), choice.saves.clone())),
        keep: choice
            .copy
            .clone()
            .map(|copy| keeper::keep(copy, scenario.clone(), saves::Kept::clone(&kept))),
        reload: Some(reload(catalog.clone(), about.clone(), scenario, opened.sources, kept)),
        ..SessionSetup::new(source, start, about, seed)
    }
}

/// A seed nobody can tell: what the system gives new hash maps.
fn any_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    RandomState::new().build_hasher().finish() >> 32
}

fn about(ruleset: &str, title: &str, scenario: &Scenario, map: &Map, source: &ScriptSource) -> About {
    About {
        ruleset: ruleset.to_owned(),
        title: title.to_owned(),
        scenario: scenario.id.clone(),
        scenario_title: scenario.title.clone(),
        map: map.clone(),
        help: help_pages(source.sources()),
        rules: rule_texts(source),
        strategies: source.strategies(),
        art: pictures(source.sources()),
        languages: translations(source.sources()),
    }
}

/// Diagnostics as clients are sent them.
pub fn problems(found: &Diagnostics) -> Vec<Problem> {
    found.iter().map(problem).collect()
}

fn problem(found: &Diagnostic) -> Problem {
    let place = found.place.as_ref();
    Problem {
        severity: found.severity.to_string(),
        code: found.code.to_string(),
        message: found.message.clone(),
        file: place.map(|place| place.file.clone()).unwrap_or_default(),
        line: place.map_or(0, |place| place.line),
        column: place.map_or(0, |place| place.column),
        source_line: place.and_then(|place| place.source_line.clone()),
        help: found.help.clone(),
    }
}

/// Compiles rules, with what the parameters of their strategies stand at.
pub(super) fn compiled(sources: Sources) -> Result<ScriptSource, Diagnostics> {
    let settings = read_settings(&sources)?;
    Ok(ScriptSource::new(Arc::new(sources), Limits::default())?.with_settings(settings))
}

/// Compiles rules that are to come into force. What is found to be wrong in them without running them counts as well: a word that
/// does not exist in a rule that is seldom called would stop the match later.
fn sound(sources: &Sources) -> Result<ScriptSource, Diagnostics> {
    let source = compiled(sources.clone())?;
    if source.findings().has_errors() {
        return Err(source.findings().clone());
    }
    Ok(source)
}

/// Reads the rules of a match again from their files. A scenario that is not in the catalogue keeps its overlay.
fn reload(catalog: Catalog, about: About, scenario: Scenario, mut known: Sources, kept: saves::Kept) -> ReloadRules {
    Box::new(move || {
        let told = |found: Diagnostics| problems(&found);
        let is_there = catalog.scenarios(&about.ruleset).contains_key(scenario.id.as_str());
        let overlay = if is_there {
            catalog.scenario(&about.ruleset, &scenario.id).map_err(told)?.scenario.overlay
        } else {
            scenario.overlay.clone()
        };
        let overlay = overlay.map(|(file, text)| Layer::new(format!("{MAPS}/{}", scenario.ruleset)).with(file, text));
        let sources = catalog.sources(&about.ruleset, overlay).map_err(told)?;
        let documents: Diagnostics = manifest_faults(&sources).into_iter().chain(read_texts(&sources).1).collect();
        if documents.has_errors() {
            return Err(told(documents));
        }
        let changes = changes(&known, &sources);
        let source = sound(&sources).map_err(|found| told(found.into_iter().chain(gone(&known, &sources)).collect()))?;
        saves::keep(&kept, &source);
        let about = About {
            help: help_pages(&sources),
            rules: rule_texts(&source),
            strategies: source.strategies(),
            art: pictures(&sources),
            languages: translations(&sources),
            ..about.clone()
        };
        known = sources;
        Ok(NewRules {
            problems: problems(&source.findings().iter().cloned().chain(source.check_strategies()).collect()),
            source: Arc::new(source),
            changes,
            about: Some(about),
        })
    })
}

/// What is wrong with the manifests among the sources. They take no part in a match, but nobody could begin the next one.
fn manifest_faults(sources: &Sources) -> Diagnostics {
    let layers = sources.layers.iter();
    let manifests = layers.filter_map(|layer| Some((layer.place_of(MANIFEST_FILE), layer.files.get(MANIFEST_FILE)?)));
    let found = manifests.filter_map(|(place, text)| Manifest::read(&Source::new(place, text)).err());
    found.flatten().collect()
}

/// The texts of all files, by their places.
fn texts(sources: &Sources) -> BTreeMap<String, Arc<str>> {
    let layers = sources.layers.iter().chain([&sources.library]);
    let files = layers.flat_map(|layer| layer.files.iter().map(|(path, text)| (layer.place_of(path), Arc::clone(text))));
    files.collect()
}

/// The files that are there no more: where something is missing it may have stood in them.
fn gone(old: &Sources, new: &Sources) -> Diagnostics {
    let new = texts(new);
    let files = texts(old).into_keys().filter(|path| !new.contains_key(path));
    files
        .map(|path| Diagnostic::note(Code::File, "the file is gone, and with it what stood in it").at(Place::file(path)))
        .collect()
}

/// The files that were added, changed or removed.
fn changes(old: &Sources, new: &Sources) -> Vec<String> {
    let (old, new) = (texts(old), texts(new));
    let changed = new.iter().filter_map(|(path, text)| match old.get(path) {
        None => Some(String::from(sentence!("{file} is new", file = path))),
        Some(before) if before != text => Some(String::from(sentence!("{file} changed", file = path))),
        Some(_) => None,
    });
    let removed = old.keys().filter(|path| !new.contains_key(*path));
    changed
        .chain(removed.map(|path| String::from(sentence!("{file} is gone", file = path))))
        .collect()
}

/// Reloads whenever files change, until the session has ended.
fn watch(folders: &[PathBuf], session: &SessionHandle) {
    const LOOK: Duration = Duration::from_millis(500);
    let watch = match FolderWatch::new(folders, WatchSettings::default()) {
        Ok(watch) => watch,
        Err(error) => {
            tracing::warn!("{error}");
            return;
        }
    };
    let session = session.clone();
    let watching = thread::Builder::new().name("reload".to_owned()).spawn(move || {
        while session.is_running() {
            match watch.changes().recv_timeout(LOOK) {
                Ok(_) => drop(session.command(SessionCommand::Reload { noticed: Instant::now() })),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    });
    if let Err(error) = watching {
        tracing::warn!("changes of files are not watched: {error}");
    }
}
