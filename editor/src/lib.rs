//! The editor for maps and scenarios: a screen of the window, drawn with the board widget of the match.
//!
//! [`Editor`] holds the files that are open. What it changes goes through [`boardwright_editing`]: a tool makes a step, the document of the file
//! keeps it, and [`drawn`] shows the draft as a board. Panels read what they show and push what they ask for.

pub mod board_pane;
pub mod checks;
pub mod clipboard;
pub mod dialogs;
pub mod drawn;
mod editor;
pub mod file;
pub mod gesture;
mod head;
pub mod new_file;
mod notices;
pub mod overlays;
pub mod paint;
mod palette;
mod properties;
pub mod ruleset;
mod side;
mod statistics;
mod status_line;
mod tool_strip;
pub mod tools;
pub mod trial;
mod values;
mod welcome;

use std::path::PathBuf;

use boardwright_ui::EditorFactory;

pub use editor::{Ask, Editor, Notice};

/// A way to make the editor over some content folders, best first; one of them may be the program's own, in which nothing is written.
pub fn factory(roots: Vec<PathBuf>, bundled: Option<PathBuf>) -> EditorFactory {
    Box::new(move |context| Box::new(Editor::new(context, roots.clone(), bundled.clone())))
}
