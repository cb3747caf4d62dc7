//! The protocol for a program that plays, answered from the view of its seat alone.

use std::sync::Arc;

use super::super::failure::{Answered, Failure, refused};
use super::super::queries;
use super::super::setup::MatchInfo;
use super::Outcome;
use boardwright_model::{Action, Refusal, RefusalCode, Rejection, SeatId, SeatSet, State, sentence};
use boardwright_protocol::{Command, History, Reply, ViewSnapshot};
use boardwright_rules::{Rules, flow, read_action};

/// Answers requests of one seat at one moment.
pub(super) struct Answerer<'a> {
    rules: &'a dyn Rules,
    view: &'a Arc<State>,
    seat: SeatId,
    at: usize,
    info: &'a MatchInfo,
}

impl<'a> Answerer<'a> {
    pub(super) fn new(rules: &'a dyn Rules, view: &'a Arc<State>, seat: SeatId, at: usize, info: &'a MatchInfo) -> Self {
        Self {
            rules,
            view,
            seat,
            at,
            info,
        }
    }

    /// Answers a request.
    pub(super) fn answer(&self, command: Command) -> Outcome {
        let answered = match command {
            Command::Submit { action, at, .. } => return self.act(at, Ok(action)),
            Command::Play { text, seat, at, .. } => {
                let action = read_action(self.rules, self.view, seat.unwrap_or(self.seat), &text);
                return self.act(at.unwrap_or(self.at), action);
            }
            Command::Quit => return Outcome::Quit,
            Command::Hello { protocol } => queries::welcome(protocol, SeatSet::one(self.seat)),
            Command::Describe => Ok(self.info.description(self.rules, self.view.declarations(), false, None)),
            Command::View { seat } => self.check_viewer(seat).map(|()| Reply::View(Box::new(self.snapshot_for(seat)))),
            Command::Looks { seat } => self.check_viewer(seat).and_then(|()| queries::looks(self.rules, self.view, seat)),
            Command::Domain { seat, action, picks } => self
                .check_viewer(Some(seat))
                .and_then(|()| queries::domain(self.rules, self.view, seat, action, &picks)),
            Command::Legal { seat } => self.legal(seat.unwrap_or(self.seat)),
            Command::History { .. } => Ok(Reply::History(Box::new(History {
                at: self.at,
                entries: Vec::new(),
            }))),
            Command::Statistics { .. } => Ok(Reply::Statistics(Box::default())),
            Command::Problems => Ok(Reply::Problems { problems: Vec::new() }),
            Command::ChatLog => Ok(Reply::ChatLog { lines: Vec::new() }),
            Command::Stop => Ok(Reply::Done { at: self.at }),
            Command::Undo
            | Command::Redo
            | Command::GoTo { .. }
            | Command::DropLater
            | Command::Assign { .. }
            | Command::Swap { .. }
            | Command::Pause { .. }
            | Command::Pace { .. }
            | Command::Hint { .. }
            | Command::Preview { .. }
            | Command::Say { .. }
            | Command::Save { .. }
            | Command::Watch { .. }
            | Command::Attach { .. }
            | Command::BreakPoints { .. }
            | Command::Watches { .. }
            | Command::DebugPause
            | Command::Step { .. }
            | Command::Evaluate { .. }
            | Command::HeatMap { .. }
            | Command::Odds { .. }
            | Command::Edit { .. }
            | Command::Reload => Err(refused(
                RefusalCode::Policy,
                sentence!("a program that plays looks and acts, and no more"),
            )),
        };
        Outcome::Answered(answered.unwrap_or_else(Reply::from))
    }

    fn act(&self, at: usize, action: Result<Action, Rejection>) -> Outcome {
        if at != self.at {
            // Meant for an earlier choice, which another player has made meanwhile.
            let reason = sentence!("chosen when {at} events stood, now {now} stand", now = self.at);
            return Outcome::Answered(refused(RefusalCode::Stale, reason).into());
        }
        let checked = action.and_then(|action| {
            if action.seat != self.seat {
                let reason = sentence!("this seat is held by someone else");
                return Err(Refusal::new(RefusalCode::NotYourSeat, reason).into());
            }
            flow::check(self.rules, self.view, &action).map(|()| action)
        });
        match checked {
            Ok(action) => Outcome::Acted(action),
            Err(rejection) => Outcome::Illegal(rejection),
        }
    }

    /// A program sees what its seat sees; through other seats where nothing can be hidden, for that is the same.
    fn check_viewer(&self, seat: Option<SeatId>) -> Result<(), Failure> {
        let reason = match seat {
            Some(seat) if !self.view.declarations().all_seats().contains(seat) => sentence!("there is no such seat"),
            seat if seat != Some(self.seat) && self.view.may_hide() => {
                sentence!("something may be hidden: look through your own seat")
            }
            _ => return Ok(()),
        };
        Err(refused(RefusalCode::NotYourSeat, reason))
    }

    fn legal(&self, seat: SeatId) -> Answered {
        self.check_viewer(Some(seat))?;
        queries::legal(self.rules, self.view, seat, self.at)
    }

    /// The view of the program's own seat.
    pub(super) fn snapshot(&self) -> ViewSnapshot {
        self.snapshot_for(Some(self.seat))
    }

    fn snapshot_for(&self, seat: Option<SeatId>) -> ViewSnapshot {
        ViewSnapshot {
            seat,
            at: self.at,
            length: self.at,
            state: self.view.parts(),
            position: self.view.position(),
            players: Vec::new(),
            paused: false,
            pace: 0,
        }
    }
}
