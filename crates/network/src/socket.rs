//! A match over a web socket: a frame of text is a message, as a line is over pipes.
//!
//! The first frame says who comes: `{"protocol": 1, "tokens": ["..."]}`, without tokens a spectator. While the match waits for players, who comes is
//! told `{"notice": "waiting", ...}` whenever a seat is taken or left; when it has begun, the messages of the protocol follow.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::mpsc::TryRecvError;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Notify, broadcast, watch};
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_tungstenite::tungstenite;
use tracing::Instrument as _;

use boardwright_model::{LuckNumber, LuckRecord, LuckTerms, SeatSet};
use boardwright_protocol::{Answer, Command, FromHost, Notice, PROTOCOL, Reply, Request};
use boardwright_server::{
    Claim, Deliver, Inbox, Joined, MostWaiting, Outbox, SessionHandle, message_line, must_be_sent, outbox, parse_request,
};
use boardwright_store::{MatchId, Status};

use super::api::{ClientPermit, Server, blocking};
use super::client_list::ConnectedClient;
use super::forwarding::{NoOwner, OwnerSocket, may_be_sent};
use super::gate::Pace;
use super::lobby::{LobbyError, Order};
use super::nodes::Place;
use super::token::{NoToken, Token};

/// How long somebody who has connected may take to say who they are.
const MOST_SILENT_AT_FIRST: Duration = Duration::from_secs(10);
/// The most bytes of a message from a client.
pub(super) const MOST_MESSAGE_BYTES: usize = 64 << 10;
/// The most bytes of what a client sends before its match begins.
const MOST_EARLY_BYTES: usize = MOST_MESSAGE_BYTES;
/// The most seat tokens of a client: no match has more seats.
const MOST_TOKENS: usize = 64;
/// How long somebody who comes waits for a match whose node is not reached: longer than it takes until another one may go on with it.
const MOST_TAKING_OVER: Duration = Duration::from_secs(5);
/// After how long it is tried again.
const TRY_AGAIN_AFTER: Duration = Duration::from_millis(100);
/// How often a match is looked for again that was about to end when somebody came.
const MOST_TRIES: usize = 5;

/// Who comes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Hello {
    /// The version of the protocol that the client speaks.
    protocol: u32,
    /// The tokens of its seats.
    #[serde(default)]
    tokens: Vec<String>,
    /// The password of the match, of a spectator.
    #[serde(default)]
    password: Option<String>,
}

/// Why a connection ends. The client is told in the frame that closes it.
pub(super) struct Closing {
    code: u16,
    reason: String,
}

impl Closing {
    pub(super) fn policy(reason: impl Into<String>) -> Self {
        Self {
            code: close_code::POLICY,
            reason: reason.into(),
        }
    }

    /// The client has left, or is gone.
    pub(super) fn left() -> Self {
        Self {
            code: close_code::NORMAL,
            reason: String::new(),
        }
    }

    /// What the client has sent cannot be read, or it is gone.
    pub(super) fn lost(error: axum::Error) -> Self {
        let error = error.into_inner();
        match error.downcast_ref::<tungstenite::Error>() {
            Some(tungstenite::Error::Capacity(_)) => Self {
                code: close_code::SIZE,
                reason: format!("a message has at most {MOST_MESSAGE_BYTES} bytes"),
            },
            _ => Self::policy(error.to_string()),
        }
    }

    fn of(error: &LobbyError) -> Self {
        let code = match error {
            LobbyError::Store(_) | LobbyError::Full | LobbyError::Crowded(_) | LobbyError::Elsewhere(_) => close_code::AGAIN,
            LobbyError::Broken(_) => close_code::ERROR,
            _ => close_code::POLICY,
        };
        Self {
            code,
            reason: error.to_string(),
        }
    }

    /// As another node has closed it.
    pub(super) fn as_told(frame: &CloseFrame) -> Self {
        Self {
            // Some codes only say how a connection has ended.
            code: if may_be_sent(frame.code) { frame.code } else { close_code::AGAIN },
            reason: frame.reason.to_string(),
        }
    }

    /// It may be better later.
    pub(super) fn again(reason: &str) -> Self {
        Self {
            code: close_code::AGAIN,
            reason: reason.to_owned(),
        }
    }

    /// The match is not there any more, though the client is.
    fn match_closed(server: &Server) -> Self {
        if *server.stopping.borrow() {
            return Self::stopping();
        }
        Self::again("the match was closed, and what was not answered may not have happened; come back to it")
    }

