//! The window as its users meet it, by the labels of what they see; pictures of its screens; and the real window on a display of
//! its own. A file is a subject; what drives the window is in `support`.
#![cfg(feature = "gui")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail loudly")]

mod support;

mod ahead;
mod board;
mod console;
mod crowded;
mod drawer;
mod files;
mod following;
mod foresight;
mod fuzz;
mod hands;
mod history;
mod keyboard;
mod languages;
mod launcher;
mod picking;
mod pictures;
mod players;
mod playing;
#[cfg(target_os = "linux")]
mod real_window;
mod restart;
mod settings;
mod sound;
mod tools;
mod trying;
mod war;
