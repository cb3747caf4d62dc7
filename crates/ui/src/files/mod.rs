//! Saved matches: opening, saving under a name, deleting. The dialogs only look and ask; the program does it, on another thread.

mod open;
mod row;
mod save_as;
mod when;

use std::path::PathBuf;

use egui::Ui;

pub(crate) use open::Kept;
use open::OpenDialog;
pub(crate) use row::SaveLines;
use save_as::SaveDialog;

use boardwright_client::content::SaveCard;
use super::theme::dialog_ui;
use boardwright_protocol::Problem;

/// What the player asked for in a dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilesWish {
    /// Take a match up.
    Open(PathBuf),
    /// Take a match up and look at it from its beginning.
    Watch(PathBuf),
    /// Save the running match in a file.
    SaveAs(PathBuf),
    /// Delete a saved match.
    Delete(PathBuf),
}

#[derive(Clone, Debug)]
enum Dialog {
    Open(OpenDialog),
    SaveAs(SaveDialog),
}

/// The saved matches, and the dialog that is open.
#[derive(Debug, Default)]
pub struct Files {
    /// The saved matches, the newest first.
    pub saves: Vec<SaveCard>,
    /// Why the last match could not be opened.
    pub problems: Vec<Problem>,
    dialog: Option<Dialog>,
}

impl Files {
    /// Shows the list of saved matches.
    pub(in crate) fn show_open(&mut self, kept: Kept) {
        self.problems.clear();
        self.dialog = Some(Dialog::Open(OpenDialog::of(kept)));
    }

    /// Asks for the name of a file in a folder.
    pub fn show_save_as(&mut self, folder: PathBuf, name: String) {
        self.dialog = Some(Dialog::SaveAs(SaveDialog::of(folder, name)));
    }

    /// Closes whatever is open.
    pub fn close(&mut self) {
        self.dialog = None;
        self.problems.clear();
    }

    /// Whether a dialog is open.
    pub fn is_shown(&self) -> bool {
        self.dialog.is_some()
    }

    /// Whether the list of saved matches is open.
    pub fn lists(&self) -> bool {
        matches!(self.dialog, Some(Dialog::Open(_)))
    }

    /// Shows the open dialog.
    pub fn ui(&mut self, ui: &Ui, is_busy: bool, wishes: &mut Vec<FilesWish>) {
        let Some(dialog) = &mut self.dialog else {
            return;
        };
        let modal = dialog_ui(ui, "files", |ui| match dialog {
            Dialog::Open(open) => {
                ui.set_width((ui.ctx().content_rect().width() - 120.0).clamp(360.0, 640.0));
                open.ui(ui, &self.saves, &self.problems, is_busy, wishes)
            }
            Dialog::SaveAs(save_as) => {
                ui.set_width(440.0);
                save_as.ui(ui, wishes)
            }
        });
        if modal.inner || modal.should_close() {
            self.close();
        }
    }
}
