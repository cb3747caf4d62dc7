//! Undo where a match hides things: what was seen cannot be unseen.

use std::sync::Arc;

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
                assert!(error.to_string().contains("hidden information"), "{error}");
                assert!(agreed.is_err());
                refused += 1;
                playing.undo(None).unwrap_err();
                playing = Match::begin(bundled.source.clone(), bundled.setup(), 1, policy).unwrap();
            }
        }
    }
    assert!(undone > 5 && refused > 20, "{undone} were undone, {refused} were not");
}
