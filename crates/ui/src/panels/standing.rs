//! What the ruleset says about how the match stands.

use std::sync::Arc;

use egui::{Label, RichText, Ui};

use crate::texts::text;
use crate::theme::{Icon, from_right_ui, heading_ui, space, strong, text_width};

/// The height of the heading and of a line, in points.
const HEADING: f32 = 48.0;
const LINE: f32 = 38.0;

/// How high the lines of the ruleset's panel are if each has its value beside it, in points.
pub(crate) fn standing_height(lines: &[(Arc<str>, Arc<str>)]) -> f32 {
    match lines.len() {
        0 => 0.0,
        count => HEADING + count as f32 * LINE,
    }
}

/// Shows the lines of the ruleset's panel: a label, and what there is to say about it. What does not fit beside its label stands below.
/// Where there is little room the lines stand close together.
pub(crate) fn standing_ui(ui: &mut Ui, lines: &[(Arc<str>, Arc<str>)], is_close: bool) {
    if lines.is_empty() {
        return;
    }
    if is_close {
        ui.spacing_mut().item_spacing.y = 2.0;
    }
    ui.separator();
    heading_ui(ui, Icon::Note, &text!("match-standing"));
    if is_close {
        ui.spacing_mut().interact_size.y = 18.0;
    }
    for (label, value) in lines {
        let label = RichText::new(&**label).weak();
        let needed = text_width(ui, label.clone()) + text_width(ui, strong(&**value)) + 2.0 * ui.spacing().item_spacing.x;
        if needed <= ui.available_width() {
            ui.horizontal(|ui| {
                ui.label(label);
                from_right_ui(ui, |ui| ui.label(strong(&**value)));
            });
        } else {
            ui.label(label);
            ui.horizontal_top(|ui| {
                ui.add_space(space::M);
                ui.add(Label::new(strong(&**value)).wrap());
            });
        }
    }
}
