//! Selected cells: copied, cut, pasted, moved, turned and mirrored.

use std::collections::{BTreeMap, BTreeSet};

use boardwright_model::{AuthoredProperties, CellId, CellSet, Map, MapCell, MapEdge, MapLine, Offset, Orientation, Topology};
use hexx::{Hex, HexOrientation, OffsetHexMode};

use super::lattice::place_name;
use super::paint::{free_name, rename_everywhere};
use super::{Edit, Lattice, Place, Splice, grid_cells, points};

/// What was copied of a map: cells with where they lie to each other, and what joins them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clip {
    shape: Shape,
    /// The cells by how far they lie from the one in the middle: in columns and rows of squares, in axial coordinates of hexes, in
    /// thousandths of the drawing on free graphs.
    cells: Vec<((i32, i32), MapCell)>,
    /// What is said of edges between them, by their positions in the list.
    edges: Vec<([usize; 2], AuthoredProperties)>,
    /// The lines of a free graph through them alone.
    lines: Vec<Vec<usize>>,
}

/// How cells lie that can be pasted among each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Pointy,
    Flat,
    Square,
    Free,
}

impl Shape {
    const fn of(topology: Topology) -> Self {
        match topology {
            Topology::Hex {
                orientation: Orientation::Pointy,
                ..
            } => Self::Pointy,
            Topology::Hex {
                orientation: Orientation::Flat,
                ..
            } => Self::Flat,
            Topology::Square { .. } => Self::Square,
            Topology::Graph => Self::Free,
        }
    }

    /// A sixth of a turn clockwise of hexes, a quarter of others.
    const fn turned(self, (x, y): (i32, i32)) -> (i32, i32) {
        match self {
            Self::Pointy | Self::Flat => (-y, x + y),
            Self::Square | Self::Free => (-y, x),
        }
    }

    /// Left and right exchanged.
    const fn mirrored(self, (x, y): (i32, i32)) -> (i32, i32) {
        match self {
            Self::Pointy => (-x - y, y),
            Self::Flat => (-x, x + y),
            Self::Square | Self::Free => (-x, y),
        }
    }
}

fn hex_layout(topology: Topology) -> Option<(OffsetHexMode, HexOrientation)> {
    let Topology::Hex { orientation, offset, .. } = topology else {
        return None;
    };
    let mode = match offset {
        Offset::Odd => OffsetHexMode::Odd,
        Offset::Even => OffsetHexMode::Even,
    };
    let orientation = match orientation {
        Orientation::Pointy => HexOrientation::Pointy,
        Orientation::Flat => HexOrientation::Flat,
    };
    Some((mode, orientation))
}

/// The cell that lies to a cell as another one does to a third: of a grid `cell` moved by as much as leads from `from` to `to`. `None` outside
/// the grid, and on free graphs, where nothing says what would be as far away.
pub fn moved_cell(lattice: &Lattice, cell: CellId, from: CellId, to: CellId) -> Option<CellId> {
    let [(x, y), (ax, ay), (bx, by)] = [cell, from, to].map(|cell| coordinates(lattice, cell));
    lattice.place(cell)?;
    cell_at(lattice, (x + bx - ax, y + by - ay))
}

/// Where a cell lies, in coordinates that can be added.
fn coordinates(lattice: &Lattice, cell: CellId) -> (i32, i32) {
    let board = lattice.board();
    let Some((x, y)) = lattice.place(cell) else {
        return board.position(cell);
    };
    hex_layout(board.topology()).map_or((x, y), |(mode, orientation)| {
        let hex = Hex::from_offset_coordinates([x, y], mode, orientation);
        (hex.x(), hex.y())
    })
}

/// The cell of a grid at such coordinates.
fn cell_at(lattice: &Lattice, (x, y): (i32, i32)) -> Option<CellId> {
    let place: Place = hex_layout(lattice.board().topology()).map_or((x, y), |(mode, orientation)| {
        Hex::new(x, y).to_offset_coordinates(mode, orientation).into()
    });
    lattice.cell_at(place)
}

/// The cell of some that lies nearest to their middle.
fn middle(lattice: &Lattice, cells: &CellSet) -> Option<CellId> {
    let board = lattice.board();
    let count = cells.count().max(1) as i64;
    let sum = |axis: fn((i32, i32)) -> i32| cells.iter().map(|cell| i64::from(axis(board.position(cell)))).sum::<i64>() / count;
    let (x, y) = (sum(|point| point.0), sum(|point| point.1));
    cells.iter().min_by_key(|cell| {
        let (to_x, to_y) = board.position(*cell);
        let (dx, dy) = (i64::from(to_x) - x, i64::from(to_y) - y);
        dx * dx + dy * dy
    })
}

