//! What is selected in an open file: cells of its board and pieces of its scenario.

use std::collections::BTreeSet;

use boardwright_model::CellId;

/// The selected cells, and the selected pieces by their positions among those of the scenario.
#[derive(Debug, Default)]
pub(crate) struct Selection {
    cells: BTreeSet<CellId>,
    pieces: BTreeSet<usize>,
}

impl Selection {
    pub(crate) fn cells(&self) -> &BTreeSet<CellId> {
        &self.cells
    }

    pub(crate) fn pieces(&self) -> &BTreeSet<usize> {
        &self.pieces
    }

    /// The cell, if one alone is selected.
    pub(crate) fn only_cell(&self) -> Option<CellId> {
        self.cells.first().copied().filter(|_| self.cells.len() == 1)
    }

    pub(crate) fn set_cells(&mut self, cells: BTreeSet<CellId>) {
        self.cells = cells;
    }

    pub(crate) fn set_pieces(&mut self, pieces: BTreeSet<usize>) {
        self.pieces = pieces;
    }

    pub(crate) fn add_cells(&mut self, cells: impl IntoIterator<Item = CellId>) {
        self.cells.extend(cells);
    }

    pub(crate) fn add_pieces(&mut self, pieces: impl IntoIterator<Item = usize>) {
        self.pieces.extend(pieces);
    }

    /// Selects a cell, or no longer.
    pub(crate) fn toggle_cell(&mut self, cell: CellId) {
        if !self.cells.remove(&cell) {
            self.cells.insert(cell);
        }
    }

    /// Selects a piece, or no longer.
    pub(crate) fn toggle_piece(&mut self, piece: usize) {
        if !self.pieces.remove(&piece) {
            self.pieces.insert(piece);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.clear_cells();
        self.clear_pieces();
    }

    pub(crate) fn clear_cells(&mut self) {
        self.cells.clear();
    }

    pub(crate) fn clear_pieces(&mut self) {
        self.pieces.clear();
    }

    /// Forgets what is no longer there.
    pub(crate) fn retain(&mut self, has_cell: impl Fn(CellId) -> bool, pieces: usize) {
        self.cells.retain(|cell| has_cell(*cell));
        self.pieces.retain(|piece| *piece < pieces);
    }
}
