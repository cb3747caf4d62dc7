//! What sort of board it is: how cells lie to each other, and what their default names and directions are.

use serde::{Deserialize, Serialize};

use super::CellId;
use super::hex::HexGrid;
use super::square::SquareGrid;

/// Which way the corners of a hex point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Orientation {
    /// A corner at the top: straight rows, every other row shoved half a hex to the right.
    Pointy,
    /// A side at the top: straight columns, every other column shoved half a hex down.
    Flat,
}

/// Which rows (pointy hexes) or columns (flat hexes) are shoved, counting from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Offset {
    /// The second, fourth, ...
    Odd,
    /// The first, third, ...
    Even,
}

/// How the cells of a board lie to each other.
///
/// Columns and rows count from 0, columns to the right and rows downwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are named after what they hold")]
pub enum Topology {
    /// Hexes in rows and columns.
    Hex {
        width: u16,
        height: u16,
        orientation: Orientation,
        /// Which rows or columns are shoved.
        offset: Offset,
    },
    /// Squares in rows and columns.
    Square {
        width: u16,
        height: u16,
        /// Whether squares that share only a corner are neighbours.
        diagonals: bool,
    },
    /// Points and areas, joined by the lines of the map.
    #[default]
    Graph,
}

impl Topology {
    /// Columns and rows of a grid.
    pub const fn size(self) -> Option<(u16, u16)> {
        match self {
            Self::Hex { width, height, .. } | Self::Square { width, height, .. } => Some((width, height)),
            Self::Graph => None,
        }
    }

    /// The name a grid's cell has unless its map gives another: the column as letters (a to z, then aa, ab, ...) and the
    /// row as a number from 1 downwards. `None` for negative coordinates.
    ///
    /// ```
    /// # use boardwright_model::Topology;
    /// assert_eq!(Topology::default_name(2, 11).as_deref(), Some("c12"));
    /// assert_eq!(Topology::default_name(26, 0).as_deref(), Some("aa1"));
    /// ```
    pub fn default_name(column: i32, row: i32) -> Option<String> {
        let (mut rest, row) = (u32::try_from(column).ok()?, u32::try_from(row).ok()?);
        let mut letters = Vec::new();
        loop {
            letters.push(char::from(b'a' + (rest % 26) as u8));
            if rest < 26 {
                break;
            }
            rest = rest / 26 - 1;
        }
        Some(format!("{}{}", letters.iter().rev().collect::<String>(), row + 1))
    }

    /// The column and row that a default name stands for; `None` if it is not of that form.
    pub fn parse_default_name(name: &str) -> Option<(i32, i32)> {
        let digits = name.find(|letter: char| !letter.is_ascii_lowercase())?;
        let (letters, number) = name.split_at(digits);
        if letters.is_empty() || letters.len() > 4 || number.starts_with('0') || !number.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let column = letters.bytes().fold(0, |column, letter| column * 26 + i32::from(letter - b'a') + 1) - 1;
        Some((column, number.parse::<i32>().ok()? - 1))
    }

    pub(super) fn grid(self) -> Option<Grid> {
        let (width, height) = self.size()?;
        let cells = match self {
            Self::Hex { orientation, offset, .. } => GridCells::Hex(HexGrid { orientation, offset }),
            Self::Square { diagonals, .. } => GridCells::Square(SquareGrid { diagonals }),
            Self::Graph => return None,
        };
        Some(Grid {
            width: width.into(),
            height: height.into(),
            cells,
        })
    }
}

/// The geometry of one grid. Coordinates are column and row; they may lie outside the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    width: i32,
    height: i32,
    pub(super) cells: GridCells,
}

/// The sort of a grid's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GridCells {
    Hex(HexGrid),
    Square(SquareGrid),
}

/// A column and a row.
pub(super) type Place = (i32, i32);

/// To which side a line is nudged where it runs exactly between two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nudge {
    There,
    Back,
}

impl Nudge {
    pub(super) const fn of(self, amount: i64) -> i64 {
        match self {
            Self::There => amount,
            Self::Back => -amount,
        }
    }
}

impl Grid {
    /// The id at a place, whether it is a hole or not.
    pub(super) fn id(self, (x, y): Place) -> Option<CellId> {
        let on_grid = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        on_grid.then(|| CellId::from_index((y * self.width + x) as usize))
    }

    /// The place of an id of the grid.
    pub(super) fn place(self, cell: CellId) -> Place {
        let width = self.width.max(1);
        (i32::from(cell.0) % width, i32::from(cell.0) / width)
    }