impl Clip {
    /// Copies cells. `None` if there are none.
    pub fn copy(map: &Map, lattice: &Lattice, cells: &CellSet) -> Option<Self> {
        let anchor = coordinates(lattice, middle(lattice, cells)?);
        let mut list = Vec::new();
        let mut index_of: BTreeMap<String, usize> = BTreeMap::new();
        for cell in cells {
            let entry = match lattice.place(cell) {
                Some(place) => Some(grid_cells::entry(map, place)),
                None => map.cells.get(cell.index()).cloned(),
            };
            let Some(entry) = entry else { continue };
            let (x, y) = coordinates(lattice, cell);
            index_of.insert(lattice.name(map, cell), list.len());
            list.push(((x - anchor.0, y - anchor.1), entry));
        }
        let find = |name: &String| index_of.get(name).copied();
        let edge = |edge: &MapEdge| Some(([find(&edge.a)?, find(&edge.b)?], edge.properties.clone()));
        let line = |line: &MapLine| line.cells.iter().map(find).collect::<Option<Vec<usize>>>();
        Some(Self {
            shape: Shape::of(map.topology),
            cells: list,
            edges: map.edges.iter().filter_map(edge).collect(),
            lines: map.lines.iter().filter_map(line).collect(),
        })
    }

    /// Turned clockwise: hexes by a sixth, others by a quarter.
    #[must_use]
    pub fn turned(self) -> Self {
        let shape = self.shape;
        self.moved(|at| shape.turned(at))
    }

    /// Left and right exchanged.
    #[must_use]
    pub fn mirrored(self) -> Self {
        let shape = self.shape;
        self.moved(|at| shape.mirrored(at))
    }

    fn moved(mut self, to: impl Fn((i32, i32)) -> (i32, i32)) -> Self {
        for (at, cell) in &mut self.cells {
            let old = (cell.x, cell.y);
            *at = to(*at);
            for corner in cell.outline.iter_mut().flatten() {
                let (x, y) = to((corner.0 - old.0, corner.1 - old.1));
                *corner = (old.0 + x, old.1 + y);
            }
        }
        self
    }

    /// How many cells it has.
    pub fn count(&self) -> usize {
        self.cells.len()
    }

    /// The cells of a grid that a paste with its middle at a cell would cover; none on free graphs and on cells of another shape.
    pub fn covers(&self, lattice: &Lattice, at: CellId) -> CellSet {
        let targets = self.targets(lattice, at);
        CellSet::from_cells(lattice.board().cell_count(), targets.into_iter().flatten())
    }

    /// For each of its cells where it comes to lie; `None` outside the grid.
    fn targets(&self, lattice: &Lattice, at: CellId) -> Vec<Option<CellId>> {
        if self.shape == Shape::Free || self.shape != Shape::of(lattice.board().topology()) {
            return vec![None; self.cells.len()];
        }
        let (x, y) = coordinates(lattice, at);
        let target = |((dx, dy), _): &((i32, i32), MapCell)| cell_at(lattice, (x + dx, y + dy));
        self.cells.iter().map(target).collect()
    }

    /// Puts it onto a grid with its middle at a cell. Names that other cells have are left out. Nothing on cells of another shape.
    pub fn paste(&self, map: &Map, lattice: &Lattice, at: CellId) -> Vec<Edit> {
        self.replace(map, lattice, at, &lattice.no_cells())
    }

