//! A computer player of this machine at seats of a match on a server.

use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Write as _};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::super::output::Out;
use super::super::text::format;
use super::super::{Exit, Failure, failed};
use boardwright_client::{Connection, LinkClosed};
use boardwright_model::{Fingerprint, SeatId, State};
use boardwright_network::{RemoteError, RemoteLink, RemoteLobby};
use boardwright_players::{Budget, Decision, Player, PlayerContext, PlayerSpec, WithFallback};
use boardwright_protocol::{Command, Reply};
use boardwright_rules::RulesSource;

/// Checks, before a seat is taken, that a player can sit at it.
pub(super) fn check(spec: &PlayerSpec) -> Result<(), Failure> {
    if spec.is_program() || *spec == PlayerSpec::Human {
        return Err(Failure::Usage(
            "--player names a computer player of Boardwright; a program of your own speaks to the server itself".to_owned(),
        ));
    }
    Ok(())
}

/// How many attempts are made to come back to a match of which nothing new is heard.
const MOST_ATTEMPTS: u32 = 20;
/// The longest wait between two attempts.
const MOST_WAIT: Duration = Duration::from_secs(30);

/// Plays until the match is over, and prints each event. A connection that is lost is made again by `connect`.
pub(super) fn play(
    mut connect: impl FnMut() -> Result<RemoteLink, RemoteError>,
    lobby: &RemoteLobby,
    spec: &PlayerSpec,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let mut game = Game {
        lobby,
        spec,
        computer: None,
        told: 0,
    };
    // Whoever cannot come at all is told so at once.
    let mut link = Ok(connect().map_err(failed)?);
    let mut attempts = 0;
    loop {
        let told = game.told;
        let lost = match link {
            Ok(link) => match game.play(link, out) {
                Ok(()) => return Ok(Exit::Fine),
                Err(Stop::Failed(failure)) => return Err(failure),
                Err(Stop::Lost(closed)) => closed.to_string(),
            },
            Err(RemoteError::Unreachable(why)) => why,
            Err(error) => return Err(failed(error)),
        };
        attempts = if game.told > told { 0 } else { attempts + 1 };
        if attempts > MOST_ATTEMPTS {
            return Err(Failure::Failed(format!(
                "{lost}; {MOST_ATTEMPTS} attempts to come back have failed"
            )));
        }
        let wait = Duration::from_secs(1 << attempts.min(5)).min(MOST_WAIT);
        writeln!(io::stderr(), "{lost}. Coming back in {} s.", wait.as_secs())?;
        thread::sleep(wait);
        link = connect();
    }
}

/// Why a match is not played on.
enum Stop {
    Lost(LinkClosed),
    Failed(Failure),
}

impl From<LinkClosed> for Stop {
    fn from(closed: LinkClosed) -> Self {
        Self::Lost(closed)
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// A match as a computer player knows it, over all its connections.
struct Game<'a> {
    lobby: &'a RemoteLobby,
    spec: &'a PlayerSpec,
    computer: Option<Computer>,
    /// How many entries of the history were printed.
    told: usize,
}

impl Game<'_> {
    /// Plays over one connection, until the match is over.
    fn play(&mut self, link: RemoteLink, out: &mut Out) -> Result<(), Stop> {
        let mut connection = Connection::open(Box::new(link))?;
        connection.settle()?;
        loop {
            let mirror = connection.mirror();
            let (Some(view), Some(description)) = (mirror.main_view(), mirror.description()) else {
                connection.poll(None)?;
                continue;
            };
            let (view, at) = (Arc::clone(view), mirror.at());
            for entry in mirror.history().get(self.told..).unwrap_or_default() {
                out.line(format::event(view.declarations(), entry))?;
            }
            out.flush()?;
            self.told = mirror.history().len();
            if let Some(outcome) = view.outcome() {
                out.line(format::outcome(view.declarations(), outcome))?;
                return Ok(());
            }
            let seat = view.acting().iter().find(|seat| mirror.seats().contains(*seat));
            let Some(seat) = seat.filter(|_| mirror.at() == mirror.length()) else {
                connection.poll(None)?;
                continue;
            };
            let Some(view) = mirror.current_view(Some(seat)).cloned() else {
                connection.poll(None)?;
                continue;
            };
            let fingerprint = description.fingerprint;
            if self.computer.as_ref().is_none_or(|computer| computer.fingerprint != fingerprint) {
                self.computer = Some(Computer::new(self.lobby, self.spec, fingerprint)?);
            }
            let Some(computer) = &mut self.computer else { continue };
            let action = computer.choose(&view, seat)?;
            match connection.ask(Command::Submit { action, at })? {
                Reply::Done { .. } => {}
                // What was chosen for a position that is no longer there is chosen again.
                Reply::Refused(refusal) if connection.mirror().at() != at => out.line(format!("chosen again: {}", refusal.reason))?,
                Reply::Refused(refusal) => return Err(Failure::Failed(format!("the server refuses the action: {}", refusal.reason)).into()),
                Reply::Fault(fault) => return Err(Failure::Failed(fault.to_string()).into()),
                Reply::Error { message } => return Err(Failure::Failed(message).into()),
                other => return Err(Failure::Failed(format!("the server answers an action with {other:?}")).into()),
            }
        }
    }
}

/// A seed that nobody can foresee: hash maps of the standard library begin with one of the system.
fn random_seed() -> u64 {
    RandomState::new().hash_one(0)
}

/// A player with the rules that the match is played by.
struct Computer {
    fingerprint: Fingerprint,
    source: Arc<dyn RulesSource>,
    player: Box<dyn Player>,
}

impl Computer {
    fn new(lobby: &RemoteLobby, spec: &PlayerSpec, fingerprint: Fingerprint) -> Result<Self, Failure> {
        let source = lobby.rules(fingerprint).map_err(failed)?;
        let context = PlayerContext::on_all_cores(&source, random_seed());
        let player = spec
            .build_with(&context)
            .map_err(|error| Failure::Usage(format!("--player: {error}")))?;
        Ok(Self {
            fingerprint,
            source,
            player: Box::new(WithFallback::new(player, context.seed)),
        })
    }

    fn choose(&mut self, view: &Arc<State>, seat: SeatId) -> Result<boardwright_model::Action, Failure> {
        let rules = self.source.rules(view.board(), view.declarations(), view.options());
        let rules = rules.map_err(|fault| Failure::Failed(fault.to_string()))?;
        let decision = Decision {
            rules: &*rules,
            state: view,
            seat,
            budget: &Budget::unlimited(),
        };
        let choice = self.player.choose(decision, &mut |_| {}).map_err(failed)?;
        Ok(choice.action)
    }
}
