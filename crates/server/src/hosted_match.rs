//! The match of a session as its viewers see it: projections for a seat, and what each viewer is sent of a change.

use std::sync::Arc;

use super::clock::Clock;
use super::failure::{Failure, ensure, refused};
use super::roster::Roster;
use super::seat_views::SeatViews;
use super::visibility_log::{Disclosure, Shown, Viewer, VisibilityLog, history_entry, knows_picks, shown_action, shown_draws};
use boardwright_host::{Cause, ClientId, Event, HostError, Journal, Match, ReloadError, ScenarioReload, TriedRules, Variation};
use boardwright_model::{
    Action, CellSet, Forfeit, LuckNumber, ManualEdit, Refusal, RefusalCode, Rejection, SeatId, SeatSet, State, UndoPolicy, Visibility,
    sentence, server_number,
};
use boardwright_protocol::{History, SeatEvent, SeatLuck, ViewSnapshot};
use boardwright_rules::{RequestKind, Rules, RulesSource, flow, seats_left};

/// A match with the log of who was shown which of its events.
#[derive(Debug)]
pub(super) struct HostedMatch {
    start: State,
    playing: Match,
    log: VisibilityLog,
    /// The views of spectators and seats at the position of the match, where something can be hidden.
    views: Option<SeatViews>,
    /// Counts how often the line or its variations changed other than by an event.
    revision: u64,
    /// Where play stood before the match was gone back in only to look, until it is there again. Where undo is free this makes no difference.
    looks_back_from: Option<usize>,
}

/// What clients are to be sent after a change.
pub(super) enum Update {
    /// The newest event, by its index, with what each viewer is sent of it.
    Event(usize, Arc<Event>, Vec<Shown>),
    /// Whole views.
    Views,
}

impl HostedMatch {
    /// Takes over a match, and works out who saw which of its events.
    ///
    /// # Errors
    /// If the journal does not fit.
    pub(super) fn new(start: State, playing: Match) -> Result<Self, HostError> {
        let mut hosted = Self {
            start,
            playing,
            log: VisibilityLog::default(),
            views: None,
            revision: 0,
            looks_back_from: None,
        };
        hosted.record_from(0)?;
        Ok(hosted)
    }

    /// Works out who saw which of the events from some event on, with the views following.
    fn record_from(&mut self, first: usize) -> Result<(), HostError> {
        let position = self.position();
        self.playing.go_to(first)?;
        if !self.views_at(first) {
            if first > 0 {
                self.playing.go_to(position)?;
                return self.record_from(0);
            }
            self.views = Some(SeatViews::begin(self.state(), 0, self.viewers()));
        }
        for event in first..self.journal().events().len() {
            let before = self.held_state();
            self.playing.go_to(event + 1)?;
            match self.journal().last().cloned() {
                Some(newest) if matches!(newest.cause, Cause::Reload { .. }) => {
                    self.record_for_all(event);
                    self.follow_reload(before.as_ref(), &newest, event);
                }
                _ => drop(self.show_newest(before.as_ref())),
            }
        }
        self.playing.go_to(position)?;
        if !self.views_at(position) {
            // Views are projected without a memory then.
            tracing::warn!("the views do not lead to event {position}");
            self.views = None;
        }
        Ok(())
    }

    /// Brings the views to where the match is after it was gone back or forth in.
    fn move_views(&mut self) -> Result<(), HostError> {
        if self.views_at(self.position()) {
            return Ok(());
        }
        // They do not know the way, or no longer: they go all of it again.
        self.views = None;
        self.record_from(0)
    }

    /// Brings the views to a position at which the match is, if they know the way or there is nothing to hide.
    fn views_at(&mut self, position: usize) -> bool {
        let state = Arc::clone(self.state());
        match &mut self.views {
            _ if !state.may_hide() => true,
            Some(views) => views.go_to(position, &state),
            None => false,
        }
    }

    /// Has the views follow a change of rules made at a position.
    fn follow_reload(&mut self, before: Option<&Arc<State>>, event: &Event, at: usize) {
        let after = Arc::clone(self.state());
        if !after.may_hide() {
            self.views = None;
            return;
        }
        let before = before.unwrap_or(&after);
        let views = self.views.take();
        let mut views = views.unwrap_or_else(|| SeatViews::begin(before, at, self.viewers()));
        views.follow_reload(before, (&after, &|viewer| self.sight_of(viewer)), event);
        self.views = Some(views);
    }

