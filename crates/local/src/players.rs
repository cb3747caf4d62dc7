//! Who plays which seat: as a scenario or a save says, and as it was chosen.

use crate::{BeginError, files};
use boardwright_content::xml::{Document as _, Source, did_you_mean};
use boardwright_content::{LoadedScenario, MANIFEST_FILE, Manifest, ScenarioPart, read_settings};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics};
use boardwright_model::{Declarations, SeatId};
use boardwright_players::PlayerSpec;
use boardwright_ruleset::{Layer, Sources};

const PLAYERS: [&str; 8] = ["human", "random", "greedy", "search", "mcts", "maxn", "paranoid", "expectimax"];

/// A seat or player that is none, with what there is instead.
fn unknown(what: &str, name: &str, known: &[&str]) -> Diagnostic {
    let list = || format!("there are: {}", known.join(", "));
    let help = did_you_mean(name, known.iter().copied()).unwrap_or_else(list);
    Diagnostic::error(Code::UnknownName, format!("there is no {what} `{name}`")).with_help(help)
}

/// What is wrong in one sentence, for whoever chose it.
fn wrong_choice(wrong: Diagnostic) -> BeginError {
    BeginError::Choice(match wrong.help {
        Some(help) => format!("{}: {help}", wrong.message),
        None => wrong.message,
    })
}

/// The seat of a name. None for a seat that the ruleset declares and the scenario leaves out: it needs no player.
fn seat_of(declared: &Declarations, taking_part: &Declarations, name: &str) -> Result<Option<SeatId>, Diagnostic> {
    let names: Vec<&str> = taking_part.seats.iter().map(|seat| &*seat.name).collect();
    match taking_part.find_seat(name) {
        None if declared.find_seat(name).is_none() => Err(unknown("seat", name, &names)),
        found => Ok(found),
    }
}

/// A word that names no player for all rulesets names a strategy of this one, or nothing.
fn player_of(sources: &Sources, text: &str) -> Result<PlayerSpec, Diagnostic> {
    let spec = text.parse::<PlayerSpec>();
    let spec = spec.map_err(|error| Diagnostic::error(Code::BadValue, error.to_string()))?;
    if let Some((name, settings)) = spec.strategy() {
        let known = files(sources, "strategies/", ".rhai");
        let strategies: Vec<&str> = known.keys().map(|file| file.trim_end_matches(".rhai")).collect();
        let is_known = strategies.contains(&&**name);
        if !is_known && PLAYERS.contains(&&**name) {
            let message = format!("{name} takes no parameters: only strategies of the ruleset do");
            return Err(Diagnostic::error(Code::BadValue, message));
        }
        if !is_known {
            return Err(unknown("player", name, &[&PLAYERS[..], &strategies[..]].concat()));
        }
        // What is wrong with the files of parameters is told where rules are checked.
        let own = read_settings(sources).unwrap_or_default().remove(&**name).unwrap_or_default();
        own.check(name, &settings)?;
    }
    Ok(spec)
}

/// The player that the rules name for hints, in the manifest of the uppermost of their layers that names one.
pub(super) fn advisor(sources: &Sources) -> Option<PlayerSpec> {
    let named = |layer: &Layer| {
        let text = layer.files.get(MANIFEST_FILE)?;
        Manifest::read(&Source::new(MANIFEST_FILE, text)).ok()?.advisor
    };
    let text = sources.layers.iter().rev().find_map(named)?;
    advisor_of(sources, &text).ok()
}

/// The player that a manifest names for hints.
///
/// # Errors
/// It is none that can give one.
pub(super) fn advisor_of(sources: &Sources, text: &str) -> Result<PlayerSpec, Diagnostic> {
    match player_of(sources, text).and_then(no_program)? {
        PlayerSpec::Human => Err(Diagnostic::error(
            Code::BadValue,
            "a hint comes from a computer player, not from a person",
        )),
        spec => Ok(spec),
    }
}

/// Files come from anywhere: only who sits at the machine may have a program started on it.
fn no_program(spec: PlayerSpec) -> Result<PlayerSpec, Diagnostic> {
    if !spec.is_program() {
        return Ok(spec);
    }
    let help = "leave the seat to a person here, and choose the program when the match begins: --seat NAME=exec:COMMAND";
    Err(Diagnostic::error(Code::BadValue, "a scenario cannot start a program").with_help(help))
}

