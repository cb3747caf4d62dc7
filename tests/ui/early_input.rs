//! Clicks and keys before the rules have answered: they are queued, and take effect when the rules have.

use std::sync::Arc;

use boardwright::client::MatchChoice;
use boardwright::ui::StartScreen;
use egui::{Key, Modifiers, Pos2, Rect, vec2};
use egui_kittest::kittest::Queryable;

use crate::support::tap::{Tap, TappedContent};
use crate::support::{Opening, Window, of_people, pressed, project};

/// A match whose host can be held back; what it said so far has come.
fn tapped(choice: MatchChoice, sign: &str) -> (tempfile::TempDir, Tap, Window) {
    let (saves, tap) = (tempfile::tempdir().unwrap(), Tap::default());
    let content = TappedContent::new(&project(), saves.path(), tap.clone());
    let opening = Opening::new(&project(), StartScreen::Match(choice));
    let mut window = opening.open_with(Arc::new(content));
    window.sees(sign).settles();
    (saves, tap, window)
}

fn soldiers() -> (tempfile::TempDir, Tap, Window) {
    tapped(of_people("sixteen-soldiers"), "c4, red soldier, can be picked")
}

/// A war of people in which Red begins, with the host held back at will.
fn war() -> (tempfile::TempDir, Tap, Window) {
    let choice = MatchChoice {
        scenario: Some("war".to_owned()),
        players: ["red", "blue", "green"].map(|seat| (seat.to_owned(), "human".to_owned())).to_vec(),
        // With which Red begins.
        seed: Some(2.into()),
        ..of_people("conquest")
    };
    tapped(choice, "Alaska, North America, red garrison 6, can be chosen")
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
fn steps_through_the_history_lead_on_from_each_other_before_the_host_has_answered() {
    let (_saves, tap, mut window) = tapped(of_people("tic-tac-toe"), "a1, empty, can be chosen");
    for cell in ["a1", "b1", "b2", "c1"] {
        window.clicks(&format!("{cell}, empty, can be chosen"));
        window.sees(&format!("mark {cell}"));
    }
    tap.holds_back(true);
    for key in [Key::PageUp, Key::PageUp, Key::PageUp, Key::PageDown] {
        window.presses(Modifiers::NONE, key);
    }
    tap.holds_back(false);
    window.sees("Looking back: 2 of 4");
    tap.holds_back(true);
    window.clicks("Back").clicks("Back");
    tap.holds_back(false);
    window.sees("Looking back: 0 of 4");
    tap.holds_back(true);
    window
        .long_frame([Key::PageDown, Key::ArrowRight, Key::ArrowRight, Key::ArrowLeft].map(pressed))
        .settles();
    tap.holds_back(false);
    window.sees("Looking back: 2 of 4");
    tap.holds_back(true);
    // Whoever is led to the newest position by one key is there for the next, though it is not shown yet.
    window.long_frame([Key::End, Key::ArrowLeft].map(pressed)).settles();
    tap.holds_back(false);
    window.no_longer_sees("Looking back: ");
    window.waits_until("the host has not answered", |window| !window.awaits_answers());
    assert!(!window.shows("Looking back: "));
}

#[test]
fn a_double_click_that_the_rules_have_not_answered_plays_when_they_have() {
    let (_saves, tap, mut window) = soldiers();
    tap.holds_back(true);
    window.clicks("e4, red soldier").clicks("e5, empty").clicks("e5, empty");
    tap.holds_back(false);
    window.sees("1. Red: e4-e5").settles();
    assert!(!window.shows("is taken"), "the second click of it means nothing then");
}

#[test]
fn the_keys_of_a_number_wait_until_it_is_asked_for() {
    let (_saves, tap, mut window) = war();
    tap.holds_back(true);
    window.clicks_containing("Alaska, ");
    for key in [Key::OpenBracket, Key::OpenBracket, Key::Enter] {
        window.presses(Modifiers::NONE, key);
    }
    tap.holds_back(false);
    window.sees("Alaska, North America, red garrison 15");
}

#[test]
fn a_click_counts_however_long_the_frame_between_its_press_and_its_release_takes() {
    let (_saves, _tap, mut window) = soldiers();
    let place = window.rect_of("c4, red soldier, can be picked").center();
    window.harness.hover_at(place);
    window.harness.step();
    let button = |pressed| egui::Event::PointerButton {
        pos: place,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    window.harness.event(button(true));
    // Frames of two seconds.
    window.harness.run_steps(120);
    window.harness.event(button(false));
    window.sees("c4, red soldier, chosen");
}

#[test]
fn a_button_that_is_clicked_before_the_rules_have_answered_plays() {
    let (_saves, tap, mut window) = war();
    window.clicks_containing("Alaska, ").sees("Reinforce: 11").clicks("Reinforce: 11");
    window.sees("Alaska, North America, red garrison 17");
    tap.holds_back(true);
    window.clicks("Done");
    tap.holds_back(false);
    window.sees("From which of your areas?");
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
    window.clicks("c4, red soldier, can be picked").clicks("c5, empty, can be chosen");
    window.sees("c6, blue soldier, can be picked").settles();
    tap.holds_back(true);
    window.clicks("b6, blue soldier").clicks("b5, empty");
    window.presses(Modifiers::COMMAND, Key::Z);
    window.waits_until("the host has not done both", |_| tap.has_all_answers());
    tap.holds_back(false);
    window
        .sees("your earlier clicks and keys were ignored")
        .sees("c4, red soldier, can be picked");
    window.settles();
    assert!(!window.shows("b5, empty, chosen") && !window.shows("b6, blue soldier, chosen"));
}

#[test]
fn a_drag_that_the_rules_have_not_answered_plays_when_they_have() {
    let (_saves, tap, mut window) = soldiers();
    let (before, from, to) = rects(&mut window);
    tap.holds_back(true);
    // Something is picked, so that what may be picked next is not known.
    window.clicks("a4, red soldier").drags(from, to).settles();
    assert!(!window.shows("1. Red: "));
    assert_eq!(window.rect_of("e4, red soldier"), before, "the board stays");
    tap.holds_back(false);
    window.sees("1. Red: c4-c5");
}

#[test]
fn a_drag_that_is_answered_on_its_way_carries_the_piece() {
    let (_saves, tap, mut window) = soldiers();
    let (_, from, to) = rects(&mut window);
    tap.holds_back(true);
    window.clicks("a4, red soldier");
    window.begins_to_drag(from, from + (to - from) * 0.5);
    tap.holds_back(false);
    window.sees("c4, red soldier, chosen").sees("c5, empty, can be chosen");
    window.drops_at(to);
    window.sees("1. Red: c4-c5");
}

#[test]
fn a_drag_with_nothing_to_carry_moves_the_board_as_soon_as_that_is_known() {
    let (_saves, tap, mut window) = soldiers();
    let before = window.rect_of("c6, blue soldier").center();
    let by = vec2(48.0, 36.0);
    tap.holds_back(true);
    window.clicks("a4, red soldier");
    window.begins_to_drag(before, before + by);
    assert_eq!(window.rect_of("c6, blue soldier").center(), before);
    tap.holds_back(false);
    window.waits_until("the board does not move", |window| {
        let soldier = window.harness.get_by_label("c6, blue soldier").rect().center();
        (soldier - before - by).length() < 1.0
    });
    window.drops_at(before + by).settles();
    assert!(window.shows("a4, red soldier, chosen") && !window.shows("1. Red: "));
}

#[test]
fn a_drag_from_what_can_not_be_picked_does_nothing_once_that_is_known() {
    let (_saves, tap, mut window) = soldiers();
    let from = window.rect_of("c6, blue soldier").center();
    let to = window.rect_of("c4, red soldier, can be picked").center();
    tap.holds_back(true);
    window.clicks("a4, red soldier").drags(from, to);
    tap.holds_back(false);
    window.sees("a4, red soldier, chosen").settles();
    assert!(!window.shows("c4, red soldier, chosen"), "where it ended was not clicked");
}

/// Where e4, c4 and c5 are.
fn rects(window: &mut Window) -> (Rect, Pos2, Pos2) {
    let from = window.rect_of("c4, red soldier, can be picked").center();
    let to = window.rect_of("c5, empty").center();
    (window.rect_of("e4, red soldier"), from, to)
}

/// Red has chosen c4-c5 and played it, and the host's answer is held back.
fn on_its_way() -> (tempfile::TempDir, Tap, Window) {
    let (saves, tap, mut window) = soldiers();
    window
        .clicks("c4, red soldier, can be picked")
        .sees("c5, empty, can be chosen")
        .settles();
    tap.holds_back(true);
    window.clicks("c5, empty, can be chosen");
    (saves, tap, window)
}

#[test]
fn what_is_clicked_while_an_action_is_on_its_way_is_meant_for_what_comes_then() {
    let (_saves, tap, mut window) = on_its_way();
    window
        .clicks("b6, blue soldier")
        .clicks("b5, empty")
        .presses(Modifiers::NONE, Key::Enter);
    tap.holds_back(false);
    window.sees("1. Red: c4-c5").sees("2. Blue: b6-b5");
}

#[test]
fn what_is_dragged_while_an_action_is_on_its_way_is_meant_for_what_comes_then() {
    let (_saves, tap, mut window) = on_its_way();
    let from = window.rect_of("a6, blue soldier").center();
    let to = window.rect_of("a5, empty").center();
    window.drags(from, to);
    tap.holds_back(false);
    window.sees("2. Blue: a6-a5");
}

#[test]
fn a_second_press_of_what_played_is_not_meant_for_what_comes_then() {
    let (_saves, tap, mut window) = on_its_way();
    window.presses(Modifiers::NONE, Key::Enter);
    window.clicks("c5, empty").clicks("c5, empty");
    tap.holds_back(false);
    window.sees("1. Red: c4-c5").sees("c6, blue soldier, can be picked").settles();
    assert!(!window.shows("were ignored"));
}

#[test]
fn what_was_meant_for_a_position_that_is_gone_again_is_dropped_with_a_word() {
    let (_saves, tap, mut window) = on_its_way();
    window.clicks("c6, blue soldier");
    // It comes after the action.
    window.presses(Modifiers::COMMAND, Key::Z);
    window.waits_until("the host has not done both", |_| tap.has_all_answers());
    tap.holds_back(false);
    window.sees("your earlier clicks and keys were ignored").settles();
    assert!(!window.shows(", chosen"));
}

#[test]
fn the_key_that_plays_on_waits_for_the_number_that_it_takes() {
    let (_saves, tap, mut window) = war();
    window
        .clicks_containing("Alaska, ")
        .clicks("Reinforce: 11")
        .sees("Alaska + 11")
        .clicks("Done")
        .sees("From which of your areas?")
        .settles();
    tap.holds_back(true);
    window.clicks_containing("Alaska, ").clicks_containing("Kamchatka, ");
    window.presses(Modifiers::SHIFT, Key::Enter);
    tap.holds_back(false);
    window.sees("3. Red: Alaska > Kamchatka with 3");
}
