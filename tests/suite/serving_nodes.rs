//! Several servers that share a database, as processes: one of them is killed while a match is played.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use boardwright::client::Connection;
use boardwright::model::SeatId;
use boardwright::network::{CreateMatch, JoinMatch, RemoteLobby};
use boardwright::protocol::{Command as Ask, Reply};
use boardwright::rules::Generator;
use boardwright_test_postgres::new_database;

use crate::served::{Served, serve};

/// How many rounds are played, each with a node that is killed; so many that it takes a while are a matter of patience.
const ROUNDS: &str = "BOARDWRIGHT_KILL_ROUNDS";
/// The longest that a match may stand still in a long run, which nothing else disturbs.
const MOST_STANDING_STILL: Duration = Duration::from_secs(3);
/// The most actions that are played before a node is killed: a match is longer.
const MOST_PLAYED: usize = 60;
/// How long something is waited for that comes.
const LONG: Duration = Duration::from_mins(1);

/// A server of a database.
struct Node {
    served: Served,
    _data: tempfile::TempDir,
}

impl Node {
    fn start(database: &str) -> Self {
        let data = tempfile::tempdir().unwrap();
        let arguments = ["--store", database, "--log-level", "error"];
        Self {
            served: Served::start(serve("127.0.0.1:0", data.path()).stderr(Stdio::inherit()).args(arguments)),
            _data: data,
        }
    }

    fn lobby(&self) -> RemoteLobby {
        self.served.lobby()
    }
}

/// Two people around one screen, in a match of which they know what was answered.
struct Players {
    id: String,
    tokens: [String; 2],
    /// The events of the match that it began with, and one for each action that was answered.
    answered: usize,
    /// Actions of which it is not known whether they were carried out.
    unanswered: usize,
}

impl Players {
    /// They create a match and take its seats at one server.
    fn new(lobby: &RemoteLobby) -> Self {
        let wanted = CreateMatch {
            ruleset: "sixteen-soldiers".to_owned(),
            ..CreateMatch::default()
        };
        let id = lobby.create(&wanted).unwrap().0.id;
        let tokens = ["Ada", "Bob"].map(|name| {
            let who = JoinMatch {
                name: name.to_owned(),
                ..JoinMatch::default()
            };
            lobby.join(&id, &who).unwrap().1
        });
        Self {
            id,
            tokens,
            answered: 0,
            unanswered: 0,
        }
    }

