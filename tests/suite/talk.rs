//! What players say to one another: who is sent it, word for word, and what cannot be said.

use crate::common::Bundled;
use crate::hidden_things::{Tapped, session_of};
use boardwright::client::Connection;
use boardwright::local::LocalLink;
use boardwright::model::{SeatId, SeatSet};
use boardwright::protocol::{ChatLine, Command, Reply};
use boardwright::server::{Claim, SessionHandle};
use std::sync::{Arc, Mutex};

const RED: SeatId = SeatId(0);
const BLUE: SeatId = SeatId(1);
const GREEN: SeatId = SeatId(2);

/// A client and every line that it was sent.
struct Tap {
    client: Connection,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Tap {
    fn join(session: &SessionHandle, claim: Claim) -> Self {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let link = Tapped {
            link: LocalLink::join(session, claim, false, None),
            lines: Arc::clone(&lines),
        };
        let mut client = Connection::open(Box::new(link)).unwrap();
        client.settle().unwrap();
        Self { client, lines }
    }

    fn says(&mut self, text: &str, to: Option<SeatId>) -> Reply {
        let text = text.to_owned();
        self.client.ask(Command::Say { text, from: None, to }).unwrap()
    }

    /// Whether a word was ever sent, now that all that was under way has come.
    fn was_sent(&mut self, word: &str) -> bool {
        self.client.ask(Command::ChatLog).unwrap();
        let seat = self.client.mirror().seats().first();
        self.client.ask(Command::History { seat, from: 0 }).unwrap();
        self.client.ask(Command::View { seat }).unwrap();
        self.lines.lock().unwrap().iter().any(|line| line.contains(word))
    }

    fn said(&self) -> Vec<(Option<SeatId>, Option<SeatId>, &str)> {
        let lines = self.client.mirror().chat().iter();
        lines.map(|ChatLine { from, to, text }| (*from, *to, text.as_str())).collect()
    }
}

fn seat(seat: SeatId) -> Claim {
    Claim::Seats(SeatSet::one(seat))
}

#[test]
fn a_line_for_one_seat_is_sent_to_nobody_else() {
    let session = session_of(&Bundled::read("conquest", "war"));
    let [mut red, mut blue, mut green] = [RED, BLUE, GREEN].map(|one| Tap::join(&session, seat(one)));
    let mut spectator = Tap::join(&session, Claim::Spectator);
    assert!(matches!(red.says("good luck", None), Reply::Done { .. }));
    assert!(matches!(red.says("  attack-green-with-me ", Some(BLUE)), Reply::Done { .. }));
    assert!(matches!(blue.says("gladly-done", Some(RED)), Reply::Done { .. }));
    for everyone in [&mut red, &mut blue, &mut green, &mut spectator] {
        assert!(everyone.was_sent("good luck"));
    }
    for (friend, is_told) in [(&mut red, true), (&mut blue, true), (&mut green, false), (&mut spectator, false)] {
        assert_eq!(friend.was_sent("attack-green-with-me"), is_told);
        assert_eq!(friend.was_sent("gladly-done"), is_told);
    }
    let all = [
        (Some(RED), None, "good luck"),
        (Some(RED), Some(BLUE), "attack-green-with-me"),
        (Some(BLUE), Some(RED), "gladly-done"),
    ];
    assert_eq!((red.said(), green.said()), (all.to_vec(), all[..1].to_vec()));
    // Who comes later reads what is for everyone, and what was for the seat that is now theirs.
    drop(blue);
    let mut late = Tap::join(&session, seat(BLUE));
    assert!(late.was_sent("gladly-done") && late.said() == all);
    let mut looks = Tap::join(&session, Claim::Spectator);
    assert!(!looks.was_sent("gladly-done") && looks.said() == all[..1]);
}

#[test]
fn who_looks_on_speaks_to_everyone_and_nobody_speaks_for_others() {
    let session = session_of(&Bundled::read("conquest", "war"));
    let mut red = Tap::join(&session, seat(RED));
    let mut spectator = Tap::join(&session, Claim::Spectator);
    assert!(matches!(spectator.says("who leads?", None), Reply::Done { .. }));
    assert!(matches!(spectator.says("psst", Some(RED)), Reply::Refused(_)));
    assert!(red.was_sent("who leads?") && !red.was_sent("psst"));
    assert_eq!(red.said(), [(None, None, "who leads?")]);
    let forged = Command::Say {
        text: "I give up".to_owned(),
        from: Some(GREEN),
        to: None,
    };
    assert!(matches!(red.client.ask(forged).unwrap(), Reply::Refused(_)));
    assert!(!spectator.was_sent("I give up"));
}

#[test]
fn a_line_is_short_and_one_line_and_is_no_part_of_the_match() {
    let session = session_of(&Bundled::read("conquest", "war"));
    let mut red = Tap::join(&session, seat(RED));
    let (at, position) = {
        let mirror = red.client.mirror();
        (mirror.at(), mirror.main_view().unwrap().position())
    };
    for wrong in ["", "   ", "one\ntwo", &"x".repeat(501)] {
        assert!(matches!(red.says(wrong, None), Reply::Error { .. }), "{wrong:?}");
    }
    assert!(matches!(red.says(&"ž".repeat(500), None), Reply::Done { .. }));
    assert!(matches!(red.says("hello", Some(SeatId(9))), Reply::Refused(_)));
    red.client.settle().unwrap();
    let mirror = red.client.mirror();
    assert_eq!((mirror.at(), mirror.main_view().unwrap().position()), (at, position));
    assert_eq!((mirror.chat().len(), mirror.length()), (1, at));
}

#[test]
fn only_the_newest_lines_are_kept() {
    let session = session_of(&Bundled::read("conquest", "war"));
    let mut red = Tap::join(&session, seat(RED));
    for number in 0..503 {
        assert!(matches!(red.says(&format!("line {number}"), None), Reply::Done { .. }));
    }
    let late = Tap::join(&session, Claim::Spectator);
    assert_eq!((late.said().len(), late.said()[0].2), (500, "line 3"));
}
