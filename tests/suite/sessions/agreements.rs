//! What seats do beside the rules: resign, agree on a draw, and undo by consent.

use super::*;
use crate::common::{Bundled, row_of};
use boardwright::host::{Match, verify};
use boardwright::model::{Forfeit, Outcome, Policy, Setup};
use boardwright::protocol::OfferKind;
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Limits, ScriptSource};

fn offer(connection: &mut Connection, offer: OfferKind) -> Reply {
    connection.ask(Command::Offer { offer, seat: None }).unwrap()
}

fn outcome(connection: &Connection) -> Option<Outcome> {
    connection.mirror().main_view().unwrap().outcome().cloned()
}

/// A session with a client at each of two seats.
fn two_people(policy: Policy) -> (SessionHandle, Connection, Connection) {
    let session = Session::spawn(SessionSetup { policy, ..setup() }).unwrap();
    let red = connect(&session, Claim::Seats(SeatSet::one(RED)));
    let blue = connect(&session, Claim::Seats(SeatSet::one(BLUE)));
    (session, red, blue)
}

/// Three seats that put a marker each in turn, under rules that know nothing of seats that are out.
fn three_seats() -> SessionSetup {
    const RULES: &str = r#"
        fn ruleset() {
            #{
                seats: [#{ name: "red" }, #{ name: "blue" }, #{ name: "green" }],
                kinds: [#{ name: "marker" }],
                actions: [#{ name: "put", picks: [#{ name: "place", pick: "cell" }], ends_turn: true }],
                endings: [#{ when: "no_actions", then: "draw", rule: "1", reason: "there is no place left" }],
            }
        }
        fn put_place(view) { view.empty }
        fn do_put(turn, picked) { turn.create("marker", turn.seat, picked.place); }
    "#;
    let sources = Sources::of(Layer::new("rulesets/markers").with("rules.rhai", RULES));
    let source = ScriptSource::new(Arc::new(sources), Limits::default()).unwrap_or_else(|problems| panic!("{}", problems.render()));
    let board = Arc::new(Board::from_map(&row_of(12)).unwrap());
    let start = Setup::default().build(&board, source.declarations()).unwrap();
    SessionSetup::new(Arc::new(source), start, MatchInfo::of_map(row_of(12)), 7)
}

/// Waits until a client sees so many open offers.
fn sees_offers(connection: &mut Connection, count: usize) {
    while connection.mirror().offers().len() != count {
        assert!(connection.poll(LONG).unwrap().is_some(), "the offers did not come");
    }
}

#[test]
fn who_resigns_loses_and_may_be_undone_in_a_free_match() {
    let (_session, mut client) = around_one_screen(setup());
    client.ask(Command::Resign { seat: Some(BLUE) }).unwrap();
    let ended = outcome(&client).unwrap();
    assert_eq!((ended.places.as_slice(), &*ended.reason), (&[1, 2][..], "blue resigned"));
    let newest = client.mirror().history().last().unwrap();
    assert_eq!(
        (newest.seat, &*newest.notation, &*newest.sentence),
        (Some(BLUE), "resigned", "blue resigned")
    );
    assert_eq!(
        refusal(client.ask(Command::Resign { seat: Some(RED) }).unwrap()),
        RefusalCode::MatchOver
    );
    client.ask(Command::Undo).unwrap();
    assert_eq!(outcome(&client), None);
    client.ask(Command::Redo).unwrap();
    assert!(outcome(&client).is_some());
}

#[test]
fn only_who_holds_a_seat_resigns_it_in_a_rated_match_too() {
    let (_session, mut red, mut blue) = two_people(Policy::RATED);
    let forged = blue.ask(Command::Resign { seat: Some(RED) }).unwrap();
    assert_eq!(refusal(forged), RefusalCode::NotYourSeat);
    at(red.ask(Command::Resign { seat: None }).unwrap());
    wait_until_at(&mut blue, 2);
    assert_eq!(outcome(&blue).unwrap().winners().collect::<Vec<_>>(), [BLUE]);
}

#[test]
fn a_draw_is_agreed_by_both_and_by_nobody_else() {
    let (session, mut red, mut blue) = two_people(Policy::RATED);
    let mut spectator = connect(&session, Claim::Spectator);
    assert_eq!(refusal(offer(&mut spectator, OfferKind::Draw)), RefusalCode::NotYourSeat);
    at(offer(&mut red, OfferKind::Draw));
    sees_offers(&mut blue, 1);
    assert_eq!(blue.mirror().offers()[0].waiting, SeatSet::one(BLUE));
    // Neither who offers nor who watches answers for the other.
    let accept = Command::Accept { offer: OfferKind::Draw };
    assert_eq!(refusal(red.ask(accept.clone()).unwrap()), RefusalCode::NotNow);
    assert_eq!(refusal(spectator.ask(accept.clone()).unwrap()), RefusalCode::NotNow);
    at(blue.ask(accept).unwrap());
    assert!(outcome(&blue).unwrap().is_draw());
    wait_until_at(&mut red, 2);
    assert_eq!(&*red.mirror().history()[1].notation, "draw agreed");
    sees_offers(&mut red, 0);
}

#[test]
fn an_offer_is_declined_withdrawn_or_closed_by_an_action() {
    let (_session, mut red, mut blue) = two_people(Policy::CASUAL);
    let draw = OfferKind::Draw;
    at(offer(&mut red, draw));
    sees_offers(&mut blue, 1);
    at(blue.ask(Command::Decline { offer: draw }).unwrap());
    sees_offers(&mut red, 0);
    assert_eq!(refusal(offer(&mut red, draw)), RefusalCode::NotNow, "declined at this position");
    at(plays(&mut red, "run"));
    at(offer(&mut red, draw));
    at(red.ask(Command::Withdraw { offer: draw }).unwrap());
    sees_offers(&mut red, 0);
    at(offer(&mut red, draw));
    assert_eq!(refusal(offer(&mut red, draw)), RefusalCode::NotNow, "one is open");
    wait_until_at(&mut blue, 2);
    at(plays(&mut blue, "run"));
    sees_offers(&mut red, 0);
    assert_eq!(outcome(&red), None);
}

#[test]
fn a_new_client_is_told_what_is_offered() {
    let session = Session::spawn(setup()).unwrap();
    let mut red = connect(&session, Claim::Seats(SeatSet::one(RED)));
    at(offer(&mut red, OfferKind::Draw));
    let mut blue = connect(&session, Claim::Seats(SeatSet::one(BLUE)));
    sees_offers(&mut blue, 1);
}

#[test]
fn where_all_sit_at_one_screen_they_have_agreed() {
    let (_session, mut client) = around_one_screen(setup());
    at(offer(&mut client, OfferKind::Draw));
    assert!(outcome(&client).unwrap().is_draw());
}

#[test]
fn a_computer_player_that_does_not_judge_declines() {
    let (_session, mut client) = around_one_screen(setup_with(&["human", "random"]));
    at(offer(&mut client, OfferKind::Draw));
    assert_eq!(wait_for(&mut client, message), "blue: no draw");
    assert_eq!(outcome(&client), None);
}

#[test]
fn rated_matches_do_not_undo_by_consent_either() {
    let (_session, mut red, _blue) = two_people(Policy::RATED);
    at(plays(&mut red, "run"));
    assert_eq!(refusal(offer(&mut red, OfferKind::Undo)), RefusalCode::Policy);
}

#[test]
fn a_roll_is_not_undone_by_consent_where_undo_is_not_free() {
    let (_session, mut red, _blue) = two_people(Policy::CASUAL);
    assert_eq!(refusal(offer(&mut red, OfferKind::Undo)), RefusalCode::NoHistory);
    at(plays(&mut red, "run"));
    assert_eq!(refusal(offer(&mut red, OfferKind::Undo)), RefusalCode::Policy);
}

#[test]
fn all_agree_to_undo_what_one_may_not_undo_alone() {
    let bundled = Bundled::read("tic-tac-toe", "standard");
    let map = Map::new("board", "Board", bundled.board.topology());
    let setup = SessionSetup::new(
        Arc::clone(&bundled.source) as Arc<dyn RulesSource>,
        bundled.setup(),
        MatchInfo::of_map(map),
        7,
    );
    let session = Session::spawn(SessionSetup {
        policy: Policy::CASUAL,
        ..setup
    })
    .unwrap();
    let mut red = connect(&session, Claim::Seats(SeatSet::one(RED)));
    let mut blue = connect(&session, Claim::Seats(SeatSet::one(BLUE)));
    at(plays(&mut red, "mark b2"));
    wait_until_at(&mut blue, 2);
    at(plays(&mut blue, "mark a1"));
    wait_until_at(&mut red, 3);
    assert_eq!(refusal(red.ask(Command::Undo).unwrap()), RefusalCode::Policy);
    at(offer(&mut red, OfferKind::Undo));
    sees_offers(&mut blue, 1);
    let undo = Command::Accept { offer: OfferKind::Undo };
    assert_eq!(at(blue.ask(undo).unwrap()), 1, "its own action, and the answer to it");
    while red.mirror().at() != 1 {
        assert!(red.poll(LONG).unwrap().is_some(), "the undo did not come");
    }
    at(plays(&mut red, "mark c3"));
}

#[test]
fn with_three_seats_a_computer_player_plays_on_for_who_resigned() {
    let session = Session::spawn(three_seats()).unwrap();
    let mut first = connect(&session, Claim::Seats(SeatSet::one(RED)));
    at(first.ask(Command::Resign { seat: None }).unwrap());
    assert_eq!(outcome(&first), None);
    assert!(!first.mirror().plays(RED), "{:?}", first.mirror().players());
    // The computer player acts for it; the person may not.
    wait_until_at(&mut first, 3);
    assert_eq!(first.mirror().history()[2].seat, Some(RED));
    assert_eq!(refusal(plays(&mut first, "put a1")), RefusalCode::NotYourSeat);
    assert_eq!(
        refusal(first.ask(Command::Resign { seat: Some(RED) }).unwrap()),
        RefusalCode::NotYourSeat
    );
    // Undone, the seat is the person's again.
    while first.mirror().at() > 1 {
        at(first.ask(Command::Undo).unwrap());
    }
    first.settle().unwrap();
    assert!(first.mirror().plays(RED), "{:?}", first.mirror().players());
}

#[test]
fn forfeits_and_draws_are_replayed_and_verified() {
    let source: Arc<dyn RulesSource> = Arc::new(Race::default());
    let start = State::clone(&Race::start().unwrap());
    for ends in ["forfeit", "draw"] {
        let mut playing = Match::begin(Arc::clone(&source), start.clone(), 3, Policy::default()).unwrap();
        if ends == "draw" {
            playing.agree_draw().unwrap();
        } else {
            playing.forfeit(BLUE, Forfeit::OutOfTime).unwrap();
        }
        let verified = verify(start.clone(), playing.journal(), &[Arc::clone(&source)], Some(playing.seed())).unwrap();
        assert_eq!((verified.repeated, verified.applied), (2, 0), "{ends}");
        let digest = playing.state().digest();
        playing.undo(None).unwrap();
        assert!(playing.state().outcome().is_none());
        playing.redo().unwrap();
        assert_eq!(playing.state().digest(), digest);
        let again = Match::resume(
            &[Arc::clone(&source)],
            start.clone(),
            playing.seed(),
            Policy::default(),
            playing.journal().clone(),
        );
        assert_eq!(again.unwrap().state().digest(), digest);
    }
}
