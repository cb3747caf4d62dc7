//! The commands of widgets. A widget reads what it shows and pushes commands; it changes nothing itself.

use std::path::PathBuf;
use std::sync::Arc;

use egui::{ThemePreference, Ui, Widget};

use super::match_controller::DebugCommand;
use super::match_screen::MatchPanel;
use super::save_dialogs::SaveFilter;
use super::screen::EditRequest;
use super::tools_panel::{TextPosition, ToolsTab};
use boardwright_client::MatchChoice;
use boardwright_client::content::SourceFile;
use boardwright_model::{Action, ActionId, CellId, DirectionId, Pick, PieceId, SeatId};
use boardwright_protocol::Command;

/// How a piece is rotated or mirrored before it is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// A quarter turn clockwise.
    Clockwise,
    /// A quarter turn counterclockwise.
    Counterclockwise,
    /// Left and right exchanged.
    Mirror,
}

/// Chooses an action or plays it. What it means depends on what the rules allow to be picked, so it is queued until they have answered.
#[derive(Clone, Debug, PartialEq)]
pub enum ChoiceCommand {
    /// A click on a cell.
    Click(CellClick),
    /// A drag begins on a cell.
    Lift(CellId),
    /// A drag ends on a cell, or beside the board.
    DropOn(Option<CellId>),
    /// A drag from the first cell to the second that ended before the rules had answered.
    Drag(CellId, CellId),
    /// A pick made in a panel.
    Pick(ActionId, Pick),
    /// A pick that completes an action which is then repeated until what it began is decided.
    PickRepeatedly(ActionId, Pick),
    /// A click on a piece beside the board.
    PickPiece(PieceId),
    /// A click on one of several pieces of a cell.
    PickOneOf(CellId, PieceId),
    /// Restricts the choice to an action; a second time lifts the restriction.
    Select(ActionId),
    /// Says which of several actions is meant that what is picked fits.
    Mean(ActionId),
    /// Takes an unfinished pick as it is and goes on to the next one.
    NextPick(ActionId),
    /// Rotates or mirrors the piece that is about to be placed.
    Turn(Turn),
    /// Undoes the last step of the choice.
    StepBack,
    /// Plays an action.
    Play(Action),
    /// Plays what is chosen.
    PlayChosen,
}

/// A click on a cell of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellClick {
    /// The cell.
    pub cell: CellId,
    /// The side of it that was clicked on, and not its middle.
    pub side: Option<DirectionId>,
    /// Whether it is the second click in quick succession.
    pub is_double: bool,
}

/// What else the match controller carries out.
#[derive(Clone, Debug, PartialEq)]
pub enum MatchCommand {
    /// Sends a request to the host.
    Send(Command),
    /// Edits the position by a line of the console.
    Edit(String),
    /// Undoes the whole choice and drops queued input.
    ClearChoice,
    /// Stops the action that is repeated.
    StopRepeating,
    /// Closes the list of a cell's pieces.
    ClosePieceChooser,
    /// Asks a computer player for a hint.
    Hint,
    /// Saves the match.
    Save,
    /// Writes a scenario that begins where the match stands, and opens it in the editor.
    ExportScenario,
    /// Closes the notice of reloaded rules.
    DismissReload,
    /// Goes on from a step of the tutorial that has been read.
    NextLesson,
    /// Leaves the tutorial; the match goes on against computers.
    LeaveLesson,
    /// Asks whether a seat is to resign.
    AskResign(SeatId),
    /// Asks whether a draw is agreed upon, for a seat.
    AskDraw(SeatId),
    /// Answers the question whether something is to be done that stands beside the play, such as resigning.
    Confirm(bool),
}

