//! `boardwright edit`: the map and scenario editor.

use std::path::PathBuf;

use clap::Args;

use super::content::Content;
use super::play::{Opening, window};
use super::{Exit, Failure};

#[derive(Debug, Args)]
pub(super) struct EditArguments {
    /// A map (`.map.xml`) or a scenario (`.scenario.xml`).
    file: Option<PathBuf>,
}

pub(super) fn run(content: &Content, arguments: EditArguments) -> Result<Exit, Failure> {
    if let Some(missing) = arguments.file.as_ref().filter(|file| !file.is_file()) {
        return Err(Failure::Usage(format!("the file {} is not there", missing.display())));
    }
    window(content, Opening::Editor(arguments.file))
}
