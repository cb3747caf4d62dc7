//! Tokens: who has one holds a seat, or has created a match.

use std::fmt;
use std::str::FromStr;

/// Digits that are not mistaken for one another.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH: usize = 26;

/// Proves that somebody holds a seat or has created a match: 128 bits that nobody guesses, written as 26 digits and letters. The server stores only their hash.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Token(u128);

impl Token {
    /// A token that nobody has.
    pub fn any() -> Self {
        Self(rand::random())
    }

    /// What the server stores of it.
    pub fn hash(self) -> [u8; 32] {
        blake3::derive_key("boardwright seat token", &self.0.to_be_bytes())
    }
}

/// Tokens do not stand in logs.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digit = |place: usize| DIGITS.get((self.0 >> (5 * place)) as usize % 32).copied().unwrap_or_default();
        (0..LENGTH).rev().try_for_each(|place| write!(f, "{}", char::from(digit(place))))
    }
}

/// A text that is no token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a token has {LENGTH} digits and letters")]
pub struct NoToken;

impl FromStr for Token {
    type Err = NoToken;

    fn from_str(text: &str) -> Result<Self, NoToken> {
        let value = |byte: u8| DIGITS.iter().position(|digit| *digit == byte);
        let add = |number: u128, byte: u8| number.checked_mul(32)?.checked_add(value(byte)? as u128);
        let token = text.bytes().try_fold(0, add).map(Self).ok_or(NoToken)?;
        if text.len() == LENGTH { Ok(token) } else { Err(NoToken) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_as_it_is_written_and_is_not_shown_to_those_who_debug() {
        for token in [Token(0), Token(u128::MAX), Token::any()] {
            let text = token.to_string();
            assert_eq!(text.len(), LENGTH);
            assert_eq!(text.parse(), Ok(token));
            assert!(!format!("{token:?}").contains(&text));
        }
        assert_ne!(Token(1).hash(), Token(2).hash());
    }

    #[test]
    fn what_is_no_token_is_refused() {
        let too_large = "z".repeat(LENGTH);
        for text in [
            "",
            "0",
            "00000000000000000000000000u",
            "0000000000000000000000000U",
            &too_large,
            "žžžžžžžžžžžžž",
        ] {
            assert_eq!(text.parse::<Token>(), Err(NoToken), "{text}");
        }
    }
}
