//! What a server takes from clients that mean no good. The matches are of tic-tac-toe.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;

use boardwright_network::{CreateMatch, Limits};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::stream::MaybeTlsStream;
use tokio_tungstenite::tungstenite::{Error, Message, WebSocket, connect};

use super::{LONG, TestServer, named, tic_tac_toe};

/// A web socket of which every frame is known.
pub(super) type Socket = WebSocket<MaybeTlsStream<TcpStream>>;

fn stream(socket: &mut Socket) -> &mut TcpStream {
    match socket.get_mut() {
        MaybeTlsStream::Plain(stream) => stream,
        _ => panic!("no TLS was asked for"),
    }
}

pub(super) fn open(server: &TestServer, id: &str) -> Result<Socket, Error> {
    let (mut socket, _) = connect(format!("ws://{}/api/matches/{id}/socket", server.address))?;
    stream(&mut socket).set_read_timeout(Some(LONG)).unwrap();
    Ok(socket)
}

pub(super) fn say(socket: &mut Socket, message: &Value) {
    socket.send(Message::text(message.to_string())).unwrap();
}

/// The next message of the match, but for who comes and goes.
pub(super) fn hear(socket: &mut Socket) -> Value {
    loop {
        match socket.read().unwrap() {
            Message::Text(text) => {
                let message: Value = serde_json::from_str(&text).unwrap();
                if message["notice"] != "players" {
                    return message;
                }
            }
            Message::Close(frame) => panic!("closed: {frame:?}"),
            _ => {}
        }
    }
}

/// The number and the text with which the server closes the connection.
pub(super) fn closed(socket: &mut Socket) -> (u16, String) {
    loop {
        if let Message::Close(frame) = socket.read().unwrap() {
            let CloseFrame { code, reason } = frame.unwrap();
            return (code.into(), reason.as_str().to_owned());
        }
    }
}

/// A match that is played, by computers.
fn of_computers(server: &TestServer) -> String {
    let player = |seat: &str| (seat.to_owned(), "random".to_owned());
    let wanted = CreateMatch {
        players: [player("crosses"), player("noughts")].into(),
        ..tic_tac_toe()
    };
    server.lobby().create(&wanted).unwrap().0.id
}

fn with(folder: &Path, limits: Limits) -> (TestServer, String) {
    let server = TestServer::with(folder, limits);
    let id = of_computers(&server);
    (server, id)
}

#[test]
fn a_message_is_not_made_room_for_before_it_comes() {
    let folder = tempfile::tempdir().unwrap();
    let (server, id) = with(folder.path(), Limits::default());
    let mut socket = open(&server, &id).unwrap();
    say(&mut socket, &json!({"protocol": 1}));
    // The head of a frame of text of 16 MiB, masked, and no more.
    let mut head = vec![0x81, 0x80 | 127];
    head.extend((16_u64 << 20).to_be_bytes());
    head.extend([0; 4]);
    stream(&mut socket).write_all(&head).unwrap();
    assert_eq!(closed(&mut socket), (1009, "a message has at most 65536 bytes".to_owned()));
}

#[test]
fn what_is_sent_before_a_match_begins_is_bounded_in_number_and_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let id = server.lobby().create(&tic_tac_toe()).unwrap().0.id;
    let long = json!({"id": 1, "do": "say", "text": "x".repeat(40_000)});
    for (message, most) in [(json!({"id": 1, "do": "legal"}), Limits::default().open_requests), (long, 1)] {
        let mut socket = open(&server, &id).unwrap();
        say(&mut socket, &json!({"protocol": 1}));
        assert_eq!(hear(&mut socket)["notice"], "waiting");
        for _ in 0..=most {
            say(&mut socket, &message);
        }
        let told = closed(&mut socket);
        assert_eq!(told, (1008, "more requests wait for the match to begin than may".to_owned()));
    }
}

#[test]
fn no_more_clients_come_than_have_room_and_one_that_leaves_makes_room() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits {
        clients: 2,
        ..Limits::default()
    };
    let (server, id) = with(folder.path(), limits);
    let mut first = open(&server, &id).unwrap();
    let _second = open(&server, &id).unwrap();
    let Err(Error::Http(answer)) = open(&server, &id) else {
        panic!("a third has come")
    };
    assert_eq!(answer.status(), 503);
    assert!(String::from_utf8_lossy(answer.body().as_ref().unwrap()).contains("no room for another client"));
    assert!(server.get("/metrics").1.contains("boardwright_clients 2\n"));
    first.close(None).unwrap();
    while first.read().is_ok() {}
    let begun = std::time::Instant::now();
    while open(&server, &id).is_err() {
        assert!(begun.elapsed() < LONG, "nobody makes room");
    }
}

#[test]
fn questions_are_answered_one_after_the_other_and_all_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let (server, id) = with(folder.path(), Limits::default());
    let mut socket = open(&server, &id).unwrap();
    say(&mut socket, &json!({"protocol": 1}));
    for id in 1..=300 {
        let command = if id % 3 == 0 { "statistics" } else { "describe" };
        say(&mut socket, &json!({"id": id, "do": command}));
    }
    say(&mut socket, &json!({"id": 301, "do": "quit"}));
    let mut answered = Vec::new();
    while answered.last() != Some(&301) {
        let message = hear(&mut socket);
        if message.get("reply").is_some() && message["id"] != 0 {
            answered.push(message["id"].as_u64().unwrap());
        }
    }
    assert_eq!(answered, (1..=301).collect::<Vec<_>>());
    assert_eq!(closed(&mut socket).0, 1000);
}

#[test]
fn who_is_silent_is_asked_for_a_sign_of_life_and_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits {
        silence: std::time::Duration::from_millis(200),
        ..Limits::default()
    };
    let (server, playing) = with(folder.path(), limits);
    let waiting = server.lobby().create(&tic_tac_toe()).unwrap().0.id;
    server.lobby().join(&waiting, &named("Ada")).unwrap();
    for id in [playing, waiting] {
        let mut socket = open(&server, &id).unwrap();
        say(&mut socket, &json!({"protocol": 1}));
        // Bytes alone: what is read by the web socket is answered by itself.
        let mut seen = Vec::new();
        stream(&mut socket).read_to_end(&mut seen).unwrap();
        let seen = String::from_utf8_lossy(&seen);
        assert!(seen.ends_with("nothing was heard for too long"), "{seen}");
    }
}

#[test]
fn a_goodbye_is_answered_and_empty_messages_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let id = of_computers(&server);
    let mut socket = open(&server, &id).unwrap();
    say(&mut socket, &json!({"protocol": 1, "tokens": []}));
    for blank in ["", "  \n"] {
        socket.send(Message::text(blank)).unwrap();
    }
    say(&mut socket, &json!({"id": 7, "do": "describe"}));
    loop {
        let heard = hear(&mut socket);
        if heard.get("reply").is_some() {
            assert_eq!((heard["id"].as_u64(), heard["reply"].as_str()), (Some(7), Some("description")));
            break;
        }
    }
    socket
        .close(Some(CloseFrame {
            code: 1000.into(),
            reason: "bye".into(),
        }))
        .unwrap();
    let is_answered = loop {
        match socket.read() {
            // The library says the latter once the other side has answered.
            Ok(Message::Close(_)) | Err(Error::ConnectionClosed) => break true,
            Ok(_) => {}
            Err(_) => break false,
        }
    };
    assert!(is_answered);
}
