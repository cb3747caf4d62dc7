//! The panels of a match, by their menu.

use boardwright::client::MatchChoice;
use boardwright::ui::StartScreen;
use egui::{Key, Modifiers, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

use crate::support::{Opening, Window, of_people, project};

fn war() -> Window {
    let choice = MatchChoice {
        scenario: Some("war".to_owned()),
        players: ["red", "blue", "green"].map(|seat| (seat.to_owned(), "human".to_owned())).to_vec(),
        ..of_people("conquest")
    };
    let mut window = Opening::new(&project(), StartScreen::Match(choice)).open();
    window.sees("Round 1");
    window
}

#[test]
fn odds_strategies_and_edits_are_opened_and_closed_in_a_menu() {
    let mut window = war();
    for (row, sign) in [
        ("Odds", "Close the odds"),
        ("What strategies think", "Strategy to ask"),
        ("Edit position", "Type a change"),
    ] {
        assert!(!window.shows(sign), "{sign}");
        window.clicks("More tools").clicks(row).sees(sign);
        window.clicks("More tools");
        // The title of the panel has the same words.
        let is_on = |row: &egui_kittest::Node<'_>| row.accesskit_node().toggled() == Some(egui::accesskit::Toggled::True);
        let in_menu = window.harness.query_all_by_label(row).find(is_on).unwrap();
        in_menu.click();
        window.no_longer_sees(sign);
    }
}

#[test]
fn what_does_not_apply_to_a_ruleset_is_disabled_and_says_why() {
    let mut window = Window::of_rules(&project(), "tic-tac-toe");
    window.sees("a1, empty, can be chosen").clicks("More tools");
    for (row, reason) in [
        ("Odds", "No action of this ruleset has odds"),
        ("What strategies think", "This ruleset has no strategies."),
    ] {
        let place = window.rect_of(row).center();
        assert!(window.harness.get_by_label(row).accesskit_node().is_disabled(), "{row}");
        window.harness.hover_at(place);
        window.sees(reason);
    }
    window.presses(Modifiers::NONE, Key::Escape).no_longer_sees("Edit position");
    // Its key says the same.
    window.presses(Modifiers::NONE, Key::O).sees("No action of this ruleset has odds");
    assert!(!window.shows("Close the odds"));
}

#[test]
fn all_of_the_head_is_there_in_a_small_window() {
    let opening = Opening::new(&project(), StartScreen::Match(of_people("sixteen-soldiers"))).sized(vec2(640.0, 480.0));
    let mut window = opening.open();
    window.sees("c4, red soldier, can be picked");
    let whole = window.harness.ctx.content_rect();
    let mut right = 0.0;
    for label in [
        "Back to the launcher",
        "Undo",
        "Redo",
        "Hint",
        "Save",
        "More tools",
        "Files",
        "Rule book",
        "Settings",
    ] {
        let rect = window.rect_of(label);
        assert!(whole.contains_rect(rect) && rect.left() >= right, "{label}: {rect:?}");
        right = rect.right();
    }
}
