//! Every way in which the host says no, with its code. The match stands as before each time.

use std::sync::Arc;

use crate::common::Bundled;
use boardwright::host::{Access, ClientId, HostError, Match};
use boardwright::model::RefusalCode;
use boardwright::model::{Action, ActionId, CellId, Pick, Picks, SeatId};
use boardwright::model::{Policy, UndoPolicy};
use boardwright::rules::{flow, read_action};
use boardwright_fixtures::Race;

const RED: SeatId = SeatId(0);
const BLUE: SeatId = SeatId(1);

fn begin(policy: Policy) -> Match {
    let bundled = Bundled::read("tic-tac-toe", "standard");
    Match::begin(bundled.source.clone(), bundled.setup(), 1, policy).unwrap_or_else(|error| panic!("{error}"))
}

fn mark(seat: SeatId, cell: u16) -> Action {
    Action {
        seat,
        action: ActionId(0),
        picks: [Pick::Cell(CellId(cell))].into_iter().collect(),
    }
}

/// Submits at the present moment.
fn submit(one: &mut Match, action: &Action) -> Result<(), HostError> {
    let at = one.journal().position();
    one.submit(action, at).map(drop)
}

/// The code of a refusal, after which nothing has changed.
fn refused(one: &mut Match, act: impl FnOnce(&mut Match) -> Result<(), HostError>) -> RefusalCode {
    let (digest, position) = (one.state().digest(), one.journal().position());
    let Err(HostError::Rejected(rejection)) = act(one) else {
        panic!("it was not refused")
    };
    assert_eq!((one.state().digest(), one.journal().position()), (digest, position));
    let refusal = rejection.refusal().unwrap_or_else(|| panic!("{rejection}"));
    assert!(!refusal.reason.is_empty());
    refusal.code
}

#[test]
fn an_action_of_a_seat_whose_turn_it_is_not() {
    assert_eq!(
        refused(&mut begin(Policy::default()), |one| submit(one, &mark(BLUE, 0))),
        RefusalCode::NotYourTurn
    );
}

#[test]
fn an_action_that_is_not_declared() {
    let action = Action {
        seat: RED,
        action: ActionId(9),
        picks: Picks::new(),
    };
    assert_eq!(
        refused(&mut begin(Policy::default()), |one| submit(one, &action)),
        RefusalCode::UnknownAction
    );
}

#[test]
fn an_action_while_another_question_is_open_or_in_another_phase() {
    let start = Race::start().unwrap_or_else(|fault| panic!("{fault}"));
    let mut one = Match::begin(Arc::new(Race::default()), (*start).clone(), 1, Policy::default()).unwrap();
    let give_way = one.rules().declarations().find_action("give_way").unwrap();
    let action = Action {
        seat: RED,
        action: give_way,
        picks: [Pick::Choice(Arc::from("wait"))].into_iter().collect(),
    };
    assert_eq!(refused(&mut one, |one| submit(one, &action)), RefusalCode::NotNow);
}

#[test]
fn an_action_of_which_something_is_still_to_be_picked() {
    let few = Action {
        picks: Picks::new(),
        ..mark(RED, 0)
    };
    assert_eq!(
        refused(&mut begin(Policy::default()), |one| submit(one, &few)),
        RefusalCode::Unfinished
    );
}

#[test]
fn too_many_picks() {
    let many = Action {
        picks: [Pick::Cell(CellId(0)), Pick::Cell(CellId(1))].into_iter().collect(),
        ..mark(RED, 0)
    };
    assert_eq!(
        refused(&mut begin(Policy::default()), |one| submit(one, &many)),
        RefusalCode::WrongPicks
    );
}

#[test]
fn a_pick_that_is_not_offered_or_of_another_kind() {
    let mut one = begin(Policy::default());
    submit(&mut one, &mark(RED, 4)).unwrap();
    for (pick, code) in [
        // The rules say why.
        (Pick::Cell(CellId(4)), RefusalCode::Rule),
        (Pick::Cell(CellId(999)), RefusalCode::NotOffered),
        (Pick::Number(4), RefusalCode::NotOffered),
    ] {
        let action = Action {
            picks: [pick].into_iter().collect(),
            ..mark(BLUE, 0)
        };
        assert_eq!(refused(&mut one, |one| submit(one, &action)), code);
    }
}

/// As people write moves that are none: the rule is told, not that the text is no action.
#[test]
fn cells_that_are_joined_as_notations_join_them_are_read_as_picks() {
    let (rules, state) = Bundled::read("sixteen-soldiers", "standard").begin(1);
    let read = |text: &str| read_action(&*rules, &state, RED, text);
    let said = |text: &str| {
        read(text)
            .and_then(|action| flow::check(&*rules, &state, &action))
            .unwrap_err()
            .to_string()
    };
    let of_picks = said("move c4 c9");
    assert!(!of_picks.contains("no action") && !of_picks.contains("no cell"), "{of_picks}");
    for text in ["c4-c9", "move c4-c9", "c4xc9", "move c4xc9", "c4 > c9"] {
        assert_eq!(said(text), of_picks, "{text}");
    }
    let step = read("move c4 c5").unwrap();
    for text in ["c4-c5", "move c4-c5", "c4:c5"] {
        assert_eq!(read(text).unwrap(), step, "{text}");
    }
    for text in ["c4-", "c4-x9", "jump c4-c9", "-"] {
        assert!(said(text).contains("no action"), "{text}: {}", said(text));
    }
}

