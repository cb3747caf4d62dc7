//! The screen of a running match: the board in the middle, panels around it.
//!
//! Its parts show themselves and emit commands; `MatchScreen::handle` passes them to the match controller, or changes what is shown.

mod board_pane;
mod hand_over;
mod head;
mod heat_maps;
mod layout;
mod replay;
mod side_panels;

use std::sync::Arc;

use egui::{CentralPanel, Panel, ScrollArea, Ui};

use self::board_pane::BoardPane;
use self::hand_over::HandOver;
use self::head::head_ui;
use self::layout::TrayPlace;
use self::replay::{Replay, go_to, history_keys};
pub use self::side_panels::MatchPanel;
use self::side_panels::{SidePanels, bar_frame};
use super::action_picker::{ActionPicker, Asked};
use super::command::{AppCommand, ChoiceCommand, MatchCommand, Turn, UiCommand};
use super::keys::{self, Act};
use super::match_controller::{InputFocus, MatchController};
use super::panels::{self, NumberPicker, Tray, TrayContents, choices};
use super::settings::Settings;
use super::texts::{locale, text};
use boardwright_client::{Link, LinkClosed, MatchChoice};
use boardwright_model::{ActionId, Domain, Outcome, Pick, SeatId, State};
use boardwright_protocol::{Command, Description};

/// What every part of the screen shows a piece of.
#[derive(Clone, Copy)]
struct ScreenContext<'a> {
    state: &'a Arc<State>,
    description: &'a Description,
    settings: &'a Settings,
}

/// The screen of a running match.
#[derive(Debug)]
pub struct MatchScreen {
    pub(crate) controller: MatchController,
    /// How the match was begun, for a rematch.
    choice: Option<MatchChoice>,
    board: BoardPane,
    panels: SidePanels,
    tray: Tray,
    number: NumberPicker,
    replay: Replay,
    hand_over: HandOver,
    outcome_seen: bool,
    shows_statistics: bool,
    /// What the window can draw of this match.
    pub(crate) drawing: Drawing,
}

/// Whether maps and scenarios can be drawn in the window of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Drawing {
    /// The window has no editor.
    #[default]
    Nowhere,
    /// They can be opened in the editor.
    Possible,
    /// The editor is open behind the match.
    Open,
}

impl MatchScreen {
    /// Takes part in a match. `choice` is how it was begun, for a rematch.
    ///
    /// # Errors
    /// If the host is gone.
    pub fn open(link: Box<dyn Link>, choice: Option<MatchChoice>) -> Result<Self, LinkClosed> {
        Ok(Self {
            controller: MatchController::open(link)?,
            choice,
            board: BoardPane::default(),
            panels: SidePanels::default(),
            tray: Tray::default(),
            number: NumberPicker::default(),
            replay: Replay::default(),
            hand_over: HandOver::default(),
            outcome_seen: false,
            shows_statistics: false,
            drawing: Drawing::default(),
        })
    }

    /// Shows the beginning of the match as soon as the match is known.
    pub fn watch(&mut self) {
        self.controller.show_beginning();
        self.replay.is_open = true;
    }

    /// The controller of the match.
    pub fn controller(&self) -> &MatchController {
        &self.controller
    }

    /// The title of the window: it tells whose turn it is to someone who looks at another window.
    pub(crate) fn window_title(&self) -> String {
        let state_and_description = self.controller.state().zip(self.controller.mirror().description());
        state_and_description.map_or_else(|| text!("app-name"), |(state, description)| window_title(description, state))
    }

