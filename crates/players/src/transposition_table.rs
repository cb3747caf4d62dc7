//! The transposition table: what a search has found out about positions, in a fixed amount of memory.

/// What a kept value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is the value.
    Exact,
    /// The value is this or more.
    AtLeast,
    /// The value is this or less.
    AtMost,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The value found, for the acting seat, with ends counted from the position itself.
    pub(super) value: i32,
    pub(super) bound: Bound,
    /// How many actions ahead was looked.
    pub(super) depth: u8,
    /// Whether everything below was looked at to the end of the match, so that looking further ahead changes nothing.
    pub(super) is_whole: bool,
    /// The key of the best action; 0 if none is known.
    pub(super) action: u32,
}

/// Positions with what is known about them. When a place is needed the shallowest and oldest of four is given up.
///
/// Scores of positions are kept beside the values, as entries of their own: leaves need a score alone.
#[derive(Clone, Debug)]
pub(super) struct TranspositionTable {
    /// Key, value, and the rest: action (32 bits), depth (8), sort (7), wholeness (1), age (8). All zero when empty, so that memory
    /// that was never used is never touched.
    slots: Vec<[u64; 3]>,
    age: u8,
}

const NO_SORT: u64 = 0;
const SCORE: u64 = 4;
const WHOLE: u64 = 1 << 47;

impl TranspositionTable {
    /// Slots that are looked at for one key.
    const BUCKET: usize = 4;

    /// A table that takes at most so many megabytes (2^20 bytes).
    pub(super) fn new(megabytes: usize) -> Self {
        Self::for_entries(megabytes, u64::MAX)
    }

    /// A table that takes at most so many megabytes, and no more than serves so many entries. One that is larger than what is kept in it
    /// is slower: every entry would stand on a page of memory of its own.
    pub(super) fn for_entries(megabytes: usize, entries: u64) -> Self {
        let bytes = megabytes.saturating_mul(1 << 20);
        let wanted = usize::try_from(entries).unwrap_or(usize::MAX);
        let slots = (bytes / size_of::<[u64; 3]>()).min(wanted).max(Self::BUCKET);
        Self {
            slots: vec![[0; 3]; slots / Self::BUCKET * Self::BUCKET],
            age: 0,
        }
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<[u64; 3]>()
    }

    pub(super) fn clear(&mut self) {
        self.slots = vec![[0; 3]; self.slots.len()];
        self.age = 0;
    }

    /// Begins another search: what earlier ones found is given up sooner.
    pub(super) fn grow_older(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    fn bucket(&self, key: u64) -> usize {
        let buckets = (self.slots.len() / Self::BUCKET) as u128;
        ((u128::from(key) * buckets) >> 64) as usize * Self::BUCKET
    }

    fn find_slot(&self, key: u64, is_score: bool) -> Option<&[u64; 3]> {
        let start = self.bucket(key);
        let bucket = self.slots.get(start..start + Self::BUCKET)?;
        bucket
            .iter()
            .find(|[found, _, rest]| *found == key && matches_sort(*rest, is_score))
    }

    pub(super) fn find(&self, key: u64) -> Option<Entry> {
        let [_, value, rest] = self.find_slot(key, false)?;
        Some(Entry {
            value: *value as i32,
            bound: match sort(*rest) {
                1 => Bound::Exact,
                2 => Bound::AtLeast,
                _ => Bound::AtMost,
            },
            depth: (rest >> 32) as u8,
            is_whole: rest & WHOLE != 0,
            action: *rest as u32,
        })
    }

    pub(super) fn keep(&mut self, key: u64, entry: Entry) {
        let sort = match entry.bound {
            Bound::Exact => 1,
            Bound::AtLeast => 2,
            Bound::AtMost => 3,
        };
        let whole = if entry.is_whole { WHOLE } else { 0 };
        let rest = u64::from(entry.action) | (u64::from(entry.depth) << 32) | (sort << 40) | whole;
        self.put(key, entry.value, rest);
    }

    pub(super) fn score(&self, key: u64) -> Option<i32> {
        self.find_slot(key, true).map(|[_, value, _]| *value as i32)
    }

    pub(super) fn keep_score(&mut self, key: u64, score: i32) {
        self.put(key, score, SCORE << 40);
    }

    fn put(&mut self, key: u64, value: i32, rest: u64) {
        let age = self.age;
        let start = self.bucket(key);
        let Some(bucket) = self.slots.get_mut(start..start + Self::BUCKET) else {
            return;
        };
        let is_score = sort(rest) == SCORE;
        let rank = |[found, _, rest]: &[u64; 3]| {
            if *found == key && matches_sort(*rest, is_score) {
                return (0, 0);
            }
            if sort(*rest) == NO_SORT {
                return (1, 0);
            }
            let years = u64::from(age.wrapping_sub((rest >> 48) as u8));
            (2, (256 + ((rest >> 32) & 0xff)).saturating_sub(years * 8))
        };
        let Some(place) = bucket.iter_mut().min_by_key(|slot| rank(slot)) else {
            return;
        };
        let known_action = if place[0] == key && rest as u32 == 0 {
            place[2] & 0xffff_ffff
        } else {
            0
        };
        *place = [key, u64::from(value as u32), rest | known_action | (u64::from(age) << 48)];
    }
}

fn sort(rest: u64) -> u64 {
    (rest >> 40) & 0x7f
}

fn matches_sort(rest: u64, is_score: bool) -> bool {
    let sort = sort(rest);
    sort != NO_SORT && (sort == SCORE) == is_score
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(value: i32, depth: u8) -> Entry {
        Entry {
            value,
            bound: Bound::AtLeast,
            depth,
            is_whole: depth > 5,
            action: 7,
        }
    }

    #[test]
    fn what_is_kept_is_found_again() {
        let mut table = TranspositionTable::new(1);
        table.keep(99, entry(-5, 3));
        table.keep_score(99, -123_456);
        assert_eq!(table.find(99), Some(entry(-5, 3)));
        assert_eq!((table.score(99), table.score(98), table.find(98)), (Some(-123_456), None, None));
        table.keep(99, Entry { action: 0, ..entry(6, 4) });
        assert_eq!(table.find(99), Some(entry(6, 4)), "the best action stays known");
        table.clear();
        assert_eq!((table.find(99), table.score(99)), (None, None));
    }

    #[test]
    fn memory_is_bounded_however_much_is_kept() {
        let mut table = TranspositionTable::new(1);
        for key in 0..200_000u64 {
            table.keep(key.wrapping_mul(0x9e37_79b9_7f4a_7c15), entry(1, 1));
        }
        assert!(table.bytes() <= 1 << 20, "{}", table.bytes());
        assert!(TranspositionTable::new(0).bytes() < 200);
    }

    #[test]
    fn deep_results_outlast_shallow_ones_and_old_ones_go_first() {
        let mut table = TranspositionTable::new(0);
        table.keep(1, entry(0, 9));
        for key in 2..50 {
            table.keep(key, entry(0, 1));
        }
        assert_eq!(table.find(1), Some(entry(0, 9)));
        for _ in 0..20 {
            table.grow_older();
        }
        for key in 50..54 {
            table.keep(key, entry(0, 1));
        }
        assert_eq!(table.find(1), None);
    }
}