    pub(super) fn stopping() -> Self {
        Self {
            code: close_code::RESTART,
            reason: "the server is about to stop; the match is kept".to_owned(),
        }
    }
}

/// Whether a client that says nothing is still there: after half of the time that it may be silent it is asked for a sign of life.
pub(super) struct Pulse {
    silence: Duration,
    heard: Instant,
    is_asked: bool,
}

impl Pulse {
    pub(super) fn new(silence: Duration) -> Self {
        Self {
            silence,
            heard: Instant::now(),
            is_asked: false,
        }
    }

    /// Something was heard of it.
    pub(super) fn beat(&mut self) {
        (self.heard, self.is_asked) = (Instant::now(), false);
    }

    pub(super) fn due(&self) -> Instant {
        self.heard + if self.is_asked { self.silence } else { self.silence / 2 }
    }

    /// Takes note that it is asked for a sign of life; an error if that was asked for in vain.
    pub(super) fn expect_sign(&mut self) -> Result<(), Closing> {
        if self.is_asked {
            return Err(Closing::policy("nothing was heard for too long"));
        }
        self.is_asked = true;
        Ok(())
    }

    /// Asks for a sign of life; an error if that was asked for in vain.
    async fn ask(&mut self, to: &mut SplitSink<WebSocket, Message>) -> Result<(), Closing> {
        self.expect_sign()?;
        taken(to.send(Message::Ping(Bytes::new())), self.silence).await
    }
}

/// Serves a client of a match until either is gone.
pub(super) async fn run(server: Server, id: MatchId, socket: WebSocket, permit: ClientPermit) {
    let span = tracing::info_span!("client", match_id = %id, address = %permit.address, seats = tracing::field::Empty);
    serve(server, id, socket, &permit).instrument(span).await;
}

/// Serves a client at the node that runs its match: everything that its clients have to know of one another stays in one process.
async fn converse_at_owner(
    server: &Server,
    id: MatchId,
    permit: &ClientPermit,
    to: &mut SplitSink<WebSocket, Message>,
    from: &mut SplitStream<WebSocket>,
) -> Result<(), Closing> {
    let give_up_at = Instant::now() + MOST_TAKING_OVER;
    loop {
        let lost = match server.lobby.claim(id).await {
            Ok(Place::Here(_slot)) => return converse(server, id, permit.address, to, from).await,
            Ok(Place::At(address)) if permit.is_forwarded => LobbyError::Elsewhere(address).to_string(),
            Ok(Place::At(address)) => match OwnerSocket::connect(server, address, id, permit.address).await {
                Ok(owner) => return Err(owner.forward(server, permit.address, to, from).await),
                Err(NoOwner::Refused(closing)) => return Err(closing),
                Err(NoOwner::Unreachable(why)) => why,
            },
            Err(error) => return Err(Closing::of(&error)),
        };
        // The node may be gone, and nobody know of it yet.
        if Instant::now() >= give_up_at || permit.is_forwarded {
            return Err(Closing::again(&lost));
        }
        tokio::select! {
            () = sleep(TRY_AGAIN_AFTER) => {}
            () = stopped(server.stopping.clone()) => return Err(Closing::stopping()),
        }
    }
}

async fn serve(server: Server, id: MatchId, socket: WebSocket, permit: &ClientPermit) {
    let (mut to, mut from) = socket.split();
    let closing = match converse_at_owner(&server, id, permit, &mut to, &mut from).await {
        Ok(()) => Closing::left(),
        Err(closing) => closing,
    };
    tracing::info!(code = closing.code, reason = closing.reason, "a client has left");
    let mut reason = closing.reason;
    // A frame that closes has room for 123 bytes.
    while reason.len() > 123 {
        reason.pop();
    }
    let frame = CloseFrame {
        code: closing.code,
        reason: reason.into(),
    };
    let part = async {
        // A client that has said goodbye is answered by what the web socket has ready, which only has to be sent.
        drop(to.send(Message::Close(Some(frame))).await);
        drop(to.close().await);
    };
    // A client that is gone is no error.
    drop(timeout(server.limits.silence, part).await);
}

