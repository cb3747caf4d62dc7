//! The editor and a match side by side: what is drawn is played, and what is played is drawn on.

use crate::editor::{cell, with_file};
use crate::support::{Opening, of_people, own_content};
use boardwright::ui::StartScreen;
use egui::{Key, Modifiers};

const VALLEY: &str = "maps/river-crossing/valley.map.xml";

#[test]
fn what_is_drawn_flows_into_the_match_that_goes_on_behind() {
    let content = own_content();
    let mut window = with_file(content.path(), VALLEY);
    window.sees("b2, Clear, empty").presses(Modifiers::NONE, Key::F5).sees("Drawing");
    window.sees("b2, Clear, empty").presses(Modifiers::NONE, Key::F5).sees("Match");
    window.clicks("Terrain Wood").clicks("b2, Clear, empty").sees("b2, Wood, empty");
    // The match is the one that was left, and nothing had to be saved.
    window.clicks("Match").sees("Drawing").sees("b2, Wood, empty");
    window.clicks("Drawing").sees("File The valley, not saved");
    window.presses(Modifiers::COMMAND, Key::Z).sees("b2, Clear, empty");
    window.presses(Modifiers::NONE, Key::F5).sees("Drawing").sees("b2, Clear, empty");
    // Whoever leaves the match is back in the editor, and has none any more.
    window.clicks("Back to the launcher").sees("Terrain Wood").no_longer_sees("Match");
}

#[test]
fn what_cannot_be_carried_over_is_told_in_the_editor() {
    let content = own_content();
    let mut window = with_file(content.path(), VALLEY);
    window.presses(Modifiers::NONE, Key::F5).sees("Drawing");
    window
        .presses(Modifiers::NONE, Key::F5)
        .sees("Match")
        .presses(Modifiers::NONE, Key::S);
    let (from, to) = (cell(&mut window, "a1"), cell(&mut window, "b2"));
    window.drags(from, to).sees("4 cells selected");
    window.clicks("Regions").clicks("New region of the selected cells");
    window.rect_of_containing("the map has other regions");
}

#[test]
fn a_scenario_made_of_a_match_is_opened_and_the_match_goes_on() {
    let content = own_content();
    let saves = tempfile::tempdir().unwrap();
    let begun = StartScreen::Match(of_people("river-crossing"));
    let mut window = Opening::new(content.path(), begun).keeping(&saves.path().join("saves")).open();
    window.sees("b2, Clear, empty").clicks("More tools").clicks("Make a scenario");
    window
        .sees("File The crossing, round 1")
        .sees("Piece Guard")
        .clicks("Match")
        .sees("Drawing");
    let made = saves.path().join("maps/river-crossing/standard-round-1.scenario.xml");
    assert!(made.is_file());
}

#[test]
fn the_map_and_the_scenario_of_a_match_are_opened_from_it() {
    let content = own_content();
    let begun = StartScreen::Match(of_people("river-crossing"));
    let mut window = Opening::new(content.path(), begun).open();
    window
        .sees("b2, Clear, empty")
        .clicks("More tools")
        .clicks("Edit the map")
        .sees("File The valley");
    window
        .clicks("Match")
        .sees("Drawing")
        .clicks("More tools")
        .clicks("Edit the scenario")
        .sees("Piece Guard");
    // A saved change is carried over into the match, as every change of its files is.
    window
        .clicks("Pieces of Blue")
        .clicks("Piece Guard")
        .clicks("e5, Clear, empty")
        .sees("e5, Clear, blue guard");
    window.presses(Modifiers::COMMAND, Key::S).no_longer_sees("not saved");
    window.clicks("Match").sees("e5, Clear, blue guard");
    window
        .clicks("Drawing")
        .clicks("Back to the match")
        .sees("Hint")
        .no_longer_sees("Drawing");
}
