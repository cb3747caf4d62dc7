//! Who takes part in a match: its clients, the seats that each of them holds, and who plays each seat.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::failure::{Failure, ensure, refused};
use super::handle::{Claim, Deliver};
use super::outbox::must_be_sent;
use boardwright_host::{Access, ClientId};
use boardwright_model::{Refusal, RefusalCode, SeatId, SeatSet, Sentence, sentence};
use boardwright_players::PlayerSpec;
use boardwright_protocol::{Answer, FromHost, Notice};

/// The client in whose name computer players hold their seats, and in which seats are held that were left.
const COMPUTERS: ClientId = ClientId(0);

/// The way to a client. What was sent before it left still goes there.
struct Way {
    client: ClientId,
    deliver: Deliver,
    is_cut_off: bool,
}

impl Way {
    fn deliver(&mut self, message: FromHost) {
        let must = must_be_sent(&message);
        if self.is_cut_off && !must {
            return;
        }
        if !(self.deliver)(message) && !must {
            self.is_cut_off = true;
            tracing::warn!(
                "client {}: what it is sent waits to be read, and no more is sent to it",
                self.client.0
            );
            let reason = sentence!("too many unread messages: ask to resume");
            (self.deliver)(FromHost::Notice(Notice::CutOff { reason: reason.into() }));
        }
    }
}

struct Client {
    is_host: bool,
    way: Rc<RefCell<Way>>,
}

/// The most changes of a match that are not on disk, where they are waited for as long as it takes: with more, nothing more happens in it.
const MOST_UNSTORED: u64 = 64;

/// A message on its way. It goes out when the changes up to a number are on disk.
struct Outgoing {
    after: u64,
    way: Rc<RefCell<Way>>,
    message: FromHost,
}

pub(super) struct Roster {
    clients: BTreeMap<ClientId, Client>,
    outgoing: VecDeque<Outgoing>,
    /// The number of the newest change of the match that is to be brought to disk, of the newest one that is there, and since when one is
    /// waited for.
    changes: u64,
    on_disk: u64,
    held_since: Option<Instant>,
    /// How long it is waited for; without it as long as it takes.
    most_held: Option<Duration>,
    access: Access,
    players: Vec<PlayerSpec>,
    /// The computer players that play in the place of people.
    substitutes: BTreeMap<SeatId, PlayerSpec>,
    names: Vec<Option<String>>,
}

impl Roster {
    /// A roster without clients. `players` has an entry for each seat.
    pub(super) fn new(players: Vec<PlayerSpec>, all_seats: SeatSet, most_held: Option<Duration>) -> Self {
        let mut roster = Self {
            clients: BTreeMap::new(),
            outgoing: VecDeque::new(),
            changes: 0,
            on_disk: 0,
            held_since: None,
            most_held,
            access: Access::default(),
            players,
            substitutes: BTreeMap::new(),
            names: Vec::new(),
        };
        all_seats.iter().for_each(|seat| roster.seat_computer(seat));
        roster
    }

    /// Adds a client, with the seats it asks for as far as no computer has them, and for [`Claim::AllPeople`] no other client. Gives the clients that
    /// have lost a seat to it.
    pub(super) fn join(&mut self, client: ClientId, claim: Claim, is_host: bool, deliver: Deliver, all_seats: SeatSet) -> Vec<ClientId> {
        let way = Rc::new(RefCell::new(Way {
            client,
            deliver,
            is_cut_off: false,
        }));
        self.clients.insert(client, Client { is_host, way });
        let asked = match claim {
            Claim::Spectator => SeatSet::EMPTY,
            Claim::Seats(seats) => seats,
            Claim::AllPeople => all_seats,
        };
        let mut losers = Vec::new();
        for seat in all_seats.iter().filter(|seat| asked.contains(*seat)) {
            if !self.is_of_person(seat) {
                continue;
            }
            let holder = self.clients.keys().copied().find(|other| self.access.seats(*other).contains(seat));
            if holder.is_none() || matches!(claim, Claim::Seats(_)) {
                self.access.seat(client, seat);
                losers.extend(holder.filter(|holder| !losers.contains(holder)));
            }
        }
        losers
    }

