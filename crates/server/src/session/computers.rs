//! Who plays each seat, and how the actions of computer players come about.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::super::failure::{Failure, ensure, error};
use super::super::hosted_match::Update;
use super::super::player_pool::{Place, advisor, hint};
use super::{Session, halted_text};
use boardwright_host::ClientId;
use boardwright_model::{SeatId, sentence};
use boardwright_players::{Choice, News, PlayerError, PlayerSpec};
use boardwright_protocol::Notice;
use boardwright_rules::RandomActionSampler;

/// The longest pace of computer players, in milliseconds.
pub const MOST_PACE_MILLISECONDS: u64 = 60_000;
const MOST_HINT_MILLISECONDS: u64 = 60_000;
const DEFAULT_HINT_MILLISECONDS: u64 = 2_000;
/// How long random actions are tried for a player that failed: nobody else can act meanwhile.
const MOST_TRYING: Duration = Duration::from_secs(1);

impl Session {
    pub(super) fn notify_players(&mut self) {
        for client in self.roster.clients() {
            self.notify_players_to(client);
        }
    }

    pub(super) fn notify_players_to(&mut self, client: ClientId) {
        let notice = Notice::Players {
            players: self.roster.player_names(),
            paused: self.clock.is_paused,
            pace: self.clock.pace_milliseconds(),
            seats: self.roster.seats_of(client),
            names: self.roster.names().to_vec(),
            gone: self.absences.gone(),
            substitutes: self.roster.substitutes(),
        };
        self.roster.notify(client, notice);
    }

    /// Tells clients that another has taken a seat of theirs: what they hold now, and what they see of it.
    pub(super) fn notify_losers(&mut self, losers: &[ClientId]) {
        for client in losers {
            self.pool.drop_hint_of(*client);
            self.notify_players_to(*client);
            if self.game.state().may_hide() {
                self.notify_client(*client, &Update::Views);
            }
        }
    }

    /// Tells clients that somebody has taken a seat, or that nobody holds it any more; then who has it loses it.
    pub(super) fn handle_seated(&mut self, seat: SeatId, name: Option<String>) {
        if !self.game.has_seat(seat) || !self.roster.is_of_person(seat) {
            return;
        }
        self.roster.set_name(seat, name.clone());
        self.chat.seat_changed(seat);
        let title = self.game.state().declarations().seat_title(seat).clone();
        if let Some(name) = name {
            self.roster.notify_message(sentence!("{name} plays {seat} now", seat = title));
            return;
        }
        self.roster.notify_message(sentence!("nobody plays {seat} any more", seat = title));
        let losers: Vec<ClientId> = self.roster.release(seat).into_iter().collect();
        self.notify_losers(&losers);
    }

    /// Halts the match, or lets it go on.
    pub(super) fn handle_halt(&mut self, is_halted: bool) {
        if self.is_halted == is_halted {
            return;
        }
        self.is_halted = is_halted;
        self.clock.is_paused = is_halted;
        self.interrupt();
        self.notify_players();
        self.roster.notify_message(if is_halted {
            halted_text()
        } else {
            sentence!("whoever runs this server lets the match go on")
        });
    }

    pub(super) fn assign(&mut self, client: ClientId, seat: SeatId, player: &str) -> Result<(), Failure> {
        self.check_players_may_change(client)?;
        self.game.check_seat(seat)?;
        let player = player.parse::<PlayerSpec>()?;
        if !player.is_human() {
            self.check_player(&player)?;
        }
        self.roster.assign(client, seat, player);
        self.players_changed(client);
        Ok(())
    }

    /// Checks that such a player can be made under the rules in force.
    fn check_player(&self, player: &PlayerSpec) -> Result<(), Failure> {
        self.pool.check(player, &self.info.ruleset_info.strategies)?;
        if let Some((name, settings)) = player.strategy() {
            self.source_in_force()
                .check_settings(name, &settings)
                .map_err(|wrong| error(wrong.message))?;
        }
        Ok(())
    }

