//! Acting in words.

use super::{MOST_OFFERED, Table, WIDTH, tell, tray};
use crate::cli::Failure;
use crate::client::messages::{Command, LegalAction, Reply};
use crate::model::{PickKind, State};
use crate::rules::{Refusal, RefusalCode, flow};

impl Table<'_> {
    pub(super) fn legal(&mut self) -> Result<Vec<LegalAction>, Failure> {
        match self.connection.ask(Command::Legal { seat: None })? {
            Reply::Legal { actions, .. } => Ok(actions),
            _ => Ok(Vec::new()),
        }
    }

    /// The words that can follow some words of an action, and how many actions that leaves.
    pub(super) fn options(&mut self, words: &str) -> Result<(Vec<String>, usize), Failure> {
        let mut options: Vec<String> = Vec::new();
        let mut count = 0;
        for legal in self.legal()? {
            let view = self
                .connection
                .mirror()
                .view(Some(legal.action.seat))
                .cloned()
                .or_else(|| self.state());
            if let Some(next) = view.and_then(|view| next_words(&view, &legal, words)) {
                count += 1;
                if !options.contains(&next) {
                    options.push(next);
                }
            }
        }
        Ok((options, count))
    }

    pub(super) fn play(&mut self, words: &str, drop_later: bool) -> Result<Reply, Failure> {
        Ok(self.connection.ask(Command::Play {
            text: words.to_owned(),
            seat: None,
            at: None,
            drop_later,
        })?)
    }

    /// Acts in words. What is missing is asked for.
    pub(super) fn act(&mut self, words: &str) -> Result<(), Failure> {
        let mut words = words.to_owned();
        let mut reply = self.play(&words, false)?;
        if let Reply::Refused(refusal) = &reply
            && refusal.code == RefusalCode::UnknownAction
            && let Some(only) = self.only_action()
        {
            // With a single action its name goes without saying.
            let named = format!("{only} {words}");
            let again = self.play(&named, false)?;
            let is_explained = matches!(&again, Reply::Refused(refusal) if refusal.code == RefusalCode::Rule);
            if is_understood(&again) || is_explained {
                words = named;
                reply = again;
            }
        }
        self.acted(words, &reply)
    }

    /// Takes a line while something is still to be picked: it is the pick, or else an action of its own.
    pub(super) fn pick(&mut self, words: &str, line: &str) -> Result<(), Failure> {
        let longer = format!("{words} {line}");
        let reply = self.play(&longer, false)?;
        if is_understood(&reply) {
            return self.acted(longer, &reply);
        }
        let other = self.play(line, false)?;
        if is_understood(&other) {
            return self.acted(line.to_owned(), &other);
        }
        self.answered(&reply)?;
        self.say("An empty line picks nothing.")?;
        self.picking = Some(words.to_owned());
        Ok(())
    }

    /// Says what came of an action, and asks for what is missing.
    pub(super) fn acted(&mut self, words: String, reply: &Reply) -> Result<(), Failure> {
        if let Some(asks) = is_unfinished(reply) {
            let (options, count) = self.options(&words)?;
            self.say(asks)?;
            if !options.is_empty() && count <= MOST_OFFERED {
                self.offer(&words, &options)?;
            }
            self.picking = Some(words);
            return Ok(());
        }
        let later = self.later();
        if matches!(reply, Reply::Refused(refusal) if refusal.code == RefusalCode::Policy) && !later.is_empty() {
            self.say(format!("This would forget what was taken back: {}", later.join(", ")))?;
            self.say("`yes` forgets it and acts, `redo` does it again.")?;
            self.doubtful = Some(words);
            return Ok(());
        }
        self.answered(reply)
    }

    /// What was taken back, in words.
    fn later(&self) -> Vec<String> {
        let (frame, mirror) = (self.frame(), self.connection.mirror());
        let entries = mirror.history().get(mirror.at()..).unwrap_or_default();
        entries
            .iter()
            .map(|entry| tell::event(&frame, entry, self.out.has_colour()))
            .collect()
    }

    /// Forgets what was taken back, and says what that was.
    pub(super) fn drop_later(&mut self) -> Result<(), Failure> {
        let later = self.later();
        if later.is_empty() {
            return self.say("Nothing is taken back.");
        }
        let reply = self.connection.ask(Command::DropLater)?;
        if matches!(reply, Reply::Done { .. }) {
            self.say(format!("Forgotten: {}", later.join(", ")))?;
        }
        self.answered(&reply)
    }

    /// The name of the only action that can be asked now.
    pub(super) fn only_action(&self) -> Option<String> {
        let state = self.state()?;
        let mirror = self.connection.mirror();
        let seat = state.acting().iter().find(|seat| mirror.seats().contains(*seat))?;
        let mut offered = flow::offered(&state, seat);
        let only = offered.next().filter(|_| offered.next().is_none())?;
        Some(state.frame().action(only)?.name.to_string())
    }

    /// Offers what can be picked next: poses as they look, anything else in words.
    fn offer(&mut self, words: &str, options: &[String]) -> Result<(), Failure> {
        let frame = self.frame();
        let mut said = words.split(' ');
        let action = said.next().and_then(|name| frame.action(frame.find_action(name)?));
        let picks: Vec<&str> = said.collect();
        let next = action.and_then(|action| action.picks.get(picks.len()));
        let drawn = match (next.map(|pick| pick.kind), picks.last()) {
            (Some(PickKind::Pose), Some(kind)) => tray::poses(&frame, kind, Some(options), WIDTH),
            _ => None,
        };
        let text = drawn.unwrap_or_else(|| tell::columns(options, WIDTH));
        Ok(self.out.text(&text)?)
    }

    /// Shows a piece that has a shape in all its poses.
    pub(super) fn poses(&mut self, kind: &str) -> Result<(), Failure> {
        match tray::poses(&self.frame(), kind, None, WIDTH) {
            Some(text) => Ok(self.out.text(&text)?),
            None => self.say(format!("There is no piece with a shape that is called {kind:?}.")),
        }
    }
}

/// What is to be picked next, in words, by an action that begins with some words. A name can be more than one word.
fn next_words(view: &State, legal: &LegalAction, words: &str) -> Option<String> {
    let mut begun = legal.action.clone();
    let mut rest = std::mem::take(&mut begun.picks).into_iter();
    loop {
        let pick = rest.next()?;
        if flow::plain_notation(view, &begun) == words {
            return Some(flow::pick_text(view, &pick));
        }
        begun.picks.push(pick);
    }
}

/// What is still to be picked, if that is why an action was refused.
fn is_unfinished(reply: &Reply) -> Option<String> {
    let Reply::Refused(Refusal { code, reason, .. }) = reply else {
        return None;
    };
    let asks = reason.strip_prefix("something is still to be picked: ")?;
    (*code == RefusalCode::WrongPicks).then(|| asks.to_owned())
}

/// Whether what was said was an action, or the beginning of one.
fn is_understood(reply: &Reply) -> bool {
    matches!(reply, Reply::Done { .. }) || is_unfinished(reply).is_some()
}
