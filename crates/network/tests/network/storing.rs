//! What becomes of matches whose changes cannot be stored. Those of people are of tic-tac-toe.

use std::io::Write as _;
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use boardwright_network::{CreateMatch, Limits};
use boardwright_store::{SqliteStore, Store};
use serde_json::json;

use super::failing_store::{FailingStore, Mode};
use super::sockets::{Socket, closed, hear, open, say};
use super::{TestServer, connect, named, plays, reaches, tic_tac_toe};

const NOT_NOW: &str = "what happens in this match cannot be stored at the moment; it goes on as soon as it can";

/// A server that does not wait long when it stops, on a store that fails when it is told to.
fn start(folder: &Path) -> (TestServer, Arc<FailingStore>) {
    let store = FailingStore::open(folder);
    let limits = Limits {
        silence: Duration::from_secs(2),
        ..Limits::default()
    };
    (TestServer::of(Arc::clone(&store) as Arc<dyn Store>, limits), store)
}

/// A match of two people in which one mark was set, with the socket of the one who is to move and their tokens.
fn begun(server: &TestServer) -> (String, Socket, [String; 2]) {
    let lobby = server.lobby();
    let id = lobby.create(&tic_tac_toe()).unwrap().0.id;
    let tokens = ["Ada", "Bob"].map(|name| lobby.join(&id, &named(name)).unwrap().1);
    let mut bob = open(server, &id).unwrap();
    say(&mut bob, &json!({"protocol": 1, "tokens": [tokens[1]]}));
    plays(&mut connect(&lobby, &id, &[&tokens[0]]), "mark a1");
    say(&mut bob, &json!({"id": 1, "do": "hello", "protocol": 1}));
    while hear(&mut bob)["id"] != 1 {}
    (id, bob, tokens)
}

/// The next message that is not about who is there.
fn hear_of_match(socket: &mut Socket) -> serde_json::Value {
    loop {
        let heard = hear(socket);
        if heard["notice"] != "players" {
            return heard;
        }
    }
}

fn play(socket: &mut Socket, id: u64, text: &str) {
    say(socket, &json!({"id": id, "do": "play", "text": text}));
}

#[test]
fn while_the_store_is_down_a_match_waits_and_says_so_and_then_it_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (server, store) = start(folder.path());
    let (id, mut bob, tokens) = begun(&server);
    let mut ada = connect(&server.lobby(), &id, &[&tokens[0]]);
    let at = ada.mirror().at();
    store.set(Mode::Fails);
    play(&mut bob, 2, "mark b1");
    assert_eq!(hear_of_match(&mut bob)["text"], NOT_NOW);
    store.set(Mode::Works);
    assert_eq!(hear_of_match(&mut bob)["notice"], "event");
    assert_eq!(hear_of_match(&mut bob)["reply"], "done");
    reaches(&mut ada, at + 1);
    plays(&mut ada, "mark a2");
}

#[test]
fn a_change_that_was_stored_though_it_was_said_not_to_be_is_there_once() {
    let folder = tempfile::tempdir().unwrap();
    let (server, store) = start(folder.path());
    let (id, mut bob, _) = begun(&server);
    let before = store.load(id.parse().unwrap()).unwrap().entries.len();
    store.set(Mode::StoresAndFails);
    play(&mut bob, 2, "mark b1");
    while hear(&mut bob)["text"] != NOT_NOW {}
    store.set(Mode::Works);
    while hear(&mut bob)["reply"] != "done" {}
    assert_eq!(store.load(id.parse().unwrap()).unwrap().entries.len(), before + 1);
}

#[test]
fn so_many_changes_wait_for_the_store_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let (server, store) = start(folder.path());
    let lobby = server.lobby();
    // However computers play at random there, it takes thousands of actions to end.
    let wanted = CreateMatch {
        ruleset: "conquest".to_owned(),
        scenario: Some("war".to_owned()),
        ..CreateMatch::default()
    };
    let found = lobby.create(&wanted).unwrap().0.seats;
    let wanted = CreateMatch {
        players: found.into_iter().map(|seat| (seat.name, "random".to_owned())).collect(),
        ..wanted
    };
    let id = lobby.create(&wanted).unwrap().0.id;
    store.set(Mode::Silent);
    let mut spectator = open(&server, &id).unwrap();
    say(&mut spectator, &json!({"protocol": 1}));
    store.wait_for(64);
    // It is not answered yet who comes, so what it asks is read when something was stored.
    store.set(Mode::Works);
    say(&mut spectator, &json!({"id": 1, "do": "legal"}));
    while hear(&mut spectator)["id"] != 1 {}
    let now = store.wait_for(100);
    store.set(Mode::Silent);
    store.wait_for(now + 64);
    play(&mut spectator, 2, "a1 a2");
    let answer = loop {
        let message = hear(&mut spectator);
        if message["id"] == 2 {
            break message;
        }
    };
    assert_eq!(answer["message"], "this cannot be stored at the moment: try again");
    assert_eq!(store.unanswered(), 64);
    store.set(Mode::Works);
}

#[test]
fn a_match_of_which_nothing_can_be_stored_any_more_ends_here_and_clients_may_come_again() {
    let folder = tempfile::tempdir().unwrap();
    let (server, store) = start(folder.path());
    let (id, mut bob, tokens) = begun(&server);
    store.set(Mode::Gone);
    play(&mut bob, 2, "mark b1");
    let told = "the match was closed, and what was not answered may not have happened; come back to it";
    assert_eq!(closed(&mut bob), (1013, told.to_owned()));
    store.set(Mode::Works);
    let mut bob = connect(&server.lobby(), &id, &[&tokens[1]]);
    plays(&mut bob, "mark c1");
}

#[test]
fn a_server_stops_though_its_store_is_down_or_silent_and_nothing_answered_is_lost() {
    for mode in [Mode::Fails, Mode::Silent] {
        let folder = tempfile::tempdir().unwrap();
        let (mut server, store) = start(folder.path());
        let (id, mut bob, _) = begun(&server);
        let before = store.load(id.parse().unwrap()).unwrap().entries;
        store.set(mode);
        let asked = store.wait_for(0);
        play(&mut bob, 2, "mark b1");
        store.wait_for(asked + 1);
        let why = server.stop().unwrap_err().to_string();
        assert_eq!(why, "in 1 matches something could not be stored; nobody was told that it happened");
        assert_eq!(closed(&mut bob).0, 1012);
        drop((server, store));
        let store = SqliteStore::open(&folder.path().join("matches.db")).unwrap();
        assert_eq!(store.load(id.parse().unwrap()).unwrap().entries, before);
    }
}

#[test]
fn a_request_that_is_half_sent_does_not_keep_a_server_from_stopping() {
    let folder = tempfile::tempdir().unwrap();
    let (mut server, _store) = start(folder.path());
    let mut half = TcpStream::connect(&server.address).unwrap();
    half.write_all(b"POST /api/matches HTTP/1.1\r\nHost: here\r\nContent-Length: 1000\r\n\r\n{")
        .unwrap();
    assert_eq!(server.get("/health").0, 200);
    server.stop().unwrap();
}
