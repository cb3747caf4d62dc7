//! Cards and missions on the wire: what a client is sent in a whole match, word for word.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::{Bundled, root};
use boardwright::client::messages::{Command, FromHost, Reply, Request};
use boardwright::client::{Connection, Link, LinkClosed, LocalLink};
use boardwright::io::MapDocument;
use boardwright::io::xml::Source;
use boardwright::model::{PieceId, SeatId, SeatSet, ZoneId, ZoneVisibility};
use boardwright::rules::Generator;
use boardwright::server::{About, Claim, Session, SessionSetup};

const RED: SeatId = SeatId(0);
const BLUE: SeatId = SeatId(1);
const GREEN: SeatId = SeatId(2);

/// A link that keeps every line that comes through it.
struct Tapped {
    link: LocalLink,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Link for Tapped {
    fn send(&mut self, request: Request) -> Result<(), LinkClosed> {
        self.link.send(request)
    }

    fn receive(&mut self, timeout: Option<Duration>) -> Result<Option<FromHost>, LinkClosed> {
        let message = self.link.receive(timeout)?;
        if let Some(message) = &message {
            self.lines.lock().unwrap().push(serde_json::to_string(message).unwrap());
        }
        Ok(message)
    }
}

/// The pieces in zones that only a seat itself sees, as it sees them.
fn own_secrets(client: &Connection, seat: SeatId) -> BTreeSet<PieceId> {
    let state = client.mirror().view(Some(seat)).unwrap();
    let zones = state.frame().zones.iter().enumerate();
    let own = zones.filter(|(_, zone)| zone.visibility == ZoneVisibility::Owner && zone.owner == Some(seat));
    own.flat_map(|(index, _)| state.zone(ZoneId::from_index(index)).unwrap().pieces().to_vec())
        .collect()
}

/// Every piece that a line names in any way: as an id of its own, as what moved or was picked, or in words.
fn named(line: &str) -> BTreeSet<PieceId> {
    let mut found = BTreeSet::new();
    for mark in ["\"piece\":", "{\"id\":", "#"] {
        // A line of an answer begins with the number of the request.
        for (at, _) in line.match_indices(mark).filter(|(at, _)| *at > 0) {
            let digits: String = line[at + mark.len()..].chars().take_while(char::is_ascii_digit).collect();
            found.extend(digits.parse().ok().map(PieceId));
        }
    }
    // Pieces of zones and of lists of pieces.
    let mark = "\"pieces\":[";
    for (at, _) in line.match_indices(mark) {
        let list = line[at + mark.len()..].split(']').next().unwrap();
        found.extend(list.split(',').filter_map(|id| id.parse().ok()).map(PieceId));
    }
    found
}

#[test]
fn no_card_and_no_mission_of_another_seat_is_ever_sent() {
    let mut bundled = Bundled::read("conquest", "war");
    for option in ["missions", "capitals"] {
        bundled.scenario.setup.options.push((option.to_owned(), "yes".to_owned()));
    }
    let map = std::fs::read_to_string(root().join("maps/conquest/world.map.xml")).unwrap();
    let map = MapDocument::read(&Source::new("world.map.xml", &map)).unwrap_or_else(|problems| panic!("{}", problems.render()));
    let session = Session::spawn(SessionSetup::new(
        bundled.source.clone(),
        bundled.setup(),
        About::of_map(map.map),
        11,
    ))
    .unwrap();
    let others = [RED, GREEN].into_iter().collect::<SeatSet>();
    let mut enemies = Connection::open(Box::new(LocalLink::join(&session, Claim::Seats(others), true, None))).unwrap();
    let lines = Arc::new(Mutex::new(Vec::new()));
    let tapped = Tapped {
        link: LocalLink::join(&session, Claim::Seats(SeatSet::one(BLUE)), false, None),
        lines: Arc::clone(&lines),
    };
    let mut blue = Connection::open(Box::new(tapped)).unwrap();
    enemies.settle().unwrap();
    blue.settle().unwrap();

    let secrets = |client: &Connection| {
        own_secrets(client, RED)
            .union(&own_secrets(client, GREEN))
            .copied()
            .collect::<BTreeSet<_>>()
    };
    let mut generator = Generator::new(5);
    let (mut seen_by_owner, mut sent, mut hidden_at_once) = (0, 0, 0);
    for _ in 0..250 {
        let state = Arc::clone(blue.mirror().main_view().unwrap());
        let Some(acting) = state.acting().first() else { break };
        let before = secrets(&enemies);
        let client = if acting == BLUE { &mut blue } else { &mut enemies };
        let Reply::Legal { actions, at, .. } = client.ask(Command::Legal { seat: Some(acting) }).unwrap() else {
            panic!("no legal actions")
        };
        let action = actions[generator.below(actions.len() as u32) as usize].action.clone();
        let submit = Command::Submit {
            action,
            at,
            drop_later: false,
        };
        assert!(matches!(client.ask(submit).unwrap(), Reply::Done { .. }));
        // Everything that can be asked for is asked for.
        for command in [
            Command::View { seat: None },
            Command::View { seat: Some(RED) },
            Command::Looks { seat: Some(BLUE) },
            Command::Looks { seat: Some(GREEN) },
            Command::Legal { seat: Some(RED) },
            Command::History { from: 0 },
        ] {
            blue.ask(command).unwrap();
        }
        // Whatever is answered, the mirror has taken in all that was sent before.
        enemies.ask(Command::Problems).unwrap();
        // What was hidden before or is hidden now may not be named; what was shown on the way is shown for good.
        let after = secrets(&enemies);
        let hidden: BTreeSet<PieceId> = before
            .intersection(&after)
            .copied()
            .chain(after.difference(&before).copied())
            .collect();
        hidden_at_once = hidden_at_once.max(hidden.len());
        for line in lines.lock().unwrap().drain(..) {
            let named = named(&line);
            sent += named.len();
            if let Some(piece) = named.intersection(&hidden).next() {
                panic!("piece {} of an enemy was sent to blue: {line}", piece.0);
            }
        }
        let own = own_secrets(&blue, BLUE);
        let text = serde_json::to_string(&blue.mirror().view(Some(BLUE)).unwrap().parts()).unwrap();
        seen_by_owner += named(&text).intersection(&own).count();
    }
    assert!(hidden_at_once >= 4, "red and green held {hidden_at_once} hidden pieces");
    assert!(
        seen_by_owner > 250 && sent > 1000,
        "the test must be able to find pieces: {seen_by_owner} own, {sent} sent"
    );
}
