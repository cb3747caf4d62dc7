//! The launcher and what is the same on every screen.

use std::fs;

use boardwright::ui::{Language, StartScreen};
use egui::vec2;
use egui_kittest::kittest::{NodeT, Queryable};

use crate::support::{Opening, Window, own_content, project};

#[test]
fn the_launcher_offers_every_ruleset_as_a_card_with_its_seats() {
    let mut window = Window::launcher();
    window.sees("Sixteen Soldiers, 2 seats").sees("Tic-Tac-Toe, 2 seats");
    window
        .sees("You play: Red")
        .sees("Computers: Easy (2)")
        .sees("Capturing is compulsory")
        .sees("Moves without a capture until a draw");
    window.clicks_containing("Tic-Tac-Toe, 2 seats");
    window.no_longer_sees("Capturing is compulsory");
}

#[test]
fn a_rated_match_is_begun_and_says_so_in_its_head() {
    // High enough for all of the form.
    let opening = Opening::new(&project(), StartScreen::Launcher).sized(egui::vec2(1120.0, 1600.0));
    let mut window = opening.open();
    window
        .sees("Start match")
        .clicks_containing("Sixteen Soldiers, 2 seats")
        .sees("Capturing is compulsory");
    window.clicks("More").sees("Random seed").clicks("Rated").clicks("Start match");
    window.sees("Rated").sees("Round 1");
    for button in ["Hint", "Undo", "Redo"] {
        assert!(window.harness.get_by_label(button).accesskit_node().is_disabled(), "{button}");
    }
    window
        .clicks("Back to the launcher")
        .clicks_containing("Sixteen Soldiers: ")
        .sees("Rated")
        .sees("Round 1");
}

#[test]
fn the_window_speaks_the_language_that_is_chosen() {
    let mut window = Window::launcher();
    window
        .clicks("Settings")
        .clicks("Language: Čeština")
        .sees("Začít partii")
        .sees("2 hráči, asi 20 minut");
    window.no_longer_sees("Start match");
}

#[test]
fn a_broken_ruleset_shows_its_finding_on_its_card_and_stops_no_other() {
    let content = own_content();
    let rules = content.path().join("rulesets/tic-tac-toe/rules.rhai");
    let text = fs::read_to_string(&rules).unwrap();
    fs::write(&rules, format!("{text}\nfn broken( {{\n")).unwrap();
    let mut window = Window::open(content.path(), StartScreen::Launcher);
    window.sees("Tic-Tac-Toe, 2 seats, about 2 minutes, rulesets/tic-tac-toe/rules.rhai:");
    window
        .clicks_containing("Sixteen Soldiers, 2 seats")
        .sees("Capturing is compulsory");
    window.clicks("Start match").sees("c4, red soldier, can be picked");
}

#[test]
fn a_mod_says_what_it_is_laid_over_and_shows_the_board_it_is_played_on() {
    let content = own_content();
    let folder = content.path().join("rulesets/wide-rows");
    fs::create_dir_all(&folder).unwrap();
    let manifest = r#"<?xml version="1.0" encoding="UTF-8"?>
<ruleset format="1" id="wide-rows" title="Wide Rows" version="0.1.0" licence="MIT" builds_on="tic-tac-toe" seats="2">
  <description>A longer row wins.</description>
</ruleset>"#;
    fs::write(folder.join("ruleset.xml"), manifest).unwrap();
    fs::write(folder.join("rules.rhai"), "const ROW = 4;\n").unwrap();
    let mut window = Window::open(content.path(), StartScreen::Launcher);
    window
        .clicks_containing("Wide Rows, 2 seats, Mod of Tic-Tac-Toe")
        .sees("Three in a row");
    window.clicks("Start match").sees("a1, empty, can be chosen");
}

#[test]
fn a_repaired_ruleset_can_be_played_without_looking_for_it_again() {
    let content = own_content();
    let rules = content.path().join("rulesets/tic-tac-toe/rules.rhai");
    let text = fs::read_to_string(&rules).unwrap();
    fs::write(&rules, format!("{text}\nfn broken( {{\n")).unwrap();
    let mut window = Window::open(content.path(), StartScreen::Launcher);
    window
        .clicks_containing("Tic-Tac-Toe, 2 seats")
        .sees("This ruleset can't be played");
    fs::write(&rules, text).unwrap();
    window.no_longer_sees("This ruleset can't be played");
    window.clicks("Start match").sees("a1, empty, can be chosen");
}

