//! The lobby over HTTP, with JSON; `docs/operators` and `docs/protocol.md` describe it.

use std::future::Future;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::JsonRejection;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{DefaultBodyLimit, FromRequest, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use axum::{Extension, Router};
use serde::Deserialize;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tokio::task::spawn_blocking;
use tokio::time::{interval, timeout};

use boardwright_model::Fingerprint;
use boardwright_store::{MatchId, Status};

use super::connections;
use super::gate::{AddressPermit, Peer};
use super::lobby::{CreateMatch, JoinMatch, Lobby, LobbyError};
use super::metrics::Metrics;
use super::nodes::{self, Place};
use super::open_matches::now;
use super::socket;
use super::text_port::{self, TextPort};
use super::token::{NoToken, Token};

/// The most bytes that are sent to the lobby at once.
const MOST_BODY: usize = 64 << 10;
/// The bytes that are read from a client of a match at once: there are thousands of clients, and what they send is short.
const READ_BUFFER: usize = 4 << 10;

/// How long the store may take to answer when it is asked for its health.
const MOST_HEALTH: Duration = Duration::from_secs(5);
/// How often matches are deleted that nobody comes to any more.
const SWEEP_EVERY: Duration = Duration::from_mins(1);

/// What one client and all of them may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most clients of matches at the same time.
    pub clients: usize,
    /// The most requests of a client that are not answered yet; it is not read from while it has so many, nor while a question is not answered.
    pub open_requests: usize,
    /// The most connections beside those of clients of matches.
    pub connections: usize,
    /// The most messages of a client a second, after twice as many at once; those that come faster are read later. 0 is as many as come.
    pub messages: u32,
    /// How long a client may be silent before its connection counts as lost; half of it after its last sign of life it is asked for one.
    pub silence: Duration,
    /// How long a match waits for players from when a seat was taken last; then it is deleted.
    pub kept_waiting: Duration,
    /// How long a match is kept that has ended; without it for ever.
    pub kept_ended: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            clients: 10_000,
            open_requests: 64,
            connections: 1_000,
            messages: 500,
            silence: Duration::from_mins(1),
            kept_waiting: Duration::from_hours(24),
            kept_ended: None,
        }
    }
}

/// A lobby behind HTTP.
#[derive(Clone, Debug)]
pub struct Server {
    pub(super) lobby: Arc<Lobby>,
    pub(super) limits: Limits,
    /// For each client of a match that may still come, one.
    permits: Arc<Semaphore>,
    /// Changes when the server stops.
    pub(super) stopping: watch::Receiver<bool>,
    /// The last to go: when all are gone, nobody uses the lobby any more.
    _alive: mpsc::Sender<()>,
}

/// A client of a match that has its place among those that may be there at the same time, and is counted. Dropped, it is gone.
pub(super) struct ClientPermit {
    metrics: Arc<Metrics>,
    /// Where it comes from.
    pub(super) address: IpAddr,
    /// Whether another node stands for it.
    pub(super) is_forwarded: bool,
    _permit: OwnedSemaphorePermit,
    _of_address: AddressPermit,
}

impl ClientPermit {
    /// An error if there are as many clients as there may be, or as many connections of its address.
    fn take(server: &Server, peer: Peer) -> Result<Self, LobbyError> {
        let crowded = || LobbyError::Crowded("this server has no room for another client: come back later");
        let permit = Arc::clone(&server.permits).try_acquire_owned().map_err(|_| crowded())?;
        let of_address = server.lobby.gate.connect(peer);
        let crowded = || LobbyError::Crowded("your address has as many connections as it may: end one of them");
        let of_address = of_address.ok_or_else(crowded)?;
        let metrics = Arc::clone(&server.lobby.metrics);
        metrics.clients.inc();
        Ok(Self {
            metrics,
            address: peer.address,
            is_forwarded: peer.is_forwarded,
            _permit: permit,
            _of_address: of_address,
        })
    }
}

impl Drop for ClientPermit {
    fn drop(&mut self) {
        self.metrics.clients.dec();
    }
}

