//! The active rules: what changed in them, what is wrong with them, and an editor for their files.

use std::collections::BTreeMap;

use egui::{CollapsingHeader, ComboBox, Frame, Id, Margin, Panel, RichText, ScrollArea, Ui};

use super::debugger::DebuggerPanel;
use super::editor::{Buffer, LineMarks};
use super::{ActiveRules, TextPosition};
use crate::command::{AppCommand, button_ui};
use crate::keys::{self, Act};
use crate::match_controller::{DebugCommand, MatchController};
use crate::panels::linked_problem_ui;
use crate::resizable::resizable_ui;
use crate::texts::text;
use crate::theme::{ButtonKind, Icon, IconButton, Palette, remark, remark_ui, size, space, strong};
use boardwright_client::content::SourceFile;
use boardwright_model::diagnostic::{Diagnostic, Severity};

const PROBLEMS_HEIGHT: [f32; 3] = [150.0, 60.0, 400.0];

/// A place that is to be seen.
#[derive(Clone, Debug)]
pub(super) struct Sought {
    pub(super) place: TextPosition,
    /// Whether the cursor is put there.
    pub(super) takes_cursor: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Scripts {
    ruleset: String,
    files: Vec<SourceFile>,
    /// The files that were opened, by their place.
    buffers: BTreeMap<String, Buffer>,
    shown: Option<String>,
    /// What is to be seen when the files are there.
    pub(super) sought: Option<Sought>,
    asks_discard: bool,
    /// Whether long lines are wrapped.
    pub(crate) wraps: bool,
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
    pub(super) fn ui(&mut self, ui: &mut Ui, rules: ActiveRules<'_>, commands: &mut Vec<AppCommand>) {
        self.settle(commands);
        active_rules_ui(ui, rules);
        let debugged = rules.controller.filter(|controller| !controller.strategy_seats().is_empty());
        if let Some(controller) = debugged {
            self.debugger.ui(ui, controller, commands);
        }
        if self.files.is_empty() {
            ui.weak(text!("scripts-none"));
            problems_ui(ui, rules.problems, commands);
            return;
        }
        let shown = self.files_ui(ui, rules.problems, commands);
        if !rules.problems.is_empty() {
            let frame = Frame::NONE.inner_margin(Margin::symmetric(0, space::S as i8));
            resizable_ui(ui, Panel::bottom, "script problems", PROBLEMS_HEIGHT, frame, |ui| {
                ScrollArea::vertical()
                    .id_salt("script problems")
                    .auto_shrink([false, false])
                    .show(ui, |ui| problems_ui(ui, rules.problems, commands));
            });
        }
        if let Some(file) = shown {
            let playing = (rules.controller, debugged);
            self.editor_ui(ui, &file, rules.problems, playing, commands);
        }
    }

    fn file(&self, place: &str) -> Option<&SourceFile> {
        self.files.iter().find(|file| file.place == place)
    }

    /// Goes where it was asked to go, and reads what is to be shown.
    fn settle(&mut self, commands: &mut Vec<AppCommand>) {
        let sought = self.sought.take_if(|_| !self.files.is_empty());
        if let Some(sought) = sought.filter(|sought| self.file(&sought.place.file).is_some()) {
            self.shown = Some(sought.place.file.clone());
            match self.buffers.get_mut(&sought.place.file) {
                Some(buffer) => buffer.sought = Some(sought),
                // Read first.
                None => self.sought = Some(sought),
            }
        }
        if self.shown.is_none() {
            let first_script = self.files.iter().find(|file| file.is_script());
            self.shown = first_script.or(self.files.first()).map(|file| file.place.clone());
        }
        let missing = self.shown.as_ref().filter(|place| !self.buffers.contains_key(*place));
        commands.extend(missing.and_then(|place| self.file(place)).cloned().map(AppCommand::Read));
    }

    /// Shows the choice of a file, and returns the chosen one.
    fn files_ui(&mut self, ui: &mut Ui, problems: &[Diagnostic], commands: &mut Vec<AppCommand>) -> Option<SourceFile> {
        let label = |file: &SourceFile| {
            let is_changed = self.buffers.get(&file.place).is_some_and(Buffer::is_changed);
            let is_error = |problem: &&Diagnostic| problem.file() == file.place && problem.severity == Severity::Error;
            let errors = match problems.iter().filter(is_error).count() {
                0 => String::new(),
                errors => format!("  ({})", text!("scripts-errors", count = errors)),
            };
            format!("{}{}{errors}", if is_changed { "● " } else { "" }, file.place)
        };
        let file = self.file(self.shown.as_ref()?);
        let mut chosen = file;
        let (wraps, mut toggles_wrap) = (self.wraps, false);
        ui.horizontal(|ui| {
            let width = (ui.available_width() - 88.0).max(120.0);
            let combo = ComboBox::from_id_salt("script files")
                .selected_text(file.map_or_else(String::new, label))
                .width(width)
                .truncate()
                .height(360.0)
                .show_ui(ui, |ui| {
                    for file in &self.files {
                        ui.selectable_value(&mut chosen, Some(file), label(file));
                    }
                });
            combo.response.accessible_name(text!("scripts-file"));
            let wrap = IconButton::icon(Icon::Wrap, text!("scripts-wrap")).selected(wraps);
            toggles_wrap = ui.add(wrap).clicked();
            let in_background = IconButton::icon(Icon::Open, text!("scripts-elsewhere"));
            if let (true, Some(file)) = (ui.add(in_background).clicked(), file) {
                commands.push(AppCommand::OpenElsewhere(file.clone()));
            }
        });
        let (is_other, chosen) = (chosen != file, chosen.cloned());
        self.wraps ^= toggles_wrap;
        if is_other {
            self.shown = chosen.as_ref().map(|file| file.place.clone());
            self.asks_discard = false;
        }
        chosen
    }

    fn editor_ui(
        &mut self,
        ui: &mut Ui,
        file: &SourceFile,
        problems: &[Diagnostic],
        (played, debugged): (Option<&MatchController>, Option<&MatchController>),
        commands: &mut Vec<AppCommand>,
    ) {
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
        if file.is_bundled && !is_changed {
            bundled_ui(ui, file, played, commands);
        } else {
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
                    ui.label(remark(if is_changed {
                        text!("scripts-changed")
                    } else {
                        text!("scripts-in-file")
                    }));
                }
            });
        }
        if is_overtaken {
            ui.label(remark(text!("scripts-overtaken")).color(palette.warning));
        }
        let own = problems.iter().filter(|problem| problem.file() == file.place && problem.line() > 0);
        let own: Vec<&Diagnostic> = own.collect();
        let mut marks = debugged.map_or_else(LineMarks::default, |controller| {
            let paused = controller.mirror().paused_strategy();
            LineMarks {
                may_break: file.is_script(),
                breaks: controller.debugger().lines_of(&file.place),
                paused: paused.filter(|paused| paused.file == file.place).map(|paused| paused.line),
                clicked: None,
            }
        });
        let shown = (file.place.as_str(), file.is_script(), self.wraps, file.is_bundled && !is_changed);
        buffer.ui(ui, id, shown, &own, &mut marks);
        if let Some(line) = marks.clicked {
            commands.push(DebugCommand::ToggleBreakPoint(file.place.clone(), line).into());
        }
        if saves {
            self.save(file, commands);
        }
    }
}

