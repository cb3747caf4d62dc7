//! A match in the terminal: a client like any other, which draws in characters and reads lines.

mod acting;
mod again;
mod answers;
mod axes;
mod board;
mod canvas;
mod following;
mod grid;
mod lines;
mod marks;
mod reader;
mod rule_book;
mod show;
mod spoken;
mod take;
mod tell;
mod tray;

use std::time::{Duration, Instant};

use super::output::Out;
use super::{Exit, Failure};
use crate::client::messages::{BreakPoint, Command, FromHost, Notice};
use crate::client::{Connection, LinkClosed, RepeatedAction};
use crate::model::{Action, Frame, State};
use again::Onward;
use reader::{Heard, Reader};
use spoken::{COMMANDS, understand};
use take::is_at_once;

/// The most actions that are offered for completion.
const MOST_OFFERED: usize = 5_000;
/// How often it is listened for what a person says while others play, and for what happens while the person may say something.
const LISTENS_EVERY: Duration = Duration::from_millis(30);
/// Computer players that act sooner are not spoken to.
const SPOKEN_TO_AFTER: Duration = Duration::from_millis(300);
/// After so long a person is told what there is to wait for.
const TOLD_AFTER: Duration = Duration::from_secs(2);
/// The width of lists.
const WIDTH: usize = 78;

impl From<LinkClosed> for Failure {
    fn from(closed: LinkClosed) -> Self {
        Self::Failed(closed.to_string())
    }
}

/// Plays a match until the person quits, or nobody is left to say anything.
/// Gives whether it has come to its end. `file` is where it is saved when no other file is named.
pub(super) fn play(connection: Connection, out: &mut Out, file: Option<String>) -> Result<bool, Failure> {
    let mut table = Table::new(connection, out)?;
    table.file = file;
    table.title()?;
    table.run()?;
    let is_over = table.is_over();
    // The line that was typed is read, so that nothing stands in the way of printing any more.
    table.out.print_with(None)?;
    Ok(is_over)
}

/// Steps through a match, from its beginning.
pub(super) fn replay(connection: Connection, out: &mut Out) -> Result<Exit, Failure> {
    let mut table = Table::new(connection, out)?;
    table.replays = true;
    table.ask(Command::GoTo { position: 1 })?;
    table.title()?;
    table.say("An empty line goes on, `undo` goes back, `go N` goes anywhere, `quit` ends.")?;
    table.run()?;
    table.out.print_with(None)?;
    Ok(Exit::Fine)
}

/// Plays a match on from where it stood after an action.
pub(super) fn play_from(connection: Connection, out: &mut Out, action: usize) -> Result<Exit, Failure> {
    let mut table = Table::new(connection, out)?;
    table.check_action(action)?;
    table.ask(Command::GoTo { position: action + 1 })?;
    table.ask(Command::DropLater)?;
    table.ask(Command::Pause { paused: false })?;
    table.title()?;
    table.run()?;
    table.out.print_with(None)?;
    Ok(Exit::Fine)
}

/// Shows a match as it stood after an action.
pub(super) fn show(connection: Connection, out: &mut Out, action: usize) -> Result<Exit, Failure> {
    let mut table = Table::new(connection, out)?;
    table.check_action(action)?;
    table.ask(Command::GoTo { position: action + 1 })?;
    let newest = table.connection.mirror().history().get(action).cloned();
    if let Some(entry) = newest {
        let text = tell::event(&table.frame(), &entry, table.out.has_colour());
        table.say(text)?;
    }
    table.draw()?;
    Ok(Exit::Fine)
}

/// A person at the terminal and the match.
struct Table<'a> {
    connection: Connection,
    out: &'a mut Out,
    reader: Reader,
    /// The position drawn last, and who was to act then.
    drawn: Option<(usize, u64)>,
    /// The words of an action of which something is still to be picked.
    picking: Option<String>,
    /// The words of an action that would drop what was taken back: `yes` carries it out.
    doubtful: Option<String>,
    /// Whether an empty line does again what comes next.
    replays: bool,
    /// The file the match was saved in last, or comes from.
    file: Option<String>,
    /// How owners of pieces are told in this match.
    style: Option<marks::Style>,
    /// The action that the person carried out last.
    acted: Option<Action>,
    /// What is carried out again and again.
    again: Option<RepeatedAction>,
    /// The lines at which strategies that are followed halt.
    points: Vec<BreakPoint>,
    /// The expressions that are worked out wherever one halts.
    inspected: Vec<String>,
}

impl<'a> Table<'a> {
    fn new(mut connection: Connection, out: &'a mut Out) -> Result<Self, Failure> {
        connection.settle()?;
        let (reader, printer) = Reader::new()?;
        out.print_with(printer)?;
        Ok(Self {
            connection,
            out,
            reader,
            drawn: None,
            picking: None,
            doubtful: None,
            replays: false,
            file: None,
            style: None,
            acted: None,
            again: None,
            points: Vec::new(),
            inspected: Vec::new(),
        })
    }

    /// Checks that a match has so many actions.
    fn check_action(&self, action: usize) -> Result<(), Failure> {
        let most = self.connection.mirror().length().saturating_sub(1);
        if action > most {
            return Err(Failure::Usage(format!("the match has {most} actions, not {action}")));
        }
        Ok(())
    }

