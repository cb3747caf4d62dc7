//! What is clicked and pressed before the rules have answered: it is kept in order, and takes effect when they have.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use boardwright::client::local::MatchChoice;
use boardwright::ui::Beginning;
use egui::{Key, Modifiers};

use crate::support::tap::{Tap, TappedContent};
use crate::support::{Opening, Window, of_people, project};

/// A match whose host can be held back; what it said so far has come.
fn tapped(choice: MatchChoice, sign: &str) -> (tempfile::TempDir, Tap, Window) {
    let (saves, tap) = (tempfile::tempdir().unwrap(), Tap::default());
    let content = TappedContent::new(&project(), saves.path(), tap.clone());
    let opening = Opening::new(&project(), Beginning::Match(choice));
    let mut window = opening.open_with(Arc::new(content));
    window.sees(sign).settles();
    (saves, tap, window)
}

fn soldiers() -> (tempfile::TempDir, Tap, Window) {
    tapped(of_people("sixteen-soldiers"), "c4, red soldier, can be picked")
}

#[test]
fn clicks_and_keys_wait_for_the_rules_and_take_effect_in_their_order() {
    let (_saves, tap, mut window) = soldiers();
    tap.holds_back(true);
    window
        .clicks("c4, red soldier")
        .clicks("c5, empty")
        .presses(Modifiers::NONE, Key::Enter);
    window.settles();
    assert!(!window.shows("1. Red: ") && !window.shows("c5, empty, chosen"));
    tap.holds_back(false);
    window.sees("c5, red soldier, last action").sees("1. Red: c4-c5");
}

#[test]
fn keys_that_lead_over_the_board_wait_for_what_can_be_chosen() {
    let (_saves, tap, mut window) = soldiers();
    window.presses(Modifiers::NONE, Key::N).settles();
    tap.holds_back(true);
    // The soldier that has the focus, the first end that it can come to, and the move: all before the rules have said what the ends are.
    for key in [Key::Space, Key::N, Key::Space, Key::Enter] {
        window.presses(Modifiers::NONE, key);
    }
    tap.holds_back(false);
    window.sees("1. Red: a4-a5");
}

#[test]
fn a_double_click_that_the_rules_have_not_answered_plays_when_they_have() {
    let (_saves, tap, mut window) = soldiers();
    tap.holds_back(true);
    window.clicks("e4, red soldier").clicks("e5, empty").clicks("e5, empty");
    tap.holds_back(false);
    window.sees("1. Red: e4-e5");
}

#[test]
fn the_keys_of_a_number_wait_until_it_is_asked_for() {
    let choice = MatchChoice {
        scenario: Some("war".to_owned()),
        players: ["red", "blue", "green"].map(|seat| (seat.to_owned(), "human".to_owned())).to_vec(),
        // With which Red begins.
        seed: Some(2),
        ..of_people("conquest")
    };
    let (_saves, tap, mut window) = tapped(choice, "Alaska, north america, red garrison 6, can be chosen");
    tap.holds_back(true);
    window.clicks_containing("Alaska, ");
    for key in [Key::OpenBracket, Key::OpenBracket, Key::Enter, Key::Enter] {
        window.presses(Modifiers::NONE, key);
    }
    tap.holds_back(false);
    window.sees("Alaska, north america, red garrison 15");
}

#[test]
fn escape_forgets_what_waits() {
    let (_saves, tap, mut window) = soldiers();
    tap.holds_back(true);
    window
        .clicks("c4, red soldier")
        .clicks("c5, empty")
        .presses(Modifiers::NONE, Key::Enter);
    window.presses(Modifiers::NONE, Key::Escape);
    tap.holds_back(false);
    window.sees("c4, red soldier, can be picked").settles();
    assert!(!window.shows("1. Red: "));
}

#[test]
fn what_waits_is_dropped_with_a_word_when_the_position_changes() {
    let (_saves, tap, mut window) = soldiers();
    window
        .clicks("c4, red soldier, can be picked")
        .clicks("c5, empty, can be chosen")
        .clicks("Play");
    window.sees("c6, blue soldier, can be picked").settles();
    tap.holds_back(true);
    window.clicks("b6, blue soldier").clicks("b5, empty");
    window.presses(Modifiers::COMMAND, Key::Z);
    // Until the host has done both.
    thread::sleep(Duration::from_millis(400));
    tap.holds_back(false);
    window
        .sees("what was clicked or pressed before that has no effect")
        .sees("c4, red soldier, can be picked");
    window.settles();
    assert!(!window.shows("b5, empty, chosen") && !window.shows("b6, blue soldier, chosen"));
}
