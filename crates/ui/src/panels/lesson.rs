//! The step of a tutorial that is being played.

use egui::{Align, Label, Layout, Ui, vec2};

use super::button_ui;
use crate::command::{MatchCommand, UiCommand};
use crate::match_controller::MatchController;
use crate::texts::text;
use crate::theme::{ButtonKind, Icon, IconButton, Palette, from_right_ui, icon_ui, remark, space, strong};

/// The least height of the panel, in points: room for three lines, so that the board seldom moves from one step to the next.
const HEIGHT: f32 = 76.0;

/// Shows what the player is told, with the way on and the way out.
pub(crate) fn lesson_ui(ui: &mut Ui, controller: &MatchController, commands: &mut Vec<UiCommand>) {
    let Some(lesson) = controller.lesson() else { return };
    let palette = Palette::of(ui.visuals());
    let at = controller.mirror().at();
    ui.horizontal_top(|ui| {
        ui.set_min_height(HEIGHT);
        icon_ui(ui, Icon::Book, 22.0, palette.accent);
        from_right_ui(ui, |ui| {
            let is_over = lesson.step().is_none() || (lesson.is_reading() && lesson.is_last());
            if is_over {
                let play_on = IconButton::with_text(Icon::Play, text!("lesson-play-on")).kind(ButtonKind::Primary);
                button_ui(ui, play_on, MatchCommand::LeaveLesson, commands);
            } else {
                let leave = IconButton::text(text!("lesson-leave")).kind(ButtonKind::Quiet);
                button_ui(ui, leave.hint(text!("lesson-leave-line")), MatchCommand::LeaveLesson, commands);
                if lesson.is_reading() {
                    let next = IconButton::with_text(Icon::Next, text!("lesson-next")).kind(ButtonKind::Primary);
                    button_ui(ui, next, MatchCommand::NextLesson, commands);
                }
            }
            let room = vec2(ui.available_width() - space::M, HEIGHT);
            ui.allocate_ui_with_layout(room, Layout::top_down(Align::Min), |ui| {
                ui.spacing_mut().item_spacing.y = 3.0;
                let (number, count) = lesson.progress();
                ui.label(remark(text!("lesson-step", number = number, count = count)));
                let text = lesson
                    .step()
                    .map_or_else(|| text!("lesson-done"), |step| controller.localized(&step.text));
                ui.add(Label::new(text).wrap());
                if lesson.missed().is_some() {
                    ui.add(Label::new(strong(text!("lesson-missed")).color(palette.warning)).wrap());
                }
            });
        });
    });
    if lesson.is_under_way(at) {
        ui.ctx().request_repaint_after(std::time::Duration::from_millis(100));
    }
}
