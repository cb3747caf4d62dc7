//! The map and scenario editor. It draws with the board widget of the match window.
//!
//! For now it shows files and what is wrong with them, and changes nothing.

mod sheet;
mod window;

pub use sheet::{Sheet, Sort};
pub use window::Editor;
