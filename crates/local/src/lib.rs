//! Matches in this process: a scenario of a catalogue is opened, its rules are compiled, and a session runs it.
//!
//! This is where files meet a running match: [`prepare`] and [`LocalMatch`] begin and resume matches, `saves` writes and opens them, `autosave` saves
//! them after each change, `reload` reads changed rules again, `inspection` checks a ruleset before it is played, `rule_book` and
//! `translations` read what a ruleset tells people.
//!
//! A match is played through messages alone, as from afar: [`LocalMatch::connect`] gives a link. It names no window.

mod autosave;
mod compiled_rules;
mod content_library;
mod crash_log;
mod in_process;
mod inspection;
mod players;
mod references;
mod rehearsal;
mod reload;
mod rule_book;
mod saves;
mod scenario_export;
mod stored;
mod translations;
mod tutorial;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

pub use autosave::{AUTOSAVES, autosave_file, finish_autosaves, forget_autosave, interrupted_autosaves, is_autosave, is_running};
pub use compiled_rules::CompiledRules;
pub use content_library::{ContentLibrary, DrawBoard};
pub use crash_log::{CRASH_LOG, log_panics, unseen_crashes};
pub use in_process::LocalLink;
pub use inspection::{InspectedScenario, Inspection, check_beginning, check_player, check_start, examine, inspect, untranslated};
use rule_book::files;
pub use rule_book::{help_pages, pictures, read_book, rule_texts, translations};
use saves::SourceArchive;
pub use saves::{Checks, SavedMatch, default_file, save_of, saves_folder};
pub use scenario_export::scenario_of;
pub use stored::{StoreChange, StoreRules, StoredChange, StoredMatch, StoredSession, head_of, served_seats};
pub use tutorial::{check_tutorial, tutorial};

use boardwright_client::{MatchChoice, Wake};
use boardwright_content::xml::did_you_mean;
use boardwright_content::{Catalog, LoadedScenario, read_settings};
use boardwright_model::diagnostic::Diagnostics;
use boardwright_model::{Declarations, Fingerprint, Map, Policy, Scenario, Seed, State, UndoPolicy};
use boardwright_players::PlayerSpec;
use boardwright_rules::RulesSource;
use boardwright_ruleset::Sources;
use boardwright_script::{Limits, Program, ScriptSource, line_completions};
use boardwright_server::{Claim, MatchInfo, RulesetInfo, Session, SessionError, SessionHandle, SessionSetup};

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
    pub opened: LoadedScenario,
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
    /// What is allowed where nothing else was chosen: undo ends at what fog has shown.
    pub(crate) fn policy(&self) -> Policy {
        let undo = if self.start.declarations().has_fog {
            UndoPolicy::OwnTurn
        } else {
            UndoPolicy::Free
        };
        Policy { undo, ..Policy::default() }
    }

    /// What clients are told of the match.
    pub fn info(&self) -> MatchInfo {
        self.info_with(Arc::new(ruleset_info_of(&self.source)))
    }

    fn info_with(&self, ruleset_info: Arc<RulesetInfo>) -> MatchInfo {
        let opened = &self.opened;
        let (id, title) = (&opened.ruleset.id, opened.ruleset.title());
        info(id, title, &opened.scenario.scenario, &opened.map.map, ruleset_info)
    }
}

/// What a ruleset declares.
///
/// # Errors
/// Everything that is wrong in its files.
pub fn declarations(catalog: &Catalog, ruleset: &str) -> Result<Declarations, Diagnostics> {
    Ok(Declarations::clone(RulesSource::declarations(&rules_of(catalog, ruleset)?)))
}

/// Compiles the rules of a ruleset.
///
/// # Errors
/// Everything that is wrong in its files.
pub fn rules_of(catalog: &Catalog, ruleset: &str) -> Result<ScriptSource, Diagnostics> {
    ScriptSource::new(Arc::new(catalog.sources(ruleset, None)?), Limits::default())
}

/// Opens a scenario, compiles its rules, and applies what was chosen.
///
/// # Errors
/// Everything that is wrong in the files, or the first choice that is not possible.
pub fn prepare(catalog: &Catalog, choice: &MatchChoice) -> Result<Prepared, BeginError> {
    prepare_with(catalog, choice, &CompiledRules::default())
}

