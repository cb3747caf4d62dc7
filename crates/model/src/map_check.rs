//! Everything that is checked about a map.

use std::collections::{BTreeMap, BTreeSet};

use super::board::Region;
use super::links::Links;
use super::map_fault::{FURTHEST_POINT, LONGEST_NAME, MOST_LINES, MOST_REGIONS};
use super::topology::Grid;
use super::{AuthoredProperties, BoardLine, CellId, CellSet, DirectionId, EdgeId, Map, MapCell, MapFault, Topology};

/// A map on its way to a board, and what was found wrong so far.
pub(super) struct MapCheck<'a> {
    map: &'a Map,
    grid: Option<Grid>,
    count: usize,
    pub(super) faults: Vec<MapFault>,
}

impl<'a> MapCheck<'a> {
    /// `count` is the number of ids, neither 0 nor too large.
    pub(super) const fn new(map: &'a Map, grid: Option<Grid>, count: usize) -> Self {
        Self {
            map,
            grid,
            count,
            faults: Vec::new(),
        }
    }

    /// For each cell of the board its entry in the map's list.
    pub(super) fn entries(&mut self) -> Vec<Option<usize>> {
        let mut entries = vec![None; self.count];
        for (entry, cell) in self.map.cells.iter().enumerate() {
            self.check_cell(entry, cell);
            let at = match self.grid {
                Some(grid) => grid.id((cell.x, cell.y)).map(CellId::index),
                None => Some(entry),
            };
            match at.and_then(|at| entries.get_mut(at)) {
                None => self.faults.push(MapFault::OffGrid(entry, self.label(cell), (cell.x, cell.y))),
                Some(Some(_)) => self.faults.push(MapFault::PlaceTaken(entry, self.label(cell), (cell.x, cell.y))),
                Some(free) => *free = Some(entry),
            }
        }
        entries
    }

    /// What is wrong with a cell taken by itself.
    fn check_cell(&mut self, entry: usize, cell: &MapCell) {
        let name = self.label(cell);
        if !is_name(&name) && (self.grid.is_none() || !cell.name.is_empty()) {
            self.faults.push(MapFault::CellName(entry, cell.name.clone()));
        }
        if self.grid.is_some() {
            if !cell.outline.is_empty() {
                self.faults.push(MapFault::OutlineOnGrid(entry, name));
            }
            return;
        }
        if cell.absent {
            self.faults.push(MapFault::HoleInGraph(entry, name.clone()));
        }
        for (part, _) in cell.outline.iter().enumerate().filter(|(_, points)| points.len() < 3) {
            self.faults.push(MapFault::OutlineTooShort(entry, name.clone(), part));
        }
        let is_far = |&(x, y): &(i32, i32)| x.unsigned_abs().max(y.unsigned_abs()) > FURTHEST_POINT as u32;
        if let Some(point) = cell.outline.iter().flatten().copied().chain([(cell.x, cell.y)]).find(is_far) {
            self.faults.push(MapFault::TooFarOut(entry, name, point));
        }
    }

    /// What to call an entry: its name, or the default for its place.
    fn label(&self, cell: &MapCell) -> String {
        if cell.name.is_empty() && self.grid.is_some() {
            return Topology::default_name(cell.x, cell.y).unwrap_or_default();
        }
        cell.name.clone()
    }

