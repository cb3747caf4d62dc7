//! Cards and missions on the wire: what a client is sent in a whole match, word for word.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::{Bundled, root};
use boardwright::client::{Connection, Link, LinkClosed};
use boardwright::content::MapDocument;
use boardwright::content::xml::{Document as _, Source};
use boardwright::local::LocalLink;
use boardwright::model::{PieceId, SeatId, SeatSet, SetupPiece, SetupPlace, ZoneId, ZoneVisibility};
use boardwright::protocol::{Command, FromHost, Measure, Reply, Request};
use boardwright::rules::Generator;
use boardwright::server::{Claim, MatchInfo, Session, SessionHandle, SessionSetup};

const RED: SeatId = SeatId(0);
const BLUE: SeatId = SeatId(1);
const GREEN: SeatId = SeatId(2);

/// A link that keeps every line that comes through it.
pub(crate) struct Tapped {
    pub(crate) link: LocalLink,
    pub(crate) lines: Arc<Mutex<Vec<String>>>,
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
    let zones = state.declarations().zones.iter().enumerate();
    let own = zones.filter(|(_, zone)| zone.visibility == ZoneVisibility::Owner && zone.owner == Some(seat));
    own.flat_map(|(index, _)| state.zone(ZoneId::from_index(index)).unwrap().pieces().to_vec())
        .collect()
}

