//! Choosing actions in other ways than by clicks on cells: by dragging, and pieces that have shapes; and why something cannot be chosen.

use boardwright::ui::StartScreen;
use egui::{Key, Modifiers, Pos2, vec2};

use crate::support::{Opening, Window, of_people, project};

/// A match in which an action that is chosen waits until it is confirmed.
fn confirming(ruleset: &str) -> Window {
    let opening = Opening::new(&project(), StartScreen::Match(of_people(ruleset)));
    opening.with(|settings| settings.confirm_moves = true).open()
}

fn place(window: &mut Window, label: &str) -> Pos2 {
    window.rect_of(label).center()
}

#[test]
fn a_piece_is_dragged_to_where_it_goes() {
    let mut window = Window::of_people(&project());
    let from = place(&mut window, "c4, red soldier, can be picked");
    let to = place(&mut window, "c5, empty");
    window.drags(from, to);
    window.sees("c5, red soldier, last action");
}

#[test]
fn a_piece_that_is_dropped_where_it_can_not_go_stays_and_the_reason_is_told_with_its_rule() {
    let mut window = Window::of_people(&project());
    let from = place(&mut window, "c4, red soldier, can be picked");
    let to = place(&mut window, "c6, blue soldier");
    window.drags(from, to);
    window.sees("C6 is taken.").sees("c4, red soldier");
    window.clicks_containing("Rule ").sees("Search the rules");
}

#[test]
fn dragging_the_empty_table_still_moves_the_board() {
    let mut window = Window::of_people(&project());
    let before = place(&mut window, "c5, empty");
    window.drags(before, before + vec2(60.0, 40.0));
    let after = place(&mut window, "c5, empty");
    assert!((after - before - vec2(60.0, 40.0)).length() < 12.0, "{before:?} {after:?}");
}

#[test]
fn another_end_is_chosen_without_beginning_again() {
    let mut window = confirming("sixteen-soldiers");
    window.clicks("b4, red soldier, can be picked").clicks("b5, empty, can be chosen");
    window.clicks("c5, empty").sees("c5, empty, chosen").sees("b4, red soldier, chosen");
}

#[test]
fn the_other_button_takes_the_last_step_back() {
    let mut window = confirming("sixteen-soldiers");
    window.clicks("b4, red soldier, can be picked").clicks("b5, empty, can be chosen");
    let aside = place(&mut window, "e9, blue soldier");
    window.clicks_with_other_button(aside, Modifiers::NONE);
    window.sees("b5, empty, can be chosen").sees("b4, red soldier, chosen");
    window.clicks_with_other_button(aside, Modifiers::NONE);
    window.sees("b4, red soldier, can be picked");
}

#[test]
fn what_is_begun_is_all_that_is_asked_and_clear_brings_the_other_actions_back() {
    let mut window = Window::of_rules(&project(), "cornered");
    window
        .sees("Which piece?")
        .clicks("blue block")
        .sees("Mirror")
        .no_longer_sees("Which piece?");
    window.clicks("Clear").sees("Which piece?").no_longer_sees("Mirror");
}

/// A match of pieces with shapes, in which one is taken from the tray.
fn with_shape(name: &str) -> Window {
    let mut window = confirming("cornered");
    window.sees("a1, ").clicks(name).sees("Mirror");
    window
}

#[test]
fn a_shape_is_taken_from_the_tray_turned_and_laid() {
    let mut window = with_shape("blue three in a row");
    window.clicks_containing("a1, ").sees("a1, ").clicks("Rotate");
    window.presses(Modifiers::NONE, Key::Enter);
    window
        .sees("1. Blue: three in a row at a1 (turned right)")
        .sees("a3, Plain, blue three in a row");
    window.sees("3 points");
}

#[test]
fn keys_turn_and_mirror_shapes() {
    let mut window = with_shape("blue l");
    window.presses(Modifiers::NONE, Key::R).presses(Modifiers::NONE, Key::F);
    window.settles();
    window.clicks_containing("a1, ");
    window.presses(Modifiers::NONE, Key::Enter).sees("1. Blue: L at");
}

/// In which pose the shape that is about to be laid is laid on a1.
fn laid(mut window: Window) -> String {
    window.clicks_containing("a1, ");
    window.presses(Modifiers::NONE, Key::Enter).sees("1. Blue: ");
    let labels = window.labels();
    let said = labels.lines().find(|label| label.starts_with("1. Blue: ")).unwrap();
    said.split(", ").next().unwrap().to_owned()
}

