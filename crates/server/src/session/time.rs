//! What time brings about: clocks run out, and people who are gone for too long have a computer player play for them.

use std::time::{Duration, Instant};

use super::super::setup::SeatNews;
use super::super::turn_clocks::{TurnClocks, TurnMoment};
use super::Session;
use boardwright_host::{Cause, ClientId};
use boardwright_model::{Forfeit, SeatId, SeatSet, sentence};
use boardwright_players::PlayerSpec;
use boardwright_protocol::Notice;
use boardwright_rules::seats_left;

/// What people were told who are not there: whose turn it was then, and that the match has ended.
pub(super) struct ToldNews {
    acting: SeatSet,
    has_ended: bool,
}

impl ToldNews {
    pub(super) fn new(acting: SeatSet, has_ended: bool) -> Self {
        Self { acting, has_ended }
    }
}

impl Session {
    pub(super) fn now(&self) -> Instant {
        (self.time)()
    }

    /// Where the match stands for its clocks. They stand still while it is paused, while numbers of its luck are waited for, and when it is over; computer players have none.
    pub(super) fn turn_moment(&self) -> TurnMoment {
        let state = self.game.state();
        let mark = state.sequence().mark;
        let is_still = self.clock.is_paused || self.awaiting.is_some() || state.outcome().is_some();
        TurnMoment {
            turn: mark.turn,
            owners: mark.seat.map_or_else(|| seats_left(state), SeatSet::one),
            acting: state
                .acting()
                .iter()
                .filter(|seat| !is_still && self.roster.is_human(*seat))
                .collect(),
        }
    }

    /// Has seats forfeit whose time has run out, or computer players play them on where the match was created so.
    pub(super) fn check_time(&mut self) {
        let Some(clocks) = self.clocks.as_ref().filter(|_| self.awaiting.is_none()) else {
            return;
        };
        let plays_on = clocks.plays_on();
        for seat in clocks.out_of_time(self.now()).iter() {
            if self.game.state().outcome().is_some() {
                break;
            }
            let title = self.game.state().declarations().seat_title(seat).clone();
            if !plays_on {
                match self.forfeit(seat, Forfeit::OutOfTime) {
                    Ok(()) => continue,
                    Err(error) => tracing::warn!("{title} cannot forfeit, and is played on: {error}"),
                }
            }
            if let Some(clocks) = &mut self.clocks {
                clocks.play_on(seat);
            }
            self.roster.notify_message(sentence!("{seat} ran out of time", seat = title));
        }
    }

    /// Takes note of who is there, whose time runs, and who is to be told, after something has happened.
    pub(super) fn follow_people(&mut self) {
        self.follow_absences(None);
        self.follow_substitutes();
        let now = self.now();
        let moment = self.turn_moment();
        if self.clocks.as_mut().is_some_and(|clocks| clocks.follow(moment, now)) {
            for client in self.roster.clients() {
                self.notify_clocks_to(client);
            }
        }
        // Whoever a match is opened for is about to come.
        if self.roster.has_clients() || self.clocks.is_some() {
            self.tell_news(moment.acting);
        }
    }

    /// Takes note of who is gone, and tells all clients but a new one, which asks for everything.
    pub(super) fn follow_absences(&mut self, new: Option<ClientId>) {
        let now = self.now();
        if self.absences.follow(self.roster.gone(seats_left(self.game.state())), now) {
            for client in self.roster.clients().into_iter().filter(|client| Some(*client) != new) {
                self.notify_players_to(client);
            }
        }
    }

    /// When time brings something about.
    pub(super) fn time_due(&self) -> Option<Instant> {
        let clocks = self.clocks.as_ref().and_then(TurnClocks::due);
        let absences = self.absences.due();
        clocks.into_iter().chain(absences).min()
    }

    /// Looks up in the journal who has forfeited, after another part of it is applied.
    pub(super) fn find_forfeits(&mut self) {
        let forfeited = self.game.journal().applied().iter().filter_map(|event| match event.cause {
            Cause::Forfeit { seat, .. } => Some(seat),
            _ => None,
        });
        self.forfeited = forfeited.collect();
    }

    /// Has computer players play for those who have forfeited without being out, whose time has run out, or who are gone for too long, and for
    /// nobody else.
    pub(super) fn follow_substitutes(&mut self) {
        let state = self.game.state();
        let is_over = state.outcome().is_some();
        let out_of_time = self.clocks.as_ref().map_or(SeatSet::EMPTY, TurnClocks::played_on);
        let seats = self
            .forfeited
            .iter()
            .chain(out_of_time.iter())
            .chain(self.absences.overdue().iter());
        let played_on: SeatSet = seats.filter(|seat| !is_over && !state.eliminated().contains(*seat)).collect();
        if played_on == self.roster.substitutes() {
            return;
        }
        let players: Vec<(SeatId, PlayerSpec)> = played_on.iter().map(|seat| (seat, self.substitute_for(seat))).collect();
        let before = self.roster.substitutes();
        self.roster.set_substitutes(players);
        let after = self.roster.substitutes();
        if before == after {
            return;
        }
        for seat in after.iter().filter(|seat| !before.contains(*seat)) {
            let title = self.game.state().declarations().seat_title(seat).clone();
            self.roster
                .notify_message(sentence!("{seat} is played on by a computer player", seat = title));
            if self.offers.forget(seat) {
                self.notify_offers();
            }
        }
        self.interrupt();
        self.notify_players();
    }

    pub(super) fn notify_clocks_to(&mut self, client: ClientId) {
        let Some(clocks) = &self.clocks else { return };
        let seats = clocks.remaining(self.now()).into_iter().enumerate();
        let left = |(index, left): (usize, Duration)| self.roster.is_human(SeatId::from_index(index)).then(|| milliseconds(left));
        let notice = Notice::Clocks {
            control: clocks.control(),
            remaining: seats.map(left).collect(),
            running: clocks.running(),
        };
        self.roster.notify(client, notice);
    }

    /// What each seat has left, to be stored.
    pub(super) fn clocks_to_store(&self) -> Option<Vec<u64>> {
        let clocks = self.clocks.as_ref()?;
        Some(clocks.remaining(self.now()).into_iter().map(milliseconds).collect())
    }

    /// Tells people who are not there that it is their turn, or that the match has ended.
    fn tell_news(&mut self, acting: SeatSet) {
        let has_ended = self.game.state().outcome().is_some();
        let gone = self.roster.gone(self.game.state().declarations().all_seats());
        let fresh: SeatSet = acting.iter().filter(|seat| !self.told.acting.contains(*seat)).collect();
        self.told.acting = acting;
        let tells_end = has_ended && !std::mem::replace(&mut self.told.has_ended, has_ended);
        let Some(tell) = &mut self.tell else { return };
        let mut tell = |seat: SeatId, news| tell(seat, self.roster.name(seat), news);
        if tells_end {
            gone.iter().for_each(|seat| tell(seat, SeatNews::Ended));
        }
        let to_act = fresh.iter().filter(|seat| gone.contains(*seat));
        to_act.for_each(|seat| tell(seat, SeatNews::YourTurn));
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
