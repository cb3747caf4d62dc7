//! Painting: which cells a tool covers, and the edits that give them something.
//!
//! ```
//! use boardwright_editing::{Draft, Lattice, Step, StepKind, paint};
//! use boardwright_model::{Map, Topology};
//!
//! let topology = Topology::Square { width: 5, height: 5, diagonals: false };
//! let mut draft = Draft::Map(Map::new("m", "M", topology));
//! # let map = draft.map().ok_or("a map")?;
//! let lattice = Lattice::of(map).map_err(|_| "a size")?;
//! let middle = lattice.cell_at((2, 2)).ok_or("a cell")?;
//! let cells = paint::brush(&lattice, middle, 2);
//! assert_eq!(cells.count(), 5);
//! let step = Step::new(StepKind::Paint, paint::terrain(map, &lattice, &cells, Some("wood")));
//! let undo = step.apply(&mut draft);
//! let _ = undo.apply(&mut draft);
//! assert_eq!(draft, Draft::Map(Map::new("m", "M", topology)));
//! # Ok::<(), &str>(())
//! ```

use std::collections::{BTreeMap, BTreeSet};

use boardwright_model::{AuthoredProperties, CellId, CellSet, Map, MapCell, MapEdge, MapRegion};

use super::lattice::place_name;
use super::{Edit, Lattice, Place, Splice, grid_cells};

/// The cells that a round brush covers: those nearer than its size. A brush of size 1 covers one cell.
pub fn brush(lattice: &Lattice, at: CellId, size: u32) -> CellSet {
    lattice.board().disk(at, size.saturating_sub(1))
}

/// The cells that a brush covers on its straight way from one cell to another. On free graphs those at both ends.
pub fn line(lattice: &Lattice, from: CellId, to: CellId, size: u32) -> CellSet {
    let way = lattice.board().line(from, to).unwrap_or_else(|| vec![from, to]);
    let mut cells = lattice.no_cells();
    for cell in way {
        cells.union_with(&brush(lattice, cell, size));
    }
    cells
}

/// The cells between two corners, in columns and rows; of free graphs those drawn between them. With or without those inside.
pub fn rectangle(lattice: &Lattice, from: CellId, to: CellId, is_filled: bool) -> CellSet {
    let board = lattice.board();
    let at = |cell: CellId| lattice.place(cell).unwrap_or_else(|| board.position(cell));
    let ((ax, ay), (bx, by)) = (at(from), at(to));
    let (columns, rows) = (ax.min(bx)..=ax.max(bx), ay.min(by)..=ay.max(by));
    let is_border = |(x, y): Place| x == *columns.start() || x == *columns.end() || y == *rows.start() || y == *rows.end();
    let is_in = |place: Place| columns.contains(&place.0) && rows.contains(&place.1) && (is_filled || is_border(place));
    CellSet::from_cells(board.cell_count(), board.cells().filter(|cell| is_in(at(*cell))))
}

/// What is seen of a cell when areas are filled: its terrain, or that it is a hole.
fn ground(map: &Map, lattice: &Lattice, cell: CellId) -> (Option<String>, bool) {
    let entry = match lattice.place(cell) {
        Some(place) => grid_cells::find(map, place),
        None => map.cells.get(cell.index()),
    };
    entry.map_or((None, false), |entry| (entry.terrain.clone(), entry.absent))
}

/// The terrain of each cell, and whether it is a hole, by the position of the cell.
fn grounds<'a>(map: &'a Map, lattice: &Lattice) -> Vec<(Option<&'a str>, bool)> {
    let mut grounds = vec![(None, false); lattice.board().cell_count()];
    for (index, entry) in map.cells.iter().enumerate() {
        let cell = if map.topology.size().is_some() {
            lattice.cell_at((entry.x, entry.y))
        } else {
            Some(CellId::from_index(index))
        };
        if let Some(slot) = cell.and_then(|cell| grounds.get_mut(cell.index())) {
            *slot = (entry.terrain.as_deref(), entry.absent);
        }
    }
    grounds
}

