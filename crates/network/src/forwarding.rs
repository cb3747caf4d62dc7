//! Clients of a match that another node runs: what they send goes on to that node frame by frame, and back what it sends. Nothing is kept in between: who
//! is not read from waits.

use std::net::IpAddr;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::sync::Notify;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{sleep_until, timeout};
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{self, Error};

use boardwright_store::MatchId;

use super::api::Server;
use super::encryption::{ClientSocket, open_socket};
use super::lobby::{Lobby, Order};
use super::socket::{Closing, Pulse, stopped, taken};

/// How long another node may take to answer.
const MOST_CONNECTING: Duration = Duration::from_secs(1);
/// What only nodes know.
const SECRET: HeaderName = HeaderName::from_static("boardwright-secret");
/// Where the client comes from that a node stands for.
const CLIENT: HeaderName = HeaderName::from_static("boardwright-client");

/// The client that another node stands for, if a request comes from one: nobody else knows the secret.
pub(super) fn forwarded_client(lobby: &Lobby, headers: &HeaderMap) -> Option<IpAddr> {
    let given = headers.get(SECRET)?;
    let secret = lobby.cluster()?.secret();
    // Hashes are compared in a time that tells nothing of them.
    let is_known = blake3::hash(given.as_bytes()) == blake3::hash(secret.as_bytes());
    let client = headers.get(CLIENT).filter(|_| is_known)?;
    client.to_str().ok()?.parse().ok()
}

/// A connection to the node that runs a match.
pub(super) struct OwnerSocket {
    socket: ClientSocket,
    address: String,
    /// What is to be known of its node.
    orders: broadcast::Receiver<Order>,
}

/// Why there is no connection.
pub(super) enum NoOwner {
    /// The node is not reached: it may be gone.
    Unreachable(String),
    /// It does not want the client.
    Refused(Closing),
}

impl OwnerSocket {
    /// Connects to the node at an address, for a client.
    pub(super) async fn connect(server: &Server, address: String, id: MatchId, client: IpAddr) -> Result<Self, NoOwner> {
        let unreachable = |why: String| NoOwner::Unreachable(format!("the node at {address} is not reached: {why}"));
        let orders = server.lobby.orders();
        let secret = server
            .lobby
            .cluster()
            .map(|cluster| cluster.secret().to_owned())
            .unwrap_or_default();
        let mut request = format!("ws://{address}/api/matches/{id}/socket")
            .into_client_request()
            .map_err(|error| unreachable(error.to_string()))?;
        for (name, value) in [(SECRET, secret), (CLIENT, client.to_string())] {
            let mut value = HeaderValue::try_from(value).map_err(|error| unreachable(error.to_string()))?;
            value.set_sensitive(true);
            request.headers_mut().insert(name, value);
        }
        match timeout(MOST_CONNECTING, open_socket(request)).await {
            Ok(Ok((socket, _))) => Ok(Self { socket, address, orders }),
            Ok(Err(Error::Http(answer))) => Err(refusal(answer.status().as_u16(), answer.body().as_deref())),
            Ok(Err(error)) => Err(unreachable(error.to_string())),
            Err(_) => Err(unreachable("it does not answer".to_owned())),
        }
    }

    /// Forwards frames until either end is gone; why the client is to be closed.
    pub(super) async fn forward(
        self,
        server: &Server,
        client: IpAddr,
        to: &mut SplitSink<WebSocket, Message>,
        from: &mut SplitStream<WebSocket>,
    ) -> Closing {
        let Self {
            socket,
            address,
            mut orders,
        } = self;
        let (mut to_owner, mut from_owner) = socket.split();
        // Whoever waits until one end reads does not keep the other from being read.
        let is_silent = Notify::new();
        let there = upwards(from, &mut to_owner, server.limits.silence, &is_silent);
        let back = downwards(&mut from_owner, to, server.limits.silence, &is_silent);
        let ordered = async {
            loop {
                match orders.recv().await {
                    Ok(Order::Disconnect(range, reason)) if range.contains(&client) => return Closing::policy(&*reason),
                    Ok(Order::Gone(gone)) if *gone == *address => return lost(),
                    Ok(_) | Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => std::future::pending().await,
                }
            }
        };
        let closing = tokio::select! {
            closing = there => closing,
            closing = back => closing,
            closing = ordered => closing,
            () = stopped(server.stopping.clone()) => Closing::stopping(),
        };
        // The other end notices in any case.
        drop(timeout(MOST_CONNECTING, to_owner.close()).await);
        closing
    }
}

