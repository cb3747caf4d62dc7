//! The launcher and what is the same on every screen.

use std::fs;

use boardwright::ui::Beginning;
use egui_kittest::kittest::Queryable;

use crate::support::{Window, own_content};

#[test]
fn the_launcher_offers_every_ruleset_as_a_card_with_its_seats() {
    let mut window = Window::launcher();
    window.sees("Sixteen Soldiers, 2 seats").sees("Tic-Tac-Toe, 2 seats");
    window
        .sees("Player of Red")
        .sees("Capturing is compulsory")
        .sees("Moves without a capture to a draw");
    window.harness.get_by_label_contains("Tic-Tac-Toe, 2 seats").click();
    window.no_longer_sees("Capturing is compulsory");
}

#[test]
fn the_window_speaks_the_language_that_is_chosen() {
    let mut window = Window::launcher();
    window
        .clicks("Settings")
        .clicks("Čeština")
        .sees("Začít partii")
        .sees("2 hráči, asi 20 minut");
    window.no_longer_sees("Start the match");
}

#[test]
fn a_broken_ruleset_shows_its_finding_on_its_card_and_stops_no_other() {
    let content = own_content();
    let rules = content.path().join("rulesets/tic-tac-toe/rules.rhai");
    let text = fs::read_to_string(&rules).unwrap();
    fs::write(&rules, format!("{text}\nfn broken( {{\n")).unwrap();
    let mut window = Window::open(content.path(), Beginning::Launcher);
    window.sees("Tic-Tac-Toe, 2 seats, about 2 minutes, rulesets/tic-tac-toe/rules.rhai:");
    window.clicks("Start the match").sees("c4, red soldier, can be picked");
}
