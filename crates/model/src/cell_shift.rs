//! Sets of cells moved as a whole, word by word.

use super::CellSet;
use super::cell_set::WORD;

impl CellSet {
    /// Moves every member of `source & mask` by `delta` ids and adds the results.
    ///
    /// All three sets must have the same capacity, and every moved member must stay below it.
    #[inline]
    pub(super) fn union_with_shifted(&mut self, source: &Self, mask: &Self, delta: i32) {
        let masked = source.words.iter().zip(mask.words.iter()).map(|(word, mask)| word & mask);
        combine_shifted(&mut self.words, masked, delta, |mine, theirs| *mine |= theirs);
    }

    /// Moves every member of `source` by `delta` ids and adds those results that are in `mask`.
    ///
    /// All three sets must have the same capacity.
    #[inline]
    pub(super) fn union_with_shifted_onto(&mut self, source: &Self, mask: &Self, delta: i32) {
        union_shifted_onto(&mut self.words, &source.words, &mask.words, delta);
    }

    /// Keeps the members that are members of `source` moved by `delta` ids.
    ///
    /// Both sets must have the same capacity.
    #[inline]
    pub(super) fn intersect_with_shifted(&mut self, source: &Self, delta: i32) {
        combine_shifted(&mut self.words, source.words.iter().copied(), delta, |mine, theirs| *mine &= theirs);
    }

    /// The members moved up by `delta` ids, as far as they come to lie in `above`, and down by as many, as far as they come to lie in `below`.
    ///
    /// All three sets must have the same capacity.
    #[inline]
    pub(super) fn spread(&self, delta: u16, above: &Self, below: &Self) -> Self {
        let mut spread = Self::empty(self.capacity());
        let bits = usize::from(delta);
        if bits >= WORD {
            spread.union_with_shifted_onto(self, above, delta.into());
            spread.union_with_shifted_onto(self, below, -i32::from(delta));
            return spread;
        }
        let rest = WORD - 1 - bits;
        let mut words = self.words.iter().copied();
        let (mut lower, mut word) = (0, words.next().unwrap_or(0));
        for ((spread, above), below) in spread.words.iter_mut().zip(above.words.iter()).zip(below.words.iter()) {
            let higher = words.next().unwrap_or(0);
            let risen = (word << bits) | ((lower >> 1) >> rest);
            let fallen = (word >> bits) | ((higher << 1) << rest);
            *spread = (risen & above) | (fallen & below);
            (lower, word) = (word, higher);
        }
        spread
    }
}

/// Moves every bit of `source` by `delta` and adds to `out` those results that are in `mask`. All three have the same length.
#[inline]
pub(super) fn union_shifted_onto(out: &mut [u64], source: &[u64], mask: &[u64], delta: i32) {
    let (mut masks, source) = (mask.iter(), source.iter().copied());
    if delta >= 0 {
        combine_shifted(out, source, delta, |mine, theirs| {
            *mine |= theirs & masks.next().copied().unwrap_or(0);
        });
    } else {
        combine_shifted(out, source, delta, |mine, theirs| {
            *mine |= theirs & masks.next_back().copied().unwrap_or(0);
        });
    }
}

/// Calls `combine` for every word of `out` with the word of `source` moved by `delta` bits (towards higher cells if
/// positive, and then from the first word to the last, otherwise from the last to the first). Both have the same length.
#[inline]
fn combine_shifted(
    out: &mut [u64],
    mut source: impl DoubleEndedIterator<Item = u64> + ExactSizeIterator,
    delta: i32,
    mut combine: impl FnMut(&mut u64, u64),
) {
    let distance = delta.unsigned_abs() as usize;
    if let [word] = &mut *out {
        let from = source.next().unwrap_or(0);
        let moved = if delta >= 0 {
            from.checked_shl(delta.unsigned_abs())
        } else {
            from.checked_shr(delta.unsigned_abs())
        };
        combine(word, moved.unwrap_or(0));
        return;
    }
    let skipped = (distance / WORD).min(out.len());
    let bits = distance % WORD;
    let mut carry = 0;
    if delta >= 0 {
        let (before, after) = out.split_at_mut(skipped);
        for word in before {
            combine(word, 0);
        }
        for (word, from) in after.iter_mut().zip(source) {
            combine(word, (from << bits) | carry);
            carry = (from >> 1) >> (WORD - 1 - bits);
        }
    } else {
        let (before, after) = out.split_at_mut(out.len() - skipped);
        for word in after.iter_mut().rev() {
            combine(word, 0);
        }
        for (word, from) in before.iter_mut().rev().zip(source.rev()) {
            combine(word, (from >> bits) | carry);
            carry = (from << 1) << (WORD - 1 - bits);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::super::cell_set::tests::{cells, sets};
    use super::*;

    proptest! {
        #[test]
        fn shifts_move_every_member(a in sets(), mask in sets(), delta in -800_i32..800) {
            let capacity = a.capacity();
            let mask = mask.with_capacity(capacity);
            let moved = |set: &CellSet| -> BTreeSet<u16> {
                set.iter().map(|cell| i32::from(cell.0) + delta)
                    .filter(|&cell| cell >= 0 && cell < capacity as i32).map(|cell| cell as u16).collect()
            };
            let mut onto = CellSet::empty(capacity);
            onto.union_with_shifted_onto(&a, &mask, delta);
            prop_assert_eq!(cells(&onto), &moved(&a) & &cells(&mask));
            let mut both_ways = onto;
            both_ways.union_with_shifted_onto(&a, &mask.complement(), -delta);
            if let Ok(delta) = u16::try_from(delta) {
                prop_assert_eq!(a.spread(delta, &mask, &mask.complement()), both_ways);
            }
            let mut kept = mask.clone();
            kept.intersect_with_shifted(&a, delta);
            prop_assert_eq!(cells(&kept), &moved(&a) & &cells(&mask));
            let staying = CellSet::from_cells(capacity, mask.iter().filter(|cell| {
                let target = i32::from(cell.0) + delta;
                target >= 0 && target < capacity as i32
            }));
            let mut from = CellSet::empty(capacity);
            from.union_with_shifted(&a, &staying, delta);
            prop_assert_eq!(cells(&from), moved(&a.intersection(&staying)));
        }
    }
}
