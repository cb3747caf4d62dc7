//! Answers to questions: description, views, domains, legal actions, history.

use std::sync::Arc;

use super::chronicle::{Viewer, entry};
use super::session::Session;
use crate::client::messages::{Command, Description, History, HistoryEntry, LegalAction, PROTOCOL, Reply, ViewSnapshot};
use crate::host::{ClientId, HostError};
use crate::model::{Action, ActionId, Frame, Pick, SeatId, State};
use crate::players::HaltsAround;
use crate::rules::{Luck, Refusal, RefusalCode, Rejection, Sentence, Transaction, flow, sentence};

/// What an answer is when something did not happen.
pub(super) fn reply_of(error: HostError) -> Reply {
    match error {
        HostError::Rejected(Rejection::Refused(refusal)) => Reply::Refused(refusal),
        HostError::Rejected(Rejection::Fault(fault)) => Reply::Fault(fault),
        HostError::Damaged { .. } | HostError::NoRules(_) | HostError::NoSuchPosition { .. } => Reply::Error {
            message: error.to_string(),
        },
    }
}

/// A refusal as an error of the host.
/// What a client is told that speaks another version of the protocol.
pub(super) fn wrong_protocol(protocol: u32) -> Reply {
    super::control::error(sentence!(
        "this host speaks version {own} of the protocol, not {protocol}",
        own = PROTOCOL
    ))
}

pub(super) fn refused(code: RefusalCode, reason: Sentence) -> HostError {
    HostError::Rejected(Refusal::new(code, reason).into())
}

type Answered = Result<Reply, HostError>;

impl Session {
    /// Answers a request; everything it causes is told to the clients before this returns.
    pub(super) fn answer(&mut self, client: ClientId, command: Command) -> Reply {
        let answered = match command {
            Command::Hello { protocol } => Ok(self.welcome(client, protocol)),
            Command::Describe => Ok(self.describe()),
            Command::View { seat } => self.view_reply(client, seat),
            Command::Looks { seat } => self.looks(client, seat),
            Command::Domain { seat, action, picks } => self.domain(client, seat, action, &picks),
            Command::Preview { action } => self.preview(client, &action),
            Command::Legal { seat } => self.legal(client, seat),
            Command::History { from } => Ok(Reply::History(Box::new(self.history(client, from)))),
            Command::Statistics { seat } => self.statistics(client, seat),
            Command::Problems => Ok(Reply::Problems {
                problems: self.problems.clone(),
            }),
            Command::Submit { action, at, drop_later } => self.submit(client, &action, Some(at), drop_later),
            Command::Play {
                text,
                seat,
                at,
                drop_later,
            } => self.play(client, &text, seat, at, drop_later),
            Command::Undo => self.undo(client),
            Command::Redo => self.redo(client),
            Command::GoTo { position } => self.go_to(client, position),
            Command::DropLater => self.drop_later(client),
            Command::Assign { seat, player } => self.assign(client, seat, &player),
            Command::Swap { a, b } => self.swap(client, a, b),
            Command::Pause { paused } => self.pause(client, paused),
            Command::Pace { milliseconds } => self.change_pace(client, milliseconds),
            Command::Hint { player, milliseconds } => self.hint(client, player.as_deref(), milliseconds),
            Command::Say { text, from, to } => self.chat(client, &text, from, to),
            Command::Said => Ok(self.said(client)),
            Command::Stop => Ok(self.stop()),
            Command::Save { file } => self.save(client, file.as_deref()),
            Command::Watch { watched } => self.watch(client, watched),
            Command::Follow {
                seat,
                followed,
                before,
                after,
            } => self.follow(client, seat, followed.then_some(HaltsAround { before, after })),
            Command::BreakPoints { points } => self.set_break_points(client, points),
            Command::Watches { expressions } => self.set_watches(client, &expressions),
            Command::Halt => self.halt(client),
            Command::Step { stride } => self.step(client, stride),
            Command::Evaluate { strategy } => self.evaluate(client, &strategy),
            Command::HeatMap { strategy, seat } => self.heat_map(client, &strategy, seat),
            Command::Odds { seat, action, picks } => self.odds(client, seat, action, &picks),
            Command::Debug { text } => self.change_by_hand(client, &text),
            Command::Reload => self.reload_for(client),
            Command::Quit => Ok(self.done()),
        };
        answered.unwrap_or_else(reply_of)
    }

    pub(super) fn done(&self) -> Reply {
        Reply::Done {
            at: self.playing.journal().position(),
        }
    }

    /// Checks that a client may steer the match.
    pub(super) fn check_host(&self, client: ClientId) -> Result<(), HostError> {
        if self.clients.is_host(client) {
            Ok(())
        } else {
            Err(refused(RefusalCode::Policy, sentence!("only the host of the match may do this")))
        }
    }

    /// Checks that a match is not rated. `why` says what holds in those that are.
    pub(super) fn check_unrated(&self, why: Sentence) -> Result<(), HostError> {
        if self.playing.policy().is_rated() {
            Err(refused(RefusalCode::Policy, why))
        } else {
            Ok(())
        }
    }

    fn welcome(&self, client: ClientId, protocol: u32) -> Reply {
        if protocol != PROTOCOL {
            return wrong_protocol(protocol);
        }
        Reply::Welcome {
            protocol: PROTOCOL,
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            seats: self.access.seats(client),
        }
    }

