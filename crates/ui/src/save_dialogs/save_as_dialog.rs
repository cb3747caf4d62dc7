//! The dialog in which a match is given a name.

use std::path::{Path, PathBuf};

use egui::{TextEdit, Ui};

use super::head_ui;
use crate::command::AppCommand;
use crate::keys;
use crate::texts::text;
use crate::theme::{ButtonKind, Icon, IconButton, Palette, remark, space, strong};

#[derive(Clone, Debug, Default)]
pub(super) struct SaveDialog {
    folder: PathBuf,
    name: String,
    /// The ending of the files of saved matches.
    ending: &'static str,
    /// The file of which it was asked whether it may be replaced.
    asked: Option<PathBuf>,
    was_shown: bool,
}

/// Why a name is none for a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NameFault {
    Empty,
    Sign(char),
}

impl SaveDialog {
    pub(super) fn of(folder: PathBuf, name: String, ending: &'static str) -> Self {
        Self {
            folder,
            name,
            ending,
            ..Self::default()
        }
    }

    /// Shows the dialog; true if it is to be closed.
    pub(super) fn ui(&mut self, ui: &mut Ui, commands: &mut Vec<AppCommand>) -> bool {
        let palette = Palette::of(ui.visuals());
        let mut closed = head_ui(ui, text!("save-as-title"), false);
        let field = TextEdit::singleline(&mut self.name).desired_width(f32::INFINITY);
        let written = ui.add(field).accessible_name(text!("save-as-name"));
        if !std::mem::replace(&mut self.was_shown, true) {
            written.request_focus();
        }
        if written.changed() {
            self.asked = None;
        }
        let file = file_of(&self.folder, &self.name, self.ending);
        let text = match &file {
            Ok(file) => file.display().to_string(),
            Err(NameFault::Empty) => text!("save-as-empty"),
            Err(NameFault::Sign(sign)) => text!("save-as-sign", sign = sign.to_string()),
        };
        let text = remark(text);
        ui.label(if file.is_ok() { text } else { text.color(palette.danger) });
        if self.asked.is_some() {
            ui.label(strong(text!("save-as-replace-question")));
        }
        ui.add_space(space::S);
        let is_entered = keys::is_entered(ui, &written);
        ui.horizontal(|ui| {
            let label = if self.asked.is_some() {
                text!("save-as-replace")
            } else {
                text!("save-as-save")
            };
            let button = IconButton::with_text(Icon::Save, label).kind(ButtonKind::Primary);
            let is_pressed = ui.add_enabled(file.is_ok(), button).clicked() || is_entered;
            if let (true, Ok(file)) = (is_pressed, &file) {
                if self.asked.as_ref() == Some(file) || !file.exists() {
                    commands.push(AppCommand::SaveAs(file.clone()));
                    closed = true;
                } else {
                    self.asked = Some(file.clone());
                    written.request_focus();
                }
            }
            closed |= ui.add(IconButton::text(text!("dialog-cancel"))).clicked();
        });
        closed
    }
}

/// The file of a name: in the folder of saves, unless the name is a path of its own.
fn file_of(folder: &Path, name: &str, ending: &str) -> Result<PathBuf, NameFault> {
    let name = name.trim();
    let is_path = Path::new(name).is_absolute();
    let bare = name.strip_suffix(ending).unwrap_or(name);
    if bare.is_empty() || bare.ends_with(['/', '\\']) {
        return Err(NameFault::Empty);
    }
    // Signs that no system, or not every one, takes in the name of a file.
    let is_wrong = |sign: &char| sign.is_control() || "<>\"|?*".contains(*sign) || (!is_path && "/\\:".contains(*sign));
    if let Some(sign) = bare.chars().find(is_wrong) {
        return Err(NameFault::Sign(sign));
    }
    Ok(folder.join(format!("{bare}{ending}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_file_in_the_folder_and_a_path_is_itself() {
        let folder = Path::new("/saves");
        let file = |name: &str| file_of(folder, name, ".save.xml").map(|file| file.display().to_string());
        assert_eq!(file(" evening ").unwrap(), "/saves/evening.save.xml");
        assert_eq!(file("evening.save.xml").unwrap(), "/saves/evening.save.xml");
        assert_eq!(file("/tmp/a").unwrap(), "/tmp/a.save.xml");
        assert_eq!(file("  "), Err(NameFault::Empty));
        assert_eq!(file("../a"), Err(NameFault::Sign('/')));
        assert_eq!(file("a?"), Err(NameFault::Sign('?')));
    }
}
