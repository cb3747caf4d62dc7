//! What a host client steers: players, pause and pace, hints, saving, reloading.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::answers::refused;
use super::session::Session;
use super::setup::Record;
use crate::client::messages::{FromHost, Notice, Problem, Reply};
use crate::host::{ClientId, HostError, ReloadError};
use crate::model::{Frame, Lost, SeatId};
use crate::players::{PlayerError, PlayerSpec};
use crate::rules::{Fault, Refusal, RefusalCode, RulesSource, Sentence, sentence};

pub(super) type Answered = Result<Reply, HostError>;

/// The longest pace of computer players, in milliseconds.
pub const MOST_PACE_MILLISECONDS: u64 = 60_000;
/// The most faults that clients are told of until the rules change.
const MOST_FAULTS: usize = 50;
/// The longest time for a hint.
const MOST_HINT_MILLISECONDS: u64 = 60_000;
/// The time for a hint when none is given.
const HINT_MILLISECONDS: u64 = 2_000;

pub(super) fn error(message: Sentence) -> Reply {
    Reply::Error { message: message.into() }
}

impl Session {
    fn check_seat(&self, seat: SeatId) -> Result<(), HostError> {
        if self.playing.state().frame().all_seats().contains(seat) {
            Ok(())
        } else {
            Err(refused(RefusalCode::NotYourSeat, sentence!("there is no such seat")))
        }
    }

    /// Tells every client who plays, and which seats it holds.
    pub(super) fn tell_players(&mut self) {
        for client in self.clients.ids() {
            let notice = Notice::Players {
                players: self.player_names(),
                paused: self.is_paused,
                pace: self.computers.pace_milliseconds(),
                seats: self.access.seats(client),
            };
            self.clients.send(client, FromHost::Notice(notice));
        }
    }

    /// Whether such a player can be made: strategies are those of the rules in force.
    fn try_player(&self, spec: &PlayerSpec) -> Result<(), PlayerError> {
        match spec {
            PlayerSpec::Strategy { name, .. } if !self.about.strategies.iter().any(|known| **known == **name) => {
                Err(PlayerError::Unknown(spec.to_string()))
            }
            spec => self.computers.try_make(spec),
        }
    }

    pub(super) fn assign(&mut self, client: ClientId, seat: SeatId, player: &str) -> Answered {
        self.check_host(client)?;
        self.check_unrated(sentence!("this match is rated: its players stay where they are"))?;
        self.check_seat(seat)?;
        let spec: PlayerSpec = match player.parse() {
            Ok(spec) => spec,
            Err(wrong) => {
                return Ok(Reply::Error {
                    message: wrong.to_string(),
                });
            }
        };
        if !spec.is_human()
            && let Err(wrong) = self.try_player(&spec)
        {
            return Ok(Reply::Error {
                message: wrong.to_string(),
            });
        }
        if let Some(slot) = self.players.get_mut(seat.index()) {
            *slot = spec;
        }
        self.computers.interrupt();
        if self.is_human(seat) {
            self.access.seat(client, seat);
        } else {
            self.seat_computer(seat);
        }
        self.players_changed(client);
        Ok(self.done())
    }

    pub(super) fn swap(&mut self, client: ClientId, a: SeatId, b: SeatId) -> Answered {
        self.check_host(client)?;
        self.check_unrated(sentence!("this match is rated: its players stay where they are"))?;
        self.check_seat(a)?;
        self.check_seat(b)?;
        self.players.swap(a.index(), b.index());
        let mut holders = self.clients.ids();
        holders.retain(|client| self.access.seats(*client).contains(a) != self.access.seats(*client).contains(b));
        let moves: Vec<(ClientId, SeatId)> = holders
            .into_iter()
            .map(|client| (client, if self.access.seats(client).contains(a) { b } else { a }))
            .collect();
        self.computers.interrupt();
        for seat in [a, b] {
            if !self.is_human(seat) {
                self.seat_computer(seat);
            }
        }
        for (holder, seat) in moves {
            if self.is_human(seat) {
                self.access.seat(holder, seat);
            }
        }
        self.players_changed(client);
        Ok(self.done())
    }

    fn players_changed(&mut self, client: ClientId) {
        self.tell_players();
        if self.playing.state().may_hide() {
            self.tell_view(client);
        }
    }

    pub(super) fn pause(&mut self, client: ClientId, paused: bool) -> Answered {
        self.check_host(client)?;
        self.is_paused = paused;
        if paused {
            self.computers.interrupt();
        }
        self.tell_players();
        if !paused && self.playing.journal().later() > 0 {
            self.say(sentence!(
                "computer players wait while events are taken back: do them again, or drop them"
            ));
        }
        Ok(self.done())
    }

