//! The tutorials of rulesets: each is played to its end, and what cannot be played is told.

use std::fs;

use boardwright::client::Connection;
use boardwright::client::content::TutorialTaskKind;
use boardwright::content::Catalog;
use boardwright::local::{LocalMatch, check_tutorial, tutorial, untranslated};
use boardwright::protocol::{Command, Reply};

use crate::common::catalog;

/// A content folder with one ruleset alone.
fn content_copy(ruleset: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for kind in ["rulesets", "maps"] {
        let (from, to) = (
            crate::common::root().join(kind).join(ruleset),
            folder.path().join(kind).join(ruleset),
        );
        fs::create_dir_all(&to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
            }
        }
    }
    folder
}

#[test]
fn each_tutorial_can_be_played_to_its_end_and_is_translated() {
    let catalog = catalog();
    let with_tutorial: Vec<&String> = catalog
        .rulesets
        .iter()
        .filter_map(|(id, entry)| entry.tutorial.as_ref().map(|_| id))
        .collect();
    assert_eq!(
        with_tutorial,
        [
            "conquest",
            "cornered",
            "eight-kingdoms",
            "river-crossing",
            "sixteen-captains",
            "sixteen-soldiers",
            "tic-tac-toe",
            "trajectory"
        ]
    );
    for id in with_tutorial {
        let (choice, tutorial) = tutorial(&catalog, id).unwrap_or_else(|found| panic!("{id}: {found}"));
        assert!((5..=10).contains(&tutorial.steps.len()), "{id}");
        assert!(choice.players.iter().all(|(_, player)| player == "human"), "{id}");
        let file = format!("rulesets/{id}/tutorial.xml");
        let missing = untranslated(&catalog, id, "cs");
        let missing: Vec<_> = missing.iter().filter(|one| one.file().ends_with(&file)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}

/// What the window does, without a window: the match of the tutorial goes the same way as it did when its actions were tried.
#[test]
fn each_tutorial_is_played_in_its_match_as_it_was_tried() {
    let catalog = catalog();
    for (id, _) in catalog.rulesets.iter().filter(|(_, entry)| entry.tutorial.is_some()) {
        let (choice, tutorial) = tutorial(&catalog, id).unwrap();
        let begun = LocalMatch::begin(&catalog, &choice).unwrap();
        let mut connection = Connection::open(Box::new(begun.connect(None))).unwrap();
        connection.settle().unwrap();
        for task in tutorial.steps.iter().flat_map(|step| &step.tasks) {
            let at = connection.mirror().at();
            let command = match &task.kind {
                TutorialTaskKind::Edit(text) => Command::Edit { text: text.clone() },
                TutorialTaskKind::Play(action) | TutorialTaskKind::Answer(action) => Command::Submit {
                    action: action.clone(),
                    at,
                },
                TutorialTaskKind::PlayAny => {
                    assert_eq!(task.after, at + 1, "{id}");
                    assert!(connection.mirror().main_view().unwrap().acting().contains(tutorial.seat), "{id}");
                    break;
                }
            };
            match connection.ask(command) {
                Ok(Reply::Done { at } | Reply::Edited { at, .. }) => assert_eq!(at, task.after, "{id}: {:?}", task.kind),
                other => panic!("{id}: {:?}: {other:?}", task.kind),
            }
            connection.settle().unwrap();
        }
    }
}

#[test]
fn a_step_that_cannot_be_played_is_told_with_its_line() {
    let folder = content_copy("tic-tac-toe");
    let file = folder.path().join("rulesets/tic-tac-toe/tutorial.xml");
    let text = fs::read_to_string(&file).unwrap();
    for (from, to, told) in [
        (
            "<play>mark a1</play>",
            "<play>mark b1</play>",
            "tutorial.xml:11:3: warning[refused]: ",
        ),
        ("<answer>mark a3</answer>", "<answer>jump</answer>", "tutorial.xml:16:3: warning["),
        ("show=\"a1\"", "show=\"a11\"", "there is no cell `a11`"),
        ("seat=\"crosses\"", "seat=\"croses\"", "the scenario has no seat `croses`"),
        ("scenario=\"standard\"", "scenario=\"other\"", "there is no scenario `other`"),
        (
            "<play>mark b2</play>",
            "<edit>dice of red</edit><play>mark b2</play>",
            "`dice of red`",
        ),
    ] {
        assert!(text.contains(from), "{from}");
        fs::write(&file, text.replace(from, to)).unwrap();
        let found = check_tutorial(&Catalog::scan(&[folder.path().into()]), "tic-tac-toe").to_string();
        assert!(found.contains(told), "{to}: {found}");
    }
    fs::write(&file, text).unwrap();
    let found = check_tutorial(&Catalog::scan(&[folder.path().into()]), "tic-tac-toe");
    assert!(found.is_empty(), "{found}");
}
