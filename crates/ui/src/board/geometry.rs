//! A board as it is drawn, in units: on grids neighbours are one unit apart.

use egui::{Pos2, Rect, pos2};

use super::borders::Border;
use super::holes::{self, Fill};
use super::polygon;
use boardwright_model::{Board, CellId, DirectionId, Topology};

/// From this part of the way on, from the middle of a cell to a side, a point is near the side.
const NEAR_SIDE: f32 = 0.5;

/// How the cells of a board are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawing {
    /// Squares or hexes that fill the plane.
    Grid {
        /// Whether they are squares.
        is_square: bool,
    },
    /// Points on lines, and areas.
    Graph,
}

/// Outlines, middles and lines of a board, computed once.
#[derive(Clone, Debug)]
pub struct Geometry {
    /// How the cells are drawn.
    pub drawing: Drawing,
    /// The corners of everything, with a margin.
    pub bounds: Rect,
    /// By cell, empty spans for cells that are absent.
    pub cells: Vec<CellShape>,
    /// The lines of a graph; of a map of areas those between areas that do not touch.
    pub lines: Vec<Vec<Pos2>>,
    /// Where areas meet.
    pub borders: Vec<Border>,
    /// Whether any cell is an area.
    pub has_areas: bool,
    /// Whether every cell is called by its column and row.
    pub has_default_names: bool,
    /// The polygons of all cells, one after the other: their corners, and the triangles they are cut into, which count the corners from 0.
    polygons: Vec<Fill>,
    /// What is filled of cells with holes.
    fills: Vec<Fill>,
}

/// Where a cell is drawn.
#[derive(Clone, Copy, Debug)]
pub struct CellShape {
    /// Its middle.
    pub middle: Pos2,
    /// How far a piece may reach from the middle.
    pub room: f32,
    /// How far one may reach before it meets its neighbours.
    pub most_room: f32,
    /// The smallest rectangle around it, at least as large as a piece.
    pub bounds: Rect,
    /// Where its polygons begin and end among all; points have none.
    polygons: (usize, usize),
    /// The same for what is filled of it, where it has holes.
    fills: (usize, usize),
}

impl CellShape {
    /// Whether it is a point on lines.
    pub fn is_point(&self) -> bool {
        self.polygons.0 == self.polygons.1
    }
}

/// The room of pieces in areas, as a share of that of the middling one, and how near they may come to one another: at 1.25 they touch, for a piece
/// takes 0.8 of its room.
const EVEN: f32 = 1.05;
const MOST_REACH: f32 = 1.17;

impl Default for CellShape {
    fn default() -> Self {
        Self {
            middle: Pos2::ZERO,
            room: 0.0,
            most_room: 0.0,
            bounds: Rect::NOTHING,
            polygons: (0, 0),
            fills: (0, 0),
        }
    }
}

/// Thousandths of a unit to units.
pub(super) fn units((x, y): (i32, i32)) -> Pos2 {
    pos2(x as f32 / 1000.0, y as f32 / 1000.0)
}

/// Units to thousandths of a unit.
pub(super) fn thousandths(point: Pos2) -> (i32, i32) {
    ((point.x * 1000.0).round() as i32, (point.y * 1000.0).round() as i32)
}

