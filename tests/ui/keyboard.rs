//! Every bundled ruleset played by keyboard alone: no pointer, and no focus but that which keys bring.

use boardwright::client::MatchChoice;
use boardwright::ui::StartScreen;
use egui::accesskit::Toggled;
use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};

use crate::support::{Opening, Window, of_people, project};

/// More than there are widgets, or cells that can be chosen.
const ENOUGH: usize = 200;

impl Window {
    fn key(&mut self, key: Key) -> &mut Self {
        self.presses(Modifiers::NONE, key).settles()
    }

    fn focused(&self) -> String {
        let mut all = self.harness.query_all_by_label_contains("");
        let label = all
            .find(egui_kittest::Node::is_focused)
            .and_then(|node| node.accesskit_node().label());
        label.unwrap_or_default()
    }

    /// Presses a key until the focus is on what begins with these words.
    fn goes_by(&mut self, key: Key, words: &str) -> &mut Self {
        for _ in 0..ENOUGH {
            // A key that waits for the rules would move the focus later.
            self.presses(Modifiers::NONE, key).settles();
            self.waits_until("the rules do not answer", |window| !window.awaits_answers());
            self.settles();
            if self.focused().starts_with(words) {
                return self;
            }
        }
        panic!("{key:?} does not lead to `{words}`; there is\n{}", self.labels());
    }

    /// Chooses a cell that can be chosen.
    fn chooses(&mut self, cell: &str) -> &mut Self {
        self.goes_by(Key::N, &format!("{cell}, ")).key(Key::Space)
    }
}

#[test]
fn tic_tac_toe_is_played_to_its_end_and_begun_again() {
    let mut window = Window::of_rules(&project(), "tic-tac-toe");
    window.sees("a1, empty, can be chosen");
    for cell in ["a1", "b1", "a2", "b2", "a3"] {
        window.chooses(cell).sees(&format!("mark {cell}"));
    }
    window.sees("Crosses won");
    window.goes_by(Key::Tab, "Rematch").key(Key::Space).sees("a1, empty, can be chosen");
}

#[test]
fn soldiers_step_capture_and_take_a_choice_back() {
    let mut window = Window::of_people(&project());
    window.sees("c4, red soldier, can be picked");
    window.chooses("c4").sees("c4, red soldier, chosen");
    window.key(Key::Backspace).sees("c4, red soldier, can be picked");
    window.chooses("c4").chooses("c5").sees("1. Red: c4-c5");
    window.chooses("c6").chooses("c4").sees("2. Blue: c6xc4");
    window.presses(Modifiers::COMMAND, Key::Z).sees("Looking back: 1 of 2");
    window.presses(Modifiers::COMMAND, Key::Y).no_longer_sees("Looking back: ");
}

#[test]
fn a_shape_is_taken_turned_and_laid() {
    let mut window = Window::of_rules(&project(), "cornered");
    window.sees("a1, ").goes_by(Key::Tab, "blue three in a row").key(Key::Space);
    window.sees("Mirror").key(Key::R).chooses("a1");
    window.sees("1. Blue: three in a row at a1 (turned right)");
    window.goes_by(Key::Tab, "yellow l").key(Key::Space).sees("Mirror");
    window.key(Key::F).key(Key::N).key(Key::Space).sees("2. Yellow: L at");
}

#[test]
fn the_next_piece_of_the_tray_is_taken_by_a_key() {
    let mut window = Window::of_rules(&project(), "cornered");
    window.sees("a1, ");
    let taken = |window: &Window| {
        let mut all = window.harness.query_all_by_label_contains("blue ");
        let taken = all.find(|node| node.accesskit_node().toggled() == Some(Toggled::True));
        taken.and_then(|node| node.accesskit_node().label()).unwrap_or_default()
    };
    assert_eq!(taken(&window), "");
    let mut seen = Vec::new();
    for _ in 0..3 {
        window
            .key(Key::P)
            .waits_until("the rules do not answer", |window| !window.awaits_answers());
        seen.push(taken(window.settles()));
    }
    assert!(seen.iter().all(|one| one.starts_with("blue ")), "{seen:?}");
    assert!(seen[0] != seen[1] && seen[1] != seen[2], "{seen:?}");
    window
        .presses(Modifiers::SHIFT, Key::P)
        .waits_until("the rules do not answer", |window| !window.awaits_answers());
    assert_eq!(taken(window.settles()), seen[1]);
    window.key(Key::N).key(Key::Space).sees("1. Blue: ");
}

#[test]
fn armies_are_placed_attack_and_answer() {
    let players = ["red", "blue", "green"].map(|seat| (seat.to_owned(), "human".to_owned()));
    let choice = MatchChoice {
        scenario: Some("war".to_owned()),
        players: players.to_vec(),
        // With which Red begins.
        seed: Some(2.into()),
        ..of_people("conquest")
    };
    let mut window = Opening::new(&project(), StartScreen::Match(choice)).open();
    window.sees("Alaska, North America, red garrison 6, can be chosen");
    window.chooses("Alaska").sees("Reinforce: 11").key(Key::Enter);
    window.sees("Alaska, North America, red garrison 17");
    window.goes_by(Key::Tab, "Done").key(Key::Space).sees("Attack");
    window.chooses("Alaska").chooses("Kamchatka").sees("Attack: 3");
    window
        .key(Key::OpenBracket)
        .sees("Attack: 2")
        .key(Key::CloseBracket)
        .sees("Attack: 3")
        .key(Key::Enter);
    // Whoever defends decides with how many.
    window.sees("Defend: 2").key(Key::Enter).sees("the attack: ").sees("the defence: ");
}

#[test]
fn one_of_several_pieces_of_a_cell_is_chosen() {
    let content = crate::support::own_content();
    crate::support::farm::lies_in(content.path());
    let mut window = Opening::new(content.path(), StartScreen::Match(of_people("farm"))).open();
    window.sees("a1, hill ox, hill hen, dale hen, can be picked");
    window.chooses("a1").sees("None of these");
    window.key(Key::Escape).no_longer_sees("None of these");
    window.chooses("a1").sees("None of these");
    assert_eq!(window.focused(), "hill hen", "the one on top comes first");
    window.goes_by(Key::Tab, "hill ox").key(Key::Space).no_longer_sees("None of these");
    window.chooses("b1").sees("b1, hill ox, last action");
}
