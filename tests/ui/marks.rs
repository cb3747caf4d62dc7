//! What the board marks by itself: the newest action of everyone, and counts that can be read.

use boardwright::client::MatchChoice;
use boardwright::ui::StartScreen;
use boardwright::ui::board::Geometry;
use egui::{Key, Modifiers};

use crate::support::{Opening, Window, of_people, project};

#[test]
fn the_newest_piece_of_every_colour_is_marked() {
    let players = [("blue", "human"), ("yellow", "greedy"), ("red", "greedy"), ("green", "greedy")];
    let choice = MatchChoice {
        players: players.map(|(seat, player)| (seat.to_owned(), player.to_owned())).to_vec(),
        ..of_people("cornered")
    };
    let mut window = Opening::new(&project(), StartScreen::Match(choice)).open();
    window.sees("a1, ").clicks("blue three in a row").sees("Mirror");
    window.clicks_containing("a1, ");
    window.harness.step();
    if !window.shows("1. Blue: ") {
        window.presses(Modifiers::NONE, Key::Enter);
    }
    window.sees("4. Green: ").sees("Which piece?");
    let marked = |colour: &str| {
        let labels = window.labels();
        let of_colour = |label: &&str| label.contains(&format!(", {colour} ")) && label.contains("last action");
        labels.lines().filter(of_colour).count()
    };
    // All squares of a piece are marked; the first pieces of a beginner are large. One's own are older.
    assert_eq!([marked("yellow"), marked("red"), marked("green"), marked("blue")], [5, 5, 5, 0]);
}

#[test]
fn armies_are_shown_in_one_size_and_none_lies_on_another() {
    let mut window = Window::of_rules(&project(), "conquest");
    window.sees("Alaska, ");
    let app = window.harness.state().as_ref().unwrap();
    let board = app.running().unwrap().controller().state().unwrap().board().clone();
    let geometry = Geometry::of(&board);
    let areas: Vec<_> = geometry.cells.iter().filter(|shape| !shape.is_point()).collect();
    // What a piece takes of its room.
    let radius = |room: f32| room * 0.8;
    for (index, one) in areas.iter().enumerate() {
        for other in &areas[index + 1..] {
            let between = one.middle.distance(other.middle);
            assert!(radius(one.room) + radius(other.room) <= between, "{one:?} {other:?}");
            assert!(
                radius(one.most_room) + radius(other.most_room) <= between * 1.01,
                "{one:?} {other:?}"
            );
        }
    }
    let largest = areas.iter().map(|shape| shape.room).fold(0.0, f32::max);
    let as_large = areas.iter().filter(|shape| shape.room > largest * 0.99).count();
    assert!(as_large * 10 >= areas.len() * 8, "{as_large} of {}", areas.len());
}
