//! What was done before the rules had answered: it is kept, in order, until they have.
//!
//! What a click or a key means follows from what may be picked, and that is the rules' word. Clicks are kept as what they were on, keys as
//! they came: where a key leads is known only when its turn has come. When the position changes before, what was kept was meant for
//! another one, and is dropped with a word.

use std::collections::VecDeque;

use egui::{Event, Ui};

use super::MatchScreen;
use crate::ui::keys::{self, Act};
use crate::ui::picking::Picking;
use crate::ui::texts::text;
use crate::ui::wish::Wish;

/// Something that waits for the rules.
#[derive(Debug)]
enum Deed {
    Wish(Wish),
    Key(Event),
}

/// What waits for the rules.
#[derive(Debug, Default)]
pub(super) struct Kept {
    waiting: VecDeque<Deed>,
    /// The choice for which it was meant.
    of: u64,
    /// Whether a key was let go in this frame: what comes of it comes before what waits.
    is_letting_go: bool,
}

/// The keys that choose, wherever the focus is.
const CHOOSING: [Act; 6] = [Act::NumberUp, Act::NumberDown, Act::Turn, Act::TurnBack, Act::Mirror, Act::TakeBack];

/// The keys that choose while nothing else than the board has the focus.
const BESIDE_NOTHING: [Act; 3] = [Act::Play, Act::NextOffered, Act::PreviousOffered];

/// The keys that choose while the board has the focus; without it they lead there, or through the history.
const ON_BOARD: [Act; 5] = [Act::ClickCell, Act::FocusLeft, Act::FocusRight, Act::FocusUp, Act::FocusDown];

impl MatchScreen {
    /// Does what was kept, as far as the rules have answered. Keys come one in a frame, for each may move the focus.
    pub(super) fn go_on_with_kept(&mut self, ui: &Ui, now: f64) {
        self.kept.is_letting_go = false;
        if self.kept.of != self.desk.choice() {
            self.kept.of = self.desk.choice();
            if !self.kept.waiting.is_empty() {
                self.kept.waiting.clear();
                self.desk.toasts.note(text!("toast-overtaken"), now);
            }
        }
        let waits = self.desk.awaits_rules() || !self.kept.waiting.is_empty();
        if waits && !self.has_dialog() && !ui.ctx().text_edit_focused() {
            let is_on_board = self.board.has_focus();
            let mut acts = CHOOSING.to_vec();
            if is_on_board {
                acts.extend(ON_BOARD);
            }
            if is_on_board || ui.memory(|memory| memory.focused().is_none()) {
                acts.extend(BESIDE_NOTHING);
            } else if self.desk.picking().is_some_and(Picking::has_picked) {
                acts.push(Act::Play);
            }
            self.kept.waiting.extend(keys::take_all(ui, &acts).into_iter().map(Deed::Key));
        }
        while self.desk.is_settled() {
            match self.kept.waiting.pop_front() {
                Some(Deed::Wish(wish)) => self.choose(wish),
                Some(Deed::Key(event)) => {
                    keys::give_back(ui, vec![event]);
                    self.kept.is_letting_go = true;
                    ui.ctx().request_repaint();
                    return;
                }
                None => return,
            }
        }
    }

    /// Does what someone chose, or keeps it until the rules have answered. While an action is on its way to be played, what is chosen
    /// would be meant for a position that is not known yet.
    pub(super) fn choose_or_keep(&mut self, wish: Wish) {
        let is_behind = !self.kept.waiting.is_empty() && !self.kept.is_letting_go;
        if self.desk.awaits_rules() || (is_behind && self.desk.may_choose()) {
            self.kept.waiting.push_back(Deed::Wish(wish));
        } else if self.desk.may_choose() {
            self.choose(wish);
        }
    }

    /// Whether something waits.
    pub(super) fn has_kept(&self) -> bool {
        !self.kept.waiting.is_empty()
    }

    /// Nothing waits any more.
    pub(super) fn forget_kept(&mut self) {
        self.kept.waiting.clear();
    }
}
