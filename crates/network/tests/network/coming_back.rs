//! Connections that are cut, and players that come back. The matches are of tic-tac-toe.

use boardwright_client::Connection;
use boardwright_network::{CreateMatch, Limits, RemoteError, RemoteLobby};
use boardwright_protocol::Command;
use serde_json::json;

use super::sockets::{closed, hear, open, say};
use super::{LONG, TestServer, connect, named, play, plays, reaches, tic_tac_toe};

/// Why a connection has ended, as its player reads it.
fn end(connection: &mut Connection) -> String {
    loop {
        match connection.poll(Some(LONG)) {
            Ok(message) => assert!(message.is_some(), "the connection does not end"),
            Err(why) => return why.to_string(),
        }
    }
}

/// The old connection is one of which the server has not noticed yet that nobody is there any more.
#[test]
fn who_comes_back_has_the_seat_though_the_old_connection_is_still_there() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let lobby = server.lobby();
    let id = lobby.create(&tic_tac_toe()).unwrap().0.id;
    let tokens = ["Ada", "Bob"].map(|name| lobby.join(&id, &named(name)).unwrap().1);
    let mut silent = open(&server, &id).unwrap();
    say(&mut silent, &json!({"protocol": 1, "tokens": [tokens[0]]}));
    say(&mut silent, &json!({"id": 1, "do": "hello", "protocol": 1}));
    assert_eq!(hear(&mut silent)["seats"], json!([0]));
    let mut bob = connect(&lobby, &id, &[&tokens[1]]);
    let mut ada = connect(&lobby, &id, &[&tokens[0]]);
    let begun = ada.mirror().at();
    plays(&mut ada, "mark a1");
    reaches(&mut bob, begun + 1);
    assert_eq!(
        closed(&mut silent),
        (1008, "your seat was left, or taken over from another connection".to_owned())
    );
    // The one that is gone takes nothing with it.
    plays(&mut bob, "mark b1");
    plays(&mut ada, "mark a2");

    let _again = connect(&lobby, &id, &[&tokens[0]]);
    let told = end(&mut ada);
    assert_eq!(
        told,
        "the server has ended the connection: your seat was left, or taken over from another connection"
    );
}

#[test]
fn who_joins_while_much_happens_misses_nothing_and_is_heard() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let wanted = CreateMatch {
        ruleset: "sixteen-soldiers".to_owned(),
        players: ["red", "blue"].map(|seat| (seat.to_owned(), "random".to_owned())).into(),
        ..CreateMatch::default()
    };
    let lobby = server.lobby();
    let seats = lobby
        .create(&CreateMatch {
            players: [].into(),
            ..wanted.clone()
        })
        .unwrap()
        .0
        .seats;
    let players = seats.into_iter().map(|seat| (seat.name, "random".to_owned())).collect();
    let wanted = CreateMatch { players, ..wanted };
    for _ in 0..20 {
        let id = lobby.create(&wanted).unwrap().0.id;
        for _ in 0..10 {
            let mut socket = open(&server, &id).unwrap();
            say(&mut socket, &json!({"protocol": 1}));
            for request in 1..=3 {
                say(&mut socket, &json!({"id": request, "do": "legal"}));
            }
            let mut answers = Vec::new();
            while answers.len() < 3 {
                let message = hear(&mut socket);
                answers.extend(message.get("reply").map(|_| message["id"].as_u64().unwrap()));
            }
            // The greeting of the server itself is answered to nobody.
            assert_eq!(answers, [1, 2, 3]);
        }
    }
}

#[test]
fn players_read_why_a_connection_has_ended() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits {
        clients: 1,
        ..Limits::default()
    };
    let server = TestServer::with(folder.path(), limits);
    let lobby = server.lobby();
    let id = lobby.create(&tic_tac_toe()).unwrap().0.id;
    let tokens = ["Ada", "Bob"].map(|name| lobby.join(&id, &named(name)).unwrap().1);
    let mut both = connect(&lobby, &id, &[&tokens[0], &tokens[1]]);
    let Err(RemoteError::Refused(why)) = lobby.connect(&id, &[], None, None, |_| {}) else {
        panic!("a second client has come")
    };
    assert_eq!(why, "this server has no room for another client: come back later");
    assert!(
        lobby
            .connect("000000000000", &[], None, None, |_| {})
            .unwrap_err()
            .to_string()
            .contains("there is no such match")
    );
    let address = server.address.clone();
    drop(server);
    let told = end(&mut both);
    assert_eq!(
        told,
        "the server has ended the connection: the server is about to stop; the match is kept"
    );
    let sent = both.send(Command::Undo).unwrap_err().to_string();
    assert_eq!(sent, told);
    let gone = RemoteLobby::new(&address).connect(&id, &[], None, None, |_| {}).unwrap_err();
    assert!(matches!(gone, RemoteError::Unreachable(_)), "{gone}");
}

#[test]
fn a_match_that_ends_with_its_last_client_is_opened_again_for_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let lobby = server.lobby();
    let id = lobby.create(&tic_tac_toe()).unwrap().0.id;
    let tokens = ["Ada", "Bob"].map(|name| lobby.join(&id, &named(name)).unwrap().1);
    for (index, cell) in ["a1", "b1", "a2", "b2", "c3"].into_iter().enumerate() {
        let mut player = connect(&lobby, &id, &[&tokens[index % 2]]);
        plays(&mut player, &format!("mark {cell}"));
        play(&mut player, "mark a1");
    }
}
