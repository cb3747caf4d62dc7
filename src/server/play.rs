//! What changes the match, and how clients are told.

use std::sync::Arc;

use super::answers::refused;
use super::chronicle::{Shown, Viewer, entry, show, shown_action, shown_draws};
use super::session::Session;
use crate::client::messages::{FromHost, Notice, Reply, SeatEvent};
use crate::host::{Cause, ClientId, Event, HostError, UndoPolicy};
use crate::model::{Action, CellSet, SeatId, Sight, State};
use crate::rules::{RefusalCode, read_action, sentence};

/// The state and the sights before a change, where something can be hidden.
pub(super) struct Before {
    state: Arc<State>,
    sights: Vec<Sight>,
}

impl Session {
    pub(super) fn submit(&mut self, client: ClientId, action: &Action, at: Option<usize>, drop_later: bool) -> Result<Reply, HostError> {
        let check = self.access.check(client, action.seat);
        check.map_err(|refusal| HostError::Rejected(refusal.into()))?;
        let (position, later) = (self.playing.journal().position(), self.playing.journal().later());
        let at = at.unwrap_or(position);
        self.check_dropping()?;
        if at == position && later > 0 && !drop_later {
            let reason = if later == 1 {
                sentence!("1 later event would be dropped: ask for that, or go to the end first")
            } else {
                sentence!("{later} later events would be dropped: ask for that, or go to the end first")
            };
            return Err(refused(RefusalCode::Policy, reason));
        }
        self.perform(action, at)?;
        Ok(self.done())
    }

    pub(super) fn play(
        &mut self,
        client: ClientId,
        text: &str,
        seat: Option<SeatId>,
        at: Option<usize>,
        drop_later: bool,
    ) -> Result<Reply, HostError> {
        let Some(seat) = seat.or_else(|| self.acting_for(client)) else {
            return Err(refused(RefusalCode::MatchOver, sentence!("the match is over")));
        };
        let check = self.access.check(client, seat);
        check.map_err(|refusal| HostError::Rejected(refusal.into()))?;
        let action = read_action(self.playing.rules(), &self.view_of(Some(seat)), seat, text)?;
        self.submit(client, &action, at, drop_later)
    }

    /// Carries out an action and tells everyone.
    pub(super) fn perform(&mut self, action: &Action, at: usize) -> Result<(), HostError> {
        let before = self.before();
        let has_pending = self.playing.pending().is_some();
        self.playing.submit(action, at)?;
        self.computers.interrupt();
        if has_pending {
            // Two events came at once: the change of rules and the action.
            self.note_for_all(at);
            self.show_newest(before.as_ref());
            self.tell_views();
        } else {
            self.tell_event(before);
        }
        if self.take_newest_rules() {
            self.moved();
        }
        Ok(())
    }

    /// Takes back: against computer players to the newest action of a person, else the newest action.
    pub(super) fn undo(&mut self, client: ClientId) -> Result<Reply, HostError> {
        let held = self.access.seats(client);
        if held.is_empty() {
            self.check_host(client)?;
        }
        let journal = self.playing.journal();
        let from = journal.position();
        let plays = |seat: SeatId| !self.is_paused && !self.is_human(seat);
        let is_person = |event: &Arc<Event>| event.action().is_some_and(|action| !plays(action.seat));
        let target = journal.standing().iter().rposition(is_person);
        let everyone = self.playing.state().frame().all_seats();
        let has_people = everyone.iter().any(|seat| self.is_human(seat));
        let target = match target {
            Some(target) => target,
            // Computer players would only do the same again, so they wait.
            None if !has_people => {
                self.is_paused = true;
                self.tell_players();
                self.playing.journal().before_last_action().unwrap_or(0)
            }
            None => {
                return Err(refused(
                    RefusalCode::NoHistory,
                    sentence!("nothing has been done yet that could be taken back"),
                ));
            }
        };
        loop {
            let newest = self
                .playing
                .journal()
                .last()
                .and_then(|event| event.action().map(|action| action.seat));
            let by = newest.filter(|seat| held.contains(*seat)).or_else(|| held.first());
            match self.playing.undo(by) {
                Ok(position) if position <= target => break,
                Ok(_) => {}
                Err(error) => {
                    self.playing.go_to(from)?;
                    self.take_newest_rules();
                    self.tell_rules();
                    return Err(error);
                }
            }
        }
        self.take_newest_rules();
        self.moved();
        Ok(self.done())
    }

