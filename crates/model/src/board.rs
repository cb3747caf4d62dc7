//! The board of a match: a map that was checked and indexed.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::iter::FusedIterator;
use std::sync::Arc;

use super::board_drawing::Bounds;
use super::board_sets::Shift;
use super::columns::ColumnMasks;
use super::field_of_view::DrawnLines;
use super::graph::{self, Distances};
use super::links::Links;
use super::topology::Grid;
use super::{AuthoredProperties, CellId, CellSet, DirectionId, EdgeId, Outline, RegionId, Topology};

static NO_PROPERTIES: AuthoredProperties = AuthoredProperties::new();
/// Stands for "no terrain written" in `Board::terrains`.
pub(super) const NO_TERRAIN: u16 = u16::MAX;

/// A map that was checked and indexed for play. It never changes; share it in an [`Arc`](std::sync::Arc).
///
/// On grids the ids run through the rows, `row * width + column`, and holes keep theirs: an id for which
/// [`Board::contains`] is false has no name, neighbours or region, and [`Board::cells`] leaves it out. No method panics;
/// questions about cells that are not there get the empty answer.
///
/// ```
/// use boardwright_model::{Board, Map, Topology};
///
/// let board = Board::from_map(&Map::new("chess", "Chess", Topology::Square { width: 8, height: 8, diagonals: true }))?;
/// let (corner, east) = (board.find_cell("a1").unwrap(), board.find_direction("e").unwrap());
/// assert_eq!(board.ray(corner, east).map(|cell| board.cell_name(cell)).collect::<String>(), "b1c1d1e1f1g1h1");
/// # Ok::<(), Vec<boardwright_model::MapFault>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    pub(super) topology: Topology,
    pub(super) grid: Option<Grid>,
    /// Every cell; on grids without the holes.
    pub(super) all: CellSet,
    /// By cell; empty for holes.
    pub(super) names: Arc<[Box<str>]>,
    /// What people call cells that they do not call by their names.
    pub(super) titles: BTreeMap<CellId, Box<str>>,
    /// Every cell in the order of the names.
    pub(super) by_name: Arc<[CellId]>,
    /// By cell; empty on grids, where positions are computed.
    pub(super) positions: Arc<[(i32, i32)]>,
    /// Of areas.
    pub(super) outlines: Arc<BTreeMap<CellId, Outline>>,
    pub(super) terrain_names: Vec<Box<str>>,
    /// By cell, positions in `terrain_names`.
    pub(super) terrains: Arc<[u16]>,
    /// By cell.
    pub(super) elevations: Vec<i16>,
    pub(super) cell_properties: Arc<BTreeMap<CellId, AuthoredProperties>>,
    pub(super) edge_properties: Arc<BTreeMap<EdgeId, AuthoredProperties>>,
    pub(super) direction_names: Vec<Box<str>>,
    pub(super) links: Arc<Links>,
    /// By cell; empty on large boards.
    pub(super) neighbour_sets: Arc<[CellSet]>,
    pub(super) regions: Vec<Region>,
    pub(super) lines: Vec<BoardLine>,
    /// Of small graphs.
    pub(super) distances: Option<Arc<Distances>>,
    /// By direction, on grids.
    pub(super) shifts: Arc<[Shift]>,
    /// On square grids.
    pub(super) columns: Option<ColumnMasks>,
    pub(super) drawn_lines: DrawnLines,
    pub(super) bounds: Bounds,
    /// How near a click must be to a point.
    pub(super) point_radius: u64,
}

/// A named set of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) name: Box<str>,
    pub(super) cells: CellSet,
}

/// A line of a free graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardLine {
    /// What it is called: its directions are this name with `+` and `-`.
    pub name: Box<str>,
    /// The cells it runs through; a closed line ends with the cell it began with.
    pub cells: Vec<CellId>,
}

impl Board {
    /// The number of ids: the capacity of the board's cell sets and the length of lists by cell. Holes of a grid count;
    /// `board.all().count()` is the number without them.
    pub const fn cell_count(&self) -> usize {
        self.all.capacity()
    }

