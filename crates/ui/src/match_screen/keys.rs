//! What the keys do in a match.

use egui::Ui;

use super::MatchScreen;
use boardwright_protocol::Command;
use boardwright_model::{ActionId, Domain, Pick};
use crate::keys::{Act, self};
use crate::panels::choices;
use crate::picking::Asked;
use crate::wish::{Turn, Wish};

impl MatchScreen {
    pub(super) fn keys(&mut self, ui: &Ui, wishes: &mut Vec<Wish>) {
        if self.has_dialog() {
            return;
        }
        self.console.keys(ui);
        if ui.ctx().text_edit_focused() {
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
        self.replay_keys(ui, wishes);
        if pressed(Act::Hint) && self.can_hint() {
            wishes.push(Wish::Hint);
        }
        if pressed(Act::Save) {
            wishes.push(Wish::Save);
        }
        Self::tool_keys(ui, wishes);
        if let Some(which) = keys::pressed_which(ui, Act::ChooseAction) {
            let chosen = self.desk.picking().and_then(|picking| choices(picking).into_iter().nth(which));
            wishes.extend(chosen.map(|(_, wish)| wish));
        }
        let may_turn = self.desk.picking().is_some_and(|picking| picking.laying().is_some());
        for (act, turn) in [(Act::Turn, Turn::On), (Act::TurnBack, Turn::Back), (Act::Mirror, Turn::Mirror)] {
            if may_turn && keys::pressed(ui, act) {
                wishes.push(Wish::Turn(turn));
            }
        }
        if let Some((action, step)) = self.asked_number() {
            self.number.settle(&step);
            if keys::pressed(ui, Act::NumberUp) {
                self.number.step(&step, 1);
            }
            if keys::pressed(ui, Act::NumberDown) {
                self.number.step(&step, -1);
            }
            // A button with the focus is pressed by the same key.
            let is_elsewhere = ui.memory(|memory| memory.focused().is_some()) && !self.board.has_focus();
            if !is_elsewhere && self.desk.may_go_on_with(action) && keys::pressed(ui, Act::PlayOn) {
                wishes.push(Wish::PickAgain(action, Pick::Number(self.number.value())));
            }
            if !is_elsewhere && keys::pressed(ui, Act::Play) {
                wishes.push(Wish::Pick(action, Pick::Number(self.number.value())));
            }
        }
        if self.desk.goes_on_with().is_some() && pressed(Act::Clear) {
            wishes.push(Wish::StopAgain);
        }
        let picking = self.desk.picking();
        if picking.is_some_and(|picking| picking.sole().is_some()) && pressed(Act::Play) {
            wishes.push(Wish::PlayChosen);
        }
        let has_begun = picking.is_some_and(|picking| picking.has_picked() || picking.wanted().is_some());
        if (has_begun || self.has_kept() || self.desk.fan().is_some()) && pressed(Act::Clear) {
            wishes.push(Wish::Clear);
        }
        if has_begun && pressed(Act::TakeBack) {
            wishes.push(Wish::StepBack);
        }
    }

    pub(super) fn can_hint(&self) -> bool {
        self.desk.picking().is_some() && !self.desk.awaits_hint()
    }

    /// The number that would be taken now, where one is asked for.
    pub(super) fn number_asked(&self) -> Option<(ActionId, Pick)> {
        let (action, step) = self.asked_number()?;
        let mut number = self.number.clone();
        number.settle(&step);
        Some((action, Pick::Number(number.value())))
    }

    /// The number that is asked for, if nothing else is.
    pub(super) fn asked_number(&self) -> Option<(ActionId, Asked)> {
        let asked = self.desk.picking()?.asked();
        match asked.as_slice() {
            [step] if matches!(step.domain, Domain::Numbers { .. }) => Some((step.action, step.clone())),
            _ => None,
        }
    }
}
