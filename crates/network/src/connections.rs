//! Connections as they come: so many at a time, each for so long.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Router};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::api::{Limits, Server, problem};
use super::forwarding::forwarded_client;
use super::gate::{Gate, Peer};
use super::lobby::LobbyError;

/// How long the head of a request may take, and a connection may wait for its next request.
const MOST_HEAD: Duration = Duration::from_secs(20);
/// How long a request may take with all of its body.
const MOST_REQUEST: Duration = Duration::from_secs(30);
/// How long a connection may last that is no web socket; then it is to end with the answer that it is at.
const MOST_CONNECTED: Duration = Duration::from_mins(5);
/// How long it is waited after the system has given no connection, because there are too many files open and the like.
const AFTER_FAILURE: Duration = Duration::from_millis(100);

/// Answers requests until `stop` is done. Gives the connections that are left: they have been told to end.
pub(super) async fn serve(
    listener: TcpListener,
    router: Router,
    gate: &Arc<Gate>,
    limits: Limits,
    stopping: watch::Receiver<bool>,
    stop: impl Future<Output = ()>,
) -> JoinSet<()> {
    let mut connections = JoinSet::new();
    // The socket of a match needs none: its client has a permit of another sort.
    let permits = Arc::new(Semaphore::new(limits.connections.clamp(1, Semaphore::MAX_PERMITS)));
    let mut stop = std::pin::pin!(stop);
    loop {
        let next = async {
            let permit = Arc::clone(&permits).acquire_owned().await;
            (permit, listener.accept().await)
        };
        tokio::select! {
            () = &mut stop => return connections,
            Some(_) = connections.join_next() => {}
            (permit, accepted) = next => match accepted {
                Ok((stream, from)) => {
                    let peer = gate.connected(from.ip());
                    // Whoever has enough of them is not answered: that would take another.
                    let Some(of_address) = gate.connect(peer) else {
                        tracing::debug!(address = %peer.address, "an address has as many connections as it may");
                        continue;
                    };
                    let connection = answer(stream, peer, router.clone(), stopping.clone());
                    connections.spawn(async move {
                        connection.await;
                        drop((permit, of_address));
                    });
                }
                Err(error) => {
                    tracing::warn!("no connection can be taken: {error}");
                    sleep(AFTER_FAILURE).await;
                }
            },
        }
    }
}

/// Answers the requests of one connection.
async fn answer(stream: TcpStream, peer: Peer, router: Router, mut stopping: watch::Receiver<bool>) {
    // Messages are short and answered: none waits for another to fill a packet.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!("a connection waits to fill its packets: {error}");
    }
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(peer);
        router.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(MOST_HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => Some(ended),
        () = sleep(MOST_CONNECTED) => None,
        // The way to say it may be gone: that is no sign to stop.
        Ok(_) = stopping.wait_for(|stops| *stops) => None,
    };
    let ended = if let Some(ended) = ended {
        ended
    } else {
        connection.as_mut().graceful_shutdown();
        timeout(MOST_REQUEST, connection).await.unwrap_or(Ok(()))
    };
    if let Err(error) = ended {
        tracing::debug!("a connection has ended: {error}");
    }
}

/// Lets those in who are not banned, and not too fast. What follows knows the [`Peer`] that asks.
pub(super) async fn admit(State(server): State<Server>, connected: Option<Extension<Peer>>, mut request: Request, next: Next) -> Response {
    let lobby = &server.lobby;
    let Some(Extension(connected)) = connected else {
        return LobbyError::Broken("a request without an address".to_owned()).into_response();
    };
    let forwarded = request.headers().get("x-forwarded-for").and_then(|value| value.to_str().ok());
    let peer = match forwarded_client(lobby, request.headers()) {
        Some(address) => Peer {
            address,
            is_limited: false,
            is_forwarded: true,
        },
        None => lobby.gate.peer(connected, forwarded),
    };
    if let Some(reason) = lobby.moderation().ban_of_address(peer.address) {
        return LobbyError::Banned(reason).into_response();
    }
    if let Err(wait) = lobby.gate.request(peer) {
        let what = "your address sends too many requests";
        return LobbyError::TooFast { what, wait }.into_response();
    }
    tracing::debug!(address = %peer.address, method = %request.method(), path = request.uri().path(), "a request");
    request.extensions_mut().insert(peer);
    next.run(request).await
}

/// Bounds how long a request takes: its body may come slowly, or never.
pub(super) async fn bound_time(request: Request, next: Next) -> Response {
    let answered = timeout(MOST_REQUEST, next.run(request)).await;
    answered.unwrap_or_else(|_| problem(StatusCode::REQUEST_TIMEOUT, "slow", "the request took too long"))
}