#[test]
fn a_broken_scenario_is_told_and_the_others_can_be_played() {
    let content = own_content();
    let scenario = content.path().join("maps/tic-tac-toe/standard.scenario.xml");
    let text = fs::read_to_string(&scenario).unwrap();
    let other = text
        .replace("id=\"standard\"", "id=\"odd\"")
        .replace("</scenario>", "<pieces kind=\"tower\" at=\"a1\"/></scenario>");
    fs::write(scenario.with_file_name("odd.scenario.xml"), other).unwrap();
    let mut window = Window::open(content.path(), StartScreen::Launcher);
    window
        .clicks_containing("Tic-Tac-Toe, 2 seats")
        .sees("odd.scenario.xml:")
        .sees("Suggested");
    window.clicks("Start match").sees("a1, empty, can be chosen");
}

#[test]
fn options_are_set_within_their_ranges_and_put_back_as_usual() {
    let mut window = Window::launcher();
    window.sees("Between 1 and 500.").no_longer_sees("Reset to defaults");
    window.clicks("Capturing is compulsory").sees("Default: no.");
    window.clicks("Reset to defaults").no_longer_sees("Default: no.");
}

#[test]
fn a_scenario_brings_its_own_players_and_options() {
    let content = own_content();
    let scenario = content.path().join("maps/sixteen-soldiers/standard.scenario.xml");
    let text = fs::read_to_string(&scenario).unwrap();
    let other = text
        .replace("id=\"standard\"", "id=\"strict\"")
        .replace("Sixteen against sixteen", "Strict sixteen")
        .replace("seat=\"blue\" plays=\"human\"", "seat=\"blue\" plays=\"search:3\"")
        .replace(
            "<pieces kind=\"soldier\" owner=\"red\"",
            "<option name=\"must_capture\" value=\"yes\"/>\n<pieces kind=\"soldier\" owner=\"red\"",
        );
    fs::write(scenario.with_file_name("strict.scenario.xml"), other).unwrap();
    let mut window = Window::open(content.path(), StartScreen::Launcher);
    window.clicks_containing("Sixteen Soldiers, 2 seats");
    window.sees("Computers: Easy (2)").clicks("Scenario Sixteen against sixteen");
    window.clicks("Strict sixteen").sees("Computers: Easy (3)");
    let is_set = |window: &Window| window.harness.get_by_label("Capturing is compulsory").accesskit_node().toggled();
    assert_eq!(is_set(&window), Some(egui::accesskit::Toggled::True));
    window.clicks("Scenario Strict sixteen").clicks("Sixteen against sixteen");
    window.sees("Computers: Easy (2)");
    assert_eq!(is_set(&window), Some(egui::accesskit::Toggled::False));
}

#[test]
fn what_was_played_lately_is_begun_again_with_one_click() {
    // Below the games.
    let opening = Opening::new(&project(), StartScreen::Launcher).sized(vec2(1280.0, 1500.0));
    let mut window = opening.open();
    // Its rules are read last, and nothing can be started before.
    window.clicks_containing("Tic-Tac-Toe, 2 seats").sees("Scenario");
    window.clicks("Start match");
    window.sees("a1, empty, can be chosen").clicks("Back to the launcher");
    window
        .clicks_containing("Tic-Tac-Toe: Person – Computer, level 2")
        .sees("a1, empty, can be chosen");
}

#[test]
fn a_seat_is_given_to_a_computer_with_a_level_or_to_a_strategy() {
    let opening = Opening::new(&project(), StartScreen::Launcher).sized(vec2(1280.0, 1500.0));
    let mut window = opening.open();
    window
        .clicks_containing("Sixteen Soldiers, 2 seats")
        .sees("Capturing is compulsory");
    window
        .clicks("Each seat")
        .clicks("Level of Blue")
        .clicks("Hard (7)")
        .sees("Computers: Hard (7)");
    window.clicks("Player of Blue").clicks("Person").sees("You play: All seats");
    window.clicks_containing(", 2 to 6 seats").sees("Scenario Three commanders");
    window
        .clicks("Player of Blue")
        .clicks("Computer: marshal")
        .clicks("Start match")
        .sees("Round 1");
    let app = window.harness.state().as_ref().unwrap();
    assert_eq!(app.running().unwrap().controller().mirror().players()[1], "marshal");
}

