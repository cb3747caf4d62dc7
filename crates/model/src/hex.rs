//! Geometry of hex grids: offset coordinates outside, the cube coordinates of [`hexx`] inside.

use hexx::{EdgeDirection, Hex, HexOrientation, OffsetHexMode};

use super::topology::{Nudge, Place};
use super::{Offset, Orientation};

/// Half the distance between two opposite sides, in thousandths.
const HALF_WIDTH: i32 = 500;
/// From the middle to a corner.
const CORNER: i32 = 577;
/// How far the corners beside it lie from the middle, in the same sense. `CORNER + SIDE` is the pitch of the rows of
/// pointy hexes (and columns of flat ones), so the outlines meet without gaps.
const SIDE: i32 = 289;
const PITCH: i32 = CORNER + SIDE;

const POINTY_DIRECTIONS: [&str; 6] = ["ne", "e", "se", "sw", "w", "nw"];
const FLAT_DIRECTIONS: [&str; 6] = ["n", "ne", "se", "s", "sw", "nw"];
const POINTY_CORNERS: [(i32, i32); 6] = [
    (0, -CORNER),
    (HALF_WIDTH, -SIDE),
    (HALF_WIDTH, SIDE),
    (0, CORNER),
    (-HALF_WIDTH, SIDE),
    (-HALF_WIDTH, -SIDE),
];
const FLAT_CORNERS: [(i32, i32); 6] = [
    (-SIDE, -HALF_WIDTH),
    (SIDE, -HALF_WIDTH),
    (CORNER, 0),
    (SIDE, HALF_WIDTH),
    (-SIDE, HALF_WIDTH),
    (-CORNER, 0),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HexGrid {
    pub(super) orientation: Orientation,
    pub(super) offset: Offset,
}

impl HexGrid {
    pub(super) fn hex(self, (x, y): Place) -> Hex {
        Hex::from_offset_coordinates([x, y], self.mode(), self.hexx_orientation())
    }

    pub(super) fn place(self, hex: Hex) -> Place {
        hex.to_offset_coordinates(self.mode(), self.hexx_orientation()).into()
    }

    pub(super) const fn directions(self) -> &'static [&'static str] {
        match self.orientation {
            Orientation::Pointy => &POINTY_DIRECTIONS,
            Orientation::Flat => &FLAT_DIRECTIONS,
        }
    }

    pub(super) fn neighbour(self, place: Place, direction: usize) -> Place {
        let first = match self.orientation {
            Orientation::Pointy => EdgeDirection::POINTY_NORTH_EAST,
            Orientation::Flat => EdgeDirection::FLAT_NORTH,
        };
        self.place(self.hex(place).neighbor(first.rotate_cw((direction % 6) as u8)))
    }

    pub(super) fn distance(self, a: Place, b: Place) -> u32 {
        self.hex(a).unsigned_distance_to(self.hex(b))
    }

    pub(super) const fn centre(self, (x, y): Place) -> (i32, i32) {
        match self.orientation {
            Orientation::Pointy => (2 * HALF_WIDTH * x + HALF_WIDTH + self.shove(y), PITCH * y + CORNER),
            Orientation::Flat => (PITCH * x + CORNER, 2 * HALF_WIDTH * y + HALF_WIDTH + self.shove(x)),
        }
    }

    pub(super) const fn corners(self) -> &'static [(i32, i32)] {
        match self.orientation {
            Orientation::Pointy => &POINTY_CORNERS,
            Orientation::Flat => &FLAT_CORNERS,
        }
    }

    /// The place whose outline holds the point; of two that share it, the upper (or left) one.
    pub(super) fn hit(self, (x, y): (i64, i64)) -> Option<Place> {
        // As if pointy: `along` the straight rows, `across` them. The point lies in one of two rows.
        let (along, across) = if self.orientation == Orientation::Pointy { (x, y) } else { (y, x) };
        let last_row = i32::try_from(across.div_euclid(PITCH.into())).ok()?;
        for row in [last_row.checked_sub(1)?, last_row] {
            let column = i32::try_from((along - i64::from(self.shove(row))).div_euclid(2 * i64::from(HALF_WIDTH))).ok()?;
            let from_middle = along - i64::from(self.shove(row)) - (2 * i64::from(column) + 1) * i64::from(HALF_WIDTH);
            let past_middle = across - i64::from(row) * i64::from(PITCH) - i64::from(CORNER);
            let (half, corner, side) = (i64::from(HALF_WIDTH), i64::from(CORNER), i64::from(SIDE));
            if half * past_middle.abs() <= half * corner - (corner - side) * from_middle.abs() {
                return Some(if self.orientation == Orientation::Pointy {
                    (column, row)
                } else {
                    (row, column)
                });
            }
        }
        None
    }

    /// See [`Grid::line`](super::topology::Grid::line).
    pub(super) fn line(self, a: Place, b: Place, nudge: Nudge) -> Vec<Place> {
        // Cube coordinates in units of 1 / (steps * SCALE). The nudge is smaller than any difference that decides which
        // hex a point lies in, and its parts differ, so that no point lies between two hexes any more.
        const SCALE: i64 = 32;
        let (a, b) = (self.hex(a), self.hex(b));
        let steps = i64::from(a.distance_to(b)).max(1);
        let count = if a == b { 1 } else { steps + 1 };
        let at = |from: i32, to: i32, step: i64, amount: i64| {
            (i64::from(from) * (steps - step) + i64::from(to) * step) * SCALE + nudge.of(amount)
        };
        (0..count)
            .map(|step| self.place(round([at(a.x(), b.x(), step, 1), at(a.y(), b.y(), step, 2)], steps * SCALE)))
            .collect()
    }

    /// How far a row of pointy hexes (or a column of flat ones) is shoved.
    const fn shove(self, row: i32) -> i32 {
        let is_shoved = match self.offset {
            Offset::Odd => row & 1 == 1,
            Offset::Even => row & 1 == 0,
        };
        if is_shoved { HALF_WIDTH } else { 0 }
    }

    const fn mode(self) -> OffsetHexMode {
        match self.offset {
            Offset::Odd => OffsetHexMode::Odd,
            Offset::Even => OffsetHexMode::Even,
        }
    }

    const fn hexx_orientation(self) -> HexOrientation {
        match self.orientation {
            Orientation::Pointy => HexOrientation::Pointy,
            Orientation::Flat => HexOrientation::Flat,
        }
    }
}

