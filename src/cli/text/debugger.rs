//! The debugger of strategies at the terminal.

use std::fmt::Write as _;

use super::Terminal;
use super::format::{self, seat_names};
use crate::cli::Failure;
use boardwright_model::Declarations;
use boardwright_protocol::{BreakPoint, Command, PauseCause, PauseReport, Reply, StackFrame, StepKind};

/// Understands whose strategy is to be debugged, or no longer.
pub(super) fn attach(rest: &str, declarations: &Declarations) -> Result<Command, String> {
    let mut words = rest.split_whitespace();
    let seat = declarations.find_seat(words.next().unwrap_or_default());
    let seat = seat.ok_or_else(|| format!("attach to whose strategy? Write the seat behind it: {}", seat_names(declarations)))?;
    let (mut attached, mut before, mut after) = (true, false, false);
    for word in words {
        match word {
            "off" => attached = false,
            "before" => before = true,
            "after" => after = true,
            other => {
                return Err(format!(
                    "`{other}` is not understood: write `before`, `after` or `off` behind the seat"
                ));
            }
        }
    }
    Ok(Command::Attach {
        seat,
        attached,
        before,
        after,
    })
}

/// Understands how a strategy that has paused is to go on.
pub(super) fn step(rest: &str) -> Result<Command, String> {
    let kind = match rest {
        "" | "over" => StepKind::Over,
        "into" => StepKind::Into,
        "out" => StepKind::Out,
        _ => return Err("step how? Write `step`, `step into` or `step out`".to_owned()),
    };
    Ok(Command::Step { kind })
}

/// Understands where a break point is to be put.
pub(super) fn break_point(rest: &str) -> Result<BreakPoint, String> {
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
            "break where? Write the file and the line, as in `break standard.rhai:12`, and perhaps when: `.. if value > 100`".to_owned(),
        ),
    }
}

impl Terminal<'_> {
    /// Puts a break point, or takes it away; lists them all if none is named.
    pub(super) fn toggle_break_point(&mut self, point: Option<BreakPoint>) -> Result<(), Failure> {
        let mut points = self.points.clone();
        let Some(point) = point else {
            let lines: Vec<String> = points.iter().map(point_text).collect();
            return self.list(&lines, "There are no break points; `break FILE:LINE` puts one.");
        };
        // Without a condition a line that has one already is paused at no longer.
        let is_there = |known: &BreakPoint| (&known.file, known.line) == (&point.file, point.line);
        let is_new = !points.contains(&point) && (point.condition.is_some() || !points.iter().any(is_there));
        points.retain(|known| !is_there(known));
        points.extend(is_new.then_some(point));
        if self.is_done(Command::BreakPoints { points: points.clone() })? {
            self.points = points;
        }
        Ok(())
    }

    /// Watches an expression wherever a strategy pauses, or no longer; lists them all if none is named.
    pub(super) fn toggle_inspected(&mut self, expression: Option<String>) -> Result<(), Failure> {
        let mut expressions = self.inspected.clone();
        let Some(expression) = expression else {
            return self.list(&expressions, "Nothing is inspected; `inspect EXPRESSION` begins with one.");
        };
        match expressions.iter().position(|known| *known == expression) {
            Some(index) => drop(expressions.remove(index)),
            None => expressions.push(expression),
        }
        let watched = expressions.clone();
        if self.is_done(Command::Watches { expressions: watched })? {
            self.inspected = expressions;
        }
        Ok(())
    }

    fn list(&mut self, lines: &[String], none: &str) -> Result<(), Failure> {
        self.print(if lines.is_empty() { none.to_owned() } else { lines.join("\n") })
    }

    /// Asks for something; says why if it is not done.
    fn is_done(&mut self, command: Command) -> Result<bool, Failure> {
        let reply = self.connection.ask(command)?;
        self.show_reply(&reply)?;
        Ok(matches!(reply, Reply::Done { .. }))
    }
}

fn point_text(point: &BreakPoint) -> String {
    let condition = point.condition.iter().map(|condition| format!(" if {condition}"));
    format!("{}:{}{}", point.file, point.line, condition.collect::<String>())
}

pub(super) fn paused(declarations: &Declarations, report: &PauseReport) -> String {
    let cause = match report.cause {
        PauseCause::Before => "a decision begins",
        PauseCause::After => "it has decided",
        PauseCause::BreakPoint => "a break point",
        PauseCause::Step => "a step",
        PauseCause::Asked => "as asked",
    };
    let seat = format::seat(declarations, report.seat);
    let mut text = format!(
        "{seat}, played by {}, has paused ({cause}): {}:{}",
        report.player, report.file, report.line
    );
    if let Some(hits) = report.hits.filter(|hits| *hits > 1) {
        let _ = write!(text, ", {hits} times so far");
    }
    format::add_source_line(&mut text, report.line, report.source_line.as_deref());
    if let Some(problem) = &report.problem {
        let _ = write!(text, "\n  The condition could not be worked out: {problem}");
    }
    if report.stack.len() > 1 {
        let call = |call: &StackFrame| format!("{}({}) in line {}", call.function, call.arguments.join(", "), call.line);
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
        let sort = if thought.weighed { "weighed" } else { "said" };
        let _ = write!(text, "\n  {sort}: {}", format::thought(thought));
    }
    if let Some(action) = &report.evaluated {
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
    fn seats_lines_and_steps_are_understood_and_what_is_not_says_what_to_write() {
        let rules = boardwright_fixtures::Race::default();
        let declarations = rules.declarations();
        let debugged = Command::Attach {
            seat: boardwright_model::SeatId(1),
            attached: true,
            before: true,
            after: false,
        };
        assert_eq!(attach("blue before", declarations), Ok(debugged));
        assert!(attach("green", declarations).is_err_and(|text| text.contains("red, blue")));
        assert!(attach("red often", declarations).is_err_and(|text| text.contains("often")));
        let point = BreakPoint {
            file: "bold.rhai".to_owned(),
            line: 12,
            condition: None,
        };
        assert_eq!(break_point("bold.rhai:12"), Ok(point.clone()));
        let under = BreakPoint {
            condition: Some("best > 3 && from != ()".to_owned()),
            ..point
        };
        assert_eq!(point_text(&under), "bold.rhai:12 if best > 3 && from != ()");
        assert_eq!(break_point(&point_text(&under)), Ok(under));
        assert!(break_point("bold.rhai").is_err_and(|text| text.contains("break standard.rhai:12")));
        assert_eq!(step("out"), Ok(Command::Step { kind: StepKind::Out }));
        assert!(step("back").is_err());
    }
}
