//! The buttons at the upper right of every screen.

use egui::{Popup, PopupCloseBehavior, Sense, Stroke, ThemePreference, Ui, vec2};

use super::command::{AppCommand, button_ui};
use super::keys::{Act, button_of, key_of, label_of};
use super::save_dialogs::SaveFilter;
use super::texts::text;
use super::theme::{ButtonKind, Icon, IconButton, MenuRow, Palette};
use super::tools_panel::ToolsTab;

/// How wide the line between the buttons is, in points.
const LINE: f32 = 9.0;

/// A thin line between what belongs to the window and what belongs to the match.
fn line_ui(ui: &mut Ui) {
    let (rect, _) = ui.allocate_exact_size(vec2(LINE, 20.0), Sense::hover());
    let colour = Palette::of(ui.visuals()).line;
    ui.painter().vline(rect.center().x, rect.y_range(), Stroke::new(1.0, colour));
}

/// What has words outside matches, from right to left.
const WORDED: [(Icon, Act); 3] = [(Icon::Script, Act::Scripts), (Icon::Book, Act::RuleBook), (Icon::Open, Act::Open)];

fn worded(icon: Icon, act: Act) -> IconButton {
    IconButton::with_text(icon, label_of(act)).kind(ButtonKind::Quiet).hint(key_of(act))
}

/// How wide the buttons outside matches are, with words on them or without, in points; with the gap to what is beside them.
pub(super) fn toolbar_width(ui: &Ui, has_words: bool) -> f32 {
    let gap = ui.spacing().item_spacing.x;
    let width = |(icon, act): (Icon, Act)| if has_words { worded(icon, act) } else { button_of(icon, act) }.width(ui) + gap;
    let icon = IconButton::icon(Icon::Gear, "").width(ui) + gap;
    WORDED.into_iter().map(width).sum::<f32>() + 2.0 * icon + LINE + gap
}

/// On which screen the buttons are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Outside a match, with words on the buttons if there is room for them.
    Launcher { has_words: bool },
    /// In a match, where the words are for what concerns the match.
    Match,
}

/// Shows the buttons, from right to left.
pub(super) fn toolbar_ui<C: From<AppCommand>>(ui: &mut Ui, place: Place, commands: &mut Vec<C>) {
    let (icon, label, theme) = if ui.visuals().dark_mode {
        (Icon::Sun, text!("settings-to-light"), ThemePreference::Light)
    } else {
        (Icon::Moon, text!("settings-to-dark"), ThemePreference::Dark)
    };
    let tool = |icon, act| {
        if place == (Place::Launcher { has_words: true }) {
            worded(icon, act)
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
    let [scripts, book, open] = WORDED.map(|(icon, act)| tool(icon, act));
    button_ui(ui, scripts, AppCommand::ToggleTools(ToolsTab::Scripts), commands);
    button_ui(ui, book, AppCommand::ToggleTools(ToolsTab::Book), commands);
    if place != Place::Match {
        button_ui(ui, open, AppCommand::ListSaves(SaveFilter::All), commands);
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