/// The hex that holds the point `[x / unit, y / unit]`: the nearest of each of the three coordinates, the one that was
/// moved furthest then following from the other two.
fn round([x, y]: [i64; 2], unit: i64) -> Hex {
    let z = -x - y;
    let nearest = |value: i64| (2 * value + unit).div_euclid(2 * unit);
    let moved = |value: i64| (nearest(value) * unit - value).abs();
    let (hex_x, hex_y, hex_z) = (nearest(x), nearest(y), nearest(z));
    let (hex_x, hex_y) = if moved(x) > moved(y) && moved(x) > moved(z) {
        (-hex_y - hex_z, hex_y)
    } else if moved(y) > moved(z) {
        (hex_x, -hex_x - hex_z)
    } else {
        (hex_x, hex_y)
    };
    Hex::new(hex_x as i32, hex_y as i32)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn grids() -> impl Iterator<Item = HexGrid> {
        [Orientation::Pointy, Orientation::Flat]
            .into_iter()
            .flat_map(|orientation| [Offset::Odd, Offset::Even].map(|offset| HexGrid { orientation, offset }))
    }

    #[test]
    fn directions_of_all_four_layouts_point_where_they_say() {
        for grid in grids() {
            for place in (0..9).flat_map(|y| (0..9).map(move |x| (x, y))) {
                for (direction, name) in grid.directions().iter().enumerate() {
                    let (x, y) = grid.centre(place);
                    let (to_x, to_y) = grid.centre(grid.neighbour(place, direction));
                    let expected = match (grid.orientation, *name) {
                        (Orientation::Pointy, "ne") => (500, -866),
                        (Orientation::Pointy, "e") => (1000, 0),
                        (Orientation::Pointy, "se") => (500, 866),
                        (Orientation::Pointy, "sw") => (-500, 866),
                        (Orientation::Pointy, "w") => (-1000, 0),
                        (Orientation::Pointy, "nw") => (-500, -866),
                        (Orientation::Flat, "n") => (0, -1000),
                        (Orientation::Flat, "ne") => (866, -500),
                        (Orientation::Flat, "se") => (866, 500),
                        (Orientation::Flat, "s") => (0, 1000),
                        (Orientation::Flat, "sw") => (-866, 500),
                        (Orientation::Flat, "nw") => (-866, -500),
                        other => panic!("{other:?}"),
                    };
                    assert_eq!((to_x - x, to_y - y), expected, "{grid:?} {place:?} {name}");
                }
            }
        }
    }

    #[test]
    fn the_right_rows_and_columns_are_shoved() {
        let shoved = |orientation, offset| {
            let grid = HexGrid { orientation, offset };
            [(0, 0), (0, 1), (1, 0)].map(|place| grid.centre(place))
        };
        assert_eq!(shoved(Orientation::Pointy, Offset::Odd), [(500, 577), (1000, 1443), (1500, 577)]);
        assert_eq!(shoved(Orientation::Pointy, Offset::Even), [(1000, 577), (500, 1443), (2000, 577)]);
        assert_eq!(shoved(Orientation::Flat, Offset::Odd), [(577, 500), (577, 1500), (1443, 1000)]);
        assert_eq!(shoved(Orientation::Flat, Offset::Even), [(577, 1000), (577, 2000), (1443, 500)]);
    }

    #[test]
    fn the_side_after_each_corner_looks_in_its_direction() {
        for grid in grids() {
            for direction in 0..6 {
                let (x, y) = grid.centre((4, 4));
                let (to_x, to_y) = grid.centre(grid.neighbour((4, 4), direction));
                let (from, to) = (grid.corners()[direction], grid.corners()[(direction + 1) % 6]);
                assert!((from.0 + to.0 - (to_x - x)).abs() <= 1 && (from.1 + to.1 - (to_y - y)).abs() <= 1);
            }
        }
    }

    proptest! {
        #[test]
        fn a_line_is_connected_straight_and_the_same_both_ways(a in (0..30_i32, 0..30_i32), b in (0..30_i32, 0..30_i32)) {
            for grid in grids() {
                for nudge in [Nudge::There, Nudge::Back] {
                    let line = grid.line(a, b, nudge);
                    prop_assert_eq!((line[0], line[line.len() - 1]), (a, b));
                    prop_assert_eq!(line.len() as u32, grid.distance(a, b) + 1);
                    for (step, pair) in line.windows(2).enumerate() {
                        prop_assert_eq!(grid.distance(pair[0], pair[1]), 1);
                        prop_assert_eq!(grid.distance(a, pair[1]), step as u32 + 1);
                    }
                    let mut back = grid.line(b, a, nudge);
                    back.reverse();
                    prop_assert_eq!(line, back);
                }
            }
        }

        #[test]
        fn a_point_hits_the_hex_around_it(x in 0..30_i32, y in 0..30_i32, dx in -480..480_i64, dy in -480..480_i64) {
            for grid in grids() {
                let (centre_x, centre_y) = grid.centre((x, y));
                let point = (i64::from(centre_x) + dx, i64::from(centre_y) + dy);
                let hit = grid.hit(point).unwrap();
                // Nearest middle, except that a point within a thousandth of a side may go to either hex.
                let away = |place| {
                    let (x, y) = grid.centre(place);
                    let (dx, dy) = (point.0 - i64::from(x), point.1 - i64::from(y));
                    dx * dx + dy * dy
                };
                let nearest = (0..6).map(|direction| grid.neighbour((x, y), direction)).chain([(x, y)]).map(away).min().unwrap();
                prop_assert!(away(hit) - nearest <= 2000, "{hit:?} {} {}", away(hit), nearest);
            }
        }
    }

    #[test]
    fn lines_along_sides_take_the_one_side_or_the_other() {
        let grid = HexGrid {
            orientation: Orientation::Pointy,
            offset: Offset::Odd,
        };
        let middles = [Nudge::There, Nudge::Back].map(|nudge| grid.line((3, 2), (3, 4), nudge)[1]);
        assert!(middles == [(3, 3), (2, 3)] || middles == [(2, 3), (3, 3)], "{middles:?}");
    }
}
