//! What the player likes, kept between sittings.

use egui::{ThemePreference, Ui};
use serde::{Deserialize, Serialize};

use super::texts::{Language, text};
use super::theme::{Icon, IconButton, strong};

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

impl Settings {
    /// The buttons for the upper right corner of a screen.
    pub fn corner_ui(&mut self, ui: &mut Ui) {
        let gear = ui.add(IconButton::icon(Icon::Gear, text!("settings")));
        egui::Popup::menu(&gear)
            .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
            .show(|ui| {
                ui.set_min_width(230.0);
                ui.checkbox(&mut self.moves, text!("settings-moves"));
                ui.checkbox(&mut self.plays_at_once, text!("settings-plays-at-once"));
                ui.checkbox(&mut self.shows_names, text!("settings-shows-names"));
                ui.separator();
                ui.label(strong(text!("settings-colours")));
                ui.radio_value(&mut self.theme, ThemePreference::System, text!("settings-colours-system"));
                ui.radio_value(&mut self.theme, ThemePreference::Light, text!("settings-colours-light"));
                ui.radio_value(&mut self.theme, ThemePreference::Dark, text!("settings-colours-dark"));
                ui.separator();
                ui.label(strong(text!("settings-language")));
                ui.radio_value(&mut self.language, None, text!("settings-language-system"));
                for language in Language::ALL {
                    ui.radio_value(&mut self.language, Some(language), language.name());
                }
            });
        let is_dark = ui.visuals().dark_mode;
        let (icon, label) = if is_dark {
            (Icon::Sun, text!("settings-to-light"))
        } else {
            (Icon::Moon, text!("settings-to-dark"))
        };
        if ui.add(IconButton::icon(icon, label)).clicked() {
            self.theme = if is_dark { ThemePreference::Light } else { ThemePreference::Dark };
        }
    }
}
