//! A window in another language: nothing of what rulesets say is left in the language they were written in.

use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

use boardwright::client::MatchChoice;
use boardwright::content::Catalog;
use boardwright::ui::{Language, StartScreen};
use egui::{Key, Modifiers};

use crate::support::{Opening, Window, of_people, own_content, project};

fn in_czech(beginning: StartScreen) -> Window {
    let opening = Opening::new(&project(), beginning);
    opening.with(|settings| settings.language = Some(Language::Czech)).open()
}

/// What a ruleset says in its own language, where that is not what it says in Czech.
fn english_of(ruleset: &str) -> Vec<String> {
    let catalog = Catalog::scan(&[project()]);
    let chain = catalog.chain(ruleset).unwrap();
    let phrases: Vec<_> = chain.iter().filter_map(|entry| entry.texts.get("cs")).flatten().collect();
    let is_czech = |of: &str| phrases.iter().any(|phrase| has_words(&phrase.text, of));
    let english = phrases.iter().filter(|phrase| !phrase.of.contains('{') && !is_czech(&phrase.of));
    let found: Vec<String> = english.map(|phrase| phrase.of.clone()).collect();
    assert!(found.len() > 5, "{ruleset}: {found:?}");
    found
}

/// Whether words stand in a text, not as a part of longer ones.
fn has_words(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let behind = text[at + words.len()..].chars().next();
        ![before, behind]
            .into_iter()
            .flatten()
            .any(|letter| letter.is_alphanumeric() || letter == '-' || letter == '_')
    })
}

/// Adds what is shown in a language that it should not be in.
fn look_for(window: &Window, english: &[String], found: &mut BTreeSet<String>) {
    for label in window.labels().lines() {
        for words in english.iter().filter(|words| has_words(label, words)) {
            found.insert(format!("{words}: {label}"));
        }
    }
}

fn computers(ruleset: &str, seats: &[&str]) -> MatchChoice {
    MatchChoice {
        players: seats.iter().map(|seat| ((*seat).to_owned(), "random".to_owned())).collect(),
        seed: Some(3.into()),
        ..of_people(ruleset)
    }
}

/// Looks at a match of computer players until it ends, or for so many looks.
fn looks_at(mut choice: MatchChoice, looks: usize, until: &str) {
    choice.pace = Duration::from_millis(15);
    let english = english_of(&choice.ruleset);
    let ruleset = choice.ruleset.clone();
    let mut window = in_czech(StartScreen::Match(choice));
    window.sees("1. kolo");
    let (mut found, begun) = (BTreeSet::new(), Instant::now());
    for look in 0..looks {
        window.harness.step();
        if look % 3 == 0 {
            look_for(&window, &english, &mut found);
        }
        if window.shows(until) || begun.elapsed() > Duration::from_secs(25) {
            break;
        }
    }
    assert_eq!(found, BTreeSet::new(), "{ruleset}");
}

#[test]
fn matches_of_the_small_rulesets_are_shown_in_czech_to_their_end() {
    looks_at(computers("tic-tac-toe", &["crosses", "noughts"]), 400, "Odveta");
    looks_at(computers("sixteen-soldiers", &["red", "blue"]), 90, "Odveta");
    let mut window = in_czech(StartScreen::Match(of_people("sixteen-captains")));
    window.sees("16 vojáků, z toho 0 s korunou");
    looks_at(
        MatchChoice {
            scenario: Some("race".to_owned()),
            ..computers("sixteen-captains", &["red", "blue"])
        },
        90,
        "Odveta",
    );
}

#[test]
fn matches_of_placing_are_shown_in_czech() {
    looks_at(computers("cornered", &["blue", "yellow", "red", "green"]), 150, "Odveta");
    looks_at(
        MatchChoice {
            scenario: Some("double".to_owned()),
            ..computers("cornered", &["first", "second"])
        },
        60,
        "Odveta",
    );
}

#[test]
fn a_war_is_shown_in_czech() {
    let options = ["random_areas", "missions", "capitals"].map(|name| (name.to_owned(), "yes".to_owned()));
    looks_at(
        MatchChoice {
            options: options.to_vec(),
            ..computers("conquest", &["red", "blue", "green"])
        },
        150,
        "Odveta",
    );
}

#[test]
fn what_a_player_is_asked_and_refused_is_in_czech() {
    let players = ["red", "blue", "green"].map(|seat| (seat.to_owned(), "human".to_owned()));
    let choice = MatchChoice {
        scenario: Some("war".to_owned()),
        players: players.to_vec(),
        seed: Some(2.into()),
        ..of_people("conquest")
    };
    let english = english_of("conquest");
    let mut window = in_czech(StartScreen::Match(choice));
    let mut found = BTreeSet::new();
    window.sees("Aljaška, Severní Amerika, posádka (červení) 6");
    window.sees("Změnit velikost panelu").no_longer_sees("Resize panel");
    look_for(&window, &english, &mut found);
    let at = window.rect_of("Hotovo").center();
    window.harness.hover_at(at);
    window.sees("Napřed je třeba rozmístit všechny armády.");
    look_for(&window, &english, &mut found);
    window.clicks_containing("Aljaška, ").sees("Kolik armád?");
    look_for(&window, &english, &mut found);
    window.clicks_containing("Rozmístit posily: ");
    window.sees("Aljaška + 11").clicks("Hotovo").sees("Z kterého vašeho území?");
    look_for(&window, &english, &mut found);
    window
        .clicks_containing("Aljaška, ")
        .clicks_containing("Kamčatka, ")
        .sees("S kolika armádami?");
    window.sees("prohra");
    look_for(&window, &english, &mut found);
    assert_eq!(found, BTreeSet::new());
}

