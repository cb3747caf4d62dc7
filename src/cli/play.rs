//! `play`: a match in a window or in the terminal.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::choice::{ChoiceArguments, HowArguments, begin_failure};
use super::content::Content;
use super::output::Out;
use super::{Exit, Failure, saved, text};
use crate::client::Connection;
use crate::client::local::{LocalMatch, MatchChoice, prepare};
use crate::server::MOST_PACE_MILLISECONDS;

/// The pace of computer players where they are watched.
const WINDOW_PACE_MILLISECONDS: u64 = 600;

#[derive(Clone, Debug, Args)]
pub(super) struct PlayArguments {
    /// The ruleset and, after a slash, the scenario; without one the standard scenario
    #[arg(value_name = "ID[/SCENARIO]", required_unless_present = "load", conflicts_with = "load")]
    id: Option<String>,
    #[command(flatten)]
    how: HowArguments,
    /// Play in the terminal
    #[arg(long)]
    text: bool,
    /// Take up a saved match
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// The least time between an action and the next one of a computer player, in milliseconds
    #[arg(long, value_name = "MILLISECONDS", value_parser = clap::value_parser!(u64).range(..=MOST_PACE_MILLISECONDS))]
    pace: Option<u64>,
}

impl PlayArguments {
    fn choice(&self) -> Option<ChoiceArguments> {
        Some(ChoiceArguments {
            id: self.id.clone()?,
            how: self.how.clone(),
        })
    }

    fn seats(&self) -> Result<Vec<(String, String)>, Failure> {
        self.how.seats()
    }
}

pub(super) fn run(content: &Content, arguments: &PlayArguments, out: &mut Out) -> Result<Exit, Failure> {
    let pace = Duration::from_millis(arguments.pace.unwrap_or(if arguments.text { 0 } else { WINDOW_PACE_MILLISECONDS }));
    if let Some(file) = &arguments.load {
        return take_up(content, arguments, file, pace, out);
    }
    let Some(choice) = arguments.choice() else {
        return Err(Failure::Usage("name the ruleset to play, or a saved match with --load".to_owned()));
    };
    let (catalog, mut choice) = choice.choose(content)?;
    choice.watches = true;
    choice.pace = pace;
    if !arguments.text {
        // Mistakes are told here, where they were made, and not in a window.
        prepare(&catalog, &choice).map_err(|error| begin_failure(error, &catalog))?;
        return window(content, Opening::Match(choice));
    }
    let playing = LocalMatch::begin(&catalog, &choice).map_err(|error| begin_failure(error, &catalog))?;
    text::play(Connection::open(Box::new(playing.connect(None)))?, out)
}

/// Plays a saved match on.
fn take_up(content: &Content, arguments: &PlayArguments, file: &Path, pace: Duration, out: &mut Out) -> Result<Exit, Failure> {
    if arguments.how.seed.is_some() || !arguments.how.options.is_empty() {
        return Err(Failure::Usage(
            "a saved match keeps its options and its luck: leave out --option and --seed".to_owned(),
        ));
    }
    if !arguments.text && !arguments.how.seats.is_empty() {
        return Err(Failure::Usage(
            "in the window, players of a saved match are changed beside the board: leave out --seat".to_owned(),
        ));
    }
    let saved = saved::open(file)?;
    if !arguments.text {
        return window(content, Opening::Saved(file.display().to_string()));
    }
    let catalog = saved::any_catalog(content)?;
    let choice = MatchChoice {
        players: arguments.seats()?,
        watches: true,
        pace,
        ..MatchChoice::default()
    };
    let playing = LocalMatch::take_up(&catalog, saved, &choice).map_err(|error| begin_failure(error, &catalog))?;
    text::play(Connection::open(Box::new(playing.connect(None)))?, out)
}

/// What a window begins with.
#[cfg_attr(not(feature = "gui"), allow(dead_code, reason = "read by the window only"))]
enum Opening {
    Launcher,
    Match(MatchChoice),
    Saved(String),
}

/// The launcher window.
pub(super) fn launcher(content: &Content) -> Result<Exit, Failure> {
    window(content, Opening::Launcher)
}

#[cfg(feature = "gui")]
fn window(content: &Content, opening: Opening) -> Result<Exit, Failure> {
    use crate::client::local::saves_folder;
    use crate::ui::{Beginning, Bookcase, UiError};

    let beginning = match opening {
        Opening::Launcher => Beginning::Launcher,
        Opening::Match(choice) => Beginning::Match(choice),
        Opening::Saved(file) => Beginning::Saved(file.into()),
    };
    let bookcase = Bookcase::new(content.roots()?).with_saves(saves_folder());
    match crate::ui::run(std::sync::Arc::new(bookcase), beginning) {
        Ok(()) => Ok(Exit::Fine),
        Err(error @ UiError::NoDisplay) => Err(Failure::Usage(error.to_string())),
        Err(error) => Err(Failure::Failed(error.to_string())),
    }
}

#[cfg(not(feature = "gui"))]
fn window(_: &Content, _: Opening) -> Result<Exit, Failure> {
    Err(Failure::Usage(
        "this program was built without its window; play in the terminal: boardwright play ID --text".to_owned(),
    ))
}
