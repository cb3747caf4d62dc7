//! At which ply of a simulation each action was played last, for the statistics of all moves as first.

use boardwright_model::SeatId;

/// Actions by seat and key, with the place at which they were played last. A small table without chains: of two actions that meet in
/// one place the later counts.
#[derive(Clone, Debug)]
pub(super) struct AmafTable {
    /// The round of notes, the seat and key, and the place.
    slots: Vec<(u32, u32, u32)>,
    round: u32,
}

impl Default for AmafTable {
    fn default() -> Self {
        Self {
            slots: vec![(0, 0, 0); Self::SIZE],
            round: 1,
        }
    }
}

impl AmafTable {
    const SIZE: usize = 1 << 12;

    pub(super) fn clear(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.slots.fill((0, 0, 0));
            self.round = 1;
        }
    }

    fn code(seat: SeatId, key: u32) -> u32 {
        (key ^ u32::from(seat.0).wrapping_mul(0x85eb_ca6b)).wrapping_mul(0x9e37_79b1)
    }

    fn place(code: u32) -> usize {
        (code >> 20) as usize % Self::SIZE
    }

    /// Notes that a seat played an action at a place.
    pub(super) fn note(&mut self, seat: SeatId, key: u32, place: usize) {
        let code = Self::code(seat, key);
        if let Some(slot) = self.slots.get_mut(Self::place(code)) {
            *slot = (self.round, code, place as u32);
        }
    }

    /// Whether a seat played an action at a place or later.
    pub(super) fn has_since(&self, seat: SeatId, key: u32, place: usize) -> bool {
        let code = Self::code(seat, key);
        let slot = self.slots.get(Self::place(code));
        slot.is_some_and(|(round, noted, at)| *round == self.round && *noted == code && *at as usize >= place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_time_counts_and_each_seat_by_itself() {
        let mut amaf = AmafTable::default();
        amaf.note(SeatId(0), 77, 3);
        amaf.note(SeatId(0), 77, 9);
        assert!(amaf.has_since(SeatId(0), 77, 9) && !amaf.has_since(SeatId(0), 77, 10));
        assert!(!amaf.has_since(SeatId(1), 77, 0) && !amaf.has_since(SeatId(0), 78, 0));
        amaf.clear();
        assert!(!amaf.has_since(SeatId(0), 77, 0));
    }
}
