//! The window as its users meet it, by the labels of what they see; pictures of its screens; and the real window on a display of
//! its own. A file is a subject; what drives the window is in `support`.
#![cfg(feature = "gui")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail loudly")]

mod support;

mod action_preview;
mod board;
mod console;
mod debugger;
mod early_input;
mod editor;
mod editor_checks;
mod editor_fuzz;
mod editor_graphs;
mod editor_grids;
mod editor_large;
mod editor_match;
mod editor_outside;
mod editor_pictures;
mod editor_pieces;
mod editor_sources;
mod editor_triggers;
mod fog;
mod fuzz;
mod hand_over;
mod history;
mod keyboard;
mod kingdoms;
mod languages;
mod launcher;
mod many_seats;
mod marks;
mod odds_and_insight;
mod one_click;
mod online;
mod panels_menu;
mod picking;
mod pictures;
mod piece_chooser;
mod players;
mod playing;
#[cfg(target_os = "linux")]
mod real_window;
mod restart;
mod save_dialogs;
mod settings;
mod sound;
mod stacks;
mod steady_board;
mod tools_panel;
mod tutorial;
mod war;
