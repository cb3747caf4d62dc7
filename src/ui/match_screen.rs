//! The screen of a running match: the board in the middle, panels around it.

use std::sync::Arc;

use egui::{Align, CentralPanel, Frame, Label, Layout, Margin, Panel, RichText, ScrollArea, Ui, ViewportCommand};

use super::board::{Art, BoardView, Scene};
use super::desk::{Desk, Manner};
use super::drawer::Place;
use super::keys::{self, Act, key_of};
use super::panels;
use super::settings::Settings;
use super::texts::text;
use super::theme::{Icon, IconButton, Palette, chip_ui, heading_ui, size, space, strong, title};
use super::wish::Wish;
use crate::client::local::MatchChoice;
use crate::client::messages::{Command, Description};
use crate::client::{Link, LinkClosed};
use crate::model::State;

/// How much of the head must be left for its buttons to say their words.
const ROOM_FOR_WORDS: f32 = 620.0;
/// How much must be left for the title of the scenario, and for the round.
const ROOM_FOR_SCENARIO: f32 = 60.0;
const ROOM_FOR_ROUND: f32 = 90.0;

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
    art_of: Option<crate::model::Fingerprint>,
    number: i64,
    outcome_seen: bool,
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
            number: 0,
            outcome_seen: false,
            problems_closed: None,
            shows_problems: true,
            window_title: String::new(),
        })
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
            return self.grant(wishes, egui::Rect::NOTHING);
        };
        if self.art_of != Some(description.fingerprint) {
            self.art_of = Some(description.fingerprint);
            self.art = Art::new(ui.ctx(), &description.art);
        }
        self.keys(ui, &mut wishes);
        self.entitle_window(ui, window_title(&description, &state));
        let palette = Palette::of(ui.visuals());
        let bar = Frame::NONE
            .fill(palette.surface)
            .inner_margin(Margin::symmetric(space::L as i8, space::S as i8));
        Panel::top("match head")
            .frame(bar)
            .show(ui, |ui| self.head_ui(ui, &description, &state, &mut wishes, corner));
        Panel::right("match side")
            .default_size(310.0)
            .size_range(250.0..=460.0)
            .frame(Frame::NONE.fill(palette.surface).inner_margin(Margin::same(space::L as i8)))
            .show(ui, |ui| self.side_ui(ui, &state, &mut wishes));
        Panel::bottom("match choice").frame(bar).show(ui, |ui| {
            let scene_marks = self.desk.marks();
            let scene = self.scene(&state, &scene_marks, &description, settings);
            panels::zones_ui(ui, &scene, self.desk.picking(), &mut wishes);
            let mut number = self.number;
            panels::choice_ui(ui, &self.desk, &state, &mut number, &mut wishes);
            self.number = number;
        });
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
            self.board_ui(ui, &state, &description, settings)
        });
        let within = shown.inner;
        Self::corner_ui(ui, within, &mut wishes);
        if let Some(outcome) = state
            .outcome()
            .filter(|_| !self.outcome_seen && !self.desk.travels().is_under_way(now))
        {
            panels::outcome_ui(ui, within, &state, outcome, &mut wishes);
        }
        if state.outcome().is_none() {
            self.outcome_seen = false;
        }
        if self.desk.to_confirm.is_some() {
            let dropped = self.desk.mirror().length() - self.desk.mirror().at().min(self.desk.mirror().length());
            panels::confirm_ui(ui, dropped, &mut wishes);
        }
        self.desk.toasts.ui(ui, within);
        let leaving = self.grant(wishes, within);
        if matches!(leaving, Some(MatchWish::Leave)) {
            self.entitle_window(ui, text!("app-name"));
        }
        leaving
    }

    /// Tells the window system what is going on, where that has changed.
    fn entitle_window(&mut self, ui: &Ui, title: String) {
        if self.window_title != title {
            ui.ctx().send_viewport_cmd(ViewportCommand::Title(title.clone()));
            self.window_title = title;
        }
    }

    fn scene<'a>(
        &'a self,
        state: &'a Arc<State>,
        marks: &'a super::board::Marks,
        description: &'a Description,
        settings: &Settings,
    ) -> Scene<'a> {
        Scene {
            state,
            looks: self.desk.looks(),
            art: &self.art,
            marks,
            travels: self.desk.travels(),
            title: &description.scenario_title,
            is_playable: self.desk.may_choose(),
            shows_names: settings.shows_names,
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

    fn keys(&mut self, ui: &Ui, wishes: &mut Vec<Wish>) {
        if self.desk.to_confirm.is_some() || ui.ctx().text_edit_focused() {
            return;
        }
        let pressed = |act| keys::pressed(ui, act);
        if pressed(Act::Redo) {
            wishes.push(Wish::Send(Command::Redo));
        }
        if pressed(Act::Undo) {
            wishes.push(Wish::Send(Command::Undo));
        }
        self.history_keys(ui, wishes);
        if pressed(Act::Hint) && self.can_hint() {
            wishes.push(Wish::Hint);
        }
        if pressed(Act::Save) {
            wishes.push(Wish::Save);
        }
        let picking = self.desk.picking();
        if picking.is_some_and(|picking| picking.sole().is_some()) && pressed(Act::Play) {
            wishes.push(Wish::PlayChosen);
        }
        if picking.is_some_and(|picking| picking.has_picked() || picking.wanted().is_some()) && pressed(Act::Clear) {
            wishes.push(Wish::Clear);
        }
    }

    fn can_hint(&self) -> bool {
        self.desk.picking().is_some() && !self.desk.awaits_hint()
    }

    /// The keys that go through the history. The arrows do so only while it is looked back, and nothing has the focus.
    fn history_keys(&self, ui: &Ui, wishes: &mut Vec<Wish>) {
        let (first, at, length) = (self.desk.first(), self.desk.mirror().at(), self.desk.mirror().length());
        let looks_back = at < length && ui.memory(|memory| memory.focused().is_none());
        let position = if keys::pressed(ui, Act::Beginning) {
            first
        } else if keys::pressed(ui, Act::Newest) {
            length
        } else if keys::pressed(ui, Act::StepBack) || (looks_back && keys::pressed(ui, Act::ReplayBack)) {
            at.saturating_sub(1).max(first)
        } else if keys::pressed(ui, Act::StepForward) || (looks_back && keys::pressed(ui, Act::ReplayForward)) {
            (at + 1).min(length)
        } else {
            return;
        };
        if position != at {
            wishes.push(Wish::Send(Command::GoTo { position }));
        }
    }

    fn head_ui(&self, ui: &mut Ui, description: &Description, state: &State, wishes: &mut Vec<Wish>, corner: impl FnOnce(&mut Ui)) {
        ui.horizontal(|ui| {
            ui.set_min_height(36.0);
            if ui.add(IconButton::icon(Icon::Back, text!("match-leave"))).clicked() {
                wishes.push(Wish::Leave);
            }
            // The buttons take what they need; the titles get what is left of the line.
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = space::XS;
                corner(ui);
                ui.add_space(space::S);
                self.tools_ui(ui, wishes);
                ui.add_space(space::S);
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| self.titles_ui(ui, description, state));
            });
        });
    }

    fn titles_ui(&self, ui: &mut Ui, description: &Description, state: &State) {
        let palette = Palette::of(ui.visuals());
        let mirror = self.desk.mirror();
        ui.spacing_mut().item_spacing.x = space::S;
        ui.add(Label::new(title(&description.title, size::TITLE)).truncate());
        let first = self.desk.first();
        if mirror.at() < mirror.length() {
            chip_ui(
                ui,
                &text!(
                    "match-looking-back",
                    at = mirror.at() - first.min(mirror.at()),
                    of = mirror.length() - first.min(mirror.length())
                ),
                palette.warning,
            );
        } else if state.sequence().mark.round > 0 && ui.available_width() > ROOM_FOR_ROUND {
            chip_ui(ui, &text!("match-round", round = state.sequence().mark.round), palette.muted);
        }
        if description.scenario_title != description.title && ui.available_width() > ROOM_FOR_SCENARIO {
            ui.add(Label::new(RichText::new(&description.scenario_title).color(palette.muted)).truncate());
        }
    }

    fn tools_ui(&self, ui: &mut Ui, wishes: &mut Vec<Wish>) {
        let mirror = self.desk.mirror();
        let is_narrow = ui.available_width() < ROOM_FOR_WORDS;
        let tool = |icon, label: String| {
            if is_narrow {
                IconButton::icon(icon, label)
            } else {
                IconButton::with_text(icon, label)
            }
        };
        if ui
            .add(IconButton::icon(Icon::Save, text!("match-save")).hint(key_of(Act::Save)))
            .clicked()
        {
            wishes.push(Wish::Save);
        }
        let label = if self.desk.awaits_hint() {
            text!("match-hint-awaited")
        } else {
            text!("match-hint")
        };
        if ui
            .add_enabled(self.can_hint(), tool(Icon::Hint, label).hint(key_of(Act::Hint)))
            .clicked()
        {
            wishes.push(Wish::Hint);
        }
        let redo = tool(Icon::Redo, text!("match-redo")).hint(key_of(Act::Redo));
        if ui.add_enabled(mirror.at() < mirror.length(), redo).clicked() {
            wishes.push(Wish::Send(Command::Redo));
        }
        let undo = tool(Icon::Undo, text!("match-undo")).hint(key_of(Act::Undo));
        if ui.add_enabled(mirror.at() > self.desk.first(), undo).clicked() {
            wishes.push(Wish::Send(Command::Undo));
        }
    }

    fn side_ui(&self, ui: &mut Ui, state: &State, wishes: &mut Vec<Wish>) {
        let mirror = self.desk.mirror();
        panels::seats_ui(ui, mirror, state, wishes);
        let lines = &self.desk.looks().panel;
        if !lines.is_empty() {
            ui.separator();
            heading_ui(ui, Icon::Note, &text!("match-standing"));
            let palette = Palette::of(ui.visuals());
            ScrollArea::vertical().id_salt("panel").max_height(180.0).show(ui, |ui| {
                for (label, value) in lines {
                    ui.horizontal(|ui| {
                        ui.label(RichText::new(&**label).color(palette.muted));
                        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                            ui.label(strong(&**value));
                        });
                    });
                }
            });
        }
        ui.separator();
        panels::history_ui(ui, mirror, self.desk.first(), wishes);
    }

    fn board_ui(&mut self, ui: &mut Ui, state: &Arc<State>, description: &Description, settings: &Settings) -> egui::Rect {
        let marks = self.desk.marks();
        let mut board = std::mem::take(&mut self.board);
        let reply = board.ui(ui, &self.scene(state, &marks, description, settings));
        let within = reply.response.rect;
        if let Some(cell) = reply.hovered {
            let scene = self.scene(state, &marks, description, settings);
            let text = scene.cell_text(cell);
            status_ui(ui, within, &text);
        }
        self.board = board;
        if let Some(click) = reply.clicked {
            self.desk.click(click.cell, click.is_double);
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
    fn grant(&mut self, wishes: Vec<Wish>, within: egui::Rect) -> Option<MatchWish> {
        let mut leaving = None;
        for wish in wishes {
            match wish {
                Wish::Send(command) => self.desk.send(command),
                Wish::Play(action) => self.desk.play(action),
                Wish::PlayChosen => _ = self.desk.play_chosen(),
                Wish::Clear => self.desk.choose(|picking| _ = picking.clear()),
                Wish::Want(action) => self.desk.choose(|picking| picking.want(action)),
                Wish::Pick(action, pick) => self.desk.choose(|picking| _ = picking.pick(action, pick)),
                Wish::PickPiece(piece) => self.desk.click_piece(piece),
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
    painter.rect_filled(rect, egui::CornerRadius::same(8), super::theme::veil(palette.surface, 0.92));
    painter.galley(corner + egui::vec2(8.0, 4.0), galley, palette.text);
}
