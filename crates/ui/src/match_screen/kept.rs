//! What was done before the rules had answered, or while an action was on its way to the host: it is kept, in order, until they have.
//!
//! What a click or a key means follows from what may be picked, and that is the rules' word. Clicks are kept as what they were on, keys as
//! they came: where a key leads is known only when its turn has come. What came while an action was on its way is meant for the position
//! that the action leads to. When another position comes, what was kept was not meant for it, and is dropped with a word.

use std::collections::VecDeque;

use egui::{Event, Ui};

use super::MatchScreen;
use boardwright_model::CellId;
use crate::keys::{Act, self};
use crate::picking::Picking;
use crate::texts::text;
use crate::wish::Wish;

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
    /// Whether it was meant for the position behind the action that is on its way.
    follows: bool,
    /// What was chosen last.
    last: Option<Wish>,
    /// Whether a key was let go in this frame: what comes of it comes before what waits.
    is_letting_go: bool,
}

/// The keys that choose, wherever the focus is.
const CHOOSING: [Act; 6] = [Act::NumberUp, Act::NumberDown, Act::Turn, Act::TurnBack, Act::Mirror, Act::TakeBack];

/// The keys that play what is chosen. The second press of one is not meant for what comes then.
const PLAYING: [Act; 3] = [Act::Play, Act::PlayOn, Act::ClickCell];

/// The keys that choose while nothing else than the board has the focus.
const BESIDE_NOTHING: [Act; 4] = [Act::Play, Act::PlayOn, Act::NextOffered, Act::PreviousOffered];

/// The keys that choose while the board has the focus; without it they lead there, or through the history.
const ON_BOARD: [Act; 5] = [Act::ClickCell, Act::FocusLeft, Act::FocusRight, Act::FocusUp, Act::FocusDown];

impl MatchScreen {
    /// Does what was kept, as far as the rules have answered. Keys come one in a frame, for each may move the focus.
    pub(super) fn go_on_with_kept(&mut self, ui: &Ui, now: f64) {
        self.kept.is_letting_go = false;
        self.drop_overtaken(now);
        if self.awaits_rules() && !self.has_dialog() && !ui.ctx().text_edit_focused() {
            self.keep_keys(ui);
        }
        while self.desk.is_settled() && !self.has_dialog() {
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

    /// Drops what was meant for another position than this one.
    fn drop_overtaken(&mut self, now: f64) {
        if self.desk.is_submitting() {
            self.kept.follows = true;
            return;
        }
        let is_overtaken = if std::mem::take(&mut self.kept.follows) {
            !self.desk.goes_on_here()
        } else {
            self.kept.of != self.desk.choice()
        };
        self.kept.of = self.desk.choice();
        if is_overtaken && !self.kept.waiting.is_empty() {
            self.kept.waiting.clear();
            self.desk.toasts.note(text!("toast-overtaken"), now);
        }
    }

    fn keep_keys(&mut self, ui: &Ui) {
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
        let mut taken = keys::take_all(ui, &acts);
        if self.desk.is_submitting() && self.kept.waiting.is_empty() {
            let again = taken.iter().take_while(|event| keys::is_one_of(event, &PLAYING)).count();
            taken.drain(..again);
        }
        self.kept.waiting.extend(taken.into_iter().map(Deed::Key));
    }

    /// Does what someone chose, or keeps it until the rules have answered.
    pub(super) fn choose_or_keep(&mut self, wish: Wish) {
        let is_behind = !self.kept.waiting.is_empty() && !self.kept.is_letting_go;
        if self.desk.is_submitting() {
            if is_behind || !self.is_again(&wish) {
                self.kept.waiting.push_back(Deed::Wish(wish));
            }
        } else if self.desk.awaits_rules() || (is_behind && self.desk.may_choose()) {
            self.kept.waiting.push_back(Deed::Wish(wish));
        } else if self.desk.may_choose() {
            self.choose(wish);
        }
    }

    /// Whether something only does once more what has sent the action that is on its way, such as the second half of a double click.
    fn is_again(&self, wish: &Wish) -> bool {
        match wish {
            Wish::PlayChosen | Wish::Click(_, true) => true,
            wish => self.kept.last.as_ref() == Some(wish),
        }
    }

    /// Notes what is chosen.
    pub(super) fn note_chosen(&mut self, wish: &Wish) {
        self.kept.last = Some(wish.clone());
    }

    /// Drags what is on a cell to another, if it can be lifted; what comes of the end is known when the rules have answered.
    pub(super) fn drag(&mut self, from: CellId, to: CellId) {
        if self.desk.try_to_lift(from) {
            self.kept.waiting.push_front(Deed::Wish(Wish::DropOn(to)));
        }
    }

    /// Whether it is not known yet what can be chosen, or whether what was chosen waits for that.
    pub(super) fn awaits_rules(&self) -> bool {
        self.desk.is_submitting() || self.desk.awaits_rules() || self.has_kept()
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
