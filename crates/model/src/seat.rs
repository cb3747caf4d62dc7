//! Sets of seats.

use serde::{Deserialize, Serialize};

use super::SeatId;

/// A set of seats. A match has at most 32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "Vec<SeatId>", into = "Vec<SeatId>")]
pub struct SeatSet(u32);

impl SeatSet {
    /// No seat.
    pub const EMPTY: Self = Self(0);

    /// The most seats a match may have.
    pub const MOST: usize = 32;

    /// One seat alone.
    #[inline]
    pub fn one(seat: SeatId) -> Self {
        Self::EMPTY.with(seat)
    }

    /// The first `count` seats.
    #[inline]
    pub fn first_seats(count: usize) -> Self {
        let left_out = Self::MOST.saturating_sub(count) as u32;
        Self(u32::MAX.checked_shr(left_out).unwrap_or(0))
    }

    /// This set and one more seat. Seats past the 32nd are ignored.
    #[must_use]
    #[inline]
    pub fn with(self, seat: SeatId) -> Self {
        Self(self.0 | 1u32.checked_shl(u32::from(seat.0)).unwrap_or(0))
    }

    /// This set but for one seat.
    #[must_use]
    pub fn without(self, seat: SeatId) -> Self {
        Self(self.0 & !Self::one(seat).0)
    }

    /// This set with or without one seat.
    #[must_use]
    pub(super) fn put(self, seat: SeatId, is_in: bool) -> Self {
        if is_in { self.with(seat) } else { self.without(seat) }
    }

    /// Whether the seat is in the set.
    #[inline]
    pub fn contains(self, seat: SeatId) -> bool {
        self.0 & Self::one(seat).0 != 0
    }

    /// Whether no seat is in the set.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many seats are in the set.
    pub fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The lowest seat of the set.
    #[inline]
    pub fn first(self) -> Option<SeatId> {
        (!self.is_empty()).then(|| SeatId::from_index(self.0.trailing_zeros() as usize))
    }

    /// The seats in rising order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = SeatId> {
        let mut left = self;
        std::iter::from_fn(move || {
            let first = left.first()?;
            left.0 &= left.0 - 1;
            Some(first)
        })
    }

    /// The bits, lowest seat first, for digests.
    pub(super) fn bits(self) -> u32 {
        self.0
    }
}

impl FromIterator<SeatId> for SeatSet {
    fn from_iter<I: IntoIterator<Item = SeatId>>(seats: I) -> Self {
        seats.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl From<Vec<SeatId>> for SeatSet {
    fn from(seats: Vec<SeatId>) -> Self {
        seats.into_iter().collect()
    }
}

impl From<SeatSet> for Vec<SeatId> {
    fn from(seats: SeatSet) -> Self {
        seats.iter().collect()
    }
}
