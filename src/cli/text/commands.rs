//! What a person at the terminal can say.

use super::debugger::{attach, break_point, step};
use super::format::seat_names;
use boardwright_model::{Declarations, SeatId};
use boardwright_protocol::{BreakPoint, Command, OfferKind};

/// Something said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TypedCommand {
    /// Nothing.
    Nothing,
    /// An action, in words.
    Act(String),
    /// An action that is carried out until what it began is decided.
    Again(String),
    Moves,
    Board,
    Describe,
    /// So many actions.
    Undo(usize),
    Redo(usize),
    /// Play on from here.
    Branch,
    /// Make a variation the line, by its number from 1.
    Promote(usize),
    /// Delete a variation, by its number from 1.
    Delete(usize),
    Go(usize),
    History,
    Hint(Option<String>),
    /// The odds of an action, in words; of the one that is being picked without them.
    Odds(Option<String>),
    Pause(bool),
    Save(Option<String>),
    Problems,
    /// Accept, decline or withdraw the offer that is open.
    Accept,
    Decline,
    Withdraw,
    /// What the host does by itself, and answers with a few words at most.
    Ask(Command),
    /// Put a break point, or take it away; none: list them.
    Break(Option<BreakPoint>),
    /// Watch an expression, or no longer; none: list them.
    Inspect(Option<String>),
    /// A piece by its kind, to be shown in its poses.
    Poses(String),
    Help(Option<String>),
    Quit,
    /// Something that is not understood, with what to write.
    Wrong(String),
}

/// The commands as `help` lists them: a command a line, with what it does.
pub(super) const COMMANDS: &str = include_str!("commands.txt");

/// The words that commands begin with.
pub(super) fn command_words() -> impl Iterator<Item = &'static str> {
    COMMANDS
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .map(|word| word.trim_end_matches(','))
}

/// Understands a line. What is no command is an action.
pub(super) fn parse(line: &str, declarations: &Declarations) -> TypedCommand {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let text = || rest.to_owned();
    let given = || (!rest.is_empty()).then(text);
    let parsed = match (word.to_lowercase().as_str(), rest) {
        ("", _) => Ok(TypedCommand::Nothing),
        ("moves" | "legal" | "actions", "") => Ok(TypedCommand::Moves),
        ("board", "") => Ok(TypedCommand::Board),
        ("describe", "") => Ok(TypedCommand::Describe),
        ("resign", "") => Ok(TypedCommand::Ask(Command::Resign { seat: None })),
        // An action of the ruleset may be called so as well.
        ("offer", _) if declarations.find_action("offer").is_some() && offer(rest).is_err() => Ok(TypedCommand::Act(line.to_owned())),
        ("offer", _) => offer(rest).map(TypedCommand::Ask),
        ("accept", "") => Ok(TypedCommand::Accept),
        ("decline", "") => Ok(TypedCommand::Decline),
        ("withdraw", "") => Ok(TypedCommand::Withdraw),
        ("undo", _) => count(rest, "undo").map(TypedCommand::Undo),
        ("redo", _) => count(rest, "redo").map(TypedCommand::Redo),
        ("branch", "") => Ok(TypedCommand::Branch),
        ("history", "") => Ok(TypedCommand::History),
        ("pause", "") => Ok(TypedCommand::Pause(true)),
        ("continue", "") => Ok(TypedCommand::Pause(false)),
        ("problems", "") => Ok(TypedCommand::Problems),
        ("quit" | "exit", "") => Ok(TypedCommand::Quit),
        ("reload", "") => Ok(TypedCommand::Ask(Command::Reload)),
        ("stop", "") => Ok(TypedCommand::Ask(Command::Stop)),
        ("interrupt", "") => Ok(TypedCommand::Ask(Command::DebugPause)),
        ("watch", "" | "on" | "off") => Ok(TypedCommand::Ask(Command::Watch { watched: rest != "off" })),
        ("edit", _) => Ok(TypedCommand::Ask(Command::Edit { text: text() })),
        ("seat", _) => assign(rest, declarations).map(TypedCommand::Ask),
        ("attach", _) => attach(rest, declarations).map(TypedCommand::Ask),
        ("step", _) => step(rest).map(TypedCommand::Ask),
        ("break", "") => Ok(TypedCommand::Break(None)),
        ("break", _) => break_point(rest).map(|point| TypedCommand::Break(Some(point))),
        ("inspect", _) => Ok(TypedCommand::Inspect(given())),
        ("hint", _) => Ok(TypedCommand::Hint(given())),
        ("odds", _) => Ok(TypedCommand::Odds(given())),
        ("save", _) => Ok(TypedCommand::Save(given())),
        ("scenario", _) => {
            let (file, overwrite) = match rest.strip_suffix(" overwrite") {
                Some(file) => (Some(file.trim().to_owned()), true),
                None => (given(), false),
            };
            Ok(TypedCommand::Ask(Command::ExportScenario { file, overwrite }))
        }
        ("help" | "?", _) => Ok(TypedCommand::Help(given())),
        ("variation", _) => variation(rest),
        ("go", _) => match rest.parse() {
            Ok(number) => Ok(TypedCommand::Go(number)),
            Err(_) => Err("go where? Write the number of an action, as in `go 12`".to_owned()),
        },
        (_, "") => Ok(TypedCommand::Act(line.to_owned())),
        ("evaluate", _) => Ok(TypedCommand::Ask(Command::Evaluate { strategy: text() })),
        ("say", _) => say(rest, declarations).map(TypedCommand::Ask),
        ("poses", _) => Ok(TypedCommand::Poses(text())),
        ("again", _) => Ok(TypedCommand::Again(text())),
        ("act", _) => Ok(TypedCommand::Act(text())),
        _ => Ok(TypedCommand::Act(line.to_owned())),
    };
    parsed.unwrap_or_else(TypedCommand::Wrong)
}

