//! A tutorial as a player meets it.

use boardwright::ui::StartScreen;
use egui::{Key, Modifiers};

use crate::support::{Opening, Window, project};

/// The tutorial of Tic-Tac-Toe, where the first text has been read.
fn begun() -> Window {
    let mut window = Opening::new(&project(), StartScreen::Launcher).open();
    window.waits_until("rules are still read", |window| {
        window.harness.state().as_ref().is_some_and(|app| !app.is_looking())
    });
    window.clicks_containing("Tic-Tac-Toe, 2 seats").clicks("Learn to play");
    window.sees("Tutorial, step 1 of 6").sees("Crosses and noughts take turns");
    window.clicks("Next").sees("Tutorial, step 2 of 6").sees("Click the middle square");
    window
}

/// Clicks a square, and plays where that alone does not.
fn marks(window: &mut Window, cell: &str) {
    window.clicks(&format!("{cell}, empty, can be chosen"));
}

#[test]
fn a_tutorial_leads_to_its_end_and_explains_what_was_not_meant() {
    let mut window = begun();
    marks(&mut window, "a3");
    window.sees("That's not the move meant here").sees("a3, empty, can be chosen");
    marks(&mut window, "b2");
    window.sees("b2, Crosses").sees("Tutorial, step 3 of 6").sees("b1, Noughts");
    window.no_longer_sees("That's not the move meant here");
    // What was undone is asked for again.
    window.presses(Modifiers::COMMAND, Key::Z).sees("Tutorial, step 2 of 6");
    window.presses(Modifiers::COMMAND, Key::Y).sees("Tutorial, step 3 of 6");
    for (cell, step) in [("a1", "4"), ("a2", "5"), ("c2", "6")] {
        marks(&mut window, cell);
        window.sees(&format!("Tutorial, step {step} of 6"));
    }
    window.sees("Three in a row: crosses win").clicks("Play on against the computer");
    window.no_longer_sees("Tutorial, step");
    let app = window.harness.state().as_ref().unwrap();
    let description = app.running().unwrap().controller().mirror().description().unwrap();
    assert_eq!(description.ruleset, "tic-tac-toe", "the match goes on");
}

/// In *Conquest* the commanders hold cards and missions that the others do not see.
#[test]
fn nobody_is_asked_to_hand_the_screen_over_in_a_tutorial() {
    let ruleset = "conquest";
    let opening = Opening::new(&project(), StartScreen::Launcher);
    let mut window = opening.with(|settings| settings.hands_over = true).open();
    window.waits_until("rules are still read", |window| {
        window.harness.state().as_ref().is_some_and(|app| !app.is_looking())
    });
    window.clicks_containing("Conquest, ").clicks("Learn to play");
    window.sees("Tutorial, step 1").sees("You play Red");
    window.clicks("Next").no_longer_sees("Nobody else should look");
    let app = window.harness.state().as_ref().unwrap();
    let description = app.running().unwrap().controller().mirror().description().unwrap();
    assert_eq!(description.ruleset, ruleset);
}

#[test]
fn whoever_leaves_a_tutorial_plays_on_against_the_computer() {
    let mut window = begun();
    window.clicks("Leave the tutorial").no_longer_sees("Tutorial, step");
    window.waits_until("nobody has taken the other seat", |window| {
        let app = window.harness.state().as_ref().unwrap();
        app.running().unwrap().controller().mirror().players() == ["human", "search:2"]
    });
    marks(&mut window, "a3");
    window.sees("2. Noughts: ");
}

#[test]
fn a_tutorial_speaks_the_language_that_is_chosen_in_it() {
    let mut window = begun();
    window.harness.state_mut().as_mut().unwrap().settings.language = Some(boardwright::ui::Language::Czech);
    window.no_longer_sees("Click the middle square").sees("Výuka, krok 2");
    window.sees("prostřed");
}
