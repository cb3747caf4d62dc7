//! What the drawer shows: the rule book and the files of what is played or chosen.

use egui::Ui;

use super::App;
use super::work::Finished;
use boardwright_client::content::{BookContent, SourceFile};
use crate::drawer::{DrawerWish, FollowedMatch, Leaf, RulesInForce};

impl App {
    /// What is played, or chosen in the launcher.
    pub(super) fn ruleset(&self) -> Option<String> {
        match &self.running {
            Some(running) => running.desk().mirror().description().map(|description| description.ruleset.clone()),
            None => self.launcher.chosen().map(|card| card.id.clone()),
        }
    }

    /// Files have changed: what the drawer shows of them is read again.
    pub(super) fn files_changed(&mut self) {
        self.files_of = None;
        if self.running.is_none() {
            self.book = None;
        }
        for file in self.drawer.open_files() {
            self.read(file);
        }
    }

    pub(super) fn read(&mut self, file: SourceFile) {
        if self.reads.insert(file.clone()) {
            self.elsewhere(move |content, outbox| {
                let text = content.read_source(&file);
                outbox.put(Finished::Read(file, text));
            });
        }
    }

    pub(super) fn drawer_ui(&mut self, ui: &mut Ui) {
        let (Some(leaf), Some(ruleset)) = (self.drawer.leaf(), self.ruleset()) else {
            return;
        };
        self.find_book(&ruleset);
        if leaf == Leaf::Scripts && self.files_of.as_ref() != Some(&ruleset) {
            self.files_of = Some(ruleset.clone());
            let wanted = ruleset.clone();
            self.elsewhere(move |content, outbox| {
                let files = content.sources(&wanted);
                outbox.put(Finished::Sources(wanted, files));
            });
        }
        let problems = self.running.as_ref().map(|running| running.desk().problems());
        let card = self.launcher.chosen();
        let description = self.running.as_ref().and_then(|running| running.desk().mirror().description());
        let rules = RulesInForce {
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
            followed: self.running.as_ref().and_then(|running| FollowedMatch::of(running.desk())),
            reloads: self.running.as_ref().map_or(&[], |running| running.desk().changes.as_slice()),
        };
        let mut wishes = Vec::new();
        let book = self.book.as_ref().filter(|book| book.ruleset == ruleset);
        self.drawer.ui(ui, book, &rules, &mut wishes);
        for wish in wishes {
            self.grant(ui, wish);
        }
    }

    pub(super) fn grant(&mut self, ui: &Ui, wish: DrawerWish) {
        match wish {
            DrawerWish::Edit(place) => self.drawer.edit(place),
            DrawerWish::Read(file) => self.read(file),
            DrawerWish::Write { file, text, over } => self.elsewhere(move |content, outbox| {
                let now = content.read_source(&file).ok();
                if let Some(now) = now.filter(|now| *now != over && *now != text) {
                    outbox.put(Finished::Read(file, Ok(now)));
                    return;
                }
                _ = match content.write_source(&file, &text) {
                    Ok(()) => outbox.put(Finished::Written(file, text)),
                    Err(message) => outbox.put(Finished::Failed(message)),
                };
            }),
            DrawerWish::OpenElsewhere(file) => self.elsewhere(move |content, outbox| {
                if let Err(message) = content.open_elsewhere(&file) {
                    outbox.put(Finished::Failed(message));
                }
            }),
            DrawerWish::Follow(wish) => {
                if let Some(running) = &mut self.running {
                    running.desk_mut().follow(wish);
                }
            }
            DrawerWish::Browse(address) => ui.ctx().open_url(egui::OpenUrl::new_tab(address)),
        }
    }

    /// Gets the rule book of a ruleset: that of the running match comes with it, another one is read.
    pub(super) fn find_book(&mut self, ruleset: &str) {
        let description = self.running.as_ref().and_then(|running| running.desk().mirror().description());
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
            self.elsewhere(move |content, outbox| _ = outbox.put(Finished::Book(content.rule_book(&wanted))));
        }
    }
}
