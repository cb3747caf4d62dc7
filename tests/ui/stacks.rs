//! Stacks of pieces from which some are chosen, actions that wait to be confirmed, and buttons that play at once.

use boardwright::ui::StartScreen;
use egui::{Key, Modifiers, vec2};
use egui_kittest::kittest::Queryable;

use crate::support::{Opening, Window, harbour, of_people, own_content};

fn harbour() -> (tempfile::TempDir, Window) {
    let content = own_content();
    harbour::lies_in(content.path());
    let mut window = Opening::new(content.path(), StartScreen::Match(of_people("harbour")))
        .sized(vec2(760.0, 520.0))
        .open();
    window.sees("a1, red frigate, red sloop, red sloop, can be picked").settles();
    (content, window)
}

/// Whether something has exactly that label.
fn has(window: &Window, label: &str) -> bool {
    window.harness.query_by_label(label).is_some()
}

/// The cells of picks before the last one, by their names.
fn earlier(window: &Window) -> Vec<String> {
    let app = window.harness.state().as_ref().unwrap();
    let controller = app.running().unwrap().controller();
    let board = controller.state().unwrap().board().clone();
    let Some(picker) = controller.picker() else { return Vec::new() };
    let cells = picker.earlier_cells();
    cells.into_iter().map(|cell| board.cell_name(cell).to_owned()).collect()
}

fn attackers(window: &mut Window) {
    window.clicks("Fire").sees("Attackers").clicks_containing("a1, red frigate");
    window.sees("Close the list");
    window.clicks("red frigate").clicks("red sloop #2").settles();
}

#[test]
fn several_of_a_stack_are_chosen_from_a_list_until_that_is_all() {
    let (_content, mut window) = harbour();
    window.clicks("Fire").sees("Attackers").clicks_containing("a1, red frigate");
    window.sees("red sloop #1").sees("red sloop #2").settles();
    assert!(!has(&window, "That is all"), "nothing is chosen yet");
    window.clicks("red frigate").sees("That is all");
    window.clicks("red sloop #1").clicks("red sloop #1").clicks("red sloop #2");
    window.picture().is_as_approved("stack-of-pieces");
    window.clicks("That is all").no_longer_sees("Close the list").sees("Target");
    window
        .clicks_containing("d1, blue frigate")
        .sees("None of these")
        .clicks("blue sloop");
    window.sees("2 at a sloop");
}

#[test]
fn pieces_of_two_stacks_are_chosen_together_and_put_back_one_by_one() {
    let (_content, mut window) = harbour();
    attackers(&mut window);
    window.clicks("Close the list").clicks_containing("b2, red frigate").settles();
    // The list comes again with what is in the set.
    window
        .clicks_containing("a1, red frigate")
        .sees("Close the list")
        .clicks("red frigate");
    window.clicks("That is all").clicks_containing("e2, blue sloop");
    window.sees("2 at a sloop");
}

#[test]
fn the_cells_of_earlier_picks_are_told_from_those_that_can_be_picked_now() {
    let (_content, mut window) = harbour();
    attackers(&mut window);
    assert!(earlier(&window).is_empty(), "{:?}", earlier(&window));
    window
        .clicks("That is all")
        .sees("Target")
        .sees("d1, blue frigate, blue sloop, can be chosen")
        .settles();
    assert_eq!(earlier(&window), ["a1"]);
    window.harness.remove_cursor();
    window.picture().is_as_approved("earlier-picks");
}

#[test]
fn an_action_that_is_confirmed_waits_and_its_last_pick_is_taken_back_by_escape_and_by_undo() {
    let (_content, mut window) = harbour();
    let ask = "Press Enter or click again to play";
    window
        .clicks("Sail")
        .clicks_containing("b2, red frigate")
        .clicks("c2, empty, can be chosen");
    window.sees(ask).sees("Sail: Frigate (b2), c2").settles();
    assert!(window.shows("b2, red frigate, chosen"), "nothing is played: {}", window.labels());
    window.harness.remove_cursor();
    window.picture().is_as_approved("confirm-action");
    window.presses(Modifiers::NONE, Key::Escape).no_longer_sees(ask);
    window.sees("b2, red frigate, chosen").clicks("c2, empty, can be chosen").sees(ask);
    window.presses(Modifiers::COMMAND, Key::Z).no_longer_sees(ask);
    window.sees("b2, red frigate, chosen").clicks("c2, empty, can be chosen").sees(ask);
    window.clicks("c2, empty, chosen").sees("c2, red frigate, ");
}

#[test]
fn an_action_that_is_confirmed_is_played_by_enter_and_by_its_button() {
    for by_button in [false, true] {
        let (_content, mut window) = harbour();
        window
            .clicks("Sail")
            .clicks_containing("b2, red frigate")
            .clicks("c2, empty, can be chosen");
        window.sees("Press Enter or click again to play").settles();
        if by_button {
            window.clicks("Play");
        } else {
            window.presses(Modifiers::NONE, Key::Enter);
        }
        window.sees("c2, red frigate, ");
    }
}

#[test]
fn a_second_click_plays_no_action_that_was_not_meant() {
    let (_content, mut window) = harbour();
    // The frigate may fire and sail as well.
    window
        .clicks_containing("b2, red frigate")
        .sees("b2, red frigate, chosen")
        .sees("Strike");
    window.clicks_containing("b2, red frigate, chosen").settles();
    window.presses(Modifiers::NONE, Key::Enter).settles();
    assert!(window.shows("b2, red frigate, "), "nothing is played: {}", window.labels());
    window.presses(Modifiers::NONE, Key::Escape).sees("b2, red frigate, can be picked");
    window
        .clicks("Sail")
        .clicks("Strike")
        .clicks_containing("b2, red frigate")
        .sees("Strike: Frigate (b2)");
    window.presses(Modifiers::NONE, Key::Enter);
    window.sees("b2, empty");
}

#[test]
fn what_needs_no_pick_is_played_by_the_first_click_while_something_else_is_picked() {
    for picks in [false, true] {
        let (_content, mut window) = harbour();
        window.clicks("Sail").settles();
        if picks {
            window.clicks_containing("b2, red frigate").sees("b2, red frigate, chosen");
        }
        window.clicks("Done").sees("e2, blue sloop, can be picked");
    }
}
