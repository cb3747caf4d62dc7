//! `replay` and `verify`: saved matches.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::choice::{begin_failure, seats};
use super::content::Content;
use super::output::{Out, counted, spinner};
use super::{Exit, Failure, play, text};
use boardwright_client::{Connection, MatchChoice};
use boardwright_content::Catalog;
use boardwright_local::{LocalMatch, SavedMatch};
use boardwright_model::Policy;

#[derive(Clone, Debug, Args)]
pub(super) struct ReplayArguments {
    /// The saved match
    file: PathBuf,
    /// Show the position after this action and end; 0 is the beginning
    #[arg(long, value_name = "ACTION")]
    to: Option<usize>,
    /// Play on from there; what came later is left out, and the file stays as it is
    #[arg(long, requires = "to")]
    play: bool,
    /// Who plays a seat from there on; the others are played as they were
    #[arg(long = "seat", value_name = "NAME=PLAYER[:LEVEL]", requires = "play")]
    seats: Vec<String>,
    /// Watch it in the window
    #[arg(long, conflicts_with = "to")]
    window: bool,
}

#[derive(Clone, Debug, Args)]
pub(super) struct VerifyArguments {
    /// The saved match
    file: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Opens a saved match; a file that is not there is wrong usage.
pub(super) fn open(file: &Path) -> Result<SavedMatch, Failure> {
    if file.is_dir() {
        return Err(Failure::Usage(format!("{} is a folder, not a saved match", file.display())));
    }
    if !file.is_file() {
        return Err(Failure::Usage(format!("there is no file {}", file.display())));
    }
    SavedMatch::open(file).map_err(|found| Failure::Failed(format!("the match cannot be opened\n{}", found.render())))
}

/// The catalogue, which a saved match can do without.
pub(super) fn any_catalog(content: &Content) -> Result<Catalog, Failure> {
    Ok(Catalog::scan(&content.roots()?))
}

pub(super) fn replay(content: &Content, arguments: &ReplayArguments, out: &mut Out) -> Result<Exit, Failure> {
    let mut saved = open(&arguments.file)?;
    if saved.save.is_sealed() {
        let file = arguments.file.display();
        return Err(Failure::Failed(format!(
            "this match is rated and not over, and looking back would tell what is hidden: `boardwright play --load {file}` goes on with it"
        )));
    }
    if arguments.window {
        return play::window(content, play::Opening::Watched(arguments.file.display().to_string()));
    }
    let catalog = any_catalog(content)?;
    // What is looked at, or played on from the middle, is another match than the one that was rated.
    saved.save.policy = Policy::default();
    // Nobody acts while a match is looked at.
    let choice = MatchChoice {
        is_paused: true,
        players: seats(&arguments.seats)?,
        watches: arguments.play,
        ..MatchChoice::default()
    };
    let playing = LocalMatch::resume(&catalog, saved, &choice).map_err(|error| begin_failure(error, &catalog))?;
    let connection = Connection::open(Box::new(playing.connect(None)))?;
    match arguments.to {
        Some(action) if arguments.play => text::play_from(connection, out, action),
        Some(action) => text::show(connection, out, action),
        None => text::replay(connection, out),
    }
}

#[derive(Serialize)]
struct Verdict {
    is_same: bool,
    repeated: usize,
    applied: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<String>,
}

pub(super) fn verify(arguments: &VerifyArguments, out: &mut Out) -> Result<Exit, Failure> {
    let saved = open(&arguments.file)?;
    let bar = spinner("running the match again");
    let result = saved.verify();
    bar.finish_and_clear();
    let exit = if result.is_ok() { Exit::Fine } else { Exit::Findings };
    if arguments.json {
        let verified = result.as_ref().copied().unwrap_or_default();
        out.json(&Verdict {
            is_same: result.is_ok(),
            repeated: verified.repeated,
            applied: verified.applied,
            difference: result.err(),
        })?;
        return Ok(exit);
    }
    match result {
        Ok(verified) => {
            out.line(format!("{} run again with the same result", counted(verified.repeated, "event")))?;
            if verified.applied > 0 {
                out.line(format!("{} applied and compared by digest", counted(verified.applied, "event")))?;
            }
        }
        Err(difference) => out.line(format!("the match goes another way: {difference}"))?,
    }
    Ok(exit)
}
