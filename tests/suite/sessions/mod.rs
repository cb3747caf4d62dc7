//! Sessions as their clients meet them: one thread owns the match, everybody else sends messages.

mod agreements;
mod computers;
mod faulty_network;
mod pooled;
mod reloading;
mod timed;
mod unread;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use boardwright::client::Connection;
use boardwright::local::LocalLink;
use boardwright::model::{
    Action, ActionId, Board, Declarations, Domain, Fingerprint, Map, Pick, SeatId, SeatSet, Seed, State, Topology, Value,
};
use boardwright::model::{RefusalCode, Rejection, Sentence};
use boardwright::players::{Choice, Decision, Player, PlayerError, PlayerSpec, Thinking};
use boardwright::protocol::{Command, FromHost, Notice, Reply};
use boardwright::rules::{Generator, Rules, RulesSource, Transaction};
use boardwright::server::{Claim, MatchInfo, NewRules, Session, SessionHandle, SessionSetup};
use boardwright_fixtures::Race;

const RED: SeatId = SeatId(0);
const BLUE: SeatId = SeatId(1);
const LONG: Option<Duration> = Some(Duration::from_secs(20));

fn track() -> Map {
    let topology = Topology::Square {
        width: 7,
        height: 2,
        diagonals: false,
    };
    Map::new("track", "The track", topology)
}

pub(crate) fn setup() -> SessionSetup {
    let start = State::clone(&Race::start().unwrap());
    SessionSetup::new(Arc::new(Race::default()), start, MatchInfo::of_map(track()), 7)
}

fn setup_with(players: &[&str]) -> SessionSetup {
    SessionSetup {
        players: players.iter().map(|player| player.parse().unwrap()).collect(),
        ..setup()
    }
}

pub(crate) fn connect(session: &SessionHandle, claim: Claim) -> Connection {
    let mut connection = Connection::open(Box::new(LocalLink::join(session, claim, true, None))).unwrap();
    connection.settle().unwrap();
    connection
}

/// A session with one client that holds the seats of all people.
pub(crate) fn around_one_screen(setup: SessionSetup) -> (SessionHandle, Connection) {
    let session = Session::spawn(setup).unwrap();
    let connection = connect(&session, Claim::AllPeople);
    (session, connection)
}

pub(crate) fn plays(connection: &mut Connection, words: &str) -> Reply {
    connection
        .ask(Command::Play {
            text: words.to_owned(),
            seat: None,
            at: None,
        })
        .unwrap()
}

pub(crate) fn refusal(reply: Reply) -> RefusalCode {
    match reply {
        Reply::Refused(refusal) => refusal.code,
        other => panic!("not refused: {other:?}"),
    }
}

fn at(reply: Reply) -> usize {
    match reply {
        Reply::Done { at } => at,
        other => panic!("not done: {other:?}"),
    }
}

/// Reads until a notice is of the kind asked for.
fn wait_for<T>(connection: &mut Connection, wanted: impl Fn(&Notice) -> Option<T>) -> T {
    loop {
        match connection.poll(LONG).unwrap() {
            Some(FromHost::Notice(notice)) => {
                if let Some(found) = wanted(&notice) {
                    return found;
                }
            }
            Some(FromHost::Answer(_)) => {}
            None => panic!("the notice did not come"),
        }
    }
}

fn message(notice: &Notice) -> Option<String> {
    if let Notice::Message { text } = notice {
        Some(text.clone())
    } else {
        None
    }
}

/// Waits until that many events stand.
fn wait_until_at(connection: &mut Connection, at: usize) {
    while connection.mirror().at() < at {
        assert!(connection.poll(LONG).unwrap().is_some(), "event {at} did not come");
    }
    connection.settle().unwrap();
}

#[test]
fn a_client_is_notified_of_its_action_before_it_is_answered() {
    let (_session, mut client) = around_one_screen(setup());
    assert_eq!(at(plays(&mut client, "run")), 2);
    assert_eq!(client.mirror().at(), 2);
    assert_eq!(&*client.mirror().history()[1].notation, "run");
    assert!(client.mirror().history()[1].remarks[0].text.starts_with("run: "));
}

