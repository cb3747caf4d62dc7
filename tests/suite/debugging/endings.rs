//! What ends a decision that has paused, and who may follow one at all.

use std::sync::{Arc, Mutex};

use boardwright::model::Policy;
use boardwright::model::RefusalCode;
use boardwright::model::SeatSet;
use boardwright::protocol::{Command, Notice, Reply, StepKind};
use boardwright::script::ScriptSource;
use boardwright::server::{Claim, NewRules, Session, SessionSetup};

use super::{DARK, Debugged, FILE, LIGHT, LONG, STRATEGY, join, setup_of, source_of, values};

type End = fn(&mut Debugged);

/// Whatever ends a decision that has paused is answered at once, and the match is as it should be after it.
#[test]
fn nothing_hangs_while_a_strategy_has_paused() {
    let ends: [(&str, End); 5] = [
        ("pause", |debugged| _ = debugged.says(Command::Pause { paused: true })),
        ("assign", |debugged| {
            debugged.says(Command::Assign {
                seat: LIGHT,
                player: "human".to_owned(),
            });
        }),
        ("undo", |debugged| _ = debugged.client.ask(Command::Undo).unwrap()),
        ("stop", |debugged| {
            debugged.says(Command::Stop);
            debugged.is_let_go();
        }),
        ("detach", |debugged| {
            debugged.says(Command::Attach {
                seat: LIGHT,
                attached: false,
                before: false,
                after: false,
            });
            debugged.is_let_go();
        }),
    ];
    for (name, end) in ends {
        let mut debugged = Debugged::of(STRATEGY);
        debugged.follows(true, false).begins();
        if name == "undo" {
            // Something to take back: the person acts, and it is paused in the decision after that.
            debugged.pauses();
            debugged.ends();
            let legal = debugged.client.ask(Command::Legal { seat: Some(DARK) }).unwrap();
            let Reply::Legal { at, actions, .. } = legal else {
                panic!("{legal:?}")
            };
            debugged.says(Command::Submit {
                action: actions[0].action.clone(),
                at,
            });
        }
        debugged.pauses();
        end(&mut debugged);
        assert!(
            debugged
                .client
                .mirror()
                .paused_strategy()
                .is_none_or(|paused| name == "undo" && paused.line == 2),
            "{name}"
        );
    }
    let mut debugged = Debugged::of(STRATEGY);
    debugged.follows(true, false).begins();
    debugged.pauses();
    drop(debugged.client);
    debugged.session.wait();
}

#[test]
fn a_strategy_goes_on_when_the_last_one_who_debugged_it_is_gone() {
    let mut setup = setup_of(source_of(STRATEGY), &["tried", "human"]);
    setup.ends_when_left = false;
    let session = Session::spawn(setup).unwrap();
    let mut other = join(&session, Claim::AllPeople, true);
    let mut debugged = Debugged {
        client: join(&session, Claim::Spectator, true),
        session,
    };
    debugged.follows(true, false).begins();
    debugged.pauses();
    assert_eq!(other.mirror().paused_strategy(), None, "who does not follow is told nothing");
    drop(debugged.client);
    while other.mirror().at() < 2 {
        assert!(other.poll(LONG).unwrap().is_some(), "it does not act");
    }
}

#[test]
fn only_hosts_of_matches_that_may_be_edited_debug_and_only_strategies_are_debugged() {
    let refused = |debugged: &mut Debugged, seat| {
        let follow = Command::Attach {
            seat,
            attached: true,
            before: true,
            after: false,
        };
        let others = [
            Command::BreakPoints { points: Vec::new() },
            Command::Watches { expressions: Vec::new() },
            Command::DebugPause,
            Command::Step { kind: StepKind::Into },
        ];
        let codes = [follow]
            .into_iter()
            .chain(others)
            .map(|command| match debugged.client.ask(command).unwrap() {
                Reply::Refused(refusal) => Some(refusal.code),
                _ => None,
            });
        codes.collect::<Vec<_>>()
    };
    let policy = Some(RefusalCode::Policy);
    let mut rated = Debugged::with(SessionSetup {
        policy: Policy {
            debug: false,
            ..Policy::default()
        },
        ..setup_of(source_of(STRATEGY), &["tried", "human"])
    });
    assert_eq!(refused(&mut rated, LIGHT), [policy; 5]);
    let mut host = Debugged::of(STRATEGY);
    let guest = join(&host.session, Claim::Seats(SeatSet::first_seats(2)), false);
    let mut guest = Debugged {
        session: host.session.clone(),
        client: guest,
    };
    assert_eq!(refused(&mut guest, LIGHT), [policy; 5]);
    let follow = |seat| Command::Attach {
        seat,
        attached: true,
        before: true,
        after: false,
    };
    let reply = host.client.ask(follow(DARK)).unwrap();
    assert!(
        matches!(&reply, Reply::Error { message } if message.contains("only strategies can be debugged")),
        "{reply:?}"
    );
    let reply = host.client.ask(Command::Step { kind: StepKind::Over }).unwrap();
    assert!(
        matches!(&reply, Reply::Error { message } if message == "no strategy has paused"),
        "{reply:?}"
    );
}

#[test]
fn a_strategy_that_is_changed_while_it_has_paused_begins_its_decision_again() {
    type Pending = Arc<Mutex<Option<ScriptSource>>>;
    let pending: Pending = Arc::default();
    let taken = Arc::clone(&pending);
    let mut debugged = Debugged::with(SessionSetup {
        reload: Some(Box::new(move |_| {
            let source = taken.lock().unwrap().take().ok_or_else(Vec::new)?;
            let new = NewRules {
                source: Arc::new(source),
                changes: vec![format!("{FILE} changed")],
                gone: Vec::new(),
                problems: Vec::new(),
                info: None,
                scenario: None,
            };
            Ok((new, None))
        })),
        ..setup_of(source_of(STRATEGY), &["tried", "human"])
    });
    debugged.follows(true, false).begins();
    assert_eq!(debugged.pauses().source_line.as_deref(), Some("    let sum = 0;"));
    assert_eq!(debugged.steps(StepKind::Over), 3);
    *pending.lock().unwrap() = Some(source_of(&STRATEGY.replace("let sum = 0", "let sum = 100")));
    debugged.client.send(Command::Reload).unwrap();
    let text = debugged.hears(|notice| match notice {
        Notice::Message { text } => Some(text.clone()),
        _ => None,
    });
    assert_eq!(text, "the decision of Light begins again under the changed scripts");
    debugged.hears(|notice| matches!(notice, Notice::Resumed { .. }).then_some(()));
    let report = debugged.pauses();
    assert_eq!((report.line, report.source_line.as_deref()), (2, Some("    let sum = 100;")));
    // Of the changed rules the event stands as well.
    debugged.breaks_at(&[6]).says(Command::Step { kind: StepKind::Continue });
    assert_eq!(values(&debugged.pauses())[0], "number sum = 112");
}
