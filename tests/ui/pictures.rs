//! Pictures of the screens, compared with those in `docs/pictures`. They are painted by the processor alone, so they are the same
//! everywhere. `BLESS=1 cargo test --test ui pictures` makes them again: look at each before it is committed.

use std::fs;

use crate::support::{Opening, Window, of_people, own_content, project};
use boardwright::ui::StartScreen;
use egui::{Key, Modifiers, ThemePreference, vec2};

/// Large enough for all panels, small enough for a page.
const SIZE: egui::Vec2 = vec2(1120.0, 720.0);

fn match_of(ruleset: &str, theme: ThemePreference) -> Window {
    let opening = Opening::new(&project(), StartScreen::Match(of_people(ruleset)));
    opening.sized(SIZE).with(|settings| settings.theme = theme).open()
}

fn plays(window: &mut Window, cells: &[&str]) {
    for (step, cell) in cells.iter().enumerate() {
        let label = if step == 0 {
            format!("{cell}, red soldier, can be picked")
        } else {
            format!("{cell}, empty, can be chosen")
        };
        window.clicks(&label);
    }
}

#[test]
fn the_launcher() {
    let opening = Opening::new(&project(), StartScreen::Launcher).sized(SIZE);
    let mut window = opening.open();
    window.sees("Start match");
    window.waits_until("it is still looked for rulesets", |window| {
        window.harness.state().as_ref().is_some_and(|app| !app.is_looking())
    });
    // A card is shown before its rules are read, which tell its seats.
    for card in ["Conquest, 2 to 6 seats", "Cornered, 2 to 4 seats", "Tic-Tac-Toe, 2 seats"] {
        window.sees(card);
    }
    window.picture().is_as_approved("launcher");
}

#[test]
fn a_match_in_which_an_action_is_chosen() {
    for (theme, name) in [(ThemePreference::Dark, "match"), (ThemePreference::Light, "match-light")] {
        let mut window = match_of("sixteen-soldiers", theme);
        plays(&mut window, &["c4", "c5"]);
        window
            .clicks("c6, blue soldier, can be picked")
            .clicks("c4, empty, can be chosen, last action");
        window.sees("c4, blue soldier, last action");
        plays(&mut window, &["a4", "a5"]);
        window.harness.remove_cursor();
        window.picture().is_as_approved(name);
    }
}

#[test]
fn the_end_of_a_match() {
    let mut window = match_of("tic-tac-toe", ThemePreference::Light);
    for cell in ["a1", "b1", "b2", "c1", "c3"] {
        window.clicks(&format!("{cell}, empty, can be chosen"));
        window.sees(&format!("mark {cell}"));
    }
    window.sees("Rematch");
    window.harness.remove_cursor();
    window.picture().is_as_approved("end-of-match");
}

#[test]
fn an_error_in_changed_rules_and_rules_that_came_into_force() {
    let content = own_content();
    let opening = Opening::new(content.path(), StartScreen::Match(of_people("sixteen-soldiers")));
    let mut window = opening.sized(SIZE).open();
    window.sees("c4, red soldier, can be picked");
    let rules = content.path().join("rulesets/sixteen-soldiers/rules.rhai");
    let text = fs::read_to_string(&rules).unwrap();
    fs::write(&rules, text.replace("fn plain_step() {", "fn plain_step( {")).unwrap();
    window.sees("rules.rhai:").sees("still using the old rules");
    window.picture().is_as_approved("problems");
    fs::write(&rules, text.replace("capturing().repeated()", "capturing()")).unwrap();
    window.sees("New rules are active").no_longer_sees("still using the old rules");
    let mut picture = window.picture();
    // How long it took differs.
    let took = window.rect_of_containing("after ");
    picture
        .unsteady
        .push(egui::Rect::from_min_size(took.min, vec2(90.0, took.height())));
    picture.is_as_approved("changed-rules");
}

#[test]
fn the_rule_book_beside_a_match() {
    for (theme, name) in [(ThemePreference::Dark, "rule-book"), (ThemePreference::Light, "rule-book-light")] {
        let mut window = match_of("sixteen-soldiers", theme);
        window.sees("c4, red soldier, can be picked");
        window.presses(Modifiers::NONE, Key::F1).clicks("Next page").sees("2.1 The step");
        window.harness.remove_cursor();
        window.picture().is_as_approved(name);
    }
}

#[test]
fn a_rule_with_an_error_in_the_editor() {
    let content = own_content();
    let opening = Opening::new(content.path(), StartScreen::Match(of_people("tic-tac-toe")));
    let mut window = opening.sized(SIZE).open();
    window
        .presses(Modifiers::NONE, Key::F4)
        .sees("Text of rulesets/tic-tac-toe/rules.rhai");
    let rules = content.path().join("rulesets/tic-tac-toe/rules.rhai");
    let text = fs::read_to_string(&rules).unwrap();
    fs::write(&rules, text.replace("fn pattern_mark(view) {", "fn pattern_mark(view {")).unwrap();
    window.sees("Line 27: ");
    window.clicks("Dismiss");
    window.harness.remove_cursor();
    window.picture().is_as_approved("editor");
}