fn people(declarations: &Declarations) -> Vec<PlayerSpec> {
    vec![PlayerSpec::Human; declarations.seats.len()]
}

fn put(players: &mut [PlayerSpec], seat: Option<SeatId>, spec: PlayerSpec) {
    if let Some(slot) = seat.and_then(|seat| players.get_mut(seat.index())) {
        *slot = spec;
    }
}

/// A player that a scenario names.
///
/// # Errors
/// It is none, or one that a file may not name.
pub(super) fn in_scenario(sources: &Sources, text: &str) -> Result<PlayerSpec, Diagnostic> {
    player_of(sources, text).and_then(no_program)
}

/// The players of a scenario; seats of which it says nothing are for people.
///
/// # Errors
/// Every seat and player in it that is none, where it is written.
pub(super) fn of_scenario(
    declared: &Declarations,
    taking_part: &Declarations,
    opened: &LoadedScenario,
) -> Result<Vec<PlayerSpec>, Diagnostics> {
    let mut players = people(taking_part);
    let mut found = Diagnostics::new();
    let positions = &opened.scenario.positions;
    for (index, (seat, player)) in opened.scenario.scenario.players.iter().enumerate() {
        let seat = seat_of(declared, taking_part, seat);
        let seat = seat.map_err(|wrong| found.push(positions.at(ScenarioPart::Seat(index), wrong)));
        let spec = in_scenario(&opened.sources, player);
        let spec = spec.map_err(|wrong| found.push(positions.at(ScenarioPart::Player(index), wrong)));
        if let (Ok(seat), Ok(spec)) = (seat, spec) {
            put(&mut players, seat, spec);
        }
    }
    if found.has_errors() { Err(found) } else { Ok(players) }
}

/// The players of a save. Strategies are not looked for: the match goes on without them. Where a program played, a person takes over
/// until the program is chosen again: files come from anywhere, and start none.
///
/// # Errors
/// The first seat or player that is none.
pub(super) fn of_save(declarations: &Declarations, saved: &[(String, String)]) -> Result<Vec<PlayerSpec>, BeginError> {
    let mut players = people(declarations);
    for (name, player) in saved {
        let seat = seat_of(declarations, declarations, name).map_err(wrong_choice)?;
        let spec = player.parse();
        let spec = spec.map_err(|error| BeginError::Choice(format!("seat {name}: {error}")))?;
        put(&mut players, seat, no_program(spec).unwrap_or(PlayerSpec::Human));
    }
    Ok(players)
}

/// Checks the players of a match that a server runs for others: whoever reaches it may choose players, and could run any command on its machine.
///
/// # Errors
/// The first program.
pub(super) fn check_served(players: &[PlayerSpec]) -> Result<(), BeginError> {
    match players.iter().find(|player| player.is_program()) {
        None => Ok(()),
        Some(program) => Err(BeginError::Choice(format!(
            "a server starts no programs: `{program}` cannot play here; leave the seat to a person, and let the program take it from where it runs"
        ))),
    }
}

/// Puts the players that were chosen in the places of others.
///
/// # Errors
/// The first seat or player that is none, and the first seat that does not take part.
pub(super) fn choose(
    players: &mut [PlayerSpec],
    declared: &Declarations,
    taking_part: &Declarations,
    sources: &Sources,
    chosen: &[(String, String)],
) -> Result<(), BeginError> {
    for (name, player) in chosen {
        let seat = seat_of(declared, taking_part, name).map_err(wrong_choice)?;
        if seat.is_none() {
            let names: Vec<&str> = taking_part.seats.iter().map(|seat| &*seat.name).collect();
            let message = format!(
                "the seat `{name}` does not take part in this scenario; there are {}",
                names.join(", ")
            );
            return Err(BeginError::Choice(message));
        }
        let spec = player_of(sources, player).map_err(|wrong| {
            let message = format!("seat {name}: {}", wrong.message);
            wrong_choice(Diagnostic { message, ..wrong })
        })?;
        put(players, seat, spec);
    }
    Ok(())
}
