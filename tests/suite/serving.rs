//! `boardwright serve` and `boardwright join`, as people run them.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use boardwright::client::{Connection, LinkClosed};
use boardwright::network::{CreateMatch, JoinMatch, RemoteLobby};
use boardwright::protocol::{Command as Ask, Reply};

use crate::common::root;
use crate::served::{Served, serve};

/// A server on a port that the system chooses.
fn start(data: &Path) -> Served {
    Served::start(&mut serve("127.0.0.1:0", data))
}

fn join(lobby: &RemoteLobby, id: &str, name: &str) -> String {
    let who = JoinMatch {
        name: name.to_owned(),
        ..JoinMatch::default()
    };
    lobby.join(id, &who).unwrap().1
}

fn connect(lobby: &RemoteLobby, id: &str, tokens: &[String]) -> Connection {
    let link = lobby.connect(id, tokens, None, None, |_| {}).unwrap();
    let mut connection = Connection::open(Box::new(link)).unwrap();
    connection.settle().unwrap();
    connection
}

#[test]
fn a_server_that_is_killed_has_everything_that_it_has_answered() {
    let data = tempfile::tempdir().unwrap();
    let wanted = CreateMatch {
        ruleset: "sixteen-soldiers".to_owned(),
        ..CreateMatch::default()
    };
    let server = start(data.path());
    let id = server.lobby().create(&wanted).unwrap().0.id;
    let tokens = [join(&server.lobby(), &id, "Ada"), join(&server.lobby(), &id, "Bob")];
    let mut server = Some(server);
    let mut answered = 0;
    let next = |client: &mut Connection, answered: usize| {
        let Reply::Legal { actions, .. } = client.ask(Ask::Legal { seat: None }).unwrap() else {
            panic!("no legal actions")
        };
        let text = actions[answered * 7 % actions.len()].notation.clone();
        Ask::Play {
            text,
            seat: None,
            at: None,
        }
    };
    // It is killed after more and more actions.
    for kill_after in [1, 2, 5, 9] {
        let running = server.take().unwrap_or_else(|| start(data.path()));
        let mut both = connect(&running.lobby(), &id, &tokens);
        let begun = both.mirror().at();
        assert!(begun > answered, "{begun} of {answered} answers are kept");
        answered = begun - 1;
        for _ in 0..kill_after {
            let action = next(&mut both, answered);
            match both.ask(action) {
                Ok(Reply::Done { .. }) => answered += 1,
                other => panic!("after {answered}: {other:?}"),
            }
        }
        // One more is on its way when it is killed: it may be kept or not.
        let action = next(&mut both, answered);
        both.send(action).unwrap();
        drop(running);
        let why = loop {
            match both.poll(Some(Duration::from_secs(30))) {
                Ok(message) => assert!(message.is_some(), "the end of the server is not noticed"),
                Err(why) => break why,
            }
        };
        assert!(matches!(why, LinkClosed::Because(_)), "{why}");
    }
    let server = start(data.path());
    let both = connect(&server.lobby(), &id, &tokens);
    assert!(both.mirror().at() > answered);
}

