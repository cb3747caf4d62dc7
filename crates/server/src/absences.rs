//! People who are gone from a match: since when, and after how long a computer player plays for them.
//!
//! As with the clocks, whoever asks says what time it is.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use boardwright_model::{SeatId, SeatSet};

/// The people who are gone.
#[derive(Debug, Default)]
pub(super) struct Absences {
    /// How long they may be gone; without it as long as they like.
    grace: Option<Duration>,
    since: BTreeMap<SeatId, Instant>,
    /// Those whose time to come back is over.
    overdue: SeatSet,
}

impl Absences {
    pub(super) fn new(grace: Option<Duration>) -> Self {
        Self { grace, ..Self::default() }
    }

    /// How long people may be gone; `None` if as long as they like.
    pub(super) fn grace(&self) -> Option<Duration> {
        self.grace
    }

    /// Whether somebody is waited for, and not for ever.
    pub(super) fn has_limit(&self) -> bool {
        self.grace.is_some() && self.since.keys().any(|seat| !self.overdue.contains(*seat))
    }

    /// The seats whose people are gone.
    pub(super) fn gone(&self) -> SeatSet {
        self.since.keys().copied().collect()
    }

    /// Those of them that have been gone for too long.
    pub(super) fn overdue(&self) -> SeatSet {
        self.overdue
    }

    /// Takes note of who is gone now. Whether that, or who has been gone for too long, has changed.
    pub(super) fn follow(&mut self, gone: SeatSet, now: Instant) -> bool {
        let before = (self.gone(), self.overdue);
        self.since.retain(|seat, _| gone.contains(*seat));
        for seat in gone.iter() {
            self.since.entry(seat).or_insert(now);
        }
        let is_overdue = |(seat, since): (&SeatId, &Instant)| {
            let is_over = self.grace.is_some_and(|grace| *since + grace <= now);
            (is_over || self.overdue.contains(*seat)).then_some(*seat)
        };
        self.overdue = self.since.iter().filter_map(is_overdue).collect();
        before != (self.gone(), self.overdue)
    }

    /// When somebody will have been gone for too long.
    pub(super) fn due(&self) -> Option<Instant> {
        let waited_for = self.since.iter().filter(|(seat, _)| !self.overdue.contains(**seat));
        Some(waited_for.map(|(_, since)| *since).min()? + self.grace?)
    }

    /// Waits for as long again for all that are waited for.
    pub(super) fn wait_on(&mut self, now: Instant) {
        for (seat, since) in &mut self.since {
            if !self.overdue.contains(*seat) {
                *since = now;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: SeatId = SeatId(0);
    const BLUE: SeatId = SeatId(1);

    #[test]
    fn who_is_gone_for_too_long_is_overdue_until_they_come_back() {
        let begin = Instant::now();
        let at = |second| begin + Duration::from_secs(second);
        let mut absences = Absences::new(Some(Duration::from_mins(1)));
        assert!(!absences.follow(SeatSet::EMPTY, begin));
        assert!(absences.follow(SeatSet::one(RED), begin));
        assert!(!absences.follow(SeatSet::one(RED), at(59)));
        assert_eq!((absences.overdue(), absences.due()), (SeatSet::EMPTY, Some(at(60))));
        assert!(absences.follow(SeatSet::one(RED).with(BLUE), at(60)));
        assert_eq!((absences.overdue(), absences.due()), (SeatSet::one(RED), Some(at(120))));
        assert!(absences.follow(SeatSet::one(BLUE), at(61)));
        assert_eq!((absences.overdue(), absences.gone()), (SeatSet::EMPTY, SeatSet::one(BLUE)));
    }

    #[test]
    fn waiting_on_begins_the_time_again_but_brings_nobody_back() {
        let begin = Instant::now();
        let at = |second| begin + Duration::from_secs(second);
        let mut absences = Absences::new(Some(Duration::from_mins(1)));
        absences.follow(SeatSet::one(RED), begin);
        absences.wait_on(at(50));
        absences.follow(SeatSet::one(RED), at(100));
        assert!(absences.overdue().is_empty() && absences.has_limit());
        absences.follow(SeatSet::one(RED), at(110));
        absences.wait_on(at(111));
        absences.follow(SeatSet::one(RED), at(112));
        assert_eq!(absences.overdue(), SeatSet::one(RED));
        assert!(!absences.has_limit());
    }

    #[test]
    fn without_a_limit_they_are_waited_for_for_ever() {
        let begin = Instant::now();
        let mut absences = Absences::new(None);
        absences.follow(SeatSet::one(RED), begin);
        absences.follow(SeatSet::one(RED), begin + Duration::from_hours(1000));
        assert!(absences.overdue().is_empty() && absences.due().is_none() && !absences.has_limit());
    }
}
