//! Everything that a server sends to a seat, byte for byte, in random matches of a game of cards: each secret says in itself who may know it.

use std::fs;
use std::path::Path;

use boardwright_network::CreateMatch;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use super::sockets::{Socket, open, say};
use super::{TestServer, named};

/// How many matches are played in a run of the tests; `BOARDWRIGHT_TRAFFIC_MATCHES` says otherwise.
const MATCHES: u64 = 6;

/// A secret is 90000000, a million for who may know it (1 red, 2 blue, 3 nobody), and a number of its own from 500 on.
const RULES: &str = r#"
fn ruleset() {
    #{
        seats: [#{ name: "red" }, #{ name: "blue" }],
        kinds: [#{ name: "card" }, #{ name: "spy" }],
        zones: [#{ name: "hand", each: "seat", seen_by: "owner" }, #{ name: "deck", seen_by: "no one" }, #{ name: "heap" }],
        properties: [
            #{ of: "piece", name: "code", integer: 0 },
            #{ of: "piece", name: "plan", integer: 0, secret: true },
            #{ of: "match", name: "codes", integer: 93000000, secret: true },
        ],
        actions: [
            #{ name: "draw_card", ends_turn: true },
            #{ name: "hand_over", ends_turn: true, picks: [#{ name: "card", pick: "piece" }] },
            #{ name: "lay_down", ends_turn: true, picks: [#{ name: "card", pick: "piece" }] },
            #{ name: "plot", ends_turn: true, picks: [#{ name: "card", pick: "piece" }] },
            #{ name: "shuffle_deck", ends_turn: true },
            #{ name: "end_it", ends_turn: true },
        ],
    }
}

fn secret(turn, knower) {
    turn.codes += 1;
    turn.codes - 93000000 + knower
}

fn of_seat(seat) { if seat.name == "red" { 91000000 } else { 92000000 } }

fn start(turn) {
    turn.codes += 500;
    for number in 0..12 {
        let card = turn.create_in("deck", "card");
        card.code = secret(turn, 93000000);
    }
}

fn may_draw_card(view) { view.zone_count("deck") > 0 }
fn do_draw_card(turn, picked) {
    let card = turn.zone("deck")[0];
    card.code = 0;
    turn.move_to_zone(card, "hand", turn.seat);
    turn.give(card, turn.seat);
    card.code = secret(turn, of_seat(turn.seat));
    turn.note(turn.seat, `you have drawn ${card.code}`);
}

fn hand_over_card(view) { view.zone("hand", view.seat) }
fn do_hand_over(turn, picked) {
    let other = turn.seat.next;
    picked.card.code = 0;
    picked.card.plan = 0;
    turn.move_to_zone(picked.card, "hand", other);
    turn.give(picked.card, other);
    picked.card.code = secret(turn, of_seat(other));
}

fn lay_down_card(view) { view.zone("hand", view.seat) }
fn do_lay_down(turn, picked) {
    picked.card.code = 0;
    turn.move_to_zone(picked.card, "heap");
}

fn plot_card(view) { view.zone("hand", view.seat) }
fn do_plot(turn, picked) { picked.card.plan = secret(turn, of_seat(turn.seat)); }

fn do_shuffle_deck(turn, picked) { turn.shuffle("deck", "the deck"); }

fn may_end_it(view) { view.turn_number > 40 }
fn do_end_it(turn, picked) { turn.end_match(win(turn.seat, "1", "enough")); }
"#;

fn content(folder: &Path) {
    let files = [
        (
            "rulesets/secrets/ruleset.xml",
            r#"<?xml version="1.0" encoding="UTF-8"?>
<ruleset format="1" id="secrets" title="Secrets" version="0.1.0" licence="MIT" seats="2" minutes="2" engine_min="0.1"><description>Cards.</description></ruleset>
"#,
        ),
        ("rulesets/secrets/rules.rhai", RULES),
        (
            "maps/secrets/board.map.xml",
            r#"<?xml version="1.0" encoding="UTF-8"?>
<map format="1" id="board" title="A table"><square width="2" height="2" diagonals="no"/></map>
"#,
        ),
        (
            "maps/secrets/standard.scenario.xml",
            r#"<?xml version="1.0" encoding="UTF-8"?>
<scenario format="1" id="standard" title="Secrets" ruleset="secrets" map="board">
  <player seat="red" plays="human"/>
  <player seat="blue" plays="human"/>
</scenario>
"#,
        ),
    ];
    for (file, text) in files {
        let file = folder.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
}

/// A client, and all that it was sent.
struct Tapped {
    socket: Socket,
    text: String,
    number: u64,
}

impl Tapped {
    fn come(server: &TestServer, id: &str, tokens: &[&String]) -> Self {
        let mut socket = open(server, id).unwrap();
        say(&mut socket, &json!({"protocol": 1, "tokens": tokens}));
        Self {
            socket,
            text: String::new(),
            number: 0,
        }
    }

    fn ask(&mut self, mut request: Value) -> Value {
        self.number += 1;
        request["id"] = json!(self.number);
        say(&mut self.socket, &request);
        loop {
            if let Message::Text(text) = self.socket.read().unwrap() {
                self.text.push_str(&text);
                self.text.push('\n');
                let message: Value = serde_json::from_str(&text).unwrap();
                if message["id"] == self.number && message.get("reply").is_some() {
                    return message;
                }
            }
        }
    }

    /// Asks everything of which the answer might tell something.
    fn ask_all(&mut self) {
        for request in [
            "describe",
            "problems",
            "chat_log",
            "statistics",
            "view",
            "looks",
            "legal",
            "history",
        ] {
            for seat in [json!(null), json!(0), json!(1)] {
                self.ask(json!({"do": request, "seat": seat, "from": 0}));
            }
        }
        for seat in 0..2 {
            for action in 0..6 {
                for picks in [json!([]), json!([{"piece": 3}])] {
                    self.ask(json!({"do": "domain", "seat": seat, "action": action, "picks": picks}));
                    self.ask(json!({"do": "preview", "seat": seat, "action": action, "picks": picks}));
                }
            }
        }
    }

    /// The first secret of somebody else that it was sent, with what stands around it.
    fn leak(&self, own: Option<char>) -> Option<String> {
        let numbers = self.text.split(|letter: char| !letter.is_ascii_digit());
        let secret = numbers
            .filter(|number| is_secret(number))
            .find(|number| number.chars().nth(1) != own)?;
        let line = self.text.lines().find(|line| line.contains(secret))?;
        Some(format!("{secret} in {line}"))
    }
}

/// Whether a number is a secret of somebody. Those below 500 are none: a preview counts from what is declared, on the view of its seat.
fn is_secret(number: &str) -> bool {
    let [b'9', b'1'..=b'3', b'0', b'0', b'0', rest @ ..] = number.as_bytes() else {
        return false;
    };
    rest.len() == 3 && rest >= b"500".as_slice()
}

#[test]
fn no_secret_is_in_anything_that_is_sent_to_who_may_not_know_it() {
    let folder = tempfile::tempdir().unwrap();
    content(folder.path());
    let server = TestServer::playing(folder.path(), &[folder.path().to_owned()]);
    let matches = std::env::var("BOARDWRIGHT_TRAFFIC_MATCHES").map_or(MATCHES, |matches| matches.parse().unwrap());
    let mut own_seen = 0;
    for number in 0..matches {
        let wanted = CreateMatch {
            ruleset: "secrets".to_owned(),
            private: true,
            ..CreateMatch::default()
        };
        let id = server.lobby().create(&wanted).unwrap().0.id;
        let tokens = ["Ada", "Bob"].map(|name| server.lobby().join(&id, &named(name)).unwrap().1);
        let mut clients = [
            Tapped::come(&server, &id, &[&tokens[0]]),
            Tapped::come(&server, &id, &[&tokens[1]]),
            Tapped::come(&server, &id, &[]),
        ];
        clients.iter_mut().for_each(Tapped::ask_all);
        let mut luck = number * 7_919 + 17;
        for step in 0.. {
            assert!(step < 400, "the match does not end");
            let seat = usize::from(step % 2 == 1);
            let legal = clients[seat].ask(json!({"do": "legal"}));
            if legal.get("outcome").is_some() {
                break;
            }
            let actions = legal["actions"].as_array().unwrap();
            let Some(count) = std::num::NonZeroU64::new(actions.len() as u64) else {
                continue;
            };
            luck = luck.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let chosen = &actions[((luck >> 33) % count) as usize];
            let picks = chosen.get("picks").cloned().unwrap_or(json!([]));
            let submit = json!({"do": "submit", "seat": seat, "action": chosen["action"], "picks": picks, "at": legal["at"]});
            assert_eq!(clients[seat].ask(submit)["reply"], "done");
            if step % 20 == 7 {
                clients.iter_mut().for_each(Tapped::ask_all);
            }
        }
        clients.iter_mut().for_each(Tapped::ask_all);
        for (client, own) in clients.iter().zip([Some('1'), Some('2'), None]) {
            assert_eq!(client.leak(own), None, "in match {number}, to {own:?}");
            own_seen += usize::from(own.is_some() && client.leak(None).is_some());
        }
    }
    assert!(own_seen > 0, "nobody was sent a secret of their own: nothing was looked for");
}
