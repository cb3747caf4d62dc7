//! The clocks of a match, between two reports of the host.

use std::time::{Duration, Instant};

use boardwright_model::{SeatId, SeatSet, TimeControl};

/// The clocks of a match, as the host told of them last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// How much time seats have.
    pub control: TimeControl,
    /// The seats whose time runs.
    pub running: SeatSet,
    remaining: Vec<Option<Duration>>,
    received: Instant,
}

impl Clocks {
    /// Clocks of which the host told at a moment: what each seat has left, in milliseconds; `None` for computer players.
    pub fn new(control: TimeControl, remaining: &[Option<u64>], running: SeatSet, received: Instant) -> Self {
        Self {
            control,
            running,
            remaining: remaining.iter().map(|left| left.map(Duration::from_millis)).collect(),
            received,
        }
    }

    /// What a seat has left at a moment; none if it has no clock.
    pub fn left(&self, seat: SeatId, now: Instant) -> Option<Duration> {
        let left = self.remaining.get(seat.index()).copied().flatten()?;
        let elapsed = now.saturating_duration_since(self.received);
        Some(if self.running.contains(seat) {
            left.saturating_sub(elapsed)
        } else {
            left
        })
    }

    /// Below how much time a seat should hurry: a tenth of what it began with, but half a minute at most and ten seconds at least; of times of a day
    /// and more a tenth.
    pub fn warning(&self) -> Duration {
        let initial = self.control.initial();
        if initial >= Duration::from_hours(24) {
            return initial / 10;
        }
        (initial / 10).clamp(Duration::from_secs(10), Duration::from_secs(30))
    }
}

/// A time as on a chess clock: `4:07`, `1:30:00`, and with days `2d 03:00`.
///
/// ```
/// # use std::time::Duration;
/// assert_eq!(boardwright_client::clock_text(Duration::from_secs(247)), "4:07");
/// ```
pub fn clock_text(time: Duration) -> String {
    let seconds = time.as_secs();
    let (days, hours, minutes, seconds) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    match (days, hours) {
        (0, 0) => format!("{minutes}:{seconds:02}"),
        (0, _) => format!("{hours}:{minutes:02}:{seconds:02}"),
        _ => format!("{days}d {hours:02}:{minutes:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_a_chess_clock() {
        let text = |seconds| clock_text(Duration::from_secs(seconds));
        assert_eq!(
            [text(7), text(247), text(5_400), text(180_000)],
            ["0:07", "4:07", "1:30:00", "2d 02:00"]
        );
    }

    #[test]
    fn only_what_runs_becomes_less() {
        let begin = Instant::now();
        let clocks = Clocks::new(
            "5m".parse().unwrap(),
            &[Some(9_500), Some(300_000), None],
            SeatSet::one(SeatId(0)),
            begin,
        );
        let left = |seat, second| clocks.left(SeatId(seat), begin + Duration::from_secs(second));
        assert_eq!(
            [left(0, 4), left(1, 4), left(2, 4)],
            [Some(Duration::from_millis(5_500)), Some(Duration::from_mins(5)), None]
        );
        assert_eq!(left(0, 60), Some(Duration::ZERO));
        assert_eq!(clocks.warning(), Duration::from_secs(30));
    }
}
