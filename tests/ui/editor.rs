//! The editor by the labels of what is seen in it.

use std::fs;
use std::path::Path;

use crate::support::{Opening, Window, own_content};
use boardwright::ui::{EditRequest, Language, StartScreen};
use boardwright_editor::Bundled;
use egui::{Key, Modifiers, Pos2};

pub(crate) fn editor(root: &Path, request: EditRequest) -> Window {
    Opening::new(root, StartScreen::Editor(request)).open()
}

/// The editor with a file of the content open in it.
pub(crate) fn with_file(root: &Path, file: &str) -> Window {
    let mut window = editor(root, EditRequest::File(root.join(file)));
    window.sees("Back to the launcher");
    window
}

fn valley(root: &Path) -> Window {
    with_file(root, "maps/river-crossing/valley.map.xml")
}

pub(crate) fn text(root: &Path, file: &str) -> String {
    fs::read_to_string(root.join(file)).unwrap()
}

/// The middle of a cell, whatever is on it.
pub(crate) fn cell(window: &mut Window, name: &str) -> Pos2 {
    window.rect_of_containing(&format!("{name}, ")).center()
}

#[test]
fn a_new_map_is_made_from_the_dialog_and_painted() {
    let content = own_content();
    let mut window = editor(content.path(), EditRequest::NewMap("river-crossing".to_owned()));
    window.sees("Give it a title.").writes("Title", "Two hills").clicks("Make");
    window.sees("File Two hills").sees("16 by 12 hexes, 192 cells");
    window.clicks("Terrain Hill").clicks("c3, Clear, empty").sees("c3, Hill, empty");
    window.sees("File Two hills, not saved");
    window.presses(Modifiers::COMMAND, Key::S).no_longer_sees("not saved");
    let map = text(content.path(), "maps/river-crossing/two-hills.map.xml");
    assert!(map.contains("hill"), "{map}");
}

#[test]
fn a_stroke_is_one_step_that_is_undone_and_redone() {
    let content = own_content();
    let file = "maps/river-crossing/valley.map.xml";
    let before = text(content.path(), file);
    let mut window = valley(content.path());
    window.clicks("Terrain Marsh");
    let (from, to) = (cell(&mut window, "b2"), cell(&mut window, "e2"));
    window.drags(from, to);
    for name in ["b2", "c2", "d2", "e2"] {
        window.sees(&format!("{name}, Marsh, empty"));
    }
    window.clicks("History").sees("1. Brush");
    assert!(!window.shows("2. Brush"), "a stroke is one step");
    window.presses(Modifiers::COMMAND, Key::Z).sees("c2, Town, empty");
    window.presses(Modifiers::COMMAND, Key::Y).sees("c2, Marsh, empty");
    window.presses(Modifiers::COMMAND, Key::S).no_longer_sees("not saved");
    let after = text(content.path(), file);
    let changed = before.lines().zip(after.lines()).filter(|(old, new)| old != new).count();
    assert_eq!((changed, before.lines().count()), (1, after.lines().count()), "{after}");
    window
        .presses(Modifiers::COMMAND, Key::Z)
        .presses(Modifiers::COMMAND, Key::S)
        .no_longer_sees("not saved");
    assert_eq!(text(content.path(), file), before);
}

#[test]
fn lines_rectangles_and_fills_paint_what_they_span() {
    let content = own_content();
    let mut window = valley(content.path());
    window.clicks("Terrain Wood").presses(Modifiers::NONE, Key::R);
    let (from, to) = (cell(&mut window, "a8"), cell(&mut window, "c9"));
    window.drags(from, to).sees("b8, Wood").sees("c9, Wood").sees("a9, Wood");
    window.presses(Modifiers::NONE, Key::L);
    let (from, to) = (cell(&mut window, "g9"), cell(&mut window, "k9"));
    window.drags(from, to).sees("h9, Wood").sees("j9, Wood");
    window
        .clicks("Terrain Marsh")
        .presses(Modifiers::NONE, Key::F)
        .clicks("b8, Wood, empty");
    window.sees("c9, Marsh").sees("a9, Marsh");
    window.presses(Modifiers::NONE, Key::G).clicks("e1, Hill, empty").sees("f2, Marsh");
}

#[test]
fn a_region_is_made_of_the_selection_named_and_deleted() {
    let content = own_content();
    let mut window = valley(content.path());
    window.presses(Modifiers::NONE, Key::S);
    let (from, to) = (cell(&mut window, "a1"), cell(&mut window, "b2"));
    window.drags(from, to).sees("4 cells selected");
    window
        .clicks("Regions")
        .clicks("New region of the selected cells")
        .sees("Delete region 2");
    window.clicks("Delete region 2").no_longer_sees("Delete region 2");
}

