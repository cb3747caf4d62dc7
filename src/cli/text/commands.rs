//! What a person at the terminal can say.

use super::debugger::{self, DebuggerCommand};
use boardwright_model::{Declarations, SeatId};

/// Something said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TypedCommand {
    /// Nothing.
    Nothing,
    /// An action, in words.
    Act(String),
    Moves,
    Board,
    Undo,
    Redo,
    Drop,
    Go(usize),
    History,
    Hint(Option<String>),
    Seat(SeatId, String),
    Pause(bool),
    Save(Option<String>),
    Reload,
    /// Whoever thinks is to act.
    Stop,
    Problems,
    /// Whether to watch computer players think.
    Watch(bool),
    /// Something about following strategies line by line.
    Follow(DebuggerCommand),
    /// A strategy that is to say what it thinks of the match.
    Evaluate(String),
    /// A change by hand, in words.
    Debug(String),
    /// An action that is carried out until what it began is decided.
    Again(String),
    /// Words for everyone, or for one seat alone.
    Say(Option<SeatId>, String),
    /// A piece by its kind, to be shown in its poses.
    Poses(String),
    Help(Option<String>),
    Quit,
    /// Something that is not understood, with what to write.
    Wrong(String),
}

pub(super) const COMMANDS: [(&str, &str); 29] = [
    ("moves", "the actions that are possible now (also: legal)"),
    ("board", "draws the board again"),
    ("undo", "takes the last action back"),
    ("redo", "does it again"),
    ("go N", "goes to the position after action N; 0 is the beginning"),
    ("drop", "forgets what was taken back, so that play goes on from here"),
    ("history", "what happened so far"),
    ("hint [PLAYER]", "what a computer player would do"),
    ("seat NAME=PLAYER", "seats a player: human, random, greedy, search:3, ..."),
    ("pause", "lets computer players wait"),
    ("continue", "lets them go on, and a strategy that has halted"),
    ("stop", "asks a computer player that thinks to act now"),
    ("save [FILE]", "saves the match"),
    ("reload", "reads the rules again from their files"),
    ("problems", "what is wrong with the rules"),
    (
        "watch [off]",
        "tells what strategies think on the way to their decisions, or no longer",
    ),
    (
        "follow SEAT [WHEN]",
        "follows the strategy of a seat line by line; it halts `before` its decisions, `after` them, or both; `off` ends that",
    ),
    (
        "break [FILE:LINE [if EXPRESSION]]",
        "halts strategies that are followed at a line, or no longer; alone: at which lines",
    ),
    (
        "inspect [EXPRESSION]",
        "works an expression out wherever a strategy halts, or no longer; alone: which",
    ),
    (
        "step [HOW]",
        "lets a strategy that has halted go on to the next line, over calls; `into` goes into them, `out` out of this one",
    ),
    ("halt", "halts a strategy that is followed at its next line"),
    ("evaluate STRATEGY", "what a strategy thinks the match is worth for each seat"),
    (
        "debug WORDS",
        "changes the match by hand, to try things out; `debug help` lists how",
    ),
    ("poses PIECE", "shows a piece that has a shape, turned and mirrored in every way"),
    (
        "again ACTION",
        "carries an action out again and again, such as an attack until the area is taken; an empty line stops it",
    ),
    ("say [NAME:] TEXT", "says something to everyone, or to the player of one seat alone"),
    ("help [RULE]", "this list, or a rule by its number"),
    ("act WORDS", "an action that is called like one of these words"),
    ("quit", "ends"),
];

