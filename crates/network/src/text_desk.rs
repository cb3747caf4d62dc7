//! Who plays over a text protocol: rooms in which players gather, and the matches that they begin. All of it lies on one thread, since rules made of scripts
//! do not leave the thread on which they were made; what a line may cost there is bounded like any request.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io;
use std::mem::take;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::thread;

use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, mpsc as async_mpsc, watch};

use boardwright_client::{MatchChoice, Mirror};
use boardwright_local::{CompiledRules, prepare_served};
use boardwright_model::{Action, Rejection, SeatId, State};
use boardwright_protocol::{Answer, Command, FromHost, Notice, Reply, Request as Ask};
use boardwright_rules::{LineNews, LineRequest, LoginFailure, Request, RequestKind, Rules, RulesSource as _};
use boardwright_server::{Claim, Deliver, Joined};
use boardwright_store::{MatchId, checked_name};

use super::lobby::{CreateMatch, JoinMatch, Lobby};
use super::text_port::Line;

/// Scripts may call one another deeply.
const STACK_BYTES: usize = 16 << 20;
/// How often a line is read again that asks for one action after the other.
const MOST_AGAIN: usize = 100;

/// What reaches the desk.
pub(super) enum ToDesk {
    /// Somebody has connected.
    Opened {
        client: u64,
        lines: async_mpsc::Sender<String>,
        /// Told when it has a seat.
        logged_in: watch::Sender<bool>,
    },
    Line {
        client: u64,
        line: Line,
        /// Dropped when the line was handled: then the next may come.
        permit: OwnedSemaphorePermit,
    },
    Closed {
        client: u64,
    },
    /// Something that the match of a client sends it.
    FromMatch {
        client: u64,
        message: Box<FromHost>,
    },
    Stop,
}

/// A player of a room.
struct Player {
    name: String,
    client: Option<u64>,
    is_ready: bool,
    /// The token of its seat, once the match has been created.
    token: Option<super::token::Token>,
}

/// Players who gather for a match, or play it.
struct Room {
    rules: Rc<dyn Rules>,
    /// The setup of the match, which clients see until it begins.
    setup: Arc<State>,
    options: BTreeMap<String, String>,
    /// By seat.
    players: Vec<Option<Player>>,
    /// The match, once it has begun.
    id: Option<MatchId>,
}

/// An action that a line has asked for.
struct Asked {
    line: String,
    is_read_again: bool,
    /// How often it was read.
    times: usize,
}

struct Client {
    lines: async_mpsc::Sender<String>,
    logged_in: watch::Sender<bool>,
    /// Where it sits: the number of the room, and the seat.
    place: Option<(u64, SeatId)>,
    joined: Option<Joined>,
    mirror: Mirror,
    has_begun: bool,
    next_request: u64,
    asked: BTreeMap<u64, Asked>,
    /// Lines that are not handled yet.
    waiting: VecDeque<(Line, OwnedSemaphorePermit)>,
}

/// Owns the rooms and the clients of a text protocol.
pub(super) struct Desk {
    wanted: CreateMatch,
    lobby: Arc<Lobby>,
    runtime: Handle,
    to: Sender<ToDesk>,
    compiled: CompiledRules,
    clients: HashMap<u64, Client>,
    rooms: BTreeMap<u64, Room>,
    next_room: u64,
}

/// Why nothing came of a line, in the words of a line.
struct No {
    rule: Option<String>,
    reason: String,
}

impl No {
    fn because(reason: impl Into<String>) -> Self {
        Self {
            rule: None,
            reason: reason.into(),
        }
    }
}

impl From<Rejection> for No {
    fn from(rejection: Rejection) -> Self {
        match rejection {
            Rejection::Refused(refusal) => Self {
                rule: Some(refusal.rule.to_string()).filter(|rule| !rule.is_empty()),
                reason: refusal.reason.to_string(),
            },
            Rejection::Fault(fault) => {
                tracing::warn!("the text protocol is at fault: {fault}");
                Self::because("the rules are at fault")
            }
        }
    }
}