    /// The same, when other cells are cleared at once: their names are free.
    fn replace(&self, map: &Map, lattice: &Lattice, at: CellId, cleared: &CellSet) -> Vec<Edit> {
        let targets = self.targets(lattice, at);
        let is_replaced = |place: Place| {
            lattice
                .cell_at(place)
                .is_some_and(|cell| cleared.contains(cell) || targets.contains(&Some(cell)))
        };
        let mut taken: BTreeSet<&str> = BTreeSet::new();
        if self.cells.iter().any(|(_, cell)| !cell.name.is_empty()) {
            let others = map
                .cells
                .iter()
                .filter(|cell| !cell.name.is_empty() && !is_replaced((cell.x, cell.y)));
            taken.extend(others.map(|cell| cell.name.as_str()));
        }
        let mut changes: BTreeMap<Place, Option<MapCell>> = cleared
            .iter()
            .filter_map(|cell| lattice.place(cell))
            .map(|place| (place, None))
            .collect();
        for (target, (_, cell)) in targets.iter().zip(&self.cells) {
            let Some(place) = target.and_then(|target| lattice.place(target)) else {
                continue;
            };
            let mut cell = cell.clone();
            (cell.x, cell.y) = place;
            if !cell.name.is_empty() && !taken.insert(cell_name(self, *target, &targets)) {
                cell.name.clear();
            }
            changes.insert(place, Some(cell));
        }
        changes.retain(|place, change| grid_cells::find(map, *place) != change.as_ref());
        // What names a cell whose name is gone follows to the new name of its place.
        let new_name = |place: &Place| {
            let own = match changes.get(place) {
                Some(change) => change.as_ref().map(|cell| cell.name.clone()).filter(|name| !name.is_empty()),
                None => return place_name(map, *place),
            };
            own.unwrap_or_else(|| Topology::default_name(place.0, place.1).unwrap_or_default())
        };
        let still_there: BTreeSet<String> = changes.keys().map(new_name).collect();
        let old_names = changes.keys().map(|place| (place_name(map, *place), new_name(place)));
        let names: BTreeMap<String, String> = old_names.filter(|(old, _)| !still_there.contains(old)).collect();
        let mut edits = rename_everywhere(map, &names);
        edits.retain(|edit| !matches!(edit, Edit::Edges(_)));
        edits.extend(self.paste_edges(
            map,
            lattice,
            (&targets, cleared),
            |cell| lattice.place(cell).as_ref().map(new_name),
            &names,
        ));
        if !changes.is_empty() {
            edits.push(Edit::Cells(changes.into_iter().collect()));
        }
        edits
    }

    fn paste_edges(
        &self,
        map: &Map,
        lattice: &Lattice,
        (targets, cleared): (&[Option<CellId>], &CellSet),
        new_name: impl Fn(CellId) -> Option<String>,
        names: &BTreeMap<String, String>,
    ) -> Vec<Edit> {
        let name = |cell: CellId| lattice.name(map, cell);
        let inside: BTreeSet<String> = targets.iter().flatten().copied().map(name).collect();
        let gone: BTreeSet<String> = cleared.iter().map(name).collect();
        let mut edges: Vec<MapEdge> = map.edges.clone();
        let is_within = |names: &BTreeSet<String>, edge: &MapEdge| names.contains(&edge.a) && names.contains(&edge.b);
        edges.retain(|edge| !is_within(&inside, edge) && !is_within(&gone, edge));
        for edge in &mut edges {
            for end in [&mut edge.a, &mut edge.b] {
                if let Some(new) = names.get(end) {
                    new.clone_into(end);
                }
            }
        }
        for ([a, b], properties) in &self.edges {
            let target = |index: &usize| targets.get(*index).copied().flatten().and_then(&new_name);
            if let (Some(a), Some(b)) = (target(a), target(b)) {
                let properties = properties.clone();
                edges.push(MapEdge { a, b, properties });
            }
        }
        if edges == map.edges {
            return Vec::new();
        }
        vec![Edit::Edges(Splice {
            at: 0,
            remove: map.edges.len(),
            insert: edges,
        })]
    }

    /// Puts points with their lines onto a free graph, with the middle at a point of the drawing. Names that are taken get numbers.
    pub fn paste_points(&self, map: &Map, at: points::Point) -> Vec<Edit> {
        if self.shape != Shape::Free || map.topology.size().is_some() {
            return Vec::new();
        }
        let mut taken: BTreeSet<String> = map.cells.iter().map(|cell| cell.name.clone()).collect();
        let mut names = Vec::new();
        let mut cells = Vec::new();
        for ((dx, dy), cell) in &self.cells {
            let to = (at.0 + dx, at.1 + dy);
            let moved = (to.0 - cell.x, to.1 - cell.y);
            let mut cell = cell.clone();
            cell.name = free_name(&cell.name, |name| taken.contains(name));
            taken.insert(cell.name.clone());
            names.push(cell.name.clone());
            for corner in cell.outline.iter_mut().flatten() {
                *corner = (corner.0 + moved.0, corner.1 + moved.1);
            }
            (cell.x, cell.y) = to;
            cells.push(cell);
        }
        let line = |line: &Vec<usize>| MapLine::new(line.iter().filter_map(|index| names.get(*index).cloned()));
        let lines: Vec<MapLine> = self.lines.iter().map(line).collect();
        let mut edits = vec![Edit::Points(Splice {
            at: map.cells.len(),
            remove: 0,
            insert: cells,
        })];
        if !lines.is_empty() {
            edits.push(Edit::Lines(Splice {
                at: map.lines.len(),
                remove: 0,
                insert: lines,
            }));
        }
        edits
    }
}

