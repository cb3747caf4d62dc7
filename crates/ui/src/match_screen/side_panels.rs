//! The panels around the board: seats and history, strategies, chat, the bar for looking back, the console, and problems of the rules. What
//! comes and goes lies in the panel at the right, or over the foot of the board where there is no room for that panel: the board keeps its
//! place and size.

use egui::{Area, Frame, Id, Margin, Order, Panel, Popup, PopupCloseBehavior, Rect, ScrollArea, Sense, Ui, UiBuilder, vec2};

use super::heat_maps::HeatMaps;
use super::replay::Replay;
use super::{Drawing, ScreenContext};
use crate::command::{AppCommand, MatchCommand, UiCommand};
use crate::keys::{self, Act, key_of};
use crate::match_controller::MatchController;
use crate::panels::{self, ChatPanel, Console, Insight, InsightData, OddsPanel};
use crate::resizable::resizable_ui;
use crate::screen::EditRequest;
use crate::texts::text;
use crate::theme::{Icon, IconButton, MenuRow, Palette, name_handle, space};
use boardwright_model::diagnostic::Diagnostic;
use boardwright_model::{Outcome, State};
use boardwright_protocol::{Command, OfferKind};

/// The least height of the history, in points.
const LEAST_HISTORY: f32 = 140.0;
/// Its least height beside many seats, in points, and its share of the height there is.
const LEAST_LINES: f32 = 92.0;
const LEAST_SHARE: f32 = 0.18;
/// The widths of the panel at the right, in points: the default one, and the shares of a narrow and of a wide window it takes.
const SIDE: std::ops::RangeInclusive<f32> = 240.0..=460.0;
const USUAL_SIDE: f32 = 310.0;
const SIDE_SHARE: f32 = 0.36;
const WIDE_SHARE: f32 = 0.16;
/// The heights of what the player makes higher or lower in it, in points: initial, least and most; and what is left above it.
const CHAT: [f32; 3] = [150.0, 96.0, 360.0];
const CONSOLE: [f32; 3] = [220.0, 150.0, 420.0];
const PROBLEMS: [f32; 3] = [200.0, 90.0, 420.0];
const LEAST_ABOVE: f32 = 220.0;
/// The share of the board that what lies over its foot covers at most.
const MOST_COVERED: f32 = 0.5;
/// The width from which on there is room for the board and the panel beside it, in points.
const LEAST_WITH_SIDE: f32 = 560.0;

/// A panel of a match that can be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchPanel {
    /// What players write to one another.
    Chat,
    /// The odds of what is chosen.
    Odds,
    /// What strategies think.
    Insight,
    /// The line in which the position is edited.
    Console,
}

impl MatchPanel {
    const ALL: [Self; 4] = [Self::Chat, Self::Odds, Self::Insight, Self::Console];

    /// Its key, its icon and its title.
    fn entry(self) -> (Act, Icon, String) {
        match self {
            Self::Chat => (Act::Chat, Icon::Chat, text!("chat-title")),
            Self::Odds => (Act::Odds, Icon::Dice, text!("odds-title")),
            Self::Insight => (Act::Insight, Icon::Computer, text!("insight-title")),
            Self::Console => (Act::Console, Icon::Gear, text!("console-title")),
        }
    }

