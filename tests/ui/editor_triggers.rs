//! The panel of triggers: sentences chosen, fields filled in, the script written and read back.

use std::fs;
use std::path::Path;

use crate::editor::{cell, text, with_file};
use crate::support::{Opening, Window, ford, own_content};
use boardwright::triggers::{FORMS, FieldValue, Form, Part, Sentence, Trigger, TriggerScript};
use boardwright::ui::{EditRequest, Language, StartScreen};
use egui::{Key, Modifiers, ThemePreference, Vec2, vec2};
use egui_kittest::kittest::Queryable as _;

const SCENARIO: &str = "maps/ford/standard.scenario.xml";
const SCRIPT: &str = "maps/ford/standard.rhai";

/// The editor with a scenario in which nothing happens by itself, and its triggers shown.
fn opened(root: &Path) -> Window {
    ford::lies_in(root);
    let mut window = with_file(root, SCENARIO);
    window.clicks_field("Triggers").sees("New trigger");
    window
}

/// The same with a script.
fn with_script(root: &Path, script: &str) -> Window {
    ford::lies_in(root);
    scripted(root, script);
    let mut window = with_file(root, SCENARIO);
    window.clicks_field("Triggers").sees("New trigger");
    window
}

fn scripted(root: &Path, script: &str) {
    let scenario = text(root, SCENARIO).replace("</scenario>", "  <overlay file=\"standard.rhai\"/>\n</scenario>");
    fs::write(root.join(SCENARIO), scenario).unwrap();
    fs::write(root.join(SCRIPT), script).unwrap();
}

fn saved(window: &mut Window, root: &Path) -> String {
    window.presses(Modifiers::COMMAND, Key::S).no_longer_sees("not saved");
    text(root, SCRIPT)
}

/// Chooses a sentence in the list that a button opens, by its text.
fn chooses(window: &mut Window, button: &str, sentence: &str) {
    window.clicks_field(button);
    window.sees("Search").harness.get_by_label("Search").type_text(sentence);
    window.harness.step();
    window.presses(Modifiers::NONE, Key::Enter).settles();
    window.no_longer_sees("Search");
}

