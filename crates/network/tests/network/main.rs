//! A server and its clients in one process, over real sockets of this machine.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

mod coming_back;
mod console;
mod failing_store;
mod flooding;
mod hidden_traffic;
mod matches;
mod mirror_answers;
mod nodes;
mod seats;
mod session_fuzz;
mod sockets;
mod storing;
mod timed;
mod verifiable;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use boardwright_client::Connection;
use boardwright_content::Catalog;
use boardwright_network::{CreateMatch, JoinMatch, Limits, Lobby, LobbyOptions, RemoteLobby, serve};
use boardwright_protocol::{Command, Reply};
use boardwright_store::{SqliteStore, Store};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// How long something is waited for that comes: far longer than it takes.
const LONG: Duration = Duration::from_secs(30);

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A server on a port of its own.
struct TestServer {
    runtime: Runtime,
    address: String,
    hosted: Arc<Lobby>,
    stop: Option<oneshot::Sender<()>>,
    served: Option<JoinHandle<std::io::Result<()>>>,
}

impl TestServer {
    fn start(folder: &Path) -> Self {
        Self::with(folder, Limits::default())
    }

    fn with(folder: &Path, limits: Limits) -> Self {
        let store = SqliteStore::open(&folder.join("matches.db")).unwrap();
        Self::of(Arc::new(store), limits)
    }

    fn of(store: Arc<dyn Store>, limits: Limits) -> Self {
        Self::with_options(store, limits, LobbyOptions::default())
    }

    fn with_options(store: Arc<dyn Store>, limits: Limits, options: LobbyOptions) -> Self {
        let lobby = Lobby::new(store, Catalog::scan(&[project()]), 2, 100).unwrap();
        Self::hosting(lobby.with_options(options), limits)
    }

    /// A server with a store in a folder, of the content in others.
    fn playing(folder: &Path, content: &[PathBuf]) -> Self {
        let store = SqliteStore::open(&folder.join("matches.db")).unwrap();
        let lobby = Lobby::new(Arc::new(store), Catalog::scan(content), 2, 100).unwrap();
        Self::hosting(lobby, Limits::default())
    }

    fn hosting(lobby: Lobby, limits: Limits) -> Self {
        Self::listening(std::net::TcpListener::bind("127.0.0.1:0").unwrap(), lobby, limits)
    }

    fn listening(listener: std::net::TcpListener, lobby: Lobby, limits: Limits) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let lobby = Arc::new(lobby);
        let hosted = Arc::clone(&lobby);
        listener.set_nonblocking(true).unwrap();
        let listener = runtime.block_on(async { TcpListener::from_std(listener) }).unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (stop, stopped) = oneshot::channel();
        let served = runtime.spawn(serve(listener, lobby, limits, async { drop(stopped.await) }));
        Self {
            runtime,
            address,
            hosted,
            stop: Some(stop),
            served: Some(served),
        }
    }

    fn lobby(&self) -> RemoteLobby {
        RemoteLobby::new(&self.address)
    }

    fn get(&self, path: &str) -> (u16, String) {
        let config = ureq::Agent::config_builder().http_status_as_error(false).build();
        let agent: ureq::Agent = config.into();
        let mut answer = agent.get(format!("http://{}{path}", self.address)).call().unwrap();
        (answer.status().as_u16(), answer.body_mut().read_to_string().unwrap())
    }
}

impl TestServer {
    /// Stops it, and says how that went.
    fn stop(&mut self) -> std::io::Result<()> {
        drop(self.stop.take());
        match self.served.take() {
            Some(served) => self.runtime.block_on(served).unwrap(),
            None => Ok(()),
        }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        let stopped = self.stop();
        if !std::thread::panicking() {
            stopped.unwrap();
        }
    }
}

fn tic_tac_toe() -> CreateMatch {
    CreateMatch {
        ruleset: "tic-tac-toe".to_owned(),
        ..CreateMatch::default()
    }
}

fn named(name: &str) -> JoinMatch {
    JoinMatch {
        name: name.to_owned(),
        ..JoinMatch::default()
    }
}

fn connect(lobby: &RemoteLobby, id: &str, tokens: &[&str]) -> Connection {
    let tokens: Vec<String> = tokens.iter().map(|token| (*token).to_owned()).collect();
    let link = lobby.connect(id, &tokens, None, None, |_| {}).unwrap();
    let mut connection = Connection::open(Box::new(link)).unwrap();
    connection.settle().unwrap();
    connection
}

fn play(connection: &mut Connection, text: &str) -> Reply {
    connection
        .ask(Command::Play {
            text: text.to_owned(),
            seat: None,
            at: None,
        })
        .unwrap()
}

fn plays(connection: &mut Connection, text: &str) {
    let reply = play(connection, text);
    assert!(matches!(reply, Reply::Done { .. }), "{text}: {reply:?}");
}

/// Lets news come until the mirror is at an event.
fn reaches(connection: &mut Connection, at: usize) {
    while connection.mirror().at() < at {
        connection.poll(Some(LONG)).unwrap().expect("no news came");
    }
}
