//! Looking back at what was played, and how the match went.

use std::time::Duration;

use boardwright::client::MatchChoice;
use boardwright::ui::StartScreen;
use egui::{Key, Modifiers, vec2};
use egui_kittest::kittest::Queryable;

use crate::support::{Opening, Window, of_people, project};

/// Tic-tac-toe, with marks on some squares.
fn marked(cells: &[&str]) -> Window {
    let mut window = Window::of_rules(&project(), "tic-tac-toe");
    for cell in cells {
        window.clicks(&format!("{cell}, empty, can be chosen"));
        window.sees(&format!("mark {cell}"));
    }
    window
}

#[test]
fn keys_go_through_the_history() {
    let mut window = marked(&["a1", "b1", "b2"]);
    window
        .presses(Modifiers::NONE, Key::Home)
        .sees("Looking back: 0 of 3")
        .sees("0 of 3");
    window.presses(Modifiers::NONE, Key::ArrowRight).sees("Looking back: 1 of 3");
    window.presses(Modifiers::NONE, Key::PageDown).sees("Looking back: 2 of 3");
    window.presses(Modifiers::NONE, Key::ArrowLeft).sees("Looking back: 1 of 3");
    window.presses(Modifiers::NONE, Key::End).no_longer_sees("Looking back: ");
    window.presses(Modifiers::NONE, Key::PageUp).sees("Looking back: 2 of 3");
}

#[test]
fn a_replay_runs_to_the_newest_action_by_itself() {
    let mut window = marked(&["a1", "b1", "b2"]);
    window.clicks("Look back").clicks("Replay speed").clicks("4×");
    window
        .clicks("Start replay")
        .sees("Looking back: 0 of 3")
        .sees("Looking back: 1 of 3")
        .sees("Looking back: 2 of 3");
    window.no_longer_sees("Looking back: ").sees("3 of 3").sees("Start replay");
    window.clicks("To the beginning").sees("Looking back: 0 of 3");
    window
        .presses(Modifiers::NONE, Key::Space)
        .sees("Pause replay")
        .clicks("Pause replay")
        .sees("Start replay");
    window
        .clicks("Back to the present")
        .no_longer_sees("Looking back: ")
        .no_longer_sees("Replay speed");
}

#[test]
fn what_differs_from_the_present_is_lit_and_the_two_change_places() {
    let mut window = marked(&["a1", "b1", "b2"]);
    window.clicks("1. Crosses: mark a1").sees("Looking back: 1 of 3");
    window
        .clicks("Compare")
        .sees("b1, empty, can be chosen, differs from now")
        .sees("b2, empty, can be chosen, differs from now");
    assert!(!window.harness.query_all_by_label_contains("a1, ").any(|node| {
        let label = egui_kittest::kittest::NodeT::accesskit_node(&node).label().unwrap_or_default();
        label.contains("differs")
    }));
    window.clicks("Show now").sees("b1, noughts mark, differs from now");
    window
        .presses(Modifiers::NONE, Key::C)
        .sees("b1, empty, can be chosen, differs from now");
    window.clicks("Compare").no_longer_sees("differs from now");
}

#[test]
fn a_match_goes_on_from_an_earlier_moment() {
    let mut window = marked(&["a1", "b1", "b2"]);
    window
        .clicks("1. Crosses: mark a1")
        .sees("Looking back: 1 of 3")
        .clicks("Play on from here");
    window.no_longer_sees("Looking back: ").sees("2. mark b1 mark b2");
    window.clicks("c3, empty, can be chosen").sees("2. Noughts: mark c3");
}

#[test]
fn the_chart_says_how_the_match_went_and_leads_to_its_moments() {
    let mut window = marked(&["a1", "b1", "b2"]);
    window
        .clicks("Match graph")
        .sees("Pieces: Crosses from 0 to 2, Noughts from 0 to 1");
    let place = window.rect_of_containing("Pieces: Crosses");
    window.harness.hover_at(place.left_center() + vec2(place.width() * 0.5, 0.0));
    window.settles();
    window.harness.drag_at(place.left_center() + vec2(place.width() * 0.5, 0.0));
    window.harness.drop_at(place.left_center() + vec2(place.width() * 0.5, 0.0));
    window.sees("Looking back: ");
    window.clicks("Close").no_longer_sees("Pieces: Crosses");
}

#[test]
fn the_end_of_a_match_shows_its_course_and_can_be_watched() {
    let mut window = marked(&["a1", "b1", "a2", "b2", "a3"]);
    window
        .sees(" won")
        .clicks("Watch")
        .sees("Looking back: 0 of 5")
        .sees("Pause replay");
    window.presses(Modifiers::NONE, Key::End).no_longer_sees("Looking back: ");
    assert!(!window.shows("Crosses won\n"));
}

