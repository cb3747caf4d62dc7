//! Who takes part in a match: its clients, the seats that each of them holds, and who plays each seat.

use std::collections::BTreeMap;

use super::failure::{Failure, ensure, refused};
use super::handle::{Claim, Deliver};
use boardwright_host::{Access, ClientId};
use boardwright_model::{Refusal, RefusalCode, SeatId, SeatSet, Sentence, sentence};
use boardwright_players::PlayerSpec;
use boardwright_protocol::{FromHost, Notice};

/// The client in whose name computer players hold their seats.
const COMPUTERS: ClientId = ClientId(0);

struct Client {
    is_host: bool,
    deliver: Deliver,
}

pub(super) struct Roster {
    clients: BTreeMap<ClientId, Client>,
    access: Access,
    players: Vec<PlayerSpec>,
}

impl Roster {
    /// A roster without clients. `players` has an entry for each seat.
    pub(super) fn new(players: Vec<PlayerSpec>, all_seats: SeatSet) -> Self {
        let mut roster = Self {
            clients: BTreeMap::new(),
            access: Access::default(),
            players,
        };
        all_seats.iter().for_each(|seat| roster.seat_computer(seat));
        roster
    }

    /// Adds a client, with the seats it asks for as far as no computer and no other client has them.
    pub(super) fn join(&mut self, client: ClientId, claim: Claim, is_host: bool, deliver: Deliver, all_seats: SeatSet) {
        self.clients.insert(client, Client { is_host, deliver });
        let asked = match claim {
            Claim::Spectator => SeatSet::EMPTY,
            Claim::Seats(seats) => seats,
            Claim::AllPeople => all_seats,
        };
        for seat in all_seats.iter().filter(|seat| asked.contains(*seat)) {
            let is_taken = self.clients.keys().any(|other| self.access.seats(*other).contains(seat));
            if !is_taken && self.is_human(seat) {
                self.access.seat(client, seat);
            }
        }
    }

    /// Removes a client and frees its seats; whether it was there.
    pub(super) fn leave(&mut self, client: ClientId) -> bool {
        self.access.leave(client);
        self.clients.remove(&client).is_some()
    }

    pub(super) fn has_clients(&self) -> bool {
        !self.clients.is_empty()
    }

    pub(super) fn clients(&self) -> Vec<ClientId> {
        self.clients.keys().copied().collect()
    }

    pub(super) fn seats_of(&self, client: ClientId) -> SeatSet {
        self.access.seats(client)
    }

    pub(super) fn check_seat_of(&self, client: ClientId, seat: SeatId) -> Result<(), Refusal> {
        self.access.check(client, seat)
    }

    pub(super) fn check_host(&self, client: ClientId) -> Result<(), Failure> {
        let is_host = self.clients.get(&client).is_some_and(|client| client.is_host);
        ensure(is_host, || {
            refused(RefusalCode::Policy, sentence!("only the host of the match may do this"))
        })
    }

    pub(super) fn players(&self) -> &[PlayerSpec] {
        &self.players
    }

    pub(super) fn player(&self, seat: SeatId) -> Option<&PlayerSpec> {
        self.players.get(seat.index())
    }

    pub(super) fn player_names(&self) -> Vec<String> {
        self.players.iter().map(ToString::to_string).collect()
    }

    pub(super) fn is_human(&self, seat: SeatId) -> bool {
        self.player(seat).is_none_or(PlayerSpec::is_human)
    }

    /// Puts a player on a seat. For a person, `client` holds it then.
    pub(super) fn assign(&mut self, client: ClientId, seat: SeatId, player: PlayerSpec) {
        if let Some(slot) = self.players.get_mut(seat.index()) {
            *slot = player;
        }
        if self.is_human(seat) {
            self.access.seat(client, seat);
        } else {
            self.seat_computer(seat);
        }
    }

    /// Swaps the players of two seats; a person keeps the client that holds its seat.
    pub(super) fn swap(&mut self, a: SeatId, b: SeatId) {
        self.players.swap(a.index(), b.index());
        let holder_of = |seat| self.clients().into_iter().find(|client| self.seats_of(*client).contains(seat));
        let moves = [(holder_of(a), b), (holder_of(b), a)];
        self.seat_computer(a);
        self.seat_computer(b);
        for (holder, seat) in moves {
            if let Some(holder) = holder.filter(|_| self.is_human(seat)) {
                self.access.seat(holder, seat);
            }
        }
    }

    /// Takes the seat of a computer player from whoever holds it.
    fn seat_computer(&mut self, seat: SeatId) {
        if !self.is_human(seat) {
            self.access.seat(COMPUTERS, seat);
        }
    }

    /// Sends something to one client. A client that is gone is skipped; its own end makes it leave.
    pub(super) fn send(&mut self, client: ClientId, message: FromHost) {
        if let Some(client) = self.clients.get_mut(&client) {
            (client.deliver)(message);
        }
    }

    pub(super) fn notify(&mut self, client: ClientId, notice: Notice) {
        self.send(client, FromHost::Notice(notice));
    }

    pub(super) fn notify_all(&mut self, notice: &Notice) {
        for client in self.clients.values_mut() {
            (client.deliver)(FromHost::Notice(notice.clone()));
        }
    }

    pub(super) fn notify_message(&mut self, text: Sentence) {
        self.notify_all(&Notice::Message { text: text.into() });
    }
}
