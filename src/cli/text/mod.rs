//! A match in the terminal: a client like any other, which draws in characters and reads lines.

mod acting;
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
mod spoken;
mod tell;
mod tray;

use std::time::{Duration, Instant};

use super::output::{Out, counted};
use super::{Exit, Failure};
use crate::client::messages::{BreakPoint, Command, FromHost, Notice, Reply, Stride};
use crate::client::{Connection, LinkClosed};
use crate::model::{Frame, SeatId, State};
use reader::{Heard, Reader};
use spoken::{COMMANDS, Spoken, understand};

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

/// Shows a match as it stood after an action.
pub(super) fn show(connection: Connection, out: &mut Out, action: usize) -> Result<Exit, Failure> {
    let mut table = Table::new(connection, out)?;
    let length = table.connection.mirror().length();
    if action >= length {
        return Err(Failure::Usage(format!(
            "the match has {} actions, not {action}",
            length.saturating_sub(1)
        )));
    }
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
            points: Vec::new(),
            inspected: Vec::new(),
        })
    }

    fn run(&mut self) -> Result<(), Failure> {
        loop {
            let heard = if let Some(heard) = self.wait_for_person()? {
                heard
            } else {
                self.draw_if_changed()?;
                // At a terminal what happened can still be looked at.
                if self.is_over() && !self.has_people() && !self.replays && !self.reader.is_terminal() {
                    return Ok(());
                }
                self.listen()?
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
        may_act || mirror.halted().is_some() || state.acting().is_empty() || mirror.is_paused() || mirror.at() < mirror.length()
    }

    fn title(&mut self) -> Result<(), Failure> {
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

    /// Tells of one thing the host sent.
    fn tell(&mut self, message: &FromHost) -> Result<(), Failure> {
        let FromHost::Notice(notice) = message else { return Ok(()) };
        let colour = self.out.has_colour();
        match notice {
            Notice::Event(event) => {
                let frame = self.frame();
                // The same event comes once for each seat held here; the first one tells it.
                let first = self.connection.mirror().seats().first();
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
            Notice::Message { text } => self.say(text)?,
            Notice::Thoughts(report) => self.say(tell::thoughts(report))?,
            Notice::Halted(report) => {
                let text = following::halted(&self.frame(), report, colour);
                self.say(text)?;
            }
            Notice::WentOn { .. }
            | Notice::View(_)
            | Notice::Turn { .. }
            | Notice::Players { .. }
            | Notice::Thinking(_)
            | Notice::Thought { .. } => {}
        }
        Ok(())
    }

    fn draw_if_changed(&mut self) -> Result<(), Failure> {
        let Some(state) = self.state() else { return Ok(()) };
        let now = (self.connection.mirror().at(), state.position());
        if self.drawn != Some(now) {
            self.draw()?;
        }
        Ok(())
    }

    /// Draws the board and says where the match stands.
    fn draw(&mut self) -> Result<(), Failure> {
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

    /// Does what was said. False to end.
    fn take(&mut self, line: &str) -> Result<bool, Failure> {
        let frame = self.frame();
        let spoken = understand(line, &frame);
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
            Spoken::Act(_) | Spoken::Drop | Spoken::Debug(_) | Spoken::Seat(..) | Spoken::Pause(_) if self.replays => {
                self.say("This match is only looked at; `boardwright play --text --load FILE` plays it on.")?;
            }
            Spoken::Nothing if self.replays && self.connection.mirror().at() == self.connection.mirror().length() => {
                self.say("That was the last action.")?;
            }
            Spoken::Nothing if self.replays => self.rewind(Command::Redo)?,
            Spoken::Nothing => {}
            Spoken::Act(words) => self.act(&words)?,
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
            Spoken::Pause(false) if self.connection.mirror().halted().is_some() => {
                let stride = Stride::Continue;
                self.ask(Command::Step { stride })?;
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
            Spoken::Poses(kind) => self.poses(&kind)?,
            Spoken::Help(rule) => self.help(rule.as_deref())?,
            Spoken::Quit => return Ok(false),
            Spoken::Wrong(text) => self.say(text)?,
        }
        Ok(true)
    }

    fn evaluate(&mut self, strategy: String) -> Result<(), Failure> {
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

    fn debug(&mut self, text: String) -> Result<(), Failure> {
        match self.connection.ask(Command::Debug { text })? {
            Reply::ByHand { text, .. } if text.is_empty() => Ok(()),
            Reply::ByHand { text, .. } => self.say(text),
            reply => self.answered(&reply),
        }
    }

    fn ask(&mut self, command: Command) -> Result<(), Failure> {
        let reply = self.connection.ask(command)?;
        self.answered(&reply)
    }

    /// Goes back or forth, and tells what was taken back, was done again, or leads to where the match stands now.
    fn rewind(&mut self, command: Command) -> Result<(), Failure> {
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
fn is_at_once(spoken: &Spoken) -> bool {
    !matches!(
        spoken,
        Spoken::Nothing | Spoken::Act(_) | Spoken::Moves | Spoken::Hint(_) | Spoken::Redo
    )
}

/// Where a replay stands: `Action 3 of 12`.
fn place(at: usize, length: usize) -> String {
    match (at.saturating_sub(1), length.saturating_sub(1)) {
        (0, all) => format!("Before the first of {}", counted(all, "action")),
        (action, all) => format!("Action {action} of {all}"),
    }
}
