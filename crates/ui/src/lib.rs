//! The window: a launcher, and the screen of a match with its board and panels.
//!
//! It is a client like any other. It speaks the [messages](boardwright_protocol) over a [link](boardwright_client::Link), never waits
//! for an answer, and draws only when something has changed. What it plays comes from a [`Content`].
//!
//! - [`picking`] turns clicks into actions, without a window; [`desk`] is everything else a match is for the window, without drawing.
//! - [`board`] draws boards of every topology; [`panels`] the lists and forms around it; [`theme`] says how all of it looks.

pub mod app;
pub mod board;
mod bookcase;
mod closing;
pub mod content;
mod corner;
pub mod desk;
mod drawer;
mod files;
mod keymap;
mod keys;
pub mod launcher;
pub mod match_screen;
mod miniature;
pub mod panels;
pub mod picking;
pub mod players;
pub mod replay;
mod run;
mod settings;
pub mod sound;
pub mod texts;
pub mod theme;
mod toasts;
mod wish;

pub use app::{App, Beginning};
pub use bookcase::Bookcase;
pub use content::{Begun, BookContent, Changed, Content, RulesetCard, SaveCard, SavedContent, ScenarioCard, Seen, Shelf, SourceFile};
pub use drawer::{Drawer, DrawerWish, Leaf, Place, RulesInForce};
pub use files::{Files, FilesWish};
pub use run::{UiError, run, window_options};
pub use settings::{Motion, Settings, TextSize};
pub use texts::Language;
pub use toasts::Toasts;
pub use wish::Wish;