/// How often `undo` or `redo` is meant.
fn count(rest: &str, word: &str) -> Result<usize, String> {
    match rest.parse() {
        _ if rest.is_empty() => Ok(1),
        Ok(count) if count > 0 => Ok(count),
        _ => Err(format!(
            "how many actions? Write a number, as in `{word} 2`, or `{word}` for the last one"
        )),
    }
}

fn offer(rest: &str) -> Result<Command, String> {
    let found = OfferKind::ALL.iter().find(|(_, word)| *word == rest);
    match found {
        Some((offer, _)) => Ok(Command::Offer { offer: *offer, seat: None }),
        None => Err("what do you offer? Write `offer draw`, `offer undo` to ask whether your last action may be undone, or `offer wait` to vote for waiting".to_owned()),
    }
}

fn variation(rest: &str) -> Result<TypedCommand, String> {
    let (number, deletes) = match rest.strip_suffix("delete") {
        Some(number) => (number.trim_end(), true),
        None => (rest, false),
    };
    match number.parse() {
        Ok(number) if number > 0 && deletes => Ok(TypedCommand::Delete(number)),
        Ok(number) if number > 0 => Ok(TypedCommand::Promote(number)),
        _ => Err("which variation? Write its number as `history` lists it, as in `variation 1` or `variation 1 delete`".to_owned()),
    }
}

/// Words for one seat begin with its name and a colon. One word and a colon that is no name is refused: what was meant for one would be
/// heard by all.
fn say(rest: &str, declarations: &Declarations) -> Result<Command, String> {
    let (to, text) = match rest.split_once(':') {
        None => (None, rest),
        Some((name, text)) => {
            let is_called = |text: &str| text.to_lowercase() == name.trim().to_lowercase();
            let found = declarations
                .seats
                .iter()
                .position(|seat| is_called(&seat.name) || is_called(&seat.title));
            match found {
                Some(index) => (Some(SeatId::from_index(index)), text.trim()),
                None if is_called("all") => (None, text.trim()),
                None if name.trim().contains(' ') => (None, rest),
                None => {
                    let (name, names) = (name.trim(), seat_names(declarations));
                    return Err(format!(
                        "there is no seat {name}; there are {names}. `say all: {rest}` says it to everyone"
                    ));
                }
            }
        }
    };
    let text = text.to_owned();
    Ok(Command::Say { text, from: None, to })
}

fn assign(rest: &str, declarations: &Declarations) -> Result<Command, String> {
    let Some((name, player)) = rest.split_once('=') else {
        let first = declarations.seats.first().map_or("red", |seat| &seat.name);
        return Err(format!("who plays which seat? Write it as in `seat {first}=search:3`"));
    };
    let (name, player) = (name.trim(), player.trim().to_owned());
    match declarations.find_seat(name) {
        Some(seat) => Ok(Command::Assign { seat, player }),
        None => Err(format!("there is no seat {name}; there are {}", seat_names(declarations))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_rules::Rules as _;

    #[test]
    fn what_is_no_command_is_an_action() {
        let rules = boardwright_fixtures::Race::default();
        let says = |line: &str| parse(line, rules.declarations());
        let message = |to, text: &str| {
            let text = text.to_owned();
            TypedCommand::Ask(Command::Say { text, from: None, to })
        };
        assert_eq!(says("  run "), TypedCommand::Act("run".to_owned()));
        assert_eq!(says("go 3"), TypedCommand::Go(3));
        assert_eq!(says("QUIT"), TypedCommand::Quit);
        assert_eq!(says("drop card 5"), TypedCommand::Act("drop card 5".to_owned()));
        assert_eq!(says("act drop"), TypedCommand::Act("drop".to_owned()));
        let player = "search:3".to_owned();
        let assigned = Command::Assign { seat: SeatId(1), player };
        assert_eq!(says("seat blue=search:3"), TypedCommand::Ask(assigned));
        assert!(matches!(says("seat green=human"), TypedCommand::Wrong(text) if text.contains("red, blue")));
        assert_eq!(says("again attack c3 c4 2"), TypedCommand::Again("attack c3 c4 2".to_owned()));
        assert_eq!(says("say well played"), message(None, "well played"));
        assert_eq!(says("say Blue: peace?"), message(Some(SeatId(1)), "peace?"));
        assert_eq!(says("say so it is: war"), message(None, "so it is: war"));
        assert!(matches!(says("say bleu: peace?"), TypedCommand::Wrong(text) if text.contains("red, blue")));
        assert_eq!(says("say all: peace?"), message(None, "peace?"));
        assert_eq!(says("poses hook"), TypedCommand::Poses("hook".to_owned()));
        assert!(matches!(says("go back"), TypedCommand::Wrong(_)));
        assert_eq!(says("resign"), TypedCommand::Ask(Command::Resign { seat: None }));
        let (offer, seat) = (OfferKind::Draw, None);
        assert_eq!(says("offer draw"), TypedCommand::Ask(Command::Offer { offer, seat }));
        assert!(matches!(says("offer peace"), TypedCommand::Wrong(_)));
        assert_eq!(says("accept alms"), TypedCommand::Act("accept alms".to_owned()));
        let text = "turn blue".to_owned();
        let edit = Command::Edit { text };
        assert_eq!(says("edit turn blue"), TypedCommand::Ask(edit));
    }
}
