//! `join`: a match on a server, played in the terminal.

mod computer;

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::Args;

use super::choice::{options, pairs};
use super::output::Out;
use super::{Exit, Failure, failed, io_failure, text};
use boardwright_client::{Connection, KeepSecret, LuckSecret};
use boardwright_model::TimeControl;
use boardwright_network::{
    CreateMatch, JoinMatch, KeptRules, KeptTokens, MatchPolicy, MatchSummary, OutOfTime, RemoteLobby, SeatState, TakenSeat, kept_nowhere,
};
use boardwright_players::PlayerSpec;

#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(super) struct JoinArguments {
    /// The address of the server, such as localhost:7474, or the link of a match; `https://` encrypts
    #[arg(value_name = "SERVER")]
    server: String,
    /// The id of the match; without one the matches are listed that wait for players
    #[arg(value_name = "MATCH")]
    id: Option<String>,
    /// Create a match of this ruleset and, after a slash, scenario
    #[arg(long, value_name = "ID[/SCENARIO]", conflicts_with_all = ["id", "tokens"])]
    new: Option<String>,
    /// Sets an option of a new match
    #[arg(long = "option", value_name = "NAME=VALUE", requires = "new")]
    options: Vec<String>,
    /// Lets a computer player play a seat of a new match
    #[arg(long = "computer", value_name = "SEAT=PLAYER", requires = "new")]
    computers: Vec<String>,
    /// Shows a new match to those only who know its id
    #[arg(long, requires = "new")]
    private: bool,
    /// Lets players of a new match take back their own actions of a turn, and ask for hints
    #[arg(long, requires = "new")]
    casual: bool,
    /// How much time seats of a new match have: 10m, 5m+3s, 90s/turn or 3d/turn
    #[arg(long, value_name = "TIME", requires = "new")]
    clock: Option<TimeControl>,
    /// Has a computer player play on in a new match for a seat whose time has run out; without it the seat has lost
    #[arg(long, requires = "clock")]
    play_on: bool,
    /// After how many seconds a computer player plays for somebody who is gone from a new match
    #[arg(long, value_name = "SECONDS", requires = "new")]
    substitute_after: Option<u64>,
    /// The same, and lets whoever runs the server edit the match and change its rules
    #[arg(long, requires = "new")]
    supervised: bool,
    /// Has the luck of a new match follow from numbers of its players as well, so that they can verify it
    #[arg(long, requires = "new")]
    verifiable: bool,
    /// The password of the match: that a new one is to have, or that you were told
    #[arg(long, value_name = "PASSWORD")]
    password: Option<String>,
    /// The name that others see; without it you come back to the seats that you have taken from here
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The seat to take, without it the first that is free; or the one to come back to, without it all of yours
    #[arg(long, value_name = "SEAT")]
    seat: Option<String>,
    /// Come back to a seat that was taken elsewhere; may be given several times
    #[arg(long = "token", value_name = "TOKEN", conflicts_with_all = ["seat", "spectate", "name"])]
    tokens: Vec<String>,
    /// Let a computer player of this machine play your seats, named as `arena` names them; without a terminal
    #[arg(long, value_name = "PLAYER", conflicts_with_all = ["spectate", "leave", "cancel", "kick"])]
    player: Option<PlayerSpec>,
    /// Only watch
    #[arg(long, conflicts_with_all = ["seat", "name"])]
    spectate: bool,
    /// Leave the seat, which is free then
    #[arg(long, conflicts_with_all = ["new", "name", "spectate"])]
    leave: bool,
    /// Save a match that has ended in a file, and do no more
    #[arg(long, value_name = "FILE", requires = "id", conflicts_with_all = ["new", "name", "seat", "tokens", "spectate", "leave"])]
    save: Option<PathBuf>,
    /// Delete a match that waits, with the token of its creator
    #[arg(long, requires = "tokens", conflicts_with_all = ["new", "leave"])]
    cancel: bool,
    /// Send whoever holds a seat away, with the token of the creator of the match
    #[arg(long, value_name = "SEAT", requires = "tokens", conflicts_with_all = ["new", "leave", "cancel"])]
    kick: Option<String>,
}

