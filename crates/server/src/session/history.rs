//! What changes the match: actions, undo, redo, moving through the journal, edits.

use super::super::failure::{Answered, Failure, ensure, error, refused};
use super::super::hosted_match::Update;
use super::Session;
use super::luck::AwaitedChange;
use boardwright_host::{ClientId, HostError};
use boardwright_model::{Action, EditCommand, ManualEdit, RefusalCode, SeatId, SeatSet, sentence};
use boardwright_protocol::Reply;
use boardwright_rules::{flow, read_action, standing_action};

impl Session {
    pub(super) fn submit(&mut self, client: ClientId, action: &Action, at: usize) -> Result<(), Failure> {
        self.roster.check_seat_of(client, action.seat)?;
        self.roster.check_plays(action.seat)?;
        self.game.check_going_on()?;
        // What its seat could not choose by what it sees would tell by its success what it does not see.
        if self.game.state().may_hide() && at == self.game.position() {
            flow::check(self.game.rules(), &self.game.view_of(Some(action.seat)), action)?;
        }
        Ok(self.perform(action, at)?)
    }

    pub(super) fn play(&mut self, client: ClientId, text: &str, seat: Option<SeatId>, at: Option<usize>) -> Result<(), Failure> {
        let seat = seat.map_or_else(|| self.acting_for(client), Ok)?;
        self.roster.check_seat_of(client, seat)?;
        self.game.check_going_on()?;
        let action = read_action(self.game.rules(), &self.game.view_of(Some(seat)), seat, text)?;
        self.submit(client, &action, at.unwrap_or_else(|| self.game.position()))
    }

    /// Carries out an action; one whose luck follows from numbers of the players waits until they have come.
    pub(super) fn perform(&mut self, action: &Action, at: usize) -> Result<(), HostError> {
        let update = match self.game.submit(action, at) {
            Err(HostError::AwaitsNumbers) => {
                self.await_numbers(AwaitedChange::Action(action.clone(), at));
                return Ok(());
            }
            submitted => submitted?,
        };
        self.interrupt();
        self.notify(&update);
        let is_over = self.game.state().outcome().is_some();
        self.close_offers(action.seat, is_over);
        if self.apply_newest_rules() {
            self.moved();
        }
        Ok(())
    }

    /// Undoes the newest action or edit; against computer players the newest of a person. What standing orders called for is undone with
    /// what a person did before it, as far as it can be.
    pub(super) fn undo(&mut self, client: ClientId) -> Result<(), Failure> {
        let held = self.check_history(client)?;
        self.game.check_going_on()?;
        let target = match self.newest_of_people() {
            Some(target) => target,
            None if self.has_people() => {
                return Err(refused(RefusalCode::NoHistory, sentence!("there is nothing to undo")));
            }
            // Computer players would only do the same again, so they wait.
            None => {
                self.clock.is_paused = true;
                self.notify_players();
                self.game.journal().before_last_change().unwrap_or(0)
            }
        };
        if let Err(error) = self.game.undo_to(target, held) {
            self.apply_newest_rules();
            self.notify_rules();
            return Err(error.into());
        }
        while self.orders_call_for_next()
            && let Some(target) = self.newest_of_people()
            && self.game.undo_to(target, held).is_ok()
        {}
        self.apply_newest_rules();
        self.moved();
        Ok(())
    }

    /// Whether what was undone last is what the standing orders of a person call for.
    fn orders_call_for_next(&self) -> bool {
        let Some(action) = self.game.journal().next().and_then(|event| event.action()) else {
            return false;
        };
        let view = self.game.view_of(Some(action.seat));
        let called_for = || standing_action(self.game.rules(), &view, action.seat);
        self.roster.is_human(action.seat) && called_for().is_ok_and(|called_for| called_for.as_ref() == Some(action))
    }