/// Serves a lobby until `stop` is done; then clients are told that the server is about to stop, and everything that happened is stored. That takes at most
/// three times as long as a client may be silent.
///
/// # Errors
/// If changes of matches could not be stored before the server had to stop.
pub async fn serve(
    listener: TcpListener,
    lobby: Arc<Lobby>,
    limits: Limits,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    serve_with_text(listener, lobby, limits, None, stop).await
}

/// The same with a text protocol of a ruleset on a port of its own.
///
/// # Errors
/// As [`serve`].
pub async fn serve_with_text(
    listener: TcpListener,
    lobby: Arc<Lobby>,
    limits: Limits,
    text: Option<TextPort>,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let (say_stop, stopping) = watch::channel(false);
    let (alive, mut all_gone) = mpsc::channel(1);
    let server = Server {
        lobby: Arc::clone(&lobby),
        limits,
        permits: Arc::new(Semaphore::new(limits.clients.min(Semaphore::MAX_PERMITS))),
        stopping: stopping.clone(),
        _alive: alive,
    };
    let texts = text.map(|text| tokio::spawn(text_port::serve(text, Arc::clone(&lobby), limits.silence, stopping.clone())));
    let sweeping = tokio::spawn(sweep(Arc::clone(&lobby), limits));
    let listening = nodes::listen(&lobby);
    let timed = Arc::clone(&lobby);
    tokio::spawn(async move {
        if let Err(error) = timed.open_timed().await {
            tracing::error!("the clocks of matches do not run: {error}");
        }
    });
    let mut connections = connections::serve(listener, router(server), &lobby.gate, limits, stopping, stop).await;
    say_stop.send_replace(true);
    sweeping.abort();
    if let Some(texts) = texts {
        drop(timeout(limits.silence, texts).await);
    }
    // What is half sent is not waited for, nor are the sockets of matches, which their connections do not know any more.
    drop(timeout(limits.silence, async { while connections.join_next().await.is_some() {} }).await);
    connections.abort_all();
    drop(timeout(limits.silence, all_gone.recv()).await);
    if let Some(listening) = listening {
        listening.abort();
    }
    let lost = spawn_blocking(move || lobby.close(limits.silence))
        .await
        .map_err(std::io::Error::other)?;
    if lost > 0 {
        return Err(std::io::Error::other(format!(
            "in {lost} matches something could not be stored; nobody was told that it happened"
        )));
    }
    Ok(())
}

/// Deletes matches that nobody comes to any more, now and then.
async fn sweep(lobby: Arc<Lobby>, limits: Limits) {
    let mut times = interval(SWEEP_EVERY);
    loop {
        times.tick().await;
        let before = |kept: Option<Duration>| {
            let kept = kept.map_or(u128::MAX, |kept| kept.as_millis());
            now().saturating_sub(u64::try_from(kept).unwrap_or(u64::MAX))
        };
        let lobby = Arc::clone(&lobby);
        if let Err(error) = blocking(move || lobby.sweep(before(Some(limits.kept_waiting)), before(limits.kept_ended))).await {
            tracing::error!("matches that nobody comes to cannot be deleted: {error}");
        }
    }
}

fn router(server: Server) -> Router {
    Router::new()
        .route("/api/rulesets", get(rulesets))
        .route("/api/matches", get(list).post(create))
        .route("/api/matches/{id}", get(one).delete(cancel))
        .route("/api/matches/{id}/seats", post(join).delete(leave))
        .route("/api/matches/{id}/seats/{seat}", delete(kick))
        .route("/api/rules/{fingerprint}", get(rules))
        .route("/api/matches/{id}/save", get(save))
        .route("/m/{id}", get(link))
        .route("/api/matches/{id}/socket", get(connect))
        .route("/health", get(health))
        .route("/metrics", get(metrics))
        .fallback(|| async {
            problem(
                StatusCode::NOT_FOUND,
                "not_found",
                "there is nothing here; the lobby is at /api/matches",
            )
        })
        .layer(DefaultBodyLimit::max(MOST_BODY))
        .layer(from_fn_with_state(server.clone(), connections::admit))
        .layer(from_fn(connections::bound_time))
        .with_state(server)
}