pub(super) fn run(arguments: &JoinArguments, out: &mut Out) -> Result<Exit, Failure> {
    let (server, linked) = match arguments.server.split_once("/m/") {
        Some((server, id)) => (server, Some(id.to_owned())),
        None => (arguments.server.as_str(), None),
    };
    if let Some(player) = &arguments.player {
        computer::check(player)?;
    }
    let lobby = RemoteLobby::new(server).keeping_rules(seats_folder().as_deref().map(KeptRules::of_player));
    let (id, creator) = match (linked.or_else(|| arguments.id.clone()), &arguments.new) {
        (Some(id), _) => (id, None),
        (None, Some(_)) if arguments.name.is_none() && !arguments.spectate => {
            return Err(Failure::Usage(
                "say with --name who you are in the new match, or watch it with --spectate".to_owned(),
            ));
        }
        (None, Some(new)) => {
            let (id, token) = create(&lobby, arguments, new)?;
            (id, Some(token))
        }
        (None, None) => return list(&lobby, out),
    };
    if let [token, ..] = arguments.tokens.as_slice() {
        if arguments.cancel {
            lobby.cancel(&id, token).map_err(failed)?;
            out.line(format!("Match {id} is cancelled."))?;
            return Ok(Exit::Fine);
        }
        if let Some(seat) = &arguments.kick {
            lobby.kick(&id, seat, token).map_err(failed)?;
            out.line(format!("The seat {seat} of match {id} is free."))?;
            return Ok(Exit::Fine);
        }
    }
    if let Some(file) = &arguments.save {
        let text = lobby.save_of(&id, arguments.password.as_deref()).map_err(failed)?;
        std::fs::write(file, text).map_err(|error| io_failure(file, "cannot be written", &error))?;
        out.line(format!(
            "Match {id} is saved in {0}. To verify it: boardwright verify {0}",
            file.display()
        ))?;
        return Ok(Exit::Fine);
    }
    let mut secrets = Vec::new();
    let tokens = match &arguments.name {
        Some(name) => {
            let taken = take_seat(&lobby, arguments, &id, name, out);
            if let (Err(_), Some(creator)) = (&taken, &creator) {
                // Nobody is to find a match whose creator has not come.
                drop(lobby.cancel(&id, creator));
            }
            let (token, secret) = taken?;
            secrets.extend(secret);
            vec![token]
        }
        None if arguments.spectate => Vec::new(),
        None if arguments.tokens.is_empty() => {
            let (tokens, known) = kept(&lobby, arguments, &id)?;
            secrets = known;
            tokens
        }
        None => arguments.tokens.clone(),
    };
    if arguments.leave {
        tokens.iter().try_for_each(|token| lobby.leave(&id, token)).map_err(failed)?;
        out.line(format!("You have left match {id}."))?;
        return Ok(Exit::Fine);
    }
    let connect = |secrets| {
        let tell = |found: &MatchSummary| drop(writeln!(io::stderr(), "Waiting for players: {}", seats(found)));
        lobby.connect_with(&id, (&tokens, arguments.password.as_deref()), secrets, None, tell)
    };
    let Some(player) = &arguments.player else {
        let link = connect(secrets).map_err(failed)?;
        return text::play_on(Connection::open(Box::new(link))?, out, None).map(|_| Exit::Fine);
    };
    let mut first = Some(secrets);
    let again = || {
        let kept = seats_folder().map(|folder| KeptTokens::of(&folder, lobby.address(), &id));
        kept.map(|kept| kept.luck(arguments.seat.as_deref())).unwrap_or_default()
    };
    computer::play(|| connect(first.take().unwrap_or_else(again)), &lobby, player, out)
}

/// The folder of the tokens of the seats that the user has taken; none without a folder of the user's own.
pub(super) fn seats_folder() -> Option<PathBuf> {
    Some(boardwright_content::user_content()?.join("seats"))
}

/// Takes a seat and keeps its token.
fn take_seat(
    lobby: &RemoteLobby,
    arguments: &JoinArguments,
    id: &str,
    name: &str,
    out: &mut Out,
) -> Result<(String, Option<Secret>), Failure> {
    let who = JoinMatch {
        name: name.to_owned(),
        seat: arguments.seat.clone(),
        password: arguments.password.clone(),
        luck: None,
    };
    let TakenSeat { seat, token, luck } = lobby.take_seat(id, &who).map_err(failed)?;
    out.line(format!("You play {seat} in match {id}."))?;
    let come_back = format!("To come back to your seat: boardwright join {} {id}", lobby.address());
    let kept = seats_folder().map(|folder| KeptTokens::of(&folder, lobby.address(), id));
    let secret = luck.map(|luck| {
        drop(writeln!(
            io::stderr(),
            "The luck of this match can be verified: the server has committed to {}",
            luck.committed
        ));
        let is_kept = kept.as_ref().is_some_and(|kept| kept.keep_luck(&seat, &luck).is_ok());
        let known = kept.as_ref().filter(|_| is_kept).and_then(|kept| kept.luck(Some(&seat)).pop());
        known.unwrap_or_else(|| (luck, kept_nowhere()))
    });
    match kept.map(|kept| kept.keep(&seat, &token)) {
        Some(Ok(())) => out.line(come_back)?,
        // Without the token the seat would be lost.
        Some(Err(error)) => {
            out.line(format!("Your token cannot be kept: {error}"))?;
            out.line(format!("{come_back} --token {token}"))?;
        }
        None => out.line(format!("{come_back} --token {token}"))?,
    }
    out.flush()?;
    Ok((token, secret))
}

