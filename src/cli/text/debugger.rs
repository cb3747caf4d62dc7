//! The debugger of strategies at the terminal.

use std::fmt::Write as _;

use super::{Table, format};
use crate::cli::Failure;
use boardwright_model::{Declarations, SeatId};
use boardwright_protocol::{BreakPoint, Command, PauseCause, PauseReport, Reply, StepKind};

/// Something said about following strategies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DebuggerCommand {
    /// Follow the strategy of a seat, or no longer.
    Follow {
        seat: SeatId,
        followed: bool,
        before: bool,
        after: bool,
    },
    /// Put a break point, or take it away; none: list them.
    Break(Option<BreakPoint>),
    /// Watch an expression, or no longer; none: list them.
    Inspect(Option<String>),
    Halt,
    Step(StepKind),
}

/// Understands what stands behind a word; gives what to write where that is nothing that can be understood.
pub(super) fn parse(word: &str, rest: &str, frame: &Declarations) -> Option<Result<DebuggerCommand, String>> {
    match word {
        "follow" => Some(follow(rest, frame)),
        "break" if rest.is_empty() => Some(Ok(DebuggerCommand::Break(None))),
        "break" => Some(break_point(rest).map(|point| DebuggerCommand::Break(Some(point)))),
        "inspect" => Some(Ok(DebuggerCommand::Inspect((!rest.is_empty()).then(|| rest.to_owned())))),
        "halt" if rest.is_empty() => Some(Ok(DebuggerCommand::Halt)),
        "step" => Some(match rest {
            "" | "over" => Ok(DebuggerCommand::Step(StepKind::Over)),
            "into" => Ok(DebuggerCommand::Step(StepKind::Into)),
            "out" => Ok(DebuggerCommand::Step(StepKind::Out)),
            _ => Err("step how? Write `step`, `step into` or `step out`".to_owned()),
        }),
        _ => None,
    }
}

fn follow(rest: &str, frame: &Declarations) -> Result<DebuggerCommand, String> {
    let names: Vec<&str> = frame.seats.iter().map(|seat| &*seat.name).collect();
    let mut words = rest.split_whitespace();
    let name = words.next().unwrap_or_default();
    let seat = frame
        .find_seat(name)
        .ok_or_else(|| format!("follow whose strategy? Write the seat behind it: {}", names.join(", ")))?;
    let (mut followed, mut before, mut after) = (true, false, false);
    for word in words {
        match word {
            "off" => followed = false,
            "before" => before = true,
            "after" => after = true,
            other => {
                return Err(format!(
                    "`{other}` is not understood: write `before`, `after` or `off` behind the seat"
                ));
            }
        }
    }
    Ok(DebuggerCommand::Follow {
        seat,
        followed,
        before,
        after,
    })
}

fn break_point(rest: &str) -> Result<BreakPoint, String> {
    let (place, condition) = match rest.split_once(" if ") {
        Some((place, condition)) if !condition.trim().is_empty() => (place, Some(condition.trim().to_owned())),
        _ => (rest, None),
    };
    let read = place
        .rsplit_once(':')
        .and_then(|(file, line)| Some((file.trim(), line.trim().parse().ok()?)));
    match read {
        Some((file, line)) if !file.is_empty() && line > 0 => Ok(BreakPoint {
            file: file.to_owned(),
            line,
            condition,
        }),
        _ => Err(
            "break where? Write the file and the line, as in `break standard.rhai:12`, and perhaps when: `.. if worth > 100`".to_owned(),
        ),
    }
}

impl Table<'_> {
    /// Does what was said about following strategies.
    pub(super) fn follow(&mut self, command: DebuggerCommand) -> Result<(), Failure> {
        match command {
            DebuggerCommand::Follow {
                seat,
                followed,
                before,
                after,
            } => self.ask(Command::Attach {
                seat,
                attached: followed,
                before,
                after,
            }),
            DebuggerCommand::Break(None) => {
                let lines: Vec<String> = self.points.iter().map(point_text).collect();
                self.list(&lines, "There are no break points; `break FILE:LINE` puts one.")
            }
            DebuggerCommand::Break(Some(point)) => {
                let mut points = self.points.clone();
                // Without a condition a line that has one already is halted at no longer.
                let is_there = |known: &BreakPoint| (&known.file, known.line) == (&point.file, point.line);
                let is_new = !points.contains(&point) && (point.condition.is_some() || !points.iter().any(is_there));
                points.retain(|known| !is_there(known));
                if is_new {
                    points.push(point.clone());
                }
                let set = Command::BreakPoints { points: points.clone() };
                if self.is_done(set)? {
                    self.points = points;
                }
                Ok(())
            }
            DebuggerCommand::Inspect(None) => {
                let lines = self.inspected.clone();
                self.list(&lines, "Nothing is inspected; `inspect EXPRESSION` begins with one.")
            }
            DebuggerCommand::Inspect(Some(expression)) => {
                let mut expressions = self.inspected.clone();
                let is_new = !expressions.contains(&expression);
                expressions.retain(|known| *known != expression);
                if is_new {
                    expressions.push(expression);
                }
                let set = Command::Watches {
                    expressions: expressions.clone(),
                };
                if self.is_done(set)? {
                    self.inspected = expressions;
                }
                Ok(())
            }
            DebuggerCommand::Halt => self.ask(Command::DebugPause),
            DebuggerCommand::Step(stride) => self.ask(Command::Step { kind: stride }),
        }
    }

    fn list(&mut self, lines: &[String], none: &str) -> Result<(), Failure> {
        let text = if lines.is_empty() { none.to_owned() } else { lines.join("\n") };
        self.print(text)
    }

    /// Asks for something; says why if it is not done.
    fn is_done(&mut self, command: Command) -> Result<bool, Failure> {
        let reply = self.connection.ask(command)?;
        self.show_reply(&reply)?;
        Ok(matches!(reply, Reply::Done { .. }))
    }
}

