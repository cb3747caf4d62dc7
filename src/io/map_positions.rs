//! Where the parts of a map stand in its file, and what is said of faults there.

use crate::model::{Board, CellId, Map, MapFault, MapPlace};
use crate::ruleset::{Code, Diagnostic};

use super::xml::{Position, Source, Spot};

/// Where the parts of a map stand in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapPositions {
    pub(super) source: Source,
    pub(super) topology: Spot,
    pub(super) cells: Vec<Spot>,
    pub(super) lines: Vec<Spot>,
    pub(super) regions: Vec<Spot>,
    pub(super) edges: Vec<Spot>,
}

impl MapPositions {
    /// Line and column of a part of the map.
    pub fn locate(&self, place: MapPlace) -> Position {
        self.source.position(self.spot(place))
    }

    pub(super) fn spot(&self, place: MapPlace) -> Spot {
        let (list, index) = match place {
            MapPlace::Topology => return self.topology,
            MapPlace::Cell(index) => (&self.cells, index),
            MapPlace::Line(index) => (&self.lines, index),
            MapPlace::Region(index) => (&self.regions, index),
            MapPlace::Edge(index) => (&self.edges, index),
        };
        list.get(index).copied().unwrap_or(self.topology)
    }

    /// What an author is told of a fault of the map.
    pub fn diagnostic(&self, fault: &MapFault) -> Diagnostic {
        Diagnostic::error(code_of(fault), fault.to_string()).at(self.source.place(self.spot(fault.place())))
    }

    /// A diagnostic about the entry of a cell of the board made from the map; for cells without an entry about the sizes.
    pub fn at_cell(&self, map: &Map, board: &Board, cell: CellId, found: Diagnostic) -> Diagnostic {
        let entry = match board.coordinates(cell) {
            Some(place) => map.cells.iter().position(|entry| (entry.x, entry.y) == place),
            None => Some(cell.index()),
        };
        found.at(self.source.place(self.spot(entry.map_or(MapPlace::Topology, MapPlace::Cell))))
    }
}

const fn code_of(fault: &MapFault) -> Code {
    match fault {
        MapFault::PlaceTaken { .. }
        | MapFault::CellNameTaken { .. }
        | MapFault::LineNameTaken { .. }
        | MapFault::CellTwiceInLine { .. }
        | MapFault::PairTwice { .. }
        | MapFault::RegionNameTaken { .. }
        | MapFault::CellTwiceInRegion { .. }
        | MapFault::EdgeTwice { .. } => Code::DuplicateName,
        MapFault::UnknownCellInLine { .. } | MapFault::UnknownCellInRegion { .. } | MapFault::UnknownCellInEdge { .. } => Code::UnknownName,
        _ => Code::BadValue,
    }
}
