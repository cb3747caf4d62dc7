//! The window as its users meet it, by the labels of what they see: launcher, match, board, panels.
#![cfg(feature = "gui")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail loudly")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use boardwright::client::local::MatchChoice;
use boardwright::ui::{App, Beginning, Bookcase, Language, Settings, theme};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

/// How long anything may take before a test fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// A window under test. Nothing travels, so that every picture stands still.
struct Window {
    harness: Harness<'static, Option<App>>,
}

impl Window {
    fn open(root: &Path, beginning: Beginning) -> Self {
        let content = Arc::new(Bookcase::new(vec![root.to_owned()]));
        let settings = Settings {
            moves: false,
            language: Some(Language::English),
            ..Settings::default()
        };
        let draw = move |ui: &mut egui::Ui, app: &mut Option<App>| {
            let new = || App::new(ui.ctx(), content.clone(), beginning.clone(), settings);
            app.get_or_insert_with(new).draw(ui);
        };
        let harness = Harness::builder()
            .with_size(egui::vec2(1280.0, 900.0))
            .with_step_dt(1.0 / 60.0)
            .with_context_setup(theme::install)
            .build_ui_state(draw, None);
        Self { harness }
    }

    fn launcher() -> Self {
        let mut window = Self::open(&project(), Beginning::Launcher);
        window.sees("Start the match");
        window
    }

    /// A match of two people.
    fn of_people(root: &Path) -> Self {
        Self::of_rules(root, "sixteen-soldiers")
    }

    fn of_rules(root: &Path, ruleset: &str) -> Self {
        let choice = MatchChoice {
            ruleset: ruleset.to_owned(),
            watches: true,
            ..MatchChoice::default()
        };
        Self::open(root, Beginning::Match(choice))
    }