    pub(super) fn change_pace(&mut self, client: ClientId, milliseconds: u64) -> Answered {
        self.check_host(client)?;
        if milliseconds > MOST_PACE_MILLISECONDS {
            return Ok(error(sentence!(
                "the pace is 0 to {most} milliseconds, not {milliseconds}",
                most = MOST_PACE_MILLISECONDS
            )));
        }
        self.computers.set_pace(Duration::from_millis(milliseconds));
        self.tell_players();
        Ok(self.done())
    }

    pub(super) fn hint(&mut self, client: ClientId, player: Option<&str>, milliseconds: Option<u64>) -> Answered {
        self.check_unrated(sentence!("this match is rated: nobody helps"))?;
        let Some(seat) = self.acting_for(client) else {
            return Err(refused(RefusalCode::MatchOver, sentence!("the match is over")));
        };
        let check = self.access.check(client, seat);
        check.map_err(|refusal| HostError::Rejected(refusal.into()))?;
        let view = self.view_of(Some(seat));
        let adviser = match player.map(str::parse::<PlayerSpec>) {
            None => super::computers::adviser(self.playing.rules(), &view, seat),
            Some(Ok(PlayerSpec::Human)) => return Ok(error(sentence!("a hint comes from a computer player, not from a person"))),
            Some(Ok(spec)) => spec,
            Some(Err(wrong)) => {
                return Ok(Reply::Error {
                    message: wrong.to_string(),
                });
            }
        };
        // Made on a thread of its own, it could only say later that it is not there, where nobody waits for it.
        if let Err(wrong) = self.try_player(&adviser) {
            return Ok(Reply::Error {
                message: wrong.to_string(),
            });
        }
        let time = Duration::from_millis(milliseconds.unwrap_or(HINT_MILLISECONDS).min(MOST_HINT_MILLISECONDS));
        let source = self.source_in_force();
        match self.computers.hint(&source, client, seat, adviser, view, time) {
            Ok(()) => Ok(self.done()),
            Err(wrong) => Ok(Reply::Error {
                message: wrong.to_string(),
            }),
        }
    }

    pub(super) fn stop(&mut self) -> Reply {
        self.computers.stop_thinking();
        self.done()
    }

    pub(super) fn save(&mut self, client: ClientId, file: Option<&str>) -> Answered {
        self.check_host(client)?;
        let Some(save) = &mut self.save else {
            return Ok(error(sentence!("this match can not be saved")));
        };
        let record = Record {
            start: &self.start,
            playing: &self.playing,
            players: &self.players,
            about: &self.about,
            file,
        };
        match save(&record) {
            Ok(file) => Ok(Reply::Saved { file }),
            Err(wrong) => Ok(error(wrong)),
        }
    }

    pub(super) fn reload_for(&mut self, client: ClientId) -> Answered {
        self.check_host(client)?;
        Ok(self.reload_rules(Instant::now(), true))
    }

    /// Reads the rules again and puts them in force, unless something is wrong with them.
    pub(super) fn reload_rules(&mut self, noticed: Instant, asked: bool) -> Reply {
        if !self.playing.policy().reload {
            return Reply::Refused(Refusal::new(
                RefusalCode::Policy,
                sentence!("the rules of this match can not be changed"),
            ));
        }
        let Some(reload) = &mut self.reload else {
            return error(sentence!("the rules of this match do not come from files"));
        };
        let read = match reload() {
            Ok(read) => read,
            Err(problems) => return self.keep_rules(problems),
        };
        let (before, at) = (self.before(), self.playing.journal().position());
        let (old, has_new) = (
            self.source_in_force(),
            read.source.fingerprint() != self.playing.rules().fingerprint(),
        );
        if has_new && let Err(wrong) = self.playing.reload(Arc::clone(&read.source), read.changes.clone()) {
            return self.keep_rules(problems_of(wrong, &*old, &*read.source, &read.changes));
        }
        self.newest = read.source;
        self.newest_problems.clone_from(&read.problems);
        if has_new || asked || read.about.is_some() {
            self.about = read.about.unwrap_or_else(|| self.about.clone());
            let has_new_frame = self.send_reloaded(read.changes, noticed);
            if has_new && self.playing.pending().is_none() {
                if has_new_frame || before.is_some() {
                    self.note_for_all(at);
                    self.tell_views();
                } else {
                    self.tell_event(before);
                }
            } else {
                self.tell_views();
            }
        }
        self.tell_problems(read.problems);
        self.done()
    }