    /// All cells, holes left out, in the order of their ids.
    pub fn cells(&self) -> impl Iterator<Item = CellId> + Clone + '_ {
        self.all.iter()
    }

    /// The set of all cells, holes left out.
    pub const fn all(&self) -> &CellSet {
        &self.all
    }

    /// Whether there is such a cell.
    pub fn contains(&self, cell: CellId) -> bool {
        self.all.contains(cell)
    }

    /// What players and files call the cell; empty if there is no such cell.
    pub fn cell_name(&self, cell: CellId) -> &str {
        self.names.get(cell.index()).map_or("", |name| name)
    }

    /// What people call the cell: its name, unless the language they speak has another one.
    pub fn cell_title(&self, cell: CellId) -> &str {
        match self.titles.get(&cell) {
            Some(title) => title,
            None => self.cell_name(cell),
        }
    }

    /// The cell of a name.
    pub fn find_cell(&self, name: &str) -> Option<CellId> {
        let at = self.by_name.binary_search_by(|&cell| self.cell_name(cell).cmp(name)).ok()?;
        self.by_name.get(at).copied()
    }

    /// The terrain the map gives the cell; `None` means the ruleset's default.
    pub fn base_terrain_name(&self, cell: CellId) -> Option<&str> {
        let terrain = self.terrains.get(cell.index())?;
        self.terrain_names.get(usize::from(*terrain)).map(|name| &**name)
    }

    /// The names of all terrains the map uses, sorted.
    pub fn terrain_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.terrain_names.iter().map(|name| &**name)
    }

    /// The height of the cell, in whatever steps the rules use.
    pub fn elevation(&self, cell: CellId) -> i16 {
        self.elevations.get(cell.index()).copied().unwrap_or_default()
    }

    /// The properties the map gives the cell, as written.
    pub fn authored_properties(&self, cell: CellId) -> &AuthoredProperties {
        self.cell_properties.get(&cell).unwrap_or(&NO_PROPERTIES)
    }

    /// The number of directions.
    pub fn direction_count(&self) -> usize {
        self.direction_names.len()
    }

    /// All directions: of grids clockwise from the top, of free graphs two for each line.
    pub fn directions(&self) -> impl ExactSizeIterator<Item = DirectionId> + use<> {
        (0..self.direction_count()).map(DirectionId::from_index)
    }

    /// What the direction is called: `n`, `ne`, ... on grids, and the name of a line with `+` or `-` on free graphs.
    /// Empty if there is no such direction.
    pub fn direction_name(&self, direction: DirectionId) -> &str {
        self.direction_names.get(direction.index()).map_or("", |name| name)
    }

    /// The direction of a name.
    pub fn find_direction(&self, name: &str) -> Option<DirectionId> {
        let found = self.direction_names.iter().position(|known| **known == *name);
        found.map(DirectionId::from_index)
    }

    /// The direction that leads back. Unknown directions are their own opposite.
    pub fn opposite(&self, direction: DirectionId) -> DirectionId {
        let (at, count) = (direction.index(), self.direction_count());
        match self.grid {
            _ if at >= count => direction,
            Some(_) => DirectionId::from_index((at + count / 2) % count),
            None => DirectionId::from_index(at ^ 1),
        }
    }

    /// The cell one step away in a direction.
    #[inline]
    pub fn step(&self, cell: CellId, direction: DirectionId) -> Option<CellId> {
        self.links.step(cell, direction)
    }

    /// All steps from a cell, in the order of their directions.
    #[inline]
    pub fn steps(&self, cell: CellId) -> &[(DirectionId, CellId)] {
        self.links.steps(cell)
    }

    /// The cells outward from a cell along a direction, nearest first, the cell itself left out. On a closed line the ray
    /// ends before it comes back.
    pub fn ray(&self, cell: CellId, direction: DirectionId) -> Ray<'_> {
        Ray {
            board: self,
            start: cell,
            at: Some(cell),
            direction,
        }
    }

    /// The cells one step away, in the order of their ids.
    #[inline]
    pub fn neighbours(&self, cell: CellId) -> &[CellId] {
        self.links.neighbours(cell)
    }

    /// The cells one step away as a set. Boards of up to 2,000 cells keep these sets; larger ones make them when asked.
    pub fn neighbour_set(&self, cell: CellId) -> Cow<'_, CellSet> {
        match self.neighbour_sets.get(cell.index()) {
            Some(set) => Cow::Borrowed(set),
            None => Cow::Owned(CellSet::from_cells(self.cell_count(), self.neighbours(cell).iter().copied())),
        }
    }

    /// The number of edges. They are numbered by their smaller end, and then by the other.
    pub fn edge_count(&self) -> usize {
        self.links.ends().len()
    }

    /// The edge between two cells, if they are neighbours.
    pub fn edge_between(&self, a: CellId, b: CellId) -> Option<EdgeId> {
        self.links.edge_between(a, b)
    }

    /// The cells on both sides of an edge, the smaller id first. If there is no such edge both are cell 0.
    pub fn edge_ends(&self, edge: EdgeId) -> (CellId, CellId) {
        self.links.ends().get(edge.index()).copied().unwrap_or((CellId(0), CellId(0)))
    }

    /// The edges of a cell, in the order of its [neighbours](Self::neighbours).
    pub fn edges_of(&self, cell: CellId) -> &[EdgeId] {
        self.links.edges(cell)
    }

    /// The edges that the map gives properties, in order, with these as written.
    pub fn authored_edges(&self) -> impl ExactSizeIterator<Item = (EdgeId, &AuthoredProperties)> {
        self.edge_properties.iter().map(|(edge, properties)| (*edge, properties))
    }

    /// The properties the map gives the edge, as written.
    pub fn authored_edge_properties(&self, edge: EdgeId) -> &AuthoredProperties {
        self.edge_properties.get(&edge).unwrap_or(&NO_PROPERTIES)
    }

    /// The number of regions.
    pub fn region_count(&self) -> usize {
        self.regions.len()
    }

    /// What the region is called; empty if there is no such region.
    pub fn region_name(&self, region: RegionId) -> &str {
        self.regions.get(region.index()).map_or("", |region| &region.name)
    }

    /// The region of a name.
    pub fn find_region(&self, name: &str) -> Option<RegionId> {
        let found = self.regions.iter().position(|region| *region.name == *name);
        found.map(RegionId::from_index)
    }

    /// The cells of a region; a set of capacity 0 if there is no such region.
    pub fn region(&self, region: RegionId) -> &CellSet {
        static NO_CELLS: std::sync::LazyLock<CellSet> = std::sync::LazyLock::new(|| CellSet::empty(0));
        self.regions.get(region.index()).map_or(&NO_CELLS, |region| &region.cells)
    }

    /// The lines of a free graph; none on grids.
    pub fn lines(&self) -> &[BoardLine] {
        &self.lines
    }

    /// The steps from one cell to another: on grids as if nothing were in the way, holes included; on free graphs the
    /// fewest along lines, `None` if no lines lead there. `None` also if one of the cells is not there.
    pub fn distance(&self, a: CellId, b: CellId) -> Option<u32> {
        if !self.contains(a) || !self.contains(b) {
            return None;
        }
        if let Some(grid) = self.grid {
            return Some(grid.distance(grid.place(a), grid.place(b)));
        }
        if let Some(distances) = &self.distances {
            return distances.between(a, b);
        }
        let mut found = None;
        graph::breadth_first(&self.links, self.cell_count(), a, |cell, distance| {
            found = (cell == b).then_some(distance);
            found.is_none()
        });
        found
    }

    /// Whether [distances](Self::distance) are known at once; otherwise each is a search through the graph.
    pub const fn has_distances(&self) -> bool {
        self.grid.is_some() || self.distances.is_some()
    }

    /// How the cells lie to each other.
    pub const fn topology(&self) -> Topology {
        self.topology
    }

    /// The columns of a grid.
    pub fn width(&self) -> Option<u16> {
        self.topology.size().map(|(width, _)| width)
    }

    /// The rows of a grid.
    pub fn height(&self) -> Option<u16> {
        self.topology.size().map(|(_, height)| height)
    }

    /// The column and row of a cell of a grid, counted from 0.
    pub fn coordinates(&self, cell: CellId) -> Option<(i32, i32)> {
        self.grid.filter(|_| self.contains(cell)).map(|grid| grid.place(cell))
    }

    /// The cell at a column and row of a grid.
    pub fn cell_at(&self, x: i32, y: i32) -> Option<CellId> {
        self.grid?.id((x, y)).filter(|&cell| self.contains(cell))
    }
}

