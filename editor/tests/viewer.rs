//! The editor by the labels of what is seen in it.
#![allow(clippy::unwrap_used, reason = "tests fail loudly")]

use std::path::{Path, PathBuf};

use boardwright_editor::Editor;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn editor(file: Option<PathBuf>) -> Harness<'static, Option<Editor>> {
    let draw = move |ui: &mut egui::Ui, editor: &mut Option<Editor>| {
        let new = || Editor::new(ui.ctx(), &[project()], file.clone());
        editor.get_or_insert_with(new).draw(ui);
    };
    let mut harness = Harness::builder()
        .with_size(egui::vec2(1200.0, 800.0))
        .with_context_setup(boardwright_ui::theme::install)
        .build_ui_state(draw, None);
    harness.run_steps(3);
    harness
}

fn shows(harness: &Harness<'_, Option<Editor>>, label: &str) -> bool {
    harness.query_all_by_label_contains(label).next().is_some()
}

#[test]
fn a_map_is_opened_with_its_cells_and_regions() {
    let mut harness = editor(Some(project().join("maps/sixteen-soldiers/board.map.xml")));
    assert!(shows(&harness, "37 cells") && shows(&harness, "c5, empty"));
    harness.get_by_label("triangles").click();
    harness.run_steps(2);
    assert!(shows(&harness, "a1, empty, highlighted") && !shows(&harness, "c5, empty, highlighted"));
}

#[test]
fn a_scenario_is_chosen_from_the_list_and_shows_its_pieces() {
    let mut harness = editor(None);
    // The list is long: what is looked for is rolled to.
    harness.get_by_label("Sixteen against sixteen").scroll_to_me();
    harness.run_steps(30);
    harness.get_by_label("Sixteen against sixteen").click();
    harness.run_steps(3);
    assert!(shows(&harness, "32 pieces") && shows(&harness, "a1, red soldier"));
}

#[test]
fn maps_of_every_topology_are_drawn_without_a_ruleset() {
    for (file, cell) in [("v1-hex.map.xml", "hexes"), ("v1-areas.map.xml", "areas")] {
        let harness = editor(Some(project().join("tests/formats").join(file)));
        assert!(shows(&harness, cell), "{file}");
        assert!(shows(&harness, "Drawn without its ruleset"), "{file}");
    }
}

#[test]
fn what_is_wrong_with_a_file_is_shown_instead_of_it() {
    let harness = editor(Some(project().join("README.md")));
    assert!(shows(&harness, "maps end in .map.xml"));
}