    pub(super) fn swap(&mut self, client: ClientId, a: SeatId, b: SeatId) -> Result<(), Failure> {
        self.check_players_may_change(client)?;
        self.game.check_seat(a)?;
        self.game.check_seat(b)?;
        self.roster.swap(a, b);
        self.players_changed(client);
        Ok(())
    }

    fn check_players_may_change(&self, client: ClientId) -> Result<(), Failure> {
        self.roster.check_host(client)?;
        self.check_unrated(sentence!("this match is rated: its players stay where they are"))
    }

    fn players_changed(&mut self, client: ClientId) {
        self.interrupt();
        self.notify_players();
        if self.game.state().may_hide() {
            self.notify_client(client, &Update::Views);
        }
    }

    pub(super) fn pause(&mut self, client: ClientId, paused: bool) -> Result<(), Failure> {
        self.roster.check_host(client)?;
        self.clock.is_paused = paused;
        if paused {
            self.interrupt();
        }
        self.notify_players();
        if !paused && self.game.journal().later() > 0 {
            self.roster.notify_message(sentence!(
                "computer players wait while events are undone: redo them, or play on from here"
            ));
        }
        Ok(())
    }

    pub(super) fn change_pace(&mut self, client: ClientId, milliseconds: u64) -> Result<(), Failure> {
        self.roster.check_host(client)?;
        let most = MOST_PACE_MILLISECONDS;
        ensure(milliseconds <= most, || {
            error(sentence!("the pace is 0 to {most} milliseconds, not {milliseconds}"))
        })?;
        self.clock.pace = Duration::from_millis(milliseconds);
        self.notify_players();
        Ok(())
    }

    pub(super) fn hint(&mut self, client: ClientId, player: Option<&str>, milliseconds: Option<u64>) -> Result<(), Failure> {
        self.check_unrated(sentence!("this match is rated: nobody helps"))?;
        let seat = self.acting_for(client)?;
        self.roster.check_seat_of(client, seat)?;
        self.game.check_going_on()?;
        let view = self.game.view_of(Some(seat));
        let player = match player.map(str::parse::<PlayerSpec>) {
            None => match &self.info.ruleset_info.advisor {
                Some(named) if self.pool.check(named, &self.info.ruleset_info.strategies).is_ok() => named.clone(),
                _ => advisor(self.game.rules(), &view, seat),
            },
            Some(Ok(PlayerSpec::Human)) => return Err(error(sentence!("a hint comes from a computer player, not from a person"))),
            Some(spec) => spec?,
        };
        // Made on its own thread, a player that cannot be made would say so too late for the answer.
        self.check_player(&player)?;
        let milliseconds = milliseconds.unwrap_or(DEFAULT_HINT_MILLISECONDS).min(MOST_HINT_MILLISECONDS);
        let (source, time) = (self.source_in_force(), Duration::from_millis(milliseconds));
        Ok(self.pool.ask_hint(&source, client, seat, player, view, time)?)
    }

    /// Has computer players answer with what they have found: all of them for the host, the adviser for whoever asked for a hint. Others could
    /// make their opponents weaker with it.
    pub(super) fn stop_thinking(&mut self, client: ClientId) -> Result<(), Failure> {
        match self.roster.check_host(client) {
            Ok(()) => {
                self.pool.stop();
                self.clock.hasten();
                Ok(())
            }
            Err(refused) => ensure(self.pool.stop_hint_of(client), || refused),
        }
    }