    fn run(&mut self) -> Result<(), Failure> {
        loop {
            let heard = if let Some(heard) = self.wait_for_person()? {
                heard
            } else {
                match self.go_on_again()? {
                    Onward::Again => continue,
                    Onward::Heard(heard) => heard,
                    Onward::Over => {
                        self.draw_if_changed()?;
                        // At a terminal what happened can still be looked at.
                        if self.is_over() && !self.has_people() && !self.replays && !self.reader.is_terminal() {
                            return Ok(());
                        }
                        self.listen()?
                    }
                }
            };
            let Heard::Line(line) = heard else { return Ok(()) };
            if !self.take(&line)? {
                return Ok(());
            }
        }
    }

    fn say(&mut self, text: impl AsRef<str>) -> Result<(), Failure> {
        Ok(self.out.line(text)?)
    }

    fn frame(&self) -> Frame {
        self.connection
            .mirror()
            .frame()
            .map(|frame| Frame::clone(frame))
            .unwrap_or_default()
    }

    fn state(&self) -> Option<std::sync::Arc<State>> {
        self.connection.mirror().main_view().cloned()
    }

    fn is_over(&self) -> bool {
        self.state().is_some_and(|state| state.outcome().is_some())
    }

    fn has_people(&self) -> bool {
        !self.connection.mirror().seats().is_empty()
    }

    /// Whether it is for the person to say something: to act, or because nothing goes on by itself, such as a strategy that has halted.
    fn is_up_to_person(&self) -> bool {
        let mirror = self.connection.mirror();
        let Some(state) = mirror.main_view() else { return true };
        let may_act = state.acting().iter().any(|seat| mirror.seats().contains(seat));
        may_act || mirror.paused_strategy().is_some() || state.acting().is_empty() || mirror.is_paused() || mirror.at() < mirror.length()
    }

    /// Tells what happens until it is for the person to say something, or until something is said that does not wait for that.
    fn wait_for_person(&mut self) -> Result<Option<Heard>, Failure> {
        let frame = self.frame();
        let mut since = Instant::now();
        let mut is_told = !self.reader.is_terminal();
        loop {
            while let Some(message) = self.connection.poll(Some(Duration::ZERO))? {
                self.tell(&message)?;
            }
            if self.is_up_to_person() {
                return Ok(None);
            }
            if !is_told && since.elapsed() >= TOLD_AFTER {
                is_told = true;
                self.tell_who_thinks(&frame)?;
            }
            self.out.flush()?;
            if since.elapsed() >= SPOKEN_TO_AFTER {
                let prompt = self.prompt_beside(&frame);
                if let Some(heard) = self.reader.overheard(&prompt, |line| is_at_once(&understand(line, &frame)))? {
                    return Ok(Some(heard));
                }
            }
            if let Some(message) = self.connection.poll(Some(LISTENS_EVERY))? {
                if matches!(message, FromHost::Notice(Notice::Event(_))) {
                    since = Instant::now();
                }
                self.tell(&message)?;
            }
        }
    }

    fn tell_who_thinks(&mut self, frame: &Frame) -> Result<(), Failure> {
        let acting = self.state().and_then(|state| state.acting().first());
        let Some(seat) = acting else { return Ok(()) };
        let name = tell::seat(frame, seat, self.out.has_colour());
        self.say(format!("{name} is thinking; `stop` asks for an answer now."))
    }

    /// What stands in front of a line that is typed while others are to act: a person at one seat is always called by it.
    fn prompt_beside(&self, frame: &Frame) -> String {
        let seats = self.connection.mirror().seats();
        let name = seats.first().filter(|_| seats.count() == 1);
        let name = name.and_then(|seat| frame.seats.get(seat.index())).map_or("", |seat| &seat.name);
        format!("{name}> ")
    }

    /// What the person says. Tells meanwhile what happens: changed rules, messages.
    fn listen(&mut self) -> Result<Heard, Failure> {
        let prompt = self.prompt()?;
        loop {
            self.out.flush()?;
            if let Some(heard) = self.reader.heard(&prompt, LISTENS_EVERY)? {
                return Ok(heard);
            }
            while let Some(message) = self.connection.poll(Some(Duration::ZERO))? {
                self.tell(&message)?;
                self.draw_if_changed()?;
            }
        }
    }

    fn prompt(&mut self) -> Result<String, Failure> {
        if !self.reader.is_terminal() {
            return Ok(String::new());
        }
        let mut lines: Vec<String> = COMMANDS
            .iter()
            .filter_map(|(form, _)| form.split(' ').next().map(str::to_owned))
            .collect();
        let frame = self.frame();
        lines.extend(frame.seats.iter().map(|seat| format!("seat {}=", seat.name)));
        if let Some(words) = &self.picking {
            let words = words.clone();
            let (options, _) = self.options(&words)?;
            self.reader.offer(options, None);
            return Ok("... ".to_owned());
        }
        for action in self.legal()?.into_iter().take(MOST_OFFERED) {
            lines.push(action.text);
            lines.push(action.notation);
        }
        let state = self.state();
        self.reader.offer(lines, state.clone());
        let acting = state.as_ref().map(|state| state.acting()).unwrap_or_default();
        let held = acting.iter().find(|seat| self.connection.mirror().seats().contains(*seat));
        let name = held.and_then(|seat| frame.seats.get(seat.index())).map_or("", |seat| &seat.name);
        Ok(format!("{name}> "))
    }
}
