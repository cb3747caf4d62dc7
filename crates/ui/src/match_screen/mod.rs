//! The screen of a running match: the board in the middle, panels around it.

mod around;
mod grant;
mod head;
mod kept;
mod keys;
mod playback;
mod table;
mod tools;

use egui::{CentralPanel, Frame, Margin, Panel, Ui, ViewportCommand};

use self::around::bar;
use self::kept::Kept;
pub use self::tools::Tool;
use boardwright_client::{Link, LinkClosed, MatchChoice};
use boardwright_protocol::Description;
use boardwright_model::{CellId, State};
use crate::panels;
use crate::board::{Art, BoardView};
use crate::desk::{Branch, Desk, Manner};
use crate::drawer::Place;
use crate::panels::{Console, Insight, NumberPick, OddsPanel, Talk};
use crate::replay::Replay;
use crate::settings::Settings;
use crate::texts::{text, tongue};
use crate::theme::{Palette, space};
use crate::wish::Wish;

/// What the screen wants of the program.
#[derive(Clone, Debug)]
pub enum MatchWish {
    /// Leave for the launcher.
    Leave,
    /// The same match from the beginning.
    Rematch(MatchChoice),
    /// Show the rules in force and their files.
    ShowScripts,
    /// Show a place of a script in the editor.
    Edit(Place),
    /// Open the rule book at a rule.
    ShowRule(String),
}

/// The screen of a running match.
#[derive(Debug)]
pub struct MatchScreen {
    desk: Desk,
    board: BoardView,
    choice: Option<MatchChoice>,
    art: Art,
    /// The description that the art was made of.
    art_of: Option<boardwright_model::Fingerprint>,
    number: NumberPick,
    kept: Kept,
    console: Console,
    insight: Insight,
    talk: Talk,
    odds: OddsPanel,
    /// The cell under the pointer.
    hovered: Option<CellId>,
    outcome_seen: bool,
    replay: Replay,
    shows_statistics: bool,
    problems_closed: Option<usize>,
    /// Whether problems of the rules are shown here; they are not while they are shown elsewhere.
    pub shows_problems: bool,
    /// The title the window has been given.
    window_title: String,
}

impl MatchScreen {
    /// Takes part in a match. `choice` is how it was begun, for a rematch.
    ///
    /// # Errors
    /// If the host is gone.
    pub fn open(link: Box<dyn Link>, choice: Option<MatchChoice>) -> Result<Self, LinkClosed> {
        Ok(Self {
            desk: Desk::open(link)?,
            board: BoardView::default(),
            choice,
            art: Art::default(),
            art_of: None,
            number: NumberPick::default(),
            kept: Kept::default(),
            console: Console::default(),
            insight: Insight::default(),
            talk: Talk::default(),
            odds: OddsPanel::default(),
            hovered: None,
            outcome_seen: false,
            replay: Replay::default(),
            shows_statistics: false,
            problems_closed: None,
            shows_problems: true,
            window_title: String::new(),
        })
    }

    /// Looks at the match from its beginning, as soon as it is known.
    pub fn watch(&mut self) {
        self.desk.goes_to_beginning = true;
        self.replay.is_open = true;
    }

    /// What is known of the match.
    pub fn desk(&self) -> &Desk {
        &self.desk
    }

    /// The same, to ask something of it.
    pub fn desk_mut(&mut self) -> &mut Desk {
        &mut self.desk
    }

