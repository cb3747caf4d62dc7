//! Masks that keep shifted sets of a square grid from running over into the next row.

use std::borrow::Cow;

use super::{CellId, CellSet};

/// Steps to the side for which masks are kept; for longer ones they are made when needed.
const KEPT: i32 = 16;

/// For steps to the side: the cells from which they stay in their row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ColumnMasks {
    pub(super) width: i32,
    pub(super) height: i32,
    right: Vec<CellSet>,
    left: Vec<CellSet>,
}

impl ColumnMasks {
    pub(super) fn new(width: i32, height: i32) -> Self {
        let mut masks = Self {
            width,
            height,
            right: Vec::new(),
            left: Vec::new(),
        };
        masks.right = (0..KEPT).map(|steps| masks.make(steps)).collect();
        masks.left = (0..KEPT).map(|steps| masks.make(-steps)).collect();
        masks
    }

    /// The cells from which so many steps to the right (or to the left if negative) stay in their row.
    #[inline]
    pub(super) fn mask(&self, steps: i32) -> Cow<'_, CellSet> {
        let kept = if steps >= 0 {
            self.right.get(steps as usize)
        } else {
            self.left.get(steps.unsigned_abs() as usize)
        };
        kept.map_or_else(|| Cow::Owned(self.make(steps)), Cow::Borrowed)
    }

    fn make(&self, steps: i32) -> CellSet {
        let columns = if steps >= 0 {
            0..self.width.saturating_sub(steps)
        } else {
            steps.saturating_neg()..self.width
        };
        let rows = 0..self.height;
        let cells = rows.flat_map(|y| columns.clone().map(move |x| CellId::from_index((y * self.width + x) as usize)));
        CellSet::from_cells((self.width * self.height) as usize, cells)
    }
}
