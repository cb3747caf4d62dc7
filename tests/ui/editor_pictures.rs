//! Pictures of the editor at work, compared with those in `docs/pictures`: `BLESS=1` makes them again, and each is looked at.

use std::fs;
use std::path::Path;

use crate::editor::cell;
use crate::support::{Opening, Window, own_content};
use boardwright::ui::{EditRequest, Language, StartScreen};
use egui::{Key, Modifiers, ThemePreference, Vec2, vec2};

const LARGE: Vec2 = vec2(1440.0, 900.0);
const SMALL: Vec2 = vec2(1000.0, 640.0);

fn opened(root: &Path, file: &str, size: Vec2, theme: ThemePreference, language: Language) -> Window {
    let request = EditRequest::File(root.join(file));
    let opening = Opening::new(root, StartScreen::Editor(request)).sized(size);
    opening
        .with(|settings| {
            settings.theme = theme;
            settings.language = Some(language);
        })
        .open()
}

#[test]
fn hexes_with_heights_a_region_and_a_symmetry() {
    for (size, theme, name) in [
        (LARGE, ThemePreference::Dark, "draw-hexes"),
        (SMALL, ThemePreference::Light, "draw-hexes-small"),
    ] {
        let content = own_content();
        let mut window = opened(content.path(), "maps/river-crossing/valley.map.xml", size, theme, Language::English);
        window.sees("Terrain Wood").presses(Modifiers::NONE, Key::E);
        for name in ["c5", "d5", "d4"] {
            let place = cell(&mut window, name);
            window.clicks_place(place, Modifiers::NONE);
        }
        window.presses(Modifiers::NONE, Key::Q);
        let (from, to) = (cell(&mut window, "b7"), cell(&mut window, "e7"));
        window.drags(from, to).clicks("Regions").sees("Delete region 2");
        window
            .presses(Modifiers::NONE, Key::B)
            .presses(Modifiers::NONE, Key::CloseBracket)
            .presses(Modifiers::NONE, Key::M);
        window.clicks("Terrain Marsh").presses(Modifiers::SHIFT, Key::G);
        let over = cell(&mut window, "h3");
        window.harness.hover_at(over);
        window.settles().picture().is_as_approved(name);
    }
}

#[test]
fn a_board_of_points_in_which_some_are_selected() {
    let content = own_content();
    let board = fs::read_to_string(crate::support::project().join("tests/golden/nine-mens-morris.map.xml")).unwrap();
    let file = "maps/tic-tac-toe/nine-men-s-morris.map.xml";
    fs::write(content.path().join(file), board).unwrap();
    let mut window = opened(content.path(), file, SMALL, ThemePreference::Light, Language::Czech);
    window.sees("Nine men's morris").presses(Modifiers::NONE, Key::S);
    let (from, to) = (cell(&mut window, "b6"), cell(&mut window, "f4"));
    window.drags(from - vec2(24.0, 24.0), to + vec2(24.0, 24.0)).harness.remove_cursor();
    window.settles().picture().is_as_approved("draw-points");
}

#[test]
fn an_area_that_is_drawn_along_the_border_of_another() {
    let content = own_content();
    let mut window = opened(
        content.path(),
        "maps/conquest/amber-isles.map.xml",
        LARGE,
        ThemePreference::Light,
        Language::English,
    );
    window.sees("Brightwater").presses(Modifiers::NONE, Key::U);
    for _ in 0..2 {
        window.presses(Modifiers::NONE, Key::Plus);
    }
    window.settles();
    let middle = cell(&mut window, "Brightwater");
    for (x, y) in [(-300.0, 160.0), (-380.0, 250.0), (-250.0, 330.0)] {
        window.clicks_place(middle + vec2(x, y), Modifiers::NONE);
    }
    window.harness.hover_at(middle + vec2(-140.0, 260.0));
    window.settles().picture().is_as_approved("draw-areas");
}