    /// Asks the computer player that is to act, if nothing keeps it from acting. In a session that is there for its clients, nobody
    /// acts before the first of them has come: it is to see everything.
    pub(super) fn ask_computers(&mut self) {
        if self.ends_when_left && !self.roster.has_clients() {
            return;
        }
        let is_busy = self.pool.is_thinking() || self.clock.due().is_some() || self.roster.is_far_behind() || self.awaiting.is_some();
        if self.clock.is_paused || is_busy || self.game.journal().later() > 0 {
            return;
        }
        let Some(seat) = self.game.state().acting().iter().find(|seat| !self.roster.is_human(*seat)) else {
            return;
        };
        let Some(spec) = self.roster.player(seat).cloned() else { return };
        let (view, source) = (self.game.view_of(Some(seat)), self.source_in_force());
        if let Err(error) = self.pool.ask(&source, seat, spec.clone(), view, Arc::clone(&self.debugger.engine)) {
            self.act_at_random(seat, &spec, &error.to_string());
            self.autosave();
        }
    }

    pub(super) fn handle_news(&mut self) {
        while let Some((place, news)) = self.pool.next_news() {
            match news {
                News::Thinking(thinking) => self.pool.report_thinking(&self.game, &mut self.roster, place, &thinking),
                News::Faults(faults) => self.problems.add_faults(faults, &mut self.roster),
                News::Chosen(choice) => self.handle_choice(place, Ok(choice)),
                News::Failed(error) => self.handle_choice(place, Err(error)),
            }
        }
    }

    /// Schedules what the player whose turn it is has chosen; a hint goes to the client that asked for it.
    fn handle_choice(&mut self, place: Place, result: Result<Choice, PlayerError>) {
        if let Ok(choice) = &result {
            self.pool.report_choice(&self.game, &mut self.roster, place, choice);
        }
        let Some(question) = self.pool.close_question(place, &mut self.roster) else {
            return;
        };
        if let Some(client) = question.client {
            self.roster.notify(client, hint(&self.game, &question, result));
            return;
        }
        match result {
            Ok(choice) => {
                self.evaluations
                    .extend(choice.evaluation.map(|evaluation| (question.seat, evaluation)));
                if let Some(why) = &choice.instead_of {
                    let seat = self.game.state().declarations().seat_title(question.seat);
                    self.roster.notify_message(sentence!(
                        "{player}, who plays {seat}, could not choose, and a simpler player does: {why}",
                        player = question.player
                    ));
                }
                self.pool.report_thoughts(&self.game, &mut self.roster, &question, &choice);
                self.clock.schedule(choice.action);
            }
            Err(error) => self.act_at_random(question.seat, &question.player, &error.to_string()),
        }
    }

    pub(super) fn act_when_due(&mut self) {
        if self.awaiting.is_some() {
            return;
        }
        let Some(action) = self.clock.take_due() else { return };
        let at = self.game.position();
        if let Err(error) = self.perform(&action, at) {
            let player = self.roster.player(action.seat).cloned().unwrap_or(PlayerSpec::Random);
            self.act_at_random(action.seat, &player, &error.to_string());
        }
    }

    /// Acts at random for a player that failed, and says so. If nothing can be done at all, computer players wait.
    pub(super) fn act_at_random(&mut self, seat: SeatId, player: &PlayerSpec, why: &str) {
        let title = self.game.state().declarations().seat_title(seat);
        self.roster.notify_message(sentence!(
            "{player}, who plays {seat}, could not choose, and a random action is taken: {why}",
            seat = title
        ));
        let at = self.game.position();
        let mut last = String::from(sentence!("there is no action to choose from"));
        let mut sampler = RandomActionSampler::default();
        let begun = Instant::now();
        while begun.elapsed() < MOST_TRYING {
            match sampler.next(self.game.rules(), self.game.state(), seat, self.pool.generator()) {
                Ok(Some(action)) => match self.perform(&action, at) {
                    Ok(()) => return,
                    Err(error) => last = error.to_string(),
                },
                Ok(None) => break,
                Err(rejection) => {
                    last = rejection.to_string();
                    break;
                }
            }
        }
        self.roster
            .notify_message(sentence!("{seat} cannot act: {why}", seat = title, why = last));
        self.clock.is_paused = true;
        self.notify_players();
    }
}
