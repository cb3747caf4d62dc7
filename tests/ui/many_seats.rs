//! Many seats in a small window.

use boardwright::client::MatchChoice;
use boardwright::ui::{Language, StartScreen};
use egui::vec2;

use crate::support::{Opening, Window, of_people, project};

const SEATS: [&str; 6] = ["red", "blue", "green", "yellow", "purple", "teal"];

/// Six commanders, the first of them a person, in a small window.
fn six(language: Language) -> Window {
    // Purple begins, and what has levels is not to act before the person is.
    let players = ["human", "search:2", "standard", "mcts:3", "greedy", "random"];
    let choice = MatchChoice {
        scenario: Some("six".to_owned()),
        players: SEATS
            .iter()
            .zip(players)
            .map(|(seat, player)| ((*seat).to_owned(), player.to_owned()))
            .collect(),
        ..of_people("conquest")
    };
    let opening = Opening::new(&project(), StartScreen::Match(choice)).sized(vec2(1000.0, 640.0));
    opening.with(|settings| settings.language = Some(language)).open()
}

#[test]
fn six_seats_and_how_they_stand_are_reached_without_rolling() {
    let mut window = six(Language::English);
    window.sees("Which free area?").sees("Red, to move");
    let history = window.rect_of("History");
    for seat in ["Red", "Blue", "Green", "Yellow", "Purple", "Teal"] {
        let player = window.rect_of(&format!("Player of {seat}"));
        let swap = window.rect_of(&format!("Swap {seat} with"));
        assert!((player.center().y - swap.center().y).abs() < 2.0, "{seat} has one line");
        assert!(player.bottom() < history.top());
    }
    let last = window.rect_of("To be placed");
    assert!(last.bottom() < history.top(), "{last:?} {history:?}");
    assert!(history.bottom() + 60.0 < 640.0, "the history keeps some lines");
}

#[test]
fn the_level_of_a_seat_in_one_line_is_changed_by_keys() {
    let mut window = six(Language::English);
    window.sees("Which free area?").clicks("Level of Blue");
    window.presses(egui::Modifiers::COMMAND, egui::Key::A);
    window.harness.event(egui::Event::Text("5".to_owned()));
    window.presses(egui::Modifiers::NONE, egui::Key::Enter);
    window.waits_until("the level is another", |window| {
        let app = window.harness.state().as_ref().unwrap();
        app.running().unwrap().controller().mirror().players()[1] == "search:5"
    });
}

#[test]
fn six_seats_in_a_small_window_as_they_are_seen() {
    let mut window = six(Language::Czech);
    window.sees("Které volné území?");
    window.harness.remove_cursor();
    window.picture().is_as_approved("six-seats-czech");
}
