//! The client's end: a match on a server as a link, and the lobby of a server.

use std::io;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::json;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{Bytes, Error, Message};

use boardwright_client::{KeepSecret, Link, LinkClosed, LuckReaction, LuckSecret, LuckWatch, Wake, receive_from};
use boardwright_content::{MOST_SAVE_BYTES, MOST_UNPACKED};
use boardwright_model::{Fingerprint, LuckNumber, NumberChain};
use boardwright_protocol::{FromHost, Notice, PROTOCOL, Request};
use boardwright_rules::RulesSource;

use super::encryption::{ClientSocket, http_config, open_socket};
use super::kept_rules::{KeptRules, fetch_rules};
use super::lobby::{CreateMatch, JoinMatch, MatchSummary, RulesetSummary};
use super::mirror_answers::{self, FetchRules, ToMirror, may_be_answered_here};
use super::round_trip::RoundTrip;

/// How long it may take until a server answers.
const MOST_CONNECTING: Duration = Duration::from_secs(20);
/// How long it is waited for what a server has said before it closed the connection.
const MOST_LAST_WORDS: Duration = Duration::from_secs(1);
/// How long a server that was asked for a sign of life may be silent before the connection counts as lost.
const MOST_SILENCE: Duration = Duration::from_mins(1);
/// How often it is asked for one, which measures how long an answer takes.
const PING_EVERY: Duration = Duration::from_secs(10);
/// How often it is said that an answer is overdue.
const OVERDUE_EVERY: Duration = Duration::from_secs(1);

/// The id of requests about the luck of a match, whose answers are for nobody else.
const LUCK_REQUEST: u64 = u64::MAX;

/// Why a server cannot be played at.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    /// It cannot be reached.
    #[error("the server cannot be reached: {0}")]
    Unreachable(String),
    /// It says no.
    #[error("{0}")]
    Refused(String),
    /// The system gives no thread.
    #[error(transparent)]
    Thread(#[from] io::Error),
}

/// The lobby of a server. Its functions block.
#[derive(Clone, Debug)]
pub struct RemoteLobby {
    /// Such as `http://localhost:7474`, without a slash at the end.
    address: String,
    agent: ureq::Agent,
    rules: Option<KeptRules>,
}

impl RemoteLobby {
    /// The lobby at an address: `https://HOST`, `http://HOST:PORT`, or `HOST:PORT` alone, which is not encrypted.
    pub fn new(address: &str) -> Self {
        let address = address.trim_end_matches('/');
        let address = if address.contains("://") {
            address.to_owned()
        } else {
            format!("http://{address}")
        };
        let config = http_config(MOST_CONNECTING).http_status_as_error(false).build();
        Self {
            address,
            agent: config.into(),
            rules: None,
        }
    }

    /// The same with rules that are kept in a folder, so that they are sent once.
    #[must_use]
    pub fn keeping_rules(self, rules: Option<KeptRules>) -> Self {
        Self { rules, ..self }
    }

    /// Rules that a match on the server is played by, compressed as the server keeps them.
    pub(super) fn packed_rules(&self, fingerprint: Fingerprint) -> Result<Vec<u8>, RemoteError> {
        let mut answer = self
            .agent
            .get(format!("{}/api/rules/{fingerprint}", self.address))
            .call()
            .map_err(|error| unreachable(&error))?;
        if !answer.status().is_success() {
            return Err(RemoteError::Refused(format!("the server has no rules {}", fingerprint.short())));
        }
        answer
            .body_mut()
            .with_config()
            .limit(MOST_UNPACKED)
            .read_to_vec()
            .map_err(|error| unreachable(&error))
    }

    /// The rules of a fingerprint: from the folder of kept rules, or from the server.
    ///
    /// # Errors
    /// If the server cannot be reached, has no such rules, or sends others.
    pub fn rules(&self, fingerprint: Fingerprint) -> Result<Arc<dyn RulesSource>, RemoteError> {
        fetch_rules(self, self.rules.as_ref(), fingerprint)
    }

