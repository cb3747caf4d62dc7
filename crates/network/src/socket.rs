//! A match over a web socket: a frame of text is a message, as a line is over pipes.
//!
//! The first frame says who comes: `{"protocol": 1, "tokens": ["..."]}`, without tokens a spectator. While the match waits for players, who comes is
//! told `{"notice": "waiting", ...}` whenever a seat is taken or left; when it has begun, the messages of the protocol follow.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::TryRecvError;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::{Notify, watch};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep_until, timeout};

use boardwright_model::SeatSet;
use boardwright_protocol::{Command, FromHost, PROTOCOL, Request};
use boardwright_server::{Claim, Deliver, Inbox, Joined, Outbox, SessionHandle, message_line, must_be_sent, outbox, parse_request};
use boardwright_store::{MatchId, Status};

use super::api::Server;
use super::lobby::LobbyError;
use super::token::{NoToken, SeatToken};

/// How long somebody who has connected may take to say who they are.
const MOST_SILENT_AT_FIRST: Duration = Duration::from_secs(10);
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
}

/// Why a connection ends. The client is told in the frame that closes it.
struct Closing {
    code: u16,
    reason: String,
}

impl Closing {
    fn policy(reason: impl Into<String>) -> Self {
        Self {
            code: close_code::POLICY,
            reason: reason.into(),
        }
    }

    /// The client is gone.
    fn lost(error: &axum::Error) -> Self {
        Self::policy(error.to_string())
    }

    fn of(error: &LobbyError) -> Self {
        let code = match error {
            LobbyError::Store(_) | LobbyError::Full => close_code::AGAIN,
            LobbyError::Broken(_) => close_code::ERROR,
            _ => close_code::POLICY,
        };
        Self {
            code,
            reason: error.to_string(),
        }
    }

    fn stopping() -> Self {
        Self {
            code: close_code::RESTART,
            reason: "the server is about to stop; the match is kept".to_owned(),
        }
    }
}

/// Counts a client while it is there.
struct Counted(Server);

impl Counted {
    fn new(server: Server) -> Self {
        server.lobby.metrics.clients.inc();
        Self(server)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.lobby.metrics.clients.dec();
    }
}

/// Serves a client of a match until either is gone.
pub(super) async fn run(server: Server, id: MatchId, socket: WebSocket) {
    let counted = Counted::new(server);
    let server = &counted.0;
    let (mut to, mut from) = socket.split();
    let closing = match converse(server, id, &mut to, &mut from).await {
        Ok(()) => Closing {
            code: close_code::NORMAL,
            reason: String::new(),
        },
        Err(closing) => closing,
    };
    let mut reason = closing.reason;
    // A frame that closes has room for 123 bytes.
    while reason.len() > 123 {
        reason.pop();
    }
    let frame = CloseFrame {
        code: closing.code,
        reason: reason.into(),
    };
    // A client that is gone is no error.
    drop(timeout(server.limits.silence, to.send(Message::Close(Some(frame)))).await);
}

async fn converse(
    server: &Server,
    id: MatchId,
    to: &mut SplitSink<WebSocket, Message>,
    from: &mut SplitStream<WebSocket>,
) -> Result<(), Closing> {
    let tokens = greet(from).await?;
    let mut early = Vec::new();
    let seats = wait_for_beginning(server, id, &tokens, to, from, &mut early).await?;
    for _ in 0..MOST_TRIES {
        let handle = server.lobby.open(id).await.map_err(|error| Closing::of(&error))?;
        let mut client = Client::join(&handle, seats);
        // A match that was about to end forgets who comes: it is opened again.
        if client.is_forgotten().await {
            server.lobby.wait_for_end(handle).await;
            continue;
        }
        return client.run(server, to, from, early).await;
    }
    Err(Closing::of(&LobbyError::Broken("it ends again and again".to_owned())))
}

/// Waits until the server is about to stop.
async fn stopped(mut stopping: watch::Receiver<bool>) {
    drop(stopping.wait_for(|stops| *stops).await);
}

