//! The question about unsaved scripts before the window closes.

use egui::{Ui, ViewportCommand};

use super::texts::text;
use super::theme::{ButtonKind, Icon, IconButton, dialog_ui, size, space, title};

/// How far the closing of the window has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum CloseDialog {
    #[default]
    No,
    /// It was asked what to do about files that are not saved.
    Asked,
    /// Files are being saved, and it is closed then.
    Saving,
    Yes,
}

impl CloseDialog {
    /// Keeps the window open while files are not saved, and asks about them. True once, if they are to be saved.
    pub(super) fn ui(&mut self, ui: &Ui, unsaved: &[String]) -> bool {
        let wants_to_close = ui.input(|input| input.viewport().close_requested());
        if wants_to_close && *self != Self::Yes && !unsaved.is_empty() {
            ui.ctx().send_viewport_cmd(ViewportCommand::CancelClose);
            *self = Self::Asked;
        }
        match self {
            Self::Asked => self.question_ui(ui, unsaved),
            Self::Saving if unsaved.is_empty() => {
                self.close(ui);
                false
            }
            Self::No | Self::Saving | Self::Yes => false,
        }
    }

    fn close(&mut self, ui: &Ui) {
        *self = Self::Yes;
        ui.ctx().send_viewport_cmd(ViewportCommand::Close);
    }

    fn question_ui(&mut self, ui: &Ui, unsaved: &[String]) -> bool {
        let mut saves = false;
        let modal = dialog_ui(ui, "unsaved", |ui| {
            ui.set_width(420.0);
            ui.label(title(text!("unsaved-title"), size::TITLE));
            for file in unsaved {
                ui.monospace(file);
            }
            ui.label(text!("unsaved-question"));
            ui.add_space(space::S);
            ui.horizontal_wrapped(|ui| {
                let save = IconButton::with_text(Icon::Save, text!("unsaved-save")).kind(ButtonKind::Primary);
                if ui.add(save).clicked() {
                    *self = Self::Saving;
                    saves = true;
                }
                if ui.add(IconButton::text(text!("unsaved-discard"))).clicked() {
                    self.close(ui);
                }
                if ui.add(IconButton::text(text!("dialog-cancel"))).clicked() {
                    *self = Self::No;
                }
            });
        });
        if modal.should_close() && *self == Self::Asked {
            *self = Self::No;
        }
        saves
    }
}
