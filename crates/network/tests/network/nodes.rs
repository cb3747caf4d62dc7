//! Two servers that share a database: whoever comes to either plays the same match. The matches are of tic-tac-toe.

use std::net::TcpListener;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use boardwright_client::Connection;
use boardwright_content::Catalog;
use boardwright_network::{AddressLimits, CreateMatch, Limits, Lobby, Moderation, Role, kept_nowhere};
use boardwright_protocol::Reply;
use boardwright_store::{Cluster as _, MatchId, Owner, PostgresStore, Store};
use boardwright_test_postgres::{TestPostgres, new_database};
use serde_json::json;

use super::console::Operator;
use super::sockets::{closed, hear, open, say};
use super::{LONG, TestServer, connect, named, play, plays, project, reaches, tic_tac_toe};

/// A server, and its end of the database.
struct NodeServer {
    server: TestServer,
    store: Arc<PostgresStore>,
}

impl NodeServer {
    fn start(database: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let store = Arc::new(PostgresStore::open(database, &address, LONG).unwrap());
        let shared: Arc<dyn Store> = Arc::clone(&store) as Arc<dyn Store>;
        let lobby = Lobby::new(Arc::clone(&shared), Catalog::scan(&[project()]), 2, 100).unwrap();
        let lobby = lobby.guarded(AddressLimits::default(), Moderation::shared(shared).unwrap());
        let server = TestServer::listening(listener, lobby, Limits::default());
        Self { server, store }
    }

    fn owns(&self, id: &str) -> bool {
        self.store.claim(id.parse().unwrap()).unwrap() == Owner::Here
    }
}

/// Two servers, and a match of which the first is the node: Ada has come to it.
struct Pair {
    first: NodeServer,
    second: NodeServer,
    id: String,
    tokens: [String; 2],
    ada: Connection,
    database: String,
}

impl Pair {
    fn start(wanted: &CreateMatch) -> Self {
        let database = new_database();
        Self::of(database, wanted)
    }

    fn of(database: String, wanted: &CreateMatch) -> Self {
        let (first, second) = (NodeServer::start(&database), NodeServer::start(&database));
        let id = second.server.lobby().create(wanted).unwrap().0.id;
        // Its clocks begin to run at the node to which the last player comes.
        let tokens = [("Ada", &second), ("Bob", &first)].map(|(name, node)| node.server.lobby().join(&id, &named(name)).unwrap().1);
        let ada = connect(&first.server.lobby(), &id, &[&tokens[0]]);
        Self {
            first,
            second,
            id,
            tokens,
            ada,
            database,
        }
    }

    fn bob(&self) -> Connection {
        connect(&self.second.server.lobby(), &self.id, &[&self.tokens[1]])
    }
}

/// Why a connection has ended.
fn end(connection: &mut Connection) -> String {
    loop {
        match connection.poll(Some(LONG)) {
            Ok(message) => assert!(message.is_some(), "the connection does not end"),
            Err(why) => return why.to_string(),
        }
    }
}

/// Waits until something is so.
fn until(what: &str, is_so: impl Fn() -> bool) {
    let begun = std::time::Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < LONG, "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn players_who_come_to_two_servers_play_one_match_and_one_of_the_servers_runs_it() {
    let mut pair = Pair::start(&tic_tac_toe());
    let mut bob = pair.bob();
    let begun = bob.mirror().at();
    plays(&mut pair.ada, "mark a1");
    reaches(&mut bob, begun + 1);
    plays(&mut bob, "mark b2");
    reaches(&mut pair.ada, begun + 2);
    assert!(matches!(play(&mut bob, "mark c3"), Reply::Refused(_)));
    assert!(pair.first.owns(&pair.id) && !pair.second.owns(&pair.id));
    let (code, health) = pair.first.server.get("/health");
    assert!(
        code == 200 && health.starts_with("ok\nnode ") && health.contains("1 matches"),
        "{health}"
    );
    let metrics = pair.second.server.get("/metrics").1;
    assert!(
        metrics.contains("boardwright_own_matches 0") && metrics.contains("boardwright_nodes 2"),
        "{metrics}"
    );
    let folder = tempfile::tempdir().unwrap();
    let mut operator = Operator::of(&pair.second.server, Role::Operator, folder.path());
    let nodes = operator.does("nodes");
    assert!(nodes.contains("1 matches") && nodes.contains("0 matches, this one"), "{nodes}");
    // What only the node that runs it can do is said where it can be done.
    let told = operator.says(&format!("watch {}", pair.id)).unwrap_err();
    assert!(
        told.contains(&format!("is run by the node at {}", pair.first.server.address)),
        "{told}"
    );
}

