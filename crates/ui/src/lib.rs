//! The window: a launcher, and the screen of a match with its board and panels.
//!
//! It is a client like any other. It speaks the [messages](boardwright_protocol) over a [link](boardwright_client::Link), never waits
//! for an answer, and draws only when something has changed. What it plays comes from a [`Content`](boardwright_client::content::Content).
//!
//! A click becomes a message in two steps: a widget emits a [`UiCommand`], and the `match_controller` turns it into a request. What is not for
//! the match, such as opening another one, is an [`AppCommand`](command::AppCommand), which the [`App`] carries out.
//!
//! - `action_picker` turns clicks into actions; `match_controller` is the rest of the client's side of a match. Neither draws.
//! - [`board`] draws boards of every topology; `panels` the lists and forms around it; [`theme`] says how all of it looks.
//!
//! It names no rules, no compiler of scripts, no host and no file of content.

mod action_picker;
pub mod app;
pub mod board;
mod board_thumbnail;
mod close_dialog;
pub mod command;
mod input_pacing;
pub mod keys;
mod launcher;
mod match_controller;
pub mod match_screen;
mod panels;
mod percent;
mod players;
mod resizable;
mod save_dialogs;
mod screen;
mod settings;
mod shortcuts_dialog;
pub mod sound;
pub mod texts;
pub mod theme;
mod toasts;
mod toolbar;
mod tools_panel;
mod window;

pub use app::{App, StartScreen};
pub use board_thumbnail::thumbnail;
pub use command::UiCommand;
pub use launcher::option_ui;
pub use panels::player_ui;
pub use panels::{linked_problem_ui, problem_ui};
pub use players::{Choice as PlayerChoice, offered_players, player_title};
pub use screen::{EditRequest, MatchBehind, Screen, ScreenCommand, ScreenFactory, Screens, StartMatch};
pub use settings::{Motion, Settings, TextSize};
pub use texts::Language;
pub use window::{UiError, run};