    /// The cell of an entry.
    fn written(&self, entry: Option<usize>) -> Option<&'a MapCell> {
        self.map.cells.get(entry?)
    }

    pub(super) fn cells(&mut self, entries: &[Option<usize>]) -> CellSet {
        let mut cells = CellSet::full(self.count);
        if self.grid.is_some() {
            for (cell, entry) in entries.iter().enumerate() {
                if self.written(*entry).is_some_and(|cell| cell.absent) {
                    cells.remove(CellId::from_index(cell));
                }
            }
        }
        if cells.is_empty() {
            self.faults.push(MapFault::NoCells);
        }
        cells
    }

    /// The name of each cell; empty for holes.
    pub(super) fn names(&self, entries: &[Option<usize>], cells: &CellSet) -> Vec<String> {
        let name = |(cell, entry): (usize, &Option<usize>)| {
            let cell = CellId::from_index(cell);
            let given = self.written(*entry).map_or("", |cell| &cell.name);
            match self.grid {
                _ if !cells.contains(cell) => String::new(),
                Some(grid) if given.is_empty() => {
                    let (x, y) = grid.place(cell);
                    Topology::default_name(x, y).unwrap_or_default()
                }
                _ => given.to_owned(),
            }
        };
        entries.iter().enumerate().map(name).collect()
    }

    pub(super) fn index<'n>(&mut self, entries: &[Option<usize>], names: &'n [String]) -> BTreeMap<&'n str, CellId> {
        let mut index: BTreeMap<&str, CellId> = BTreeMap::new();
        for (cell, name) in names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
            let Some(first) = index.insert(name, CellId::from_index(cell)) else {
                continue;
            };
            // The entry to blame is one that writes the name, if there are two the later one.
            let writes = |entry: &Option<usize>| self.written(*entry).is_some_and(|cell| !cell.name.is_empty());
            let entry_of = |cell: usize| entries.get(cell).copied().filter(writes).flatten();
            let entry = entry_of(cell).max(entry_of(first.index())).unwrap_or_default();
            self.faults.push(MapFault::CellNameTaken(entry, name.clone()));
            index.insert(name, first);
        }
        index
    }

    /// The lines, and all steps: along them, or on a grid to the neighbours.
    pub(super) fn steps(
        &mut self,
        cells: &CellSet,
        index: &BTreeMap<&str, CellId>,
    ) -> (Vec<BoardLine>, Vec<(CellId, DirectionId, CellId)>) {
        let Some(grid) = self.grid else { return self.line_steps(index) };
        self.faults.extend((0..self.map.lines.len()).map(MapFault::LineOnGrid));
        let directions = 0..grid.directions().len();
        let mut steps = Vec::with_capacity(self.count * directions.len());
        for cell in cells {
            let place = grid.place(cell);
            steps.extend(directions.clone().filter_map(|direction| {
                let to = grid.id(grid.neighbour(place, direction)).filter(|&to| cells.contains(to))?;
                Some((cell, DirectionId::from_index(direction), to))
            }));
        }
        (Vec::new(), steps)
    }

    fn line_steps(&mut self, index: &BTreeMap<&str, CellId>) -> (Vec<BoardLine>, Vec<(CellId, DirectionId, CellId)>) {
        if self.map.lines.len() > MOST_LINES {
            self.faults.push(MapFault::TooManyLines(self.map.lines.len()));
            return (Vec::new(), Vec::new());
        }
        let mut lines: Vec<BoardLine> = Vec::with_capacity(self.map.lines.len());
        let mut steps = Vec::new();
        let mut taken_names: BTreeSet<String> = BTreeSet::new();
        let mut joined: BTreeMap<(CellId, CellId), usize> = BTreeMap::new();
        for (line, authored) in self.map.lines.iter().enumerate() {
            let name = authored.name.clone().unwrap_or_else(|| format!("line{}", line + 1));
            if !is_name(&name) {
                self.faults.push(MapFault::LineName(line, name.clone()));
            } else if !taken_names.insert(name.clone()) {
                self.faults.push(MapFault::LineNameTaken(line, name.clone()));
            }
            if authored.cells.len() < 2 {
                self.faults.push(MapFault::LineTooShort(line, name.clone()));
            }
            let mut seen = BTreeSet::new();
            let is_closed = authored.cells.len() > 2 && authored.cells.first() == authored.cells.last();
            for (at, cell) in authored.cells.iter().enumerate() {
                if !index.contains_key(cell.as_str()) {
                    if seen.insert(cell) {
                        self.faults.push(MapFault::UnknownCellInLine(line, name.clone(), cell.clone()));
                    }
                    continue;
                }
                let closes = is_closed && at + 1 == authored.cells.len();
                if !seen.insert(cell) && !closes {
                    self.faults.push(MapFault::CellTwiceInLine(line, name.clone(), cell.clone()));
                }
            }
            let cells: Vec<CellId> = authored.cells.iter().filter_map(|cell| index.get(cell.as_str()).copied()).collect();
            let (there, back) = (DirectionId::from_index(2 * line), DirectionId::from_index(2 * line + 1));
            for (pair, written) in cells.windows(2).zip(authored.cells.windows(2)) {
                let (&[a, b], [name_a, name_b]) = (pair, written) else { continue };
                let before = joined
                    .insert((a.min(b), a.max(b)), line)
                    .filter(|_| a != b && cells.len() == authored.cells.len());
                if let Some(before) = before {
                    let other = lines.get(before).map_or_else(|| name.clone(), |line| line.name.to_string());
                    self.faults
                        .push(MapFault::PairTwice(line, name.clone(), other, [name_a.clone(), name_b.clone()]));
                }
                steps.extend([(a, there, b), (b, back, a)]);
            }
            lines.push(BoardLine {
                name: name.into_boxed_str(),
                cells,
            });
        }
        (lines, steps)
    }

    pub(super) fn regions(&mut self, index: &BTreeMap<&str, CellId>) -> Vec<Region> {
        if self.map.regions.len() > MOST_REGIONS {
            self.faults.push(MapFault::TooManyRegions(self.map.regions.len()));
            return Vec::new();
        }
        let mut regions = Vec::with_capacity(self.map.regions.len());
        let mut taken_names = BTreeSet::new();
        for (region, authored) in self.map.regions.iter().enumerate() {
            let name = &authored.name;
            if !is_name(name) {
                self.faults.push(MapFault::RegionName(region, name.clone()));
            } else if !taken_names.insert(name) {
                self.faults.push(MapFault::RegionNameTaken(region, name.clone()));
            }
            let mut cells = CellSet::empty(self.count);
            for cell in &authored.cells {
                match index.get(cell.as_str()) {
                    None => self.faults.push(MapFault::UnknownCellInRegion(region, name.clone(), cell.clone())),
                    Some(&known) if !cells.insert(known) => {
                        self.faults.push(MapFault::CellTwiceInRegion(region, name.clone(), cell.clone()));
                    }
                    Some(_) => {}
                }
            }
            regions.push(Region {
                name: name.as_str().into(),
                cells,
            });
        }
        regions
    }

    pub(super) fn edges(&mut self, index: &BTreeMap<&str, CellId>, links: &Links) -> BTreeMap<EdgeId, AuthoredProperties> {
        let mut edges = BTreeMap::new();
        for (edge, authored) in self.map.edges.iter().enumerate() {
            let names = [authored.a.clone(), authored.b.clone()];
            let ends = [&authored.a, &authored.b].map(|name| index.get(name.as_str()).copied());
            for (name, _) in names.iter().zip(ends).filter(|(_, end)| end.is_none()) {
                self.faults.push(MapFault::UnknownCellInEdge(edge, names.clone(), name.clone()));
            }
            let [Some(end_a), Some(end_b)] = ends else { continue };
            match links.edge_between(end_a, end_b) {
                None => self.faults.push(MapFault::NotNeighbours(edge, names)),
                Some(known) => {
                    if edges.insert(known, authored.properties.clone()).is_some() {
                        self.faults.push(MapFault::EdgeTwice(edge, names));
                    }
                }
            }
        }
        edges
    }
}

