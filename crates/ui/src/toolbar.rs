//! The buttons at the upper right of every screen.

use egui::{Popup, PopupCloseBehavior, Sense, Stroke, ThemePreference, Ui, vec2};

use super::command::{AppCommand, button_ui};
use super::keys::{Act, button_of, key_of, label_of};
use super::save_dialogs::SaveFilter;
use super::texts::text;
use super::theme::{ButtonKind, Icon, IconButton, MenuRow, Palette};
use super::tools_panel::ToolsTab;

/// The least width of the head with words on its buttons, in points.
const ROOM_FOR_WORDS: f32 = 560.0;

/// A thin line between what belongs to the window and what belongs to the match.
fn line_ui(ui: &mut Ui) {
    let (rect, _) = ui.allocate_exact_size(vec2(9.0, 20.0), Sense::hover());
    let colour = Palette::of(ui.visuals()).line;
    ui.painter().vline(rect.center().x, rect.y_range(), Stroke::new(1.0, colour));
}

/// Shows the buttons, from right to left.
pub(super) fn toolbar_ui<C: From<AppCommand>>(ui: &mut Ui, has_match: bool, commands: &mut Vec<C>) {
    let (icon, label, theme) = if ui.visuals().dark_mode {
        (Icon::Sun, text!("settings-to-light"), ThemePreference::Light)
    } else {
        (Icon::Moon, text!("settings-to-dark"), ThemePreference::Dark)
    };
    // In a match the words are for what concerns the match.
    let has_words = !has_match && ui.available_width() > ROOM_FOR_WORDS;
    let tool = |icon, act| {
        if has_words {
            IconButton::with_text(icon, label_of(act)).kind(ButtonKind::Quiet).hint(key_of(act))
        } else {
            button_of(icon, act)
        }
    };
    button_ui(
        ui,
        IconButton::icon(Icon::Gear, text!("settings")),
        AppCommand::ShowSettings,
        commands,
    );
    button_ui(ui, IconButton::icon(icon, label), AppCommand::SetTheme(theme), commands);
    line_ui(ui);
    for (icon, act, tab) in [
        (Icon::Script, Act::Scripts, ToolsTab::Scripts),
        (Icon::Book, Act::RuleBook, ToolsTab::Book),
    ] {
        button_ui(ui, tool(icon, act), AppCommand::ToggleTools(tab), commands);
    }
    if !has_match {
        button_ui(ui, tool(Icon::Open, Act::Open), AppCommand::ListSaves(SaveFilter::All), commands);
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
