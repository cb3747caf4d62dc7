//! The time of a save as text, in UTC, so that files sort the same everywhere.

use std::time::{SystemTime, UNIX_EPOCH};

/// A moment: year, month, day, hour, minute, second.
pub(super) struct Timestamp([u64; 6]);

impl Timestamp {
    pub(super) fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self::of(since.as_secs())
    }

    /// So many seconds after the beginning of 1970.
    ///
    /// The date comes from counting in eras of 400 years that begin in March: after Hinnant, "chrono-Compatible Low-Level Date
    /// Algorithms".
    fn of(seconds: u64) -> Self {
        let (days, rest) = (seconds / 86_400 + 719_468, seconds % 86_400);
        let (era, day_of_era) = (days / 146_097, days % 146_097);
        let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted + 2) / 5 + 1;
        let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
        let year = year_of_era + era * 400 + u64::from(month <= 2);
        Self([year, month, day, rest / 3_600, rest / 60 % 60, rest % 60])
    }

    /// `2026-11-21 08:30:28`.
    pub(super) fn text(&self) -> String {
        let [year, month, day, hour, minute, second] = self.0;
        format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
    }

    /// `2026-11-21-083028`, for names of files.
    pub(super) fn for_file(&self) -> String {
        let [year, month, day, hour, minute, second] = self.0;
        format!("{year:04}-{month:02}-{day:02}-{hour:02}{minute:02}{second:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments_are_named_right() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00:00"),
            (951_782_399, "2000-02-28 23:59:59"),
            (951_782_400, "2000-02-29 00:00:00"),
            (1_709_251_200, "2024-03-01 00:00:00"),
            (4_102_444_799, "2099-12-31 23:59:59"),
        ] {
            assert_eq!(Timestamp::of(seconds).text(), text);
        }
        assert_eq!(Timestamp::of(951_782_399).for_file(), "2000-02-28-235959");
    }
}
