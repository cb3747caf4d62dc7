//! Pieces of a hand, and several pieces of one cell.

use boardwright::ui::StartScreen;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;

use crate::support::{Opening, Window, farm, of_people, own_content};

/// Whether something has exactly that label.
fn has(window: &Window, label: &str) -> bool {
    window.harness.query_by_label(label).is_some()
}

fn farm() -> (tempfile::TempDir, Window) {
    let content = own_content();
    farm::lies_in(content.path());
    let mut window = Opening::new(content.path(), StartScreen::Match(of_people("farm"))).open();
    window.sees("a1, hill ox, hill hen, dale hen, can be picked");
    (content, window)
}

#[test]
fn several_pieces_of_a_cell_are_laid_out_for_a_choice() {
    let (_content, mut window) = farm();
    window.clicks_containing("a1, hill ox").sees("None of these");
    assert!(has(&window, "hill ox") && has(&window, "hill hen") && !has(&window, "dale hen"));
    window.clicks("hill hen").no_longer_sees("None of these");
    window.clicks("b1, empty, can be chosen").sees("b1, hill hen, last action");
}

#[test]
fn the_choice_among_the_pieces_of_a_cell_is_left_without_one() {
    let (_content, mut window) = farm();
    window.clicks_containing("a1, hill ox").clicks("None of these");
    window
        .no_longer_sees("None of these")
        .sees("a1, hill ox, hill hen, dale hen, can be picked");
}

/// Whether the choice is whole.
fn can_play(window: &Window) -> bool {
    window.harness.query_by_label("Play").is_some()
}

#[test]
fn several_pieces_of_a_hand_are_chosen_together() {
    let (_content, mut window) = farm();
    window.clicks("hay").settles();
    assert!(!can_play(&window), "one is too few");
    window.clicks("salt").settles();
    assert!(can_play(&window));
    window.clicks("salt").settles();
    assert!(!can_play(&window), "it is put back");
    // With the third nothing is left to choose.
    window.clicks("maize").clicks("oats");
    window.sees("Market: 3 (hay, oats, maize)").sees("Hill, Barn: 1 (salt)");
}

#[test]
fn several_pieces_of_a_hand_are_chosen_by_keys_alone() {
    let (_content, mut window) = farm();
    for piece in ["salt", "hay"] {
        window.rect_of(piece);
        window.harness.get_by_label(piece).focus();
        window.harness.step();
        window.presses(Modifiers::NONE, Key::Space).settles();
    }
    assert!(can_play(&window));
    window.presses(Modifiers::NONE, Key::Enter).sees("Market: 2 (");
}
