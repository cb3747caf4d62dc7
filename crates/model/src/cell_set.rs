//! Sets of cells as bits: whole-board questions cost a few machine words instead of a loop over cells.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::CellId;
use super::set_words::SetWords;

pub(super) const WORD: usize = u64::BITS as usize;
/// No board is larger than what a [`CellId`] can point at.
const LARGEST: usize = CellId::from_index(usize::MAX).index() + 1;

/// A set of the cells `0..capacity` of one board.
///
/// Cells past the capacity are never members: inserting one changes nothing. Two sets of different capacity may be
/// combined; cells that one of them cannot hold count as missing from it. Sets are equal if both members and capacity
/// are. No operation panics. Boards of up to 512 cells need no memory outside the value itself.
///
/// ```
/// use boardwright_model::{CellId, CellSet};
///
/// let corners = CellSet::from_cells(64, [0, 7, 56, 63].map(CellId));
/// let top_row = CellSet::from_cells(64, (0..8).map(CellId));
/// assert_eq!(corners.intersection(&top_row).iter().collect::<Vec<_>>(), [CellId(0), CellId(7)]);
/// assert_eq!(corners.complement().count(), 60);
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellSet {
    capacity: u32,
    /// As many words as the capacity needs; bits past the capacity are zero.
    pub(super) words: SetWords,
}

impl CellSet {
    /// The set without members.
    ///
    /// Capacities past what a [`CellId`] can point at (65,536) are cut down to that.
    #[inline]
    pub fn empty(capacity: usize) -> Self {
        let capacity = capacity.min(LARGEST);
        Self {
            capacity: capacity as u32,
            words: SetWords::zeros(capacity.div_ceil(WORD)),
        }
    }

    /// The set of all cells `0..capacity`.
    pub fn full(capacity: usize) -> Self {
        let mut set = Self::empty(capacity);
        set.words.fill(u64::MAX);
        set.clear_tail();
        set
    }

    /// The set of the given cells; those past the capacity are left out.
    pub fn from_cells(capacity: usize, cells: impl IntoIterator<Item = CellId>) -> Self {
        let mut set = Self::empty(capacity);
        for cell in cells {
            set.insert(cell);
        }
        set
    }

    /// The set of the cells for which there is a flag that is set: as many cells as there are flags, in their order.
    pub(super) fn from_flags(flags: impl ExactSizeIterator<Item = bool>) -> Self {
        let mut set = Self::empty(flags.len());
        let mut flags = flags;
        for word in set.words.iter_mut() {
            for (bit, flag) in flags.by_ref().take(WORD).enumerate() {
                *word |= u64::from(flag) << bit;
            }
        }
        set
    }

    /// The number of cells of the board the set belongs to.
    pub const fn capacity(&self) -> usize {
        self.capacity as usize
    }

    /// Adds a cell. `true` if it was not a member before and is now.
    #[inline]
    pub fn insert(&mut self, cell: CellId) -> bool {
        let (word, bit) = place(cell);
        if cell.index() >= self.capacity() {
            return false;
        }
        self.words.get_mut(word).is_some_and(|word| {
            let is_new = *word & bit == 0;
            *word |= bit;
            is_new
        })
    }

    /// Takes a cell out. `true` if it was a member.
    #[inline]
    pub fn remove(&mut self, cell: CellId) -> bool {
        let (word, bit) = place(cell);
        self.words.get_mut(word).is_some_and(|word| {
            let was_member = *word & bit != 0;
            *word &= !bit;
            was_member
        })
    }

    /// Whether the cell is a member.
    #[inline]
    pub fn contains(&self, cell: CellId) -> bool {
        let (word, bit) = place(cell);
        self.words.word(word) & bit != 0
    }

    /// The number of members.
    #[inline]
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there are no members.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The member with the smallest id.
    #[inline]
    pub fn first(&self) -> Option<CellId> {
        self.iter().next()
    }

