//! How long a message to a server and its answer take.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a ping and its pong take, measured again and again by one thread and read by another.
#[derive(Debug, Default)]
pub(super) struct RoundTrip(Mutex<Measured>);

#[derive(Clone, Copy, Debug, Default)]
struct Measured {
    latest: Option<Duration>,
    /// When the ping was sent that is not answered.
    asked: Option<Instant>,
}

impl RoundTrip {
    fn measured(&self) -> MutexGuard<'_, Measured> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A ping was sent.
    pub(super) fn asked(&self, now: Instant) {
        self.measured().asked = Some(now);
    }

    /// It was answered.
    pub(super) fn answered(&self, now: Instant) {
        let mut measured = self.measured();
        if let Some(asked) = measured.asked.take() {
            measured.latest = Some(now.saturating_duration_since(asked));
        }
    }

    /// Whether a ping is not answered.
    pub(super) fn is_open(&self) -> bool {
        self.measured().asked.is_some()
    }

    /// What was measured last, or how long an answer has been waited for if that is longer.
    pub(super) fn get(&self, now: Instant) -> Option<Duration> {
        let Measured { latest, asked } = *self.measured();
        let waited = asked.map(|asked| now.saturating_duration_since(asked));
        latest.map(|latest| waited.map_or(latest, |waited| waited.max(latest)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_is_overdue_counts_as_long_as_it_is_waited_for() {
        let begin = Instant::now();
        let at = |milliseconds| begin + Duration::from_millis(milliseconds);
        let shown = |milliseconds| Some(Duration::from_millis(milliseconds));
        let trip = RoundTrip::default();
        trip.asked(begin);
        assert_eq!(trip.get(at(10)), None);
        trip.answered(at(40));
        assert_eq!(trip.get(at(5_000)), shown(40));
        trip.asked(at(10_000));
        assert_eq!((trip.get(at(10_020)), trip.get(at(12_000))), (shown(40), shown(2_000)));
        trip.answered(at(12_500));
        assert!(!trip.is_open());
        assert_eq!(trip.get(at(20_000)), shown(2_500));
    }
}
