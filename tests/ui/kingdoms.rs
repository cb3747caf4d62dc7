//! Eight Kingdoms in the window: what is left to do, what the panel offers, to whom what is said, and heat maps of the rules.

use boardwright::client::MatchChoice;
use boardwright::ui::StartScreen;
use egui::{Key, Modifiers, vec2};

use crate::support::{Opening, Window, of_people, project};

/// The turn of a person against a computer.
fn turn_of_rowan(height: f32) -> Window {
    let choice = MatchChoice {
        scenario: Some("small".to_owned()),
        players: [("rowan", "human"), ("juniper", "random")]
            .map(|(seat, player)| (seat.to_owned(), player.to_owned()))
            .into(),
        ..of_people("eight-kingdoms")
    };
    let mut window = Opening::new(&project(), StartScreen::Match(choice))
        .sized(vec2(1200.0, height))
        .open();
    window.sees("End of turn");
    window
}

#[test]
fn before_a_turn_ends_the_window_shows_what_is_left_to_do() {
    let mut window = turn_of_rowan(860.0);
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
    let mut window = turn_of_rowan(860.0);
    let before = window.counts("Juniper");
    window.clicks("Offer a treaty").sees("To whom?");
    assert_eq!(window.counts("Juniper"), before + 1);
}

#[test]
fn sections_beside_the_board_unfold_and_lead_to_units() {
    let mut window = turn_of_rowan(860.0);
    window.no_longer_sees("Scout: 8 of 8").clicks("Units (5)").sees("Scout: 8 of 8");
    window.clicks("Units (5)").no_longer_sees("Scout: 8 of 8");
}

/// Kingdoms in which two units of Rowan are given to Juniper, so that they are enemies in sight.
fn enemies_in_sight() -> Window {
    let mut window = turn_of_rowan(760.0);
    window
        .sees("Round 1")
        .presses(Modifiers::NONE, Key::M)
        .sees("There is nothing to show now.");
    window.presses(Modifiers::NONE, Key::Backtick).settles();
    for text in ["owner e3 = juniper", "owner d4 = juniper"] {
        window.harness.event(egui::Event::Text(text.to_owned()));
        window.harness.step();
        window.presses(Modifiers::NONE, Key::Enter).settles();
    }
    window.presses(Modifiers::NONE, Key::Escape).no_longer_sees("Type a change");
    window
}

#[test]
fn heat_maps_of_the_rules_follow_the_match_one_after_the_other() {
    let mut window = enemies_in_sight();
    window.no_longer_sees("There is nothing to show now.").sees("Danger");
    window
        .presses(Modifiers::NONE, Key::M)
        .sees("In their sight")
        .no_longer_sees("Danger");
    window.presses(Modifiers::NONE, Key::M).no_longer_sees("In their sight");
    window.clicks("More tools").clicks("In their sight").sees("Hide the heat map");
    window.clicks("Hide the heat map").no_longer_sees("In their sight");
}

#[test]
fn what_others_see_as_it_is_seen() {
    let mut window = enemies_in_sight();
    window.presses(Modifiers::NONE, Key::M).sees("In their sight").settles();
    window.harness.remove_cursor();
    window.picture().is_as_approved("heat-map");
}

#[test]
fn who_looks_back_sees_their_own_side_also_in_the_turns_of_others() {
    let choice = MatchChoice {
        scenario: Some("small".to_owned()),
        players: ["rowan", "juniper"].map(|seat| (seat.to_owned(), "human".to_owned())).into(),
        ..of_people("eight-kingdoms")
    };
    let mut window = Opening::new(&project(), StartScreen::Match(choice)).open();
    window
        .sees("Rowanstead: no guard")
        .clicks("End of turn")
        .sees("things are left to do");
    window.presses(Modifiers::NONE, Key::Enter).sees("Junipergate: no guard");
    window.presses(Modifiers::NONE, Key::Home).sees("Looking back: 0 of 1");
    window.sees("Junipergate: no guard").no_longer_sees("Rowanstead: no guard");
}
