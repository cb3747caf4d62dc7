//! The two ways in which rules say no: a refusal (normal play) and a fault, which is a diagnostic of the rules themselves.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::Sentence;
use crate::diagnostic::{Code, Diagnostic};

/// Why an action was refused, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RefusalCode {
    /// The match has ended.
    MatchOver,
    /// It is not this seat that may act now.
    NotYourTurn,
    /// No such action is declared.
    UnknownAction,
    /// The action does not belong to this phase, or another question is open.
    NotNow,
    /// Something is still to be picked; the reason says what is asked for.
    Unfinished,
    /// Too many picks, or picks that do not belong to the action.
    WrongPicks,
    /// A pick is not among those the rules offer.
    NotOffered,
    /// The rules refuse, with a rule number and a reason.
    Rule,
    /// The action was chosen at an earlier moment of the match than the present one.
    Stale,
    /// Who asks does not hold the seat.
    NotYourSeat,
    /// The policy of the match does not allow it (undo, debug changes).
    Policy,
    /// There is nothing to undo or redo.
    NoHistory,
    /// Something else than a save would be written over.
    WouldOverwrite,
}

impl RefusalCode {
    /// Every code, for tests and documentation.
    pub const ALL: [Self; 13] = [
        Self::MatchOver,
        Self::NotYourTurn,
        Self::UnknownAction,
        Self::NotNow,
        Self::Unfinished,
        Self::WrongPicks,
        Self::NotOffered,
        Self::Rule,
        Self::Stale,
        Self::NotYourSeat,
        Self::Policy,
        Self::NoHistory,
        Self::WouldOverwrite,
    ];
}

/// The rules say no. Normal play: the match stands as before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub struct Refusal {
    /// The sort of refusal.
    pub code: RefusalCode,
    /// The number of the rule that forbids it; empty where no single rule does.
    #[serde(default, skip_serializing_if = "str_is_empty")]
    pub rule: Arc<str>,
    /// The reason, in words for players.
    pub reason: Arc<str>,
}

fn str_is_empty(text: &Arc<str>) -> bool {
    text.is_empty()
}

impl Refusal {
    /// A refusal without a rule number.
    pub fn new(code: RefusalCode, reason: Sentence) -> Self {
        Self {
            code,
            rule: Arc::from(""),
            reason: reason.into(),
        }
    }

    /// The same with the number of the rule behind it.
    #[must_use]
    pub fn of_rule(self, rule: Arc<str>) -> Self {
        Self { rule, ..self }
    }

    /// A refusal by a rule.
    pub fn by_rule(rule: &str, reason: &str) -> Self {
        Self {
            code: RefusalCode::Rule,
            rule: Arc::from(rule),
            reason: Arc::from(reason),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)?;
        if self.rule.is_empty() {
            Ok(())
        } else {
            write!(f, " (rule {})", self.rule)
        }
    }
}

/// Why something did not happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Rejection {
    /// The rules say no.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Something is wrong with the rules themselves: an error in a script, a budget used up, a value of the wrong type. The match
    /// stands as before; the author is told where.
    #[error(transparent)]
    Fault(Box<Diagnostic>),
}

impl From<Diagnostic> for Rejection {
    fn from(fault: Diagnostic) -> Self {
        Self::Fault(Box::new(fault))
    }
}

impl Rejection {
    /// The rules are at fault.
    pub fn at_fault(code: Code, message: impl Into<String>) -> Self {
        Diagnostic::error(code, message).into()
    }

    /// The refusal, if it is one.
    pub fn refusal(&self) -> Option<&Refusal> {
        if let Self::Refused(refusal) = self { Some(refusal) } else { None }
    }

    /// The fault, if it is one.
    pub fn fault(&self) -> Option<&Diagnostic> {
        if let Self::Fault(fault) = self { Some(fault) } else { None }
    }
}

/// The number in `3.1`, `3.1.` or `3.1:`; none if a word is no number of a rule.
pub fn rule_number(word: &str) -> Option<&str> {
    let number = word.trim_end_matches(['.', ':', ')']);
    let is_part = |part: &str| part.starts_with(|first: char| first.is_ascii_digit()) && part.chars().all(char::is_alphanumeric);
    number.split('.').all(is_part).then_some(number)
}
