//! What operators say to a server.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use boardwright_content::Save;
use boardwright_model::SeatId;
use boardwright_network::{Console, CreateMatch, JoinMatch, Limits, MatchPolicy, OutOfTime, Role};
use serde_json::json;
use tokio::sync::{Notify, mpsc};
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::connect;

use super::sockets::{Socket, closed, hear, open, say};
use super::{LONG, TestServer, connect as connect_client, named, play, plays, project, reaches, tic_tac_toe};

/// A console of a server, with the lines that it has said and not read.
pub(super) struct Operator<'a> {
    server: &'a TestServer,
    lines: mpsc::Sender<String>,
    texts: mpsc::Receiver<String>,
    stop: Arc<Notify>,
}

impl<'a> Operator<'a> {
    pub(super) fn of(server: &'a TestServer, role: Role, folder: &Path) -> Self {
        let (lines, said) = mpsc::channel(16);
        let (out, texts) = mpsc::channel(16);
        let stop = Arc::new(Notify::new());
        let console = Console::new(Arc::clone(&server.hosted), role, folder.join("saves"), Arc::clone(&stop));
        server.runtime.spawn(async move {
            if console.converse(said, out).await {
                console.stop_server();
            }
        });
        Self {
            server,
            lines,
            texts,
            stop,
        }
    }

    fn next(&mut self) -> String {
        let texts = &mut self.texts;
        let next = self
            .server
            .runtime
            .block_on(async { tokio::time::timeout(LONG, texts.recv()).await });
        next.expect("the console says nothing").unwrap()
    }

    /// What is answered to a command: its lines, or why not.
    pub(super) fn says(&mut self, command: &str) -> Result<String, String> {
        self.lines.blocking_send(command.to_owned()).unwrap();
        let mut lines = Vec::new();
        loop {
            let text = self.next();
            if text == "ok" {
                return Ok(lines.join("\n"));
            }
            if let Some(why) = text.strip_prefix("error: ") {
                return Err(why.to_owned());
            }
            lines.push(text);
        }
    }

    pub(super) fn does(&mut self, command: &str) -> String {
        self.says(command).unwrap_or_else(|why| panic!("{command}: {why}"))
    }
}

/// A match of two people that is played, with their tokens.
fn begun(server: &TestServer, wanted: &CreateMatch) -> (String, [String; 2]) {
    let id = server.lobby().create(wanted).unwrap().0.id;
    let tokens = ["Ada", "Bob"].map(|name| server.lobby().join(&id, &named(name)).unwrap().1);
    (id, tokens)
}

/// A spectator that comes through a proxy from an address.
fn open_from(server: &TestServer, id: &str, address: &str) -> Result<Socket, String> {
    let mut request = format!("ws://{}/api/matches/{id}/socket", server.address)
        .into_client_request()
        .unwrap();
    request.headers_mut().insert("x-forwarded-for", address.parse().unwrap());
    let (mut socket, _) = connect(request).map_err(|error| error.to_string())?;
    say(&mut socket, &json!({"protocol": 1}));
    Ok(socket)
}

#[test]
fn each_command_is_explained_and_a_mistake_is_told_with_what_to_write() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let mut operator = Operator::of(&server, Role::Operator, folder.path());
    let help = operator.does("help");
    for command in [
        "help",
        "list",
        "show",
        "clients",
        "watch",
        "unwatch",
        "kick",
        "disconnect",
        "ban",
        "unban",
        "bans",
        "pause",
        "resume",
        "nodes",
        "announce",
        "tell",
        "save",
        "load",
        "reload",
        "edit",
        "stop",
    ] {
        assert!(help.lines().any(|line| line.starts_with(command)), "{command}: {help}");
        assert!(
            operator
                .does(&format!("help {command}"))
                .lines()
                .all(|line| line.starts_with(command))
        );
    }
    for (wrong, told) in [
        ("dance", "`help` lists them"),
        ("help dance", "`help` lists them"),
        ("list won", "waiting, playing or ended"),
        ("show", "write `show MATCH`"),
        ("show 7", "`7` is no id of a match; `list` shows them"),
        ("show 000000000000", "there is no such match"),
        ("kick 000000000000", "write `kick MATCH SEAT`"),
        ("ban", "write `ban address ADDRESS` or `ban name NAME`"),
        ("ban address", "write `ban address ADDRESS`"),
        ("ban address here", "write one like 192.0.2.7"),
        ("unban name Eve", "name Eve is not banned"),
        ("pause 000000000000", "there is no such match"),
        ("announce", "write `announce TEXT`"),
        ("load", "write `load FILE [NAME]`"),
        ("load nowhere.save.xml", "nowhere.save.xml"),
        ("unwatch 000000000000", "not watched"),
    ] {
        let why = operator.says(wrong).expect_err(wrong);
        assert!(why.contains(told), "{wrong}: {why}");
    }
    let mut moderator = Operator::of(&server, Role::Moderator, folder.path());
    for command in ["save 000000000000", "load x", "reload 000000000000", "edit 000000000000", "stop"] {
        let why = moderator.says(command).expect_err(command);
        assert!(why.contains("is for the operator"), "{why}");
    }
    assert!(!moderator.does("help").contains("\nload"));
    assert_eq!(operator.does("stop"), "the server stops");
    let stop = Arc::clone(&operator.stop);
    server
        .runtime
        .block_on(async { tokio::time::timeout(LONG, stop.notified()).await })
        .unwrap();
}

