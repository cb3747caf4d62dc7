//! A map as its author wrote it: it may be wrong. [`Board::from_map`](super::Board::from_map) checks it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Topology;

/// The value of a declared property as written; the declarations of the ruleset give it a type.
pub type AuthoredValue = String;

/// Declared properties as written, by name.
pub type AuthoredProperties = BTreeMap<String, AuthoredValue>;

/// The parts of an area: polygons of points in thousandths of a unit, y downwards.
pub type Outline = Vec<Vec<(i32, i32)>>;

/// A map as authored.
///
/// On grids `cells` lists only what differs from the default, and there are no `lines`. On a free graph it lists every
/// cell, and the lines say which are neighbours.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Map {
    /// What scenarios call the map.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// How cells lie to each other.
    pub topology: Topology,
    /// The cells, or on grids those with something special about them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<MapCell>,
    /// The lines drawn through the cells of a free graph.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<MapLine>,
    /// Named sets of cells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub regions: Vec<MapRegion>,
    /// The edges with declared properties.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<MapEdge>,
}

impl Map {
    /// A map with nothing on it.
    pub fn new(id: impl Into<String>, title: impl Into<String>, topology: Topology) -> Self {
        Self {
            id: id.into(),
            title: title.into(),
            topology,
            ..Self::default()
        }
    }
}

/// A cell as authored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MapCell {
    /// What players and files call the cell. On grids an empty name stands for the default one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// What people call the cell, in whatever language they speak; empty where that is its name. Files have none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// On grids the column, counted from 0; on a free graph where the cell is drawn, in thousandths of a unit.
    pub x: i32,
    /// On grids the row, counted from 0 downwards; on a free graph where the cell is drawn, in thousandths of a unit
    /// downwards.
    pub y: i32,
    /// The name of a terrain of the ruleset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terrain: Option<String>,
    /// Height above the board's lowest ground, in whatever steps the rules use.
    #[serde(skip_serializing_if = "is_level")]
    pub elevation: i16,
    /// The parts of an area of a free graph. Empty for points, and on grids.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outline: Outline,
    /// A hole in a grid: there is no cell at this place.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub absent: bool,
    /// Declared properties as written.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: AuthoredProperties,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_level(elevation: &i16) -> bool {
    *elevation == 0
}

impl MapCell {
    /// Whether nothing is said of the cell but where it is.
    pub fn is_bare(&self) -> bool {
        self.terrain.is_none() && !self.absent && self.is_only_ground()
    }

    /// Whether nothing is said of the cell but where it is, and its terrain or that it is a hole.
    pub fn is_only_ground(&self) -> bool {
        let Self {
            name,
            title,
            elevation,
            outline,
            properties,
            x: _,
            y: _,
            terrain: _,
            absent: _,
        } = self;
        name.is_empty() && title.is_empty() && *elevation == 0 && outline.is_empty() && properties.is_empty()
    }

    /// A plain cell: of a grid at a column and row, or of a free graph at a point of the drawing.
    pub fn new(name: impl Into<String>, x: i32, y: i32) -> Self {
        Self {
            name: name.into(),
            x,
            y,
            ..Self::default()
        }
    }

    /// A hole in a grid.
    pub fn hole(column: i32, row: i32) -> Self {
        Self {
            x: column,
            y: row,
            absent: true,
            ..Self::default()
        }
    }
}

/// A line drawn through cells of a free graph: each is the neighbour of the next, and straight on means along the line.
///
/// A line that ends where it began is closed. Areas are joined by lines of two cells.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapLine {
    /// What the line is called; without it `line1`, `line2`, ... by its place in the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The names of the cells in order.
    pub cells: Vec<String>,
}

impl MapLine {
    /// A line without a name.
    pub fn new<T: Into<String>>(cells: impl IntoIterator<Item = T>) -> Self {
        Self {
            name: None,
            cells: cells.into_iter().map(Into::into).collect(),
        }
    }
}

/// A named set of cells as authored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapRegion {
    /// What rules and files call the region.
    pub name: String,
    /// The names of its cells.
    pub cells: Vec<String>,
}

/// Declared properties of the edge between two neighbours.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapEdge {
    /// The name of one end.
    pub a: String,
    /// The name of the other end.
    pub b: String,
    /// Declared properties as written.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: AuthoredProperties,
}
