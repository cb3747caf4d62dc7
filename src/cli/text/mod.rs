//! A match in the terminal: a client like any other, which draws in characters and reads lines.

mod actions;
mod board;
mod canvas;
mod cell_marks;
mod commands;
mod debugger;
pub(super) mod format;
mod graph;
mod grid;
mod handlers;
mod line_reader;
mod odds;
mod rule_book;
mod telling;
mod tray;

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::output::Out;
use super::{Exit, Failure};
use actions::Repeat;
use boardwright_client::{Connection, LinkClosed, RepeatedAction};
use boardwright_model::{Action, Declarations, SeatId, State};
use boardwright_protocol::{BreakPoint, Command, FromHost, Notice, Reply};
use commands::{command_words, parse};
use handlers::{is_immediate, position_text};
use line_reader::{Input, LineReader};
use telling::Telling;

/// The most actions that are offered for completion.
const MOST_OFFERED: usize = 5_000;
/// How often it is listened for what a person says while others play, and for what happens while the person may say something.
const POLL_EVERY: Duration = Duration::from_millis(30);
/// A person who plays along is listened to when the others have taken so long: they usually answer sooner.
const LISTEN_AFTER: Duration = Duration::from_millis(300);
/// The most messages that are told before the person is listened to again.
const MOST_TOLD: usize = 64;
/// After so long a person is told what there is to wait for.
const SHOW_WAIT_AFTER: Duration = Duration::from_secs(2);
/// The width of lists.
const WIDTH: usize = 78;

impl From<LinkClosed> for Failure {
    fn from(closed: LinkClosed) -> Self {
        Self::Failed(closed.to_string())
    }
}

/// Plays a match that begins until the person quits, or nobody is left to say anything. Gives whether it has come to its end.
pub(super) fn play_new(connection: Connection, out: &mut Out) -> Result<bool, Failure> {
    let mut terminal = Terminal::new(connection, out)?;
    terminal.title()?;
    terminal.tell_beginning()?;
    terminal.run()?;
    Ok(terminal.is_over())
}

/// The same with a match that may have begun long ago. `file` is where it is saved when no other file is named.
pub(super) fn play_on(connection: Connection, out: &mut Out, file: Option<String>) -> Result<bool, Failure> {
    let mut terminal = Terminal::new(connection, out)?;
    terminal.file = file;
    terminal.title()?;
    terminal.run()?;
    Ok(terminal.is_over())
}

/// Steps through a match, from its beginning.
pub(super) fn replay(connection: Connection, out: &mut Out) -> Result<Exit, Failure> {
    let mut terminal = Terminal::new(connection, out)?;
    terminal.replays = true;
    terminal.ask(Command::GoTo { position: 1 })?;
    terminal.title()?;
    terminal.print("An empty line goes on, `undo` goes back, `go N` goes anywhere, `quit` ends.")?;
    terminal.run()?;
    Ok(Exit::Fine)
}

/// Plays a match on from where it stood after an action.
pub(super) fn play_from(connection: Connection, out: &mut Out, action: usize) -> Result<Exit, Failure> {
    let mut terminal = Terminal::new(connection, out)?;
    terminal.check_action(action)?;
    terminal.ask(Command::GoTo { position: action + 1 })?;
    terminal.ask(Command::Branch)?;
    terminal.ask(Command::Pause { paused: false })?;
    terminal.title()?;
    terminal.run()?;
    Ok(Exit::Fine)
}

/// Shows a match as it stood after an action.
pub(super) fn show(connection: Connection, out: &mut Out, action: usize) -> Result<Exit, Failure> {
    let mut terminal = Terminal::new(connection, out)?;
    terminal.replays = true;
    terminal.check_action(action)?;
    terminal.ask(Command::GoTo { position: action + 1 })?;
    let newest = terminal.connection.mirror().history().get(action).cloned();
    if let Some(entry) = newest {
        let text = format::event(&terminal.declarations(), &entry);
        terminal.print(text)?;
    }
    terminal.draw()?;
    Ok(Exit::Fine)
}