#[test]
fn the_other_button_turns_shapes_and_with_shift_it_mirrors_them() {
    let mut window = with_shape("blue l");
    let at = place(&mut window, "j10, Plain, empty");
    window.clicks_with_other_button(at, Modifiers::NONE);
    assert_eq!(laid(window), "1. Blue: L at a1 (turned right)");
    let mut window = with_shape("blue l");
    window.clicks_with_other_button(at, Modifiers::SHIFT);
    assert_eq!(laid(window), "1. Blue: L at a1 (mirrored)");
}

#[test]
fn the_wheel_turns_shapes_and_leaves_the_board_as_large_as_it_is() {
    let mut window = with_shape("blue l");
    let before = window.rect_of("j10, Plain, empty");
    window.turns_wheel(before.center(), -50.0);
    assert_eq!(window.rect_of("j10, Plain, empty"), before);
    assert_eq!(laid(window), "1. Blue: L at a1 (turned right)");
}

#[test]
fn why_a_shape_does_not_fit_is_told() {
    let mut window = with_shape("blue block");
    window.sees("a1, Blue start, empty, can be chosen");
    window
        .clicks_containing("e5, ")
        .sees("first piece has to cover the starting square")
        .sees("Rule 2.1");
}

#[test]
fn computers_show_what_they_think_and_act_at_the_pace_that_is_set() {
    let mut window = Window::of_people(&project());
    window.sees("c4, red soldier, can be picked");
    window.clicks("Player of Red").clicks("Computer");
    window.sees("likely to win").sees("epth ");
    window.clicks("Computers wait").clicks("no pause");
    window.sees("1. Red: ");
}

#[test]
fn what_is_picked_or_another_piece_is_dragged_while_something_is_picked() {
    let mut window = confirming("sixteen-soldiers");
    let from = place(&mut window, "c4, red soldier, can be picked");
    let to = place(&mut window, "c5, empty");
    window.clicks("a4, red soldier").sees("a5, empty, can be chosen");
    window.drags(from, to).presses(Modifiers::NONE, Key::Enter).sees("1. Red: c4-c5");
    let from = place(&mut window, "b6, blue soldier, can be picked");
    let to = place(&mut window, "a5, empty");
    window.clicks("b6, blue soldier").sees("b5, empty, can be chosen");
    window.clicks("b5, empty").sees("b5, empty, chosen");
    window.drags(from, to).presses(Modifiers::NONE, Key::Enter).sees("2. Blue: b6-a5");
}

#[test]
fn a_shape_is_dragged_from_the_tray_to_where_it_fits() {
    let mut window = Window::of_rules(&project(), "cornered");
    window.sees("a1, ");
    let from = place(&mut window, "blue three in a row");
    // It hangs by its middle, and snaps from a little aside.
    let to = window.rect_of_containing("b2, ").center();
    window.drags(from, to).sees("1. Blue: three in a row at a1");
}

#[test]
fn a_shape_hangs_by_its_middle() {
    let mut window = with_shape("blue three in a row");
    window.clicks_containing("b1, ");
    window.presses(Modifiers::NONE, Key::Enter).sees("1. Blue: three in a row at a1");
}

#[test]
fn a_click_that_chooses_nothing_is_answered_where_it_was() {
    // Nothing stands there, nothing fits there, and it is nobody's turn here.
    let mut soldiers = Window::of_people(&project());
    soldiers
        .sees("c4, red soldier, can be picked")
        .clicks("c5, empty")
        .sees("Not here. Which soldier?");
    soldiers.clicks("c4, red soldier, can be picked").clicks("a5, empty");
    soldiers.sees("No move leads from c4 to a5.");
    let mut cornered = Window::of_rules(&project(), "cornered");
    cornered
        .sees("blue small corner")
        .clicks_containing("j10, ")
        .sees("First choose a piece beside the board");
    cornered.clicks("blue small corner").sees("Mirror").clicks_containing("j10, ");
    cornered.sees("The first piece has to cover the starting square.");
}

#[test]
fn a_hint_shows_the_whole_piece_that_it_places() {
    let mut window = Window::of_rules(&project(), "cornered");
    window.sees("blue small corner").clicks("Hint").sees("Hint: ");
    // The first piece is no single square.
    window.waits_until("its squares are not marked", |window| window.labels().matches(", hint").count() > 1);
}

