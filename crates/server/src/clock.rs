//! When computer players act: the pace, the pause, and the action that waits for its time.

use std::time::{Duration, Instant};

use boardwright_model::Action;

#[derive(Debug)]
pub(super) struct Clock {
    /// The least time between an action and the next one of a computer player.
    pub(super) pace: Duration,
    pub(super) is_paused: bool,
    last_action: Option<Instant>,
    scheduled: Option<(Instant, Action)>,
}

impl Clock {
    pub(super) fn new(pace: Duration, is_paused: bool) -> Self {
        Self {
            pace,
            is_paused,
            last_action: None,
            scheduled: None,
        }
    }

    pub(super) fn pace_milliseconds(&self) -> u64 {
        u64::try_from(self.pace.as_millis()).unwrap_or(u64::MAX)
    }

    /// The match has changed: the pace counts from now, and a scheduled action is dropped.
    pub(super) fn restart(&mut self) {
        self.last_action = Some(Instant::now());
        self.scheduled = None;
    }

    /// Schedules an action for the first moment that the pace allows.
    pub(super) fn schedule(&mut self, action: Action) {
        let earliest = self.last_action.map(|last| last + self.pace);
        self.scheduled = Some((earliest.unwrap_or_else(Instant::now), action));
    }

    pub(super) fn due(&self) -> Option<Instant> {
        self.scheduled.as_ref().map(|scheduled| scheduled.0)
    }

    pub(super) fn hasten(&mut self) {
        if let Some(scheduled) = &mut self.scheduled {
            scheduled.0 = Instant::now();
        }
    }

    pub(super) fn take_due(&mut self) -> Option<Action> {
        let due = self.scheduled.take_if(|scheduled| scheduled.0 <= Instant::now());
        due.map(|scheduled| scheduled.1)
    }
}