/// The same for a match that a server runs for others: none of its players is a program, whoever chose it and wherever it stands.
///
/// # Errors
/// Those of [`prepare`], and a player that is a program.
pub fn prepare_served(catalog: &Catalog, choice: &MatchChoice, compiled: &CompiledRules) -> Result<Prepared, BeginError> {
    let prepared = prepare_with(catalog, choice, compiled)?;
    players::check_served(&prepared.players)?;
    Ok(prepared)
}

/// The same with rules that may have been compiled already.
fn prepare_with(catalog: &Catalog, choice: &MatchChoice, compiled: &CompiledRules) -> Result<Prepared, BeginError> {
    let mut opened = catalog.open(&choice.ruleset, choice.scenario.as_deref())?;
    // The program is of no use here: it cannot go to the thread of the match, which compiles the sources once more.
    let source = compiled.get(&opened.sources, || sound(&opened.sources).map(|(source, _)| source))?;
    // Matches that share their rules share the texts as well.
    opened.sources.clone_from(source.sources());
    let declarations = RulesSource::declarations(&*source);
    let mut setup = opened.scenario.scenario.setup.clone();
    for (name, value) in &choice.options {
        check_option(declarations, name, value)?;
        // Replaced where it stands, so that faults of the scenario keep their positions.
        match setup.options.iter_mut().find(|(known, _)| known == name) {
            Some(slot) => slot.1.clone_from(value),
            None => setup.options.push((name.clone(), value.clone())),
        }
    }
    let start = setup
        .build(&opened.board, declarations)
        .map_err(|faults| faults.iter().map(|fault| opened.diagnostic(fault)).collect::<Diagnostics>())?;
    let mut players = players::of_scenario(declarations, start.declarations(), &opened)?;
    players::choose(&mut players, declarations, start.declarations(), &opened.sources, &choice.players)?;
    Ok(Prepared {
        opened,
        source,
        start,
        players,
    })
}

