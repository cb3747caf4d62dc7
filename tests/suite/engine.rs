//! `boardwright engine`: the protocol over standard input and output.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use crate::command_line::data_home;
use boardwright::client::{Connection, LineLink};
use boardwright::protocol::{Command as Ask, PROTOCOL, Reply};
use serde_json::{Value, json};

struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boardwright"));
    command
        .arg("engine")
        .args(arguments)
        .current_dir(PathBuf::from(env!("CARGO_MANIFEST_DIR")))
        .env("XDG_DATA_HOME", data_home())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

impl Engine {
    fn start(arguments: &[&str]) -> Self {
        let mut child = command(arguments).spawn().unwrap();
        Self {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    fn write(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_bytes()).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    fn read(&mut self) -> Value {
        let mut line = String::new();
        assert!(self.output.read_line(&mut line).unwrap() > 0, "the engine is gone");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Reads up to the answer to a request.
    fn answer(&mut self, id: u64) -> Value {
        loop {
            let value = self.read();
            if value.get("reply").is_some() && value["id"] == id {
                return value;
            }
        }
    }

    fn ask(&mut self, mut request: Value, id: u64) -> Value {
        request["id"] = id.into();
        self.write(&request.to_string());
        self.answer(id)
    }

    /// Reads up to a notice.
    fn notice(&mut self, name: &str) -> Value {
        loop {
            let value = self.read();
            if value.get("notice").is_some_and(|notice| notice == name) {
                return value;
            }
        }
    }

    /// Ends its input, and gives the rest of its output with its exit code.
    fn end(mut self) -> (Vec<Value>, Option<i32>) {
        drop(self.input.take());
        let lines: Vec<Value> = self
            .output
            .by_ref()
            .lines()
            .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
            .collect();
        (lines, self.child.wait().unwrap().code())
    }

    /// The memory it holds, in kilobytes.
    #[cfg(target_os = "linux")]
    fn resident(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }
}

#[test]
fn a_match_is_played_with_lines_of_json() {
    let mut engine = Engine::start(&["tic-tac-toe"]);
    let welcome = engine.ask(json!({"do": "hello", "protocol": PROTOCOL}), 1);
    assert_eq!((&welcome["reply"], &welcome["seats"]), (&json!("welcome"), &json!([0, 1])));
    let mut id = 2;
    for cell in ["a1", "b1", "a2", "b2", "a3"] {
        let done = engine.ask(json!({"do": "play", "text": cell}), id);
        assert_eq!(done["reply"], "done", "{done}");
        id += 1;
    }
    let view = engine.ask(json!({"do": "view"}), id);
    assert_eq!(view["state"]["outcome"]["places"], json!([1, 2]));
    let over = engine.ask(json!({"do": "play", "text": "c3"}), id + 1);
    assert_eq!((&over["reply"], &over["code"]), (&json!("refused"), &json!("match-over")));
    assert_eq!(engine.end().1, Some(0));
}

#[test]
fn whatever_a_line_holds_it_is_answered_and_the_next_one_read() {
    let mut engine = Engine::start(&["tic-tac-toe"]);
    let long = format!("{{\"id\": 7, \"do\": \"play\", \"text\": \"{}\"}}", "x".repeat(1 << 21));
    for (line, id) in [
        ("nonsense", 0),
        ("{", 0),
        ("[]", 0),
        ("null", 0),
        ("{\"do\": \"hello\"}", 0),
        ("{\"id\": -3, \"do\": \"describe\"}", 0),
        ("{\"id\": 12}", 12),
        ("{\"id\": 13, \"do\": \"dance\"}", 13),
        ("{\"id\": 14, \"do\": \"submit\", \"at\": 1}", 14),
        ("{\"id\": 15, \"do\": \"domain\", \"seat\": \"red\", \"action\": 0}", 15),
        ("{\"id\": 16, \"do\": \"view\", \"seat\": 4711}", 16),
        (long.as_str(), 0),
        ("\u{0}\u{1}", 0),
    ] {
        engine.write(line);
        let answer = engine.answer(id);
        assert_eq!(answer["reply"], "error", "{line:.60}: {answer}");
        assert!(!answer["message"].as_str().unwrap().is_empty());
    }
    engine.write("");
    assert_eq!(engine.ask(json!({"do": "play", "text": "b2"}), 20)["reply"], "done");
    for (request, code) in [
        (json!({"do": "view", "seat": 9}), "not-your-seat"),
        (json!({"do": "submit", "seat": 9, "action": 0, "at": 2}), "not-your-seat"),
        (json!({"do": "submit", "seat": 1, "action": 9, "at": 2}), "unknown-action"),
        (
            json!({"do": "submit", "seat": 0, "action": 0, "picks": [{"cell": 0}], "at": 2}),
            "not-your-turn",
        ),
        (
            json!({"do": "submit", "seat": 1, "action": 0, "picks": [{"cell": 999}], "at": 2}),
            "not-offered",
        ),
        (json!({"do": "submit", "seat": 1, "action": 0, "at": 2}), "unfinished"),
        (
            json!({"do": "submit", "seat": 1, "action": 0, "picks": [{"cell": 0}], "at": 1}),
            "stale",
        ),
    ] {
        let answer = engine.ask(request.clone(), 21);
        assert_eq!(
            (&answer["reply"], &answer["code"]),
            (&json!("refused"), &json!(code)),
            "{request}: {answer}"
        );
    }
    assert_eq!(engine.end().1, Some(0));
}

#[test]
fn everything_asked_before_the_end_of_input_is_answered() {
    let mut engine = Engine::start(&["tic-tac-toe"]);
    for id in 1..=500 {
        engine.write(&json!({"id": id, "do": "legal"}).to_string());
        // The other end is read now and then, so that no pipe fills up.
        if id % 100 == 0 {
            engine.answer(id - 50);
        }
    }
    let (lines, code) = engine.end();
    assert_eq!(lines.last().unwrap()["id"], 500);
    assert_eq!(code, Some(0));
}

#[test]
fn quit_is_answered_and_ends_the_program() {
    let mut engine = Engine::start(&["tic-tac-toe", "--seat", "noughts=random"]);
    assert_eq!(engine.ask(json!({"do": "quit"}), 1)["reply"], "done");
    assert_eq!(engine.child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_client_in_rust_follows_over_the_pipe() {
    let mut child = command(&["sixteen-soldiers", "--seat", "blue=random", "--seed", "4"])
        .spawn()
        .unwrap();
    let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let link = LineLink::new(BufReader::new(output), input, None).unwrap();
    let mut client = Connection::open(Box::new(link)).unwrap();
    client.settle().unwrap();
    for _ in 0..12 {
        let Reply::Legal { actions, at, .. } = client.ask(Ask::Legal { seat: None }).unwrap() else {
            panic!("no legal actions")
        };
        let action = actions[actions.len() / 2].action.clone();
        let reply = client.ask(Ask::Submit { action, at }).unwrap();
        assert!(matches!(reply, Reply::Done { .. }), "{reply:?}");
        while !client
            .mirror()
            .main_view()
            .unwrap()
            .acting()
            .iter()
            .any(|seat| client.mirror().seats().contains(seat))
        {
            assert!(client.poll(Some(Duration::from_secs(20))).unwrap().is_some());
        }
    }
    assert_eq!((client.mirror().resyncs(), client.mirror().history().len()), (0, 25));
    let looks = client.ask(Ask::Looks { seat: None }).unwrap();
    assert!(matches!(looks, Reply::Looks(looks) if looks.pieces.len() > 20));
    drop(client);
    assert!(child.wait().unwrap().success());
}

/// 10,000 actions: a soldier steps to and fro on either side. The option keeps the match from ending by repetition as far as it
/// can; every so often everything is taken back and dropped, so that the journal stays short and only leaks can grow.
#[cfg(target_os = "linux")]
#[test]
fn ten_thousand_actions_leave_nothing_behind_but_the_journal() {
    let mut engine = Engine::start(&["sixteen-soldiers", "--option", "draw_after=500", "--no-autosave"]);
    let mut id = 0;
    let mut measured = Vec::new();
    for round in 0..2_500 {
        for text in ["a4-a5", "e6-e5", "a5-a4", "e5-e6"] {
            id += 1;
            let done = engine.ask(json!({"do": "play", "text": text}), id);
            assert_eq!(done["reply"], "done", "{round} {text}: {done}");
        }
        id += 1;
        engine.ask(json!({"do": "go_to", "position": 1}), id);
        id += 1;
        engine.ask(json!({"do": "branch"}), id);
        if round % 500 == 499 {
            measured.push(engine.resident());
        }
    }
    let growth = measured.last().unwrap().saturating_sub(measured[0]);
    assert!(growth < 2_000, "{growth} kB more after 8,000 actions: {measured:?}");
    assert_eq!(engine.end().1, Some(0));
}

#[test]
fn statistics_tell_what_each_seat_had_all_along_also_of_what_was_taken_back() {
    let mut engine = Engine::start(&["tic-tac-toe"]);
    for (id, cell) in [(1, "a1"), (2, "b1"), (3, "b2")] {
        assert_eq!(engine.ask(json!({"do": "play", "text": cell}), id)["reply"], "done");
    }
    engine.ask(json!({"do": "undo"}), 4);
    let told = engine.ask(json!({"do": "statistics"}), 5);
    let first = told["positions"][0].as_u64().unwrap();
    assert_eq!(told["positions"], json!([first, first + 1, first + 2, first + 3]));
    assert_eq!(told["rounds"], json!([1, 1, 2, 2]));
    let pieces: Vec<&Value> = told["series"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|line| line["measure"] == "pieces")
        .map(|line| &line["values"])
        .collect();
    assert_eq!(pieces, [&json!([0, 1, 1, 2]), &json!([0, 0, 1, 1])]);
    assert_eq!(engine.ask(json!({"do": "statistics", "seat": 7}), 6)["reply"], "refused");
    engine.end();
}

#[test]
fn legal_without_a_seat_is_what_the_client_itself_can_do() {
    let mut engine = Engine::start(&["tic-tac-toe", "--seat", "noughts=random"]);
    engine.ask(json!({"do": "pause", "paused": true}), 1);
    assert_eq!(engine.ask(json!({"do": "legal"}), 2)["actions"].as_array().unwrap().len(), 9);
    assert_eq!(engine.ask(json!({"do": "play", "text": "b2"}), 3)["reply"], "done");
    let waits = engine.ask(json!({"do": "legal"}), 4);
    assert_eq!((&waits["actions"], waits.get("outcome")), (&json!([]), None));
    // Of a seat that is named it may be asked, for nothing is hidden.
    let other = engine.ask(json!({"do": "legal", "seat": 1}), 5);
    assert_eq!(other["actions"].as_array().unwrap().len(), 8);
    assert_eq!(engine.end().1, Some(0));
}

#[test]
fn a_match_is_edited_with_script_types_and_the_history_says_so() {
    let mut engine = Engine::start(&["tic-tac-toe"]);
    let help = engine.ask(json!({"do": "edit", "text": "help"}), 1);
    assert!(help["text"].as_str().unwrap().contains("owner CELL, CELL = OWNER"), "{help}");
    let added = engine.ask(json!({"do": "edit", "text": "add mark of noughts = b2"}), 2);
    assert_eq!((&added["reply"], &added["at"]), (&json!("edited"), &json!(2)), "{added}");
    let printed = engine.ask(json!({"do": "edit", "text": "run print(turn.occupied.count); turn.seat.title"}), 3);
    assert_eq!(printed["text"], "1\nCrosses");
    let wrong = engine.ask(json!({"do": "edit", "text": "owner z9 = crosses"}), 4);
    assert_eq!(wrong["message"], "there is no cell `z9`", "{wrong}");
    let taken = engine.ask(json!({"do": "play", "text": "b2"}), 5);
    assert_ne!(taken["reply"], "done", "the square is taken: {taken}");
    let history = engine.ask(json!({"do": "history"}), 6);
    assert_eq!(history["entries"][1]["notation"], "add mark of noughts = b2", "{history}");
    assert_eq!(history["entries"][1]["cause"], "edit", "{history}");
    assert_eq!(engine.end().1, Some(0));
}

#[test]
fn a_strategy_is_watched_as_it_thinks_and_says_what_it_thinks_of_the_match() {
    let mut engine = Engine::start(&["conquest/war", "--seed", "3", "--seat", "blue=human", "--seat", "green=human"]);
    let value = engine.ask(json!({"do": "evaluate", "strategy": "standard"}), 1);
    let seats = value["seats"].as_array().unwrap();
    assert!(
        seats.len() == 3 && seats.iter().all(|value| value.as_i64().is_some_and(|value| value > 0)),
        "{value}"
    );
    let unknown = engine.ask(json!({"do": "evaluate", "strategy": "admiral"}), 2);
    assert_eq!(unknown["message"], "there is no strategy `admiral`; there are: marshal, standard");
    assert_eq!(engine.ask(json!({"do": "watch", "watched": true}), 3)["reply"], "done");
    // Armies to be placed: where the best attack begins is thought about.
    let seat = engine.ask(json!({"do": "view"}), 4)["state"]["mark"]["seat"].as_u64().unwrap();
    assert_eq!(
        engine.ask(json!({"do": "assign", "seat": seat, "player": "marshal"}), 5)["reply"],
        "done"
    );
    let thoughts = engine.notice("thoughts");
    assert_eq!(thoughts["player"], "marshal", "{thoughts}");
    let told = thoughts["thoughts"].as_array().unwrap();
    let campaign = told.iter().find(|one| one["text"].as_str().unwrap().starts_with("campaign from "));
    assert!(campaign.is_some_and(|one| one["number"].as_i64().unwrap() > 0), "{thoughts}");
    // The first of the actions that were weighed is the one that was chosen.
    let best = told.iter().find(|one| one["weighed"] == true).unwrap();
    assert_eq!(best["text"], thoughts["chosen"], "{thoughts}");
    assert_eq!(engine.end().1, Some(0));
}

#[test]
fn a_strategy_is_debugged_line_by_line_over_the_pipe() {
    let mut engine = Engine::start(&["conquest/war", "--seed", "3", "--seat", "blue=human", "--seat", "green=human"]);
    let seat = engine.ask(json!({"do": "view"}), 1)["state"]["mark"]["seat"].as_u64().unwrap();
    let others = engine.ask(json!({"do": "attach", "seat": seat, "before": true}), 2);
    assert!(
        others["message"].as_str().unwrap().contains("only strategies can be debugged"),
        "{others}"
    );
    for (id, request) in [
        (3, json!({"do": "pause", "paused": true})),
        (4, json!({"do": "assign", "seat": seat, "player": "standard"})),
        (5, json!({"do": "attach", "seat": seat, "before": true, "after": true})),
        (6, json!({"do": "watches", "expressions": ["view.seat.cells.count > 0"]})),
    ] {
        assert_eq!(engine.ask(request, id)["reply"], "done");
    }
    // What a request brings about may come before its answer.
    let mut says = |request: Value, notice: &str| {
        engine.write(&request.to_string());
        engine.notice(notice)
    };
    let begins = says(json!({"id": 7, "do": "pause", "paused": false}), "paused");
    assert_eq!(begins["cause"], "before");
    assert_eq!(begins["file"], "rulesets/conquest/strategies/standard.rhai");
    assert_eq!(begins["watches"][0]["value"], "true", "{begins}");
    assert!(begins["source_line"].is_string() && begins["stack"].as_array().unwrap().len() == 1);
    let second = says(json!({"id": 8, "do": "step", "kind": "into"}), "paused");
    assert_ne!(second["line"], begins["line"]);
    let decided = says(json!({"id": 9, "do": "step", "kind": "continue"}), "paused");
    assert!(decided["cause"] == "after" && decided["chosen"].is_string(), "{decided}");
    let event = says(json!({"id": 10, "do": "step", "kind": "continue"}), "event");
    assert_eq!(event["notation"], decided["chosen"]);
    // The end comes while the next decision has paused.
    assert_eq!(engine.notice("paused")["cause"], "before");
    assert_eq!(engine.end().1, Some(0));
}

#[test]
fn strategies_are_described_and_can_be_assigned_and_asked() {
    let mut engine = Engine::start(&[
        "conquest",
        "--option",
        "random_areas=yes",
        "--seat",
        "blue=human",
        "--seat",
        "green=human",
    ]);
    let described = engine.ask(json!({"do": "describe"}), 1);
    assert_eq!(described["strategies"], json!(["marshal", "standard"]));
    let assigned = engine.ask(json!({"do": "assign", "seat": 1, "player": "standard+component_size=60"}), 2);
    assert_eq!(assigned["reply"], "done", "{assigned}");
    let refused = engine.ask(json!({"do": "assign", "seat": 1, "player": "admiral"}), 3);
    assert_eq!(refused["reply"], "error", "{refused}");
    assert_eq!(engine.end().1, Some(0));
}

#[test]
fn the_odds_of_an_attack_and_the_values_of_areas_are_told() {
    let mut engine = Engine::start(&["conquest/war", "--seed", "5"]);
    for (id, text) in ["turn red", "set red.reserve = 0", "phase attack", "set Alaska.armies = 4"]
        .iter()
        .enumerate()
    {
        let changed = engine.ask(json!({"do": "edit", "text": text}), id as u64 + 1);
        assert_eq!(changed["reply"], "edited", "{changed}");
    }
    engine.ask(json!({"do": "edit", "text": "set Kamchatka.armies = 2"}), 5);
    let described = engine.ask(json!({"do": "describe"}), 6);
    let place = |list: &Value, key: &str, name: &str| {
        let list = list.as_array().unwrap();
        list.iter().position(|one| one[key] == name).unwrap_or_else(|| panic!("no {name}"))
    };
    let attack = place(&described["declarations"]["actions"], "name", "attack");
    let legal = engine.ask(json!({"do": "legal", "seat": 0}), 7);
    let legal = legal["actions"].as_array().unwrap();
    let chosen = legal
        .iter()
        .find(|action| action["notation"] == "Alaska > Kamchatka with 3")
        .unwrap();
    let picks = chosen["picks"].as_array().unwrap();
    // Known as soon as both areas are.
    let none = engine.ask(json!({"do": "odds", "seat": 0, "action": attack, "picks": picks[..1]}), 8);
    assert_eq!((&none["reply"], &none["odds"]), (&json!("odds"), &Value::Null));
    let answer = engine.ask(json!({"do": "odds", "seat": 0, "action": attack, "picks": picks[..2]}), 9);
    let odds = &answer["odds"];
    assert_eq!(
        (&odds["contest"], &odds["sides"]),
        (&json!("battle"), &json!([{"integer": 3}, {"integer": 2}])),
        "{answer}"
    );
    // Three against two to the end: both fall in one round with 2890 of 7776; the rest follows from it.
    assert_eq!(odds.get("samples"), None);
    let (won, lost) = (
        odds["results"][0]["chance"].as_f64().unwrap(),
        odds["results"][1]["chance"].as_f64().unwrap(),
    );
    assert!((won + lost - 1.0).abs() < 1e-12, "{odds}");
    let fraction = odds["results"][0]["fraction"].as_str().unwrap();
    let (above, below) = fraction.split_once('/').unwrap();
    assert!(
        (above.parse::<f64>().unwrap() / below.parse::<f64>().unwrap() - won).abs() < 1e-12,
        "{fraction}"
    );
    let unhurt = odds["ends"]
        .as_array()
        .unwrap()
        .iter()
        .find(|end| end["sides"] == json!([{"integer": 3}, {"integer": 0}]))
        .unwrap();
    assert_eq!(unhurt["fraction"], "1445/3888");
    let cells = engine.ask(json!({"do": "evaluate_cells", "strategy": "standard", "seat": 0}), 10);
    assert_eq!(cells["cells"].as_array().unwrap().len(), 42, "{cells}");
    let wrong = engine.ask(json!({"do": "evaluate_cells", "strategy": "admiral", "seat": 0}), 11);
    assert_eq!(wrong["reply"], "error");
    let wrong = engine.ask(json!({"do": "evaluate_cells", "strategy": "standard", "seat": 9}), 12);
    assert_eq!(wrong["reply"], "error");
    let none = engine.ask(json!({"do": "heat_map", "name": "danger", "seat": 0}), 13);
    assert_eq!(none["message"], "there is no heat map `danger`: the ruleset has none");
    assert_eq!(engine.end().1, Some(0));
}

#[test]
fn a_hint_of_an_unknown_player_and_a_save_without_a_name_are_errors() {
    let mut engine = Engine::start(&["tic-tac-toe"]);
    for player in ["nobody", "search:99", "human"] {
        let answer = engine.ask(json!({"do": "hint", "player": player}), 1);
        assert_eq!(answer["reply"], "error", "{player}: {answer}");
    }
    for file in ["", " ", "saves/"] {
        let answer = engine.ask(json!({"do": "save", "file": file}), 2);
        assert_eq!(answer["reply"], "error", "{file:?}: {answer}");
        assert!(answer["message"].as_str().unwrap().contains("names no file"), "{answer}");
    }
    assert!(!PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(".save.xml").exists());
    assert_eq!(engine.end().1, Some(0));
}
