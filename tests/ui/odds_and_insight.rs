//! Odds, and what strategies think of the match.

use std::sync::Arc;

use boardwright::client::MatchChoice;
use boardwright::ui::{Language, StartScreen};
use egui::{Key, Modifiers, vec2};

use crate::support::tap::{Tap, TappedContent};
use crate::support::{Opening, Window, of_people, project};

/// A war in which red is about to attack Kamchatka from Alaska.
fn about_to_attack(change: impl FnOnce(Opening) -> Opening) -> Window {
    about_to_attack_in(|opening| change(opening).open())
}

fn about_to_attack_in(open: impl FnOnce(Opening) -> Window) -> Window {
    let choice = MatchChoice {
        scenario: Some("war".to_owned()),
        players: ["red", "blue", "green"].map(|seat| (seat.to_owned(), "human".to_owned())).into(),
        ..of_people("conquest")
    };
    let mut window = open(Opening::new(&project(), StartScreen::Match(choice)));
    window.sees("Round 1").presses(Modifiers::NONE, Key::Backtick).settles();
    for text in [
        "turn red",
        "set red.reserve = 0",
        "phase attack",
        "set Alaska.armies = 9",
        "set Kamchatka.armies = 5",
    ] {
        window.harness.event(egui::Event::Text(text.to_owned()));
        window.harness.step();
        window.presses(Modifiers::NONE, Key::Enter).settles();
    }
    window.sees("5. Edit").presses(Modifiers::NONE, Key::Escape);
    window.no_longer_sees("Type a change");
    window
}

fn attacks(window: &mut Window) {
    window
        .clicks_containing("Alaska, North America, red garrison")
        .sees("Kamchatka, Asia, green garrison 5, can be chosen");
    window.clicks_containing("Kamchatka, Asia, green garrison 5, can be chosen");
}

#[test]
fn the_odds_of_the_chosen_attack_are_shown_beside_the_board() {
    let mut window = about_to_attack(|opening| opening);
    attacks(&mut window);
    // Eight against five to the end, as an independent computation has it.
    window.sees("Attackers 8, Defenders 5").sees("win 81.8%; lose 18.2%");
    window.sees("Exact odds").sees("13 possible results, most likely");
    let (board, odds) = (window.rect_of_containing("Board: "), window.rect_of_containing("win 81.8%"));
    assert!(!board.intersects(odds), "{board:?} {odds:?}");
    window.presses(Modifiers::NONE, Key::Escape).no_longer_sees("win 81.8%");
    window.presses(Modifiers::NONE, Key::O).sees("to see its odds");
    window.presses(Modifiers::NONE, Key::O).no_longer_sees("to see its odds");
    attacks(&mut window);
    window.sees("With how many armies?").settles();
    assert!(!window.shows("win 81.8%"), "they were closed");
}

#[test]
fn odds_that_are_still_worked_out_are_said_to_be() {
    let (saves, tap) = (tempfile::tempdir().unwrap(), Tap::default());
    let content = TappedContent::new(&project(), saves.path(), tap.clone());
    let mut window = about_to_attack_in(|opening| opening.open_with(Arc::new(content)));
    window.presses(Modifiers::NONE, Key::O).sees("to see its odds");
    window
        .clicks_containing("Alaska, North America, red garrison")
        .sees("Kamchatka, Asia, green garrison 5, can be chosen");
    tap.holds_back(true);
    window.clicks_containing("Kamchatka, Asia, green garrison 5, can be chosen");
    window.sees("Calculating the odds…");
    assert!(!window.shows("to see its odds"));
    tap.holds_back(false);
    window.sees("win 81.8%").no_longer_sees("Calculating the odds");
}

#[test]
fn numbers_are_written_as_the_language_writes_them() {
    let mut window = about_to_attack(|opening| opening);
    attacks(&mut window);
    window.sees("win 81.8%").sees(" lost");
    window.harness.state_mut().as_mut().unwrap().settings.language = Some(Language::Czech);
    window
        .clicks_containing("Aljaška, ")
        .sees("Kamčatka, Asie, posádka (zelení) 5, lze zvolit");
    window.clicks_containing("Kamčatka, ");
    window.sees("81,8 %").sees("ztráta 3,").no_longer_sees("81.8");
    let said = window.labels();
    let is_pointed = |line: &&str| {
        let letters: Vec<char> = line.chars().collect();
        let point = |three: &[char]| matches!(three, [a, '.', b] if a.is_ascii_digit() && b.is_ascii_digit());
        letters.windows(3).any(point)
    };
    assert_eq!(said.lines().filter(is_pointed).collect::<Vec<_>>(), Vec::<&str>::new());
}

