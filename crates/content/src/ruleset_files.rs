//! The files of a ruleset: the sources of its rules, what a match needs, and what can be edited.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics};
use boardwright_model::{Board, SetupFault, SetupItem};
use boardwright_ruleset::{Layer, SCRIPT_ENDING, Sources};

use super::catalog::{Catalog, RulesetEntry};
use super::folders::{self, DEFINITION_ENDING, LIBRARY, MAPS, RULESETS};
use super::map_document::MapDocument;
use super::scenario_document::{ScenarioDocument, ScenarioPart};

/// Files with these endings are texts that people write.
const EDITABLE_ENDINGS: [&str; 5] = [SCRIPT_ENDING, ".md", ".xml", ".ftl", ".txt"];

/// A scenario ready to be compiled and played.
#[derive(Clone, Debug)]
pub struct LoadedScenario {
    /// The ruleset it is played with: its own, or a mod laid over that.
    pub ruleset: RulesetEntry,
    /// The rules.
    pub sources: Sources,
    /// The scenario, with positions.
    pub scenario: ScenarioDocument,
    /// The map, with positions.
    pub map: MapDocument,
    /// The board made from it.
    pub board: Arc<Board>,
    /// The folders whose changes matter to the match.
    pub folders: Vec<PathBuf>,
}

impl LoadedScenario {
    /// What an author is told of a fault of the setup: in the scenario, or in the map if it is a property of that.
    pub fn diagnostic(&self, fault: &SetupFault) -> Diagnostic {
        let found = self.scenario.positions.diagnostic(fault);
        match fault.item {
            SetupItem::MapCell(cell) => self.map.positions.at_cell(&self.map.map, &self.board, cell, found),
            SetupItem::MapEdge(edge) => self.map.positions.at_edge(&self.map.map, &self.board, edge, found),
            _ => found,
        }
    }
}

impl Catalog {
    /// The sources of a ruleset: those it builds on at the bottom, the overlay of a scenario (folder, file name, text) on top.
    ///
    /// # Errors
    /// The ruleset, or one it builds on, is not there, or something in its folder cannot be read.
    pub fn sources(&self, ruleset: &str, overlay: Option<Layer>) -> Result<Sources, Diagnostics> {
        let chain = self.chain(ruleset)?;
        let (library, mut diagnostics) = self.library();
        let mut sources = Sources::default().with_library(library);
        for entry in chain.iter().rev() {
            let (layer, found) = folders::read_layer(&entry.folder, &format!("{RULESETS}/{}", entry.id));
            diagnostics.extend(found);
            sources.layers.push(layer);
        }
        sources.layers.extend(overlay);
        if diagnostics.has_errors() { Err(diagnostics) } else { Ok(sources) }
    }

    /// Reads everything that a match needs. Without the name of a scenario it is the default one.
    ///
    /// # Errors
    /// Everything that is wrong with the files, but for the scripts, which are not compiled, and the setup, which needs them.
    pub fn open(&self, ruleset: &str, scenario: Option<&str>) -> Result<LoadedScenario, Diagnostics> {
        // A broken manifest is told as such, not as a ruleset without scenarios.
        self.chain(ruleset)?;
        let entry = self.ruleset(ruleset)?;
        let none = || Diagnostic::error(Code::UnknownName, format!("the ruleset `{ruleset}` has no scenario"));
        let id = match scenario {
            Some(id) => id,
            None => &self.default_scenario(ruleset).ok_or_else(none)?.id,
        };
        let scenario = self.scenario(ruleset, id)?;
        let map = self.map(ruleset, &scenario.scenario.map).map_err(|found| -> Diagnostics {
            let at_name = |one: Diagnostic| match one.place {
                None => scenario.positions.at(ScenarioPart::Map, one),
                Some(_) => one,
            };
            found.into_iter().map(at_name).collect()
        })?;
        let board = Arc::new(map.board()?);
        let home = format!("{MAPS}/{}", scenario.scenario.ruleset);
        let overlay = scenario.scenario.overlay.as_ref();
        let overlay = overlay.map(|(file, text)| Layer::new(home).with(file, text.as_str()));
        Ok(LoadedScenario {
            ruleset: entry.clone(),
            sources: self.sources(ruleset, overlay)?,
            folders: self.folders_of(ruleset),
            scenario,
            map,
            board,
        })
    }

