//! Previews of what an action would change, before it is played.

use boardwright::client::MatchChoice;
use boardwright::ui::StartScreen;
use egui::{Key, Modifiers};

use crate::support::{Opening, Window, farm, of_people, own_content, project};

/// A match in which one of Red's soldiers stands in front of one of Blue's.
fn before_a_capture() -> Window {
    let mut window = Window::of_people(&project());
    window
        .clicks("c4, red soldier, can be picked")
        .clicks("c5, empty, can be chosen")
        .clicks("c6, blue soldier, can be picked");
    window.sees("c4, empty, can be chosen");
    window
}

#[test]
fn a_piece_that_would_be_captured_is_marked_as_soon_as_the_pointer_says_how() {
    let mut window = before_a_capture();
    let end = window.rect_of_containing("c4, empty").center();
    window.harness.hover_at(end);
    window.sees("c5, red soldier, last action, red soldier would be removed");
    window.sees("c4, empty, can be chosen, last action, blue soldier would come here");
    let aside = window.rect_of_containing("a5, empty").center();
    window.harness.hover_at(aside);
    window.no_longer_sees("would be removed");
}

#[test]
fn a_piece_that_would_come_into_being_is_shown_with_its_own_look() {
    let mut window = Window::of_rules(&project(), "tic-tac-toe");
    let square = window.rect_of("b2, empty, can be chosen").center();
    window.harness.hover_at(square);
    window.sees("b2, empty, can be chosen, crosses mark would come here");
}

#[test]
fn a_number_that_would_change_is_shown_while_it_is_chosen() {
    let players = ["red", "blue", "green"].map(|seat| (seat.to_owned(), "human".to_owned()));
    let choice = MatchChoice {
        scenario: Some("war".to_owned()),
        players: players.to_vec(),
        seed: Some(2.into()),
        ..of_people("conquest")
    };
    let mut window = Opening::new(&project(), StartScreen::Match(choice)).open();
    window.clicks_containing("Alaska, ");
    window.sees("Alaska, North America, red garrison 6, chosen, would be red garrison 17");
    window
        .presses(Modifiers::NONE, Key::OpenBracket)
        .sees("would be red garrison 16")
        .presses(Modifiers::NONE, Key::CloseBracket);
    window.clicks("Reinforce: 11").no_longer_sees("would be");
}

#[test]
fn all_pieces_that_an_action_drives_away_are_marked() {
    let content = own_content();
    farm::lies_in(content.path());
    let mut window = Opening::new(content.path(), StartScreen::Match(of_people("farm"))).open();
    for (from, piece, to) in [("a1", "hill hen", "b1"), ("a1", "", "b1")] {
        window.clicks_containing(&format!("{from}, "));
        if !piece.is_empty() {
            window.clicks(piece);
        }
        let label = format!("{to}, ");
        if piece.is_empty() {
            let at = window.rect_of_containing(&label).center();
            window.harness.hover_at(at);
            window.sees("hill hen would be removed, dale hen would come here");
        }
        window.clicks_containing(&label);
        window.no_longer_sees("would ");
    }
    window.sees("b1, dale hen, last action");
}

#[test]
fn a_shape_that_would_be_laid_is_told_at_its_first_square() {
    let mut window = Window::of_rules(&project(), "cornered");
    window.sees("a1, ").clicks("blue block").sees("Mirror");
    let square = window.rect_of_containing("a1, ").center();
    window.harness.hover_at(square);
    window.sees("a1, Blue start, empty, can be chosen, blue block would come here");
}
