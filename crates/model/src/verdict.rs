//! What a value that a search found says about the end of a match.

/// The value of a match won at once. Every action on the way there takes one off, so that the shortest way is preferred.
pub const WIN: i32 = 1_000_000_000;

/// Values beyond this one are those of ends that are certain.
pub const CERTAIN: i32 = WIN - 1_000;

/// What a score of a search says about the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing is certain; the score is in points of the ruleset.
    Open,
    /// The seat wins with this many more actions, of all seats together.
    Wins(u32),
    /// The seat loses within this many more actions, of all seats together.
    Loses(u32),
}

impl Verdict {
    /// Reads a score.
    pub fn of(score: i64) -> Self {
        let ahead = (i64::from(WIN) - score.abs()).max(0);
        match score {
            _ if score.abs() < i64::from(CERTAIN) => Self::Open,
            1.. => Self::Wins(ahead as u32),
            _ => Self::Loses(ahead as u32),
        }
    }
}