    fn waits_until(&mut self, what: &str, holds: impl Fn(&Self) -> bool) {
        let begun = Instant::now();
        loop {
            self.harness.step();
            if holds(self) {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "{what}; there is\n{}", self.labels());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The labels of everything there is, for failing tests.
    fn labels(&self) -> String {
        let nodes = self.harness.query_all_by_label_contains("");
        let labels: Vec<_> = nodes.filter_map(|node| node.accesskit_node().label()).collect();
        labels.join("\n")
    }

    fn shows(&self, label: &str) -> bool {
        self.harness.query_all_by_label_contains(label).next().is_some()
    }

    /// Waits for something whose label contains a text.
    fn sees(&mut self, label: &str) -> &mut Self {
        self.waits_until(&format!("no `{label}` is seen"), |window| window.shows(label));
        self
    }

    fn no_longer_sees(&mut self, label: &str) -> &mut Self {
        self.waits_until(&format!("`{label}` is still seen"), |window| !window.shows(label));
        self
    }

    /// Clicks something by its exact label, when it is there.
    fn clicks(&mut self, label: &str) -> &mut Self {
        self.waits_until(&format!("nothing is labelled `{label}`"), |window| {
            window.harness.query_by_label(label).is_some()
        });
        self.harness.get_by_label(label).click();
        self.harness.step();
        self.harness.step();
        self
    }

    fn presses(&mut self, modifiers: Modifiers, key: Key) -> &mut Self {
        self.harness.key_press_modifiers(modifiers, key);
        self.harness.step();
        self
    }
}

fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The content of the project in a folder of its own, where it can be changed.
fn own_content() -> tempfile::TempDir {
    fn copy(from: &Path, to: &Path) {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            let (path, target) = (entry.path(), to.join(entry.file_name()));
            if path.is_dir() {
                copy(&path, &target);
            } else {
                fs::copy(path, target).unwrap();
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    for name in ["rulesets", "maps", "scripts"] {
        if project().join(name).is_dir() {
            copy(&project().join(name), &folder.path().join(name));
        }
    }
    folder
}

#[test]
fn the_launcher_offers_every_ruleset_as_a_card_with_its_seats() {
    let mut window = Window::launcher();
    window.sees("Sixteen Soldiers, 2 seats").sees("Tic-Tac-Toe, 2 seats");
    window
        .sees("Player of Red")
        .sees("Capturing is compulsory")
        .sees("Moves without a capture to a draw");
    window.harness.get_by_label_contains("Tic-Tac-Toe, 2 seats").click();
    window.no_longer_sees("Capturing is compulsory");
}

#[test]
fn the_window_speaks_the_language_that_is_chosen() {
    let mut window = Window::launcher();
    window
        .clicks("Settings")
        .clicks("Čeština")
        .sees("Začít partii")
        .sees("2 hráči, asi 20 minut");
    window.no_longer_sees("Start the match");
}

#[test]
fn a_broken_ruleset_shows_its_finding_on_its_card_and_stops_no_other() {
    let content = own_content();
    let rules = content.path().join("rulesets/tic-tac-toe/rules.rhai");
    let text = fs::read_to_string(&rules).unwrap();
    fs::write(&rules, format!("{text}\nfn broken( {{\n")).unwrap();
    let mut window = Window::open(content.path(), Beginning::Launcher);
    window.sees("Tic-Tac-Toe, 2 seats, about 2 minutes, rulesets/tic-tac-toe/rules.rhai:");
    window.clicks("Start the match").sees("c4, red soldier, can be picked");
}

#[test]
fn a_match_is_started_and_played_by_clicks_on_pieces_and_points() {
    let mut window = Window::launcher();
    window.clicks("Start the match");
    window.clicks("c4, red soldier, can be picked").sees("c5, empty, can be chosen");
    window.clicks("c5, empty, can be chosen").sees("c5, empty, chosen");
    window.presses(Modifiers::NONE, Key::Enter).sees("c5, red soldier, last action");
    window.sees("1. Red: ").sees("c6, blue soldier, can be picked");
}

#[test]
fn a_double_click_on_the_end_plays() {
    let mut window = Window::of_people(&project());
    window.clicks("a4, red soldier, can be picked").sees("a5, empty, can be chosen");
    window.clicks("a5, empty, can be chosen").clicks("a5, empty, chosen");
    window.sees("a5, red soldier, last action");
}

#[test]
fn escape_takes_the_choice_back() {
    let mut window = Window::of_people(&project());
    window.clicks("b4, red soldier, can be picked").sees("b4, red soldier, chosen");
    window.presses(Modifiers::NONE, Key::Escape).sees("b4, red soldier, can be picked");
}

#[test]
fn cells_can_be_chosen_without_a_pointer() {
    let mut window = Window::of_people(&project());
    window.sees("e4, red soldier, can be picked");
    window.harness.get_by_label("e4, red soldier, can be picked").click_accesskit();
    window.sees("e5, empty, can be chosen");
    window.harness.get_by_label("e5, empty, can be chosen").focus();
    window.presses(Modifiers::NONE, Key::Enter).sees("e5, empty, chosen");
}

#[test]
fn actions_are_undone_and_done_again_by_button_and_by_key() {
    let mut window = Window::of_people(&project());
    window
        .clicks("c4, red soldier, can be picked")
        .clicks("c5, empty, can be chosen")
        .clicks("Play");
    window.sees("c5, red soldier, last action");
    window.clicks("Undo").sees("c4, red soldier, can be picked");
    window.clicks("Redo").sees("c5, red soldier, last action");
    window.presses(Modifiers::COMMAND, Key::Z).sees("c4, red soldier, can be picked");
    window.presses(Modifiers::COMMAND, Key::Y).sees("c5, red soldier, last action");
}

#[test]
fn going_on_from_an_earlier_position_asks_before_it_drops_what_came_later() {
    let mut window = Window::of_people(&project());
    window
        .clicks("c4, red soldier, can be picked")
        .clicks("c5, empty, can be chosen")
        .clicks("Play");
    window.sees("c5, red soldier, last action").clicks("Undo");
    window
        .clicks("a4, red soldier, can be picked")
        .clicks("a5, empty, can be chosen")
        .clicks("Play");
    window.sees("Go on from here?").clicks("Cancel").no_longer_sees("Go on from here?");
    window
        .clicks("Play")
        .clicks("Drop them and play")
        .sees("a5, red soldier, last action");
}

#[test]
fn a_seat_is_given_to_the_computer_while_the_match_runs() {
    let mut window = Window::of_people(&project());
    window.sees("c4, red soldier, can be picked");
    window.clicks("Player of Red").clicks("Random computer");
    window.sees("1. Red: ").sees("blue soldier, can be picked");
}

#[test]
fn a_hint_is_shown_on_the_board() {
    let mut window = Window::of_people(&project());
    window
        .sees("c4, red soldier, can be picked")
        .clicks("Hint")
        .sees("soldier, can be picked, hint");
}

#[test]
fn an_error_in_changed_rules_is_shown_with_its_place_and_the_match_goes_on() {
    let content = own_content();
    let mut window = Window::of_people(content.path());
    window.sees("c4, red soldier, can be picked");
    let rules = content.path().join("rulesets/sixteen-soldiers/rules.rhai");
    let text = fs::read_to_string(&rules).unwrap();
    fs::write(&rules, text.replace("fn plain_step() {", "fn plain_step( {")).unwrap();
    window
        .sees("rulesets/sixteen-soldiers/rules.rhai:")
        .sees("fn plain_step( {")
        .sees("the old ones stay in force");
    window
        .clicks("c4, red soldier, can be picked")
        .clicks("c5, empty, can be chosen")
        .clicks("Play");
    window.sees("c5, red soldier, last action");
    fs::write(&rules, text.replace("title: \"Soldier\"", "title: \"Fighter\"")).unwrap();
    window
        .sees("The changed rules are in force")
        .sees("rules.rhai changed")
        .sees("c5, red fighter");
    window.no_longer_sees("fn plain_step( {");
}

#[test]
fn the_end_is_told_and_a_rematch_offered() {
    let mut window = Window::of_rules(&project(), "tic-tac-toe");
    for cell in ["a1", "b1", "a2", "b2", "a3"] {
        let label = format!("{cell}, empty, can be chosen");
        window.clicks(&label).clicks(&format!("{cell}, empty, chosen"));
    }
    window.sees("wins").clicks("Rematch").sees("a1, empty, can be chosen");
}