#[test]
fn a_first_match_is_against_a_computer_and_begun_with_two_clicks() {
    let mut window = Window::open(&project(), StartScreen::Launcher);
    window.waits_until("rules are still read", |window| {
        window.harness.state().as_ref().is_some_and(|app| !app.is_looking())
    });
    window.clicks_containing("Tic-Tac-Toe, 2 seats").clicks("Start match");
    window.sees("a1, empty, can be chosen");
    let app = window.harness.state().as_ref().unwrap();
    assert_eq!(app.running().unwrap().controller().mirror().players(), ["human", "search:2"]);
}

#[test]
fn every_game_is_offered_as_it_was_played_last() {
    let mut window = Window::launcher();
    window.clicks("Computers: Easy (2)").clicks("Hard (6)");
    window.clicks("You play: Red").clicks("Blue").sees("You play: Blue");
    window.clicks("Start match").sees("Round 1").clicks("Back to the launcher");
    let stored = window.closes();
    let mut window = Opening::new(&project(), StartScreen::Launcher).after(stored).open();
    // The game that was played last is chosen, though others come before it.
    window.sees("Capturing is compulsory").sees("Computers: Hard (6)");
    window.clicks_containing("Tic-Tac-Toe, 2 seats").sees("Computers: Easy (2)");
    window.clicks_containing("Sixteen Soldiers, 2 seats").sees("Computers: Hard (6)");
    window.clicks("Start match").sees("Round 1");
    let app = window.harness.state().as_ref().unwrap();
    assert_eq!(app.running().unwrap().controller().mirror().players(), ["search:6", "human"]);
}

#[test]
fn nothing_in_the_head_lies_over_anything_else() {
    let tokens = tempfile::tempdir().unwrap();
    let languages = [
        (Language::English, "Play online", "Settings"),
        (Language::Czech, "Hrát po síti", "Nastavení"),
    ];
    for (language, online, settings) in languages {
        for (width, has_drawer) in [(1000.0, false), (1000.0, true)] {
            let opening = Opening::new(&project(), StartScreen::Launcher).online(tokens.path());
            let opening = opening
                .sized(vec2(width, 640.0))
                .with(|settings| settings.language = Some(language));
            let mut window = opening.open();
            window.sees(online);
            if has_drawer {
                window.presses(egui::Modifiers::NONE, egui::Key::F1);
            }
            window.settles();
            let (first, last) = (window.rect_of(online), window.rect_of(settings));
            // The sign has the name as its label, too.
            let names = window.harness.query_all_by_label("Boardwright").map(|node| node.rect().right());
            let name = names.fold(0.0, f32::max);
            assert!(
                name > 0.0 && name <= first.left(),
                "{language:?} {width} {has_drawer}: {name} {first:?}"
            );
            assert!(
                first.right() < last.left() && last.right() <= width,
                "{language:?} {width} {has_drawer}: {last:?}"
            );
        }
    }
}

#[test]
fn the_way_to_begin_is_in_sight_in_a_small_window_with_the_tools_open() {
    for size in [vec2(760.0, 520.0), vec2(633.0, 433.0)] {
        let mut window = Opening::new(&project(), StartScreen::Launcher).sized(size).open();
        window.sees("Start match").presses(egui::Modifiers::NONE, egui::Key::F1).settles();
        let start = window.rect_of("Start match");
        assert!(start.bottom() <= size.y && start.right() <= size.x, "{size} {start:?}");
        let (learn, book) = (window.rect_of("Learn to play"), window.rect_of_containing("Rule book"));
        assert!(
            start.right() <= learn.left() && !learn.intersects(book),
            "{size} {learn:?} {book:?}"
        );
    }
}
