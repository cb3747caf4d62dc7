//! What clients answer themselves, by the rules that the server has sent.

use std::fs;
use std::path::Path;
use std::time::Instant;

use boardwright_client::Connection;
use boardwright_content::{MOST_UNPACKED, pack_sources, unpack_sources};
use boardwright_network::{CreateMatch, KeptRules, RemoteLobby};
use boardwright_protocol::{Command, Reply, Request};
use serde_json::{Value, json};

use super::sockets::{Socket, hear, open, say};
use super::{LONG, TestServer, connect, named};

/// How many requests have come to the server.
fn requests(server: &TestServer) -> u64 {
    let (_, text) = server.get("/metrics");
    let line = text.lines().find_map(|line| line.strip_prefix("boardwright_requests_total "));
    line.unwrap().parse().unwrap()
}

fn ask(socket: &mut Socket, message: &Value) -> Value {
    say(socket, message);
    loop {
        let heard = hear(socket);
        if heard.get("id") == message.get("id") {
            return heard;
        }
    }
}

/// A match whose seats are all taken by one client; gives its id and the tokens of the seats.
fn taken(server: &TestServer, wanted: &CreateMatch) -> (String, Vec<String>) {
    let lobby = server.lobby();
    let created = lobby.create(wanted).unwrap().0;
    let join = |index: usize| lobby.join(&created.id, &named(&format!("Player {index}"))).unwrap().1;
    let free = created
        .seats
        .iter()
        .filter(|seat| seat.player == boardwright_network::SeatState::Free);
    let tokens = free.enumerate().map(|(index, _)| join(index)).collect();
    (created.id, tokens)
}

fn greeted(server: &TestServer, id: &str, tokens: &[String]) -> Socket {
    let mut socket = open(server, id).unwrap();
    say(&mut socket, &json!({"protocol": 1, "tokens": tokens}));
    ask(&mut socket, &json!({"id": 1, "do": "hello", "protocol": 1}));
    socket
}

/// Waits until the client no longer asks the server.
fn waits_for_rules(server: &TestServer, client: &mut Connection, seat: usize) {
    let begun = Instant::now();
    loop {
        let before = requests(server);
        client
            .ask(Command::Looks {
                seat: Some(boardwright_model::SeatId(u8::try_from(seat).unwrap())),
            })
            .unwrap();
        if requests(server) == before {
            return;
        }
        assert!(begun.elapsed() < LONG, "the client goes on to ask the server");
    }
}

/// The questions about a position that a seat which is to act may have, from the answer to the first of them.
fn questions(seat: u64, legal: &Value) -> Vec<Value> {
    let mut questions = vec![json!({"do": "legal", "seat": seat}), json!({"do": "looks", "seat": seat})];
    let actions = legal["actions"].as_array().unwrap();
    for one in actions.iter().step_by(actions.len() / 4 + 1) {
        let picks = one["picks"].as_array().cloned().unwrap_or_default();
        questions.push(json!({"do": "preview", "seat": seat, "action": one["action"], "picks": picks}));
        for count in 0..=picks.len() {
            questions.push(json!({"do": "domain", "seat": seat, "action": one["action"], "picks": picks[..count]}));
        }
    }
    // Nonsense is answered as well.
    questions.push(json!({"do": "domain", "seat": seat, "action": 200, "picks": []}));
    questions
}

/// Plays on, and at each stop compares what the server answers with what the client answers itself.
fn answers_as_the_server(wanted: &CreateMatch, stops: usize, actions: usize) {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let (id, tokens) = taken(&server, wanted);
    let lobby = server.lobby().keeping_rules(Some(KeptRules::of(folder.path().join("rules"))));
    let tokens_of: Vec<&str> = tokens.iter().map(String::as_str).collect();
    let mut luck = 7_usize;
    for stop in 0..stops {
        let mut socket = greeted(&server, &id, &tokens);
        let mut asked = Vec::new();
        for step in 0..=actions {
            let seat = (0..tokens.len() as u64).find(|seat| {
                let legal = ask(&mut socket, &json!({"id": 2, "do": "legal", "seat": seat}));
                legal["actions"].as_array().is_some_and(|actions| !actions.is_empty())
            });
            let Some(seat) = seat else { break };
            let legal = ask(&mut socket, &json!({"id": 2, "do": "legal", "seat": seat}));
            if step == actions {
                asked = questions(seat, &legal);
                break;
            }
            let legal = legal["actions"].as_array().unwrap();
            luck = luck.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let text = &legal[(luck >> 33) % legal.len()]["text"];
            let played = ask(&mut socket, &json!({"id": 3, "do": "play", "seat": seat, "text": text}));
            assert_eq!(played["reply"], "done", "{played}");
        }
        assert!(!asked.is_empty(), "the match ended before stop {stop}");
        let told: Vec<Value> = asked
            .iter()
            .map(|question| {
                let mut message = question.clone();
                message["id"] = json!(4);
                let mut told = ask(&mut socket, &message);
                told.as_object_mut().unwrap().remove("id");
                told
            })
            .collect();
        drop(socket);

        let mut client = connect(&lobby, &id, &tokens_of);
        waits_for_rules(&server, &mut client, 0);
        let before = requests(&server);
        for (question, told) in asked.iter().zip(told) {
            let mut message = question.clone();
            message["id"] = json!(0);
            let request: Request = serde_json::from_value(message).unwrap();
            let reply = client.ask(request.command).unwrap();
            assert_eq!(serde_json::to_value(&reply).unwrap(), told, "stop {stop}: {question}");
        }
        // Only what makes no sense was for the server to say.
        assert!(requests(&server) - before <= 1);
    }
}

