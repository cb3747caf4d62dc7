//! Matches over real sockets of this machine, as people play them.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use boardwright_client::MatchChoice;
use boardwright_content::Catalog;
use boardwright_local::{head_of, prepare};
use boardwright_model::{Policy, SeatId};
use boardwright_network::{CreateMatch, JoinMatch, Limits, Lobby, MatchSummary, SeatState};
use boardwright_protocol::{Command, Reply};
use boardwright_store::{MatchId, MatchRow, NewEntry, SqliteStore, Status, Store, StoreError, StoredMatch};
use flate2::{Compression, write::GzEncoder};

use super::{LONG, TestServer, connect, named, play, plays, project, reaches, tic_tac_toe};

fn held(name: &str) -> SeatState {
    SeatState::Held(name.to_owned())
}

#[test]
fn two_people_find_each_other_play_and_come_back_after_the_server_was_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let lobby = server.lobby();
    let (created, _) = lobby.create(&tic_tac_toe()).unwrap();
    assert_eq!(created.status, "waiting");
    assert_eq!(lobby.list("waiting").unwrap(), std::slice::from_ref(&created));
    let id = created.id;
    let (_, ada) = lobby.join(&id, &named("Ada")).unwrap();
    let (_, bob) = lobby.join(&id, &named("Bob")).unwrap();
    let players = |found: &MatchSummary| -> Vec<SeatState> { found.seats.iter().map(|seat| seat.player.clone()).collect() };
    let found = lobby.one(&id).unwrap();
    assert_eq!(
        (found.status.as_str(), players(&found)),
        ("playing", vec![held("Ada"), held("Bob")])
    );

    let (mut first, mut second) = (connect(&lobby, &id, &[&ada]), connect(&lobby, &id, &[&bob]));
    let begun = first.mirror().at();
    plays(&mut first, "mark a1");
    reaches(&mut second, begun + 1);
    plays(&mut second, "mark b1");
    // Nobody moves for somebody else.
    assert!(matches!(play(&mut second, "mark c3"), Reply::Refused(_)));
    reaches(&mut first, begun + 2);
    plays(&mut first, "mark a2");
    drop((first, second, server));

    let server = TestServer::start(folder.path());
    let lobby = server.lobby();
    let (mut first, mut second) = (connect(&lobby, &id, &[&ada]), connect(&lobby, &id, &[&bob]));
    assert_eq!((first.mirror().at(), second.mirror().at()), (begun + 3, begun + 3));
    plays(&mut second, "mark b2");
    reaches(&mut first, begun + 4);
    plays(&mut first, "mark a3");
    let mut spectator = connect(&lobby, &id, &[]);
    let outcome = spectator.mirror().view(None).unwrap().outcome().cloned();
    assert_eq!(outcome.unwrap().sole_winner(), Some(SeatId(0)));
    assert!(matches!(play(&mut spectator, "mark c3"), Reply::Refused(_) | Reply::Error { .. }));
    assert_eq!(lobby.one(&id).unwrap().status, "ended");
    assert_eq!(lobby.list("playing").unwrap(), []);
}

#[test]
fn who_is_not_welcome_is_told_why() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let lobby = server.lobby();
    let refused = |result: Result<(MatchSummary, String), boardwright_network::RemoteError>| result.unwrap_err().to_string();
    let nothing = CreateMatch {
        ruleset: "nothing".to_owned(),
        ..CreateMatch::default()
    };
    assert_eq!(refused(lobby.create(&nothing)), "there is no ruleset `nothing`");
    let nowhere = CreateMatch {
        scenario: Some("war".to_owned()),
        ..tic_tac_toe()
    };
    assert_eq!(refused(lobby.create(&nowhere)), "there is no scenario `war` of `tic-tac-toe`");
    let unknown = CreateMatch {
        players: [("crosses".to_owned(), "wizard".to_owned())].into(),
        ..tic_tac_toe()
    };
    assert!(refused(lobby.create(&unknown)).contains("wizard"));
    let long = CreateMatch {
        name: Some("x".repeat(41)),
        ..tic_tac_toe()
    };
    assert!(refused(lobby.create(&long)).starts_with("a name has 1 to 40 characters"));
    assert_eq!(lobby.one("000000000000").unwrap_err().to_string(), "there is no such match");
    assert_eq!(lobby.one("..").unwrap_err().to_string(), "there is no such match");
    assert_eq!(server.get("/nowhere").0, 404);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(folder.path().join("matches.db")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "what is hidden in matches is for the owner alone");
    }

    let id = lobby.create(&tic_tac_toe()).unwrap().0.id;
    let join = |who: &JoinMatch| lobby.join(&id, who).map_err(|error| error.to_string());
    for name in ["", "  ", "a\nb"] {
        assert!(
            join(&named(name)).unwrap_err().starts_with("a name has 1 to 40 characters"),
            "{name:?}"
        );
    }
    let seated = |name: &str, seat: &str| JoinMatch {
        seat: Some(seat.to_owned()),
        ..named(name)
    };
    assert_eq!(join(&seated("Ada", "dragons")).unwrap_err(), "there is no seat `dragons`");
    let (seat, _) = join(&seated("Žofie", "noughts")).unwrap();
    assert_eq!(seat, "noughts");
    assert_eq!(join(&seated("Bob", "noughts")).unwrap_err(), "the seat `noughts` is taken");
    assert_eq!(
        join(&named("žofie")).unwrap_err(),
        "there is a player called žofie in this match already"
    );
    join(&named("Ada")).unwrap();
    assert_eq!(join(&named("Eve")).unwrap_err(), "no seat is free");
    let wrong = lobby.cancel(&id, "wrong").unwrap_err().to_string();
    assert_eq!(wrong, "a token has 26 digits and letters");
    // A token of nobody opens nothing.
    let forged = "0".repeat(26);
    let mut link = lobby.connect(&id, &[forged], None, None, |_| {}).unwrap();
    let why = boardwright_client::Link::receive(&mut link, Some(LONG)).unwrap_err().to_string();
    assert_eq!(why, "the server has ended the connection: the token is not of a seat of this match");
    let mut link = lobby.connect(&id, &["wrong".to_owned()], None, None, |_| {}).unwrap();
    let why = boardwright_client::Link::receive(&mut link, Some(LONG)).unwrap_err().to_string();
    assert_eq!(why, "the server has ended the connection: a token has 26 digits and letters");
}

