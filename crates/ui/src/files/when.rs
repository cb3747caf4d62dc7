//! How long ago something was, in words.

use std::time::{Duration, SystemTime};

use crate::texts::text;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// How long before `now` something was: "3 hours ago".
pub(in crate) fn ago(then: SystemTime, now: SystemTime) -> String {
    let seconds = now.duration_since(then).unwrap_or(Duration::ZERO).as_secs();
    if seconds < MINUTE {
        text!("ago-now")
    } else if seconds < HOUR {
        text!("ago-minutes", count = seconds / MINUTE)
    } else if seconds < DAY {
        text!("ago-hours", count = seconds / HOUR)
    } else {
        text!("ago-days", count = seconds / DAY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_the_largest_unit_that_fits() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        let told = |seconds| ago(now - Duration::from_secs(seconds), now);
        assert_eq!(told(59), "just now");
        assert_eq!(told(60), "1 minute ago");
        assert_eq!(told(2 * HOUR + 59), "2 hours ago");
        assert_eq!(told(DAY), "yesterday");
        assert_eq!(told(9 * DAY), "9 days ago");
        assert_eq!(ago(now + Duration::from_secs(5), now), "just now");
    }
}
