//! Rated matches: what is refused in them and why, and that a save keeps them rated.

use std::path::{Path, PathBuf};

use boardwright::client::Connection;
use boardwright::client::MatchChoice;
use boardwright::content::Catalog;
use boardwright::local::LocalMatch;
use boardwright::model::RefusalCode;
use boardwright::model::SeatId;
use boardwright::protocol::{Command, Reply};

use crate::command_line::{plays, run, run_in};
use crate::common::root;

/// A war of people.
pub(crate) fn begun(is_rated: bool) -> (LocalMatch, Connection) {
    let catalog = Catalog::scan(&[root()]);
    let mut choice = MatchChoice {
        ruleset: "conquest".to_owned(),
        scenario: Some("war".to_owned()),
        players: ["red", "blue", "green"].map(|seat| (seat.to_owned(), "human".to_owned())).into(),
        ..MatchChoice::default()
    };
    choice.play_by(is_rated, false);
    let playing = LocalMatch::begin(&catalog, &choice).unwrap_or_else(|error| panic!("{error}"));
    let mut client = Connection::open(Box::new(playing.connect(None))).unwrap();
    client.settle().unwrap();
    (playing, client)
}

/// Everything that changes a match past its rules, or helps.
fn refused_when_rated() -> Vec<(Command, &'static str)> {
    let standard = || "standard".to_owned();
    vec![
        (Command::Undo, "this match has no undo"),
        (Command::GoTo { position: 1 }, "this match does not go back freely"),
        (
            Command::Edit {
                text: "set Alaska.armies = 9".to_owned(),
            },
            "this match cannot be edited",
        ),
        (
            Command::Save {
                file: Some("/dev/null/x".to_owned()),
                overwrite: false,
            },
            "this match is rated: it can be saved when it has ended",
        ),
        (Command::Reload, "the rules of this match cannot be changed"),
        (
            Command::Watch { watched: true },
            "nobody may watch computer players think in this match",
        ),
        (
            Command::Watches { expressions: Vec::new() },
            "nobody may debug strategies in this match",
        ),
        (
            Command::Hint {
                player: None,
                milliseconds: None,
            },
            "this match is rated: nobody helps",
        ),
        (Command::Evaluate { strategy: standard() }, "this match is rated: nobody helps"),
        (
            Command::EvaluateCells {
                strategy: standard(),
                seat: SeatId(0),
            },
            "this match is rated: nobody helps",
        ),
        (
            Command::Assign {
                seat: SeatId(0),
                player: standard(),
            },
            "this match is rated: its players stay where they are",
        ),
        (
            Command::Swap {
                a: SeatId(0),
                b: SeatId(1),
            },
            "this match is rated: its players stay where they are",
        ),
    ]
}

#[test]
fn a_rated_match_refuses_what_changes_it_past_its_rules_and_says_why() {
    let (_playing, mut client) = begun(true);
    let Reply::Description(description) = client.ask(Command::Describe).unwrap() else {
        panic!("no description")
    };
    assert!(description.rated);
    let Reply::Legal { actions, at, .. } = client.ask(Command::Legal { seat: None }).unwrap() else {
        panic!("no legal actions")
    };
    let action = actions[0].action.clone();
    let submit = Command::Submit { action, at };
    assert!(matches!(client.ask(submit).unwrap(), Reply::Done { .. }));
    let before = (client.mirror().at(), client.mirror().players().to_vec());
    for (command, why) in refused_when_rated() {
        let said = format!("{command:?}");
        match client.ask(command).unwrap() {
            Reply::Refused(refusal) => assert_eq!((refusal.code, &*refusal.reason), (RefusalCode::Policy, why), "{said}"),
            other => panic!("{said}: {other:?}"),
        }
    }
    client.settle().unwrap();
    assert_eq!((client.mirror().at(), client.mirror().players().to_vec()), before);
    // What is part of playing goes on.
    assert!(matches!(client.ask(Command::Pause { paused: true }).unwrap(), Reply::Done { .. }));
}

#[test]
fn in_a_match_that_is_not_rated_the_same_is_done() {
    for (command, _) in refused_when_rated()
        .into_iter()
        .filter(|(command, _)| !matches!(command, Command::Undo))
    {
        let (_playing, mut client) = begun(false);
        let said = format!("{command:?}");
        let reply = client.ask(command).unwrap();
        assert!(!matches!(reply, Reply::Refused(_)), "{said}: {reply:?}");
    }
}

