//! What players set to their liking, and the map of the keys.

use boardwright::ui::{Language, Motion, StartScreen};
use egui::{Key, Modifiers, vec2};
use egui_kittest::kittest::Queryable;

use crate::support::{Opening, Window, of_people, project};

fn settings(window: &Window) -> boardwright::ui::Settings {
    window.harness.state().as_ref().unwrap().settings
}

#[test]
fn everything_is_set_in_one_form() {
    let mut window = Window::of_people(&project());
    window.sees("c4, red soldier, can be picked").clicks("Settings");
    window.clicks("Theme: Light").clicks("Language: Čeština").sees("Nastavení");
    window
        .clicks("Jazyk: English")
        .clicks("Player colours: Colour-blind safe")
        .clicks("Patterns too");
    window.clicks("Animation: Fast").clicks("Larger text").sees("110 %");
    let set = settings(&window);
    assert_eq!(set.language, Some(Language::English));
    assert_eq!((set.motion, set.text_size.percent()), (Motion::Fast, 110));
    assert!(set.seats.has_patterns && set.theme == egui::ThemePreference::Light);
    window.clicks("Done").no_longer_sees("Patterns too");
}

#[test]
fn larger_texts_take_more_of_the_window() {
    let mut window = Window::of_people(&project());
    let before = window.rect_of("Undo");
    window.presses(Modifiers::COMMAND, Key::Plus).presses(Modifiers::COMMAND, Key::Plus);
    window.settles();
    assert!((window.harness.ctx.zoom_factor() - 1.2).abs() < 1e-4);
    let after = window.rect_of("Undo");
    assert!((after.width() - before.width()).abs() < 2.0, "as large in its own points");
    assert!(window.harness.ctx.content_rect().width() < 1280.0 / 1.19);
    window.presses(Modifiers::COMMAND, Key::Minus).settles();
    assert_eq!(settings(&window).text_size.percent(), 110);
}

#[test]
fn the_map_of_the_keys_is_shown_with_a_question_mark() {
    let mut window = Window::of_people(&project());
    window.sees("c4, red soldier, can be picked");
    window.presses(Modifiers::SHIFT, Key::Questionmark);
    window.sees("Undo: Ctrl+Z").sees("Redo: Ctrl+Y, Ctrl+Shift+Z").sees("Rule book: F1");
    window.presses(Modifiers::SHIFT, Key::Questionmark).no_longer_sees("Undo: Ctrl+Z");
    window.clicks("Settings").clicks("Keyboard shortcuts").sees("Whole board: 0");
    window.presses(Modifiers::NONE, Key::Escape).no_longer_sees("Whole board: 0");
}

/// What the window says in a language in which nothing is filled in, from the files of its texts.
fn texts(language: &str) -> Vec<(String, String)> {
    let folder = project().join("crates/ui/src/texts");
    let mut found = Vec::new();
    for name in ["", "match.", "tools."] {
        let text = std::fs::read_to_string(folder.join(format!("{name}{language}.ftl"))).unwrap();
        let messages = text.lines().filter(|line| !line.starts_with(['#', ' ', '}']));
        let said = messages.filter_map(|line| line.split_once(" = "));
        let plain = said.filter(|(_, words)| !words.contains('{'));
        found.extend(plain.map(|(key, words)| (key.to_owned(), words.to_owned())));
    }
    found
}

fn says_nothing_in_english(window: &mut Window, english: &[String]) {
    window.settles();
    let labels = window.labels();
    assert!(labels.lines().count() > 20, "nothing is shown");
    let left: Vec<_> = labels.lines().filter(|label| english.iter().any(|words| words == label)).collect();
    assert_eq!(left, Vec::<&str>::new());
}

