//! Painting that is repeated elsewhere, so that a map is fair.

use std::collections::BTreeSet;

use boardwright_model::{Board, CellId, CellSet};
use serde::{Deserialize, Serialize};

use super::Lattice;

/// How far a turned or mirrored middle may lie from that of a cell to be it, in thousandths: drawings are rounded.
const TOLERANCE: i32 = 60;
/// Of about so many cells it is tried where the middle of a symmetry lies.
const SAMPLE: usize = 400;

/// A symmetry of the plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Symmetry {
    /// Left and right.
    LeftRight,
    /// Top and bottom.
    TopBottom,
    /// Left and right, top and bottom.
    Both,
    /// Along the falling diagonal: top right and bottom left.
    Diagonal,
    /// Along the rising diagonal: top left and bottom right.
    OtherDiagonal,
    /// Half a turn.
    Half,
    /// Three thirds of a turn.
    Thirds,
    /// Four quarters of a turn.
    Quarters,
    /// Six sixths of a turn.
    Sixths,
}

type Point = (i32, i32);
/// What a point becomes, in thousandths: the parts of x and y in the new x, then in the new y.
type Matrix = [[i64; 2]; 2];

impl Symmetry {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::LeftRight,
        Self::TopBottom,
        Self::Both,
        Self::Diagonal,
        Self::OtherDiagonal,
        Self::Half,
        Self::Thirds,
        Self::Quarters,
        Self::Sixths,
    ];

    /// What makes it up when repeated.
    const fn matrices(self) -> &'static [Matrix] {
        const LEFT_RIGHT: Matrix = [[-1000, 0], [0, 1000]];
        const TOP_BOTTOM: Matrix = [[1000, 0], [0, -1000]];
        match self {
            Self::LeftRight => &[LEFT_RIGHT],
            Self::TopBottom => &[TOP_BOTTOM],
            Self::Both => &[LEFT_RIGHT, TOP_BOTTOM],
            Self::Diagonal => &[[[0, 1000], [1000, 0]]],
            Self::OtherDiagonal => &[[[0, -1000], [-1000, 0]]],
            Self::Half => &[[[-1000, 0], [0, -1000]]],
            Self::Thirds => &[[[-500, -866], [866, -500]]],
            Self::Quarters => &[[[0, -1000], [1000, 0]]],
            Self::Sixths => &[[[500, -866], [866, 500]]],
        }
    }
}

/// A symmetry of the cells of a map: for each where it is repeated.
#[derive(Clone, Debug)]
pub struct SymmetryTable {
    symmetry: Symmetry,
    /// For each of the matrices where it takes each cell.
    images: Vec<Vec<Option<CellId>>>,
}

/// The middles of cells, to be found by where they lie.
struct Middles<'a> {
    board: &'a Board,
    by_x: Vec<(Point, CellId)>,
}

impl Middles<'_> {
    fn nearest(&self, (x, y): Point) -> Option<CellId> {
        if self.board.width().is_some() {
            let cell = self.board.hit(x, y)?;
            let (there_x, there_y) = self.board.position(cell);
            return Some(cell).filter(|_| (there_x - x).abs().max((there_y - y).abs()) <= TOLERANCE);
        }
        let from = self.by_x.partition_point(|((there, _), _)| *there < x - TOLERANCE);
        let near = self.by_x.get(from..)?.iter().take_while(|((there, _), _)| *there <= x + TOLERANCE);
        let off = |(there_x, there_y): Point| (there_x - x).abs().max((there_y - y).abs());
        let found = near.min_by_key(|(there, _)| off(*there))?;
        Some(found.1).filter(|_| off(found.0) <= TOLERANCE)
    }
}

impl SymmetryTable {
    /// A symmetry about the middle of a map, or as near to it as one has the most cells. `None` if less than half of the cells are
    /// repeated, as hexes are not by quarters of a turn.
    pub fn of(lattice: &Lattice, symmetry: Symmetry) -> Option<Self> {
        let board = lattice.board();
        let mut by_x: Vec<(Point, CellId)> = board.cells().map(|cell| (board.position(cell), cell)).collect();
        by_x.sort_unstable();
        let (left, right) = (by_x.first()?.0.0, by_x.last()?.0.0);
        let rows = || by_x.iter().map(|((_, y), _)| *y);
        let middle = (left.midpoint(right), rows().min()?.midpoint(rows().max()?));
        let middles = Middles { board, by_x };
        let matrices = symmetry.matrices();
        // A few hundred cells tell which centre is best; of equal ones the first.
        let sample = middles.by_x.iter().step_by(middles.by_x.len() / SAMPLE + 1);
        let repeated = |centre: Point| {
            let is_repeated =
                |(at, _): &&(Point, CellId)| matrices.iter().all(|matrix| middles.nearest(moved(*at, centre, matrix)).is_some());
            sample.clone().filter(is_repeated).count()
        };
        let centre = centres(lattice, &middles, middle)
            .into_iter()
            .rev()
            .max_by_key(|centre| repeated(*centre))?;
        let images: Vec<_> = matrices.iter().map(|matrix| images(lattice, &middles, centre, matrix)).collect();
        let count = images.iter().map(|images| images.iter().flatten().count()).min()?;
        (2 * count >= middles.by_x.len()).then_some(Self { symmetry, images })
    }

    /// Those that the cells of a map have.
    pub fn all_of(lattice: &Lattice) -> Vec<Self> {
        Symmetry::ALL
            .into_iter()
            .filter_map(|symmetry| Self::of(lattice, symmetry))
            .collect()
    }

