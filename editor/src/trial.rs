//! A match of what is drawn: the drawing is laid over the content in a folder of its own, so that no file has to be saved for it. What is drawn
//! while the match goes on is written there too, and the match reads it as it reads every changed file.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use std::{fs, io};

use boardwright_client::MatchChoice;
use boardwright_client::content::{Content as _, PACE, ScenarioExport};
use boardwright_content::Catalog;
use boardwright_editing::Draft;
use boardwright_local::ContentLibrary;
use boardwright_model::diagnostic::Diagnostic;
use boardwright_model::{Map, Policy, Scenario};
use boardwright_triggers::TriggerScript;
use boardwright_ui::{StartMatch, text};

use crate::file::{OpenFile, path_for};

/// How long nothing is drawn before the match is told.
const QUIET: Duration = Duration::from_millis(300);

/// The number of the next match in this process. Each has a folder of its own, for the one before may still be running.
static NUMBER: AtomicU32 = AtomicU32::new(1);

/// The id of the scenario that is made for a map without one.
const TRIAL: &str = "trial";

/// The file beside the content of a trial in which the script of its author is.
const OWN_SCRIPT: &str = "own-script.rhai";

/// A match of what is drawn, and the files that it is played from.
#[derive(Debug)]
pub(crate) struct Trial {
    /// The file that is drawn.
    path: PathBuf,
    ruleset: String,
    map: Written,
    scenario: Written,
    script: Option<Written>,
    /// The script as its author has it: a scenario that is made of the match gets it.
    own_script: Written,
    /// Where such a scenario goes.
    exports: Option<PathBuf>,
    /// The content folders it is played from: its own first.
    folders: Vec<PathBuf>,
    /// Whether the match was seen to run.
    was_seen: bool,
    /// The revisions of the drawings that were written, and those seen last with the time.
    revisions: Option<u64>,
    seen: (u64, Instant),
    /// What the match said of the changes.
    reported: Vec<Diagnostic>,
}

/// A file that was written for the match.
#[derive(Debug)]
struct Written {
    path: PathBuf,
    id: String,
    text: String,
}

impl Written {
    fn write(path: PathBuf, id: &str, text: String) -> io::Result<Self> {
        fs::write(&path, &text)?;
        let id = id.to_owned();
        Ok(Self { path, id, text })
    }

    /// Writes it again if it says something else; the match must not read half of it.
    fn update(&mut self, text: String) -> io::Result<()> {
        if self.text != text {
            let half = self.path.with_extension("new");
            fs::write(&half, &text)?;
            fs::rename(&half, &self.path)?;
            self.text = text;
        }
        Ok(())
    }
}