/// The cells that hang together with one and have the same ground.
pub fn flood(map: &Map, lattice: &Lattice, from: CellId) -> CellSet {
    let same = same_ground(map, lattice, from);
    let start = CellSet::from_cells(lattice.board().cell_count(), [from]);
    lattice.board().flood(&start, &same)
}

/// All cells that have the same ground as one.
pub fn same_ground(map: &Map, lattice: &Lattice, as_cell: CellId) -> CellSet {
    let (terrain, absent) = ground(map, lattice, as_cell);
    let grounds = grounds(map, lattice);
    let is_same = |cell: &CellId| grounds.get(cell.index()) == Some(&(terrain.as_deref(), absent));
    CellSet::from_cells(lattice.board().cell_count(), lattice.board().cells().filter(is_same))
}

/// All cells of a terrain; with `None` those without one that are no holes.
pub fn cells_of_terrain(map: &Map, lattice: &Lattice, terrain: Option<&str>) -> CellSet {
    let grounds = grounds(map, lattice);
    let is_it = |cell: &CellId| grounds.get(cell.index()) == Some(&(terrain, false));
    CellSet::from_cells(lattice.board().cell_count(), lattice.board().cells().filter(is_it))
}

/// What is said of cells changed by a function, as edits. On grids an entry that ends as it was is left out.
pub(crate) fn change_cells(map: &Map, lattice: &Lattice, cells: &CellSet, mut change: impl FnMut(&mut MapCell)) -> Vec<Edit> {
    let mut of_grid = Vec::new();
    let mut edits = Vec::new();
    for cell in cells {
        let place = lattice.place(cell);
        let old = match place {
            Some(place) => Some(grid_cells::entry(map, place)),
            None => map.cells.get(cell.index()).cloned(),
        };
        let Some(old) = old else { continue };
        let mut new = old.clone();
        change(&mut new);
        if new == old {
            continue;
        }
        match place {
            Some(place) => of_grid.push((place, Some(new))),
            None => edits.push(Edit::Points(Splice::replace(cell.index(), new))),
        }
    }
    if !of_grid.is_empty() {
        edits.push(Edit::Cells(of_grid));
    }
    edits
}

/// Gives cells a terrain, or takes it from them. Holes that get one are cells again.
pub fn terrain(map: &Map, lattice: &Lattice, cells: &CellSet, terrain: Option<&str>) -> Vec<Edit> {
    if map.topology.size().is_none() {
        return change_cells(map, lattice, cells, |cell| cell.terrain = terrain.map(str::to_owned));
    }
    let mut holes = lattice.no_cells();
    let mut changes = Vec::new();
    for cell in cells {
        let Some(place) = lattice.place(cell) else { continue };
        let entry = grid_cells::find(map, place);
        if entry.is_some_and(|entry| entry.absent) {
            holes.insert(cell);
        } else if entry.and_then(|entry| entry.terrain.as_deref()) != terrain {
            changes.push((place, terrain.map(str::to_owned)));
        }
    }
    let mut edits = Vec::new();
    if !changes.is_empty() {
        edits.push(Edit::Terrain(changes));
    }
    if terrain.is_some() {
        edits.extend(change_cells(map, lattice, &holes, |cell| {
            (cell.absent, cell.terrain) = (false, terrain.map(str::to_owned));
        }));
    }
    edits
}

/// How an elevation is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Height {
    /// It becomes this.
    To(i16),
    /// So much is added.
    By(i16),
}

/// Raises or lowers cells.
pub fn elevation(map: &Map, lattice: &Lattice, cells: &CellSet, height: Height) -> Vec<Edit> {
    change_cells(map, lattice, cells, |cell| {
        cell.elevation = match height {
            Height::To(elevation) => elevation,
            Height::By(steps) => cell.elevation.saturating_add(steps),
        };
    })
}

/// Gives cells a property, or takes it from them.
pub fn property(map: &Map, lattice: &Lattice, cells: &CellSet, name: &str, value: Option<&str>) -> Vec<Edit> {
    change_cells(map, lattice, cells, |cell| set_property(&mut cell.properties, name, value))
}