fn check_option(declarations: &Declarations, name: &str, value: &str) -> Result<(), BeginError> {
    let Some(option) = declarations.find_option(name).and_then(|index| declarations.options.get(index)) else {
        let names = || declarations.options.iter().map(|option| &*option.name);
        let help = did_you_mean(name, names()).unwrap_or_else(|| match names().collect::<Vec<_>>().join(", ") {
            none if none.is_empty() => "the ruleset has none".to_owned(),
            names => format!("there are: {names}"),
        });
        return Err(BeginError::Choice(format!("there is no option `{name}`: {help}")));
    };
    let parsed = option.value_type.parse(value);
    parsed
        .map(drop)
        .map_err(|error| BeginError::Choice(format!("option {name}: {error}")))
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
        let info = prepared.info();
        let policy = choice.policy.unwrap_or_else(|| prepared.policy());
        let Prepared { opened, source, .. } = prepared;
        let rules = BTreeMap::from([(RulesSource::fingerprint(&*source), opened.sources)]);
        let setup = SessionSetup {
            policy,
            players: prepared.players,
            ..SessionSetup::new(
                Arc::clone(&source) as Arc<dyn RulesSource>,
                prepared.start,
                info,
                choice.seed.unwrap_or_else(any_seed),
            )
        };
        Self::spawn(catalog, choice, setup, opened.scenario.scenario, &source, rules, &opened.folders)
    }

    /// Resumes a saved match with the rules it was played with. Of the choice count players, pace, pause and watching; the
    /// current rules of the catalogue come into force when a client asks for a reload, or when their files change.
    ///
    /// # Errors
    /// If a chosen player is not possible, or the journal does not fit.
    pub fn resume(catalog: &Catalog, saved: SavedMatch, choice: &MatchChoice) -> Result<Self, BeginError> {
        let SavedMatch {
            save,
            start,
            source,
            sources,
        } = saved;
        let mut players = players::of_save(start.declarations(), &save.players)?;
        let declared = RulesSource::declarations(&*source);
        players::choose(&mut players, declared, start.declarations(), source.sources(), &choice.players)?;
        let title = catalog.ruleset(&save.ruleset).map_or(save.ruleset.as_str(), |entry| entry.title());
        let info = info(&save.ruleset, title, &save.scenario, &save.map, Arc::new(ruleset_info_of(&source)));
        let setup = SessionSetup {
            journal: Some(save.journal),
            earlier: sources,
            policy: save.policy,
            players,
            ..SessionSetup::new(Arc::clone(&source) as Arc<dyn RulesSource>, start, info, save.seed)
        };
        let folders = catalog.folders_of(&save.ruleset);
        Self::spawn(catalog, choice, setup, save.scenario, &source, save.rules, &folders)
    }

    /// Starts the session of a match that is saved to files and whose rules are read again from `folders`.
    fn spawn(
        catalog: &Catalog,
        choice: &MatchChoice,
        setup: SessionSetup,
        scenario: Scenario,
        source: &ScriptSource,
        rules: BTreeMap<Fingerprint, Sources>,
        folders: &[PathBuf],
    ) -> Result<Self, BeginError> {
        let archive: SourceArchive = Arc::new(Mutex::new(rules));
        let autosave = |file| autosave::autosave(file, scenario.clone(), SourceArchive::clone(&archive));
        let autosave = choice.autosave.clone().map(autosave);
        let save = saves::saver(scenario.clone(), SourceArchive::clone(&archive), choice.saves.clone());
        let export = scenario_export::exporter(
            scenario.clone(),
            choice.saves.as_ref().and_then(|saves| Some(saves.parent()?.to_path_buf())),
            choice.export.clone(),
        );
        let reload = reload::reload(catalog.clone(), setup.info.clone(), scenario, &setup.start, archive);
        let session = Session::spawn(SessionSetup {
            problems: source.findings().clone().into(),
            pace: choice.pace,
            is_paused: choice.is_paused,
            save: Some(save),
            autosave,
            export: Some(export),
            reload: Some(reload),
            ..setup
        })?;
        if choice.watches {
            reload::watch(folders, &session);
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

/// A seed that nobody can tell.
fn any_seed() -> Seed {
    Seed::Secret(rand::random())
}

fn info(ruleset: &str, title: &str, scenario: &Scenario, map: &Map, ruleset_info: Arc<RulesetInfo>) -> MatchInfo {
    MatchInfo {
        ruleset: ruleset.to_owned(),
        title: title.to_owned(),
        scenario: scenario.id.clone(),
        scenario_title: scenario.title.clone(),
        ruleset_info,
        ..MatchInfo::of_map(map.clone())
    }
}

/// What the sources of rules tell people.
pub(crate) fn ruleset_info_of(source: &ScriptSource) -> RulesetInfo {
    let sources = source.sources();
    RulesetInfo {
        help: help_pages(sources),
        rules: rule_texts(source),
        strategies: source.strategies(),
        advisor: players::advisor(sources),
        art: pictures(sources),
        languages: translations(sources),
        script_words: line_completions().clone(),
    }
}

/// Compiles rules, with what the parameters of their strategies stand at.
pub(crate) fn compiled(sources: Sources) -> Result<ScriptSource, Diagnostics> {
    compiled_program(sources).map(|(source, _)| source)
}

/// Compiles rules that came from elsewhere, in the same sandbox as one's own.
///
/// # Errors
/// What is wrong with them.
pub fn compile_rules(sources: Sources) -> Result<Arc<dyn RulesSource>, Diagnostics> {
    Ok(Arc::new(compiled(sources)?))
}

/// The same with the program, of which rules can be made on this thread.
fn compiled_program(sources: Sources) -> Result<(ScriptSource, Program), Diagnostics> {
    let settings = read_settings(&sources)?;
    let (source, program) = ScriptSource::compile(Arc::new(sources), Limits::default())?;
    Ok((source.with_settings(settings), program))
}

/// Compiles rules that are to come into force. What is found to be wrong in them without running them counts as well: a word that
/// does not exist in a rule that is seldom called would stop the match later.
fn sound(sources: &Sources) -> Result<(ScriptSource, Program), Diagnostics> {
    let (source, program) = compiled_program(sources.clone())?;
    if source.findings().has_errors() {
        return Err(source.findings().clone());
    }
    Ok((source, program))
}
