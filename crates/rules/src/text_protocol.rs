//! A text protocol that a ruleset speaks beside the program's own: what the lines of its clients ask for, and what they are told.

use std::sync::Arc;

use boardwright_model::{Action, Draw, Outcome, Rejection, SeatId, State};

/// What a line of a client asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LineRequest {
    /// Nothing: the line says what is known, or what the rules do by themselves.
    #[default]
    Nothing,
    /// A seat, under a name.
    Login {
        /// The name.
        name: String,
    },
    /// The match to begin, as far as this player is concerned.
    Ready,
    /// To leave.
    Leave,
    /// An option of the match, before it begins.
    SetOption {
        /// Its name.
        name: String,
        /// Its value as text.
        value: String,
    },
    /// A chat line.
    Say {
        /// The line.
        text: String,
        /// The only seat it is for; without it everyone.
        to: Option<SeatId>,
    },
    /// An action.
    Play {
        /// The action, whether it is legal or not.
        action: Action,
        /// Whether the line is read again when the action is done, and asks for more then.
        is_read_again: bool,
    },
}

/// Why somebody cannot have a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoginFailure {
    /// The name cannot be one.
    BadName,
    /// There is somebody of this name.
    NameTaken,
    /// All seats are taken.
    Full,
}

/// Something that a client of a text protocol is to be told.
#[derive(Clone, Debug, PartialEq)]
pub enum LineNews {
    /// It has its seat.
    LoggedIn,
    /// It cannot have one.
    LoginFailed(LoginFailure),
    /// Somebody has a seat, or had it before this client came.
    Joined {
        /// The seat.
        seat: SeatId,
        /// The name.
        name: String,
    },
    /// Somebody has left.
    Left {
        /// The seat.
        seat: SeatId,
    },
    /// Somebody says something.
    Said {
        /// Who.
        from: SeatId,
        /// Whom it is for; without it everyone.
        to: Option<SeatId>,
        /// What.
        text: String,
    },
    /// The match has begun.
    Began,
    /// Something happened in it.
    Played {
        /// The view of the client before.
        before: Arc<State>,
        /// The action, as far as the client may know it.
        action: Option<Action>,
        /// What was drawn, as far as the client may know it.
        draws: Vec<Draw>,
    },
    /// The match has ended.
    Ended(Outcome),
    /// What a line asked for is not done.
    Refused {
        /// The line.
        line: String,
        /// The number of the rule, if one forbids it.
        rule: Option<String>,
        /// Why.
        reason: String,
    },
}

/// A text protocol that a ruleset speaks.
///
/// # Errors
/// The rules are at fault; or, of a line, they refuse it.
#[expect(clippy::missing_errors_doc, reason = "said once, for both functions")]
pub trait TextProtocol {
    /// What a line asks for. `seat` is the seat of the client, if it has one; `state` what it sees, or the setup before the match begins.
    fn read_line(&self, state: &Arc<State>, seat: Option<SeatId>, line: &str) -> Result<LineRequest, Rejection>;

    /// The lines that tell a client of something. `state` is what it sees now.
    fn write_lines(&self, state: &Arc<State>, seat: Option<SeatId>, news: &LineNews) -> Result<Vec<String>, Rejection>;
}
