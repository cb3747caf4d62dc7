//! Everything that a match of one scenario needs, read together.

use std::path::PathBuf;
use std::sync::Arc;

use crate::model::{Board, SetupFault, SetupItem};
use crate::ruleset::{Code, Diagnostic, Diagnostics, Layer, Sources};

use super::catalog::{Catalog, RulesetEntry};
use super::folders::{self, LIBRARY, MAPS, RULESETS};
use super::map_document::MapDocument;
use super::scenario_document::{ScenarioDocument, ScenarioPart};

/// A scenario ready to be compiled and played.
#[derive(Clone, Debug)]
pub struct Opened {
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

impl Opened {
    /// What an author is told of a fault of the setup: in the scenario, or in the map if it is a property of that.
    pub fn diagnostic(&self, fault: &SetupFault) -> Diagnostic {
        let found = self.scenario.positions.diagnostic(fault);
        match fault.item {
            SetupItem::MapCell(cell) => self.map.positions.at_cell(&self.map.map, &self.board, cell, found),
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
    pub fn open(&self, ruleset: &str, scenario: Option<&str>) -> Result<Opened, Diagnostics> {
        // A broken manifest is told as such, not as a ruleset without scenarios.
        self.chain(ruleset)?;
        let entry = self.ruleset(ruleset)?;
        let none = || {
            Diagnostics::from(Diagnostic::error(
                Code::UnknownName,
                format!("the ruleset `{ruleset}` has no scenario"),
            ))
        };
        let id = match scenario {
            Some(id) => id,
            None => &self.default_scenario(ruleset).ok_or_else(none)?.id,
        };
        let scenario = self.scenario(ruleset, id)?;
        let map = self.map(ruleset, &scenario.scenario.map).map_err(|found| {
            let is_missing = |one: &Diagnostic| one.place.is_none();
            let at_name = |one: Diagnostic| scenario.positions.at(ScenarioPart::Map, one);
            found
                .into_iter()
                .map(|one| if is_missing(&one) { at_name(one) } else { one })
                .collect::<Diagnostics>()
        })?;
        let board = Arc::new(map.board()?);
        let home = format!("{MAPS}/{}", scenario.scenario.ruleset);
        let overlay = scenario.scenario.overlay.as_ref();
        let overlay = overlay.map(|(file, text)| Layer::new(home).with(file, text.as_str()));
        Ok(Opened {
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
}