impl Geometry {
    /// The drawing of a board.
    pub fn of(board: &Board) -> Self {
        let drawing = match board.topology() {
            Topology::Square { .. } => Drawing::Grid { is_square: true },
            Topology::Hex { .. } => Drawing::Grid { is_square: false },
            Topology::Graph => Drawing::Graph,
        };
        let spacing = least_spacing(board);
        let mut cells = vec![CellShape::default(); board.cell_count()];
        let mut has_areas = false;
        let mut polygons = Vec::new();
        let mut fills = Vec::new();
        for cell in board.cells() {
            let outline = board.outline(cell);
            let first = polygons.len();
            let middle = units(board.position(cell));
            let (mut nearest, mut around) = (f32::INFINITY, Rect::NOTHING);
            for polygon in outline.iter() {
                let corners: Vec<Pos2> = polygon.iter().map(|corner| units(*corner)).collect();
                nearest = nearest.min(polygon::distance_to_side(&corners, middle));
                around = around.union(Rect::from_points(&corners));
                let triangles = polygon::triangles(&corners);
                polygons.push((corners, triangles));
            }
            let first_fill = fills.len();
            fills.extend(holes::fills(polygons.get(first..).unwrap_or_default()));
            let (room, bounds) = if outline.is_empty() {
                let room = spacing * 0.5;
                (room, Rect::from_center_size(middle, egui::Vec2::splat(2.0 * room)))
            } else {
                has_areas |= drawing == Drawing::Graph;
                (nearest.min(spacing.max(0.5)), around)
            };
            if let Some(shape) = cells.get_mut(cell.index()) {
                *shape = CellShape {
                    middle,
                    room,
                    most_room: room,
                    bounds,
                    polygons: (first, polygons.len()),
                    fills: (first_fill, fills.len()),
                };
            }
        }
        if has_areas {
            even_out(&mut cells);
        }
        let at = |cell: &CellId| units(board.position(*cell));
        let lines = board.lines().iter().map(|line| line.cells.iter().map(at).collect());
        let edge = board.bounds();
        let has_only_points = drawing == Drawing::Graph && !has_areas;
        let margin = if has_only_points { spacing * 0.9 } else { 0.55 };
        let mut geometry = Self {
            drawing,
            bounds: Rect::from_min_max(units(edge.min), units(edge.max)).expand(margin),
            cells,
            lines: lines.collect(),
            borders: Vec::new(),
            has_areas,
            has_default_names: board.cells().all(|cell| is_default_name(board, cell)),
            polygons,
            fills,
        };
        if has_areas {
            geometry.lines = geometry.sea_links(board);
            geometry.borders = geometry.shared_sides();
        }
        geometry
    }

    /// Whether names are drawn in the same way for a board with the same cells.
    pub(super) fn fits_names_of(&self, board: &Board) -> bool {
        self.has_default_names == board.cells().all(|cell| is_default_name(board, cell))
    }

    /// The polygons of a cell: the corners of each, and its triangles, which count the corners from 0.
    pub fn polygons(&self, shape: &CellShape) -> impl Iterator<Item = (&[Pos2], &[[u32; 3]])> + '_ {
        let polygons = self.polygons.get(shape.polygons.0..shape.polygons.1).unwrap_or_default();
        polygons.iter().map(|(corners, triangles)| (&**corners, &**triangles))
    }

    /// What is filled of a cell: its polygons without their holes.
    pub fn fills(&self, shape: &CellShape) -> impl Iterator<Item = (&[Pos2], &[[u32; 3]])> + '_ {
        let fills = match shape.fills {
            (from, to) if from < to => self.fills.get(from..to),
            _ => self.polygons.get(shape.polygons.0..shape.polygons.1),
        };
        fills
            .unwrap_or_default()
            .iter()
            .map(|(corners, triangles)| (&**corners, &**triangles))
    }

    /// The cells that can be seen in a part of the drawing.
    pub fn visible(&self, seen: Rect) -> Vec<CellId> {
        let is_seen = |(_, shape): &(usize, &CellShape)| shape.bounds.intersects(seen);
        let cells = self.cells.iter().enumerate().filter(is_seen);
        cells.map(|(index, _)| CellId::from_index(index)).collect()
    }

    /// The drawing of a cell.
    pub fn cell(&self, cell: CellId) -> Option<&CellShape> {
        self.cells.get(cell.index())
    }

    /// The middle of a cell.
    pub fn middle(&self, cell: CellId) -> Pos2 {
        self.cell(cell).map_or(Pos2::ZERO, |shape| shape.middle)
    }

    /// The side of a cell near which a point of it lies; `None` near its middle, and on cells that are no polygons of a grid.
    pub fn side_at(&self, board: &Board, cell: CellId, point: Pos2) -> Option<DirectionId> {
        let middle = self.middle(cell);
        let away = |direction: &DirectionId| {
            let [from, to] = self.side(board, cell, *direction)?;
            let out = from + (to - from) * 0.5 - middle;
            // As a part of the way from the middle to the side.
            Some((*direction, (point - middle).dot(out) / out.length_sq()))
        };
        let sides = board.directions().filter_map(|direction| away(&direction));
        let (side, part) = sides.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
        (part > NEAR_SIDE).then_some(side)
    }

    /// The two corners of the side of a grid's cell that looks in a direction.
    pub fn side(&self, board: &Board, cell: CellId, direction: DirectionId) -> Option<[Pos2; 2]> {
        let (outline, _) = self.polygons(self.cell(cell)?).next()?;
        let per_side = (board.direction_count() / outline.len().max(1)).max(1);
        if !direction.index().is_multiple_of(per_side) {
            return None;
        }
        let from = direction.index() / per_side;
        Some([*outline.get(from)?, *outline.get((from + 1) % outline.len())?])
    }
}

