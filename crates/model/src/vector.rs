//! Vectors between the cells of a grid, and the lines along them: which cells a line crosses, whose middles it meets, how near it
//! comes to another cell. All of it is exact: whole numbers, no samples, no tolerance.

use num_integer::gcd;
use smallvec::{SmallVec, smallvec};

use super::topology::{Grid, GridCells, Nudge, Place};
use super::{Board, CellId, DirectionId};

/// A displacement on a grid: on hexes the first two of three cube coordinates, on squares columns and rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Vector {
    x: i32,
    y: i32,
}

/// The cells that a line crosses at once: one, or two where it runs along the side that they share.
pub type CrossedCells = SmallVec<[CellId; 2]>;

impl Vector {
    /// No coordinate lies farther from 0; boards are smaller.
    pub const MOST: i32 = 1 << 20;

    /// The vector with two coordinates; `None` if one of them is farther from 0 than [`MOST`](Self::MOST).
    fn new(x: i64, y: i64) -> Option<Self> {
        let coordinate = |value: i64| {
            i32::try_from(value)
                .ok()
                .filter(|value| value.unsigned_abs() <= Self::MOST.unsigned_abs())
        };
        Some(Self {
            x: coordinate(x)?,
            y: coordinate(y)?,
        })
    }

    /// Both one after the other; `None` if that is longer than any vector.
    pub fn plus(self, other: Self) -> Option<Self> {
        Self::new(i64::from(self.x) + i64::from(other.x), i64::from(self.y) + i64::from(other.y))
    }

    /// So many times as long; `None` if that is longer than any vector.
    pub fn times(self, times: i64) -> Option<Self> {
        Self::new(i64::from(self.x).checked_mul(times)?, i64::from(self.y).checked_mul(times)?)
    }

    /// The same backwards.
    #[must_use]
    pub const fn back(self) -> Self {
        Self { x: -self.x, y: -self.y }
    }
}

impl Board {
    /// The way from one cell to another. `None` on free graphs, and if one of them is not there.
    ///
    /// ```
    /// use boardwright_model::{Board, Map, Topology};
    ///
    /// let board = Board::from_map(&Map::new("chess", "Chess", Topology::Square { width: 8, height: 8, diagonals: true }))?;
    /// let [a1, b3, f5] = ["a1", "b3", "f5"].map(|name| board.find_cell(name).unwrap());
    /// let leap = board.vector(a1, b3).unwrap();
    /// assert_eq!(board.cell_beyond(f5, leap), board.find_cell("g7"));
    /// # Ok::<(), Vec<boardwright_model::MapFault>>(())
    /// ```
    pub fn vector(&self, from: CellId, to: CellId) -> Option<Vector> {
        let grid = self.grid.filter(|_| self.contains(from) && self.contains(to))?;
        let (from, to) = (grid.point(grid.place(from)), grid.point(grid.place(to)));
        Vector::new(to[0] - from[0], to[1] - from[1])
    }

    /// The cell that a vector leads to from another; `None` where there is no cell.
    pub fn cell_beyond(&self, cell: CellId, vector: Vector) -> Option<CellId> {
        let grid = self.grid.filter(|_| self.contains(cell))?;
        let [x, y] = grid.point(grid.place(cell));
        self.cell_at_point(grid, [x + i64::from(vector.x), y + i64::from(vector.y)])
    }

    /// One step in a direction; `None` on free graphs, and if there is no such direction.
    pub fn direction_vector(&self, direction: DirectionId) -> Option<Vector> {
        let grid = self.grid.filter(|_| direction.index() < self.direction_count())?;
        let (from, to) = (grid.point((0, 0)), grid.point(grid.neighbour((0, 0), direction.index())));
        Vector::new(to[0] - from[0], to[1] - from[1])
    }

    /// How many steps a vector is long; `None` on free graphs.
    pub fn vector_length(&self, vector: Vector) -> Option<u32> {
        let (x, y) = (vector.x.unsigned_abs(), vector.y.unsigned_abs());
        Some(match self.grid?.cells {
            GridCells::Hex(_) => x.max(y).max((vector.x + vector.y).unsigned_abs()),
            GridCells::Square(grid) if grid.diagonals => x.max(y),
            GridCells::Square(_) => x + y,
        })
    }