/// Bans, pauses and what is announced are of all servers; codes with which a connection is closed arrive as they are.
#[test]
fn what_is_said_at_one_server_holds_at_the_others() {
    let mut pair = Pair::start(&tic_tac_toe());
    let folder = tempfile::tempdir().unwrap();
    let mut operator = Operator::of(&pair.second.server, Role::Operator, folder.path());
    let hears = |connection: &mut Connection, text: &str| loop {
        let message = connection.poll(Some(LONG)).unwrap().expect("it is not said");
        if format!("{message:?}").contains(text) {
            return;
        }
    };
    operator.does("announce the kettle is on");
    hears(&mut pair.ada, "the kettle is on");
    operator.does(&format!("pause {}", pair.id));
    hears(&mut pair.ada, "aused");
    assert!(matches!(play(&mut pair.ada, "mark a1"), Reply::Refused(_)));
    operator.does(&format!("resume {}", pair.id));
    until("it does not go on", || {
        !pair.first.server.hosted.moderation().is_paused(pair.id.parse().unwrap())
    });
    while !matches!(play(&mut pair.ada, "mark a1"), Reply::Done { .. }) {}
    operator.does("ban name Mallory");
    until("the ban is not heard of", || {
        pair.first
            .server
            .lobby()
            .join(&pair.id, &named("Mallory"))
            .unwrap_err()
            .to_string()
            .contains("banned")
    });
    // A server that is started later knows of it too.
    let third = NodeServer::start(&pair.database);
    assert!(third.server.hosted.moderation().ban_of_name("mallory").is_some());
    operator.does("unban name Mallory");
    until("it is not heard that the ban is lifted", || {
        third.server.hosted.moderation().ban_of_name("mallory").is_none()
    });
    let mut socket = open(&pair.second.server, &pair.id).unwrap();
    say(&mut socket, &json!({"protocol": 1, "tokens": [pair.tokens[1]]}));
    say(&mut socket, &json!({"id": 1, "do": "hello", "protocol": 1}));
    while hear(&mut socket)["id"] != 1 {}
    third.server.lobby().leave(&pair.id, &pair.tokens[1]).unwrap();
    let told = (1008, "your seat was left, or taken over from another connection".to_owned());
    assert_eq!(closed(&mut socket), told);
}

#[test]
fn who_waits_at_one_server_is_told_of_who_comes_to_another() {
    let database = new_database();
    let (first, second) = (NodeServer::start(&database), NodeServer::start(&database));
    let (created, creator) = first.server.lobby().create(&tic_tac_toe()).unwrap();
    let id = created.id;
    let mut at_owner = open(&first.server, &id).unwrap();
    say(&mut at_owner, &json!({"protocol": 1}));
    assert_eq!(hear(&mut at_owner)["notice"], "waiting");
    let mut forwarded = open(&second.server, &id).unwrap();
    say(&mut forwarded, &json!({"protocol": 1}));
    assert_eq!(hear(&mut forwarded)["notice"], "waiting");
    second.server.lobby().join(&id, &named("Ada")).unwrap();
    for socket in [&mut at_owner, &mut forwarded] {
        assert_eq!(hear(socket)["match"]["seats"][0]["player"], json!({"held": "Ada"}));
    }
    second.server.lobby().cancel(&id, &creator).unwrap();
    for socket in [&mut at_owner, &mut forwarded] {
        assert_eq!(closed(socket), (1008, "there is no such match".to_owned()));
    }
}

/// The first numbers are given at the node that runs the match, wherever players come.
#[test]
fn luck_that_is_verified_begins_with_players_at_two_servers() {
    let database = new_database();
    let nodes = [NodeServer::start(&database), NodeServer::start(&database)];
    let wanted = CreateMatch {
        ruleset: "conquest".to_owned(),
        scenario: Some("two".to_owned()),
        players: ["red", "blue"].map(|seat| (seat.to_owned(), "human".to_owned())).into(),
        verifiable: true,
        ..CreateMatch::default()
    };
    let id = nodes[0].server.lobby().create(&wanted).unwrap().0.id;
    let taken = [("Ada", &nodes[0]), ("Bob", &nodes[1])].map(|(name, node)| {
        let lobby = node.server.lobby();
        (lobby.take_seat(&id, &named(name)).unwrap(), lobby)
    });
    let come = taken.map(|(taken, lobby)| {
        let id = id.clone();
        thread::spawn(move || {
            let secrets = taken.luck.into_iter().map(|luck| (luck, kept_nowhere())).collect();
            let link = lobby.connect_with(&id, (&[taken.token], None), secrets, None, |_| {}).unwrap();
            let mut connection = Connection::open(Box::new(link)).unwrap();
            connection.settle().unwrap();
            connection.mirror().at()
        })
    });
    let at = come.map(|come| come.join().unwrap());
    assert!(at[0] > 0 && at[0] == at[1], "{at:?}");
}

