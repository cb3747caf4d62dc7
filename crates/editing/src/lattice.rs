//! How the cells of a map lie, holes included: what tools measure with.

use std::sync::Arc;

use boardwright_model::{Board, CellId, CellSet, Map, MapFault, Topology};

use super::{Place, grid_cells};

/// The places of a map. On grids every place is there, also where the map has a hole; on free graphs the cells of the map, by their position
/// in its list. Made once for a topology: only another size, or another list of points or lines, needs a new one.
#[derive(Clone, Debug)]
pub struct Lattice {
    board: Arc<Board>,
}

impl Lattice {
    /// The places of a map.
    ///
    /// # Errors
    /// On grids a size that no board has; on free graphs everything that is wrong with the map.
    pub fn of(map: &Map) -> Result<Self, Vec<MapFault>> {
        let board = match map.topology {
            Topology::Hex { .. } | Topology::Square { .. } => Board::from_map(&Map::new("", "", map.topology))?,
            Topology::Graph => Board::from_map(map)?,
        };
        Ok(Self { board: Arc::new(board) })
    }

    /// The board of all places.
    pub fn board(&self) -> &Arc<Board> {
        &self.board
    }

    /// Whether it is that of a map as it is now.
    pub fn fits(&self, map: &Map) -> bool {
        self.board.topology() == map.topology && (map.topology.size().is_some() || self.board.cell_count() == map.cells.len())
    }

    /// The cell at a column and row of a grid.
    pub fn cell_at(&self, (column, row): Place) -> Option<CellId> {
        self.board.cell_at(column, row)
    }

    /// Column and row of a cell of a grid.
    pub fn place(&self, cell: CellId) -> Option<Place> {
        self.board.coordinates(cell)
    }

    /// No cells.
    pub fn no_cells(&self) -> CellSet {
        CellSet::empty(self.board.cell_count())
    }

    /// The name of a cell in a map.
    pub fn name(&self, map: &Map, cell: CellId) -> String {
        match self.place(cell) {
            Some(place) => place_name(map, place),
            None => map.cells.get(cell.index()).map_or_else(String::new, |cell| cell.name.clone()),
        }
    }
}

/// The name of a cell of a grid: its own, or else that of its place.
pub(crate) fn place_name(map: &Map, place: Place) -> String {
    let given = grid_cells::find(map, place)
        .map(|cell| cell.name.clone())
        .filter(|name| !name.is_empty());
    given.unwrap_or_else(|| Topology::default_name(place.0, place.1).unwrap_or_default())
}
