//! What a document says: a map or a scenario.

use boardwright_content::xml::{Document as _, Source};
use boardwright_content::{MapDocument, ScenarioDocument, rewrite_map, rewrite_scenario};
use boardwright_model::diagnostic::Diagnostics;
use boardwright_model::{Map, Scenario};
use serde::{Deserialize, Serialize};

use super::grid_cells;

/// A map or a scenario in the making. It may be wrong in many places at once.
///
/// The cells of a grid are listed by row and column, and only those about which something is said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Draft {
    /// A map.
    Map(Map),
    /// A scenario, with the text of its overlay.
    Scenario(Scenario),
}

/// The name of the outermost element of a text, as far as that can be told without reading the text.
fn outermost(mut text: &str) -> &str {
    while let Some((_, rest)) = text.split_once('<') {
        let end = if rest.starts_with("!--") { "-->" } else { ">" };
        if rest.starts_with(char::is_alphabetic) {
            return rest.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
        }
        text = rest.split_once(end).map_or("", |(_, behind)| behind);
    }
    ""
}

impl Draft {
    /// The draft that a text says. The text of an overlay is a file of its own, and empty here.
    ///
    /// # Errors
    /// Everything that keeps the text from being read; also a map that says twice what is at a place.
    pub fn read(source: &Source) -> Result<Self, Diagnostics> {
        if outermost(source.text()) == ScenarioDocument::NAME {
            return Ok(Self::Scenario(ScenarioDocument::read(source)?.scenario));
        }
        let mut document = MapDocument::read(source)?;
        if document.map.topology.size().is_some() && !grid_cells::normalize(&mut document.map.cells) {
            document.board()?;
        }
        Ok(Self::Map(document.map))
    }

    /// The script that is laid over the rules: the name of its file and its text.
    pub fn overlay(&self) -> Option<(&str, &str)> {
        let (file, text) = self.scenario()?.overlay.as_ref()?;
        Some((file, text))
    }

    /// The text of the draft as the program writes it by itself.
    pub fn print(&self) -> String {
        match self {
            Self::Map(map) => boardwright_content::print_map(map),
            Self::Scenario(scenario) => boardwright_content::print_scenario(scenario),
        }
    }

    /// The text of the draft that differs from an earlier text of it only in the lines that say something else.
    ///
    /// # Errors
    /// Everything that keeps the new text from being read again as this draft.
    pub fn rewrite(&self, source: &Source) -> Result<String, Diagnostics> {
        match self {
            Self::Map(map) => rewrite_map(source, map),
            Self::Scenario(scenario) => rewrite_scenario(source, scenario),
        }
    }

    /// The map, if it is one.
    pub const fn map(&self) -> Option<&Map> {
        match self {
            Self::Map(map) => Some(map),
            Self::Scenario(_) => None,
        }
    }

    /// The scenario, if it is one.
    pub const fn scenario(&self) -> Option<&Scenario> {
        match self {
            Self::Scenario(scenario) => Some(scenario),
            Self::Map(_) => None,
        }
    }

    /// The title.
    pub fn title(&self) -> &str {
        match self {
            Self::Map(map) => &map.title,
            Self::Scenario(scenario) => &scenario.title,
        }
    }

    /// The id.
    pub fn id(&self) -> &str {
        match self {
            Self::Map(map) => &map.id,
            Self::Scenario(scenario) => &scenario.id,
        }
    }
}
