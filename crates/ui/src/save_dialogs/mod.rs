//! Saved matches: opening, saving under a name, deleting. The dialogs only look and ask; the program does it, on another thread.

mod open_dialog;
mod row;
mod save_as_dialog;

use std::path::PathBuf;

use egui::Ui;

use open_dialog::OpenDialog;
pub(crate) use open_dialog::SaveFilter;
pub(crate) use row::SaveLines;
use save_as_dialog::SaveDialog;

use super::command::AppCommand;
use super::texts::text;
use super::theme::{Icon, IconButton, dialog_ui, from_right_ui, size, title};
use boardwright_client::content::SaveCard;
use boardwright_model::diagnostic::Diagnostic;

#[derive(Clone, Debug)]
enum Dialog {
    Open(OpenDialog),
    SaveAs(SaveDialog),
}

#[derive(Debug, Default)]
pub(crate) struct SaveDialogs {
    /// The saved matches, the newest first.
    pub(crate) saves: Vec<SaveCard>,
    /// Why the last match could not be opened.
    pub(crate) problems: Vec<Diagnostic>,
    dialog: Option<Dialog>,
}

impl SaveDialogs {
    pub(crate) fn show_open(&mut self, filter: SaveFilter) {
        self.problems.clear();
        self.dialog = Some(Dialog::Open(OpenDialog::of(filter)));
    }

    /// Asks for the name of a file in a folder.
    pub(crate) fn show_save_as(&mut self, folder: PathBuf, name: String, ending: &'static str) {
        self.dialog = Some(Dialog::SaveAs(SaveDialog::of(folder, name, ending)));
    }

    pub(crate) fn close(&mut self) {
        self.dialog = None;
        self.problems.clear();
    }

    pub(crate) fn is_shown(&self) -> bool {
        self.dialog.is_some()
    }

    pub(crate) fn lists(&self) -> bool {
        matches!(self.dialog, Some(Dialog::Open(_)))
    }

    pub(crate) fn ui(&mut self, ui: &Ui, is_busy: bool, commands: &mut Vec<AppCommand>) {
        let Some(dialog) = &mut self.dialog else {
            return;
        };
        let modal = dialog_ui(ui, "files", |ui| match dialog {
            Dialog::Open(open) => {
                ui.set_width((ui.ctx().content_rect().width() - 120.0).clamp(360.0, 640.0));
                open.ui(ui, &self.saves, &self.problems, is_busy, commands)
            }
            Dialog::SaveAs(save_as) => {
                ui.set_width(440.0);
                save_as.ui(ui, commands)
            }
        });
        if modal.inner || modal.should_close() {
            self.close();
        }
    }
}

/// The head of a dialog; true if it is to be closed.
fn head_ui(ui: &mut Ui, heading: String, is_busy: bool) -> bool {
    let line = ui.horizontal(|ui| {
        ui.label(title(heading, size::TITLE));
        from_right_ui(ui, |ui| {
            let closes = ui.add(IconButton::icon(Icon::Close, text!("dialog-close"))).clicked();
            if is_busy {
                ui.spinner();
            }
            closes
        })
    });
    line.inner
}
