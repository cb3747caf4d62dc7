//! The store of a server: matches that outlive the program.
//!
//! A match is a *head*, which says all of it up to some point, and the *entries* behind it, one for each change, which are added and never changed.
//! What is in heads and entries is the business of who runs matches; the store sees bytes.
//!
//! It promises that an entry is on disk when it says so, that entries of a match have no gaps and no two have the same number, and that what was
//! stored by an earlier version of the program is read by this one. It names no rules, no journal and no network.
//!
//! [`SqliteStore`] keeps everything in one file, for one server. [`PostgresStore`] keeps it in a database that several servers share, the nodes of a
//! [`Cluster`]: each match is run by one of them. Changes that come at the same time reach the disk together (group commit).

mod cluster;
mod names;
mod postgres;
mod seating;
mod sqlite;

use std::fmt;
use std::str::FromStr;

pub use cluster::{Cluster, ClusterNews, Heard, Node, Owner};
pub use names::{NoName, checked_name, name_key};
pub use postgres::PostgresStore;
pub use sqlite::SqliteStore;

/// Digits of a [`MatchId`]: those that are not mistaken for one another.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH: usize = 12;

/// Names a match, in lists and links: twelve digits and letters. It is no secret, but nobody guesses it either.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MatchId(u64);

impl MatchId {
    /// The id of a number, of which the lowest 60 bits count.
    pub const fn new(number: u64) -> Self {
        Self(number & ((1 << 60) - 1))
    }

    /// The number, below 2^60.
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for MatchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digit = |place: usize| DIGITS.get((self.0 >> (5 * place)) as usize % 32).copied().unwrap_or_default();
        (0..LENGTH).rev().try_for_each(|place| write!(f, "{}", char::from(digit(place))))
    }
}

/// A text that is no [`MatchId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the id of a match has {LENGTH} digits and letters")]
pub struct NoMatchId;

impl FromStr for MatchId {
    type Err = NoMatchId;

    fn from_str(text: &str) -> Result<Self, NoMatchId> {
        if text.len() != LENGTH {
            return Err(NoMatchId);
        }
        let value = |byte: u8| DIGITS.iter().position(|digit| *digit == byte.to_ascii_lowercase());
        let add = |number: u64, byte: u8| Some(number * 32 + value(byte)? as u64);
        text.bytes().try_fold(0, add).map(Self).ok_or(NoMatchId)
    }
}

/// How far a match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// It waits for players.
    Waiting,
    /// It is played.
    Playing,
    /// It has ended.
    Ended,
}

/// What everyone may know of a match without opening it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchRow {
    /// Its id.
    pub id: MatchId,
    /// Its name, as its creator called it.
    pub name: String,
    /// The id of the ruleset.
    pub ruleset: String,
    /// The id of the scenario.
    pub scenario: String,
    /// How far it is.
    pub status: Status,
    /// Whether it is shown in lists: one with a private link is not.
    pub is_listed: bool,
    /// When it was created, in milliseconds since 1970.
    pub created: u64,
    /// When something happened in it last, in milliseconds since 1970.
    pub changed: u64,
    /// How it was set up, for the program that runs it.
    pub settings: Vec<u8>,
}

/// A match as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredMatch {
    /// What everyone may know.
    pub row: MatchRow,
    /// The match up to an entry.
    pub head: Vec<u8>,
    /// The number of that entry; 0 before the first.
    pub head_number: u64,
    /// The entries behind the head, in order and without gaps.
    pub entries: Vec<Vec<u8>>,
    /// Who holds seats.
    pub holders: Vec<Holder>,
}

/// Who holds a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// The seat, from 0.
    pub seat: u8,
    /// The name that others see.
    pub name: String,
    /// The hash of the token that proves it.
    pub token_hash: [u8; 32],
    /// What it has committed to when it took the seat.
    pub commitment: Option<[u8; 32]>,
}