    /// The names of the directions, clockwise from the top. The opposite lies half way round the list.
    pub(super) const fn directions(self) -> &'static [&'static str] {
        match self.cells {
            GridCells::Hex(grid) => grid.directions(),
            GridCells::Square(grid) => grid.directions(),
        }
    }

    pub(super) fn neighbour(self, place: Place, direction: usize) -> Place {
        match self.cells {
            GridCells::Hex(grid) => grid.neighbour(place, direction),
            GridCells::Square(grid) => grid.neighbour(place, direction),
        }
    }

    pub(super) fn distance(self, a: Place, b: Place) -> u32 {
        match self.cells {
            GridCells::Hex(grid) => grid.distance(a, b),
            GridCells::Square(grid) => grid.distance(a, b),
        }
    }

    /// The middle of a cell in thousandths; neighbours across a side are 1000 apart (on hexes to within a thousandth).
    pub(super) fn centre(self, place: Place) -> (i32, i32) {
        match self.cells {
            GridCells::Hex(grid) => grid.centre(place),
            GridCells::Square(_) => SquareGrid::centre(place),
        }
    }

    /// The corners of a cell, clockwise; the side from the first to the second looks in the first direction.
    pub(super) fn outline(self, place: Place) -> Vec<(i32, i32)> {
        let (x, y) = self.centre(place);
        let corners: &[(i32, i32)] = match self.cells {
            GridCells::Hex(grid) => grid.corners(),
            GridCells::Square(_) => &SquareGrid::CORNERS,
        };
        corners.iter().map(|(dx, dy)| (x + dx, y + dy)).collect()
    }

    /// The place whose outline holds a point of the drawing.
    pub(super) fn hit(self, point: (i64, i64)) -> Option<Place> {
        match self.cells {
            GridCells::Hex(grid) => grid.hit(point),
            GridCells::Square(_) => Some(SquareGrid::hit(point)),
        }
    }

    /// The places of a straight line, both ends included: each next to the one before, and as many as the distance
    /// plus one. The line from `b` to `a` is the reverse.
    pub(super) fn line(self, a: Place, b: Place, nudge: Nudge) -> Vec<Place> {
        match self.cells {
            GridCells::Hex(grid) => grid.line(a, b, nudge),
            GridCells::Square(grid) if grid.diagonals => SquareGrid::line(a, b, nudge),
            GridCells::Square(_) => SquareGrid::crossed(a, b, nudge),
        }
    }

    /// The places that a straight line from middle to middle runs through, both ends included.
    pub(super) fn crossed(self, a: Place, b: Place, nudge: Nudge) -> Vec<Place> {
        match self.cells {
            GridCells::Hex(grid) => grid.line(a, b, nudge),
            GridCells::Square(_) => SquareGrid::crossed(a, b, nudge),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn columns_past_z_get_two_letters() {
        let names: Vec<_> = [(0, 0), (2, 11), (25, 1), (26, 0), (51, 0), (52, 0), (701, 0), (702, 8)]
            .iter()
            .map(|&(x, y)| Topology::default_name(x, y))
            .collect();
        assert_eq!(
            names.into_iter().flatten().collect::<Vec<_>>(),
            ["a1", "c12", "z2", "aa1", "az1", "ba1", "zz1", "aaa9"]
        );
        assert_eq!(Topology::default_name(-1, 0), None);
    }

    #[test]
    fn other_text_is_no_default_name() {
        for name in ["", "a", "1", "a0", "a01", "A1", "a-1", "a1b", "abcde1", "a99999999999", "é1"] {
            assert_eq!(Topology::parse_default_name(name), None, "{name}");
        }
    }

    #[test]
    fn topologies_read_back_from_text() {
        let topology = Topology::Hex {
            width: 3,
            height: 4,
            orientation: Orientation::Flat,
            offset: Offset::Even,
        };
        let text = serde_json::to_string(&topology).unwrap();
        assert_eq!(text, r#"{"hex":{"width":3,"height":4,"orientation":"flat","offset":"even"}}"#);
        assert_eq!(serde_json::from_str::<Topology>(&text).unwrap(), topology);
    }

    proptest! {
        #[test]
        fn default_names_read_back(x in 0..400_000_i32, y in 0..1_000_000_i32) {
            let name = Topology::default_name(x, y).unwrap();
            prop_assert_eq!(Topology::parse_default_name(&name), Some((x, y)));
        }
    }
}
