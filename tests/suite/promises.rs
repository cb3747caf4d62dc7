//! The seven promises of ARCHITECTURE.md, each with its test.

use std::collections::VecDeque;
use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::{Bundled, root, row_of};
use boardwright::client::Link;
use boardwright::content::MapDocument;
use boardwright::content::xml::{Document as _, Source};
use boardwright::host::{Cause, HostError, Match, ReloadError, verify};
use boardwright::local::LocalLink;
use boardwright::model::Policy;
use boardwright::model::{Action, ActionId, Board, Effect, Pick, Picks, SeatId, Setup, State, Touched};
use boardwright::protocol::{Command, FromHost, PROTOCOL, Request};
use boardwright::rules::{Enumeration, Generator, Luck, RulesSource, Transaction, flow};
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Limits, ScriptSource};
use boardwright::server::{Claim, MatchInfo, Session, SessionHandle, SessionSetup, serve_lines};

const BUNDLED: [&str; 2] = ["sixteen-soldiers", "tic-tac-toe"];

/// A ruleset of a few lines on a board of five squares, with two seats.
fn small(text: &str) -> Arc<ScriptSource> {
    let sources = Sources::of(Layer::new("small").with("rules.rhai", text));
    let source = ScriptSource::new(Arc::new(sources), Limits::default());
    Arc::new(source.unwrap_or_else(|problems| panic!("{}", problems.render())))
}

fn row(source: &ScriptSource) -> State {
    Setup::default()
        .build(&Arc::new(Board::from_map(&row_of(5)).unwrap()), source.declarations())
        .unwrap()
}

