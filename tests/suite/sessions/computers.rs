//! Computer players of a session: their pace, their faults, their thinking, their hints.

use std::collections::BTreeMap;

use super::*;
use crate::common::catalog;
use boardwright::client::MatchChoice;
use boardwright::local::LocalMatch;

#[test]
fn computers_play_a_match_to_its_end_and_pause_holds_them() {
    let setup = SessionSetup {
        is_paused: true,
        ..setup_with(&["random", "greedy"])
    };
    let (_session, mut client) = around_one_screen(setup);
    assert_eq!(client.poll(Some(Duration::from_millis(150))).unwrap(), None);
    at(client.ask(Command::Pause { paused: false }).unwrap());
    while client.mirror().main_view().unwrap().outcome().is_none() {
        assert!(client.poll(LONG).unwrap().is_some());
    }
    assert_eq!(client.mirror().players(), ["random", "greedy"]);
}

#[test]
fn the_pace_is_kept_between_actions_of_computers() {
    let setup = SessionSetup {
        pace: Duration::from_millis(120),
        ..setup_with(&["random", "random"])
    };
    let (_session, mut client) = around_one_screen(setup);
    wait_until_at(&mut client, 2);
    let begun = std::time::Instant::now();
    wait_until_at(&mut client, 4);
    assert!(begun.elapsed() >= Duration::from_millis(200), "{:?}", begun.elapsed());
}

#[test]
fn the_last_report_before_an_action_is_of_that_action_whoever_plays() {
    let catalog = catalog();
    let general = [
        "random",
        "greedy",
        "search:1",
        "mcts:1",
        "mcts:2@50",
        "maxn:2",
        "paranoid:2",
        "expectimax:2",
    ];
    let in_rows = general.map(|spec| ("tic-tac-toe", ["crosses", "noughts"], spec));
    for (ruleset, seats, spec) in in_rows.into_iter().chain([("sixteen-soldiers", ["red", "blue"], "search:4")]) {
        let choice = MatchChoice {
            ruleset: ruleset.to_owned(),
            players: seats.map(|seat| (seat.to_owned(), spec.to_owned())).into(),
            is_paused: true,
            ..MatchChoice::default()
        };
        let playing = LocalMatch::begin(&catalog, &choice).unwrap();
        let mut client = Connection::open(Box::new(playing.connect(None))).unwrap();
        client.settle().unwrap();
        at(client.ask(Command::Pause { paused: false }).unwrap());
        let mut reported: BTreeMap<SeatId, (u32, Vec<Action>)> = BTreeMap::new();
        let mut acted = 0;
        while acted < 4 && client.mirror().main_view().unwrap().outcome().is_none() {
            let Some(message) = client.poll(LONG).unwrap() else {
                panic!("{spec}: nothing happens")
            };
            match message {
                FromHost::Notice(Notice::Thinking(report)) => {
                    let line = report.line.iter().map(|one| one.action.clone()).collect();
                    reported.insert(report.seat, (report.depth, line));
                }
                FromHost::Notice(Notice::Event(event)) => {
                    let Some(action) = &event.action else { continue };
                    let (depth, line) = &reported[&action.seat];
                    assert_eq!(line.first(), Some(action), "{spec} reported another action at depth {depth}");
                    assert!(client.mirror().thinking().get(&action.seat).is_none(), "{spec} still thinks");
                    acted += 1;
                }
                _ => {}
            }
        }
        assert!(acted > 0, "{spec}");
    }
}

