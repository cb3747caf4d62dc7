//! What is shown of a match: who plays it, what happens, the board.

use super::take::place;
use super::{Table, board, following, tell};
use crate::cli::Failure;
use crate::client::messages::{Command, FromHost, Notice, Reply};
use crate::model::SeatId;

impl Table<'_> {
    pub(super) fn title(&mut self) -> Result<(), Failure> {
        let mirror = self.connection.mirror();
        let Some(description) = mirror.description() else { return Ok(()) };
        let mut title = if description.title.is_empty() {
            description.scenario_title.clone()
        } else {
            format!("{}: {}", description.title, description.scenario_title)
        };
        let frame = self.frame();
        let players = mirror.players().iter().enumerate();
        let players: Vec<String> = players
            .map(|(index, player)| format!("{} {player}", tell::seat(&frame, SeatId::from_index(index), self.out.has_colour())))
            .collect();
        title.push_str(&format!("\n{}", players.join(", ")));
        if description.rated {
            title.push_str("\nThis match is rated: nothing is taken back or changed, and nobody helps.");
        }
        if self.has_people() {
            title.push_str("\n`help` lists what can be said here, `moves` what can be done.");
        }
        self.say(title)?;
        let problems = self.connection.mirror().problems().to_vec();
        for problem in problems {
            self.say(tell::problem(&problem))?;
        }
        Ok(())
    }

    /// Tells of one thing the host sent.
    pub(super) fn tell(&mut self, message: &FromHost) -> Result<(), Failure> {
        let FromHost::Notice(notice) = message else { return Ok(()) };
        let colour = self.out.has_colour();
        match notice {
            Notice::Event(event) => {
                let frame = self.frame();
                // The same event comes once for each seat held here; the first one tells it.
                let first = self.connection.mirror().seats().first();
                if event.action.is_some() && event.entry.seat.is_some_and(|seat| self.connection.mirror().seats().contains(seat)) {
                    self.acted.clone_from(&event.action);
                }
                if event.seat.is_none() || event.seat == first {
                    self.say(tell::event(&frame, &event.entry, colour))?;
                }
            }
            Notice::Hint(report) => self.say(tell::hint(report))?,
            Notice::Reloaded { changes, milliseconds, .. } => {
                let changes = if changes.is_empty() {
                    "nothing changed".to_owned()
                } else {
                    changes.join(", ")
                };
                self.say(format!("The rules were read again in {milliseconds} ms: {changes}."))?;
                self.connection.settle()?;
                self.drawn = None;
            }
            Notice::Problems { problems } if problems.is_empty() => self.say("The rules have no problems any more.")?,
            Notice::Problems { problems } => {
                self.say("The changed rules have problems; the old ones stay in force:")?;
                for problem in problems {
                    self.say(tell::problem(problem))?;
                }
            }
            Notice::Fault(fault) => self.say(tell::fault_aside(fault))?,
            Notice::Chat(line) => {
                let text = tell::said(&self.frame(), line, colour);
                self.say(text)?;
            }
            Notice::Message { text } => self.say(text)?,
            Notice::Thoughts(report) => self.say(tell::thoughts(report))?,
            Notice::Paused(report) => {
                let text = following::halted(&self.frame(), report, colour);
                self.say(text)?;
            }
            Notice::Resumed { .. }
            | Notice::View(_)
            | Notice::Turn { .. }
            | Notice::Players { .. }
            | Notice::Thinking(_)
            | Notice::ThinkingEnded { .. } => {}
        }
        Ok(())
    }

    pub(super) fn draw_if_changed(&mut self) -> Result<(), Failure> {
        let Some(state) = self.state() else { return Ok(()) };
        let now = (self.connection.mirror().at(), state.position());
        if self.drawn != Some(now) {
            self.draw()?;
        }
        Ok(())
    }

    /// Draws the board and says where the match stands.
    pub(super) fn draw(&mut self) -> Result<(), Failure> {
        let Some(state) = self.state() else { return Ok(()) };
        let mirror = self.connection.mirror();
        let acting = state.acting().iter().find(|seat| mirror.seats().contains(*seat));
        let seat = acting.or_else(|| mirror.seats().first());
        self.drawn = Some((mirror.at(), state.position()));
        let looks = match self.connection.ask(Command::Looks { seat })? {
            Reply::Looks(looks) => Some(looks),
            other => {
                self.answered(&other)?;
                None
            }
        };
        let colour = self.out.has_colour();
        let text = board::draw(&state, looks.as_deref(), colour, &mut self.style);
        self.out.text("\n")?;
        self.out.text(&text)?;
        if let Some(outcome) = state.outcome() {
            self.say(tell::outcome(state.frame(), outcome, colour))?;
        } else {
            let mut status = tell::status(&state, colour);
            let mirror = self.connection.mirror();
            if self.replays {
                status = format!("{}; {status}", place(mirror.at(), mirror.length()));
            } else if mirror.at() < mirror.length() {
                status.push_str(&format!("; {} later taken back", mirror.length() - mirror.at()));
            }
            self.say(format!("{status}."))?;
        }
        Ok(())
    }
}