    /// Does again: against computer players until a person is to act, and what the rules or their authors did after that.
    pub(super) fn redo(&mut self, client: ClientId) -> Result<Reply, HostError> {
        if self.access.seats(client).is_empty() {
            self.check_host(client)?;
        }
        self.playing.redo()?;
        while !self.is_paused && self.playing.journal().later() > 0 {
            let acting = self.playing.state().acting();
            if acting.is_empty() || acting.iter().any(|seat| self.is_human(seat)) {
                break;
            }
            self.playing.redo()?;
        }
        self.take_newest_rules();
        self.moved();
        Ok(self.done())
    }

    pub(super) fn go_to(&mut self, client: ClientId, position: usize) -> Result<Reply, HostError> {
        self.check_host(client)?;
        let now = self.playing.journal().position();
        if position < now && !self.may_look_back() {
            return Err(refused(RefusalCode::Policy, sentence!("this match does not go back freely")));
        }
        // Before the first event the match has not begun: there is nothing to see.
        self.playing.go_to(position.max(1))?;
        if position != now {
            self.moved();
        }
        Ok(self.done())
    }

    /// Whether earlier positions may be gone to: anywhere, or in a match that has ended.
    fn may_look_back(&self) -> bool {
        match self.playing.policy().undo {
            UndoPolicy::Free => true,
            UndoPolicy::OwnTurn => self.playing.state().outcome().is_some(),
            UndoPolicy::Never => self.playing.state().outcome().is_some() || self.playing.journal().later() > 0,
        }
    }

    /// Checks that what was taken back may be dropped. Where nothing is ever taken back, it is only looked at after the end.
    fn check_dropping(&self) -> Result<(), HostError> {
        if self.playing.policy().undo == UndoPolicy::Never && self.playing.journal().later() > 0 {
            return Err(refused(RefusalCode::MatchOver, sentence!("the match is over")));
        }
        Ok(())
    }

    pub(super) fn drop_later(&mut self, client: ClientId) -> Result<Reply, HostError> {
        self.check_host(client)?;
        self.check_dropping()?;
        let position = self.playing.journal().position();
        self.playing.drop_later();
        if self.playing.journal().position() > position {
            self.note_for_all(position);
        }
        self.take_newest_rules();
        self.moved();
        Ok(self.done())
    }

    /// The position in the journal changed: whole views go out.
    pub(super) fn moved(&mut self) {
        self.computers.interrupt();
        self.tell_rules();
        self.tell_views();
    }

    /// Everyone who can look: onlookers alone where nothing can be hidden, for they see all.
    pub(super) fn viewers(&self) -> Vec<Viewer> {
        let state = self.playing.state();
        let seats = if state.may_hide() {
            state.frame().all_seats()
        } else {
            crate::model::SeatSet::EMPTY
        };
        std::iter::once(None).chain(seats.iter().map(Some)).collect()
    }

    /// The viewers whose events a client is sent: its seats, or onlookers if it holds none or nothing can be hidden.
    pub(super) fn viewers_of(&self, client: ClientId) -> Vec<Viewer> {
        let held = self.access.seats(client);
        if held.is_empty() || !self.playing.state().may_hide() {
            vec![None]
        } else {
            held.iter().map(Some).collect()
        }
    }

    /// What a viewer sees. Where the rules fail to say, it sees no cell.
    pub(super) fn sight_of(&self, viewer: Viewer) -> Sight {
        self.playing.sight(viewer).unwrap_or_else(|error| {
            tracing::warn!("sight of {viewer:?}: {error}");
            Sight::new(viewer, Some(CellSet::empty(self.playing.state().board().cell_count())))
        })
    }

