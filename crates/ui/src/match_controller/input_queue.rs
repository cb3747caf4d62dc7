//! Input that comes before the rules have answered, or while an action is on its way to the host: it is queued, in order, until they have.
//!
//! The meaning of a click or a key depends on what may be picked, which only the rules know. Clicks are queued as commands, keys as
//! events: where a key leads is known only when its turn has come. Input that comes while an action is on its way, or while another seat decides
//! something that it leads to, is meant for the position after that. When another position comes instead, the queue is dropped with a message.

use std::collections::VecDeque;

use egui::{Event, Ui};

use crate::command::{CellClick, ChoiceCommand};
use crate::keys::{self, Act};
use boardwright_model::CellId;

#[derive(Debug)]
pub(super) enum PendingInput {
    Command(ChoiceCommand),
    Key(Event),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InputState {
    Closed,
    /// An action is on its way, so the position is not known to which input would belong.
    Submitting,
    /// Another seat decides something inside a turn of a seat here, such as how to defend: the turn goes on here.
    AwaitingDecision,
    /// Something can be chosen as soon as the rules have answered.
    AwaitingRules,
    /// The rules have answered what the choice asks.
    Ready,
}

impl InputState {
    pub(super) fn may_choose(self) -> bool {
        matches!(self, Self::AwaitingRules | Self::Ready)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct InputFocus {
    pub is_on_board: bool,
    pub is_in_dialog: bool,
}

#[derive(Debug, Default)]
pub(super) struct InputQueue {
    pub(super) waiting: VecDeque<PendingInput>,
    choice: u64,
    /// Whether it is meant for the position after the action that is on its way.
    is_for_next: bool,
    /// The command that was carried out last.
    last: Option<ChoiceCommand>,
    /// The cell that was clicked last, and the number of the choice it was clicked for.
    last_click: Option<(CellId, u64)>,
    /// Whether a key was released in this frame: its commands come before the queue.
    is_releasing: bool,
}

const CHOOSING: [Act; 8] = [
    Act::NumberUp,
    Act::NumberDown,
    Act::NextPiece,
    Act::PreviousPiece,
    Act::Turn,
    Act::TurnBack,
    Act::Mirror,
    Act::TakeBack,
];

/// The keys that play what is chosen. The second press of one is not meant for what comes then.
const PLAYING: [Act; 3] = [Act::Play, Act::PlayOn, Act::ClickCell];

/// The keys that choose while nothing else than the board has the focus.
const WITHOUT_FOCUS: [Act; 4] = [Act::Play, Act::PlayOn, Act::NextOffered, Act::PreviousOffered];

/// The keys that choose while the board has the focus; without it they lead there, or through the history.
const ON_BOARD: [Act; 5] = [Act::ClickCell, Act::FocusLeft, Act::FocusRight, Act::FocusUp, Act::FocusDown];

impl InputQueue {
    /// Begins a frame: drops the queue if it was meant for another choice than this one. `continues` is whether the position is the one
    /// after the newest action from here. Whether anything was dropped.
    pub(super) fn begin_frame(&mut self, state: InputState, choice: u64, continues: bool) -> bool {
        self.is_releasing = false;
        if matches!(state, InputState::Submitting | InputState::AwaitingDecision) {
            self.is_for_next = true;
            return false;
        }
        let is_outdated = if std::mem::take(&mut self.is_for_next) {
            !continues
        } else {
            self.choice != choice
        };
        self.choice = choice;
        let drops = is_outdated && !self.waiting.is_empty();
        if drops {
            self.waiting.clear();
        }
        drops
    }

    pub(super) fn queue_keys(&mut self, ui: &Ui, state: InputState, focus: InputFocus, has_picked: bool) {
        let mut acts = CHOOSING.to_vec();
        if focus.is_on_board {
            acts.extend(ON_BOARD);
        }
        if focus.is_on_board || ui.memory(|memory| memory.focused().is_none()) {
            acts.extend(WITHOUT_FOCUS);
        } else if has_picked {
            acts.push(Act::Play);
        }
        let mut pressed = keys::take_all(ui, &acts);
        if state == InputState::Submitting && self.waiting.is_empty() {
            let repeated = pressed.iter().take_while(|event| keys::is_one_of(event, &PLAYING)).count();
            pressed.drain(..repeated);
        }
        self.waiting.extend(pressed.into_iter().map(PendingInput::Key));
    }

    /// Returns a command if it is to be carried out now; otherwise it is queued, or dropped where nothing can be chosen.
    pub(super) fn admit(&mut self, command: ChoiceCommand, state: InputState) -> Option<ChoiceCommand> {
        let is_behind = !self.waiting.is_empty() && !self.is_releasing;
        let queues = match state {
            InputState::Closed => return None,
            InputState::Submitting if !is_behind && self.is_repeated(&command) => return None,
            InputState::Submitting | InputState::AwaitingDecision | InputState::AwaitingRules => true,
            InputState::Ready => is_behind,
        };
        if queues {
            self.waiting.push_back(PendingInput::Command(command));
            return None;
        }
        Some(command)
    }

    /// Notes a command that is carried out. Anything else between two clicks makes them no double click.
    pub(super) fn begin(&mut self, command: &ChoiceCommand) {
        if !matches!(command, ChoiceCommand::Click(_)) {
            self.last_click = None;
        }
        self.last = Some(command.clone());
    }

    /// Notes a command that is no choice, such as undo: the click behind it is no half of a double click.
    pub(super) fn on_other_command(&mut self) {
        self.last_click = None;
    }

    /// Notes a click for a choice. Whether it is the second half of a double click whose first half has played: then it means nothing.
    pub(super) fn is_spent(&mut self, click: CellClick, choice: u64) -> bool {
        let before = self.last_click.replace((click.cell, choice));
        click.is_double && before.is_some_and(|(cell, number)| cell == click.cell && number != choice)
    }

    /// Something was played: what stands first in the queue and only means the same is dropped.
    pub(super) fn on_play(&mut self) {
        while let Some(first) = self.waiting.front() {
            let is_same = match first {
                PendingInput::Key(event) => keys::is_one_of(event, &PLAYING),
                PendingInput::Command(command) => {
                    matches!(
                        command,
                        ChoiceCommand::Click(CellClick { is_double: true, .. }) | ChoiceCommand::PlayChosen
                    )
                }
            };
            if !is_same {
                break;
            }
            self.waiting.pop_front();
        }
    }

    /// Whether a command only repeats what has sent the action that is on its way, such as the second half of a double click.
    fn is_repeated(&self, command: &ChoiceCommand) -> bool {
        let is_double = matches!(command, ChoiceCommand::Click(CellClick { is_double: true, .. }));
        let is_click = matches!(command, ChoiceCommand::Click(_));
        is_double || *command == ChoiceCommand::PlayChosen || (!is_click && self.last.as_ref() == Some(command))
    }

    /// Gives a key back to the frame. One in a frame, for each may move the focus.
    pub(super) fn release_key(&mut self, ui: &Ui, event: Event) {
        keys::give_back(ui, vec![event]);
        self.is_releasing = true;
        ui.ctx().request_repaint();
    }
}
