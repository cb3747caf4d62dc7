//! A hint: what a computer player would do, with a button that does it.

use egui::{Label, Ui};

use super::button_ui;
use crate::command::{ChoiceCommand, UiCommand};
use crate::texts::text;
use crate::theme::{ButtonKind, Icon, IconButton, Palette, from_right_ui, icon_ui, remark, strong};
use boardwright_protocol::ThinkingReport;

/// Shows a hint.
pub(crate) fn hint_ui(ui: &mut Ui, hint: &ThinkingReport, commands: &mut Vec<UiCommand>) {
    let Some(first) = hint.line.first() else { return };
    ui.horizontal(|ui| {
        ui.set_min_height(30.0);
        icon_ui(ui, Icon::Hint, 18.0, Palette::of(ui.visuals()).accent);
        from_right_ui(ui, |ui| {
            let play = IconButton::with_text(Icon::Play, text!("hint-play")).kind(ButtonKind::Plain);
            button_ui(ui, play.height(28.0), ChoiceCommand::Play(first.action.clone()), commands);
            if hint.depth > 0 {
                ui.label(remark(text!("thought-ahead", count = hint.depth)));
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                ui.add(Label::new(strong(text!("hint-is", action = first.notation.as_str()))).truncate());
            });
        });
    });
}