    /// The state, held on to only where what leads on from it has to be projected.
    fn held_state(&self) -> Option<Arc<State>> {
        self.state().may_hide().then(|| Arc::clone(self.state()))
    }

    /// The state before the match began.
    pub(super) fn start(&self) -> &State {
        &self.start
    }

    pub(super) fn playing(&self) -> &Match {
        &self.playing
    }

    pub(super) fn state(&self) -> &Arc<State> {
        self.playing.state()
    }

    pub(super) fn journal(&self) -> &Journal {
        self.playing.journal()
    }

    /// Counts how often the line or its variations changed other than by an event.
    pub(super) fn revision(&self) -> u64 {
        self.revision
    }

    /// How many events are applied.
    pub(super) fn position(&self) -> usize {
        self.journal().position()
    }

    pub(super) fn rules(&self) -> &dyn Rules {
        self.playing.rules()
    }

    pub(super) fn has_seat(&self, seat: SeatId) -> bool {
        self.state().declarations().all_seats().contains(seat)
    }

    pub(super) fn check_seat(&self, seat: SeatId) -> Result<(), Failure> {
        ensure(self.has_seat(seat), || {
            refused(RefusalCode::NotYourSeat, sentence!("there is no such seat"))
        })
    }

    /// Checks that a client may look through a seat: one that it holds, or any where nothing can be hidden.
    pub(super) fn check_viewer(&self, roster: &Roster, client: ClientId, viewer: Viewer) -> Result<(), Failure> {
        let Some(seat) = viewer else { return Ok(()) };
        self.check_seat(seat)?;
        if self.state().may_hide() {
            roster.check_seat_of(client, seat)?;
        }
        Ok(())
    }

    /// Everyone who can look: spectators alone where nothing can be hidden, for they see all.
    fn viewers(&self) -> impl Iterator<Item = Viewer> {
        let seats = if self.state().may_hide() {
            self.state().declarations().all_seats()
        } else {
            SeatSet::EMPTY
        };
        viewers_with(seats)
    }

    /// The viewers whose events a client with such seats is sent: its seats, or spectators if it has none or nothing can be hidden.
    pub(super) fn viewers_of(&self, held: SeatSet) -> Vec<Viewer> {
        if held.is_empty() || !self.state().may_hide() {
            vec![None]
        } else {
            held.iter().map(Some).collect()
        }
    }

    /// What a viewer sees. If the rules fail to say, it sees no cell.
    fn sight_of(&self, viewer: Viewer) -> Visibility {
        self.playing.sight(viewer).unwrap_or_else(|error| {
            tracing::warn!("sight of {viewer:?}: {error}");
            Visibility::new(viewer, Some(CellSet::empty(self.state().board().cell_count())))
        })
    }

    pub(super) fn view_of(&self, viewer: Viewer) -> Arc<State> {
        let known = self.views.as_ref().filter(|_| self.state().may_hide());
        let view = known.and_then(|views| views.view(viewer)).cloned();
        view.unwrap_or_else(|| self.state().project(&self.sight_of(viewer)))
    }

    pub(super) fn snapshot(&self, viewer: Viewer, roster: &Roster, clock: &Clock) -> ViewSnapshot {
        let view = self.view_of(viewer);
        ViewSnapshot {
            seat: viewer,
            at: self.position(),
            length: self.journal().events().len(),
            revision: self.revision,
            state: view.parts(),
            position: view.position(),
            players: roster.player_names(),
            paused: clock.is_paused,
            pace: clock.pace_milliseconds(),
            names: roster.names().to_vec(),
            gone: roster.gone(seats_left(self.state())),
            substitutes: roster.substitutes(),
        }
    }