async fn converse(
    server: &Server,
    id: MatchId,
    address: IpAddr,
    to: &mut SplitSink<WebSocket, Message>,
    from: &mut SplitStream<WebSocket>,
) -> Result<(), Closing> {
    let (tokens, password) = greet(from).await?;
    if tokens.is_empty() {
        // Whoever has a token has given the password when it took its seat.
        let lobby = Arc::clone(&server.lobby);
        let checked = blocking(move || lobby.check_password(id, password.as_deref())).await;
        checked.map_err(|error| Closing::of(&error))?;
    }
    let mut early = Early::default();
    let mut orders = Orders {
        from: server.lobby.orders(),
        id,
        address,
    };
    // Who was banned after they had asked for the socket is not told of it by an order.
    if let Some(reason) = server.lobby.moderation().ban_of_address(address) {
        return Err(Closing::of(&LobbyError::Banned(reason)));
    }
    let (lobby, held) = (Arc::clone(&server.lobby), tokens.clone());
    let seats = blocking(move || Ok(lobby.seats_of(id, &held)?.0)).await;
    let seats = seats.map_err(|error| Closing::of(&error))?;
    let numbers: Vec<String> = seats.iter().map(|seat| seat.index().to_string()).collect();
    tracing::Span::current().record("seats", numbers.join(","));
    tracing::info!("a client has come");
    let _listed = server.lobby.client_list.add(ConnectedClient {
        id,
        seats,
        address,
        since: std::time::Instant::now(),
    });
    let seats = wait_for_beginning(server, id, &tokens, to, from, &mut early, &mut orders).await?;
    for _ in 0..MOST_TRIES {
        let handle = server.lobby.open(id).await.map_err(|error| Closing::of(&error))?;
        let mut client = Client::join(&handle, seats);
        // A match that was about to end forgets who comes: it is opened again.
        let is_forgotten = tokio::select! {
            is_forgotten = client.is_forgotten() => is_forgotten,
            // The match holds its answer back until everything before it is stored, which may take long.
            () = stopped(server.stopping.clone()) => return Err(Closing::stopping()),
            () = sleep(server.limits.silence) => return Err(Closing::again("what happens in the match cannot be stored at the moment")),
        };
        if is_forgotten {
            server.lobby.wait_for_end(handle).await;
            continue;
        }
        return client.run(server, to, from, early.messages, &mut orders).await;
    }
    Err(Closing::of(&LobbyError::Broken("it ends again and again".to_owned())))
}

/// Waits until the server is about to stop.
pub(super) async fn stopped(mut stopping: watch::Receiver<bool>) {
    drop(stopping.wait_for(|stops| *stops).await);
}

/// What operators want of this connection.
struct Orders {
    from: broadcast::Receiver<Order>,
    id: MatchId,
    address: IpAddr,
}

impl Orders {
    /// Waits for what operators tell the client, which is sent to it.
    ///
    /// # Errors
    /// If they end its connection.
    async fn next(&mut self) -> Result<Option<Line>, Closing> {
        loop {
            match self.from.recv().await {
                Ok(Order::Announce(only, text)) if only.is_none_or(|id| id == self.id) => {
                    let text = text.to_string();
                    return Ok(line(&FromHost::Notice(Notice::Message { text })));
                }
                Ok(Order::Disconnect(range, reason)) if range.contains(&self.address) => return Err(Closing::policy(&*reason)),
                Ok(Order::Moved) => return Err(Closing::again("another node may run the match by now; come back to it")),
                Ok(_) | Err(RecvError::Lagged(_)) => {}
                // The lobby is gone, and the server about to stop.
                Err(RecvError::Closed) => std::future::pending().await,
            }
        }
    }
}

/// The tokens of whoever comes, and the password.
async fn greet(from: &mut SplitStream<WebSocket>) -> Result<(Vec<Token>, Option<String>), Closing> {
    let first = timeout(MOST_SILENT_AT_FIRST, from.next()).await;
    let Ok(Some(Ok(Message::Text(text)))) = first else {
        return Err(Closing::policy("expected a frame of text that says who comes"));
    };
    let hello: Hello = serde_json::from_str(&text).map_err(|error| Closing::policy(format!("this does not say who comes: {error}")))?;
    if hello.protocol != PROTOCOL {
        return Err(Closing::policy(format!("this server speaks version {PROTOCOL} of the protocol")));
    }
    if hello.tokens.len() > MOST_TOKENS {
        return Err(Closing::policy(format!("a client has at most {MOST_TOKENS} seat tokens")));
    }
    let tokens = hello.tokens.iter().map(|token| token.parse());
    let tokens = tokens.collect::<Result<_, _>>();
    let tokens = tokens.map_err(|error: NoToken| Closing::policy(error.to_string()))?;
    Ok((tokens, hello.password))
}

/// What a client has sent before its match began.
#[derive(Default)]
struct Early {
    messages: VecDeque<Utf8Bytes>,
    bytes: usize,
}