    /// Shows the screen. `hides_problems` is whether problems of the rules are shown elsewhere.
    pub fn ui(&mut self, ui: &mut Ui, settings: &Settings, hides_problems: bool, for_app: &mut Vec<AppCommand>) {
        let now = ui.input(|input| input.time);
        self.controller.set_language(locale());
        self.controller.update(now, settings);
        let mut commands = Vec::new();
        let (Some(state), Some(description)) = (self.controller.state().cloned(), self.controller.mirror().description().cloned()) else {
            self.waiting_ui(ui, for_app);
            return;
        };
        if let Some(seat) = self.hand_over.awaited(&self.controller, &state).filter(|_| settings.hands_over) {
            self.controller.drop_queued_input();
            self.hand_over.ui(ui, &state, seat, for_app);
            return;
        }
        let context = ScreenContext {
            state: &state,
            description: &description,
            settings,
        };
        self.board.load_art(ui, &description);
        let has_dialog = ui.ctx().memory(|memory| memory.top_modal_layer().is_some());
        let focus = InputFocus {
            is_on_board: self.board.view.has_focus(),
            is_in_dialog: has_dialog,
        };
        self.controller.handle_queued_input(ui, focus, now);
        // Keys belong to the dialog in front.
        if !has_dialog {
            self.keys(ui, &mut commands);
        }
        self.replay.tick(ui, &mut self.controller, now);
        self.controller.ask_preview(self.board.aimed, self.asked_pick());
        let bar = bar_frame(ui);
        Panel::top("match head").frame(bar).show(ui, |ui| {
            head_ui(ui, &self.controller, &self.panels, context, self.drawing, &mut commands);
        });
        if self.controller.lesson().is_some() {
            let lesson = Panel::top("match lesson").frame(bar);
            lesson.show(ui, |ui| panels::lesson_ui(ui, &self.controller, &mut commands));
        }
        let outcome = self.outcome(&state, now);
        let has_side = SidePanels::has_side(ui);
        let end_is_shown = has_side && outcome.is_some();
        let is_bar_wide = layout::is_bar_wide(ui.max_rect());
        if is_bar_wide {
            self.bar_ui(ui, context, end_is_shown, &mut commands);
        }
        if has_side {
            let parts = (&mut self.replay, outcome.as_ref());
            self.panels
                .side_ui(ui, &mut self.controller, &state, parts, hides_problems, &mut commands);
        }
        if !is_bar_wide {
            self.bar_ui(ui, context, end_is_shown, &mut commands);
        }
        self.panels.insight_ui(ui, &mut self.controller, context);
        self.pieces_ui(ui, context, &mut commands);
        let remark = self.controller.explanation_mut().remark(now);
        let remark = remark.map(|(cell, text, left)| {
            ui.ctx().request_repaint_after_secs(left as f32);
            (cell, text.to_owned())
        });
        CentralPanel::no_frame().show(ui, |ui| {
            let shown = (self.replay.shows_present, remark.as_ref());
            self.board.ui(ui, &self.controller, context, shown, &mut commands);
            if let Some(notice) = &self.controller.rules().notice {
                panels::reload_ui(ui, self.board.rect, notice, &description.help, &mut commands);
            }
        });
        self.board.overlays_ui(ui, &self.controller, context, &mut commands);
        let (heat_maps, declarations) = (&self.panels.heat_maps, state.declarations());
        heat_maps.legend_ui(ui, self.board.rect, &self.controller, declarations, &mut commands);
        self.dialogs_ui(ui, &state, &mut commands);
        if !has_side {
            let parts = (&*state, &mut self.replay);
            self.panels
                .over_board_ui(ui, self.board.rect, &mut self.controller, parts, hides_problems, &mut commands);
        }
        self.handle(commands, now, for_app);
    }

    /// What is asked below the board, in a bar that is always as high; what does not fit into it can be rolled.
    fn bar_ui(&mut self, ui: &mut Ui, context: ScreenContext<'_>, end_is_shown: bool, commands: &mut Vec<UiCommand>) {
        let frame = bar_frame(ui);
        let height = layout::bar_height(context.state.declarations(), ui.available_width() - frame.inner_margin.sum().x);
        let (controller, number) = (&self.controller, &mut self.number);
        Panel::bottom("match choice")
            .frame(frame)
            .resizable(false)
            .exact_size(height + frame.inner_margin.sum().y)
            .show(ui, |ui| {
                let area = ScrollArea::vertical()
                    .id_salt(("choice", controller.mirror().at()))
                    .auto_shrink(false)
                    .min_scrolled_height(0.0);
                area.show(ui, |ui| {
                    panels::action_bar_ui(ui, controller, context.state, end_is_shown, number, commands);
                });
            });
    }