impl Trial {
    /// Writes what is drawn for a match of it. A map is played in a scenario that uses it, or else with everything as the ruleset has it. `exports` is the
    /// folder for scenarios that are made of the match.
    ///
    /// # Errors
    /// What keeps the drawing from being written for it.
    pub(crate) fn prepare(
        catalog: &Catalog,
        roots: &[PathBuf],
        file: &OpenFile,
        map_of: &dyn Fn(&str, &str) -> Option<Arc<Map>>,
        exports: Option<PathBuf>,
    ) -> Result<Self, String> {
        let ruleset = file.ruleset.id.clone();
        let scenario = match file.document.draft() {
            Draft::Scenario(scenario) => scenario.clone(),
            Draft::Map(map) => scenario_of(catalog, &ruleset, map),
        };
        let map = match file.document.draft() {
            Draft::Map(map) => map.clone(),
            Draft::Scenario(scenario) => {
                let map = map_of(&ruleset, &scenario.map).ok_or_else(|| text!("edit-no-map", map = scenario.map.as_str()))?;
                Map::clone(&map)
            }
        };
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("boardwright-trial-{}-{number}", std::process::id()));
        let failed = |error: io::Error| error.to_string();
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(failed)?;
        }
        let map_path = path_for(&folder, &ruleset, &map.id, true);
        fs::create_dir_all(map_path.parent().unwrap_or(&folder)).map_err(failed)?;
        let map_id = map.id.clone();
        let map = Written::write(map_path, &map_id, Draft::Map(map).print()).map_err(failed)?;
        let script = scenario_script(&scenario).map(|(file, text)| Written::write(map.path.with_file_name(&file), &file, text));
        let script = script.transpose().map_err(failed)?;
        let own_script = Written::write(folder.join(OWN_SCRIPT), OWN_SCRIPT, own_text(&scenario)).map_err(failed)?;
        let scenario_path = path_for(&folder, &ruleset, &scenario.id, false);
        let scenario_id = scenario.id.clone();
        let scenario = Written::write(scenario_path, &scenario_id, Draft::Scenario(scenario).print()).map_err(failed)?;
        let mut folders = vec![folder];
        folders.extend(roots.iter().cloned());
        Ok(Self {
            path: file.document.path().to_path_buf(),
            ruleset,
            map,
            scenario,
            script,
            own_script,
            exports,
            folders,
            was_seen: false,
            revisions: None,
            seen: (0, Instant::now()),
            reported: Vec::new(),
        })
    }

    /// Whether it is a match of that file.
    pub(crate) fn is_of(&self, file: &OpenFile) -> bool {
        self.path == file.document.path()
    }

    /// Begins the match.
    pub(crate) fn start(&self) -> StartMatch {
        let folders = self.folders.clone();
        let choice = MatchChoice {
            ruleset: self.ruleset.clone(),
            scenario: Some(self.scenario.id.clone()),
            pace: PACE,
            policy: Some(Policy::default()),
            watches: true,
            export: Some(ScenarioExport {
                folder: self.exports.clone(),
                script: Some(self.own_script.path.clone()),
            }),
            ..MatchChoice::default()
        };
        Box::new(move |wake| ContentLibrary::new(folders).begin(&choice, wake))
    }

    /// Whether the match was seen to run.
    pub(crate) fn was_seen(&self) -> bool {
        self.was_seen
    }

    /// What of the match's problems was not told yet.
    pub(crate) fn news<'a>(&mut self, problems: &'a [Diagnostic]) -> impl Iterator<Item = &'a Diagnostic> + use<'a> {
        let known = std::mem::replace(&mut self.reported, problems.to_vec());
        // What was wrong from the beginning is not about changes.
        let are_news = std::mem::replace(&mut self.was_seen, true);
        problems.iter().filter(move |problem| are_news && !known.contains(problem))
    }

    /// In which time the drawings, of these revisions, are to be written again, unless more is drawn; `None` if they are written.
    pub(crate) fn due_in(&mut self, revisions: u64) -> Option<Duration> {
        if self.seen.0 != revisions {
            self.seen = (revisions, Instant::now());
        }
        (self.revisions != Some(revisions)).then(|| QUIET.saturating_sub(self.seen.1.elapsed()))
    }

    /// Writes the drawings again that the match is played from; it reads what has changed.
    ///
    /// # Errors
    /// What keeps them from being written.
    pub(crate) fn update<'a>(&mut self, drafts: impl Iterator<Item = (&'a str, &'a Draft)>) -> Result<(), String> {
        self.revisions = Some(self.seen.0);
        for (ruleset, draft) in drafts {
            let written = match draft {
                Draft::Map(map) if map.id == self.map.id => &mut self.map,
                Draft::Scenario(scenario) if scenario.id == self.scenario.id => &mut self.scenario,
                _ => continue,
            };
            if ruleset == self.ruleset {
                let script = draft.scenario().and_then(scenario_script);
                if let Some((file, text)) = script {
                    // A scenario that names a script needs it at once.
                    let path = written.path.with_file_name(&file);
                    let wrote = match &mut self.script {
                        Some(script) if script.path == path => script.update(text),
                        script => Written::write(path, &file, text).map(|new| drop(script.replace(new))),
                    };
                    wrote.map_err(|error| error.to_string())?;
                }
                if let Some(scenario) = draft.scenario() {
                    self.own_script.update(own_text(scenario)).map_err(|error| error.to_string())?;
                }
                written.update(draft.print()).map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    }
}

impl Drop for Trial {
    fn drop(&mut self) {
        if let Some(folder) = self.folders.first() {
            drop(fs::remove_dir_all(folder));
        }
    }
}

/// The text of the script of a scenario, as its author has it.
fn own_text(scenario: &Scenario) -> String {
    scenario.overlay.as_ref().map(|(_, text)| text.clone()).unwrap_or_default()
}

/// The file name of the script of a scenario, and its text for the match: that a trigger happens is told where it is tried out.
fn scenario_script(scenario: &Scenario) -> Option<(String, String)> {
    let (file, text) = scenario.overlay.as_ref()?;
    let reported = TriggerScript::read(text).announcing(|trigger| text!("trigger-happens", name = trigger.name()));
    Some((file.clone(), reported))
}

/// A scenario that a map is played in: one that uses it, the default one first; else one in which people sit at all seats.
fn scenario_of(catalog: &Catalog, ruleset: &str, map: &Map) -> Scenario {
    let scenarios = catalog.scenarios(ruleset);
    let default = catalog.default_scenario(ruleset);
    let mut on_map = default
        .into_iter()
        .chain(scenarios.values().copied())
        .filter(|scenario| scenario.map == map.id);
    let found = on_map.next().and_then(|entry| catalog.scenario(ruleset, &entry.id).ok());
    found.map_or_else(
        || Scenario {
            id: TRIAL.to_owned(),
            title: map.title.clone(),
            ruleset: ruleset.to_owned(),
            map: map.id.clone(),
            ..Scenario::default()
        },
        |document| document.scenario,
    )
}