#[test]
fn a_match_looked_back_at_and_compared_with_the_present() {
    for (theme, size, name) in [
        (ThemePreference::Dark, vec2(1280.0, 800.0), "replay"),
        (ThemePreference::Light, vec2(760.0, 520.0), "replay-small"),
    ] {
        let opening = Opening::new(&project(), StartScreen::Match(of_people("sixteen-soldiers"))).sized(size);
        let mut window = opening.with(|settings| settings.theme = theme).open();
        plays(&mut window, &["c4", "c5"]);
        window
            .clicks("c6, blue soldier, can be picked")
            .clicks("c4, empty, can be chosen, last action");
        window.sees("c4, blue soldier, last action");
        window
            .presses(Modifiers::NONE, Key::Home)
            .clicks("Compare")
            .sees("differs from now");
        window.harness.remove_cursor();
        window.picture().is_as_approved(name);
    }
}

#[test]
fn a_shape_about_to_be_laid() {
    for (theme, size, name) in [
        (ThemePreference::Light, vec2(1280.0, 800.0), "shapes"),
        (ThemePreference::Dark, vec2(760.0, 520.0), "shapes-small"),
    ] {
        let opening = Opening::new(&project(), StartScreen::Match(of_people("cornered"))).sized(size);
        let mut window = opening.with(|settings| settings.theme = theme).open();
        for (piece, corner) in [("blue small step", "a1"), ("yellow small corner", "s1")] {
            window.clicks(piece).sees("Mirror").clicks_containing(&format!("{corner}, "));
            window.no_longer_sees("Mirror");
        }
        window.clicks("red block").sees("Mirror");
        let at = window.rect_of_containing("s19, ").center();
        window.harness.hover_at(at);
        window.sees("red block would come here");
        window.harness.remove_cursor();
        window.picture().is_as_approved(name);
    }
}

#[test]
fn what_an_action_would_bring_about() {
    let mut window = match_of("sixteen-soldiers", ThemePreference::Light);
    plays(&mut window, &["c4", "c5"]);
    window.clicks("c6, blue soldier, can be picked");
    let at = window.rect_of_containing("c4, empty").center();
    window.harness.hover_at(at);
    window.sees("red soldier would be removed");
    window.settles().picture().is_as_approved("foresight");
}

#[test]
fn a_number_of_armies_and_an_attack_around_the_edge_of_the_map() {
    let choice = boardwright::client::MatchChoice {
        scenario: Some("war".to_owned()),
        players: ["red", "blue", "green"].map(|seat| (seat.to_owned(), "human".to_owned())).to_vec(),
        // With which Red begins.
        seed: Some(2.into()),
        ..of_people("conquest")
    };
    let opening = Opening::new(&project(), StartScreen::Match(choice)).sized(SIZE);
    let mut window = opening.with(|settings| settings.theme = ThemePreference::Light).open();
    window
        .clicks_containing("Alaska, ")
        .sees("would be red garrison 17")
        .harness
        .remove_cursor();
    window.picture().is_as_approved("areas-number");
    window.clicks("Reinforce: 11").sees("red garrison 17");
    window.clicks("Done").sees("Attack").clicks_containing("Alaska, ");
    window.clicks_containing("Kamchatka, ").sees("Attack: 3").harness.remove_cursor();
    window.picture().is_as_approved("areas-attack");
}

#[test]
fn several_pieces_of_a_cell_laid_out() {
    let content = own_content();
    crate::support::farm::lies_in(content.path());
    let mut window = Opening::new(content.path(), StartScreen::Match(of_people("farm")))
        .sized(vec2(760.0, 520.0))
        .open();
    window.sees("a1, hill ox").clicks_containing("a1, hill ox").sees("None of these");
    window.harness.remove_cursor();
    window.picture().is_as_approved("several-pieces");
}

#[test]
fn the_tools_of_a_match() {
    let mut window = match_of("sixteen-soldiers", ThemePreference::Light);
    window.sees("c4, red soldier, can be picked").clicks("More tools");
    window.harness.remove_cursor();
    window.picture().is_as_approved("tools");
}

#[test]
fn how_a_match_went() {
    let mut window = match_of("sixteen-soldiers", ThemePreference::Dark);
    plays(&mut window, &["c4", "c5"]);
    window
        .clicks("c6, blue soldier, can be picked")
        .clicks("c4, empty, can be chosen, last action");
    window.presses(Modifiers::NONE, Key::Enter).sees("c4, blue soldier, last action");
    window.clicks("Match graph").sees(" from ");
    window.harness.remove_cursor();
    window.picture().is_as_approved("chart");
}

#[test]
fn the_settings_and_the_map_of_the_keys() {
    for (theme, form, map) in [
        (ThemePreference::Dark, "settings", "keys"),
        (ThemePreference::Light, "settings-light", "keys-light"),
    ] {
        let mut window = match_of("sixteen-soldiers", theme);
        window.sees("c4, red soldier, can be picked").clicks("Settings").sees("Done");
        window.harness.remove_cursor();
        window.picture().is_as_approved(form);
        window.clicks("Keyboard shortcuts").sees("Undo: Ctrl+Z");
        window.harness.remove_cursor();
        window.picture().is_as_approved(map);
    }
}

#[test]
fn seats_told_apart_by_safe_colours_and_patterns() {
    for (ruleset, sign) in [("sixteen-soldiers", "c4, red soldier"), ("conquest", "Which free area?")] {
        let opening = Opening::new(&project(), StartScreen::Match(of_people(ruleset))).sized(SIZE);
        let opening = opening.with(|settings| {
            settings.seats.colours = boardwright::ui::theme::SeatColours::Safe;
            settings.seats.has_patterns = true;
        });
        let mut window = opening.open();
        window.sees(sign);
        window.picture().is_as_approved(&format!("patterns-{ruleset}"));
    }
}
