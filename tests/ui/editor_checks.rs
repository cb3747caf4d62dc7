//! What the editor checks of a scenario beyond its file, and in which language it names things, by labels.

use std::fs;
use std::path::Path;

use crate::editor::{text, with_file};
use crate::support::{Opening, Window, own_content};
use boardwright::ui::{EditRequest, Language, StartScreen};
use egui::{Key, Modifiers};

const SCENARIO: &str = "maps/tic-tac-toe/standard.scenario.xml";
const RULES: &str = "rulesets/tic-tac-toe/rules.rhai";

/// Rules with a `start` that does something; where that stands.
fn with_start(root: &Path, statement: &str) -> String {
    let rules = text(root, RULES);
    fs::write(root.join(RULES), format!("{rules}fn start(turn) {{\n    {statement}\n}}\n")).unwrap();
    format!("{RULES}:{}", rules.lines().count() + 2)
}

fn problems(root: &Path) -> Window {
    let mut window = with_file(root, SCENARIO);
    window.presses(Modifiers::NONE, Key::F8);
    window
}

#[test]
fn a_scenario_whose_match_cannot_begin_says_so_with_the_line_of_the_rules() {
    let content = own_content();
    let line = with_start(content.path(), "turn.create(\"mark\", turn.seat, [1][5]);");
    let mut window = problems(content.path());
    window.sees(&line).sees("1 problem");
    // What was found stays while more is drawn, and is found again.
    window.clicks("Piece Mark").clicks("b2, empty").sees("b2, mark").settles();
    window.sees(&line).sees("1 problem");
}

#[test]
fn rules_that_do_not_end_keep_nobody_from_drawing() {
    let content = own_content();
    let line = with_start(content.path(), "loop {}");
    let mut window = problems(content.path());
    for cell in ["a1", "b2", "c3"] {
        window.clicks("Piece Mark").clicks("Pieces of Crosses");
        window.clicks(&format!("{cell}, empty")).sees(&format!("{cell}, crosses mark"));
    }
    window.sees(&line);
}

#[test]
fn a_player_that_is_none_is_a_problem_of_the_scenario() {
    let content = own_content();
    let scenario = text(content.path(), SCENARIO).replacen("plays=\"human\"", "plays=\"serch:3\"", 1);
    fs::write(content.path().join(SCENARIO), scenario).unwrap();
    let mut window = problems(content.path());
    window.sees("there is no player `serch`").sees("1 problem");
}

#[test]
fn what_a_ruleset_declares_is_named_in_the_language_of_the_window() {
    let content = own_content();
    let czech = |file: &str| {
        let opening = Opening::new(content.path(), StartScreen::Editor(EditRequest::File(content.path().join(file))));
        opening.with(|settings| settings.language = Some(Language::Czech)).open()
    };
    let mut window = czech("maps/river-crossing/valley.map.xml");
    window.sees("Terén Les").sees("Terén Kopec");
    let mut window = czech("maps/sixteen-soldiers/standard.scenario.xml");
    window.sees("Kámen Voják").sees("Zajímání je povinné").sees("Červení");
    // In another language at once.
    window.clicks("Nastavení").clicks("Jazyk: English").sees("Settings");
    window.sees("Piece Soldier").sees("Capturing is compulsory");
}
