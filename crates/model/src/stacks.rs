//! The pieces on each cell. States share most of it: one that was cloned to be changed pays for the cells around the change, and not for the
//! board.

use std::sync::Arc;

use smallvec::SmallVec;

use super::state_copies::share_all;
use super::{CellId, PieceId};

/// The pieces on one cell, in rising order of their ids.
pub(super) type Stack = SmallVec<[PieceId; 2]>;

/// How many cells are shared, and copied, together.
const CHUNK: usize = 32;

/// The pieces on all cells, in chunks that are copied when something in them is changed and other states have them too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stacks {
    chunks: Vec<Arc<[Stack; CHUNK]>>,
    cells: usize,
}

impl Stacks {
    /// Those of a board without pieces.
    pub(super) fn empty(cells: usize) -> Self {
        let empty = Arc::new(std::array::from_fn(|_| Stack::new()));
        Self {
            chunks: vec![empty; cells.div_ceil(CHUNK)],
            cells,
        }
    }

    /// Becomes equal to others. Chunks that both share are left as they are.
    pub(super) fn copy_from(&mut self, other: &Self) {
        share_all(&mut self.chunks, &other.chunks);
        self.cells = other.cells;
    }

    /// A copy that shares no chunk.
    pub(super) fn unshared(&self) -> Self {
        Self {
            chunks: self.chunks.iter().map(|chunk| Arc::new(<[Stack; CHUNK]>::clone(chunk))).collect(),
            cells: self.cells,
        }
    }

    /// How many cells there are.
    pub(super) fn len(&self) -> usize {
        self.cells
    }

    #[inline]
    pub(super) fn get(&self, cell: CellId) -> Option<&Stack> {
        let index = cell.index();
        self.chunks.get(index / CHUNK)?.get(index % CHUNK).filter(|_| index < self.cells)
    }

    pub(super) fn get_mut(&mut self, cell: CellId) -> Option<&mut Stack> {
        let index = cell.index();
        let chunk = self.chunks.get_mut(index / CHUNK).filter(|_| index < self.cells)?;
        Arc::make_mut(chunk).get_mut(index % CHUNK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_changed_in_one_state_stays_as_it_is_in_others() {
        let mut one = Stacks::empty(40);
        one.get_mut(CellId(39)).unwrap().push(PieceId(7));
        let other = one.clone();
        one.get_mut(CellId(3)).unwrap().push(PieceId(1));
        one.get_mut(CellId(39)).unwrap().clear();
        assert_eq!(other.get(CellId(39)).unwrap().as_slice(), [PieceId(7)]);
        assert!(other.get(CellId(3)).unwrap().is_empty() && one.get(CellId(39)).unwrap().is_empty());
        assert!(
            one.get(CellId(40)).is_none() && one.get_mut(CellId(63)).is_none(),
            "the last chunk is longer than the board"
        );
        assert_eq!(one.len(), 40);
    }
}