fn begin(source: &Arc<ScriptSource>, seed: u64) -> Match {
    Match::begin(source.clone(), row(source), seed, Policy::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn act(one: &mut Match, name: &str) -> Result<(), HostError> {
    let action = one.rules().declarations().find_action(name).unwrap();
    let seat = one.state().acting().first().unwrap();
    let at = one.journal().position();
    one.submit(
        &Action {
            seat,
            action,
            picks: Picks::new(),
        },
        at,
    )
    .map(drop)
}

fn play_randomly(one: &mut Match, generator: &mut Generator, most: usize) {
    for _ in 0..most {
        let Some(seat) = one.state().acting().first() else { return };
        let legal = flow::legal(one.rules(), one.state(), seat).unwrap_or_else(|rejection| panic!("{rejection}"));
        let action = &legal[generator.below(legal.len() as u32) as usize];
        one.submit(action, one.journal().position())
            .unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn promise_1_only_effects_change_the_state() {
    for ruleset in BUNDLED {
        for seed in 0..5 {
            let bundled = Bundled::read(ruleset, "standard");
            let start = bundled.setup();
            let mut one = Match::begin(bundled.source.clone(), start.clone(), seed, Policy::default()).unwrap();
            play_randomly(&mut one, &mut Generator::new(seed), 2_000);
            assert!(one.state().outcome().is_some());
            let (end, length) = (one.state().digest(), one.journal().position());
            one.go_to(0).unwrap();
            assert_eq!(**one.state(), start, "undoing everything leads back to the setup");
            one.go_to(length).unwrap();
            assert_eq!(one.state().digest(), end, "redoing everything leads to the end");
            // The effects alone, without the rules, lead there as well.
            let mut state = start;
            for effect in one.journal().events().iter().flat_map(|event| &event.effects) {
                state.apply(effect).unwrap();
            }
            assert_eq!(state.digest(), end);
        }
    }
}

const PERILS: &str = r#"
/// 1 A match in which everything can go wrong.
fn ruleset() {
    let action = |name| #{ name: name, rule: "1", ends_turn: true };
    #{
        seats: [#{ name: "red" }, #{ name: "blue" }],
        kinds: [#{ name: "mark" }],
        properties: [#{ of: "match", name: "counter", integer: 0, min: 0, max: 9 }],
        actions: [action.call("fine"), action.call("refuse"), action.call("fail"), action.call("run_on"), action.call("sink"),
                  action.call("overflow")],
    }
}

/// 1.1 Changes much, as all others do before they go wrong.
fn change(turn) {
    turn.counter = (turn.counter + 1) % 9;
    turn.create("mark", turn.seat, turn.cell("a1"));
    turn.note("changed");
}

/// 1.1 Goes well.
fn do_fine(turn, picked) { change(turn); }

/// 1.2 Is refused.
fn do_refuse(turn, picked) { change(turn); throw refuse("1.2", "not like this"); }

/// 1.3 Fails.
fn do_fail(turn, picked) { change(turn); let list = []; list[3] }

/// 1.4 Never ends.
fn do_run_on(turn, picked) { change(turn); loop { turn.counter = 1; turn.counter = 0; } }

/// 1.5 Calls itself.
fn do_sink(turn, picked) { change(turn); do_sink(turn, picked); }

/// 1.6 Sets a property beyond its range.
fn do_overflow(turn, picked) { change(turn); turn.counter = 10; }
"#;

#[test]
fn promise_2_an_action_happens_whole_or_not_at_all() {
    let source = small(PERILS);
    let mut one = begin(&source, 1);
    act(&mut one, "fine").unwrap();
    let expected = [
        ("refuse", "rule", 0),
        ("fail", "index-out-of-range", 28),
        ("run_on", "budget", 31),
        ("sink", "budget-depth", 34),
        ("overflow", "bad-value", 37),
    ];
    for (name, code, line) in expected {
        let (before, position) = (State::clone(one.state()), one.journal().position());
        let Err(HostError::Rejected(rejection)) = act(&mut one, name) else {
            panic!("{name} went well")
        };
        if let Some(refusal) = rejection.refusal() {
            assert_eq!((code, &*refusal.rule, &*refusal.reason), ("rule", "1.2", "not like this"));
        } else {
            let fault = rejection.fault().unwrap();
            assert!(fault.code.text().starts_with(code), "{name}: {fault}");
            assert_eq!((fault.file(), fault.line()), ("small/rules.rhai", line), "{name}: {fault}");
            assert!(fault.source_line().is_some() && fault.column() > 0, "{name}: {fault}");
        }
        assert_eq!(**one.state(), before, "{name} left something behind");
        assert_eq!(one.journal().position(), position);
        act(&mut one, "fine").unwrap();
    }
}

#[test]
fn promise_3_rules_are_swapped_between_actions() {
    let source = small(PERILS);
    let mut one = begin(&source, 1);
    act(&mut one, "fine").unwrap();
    let changed = small(&PERILS.replace("% 9", "% 3").replace(
        "min: 0, max: 9 }",
        "min: 0, max: 9 }, #{ of: \"match\", name: \"extra\", flag: true }",
    ));
    let before = one.state().digest();
    let event = Arc::clone(one.reload(changed.clone(), vec!["rules.rhai".to_owned()]).unwrap());
    assert!(matches!(&event.cause, Cause::Reload { changes } if changes == &["rules.rhai"]));
    assert_eq!(event.fingerprint, changed.fingerprint());
    assert_eq!(one.state().digest(), before, "rules that add a property change nothing else");
    for _ in 0..2 {
        act(&mut one, "fine").unwrap();
    }
    let counter = one
        .state()
        .declarations()
        .find_property(boardwright::model::Scope::Match, "counter")
        .unwrap();
    let value = one.state().value(boardwright::model::Target::Match, counter).unwrap();
    assert_eq!(value.as_integer(), Some(0), "the new rules are in force");

    // Rules that lose something in use, or fail on the match, are not taken over.
    let digest = one.state().digest();
    let without_kind = small(&PERILS.replace("#{ name: \"mark\" }", "#{ name: \"token\" }"));
    assert!(matches!(one.reload(without_kind, Vec::new()), Err(ReloadError::Lost(lost)) if lost[0].name == "mark"));
    let failing = small(&format!("{PERILS}\n/// 2 Fails.\nfn outcome(view) {{ view.nonsense }}\n"));
    assert!(matches!(one.reload(failing, Vec::new()), Err(ReloadError::Fault(fault)) if fault.hook == "outcome"));
    assert_eq!((one.state().digest(), one.rules().fingerprint()), (digest, changed.fingerprint()));

    // Undo and redo go across the reload, and the journal, run again under the rules of each event, gives the same.
    let length = one.journal().position();
    one.go_to(1).unwrap();
    one.go_to(length).unwrap();
    assert_eq!(one.state().digest(), digest);
    let verified = verify(row(&source), one.journal(), &[source, changed], Some(1.into())).unwrap();
    assert_eq!((verified.repeated, verified.applied), (4, 1));
}

const DICE: &str = r#"
/// 1 Two dice decide.
fn ruleset() {
    #{
        seats: [#{ name: "red" }, #{ name: "blue" }],
        properties: [#{ of: "match", name: "sum", integer: 0 }],
        actions: [#{ name: "roll", rule: "1", ends_turn: true }],
    }
}

/// 1.1 The sum counts.
fn do_roll(turn, picked) { turn.sum = turn.roll("2d6", "the sum"); }
"#;

#[test]
fn promise_4_luck_comes_only_from_the_host() {
    let source = small(DICE);
    let state = row(&source);
    let rules = source
        .rules(state.board(), source.declarations(), &[])
        .unwrap_or_else(|fault| panic!("{fault}"));
    let roll = Action {
        seat: SeatId(0),
        action: ActionId(0),
        picks: Picks::new(),
    };
    let sum_with = |luck: Luck| {
        let mut transaction = Transaction::new(Arc::new(state.clone()), Luck::Forbidden);
        flow::begin(&*rules, &mut transaction).unwrap();
        transaction.set_luck(luck);
        let result = flow::perform(&*rules, &mut transaction, &roll);
        let value = transaction
            .state()
            .value(boardwright::model::Target::Match, boardwright::model::PropertyId(0))
            .unwrap()
            .as_integer();
        result.map(|()| (value.unwrap(), transaction))
    };
    // Roll and sample: the same seed, the same sum, and the draw is recorded with its purpose.
    let (first, transaction) = sum_with(Luck::Roll(Generator::new(4))).unwrap();
    assert_eq!(sum_with(Luck::Roll(Generator::new(4))).unwrap().0, first);
    assert_eq!(&*transaction.draws()[0].purpose, "the sum");
    // Replay: the recorded faces.
    assert_eq!(sum_with(Luck::Replay(VecDeque::from([vec![6, 5]]))).unwrap().0, 11);
    // Enumerate: all 36 results, each once.
    let mut counts = [0u32; 13];
    let mut luck = Luck::Enumerate(Enumeration::default());
    loop {
        let (sum, mut transaction) = sum_with(luck).unwrap();
        counts[sum as usize] += 1;
        luck = transaction.set_luck(Luck::Forbidden);
        let Luck::Enumerate(enumeration) = &mut luck else {
            panic!("another mode")
        };
        assert_eq!(enumeration.probability(), [(1, 36)]);
        if !enumeration.advance() {
            break;
        }
    }
    assert_eq!(counts, [0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]);
    // No other luck: the words that would bring it do not exist.
    for word in ["rand()", "timestamp()", "random(6)", "sleep(1)"] {
        let sources = Sources::of(Layer::new("small").with("rules.rhai", DICE.replace("turn.roll(\"2d6\", \"the sum\")", word)));
        let caught = match ScriptSource::new(Arc::new(sources), Limits::default()) {
            Err(_) => true,
            Ok(source) => act(&mut begin(&Arc::new(source), 1), "roll").is_err(),
        };
        assert!(caught, "{word} works");
    }
}

const HANDS: &str = r#"
/// 1 Each seat has a hidden hand from a hidden deck.
fn ruleset() {
    #{
        seats: [#{ name: "red" }, #{ name: "blue" }],
        kinds: [#{ name: "crown" }, #{ name: "scroll" }],
        zones: [#{ name: "deck", seen_by: "no one" }, #{ name: "hand", each: "seat", seen_by: "owner" }],
        properties: [#{ of: "seat", name: "errand", text: "", secret: true }],
        actions: [#{ name: "draw", rule: "1.1", ends_turn: true },
                  #{ name: "play", rule: "1.2", ends_turn: true, picks: [#{ name: "card", pick: "piece" }] }],
    }
}

/// 1 Each begins with a crown and a secret.
fn start(turn) {
    for seat in turn.seats {
        turn.create_in("hand", seat, "crown");
        seat.errand = `secret of ${seat.name}`;
    }
}

/// 1.1 A seat draws.
fn do_draw(turn, picked) { turn.create_in("hand", turn.seat, "crown"); }

/// 1.2 A card of one's own hand.
fn play_card(view) { view.zone("hand", view.seat) }

/// 1.2 A seat plays a card for all to see.
fn do_play(turn, picked) { turn.move_piece(picked.card, turn.cell("c1")); }
"#;

#[test]
fn promise_5_no_one_is_sent_what_their_seat_may_not_see() {
    let source = small(HANDS);
    let mut one = begin(&source, 1);
    act(&mut one, "draw").unwrap();
    let sent = |one: &Match, seat| serde_json::to_string(&one.view(seat).unwrap().parts()).unwrap();
    let hand_of = |one: &Match, looker: Option<SeatId>, owner: SeatId| {
        let view = one.view(looker).unwrap();
        let zone = view.declarations().find_zone("hand", Some(owner)).unwrap();
        (view.zone(zone).unwrap().pieces().len(), view.zone(zone).unwrap().count())
    };
    for (looker, own, other) in [(SeatId(0), "red", "blue"), (SeatId(1), "blue", "red")] {
        let text = sent(&one, Some(looker));
        assert!(text.contains(&format!("secret of {own}")) && !text.contains(&format!("secret of {other}")));
    }
    assert!(!sent(&one, None).contains("secret"));
    assert_eq!(hand_of(&one, Some(SeatId(0)), SeatId(0)), (2, 2));
    assert_eq!(hand_of(&one, Some(SeatId(1)), SeatId(0)), (0, 2));
    assert_eq!(hand_of(&one, None, SeatId(1)), (0, 1));

    // What is sent about an action leads each view to what it should be: a card that is played comes into sight.
    let card = one
        .view(Some(SeatId(1)))
        .unwrap()
        .pieces()
        .find(|piece| piece.owner == Some(SeatId(1)))
        .unwrap()
        .id;
    let before = Arc::clone(one.state());
    let play = Action {
        seat: SeatId(1),
        action: ActionId(1),
        picks: [Pick::Piece(card)].into_iter().collect(),
    };
    let event = Arc::clone(one.submit(&play, one.journal().position()).unwrap());
    let sight = one.sight(Some(SeatId(0))).unwrap();
    let mut view = State::clone(&before.project(&sight));
    let update = view
        .update_view((&before, &sight), (one.state(), &sight), &event.effects, Touched::ByEffects)
        .unwrap();
    let shown = update
        .effects
        .iter()
        .any(|effect| matches!(effect, Effect::Spawn(piece) if piece.id == card));
    assert!(shown && !update.is_whole, "{:?}", update.effects);
    assert_eq!(view, **one.view(Some(SeatId(0))).as_ref().unwrap());
    let on_board = one
        .view(Some(SeatId(0)))
        .unwrap()
        .piece_at(one.state().board().find_cell("c1").unwrap())
        .map(|piece| piece.id);
    assert_eq!(on_board, Some(card));
}

#[test]
fn promise_6_scripts_are_strangers() {
    // The corpus in tests/hostile has the whole of it; here a hostile ruleset loses its own match and nothing else.
    let hostile = [
        "let text = \"x\"; loop { text += text; }",
        "let list = [1]; loop { list.append(list); }",
        "import \"../../etc/passwd\" as secrets;",
        "eval(\"1\");",
        "let f = |x| x; loop { f.call(1); }",
    ];
    for body in hostile {
        let text = PERILS.replace(
            "fn do_run_on(turn, picked) { change(turn); loop { turn.counter = 1; turn.counter = 0; } }",
            &format!("fn do_run_on(turn, picked) {{ {body} }}"),
        );
        let sources = Sources::of(Layer::new("small").with("rules.rhai", text));
        let Ok(source) = ScriptSource::new(Arc::new(sources), Limits::default()) else {
            continue;
        };
        let mut one = begin(&Arc::new(source), 1);
        let before = one.state().digest();
        assert!(act(&mut one, "run_on").is_err(), "{body}");
        assert_eq!(one.state().digest(), before);
        act(&mut one, "fine").unwrap();
    }
}

/// The answers to some requests, as text, of a client in the process.
fn answers_in_process(session: &SessionHandle, requests: &[Request]) -> Vec<String> {
    let mut link = LocalLink::join(session, Claim::AllPeople, true, None);
    let mut answers = Vec::new();
    for request in requests {
        link.send(request.clone()).unwrap();
        while let Some(message) = link.receive(Some(Duration::from_secs(20))).unwrap() {
            if let FromHost::Answer(answer) = message {
                answers.push(serde_json::to_string(&answer).unwrap());
                break;
            }
        }
    }
    answers
}

/// Output that a test reads when its writer is done.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The answers to the same requests of a client behind a pipe.
fn answers_over_lines(session: &SessionHandle, requests: &[Request]) -> Vec<String> {
    let lines: String = requests
        .iter()
        .map(|request| serde_json::to_string(request).unwrap() + "\n")
        .collect();
    let output = Written::default();
    serve_lines(session, Claim::AllPeople, Cursor::new(lines), output.clone()).unwrap();
    let text = String::from_utf8(output.0.lock().unwrap().clone()).unwrap();
    let messages = text.lines().map(|line| serde_json::from_str::<FromHost>(line).unwrap());
    messages
        .filter(|message| matches!(message, FromHost::Answer(_)))
        .map(|answer| serde_json::to_string(&answer).unwrap())
        .collect()
}

#[test]
fn promise_7_one_path() {
    // A client in the process and one behind a pipe send the same messages and get the same answers. That window, terminal and
    // computer players have no other way in is checked on the source text: `./check.sh fences`.
    let session = || {
        let bundled = Bundled::read("sixteen-soldiers", "standard");
        let start = bundled.setup();
        let text = std::fs::read_to_string(root().join("maps/sixteen-soldiers/board.map.xml")).unwrap();
        let map = MapDocument::read(&Source::new("board.map.xml", &text))
            .unwrap_or_else(|problems| panic!("{}", problems.render()))
            .map;
        Session::spawn(SessionSetup::new(bundled.source, start, MatchInfo::of_map(map), 5)).unwrap()
    };
    let play = |text: &str| Command::Play {
        text: text.to_owned(),
        seat: None,
        at: None,
    };
    let commands = [
        Command::Hello { protocol: PROTOCOL },
        Command::View { seat: Some(SeatId(0)) },
        Command::Legal { seat: None },
        play("no such thing"),
        play("move a1 c9"),
        Command::History { seat: None, from: 0 },
        Command::Undo,
        Command::Looks { seat: None },
    ];
    let requests: Vec<Request> = (1..).zip(commands).map(|(id, command)| Request { id, command }).collect();
    let (in_process, over_lines) = (answers_in_process(&session(), &requests), answers_over_lines(&session(), &requests));
    assert_eq!(in_process.len(), requests.len());
    assert_eq!(in_process, over_lines);
}
