//! The client's end: a match on a server as a link, and the lobby of a server.

use std::io;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::json;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

use boardwright_client::{Link, LinkClosed, Wake, receive_from};
use boardwright_protocol::{FromHost, PROTOCOL, Request};

use super::lobby::{CreateMatch, JoinMatch, MatchSummary};

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
}

impl RemoteLobby {
    /// The lobby at an address: `http://HOST:PORT`, or `HOST:PORT` alone.
    pub fn new(address: &str) -> Self {
        let address = address.trim_end_matches('/');
        let address = if address.contains("://") {
            address.to_owned()
        } else {
            format!("http://{address}")
        };
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(20)))
            .build();
        Self {
            address,
            agent: config.into(),
        }
    }

    fn read<T: serde::de::DeserializeOwned>(answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Result<T, RemoteError> {
        let unreachable = |error: ureq::Error| RemoteError::Unreachable(error.to_string());
        let mut answer = answer.map_err(unreachable)?;
        let is_success = answer.status().is_success();
        let value: serde_json::Value = answer.body_mut().read_json().map_err(unreachable)?;
        if is_success {
            return serde_json::from_value(value).map_err(|error| RemoteError::Refused(format!("the server is another one: {error}")));
        }
        let message = value.pointer("/error/message").and_then(|message| message.as_str());
        Err(RemoteError::Refused(message.unwrap_or("the server says no").to_owned()))
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

    /// Creates a match.
    ///
    /// # Errors
    /// If the server cannot be reached or says no.
    pub fn create(&self, wanted: &CreateMatch) -> Result<MatchSummary, RemoteError> {
        Self::read(self.agent.post(format!("{}/api/matches", self.address)).send_json(wanted))
    }

    /// Takes a seat; gives its name and its token.
    ///
    /// # Errors
    /// If the server cannot be reached or says no.
    pub fn join(&self, id: &str, who: &JoinMatch) -> Result<(String, String), RemoteError> {
        #[derive(serde::Deserialize)]
        struct Joined {
            seat: String,
            token: String,
        }
        let joined: Joined = Self::read(self.agent.post(format!("{}/api/matches/{id}/seats", self.address)).send_json(who))?;
        Ok((joined.seat, joined.token))
    }

    /// The address of the web socket of a match.
    fn socket(&self, id: &str) -> String {
        let address = self.address.replacen("http", "ws", 1);
        format!("{address}/api/matches/{id}/socket")
    }

    /// A link to a match, with the tokens of the seats that are played from here. While the match waits for players, `waiting` is told who is there.
    ///
    /// # Errors
    /// If the server cannot be reached.
    pub fn connect(
        &self,
        id: &str,
        tokens: &[String],
        wake: Option<Wake>,
        waiting: impl Fn(&MatchSummary) + Send + 'static,
    ) -> Result<RemoteLink, RemoteError> {
        let hello = json!({"protocol": PROTOCOL, "tokens": tokens}).to_string();
        RemoteLink::open(self.socket(id), hello, wake, waiting)
    }
}

/// A link to a match on a server.
#[derive(Debug)]
pub struct RemoteLink {
    to: UnboundedSender<String>,
    inbox: Receiver<FromHost>,
}

impl RemoteLink {
    fn open(
        address: String,
        hello: String,
        wake: Option<Wake>,
        waiting: impl Fn(&MatchSummary) + Send + 'static,
    ) -> Result<Self, RemoteError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (to, outgoing) = unbounded_channel();
        let (arrived, inbox) = mpsc::channel();
        let (opened, result) = mpsc::sync_channel(1);
        let body = move || {
            let task = run(address, hello, outgoing, &arrived, wake.as_ref(), &waiting, &opened);
            runtime.block_on(task);
            drop(arrived);
            // Whoever waits learns that nothing more comes.
            if let Some(wake) = &wake {
                wake();
            }
        };
        thread::Builder::new().name("connection".to_owned()).spawn(body)?;
        match result.recv() {
            Ok(Ok(())) => Ok(Self { to, inbox }),
            Ok(Err(error)) => Err(error),
            Err(_) => Err(RemoteError::Unreachable("the connection broke down".to_owned())),
        }
    }
}

/// What comes before a match has begun.
#[derive(serde::Deserialize)]
struct Waiting {
    #[serde(rename = "match")]
    found: MatchSummary,
}

async fn run(
    address: String,
    hello: String,
    mut outgoing: UnboundedReceiver<String>,
    arrived: &mpsc::Sender<FromHost>,
    wake: Option<&Wake>,
    waiting: &(impl Fn(&MatchSummary) + Send),
    opened: &mpsc::SyncSender<Result<(), RemoteError>>,
) {
    let connected = connect_async(address).await;
    let (mut socket, _) = match connected {
        Ok(connected) => connected,
        Err(error) => return drop(opened.send(Err(RemoteError::Unreachable(error.to_string())))),
    };
    let greeted = socket.send(Message::text(hello)).await;
    drop(opened.send(greeted.map_err(|error| RemoteError::Unreachable(error.to_string()))));
    loop {
        tokio::select! {
            line = outgoing.recv() => match line {
                Some(line) => {
                    if socket.send(Message::text(line)).await.is_err() {
                        return;
                    }
                }
                // The link was dropped.
                None => return drop(socket.close(None).await),
            },
            received = socket.next() => match received {
                Some(Ok(Message::Text(text))) => {
                    if let Ok(message) = serde_json::from_str(&text) {
                        if arrived.send(message).is_err() {
                            return;
                        }
                    } else if let Ok(Waiting { found }) = serde_json::from_str(&text) {
                        waiting(&found);
                    } else {
                        tracing::warn!("not a message of a host: {text}");
                    }
                    if let Some(wake) = wake {
                        wake();
                    }
                }
                Some(Ok(Message::Close(frame))) => {
                    if let Some(frame) = frame {
                        tracing::warn!("the server has closed the connection: {}", frame.reason);
                    }
                    return;
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return tracing::warn!("the connection is lost: {error}"),
                None => return,
            },
        }
    }
}

impl Link for RemoteLink {
    fn send(&mut self, request: Request) -> Result<(), LinkClosed> {
        let line = serde_json::to_string(&request).map_err(|_| LinkClosed)?;
        self.to.send(line).map_err(|_| LinkClosed)
    }

    fn receive(&mut self, timeout: Option<Duration>) -> Result<Option<FromHost>, LinkClosed> {
        receive_from(&self.inbox, timeout)
    }
}