    /// The folders whose changes matter to a ruleset: its own, those it builds on, their maps, and the shared scripts.
    pub fn folders_of(&self, ruleset: &str) -> Vec<PathBuf> {
        let chain = self.chain(ruleset).unwrap_or_default();
        let mut folders: Vec<PathBuf> = chain.iter().map(|entry| entry.folder.clone()).collect();
        for root in &self.roots {
            folders.extend(chain.iter().map(|entry| root.join(MAPS).join(&entry.id)));
            folders.push(root.join(LIBRARY));
        }
        folders.retain(|folder| folder.is_dir());
        folders
    }

    /// The files of a ruleset that can be edited: its own first, then those of what it builds on, the scripts of its scenarios, and
    /// the scripts that rulesets share. Each with the name that diagnostics give it. A broken ruleset has its files as well: someone
    /// has to mend them.
    pub fn editable_files(&self, ruleset: &str) -> Vec<(String, PathBuf)> {
        let own = || self.rulesets.get(ruleset).into_iter().collect();
        let chain: Vec<&RulesetEntry> = self.chain(ruleset).unwrap_or_else(|_| own());
        let mut found = Vec::new();
        for entry in &chain {
            let is_text = |name: &str| EDITABLE_ENDINGS.iter().any(|ending| name.ends_with(ending));
            add(&mut found, &entry.folder, &format!("{RULESETS}/{}", entry.id), is_text);
        }
        let is_script = |name: &str| name.ends_with(SCRIPT_ENDING) && !name.ends_with(DEFINITION_ENDING);
        for root in &self.roots {
            for entry in &chain {
                let name = format!("{MAPS}/{}", entry.id);
                add(&mut found, &root.join(&name), &name, is_script);
            }
            add(&mut found, &root.join(LIBRARY), LIBRARY, is_script);
        }
        found
    }
}

/// Adds the files of a folder; one of the same name in a better content folder was added before and counts.
fn add(found: &mut Vec<(String, PathBuf)>, folder: &Path, name: &str, is_wanted: impl Fn(&str) -> bool) {
    for (file, path) in folders::walk(folder, name).files {
        let place = folders::join(name, &file);
        if is_wanted(&file) && found.iter().all(|(known, _)| *known != place) {
            found.push((place, path));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn write(root: &Path, name: &str, text: &str) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn manifest(id: &str, below: &str) -> String {
        format!(
            "<ruleset format=\"1\" id=\"{id}\" title=\"T\" version=\"1\" licence=\"MIT\" seats=\"2\" {below}><description>d</description></ruleset>"
        )
    }

    #[test]
    fn the_files_of_a_mod_are_its_own_then_those_below_and_the_shared_ones() {
        let root = tempfile::tempdir().unwrap();
        write(root.path(), "rulesets/race/ruleset.xml", &manifest("race", ""));
        write(root.path(), "rulesets/race/rules.rhai", "");
        write(root.path(), "rulesets/race/art/card.svg", "");
        write(root.path(), "rulesets/long/ruleset.xml", &manifest("long", "builds_on=\"race\""));
        write(root.path(), "rulesets/long/help/1.md", "");
        write(root.path(), "maps/race/dusk.rhai", "");
        write(root.path(), "scripts/hex.rhai", "");
        write(root.path(), "scripts/boardwright.d.rhai", "");
        let catalog = Catalog::scan(&[root.path().to_path_buf()]);
        let places: Vec<String> = catalog.editable_files("long").into_iter().map(|(place, _)| place).collect();
        assert_eq!(
            places,
            [
                "rulesets/long/help/1.md",
                "rulesets/long/ruleset.xml",
                "rulesets/race/rules.rhai",
                "rulesets/race/ruleset.xml",
                "maps/race/dusk.rhai",
                "scripts/hex.rhai",
            ]
        );
    }

    #[test]
    fn a_ruleset_with_a_broken_manifest_has_its_files_too() {
        let root = tempfile::tempdir().unwrap();
        write(root.path(), "rulesets/race/ruleset.xml", "<ruleset");
        write(root.path(), "rulesets/race/rules.rhai", "");
        let catalog = Catalog::scan(&[root.path().to_path_buf()]);
        assert_eq!(catalog.editable_files("race").len(), 2);
        assert_eq!(catalog.editable_files("none"), []);
    }
}
