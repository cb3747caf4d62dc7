//! Saving matches of this process, and opening saved ones.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::CompiledRules;
use crate::autosave::bring_up_to_date;
use boardwright_content::{BACKUPS, RULESETS, SAVE_ENDING, Save, Version, read_settings, user_content};
use boardwright_host::Verified;
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use boardwright_model::{Board, Effect, Fingerprint, LuckNumber, LuckTerms, Scenario, Sentence, State, sentence};
use boardwright_rules::{Generator, RulesSource};
use boardwright_ruleset::Sources;
use boardwright_script::{Limits, ScriptSource};
use boardwright_server::{NotSaved, Record, SaveMatch};

/// The sources of all rules a match was played under, by fingerprint.
pub(super) type SourceArchive = Arc<Mutex<BTreeMap<Fingerprint, Sources>>>;

pub(super) fn add_to(archive: &SourceArchive, source: &ScriptSource) {
    let mut archive = archive.lock().unwrap_or_else(PoisonError::into_inner);
    archive.insert(RulesSource::fingerprint(source), Sources::clone(source.sources()));
}

/// The sources of rules, if the match was played under them.
pub(super) fn sources_of(archive: &SourceArchive, fingerprint: &Fingerprint) -> Option<Sources> {
    archive.lock().unwrap_or_else(PoisonError::into_inner).get(fingerprint).cloned()
}

/// The folder in which matches are saved unless a file is named.
pub fn saves_folder() -> PathBuf {
    user_content().map_or_else(|| PathBuf::from("."), |folder| folder.join("saves"))
}

/// The name of a file for a match that is saved now and was given none.
pub fn default_file(ruleset: &str, scenario: &str) -> String {
    format!("{}{SAVE_ENDING}", file_stem(ruleset, scenario))
}

/// The same without its ending.
pub(super) fn file_stem(ruleset: &str, scenario: &str) -> String {
    format!("{ruleset}-{scenario}-{}", timestamp("%Y-%m-%d-%H%M%S"))
}

/// The time as text, in UTC, so that files sort the same everywhere.
pub(super) fn timestamp(format: &str) -> String {
    jiff::Timestamp::now().strftime(format).to_string()
}

pub(super) fn saver(scenario: Scenario, archive: SourceArchive, folder: Option<PathBuf>) -> SaveMatch {
    Box::new(move |record| {
        let default_name = || default_file(&record.info.ruleset, &record.info.scenario);
        let path = match record.file {
            None => folder.clone().unwrap_or_else(saves_folder).join(default_name()),
            Some(file) if file.trim().is_empty() || file.ends_with(std::path::is_separator) => {
                return Err(sentence!("{file:?} names no file").into());
            }
            Some("-") => return Err(sentence!("`-` names no file: a match is saved to a file of its own").into()),
            Some(file) => match Path::new(file) {
                path if path.extension().is_some() => path.to_path_buf(),
                folder if folder.is_dir() => folder.join(default_name()),
                _ => PathBuf::from(format!("{file}{SAVE_ENDING}")),
            },
        };
        // The folder for saves is made when it is needed; one that was named is there, or mistyped.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
        if let Some(folder) = folder.filter(|_| record.file.is_some()) {
            return Err(sentence!(
                "{path} is not saved: the folder {folder} is not there",
                path = path.display(),
                folder = folder.display()
            )
            .into());
        }
        if path.is_file() && !record.overwrite && !Save::is_save(&path) {
            return Err(NotSaved::WouldOverwrite(sentence!(
                "{path} is there and is no saved match",
                path = path.display()
            )));
        }
        let rules = archive.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let save = save_of(record, &scenario, &rules, Some(timestamp("%Y-%m-%d %H:%M:%S")));
        save.write(&path, BACKUPS)
            .map_err(|error| sentence!("{error}: {help}", help = error.help()))?;
        Ok(path.display().to_string())
    })
}