    /// The seat whose pieces off the board are shown first: the one that acts here, or the first one held here.
    fn own_seat(&self) -> Option<SeatId> {
        self.controller.viewer()
    }

    /// What lies off the board: cards below it, and pieces with shapes on a tray beside it or below.
    fn pieces_ui(&mut self, ui: &mut Ui, context: ScreenContext<'_>, commands: &mut Vec<UiCommand>) {
        let (controller, state) = (&self.controller, context.state);
        let board_shape = self.board.view.shape(state.board());
        let marks = super::board::Marks::default();
        let scene = self.board.scene(controller, context, &marks);
        let (own, picker) = (self.own_seat(), controller.picker());
        if let Some(height) = layout::cards_height(state.declarations(), ui.ctx().content_rect()) {
            let frame = bar_frame(ui);
            let panel = Panel::bottom("match cards").frame(frame).resizable(false).exact_size(height);
            panel.show(ui, |ui| panels::cards_ui(ui, &scene, picker, own, commands));
        }
        if !layout::has_tray(state.declarations()) {
            return;
        }
        let panel = match layout::tray_place(ui.available_size(), board_shape) {
            TrayPlace::Beside(width) => Panel::right("match tray").exact_size(width),
            TrayPlace::Below(height) => Panel::bottom("match tray").exact_size(height),
        };
        let contents = TrayContents {
            scene: &scene,
            picker,
            own,
        };
        let tray = &mut self.tray;
        panel
            .frame(bar_frame(ui))
            .resizable(false)
            .show(ui, |ui| tray.ui(ui, contents, commands));
    }

    /// Shown until the match is known.
    fn waiting_ui(&self, ui: &mut Ui, for_app: &mut Vec<AppCommand>) {
        CentralPanel::default_margins().show(ui, |ui| {
            ui.centered_and_justified(|ui| {
                if self.controller.is_closed() {
                    ui.label(text!("trouble-not-opened"));
                    for_app.push(AppCommand::Leave);
                } else {
                    ui.spinner();
                }
            });
        });
    }

    /// How the match has ended, while that is shown: from when its last pieces have arrived until it is closed.
    fn outcome(&mut self, state: &State, now: f64) -> Option<Outcome> {
        let mirror = self.controller.mirror();
        // While looking back, an end that was seen stays seen.
        if state.outcome().is_none() && mirror.at() == mirror.length() {
            self.outcome_seen = false;
        }
        let is_shown = !self.outcome_seen && !self.controller.display().travels.is_under_way(now) && !self.replay.is_running();
        self.controller.outcome(state).filter(|_| is_shown)
    }

    /// The course of the match, and questions.
    fn dialogs_ui(&mut self, ui: &Ui, state: &State, commands: &mut Vec<UiCommand>) {
        let at = self.controller.mirror().at();
        if self.shows_statistics {
            let statistics = self.controller.statistics().cloned();
            let place = panels::ChartPlace {
                declarations: state.declarations(),
                at,
            };
            self.shows_statistics = panels::statistics_ui(ui, statistics.as_deref(), place, commands);
        }
        if let Some(to_confirm) = &self.controller.submission().to_confirm {
            let seat = state.declarations().seat_title(to_confirm.seat()).to_string();
            let is_rated = self.controller.mirror().description().is_some_and(|description| description.rated);
            panels::confirm_ui(ui, &seat, &self.controller.title_to_confirm(to_confirm), is_rated, commands);
        }
    }