/// The autosave of a rated match that was played so far: it cannot be saved otherwise before its end.
fn kept_of_rated(folder: &Path, actions: &[&str]) -> PathBuf {
    let copy = folder.join("rated.save.xml");
    let mut choice = MatchChoice {
        ruleset: "tic-tac-toe".to_owned(),
        autosave: Some(copy.clone()),
        ..MatchChoice::default()
    };
    choice.play_by(true, false);
    let playing = LocalMatch::begin(&Catalog::scan(&[root()]), &choice).unwrap_or_else(|error| panic!("{error}"));
    let mut client = Connection::open(Box::new(playing.connect(None))).unwrap();
    for text in actions {
        let play = Command::Play {
            text: (*text).to_owned(),
            seat: None,
            at: None,
        };
        assert!(matches!(client.ask(play).unwrap(), Reply::Done { .. }));
    }
    drop(client);
    playing.session().wait();
    copy
}

#[test]
fn a_rated_match_is_saved_when_it_has_ended_and_not_before() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rated.save.xml");
    let save = format!("save {}", file.display());
    plays(&["tic-tac-toe", "--rated"], &["a1", &save])
        .with(0)
        .says("Not possible: this match is rated: it can be saved when it has ended.");
    assert!(!file.exists());
    plays(&["tic-tac-toe", "--rated"], &["a1", "a2", "b1", "b2", "c1", &save]).with(0);
    run(&["verify", file.to_str().unwrap()]).with(0);
}

#[test]
fn a_rated_match_says_so_and_stays_rated_when_it_is_saved_and_taken_up() {
    let folder = tempfile::tempdir().unwrap();
    let file = kept_of_rated(folder.path(), &["a1"]);
    let file = file.to_str().unwrap();
    plays(&["tic-tac-toe", "--rated"], &["a1", "undo", "edit set match.x = 1"])
        .with(0)
        .says("This match is rated")
        .says("Not possible: this match has no undo.")
        .says("Not possible: this match cannot be edited.");
    plays(&["--load", file], &["undo"])
        .with(0)
        .says("This match is rated")
        .says("Not possible: this match has no undo.");
    run(&["play", "--text", "--load", file, "--rated"]).with(2);
    run(&["engine", "tic-tac-toe", "--rated", "--watch"]).with(2);
}

#[test]
fn what_is_kept_of_a_rated_match_is_not_shown_before_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let file = kept_of_rated(folder.path(), &["a1"]);
    let file = file.to_str().unwrap();
    for arguments in [&[][..], &["--to", "1"], &["--to", "1", "--play"], &["--window"]] {
        run(&[&["replay", file], arguments].concat())
            .with(1)
            .complains("this match is rated and not over");
    }
    plays(&["--load", file], &["b2"]).with(0).says("Noughts mark b2");
}

#[test]
fn a_rated_match_that_has_ended_is_looked_back_at_and_stays_as_it_is() {
    let won = ["a1", "a2", "b1", "b2", "c1"];
    let lines = [&won[..], &["go 2", "c3", "branch", "go 5", "history"]].concat();
    let ended = plays(&["tic-tac-toe", "--rated"], &lines).with(0);
    assert_eq!(ended.out.matches("Not possible: the match is over.").count(), 2, "{}", ended.out);
    ended.says("   5  Crosses mark c1\n");
    plays(&["tic-tac-toe", "--rated"], &["a1", "a2", "go 1"])
        .with(0)
        .says("Not possible: this match does not go back freely.");
}

#[test]
fn a_match_is_played_on_from_any_of_its_actions_and_its_file_stays() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rated.save.xml");
    let file = file.to_str().unwrap();
    let lines = ["a1", "a2", "b1", "b2", "c1"];
    plays(&["tic-tac-toe", "--rated"], &[&lines[..], &[&format!("save {file}")]].concat()).with(0);
    let before = std::fs::read(file).unwrap();
    let from = |arguments: &[&str], lines: &str| run_in(&root(), &[&["replay", file], arguments].concat(), lines);
    let ended = from(&["--to", "2", "--play"], "a3\nundo\nhistory\n").with(0);
    let ended = ended
        .says("Crosses to move")
        .says("   1  Crosses mark a1\n   2  Noughts mark a2\n   3  Crosses mark a3  (undone)\n");
    assert!(!ended.out.contains("rated"), "what is played on is another match: {}", ended.out);
    let ended = from(&["--to", "1", "--play", "--seat", "noughts=random"], "history\n").with(0);
    ended.says("Noughts random");
    from(&["--to", "9", "--play"], "")
        .with(2)
        .complains("the match has 5 actions, not 9");
    from(&["--play"], "").with(2);
    // A rated match that has ended is looked at like any other.
    from(&[], "\n\n").with(0).says("Action 2 of 5");
    assert_eq!(std::fs::read(file).unwrap(), before);
}