    /// The newest applied event that is an edit, or an action of a person or of a computer player that waits.
    fn newest_of_people(&self) -> Option<usize> {
        let is_computer = |seat| !self.clock.is_paused && !self.roster.is_human(seat);
        let mut applied = self.game.journal().applied().iter();
        applied.rposition(|event| match event.action() {
            Some(action) => !is_computer(action.seat),
            None => event.is_change(),
        })
    }

    fn has_people(&self) -> bool {
        let mut seats = self.game.state().declarations().all_seats().iter();
        seats.any(|seat| self.roster.is_human(seat))
    }

    /// Redoes the next action, with what followed from it and what standing orders called for; against computer players all up to the next
    /// decision of a person.
    pub(super) fn redo(&mut self, client: ClientId) -> Result<(), Failure> {
        self.check_history(client)?;
        self.game.redo()?;
        while !self.clock.is_paused && self.game.journal().later() > 0 {
            let acting = self.game.state().acting();
            let is_decided = self.orders_call_for_next() || !acting.iter().any(|seat| self.roster.is_human(seat));
            if acting.is_empty() || !is_decided {
                break;
            }
            self.game.redo()?;
        }
        self.apply_newest_rules();
        self.moved();
        Ok(())
    }

    /// Checks that a client may undo and redo; returns the seats it holds.
    fn check_history(&self, client: ClientId) -> Result<SeatSet, Failure> {
        let held = self.roster.seats_of(client);
        if held.is_empty() {
            self.roster.check_host(client)?;
        }
        Ok(held)
    }

    pub(super) fn go_to(&mut self, client: ClientId, position: usize) -> Result<(), Failure> {
        self.roster.check_host(client)?;
        let now = self.game.position();
        self.game.go_to(position)?;
        if position != now {
            self.moved();
        }
        Ok(())
    }

    /// Lets play go on from here.
    pub(super) fn branch(&mut self, client: ClientId) -> Result<(), Failure> {
        self.roster.check_host(client)?;
        self.game.check_going_on()?;
        self.game.leave_later();
        self.apply_newest_rules();
        self.moved();
        Ok(())
    }

    pub(super) fn promote_variation(&mut self, client: ClientId, variation: usize) -> Result<(), Failure> {
        self.roster.check_host(client)?;
        self.game.promote_variation(variation)?;
        self.apply_newest_rules();
        self.moved();
        Ok(())
    }

    pub(super) fn delete_variation(&mut self, client: ClientId, variation: usize) -> Result<(), Failure> {
        self.roster.check_host(client)?;
        self.game.delete_variation(variation)?;
        self.moved();
        Ok(())
    }

    /// Edits the match past its rules, as an event of its own.
    pub(super) fn edit(&mut self, client: ClientId, text: &str) -> Answered {
        self.check_all_seeing(client, sentence!("this match cannot be edited"))?;
        let text = text.trim();
        let mut printed = help();
        if !text.is_empty() && text != "help" {
            let is_newest = self.game.journal().later() == 0;
            ensure(is_newest, || {
                error(sentence!("events are undone: redo them, or play on from here first"))
            })?;
            let command = ManualEdit::read(text, self.game.state()).map_err(error)?;
            let update;
            (update, printed) = self.game.edit(text, &command)?;
            self.interrupt();
            self.notify(&update);
        }
        Ok(Reply::Edited {
            at: self.game.position(),
            text: printed,
        })
    }

    /// The position in the journal changed: whole views go out.
    pub(super) fn moved(&mut self) {
        self.interrupt();
        self.notify_rules();
        self.notify(&Update::Views);
        if self.offers.clear() {
            self.notify_offers();
        }
        self.find_forfeits();
        self.follow_substitutes();
    }
}

fn help() -> String {
    let widest = EditCommand::ALL.iter().map(|command| command.form().len()).max().unwrap_or(0);
    let lines = EditCommand::ALL
        .iter()
        .map(|command| format!("{:widest$}  {}", command.form(), command.help()));
    lines.collect::<Vec<_>>().join("\n")
}