/// A person at the terminal and the match.
struct Terminal<'a> {
    connection: Connection,
    out: &'a mut Out,
    reader: LineReader,
    /// The position drawn last, and who was to act then.
    drawn: Option<(usize, u64)>,
    telling: Telling,
    /// The words of an action of which something is still to be picked.
    picking: Option<String>,
    /// A file that is no save, to be written over: `yes` does it.
    to_overwrite: Option<String>,
    /// Whether an empty line does again what comes next.
    replays: bool,
    /// The file the match was saved in last, or comes from.
    file: Option<String>,
    /// How owners of pieces are told in this match.
    style: Option<cell_marks::Style>,
    /// The action that the person carried out last.
    last_action: Option<Action>,
    /// What is carried out again and again.
    repeated: Option<RepeatedAction>,
    /// The lines at which strategies that are debugged pause.
    points: Vec<BreakPoint>,
    /// The expressions that are worked out wherever one pauses.
    inspected: Vec<String>,
}

impl<'a> Terminal<'a> {
    fn new(mut connection: Connection, out: &'a mut Out) -> Result<Self, Failure> {
        connection.settle()?;
        let (reader, printer) = LineReader::new()?;
        out.print_with(printer)?;
        Ok(Self {
            connection,
            out,
            reader,
            drawn: None,
            telling: Telling::default(),
            picking: None,
            to_overwrite: None,
            replays: false,
            file: None,
            style: None,
            last_action: None,
            repeated: None,
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
        while let Some(Input::Line(line)) = self.next_input()? {
            if !self.handle_line(&line)? {
                break;
            }
        }
        // The line that was typed is read, so that nothing stands in the way of printing any more.
        Ok(self.out.print_with(None)?)
    }

    /// What the person says next. None if nobody is left to say anything.
    fn next_input(&mut self) -> Result<Option<Input>, Failure> {
        loop {
            if let Some(heard) = self.wait_for_person()? {
                return Ok(Some(heard));
            }
            if self.has_changed() && self.catch_up()? {
                continue;
            }
            match self.repeat_once()? {
                Repeat::Again => {}
                Repeat::Input(heard) => return Ok(Some(heard)),
                Repeat::Over => break,
            }
        }
        self.draw_if_changed()?;
        // At a terminal what happened can still be looked at.
        if self.is_over() && !self.has_people() && !self.replays && !self.reader.is_terminal() {
            return Ok(None);
        }
        self.listen().map(Some)
    }

    fn print(&mut self, text: impl AsRef<str>) -> Result<(), Failure> {
        Ok(self.out.line(text)?)
    }

    fn declarations(&self) -> Arc<Declarations> {
        self.connection.mirror().declarations().cloned().unwrap_or_default()
    }

    fn state(&self) -> Option<Arc<State>> {
        self.connection.mirror().main_view().cloned()
    }

    fn is_over(&self) -> bool {
        self.state().is_some_and(|state| state.outcome().is_some())
    }

    fn has_people(&self) -> bool {
        !self.connection.mirror().seats().is_empty()
    }

    /// Whether it is for the person to say something: to act, or because nothing goes on by itself, such as a strategy that has paused.
    fn is_up_to_person(&self) -> bool {
        let mirror = self.connection.mirror();
        let is_anyone_to_act = mirror.main_view().is_some_and(|state| !state.acting().is_empty());
        let has_paused = mirror.is_paused() || mirror.paused_strategy().is_some() || mirror.at() < mirror.length();
        !is_anyone_to_act || has_paused || self.acting_seat().is_some()
    }

    /// Tells what happens until it is for the person to say something, or until something is said that does not wait for that.
    fn wait_for_person(&mut self) -> Result<Option<Input>, Failure> {
        let declarations = self.declarations();
        let (begun, mut since) = (Instant::now(), Instant::now());
        let mut is_shown = !self.reader.is_terminal();
        let mut waited_at = None;
        loop {
            // Quick players never leave a moment without anything to tell.
            for _ in 0..MOST_TOLD {
                let Some(message) = self.connection.poll(Some(Duration::ZERO))? else {
                    break;
                };
                self.handle_message(&message)?;
            }
            if self.is_up_to_person() {
                return Ok(None);
            }
            let at = self.connection.mirror().at();
            let elsewhere = self.person_elsewhere();
            if let Some(seat) = elsewhere.filter(|_| waited_at.replace(at) != Some(at)) {
                self.draw_if_changed()?;
                self.print(format!("Waiting for {}.", format::seat(&declarations, seat)))?;
            }
            if elsewhere.is_none() && !is_shown && since.elapsed() >= SHOW_WAIT_AFTER {
                is_shown = true;
                if let Some(seat) = self.state().and_then(|state| state.acting().first()) {
                    let name = format::seat(&declarations, seat);
                    self.print(format!("{name} is thinking; `stop` asks for an answer now."))?;
                }
            }
            self.out.flush()?;
            let seats = self.connection.mirror().seats();
            let plays_along = !seats.is_empty();
            if !plays_along || begun.elapsed() >= LISTEN_AFTER {
                // A person at one seat is always called by it.
                let prompt = format::prompt(&declarations, seats.first().filter(|_| seats.count() == 1));
                let at_once = |line: &str| is_immediate(&parse(line, &declarations));
                if let Some(heard) = self.reader.early_line(&prompt, plays_along, at_once)? {
                    return Ok(Some(heard));
                }
            }
            if let Some(message) = self.connection.poll(Some(POLL_EVERY))? {
                if matches!(message, FromHost::Notice(Notice::Event(_))) {
                    since = Instant::now();
                }
                self.handle_message(&message)?;
            }
        }
    }

    /// The seat of somebody who plays over the network, if that one is to act. At once many may act; the first is named.
    fn person_elsewhere(&self) -> Option<SeatId> {
        let mirror = self.connection.mirror();
        mirror.main_view()?.acting().iter().find(|seat| mirror.is_person(*seat))
    }

    /// The seat of the person that is to act.
    fn acting_seat(&self) -> Option<SeatId> {
        let mirror = self.connection.mirror();
        mirror.main_view()?.acting().iter().find(|seat| mirror.plays(*seat))
    }

    /// What the person says. Tells meanwhile what happens: changed rules, messages.
    fn listen(&mut self) -> Result<Input, Failure> {
        let prompt = self.prompt()?;
        loop {
            self.out.flush()?;
            if let Some(heard) = self.reader.next_line(&prompt, POLL_EVERY)? {
                return Ok(heard);
            }
            while let Some(message) = self.connection.poll(Some(Duration::ZERO))? {
                self.handle_message(&message)?;
                self.draw_if_changed()?;
            }
        }
    }

    fn prompt(&mut self) -> Result<String, Failure> {
        if !self.reader.is_terminal() {
            return Ok(String::new());
        }
        if let Some(typed) = self.picking.clone() {
            let (options, _) = self.options(&typed)?;
            self.reader.offer(options, None);
            return Ok("... ".to_owned());
        }
        let declarations = self.declarations();
        let mut lines: Vec<String> = command_words().map(str::to_owned).collect();
        lines.extend(declarations.seats.iter().map(|seat| format!("seat {}=", seat.name)));
        let actions = self.legal()?.into_iter().take(MOST_OFFERED);
        lines.extend(actions.flat_map(|action| [action.text, action.notation]));
        self.reader.offer(lines, self.state());
        Ok(format::prompt(&declarations, self.acting_seat()))
    }

    fn title(&mut self) -> Result<(), Failure> {
        let mirror = self.connection.mirror();
        let Some(description) = mirror.description() else { return Ok(()) };
        let declarations = self.declarations();
        let players = mirror.players().iter().enumerate();
        let players: Vec<String> = players
            .map(|(index, player)| {
                let seat = SeatId::from_index(index);
                let who = mirror.name(seat).filter(|_| mirror.is_person(seat)).unwrap_or(player);
                format!("{} {who}", format::seat(&declarations, seat))
            })
            .collect();
        let mut title = description.scenario_title.clone();
        if !description.title.is_empty() {
            title = format!("{}: {title}", description.title);
        }
        title.push_str(&format!("\n{}", players.join(", ")));
        if description.rated {
            title.push_str("\nThis match is rated: no undo, no edits, no hints.");
        }
        if self.has_people() {
            title.push_str("\n`help` lists the commands, `moves` the legal actions.");
        }
        self.print(title)?;
        self.list_problems()
    }

    fn list_problems(&mut self) -> Result<(), Failure> {
        let problems = self.connection.mirror().problems().iter();
        Ok(problems.map(format::problem).try_for_each(|text| self.out.line(text))?)
    }

    /// Tells of one thing the host sent.
    fn handle_message(&mut self, message: &FromHost) -> Result<(), Failure> {
        let FromHost::Notice(notice) = message else { return Ok(()) };
        let declarations = self.declarations();
        match notice {
            Notice::Event(event) => {
                let held = self.connection.mirror().seats();
                if event.action.is_some() && event.entry.seat.is_some_and(|seat| held.contains(seat)) {
                    self.last_action.clone_from(&event.action);
                }
                self.tell(event)?;
            }
            Notice::Hint(report) => self.print(format::hint(report))?,
            Notice::Reloaded { changes, milliseconds, .. } => {
                let changes = if changes.is_empty() {
                    "nothing changed".to_owned()
                } else {
                    changes.join(", ")
                };
                self.print(format!("The rules were read again in {milliseconds} ms: {changes}."))?;
                self.connection.settle()?;
                self.drawn = None;
            }
            Notice::Problems { problems } if problems.is_empty() => self.print("The rules have no problems any more.")?,
            Notice::Problems { problems } => {
                self.print("The changed rules have problems; the old ones stay in force:")?;
                for problem in problems {
                    self.print(format::problem(problem))?;
                }
            }
            Notice::Fault(fault) => self.print(format::fault_aside(fault))?,
            Notice::Chat(line) => self.print(format::chat_line(&declarations, line))?,
            Notice::Offers { offers } => {
                let held = self.connection.mirror().seats();
                let to_here = offers.iter().filter(|offer| offer.waiting.iter().any(|seat| held.contains(seat)));
                for offer in to_here {
                    self.print(format::offer(&declarations, offer))?;
                }
            }
            Notice::Message { text } | Notice::CutOff { reason: text } => self.print(text)?,
            Notice::Thoughts(report) => self.print(format::thoughts(report))?,
            Notice::Paused(report) => self.print(debugger::paused(&declarations, report))?,
            // The mirror knows it, and the next drawing shows it.
            Notice::Clocks { .. }
            | Notice::Resumed { .. }
            | Notice::View(_)
            | Notice::Reveal { .. }
            | Notice::Turn { .. }
            | Notice::Players { .. }
            | Notice::Thinking(_)
            | Notice::ThinkingEnded { .. } => {}
        }
        Ok(())
    }

    fn draw_if_changed(&mut self) -> Result<(), Failure> {
        if self.has_changed() { self.draw() } else { Ok(()) }
    }

    /// Whether another position is to be drawn than the one that was drawn last.
    fn has_changed(&self) -> bool {
        let now = self.state().map(|state| (self.connection.mirror().at(), state.position()));
        now.is_some() && self.drawn != now
    }

    /// Draws the board and says where the match stands.
    fn draw(&mut self) -> Result<(), Failure> {
        self.follow_sitter()?;
        let Some(state) = self.state() else { return Ok(()) };
        let mirror = self.connection.mirror();
        let seat = mirror
            .main_viewer()
            .or_else(|| self.acting_seat())
            .or_else(|| mirror.seats().first());
        self.drawn = Some((mirror.at(), state.position()));
        let looks = match self.connection.ask(Command::Looks { seat })? {
            Reply::Looks(looks) => Some(looks),
            other => {
                self.show_reply(&other)?;
                None
            }
        };
        let text = board::draw(&state, looks.as_deref(), &mut self.style);
        self.out.text(&format!("\n{text}"))?;
        if let Some(outcome) = state.outcome() {
            return self.print(format::outcome(state.declarations(), outcome));
        }
        let status = format::status(&state);
        if let Some(clocks) = self.connection.mirror().clocks() {
            let text = format::clocks(state.declarations(), clocks, Instant::now());
            self.print(text)?;
        }
        let (at, length) = (self.connection.mirror().at(), self.connection.mirror().length());
        self.print(if self.replays {
            format!("{}; {status}.", position_text(at, length))
        } else if at < length {
            format!("{status}; {} later undone.", length - at)
        } else {
            format!("{status}.")
        })
    }
}
