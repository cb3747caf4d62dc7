//! How many may play.

use std::fmt;

use serde::Serialize;

use super::SeatSet;

/// How many seats a match may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct SeatRange {
    /// At least.
    pub least: u8,
    /// At most.
    pub most: u8,
}

impl Default for SeatRange {
    fn default() -> Self {
        Self { least: 2, most: 2 }
    }
}

impl fmt::Display for SeatRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.least == self.most {
            write!(f, "{}", self.least)
        } else {
            write!(f, "{}-{}", self.least, self.most)
        }
    }
}

impl SeatRange {
    /// Reads `2` or `2-6`.
    pub fn parse(text: &str) -> Option<Self> {
        let (least, most) = text.split_once('-').unwrap_or((text, text));
        let range = Self {
            least: least.trim().parse().ok()?,
            most: most.trim().parse().ok()?,
        };
        let is_sound = range.least >= 1 && range.least <= range.most && usize::from(range.most) <= SeatSet::MOST;
        is_sound.then_some(range)
    }
}
