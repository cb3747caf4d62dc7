//! What a program that plays is told: the protocol, answered from the view of its seat alone.

use std::sync::Arc;

use super::super::answers::{reply_of, wrong_protocol};
use super::super::setup::About;
use super::Outcome;
use crate::client::messages::{Command, Description, History, LegalAction, PROTOCOL, Reply, ViewSnapshot};
use crate::host::HostError;
use crate::model::{Action, ActionId, Frame, Pick, SeatId, SeatSet, State};
use crate::rules::{Refusal, RefusalCode, Rejection, Rules, Sentence, flow, read_action, sentence};

/// Answers requests of one seat at one moment.
pub(super) struct Answerer<'a> {
    rules: &'a dyn Rules,
    view: &'a Arc<State>,
    seat: SeatId,
    at: usize,
    about: &'a About,
}

type Answered = Result<Reply, Rejection>;

fn refused<T>(code: RefusalCode, reason: Sentence) -> Result<T, Rejection> {
    Err(Refusal::new(code, reason).into())
}

impl<'a> Answerer<'a> {
    pub(super) fn new(rules: &'a dyn Rules, view: &'a Arc<State>, seat: SeatId, at: usize, about: &'a About) -> Self {
        Self {
            rules,
            view,
            seat,
            at,
            about,
        }
    }

    /// Answers a request.
    pub(super) fn answer(&self, command: Command) -> Outcome {
        let answered = match command {
            Command::Submit { action, at, .. } => return self.act(at, Ok(action)),
            Command::Play { text, seat, at, .. } => {
                let seat = seat.unwrap_or(self.seat);
                let action = read_action(self.rules, self.view, seat, &text);
                return self.act(at.unwrap_or(self.at), action);
            }
            Command::Quit => return Outcome::Quit,
            Command::Hello { protocol } => Ok(self.welcome(protocol)),
            Command::Describe => Ok(self.describe()),
            Command::View { seat } => self.check_sight(seat).map(|()| Reply::View(Box::new(self.snapshot_for(seat)))),
            Command::Looks { seat } => self.looks(seat),
            Command::Domain { seat, action, picks } => self.domain(seat, action, &picks),
            Command::Legal { seat } => self.legal(seat.unwrap_or(self.seat)),
            Command::History { .. } => Ok(Reply::History(Box::new(History {
                at: self.at,
                entries: Vec::new(),
            }))),
            Command::Statistics { .. } => Ok(Reply::Statistics(Box::default())),
            Command::Problems => Ok(Reply::Problems { problems: Vec::new() }),
            Command::Said => Ok(Reply::Said { lines: Vec::new() }),
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
            | Command::Follow { .. }
            | Command::BreakPoints { .. }
            | Command::Watches { .. }
            | Command::Halt
            | Command::Step { .. }
            | Command::Evaluate { .. }
            | Command::HeatMap { .. }
            | Command::Odds { .. }
            | Command::Debug { .. }
            | Command::Reload => refused(RefusalCode::Policy, sentence!("a program that plays looks and acts, and no more")),
        };
        Outcome::Answered(answered.unwrap_or_else(|rejection| reply_of(HostError::Rejected(rejection))))
    }

    fn act(&self, at: usize, action: Result<Action, Rejection>) -> Outcome {
        let reply = |rejection| reply_of(HostError::Rejected(rejection));
        if at != self.at {
            // Meant for an earlier choice, which another player has made meanwhile.
            let reason = sentence!("chosen when {at} events stood, now {now} stand", now = self.at);
            return Outcome::Answered(reply(Refusal::new(RefusalCode::Stale, reason).into()));
        }
        let checked = action.and_then(|action| {
            if action.seat != self.seat {
                return refused(RefusalCode::NotYourSeat, sentence!("this seat is held by someone else"));
            }
            flow::check(self.rules, self.view, &action).map(|()| action)
        });
        match checked {
            Ok(action) => Outcome::Acted(action),
            Err(rejection) => Outcome::Illegal(reply(rejection)),
        }
    }

    fn welcome(&self, protocol: u32) -> Reply {
        if protocol != PROTOCOL {
            return wrong_protocol(protocol);
        }
        Reply::Welcome {
            protocol: PROTOCOL,
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            seats: SeatSet::one(self.seat),
        }
    }

    fn describe(&self) -> Reply {
        Reply::Description(Box::new(Description {
            ruleset: self.about.ruleset.clone(),
            title: self.about.title.clone(),
            scenario: self.about.scenario.clone(),
            scenario_title: self.about.scenario_title.clone(),
            fingerprint: self.rules.fingerprint(),
            map: self.about.map.clone(),
            frame: Frame::clone(self.view.frame()),
            rated: false,
            seed: None,
            help: self.about.help.clone(),
            rules: self.about.rules.clone(),
            strategies: self.about.strategies.clone(),
            art: self.about.art.clone(),
            languages: self.about.languages.clone(),
        }))
    }

    /// A program sees what its seat sees; through other seats where nothing can be hidden, for that is the same.
    fn check_sight(&self, seat: Option<SeatId>) -> Result<(), Rejection> {
        match seat {
            Some(seat) if !self.view.frame().all_seats().contains(seat) => {
                refused(RefusalCode::NotYourSeat, sentence!("there is no such seat"))
            }
            seat if seat != Some(self.seat) && self.view.may_hide() => refused(
                RefusalCode::NotYourSeat,
                sentence!("something may be hidden: look through your own seat"),
            ),
            _ => Ok(()),
        }
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

    fn looks(&self, seat: Option<SeatId>) -> Answered {
        self.check_sight(seat)?;
        Ok(Reply::Looks(Box::new(self.rules.looks(self.view, seat)?)))
    }

    fn domain(&self, seat: SeatId, action: ActionId, picks: &[Pick]) -> Answered {
        self.check_sight(Some(seat))?;
        let domain = flow::next_domain(self.rules, self.view, seat, action, picks)?;
        let declared = self
            .view
            .frame()
            .action(action)
            .and_then(|declared| declared.picks.get(picks.len()));
        Ok(Reply::Domain {
            domain,
            prompt: declared.map_or_else(|| Arc::from(""), |pick| Arc::clone(&pick.prompt)),
        })
    }

    fn legal(&self, seat: SeatId) -> Answered {
        self.check_sight(Some(seat))?;
        let actions = flow::available(self.rules, self.view, seat)?;
        let readable = |action: Action| LegalAction {
            text: flow::plain_notation(self.view, &action),
            notation: self.rules.notation(self.view, &action),
            action,
        };
        Ok(Reply::Legal {
            at: self.at,
            actions: actions.into_iter().map(readable).collect(),
            outcome: self.view.outcome().cloned(),
        })
    }
}
