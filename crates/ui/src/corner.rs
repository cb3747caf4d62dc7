//! The buttons at the upper right of every screen.

use egui::{Popup, PopupCloseBehavior, ThemePreference, Ui};

use super::keys::{Act, key_of};
use super::settings::Settings;
use super::texts::text;
use super::theme::{Icon, IconButton, MenuRow};

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
    /// The form of the settings.
    Settings,
}

/// Shows the buttons, from right to left.
pub(super) fn corner_ui(ui: &mut Ui, settings: &mut Settings, has_match: bool, wishes: &mut Vec<CornerWish>) {
    if ui.add(IconButton::icon(Icon::Gear, text!("settings"))).clicked() {
        wishes.push(CornerWish::Settings);
    }
    colours_ui(ui, settings);
    if ui
        .add(IconButton::icon(Icon::Script, text!("drawer-scripts")).hint(key_of(Act::Scripts)))
        .clicked()
    {
        wishes.push(CornerWish::Scripts);
    }
    if ui
        .add(IconButton::icon(Icon::Book, text!("drawer-book")).hint(key_of(Act::RuleBook)))
        .clicked()
    {
        wishes.push(CornerWish::Book);
    }
    if has_match {
        let save_as = IconButton::icon(Icon::Folder, text!("corner-files"));
        let files = ui.add(save_as);
        Popup::menu(&files).close_behavior(PopupCloseBehavior::CloseOnClick).show(|ui| {
            if ui
                .add(MenuRow::new(Icon::Save, text!("corner-save-as")).key(key_of(Act::SaveAs)))
                .clicked()
            {
                wishes.push(CornerWish::SaveAs);
            }
            if ui
                .add(MenuRow::new(Icon::Open, text!("corner-open")).key(key_of(Act::Open)))
                .clicked()
            {
                wishes.push(CornerWish::Open);
            }
        });
    } else {
        let open = IconButton::icon(Icon::Open, text!("corner-open")).hint(key_of(Act::Open));
        if ui.add(open).clicked() {
            wishes.push(CornerWish::Open);
        }
    }
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