/// What becomes of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeatChange {
    /// Somebody takes a seat.
    Take {
        /// The seats that would do, the best first.
        seats: Vec<u8>,
        /// How many seats people play. When as many are held, a match begins that waits.
        people: usize,
        /// The name that others see.
        name: String,
        /// The hash of the token that will prove it.
        token_hash: [u8; 32],
        /// What it commits to.
        commitment: Option<[u8; 32]>,
    },
    /// Whoever has a token leaves its seat.
    Leave {
        /// The hash of the token.
        token_hash: [u8; 32],
    },
    /// Whoever holds a seat is sent away.
    Free {
        /// The seat, from 0.
        seat: u8,
    },
}

/// What has become of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seating {
    /// The seat, from 0.
    pub seat: u8,
    /// Who holds it now.
    pub name: Option<String>,
    /// How far the match is then.
    pub status: Status,
}

/// An entry that is to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEntry {
    /// The match.
    pub id: MatchId,
    /// Its number: one more than the newest.
    pub number: u64,
    /// What happened.
    pub entry: Vec<u8>,
    /// How far the match is then.
    pub status: Status,
    /// When, in milliseconds since 1970.
    pub at: u64,
}

/// Why something was not stored or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no such match.
    #[error("there is no match {0}")]
    NoMatch(MatchId),
    /// The entry does not follow the newest one: somebody else has written to the match.
    #[error("entry {number} of match {id} does not follow entry {newest}")]
    OutOfOrder {
        /// The match.
        id: MatchId,
        /// The number it has.
        number: u64,
        /// The number of the newest entry that is stored.
        newest: u64,
    },
    /// Another node runs the match, or may: this one was declared dead, or has not claimed it.
    #[error("the match {0} is not run by this node")]
    Fenced(MatchId),
    /// There is a match of that id.
    #[error("there is a match {0} already")]
    Exists(MatchId),
    /// None of the seats is free.
    #[error("no seat is free")]
    SeatTaken,
    /// There is a name that looks like this one.
    #[error("there is one called {0} already")]
    NameTaken(String),
    /// Nobody holds the seat, or the token is of none.
    #[error("nobody holds this seat")]
    NotHeld,
    /// The match has another status.
    #[error("the match does not wait any more")]
    TooLate,
    /// The store was written by a newer version of the program.
    #[error("the store was written by a newer version of the program: {0}")]
    Newer(String),
    /// The database says no: it is down, locked by another program, or the disk is full.
    #[error("the database cannot do it: {0}")]
    Database(String),
}

/// Called when something was stored or could not be: on a thread of the store, or before the function returns that was asked, so it must not block.
pub type Stored = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

/// Where a server keeps its matches. Its functions block but for [`append`](Self::append).
pub trait Store: Send + Sync {
    /// Stores a new match.
    ///
    /// # Errors
    /// [`StoreError::Exists`] if there is one of that id, [`StoreError::NameTaken`] if it is shown in lists, as another is that has not ended and has a name
    /// that looks like its own.
    fn create(&self, row: &MatchRow, head: &[u8]) -> Result<(), StoreError>;

    /// Stores an entry; `stored` is called when it is on disk, or clear that it will not come there. An entry that is there already, byte for byte, counts as
    /// stored: it may be sent again after a failure that left open whether it came there. After [`StoreError::Database`] it may be tried again, after another
    /// error in vain.
    fn append(&self, entry: NewEntry, stored: Stored);

    /// Replaces the head of a match by one that has all entries up to a number, which are deleted.
    ///
    /// # Errors
    /// [`StoreError::OutOfOrder`] if there is no entry of that number.
    fn replace_head(&self, id: MatchId, head: &[u8], number: u64) -> Result<(), StoreError>;

