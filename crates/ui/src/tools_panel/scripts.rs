//! The active rules: what changed in them, what is wrong with them, and an editor for their files.

use std::collections::BTreeMap;

use egui::{CollapsingHeader, ComboBox, Id, Panel, RichText, ScrollArea, Ui};

use super::debugger::DebuggerPanel;
use super::editor::{Buffer, LineMarks};
use super::{ActiveRules, Place};
use crate::command::AppCommand;
use crate::keys::{self, Act};
use crate::match_controller::DebugCommand;
use crate::panels::linked_problem_ui;
use crate::texts::text;
use crate::theme::{ButtonKind, Icon, IconButton, Palette, name_handle, size, space, strong};
use boardwright_client::content::SourceFile;
use boardwright_model::diagnostic::{Diagnostic, Severity};

const PROBLEMS_HEIGHT: f32 = 150.0;

#[derive(Debug, Default)]
pub(crate) struct Scripts {
    ruleset: String,
    files: Vec<SourceFile>,
    /// The files that were opened, by their place.
    buffers: BTreeMap<String, Buffer>,
    shown: Option<String>,
    /// Where to go when the files are there.
    pub(super) goes_to: Option<Place>,
    /// The line of a file that is to be seen when the files are there.
    pub(super) looks_at: Option<Place>,
    asks_discard: bool,
    debugger: DebuggerPanel,
}

impl Scripts {
    pub(crate) fn set_files(&mut self, ruleset: &str, files: Vec<SourceFile>) {
        if self.ruleset != ruleset {
            ruleset.clone_into(&mut self.ruleset);
            // What was written and not saved is kept, whatever is played meanwhile.
            self.buffers.retain(|_, buffer| buffer.is_changed());
            self.shown = None;
        }
        self.files = files;
    }

    pub(crate) fn set_text(&mut self, place: String, text: String) {
        match self.buffers.get_mut(&place) {
            Some(buffer) => buffer.take(text),
            None => drop(self.buffers.insert(place, Buffer::of(text))),
        }
    }

    pub(crate) fn on_written(&mut self, place: &str, text: String) {
        if let Some(buffer) = self.buffers.get_mut(place) {
            buffer.on_written(text);
        }
    }

    /// The files with changes that were not saved.
    pub(crate) fn unsaved(&self) -> Vec<String> {
        let changed = self.buffers.iter().filter(|(_, buffer)| buffer.is_changed());
        changed.map(|(place, _)| place.clone()).collect()
    }

    pub(crate) fn open_files(&self) -> Vec<SourceFile> {
        let is_open = |file: &&SourceFile| self.buffers.contains_key(&file.place);
        self.files.iter().filter(is_open).cloned().collect()
    }

    pub(crate) fn save_all(&self, commands: &mut Vec<AppCommand>) {
        for file in &self.files {
            self.save(file, commands);
        }
    }

    /// Writes what was changed; not over what another program has written meanwhile.
    fn save(&self, file: &SourceFile, commands: &mut Vec<AppCommand>) {
        let to_write = |buffer: &&Buffer| buffer.is_changed() && !buffer.is_overtaken;
        if let Some(buffer) = self.buffers.get(&file.place).filter(to_write) {
            commands.push(AppCommand::Write {
                file: file.clone(),
                text: buffer.text.clone(),
                over: buffer.saved.clone(),
            });
        }
    }

    /// Shows the active rules, their files and the editor.
    pub(super) fn ui(&mut self, ui: &mut Ui, rules: &ActiveRules<'_>, commands: &mut Vec<AppCommand>) {
        self.settle(commands);
        in_force_ui(ui, rules);
        if let Some(debugged) = &rules.debugged {
            self.debugger.ui(ui, debugged, commands);
        }
        if self.files.is_empty() {
            ui.label(RichText::new(text!("scripts-none")).color(Palette::of(ui.visuals()).muted));
            problems_ui(ui, rules.problems, commands);
            return;
        }
        self.files_ui(ui, rules.problems, commands);
        let shown = self
            .shown
            .clone()
            .and_then(|place| self.files.iter().find(|file| file.place == place).cloned());
        if !rules.problems.is_empty() {
            Panel::bottom("script problems")
                .resizable(true)
                .default_size(PROBLEMS_HEIGHT)
                .size_range(60.0..=400.0)
                .frame(egui::Frame::NONE.inner_margin(egui::Margin::symmetric(0, space::S as i8)))
                .show(ui, |ui| {
                    ScrollArea::vertical()
                        .id_salt("script problems")
                        .auto_shrink([false, false])
                        .show(ui, |ui| {
                            problems_ui(ui, rules.problems, commands);
                        });
                });
            name_handle(ui, "script problems");
        }
        if let Some(file) = shown {
            self.editor_ui(ui, &file, rules, commands);
        }
    }