#[test]
fn mirrors_of_seats_and_spectators_follow_whole_matches() {
    for seed in 0..20 {
        let session = Session::spawn(SessionSetup {
            seed: Seed::Number(seed),
            ..setup()
        })
        .unwrap();
        let mut red = connect(&session, Claim::Seats(SeatSet::one(RED)));
        let mut blue = connect(&session, Claim::Seats(SeatSet::one(BLUE)));
        let mut spectator = connect(&session, Claim::Spectator);
        let mut generator = Generator::new(seed);
        while red.mirror().main_view().unwrap().outcome().is_none() {
            let acting = red.mirror().main_view().unwrap().acting().first().unwrap();
            let client = if acting == RED { &mut red } else { &mut blue };
            let Reply::Legal { actions, at, .. } = client.ask(Command::Legal { seat: None }).unwrap() else {
                panic!("no legal actions")
            };
            let action = actions[generator.below(actions.len() as u32) as usize].action.clone();
            client.ask(Command::Submit { action, at }).unwrap();
            let now = client.mirror().at();
            for (mirror, seat) in [(&mut red, Some(RED)), (&mut blue, Some(BLUE)), (&mut spectator, None)] {
                wait_until_at(mirror, now);
                let Reply::View(fresh) = mirror.ask(Command::View { seat }).unwrap() else {
                    panic!("no view")
                };
                assert_eq!(mirror.mirror().view(seat).unwrap().position(), fresh.position);
                assert_eq!(mirror.mirror().view(seat).unwrap().parts(), fresh.state);
                assert_eq!(mirror.mirror().resyncs(), 0);
                assert_eq!(mirror.mirror().history().len(), now);
            }
        }
    }
}

#[test]
fn nothing_sent_to_a_seat_names_the_card_of_another() {
    let session = Session::spawn(setup()).unwrap();
    let mut red = connect(&session, Claim::Seats(SeatSet::one(RED)));
    let sent = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&sent);
    let blue = session.join(
        Claim::Seats(SeatSet::one(BLUE)),
        false,
        Box::new(move |message| {
            keep.lock().unwrap().push(message);
            true
        }),
    );
    let hand = red.mirror().declarations().unwrap().find_zone("hand", Some(RED)).unwrap();
    let card = red.mirror().view(Some(RED)).unwrap().zone(hand).unwrap().pieces()[0];
    for (id, command) in [
        Command::View { seat: Some(RED) },
        Command::Looks { seat: Some(RED) },
        Command::Legal { seat: Some(RED) },
        Command::View { seat: None },
        Command::View { seat: Some(BLUE) },
        Command::History { seat: Some(RED), from: 0 },
        Command::History { seat: Some(BLUE), from: 0 },
        Command::Describe,
    ]
    .into_iter()
    .enumerate()
    {
        assert!(blue.request(boardwright::protocol::Request { id: id as u64, command }));
    }
    assert!(matches!(red.ask(Command::Problems).unwrap(), Reply::Problems { .. }));
    let refused = |message: &&FromHost| matches!(message, FromHost::Answer(answer) if matches!(answer.reply, Reply::Refused(_)));
    assert_eq!(sent.lock().unwrap().iter().filter(refused).count(), 4);
    let names_card = |text: &str| {
        let spawned = format!("\"id\":{}", card.0);
        text.contains(&spawned) || text.contains(&format!("\"piece\":{}", card.0)) || text.contains(&format!("#{}", card.0))
    };
    let texts: Vec<String> = sent
        .lock()
        .unwrap()
        .iter()
        .map(|message| serde_json::to_string(message).unwrap())
        .filter(|text| !text.contains("\"reply\":\"description\""))
        .map(|text| text.split_once(',').unwrap().1.to_owned())
        .collect();
    assert!(texts.len() >= 6);
    for text in &texts {
        assert!(!names_card(text), "card {}: {text}", card.0);
    }
    let own = serde_json::to_string(&red.ask(Command::View { seat: Some(RED) }).unwrap()).unwrap();
    assert!(names_card(&own), "the test must be able to find a card that is shown");
}

#[test]
fn a_seat_is_only_played_by_who_holds_it() {
    let session = Session::spawn(setup()).unwrap();
    let mut red = connect(&session, Claim::Seats(SeatSet::one(RED)));
    let mut blue = connect(&session, Claim::Seats(SeatSet::one(BLUE)));
    assert_eq!(refusal(plays(&mut blue, "run")), RefusalCode::NotYourSeat);
    at(plays(&mut red, "run"));
    wait_until_at(&mut blue, 2);
    at(plays(&mut blue, "run"));
}

#[test]
fn a_late_action_is_refused_and_changes_nothing() {
    let (_session, mut client) = around_one_screen(setup());
    let run = Action {
        seat: RED,
        action: ActionId(0),
        picks: Vec::new().into(),
    };
    let submit = |at| Command::Submit { action: run.clone(), at };
    assert_eq!(at(client.ask(submit(1)).unwrap()), 2);
    assert_eq!(refusal(client.ask(submit(1)).unwrap()), RefusalCode::Stale);
    assert_eq!(client.mirror().at(), 2);
}

