//! What is allowed in a match beside its rules.

use serde::{Deserialize, Serialize};

/// How far actions may be taken back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UndoPolicy {
    /// To the start, by anyone: practice, analysis, one screen.
    #[default]
    Free,
    /// One's own actions of the present turn, and none behind which something was drawn or shown.
    OwnTurn,
    /// Not at all: rated matches.
    Never,
}

/// What is allowed in a match beside its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// How far actions may be taken back.
    pub undo: UndoPolicy,
    /// Whether the match may be edited, past its rules.
    pub debug: bool,
    /// Whether the rules may be changed while the match runs.
    pub reload: bool,
}

impl Policy {
    /// That of rated matches: nothing but what the rules allow, and no help.
    pub const RATED: Self = Self {
        undo: UndoPolicy::Never,
        debug: false,
        reload: false,
    };

    /// That of matches for pleasure over the network: own actions of the turn may be taken back, and computer players give hints.
    pub const CASUAL: Self = Self {
        undo: UndoPolicy::OwnTurn,
        debug: false,
        reload: false,
    };

    /// The same, and whoever runs the server may edit the match and change its rules.
    pub const SUPERVISED: Self = Self {
        undo: UndoPolicy::OwnTurn,
        debug: true,
        reload: true,
    };

    /// Whether the match is rated.
    pub fn is_rated(self) -> bool {
        self == Self::RATED
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            undo: UndoPolicy::Free,
            debug: true,
            reload: true,
        }
    }
}