fn set_property(properties: &mut AuthoredProperties, name: &str, value: Option<&str>) {
    match value {
        Some(value) => drop(properties.insert(name.to_owned(), value.to_owned())),
        None => drop(properties.remove(name)),
    }
}

/// Gives the edge between two cells a property, or takes it from it. An edge without properties is not listed.
pub fn edge_property(map: &Map, [a, b]: [&str; 2], name: &str, value: Option<&str>) -> Vec<Edit> {
    let is_it = |edge: &MapEdge| (edge.a == a && edge.b == b) || (edge.a == b && edge.b == a);
    let Some((index, old)) = map.edges.iter().enumerate().find(|(_, edge)| is_it(edge)) else {
        let Some(value) = value else { return Vec::new() };
        let edge = MapEdge {
            a: a.to_owned(),
            b: b.to_owned(),
            properties: [(name.to_owned(), value.to_owned())].into(),
        };
        return vec![Edit::Edges(Splice::insert(map.edges.len(), edge))];
    };
    let mut new = old.clone();
    set_property(&mut new.properties, name, value);
    if new == *old {
        Vec::new()
    } else if new.properties.is_empty() {
        vec![Edit::Edges(Splice::remove(index))]
    } else {
        vec![Edit::Edges(Splice::replace(index, new))]
    }
}

/// Makes holes of cells of a grid. What regions and edges say of them goes.
pub fn make_holes(map: &Map, lattice: &Lattice, cells: &CellSet) -> Vec<Edit> {
    let places = || cells.iter().filter_map(|cell| lattice.place(cell));
    let names: BTreeSet<String> = places().map(|place| place_name(map, place)).collect();
    let mut edits = forget_names(map, &names);
    let is_hole = |place: &Place| grid_cells::find(map, *place) == Some(&MapCell::hole(place.0, place.1));
    let holes = places().filter(|place| !is_hole(place));
    let holes: Vec<_> = holes.map(|place| (place, Some(MapCell::hole(place.0, place.1)))).collect();
    if !holes.is_empty() {
        edits.push(Edit::Cells(holes));
    }
    edits
}

/// Makes cells of holes of a grid.
pub fn fill_holes(map: &Map, lattice: &Lattice, cells: &CellSet) -> Vec<Edit> {
    change_cells(map, lattice, cells, |cell| cell.absent = false)
}

/// Takes cells out of all regions, edges and lines, given by their names. Regions stay even if no cell is left; lines do not with fewer than two.
pub(crate) fn forget_names(map: &Map, names: &BTreeSet<String>) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (index, region) in map.regions.iter().enumerate() {
        edits.extend(without(&region.cells, names).map(|splice| Edit::RegionCells(index, splice)));
    }
    for (index, edge) in map.edges.iter().enumerate().rev() {
        if names.contains(&edge.a) || names.contains(&edge.b) {
            edits.push(Edit::Edges(Splice::remove(index)));
        }
    }
    for (index, line) in map.lines.iter().enumerate().rev() {
        if line.cells.iter().any(|cell| names.contains(cell)) {
            // What lies on both sides of a cell that goes is not joined: that would be another line.
            let parts = line.cells.split(|cell| names.contains(cell)).filter(|part| part.len() > 1);
            let part = |(number, cells): (usize, &[String])| boardwright_model::MapLine {
                name: line.name.clone().filter(|_| number == 0),
                cells: cells.to_vec(),
            };
            edits.push(Edit::Lines(Splice {
                at: index,
                remove: 1,
                insert: parts.enumerate().map(part).collect(),
            }));
        }
    }
    edits
}

/// What takes names out of a list, if any of them are in it: one splice from the first to the last.
fn without(list: &[String], names: &BTreeSet<String>) -> Option<Splice<String>> {
    let is_gone = |name: &String| names.contains(name);
    let first = list.iter().position(is_gone)?;
    let last = list.iter().rposition(is_gone)?;
    let between = list.get(first..=last).unwrap_or_default();
    Some(Splice {
        at: first,
        remove: between.len(),
        insert: between.iter().filter(|name| !is_gone(name)).cloned().collect(),
    })
}

