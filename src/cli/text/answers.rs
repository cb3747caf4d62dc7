//! Answers to what is asked about the match, and what the host answers.

use super::spoken::COMMANDS;
use super::{Table, WIDTH, rule_book, tell};
use crate::cli::Failure;
use crate::cli::output::{counted, spinner};
use crate::client::messages::{Command, FromHost, LegalAction, Notice, Reply};
use crate::model::Pick;

impl Table<'_> {
    /// Says what an answer says, unless it is that all went well.
    pub(super) fn answered(&mut self, reply: &Reply) -> Result<(), Failure> {
        let has_help = self
            .connection
            .mirror()
            .description()
            .is_some_and(|description| !description.help.is_empty());
        match reply {
            Reply::Refused(refusal) => self.say(tell::refusal(refusal, has_help)),
            Reply::Fault(fault) => self.say(tell::fault(fault)),
            Reply::Error { message } => self.say(message),
            Reply::Saved { file } => {
                self.file = Some(file.clone());
                self.say(format!("Saved in {file}."))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn moves(&mut self) -> Result<(), Failure> {
        let actions = self.legal()?;
        let mut texts: Vec<&str> = actions.iter().map(|action| action.notation.as_str()).collect();
        texts.dedup();
        if texts.is_empty() {
            return self.say("Nothing can be done now.");
        }
        self.say(format!("{}:", counted(texts.len(), "action")))?;
        let texts = condensed(&actions);
        Ok(self.out.text(&tell::columns(&texts, WIDTH))?)
    }

    pub(super) fn history(&mut self) -> Result<(), Failure> {
        let frame = self.frame();
        let colour = self.out.has_colour();
        let at = self.connection.mirror().at();
        let entries = self.connection.mirror().history().to_vec();
        for entry in &entries {
            let is_back = entry.event >= at;
            let text = tell::event(&frame, entry, colour);
            self.say(format!("{:>4}  {text}{}", entry.event, if is_back { "  (taken back)" } else { "" }))?;
        }
        Ok(())
    }

    pub(super) fn hint(&mut self, player: Option<String>) -> Result<(), Failure> {
        let reply = self.connection.ask(Command::Hint {
            player,
            milliseconds: None,
        })?;
        if !matches!(reply, Reply::Done { .. }) {
            return self.answered(&reply);
        }
        self.out.flush()?;
        let bar = spinner("thinking");
        loop {
            let Some(message) = self.connection.poll(None)? else { continue };
            let is_answer = matches!(&message, FromHost::Notice(Notice::Hint(_) | Notice::Message { .. }));
            if is_answer {
                bar.finish_and_clear();
            }
            self.tell(&message)?;
            if is_answer {
                return Ok(());
            }
        }
    }

    pub(super) fn problems(&mut self) -> Result<(), Failure> {
        let problems = self.connection.mirror().problems().to_vec();
        if problems.is_empty() {
            return self.say("The rules have no problems.");
        }
        for problem in &problems {
            self.say(tell::problem(problem))?;
        }
        Ok(())
    }

    pub(super) fn help(&mut self, rule: Option<&str>) -> Result<(), Failure> {
        let pages = self
            .connection
            .mirror()
            .description()
            .map(|description| description.help.clone())
            .unwrap_or_default();
        if let Some(rule) = rule {
            return match rule_book::look_up(&pages, rule) {
                Some(text) => self.say(tell::wrapped(&text, WIDTH)),
                None if pages.is_empty() => self.say("This ruleset brings no rule book."),
                None => self.say(format!("The rule book has nothing under {rule}.")),
            };
        }
        self.say("Write an action in the notation that `moves` shows, or in words; what is missing is asked for. Or:")?;
        for (form, what) in COMMANDS {
            self.say(format!("  {form:18} {what}"))?;
        }
        if !pages.is_empty() {
            let titles: Vec<&str> = pages.iter().map(|page| page.title.as_str()).collect();
            self.say(tell::wrapped(&format!("The rule book has: {}", titles.join(", ")), WIDTH))?;
        }
        Ok(())
    }
}

/// Actions in the notation of the ruleset; several that differ only in the number that ends them are told together: `Brazil + 1..21`.
fn condensed(actions: &[LegalAction]) -> Vec<String> {
    let number = |one: &LegalAction| match one.action.picks.last() {
        Some(Pick::Number(number)) => Some(*number),
        _ => None,
    };
    let front = |one: &LegalAction| -> Option<String> { Some(one.notation.strip_suffix(&number(one)?.to_string())?.to_owned()) };
    let follows = |one: &LegalAction, next: &LegalAction| {
        let is_same = one.action.action == next.action.action && front(one).is_some() && front(one) == front(next);
        is_same && number(one).is_some_and(|number_of_one| number(next) == Some(number_of_one + 1))
    };
    let mut texts: Vec<String> = Vec::new();
    for run in actions.chunk_by(follows) {
        match run {
            [first, _, .., last] => {
                let (front, least, most) = (front(first), number(first), number(last));
                let told = front
                    .zip(least.zip(most))
                    .map(|(front, (least, most))| format!("{front}{least}..{most}"));
                texts.extend(told);
            }
            few => texts.extend(few.iter().map(|one| one.notation.clone())),
        }
    }
    texts.dedup();
    texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Action, ActionId, CellId, SeatId};

    fn places(cell: u16, armies: i64) -> LegalAction {
        LegalAction {
            action: Action {
                seat: SeatId(0),
                action: ActionId(0),
                picks: [Pick::Cell(CellId(cell)), Pick::Number(armies)].into_iter().collect(),
            },
            text: String::new(),
            notation: format!("{} + {armies}", ["Peru", "Brazil"][usize::from(cell)]),
        }
    }

    #[test]
    fn numbers_that_follow_one_another_are_told_together() {
        let actions: Vec<LegalAction> = (1..=12)
            .map(|armies| places(0, armies))
            .chain([places(1, 1), places(1, 2)])
            .collect();
        assert_eq!(condensed(&actions), ["Peru + 1..12", "Brazil + 1", "Brazil + 2"]);
        assert_eq!(
            condensed(&[places(0, 1), places(0, 2), places(0, 4)]),
            ["Peru + 1", "Peru + 2", "Peru + 4"]
        );
    }
}
