//! The texts of rulesets in other languages: what is bundled is whole, and only what clients show depends on it.

use std::fs;
use std::time::Duration;

use boardwright::client::MatchChoice;
use boardwright::client::{Connection, Locale};
use boardwright::content::Catalog;
use boardwright::local::{LocalMatch, untranslated};
use boardwright::protocol::{Command, FromHost, Reply};

use crate::command_line::copied;
use crate::common::catalog;
use crate::sessions::plays;

/// The bundled content in a folder of its own.
fn own_content() -> tempfile::TempDir {
    copied(&["tic-tac-toe"])
}

fn czech() -> Locale {
    Locale {
        language: "cs".to_owned(),
        ..Locale::default()
    }
}

fn begun(catalog: &Catalog, ruleset: &str, players: &[(&str, &str)]) -> LocalMatch {
    let players = players.iter().map(|(seat, player)| ((*seat).to_owned(), (*player).to_owned()));
    let choice = MatchChoice {
        ruleset: ruleset.to_owned(),
        players: players.collect(),
        seed: Some(5.into()),
        watches: true,
        ..MatchChoice::default()
    };
    LocalMatch::begin(catalog, &choice).unwrap()
}

fn joined(begun: &LocalMatch, locale: Option<Locale>) -> Connection {
    let mut connection = Connection::open(Box::new(begun.connect(None))).unwrap();
    if let Some(locale) = locale {
        connection.set_locale(locale).unwrap();
    }
    connection.settle().unwrap();
    connection
}

#[test]
fn every_bundled_ruleset_is_whole_in_czech() {
    let catalog = catalog();
    for id in catalog.rulesets.keys() {
        let lacking = untranslated(&catalog, id, "cs");
        assert!(lacking.is_empty(), "{lacking}");
    }
}

#[test]
fn what_is_not_translated_is_listed_for_a_language_that_nobody_wrote() {
    let lacking = untranslated(&catalog(), "tic-tac-toe", "eo");
    let said: Vec<String> = lacking.iter().map(ToString::to_string).collect();
    assert!(
        said.iter()
            .any(|one| one.starts_with("rulesets/tic-tac-toe/rules.rhai:") && one.ends_with("not in `eo`: the board is full"))
    );
    assert!(said.iter().any(|one| one.contains("help/rules.md")), "{said:#?}");
}

#[test]
fn a_client_in_another_language_keeps_the_same_match_as_one_in_its_own() {
    let begun = begun(
        &catalog(),
        "conquest",
        &[("red", "random"), ("blue", "random"), ("green", "random")],
    );
    let (mut english, mut other) = (joined(&begun, None), joined(&begun, Some(czech())));
    for connection in [&mut english, &mut other] {
        while connection.mirror().at() < 150 {
            connection.poll(Some(Duration::from_secs(20))).unwrap();
        }
    }
    other.ask(Command::Pause { paused: true }).unwrap();
    for connection in [&mut english, &mut other] {
        while connection.poll(Some(Duration::from_millis(300))).unwrap().is_some() {}
        connection.ask(Command::Problems).unwrap();
        assert_eq!(connection.mirror().resyncs(), 0, "effects lead each mirror on");
    }
    let digest = |connection: &Connection| connection.mirror().view(None).map(|state| state.digest());
    assert_eq!(digest(&english), digest(&other));
    let notations = |connection: &Connection| -> Vec<String> {
        let history = connection.mirror().history().iter();
        history.map(|entry| entry.notation.to_string()).collect()
    };
    let (english, other) = (notations(&english), notations(&other));
    assert_eq!(english.len(), other.len());
    assert!(english.contains(&"claim Brazil".to_owned()) && other.contains(&"Brazílie".to_owned()));
}

#[test]
fn refusals_and_prompts_are_heard_in_the_language_of_the_client() {
    let begun = begun(&catalog(), "cornered", &[]);
    let mut connection = joined(&begun, Some(czech()));
    let title = |connection: &Connection| connection.mirror().description().map(|description| description.title.clone());
    assert_eq!(title(&connection).as_deref(), Some("Roh k rohu"));
    assert_eq!(&*connection.mirror().declarations().unwrap().seats[0].title, "Modrá");
    let Reply::Refused(refusal) = plays(&mut connection, "place i1 0 c3") else {
        panic!("a piece away from the corner");
    };
    assert_eq!((&*refusal.rule, &*refusal.reason), ("2.1", "první dílek musí zakrýt výchozí pole"));
    assert!(connection.set_locale(Locale::default()).unwrap());
    connection.settle().unwrap();
    assert_eq!(title(&connection).as_deref(), Some("Cornered"));
    assert!(!connection.set_locale(Locale::default()).unwrap(), "the same language again");
}

#[test]
fn texts_that_are_saved_are_in_force_at_once_and_texts_at_fault_are_not() {
    let content = own_content();
    let file = content.path().join("rulesets/tic-tac-toe/texts/cs.xml");
    let begun = begun(&Catalog::scan(&[content.path().to_owned()]), "tic-tac-toe", &[]);
    let mut connection = joined(&begun, Some(czech()));
    let seat = |connection: &Connection| connection.mirror().declarations().unwrap().seats[0].title.to_string();
    assert_eq!(seat(&connection), "Křížky");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace(">Křížky<", ">Iksy<")).unwrap();
    let is_other = |connection: &Connection| seat(connection) == "Iksy";
    for _ in 0..200 {
        connection.poll(Some(Duration::from_millis(100))).unwrap();
        if is_other(&connection) {
            break;
        }
    }
    assert!(is_other(&connection), "{}", seat(&connection));
    fs::write(&file, "<texts").unwrap();
    let is_told = |message: &FromHost| matches!(message, FromHost::Notice(boardwright::protocol::Notice::Problems { problems }) if !problems.is_empty());
    let mut told = false;
    for _ in 0..200 {
        told |= connection
            .poll(Some(Duration::from_millis(100)))
            .unwrap()
            .as_ref()
            .is_some_and(is_told);
        if told {
            break;
        }
    }
    assert!(told && is_other(&connection), "the texts as they were stay");
}
