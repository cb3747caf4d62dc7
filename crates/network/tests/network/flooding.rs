//! What one address or one client may take from a server, and from others. The matches are of tic-tac-toe.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use boardwright_content::Catalog;
use boardwright_network::{AddressLimits, Limits, Lobby, Moderation};
use boardwright_protocol::{Command, Reply};
use boardwright_store::SqliteStore;
use serde_json::json;
use tokio::io::AsyncReadExt as _;
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;

use super::failing_store::{FailingStore, Mode};
use super::sockets::{hear, open, say};
use super::{LONG, TestServer, connect, named, project, tic_tac_toe};

fn guarded(folder: &Path, limits: Limits, of_address: AddressLimits) -> TestServer {
    let store = SqliteStore::open(&folder.join("matches.db")).unwrap();
    let lobby = Lobby::new(Arc::new(store), Catalog::scan(&[project()]), 2, 100).unwrap();
    TestServer::hosting(lobby.guarded(of_address, Moderation::default()), limits)
}

/// A connection from another address of this machine.
async fn connect_from(from: &str, to: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(format!("{from}:0").parse().unwrap())?;
    socket.connect(to).await
}

/// The address may have half of all connections, and opens more than there may be.
#[test]
fn idle_connections_of_one_address_keep_nobody_else_out() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits {
        connections: 40,
        ..Limits::default()
    };
    let of_address = AddressLimits {
        connections: 20,
        ..AddressLimits::default()
    };
    let server = guarded(folder.path(), limits, of_address);
    let to = server.address.parse().unwrap();
    server.runtime.block_on(async {
        let mut open = JoinSet::new();
        for _ in 0..100 {
            let mut stream = connect_from("127.0.0.2", to).await.unwrap();
            // It says nothing, and waits for the end of the connection.
            open.spawn(async move { drop(stream.read(&mut [0]).await) });
        }
        for _ in 0..80 {
            tokio::time::timeout(LONG, open.join_next()).await.unwrap();
        }
        let asked = async {
            let mut other = connect_from("127.0.0.3", to).await.unwrap();
            tokio::io::AsyncWriteExt::write_all(&mut other, b"GET /api/rulesets HTTP/1.0\r\n\r\n")
                .await
                .unwrap();
            let mut answer = String::new();
            other.read_to_string(&mut answer).await.unwrap();
            answer
        };
        let answer = tokio::time::timeout(LONG, asked).await.unwrap();
        assert!(answer.starts_with("HTTP/1.0 200") || answer.starts_with("HTTP/1.1 200"), "{answer}");
        assert_eq!(open.len(), 20, "the others were still there when the answer came");
    });
}

#[test]
fn an_address_creates_so_many_matches_in_an_hour_and_asks_so_often_in_a_second() {
    let folder = tempfile::tempdir().unwrap();
    let of_address = AddressLimits {
        matches: 2,
        requests: 1,
        ..AddressLimits::default()
    };
    let server = guarded(folder.path(), Limits::default(), of_address);
    let config = ureq::Agent::config_builder().http_status_as_error(false).build();
    let agent: ureq::Agent = config.into();
    let create = |address: &str| {
        let request = agent.post(format!("http://{}/api/matches", server.address));
        let mut answer = request.header("X-Forwarded-For", address).send_json(tic_tac_toe()).unwrap();
        let wait = answer
            .headers()
            .get("retry-after")
            .map(|wait| wait.to_str().unwrap().parse::<u64>().unwrap());
        (answer.status().as_u16(), wait, answer.body_mut().read_to_string().unwrap())
    };
    assert_eq!(create("198.51.100.7").0, 201);
    assert_eq!(create("198.51.100.7").0, 201);
    let (status, wait, text) = create("198.51.100.7");
    assert_eq!(status, 429, "{text}");
    assert!(
        text.contains("as many matches as it may") && wait.is_some_and(|wait| (1_700..=1_801).contains(&wait)),
        "{text}"
    );
    assert_eq!(create("198.51.100.8").0, 201);
    let ask = |address: &str| {
        let request = agent.get(format!("http://{}/api/rulesets", server.address));
        request.header("X-Forwarded-For", address).call().unwrap().status().as_u16()
    };
    // One comes back in a second, a hundred at once: more than those are too many, however long these take.
    let answers: Vec<u16> = (0..400).map(|_| ask("198.51.100.9")).collect();
    assert_eq!(answers[..100], [200; 100]);
    assert!(answers.contains(&429));
    assert_eq!(ask("198.51.100.10"), 200);
}

