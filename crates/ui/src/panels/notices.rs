//! The notice of reloaded rules, and the question before something that no slip should do.

use egui::Ui;

use super::button_ui;
use crate::command::{AppCommand, MatchCommand, UiCommand};
use crate::match_controller::ReloadNotice;
use crate::texts::text;
use crate::theme::{
    ButtonKind, Icon, IconButton, Palette, card, dialog_ui, from_right_ui, icon_ui, remark, size, space, strong, title, veil,
};
use crate::tools_panel::ToolsTab;

/// The most changes that are listed.
const MOST_CHANGES: usize = 6;

/// Tells what changed in the rules.
pub(crate) fn reload_ui(ui: &mut Ui, notice: &ReloadNotice, commands: &mut Vec<UiCommand>) {
    let good = Palette::of(ui.visuals()).good;
    card(veil(good, 0.12), veil(good, 0.5), 10, (12, 8)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal(|ui| {
            icon_ui(ui, Icon::Check, 18.0, good);
            ui.label(strong(text!("reload-in-force")));
            ui.label(remark(text!("reload-after", milliseconds = notice.milliseconds)));
            from_right_ui(ui, |ui| {
                let close = IconButton::icon(Icon::Close, text!("reload-close")).height(24.0);
                button_ui(ui, close, MatchCommand::DismissReload, commands);
                let show = IconButton::with_text(Icon::Script, text!("reload-show")).height(24.0);
                button_ui(ui, show.kind(ButtonKind::Quiet), AppCommand::ShowTools(ToolsTab::Scripts), commands);
            });
        });
        for change in notice.changes.iter().take(MOST_CHANGES) {
            ui.small(format!("•  {change}"));
        }
        if notice.changes.len() > MOST_CHANGES {
            ui.label(remark(text!("reload-more", count = notice.changes.len() - MOST_CHANGES)));
        }
    });
}

/// Asks whether an action is to be played. Enter says yes, as the button does that it begins at.
pub(crate) fn confirm_ui(ui: &Ui, seat: &str, action: &str, commands: &mut Vec<UiCommand>) {
    let answer = dialog_ui(ui, "confirm", |ui| {
        ui.set_width(360.0);
        ui.label(title(text!("confirm-title", action = action), size::TITLE));
        ui.label(text!("confirm-line", seat = seat));
        ui.add_space(space::S);
        ui.horizontal(|ui| {
            let play = ui.add(IconButton::text(action).kind(ButtonKind::Primary));
            let cancel = ui.add(IconButton::text(text!("dialog-cancel")));
            if !play.has_focus() && !cancel.has_focus() {
                play.request_focus();
            }
            if play.clicked() || cancel.clicked() {
                commands.push(MatchCommand::Confirm(play.clicked()).into());
            }
        });
    });
    if answer.should_close() {
        commands.push(MatchCommand::Confirm(false).into());
    }
}
