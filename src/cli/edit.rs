//! `boardwright edit`: the map and scenario editor.

use std::path::PathBuf;

use clap::Args;

use super::content::Content;
use super::{Exit, Failure};

#[derive(Debug, Args)]
pub(super) struct EditArguments {
    /// A map (`.map.xml`) or a scenario (`.scenario.xml`).
    file: Option<PathBuf>,
}

pub(super) fn run(content: &Content, arguments: EditArguments) -> Result<Exit, Failure> {
    use boardwright_ui::UiError;

    match boardwright_editor::run(content.roots()?, arguments.file) {
        Ok(()) => Ok(Exit::Fine),
        Err(error @ UiError::NoDisplay) => Err(Failure::Usage(format!(
            "{error}, and the editor has no other form; to look for mistakes in maps and scenarios: boardwright check PATH"
        ))),
        Err(error) => Err(Failure::Failed(error.to_string())),
    }
}
