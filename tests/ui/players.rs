//! Computer players at the board: who plays a seat is changed at any time, what they think is shown, and the window never waits for them.
use boardwright::client::MatchChoice;
use boardwright::content::Catalog;
use boardwright::local::LocalMatch;
use boardwright::ui::StartScreen;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;

use crate::support::{Opening, Window, of_people, project};

fn with_players(ruleset: &str, players: &[(&str, &str)]) -> MatchChoice {
    let player = |(seat, player): &(&str, &str)| ((*seat).to_owned(), (*player).to_owned());
    MatchChoice {
        players: players.iter().map(player).collect(),
        ..of_people(ruleset)
    }
}

fn opened(choice: MatchChoice) -> Window {
    Opening::new(&project(), StartScreen::Match(choice)).open()
}

/// Who plays, as the host has told.
fn players(window: &Window) -> Vec<String> {
    let app = window.harness.state().as_ref().unwrap();
    app.running().unwrap().controller().mirror().players().to_vec()
}

#[test]
fn two_seats_change_places_while_the_match_runs() {
    let mut window = opened(with_players("sixteen-soldiers", &[("red", "human"), ("blue", "random")]));
    window.sees("c4, red soldier, can be picked").clicks("Swap seats").sees("1. Red: ");
    window.sees("blue soldier, can be picked");
    assert_eq!(players(&window), ["random", "human"]);
}

#[test]
fn any_two_of_several_seats_change_places() {
    let seats = [("red", "human"), ("blue", "greedy"), ("green", "human")];
    let mut window = opened(with_players("conquest", &seats));
    window.sees("Round 1").clicks("Swap Green with").settles();
    window.harness.get_by_role_and_label(egui::Role::Button, "Blue").click();
    window.waits_until("the seats are swapped", |window| players(window) == ["human", "human", "greedy"]);
}

#[test]
fn a_strategy_of_the_ruleset_takes_a_seat_while_the_match_runs() {
    let seats = [("red", "human"), ("blue", "human"), ("green", "human")];
    let mut window = opened(with_players("conquest", &seats));
    window.sees("Round 1").clicks("Player of Blue").clicks("Computer: marshal");
    window.waits_until("the strategy plays", |window| players(window)[1] == "marshal");
}

#[test]
fn the_level_of_a_computer_is_changed_while_the_match_runs() {
    let mut window = opened(with_players("sixteen-soldiers", &[("red", "human"), ("blue", "search:2")]));
    window.sees("c4, red soldier, can be picked");
    window.clicks("Level of Blue").clicks("Medium (4)");
    window.waits_until("the level is higher", |window| players(window)[1] == "search:4");
}

#[test]
fn thinking_is_shown_and_stopped_at_once_by_a_button_and_by_taking_back() {
    let mut window = opened(with_players("sixteen-soldiers", &[("red", "human"), ("blue", "search:9")]));
    window.clicks("c4, red soldier, can be picked").clicks("c5, empty, can be chosen");
    window.sees("Thinking, ").sees("likely to win");
    window.clicks("Undo").sees("Looking back: 0 of 1").no_longer_sees("Thinking, ");
    window.sees("c4, red soldier, can be picked");
    window.clicks("Redo").sees("Stop").clicks("Stop").sees("2. Blue: ");
}

#[test]
fn a_hint_is_shown_on_the_board_and_goes_with_the_next_action() {
    let mut window = Window::of_rules(&project(), "tic-tac-toe");
    window.sees("a1, empty, can be chosen").presses(Modifiers::NONE, Key::H);
    window
        .sees(", hint")
        .clicks_containing(", hint")
        .presses(Modifiers::NONE, Key::Enter);
    window.sees("1. Crosses: mark ").no_longer_sees(", hint");
}

#[test]
fn the_window_goes_on_drawing_and_answering_while_computers_think_on_every_core() {
    const FRAMES: usize = 240;
    let thinking = with_players("sixteen-soldiers", &[("red", "mcts:9"), ("blue", "mcts:9")]);
    let catalog = Catalog::scan(&[project()]);
    let cores = std::thread::available_parallelism().unwrap().get();
    let _others: Vec<LocalMatch> = (0..cores).map(|_| LocalMatch::begin(&catalog, &thinking).unwrap()).collect();
    let mut window = opened(with_players("sixteen-soldiers", &[("red", "mcts:9"), ("blue", "human")]));
    window.sees("Thinking").sees("c5, empty").settles();
    let board = window.rect_of_containing("Board: ");
    for frame in 0..FRAMES {
        // The pointer goes over the board, as that of somebody who waits for the computer does.
        let share = frame as f32 / FRAMES as f32;
        window.harness.hover_at(board.lerp_inside(egui::vec2(share, (share * 7.0).fract())));
        window.harness.step();
    }
    window.presses(Modifiers::NONE, Key::F1).sees("Search");
}