impl Early {
    fn add(&mut self, message: Utf8Bytes, most: usize) -> Result<(), Closing> {
        self.bytes += message.len();
        if self.messages.len() >= most || self.bytes > MOST_EARLY_BYTES {
            return Err(Closing::policy("more requests wait for the match to begin than may"));
        }
        self.messages.push_back(message);
        Ok(())
    }
}

/// Waits until a seat of a match was taken or left.
async fn seat_change(changes: &mut broadcast::Receiver<MatchId>, id: MatchId) {
    loop {
        match changes.recv().await {
            Ok(changed) if changed != id => {}
            // With too many changes unread, one may have been of this match.
            Ok(_) | Err(RecvError::Lagged(_) | RecvError::Closed) => return,
        }
    }
}

/// The seats of tokens, once the match has begun. What the client sends until then is taken note of in `early`.
async fn wait_for_beginning(
    server: &Server,
    id: MatchId,
    tokens: &[Token],
    to: &mut SplitSink<WebSocket, Message>,
    from: &mut SplitStream<WebSocket>,
    early: &mut Early,
    orders: &mut Orders,
) -> Result<SeatSet, Closing> {
    // Asked for before it is looked, so that no change is missed.
    let mut changes = server.lobby.seat_changes();
    let mut pulse = Pulse::new(server.limits.silence);
    let mut last = None;
    // The heads of the chains of which the first number was asked for.
    let mut asked: Vec<LuckNumber> = Vec::new();
    loop {
        let (lobby, tokens) = (Arc::clone(&server.lobby), tokens.to_vec());
        let looked = blocking(move || {
            let (seats, status) = lobby.seats_of(id, &tokens)?;
            let missing = if status == Status::Playing {
                lobby.missing_numbers(id)?
            } else {
                None
            };
            let missing = missing.filter(|(_, missing)| !missing.is_empty());
            let waits = status == Status::Waiting || missing.is_some();
            let summary = waits.then(|| lobby.summary(id)).transpose()?;
            Ok((seats, summary, missing))
        });
        let (seats, summary, missing) = looked.await.map_err(|error| Closing::of(&error))?;
        let Some(summary) = summary else { return Ok(seats) };
        let (commitment, missing) = missing.unwrap_or_default();
        let own = missing.into_iter().filter(|(seat, _)| seats.contains(*seat));
        let heads: Vec<LuckNumber> = own.map(|(_, head)| head).collect();
        if !heads.is_empty() && heads != asked {
            let notice = FromHost::Notice(Notice::Reveal {
                index: 0,
                commitment,
                heads: heads.clone(),
            });
            let text = line(&notice).map(|line| line.text).unwrap_or_default();
            taken(to.send(Message::Text(text)), server.limits.silence).await?;
        }
        asked = heads;
        if last.as_ref() != Some(&summary) {
            let notice = json!({"notice": "waiting", "match": &summary}).to_string();
            taken(to.send(Message::text(notice)), server.limits.silence).await?;
            last = Some(summary);
        }
        loop {
            tokio::select! {
                () = seat_change(&mut changes, id) => break,
                received = from.next() => {
                    pulse.beat();
                    match received {
                        Some(Ok(Message::Text(text))) if text.trim().is_empty() => {}
                        Some(Ok(Message::Text(text))) => match first_numbers(&text, &asked) {
                            Some((id_of_request, numbers)) => {
                                for (head, number) in asked.iter().zip(numbers) {
                                    server.lobby.give_first_number(id, *head, number);
                                }
                                let reply = Reply::Done { at: 0 };
                                let answer = FromHost::Answer(Answer { id: id_of_request, reply });
                                let text = line(&answer).map(|line| line.text).unwrap_or_default();
                                taken(to.send(Message::Text(text)), server.limits.silence).await?;
                            }
                            None => early.add(text, server.limits.open_requests)?,
                        },
                        Some(Ok(Message::Close(_))) | None => return Err(Closing::left()),
                        Some(Ok(_)) => {}
                        Some(Err(error)) => return Err(Closing::lost(error)),
                    }
                }
                () = sleep_until(pulse.due()) => pulse.ask(to).await?,
                order = orders.next() => if let Some(line) = order? {
                    taken(to.send(Message::Text(line.text)), server.limits.silence).await?;
                },
                () = stopped(server.stopping.clone()) => return Err(Closing::stopping()),
            }
        }
    }
}

