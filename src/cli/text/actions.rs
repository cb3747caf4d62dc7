//! Actions as they are typed: submitted, picked step by step, and repeated until what they began is decided.

use std::time::Duration;

use super::commands::{TypedCommand, command_words};
use super::line_reader::Input;
use super::{LISTEN_AFTER, MOST_OFFERED, Terminal, WIDTH, format, tray};
use crate::cli::Failure;
use boardwright_client::RepeatedAction;
use boardwright_content::xml::did_you_mean;
use boardwright_model::{Action, PickKind, Refusal, RefusalCode, State};
use boardwright_protocol::{Command, LegalAction, Reply};
use boardwright_rules::flow;

/// What comes of going on.
pub(super) enum Repeat {
    /// It was carried out once more.
    Again,
    /// The person has said something.
    Input(Input),
    /// There is nothing to go on with, or no more of it.
    Over,
}

impl Terminal<'_> {
    pub(super) fn legal(&mut self) -> Result<Vec<LegalAction>, Failure> {
        let seat = self.acting_seat();
        if seat.is_none() && self.has_people() {
            return Ok(Vec::new());
        }
        match self.connection.ask(Command::Legal { seat })? {
            Reply::Legal { actions, .. } => Ok(actions),
            _ => Ok(Vec::new()),
        }
    }

    /// The words that can follow some words of an action, and how many actions that leaves.
    pub(super) fn options(&mut self, typed: &str) -> Result<(Vec<String>, usize), Failure> {
        let mut options: Vec<String> = Vec::new();
        let mut count = 0;
        for legal in self.legal()? {
            let mirror = self.connection.mirror();
            let view = mirror.view(Some(legal.action.seat)).or_else(|| mirror.main_view());
            if let Some(next) = view.and_then(|view| next_pick_text(view, &legal, typed)) {
                count += 1;
                if !options.contains(&next) {
                    options.push(next);
                }
            }
        }
        Ok((options, count))
    }

    pub(super) fn play(&mut self, typed: &str) -> Result<Reply, Failure> {
        Ok(self.connection.ask(Command::Play {
            text: typed.to_owned(),
            seat: None,
            at: None,
        })?)
    }

    /// Acts in words. What is missing is asked for.
    pub(super) fn act(&mut self, typed: &str) -> Result<(), Failure> {
        let mut typed = typed.to_owned();
        let mut reply = self.play(&typed)?;
        if let Reply::Refused(refusal) = &reply
            && refusal.code == RefusalCode::UnknownAction
            && let Some(only) = self.only_action()
        {
            // With a single action its name goes without saying.
            let named = format!("{only} {typed}");
            let again = self.play(&named)?;
            let is_explained = matches!(&again, Reply::Refused(refusal) if refusal.code == RefusalCode::Rule);
            if is_understood(&again) || is_explained {
                typed = named;
                reply = again;
            }
        }
        self.finish_action(typed, &reply)
    }

    /// Takes a line while something is still to be picked: it is the pick, or else an action of its own.
    pub(super) fn pick(&mut self, typed: &str, line: &str) -> Result<(), Failure> {
        let longer = format!("{typed} {line}");
        let reply = self.play(&longer)?;
        if is_understood(&reply) {
            return self.finish_action(longer, &reply);
        }
        let other = self.play(line)?;
        if is_understood(&other) {
            return self.finish_action(line.to_owned(), &other);
        }
        self.show_reply(&reply)?;
        self.print("An empty line lets it be.")?;
        self.picking = Some(typed.to_owned());
        Ok(())
    }

    /// Says what came of an action, and asks for what is missing.
    pub(super) fn finish_action(&mut self, typed: String, reply: &Reply) -> Result<(), Failure> {
        if let Some(asks) = is_unfinished(reply) {
            let (options, count) = self.options(&typed)?;
            self.print(asks)?;
            if !options.is_empty() && count <= MOST_OFFERED {
                self.offer(&typed, &options)?;
            }
            self.picking = Some(typed);
            return Ok(());
        }
        self.show_reply(reply)?;
        if let Reply::Refused(refusal) = reply
            && refusal.code == RefusalCode::UnknownAction
            && let Some(meant) = self.meant(&typed)
        {
            self.print(format!("`help` lists the commands; {meant}"))?;
        }
        Ok(())
    }

    /// The command or action that was probably meant by the first word of a line.
    fn meant(&self, typed: &str) -> Option<String> {
        let word = typed.split_whitespace().next()?.to_lowercase();
        let declarations = self.declarations();
        let commands: Vec<&str> = command_words().collect();
        let actions = declarations.actions.iter().map(|action| &*action.name);
        did_you_mean(&word, commands.into_iter().chain(actions))
    }

    /// What was undone, as text.
    fn later(&self) -> Vec<String> {
        let (declarations, mirror) = (self.declarations(), self.connection.mirror());
        let entries = mirror.history().get(mirror.at()..).unwrap_or_default();
        entries.iter().map(|entry| format::event(&declarations, entry)).collect()
    }

    /// Plays on from here, and says what has become a variation.
    pub(super) fn branch(&mut self) -> Result<(), Failure> {
        let later = self.later();
        if later.is_empty() {
            return self.print("There is nothing to undo.");
        }
        let reply = self.connection.ask(Command::Branch)?;
        if matches!(reply, Reply::Done { .. }) {
            let number = self.connection.mirror().variations().len();
            self.print(format!("Now variation {number}: {}", later.join(", ")))?;
        }
        self.show_reply(&reply)
    }

    /// Makes a variation the line, and draws where it ends.
    pub(super) fn promote(&mut self, number: usize) -> Result<(), Failure> {
        let reply = self.connection.ask(Command::PromoteVariation { variation: number - 1 })?;
        self.show_reply(&reply)?;
        if matches!(reply, Reply::Done { .. }) {
            self.draw()?;
        }
        Ok(())
    }

    /// The name of the only action that can be asked now.
    pub(super) fn only_action(&self) -> Option<String> {
        let state = self.state()?;
        let mut offered = flow::offered(&state, self.acting_seat()?);
        let only = offered.next().filter(|_| offered.next().is_none())?;
        Some(state.declarations().action(only)?.name.to_string())
    }

    /// Offers what can be picked next: poses as they look, anything else in words.
    fn offer(&mut self, typed: &str, options: &[String]) -> Result<(), Failure> {
        let declarations = self.declarations();
        let mut words = typed.split(' ');
        let action = words.next().and_then(|name| declarations.action(declarations.find_action(name)?));
        let picks: Vec<&str> = words.collect();
        let next = action.and_then(|action| action.picks.get(picks.len()));
        let drawn = match (next.map(|pick| pick.kind), picks.last()) {
            (Some(PickKind::Pose), Some(kind)) => tray::poses(&declarations, kind, Some(options), WIDTH),
            _ => None,
        };
        let text = drawn.unwrap_or_else(|| format::columns(options, WIDTH));
        Ok(self.out.text(&text)?)
    }

    /// Shows a piece that has a shape in all its poses.
    pub(super) fn poses(&mut self, kind: &str) -> Result<(), Failure> {
        match tray::poses(&self.declarations(), kind, None, WIDTH) {
            Some(text) => Ok(self.out.text(&text)?),
            None => self.print(format!("There is no piece with a shape that is called {kind:?}.")),
        }
    }

    /// Carries an action out, and goes on with it.
    pub(super) fn repeat_action(&mut self, typed: &str) -> Result<(), Failure> {
        self.last_action = None;
        self.act(typed)?;
        // What came of it is told before its answer, and heard now.
        while let Some(message) = self.connection.poll(Some(Duration::ZERO))? {
            self.handle_message(&message)?;
        }
        let Some(action) = self.last_action.take().filter(|_| self.picking.is_none()) else {
            return Ok(());
        };
        if self.begins_contest(&action) {
            self.repeated = Some(RepeatedAction::new(action));
            Ok(())
        } else {
            self.print("It is done once: only what begins a contest goes on until that is decided.")
        }
    }

    /// Whether something that was said ends what goes on by itself; answers of others do not.
    pub(super) fn stops_repeating(&mut self, command: &TypedCommand) -> bool {
        let is_answer = matches!(command, TypedCommand::Act(_)) && self.repeated.as_ref().is_some_and(|again| self.waits_for_others(again));
        !is_answer && self.repeated.take().is_some()
    }

    /// Whether others are to answer before it goes on.
    fn waits_for_others(&self, again: &RepeatedAction) -> bool {
        self.state().is_some_and(|state| {
            let asks_others = !state.acting().is_empty() && !state.acting().contains(again.action().seat);
            asks_others && state.sequence().decision().is_some()
        })
    }

    fn begins_contest(&self, action: &Action) -> bool {
        let declarations = self.declarations();
        declarations.action(action.action).is_some_and(|declared| declared.begins_contest)
    }

    /// Carries out once more what is to be carried out again, if that is possible. A person at a terminal is heard before.
    pub(super) fn repeat_once(&mut self) -> Result<Repeat, Failure> {
        let Some(again) = self.repeated.clone() else {
            return Ok(Repeat::Over);
        };
        let may_go_on = self.state().is_some_and(|state| {
            let is_open = state.sequence().decision().is_none();
            is_open && state.acting().contains(again.action().seat)
        });
        if !may_go_on {
            // A question to the same seat ends it.
            self.repeated = Some(again).filter(|again| self.waits_for_others(again));
            return Ok(Repeat::Over);
        }
        if self.reader.is_terminal() {
            self.out.flush()?;
            if let Some(heard) = self.reader.next_line("(an empty line stops it) ", LISTEN_AFTER)? {
                return Ok(Repeat::Input(heard));
            }
        }
        let reply = self.connection.ask(again.question())?;
        let next = match &reply {
            Reply::Domain { domain, .. } => again.next(domain.as_ref()),
            _ => None,
        };
        let Some(action) = next else {
            self.repeated = None;
            return Ok(Repeat::Over);
        };
        let submit = Command::Submit {
            action,
            at: self.connection.mirror().at(),
        };
        let reply = self.connection.ask(submit)?;
        if !matches!(reply, Reply::Done { .. }) {
            self.repeated = None;
            self.show_reply(&reply)?;
            return Ok(Repeat::Over);
        }
        Ok(Repeat::Again)
    }
}

/// What is to be picked next, in words, by an action that begins with some words. A name can be more than one word.
fn next_pick_text(view: &State, legal: &LegalAction, typed: &str) -> Option<String> {
    let mut begun = legal.action.clone();
    let mut rest = std::mem::take(&mut begun.picks).into_iter();
    loop {
        let pick = rest.next()?;
        if flow::plain_notation(view, &begun) == typed {
            return Some(flow::pick_text(view, &pick));
        }
        begun.picks.push(pick);
    }
}

/// What is asked for, if an action was refused because something is still to be picked.
fn is_unfinished(reply: &Reply) -> Option<String> {
    let Reply::Refused(Refusal { code, reason, .. }) = reply else {
        return None;
    };
    (*code == RefusalCode::Unfinished).then(|| reason.to_string())
}

/// Whether what was said was an action, or the beginning of one.
fn is_understood(reply: &Reply) -> bool {
    matches!(reply, Reply::Done { .. }) || is_unfinished(reply).is_some()
}