    fn read<T: serde::de::DeserializeOwned>(answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Result<T, RemoteError> {
        let mut answer = answer.map_err(|error| unreachable(&error))?;
        let is_success = answer.status().is_success();
        let value: serde_json::Value = answer.body_mut().read_json().map_err(|error| unreachable(&error))?;
        if is_success {
            return serde_json::from_value(value).map_err(|error| RemoteError::Refused(format!("the server is another one: {error}")));
        }
        let message = value.pointer("/error/message").and_then(|message| message.as_str());
        Err(RemoteError::Refused(message.unwrap_or("the server says no").to_owned()))
    }

    /// What can be played there.
    ///
    /// # Errors
    /// If the server cannot be reached or says no.
    pub fn rulesets(&self) -> Result<Vec<RulesetSummary>, RemoteError> {
        Self::read(self.agent.get(format!("{}/api/rulesets", self.address)).call())
    }

    /// The matches of a status: `waiting`, `playing` or `ended`.
    ///
    /// # Errors
    /// If the server cannot be reached or says no.
    pub fn list(&self, status: &str) -> Result<Vec<MatchSummary>, RemoteError> {
        Self::read(self.agent.get(format!("{}/api/matches?status={status}", self.address)).call())
    }

    /// A match.
    ///
    /// # Errors
    /// If the server cannot be reached or says no.
    pub fn one(&self, id: &str) -> Result<MatchSummary, RemoteError> {
        Self::read(self.agent.get(format!("{}/api/matches/{id}", self.address)).call())
    }

    /// Creates a match; gives it with the token of its creator.
    ///
    /// # Errors
    /// If the server cannot be reached or says no.
    pub fn create(&self, wanted: &CreateMatch) -> Result<(MatchSummary, String), RemoteError> {
        #[derive(serde::Deserialize)]
        struct Created {
            #[serde(rename = "match")]
            found: MatchSummary,
            token: String,
        }
        let created: Created = Self::read(self.agent.post(format!("{}/api/matches", self.address)).send_json(wanted))?;
        Ok((created.found, created.token))
    }

    /// Deletes a match that waits, with the token of its creator.
    ///
    /// # Errors
    /// If the server cannot be reached or says no.
    pub fn cancel(&self, id: &str, token: &str) -> Result<(), RemoteError> {
        self.delete(id, token)
    }

    /// Sends whoever holds a seat away, with the token of the creator of the match.
    ///
    /// # Errors
    /// If the server cannot be reached or says no.
    pub fn kick(&self, id: &str, seat: &str, token: &str) -> Result<(), RemoteError> {
        self.delete(&format!("{id}/seats/{seat}"), token)
    }

    /// Leaves the seat of a token.
    ///
    /// # Errors
    /// If the server cannot be reached or says no.
    pub fn leave(&self, id: &str, token: &str) -> Result<(), RemoteError> {
        self.delete(&format!("{id}/seats"), token)
    }

    fn delete(&self, what: &str, token: &str) -> Result<(), RemoteError> {
        let request = self.agent.delete(format!("{}/api/matches/{what}", self.address));
        let answer = request.header("Authorization", format!("Bearer {token}")).call();
        match answer {
            Ok(answer) if answer.status().is_success() => Ok(()),
            answer => Self::read(answer),
        }
    }

    /// The link that leads to a match.
    pub fn link(&self, id: &str) -> String {
        format!("{}/m/{id}", self.address)
    }

    /// Takes a seat; gives its name and its token.
    ///
    /// # Errors
    /// If the server cannot be reached or says no.
    pub fn join(&self, id: &str, who: &JoinMatch) -> Result<(String, String), RemoteError> {
        let joined = self.post_join(id, who)?;
        Ok((joined.seat, joined.token))
    }

    fn post_join(&self, id: &str, who: &JoinMatch) -> Result<Joined, RemoteError> {
        Self::read(self.agent.post(format!("{}/api/matches/{id}/seats", self.address)).send_json(who))
    }

    /// Takes a seat, and a part in the luck of the match if that can be verified.
    ///
    /// # Errors
    /// If the server cannot be reached or says no.
    pub fn take_seat(&self, id: &str, who: &JoinMatch) -> Result<TakenSeat, RemoteError> {
        let secret = LuckNumber(rand::random());
        let who = JoinMatch {
            luck: Some(NumberChain::new(secret).head()),
            ..who.clone()
        };
        let joined = self.post_join(id, &who)?;
        let luck = joined.luck.map(|committed| LuckSecret {
            secret,
            committed,
            asked: None,
        });
        Ok(TakenSeat {
            seat: joined.seat,
            token: joined.token,
            luck,
        })
    }

    /// A match that has ended as a file, with its password if it has one.
    ///
    /// # Errors
    /// If the server cannot be reached or says no.
    pub fn save_of(&self, id: &str, password: Option<&str>) -> Result<String, RemoteError> {
        let asked = self.agent.get(format!("{}/api/matches/{id}/save", self.address));
        let asked = password
            .into_iter()
            .fold(asked, |asked, password| asked.query("password", password));
        let mut answer = asked.call();
        match &mut answer {
            Ok(found) if found.status().is_success() => {
                let body = found.body_mut().with_config().limit(MOST_SAVE_BYTES as u64);
                body.read_to_string().map_err(|error| unreachable(&error))
            }
            _ => Self::read(answer),
        }
    }

    /// The address of the server, such as `http://localhost:7474`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The address of the web socket of a match.
    pub(super) fn socket(&self, id: &str) -> String {
        let address = self.address.replacen("http", "ws", 1);
        format!("{address}/api/matches/{id}/socket")
    }

    /// A link to a match, with the tokens of the seats that are played from here, or without any and with the password of the match, if it has one. While the match waits for players, `waiting` is told who is there.
    ///
    /// # Errors
    /// If the server cannot be reached.
    pub fn connect(
        &self,
        id: &str,
        tokens: &[String],
        password: Option<&str>,
        wake: Option<Wake>,
        waiting: impl Fn(&MatchSummary) + Send + 'static,
    ) -> Result<RemoteLink, RemoteError> {
        self.connect_with(id, (tokens, password), Vec::new(), wake, waiting)
    }

    /// The same for a player who takes part in the luck of the match, with the secrets of the seats.
    ///
    /// # Errors
    /// If the server cannot be reached.
    pub fn connect_with(
        &self,
        id: &str,
        (tokens, password): (&[String], Option<&str>),
        secrets: Vec<(LuckSecret, KeepSecret)>,
        wake: Option<Wake>,
        waiting: impl Fn(&MatchSummary) + Send + 'static,
    ) -> Result<RemoteLink, RemoteError> {
        let hello = json!({"protocol": PROTOCOL, "tokens": tokens, "password": password}).to_string();
        let lobby = self.clone();
        let fetch = move |fingerprint, to: mpsc::Sender<ToMirror>| {
            let lobby = lobby.clone();
            let body = move || {
                let rules = lobby.rules(fingerprint);
                if let Err(error) = &rules {
                    tracing::warn!("questions about the match go to the server: {error}");
                }
                drop(to.send(ToMirror::Rules(fingerprint, rules.ok())));
            };
            // Without a thread, too, the server answers.
            drop(thread::Builder::new().name("rules".to_owned()).spawn(body));
        };
        RemoteLink::open(self.socket(id), (hello, secrets), wake, Box::new(fetch), waiting)
    }
}

/// Why a server was not reached, in words for people.
fn unreachable(error: &ureq::Error) -> RemoteError {
    RemoteError::Unreachable(match error {
        ureq::Error::Io(error) if error.kind() == io::ErrorKind::ConnectionRefused => "nothing listens there".to_owned(),
        ureq::Error::Io(error) => error.to_string(),
        ureq::Error::HostNotFound => "there is no machine of this name".to_owned(),
        ureq::Error::Timeout(_) => format!("no answer within {} seconds", MOST_CONNECTING.as_secs()),
        other => other.to_string(),
    })
}

/// What a server answers who takes a seat.
#[derive(serde::Deserialize)]
struct Joined {
    seat: String,
    token: String,
    luck: Option<LuckNumber>,
}

/// A seat that was taken.
#[derive(Clone, Debug)]
pub struct TakenSeat {
    /// Its name.
    pub seat: String,
    /// The token that proves it.
    pub token: String,
    /// What the player keeps of the luck of the match, where that can be verified.
    pub luck: Option<LuckSecret>,
}

/// A link to a match on a server.
#[derive(Debug)]
pub struct RemoteLink {
    to: UnboundedSender<String>,
    /// What can be answered here.
    mirror: mpsc::Sender<ToMirror>,
    inbox: Receiver<FromHost>,
    /// Why the connection has ended, once it has.
    end: Arc<OnceLock<String>>,
    round_trip: Arc<RoundTrip>,
}

impl RemoteLink {
    fn open(
        address: String,
        (hello, secrets): (String, Vec<(LuckSecret, KeepSecret)>),
        wake: Option<Wake>,
        fetch: FetchRules,
        waiting: impl Fn(&MatchSummary) + Send + 'static,
    ) -> Result<Self, RemoteError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (to, outgoing) = unbounded_channel();
        let (to_client, inbox) = mpsc::channel();
        let mirror = mirror_answers::spawn(fetch, to_client, to.clone(), wake.clone())?;
        let arrived = mirror.clone();
        let (opened, result) = mpsc::sync_channel(1);
        let end = Arc::new(OnceLock::new());
        let reason = Arc::clone(&end);
        let round_trip = Arc::new(RoundTrip::default());
        let pulse = Pulse {
            round_trip: Arc::clone(&round_trip),
            wake,
        };
        let body = move || {
            let why = runtime.block_on(async {
                match greet(&address, hello).await {
                    Ok(socket) => {
                        drop(opened.send(Ok(())));
                        let luck = LuckWatch::new(secrets);
                        converse(socket, outgoing, (&arrived, luck), &waiting, &pulse).await
                    }
                    Err(error) => {
                        drop(opened.send(Err(error)));
                        String::new()
                    }
                }
            });
            // Said before whoever waits learns that nothing more comes.
            drop(reason.set(why));
            drop(arrived.send(ToMirror::Closed));
        };
        thread::Builder::new().name("connection".to_owned()).spawn(body)?;
        match result.recv() {
            Ok(Ok(())) => Ok(Self {
                to,
                mirror,
                inbox,
                end,
                round_trip,
            }),
            Ok(Err(error)) => Err(error),
            Err(_) => Err(RemoteError::Unreachable("the connection broke down".to_owned())),
        }
    }