/// The first numbers of chains, if a message gives those that were asked for; a number that is not of its chain is as none. What is no such message is left
/// to the match.
fn first_numbers(text: &str, asked: &[LuckNumber]) -> Option<(u64, Vec<Option<LuckNumber>>)> {
    if asked.is_empty() {
        return None;
    }
    let Ok(Request {
        id,
        command: Command::Reveal { index: 0, numbers },
    }) = parse_request(text.as_bytes())
    else {
        return None;
    };
    if numbers.len() != asked.len() {
        return None;
    }
    let terms = LuckTerms {
        heads: asked.iter().copied().map(Some).collect(),
        ..LuckTerms::default()
    };
    let record = LuckRecord::new(&terms);
    let fits = |(seat, number): (usize, Option<LuckNumber>)| number.filter(|number| record.is_next(seat, *number));
    Some((id, numbers.into_iter().enumerate().map(fits).collect()))
}

/// A line that waits to be sent.
struct Line {
    text: Utf8Bytes,
    is_answer: bool,
    /// Whether it says that the client holds no seat.
    is_without_seats: bool,
}

/// Wakes the task that sends; also when nothing more will come.
struct WakeSender(Arc<Notify>);

impl Drop for WakeSender {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

/// A client that has joined the session of a match.
struct Client {
    joined: Joined,
    /// Whether it has come to play.
    has_seats: bool,
    lines: Inbox<Line>,
    /// What is sent before them: what came before the answer to the greeting, and answers to what is no request.
    first: VecDeque<Line>,
    news: Arc<Notify>,
    /// How many of its requests are not answered.
    open: usize,
    /// Whether the newest of its requests is a question.
    has_asked: bool,
    /// Whether it has said that it leaves.
    quits: bool,
}

impl Client {
    fn join(handle: &SessionHandle, seats: SeatSet) -> Self {
        let (outbox, lines) = outbox(MostWaiting::REMOTE);
        let news = Arc::new(Notify::new());
        // The session alone holds the other end, so that the lines end with it.
        let wake = WakeSender(Arc::clone(&news));
        let deliver: Deliver = Box::new(move |message| {
            let is_there = put(&outbox, &message);
            wake.0.notify_one();
            is_there
        });
        let claim = if seats.is_empty() { Claim::Spectator } else { Claim::Seats(seats) };
        // Nobody who comes over the network steers a match.
        let joined = handle.join(claim, false, deliver);
        Self {
            joined,
            has_seats: !seats.is_empty(),
            lines,
            first: VecDeque::new(),
            news,
            open: 0,
            has_asked: false,
            quits: false,
        }
    }
}

/// A message as it is sent.
fn line(message: &FromHost) -> Option<Line> {
    let text = message_line(message).ok().and_then(|bytes| Utf8Bytes::try_from(bytes).ok());
    if text.is_none() {
        tracing::error!("a message cannot be written as JSON");
    }
    Some(Line {
        text: text?,
        is_answer: matches!(message, FromHost::Answer(_)),
        is_without_seats: matches!(message, FromHost::Notice(Notice::Players { seats, .. }) if seats.is_empty()),
    })
}

/// Puts a message into what waits to be sent; false if there is no room for it.
fn put(outbox: &Outbox<Line>, message: &FromHost) -> bool {
    let Some(line) = line(message) else { return true };
    let bytes = line.text.len();
    outbox.send(line, bytes, must_be_sent(message))
}

/// Waits until a client has taken what is sent.
pub(super) async fn taken(sending: impl Future<Output = Result<(), axum::Error>>, most: Duration) -> Result<(), Closing> {
    match timeout(most, sending).await {
        Ok(sent) => sent.map_err(Closing::lost),
        Err(_) => Err(Closing::policy("what was sent was not read for too long")),
    }
}

impl Client {
    /// Whether the session has ended before the client was in it: one that runs answers, one that has ended drops the way to the client. What comes
    /// before the answer is sent first.
    async fn is_forgotten(&mut self) -> bool {
        let greeting = Request {
            id: 0,
            command: Command::Hello { protocol: PROTOCOL },
        };
        if !self.joined.request(greeting) {
            return true;
        }
        loop {
            match self.lines.try_recv() {
                Ok(line) if line.is_answer => return false,
                Ok(line) => self.first.push_back(line),
                Err(TryRecvError::Disconnected) => return true,
                Err(TryRecvError::Empty) => self.news.notified().await,
            }
        }
    }