#[test]
fn what_a_strategy_thinks_of_the_seats_and_of_the_areas() {
    let mut window = about_to_attack(|opening| opening);
    window.presses(Modifiers::NONE, Key::T).sees("Red: value ").sees("Blue: value ");
    assert!(!window.shows(", value "));
    window.clicks("Show values on the board").sees("Values for Red");
    window.sees("Alaska, North America, red garrison").sees(", value ");
    window.clicks_containing("Green: value ").sees("Values for Green");
    // When the match goes on it is asked again: green loses an area.
    let before = window
        .labels()
        .lines()
        .find(|line| line.starts_with("Green: value "))
        .unwrap()
        .to_owned();
    window.presses(Modifiers::NONE, Key::Backtick).settles();
    window
        .harness
        .event(egui::Event::Text("owner Japan, China, India, Siam = red".to_owned()));
    window.harness.step();
    window.presses(Modifiers::NONE, Key::Enter).presses(Modifiers::NONE, Key::Escape);
    window.waits_until("the evaluation stays", |window| !window.shows(&before));
    window
        .presses(Modifiers::NONE, Key::T)
        .no_longer_sees("Red: value ")
        .no_longer_sees(", value ");
}

#[test]
fn decisions_of_strategies_are_watched_with_what_they_weighed() {
    let choice = MatchChoice {
        scenario: Some("war".to_owned()),
        players: ["red", "blue", "green"].map(|seat| (seat.to_owned(), "standard".to_owned())).into(),
        is_paused: true,
        ..of_people("conquest")
    };
    let mut window = Window::open(&project(), StartScreen::Match(choice));
    window.sees("Round 1").presses(Modifiers::NONE, Key::T).clicks("Explain decisions");
    window.sees("appears here with its next decision").clicks("Resume computers");
    window.sees("attack ").sees(" from ");
}

#[test]
fn a_ruleset_without_strategies_and_contests_says_so() {
    let mut window = Window::of_rules(&project(), "tic-tac-toe");
    window.sees("a1, empty, can be chosen").presses(Modifiers::NONE, Key::T);
    window.sees("This ruleset has no strategies.");
    window.presses(Modifiers::NONE, Key::O).sees("No action of this ruleset has odds");
}

#[test]
fn odds_and_the_values_of_areas_as_they_are_seen() {
    let light = |settings: &mut boardwright::ui::Settings| settings.theme = egui::ThemePreference::Light;
    let mut window = about_to_attack(|opening| opening.sized(vec2(1400.0, 860.0)).with(light));
    attacks(&mut window);
    window.sees("win 81.8%");
    window.presses(Modifiers::NONE, Key::T).sees("Red: value ");
    window.clicks("Show values on the board").sees(", value ");
    window.harness.remove_cursor();
    window.picture().is_as_approved("odds");
}

#[test]
fn rules_without_heat_maps_say_so() {
    let mut window = about_to_attack(|opening| opening);
    window.presses(Modifiers::NONE, Key::M).sees("This ruleset has no heat maps.");
}

#[test]
fn edits_as_they_are_seen() {
    let mut window = about_to_attack(|opening| opening.sized(vec2(1120.0, 720.0)));
    window.presses(Modifiers::NONE, Key::Backtick).settles();
    for text in ["owner Alaska = pink", "run print(turn.round + 40)"] {
        window.harness.event(egui::Event::Text(text.to_owned()));
        window.harness.step();
        window.presses(Modifiers::NONE, Key::Enter).settles();
    }
    window.harness.event(egui::Event::Text("set Alaska.".to_owned()));
    window.harness.step();
    window.settles().sees("sets a declared property");
    window.harness.remove_cursor();
    window.picture().is_as_approved("console");
}

/// A river crossing in which Blue's infantry stands next to Red's guard alone, in the combat phase.
fn about_to_attack_with_one_unit() -> Window {
    let choice = MatchChoice {
        players: ["red", "blue"].map(|seat| (seat.to_owned(), "human".to_owned())).into(),
        ..of_people("river-crossing")
    };
    let mut window = Window::open(&project(), StartScreen::Match(choice));
    window.sees("Round 1").presses(Modifiers::NONE, Key::Backtick).settles();
    for text in ["move f7 = f5", "move d4 = e4", "phase combat"] {
        window.harness.event(egui::Event::Text(text.to_owned()));
        window.harness.step();
        window.presses(Modifiers::NONE, Key::Enter).settles();
    }
    window.sees("3. Edit").presses(Modifiers::NONE, Key::Escape);
    window.no_longer_sees("Type a change");
    window
}

#[test]
fn an_attack_by_the_only_unit_that_can_waits_until_its_odds_have_been_seen() {
    let mut window = about_to_attack_with_one_unit();
    window.clicks_containing("e4, Clear, blue infantry").sees("Odds 1:1");
    window.clicks_containing("f5, ").sees("See the odds").sees("Odds 1:1").settles();
    assert!(!window.shows("4. Red: "), "{}", window.labels());
    window.presses(Modifiers::NONE, Key::Enter).sees("4. Red: f5 x e4");
}
