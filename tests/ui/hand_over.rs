//! People at one screen who may not see the same.

use boardwright::client::MatchChoice;
use boardwright::ui::StartScreen;
use egui::{Key, Modifiers};

use crate::support::{Opening, Window, of_people, project};

/// A match of three people, with secret missions or without.
fn conquest(has_missions: bool) -> Window {
    let seats = ["red", "blue", "green"].map(|seat| (seat.to_owned(), "human".to_owned()));
    let choice = MatchChoice {
        players: seats.into(),
        options: [("missions".to_owned(), has_missions.to_string())].into(),
        ..of_people("conquest")
    };
    let opening = Opening::new(&project(), StartScreen::Match(choice));
    opening.with(|settings| settings.hands_over = true).open()
}

/// For whom the screen waits.
fn awaited(window: &Window) -> String {
    let labels = window.labels();
    let asked = labels.lines().find_map(|line| line.strip_prefix("Hand the screen over to "));
    asked.unwrap().split('.').next().unwrap().to_owned()
}

#[test]
fn the_match_is_covered_until_the_next_of_two_people_is_there() {
    let mut window = conquest(true);
    window.sees("Hand the screen over to").no_longer_sees("Round 1");
    let first = awaited(&window);
    window.settles().picture().is_as_approved("hand-over");
    window.clicks(&format!("Show the side of {first}")).sees("Round 1");
    window.presses(Modifiers::NONE, Key::N).presses(Modifiers::NONE, Key::Space);
    window.sees("Hand the screen over to").no_longer_sees("Round 1");
    assert_ne!(awaited(&window), first);
    // Keys play nothing while the match is covered, but for Enter, which uncovers it.
    window.presses(Modifiers::NONE, Key::N).presses(Modifiers::NONE, Key::Space);
    window.sees("Hand the screen over to");
    window.presses(Modifiers::NONE, Key::Enter).sees("Round 1");
    window.presses(Modifiers::NONE, Key::N).presses(Modifiers::NONE, Key::Space);
    window
        .sees("Hand the screen over to")
        .clicks("Do not hide sides in this match")
        .sees("Round 1");
    window.presses(Modifiers::NONE, Key::N).presses(Modifiers::NONE, Key::Space);
    window.sees("Round 2").no_longer_sees("Hand the screen over to");
}

#[test]
fn nothing_is_covered_while_all_see_the_same() {
    let mut window = conquest(false);
    window.sees("Round 1");
    window.presses(Modifiers::NONE, Key::N).presses(Modifiers::NONE, Key::Space);
    window.settles().sees("Round 1").no_longer_sees("Hand the screen over to");
}