    /// The journal as a viewer may read it.
    pub(super) fn history(&self, viewer: Viewer, from: usize) -> History {
        let events = self.journal().events().iter().enumerate().skip(from);
        let declarations = self.state().declarations();
        // Nobody keeps a record of who saw what of a variation: where something can be hidden, only what a seat may always know is told, with the
        // names of cells that it knows now.
        let view = (declarations.has_shroud && !self.journal().variations().is_empty()).then(|| self.view_of(viewer));
        let told = |event: &Event| Disclosure {
            is_whole: !self.state().may_hide(),
            knows_picks: match (&view, event.action()) {
                (Some(view), Some(action)) => knows_picks(view, action),
                _ => true,
            },
        };
        let entries_of = |variation: &Variation| {
            let events = variation.events.iter().enumerate();
            events
                .map(|(index, event)| history_entry(declarations, variation.at + index, event, viewer, told(event)))
                .collect()
        };
        // What another seat has taken back is nobody's business but its own, unless all can be taken back by all.
        let is_told = |variation: &&Variation| {
            let begun_by = || variation.events.first().and_then(|event| event.seat());
            self.playing.policy().undo == UndoPolicy::Free
                || !self.state().may_hide()
                || viewer.is_some_and(|seat| begun_by() == Some(seat))
        };
        let variations = self.journal().variations().iter().filter(is_told);
        History {
            seat: viewer,
            at: self.position(),
            entries: events
                .map(|(index, event)| history_entry(declarations, index, event, viewer, self.log.known(index, viewer)))
                .collect(),
            variations: variations.map(entries_of).collect(),
        }
    }

    /// What a viewer is sent of an event; `None` if its view has to be sent whole.
    pub(super) fn seat_event(&self, update: &Update, viewer: Viewer) -> Option<SeatEvent> {
        let Update::Event(index, event, shown) = update else { return None };
        let shown = shown.iter().find(|shown| shown.viewer == viewer)?;
        let (declarations, known) = (self.state().declarations(), shown.known());
        let draws = shown_draws(declarations, event, viewer, known);
        let luck = event.luck.clone().map(|numbers| SeatLuck {
            host: (draws.len() == event.draws.len()).then(|| server_number(self.playing.seed(), numbers.index)),
            numbers,
        });
        Some(SeatEvent {
            seat: viewer,
            at: index + 1,
            entry: history_entry(declarations, *index, event, viewer, known),
            action: shown_action(event, viewer, known.is_whole),
            draws,
            luck,
            effects: shown.effects.clone()?,
            position: self.view_of(viewer).position(),
            outcome: self.state().outcome().cloned(),
        })
    }

    /// Records and returns what each viewer is sent of the newest event, which led here from a state.
    fn show_newest(&mut self, before: Option<&Arc<State>>) -> Update {
        let (Some(index), Some(event)) = (self.position().checked_sub(1), self.journal().last().cloned()) else {
            return Update::Views;
        };
        let after = Arc::clone(self.state());
        if !after.may_hide() {
            self.record_for_all(index);
            let shown = vec![Shown {
                viewer: None,
                effects: Some(event.effects.clone()),
                is_whole: true,
                knows_picks: true,
            }];
            return Update::Event(index, event, shown);
        }
        let (Some(before), Some(mut views)) = (before, self.views.take()) else {
            self.log.record(index, &[]);
            return Update::Views;
        };
        let shown = views.follow(before, (&after, &|viewer| self.sight_of(viewer)), &event);
        self.views = Some(views);
        self.log.record(index, &shown);
        Update::Event(index, event, shown)
    }

    /// Records that everyone may know an event whole.
    fn record_for_all(&mut self, index: usize) {
        let seats = self.state().declarations().all_seats();
        self.log.record_for_all(index, viewers_with(seats));
    }

    /// Carries out an action that was chosen when `at` events were applied.
    pub(super) fn submit(&mut self, action: &Action, at: usize) -> Result<Update, HostError> {
        let before = self.held_state();
        let has_pending = self.playing.pending().is_some();
        // A budget of its own: what is left of it does not bound what shows the action to everyone.
        let request = self.playing.request(RequestKind::Whole);
        let submitted = self.playing.submit(action, at).map(drop);
        submitted.map_err(|error| self.redact(action, error))?;
        drop(request);
        if has_pending {
            // Two events came at once: the change of rules, which the views have followed, and the action.
            self.record_for_all(at);
            self.show_newest(before.as_ref());
            Ok(Update::Views)
        } else {
            Ok(self.show_newest(before.as_ref()))
        }
    }

    /// A seat forfeits.
    pub(super) fn forfeit(&mut self, seat: SeatId, why: Forfeit) -> Result<Update, HostError> {
        self.decide(|playing| playing.forfeit(seat, why).map(drop))
    }

