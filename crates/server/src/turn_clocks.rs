//! The clocks of a match: how much time each seat has left, and whose is running.
//!
//! They know no clock of the machine: whoever asks says what time it is.

use std::time::{Duration, Instant};

use super::setup::ClockSetup;
use boardwright_model::{SeatId, SeatSet, TimeControl};

/// Where a match stands, as far as its clocks are concerned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TurnMoment {
    /// The number of the turn.
    pub(super) turn: u32,
    /// The seats whose turn it is.
    pub(super) owners: SeatSet,
    /// The seats that are to act, and whose time runs.
    pub(super) acting: SeatSet,
}

/// The clocks of all seats.
#[derive(Debug)]
pub(super) struct TurnClocks {
    control: TimeControl,
    /// Whether a computer player plays on for a seat whose time has run out; else it forfeits.
    plays_on: bool,
    /// The seats whose time has run out, and that are played on.
    played_on: SeatSet,
    /// What each seat had left when it was counted last.
    remaining: Vec<Duration>,
    /// When it was counted last.
    counted: Instant,
    moment: TurnMoment,
}

impl TurnClocks {
    /// Clocks of so many seats that stand still.
    pub(super) fn new(setup: &ClockSetup, seats: usize, moment: TurnMoment, now: Instant) -> Self {
        let stored = setup.remaining.iter().flatten();
        let mut remaining: Vec<Duration> = stored.map(|left| Duration::from_millis(*left)).collect();
        remaining.resize(seats, setup.control.initial());
        Self {
            control: setup.control,
            plays_on: setup.plays_on,
            played_on: SeatSet::EMPTY,
            remaining,
            counted: now,
            moment: TurnMoment {
                acting: SeatSet::EMPTY,
                ..moment
            },
        }
    }

    pub(super) fn control(&self) -> TimeControl {
        self.control
    }

    /// Whether a computer player plays on for a seat whose time has run out.
    pub(super) fn plays_on(&self) -> bool {
        self.plays_on
    }

    /// The seats whose time has run out, and that are played on.
    pub(super) fn played_on(&self) -> SeatSet {
        self.played_on
    }

    /// Has a computer player play on for a seat whose time has run out.
    pub(super) fn play_on(&mut self, seat: SeatId) {
        self.played_on = self.played_on.with(seat);
    }

    /// The seats whose time runs.
    pub(super) fn running(&self) -> SeatSet {
        self.moment.acting
    }

    /// What each seat has left.
    pub(super) fn remaining(&self, now: Instant) -> Vec<Duration> {
        let elapsed = now.saturating_duration_since(self.counted);
        let seats = self.remaining.iter().enumerate();
        let left = |(index, left): (usize, &Duration)| {
            let runs = self.running().contains(SeatId::from_index(index));
            if runs { left.saturating_sub(elapsed) } else { *left }
        };
        seats.map(left).collect()
    }

    /// When the time of a seat runs out, if nothing happens before.
    pub(super) fn due(&self) -> Option<Instant> {
        let running = self.running();
        let left = running.iter().filter_map(|seat| self.remaining.get(seat.index()));
        left.min().map(|left| self.counted + *left)
    }

    /// The seats whose time has run out.
    pub(super) fn out_of_time(&self, now: Instant) -> SeatSet {
        let left = self.remaining(now);
        let is_out = |seat: &SeatId| left.get(seat.index()).is_some_and(Duration::is_zero);
        self.running().iter().filter(is_out).collect()
    }

    /// Goes on from where the match stands now. Whether that is somewhere else.
    pub(super) fn follow(&mut self, moment: TurnMoment, now: Instant) -> bool {
        if moment == self.moment {
            return false;
        }
        self.remaining = self.remaining(now);
        self.counted = now;
        let before = std::mem::replace(&mut self.moment, moment);
        match self.control {
            TimeControl::Match { increment, .. } => {
                // Undone turns bring nothing.
                if moment.turn > before.turn {
                    for seat in before.owners.iter() {
                        self.change(seat, |left| *left += increment);
                    }
                }
            }
            TimeControl::Turn(time) => {
                // Who answers a question in the turn of another has a time for that; who asks goes on with its own.
                let is_other_turn = moment.turn != before.turn;
                let asked = moment.acting.iter().filter(|seat| !before.acting.contains(*seat));
                let fresh: Vec<SeatId> = asked.filter(|seat| is_other_turn || !moment.owners.contains(*seat)).collect();
                let again = moment.acting.iter().filter(|_| is_other_turn);
                for seat in fresh.into_iter().chain(again) {
                    self.change(seat, |left| *left = time);
                }
            }
        }
        true
    }

