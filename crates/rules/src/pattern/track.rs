//! Tracks: cells in an order, along which pieces go by a number, as in games of the family of pachisi.

use boardwright_model::{CellId, PropertyId, State, Target, Value};

/// By how many cells a piece goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Advance {
    /// Always by the same number.
    Number(i64),
    /// By what a property of the match counts: the die that was thrown.
    Property(PropertyId),
}

/// Cells in an order, and how far a piece goes along them at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Track {
    cells: Vec<CellId>,
    /// The place of each cell of the board among those of the track.
    places: Vec<Option<u32>>,
    by: Advance,
    /// Whether the first cell follows the last.
    is_closed: bool,
}

impl Track {
    /// A track that ends with its last cell. Each cell is to be there once: of one that is there again, the first place counts.
    pub fn new(cells: Vec<CellId>, by: Advance) -> Self {
        let most = cells.iter().map(|cell| cell.index() + 1).max().unwrap_or(0);
        let mut places = vec![None; most];
        for (cell, place) in cells.iter().zip(0..) {
            if let Some(known @ None) = places.get_mut(cell.index()) {
                *known = Some(place);
            }
        }
        Self {
            cells,
            places,
            by,
            is_closed: false,
        }
    }

    /// The same, closed: its first cell follows the last.
    #[must_use]
    pub fn closed(self) -> Self {
        Self { is_closed: true, ..self }
    }

    /// Where a piece on a cell comes to. `None` if the cell is not on the track, the number leads past an end, or it is 0.
    pub(super) fn target(&self, state: &State, cell: CellId) -> Option<CellId> {
        let place = i64::from((*self.places.get(cell.index())?)?);
        let by = match self.by {
            Advance::Number(number) => number,
            Advance::Property(property) => state.value(Target::Match, property).and_then(Value::as_integer)?,
        };
        if by == 0 {
            return None;
        }
        let length = i64::try_from(self.cells.len()).ok()?;
        let place = if self.is_closed {
            place.checked_add(by % length)?.rem_euclid(length)
        } else {
            place.checked_add(by)?
        };
        self.cells.get(usize::try_from(place).ok()?).copied()
    }
}
