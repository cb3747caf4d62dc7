//! Luck that the players of a match can verify: a whole match with dice, and what is found in files that somebody changed.

use std::collections::BTreeMap;
use std::sync::Arc;

use boardwright_client::Connection;
use boardwright_content::Save;
use boardwright_host::{Event, Journal};
use boardwright_local::{Checks, SavedMatch};
use boardwright_model::{LuckNumber, NumberChain, Seed};
use boardwright_network::{CreateMatch, RemoteLobby, kept_nowhere};
use boardwright_protocol::{Command, FromHost, Notice, Reply};

use super::{LONG, TestServer, named};

/// A war that is over after a turn of each, with dealt areas.
fn short_war() -> CreateMatch {
    let texts = |pairs: [(&str, &str); 2]| pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).into_iter().collect();
    CreateMatch {
        ruleset: "conquest".to_owned(),
        scenario: Some("two".to_owned()),
        options: texts([("turns", "1"), ("random_areas", "yes")]),
        players: texts([("red", "human"), ("blue", "human")]),
        verifiable: true,
        ..CreateMatch::default()
    }
}

/// Sits down with a part in the luck, or without one. Gives the connection and what the server has committed to.
fn sit(lobby: &RemoteLobby, id: &str, name: &str, takes_part: bool) -> (Box<dyn FnOnce() -> Connection + Send>, Option<LuckNumber>) {
    let (lobby, id) = (lobby.clone(), id.to_owned());
    let (tokens, luck) = if takes_part {
        let taken = lobby.take_seat(&id, &named(name)).unwrap();
        (vec![taken.token], taken.luck)
    } else {
        (vec![lobby.join(&id, &named(name)).unwrap().1], None)
    };
    let committed = luck.as_ref().map(|luck| luck.committed);
    let connect = move || {
        let secrets = luck.into_iter().map(|luck| (luck, kept_nowhere())).collect();
        let link = lobby.connect_with(&id, (&tokens, None), secrets, None, |_| {}).unwrap();
        let mut connection = Connection::open(Box::new(link)).unwrap();
        connection.settle().unwrap();
        connection
    };
    (Box::new(connect), committed)
}

/// Plays to the end; attacks wherever that is legal. Gives the messages that the first player was sent.
fn play_to_the_end(seats: &mut [Connection]) -> Vec<String> {
    'playing: loop {
        for connection in &mut *seats {
            let Reply::Legal { at, actions, outcome } = connection.ask(Command::Legal { seat: None }).unwrap() else {
                panic!("no legal actions")
            };
            if outcome.is_some() {
                break 'playing;
            }
            let attack = actions.iter().find(|action| action.text.starts_with("attack"));
            let Some(choice) = attack.or(actions.first()) else { continue };
            let action = choice.action.clone();
            let reply = connection.ask(Command::Submit { action, at }).unwrap();
            assert!(matches!(reply, Reply::Done { .. }), "{reply:?}");
        }
    }
    let mut messages = Vec::new();
    loop {
        if let FromHost::Notice(Notice::Message { text }) = seats[0].poll(Some(LONG)).unwrap().expect("nothing is said of the luck") {
            messages.push(text);
            if messages.iter().any(|text| text.contains("agreed on")) {
                return messages;
            }
        }
    }
}

/// A match that was played to its end on a server, as a file, and what the server had committed to.
fn played(takes_part: [bool; 2]) -> (Save, Option<LuckNumber>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let lobby = server.lobby();
    let (created, _) = lobby.create(&short_war()).unwrap();
    assert!(created.luck.is_some());
    let id = created.id;
    let (red, committed) = sit(&lobby, &id, "Ada", takes_part[0]);
    let (blue, _) = sit(&lobby, &id, "Bob", takes_part[1]);
    assert_eq!(committed.or(created.luck), created.luck);
    // The match begins when both have come.
    let other = std::thread::spawn(blue);
    let mut seats = [red(), other.join().unwrap()];
    let early = lobby.save_of(&id, None).unwrap_err().to_string();
    assert!(early.contains("has not ended"), "{early}");
    let messages = play_to_the_end(&mut seats);
    let path = folder.path().join("match.save.xml");
    std::fs::write(&path, lobby.save_of(&id, None).unwrap()).unwrap();
    (SavedMatch::open(&path).unwrap().save, committed, messages)
}