    /// Why it has nothing to show in this match.
    fn unavailable(self, controller: &MatchController, state: &State) -> Option<String> {
        let description = controller.mirror().description();
        match self {
            Self::Odds => state.declarations().contests.is_empty().then(|| text!("odds-never")),
            Self::Insight => description
                .is_none_or(|description| description.strategies.is_empty())
                .then(|| text!("insight-none")),
            Self::Console if controller.mirror().is_guest() => Some(text!("console-host-only")),
            Self::Console | Self::Chat => None,
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct SidePanels {
    pub(super) console: Console,
    insight: Insight,
    chat: ChatPanel,
    odds: OddsPanel,
    pub(super) heat_maps: HeatMaps,
    problems_closed: Option<usize>,
}

impl SidePanels {
    pub(super) fn keys(ui: &Ui, commands: &mut Vec<UiCommand>) {
        for panel in [MatchPanel::Odds, MatchPanel::Insight, MatchPanel::Chat] {
            if keys::pressed(ui, panel.entry().0) {
                commands.push(UiCommand::TogglePanel(panel));
            }
        }
    }

    fn is_open(&self, panel: MatchPanel, controller: &MatchController) -> bool {
        match panel {
            MatchPanel::Odds => self.odds.is_shown(controller.odds_query().is_known()),
            MatchPanel::Insight => self.insight.is_open(),
            MatchPanel::Console => self.console.is_open(),
            MatchPanel::Chat => self.chat.is_shown(controller.mirror()),
        }
    }

    /// Opens or closes a panel, or tells why it has nothing to show.
    pub(super) fn toggle(&mut self, panel: MatchPanel, controller: &mut MatchController, now: f64) {
        let unavailable = controller.state().and_then(|state| panel.unavailable(controller, state));
        match (unavailable.filter(|_| !self.is_open(panel, controller)), panel) {
            (Some(reason), _) => controller.notify(reason, now),
            (None, MatchPanel::Odds) => self.odds.toggle(controller.odds_query().is_known()),
            (None, MatchPanel::Insight) => self.insight.toggle(),
            (None, MatchPanel::Console) => self.console.toggle(),
            (None, MatchPanel::Chat) => self.chat.toggle(controller.mirror()),
        }
    }

    /// The button in the head of the match with the menu of the panels.
    pub(super) fn menu_ui(
        &self,
        ui: &mut Ui,
        controller: &MatchController,
        context: ScreenContext<'_>,
        drawing: Drawing,
        commands: &mut Vec<UiCommand>,
    ) {
        let ScreenContext { state, description, .. } = context;
        let is_any_open = MatchPanel::ALL.into_iter().any(|panel| self.is_open(panel, controller));
        let more = ui.add(IconButton::icon(Icon::More, text!("match-tools")).selected(is_any_open));
        Popup::menu(&more).close_behavior(PopupCloseBehavior::CloseOnClick).show(|ui| {
            for panel in MatchPanel::ALL {
                let (act, icon, title) = panel.entry();
                let row = MenuRow::new(icon, title).key(key_of(act)).selected(self.is_open(panel, controller));
                let unavailable = panel.unavailable(controller, state);
                let shown = ui.add_enabled(unavailable.is_none(), row);
                let shown = match unavailable {
                    Some(reason) => shown.on_disabled_hover_text(reason),
                    None => shown,
                };
                if shown.clicked() {
                    commands.push(UiCommand::TogglePanel(panel));
                }
            }
            self.heat_maps.menu_ui(ui, state.declarations(), commands);
            ui.separator();
            beside_ui(ui, controller, description.rated, commands);
            let export = MenuRow::new(Icon::Save, text!("match-export-scenario"));
            let is_guest = controller.mirror().is_guest();
            if !is_guest || drawing != Drawing::Nowhere {
                ui.separator();
            }
            if !is_guest && ui.add_enabled(state.outcome().is_none(), export).clicked() {
                commands.push(MatchCommand::ExportScenario.into());
            }
            if drawing != Drawing::Nowhere {
                let ids = || (description.ruleset.clone(), description.scenario.clone());
                if ui.add(MenuRow::new(Icon::Map, text!("match-edit-map"))).clicked() {
                    let (ruleset, scenario) = ids();
                    commands.push(AppCommand::OpenEditor(EditRequest::MapOf(ruleset, scenario)).into());
                }
                if ui.add(MenuRow::new(Icon::Pawn, text!("match-edit-scenario"))).clicked() {
                    let (ruleset, scenario) = ids();
                    commands.push(AppCommand::OpenEditor(EditRequest::Scenario(ruleset, scenario)).into());
                }
            }
        });
    }

    /// Whether there is room for the panel at the right: beside the tools panel in a small window there is not.
    pub(super) fn has_side(ui: &Ui) -> bool {
        ui.available_width() >= LEAST_WITH_SIDE
    }

    /// Shows the panel at the right: the result, seats, what the ruleset shows on the scoreboard, history, and whatever is opened below that.
    pub(super) fn side_ui(
        &mut self,
        ui: &mut Ui,
        controller: &mut MatchController,
        state: &State,
        (replay, outcome): (&mut Replay, Option<&Outcome>),
        hides_problems: bool,
        commands: &mut Vec<UiCommand>,
    ) {
        let problems = self.problems(controller, hides_problems);
        let odds = controller.odds(self.odds.asks());
        let is_awaited = controller.odds_query().is_pending();
        let palette = Palette::of(ui.visuals());
        // A share of the window, not of what is left: whether another panel was opened before the match was seen must not matter.
        let window_width = ui.ctx().content_rect().width();
        Panel::right("match side")
            .default_size((window_width * SIDE_SHARE).clamp(*SIDE.start(), USUAL_SIDE.max(window_width * WIDE_SHARE).min(*SIDE.end())))
            .size_range(SIDE)
            .frame(Frame::NONE.fill(palette.surface).inner_margin(Margin::same(space::L as i8)))
            .show(ui, |ui| {
                if controller.toasts().is_shown() {
                    foot("match message").show(ui, |ui| controller.toasts_mut().ui(ui, commands));
                }
                let controller_seen = &*controller;
                if self.chat.is_shown(controller_seen.mirror()) {
                    docked_ui(ui, "match-talk", CHAT, |ui| self.chat.ui(ui, controller_seen.mirror(), commands));
                }
                if self.console.is_open() {
                    docked_ui(ui, "match-console", CONSOLE, |ui| {
                        console_ui(&mut self.console, ui, controller_seen, state, commands);
                    });
                }
                if !problems.is_empty() && docked_ui(ui, "match-problems", PROBLEMS, |ui| panels::problems_ui(ui, &problems, commands)) {
                    self.problems_closed = Some(problems.len());
                }
                if let Some(hint) = controller_seen.mirror().hint().filter(|_| controller_seen.may_choose()) {
                    foot("match hint").show(ui, |ui| panels::hint_ui(ui, hint, commands));
                }
                if !controller_seen.mirror().offers().is_empty() {
                    foot("match-offers").show(ui, |ui| {
                        panels::offers_ui(ui, controller_seen.mirror(), state.declarations(), commands);
                    });
                }
                if self.odds.is_shown(odds.is_some()) {
                    foot("match odds").show(ui, |ui| self.odds.ui(ui, odds.as_deref(), is_awaited, state));
                }
                if replay.is_shown(controller_seen) {
                    foot("match-replay").show(ui, |ui| replay.ui(ui, controller_seen, commands));
                }
                seats_and_history_ui(ui, controller_seen, (state, outcome), replay, commands);
            });
        name_handle(ui, "match side");
    }

    /// Shows what strategies think, at the left of the board; requested while it is shown.
    pub(super) fn insight_ui(&mut self, ui: &mut Ui, controller: &mut MatchController, context: ScreenContext<'_>) {
        let ScreenContext { state, description, .. } = context;
        let strategies = &description.strategies;
        controller.watch_strategies(self.insight.watches());
        let shown = self.heat_maps.source(state.declarations());
        controller.show_heat_map(shown.or_else(|| self.insight.shown_cells(strategies, state)));
        if !self.insight.is_open() {
            return;
        }
        let seat_values = match self.insight.strategy(strategies) {
            Some(strategy) => controller.evaluation(strategy).to_vec(),
            None => Vec::new(),
        };
        let palette = Palette::of(ui.visuals());
        Panel::left("match insight")
            .resizable(true)
            .default_size(276.0)
            .size_range(240.0..=420.0)
            .frame(Frame::NONE.fill(palette.surface).inner_margin(Margin::same(space::M as i8)))
            .show(ui, |ui| {
                let data = InsightData {
                    strategies,
                    seat_values: &seat_values,
                    cell_values: &controller.insight().cell_values,
                    decisions: &controller.insight().decisions,
                    failure: controller.insight().failure.as_deref(),
                };
                self.insight.ui(ui, state, data);
            });
        name_handle(ui, "match insight");
    }

    /// Shows over the foot of the board what has no room beside it: the newest message, or else problems of the rules, the console, or the
    /// bar for looking back.
    pub(super) fn over_board_ui(
        &mut self,
        ui: &Ui,
        within: Rect,
        controller: &mut MatchController,
        (state, replay): (&State, &mut Replay),
        hides_problems: bool,
        commands: &mut Vec<UiCommand>,
    ) {
        let problems = self.problems(controller, hides_problems);
        if !problems.is_empty() {
            if over_foot_ui(ui, within, PROBLEMS[0], |ui| panels::problems_ui(ui, &problems, commands)) {
                self.problems_closed = Some(problems.len());
            }
        } else if self.console.is_open() {
            over_foot_ui(ui, within, CONSOLE[0], |ui| {
                console_ui(&mut self.console, ui, controller, state, commands);
            });
        } else if replay.is_shown(controller) {
            over_foot_ui(ui, within, 0.0, |ui| replay.ui(ui, controller, commands));
        }
        controller.toasts_mut().over_ui(ui, within, commands);
    }

    /// What is wrong with the rules, until it is closed. `are_shown_elsewhere` is whether the tools panel shows it.
    fn problems(&mut self, controller: &MatchController, are_shown_elsewhere: bool) -> Vec<Diagnostic> {
        let problems = controller.problems();
        if problems.is_empty() {
            self.problems_closed = None;
        }
        if are_shown_elsewhere || self.problems_closed == Some(problems.len()) {
            return Vec::new();
        }
        problems
    }
}

/// What can be done beside the rules: resign, offer a draw, ask to undo.
fn beside_ui(ui: &mut Ui, controller: &MatchController, is_rated: bool, commands: &mut Vec<UiCommand>) {
    let seat = controller.own_seat();
    let is_open = |kind| controller.mirror().offers().iter().any(|open| open.offer == kind);
    let has_others = controller.has_people_elsewhere();
    // Others decide whether they accept; only people around one screen have agreed before they ask.
    let has_opponents = has_others || controller.has_computers();
    let draw = MenuRow::new(
        Icon::Check,
        if has_opponents {
            text!("match-offer-draw")
        } else {
            text!("match-agree-draw")
        },
    );
    if ui.add_enabled(seat.is_some() && !is_open(OfferKind::Draw), draw).clicked()
        && let Some(seat) = seat
    {
        let (offer, by) = (OfferKind::Draw, Some(seat));
        commands.push(if has_opponents {
            MatchCommand::Send(Command::Offer { offer, seat: by }).into()
        } else {
            MatchCommand::AskDraw(seat).into()
        });
    }
    if has_others {
        let row = MenuRow::new(Icon::Undo, text!("match-ask-undo"));
        let shown = ui.add_enabled(!is_rated && seat.is_some() && !is_open(OfferKind::Undo), row);
        let shown = if is_rated {
            shown.on_disabled_hover_text(text!("match-rated-line"))
        } else {
            shown
        };
        if shown.clicked() {
            let offer = OfferKind::Undo;
            commands.push(MatchCommand::Send(Command::Offer { offer, seat }).into());
        }
    }
    // Where nobody ever plays for them there is nothing to vote on.
    let mirror = controller.mirror();
    let is_waited_for = mirror.gone().iter().any(|seat| !mirror.substitutes().contains(seat));
    let has_limit = mirror
        .description()
        .is_some_and(|description| description.substitute_after.is_some());
    if has_others && has_limit && is_waited_for {
        let row = MenuRow::new(Icon::Clock, text!("match-ask-wait"));
        if ui.add_enabled(seat.is_some() && !is_open(OfferKind::Wait), row).clicked() {
            let offer = OfferKind::Wait;
            commands.push(MatchCommand::Send(Command::Offer { offer, seat }).into());
        }
    }
    let resign = MenuRow::new(Icon::Close, text!("match-resign"));
    if ui.add_enabled(seat.is_some(), resign).clicked() {
        commands.extend(seat.map(|seat| UiCommand::from(MatchCommand::AskResign(seat))));
    }
}

fn console_ui(console: &mut Console, ui: &mut Ui, controller: &MatchController, state: &State, commands: &mut Vec<UiCommand>) {
    if let Some(description) = controller.mirror().description() {
        console.ui(ui, state, &description.script_words, controller.edits(), commands);
    }
}

/// A part of the panel at the right whose height the player changes; `sizes` are the first, the least and the greatest height.
fn docked_ui<T>(ui: &mut Ui, id: &'static str, [first, least, most]: [f32; 3], add: impl FnOnce(&mut Ui) -> T) -> T {
    let most = most.min(ui.available_height() - LEAST_ABOVE).max(least);
    let frame = Frame::NONE.inner_margin(Margin::symmetric(0, space::S as i8));
    resizable_ui(ui, Panel::bottom, id, [first.min(most), least, most], frame, |ui| {
        ui.separator();
        add(ui)
    })
}

/// Something over the foot of the board, at least so high.
fn over_foot_ui<T>(ui: &Ui, within: Rect, height: f32, add: impl FnOnce(&mut Ui) -> T) -> T {
    let frame = bar_frame(ui).shadow(ui.visuals().popup_shadow);
    let margin = frame.inner_margin.sum();
    let room = vec2(within.width(), height.min(within.height() * MOST_COVERED)) - margin;
    let area = Area::new(Id::unique("match over board")).order(Order::Foreground);
    let shown = area
        .pivot(egui::Align2::LEFT_BOTTOM)
        .fixed_pos(within.left_bottom())
        .show(ui.ctx(), |ui| {
            frame.show(ui, |ui| {
                ui.set_width(room.x.max(0.0));
                ui.set_height(room.y.max(0.0));
                add(ui)
            })
        });
    shown.inner.inner
}

/// A part at the foot of the panel at the right, as high as what is in it.
fn foot(id: &'static str) -> Panel {
    Panel::bottom(id)
        .resizable(false)
        .frame(Frame::NONE.inner_margin(Margin::symmetric(0, space::S as i8)))
}

/// The result, seats, the scoreboard and the history, which all roll together where there is not room for them.
fn seats_and_history_ui(
    ui: &mut Ui,
    controller: &MatchController,
    (state, outcome): (&State, Option<&Outcome>),
    replay: &Replay,
    commands: &mut Vec<UiCommand>,
) {
    let room = ui.available_height();
    ScrollArea::vertical().id_salt("side").auto_shrink([false, false]).show(ui, |ui| {
        let bottom = ui.cursor().top() + room;
        if let Some(outcome) = outcome {
            panels::outcome_ui(ui, controller.mirror(), (state, outcome), commands);
        }
        let left = bottom - ui.cursor().top();
        // The history keeps some room, however many seats there are.
        let least = match state.declarations().seats.len() {
            0..=2 => LEAST_HISTORY,
            _ => LEAST_HISTORY.min((left * LEAST_SHARE).max(LEAST_LINES)),
        };
        let between = ui.spacing().item_spacing;
        ui.scope(|ui| {
            let is_close = panels::seats_ui(ui, controller, state, commands);
            panels::scoreboard_ui(ui, controller, state, is_close, commands);
        });
        ui.separator();
        let height = (bottom - ui.cursor().top() - between.y).max(least).floor();
        let (list, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
        let mut inside = ui.new_child(UiBuilder::new().max_rect(list));
        panels::history_ui(
            &mut inside,
            controller.mirror(),
            controller.first(),
            replay.is_shown(controller),
            commands,
        );
    });
}

pub(super) fn bar_frame(ui: &Ui) -> Frame {
    Frame::NONE
        .fill(Palette::of(ui.visuals()).surface)
        .inner_margin(Margin::symmetric(space::L as i8, space::S as i8))
}
