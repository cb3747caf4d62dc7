//! What went wrong while a script ran.

use std::fmt;

use rhai::{Dynamic, EvalAltResult};

use super::call::Program;
use super::errors::{Explained, explain, readable, stopped};
use super::lines::LineMap;
use super::meter::Stop;
use boardwright_model::diagnostic::{Code, Diagnostic, Location};
use boardwright_model::{Refusal, Rejection};

/// How many calls on the way to a fault are told from its beginning.
const FIRST_CALLS: usize = 3;
/// How many are told from its end.
const LAST_CALLS: usize = 2;

/// A call on the way to a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// The function that was called.
    pub function: String,
    /// Where it was called.
    pub place: Option<Location>,
}

/// A call of a script that did not end well: what is told of it, and what only its caller can use.
#[derive(Clone, Debug)]
pub struct Fault {
    /// What went wrong, in the hook that was called from outside. For budgets, its place is the line that was being run, or where that is
    /// not known, the loop or function it was in.
    pub diagnostic: Diagnostic,
    /// The calls that led there, outermost first, without the hook itself.
    pub calls: Vec<TraceStep>,
    thrown: Option<Dynamic>,
}

impl Fault {
    /// A fault without place and calls.
    pub fn new(code: Code, hook: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            diagnostic: Diagnostic::error(code, message).in_hook(hook),
            calls: Vec::new(),
            thrown: None,
        }
    }

    /// The same at a place.
    #[must_use]
    pub(crate) fn at(mut self, place: Option<Location>) -> Self {
        self.diagnostic.place = place;
        self
    }

    /// The same at another place, if it has none.
    #[must_use]
    pub(crate) fn or_at(mut self, place: impl FnOnce() -> Option<Location>) -> Self {
        self.diagnostic.place = self.diagnostic.place.or_else(place);
        self
    }

    /// The refusal that the script threw.
    pub fn refusal(&self) -> Option<Refusal> {
        self.thrown.as_ref()?.clone().try_cast()
    }

    /// A call that had to stop; `word` is the native that took most of it, if one did.
    pub(crate) fn stopped(hook: &str, stop: Stop, word: Option<&str>) -> Self {
        Self::new(Code::Script, hook, "").because_of(stop, word)
    }

    /// The same with the reason for which the call had to stop: what the script made of it does not count.
    #[must_use]
    pub(crate) fn because_of(mut self, stop: Stop, word: Option<&str>) -> Self {
        self.explained(stopped(stop));
        match (stop, word) {
            (Stop::Operations(_), Some(word)) => self.diagnostic.message.push_str(&format!(", most of them in `{word}`")),
            (Stop::Time(_), Some(word)) => self.diagnostic.message.push_str(&format!(", most of it in `{word}`")),
            _ => {}
        }
        self
    }

    fn explained(&mut self, explained: Explained) {
        (self.diagnostic.code, self.diagnostic.message) = (explained.code, explained.message);
        (self.diagnostic.help, self.thrown) = (explained.cure, explained.thrown);
    }

    /// The value that the script threw.
    pub(crate) fn thrown(&self) -> Option<&Dynamic> {
        self.thrown.as_ref()
    }

    /// The diagnostic for the author of the script: its help ends with the calls that led there.
    pub fn with_calls(&self) -> Diagnostic {
        let mut way = vec![format!("while running `{}`", self.diagnostic.hook)];
        let line = |step: &TraceStep| match &step.place {
            Some(place) => format!("which called `{}` at {place}", step.function),
            None => format!("which called `{}`", step.function),
        };
        let between = self.calls.len().saturating_sub(FIRST_CALLS + LAST_CALLS);
        way.extend(self.calls.iter().take(FIRST_CALLS).map(line));
        if between > 0 {
            way.push(format!(
                "and so on through {between} more {}",
                if between == 1 { "call" } else { "calls" }
            ));
        }
        way.extend(self.calls.iter().skip(FIRST_CALLS + between).map(line));
        self.with_help_line(&way.join(", "))
    }

    /// The diagnostic with another line of help, which names the hook if it has to be named.
    pub(crate) fn with_help_line(&self, line: &str) -> Diagnostic {
        let diagnostic = self.diagnostic.clone().in_hook("");
        match &self.diagnostic.help {
            Some(help) => diagnostic.with_help(format!("{help}\n{line}")),
            None => diagnostic.with_help(line),
        }
    }

    /// A panic that was caught.
    pub(crate) fn panic(hook: &str, payload: &(dyn std::any::Any + Send)) -> Self {
        let text = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        Self::new(
            Code::Panic,
            hook,
            format!("the engine failed: {}", text.unwrap_or("no reason given")),
        )
    }

    /// The same at the call by which a function calls itself, over others or not, where calls are nested too deep: that is what to mend,
    /// and not where the last one happened to be.
    #[must_use]
    pub(crate) fn at_recursion(mut self) -> Self {
        let times = |function: &str| {
            self.calls.iter().filter(|step| step.function == function).count() + usize::from(self.diagnostic.hook == function)
        };
        let again = self
            .calls
            .iter()
            .rev()
            .find(|step| step.place.is_some() && times(&step.function) > 1);
        if self.diagnostic.code == Code::BudgetDepth
            && let Some(step) = again
        {
            self.diagnostic.place.clone_from(&step.place);
        }
        self
    }

    /// Translates an error of the engine. `program` is the one it happened in, where there is one yet.
    pub(crate) fn from_engine(hook: &str, error: EvalAltResult, lines: &LineMap, program: Option<&Program>) -> Self {
        let mut fault = Self::new(Code::Script, hook, String::new());
        let mut error = error;
        loop {
            match error {
                EvalAltResult::ErrorInFunctionCall(function, _, inner, position) => {
                    if !(fault.calls.is_empty() && position.is_none()) {
                        fault.calls.push(TraceStep {
                            function: readable(&function),
                            place: lines.place(position),
                        });
                    }
                    error = *inner;
                }
                EvalAltResult::ErrorInModule(_, inner, _) => error = *inner,
                _ => break,
            }
        }
        fault.diagnostic.place = lines.place(error.position());
        fault.explained(explain(error, program));
        fault
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagnostic.fmt(f)
    }
}

impl std::error::Error for Fault {}

/// What is told of the fault in play: the hook it happened in, without the calls that led there.
impl From<Fault> for Diagnostic {
    fn from(fault: Fault) -> Self {
        fault.diagnostic
    }
}

impl From<Box<Fault>> for Rejection {
    fn from(fault: Box<Fault>) -> Self {
        fault.refusal().map_or_else(|| fault.diagnostic.into(), Self::Refused)
    }
}