#[test]
fn a_client_that_sends_too_fast_is_answered_later_but_answered() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits {
        messages: 100,
        ..Limits::default()
    };
    let server = TestServer::with(folder.path(), limits);
    let id = server.lobby().create(&tic_tac_toe()).unwrap().0.id;
    let tokens = ["Ada", "Bob"].map(|name| server.lobby().join(&id, &named(name)).unwrap().1);
    let mut socket = open(&server, &id).unwrap();
    say(&mut socket, &json!({"protocol": 1, "tokens": tokens}));
    let begun = Instant::now();
    for number in 1..=300 {
        say(&mut socket, &json!({"id": number, "do": "hello", "protocol": 1}));
    }
    let mut answered = 0;
    while answered < 300 {
        let message = hear(&mut socket);
        if message["reply"] == "welcome" {
            answered += 1;
            assert_eq!(message["id"], answered);
        }
    }
    // 200 come at once, the others one in ten milliseconds.
    assert!(begun.elapsed() >= Duration::from_millis(950), "{:?}", begun.elapsed());
}

#[test]
fn a_server_is_not_healthy_while_nothing_can_be_stored() {
    let folder = tempfile::tempdir().unwrap();
    let store = FailingStore::open(folder.path());
    let server = TestServer::of(Arc::clone(&store) as _, Limits::default());
    assert_eq!(server.get("/health"), (200, "ok\n".to_owned()));
    store.set(Mode::Fails);
    let (status, text) = server.get("/health");
    assert_eq!(status, 503);
    assert!(text.contains("it is down"), "{text}");
    store.set(Mode::Works);
    assert_eq!(server.get("/health").0, 200);
}

#[test]
fn what_was_said_in_private_is_not_told_to_the_next_holder_of_a_seat_and_nobody_says_too_much() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let lobby = server.lobby();
    let id = lobby.create(&tic_tac_toe()).unwrap().0.id;
    let tokens = ["Ada", "Bob"].map(|name| lobby.join(&id, &named(name)).unwrap().1);
    let mut ada = connect(&lobby, &id, &[&tokens[0]]);
    let say = |text: &str, is_private: bool| Command::Say {
        text: text.to_owned(),
        from: None,
        to: is_private.then_some(boardwright_model::SeatId(1)),
    };
    for (text, is_private) in [("for all", false), ("for Bob", true)] {
        assert!(matches!(ada.ask(say(text, is_private)).unwrap(), Reply::Done { .. }));
    }
    let log = |client: &mut boardwright_client::Connection| {
        let Reply::ChatLog { lines } = client.ask(Command::ChatLog).unwrap() else {
            panic!("no chat log")
        };
        lines.into_iter().map(|line| line.text).collect::<Vec<_>>()
    };
    let mut bob = connect(&lobby, &id, &[&tokens[1]]);
    assert_eq!(log(&mut bob), ["for all", "for Bob"]);
    lobby.leave(&id, &tokens[1]).unwrap();
    let token = lobby.join(&id, &named("Eve")).unwrap().1;
    let mut eve = connect(&lobby, &id, &[&token]);
    assert_eq!(log(&mut eve), ["for all"]);
    assert_eq!(log(&mut ada), ["for all", "for Bob"]);
    assert!(matches!(ada.ask(say("for Eve", true)).unwrap(), Reply::Done { .. }));
    assert_eq!(log(&mut eve), ["for all", "for Eve"]);
    // The match is closed when nobody is left, and what was said is there when somebody comes back.
    drop((ada, bob, eve));
    let mut ada = connect(&lobby, &id, &[&tokens[0]]);
    let mut eve = connect(&lobby, &id, &[&token]);
    assert_eq!(log(&mut ada), ["for all", "for Bob", "for Eve"]);
    assert_eq!(log(&mut eve), ["for all", "for Eve"]);
    let replies: Vec<Reply> = (0..11).map(|_| eve.ask(say("spam", false)).unwrap()).collect();
    assert!(replies[..10].iter().all(|reply| matches!(reply, Reply::Done { .. })), "{replies:?}");
    assert!(format!("{:?}", replies[10]).contains("wait a moment"), "{:?}", replies[10]);
}