/// Whether a text may be the name of a cell, line or region.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.trim() == text && text.chars().count() <= LONGEST_NAME && !text.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::super::boards_for_tests::{edge, graph_map, grid_map};
    use super::super::{Board, MapLine, MapPlace, MapRegion};
    use super::*;

    fn faults(map: &Map) -> Vec<String> {
        Board::from_map(map).unwrap_err().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn sizes_must_be_sane() {
        assert_eq!(faults(&grid_map(0, 5)), ["the map has no cells"]);
        assert_eq!(faults(&graph_map(&[], &[])), ["the map has no cells"]);
        assert_eq!(faults(&grid_map(201, 200)), ["the map has 40200 cells, more than 40000"]);
        assert_eq!(
            faults(&grid_map(u16::MAX, u16::MAX)),
            ["the map has 4294836225 cells, more than 40000"]
        );
        let mut all_holes = grid_map(1, 1);
        all_holes.cells.push(MapCell::hole(0, 0));
        assert_eq!(faults(&all_holes), ["the map has no cells"]);
    }

    #[test]
    fn every_fault_of_a_grid_is_reported_at_once() {
        let mut map = grid_map(3, 3);
        map.cells = vec![
            MapCell::new("b1", 0, 0),
            MapCell::new("", 3, 0),
            MapCell::new("", 2, 2),
            MapCell {
                outline: vec![vec![(0, 0)]],
                ..MapCell::new("x", 2, 2)
            },
            MapCell::new(" y", 1, 2),
            MapCell::hole(0, 1),
            MapCell::new("", -1, 0),
        ];
        map.lines = vec![MapLine::new(["a1", "b1"])];
        map.regions = vec![
            MapRegion {
                name: "west".into(),
                cells: vec!["a1".into(), "a2".into()],
            },
            MapRegion {
                name: "west".into(),
                cells: vec!["c1".into(), "c1".into()],
            },
            MapRegion {
                name: String::new(),
                cells: vec![],
            },
        ];
        map.edges = [("c1", "c2"), ("c2", "c1"), ("c1", "b2"), ("q1", "c1")]
            .map(|(a, b)| edge(a, b))
            .into();
        assert_eq!(
            faults(&map),
            [
                r#"cell "d1" at column 3, row 0 lies outside the grid"#,
                r#"cell "x" has an outline: only areas of a free graph do"#,
                r#"cell "x" at column 2, row 2 is described twice"#,
                r#"cell 5 has no usable name: " y""#,
                r#"cell "" at column -1, row 0 lies outside the grid"#,
                r#"there are two cells "b1""#,
                "line 1 is drawn on a grid: only free graphs have lines",
                r#"region "west" has an unknown cell "a1""#,
                r#"region "west" has an unknown cell "a2""#,
                r#"there are two regions "west""#,
                r#"region "west" names cell "c1" twice"#,
                r#"region 3 has no usable name: """#,
                r#"the edge between cells "c2" and "c1" is described twice"#,
                r#"cells "c1" and "b2" have no edge between them"#,
                r#"the edge "q1" - "c1" has an unknown cell "q1""#,
            ]
        );
    }

    #[test]
    fn every_fault_of_a_graph_is_reported_at_once() {
        let mut map = graph_map(
            &["a", "b", "c", "b", "", "d"],
            &[
                &["a", "b", "c"],
                &["a"],
                &["a", "z"],
                &["b", "a"],
                &["c", "c"],
                &["a", "c", "d", "c"],
                &["a", "d", "a"],
            ],
        );
        map.cells[0].absent = true;
        map.cells[1].x = i32::MIN;
        map.cells[2].outline = vec![vec![(0, 0), (1, 1), (2, 0)], vec![(0, 0), (1, 1)]];
        map.lines[0].name = Some("line2".into());
        map.lines[2].name = Some("\n".into());
        let found = Board::from_map(&map).unwrap_err();
        assert_eq!(
            found.iter().map(ToString::to_string).collect::<Vec<_>>(),
            [
                r#"cell "a" is absent: only grids have holes"#,
                r#"cell "b" is drawn at (-2147483648, 0), further than 100000000 from the origin"#,
                r#"part 2 of the outline of cell "c" has fewer than three points"#,
                r#"cell 5 has no usable name: """#,
                r#"there are two cells "b""#,
                r#"there are two lines "line2""#,
                r#"line "line2" has fewer than two cells"#,
                r#"line 3 has no usable name: "\n""#,
                "line \"\n\" runs through an unknown cell \"z\"",
                r#"line "line4" joins cells "b" and "a", which line "line2" does already"#,
                r#"line "line5" runs through cell "c" twice"#,
                r#"line "line6" runs through cell "c" twice"#,
                r#"line "line6" joins cells "d" and "c", which line "line6" does already"#,
                r#"line "line7" joins cells "d" and "a", which line "line7" does already"#,
            ]
        );
        assert_eq!(found[3].place(), MapPlace::Cell(4));
        assert_eq!(found[9].place(), MapPlace::Line(3));
    }
}
