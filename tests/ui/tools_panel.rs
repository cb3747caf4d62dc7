//! The rule book, and changing rules in the window itself.

use std::fs;

use boardwright::ui::StartScreen;
use boardwright_editor::Bundled;
use egui::{Key, Modifiers, ViewportEvent, ViewportId};
use egui_kittest::kittest::Queryable;

use crate::support::{Opening, Window, of_people, own_content, project};

const RULES: &str = "rulesets/tic-tac-toe/rules.rhai";
const EDITOR: &str = "Text of rulesets/tic-tac-toe/rules.rhai";

fn match_in(root: &std::path::Path) -> Window {
    let mut window = Window::of_rules(root, "tic-tac-toe");
    window.sees("a1, empty, can be chosen");
    window
}

/// Writes a text in place of what is in the editor. The middle of a long text may lie below the part of it that is seen, so that the editor
/// gets the focus without a click.
fn writes_rules<'a>(window: &'a mut Window, text: &str) -> &'a mut Window {
    writes(window, EDITOR, text)
}

fn writes<'a>(window: &'a mut Window, editor: &str, text: &str) -> &'a mut Window {
    window.harness.get_by_label(editor).focus();
    window.presses(Modifiers::COMMAND, Key::A);
    window.harness.get_by_label(editor).type_text(text);
    window.harness.step();
    window
}

#[test]
fn the_rule_book_has_its_pages_with_their_pictures() {
    let mut window = Window::of_people(&project());
    window.sees("c4, red soldier, can be picked");
    window.presses(Modifiers::NONE, Key::F1).sees("1 The board and the sides");
    window.sees("The board as a match begins");
    window.clicks("Next page").sees("2.1 The step").sees("Steps of two soldiers");
    window.clicks("Previous page").sees("The board as a match begins");
    window
        .presses(Modifiers::NONE, Key::F1)
        .no_longer_sees("The board as a match begins");
}

#[test]
fn the_rule_book_is_read_before_a_match_as_well() {
    let mut window = Window::launcher();
    window.clicks("Read the rules").sees("The board as a match begins");
    window
        .presses(Modifiers::NONE, Key::F1)
        .no_longer_sees("The board as a match begins");
    window.clicks_containing("Tic-Tac-Toe, 2 seats").clicks("Read the rules");
    window.sees("Crosses and noughts play on a board of nine squares");
}

#[test]
fn words_are_found_in_the_book_and_lead_to_their_page() {
    let mut window = Window::of_people(&project());
    window.presses(Modifiers::NONE, Key::F1).sees("The board as a match begins");
    window.writes("Search the rules", "compulsory").sees("places");
    window
        .clicks_containing("you have to")
        .no_longer_sees("places")
        .sees("3.1 The jump");
    window.writes("Search the rules", "xyzzy").sees("Nothing found.");
}

#[test]
fn the_rules_as_the_scripts_say_them_lead_to_the_script() {
    let mut window = match_in(&project());
    window.presses(Modifiers::NONE, Key::F1).clicks("Next page");
    window
        .sees("The rules according to the scripts")
        .sees("A side marks any empty square. The mark stays for the rest of the match.");
    window.clicks_containing("rules.rhai, line 27").sees(EDITOR);
}

#[test]
fn a_rule_is_changed_in_the_window_itself() {
    let content = own_content();
    let mut window = match_in(content.path());
    window.presses(Modifiers::NONE, Key::F4).sees(EDITOR).sees("Saved");
    let text = fs::read_to_string(content.path().join(RULES)).unwrap();
    writes_rules(&mut window, &text.replace("title: \"Mark\", glyph", "title: \"Stroke\", glyph"));
    window.sees("Unsaved changes");
    window.harness.get_by_label(EDITOR).focus();
    window
        .presses(Modifiers::COMMAND, Key::S)
        .sees("New rules are active")
        .sees("Saved");
    window.clicks("a1, empty, can be chosen").sees("a1, crosses stroke");
    assert!(fs::read_to_string(content.path().join(RULES)).unwrap().contains("Stroke"));
    window.sees("Changed once during the match");
}