/// The tokens of whoever comes.
async fn greet(from: &mut SplitStream<WebSocket>) -> Result<Vec<SeatToken>, Closing> {
    let first = timeout(MOST_SILENT_AT_FIRST, from.next()).await;
    let Ok(Some(Ok(Message::Text(text)))) = first else {
        return Err(Closing::policy("expected a frame of text that says who comes"));
    };
    let hello: Hello = serde_json::from_str(&text).map_err(|error| Closing::policy(format!("this does not say who comes: {error}")))?;
    if hello.protocol != PROTOCOL {
        return Err(Closing::policy(format!("this server speaks version {PROTOCOL} of the protocol")));
    }
    let tokens = hello.tokens.iter().map(|token| token.parse());
    tokens
        .collect::<Result<_, _>>()
        .map_err(|error: NoToken| Closing::policy(error.to_string()))
}

/// The seats of tokens, once the match has begun. What the client sends until then is taken note of in `early`.
async fn wait_for_beginning(
    server: &Server,
    id: MatchId,
    tokens: &[SeatToken],
    to: &mut SplitSink<WebSocket, Message>,
    from: &mut SplitStream<WebSocket>,
    early: &mut Vec<Message>,
) -> Result<SeatSet, Closing> {
    let mut told = None;
    loop {
        // Enabled before it is looked, so that no change is missed.
        let changed = server.lobby.seats_changed.notified();
        tokio::pin!(changed);
        changed.as_mut().enable();
        let (lobby, tokens) = (Arc::clone(&server.lobby), tokens.to_vec());
        let looked = spawn_blocking(move || {
            let (seats, status) = lobby.seats_of(id, &tokens)?;
            let summary = (status == Status::Waiting).then(|| lobby.summary(id)).transpose()?;
            Ok::<_, LobbyError>((seats, summary))
        });
        let looked = looked.await.unwrap_or_else(|error| Err(LobbyError::Broken(error.to_string())));
        let (seats, summary) = looked.map_err(|error| Closing::of(&error))?;
        let Some(summary) = summary else { return Ok(seats) };
        if told.as_ref() != Some(&summary) {
            let notice = json!({"notice": "waiting", "match": &summary}).to_string();
            to.send(Message::text(notice)).await.map_err(|error| Closing::lost(&error))?;
            told = Some(summary);
        }
        let half = server.limits.silence / 2;
        tokio::select! {
            () = changed => {}
            received = timeout(half, from.next()) => match received {
                Err(_) => to.send(Message::Ping(Bytes::new())).await.map_err(|error| Closing::lost(&error))?,
                Ok(Some(Ok(Message::Close(_)) | Err(_)) | None) => return Err(Closing::policy("")),
                Ok(Some(Ok(message))) => {
                    early.extend(matches!(message, Message::Text(_)).then_some(message));
                    if early.len() > server.limits.open_requests {
                        return Err(Closing::policy("more requests wait for their answers than may"));
                    }
                }
            },
            () = stopped(server.stopping.clone()) => return Err(Closing::stopping()),
        }
    }
}

/// A line that waits to be sent.
struct Line {
    text: Utf8Bytes,
    is_answer: bool,
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
    lines: Inbox<Line>,
    /// For answers to what is no request.
    own: Outbox<Line>,
    news: Arc<Notify>,
    /// How many of its requests are not answered.
    open: AtomicUsize,
}

impl Client {
    fn join(handle: &SessionHandle, seats: SeatSet) -> Self {
        let (outbox, lines) = outbox();
        let news = Arc::new(Notify::new());
        let (own, wake) = (Outbox::clone(&outbox), WakeSender(Arc::clone(&news)));
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
            lines,
            own,
            news,
            open: AtomicUsize::new(0),
        }
    }
}

/// Puts a message into what waits to be sent; false if there is no room for it.
fn put(outbox: &Outbox<Line>, message: &FromHost) -> bool {
    let line = message_line(message).ok().and_then(|bytes| Utf8Bytes::try_from(bytes).ok());
    let Some(text) = line else {
        tracing::error!("a message cannot be written as JSON");
        return true;
    };
    let (bytes, is_answer) = (text.len(), matches!(message, FromHost::Answer(_)));
    outbox.send(Line { text, is_answer }, bytes, must_be_sent(message))
}