#[test]
fn a_match_in_czech_says_nothing_in_english() {
    let czech = texts("cs");
    let is_czech = |words: &String| czech.iter().any(|(_, said)| said == words);
    let english: Vec<String> = texts("en")
        .into_iter()
        .map(|(_, words)| words)
        .filter(|words| !is_czech(words))
        .collect();
    assert!(english.len() > 150, "only {} texts were read", english.len());
    let opening = Opening::new(&project(), StartScreen::Match(of_people("tic-tac-toe")));
    let mut window = opening.with(|settings| settings.language = Some(Language::Czech)).open();
    window.sees("a1, prázdné, lze zvolit");
    says_nothing_in_english(&mut window, &english);
    for cell in ["a1", "b1", "a2", "b2"] {
        window.clicks(&format!("{cell}, prázdné, lze zvolit"));
        says_nothing_in_english(&mut window, &english);
        window.sees(&format!("{cell}, "));
    }
    window.clicks("Hráč strany Kolečka").sees("Náhodný");
    says_nothing_in_english(&mut window, &english);
    window.presses(Modifiers::NONE, Key::Escape);
    window.clicks("Nastavení");
    says_nothing_in_english(&mut window, &english);
    window.clicks("Klávesnice");
    says_nothing_in_english(&mut window, &english);
    window.presses(Modifiers::NONE, Key::Escape);
    window.clicks("a3, prázdné, lze zvolit").sees("Vítězství: ");
    says_nothing_in_english(&mut window, &english);
    window
        .clicks("Ohlédnout se")
        .presses(Modifiers::NONE, Key::Home)
        .sees("Pohled zpět: 0 z 5");
    says_nothing_in_english(&mut window, &english);
    window.clicks("b3, prázdné, lze zvolit").sees("varianta");
    says_nothing_in_english(&mut window, &english);
}

#[test]
fn the_forms_fit_into_the_smallest_window() {
    let opening = Opening::new(&project(), StartScreen::Match(of_people("sixteen-soldiers"))).sized(vec2(760.0, 520.0));
    let mut window = opening.open();
    window.sees("c4, red soldier, can be picked").clicks("Settings");
    let whole = window.harness.ctx.content_rect();
    for label in ["Done", "Close", "Language: Čeština"] {
        assert!(whole.contains_rect(window.rect_of(label)), "{label}");
    }
    window.clicks("Keyboard shortcuts").sees("Undo: Ctrl+Z");
    assert!(whole.contains_rect(window.rect_of("Close")));
    // In matches and in the editor.
    assert_eq!(window.harness.query_all_by_label("Undo: Ctrl+Z").count(), 2);
}

#[test]
fn a_key_is_changed_in_the_list_and_kept_and_what_it_did_is_told() {
    let mut window = Window::of_people(&project());
    window.sees("c4, red soldier, can be picked");
    window.presses(Modifiers::NONE, Key::Questionmark).sees("Hint: H");
    window.clicks("Change H: Hint").sees("Press the key for: Hint");
    window.presses(Modifiers::NONE, Key::F1).sees("F1 is in use: Rule book");
    window.clicks("Cancel").sees("Hint: H");
    // The key that is pressed does nothing else.
    window
        .clicks("Change H: Hint")
        .presses(Modifiers::COMMAND, Key::Z)
        .sees("Ctrl+Z is in use: Undo");
    window.clicks("Use it here").sees("Hint: Ctrl+Z").sees("Change none: Undo");
    let stored = window.closes();
    let opening = Opening::new(&project(), StartScreen::Match(of_people("sixteen-soldiers"))).after(stored);
    let mut again = opening.open();
    again.sees("c4, red soldier, can be picked");
    again.presses(Modifiers::NONE, Key::Questionmark).sees("Hint: Ctrl+Z");
    again.clicks("Reset all keys").sees("Hint: H").sees("Undo: Ctrl+Z");
}

#[test]
fn the_form_stays_as_large_as_it_is_when_colours_are_chosen() {
    let opening = Opening::new(&project(), StartScreen::Launcher).sized(vec2(1280.0, 1100.0));
    let mut window = opening.open();
    window.clicks("Settings").settles();
    let before = (window.rect_of("Done"), window.rect_of("Animation: Fast"));
    window.clicks("Player colours: Colour-blind safe").settles();
    assert_eq!((window.rect_of("Done"), window.rect_of("Animation: Fast")), before);
}
