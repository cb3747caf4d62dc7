//! Eight Kingdoms in the window: what is left to do, what the panel offers, and to whom what is said.

use boardwright::client::MatchChoice;
use boardwright::ui::StartScreen;
use egui::vec2;

use crate::support::{Opening, Window, of_people, project};

/// The turn of a person against a computer.
fn turn_of_rowan() -> Window {
    let choice = MatchChoice {
        scenario: Some("small".to_owned()),
        players: [("rowan", "human"), ("juniper", "random")]
            .map(|(seat, player)| (seat.to_owned(), player.to_owned()))
            .into(),
        ..of_people("eight-kingdoms")
    };
    let mut window = Opening::new(&project(), StartScreen::Match(choice))
        .sized(vec2(1200.0, 860.0))
        .open();
    window.sees("End of turn");
    window
}

#[test]
fn before_a_turn_ends_the_window_shows_what_is_left_to_do() {
    let mut window = turn_of_rowan();
    window.no_longer_sees("Spearmen");
    window
        .clicks("End of turn")
        .sees("Spearmen")
        .sees("Archers")
        .clicks("Spearmen")
        .no_longer_sees("Archers")
        .sees("Clear");
}

#[test]
fn a_seat_is_offered_once_it_is_clear_for_what() {
    let mut window = turn_of_rowan();
    let before = window.counts("Juniper");
    window.clicks("Offer a treaty").sees("To whom?");
    assert_eq!(window.counts("Juniper"), before + 1);
}

#[test]
fn sections_beside_the_board_unfold_and_lead_to_units() {
    let mut window = turn_of_rowan();
    window.no_longer_sees("Scout: 8 of 8").clicks("Units (5)").sees("Scout: 8 of 8");
    window.clicks("Units (5)").no_longer_sees("Scout: 8 of 8");
}