#[test]
fn what_is_said_of_a_cell_is_changed_in_its_fields() {
    let content = own_content();
    let mut window = valley(content.path());
    window.presses(Modifiers::NONE, Key::V).clicks("b2, Clear, empty").sees("Cell b2");
    window.writes("Name", "Mill").presses(Modifiers::NONE, Key::Enter);
    window.sees("Mill, Clear, empty");
    window.presses(Modifiers::COMMAND, Key::S).no_longer_sees("not saved");
    assert!(text(content.path(), "maps/river-crossing/valley.map.xml").contains("name=\"Mill\""));
}

#[test]
fn a_text_counts_when_its_field_is_left_by_a_click_on_the_board() {
    let content = own_content();
    let mut window = valley(content.path());
    window.presses(Modifiers::NONE, Key::V).clicks("b2, Clear, empty").sees("Cell b2");
    window.writes("Name", "Mill").clicks("d2, Clear, empty").sees("Cell d2");
    window.sees("Mill, Clear, empty").sees("File The valley, not saved");
    window.presses(Modifiers::COMMAND, Key::Z).sees("b2, Clear, empty");
}

#[test]
fn files_are_saved_by_their_key_while_a_field_has_the_focus() {
    let content = own_content();
    let mut window = valley(content.path());
    window.presses(Modifiers::NONE, Key::V).clicks("b2, Clear, empty").sees("Cell b2");
    window.writes("Name", "Mill").presses(Modifiers::COMMAND, Key::S);
    window.sees("Mill, Clear, empty").no_longer_sees("not saved");
    assert!(text(content.path(), "maps/river-crossing/valley.map.xml").contains("name=\"Mill\""));
}

#[test]
fn pieces_are_put_on_a_board_for_their_owner() {
    let content = own_content();
    let mut window = with_file(content.path(), "maps/sixteen-soldiers/standard.scenario.xml");
    window.sees("Piece Soldier").clicks("Piece Soldier");
    window.clicks("Pieces of Red").clicks("c5, empty").sees("c5, red soldier");
}

#[test]
fn work_that_was_not_saved_is_there_again() {
    let content = own_content();
    let mut window = valley(content.path());
    window.clicks("Terrain Wood").clicks("b3, Clear, empty").sees("b3, Wood");
    drop(window);
    let mut again = valley(content.path());
    again.sees("that was not saved has been recovered").sees("b3, Wood");
    // The board lies below what is told, and keeps nearly all of the room.
    let told = again.rect_of_containing("that was not saved has been recovered");
    let cell = again.rect_of_containing("a1, ");
    assert!(told.height() < 60.0 && told.bottom() < cell.top(), "{told:?} {cell:?}");
    again.presses(Modifiers::COMMAND, Key::Z).sees("b3, Clear");
}

#[test]
fn work_of_a_window_that_is_gone_comes_to_the_one_that_is_left() {
    let content = own_content();
    let mut first = valley(content.path());
    first.clicks("Terrain Wood").clicks("b3, Clear, empty").sees("b3, Wood");
    let mut second = valley(content.path());
    second.sees("is open in another window").sees("b3, Clear");
    drop(first);
    second.sees("that was not saved has been recovered").sees("b3, Wood");
}