    /// The vector turned clockwise: on hexes by so many sixths, on squares by so many quarters. `None` on free graphs.
    pub fn turned_vector(&self, vector: Vector, times: i64) -> Option<Vector> {
        let Vector { x, y } = vector;
        let is_hex = matches!(self.grid?.cells, GridCells::Hex(_));
        let turns = times.rem_euclid(if is_hex { 6 } else { 4 });
        Some((0..turns).fold(Vector { x, y }, |Vector { x, y }, _| {
            if is_hex {
                Vector { x: -y, y: x + y }
            } else {
                Vector { x: -y, y: x }
            }
        }))
    }

    /// What a straight line from the middle of a cell to that of another crosses, in order, both ends included. Where it runs along the
    /// side that two cells share, they are crossed at once. A cell that it only touches with a corner is not crossed, and holes and what
    /// is outside the board are left out. `None` on free graphs, and if one of the cells is not there.
    pub fn crossed(&self, a: CellId, b: CellId) -> Option<Vec<CrossedCells>> {
        let grid = self.grid.filter(|_| self.contains(a) && self.contains(b))?;
        let (a, b) = (grid.place(a), grid.place(b));
        let mut cells: Vec<CrossedCells> = match grid.cells {
            GridCells::Hex(_) => {
                let (from, to) = (grid.point(a), grid.point(b));
                let crossed = crossed_hexes([to[0] - from[0], to[1] - from[1]]);
                let cell = |[x, y]: Point| self.cell_at_point(grid, [from[0] + x, from[1] + y]);
                let cells = crossed.into_iter().map(|hexes| hexes.into_iter().filter_map(cell).collect());
                cells.filter(|cells: &CrossedCells| !cells.is_empty()).collect()
            }
            GridCells::Square(_) => {
                // Where the line meets a corner, the one nudge takes the square on the one side of it, and the other the other.
                let back = grid.crossed(a, b, Nudge::Back);
                let there = grid.crossed(a, b, Nudge::There).into_iter().filter(|place| back.contains(place));
                there.filter_map(|(x, y)| self.cell_at(x, y)).map(|cell| smallvec![cell]).collect()
            }
        };
        for at_once in &mut cells {
            at_once.sort_unstable();
        }
        Some(cells)
    }

    /// The cells whose middles lie on the straight line from one to another, in order, both ends included; holes are left out. `None`
    /// on free graphs, and if one of the cells is not there.
    pub fn middles(&self, a: CellId, b: CellId) -> Option<Vec<CellId>> {
        let grid = self.grid.filter(|_| self.contains(a) && self.contains(b))?;
        let (from, to) = (grid.point(grid.place(a)), grid.point(grid.place(b)));
        let way = [to[0] - from[0], to[1] - from[1]];
        let parts = gcd(way[0], way[1]).max(1);
        let steps = if way == [0, 0] { 0 } else { parts };
        let at = |step: i64| [0, 1].map(|axis: usize| from[axis] + way[axis] / parts * step);
        Some((0..=steps).filter_map(|step| self.cell_at_point(grid, at(step))).collect())
    }

    /// Whether the straight line between the middles of two cells comes as near to the middle of a third as a radius, in thousandths of
    /// the distance between neighbours. To touch is enough. `None` on free graphs, and if one of the cells is not there.
    pub fn passes(&self, a: CellId, b: CellId, centre: CellId, radius: u32) -> Option<bool> {
        let all_there = [a, b, centre].iter().all(|cell| self.contains(*cell));
        let grid = self.grid.filter(|_| all_there)?;
        let [from, to, centre] = [a, b, centre].map(|cell| grid.point(grid.place(cell)));
        let difference = |p: Point, q: Point| [q[0] - p[0], q[1] - p[1]].map(i128::from);
        let (way, from_a, from_b) = (difference(from, to), difference(from, centre), difference(to, centre));
        let is_hex = matches!(grid.cells, GridCells::Hex(_));
        // On hexes the axes meet at 60 degrees: the square of a length is x * x + x * y + y * y, and an area is the root of 3/4 of what it
        // is on squares. Scalar products are doubled, areas squared, to stay whole.
        let twice_product = |[x, y]: [i128; 2], [other_x, other_y]: [i128; 2]| {
            2 * (x * other_x + y * other_y) + if is_hex { x * other_y + y * other_x } else { 0 }
        };
        let radius = i128::from(radius);
        let is_near = |[x, y]: [i128; 2]| 1_000_000 * twice_product([x, y], [x, y]) <= 2 * radius * radius;
        let backwards = way.map(|coordinate| -coordinate);
        Some(if twice_product(way, from_a) <= 0 {
            is_near(from_a)
        } else if twice_product(backwards, from_b) <= 0 {
            is_near(from_b)
        } else {
            let area = way[0] * from_a[1] - way[1] * from_a[0];
            let four_areas = if is_hex { 3 } else { 4 } * area * area;
            1_000_000 * four_areas <= 2 * radius * radius * twice_product(way, way)
        })
    }

