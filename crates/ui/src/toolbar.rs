//! The buttons at the upper right of every screen.

use egui::{Popup, PopupCloseBehavior, ThemePreference, Ui};

use super::command::{AppCommand, button_ui};
use super::keys::{Act, button_of, key_of, label_of};
use super::save_dialogs::SaveFilter;
use super::texts::text;
use super::theme::{Icon, IconButton, MenuRow};
use super::tools_panel::ToolsTab;

/// Shows the buttons, from right to left.
pub(super) fn toolbar_ui<C: From<AppCommand>>(ui: &mut Ui, has_match: bool, commands: &mut Vec<C>) {
    let (icon, label, theme) = if ui.visuals().dark_mode {
        (Icon::Sun, text!("settings-to-light"), ThemePreference::Light)
    } else {
        (Icon::Moon, text!("settings-to-dark"), ThemePreference::Dark)
    };
    for (button, command) in [
        (IconButton::icon(Icon::Gear, text!("settings")), AppCommand::ShowSettings),
        (IconButton::icon(icon, label), AppCommand::SetTheme(theme)),
        (button_of(Icon::Script, Act::Scripts), AppCommand::ToggleTools(ToolsTab::Scripts)),
        (button_of(Icon::Book, Act::RuleBook), AppCommand::ToggleTools(ToolsTab::Book)),
    ] {
        button_ui(ui, button, command, commands);
    }
    if !has_match {
        button_ui(
            ui,
            button_of(Icon::Open, Act::Open),
            AppCommand::ListSaves(SaveFilter::All),
            commands,
        );
        return;
    }
    let files = ui.add(IconButton::icon(Icon::Folder, text!("toolbar-files")));
    Popup::menu(&files).close_behavior(PopupCloseBehavior::CloseOnClick).show(|ui| {
        for (icon, act, command) in [
            (Icon::Save, Act::SaveAs, AppCommand::AskSaveName),
            (Icon::Open, Act::Open, AppCommand::ListSaves(SaveFilter::All)),
        ] {
            button_ui(ui, MenuRow::new(icon, label_of(act)).key(key_of(act)), command, commands);
        }
    });
}
