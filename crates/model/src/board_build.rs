//! From a map to a board: every index made once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::board::NO_TERRAIN;
use super::board_sets::Shift;
use super::columns::ColumnMasks;
use super::field_of_view::DrawnLines;
use super::graph::Distances;
use super::links::Links;
use super::map_check::MapCheck;
use super::map_fault::MOST_CELLS;
use super::topology::Grid;
use super::{Board, BoardLine, Bounds, CellId, CellSet, Map, MapCell, MapFault, Topology};

/// Boards of up to this many cells keep the neighbours of each cell as a set.
const LARGEST_WITH_NEIGHBOUR_SETS: usize = 2_000;
impl Board {
    /// Checks and indexes a map.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the map, in the order of its lists. Only if the sizes are wrong are the lists not
    /// looked at.
    pub fn from_map(map: &Map) -> Result<Self, Vec<MapFault>> {
        let grid = map.topology.grid();
        let count = match map.topology.size() {
            Some((width, height)) => usize::from(width) * usize::from(height),
            None => map.cells.len(),
        };
        if count == 0 {
            return Err(vec![MapFault::NoCells]);
        }
        if count > MOST_CELLS {
            return Err(vec![MapFault::TooManyCells(count)]);
        }
        let mut check = MapCheck::new(map, grid, count);
        let entries = check.entries();
        let cells = check.cells(&entries);
        let names = check.names(&entries, &cells);
        let index = check.index(&entries, &names);
        let (lines, steps) = check.steps(&cells, &index);
        let links = Links::new(count, steps);
        let regions = check.regions(&index);
        let edge_properties = check.edges(&index, &links);
        if !check.faults.is_empty() {
            return Err(check.faults);
        }

        let authored = |cell: usize| entries.get(cell).copied().flatten().and_then(|entry| map.cells.get(entry));
        let terrain_names: Vec<Box<str>> = map
            .cells
            .iter()
            .filter(|cell| !cell.absent)
            .filter_map(|cell| cell.terrain.as_deref())
            .collect::<BTreeSet<_>>()
            .into_iter()
            .map(Into::into)
            .collect();
        let terrain_of = |cell: &MapCell| {
            let name = cell.terrain.as_deref()?;
            terrain_names.binary_search_by(|known| (**known).cmp(name)).ok().map(|at| at as u16)
        };
        let by_id = |cell: usize| authored(cell).filter(|cell| !cell.absent);
        let listed = || (0..count).filter_map(|cell| by_id(cell).map(|authored| (CellId::from_index(cell), authored)));
        let mut board = Self {
            topology: map.topology,
            grid,
            terrains: (0..count)
                .map(|cell| by_id(cell).and_then(terrain_of).unwrap_or(NO_TERRAIN))
                .collect(),
            elevations: (0..count).map(|cell| by_id(cell).map_or(0, |cell| cell.elevation)).collect(),
            cell_properties: listed()
                .filter(|(_, authored)| !authored.properties.is_empty())
                .map(|(cell, authored)| (cell, authored.properties.clone()))
                .collect::<BTreeMap<_, _>>()
                .into(),
            outlines: listed()
                .filter(|(_, authored)| !authored.outline.is_empty())
                .map(|(cell, authored)| (cell, authored.outline.clone()))
                .collect::<BTreeMap<_, _>>()
                .into(),
            titles: listed()
                .filter(|(_, authored)| !authored.title.is_empty())
                .map(|(cell, authored)| (cell, authored.title.as_str().into()))
                .collect(),
            positions: if grid.is_some() {
                Arc::default()
            } else {
                map.cells.iter().map(|cell| (cell.x, cell.y)).collect()
            },
            terrain_names,
            by_name: index.values().copied().collect(),
            names: names.into_iter().map(String::into_boxed_str).collect(),
            direction_names: direction_names(grid, &lines),
            neighbour_sets: neighbour_sets(&links, count).into(),
            distances: if grid.is_some() {
                None
            } else {
                Distances::new(&links, count).map(Arc::new)
            },
            shifts: grid.map_or_else(Arc::default, |grid| Shift::all(&links, &cells, grid.directions().len()).into()),
            columns: match map.topology {
                Topology::Square { width, height, .. } => Some(ColumnMasks::new(width.into(), height.into())),
                _ => None,
            },
            drawn_lines: DrawnLines::default(),
            all: cells,
            edge_properties: edge_properties.into(),
            links: links.into(),
            regions,
            lines,
            bounds: Bounds { min: (0, 0), max: (0, 0) },
            point_radius: 0,
        };
        board.bounds = board.drawing_bounds();
        board.point_radius = board.least_point_radius();
        Ok(board)
    }
}

