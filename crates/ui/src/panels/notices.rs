//! The notice of reloaded rules, and the question before later actions are dropped.

use egui::{Align2, Area, Id, Order, Rect, Ui, vec2};

use super::button_ui;
use crate::command::{AppCommand, MatchCommand, UiCommand};
use crate::match_controller::ReloadNotice;
use crate::texts::text;
use crate::theme::{
    ButtonKind, Icon, IconButton, Palette, card, dialog_ui, from_right_ui, icon_ui, mix, remark, size, space, strong, title, veil,
};
use crate::tools_panel::ToolsTab;

/// The most changes that are listed.
const MOST_CHANGES: usize = 6;

/// The greatest width of the notice of reloaded rules, in points.
const WIDTH: f32 = 680.0;

/// Tells what changed in the rules, over the upper part of `within`: what is below it stays where it is.
pub(crate) fn reload_ui(ui: &Ui, within: Rect, notice: &ReloadNotice, commands: &mut Vec<UiCommand>) {
    let width = (within.width() - 2.0 * space::M).min(WIDTH);
    let area = Area::new(Id::unique("reload")).order(Order::Foreground).pivot(Align2::CENTER_TOP);
    area.fixed_pos(within.center_top() + vec2(0.0, space::S)).show(ui.ctx(), |ui| {
        ui.set_width(width);
        notice_ui(ui, notice, commands);
    });
}

fn notice_ui(ui: &mut Ui, notice: &ReloadNotice, commands: &mut Vec<UiCommand>) {
    let palette = Palette::of(ui.visuals());
    let good = palette.good;
    let frame = card(mix(palette.surface, good, 0.14), veil(good, 0.6), 10, (12, 8));
    frame.shadow(ui.visuals().popup_shadow).show(ui, |ui| {
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

/// Asks whether undone actions may be dropped; `plays` is whether an action waits for it.
pub(crate) fn confirm_ui(ui: &Ui, dropped: usize, plays: bool, commands: &mut Vec<UiCommand>) {
    let answer = dialog_ui(ui, "confirm", |ui| {
        ui.set_width(360.0);
        ui.label(title(text!("branch-title"), size::TITLE));
        ui.label(text!("branch-dropped", count = dropped));
        let label = if plays {
            text!("branch-drop-and-play")
        } else {
            text!("branch-drop")
        };
        ui.add_space(space::S);
        ui.horizontal(|ui| {
            let drop = IconButton::text(label).kind(ButtonKind::Primary);
            button_ui(ui, drop, MatchCommand::Confirm(true), commands);
            let cancel = IconButton::text(text!("dialog-cancel"));
            button_ui(ui, cancel, MatchCommand::Confirm(false), commands);
        });
    });
    if answer.should_close() {
        commands.push(MatchCommand::Confirm(false).into());
    }
}
