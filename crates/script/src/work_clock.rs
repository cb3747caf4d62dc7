//! How long a thread has worked on something, as far as it was looked at.

use std::time::Duration;
#[cfg(not(target_family = "wasm"))]
use std::time::Instant;

#[cfg(not(target_family = "wasm"))]
use super::thread_clock::thread_nanoseconds;

/// The most time that counts between two looks without asking further. If more has passed, something native took long, or the system let other
/// programs run, or the machine slept: how long the thread has worked tells the one from the others.
#[cfg(not(target_family = "wasm"))]
const MOST_BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// Counts from its first look on the time in which the thread works. Where there is no clock, it stands still.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WorkClock {
    taken: Duration,
    #[cfg(not(target_family = "wasm"))]
    last: Option<Instant>,
    /// When more than [`MOST_BETWEEN_LOOKS`] had last passed between two looks: how long the thread had worked, in nanoseconds, and the time
    /// that counted.
    #[cfg(not(target_family = "wasm"))]
    thread: Option<(u64, Duration)>,
}

impl WorkClock {
    /// The time that has counted until the last look.
    pub(super) fn taken(&self) -> Duration {
        self.taken
    }

    /// The time that has counted until now.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn look(&mut self) -> Duration {
        let now = Instant::now();
        if let Some(last) = self.last {
            let passed = now.saturating_duration_since(last);
            self.taken = if passed <= MOST_BETWEEN_LOOKS {
                self.taken.saturating_add(passed)
            } else {
                self.taken_at_work(passed)
            };
        }
        self.last = Some(now);
        self.taken
    }

    /// The time that has counted until now: none.
    #[cfg(target_family = "wasm")]
    pub(super) fn look(&mut self) -> Duration {
        self.taken
    }

    /// Goes on now: what has passed since the last look does not count.
    pub(super) fn skip(&mut self) {
        #[cfg(not(target_family = "wasm"))]
        {
            self.last = self.last.map(|_| Instant::now());
            self.thread = None;
        }
    }

    #[cfg(not(target_family = "wasm"))]
    #[cold]
    fn taken_at_work(&mut self, passed: Duration) -> Duration {
        let least = self.taken.saturating_add(MOST_BETWEEN_LOOKS);
        let Some(now) = thread_nanoseconds() else { return least };
        let taken = match self.thread {
            None => least,
            Some((then, before)) => {
                let worked = before.saturating_add(Duration::from_nanos(now.saturating_sub(then)));
                worked.clamp(self.taken, self.taken.saturating_add(passed))
            }
        };
        self.thread = Some((now, taken));
        taken
    }
}
