//! A set of cells for each cell of a board, held together: what is asked of piece after piece stays in the cache.

use boardwright_model::{CellId, CellSet};

/// The sets, one after the other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CellTable {
    words: Vec<u64>,
    /// How many words a set has.
    width: usize,
}

/// The set of one cell.
#[derive(Clone, Copy)]
pub(super) struct Row<'a>(&'a [u64]);

impl CellTable {
    /// Empty sets for a board of so many cells.
    pub(super) fn new(cells: usize) -> Self {
        let width = cells.div_ceil(u64::BITS as usize);
        Self {
            words: vec![0; cells * width],
            width,
        }
    }

    /// Adds a member to the set of a cell. False if it was one, or either is not on the board.
    pub(super) fn insert(&mut self, cell: CellId, member: CellId) -> bool {
        let (word, bit) = (member.index() / u64::BITS as usize, 1 << (member.index() % u64::BITS as usize));
        let start = cell.index() * self.width;
        let row = self.words.get_mut(start..start + self.width);
        row.and_then(|row| row.get_mut(word)).is_some_and(|word| {
            let is_new = *word & bit == 0;
            *word |= bit;
            is_new
        })
    }

    /// The set of a cell.
    #[inline]
    pub(super) fn of(&self, cell: CellId) -> Row<'_> {
        let start = cell.index() * self.width;
        Row(self.words.get(start..start + self.width).unwrap_or_default())
    }
}

impl Row<'_> {
    /// Whether it has a member in common with a set.
    #[inline]
    pub(super) fn intersects(self, other: &CellSet) -> bool {
        self.0.iter().zip(other.words()).any(|(mine, theirs)| mine & theirs != 0)
    }

    /// Whether all its members are in a set of the same board.
    #[inline]
    pub(super) fn is_subset(self, other: &CellSet) -> bool {
        self.0.iter().zip(other.words()).all(|(mine, theirs)| mine & !theirs == 0)
    }
}
