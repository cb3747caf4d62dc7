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

use super::command::AppCommand;
use super::match_controller::ReloadNotice;
use super::texts::text;
use super::theme::{ButtonKind, Icon, IconButton, Palette, name_handle, space};
use boardwright_client::content::BookContent;
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolsTab {
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

    pub(crate) fn edit(&mut self, place: Place) {
        self.tab = Some(ToolsTab::Scripts);
        self.scripts.goes_to = Some(place);
    }

    /// Shows the line at which a strategy has paused, and leaves the cursor where it is.
    pub(crate) fn look_at(&mut self, place: Place) {
        self.tab = Some(ToolsTab::Scripts);
        self.scripts.looks_at = Some(place);
    }

    /// Shows the panel, if it is open.
    pub(crate) fn ui(&mut self, ui: &mut Ui, book: Option<&BookContent>, rules: &ActiveRules<'_>, commands: &mut Vec<AppCommand>) {
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