    fn closed(&self) -> LinkClosed {
        self.end.get().map_or(LinkClosed::HostGone, |why| LinkClosed::Because(why.clone()))
    }
}

impl Drop for RemoteLink {
    fn drop(&mut self) {
        drop(self.mirror.send(ToMirror::Closed));
    }
}

/// What comes before a match has begun.
#[derive(serde::Deserialize)]
struct Waiting {
    #[serde(rename = "match")]
    found: MatchSummary,
}

type Socket = ClientSocket;

/// A web socket at an address on which it was said who comes.
async fn greet(address: &str, hello: String) -> Result<Socket, RemoteError> {
    let connected = timeout(MOST_CONNECTING, open_socket(address)).await;
    let connected = connected
        .map_err(|_| RemoteError::Unreachable(format!("no answer from {address} within {} seconds", MOST_CONNECTING.as_secs())))?;
    let (mut socket, _) = connected.map_err(|error| match error {
        Error::Http(answer) => RemoteError::Refused(
            answer
                .body()
                .as_ref()
                .and_then(|body| {
                    Some(
                        serde_json::from_slice::<serde_json::Value>(body)
                            .ok()?
                            .pointer("/error/message")?
                            .as_str()?
                            .to_owned(),
                    )
                })
                .unwrap_or_else(|| format!("the server answers with status {}", answer.status())),
        ),
        error => RemoteError::Unreachable(error.to_string()),
    })?;
    let greeted = socket.send(Message::text(hello)).await;
    greeted.map_err(|error| RemoteError::Unreachable(error.to_string()))?;
    Ok(socket)
}