fn checks(save: &Save, committed: Option<LuckNumber>) -> Checks {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.save.xml");
    save.write(&path, 0).unwrap();
    SavedMatch::open(&path).unwrap().checks(committed)
}

/// The same save with other events.
fn forged(save: &Save, change: impl FnOnce(&mut Vec<Arc<Event>>)) -> Save {
    let mut events = save.journal.events().to_vec();
    change(&mut events);
    Save {
        journal: Journal::new(events, usize::MAX),
        ..save.clone()
    }
}

#[test]
fn a_match_with_dice_verifies_and_everything_that_is_changed_in_its_file_is_found() {
    let (save, committed, messages) = played([true, true]);
    assert_eq!(messages.iter().filter(|text| text.contains("agreed on")).count(), 1, "{messages:?}");
    assert!(
        messages
            .iter()
            .any(|text| text.starts_with("the luck of this match was as agreed on")),
        "{messages:?}"
    );
    let honest = checks(&save, committed);
    assert_eq!(honest.difference, None);
    let events = save.journal.events();
    let with_luck: Vec<usize> = (0..events.len()).filter(|place| events[*place].luck.is_some()).collect();
    assert!(with_luck.len() > 3, "{} events with luck", with_luck.len());
    let count = with_luck.len();
    for said in [
        format!("Red took part in {count} of them"),
        format!("Blue took part in {count} of them"),
    ] {
        assert!(honest.passed.iter().any(|passed| passed.starts_with(&said)), "{:?}", honest.passed);
    }
    let finds = |forged: &Save, committed: Option<LuckNumber>, expected: &str| {
        let found = checks(forged, committed).difference.expect("it was not found");
        assert!(found.contains(expected), "{expected}: {found}");
    };
    let roll = with_luck[2];
    finds(
        &forged(&save, |events| {
            let draw = &mut Arc::make_mut(&mut events[roll]).draws[0];
            draw.result = draw.result.iter().map(|face| face % 6 + 1).collect();
        }),
        None,
        &format!("event {roll} ({}): draw 1 does not follow", events[roll].notation),
    );
    let other_seed = Save {
        seed: Seed::Secret([3; 32]),
        ..save.clone()
    };
    finds(&other_seed, None, "the seed is not the one that was committed to");
    finds(&forged(&save, |events| drop(events.remove(roll))), None, "an event is missing");
    finds(&save, Some(LuckNumber([5; 32])), "this is not the match that was agreed on");
    let chain = NumberChain::new(LuckNumber([9; 32]));
    finds(
        &forged(&save, |events| {
            let luck = Arc::make_mut(&mut events[0]).luck.as_mut().unwrap();
            Arc::make_mut(luck.terms.as_mut().unwrap()).heads[1] = Some(chain.head());
        }),
        None,
        "event 0 (): the number of seat 2 is not the one",
    );
    finds(
        &forged(&save, |events| {
            Arc::make_mut(&mut events[roll]).luck.as_mut().unwrap().numbers[0] = chain.number(2);
        }),
        None,
        "the number of seat 1 is not the one",
    );
    let left_out = forged(&save, |events| {
        Arc::make_mut(&mut events[roll]).luck.as_mut().unwrap().numbers[0] = None;
    });
    // The same dice may fall without the number of a seat: then it is found when the seat takes part again.
    let found = checks(&left_out, None).difference.expect("it was not found");
    let ways = ["does not follow from the numbers", "seat 1 was left out, and takes part again"];
    assert!(ways.iter().any(|way| found.contains(way)), "{found}");
    finds(
        &forged(&save, |events| Arc::make_mut(&mut events[roll]).luck = None),
        None,
        "without the numbers of the players",
    );
}

#[test]
fn who_takes_no_part_keeps_nobody_waiting() {
    let (save, _, _) = played([true, false]);
    let found = checks(&save, None);
    assert_eq!(found.difference, None);
    let parts: BTreeMap<bool, usize> = BTreeMap::from([true, false].map(|is_red| {
        let name = if is_red { "Red took part" } else { "Blue took part" };
        (is_red, found.passed.iter().filter(|passed| passed.starts_with(name)).count())
    }));
    assert_eq!(parts, BTreeMap::from([(true, 1), (false, 0)]));
}
