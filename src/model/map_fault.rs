//! What can be wrong with a map.

use thiserror::Error;

/// The most cells a board may have, holes of a grid included.
pub const MOST_CELLS: usize = 40_000;
/// The most lines a map may have: each takes two directions.
pub(super) const MOST_LINES: usize = 32_767;
/// The most regions a map may have.
pub(super) const MOST_REGIONS: usize = 65_535;
/// How far from the origin a point of the drawing may lie, in thousandths of a unit.
pub(super) const FURTHEST_POINT: i32 = 100_000_000;
/// The most characters a name may have.
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

/// One thing wrong with a map. `cell`, `line`, `region` and `edge` are positions in the lists of the map, from 0.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MapFault {
    /// A grid without columns or rows, or a free graph without cells.
    #[error("the map has no cells")]
    NoCells,
    /// More cells than a board may have.
    #[error("the map has {cells} cells, more than {MOST_CELLS}")]
    TooManyCells {
        /// How many.
        cells: usize,
    },
    /// More lines than a board may have.
    #[error("the map has {lines} lines, more than {MOST_LINES}")]
    TooManyLines {
        /// How many.
        lines: usize,
    },
    /// More regions than a board may have.
    #[error("the map has {regions} regions, more than {MOST_REGIONS}")]
    TooManyRegions {
        /// How many.
        regions: usize,
    },
    /// An entry for a place that the grid does not have.
    #[error("cell \"{name}\" at column {x}, row {y} lies outside the grid")]
    OffGrid {
        /// The entry.
        cell: usize,
        /// Its name as written.
        name: String,
        /// The column, from 0.
        x: i32,
        /// The row, from 0.
        y: i32,
    },
    /// Two entries for one place of a grid.
    #[error("cell \"{name}\" at column {x}, row {y} is described twice")]
    PlaceTaken {
        /// The second entry.
        cell: usize,
        /// Its name.
        name: String,
        /// The column, from 0.
        x: i32,
        /// The row, from 0.
        y: i32,
    },
    /// A cell whose name is empty, too long, or has blanks at its ends or control characters.
    #[error("cell {} has no usable name: {name:?}", cell + 1)]
    CellName {
        /// The entry.
        cell: usize,
        /// The name as written.
        name: String,
    },
    /// Two cells of one name.
    #[error("there are two cells \"{name}\"")]
    CellNameTaken {
        /// The second entry, or on grids the entry that takes another cell's default name.
        cell: usize,
        /// The name.
        name: String,
    },
    /// A hole in a free graph.
    #[error("cell \"{name}\" is absent: only grids have holes")]
    HoleInGraph {
        /// The entry.
        cell: usize,
        /// Its name.
        name: String,
    },
    /// A cell of a grid with an outline of its own.
    #[error("cell \"{name}\" has an outline: only areas of a free graph do")]
    OutlineOnGrid {
        /// The entry.
        cell: usize,
        /// Its name.
        name: String,
    },
    /// A part of an outline with fewer than three points.
    #[error("part {} of the outline of cell \"{name}\" has fewer than three points", part + 1)]
    OutlineTooShort {
        /// The entry.
        cell: usize,
        /// Its name.
        name: String,
        /// The part of the outline, from 0.
        part: usize,
    },
    /// A cell, or a point of its outline, that lies too far out.
    #[error("cell \"{name}\" is drawn at ({x}, {y}), further than {FURTHEST_POINT} from the origin")]
    TooFarOut {
        /// The entry.
        cell: usize,
        /// Its name.
        name: String,
        /// The point.
        x: i32,
        /// The point.
        y: i32,
    },
    /// A line on a grid, where the neighbours are known.
    #[error("line {} is drawn on a grid: only free graphs have lines", line + 1)]
    LineOnGrid {
        /// The entry.
        line: usize,
    },
    /// A line whose name is empty, too long, or has blanks at its ends or control characters.
    #[error("line {} has no usable name: {name:?}", line + 1)]
    LineName {
        /// The entry.
        line: usize,
        /// The name as written.
        name: String,
    },
    /// Two lines of one name.
    #[error("there are two lines \"{name}\"")]
    LineNameTaken {
        /// The second entry.
        line: usize,
        /// The name.
        name: String,
    },
    /// A line of fewer than two cells.
    #[error("line \"{name}\" has fewer than two cells")]
    LineTooShort {
        /// The entry.
        line: usize,
        /// The name of the line.
        name: String,
    },
    /// A line through a cell that is not there.
    #[error("line \"{name}\" runs through an unknown cell \"{cell}\"")]
    UnknownCellInLine {
        /// The entry.
        line: usize,
        /// The name of the line.
        name: String,
        /// The name of the cell.
        cell: String,
    },
    /// A line that comes through one cell twice, other than by ending where it began.
    #[error("line \"{name}\" runs through cell \"{cell}\" twice")]
    CellTwiceInLine {
        /// The entry.
        line: usize,
        /// The name of the line.
        name: String,
        /// The name of the cell.
        cell: String,
    },
    /// Two cells joined by two lines, or twice by one, so that straight on would have two meanings.
    #[error("line \"{name}\" joins cells \"{a}\" and \"{b}\", which line \"{other}\" does already")]
    PairTwice {
        /// The entry.
        line: usize,
        /// The name of the line.
        name: String,
        /// The name of the line before.
        other: String,
        /// The name of one cell.
        a: String,
        /// The name of the other.
        b: String,
    },
    /// A region whose name is empty, too long, or has blanks at its ends or control characters.
    #[error("region {} has no usable name: {name:?}", region + 1)]
    RegionName {
        /// The entry.
        region: usize,
        /// The name as written.
        name: String,
    },
    /// Two regions of one name.
    #[error("there are two regions \"{name}\"")]
    RegionNameTaken {
        /// The second entry.
        region: usize,
        /// The name.
        name: String,
    },
    /// A region with a cell that is not there.
    #[error("region \"{name}\" has an unknown cell \"{cell}\"")]
    UnknownCellInRegion {
        /// The entry.
        region: usize,
        /// The name of the region.
        name: String,
        /// The name of the cell.
        cell: String,
    },
    /// A region that names a cell twice.
    #[error("region \"{name}\" names cell \"{cell}\" twice")]
    CellTwiceInRegion {
        /// The entry.
        region: usize,
        /// The name of the region.
        name: String,
        /// The name of the cell.
        cell: String,
    },
    /// An edge of a cell that is not there.
    #[error("the edge \"{a}\" - \"{b}\" has an unknown cell \"{cell}\"")]
    UnknownCellInEdge {
        /// The entry.
        edge: usize,
        /// One end.
        a: String,
        /// The other end.
        b: String,
        /// The end that is unknown.
        cell: String,
    },
    /// An edge between cells that are not neighbours.
    #[error("cells \"{a}\" and \"{b}\" have no edge between them")]
    NotNeighbours {
        /// The entry.
        edge: usize,
        /// One end.
        a: String,
        /// The other end.
        b: String,
    },
    /// Two entries for one edge.
    #[error("the edge between cells \"{a}\" and \"{b}\" is described twice")]
    EdgeTwice {
        /// The second entry.
        edge: usize,
        /// One end.
        a: String,
        /// The other end.
        b: String,
    },
}