    fn change(&mut self, seat: SeatId, change: impl FnOnce(&mut Duration)) {
        if let Some(left) = self.remaining.get_mut(seat.index()) {
            change(left);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: SeatId = SeatId(0);
    const BLUE: SeatId = SeatId(1);

    fn turn(turn: u32, owner: SeatId, acting: SeatId) -> TurnMoment {
        TurnMoment {
            turn,
            owners: SeatSet::one(owner),
            acting: SeatSet::one(acting),
        }
    }

    fn seconds(clocks: &TurnClocks, now: Instant) -> Vec<u64> {
        clocks.remaining(now).iter().map(Duration::as_secs).collect()
    }

    fn setup(control: &str, remaining: Option<Vec<u64>>) -> ClockSetup {
        ClockSetup {
            control: control.parse().unwrap(),
            remaining,
            plays_on: false,
        }
    }

    fn clocks(control: &str, now: Instant) -> TurnClocks {
        let mut clocks = TurnClocks::new(&setup(control, None), 2, turn(1, RED, RED), now);
        clocks.follow(turn(1, RED, RED), now);
        clocks
    }

    #[test]
    fn only_the_clock_of_who_is_to_act_runs_and_a_turn_that_ends_brings_the_increment() {
        let begin = Instant::now();
        let at = |second| begin + Duration::from_secs(second);
        let mut clocks = clocks("60s+5s", begin);
        assert_eq!(seconds(&clocks, at(10)), [50, 60]);
        assert!(clocks.follow(turn(2, BLUE, BLUE), at(10)));
        assert!(!clocks.follow(turn(2, BLUE, BLUE), at(20)));
        assert_eq!(seconds(&clocks, at(30)), [55, 40]);
        assert_eq!(clocks.due(), Some(at(70)));
        assert_eq!(clocks.out_of_time(at(69)), SeatSet::EMPTY);
        assert_eq!(clocks.out_of_time(at(70)), SeatSet::one(BLUE));
    }

    #[test]
    fn a_question_in_the_turn_of_another_brings_no_increment() {
        let begin = Instant::now();
        let at = |second| begin + Duration::from_secs(second);
        let mut clocks = clocks("60s+5s", begin);
        clocks.follow(turn(1, RED, BLUE), at(10));
        clocks.follow(turn(1, RED, RED), at(14));
        assert_eq!(seconds(&clocks, at(14)), [50, 56]);
        clocks.follow(turn(2, BLUE, BLUE), at(20));
        assert_eq!(seconds(&clocks, at(20)), [49, 56]);
    }

    #[test]
    fn nothing_runs_while_nobody_is_to_act_and_undone_turns_bring_nothing() {
        let begin = Instant::now();
        let at = |second| begin + Duration::from_secs(second);
        let mut clocks = clocks("60s+5s", begin);
        let paused = TurnMoment {
            acting: SeatSet::EMPTY,
            ..turn(1, RED, RED)
        };
        clocks.follow(paused, at(10));
        assert_eq!((seconds(&clocks, at(500)), clocks.due()), (vec![50, 60], None));
        clocks.follow(turn(2, BLUE, BLUE), at(500));
        clocks.follow(turn(1, RED, RED), at(510));
        assert_eq!(seconds(&clocks, at(510)), [55, 50]);
    }

    #[test]
    fn a_time_for_each_turn_begins_again_with_it_and_not_with_a_question() {
        let begin = Instant::now();
        let at = |second| begin + Duration::from_secs(second);
        let mut clocks = clocks("30s/turn", begin);
        clocks.follow(turn(1, RED, BLUE), at(20));
        assert_eq!(seconds(&clocks, at(25)), [10, 25]);
        clocks.follow(turn(1, RED, RED), at(25));
        assert_eq!(seconds(&clocks, at(26)), [9, 25]);
        clocks.follow(turn(1, RED, BLUE), at(27));
        assert_eq!(seconds(&clocks, at(27)), [8, 30], "a question again");
        clocks.follow(turn(2, BLUE, BLUE), at(30));
        clocks.follow(turn(3, RED, RED), at(40));
        assert_eq!(seconds(&clocks, at(40)), [30, 20]);
    }

    #[test]
    fn clocks_that_were_stored_go_on_without_an_increment() {
        let begin = Instant::now();
        let at = |second| begin + Duration::from_secs(second);
        let stored = setup("60s+5s", Some(vec![7_000, 9_000]));
        let mut clocks = TurnClocks::new(&stored, 2, turn(4, BLUE, BLUE), begin);
        assert_eq!(clocks.due(), None);
        clocks.follow(turn(4, BLUE, BLUE), at(1000));
        assert_eq!(seconds(&clocks, at(1002)), [7, 7]);
    }
}
