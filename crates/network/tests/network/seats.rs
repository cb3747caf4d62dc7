//! Seats that are taken and left, and matches of which somebody is the creator. They are of tic-tac-toe.

use std::sync::Arc;

use boardwright_client::{Connection, Link as _};
use boardwright_content::Catalog;
use boardwright_network::{CreateMatch, JoinMatch, Lobby, LobbyError, MatchPolicy, SeatState};
use boardwright_protocol::{Command, Reply};
use boardwright_store::{SqliteStore, Status};
use serde_json::json;

use super::sockets::{closed, hear, open, say};
use super::{LONG, TestServer, connect, named, plays, project, tic_tac_toe};

#[test]
fn the_creator_of_a_match_cancels_it_and_sends_guests_away_and_nobody_else_does() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let lobby = server.lobby();
    let (found, creator) = lobby.create(&tic_tac_toe()).unwrap();
    let id = found.id;
    let (seat, ada) = lobby.join(&id, &named("Ada")).unwrap();
    for wrong in [ada.as_str(), &"0".repeat(26)] {
        let told = "the token is not of the creator of this match";
        assert_eq!(lobby.cancel(&id, wrong).unwrap_err().to_string(), told);
        assert_eq!(lobby.kick(&id, &seat, wrong).unwrap_err().to_string(), told);
    }
    assert!(
        lobby
            .cancel(&id, "no token")
            .unwrap_err()
            .to_string()
            .contains("26 digits and letters")
    );
    lobby.kick(&id, &seat, &creator).unwrap();
    assert_eq!(lobby.kick(&id, &seat, &creator).unwrap_err().to_string(), "nobody holds this seat");
    assert_eq!(
        lobby.kick(&id, "dragons", &creator).unwrap_err().to_string(),
        "there is no seat `dragons`: there are crosses, noughts"
    );
    assert_eq!(lobby.one(&id).unwrap().seats[0].player, SeatState::Free);
    // Who waits for the match is told that it is gone.
    let mut waiting = open(&server, &id).unwrap();
    say(&mut waiting, &json!({"protocol": 1}));
    assert_eq!(hear(&mut waiting)["notice"], "waiting");
    lobby.cancel(&id, &creator).unwrap();
    assert_eq!(closed(&mut waiting), (1008, "there is no such match".to_owned()));

    let (found, creator) = lobby.create(&tic_tac_toe()).unwrap();
    for name in ["Ada", "Bob"] {
        lobby.join(&found.id, &named(name)).unwrap();
    }
    let told = lobby.cancel(&found.id, &creator).unwrap_err().to_string();
    assert_eq!(told, "the match has begun or ended");
}

/// Lets messages come until one says something.
fn hears(connection: &mut Connection, text: &str) {
    loop {
        let message = connection.poll(Some(LONG)).unwrap().expect("it is not said");
        if format!("{message:?}").contains(text) {
            return;
        }
    }
}

#[test]
fn a_seat_that_is_left_is_free_in_the_match_as_well_and_the_others_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let lobby = server.lobby();
    let (found, creator) = lobby.create(&tic_tac_toe()).unwrap();
    let id = found.id;
    let tokens = ["Ada", "Bob"].map(|name| lobby.join(&id, &named(name)).unwrap().1);
    let mut bob = connect(&lobby, &id, &[&tokens[1]]);
    let mut ada = open(&server, &id).unwrap();
    say(&mut ada, &json!({"protocol": 1, "tokens": [tokens[0]]}));
    say(&mut ada, &json!({"id": 1, "do": "hello", "protocol": 1}));
    while hear(&mut ada)["id"] != 1 {}
    lobby.leave(&id, &tokens[0]).unwrap();
    hears(&mut bob, "nobody plays Crosses any more");
    let told = "your seat was left, or taken over from another connection";
    assert_eq!(closed(&mut ada), (1008, told.to_owned()));
    let (_, eve) = lobby.join(&id, &named("Eve")).unwrap();
    hears(&mut bob, "Eve plays Crosses now");
    let mut eve = connect(&lobby, &id, &[&eve]);
    plays(&mut eve, "mark a1");
    // The old token opens nothing any more.
    let mut old = lobby.connect(&id, &[tokens[0].clone()], None, None, |_| {}).unwrap();
    assert!(old.receive(Some(LONG)).unwrap_err().to_string().contains("not of a seat"));
    // Who was sent away is told as well, while the match goes on.
    lobby.kick(&id, "crosses", &creator).unwrap();
    hears(&mut bob, "nobody plays Crosses any more");
    plays(&mut bob, "mark b1");
}

