//! One change of a map or a scenario, which can be reversed.

use boardwright_model::{Map, MapCell, MapEdge, MapLine, MapRegion, Scenario, SetupPiece, SetupValue, Topology};
use serde::{Deserialize, Serialize};

use super::{Draft, grid_cells};

/// A column and a row of a grid, both from 0; rows downwards.
pub type Place = (i32, i32);

/// Entries of a list replaced by others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Splice<T> {
    /// The position of the first entry that goes, or before which the new ones come.
    pub at: usize,
    /// How many entries go.
    pub remove: usize,
    /// What comes in their place.
    pub insert: Vec<T>,
}

impl<T> Splice<T> {
    /// Puts an entry at a position; those from there on move back.
    pub fn insert(at: usize, entry: T) -> Self {
        Self {
            at,
            remove: 0,
            insert: vec![entry],
        }
    }

    /// Takes an entry out.
    pub const fn remove(at: usize) -> Self {
        Self {
            at,
            remove: 1,
            insert: Vec::new(),
        }
    }

    /// Puts another entry in the place of one.
    pub fn replace(at: usize, entry: T) -> Self {
        Self {
            at,
            remove: 1,
            insert: vec![entry],
        }
    }

    /// Changes a list, and gives the splice that changes it back. Positions past the end are those of the end.
    #[must_use = "it is what undoes the change"]
    pub fn apply(self, list: &mut Vec<T>) -> Self {
        let at = self.at.min(list.len());
        let end = at.saturating_add(self.remove).min(list.len());
        let remove = self.insert.len();
        let insert = list.splice(at..end, self.insert).collect();
        Self { at, remove, insert }
    }
}

/// One change of a draft. An edit of maps does nothing to a scenario, and one of scenarios nothing to a map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edit {
    /// The id, which is the name of the file without its ending.
    Id(String),
    /// The title.
    Title(String),

    /// Map: how cells lie, and how many there are. Cells stay listed where they are.
    Topology(Topology),
    /// Map of a grid: the terrain of cells.
    Terrain(Vec<(Place, Option<String>)>),
    /// Map of a grid: all that is said of cells, each given with its place; `None` where nothing is said.
    Cells(Vec<(Place, Option<MapCell>)>),
    /// Map of a free graph: its points and areas.
    Points(Splice<MapCell>),
    /// Map of a free graph: its lines.
    Lines(Splice<MapLine>),
    /// Map: its regions.
    Regions(Splice<MapRegion>),
    /// Map: the cells of the region at a position.
    RegionCells(usize, Splice<String>),
    /// Map: the edges with properties.
    Edges(Splice<MapEdge>),

    /// Scenario: what it is about.
    Description(String),
    /// Scenario: the id of the ruleset.
    Ruleset(String),
    /// Scenario: the id of the map.
    Map(String),
    /// Scenario: the script laid over the rules: the name of its file, and its text.
    Overlay(Option<(String, String)>),
    /// Scenario: lines of the script, without what ends them.
    Script(Splice<String>),
    /// Scenario: the seats that take part.
    Seats(Splice<String>),
    /// Scenario: who plays a seat: its name and a player.
    Players(Splice<(String, String)>),
    /// Scenario: options by name and value.
    Options(Splice<(String, String)>),
    /// Scenario: the pieces.
    Pieces(Splice<SetupPiece>),
    /// Scenario: properties of the match, seats, cells and edges.
    Values(Splice<SetupValue>),
}

impl Edit {
    /// Changes a draft, and gives the edit that changes it back exactly.
    #[must_use = "it is what undoes the change"]
    pub fn apply(self, draft: &mut Draft) -> Self {
        match draft {
            Draft::Map(map) => self.apply_to_map(map),
            Draft::Scenario(scenario) => self.apply_to_scenario(scenario),
        }
    }

    fn apply_to_map(self, map: &mut Map) -> Self {
        match self {
            Self::Id(id) => Self::Id(std::mem::replace(&mut map.id, id)),
            Self::Title(title) => Self::Title(std::mem::replace(&mut map.title, title)),
            Self::Topology(topology) => Self::Topology(std::mem::replace(&mut map.topology, topology)),
            Self::Terrain(changes) => Self::Terrain(grid_cells::set_terrain(&mut map.cells, changes)),
            Self::Cells(changes) => Self::Cells(grid_cells::set_cells(&mut map.cells, changes)),
            Self::Points(splice) => Self::Points(splice.apply(&mut map.cells)),
            Self::Lines(splice) => Self::Lines(splice.apply(&mut map.lines)),
            Self::Regions(splice) => Self::Regions(splice.apply(&mut map.regions)),
            Self::RegionCells(region, splice) => match map.regions.get_mut(region) {
                Some(found) => Self::RegionCells(region, splice.apply(&mut found.cells)),
                None => Self::RegionCells(region, splice),
            },
            Self::Edges(splice) => Self::Edges(splice.apply(&mut map.edges)),
            other @ (Self::Description(_)
            | Self::Ruleset(_)
            | Self::Map(_)
            | Self::Overlay(_)
            | Self::Script(_)
            | Self::Seats(_)
            | Self::Players(_)
            | Self::Options(_)
            | Self::Pieces(_)
            | Self::Values(_)) => other,
        }
    }

    fn apply_to_scenario(self, scenario: &mut Scenario) -> Self {
        let setup = &mut scenario.setup;
        match self {
            Self::Id(id) => Self::Id(std::mem::replace(&mut scenario.id, id)),
            Self::Title(title) => Self::Title(std::mem::replace(&mut scenario.title, title)),
            Self::Description(text) => Self::Description(std::mem::replace(&mut scenario.description, text)),
            Self::Ruleset(id) => Self::Ruleset(std::mem::replace(&mut scenario.ruleset, id)),
            Self::Map(id) => Self::Map(std::mem::replace(&mut scenario.map, id)),
            Self::Overlay(overlay) => Self::Overlay(std::mem::replace(&mut scenario.overlay, overlay)),
            Self::Script(splice) => match &mut scenario.overlay {
                Some((_, text)) => {
                    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
                    let undo = splice.apply(&mut lines);
                    *text = lines.join("\n");
                    Self::Script(undo)
                }
                None => Self::Script(splice),
            },
            Self::Seats(splice) => Self::Seats(splice.apply(&mut setup.seats)),
            Self::Players(splice) => Self::Players(splice.apply(&mut scenario.players)),
            Self::Options(splice) => Self::Options(splice.apply(&mut setup.options)),
            Self::Pieces(splice) => Self::Pieces(splice.apply(&mut setup.pieces)),
            Self::Values(splice) => Self::Values(splice.apply(&mut setup.values)),
            other @ (Self::Topology(_)
            | Self::Terrain(_)
            | Self::Cells(_)
            | Self::Points(_)
            | Self::Lines(_)
            | Self::Regions(_)
            | Self::RegionCells(..)
            | Self::Edges(_)) => other,
        }
    }

    /// How many cells or entries it touches.
    pub const fn size(&self) -> usize {
        match self {
            Self::Terrain(changes) => changes.len(),
            Self::Cells(changes) => changes.len(),
            _ => 1,
        }
    }
}
