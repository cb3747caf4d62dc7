//! A board of which not everything is known: what lies on a cell is learned when it is first seen.
//!
//! Where the cells lie and which are neighbours is known to everyone, like the size of a sheet of paper, and so are the names of
//! regions and lines, which rules mention. What a cell is called, how high it lies and which regions it belongs to is withheld until
//! it is explored.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::board::NO_TERRAIN;
use super::{Board, CellId, CellSet, Map, MapCell, MapRegion, RegionId, Topology};

/// What a board says of a cell: what is learned when the cell is first seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExploredCell {
    /// The cell.
    pub cell: CellId,
    /// What players and files call it; empty for the default name of its place on a grid.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// What people call it; empty where that is its name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Its height.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub elevation: i16,
    /// The regions it belongs to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub regions: Vec<RegionId>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_zero(elevation: &i16) -> bool {
    *elevation == 0
}

impl Map {
    /// The map as it is known to someone who has seen nothing of it. [`Board::veiled`] is the same for a board.
    #[must_use]
    pub fn veiled(&self) -> Self {
        let is_grid = self.topology.size().is_some();
        let placeholder = |name: &String| {
            let cell = self.cells.iter().position(|cell| cell.name == *name);
            cell.map_or_else(|| name.clone(), |cell| unknown_name(CellId::from_index(cell)))
        };
        let cells = self.cells.iter().enumerate().filter(|(_, cell)| !is_grid || cell.absent);
        let veiled_cell = |(index, cell): (usize, &MapCell)| MapCell {
            name: if is_grid {
                String::new()
            } else {
                unknown_name(CellId::from_index(index))
            },
            x: cell.x,
            y: cell.y,
            outline: cell.outline.clone(),
            absent: cell.absent,
            ..MapCell::default()
        };
        let veiled_line = |line: &super::MapLine| super::MapLine {
            name: line.name.clone(),
            cells: line.cells.iter().map(placeholder).collect(),
        };
        let veiled_region = |region: &MapRegion| MapRegion {
            name: region.name.clone(),
            cells: Vec::new(),
        };
        Self {
            id: self.id.clone(),
            title: self.title.clone(),
            topology: self.topology,
            cells: cells.map(veiled_cell).collect(),
            lines: self.lines.iter().map(veiled_line).collect(),
            regions: self.regions.iter().map(veiled_region).collect(),
            edges: Vec::new(),
        }
    }
}

impl Board {
    /// The board as it is known to someone who has seen nothing of it: ids, places and neighbours are the same; cells have placeholders
    /// for names, and neither terrain, elevation, properties nor regions.
    #[must_use]
    pub fn veiled(&self) -> Self {
        let mut board = self.clone();
        board.titles.clear();
        board.terrain_names.clear();
        board.terrains = vec![NO_TERRAIN; self.cell_count()].into();
        board.elevations.fill(0);
        board.cell_properties = Arc::default();
        board.edge_properties = Arc::default();
        for region in &mut board.regions {
            region.cells = CellSet::empty(self.cell_count());
        }
        board.names = (0..self.cell_count())
            .map(CellId::from_index)
            .map(|cell| {
                if self.contains(cell) {
                    self.veiled_name(cell)
                } else {
                    String::new()
                }
                .into()
            })
            .collect();
        let mut by_name: Vec<CellId> = self.cells().collect();
        by_name.sort_by(|a, b| board.cell_name(*a).cmp(board.cell_name(*b)));
        board.by_name = by_name.into();
        board
    }

    /// Whether both have the same cells, at the same places and with the same neighbours, whatever is known of them: what refers to cells of one refers to
    /// those of the other.
    pub fn has_cells_of(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
            || (self.topology == other.topology
                && self.all == other.all
                && self.links == other.links
                && self.positions == other.positions
                && self.outlines == other.outlines)
    }