    /// Somebody connects as soon as that is possible, also if a server is late for a moment.
    fn connect(&self, lobby: &RemoteLobby, tokens: &[String]) -> Connection {
        let begun = Instant::now();
        loop {
            let link = lobby.connect(&self.id, tokens, None, None, |_| {});
            if let Ok(link) = link
                && let Ok(mut connection) = Connection::open(Box::new(link))
                && connection.settle().is_ok()
            {
                return connection;
            }
            assert!(begun.elapsed() < LONG, "nobody gets to the match");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// They come to a server, and find everything that was answered, and nothing that nobody asked for.
    fn come(&mut self, lobby: &RemoteLobby) -> Connection {
        let both = self.connect(lobby, &self.tokens);
        let at = both.mirror().at();
        let most = self.answered + self.unanswered;
        assert!(
            self.answered == 0 || (self.answered..=most).contains(&at),
            "{at} is not in {}..={most}",
            self.answered
        );
        (self.answered, self.unanswered) = (at, 0);
        both
    }

    /// They play one action; false if the connection has ended.
    fn play(&mut self, both: &mut Connection) -> bool {
        let Ok(Reply::Legal { actions, .. }) = both.ask(Ask::Legal { seat: None }) else {
            return false;
        };
        let text = actions[self.answered * 7 % actions.len()].notation.clone();
        let played = both.ask(Ask::Play {
            text,
            seat: None,
            at: None,
        });
        match &played {
            Ok(Reply::Done { .. }) => self.answered += 1,
            Ok(other) => panic!("{other:?}"),
            Err(_) => self.unanswered += 1,
        }
        played.is_ok()
    }

    /// They come, as often as they have to, until an action is answered.
    fn go_on(&mut self, lobby: &RemoteLobby) -> Connection {
        loop {
            let mut both = self.come(lobby);
            if self.play(&mut both) {
                return both;
            }
        }
    }

    /// How the match stands, as they see it at a server.
    fn seen(&mut self, lobby: &RemoteLobby) -> Vec<(Option<SeatId>, u64)> {
        let both = self.come(lobby);
        // What is remembered of earlier positions a mirror has from where it began.
        let views = both.mirror().views().map(|(seat, view)| (seat, view.digest_without_history()));
        views.collect()
    }
}

/// Plays a match of which one node is killed in the middle; how long it stood still, and whether the node was the one that ran it.
fn round(nodes: &mut [Node; 2], database: &str, generator: &mut Generator, is_first: bool) -> (Duration, bool) {
    let [owner, front, other] = [(); 3].map(|()| generator.below(2) as usize);
    // However few rounds there are, in one the match has to move.
    let victim = if is_first { owner } else { other };
    let lobbies = nodes.each_ref().map(Node::lobby);
    let mut players = Players::new(&lobbies[front]);
    // The first who comes makes the match the node's own.
    let spectator = players.connect(&lobbies[owner], &[]);
    let mut both = players.come(&lobbies[front]);
    let is_killed = AtomicBool::new(false);
    let (after, child) = (Duration::from_millis(generator.below(300).into()), &mut nodes[victim].served.child);
    let killed = thread::scope(|scope| {
        let killer = scope.spawn(|| {
            thread::sleep(after);
            child.kill().unwrap();
            let killed = Instant::now();
            is_killed.store(true, Ordering::Relaxed);
            killed
        });
        let mut was_killed = false;
        // A node that is not needed for the match is not missed.
        while !was_killed {
            was_killed = is_killed.load(Ordering::Relaxed);
            if players.answered > MOST_PLAYED && !was_killed {
                thread::sleep(Duration::from_millis(1));
            } else if !players.play(&mut both) {
                break;
            }
        }
        killer.join().unwrap()
    });
    drop(both);
    drop(players.go_on(&lobbies[1 - victim]));
    let still = killed.elapsed();
    drop(spectator);
    nodes[victim] = Node::start(database);
    // Both nodes show the same.
    let seen = players.seen(&nodes[victim].lobby());
    assert_eq!(players.seen(&lobbies[1 - victim]), seen);
    (still, owner == victim)
}

#[test]
fn a_match_goes_on_at_another_node_when_its_own_is_killed_and_nothing_that_was_answered_is_lost() {
    let rounds = std::env::var(ROUNDS).ok().map(|rounds| rounds.parse::<usize>().unwrap());
    let mut generator = Generator::new(1_u64);
    let database = new_database();
    let mut nodes = [Node::start(&database), Node::start(&database)];
    let (mut own, mut other) = (Vec::new(), Vec::new());
    for number in 0..rounds.unwrap_or(3) {
        let (still, was_own) = round(&mut nodes, &database, &mut generator, number == 0);
        if was_own { own.push(still) } else { other.push(still) }
    }
    for (what, times) in [("that ran the match", &mut own), ("that did not", &mut other)] {
        times.sort();
        if let (Some(most), Some(middle)) = (times.last(), times.get(times.len() / 2)) {
            println!(
                "{} rounds with a node killed {what}: stood still {middle:?} (median), {most:?} (most)",
                times.len()
            );
            // Only a long run says something of time, and nothing else is done meanwhile.
            assert!(rounds.is_none() || *most < MOST_STANDING_STILL, "{most:?}");
        }
    }
}

/// It does not know that it hung, and goes on believing that the match is its own.
#[cfg(unix)]
#[test]
fn a_node_that_hangs_is_no_hindrance_and_takes_part_again() {
    let database = new_database();
    let nodes = [Node::start(&database), Node::start(&database)];
    let lobbies = nodes.each_ref().map(Node::lobby);
    let mut players = Players::new(&lobbies[1]);
    let _spectator = players.connect(&lobbies[0], &[]);
    let mut both = players.go_on(&lobbies[1]);
    let signal = |name: &str| {
        let sent = Command::new("kill").args([name, &nodes[0].served.child.id().to_string()]).status();
        assert!(sent.unwrap().success());
    };
    signal("-STOP");
    // Nobody answers, until the node is declared dead: then the other one has ended the connection.
    while players.play(&mut both) {}
    drop(players.go_on(&lobbies[1]));
    signal("-CONT");
    // What was on its way when the node hung it may not store now.
    for _ in 0..3 {
        drop(players.go_on(&lobbies[1]));
    }
    drop(players.go_on(&lobbies[0]));
    let seen = players.seen(&lobbies[0]);
    assert_eq!(players.seen(&lobbies[1]), seen);
}

#[test]
fn the_password_of_a_database_is_not_told_and_settings_of_nodes_are_checked() {
    let database = new_database().replacen("test@", "test:hush-hush@", 1);
    let data = tempfile::tempdir().unwrap();
    let mut child = serve("127.0.0.1:0", data.path())
        .args(["--store", &database, "--log-level", "debug"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut said = String::new();
    while !said.contains("Rulesets: ") {
        output.read_line(&mut said).unwrap();
    }
    child.kill().unwrap();
    output.read_to_string(&mut said).unwrap();
    let ended = child.wait_with_output().unwrap();
    let log = String::from_utf8(ended.stderr).unwrap();
    assert!(
        said.contains("of PostgreSQL at ") && said.contains("as the node at 127.0.0.1:"),
        "{said}"
    );
    assert!(!said.contains("hush") && !log.contains("hush"), "{said}{log}");
    for (wrong, why) in [
        (["--store", "mysql://ada:hush-hush@here/games"], "begins with postgres://"),
        (
            ["--store", "postgres://ada:hush-hush@127.0.0.1:1/games"],
            "the database cannot do it",
        ),
    ] {
        let ended = serve("127.0.0.1:0", data.path())
            .args(wrong)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let told = String::from_utf8(ended.stderr).unwrap();
        assert!(!ended.status.success() && told.contains(why) && !told.contains("hush"), "{told}");
    }
    let ended = serve("0.0.0.0:0", data.path())
        .args(["--store", &database])
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    let told = String::from_utf8(ended.stderr).unwrap();
    assert!(told.contains("with --node-address"), "{told}");
}
