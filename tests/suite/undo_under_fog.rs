//! Undo where a match hides things: what was seen cannot be unseen.

use std::sync::Arc;

use crate::command_line::plays;
use crate::common::Bundled;
use boardwright::host::Match;
use boardwright::model::{Policy, SeatId, State, UndoPolicy};
use boardwright::rules::{Rules, flow};

const ROWAN: SeatId = SeatId(0);

/// The cells that Rowan sees.
fn seen(rules: &dyn Rules, state: &Arc<State>) -> boardwright::model::CellSet {
    rules.visible(state, Some(ROWAN)).unwrap().unwrap()
}

#[test]
fn a_move_is_undone_only_if_it_has_shown_nothing() {
    let bundled = Bundled::read("eight-kingdoms", "small");
    let policy = Policy {
        undo: UndoPolicy::OwnTurn,
        ..Policy::default()
    };
    let mut playing = Match::begin(bundled.source.clone(), bundled.setup(), 1, policy).unwrap();
    let (rules, state) = (bundled.rules(), Arc::clone(playing.state()));
    let before = seen(&*rules, &state);
    let (mut undone, mut refused) = (0, 0);
    for action in flow::legal(&*rules, &state, ROWAN).unwrap() {
        if &*state.declarations().action(action.action).unwrap().name != "move" {
            continue;
        }
        let at = playing.journal().position();
        playing.submit(&action, at).unwrap();
        let has_shown = !seen(&*rules, playing.state()).difference(&before).is_empty();
        let agreed = playing.check_agreed_undo(at);
        match playing.undo(Some(ROWAN)) {
            Ok(_) => {
                assert!(!has_shown && agreed.is_ok());
                assert_eq!(playing.state().position(), state.position());
                undone += 1;
            }
            Err(error) => {
                assert!(error.to_string().contains("what was hidden"), "{error}");
                assert!(agreed.is_err());
                refused += 1;
                playing.undo(None).unwrap_err();
                playing = Match::begin(bundled.source.clone(), bundled.setup(), 1, policy).unwrap();
            }
        }
    }
    assert!(undone > 5 && refused > 20, "{undone} were undone, {refused} were not");
}

/// The two vales with two people at one screen.
const SMALL: [&str; 7] = [
    "eight-kingdoms/small",
    "--seed",
    "3",
    "--seat",
    "rowan=human",
    "--seat",
    "juniper=human",
];

#[test]
fn at_one_machine_fog_ends_undo_where_it_was_lifted_and_can_be_looked_back_at() {
    let lines = [
        "hold d3",
        "undo",
        "hold d3",
        "move d3 f2",
        "undo",
        "go 1",
        "hold c5",
        "undo",
        "redo 2",
        "hold c5",
        "undo",
    ];
    plays(&SMALL, &lines)
        .with(0)
        .says_times("Undone: Rowan", 2)
        .says("Undone: Rowan d3: hold\n")
        .says("this has shown what was hidden: it cannot be undone")
        .says("Undone: Rowan c5: hold\n")
        .says_times("play goes on only from where it stands", 2);
}

#[test]
fn undo_is_free_in_fog_for_those_who_want_it_and_a_choice_of_matches_that_begin() {
    plays(&[&SMALL[..], &["--undo", "free"]].concat(), &["move d3 f2", "undo", "hold d3"])
        .with(0)
        .says("Undone: Rowan d3-f2\n")
        .says("Rowan d3: hold\n");
    plays(&["tic-tac-toe", "--undo", "never"], &["a1", "undo"])
        .with(0)
        .says("this match has no undo");
    plays(&["tic-tac-toe", "--undo", "never", "--rated"], &[]).with(2);
    plays(&["tic-tac-toe"], &["a1", "a2", "go 1", "c3"]).with(0).says("Noughts mark c3");
}

#[test]
fn a_step_of_standing_orders_is_told_before_what_is_typed_next_and_as_its_owner_sees_it() {
    let lines = ["go_to d3 j3", "done", "done", "undo", "redo"];
    let played = plays(&[&SMALL[..], &["--undo", "free"]].concat(), &lines).with(0);
    let told: Vec<&str> = played
        .out
        .lines()
        .filter(|line| line.contains("f2>j3") || line.starts_with("Undone"))
        .collect();
    let [step, undone, again] = told.as_slice() else {
        panic!("{told:?}");
    };
    assert!(step.starts_with("Rowan f2>j3"), "{step}");
    // The screen is Juniper's then, who saw nothing of it.
    assert!(undone.ends_with("Rowan (unseen)"), "{undone}");
    assert!(again.starts_with("Rowan f2>j3"), "{again}");
}

#[test]
fn a_site_is_begun_and_undone_as_it_shows_nothing_before_it_is_finished() {
    plays(&SMALL, &["a4: watchtower", "undo"])
        .with(0)
        .says("Undone: Rowan a4: watchtower\n");
}

#[test]
fn around_one_screen_each_is_told_what_they_may_know_when_it_is_their_turn() {
    let lines = [
        "edit add ram of rowan = j10",
        "edit add mangonel of juniper = m10",
        "offer to Juniper: sight",
        "done",
        "accept Rowan: sight",
        "undo",
        "go 2",
        "moves",
        "move",
        "hint greedy",
        "go 4",
        "m10 x j10",
        "done",
        "history",
    ];
    let played = plays(&SMALL, &lines).with(0);
    // Juniper is told what came of it, and Rowan when it is their turn, and in their history.
    let played = played
        .says_times("Lives lost: 3 by Ram in j10, 0 by Mangonel", 1)
        .says_times("Juniper (unseen)  (Attacked: Ram in j10, lives lost: 3)\n", 2)
        .says_times("Juniper accepts: sight", 0);
    assert!(
        !played.out.contains("Variation"),
        "what Juniper took back is not Rowan's business: {}",
        played.out
    );
    // Juniper's board is shown also where it was Rowan's turn.
    let (_, looking_back) = played.out.split_once("1 later undone").unwrap();
    let (shown, _) = looking_back.split_once("Rowan to move; 3 later undone").unwrap();
    assert!(shown.contains("Juniper: 1 town") && !shown.contains("Rowan: 1 town"), "{shown}");
    // Nor does it tell what Rowan could do.
    played
        .says_times("Nothing can be done now.", 1)
        .says_times("play goes on only from where it stands", 2)
        .says_times("Which unit", 0);
}

#[test]
fn a_match_of_computers_in_fog_lets_nobody_undo_more_who_sits_down_later() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("watched.save.xml");
    let watched = ["eight-kingdoms/small", "--seed", "3", "--seat", "rowan=regent"];
    plays(&watched, &["pause", &format!("save {}", file.display())]).with(0);
    let saved = std::fs::read_to_string(&file).unwrap();
    assert!(saved.contains("undo=\"own-turn\""), "{saved}");
}
