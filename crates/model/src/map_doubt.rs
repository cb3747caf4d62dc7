//! What an author of a map probably did not mean, though a board can be made of it.

use thiserror::Error;

use super::{Map, MapPlace, Topology};

/// The most points of an outline that is looked through for crossings.
const MOST_POINTS: usize = 5_000;

/// Something doubtful in a map. `cell` is a position in the list of the map, from 0.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum MapDoubt {
    #[error("cell \"{name}\" lies at the same point as \"{first}\": one hides the other")]
    SamePoint { cell: usize, name: String, first: String },
    #[error("the outline of cell \"{name}\" crosses itself: between {} and {}, and between {} and {}", point(.sides[0].0), point(.sides[0].1), point(.sides[1].0), point(.sides[1].1))]
    CrossedOutline {
        cell: usize,
        name: String,
        sides: [(Point, Point); 2],
    },
}

type Point = (i32, i32);

fn point((x, y): Point) -> String {
    format!("{x},{y}")
}

impl MapDoubt {
    /// Where it lies.
    pub const fn place(&self) -> MapPlace {
        match self {
            Self::SamePoint { cell, .. } | Self::CrossedOutline { cell, .. } => MapPlace::Cell(*cell),
        }
    }
}

impl Map {
    /// Everything doubtful in the map, in the order of its cells.
    pub fn doubts(&self) -> Vec<MapDoubt> {
        if !matches!(self.topology, Topology::Graph) {
            return Vec::new();
        }
        let mut first_at = std::collections::BTreeMap::new();
        let mut found = Vec::new();
        for (index, cell) in self.cells.iter().enumerate() {
            let first = *first_at.entry((cell.x, cell.y)).or_insert(index);
            if let Some(first) = self.cells.get(first).filter(|_| first != index) {
                found.push(MapDoubt::SamePoint {
                    cell: index,
                    name: cell.name.clone(),
                    first: first.name.clone(),
                });
            }
            if let Some(sides) = cell.outline.iter().find_map(|part| crossing(part)) {
                found.push(MapDoubt::CrossedOutline {
                    cell: index,
                    name: cell.name.clone(),
                    sides,
                });
            }
        }
        found
    }
}

/// Two sides of a closed outline that cross within both.
fn crossing(points: &[Point]) -> Option<[(Point, Point); 2]> {
    if points.len() > MOST_POINTS {
        return None;
    }
    let ends = points.iter().cycle().skip(1);
    let mut sides: Vec<(Point, Point)> = points.iter().copied().zip(ends.copied()).collect();
    let (left, right) = (
        |side: &(Point, Point)| side.0.0.min(side.1.0),
        |side: &(Point, Point)| side.0.0.max(side.1.0),
    );
    sides.sort_by_key(left);
    for (index, one) in sides.iter().enumerate() {
        let beside = sides.iter().skip(index + 1).take_while(|other| left(other) <= right(one));
        if let Some(other) = beside.into_iter().find(|other| cross(*one, **other)) {
            return Some([*one, *other]);
        }
    }
    None
}

/// Whether two sides cross at a point that is an end of neither.
fn cross((a, b): (Point, Point), (c, d): (Point, Point)) -> bool {
    let apart = |from: Point, to: Point, one: Point, other: Point| side(from, to, one).signum() * side(from, to, other).signum() < 0;
    apart(a, b, c, d) && apart(c, d, a, b)
}

/// On which side of the line from a to b a point lies: the sign tells. Coordinates of maps are small enough for this.
fn side((ax, ay): Point, (bx, by): Point, (x, y): Point) -> i64 {
    let between = |one: i32, other: i32| i64::from(other) - i64::from(one);
    between(ax, bx) * between(ay, y) - between(ay, by) * between(ax, x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MapCell;

    fn graph(cells: &[(&str, Point, &[Point])]) -> Map {
        let mut map = Map::new("m", "M", Topology::Graph);
        map.cells = cells
            .iter()
            .map(|(name, (x, y), outline)| MapCell {
                name: (*name).to_owned(),
                x: *x,
                y: *y,
                outline: if outline.is_empty() { Vec::new() } else { vec![outline.to_vec()] },
                ..MapCell::default()
            })
            .collect();
        map
    }

    fn messages(map: &Map) -> Vec<String> {
        map.doubts().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn two_cells_at_one_point_are_told_by_their_names() {
        let map = graph(&[("a", (0, 0), &[]), ("b", (5, 0), &[]), ("c", (0, 0), &[])]);
        assert_eq!(messages(&map), ["cell \"c\" lies at the same point as \"a\": one hides the other"]);
        assert_eq!(map.doubts()[0].place(), MapPlace::Cell(2));
    }

    #[test]
    fn an_outline_that_crosses_itself_is_told_with_its_sides() {
        let bow = graph(&[("bow", (0, 0), &[(0, 0), (10, 10), (10, 0), (0, 10)])]);
        assert_eq!(
            messages(&bow),
            ["the outline of cell \"bow\" crosses itself: between 0,0 and 10,10, and between 10,0 and 0,10"]
        );
        // The last side, back to the first point, counts as well; so does a crossing between far points.
        let last = graph(&[("last", (0, 0), &[(0, 10), (10, 0), (10, 20), (5, -5)])]);
        assert_eq!(messages(&last).len(), 1);
        let far = graph(&[(
            "far",
            (0, 0),
            &[
                (-100_000_000, -100_000_000),
                (100_000_000, 100_000_000),
                (100_000_000, -100_000_000),
                (-100_000_000, 100_000_000),
            ],
        )]);
        assert_eq!(messages(&far).len(), 1);
    }

    #[test]
    fn sound_outlines_and_grids_raise_no_doubt() {
        let star = [(0, 0), (4, 1), (8, 0), (7, 4), (8, 8), (4, 7), (0, 8), (1, 4)];
        let touching = [(0, 0), (5, 5), (10, 0), (10, 10), (5, 5), (0, 10)];
        assert!(
            graph(&[("star", (4, 4), &star), ("touching", (5, 5), &touching)])
                .doubts()
                .is_empty()
        );
        let square = Topology::Square {
            width: 2,
            height: 2,
            diagonals: true,
        };
        assert!(Map::new("m", "M", square).doubts().is_empty());
    }
}