    /// What is learned when a cell is first seen.
    pub fn explored_cell(&self, cell: CellId) -> ExploredCell {
        let name = self.cell_name(cell);
        let regions = (0..self.region_count()).map(RegionId::from_index);
        ExploredCell {
            cell,
            name: if self.veiled_name(cell) == name {
                String::new()
            } else {
                name.to_owned()
            },
            title: self.titles.get(&cell).map(ToString::to_string).unwrap_or_default(),
            elevation: self.elevation(cell),
            regions: regions.filter(|region| self.region(*region).contains(cell)).collect(),
        }
    }

    /// Writes what was learned of a cell into a veiled board.
    pub(super) fn learn(&mut self, explored: &ExploredCell) {
        let cell = explored.cell;
        if !explored.name.is_empty() {
            self.rename(cell, &explored.name);
        }
        if !explored.title.is_empty() {
            self.titles.insert(cell, explored.title.as_str().into());
        }
        if let Some(elevation) = self.elevations.get_mut(cell.index()) {
            *elevation = explored.elevation;
        }
        for region in &explored.regions {
            if let Some(region) = self.regions.get_mut(region.index()) {
                region.cells.insert(cell);
            }
        }
    }

    /// Takes back what was [learned](Self::learn) of a cell.
    pub(super) fn unlearn(&mut self, explored: &ExploredCell) {
        let cell = explored.cell;
        if !explored.name.is_empty() {
            let name = self.veiled_name(cell);
            self.rename(cell, &name);
        }
        self.titles.remove(&cell);
        if let Some(elevation) = self.elevations.get_mut(cell.index()) {
            *elevation = 0;
        }
        for region in &explored.regions {
            if let Some(region) = self.regions.get_mut(region.index()) {
                region.cells.remove(cell);
            }
        }
    }

    fn rename(&mut self, cell: CellId, name: &str) {
        let mut by_name: Vec<CellId> = self.by_name.iter().copied().filter(|known| *known != cell).collect();
        if let Some(known) = Arc::make_mut(&mut self.names).get_mut(cell.index()) {
            *known = name.into();
        }
        let name_of = |cell: CellId| self.names.get(cell.index()).map_or("", |name| name);
        let at = by_name.partition_point(|known| name_of(*known) < name);
        by_name.insert(at, cell);
        self.by_name = by_name.into();
    }

    /// What a cell is called by who has never seen it: the default name of its place on a grid.
    fn veiled_name(&self, cell: CellId) -> String {
        let of_place = self.grid.and_then(|grid| {
            let (x, y) = grid.place(cell);
            Topology::default_name(x, y)
        });
        of_place.unwrap_or_else(|| unknown_name(cell))
    }
}

/// What a cell of a free graph is called by who has never seen it.
fn unknown_name(cell: CellId) -> String {
    format!("?{}", u32::from(cell.0) + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::boards_for_tests::{crossed_map, maps};
    use super::*;

    #[test]
    fn a_veiled_graph_has_its_lines_and_no_name() {
        let board = Board::from_map(&crossed_map()).unwrap();
        let veiled = board.veiled();
        assert_eq!(veiled.find_cell("a1"), None);
        assert_eq!(veiled.cell_name(CellId(0)), "?1");
        assert_eq!(veiled.steps(CellId(0)), board.steps(CellId(0)));
    }

    proptest! {
        #[test]
        fn a_veiled_map_makes_the_veiled_board_and_exploring_all_of_it_makes_names_and_regions_whole(map in maps()) {
            let board = Board::from_map(&map).unwrap();
            let mut known = Board::from_map(&map.veiled()).unwrap();
            let veiled = board.veiled();
            prop_assert_eq!(&known, &veiled);
            let explored: Vec<ExploredCell> = board.cells().map(|cell| board.explored_cell(cell)).collect();
            for cell in &explored {
                known.learn(cell);
            }
            for cell in board.cells() {
                prop_assert_eq!(known.cell_name(cell), board.cell_name(cell));
                prop_assert_eq!(known.elevation(cell), board.elevation(cell));
                prop_assert_eq!(known.find_cell(board.cell_name(cell)), Some(cell));
            }
            prop_assert_eq!(&known.regions, &board.regions);
            for cell in explored.iter().rev() {
                known.unlearn(cell);
            }
            prop_assert_eq!(&known, &veiled);
        }
    }
}
