//! What time brings about in a session: clocks that run out, and people who are gone. The time is the test's.

use super::*;
use boardwright::model::{Outcome, Policy, TimeControl};
use boardwright::protocol::OfferKind;
use boardwright::server::{ClockSetup, SeatNews};
use std::time::Instant;

/// A time that goes on when the test says so.
#[derive(Clone)]
struct Hours(Arc<Mutex<Instant>>);

impl Hours {
    fn new() -> Self {
        Self(Arc::new(Mutex::new(Instant::now())))
    }

    fn pass(&self, seconds: u64) {
        *self.0.lock().unwrap() += Duration::from_secs(seconds);
    }

    /// Sets a session up whose time this is.
    fn rule(&self, setup: SessionSetup) -> SessionSetup {
        let now = Arc::clone(&self.0);
        SessionSetup {
            time: Arc::new(move || *now.lock().unwrap()),
            policy: Policy::RATED,
            ..setup
        }
    }

    /// A session in which a computer player plays for whoever is gone for a minute.
    fn with_grace(&self) -> SessionHandle {
        let setup = SessionSetup {
            grace: Some(Duration::from_mins(1)),
            ..setup()
        };
        Session::spawn(self.rule(setup)).unwrap()
    }

    fn with_clock(&self, control: &str, setup: SessionSetup) -> SessionSetup {
        let clocks = ClockSetup {
            control: control.parse().unwrap(),
            remaining: None,
            plays_on: false,
        };
        self.rule(SessionSetup {
            clocks: Some(clocks),
            ..setup
        })
    }
}

fn red_and_blue(session: &SessionHandle) -> (Connection, Connection) {
    let red = connect(session, Claim::Seats(SeatSet::one(RED)));
    let blue = connect(session, Claim::Seats(SeatSet::one(BLUE)));
    (red, blue)
}

fn outcome(connection: &Connection) -> Option<Outcome> {
    connection.mirror().main_view().unwrap().outcome().cloned()
}

/// Waits for the notice of clocks that follows an event.
fn wait_until_runs(connection: &mut Connection, seats: SeatSet) {
    while connection.mirror().clocks().unwrap().running != seats {
        assert!(connection.poll(LONG).unwrap().is_some(), "no other clock runs");
    }
}

/// Asks for something, so that the session looks at its clock.
fn looks(connection: &mut Connection) {
    connection.ask(Command::Legal { seat: None }).unwrap();
    connection.settle().unwrap();
}

/// What the host said last that each seat has left, in seconds.
fn left(connection: &Connection) -> Vec<u64> {
    let clocks = connection.mirror().clocks().unwrap();
    // At the moment of the notice nothing of it has passed.
    let past = Instant::now().checked_sub(Duration::from_mins(1)).unwrap();
    [RED, BLUE].map(|seat| clocks.left(seat, past).unwrap().as_secs()).to_vec()
}

#[test]
fn who_runs_out_of_time_has_lost_and_is_too_late_to_act() {
    let time = Hours::new();
    let session = Session::spawn(time.with_clock("60s+5s", setup())).unwrap();
    let (mut red, mut blue) = red_and_blue(&session);
    assert_eq!(red.mirror().clocks().unwrap().running, SeatSet::one(RED));
    time.pass(20);
    at(plays(&mut red, "run"));
    assert_eq!(left(&red), [45, 60]);
    wait_until_at(&mut blue, 2);
    wait_until_runs(&mut blue, SeatSet::one(BLUE));
    time.pass(61);
    assert_eq!(refusal(plays(&mut blue, "run")), RefusalCode::MatchOver);
    let ended = outcome(&blue).unwrap();
    assert_eq!((ended.places.as_slice(), &*ended.reason), (&[1, 2][..], "blue ran out of time"));
    assert!(blue.mirror().clocks().unwrap().running.is_empty());
    wait_until_at(&mut red, 3);
    assert_eq!(&*red.mirror().history()[2].notation, "ran out of time");
}

#[test]
fn a_session_ends_the_match_by_itself_when_the_time_is_out() {
    let control: TimeControl = "1s".parse().unwrap();
    let clocks = ClockSetup {
        control,
        remaining: Some(vec![1, 1000]),
        plays_on: false,
    };
    let time = Hours::new();
    let setup = SessionSetup {
        clocks: Some(clocks),
        ..setup()
    };
    let session = Session::spawn(time.rule(setup)).unwrap();
    // The time is not out before somebody looks on: a session that nobody needs any more ends.
    let mut blue = connect(&session, Claim::Seats(SeatSet::one(BLUE)));
    time.pass(1);
    while outcome(&blue).is_none() {
        assert!(blue.poll(LONG).unwrap().is_some(), "nobody asked, and nothing happened");
    }
}

