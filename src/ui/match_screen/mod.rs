//! The screen of a running match: the board in the middle, panels around it.

mod head;
mod keys;

use std::sync::Arc;

use egui::{CentralPanel, Frame, Margin, Panel, ScrollArea, Ui, ViewportCommand};

use crate::client::local::MatchChoice;
use crate::client::messages::{Command, Description};
use crate::client::{Link, LinkClosed};
use crate::model::{CellId, Pose, State};
use crate::ui::board::{Art, BoardView, Marks, Scene};
use crate::ui::desk::{Branch, Desk, Manner};
use crate::ui::drawer::Place;
use crate::ui::keys::{Act, key_of};
use crate::ui::panels;
use crate::ui::panels::{Console, Insight, Known, NumberPick, OddsPanel, Talk};
use crate::ui::replay::Replay;
use crate::ui::settings::Settings;
use crate::ui::texts::text;
use crate::ui::theme::{Icon, IconButton, Palette, size, space, veil};
use crate::ui::wish::{Turn, Wish};

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

/// The room the history has at least, in points.
const LEAST_HISTORY: f32 = 140.0;
/// The width from which on there is room for the board and the panel beside it, in points.
const LEAST_WITH_SIDE: f32 = 560.0;

/// The screen of a running match.
#[derive(Debug)]
pub struct MatchScreen {
    desk: Desk,
    board: BoardView,
    choice: Option<MatchChoice>,
    art: Art,
    /// The description that the art was made of.
    art_of: Option<crate::model::Fingerprint>,
    number: NumberPick,
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
        self.desk.pump(now, manner);
        let mut wishes = Vec::new();
        let (Some(state), Some(description)) = (self.desk.state().cloned(), self.desk.mirror().description().cloned().map(Arc::new)) else {
            self.waiting_ui(ui, &mut wishes);
            return self.grant(wishes, egui::Rect::NOTHING, now);
        };
        if self.art_of != Some(description.fingerprint) {
            self.art_of = Some(description.fingerprint);
            self.art = Art::new(ui.ctx(), &description.art);
        }
        self.keys(ui, &mut wishes);
        self.tick(ui, now);
        self.desk.foresee(self.hovered);
        self.entitle_window(ui, window_title(&description, &state));
        let palette = Palette::of(ui.visuals());
        let bar = Frame::NONE
            .fill(palette.surface)
            .inner_margin(Margin::symmetric(space::L as i8, space::S as i8));
        Panel::top("match head")
            .frame(bar)
            .show(ui, |ui| self.head_ui(ui, &description, &state, &mut wishes, corner));
        // Beside a drawer in a small window there is no room for both.
        if ui.available_width() >= LEAST_WITH_SIDE {
            Panel::right("match side")
                .default_size(310.0)
                .size_range(250.0..=460.0)
                .frame(Frame::NONE.fill(palette.surface).inner_margin(Margin::same(space::L as i8)))
                .show(ui, |ui| self.side_ui(ui, &state, &mut wishes));
        }
        Panel::bottom("match choice").frame(bar).show(ui, |ui| {
            let scene_marks = self.desk.marks();
            let scene = self.scene(&state, &scene_marks, &description, settings);
            panels::zones_ui(ui, &scene, self.desk.picking(), &mut wishes);
            panels::choice_ui(ui, &self.desk, &state, &mut self.number, &mut wishes);
        });
        self.insight_ui(ui, &state, &description);
        if self.console.is_open() {
            Panel::bottom("match console")
                .resizable(true)
                .default_size(200.0)
                .size_range(150.0..=420.0)
                .frame(bar)
                .show(ui, |ui| self.console.ui(ui, &state, self.desk.said_by_hand(), &mut wishes));
        }
        if self.shows_replay() {
            Panel::bottom("match replay").frame(bar).show(ui, |ui| {
                let (first, can_compare) = (self.desk.first(), self.desk.can_compare());
                panels::replay_ui(ui, &mut self.replay, self.desk.mirror(), first, can_compare, &mut wishes);
            });
        }
        let problems = self.desk.problems();
        if self.shows_problems && !problems.is_empty() && self.problems_closed != Some(problems.len()) {
            let frame = Frame::NONE.fill(palette.surface).inner_margin(Margin::same(space::M as i8));
            let closed = Panel::bottom("match problems")
                .resizable(true)
                .default_size(190.0)
                .size_range(90.0..=420.0)
                .frame(frame)
                .show(ui, |ui| panels::problems_ui(ui, &problems, &mut wishes));
            if closed.inner {
                self.problems_closed = Some(problems.len());
            }
        } else if problems.is_empty() {
            self.problems_closed = None;
        }
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
        self.over_board_ui(ui, within, &state, &description, settings, &mut wishes);
        Self::corner_ui(ui, within, &mut wishes);
        if self.odds.is_open() {
            let odds = self.desk.odds();
            self.odds.ui(ui, within, odds.as_deref(), self.desk.awaits_odds(), &state);
        }
        let at = self.desk.mirror().at();
        let is_over = !self.outcome_seen && !self.desk.travels().is_under_way(now) && !self.replay.is_running();
        if let Some(outcome) = state.outcome().filter(|_| is_over) {
            let statistics = self.desk.statistics().cloned();
            panels::outcome_ui(ui, within, &state, outcome, statistics.as_deref(), at, &mut wishes);
        }
        if self.shows_statistics {
            let statistics = self.desk.statistics().cloned();
            let place = panels::ChartPlace { frame: state.frame(), at };
            self.shows_statistics = panels::statistics_ui(ui, statistics.as_deref(), place, &mut wishes);
        }
        // Looked back at, an end that was seen stays seen.
        if state.outcome().is_none() && self.desk.mirror().at() == self.desk.mirror().length() {
            self.outcome_seen = false;
        }
        if let Some(branch) = &self.desk.to_confirm {
            let dropped = self.desk.mirror().length() - self.desk.mirror().at().min(self.desk.mirror().length());
            panels::confirm_ui(ui, dropped, matches!(branch, Branch::Play(_)), &mut wishes);
        }
        if let Some(rule) = self.desk.toasts.ui(ui, within) {
            wishes.push(Wish::ShowRule(rule));
        }
        let leaving = self.grant(wishes, within, now);
        if matches!(leaving, Some(MatchWish::Leave)) {
            self.entitle_window(ui, text!("app-name"));
        }
        leaving
    }

    /// Whether the bar for looking back is shown.
    fn shows_replay(&self) -> bool {
        self.replay.is_open || self.desk.mirror().at() < self.desk.mirror().length()
    }

    /// Lets the replay go on, if it is time.
    fn tick(&mut self, ui: &Ui, now: f64) {
        let at = self.desk.mirror().at();
        let (first, history) = (self.desk.first(), self.desk.mirror().history());
        let seen = history
            .iter()
            .filter(|entry| (entry.seat.is_some() || entry.by_hand) && entry.event >= first);
        let mut steps: Vec<usize> = seen.map(|entry| entry.event + 1).collect();
        // What the rules did by themselves at the end belongs to the last action.
        if let Some(last) = steps.last_mut() {
            *last = history.len();
        }
        if !self.desk.travels().is_under_way(now)
            && let Some(position) = self.replay.due(now, at, &steps)
        {
            self.desk.send(Command::GoTo { position });
        }
        if let Some(wait) = self.replay.wait(now) {
            ui.ctx().request_repaint_after_secs(wait as f32);
        }
        if self.replay.shows_present && !self.desk.can_compare() {
            self.replay.shows_present = false;
        }
    }

    /// Tells the window system what is going on, where that has changed.
    fn entitle_window(&mut self, ui: &Ui, title: String) {
        if self.window_title != title {
            ui.ctx().send_viewport_cmd(ViewportCommand::Title(title.clone()));
            self.window_title = title;
        }
    }

    fn scene<'a>(&'a self, state: &'a Arc<State>, marks: &'a Marks, description: &'a Description, settings: &Settings) -> Scene<'a> {
        Scene {
            state,
            looks: self.desk.looks(),
            art: &self.art,
            marks,
            travels: self.desk.travels(),
            title: &description.scenario_title,
            is_playable: self.desk.may_choose(),
            shows_names: settings.shows_names,
            takes_wheel: self.desk.picking().is_some_and(|picking| picking.laying().is_some()),
        }
    }

    fn waiting_ui(&mut self, ui: &mut Ui, wishes: &mut Vec<Wish>) {
        CentralPanel::default_margins().show(ui, |ui| {
            ui.centered_and_justified(|ui| {
                if self.desk.is_closed {
                    ui.label(text!("trouble-not-opened"));
                } else {
                    ui.spinner();
                }
            });
        });
        if self.desk.is_closed {
            wishes.push(Wish::Leave);
        }
    }

    fn side_ui(&mut self, ui: &mut Ui, state: &State, wishes: &mut Vec<Wish>) {
        if self.talk.is_shown(self.desk.mirror()) {
            Panel::bottom("match talk")
                .resizable(true)
                .default_size(150.0)
                .size_range(96.0..=360.0)
                .frame(Frame::NONE.inner_margin(Margin::symmetric(0, space::S as i8)))
                .show(ui, |ui| self.talk.ui(ui, self.desk.mirror(), wishes));
        }
        // The history keeps some room, however many sit at the table.
        let most = (ui.available_height() - LEAST_HISTORY).max(LEAST_HISTORY);
        ScrollArea::vertical().id_salt("seats").max_height(most).show(ui, |ui| {
            panels::seats_ui(ui, &self.desk, state, wishes);
            panels::standing_ui(ui, &self.desk.looks().panel);
        });
        ui.separator();
        panels::history_ui(ui, self.desk.mirror(), self.desk.first(), self.shows_replay(), wishes);
    }

    /// What strategies think, at the left of the board; asked for while it is shown.
    fn insight_ui(&mut self, ui: &mut Ui, state: &State, description: &Description) {
        let strategies = &description.strategies;
        self.desk.set_watched(self.insight.watches());
        self.desk.set_heat(self.insight.shown_cells(strategies, state));
        if !self.insight.is_open() {
            return;
        }
        let worths = match self.insight.strategy(strategies) {
            Some(strategy) => self.desk.evaluation(strategy).to_vec(),
            None => Vec::new(),
        };
        let palette = Palette::of(ui.visuals());
        Panel::left("match insight")
            .resizable(true)
            .default_size(276.0)
            .size_range(240.0..=420.0)
            .frame(Frame::NONE.fill(palette.surface).inner_margin(Margin::same(space::M as i8)))
            .show(ui, |ui| {
                let known = Known {
                    strategies,
                    worths: &worths,
                    cells: self.desk.heat(),
                    decisions: self.desk.decisions(),
                    trouble: self.desk.insight_trouble(),
                };
                self.insight.ui(ui, state, known);
            });
    }

    /// What lies over the board: dice, and pieces to choose among.
    fn over_board_ui(
        &self,
        ui: &Ui,
        within: egui::Rect,
        state: &Arc<State>,
        description: &Description,
        settings: &Settings,
        wishes: &mut Vec<Wish>,
    ) {
        panels::dice_ui(ui, within, self.desk.draws());
        let marks = Marks::default();
        let scene = self.scene(state, &marks, description, settings);
        if let Some((cell, pieces)) = self.desk.fan()
            && let Some(place) = self.board.place_of(within, cell)
        {
            panels::fan_ui(ui, &scene, cell, pieces, place - egui::vec2(0.0, 26.0), wishes);
        }
    }

    fn board_ui(
        &mut self,
        ui: &mut Ui,
        state: &Arc<State>,
        description: &Description,
        settings: &Settings,
        wishes: &mut Vec<Wish>,
    ) -> egui::Rect {
        let now = self.desk.present().filter(|_| self.replay.shows_present);
        let now = now.map(|(state, looks)| (Arc::clone(state), Arc::clone(looks)));
        let marks = match now {
            Some(_) => Marks {
                differing: self.desk.marks().differing,
                ..Marks::default()
            },
            None => Marks {
                ghost: self.desk.ghost(self.hovered),
                ..self.desk.marks()
            },
        };
        let mut board = std::mem::take(&mut self.board);
        let mut scene = self.scene(state, &marks, description, settings);
        if let Some((state, looks)) = &now {
            (scene.state, scene.looks, scene.is_playable) = (state, looks, false);
        }
        let reply = board.ui(ui, &scene);
        let within = reply.response.rect;
        if let Some(cell) = reply.hovered {
            status_ui(ui, within, &scene.cell_text(cell));
        }
        if self.hovered != reply.hovered {
            // What would come of it is drawn in the next frame.
            self.hovered = reply.hovered;
            ui.ctx().request_repaint();
        }
        if reply.is_turned && self.desk.picking().is_some_and(|picking| picking.laying().is_some()) {
            let mirrors = ui.input(|input| input.modifiers.shift);
            wishes.push(Wish::Turn(if mirrors { Turn::Mirror } else { Turn::On }));
        }
        for _ in 0..reply.notches.unsigned_abs() {
            wishes.push(Wish::Turn(if reply.notches < 0 { Turn::On } else { Turn::Back }));
        }
        if now.is_some() {
            panels::present_sign_ui(ui, within);
        }
        self.board = board;
        if now.is_none() {
            if let Some(cell) = reply.lifted {
                self.desk.lift(cell);
            }
            if let Some(dropped) = reply.dropped {
                self.desk.drop_on(dropped);
                ui.ctx().request_repaint();
            }
        }
        if let Some(click) = reply.clicked {
            if now.is_none() {
                self.desk.click(click.cell, click.is_double);
            }
            ui.ctx().request_repaint();
        }
        within
    }

    /// The buttons in the corner of the board that change how it is seen.
    fn corner_ui(ui: &Ui, within: egui::Rect, wishes: &mut Vec<Wish>) {
        let palette = Palette::of(ui.visuals());
        egui::Area::new(egui::Id::unique("board corner"))
            .pivot(egui::Align2::RIGHT_BOTTOM)
            .fixed_pos(within.right_bottom() - egui::vec2(space::M, space::M))
            .show(ui.ctx(), |ui| {
                Frame::NONE
                    .fill(palette.surface)
                    .corner_radius(egui::CornerRadius::same(10))
                    .stroke(egui::Stroke::new(1.0, palette.line))
                    .inner_margin(Margin::same(2))
                    .show(ui, |ui| {
                        ui.spacing_mut().item_spacing = egui::Vec2::ZERO;
                        for (icon, label, act, wish) in [
                            (Icon::ZoomIn, text!("board-larger"), Act::Larger, Wish::Zoom(1.25)),
                            (Icon::ZoomOut, text!("board-smaller"), Act::Smaller, Wish::Zoom(0.8)),
                            (Icon::Fit, text!("board-whole"), Act::Whole, Wish::Fit),
                        ] {
                            if ui.add(IconButton::icon(icon, label).hint(key_of(act)).height(30.0)).clicked() {
                                wishes.push(wish);
                            }
                        }
                    });
            });
    }

    /// The same match from the beginning, with the players who sit there now.
    fn again(&self) -> Option<MatchChoice> {
        let names = self.desk.mirror().frame()?.seats.iter().map(|seat| seat.name.to_string());
        let players = names.zip(self.desk.mirror().players().iter().cloned()).collect();
        self.choice.clone().map(|choice| MatchChoice { players, ..choice })
    }

    /// Grants what the panels asked for.
    fn grant(&mut self, wishes: Vec<Wish>, within: egui::Rect, now: f64) -> Option<MatchWish> {
        let mut leaving = None;
        for wish in wishes {
            match wish {
                Wish::Send(command) => self.desk.send(command),
                Wish::SayByHand(text) => self.desk.say_by_hand(text),
                Wish::Play(action) => self.desk.play(action),
                Wish::PlayChosen => _ = self.desk.play_chosen(),
                Wish::Clear => self.desk.choose(|picking| _ = picking.clear()),
                Wish::Want(action) => self.desk.choose(|picking| picking.want(action)),
                Wish::Pick(action, pick) => self.desk.choose(|picking| _ = picking.pick(action, pick)),
                Wish::PickAgain(action, pick) => self.desk.pick_again(action, pick),
                Wish::StopAgain => self.desk.stop_again(),
                Wish::PickPiece(piece) => self.desk.click_piece(piece),
                Wish::PickOf(cell, piece) => self.desk.click_one_of(cell, piece),
                Wish::CloseFan => self.desk.close_fan(),
                Wish::Turn(turn) => self.desk.change_pose(match turn {
                    Turn::On => Pose::turned,
                    Turn::Back => Pose::turned_back,
                    Turn::Mirror => Pose::mirrored,
                }),
                Wish::GoOn(action) => self.desk.choose(|picking| _ = picking.go_to_next(action)),
                Wish::Hint => self.desk.ask_hint(),
                Wish::Save => self.desk.save(),
                Wish::Fit => self.board.camera_mut().fit(),
                Wish::Zoom(factor) => self.board.zoom(within, factor),
                Wish::ReloadSeen => self.desk.reload = None,
                Wish::ShowScripts => leaving = Some(MatchWish::ShowScripts),
                Wish::Edit(place) => leaving = Some(MatchWish::Edit(place)),
                Wish::ShowRule(number) => leaving = Some(MatchWish::ShowRule(number)),
                Wish::OutcomeSeen => self.outcome_seen = true,
                Wish::Run(runs) => {
                    let (first, at, length) = (self.desk.first(), self.desk.mirror().at(), self.desk.mirror().length());
                    if let Some(position) = self.replay.run(runs, now, first, at, length) {
                        self.desk.send(Command::GoTo { position });
                    }
                }
                Wish::Compare(compares) => {
                    self.replay.compares = compares;
                    self.replay.shows_present = false;
                    self.desk.set_compared(compares);
                }
                Wish::LookBack => self.replay.is_open = true,
                Wish::ToPresent => {
                    self.replay.close();
                    self.desk.set_compared(false);
                    let position = self.desk.mirror().length();
                    if self.desk.mirror().at() < position {
                        self.desk.send(Command::GoTo { position });
                    }
                }
                Wish::GoOnFromHere => {
                    self.replay.run(false, now, 0, 0, 0);
                    self.desk.to_confirm = Some(Branch::GoOn);
                }
                Wish::ShowStatistics => self.shows_statistics = true,
                Wish::Confirm(true) => self.desk.confirm(),
                Wish::Confirm(false) => self.desk.to_confirm = None,
                Wish::Rematch => match self.again() {
                    Some(choice) => leaving = Some(MatchWish::Rematch(choice)),
                    None => self.desk.send(Command::GoTo {
                        position: self.desk.first(),
                    }),
                },
                Wish::Leave => leaving = Some(MatchWish::Leave),
            }
        }
        leaving
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

/// The words for the cell under the pointer, in the lower left of the board.
fn status_ui(ui: &Ui, within: egui::Rect, text: &str) {
    let palette = Palette::of(ui.visuals());
    let painter = ui.painter_at(within);
    let galley = painter.layout_no_wrap(text.to_owned(), egui::FontId::proportional(size::SMALL), palette.text);
    let corner = within.left_bottom() + egui::vec2(space::M, -space::M - galley.size().y - 8.0);
    let rect = egui::Rect::from_min_size(corner, galley.size() + egui::vec2(16.0, 8.0));
    painter.rect_filled(rect, egui::CornerRadius::same(8), veil(palette.surface, 0.92));
    painter.galley(corner + egui::vec2(8.0, 4.0), galley, palette.text);
}