#[test]
fn when_a_server_stops_its_matches_go_on_at_another_at_once_and_its_clocks_without_anybody() {
    let wanted = CreateMatch {
        clock: Some("1000s".parse().unwrap()),
        ..tic_tac_toe()
    };
    let mut pair = Pair::start(&wanted);
    let mut bob = pair.bob();
    let begun = bob.mirror().at();
    plays(&mut pair.ada, "mark a1");
    reaches(&mut bob, begun + 1);
    assert!(pair.first.owns(&pair.id));
    pair.first.server.stop().unwrap();
    let told = end(&mut bob);
    assert!(told.contains("about to stop"), "{told}");
    let id: MatchId = pair.id.parse().unwrap();
    let own = || {
        pair.second
            .store
            .nodes()
            .unwrap()
            .iter()
            .any(|node| node.is_here && node.matches == 1)
    };
    until("nobody takes the match over", own);
    until("its clocks do not run", || {
        pair.second.server.get("/metrics").1.contains("boardwright_open_matches 1")
    });
    let mut bob = pair.bob();
    assert_eq!(bob.mirror().at(), begun + 1);
    plays(&mut bob, "mark b2");
    assert_eq!(pair.second.store.claim(id).unwrap(), Owner::Here);
}

#[test]
fn a_server_that_was_declared_dead_closes_its_matches_and_begins_again() {
    let mut pair = Pair::start(&tic_tac_toe());
    let mut bob = pair.bob();
    let begun = bob.mirror().at();
    plays(&mut pair.ada, "mark a1");
    reaches(&mut bob, begun + 1);
    let mut database = postgres::Client::connect(&pair.database, postgres::NoTls).unwrap();
    database
        .execute("DELETE FROM nodes WHERE address = $1", &[&pair.first.server.address])
        .unwrap();
    for connection in [&mut pair.ada, &mut bob] {
        let told = end(connection);
        assert!(told.contains("come back to it"), "{told}");
    }
    let mut bob = pair.bob();
    plays(&mut bob, "mark b2");
    let mut ada = connect(&pair.first.server.lobby(), &pair.id, &[&pair.tokens[0]]);
    assert_eq!(ada.mirror().at(), begun + 2);
    plays(&mut ada, "mark a2");
    reaches(&mut bob, begun + 3);
}

#[test]
fn matches_that_nobody_comes_to_any_more_are_of_whoever_comes_next() {
    let pair = Pair::start(&tic_tac_toe());
    let first = || {
        pair.first
            .store
            .nodes()
            .unwrap()
            .iter()
            .filter(|node| node.is_here)
            .map(|node| node.matches)
            .sum::<u64>()
    };
    assert_eq!(first(), 1);
    drop(pair.ada);
    until("it is not given up", || first() == 0);
    let bob = connect(&pair.second.server.lobby(), &pair.id, &[&pair.tokens[1]]);
    assert!(pair.second.owns(&pair.id));
    drop(bob);
}

/// Nobody but a node is believed whom they stand for.
#[test]
fn the_address_of_a_client_is_believed_of_those_who_know_the_secret_of_the_nodes() {
    let node = NodeServer::start(&new_database());
    let folder = tempfile::tempdir().unwrap();
    Operator::of(&node.server, Role::Operator, folder.path()).does("ban address 192.0.2.7");
    let ask = |secret: &str| {
        let config = ureq::Agent::config_builder().http_status_as_error(false).build();
        let asked = ureq::Agent::from(config)
            .get(format!("http://{}/api/matches", node.server.address))
            .header("boardwright-secret", secret)
            .header("boardwright-client", "192.0.2.7")
            .call();
        asked.unwrap().status().as_u16()
    };
    let secret = node.store.secret();
    assert_eq!(secret.len(), 64);
    assert_eq!([ask(secret), ask(""), ask("0"), ask(&secret[1..])], [403, 200, 200, 200]);
}

/// The database goes away in the middle of a match: what is done then is answered when it is back.
#[test]
fn a_match_waits_for_its_database() {
    let mut postgres = TestPostgres::start();
    let mut pair = Pair::of(postgres.database(), &tic_tac_toe());
    let begun = pair.ada.mirror().at();
    postgres.stop();
    let asked = thread::spawn(move || {
        plays(&mut pair.ada, "mark a1");
        pair
    });
    thread::sleep(Duration::from_millis(100));
    assert!(!asked.is_finished());
    postgres.start_again();
    let pair = asked.join().unwrap();
    until("it is not healthy again", || pair.first.server.get("/health").0 == 200);
    let bob = pair.bob();
    assert_eq!(bob.mirror().at(), begun + 1);
}

/// A node that does not answer any more is no reason to wait for it for ever.
#[test]
fn who_comes_for_a_match_whose_node_is_not_reached_is_told_to_come_again() {
    let database = new_database();
    let node = NodeServer::start(&database);
    let id = node.server.lobby().create(&tic_tac_toe()).unwrap().0.id;
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let other = PostgresStore::open(&database, &gone, LONG).unwrap();
    assert_eq!(other.claim(id.parse().unwrap()).unwrap(), Owner::Here);
    let mut socket = open(&node.server, &id).unwrap();
    say(&mut socket, &json!({"protocol": 1}));
    let (code, told) = closed(&mut socket);
    assert!(code == 1013 && told.contains(&gone), "{code}: {told}");
    // Meanwhile the other one may leave.
    let mut socket = open(&node.server, &id).unwrap();
    say(&mut socket, &json!({"protocol": 1}));
    drop(other);
    assert_eq!(hear(&mut socket)["notice"], "waiting");
}