#[test]
fn a_private_match_is_found_by_its_id_alone() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let lobby = server.lobby();
    let private = CreateMatch {
        private: true,
        ..tic_tac_toe()
    };
    let id = lobby.create(&private).unwrap().0.id;
    assert_eq!(lobby.list("waiting").unwrap(), []);
    assert_eq!(lobby.one(&id).unwrap().id, id);
}

#[test]
fn a_computer_plays_with_whoever_comes() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let lobby = server.lobby();
    let wanted = CreateMatch {
        players: [("noughts".to_owned(), "random".to_owned())].into(),
        ..tic_tac_toe()
    };
    let id = lobby.create(&wanted).unwrap().0.id;
    let (_, token) = lobby.join(&id, &named("Ada")).unwrap();
    let mut connection = connect(&lobby, &id, &[&token]);
    let begun = connection.mirror().at();
    plays(&mut connection, "mark a1");
    reaches(&mut connection, begun + 2);
    // Nobody who comes over the network is the host of a match.
    for command in [
        Command::Undo,
        Command::Reload,
        Command::Pause { paused: true },
        Command::Edit { text: "dice 3".to_owned() },
    ] {
        let reply = connection.ask(command.clone()).unwrap();
        assert!(matches!(reply, Reply::Refused(_) | Reply::Error { .. }), "{command:?}: {reply:?}");
    }
}

#[test]
fn health_and_metrics_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    assert_eq!(server.get("/health"), (200, "ok\n".to_owned()));
    server.lobby().create(&tic_tac_toe()).unwrap();
    let (status, text) = server.get("/metrics");
    assert_eq!(status, 200);
    assert!(text.contains("boardwright_matches_created_total 1\n"), "{text}");
    assert_eq!(server.get("/api/matches?status=lost").0, 422);
}

/// A command that leaves a file behind where it is run.
fn leaving(mark: &Path) -> String {
    format!("exec:touch {}", mark.display())
}

#[test]
fn nobody_who_reaches_a_server_has_a_program_started_on_it() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    let server = TestServer::start(folder.path());
    let lobby = server.lobby();
    let command = leaving(&mark);
    let behind_at = command.replacen(':', " :", 1) + "@5";
    for player in [command.as_str(), &behind_at, &format!(" {command}"), &format!("{command}@5")] {
        let wanted = CreateMatch {
            players: [("crosses".to_owned(), player.to_owned())].into(),
            ..tic_tac_toe()
        };
        let refused = lobby.create(&wanted).unwrap_err().to_string();
        assert!(
            refused.contains("a server starts no programs") || refused.contains("a program has no limit"),
            "{player}: {refused}"
        );
    }
    let wanted = CreateMatch {
        options: [("crosses".to_owned(), command)].into(),
        ..tic_tac_toe()
    };
    let refused = lobby.create(&wanted).unwrap_err().to_string();
    assert!(refused.starts_with("there is no option `crosses`"), "{refused}");
    assert_eq!(lobby.list("playing").unwrap(), []);
    assert!(!mark.exists());
}

fn store_at(folder: &Path) -> SqliteStore {
    SqliteStore::open(&folder.join("matches.db")).unwrap()
}

fn append(store: &SqliteStore, entry: NewEntry) {
    let (done, result) = std::sync::mpsc::channel::<Result<(), StoreError>>();
    store.append(entry, Box::new(move |stored| done.send(stored).unwrap()));
    result.recv().unwrap().unwrap();
}