fn lost() -> Closing {
    Closing::again("the node that ran the match is gone; come back to the match, which another one goes on with")
}

/// What a node says that does not want a client, as it is said over a web socket.
fn refusal(status: u16, body: Option<&[u8]>) -> NoOwner {
    let answer: Option<serde_json::Value> = body.and_then(|body| serde_json::from_slice(body).ok());
    let text = |pointer: &str| answer.as_ref().and_then(|answer| answer.pointer(pointer)?.as_str());
    let message = text("/error/message").unwrap_or("the node that runs the match does not want this connection");
    match (status, text("/error/code")) {
        (_, Some("elsewhere")) => NoOwner::Unreachable(message.to_owned()),
        (500.., _) => NoOwner::Refused(Closing::again(message)),
        _ => NoOwner::Refused(Closing::policy(message)),
    }
}

/// Sends on what the client sends, until it is gone.
async fn upwards(
    from: &mut SplitStream<WebSocket>,
    to: &mut (impl futures_util::Sink<tungstenite::Message, Error = Error> + Unpin),
    silence: Duration,
    is_silent: &Notify,
) -> Closing {
    let mut pulse = Pulse::new(silence);
    loop {
        let received = tokio::select! {
            received = from.next() => received,
            // Only while it could be heard.
            () = sleep_until(pulse.due()) => match pulse.expect_sign() {
                Ok(()) => {
                    is_silent.notify_one();
                    continue;
                }
                Err(closing) => return closing,
            },
        };
        let frame = match received {
            Some(Ok(Message::Text(text))) => tungstenite::Message::text(text.as_str()),
            Some(Ok(Message::Binary(bytes))) => tungstenite::Message::Binary(bytes),
            // Each of the two connections has signs of life of its own.
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {
                pulse.beat();
                continue;
            }
            Some(Ok(Message::Close(_))) | None => return Closing::left(),
            Some(Err(error)) => return Closing::lost(error),
        };
        if to.send(frame).await.is_err() {
            // What the node had to say comes from it.
            return std::future::pending().await;
        }
        pulse.beat();
    }
}

/// Sends on what the node sends, until it is gone or the client does not read.
async fn downwards(
    from: &mut (impl futures_util::Stream<Item = Result<tungstenite::Message, Error>> + Unpin),
    to: &mut SplitSink<WebSocket, Message>,
    silence: Duration,
    is_silent: &Notify,
) -> Closing {
    loop {
        let frame = tokio::select! {
            received = from.next() => match received {
                Some(Ok(tungstenite::Message::Text(text))) => Message::text(text.as_str()),
                Some(Ok(tungstenite::Message::Binary(bytes))) => Message::Binary(bytes),
                Some(Ok(tungstenite::Message::Close(Some(frame)))) => {
                    let frame = CloseFrame { code: frame.code.into(), reason: frame.reason.as_str().into() };
                    return Closing::as_told(&frame);
                }
                Some(Ok(tungstenite::Message::Close(None))) => return Closing::left(),
                Some(Ok(_)) => continue,
                Some(Err(_)) | None => return lost(),
            },
            () = is_silent.notified() => Message::Ping(axum::body::Bytes::new()),
        };
        if let Err(closing) = taken(to.send(frame), silence).await {
            return closing;
        }
    }
}

/// Whether a code may be sent in a frame that closes.
pub(super) const fn may_be_sent(code: u16) -> bool {
    !matches!(code, close_code::STATUS | close_code::ABNORMAL | 1015)
}
