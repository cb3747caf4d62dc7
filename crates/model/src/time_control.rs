//! How much time seats have in a match.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The longest time, and the shortest that is not none.
const MOST: Duration = Duration::from_hours(100 * 24);
const LEAST: Duration = Duration::from_secs(1);
/// The units of a time, the longest first, in seconds.
const UNITS: [(char, u64); 4] = [('d', 86_400), ('h', 3_600), ('m', 60), ('s', 1)];

/// How much time seats have. As text it is `10m` (ten minutes for the match), `5m+3s` (and three seconds more for each turn that was ended), or
/// `90s/turn`, `3d/turn` (for each turn).
///
/// ```
/// # use boardwright_model::TimeControl;
/// # use std::time::Duration;
/// let fischer: TimeControl = "5m+3s".parse().unwrap();
/// assert_eq!(fischer, TimeControl::Match { base: Duration::from_secs(300), increment: Duration::from_secs(3) });
/// assert_eq!("1h30m".parse::<TimeControl>().unwrap().to_string(), "1h30m");
/// assert!("soon".parse::<TimeControl>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum TimeControl {
    /// A time for the match: sudden death, or Fischer's clock with an increment.
    Match {
        /// For the whole match, from 1 second to 100 days.
        base: Duration,
        /// What is added for each turn that was ended.
        increment: Duration,
    },
    /// A time for each turn, from 1 second to 100 days. What is left over is lost.
    Turn(Duration),
}

impl TimeControl {
    /// What each seat begins with.
    pub fn initial(self) -> Duration {
        match self {
            Self::Match { base, .. } => base,
            Self::Turn(time) => time,
        }
    }
}

/// A text is no time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no time control: write `10m`, `5m+3s`, `90s/turn` or `3d/turn`, with times from 1s to 100d")]
pub struct NoTimeControl(String);

impl FromStr for TimeControl {
    type Err = NoTimeControl;

    fn from_str(text: &str) -> Result<Self, NoTimeControl> {
        let read = || {
            if let Some(time) = text.strip_suffix("/turn") {
                return Some(Self::Turn(time_of(time)?));
            }
            let (base, increment) = text.split_once('+').unwrap_or((text, ""));
            let increment = if increment.is_empty() {
                Some(Duration::ZERO)
            } else {
                time_of(increment)
            };
            Some(Self::Match {
                base: time_of(base)?,
                increment: increment?,
            })
        };
        read()
            .filter(|_| !text.ends_with('+'))
            .ok_or_else(|| NoTimeControl(text.to_owned()))
    }
}

/// Reads a time such as `1h30m`.
fn time_of(text: &str) -> Option<Duration> {
    let mut seconds: u64 = 0;
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|letter: char| !letter.is_ascii_digit())?;
        let (number, unit) = rest.split_at(end);
        let letter = unit.chars().next()?;
        let (_, length) = UNITS.iter().find(|(known, _)| *known == letter)?;
        seconds = seconds.checked_add(number.parse::<u64>().ok()?.checked_mul(*length)?)?;
        rest = unit.get(letter.len_utf8()..)?;
    }
    let time = Duration::from_secs(seconds);
    (LEAST..=MOST).contains(&time).then_some(time)
}

fn time_text(time: Duration) -> String {
    let mut rest = time.as_secs();
    let mut text = String::new();
    for (letter, length) in UNITS {
        let number = rest / length;
        rest %= length;
        if number > 0 {
            text.push_str(&format!("{number}{letter}"));
        }
    }
    text
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Match { base, increment } if increment.is_zero() => f.write_str(&time_text(*base)),
            Self::Match { base, increment } => write!(f, "{}+{}", time_text(*base), time_text(*increment)),
            Self::Turn(time) => write!(f, "{}/turn", time_text(*time)),
        }
    }
}

impl TryFrom<String> for TimeControl {
    type Error = NoTimeControl;

    fn try_from(text: String) -> Result<Self, NoTimeControl> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> Self {
        control.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_reads_back() {
        for text in ["10m", "5m+3s", "90s/turn", "3d/turn", "1h30m+10s", "100d", "1s"] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string().parse::<TimeControl>().unwrap(), control, "{text}");
        }
        assert_eq!("90s/turn".parse::<TimeControl>().unwrap().to_string(), "1m30s/turn");
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in [
            "",
            "5",
            "m",
            "5m+",
            "+3s",
            "0s",
            "101d",
            "5m3",
            "5x",
            "-5m",
            "5m/move",
            "99999999999999999999d",
            "5m+3s/turn",
            "ů",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }
}
