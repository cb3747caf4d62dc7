//! The protocol for a program that plays, answered from the view of its seat alone.

use std::sync::Arc;

use super::super::failure::{Answered, Failure, refused};
use super::super::queries;
use super::super::setup::MatchInfo;
use super::Outcome;
use boardwright_model::{Action, Policy, Refusal, RefusalCode, Rejection, SeatId, SeatSet, State, sentence};
use boardwright_protocol::{Command, History, Notice, Reply, ViewSnapshot};
use boardwright_rules::{Rules, flow, read_action};

/// Answers requests of one seat at one moment.
pub(super) struct Answerer<'a> {
    pub(super) rules: &'a dyn Rules,
    pub(super) view: &'a Arc<State>,
    pub(super) seat: SeatId,
    pub(super) at: usize,
    pub(super) info: &'a MatchInfo,
}

impl Answerer<'_> {
    /// Answers a request.
    pub(super) fn answer(&self, command: Command) -> Outcome {
        match command {
            Command::Submit { action, at, .. } => self.act(at, Ok(action)),
            Command::Play { text, seat, at, .. } => {
                let action = read_action(self.rules, self.view, seat.unwrap_or(self.seat), &text);
                self.act(at.unwrap_or(self.at), action)
            }
            Command::Quit => Outcome::Quit,
            command => Outcome::Answered(self.look(command).unwrap_or_else(Reply::from)),
        }
    }

    fn look(&self, command: Command) -> Answered {
        Ok(match command {
            Command::Hello { protocol } => return queries::welcome(protocol, SeatSet::one(self.seat), true),
            Command::Describe => self
                .info
                .description(self.rules, self.view.declarations(), Policy::default(), None, (None, None)),
            Command::View { seat } => Reply::View(Box::new(self.snapshot(self.viewer(seat)?))),
            Command::Looks { seat } => return queries::looks(self.rules, self.view, self.viewer(seat)?),
            Command::Domain { seat, action, picks } => {
                self.viewer(Some(seat))?;
                return queries::domain(self.rules, self.view, seat, action, &picks);
            }
            Command::Legal { seat } => {
                let seat = seat.unwrap_or(self.seat);
                self.viewer(Some(seat))?;
                return queries::legal(self.rules, self.view, seat, self.at);
            }
            Command::History { seat, .. } => Reply::History(Box::new(History {
                seat: self.viewer(seat)?,
                at: self.at,
                entries: Vec::new(),
                variations: Vec::new(),
            })),
            Command::Statistics { .. } => Reply::Statistics(Box::default()),
            Command::Problems => Reply::Problems { problems: Vec::new() },
            Command::ChatLog => Reply::ChatLog { lines: Vec::new() },
            Command::Stop => Reply::Done { at: self.at },
            _ => {
                let reason = sentence!("a program that plays looks and acts, and no more");
                return Err(refused(RefusalCode::Policy, reason));
            }
        })
    }

    fn act(&self, at: usize, action: Result<Action, Rejection>) -> Outcome {
        if at != self.at {
            // Meant for an earlier choice, which another player has made meanwhile.
            let reason = sentence!("this action was chosen at position {at}; the match is at {now}", now = self.at);
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

    /// The seat that a program asks to look through. It sees what its own seat sees; through others where nothing can be hidden, for that
    /// is the same.
    fn viewer(&self, seat: Option<SeatId>) -> Result<Option<SeatId>, Failure> {
        let reason = match seat {
            Some(seat) if !self.view.declarations().all_seats().contains(seat) => sentence!("there is no such seat"),
            seat if seat != Some(self.seat) && self.view.may_hide() => {
                sentence!("something may be hidden: look through your own seat")
            }
            _ => return Ok(seat),
        };
        Err(refused(RefusalCode::NotYourSeat, reason))
    }

    /// The view of the program's own seat.
    pub(super) fn view_notice(&self) -> Notice {
        Notice::View(Box::new(self.snapshot(Some(self.seat))))
    }

    fn snapshot(&self, seat: Option<SeatId>) -> ViewSnapshot {
        ViewSnapshot {
            seat,
            at: self.at,
            length: self.at,
            revision: 0,
            state: self.view.parts(),
            position: self.view.position(),
            players: Vec::new(),
            paused: false,
            pace: 0,
            names: Vec::new(),
            gone: SeatSet::EMPTY,
            substitutes: SeatSet::EMPTY,
        }
    }
}