impl MapFault {
    /// Where in the map the fault lies, so that a reader of files can say the line and column.
    pub const fn place(&self) -> MapPlace {
        match *self {
            Self::NoCells | Self::TooManyCells { .. } | Self::TooManyLines { .. } | Self::TooManyRegions { .. } => MapPlace::Topology,
            Self::OffGrid { cell, .. }
            | Self::PlaceTaken { cell, .. }
            | Self::CellName { cell, .. }
            | Self::CellNameTaken { cell, .. }
            | Self::HoleInGraph { cell, .. }
            | Self::OutlineOnGrid { cell, .. }
            | Self::OutlineTooShort { cell, .. }
            | Self::TooFarOut { cell, .. } => MapPlace::Cell(cell),
            Self::LineOnGrid { line }
            | Self::LineName { line, .. }
            | Self::LineNameTaken { line, .. }
            | Self::LineTooShort { line, .. }
            | Self::UnknownCellInLine { line, .. }
            | Self::CellTwiceInLine { line, .. }
            | Self::PairTwice { line, .. } => MapPlace::Line(line),
            Self::RegionName { region, .. }
            | Self::RegionNameTaken { region, .. }
            | Self::UnknownCellInRegion { region, .. }
            | Self::CellTwiceInRegion { region, .. } => MapPlace::Region(region),
            Self::UnknownCellInEdge { edge, .. } | Self::NotNeighbours { edge, .. } | Self::EdgeTwice { edge, .. } => MapPlace::Edge(edge),
        }
    }
}
