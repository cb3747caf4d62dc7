//! Rules that change under a session, and rules that break down.

use std::sync::Condvar;
use std::time::Instant;

use super::*;
use boardwright::model::diagnostic::{Code, Diagnostic, Location};
use boardwright::rules::MakeRules;

/// Race under another name, which can be made to break down.
pub(super) struct Changed {
    race: Race,
    name: &'static [u8],
    breaks: Option<&'static str>,
    explodes: Arc<AtomicBool>,
    gate: Option<Gate>,
    /// What clients are told of the change.
    pub(super) change: String,
}

/// Where the trial of rules waits until a test lets it go on.
#[derive(Clone, Default)]
struct Gate(Arc<(Mutex<(usize, bool)>, Condvar)>);

impl Gate {
    fn pass(&self) {
        let (state, changed) = &*self.0;
        let mut state = state.lock().unwrap();
        state.0 += 1;
        changed.notify_all();
        drop(changed.wait_while(state, |state| !state.1).unwrap());
    }

    fn wait_for_arrival(&self) {
        let (state, changed) = &*self.0;
        drop(changed.wait_while(state.lock().unwrap(), |state| state.0 == 0).unwrap());
    }

    fn arrivals(&self) -> usize {
        self.0.0.lock().unwrap().0
    }

    fn open(&self) {
        self.0.0.lock().unwrap().1 = true;
        self.0.1.notify_all();
    }
}

impl Changed {
    pub(super) fn named(name: &'static [u8]) -> Self {
        Self {
            race: Race::default(),
            name,
            breaks: None,
            explodes: Arc::default(),
            gate: None,
            change: "the die".to_owned(),
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
            gate: self.gate.clone(),
            change: self.change.clone(),
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

    fn migrate(&self, _: &mut Transaction) -> Result<(), Rejection> {
        self.gate.iter().for_each(Gate::pass);
        Ok(())
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

pub(super) type Pending = Arc<Mutex<Option<Result<Changed, Vec<Diagnostic>>>>>;

pub(super) fn reloading() -> (SessionSetup, Pending) {
    let pending: Pending = Arc::default();
    let taken = Arc::clone(&pending);
    let setup = SessionSetup {
        reload: Some(Box::new(move |_| taken.lock().unwrap().take().unwrap().map(new_rules))),
        ..setup()
    };
    (setup, pending)
}

fn new_rules(source: Changed) -> (NewRules, Option<MakeRules>) {
    let new = NewRules {
        changes: vec![source.change.clone()],
        source: Arc::new(source),
        gone: Vec::new(),
        problems: Vec::new(),
        info: None,
        scenario: None,
    };
    (new, None)
}

#[test]
fn changed_rules_come_into_force_between_two_actions() {
    let (setup, pending) = reloading();
    let (session, mut client) = around_one_screen(setup);
    at(plays(&mut client, "run"));
    *pending.lock().unwrap() = Some(Ok(Changed::named(b"other")));
    assert!(session.reload(Instant::now()));
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
    let unread = Diagnostic::error(Code::Syntax, "expected `}`").at(Location::at("rules.rhai", 3, 1));
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
    session.reload(Instant::now());
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

/// Rules that wait in `migrate`, and are in the way of being read.
fn gated(pending: &Pending, changed: Changed) -> Gate {
    let gate = Gate::default();
    *pending.lock().unwrap() = Some(Ok(Changed {
        gate: Some(gate.clone()),
        ..changed
    }));
    gate
}

#[test]
fn a_match_is_looked_at_and_played_while_rules_are_tried() {
    let (setup, pending) = reloading();
    let (session, mut client) = around_one_screen(setup);
    let gate = gated(
        &pending,
        Changed {
            breaks: Some("no function `foo`"),
            ..Changed::named(b"slow")
        },
    );
    assert!(session.reload(Instant::now()));
    gate.wait_for_arrival();
    for _ in 0..20 {
        assert!(matches!(client.ask(Command::View { seat: None }).unwrap(), Reply::View(_)));
    }
    at(plays(&mut client, "run"));
    assert!(client.mirror().problems().is_empty(), "the rules are still being tried");
    gate.open();
    let problems = wait_for(&mut client, |notice| match notice {
        Notice::Problems { problems } => Some(problems.clone()),
        _ => None,
    });
    assert_eq!(problems[0].code, Code::UnknownFunction);
    at(plays(&mut client, "run"));
}

#[test]
fn rules_are_tried_again_on_a_match_that_has_gone_on_meanwhile() {
    let (setup, pending) = reloading();
    let (session, mut client) = around_one_screen(setup);
    let gate = gated(&pending, Changed::named(b"slow"));
    assert!(session.reload(Instant::now()));
    gate.wait_for_arrival();
    at(plays(&mut client, "run"));
    gate.open();
    assert_eq!(wait_for(&mut client, reloaded), Fingerprint::of(b"slow"));
    wait_until_at(&mut client, 3);
    assert_eq!(gate.arrivals(), 2);
    let notations: Vec<_> = client.mirror().history().iter().map(|entry| entry.notation.to_string()).collect();
    assert_eq!(notations, ["", "run", "rules changed"]);
    let Reply::View(view) = client.ask(Command::View { seat: Some(RED) }).unwrap() else {
        panic!("no view")
    };
    assert_eq!(client.mirror().view(Some(RED)).unwrap().position(), view.position);
}

#[test]
fn a_newer_change_takes_the_place_of_one_that_is_being_tried() {
    let (setup, pending) = reloading();
    let (session, mut client) = around_one_screen(setup);
    let gate = gated(&pending, Changed::named(b"older"));
    let asked = client.send(Command::Reload).unwrap();
    gate.wait_for_arrival();
    *pending.lock().unwrap() = Some(Ok(Changed::named(b"newer")));
    assert!(session.reload(Instant::now()));
    assert_eq!(wait_for(&mut client, reloaded), Fingerprint::of(b"newer"));
    gate.open();
    // Who asked for the older rules is answered with what came of the newer ones.
    loop {
        match client.poll(LONG).unwrap() {
            Some(FromHost::Answer(answer)) if answer.id == asked => break,
            message => assert!(message.is_some(), "the request was not answered"),
        }
    }
    *pending.lock().unwrap() = Some(Ok(Changed::named(b"newest")));
    at(client.ask(Command::Reload).unwrap());
    let notations = client.mirror().history().iter().filter(|entry| &*entry.notation == "rules changed");
    assert_eq!(notations.count(), 2);
}

#[test]
fn a_session_ends_while_rules_are_tried_and_says_so_to_who_asked() {
    let (setup, pending) = reloading();
    let (session, mut client) = around_one_screen(setup);
    let gate = gated(&pending, Changed::named(b"slow"));
    let asked = client.send(Command::Reload).unwrap();
    gate.wait_for_arrival();
    assert!(matches!(client.ask(Command::Quit).unwrap(), Reply::Done { .. }));
    session.wait();
    let mut answers = Vec::new();
    while let Ok(Some(message)) = client.poll(LONG) {
        if let FromHost::Answer(answer) = message {
            answers.push((answer.id, matches!(answer.reply, Reply::Error { .. })));
        }
    }
    assert_eq!(answers, [(asked, true)]);
    gate.open();
}
