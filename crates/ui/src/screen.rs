//! Screens that other crates bring into the window: the editor, and that for matches on servers. The window names neither, so it is handed ways
//! to open them.

use std::path::PathBuf;

use egui::{Context, Ui};

use boardwright_client::Wake;
use boardwright_client::content::OpenedMatch;
use boardwright_model::diagnostic::Diagnostic;

/// What the editor is opened for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum EditRequest {
    /// Whatever was open last.
    #[default]
    Anything,
    /// A file.
    File(PathBuf),
    /// A new map for a ruleset.
    NewMap(String),
    /// A new scenario for a ruleset.
    NewScenario(String),
    /// A copy of a scenario: the ids of the ruleset and the scenario.
    Copy(String, String),
    /// A scenario by the ids of its ruleset and its own; where it is not to be written over, a copy.
    Scenario(String, String),
    /// The map that a scenario is played on, by the same ids.
    MapOf(String, String),
}

/// A match that runs while a screen is shown in front of it.
#[derive(Clone, Copy, Debug)]
pub struct MatchBehind<'a> {
    /// Whether it was begun by the screen, with [`ScreenCommand::Play`].
    pub is_own: bool,
    /// What is wrong with its files, or could not be carried over into it when they changed.
    pub problems: &'a [Diagnostic],
}

/// Begins a match; called on a thread of its own.
pub type StartMatch = Box<dyn FnOnce(Wake) -> Result<OpenedMatch, Vec<Diagnostic>> + Send>;

/// What a screen asks the window for.
pub enum ScreenCommand {
    /// The launcher is to be shown.
    Leave,
    /// A match is to be begun and shown; whoever leaves it comes back to the screen.
    Play(StartMatch),
    /// The match that runs behind the screen is to be shown.
    ShowMatch,
    /// The settings are to be shown.
    ShowSettings,
    /// The list of keys is to be shown.
    ShowShortcuts,
    /// The theme is to be changed.
    SetTheme(egui::ThemePreference),
    /// There may be something new to play.
    Refresh,
}

impl std::fmt::Debug for ScreenCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", std::mem::discriminant(self))
    }
}

/// A screen of the window.
pub trait Screen: std::fmt::Debug {
    /// Opens something in it, if it is the editor.
    fn open(&mut self, request: EditRequest);

    /// Shows it in all the room there is, and says what it asks for. `has_keys` is whether keys are for it, and not for a dialog above it;
    /// `behind` is the match that goes on meanwhile.
    fn ui(&mut self, ui: &mut Ui, has_keys: bool, behind: Option<MatchBehind<'_>>) -> Vec<ScreenCommand>;

    /// What it shows, for the title of the window; empty if nothing is open in it.
    fn title(&self) -> String;

    /// The names of files in it that are not saved.
    fn unsaved(&self) -> Vec<String>;

    /// Saves all files in it that are not saved.
    fn save_all(&mut self);
}

/// Makes a screen when it is needed for the first time.
pub type ScreenFactory = Box<dyn Fn(&Context) -> Box<dyn Screen>>;

/// The screens that a window is handed.
#[derive(Default)]
pub struct Screens {
    /// The editor.
    pub editor: Option<ScreenFactory>,
    /// The screen for matches on servers.
    pub online: Option<ScreenFactory>,
}

impl std::fmt::Debug for Screens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Screens(editor: {}, online: {})", self.editor.is_some(), self.online.is_some())
    }
}
