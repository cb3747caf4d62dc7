//! A scenario: a map with seats, pieces and options, ready to be played.

use serde::{Deserialize, Serialize};

use super::Setup;

/// A scenario as an author wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scenario {
    /// The id, the name of its file without ending.
    pub id: String,
    /// The title for players.
    pub title: String,
    /// What it is about, in a sentence or two.
    pub description: String,
    /// The id of the ruleset.
    pub ruleset: String,
    /// The id of the map.
    pub map: String,
    /// The default players: the name of the seat and a player such as `human` or `search:5`.
    pub players: Vec<(String, String)>,
    /// Pieces, options and properties.
    pub setup: Setup,
    /// A script laid over the rules for this scenario alone: file name and text.
    pub overlay: Option<(String, String)>,
}
