//! The dialog in which a saved match is chosen: the list of those there are, and a path for any other.

use std::path::PathBuf;
use std::time::SystemTime;

use egui::{ScrollArea, TextEdit, Ui};

use super::head_ui;
use super::row::row_ui;
use crate::command::AppCommand;
use crate::keys::{self, Act};
use crate::panels::problem_ui;
use crate::texts::text;
use crate::theme::{ButtonKind, Icon, IconButton, from_right_ui, space, strong};
use boardwright_client::content::SaveCard;
use boardwright_model::diagnostic::Diagnostic;

const LIST_HEIGHT: f32 = 320.0;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SaveFilter {
    #[default]
    All,
    /// Those that can go on.
    Open,
    /// Those that have ended.
    Finished,
}

#[derive(Clone, Debug, Default)]
pub(super) struct OpenDialog {
    pub(super) filter: SaveFilter,
    search: String,
    path: String,
    chosen: Option<PathBuf>,
    to_delete: Option<PathBuf>,
}

impl OpenDialog {
    pub(super) fn of(filter: SaveFilter) -> Self {
        Self { filter, ..Self::default() }
    }

    /// Shows the dialog; true if it is to be closed.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        saves: &[SaveCard],
        problems: &[Diagnostic],
        is_busy: bool,
        commands: &mut Vec<AppCommand>,
    ) -> bool {
        let closed = head_ui(ui, text!("open-title"), is_busy);
        ui.horizontal(|ui| {
            for (filter, label) in [
                (SaveFilter::All, text!("open-all")),
                (SaveFilter::Open, text!("open-unfinished")),
                (SaveFilter::Finished, text!("open-finished")),
            ] {
                let button = IconButton::text(label).height(28.0).selected(self.filter == filter);
                if ui.add(button.kind(ButtonKind::Quiet)).clicked() {
                    self.filter = filter;
                }
            }
            let field = TextEdit::singleline(&mut self.search).hint_text(text!("open-search"));
            from_right_ui(ui, |ui| ui.add(field.desired_width(180.0))).accessible_name(text!("open-search"));
        });
        ui.add_space(space::XS);
        let listed: Vec<&SaveCard> = saves.iter().filter(|save| self.lists(save)).collect();
        if !listed.iter().any(|save| Some(&save.file) == self.chosen.as_ref()) {
            self.chosen = listed.first().map(|save| save.file.clone());
        }
        self.keys(ui, &listed, is_busy, commands);
        let now = SystemTime::now();
        ScrollArea::vertical()
            .id_salt("saves")
            .auto_shrink([false, false])
            .max_height(LIST_HEIGHT)
            .min_scrolled_height(LIST_HEIGHT)
            .show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                if listed.is_empty() {
                    ui.add_space(space::XL);
                    ui.vertical_centered(|ui| ui.weak(text!("open-none")));
                }
                for save in &listed {
                    let is_chosen = self.chosen.as_ref() == Some(&save.file);
                    let row = row_ui(ui, save, is_chosen, now);
                    if row.clicked() {
                        self.chosen = Some(save.file.clone());
                        self.to_delete = None;
                    }
                    if row.double_clicked() && !is_busy && save.content.is_ok() {
                        commands.push(AppCommand::Resume(save.file.clone()));
                    }
                }
            });
        for problem in problems {
            problem_ui(ui, problem);
        }
        ui.add_space(space::XS);
        if let Some(file) = self.to_delete.clone() {
            self.delete_ui(ui, file, commands);
        } else {
            self.buttons_ui(ui, &listed, is_busy, commands);
        }
        ui.separator();
        self.path_ui(ui, is_busy, commands);
        closed
    }

    fn lists(&self, save: &SaveCard) -> bool {
        let fits = match self.filter {
            SaveFilter::All => true,
            SaveFilter::Open => save.can_go_on(),
            SaveFilter::Finished => save.is_finished(),
        };
        let search = self.search.trim().to_lowercase();
        let content = save.content.iter().flat_map(|content| [&content.title, &content.scenario]);
        fits && [&save.name]
            .into_iter()
            .chain(content)
            .any(|text| text.to_lowercase().contains(&search))
    }

    /// Arrows choose, Enter opens, Delete asks whether to delete.
    fn keys(&mut self, ui: &Ui, listed: &[&SaveCard], is_busy: bool, commands: &mut Vec<AppCommand>) {
        if ui.ctx().text_edit_focused() {
            return;
        }
        let at = listed.iter().position(|save| Some(&save.file) == self.chosen.as_ref());
        let step = i32::from(keys::pressed(ui, Act::ListDown)) - i32::from(keys::pressed(ui, Act::ListUp));
        if let (Some(at), true) = (at, step != 0) {
            let next = at.saturating_add_signed(step as isize).min(listed.len().saturating_sub(1));
            self.chosen = listed.get(next).map(|save| save.file.clone());
            self.to_delete = None;
        }
        let Some(chosen) = at.and_then(|at| listed.get(at)) else {
            return;
        };
        if self.to_delete.is_none() && keys::pressed(ui, Act::ListDelete) {
            self.to_delete = Some(chosen.file.clone());
        }
        let has_focus = ui.memory(|memory| memory.focused().is_some());
        if !has_focus && self.to_delete.is_none() && !is_busy && chosen.content.is_ok() && keys::pressed(ui, Act::ListOpen) {
            commands.push(AppCommand::Resume(chosen.file.clone()));
        }
    }

    fn buttons_ui(&mut self, ui: &mut Ui, listed: &[&SaveCard], is_busy: bool, commands: &mut Vec<AppCommand>) {
        let chosen = listed.iter().find(|save| Some(&save.file) == self.chosen.as_ref());
        ui.horizontal(|ui| {
            let can_open = chosen.is_some_and(|save| save.content.is_ok()) && !is_busy;
            let open = IconButton::with_text(Icon::Open, text!("open-open")).kind(ButtonKind::Primary);
            if ui.add_enabled(can_open, open).clicked() {
                commands.extend(chosen.map(|save| AppCommand::Resume(save.file.clone())));
            }
            let watch = IconButton::with_text(Icon::Eye, text!("open-watch")).hint(text!("open-watch-line"));
            if ui.add_enabled(can_open, watch).clicked() {
                commands.extend(chosen.map(|save| AppCommand::Watch(save.file.clone())));
            }
            let delete = IconButton::with_text(Icon::Trash, text!("open-delete"));
            if from_right_ui(ui, |ui| ui.add_enabled(chosen.is_some(), delete)).clicked() {
                self.to_delete = chosen.map(|save| save.file.clone());
            }
        });
    }

    fn delete_ui(&mut self, ui: &mut Ui, file: PathBuf, commands: &mut Vec<AppCommand>) {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        ui.horizontal_wrapped(|ui| ui.label(strong(text!("open-delete-question", name = name))));
        ui.horizontal(|ui| {
            let delete = IconButton::with_text(Icon::Trash, text!("open-delete-yes")).kind(ButtonKind::Primary);
            if ui.add(delete).clicked() {
                commands.push(AppCommand::DeleteSave(file));
                self.to_delete = None;
            }
            if ui.add(IconButton::text(text!("dialog-cancel"))).clicked() {
                self.to_delete = None;
            }
        });
    }

    fn path_ui(&mut self, ui: &mut Ui, is_busy: bool, commands: &mut Vec<AppCommand>) {
        ui.horizontal(|ui| {
            let field = TextEdit::singleline(&mut self.path)
                .hint_text(text!("open-path"))
                .desired_width(ui.available_width() - 120.0);
            let written = ui.add(field).accessible_name(text!("open-path"));
            let is_entered = keys::is_entered(ui, &written);
            let can_open = !self.path.trim().is_empty() && !is_busy;
            let button = IconButton::text(text!("open-path-open"));
            if (ui.add_enabled(can_open, button).clicked() || is_entered) && can_open {
                commands.push(AppCommand::Resume(PathBuf::from(self.path.trim())));
            }
        });
    }
}