/// A player that never chooses well.
struct Broken(&'static str);

impl Player for Broken {
    fn name(&self) -> String {
        self.0.to_owned()
    }

    fn choose(&mut self, decision: Decision<'_>, _: &mut dyn FnMut(&Thinking)) -> Result<Choice, PlayerError> {
        let Decision { seat, budget, .. } = decision;
        match self.0 {
            "panics" => panic!("no idea"),
            "slow" => {
                while !budget.interrupt.is_stopped() {
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
            _ => {}
        }
        let action = Action {
            seat,
            action: ActionId(0),
            picks: vec![Pick::Number(99)].into(),
        };
        Ok(Choice {
            action,
            evaluation: None,
            depth: 0,
            nodes: 0,
            line: Vec::new(),
            elapsed: Duration::ZERO,
            instead_of: None,
            thoughts: Vec::new(),
        })
    }
}

fn with_broken(players: &[&str]) -> SessionSetup {
    SessionSetup {
        make_player: Arc::new(|spec, context| match spec.to_string().as_str() {
            "panics" => Ok(Box::new(Broken("panics"))),
            "illegal" => Ok(Box::new(Broken("illegal"))),
            "slow" => Ok(Box::new(Broken("slow"))),
            _ => spec.build_with(context),
        }),
        ..setup_with(players)
    }
}

#[test]
fn a_player_that_fails_is_replaced_for_that_decision_and_reported() {
    for (player, said) in [("panics", "no idea"), ("illegal", "picks given")] {
        let (_session, mut client) = around_one_screen(with_broken(&[player, "human"]));
        let text = wait_for(&mut client, message);
        assert!(text.contains(player) && text.contains(said), "{text}");
        wait_until_at(&mut client, 2);
        assert_eq!(client.mirror().history()[1].seat, Some(RED));
    }
}

#[test]
fn a_thinking_player_is_interrupted_and_its_late_answer_dropped() {
    let (_session, mut client) = around_one_screen(with_broken(&["human", "slow"]));
    at(plays(&mut client, "run"));
    assert_eq!(at(client.ask(Command::Undo).unwrap()), 1);
    let reply = client
        .ask(Command::Assign {
            seat: BLUE,
            player: "human".to_owned(),
        })
        .unwrap();
    at(reply);
    assert_eq!(client.mirror().seats(), SeatSet::first_seats(2));
    at(client.ask(Command::Branch).unwrap());
    at(plays(&mut client, "run"));
    assert_eq!(
        client
            .poll(Some(Duration::from_millis(150)))
            .ok()
            .flatten()
            .and_then(|m| if let FromHost::Notice(n) = m { message(&n) } else { None }),
        None
    );
    assert_eq!(client.mirror().at(), 2);
}

#[test]
fn a_hint_comes_to_who_asked_and_names_a_legal_action() {
    let (_session, mut client) = around_one_screen(setup());
    let hint = |player: &str| Command::Hint {
        player: Some(player.to_owned()),
        milliseconds: Some(100),
    };
    at(client.ask(hint("greedy")).unwrap());
    let report = wait_for(&mut client, |notice| match notice {
        Notice::Hint(report) => Some(report.clone()),
        _ => None,
    });
    assert_eq!(report.seat, RED);
    at(plays(&mut client, &report.line[0].text));
    assert!(matches!(client.ask(hint("human")).unwrap(), Reply::Error { .. }));
    assert!(matches!(client.ask(hint("two words")).unwrap(), Reply::Error { .. }));
}

#[test]
fn whoever_asked_for_a_hint_may_have_it_at_once() {
    let mut setup = with_broken(&["human", "human"]);
    Arc::make_mut(&mut setup.info.ruleset_info).strategies = vec!["slow".to_owned()];
    let session = Session::spawn(setup).unwrap();
    let mut guest = Connection::open(Box::new(LocalLink::join(&session, Claim::AllPeople, false, None))).unwrap();
    at(guest
        .ask(Command::Hint {
            player: Some("slow".to_owned()),
            milliseconds: Some(60_000),
        })
        .unwrap());
    let mut other = Connection::open(Box::new(LocalLink::join(&session, Claim::Spectator, false, None))).unwrap();
    assert_eq!(refusal(other.ask(Command::Stop).unwrap()), RefusalCode::Policy);
    at(guest.ask(Command::Stop).unwrap());
    wait_for(&mut guest, |notice| matches!(notice, Notice::Hint(_)).then_some(()));
}