/// The save of a match as it stands, with those of some rules that it was played under. `saved` is when.
pub fn save_of(record: &Record<'_>, scenario: &Scenario, rules: &BTreeMap<Fingerprint, Sources>, saved: Option<String>) -> Save {
    let declarations = record.playing.state().declarations();
    let options = declarations.options.iter().zip(record.start.options().iter());
    let options = options.map(|(declared, value)| (declared.name.to_string(), value.to_string()));
    let mut scenario = scenario.clone();
    scenario.setup.options = options.collect();
    let used = record.playing.fingerprints().into_iter();
    Save {
        ruleset: record.info.ruleset.clone(),
        title: record.info.scenario_title.clone(),
        program: Version::of_program(),
        saved,
        clock: None,
        logged: None,
        map: record.info.map.clone(),
        scenario,
        players: players_of(record),
        policy: record.playing.policy(),
        generator: Generator::NAME.to_owned(),
        seed: record.playing.seed(),
        journal: record.playing.journal().clone(),
        rules: used
            .filter_map(|fingerprint| Some((fingerprint, rules.get(&fingerprint)?.clone())))
            .collect(),
    }
}

/// Who plays each seat, by name.
pub(super) fn players_of(record: &Record<'_>) -> Vec<(String, String)> {
    let seats = record.playing.state().declarations().seats.iter();
    let players = seats.zip(record.players);
    players.map(|(seat, player)| (seat.name.to_string(), player.to_string())).collect()
}

/// A saved match, opened with the rules it was played with.
pub struct SavedMatch {
    /// What the file says.
    pub save: Save,
    /// The state before the match began.
    pub start: State,
    /// The rules in force at the end.
    pub source: Arc<ScriptSource>,
    /// All rules it was played under, oldest first.
    pub(super) sources: Vec<Arc<dyn RulesSource>>,
}

impl std::fmt::Debug for SavedMatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SavedMatch({}, {} events)", self.save.title, self.save.journal.events().len())
    }
}

/// The source of the rules that were in force after an event.
fn source_of<'a>(sources: &'a [Arc<ScriptSource>], event: &boardwright_host::Event) -> Option<&'a Arc<ScriptSource>> {
    let is_wanted = |source: &&Arc<ScriptSource>| RulesSource::fingerprint(&***source) == event.fingerprint;
    sources.iter().find(is_wanted)
}

/// What verifying a match has shown, in sentences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checks {
    /// What holds.
    pub passed: Vec<String>,
    /// How the events were run again.
    pub verified: Verified,
    /// The first thing that does not hold.
    pub difference: Option<String>,
}

/// A number of things.
fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

impl SavedMatch {
    /// Opens the file of a save and compiles its rules. An autosave with a log is brought up to date before, unless its match is running.
    ///
    /// # Errors
    /// Everything that is wrong with the file, or with its rules under this version of the program.
    pub fn open(path: &Path) -> Result<Self, Diagnostics> {
        let name = path.display().to_string();
        bring_up_to_date(path);
        Self::of(Save::open(path, &name)?, &name)
    }

    pub(super) fn of(save: Save, name: &str) -> Result<Self, Diagnostics> {
        Self::with(save, name, &CompiledRules::default())
    }

    /// The same with rules that may have been compiled already.
    pub(super) fn with(save: Save, name: &str, compiled: &CompiledRules) -> Result<Self, Diagnostics> {
        let wrong = |message: Sentence| Diagnostics::from(Diagnostic::error(Code::Document, message).at(Location::file(name)));
        let board = Board::from_map(&save.map)
            .map_err(|faults| wrong(sentence!("the map of the save is damaged: {count} faults", count = faults.len())))?;
        let mut sources: Vec<Arc<ScriptSource>> = Vec::new();
        for event in save.journal.all_events() {
            if source_of(&sources, event).is_some() {
                continue;
            }
            let Some(text) = save.rules.get(&event.fingerprint) else {
                return Err(wrong(sentence!(
                    "the rules {fingerprint} of the match are not in the save",
                    fingerprint = event.fingerprint.short()
                )));
            };
            // Parameters that cannot be read cost a strategy its decisions, and not the match.
            let compile = || {
                let source = ScriptSource::new(Arc::new(text.clone()), Limits::default())?;
                Ok(source.with_settings(read_settings(text).unwrap_or_default()))
            };
            sources.push(compiled.get(text, compile)?);
        }
        let newest = save.journal.events().last().and_then(|event| source_of(&sources, event));
        let (Some(first), Some(source)) = (sources.first(), newest.cloned()) else {
            return Err(wrong(sentence!("the match of the save has not begun")));
        };
        let built = save.scenario.setup.build(&Arc::new(board), RulesSource::declarations(&**first));
        let start = built.map_err(|faults| {
            let texts: Vec<String> = faults.iter().map(ToString::to_string).collect();
            wrong(sentence!("the scenario of the save is damaged: {why}", why = texts.join("; ")))
        })?;
        Ok(Self {
            save,
            start,
            source,
            sources: sources.into_iter().map(|source| source as Arc<dyn RulesSource>).collect(),
        })
    }