#[test]
fn matches_that_wait_for_players_are_listed() {
    let data = tempfile::tempdir().unwrap();
    let server = start(data.path());
    let play = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_boardwright"))
            .args(["join", &server.address])
            .args(arguments)
            .current_dir(root())
            .env("XDG_DATA_HOME", data.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let listed = |child: Child| String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(listed(play(&[])).starts_with("No match waits for players."));
    let mut first = play(&["--new", "tic-tac-toe", "--name", "Ada"]);
    let mut seen = BufReader::new(first.stdout.take().unwrap()).lines().map(Result::unwrap);
    let joined = seen.next().unwrap();
    let id = joined
        .strip_prefix("You play crosses in match ")
        .and_then(|rest| rest.strip_suffix('.'))
        .expect(&joined);
    let waiting = listed(play(&[]));
    assert_eq!(
        waiting,
        format!("{id}  Three in a row (tic-tac-toe/standard): crosses is Ada, noughts is free\n")
    );
    first.kill().unwrap();
    first.wait().unwrap();
    // It comes back by what was kept of it, whoever else may come.
    let mut other = play(&[id, "--name", "Bob"]);
    let mut back = play(&[id, "--seat", "crosses"]);
    let told = play(&[id, "--seat", "noughts", "--spectate"]);
    assert!(!told.wait_with_output().unwrap().status.success());
    drop(back.stdin.take());
    let seen = back.wait_with_output().unwrap();
    assert!(seen.status.success(), "{}", String::from_utf8_lossy(&seen.stderr));
    other.kill().unwrap();
    other.wait().unwrap();
    let unknown = play(&["000000000000"]).wait_with_output().unwrap();
    let told = String::from_utf8(unknown.stderr).unwrap();
    assert!(told.contains("no seat of yours is known in this match"), "{told}");
}

/// Whoever comes first asks for the match before it has begun, and is answered when it has.
#[test]
fn what_is_asked_while_a_match_waits_for_players_is_answered_when_it_begins() {
    let data = tempfile::tempdir().unwrap();
    let server = start(data.path());
    let lobby = server.lobby();
    let wanted = CreateMatch {
        ruleset: "tic-tac-toe".to_owned(),
        ..CreateMatch::default()
    };
    let id = lobby.create(&wanted).unwrap().0.id;
    let tokens = [join(&lobby, &id, "Ada")];
    let link = lobby.connect(&id, &tokens, None, None, |_| {}).unwrap();
    let mut first = Connection::open(Box::new(link)).unwrap();
    join(&lobby, &id, "Bob");
    first.settle().unwrap();
    let text = "mark a1".to_owned();
    let reply = first
        .ask(Ask::Play {
            text,
            seat: None,
            at: None,
        })
        .unwrap();
    assert!(matches!(reply, Reply::Done { .. }), "{reply:?}");
}

/// Each has the rules of the match from the server alone, and keeps them.
#[test]
fn computers_of_two_machines_play_each_other_to_the_end() {
    let (data, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let server = start(data.path());
    let id = server
        .lobby()
        .create(&CreateMatch {
            ruleset: "sixteen-soldiers".to_owned(),
            ..CreateMatch::default()
        })
        .unwrap()
        .0
        .id;
    let join = |name: &str, player: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_boardwright"));
        command
            .args(["join", &server.address, &id, "--name", name, "--player", player])
            .current_dir(home.path())
            .env("XDG_DATA_HOME", home.path().join(name))
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        command.spawn().unwrap()
    };
    let players = [join("Ada", "greedy"), join("Bob", "random")];
    let ends = players.map(|player| {
        let output = player.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{text}");
        text.lines().last().unwrap().to_owned()
    });
    assert!(ends[0] == ends[1] && ends[0].contains("(rule "), "{ends:?}");
    let kept = home.path().join("Ada/boardwright/seats/rules");
    assert_eq!(std::fs::read_dir(kept).unwrap().count(), 1);
    let refused = Command::new(env!("CARGO_BIN_EXE_boardwright"))
        .args(["join", &server.address, &id, "--name", "Eve", "--player", "exec:true"])
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&refused.stderr).contains("a program of your own speaks to the server itself"));
}

