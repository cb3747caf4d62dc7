//! The debugger of strategies: break points, what is seen where one is paused, and how it resumes.

use serde::{Deserialize, Serialize};

/// A line at which strategies pause, always or under a condition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BreakPoint {
    /// The file as diagnostics name it, or the end of its path: `standard.rhai`.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// An expression that is evaluated whenever a strategy comes to the line: it pauses if that is true, or cannot be evaluated.
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

/// How far a paused strategy goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// To the next break point.
    Continue,
    /// To the next line, be it in a function that is called.
    Into,
    /// To the next line of this function, or of the one that called it.
    Over,
    /// To the next line of the function that called this one.
    Out,
}

/// Why a strategy is paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PauseCause {
    /// A decision begins.
    Before,
    /// It has decided, and its action is not yet carried out.
    After,
    /// A break point.
    BreakPoint,
    /// The step is done.
    Step,
    /// It was asked to.
    Asked,
}

/// A frame of the call stack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StackFrame {
    /// The function.
    pub function: String,
    /// The file of the line that is executed in it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// What it was called with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
}

/// A variable of the innermost function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The sort of its value.
    pub sort: String,
    /// Its value, cut where it is long.
    pub value: String,
}

/// A watched expression with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchResult {
    /// The expression.
    pub expression: String,
    /// Its value, cut where it is long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Why it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
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
