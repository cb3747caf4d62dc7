//! Passwords of matches. Only their hashes are stored.

use std::sync::{Mutex, PoisonError};

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _, phc::PasswordHash};

use super::lobby::LobbyError;

/// The most bytes of a password.
const LONGEST: usize = 200;

/// Hashes and checks passwords with Argon2id, one after the other: each takes 19 MiB and some hundredths of a second, whoever asks.
#[derive(Debug, Default)]
pub(super) struct Passwords(Mutex<()>);

impl Passwords {
    /// What is stored of a password.
    pub(super) fn hash(&self, password: &str) -> Result<String, LobbyError> {
        if password.is_empty() || password.len() > LONGEST {
            return Err(LobbyError::Wrong(format!("a password has 1 to {LONGEST} bytes")));
        }
        let _turn = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let hash = Argon2::default().hash_password(password.as_bytes());
        hash.map(|hash| hash.to_string())
            .map_err(|error| LobbyError::Broken(format!("a password cannot be hashed: {error}")))
    }

    /// Checks the password that somebody gives against what is stored of that of a match.
    pub(super) fn check(&self, stored: Option<&str>, given: Option<&str>) -> Result<(), LobbyError> {
        let Some(stored) = stored else { return Ok(()) };
        let given = given.ok_or(LobbyError::Password("this match asks for a password"))?;
        let wrong = LobbyError::Password("this is not the password of the match");
        if given.len() > LONGEST {
            return Err(wrong);
        }
        let stored =
            PasswordHash::new(stored).map_err(|error| LobbyError::Broken(format!("the hash of its password is damaged: {error}")))?;
        let _turn = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Argon2::default().verify_password(given.as_bytes(), &stored).map_err(|_| wrong)
    }
}
