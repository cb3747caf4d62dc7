//! What a panel wants done. Panels only look at the match; one function of the screen grants their wishes.

use super::drawer::Place;
use super::match_screen::Tool;
use boardwright_protocol::Command;
use boardwright_model::{Action, ActionId, CellId, Pick, PieceId};

/// How a piece that is about to be laid is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// A quarter clockwise.
    On,
    /// A quarter back.
    Back,
    /// Left and right exchanged.
    Mirror,
}

/// Something the player asked for in a panel.
#[derive(Clone, Debug, PartialEq)]
pub enum Wish {
    /// A request to the host.
    Send(Command),
    /// Change the match by hand, in these words.
    SayByHand(String),
    /// A click on a cell, and whether it is the second in quick succession.
    Click(CellId, bool),
    /// Something begins to be dragged from a cell.
    Lift(CellId),
    /// What is dragged is let go over a cell.
    DropOn(CellId),
    /// What is on the first cell, if it can be lifted, is dragged to the second.
    Drag(CellId, CellId),
    /// Play what is chosen with this number, again and again until it is decided.
    PickAgain(ActionId, Pick),
    /// Let nothing go on by itself any more.
    StopAgain,
    /// Play this action.
    Play(Action),
    /// Play what is chosen.
    PlayChosen,
    /// Take the choice back.
    Clear,
    /// Take the last step of the choice back.
    StepBack,
    /// Follow only this action.
    Want(ActionId),
    /// A pick that is no cell.
    Pick(ActionId, Pick),
    /// A click on a piece that is not on the board.
    PickPiece(PieceId),
    /// A click on one of several pieces of a cell.
    PickOf(CellId, PieceId),
    /// Close the fan of a cell's pieces.
    CloseFan,
    /// Turn the piece that is about to be laid: a quarter on, a quarter back, or mirror it.
    Turn(Turn),
    /// Go on to the next pick.
    GoOn(ActionId),
    /// Open or close a panel.
    Show(Tool),
    /// Think about a hint.
    Hint,
    /// Save the match.
    Save,
    /// Show the whole board.
    Fit,
    /// Make the board larger or smaller.
    Zoom(f32),
    /// The changed rules have been seen.
    ReloadSeen,
    /// Show the rules in force and their files.
    ShowScripts,
    /// Show a place of a script in the editor.
    Edit(Place),
    /// Open the rule book at a rule.
    ShowRule(String),
    /// Let the replay run, or stop it.
    Run(bool),
    /// Light what differs from the present, or no longer do.
    Compare(bool),
    /// Show the bar for looking back.
    LookBack,
    /// Go to the present and close the bar.
    ToPresent,
    /// Drop what came later and play on from here.
    GoOnFromHere,
    /// Show how the match went.
    ShowStatistics,
    /// The end has been seen.
    OutcomeSeen,
    /// Show the end once more.
    ShowOutcome,
    /// Drop what was taken back and play the waiting action, or do not.
    Confirm(bool),
    /// The same match from the beginning.
    Rematch,
    /// Leave for the launcher.
    Leave,
}

impl Wish {
    /// Whether it chooses an action or plays it: then what it means follows from what the rules say may be picked.
    pub fn chooses(&self) -> bool {
        use Wish::{Click, Drag, DropOn, GoOn, Lift, Pick, PickAgain, PickOf, PickPiece, Play, PlayChosen, StepBack, Turn, Want};
        matches!(
            self,
            Click(..)
                | Lift(_)
                | DropOn(_)
                | Drag(..)
                | Play(_)
                | PlayChosen
                | StepBack
                | Want(_)
                | Pick(..)
                | PickAgain(..)
                | PickPiece(_)
                | PickOf(..)
                | Turn(_)
                | GoOn(_)
        )
    }
}