#[test]
fn areas_look_as_they_were_drawn_after_a_save() {
    let content = own_content();
    let mut window = with_file(content.path(), "maps/conquest/world.map.xml");
    let before = window.sees("Great Britain, Europe").labels();
    window.presses(Modifiers::COMMAND, Key::S).settles();
    let after = window.labels();
    let areas = |labels: &str| -> Vec<String> {
        labels
            .lines()
            .filter(|label| label.contains(", Europe"))
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(areas(&after), areas(&before));
}

#[test]
fn a_drawing_of_what_belongs_to_the_program_is_kept_and_goes_on_as_a_copy() {
    let file = "maps/river-crossing/valley.map.xml";
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("own");
    fs::create_dir(&own).unwrap();
    let unpack = || boardwright_bundle::unpack(&folder.path().join("bundled")).unwrap();
    let bundled = Bundled {
        folder: unpack(),
        histories: folder.path().join("histories"),
    };
    let open = |file: &Path| {
        let opening = Opening::new(&own, StartScreen::Editor(EditRequest::File(file.to_owned())));
        opening.with_bundled(bundled.clone()).open()
    };
    let valley = bundled.folder.join(file);
    let before = fs::read_to_string(&valley).unwrap();
    let mut window = open(&valley);
    window.clicks("Terrain Wood").clicks("b3, Clear, empty").sees("b3, Wood");
    for _ in 0..2 {
        window.presses(Modifiers::COMMAND, Key::S).settles();
    }
    assert_eq!(window.labels().matches("belongs to the program").count(), 1, "{}", window.labels());
    window.settles().picture().is_as_approved("draw-bundled");
    drop(window);
    // Nothing was written where the program unpacks what it brings.
    assert_eq!(unpack(), bundled.folder);
    assert_eq!(fs::read_dir(folder.path().join("bundled")).unwrap().count(), 1);

    let mut window = open(&valley);
    window.sees("that was not saved has been recovered").sees("b3, Wood");
    window.clicks("Terrain Wood").clicks("d2, Clear, empty").sees("d2, Wood");
    window.presses(Modifiers::COMMAND, Key::S).clicks("Save a copy");
    window.sees("You go on in the copy").no_longer_sees("belongs to the program");
    window.sees("File The valley (copy)").no_longer_sees("(copy), not saved");
    let copy = text(&own, "maps/river-crossing/valley-copy.map.xml");
    assert!(copy.contains("wood") && copy.contains("id=\"valley-copy\""), "{copy}");
    let scenario = text(&own, "maps/river-crossing/standard-copy.scenario.xml");
    assert!(scenario.contains("map=\"valley-copy\""), "{scenario}");
    // The history came with it, and it is saved like any other file.
    window.presses(Modifiers::COMMAND, Key::Z).presses(Modifiers::COMMAND, Key::Z);
    window.sees("b3, Clear").sees("File The valley (copy), not saved");
    window.presses(Modifiers::COMMAND, Key::S).no_longer_sees("(copy), not saved");
    drop(window);
    assert_eq!(fs::read_to_string(&valley).unwrap(), before);
    let mut window = open(&valley);
    window.sees("b3, Clear");
    assert!(!window.shows("has been recovered"), "it is in the copy");
}

#[test]
fn nothing_is_saved_until_it_is_chosen_between_contradictions() {
    let file = "maps/river-crossing/valley.map.xml";
    for (choice, expected) in [("Take theirs", "Theirs"), ("Keep mine", "Mine")] {
        let content = own_content();
        let before = text(content.path(), file);
        let theirs = before.replace("title=\"The valley\"", "title=\"Theirs\"");
        assert_ne!(theirs, before);
        let mut window = valley(content.path());
        window.presses(Modifiers::NONE, Key::Escape).writes("Title", "Mine");
        window.presses(Modifiers::NONE, Key::Enter).sees("File Mine, not saved");
        fs::write(content.path().join(file), &theirs).unwrap();
        window.presses(Modifiers::COMMAND, Key::S).clicks("Merge and save");
        window.sees("Title: mine Mine, theirs Theirs");
        window.presses(Modifiers::COMMAND, Key::S).settles();
        assert_eq!(text(content.path(), file), theirs, "nothing is chosen");
        window.clicks(choice).no_longer_sees("Title: mine Mine, theirs Theirs");
        window.presses(Modifiers::COMMAND, Key::S).no_longer_sees("not saved");
        assert!(text(content.path(), file).contains(&format!("title=\"{expected}\"")));
    }
}

#[test]
fn what_is_drawn_is_tried_out_and_drawing_goes_on() {
    let content = own_content();
    let mut window = valley(content.path());
    window.clicks("Terrain Town").clicks("b3, Clear, empty").sees("b3, Town");
    window.presses(Modifiers::NONE, Key::F5).sees("b3, Town");
    window.sees("Undo").no_longer_sees("Terrain Town");
    assert!(!text(content.path(), "maps/river-crossing/valley.map.xml").contains("name=\"b3\""));
}

#[test]
fn a_broken_file_is_refused_and_the_open_work_stays() {
    let content = own_content();
    let broken = content.path().join("maps/river-crossing/broken.map.xml");
    fs::write(&broken, "<map format=\"1\" id=\"broken\"").unwrap();
    let mut window = valley(content.path());
    window.clicks("Terrain Wood").clicks("b3, Clear, empty").sees("b3, Wood");
    window.presses(Modifiers::COMMAND, Key::O);
    window.writes("Search, or the path of a file", &broken.display().to_string());
    window.clicks("Open this file").sees("broken.map.xml").sees("b3, Wood");
}

#[test]
fn the_launcher_leads_to_the_editor_and_back() {
    let content = own_content();
    let mut window = Opening::new(content.path(), StartScreen::Launcher).open();
    window.sees("Start match").clicks("Editor").sees("All maps and scenarios");
    window.clicks("Back to the launcher").sees("Start match");
    window
        .clicks_containing("A copy of this")
        .sees("Copy its map as well")
        .clicks("Make")
        .sees("(copy)");
}

#[test]
fn the_keys_of_the_editor_are_listed() {
    let content = own_content();
    let mut window = valley(content.path());
    window
        .presses(Modifiers::NONE, Key::Questionmark)
        .sees("Brush: B")
        .sees("Try it: F5");
}

#[test]
fn the_editor_speaks_czech() {
    let content = own_content();
    let file = content.path().join("maps/river-crossing/valley.map.xml");
    let opening = Opening::new(content.path(), StartScreen::Editor(EditRequest::File(file)));
    let mut window = opening.with(|settings| settings.language = Some(Language::Czech)).open();
    window.sees("Štětec").sees("Souměrnost").sees("11 × 9 šestiúhelníků, 99 polí");
}
