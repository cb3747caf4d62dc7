//! The buttons at the upper right of every screen.

use egui::{Popup, PopupCloseBehavior, ThemePreference, Ui};

use super::command::AppCommand;
use super::keys::{Act, key_of};
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
    let scripts = IconButton::icon(Icon::Script, text!("tools-scripts")).hint(key_of(Act::Scripts));
    let book = IconButton::icon(Icon::Book, text!("tools-book")).hint(key_of(Act::RuleBook));
    for (button, command) in [
        (IconButton::icon(Icon::Gear, text!("settings")), AppCommand::ShowSettings),
        (IconButton::icon(icon, label), AppCommand::SetTheme(theme)),
        (scripts, AppCommand::ToggleTools(ToolsTab::Scripts)),
        (book, AppCommand::ToggleTools(ToolsTab::Book)),
    ] {
        if ui.add(button).clicked() {
            commands.push(command.into());
        }
    }
    if !has_match {
        let open = IconButton::icon(Icon::Open, text!("toolbar-open")).hint(key_of(Act::Open));
        if ui.add(open).clicked() {
            commands.push(AppCommand::ListSaves(SaveFilter::All).into());
        }
        return;
    }
    let files = ui.add(IconButton::icon(Icon::Folder, text!("toolbar-files")));
    Popup::menu(&files).close_behavior(PopupCloseBehavior::CloseOnClick).show(|ui| {
        for (icon, label, act, command) in [
            (Icon::Save, text!("toolbar-save-as"), Act::SaveAs, AppCommand::AskSaveName),
            (Icon::Open, text!("toolbar-open"), Act::Open, AppCommand::ListSaves(SaveFilter::All)),
        ] {
            if ui.add(MenuRow::new(icon, label).key(key_of(act))).clicked() {
                commands.push(command.into());
            }
        }
    });
}
