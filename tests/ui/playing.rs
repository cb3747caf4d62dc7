//! A match as its players meet it.

use std::fs;

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;

use boardwright::client::MatchChoice;
use boardwright::ui::StartScreen;

use crate::support::{Window, of_people, own_content, project};

#[test]
fn a_match_is_started_and_played_by_clicks_on_pieces_and_points() {
    let mut window = Window::launcher();
    window.clicks("You play: Red").clicks("All seats").clicks("Start match");
    window.clicks("c4, red soldier, can be picked").sees("c5, empty, can be chosen");
    window.clicks("c5, empty, can be chosen").sees("c5, red soldier, last action");
    window.sees("1. Red: ").sees("c6, blue soldier, can be picked");
}

#[test]
fn escape_takes_the_choice_back() {
    let mut window = Window::of_people(&project());
    window.clicks("b4, red soldier, can be picked").sees("b4, red soldier, chosen");
    window.presses(Modifiers::NONE, Key::Escape).sees("b4, red soldier, can be picked");
}

#[test]
fn cells_can_be_chosen_without_a_pointer() {
    let mut window = Window::of_people(&project());
    window.sees("e4, red soldier, can be picked");
    window.harness.get_by_label("e4, red soldier, can be picked").click_accesskit();
    window.sees("e5, empty, can be chosen");
    window.harness.get_by_label("e5, empty, can be chosen").focus();
    window.presses(Modifiers::NONE, Key::Enter).sees("e5, red soldier, last action");
}

#[test]
fn actions_are_undone_and_done_again_by_button_and_by_key() {
    let mut window = Window::of_people(&project());
    window.clicks("c4, red soldier, can be picked").clicks("c5, empty, can be chosen");
    window.sees("c5, red soldier, last action");
    window.clicks("Undo").sees("c4, red soldier, can be picked");
    window.clicks("Redo").sees("c5, red soldier, last action");
    window.presses(Modifiers::COMMAND, Key::Z).sees("c4, red soldier, can be picked");
    window.presses(Modifiers::COMMAND, Key::Y).sees("c5, red soldier, last action");
}

#[test]
fn a_seat_is_given_to_the_computer_while_the_match_runs() {
    let mut window = Window::of_people(&project());
    window.sees("c4, red soldier, can be picked");
    window.clicks("Player of Red").clicks("Random");
    window.sees("1. Red: ").sees("blue soldier, can be picked");
}

#[test]
fn a_hint_is_shown_on_the_board() {
    let mut window = Window::of_people(&project());
    window
        .sees("c4, red soldier, can be picked")
        .clicks("Hint")
        .sees("soldier, can be picked, hint");
}

#[test]
fn an_error_in_changed_rules_is_shown_with_its_place_and_the_match_goes_on() {
    let content = own_content();
    let mut window = Window::of_people(content.path());
    window.sees("c4, red soldier, can be picked");
    let rules = content.path().join("rulesets/sixteen-soldiers/rules.rhai");
    let text = fs::read_to_string(&rules).unwrap();
    fs::write(&rules, text.replace("fn plain_step() {", "fn plain_step( {")).unwrap();
    window
        .sees("rulesets/sixteen-soldiers/rules.rhai:")
        .sees("fn plain_step( {")
        .sees("still using the old rules");
    window.clicks("c4, red soldier, can be picked").clicks("c5, empty, can be chosen");
    window.sees("c5, red soldier, last action");
    fs::write(&rules, text.replace("title: \"Soldier\"", "title: \"Fighter\"")).unwrap();
    window.sees("New rules are active").sees("Rule 1 changed").sees("c5, red fighter");
    window.no_longer_sees("fn plain_step( {");
}

#[test]
fn the_end_is_told_and_a_rematch_offered() {
    let mut window = Window::of_rules(&project(), "tic-tac-toe");
    for cell in ["a1", "b1", "a2", "b2", "a3"] {
        let label = format!("{cell}, empty, can be chosen");
        window.clicks(&label);
    }
    window.sees(" won").clicks("Rematch").sees("a1, empty, can be chosen");
}

#[test]
fn a_number_is_taken_by_keyboard_alone() {
    let choice = MatchChoice {
        options: vec![("random_areas".to_owned(), "yes".to_owned())],
        players: ["red", "blue", "green"].map(|seat| (seat.to_owned(), "human".to_owned())).to_vec(),
        ..of_people("conquest")
    };
    let mut window = Window::open(&project(), StartScreen::Match(choice));
    window.sees("garrison 1, can be chosen").settles();
    window.presses(Modifiers::NONE, Key::N).settles();
    window.presses(Modifiers::NONE, Key::Space).sees("Place armies: ");
    window.presses(Modifiers::NONE, Key::Enter).no_longer_sees("Place armies: ");
}