/// Sends a frame to a client that takes it within some time.
async fn send(to: &mut SplitSink<WebSocket, Message>, message: Message, most: Duration) -> Result<(), Closing> {
    match timeout(most, to.send(message)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(Closing::lost(&error)),
        Err(_) => Err(Closing::policy("what was sent was not read for too long")),
    }
}

impl Client {
    /// Whether the session has ended before the client was in it: one that runs answers, one that has ended drops the way to the client.
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
                Ok(_) => return false,
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
        early: Vec<Message>,
    ) -> Result<(), Closing> {
        let silence = server.limits.silence;
        let mut heard = Instant::now();
        let mut is_asked = false;
        for message in early {
            if !self.handle(server, Some(Ok(message)))? {
                self.send_waiting(to, silence).await?;
                return Ok(());
            }
        }
        loop {
            self.send_waiting(to, silence).await?;
            // With as many requests open as it may have, a client is not read from; it is not silent then.
            let may_ask = self.open.load(Ordering::Relaxed) < server.limits.open_requests;
            let due = if is_asked { heard + silence } else { heard + silence / 2 };
            tokio::select! {
                () = self.news.notified() => {}
                received = from.next(), if may_ask => {
                    (heard, is_asked) = (Instant::now(), false);
                    if !self.handle(server, received)? {
                        self.send_waiting(to, silence).await?;
                        return Ok(());
                    }
                }
                () = sleep_until(due), if may_ask => {
                    if is_asked {
                        return Err(Closing::policy("nothing was heard for too long"));
                    }
                    is_asked = true;
                    send(to, Message::Ping(Bytes::new()), silence).await?;
                }
                () = stopped(server.stopping.clone()) => {
                    self.send_waiting(to, silence).await?;
                    return Err(Closing::stopping());
                }
            }
        }
    }

    /// Sends everything that waits.
    async fn send_waiting(&mut self, to: &mut SplitSink<WebSocket, Message>, most: Duration) -> Result<(), Closing> {
        let mut is_flushed = true;
        loop {
            match self.lines.try_recv() {
                Ok(line) => {
                    if line.is_answer {
                        self.open.fetch_sub(1, Ordering::Relaxed);
                    }
                    match timeout(most, to.feed(Message::Text(line.text))).await {
                        Ok(Ok(())) => is_flushed = false,
                        Ok(Err(error)) => return Err(Closing::lost(&error)),
                        Err(_) => return Err(Closing::policy("what was sent was not read for too long")),
                    }
                }
                Err(wrong) => {
                    if !is_flushed {
                        let flushed = timeout(most, to.flush()).await;
                        flushed
                            .map_err(|_| Closing::policy("what was sent was not read for too long"))?
                            .map_err(|error| Closing::lost(&error))?;
                    }
                    return match wrong {
                        TryRecvError::Empty => Ok(()),
                        TryRecvError::Disconnected => Err(Closing::of(&LobbyError::Broken("the match was closed".to_owned()))),
                    };
                }
            }
        }
    }

    /// Handles what a client has sent; false if it has left.
    fn handle(&self, server: &Server, received: Option<Result<Message, axum::Error>>) -> Result<bool, Closing> {
        let text = match received {
            Some(Ok(Message::Text(text))) => text,
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => return Ok(true),
            Some(Ok(Message::Binary(_))) => return Err(Closing::policy("a message is a frame of text")),
            Some(Ok(Message::Close(_)) | Err(_)) | None => return Ok(false),
        };
        server.lobby.metrics.requests.inc();
        self.open.fetch_add(1, Ordering::Relaxed);
        match parse_request(text.as_bytes()) {
            Ok(request) => {
                let quits = request.command == Command::Quit;
                if !self.joined.request(request) {
                    return Err(Closing::of(&LobbyError::Broken("the match was closed".to_owned())));
                }
                Ok(!quits)
            }
            Err(answer) => {
                put(&self.own, &FromHost::Answer(answer));
                self.news.notify_one();
                Ok(true)
            }
        }
    }
}
