//! Where areas meet: the sides that two outlines have in common.

use std::collections::BTreeMap;

use egui::Pos2;

use super::geometry::{Geometry, thousandths};
use boardwright_model::CellId;

/// A piece of the border between two areas.
#[derive(Clone, Debug, PartialEq)]
pub struct Border {
    /// The areas, the lower one first.
    pub between: [CellId; 2],
    /// Its corners in order.
    pub line: Vec<Pos2>,
}

impl Geometry {
    /// All borders between areas whose outlines run along the same corners.
    pub(super) fn shared_sides(&self) -> Vec<Border> {
        let sides = || {
            let cells = self.cells.iter().enumerate();
            let outlines = cells.flat_map(|(index, shape)| self.polygons(shape).map(move |(corners, _)| (index, corners)));
            outlines.flat_map(|(index, corners)| sides_of(corners).map(move |side| (CellId::from_index(index), side)))
        };
        let owners: BTreeMap<_, CellId> = sides().map(|(cell, side)| (key(side), cell)).collect();
        let mut borders: Vec<Border> = Vec::new();
        for (cell, side @ [from, to]) in sides() {
            // Neighbours go around their sides the other way, unless one was drawn against the clock.
            let owner_of = |side| owners.get(&key(side)).filter(|other| **other != cell);
            let Some(other) = owner_of([to, from]).or_else(|| owner_of(side)).filter(|other| **other > cell) else {
                continue;
            };
            let between = [cell, *other];
            match borders.last_mut() {
                Some(last) if last.between == between && last.line.last() == Some(&from) => last.line.push(to),
                _ => borders.push(Border {
                    between,
                    line: side.to_vec(),
                }),
            }
        }
        borders
    }
}

fn sides_of(corners: &[Pos2]) -> impl Iterator<Item = [Pos2; 2]> + '_ {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(from, to)| [*from, *to])
}

fn key([from, to]: [Pos2; 2]) -> ((i32, i32), (i32, i32)) {
    (thousandths(from), thousandths(to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_model::{Board, Map, MapCell, Topology};

    #[test]
    fn two_areas_side_by_side_have_one_border() {
        let square = |name: &str, x: i32| MapCell {
            outline: vec![vec![(x, 0), (x + 1000, 0), (x + 1000, 500), (x + 1000, 1000), (x, 1000)]],
            ..MapCell::new(name, x + 500, 500)
        };
        let left = square("left", 0);
        let mut right = square("right", 1000);
        right.outline = vec![vec![(1000, 0), (2000, 0), (2000, 1000), (1000, 1000), (1000, 500)]];
        let mut map = Map::new("m", "M", Topology::Graph);
        map.cells = vec![left, right, square("far", 5000)];
        let borders = Geometry::of(&Board::from_map(&map).unwrap()).borders;
        assert_eq!(borders.len(), 1, "{borders:?}");
        assert_eq!(borders[0].between, [CellId(0), CellId(1)]);
        assert_eq!(borders[0].line.len(), 3);
    }
}
