//! Geometry of square grids.

use super::topology::{Nudge, Place};

const STRAIGHT_NAMES: [&str; 4] = ["n", "e", "s", "w"];
const ALL: [Place; 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];
const ALL_NAMES: [&str; 8] = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SquareGrid {
    pub(super) diagonals: bool,
}

impl SquareGrid {
    pub(super) const CORNERS: [(i32, i32); 4] = [(-500, -500), (500, -500), (500, 500), (-500, 500)];

    pub(super) const fn directions(self) -> &'static [&'static str] {
        if self.diagonals { &ALL_NAMES } else { &STRAIGHT_NAMES }
    }

    pub(super) fn neighbour(self, (x, y): Place, direction: usize) -> Place {
        let offset = if self.diagonals {
            ALL.get(direction % 8)
        } else {
            ALL.get(2 * direction % 8)
        };
        offset.map_or((x, y), |(dx, dy)| (x + dx, y + dy))
    }

    pub(super) fn distance(self, a: Place, b: Place) -> u32 {
        let (across, down) = (a.0.abs_diff(b.0), a.1.abs_diff(b.1));
        if self.diagonals { across.max(down) } else { across + down }
    }

    pub(super) const fn centre((x, y): Place) -> (i32, i32) {
        (1000 * x + 500, 1000 * y + 500)
    }

    pub(super) fn hit((x, y): (i64, i64)) -> Place {
        let column = |value: i64| i32::try_from(value.div_euclid(1000)).unwrap_or(-1);
        (column(x), column(y))
    }

    /// One square for each step along the longer side; steps may be diagonal.
    pub(super) fn line(a: Place, b: Place, nudge: Nudge) -> Vec<Place> {
        // Coordinates in units of 1 / (steps * SCALE), nudged by less than half of SCALE so that nothing lies on a border.
        const SCALE: i64 = 32;
        let steps = i64::from(a.0.abs_diff(b.0).max(a.1.abs_diff(b.1)));
        let unit = steps.max(1) * SCALE;
        let at = |from: i32, to: i32, step: i64, amount: i64| {
            let value = (i64::from(from) * (steps.max(1) - step) + i64::from(to) * step) * SCALE + nudge.of(amount);
            (2 * value + unit).div_euclid(2 * unit) as i32
        };
        (0..=steps).map(|step| (at(a.0, b.0, step, 1), at(a.1, b.1, step, 2))).collect()
    }

    /// Every square the line from middle to middle runs through; no step is diagonal, for where the line meets a corner
    /// the nudge decides which of the two squares beside it comes next.
    pub(super) fn crossed(a: Place, b: Place, nudge: Nudge) -> Vec<Place> {
        // The line crosses its `n`th border between columns after (2n + 1) / (2 * across) of its length, and rows in the
        // same way. SCALE makes the nudge smaller than any true difference between the two.
        const SCALE: i64 = 1 << 20;
        let (across, down) = (i64::from(b.0) - i64::from(a.0), i64::from(b.1) - i64::from(a.1));
        let (mut crossed_columns, mut crossed_rows) = (0, 0);
        let mut place = a;
        let mut places = vec![a];
        while crossed_columns < across.abs() || crossed_rows < down.abs() {
            let next_column = ((2 * crossed_columns + 1) * SCALE - nudge.of(across.signum())) * down.abs();
            let next_row = ((2 * crossed_rows + 1) * SCALE - nudge.of(2 * down.signum())) * across.abs();
            if crossed_rows == down.abs() || (crossed_columns < across.abs() && next_column < next_row) {
                crossed_columns += 1;
                place.0 += across.signum() as i32;
            } else {
                crossed_rows += 1;
                place.1 += down.signum() as i32;
            }
            places.push(place);
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BOTH: [Nudge; 2] = [Nudge::There, Nudge::Back];

    #[test]
    fn directions_point_where_they_say() {
        for diagonals in [false, true] {
            let grid = SquareGrid { diagonals };
            for (direction, name) in grid.directions().iter().enumerate() {
                let (x, y) = grid.neighbour((1, 1), direction);
                let text: String = [["n", "", "s"][y as usize], ["w", "", "e"][x as usize]].concat();
                assert_eq!(text, *name);
            }
        }
    }

    #[test]
    fn at_a_corner_the_nudge_picks_a_side() {
        let sides = BOTH.map(|nudge| SquareGrid::crossed((0, 0), (1, 1), nudge)[1]);
        assert!(sides == [(0, 1), (1, 0)] || sides == [(1, 0), (0, 1)]);
        assert_eq!(SquareGrid::line((0, 0), (3, 3), Nudge::There), [(0, 0), (1, 1), (2, 2), (3, 3)]);
    }

    proptest! {
        #[test]
        fn lines_are_connected_and_the_same_both_ways(a in (0..30_i32, 0..30_i32), b in (0..30_i32, 0..30_i32)) {
            for nudge in BOTH {
                for (diagonals, line, back) in [
                    (true, SquareGrid::line(a, b, nudge), SquareGrid::line(b, a, nudge)),
                    (false, SquareGrid::crossed(a, b, nudge), SquareGrid::crossed(b, a, nudge)),
                ] {
                    let grid = SquareGrid { diagonals };
                    prop_assert_eq!((line[0], line[line.len() - 1]), (a, b));
                    prop_assert_eq!(line.len() as u32, grid.distance(a, b) + 1);
                    prop_assert!(line.windows(2).all(|pair| grid.distance(pair[0], pair[1]) == 1));
                    prop_assert_eq!(line, back.into_iter().rev().collect::<Vec<_>>());
                }
            }
        }

        #[test]
        fn crossed_squares_are_those_the_line_enters(a in (0..12_i32, 0..12_i32), b in (0..12_i32, 0..12_i32)) {
            let (dx, dy) = (b.0 - a.0, b.1 - a.1);
            // A line enters the inside of a square if corners of the square lie strictly on both sides of it.
            let enters = |&(x, y): &Place| {
                let sides = [(-1, -1), (1, -1), (1, 1), (-1, 1)].map(|(cx, cy)| dx * (2 * (y - a.1) + cy) - dy * (2 * (x - a.0) + cx));
                sides.iter().any(|&side| side > 0) && sides.iter().any(|&side| side < 0)
            };
            prop_assume!(a != b);
            let inside = |&(x, y): &Place| (a.0.min(b.0)..=a.0.max(b.0)).contains(&x) && (a.1.min(b.1)..=a.1.max(b.1)).contains(&y);
            let expected: Vec<Place> = (0..12).flat_map(|x| (0..12).map(move |y| (x, y))).filter(inside).filter(enters).collect();
            for nudge in BOTH {
                let mut crossed: Vec<Place> = SquareGrid::crossed(a, b, nudge).into_iter().filter(enters).collect();
                crossed.sort_unstable();
                prop_assert_eq!(&crossed, &expected);
            }
        }
    }
}