/// Renames cells wherever a map names them: `names` leads from old names to new ones. The entries of the cells themselves are not touched.
pub(crate) fn rename_everywhere(map: &Map, names: &BTreeMap<String, String>) -> Vec<Edit> {
    let new_name = |name: &String| names.get(name).unwrap_or(name).clone();
    let is_named = |cells: &[String]| cells.iter().any(|cell| names.contains_key(cell));
    let mut edits = Vec::new();
    for (index, region) in map.regions.iter().enumerate().filter(|(_, region)| is_named(&region.cells)) {
        let cells = region.cells.iter().map(new_name).collect();
        edits.push(Edit::RegionCells(
            index,
            Splice {
                at: 0,
                remove: region.cells.len(),
                insert: cells,
            },
        ));
    }
    for (index, line) in map.lines.iter().enumerate().filter(|(_, line)| is_named(&line.cells)) {
        let mut line = line.clone();
        line.cells = line.cells.iter().map(new_name).collect();
        edits.push(Edit::Lines(Splice::replace(index, line)));
    }
    for (index, edge) in map.edges.iter().enumerate() {
        if names.contains_key(&edge.a) || names.contains_key(&edge.b) {
            let edge = MapEdge {
                a: new_name(&edge.a),
                b: new_name(&edge.b),
                ..edge.clone()
            };
            edits.push(Edit::Edges(Splice::replace(index, edge)));
        }
    }
    edits
}

/// Gives a cell a name, also wherever the map names it. On grids an empty name is that of its place. Nothing where another cell has the name.
pub fn name_cell(map: &Map, lattice: &Lattice, cell: CellId, name: &str) -> Vec<Edit> {
    let old = lattice.name(map, cell);
    let name = name.trim();
    let default = lattice
        .place(cell)
        .and_then(|(column, row)| boardwright_model::Topology::default_name(column, row));
    let own = if default.as_deref() == Some(name) { "" } else { name };
    let new = if own.is_empty() {
        default.unwrap_or_default()
    } else {
        own.to_owned()
    };
    let is_taken = |other: CellId| other != cell && lattice.name(map, other) == new;
    if new.is_empty() || new == old || lattice.board().cells().any(is_taken) {
        return Vec::new();
    }
    let only = CellSet::from_cells(lattice.board().cell_count(), [cell]);
    let mut edits = rename_everywhere(map, &[(old, new)].into());
    edits.extend(change_cells(map, lattice, &only, |cell| own.clone_into(&mut cell.name)));
    edits
}

/// Makes a region of cells. Its name is the given one, with a number if that is taken.
pub fn new_region(map: &Map, lattice: &Lattice, name: &str, cells: &CellSet) -> Vec<Edit> {
    let is_taken = |name: &str| map.regions.iter().any(|region| region.name == name);
    let region = MapRegion {
        name: free_name(name, is_taken),
        cells: cells.iter().map(|cell| lattice.name(map, cell)).collect(),
    };
    vec![Edit::Regions(Splice::insert(map.regions.len(), region))]
}

/// A name, with a number behind it if it is taken.
pub(crate) fn free_name(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    if !name.is_empty() && !is_taken(name) {
        return name.to_owned();
    }
    let mut number = 2;
    loop {
        let numbered = format!("{name}{number}");
        if !is_taken(&numbered) {
            return numbered;
        }
        number += 1;
    }
}

/// Gives a region another name. Nothing where another one has it.
pub fn rename_region(map: &Map, index: usize, name: &str) -> Vec<Edit> {
    let is_taken = map.regions.iter().any(|region| region.name == name);
    match map.regions.get(index).filter(|_| !is_taken && !name.is_empty()) {
        Some(region) => {
            let name = name.to_owned();
            vec![Edit::Regions(Splice::replace(index, MapRegion { name, ..region.clone() }))]
        }
        None => Vec::new(),
    }
}

