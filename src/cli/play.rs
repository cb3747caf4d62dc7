//! `play`: a match in a window or in the terminal.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::choice::{ChoiceArguments, HowArguments, PolicyArguments, begin_failure, seats};
use super::content::Content;
use super::output::{Out, listed};
use super::{Exit, Failure, saved, text};
use boardwright_client::{Connection, MatchChoice};
use boardwright_local::{
    LocalMatch, SavedMatch, autosave_file, finish_autosaves, forget_autosave, interrupted_autosaves, is_autosave, is_running, prepare,
    saves_folder, unseen_crashes,
};
use boardwright_server::MOST_PACE_MILLISECONDS;

/// The pace of computer players where they are watched.
const WINDOW_PACE_MILLISECONDS: u64 = 600;

/// How long the end of the program waits for the copy of the match.
pub(super) const LAST_AUTOSAVES: Duration = Duration::from_secs(3);

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
    #[command(flatten)]
    policy: PolicyArguments,
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
    arguments.policy.put_into(&mut choice, true);
    if !arguments.text {
        // Mistakes are told here, where they were made, and not in a window.
        prepare(&catalog, &choice).map_err(|error| begin_failure(error, &catalog))?;
        return window(content, Opening::Match(Box::new(choice)));
    }
    print_crashes();
    print_interrupted();
    let scenario = choice.scenario.as_deref().unwrap_or("standard");
    choice.autosave = is_kept().then(|| autosave_file(&saves_folder(), &choice.ruleset, scenario));
    let playing = LocalMatch::begin(&catalog, &choice).map_err(|error| begin_failure(error, &catalog))?;
    at_the_terminal(&playing, choice.autosave.as_deref(), None, out)
}

/// Whether a match is kept that is played in characters: if a person types. What is written into a pipe can be written once more.
fn is_kept() -> bool {
    io::stdin().is_terminal()
}

/// How a saved match is gone on with: an autosave in the same file, another one with an autosave of its own.
pub(super) fn resumed(how: &HowArguments, file: &Path, saved: &SavedMatch) -> Result<MatchChoice, Failure> {
    let copy = if is_autosave(file) {
        file.to_path_buf()
    } else {
        autosave_file(&saves_folder(), &saved.save.ruleset, &saved.save.scenario.id)
    };
    Ok(MatchChoice {
        players: seats(&how.seats)?,
        autosave: Some(copy),
        ..MatchChoice::default()
    })
}

/// Opens a saved match to go on with it.
pub(super) fn open_to_resume(how: &HowArguments, file: &Path) -> Result<SavedMatch, Failure> {
    if how.seed.is_some() || !how.options.is_empty() {
        return Err(Failure::Usage(
            "a saved match keeps its options and its luck: leave out --option and --seed".to_owned(),
        ));
    }
    if is_running(file) {
        return Err(Failure::Usage(format!("{} is of a match that is running", file.display())));
    }
    saved::open(file)
}

/// Says on standard error what went wrong when the program ran before, once.
pub(super) fn print_crashes() {
    if let Some(file) = unseen_crashes() {
        drop(writeln!(
            io::stderr(),
            "the program broke down when it ran before; what is known of it is in {}",
            file.display()
        ));
    }
}

/// Says on standard error which matches were cut off and can be gone on with: once, then they are autosaves like others.
fn print_interrupted() {
    for file in interrupted_autosaves(&saves_folder()) {
        let written = writeln!(
            io::stderr(),
            "a match was closed unexpectedly; to go on with it: boardwright play --text --load {}",
            quoted(&file)
        );
        if written.is_ok() {
            forget_autosave(&file);
        }
    }
}

/// A file as a shell reads it.
fn quoted(file: &Path) -> String {
    let file = file.display().to_string();
    if file.contains(char::is_whitespace) {
        format!("\"{file}\"")
    } else {
        file
    }
}

/// Plays, and says where a match is kept that has not come to its end.
fn at_the_terminal(playing: &LocalMatch, copy: Option<&Path>, file: Option<&Path>, out: &mut Out) -> Result<Exit, Failure> {
    let connection = Connection::open(Box::new(playing.connect(None)))?;
    let is_over = match file {
        None => text::play_new(connection, out),
        Some(file) => text::play_on(connection, out, Some(file.display().to_string())),
    }?;
    finish_autosaves(LAST_AUTOSAVES);
    if let Some(copy) = copy.filter(|copy| !is_over && copy.is_file()) {
        out.line(format!("The match is kept: boardwright play --text --load {}", quoted(copy)))?;
    }
    Ok(Exit::Fine)
}

