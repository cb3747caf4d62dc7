//! What the player likes, kept between sittings.

use egui::{ThemePreference, Ui};
use serde::{Deserialize, Serialize};

use super::theme::{Icon, IconButton};

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
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: ThemePreference::System,
            moves: true,
            plays_at_once: false,
            shows_names: true,
        }
    }
}

impl Settings {
    /// The buttons for the upper right corner of a screen.
    pub fn corner_ui(&mut self, ui: &mut Ui) {
        let gear = ui.add(IconButton::icon(Icon::Gear, "Settings"));
        egui::Popup::menu(&gear)
            .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
            .show(|ui| {
                ui.set_min_width(230.0);
                ui.checkbox(&mut self.moves, "Pieces travel their way");
                ui.checkbox(&mut self.plays_at_once, "Play as soon as nothing is left to choose");
                ui.checkbox(&mut self.shows_names, "Names of cells on the board");
                ui.separator();
                ui.radio_value(&mut self.theme, ThemePreference::System, "As the system");
                ui.radio_value(&mut self.theme, ThemePreference::Light, "Light");
                ui.radio_value(&mut self.theme, ThemePreference::Dark, "Dark");
            });
        let is_dark = ui.visuals().dark_mode;
        let (icon, label) = if is_dark {
            (Icon::Sun, "Light colours")
        } else {
            (Icon::Moon, "Dark colours")
        };
        if ui.add(IconButton::icon(icon, label)).clicked() {
            self.theme = if is_dark { ThemePreference::Light } else { ThemePreference::Dark };
        }
    }
}
