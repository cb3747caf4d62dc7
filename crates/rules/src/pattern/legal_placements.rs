//! Legal placements: the anchor cells at which each piece fits in each pose.

use std::ops::{ControlFlow, Range};

use super::{PatternMove, Sink};
use crate::Generator;
use boardwright_model::{CellId, CellSet, Cells, PieceId, Pose};

/// Anchor sets: for each piece and pose the cells at which its first square can be placed.
#[derive(Clone, Debug, Default)]
pub(super) struct LegalPlacements {
    anchors: Vec<AnchorSet>,
    /// The cells as bits; anchor sets that are equal share them.
    words: Vec<u64>,
    count: usize,
}

#[derive(Clone, Debug)]
struct AnchorSet {
    piece: PieceId,
    pose: Pose,
    words: Range<usize>,
    count: usize,
}

impl LegalPlacements {
    pub(super) fn clear(&mut self) {
        self.anchors.clear();
        self.words.clear();
        self.count = 0;
    }

    /// Adds cells as bits; gives where they are and how many.
    pub(super) fn add_cells(&mut self, words: &[u64]) -> (Range<usize>, usize) {
        let start = self.words.len();
        self.words.extend_from_slice(words);
        (start..self.words.len(), words.iter().map(|word| word.count_ones() as usize).sum())
    }

    /// Adds a piece in a pose that can be placed at cells added before.
    pub(super) fn add(&mut self, piece: PieceId, pose: Pose, (words, count): (Range<usize>, usize)) {
        self.count += count;
        self.anchors.push(AnchorSet { piece, pose, words, count });
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The piece of each anchor set, and the number of its cells.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (PieceId, usize)> {
        self.anchors.iter().map(|set| (set.piece, set.count))
    }

    /// Samples a placement in proportion to the weight of its anchor set. Gives its index and that weight.
    pub(super) fn sample(&self, weights: &[u32], generator: &mut Generator) -> Option<(usize, u32)> {
        let weighed = || self.anchors.iter().zip(weights).map(|(set, weight)| (set.count, *weight));
        let total: u64 = weighed().map(|(count, weight)| count as u64 * u64::from(weight)).sum();
        let mut left = generator.below_u64(total);
        let mut before = 0;
        for (count, weight) in weighed() {
            let own = count as u64 * u64::from(weight);
            if left < own {
                return Some((before + (left / u64::from(weight)) as usize, weight));
            }
            left -= own;
            before += count;
        }
        None
    }

    fn words(&self, set: &AnchorSet) -> &[u64] {
        self.words.get(set.words.clone()).unwrap_or_default()
    }

    /// Calls a function for each of them, in the order in which they are listed.
    pub(super) fn each(&self, mut call: impl FnMut(PieceId, Pose, CellId)) {
        for set in &self.anchors {
            Cells::of(self.words(set)).for_each(|cell| call(set.piece, set.pose, cell));
        }
    }

    pub(super) fn list(&self, sink: &mut Sink<'_>) -> ControlFlow<()> {
        for set in &self.anchors {
            for cell in Cells::of(self.words(set)) {
                sink(PatternMove::Posed(set.piece, set.pose, cell))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The placement of an index, in the order in which they are listed.
    pub(super) fn nth(&self, mut index: usize) -> Option<PatternMove<'static>> {
        for set in &self.anchors {
            if index < set.count {
                let cell = nth_cell(self.words(set), index)?;
                return Some(PatternMove::Posed(set.piece, set.pose, cell));
            }
            index -= set.count;
        }
        None
    }

    pub(super) fn poses(&self, piece: PieceId) -> Vec<Pose> {
        let own = self.anchors.iter().filter(|set| set.piece == piece);
        let mut poses: Vec<Pose> = own.map(|set| set.pose).collect();
        poses.sort_unstable();
        poses.dedup();
        poses
    }

    pub(super) fn cells(&self, piece: PieceId, pose: Pose, capacity: usize) -> CellSet {
        let own = self.anchors.iter().filter(|set| set.piece == piece && set.pose == pose);
        CellSet::from_cells(capacity, own.flat_map(|set| Cells::of(self.words(set))))
    }
}

fn nth_cell(words: &[u64], mut index: usize) -> Option<CellId> {
    for (place, word) in words.iter().enumerate() {
        let count = word.count_ones() as usize;
        if index < count {
            let left = (0..index).fold(*word, |left, _| left & (left - 1));
            return Some(CellId::from_index(place * u64::BITS as usize + left.trailing_zeros() as usize));
        }
        index -= count;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_placement_is_listed_once_and_the_nth_is_the_nth() {
        let mut placements = LegalPlacements::default();
        let cells = placements.add_cells(&[1 | 1 << 63, 0, 1 << 5]);
        placements.add(PieceId(4), Pose::UPRIGHT, cells.clone());
        placements.add(PieceId(9), Pose::UPRIGHT.turned(), cells);
        let more = placements.add_cells(&[0, 6, 0]);
        placements.add(PieceId(4), Pose::UPRIGHT.mirrored(), more);
        let mut listed = Vec::new();
        let _ = placements.list(&mut |found| {
            listed.push(format!("{found:?}"));
            ControlFlow::Continue(())
        });
        assert_eq!((listed.len(), placements.count()), (8, 8));
        let picked: Vec<String> = (0..9)
            .filter_map(|index| placements.nth(index))
            .map(|found| format!("{found:?}"))
            .collect();
        assert_eq!(picked, listed);
        assert_eq!(placements.poses(PieceId(4)), [Pose::UPRIGHT, Pose::UPRIGHT.mirrored()]);
        assert_eq!(placements.cells(PieceId(9), Pose::UPRIGHT.turned(), 192).count(), 3);
        assert!(placements.cells(PieceId(9), Pose::UPRIGHT, 192).is_empty());
    }
}
