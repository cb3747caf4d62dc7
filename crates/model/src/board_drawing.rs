//! Where the cells of a board are drawn, and which of them lies under a point.

use std::borrow::Cow;

use super::{Board, CellId, graph};

/// Half the length of the shortest line, where there is none.
const DEFAULT_POINT_RADIUS: u64 = 500;

/// The corners of the drawing, in thousandths of a unit, y downwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The smallest x and y.
    pub min: (i32, i32),
    /// The largest x and y.
    pub max: (i32, i32),
}

impl Board {
    /// The middle of the cell in the drawing, in thousandths of a unit, y downwards; the origin if there is no such cell.
    ///
    /// On grids neighbours across a side are 1,000 apart, and the drawing begins at the origin.
    pub fn position(&self, cell: CellId) -> (i32, i32) {
        match self.grid {
            Some(grid) if self.contains(cell) => grid.centre(grid.place(cell)),
            Some(_) => (0, 0),
            None => self.positions.get(cell.index()).copied().unwrap_or_default(),
        }
    }

    /// The polygons that bound the cell in the drawing; none for points.
    ///
    /// On grids there is one polygon, clockwise, and its sides follow the directions: the side from the first to the
    /// second corner looks in direction 0, the next one in direction 1 (on squares with diagonals: 2), and so on.
    pub fn outline(&self, cell: CellId) -> Cow<'_, [Vec<(i32, i32)>]> {
        match self.grid {
            Some(grid) if self.contains(cell) => Cow::Owned(vec![grid.outline(grid.place(cell))]),
            _ => Cow::Borrowed(self.outlines.get(&cell).map_or(&[], Vec::as_slice)),
        }
    }

    /// The corners of the drawing.
    pub const fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// The cell at a point of the drawing, in thousandths of a unit, y downwards.
    ///
    /// On grids the cell whose outline holds the point. On free graphs the nearest point, if it is nearer than half the
    /// shortest line between points; failing that the area whose outline holds it.
    pub fn hit(&self, x: i32, y: i32) -> Option<CellId> {
        let (x, y) = (i64::from(x), i64::from(y));
        if let Some(grid) = self.grid {
            return grid.id(grid.hit((x, y))?).filter(|&cell| self.contains(cell));
        }
        let away = |cell: &CellId| {
            let (to_x, to_y) = self.position(*cell);
            let (dx, dy) = (x.abs_diff(to_x.into()), y.abs_diff(to_y.into()));
            dx * dx + dy * dy
        };
        let is_point = |cell: &CellId| !self.outlines.contains_key(cell);
        let nearest = self.cells().filter(is_point).min_by_key(away);
        nearest
            .filter(|cell| away(cell) <= self.point_radius * self.point_radius)
            .or_else(|| {
                self.outlines
                    .iter()
                    .find(|(_, outline)| graph::is_inside(outline, (x, y)))
                    .map(|(&cell, _)| cell)
            })
    }

    /// Whether cells, outlines, lines and names are drawn at the same places as those of another board: the ground may differ.
    pub fn is_drawn_like(&self, other: &Self) -> bool {
        self.topology == other.topology
            && self.all == other.all
            && self.positions == other.positions
            && self.outlines == other.outlines
            && self.lines == other.lines
            && self.names == other.names
    }

    /// The smallest box around all middles and outlines.
    pub(super) fn drawing_bounds(&self) -> Bounds {
        let mut bounds = Bounds {
            min: (i32::MAX, i32::MAX),
            max: (i32::MIN, i32::MIN),
        };
        let mut include = |(x, y): (i32, i32)| {
            bounds.min = (bounds.min.0.min(x), bounds.min.1.min(y));
            bounds.max = (bounds.max.0.max(x), bounds.max.1.max(y));
        };
        for cell in self.cells() {
            include(self.position(cell));
            self.outline(cell).iter().flatten().for_each(|&point| include(point));
        }
        bounds
    }

    /// Half the shortest line between two points of a free graph.
    pub(super) fn least_point_radius(&self) -> u64 {
        let is_point = |cell: CellId| !self.outlines.contains_key(&cell);
        let length = |&(a, b): &(CellId, CellId)| {
            let ((a_x, a_y), (b_x, b_y)) = (self.position(a), self.position(b));
            u64::from(a_x.abs_diff(b_x)).pow(2) + u64::from(a_y.abs_diff(b_y)).pow(2)
        };
        let ends = self.links.ends().iter();
        let lines = ends.filter(|&&(a, b)| self.grid.is_none() && is_point(a) && is_point(b));
        let least = lines.map(length).filter(|&length| length > 0).min();
        least.map_or(DEFAULT_POINT_RADIUS, |length| length.isqrt() / 2)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::boards_for_tests::{boards, graph_map, hex};
    use super::super::{Offset, Orientation};
    use super::*;

    #[test]
    fn areas_are_hit_inside_their_outlines_and_points_near_their_middle() {
        let mut map = graph_map(&["a", "b", "c"], &[&["a", "b"], &["b", "c"]]);
        map.cells[2].outline = vec![vec![(0, -500), (5000, -500), (5000, 5000), (0, 5000)]];
        let board = Board::from_map(&map).unwrap();
        assert_eq!(board.hit(1300, 300), Some(CellId(1)));
        assert_eq!(board.hit(1400, 400), Some(CellId(2)));
        assert_eq!(board.hit(-400, 200), Some(CellId(0)));
        assert_eq!(board.hit(-400, 400), None);
        assert_eq!(board.hit(i32::MIN, i32::MAX), None);
        assert_eq!(
            board.bounds(),
            Bounds {
                min: (0, -500),
                max: (5000, 5000)
            }
        );
    }

    #[test]
    fn a_hex_map_of_one_cell_has_bounds_and_a_hit() {
        for (orientation, max) in [(Orientation::Pointy, (1000, 1154)), (Orientation::Flat, (1154, 1000))] {
            let board = hex(1, 1, orientation, Offset::Odd);
            assert_eq!(board.bounds(), Bounds { min: (0, 0), max });
            assert_eq!(
                (board.hit(500, 500), board.hit(1, 1), board.hit(-1, 500)),
                (Some(CellId(0)), None, None)
            );
        }
    }

    proptest! {
        #[test]
        fn the_middle_of_a_cell_hits_it(board in boards()) {
            for cell in board.cells() {
                let (x, y) = board.position(cell);
                prop_assert_eq!(board.hit(x, y), Some(cell));
                for &(x, y) in board.outline(cell).iter().flatten() {
                    let bounds = board.bounds();
                    prop_assert!((bounds.min.0..=bounds.max.0).contains(&x) && (bounds.min.1..=bounds.max.1).contains(&y));
                }
            }
        }
    }
}
