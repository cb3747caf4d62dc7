//! What happens outside of the file that is drawn: scenarios that name cells of a map, and other programs that write it, by labels.

use std::fs;

use crate::editor::{text, with_file};
use crate::support::own_content;
use egui::{Key, Modifiers};

const VALLEY: &str = "maps/river-crossing/valley.map.xml";

#[test]
fn scenarios_follow_a_cell_that_is_renamed_when_that_is_wanted() {
    let content = own_content();
    let scenario = scenario_of_valley(content.path());
    let before = text(content.path(), &scenario);
    let mut window = with_file(content.path(), VALLEY);
    window.presses(Modifiers::NONE, Key::V).clicks("h4, Clear, empty").sees("Cell h4");
    window
        .writes("Name", "Mill")
        .presses(Modifiers::NONE, Key::Enter)
        .sees("Mill, Clear");
    window.sees("names cells that have another name now");
    window.settles().picture().is_as_approved("draw-renamed-cell");
    // What is undone needs no scenario to follow.
    window
        .presses(Modifiers::COMMAND, Key::Z)
        .no_longer_sees("names cells that have another name now");
    window.presses(Modifiers::COMMAND, Key::Y).clicks("Rename there too");
    window
        .sees("not saved yet")
        .no_longer_sees("names cells that have another name now");
    assert_eq!(text(content.path(), &scenario), before, "nothing is saved unasked");
}

#[test]
fn what_another_program_writes_is_taken_in_and_told() {
    let content = own_content();
    let before = text(content.path(), VALLEY);
    let mut window = with_file(content.path(), VALLEY);
    window.clicks("Terrain Wood").clicks("b3, Clear, empty").sees("b3, Wood");
    let theirs = before.replace("title=\"The valley\"", "title=\"The dale\"");
    assert_ne!(theirs, before);
    fs::write(content.path().join(VALLEY), &theirs).unwrap();
    window.sees("Another program changed valley.map.xml. Taken in here: Title. Ctrl+Z takes it out again.");
    window.sees("File The dale, not saved").sees("b3, Wood");
    window.settles().picture().is_as_approved("draw-changed-outside");
    // Both are saved, and the file of the other program is no conflict any more.
    window.presses(Modifiers::COMMAND, Key::S).no_longer_sees("not saved");
    let saved = text(content.path(), VALLEY);
    assert!(saved.contains("The dale") && saved != theirs, "{saved}");
    window.presses(Modifiers::COMMAND, Key::Z).sees("File The valley, not saved");
}

#[test]
fn what_two_programs_wrote_at_the_same_place_is_asked() {
    let content = own_content();
    let before = text(content.path(), VALLEY);
    let mut window = with_file(content.path(), VALLEY);
    window.presses(Modifiers::NONE, Key::Escape).writes("Title", "Mine");
    window.presses(Modifiers::NONE, Key::Enter).sees("File Mine, not saved");
    let theirs = before.replace("title=\"The valley\"", "title=\"Theirs\"");
    fs::write(content.path().join(VALLEY), &theirs).unwrap();
    window.sees("Title: mine Mine, theirs Theirs");
    window.settles().picture().is_as_approved("draw-conflict");
    window.clicks("Take theirs").sees("File Theirs");
}

#[test]
fn a_file_that_another_program_broke_or_deleted_is_told_and_the_open_work_stays() {
    let content = own_content();
    let file = content.path().join(VALLEY);
    let mut window = with_file(content.path(), VALLEY);
    window.clicks("Terrain Wood").clicks("b3, Clear, empty").sees("b3, Wood");
    for broken in [
        &b"<map format=\"1\" id=\"valley\""[..],
        b"\xff\xfe\x00binary",
        b"<map format=\"99\" id=\"valley\"/>",
    ] {
        fs::write(&file, broken).unwrap();
        window.sees("and it cannot be read");
        window.clicks("Close problems").no_longer_sees("and it cannot be read");
        window.sees("b3, Wood");
    }
    fs::remove_file(&file).unwrap();
    window.sees("and it cannot be read").sees("b3, Wood");
    window.presses(Modifiers::COMMAND, Key::S).no_longer_sees("not saved");
    assert!(text(content.path(), VALLEY).contains("wood"));
}

fn scenario_of_valley(root: &std::path::Path) -> String {
    let folder = root.join("maps/river-crossing");
    let names = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut scenarios = names.filter(|name| name.ends_with(".scenario.xml"));
    format!("maps/river-crossing/{}", scenarios.next().unwrap())
}