    /// Frees a seat of a person. Gives the client that held it.
    pub(super) fn release(&mut self, seat: SeatId) -> Option<ClientId> {
        let holder = self
            .clients
            .keys()
            .copied()
            .find(|client| self.access.seats(*client).contains(seat));
        self.access.seat(COMPUTERS, seat);
        holder
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

    /// Who was assigned to each seat.
    pub(super) fn players(&self) -> &[PlayerSpec] {
        &self.players
    }

    /// Who plays a seat now.
    pub(super) fn player(&self, seat: SeatId) -> Option<&PlayerSpec> {
        self.substitutes.get(&seat).or_else(|| self.players.get(seat.index()))
    }

    pub(super) fn player_names(&self) -> Vec<String> {
        let seats = (0..self.players.len()).map(SeatId::from_index);
        seats.filter_map(|seat| self.player(seat)).map(ToString::to_string).collect()
    }

    /// Whether a person plays a seat now.
    pub(super) fn is_human(&self, seat: SeatId) -> bool {
        self.player(seat).is_none_or(PlayerSpec::is_human)
    }

    /// Whether a seat is a person's, who may not play it now.
    pub(super) fn is_of_person(&self, seat: SeatId) -> bool {
        self.players.get(seat.index()).is_none_or(PlayerSpec::is_human)
    }

    /// Whether a computer player plays a seat in the place of a person.
    pub(super) fn has_substitute(&self, seat: SeatId) -> bool {
        self.substitutes.contains_key(&seat)
    }

    /// Checks that the person of a seat plays it.
    pub(super) fn check_plays(&self, seat: SeatId) -> Result<(), Failure> {
        ensure(!self.has_substitute(seat), || {
            refused(RefusalCode::NotYourSeat, sentence!("a computer player plays this seat on"))
        })
    }

    /// The seats of people that a computer player plays on.
    pub(super) fn substitutes(&self) -> SeatSet {
        self.substitutes.keys().copied().collect()
    }

    /// Has computer players play some seats on, as far as they are people's, and no others.
    pub(super) fn set_substitutes(&mut self, players: Vec<(SeatId, PlayerSpec)>) {
        self.substitutes = players.into_iter().filter(|(seat, _)| self.is_of_person(*seat)).collect();
    }

    /// The people among some seats whose seat no client holds.
    pub(super) fn gone(&self, seats: SeatSet) -> SeatSet {
        let held = self.access.held_but_by(COMPUTERS);
        let is_gone = |seat: &SeatId| self.is_of_person(*seat) && !held.contains(*seat);
        seats.iter().filter(is_gone).collect()
    }

    /// The names of the people at the seats, where they have some.
    pub(super) fn names(&self) -> &[Option<String>] {
        &self.names
    }

    pub(super) fn name(&self, seat: SeatId) -> Option<&str> {
        self.names.get(seat.index())?.as_deref()
    }

    pub(super) fn set_name(&mut self, seat: SeatId, name: Option<String>) {
        if self.names.len() < self.players.len() {
            self.names.resize(self.players.len(), None);
        }
        if let Some(slot) = self.names.get_mut(seat.index()) {
            *slot = name;
        }
    }

    /// Puts a player on a seat. For a person, `client` holds it then.
    pub(super) fn assign(&mut self, client: ClientId, seat: SeatId, player: PlayerSpec) {
        self.substitutes.remove(&seat);
        if let Some(slot) = self.players.get_mut(seat.index()) {
            *slot = player;
        }
        if self.is_of_person(seat) {
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
            if let Some(holder) = holder.filter(|_| self.is_of_person(seat)) {
                self.access.seat(holder, seat);
            }
        }
    }

    /// Takes the seat of a computer player from whoever holds it.
    fn seat_computer(&mut self, seat: SeatId) {
        if !self.is_of_person(seat) {
            self.access.seat(COMPUTERS, seat);
        }
    }

    /// Sends something to one client, with the next [`deliver`](Self::deliver). A client that is gone is skipped; its own end makes it
    /// leave.
    pub(super) fn send(&mut self, client: ClientId, message: FromHost) {
        if let Some(client) = self.clients.get(&client) {
            self.outgoing.push_back(Outgoing {
                after: u64::MAX,
                way: Rc::clone(&client.way),
                message,
            });
        }
    }

    /// Numbers a change of the match that is to be on disk before anybody is told of it.
    pub(super) fn begin_change(&mut self) -> u64 {
        self.changes += 1;
        self.held_since.get_or_insert_with(Instant::now);
        self.changes
    }

    /// The changes up to a number are on disk, or will not come there.
    pub(super) fn end_changes(&mut self, number: u64) {
        self.on_disk = self.on_disk.max(number);
        self.held_since = (self.on_disk < self.changes).then(Instant::now);
    }

    /// Whether so many changes wait to be brought to disk that no more are to be made.
    pub(super) fn is_far_behind(&self) -> bool {
        self.most_held.is_none() && self.changes - self.on_disk >= MOST_UNSTORED
    }

    /// Nothing that waits for the disk will come there: nobody is told of it, and there are no clients any more.
    pub(super) fn abandon(&mut self) {
        self.outgoing.clear();
        self.clients.clear();
        self.end_changes(self.changes);
    }

    /// Tells all clients something that says nothing of the match, before all that waits for the disk.
    pub(super) fn notify_at_once(&mut self, text: &Sentence) {
        for client in self.clients.values() {
            let text = text.clone().into();
            client.way.borrow_mut().deliver(FromHost::Notice(Notice::Message { text }));
        }
    }

    /// Answers a client with what says nothing of the match: at once, unless an earlier answer to it waits for the disk.
    pub(super) fn answer_at_once(&mut self, client: ClientId, answer: Answer) {
        let Some(found) = self.clients.get(&client) else { return };
        let mut before = self.outgoing.iter();
        if before.any(|outgoing| Rc::ptr_eq(&outgoing.way, &found.way) && matches!(outgoing.message, FromHost::Answer(_))) {
            self.send(client, FromHost::Answer(answer));
        } else {
            found.way.borrow_mut().deliver(FromHost::Answer(answer));
        }
    }

    /// Whether something waits for a change that is not on disk yet.
    pub(super) fn is_holding(&self) -> bool {
        self.held_since.is_some()
    }

    /// When messages go out without waiting for the disk any longer.
    pub(super) fn due(&self) -> Option<Instant> {
        Some(self.held_since? + self.most_held?)
    }

    /// Delivers what was sent, in order, as far as the changes that it tells of are on disk.
    pub(super) fn deliver(&mut self) {
        if self.due().is_some_and(|due| due <= Instant::now()) {
            tracing::warn!("the disk takes long to write the automatic copy of the match; it is not waited for");
            self.end_changes(self.changes);
        }
        let newest = self.changes;
        let unnumbered = self.outgoing.iter_mut().rev().take_while(|outgoing| outgoing.after == u64::MAX);
        unnumbered.for_each(|outgoing| outgoing.after = newest);
        while let Some(outgoing) = self.outgoing.pop_front_if(|outgoing| outgoing.after <= self.on_disk) {
            outgoing.way.borrow_mut().deliver(outgoing.message);
        }
    }

    /// Sends a client notices again that was cut off.
    pub(super) fn resume(&mut self, client: ClientId) {
        if let Some(client) = self.clients.get(&client) {
            client.way.borrow_mut().is_cut_off = false;
        }
    }

    pub(super) fn notify(&mut self, client: ClientId, notice: Notice) {
        self.send(client, FromHost::Notice(notice));
    }

    pub(super) fn notify_all(&mut self, notice: &Notice) {
        for client in self.clients() {
            self.notify(client, notice.clone());
        }
    }

    pub(super) fn notify_message(&mut self, text: Sentence) {
        self.notify_all(&Notice::Message { text: text.into() });
    }
}