    /// Puts the newest rules in force where they are not: what was taken back or dropped goes back behind their coming. Returns
    /// whether it did; clients are to be told.
    pub(super) fn take_newest_rules(&mut self) -> bool {
        let (newest, at) = (Arc::clone(&self.newest), self.playing.journal().position());
        if newest.fingerprint() == self.playing.rules().fingerprint() {
            return false;
        }
        let old = self.source_in_force();
        let problems = match self.playing.reload(Arc::clone(&newest), Vec::new()) {
            Ok(_) => self.newest_problems.clone(),
            Err(wrong) => problems_of(wrong, &*old, &*newest, &[]),
        };
        self.tell_problems(problems);
        let is_in_force = newest.fingerprint() == self.playing.rules().fingerprint();
        if is_in_force && self.playing.pending().is_none() {
            self.note_for_all(at);
        }
        is_in_force
    }

    /// Tells clients which rules are in force, if they know others.
    pub(super) fn tell_rules(&mut self) {
        let rules = self.playing.rules();
        if self.told.0 != rules.fingerprint() || *self.told.1 != **self.playing.state().frame() {
            let is_newest = rules.fingerprint() == self.newest.fingerprint();
            let change = if is_newest {
                sentence!("the newest rules are in force again")
            } else {
                sentence!("the rules are those of the moment that is shown")
            };
            self.send_reloaded(vec![change.into()], Instant::now());
        }
    }

    /// Tells clients which rules are in force. Returns whether the declarations are others than those they know.
    fn send_reloaded(&mut self, changes: Vec<String>, noticed: Instant) -> bool {
        self.tell_beginning_anew();
        self.computers.new_rules();
        self.told_faults.clear();
        let (fingerprint, frame) = (self.playing.rules().fingerprint(), Arc::clone(self.playing.state().frame()));
        let has_new_frame = *self.told.1 != *frame;
        self.told = (fingerprint, Arc::clone(&frame));
        self.clients.send_all(&Notice::Reloaded {
            changes,
            fingerprint,
            milliseconds: noticed.elapsed().as_millis().min(u128::from(u64::MAX)) as u64,
            frame: has_new_frame.then(|| Box::new(Frame::clone(&frame))),
        });
        has_new_frame
    }

    fn keep_rules(&mut self, problems: Vec<Problem>) -> Reply {
        self.tell_problems(problems.clone());
        Reply::Problems { problems }
    }

    /// Tells of what rules are at fault with, each thing once.
    pub(super) fn tell_faults(&mut self, faults: Vec<Fault>) {
        for fault in faults {
            if self.told_faults.len() < MOST_FAULTS && !self.told_faults.contains(&fault) {
                self.told_faults.push(fault.clone());
                self.problems.push(Problem::from(&fault));
                self.clients.send_all(&Notice::Fault(Box::new(fault)));
            }
        }
    }

    fn tell_problems(&mut self, problems: Vec<Problem>) {
        if self.problems != problems {
            self.problems.clone_from(&problems);
            self.clients.send_all(&Notice::Problems { problems });
        }
    }
}

/// What is wrong with new rules that were to take the place of old ones, as problems to be shown.
fn problems_of(error: ReloadError, old: &dyn RulesSource, new: &dyn RulesSource, changes: &[String]) -> Vec<Problem> {
    match error {
        ReloadError::Fault(fault) => vec![Problem::from(&*fault)],
        ReloadError::Policy => vec![Problem::from(&Fault::new("policy", error.to_string()))],
        ReloadError::Lost(lost) => lost.iter().map(|lost| problem_of_lost(lost, old, new, changes)).collect(),
    }
}

/// Something that is no longer declared: told where it should be, with where it was.
fn problem_of_lost(lost: &Lost, old: &dyn RulesSource, new: &dyn RulesSource, changes: &[String]) -> Problem {
    let fault = Fault::new("does-not-fit", lost.to_string());
    let was = old.at_declaration(fault.clone(), lost.list, &lost.name);
    let now = new.at_declaration(fault, lost.list, &lost.name);
    let mut help = "declare it again, or take it over in migrate(..)".to_owned();
    if changes.contains(&format!("{} is gone", was.file)) {
        help = format!("it was declared in {}, which is gone; {help}", was.file);
    } else if let Some(line) = &was.source_line {
        help = format!("it was declared in {}:{} by `{}`; {help}", was.file, was.line, line.trim());
    }
    Problem {
        help: Some(help),
        ..Problem::from(&now)
    }
}
