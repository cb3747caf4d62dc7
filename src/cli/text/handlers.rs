//! What each typed command does, and what is shown of the replies of the host.

use super::commands::{COMMANDS, TypedCommand, parse};
use super::{Terminal, WIDTH, format, rule_book};
use crate::cli::Failure;
use crate::cli::output::{counted, spinner};
use boardwright_model::{Action, ActionDeclaration, ActionId, Domain, Pick, RefusalCode, SeatId};
use boardwright_protocol::{Command, FromHost, LegalAction, Notice, OfferKind, Reply, StepKind};
use boardwright_rules::flow;

/// A list with more actions than this is shown in groups.
const LONG_LIST: usize = 30;
/// How many domains are asked for at most to see whether an action that is not listed is legal.
const MOST_ASKED: usize = 40;

impl Terminal<'_> {
    /// Does what was said. False to end.
    pub(super) fn handle_line(&mut self, line: &str) -> Result<bool, Failure> {
        let declarations = self.declarations();
        let command = parse(line, &declarations);
        if self.stops_repeating(&command) {
            self.print("Repeating has stopped.")?;
        }
        if let Some(typed) = self.picking.take() {
            match command {
                TypedCommand::Nothing => return self.print("Action cancelled.").map(|()| true),
                TypedCommand::Odds(None) => {
                    self.odds(Some(&typed))?;
                    self.picking = Some(typed);
                    return Ok(true);
                }
                TypedCommand::Act(next) => return self.pick(&typed, &next).map(|()| true),
                // What leads elsewhere ends what is being picked.
                TypedCommand::Again(_)
                | TypedCommand::Undo(_)
                | TypedCommand::Redo(_)
                | TypedCommand::Branch
                | TypedCommand::Promote(_)
                | TypedCommand::Delete(_)
                | TypedCommand::Go(_)
                | TypedCommand::Quit => {}
                TypedCommand::Moves
                | TypedCommand::Board
                | TypedCommand::Describe
                | TypedCommand::History
                | TypedCommand::Hint(_)
                | TypedCommand::Odds(Some(_))
                | TypedCommand::Pause(_)
                | TypedCommand::Save(_)
                | TypedCommand::Problems
                | TypedCommand::Ask(_)
                | TypedCommand::Accept
                | TypedCommand::Decline
                | TypedCommand::Withdraw
                | TypedCommand::Break(_)
                | TypedCommand::Inspect(_)
                | TypedCommand::Poses(_)
                | TypedCommand::Help(_)
                | TypedCommand::Wrong(_) => self.picking = Some(typed),
            }
        }
        match command {
            TypedCommand::Act(_)
            | TypedCommand::Again(_)
            | TypedCommand::Branch
            | TypedCommand::Promote(_)
            | TypedCommand::Delete(_)
            | TypedCommand::Pause(_)
            | TypedCommand::Accept
            | TypedCommand::Decline
            | TypedCommand::Withdraw
            | TypedCommand::Ask(Command::Edit { .. } | Command::Assign { .. } | Command::Resign { .. } | Command::Offer { .. })
                if self.replays =>
            {
                self.print("This match is only looked at; `boardwright play --text --load FILE` plays it on.")?;
            }
            TypedCommand::Nothing if self.replays && self.connection.mirror().at() == self.connection.mirror().length() => {
                self.print("That was the last action.")?;
            }
            TypedCommand::Nothing if self.replays => drop(self.rewind(Command::Redo)?),
            TypedCommand::Nothing => {}
            TypedCommand::Act(typed) => self.act(&typed)?,
            TypedCommand::Again(typed) => self.repeat_action(&typed)?,
            TypedCommand::Moves => self.moves()?,
            TypedCommand::Board => self.draw()?,
            TypedCommand::Describe => self.describe()?,
            TypedCommand::Undo(count) => self.rewind_often(&Command::Undo, count)?,
            TypedCommand::Redo(count) => self.rewind_often(&Command::Redo, count)?,
            TypedCommand::Go(number) => self.go(number)?,
            TypedCommand::Branch => self.branch()?,
            TypedCommand::Promote(number) => self.promote(number)?,
            TypedCommand::Delete(number) => self.ask(Command::DeleteVariation { variation: number - 1 })?,
            TypedCommand::History => self.history()?,
            TypedCommand::Hint(player) => self.hint(player)?,
            TypedCommand::Odds(action) => self.odds(action.as_deref())?,
            TypedCommand::Pause(false) if self.connection.mirror().paused_strategy().is_some() => {
                let kind = StepKind::Continue;
                self.ask(Command::Step { kind })?;
            }
            TypedCommand::Pause(paused) => self.ask(Command::Pause { paused })?,
            TypedCommand::Save(file) => {
                let file = file.or_else(|| self.file.clone());
                self.save(file, false)?;
            }
            TypedCommand::Problems => self.problems()?,
            TypedCommand::Accept => self.answer_offer(|offer| Command::Accept { offer })?,
            TypedCommand::Decline => self.answer_offer(|offer| Command::Decline { offer })?,
            TypedCommand::Withdraw => {
                let held = self.connection.mirror().seats();
                let own = self.connection.mirror().offers().iter().find(|offer| held.contains(offer.seat));
                match own.map(|own| own.offer) {
                    Some(offer) => self.ask(Command::Withdraw { offer })?,
                    None => self.print("You have offered nothing.")?,
                }
            }
            TypedCommand::Ask(command) => self.ask(command)?,
            TypedCommand::Break(point) => self.toggle_break_point(point)?,
            TypedCommand::Inspect(expression) => self.toggle_inspected(expression)?,
            TypedCommand::Poses(kind) => self.poses(&kind)?,
            TypedCommand::Help(rule) => self.help(rule.as_deref())?,
            TypedCommand::Quit => return Ok(false),
            TypedCommand::Wrong(text) => self.print(text)?,
        }
        Ok(true)
    }

    /// Answers the offer that waits for a seat held here.
    fn answer_offer(&mut self, answer: impl FnOnce(OfferKind) -> Command) -> Result<(), Failure> {
        let held = self.connection.mirror().seats();
        let mut open = self.connection.mirror().offers().iter();
        let asked = open.find(|offer| offer.waiting.iter().any(|seat| held.contains(seat)));
        match asked.map(|asked| asked.offer) {
            Some(offer) => self.ask(answer(offer)),
            None => self.print("Nothing is offered to you."),
        }
    }

    /// Saves the match; asks before a file is written over that is no save.
    fn save(&mut self, file: Option<String>, overwrite: bool) -> Result<(), Failure> {
        let command = Command::Save {
            file: file.clone(),
            overwrite,
        };
        let reply = self.connection.ask(command)?;
        self.show_reply(&reply)?;
        if matches!(&reply, Reply::Refused(refusal) if refusal.code == RefusalCode::WouldOverwrite) {
            self.to_overwrite = file;
            self.print("`yes` writes over it; what it holds is kept beside it as a backup.")?;
        }
        Ok(())
    }

    fn go(&mut self, number: usize) -> Result<(), Failure> {
        let length = self.connection.mirror().length();
        if number < length {
            return self.rewind(Command::GoTo { position: number + 1 }).map(drop);
        }
        let actions = counted(length.saturating_sub(1), "action");
        self.print(format!("The match has {actions}, and there is no action {number}."))
    }

    fn rewind_often(&mut self, command: &Command, count: usize) -> Result<(), Failure> {
        for _ in 0..count {
            if !self.rewind(command.clone())? {
                break;
            }
        }
        Ok(())
    }

    pub(super) fn ask(&mut self, command: Command) -> Result<(), Failure> {
        let reply = self.connection.ask(command)?;
        self.show_reply(&reply)
    }

    /// Goes back or forth, and tells what was taken back, was done again, or leads to where the match stands now. Whether that was possible.
    pub(super) fn rewind(&mut self, command: Command) -> Result<bool, Failure> {
        let looks = self.replays || matches!(command, Command::GoTo { .. });
        let before = self.connection.mirror().at();
        let reply = self.connection.ask(command)?;
        if matches!(reply, Reply::Done { .. }) {
            let (at, declarations) = (self.connection.mirror().at(), self.declarations());
            let shown = match (looks, at < before) {
                (true, _) => at.saturating_sub(1)..at,
                (false, true) => at..before,
                (false, false) => before..at,
            };
            let entries = self.connection.mirror().history().get(shown).unwrap_or_default();
            if !looks && at < before {
                let texts: Vec<String> = entries.iter().map(|entry| format::event(&declarations, entry)).collect();
                self.print(format!("Undone: {}", texts.join(", ")))?;
            } else {
                let lines: Vec<String> = entries
                    .iter()
                    .flat_map(|entry| format::event_and_turn(&declarations, entry))
                    .collect();
                lines.iter().try_for_each(|line| self.print(line))?;
            }
        }
        self.show_reply(&reply)?;
        Ok(matches!(reply, Reply::Done { .. }))
    }

    /// Says what an answer says, unless it is that all went well.
    pub(super) fn show_reply(&mut self, reply: &Reply) -> Result<(), Failure> {
        match reply {
            Reply::Refused(refusal) => {
                let description = self.connection.mirror().description();
                let has_help = description.is_some_and(|description| !description.help.is_empty());
                self.print(format::refusal(refusal, has_help))
            }
            Reply::Fault(fault) => self.print(format::fault(fault)),
            Reply::Error { message } => self.print(message),
            Reply::Edited { text, .. } if !text.is_empty() => self.print(text),
            Reply::Evaluation { seats } => {
                let text = format::evaluation(&self.declarations(), seats);
                self.print(text)
            }
            Reply::Saved { file } => {
                self.file = Some(file.clone());
                self.print(format!("Saved in {file}."))
            }
            Reply::Exported { file, left_out } => {
                let notes: String = left_out.iter().map(|note| format!("\n  {note}")).collect();
                self.print(format!("The scenario is in {file}.{notes}"))
            }
            // All went well, or whoever asked shows it.
            Reply::Edited { .. }
            | Reply::Done { .. }
            | Reply::Welcome { .. }
            | Reply::Description(_)
            | Reply::View(_)
            | Reply::Looks(_)
            | Reply::Domain { .. }
            | Reply::Preview(_)
            | Reply::Legal { .. }
            | Reply::HeatMap { .. }
            | Reply::Odds { .. }
            | Reply::Problems { .. }
            | Reply::History(_)
            | Reply::Statistics(_)
            | Reply::ChatLog { .. } => Ok(()),
        }
    }

    pub(super) fn moves(&mut self) -> Result<(), Failure> {
        let actions = self.legal()?;
        let unlisted = self.unlisted(&actions)?;
        let asides = self.asides()?;
        let mut texts: Vec<&str> = actions.iter().map(|action| action.notation.as_str()).collect();
        texts.dedup();
        if texts.is_empty() && unlisted.is_empty() && asides.is_empty() {
            self.print("Nothing can be done now.")?;
            let mirror = self.connection.mirror();
            return match self.acting_seat().filter(|_| mirror.at() == mirror.length()) {
                Some(_) => self.print("The rules leave no action: `undo` goes back, `edit turn NAME` goes on with the turn of a seat."),
                None => Ok(()),
            };
        }
        if !texts.is_empty() {
            self.print(format!("{}:", counted(texts.len(), "action")))?;
            self.list_actions(&actions)?;
        }
        for name in unlisted {
            self.print(format!(
                "{name}: not listed, because there are too many ways to do it; type `{name}` and its picks."
            ))?;
        }
        if !asides.is_empty() {
            self.print("Beside the play, with what to pick for them:")?;
        }
        for aside in asides {
            self.print(format!("  {aside}"))?;
        }
        Ok(())
    }

    /// The names of actions that are legal although none of them is among those that are listed.
    fn unlisted(&mut self, listed: &[LegalAction]) -> Result<Vec<String>, Failure> {
        let is_listed = |action| listed.iter().any(|legal| legal.action.action == action);
        let others = self.possible(|declared, action| !declared.is_aside && !is_listed(action))?;
        Ok(others.iter().map(|declared| declared.name.to_string()).collect())
    }

    /// How the actions beside the play are typed that are legal now, which no list has: `go_to UNIT TO`.
    fn asides(&mut self) -> Result<Vec<String>, Failure> {
        let asides = self.possible(|declared, _| declared.is_aside)?;
        let picks = |declared: &ActionDeclaration| {
            declared
                .picks
                .iter()
                .map(|pick| format!(" {}", pick.name.to_uppercase()))
                .collect::<String>()
        };
        Ok(asides
            .iter()
            .map(|declared| format!("{}{}", declared.name, picks(declared)))
            .collect())
    }

    /// Those of some actions that are legal in some way.
    fn possible(&mut self, is_asked: impl Fn(&ActionDeclaration, ActionId) -> bool) -> Result<Vec<ActionDeclaration>, Failure> {
        let (Some(state), Some(seat)) = (self.state(), self.acting_seat()) else {
            return Ok(Vec::new());
        };
        let mut possible = Vec::new();
        for action in flow::fitting(&state, seat) {
            let declared = state.declarations().action(action).filter(|declared| is_asked(declared, action));
            if let Some(declared) = declared
                && self.can_be_finished(seat, action, &mut Vec::new(), &mut { MOST_ASKED })?
            {
                possible.push(declared.clone());
            }
        }
        Ok(possible)
    }

    /// Whether picks that were made lead to an action. Where that is not found out with the domains that may still be asked for, it is said
    /// that they do.
    fn can_be_finished(&mut self, seat: SeatId, action: ActionId, picks: &mut Vec<Pick>, left: &mut usize) -> Result<bool, Failure> {
        if *left == 0 {
            return Ok(true);
        }
        *left -= 1;
        let command = Command::Domain {
            seat,
            action,
            picks: picks.clone(),
        };
        let Reply::Domain { domain, .. } = self.connection.ask(command)? else {
            return Ok(false);
        };
        let Some(domain) = domain.filter(|domain| !matches!(domain, Domain::Text { .. })) else {
            return Ok(true);
        };
        for pick in domain.picks(MOST_ASKED) {
            picks.push(pick);
            let can_be = self.can_be_finished(seat, action, picks, left)?;
            picks.pop();
            if can_be {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A short list in columns, a longer one in groups.
    fn list_actions(&mut self, actions: &[LegalAction]) -> Result<(), Failure> {
        let all = condensed(actions);
        if all.len() <= LONG_LIST {
            return Ok(self.out.text(&format::columns(&all, WIDTH))?);
        }
        let mirror = self.connection.mirror();
        let groups: Vec<(String, Vec<String>)> = by_beginning(actions)
            .into_iter()
            .filter_map(|(begun, actions)| {
                let view = mirror.view(Some(begun.seat)).or_else(|| mirror.main_view())?;
                Some((flow::plain_notation(view, &begun), condensed(actions)))
            })
            .collect();
        for (beginning, texts) in groups {
            if texts == [beginning.as_str()] {
                self.print(beginning)?;
                continue;
            }
            self.print(format!("{beginning}:"))?;
            self.out.text(&format::columns(&texts, WIDTH))?;
        }
        Ok(())
    }

    pub(super) fn history(&mut self) -> Result<(), Failure> {
        let (declarations, mirror) = (self.declarations(), self.connection.mirror());
        for entry in mirror.history() {
            let mut lines = format::event_and_turn(&declarations, entry);
            if let Some(first) = lines.first_mut().filter(|_| entry.event >= mirror.at()) {
                first.push_str("  (undone)");
            }
            self.out.line(format!("{:>4}  {}", entry.event, lines.join("\n      ")))?;
        }
        for (index, variation) in self.connection.mirror().variations().iter().enumerate() {
            let texts: Vec<String> = variation.iter().map(|entry| format::event(&declarations, entry)).collect();
            let after = variation.first().map_or(0, |first| first.event.saturating_sub(1));
            self.out
                .line(format!("Variation {} after {after}: {}", index + 1, texts.join(", ")))?;
        }
        Ok(())
    }

    /// What is played, by whom, with which options, and what can be done in it.
    pub(super) fn describe(&mut self) -> Result<(), Failure> {
        self.title()?;
        let (declarations, state) = (self.declarations(), self.state());
        if let Some(description) = self.connection.mirror().description() {
            let id = format!("{}/{}", description.ruleset, description.scenario);
            self.print(format!("Played as {id}, on the map {}.", description.map.title))?;
        }
        let options = state.iter().flat_map(|state| state.options().iter()).zip(&declarations.options);
        let options: Vec<String> = options.map(|(value, option)| format!("{}={value}", option.name)).collect();
        if !options.is_empty() {
            self.print(format::wrapped(&format!("Options: {}", options.join(", ")), WIDTH))?;
        }
        self.print("Actions:")?;
        for action in &declarations.actions {
            let picks = action.picks.iter().map(|pick| format!(" {}", pick.name.to_uppercase()));
            let rule = if action.rule.is_empty() {
                String::new()
            } else {
                format!("  (rule {})", action.rule)
            };
            self.print(format!("  {}{}{rule}", action.name, picks.collect::<String>()))?;
        }
        Ok(())
    }

    pub(super) fn hint(&mut self, player: Option<String>) -> Result<(), Failure> {
        let reply = self.connection.ask(Command::Hint {
            player,
            milliseconds: None,
        })?;
        if !matches!(reply, Reply::Done { .. }) {
            return self.show_reply(&reply);
        }
        self.out.flush()?;
        let bar = spinner("thinking");
        loop {
            let Some(message) = self.connection.poll(None)? else { continue };
            let is_answer = matches!(&message, FromHost::Notice(Notice::Hint(_) | Notice::Message { .. }));
            if is_answer {
                bar.finish_and_clear();
            }
            self.handle_message(&message)?;
            if is_answer {
                return Ok(());
            }
        }
    }

    pub(super) fn problems(&mut self) -> Result<(), Failure> {
        if self.connection.mirror().problems().is_empty() {
            return self.print("The rules have no problems.");
        }
        self.list_problems()
    }

    pub(super) fn help(&mut self, rule: Option<&str>) -> Result<(), Failure> {
        let description = self.connection.mirror().description().cloned();
        let pages = description.as_ref().map_or(&[][..], |description| &description.help);
        if let Some(rule) = rule {
            return match rule_book::look_up(pages, rule) {
                Some(text) => self.print(format::wrapped(&rule_book::plain(&text), WIDTH)),
                None if pages.is_empty() => self.print("This ruleset brings no rule book."),
                None => self.print(format!("The rule book has nothing under {rule}.")),
            };
        }
        self.print("Write an action in the notation that `moves` shows, or in words; what is missing is asked for. Or:")?;
        self.out.text(COMMANDS)?;
        if !pages.is_empty() {
            let titles: Vec<&str> = pages.iter().map(|page| page.title.as_str()).collect();
            self.print(format::wrapped(&format!("The rule book has: {}", titles.join(", ")), WIDTH))?;
        }
        Ok(())
    }
}

/// Whether something said while others play does not wait until it is the person's turn.
pub(super) fn is_immediate(command: &TypedCommand) -> bool {
    !matches!(
        command,
        TypedCommand::Nothing
            | TypedCommand::Act(_)
            | TypedCommand::Again(_)
            | TypedCommand::Moves
            | TypedCommand::Hint(_)
            | TypedCommand::Redo(_)
    )
}

/// Where a replay stands: `Action 3 of 12`.
pub(super) fn position_text(at: usize, length: usize) -> String {
    match (at.saturating_sub(1), length.saturating_sub(1)) {
        (0, all) => format!("Before the first of {}", counted(all, "action")),
        (action, all) => format!("Action {action} of {all}"),
    }
}

/// A long list of actions in groups, each with what its actions begin with: the action, and its first pick too where that leaves a
/// list that is still long, and groups that are worth a line.
fn by_beginning(actions: &[LegalAction]) -> Vec<(Action, &[LegalAction])> {
    let begun = |group: &[LegalAction], picks: usize| -> Option<Action> {
        let mut begun = group.first()?.action.clone();
        begun.picks.truncate(picks);
        Some(begun)
    };
    let mut groups = Vec::new();
    for same_action in actions.chunk_by(|one, next| one.action.action == next.action.action) {
        let by_pick: Vec<&[LegalAction]> = same_action
            .chunk_by(|one, next| one.action.picks.first() == next.action.picks.first())
            .collect();
        if same_action.len() > LONG_LIST && by_pick.len() > 1 && by_pick.len() * 3 <= same_action.len() {
            groups.extend(by_pick.into_iter().filter_map(|group| Some((begun(group, 1)?, group))));
        } else {
            groups.extend(begun(same_action, 0).map(|action| (action, same_action)));
        }
    }
    groups
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
                let ends = number(first).zip(number(last)).zip(front(first));
                texts.extend(ends.map(|((least, most), front)| format!("{front}{least}..{most}")));
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
    use boardwright_model::{ActionId, CellId, SeatId};

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
    fn a_long_list_is_grouped_by_what_its_actions_begin_with() {
        let many: Vec<LegalAction> = (1..=20).flat_map(|armies| [places(0, armies), places(1, armies)]).collect();
        let mut sorted = many.clone();
        sorted.sort_by(|one, other| one.action.cmp(&other.action));
        let groups = by_beginning(&sorted);
        assert_eq!(groups.iter().map(|(_, actions)| actions.len()).collect::<Vec<_>>(), [20, 20]);
        assert_eq!(groups[0].0.picks.as_slice(), [Pick::Cell(CellId(0))]);
        // Groups of one say nothing.
        let single: Vec<LegalAction> = (0..2).map(|cell| places(cell, 1)).collect();
        assert_eq!(by_beginning(&single).len(), 1);
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