/// An answer that says no: `code` for programs, `message` for people.
pub(super) fn problem(status: StatusCode, code: &str, message: &str) -> Response {
    (status, axum::Json(json!({"error": {"code": code, "message": message}}))).into_response()
}

impl IntoResponse for LobbyError {
    fn into_response(self) -> Response {
        let (status, code) = match &self {
            Self::NoMatch => (StatusCode::NOT_FOUND, "no_match"),
            Self::Wrong(_) => (StatusCode::UNPROCESSABLE_ENTITY, "wrong"),
            Self::Taken(_) => (StatusCode::CONFLICT, "taken"),
            Self::NoSeat => (StatusCode::FORBIDDEN, "no_seat"),
            Self::NotCreator => (StatusCode::FORBIDDEN, "not_creator"),
            Self::Password(_) => (StatusCode::UNAUTHORIZED, "password"),
            Self::Banned(_) => (StatusCode::FORBIDDEN, "banned"),
            Self::TooFast { wait, .. } => {
                let seconds = (wait.as_secs() + 1).to_string();
                let answer = problem(StatusCode::TOO_MANY_REQUESTS, "too_fast", &self.to_string());
                return ([(header::RETRY_AFTER, seconds)], answer).into_response();
            }
            Self::Full | Self::Crowded(_) => (StatusCode::SERVICE_UNAVAILABLE, "full"),
            Self::Elsewhere(_) => (StatusCode::SERVICE_UNAVAILABLE, "elsewhere"),
            Self::Store(error) => {
                tracing::error!("the store fails: {error}");
                (StatusCode::SERVICE_UNAVAILABLE, "store")
            }
            Self::Broken(why) => {
                tracing::error!("{why}");
                (StatusCode::INTERNAL_SERVER_ERROR, "broken")
            }
        };
        problem(status, code, &self.to_string())
    }
}

/// A body of JSON, or an answer that says what is wrong with it.
struct Json<T>(T);

impl<T, S> FromRequest<S> for Json<T>
where
    axum::Json<T>: FromRequest<S, Rejection = JsonRejection>,
    S: Send + Sync,
{
    type Rejection = Response;

    async fn from_request(request: axum::extract::Request, state: &S) -> Result<Self, Response> {
        let read = axum::Json::<T>::from_request(request, state).await;
        read.map(|axum::Json(value)| Self(value))
            .map_err(|wrong| problem(wrong.status(), "wrong", &wrong.body_text()))
    }
}

fn id_of(text: &str) -> Result<MatchId, LobbyError> {
    text.parse().map_err(|_| LobbyError::NoMatch)
}

/// Carries out what blocks.
pub(super) async fn blocking<T: Send + 'static>(run: impl FnOnce() -> Result<T, LobbyError> + Send + 'static) -> Result<T, LobbyError> {
    let done = spawn_blocking(run).await;
    done.unwrap_or_else(|error| Err(LobbyError::Broken(error.to_string())))
}

async fn rulesets(State(server): State<Server>) -> Response {
    match blocking(move || Ok(server.lobby.rulesets())).await {
        Ok(rulesets) => axum::Json(rulesets).into_response(),
        Err(error) => error.into_response(),
    }
}

