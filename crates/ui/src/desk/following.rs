//! What the player follows of the strategies that play: which seats, where they halt, what is watched.

use std::collections::BTreeMap;

use super::Desk;
use boardwright_protocol::{BreakPoint, Command, PauseReport, StepKind};
use boardwright_model::SeatId;
use crate::drawer::Place;

/// Whether a strategy halts before its decisions and after them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HaltsAround {
    /// At the first line of a decision.
    pub before: bool,
    /// When it has decided.
    pub after: bool,
}

/// What is followed of strategies.
#[derive(Clone, Debug, Default)]
pub struct Following {
    seats: BTreeMap<SeatId, HaltsAround>,
    points: Vec<BreakPoint>,
    watches: Vec<String>,
    /// Where a strategy has halted, until the place is shown.
    shows: Option<Place>,
}

/// What the player asked for while following.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FollowWish {
    /// Follow the strategy of a seat, or no longer.
    Follow(SeatId, Option<HaltsAround>),
    /// Put a break point at a line of a file, or take it away.
    Break(String, u32),
    /// Halt at a break point under a condition, or always.
    Condition(BreakPoint),
    /// Watch an expression.
    Watch(String),
    /// Watch one no longer.
    Unwatch(String),
    /// Let the strategy that has halted go on.
    Step(StepKind),
    /// Halt at the next line.
    Halt,
}

impl Following {
    /// How the strategy of a seat is followed.
    pub fn of(&self, seat: SeatId) -> Option<HaltsAround> {
        self.seats.get(&seat).copied()
    }

    /// Whether any is followed.
    pub fn is_any(&self) -> bool {
        !self.seats.is_empty()
    }

    /// The lines of a file at which strategies halt.
    pub fn lines_of(&self, file: &str) -> Vec<u32> {
        let points = self.points.iter().filter(|point| point.file == file);
        points.map(|point| point.line).collect()
    }

    /// The lines at which strategies halt.
    pub fn points(&self) -> &[BreakPoint] {
        &self.points
    }

    /// The expressions that are watched.
    pub fn watches(&self) -> &[String] {
        &self.watches
    }

    /// A strategy has halted: its place is to be shown.
    pub(super) fn take_halt(&mut self, report: &PauseReport) {
        self.shows = Some(Place {
            file: report.file.clone(),
            line: report.line.max(1),
            column: 1,
        });
    }

    /// What has to be asked of the host for a wish.
    fn grant(&mut self, wish: FollowWish) -> Command {
        match wish {
            FollowWish::Follow(seat, halts) => {
                match halts {
                    Some(halts) => _ = self.seats.insert(seat, halts),
                    None => _ = self.seats.remove(&seat),
                }
                let HaltsAround { before, after } = halts.unwrap_or_default();
                Command::Attach {
                    seat,
                    attached: halts.is_some(),
                    before,
                    after,
                }
            }
            FollowWish::Break(file, line) => {
                let known = self.points.len();
                self.points.retain(|point| (&point.file, point.line) != (&file, line));
                if self.points.len() == known {
                    self.points.push(BreakPoint {
                        file,
                        line,
                        condition: None,
                    });
                }
                Command::BreakPoints {
                    points: self.points.clone(),
                }
            }
            FollowWish::Condition(changed) => {
                let is_it = |point: &&mut BreakPoint| (&point.file, point.line) == (&changed.file, changed.line);
                if let Some(point) = self.points.iter_mut().find(is_it) {
                    point.condition = changed.condition;
                }
                Command::BreakPoints {
                    points: self.points.clone(),
                }
            }
            FollowWish::Watch(expression) => {
                if !self.watches.contains(&expression) {
                    self.watches.push(expression);
                }
                self.watched()
            }
            FollowWish::Unwatch(expression) => {
                self.watches.retain(|known| *known != expression);
                self.watched()
            }
            FollowWish::Step(stride) => Command::Step { kind: stride },
            FollowWish::Halt => Command::DebugPause,
        }
    }

    fn watched(&self) -> Command {
        Command::Watches {
            expressions: self.watches.clone(),
        }
    }
}

impl Desk {
    /// What is followed of strategies.
    pub fn following(&self) -> &Following {
        &self.following
    }

    /// Where a strategy has halted, if that was not asked since.
    pub fn take_halted_at(&mut self) -> Option<Place> {
        self.following.shows.take()
    }

    /// The seats at which strategies play.
    pub fn strategy_seats(&self) -> Vec<SeatId> {
        let strategies = self.mirror().description().map_or(&[][..], |description| &description.strategies);
        let players = self.mirror().players().iter().enumerate();
        let seats = players.filter(|(_, player)| is_strategy(player, strategies));
        seats.map(|(index, _)| SeatId::from_index(index)).collect()
    }

    /// Does what the player asked for while following. Who puts a break point wants somebody to halt there.
    pub fn follow(&mut self, wish: FollowWish) {
        if matches!(wish, FollowWish::Break(..)) && !self.following.is_any() {
            for seat in self.strategy_seats() {
                self.follow(FollowWish::Follow(seat, Some(HaltsAround::default())));
            }
        }
        let command = self.following.grant(wish);
        self.send(command);
    }

    /// Others play: what is followed where no strategy plays any more is followed no longer.
    pub(super) fn forget_followed(&mut self) {
        let left = self.strategy_seats();
        self.following.seats.retain(|seat, _| left.contains(seat));
    }
}

/// Whether a player is one of the strategies, with whatever parameters.
fn is_strategy(player: &str, strategies: &[String]) -> bool {
    let name = player.split('+').next().unwrap_or_default();
    strategies.iter().any(|known| known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_clicked_again_is_no_break_point_any_more() {
        let mut following = Following::default();
        let click = |following: &mut Following, line| following.grant(FollowWish::Break("a.rhai".to_owned(), line));
        click(&mut following, 3);
        click(&mut following, 5);
        assert_eq!(following.lines_of("a.rhai"), [3, 5]);
        let command = click(&mut following, 3);
        assert!(matches!(command, Command::BreakPoints { points } if points.len() == 1));
        assert_eq!(following.lines_of("b.rhai"), [] as [u32; 0]);
        let under = BreakPoint {
            file: "a.rhai".to_owned(),
            line: 5,
            condition: Some("best > 3".to_owned()),
        };
        let command = following.grant(FollowWish::Condition(under.clone()));
        assert_eq!(command, Command::BreakPoints { points: vec![under] });
        click(&mut following, 5);
        assert!(following.points().is_empty());
    }
}