/// Understands a line. What is no command is an action.
pub(super) fn parse(line: &str, frame: &Declarations) -> TypedCommand {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let given = || (!rest.is_empty()).then(|| rest.to_owned());
    let alone = |command: TypedCommand| {
        if rest.is_empty() {
            command
        } else {
            TypedCommand::Act(line.to_owned())
        }
    };
    if let Some(parsed) = debugger::parse(&word.to_lowercase(), rest, frame) {
        return parsed.map_or_else(TypedCommand::Wrong, TypedCommand::Follow);
    }
    match word.to_lowercase().as_str() {
        "" => TypedCommand::Nothing,
        "moves" | "legal" | "actions" => alone(TypedCommand::Moves),
        "board" => alone(TypedCommand::Board),
        "undo" => alone(TypedCommand::Undo),
        "redo" => alone(TypedCommand::Redo),
        "drop" => alone(TypedCommand::Drop),
        "history" => alone(TypedCommand::History),
        "pause" => alone(TypedCommand::Pause(true)),
        "continue" => alone(TypedCommand::Pause(false)),
        "reload" => alone(TypedCommand::Reload),
        "stop" => alone(TypedCommand::Stop),
        "problems" => alone(TypedCommand::Problems),
        "watch" if matches!(rest, "" | "on" | "off") => TypedCommand::Watch(rest != "off"),
        "evaluate" if !rest.is_empty() => TypedCommand::Evaluate(rest.to_owned()),
        "debug" => TypedCommand::Debug(rest.to_owned()),
        "poses" if !rest.is_empty() => TypedCommand::Poses(rest.to_owned()),
        "again" if !rest.is_empty() => TypedCommand::Again(rest.to_owned()),
        "say" if !rest.is_empty() => say(rest, frame),
        "quit" | "exit" => alone(TypedCommand::Quit),
        "go" => match rest.parse() {
            Ok(number) => TypedCommand::Go(number),
            Err(_) => TypedCommand::Wrong("go where? Write the number of an action, as in `go 12`".to_owned()),
        },
        "hint" => TypedCommand::Hint(given()),
        "save" => TypedCommand::Save(given()),
        "help" | "?" => TypedCommand::Help(given()),
        "act" if !rest.is_empty() => TypedCommand::Act(rest.to_owned()),
        "seat" => seat(rest, frame),
        _ => TypedCommand::Act(line.to_owned()),
    }
}

/// Words for one seat begin with its name and a colon. One word and a colon that is no name is refused: what was meant for one would be
/// heard by all.
fn say(rest: &str, frame: &Declarations) -> TypedCommand {
    let Some((name, message)) = rest.split_once(':') else {
        return TypedCommand::Say(None, rest.to_owned());
    };
    let (name, message) = (name.trim(), message.trim().to_owned());
    let is_called = |text: &str| text.to_lowercase() == name.to_lowercase();
    let found = frame.seats.iter().position(|seat| is_called(&seat.name) || is_called(&seat.title));
    match found.and_then(|index| frame.find_seat(&frame.seats.get(index)?.name)) {
        Some(seat) => TypedCommand::Say(Some(seat), message),
        None if is_called("all") => TypedCommand::Say(None, message),
        None if name.contains(' ') => TypedCommand::Say(None, rest.to_owned()),
        None => {
            let names: Vec<&str> = frame.seats.iter().map(|seat| &*seat.name).collect();
            TypedCommand::Wrong(format!(
                "there is no seat {name}; there are {}. `say all: {rest}` says it to everyone",
                names.join(", ")
            ))
        }
    }
}

fn seat(rest: &str, frame: &Declarations) -> TypedCommand {
    let names: Vec<&str> = frame.seats.iter().map(|seat| &*seat.name).collect();
    let Some((name, player)) = rest.split_once('=') else {
        return TypedCommand::Wrong(format!(
            "who plays which seat? Write it as in `seat {}=search:3`",
            names.first().unwrap_or(&"red")
        ));
    };
    match frame.find_seat(name.trim()) {
        Some(seat) => TypedCommand::Seat(seat, player.trim().to_owned()),
        None => TypedCommand::Wrong(format!("there is no seat {}; there are {}", name.trim(), names.join(", "))),
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
        assert_eq!(says("  run "), TypedCommand::Act("run".to_owned()));
        assert_eq!(says("go 3"), TypedCommand::Go(3));
        assert_eq!(says("QUIT"), TypedCommand::Quit);
        assert_eq!(says("drop card 5"), TypedCommand::Act("drop card 5".to_owned()));
        assert_eq!(says("act drop"), TypedCommand::Act("drop".to_owned()));
        assert_eq!(says("seat blue=search:3"), TypedCommand::Seat(SeatId(1), "search:3".to_owned()));
        assert!(matches!(says("seat green=human"), TypedCommand::Wrong(text) if text.contains("red, blue")));
        assert_eq!(says("again attack c3 c4 2"), TypedCommand::Again("attack c3 c4 2".to_owned()));
        assert_eq!(says("say well played"), TypedCommand::Say(None, "well played".to_owned()));
        assert_eq!(says("say Blue: peace?"), TypedCommand::Say(Some(SeatId(1)), "peace?".to_owned()));
        assert_eq!(says("say so it is: war"), TypedCommand::Say(None, "so it is: war".to_owned()));
        assert!(matches!(says("say bleu: peace?"), TypedCommand::Wrong(text) if text.contains("red, blue")));
        assert_eq!(says("say all: peace?"), TypedCommand::Say(None, "peace?".to_owned()));
        assert_eq!(says("poses hook"), TypedCommand::Poses("hook".to_owned()));
        assert!(matches!(says("go back"), TypedCommand::Wrong(_)));
        assert_eq!(says("debug turn blue"), TypedCommand::Debug("turn blue".to_owned()));
    }
}
