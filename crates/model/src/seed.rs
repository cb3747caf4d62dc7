//! What all luck of a match follows from.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A seed: the same seed gives the same luck everywhere. It is written as a decimal number, or as 64 hexadecimal digits.
///
/// ```
/// use boardwright_model::Seed;
///
/// assert_eq!("7".parse(), Ok(Seed::Number(7)));
/// let secret = Seed::Secret([0xab; 32]);
/// assert_eq!(secret.to_string().parse(), Ok(secret));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Seed {
    /// One that somebody chose, so that a match can be played again.
    Number(u64),
    /// 256 bits that nobody can guess from the luck that was seen.
    Secret([u8; 32]),
}

impl Seed {
    /// A number that follows from the seed and does not tell it: for luck beside that of the match, such as that of players.
    pub fn fold(self) -> u64 {
        match self {
            Self::Number(number) => number,
            Self::Secret(bytes) => bytes.chunks(8).fold(0, |folded, part| {
                let part = part.iter().fold(0, |word: u64, byte| word << 8 | u64::from(*byte));
                folded ^ part
            }),
        }
    }
}

/// A text that is no seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a seed is a whole number from 0 to {max}, or 64 hexadecimal digits", max = u64::MAX)]
pub struct SeedError;

impl From<u64> for Seed {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl Default for Seed {
    fn default() -> Self {
        Self::Number(0)
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Secret(bytes) => bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}")),
        }
    }
}

/// Logs and messages of tests must not tell a secret.
impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "Number({number})"),
            Self::Secret(_) => f.write_str("Secret(..)"),
        }
    }
}

impl FromStr for Seed {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Self, SeedError> {
        let text = text.trim();
        if text.len() != 64 {
            return text.parse().map(Self::Number).map_err(|_| SeedError);
        }
        let mut digits = text
            .chars()
            .map(|digit| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok()));
        let mut next = || digits.next().flatten().ok_or(SeedError);
        let mut bytes = [0; 32];
        for byte in &mut bytes {
            *byte = next()? << 4 | next()?;
        }
        Ok(Self::Secret(bytes))
    }
}

impl From<Seed> for String {
    fn from(seed: Seed) -> Self {
        seed.to_string()
    }
}

impl TryFrom<String> for Seed {
    type Error = SeedError;

    fn try_from(text: String) -> Result<Self, SeedError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_seed_is_told() {
        for text in ["", "-1", "1.5", "18446744073709551616", "x", &"g".repeat(64), &"+1".repeat(32)] {
            assert_eq!(text.parse::<Seed>(), Err(SeedError), "{text}");
        }
    }
}
