//! What stands around the board: seats and history, what strategies think, the bars below it.

use std::sync::Arc;

use egui::{CentralPanel, Frame, Margin, Panel, ScrollArea, Ui};

use super::MatchScreen;
use boardwright_protocol::Description;
use boardwright_model::State;
use crate::panels::{Known, self};
use crate::settings::Settings;
use crate::texts::text;
use crate::theme::{Palette, name_handle, space};
use crate::wish::Wish;

/// The room the history has at least, in points.
const LEAST_HISTORY: f32 = 140.0;
/// The share of a low window that it has at least beside many seats.
const LEAST_SHARE: f32 = 0.18;
/// The width from which on there is room for the board and the panel beside it, in points.
const LEAST_WITH_SIDE: f32 = 560.0;

impl MatchScreen {
    /// Shows all that stands around the board; what is left is for the board.
    pub(super) fn around_ui(
        &mut self,
        ui: &mut Ui,
        state: &Arc<State>,
        description: &Description,
        settings: &Settings,
        wishes: &mut Vec<Wish>,
    ) {
        let palette = Palette::of(ui.visuals());
        let bar = bar(palette);
        // Beside a drawer in a small window there is no room for both.
        if ui.available_width() >= LEAST_WITH_SIDE {
            Panel::right("match side")
                .default_size(310.0)
                .size_range(250.0..=460.0)
                .frame(Frame::NONE.fill(palette.surface).inner_margin(Margin::same(space::L as i8)))
                .show(ui, |ui| self.side_ui(ui, state, wishes));
            name_handle(ui, "match side");
        }
        Panel::bottom("match choice").frame(bar).show(ui, |ui| {
            let scene_marks = self.desk.marks();
            let scene = self.scene(state, &scene_marks, description, settings);
            panels::zones_ui(ui, &scene, self.desk.picking(), wishes);
            panels::choice_ui(ui, &self.desk, state, self.outcome_seen, &mut self.number, wishes);
        });
        self.insight_ui(ui, state, description);
        if self.console.is_open() {
            Panel::bottom("match console")
                .resizable(true)
                .default_size(200.0)
                .size_range(150.0..=420.0)
                .frame(bar)
                .show(ui, |ui| self.console.ui(ui, state, self.desk.said_by_hand(), wishes));
            name_handle(ui, "match console");
        }
        if self.shows_replay() {
            Panel::bottom("match replay").frame(bar).show(ui, |ui| {
                let (first, can_compare) = (self.desk.first(), self.desk.can_compare());
                panels::replay_ui(ui, &mut self.replay, self.desk.mirror(), first, can_compare, wishes);
            });
        }
        self.problems_ui(ui, wishes);
    }

    /// What is wrong with the rules.
    fn problems_ui(&mut self, ui: &mut Ui, wishes: &mut Vec<Wish>) {
        let problems = self.desk.problems();
        if problems.is_empty() {
            self.problems_closed = None;
        } else if self.shows_problems && self.problems_closed != Some(problems.len()) {
            let palette = Palette::of(ui.visuals());
            let frame = Frame::NONE.fill(palette.surface).inner_margin(Margin::same(space::M as i8));
            let closed = Panel::bottom("match problems")
                .resizable(true)
                .default_size(190.0)
                .size_range(90.0..=420.0)
                .frame(frame)
                .show(ui, |ui| panels::problems_ui(ui, &problems, wishes));
            name_handle(ui, "match problems");
            if closed.inner {
                self.problems_closed = Some(problems.len());
            }
        }
    }

    /// Shown until the match is known.
    pub(super) fn waiting_ui(&mut self, ui: &mut Ui, wishes: &mut Vec<Wish>) {
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
            name_handle(ui, "match talk");
        }
        // The history keeps some room, however many sit at the table.
        let least = match state.frame().seats.len() {
            0..=2 => LEAST_HISTORY,
            _ => LEAST_HISTORY.min(ui.available_height() * LEAST_SHARE),
        };
        let most = (ui.available_height() - least).max(LEAST_HISTORY);
        ScrollArea::vertical().id_salt("seats").max_height(most).show(ui, |ui| {
            let room = most - panels::standing_height(&self.desk.looks().panel);
            let is_close = panels::seats_ui(ui, &self.desk, state, room, wishes);
            panels::standing_ui(ui, &self.desk.looks().panel, is_close);
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
        name_handle(ui, "match insight");
    }
}

/// The frame of a bar across the window.
pub(super) fn bar(palette: &Palette) -> Frame {
    Frame::NONE
        .fill(palette.surface)
        .inner_margin(Margin::symmetric(space::L as i8, space::S as i8))
}