#[test]
fn an_action_chosen_at_an_earlier_moment_also_when_it_is_repeated() {
    let mut one = begin(Policy::default());
    let at = one.journal().position();
    one.submit(&mark(RED, 0), at).unwrap();
    assert_eq!(refused(&mut one, |one| one.submit(&mark(RED, 0), at).map(drop)), RefusalCode::Stale);
    assert_eq!(
        refused(&mut one, |one| one.submit(&mark(BLUE, 1), at + 7).map(drop)),
        RefusalCode::Stale
    );
}

#[test]
fn an_action_after_the_end() {
    let mut one = begin(Policy::default());
    for cell in [0, 3, 1, 4, 2] {
        let seat = one.state().acting().first().unwrap();
        submit(&mut one, &mark(seat, cell)).unwrap();
    }
    assert_eq!(one.state().outcome().unwrap().sole_winner(), Some(RED));
    assert_eq!(refused(&mut one, |one| submit(one, &mark(BLUE, 8))), RefusalCode::MatchOver);
    assert!(flow::legal(one.rules(), one.state(), BLUE).unwrap().is_empty());
}

#[test]
fn an_action_that_a_rule_forbids() {
    let start = Race::start().unwrap_or_else(|fault| panic!("{fault}"));
    let mut one = Match::begin(Arc::new(Race::default()), (*start).clone(), 1, Policy::default()).unwrap();
    let tokens = one
        .state()
        .declarations()
        .find_property(boardwright::model::Scope::Seat, "tokens")
        .unwrap();
    one.debug("two tokens for red", |_, transaction| {
        transaction.set(boardwright::model::Target::Seat(RED), tokens, boardwright::model::Value::Integer(2))
    })
    .unwrap();
    let bar = one.rules().declarations().find_action("bar").unwrap();
    let action = Action {
        seat: RED,
        action: bar,
        picks: [Pick::Number(2)].into_iter().collect(),
    };
    assert_eq!(refused(&mut one, |one| submit(one, &action)), RefusalCode::Rule);
}

#[test]
fn an_action_for_a_seat_that_someone_else_holds() {
    let mut access = Access::default();
    access.seat(ClientId(1), RED);
    access.seat(ClientId(2), BLUE);
    assert!(access.check(ClientId(1), RED).is_ok());
    assert_eq!(access.check(ClientId(1), BLUE).unwrap_err().code, RefusalCode::NotYourSeat);
    access.seat(ClientId(1), BLUE);
    assert_eq!(access.check(ClientId(2), BLUE).unwrap_err().code, RefusalCode::NotYourSeat);
}

#[test]
fn what_the_policy_does_not_allow() {
    let mut rated = begin(Policy {
        undo: UndoPolicy::Never,
        debug: false,
        reload: false,
    });
    submit(&mut rated, &mark(RED, 0)).unwrap();
    assert_eq!(refused(&mut rated, |one| one.undo(None).map(drop)), RefusalCode::Policy);
    assert_eq!(
        refused(&mut rated, |one| one.debug("cheat", |_, _| Ok(())).map(drop)),
        RefusalCode::Policy
    );
    let mut own = begin(Policy {
        undo: UndoPolicy::OwnTurn,
        ..Policy::default()
    });
    submit(&mut own, &mark(RED, 0)).unwrap();
    assert_eq!(refused(&mut own, |one| one.undo(Some(BLUE)).map(drop)), RefusalCode::Policy);
    assert_eq!(
        refused(&mut own, |one| one.undo(Some(RED)).map(drop)),
        RefusalCode::Policy,
        "the turn has passed on"
    );
}

#[test]
fn undo_at_the_beginning_and_redo_at_the_end() {
    let mut one = begin(Policy::default());
    assert_eq!(refused(&mut one, |one| one.undo(None).map(drop)), RefusalCode::NoHistory);
    submit(&mut one, &mark(RED, 0)).unwrap();
    assert_eq!(refused(&mut one, |one| one.redo().map(drop)), RefusalCode::NoHistory);
    one.undo(None).unwrap();
    one.redo().unwrap();
}

#[test]
fn every_code_has_its_test_here() {
    let text = concat!(include_str!("refusals.rs"), include_str!("saves.rs"));
    for code in RefusalCode::ALL {
        assert!(text.contains(&format!("RefusalCode::{code:?}")), "{code:?} has no test");
    }
}