/// Lets pieces be of the same size in all areas, however near to its middle an area ends: they reach out of small ones. Only where two would
/// meet are they smaller.
fn even_out(cells: &mut [CellShape]) {
    let areas = cells.iter().filter(|shape| !shape.is_point());
    let mut rooms: Vec<f32> = areas.map(|shape| shape.room).collect();
    rooms.sort_by(f32::total_cmp);
    let Some(middling) = rooms.get(rooms.len() / 2).copied() else {
        return;
    };
    let middles: Vec<Pos2> = cells.iter().map(|shape| shape.middle).collect();
    for (index, shape) in cells.iter_mut().enumerate().filter(|(_, shape)| !shape.is_point()) {
        let others = middles.iter().enumerate().filter(|(other, _)| *other != index);
        let nearest = others
            .map(|(_, middle)| middle.distance(shape.middle))
            .fold(f32::INFINITY, f32::min);
        shape.most_room = nearest * 0.5 * MOST_REACH;
        shape.room = (middling * EVEN).min(shape.most_room);
    }
}

fn is_default_name(board: &Board, cell: CellId) -> bool {
    let place = board.coordinates(cell);
    let name = place.and_then(|(column, row)| Topology::default_name(column, row));
    name.as_deref() == Some(board.cell_name(cell))
}

/// The length of the shortest line between two points of a graph; 1 on grids.
fn least_spacing(board: &Board) -> f32 {
    if board.topology() != Topology::Graph {
        return 1.0;
    }
    let at = |cell: CellId| units(board.position(cell));
    let lengths = |cell: CellId| board.neighbours(cell).iter().map(move |other| at(*other).distance(at(cell)));
    let least = board
        .cells()
        .flat_map(lengths)
        .filter(|length| *length > 0.0)
        .fold(f32::INFINITY, f32::min);
    if least.is_finite() { least } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_model::{Map, MapCell, MapLine, Offset, Orientation};

    #[test]
    fn sides_of_squares_and_hexes_look_in_their_direction() {
        let hexes = Topology::Hex {
            width: 3,
            height: 3,
            orientation: Orientation::Pointy,
            offset: Offset::Odd,
        };
        let squares = |diagonals| Topology::Square {
            width: 3,
            height: 3,
            diagonals,
        };
        for topology in [hexes, squares(false), squares(true)] {
            let board = Board::from_map(&Map::new("m", "M", topology)).unwrap();
            let geometry = Geometry::of(&board);
            let cell = board.find_cell("b2").unwrap();
            for (direction, other) in board.steps(cell) {
                if let Some([a, b]) = geometry.side(&board, cell, *direction) {
                    let towards = geometry.middle(*other) - geometry.middle(cell);
                    let (near, far) = (geometry.middle(cell) + towards * 0.4, geometry.middle(cell) + towards * 0.2);
                    assert_eq!(geometry.side_at(&board, cell, near), Some(*direction));
                    assert_eq!(geometry.side_at(&board, cell, far), None);
                    let middle = a + (b - a) / 2.0 - geometry.middle(cell);
                    assert!(middle.normalized().dot(towards.normalized()) > 0.99, "{topology:?} {direction:?}");
                }
            }
            let sides = board
                .directions()
                .filter(|direction| geometry.side(&board, cell, *direction).is_some());
            assert_eq!(sides.count(), if matches!(topology, Topology::Hex { .. }) { 6 } else { 4 });
        }
    }

    #[test]
    fn pieces_on_points_have_room_up_to_half_the_shortest_line() {
        let mut map = Map::new("m", "M", Topology::Graph);
        map.cells = vec![MapCell::new("a", 0, 0), MapCell::new("b", 3000, 0), MapCell::new("c", 3000, 2000)];
        map.lines = vec![MapLine::new(["a", "b"]), MapLine::new(["b", "c"])];
        let geometry = Geometry::of(&Board::from_map(&map).unwrap());
        assert!(geometry.cells.iter().all(|cell| (cell.room - 1.0).abs() < 1e-6));
    }
}