#[test]
fn pieces_are_called_what_the_ruleset_calls_them() {
    for (ruleset, words) in [
        ("cornered", "21 dílků"),
        ("sixteen-soldiers", "16 vojáků"),
        ("sixteen-captains", "16 vojáků"),
    ] {
        let mut window = in_czech(StartScreen::Match(of_people(ruleset)));
        // Beside the name of a seat in one line, or by itself.
        let says = |label: &str| label == words || label.ends_with(&format!(", {words}"));
        window.waits_until(words, |window| window.labels().lines().any(says));
    }
    // A ruleset without a word for them.
    let content = own_content();
    let file = content.path().join("rulesets/sixteen-soldiers/texts/cs.xml");
    let text = fs::read_to_string(&file).unwrap();
    let without: Vec<&str> = text.lines().filter(|line| !line.contains("{n} pieces")).collect();
    fs::write(&file, without.join("\n")).unwrap();
    let opening = Opening::new(content.path(), StartScreen::Match(of_people("sixteen-soldiers")));
    let mut window = opening.with(|settings| settings.language = Some(Language::Czech)).open();
    window.waits_until("ve hře 16", |window| window.labels().lines().any(|label| label == "ve hře 16"));
}

#[test]
fn the_launcher_shows_rulesets_in_czech_with_their_options() {
    let mut window = in_czech(StartScreen::Launcher);
    window.sees("Začít partii");
    window.waits_until("it is still looked for rulesets", |window| {
        window.harness.state().as_ref().is_some_and(|app| !app.is_looking())
    });
    let mut found = BTreeSet::new();
    for (ruleset, title) in [
        ("conquest", "Dobývání světa"),
        ("cornered", "Roh k rohu"),
        ("sixteen-captains", "Šestnáct kapitánů"),
        ("sixteen-soldiers", "Šestnáct vojáků"),
        ("tic-tac-toe", "Piškvorky tři na tři"),
    ] {
        window.clicks_containing(&format!("{title}, ")).settles();
        look_for(&window, &english_of(ruleset), &mut found);
    }
    assert_eq!(found, BTreeSet::new());
    window.clicks_containing("Dobývání světa, ").sees("Hodnota karet");
}

#[test]
fn the_language_changes_while_a_match_is_shown() {
    let mut window = Window::of_people(&project());
    window.sees("c4, red soldier, can be picked");
    window.harness.state_mut().as_mut().unwrap().settings.language = Some(Language::Czech);
    window.sees("c4, voják (červení), lze vybrat").sees("Šestnáct vojáků");
    window.clicks("c4, voják (červení), lze vybrat").sees("Kam?");
    window.harness.state_mut().as_mut().unwrap().settings.language = Some(Language::English);
    window.sees("Sixteen Soldiers").sees("red soldier");
}

#[test]
fn the_rule_book_is_in_the_language_of_the_window() {
    let mut window = in_czech(StartScreen::Match(of_people("sixteen-soldiers")));
    window.sees("c4, voják (červení), lze vybrat");
    window.presses(Modifiers::NONE, Key::F1).sees("1 Deska a strany");
    window.harness.state_mut().as_mut().unwrap().settings.language = Some(Language::English);
    window.sees("1 The board and the sides");
}

#[test]
fn texts_that_are_saved_are_shown_at_once() {
    let content = own_content();
    let opening = Opening::new(content.path(), StartScreen::Match(of_people("tic-tac-toe")));
    let mut window = opening.with(|settings| settings.language = Some(Language::Czech)).open();
    window.sees("Křížky");
    let file = content.path().join("rulesets/tic-tac-toe/texts/cs.xml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace(">Křížky<", ">Iksy<")).unwrap();
    window.sees("Iksy").sees("texts/cs.xml: změna");
}

#[test]
fn the_list_of_saves_is_in_czech() {
    let saves = tempfile::tempdir().unwrap();
    let opening = Opening::new(&project(), StartScreen::Match(of_people("conquest")));
    let opening = opening.keeping(saves.path());
    let mut window = opening.with(|settings| settings.language = Some(Language::Czech)).open();
    window.sees("Které volné území?");
    window.clicks("Uložit").sees("Uloženo jako");
    window
        .clicks("Soubory")
        .clicks_containing("Otevřít uloženou partii")
        .sees("Dobývání světa: Tři velitelé");
    let mut found = BTreeSet::new();
    look_for(&window, &english_of("conquest"), &mut found);
    assert_eq!(found, BTreeSet::new());
}

/// A war in Czech, in which an attack is chosen.
fn war_in_czech() -> Window {
    let players = ["red", "blue", "green"].map(|seat| (seat.to_owned(), "human".to_owned()));
    let choice = MatchChoice {
        scenario: Some("war".to_owned()),
        players: players.to_vec(),
        seed: Some(2.into()),
        ..of_people("conquest")
    };
    let opening = Opening::new(&project(), StartScreen::Match(choice)).sized(egui::vec2(1120.0, 720.0));
    opening.with(|settings| settings.language = Some(Language::Czech)).open()
}

#[test]
fn a_war_in_czech_as_a_picture() {
    let mut window = war_in_czech();
    window.clicks_containing("Aljaška, ").clicks_containing("Rozmístit posily: ");
    window.sees("Aljaška + 11").clicks("Hotovo");
    window.sees("Z kterého vašeho území?");
    window.clicks_containing("Aljaška, ").sees("Na které nepřátelské území?");
    window.harness.remove_cursor();
    window.picture().is_as_approved("war-czech");
}