#[test]
fn undone_events_become_a_variation_that_can_be_promoted_and_deleted() {
    let (_session, mut client) = around_one_screen(setup());
    at(plays(&mut client, "run"));
    at(plays(&mut client, "run"));
    let left = client.mirror().main_view().unwrap().position();
    assert_eq!(at(client.ask(Command::GoTo { position: 1 }).unwrap()), 1);
    // The same action falls out as it did, so that the variation leaves the line behind it.
    assert_eq!(at(plays(&mut client, "run")), 2);
    client.settle().unwrap();
    assert_eq!((client.mirror().length(), client.mirror().history().len()), (2, 2));
    assert_eq!((client.mirror().variations().len(), client.mirror().variations()[0].len()), (1, 1));
    assert_eq!(client.mirror().variations()[0][0].event, 2);

    assert_eq!(at(client.ask(Command::PromoteVariation { variation: 0 }).unwrap()), 3);
    client.settle().unwrap();
    assert_eq!(client.mirror().main_view().unwrap().position(), left);
    assert_eq!((client.mirror().history().len(), client.mirror().variations().len()), (3, 0));

    assert_eq!(at(client.ask(Command::GoTo { position: 1 }).unwrap()), 1);
    assert_eq!(at(client.ask(Command::Branch).unwrap()), 1);
    client.settle().unwrap();
    assert_eq!((client.mirror().length(), client.mirror().variations()[0].len()), (1, 2));
    at(client.ask(Command::DeleteVariation { variation: 0 }).unwrap());
    client.settle().unwrap();
    assert_eq!(client.mirror().variations().len(), 0);
    let reply = client.ask(Command::DeleteVariation { variation: 0 }).unwrap();
    assert!(
        matches!(&reply, Reply::Error { message } if message.contains("there is no variation 1")),
        "{reply:?}"
    );
}

#[test]
fn undo_and_redo_lead_back_to_the_same_position() {
    let (_session, mut client) = around_one_screen(setup());
    assert_eq!(refusal(client.ask(Command::Undo).unwrap()), RefusalCode::NoHistory);
    at(plays(&mut client, "run"));
    let position = client.mirror().main_view().unwrap().position();
    assert_eq!(at(client.ask(Command::Undo).unwrap()), 1);
    assert_ne!(client.mirror().main_view().unwrap().position(), position);
    assert_eq!(at(client.ask(Command::Redo).unwrap()), 2);
    assert_eq!(client.mirror().main_view().unwrap().position(), position);
    assert_eq!(refusal(client.ask(Command::Redo).unwrap()), RefusalCode::NoHistory);
}

#[test]
fn a_computer_player_answers_and_undo_goes_back_to_the_persons_own_action() {
    let (_session, mut client) = around_one_screen(setup_with(&["human", "random"]));
    at(plays(&mut client, "run"));
    // Blue may bar red, who then answers: whatever it does, it is red's turn again sooner or later.
    wait_until_at(&mut client, 3);
    while !client.mirror().main_view().unwrap().acting().contains(RED) {
        assert!(client.poll(LONG).unwrap().is_some());
    }
    assert_eq!(at(client.ask(Command::Undo).unwrap()), 1);
    assert!(client.mirror().main_view().unwrap().acting().contains(RED));
    // Nothing acts while events are undone.
    assert!(matches!(client.ask(Command::Problems).unwrap(), Reply::Problems { .. }));
    assert_eq!((client.mirror().at(), client.mirror().length() > 2), (1, true));
}

#[test]
fn undo_pauses_when_only_computers_play() {
    let setup = SessionSetup {
        pace: Duration::from_millis(40),
        ..setup_with(&["random", "random"])
    };
    let (_session, mut client) = around_one_screen(setup);
    wait_until_at(&mut client, 3);
    let stands = at(client.ask(Command::Undo).unwrap());
    assert!(client.mirror().is_paused());
    assert!(client.poll(Some(Duration::from_millis(200))).unwrap().is_none() || client.mirror().at() == stands);
    assert_eq!(client.mirror().at(), stands);
}

#[test]
fn nobody_can_be_seated_who_can_not_be_made() {
    let (_session, mut client) = around_one_screen(setup());
    for player in ["nobody-of-this-name", "search:99", ""] {
        let reply = client
            .ask(Command::Assign {
                seat: BLUE,
                player: player.to_owned(),
            })
            .unwrap();
        assert!(matches!(reply, Reply::Error { .. }), "{player}: {reply:?}");
    }
    let reply = client
        .ask(Command::Assign {
            seat: SeatId(9),
            player: "random".to_owned(),
        })
        .unwrap();
    assert_eq!(refusal(reply), RefusalCode::NotYourSeat);
}

