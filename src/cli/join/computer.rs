//! A computer player of this machine at seats of a match on a server.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;

use super::super::output::Out;
use super::super::text::format;
use super::super::{Exit, Failure, failed};
use boardwright_client::Connection;
use boardwright_model::{Fingerprint, SeatId, State};
use boardwright_network::RemoteLobby;
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

/// Plays until the match is over, and prints each event.
pub(super) fn play(mut connection: Connection, lobby: &RemoteLobby, spec: &PlayerSpec, out: &mut Out) -> Result<Exit, Failure> {
    connection.settle()?;
    let mut computer: Option<Computer> = None;
    let mut told = 0;
    loop {
        let mirror = connection.mirror();
        let (Some(view), Some(description)) = (mirror.main_view(), mirror.description()) else {
            connection.poll(None)?;
            continue;
        };
        let (view, at) = (Arc::clone(view), mirror.at());
        for entry in mirror.history().get(told..).unwrap_or_default() {
            out.line(format::event(view.declarations(), entry))?;
        }
        out.flush()?;
        told = mirror.history().len();
        if let Some(outcome) = view.outcome() {
            out.line(format::outcome(view.declarations(), outcome))?;
            return Ok(Exit::Fine);
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
        if computer.as_ref().is_none_or(|computer| computer.fingerprint != fingerprint) {
            computer = Some(Computer::new(lobby, spec, fingerprint)?);
        }
        let Some(computer) = &mut computer else { continue };
        let action = computer.choose(&view, seat)?;
        match connection.ask(Command::Submit { action, at })? {
            Reply::Done { .. } => {}
            // What was chosen for a position that is no longer there is chosen again.
            Reply::Refused(refusal) if connection.mirror().at() != at => out.line(format!("chosen again: {}", refusal.reason))?,
            Reply::Refused(refusal) => return Err(Failure::Failed(format!("the server refuses the action: {}", refusal.reason))),
            Reply::Fault(fault) => return Err(Failure::Failed(fault.to_string())),
            Reply::Error { message } => return Err(Failure::Failed(message)),
            other => return Err(Failure::Failed(format!("the server answers an action with {other:?}"))),
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