#[test]
fn matches_are_listed_with_who_plays_them_and_clients_with_where_they_come_from() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let mut operator = Operator::of(&server, Role::Moderator, folder.path());
    assert_eq!(operator.does("list"), "there is no such match");
    let wanted = CreateMatch {
        private: true,
        ..tic_tac_toe()
    };
    let (id, _tokens) = begun(&server, &wanted);
    let mut spectator = open_from(&server, &id, "198.51.100.7").unwrap();
    say(&mut spectator, &json!({"id": 1, "do": "hello", "protocol": 1}));
    hear(&mut spectator);
    let listed = operator.does("list");
    assert!(listed.starts_with(&format!("{id}  playing  tic-tac-toe/standard")), "{listed}");
    assert!(
        listed.contains("crosses Ada") && listed.contains("noughts Bob") && listed.ends_with("1 clients"),
        "{listed}"
    );
    assert_eq!(operator.does("list waiting"), "there is no such match");
    assert!(operator.does("clients").contains("198.51.100.7  spectator"));
    assert!(operator.does(&format!("show {id}")).contains("198.51.100.7  spectator"));
}

#[test]
fn a_watched_match_tells_what_happens_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let (id, tokens) = begun(&server, &tic_tac_toe());
    let mut operator = Operator::of(&server, Role::Moderator, folder.path());
    operator.does(&format!("watch {id}"));
    let mut both = connect_client(&server.lobby(), &id, &[&tokens[0], &tokens[1]]);
    plays(&mut both, "mark b2");
    assert_eq!(operator.next(), format!("{id}: 1. crosses: mark b2"));
    operator.does(&format!("tell {id} well begun"));
    operator.does("unwatch");
    plays(&mut both, "mark a1");
    assert!(operator.does(&format!("show {id}")).starts_with(&id));
}

#[test]
fn whoever_is_banned_is_disconnected_and_does_not_come_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let (id, _tokens) = begun(&server, &tic_tac_toe());
    let mut operator = Operator::of(&server, Role::Moderator, folder.path());
    let mut sockets = ["198.51.100.7", "203.0.113.1"].map(|address| open_from(&server, &id, address).unwrap());
    for socket in &mut sockets {
        say(socket, &json!({"id": 1, "do": "hello", "protocol": 1}));
        while hear(socket)["reply"] != "welcome" {}
    }
    let told = operator.does("ban address 198.51.100.0/24 floods the chat");
    assert_eq!(told, "address 198.51.100.0/24 is banned; 1 clients are disconnected");
    let [banned, other] = &mut sockets;
    assert_eq!(
        closed(banned),
        (1008, "you are banned from this server: floods the chat".to_owned())
    );
    assert!(open_from(&server, &id, "198.51.100.9").unwrap_err().contains("403"));
    operator.does("announce back in a minute");
    let announced = |socket: &mut Socket| loop {
        let message = hear(socket);
        if message["notice"] == "message" {
            return message["text"].as_str().unwrap().to_owned();
        }
    };
    assert_eq!(announced(other), "back in a minute");
    operator.does("ban name ada");
    let who = JoinMatch {
        name: "ADA".to_owned(),
        ..JoinMatch::default()
    };
    let free = server.lobby().create(&tic_tac_toe()).unwrap().0.id;
    let refused = server.lobby().join(&free, &who).unwrap_err().to_string();
    assert!(refused.contains("you are banned from this server"), "{refused}");
    assert_eq!(operator.does("bans"), "address 198.51.100.0/24: floods the chat\nname ada");
    operator.does("unban name Ada");
    operator.does("unban address 198.51.100.0/24");
    assert_eq!(operator.does("bans"), "nobody is banned");
    server.lobby().join(&free, &who).unwrap();
    open_from(&server, &id, "198.51.100.9").unwrap();
}