#[test]
fn swapped_players_change_seats_with_their_clients() {
    let (_session, mut client) = around_one_screen(setup_with(&["human", "random"]));
    assert_eq!(client.mirror().seats(), SeatSet::one(RED));
    at(client.ask(Command::Swap { a: RED, b: BLUE }).unwrap());
    assert_eq!(client.mirror().seats(), SeatSet::one(BLUE));
    // Red, now a computer, begins.
    wait_until_at(&mut client, 2);
}

#[test]
fn only_a_host_client_steers() {
    let session = Session::spawn(setup()).unwrap();
    let mut guest = Connection::open(Box::new(LocalLink::join(&session, Claim::AllPeople, false, None))).unwrap();
    for command in [
        Command::GoTo { position: 1 },
        Command::Branch,
        Command::Assign {
            seat: RED,
            player: "random".to_owned(),
        },
        Command::Swap { a: RED, b: BLUE },
        Command::Pause { paused: true },
        Command::Pace { milliseconds: 1 },
        Command::Stop,
        Command::Save {
            file: None,
            overwrite: false,
        },
        Command::Reload,
    ] {
        assert_eq!(refusal(guest.ask(command.clone()).unwrap()), RefusalCode::Policy, "{command:?}");
    }
}

#[test]
fn a_match_is_saved_by_the_function_given() {
    let saved = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&saved);
    let setup = SessionSetup {
        save: Some(Box::new(move |record| {
            if record.file == Some("full") {
                return Err(Sentence::from_text("no space left".to_owned()).into());
            }
            kept.lock().unwrap().push((record.playing.journal().clone(), record.playing.seed()));
            Ok("there.xml".to_owned())
        })),
        ..setup()
    };
    let (_session, mut client) = around_one_screen(setup);
    at(plays(&mut client, "run"));
    assert_eq!(
        client
            .ask(Command::Save {
                file: None,
                overwrite: false
            })
            .unwrap(),
        Reply::Saved {
            file: "there.xml".to_owned()
        }
    );
    let full = Some("full".to_owned());
    assert!(
        matches!(client.ask(Command::Save { file: full, overwrite: false }).unwrap(), Reply::Error { message } if message == "no space left")
    );
    let (journal, seed) = saved.lock().unwrap().pop().unwrap();
    assert_eq!(journal.events().len(), 2);

    // Taken up from what was saved it stands where it stood, and its past is hidden from whom it was hidden.
    let again = SessionSetup {
        journal: Some(journal),
        seed,
        ..self::setup()
    };
    let session = Session::spawn(again).unwrap();
    let mut blue = connect(&session, Claim::Seats(SeatSet::one(BLUE)));
    assert_eq!((blue.mirror().at(), blue.mirror().history().len()), (2, 2));
    assert!(blue.mirror().history()[0].remarks.is_empty());
    at(plays(&mut blue, "run"));
}

#[test]
fn a_session_ends_with_its_last_client() {
    let (session, mut client) = around_one_screen(setup());
    assert!(matches!(client.ask(Command::Quit).unwrap(), Reply::Done { .. }));
    session.wait();
    assert!(client.ask(Command::Problems).is_err());
    assert!(!session.reload(std::time::Instant::now()));
}

#[test]
fn clients_are_sent_the_specification_of_a_player() {
    let (_session, client) = around_one_screen(SessionSetup {
        is_paused: true,
        ..setup_with(&["greedy", "human"])
    });
    assert_eq!(client.mirror().players(), ["greedy", "human"]);
    assert_eq!(client.mirror().seats(), SeatSet::one(BLUE));
    assert!("greedy".parse::<PlayerSpec>().is_ok());
}

/// The old connection may be one of which nobody has noticed yet that it is dead.
#[test]
fn who_proves_a_right_to_a_seat_takes_it_from_the_client_that_holds_it() {
    let session = Session::spawn(setup()).unwrap();
    let mut old = connect(&session, Claim::Seats(SeatSet::first_seats(2)));
    let mut new = connect(&session, Claim::Seats(SeatSet::one(RED)));
    assert_eq!(new.mirror().seats(), SeatSet::one(RED));
    let seats = wait_for(&mut old, |notice| match notice {
        Notice::Players { seats, .. } => Some(*seats),
        _ => None,
    });
    assert_eq!(seats, SeatSet::one(BLUE));
    assert_eq!(refusal(plays(&mut old, "run")), RefusalCode::NotYourSeat);
    at(plays(&mut new, "run"));
    // Who proves nothing takes what is free.
    let other = connect(&session, Claim::AllPeople);
    assert_eq!(other.mirror().seats(), SeatSet::EMPTY);
}