impl Desk {
    pub(super) fn spawn(
        wanted: CreateMatch,
        lobby: Arc<Lobby>,
        runtime: Handle,
        to: Sender<ToDesk>,
        inbox: Receiver<ToDesk>,
    ) -> io::Result<()> {
        let body = move || {
            let desk = Self {
                wanted,
                lobby,
                runtime,
                to,
                compiled: CompiledRules::default(),
                clients: HashMap::new(),
                rooms: BTreeMap::new(),
                next_room: 1,
            };
            desk.run(&inbox);
        };
        thread::Builder::new()
            .name("text protocol".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(body)?;
        Ok(())
    }

    fn run(mut self, inbox: &Receiver<ToDesk>) {
        while let Ok(message) = inbox.recv() {
            match message {
                ToDesk::Opened { client, lines, logged_in } => {
                    let opened = Client {
                        lines,
                        logged_in,
                        place: None,
                        joined: None,
                        mirror: Mirror::new(),
                        has_begun: false,
                        next_request: 1,
                        asked: BTreeMap::new(),
                        waiting: VecDeque::new(),
                    };
                    self.clients.insert(client, opened);
                }
                ToDesk::Line { client, line, permit } => {
                    if let Some(client) = self.clients.get_mut(&client) {
                        client.waiting.push_back((line, permit));
                    }
                    self.handle_waiting(client);
                }
                ToDesk::Closed { client } => self.leave(client),
                ToDesk::FromMatch { client, message } => {
                    self.handle_message(client, *message);
                    self.handle_waiting(client);
                }
                ToDesk::Stop => return,
            }
        }
    }

    /// Handles the lines of a client that wait, up to one that asks for an action: what is meant by the next depends on what comes of it.
    fn handle_waiting(&mut self, number: u64) {
        while let Some(client) = self.clients.get_mut(&number).filter(|client| client.asked.is_empty()) {
            let Some((line, permit)) = client.waiting.pop_front() else { return };
            match line {
                Ok(line) if line.trim().is_empty() => {}
                Ok(line) => self.handle_line(number, &line, 0),
                Err(why) => self.refuse(number, "", No::because(why)),
            }
            drop(permit);
        }
    }

    /// The room in which players gather; a new one if the last has begun.
    fn open_room(&mut self) -> Result<u64, No> {
        let waiting = self.rooms.iter().find(|(_, room)| room.id.is_none());
        if let Some((number, _)) = waiting {
            return Ok(*number);
        }
        let room = self.prepare(self.wanted.options.clone())?;
        let number = self.next_room;
        self.next_room += 1;
        self.rooms.insert(number, room);
        Ok(number)
    }

    /// A room without players.
    fn prepare(&self, options: BTreeMap<String, String>) -> Result<Room, No> {
        let choice = MatchChoice {
            ruleset: self.wanted.ruleset.clone(),
            scenario: self.wanted.scenario.clone(),
            options: options.clone().into_iter().collect(),
            ..MatchChoice::default()
        };
        let prepared = prepare_served(&self.lobby.catalog(), &choice, &self.compiled).map_err(|error| No::because(error.to_string()))?;
        let start = Arc::new(prepared.start);
        let rules = prepared.source.rules(start.board(), start.declarations(), start.options());
        let rules: Rc<dyn Rules> = Rc::from(rules.map_err(|fault| No::because(fault.to_string()))?);
        if rules.text_protocol().is_none() {
            return Err(No::because("this ruleset speaks no text protocol"));
        }
        Ok(Room {
            rules,
            players: start.declarations().seats.iter().map(|_| None).collect(),
            setup: start,
            options,
            id: None,
        })
    }

    /// The room of a client, that in which players gather if it has none, with its seat.
    fn place_of(&mut self, client: u64) -> Result<(u64, Option<SeatId>), No> {
        match self.clients.get(&client).and_then(|client| client.place) {
            Some((room, seat)) => Ok((room, Some(seat))),
            None => Ok((self.open_room()?, None)),
        }
    }

    /// What a client sees, and the rules.
    fn sight_of(&self, client: u64, room: u64) -> Option<(Rc<dyn Rules>, Arc<State>)> {
        let room = self.rooms.get(&room)?;
        let client = self.clients.get(&client)?;
        let view = client.place.and_then(|(_, seat)| client.mirror.view(Some(seat)));
        Some((Rc::clone(&room.rules), Arc::clone(view.unwrap_or(&room.setup))))
    }

    /// Tells a client something, in the lines of the ruleset.
    fn tell(&mut self, client: u64, room: u64, news: &LineNews) {
        let Some((rules, state)) = self.sight_of(client, room) else {
            return;
        };
        let Some(told) = self.clients.get_mut(&client) else { return };
        let _request = Request::begin(&*rules, RequestKind::Whole);
        let Some(protocol) = rules.text_protocol() else { return };
        match protocol.write_lines(&state, told.place.map(|(_, seat)| seat), news) {
            Ok(lines) => {
                for line in lines {
                    let line: String = line.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
                    if told.lines.try_send(line).is_err() {
                        // It reads too slowly, or is gone: when nothing more can come, its connection ends.
                        self.leave(client);
                        return;
                    }
                }
            }
            Err(fault) => tracing::warn!("the text protocol is at fault: {fault}"),
        }
    }

    /// Tells all players of a room but one.
    fn tell_others(&mut self, room: u64, except: u64, news: &LineNews) {
        let players = self.rooms.get(&room).into_iter().flat_map(|room| room.players.iter().flatten());
        let clients: Vec<u64> = players
            .filter_map(|player| player.client)
            .filter(|client| *client != except)
            .collect();
        for client in clients {
            self.tell(client, room, news);
        }
    }

    fn refuse(&mut self, client: u64, line: &str, no: No) {
        let Ok((room, _)) = self.place_of(client) else { return };
        let news = LineNews::Refused {
            line: line.to_owned(),
            rule: no.rule,
            reason: no.reason,
        };
        self.tell(client, room, &news);
    }

    /// Handles a line that was read so many times before.
    fn handle_line(&mut self, client: u64, line: &str, times: usize) {
        if let Err(no) = self.try_line(client, line, times) {
            self.refuse(client, line, no);
        }
    }

    fn try_line(&mut self, client: u64, line: &str, times: usize) -> Result<(), No> {
        let (room, seat) = self.place_of(client)?;
        let Some((rules, state)) = self.sight_of(client, room) else {
            return Ok(());
        };
        let read = {
            let _request = Request::begin(&*rules, RequestKind::Whole);
            let Some(protocol) = rules.text_protocol() else { return Ok(()) };
            protocol.read_line(&state, seat, line)?
        };
        let seated = || seat.ok_or_else(|| No::because("log in first"));
        match read {
            LineRequest::Nothing => {}
            LineRequest::Login { name } => self.log_in(client, room, &name)?,
            LineRequest::Ready => self.ready(client, (room, seated()?)),
            LineRequest::Leave => self.leave(client),
            LineRequest::SetOption { name, value } => {
                seated()?;
                self.set_option(room, name, value)?;
            }
            LineRequest::Say { text, to } => self.say(client, (room, seated()?), text, to),
            LineRequest::Play { action, is_read_again } => {
                let asked = Asked {
                    line: line.to_owned(),
                    is_read_again: is_read_again && times < MOST_AGAIN,
                    times: times + 1,
                };
                self.play(client, action, asked)?;
            }
        }
        Ok(())
    }

    fn log_in(&mut self, client: u64, room: u64, name: &str) -> Result<(), No> {
        if self.clients.get(&client).is_some_and(|client| client.place.is_some()) {
            return Err(No::because("you have a seat already"));
        }
        let Ok(name) = checked_name(name) else {
            self.tell(client, room, &LineNews::LoginFailed(LoginFailure::BadName));
            return Ok(());
        };
        if let Some((number, seat)) = self.find_left(&name) {
            self.seat(client, number, seat);
            self.tell(client, number, &LineNews::LoggedIn);
            self.tell_of_others(client, number, seat);
            return self.join(client, number, seat);
        }
        let Some(found) = self.rooms.get_mut(&room) else { return Ok(()) };
        let is_taken = found.players.iter().flatten().any(|player| is_alike(&player.name, &name));
        let free = found.players.iter().position(Option::is_none);
        let failure = match free {
            _ if is_taken => Some(LoginFailure::NameTaken),
            None => Some(LoginFailure::Full),
            Some(_) => None,
        };
        if let Some(failure) = failure {
            self.tell(client, room, &LineNews::LoginFailed(failure));
            return Ok(());
        }
        let seat = free.unwrap_or_default();
        if let Some(slot) = found.players.get_mut(seat) {
            *slot = Some(Player {
                name: name.clone(),
                client: Some(client),
                is_ready: false,
                token: None,
            });
        }
        let seat = SeatId(u8::try_from(seat).unwrap_or_default());
        self.seat(client, room, seat);
        self.tell(client, room, &LineNews::LoggedIn);
        self.tell_of_others(client, room, seat);
        self.tell_others(room, client, &LineNews::Joined { seat, name });
        Ok(())
    }

    fn seat(&mut self, client: u64, room: u64, seat: SeatId) {
        if let Some(client) = self.clients.get_mut(&client) {
            client.place = Some((room, seat));
            client.logged_in.send_replace(true);
        }
        let slot = self.rooms.get_mut(&room).and_then(|room| room.players.get_mut(seat.index()));
        if let Some(Some(player)) = slot {
            player.client = Some(client);
        }
    }

    /// Tells a client who is in its room.
    fn tell_of_others(&mut self, client: u64, room: u64, own: SeatId) {
        let players = self.rooms.get(&room).into_iter().flat_map(|room| room.players.iter().zip(0_u8..));
        let others = players.filter_map(|(player, seat)| Some((SeatId(seat), player.as_ref()?.name.clone())));
        let others: Vec<_> = others.filter(|(seat, _)| *seat != own).collect();
        for (seat, name) in others {
            self.tell(client, room, &LineNews::Joined { seat, name });
        }
    }

    /// The seat of a match that is played, which a player of this name has left.
    fn find_left(&self, name: &str) -> Option<(u64, SeatId)> {
        let playing = self.rooms.iter().filter(|(_, room)| room.id.is_some());
        let mut seats =
            playing.flat_map(|(number, room)| room.players.iter().zip(0_u8..).map(move |(player, seat)| (*number, player, seat)));
        let found = seats.find(|(_, player, _)| {
            player
                .as_ref()
                .is_some_and(|player| player.client.is_none() && is_alike(&player.name, name))
        });
        found.map(|(number, _, seat)| (number, SeatId(seat)))
    }

    fn set_option(&mut self, room: u64, name: String, value: String) -> Result<(), No> {
        let Some(found) = self.rooms.get(&room) else { return Ok(()) };
        if found.id.is_some() {
            return Err(No::because("the match has begun"));
        }
        let mut options = found.options.clone();
        options.insert(name, value);
        let prepared = self.prepare(options)?;
        if let Some(found) = self.rooms.get_mut(&room) {
            (found.rules, found.setup, found.options) = (prepared.rules, prepared.setup, prepared.options);
            // Whoever was ready was ready for another match.
            found.players.iter_mut().flatten().for_each(|player| player.is_ready = false);
        }
        Ok(())
    }

    fn ready(&mut self, client: u64, (number, seat): (u64, SeatId)) {
        let Some(room) = self.rooms.get_mut(&number) else { return };
        if let Some(Some(player)) = room.players.get_mut(seat.index()) {
            player.is_ready = true;
        }
        let are_ready = room
            .players
            .iter()
            .all(|player| player.as_ref().is_some_and(|player| player.is_ready));
        if room.id.is_some() || !are_ready {
            return;
        }
        if let Err(no) = self.begin(number) {
            if let Some(room) = self.rooms.get_mut(&number) {
                room.players.iter_mut().flatten().for_each(|player| player.is_ready = false);
            }
            let news = LineNews::Refused {
                line: String::new(),
                rule: no.rule,
                reason: no.reason,
            };
            self.tell(client, number, &news);
            self.tell_others(number, client, &news);
        }
    }

    /// Creates the match of a room and seats its players in it.
    fn begin(&mut self, number: u64) -> Result<(), No> {
        let Some(room) = self.rooms.get_mut(&number) else { return Ok(()) };
        let seats: Vec<String> = room.setup.declarations().seats.iter().map(|seat| seat.name.to_string()).collect();
        let wanted = CreateMatch {
            options: room.options.clone(),
            players: seats.iter().map(|seat| (seat.clone(), "human".to_owned())).collect(),
            ..self.wanted.clone()
        };
        let failed = |error: super::lobby::LobbyError| No::because(error.to_string());
        let (created, _) = self.lobby.create(&wanted).map_err(failed)?;
        let id: MatchId = created.id.parse().map_err(|_| No::because("the match has no id"))?;
        let mut clients = Vec::new();
        for ((player, name), seat) in room.players.iter_mut().zip(seats).zip(0_u8..) {
            let Some(player) = player else { continue };
            let who = JoinMatch {
                name: player.name.clone(),
                seat: Some(name),
                ..JoinMatch::default()
            };
            player.token = Some(self.lobby.join(id, &who).map_err(failed)?.1);
            clients.extend(player.client.map(|client| (client, SeatId(seat))));
        }
        room.id = Some(id);
        for (client, seat) in clients {
            self.join(client, number, seat)?;
        }
        Ok(())
    }

    /// Has a client join the match of its room.
    fn join(&mut self, client: u64, number: u64, seat: SeatId) -> Result<(), No> {
        let Some(id) = self.rooms.get(&number).and_then(|room| room.id) else {
            return Ok(());
        };
        let handle = self
            .runtime
            .block_on(self.lobby.open(id))
            .map_err(|error| No::because(error.to_string()))?;
        let to = self.to.clone();
        let deliver: Deliver = Box::new(move |message| {
            let message = Box::new(message);
            to.send(ToDesk::FromMatch { client, message }).is_ok()
        });
        let joined = handle.join(Claim::Seats([seat].into_iter().collect()), false, deliver);
        if let Some(client) = self.clients.get_mut(&client) {
            client.joined = Some(joined);
            for command in Mirror::opening() {
                client.ask(command);
            }
        }
        Ok(())
    }

    fn say(&mut self, client: u64, (number, seat): (u64, SeatId), text: String, to: Option<SeatId>) {
        if let Some(Client { joined: Some(_), .. }) = self.clients.get(&client) {
            let said = Command::Say {
                text,
                from: Some(seat),
                to,
            };
            if let Some(client) = self.clients.get_mut(&client) {
                client.ask(said);
            }
            return;
        }
        let news = LineNews::Said { from: seat, to, text };
        match to {
            None => self.tell_others(number, client, &news),
            Some(to) => {
                let room = self.rooms.get(&number);
                let player = room.and_then(|room| room.players.get(to.index())?.as_ref());
                if let Some(other) = player.and_then(|player| player.client) {
                    self.tell(other, number, &news);
                }
            }
        }
    }

    fn play(&mut self, client: u64, action: Action, asked: Asked) -> Result<(), No> {
        let Some(client) = self.clients.get_mut(&client).filter(|client| client.has_begun) else {
            return Err(No::because("the match has not begun"));
        };
        let at = client.mirror.at();
        let id = client.ask(Command::Submit { action, at });
        client.asked.insert(id, asked);
        Ok(())
    }

    /// Forgets a client. Its seat is free if the match has not begun, else it may come back to it.
    fn leave(&mut self, client: u64) {
        let Some(gone) = self.clients.remove(&client) else { return };
        let Some((number, seat)) = gone.place else { return };
        drop(gone);
        let Some(room) = self.rooms.get_mut(&number) else { return };
        let Some(slot) = room.players.get_mut(seat.index()) else { return };
        if room.id.is_none() {
            *slot = None;
        } else if let Some(player) = slot {
            player.client = None;
        }
        if room.players.iter().flatten().all(|player| player.client.is_none()) {
            if room.id.is_some() {
                // The match is kept in the lobby; with the names of its players nobody is to take what they have left there.
                tracing::info!("all players of a match over the text protocol have left");
            }
            self.rooms.remove(&number);
            return;
        }
        self.tell_others(number, client, &LineNews::Left { seat });
    }

    fn handle_message(&mut self, number: u64, message: FromHost) {
        let Some(client) = self.clients.get_mut(&number) else { return };
        let Some((room, seat)) = client.place else { return };
        let before = client.mirror.view(Some(seat)).cloned();
        for command in client.mirror.handle(&message) {
            client.ask(command);
        }
        let has_view = client.mirror.view(Some(seat)).is_some();
        if has_view && !std::mem::replace(&mut client.has_begun, has_view) {
            self.tell(number, room, &LineNews::Began);
            return;
        }
        match message {
            FromHost::Answer(Answer { id, reply }) => self.handle_answer(number, id, reply),
            FromHost::Notice(Notice::Event(event)) => {
                if let Some(before) = before {
                    let news = LineNews::Played {
                        before,
                        action: event.action,
                        draws: event.draws,
                    };
                    self.tell(number, room, &news);
                }
                if let Some(outcome) = event.outcome {
                    self.tell(number, room, &LineNews::Ended(outcome));
                }
            }
            FromHost::Notice(Notice::Chat(said)) => {
                if let Some(from) = said.from.filter(|from| *from != seat) {
                    let (to, text) = (said.to, said.text);
                    self.tell(number, room, &LineNews::Said { from, to, text });
                }
            }
            FromHost::Notice(_) => {}
        }
    }

    fn handle_answer(&mut self, client: u64, id: u64, reply: Reply) {
        let asked = self.clients.get_mut(&client).and_then(|client| client.asked.remove(&id));
        let Some(mut asked) = asked else { return };
        let no: No = match reply {
            Reply::Refused(refusal) => Rejection::from(refusal).into(),
            Reply::Fault(fault) => Rejection::Fault(fault).into(),
            Reply::Error { message } => No::because(message),
            _ => {
                if asked.is_read_again {
                    self.handle_line(client, &take(&mut asked.line), asked.times);
                }
                return;
            }
        };
        self.refuse(client, &asked.line, no);
    }
}

impl Client {
    /// Sends a request to the match; gives its number.
    fn ask(&mut self, command: Command) -> u64 {
        let id = self.next_request;
        self.next_request += 1;
        if let Some(joined) = &self.joined {
            joined.request(Ask { id, command });
        }
        id
    }
}

/// Whether two names are the same to people.
fn is_alike(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}