    /// The members in the order of their ids.
    #[inline]
    pub fn iter(&self) -> Cells<'_> {
        Cells::of(&self.words)
    }

    /// The cells in either set. The capacity is the larger of the two.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let (mut wide, narrow) = widest(self, other);
        wide.union_with(narrow);
        wide
    }

    /// The cells in both sets. The capacity is the larger of the two.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let (mut wide, narrow) = widest(self, other);
        wide.intersect_with(narrow);
        wide
    }

    /// The cells of this set that are not in the other. The capacity is this set's.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        let mut set = self.clone();
        set.subtract(other);
        set
    }

    /// The cells `0..capacity` that are not members.
    ///
    /// On a board with holes this includes the holes; [`Board::complement`](super::Board::complement) does not.
    #[must_use]
    pub fn complement(&self) -> Self {
        let mut set = self.clone();
        for word in set.words.iter_mut() {
            *word = !*word;
        }
        set.clear_tail();
        set
    }

    /// Adds the members of the other set; the capacity grows to the other's if that is larger.
    #[inline]
    pub fn union_with(&mut self, other: &Self) {
        self.grow(other.capacity);
        self.words.combine(&other.words, |mine, theirs| mine | theirs);
    }

    /// Keeps only the members that are in the other set too; the capacity grows to the other's if that is larger.
    #[inline]
    pub fn intersect_with(&mut self, other: &Self) {
        self.grow(other.capacity);
        self.words.combine(&other.words, |mine, theirs| mine & theirs);
    }

    /// Takes the members of the other set out. The capacity stays.
    #[inline]
    pub fn subtract(&mut self, other: &Self) {
        self.words.combine(&other.words, |mine, theirs| mine & !theirs);
    }

    /// Whether every member is in the other set too.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.words
            .iter()
            .enumerate()
            .all(|(at, word)| word & !other.words.get(at).copied().unwrap_or(0) == 0)
    }

    /// Whether the sets have a member in common.
    #[inline]
    pub fn intersects(&self, other: &Self) -> bool {
        self.words.iter().zip(other.words.iter()).any(|(mine, theirs)| mine & theirs != 0)
    }

    /// The words of the set, lowest cells in the lowest bits of the first word: for digests.
    #[inline]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The same members with another capacity; those past it are left out.
    #[must_use]
    pub(super) fn with_capacity(&self, capacity: usize) -> Self {
        let mut set = Self::empty(capacity);
        for (mine, theirs) in set.words.iter_mut().zip(self.words.iter()) {
            *mine = *theirs;
        }
        set.clear_tail();
        set
    }

    fn grow(&mut self, capacity: u32) {
        if capacity > self.capacity {
            self.capacity = capacity;
            self.words.grow(self.capacity().div_ceil(WORD));
        }
    }

    fn clear_tail(&mut self) {
        let used = self.capacity() % WORD;
        if used != 0
            && let Some(last) = self.words.last_mut()
        {
            *last &= (1 << used) - 1;
        }
    }
}

#[inline]
fn place(cell: CellId) -> (usize, u64) {
    (cell.index() / WORD, 1 << (cell.index() % WORD))
}

/// A copy of the set with the larger capacity, and the other set.
fn widest<'a>(a: &'a CellSet, b: &'a CellSet) -> (CellSet, &'a CellSet) {
    if a.capacity >= b.capacity { (a.clone(), b) } else { (b.clone(), a) }
}

/// The members of a [`CellSet`] in the order of their ids.
#[derive(Clone, Debug)]
pub struct Cells<'a> {
    /// What is left of the current word.
    word: u64,
    /// The first cell after the current word.
    base: u32,
    rest: std::slice::Iter<'a, u64>,
}

impl<'a> Cells<'a> {
    /// The cells whose bits are set in some [words](CellSet::words).
    #[inline]
    pub fn of(words: &'a [u64]) -> Self {
        Self {
            word: 0,
            base: 0,
            rest: words.iter(),
        }
    }
}

impl Iterator for Cells<'_> {
    type Item = CellId;

    #[inline]
    fn next(&mut self) -> Option<CellId> {
        while self.word == 0 {
            self.word = *self.rest.next()?;
            self.base += u64::BITS;
        }
        let bit = self.word.trailing_zeros();
        self.word &= self.word - 1;
        Some(CellId((self.base - u64::BITS + bit) as u16))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.rest.clone().map(|word| word.count_ones() as usize).sum::<usize>() + self.word.count_ones() as usize;
        (count, Some(count))
    }
}

impl std::iter::FusedIterator for Cells<'_> {}
impl ExactSizeIterator for Cells<'_> {}

impl<'a> IntoIterator for &'a CellSet {
    type Item = CellId;
    type IntoIter = Cells<'a>;

    #[inline]
    fn into_iter(self) -> Cells<'a> {
        self.iter()
    }
}

impl Extend<CellId> for CellSet {
    fn extend<I: IntoIterator<Item = CellId>>(&mut self, cells: I) {
        for cell in cells {
            self.insert(cell);
        }
    }
}

impl fmt::Debug for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CellSet/{}", self.capacity)?;
        f.debug_set().entries(self.iter().map(|cell| cell.0)).finish()
    }
}

/// What a set looks like in text: its members in order.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CellSetText {
    capacity: u32,
    cells: Vec<CellId>,
}

impl Serialize for CellSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        CellSetText {
            capacity: self.capacity,
            cells: self.iter().collect(),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for CellSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = CellSetText::deserialize(deserializer)?;
        let capacity = text.capacity as usize;
        if capacity > LARGEST {
            return Err(D::Error::custom(format_args!("a set of cells cannot have capacity {capacity}")));
        }
        if let Some(cell) = text.cells.iter().find(|cell| cell.index() >= capacity) {
            return Err(D::Error::custom(format_args!("cell {} is past the capacity {capacity}", cell.0)));
        }
        Ok(Self::from_cells(capacity, text.cells))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    pub(in super::super) fn cells(set: &CellSet) -> BTreeSet<u16> {
        set.iter().map(|cell| cell.0).collect()
    }

