//! The editor for maps and scenarios: a screen of the window, drawn with the board widget of the match.
//!
//! [`Editor`] holds the files that are open. What it changes goes through [`boardwright_editing`]: a tool makes a step, the document of the file
//! keeps it, and `drawn` shows the draft as a board. Panels read what they show and push what they ask for.
//!
//! It promises that no open work is lost by what it does, and that the window goes on while it checks. It names no host and no server.

mod banner;
mod beginning_check;
mod board_pane;
mod checks;
mod clipboard;
mod conflicts;
mod dialogs;
mod drawn;
mod edge_tool;
mod editor;
mod file;
mod gesture;
mod graph_tools;
mod head;
mod new_file;
mod notices;
mod outline_tool;
mod outside;
mod overlays;
mod own_copy;
mod paint;
mod palette;
mod picture;
mod piece_tools;
mod properties;
mod random_map;
mod rename_offer;
mod ruleset;
mod selection;
mod side;
mod statistics;
mod status_line;
mod tool_strip;
mod tools;
mod trial;
mod triggers;
mod values;
mod welcome;
mod zones;

use std::path::PathBuf;

use boardwright_ui::ScreenFactory;

pub use editor::Editor;
pub use own_copy::Bundled;

/// A way to make the editor over some content folders, best first; one of them may be the program's own, in which nothing is written.
pub fn factory(roots: Vec<PathBuf>, bundled: Option<Bundled>) -> ScreenFactory {
    Box::new(move |context| Box::new(Editor::new(context, roots.clone(), bundled.clone())))
}