    /// Goes where it was asked to go, and reads what is to be shown.
    fn settle(&mut self, commands: &mut Vec<AppCommand>) {
        if let Some(place) = self.goes_to.take() {
            if self.files.is_empty() {
                self.goes_to = Some(place);
                return;
            }
            if self.files.iter().any(|file| file.place == place.file) {
                self.shown = Some(place.file.clone());
                match self.buffers.get_mut(&place.file) {
                    Some(buffer) => buffer.goes_to = Some((place.line, place.column)),
                    // Read first.
                    None => self.goes_to = Some(place),
                }
            }
        }
        if let Some(place) = self.looks_at.take_if(|_| !self.files.is_empty())
            && self.files.iter().any(|file| file.place == place.file)
        {
            self.shown = Some(place.file.clone());
            match self.buffers.get_mut(&place.file) {
                Some(buffer) => buffer.looks_at = Some(place.line),
                // Read first.
                None => self.looks_at = Some(place),
            }
        }
        if self.shown.is_none() {
            let usual = self.files.iter().find(|file| file.is_script());
            self.shown = usual.or(self.files.first()).map(|file| file.place.clone());
        }
        let missing = self.shown.as_ref().filter(|place| !self.buffers.contains_key(*place));
        if let Some(file) = missing.and_then(|place| self.files.iter().find(|file| file.place == *place)) {
            commands.push(AppCommand::Read(file.clone()));
        }
    }

    fn files_ui(&mut self, ui: &mut Ui, problems: &[Diagnostic], commands: &mut Vec<AppCommand>) {
        let label = |file: &SourceFile, buffers: &BTreeMap<String, Buffer>| {
            let mark = if buffers.get(&file.place).is_some_and(Buffer::is_changed) {
                "● "
            } else {
                ""
            };
            let errors = problems
                .iter()
                .filter(|problem| problem.file() == file.place && problem.severity == Severity::Error)
                .count();
            let errors = if errors > 0 {
                format!("  ({})", text!("scripts-errors", count = errors))
            } else {
                String::new()
            };
            format!("{mark}{}{errors}", file.place)
        };
        let Some(shown) = self.shown.clone() else {
            return;
        };
        let file = self.files.iter().find(|file| file.place == shown).cloned();
        ui.horizontal(|ui| {
            let width = (ui.available_width() - 44.0).max(120.0);
            let mut chosen = shown.clone();
            let combo = ComboBox::from_id_salt("script files")
                .selected_text(file.as_ref().map_or_else(String::new, |file| label(file, &self.buffers)))
                .width(width)
                .truncate()
                .height(360.0)
                .show_ui(ui, |ui| {
                    for file in &self.files {
                        ui.selectable_value(&mut chosen, file.place.clone(), label(file, &self.buffers));
                    }
                });
            combo.response.accessible_name(text!("scripts-file"));
            if chosen != shown {
                self.shown = Some(chosen);
                self.asks_discard = false;
            }
            let in_background = IconButton::icon(Icon::Open, text!("scripts-elsewhere"));
            if let (true, Some(file)) = (ui.add(in_background).clicked(), &file) {
                commands.push(AppCommand::OpenElsewhere(file.clone()));
            }
        });
    }