    /// Carries out the commands of a frame.
    fn handle(&mut self, commands: Vec<UiCommand>, now: f64, for_app: &mut Vec<AppCommand>) {
        for command in commands {
            match command {
                UiCommand::Choice(command) => self.controller.choose_or_queue(command),
                UiCommand::Match(command) => self.controller.handle(command),
                UiCommand::TogglePanel(panel) => self.panels.toggle(panel, &mut self.controller, now),
                UiCommand::ShowHeatMap(name) => self.panels.heat_maps.show(name),
                UiCommand::ShowCell(cell) => self.board.view.show_cell(cell),
                UiCommand::FitBoard => self.board.view.fit(),
                UiCommand::ZoomBoard(factor) => self.board.zoom(factor),
                UiCommand::RunReplay(runs) => self.replay.set_running(runs, &mut self.controller, now),
                UiCommand::Compare(compares) => self.replay.set_comparing(compares, &mut self.controller),
                UiCommand::OpenReplay => self.replay.is_open = true,
                UiCommand::CloseReplay => {
                    self.replay.close();
                    self.controller.set_comparing(false);
                    let newest = self.controller.mirror().length();
                    if self.controller.mirror().at() < newest {
                        self.controller.handle(go_to(newest));
                    }
                }
                UiCommand::PlayFromHere => {
                    self.replay.next = None;
                    self.controller.play_from_here();
                }
                UiCommand::ShowStatistics => self.shows_statistics = true,
                UiCommand::CloseOutcome => self.outcome_seen = true,
                UiCommand::Rematch => match self.rematch() {
                    Some(choice) => for_app.push(AppCommand::Begin(choice)),
                    None => self.controller.handle(go_to(self.controller.first())),
                },
                UiCommand::App(command) => for_app.push(command),
            }
        }
    }

    /// The same match from the beginning, with the players who sit there now.
    fn rematch(&self) -> Option<MatchChoice> {
        let names = self
            .controller
            .mirror()
            .declarations()?
            .seats
            .iter()
            .map(|seat| seat.name.to_string());
        let players = names.zip(self.controller.mirror().players().iter().cloned()).collect();
        self.choice.clone().map(|choice| MatchChoice { players, ..choice })
    }

    fn keys(&mut self, ui: &Ui, commands: &mut Vec<UiCommand>) {
        // It counts in the line of the console too.
        self.panels.console.keys(ui);
        if ui.ctx().text_edit_focused() {
            return;
        }
        let pressed = |act| keys::pressed(ui, act);
        if pressed(Act::Redo) {
            commands.push(MatchCommand::Send(Command::Redo).into());
        }
        if pressed(Act::Undo) {
            commands.push(undo(&self.controller));
        }
        history_keys(ui, &self.controller, commands);
        self.replay.keys(ui, &self.controller, commands);
        if pressed(Act::Hint) && can_hint(&self.controller) {
            commands.push(MatchCommand::Hint.into());
        }
        if pressed(Act::Save) {
            commands.push(MatchCommand::Save.into());
        }
        SidePanels::keys(ui, commands);
        if pressed(Act::HeatMap) {
            self.next_heat_map(ui.input(|input| input.time), commands);
        }
        self.choice_keys(ui, commands);
    }

    fn next_heat_map(&mut self, now: f64, commands: &mut Vec<UiCommand>) {
        let Some(state) = self.controller.state().cloned() else { return };
        if state.declarations().heat_maps.is_empty() {
            self.controller.notify(text!("heat-map-none"), now);
        } else {
            commands.push(UiCommand::ShowHeatMap(self.panels.heat_maps.next(state.declarations())));
        }
    }