    fn cell_at_point(&self, grid: Grid, point: Point) -> Option<CellId> {
        let (x, y) = grid.place_of_point(point)?;
        self.cell_at(x, y)
    }
}

/// A place in coordinates in which lines are straight: of hexes two of the cube coordinates, of squares column and row.
type Point = [i64; 2];

impl Grid {
    fn point(self, (x, y): Place) -> Point {
        match self.cells {
            GridCells::Hex(grid) => {
                let hex = grid.hex((x, y));
                [hex.x().into(), hex.y().into()]
            }
            GridCells::Square(_) => [x.into(), y.into()],
        }
    }

    fn place_of_point(self, [x, y]: Point) -> Option<Place> {
        let (x, y) = (i32::try_from(x).ok()?, i32::try_from(y).ok()?);
        Some(match self.cells {
            GridCells::Hex(grid) => grid.place(hexx::Hex::new(x, y)),
            GridCells::Square(_) => (x, y),
        })
    }
}

/// Across the sides of a hex at which its axes are 1 and -1. The axes are the differences of the cube coordinates, x - y, y - z and z - x:
/// within a hex each lies between -1 and 1, measured from its middle.
const ACROSS: [[Point; 2]; 3] = [[[1, -1], [-1, 1]], [[0, 1], [0, -1]], [[-1, 0], [1, 0]]];

fn axes([x, y]: Point) -> [i64; 3] {
    let z = -x - y;
    [x - y, y - z, z - x]
}

