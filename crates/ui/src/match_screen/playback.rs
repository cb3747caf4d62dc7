//! Looking back: the clock of the replay, and the keys that go through what was played.

use egui::Ui;

use super::MatchScreen;
use boardwright_protocol::Command;
use crate::keys::{Act, self};
use crate::wish::Wish;

impl MatchScreen {
    /// Whether the bar for looking back is shown.
    pub(super) fn shows_replay(&self) -> bool {
        self.replay.is_open || self.desk.mirror().at() < self.desk.mirror().length()
    }

    /// Lets the replay go on, if it is time.
    pub(super) fn tick(&mut self, ui: &Ui, now: f64) {
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

    /// The keys that go through the history. The arrows do so only while it is looked back, and nothing has the focus.
    pub(super) fn history_keys(&self, ui: &Ui, wishes: &mut Vec<Wish>) {
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

    /// The keys of the bar that is shown while it is looked back.
    pub(super) fn replay_keys(&mut self, ui: &Ui, wishes: &mut Vec<Wish>) {
        let nothing_has_focus = ui.memory(|memory| memory.focused().is_none());
        if self.shows_replay() && nothing_has_focus && keys::pressed(ui, Act::Run) {
            wishes.push(Wish::Run(!self.replay.is_running()));
        }
        if self.desk.can_compare() && keys::pressed(ui, Act::Compare) {
            if self.replay.compares {
                self.replay.shows_present = !self.replay.shows_present;
            } else {
                wishes.push(Wish::Compare(true));
            }
        }
    }
}
