//! A file that is open: the board it makes, under the declarations of its ruleset.

use std::path::Path;
use std::sync::Arc;

use boardwright_client::MatchChoice;
use boardwright_content::xml::{Document as _, Source};
use boardwright_content::{Catalog, MAP_ENDING, MapDocument, SCENARIO_ENDING};
use boardwright_local::{BeginError, declarations, prepare};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Place};
use boardwright_model::{Board, Declarations, Looks, State, TerrainDeclaration, Topology};

/// What sort of file is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A map.
    Map,
    /// A scenario: a map with pieces on it.
    Scenario,
}

/// A file that is open.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// What sort of file it is.
    pub sort: Sort,
    /// Its title for players.
    pub title: String,
    /// Its id.
    pub id: String,
    /// The board with what stands on it.
    pub state: Arc<State>,
    /// How things look without rules: glyphs of the kinds in the colours of the seats.
    pub looks: Arc<Looks>,
    /// What keeps the rules from being asked how things look; the board is drawn without them.
    pub findings: Diagnostics,
}

impl Sheet {
    /// Opens a map or a scenario by the ending of its file. The name of the folder it lies in is the id of the ruleset.
    ///
    /// # Errors
    /// Everything that is wrong with the file.
    pub fn open(catalog: &Catalog, path: &Path) -> Result<Self, Diagnostics> {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let folder = path.parent().and_then(Path::file_name);
        let ruleset = folder.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if let Some(id) = name.strip_suffix(SCENARIO_ENDING) {
            return Self::scenario(catalog, &ruleset, id);
        }
        if name.ends_with(MAP_ENDING) {
            return Self::map(catalog, &ruleset, path);
        }
        let expected = format!("maps end in `{MAP_ENDING}`, scenarios in `{SCENARIO_ENDING}`");
        Err(Diagnostic::error(Code::Document, expected)
            .at(Place::file(path.display().to_string()))
            .into())
    }

    fn map(catalog: &Catalog, ruleset: &str, path: &Path) -> Result<Self, Diagnostics> {
        let document = MapDocument::read(&Source::open(path, path.display().to_string())?)?;
        let board = Arc::new(document.board()?);
        let (declarations, findings) = match declarations(catalog, ruleset) {
            Ok(declarations) => (declarations, Diagnostics::default()),
            Err(findings) => (plain(&board), findings),
        };
        Ok(Self {
            sort: Sort::Map,
            title: document.map.title.clone(),
            id: document.map.id.clone(),
            state: Arc::new(State::empty(board, Arc::new(declarations), &[])),
            looks: Arc::default(),
            findings,
        })
    }

    fn scenario(catalog: &Catalog, ruleset: &str, id: &str) -> Result<Self, Diagnostics> {
        let choice = MatchChoice {
            ruleset: ruleset.to_owned(),
            scenario: Some(id.to_owned()),
            ..MatchChoice::default()
        };
        let prepared = prepare(catalog, &choice).map_err(|error| match error {
            BeginError::Content(found) => found,
            other => Diagnostic::error(Code::Document, other.to_string()).into(),
        })?;
        Ok(Self {
            sort: Sort::Scenario,
            title: prepared.opened.scenario.scenario.title.clone(),
            id: id.to_owned(),
            state: Arc::new(prepared.start),
            looks: Arc::default(),
            findings: Diagnostics::default(),
        })
    }

    /// The shape of the board in a few words.
    pub fn shape(&self) -> String {
        let board = self.state.board();
        match board.topology() {
            Topology::Hex { width, height, .. } => format!("{width} by {height} hexes"),
            Topology::Square { width, height, .. } => format!("{width} by {height} squares"),
            Topology::Graph if board.cells().any(|cell| !board.outline(cell).is_empty()) => "areas".to_owned(),
            Topology::Graph => "points and lines".to_owned(),
        }
    }
}

/// Colours for the terrains of a map whose ruleset cannot say any.
fn plain(board: &Board) -> Declarations {
    let terrain = |(index, name): (usize, &str)| {
        let shade = 0x60 + (index as u32 * 37) % 0x80;
        TerrainDeclaration {
            name: name.into(),
            title: name.into(),
            colour: (shade << 16) | ((0xD0 - shade / 2) << 8) | 0x70,
        }
    };
    Declarations {
        terrains: board.terrain_names().enumerate().map(terrain).collect(),
        ..Declarations::default()
    }
}