#[test]
fn a_computer_comes_back_when_its_server_was_killed() {
    let (data, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let server = start(data.path());
    let listen = server.address.trim_start_matches("http://").to_owned();
    let wanted = CreateMatch {
        ruleset: "tic-tac-toe".to_owned(),
        ..CreateMatch::default()
    };
    let id = server.lobby().create(&wanted).unwrap().0.id;
    let token = [join(&server.lobby(), &id, "Ada")];
    let mut computer = Command::new(env!("CARGO_BIN_EXE_boardwright"))
        .args(["join", &server.address, &id, "--name", "Bob", "--player", "random"])
        .current_dir(home.path())
        .env("XDG_DATA_HOME", home.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(computer.stderr.take().unwrap()).lines().map(Result::unwrap);
    // Ada plays, and the computer answers.
    let play_round = |ada: &mut Connection| {
        let Reply::Legal { actions, .. } = ada.ask(Ask::Legal { seat: None }).unwrap() else {
            panic!("no legal actions")
        };
        let (text, before) = (actions[0].notation.clone(), ada.mirror().at());
        let play = Ask::Play {
            text,
            seat: None,
            at: None,
        };
        assert!(matches!(ada.ask(play).unwrap(), Reply::Done { .. }));
        while ada.mirror().at() < before + 2 {
            ada.poll(Some(Duration::from_mins(1)))
                .unwrap()
                .expect("the computer does not answer");
        }
    };
    let mut ada = connect(&server.lobby(), &id, &token);
    play_round(&mut ada);
    drop(server);
    assert!(told.any(|line| line.contains("Coming back in 2 s.")));
    let server = Served::start(&mut serve(&listen, data.path()));
    let mut ada = connect(&server.lobby(), &id, &token);
    play_round(&mut ada);
    assert!(matches!(ada.ask(Ask::Resign { seat: None }).unwrap(), Reply::Done { .. }));
    let ended = computer.wait_with_output().unwrap();
    let text = String::from_utf8(ended.stdout).unwrap();
    assert!(
        ended.status.success() && text.lines().filter(|line| line.contains("mark")).count() == 4,
        "{text}"
    );
}

#[test]
fn a_server_says_what_is_wrong_with_its_settings() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("server.toml");
    let run = |text: &str, more: &[&str]| {
        std::fs::write(&config, text).unwrap();
        let ended = Command::new(env!("CARGO_BIN_EXE_boardwright"))
            .args(["serve", "--config"])
            .arg(&config)
            .args(more)
            .current_dir(root())
            .env("XDG_DATA_HOME", folder.path())
            .output()
            .unwrap();
        assert!(!ended.status.success());
        String::from_utf8(ended.stderr).unwrap()
    };
    let told = run("listen = \"127.0.0.1:0\"\nport = 7\n", &[]);
    assert!(told.contains("server.toml") && told.contains("unknown field `port`"), "{told}");
    let told = run("threads = \"many\"", &[]);
    assert!(told.contains("server.toml") && told.contains("threads"), "{told}");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let told = run("", &["--listen", &address]);
    assert!(told.contains(&format!("it cannot be listened at {address}")), "{told}");
}

/// That it measures is shown here, what it finds is not.
#[test]
fn a_server_is_put_under_load() {
    let data = tempfile::tempdir().unwrap();
    let server = start(data.path());
    let counts = [
        "--matches",
        "3",
        "--actions",
        "12",
        "--idle",
        "2",
        "--spectators",
        "3",
        "--rejoins",
        "2",
    ];
    for address in [Some(server.address.as_str()), None] {
        let ended = Command::new(env!("CARGO_BIN_EXE_boardwright"))
            .args(["load", "--new", "tic-tac-toe"])
            .args(counts)
            .args(address)
            .current_dir(root())
            .output()
            .unwrap();
        let printed = String::from_utf8(ended.stdout).unwrap();
        assert!(ended.status.success(), "{printed}\n{}", String::from_utf8_lossy(&ended.stderr));
        for (what, count) in [
            ("writes of 4 KiB kept by the disk (fdatasync)", 100),
            ("actions in one match alone", 12),
            ("actions in 3 matches", 36),
            ("openings of a match, up to 2 open", 2),
            ("comings back after ", 2),
        ] {
            let line = printed.lines().find(|line| line.starts_with(what)).expect(&printed);
            assert!(line.split_whitespace().any(|cell| cell == count.to_string()), "{line}");
        }
        assert!(printed.contains("actions until 3 spectators know"), "{printed}");
    }
    for (new, why) in [
        ("conquest", "cannot be used: standard plays a seat of it"),
        ("tic-tac-toe/war", "war"),
        ("chess", "chess"),
    ] {
        let ended = Command::new(env!("CARGO_BIN_EXE_boardwright"))
            .args(["load", "--new", new])
            .current_dir(root())
            .output()
            .unwrap();
        let told = String::from_utf8(ended.stderr).unwrap();
        assert!(!ended.status.success() && told.contains(why), "{new}: {told}");
    }
}

#[test]
fn rulesets_with_mistakes_are_not_served_and_settings_without_sense_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for file in [
        "rulesets/tic-tac-toe/ruleset.xml",
        "rulesets/tic-tac-toe/rules.rhai",
        "maps/tic-tac-toe/board.map.xml",
        "maps/tic-tac-toe/standard.scenario.xml",
    ] {
        let text = std::fs::read_to_string(root().join(file)).unwrap();
        let mistake = if file.ends_with("rules.rhai") { "\nfn broken( {\n" } else { "" };
        std::fs::create_dir_all(folder.path().join(file).parent().unwrap()).unwrap();
        std::fs::write(folder.path().join(file), text + mistake).unwrap();
    }
    let serve = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_boardwright"));
        command.arg("serve").args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let (content, data) = (folder.path().to_str().unwrap(), folder.path().join("data"));
    let mut child = serve(&["--listen", "127.0.0.1:0", "--content", content, "--data", data.to_str().unwrap()]);
    let lines: Vec<String> = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok)
        .take(3)
        .collect();
    child.kill().unwrap();
    let told = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
    assert!(lines[2].contains("conquest") && !lines[2].contains("tic-tac-toe"), "{lines:?}");
    assert!(
        told.contains("tic-tac-toe is not served: ") && told.contains("rules.rhai:"),
        "{told}"
    );
    for wrong in [
        ["--silence", "0"],
        ["--threads", "0"],
        ["--threads", "100000"],
        ["--most-clients", "0"],
    ] {
        let ended = serve(&[wrong[0], wrong[1], "--data", data.to_str().unwrap()])
            .wait_with_output()
            .unwrap();
        assert_eq!(
            ended.status.code(),
            Some(2),
            "{wrong:?}: {}",
            String::from_utf8_lossy(&ended.stderr)
        );
    }
}