#[test]
fn an_error_is_marked_at_its_line_and_the_old_rules_stay_in_force() {
    let content = own_content();
    let mut window = match_in(content.path());
    window.presses(Modifiers::NONE, Key::F4).sees(EDITOR);
    let text = fs::read_to_string(content.path().join(RULES)).unwrap();
    writes_rules(&mut window, &format!("fn broken( {{\n{text}")).clicks("Save file");
    window.sees("Line 1: ").sees("still using the old rules");
    writes_rules(&mut window, &text).clicks("Save file").no_longer_sees("Line 1: ");
    window.clicks("a1, empty, can be chosen").sees("a1, crosses mark");
}

#[test]
fn a_problem_leads_to_its_line_in_the_editor() {
    let content = own_content();
    let mut window = match_in(content.path());
    let text = fs::read_to_string(content.path().join(RULES)).unwrap();
    fs::write(
        content.path().join(RULES),
        text.replace("fn pattern_mark(view) {", "fn pattern_mark(view {"),
    )
    .unwrap();
    window
        .clicks_containing("Edit rulesets/tic-tac-toe/rules.rhai:")
        .sees(EDITOR)
        .sees("fn pattern_mark(view {");
}

#[test]
fn a_broken_ruleset_is_mended_in_the_launcher() {
    let content = own_content();
    let text = fs::read_to_string(content.path().join(RULES)).unwrap();
    fs::write(content.path().join(RULES), format!("fn broken( {{\n{text}")).unwrap();
    let mut window = Window::open(content.path(), StartScreen::Launcher);
    window
        .clicks_containing("Tic-Tac-Toe, 2 seats")
        .clicks_containing("Edit rulesets/tic-tac-toe/rules.rhai:");
    writes_rules(window.sees(EDITOR), &text).clicks("Save file");
    window.no_longer_sees("This ruleset can't be played");
    window.clicks("Start match").sees("a1, empty, can be chosen");
}

#[test]
fn changes_that_are_not_saved_are_discarded_only_after_asking() {
    let content = own_content();
    let mut window = match_in(content.path());
    window.presses(Modifiers::NONE, Key::F4).sees(EDITOR);
    writes_rules(&mut window, "nothing").sees("Unsaved changes");
    window.clicks("Discard changes").clicks("Cancel").sees("Unsaved changes");
    window.clicks("Discard changes").clicks("Yes, discard").sees("Saved");
}

#[test]
fn the_window_asks_before_it_closes_over_files_that_are_not_saved() {
    let content = own_content();
    let mut window = match_in(content.path());
    window.presses(Modifiers::NONE, Key::F4).sees(EDITOR);
    let text = fs::read_to_string(content.path().join(RULES)).unwrap();
    writes_rules(&mut window, &format!("// changed\n{text}")).sees("Unsaved changes");
    let viewports = &mut window.harness.input_mut().viewports;
    viewports.get_mut(&ViewportId::ROOT).unwrap().events.push(ViewportEvent::Close);
    window.sees("Unsaved files").clicks("Save and close");
    window.waits_until("the file is not saved", |_| {
        fs::read_to_string(content.path().join(RULES)).unwrap().starts_with("// changed")
    });
}

#[test]
fn a_match_goes_on_beside_the_tools_panel() {
    let opening = Opening::new(&project(), StartScreen::Match(of_people("tic-tac-toe")));
    let mut window = opening.open();
    window.presses(Modifiers::NONE, Key::F1).sees("Search the rules");
    window.clicks("a1, empty, can be chosen").sees("a1, crosses mark");
}

#[test]
fn what_another_program_wrote_is_not_written_over_without_asking() {
    let content = own_content();
    let path = content.path().join(RULES);
    let mut window = match_in(content.path());
    window.presses(Modifiers::NONE, Key::F4).sees(EDITOR);
    let text = fs::read_to_string(&path).unwrap();
    let (mine, other) = (format!("// Mine.\n{text}"), format!("// From elsewhere.\n{text}"));
    writes_rules(&mut window, &mine);
    fs::write(&path, &other).unwrap();
    window.sees("Another program has changed this file");
    window.presses(Modifiers::COMMAND, Key::S);
    assert_eq!(fs::read_to_string(&path).unwrap(), other);
    window
        .clicks("Overwrite with mine")
        .no_longer_sees("Another program has changed this file");
    window.sees("Saved");
    assert_eq!(fs::read_to_string(&path).unwrap(), mine);
}

