//! What can be wrong with a map.

use thiserror::Error;

/// The most cells a board may have, holes of a grid included.
pub const MOST_CELLS: usize = 40_000;
/// The most lines a map may have: each takes two directions.
pub(super) const MOST_LINES: usize = 32_767;
pub(super) const MOST_REGIONS: usize = 65_535;
/// How far from the origin a point of the drawing may lie, in thousandths of a unit.
pub(super) const FURTHEST_POINT: i32 = 100_000_000;
pub(super) const LONGEST_NAME: usize = 64;

/// Where in a [`Map`](super::Map) a fault lies: a position in the list of that name, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MapPlace {
    /// The sizes.
    Topology,
    /// An entry of `cells`.
    Cell(usize),
    /// An entry of `lines`.
    Line(usize),
    /// An entry of `regions`.
    Region(usize),
    /// An entry of `edges`.
    Edge(usize),
}

/// One thing wrong with a map. The first field is the position of the entry to blame, the others fill in the message.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum MapFault {
    #[error("the map has no cells")]
    NoCells,
    #[error("the map has {0} cells, more than {MOST_CELLS}")]
    TooManyCells(usize),
    #[error("the map has {0} lines, more than {MOST_LINES}")]
    TooManyLines(usize),
    #[error("the map has {0} regions, more than {MOST_REGIONS}")]
    TooManyRegions(usize),
    #[error("cell \"{1}\" at column {x}, row {y} lies outside the grid", x = .2.0, y = .2.1)]
    OffGrid(usize, String, (i32, i32)),
    #[error("cell \"{1}\" at column {x}, row {y} is described twice", x = .2.0, y = .2.1)]
    PlaceTaken(usize, String, (i32, i32)),
    #[error("cell {number} has no usable name: {1:?}", number = .0 + 1)]
    CellName(usize, String),
    #[error("there are two cells \"{1}\"")]
    CellNameTaken(usize, String),
    #[error("cell \"{1}\" is absent: only grids have holes")]
    HoleInGraph(usize, String),
    #[error("cell \"{1}\" has an outline: only areas of a free graph do")]
    OutlineOnGrid(usize, String),
    #[error("part {part} of the outline of cell \"{1}\" has fewer than three points", part = .2 + 1)]
    OutlineTooShort(usize, String, usize),
    #[error("cell \"{1}\" is drawn at ({x}, {y}), further than {FURTHEST_POINT} from the origin", x = .2.0, y = .2.1)]
    TooFarOut(usize, String, (i32, i32)),
    #[error("line {number} is drawn on a grid: only free graphs have lines", number = .0 + 1)]
    LineOnGrid(usize),
    #[error("line {number} has no usable name: {1:?}", number = .0 + 1)]
    LineName(usize, String),
    #[error("there are two lines \"{1}\"")]
    LineNameTaken(usize, String),
    #[error("line \"{1}\" has fewer than two cells")]
    LineTooShort(usize, String),
    #[error("line \"{1}\" runs through an unknown cell \"{2}\"")]
    UnknownCellInLine(usize, String, String),
    #[error("line \"{1}\" runs through cell \"{2}\" twice")]
    CellTwiceInLine(usize, String, String),
    /// Straight on would have two meanings.
    #[error("line \"{1}\" joins cells \"{a}\" and \"{b}\", which line \"{2}\" does already", a = .3[0], b = .3[1])]
    PairTwice(usize, String, String, [String; 2]),
    #[error("region {number} has no usable name: {1:?}", number = .0 + 1)]
    RegionName(usize, String),
    #[error("there are two regions \"{1}\"")]
    RegionNameTaken(usize, String),
    #[error("region \"{1}\" has an unknown cell \"{2}\"")]
    UnknownCellInRegion(usize, String, String),
    #[error("region \"{1}\" names cell \"{2}\" twice")]
    CellTwiceInRegion(usize, String, String),
    #[error("the edge \"{a}\" - \"{b}\" has an unknown cell \"{2}\"", a = .1[0], b = .1[1])]
    UnknownCellInEdge(usize, [String; 2], String),
    #[error("cells \"{a}\" and \"{b}\" have no edge between them", a = .1[0], b = .1[1])]
    NotNeighbours(usize, [String; 2]),
    #[error("the edge between cells \"{a}\" and \"{b}\" is described twice", a = .1[0], b = .1[1])]
    EdgeTwice(usize, [String; 2]),
}

impl MapFault {
    /// Where in the map the fault lies, so that a reader of files can say the line and column.
    pub const fn place(&self) -> MapPlace {
        match *self {
            Self::NoCells | Self::TooManyCells(_) | Self::TooManyLines(_) | Self::TooManyRegions(_) => MapPlace::Topology,
            Self::OffGrid(cell, ..)
            | Self::PlaceTaken(cell, ..)
            | Self::CellName(cell, _)
            | Self::CellNameTaken(cell, _)
            | Self::HoleInGraph(cell, _)
            | Self::OutlineOnGrid(cell, _)
            | Self::OutlineTooShort(cell, ..)
            | Self::TooFarOut(cell, ..) => MapPlace::Cell(cell),
            Self::LineOnGrid(line)
            | Self::LineName(line, _)
            | Self::LineNameTaken(line, _)
            | Self::LineTooShort(line, _)
            | Self::UnknownCellInLine(line, ..)
            | Self::CellTwiceInLine(line, ..)
            | Self::PairTwice(line, ..) => MapPlace::Line(line),
            Self::RegionName(region, _)
            | Self::RegionNameTaken(region, _)
            | Self::UnknownCellInRegion(region, ..)
            | Self::CellTwiceInRegion(region, ..) => MapPlace::Region(region),
            Self::UnknownCellInEdge(edge, ..) | Self::NotNeighbours(edge, _) | Self::EdgeTwice(edge, _) => MapPlace::Edge(edge),
        }
    }
}