/// The socket, standard input and the log, as operators use them.
#[cfg(unix)]
#[test]
fn a_server_is_steered_through_its_socket_and_its_standard_input_and_logs_what_happens() {
    use std::os::unix::fs::PermissionsExt as _;

    let data = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_boardwright"))
        .args(["serve", "--listen", "127.0.0.1:0", "--log", "json", "--console", "--data"])
        .arg(data.path())
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let address = said.next().unwrap().strip_prefix("Listening at ").unwrap().to_owned();
    let lobby = RemoteLobby::new(&address);
    let wanted = CreateMatch {
        ruleset: "tic-tac-toe".to_owned(),
        ..CreateMatch::default()
    };
    let id = lobby.create(&wanted).unwrap().0.id;
    let mut typed = child.stdin.take().unwrap();
    writeln!(typed, "list").unwrap();
    let listed = said.find(|line| line.starts_with(&id)).unwrap();
    assert!(listed.contains("crosses free, noughts free"), "{listed}");

    let socket = data.path().join("admin.sock");
    assert_eq!(std::fs::metadata(&socket).unwrap().permissions().mode() & 0o777, 0o600);
    let admin = |command: &[&str]| {
        let ended = Command::new(env!("CARGO_BIN_EXE_boardwright"))
            .args(["admin", "--socket"])
            .arg(&socket)
            .args(command)
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (ended.status.code(), text(ended.stdout), text(ended.stderr))
    };
    let (code, out, _) = admin(&["list"]);
    assert_eq!((code, out.trim()), (Some(0), listed.as_str()));
    let (code, _, told) = admin(&["show", "nothing"]);
    assert_eq!(code, Some(1));
    assert!(told.contains("`nothing` is no id of a match"), "{told}");
    let token = join(&lobby, &id, "Ada");
    drop(lobby.connect(&id, &[token], None, None, |_| {}).unwrap());
    let (code, out, _) = admin(&["stop"]);
    assert_eq!((code, out.as_str()), (Some(0), "the server stops\n"));
    assert!(said.any(|line| line == "Everything is stored."));
    let ended = child.wait_with_output().unwrap();
    assert!(ended.status.success());
    assert!(!socket.exists());
    let (code, _, told) = admin(&["list"]);
    assert_eq!(code, Some(1));
    assert!(told.contains("no server is reached at"), "{told}");

    let log = String::from_utf8(ended.stderr).unwrap();
    let lines: Vec<serde_json::Value> = log.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let has = |message: &str, key: &str, value: &str| {
        lines
            .iter()
            .any(|line| line["message"] == message && line.pointer(key).is_some_and(|found| found == value))
    };
    assert!(has("a match was created", "/match_id", &id), "{log}");
    assert!(
        has("a client has come", "/span/match_id", &id) && has("a client has come", "/span/seats", "0"),
        "{log}"
    );
    assert!(has("a command of the console", "/command", "show nothing"), "{log}");
}