/// The name of the cell of a clip that comes to lie at a target.
fn cell_name<'a>(clip: &'a Clip, target: Option<CellId>, targets: &[Option<CellId>]) -> &'a str {
    let index = targets.iter().position(|other| *other == target);
    index.and_then(|index| clip.cells.get(index)).map_or("", |(_, cell)| &cell.name)
}

/// Clears cells of a grid: nothing is said of them any more. Points of a free graph are taken out.
pub fn clear(map: &Map, lattice: &Lattice, cells: &CellSet) -> Vec<Edit> {
    if map.topology.size().is_none() {
        return points::remove_points(map, &cells.iter().map(CellId::index).collect());
    }
    let places = cells.iter().filter_map(|cell| lattice.place(cell));
    let changes: Vec<_> = places
        .filter(|place| grid_cells::find(map, *place).is_some())
        .map(|place| (place, None))
        .collect();
    // Names of their own go: what names the cells follows to those of their places.
    let mut names = BTreeMap::new();
    for (place, _) in &changes {
        let own = grid_cells::find(map, *place)
            .map(|cell| cell.name.clone())
            .filter(|name| !name.is_empty());
        names.extend(own.zip(Topology::default_name(place.0, place.1)));
    }
    let mut edits = rename_everywhere(map, &names);
    if !changes.is_empty() {
        edits.push(Edit::Cells(changes));
    }
    edits
}

/// Moves cells, with what is said of them, so that those at one cell come to another; what lay there is replaced. Points of a free graph move by as
/// much.
pub fn move_cells(map: &Map, lattice: &Lattice, cells: &CellSet, from: CellId, to: CellId) -> Vec<Edit> {
    let ((ax, ay), (bx, by)) = (coordinates(lattice, from), coordinates(lattice, to));
    if map.topology.size().is_none() {
        return points::move_points(map, &cells.iter().map(CellId::index).collect(), (bx - ax, by - ay));
    }
    let (Some(clip), Some(middle)) = (Clip::copy(map, lattice, cells), middle(lattice, cells)) else {
        return Vec::new();
    };
    let (x, y) = coordinates(lattice, middle);
    // The middle may come to lie outside: the clip is placed by the cell that the pointer holds.
    let clip = clip.moved(|(dx, dy)| (dx + x - ax, dy + y - ay));
    clip.replace(map, lattice, to, cells)
}

/// Turns cells about their middle: hexes by a sixth, others by a quarter.
pub fn turn_cells(map: &Map, lattice: &Lattice, cells: &CellSet) -> Vec<Edit> {
    in_place(map, lattice, cells, Clip::turned)
}

/// Mirrors cells about their middle, left and right.
pub fn mirror_cells(map: &Map, lattice: &Lattice, cells: &CellSet) -> Vec<Edit> {
    in_place(map, lattice, cells, Clip::mirrored)
}

