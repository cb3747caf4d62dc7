//! The map and scenario editor. It draws with the board widget of the match window.
//!
//! For now it shows files and what is wrong with them, and changes nothing.

mod sheet;
mod window;

use std::path::PathBuf;

use boardwright_ui::{UiError, run_window};

pub use sheet::{Sheet, Sort};
pub use window::Editor;

/// Opens the editor in a window, over some content folders, and runs it until it is closed. Must be called on the main thread.
///
/// # Errors
/// If there is no display, or the window cannot be made.
pub fn run(roots: Vec<PathBuf>, file: Option<PathBuf>) -> Result<(), UiError> {
    run_window("boardwright-editor", "Boardwright editor", move |creation| {
        Box::new(Editor::new(&creation.egui_ctx, &roots, file))
    })
}
