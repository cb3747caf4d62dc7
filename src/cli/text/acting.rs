//! Acting in words.

use super::{MOST_OFFERED, Table, WIDTH, tell};
use crate::cli::Failure;
use crate::client::messages::{Command, LegalAction, Reply};
use crate::rules::{Refusal, RefusalCode};

impl Table<'_> {
    pub(super) fn legal(&mut self) -> Result<Vec<LegalAction>, Failure> {
        match self.connection.ask(Command::Legal { seat: None })? {
            Reply::Legal { actions, .. } => Ok(actions),
            _ => Ok(Vec::new()),
        }
    }

    /// The words that can follow some words of an action, and how many actions that leaves.
    pub(super) fn options(&mut self, words: &str) -> Result<(Vec<String>, usize), Failure> {
        let begun = format!("{words} ");
        let mut options: Vec<String> = Vec::new();
        let mut count = 0;
        for action in self.legal()? {
            if let Some(next) = action.text.strip_prefix(&begun).and_then(|rest| rest.split(' ').next()) {
                count += 1;
                if !options.iter().any(|known| known == next) {
                    options.push(next.to_owned());
                }
            }
        }
        Ok((options, count))
    }

    pub(super) fn play(&mut self, words: &str) -> Result<Reply, Failure> {
        Ok(self.connection.ask(Command::Play {
            text: words.to_owned(),
            seat: None,
            at: None,
            drop_later: self.drops,
        })?)
    }

    /// Acts in words. What is missing is asked for.
    pub(super) fn act(&mut self, words: &str) -> Result<(), Failure> {
        let mut words = words.to_owned();
        let mut reply = self.play(&words)?;
        if let Reply::Refused(refusal) = &reply
            && refusal.code == RefusalCode::UnknownAction
            && let Some(only) = self.only_action()
        {
            // With a single action its name goes without saying.
            let named = format!("{only} {words}");
            let again = self.play(&named)?;
            if is_understood(&again) {
                words = named;
                reply = again;
            }
        }
        self.acted(words, &reply)
    }

    /// Takes a line while something is still to be picked: it is the pick, or else an action of its own.
    pub(super) fn pick(&mut self, words: &str, line: &str) -> Result<(), Failure> {
        let longer = format!("{words} {line}");
        let reply = self.play(&longer)?;
        if is_understood(&reply) {
            return self.acted(longer, &reply);
        }
        let other = self.play(line)?;
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
                self.out.text(&tell::columns(&options, WIDTH))?;
            }
            self.picking = Some(words);
            return Ok(());
        }
        if matches!(reply, Reply::Done { .. }) {
            self.drops = false;
        }
        self.answered(reply)?;
        let would_drop = matches!(reply, Reply::Refused(refusal) if refusal.code == RefusalCode::Policy);
        if would_drop && self.connection.mirror().at() < self.connection.mirror().length() {
            self.say("`drop` forgets what was taken back, `redo` does it again.")?;
        }
        Ok(())
    }

    /// The name of the only action that can be asked now.
    pub(super) fn only_action(&self) -> Option<String> {
        let state = self.state()?;
        let mirror = self.connection.mirror();
        let seat = state.acting().iter().find(|seat| mirror.seats().contains(*seat))?;
        let mut offered = crate::rules::flow::offered(&state, seat);
        let only = offered.next().filter(|_| offered.next().is_none())?;
        Some(state.frame().action(only)?.name.to_string())
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