#[test]
fn a_password_is_asked_of_players_and_spectators() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let lobby = server.lobby();
    let wanted = CreateMatch {
        password: Some("sesame".to_owned()),
        ..tic_tac_toe()
    };
    let (found, _) = lobby.create(&wanted).unwrap();
    assert!(found.has_password && !server.get("/api/matches").1.contains("argon2"));
    let with = |name: &str, password: Option<&str>| {
        let who = JoinMatch {
            password: password.map(str::to_owned),
            ..named(name)
        };
        lobby.join(&found.id, &who).map_err(|error| error.to_string())
    };
    assert_eq!(with("Ada", None).unwrap_err(), "this match asks for a password");
    assert_eq!(with("Ada", Some("Sesame")).unwrap_err(), "this is not the password of the match");
    let tokens = ["Ada", "Bob"].map(|name| with(name, Some("sesame")).unwrap().1);
    for (password, told) in [
        (None, "this match asks for a password"),
        (Some("open"), "this is not the password of the match"),
    ] {
        let mut link = lobby.connect(&found.id, &[], password, None, |_| {}).unwrap();
        let why = link.receive(Some(LONG)).unwrap_err().to_string();
        assert_eq!(why, format!("the server has ended the connection: {told}"));
    }
    let link = lobby.connect(&found.id, &[], Some("sesame"), None, |_| {}).unwrap();
    Connection::open(Box::new(link)).unwrap().settle().unwrap();
    plays(&mut connect(&lobby, &found.id, &[&tokens[0]]), "mark a1");
    let empty = CreateMatch {
        password: Some(String::new()),
        ..tic_tac_toe()
    };
    let told = lobby.create(&empty).unwrap_err().to_string();
    assert_eq!(told, "a password has 1 to 200 bytes");
    // At rest there is no password.
    drop(server);
    let bytes = std::fs::read(folder.path().join("matches.db")).unwrap();
    assert!(!bytes.windows(6).any(|bytes| bytes == b"sesame"));
}

#[test]
fn in_a_casual_match_hints_are_given() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let lobby = server.lobby();
    for (policy, is_helped) in [(MatchPolicy::Rated, false), (MatchPolicy::Casual, true)] {
        let wanted = CreateMatch { policy, ..tic_tac_toe() };
        let (found, _) = lobby.create(&wanted).unwrap();
        assert_eq!(found.policy, policy);
        let tokens = ["Ada", "Bob"].map(|name| lobby.join(&found.id, &named(name)).unwrap().1);
        let mut ada = connect(&lobby, &found.id, &[&tokens[0]]);
        let hint = Command::Hint {
            player: Some("greedy".to_owned()),
            milliseconds: Some(1),
        };
        assert_eq!(matches!(ada.ask(hint).unwrap(), Reply::Done { .. }), is_helped);
        // The state is changed by hand in neither.
        let edit = Command::Edit { text: "dice 3".to_owned() };
        assert!(matches!(ada.ask(edit).unwrap(), Reply::Refused(_) | Reply::Error { .. }));
    }
}

#[test]
fn matches_in_the_list_have_names_of_their_own_and_a_link_leads_to_each() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let lobby = server.lobby();
    let called = |name: &str| CreateMatch {
        name: Some(name.to_owned()),
        ..tic_tac_toe()
    };
    lobby.create(&called("Žofie's")).unwrap();
    let told = lobby.create(&called("žOFIE'S")).unwrap_err().to_string();
    assert_eq!(told, "there is one called žOFIE'S already");
    let hidden = lobby.create(&called("a\u{202e}b")).unwrap_err().to_string();
    assert_eq!(hidden, "a name has 1 to 40 characters, all of them visible");
    // Called like their scenario, they are told from one another by their ids.
    let [first, second] = [(); 2].map(|()| lobby.create(&tic_tac_toe()).unwrap().0);
    assert_eq!(second.name, format!("{} {}", first.name, second.id));
    let (status, text) = server.get(&format!("/m/{}", first.id));
    assert_eq!(status, 200);
    let join = format!("boardwright join {} {} --name NAME", server.address, first.id);
    assert!(text.contains(&join), "{text}");
    assert_eq!(lobby.link(&first.id), format!("http://{}/m/{}", server.address, first.id));
    assert_eq!(server.get("/m/000000000000").0, 404);
}

#[test]
fn matches_that_nobody_comes_to_are_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&folder.path().join("matches.db")).unwrap();
    let lobby = Lobby::new(Arc::new(store), Catalog::scan(&[project()]), 1, 2).unwrap();
    let (waiting, _) = lobby.create(&tic_tac_toe()).unwrap();
    let (playing, _) = lobby.create(&tic_tac_toe()).unwrap();
    for name in ["Ada", "Bob"] {
        lobby.join(playing.id.parse().unwrap(), &named(name)).unwrap();
    }
    assert!(matches!(lobby.create(&tic_tac_toe()), Err(LobbyError::Full)));
    assert_eq!(lobby.sweep(waiting.changed, u64::MAX).unwrap(), 0);
    assert_eq!(lobby.sweep(u64::MAX, u64::MAX).unwrap(), 1);
    assert!(matches!(lobby.summary(waiting.id.parse().unwrap()), Err(LobbyError::NoMatch)));
    assert_eq!(lobby.list(Status::Playing).unwrap().len(), 1);
    // There is room again.
    lobby.create(&tic_tac_toe()).unwrap();
}

/// What the page of the protocol says that is sent to the lobby.
#[test]
fn what_the_page_of_the_protocol_sends_to_the_lobby_is_understood() {
    let page = std::fs::read_to_string(project().join("docs/protocol.md")).unwrap();
    let example = |request: &str| {
        let row = page
            .lines()
            .find(|line| line.starts_with(&format!("| `POST /api/{request}` |")))
            .unwrap();
        row.split('`').find(|code| code.starts_with('{')).unwrap()
    };
    let create: CreateMatch = serde_json::from_str(example("matches")).unwrap();
    assert_eq!((create.policy, create.private), (MatchPolicy::Casual, true));
    let join: JoinMatch = serde_json::from_str(example("matches/ID/seats")).unwrap();
    assert_eq!((join.name.as_str(), join.seat.as_deref()), ("Ada", Some("red")));
}