    /// The seats agree on a draw.
    pub(super) fn agree_draw(&mut self) -> Result<Update, HostError> {
        self.decide(|playing| playing.agree_draw().map(drop))
    }

    /// Has something happen beside the rules.
    fn decide(&mut self, decide: impl FnOnce(&mut Match) -> Result<(), HostError>) -> Result<Update, HostError> {
        let (before, at) = (self.held_state(), self.position());
        let has_pending = self.playing.pending().is_some();
        let request = self.playing.request(RequestKind::Whole);
        decide(&mut self.playing)?;
        drop(request);
        if has_pending {
            self.record_for_all(at);
        }
        let update = self.show_newest(before.as_ref());
        Ok(if has_pending { Update::Views } else { update })
    }

    /// Gives the numbers for the luck of the action that is submitted next.
    pub(super) fn give_numbers(&mut self, numbers: Option<Vec<Option<LuckNumber>>>) {
        self.playing.give_numbers(numbers);
    }

    /// Why an action is refused, as far as who chose it may know: what stands in the fog is no reason to give.
    fn redact(&self, action: &Action, error: HostError) -> HostError {
        let is_refused = matches!(&error, HostError::Rejected(Rejection::Refused(refusal)) if refusal.code != RefusalCode::Stale);
        if !is_refused || !self.state().declarations().has_fog {
            return error;
        }
        let on_view = flow::check(self.rules(), &self.view_of(Some(action.seat)), action);
        let unseen = || Refusal::new(RefusalCode::Rule, sentence!("something that is not seen is in the way")).into();
        HostError::Rejected(on_view.err().unwrap_or_else(unseen))
    }

    /// Edits the match past its rules. Gives what a script printed.
    pub(super) fn edit(&mut self, text: &str, command: &ManualEdit) -> Result<(Update, String), HostError> {
        let before = self.held_state();
        let request = self.playing.request(RequestKind::Whole);
        let (_, printed) = self.playing.apply_edit(text, command)?;
        drop(request);
        Ok((self.show_newest(before.as_ref()), printed))
    }

    /// Carries over what differs between two versions of the scenario's beginning.
    pub(super) fn reload_scenario(&mut self, old: &State, new: &State) -> Result<(Option<Update>, ScenarioReload), HostError> {
        let before = self.held_state();
        let request = self.playing.request(RequestKind::Whole);
        let reloaded = self.playing.reload_scenario(old, new)?;
        drop(request);
        let update = reloaded.has_changed.then(|| self.show_newest(before.as_ref()));
        Ok((update, reloaded))
    }

    /// Tries other rules and puts them in force.
    pub(super) fn reload(&mut self, source: Arc<dyn RulesSource>) -> Result<Update, ReloadError> {
        self.change_rules(|playing| playing.reload(source, Vec::new()).map(drop))
    }

    /// Puts rules in force that were tried on a snapshot.
    pub(super) fn put_in_force(
        &mut self,
        source: Arc<dyn RulesSource>,
        tried: &TriedRules,
        changes: Vec<String>,
    ) -> Result<Update, ReloadError> {
        self.change_rules(|playing| playing.put_in_force(source, tried, changes).map(drop))
    }

    fn change_rules(&mut self, change: impl FnOnce(&mut Match) -> Result<(), ReloadError>) -> Result<Update, ReloadError> {
        let (before, at) = (self.held_state(), self.position());
        change(&mut self.playing)?;
        if let Some(pending) = self.playing.pending().cloned() {
            // The views leave a change behind that waited before this one.
            let before = self.playing.without_pending()?;
            if let Some(views) = &mut self.views
                && !views.go_to(at, &before)
            {
                self.views = None;
            }
            self.follow_reload(Some(&before), &pending, at);
            return Ok(Update::Views);
        }
        self.record_for_all(at);
        if before.is_none() && !self.state().may_hide() {
            return Ok(self.show_newest(None));
        }
        if let Some(event) = self.journal().last().cloned() {
            self.follow_reload(before.as_ref(), &event, at);
        }
        Ok(Update::Views)
    }