/// A ruleset on six by one hexes: gates on sides of a hex are opened by a click on one, and say what it costs.
const GATES: &str = r##"
/// 1 Gates are opened.
fn ruleset() {
    #{
        seats: [#{ name: "red", title: "Red", colour: "#d2553f" }, #{ name: "blue", title: "Blue", colour: "#4f86d9" }],
        kinds: [#{ name: "gate", title: "Gate" }],
        properties: [#{ of: "match", name: "opened", title: "Opened", text: "" }],
        actions: [#{ name: "open", title: "Open", rule: "1", picks: [#{ name: "gate", pick: "piece", prompt: "Which gate?" }, #{ name: "to", pick: "cell", prompt: "Which way?" }] }],
    }
}

/// 1 Any gate,
fn open_gate(view) { view.pieces }

/// 1 to a hex at the other end.
fn open_to(view, picked) { view.set_of([view.cell("e1"), view.cell("f1")]) }

/// 1 The side is noted.
fn do_open(turn, picked) {
    turn.opened = picked.gate.side;
    turn.end_turn();
}

fn marks_open(view, picked) {
    if "gate" in picked { [[view.cell("f1"), #{ text: "7", faint: true }]] } else { [] }
}

fn panel(view) { [["Opened", view.opened]] }
"##;

/// A ruleset that sells, in words with what they cost.
const SHOP: &str = r##"
/// 1 Things are bought.
fn ruleset() {
    #{
        seats: [#{ name: "red", title: "Red", colour: "#d2553f" }, #{ name: "blue", title: "Blue", colour: "#4f86d9" }],
        kinds: [#{ name: "gate", title: "Iron gate" }],
        actions: [#{ name: "buy", rule: "1", picks: [#{ name: "what", pick: "choice" }, #{ name: "whom", pick: "seat" }] }],
    }
}

/// 1 A kind of piece, or something else,
fn buy_what(view) { ["gate", "old lock"] }

/// 1 of somebody.
fn buy_whom(view, picked) { view.seats }

/// 1 That is all.
fn do_buy(turn, picked) { turn.end_turn(); }

fn marks_buy(view, picked) {
    if "what" in picked { view.seats.map(|seat| [seat, `${seat.title} asks more`]) } else { [["gate", "7 coins"]] }
}
"##;

fn gates() -> tempfile::TempDir {
    one_row(GATES)
}

/// A ruleset with the id `gates` on a row of hexes.
fn one_row(rules: &str) -> tempfile::TempDir {
    let content = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = content.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write(
        "rulesets/gates/ruleset.xml",
        r#"<?xml version="1.0" encoding="UTF-8"?>
<ruleset format="1" id="gates" title="Gates" version="0.1.0" licence="MIT" seats="2"><description>Gates.</description></ruleset>"#,
    );
    write("rulesets/gates/rules.rhai", rules);
    write(
        "maps/gates/row.map.xml",
        r#"<?xml version="1.0" encoding="UTF-8"?>
<map format="1" id="row" title="Row"><hex width="6" height="1" orientation="pointy" offset="odd"/></map>"#,
    );
    write(
        "maps/gates/standard.scenario.xml",
        r#"<?xml version="1.0" encoding="UTF-8"?>
<scenario format="1" id="standard" title="Gates" ruleset="gates" map="row" seats="red blue">
  <piece kind="gate" at="b1" side="e"/>
  <piece kind="gate" at="b1" side="w"/>
</scenario>"#,
    );
    content
}

#[test]
fn a_piece_on_a_side_of_a_cell_is_picked_there_and_targets_say_what_the_rules_say_of_them() {
    let content = gates();
    let mut window = Window::of_rules(content.path(), "gates");
    window.sees("gate E").sees("gate W");
    let cell = window.rect_of_containing("b1, ");
    let west = cell.center() - vec2(cell.width() * 0.4, 0.0);
    window.clicks_place(west, Modifiers::NONE);
    window.sees("f1, empty, 7, can be chosen").sees("e1, empty, can be chosen");
    window.clicks("f1, empty, 7, can be chosen");
    window.sees("w");
}

#[test]
fn words_and_seats_to_choose_from_say_what_the_rules_say_of_them() {
    let content = one_row(SHOP);
    let mut window = Window::of_rules(content.path(), "gates");
    window.sees("Iron gate · 7 coins").sees("Old lock").clicks("Iron gate · 7 coins");
    window.sees("Red · Red asks more").clicks("Blue · Blue asks more");
    window.sees("Old lock");
}
