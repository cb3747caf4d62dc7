//! What the player likes, kept between sittings.

use egui::ThemePreference;
use serde::{Deserialize, Serialize};

use super::texts::Language;

/// What the player likes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Light, dark, or as the system.
    pub theme: ThemePreference,
    /// Whether pieces travel their way.
    pub moves: bool,
    /// Whether an action is played as soon as nothing is left to choose.
    pub plays_at_once: bool,
    /// Whether names of cells are written on the board.
    pub shows_names: bool,
    /// The language; none for that of the system.
    pub language: Option<Language>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: ThemePreference::System,
            moves: true,
            plays_at_once: false,
            shows_names: true,
            language: None,
        }
    }
}
