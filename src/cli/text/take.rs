//! Doing what was said.

use super::spoken::{Spoken, understand};
use super::{Table, tell};
use crate::cli::Failure;
use crate::cli::output::counted;
use crate::client::messages::{Command, Reply, Stride};

impl Table<'_> {
    /// Does what was said. False to end.
    pub(super) fn take(&mut self, line: &str) -> Result<bool, Failure> {
        let frame = self.frame();
        let spoken = understand(line, &frame);
        if self.stops_again(&spoken) {
            self.say("It goes on no longer.")?;
        }
        if let Some(words) = self.doubtful.take()
            && matches!(line.trim().to_lowercase().as_str(), "yes" | "y")
        {
            let reply = self.play(&words, true)?;
            self.acted(words, &reply)?;
            return Ok(true);
        }
        if let Some(words) = self.picking.take() {
            match spoken {
                Spoken::Nothing => {
                    self.say("Nothing is picked.")?;
                    return Ok(true);
                }
                Spoken::Act(next) => {
                    self.pick(&words, &next)?;
                    return Ok(true);
                }
                // To look something up answers no question and ends none.
                Spoken::Moves | Spoken::Board | Spoken::History | Spoken::Problems | Spoken::Help(_) | Spoken::Wrong(_) => {
                    self.picking = Some(words);
                }
                _ => {}
            }
        }
        match spoken {
            Spoken::Act(_) | Spoken::Again(_) | Spoken::Drop | Spoken::Debug(_) | Spoken::Seat(..) | Spoken::Pause(_) if self.replays => {
                self.say("This match is only looked at; `boardwright play --text --load FILE` plays it on.")?;
            }
            Spoken::Nothing if self.replays && self.connection.mirror().at() == self.connection.mirror().length() => {
                self.say("That was the last action.")?;
            }
            Spoken::Nothing if self.replays => self.rewind(Command::Redo)?,
            Spoken::Nothing => {}
            Spoken::Act(words) => self.act(&words)?,
            Spoken::Again(words) => self.act_again(&words)?,
            Spoken::Moves => self.moves()?,
            Spoken::Board => self.draw()?,
            Spoken::Undo => self.rewind(Command::Undo)?,
            Spoken::Redo => self.rewind(Command::Redo)?,
            Spoken::Go(number) if number >= self.connection.mirror().length() => {
                let last = self.connection.mirror().length().saturating_sub(1);
                self.say(format!(
                    "The match has {}, and there is no action {number}.",
                    counted(last, "action")
                ))?;
            }
            Spoken::Go(number) => self.rewind(Command::GoTo { position: number + 1 })?,
            Spoken::Drop => self.drop_later()?,
            Spoken::History => self.history()?,
            Spoken::Hint(player) => self.hint(player)?,
            Spoken::Seat(seat, player) => self.ask(Command::Assign { seat, player })?,
            Spoken::Follow(said) => self.follow(said)?,
            Spoken::Pause(false) if self.connection.mirror().paused_strategy().is_some() => {
                let stride = Stride::Continue;
                self.ask(Command::Step { kind: stride })?;
            }
            Spoken::Pause(paused) => self.ask(Command::Pause { paused })?,
            Spoken::Save(file) => {
                let file = file.or_else(|| self.file.clone());
                self.ask(Command::Save { file })?;
            }
            Spoken::Reload => self.ask(Command::Reload)?,
            Spoken::Stop => self.ask(Command::Stop)?,
            Spoken::Problems => self.problems()?,
            Spoken::Debug(text) => self.debug(text)?,
            Spoken::Watch(watched) => self.ask(Command::Watch { watched })?,
            Spoken::Evaluate(strategy) => self.evaluate(strategy)?,
            Spoken::Say(to, text) => self.ask(Command::Say { text, from: None, to })?,
            Spoken::Poses(kind) => self.poses(&kind)?,
            Spoken::Help(rule) => self.help(rule.as_deref())?,
            Spoken::Quit => return Ok(false),
            Spoken::Wrong(text) => self.say(text)?,
        }
        Ok(true)
    }

    pub(super) fn evaluate(&mut self, strategy: String) -> Result<(), Failure> {
        let reply = self.connection.ask(Command::Evaluate { strategy })?;
        let Reply::Evaluation { seats } = reply else {
            return self.answered(&reply);
        };
        let frame = self.frame();
        let lines = frame.seats.iter().zip(seats);
        let lines =
            lines.map(|(seat, worth)| format!("{}: {}", seat.title, worth.map_or("\u{2013}".to_owned(), |worth| worth.to_string())));
        self.say(lines.collect::<Vec<_>>().join("\n"))
    }

    pub(super) fn debug(&mut self, text: String) -> Result<(), Failure> {
        match self.connection.ask(Command::Edit { text })? {
            Reply::Edited { text, .. } if text.is_empty() => Ok(()),
            Reply::Edited { text, .. } => self.say(text),
            reply => self.answered(&reply),
        }
    }

    pub(super) fn ask(&mut self, command: Command) -> Result<(), Failure> {
        let reply = self.connection.ask(command)?;
        self.answered(&reply)
    }

    /// Goes back or forth, and tells what was taken back, was done again, or leads to where the match stands now.
    pub(super) fn rewind(&mut self, command: Command) -> Result<(), Failure> {
        let looks = self.replays || matches!(command, Command::GoTo { .. });
        let before = self.connection.mirror().at();
        let reply = self.connection.ask(command)?;
        if matches!(reply, Reply::Done { .. }) {
            let (at, frame, colour) = (self.connection.mirror().at(), self.frame(), self.out.has_colour());
            let told = match (looks, at < before) {
                (true, _) => at.saturating_sub(1)..at,
                (false, true) => at..before,
                (false, false) => before..at,
            };
            let entries = self.connection.mirror().history().get(told).unwrap_or_default();
            let texts: Vec<String> = entries.iter().map(|entry| tell::event(&frame, entry, colour)).collect();
            match (looks, at < before) {
                (false, true) => self.say(format!("Taken back: {}", texts.join(", ")))?,
                _ => texts.iter().try_for_each(|text| self.say(text))?,
            }
        }
        self.answered(&reply)
    }
}

/// Whether something said while others play does not wait until it is the person's turn.
pub(super) fn is_at_once(spoken: &Spoken) -> bool {
    !matches!(
        spoken,
        Spoken::Nothing | Spoken::Act(_) | Spoken::Again(_) | Spoken::Moves | Spoken::Hint(_) | Spoken::Redo
    )
}

/// Where a replay stands: `Action 3 of 12`.
pub(super) fn place(at: usize, length: usize) -> String {
    match (at.saturating_sub(1), length.saturating_sub(1)) {
        (0, all) => format!("Before the first of {}", counted(all, "action")),
        (action, all) => format!("Action {action} of {all}"),
    }
}
