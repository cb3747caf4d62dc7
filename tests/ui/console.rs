//! The console: the line of edit commands.

use boardwright::client::MatchChoice;
use boardwright::model::Policy;
use boardwright::ui::StartScreen;
use egui::{Key, Modifiers};

use crate::support::{Opening, Window, of_people, pressed, project};

const LINE: &str = "Type a change";

fn war() -> MatchChoice {
    MatchChoice {
        scenario: Some("war".to_owned()),
        players: ["red", "blue", "green"].map(|seat| (seat.to_owned(), "human".to_owned())).into(),
        ..of_people("conquest")
    }
}

fn opened(choice: MatchChoice) -> Window {
    let mut window = Opening::new(&project(), StartScreen::Match(choice)).open();
    window.sees("Round 1").presses(Modifiers::NONE, Key::Backtick).sees(LINE).settles();
    window
}

impl Window {
    /// Writes into the line that has the focus, and goes on.
    fn says(&mut self, text: &str) -> &mut Self {
        self.types(text).presses(Modifiers::NONE, Key::Enter)
    }

    fn types(&mut self, text: &str) -> &mut Self {
        self.harness.event(egui::Event::Text(text.to_owned()));
        self.harness.step();
        self.harness.step();
        self
    }
}

#[test]
fn the_match_is_changed_in_words_that_are_completed() {
    let mut window = opened(war());
    window.sees("strip SEAT = SEAT").sees("begins the turn of a seat");
    window.types("owner alas").sees("gives the pieces on cells to a seat, or to nobody");
    window.presses(Modifiers::NONE, Key::Tab).types(" = gr");
    window.presses(Modifiers::NONE, Key::Tab).presses(Modifiers::NONE, Key::Enter);
    // Cards are hidden in this match, and so is what does not show on the board.
    window
        .sees("1. Edit: owner Alaska = green")
        .sees("Alaska, North America, green garrison");
    // What is wrong is told below the line, and changes nothing.
    window
        .says("owner Alaska = pink")
        .sees("There is no seat pink; there are red, blue, green.");
    window.says("run print(turn.round + 40)").sees("41").sees("2. Edited");
    assert!(!window.shows("3. "), "{}", window.labels());
    // Earlier words come back with the arrows.
    for _ in 0..3 {
        window.presses(Modifiers::NONE, Key::ArrowUp);
    }
    window.settles().sees("gives the pieces on cells to a seat, or to nobody");
    window.presses(Modifiers::NONE, Key::Escape).no_longer_sees(LINE);
    // It can be taken back like anything else.
    window.presses(Modifiers::NONE, Key::PageUp).presses(Modifiers::NONE, Key::PageUp);
    window.sees("Alaska, North America, red garrison");
}

#[test]
fn the_key_of_the_line_writes_its_sign_in_scripts_and_closes_an_empty_line() {
    let mut window = opened(of_people("tic-tac-toe"));
    // The window system tells the sign that the key writes as well; it belongs to the key.
    let presses = |window: &mut Window| {
        let events = [pressed(Key::Backtick), egui::Event::Text("`".to_owned())];
        window.long_frame(events).settles();
    };
    presses(&mut window);
    window.no_longer_sees(LINE);
    presses(&mut window);
    window.sees(LINE).types("run print(");
    presses(&mut window);
    window.types("${1 + 1}");
    presses(&mut window);
    window.says(")").sees("Edit: run print(`${1 + 1}`)");
}

#[test]
fn what_is_typed_while_the_window_is_slow_stands_in_its_order() {
    let mut window = opened(war());
    let text = |text: &str| egui::Event::Text(text.to_owned());
    window
        .long_frame([
            text("owner Alas"),
            pressed(Key::Tab),
            text(" = gre"),
            pressed(Key::Tab),
            pressed(Key::Enter),
            text("turn bl"),
        ])
        .settles()
        .sees("Alaska, North America, green garrison")
        .sees("begins the turn of a seat");
    window
        .presses(Modifiers::NONE, Key::Tab)
        .presses(Modifiers::NONE, Key::Enter)
        .sees("2. Edit: turn blue");
    assert!(!window.shows("There is no"), "{}", window.labels());
}

#[test]
fn a_rated_match_cannot_be_edited() {
    let mut choice = war();
    choice.policy = Some(Policy {
        debug: false,
        ..Policy::default()
    });
    let mut window = opened(choice);
    window.says("turn blue").sees("This match cannot be edited.");
    assert!(!window.shows("Edit:"));
}

#[test]
fn the_line_speaks_czech() {
    let opening = Opening::new(&project(), StartScreen::Match(of_people("tic-tac-toe"))).with(|settings| {
        settings.language = Some(boardwright::ui::Language::Czech);
    });
    let mut window = opening.open();
    window
        .sees("1. kolo")
        .presses(Modifiers::NONE, Key::F12)
        .sees("Napište změnu")
        .settles();
    window.sees("začne tah strany").says("turn noughts").sees("Zásah: turn noughts");
}