#[test]
fn the_scripts_are_as_wide_as_one_drags_them() {
    let content = own_content();
    let mut window = match_in(content.path());
    window.presses(Modifiers::NONE, Key::F4).sees(EDITOR).settles();
    let board = |window: &mut Window| window.rect_of_containing("Board: ").left();
    let before = board(&mut window);
    let height = window.harness.ctx.content_rect().center().y;
    for (grip, by) in [(-4.0, 150.0), (-2.0, 100.0)] {
        let from = egui::pos2(board(&mut window) + grip, height);
        window.drags(from, from + egui::vec2(by, 0.0)).settles();
    }
    let after = board(&mut window);
    assert!(after > before + 230.0, "{before} {after}");
}

#[test]
fn the_editor_goes_to_a_mistake_as_soon_as_it_is_found() {
    let content = own_content();
    let mut window = match_in(content.path());
    window.presses(Modifiers::NONE, Key::F4).sees(EDITOR).settles();
    let text = fs::read_to_string(content.path().join(RULES)).unwrap();
    let long = format!("{text}{}fn broken( {{\n", "// A line.\n".repeat(200));
    fs::write(content.path().join(RULES), &long).unwrap();
    let line = long.lines().count();
    window.sees(&format!("Line {line}: ")).settles();
    let mark = window.rect_of_containing(&format!("Line {line}: "));
    assert!(window.harness.ctx.content_rect().contains_rect(mark), "{mark:?}");
}

#[test]
fn long_lines_of_a_script_are_wrapped_on_request() {
    let content = own_content();
    let file = content.path().join(RULES);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("// {}\nlet broken = ;\n{text}", "long ".repeat(60))).unwrap();
    let mut window = Window::open(content.path(), StartScreen::Launcher);
    window
        .clicks_containing("Tic-Tac-Toe, 2 seats")
        .clicks_containing("Edit rulesets/tic-tac-toe/rules.rhai:")
        .sees("Line 2: ")
        .settles();
    let before = window.rect_of_containing("Line 2: ").top();
    window.clicks("Wrap long lines").settles();
    let wrapped = window.rect_of_containing("Line 2: ").top();
    assert!(wrapped > before + 40.0, "the first line has several rows: {before} {wrapped}");
    window.clicks("Wrap long lines").settles();
    assert!((window.rect_of_containing("Line 2: ").top() - before).abs() < 1.0);
}

#[test]
fn files_of_the_program_can_only_be_read_and_lead_to_a_copy_that_can_be_changed() {
    let (own, bundled) = (tempfile::tempdir().unwrap(), own_content());
    let before = fs::read_to_string(bundled.path().join(RULES)).unwrap();
    let belongs_to_program = Bundled {
        folder: bundled.path().to_owned(),
        histories: own.path().join("histories"),
    };
    let saves = own.path().join("saves");
    let opening = Opening::new(own.path(), StartScreen::Match(of_people("tic-tac-toe")));
    let mut window = opening.with_bundled(belongs_to_program).keeping(&saves).open();
    window.sees("a1, empty, can be chosen");
    window.presses(Modifiers::NONE, Key::F4).sees(EDITOR).sees("can only be read");
    writes_rules(&mut window, "fn ruleset() {}").settles();
    assert!(!window.shows("Save") || window.shows("can only be read"), "{}", window.labels());
    assert!(window.shows("this match goes on with the copy"), "{}", window.labels());
    window.clicks("a1, empty, can be chosen").sees("a1, Crosses");
    let editor = "Text of rulesets/tic-tac-toe-copy/rules.rhai";
    window.clicks("Change a copy").sees(editor);
    window
        .sees("a1, Crosses")
        .sees("Tic-Tac-Toe (copy)")
        .no_longer_sees("can only be read");
    let copied = fs::read_to_string(own.path().join("rulesets/tic-tac-toe-copy/rules.rhai")).unwrap();
    assert_eq!(copied, before);
    assert_eq!(fs::read_to_string(bundled.path().join(RULES)).unwrap(), before);
    let changed = format!("// An own rule.\n{copied}");
    writes(&mut window, editor, &changed).presses(Modifiers::COMMAND, Key::S);
    window.sees("rulesets/tic-tac-toe-copy/rules.rhai changed");
    for other in ["is new", "is gone", "ruleset.xml", "the map or the scenario"] {
        assert!(!window.shows(other), "{other}: {}", window.labels());
    }
    window.clicks("b2, empty, can be chosen").sees("b2, Noughts");
}