#[test]
fn whoever_is_kicked_loses_the_seat() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let (id, tokens) = begun(&server, &tic_tac_toe());
    let mut operator = Operator::of(&server, Role::Moderator, folder.path());
    let mut socket = open(&server, &id).unwrap();
    say(&mut socket, &json!({"protocol": 1, "tokens": [tokens[1]]}));
    say(&mut socket, &json!({"id": 1, "do": "hello", "protocol": 1}));
    while hear(&mut socket)["reply"] != "welcome" {}
    let why = operator.says(&format!("kick {id} circles")).unwrap_err();
    assert!(why.contains("there is no seat `circles`: there are crosses, noughts"), "{why}");
    operator.does(&format!("kick {id} noughts"));
    assert_eq!(closed(&mut socket).0, 1008);
    assert!(operator.does("list").contains("noughts free"));
}

#[test]
fn nobody_acts_in_a_paused_match_also_after_it_was_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let (id, tokens) = begun(&server, &tic_tac_toe());
    let mut operator = Operator::of(&server, Role::Moderator, folder.path());
    let both = [tokens[0].as_str(), tokens[1].as_str()];
    let mut client = connect_client(&server.lobby(), &id, &both);
    plays(&mut client, "mark b2");
    operator.does(&format!("pause {id}"));
    let refused = |client: &mut _| format!("{:?}", play(client, "mark a1"));
    assert!(refused(&mut client).contains("paused the match"));
    assert_eq!(operator.says(&format!("pause {id}")).unwrap_err(), "this match is paused already");
    assert!(operator.does("list").contains("playing, paused"));
    drop(client);
    let mut client = connect_client(&server.lobby(), &id, &both);
    assert!(refused(&mut client).contains("paused the match"));
    operator.does(&format!("resume {id}"));
    plays(&mut client, "mark a1");
    assert_eq!(operator.says(&format!("resume {id}")).unwrap_err(), "this match is not paused");
}

#[test]
fn a_match_is_saved_and_goes_on_from_the_save_with_others() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let mut operator = Operator::of(&server, Role::Operator, folder.path());
    let waiting = server.lobby().create(&tic_tac_toe()).unwrap().0.id;
    assert!(operator.says(&format!("save {waiting}")).unwrap_err().contains("has not begun"));
    let wanted = CreateMatch {
        clock: Some("10m+5s".parse().unwrap()),
        out_of_time: OutOfTime::PlayedOn,
        ..tic_tac_toe()
    };
    let (id, tokens) = begun(&server, &wanted);
    let mut both = connect_client(&server.lobby(), &id, &[&tokens[0], &tokens[1]]);
    plays(&mut both, "mark b2");
    plays(&mut both, "mark a1");
    let told = operator.does(&format!("save {id}"));
    let file = told.strip_prefix("saved to ").unwrap().to_owned();
    let made = operator.does(&format!("load {file} The same again"));
    assert!(
        made.contains("waiting") && made.contains("The same again") && made.contains("crosses free"),
        "{made}"
    );
    let copy = made.split_whitespace().next().unwrap().to_owned();
    let tokens = ["Eva", "Dan"].map(|name| server.lobby().join(&copy, &named(name)).unwrap().1);
    let mut again = connect_client(&server.lobby(), &copy, &[&tokens[0], &tokens[1]]);
    assert_eq!(again.mirror().at(), both.mirror().at());
    // Its clocks stand where they stood: each seat has had its five seconds for a move.
    let left = again.mirror().clocks().unwrap().left(SeatId(0), Instant::now()).unwrap();
    let seconds = left.as_secs_f32();
    assert!((600.0..=605.0).contains(&seconds), "{left:?}");
    let saved = fs::read_to_string(&file).unwrap();
    assert!(saved.contains("<clock control=\"10m+5s\" out_of_time=\"played-on\">"), "{saved}");
    for text in ["mark b1", "mark c1", "mark b3"] {
        plays(&mut again, text);
    }
    assert!(again.mirror().main_view().unwrap().outcome().is_some());
    // What was loaded outlives the program as everything else does.
    drop(again);
    let (status, text) = server.get(&format!("/api/matches/{copy}/save"));
    assert_eq!(status, 200, "{text}");
    let ended = folder.path().join("ended.save.xml");
    fs::write(&ended, text).unwrap();
    let made = operator.does(&format!("load {}", ended.display()));
    assert!(made.contains("  ended  "), "{made}");
    // A match that is played may be saved by operators alone: a save holds what is hidden.
    let (status, text) = server.get(&format!("/api/matches/{id}/save"));
    assert_eq!(status, 409, "{text}");
    // Clocks of other seats than there are, under a good checksum.
    let mut forged = Save::open(Path::new(&file), "forged").unwrap();
    forged.clock.as_mut().unwrap().left.pop();
    let short = folder.path().join("short.save.xml");
    forged.write(&short, 0).unwrap();
    let why = operator.says(&format!("load {}", short.display())).unwrap_err();
    assert!(why.contains("its `<clock>` tells of other seats than it has"), "{why}");
    // A file that is not what it says is not loaded.
    let damaged = folder.path().join("damaged.save.xml");
    fs::write(&damaged, fs::read_to_string(&file).unwrap().replace("mark b2", "mark b3")).unwrap();
    assert!(
        operator
            .says(&format!("load {}", damaged.display()))
            .unwrap_err()
            .contains("damaged.save.xml is not loaded")
    );
    let other = folder.path().join("notes.txt");
    fs::write(&other, "no save").unwrap();
    assert!(
        operator
            .says(&format!("save {id} {}", other.display()))
            .unwrap_err()
            .contains("name another file")
    );
    assert_eq!(fs::read_to_string(&other).unwrap(), "no save");
}