#[test]
fn pieces_of_a_scenario_that_are_selected() {
    let content = own_content();
    let file = "maps/river-crossing/standard.scenario.xml";
    let mut window = opened(content.path(), file, LARGE, ThemePreference::Dark, Language::English);
    let place = cell(&mut window, "f7");
    window
        .clicks("Pieces of Red")
        .clicks_place(place, Modifiers::NONE)
        .sees("Guard, f7")
        .harness
        .remove_cursor();
    window.settles().picture().is_as_approved("draw-pieces");
    let mut window = opened(content.path(), file, SMALL, ThemePreference::Light, Language::Czech);
    window.sees("Na mapě").harness.remove_cursor();
    window.settles().picture().is_as_approved("draw-scenario");
}

#[test]
fn problems_of_a_map_with_marks_and_numbers_of_a_scenario() {
    let content = own_content();
    let file = "maps/river-crossing/valley.map.xml";
    let map = fs::read_to_string(content.path().join(file)).unwrap();
    fs::write(content.path().join(file), map.replacen("terrain=\"marsh\"", "terrain=\"swamp\"", 1)).unwrap();
    let mut window = opened(content.path(), file, LARGE, ThemePreference::Light, Language::English);
    window
        .sees("Terrain Wood")
        .presses(Modifiers::NONE, Key::F8)
        .sees("swamp")
        .harness
        .remove_cursor();
    window.settles().picture().is_as_approved("draw-problems");
    let file = "maps/river-crossing/standard.scenario.xml";
    let mut window = opened(content.path(), file, LARGE, ThemePreference::Dark, Language::Czech);
    window.clicks("Čísla").harness.remove_cursor();
    window.settles().picture().is_as_approved("draw-numbers");
}

#[test]
fn a_match_of_a_drawing_and_the_drawing_in_front_of_it() {
    let content = own_content();
    let mut window = opened(
        content.path(),
        "maps/river-crossing/valley.map.xml",
        SMALL,
        ThemePreference::Dark,
        Language::English,
    );
    window
        .sees("Terrain Wood")
        .presses(Modifiers::NONE, Key::F5)
        .sees("Drawing")
        .sees("Hint");
    window.settles().picture().is_as_approved("draw-match");
    window.clicks("Drawing").sees("Match");
    window
        .presses(Modifiers::NONE, Key::B)
        .clicks("Terrain Marsh")
        .clicks("e5, Clear, empty");
    window
        .sees("e5, Marsh, empty")
        .settles()
        .picture()
        .is_as_approved("draw-match-behind");
}

#[test]
fn how_one_begins_and_the_dialogs() {
    let content = own_content();
    let start = StartScreen::Editor(EditRequest::Anything);
    let mut window = Opening::new(content.path(), start).sized(SMALL).open();
    window.sees("The valley").settles().picture().is_as_approved("draw-welcome");
    let valley = "maps/river-crossing/valley.map.xml";
    let mut window = opened(content.path(), valley, SMALL, ThemePreference::Light, Language::Czech);
    window.clicks("Změnit velikost").sees("Co zůstane na místě");
    window.settles().picture().is_as_approved("draw-resize");
    let mut window = opened(content.path(), valley, SMALL, ThemePreference::Dark, Language::English);
    window.presses(Modifiers::COMMAND, Key::O).sees("Search, or the path of a file");
    window.writes("Search, or the path of a file", "valley");
    window.settles().picture().is_as_approved("draw-open");
}

#[test]
fn work_that_was_recovered_and_a_file_that_is_closed() {
    let content = own_content();
    let file = "maps/river-crossing/valley.map.xml";
    let mut window = opened(content.path(), file, SMALL, ThemePreference::Light, Language::English);
    window.clicks("Terrain Wood").clicks("b3, Clear, empty").sees("b3, Wood");
    drop(window);
    let mut window = opened(content.path(), file, SMALL, ThemePreference::Light, Language::English);
    window.sees("that was not saved has been recovered").harness.remove_cursor();
    window.settles().picture().is_as_approved("draw-recovered");
    window
        .presses(Modifiers::COMMAND, Key::W)
        .sees("without saving?")
        .harness
        .remove_cursor();
    window.settles().picture().is_as_approved("draw-close");
}