/// The sources of rules that a match is played by. Who knows their fingerprint was told it in such a match.
async fn rules(State(server): State<Server>, Path(fingerprint): Path<String>) -> Response {
    let found = blocking(move || match Fingerprint::parse(&fingerprint) {
        Some(fingerprint) => server.lobby.packed_rules(fingerprint),
        None => Ok(None),
    });
    match found.await {
        Ok(Some(packed)) => {
            let headers = [
                (header::CONTENT_TYPE, "application/gzip"),
                (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
            ];
            (headers, packed).into_response()
        }
        Ok(None) => problem(StatusCode::NOT_FOUND, "no_rules", "no match here is played by these rules"),
        Err(error) => error.into_response(),
    }
}

#[derive(Deserialize)]
struct ListQuery {
    status: Option<String>,
}

async fn list(State(server): State<Server>, Query(query): Query<ListQuery>) -> Response {
    let status = match query.status.as_deref() {
        None | Some("waiting") => Status::Waiting,
        Some("playing") => Status::Playing,
        Some("ended") => Status::Ended,
        Some(_) => return LobbyError::Wrong("a status is `waiting`, `playing` or `ended`".to_owned()).into_response(),
    };
    match blocking(move || server.lobby.list(status)).await {
        Ok(matches) => axum::Json(matches).into_response(),
        Err(error) => error.into_response(),
    }
}

async fn create(State(server): State<Server>, Extension(peer): Extension<Peer>, Json(wanted): Json<CreateMatch>) -> Response {
    if let Err(wait) = server.lobby.gate.new_match(peer) {
        let what = "your address has created as many matches as it may";
        return LobbyError::TooFast { what, wait }.into_response();
    }
    match blocking(move || server.lobby.create(&wanted)).await {
        Ok((created, token)) => {
            let answer = json!({"match": created, "token": token.to_string()});
            (StatusCode::CREATED, axum::Json(answer)).into_response()
        }
        Err(error) => error.into_response(),
    }
}

async fn one(State(server): State<Server>, Path(id): Path<String>) -> Response {
    let found = blocking(move || server.lobby.summary(id_of(&id)?)).await;
    match found {
        Ok(found) => axum::Json(found).into_response(),
        Err(error) => error.into_response(),
    }
}

async fn join(State(server): State<Server>, Path(id): Path<String>, Json(who): Json<JoinMatch>) -> Response {
    let lobby = Arc::clone(&server.lobby);
    let joined = blocking(move || {
        let id = id_of(&id)?;
        Ok((id, lobby.join(id, &who)?))
    });
    match joined.await {
        Ok((id, (seat, token, luck))) => {
            // With the last seat the clocks begin to run, whether somebody comes or not.
            tokio::spawn(async move { server.lobby.open_if_timed(id).await });
            let mut answer = json!({"seat": seat, "token": token.to_string()});
            if let (Some(luck), Some(fields)) = (luck, answer.as_object_mut()) {
                fields.insert("luck".to_owned(), json!(luck));
            }
            (StatusCode::CREATED, axum::Json(answer)).into_response()
        }
        Err(error) => error.into_response(),
    }
}

/// The token in the header `Authorization: Bearer TOKEN`.
fn bearer(headers: &HeaderMap) -> Result<Token, Box<Response>> {
    let refused = |why: &str| Box::new(problem(StatusCode::UNAUTHORIZED, "no_token", why));
    let given = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok()?.split_once(' '));
    let given = given.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("Bearer"));
    let (_, token) = given.ok_or_else(|| refused("the header `Authorization: Bearer TOKEN` with a token is missing"))?;
    token.trim().parse().map_err(|wrong: NoToken| refused(&wrong.to_string()))
}

/// Does something that only who has a token may do.
async fn with_token(headers: &HeaderMap, run: impl FnOnce(Token) -> Result<(), LobbyError> + Send + 'static) -> Response {
    let token = match bearer(headers) {
        Ok(token) => token,
        Err(missing) => return *missing,
    };
    match blocking(move || run(token)).await {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(error) => error.into_response(),
    }
}

async fn leave(State(server): State<Server>, Path(id): Path<String>, headers: HeaderMap) -> Response {
    with_token(&headers, move |token| server.lobby.leave(id_of(&id)?, token)).await
}

async fn cancel(State(server): State<Server>, Path(id): Path<String>, headers: HeaderMap) -> Response {
    with_token(&headers, move |token| server.lobby.cancel(id_of(&id)?, token)).await
}

async fn kick(State(server): State<Server>, Path((id, seat)): Path<(String, String)>, headers: HeaderMap) -> Response {
    with_token(&headers, move |token| server.lobby.kick(id_of(&id)?, &seat, token)).await
}

#[derive(Deserialize)]
struct SaveQuery {
    password: Option<String>,
}

/// The save of a match that has ended.
async fn save(State(server): State<Server>, Path(id): Path<String>, Query(query): Query<SaveQuery>) -> Response {
    let saved = blocking(move || server.lobby.ended_save(id_of(&id)?, query.password.as_deref())).await;
    match saved {
        Ok(text) => ([(header::CONTENT_TYPE, "application/xml")], text).into_response(),
        Err(error) => error.into_response(),
    }
}