    fn choice_keys(&mut self, ui: &Ui, commands: &mut Vec<UiCommand>) {
        if panels::is_left_to_do_open(ui) {
            return;
        }
        let pressed = |act| keys::pressed(ui, act);
        if let Some(which) = keys::pressed_which(ui, Act::ChooseAction) {
            let chosen = self
                .controller
                .picker()
                .and_then(|picker| choices(picker, &self.controller).into_iter().nth(which));
            if let Some((action, command)) = chosen {
                if panels::asks_before(&self.controller, action) {
                    panels::open_left_to_do(ui);
                } else {
                    commands.push(command.into());
                }
            }
        }
        for (act, is_back) in [(Act::NextPiece, false), (Act::PreviousPiece, true)] {
            if pressed(act) {
                let (picker, own) = (self.controller.picker(), self.own_seat());
                let next = self
                    .controller
                    .state()
                    .and_then(|state| panels::next_piece(state, picker, own, is_back));
                commands.extend(next.map(|piece| ChoiceCommand::PickPiece(piece).into()));
            }
        }
        let may_turn = self.controller.picker().is_some_and(|picker| picker.placement().is_some());
        for (act, turn) in [
            (Act::Turn, Turn::Clockwise),
            (Act::TurnBack, Turn::Counterclockwise),
            (Act::Mirror, Turn::Mirror),
        ] {
            if may_turn && pressed(act) {
                commands.push(ChoiceCommand::Turn(turn).into());
            }
        }
        if let Some((action, step)) = asked_number(&self.controller) {
            self.number.settle(&step);
            for (act, by) in [(Act::NumberUp, 1), (Act::NumberDown, -1)] {
                if pressed(act) {
                    self.number.step(&step, by);
                }
            }
            // A button with the focus is pressed by the same key.
            let is_elsewhere = ui.memory(|memory| memory.focused().is_some()) && !self.board.view.has_focus();
            let pick = Pick::Number(self.number.value());
            if !is_elsewhere && self.controller.may_repeat(action) && pressed(Act::PlayOn) {
                commands.push(ChoiceCommand::PickRepeatedly(action, pick.clone()).into());
            }
            if !is_elsewhere && pressed(Act::Play) {
                commands.push(ChoiceCommand::Pick(action, pick).into());
            }
        }
        if self.controller.repeated_action().is_some() && pressed(Act::Clear) {
            commands.push(MatchCommand::StopRepeating.into());
        }
        let picker = self.controller.picker();
        if picker.is_some_and(|picker| picker.sole().is_some()) && pressed(Act::Play) {
            commands.push(ChoiceCommand::PlayChosen.into());
        }
        let has_begun = picker.is_some_and(|picker| picker.has_picked() || picker.wanted().is_some());
        let can_clear = has_begun || self.controller.has_queued_input() || self.controller.choice().candidates.is_some();
        if can_clear && pressed(Act::Clear) {
            commands.push(if self.controller.choice().candidates.is_some() {
                MatchCommand::ClosePieceChooser.into()
            } else if self.controller.action_to_confirm().is_some() {
                ChoiceCommand::StepBack.into()
            } else {
                MatchCommand::ClearChoice.into()
            });
        }
        if has_begun && pressed(Act::TakeBack) {
            commands.push(ChoiceCommand::StepBack.into());
        }
    }

    /// The number that would be picked now, where one is asked for.
    fn asked_pick(&self) -> Option<(ActionId, Pick)> {
        let (action, step) = asked_number(&self.controller)?;
        let mut number = self.number.clone();
        number.settle(&step);
        Some((action, Pick::Number(number.value())))
    }
}

/// What undo means: the last pick of an action that is to be confirmed is taken back, or else the last action of the match is undone.
fn undo(controller: &MatchController) -> UiCommand {
    if controller.action_to_confirm().is_some() {
        ChoiceCommand::StepBack.into()
    } else {
        MatchCommand::Send(Command::Undo).into()
    }
}

fn can_hint(controller: &MatchController) -> bool {
    controller.picker().is_some() && !controller.thinking().awaits_hint
}

/// The number that is asked for, if nothing else is.
fn asked_number(controller: &MatchController) -> Option<(ActionId, Asked)> {
    let asked = controller.picker().map(ActionPicker::asked)?;
    match asked.as_slice() {
        [step] if matches!(step.domain, Domain::Numbers { .. }) => Some((step.action, step.clone())),
        _ => None,
    }
}

fn window_title(description: &Description, state: &State) -> String {
    let acting: Vec<String> = state
        .acting()
        .iter()
        .map(|seat| state.declarations().seat_title(seat).to_string())
        .collect();
    let now = match state.outcome() {
        Some(outcome) => panels::headline(state, outcome),
        None if acting.is_empty() => return text!("app-name"),
        None => text!("match-to-act", seats = acting.join(", ")),
    };
    text!("match-title", now = now, game = description.title.as_str())
}
