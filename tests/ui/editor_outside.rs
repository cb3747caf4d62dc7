//! What happens outside of the file that is drawn: scenarios that name cells of a map, by labels.

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

fn scenario_of_valley(root: &std::path::Path) -> String {
    let folder = root.join("maps/river-crossing");
    let names = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut scenarios = names.filter(|name| name.ends_with(".scenario.xml"));
    format!("maps/river-crossing/{}", scenarios.next().unwrap())
}