fn point_text(point: &BreakPoint) -> String {
    let condition = point
        .condition
        .as_ref()
        .map_or_else(String::new, |condition| format!(" if {condition}"));
    format!("{}:{}{condition}", point.file, point.line)
}

pub(super) fn halted(frame: &Declarations, report: &PauseReport, has_colour: bool) -> String {
    let cause = match report.cause {
        PauseCause::Before => "a decision begins",
        PauseCause::After => "it has decided",
        PauseCause::BreakPoint => "a break point",
        PauseCause::Step => "a step",
        PauseCause::Asked => "as asked",
    };
    let seat = format::seat(frame, report.seat, has_colour);
    let mut text = format!(
        "{seat}, played by {}, has halted ({cause}): {}:{}",
        report.player, report.file, report.line
    );
    if let Some(hits) = report.hits.filter(|hits| *hits > 1) {
        let _ = write!(text, ", {hits} times so far");
    }
    if let Some(line) = &report.source_line {
        let _ = write!(text, "\n  {:>4} | {}", report.line, line.trim_end());
    }
    if let Some(problem) = &report.problem {
        let _ = write!(text, "\n  The condition could not be worked out: {problem}");
    }
    if report.stack.len() > 1 {
        let call =
            |call: &boardwright_protocol::StackFrame| format!("{}({}) in line {}", call.function, call.arguments.join(", "), call.line);
        let calls: Vec<String> = report.stack.iter().map(call).collect();
        let _ = write!(text, "\n  calls: {}", calls.join("; from "));
    }
    for variable in &report.variables {
        let _ = write!(text, "\n  {} = {}", variable.name, variable.value);
    }
    for watched in &report.watches {
        let value = watched.value.as_ref().or(watched.problem.as_ref());
        let sign = if watched.value.is_some() { "=" } else { "has no value:" };
        let _ = write!(text, "\n  {} {sign} {}", watched.expression, value.map_or("", String::as_str));
    }
    for thought in &report.thoughts {
        let number = thought.number.map_or_else(String::new, |number| format!(" {number:+}"));
        let sort = if thought.weighed { "weighed" } else { "said" };
        let _ = write!(text, "\n  {sort}: {}{number}", thought.text);
    }
    if let Some(action) = &report.considered {
        let _ = write!(text, "\n  weighs {action}");
    }
    if let Some(action) = &report.chosen {
        let _ = write!(text, "\n  has chosen {action}");
    }
    text.push_str("\n`step`, `step into`, `step out` and `continue` let it go on.");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_rules::Rules as _;

    #[test]
    fn seats_lines_and_strides_are_understood_and_what_is_not_says_what_to_write() {
        let rules = boardwright_fixtures::Race::default();
        let says = |word: &str, rest: &str| parse(word, rest, rules.declarations());
        let followed = DebuggerCommand::Follow {
            seat: SeatId(1),
            followed: true,
            before: true,
            after: false,
        };
        assert_eq!(says("follow", "blue before"), Some(Ok(followed)));
        assert!(matches!(says("follow", "green"), Some(Err(text)) if text.contains("red, blue")));
        assert!(matches!(says("follow", "red often"), Some(Err(text)) if text.contains("often")));
        let point = BreakPoint {
            file: "bold.rhai".to_owned(),
            line: 12,
            condition: None,
        };
        assert_eq!(says("break", "bold.rhai:12"), Some(Ok(DebuggerCommand::Break(Some(point.clone())))));
        let under = BreakPoint {
            condition: Some("best > 3 && from != ()".to_owned()),
            ..point
        };
        assert_eq!(point_text(&under), "bold.rhai:12 if best > 3 && from != ()");
        assert_eq!(says("break", &point_text(&under)), Some(Ok(DebuggerCommand::Break(Some(under)))));
        assert!(matches!(says("break", "bold.rhai"), Some(Err(text)) if text.contains("break standard.rhai:12")));
        assert_eq!(says("step", "out"), Some(Ok(DebuggerCommand::Step(StepKind::Out))));
        assert!(matches!(says("step", "back"), Some(Err(_))));
        assert_eq!(says("run", ""), None);
    }
}
