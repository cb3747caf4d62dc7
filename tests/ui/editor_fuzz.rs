//! Random clicks, keys, drags and words in the editor. Nothing may panic, and what is kept beside the file has to lead from the file as it
//! was to what was drawn, and back.
//!
//! What is done follows from a seed, as for matches: `BOARDWRIGHT_FUZZ_SEED` sets another one, and `BOARDWRIGHT_FUZZ_MINUTES` goes on with new
//! seeds for so long in each of the files.

use std::time::{Duration, Instant};

use boardwright::content::xml::Source;
use boardwright::editing::{Document, Draft};
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, Pos2, pos2};
use egui_kittest::kittest::{NodeT, Queryable};

use crate::editor::{text, with_file};
use crate::fuzz::{Luck, number};
use crate::support::{Window, own_content};

/// How many inputs a seed brings.
const INPUTS: usize = 120;

const KEYS: [(Modifiers, Key); 28] = [
    (Modifiers::NONE, Key::Enter),
    (Modifiers::NONE, Key::Escape),
    (Modifiers::NONE, Key::Escape),
    (Modifiers::NONE, Key::Tab),
    (Modifiers::NONE, Key::Delete),
    (Modifiers::NONE, Key::V),
    (Modifiers::NONE, Key::S),
    (Modifiers::NONE, Key::B),
    (Modifiers::NONE, Key::L),
    (Modifiers::NONE, Key::R),
    (Modifiers::NONE, Key::G),
    (Modifiers::NONE, Key::H),
    (Modifiers::NONE, Key::E),
    (Modifiers::NONE, Key::Q),
    (Modifiers::NONE, Key::P),
    (Modifiers::NONE, Key::OpenBracket),
    (Modifiers::NONE, Key::CloseBracket),
    (Modifiers::NONE, Key::ArrowLeft),
    (Modifiers::NONE, Key::F8),
    (Modifiers::COMMAND, Key::Z),
    (Modifiers::COMMAND, Key::Z),
    (Modifiers::COMMAND, Key::Y),
    (Modifiers::COMMAND, Key::S),
    (Modifiers::COMMAND, Key::A),
    (Modifiers::COMMAND, Key::C),
    (Modifiers::COMMAND, Key::X),
    (Modifiers::COMMAND, Key::V),
    (Modifiers::COMMAND, Key::D),
];

const WORDS: [&str; 6] = ["a", "12", "Ž", "\u{1F9ED}", "<&\"'>", "two  words"];

/// What would lead out of the file that is looked at, or throw its history away.
const AVOIDED: [&str; 6] = ["Back to", "Close", "Try it", "Match", "Quit", "without saving"];

/// The middles of what is in sight and has a name.
fn controls(window: &Window) -> Vec<Pos2> {
    let whole = window.harness.ctx.content_rect();
    let nodes = window.harness.query_all_by_label_contains("");
    let places = nodes.filter_map(|node| {
        let (role, label) = (node.accesskit_node().role(), node.accesskit_node().label()?);
        let is_avoided = role == Role::Window || AVOIDED.iter().any(|avoided| label.contains(avoided));
        // What only has a name has no place.
        node.accesskit_node().raw_bounds()?;
        let middle = node.rect().center();
        (!is_avoided && whole.contains(middle)).then_some(middle)
    });
    places.collect()
}

fn does_something(window: &mut Window, luck: &mut Luck) {
    let size = window.harness.ctx.content_rect().size();
    // The board: what is around it is clicked by its names.
    let mut on_board = || pos2((0.25 + luck.share() * 0.5) * size.x, (0.15 + luck.share() * 0.75) * size.y);
    let (from, to) = (on_board(), on_board());
    match luck.below(100) {
        0..40 => {
            if let Some(at) = luck.one_of(&controls(window)) {
                window.clicks_place(at, Modifiers::NONE);
            }
        }
        40..60 => {
            window.drags(from, to);
        }
        60..70 => {
            let modifiers = luck.one_of(&[Modifiers::NONE, Modifiers::SHIFT, Modifiers::COMMAND]);
            window.clicks_place(from, modifiers.unwrap_or_default());
        }
        70..92 => {
            if let Some((modifiers, key)) = luck.one_of(&KEYS) {
                window.presses(modifiers, key);
            }
        }
        _ => {
            if let Some(word) = luck.one_of(&WORDS) {
                window.harness.event(Event::Text(word.to_owned()));
                window.harness.step();
            }
        }
    }
}

fn read(text: &str) -> Draft {
    Draft::read(&Source::new("the file", text)).unwrap()
}

/// Draws with one seed; gives how many steps were made.
fn draws(file: &str, seed: u64) -> usize {
    let content = own_content();
    let before = read(&text(content.path(), file));
    let mut window = with_file(content.path(), file);
    let mut luck = Luck::new(seed);
    for _ in 0..INPUTS {
        does_something(&mut window, &mut luck);
    }
    // The program ends without saving.
    drop(window);
    read(&text(content.path(), file));
    let mut document = Document::open(&content.path().join(file)).unwrap().document;
    let (drawn, made) = (document.draft().clone(), document.position());
    document.go_to(0);
    assert_eq!(document.draft(), &before, "{file}, seed {seed}: all undone");
    document.go_to(made);
    assert_eq!(document.draft(), &drawn, "{file}, seed {seed}: all made again");
    document.save().unwrap();
    // Without its history, only what is in the files is left.
    document.discard();
    let saved = Document::open(&content.path().join(file)).unwrap().document;
    assert_eq!(saved.draft(), &drawn, "{file}, seed {seed}: what was saved");
    made
}

fn fuzzes(file: &str) {
    let mut seed = number("BOARDWRIGHT_FUZZ_SEED").unwrap_or(1);
    let until = Instant::now() + Duration::from_secs(60 * number("BOARDWRIGHT_FUZZ_MINUTES").unwrap_or(0));
    let mut made = draws(file, seed);
    while Instant::now() < until {
        seed += 1;
        made += draws(file, seed);
    }
    assert!(made > 0, "nothing was drawn");
}

#[test]
fn nothing_anybody_does_breaks_a_map_of_hexes() {
    fuzzes("maps/river-crossing/valley.map.xml");
}

#[test]
fn nothing_anybody_does_breaks_a_map_of_squares() {
    fuzzes("maps/cornered/small.map.xml");
}

#[test]
fn nothing_anybody_does_breaks_a_map_of_points() {
    fuzzes("maps/sixteen-soldiers/board.map.xml");
}

#[test]
fn nothing_anybody_does_breaks_a_scenario() {
    fuzzes("maps/river-crossing/standard.scenario.xml");
}

#[test]
fn nothing_anybody_does_breaks_a_map_of_areas() {
    fuzzes("maps/conquest/world.map.xml");
}