    /// Undoes events until no more than `target` are applied, or none. `held` are the seats of whoever undoes.
    pub(super) fn undo_to(&mut self, target: usize, held: SeatSet) -> Result<(), HostError> {
        let from = self.position();
        loop {
            let newest = self.journal().last().and_then(|event| event.action()).map(|action| action.seat);
            let by = newest.filter(|seat| held.contains(*seat)).or_else(|| held.first());
            match self.playing.undo(by) {
                Ok(position) if position <= target => return self.move_views(),
                Ok(_) => {}
                Err(error) => {
                    self.playing.go_to(from)?;
                    self.move_views()?;
                    return Err(error);
                }
            }
        }
    }

    /// Undoes events, which all have agreed upon, until so many are applied.
    pub(super) fn undo_agreed(&mut self, position: usize) -> Result<(), HostError> {
        self.playing.check_agreed_undo(position)?;
        self.playing.go_to(position)?;
        self.move_views()
    }

    pub(super) fn redo(&mut self) -> Result<(), HostError> {
        self.playing.redo()?;
        self.look_back_from(self.looks_back_from);
        self.move_views()
    }

    pub(super) fn go_to(&mut self, position: usize) -> Result<(), Failure> {
        let is_allowed = position >= self.position() || self.may_look_back();
        ensure(is_allowed, || {
            refused(RefusalCode::Policy, sentence!("this match does not go back freely"))
        })?;
        let from = self.position();
        // Before the first event the match has not begun: there is nothing to see.
        self.playing.go_to(position.max(1))?;
        self.look_back_from(self.looks_back_from.or(Some(from)));
        Ok(self.move_views()?)
    }

    /// Notes where play stands, if the match is at an earlier position.
    fn look_back_from(&mut self, from: Option<usize>) {
        self.looks_back_from = from.filter(|from| self.position() < *from);
    }

    /// Whether earlier positions may be gone to, if only to look at them.
    fn may_look_back(&self) -> bool {
        match self.playing.policy().undo {
            UndoPolicy::Free | UndoPolicy::OwnTurn => true,
            UndoPolicy::Never => self.state().outcome().is_some() || self.journal().later() > 0,
        }
    }

    /// Checks that play may go on from here: from where it stands, or, where undo is free, from anywhere. Where it is
    /// forbidden, a match is only looked back at after its end.
    pub(super) fn check_going_on(&self) -> Result<(), Failure> {
        match self.playing.policy().undo {
            UndoPolicy::Never => ensure(self.journal().later() == 0, || {
                refused(RefusalCode::MatchOver, sentence!("the match is over"))
            }),
            UndoPolicy::OwnTurn => ensure(self.looks_back_from.is_none(), || {
                refused(
                    RefusalCode::Policy,
                    sentence!("this match can be looked back at, but play goes on only from where it stands"),
                )
            }),
            UndoPolicy::Free => Ok(()),
        }
    }

    /// Lets play go on from here: the events that are undone become a variation.
    pub(super) fn leave_later(&mut self) {
        let position = self.position();
        self.playing.leave_later();
        self.revision += 1;
        if self.position() > position {
            self.record_for_all(position);
        }
    }

    /// Makes a variation the line, and goes to its end.
    pub(super) fn promote_variation(&mut self, variation: usize) -> Result<(), Failure> {
        self.check_variations()?;
        let at = self.journal().variations().get(variation).map_or(0, |variation| variation.at);
        self.playing.promote_variation(variation)?;
        self.revision += 1;
        Ok(self.record_from(at)?)
    }

    pub(super) fn delete_variation(&mut self, variation: usize) -> Result<(), Failure> {
        self.check_variations()?;
        self.playing.delete_variation(variation)?;
        self.revision += 1;
        Ok(())
    }

    fn check_variations(&self) -> Result<(), Failure> {
        ensure(self.playing.policy().undo == UndoPolicy::Free, || {
            refused(RefusalCode::Policy, sentence!("this match does not go back freely"))
        })
    }

    /// Rebuilds the match from its journal, after a panic that may have left an action half done.
    pub(super) fn recover(&mut self) -> Result<(), HostError> {
        self.playing = self.playing.recover(self.start.clone())?;
        self.move_views()
    }
}

/// Spectators and some seats.
fn viewers_with(seats: SeatSet) -> impl Iterator<Item = Viewer> {
    std::iter::once(None).chain(seats.iter().map(Some))
}
