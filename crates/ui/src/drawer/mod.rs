//! The drawer at the left of every screen: the rule book, and the rules in force with an editor for their files.

mod book;
mod editor;
mod following;
mod highlight;
mod markdown;
mod page;
mod scripts;

use egui::{Align, Frame, Layout, Margin, Panel, Ui};

use book::Book;
pub(super) use following::FollowedMatch;
use scripts::Scripts;
use serde::{Deserialize, Serialize};

use boardwright_client::content::{BookContent, SourceFile};
use super::desk::{FollowWish, ReloadNotice};
use super::texts::text;
use super::theme::{ButtonKind, Icon, IconButton, Palette, name_handle, space};
use boardwright_protocol::Problem;
use boardwright_model::Fingerprint;

/// The width of the drawer as it is opened first, the least and the most.
const WIDTH: (f32, f32, f32) = (420.0, 300.0, 900.0);

/// A place in a file of a ruleset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, as diagnostics name it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl Place {
    /// Where a problem is.
    pub fn of(problem: &Problem) -> Self {
        Self {
            file: problem.file.clone(),
            line: problem.line.max(1),
            column: problem.column.max(1),
        }
    }
}

/// What was asked for in the drawer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DrawerWish {
    /// Show a place of a file in the editor.
    Edit(Place),
    /// Read a file.
    Read(SourceFile),
    /// Write a text into a file.
    Write {
        /// The file.
        file: SourceFile,
        /// What is to be in it.
        text: String,
        /// What is in it now, as far as is known. If it is something else, it is shown and nothing is written.
        over: String,
    },
    /// Open a file in the editor of the system.
    OpenElsewhere(SourceFile),
    /// Something about following strategies.
    Follow(FollowWish),
    /// Open an address outside of the program.
    Browse(String),
}

/// What the drawer can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Leaf {
    /// The rule book.
    Book,
    /// The rules in force and their files.
    Scripts,
}

/// The rules in force, as far as the drawer tells of them.
#[derive(Clone, Debug)]
pub struct RulesInForce<'a> {
    /// The title of the ruleset.
    pub title: &'a str,
    /// Whether a match is running under them.
    pub is_running: bool,
    /// Which they are.
    pub fingerprint: Option<Fingerprint>,
    /// What is wrong with them.
    pub problems: &'a [Problem],
    /// The changes that came into force while the match ran, oldest first.
    pub reloads: &'a [ReloadNotice],
    /// The match whose strategies can be followed.
    pub followed: Option<FollowedMatch<'a>>,
}

/// The state of the drawer.
#[derive(Debug, Default)]
pub struct Drawer {
    leaf: Option<Leaf>,
    book: Book,
    scripts: Scripts,
    /// The rule that the book is to be opened at.
    rule: Option<String>,
}

impl Drawer {
    /// What is shown; none if the drawer is closed.
    pub fn leaf(&self) -> Option<Leaf> {
        self.leaf
    }

    /// Shows something, or closes the drawer if it is shown already.
    pub fn toggle(&mut self, leaf: Leaf) {
        self.leaf = (self.leaf != Some(leaf)).then_some(leaf);
    }

    /// Shows something.
    pub fn show(&mut self, leaf: Leaf) {
        self.leaf = Some(leaf);
    }

    /// Opens the rule book at a rule.
    pub fn open_rule(&mut self, number: String) {
        self.leaf = Some(Leaf::Book);
        self.rule = Some(number);
    }

    /// Opens the editor at a place.
    pub fn edit(&mut self, place: Place) {
        self.leaf = Some(Leaf::Scripts);
        self.scripts.go_to(place);
    }

    /// Shows the line at which a strategy has halted.
    pub fn look_at(&mut self, place: Place) {
        self.leaf = Some(Leaf::Scripts);
        self.scripts.look_at(place);
    }

    /// Closes the drawer. What was written and not saved stays.
    pub fn close(&mut self) {
        self.leaf = None;
    }

    /// Takes the list of files of a ruleset.
    pub fn take_files(&mut self, ruleset: &str, files: Vec<SourceFile>) {
        self.scripts.take_files(ruleset, files);
    }

    /// Takes the text of a file as it was read.
    pub fn take_text(&mut self, file: &SourceFile, text: String) {
        self.scripts.take_text(file.place.clone(), text);
    }

    /// Notes that a file was written.
    pub fn take_written(&mut self, file: &SourceFile, text: String) {
        self.scripts.take_written(&file.place, text);
    }

    /// The files with changes that were not saved.
    pub fn unsaved(&self) -> Vec<String> {
        self.scripts.unsaved()
    }

    /// The files that are open, to be read again when they may have changed.
    pub fn open_files(&self) -> Vec<SourceFile> {
        self.scripts.open_files()
    }

    /// Writes every change into its file.
    pub fn save_all(&self, wishes: &mut Vec<DrawerWish>) {
        self.scripts.save_all(wishes);
    }

    /// Shows the drawer, if it is open.
    pub fn ui(&mut self, ui: &mut Ui, book: Option<&BookContent>, rules: &RulesInForce<'_>, wishes: &mut Vec<DrawerWish>) {
        let Some(leaf) = self.leaf else {
            return;
        };
        let palette = Palette::of(ui.visuals());
        if let Some(content) = book {
            self.book.take(ui, content);
            if let Some(rule) = self.rule.take() {
                self.book.open_rule(&rule);
            }
        }
        let (usual, least, most) = WIDTH;
        let most = most.min(ui.ctx().content_rect().width() - 360.0).max(least);
        Panel::left("drawer")
            .resizable(true)
            .default_size(usual)
            .size_range(least..=most)
            .frame(Frame::NONE.fill(palette.surface).inner_margin(Margin::same(space::L as i8)))
            .show(ui, |ui| {
                self.head_ui(ui, leaf);
                ui.add_space(space::XS);
                match leaf {
                    Leaf::Book if book.is_some() => self.book.ui(ui, wishes),
                    Leaf::Book => drop(ui.spinner()),
                    Leaf::Scripts => self.scripts.ui(ui, rules, wishes),
                }
            });
        name_handle(ui, "drawer");
    }

    fn head_ui(&mut self, ui: &mut Ui, leaf: Leaf) {
        ui.horizontal(|ui| {
            for (wanted, icon, label) in [
                (Leaf::Book, Icon::Book, text!("drawer-book")),
                (Leaf::Scripts, Icon::Script, text!("drawer-scripts")),
            ] {
                let tab = IconButton::with_text(icon, label).kind(ButtonKind::Quiet).selected(leaf == wanted);
                if ui.add(tab).clicked() {
                    self.leaf = Some(wanted);
                }
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.add(IconButton::icon(Icon::Close, text!("drawer-close"))).clicked() {
                    self.leaf = None;
                }
            });
        });
    }
}