/// A command of a widget of the match screen.
#[derive(Clone, Debug, PartialEq)]
pub enum UiCommand {
    /// For the controller, once the rules have answered.
    Choice(ChoiceCommand),
    /// For the controller, at once.
    Match(MatchCommand),
    /// Opens or closes a panel.
    TogglePanel(MatchPanel),
    /// Draws a heat map of the rules over the board, or none.
    ShowHeatMap(Option<Arc<str>>),
    /// Shows where a cell is.
    ShowCell(CellId),
    /// Shows the whole board.
    FitBoard,
    /// Scales the board by a factor.
    ZoomBoard(f32),
    /// Runs the replay, or pauses it.
    RunReplay(bool),
    /// Highlights what differs from the present, or no longer does.
    Compare(bool),
    /// Opens the replay bar.
    OpenReplay,
    /// Goes to the present and closes the replay bar.
    CloseReplay,
    /// Plays on from the position shown.
    PlayFromHere,
    /// Opens the match graph.
    ShowStatistics,
    /// Closes the result of the match.
    CloseOutcome,
    /// Begins the same match again.
    Rematch,
    /// For the program.
    App(AppCommand),
}

/// What the program carries out for its screens, panels and dialogs.
#[derive(Clone, Debug, PartialEq)]
pub enum AppCommand {
    /// Begins a match.
    Begin(MatchChoice),
    /// Begins the tutorial of a ruleset.
    Learn(String),
    /// Takes up a saved match.
    Resume(PathBuf),
    /// Takes up a saved match and shows its beginning.
    Watch(PathBuf),
    /// Leaves the match for the launcher.
    Leave,
    /// Looks through the content again.
    Refresh,
    /// Shows the list of saved matches.
    ListSaves(SaveFilter),
    /// Asks for the name under which the match is saved.
    AskSaveName,
    /// Saves the match in a file.
    SaveAs(PathBuf),
    /// Deletes a saved match.
    DeleteSave(PathBuf),
    /// Does not offer a match any more that was cut off.
    ForgetSave(PathBuf),
    /// Shows the settings.
    ShowSettings,
    /// Sets the theme.
    SetTheme(ThemePreference),
    /// Shows a tab of the tools panel.
    ShowTools(ToolsTab),
    /// Shows a tab of the tools panel, or closes the panel if the tab is shown already.
    ToggleTools(ToolsTab),
    /// Opens the rule book at a rule.
    ShowRule(String),
    /// Opens a script in the editor.
    Edit(TextPosition),
    /// Reads a file for the editor.
    Read(SourceFile),
    /// Writes a file, unless another program has changed it: then it is read again.
    Write {
        /// The file.
        file: SourceFile,
        /// What is to be in it.
        text: String,
        /// What is in it now, as far as is known.
        over: String,
    },
    /// Copies the ruleset of a file into the user's own content, and opens the file there.
    CopyRuleset(SourceFile),
    /// Opens a file in the editor of the system.
    OpenElsewhere(SourceFile),
    /// For the debugger of strategies.
    Debug(DebugCommand),
    /// Shows the editor with something opened in it.
    OpenEditor(EditRequest),
    /// Shows the editor as it was left; the match goes on behind it.
    ShowEditor,
    /// Shows the screen for matches on servers.
    ShowOnline,
    /// Opens an address outside of the program.
    Browse(String),
}

impl From<ChoiceCommand> for UiCommand {
    fn from(command: ChoiceCommand) -> Self {
        Self::Choice(command)
    }
}

impl From<MatchCommand> for UiCommand {
    fn from(command: MatchCommand) -> Self {
        Self::Match(command)
    }
}

impl From<AppCommand> for UiCommand {
    fn from(command: AppCommand) -> Self {
        Self::App(command)
    }
}

impl From<DebugCommand> for AppCommand {
    fn from(command: DebugCommand) -> Self {
        Self::Debug(command)
    }
}

/// Shows a button that gives a command.
pub(crate) fn button_ui<C>(ui: &mut Ui, button: impl Widget, command: impl Into<C>, commands: &mut Vec<C>) {
    if ui.add(button).clicked() {
        commands.push(command.into());
    }
}
