//! What the tools panel shows: the rule book and the files of what is played or chosen.

use egui::Ui;

use super::App;
use super::background::BackgroundResult;
use crate::tools_panel::{ActiveRules, DebuggedMatch, ToolsCommand, ToolsTab};
use boardwright_client::content::{BookContent, SourceFile};

impl App {
    /// What is played, or chosen in the launcher.
    pub(super) fn ruleset(&self) -> Option<String> {
        match &self.running {
            Some(running) => running
                .controller()
                .mirror()
                .description()
                .map(|description| description.ruleset.clone()),
            None => self.launcher.chosen().map(|card| card.id.clone()),
        }
    }

    /// Files have changed: what the tools panel shows of them is read again.
    pub(super) fn files_changed(&mut self) {
        self.files_of = None;
        if self.running.is_none() {
            self.book = None;
        }
        for file in self.tools_panel.scripts().open_files() {
            self.read(file);
        }
    }

    pub(super) fn read(&mut self, file: SourceFile) {
        if self.reads.insert(file.clone()) {
            self.in_background(move |content, outbox| {
                let text = content.read_source(&file, &crate::texts::locale());
                outbox.put(BackgroundResult::Read(file, text));
            });
        }
    }

    pub(super) fn tools_panel_ui(&mut self, ui: &mut Ui) {
        let (Some(tab), Some(ruleset)) = (self.tools_panel.tab(), self.ruleset()) else {
            return;
        };
        self.find_book(&ruleset);
        if tab == ToolsTab::Scripts && self.files_of.as_ref() != Some(&ruleset) {
            self.files_of = Some(ruleset.clone());
            let wanted = ruleset.clone();
            self.in_background(move |content, outbox| {
                let files = content.sources(&wanted);
                outbox.put(BackgroundResult::Sources(wanted, files));
            });
        }
        let problems = self.running.as_ref().map(|running| running.controller().problems());
        let card = self.launcher.chosen();
        let description = self
            .running
            .as_ref()
            .and_then(|running| running.controller().mirror().description());
        let rules = ActiveRules {
            title: match (description, card) {
                (Some(description), _) => &description.title,
                (None, Some(card)) => &card.title,
                (None, None) => &ruleset,
            },
            is_running: self.running.is_some(),
            fingerprint: description.map(|description| description.fingerprint),
            problems: match (&problems, card) {
                (Some(problems), _) => problems,
                (None, Some(card)) => &card.problems,
                (None, None) => &[],
            },
            debugged: self.running.as_ref().and_then(|running| DebuggedMatch::of(running.controller())),
            reloads: self.running.as_ref().map_or(&[], |running| running.controller().rule_changes()),
        };
        let mut commands = Vec::new();
        let book = self.book.as_ref().filter(|book| book.ruleset == ruleset);
        self.tools_panel.ui(ui, book, &rules, &mut commands);
        for command in commands {
            self.handle_tools(ui, command);
        }
    }

    pub(super) fn handle_tools(&mut self, ui: &Ui, command: ToolsCommand) {
        match command {
            ToolsCommand::Edit(place) => self.tools_panel.edit(place),
            ToolsCommand::Read(file) => self.read(file),
            ToolsCommand::Write { file, text, over } => self.in_background(move |content, outbox| {
                let now = content.read_source(&file, &crate::texts::locale()).ok();
                if let Some(now) = now.filter(|now| *now != over && *now != text) {
                    outbox.put(BackgroundResult::Read(file, Ok(now)));
                    return;
                }
                _ = match content.write_source(&file, &text, &crate::texts::locale()) {
                    Ok(()) => outbox.put(BackgroundResult::Written(file, text)),
                    Err(message) => outbox.put(BackgroundResult::Failed(message)),
                };
            }),
            ToolsCommand::OpenElsewhere(file) => self.in_background(move |content, outbox| {
                if let Err(message) = content.open_elsewhere(&file) {
                    outbox.put(BackgroundResult::Failed(message));
                }
            }),
            ToolsCommand::Debug(command) => {
                if let Some(running) = &mut self.running {
                    running.controller_mut().handle_debug(command);
                }
            }
            ToolsCommand::Browse(address) => ui.ctx().open_url(egui::OpenUrl::new_tab(address)),
        }
    }

    /// Gets the rule book of a ruleset: that of the running match comes with it, another one is read.
    pub(super) fn find_book(&mut self, ruleset: &str) {
        let description = self
            .running
            .as_ref()
            .and_then(|running| running.controller().mirror().description());
        let known = self.book.as_ref().filter(|book| book.ruleset == ruleset);
        if let Some(description) = description {
            let is_same = |book: &BookContent| book.fingerprint == Some(description.fingerprint) && book.pages == description.help;
            if !known.is_some_and(is_same) {
                self.book = Some(BookContent {
                    ruleset: description.ruleset.clone(),
                    fingerprint: Some(description.fingerprint),
                    pages: description.help.clone(),
                    rules: description.rules.clone(),
                    art: description.art.clone(),
                });
            }
        } else if known.is_none() && self.reads_book.as_deref() != Some(ruleset) {
            self.reads_book = Some(ruleset.to_owned());
            let wanted = ruleset.to_owned();
            self.in_background(move |content, outbox| {
                _ = outbox.put(BackgroundResult::Book(content.rule_book(&wanted, &crate::texts::locale())));
            });
        }
    }
}