/// A player's part in the luck of a match, and what keeps it.
type Secret = (LuckSecret, KeepSecret);

/// The tokens of the seats that were taken in a match before, and the player's part in its luck.
fn kept(lobby: &RemoteLobby, arguments: &JoinArguments, id: &str) -> Result<(Vec<String>, Vec<Secret>), Failure> {
    let (found, secrets) = match seats_folder() {
        Some(folder) => {
            let kept = KeptTokens::of(&folder, lobby.address(), id);
            let found = kept.find(arguments.seat.as_deref());
            let found = found.map_err(|error| Failure::Failed(format!("the tokens of your seats cannot be read: {error}")))?;
            (found, kept.luck(arguments.seat.as_deref()))
        }
        None => (Vec::new(), Vec::new()),
    };
    if found.is_empty() {
        return Err(Failure::Usage(
            "no seat of yours is known in this match: say who you are with --name, come back with --token, or watch with --spectate"
                .to_owned(),
        ));
    }
    Ok((found, secrets))
}

/// Creates a match; gives its id and the token of its creator.
fn create(lobby: &RemoteLobby, arguments: &JoinArguments, new: &str) -> Result<(String, String), Failure> {
    let (ruleset, scenario) = match new.split_once('/') {
        Some((ruleset, scenario)) => (ruleset, Some(scenario.to_owned())),
        None => (new, None),
    };
    let wanted = CreateMatch {
        name: None,
        ruleset: ruleset.to_owned(),
        scenario,
        options: options(&arguments.options)?.into_iter().collect(),
        players: pairs(&arguments.computers, "--computer SEAT=PLAYER")?.into_iter().collect(),
        private: arguments.private,
        password: arguments.password.clone(),
        policy: match (arguments.supervised, arguments.casual) {
            (true, _) => MatchPolicy::Supervised,
            (false, true) => MatchPolicy::Casual,
            (false, false) => MatchPolicy::Rated,
        },
        clock: arguments.clock,
        out_of_time: if arguments.play_on {
            OutOfTime::PlayedOn
        } else {
            OutOfTime::Forfeits
        },
        substitute_after: arguments.substitute_after,
        verifiable: arguments.verifiable,
    };
    let (found, token) = lobby.create(&wanted).map_err(failed)?;
    writeln!(
        io::stderr(),
        "The link of the match: {}\nAs its creator, cancel it with --token {token} --cancel, or send somebody away with --token {token} --kick SEAT",
        lobby.link(&found.id)
    )?;
    Ok((found.id, token))
}

fn list(lobby: &RemoteLobby, out: &mut Out) -> Result<Exit, Failure> {
    let waiting = lobby.list("waiting").map_err(failed)?;
    if waiting.is_empty() {
        out.line("No match waits for players. To create one: --new ID[/SCENARIO] --name NAME")?;
    }
    for found in waiting {
        let MatchSummary {
            id,
            name,
            ruleset,
            scenario,
            ..
        } = &found;
        let password = if found.has_password { ", with a password" } else { "" };
        let clock = found.clock.map_or_else(String::new, |clock| format!(", {clock}"));
        let policy = match found.policy {
            MatchPolicy::Rated => "",
            MatchPolicy::Casual => ", casual",
            MatchPolicy::Supervised => ", supervised",
        };
        let luck = if found.luck.is_some() { ", luck can be verified" } else { "" };
        out.line(format!(
            "{id}  {name} ({ruleset}/{scenario}{policy}{clock}{luck}{password}): {}",
            seats(&found)
        ))?;
    }
    Ok(Exit::Fine)
}

/// The seats of a match in a line.
fn seats(found: &MatchSummary) -> String {
    let seats = found.seats.iter().map(|seat| match &seat.player {
        SeatState::Free => format!("{} is free", seat.name),
        SeatState::Computer(player) => format!("{} is played by {player}", seat.name),
        SeatState::Held(name) => format!("{} is {name}", seat.name),
    });
    seats.collect::<Vec<_>>().join(", ")
}
