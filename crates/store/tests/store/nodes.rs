//! Several nodes that share a database: of two that believe a match is their own, one stores.

use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use boardwright_store::{Cluster, ClusterNews, MatchId, Owner, PostgresStore, SeatChange, Store, StoreError};
use boardwright_test_postgres::TestPostgres;
use postgres::{Client, NoTls};

use super::conformance::Place as _;
use super::{LONG, Postgres, append, append_only, entry, row, take};

impl Postgres {
    /// The database, past the stores.
    fn client(&self) -> Client {
        Client::connect(&self.0, NoTls).unwrap()
    }

    /// A node that was there and says nothing any more, and its match 1. It has been silent for so many seconds after it counts as dead.
    fn silent_node(&self, seconds: i32) -> i64 {
        let mut client = self.client();
        let insert = "INSERT INTO nodes (address, alive_until, steady_since) \
                      VALUES ('silent', clock_timestamp() - $1 * interval '1 s', '-infinity') RETURNING id";
        let node: i64 = client.query_one(insert, &[&f64::from(seconds)]).unwrap().get(0);
        client.execute("INSERT INTO leases VALUES (1, $1)", &[&node]).unwrap();
        node
    }
}

fn node_id(store: &PostgresStore) -> i64 {
    let nodes = store.nodes().unwrap();
    nodes.iter().find(|node| node.is_here).unwrap().id as i64
}

fn at(address: &str) -> Owner {
    Owner::At(address.to_owned())
}

/// What a node hears.
fn heard_of(store: &PostgresStore) -> Receiver<ClusterNews> {
    let (heard, news) = mpsc::channel();
    store.listen(Box::new(move |news| drop(heard.send(news))));
    news
}

/// Waits until a node hears something.
fn hears(news: &Receiver<ClusterNews>, wanted: &ClusterNews) {
    while news.recv_timeout(LONG).expect("it does not hear of it") != *wanted {}
}

const ID: MatchId = MatchId::new(1);

#[test]
fn a_match_is_the_own_of_one_node_however_many_want_it_at_once() {
    let place = Postgres::new();
    let nodes = ["a", "b", "c", "d"].map(|address| place.node(address));
    for id in 1..=20 {
        nodes[0].create(&row(id), b"").unwrap();
        let owners = std::thread::scope(|scope| {
            let claims = nodes
                .each_ref()
                .map(|node| scope.spawn(move || node.claim(MatchId::new(id)).unwrap()));
            claims.map(|claim| claim.join().unwrap())
        });
        let own = owners.iter().position(|owner| *owner == Owner::Here).unwrap();
        for (place, owner) in owners.iter().enumerate() {
            assert!(place == own || *owner == at(["a", "b", "c", "d"][own]), "{owners:?}");
        }
    }
    let nodes = nodes[0].nodes().unwrap();
    let addresses: Vec<&str> = nodes.iter().map(|node| node.address.as_str()).collect();
    assert_eq!(addresses, ["a", "b", "c", "d"]);
    assert_eq!(nodes.iter().map(|node| node.matches).sum::<u64>(), 20);
}