    /// The state as a viewer sees it.
    pub(super) fn view_of(&self, viewer: Viewer) -> Arc<State> {
        self.playing.state().project(&self.sight_of(viewer))
    }

    /// To be asked before a change that makes an event.
    pub(super) fn before(&self) -> Option<Before> {
        self.playing.state().may_hide().then(|| Before {
            state: Arc::clone(self.playing.state()),
            sights: self.viewers().into_iter().map(|viewer| self.sight_of(viewer)).collect(),
        })
    }

    /// Notes and returns what each viewer is sent of the newest event.
    fn show_newest(&mut self, before: Option<&Before>) -> Option<(usize, Arc<Event>, Vec<Shown>)> {
        let journal = self.playing.journal();
        let (index, event) = (journal.position().checked_sub(1)?, Arc::clone(journal.last()?));
        let state = self.playing.state();
        let shown: Vec<Shown> = match before {
            Some(before) => {
                let sights = before.sights.iter();
                sights
                    .map(|sight| {
                        let after = self.sight_of(sight.seat());
                        show((&before.state, sight), (state, &after), &event)
                    })
                    .collect()
            }
            None => vec![Shown {
                viewer: None,
                effects: Some(event.effects.clone()),
                is_whole: true,
            }],
        };
        if before.is_some() {
            let whole = shown.iter().filter(|shown| shown.is_whole).map(|shown| shown.viewer);
            self.chronicle.note(index, whole);
        } else {
            self.note_for_all(index);
        }
        Some((index, event, shown))
    }

    /// Notes that everyone may know an event as a whole.
    pub(super) fn note_for_all(&mut self, index: usize) {
        let seats = self.playing.state().frame().all_seats();
        self.chronicle.note(index, std::iter::once(None).chain(seats.iter().map(Some)));
    }

    /// Tells every client of the newest event, as its seats see it.
    pub(super) fn tell_event(&mut self, before: Option<Before>) {
        let Some((index, event, shown)) = self.show_newest(before.as_ref()) else {
            return;
        };
        drop(before);
        for client in self.clients.ids() {
            for viewer in self.viewers_of(client) {
                let shown = shown.iter().find(|shown| shown.viewer == viewer);
                let notice = match shown {
                    Some(Shown {
                        effects: Some(effects),
                        is_whole,
                        ..
                    }) => Notice::Event(Box::new(SeatEvent {
                        seat: viewer,
                        at: index + 1,
                        entry: entry(self.playing.state().frame(), index, &event, viewer, *is_whole),
                        action: shown_action(&event, viewer, *is_whole),
                        draws: shown_draws(self.playing.state().frame(), &event, viewer, *is_whole),
                        effects: effects.clone(),
                        position: self.view_of(viewer).position(),
                        outcome: self.playing.state().outcome().cloned(),
                    })),
                    _ => Notice::View(Box::new(self.snapshot(viewer))),
                };
                self.clients.send(client, FromHost::Notice(notice));
            }
        }
    }

    /// Sends every client the whole view of each of its seats.
    pub(super) fn tell_views(&mut self) {
        for client in self.clients.ids() {
            self.tell_view(client);
        }
    }

    /// Sends a client the whole view of each of its seats.
    pub(super) fn tell_view(&mut self, client: ClientId) {
        for viewer in self.viewers_of(client) {
            let notice = Notice::View(Box::new(self.snapshot(viewer)));
            self.clients.send(client, FromHost::Notice(notice));
        }
    }

    /// Works out who saw what of a match that was taken up from a save.
    pub(super) fn write_chronicle(&mut self) -> Result<(), HostError> {
        let (position, length) = (self.playing.journal().position(), self.playing.journal().events().len());
        self.playing.go_to(0)?;
        for event in 0..length {
            let before = self.before();
            self.playing.go_to(event + 1)?;
            if matches!(self.playing.journal().last().map(|event| &event.cause), Some(Cause::Reload { .. })) {
                self.note_for_all(event);
            } else {
                self.show_newest(before.as_ref());
            }
        }
        self.playing.go_to(position)
    }
}
