//! `play`: a match in a window or in the terminal.

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::choice::{ChoiceArguments, HowArguments, begin_failure, seats};
use super::content::Content;
use super::output::{Out, listed};
use super::{Exit, Failure, saved, text};
use boardwright_client::{Connection, MatchChoice};
use boardwright_local::{LocalMatch, autosave_file, finish_autosaves, is_autosave, prepare, saves_folder};
use boardwright_server::MOST_PACE_MILLISECONDS;

/// The pace of computer players where they are watched.
const WINDOW_PACE_MILLISECONDS: u64 = 600;

/// How long the end of the program waits for the copy of the match.
const LAST_COPIES: Duration = Duration::from_secs(3);

#[derive(Clone, Debug, Args)]
pub(super) struct PlayArguments {
    /// The ruleset and, after a slash, the scenario; without one the standard scenario
    #[arg(value_name = "ID[/SCENARIO]", conflicts_with = "load")]
    id: Option<String>,
    #[command(flatten)]
    how: HowArguments,
    /// Play in the terminal
    #[arg(long)]
    text: bool,
    /// Take up a saved match
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Nothing is taken back or changed by hand, rules stay as they are, and nobody helps
    #[arg(long, conflicts_with = "load")]
    rated: bool,
    /// The least time between an action and the next one of a computer player, in milliseconds
    #[arg(long, value_name = "MILLISECONDS", value_parser = clap::value_parser!(u64).range(..=MOST_PACE_MILLISECONDS))]
    pace: Option<u64>,
}

pub(super) fn run(content: &Content, arguments: &PlayArguments, out: &mut Out) -> Result<Exit, Failure> {
    let pace = Duration::from_millis(arguments.pace.unwrap_or(if arguments.text { 0 } else { WINDOW_PACE_MILLISECONDS }));
    if let Some(file) = &arguments.load {
        return take_up(content, arguments, file, pace, out);
    }
    let how = arguments.how.clone();
    let Some(choice) = arguments.id.clone().map(|id| ChoiceArguments { id, how }) else {
        let catalog = content.catalog()?;
        let known = listed(catalog.rulesets.keys().map(String::as_str));
        return Err(Failure::Usage(format!(
            "name the ruleset to play, or a saved match with --load. There are: {known}"
        )));
    };
    let (catalog, mut choice) = choice.choose(content)?;
    choice.pace = pace;
    choice.play_by(arguments.rated, true);
    if !arguments.text {
        // Mistakes are told here, where they were made, and not in a window.
        prepare(&catalog, &choice).map_err(|error| begin_failure(error, &catalog))?;
        return window(content, Opening::Match(choice));
    }
    choice.copy = copy_of(&choice.ruleset, choice.scenario.as_deref());
    let playing = LocalMatch::begin(&catalog, &choice).map_err(|error| begin_failure(error, &catalog))?;
    at_the_terminal(&playing, choice.copy.as_deref(), None, out)
}

/// The automatic copy of a match that a person plays at the terminal. What is written into a pipe can be written once more.
fn copy_of(ruleset: &str, scenario: Option<&str>) -> Option<PathBuf> {
    io::stdin()
        .is_terminal()
        .then(|| autosave_file(&saves_folder(), ruleset, scenario.unwrap_or("standard")))
}

/// Plays, and says where a match is kept that has not come to its end.
fn at_the_terminal(playing: &LocalMatch, copy: Option<&Path>, file: Option<&Path>, out: &mut Out) -> Result<Exit, Failure> {
    let is_over = text::play(
        Connection::open(Box::new(playing.connect(None)))?,
        out,
        file.map(|file| file.display().to_string()),
    )?;
    finish_autosaves(LAST_COPIES);
    if let Some(copy) = copy.filter(|copy| !is_over && copy.is_file()) {
        let file = copy.display().to_string();
        let file = if file.contains(char::is_whitespace) {
            format!("\"{file}\"")
        } else {
            file
        };
        out.line(format!("The match is kept: boardwright play --text --load {file}"))?;
    }
    Ok(Exit::Fine)
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
        players: seats(&arguments.how.seats)?,
        watches: true,
        pace,
        copy: copy_of(&saved.save.ruleset, Some(&saved.save.scenario.id)),
        ..MatchChoice::default()
    };
    let playing = LocalMatch::resume(&catalog, saved, &choice).map_err(|error| begin_failure(error, &catalog))?;
    // An automatic copy is written over by the next match.
    let file = Some(file).filter(|file| !is_autosave(file));
    at_the_terminal(&playing, choice.copy.as_deref(), file, out)
}

/// What a window begins with.
#[cfg_attr(not(feature = "gui"), allow(dead_code, reason = "read by the window only"))]
pub(super) enum Opening {
    Launcher,
    Match(MatchChoice),
    Saved(String),
    Watched(String),
}

/// The launcher window.
pub(super) fn launcher(content: &Content) -> Result<Exit, Failure> {
    window(content, Opening::Launcher)
}

#[cfg(feature = "gui")]
pub(super) fn window(content: &Content, opening: Opening) -> Result<Exit, Failure> {
    use boardwright_local::ContentLibrary;
    use boardwright_ui::{StartScreen, UiError};

    let beginning = match opening {
        Opening::Launcher => StartScreen::Launcher,
        Opening::Match(choice) => StartScreen::Match(choice),
        Opening::Saved(file) => StartScreen::Saved(file.into()),
        Opening::Watched(file) => StartScreen::Watched(file.into()),
    };
    let library = ContentLibrary::new(content.roots()?)
        .with_bundled(content.bundled(&content.folders()?), content.bundle_problem())
        .with_saves(saves_folder())
        .with_pictures(boardwright_ui::thumbnail);
    match boardwright_ui::run(std::sync::Arc::new(library), beginning) {
        Ok(()) => Ok(Exit::Fine),
        Err(error @ UiError::NoDisplay) => Err(Failure::Usage(format!(
            "{error}; play in the terminal instead: boardwright play ID --text"
        ))),
        Err(error) => Err(Failure::Failed(format!(
            "{error}; to play in the terminal: boardwright play ID --text"
        ))),
    }
}

#[cfg(not(feature = "gui"))]
pub(super) fn window(_: &Content, _: Opening) -> Result<Exit, Failure> {
    Err(Failure::Usage(
        "this program was built without its window; play in the terminal: boardwright play ID --text".to_owned(),
    ))
}