#[test]
fn of_two_nodes_that_both_believe_a_match_is_their_own_one_stores() {
    let place = Postgres::new();
    let (first, second) = (place.node("first"), place.node("second"));
    first.create(&row(1), b"head").unwrap();
    append(&first, entry(1, 1)).unwrap();
    assert_eq!(second.claim(ID).unwrap(), at("first"));
    let refused = append_only(&second, entry(1, 2)).unwrap_err();
    assert!(matches!(refused, StoreError::Fenced(ID)), "{refused}");

    // It is late, and others declare it dead. It goes on until it notices.
    let news = heard_of(&first);
    place
        .client()
        .execute("DELETE FROM nodes WHERE id = $1", &[&node_id(&first)])
        .unwrap();
    assert_eq!(second.claim(ID).unwrap(), Owner::Here);
    append_only(&second, entry(1, 2)).unwrap();
    for number in [2, 3] {
        let mut other = entry(1, number);
        other.entry = b"another".to_vec();
        let refused = append_only(&first, other).unwrap_err();
        assert!(
            matches!(refused, StoreError::Fenced(ID) | StoreError::OutOfOrder { .. }),
            "{refused}"
        );
    }
    assert!(matches!(first.replace_head(ID, b"another", 1), Err(StoreError::Fenced(ID))));
    hears(&news, &ClusterNews::DeclaredDead);
    append_only(&second, entry(1, 3)).unwrap();
    let stored = first.load(ID).unwrap();
    assert_eq!((stored.head, stored.entries.len()), (b"head".to_vec(), 3));
    // It begins again, as another node.
    while first.nodes().unwrap().iter().all(|node| !node.is_here) {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(first.claim(ID).unwrap(), at("second"));
    drop(second);
    append(&first, entry(1, 4)).unwrap();
}

#[test]
fn the_match_of_a_node_that_is_silent_goes_to_whoever_claims_it_and_that_of_one_that_is_alive_does_not() {
    let place = Postgres::new();
    let node = place.node("here");
    node.create(&row(1), b"").unwrap();
    let silent = place.silent_node(-600);
    assert_eq!(node.claim(ID).unwrap(), at("silent"));
    place
        .client()
        .execute(
            "UPDATE nodes SET alive_until = clock_timestamp() - interval '1 s' WHERE id = $1",
            &[&silent],
        )
        .unwrap();
    assert_eq!(node.claim(ID).unwrap(), Owner::Here);
    append_only(&node, entry(1, 1)).unwrap();
}

#[test]
fn a_node_is_not_declared_dead_while_it_stores_something() {
    let place = Postgres::new();
    let node = place.node("here");
    node.create(&row(1), b"").unwrap();
    let silent = place.silent_node(-600);
    // As the statement that stores entries does.
    let mut client = place.client();
    let mut transaction = client.transaction().unwrap();
    transaction
        .execute("SELECT FROM nodes WHERE id = $1 FOR KEY SHARE", &[&silent])
        .unwrap();
    // It is late all the same.
    let late = "UPDATE nodes SET alive_until = clock_timestamp() - interval '1 s' WHERE id = $1";
    place.client().execute(late, &[&silent]).unwrap();
    assert_eq!(node.claim(ID).unwrap(), at("silent"));
    transaction.commit().unwrap();
    assert_eq!(node.claim(ID).unwrap(), Owner::Here);
}

/// The database was away: all nodes are late, and the first that is back says nothing of the others.
#[test]
fn a_node_that_was_late_itself_does_not_declare_others_dead() {
    let place = Postgres::new();
    let node = place.node("here");
    node.create(&row(1), b"").unwrap();
    let mut client = place.client();
    client
        .execute("UPDATE nodes SET steady_since = 'infinity' WHERE id = $1", &[&node_id(&node)])
        .unwrap();
    place.silent_node(1);
    assert_eq!(node.claim(ID).unwrap(), at("silent"));
    client.execute("UPDATE nodes SET steady_since = '-infinity'", &[]).unwrap();
    assert_eq!(node.claim(ID).unwrap(), Owner::Here);
}

#[test]
fn whoever_begins_to_listen_is_told_that_something_may_have_gone_by() {
    let place = Postgres::new();
    let (first, second) = (place.node("first"), place.node("second"));
    let news = heard_of(&second);
    // Until the node hears others: then it has nothing to say by itself.
    while news.recv_timeout(Duration::from_millis(200)) != Ok(ClusterNews::Told("hello".to_owned())) {
        first.tell("hello".to_owned());
    }
    let again = heard_of(&second);
    assert_eq!(again.recv_timeout(LONG), Ok(ClusterNews::Missed));
}

#[test]
fn nodes_hear_of_seats_and_of_matches_without_a_node_and_of_what_is_told() {
    let place = Postgres::new();
    let (first, second) = (place.node("first"), place.node("second"));
    let news = heard_of(&second);
    first.create(&row(1), b"").unwrap();
    // It may have begun to hear only now.
    let told = |text: &str| ClusterNews::Told(text.to_owned());
    loop {
        first.tell("is anybody there?".to_owned());
        if news.recv_timeout(Duration::from_millis(200)) == Ok(told("is anybody there?")) {
            break;
        }
    }
    first.seat(ID, &take(&[1], 2, "Ada", 1), 0).unwrap();
    hears(&news, &ClusterNews::Changed { id: ID, seat: Some(1) });
    second.seat(ID, &SeatChange::Free { seat: 1 }, 0).unwrap();
    first.cancel(ID).unwrap();
    // Of what it has done itself it hears nothing. What was asked at the beginning may come late.
    let news_of_match = std::iter::repeat_with(|| news.recv_timeout(LONG)).find(|heard| *heard != Ok(told("is anybody there?")));
    assert_eq!(news_of_match, Some(Ok(ClusterNews::Changed { id: ID, seat: None })));
    first.create(&row(1), b"").unwrap();
    place.silent_node(1);
    hears(&news, &ClusterNews::Gone("silent".to_owned()));
    hears(&news, &ClusterNews::Orphans(vec![ID]));
}

#[test]
fn what_nodes_keep_in_common_is_changed_by_one_at_a_time() {
    let place = Postgres::new();
    let nodes = ["a", "b", "c"].map(|address| place.node(address));
    assert_eq!(nodes[0].notes().unwrap(), "");
    std::thread::scope(|scope| {
        for node in &nodes {
            scope.spawn(|| (0..20).for_each(|_| node.change_notes(&mut |notes| Some(format!("{notes}x"))).unwrap()));
        }
    });
    assert_eq!(nodes[1].notes().unwrap().len(), 60);
}

#[test]
fn a_match_that_is_released_or_whose_node_leaves_is_free_at_once() {
    let place = Postgres::new();
    let (first, second) = (place.node("first"), place.node("second"));
    first.create(&row(1), b"").unwrap();
    append(&first, entry(1, 1)).unwrap();
    first.release(ID).unwrap();
    append(&second, entry(1, 2)).unwrap();
    assert!(matches!(append_only(&first, entry(1, 3)), Err(StoreError::Fenced(ID))));
    second.leave();
    append(&first, entry(1, 3)).unwrap();
    assert!(matches!(first.claim(MatchId::new(9)), Err(StoreError::NoMatch(_))));
    assert_eq!(first.nodes().unwrap().len(), 1);
}

/// Entries are sent again, as whoever runs matches does it, until the database is back.
#[test]
fn a_database_that_was_away_is_used_again_when_it_is_back() {
    let mut server = TestPostgres::start();
    let place = Postgres(server.database());
    let node = place.node("here");
    node.create(&row(1), b"").unwrap();
    append(&node, entry(1, 1)).unwrap();
    server.stop();
    for _ in 0..2 {
        assert!(matches!(append_only(&node, entry(1, 2)), Err(StoreError::Database(_))));
        assert!(matches!(node.row(ID), Err(StoreError::Database(_))));
        assert!(matches!(node.check(), Err(StoreError::Database(_))));
    }
    server.start_again();
    // The first one may go over a connection of before.
    while node.check().is_err() {}
    while let Err(error) = append_only(&node, entry(1, 2)) {
        assert!(matches!(error, StoreError::Database(_)), "{error}");
    }
    append_only(&node, entry(1, 2)).unwrap();
    assert_eq!(node.load(ID).unwrap().entries.len(), 2);
}

#[test]
fn a_database_of_a_newer_version_is_refused_and_one_of_this_version_opened_by_many_at_once() {
    let place = Postgres::new();
    std::thread::scope(|scope| {
        let opened = [(); 4].map(|()| scope.spawn(|| drop(place.open())));
        for opened in opened {
            opened.join().unwrap();
        }
    });
    let newer = "INSERT INTO refinery_schema_history VALUES (99, 'later', '2030-01-01T00:00:00Z', '1')";
    place.client().execute(newer, &[]).unwrap();
    let refused = PostgresStore::open(&place.0, "here", LONG).unwrap_err();
    assert!(matches!(refused, StoreError::Newer(_)), "{refused}");
}

#[test]
fn a_password_is_not_told() {
    for url in [
        "postgres://ada:hush@127.0.0.1:1/games",
        "postgres://ada:hush@127.0.0.1:port/games",
        "hush",
    ] {
        let refused = PostgresStore::open(url, "here", LONG).unwrap_err();
        assert!(!format!("{refused} {refused:?}").contains("hush"), "{refused}");
    }
    let place = Postgres(boardwright_test_postgres::new_database().replacen("test@", "test:hush@", 1));
    let node = place.node("here");
    assert!(!format!("{node:?} {}", node.place()).contains("hush"));
    assert!(node.place().contains("test_"), "{}", node.place());
}