    /// Shows the screen. The buttons at its upper right come from `corner`.
    pub fn ui(&mut self, ui: &mut Ui, settings: &Settings, corner: impl FnOnce(&mut Ui)) -> Option<MatchWish> {
        let now = ui.input(|input| input.time);
        let manner = Manner {
            motion: settings.motion,
            plays_at_once: settings.plays_at_once,
        };
        self.desk.set_locale(tongue());
        self.desk.pump(now, manner);
        let mut wishes = Vec::new();
        let (Some(state), Some(description)) = (self.desk.state().cloned(), self.desk.mirror().description().cloned()) else {
            self.waiting_ui(ui, &mut wishes);
            return self.grant(wishes, egui::Rect::NOTHING, now);
        };
        if self.art_of != Some(description.fingerprint) {
            self.art_of = Some(description.fingerprint);
            self.art = Art::new(ui.ctx(), &description.art);
        }
        self.go_on_with_kept(ui, now);
        self.keys(ui, &mut wishes);
        self.tick(ui, now);
        self.desk.foresee(self.hovered, self.number_asked());
        self.entitle_window(ui, window_title(&description, &state));
        let palette = Palette::of(ui.visuals());
        Panel::top("match head")
            .frame(bar(palette))
            .show(ui, |ui| self.head_ui(ui, &description, &state, &mut wishes, corner));
        self.around_ui(ui, &state, &description, settings, &mut wishes);
        let shown = CentralPanel::no_frame().show(ui, |ui| {
            if let Some(notice) = self.desk.reload.clone() {
                let frame = Frame::NONE.fill(palette.ground).inner_margin(Margin::same(space::S as i8));
                Panel::top("match reload")
                    .frame(frame)
                    .show_separator_line(false)
                    .show(ui, |ui| panels::reload_ui(ui, &notice, &mut wishes));
            }
            self.board_ui(ui, &state, &description, settings, &mut wishes)
        });
        let within = shown.inner;
        Self::corner_ui(ui, within, &mut wishes);
        self.over_board_ui(ui, within, &state, &description, settings, &mut wishes);
        self.dialogs_ui(ui, within, &state, now, &mut wishes);
        let leaving = self.grant(wishes, within, now);
        if matches!(leaving, Some(MatchWish::Leave)) {
            self.entitle_window(ui, text!("app-name"));
        }
        leaving
    }

    /// The end of the match, its course, questions and messages.
    fn dialogs_ui(&mut self, ui: &Ui, within: egui::Rect, state: &State, now: f64, wishes: &mut Vec<Wish>) {
        let at = self.desk.mirror().at();
        let is_over = !self.outcome_seen && !self.desk.travels().is_under_way(now) && !self.replay.is_running();
        if let Some(outcome) = self.desk.outcome(state).filter(|_| is_over) {
            let statistics = self.desk.statistics().cloned();
            panels::outcome_ui(ui, within, state, &outcome, statistics.as_deref(), at, wishes);
        }
        if self.shows_statistics {
            let statistics = self.desk.statistics().cloned();
            let place = panels::ChartPlace { frame: state.frame(), at };
            self.shows_statistics = panels::statistics_ui(ui, statistics.as_deref(), place, wishes);
        }
        // Looked back at, an end that was seen stays seen.
        if state.outcome().is_none() && at == self.desk.mirror().length() {
            self.outcome_seen = false;
        }
        if let Some(branch) = &self.desk.to_confirm {
            let dropped = self.desk.mirror().length() - at.min(self.desk.mirror().length());
            panels::confirm_ui(ui, dropped, matches!(branch, Branch::Play(_)), wishes);
        }
        if let Some(rule) = self.desk.toasts.ui(ui, within) {
            wishes.push(Wish::ShowRule(rule));
        }
    }

    /// Whether a dialog takes the keys.
    fn has_dialog(&self) -> bool {
        self.desk.to_confirm.is_some() || self.shows_statistics
    }

    /// Tells the window system what is going on, where that has changed.
    fn entitle_window(&mut self, ui: &Ui, title: String) {
        if self.window_title != title {
            ui.ctx().send_viewport_cmd(ViewportCommand::Title(title.clone()));
            self.window_title = title;
        }
    }
}

/// What the window is called: it tells whose turn it is to someone who looks at another window.
fn window_title(description: &Description, state: &State) -> String {
    let acting: Vec<String> = state
        .acting()
        .iter()
        .map(|seat| state.frame().seat_title(seat).to_string())
        .collect();
    let now = match state.outcome() {
        Some(outcome) => panels::headline(state, outcome),
        None if acting.is_empty() => return text!("app-name"),
        None => text!("match-to-act", seats = acting.join(", ")),
    };
    text!("match-title", now = now, game = description.title.as_str())
}
