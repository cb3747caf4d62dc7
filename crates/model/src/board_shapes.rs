//! Shapes on square grids: where they lie, and what lies around sets of squares.

use super::cell_shift::union_shifted_onto;
use super::columns::ColumnMasks;
use super::{Board, CellId, CellSet, Footprint, Shape};

/// The four squares that share a side with a square, by columns and rows from it.
const SIDES: [(i16, i16); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

impl Board {
    /// All anchors at which every square of the shape lies inside `within` (and on the board).
    ///
    /// Anchors are ids of the grid and may be holes where the shape does not cover its anchor. On other boards than square
    /// grids no shape fits.
    pub fn fits(&self, shape: &Shape, within: &CellSet) -> CellSet {
        let (Some(columns), Some((left, right))) = (&self.columns, shape.columns()) else {
            return CellSet::empty(self.cell_count());
        };
        let within = self.own(within);
        let mut anchors = columns.mask(right.max(0).into()).into_owned();
        if left < 0 {
            anchors.intersect_with(&columns.mask(left.into()));
        }
        for &(x, y) in shape.offsets() {
            anchors.intersect_with_shifted(&within, -columns.delta(x, y));
        }
        anchors
    }

    /// All anchors at which a square of the shape, which may reach over the border, lies in `set`.
    ///
    /// Anchors are ids of the grid and may be holes where the shape does not cover its anchor. On other boards than square
    /// grids no shape touches anything.
    pub fn touches(&self, shape: &Shape, set: &CellSet) -> CellSet {
        self.with_square_in(shape.offsets(), &self.own(set))
    }

    /// The cells from which one of the squares, given by columns and rows, lies in `set`, which has to be one of this board.
    fn with_square_in(&self, squares: &[(i16, i16)], set: &CellSet) -> CellSet {
        let mut anchors = CellSet::empty(self.cell_count());
        let Some(columns) = &self.columns else { return anchors };
        for &(x, y) in squares {
            anchors.union_with_shifted_onto(set, &columns.mask(x.into()), -columns.delta(x, y));
        }
        anchors
    }

    /// Adds to the words of a set the cells from which a square, given by columns and rows, lies in `set`, which has to be one of this
    /// board. Where there are fewer words than `set` has nothing is added.
    pub fn add_with_square_in(&self, (x, y): (i16, i16), set: &CellSet, words: &mut [u64]) {
        if let (Some(columns), Some(words)) = (&self.columns, words.get_mut(..set.words().len())) {
            union_shifted_onto(words, set.words(), columns.mask(x.into()).words(), -columns.delta(x, y));
        }
    }

    /// The cells a shape covers when its anchor lies on a cell, in the order of its squares; `None` unless all of them are
    /// cells of a square grid.
    pub fn squares(&self, shape: &Shape, anchor: CellId) -> Option<Footprint> {
        let (columns, (x, y)) = (self.columns.as_ref()?, self.coordinates(anchor)?);
        let width = columns.width;
        let cell = |&(dx, dy): &(i16, i16)| {
            let (x, y) = (x + i32::from(dx), y + i32::from(dy));
            let cell = CellId::from_index(usize::try_from(y.checked_mul(width)? + x).ok()?);
            ((0..width).contains(&x) && self.contains(cell)).then_some(cell)
        };
        shape.offsets().iter().map(cell).collect()
    }

    /// Adds the cells that a shape covers where it is known to fit.
    pub(super) fn add_squares(&self, shape: &Shape, anchor: CellId, set: &mut CellSet) {
        let width = self.columns.as_ref().map_or(0, |columns| columns.width);
        let anchor = anchor.index() as i32;
        for (dx, dy) in shape.offsets() {
            let cell = anchor + i32::from(*dy) * width + i32::from(*dx);
            set.insert(CellId::from_index(usize::try_from(cell).unwrap_or(usize::MAX)));
        }
    }

    /// Columns and rows of a grid of squares; `None` on other boards.
    pub fn square_size(&self) -> Option<(usize, usize)> {
        let columns = self.columns.as_ref()?;
        Some((usize::try_from(columns.width).ok()?, usize::try_from(columns.height).ok()?))
    }

    /// The cells beside the set: they share a side with one of its cells and are not in it. On free graphs its neighbours.
    pub fn sides(&self, set: &CellSet) -> CellSet {
        let set = self.own(set);
        let mut beside = match &self.columns {
            Some(columns) => columns.around(&set).0,
            None => self.dilate(&set, 1),
        };
        beside.intersect_with(&self.all);
        beside.subtract(&set);
        beside
    }

    /// The cells of a set of which at least so many sides lie in another. On free graphs each neighbour counts as a side.
    pub fn with_sides_in(&self, set: &CellSet, other: &CellSet, least: u8) -> CellSet {
        let (set, other) = (self.own(set), self.own(other));
        if self.columns.is_none() {
            let count = |cell: CellId| self.neighbours(cell).iter().filter(|beside| other.contains(**beside)).count();
            let kept = set.iter().filter(|cell| count(*cell) >= usize::from(least));
            return CellSet::from_cells(self.cell_count(), kept);
        }
        let Some(wanted) = usize::from(least).checked_sub(1) else {
            return set.into_owned();
        };
        // By number, the cells of which that many sides and one more lie there, as far as they were looked at.
        let mut known: [CellSet; SIDES.len()] = std::array::from_fn(|_| CellSet::empty(self.cell_count()));
        for side in SIDES {
            let mut more = self.with_square_in(&[side], &other);
            for fewer in &mut known {
                let both = more.intersection(fewer);
                fewer.union_with(&more);
                more = both;
            }
        }
        known
            .get(wanted)
            .map_or_else(|| CellSet::empty(self.cell_count()), |known| set.intersection(known))
    }

    /// The cells at the corners of the set: they share a corner with one of its cells, but no side with any, and are not in
    /// it. On boards that are no square grids there are none.
    pub fn corners(&self, set: &CellSet) -> CellSet {
        let set = self.own(set);
        let Some(columns) = &self.columns else {
            return CellSet::empty(self.cell_count());
        };
        let (sides, mut corners) = columns.around(&set);
        corners.subtract(&sides);
        corners.subtract(&set);
        corners.intersect_with(&self.all);
        corners
    }
}

impl ColumnMasks {
    /// The cells of the grid that share a side with a cell of a set, and those that share a corner with one; members may be among them. The set
    /// must have the capacity of the grid.
    fn around(&self, set: &CellSet) -> (CellSet, CellSet) {
        let (grid, not_last, not_first) = (self.mask(0), self.mask(1), self.mask(-1));
        let width = self.width as u16;
        let beside = set.spread(1, &not_first, &not_last);
        let corners = beside.spread(width, &grid, &grid);
        let mut sides = set.spread(width, &grid, &grid);
        sides.union_with(&beside);
        (sides, corners)
    }

    /// How the id changes by so many columns and rows.
    fn delta(&self, x: i16, y: i16) -> i32 {
        i32::from(y).saturating_mul(self.width).saturating_add(x.into())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::boards_for_tests::{hex, square};
    use super::super::{Map, MapCell, Offset, Orientation, Topology};
    use super::*;

    fn with_sides_in_by_counting(board: &Board, set: &CellSet, other: &CellSet, least: u8) -> CellSet {
        let is_there = |cell: CellId, (x, y): (i16, i16)| {
            let (column, row) = board.coordinates(cell).unwrap();
            board
                .cell_at(column + i32::from(x), row + i32::from(y))
                .is_some_and(|beside| other.contains(beside))
        };
        let count = |cell: CellId| SIDES.into_iter().filter(|side| is_there(cell, *side)).count();
        CellSet::from_cells(
            board.cell_count(),
            set.iter()
                .filter(|cell| board.contains(*cell) && count(*cell) >= usize::from(least)),
        )
    }

    fn names(board: &Board, cells: impl IntoIterator<Item = CellId>) -> String {
        cells.into_iter().map(|cell| board.cell_name(cell)).collect::<Vec<_>>().join(" ")
    }

    fn set_of(board: &Board, names: &str) -> CellSet {
        CellSet::from_cells(board.cell_count(), names.split(' ').map(|name| board.find_cell(name).unwrap()))
    }

    proptest! {
        #[test]
        fn shapes_fit_and_touch_where_a_search_says(
            (width, height, holes) in (1..24_u16, 1..12_u16, prop::collection::vec((0..24_i32, 0..12_i32), 0..8)),
            (squares, others) in (prop::collection::vec((0..20_i16, 0..6_i16), 1..7), prop::collection::vec(0..300_u16, 0..150)),
            is_sparse in any::<bool>(),
        ) {
            let mut map = Map::new("map", "Map", Topology::Square { width, height, diagonals: false });
            for (x, y) in holes.into_iter().filter(|&(x, y)| x < width.into() && y < height.into() && (x, y) != (0, 0)) {
                if !map.cells.iter().any(|cell| (cell.x, cell.y) == (x, y)) {
                    map.cells.push(MapCell::hole(x, y));
                }
            }
            let board = Board::from_map(&map).unwrap();
            let mut set = CellSet::from_cells(board.cell_count(), others.into_iter().map(CellId));
            if is_sparse {
                set = set.complement();
            }
            // Small shapes fit more often than large ones.
            let narrow = Shape::new(squares.iter().map(|&(x, y)| (x % 3, y % 3))).unwrap();
            let shape = Shape::new(squares).unwrap();
            let others = board.sides(&set);
            for least in 0..6 {
                prop_assert_eq!(board.with_sides_in(&set, &set, least), with_sides_in_by_counting(&board, &set, &set, least));
                prop_assert_eq!(board.with_sides_in(&others, &set, least), with_sides_in_by_counting(&board, &others, &set, least));
            }
            for shape in [&narrow, &narrow.corners(), &narrow.edge_neighbours(), &shape, &shape.corners()] {
                let anchors = |holds: &dyn Fn(&[Option<CellId>]) -> bool| {
                    let squares = |(x, y): (i32, i32)| -> Vec<Option<CellId>> {
                        shape.offsets().iter().map(|&(dx, dy)| board.cell_at(x + i32::from(dx), y + i32::from(dy))).collect()
                    };
                    let ids = (0..board.cell_count()).map(CellId::from_index);
                    let grid = board.grid.unwrap();
                    CellSet::from_cells(board.cell_count(), ids.filter(|&id| holds(&squares(grid.place(id)))))
                };
                let is_member = |square: &Option<CellId>| square.is_some_and(|cell| set.contains(cell));
                prop_assert_eq!(board.fits(shape, &set), anchors(&|squares| squares.iter().all(is_member)));
                prop_assert_eq!(board.touches(shape, &set), anchors(&|squares| squares.iter().any(is_member)));
            }
        }
    }

    #[test]
    fn sides_and_corners_lie_around_a_set() {
        let board = square(5, 4, false);
        let set = set_of(&board, "b2 c2 c3");
        assert_eq!(names(&board, &board.sides(&set)), "b1 c1 a2 d2 b3 d3 c4");
        assert_eq!(names(&board, &board.corners(&set)), "a1 d1 a3 b4 d4");
        let corner = set_of(&board, "e4");
        assert_eq!(
            (names(&board, &board.sides(&corner)), names(&board, &board.corners(&corner))),
            ("e3 d4".into(), "d3".into())
        );
        let hexes = hex(3, 3, Orientation::Flat, Offset::Odd);
        assert_eq!(
            hexes.sides(&set_of(&hexes, "a1")).count(),
            hexes.neighbours(hexes.find_cell("a1").unwrap()).len()
        );
        assert!(hexes.corners(&set_of(&hexes, "a1")).is_empty());
    }

    #[test]
    fn the_squares_of_a_shape_are_all_on_the_board_or_it_does_not_lie_there() {
        let board = square(4, 3, false);
        let bent = Shape::parse([".X", "XX"]).unwrap().rooted();
        let at = |name: &str| {
            board
                .squares(&bent, board.find_cell(name).unwrap())
                .map(|cells| names(&board, cells))
        };
        assert_eq!(at("b1").as_deref(), Some("b1 a2 b2"));
        assert_eq!((at("a1"), at("b3")), (None, None));
        assert_eq!(hex(4, 3, Orientation::Flat, Offset::Odd).squares(&bent, CellId(1)), None);
    }

    #[test]
    fn a_shape_does_not_run_over_into_the_next_row() {
        let board = square(4, 3, false);
        let shape = Shape::parse(["XX", "X."]).unwrap();
        assert_eq!(names(&board, &board.fits(&shape, board.all())), "a1 b1 c1 a2 b2 c2");
        assert_eq!(names(&board, &board.touches(&shape, &set_of(&board, "a2"))), "a1 a2");
        assert_eq!(names(&board, &board.touches(&shape.corners(), &set_of(&board, "a1"))), "b2");
        assert!(
            hex(4, 3, Orientation::Flat, Offset::Odd)
                .fits(&shape, &CellSet::full(12))
                .is_empty()
        );
    }
}
