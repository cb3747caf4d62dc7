//! Rules that change under a session, and rules that break down.

use super::*;
use boardwright::model::diagnostic::{Code, Diagnostic, Place};

/// Race under another name, which can be made to break down.
struct Changed {
    race: Race,
    name: &'static [u8],
    breaks: Option<&'static str>,
    explodes: Arc<AtomicBool>,
}

impl Changed {
    fn named(name: &'static [u8]) -> Self {
        Self {
            race: Race::default(),
            name,
            breaks: None,
            explodes: Arc::default(),
        }
    }
}

impl RulesSource for Changed {
    fn declarations(&self) -> &Arc<Declarations> {
        RulesSource::declarations(&self.race)
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(self.name)
    }

    fn rules(&self, _: &Arc<Board>, _: &Arc<Declarations>, _: &[Value]) -> Result<Box<dyn Rules>, Diagnostic> {
        Ok(Box::new(Self {
            race: self.race.clone(),
            explodes: Arc::clone(&self.explodes),
            ..*self
        }))
    }
}

impl Rules for Changed {
    fn declarations(&self) -> &Arc<Declarations> {
        Rules::declarations(&self.race)
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(self.name)
    }

    fn may(&self, state: &Arc<State>, seat: SeatId, action: ActionId) -> Result<bool, Rejection> {
        match self.breaks {
            Some(what) => Err(Diagnostic::error(Code::UnknownFunction, what).into()),
            None => self.race.may(state, seat, action),
        }
    }

    fn domain(&self, state: &Arc<State>, seat: SeatId, action: ActionId, picked: &[Pick]) -> Result<Domain, Rejection> {
        self.race.domain(state, seat, action, picked)
    }

    fn begin(&self, transaction: &mut Transaction) -> Result<(), Rejection> {
        self.race.begin(transaction)
    }

    fn carry_out(&self, transaction: &mut Transaction, action: &Action) -> Result<(), Rejection> {
        self.race.carry_out(transaction, action)?;
        assert!(!self.explodes.load(Ordering::Relaxed), "boom");
        Ok(())
    }

    fn enter_phase(&self, transaction: &mut Transaction) -> Result<(), Rejection> {
        self.race.enter_phase(transaction)
    }
}

type Pending = Arc<Mutex<Option<Result<Changed, Vec<Diagnostic>>>>>;

fn reloading() -> (SessionSetup, Pending) {
    let pending: Pending = Arc::default();
    let taken = Arc::clone(&pending);
    let setup = SessionSetup {
        reload: Some(Box::new(move || taken.lock().unwrap().take().unwrap().map(new_rules))),
        ..setup()
    };
    (setup, pending)
}

fn new_rules(source: Changed) -> NewRules {
    NewRules {
        source: Arc::new(source),
        make: None,
        changes: vec!["the die".to_owned()],
        gone: Vec::new(),
        problems: Vec::new(),
        info: None,
    }
}

#[test]
fn changed_rules_come_into_force_between_two_actions() {
    let (setup, pending) = reloading();
    let (session, mut client) = around_one_screen(setup);
    at(plays(&mut client, "run"));
    *pending.lock().unwrap() = Some(Ok(Changed::named(b"other")));
    assert!(session.reload(std::time::Instant::now()));
    let (changes, fingerprint) = wait_for(&mut client, |notice| match notice {
        Notice::Reloaded { changes, fingerprint, .. } => Some((changes.clone(), *fingerprint)),
        _ => None,
    });
    assert_eq!((changes, fingerprint), (vec!["the die".to_owned()], Fingerprint::of(b"other")));
    wait_until_at(&mut client, 3);
    client.settle().unwrap();
    assert_eq!(&*client.mirror().history()[2].notation, "rules changed");
    assert_eq!(at(plays(&mut client, "run")), 4);
}

#[test]
fn redo_goes_past_changed_rules_that_no_action_follows() {
    let (setup, pending) = reloading();
    let (_session, mut client) = around_one_screen(setup);
    at(plays(&mut client, "run"));
    *pending.lock().unwrap() = Some(Ok(Changed::named(b"other")));
    assert_eq!(at(client.ask(Command::Reload).unwrap()), 3);
    assert_eq!(at(client.ask(Command::Undo).unwrap()), 1);
    assert_eq!(at(client.ask(Command::Redo).unwrap()), 3);
}