/// Adds cells to a region, behind those that it has.
pub fn add_to_region(map: &Map, lattice: &Lattice, index: usize, cells: &CellSet) -> Vec<Edit> {
    let Some(region) = map.regions.get(index) else { return Vec::new() };
    let there: BTreeSet<&String> = region.cells.iter().collect();
    let names = cells.iter().map(|cell| lattice.name(map, cell));
    let insert: Vec<String> = names.filter(|name| !there.contains(name)).collect();
    if insert.is_empty() {
        return Vec::new();
    }
    let at = region.cells.len();
    vec![Edit::RegionCells(index, Splice { at, remove: 0, insert })]
}

/// Takes cells out of a region.
pub fn take_from_region(map: &Map, lattice: &Lattice, index: usize, cells: &CellSet) -> Vec<Edit> {
    let names = cells.iter().map(|cell| lattice.name(map, cell)).collect();
    let splice = map.regions.get(index).and_then(|region| without(&region.cells, &names));
    splice.into_iter().map(|splice| Edit::RegionCells(index, splice)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Draft, Step, StepKind};
    use boardwright_model::{Offset, Orientation, Topology};

    fn hexes(width: u16, height: u16) -> (Draft, Lattice) {
        let map = Map::new(
            "m",
            "M",
            Topology::Hex {
                width,
                height,
                orientation: Orientation::Pointy,
                offset: Offset::Odd,
            },
        );
        let lattice = Lattice::of(&map).unwrap();
        (Draft::Map(map), lattice)
    }

    fn apply(draft: &mut Draft, edits: Vec<Edit>) {
        drop(Step::new(StepKind::Paint, edits).apply(draft));
    }

    #[test]
    fn a_fill_stops_at_a_line_and_at_holes() {
        let (mut draft, lattice) = hexes(5, 5);
        let at = |column, row| lattice.cell_at((column, row)).unwrap();
        let wall = line(&lattice, at(2, 0), at(2, 4), 1);
        let edits = terrain(draft.map().unwrap(), &lattice, &wall, Some("wall"));
        apply(&mut draft, edits);
        let left = flood(draft.map().unwrap(), &lattice, at(0, 0));
        assert!(left.contains(at(0, 4)) && !left.contains(at(4, 0)));
        let edits = make_holes(draft.map().unwrap(), &lattice, &wall);
        apply(&mut draft, edits);
        assert_eq!(flood(draft.map().unwrap(), &lattice, at(0, 0)), left);
        assert_eq!(flood(draft.map().unwrap(), &lattice, at(2, 2)), wall);
        let edits = terrain(draft.map().unwrap(), &lattice, &wall, Some("wood"));
        apply(&mut draft, edits);
        assert_eq!(cells_of_terrain(draft.map().unwrap(), &lattice, Some("wood")), wall);
    }

    #[test]
    fn a_cell_that_becomes_a_hole_leaves_its_regions_and_edges() {
        let (mut draft, lattice) = hexes(3, 1);
        let map = draft.map().unwrap();
        let row = rectangle(&lattice, CellId(0), CellId(2), true);
        let mut edits = new_region(map, &lattice, "row", &row);
        edits.extend(edge_property(map, ["a1", "b1"], "river", Some("yes")));
        apply(&mut draft, edits);
        let edits = name_cell(draft.map().unwrap(), &lattice, CellId(1), "ford");
        apply(&mut draft, edits);
        let map = draft.map().unwrap();
        assert_eq!((&*map.regions[0].cells.join(" "), &*map.edges[0].b), ("a1 ford c1", "ford"));
        assert!(name_cell(map, &lattice, CellId(0), "ford").is_empty(), "the name is taken");
        let edits = make_holes(map, &lattice, &brush(&lattice, CellId(1), 1));
        apply(&mut draft, edits);
        let map = draft.map().unwrap();
        assert_eq!(map.regions[0].cells, ["a1", "c1"]);
        assert!(map.edges.is_empty() && boardwright_model::Board::from_map(map).is_ok());
    }
}
