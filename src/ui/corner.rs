//! The buttons at the upper right of every screen.

use egui::{Popup, PopupCloseBehavior, ThemePreference, Ui};

use super::settings::Settings;
use super::texts::{Language, text};
use super::theme::{Icon, IconButton, strong};

/// What was asked for in the corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CornerWish {
    /// The list of saved matches.
    Open,
    /// Save the match under a name.
    SaveAs,
    /// Open or close the rule book.
    Book,
    /// Open or close the rules in force.
    Scripts,
}

/// Shows the buttons, from right to left.
pub(super) fn corner_ui(ui: &mut Ui, settings: &mut Settings, has_match: bool, wishes: &mut Vec<CornerWish>) {
    settings_ui(ui, settings);
    colours_ui(ui, settings);
    if ui.add(IconButton::icon(Icon::Script, text!("drawer-scripts")).hint("F4")).clicked() {
        wishes.push(CornerWish::Scripts);
    }
    if ui.add(IconButton::icon(Icon::Book, text!("drawer-book")).hint("F1")).clicked() {
        wishes.push(CornerWish::Book);
    }
    if has_match {
        let save_as = IconButton::icon(Icon::Folder, text!("corner-files"));
        let files = ui.add(save_as);
        Popup::menu(&files).close_behavior(PopupCloseBehavior::CloseOnClick).show(|ui| {
            ui.set_min_width(180.0);
            if ui
                .add(IconButton::with_text(Icon::Save, text!("corner-save-as")).hint(shortcut(true, "S")))
                .clicked()
            {
                wishes.push(CornerWish::SaveAs);
            }
            if ui
                .add(IconButton::with_text(Icon::Open, text!("corner-open")).hint(shortcut(false, "O")))
                .clicked()
            {
                wishes.push(CornerWish::Open);
            }
        });
    } else {
        let open = IconButton::icon(Icon::Open, text!("corner-open")).hint(shortcut(false, "O"));
        if ui.add(open).clicked() {
            wishes.push(CornerWish::Open);
        }
    }
}

/// A key with the command key of the system: "Ctrl+Shift+S".
fn shortcut(with_shift: bool, key: &str) -> String {
    let command = if cfg!(target_os = "macos") { "⌘" } else { "Ctrl+" };
    let shift = match (with_shift, cfg!(target_os = "macos")) {
        (false, _) => "",
        (true, true) => "⇧",
        (true, false) => "Shift+",
    };
    format!("{command}{shift}{key}")
}

fn settings_ui(ui: &mut Ui, settings: &mut Settings) {
    let gear = ui.add(IconButton::icon(Icon::Gear, text!("settings")));
    Popup::menu(&gear)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| {
            ui.set_min_width(230.0);
            ui.checkbox(&mut settings.moves, text!("settings-moves"));
            ui.checkbox(&mut settings.plays_at_once, text!("settings-plays-at-once"));
            ui.checkbox(&mut settings.shows_names, text!("settings-shows-names"));
            ui.separator();
            ui.label(strong(text!("settings-colours")));
            ui.radio_value(&mut settings.theme, ThemePreference::System, text!("settings-colours-system"));
            ui.radio_value(&mut settings.theme, ThemePreference::Light, text!("settings-colours-light"));
            ui.radio_value(&mut settings.theme, ThemePreference::Dark, text!("settings-colours-dark"));
            ui.separator();
            ui.label(strong(text!("settings-language")));
            ui.radio_value(&mut settings.language, None, text!("settings-language-system"));
            for language in Language::ALL {
                ui.radio_value(&mut settings.language, Some(language), language.name());
            }
        });
}

fn colours_ui(ui: &mut Ui, settings: &mut Settings) {
    let is_dark = ui.visuals().dark_mode;
    let (icon, label) = if is_dark {
        (Icon::Sun, text!("settings-to-light"))
    } else {
        (Icon::Moon, text!("settings-to-dark"))
    };
    if ui.add(IconButton::icon(icon, label)).clicked() {
        settings.theme = if is_dark { ThemePreference::Light } else { ThemePreference::Dark };
    }
}