    /// Changes who holds a seat, in one step: what it depends on is looked at when nobody else changes it.
    ///
    /// # Errors
    /// [`StoreError::SeatTaken`], [`StoreError::NameTaken`] by another holder, [`StoreError::NotHeld`], and [`StoreError::TooLate`] if a seat is to be taken and
    /// the match has ended.
    fn seat(&self, id: MatchId, change: &SeatChange, at: u64) -> Result<Seating, StoreError>;

    /// What everyone may know of a match.
    ///
    /// # Errors
    /// [`StoreError::NoMatch`].
    fn row(&self, id: MatchId) -> Result<MatchRow, StoreError>;

    /// A match with everything that is stored of it.
    ///
    /// # Errors
    /// [`StoreError::NoMatch`].
    fn load(&self, id: MatchId) -> Result<StoredMatch, StoreError>;

    /// The matches of a status, those changed last first, at most so many, and who holds their seats. With `listed`, only those that are shown in lists.
    ///
    /// # Errors
    /// If the database fails.
    fn list(&self, status: Status, listed: bool, most: usize) -> Result<Vec<(MatchRow, Vec<Holder>)>, StoreError>;

    /// Who holds the seats of a match, in order of seats.
    ///
    /// # Errors
    /// If the database fails.
    fn holders(&self, id: MatchId) -> Result<Vec<Holder>, StoreError>;

    /// How many matches of each status there are: waiting, playing, ended.
    ///
    /// # Errors
    /// If the database fails.
    fn counts(&self) -> Result<[u64; 3], StoreError>;

    /// Stores the sources of rules by their fingerprint; those of one that is there already are the same.
    ///
    /// # Errors
    /// If the database fails.
    fn put_rules(&self, fingerprint: &[u8; 32], sources: &[u8]) -> Result<(), StoreError>;

    /// Adds an entry to the chat of a match, without waiting for it. The newest ones are kept, of one match that is gone none.
    fn add_chat(&self, id: MatchId, entry: Vec<u8>);

    /// The chat of a match, the oldest entry first. What was added before is in it, whether it was stored already or not.
    ///
    /// # Errors
    /// If the database fails.
    fn chat(&self, id: MatchId) -> Result<Vec<Vec<u8>>, StoreError>;

    /// Checks that something can be written, by writing.
    ///
    /// # Errors
    /// If the database fails, or the disk is full.
    fn check(&self) -> Result<(), StoreError>;

    /// The sources of rules.
    ///
    /// # Errors
    /// If the database fails.
    fn rules(&self, fingerprint: &[u8; 32]) -> Result<Option<Vec<u8>>, StoreError>;

    /// Deletes a match that waits for players.
    ///
    /// # Errors
    /// [`StoreError::NoMatch`], or [`StoreError::TooLate`] if it has begun.
    fn cancel(&self, id: MatchId) -> Result<(), StoreError>;

    /// Deletes matches of a status in which nothing has happened since a time in milliseconds since 1970, at most so many. Gives those that were deleted.
    ///
    /// # Errors
    /// If the database fails.
    fn sweep(&self, status: Status, before: u64, most: usize) -> Result<Vec<MatchId>, StoreError>;

    /// The servers that share the store; none if there is only this one. Then entries and heads are taken of matches alone that this one has
    /// [claimed](Cluster::claim), all others end with [`StoreError::Fenced`].
    fn cluster(&self) -> Option<&dyn Cluster> {
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn an_id_is_read_as_it_is_written(number in 0..1_u64 << 60) {
            let id = MatchId::new(number);
            let text = id.to_string();
            prop_assert_eq!(text.len(), LENGTH);
            prop_assert_eq!(text.parse(), Ok(id));
            prop_assert_eq!(text.to_uppercase().parse(), Ok(id));
        }
    }

    #[test]
    fn what_is_no_id_is_refused() {
        for text in ["", "00000000000", "0000000000000", "00000000000u", "příšerně-žl"] {
            assert_eq!(text.parse::<MatchId>(), Err(NoMatchId), "{text}");
        }
    }
}