    fn editor_ui(&mut self, ui: &mut Ui, file: &SourceFile, rules: &ActiveRules<'_>, commands: &mut Vec<AppCommand>) {
        let palette = Palette::of(ui.visuals());
        let id = Id::unique("script editor").with(&file.place);
        let Some(buffer) = self.buffers.get_mut(&file.place) else {
            ui.spinner();
            return;
        };
        let (is_changed, is_overtaken) = (buffer.is_changed(), buffer.is_changed() && buffer.is_overtaken);
        let has_focus = ui.memory(|memory| memory.has_focus(id));
        let is_pressed = has_focus && keys::pressed(ui, Act::SaveScript);
        let mut saves = is_pressed && is_changed;
        ui.horizontal(|ui| {
            if is_overtaken {
                let over = IconButton::with_text(Icon::Save, text!("scripts-write-over")).height(28.0);
                if ui.add(over).clicked() {
                    (buffer.is_overtaken, saves) = (false, true);
                }
            } else {
                let save = IconButton::with_text(Icon::Save, text!("scripts-save"))
                    .kind(ButtonKind::Primary)
                    .height(28.0);
                saves |= ui.add_enabled(is_changed, save).clicked();
            }
            if self.asks_discard && is_changed {
                if ui.add(IconButton::text(text!("scripts-discard-yes")).height(28.0)).clicked() {
                    buffer.discard();
                    self.asks_discard = false;
                }
                if ui.add(IconButton::text(text!("dialog-cancel")).height(28.0)).clicked() {
                    self.asks_discard = false;
                }
            } else {
                let discard = IconButton::text(text!("scripts-discard")).height(28.0);
                self.asks_discard = ui.add_enabled(is_changed, discard).clicked();
            }
            if !self.asks_discard && !is_overtaken {
                let told = if is_changed {
                    text!("scripts-changed")
                } else {
                    text!("scripts-in-file")
                };
                ui.label(RichText::new(told).size(size::SMALL).color(palette.muted));
            }
        });
        if is_overtaken {
            ui.label(RichText::new(text!("scripts-overtaken")).size(size::SMALL).color(palette.warning));
        }
        let own: Vec<&Diagnostic> = rules
            .problems
            .iter()
            .filter(|problem| problem.file() == file.place && problem.line() > 0)
            .collect();
        let mut marks = rules.debugged.as_ref().map_or_else(LineMarks::default, |debugged| LineMarks {
            may_break: file.is_script(),
            breaks: debugged.debugger.lines_of(&file.place),
            halted: debugged.halted.filter(|halted| halted.file == file.place).map(|halted| halted.line),
            clicked: None,
        });
        buffer.ui(ui, id, &file.place, file.is_script(), &own, &mut marks);
        if let Some(line) = marks.clicked {
            commands.push(DebugCommand::ToggleBreakPoint(file.place.clone(), line).into());
        }
        if saves {
            self.save(file, commands);
        }
    }
}

/// Which rules are active, and what changed in them while the match ran.
fn in_force_ui(ui: &mut Ui, rules: &ActiveRules<'_>) {
    let palette = Palette::of(ui.visuals());
    ui.horizontal_wrapped(|ui| {
        ui.label(strong(rules.title));
        if let Some(fingerprint) = &rules.fingerprint {
            let short = RichText::new(fingerprint.short())
                .monospace()
                .size(size::SMALL)
                .color(palette.muted);
            ui.label(short).on_hover_text(text!("scripts-fingerprint"));
        }
    });
    if rules.reloads.is_empty() {
        if rules.is_running {
            ui.label(RichText::new(text!("scripts-as-begun")).size(size::SMALL).color(palette.muted));
        }
        return;
    }
    let title = text!("scripts-reloads", count = rules.reloads.len());
    CollapsingHeader::new(RichText::new(title).size(size::SMALL))
        .id_salt("reloads")
        .show(ui, |ui| {
            ScrollArea::vertical().id_salt("reloads").max_height(110.0).show(ui, |ui| {
                for reload in rules.reloads.iter().rev() {
                    let what = reload.changes.join(", ");
                    let line = text!("scripts-reload", what = what, milliseconds = reload.milliseconds);
                    ui.label(RichText::new(line).size(size::SMALL).color(palette.muted));
                }
            });
        });
}

/// What is wrong with the rules, each with a way to its place.
fn problems_ui(ui: &mut Ui, problems: &[Diagnostic], commands: &mut Vec<AppCommand>) {
    for problem in problems {
        if linked_problem_ui(ui, problem) {
            commands.push(AppCommand::Edit(Place::of(problem)));
        }
    }
}
