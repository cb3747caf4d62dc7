//! What is remembered when the program is started again.

use boardwright::ui::{Language, Motion, StartScreen};
use egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::kittest::Queryable;

use crate::support::{Opening, Store, Window, of_people, project};

fn opened_after(store: Store) -> Window {
    Opening::new(&project(), StartScreen::Match(of_people("tic-tac-toe")))
        .after(store)
        .open()
}

/// The edge of a panel that is farthest to one side, where it is dragged.
fn edge(window: &Window, farther: fn(f32, f32) -> f32) -> Pos2 {
    let edges = window.harness.query_all_by_label("Resize panel").map(|edge| edge.rect().center());
    let upright = edges.filter(|edge| (edge.y - window.harness.ctx.content_rect().center().y).abs() < 200.0);
    upright
        .reduce(|a, b| if (farther(a.x, b.x) - a.x).abs() < 0.5 { a } else { b })
        .unwrap()
}

#[test]
fn settings_are_as_they_were() {
    let mut window = opened_after(Store::default());
    window.sees("a1, empty, can be chosen").clicks("Settings");
    window
        .clicks("Player colours: Colour-blind safe")
        .clicks("Patterns too")
        .clicks("Animation: Fast")
        .clicks("Larger text")
        .clicks("Language: Čeština")
        .clicks("Hotovo");
    let mut again = opened_after(window.closes());
    again.sees("a1, prázdné, lze zvolit");
    let settings = again.harness.state().as_ref().unwrap().settings;
    assert_eq!((settings.language, settings.motion), (Some(Language::Czech), Motion::Fast));
    assert_eq!((settings.text_size.percent(), settings.seats.has_patterns), (110, true));
}

#[test]
fn panels_are_as_wide_as_they_were_and_the_tools_panel_is_as_open() {
    let mut window = opened_after(Store::default());
    window.sees("a1, empty, can be chosen");
    let side = edge(&window, f32::max);
    let grip = side + vec2(3.0, 0.0);
    window.drags(grip, grip - vec2(80.0, 0.0)).settles();
    window.presses(Modifiers::NONE, Key::F1).sees("Search the rules").settles();
    let book = edge(&window, f32::min);
    let grip = book - vec2(3.0, 0.0);
    window.drags(grip, grip + vec2(50.0, 0.0)).settles();
    let panels = |window: &mut Window| {
        let board = window.rect_of_containing("Board: ");
        (board.left(), board.right())
    };
    let dragged = panels(&mut window);
    assert!(
        dragged.1 < side.x - 60.0 && dragged.0 > book.x + 35.0,
        "{dragged:?} from {book} and {side}"
    );
    let mut again = opened_after(window.closes());
    again.sees("Search the rules").sees("a1, empty, can be chosen");
    let now = panels(&mut again);
    assert!(
        (now.0 - dragged.0).abs() < 1.5 && (now.1 - dragged.1).abs() < 1.5,
        "{dragged:?} {now:?}"
    );
}

#[test]
fn what_was_begun_lately_is_offered_again() {
    let mut window = opened_after(Store::default());
    window.sees("a1, empty, can be chosen");
    let store = window.closes();
    let mut launcher = Opening::new(&project(), StartScreen::Launcher).after(store).open();
    launcher.clicks_containing("Tic-Tac-Toe: ").sees("a1, empty, can be chosen");
}
