//! What the tools panel shows: the rule book and the files of what is played or chosen.

use std::sync::Arc;

use egui::Ui;

use super::App;
use crate::command::AppCommand;
use crate::match_controller::MatchController;
use crate::match_screen::MatchScreen;
use crate::texts;
use crate::tools_panel::{ActiveRules, TextPosition, ToolsTab};
use boardwright_client::content::BookContent;
use boardwright_protocol::Description;

impl App {
    /// The running match, as it describes itself.
    pub(super) fn description(&self) -> Option<&Arc<Description>> {
        self.running.as_ref()?.controller.mirror().description()
    }

    /// What is played, or chosen in the launcher.
    fn ruleset(&self) -> Option<String> {
        match &self.running {
            Some(_) => self.description().map(|description| description.ruleset.clone()),
            None => self.launcher.chosen().map(|card| card.id.clone()),
        }
    }

    /// Files have changed: what the tools panel shows of them is read again.
    pub(super) fn files_changed(&mut self) {
        self.files_of = None;
        if self.running.is_none() {
            self.book = None;
        }
        for file in self.tools_panel.scripts.open_files() {
            self.read(file);
        }
    }

    pub(super) fn tools_panel_ui(&mut self, ui: &mut Ui, commands: &mut Vec<AppCommand>) {
        let (Some(tab), Some(ruleset)) = (self.tools_panel.tab, self.ruleset()) else {
            return;
        };
        self.find_book(&ruleset);
        if tab == ToolsTab::Scripts && self.files_of.as_ref() != Some(&ruleset) {
            self.files_of = Some(ruleset.clone());
            let wanted = ruleset.clone();
            self.in_background(move |content, outbox| {
                let files = content.sources(&wanted);
                outbox.put(move |app| {
                    app.tools_panel.scripts.set_files(&wanted, files);
                    if let Some((_, place)) = app.own_copy.take_if(|(copy, _)| *copy == wanted) {
                        app.tools_panel.seek(TextPosition::at_line(&place, 1), true);
                    }
                });
            });
        }
        let controller = self.running.as_ref().map(MatchScreen::controller);
        let problems = controller.map(MatchController::problems);
        let card = self.launcher.chosen();
        let title = controller.and_then(|controller| Some(&controller.mirror().description()?.title));
        let rules = ActiveRules {
            title: title.or(card.map(|card| &card.title)).unwrap_or(&ruleset),
            problems: problems.as_deref().or(card.map(|card| &*card.problems)).unwrap_or_default(),
            controller,
        };
        let book = self.book.as_ref().filter(|book| book.ruleset == ruleset);
        self.tools_panel.ui(ui, book, rules, commands);
    }

    /// Gets the rule book of a ruleset: that of the running match comes with it, another one is read.
    fn find_book(&mut self, ruleset: &str) {
        let known = self.book.as_ref().filter(|book| book.ruleset == ruleset);
        if let Some(description) = self.description() {
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
                let book = content.rule_book(&wanted, &texts::locale());
                outbox.put(|app| (app.book, app.reads_book) = (Some(book), None));
            });
        }
    }
}