    /// Sends and receives until the client or the session is gone. `early` has come already.
    async fn run(
        mut self,
        server: &Server,
        to: &mut SplitSink<WebSocket, Message>,
        from: &mut SplitStream<WebSocket>,
        mut early: VecDeque<Utf8Bytes>,
        orders: &mut Orders,
    ) -> Result<(), Closing> {
        let silence = server.limits.silence;
        let mut pulse = Pulse::new(silence);
        let (mut pace, mut slowed_until) = (Pace::default(), None::<Instant>);
        loop {
            self.send_waiting(server, to).await?;
            // A client that may not ask is not read from, and is not silent then. One question at a time: its answer may be long and take the thread of the
            // match a while.
            let most_open = if self.has_asked { 1 } else { server.limits.open_requests };
            let may_ask = self.open < most_open && !self.quits && slowed_until.is_none();
            if may_ask && let Some(text) = early.pop_front() {
                self.handle(server, &text)?;
                continue;
            }
            tokio::select! {
                () = self.news.notified() => {}
                () = sleep_until(slowed_until.unwrap_or_else(Instant::now)), if slowed_until.is_some() => slowed_until = None,
                order = orders.next() => self.first.extend(order?),
                received = from.next(), if may_ask => {
                    pulse.beat();
                    slowed_until = slowed(&mut pace, server.limits.messages);
                    match received {
                        Some(Ok(Message::Close(_))) | None => return Ok(()),
                        Some(Ok(Message::Text(text))) if text.trim().is_empty() => {}
                        Some(Ok(Message::Text(text))) => self.handle(server, &text)?,
                        Some(Ok(Message::Binary(_))) => return Err(Closing::policy("a message is a frame of text")),
                        Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                        Some(Err(error)) => return Err(Closing::lost(error)),
                    }
                }
                () = sleep_until(pulse.due()), if may_ask => pulse.ask(to).await?,
                () = stopped(server.stopping.clone()) => {
                    self.send_waiting(server, to).await?;
                    return Err(Closing::stopping());
                }
            }
        }
    }

    /// Sends everything that waits.
    async fn send_waiting(&mut self, server: &Server, to: &mut SplitSink<WebSocket, Message>) -> Result<(), Closing> {
        let most = server.limits.silence;
        let mut is_flushed = true;
        loop {
            let next = self.first.pop_front().map_or_else(|| self.lines.try_recv(), Ok);
            match next {
                Ok(line) => {
                    self.open = self.open.saturating_sub(usize::from(line.is_answer));
                    taken(to.feed(Message::Text(line.text)), most).await?;
                    is_flushed = false;
                    if line.is_without_seats && self.has_seats {
                        return Err(Closing::policy("your seat was left, or taken over from another connection"));
                    }
                }
                Err(wrong) => {
                    if !is_flushed {
                        taken(to.flush(), most).await?;
                    }
                    return match wrong {
                        TryRecvError::Empty => Ok(()),
                        TryRecvError::Disconnected if self.quits => Err(Closing::left()),
                        TryRecvError::Disconnected => Err(Closing::match_closed(server)),
                    };
                }
            }
        }
    }

    /// Handles what a client has sent.
    fn handle(&mut self, server: &Server, text: &str) -> Result<(), Closing> {
        server.lobby.metrics.requests.inc();
        self.open += 1;
        match parse_request(text.as_bytes()) {
            Ok(request) => {
                self.has_asked = is_question(&request.command);
                self.quits = request.command == Command::Quit;
                if !self.joined.request(request) {
                    return Err(Closing::match_closed(server));
                }
            }
            Err(answer) => {
                self.first.extend(line(&FromHost::Answer(answer)));
            }
        }
        Ok(())
    }
}

/// Until when a client is not read from that sends so many messages a second, if it is too fast.
fn slowed(pace: &mut Pace, messages: u32) -> Option<Instant> {
    let every = Duration::from_secs(1).checked_div(messages)?;
    let now = Instant::now();
    let wait = pace.step(now.into_std(), every, messages.saturating_mul(2)).err()?;
    // What was read just now counts all the same.
    pace.add(every);
    Some(now + wait)
}

/// Whether a request only asks for something: it may be a long answer, or long to compute.
fn is_question(command: &Command) -> bool {
    !matches!(
        command,
        Command::Hello { .. }
            | Command::Submit { .. }
            | Command::Play { .. }
            | Command::Resign { .. }
            | Command::Offer { .. }
            | Command::Accept { .. }
            | Command::Decline { .. }
            | Command::Withdraw { .. }
            | Command::Say { .. }
            | Command::Reveal { .. }
            | Command::Stop
            | Command::Quit
    )
}
