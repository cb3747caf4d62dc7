//! Links between areas that do not touch: they lead over the sea, some of them around the edge of the map.

use egui::{Pos2, Rect, pos2};

use super::geometry::{Geometry, units};
use super::polygon;
use boardwright_model::{Board, CellId};

/// How near the outlines of two areas come that touch, in units.
const TOUCH: f32 = 0.03;
/// A link that is longer than this share of the map's width leads around its edge, if that is less than half as far.
const AROUND: f32 = 0.55;

impl Geometry {
    /// The links of a map of areas that have to be drawn: from middle to middle, the areas themselves cover what is not sea. A link that
    /// leads around the edge of the map is two lines, each to an edge.
    pub(super) fn sea_links(&self, board: &Board) -> Vec<Vec<Pos2>> {
        let mut links = Vec::new();
        for line in board.lines() {
            for pair in line.cells.windows(2) {
                if let [a, b] = *pair
                    && !self.touch(a, b)
                {
                    let ends = [a, b].map(|cell| units(board.position(cell)));
                    links.extend(way(ends, self.bounds));
                }
            }
        }
        links
    }

    /// Where the drawn link between two areas leaves the map, and where it comes in again, if it leads around the edge.
    pub(super) fn around(&self, a: CellId, b: CellId) -> Option<[Pos2; 2]> {
        let ends = [self.cell(a)?, self.cell(b)?].map(|shape| shape.middle);
        let [first, second] = <[Vec<Pos2>; 2]>::try_from(way(ends, self.bounds)).ok()?;
        if !self.has_areas || !self.lines.contains(&first) || !self.lines.contains(&second) {
            return None;
        }
        let [left, right] = [*first.last()?, *second.last()?];
        Some(if first.first() == ends.first() {
            [left, right]
        } else {
            [right, left]
        })
    }

    /// Whether the outlines of two areas meet. Points have none.
    fn touch(&self, a: CellId, b: CellId) -> bool {
        let (Some(first), Some(second)) = (self.cell(a), self.cell(b)) else {
            return false;
        };
        if first.is_point() || second.is_point() || !first.bounds.expand(TOUCH).intersects(second.bounds) {
            return false;
        }
        let near = |corners: &[Pos2], others: &[Pos2]| corners.iter().any(|corner| polygon::distance_to_side(others, *corner) < TOUCH);
        self.polygons(first).any(|(corners, _)| {
            self.polygons(second)
                .any(|(others, _)| near(corners, others) || near(others, corners))
        })
    }
}

/// The lines of one link: one, or two to the edges where the way around the map is shorter.
fn way([a, b]: [Pos2; 2], bounds: Rect) -> Vec<Vec<Pos2>> {
    let (left, right) = if a.x < b.x { (a, b) } else { (b, a) };
    let (to_left, to_right) = (left.x - bounds.left(), bounds.right() - right.x);
    let across = right.x - left.x;
    if across < AROUND * bounds.width() || to_left + to_right > across / 2.0 {
        return vec![vec![a, b]];
    }
    let y = left.y + (right.y - left.y) * to_left / (to_left + to_right).max(f32::EPSILON);
    vec![vec![left, pos2(bounds.left(), y)], vec![right, pos2(bounds.right(), y)]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_model::{Map, MapCell, MapLine, Topology};

    fn area(name: &str, x: i32, y: i32) -> MapCell {
        let mut cell = MapCell::new(name, x, y);
        let corners = [(-900, -900), (900, -900), (900, 900), (-900, 900)];
        cell.outline = std::iter::once(corners.iter().map(|(dx, dy)| (x + dx, y + dy)).collect()).collect();
        cell
    }

    #[test]
    fn only_links_over_the_sea_are_drawn_and_the_long_ones_around_the_edge() {
        let mut map = Map::new("m", "M", Topology::Graph);
        map.cells = vec![
            area("west", 1000, 1000),
            area("next", 2800, 1000),
            area("isle", 5000, 1500),
            area("east", 19_000, 1400),
        ];
        map.lines = [["west", "next"], ["next", "isle"], ["west", "east"]].map(MapLine::new).to_vec();
        let geometry = Geometry::of(&Board::from_map(&map).unwrap());
        let [west, east] = ["west", "east"].map(|name| Board::from_map(&map).unwrap().find_cell(name).unwrap());
        assert_eq!(geometry.around(west, east), geometry.around(east, west).map(|[a, b]| [b, a]));
        assert_eq!(
            geometry.around(east, west).map(|[leaves, _]| leaves.x),
            Some(geometry.bounds.right())
        );
        let ends: Vec<Vec<f32>> = geometry
            .lines
            .iter()
            .map(|line| line.iter().map(|point| point.x).collect())
            .collect();
        let (left, right) = (geometry.bounds.left(), geometry.bounds.right());
        assert_eq!(ends, [vec![2.8, 5.0], vec![1.0, left], vec![19.0, right]]);
        assert!(
            (geometry.lines[1][1].y - geometry.lines[2][1].y).abs() < 1e-3,
            "it leaves and comes in at the same height"
        );
    }
}
