//! What happens, as it is told to whoever sits at the terminal. Around one screen everybody is told only what they may know, and, when it is
//! their turn, what they came to know meanwhile.

use std::collections::BTreeMap;
use std::time::Duration;

use super::{Terminal, format};
use crate::cli::Failure;
use boardwright_model::SeatId;
use boardwright_protocol::{Command, SeatEvent};

/// What has been told to whom.
#[derive(Debug, Default)]
pub(super) struct Telling {
    /// The seat of whoever sits there.
    sitter: Option<SeatId>,
    /// What the sitter has been told since they sit there, by the number of events after it.
    told: BTreeMap<usize, Vec<String>>,
    /// What waits for others held here, in its order.
    waiting: BTreeMap<SeatId, Vec<(usize, Vec<String>)>>,
}

impl Terminal<'_> {
    /// Tells an event, if it is the sitter's to know; what others held here will want to know waits for them. The same event comes once for
    /// each seat held.
    pub(super) fn tell(&mut self, event: &SeatEvent) -> Result<(), Failure> {
        let lines = format::event_and_turn(&self.declarations(), &event.entry);
        let Some(seat) = event.seat else {
            return lines.iter().try_for_each(|line| self.print(line));
        };
        self.follow_sitter()?;
        // What was undone before this is no news.
        let waiting = self.telling.waiting.entry(seat).or_default();
        waiting.retain(|(at, _)| *at < event.at);
        if self.telling.sitter == Some(seat) {
            lines.iter().try_for_each(|line| self.print(line))?;
            self.telling.told.insert(event.at, lines);
            return Ok(());
        }
        let may_hide = self.state().is_some_and(|state| state.may_hide());
        let is_told = !event.entry.remarks.is_empty() || !event.entry.next_turn.is_empty();
        let is_of_others = event.entry.seat != Some(seat) && !format::is_unseen(&event.entry);
        if may_hide && (is_told || is_of_others) {
            self.telling.waiting.entry(seat).or_default().push((event.at, lines));
        }
        Ok(())
    }

    /// Tells what came before all actions, if anything did: what was dealt, the throw with which the first turn begins.
    pub(super) fn tell_beginning(&mut self) -> Result<(), Failure> {
        let Some(beginning) = self.connection.mirror().history().first() else {
            return Ok(());
        };
        if beginning.remarks.is_empty() && beginning.next_turn.is_empty() {
            return Ok(());
        }
        let lines = format::event_and_turn(&self.declarations(), beginning);
        lines.iter().try_for_each(|line| self.print(line))
    }

    /// When it is the turn of another seat held here, who sits there is told what waits for them.
    pub(super) fn follow_sitter(&mut self) -> Result<(), Failure> {
        let mirror = self.connection.mirror();
        if mirror.at() < mirror.length() && !mirror.undoes_freely() {
            // Who looks back stays.
            return Ok(());
        }
        let held = mirror.seats();
        let known = self.telling.sitter.filter(|seat| held.contains(*seat));
        let sitter = self.acting_seat().or(known).or_else(|| held.first());
        if sitter == self.telling.sitter {
            return Ok(());
        }
        self.telling.sitter = sitter;
        let told = std::mem::take(&mut self.telling.told);
        let waiting = sitter.and_then(|seat| self.telling.waiting.remove(&seat)).unwrap_or_default();
        let untold = waiting.into_iter().filter(|(at, lines)| told.get(at) != Some(lines));
        for (at, lines) in untold {
            lines.iter().try_for_each(|line| self.print(line))?;
            self.telling.told.insert(at, lines);
        }
        Ok(())
    }

    /// Hears everything that follows from what has happened so far, such as what standing orders call for, and tells it. Whether there was any.
    pub(super) fn catch_up(&mut self) -> Result<bool, Failure> {
        // An answer comes after all that followed from what was before its question.
        self.connection.ask(Command::Problems)?;
        let mut has_heard = false;
        while let Some(message) = self.connection.poll(Some(Duration::ZERO))? {
            self.handle_message(&message)?;
            has_heard = true;
        }
        Ok(has_heard)
    }
}