#[test]
fn clocks_stand_still_in_a_match_that_is_paused() {
    let time = Hours::new();
    let session = Session::spawn(time.with_clock("60s", setup())).unwrap();
    let (mut red, _blue) = red_and_blue(&session);
    at(red.ask(Command::Pause { paused: true }).unwrap());
    time.pass(1000);
    looks(&mut red);
    assert_eq!((left(&red), outcome(&red)), (vec![60, 60], None));
    at(red.ask(Command::Pause { paused: false }).unwrap());
    red.settle().unwrap();
    assert_eq!(red.mirror().clocks().unwrap().running, SeatSet::one(RED));
}

#[test]
fn a_computer_player_plays_on_out_of_time_where_that_is_wanted() {
    let time = Hours::new();
    let setup = time.with_clock("60s", setup());
    let clocks = setup.clocks.clone().map(|clocks| ClockSetup { plays_on: true, ..clocks });
    let session = Session::spawn(SessionSetup { clocks, ..setup }).unwrap();
    let (mut red, mut blue) = red_and_blue(&session);
    time.pass(61);
    looks(&mut blue);
    wait_until_at(&mut blue, 2);
    assert_eq!((blue.mirror().history()[1].seat, outcome(&blue)), (Some(RED), None));
    assert_eq!(
        refusal(red.ask(Command::Resign { seat: Some(RED) }).unwrap()),
        RefusalCode::NotYourSeat
    );
}

#[test]
fn a_computer_player_plays_for_who_is_gone_until_they_come_back() {
    let time = Hours::new();
    let session = time.with_grace();
    let (red, mut blue) = red_and_blue(&session);
    drop(red);
    while blue.mirror().gone() != SeatSet::one(RED) {
        assert!(blue.poll(LONG).unwrap().is_some(), "nobody says that red is gone");
    }
    time.pass(59);
    looks(&mut blue);
    assert!(blue.mirror().substitutes().is_empty());
    time.pass(1);
    looks(&mut blue);
    wait_until_at(&mut blue, 2);
    assert_eq!(blue.mirror().history()[1].seat, Some(RED));
    assert_eq!(blue.mirror().substitutes(), SeatSet::one(RED));
    let mut red = connect(&session, Claim::Seats(SeatSet::one(RED)));
    assert!(red.mirror().plays(RED) && red.mirror().substitutes().is_empty());
    at(plays(&mut blue, "run"));
    wait_until_at(&mut red, 3);
    at(plays(&mut red, "run"));
}

#[test]
fn those_who_are_there_vote_to_wait() {
    let time = Hours::new();
    let session = time.with_grace();
    let (red, mut blue) = red_and_blue(&session);
    let wait = Command::Offer {
        offer: OfferKind::Wait,
        seat: None,
    };
    assert_eq!(refusal(blue.ask(wait.clone()).unwrap()), RefusalCode::NotNow, "nobody is gone");
    drop(red);
    while blue.mirror().gone() != SeatSet::one(RED) {
        assert!(blue.poll(LONG).unwrap().is_some(), "nobody says that red is gone");
    }
    time.pass(50);
    // Blue alone is there, and is more than half.
    at(blue.ask(wait).unwrap());
    time.pass(50);
    looks(&mut blue);
    assert!(blue.mirror().substitutes().is_empty());
    time.pass(10);
    looks(&mut blue);
    wait_until_at(&mut blue, 2);
    assert_eq!(blue.mirror().substitutes(), SeatSet::one(RED));
}

#[test]
fn who_is_gone_is_told_of_their_turn_and_of_the_end() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let news = Arc::clone(&told);
    let session = Session::spawn(SessionSetup {
        names: vec![Some("Ada".to_owned()), Some("Bob".to_owned())],
        tell: Some(Box::new(move |seat, name: Option<&str>, what| {
            news.lock().unwrap().push((seat, name.map(str::to_owned), what));
        })),
        ..setup()
    })
    .unwrap();
    let mut red = connect(&session, Claim::Seats(SeatSet::one(RED)));
    assert_eq!((red.mirror().name(RED), red.mirror().name(BLUE)), (Some("Ada"), Some("Bob")));
    at(plays(&mut red, "run"));
    at(red.ask(Command::Resign { seat: None }).unwrap());
    let bob = Some("Bob".to_owned());
    let expected = [(BLUE, bob.clone(), SeatNews::YourTurn), (BLUE, bob, SeatNews::Ended)];
    looks(&mut red);
    assert_eq!(*told.lock().unwrap(), expected);
}