/// Plays a saved match on.
fn take_up(content: &Content, arguments: &PlayArguments, file: &Path, pace: Duration, out: &mut Out) -> Result<Exit, Failure> {
    if !arguments.text && !arguments.how.seats.is_empty() {
        return Err(Failure::Usage(
            "in the window, players of a saved match are changed beside the board: leave out --seat".to_owned(),
        ));
    }
    let saved = open_to_resume(&arguments.how, file)?;
    if !arguments.text {
        return window(content, Opening::Saved(file.display().to_string()));
    }
    let catalog = saved::any_catalog(content)?;
    let resumed = resumed(&arguments.how, file, &saved)?;
    let choice = MatchChoice {
        watches: true,
        pace,
        autosave: resumed.autosave.clone().filter(|_| is_kept()),
        ..resumed
    };
    let playing = LocalMatch::resume(&catalog, saved, &choice).map_err(|error| begin_failure(error, &catalog))?;
    // An automatic copy is written over by the next match.
    let file = Some(file).filter(|file| !is_autosave(file));
    at_the_terminal(&playing, choice.autosave.as_deref(), file, out)
}

/// What a window begins with.
#[cfg_attr(not(feature = "gui"), allow(dead_code, reason = "read by the window only"))]
pub(super) enum Opening {
    Launcher,
    Match(Box<MatchChoice>),
    Saved(String),
    Watched(String),
    Editor(Option<std::path::PathBuf>),
}

/// The launcher window.
pub(super) fn launcher(content: &Content) -> Result<Exit, Failure> {
    window(content, Opening::Launcher)
}

/// The folder in which the editor keeps the histories of files that belong to the program, beside the folder of saved matches.
#[cfg(feature = "gui")]
fn histories_folder() -> PathBuf {
    let folder = boardwright_content::user_content().unwrap_or_else(|| PathBuf::from("."));
    folder.join("histories")
}

#[cfg(feature = "gui")]
pub(super) fn window(content: &Content, opening: Opening) -> Result<Exit, Failure> {
    use boardwright_local::ContentLibrary;
    use boardwright_ui::{EditRequest, Screens, StartScreen, UiError};

    let beginning = match opening {
        Opening::Launcher => StartScreen::Launcher,
        Opening::Match(choice) => StartScreen::Match(*choice),
        Opening::Saved(file) => StartScreen::Saved(file.into()),
        Opening::Watched(file) => StartScreen::Watched(file.into()),
        Opening::Editor(file) => StartScreen::Editor(file.map_or(EditRequest::Anything, EditRequest::File)),
    };
    let bundled = content.bundled(&content.folders()?);
    let for_editor = bundled.clone().map(|folder| boardwright_editor::Bundled {
        folder,
        histories: histories_folder(),
    });
    let screens = Screens {
        editor: Some(boardwright_editor::factory(content.roots()?, for_editor)),
        online: online(),
    };
    let library = ContentLibrary::new(content.roots()?)
        .with_bundled(bundled, content.bundle_problem())
        .with_saves(saves_folder())
        .with_crash(unseen_crashes())
        .with_pictures(boardwright_ui::thumbnail);
    match boardwright_ui::run(std::sync::Arc::new(library), beginning, screens) {
        Ok(()) => Ok(Exit::Fine),
        Err(error @ UiError::NoDisplay) => Err(Failure::Usage(format!(
            "{error}; play in the terminal instead: boardwright play ID --text"
        ))),
        Err(error) => Err(Failure::Failed(format!(
            "{error}; to play in the terminal: boardwright play ID --text"
        ))),
    }
}

/// The screen for matches on servers.
#[cfg(feature = "online")]
#[expect(clippy::unnecessary_wraps, reason = "a program that is built without it has none")]
fn online() -> Option<boardwright_ui::ScreenFactory> {
    Some(boardwright_online::factory(super::join::seats_folder()))
}

#[cfg(all(feature = "gui", not(feature = "online")))]
fn online() -> Option<boardwright_ui::ScreenFactory> {
    None
}

#[cfg(not(feature = "gui"))]
pub(super) fn window(_: &Content, _: Opening) -> Result<Exit, Failure> {
    Err(Failure::Usage(
        "this program was built without its window; play in the terminal: boardwright play ID --text".to_owned(),
    ))
}