#[test]
fn rules_that_fail_stay_out_and_the_problem_is_reported() {
    let (setup, pending) = reloading();
    let (_session, mut client) = around_one_screen(setup);
    let broken = Changed {
        breaks: Some("no function `foo`"),
        ..Changed::named(b"broken")
    };
    *pending.lock().unwrap() = Some(Ok(broken));
    let reply = client.ask(Command::Reload).unwrap();
    assert!(
        matches!(&reply, Reply::Problems { problems } if problems[0].code == Code::UnknownFunction),
        "{reply:?}"
    );
    assert_eq!(client.mirror().problems().len(), 1);
    let unread = Diagnostic::error(Code::Syntax, "expected `}`").at(Place::at("rules.rhai", 3, 1));
    *pending.lock().unwrap() = Some(Err(vec![unread.clone()]));
    client.ask(Command::Reload).unwrap();
    assert_eq!(client.mirror().problems(), [unread]);
    at(plays(&mut client, "run"));
    *pending.lock().unwrap() = Some(Ok(Changed::named(b"repaired")));
    at(client.ask(Command::Reload).unwrap());
    assert!(client.mirror().problems().is_empty());
}

#[test]
fn rules_changed_while_events_are_undone_are_in_force_at_once_and_none_is_lost() {
    let (setup, pending) = reloading();
    let (session, mut client) = around_one_screen(setup);
    at(plays(&mut client, "run"));
    at(client.ask(Command::Undo).unwrap());
    *pending.lock().unwrap() = Some(Ok(Changed::named(b"other")));
    session.reload(std::time::Instant::now());
    assert_eq!(wait_for(&mut client, reloaded), Fingerprint::of(b"other"));
    client.settle().unwrap();
    assert_eq!((client.mirror().at(), client.mirror().length()), (1, 2));

    // Behind undone events they come at the end.
    at(client.ask(Command::Redo).unwrap());
    wait_until_at(&mut client, 3);
    client.settle().unwrap();
    assert_eq!(&*client.mirror().history()[2].notation, "rules changed");

    // An undo keeps them, and playing on writes them down in front of the action.
    at(client.ask(Command::Undo).unwrap());
    at(client
        .ask(Command::Play {
            text: "run".to_owned(),
            seat: None,
            at: None,
        })
        .unwrap());
    client.settle().unwrap();
    let notations: Vec<_> = client.mirror().history().iter().map(|entry| entry.notation.to_string()).collect();
    assert_eq!(notations, ["", "rules changed", "run"]);
    assert_eq!(client.mirror().at(), 3);
    assert_eq!(
        client.mirror().main_view().unwrap().digest(),
        client.mirror().main_view().unwrap().digest_from_scratch()
    );
}

#[test]
fn looking_back_shows_the_rules_of_then_and_dropping_what_came_later_the_newest() {
    let (setup, pending) = reloading();
    let (_session, mut client) = around_one_screen(setup);
    at(plays(&mut client, "run"));
    *pending.lock().unwrap() = Some(Ok(Changed::named(b"other")));
    at(client.ask(Command::Reload).unwrap());
    at(client.ask(Command::GoTo { position: 1 }).unwrap());
    assert_eq!(wait_for(&mut client, reloaded), Fingerprint::of(b"other"));
    assert_ne!(wait_for(&mut client, reloaded), Fingerprint::of(b"other"));
    at(client.ask(Command::Branch).unwrap());
    assert_eq!(wait_for(&mut client, reloaded), Fingerprint::of(b"other"));
    client.settle().unwrap();
    assert_eq!((client.mirror().at(), client.mirror().length()), (2, 2));
    assert_eq!(&*client.mirror().history()[1].notation, "rules changed");
}

fn reloaded(notice: &Notice) -> Option<Fingerprint> {
    match notice {
        Notice::Reloaded { fingerprint, .. } => Some(*fingerprint),
        _ => None,
    }
}

#[test]
fn a_panic_below_is_answered_and_the_match_goes_on() {
    let source = Changed::named(b"explosive");
    let explodes = Arc::clone(&source.explodes);
    let setup = SessionSetup {
        source: Arc::new(source),
        ..setup()
    };
    let (_session, mut client) = around_one_screen(setup);
    at(plays(&mut client, "run"));
    let before = client.mirror().main_view().unwrap().position();
    explodes.store(true, Ordering::Relaxed);
    let reply = plays(&mut client, "run");
    assert!(matches!(&reply, Reply::Error { message } if message.contains("boom")), "{reply:?}");
    explodes.store(false, Ordering::Relaxed);
    let Reply::View(view) = client.ask(Command::View { seat: Some(BLUE) }).unwrap() else {
        panic!("no view")
    };
    assert_eq!(view.at, 2);
    assert_eq!(client.mirror().main_view().unwrap().position(), before);
    assert_eq!(at(plays(&mut client, "run")), 3);
    assert_eq!(client.mirror().resyncs(), 0);
}