fn in_place(map: &Map, lattice: &Lattice, cells: &CellSet, change: fn(Clip) -> Clip) -> Vec<Edit> {
    let (Some(clip), Some(middle)) = (Clip::copy(map, lattice, cells), middle(lattice, cells)) else {
        return Vec::new();
    };
    let clip = change(clip);
    if map.topology.size().is_some() {
        return clip.replace(map, lattice, middle, cells);
    }
    let (x, y) = lattice.board().position(middle);
    let mut edits = Vec::new();
    for (cell, ((dx, dy), entry)) in cells.iter().zip(&clip.cells) {
        let Some(old) = map.cells.get(cell.index()) else { continue };
        let mut new = old.clone();
        (new.x, new.y) = (x + dx, y + dy);
        let moved = (new.x - entry.x, new.y - entry.y);
        new.outline.clone_from(&entry.outline);
        for corner in new.outline.iter_mut().flatten() {
            *corner = (corner.0 + moved.0, corner.1 + moved.1);
        }
        if new != *old {
            edits.push(Edit::Points(Splice::replace(cell.index(), new)));
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Draft, Step, StepKind, paint};

    fn map(topology: Topology) -> (Draft, Lattice) {
        let map = Map::new("m", "M", topology);
        let lattice = Lattice::of(&map).unwrap();
        (Draft::Map(map), lattice)
    }

    fn apply(draft: &mut Draft, edits: Vec<Edit>) {
        drop(Step::new(StepKind::Move, edits).apply(draft));
    }

    fn terrains(draft: &Draft) -> String {
        let cell = |cell: &MapCell| format!("{}{}{}", cell.terrain.as_deref().unwrap_or("-"), cell.x, cell.y);
        draft.map().unwrap().cells.iter().map(cell).collect::<Vec<_>>().join(" ")
    }

    fn hexes(orientation: Orientation) -> Topology {
        Topology::Hex {
            width: 7,
            height: 7,
            orientation,
            offset: Offset::Odd,
        }
    }

    fn set(lattice: &Lattice, places: &[Place]) -> CellSet {
        CellSet::from_cells(
            lattice.board().cell_count(),
            places.iter().filter_map(|place| lattice.cell_at(*place)),
        )
    }

    #[test]
    fn six_turns_and_two_mirrors_of_hexes_lead_back() {
        for orientation in [Orientation::Pointy, Orientation::Flat] {
            let (mut draft, lattice) = map(hexes(orientation));
            let around = set(&lattice, &[(3, 3)]);
            let around = lattice.board().dilate(&around, 1);
            for (name, place) in [("a", (3, 3)), ("b", (3, 2)), ("c", (4, 3))] {
                let edits = paint::terrain(draft.map().unwrap(), &lattice, &set(&lattice, &[place]), Some(name));
                apply(&mut draft, edits);
            }
            let before = draft.clone();
            for turn in 0..6 {
                let edits = turn_cells(draft.map().unwrap(), &lattice, &around);
                apply(&mut draft, edits);
                assert_eq!(draft == before, turn == 5, "{}", terrains(&draft));
            }
            for mirror in 0..2 {
                let edits = mirror_cells(draft.map().unwrap(), &lattice, &around);
                apply(&mut draft, edits);
                assert_eq!(draft == before, mirror == 1, "{}", terrains(&draft));
            }
        }
    }

    #[test]
    fn hexes_keep_their_shape_when_they_move_by_an_odd_number_of_rows() {
        let (mut draft, lattice) = map(hexes(Orientation::Pointy));
        let cells = set(&lattice, &[(1, 0), (0, 1), (1, 1)]);
        let edits = paint::terrain(draft.map().unwrap(), &lattice, &cells, Some("x"));
        apply(&mut draft, edits);
        let at = |place| lattice.cell_at(place).unwrap();
        let edits = move_cells(draft.map().unwrap(), &lattice, &cells, at((1, 0)), at((2, 1)));
        apply(&mut draft, edits);
        assert_eq!(terrains(&draft), "x21 x22 x32");
    }

    #[test]
    fn what_is_pasted_brings_its_edges_and_no_name_twice() {
        let (mut draft, lattice) = map(Topology::Square {
            width: 4,
            height: 4,
            diagonals: false,
        });
        let at = |place| lattice.cell_at(place).unwrap();
        let cells = set(&lattice, &[(0, 0), (1, 0)]);
        let mut edits = paint::terrain(draft.map().unwrap(), &lattice, &cells, Some("x"));
        edits.extend(paint::edge_property(draft.map().unwrap(), ["a1", "b1"], "wall", Some("yes")));
        apply(&mut draft, edits);
        let edits = paint::name_cell(draft.map().unwrap(), &lattice, at((0, 0)), "gate");
        apply(&mut draft, edits);
        let clip = Clip::copy(draft.map().unwrap(), &lattice, &cells).unwrap();
        assert_eq!(clip.covers(&lattice, at((3, 3))).count(), 1, "the rest lies outside");
        let edits = clip.clone().turned().paste(draft.map().unwrap(), &lattice, at((3, 1)));
        apply(&mut draft, edits);
        let map = draft.map().unwrap();
        assert_eq!(terrains(&draft), "x00 x10 x31 x32");
        assert_eq!(map.cells.iter().filter(|cell| cell.name == "gate").count(), 1);
        assert_eq!(map.edges.len(), 2);
        assert!(boardwright_model::Board::from_map(map).is_ok());
        let edits = clear(map, &lattice, &cells);
        apply(&mut draft, edits);
        assert_eq!(terrains(&draft), "x31 x32");
    }
}