fn direction_names(grid: Option<Grid>, lines: &[BoardLine]) -> Vec<Box<str>> {
    match grid {
        Some(grid) => grid.directions().iter().map(|&name| name.into()).collect(),
        None => lines
            .iter()
            .flat_map(|line| ["+", "-"].map(|sign| format!("{}{sign}", line.name).into_boxed_str()))
            .collect(),
    }
}

fn neighbour_sets(links: &Links, count: usize) -> Vec<CellSet> {
    let kept = if count <= LARGEST_WITH_NEIGHBOUR_SETS { count } else { 0 };
    (0..kept)
        .map(|cell| CellSet::from_cells(count, links.neighbours(CellId::from_index(cell)).iter().copied()))
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::MapEdge;
    use super::super::boards_for_tests::{crossed_map, graph_map, grid_map, maps};
    use super::*;

    #[test]
    fn a_line_may_be_closed() {
        let board = Board::from_map(&graph_map(&["a", "b", "c"], &[&["a", "b", "c", "a"]])).unwrap();
        let forward = board.find_direction("line1+").unwrap();
        assert_eq!(board.ray(CellId(1), forward).collect::<Vec<_>>(), [CellId(2), CellId(0)]);
        assert_eq!(board.edge_count(), 3);
    }

    #[test]
    fn special_cells_keep_what_the_map_says() {
        let mut map = grid_map(3, 2);
        map.cells = vec![
            MapCell {
                terrain: Some("wood".into()),
                elevation: -2,
                ..MapCell::new("home", 2, 1)
            },
            MapCell {
                properties: [("price".to_owned(), "3".to_owned())].into(),
                ..MapCell::new("", 1, 0)
            },
            MapCell {
                terrain: Some("lake".into()),
                ..MapCell::hole(0, 1)
            },
        ];
        map.edges = vec![MapEdge {
            a: "home".into(),
            b: "c1".into(),
            properties: [("river".to_owned(), "true".to_owned())].into(),
        }];
        let board = Board::from_map(&map).unwrap();
        let home = board.find_cell("home").unwrap();
        assert_eq!((home, board.find_cell("c2"), board.find_cell("a2")), (CellId(5), None, None));
        assert_eq!(
            (
                board.base_terrain_name(home),
                board.base_terrain_name(CellId(0)),
                board.elevation(home)
            ),
            (Some("wood"), None, -2)
        );
        assert_eq!(board.terrain_names().collect::<Vec<_>>(), ["wood"]);
        assert_eq!(board.authored_properties(CellId(1))["price"], "3");
        assert!(board.authored_properties(home).is_empty());
        let river = board.edge_between(home, CellId(2)).unwrap();
        assert_eq!(board.authored_edge_properties(river)["river"], "true");
        assert_eq!((board.cell_count(), board.cells().count(), board.cell_name(CellId(3))), (6, 5, ""));
        assert_eq!(
            board.bounds(),
            Bounds {
                min: (0, 0),
                max: (3000, 2000)
            }
        );
    }

    #[test]
    fn lines_give_steps_and_hops() {
        let board = Board::from_map(&crossed_map()).unwrap();
        assert_eq!((board.cell_count(), board.edge_count(), board.direction_count()), (25, 56, 32));
        let hops = board
            .cells()
            .flat_map(|cell| {
                board
                    .steps(cell)
                    .iter()
                    .filter(|&&(direction, over)| board.step(over, direction).is_some())
            })
            .count();
        assert_eq!(hops, 2 * (15 + 15 + 3 + 3 + 4));
    }

    proptest! {
        #[test]
        fn boards_of_one_map_are_equal_and_maps_read_back_from_text(map in maps()) {
            let text = serde_json::to_string(&map).unwrap();
            let again: Map = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(&again, &map);
            prop_assert_eq!(Board::from_map(&again), Board::from_map(&map));
        }
    }
}
