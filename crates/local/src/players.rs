//! Who plays which seat: as a scenario or a save says, and as it was chosen.

use crate::{BeginError, files};
use boardwright_content::xml::did_you_mean;
use boardwright_content::{LoadedScenario, ScenarioPart};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics};
use boardwright_model::{Declarations, SeatId};
use boardwright_players::PlayerSpec;
use boardwright_ruleset::Sources;

const PLAYERS: [&str; 8] = ["human", "random", "greedy", "search", "mcts", "maxn", "paranoid", "expectimax"];

/// A seat or player that is none: what is said of it, and what there is instead.
struct Wrong {
    code: Code,
    message: String,
    help: Option<String>,
}

impl Wrong {
    fn unknown(what: &str, name: &str, known: &[&str]) -> Self {
        let list = || format!("there are: {}", known.join(", "));
        Self {
            code: Code::UnknownName,
            message: format!("there is no {what} `{name}`"),
            help: Some(did_you_mean(name, known.iter().copied()).unwrap_or_else(list)),
        }
    }

    /// In one sentence, for whoever chose it.
    fn chosen(self) -> BeginError {
        BeginError::Choice(match self.help {
            Some(help) => format!("{}: {help}", self.message),
            None => self.message,
        })
    }

    fn diagnostic(self) -> Diagnostic {
        let found = Diagnostic::error(self.code, self.message);
        self.help.into_iter().fold(found, Diagnostic::with_help)
    }
}

/// The seat of a name. None for a seat that the ruleset declares and the scenario leaves out: it needs no player.
fn seat_of(declared: &Declarations, taking_part: &Declarations, name: &str) -> Result<Option<SeatId>, Wrong> {
    let names: Vec<&str> = taking_part.seats.iter().map(|seat| &*seat.name).collect();
    match taking_part.find_seat(name) {
        None if declared.find_seat(name).is_none() => Err(Wrong::unknown("seat", name, &names)),
        found => Ok(found),
    }
}

/// A word that names no player for all rulesets names a strategy of this one, or nothing.
fn player_of(sources: &Sources, text: &str) -> Result<PlayerSpec, Wrong> {
    let spec = text.parse::<PlayerSpec>().map_err(|error| Wrong {
        code: Code::BadValue,
        message: error.to_string(),
        help: None,
    })?;
    if let PlayerSpec::Strategy { name, .. } = &spec {
        let known = files(sources, "strategies/", ".rhai");
        let strategies: Vec<&str> = known.keys().map(|file| file.trim_end_matches(".rhai")).collect();
        if !strategies.contains(&&**name) {
            return Err(Wrong::unknown("player", name, &[&PLAYERS[..], &strategies[..]].concat()));
        }
    }
    Ok(spec)
}

/// Files come from anywhere: only who sits at the machine may have a program started on it.
fn no_program(spec: PlayerSpec) -> Result<PlayerSpec, Wrong> {
    match spec {
        PlayerSpec::Program(_) => Err(Wrong {
            code: Code::BadValue,
            message: "a scenario can not start a program".to_owned(),
            help: Some(
                "leave the seat to a person here, and choose the program when the match begins: --seat NAME=exec:COMMAND".to_owned(),
            ),
        }),
        spec => Ok(spec),
    }
}

fn people(frame: &Declarations) -> Vec<PlayerSpec> {
    vec![PlayerSpec::Human; frame.seats.len()]
}

fn put(players: &mut [PlayerSpec], seat: Option<SeatId>, spec: PlayerSpec) {
    if let Some(slot) = seat.and_then(|seat| players.get_mut(seat.index())) {
        *slot = spec;
    }
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
        let seat =
            seat_of(declared, taking_part, seat).map_err(|wrong| found.push(positions.at(ScenarioPart::Seat(index), wrong.diagnostic())));
        let spec = player_of(&opened.sources, player)
            .and_then(no_program)
            .map_err(|wrong| found.push(positions.at(ScenarioPart::Player(index), wrong.diagnostic())));
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
pub(super) fn of_save(frame: &Declarations, saved: &[(String, String)]) -> Result<Vec<PlayerSpec>, BeginError> {
    let mut players = people(frame);
    for (name, player) in saved {
        let seat = seat_of(frame, frame, name).map_err(Wrong::chosen)?;
        let spec = player.parse();
        let spec = spec.map_err(|error| BeginError::Choice(format!("seat {name}: {error}")))?;
        put(&mut players, seat, no_program(spec).unwrap_or(PlayerSpec::Human));
    }
    Ok(players)
}

/// Puts the players that were chosen in the places of others.
///
/// # Errors
/// The first seat or player that is none.
pub(super) fn choose(
    players: &mut [PlayerSpec],
    declared: &Declarations,
    taking_part: &Declarations,
    sources: &Sources,
    chosen: &[(String, String)],
) -> Result<(), BeginError> {
    for (name, player) in chosen {
        let seat = seat_of(declared, taking_part, name).map_err(Wrong::chosen)?;
        let spec = player_of(sources, player).map_err(|wrong| {
            let message = format!("seat {name}: {}", wrong.message);
            Wrong { message, ..wrong }.chosen()
        })?;
        put(players, seat, spec);
    }
    Ok(())
}
