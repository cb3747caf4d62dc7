//! `replay` and `verify`: saved matches.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::choice::{begin_failure, seats};
use super::content::Content;
use super::output::{Out, spinner};
use super::{Exit, Failure, play, text};
use boardwright_client::{Connection, MatchChoice};
use boardwright_content::Catalog;
use boardwright_local::{LocalMatch, SavedMatch};
use boardwright_model::{LuckNumber, Policy};

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
    /// What the server had committed to before the match began, as you were told then
    #[arg(long, value_name = "HASH")]
    committed: Option<LuckNumber>,
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
    checks: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<String>,
}

pub(super) fn verify(arguments: &VerifyArguments, out: &mut Out) -> Result<Exit, Failure> {
    let saved = open(&arguments.file)?;
    if arguments.committed.is_some() && saved.luck_terms().is_none() {
        return Err(Failure::Usage(
            "the luck of this match was not agreed on to be verified: leave --committed out".to_owned(),
        ));
    }
    let bar = spinner("running the match again");
    let checks = saved.checks(arguments.committed);
    bar.finish_and_clear();
    let exit = if checks.difference.is_none() { Exit::Fine } else { Exit::Findings };
    if arguments.json {
        out.json(&Verdict {
            is_same: checks.difference.is_none(),
            repeated: checks.verified.repeated,
            applied: checks.verified.applied,
            checks: checks.passed,
            difference: checks.difference,
        })?;
        return Ok(exit);
    }
    for passed in &checks.passed {
        out.line(passed)?;
    }
    if let Some(difference) = &checks.difference {
        out.line(difference)?;
    }
    Ok(exit)
}