/// Every piece that a line names in any way: as an id of its own, as what moved or was picked, or in words.
pub(crate) fn named(line: &str) -> BTreeSet<PieceId> {
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

/// A session on the world, always with the same luck.
pub(crate) fn session_of(bundled: &Bundled) -> SessionHandle {
    let map = std::fs::read_to_string(root().join("maps/conquest/world.map.xml")).unwrap();
    let map = MapDocument::read(&Source::new("world.map.xml", &map)).unwrap_or_else(|problems| panic!("{}", problems.render()));
    let setup = SessionSetup::new(bundled.source.clone(), bundled.setup(), MatchInfo::of_map(map.map), 11);
    Session::spawn(setup).unwrap()
}

/// A seat takes one of its legal actions, chosen by how many there are. Gives the position it stood at.
fn acts(client: &mut Connection, seat: SeatId, choose: impl FnOnce(usize) -> usize) -> usize {
    let Reply::Legal { actions, at, .. } = client.ask(Command::Legal { seat: Some(seat) }).unwrap() else {
        panic!("no legal actions")
    };
    let submit = Command::Submit {
        action: actions[choose(actions.len())].action.clone(),
        at,
    };
    assert!(matches!(client.ask(submit).unwrap(), Reply::Done { .. }));
    at
}

#[test]
fn no_card_and_no_mission_of_another_seat_is_ever_sent() {
    let mut bundled = Bundled::read("conquest", "war");
    for option in ["missions", "capitals"] {
        bundled.scenario.setup.options.push((option.to_owned(), "yes".to_owned()));
    }
    let session = session_of(&bundled);
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
        acts(client, acting, |count| generator.below(count as u32) as usize);
        // Everything that can be asked for is asked for.
        for command in [
            Command::View { seat: None },
            Command::View { seat: Some(RED) },
            Command::Looks { seat: Some(BLUE) },
            Command::Looks { seat: Some(GREEN) },
            Command::Legal { seat: Some(RED) },
            Command::History { seat: Some(BLUE), from: 0 },
            Command::History { seat: Some(RED), from: 0 },
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
            assert!(!line.contains("\"notice\":\"view\""), "a whole view for one action: {line}");
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

/// What each seat had at the moments of a match, in numbers.
type Numbers = BTreeMap<(SeatId, Measure, usize), Option<i64>>;

fn statistics(client: &mut Connection, seat: SeatId) -> Numbers {
    let Reply::Statistics(statistics) = client.ask(Command::Statistics { seat: Some(seat) }).unwrap() else {
        panic!("no statistics")
    };
    let mut numbers = Numbers::new();
    for series in &statistics.series {
        let at = statistics.positions.iter().zip(&series.values);
        numbers.extend(at.map(|(position, value)| ((series.seat, series.measure, *position), *value)));
    }
    numbers
}

/// Plays a match in which red has a mission, and gives the statistics as red and as blue are sent them.
fn statistics_with_mission(goal: &str) -> [Numbers; 2] {
    let mut bundled = Bundled::read("conquest", "war");
    bundled.scenario.setup.options.push(("missions".to_owned(), "yes".to_owned()));
    for (seat, goal) in [("red", goal), ("blue", "many_areas"), ("green", "strong_areas")] {
        bundled.scenario.setup.pieces.push(SetupPiece {
            kind: "mission".to_owned(),
            name: None,
            owner: None,
            place: SetupPlace::Zone("orders".to_owned(), Some(seat.to_owned())),
            values: vec![("goal".to_owned(), goal.to_owned())],
        });
    }
    let session = session_of(&bundled);
    let all = [RED, BLUE, GREEN].into_iter().collect::<SeatSet>();
    let mut client = Connection::open(Box::new(LocalLink::join(&session, Claim::Seats(all), true, None))).unwrap();
    client.settle().unwrap();
    let mut generator = Generator::new(5);
    for _ in 0..12 {
        let acting = client.mirror().main_view().unwrap().acting().first().unwrap();
        acts(&mut client, acting, |count| generator.below(count as u32) as usize);
    }
    [RED, BLUE].map(|seat| statistics(&mut client, seat))
}

/// The moments for which both have numbers, and how many of these differ. Which moments are measured in a long match depends on time.
fn compared(one: &Numbers, other: &Numbers) -> (usize, usize) {
    let both: Vec<_> = one.iter().filter_map(|(key, value)| Some((value, other.get(key)?))).collect();
    (both.len(), both.iter().filter(|(one, other)| one != other).count())
}

#[test]
fn statistics_tell_nothing_of_a_mission_that_their_reader_does_not_see() {
    let [red_near, blue_of_near] = statistics_with_mission("north_america_and_australia");
    let [red_far, blue_of_far] = statistics_with_mission("asia_and_africa");
    let (_, told_to_red) = compared(&red_near, &red_far);
    assert!(
        told_to_red > 0,
        "red's own mission counts in what red is told, or the test could find nothing"
    );
    let (moments, told_to_blue) = compared(&blue_of_near, &blue_of_far);
    assert!(moments >= 9, "{moments} numbers to compare");
    assert_eq!(told_to_blue, 0);
}

#[test]
fn an_open_action_is_told_with_script_types_even_if_a_card_is_drawn_in_it() {
    let bundled = Bundled::read("conquest", "war");
    let session = session_of(&bundled);
    let all = [RED, BLUE, GREEN].into_iter().collect::<SeatSet>();
    let mut enemies = Connection::open(Box::new(LocalLink::join(&session, Claim::Seats(all), true, None))).unwrap();
    let mut spectator = Connection::open(Box::new(LocalLink::join(&session, Claim::Spectator, false, None))).unwrap();
    enemies.settle().unwrap();
    spectator.settle().unwrap();
    let mut generator = Generator::new(5);
    let (mut drawn, mut hidden) = (0, 0);
    for _ in 0..250 {
        let state = Arc::clone(enemies.mirror().main_view().unwrap());
        let Some(acting) = state.acting().first() else { break };
        let cards = |client: &Connection| {
            client
                .mirror()
                .view(Some(acting))
                .unwrap()
                .zone(hand_of(client, acting))
                .unwrap()
                .count()
        };
        let before = cards(&enemies);
        let at = acts(&mut enemies, acting, |count| generator.below(count as u32) as usize);
        if cards(&enemies) > before {
            drawn += 1;
            let Reply::History(history) = spectator.ask(Command::History { seat: None, from: at }).unwrap() else {
                panic!("no history")
            };
            hidden += history.entries.iter().filter(|entry| &*entry.notation == "(unseen)").count();
        }
    }
    assert!(drawn > 2, "{drawn} cards were drawn");
    assert_eq!(hidden, 0);
}

fn hand_of(client: &Connection, seat: SeatId) -> ZoneId {
    let declarations = Arc::clone(client.mirror().view(Some(seat)).unwrap().declarations());
    let index = declarations
        .zones
        .iter()
        .position(|zone| &*zone.name == "hand" && zone.owner == Some(seat));
    ZoneId::from_index(index.unwrap())
}

#[test]
fn of_a_secret_answer_it_is_told_which_question_it_answers() {
    let mut bundled = Bundled::read("conquest", "standard");
    for option in ["capitals", "random_areas"] {
        bundled.scenario.setup.options.push((option.to_owned(), "yes".to_owned()));
    }
    let session = session_of(&bundled);
    let all = [RED, BLUE, GREEN].into_iter().collect::<SeatSet>();
    let mut enemies = Connection::open(Box::new(LocalLink::join(&session, Claim::Seats(all), true, None))).unwrap();
    let mut spectator = Connection::open(Box::new(LocalLink::join(&session, Claim::Spectator, false, None))).unwrap();
    enemies.settle().unwrap();
    spectator.settle().unwrap();
    // All place their armies on one area each; then the first chooses a capital.
    for _ in 0..4 {
        let acting = enemies.mirror().main_view().unwrap().acting().first().unwrap();
        acts(&mut enemies, acting, |count| count - 1);
    }
    let told = |client: &mut Connection| {
        let seat = client.mirror().seats().first();
        let Reply::History(history) = client.ask(Command::History { seat, from: 0 }).unwrap() else {
            panic!("no history")
        };
        history.entries.last().unwrap().notation.to_string()
    };
    assert!(told(&mut enemies).starts_with("capital "), "{}", told(&mut enemies));
    assert_eq!(told(&mut spectator), "Choose a capital (unseen)");
}