#[test]
fn the_result_is_closed_and_what_to_do_next_stays_at_hand() {
    let mut window = marked(&["a1", "b1", "a2", "b2", "a3"]);
    window.clicks("Show the board").no_longer_sees("Rule 3");
    window.clicks("Rematch").sees("a1, empty, can be chosen");
}

#[test]
fn the_rule_by_which_a_match_ended_is_one_click_away() {
    let mut window = marked(&["a1", "b1", "a2", "b2", "a3"]);
    window.clicks("Rule 3").sees("Search the rules");
}

#[test]
fn the_end_and_the_bar_fit_into_the_smallest_window() {
    let opening = Opening::new(&project(), StartScreen::Match(of_people("tic-tac-toe"))).sized(vec2(760.0, 520.0));
    let mut window = opening.open();
    for cell in ["a1", "b1", "a2", "b2", "a3"] {
        window.clicks(&format!("{cell}, empty, can be chosen"));
        window.sees(&format!("mark {cell}"));
    }
    let whole = window.harness.ctx.content_rect();
    for label in ["Rematch", "Watch", "New match"] {
        let rect = window.rect_of(label);
        assert!(whole.contains_rect(rect), "{label}: {rect:?}");
    }
    window.presses(Modifiers::NONE, Key::Home).sees("Looking back: 0 of 5");
    for label in [
        "To the beginning",
        "To the latest",
        "Compare",
        "Play on from here",
        "Back to the present",
    ] {
        let rect = window.rect_of(label);
        assert!(whole.contains_rect(rect), "{label}: {rect:?}");
    }
}

#[test]
fn a_line_that_was_left_is_listed_gone_back_to_and_deleted() {
    let mut window = marked(&["a1", "b1"]);
    window.clicks("Undo").clicks("b2, empty, can be chosen").sees("Variations");
    window.clicks("2. mark b1").sees("b1, noughts mark").sees("2. mark b2");
    window.clicks("Delete the variation 2. mark b2").no_longer_sees("Variations");
}

#[test]
fn where_there_is_little_room_the_panel_rolls_and_the_history_keeps_its_lines() {
    let opening = Opening::new(&project(), StartScreen::Match(of_people("tic-tac-toe"))).sized(vec2(760.0, 520.0));
    let mut window = opening.open();
    for cell in ["a1", "b1", "a2", "b2", "a3"] {
        window.clicks(&format!("{cell}, empty, can be chosen"));
        window.sees(&format!("mark {cell}"));
    }
    window.clicks_containing("Look back").sees("Replay speed").sees("Rematch").settles();
    let seats = window.rect_of("Rematch").center();
    window.turns_wheel(seats, -2000.0);
    let (heading, bar) = (window.rect_of("History"), window.rect_of("To the beginning"));
    assert!(heading.bottom() + 110.0 < bar.top(), "{heading:?} {bar:?}");
    assert!(window.rect_of("Rematch").top() < seats.y - 30.0, "the panel is not rolled");
}

#[test]
fn the_history_follows_the_position_that_is_shown() {
    let opening = Opening::new(&project(), StartScreen::Match(of_people("tic-tac-toe"))).sized(vec2(760.0, 520.0));
    let mut window = opening.open();
    for cell in ["a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3"] {
        window.clicks(&format!("{cell}, empty, can be chosen"));
        window.sees(&format!("mark {cell}"));
    }
    let is_seen = |window: &mut Window, label: &str| {
        window.settles();
        let (heading, entry) = (window.rect_of("History"), window.rect_of(label));
        assert!(
            entry.top() > heading.bottom() && entry.bottom() <= 520.0,
            "{label}: {heading:?} {entry:?}"
        );
    };
    is_seen(&mut window, "8. Noughts: mark a3");
    window.presses(Modifiers::NONE, Key::Home).sees("Looking back: 0 of 8");
    is_seen(&mut window, "1. Crosses: mark a1");
    window.presses(Modifiers::NONE, Key::ArrowRight).sees("Looking back: 1 of 8");
    is_seen(&mut window, "1. Crosses: mark a1");
    window.presses(Modifiers::NONE, Key::End).no_longer_sees("Looking back: ");
    is_seen(&mut window, "8. Noughts: mark a3");
}

/// Nothing in the window moves by itself: it takes no time of the processor.
#[test]
fn a_match_that_waits_is_not_drawn_again() {
    let choice = MatchChoice {
        players: vec![("blue".to_owned(), "greedy".to_owned())],
        ..of_people("river-crossing")
    };
    let mut window = Opening::new(&project(), StartScreen::Match(choice)).open();
    window.waits_until("Red is not to move", |window| window.shows("Which unit moves?"));
    window.clicks("Done");
    window.waits_until("Blue has not moved", |window| {
        window.shows("Round 2") && window.shows("Which unit moves?")
    });
    window.waits_until("it is drawn again and again", |window| {
        let viewports = &window.harness.output().viewport_output;
        viewports
            .values()
            .all(|viewport| viewport.repaint_delay > Duration::from_millis(50))
    });
}