/// Says that a file came with the program, and offers an own copy of its ruleset to be changed.
fn bundled_ui(ui: &mut Ui, file: &SourceFile, played: Option<&MatchController>, commands: &mut Vec<AppCommand>) {
    let text = match played {
        None => text!("scripts-bundled"),
        Some(played) if file.ruleset().is_some_and(|of| played.autosave_for(of).is_some()) => text!("scripts-bundled-goes-on"),
        Some(_) => text!("scripts-bundled-match"),
    };
    remark_ui(ui, text);
    if file.ruleset().is_some() {
        let copy = IconButton::with_text(Icon::Layers, text!("scripts-copy")).kind(ButtonKind::Primary);
        button_ui(ui, copy.height(28.0), AppCommand::CopyRuleset(file.clone()), commands);
    }
}

/// Which rules are active, and what changed in them while the match ran.
fn active_rules_ui(ui: &mut Ui, rules: ActiveRules<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.label(strong(rules.title));
        if let Some(description) = rules.controller.and_then(|controller| controller.mirror().description()) {
            let short = RichText::new(description.fingerprint.short()).monospace().size(size::SMALL);
            ui.label(short.weak()).on_hover_text(text!("scripts-fingerprint"));
        }
    });
    let Some(reloads) = rules.controller.map(MatchController::rule_changes) else {
        return;
    };
    if reloads.is_empty() {
        ui.label(remark(text!("scripts-as-begun")));
        return;
    }
    let title = text!("scripts-reloads", count = reloads.len());
    CollapsingHeader::new(RichText::new(title).size(size::SMALL))
        .id_salt("reloads")
        .show(ui, |ui| {
            ScrollArea::vertical().id_salt("reloads").max_height(110.0).show(ui, |ui| {
                for reload in reloads.iter().rev() {
                    let what = reload.changes.join(", ");
                    ui.label(remark(text!("scripts-reload", what = what, milliseconds = reload.milliseconds)));
                }
            });
        });
}

/// What is wrong with the rules, each with a way to its place.
fn problems_ui(ui: &mut Ui, problems: &[Diagnostic], commands: &mut Vec<AppCommand>) {
    for problem in problems {
        if linked_problem_ui(ui, problem) {
            commands.push(AppCommand::Edit(TextPosition::of(problem)));
        }
    }
}
