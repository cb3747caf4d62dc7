//! That an action plays when nothing is left to choose, and that no input is lost while frames are long.

use boardwright::client::MatchChoice;
use boardwright::ui::StartScreen;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

use crate::support::{Opening, Window, of_people, pressed, project};

fn soldiers() -> Window {
    let mut window = Window::of_people(&project());
    window.sees("c4, red soldier, can be picked");
    window
}

fn place(window: &mut Window, label: &str) -> Pos2 {
    window.rect_of(label).center()
}

/// The events of a click.
fn click(at: Pos2) -> [Event; 3] {
    let button = |pressed| Event::PointerButton {
        pos: at,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    [Event::PointerMoved(at), button(true), button(false)]
}

/// The events of a drag with one stop on its way.
fn drag(from: Pos2, to: Pos2) -> Vec<Event> {
    let [over, down, _] = click(from);
    let [arrived, _, up] = click(to);
    vec![over, down, Event::PointerMoved(from + (to - from) * 0.5), arrived, up]
}

#[test]
fn a_piece_and_where_it_goes_is_all_there_is_to_click() {
    let mut window = soldiers();
    window.clicks("c4, red soldier").clicks("c5, empty, can be chosen");
    window.sees("1. Red: c4-c5").sees("c6, blue soldier, can be picked");
}

#[test]
fn who_wants_to_confirm_moves_is_asked_to() {
    let opening = Opening::new(&project(), StartScreen::Match(of_people("sixteen-soldiers")));
    let mut window = opening.with(|settings| settings.confirm_moves = true).open();
    window.clicks("c4, red soldier, can be picked").clicks("c5, empty, can be chosen");
    window.sees("Press Enter or click again to play").settles();
    assert!(!window.shows("1. Red: "));
    window.clicks("c5, empty, chosen").sees("1. Red: c4-c5");
    let (from, to) = (place(&mut window, "b6, blue soldier"), place(&mut window, "b5, empty"));
    window.drags(from, to).sees("b5, empty, chosen").settles();
    assert!(!window.shows("2. Blue: "));
    window.presses(Modifiers::NONE, Key::Enter).sees("2. Blue: b6-b5");
}

#[test]
fn the_second_half_of_a_double_click_that_has_played_means_nothing() {
    let mut window = soldiers();
    window.clicks("c4, red soldier").sees("c5, empty, can be chosen");
    let at = place(&mut window, "c5, empty");
    window.long_frame(click(at).into_iter().chain(click(at)));
    window.sees("1. Red: c4-c5").sees("c6, blue soldier, can be picked").settles();
    assert!(!window.shows("cannot be picked"), "{}", window.labels());
}

#[test]
fn clicks_of_one_long_frame_are_taken_each_in_its_order() {
    let mut window = soldiers();
    let (from, to) = (place(&mut window, "c4, red soldier"), place(&mut window, "c5, empty"));
    let (next, then) = (place(&mut window, "b6, blue soldier"), place(&mut window, "b5, empty"));
    let clicks = [from, to, next, then].map(click).into_iter().flatten();
    window.long_frame(clicks);
    window.sees("1. Red: c4-c5").sees("2. Blue: b6-b5");
}

#[test]
fn a_drag_of_one_long_frame_plays() {
    let mut window = soldiers();
    let (from, to) = (place(&mut window, "c4, red soldier"), place(&mut window, "c5, empty"));
    window.long_frame(drag(from, to));
    window.sees("1. Red: c4-c5");
}

#[test]
fn another_piece_is_dragged_while_one_is_chosen_in_one_long_frame_and_in_many() {
    for is_long in [true, false] {
        let mut window = soldiers();
        window.clicks("c4, red soldier").sees("c5, empty, can be chosen");
        let (from, to) = (place(&mut window, "d4, red soldier"), place(&mut window, "d5, empty"));
        if is_long {
            window.long_frame(drag(from, to));
        } else {
            window.drags(from, to);
        }
        window.sees("1. Red: d4-d5");
    }
}

#[test]
fn a_piece_let_go_beside_the_board_or_on_another_piece_goes_back() {
    let mut window = soldiers();
    let from = place(&mut window, "c4, red soldier");
    for to in [Pos2::new(4.0, from.y), place(&mut window, "a4, red soldier")] {
        window.drags(from, to).sees("c4, red soldier, can be picked").settles();
        assert!(!window.shows(", chosen"), "{}", window.labels());
    }
}

#[test]
fn keys_of_one_long_frame_are_taken_each_in_its_order() {
    let mut window = soldiers();
    window.presses(Modifiers::NONE, Key::N).settles();
    window.long_frame([Key::Space, Key::N, Key::Space].map(pressed));
    window.sees("1. Red: a4-a5");
}

#[test]
fn three_cards_that_are_clicked_in_one_long_frame_are_traded() {
    let choice = MatchChoice {
        scenario: Some("war".to_owned()),
        players: ["red", "blue", "green"].map(|seat| (seat.to_owned(), "human".to_owned())).to_vec(),
        seed: Some(2.into()),
        ..of_people("conquest")
    };
    let mut window = Window::open(&project(), StartScreen::Match(choice));
    window.sees("wild card").settles();
    let cards = |window: &Window, name: &str| -> Vec<Pos2> {
        let cards = window.harness.query_all_by_label_contains(name);
        let buttons = cards.filter(|card| card.accesskit_node().role() == egui::accesskit::Role::Button);
        buttons.map(|card| card.rect().center()).collect()
    };
    let (plain, wild) = (cards(&window, "infantry"), cards(&window, "wild card"));
    let clicks = [plain[0], plain[1], wild[0]].map(click).into_iter().flatten();
    window.long_frame(clicks);
    window.sees("Traded cards: 3");
}

#[test]
fn resigning_stands_apart_and_asks_first() {
    let mut window = Window::of_rules(&project(), "cornered");
    window
        .clicks("More tools")
        .clicks("Resign")
        .sees("Resign?")
        .clicks("Cancel")
        .no_longer_sees("Resign?");
    // A hasty Enter does not resign.
    window.clicks("More tools").clicks("Resign").sees("Resign?").settles();
    window.presses(Modifiers::NONE, Key::Enter).no_longer_sees("Resign?");
    assert!(!window.labels().contains("Blue resigned"));
    window.clicks("More tools").clicks("Resign").sees("Resign?").clicks("Resign");
    window.waits_until("the history says it", |window| window.labels().contains("Blue resigned"));
}

#[test]
fn what_is_refused_now_is_pale_and_says_why() {
    let choice = MatchChoice {
        scenario: Some("war".to_owned()),
        players: ["red", "blue", "green"].map(|seat| (seat.to_owned(), "human".to_owned())).to_vec(),
        seed: Some(2.into()),
        ..of_people("conquest")
    };
    let mut window = Window::open(&project(), StartScreen::Match(choice));
    window.waits_until("Done is offered as it is before the armies are placed", |window| {
        let done = window.harness.query_by_label("Done");
        done.is_some_and(|done| done.accesskit_node().is_disabled())
    });
    let at = place(&mut window, "Done");
    window.harness.hover_at(at);
    window.sees("There are armies to be placed. Rule 3.4");
}

#[test]
fn another_move_after_undoing_just_plays() {
    let mut window = soldiers();
    window
        .clicks("c4, red soldier")
        .clicks("c5, empty, can be chosen")
        .sees("1. Red: c4-c5");
    window.presses(Modifiers::COMMAND, Key::Z).sees("c4, red soldier, can be picked");
    window.clicks("a4, red soldier").clicks("a5, empty, can be chosen");
    window.sees("1. Red: a4-a5").settles();
    assert!(!window.shows("stays as a variation"), "{}", window.labels());
}

#[test]
fn playing_while_looking_back_tells_of_it_and_offers_to_undo() {
    let mut window = soldiers();
    window
        .clicks("c4, red soldier")
        .clicks("c5, empty, can be chosen")
        .sees("1. Red: c4-c5");
    window.clicks("One action back").clicks("a4, red soldier, can be picked");
    window
        .clicks("a5, empty, can be chosen")
        .sees("1. Red: a4-a5")
        .sees("stays as a variation");
}

#[test]
fn the_board_stays_in_sight_when_a_match_ends() {
    let mut window = Opening::new(&project(), StartScreen::Match(of_people("tic-tac-toe")))
        .sized(vec2(1000.0, 640.0))
        .open();
    let board = window.rect_of("a1, empty, can be chosen");
    for cell in ["a1", "b1", "a2", "b2", "a3"] {
        window.clicks(&format!("{cell}, empty, can be chosen"));
    }
    window.sees(" won").sees("Rematch").settles();
    let result = window.rect_of("Rematch");
    let place = |window: &mut Window| (window.rect_of("Rematch"), window.rect_of("Show the board"), window.rect_of("Seats"));
    let first = place(&mut window);
    for _ in 0..10 {
        window.settles();
    }
    assert_eq!(place(&mut window), first, "the result stays as large as it is");
    let cell = window.rect_of_containing("a1, crosses mark");
    assert_eq!(cell, board, "the board keeps its place");
    assert!(!result.intersects(cell) && result.left() > window.rect_of_containing("c3, empty").right());
}

/// The title on the card of a ruleset.
fn card_of(ruleset: &str) -> String {
    let manifest = std::fs::read_to_string(project().join(format!("rulesets/{ruleset}/ruleset.xml"))).unwrap();
    let title = manifest.split(" title=\"").nth(1).and_then(|rest| rest.split('"').next());
    title.unwrap().to_owned()
}

/// A player who counts clicks; a drag is one.
struct Counting {
    window: Window,
    clicks: usize,
}

impl Counting {
    /// In the launcher, when the rules have been read.
    fn in_launcher() -> Self {
        let mut window = Opening::new(&project(), StartScreen::Launcher).open();
        window.waits_until("rules are still read", |window| {
            window.harness.state().as_ref().is_some_and(|app| !app.is_looking())
        });
        Self { window, clicks: 0 }
    }

    fn clicks(&mut self, label: &str) {
        self.window.clicks(label);
        self.clicks += 1;
    }

    fn clicks_containing(&mut self, label: &str) {
        self.window.clicks_containing(label);
        self.clicks += 1;
    }

    fn drags(&mut self, from: &str, to: &str) {
        let from = self.window.rect_of_containing(from).center();
        let to = self.window.rect_of_containing(to).center();
        self.window.drags(from, to);
        self.clicks += 1;
    }

    /// The first action of a person in the history, by the seat that plays.
    fn has_acted(&self) -> bool {
        let app = self.window.harness.state().as_ref().unwrap();
        let mirror = app.running().unwrap().controller().mirror();
        let own = |seat| mirror.plays(seat) && mirror.is_person(seat);
        mirror.history().iter().any(|entry| entry.seat.is_some_and(own))
    }

    fn has_begun_with_two_clicks(mut self) {
        let begun = std::time::Instant::now();
        while !self.has_acted() {
            assert!(begun.elapsed().as_secs() < 60, "{}", self.window.labels());
            self.window.settles();
        }
        assert_eq!(self.clicks, 2);
        let app = self.window.harness.state().as_ref().unwrap();
        let players = app.running().unwrap().controller().mirror().players();
        assert_eq!(players.iter().filter(|player| *player == "human").count(), 1, "{players:?}");
    }
}

#[test]
fn from_the_launcher_to_the_first_move_against_a_computer_there_are_two_clicks() {
    let mut marks = Counting::in_launcher();
    marks.clicks_containing("Play Tic-Tac-Toe");
    marks.clicks("b2, empty, can be chosen");
    marks.has_begun_with_two_clicks();
    for (ruleset, from, to) in [
        ("sixteen-soldiers", "c4, red soldier", "c5, empty"),
        ("sixteen-captains", "c4, red soldier", "c5, empty"),
        ("river-crossing", "e7, Clear, red artillery", "e6, "),
        ("cornered", "blue small corner", "a1, "),
    ] {
        let mut moves = Counting::in_launcher();
        let card = card_of(ruleset);
        moves.clicks_containing(&format!("Play {card}"));
        moves.drags(from, to);
        moves.has_begun_with_two_clicks();
    }
    let mut claims = Counting::in_launcher();
    claims.clicks("Play Conquest");
    claims.clicks_containing(", empty, can be chosen");
    claims.has_begun_with_two_clicks();
}

#[test]
fn a_card_begins_a_match_as_its_game_was_played_last_and_is_chosen_by_a_click_elsewhere() {
    let mut window = Window::launcher();
    window.clicks("Computers: Easy (2)").clicks("Hard (6)");
    window.clicks("Play Sixteen Soldiers").sees("Round 1");
    window.clicks("Back to the launcher").clicks_containing("Tic-Tac-Toe, 2 seats");
    window.sees("Computers: Easy (2)").clicks("Play Sixteen Soldiers").sees("Round 1");
    let app = window.harness.state().as_ref().unwrap();
    assert_eq!(app.running().unwrap().controller().mirror().players(), ["human", "search:6"]);
    // The form is that of the game which was begun.
    window
        .clicks("Back to the launcher")
        .sees("Computers: Hard (6)")
        .sees("Capturing is compulsory");
}