    /// Which symmetry it is.
    pub const fn symmetry(&self) -> Symmetry {
        self.symmetry
    }

    /// An edge between two cells, and all in which it is repeated; the smaller id is first in each.
    pub fn spread_edge(&self, [a, b]: [CellId; 2]) -> BTreeSet<[CellId; 2]> {
        let edge = [a.min(b), a.max(b)];
        let (mut all, mut open) = (BTreeSet::from([edge]), vec![edge]);
        while let Some([a, b]) = open.pop() {
            for images in &self.images {
                let image = |cell: CellId| images.get(cell.index()).copied().flatten();
                if let Some((a, b)) = image(a).zip(image(b))
                    && all.insert([a.min(b), a.max(b)])
                {
                    open.push([a.min(b), a.max(b)]);
                }
            }
        }
        all
    }

    /// Some cells, and all in which they are repeated.
    pub fn spread(&self, cells: &CellSet) -> CellSet {
        let mut all = cells.clone();
        let mut open: Vec<CellId> = cells.iter().collect();
        while let Some(cell) = open.pop() {
            for images in &self.images {
                if let Some(image) = images.get(cell.index()).copied().flatten()
                    && all.insert(image)
                {
                    open.push(image);
                }
            }
        }
        all
    }
}

/// Points about which a map may be symmetric, the likeliest first.
fn centres(lattice: &Lattice, middles: &Middles<'_>, middle: Point) -> Vec<Point> {
    let mut centres = vec![middle];
    if middles.by_x.len() > 1 && lattice.board().width().is_some() {
        let shifts = [-250, 0, 250];
        let shifted = shifts
            .iter()
            .flat_map(|dx| shifts.iter().map(move |dy| (middle.0 + dx, middle.1 + dy)));
        centres.extend(shifted);
        // Middles and corners of the cells round the middle: hexes turn about these.
        if let Some(cell) = lattice.board().hit(middle.0, middle.1) {
            for near in &lattice.board().disk(cell, 1) {
                centres.push(lattice.board().position(near));
                centres.extend(lattice.board().outline(near).iter().flatten());
            }
        }
        let off = |(x, y): &Point| {
            let (dx, dy) = (i64::from(x - middle.0), i64::from(y - middle.1));
            dx * dx + dy * dy
        };
        centres.sort_by_key(off);
        centres.dedup();
    }
    centres
}

fn images(lattice: &Lattice, middles: &Middles<'_>, centre: Point, matrix: &Matrix) -> Vec<Option<CellId>> {
    let mut images = vec![None; lattice.board().cell_count()];
    for (at, cell) in &middles.by_x {
        if let Some(slot) = images.get_mut(cell.index()) {
            *slot = middles.nearest(moved(*at, centre, matrix));
        }
    }
    images
}

/// Where a point comes to lie when it is turned or mirrored about another.
fn moved((x, y): Point, centre: Point, [[xx, xy], [yx, yy]]: &Matrix) -> Point {
    let (dx, dy) = (i64::from(x - centre.0), i64::from(y - centre.1));
    let part = |of_x: &i64, of_y: &i64| ((dx * of_x + dy * of_y) / 1000) as i32;
    (centre.0 + part(xx, xy), centre.1 + part(yx, yy))
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_model::{Map, Offset, Orientation, Topology};

    fn spread(topology: Topology, symmetry: Symmetry, place: (i32, i32)) -> Option<Vec<String>> {
        let lattice = Lattice::of(&Map::new("m", "M", topology)).unwrap();
        let cell = lattice.cell_at(place).unwrap();
        let cells = SymmetryTable::of(&lattice, symmetry)?.spread(&CellSet::from_cells(lattice.board().cell_count(), [cell]));
        Some(cells.iter().map(|cell| lattice.board().cell_name(cell).to_owned()).collect())
    }

    const fn squares(width: u16, height: u16) -> Topology {
        Topology::Square {
            width,
            height,
            diagonals: false,
        }
    }

    const fn hexes(width: u16, height: u16) -> Topology {
        Topology::Hex {
            width,
            height,
            orientation: Orientation::Pointy,
            offset: Offset::Odd,
        }
    }

    #[test]
    fn squares_are_mirrored_and_turned() {
        let all = |symmetry, place| spread(squares(4, 4), symmetry, place).unwrap().join(" ");
        assert_eq!(all(Symmetry::LeftRight, (0, 1)), "a2 d2");
        assert_eq!(all(Symmetry::Both, (0, 1)), "a2 d2 a3 d3");
        assert_eq!(all(Symmetry::Quarters, (1, 0)), "b1 d2 a3 c4");
        assert_eq!(all(Symmetry::Diagonal, (1, 0)), "b1 a2");
        assert_eq!(spread(squares(8, 3), Symmetry::Quarters, (0, 0)), None);
    }

    #[test]
    fn hexes_are_turned_by_sixths_and_halves() {
        let around = spread(hexes(9, 9), Symmetry::Sixths, (5, 4)).unwrap();
        assert_eq!(around.len(), 6);
        assert_eq!(spread(hexes(6, 4), Symmetry::Half, (0, 0)).unwrap().join(" "), "a1 f4");
        assert_eq!(spread(hexes(6, 5), Symmetry::LeftRight, (0, 0)).unwrap().join(" "), "a1 f1");
        assert_eq!(spread(hexes(6, 5), Symmetry::Quarters, (0, 0)), None);
    }
}
