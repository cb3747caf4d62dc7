//! The board keeps its place and size, whatever is asked, whoever acts, and whatever is told.

use std::fs;

use boardwright::client::MatchChoice;
use boardwright::ui::StartScreen;
use egui::{Key, Modifiers, Rect, vec2};

use crate::support::{Opening, Window, of_people, own_content, project};

/// A window of a size with a match of one person against computers.
fn against_computers(root: &std::path::Path, ruleset: &str, scenario: &str, seats: &[&str], size: egui::Vec2) -> Window {
    let player = |(index, seat): (usize, &&str)| ((*seat).to_owned(), if index == 0 { "human" } else { "greedy" }.to_owned());
    let choice = MatchChoice {
        scenario: Some(scenario.to_owned()),
        players: seats.iter().enumerate().map(player).collect(),
        // With which Red begins in Conquest.
        seed: Some(2.into()),
        ..of_people(ruleset)
    };
    Opening::new(root, StartScreen::Match(choice)).sized(size).open()
}

/// Where two cells far from one another are.
fn places(window: &mut Window, cells: [&str; 2]) -> [Rect; 2] {
    cells.map(|cell| window.rect_of_containing(cell))
}

/// Plays what is chosen, unless it was played with the last click.
fn plays(window: &mut Window, done: &str) {
    for _ in 0..20 {
        window.harness.step();
    }
    if !window.shows(done) {
        window.presses(Modifiers::NONE, Key::Enter);
    }
    window.sees(done);
}

#[test]
fn while_pieces_are_laid_and_rules_change() {
    for size in [vec2(1440.0, 900.0), vec2(1000.0, 640.0)] {
        let content = own_content();
        let mut window = against_computers(content.path(), "cornered", "duo", &["blue", "yellow"], size);
        let cells = ["a1, ", "n14, "];
        window.sees("blue block");
        let before = places(&mut window, cells);
        window.clicks("blue block").sees("Mirror");
        assert_eq!(places(&mut window, cells), before, "a piece is picked");
        window.clicks_containing("e5, ");
        plays(&mut window, "1. Blue: ");
        assert_eq!(places(&mut window, cells), before, "it is laid");
        window.sees("2. Yellow: ").sees("Which piece?");
        assert_eq!(places(&mut window, cells), before, "the computer has answered");
        let rules = content.path().join("rulesets/cornered/rules.rhai");
        let text = fs::read_to_string(&rules).unwrap();
        fs::write(
            &rules,
            text.replace("nobody can place a piece any more\"", "nobody can place any more\""),
        )
        .unwrap();
        window.sees("New rules are active");
        assert_eq!(places(&mut window, cells), before, "other rules are in force");
    }
}

#[test]
fn while_armies_are_placed_and_attack_and_others_act() {
    let mut window = against_computers(&project(), "conquest", "war", &["red", "blue", "green"], vec2(1000.0, 640.0));
    let cells = ["Alaska, ", "Eastern Australia, "];
    window.sees("Alaska, North America, red garrison 6, can be chosen");
    let before = places(&mut window, cells);
    window.clicks_containing("Alaska, ").sees("Reinforce: 11");
    assert_eq!(places(&mut window, cells), before, "a number is asked");
    window.clicks("Reinforce: 11").sees("Alaska, North America, red garrison 17");
    assert_eq!(places(&mut window, cells), before, "armies are placed");
    window.clicks("Done").sees("Attack");
    window
        .clicks_containing("Alaska, ")
        .clicks_containing("Kamchatka, ")
        .sees("Attack: 3");
    assert_eq!(places(&mut window, cells), before, "an attack is chosen");
    window.clicks("Attack: 3").sees("the attack: ");
    assert_eq!(places(&mut window, cells), before, "dice were rolled");
    window.waits_until("nothing is asked that has to be answered", |window| window.shows("Done"));
    assert_eq!(places(&mut window, cells), before);
}

#[test]
fn while_the_position_is_edited_looked_back_at_and_rules_break() {
    for size in [vec2(1440.0, 900.0), vec2(1000.0, 640.0)] {
        let content = own_content();
        let mut window = against_computers(content.path(), "conquest", "war", &["red", "blue", "green"], size);
        let cells = ["Alaska, ", "Eastern Australia, "];
        window.sees("Alaska, North America, red garrison 6, can be chosen");
        let before = places(&mut window, cells);
        window.clicks_containing("Alaska, ").clicks("Reinforce: 11");
        window.sees("Alaska, North America, red garrison 17");
        window.presses(Modifiers::COMMAND, Key::Z).sees("Start replay");
        assert_eq!(places(&mut window, cells), before, "it is looked back");
        window.presses(Modifiers::NONE, Key::Backtick).sees("Type a change");
        assert_eq!(places(&mut window, cells), before, "the position is edited");
        window.presses(Modifiers::NONE, Key::Escape).no_longer_sees("Type a change");
        let rules = content.path().join("rulesets/conquest/5-attacking.rhai");
        let text = fs::read_to_string(&rules).unwrap();
        fs::write(&rules, format!("fn broken( {{\n{text}")).unwrap();
        window.sees("Close problems");
        assert_eq!(places(&mut window, cells), before, "rules are broken");
    }
}
