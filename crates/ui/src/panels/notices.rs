//! The notice of reloaded rules, and the question before later actions are dropped.

use egui::{Align, CornerRadius, Frame, Layout, Margin, RichText, Stroke, Ui};

use crate::command::{AppCommand, MatchCommand, UiCommand};
use crate::match_controller::ReloadNotice;
use crate::texts::text;
use crate::theme::{ButtonKind, Icon, IconButton, Palette, dialog_ui, size, space, strong, title, veil};
use crate::tools_panel::ToolsTab;

/// Tells what changed in the rules.
pub(crate) fn reload_ui(ui: &mut Ui, notice: &ReloadNotice, commands: &mut Vec<UiCommand>) {
    let palette = Palette::of(ui.visuals());
    Frame::NONE
        .fill(veil(palette.good, 0.12))
        .stroke(Stroke::new(1.0, veil(palette.good, 0.5)))
        .corner_radius(CornerRadius::same(10))
        .inner_margin(Margin::symmetric(12, 8))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.horizontal(|ui| {
                let (rect, _) = ui.allocate_exact_size(egui::vec2(18.0, 18.0), egui::Sense::hover());
                Icon::Check.paint(ui.painter(), rect, palette.good);
                ui.label(strong(text!("reload-in-force")));
                ui.label(
                    RichText::new(text!("reload-after", milliseconds = notice.milliseconds))
                        .size(size::SMALL)
                        .color(palette.muted),
                );
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    if ui.add(IconButton::icon(Icon::Close, text!("reload-close")).height(24.0)).clicked() {
                        commands.push(MatchCommand::DismissReload.into());
                    }
                    let show = IconButton::with_text(Icon::Script, text!("reload-show"))
                        .kind(ButtonKind::Quiet)
                        .height(24.0);
                    if ui.add(show).clicked() {
                        commands.push(AppCommand::ShowTools(ToolsTab::Scripts).into());
                    }
                });
            });
            for change in notice.changes.iter().take(6) {
                ui.label(RichText::new(format!("•  {change}")).size(size::SMALL));
            }
            if notice.changes.len() > 6 {
                ui.label(
                    RichText::new(text!("reload-more", count = notice.changes.len() - 6))
                        .size(size::SMALL)
                        .color(palette.muted),
                );
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
            if ui.add(IconButton::text(label).kind(ButtonKind::Primary)).clicked() {
                commands.push(MatchCommand::Confirm(true).into());
            }
            if ui.add(IconButton::text(text!("dialog-cancel"))).clicked() {
                commands.push(MatchCommand::Confirm(false).into());
            }
        });
    });
    if answer.should_close() {
        commands.push(MatchCommand::Confirm(false).into());
    }
}
