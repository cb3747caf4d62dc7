//! Where pieces can be laid.

use std::ops::{ControlFlow, Range};

use super::{Found, Sink};
use crate::model::{CellId, CellSet, PieceId, Pose};
use crate::rules::Generator;

/// For pieces and their poses, the cells on which their first square can lie.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_field_names, reason = "no other word says what they are")]
pub(super) struct Sites {
    sites: Vec<Site>,
    /// The cells as bits; sites that have the same ones share them.
    words: Vec<u64>,
    count: usize,
}

#[derive(Clone, Debug)]
struct Site {
    piece: PieceId,
    pose: Pose,
    words: Range<usize>,
    count: usize,
}

impl Sites {
    pub(super) fn clear(&mut self) {
        self.sites.clear();
        self.words.clear();
        self.count = 0;
    }

    /// Adds cells as bits; gives where they are and how many.
    pub(super) fn add_cells(&mut self, words: &[u64]) -> (Range<usize>, usize) {
        let start = self.words.len();
        self.words.extend_from_slice(words);
        (start..self.words.len(), words.iter().map(|word| word.count_ones() as usize).sum())
    }

    /// Adds a piece in a pose that can be laid on cells added before.
    pub(super) fn add(&mut self, piece: PieceId, pose: Pose, (words, count): (Range<usize>, usize)) {
        self.count += count;
        self.sites.push(Site { piece, pose, words, count });
    }

    /// How many there are, over all pieces and poses.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The piece of each site, and how many cells it can lie on.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (PieceId, usize)> {
        self.sites.iter().map(|site| (site.piece, site.count))
    }

    /// Draws one of them, each with as many lots as is given for its site. Gives its index, and its lots.
    pub(super) fn draw(&self, lots: &[u32], generator: &mut Generator) -> Option<(usize, u32)> {
        let weighed = || self.sites.iter().zip(lots).map(|(site, lots)| (site.count, *lots));
        let total: u64 = weighed().map(|(count, lots)| count as u64 * u64::from(lots)).sum();
        let mut left = u64::from(generator.below(u32::try_from(total).ok().filter(|total| *total > 0)?));
        let mut before = 0;
        for (count, lots) in weighed() {
            let own = count as u64 * u64::from(lots);
            if left < own {
                return Some((before + (left / u64::from(lots)) as usize, lots));
            }
            left -= own;
            before += count;
        }
        None
    }

    fn words(&self, site: &Site) -> &[u64] {
        self.words.get(site.words.clone()).unwrap_or_default()
    }

    pub(super) fn list(&self, sink: &mut Sink<'_>) -> ControlFlow<()> {
        for site in &self.sites {
            for cell in cells(self.words(site)) {
                sink(Found::Lying(site.piece, site.pose, cell))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// One of them, in the order in which they are listed.
    pub(super) fn nth(&self, mut index: usize) -> Option<Found<'static>> {
        for site in &self.sites {
            if index < site.count {
                let cell = nth_cell(self.words(site), index)?;
                return Some(Found::Lying(site.piece, site.pose, cell));
            }
            index -= site.count;
        }
        None
    }

    /// The poses in which a piece can be laid, in rising order.
    pub(super) fn poses(&self, piece: PieceId) -> Vec<Pose> {
        let own = self.sites.iter().filter(|site| site.piece == piece);
        let mut poses: Vec<Pose> = own.map(|site| site.pose).collect();
        poses.sort_unstable();
        poses.dedup();
        poses
    }

    /// The cells on which a piece can be laid in a pose.
    pub(super) fn cells(&self, piece: PieceId, pose: Pose, capacity: usize) -> CellSet {
        let own = self.sites.iter().filter(|site| site.piece == piece && site.pose == pose);
        CellSet::from_cells(capacity, own.flat_map(|site| cells(self.words(site))))
    }
}

fn cells(words: &[u64]) -> impl Iterator<Item = CellId> {
    let in_word = |(index, word): (usize, &u64)| {
        let mut left = *word;
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(CellId::from_index(index * u64::BITS as usize + bit))
        })
    };
    words.iter().enumerate().flat_map(in_word)
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
    fn every_site_is_listed_once_and_the_nth_is_the_nth() {
        let mut sites = Sites::default();
        let cells = sites.add_cells(&[1 | 1 << 63, 0, 1 << 5]);
        sites.add(PieceId(4), Pose::UPRIGHT, cells.clone());
        sites.add(PieceId(9), Pose::UPRIGHT.turned(), cells);
        let more = sites.add_cells(&[0, 6, 0]);
        sites.add(PieceId(4), Pose::UPRIGHT.mirrored(), more);
        let mut listed = Vec::new();
        let _ = sites.list(&mut |found| {
            listed.push(format!("{found:?}"));
            ControlFlow::Continue(())
        });
        assert_eq!((listed.len(), sites.count()), (8, 8));
        let picked: Vec<String> = (0..9)
            .filter_map(|index| sites.nth(index))
            .map(|found| format!("{found:?}"))
            .collect();
        assert_eq!(picked, listed);
        assert_eq!(sites.poses(PieceId(4)), [Pose::UPRIGHT, Pose::UPRIGHT.mirrored()]);
        assert_eq!(sites.cells(PieceId(9), Pose::UPRIGHT.turned(), 192).count(), 3);
        assert!(sites.cells(PieceId(9), Pose::UPRIGHT, 192).is_empty());
    }
}