/// The cells along a direction; see [`Board::ray`].
#[derive(Clone, Debug)]
pub struct Ray<'a> {
    board: &'a Board,
    start: CellId,
    at: Option<CellId>,
    direction: DirectionId,
}

impl Iterator for Ray<'_> {
    type Item = CellId;

    #[inline]
    fn next(&mut self) -> Option<CellId> {
        self.at = self.board.step(self.at?, self.direction).filter(|&cell| cell != self.start);
        self.at
    }
}

impl FusedIterator for Ray<'_> {}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::super::boards_for_tests::{boards, square};
    use super::*;

    #[test]
    fn questions_about_cells_that_are_not_there_get_the_empty_answer() {
        let board = square(3, 3, true);
        let (stranger, nowhere) = (CellId(9), DirectionId(8));
        assert_eq!(
            (board.cell_name(stranger), board.position(stranger), board.elevation(stranger)),
            ("", (0, 0), 0)
        );
        assert_eq!((board.base_terrain_name(stranger), board.outline(stranger).len()), (None, 0));
        assert_eq!((board.step(stranger, DirectionId(0)), board.step(CellId(4), nowhere)), (None, None));
        assert_eq!((board.direction_name(nowhere), board.opposite(nowhere)), ("", nowhere));
        assert_eq!((board.neighbours(CellId(u16::MAX)).len(), board.steps(stranger).len()), (0, 0));
        assert_eq!((board.distance(stranger, CellId(0)), board.coordinates(stranger)), (None, None));
        assert_eq!(
            (board.edge_ends(EdgeId(99)), board.edge_between(stranger, stranger)),
            ((CellId(0), CellId(0)), None)
        );
        assert!(board.region(RegionId(0)).is_empty() && board.region_name(RegionId(0)).is_empty());
        assert!(board.neighbour_set(stranger).is_empty());
        assert_eq!(board.ray(stranger, DirectionId(0)).count(), 0);
        assert_eq!(
            (board.cell_at(3, 0), board.cell_at(0, -1), board.hit(i32::MAX, i32::MIN)),
            (None, None, None)
        );
    }

    #[test]
    fn kings_and_rooks_count_distance_their_own_way() {
        let ends = (CellId(0), CellId(23));
        assert_eq!(square(8, 3, true).distance(ends.0, ends.1), Some(7));
        assert_eq!(square(8, 3, false).distance(ends.0, ends.1), Some(9));
    }

    proptest! {
        #[test]
        fn every_step_has_a_step_back(board in boards()) {
            for cell in (0..board.cell_count()).map(CellId::from_index) {
                let steps = board.steps(cell);
                prop_assert!(steps.windows(2).all(|pair| pair[0].0 < pair[1].0), "sorted by direction, one step each");
                for &(direction, to) in steps {
                    prop_assert!(board.contains(cell) && board.contains(to) && cell != to);
                    prop_assert_eq!(board.step(cell, direction), Some(to));
                    prop_assert_eq!(board.step(to, board.opposite(direction)), Some(cell));
                    prop_assert_eq!(board.distance(cell, to), Some(1));
                }
                for direction in board.directions() {
                    prop_assert_eq!(board.opposite(board.opposite(direction)), direction);
                    prop_assert_eq!(board.step(cell, direction).is_some(), steps.iter().any(|&(found, _)| found == direction));
                }
            }
        }

        #[test]
        fn names_lead_back_to_what_they_name(board in boards()) {
            for cell in board.cells() {
                prop_assert_eq!(board.find_cell(board.cell_name(cell)), Some(cell));
                if let Some((x, y)) = board.coordinates(cell) {
                    prop_assert_eq!(board.cell_at(x, y), Some(cell));
                    prop_assert_eq!(Topology::parse_default_name(board.cell_name(cell)), Some((x, y)));
                }
            }
            for direction in board.directions() {
                prop_assert_eq!(board.find_direction(board.direction_name(direction)), Some(direction));
            }
            prop_assert_eq!(board.find_cell("nowhere"), None);
            prop_assert_eq!(board.find_cell(""), None);
        }

        #[test]
        fn neighbours_and_edges_agree_with_steps(board in boards()) {
            let mut edges = BTreeSet::new();
            for cell in (0..board.cell_count()).map(CellId::from_index) {
                let expected: BTreeSet<CellId> = board.steps(cell).iter().map(|&(_, to)| to).collect();
                prop_assert!(board.neighbours(cell).iter().eq(&expected));
                prop_assert!(board.neighbour_set(cell).iter().eq(expected.iter().copied()));
                prop_assert_eq!(board.edges_of(cell).len(), expected.len());
                for (&edge, &neighbour) in board.edges_of(cell).iter().zip(board.neighbours(cell)) {
                    prop_assert_eq!(board.edge_ends(edge), (cell.min(neighbour), cell.max(neighbour)));
                    prop_assert_eq!(board.edge_between(neighbour, cell), Some(edge));
                    edges.insert(edge);
                }
            }
            prop_assert_eq!(edges.len(), board.edge_count());
            prop_assert!(edges.iter().all(|edge| edge.index() < board.edge_count()));
        }

        #[test]
        fn rays_walk_and_end(board in boards()) {
            for cell in board.cells() {
                for direction in board.directions() {
                    let ray: Vec<CellId> = board.ray(cell, direction).collect();
                    let mut at = cell;
                    for &next in &ray {
                        prop_assert_eq!(board.step(at, direction), Some(next));
                        at = next;
                    }
                    let end = board.step(at, direction);
                    prop_assert!(end.is_none() || end == Some(cell));
                    prop_assert_eq!(ray.iter().collect::<BTreeSet<_>>().len(), ray.len());
                }
            }
        }

        #[test]
        fn distances_are_those_of_a_search_where_nothing_is_in_the_way(board in boards()) {
            let has_holes = board.all().count() < board.cell_count();
            for from in board.cells() {
                let mut steps = vec![None; board.cell_count()];
                graph::breadth_first(&board.links, board.cell_count(), from, |cell, distance| {
                    steps[cell.index()] = Some(distance);
                    true
                });
                for to in board.cells() {
                    let (distance, walked) = (board.distance(from, to), steps[to.index()]);
                    prop_assert_eq!(distance, board.distance(to, from));
                    if has_holes {
                        prop_assert!(walked.is_none_or(|walked| distance.unwrap() <= walked));
                    } else {
                        prop_assert_eq!(distance, walked);
                    }
                }
            }
        }

    }
}
