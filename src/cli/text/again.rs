//! Carrying an action out again and again, until what it began is decided or the person says something.

use std::time::Duration;

use super::Table;
use super::reader::Heard;
use super::spoken::Spoken;
use crate::cli::Failure;
use crate::client::RepeatedAction;
use crate::client::messages::{Command, Reply};
use crate::model::Action;

/// What comes of going on.
pub(super) enum Onward {
    /// It was carried out once more.
    Again,
    /// The person has said something.
    Heard(Heard),
    /// There is nothing to go on with, or no more of it.
    Over,
}

impl Table<'_> {
    /// Carries an action out, and goes on with it.
    pub(super) fn act_again(&mut self, words: &str) -> Result<(), Failure> {
        self.acted = None;
        self.act(words)?;
        // What came of it is told before its answer, and heard now.
        while let Some(message) = self.connection.poll(Some(Duration::ZERO))? {
            self.tell(&message)?;
        }
        let Some(action) = self.acted.take().filter(|_| self.picking.is_none()) else {
            return Ok(());
        };
        if self.begins_contest(&action) {
            self.again = Some(RepeatedAction::new(action));
            Ok(())
        } else {
            self.say("It is done once: only what begins a contest goes on until that is decided.")
        }
    }

    /// Whether something that was said ends what goes on by itself; answers of others do not.
    pub(super) fn stops_again(&mut self, spoken: &Spoken) -> bool {
        let is_answer = matches!(spoken, Spoken::Act(_)) && self.again.as_ref().is_some_and(|again| self.waits_for_others(again));
        !is_answer && self.again.take().is_some()
    }

    /// Whether others are to answer before it goes on.
    fn waits_for_others(&self, again: &RepeatedAction) -> bool {
        self.state().is_some_and(|state| {
            let asks_others = !state.acting().is_empty() && !state.acting().contains(again.action().seat);
            asks_others && state.sequence().decision().is_some()
        })
    }

    fn begins_contest(&self, action: &Action) -> bool {
        let frame = self.frame();
        frame.action(action.action).is_some_and(|declared| declared.begins_contest)
    }

    /// Carries out once more what is to be carried out again, if that is possible. A person at a terminal is heard before.
    pub(super) fn go_on_again(&mut self) -> Result<Onward, Failure> {
        let Some(again) = self.again.clone() else { return Ok(Onward::Over) };
        let may_go_on = self.state().is_some_and(|state| {
            let is_open = state.sequence().decision().is_none();
            is_open && state.acting().contains(again.action().seat)
        });
        if !may_go_on {
            // A question to the same seat ends it.
            self.again = Some(again).filter(|again| self.waits_for_others(again));
            return Ok(Onward::Over);
        }
        if self.reader.is_terminal() {
            self.out.flush()?;
            if let Some(heard) = self.reader.heard("(an empty line stops it) ", super::SPOKEN_TO_AFTER)? {
                return Ok(Onward::Heard(heard));
            }
        }
        let reply = self.connection.ask(again.question())?;
        let next = match &reply {
            Reply::Domain { domain, .. } => again.next(domain.as_ref()),
            _ => None,
        };
        let Some(action) = next else {
            self.again = None;
            return Ok(Onward::Over);
        };
        let submit = Command::Submit {
            action,
            at: self.connection.mirror().at(),
            drop_later: false,
        };
        let reply = self.connection.ask(submit)?;
        if !matches!(reply, Reply::Done { .. }) {
            self.again = None;
            self.answered(&reply)?;
            return Ok(Onward::Over);
        }
        Ok(Onward::Again)
    }
}