#[test]
fn a_trigger_is_made_of_sentences_and_written_beside_its_scenario() {
    let content = own_content();
    let mut window = opened(content.path());
    window.sees("Nothing happens by itself").clicks("New trigger");
    window
        .writes("Name of the trigger", "The bridge falls")
        .presses(Modifiers::NONE, Key::Enter);
    chooses(&mut window, "Something else happens", "enters the region");
    chooses(&mut window, "Condition", "it belongs to");
    chooses(&mut window, "Consequence", "tell everybody");
    window
        .writes_field("Text", "The bridge falls.")
        .presses(Modifiers::NONE, Key::Enter);
    window.clicks_field("Region: ford").clicks_field("gate").sees("Region: gate");
    window.clicks_field("Seat: Red").clicks_field("Blue").sees("Seat: Blue");
    window.clicks_field("Once in a match");
    let expected = "/// Trigger: The bridge falls
fn on_enter_the_bridge_falls(turn, piece, cell) {
    if turn.region(\"gate\").contains(cell)
        && piece.owner == turn.seat_named(\"blue\")
        && turn.once(\"The bridge falls\")
    {
        turn.note(\"The bridge falls.\");
    }
}
";
    assert_eq!(saved(&mut window, content.path()), expected);
    assert!(text(content.path(), SCENARIO).contains("<overlay file=\"standard.rhai\"/>"));
    window.presses(Modifiers::COMMAND, Key::Z).sees("File At the river, not saved");
    let back = saved(&mut window, content.path());
    assert_eq!(back, expected.replace("        && turn.once(\"The bridge falls\")\n", ""));
    drop(window);
    let mut again = with_file(content.path(), SCENARIO);
    again
        .clicks_field("Triggers")
        .clicks_field("Trigger The bridge falls")
        .sees("Seat: Blue");
}

/// A trial tells of each trigger; a scenario made of it does not, and lies beside the one that is drawn.
#[test]
fn a_scenario_made_of_a_trial_has_the_script_as_its_author_has_it() {
    let script = "/// Trigger: Late\nfn on_round_late(turn) {\n    if turn.round == 7 {\n        turn.note(\"It is late.\");\n    }\n}\n";
    let content = own_content();
    let mut window = with_script(content.path(), script);
    window.presses(Modifiers::NONE, Key::F5).sees("Drawing");
    window
        .clicks("More tools")
        .clicks("Make a scenario")
        .sees("File At the river, round 1");
    drop(window);
    let folder = content.path().join("maps/ford");
    assert!(folder.join("standard-round-1.scenario.xml").is_file());
    let scripts = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    for path in scripts.filter(|path| path.extension().is_some_and(|ending| ending == "rhai")) {
        assert_eq!(fs::read_to_string(&path).unwrap(), script, "{}", path.display());
    }
}

#[test]
fn every_sentence_is_chosen_from_its_list_and_read_back_from_the_file() {
    let content = own_content();
    let mut window = opened(content.path());
    let of = |part: Part| FORMS.iter().filter(move |form| form.part == part);
    let mut expected = Vec::new();
    for form in of(Part::When) {
        window.clicks_field("New trigger");
        chooses(&mut window, "Something else happens", form.text);
        expected.push((form.id, Vec::new()));
    }
    // What happens has to have what a sentence speaks of.
    let mut left: Vec<&Form> = of(Part::If).chain(of(Part::Then)).collect();
    for id in ["enters", "given", "any_action"] {
        let when = Form::find(id).unwrap();
        let (fitting, others): (Vec<&Form>, Vec<&Form>) = left.into_iter().partition(|form| form.fits(when));
        left = others;
        window.clicks_field("New trigger");
        chooses(&mut window, "Something else happens", when.text);
        for form in &fitting {
            let button = if form.part == Part::If { "Condition" } else { "Consequence" };
            chooses(&mut window, button, form.text);
        }
        expected.push((id, fitting.iter().map(|form| form.id).collect()));
    }
    assert_eq!(left, Vec::<&Form>::new());
    let script = TriggerScript::read(&saved(&mut window, content.path()));
    let read: Vec<(&str, Vec<&str>)> = script
        .triggers()
        .map(|(_, trigger)| {
            let sentences = trigger.conditions().iter().chain(trigger.consequences());
            (trigger.when().form().id, sentences.map(|sentence| sentence.form().id).collect())
        })
        .collect();
    assert_eq!(read, expected);
}

#[test]
fn fields_are_filled_in_by_what_fits_them() {
    let content = own_content();
    let script = "/// Trigger: All
fn on_enter_all(turn, piece, cell) {
    turn.weather = \"fair\";
    piece.tired = true;
    let side = turn.seat_named(\"red\"); side.gold = 5;
    turn.set_terrain(turn.cell(\"a1\"), \"land\");
}
";
    let mut window = with_script(content.path(), script);
    window.clicks_field("Trigger All").sees("Value: fair");
    window.clicks_field("Value: fair").clicks_field("rain");
    window.clicks_field("Value: yes").clicks_field("no");
    // Another property brings a value of its own type with it.
    window.writes_field("Number", "7").presses(Modifiers::NONE, Key::Enter);
    window.clicks_field("Terrain: Land").clicks_field("Water");
    window
        .clicks_field("Cell: a1")
        .clicks_field("Click it on the board")
        .sees("Click a cell on the board");
    let there = cell(&mut window, "e3");
    window.clicks_place(there, Modifiers::NONE).sees("Cell: e3");
    window.clicks_field("Seat: Red").clicks_field("its owner").sees("its owner");
    window
        .clicks_field("Something else for: Number")
        .clicks_field("the number of the round");
    let expected = "/// Trigger: All
fn on_enter_all(turn, piece, cell) {
    turn.weather = \"rain\";
    piece.tired = false;
    let side = piece.owner; side.gold = turn.round;
    turn.set_terrain(turn.cell(\"e3\"), \"water\");
}
";
    assert_eq!(saved(&mut window, content.path()), expected);
    window.clicks_field("Something else for: Number").clicks_field("a number");
    window.clicks_field("Something else for: Seat").clicks_field("Blue");
    let back = saved(&mut window, content.path());
    assert!(back.contains("let side = turn.seat_named(\"blue\"); side.gold = 1;"), "{back}");
}

const TWO: &str = "// Made by hand.
fn helper(turn) { turn.round + 1 }

/// Trigger: Dawn
/// The sun rises.
fn on_round_dawn(turn) {
    turn.note(\"Dawn.\");
}

/// Trigger: Own
fn on_round_own(turn) {
    let round = helper(turn);
}

/// Trigger: Dusk
fn on_turn_dusk(turn) {
    turn.note(\"Dusk.\");
}
";

#[test]
fn triggers_are_switched_duplicated_moved_and_deleted_and_all_else_stays() {
    let content = own_content();
    let mut window = with_script(content.path(), TWO);
    window
        .sees("Script written by hand, 2 lines")
        .sees("Own, as script")
        .sees("Line 3: this consequence");
    window.clicks_field("Dawn is on");
    let off = "// /// Trigger: Dawn\n// /// The sun rises.\n// fn on_round_dawn(turn) {\n//     turn.note(\"Dawn.\");\n// }\n";
    let script = saved(&mut window, content.path());
    assert!(script.contains(off), "{script}");
    assert!(
        script.contains("// Made by hand.\nfn helper(turn) { turn.round + 1 }\n"),
        "{script}"
    );
    window.clicks_field("Dawn is on");
    assert_eq!(saved(&mut window, content.path()), TWO);
    // Dusk is dragged above Dawn; what stands between them stays.
    let (from, to) = (window.rect_of("Trigger Dusk").center(), window.rect_of("Trigger Dawn").center());
    window.drags(from, to).settles();
    let script = saved(&mut window, content.path());
    let order: Vec<&str> = script.lines().filter_map(|line| line.strip_prefix("/// Trigger: ")).collect();
    assert_eq!(order, ["Dusk", "Own", "Dawn"]);
    window.clicks_field("Move the trigger down");
    assert_eq!(saved(&mut window, content.path()), TWO);
    window
        .clicks_field("Duplicate the trigger")
        .sees("Trigger Dusk 2")
        .clicks_field("Delete the trigger");
    window.no_longer_sees("Trigger Dusk 2");
    window
        .presses(Modifiers::COMMAND, Key::Z)
        .sees("Trigger Dusk 2")
        .clicks_field("History");
    window.sees("5. Triggers");
}

#[test]
fn a_comment_is_written_for_authors() {
    let content = own_content();
    let mut window = with_script(content.path(), TWO);
    window.clicks_field("Trigger Dusk");
    window.writes_field("Comment", "It gets dark.").clicks_field("Once in a match");
    let script = saved(&mut window, content.path());
    assert!(script.contains("/// Trigger: Dusk\n/// It gets dark.\nfn on_turn_dusk"), "{script}");
}

#[test]
fn the_script_is_edited_by_hand_and_read_back() {
    let content = own_content();
    let mut window = with_script(content.path(), TWO);
    window
        .clicks_field("Trigger Dusk")
        .clicks_field("As script")
        .clicks_field("Edit the script");
    window.sees("standard.rhai, laid over the rules");
    let edited = TWO.replace("Dusk.", "It is dark.");
    window
        .writes_field("Script", &edited)
        .clicks_field("Triggers: List")
        .sees("Trigger Dusk");
    assert_eq!(saved(&mut window, content.path()), edited);
    // Another program does the same to the file.
    fs::write(content.path().join(SCRIPT), TWO.replace("Trigger: Dusk", "Trigger: Nightfall")).unwrap();
    window.sees("Trigger Nightfall").no_longer_sees("Trigger Dusk");
}

#[test]
fn what_is_wrong_with_a_trigger_is_among_the_problems_and_mended_there() {
    let content = own_content();
    let script = "/// Trigger: Gold
fn on_enter_gold(turn, piece, cell) {
    if turn.region(\"fort\").contains(cell) {
        let side = turn.seat_named(\"red\"); side.gold = 120;
        turn.note(\"\");
    }
}
";
    let mut window = with_script(content.path(), script);
    window.clicks_field("3 problems");
    window
        .sees("the trigger Gold names fort, which is not there")
        .sees("is not in its range: 0 to 99");
    window
        .clicks_field("make it ford")
        .sees("2 problems")
        .clicks_field("make it 99")
        .sees("1 problem");
    window
        .clicks_field("a field of the trigger Gold is empty")
        .sees("Name of the trigger");
    let script = saved(&mut window, content.path());
    assert!(
        script.contains("turn.region(\"ford\")") && script.contains("side.gold = 99;"),
        "{script}"
    );
}

#[test]
fn what_the_script_engine_has_to_say_is_among_the_problems() {
    let content = own_content();
    let mut window = with_script(
        content.path(),
        &TWO.replace("let round = helper(turn);", "let round = helpless(turn);"),
    );
    window
        .sees("Own, as script")
        .clicks_field("2 problems")
        .sees("there is no function `helpless`");
}

#[test]
fn a_region_is_clicked_on_the_board_and_escape_leaves_it() {
    let content = own_content();
    let script = "/// Trigger: In\nfn on_enter_in(turn, piece, cell) {\n    if turn.region(\"ford\").contains(cell) {\n        turn.note(\"In.\");\n    }\n}\n";
    let mut window = with_script(content.path(), script);
    let (gate, dry) = (cell(&mut window, "d2"), cell(&mut window, "a4"));
    window.clicks_field("Trigger In");
    window
        .clicks_field("Region: ford")
        .clicks_field("Click it on the board")
        .sees("or press Escape");
    window
        .presses(Modifiers::NONE, Key::Escape)
        .no_longer_sees("or press Escape")
        .sees("Region: ford");
    window
        .clicks_field("Region: ford")
        .clicks_field("Click it on the board")
        .sees("or press Escape");
    // No region is there: it is waited for a cell that lies in one.
    window.clicks_place(dry, Modifiers::NONE).sees("or press Escape");
    window
        .clicks_place(gate, Modifiers::NONE)
        .sees("Region: gate")
        .no_longer_sees("or press Escape");
}

#[test]
fn a_match_that_is_tried_out_has_the_triggers_that_are_not_saved() {
    let content = own_content();
    let mut window = opened(content.path());
    window.clicks("New trigger");
    window.writes("Name of the trigger", "Rise").presses(Modifiers::NONE, Key::Enter);
    chooses(&mut window, "Consequence", "tell everybody");
    window.writes_field("Text", "The river rises.").presses(Modifiers::NONE, Key::Enter);
    window
        .presses(Modifiers::NONE, Key::F5)
        .sees("The river rises.")
        .sees("Trigger: Rise");
    assert!(!content.path().join(SCRIPT).exists());
}

/// A scenario with several triggers, some of them in other forms.
fn shown(root: &Path, size: Vec2, theme: ThemePreference, language: Language) -> Window {
    ford::lies_in(root);
    let named = |id: &str, values: Vec<FieldValue>| Sentence::new(Form::find(id).unwrap(), values).unwrap();
    let name = |text: &str| FieldValue::Name(text.to_owned());
    let red = || FieldValue::Seat(Some("red".to_owned()));
    let said = |text: &str| FieldValue::Text(text.to_owned());
    let mut script = TriggerScript::read(TWO);
    let falls = Trigger::new(
        "The bridge falls",
        named("enters_region", vec![name("ford")]),
        vec![named("is_owned", vec![red()]), named("is_kind", vec![name("walker")])],
        vec![
            named("set_terrain", vec![name("d2"), name("water")]),
            named(
                "add_seat",
                vec![
                    FieldValue::Computed(Box::new(named("dice", vec![said("2d6")]))),
                    name("gold"),
                    FieldValue::Computed(Box::new(named("owner", vec![]))),
                ],
            ),
            named("note", vec![said("The bridge falls.")]),
        ],
        true,
    );
    script.push(falls.unwrap().with_comment("It was old."));
    scripted(root, &script.print());
    let request = EditRequest::File(root.join(SCENARIO));
    let opening = Opening::new(root, StartScreen::Editor(request)).sized(size).with(|settings| {
        settings.theme = theme;
        settings.language = Some(language);
    });
    opening.open()
}

#[test]
fn pictures_of_triggers() {
    let content = own_content();
    let mut window = shown(content.path(), vec2(1440.0, 900.0), ThemePreference::Dark, Language::English);
    window
        .clicks_field("Triggers")
        .clicks_field("Trigger The bridge falls")
        .clicks_field("As script")
        .harness
        .remove_cursor();
    window.settles().picture().is_as_approved("draw-triggers");
    window
        .clicks_field("Consequence")
        .harness
        .get_by_label("Search")
        .type_text("create");
    window.settles().harness.remove_cursor();
    window.settles().picture().is_as_approved("draw-trigger-sentences");
    let content = own_content();
    let mut window = shown(content.path(), vec2(1000.0, 640.0), ThemePreference::Light, Language::Czech);
    window
        .clicks_field("Spouštěče")
        .clicks_field("Spouštěč The bridge falls")
        .harness
        .remove_cursor();
    window.settles().picture().is_as_approved("draw-triggers-small");
}