/// Opens a match of a store on a server, and says why it could not.
fn refusal(store: SqliteStore, id: MatchId) -> String {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let lobby = Arc::new(Lobby::new(Arc::new(store), Catalog::scan(&[project()]), 1, 100).unwrap());
    let opened = runtime.block_on(lobby.open(id));
    opened.map(drop).unwrap_err().to_string()
}

/// Whoever can write to the database, or wrote to it with an earlier version, starts nothing either.
#[test]
fn a_stored_match_in_which_a_program_is_to_play_is_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    let id = MatchId::new(7);
    let catalog = Catalog::scan(&[project()]);
    let choice = MatchChoice {
        ruleset: "tic-tac-toe".to_owned(),
        players: vec![("crosses".to_owned(), leaving(&mark))],
        policy: Some(Policy::RATED),
        ..MatchChoice::default()
    };
    let head = head_of(&prepare(&catalog, &choice).unwrap(), &choice);
    assert!(head.contains("exec:touch"));
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(head.as_bytes()).unwrap();
    let row = MatchRow {
        id,
        name: "Trap".to_owned(),
        ruleset: "tic-tac-toe".to_owned(),
        scenario: "standard".to_owned(),
        status: Status::Playing,
        is_listed: true,
        created: 0,
        changed: 0,
        settings: br#"{"seats": [["crosses", "random"], ["noughts", "random"]]}"#.to_vec(),
    };
    let store = store_at(folder.path());
    store.create(&row, &packed.finish().unwrap()).unwrap();
    let told = refusal(store, id);
    assert!(told.contains("a server starts no programs"), "{told}");
    assert!(!mark.exists());
}

#[test]
fn a_stored_match_of_which_an_entry_seats_a_program_is_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    let server = TestServer::start(folder.path());
    let lobby = server.lobby();
    let id = lobby.create(&tic_tac_toe()).unwrap().0.id;
    let tokens = ["Ada", "Bob"].map(|name| lobby.join(&id, &named(name)).unwrap().1);
    let mut both = connect(&lobby, &id, &[&tokens[0], &tokens[1]]);
    plays(&mut both, "mark a1");
    drop((both, server));

    // The same match once more, with a program in its newest entry.
    let store = store_at(folder.path());
    let StoredMatch { row, head, entries, .. } = store.load(id.parse().unwrap()).unwrap();
    let trap = MatchId::new(7);
    let row = MatchRow {
        id: trap,
        name: "Trap".to_owned(),
        ..row
    };
    store.create(&row, &head).unwrap();
    for (index, entry) in entries.iter().enumerate() {
        let mut read: serde_json::Value = serde_json::from_slice(entry).unwrap();
        if index + 1 == entries.len() {
            read["players"] = serde_json::json!([["crosses", "human"], ["noughts", leaving(&mark)]]);
        }
        append(
            &store,
            NewEntry {
                id: trap,
                number: index as u64 + 1,
                entry: serde_json::to_vec(&read).unwrap(),
                status: Status::Playing,
                at: 0,
            },
        );
    }
    let told = refusal(store, trap);
    assert!(told.contains("a server starts no programs"), "{told}");
    assert!(!mark.exists());
}

/// The file was written by a server of version 1 of the schema: a match of two people after three of their actions, and a private one that waits for
/// somebody to play against a computer. It waits ever longer, as the file grows old, and this server keeps it all the same.
#[test]
fn a_store_of_version_1_is_opened_and_its_matches_go_on() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(project().join("tests/formats/v1.matches.db"), folder.path().join("matches.db")).unwrap();
    let forever = Limits {
        kept_waiting: Duration::MAX,
        ..Limits::default()
    };
    let server = TestServer::with(folder.path(), forever);
    let lobby = server.lobby();
    let id = "jrd8tdtw6g3e";
    let found = lobby.one(id).unwrap();
    assert_eq!((found.name.as_str(), found.status.as_str()), ("Zápas", "playing"));
    let seats: Vec<SeatState> = found.seats.into_iter().map(|seat| seat.player).collect();
    assert_eq!(seats, [held("Ada"), held("Žofie")]);
    let tokens = ["21pnasrs9vz7cq3s8azpzb611k", "1p4zytw35j5d8bfjfj8r3kscba"];
    let mut both = connect(&lobby, id, &tokens);
    assert_eq!(both.mirror().at(), 4);
    plays(&mut both, "mark b2");
    plays(&mut both, "mark a3");
    assert_eq!(lobby.one(id).unwrap().status, "ended");

    assert_eq!(lobby.list("waiting").unwrap(), []);
    let id = "hnjy2fszhkc9";
    let (seat, token) = lobby.join(id, &named("Bob")).unwrap();
    assert_eq!(seat, "crosses");
    let mut bob = connect(&lobby, id, &[&token]);
    plays(&mut bob, "mark b2");
    reaches(&mut bob, 3);
}
