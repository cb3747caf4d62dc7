//! Matches with clocks across a restart of their server, and the webhook. The matches are of tic-tac-toe.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener as BlockingListener;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use boardwright_model::SeatId;
use boardwright_network::{CreateMatch, FakeTime, Limits, LobbyOptions, Webhook};
use boardwright_protocol::{Command, Reply};
use boardwright_store::SqliteStore;
use serde_json::{Value, json};

use super::{LONG, TestServer, connect, named, plays, tic_tac_toe};

fn timed(control: &str) -> CreateMatch {
    CreateMatch {
        clock: Some(control.parse().unwrap()),
        ..tic_tac_toe()
    }
}

/// A server whose time is the test's, on the matches in a folder.
fn server_at(folder: &std::path::Path, time: &Arc<Mutex<Instant>>) -> TestServer {
    let store = SqliteStore::open(&folder.join("matches.db")).unwrap();
    let time = Arc::clone(time);
    let options = LobbyOptions {
        time: Some(FakeTime(Arc::new(move || *time.lock().unwrap()))),
        ..LobbyOptions::default()
    };
    TestServer::with_options(Arc::new(store), Limits::default(), options)
}

#[test]
fn clocks_are_stored_and_stand_still_while_the_server_is_down() {
    let folder = tempfile::tempdir().unwrap();
    let time = Arc::new(Mutex::new(Instant::now()));
    let pass = |seconds| *time.lock().unwrap() += Duration::from_secs(seconds);
    let mut server = server_at(folder.path(), &time);
    let lobby = server.lobby();
    let created = lobby.create(&timed("100s+1s")).unwrap().0;
    assert_eq!(created.clock, Some("100s+1s".parse().unwrap()));
    let tokens = ["Ada", "Bob"].map(|name| lobby.join(&created.id, &named(name)).unwrap().1);
    let mut ada = connect(&lobby, &created.id, &[&tokens[0]]);
    pass(30);
    plays(&mut ada, "mark a1");
    pass(10);
    drop(ada);
    server.stop().unwrap();
    drop(server);
    pass(10_000);
    let server = server_at(folder.path(), &time);
    let mut ada = connect(&server.lobby(), &created.id, &[&tokens[0]]);
    ada.settle().unwrap();
    let clocks = ada.mirror().clocks().unwrap().clone();
    let past = Instant::now().checked_sub(Duration::from_mins(1)).unwrap();
    let left = [SeatId(0), SeatId(1)].map(|seat| clocks.left(seat, past).unwrap().as_secs());
    assert_eq!(left, [71, 90]);
    assert!(ada.mirror().gone().contains(SeatId(1)), "Bob is waited for");
    assert_eq!(ada.mirror().name(SeatId(1)), Some("Bob"));
}

#[test]
fn the_time_of_a_match_runs_out_though_nobody_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let lobby = server.lobby();
    let created = lobby.create(&timed("1s")).unwrap().0;
    for name in ["Ada", "Bob"] {
        lobby.join(&created.id, &named(name)).unwrap();
    }
    let begun = Instant::now();
    while lobby.one(&created.id).unwrap().status != "ended" {
        assert!(begun.elapsed() < LONG, "it does not end");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn no_time_is_refused_that_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let mut request = serde_json::to_value(tic_tac_toe()).unwrap();
    request["clock"] = json!("soon");
    let config = ureq::Agent::config_builder().http_status_as_error(false).build();
    let agent: ureq::Agent = config.into();
    let address = format!("http://{}/api/matches", server.address);
    let mut answer = agent.post(address).send_json(&request).unwrap();
    let text = answer.body_mut().read_to_string().unwrap();
    assert_eq!(answer.status().as_u16(), 422);
    assert!(text.contains("`soon` is no time control"), "{text}");
}

/// A server that fails once, then takes what it is sent.
fn listener() -> (String, Receiver<Value>) {
    let listener = BlockingListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/turns", listener.local_addr().unwrap());
    let (to, received) = mpsc::channel();
    thread::spawn(move || {
        for (number, stream) in listener.incoming().enumerate() {
            let mut reader = BufReader::new(stream.unwrap());
            let mut length = 0;
            let mut line = String::new();
            while reader.read_line(&mut line).unwrap() > 0 && line.trim() != "" {
                if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                line.clear();
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            let status = if number == 0 { "500 Broken" } else { "200 OK" };
            let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            reader.get_mut().write_all(answer.as_bytes()).unwrap();
            if number > 0 && to.send(serde_json::from_slice(&body).unwrap()).is_err() {
                break;
            }
        }
    });
    (address, received)
}

#[test]
fn a_webhook_is_told_whose_turn_it_is_who_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let (address, received) = listener();
    let store = SqliteStore::open(&folder.path().join("matches.db")).unwrap();
    let options = LobbyOptions {
        webhook: Some(Webhook::new(address, Duration::from_millis(1)).unwrap()),
        ..LobbyOptions::default()
    };
    let server = TestServer::with_options(Arc::new(store), Limits::default(), options);
    let lobby = server.lobby();
    let id = lobby.create(&tic_tac_toe()).unwrap().0.id;
    let tokens = ["Ada", "Bob"].map(|name| lobby.join(&id, &named(name)).unwrap().1);
    let mut ada = connect(&lobby, &id, &[&tokens[0]]);
    plays(&mut ada, "mark a1");
    let told = |seat: &str, name: &str, event: &str| json!({"match": id, "seat": seat, "name": name, "event": event});
    // What failed is sent again. Ada is there, and is told nothing.
    assert_eq!(received.recv_timeout(LONG).unwrap(), told("noughts", "Bob", "your-turn"));
    let resigned = ada.ask(Command::Resign { seat: None }).unwrap();
    assert!(matches!(resigned, Reply::Done { .. }), "{resigned:?}");
    assert_eq!(received.recv_timeout(LONG).unwrap(), told("noughts", "Bob", "ended"));
}
