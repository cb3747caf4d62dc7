//! The automatic copy of a running match.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use boardwright::client::Connection;
use boardwright::client::MatchChoice;
use boardwright::content::{Catalog, SaveSummary};
use boardwright::local::{LocalMatch, SavedMatch, autosave_file, interrupted_autosaves, is_running};
use boardwright::protocol::{Command, Reply};

use crate::common::root;

/// How long a copy may take before a test fails.
const PATIENCE: Duration = Duration::from_secs(20);

fn catalog() -> Catalog {
    Catalog::scan(&[root()])
}

/// A match of two people with a copy in a folder.
fn begin(saves: &Path) -> (Connection, PathBuf) {
    let copy = autosave_file(saves, "tic-tac-toe", "standard");
    let choice = MatchChoice {
        ruleset: "tic-tac-toe".to_owned(),
        autosave: Some(copy.clone()),
        ..MatchChoice::default()
    };
    let begun = LocalMatch::begin(&catalog(), &choice).unwrap();
    (Connection::open(Box::new(begun.connect(None))).unwrap(), copy)
}

fn plays(connection: &mut Connection, square: &str) {
    let reply = connection.ask(Command::Play {
        text: square.to_owned(),
        seat: None,
        at: None,
    });
    assert!(matches!(reply, Ok(Reply::Done { .. })), "{reply:?}");
}

fn waits_until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn summary(copy: &Path) -> Option<SaveSummary> {
    SaveSummary::open(copy, "copy").ok()
}

#[test]
fn each_action_is_in_the_copy_without_anyone_saving() {
    let saves = tempfile::tempdir().unwrap();
    let (mut connection, copy) = begin(saves.path());
    assert!(!copy.exists(), "nothing has been played, so there is nothing to keep");
    for (played, square) in ["a1", "b2", "c3"].into_iter().enumerate() {
        plays(&mut connection, square);
        waits_until("the action is not in the copy", || {
            summary(&copy).is_some_and(|summary| summary.actions == played + 1)
        });
    }
    connection.ask(Command::Undo).unwrap();
    waits_until("what was taken back is not in the copy", || {
        summary(&copy).is_some_and(|summary| (summary.actions, summary.later) == (2, 1))
    });
    let seat = boardwright::model::SeatId(1);
    let player = "search:2".to_owned();
    connection.ask(Command::Assign { seat, player }).unwrap();
    waits_until("who plays is not in the copy", || {
        summary(&copy).is_some_and(|summary| summary.players[1].1 == "search:2")
    });
    let opened = SavedMatch::open(&copy).unwrap_or_else(|found| panic!("{}", found.render()));
    opened.verify().unwrap();
}

#[test]
fn a_match_that_ends_well_leaves_a_whole_copy_and_no_lock() {
    let saves = tempfile::tempdir().unwrap();
    let (mut connection, copy) = begin(saves.path());
    for square in ["a1", "b1", "a2", "b2", "a3"] {
        plays(&mut connection, square);
    }
    waits_until("the copy is not locked", || is_running(&copy));
    assert_eq!(interrupted_autosaves(saves.path()), [] as [PathBuf; 0]);
    drop(connection);
    waits_until("the lock is still there", || !is_running(&copy));
    let summary = summary(&copy).unwrap();
    assert_eq!((summary.actions, summary.is_finished), (5, true));
    assert_eq!(interrupted_autosaves(saves.path()), [] as [PathBuf; 0]);
}

#[test]
fn a_copy_that_was_cut_off_is_taken_up_and_kept_on_in_the_same_file() {
    let saves = tempfile::tempdir().unwrap();
    let (mut connection, copy) = begin(saves.path());
    plays(&mut connection, "a1");
    drop(connection);
    waits_until("the copy is not written", || copy.exists() && !is_running(&copy));
    // As a killed program leaves it: a lock file that nobody holds.
    fs::write(format!("{}.running", copy.display()), "").unwrap();
    assert_eq!(interrupted_autosaves(saves.path()), std::slice::from_ref(&copy));

    let saved = SavedMatch::open(&copy).unwrap_or_else(|found| panic!("{}", found.render()));
    let choice = MatchChoice {
        autosave: Some(copy.clone()),
        ..MatchChoice::default()
    };
    let taken_up = LocalMatch::resume(&catalog(), saved, &choice).unwrap();
    let mut connection = Connection::open(Box::new(taken_up.connect(None))).unwrap();
    plays(&mut connection, "b2");
    waits_until("the action is not in the copy", || {
        summary(&copy).is_some_and(|summary| summary.actions == 2)
    });
    assert_eq!(interrupted_autosaves(saves.path()), [] as [PathBuf; 0], "it is running");
}

#[test]
fn a_copy_that_cannot_be_written_is_told_once_and_the_match_goes_on() {
    let saves = tempfile::tempdir().unwrap();
    // A file where the folder of copies would be.
    fs::write(saves.path().join("automatic"), "").unwrap();
    let copy = saves.path().join("automatic/x.save.xml");
    let choice = MatchChoice {
        ruleset: "tic-tac-toe".to_owned(),
        autosave: Some(copy),
        ..MatchChoice::default()
    };
    let begun = LocalMatch::begin(&catalog(), &choice).unwrap();
    let mut connection = Connection::open(Box::new(begun.connect(None))).unwrap();
    plays(&mut connection, "a1");
    plays(&mut connection, "b2");
    connection.ask(Command::Problems).unwrap();
    let mut told = Vec::new();
    while let Ok(Some(message)) = connection.poll(Some(Duration::from_millis(50))) {
        told.push(format!("{message:?}"));
    }
    let complaints = told.iter().filter(|text| text.contains("no automatic copy")).count();
    assert_eq!(complaints, 1, "{told:#?}");
}

#[test]
fn a_copy_that_could_not_be_begun_is_begun_at_a_later_action() {
    let saves = tempfile::tempdir().unwrap();
    let in_the_way = saves.path().join("automatic");
    fs::write(&in_the_way, "").unwrap();
    let copy = in_the_way.join("x.save.xml");
    let choice = MatchChoice {
        ruleset: "tic-tac-toe".to_owned(),
        autosave: Some(copy.clone()),
        ..MatchChoice::default()
    };
    let begun = LocalMatch::begin(&catalog(), &choice).unwrap();
    let mut connection = Connection::open(Box::new(begun.connect(None))).unwrap();
    plays(&mut connection, "a1");
    fs::remove_file(&in_the_way).unwrap();
    plays(&mut connection, "b2");
    waits_until("the match is not kept", || {
        summary(&copy).is_some_and(|summary| summary.actions == 2)
    });
}