    /// What the luck of the match was agreed to follow from, where it can be verified.
    pub fn luck_terms(&self) -> Option<&LuckTerms> {
        self.save.journal.events().first()?.luck.as_ref()?.terms.as_deref()
    }

    /// Verifies the match: first its luck, where that can be verified, then by running it again. `committed` is what the host had committed to, as somebody
    /// took note of it before the match began.
    pub fn checks(&self, committed: Option<LuckNumber>) -> Checks {
        let mut checks = Checks::default();
        checks.difference = self.run_checks(committed, &mut checks.passed, &mut checks.verified).err();
        checks
    }

    fn run_checks(&self, committed: Option<LuckNumber>, passed: &mut Vec<String>, verified: &mut Verified) -> Result<(), String> {
        if let (Some(terms), Some(committed)) = (self.luck_terms(), committed) {
            if terms.seed != committed {
                return Err(format!(
                    "this is not the match that was agreed on: it says that its host had committed to {}, and you were told {committed}",
                    terms.seed
                ));
            }
            passed.push("The host had committed to what you were told.".to_owned());
        }
        let luck = boardwright_host::verify_luck(&self.save.journal, self.save.seed);
        if let Some(luck) = luck.map_err(|difference| format!("the luck is not as was agreed on: {difference}"))? {
            passed.push(format!("The seed is the one that the host had committed to: {}", luck.terms.seed));
            passed.push(format!(
                "{} in {} follow from the numbers of host and players",
                counted(luck.draws, "draw"),
                counted(luck.events, "event")
            ));
            let seats = &self.start.declarations().seats;
            for (seat, count) in luck.seats {
                let title = seats.get(seat.index()).map_or("a seat", |seat| &*seat.title);
                passed.push(format!(
                    "{title} took part in {count} of them, with numbers committed to before the match"
                ));
            }
        }
        *verified = self
            .verify()
            .map_err(|difference| format!("the match goes another way: {difference}"))?;
        passed.push(format!("{} run again with the same result", counted(verified.repeated, "event")));
        if verified.applied > 0 {
            passed.push(format!("{} applied and compared by digest", counted(verified.applied, "event")));
        }
        Ok(())
    }

    /// Runs all events again under the rules each was made with and with the luck of the seed, and compares; and what the file says
    /// about itself with what is in it.
    ///
    /// # Errors
    /// The first difference.
    pub fn verify(&self) -> Result<Verified, String> {
        self.check_head()?;
        let save = &self.save;
        let verified = boardwright_host::verify(self.start.clone(), &save.journal, &self.sources, Some(save.seed));
        verified.map_err(|difference| difference.to_string())
    }

    /// Whether the match has ended.
    pub fn has_ended(&self) -> bool {
        let effects = self.save.journal.applied().iter().flat_map(|event| &event.effects);
        effects.fold(false, |has_ended, effect| match effect {
            Effect::End(_) => true,
            Effect::Resume(_) => false,
            _ => has_ended,
        })
    }

    /// Ruleset, map, seats and generator have to be those of the match.
    fn check_head(&self) -> Result<(), String> {
        let save = &self.save;
        let layers = &self.source.sources().layers;
        for (what, ruleset) in [("the save", &save.ruleset), ("its scenario", &save.scenario.ruleset)] {
            let place = format!("{RULESETS}/{ruleset}");
            if !layers.iter().any(|layer| layer.id == place) {
                return Err(format!(
                    "{what} is said to be of the ruleset `{ruleset}`, which its rules are not of"
                ));
            }
        }
        if save.scenario.map != save.map.id {
            let (named, map) = (&save.scenario.map, &save.map.id);
            return Err(format!("its scenario is on the map `{named}`, and the save holds the map `{map}`"));
        }
        if save.generator != Generator::NAME {
            return Err(format!("its luck is of a generator `{}`, which is not known here", save.generator));
        }
        let seats = &self.start.declarations().seats;
        if let Some((seat, _)) = save.players.iter().find(|(name, _)| seats.iter().all(|seat| *seat.name != **name)) {
            return Err(format!("a player sits at `{seat}`, and there is no such seat"));
        }
        Ok(())
    }
}
