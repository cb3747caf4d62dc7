//! The debugger of strategies as the window sees it: which seats are attached, where they pause, what is watched.

use std::collections::BTreeMap;

use crate::tools_panel::TextPosition;
use boardwright_model::SeatId;
use boardwright_protocol::{BreakPoint, Command, PauseReport, StepKind};

/// Whether a strategy pauses before its decisions and after them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DecisionBreaks {
    /// At the first line of a decision.
    pub before: bool,
    pub after: bool,
}

/// What is set in the debugger.
#[derive(Clone, Debug, Default)]
pub(crate) struct StrategyDebugger {
    seats: BTreeMap<SeatId, DecisionBreaks>,
    pub(crate) points: Vec<BreakPoint>,
    pub(crate) watches: Vec<String>,
    /// Where a strategy has paused, until the place is shown.
    pub(crate) paused_at: Option<TextPosition>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DebugCommand {
    /// Attaches to the strategy of a seat, or detaches from it.
    Attach(SeatId, Option<DecisionBreaks>),
    /// Sets a break point at a line of a file, or clears it.
    ToggleBreakPoint(String, u32),
    SetCondition(BreakPoint),
    AddWatch(String),
    /// Watches an expression no longer.
    RemoveWatch(String),
    Resume(StepKind),
    Pause,
}

impl StrategyDebugger {
    pub(crate) fn of(&self, seat: SeatId) -> Option<DecisionBreaks> {
        self.seats.get(&seat).copied()
    }

    pub(crate) fn is_attached(&self) -> bool {
        !self.seats.is_empty()
    }

    /// The lines of a file with break points.
    pub(crate) fn lines_of(&self, file: &str) -> Vec<u32> {
        let points = self.points.iter().filter(|point| point.file == file);
        points.map(|point| point.line).collect()
    }

    pub(super) fn on_pause(&mut self, report: &PauseReport) {
        self.paused_at = Some(TextPosition::at_line(&report.file, report.line));
    }

    /// Detaches from seats at which no strategy plays any more.
    pub(super) fn retain_seats(&mut self, seats: &[SeatId]) {
        self.seats.retain(|seat, _| seats.contains(seat));
    }

    /// Carries out a command, and returns the request it takes.
    pub(super) fn handle(&mut self, command: DebugCommand) -> Command {
        match command {
            DebugCommand::Attach(seat, breaks) => {
                match breaks {
                    Some(breaks) => _ = self.seats.insert(seat, breaks),
                    None => _ = self.seats.remove(&seat),
                }
                let DecisionBreaks { before, after } = breaks.unwrap_or_default();
                Command::Attach {
                    seat,
                    attached: breaks.is_some(),
                    before,
                    after,
                }
            }
            DebugCommand::ToggleBreakPoint(file, line) => {
                let known = self.points.len();
                self.points.retain(|point| (&point.file, point.line) != (&file, line));
                if self.points.len() == known {
                    self.points.push(BreakPoint {
                        file,
                        line,
                        condition: None,
                    });
                }
                self.break_points()
            }
            DebugCommand::SetCondition(changed) => {
                let is_it = |point: &&mut BreakPoint| (&point.file, point.line) == (&changed.file, changed.line);
                if let Some(point) = self.points.iter_mut().find(is_it) {
                    point.condition = changed.condition;
                }
                self.break_points()
            }
            DebugCommand::AddWatch(expression) => {
                if !self.watches.contains(&expression) {
                    self.watches.push(expression);
                }
                self.watch_list()
            }
            DebugCommand::RemoveWatch(expression) => {
                self.watches.retain(|known| *known != expression);
                self.watch_list()
            }
            DebugCommand::Resume(step) => Command::Step { kind: step },
            DebugCommand::Pause => Command::DebugPause,
        }
    }

    fn break_points(&self) -> Command {
        Command::BreakPoints {
            points: self.points.clone(),
        }
    }

    fn watch_list(&self) -> Command {
        Command::Watches {
            expressions: self.watches.clone(),
        }
    }
}

/// Whether a player is one of the strategies, with whatever parameters.
pub(super) fn is_strategy(player: &str, strategies: &[String]) -> bool {
    let name = player.split('+').next().unwrap_or_default();
    strategies.iter().any(|known| known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_clicked_again_is_no_break_point_any_more() {
        let mut debugger = StrategyDebugger::default();
        let click = |debugger: &mut StrategyDebugger, line| debugger.handle(DebugCommand::ToggleBreakPoint("a.rhai".to_owned(), line));
        click(&mut debugger, 3);
        click(&mut debugger, 5);
        assert_eq!(debugger.lines_of("a.rhai"), [3, 5]);
        let command = click(&mut debugger, 3);
        assert!(matches!(command, Command::BreakPoints { points } if points.len() == 1));
        assert_eq!(debugger.lines_of("b.rhai"), [] as [u32; 0]);
        let under = BreakPoint {
            file: "a.rhai".to_owned(),
            line: 5,
            condition: Some("best > 3".to_owned()),
        };
        let command = debugger.handle(DebugCommand::SetCondition(under.clone()));
        assert_eq!(command, Command::BreakPoints { points: vec![under] });
        click(&mut debugger, 5);
        assert!(debugger.points.is_empty());
    }
}