/// Why the server has closed a connection.
fn ended(frame: Option<&CloseFrame>) -> String {
    match frame.filter(|frame| !frame.reason.is_empty()) {
        Some(frame) => format!("the server has ended the connection: {}", frame.reason),
        None => "the server has ended the connection".to_owned(),
    }
}

/// Why the server has closed a connection to which nothing can be sent any more, if it has said so.
async fn last_words(socket: &mut Socket) -> Option<String> {
    loop {
        match timeout(MOST_LAST_WORDS, socket.next()).await {
            Ok(Some(Ok(Message::Close(frame)))) => return Some(ended(frame.as_ref())),
            Ok(Some(Ok(_))) => {}
            _ => return None,
        }
    }
}

/// How long answers take, and who shows it.
struct Pulse {
    round_trip: Arc<RoundTrip>,
    wake: Option<Wake>,
}

impl Pulse {
    fn answered(&self, now: Instant) {
        self.round_trip.answered(now.into_std());
        self.show();
    }

    fn show(&self) {
        if let Some(wake) = &self.wake {
            wake();
        }
    }
}

/// Sends and receives until the connection ends. Gives why, in words for people.
async fn converse(
    mut socket: Socket,
    mut outgoing: UnboundedReceiver<String>,
    (arrived, mut luck): (&mpsc::Sender<ToMirror>, LuckWatch),
    waiting: &(impl Fn(&MatchSummary) + Send),
    pulse: &Pulse,
) -> String {
    let lost = |error: Error| format!("the connection to the server is lost: {error}");
    let mut heard = Instant::now();
    let mut due = heard;
    loop {
        tokio::select! {
            line = outgoing.recv() => {
                let Some(line) = line else {
                    // The link was dropped.
                    drop(timeout(MOST_CONNECTING, socket.close(None)).await);
                    return String::new();
                };
                match timeout(MOST_SILENCE, socket.send(Message::text(line))).await {
                    Ok(Ok(())) => {}
                    // What the server has said before it closed the connection may still be unread.
                    Ok(Err(error)) => return last_words(&mut socket).await.unwrap_or_else(|| lost(error)),
                    Err(_) => return "the connection to the server is lost: it takes nothing any more".to_owned(),
                }
            }
            received = socket.next() => {
                heard = Instant::now();
                match received {
                    Some(Ok(Message::Text(text))) => {
                        if let Ok(message) = serde_json::from_str(&text) {
                            let LuckReaction { requests, messages } = luck.handle(&message);
                            for command in requests {
                                let Ok(line) = serde_json::to_string(&Request { id: LUCK_REQUEST, command }) else { continue };
                                if let Ok(Err(error)) = timeout(MOST_SILENCE, socket.send(Message::text(line))).await {
                                    return lost(error);
                                }
                            }
                            let messages = messages.into_iter().map(|text| FromHost::Notice(Notice::Message { text: text.into() }));
                            let is_for_luck = match &message {
                                FromHost::Answer(answer) => answer.id == LUCK_REQUEST,
                                FromHost::Notice(notice) => matches!(notice, Notice::Reveal { .. }),
                            };
                            let message = Some(message).filter(|_| !is_for_luck);
                            if message.into_iter().chain(messages).any(|message| arrived.send(ToMirror::Arrived(message)).is_err()) {
                                return String::new();
                            }
                        } else if let Ok(Waiting { found }) = serde_json::from_str(&text) {
                            waiting(&found);
                        } else {
                            tracing::warn!("not a message of a host: {text}");
                        }
                    }
                    Some(Ok(Message::Close(frame))) => return ended(frame.as_ref()),
                    Some(Ok(Message::Pong(_))) => {
                        pulse.answered(heard);
                        due = heard + PING_EVERY;
                    }
                    Some(Ok(_)) => {}
                    Some(Err(error)) => return lost(error),
                    None => return "the connection to the server is lost".to_owned(),
                }
            }
            () = sleep_until(due) => {
                let now = Instant::now();
                due = now + OVERDUE_EVERY;
                if !pulse.round_trip.is_open() {
                    pulse.round_trip.asked(now.into_std());
                    if let Ok(Err(error)) = timeout(MOST_SILENCE, socket.send(Message::Ping(Bytes::new()))).await {
                        return lost(error);
                    }
                } else if now.duration_since(heard) >= MOST_SILENCE {
                    return format!("the connection to the server is lost: nothing was heard for {} seconds", MOST_SILENCE.as_secs());
                } else {
                    pulse.show();
                }
            }
        }
    }
}

impl Link for RemoteLink {
    fn send(&mut self, request: Request) -> Result<(), LinkClosed> {
        if may_be_answered_here(&request.command) {
            return self.mirror.send(ToMirror::Asked(request)).map_err(|_| self.closed());
        }
        let line = serde_json::to_string(&request).map_err(|error| LinkClosed::Because(error.to_string()))?;
        self.to.send(line).map_err(|_| self.closed())
    }

    fn receive(&mut self, timeout: Option<Duration>) -> Result<Option<FromHost>, LinkClosed> {
        receive_from(&self.inbox, timeout).map_err(|_| self.closed())
    }

    fn latency(&self) -> Option<Duration> {
        self.round_trip.get(std::time::Instant::now())
    }
}
