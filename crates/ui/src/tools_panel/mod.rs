//! The tools panel at the left of every screen: the rule book, and the active rules with an editor for their files.

mod book;
mod debugger;
mod editor;
mod highlight;
mod markdown;
mod page;
mod scripts;

use egui::{Frame, Margin, Panel, Ui};

use book::Book;
use scripts::{Scripts, Sought};
use serde::{Deserialize, Serialize};

use super::command::AppCommand;
use super::keys::{Act, label_of};
use super::match_controller::MatchController;
use super::resizable::resizable_ui;
use super::texts::text;
use super::theme::{ButtonKind, Icon, IconButton, Palette, from_right_ui, space};
use boardwright_client::content::BookContent;
use boardwright_model::diagnostic::Diagnostic;

/// The width of the panel: initial, least and most.
const WIDTH: [f32; 3] = [420.0, 300.0, 900.0];

/// A position in a file of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPosition {
    /// The file, as the rules name it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl TextPosition {
    pub(crate) fn at_line(file: &str, line: u32) -> Self {
        Self {
            file: file.to_owned(),
            line: line.max(1),
            column: 1,
        }
    }

    pub fn of(problem: &Diagnostic) -> Self {
        Self {
            file: problem.file().to_owned(),
            line: problem.line().max(1),
            column: problem.column().max(1),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolsTab {
    Book,
    /// The active rules and their files.
    Scripts,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ActiveRules<'a> {
    pub(crate) title: &'a str,
    pub(crate) problems: &'a [Diagnostic],
    /// The match in which they are active, if there is one.
    pub(crate) controller: Option<&'a MatchController>,
}

#[derive(Debug, Default)]
pub(crate) struct ToolsPanel {
    /// None if the panel is closed. Unsaved changes are kept then.
    pub(crate) tab: Option<ToolsTab>,
    book: Book,
    pub(crate) scripts: Scripts,
    rule: Option<String>,
}

impl ToolsPanel {
    /// Shows a tab, or closes the panel if the tab is shown already.
    pub(crate) fn toggle(&mut self, tab: ToolsTab) {
        self.tab = (self.tab != Some(tab)).then_some(tab);
    }

    pub(crate) fn open_rule(&mut self, number: String) {
        self.tab = Some(ToolsTab::Book);
        self.rule = Some(number);
    }

    /// Shows a place of a script, with the cursor there or where it is.
    pub(crate) fn seek(&mut self, place: TextPosition, takes_cursor: bool) {
        self.tab = Some(ToolsTab::Scripts);
        self.scripts.sought = Some(Sought { place, takes_cursor });
    }

    /// Shows the panel, if it is open.
    pub(crate) fn ui(&mut self, ui: &mut Ui, book: Option<&BookContent>, rules: ActiveRules<'_>, commands: &mut Vec<AppCommand>) {
        let Some(tab) = self.tab else {
            return;
        };
        if let Some(content) = book {
            self.book.take(ui, content);
            if let Some(rule) = self.rule.take() {
                self.book.open_rule(&rule);
            }
        }
        let [first, least, most] = WIDTH;
        let most = most.min(ui.ctx().content_rect().width() - 360.0).max(least);
        let surface = Palette::of(ui.visuals()).surface;
        let frame = Frame::NONE.fill(surface).inner_margin(Margin::same(space::L as i8));
        resizable_ui(ui, Panel::left, "tools", [first, least, most], frame, |ui| {
            self.head_ui(ui, tab);
            ui.add_space(space::XS);
            match tab {
                ToolsTab::Book if book.is_some() => self.book.ui(ui, commands),
                ToolsTab::Book => drop(ui.spinner()),
                ToolsTab::Scripts => self.scripts.ui(ui, rules, commands),
            }
        });
    }

    fn head_ui(&mut self, ui: &mut Ui, tab: ToolsTab) {
        ui.horizontal(|ui| {
            for (wanted, icon, act) in [
                (ToolsTab::Book, Icon::Book, Act::RuleBook),
                (ToolsTab::Scripts, Icon::Script, Act::Scripts),
            ] {
                let button = IconButton::with_text(icon, label_of(act)).kind(ButtonKind::Quiet);
                if ui.add(button.selected(tab == wanted)).clicked() {
                    self.tab = Some(wanted);
                }
            }
            let close = IconButton::icon(Icon::Close, text!("tools-close"));
            if from_right_ui(ui, |ui| ui.add(close)).clicked() {
                self.tab = None;
            }
        });
    }
}
