//! Sequences of messages that make sense, make none, or nearly do: whatever comes, each is answered or ends its connection, and the match goes on.

use std::fs;
use std::sync::{Arc, mpsc};

use boardwright_client::MatchChoice;
use boardwright_content::Catalog;
use boardwright_local::LocalMatch;
use boardwright_network::{CreateMatch, Limits, Lobby, MatchPolicy};
use boardwright_protocol::{Command, FromHost};
use boardwright_server::{Claim, parse_request};
use boardwright_store::SqliteStore;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use super::sockets::{Socket, open, say};
use super::{LONG, TestServer, connect, named, project};

/// How many messages are sent in a run of the tests; `BOARDWRIGHT_FUZZ_MESSAGES` says otherwise.
const MESSAGES: u64 = 4_000;
/// After how many the answers are read.
const BATCH: u64 = 16;
/// After how many another match is begun.
const MATCH: u64 = 500;

/// Numbers that are the same in every run with a seed: a xorshift generator.
struct Numbers(u64);

impl Numbers {
    /// Other ones for each `BOARDWRIGHT_FUZZ_SEED`, a number.
    fn seeded(seed: u64) -> Self {
        let other: u64 = std::env::var("BOARDWRIGHT_FUZZ_SEED").map_or(0, |seed| seed.parse().unwrap());
        // Never 0, of which a xorshift generator makes nothing else.
        Self((seed ^ other.wrapping_mul(0x9e37_79b9)) | 1)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// The requests of the page of the protocol. Hints are left out: they think for as long as they are told to.
fn requests() -> Vec<String> {
    let page = fs::read_to_string(project().join("docs/protocol.md")).unwrap();
    let lines = page.lines().filter(|line| line.starts_with('{') && line.contains("\"do\""));
    let lines: Vec<String> = lines.filter(|line| !line.contains("\"hint\"")).map(str::to_owned).collect();
    assert!(lines.len() > 30, "{}", lines.len());
    lines
}

/// A text in which something is wrong, or nearly right.
fn mutated(text: &str, other: &str, numbers: &mut Numbers) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=numbers.below(3) {
        let at = numbers.below(bytes.len());
        match numbers.below(6) {
            0 => bytes.truncate(at),
            1 => bytes[at..].fill(b'['),
            2 => bytes.insert(at, *numbers.one(b"\"{}[],:-0e9 ")),
            3 => drop(bytes.drain(at..bytes.len().min(at + 1 + numbers.below(8)))),
            4 => bytes.splice(at.., other.bytes().skip(numbers.below(other.len()))).for_each(drop),
            _ => {
                let digits = *numbers.one(&["-1", "255", "256", "65536", "4294967296", "18446744073709551616", "1e400", "null"]);
                let number = bytes.iter().skip(at).position(u8::is_ascii_digit).map(|found| at + found);
                if let Some(number) = number {
                    bytes.splice(number..=number, digits.bytes()).for_each(drop);
                }
            }
        }
        if bytes.is_empty() {
            break;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A match in which one client holds all seats, and another none.
struct Played<'a> {
    server: &'a TestServer,
    id: String,
    tokens: Vec<String>,
}

impl<'a> Played<'a> {
    fn begin(server: &'a TestServer, ruleset: &str) -> Self {
        let rulesets = server.lobby().rulesets().unwrap();
        let found = rulesets.iter().find(|found| found.id == ruleset).unwrap();
        let seats: Vec<&String> = found.scenarios[0].players.iter().map(|(seat, _)| seat).collect();
        let wanted = CreateMatch {
            ruleset: ruleset.to_owned(),
            scenario: Some(found.scenarios[0].id.clone()),
            players: seats.iter().map(|seat| ((*seat).clone(), "human".to_owned())).collect(),
            policy: MatchPolicy::Casual,
            private: true,
            ..CreateMatch::default()
        };
        let id = server.lobby().create(&wanted).unwrap().0.id;
        let join = |index: usize| server.lobby().join(&id, &named(&format!("Player {index}"))).unwrap().1;
        let tokens = (0..seats.len()).map(join).collect();
        Self { server, id, tokens }
    }

    fn open(&self, plays: bool) -> Socket {
        let mut socket = open(self.server, &self.id).unwrap();
        let tokens = if plays { self.tokens.as_slice() } else { &[] };
        say(&mut socket, &json!({"protocol": 1, "tokens": tokens}));
        // It has its seats before anybody else asks for them.
        drop(socket.send(Message::text(json!({"id": 1, "do": "legal"}).to_string())));
        answer(&mut socket, 1);
        socket
    }
}

/// Reads until the answer with a number; none if the server has closed the connection.
fn answer(socket: &mut Socket, id: u64) -> Option<Value> {
    loop {
        match socket.read() {
            Ok(Message::Text(text)) => {
                assert!(!text.contains("broke down"), "{text}");
                let message: Value = serde_json::from_str(&text).unwrap();
                if message["id"] == id && message.get("reply").is_some() {
                    return Some(message);
                }
            }
            Ok(Message::Close(_)) => return None,
            Ok(_) => {}
            Err(tokio_tungstenite::tungstenite::Error::Io(error)) if error.kind() == std::io::ErrorKind::WouldBlock => panic!("no answer"),
            Err(_) => return None,
        }
    }
}

#[test]
fn whatever_is_sent_is_answered_or_ends_its_connection_and_the_match_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&folder.path().join("matches.db")).unwrap();
    let lobby = Lobby::new(Arc::new(store), Catalog::scan(&[project()]), 2, u64::MAX).unwrap();
    let server = TestServer::hosting(lobby, Limits::default());
    let requests = requests();
    let most = std::env::var("BOARDWRIGHT_FUZZ_MESSAGES").map_or(MESSAGES, |most| most.parse().unwrap());
    let mut numbers = Numbers::seeded(0x9e37_79b9_7f4a_7c15);
    let mut id = 1_000_000;
    let mut closed = 0;
    let mut acted = 0;
    let mut count = 0;
    while count < most {
        let ruleset = ["conquest", "tic-tac-toe", "sixteen-soldiers"][numbers.below(3)];
        let played = Played::begin(&server, ruleset);
        let mut sockets = [played.open(true), played.open(false)];
        for _ in 0..MATCH / BATCH {
            let which = usize::from(numbers.below(4) == 0);
            let socket = &mut sockets[which];
            for _ in 0..BATCH {
                count += 1;
                let request = numbers.one(&requests).clone();
                let text = if numbers.below(2) == 0 {
                    mutated(&request, numbers.one(&requests).clone().as_str(), &mut numbers)
                } else {
                    request
                };
                if socket.send(Message::text(text)).is_err() {
                    break;
                }
            }
            id += 2;
            // Something that is legal, so that the match gets on.
            drop(socket.send(Message::text(json!({"id": id, "do": "legal"}).to_string())));
            let is_open = match answer(socket, id) {
                None => false,
                Some(legal) => match legal["actions"].as_array() {
                    Some(actions) if !actions.is_empty() => {
                        let chosen = numbers.one(actions);
                        let picks = chosen.get("picks").cloned().unwrap_or(json!([]));
                        let submit = json!({"id": id + 1, "do": "submit", "seat": chosen["seat"], "action": chosen["action"], "picks": picks, "at": legal["at"]});
                        drop(socket.send(Message::text(submit.to_string())));
                        let done = answer(socket, id + 1);
                        acted += u64::from(done.as_ref().is_some_and(|done| done["reply"] == "done"));
                        done.is_some()
                    }
                    _ => true,
                },
            };
            if !is_open {
                closed += 1;
                sockets[which] = played.open(which == 0);
            }
        }
        // Who comes afterwards finds the match in order.
        let tokens: Vec<&str> = played.tokens.iter().map(String::as_str).collect();
        let client = connect(&server.lobby(), &played.id, &tokens);
        assert!(client.mirror().at() > 0);
        assert_eq!(server.get("/health").0, 200);
    }
    assert!(
        closed > 0 && acted > most / 1_000,
        "{closed} connections were closed, {acted} actions carried out"
    );
}

/// Who steers a match of this process may ask for much more: edits, reloads, the debugger, any position. What starts programs or names files is left out.
#[test]
fn whatever_the_host_of_a_match_sends_is_answered_once() {
    let requests: Vec<String> = {
        let all = requests().into_iter();
        all.filter(|line| {
            ["\"save\"", "export_scenario", "exec", "\"quit\"", "\"watch\""]
                .iter()
                .all(|word| !line.contains(word))
        })
        .collect()
    };
    let most = std::env::var("BOARDWRIGHT_FUZZ_MESSAGES").map_or(MESSAGES, |most| most.parse().unwrap());
    let mut numbers = Numbers::seeded(0x2545_f491_4f6c_dd1d);
    let mut done = 0;
    let catalog = Catalog::scan(&[project()]);
    for ruleset in ["conquest", "tic-tac-toe", "sixteen-soldiers", "river-crossing"] {
        let folder = tempfile::tempdir().unwrap();
        let choice = MatchChoice {
            ruleset: ruleset.to_owned(),
            saves: Some(folder.path().to_owned()),
            seed: Some(7.into()),
            is_paused: true,
            ..MatchChoice::default()
        };
        let playing = LocalMatch::begin(&catalog, &choice).unwrap();
        let (out, received) = mpsc::channel();
        let answers = move |message| match message {
            FromHost::Answer(answer) => out.send(answer).is_ok(),
            FromHost::Notice(_) => true,
        };
        let joined = playing.session().join(Claim::AllPeople, true, Box::new(answers));
        let mut asked = 0;
        for number in 0..most / 4 {
            let request = numbers.one(&requests).clone();
            let text = if numbers.below(3) == 0 {
                mutated(&request, &numbers.one(&requests).clone(), &mut numbers)
            } else {
                request
            };
            // What is no request is answered where it is read.
            let Ok(mut request) = parse_request(text.as_bytes()) else {
                continue;
            };
            if matches!(
                request.command,
                Command::Quit | Command::Reload | Command::Save { .. } | Command::Hint { .. } | Command::Watch { .. }
            ) {
                continue;
            }
            request.id = number;
            assert!(joined.request(request.clone()), "{ruleset}: the match ended before {text}");
            asked += 1;
            let answer = received
                .recv_timeout(LONG)
                .unwrap_or_else(|_| panic!("{ruleset}: no answer to {text}"));
            assert_eq!(answer.id, number, "{ruleset}: {text}");
            let said = serde_json::to_string(&answer).unwrap();
            assert!(!said.contains("broke down"), "{ruleset}: {text}: {said}");
            done += u64::from(matches!(answer.reply, boardwright_protocol::Reply::Done { .. }));
        }
        assert!(asked > most / 8, "{ruleset}: {asked}");
        assert!(received.try_recv().is_err(), "{ruleset}: something was answered twice");
    }
    assert!(done > most / 20, "only {done} requests were carried out");
}
