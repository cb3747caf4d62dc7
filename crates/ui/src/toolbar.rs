//! The buttons at the upper right of every screen.

use egui::{Popup, PopupCloseBehavior, ThemePreference, Ui};

use super::keys::{Act, key_of};
use super::settings::Settings;
use super::texts::text;
use super::theme::{Icon, IconButton, MenuRow};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ToolbarCommand {
    Open,
    SaveAs,
    Book,
    /// Opens or closes the active rules.
    Scripts,
    Settings,
}

/// Shows the buttons, from right to left.
pub(super) fn toolbar_ui(ui: &mut Ui, settings: &mut Settings, has_match: bool, commands: &mut Vec<ToolbarCommand>) {
    if ui.add(IconButton::icon(Icon::Gear, text!("settings"))).clicked() {
        commands.push(ToolbarCommand::Settings);
    }
    colours_ui(ui, settings);
    if ui
        .add(IconButton::icon(Icon::Script, text!("tools-scripts")).hint(key_of(Act::Scripts)))
        .clicked()
    {
        commands.push(ToolbarCommand::Scripts);
    }
    if ui
        .add(IconButton::icon(Icon::Book, text!("tools-book")).hint(key_of(Act::RuleBook)))
        .clicked()
    {
        commands.push(ToolbarCommand::Book);
    }
    if has_match {
        let save_as = IconButton::icon(Icon::Folder, text!("toolbar-files"));
        let files = ui.add(save_as);
        Popup::menu(&files).close_behavior(PopupCloseBehavior::CloseOnClick).show(|ui| {
            if ui
                .add(MenuRow::new(Icon::Save, text!("toolbar-save-as")).key(key_of(Act::SaveAs)))
                .clicked()
            {
                commands.push(ToolbarCommand::SaveAs);
            }
            if ui
                .add(MenuRow::new(Icon::Open, text!("toolbar-open")).key(key_of(Act::Open)))
                .clicked()
            {
                commands.push(ToolbarCommand::Open);
            }
        });
    } else {
        let open = IconButton::icon(Icon::Open, text!("toolbar-open")).hint(key_of(Act::Open));
        if ui.add(open).clicked() {
            commands.push(ToolbarCommand::Open);
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
