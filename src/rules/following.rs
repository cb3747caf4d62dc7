//! Following a strategy line by line while it decides: what is shown of it, and what it is told.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Remark;

/// A line at which strategies halt, always or under a condition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BreakPoint {
    /// The file as diagnostics name it, or the end of its path: `standard.rhai`.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// An expression that is worked out whenever a strategy comes to the line: it halts if that is true, or can not be worked out.
    #[serde(default, rename = "if", skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
}

impl BreakPoint {
    /// Whether it is at a line of a file.
    pub fn is_at(&self, file: &str, line: u32) -> bool {
        let rest = file.strip_suffix(self.file.as_str());
        self.line == line && rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    }
}

/// How far a strategy that has halted goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stride {
    /// To the next break point.
    Continue,
    /// To the next line, be it in a function that is called.
    Into,
    /// To the next line of this function, or of the one that called it.
    Over,
    /// To the next line of the function that called this one.
    Out,
}

/// Why a strategy has halted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HaltCause {
    /// A decision begins.
    Before,
    /// It has decided, and its action is not yet carried out.
    After,
    /// A break point.
    BreakPoint,
    /// The stride is done.
    Step,
    /// It was asked to.
    Asked,
}

/// A call of a function that has not come back yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The function.
    pub function: String,
    /// The file of the line that is being carried out in it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// What it was called with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
}

/// A variable of the function that is being carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The sort of its value.
    pub sort: String,
    /// Its value, cut where it is long.
    pub value: String,
}

/// An expression that was worked out where a strategy has halted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watched {
    /// The expression.
    pub expression: String,
    /// Its value, cut where it is long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Why it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// Where a strategy has halted, and what is to be seen there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Halt {
    /// Why.
    pub cause: HaltCause,
    /// The calls that have not come back, the innermost first: its line is the one that comes next.
    pub stack: Vec<Call>,
    /// The text of that line.
    pub source_line: Option<String>,
    /// The variables of the innermost call, the newest first.
    pub variables: Vec<Variable>,
    /// The expressions that are watched.
    pub watches: Vec<Watched>,
    /// What the strategy has said so far about its thoughts.
    pub remarks: Vec<Remark>,
    /// At a break point: how often strategies have halted there.
    pub hits: Option<u64>,
    /// At a break point: why its condition could not be worked out.
    pub problem: Option<String>,
}

/// What a strategy may have to halt for before a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reasons {
    /// The break points there.
    pub points: Vec<BreakPoint>,
    /// What it halts for besides.
    pub cause: Option<HaltCause>,
}

/// What a strategy that has halted is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onward {
    /// Go on.
    Go,
    /// Show again what is to be seen: other expressions are watched.
    Look,
    /// End without a decision.
    End,
}

/// Somebody who follows a strategy while it decides. Asked on the thread on which it runs.
pub trait Follow: fmt::Debug + Send + Sync {
    /// Whether the strategy is to end without a decision. Asked at every step, so it has to be quick.
    fn is_over(&self) -> bool;

    /// What it halts for before a line, with so many calls that have not come back.
    fn halts_at(&self, file: &str, line: u32, depth: usize) -> Reasons;

    /// It halts at a break point. Gives how often this has happened there.
    fn hits(&self, point: &BreakPoint) -> u64;

    /// The expressions to be worked out where it halts.
    fn watches(&self) -> Vec<Arc<str>>;

    /// Halts until it is said what to do.
    fn halt(&self, halt: Halt) -> Onward;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_break_point_may_name_the_end_of_a_path() {
        let point = |file: &str| BreakPoint {
            file: file.to_owned(),
            line: 3,
            condition: None,
        };
        let file = "rulesets/example/strategies/bold.rhai";
        assert!(point(file).is_at(file, 3));
        assert!(point("bold.rhai").is_at(file, 3));
        assert!(point("strategies/bold.rhai").is_at(file, 3));
        assert!(!point("old.rhai").is_at(file, 3));
        assert!(!point("bold.rhai").is_at(file, 4));
    }
}
