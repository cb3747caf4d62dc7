//! Why a trigger is shown as script.

use super::form::Form;

/// Where and why a function that is marked as a trigger is not in the form of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The line, counted from 0 at the mark.
    pub line: usize,
    /// Why.
    pub reason: UnreadReason,
}

/// Why a function is not in the form of a trigger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnreadReason {
    /// There is no name behind the mark, or one with characters that are not seen.
    Name,
    /// No function follows the mark, or it is not closed.
    Function,
    /// The function is no listener that triggers know, or has other parameters.
    Hook(String),
    /// There is something that triggers do not contain, such as a comment.
    Unknown,
    /// A condition is none of the sentences.
    Condition,
    /// What is done is none of the sentences.
    Consequence,
    /// What happens once is named otherwise than the trigger.
    Once,
    /// A sentence stands where what it speaks of is not there.
    Misplaced(&'static Form),
}