/// The hexes that the line from the middle of the hex at 0 to that of another crosses, in order.
fn crossed_hexes(to: Point) -> Vec<SmallVec<[Point; 2]>> {
    let speeds = axes(to);
    let mut at: Point = [0, 0];
    let mut crossed: Vec<SmallVec<[Point; 2]>> = vec![smallvec![at]];
    while at != to {
        let middles = axes(at);
        // When the line leaves the hex by each of its axes, as a fraction of its length, and what lies beyond.
        let mut exits: SmallVec<[(i64, i64, Point, usize); 3]> = SmallVec::new();
        for (axis, sides) in ACROSS.iter().enumerate() {
            let (speed, middle) = (speeds[axis], middles[axis]);
            if speed == 0 {
                continue;
            }
            let exit = (middle * speed.signum() + 1, speed.abs(), sides[usize::from(speed < 0)], axis);
            let later = exits.first().map(|first| (first.0 * exit.1).cmp(&(exit.0 * first.1)));
            match later {
                Some(std::cmp::Ordering::Less) => {}
                Some(std::cmp::Ordering::Equal) => exits.push(exit),
                Some(std::cmp::Ordering::Greater) | None => {
                    exits.clear();
                    exits.push(exit);
                }
            }
        }
        let beyond = |side: Point| [at[0] + side[0], at[1] + side[1]];
        match *exits {
            [(.., side, _)] => at = beyond(side),
            [(.., one, first), (.., other, second), ..] => {
                // The line meets a corner. Beyond it lie two hexes, on either side of the third axis.
                let third = 3 - first - second;
                if speeds[third] == 0 {
                    crossed.push(smallvec![beyond(one), beyond(other)]);
                    at = [at[0] + one[0] + other[0], at[1] + one[1] + other[1]];
                } else {
                    let is_one = axes(one)[third].signum() == speeds[third].signum();
                    at = beyond(if is_one { one } else { other });
                }
            }
            [] => break,
        }
        crossed.push(smallvec![at]);
    }
    crossed
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use proptest::prelude::*;

    use super::super::boards_for_tests::{crossed_map, hex, square};
    use super::super::{Map, MapCell, Offset, Orientation, Topology};
    use super::*;

    fn layouts() -> impl Iterator<Item = (Orientation, Offset)> {
        [Orientation::Pointy, Orientation::Flat]
            .into_iter()
            .flat_map(|orientation| [Offset::Odd, Offset::Even].map(|offset| (orientation, offset)))
    }

    fn names(board: &Board, a: &str, b: &str) -> Vec<String> {
        let cell = |name| board.find_cell(name).unwrap();
        let crossed = board.crossed(cell(a), cell(b)).unwrap();
        let name = |cells: CrossedCells| cells.iter().map(|cell| board.cell_name(*cell)).collect::<Vec<_>>().join("|");
        crossed.into_iter().map(name).collect()
    }

    /// A fraction with a positive denominator.
    #[derive(Clone, Copy, Debug)]
    struct Fraction(i128, i128);

    impl Fraction {
        fn of(number: i128, by: i128) -> Self {
            if by < 0 { Self(-number, -by) } else { Self(number, by) }
        }

        fn cmp(self, other: Self) -> Ordering {
            (self.0 * other.1).cmp(&(other.0 * self.1))
        }
    }

    /// When the line from 0 to a hex is in another hex: the half planes of its six sides, one after the other.
    fn time_within(to: Point, hex: Point) -> Option<(Fraction, Fraction)> {
        // The corners in thirds.
        const CORNERS: [[i128; 2]; 6] = [[2, -1], [1, 1], [-1, 2], [-2, 1], [-1, -1], [1, -2]];
        let way = to.map(|coordinate| 3 * i128::from(coordinate));
        let (mut from, mut until) = (Fraction(0, 1), Fraction(1, 1));
        for (at, corner) in CORNERS.iter().enumerate() {
            let next = CORNERS[(at + 1) % 6];
            let side = [next[0] - corner[0], next[1] - corner[1]];
            let start = [3 * i128::from(hex[0]) + corner[0], 3 * i128::from(hex[1]) + corner[1]];
            // Within while `first + time * change` is at least 0.
            let first = side[0] * -start[1] - side[1] * -start[0];
            let change = side[0] * way[1] - side[1] * way[0];
            match change.cmp(&0) {
                Ordering::Equal if first < 0 => return None,
                Ordering::Equal => {}
                Ordering::Greater => {
                    let time = Fraction::of(-first, change);
                    if time.cmp(from) == Ordering::Greater {
                        from = time;
                    }
                }
                Ordering::Less => {
                    let time = Fraction::of(-first, change);
                    if time.cmp(until) == Ordering::Less {
                        until = time;
                    }
                }
            }
        }
        (from.cmp(until) == Ordering::Less).then_some((from, until))
    }

    /// The hexes of a line by looking at all that could lie on it, those that it is in for the same time together.
    fn crossed_by_clipping(to: Point) -> Vec<Vec<Point>> {
        let (left, right) = (to[0].min(0) - 1, to[0].max(0) + 1);
        let (top, bottom) = (to[1].min(0) - 1, to[1].max(0) + 1);
        let around = (left..=right).flat_map(|x| (top..=bottom).map(move |y| [x, y]));
        let mut found: Vec<_> = around.filter_map(|hex| Some((time_within(to, hex)?, hex))).collect();
        found.sort_by(|((from, _), hex), ((other_from, _), other)| from.cmp(*other_from).then(hex.cmp(other)));
        let mut crossed: Vec<(Fraction, Vec<Point>)> = Vec::new();
        for ((from, _), hex) in found {
            match crossed.last_mut() {
                Some((last, hexes)) if last.cmp(from) == Ordering::Equal => hexes.push(hex),
                _ => crossed.push((from, vec![hex])),
            }
        }
        crossed.into_iter().map(|(_, hexes)| hexes).collect()
    }

    #[test]
    fn a_line_along_a_side_crosses_both_cells_at_once() {
        let board = hex(5, 5, Orientation::Pointy, Offset::Odd);
        assert_eq!(names(&board, "c1", "c3"), ["c1", "b2|c2", "c3"]);
        assert_eq!(names(&board, "c1", "c5"), ["c1", "b2|c2", "c3", "b4|c4", "c5"]);
        assert_eq!(names(&board, "a2", "d2"), ["a2", "b2", "c2", "d2"]);
        assert_eq!(names(&board, "b2", "b2"), ["b2"]);
    }

    #[test]
    fn a_cell_that_is_touched_with_a_corner_is_not_crossed() {
        // The third vertex on the way from 0 to 5, -1 is that of 2, 0; 3, -1; 3, 0.
        let crossed = crossed_hexes([5, -1]);
        assert_eq!(crossed.len(), 6, "{crossed:?}");
        assert!(crossed.iter().all(|hexes| hexes.len() == 1));
        assert_eq!(names(&square(4, 4, true), "a1", "c3"), ["a1", "b2", "c3"]);
        assert_eq!(names(&square(4, 4, false), "a1", "c2"), ["a1", "b1", "b2", "c2"]);
    }

    #[test]
    fn what_lies_outside_the_board_is_not_crossed() {
        let board = hex(3, 3, Orientation::Pointy, Offset::Odd);
        assert_eq!(names(&board, "a1", "a3"), ["a1", "a2", "a3"]);
        let mut map = Map::new(
            "map",
            "Map",
            Topology::Square {
                width: 3,
                height: 1,
                diagonals: false,
            },
        );
        map.cells.push(MapCell::hole(1, 0));
        let board = Board::from_map(&map).unwrap();
        assert_eq!(names(&board, "a1", "c1"), ["a1", "c1"]);
    }

    #[test]
    fn graphs_have_no_vectors() {
        let board = Board::from_map(&crossed_map()).unwrap();
        let (a, b) = (CellId(0), CellId(1));
        assert_eq!((board.vector(a, b), board.crossed(a, b), board.middles(a, b)), (None, None, None));
        assert_eq!((board.vector_length(Vector::default()), board.passes(a, b, a, 5)), (None, None));
    }

    #[test]
    fn middles_are_met_where_the_steps_of_a_way_have_a_common_part() {
        let board = square(7, 7, true);
        let cell = |name| board.find_cell(name).unwrap();
        let met = |a, b| -> Vec<&str> {
            let middles = board.middles(cell(a), cell(b)).unwrap();
            middles.into_iter().map(|cell| board.cell_name(cell)).collect()
        };
        assert_eq!(met("a1", "g4"), ["a1", "c2", "e3", "g4"]);
        assert_eq!(met("a1", "c4"), ["a1", "c4"]);
        assert_eq!(met("b2", "b2"), ["b2"]);
    }

    #[test]
    fn a_circle_is_passed_when_it_is_touched() {
        let board = square(5, 5, true);
        let cell = |name| board.find_cell(name).unwrap();
        let passes = |a, b, centre, radius| board.passes(cell(a), cell(b), cell(centre), radius).unwrap();
        assert!(passes("a1", "e1", "c2", 1000) && !passes("a1", "e1", "c2", 999));
        assert!(passes("c1", "e1", "a1", 2000) && !passes("c1", "e1", "a1", 1999));
        // A line from a1 to c2 passes b1 at 1 / root of 5: 447.2 thousandths.
        assert!(passes("a1", "c2", "b1", 448) && !passes("a1", "c2", "b1", 447));
        // On hexes the line from one hex to the next but one along a side passes at half a hex.
        let board = hex(5, 5, Orientation::Pointy, Offset::Odd);
        let cell = |name| board.find_cell(name).unwrap();
        assert_eq!(board.passes(cell("c1"), cell("c3"), cell("c2"), 500), Some(true));
        assert_eq!(board.passes(cell("c1"), cell("c3"), cell("c2"), 499), Some(false));
    }

    #[test]
    fn turning_goes_round_the_directions() {
        for (orientation, offset) in layouts() {
            let board = hex(5, 5, orientation, offset);
            let centre = board.find_cell("c3").unwrap();
            let steps: Vec<Vector> = board
                .steps(centre)
                .iter()
                .map(|(_, to)| board.vector(centre, *to).unwrap())
                .collect();
            for (direction, step) in steps.iter().enumerate() {
                let next = steps[(direction + 1) % 6];
                assert_eq!(board.turned_vector(*step, 1), Some(next), "{orientation:?} {offset:?}");
                assert_eq!(board.turned_vector(next, -1), Some(*step));
            }
        }
        let board = square(5, 5, false);
        let centre = board.find_cell("c3").unwrap();
        let steps: Vec<Vector> = board
            .steps(centre)
            .iter()
            .map(|(_, to)| board.vector(centre, *to).unwrap())
            .collect();
        assert_eq!(board.turned_vector(steps[0], 1), Some(steps[1]));
        assert_eq!(board.turned_vector(steps[0], 4), Some(steps[0]));
    }

    #[test]
    fn vectors_that_are_too_long_are_none() {
        let longest = Vector { x: Vector::MOST, y: 0 };
        assert_eq!((longest.plus(Vector { x: 1, y: 0 }), longest.times(2)), (None, None));
        assert_eq!(longest.times(i64::MAX), None);
        assert_eq!(longest.plus(longest.back()), Some(Vector::default()));
    }

    proptest! {
        #[test]
        fn lines_cross_what_clipping_finds(x in -24..=24_i64, y in -24..=24_i64) {
            let crossed: Vec<Vec<Point>> = crossed_hexes([x, y])
                .into_iter()
                .map(|mut hexes| { hexes.sort_unstable(); hexes.to_vec() })
                .collect();
            let expected = if (x, y) == (0, 0) { vec![vec![[0, 0]]] } else { crossed_by_clipping([x, y]) };
            prop_assert_eq!(crossed, expected);
        }

        #[test]
        fn circles_are_passed_where_the_nearest_point_is_within(
            a in (-9..=9_i64, -9..=9_i64), b in (-9..=9_i64, -9..=9_i64), centre in (-9..=9_i64, -9..=9_i64), radius in 0..4000_u32,
        ) {
            let places = |(x, y): (i64, i64)| [x + 20, y + 20];
            let (hexes, squares) = (hex(64, 64, Orientation::Pointy, Offset::Odd), square(64, 64, true));
            for (board, is_hex) in [(&hexes, true), (&squares, false)] {
                let cell = |place| board.cell_at_point(board.grid.unwrap(), places(place)).unwrap();
                let found = board.passes(cell(a), cell(b), cell(centre), radius).unwrap();
                // The nearest point by a fraction of the way, and the square of its distance as a fraction.
                let square = |x: i128, y: i128| x * x + y * y + if is_hex { x * y } else { 0 };
                let (way, to) = ((i128::from(b.0 - a.0), i128::from(b.1 - a.1)), (i128::from(centre.0 - a.0), i128::from(centre.1 - a.1)));
                let twice_length = 2 * square(way.0, way.1);
                let along = 2 * (way.0 * to.0 + way.1 * to.1) + if is_hex { way.0 * to.1 + way.1 * to.0 } else { 0 };
                let along = along.clamp(0, twice_length);
                let part = twice_length.max(1);
                let apart = square(to.0 * part - way.0 * along, to.1 * part - way.1 * along);
                let expected = apart * 1_000_000 <= i128::from(radius) * i128::from(radius) * part * part;
                prop_assert_eq!(found, expected);
            }
        }

        #[test]
        fn a_vector_leads_from_its_beginning_to_its_end(a in 0..144_u16, b in 0..144_u16) {
            let hexes = layouts().map(|(orientation, offset)| hex(12, 12, orientation, offset));
            for board in hexes.chain([square(12, 12, true), square(12, 12, false)]) {
                let (a, b) = (CellId(a), CellId(b));
                let vector = board.vector(a, b).unwrap();
                prop_assert_eq!(board.cell_beyond(a, vector), Some(b));
                prop_assert_eq!(board.cell_beyond(b, vector.back()), Some(a));
                prop_assert_eq!(board.vector_length(vector), board.distance(a, b));
                for direction in board.directions() {
                    prop_assert_eq!(board.cell_beyond(a, board.direction_vector(direction).unwrap()), board.step(a, direction));
                }
                let crossed = board.crossed(a, b).unwrap();
                prop_assert_eq!((crossed.first().unwrap().as_slice(), crossed.last().unwrap().as_slice()), (&[a][..], &[b][..]));
                let mut back = board.crossed(b, a).unwrap();
                back.reverse();
                prop_assert_eq!(&crossed, &back);
                let middles = board.middles(a, b).unwrap();
                let single: Vec<CellId> = crossed.iter().filter(|cells| cells.len() == 1).map(|cells| cells[0]).collect();
                prop_assert!(middles.iter().all(|middle| single.contains(middle)));
                prop_assert!(middles.iter().all(|middle| board.passes(a, b, *middle, 0) == Some(true)));
            }
        }
    }
}
