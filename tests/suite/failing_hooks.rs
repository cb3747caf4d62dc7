//! Rules with a mistake in one hook: what they are asked for is left out, everything else goes on, and the mistake is told once.

use std::sync::Arc;
use std::time::Duration;

use boardwright::client::Connection;
use boardwright::local::LocalLink;
use boardwright::model::Rejection;
use boardwright::model::diagnostic::Diagnostic;
use boardwright::model::{Board, Map, SeatId, Setup, State, Topology};
use boardwright::players::{AlphaBeta, Budget, Decision, Greedy, Level, MonteCarlo, Player, Random};
use boardwright::protocol::{Command, FromHost, Notice, Reply};
use boardwright::rules::{RulesSource, flow};
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Limits, ScriptSource};
use boardwright::server::{Claim, MatchInfo, Session, SessionHandle, SessionSetup};

/// Two seats that either step or leap; whether one may leap is a hook with room for a mistake, and so is where one may step.
const RULES: &str = r#"
fn ruleset() {
    #{
        seats: [#{ name: "light" }, #{ name: "dark" }],
        kinds: [#{ name: "marker" }],
        actions: [
            #{ name: "leap", rule: "1", ends_turn: true },
            #{ name: "step", rule: "2", ends_turn: true, picks: [#{ name: "to", pick: "cell" }] },
        ],
        IDLE
    }
}

/// 1 Whether one may leap.
fn may_leap(view) {
    LEAP
}

/// 1 Leaps.
fn do_leap(turn, picked) { }

/// 2 Where one may step.
fn step_to(view) {
    STEP
}

/// 2 Steps.
fn do_step(turn, picked) { }
"#;

/// Who can do nothing is passed over.
const PASSES: &str = r#"idle: "passes", endings: [#{ when: "nobody_can_act", then: "draw", rule: "3", reason: "nobody can act" }],"#;

const WRONG: &str = "view.seat.nonsense";

fn map() -> Map {
    let topology = Topology::Square {
        width: 5,
        height: 1,
        diagonals: false,
    };
    Map::new("row", "Row", topology)
}

fn source(leap: &str, step: &str, idle: &str) -> Arc<ScriptSource> {
    let text = RULES.replace("LEAP", leap).replace("STEP", step).replace("IDLE", idle);
    let sources = Sources::of(Layer::new("small").with("rules.rhai", text));
    let source = ScriptSource::new(Arc::new(sources), Limits::default());
    Arc::new(source.unwrap_or_else(|problems| panic!("{}", problems.render())))
}

fn start(source: &ScriptSource) -> State {
    Setup::default()
        .build(&Arc::new(Board::from_map(&map()).unwrap()), source.declarations())
        .unwrap()
}

fn session(source: &Arc<ScriptSource>, players: &[&str]) -> (SessionHandle, Connection) {
    let setup = SessionSetup {
        players: players.iter().map(|player| player.parse().unwrap()).collect(),
        ..SessionSetup::new(source.clone(), start(source), MatchInfo::of_map(map()), 7)
    };
    let session = Session::spawn(setup).unwrap();
    let mut connection = Connection::open(Box::new(LocalLink::join(&session, Claim::AllPeople, true, None))).unwrap();
    connection.settle().unwrap();
    (session, connection)
}

/// Asks, and gives the answer with the faults that were told before it.
fn asked(connection: &mut Connection, command: Command) -> (Reply, Vec<Diagnostic>) {
    let id = connection.send(command).unwrap();
    let mut faults = Vec::new();
    loop {
        match connection.poll(Some(Duration::from_secs(20))).unwrap().expect("an answer") {
            FromHost::Notice(Notice::Fault(fault)) => faults.push(*fault),
            FromHost::Answer(answer) if answer.id == id => return (answer.reply, faults),
            _ => {}
        }
    }
}

fn offered(reply: Reply) -> Vec<String> {
    let Reply::Legal { actions, .. } = reply else { panic!("{reply:?}") };
    actions.into_iter().map(|action| action.text).collect()
}

fn play(connection: &mut Connection, text: &str) -> (Reply, Vec<Diagnostic>) {
    let (text, seat, at) = (text.to_owned(), None, None);
    asked(connection, Command::Play { text, seat, at })
}

#[test]
fn a_mistake_in_one_action_leaves_the_others_and_is_told_once_with_its_place() {
    let source = source(WRONG, "view.empty", "");
    let (_session, mut client) = session(&source, &[]);
    let (reply, faults) = asked(&mut client, Command::Legal { seat: None });
    assert_eq!(offered(reply), ["step a1", "step b1", "step c1", "step d1", "step e1"]);
    let [fault] = faults.as_slice() else { panic!("{faults:?}") };
    assert_eq!(
        (fault.hook.as_str(), fault.file(), fault.line()),
        ("may_leap", "small/rules.rhai", 16)
    );
    assert_eq!(fault.source_line().map(str::trim), Some(WRONG));
    let (reply, faults) = asked(&mut client, Command::Legal { seat: None });
    assert_eq!((offered(reply).len(), faults.len()), (5, 0), "it is told once");
    assert_eq!(client.mirror().problems().len(), 1, "and stays among the problems");
    // By words as by the list.
    assert!(matches!(play(&mut client, "b1").0, Reply::Done { .. }));
    let (Reply::Fault(fault), _) = play(&mut client, "leap") else {
        panic!("leapt")
    };
    assert_eq!(fault.hook, "may_leap");
    assert!(matches!(play(&mut client, "step c1").0, Reply::Done { .. }));
}

#[test]
fn a_mistake_in_what_is_picked_leaves_the_other_actions_too() {
    let source = source("true", WRONG, "");
    let (_session, mut client) = session(&source, &[]);
    let (reply, faults) = asked(&mut client, Command::Legal { seat: None });
    assert_eq!((offered(reply), faults.len()), (vec!["leap".to_owned()], 1));
    assert!(matches!(play(&mut client, "leap").0, Reply::Done { .. }));
}

#[test]
fn computer_players_play_on_with_what_is_left() {
    let source = source(WRONG, "view.empty", "");
    let state = Arc::new(start(&source));
    let rules = source.rules(state.board(), state.declarations(), state.options()).unwrap();
    let mut transaction = boardwright::rules::Transaction::new(state, boardwright::rules::Luck::Forbidden);
    flow::begin(&*rules, &mut transaction).unwrap();
    let players: Vec<Box<dyn Player>> = vec![
        Box::new(Random::new(1)),
        Box::new(Greedy::new(1)),
        Box::new(AlphaBeta::new(Level::LOWEST, 1)),
        Box::new(MonteCarlo::new(Level::LOWEST, 1)),
    ];
    for mut player in players {
        let choice = player.choose(
            Decision {
                rules: &*rules,
                state: transaction.state(),
                seat: SeatId(0),
                budget: &Budget::nodes(50),
            },
            &mut |_| {},
        );
        let choice = choice.unwrap_or_else(|error| panic!("{}: {error}", player.name()));
        assert!(
            flow::plain_notation(transaction.state(), &choice.action).starts_with("step "),
            "{}",
            player.name()
        );
    }
    assert_eq!(rules.take_faults().len(), 1, "the mistake is known once, however often it was made");
    assert!(rules.take_faults().is_empty());
    // What checks rules wants all of them to be sound.
    assert!(matches!(
        flow::legal(&*rules, transaction.state(), SeatId(0)),
        Err(Rejection::Fault(_))
    ));
}

#[test]
fn at_a_table_with_computers_the_mistake_is_told_and_the_match_goes_on() {
    let source = source(WRONG, "view.empty", "");
    let (_session, mut client) = session(&source, &["human", "greedy"]);
    assert!(matches!(play(&mut client, "step a1").0, Reply::Done { .. }));
    let mut told = 0;
    while client.mirror().at() < 3 {
        let message = client.poll(Some(Duration::from_secs(20))).unwrap().expect("the computer's action");
        told += usize::from(matches!(message, FromHost::Notice(Notice::Fault(_))));
    }
    assert_eq!(client.mirror().problems().len(), 1, "{told} told while the computer thought");
    assert!(client.mirror().history()[2].notation.starts_with("step"));
}

#[test]
fn where_everything_fails_nothing_is_offered_and_the_mistake_is_the_answer() {
    let source = source(WRONG, WRONG, "");
    let (_session, mut client) = session(&source, &[]);
    let (reply, faults) = asked(&mut client, Command::Legal { seat: None });
    let Reply::Fault(fault) = reply else { panic!("{reply:?}") };
    assert_eq!(fault.hook, "may_leap");
    assert!(faults.iter().all(|told| told != &*fault), "what is answered is not told as well");
    // The match stands, and computers wait.
    let (_session, mut client) = session(&source, &["greedy", "human"]);
    while !client.mirror().is_paused() {
        client.poll(Some(Duration::from_secs(20))).unwrap().expect("that computers wait");
    }
    assert_eq!(client.mirror().at(), 1);
}

/// A seat is passed over when it can do nothing, not when nobody knows what it can do.
#[test]
fn a_mistake_does_not_pass_a_seat_over() {
    let sound = source("view.seat.name == \"light\"", "[]", PASSES);
    let (_session, mut client) = session(&sound, &[]);
    assert!(matches!(play(&mut client, "leap").0, Reply::Done { .. }));
    assert_eq!(
        client.mirror().main_view().unwrap().acting().first(),
        Some(SeatId(0)),
        "dark is passed over"
    );
    let broken = source("if view.seat.name == \"light\" { true } else { view.nonsense }", "[]", PASSES);
    let (_session, mut client) = session(&broken, &[]);
    let (reply, _) = play(&mut client, "leap");
    assert!(matches!(&reply, Reply::Fault(fault) if fault.hook == "may_leap"), "{reply:?}");
    assert_eq!(
        client.mirror().main_view().unwrap().acting().first(),
        Some(SeatId(0)),
        "the action did not happen"
    );
}
