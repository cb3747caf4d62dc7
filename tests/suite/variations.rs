//! Lines of play that were left stay in the journal as variations.

use std::sync::Arc;

use crate::common::Bundled;
use boardwright::content::LogEntry;
use boardwright::host::{Event, Journal, Match, Variation, verify};
use boardwright::model::Policy;
use boardwright::rules::{RulesSource, read_action};

fn begun() -> (Bundled, Match) {
    let bundled = Bundled::read("tic-tac-toe", "standard");
    let playing = Match::begin(bundled.source.clone(), bundled.setup(), 1, Policy::default()).unwrap();
    (bundled, playing)
}

/// Goes to where some actions have been done and plays others from there.
fn play(one: &mut Match, after: usize, actions: &str) {
    one.go_to(after + 1).unwrap();
    for text in actions.split(' ') {
        let state = Arc::clone(one.state());
        let seat = state.acting().first().unwrap();
        let action = read_action(one.rules(), &state, seat, text).unwrap();
        one.submit(&action, one.journal().position()).unwrap();
    }
}

fn text(events: &[Arc<Event>]) -> String {
    let words: Vec<_> = events.iter().filter_map(|event| event.notation.split(' ').next_back()).collect();
    words.join(" ")
}

/// Variations as chess programs write them: `2: b2 c3 (3: a3)`.
fn tree(variations: &[Variation]) -> String {
    let one = |variation: &Variation| {
        let inner = tree(&variation.variations);
        let inner = if inner.is_empty() { inner } else { format!(" ({inner})") };
        format!("{}: {}{inner}", variation.at - 1, text(&variation.events))
    };
    variations.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn line(one: &Match) -> String {
    text(&one.journal().events()[1..])
}

#[test]
fn another_action_after_undo_keeps_the_line_that_was_left() {
    let (bundled, mut one) = begun();
    play(&mut one, 0, "a1 b1 c1");
    play(&mut one, 1, "b2 c2");
    assert_eq!(
        (line(&one).as_str(), tree(one.journal().variations()).as_str()),
        ("a1 b2 c2", "1: b1 c1")
    );
    play(&mut one, 2, "c3");
    play(&mut one, 0, "b3");
    assert_eq!(line(&one), "b3");
    assert_eq!(tree(one.journal().variations()), "0: a1 b2 c3 (1: b1 c1; 2: c2)");
    let verified = verify(
        bundled.setup(),
        one.journal(),
        &[bundled.source.clone() as Arc<dyn RulesSource>],
        Some(one.seed()),
    )
    .unwrap();
    assert_eq!((verified.repeated, verified.applied), (8, 0));
}

#[test]
fn a_variation_leaves_the_line_where_it_differs() {
    let (_, mut one) = begun();
    play(&mut one, 0, "a1 b1 c1 a2");
    play(&mut one, 2, "c2");
    play(&mut one, 0, "a1 b1 c1");
    // The line that was left is walked again as far as it goes.
    assert_eq!(
        (line(&one).as_str(), tree(one.journal().variations()).as_str()),
        ("a1 b1 c1", "2: c2; 3: a2")
    );
    play(&mut one, 3, "a2");
    assert_eq!(
        (line(&one).as_str(), tree(one.journal().variations()).as_str()),
        ("a1 b1 c1 a2", "2: c2")
    );
}

#[test]
fn a_variation_takes_the_place_of_the_line_and_back() {
    let (_, mut one) = begun();
    play(&mut one, 0, "a1 b1 c1");
    let left = one.state().digest();
    play(&mut one, 1, "b2 c2 a3");
    play(&mut one, 2, "c3");
    let (here, before) = (one.state().digest(), one.journal().clone());
    one.promote_variation(0).unwrap();
    assert_eq!(
        (line(&one).as_str(), one.state().digest(), one.journal().later()),
        ("a1 b1 c1", left, 0)
    );
    assert_eq!(tree(one.journal().variations()), "1: b2 c3 (2: c2 a3)");
    one.promote_variation(0).unwrap();
    assert_eq!((line(&one).as_str(), one.state().digest()), ("a1 b2 c3", here));
    assert_eq!(one.journal().variations().len(), before.variations().len());
    one.delete_variation(0).unwrap();
    assert!(one.delete_variation(1).is_err());
    assert!(one.promote_variation(7).is_err());
    assert_eq!((line(&one).as_str(), one.journal().variations().len()), ("a1 b2 c3", 1));
}

#[test]
fn the_log_beside_an_autosave_leads_to_the_same_variations() {
    let (_, mut one) = begun();
    let mut before = Journal::default();
    let mut follows = |one: &Match| {
        let entry = LogEntry::between(1, &before, one.journal());
        assert_eq!(entry.apply(&before), *one.journal());
        before = one.journal().clone();
        entry.variations.is_none()
    };
    for (after, actions) in [
        (0, "a1 b1 c1"),
        (1, "b2 c2 a3"),
        (2, "c3"),
        (0, "a1 b2"),
        (0, "b3"),
        (0, "a1 b2 c2 a3"),
    ] {
        one.go_to(after + 1).unwrap();
        assert!(follows(&one));
        for action in actions.split(' ').enumerate().map(|(index, action)| (after + index, action)) {
            play(&mut one, action.0, action.1);
            assert!(follows(&one), "{}", tree(one.journal().variations()));
        }
    }
    one.promote_variation(0).unwrap();
    follows(&one);
    one.delete_variation(0).unwrap();
    assert!(!follows(&one));
}

#[test]
fn only_the_newest_hundred_variations_are_kept() {
    let (_, mut one) = begun();
    let cells = ["a1", "b1", "c1", "a2", "b2", "c2", "a3"];
    for first in cells {
        for second in cells.into_iter().filter(|cell| *cell != first) {
            for third in cells.into_iter().filter(|cell| ![first, second].contains(cell)) {
                play(&mut one, 0, &format!("{first} {second} {third}"));
            }
        }
    }
    let kept = tree(one.journal().variations());
    let count = kept.matches(':').count();
    assert!((70..=100).contains(&count), "{count}: {kept}");
    assert!(!kept.contains("0: a1 b1"), "{kept}");
    assert_eq!(line(&one), "a3 c2 b2");
}
