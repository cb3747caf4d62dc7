//! Two lists laid side by side.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

/// For each entry of the new list the position of the same entry in the old one, so that positions only rise: what is in both lists, as
/// nearly as can be found in n log n steps. `None` for what is new, or stands before what it stood behind.
///
/// ```
/// # use boardwright_content::align;
/// assert_eq!(align(&["a", "b", "c"], &["a", "x", "c"]), [Some(0), None, Some(2)]);
/// ```
pub fn align<T: Ord>(old: &[T], new: &[T]) -> Vec<Option<usize>> {
    let before = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (old.get(before..).unwrap_or_default(), new.get(before..).unwrap_or_default());
    let behind = old_rest
        .iter()
        .rev()
        .zip(new_rest.iter().rev())
        .take_while(|(old, new)| old == new)
        .count();
    let old_rest = old_rest.get(..old_rest.len() - behind).unwrap_or_default();
    let new_rest = new_rest.get(..new_rest.len() - behind).unwrap_or_default();
    let mut there: BTreeMap<&T, VecDeque<usize>> = BTreeMap::new();
    for (index, entry) in old_rest.iter().enumerate() {
        there.entry(entry).or_default().push_back(index + before);
    }
    let found = new_rest.iter().map(|entry| there.get_mut(entry)?.pop_front());
    let mut aligned: Vec<Option<usize>> = (0..before).map(Some).collect();
    aligned.extend(rising(found.collect()));
    aligned.extend((old.len() - behind..old.len()).map(Some));
    aligned
}

/// Keeps a longest sequence of rising positions.
fn rising(mut positions: Vec<Option<usize>>) -> Vec<Option<usize>> {
    // For each length of a rising sequence the index of its last position, the lowest there is; and which index came before each.
    let mut ends: Vec<(usize, usize)> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; positions.len()];
    for (index, position) in positions.iter().enumerate() {
        let Some(position) = *position else { continue };
        let length = ends.partition_point(|(end, _)| *end < position);
        if let (Some(slot), Some(earlier)) = (before.get_mut(index), length.checked_sub(1)) {
            *slot = ends.get(earlier).map(|(_, index)| *index);
        }
        ends.truncate(ends.len().max(length));
        match ends.get_mut(length) {
            Some(end) => *end = (position, index),
            None => ends.push((position, index)),
        }
    }
    let mut kept = vec![false; positions.len()];
    let mut at = ends.last().map(|(_, index)| *index);
    while let Some(index) = at {
        if let Some(slot) = kept.get_mut(index) {
            *slot = true;
        }
        at = before.get(index).copied().flatten();
    }
    for (position, is_kept) in positions.iter_mut().zip(kept) {
        *position = position.filter(|_| is_kept);
    }
    positions
}

/// Fills in what is between the positions of a list: `pair` is given a range of old and one of new positions, neither empty, between those
/// that are aligned, and says which belong together, as new and old positions, both rising.
pub(crate) fn pair_between(
    places: &mut [Option<usize>],
    old_count: usize,
    pair: impl Fn(&Range<usize>, &Range<usize>) -> Vec<(usize, usize)>,
) {
    let aligned: Vec<(usize, usize)> = places.iter().enumerate().filter_map(|(new, old)| Some((new, (*old)?))).collect();
    let (mut from_old, mut from_new) = (0, 0);
    for (new_end, old_end) in aligned.into_iter().chain([(places.len(), old_count)]) {
        let (old, new) = (from_old..old_end, from_new..new_end);
        if !old.is_empty() && !new.is_empty() {
            for (new, old) in pair(&old, &new) {
                if let Some(slot) = places.get_mut(new) {
                    *slot = Some(old);
                }
            }
        }
        (from_old, from_new) = (old_end + 1, new_end + 1);
    }
}

/// The pairs of two ranges whose entries have the same keys.
pub(crate) fn pairs_by_key<K: Ord>(
    (old, new): (&Range<usize>, &Range<usize>),
    old_key: impl FnMut(usize) -> K,
    new_key: impl FnMut(usize) -> K,
) -> Vec<(usize, usize)> {
    let old_keys: Vec<K> = old.clone().map(old_key).collect();
    let new_keys: Vec<K> = new.clone().map(new_key).collect();
    let found = align(&old_keys, &new_keys).into_iter().enumerate();
    found.filter_map(|(at, place)| Some((new.start + at, old.start + place?))).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_moved_is_new_and_the_most_stays() {
        let align = |old: &str, new: &str| align(&old.chars().collect::<Vec<_>>(), &new.chars().collect::<Vec<_>>());
        assert_eq!(align("abcd", "bcda"), [Some(1), Some(2), Some(3), None]);
        assert_eq!(align("aab", "ab"), [Some(0), Some(2)]);
        assert_eq!(align("", "a"), [None]);
    }

    proptest! {
        #[test]
        fn positions_rise_and_lead_to_the_same_entries(old in "[a-f]{0,12}", new in "[a-f]{0,12}") {
            let (old, new): (Vec<char>, Vec<char>) = (old.chars().collect(), new.chars().collect());
            let aligned = align(&old, &new);
            prop_assert_eq!(aligned.len(), new.len());
            prop_assert!(aligned.iter().flatten().is_sorted_by(|one, other| one < other));
            for (entry, position) in new.iter().zip(&aligned) {
                prop_assert!(position.is_none_or(|position| old[position] == *entry));
            }
        }
    }
}
