//! The tools panel at the left of every screen: the rule book, and the active rules with an editor for their files.

mod book;
mod debugger;
mod editor;
mod highlight;
mod markdown;
mod page;
mod scripts;

use egui::{Align, Frame, Layout, Margin, Panel, Ui};

use book::Book;
pub(super) use debugger::DebuggedMatch;
use scripts::Scripts;
use serde::{Deserialize, Serialize};

use super::match_controller::{DebugCommand, ReloadNotice};
use super::texts::text;
use super::theme::{ButtonKind, Icon, IconButton, Palette, name_handle, space};
use boardwright_client::content::{BookContent, SourceFile};
use boardwright_model::Fingerprint;
use boardwright_model::diagnostic::Diagnostic;

/// The width of the panel: initial, least and most.
const WIDTH: (f32, f32, f32) = (420.0, 300.0, 900.0);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl Place {
    pub fn of(problem: &Diagnostic) -> Self {
        Self {
            file: problem.file().to_owned(),
            line: problem.line().max(1),
            column: problem.column().max(1),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ToolsCommand {
    Edit(Place),
    Read(SourceFile),
    Write {
        file: SourceFile,
        /// What is to be in it.
        text: String,
        /// What is in it now, as far as is known. If it is something else, it is shown and nothing is written.
        over: String,
    },
    /// Open a file in the editor of the system.
    OpenElsewhere(SourceFile),
    Debug(DebugCommand),
    /// Open an address outside of the program.
    Browse(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ToolsTab {
    Book,
    /// The active rules and their files.
    Scripts,
}

#[derive(Clone, Debug)]
pub(crate) struct ActiveRules<'a> {
    pub(crate) title: &'a str,
    pub(crate) is_running: bool,
    pub(crate) fingerprint: Option<Fingerprint>,
    pub(crate) problems: &'a [Diagnostic],
    /// The changes that came into force while the match ran, oldest first.
    pub(crate) reloads: &'a [ReloadNotice],
    pub(crate) debugged: Option<DebuggedMatch<'a>>,
}

#[derive(Debug, Default)]
pub(crate) struct ToolsPanel {
    tab: Option<ToolsTab>,
    book: Book,
    scripts: Scripts,
    rule: Option<String>,
}

impl ToolsPanel {
    /// None if the panel is closed.
    pub(crate) fn tab(&self) -> Option<ToolsTab> {
        self.tab
    }

    /// Shows a tab, or closes the panel if the tab is shown already.
    pub(crate) fn toggle(&mut self, tab: ToolsTab) {
        self.tab = (self.tab != Some(tab)).then_some(tab);
    }

    pub(crate) fn show(&mut self, tab: ToolsTab) {
        self.tab = Some(tab);
    }

    pub(crate) fn open_rule(&mut self, number: String) {
        self.tab = Some(ToolsTab::Book);
        self.rule = Some(number);
    }

    pub(crate) fn edit(&mut self, place: Place) {
        self.tab = Some(ToolsTab::Scripts);
        self.scripts.go_to(place);
    }

    /// Shows the line at which a strategy has paused.
    pub(crate) fn look_at(&mut self, place: Place) {
        self.tab = Some(ToolsTab::Scripts);
        self.scripts.look_at(place);
    }

    /// Unsaved changes are kept.
    pub(crate) fn close(&mut self) {
        self.tab = None;
    }

    pub(crate) fn scripts(&self) -> &Scripts {
        &self.scripts
    }

    pub(crate) fn scripts_mut(&mut self) -> &mut Scripts {
        &mut self.scripts
    }

    /// Shows the panel, if it is open.
    pub(crate) fn ui(&mut self, ui: &mut Ui, book: Option<&BookContent>, rules: &ActiveRules<'_>, commands: &mut Vec<ToolsCommand>) {
        let Some(tab) = self.tab else {
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
                self.head_ui(ui, tab);
                ui.add_space(space::XS);
                match tab {
                    ToolsTab::Book if book.is_some() => self.book.ui(ui, commands),
                    ToolsTab::Book => drop(ui.spinner()),
                    ToolsTab::Scripts => self.scripts.ui(ui, rules, commands),
                }
            });
        name_handle(ui, "drawer");
    }

    fn head_ui(&mut self, ui: &mut Ui, tab: ToolsTab) {
        ui.horizontal(|ui| {
            for (wanted, icon, label) in [
                (ToolsTab::Book, Icon::Book, text!("tools-book")),
                (ToolsTab::Scripts, Icon::Script, text!("tools-scripts")),
            ] {
                let tab = IconButton::with_text(icon, label).kind(ButtonKind::Quiet).selected(tab == wanted);
                if ui.add(tab).clicked() {
                    self.tab = Some(wanted);
                }
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.add(IconButton::icon(Icon::Close, text!("tools-close"))).clicked() {
                    self.tab = None;
                }
            });
        });
    }
}
