//! Fields of view that were found before. Most pieces stay where they are from one action to the next, and see the same.

use std::collections::HashMap;
use std::sync::Arc;

use boardwright_model::{CellId, CellSet, TerrainId};

/// How many grounds are known at a time: that of the match, and those that seats know.
const GROUNDS: usize = 4;
/// How many bytes of sets are kept for each.
const MOST_BYTES: usize = 2 << 20;

/// What hides something on a ground.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hiding {
    /// By terrain, whether it hides what lies behind it.
    pub(super) opaque: Vec<bool>,
    /// A cell that rises by more levels hides what lies behind it.
    pub(super) rise: Option<i16>,
}

/// The fields of view on one ground.
#[derive(Debug)]
struct Ground {
    /// The terrains of all cells. They are held, so that no others can come to lie in their place.
    terrains: Arc<[TerrainId]>,
    hiding: Hiding,
    /// What is seen from a cell so many steps far.
    fields: HashMap<(CellId, u32), CellSet>,
    /// How often it was of use lately.
    uses: u32,
}

/// What is seen from where, as long as the ground stays the same. It is for one board.
#[derive(Debug, Default)]
pub(crate) struct FieldsOfView {
    grounds: Vec<Ground>,
}

impl FieldsOfView {
    /// Adds what is seen from cells, each so many steps far, to a set. `find` finds what is not known yet.
    pub(super) fn add(
        &mut self,
        (terrains, hiding): (&Arc<[TerrainId]>, Hiding),
        looking: impl Iterator<Item = (CellId, u32)>,
        find: impl Fn(CellId, u32) -> CellSet,
        seen: &mut CellSet,
    ) {
        let ground = self.ground(terrains, hiding);
        let most = (MOST_BYTES / (seen.words().len() * size_of::<u64>() + 64)).max(1);
        for (cell, range) in looking {
            if ground.fields.len() >= most {
                ground.fields.clear();
            }
            let field = ground.fields.entry((cell, range)).or_insert_with(|| find(cell, range));
            seen.union_with(field);
        }
    }

    fn ground(&mut self, terrains: &Arc<[TerrainId]>, hiding: Hiding) -> &mut Ground {
        let is_known = |ground: &Ground| Arc::ptr_eq(&ground.terrains, terrains) && ground.hiding == hiding;
        let place = match self.grounds.iter().position(is_known) {
            Some(place) => place,
            None => {
                // The one that was of least use lately makes room.
                self.grounds.iter_mut().for_each(|ground| ground.uses /= 2);
                self.grounds.sort_by_key(|ground| std::cmp::Reverse(ground.uses));
                self.grounds.truncate(GROUNDS - 1);
                self.grounds.push(Ground {
                    terrains: Arc::clone(terrains),
                    hiding,
                    fields: HashMap::new(),
                    uses: 0,
                });
                self.grounds.len() - 1
            }
        };
        let ground = &mut self.grounds[place];
        ground.uses += 1;
        ground
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(known: &mut FieldsOfView, terrains: &Arc<[TerrainId]>, cells: &[u16], finds: &std::cell::Cell<u32>) -> Vec<u16> {
        let hiding = Hiding {
            opaque: vec![false],
            rise: None,
        };
        let find = |cell: CellId, range: u32| {
            finds.set(finds.get() + 1);
            CellSet::from_cells(100, [cell, CellId(cell.0 + range as u16)])
        };
        let mut seen = CellSet::empty(100);
        known.add((terrains, hiding), cells.iter().map(|cell| (CellId(*cell), 2)), find, &mut seen);
        seen.iter().map(|cell| cell.0).collect()
    }

    #[test]
    fn what_was_seen_is_found_once_as_long_as_the_ground_is_the_same() {
        let (mut known, finds) = (FieldsOfView::default(), std::cell::Cell::new(0));
        let ground: Arc<[TerrainId]> = vec![TerrainId(0); 100].into();
        assert_eq!(add(&mut known, &ground, &[1, 5], &finds), [1, 3, 5, 7]);
        assert_eq!(add(&mut known, &ground, &[5, 9], &finds), [5, 7, 9, 11]);
        assert_eq!(finds.get(), 3);
        // The same terrains elsewhere may be changed: they are another ground.
        let other: Arc<[TerrainId]> = vec![TerrainId(0); 100].into();
        add(&mut known, &other, &[5], &finds);
        assert_eq!(finds.get(), 4);
        // Those that are seen once make room for one another, and not for the ground that is looked at again and again.
        for _ in 0..20 {
            let passing: Arc<[TerrainId]> = vec![TerrainId(0); 100].into();
            add(&mut known, &passing, &[5], &finds);
            add(&mut known, &ground, &[5], &finds);
        }
        assert_eq!(finds.get(), 24);
        assert!(known.grounds.len() <= GROUNDS);
    }
}
