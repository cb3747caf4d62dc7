//! The tools, one below the other.

use boardwright_ui::keys::button_of;
use egui::Ui;

use crate::file::OpenFile;
use crate::tools::{Choices, Tool};

/// Shows the tools that work on a file.
pub(crate) fn tool_strip_ui(ui: &mut Ui, file: &OpenFile, choices: &mut Choices) {
    ui.spacing_mut().item_spacing.y = 3.0;
    for (tool, icon, act) in Tool::ALL {
        if !tool.fits(file) {
            continue;
        }
        let button = button_of(icon, act).height(36.0).selected(choices.tool == tool);
        if ui.add(button).clicked() {
            choices.tool = tool;
        }
    }
}