/// What who opens the link of a match in a browser is told.
async fn link(State(server): State<Server>, Path(id): Path<String>, headers: HeaderMap) -> Response {
    let found = blocking(move || server.lobby.summary(id_of(&id)?)).await;
    let found = match found {
        Ok(found) => found,
        Err(error) => return error.into_response(),
    };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    // It stands in a command that people copy.
    let is_plain = |host: &&str| {
        host.chars()
            .all(|letter| letter.is_ascii_alphanumeric() || ".:-[]".contains(letter))
    };
    let host = host.filter(is_plain).unwrap_or("SERVER");
    let text = format!(
        "{} ({}/{}), {}.\n\nTo take a seat:\n\n    boardwright join {host} {id} --name NAME\n",
        found.name,
        found.ruleset,
        found.scenario,
        found.status,
        id = found.id
    );
    text.into_response()
}

async fn connect(
    State(server): State<Server>,
    Extension(peer): Extension<Peer>,
    Path(id): Path<String>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let found = {
        let lobby = Arc::clone(&server.lobby);
        blocking(move || lobby.summary(id_of(&id)?)).await
    };
    let id = match found.and_then(|found| id_of(&found.id)) {
        Ok(id) => id,
        Err(error) => return error.into_response(),
    };
    // Taken before the answer, so that no two clients get the last place.
    let permit = match ClientPermit::take(&server, peer) {
        Ok(permit) => permit,
        Err(error) => return error.into_response(),
    };
    // Who is sent here by another node is sent back if the match is not run here, so that it looks again.
    let slot = if peer.is_forwarded {
        match server.lobby.claim(id).await {
            Ok(Place::Here(slot)) => Some(slot),
            Ok(Place::At(address)) => return LobbyError::Elsewhere(address).into_response(),
            Err(error) => return error.into_response(),
        }
    } else {
        None
    };
    upgrade
        .max_message_size(socket::MOST_MESSAGE_BYTES)
        // As many bytes are reserved as the head of a frame names.
        .max_frame_size(socket::MOST_MESSAGE_BYTES)
        .read_buffer_size(READ_BUFFER)
        .on_upgrade(async move |web_socket| {
            socket::run(server, id, web_socket, permit).await;
            drop(slot);
        })
}

async fn health(State(server): State<Server>) -> Response {
    let looked = spawn_blocking(move || {
        let ailment = server.lobby.ailment();
        let nodes = if ailment.is_none() {
            server.lobby.nodes().unwrap_or_default()
        } else {
            Vec::new()
        };
        let here = nodes.iter().find(|node| node.is_here).map(|node| format!("{node}\n"));
        (ailment, here.unwrap_or_default())
    });
    let (ailment, here) = match timeout(MOST_HEALTH, looked).await {
        Ok(Ok(looked)) => looked,
        Ok(Err(error)) => (Some(error.to_string()), String::new()),
        Err(_) => (Some("the store does not answer".to_owned()), String::new()),
    };
    match ailment {
        None => (StatusCode::OK, format!("ok\n{here}")).into_response(),
        Some(ailment) => (StatusCode::SERVICE_UNAVAILABLE, format!("{ailment}\n")).into_response(),
    }
}

async fn metrics(State(server): State<Server>) -> Response {
    let metrics = &server.lobby.metrics;
    metrics.open_matches.set(i64::try_from(server.lobby.running()).unwrap_or(i64::MAX));
    let lobby = Arc::clone(&server.lobby);
    if let Ok(nodes) = blocking(move || lobby.nodes()).await
        && let Some(here) = nodes.iter().find(|node| node.is_here)
    {
        metrics.node.set(i64::try_from(here.id).unwrap_or(i64::MAX));
        metrics.nodes.set(i64::try_from(nodes.len()).unwrap_or(i64::MAX));
        metrics.own_matches.set(i64::try_from(here.matches).unwrap_or(i64::MAX));
    }
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], metrics.text()).into_response()
}
