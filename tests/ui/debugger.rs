//! The debugger of strategies beside their script.

use std::fs;

use boardwright::client::MatchChoice;
use boardwright::ui::{Language, StartScreen};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use tempfile::TempDir;

use crate::support::{Opening, Window, of_people, own_content};

const SCRIPT: &str = "rulesets/tic-tac-toe/strategies/corners.rhai";

/// The width of the tools panel as it is opened first.
const TOOLS: usize = 420;

/// A strategy with a call and a loop, so that there is something to step through.
const STRATEGY: &str = "const CORNERS = [\"a1\", \"a3\", \"c1\", \"c3\"];

/// The corner with the greatest value.
fn decide(view, mind) {
    let best = -1;
    let chosen = view.empty.first;
    for name in CORNERS {
        let value = value_of(view, name);
        mind.note(name, value);
        if value > best {
            best = value;
            chosen = view.cell(name);
        }
    }
    mind.action(\"mark\", #{ square: chosen })
}

/// A corner has a value as long as it is empty.
fn value_of(view, name) {
    let cell = view.cell(name);
    if cell in view.empty { 3 } else { -9 }
}
";

/// A match against the strategy, which plays second, with the tools panel open.
fn against_corners() -> (TempDir, Window) {
    let content = own_content();
    fs::create_dir_all(content.path().join(SCRIPT).parent().unwrap()).unwrap();
    fs::write(content.path().join(SCRIPT), STRATEGY).unwrap();
    let window = opening(&content).open();
    (content, begun(window))
}

fn opening(content: &TempDir) -> Opening {
    let choice = MatchChoice {
        players: vec![("noughts".to_owned(), "corners".to_owned())],
        ..of_people("tic-tac-toe")
    };
    Opening::new(content.path(), StartScreen::Match(choice))
}

fn begun(mut window: Window) -> Window {
    window.sees("a1, empty, can be chosen");
    window.presses(Modifiers::NONE, Key::F4).sees("Strategy debugger");
    window
}

/// Plays on a square, so that it is for the strategy to decide.
fn plays(window: &mut Window, square: &str) {
    window.clicks(&format!("{square}, empty, can be chosen"));
}

fn chosen_file(window: &mut Window) {
    chosen_file_in(window, Language::English);
}

fn chosen_file_in(window: &mut Window, language: Language) {
    window.sees(&match language {
        Language::English => format!("Text of {SCRIPT}"),
        Language::Czech => format!("Text souboru {SCRIPT}"),
    });
}

#[test]
fn a_strategy_pauses_before_its_decision_and_its_script_is_shown_at_the_line() {
    let (_content, mut window) = against_corners();
    window.clicks("Noughts: corners");
    plays(&mut window, "b2");
    window.sees("Noughts begins a decision.");
    chosen_file(&mut window);
    window.sees("Paused at line 5").sees("view = what noughts sees in round 1");
    window.clicks("Step over").sees("Paused at line 6").sees("best = -1");
    window.presses(Modifiers::NONE, Key::F10).sees("Paused at line 7");
    window.clicks("Step over").sees("Paused at line 8").sees("name = \"a1\"");
    window.clicks("Step into").sees("value_of(").sees("decide(), line 8");
    window.clicks("Step out").sees("Paused at line 9").sees("value = ");
    window.clicks("Continue").sees("a1, noughts mark").no_longer_sees("Paused at line");
    window.sees("No attached strategy is to decide now.");
}

#[test]
fn a_click_on_a_line_number_puts_a_break_point_and_another_takes_it_away() {
    let (_content, mut window) = against_corners();
    window.clicks("Noughts: corners").clicks("Pause Noughts before its decisions");
    window.clicks("Pause Noughts after its decisions");
    plays(&mut window, "b2");
    window.sees("Noughts has decided.").sees("Chosen: mark a1");
    chosen_file(&mut window);
    window.clicks("Break point at line 12").clicks("Continue").sees("a1, noughts mark");
    plays(&mut window, "b1");
    window.sees("Noughts is at the break point at line 12.").sees("name = \"a3\"");
    window.clicks("Break point at line 12").clicks("Continue");
    window.sees("Noughts has decided.").clicks("Continue").sees("a3, noughts mark");
}

#[test]
fn an_expression_is_watched_from_line_to_line_until_it_is_not() {
    let (_content, mut window) = against_corners();
    window.clicks("Noughts: corners");
    plays(&mut window, "b2");
    window.sees("Noughts begins a decision.");
    window.writes("Watch an expression", "view.empty.count * 2");
    window.presses(Modifiers::NONE, Key::Enter).sees("view.empty.count * 2 = 16");
    window.writes("Watch an expression", "nobody + 1");
    window
        .presses(Modifiers::NONE, Key::Enter)
        .sees("nobody + 1 = there is no variable or constant");
    window.clicks("Stop watching nobody + 1").no_longer_sees("nobody + 1");
    window
        .clicks("Step over")
        .sees("Paused at line 6")
        .sees("view.empty.count * 2 = 16");
}

#[test]
fn what_was_said_so_far_is_told_with_its_numbers() {
    let (_content, mut window) = against_corners();
    window.clicks("Noughts: corners").clicks("Pause Noughts before its decisions");
    window.clicks("Pause Noughts after its decisions");
    plays(&mut window, "b2");
    window.sees("Thoughts so far").sees("a1").sees("c3");
    assert!(window.harness.query_all_by_label("3").next().is_some(), "{}", window.labels());
}

#[test]
fn a_strategy_is_changed_where_it_has_paused_and_begins_its_decision_again() {
    let (content, mut window) = against_corners();
    window.clicks("Noughts: corners");
    plays(&mut window, "b2");
    window.sees("Paused at line 5");
    chosen_file(&mut window);
    window.clicks("Step over").sees("Paused at line 6");
    window.writes(
        &format!("Text of {SCRIPT}"),
        &STRATEGY.replace("let best = -1;", "let best = -100;"),
    );
    window.clicks("Save file").sees("begins again under the changed scripts");
    window.sees("Paused at line 5").clicks("Step over").sees("best = -100");
    assert!(fs::read_to_string(content.path().join(SCRIPT)).unwrap().contains("-100"));
    window.clicks("Continue").sees(", noughts mark");
}

#[test]
fn a_paused_match_is_left_and_undone_without_waiting() {
    let (_content, mut window) = against_corners();
    window.clicks("Noughts: corners");
    plays(&mut window, "b2");
    window.sees("Noughts begins a decision.");
    window
        .clicks("Undo")
        .sees("b2, empty, can be chosen")
        .no_longer_sees("begins a decision");
    plays(&mut window, "b2");
    window.sees("Noughts begins a decision.");
    window.clicks("Back to the launcher").sees("Start match");
}

#[test]
fn a_match_of_people_has_no_strategies_to_follow() {
    let content = own_content();
    let mut window = Window::of_rules(content.path(), "tic-tac-toe");
    window.sees("a1, empty, can be chosen").presses(Modifiers::NONE, Key::F4);
    window.sees("Saved").no_longer_sees("Strategy debugger");
    window.no_longer_sees("Break point at line 1");
}

#[test]
fn a_paused_strategy_in_pictures() {
    let english = ("Strategy debugger", "Break point at line 11", "Watch an expression");
    let czech = ("Strategie řádek po řádku", "Bod přerušení na řádku 11", "Sledovat výraz");
    for (language, (title, point, watch), name) in [
        (Language::English, english, "paused-strategy"),
        (Language::Czech, czech, "paused-strategy-czech"),
    ] {
        let (content, _) = against_corners();
        let opening = opening(&content).sized(egui::vec2(1280.0, 860.0)).with(|settings| {
            settings.language = Some(language);
            if language == Language::Czech {
                settings.theme = egui::ThemePreference::Light;
            }
        });
        let mut window = opening.open();
        window.sees("a1, ");
        window.presses(Modifiers::NONE, Key::F4).sees(title).clicks_containing(": corners");
        window.clicks_containing("b2, ").presses(Modifiers::NONE, Key::Enter);
        chosen_file_in(&mut window, language);
        window.clicks(point).presses(Modifiers::NONE, Key::F8).sees("value = 3");
        window.writes(watch, "value_of(view, \"b2\")").presses(Modifiers::NONE, Key::Enter);
        window.sees("value_of(view, \"b2\") = -9");
        window.harness.remove_cursor();
        let mut picture = window.picture();
        // The tools panel alone: what stands beside it has pictures of its own.
        picture.cut_at(TOOLS);
        picture.is_as_approved(name);
    }
}