#[test]
fn a_client_answers_as_the_server_does_on_hexes() {
    let wanted = CreateMatch {
        ruleset: "river-crossing".to_owned(),
        players: ["red", "blue"].map(|seat| (seat.to_owned(), "human".to_owned())).into(),
        ..CreateMatch::default()
    };
    answers_as_the_server(&wanted, 4, 6);
}

/// The rules ask how often a position has stood: who was not there does not know.
#[test]
fn who_has_not_seen_the_past_that_rules_ask_for_leaves_the_answers_to_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let wanted = CreateMatch {
        ruleset: "sixteen-soldiers".to_owned(),
        ..CreateMatch::default()
    };
    let (id, tokens) = taken(&server, &wanted);
    let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
    let lobby = server.lobby();
    let mut client = connect(&lobby, &id, &tokens);
    waits_for_rules(&server, &mut client, 0);
    for text in ["a4-a5", "e6-e5", "a5-a4", "e5-e6"] {
        super::plays(&mut client, text);
    }
    waits_for_rules(&server, &mut client, 0);
    drop(client);
    let mut client = connect(&lobby, &id, &tokens);
    for _ in 0..20 {
        let before = requests(&server);
        client.ask(Command::Looks { seat: None }).unwrap();
        assert_eq!(requests(&server), before + 1);
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

/// Cards and missions are hidden.
#[test]
fn a_client_answers_as_the_server_does_where_something_is_hidden() {
    let wanted = CreateMatch {
        ruleset: "conquest".to_owned(),
        scenario: Some("standard".to_owned()),
        players: ["blue", "green"].map(|seat| (seat.to_owned(), "human".to_owned())).into(),
        ..CreateMatch::default()
    };
    answers_as_the_server(&wanted, 4, 25);
}

#[test]
fn a_client_answers_as_the_server_does_with_shaped_pieces() {
    let wanted = CreateMatch {
        ruleset: "cornered".to_owned(),
        scenario: Some("duo".to_owned()),
        ..CreateMatch::default()
    };
    answers_as_the_server(&wanted, 3, 5);
}

/// The only file in a folder.
fn only_file(folder: &Path) -> std::path::PathBuf {
    let files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files[0].clone()
}

#[test]
fn rules_that_a_player_has_changed_count_neither_here_nor_there() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let wanted = CreateMatch {
        ruleset: "tic-tac-toe".to_owned(),
        ..CreateMatch::default()
    };
    let (id, tokens) = taken(&server, &wanted);
    let kept = folder.path().join("rules");
    let lobby: RemoteLobby = server.lobby().keeping_rules(Some(KeptRules::of(&kept)));
    let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
    let legal = |client: &mut Connection| match client
        .ask(Command::Legal {
            seat: Some(boardwright_model::SeatId(0)),
        })
        .unwrap()
    {
        Reply::Legal { actions, .. } => actions.len(),
        other => panic!("{other:?}"),
    };
    let mut client = connect(&lobby, &id, &tokens);
    waits_for_rules(&server, &mut client, 0);
    assert_eq!(legal(&mut client), 9);
    drop(client);

    let file = only_file(&kept);
    let mut sources = unpack_sources(&fs::read(&file).unwrap(), &mut { MOST_UNPACKED }).unwrap();
    let rules = sources.layers[0]
        .files
        .iter_mut()
        .find(|(name, _)| name.ends_with("rules.rhai"))
        .unwrap();
    assert!(rules.1.contains("fn pattern_mark"), "{}", rules.1);
    let changed = rules.1.replace("drop(\"mark\")", "drop(\"mark\").on(view.cells)");
    assert_ne!(**rules.1, *changed);
    *rules.1 = changed.into();
    fs::write(&file, pack_sources(&sources).unwrap()).unwrap();

    let mut client = connect(&lobby, &id, &tokens);
    waits_for_rules(&server, &mut client, 0);
    super::plays(&mut client, "mark a1");
    assert_eq!(
        match client
            .ask(Command::Legal {
                seat: Some(boardwright_model::SeatId(1))
            })
            .unwrap()
        {
            Reply::Legal { actions, .. } => actions.len(),
            other => panic!("{other:?}"),
        },
        8
    );
    let refused = super::play(&mut client, "mark a1");
    assert!(matches!(refused, Reply::Refused(_)), "{refused:?}");
    // The right ones are kept again.
    let sources = unpack_sources(&fs::read(only_file(&kept)).unwrap(), &mut { MOST_UNPACKED }).unwrap();
    assert!(
        sources.layers[0]
            .files
            .iter()
            .any(|(_, text)| text.contains("[drop(\"mark\").rule"))
    );
}
