//! Following strategies line by line: who may, and what they are told.

use std::sync::Arc;

use super::answers::refused;
use super::control::{Answered, error};
use super::session::Session;
use crate::client::messages::{FromHost, HaltReport, Notice, Reply, ThoughtLine};
use crate::host::{ClientId, HostError};
use crate::model::{SeatId, State};
use crate::players::{Halted, HaltsAround, PlayerSpec};
use crate::rules::{BreakPoint, RefusalCode, Stride, sentence};

/// The most break points.
const MOST_POINTS: usize = 200;
/// The most expressions that are watched.
const MOST_WATCHES: usize = 20;
/// The longest of them, in bytes.
const LONGEST_WATCH: usize = 500;

impl Session {
    /// Checks that a client may follow strategies. What is shown of one gives away what its seat sees: so only those may who may look at
    /// everything by a change by hand as well.
    fn check_follower(&self, client: ClientId) -> Result<(), HostError> {
        self.check_host(client)?;
        if self.playing.policy().debug {
            Ok(())
        } else {
            Err(refused(
                RefusalCode::Policy,
                sentence!("nobody may follow strategies in this match"),
            ))
        }
    }

    /// Follows the strategy of a seat from its next decision on, or no longer.
    pub(super) fn follow(&mut self, client: ClientId, seat: SeatId, halts: Option<HaltsAround>) -> Answered {
        self.check_follower(client)?;
        if !cfg!(feature = "following") {
            return Ok(error(sentence!("this program was built without the feature `following`")));
        }
        let Some(halts) = halts else {
            self.computers.follower.unfollow(seat);
            self.tell_halt();
            if !self.computers.follower.follows_any() {
                self.computers.followers.clear();
            }
            return Ok(self.done());
        };
        match self.players.get(seat.index()) {
            Some(PlayerSpec::Strategy { .. }) => {}
            Some(other) => {
                let title = self.playing.state().frame().seat_title(seat);
                return Ok(error(sentence!(
                    "{seat} is played by {player}; only strategies can be followed",
                    seat = title,
                    player = other
                )));
            }
            None => return Err(refused(RefusalCode::NotYourSeat, sentence!("there is no such seat"))),
        }
        self.computers.follower.follow(seat, halts);
        if self.computers.followers.insert(client) {
            // What stands was told to others.
            self.computers.told_halt = None;
        }
        Ok(self.done())
    }

    pub(super) fn set_break_points(&mut self, client: ClientId, points: Vec<BreakPoint>) -> Answered {
        self.check_follower(client)?;
        if points.len() > MOST_POINTS {
            return Ok(error(sentence!(
                "there may be {most} break points, not {count}",
                most = MOST_POINTS,
                count = points.len()
            )));
        }
        if let Some(long) = points
            .iter()
            .filter_map(|point| point.condition.as_ref())
            .find(|text| text.len() > LONGEST_WATCH)
        {
            return Ok(too_long(long));
        }
        self.computers.follower.set_break_points(points);
        Ok(self.done())
    }

    pub(super) fn set_watches(&mut self, client: ClientId, expressions: &[String]) -> Answered {
        self.check_follower(client)?;
        if expressions.len() > MOST_WATCHES {
            return Ok(error(sentence!(
                "{most} expressions may be watched, not {count}",
                most = MOST_WATCHES,
                count = expressions.len()
            )));
        }
        if let Some(long) = expressions.iter().find(|expression| expression.len() > LONGEST_WATCH) {
            return Ok(too_long(long));
        }
        let expressions = expressions.iter().map(|expression| Arc::from(expression.trim()));
        self.computers.follower.set_watches(expressions.collect());
        Ok(self.done())
    }

    /// Halts the strategy that is deciding, if it is followed.
    pub(super) fn halt(&mut self, client: ClientId) -> Answered {
        self.check_follower(client)?;
        if !self.computers.follower.follows_any() {
            return Ok(error(sentence!("no strategy is followed")));
        }
        self.computers.follower.ask_to_halt();
        Ok(self.done())
    }

    pub(super) fn step(&mut self, client: ClientId, stride: Stride) -> Answered {
        self.check_follower(client)?;
        if self.computers.follower.go_on(stride) {
            Ok(self.done())
        } else {
            Ok(error(sentence!("no strategy has halted")))
        }
    }

    /// A client is gone. A strategy that nobody follows any more goes on.
    pub(super) fn drop_follower(&mut self, client: ClientId) {
        if self.computers.followers.remove(&client) && self.computers.followers.is_empty() {
            self.computers.follower.unfollow_all();
        }
    }

    /// Tells those who follow that a strategy has halted, or goes on, if they do not know yet.
    pub(super) fn tell_halt(&mut self) {
        let (told, stands) = (self.computers.told_halt, self.computers.follower.halt_number());
        if stands == told.map(|told| told.0) {
            return;
        }
        let halted = self.computers.follower.halted();
        self.computers.told_halt = halted.as_ref().map(|halted| (halted.number, halted.seat));
        let notice = match (halted, told) {
            (Some(halted), _) => Notice::Halted(Box::new(self.report_of_halt(halted))),
            (None, Some((_, seat))) => Notice::WentOn { seat },
            (None, None) => return,
        };
        let followers: Vec<ClientId> = self.computers.followers.iter().copied().collect();
        for client in followers {
            self.clients.send(client, FromHost::Notice(notice.clone()));
        }
    }

    /// Says that a decision which has halted will begin anew: it belongs to rules that are in force no longer.
    pub(super) fn tell_beginning_anew(&mut self) {
        if let Some(halted) = self.computers.follower.halted() {
            let title = self.playing.state().frame().seat_title(halted.seat);
            self.say(sentence!(
                "the decision of {seat} begins anew under the changed scripts",
                seat = title
            ));
        }
    }

    fn report_of_halt(&self, halted: Halted) -> HaltReport {
        let Halted {
            seat,
            halt,
            considered,
            weighed,
            chosen,
            ..
        } = halted;
        let open = self.computers.thinking.as_ref().filter(|open| open.seat == seat);
        let view: Arc<State> = open.map_or_else(|| self.view_of(Some(seat)), |open| Arc::clone(&open.view));
        let notation = |action| self.playing.rules().notation(&view, action);
        let said = halt.remarks.iter().map(|remark| ThoughtLine {
            text: remark.action.as_ref().map_or_else(|| remark.text.to_string(), notation),
            number: remark.number,
            weighed: remark.action.is_some(),
        });
        let weighed = weighed.iter().map(|thought| ThoughtLine {
            text: thought.action.as_ref().map(notation).unwrap_or_default(),
            number: thought.number,
            weighed: true,
        });
        let innermost = halt.stack.first();
        HaltReport {
            seat,
            player: self.players.get(seat.index()).map(ToString::to_string).unwrap_or_default(),
            cause: halt.cause,
            file: innermost.map(|call| call.file.clone()).unwrap_or_default(),
            line: innermost.map_or(0, |call| call.line),
            source_line: halt.source_line,
            hits: halt.hits,
            problem: halt.problem,
            thoughts: said.chain(weighed).collect(),
            considered: considered.as_ref().map(notation),
            chosen: chosen.as_ref().map(notation),
            stack: halt.stack,
            variables: halt.variables,
            watches: halt.watches,
        }
    }
}

fn too_long(expression: &str) -> Reply {
    error(sentence!(
        "an expression has at most {most} bytes, not {count}",
        most = LONGEST_WATCH,
        count = expression.len()
    ))
}
