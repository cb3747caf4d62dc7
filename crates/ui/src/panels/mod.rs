//! The panels around the board. Each gets what it shows and a list for its commands.

mod action_bar;
mod cards;
mod chart;
mod chat;
mod console;
mod dice;
mod hint;
mod history;
mod insight;
mod left_to_do;
mod lesson;
mod notices;
mod number_picker;
mod odds;
mod offers;
mod outcome;
mod picked_text;
mod piece_button;
mod piece_chooser;
mod problems;
mod scoreboard;
mod seats;
mod thinking;
mod tray;
mod zones;

pub(crate) use action_bar::{action_bar_ui, choices};
pub(crate) use cards::cards_ui;
pub(crate) use chart::{ChartPlace, statistics_ui};
pub(crate) use chat::{ChatPanel, chat_text};
pub(crate) use console::Console;
pub(crate) use dice::dice_ui;
pub(crate) use hint::hint_ui;
pub(crate) use history::history_ui;
pub(crate) use insight::{Insight, InsightData, heat_scale_ui};
pub(crate) use left_to_do::{asks_before, is_left_to_do_open, open_left_to_do};
pub(crate) use lesson::lesson_ui;
pub(crate) use notices::{confirm_ui, reload_ui};
pub(crate) use number_picker::NumberPicker;
pub(crate) use odds::OddsPanel;
pub(crate) use offers::offers_ui;
pub(super) use outcome::headline;
pub(crate) use outcome::outcome_ui;
pub(crate) use piece_chooser::piece_chooser_ui;
pub use problems::{linked_problem_ui, problem_ui};
pub(crate) use problems::{message_of, problems_ui};
pub(crate) use scoreboard::{concerns_seat, scoreboard_ui};
pub use seats::player_ui;
pub(crate) use seats::seats_ui;
pub(crate) use tray::{Tray, TrayContents};
pub(crate) use zones::next_piece;

use crate::command::{MatchCommand, UiCommand};
use crate::theme::IconButton;
use boardwright_protocol::Command;

/// Shows a button that gives a command.
pub(crate) fn button_ui(ui: &mut egui::Ui, button: IconButton, command: impl Into<UiCommand>, commands: &mut Vec<UiCommand>) {
    if ui.add(button).clicked() {
        commands.push(command.into());
    }
}

/// The command that sends a request to the host.
fn send(request: Command) -> UiCommand {
    MatchCommand::Send(request).into()
}