/// The files of tic-tac-toe in a folder of their own.
fn own_content(folder: &Path) -> PathBuf {
    for file in [
        "rulesets/tic-tac-toe/ruleset.xml",
        "rulesets/tic-tac-toe/rules.rhai",
        "rulesets/tic-tac-toe/art/card.svg",
        "maps/tic-tac-toe/board.map.xml",
        "maps/tic-tac-toe/standard.scenario.xml",
    ] {
        let to = folder.join(file);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(project().join(file), to).unwrap();
    }
    folder.to_owned()
}

#[test]
fn rules_of_a_supervised_match_are_read_again_and_broken_ones_leave_those_in_force() {
    let folder = tempfile::tempdir().unwrap();
    let content = own_content(&folder.path().join("content"));
    let rules = content.join("rulesets/tic-tac-toe/rules.rhai");
    let original = fs::read_to_string(&rules).unwrap();
    let supervised = CreateMatch {
        policy: MatchPolicy::Supervised,
        ..tic_tac_toe()
    };
    let (id, tokens);
    {
        let server = TestServer::playing(folder.path(), std::slice::from_ref(&content));
        (id, tokens) = begun(&server, &supervised);
        let mut operator = Operator::of(&server, Role::Operator, folder.path());
        let mut both = connect_client(&server.lobby(), &id, &[&tokens[0], &tokens[1]]);
        plays(&mut both, "mark b2");
        fs::write(&rules, format!("{original}\nfn broken( {{\n")).unwrap();
        let why = operator.says(&format!("reload {id}")).unwrap_err();
        assert!(why.contains("the rules in force stay") && why.contains("rules.rhai"), "{why}");
        plays(&mut both, "mark a1");
        fs::write(&rules, original.replace("\"three in a row\"", "\"a row of three\"")).unwrap();
        operator.does(&format!("reload {id}"));
        let (rated, _) = begun(&server, &tic_tac_toe());
        for command in ["reload", "edit"] {
            let why = operator.says(&format!("{command} {rated}")).unwrap_err();
            assert!(why.contains("cannot be"), "{command}: {why}");
        }
    }
    // The rules that came into force are kept with the match.
    fs::write(&rules, &original).unwrap();
    let server = TestServer::playing(folder.path(), &[content]);
    let mut both = connect_client(&server.lobby(), &id, &[&tokens[0], &tokens[1]]);
    for text in ["mark b1", "mark c1", "mark b3"] {
        plays(&mut both, text);
    }
    assert_eq!(
        both.mirror().main_view().unwrap().outcome().unwrap().reason.as_ref(),
        "a row of three"
    );
}

#[test]
fn a_supervised_match_is_edited_and_its_players_see_it() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::with(folder.path(), Limits::default());
    let supervised = CreateMatch {
        policy: MatchPolicy::Supervised,
        ..tic_tac_toe()
    };
    let (id, tokens) = begun(&server, &supervised);
    let mut operator = Operator::of(&server, Role::Operator, folder.path());
    let mut both = connect_client(&server.lobby(), &id, &[&tokens[0], &tokens[1]]);
    plays(&mut both, "mark b2");
    let at = both.mirror().at();
    assert!(operator.does(&format!("edit {id}")).contains("owner CELL"));
    assert!(operator.says(&format!("edit {id} owner z9 = noughts")).is_err());
    operator.does(&format!("edit {id} owner b2 = noughts"));
    reaches(&mut both, at + 1);
    let state = both.mirror().main_view().unwrap();
    let owners: Vec<_> = state.pieces().map(|piece| piece.owner.unwrap().index()).collect();
    assert_eq!(owners, [1]);
}
