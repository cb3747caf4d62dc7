//! What an action would bring about, asked before it is played.

use std::sync::Arc;

use boardwright::model::RefusalCode;
use boardwright::model::{Action, ActionId, Pick, PieceId, SeatId, SeatSet, State};
use boardwright::protocol::{Command, Reply};
use boardwright::server::{Claim, Session};

use crate::sessions::{around_one_screen, connect, plays, refusal, setup};

#[test]
fn what_an_action_would_bring_about_is_told_without_playing_it() {
    let (_session, mut client) = around_one_screen(setup());
    let seat = client.mirror().main_view().unwrap().acting().first().unwrap();
    let hand = client.mirror().declarations().unwrap().find_zone("hand", Some(seat)).unwrap();
    while client.mirror().view(Some(seat)).unwrap().zone(hand).unwrap().pieces().is_empty() {
        plays(&mut client, "run");
    }
    let state = Arc::clone(client.mirror().view(Some(seat)).unwrap());
    let seat = state.acting().first().unwrap();
    let hand = state.declarations().find_zone("hand", Some(seat)).unwrap();
    let state = Arc::clone(client.mirror().view(Some(seat)).unwrap());
    let card = state.zone(hand).unwrap().pieces()[0];
    let mut previewed = |action: Action| client.ask(Command::Preview { action }).unwrap();
    let action = |index: u8, picks: &[Pick]| Action {
        seat,
        action: ActionId(index),
        picks: picks.iter().cloned().collect(),
    };
    let Reply::Preview(told) = previewed(action(1, &[Pick::Piece(card)])) else {
        panic!("nothing is told of the card")
    };
    assert!(told.is_certain);
    let mut after = State::clone(&state);
    told.effects.iter().for_each(|effect| after.apply(effect).unwrap());
    assert!(after.piece(card).unwrap().place.is_off(), "the card is spent");
    let runner = |state: &State| state.pieces().find(|piece| piece.owner == Some(seat)).unwrap().place.cell();
    assert_ne!(runner(&after), runner(&state), "and the runner goes on");

    let Reply::Preview(told) = previewed(action(0, &[])) else {
        panic!("nothing is told of the run")
    };
    assert!(!told.is_certain && told.effects.is_empty(), "how far a run leads is luck");
    let refused = previewed(action(1, &[Pick::Piece(PieceId(999))]));
    assert_eq!(refusal(refused), RefusalCode::NotOffered);
    let now = client.mirror().view(Some(seat)).unwrap();
    assert_eq!(now.digest(), state.digest(), "nothing has happened");
}

#[test]
fn nobody_is_told_what_the_action_of_another_seat_would_bring_about() {
    let session = Session::spawn(setup()).unwrap();
    let red = connect(&session, Claim::Seats(SeatSet::one(SeatId(0))));
    let mut blue = connect(&session, Claim::Seats(SeatSet::one(SeatId(1))));
    let seat = red.mirror().main_view().unwrap().acting().first().unwrap();
    assert_eq!(seat, SeatId(0));
    let action = Action {
        seat,
        action: ActionId(0),
        picks: Vec::new().into_iter().collect(),
    };
    assert_eq!(refusal(blue.ask(Command::Preview { action }).unwrap()), RefusalCode::NotYourSeat);
}