    fn describe(&self) -> Reply {
        let state = self.playing.state();
        // With the seed all that luck will bring can be told beforehand.
        let seed = state.outcome().is_some().then(|| self.playing.seed());
        Reply::Description(Box::new(Description {
            ruleset: self.about.ruleset.clone(),
            title: self.about.title.clone(),
            scenario: self.about.scenario.clone(),
            scenario_title: self.about.scenario_title.clone(),
            fingerprint: self.playing.rules().fingerprint(),
            map: self.about.map.clone(),
            frame: Frame::clone(state.frame()),
            rated: self.playing.policy().is_rated(),
            seed,
            help: self.about.help.clone(),
            rules: self.about.rules.clone(),
            strategies: self.about.strategies.clone(),
            art: self.about.art.clone(),
            languages: self.about.languages.clone(),
        }))
    }

    /// Checks that a client may look through a seat: its own, or any where nothing can be hidden.
    pub(super) fn check_sight(&self, client: ClientId, seat: Option<SeatId>) -> Result<(), HostError> {
        let state = self.playing.state();
        match seat {
            Some(seat) if !state.frame().all_seats().contains(seat) => {
                Err(refused(RefusalCode::NotYourSeat, sentence!("there is no such seat")))
            }
            Some(seat) if state.may_hide() => self
                .access
                .check(client, seat)
                .map_err(|refusal| HostError::Rejected(refusal.into())),
            _ => Ok(()),
        }
    }

    fn view_reply(&mut self, client: ClientId, seat: Option<SeatId>) -> Answered {
        self.check_sight(client, seat)?;
        Ok(Reply::View(Box::new(self.snapshot(seat))))
    }

    /// The match as a viewer sees it.
    pub(super) fn snapshot(&self, viewer: Viewer) -> ViewSnapshot {
        let view = self.view_of(viewer);
        let journal = self.playing.journal();
        ViewSnapshot {
            seat: viewer,
            at: journal.position(),
            length: journal.events().len(),
            state: view.parts(),
            position: view.position(),
            players: self.player_names(),
            paused: self.is_paused,
            pace: self.computers.pace_milliseconds(),
        }
    }

    /// Who plays each seat, in words.
    pub(super) fn player_names(&self) -> Vec<String> {
        self.players.iter().map(ToString::to_string).collect()
    }

    fn looks(&self, client: ClientId, seat: Option<SeatId>) -> Answered {
        self.check_sight(client, seat)?;
        let looks = self.playing.rules().looks(&self.view_of(seat), seat)?;
        Ok(Reply::Looks(Box::new(looks)))
    }

    fn domain(&self, client: ClientId, seat: SeatId, action: ActionId, picks: &[Pick]) -> Answered {
        self.check_sight(client, Some(seat))?;
        let view = self.view_of(Some(seat));
        let domain = flow::next_domain(self.playing.rules(), &view, seat, action, picks)?;
        let declared = view.frame().action(action).and_then(|declared| declared.picks.get(picks.len()));
        Ok(Reply::Domain {
            domain,
            prompt: declared.map_or_else(|| Arc::from(""), |pick| Arc::clone(&pick.prompt)),
        })
    }

    fn legal(&self, client: ClientId, seat: Option<SeatId>) -> Answered {
        let (at, outcome) = (self.playing.journal().position(), self.playing.state().outcome().cloned());
        let actions = match seat.or_else(|| self.held_acting(client)) {
            None => Vec::new(),
            Some(seat) => {
                self.check_sight(client, Some(seat))?;
                let view = self.view_of(Some(seat));
                let actions = flow::available(self.playing.rules(), &view, seat)?;
                actions.into_iter().map(|action| self.readable(&view, action)).collect()
            }
        };
        Ok(Reply::Legal { at, actions, outcome })
    }

    /// The first seat to act among those a client holds; the first of all if it holds none of them.
    pub(super) fn acting_for(&self, client: ClientId) -> Option<SeatId> {
        self.held_acting(client).or_else(|| self.playing.state().acting().first())
    }

    /// The seat in whose name a client speaks: the one it may act for now, or else the first it holds.
    pub(super) fn speaks_for(&self, client: ClientId) -> Option<SeatId> {
        self.held_acting(client).or_else(|| self.access.seats(client).first())
    }

    /// The first seat to act among those a client holds.
    fn held_acting(&self, client: ClientId) -> Option<SeatId> {
        let held = self.access.seats(client);
        self.playing.state().acting().iter().find(|seat| held.contains(*seat))
    }

    fn readable(&self, view: &Arc<State>, action: Action) -> LegalAction {
        LegalAction {
            text: flow::plain_notation(view, &action),
            notation: self.playing.rules().notation(view, &action),
            action,
        }
    }

    /// Actions that follow one another, in readable form, as far as they can be carried out without luck.
    pub(super) fn readable_line(&self, view: &Arc<State>, actions: &[Action]) -> Vec<LegalAction> {
        let mut transaction = Transaction::new(Arc::clone(view), Luck::Forbidden);
        let mut line = Vec::with_capacity(actions.len());
        for action in actions {
            line.push(self.readable(transaction.state(), action.clone()));
            if flow::perform(self.playing.rules(), &mut transaction, action).is_err() {
                break;
            }
        }
        line
    }

    fn history(&self, client: ClientId, from: usize) -> History {
        let viewer = self.viewers_of(client).first().copied().flatten();
        let journal = self.playing.journal();
        let events = journal.events().iter().enumerate().skip(from);
        History {
            at: journal.position(),
            entries: events
                .map(|(index, event)| {
                    entry(
                        self.playing.state().frame(),
                        index,
                        event,
                        viewer,
                        self.chronicle.is_whole(index, viewer),
                    )
                })
                .collect::<Vec<HistoryEntry>>(),
        }
    }
}