    prop_compose! {
        pub(in super::super) fn sets()(capacity in 0_usize..700)(
            cells in prop::collection::vec(0..(capacity.max(1) as u16), 0..60), capacity in Just(capacity),
        ) -> CellSet {
            CellSet::from_cells(capacity, cells.into_iter().map(CellId))
        }
    }

    #[test]
    fn cells_out_of_range_are_ignored() {
        let mut set = CellSet::empty(70);
        assert!(set.insert(CellId(69)));
        assert!(!set.insert(CellId(69)));
        assert!(!set.insert(CellId(70)));
        assert!(!set.insert(CellId(u16::MAX)));
        assert!(!set.remove(CellId(127)));
        assert!(!set.contains(CellId(70)));
        assert_eq!(cells(&set), [69].into());
        assert_eq!(CellSet::full(70).count(), 70);
        assert_eq!(CellSet::empty(0).complement(), CellSet::empty(0));
        assert_eq!(CellSet::full(usize::MAX).count(), 65_536);
    }

    #[test]
    fn text_form_lists_members_and_refuses_strangers() {
        let set = CellSet::from_cells(100, [64, 3].map(CellId));
        let text = serde_json::to_string(&set).unwrap();
        assert_eq!(text, r#"{"capacity":100,"cells":[3,64]}"#);
        assert_eq!(serde_json::from_str::<CellSet>(&text).unwrap(), set);
        assert!(serde_json::from_str::<CellSet>(r#"{"capacity":3,"cells":[3]}"#).is_err());
        assert!(serde_json::from_str::<CellSet>(r#"{"capacity":4000000,"cells":[]}"#).is_err());
    }

    #[test]
    fn boards_of_512_cells_stay_in_the_value() {
        assert!(matches!(CellSet::full(512).words, SetWords::InPlace(..)));
        assert!(size_of::<CellSet>() <= 80);
    }

    proptest! {
        #[test]
        fn operations_agree_with_ordered_sets(a in sets(), b in sets()) {
            let (x, y) = (cells(&a), cells(&b));
            prop_assert_eq!(cells(&a.union(&b)), &x | &y);
            prop_assert_eq!(cells(&a.intersection(&b)), &x & &y);
            prop_assert_eq!(cells(&a.difference(&b)), &x - &y);
            prop_assert_eq!(a.is_subset(&b), x.is_subset(&y));
            prop_assert_eq!(a.intersects(&b), !x.is_disjoint(&y));
            prop_assert_eq!(a.count(), x.len());
            prop_assert_eq!(a.iter().len(), x.len());
            prop_assert_eq!(a.is_empty(), x.is_empty());
            prop_assert_eq!(a.first().map(|cell| cell.0), x.first().copied());
            for cell in 0..750 {
                prop_assert_eq!(a.contains(CellId(cell)), x.contains(&cell));
            }
        }

        #[test]
        fn laws_of_set_algebra_hold(a in sets(), b in sets(), c in sets()) {
            prop_assert_eq!(a.union(&b), b.union(&a));
            prop_assert_eq!(a.intersection(&b), b.intersection(&a));
            prop_assert_eq!(a.union(&b).union(&c), a.union(&b.union(&c)));
            prop_assert_eq!(cells(&a.intersection(&b.union(&c))), cells(&a.intersection(&b).union(&a.intersection(&c))));
            prop_assert_eq!(a.complement().complement(), a.clone());
            prop_assert!(!a.complement().intersects(&a));
            prop_assert_eq!(a.complement().union(&a), CellSet::full(a.capacity()));
            let (wide, narrow) = (a.with_capacity(700), b.with_capacity(700));
            prop_assert_eq!(wide.union(&narrow).complement(), wide.complement().intersection(&narrow.complement()));
        }

        #[test]
        fn operations_in_place_agree_with_those_that_copy(a in sets(), b in sets()) {
            let mut set = a.clone();
            set.union_with(&b);
            prop_assert_eq!(&set, &a.union(&b));
            set = a.clone();
            set.intersect_with(&b);
            prop_assert_eq!(&set, &a.intersection(&b));
            set = a.clone();
            set.subtract(&b);
            prop_assert_eq!(&set, &a.difference(&b));
        }

        #[test]
        fn text_form_keeps_the_set(a in sets()) {
            let text = serde_json::to_string(&a).unwrap();
            prop_assert_eq!(serde_json::from_str::<CellSet>(&text).unwrap(), a);
        }
    }
}
