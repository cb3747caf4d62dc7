//! Saved matches open as they were, carry their rules, and tell damage.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use boardwright::client::{Connection, MatchChoice};
use boardwright::content::xml::{Document as _, Source};
use boardwright::content::{BACKUPS, Catalog, LoadedScenario, MOST_SAVE_BYTES, Save, Version};
use boardwright::host::{Event, Journal, Match, verify};
use boardwright::local::{LocalMatch, SavedMatch};
use boardwright::model::diagnostic::Diagnostics;
use boardwright::model::{Fingerprint, State};
use boardwright::model::{Policy, RefusalCode, UndoPolicy};
use boardwright::protocol::{Command, Reply};
use boardwright::rules::{Generator, RulesSource, flow, random_action};
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Limits, ScriptSource};
use proptest::prelude::*;

const BUNDLED: [&str; 2] = ["sixteen-soldiers", "tic-tac-toe"];

fn open(ruleset: &str) -> LoadedScenario {
    let catalog = Catalog::scan(&[Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()]);
    catalog.open(ruleset, None).unwrap_or_else(|found| panic!("{}", found.render()))
}

fn source(sources: &Sources) -> Arc<ScriptSource> {
    let source = ScriptSource::new(Arc::new(sources.clone()), Limits::default());
    Arc::new(source.unwrap_or_else(|found| panic!("{}", found.render())))
}

fn begin(source: &Arc<ScriptSource>, start: &State, seed: u64, policy: Policy) -> Match {
    Match::begin(source.clone(), start.clone(), seed, policy).unwrap_or_else(|error| panic!("{error}"))
}

fn play(one: &mut Match, seed: u64, most: usize) {
    let mut generator = Generator::new(seed);
    for _ in 0..most {
        let Some(seat) = one.state().acting().first() else { return };
        let legal = flow::legal(one.rules(), one.state(), seat).unwrap();
        let action = &legal[generator.below(legal.len() as u32) as usize];
        one.submit(action, one.journal().position()).unwrap();
    }
}

fn save(opened: &LoadedScenario, one: &Match, rules: BTreeMap<Fingerprint, Sources>) -> Save {
    Save {
        ruleset: opened.ruleset.id.clone(),
        title: "Evening <1>".to_owned(),
        program: Version::of_program(),
        clock: None,
        logged: None,
        saved: Some("2026-11-21 08:00".to_owned()),
        map: opened.map.map.clone(),
        scenario: opened.scenario.scenario.clone(),
        players: one
            .state()
            .declarations()
            .seats
            .iter()
            .zip(["human", "search:5"])
            .map(|(seat, plays)| (seat.name.to_string(), plays.to_owned()))
            .collect(),
        policy: one.policy(),
        generator: Generator::NAME.to_owned(),
        seed: one.seed(),
        journal: one.journal().clone(),
        rules,
    }
}

#[test]
fn a_saved_match_opens_at_its_position_and_proves_what_happened() {
    for ruleset in BUNDLED {
        let opened = open(ruleset);
        let source = source(&opened.sources);
        let start = opened.scenario.scenario.setup.build(&opened.board, source.declarations()).unwrap();
        let policy = Policy {
            undo: UndoPolicy::OwnTurn,
            debug: false,
            reload: true,
        };
        let mut one = begin(&source, &start, u64::MAX - 1, policy);
        play(&mut one, 3, 200);
        // Lines that are left become variations, also of one another.
        for (seed, share) in [(4, 2), (5, 3)] {
            one.go_to((one.journal().position() / share).max(1)).unwrap();
            play(&mut one, seed, 20);
        }
        assert!(!one.journal().variations().is_empty());
        one.go_to(one.journal().position() / 2).unwrap();

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("evening.save.xml");
        let saved = save(&opened, &one, BTreeMap::from([(source.fingerprint(), opened.sources.clone())]));
        saved
            .write(&path, BACKUPS)
            .unwrap_or_else(|error| panic!("{error}: {}", error.help()));
        let read = Save::open(&path, "evening.save.xml").unwrap_or_else(|found| panic!("{}", found.render()));
        assert_eq!(read, saved);

        // From the file alone: rules, board, start, journal.
        let carried = self::source(&read.rules[&read.journal.events()[0].fingerprint]);
        let board = Arc::new(boardwright::model::Board::from_map(&read.map).unwrap());
        let start = read.scenario.setup.build(&board, carried.declarations()).unwrap();
        let resumed = Match::resume(
            &[Arc::clone(&carried) as Arc<dyn RulesSource>],
            start.clone(),
            read.seed,
            read.policy,
            read.journal.clone(),
        )
        .unwrap();
        assert_eq!(resumed.state().digest(), one.state().digest());
        assert_eq!((resumed.journal(), resumed.policy()), (one.journal(), policy));
        let verified = verify(start, &read.journal, &[carried as Arc<dyn RulesSource>], Some(read.seed)).unwrap();
        assert_eq!((verified.repeated, verified.applied), (read.journal.all_events().len(), 0));
    }
}

/// A layer that declares something more of every sort, in front of what is there.
const MORE: &str = r#"
fn more(declared, key, item) {
    let known = if key in declared { declared[key] } else { [] };
    declared[key] = [item] + known;
    declared
}
fn ruleset() {
    let declared = base::ruleset();
    for of in ["match", "seat", "piece", "cell"] {
        declared = more(declared, "properties", #{ of: of, name: "added", integer: 3 });
    }
    declared = more(declared, "kinds", #{ name: "added" });
    declared = more(declared, "zones", #{ name: "added", each: "seat" });
    declared = more(declared, "options", #{ name: "added", flag: true });
    more(declared, "actions", #{ name: "added", rule: "9", picks: [#{ name: "piece", pick: "piece" }] })
}
fn may_added(view) { false }
fn added_piece(view) { view.pieces }
fn do_added(turn, picked) { turn.remove(picked.piece); }
fn migrate(turn) {
    turn.added = 4;
    for seat in turn.seats { seat.added = 5; }
    for piece in turn.pieces { piece.added += 3; }
    for cell in turn.occupied { cell.added = 7; }
}
"#;

#[test]
fn a_match_of_every_ruleset_is_saved_across_declarations_that_come_and_go() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let catalog = Catalog::scan(&[root.to_path_buf()]);
    for ruleset in catalog.rulesets.keys() {
        let opened = open(ruleset);
        let mut changed = opened.sources.clone();
        changed.layers.push(Layer::new("more").with("more.rhai", MORE));
        let (plain, more) = (source(&opened.sources), source(&changed));
        let start = opened.scenario.scenario.setup.build(&opened.board, plain.declarations()).unwrap();
        let mut one = begin(&plain, &start, 5, Policy::default());
        play(&mut one, 1, 2);
        for (round, next) in [&more, &plain, &more].into_iter().enumerate() {
            one.reload(Arc::clone(next) as Arc<dyn RulesSource>, vec![format!("change {round}")])
                .unwrap_or_else(|error| panic!("{ruleset}: {error}"));
            play(&mut one, round as u64, 2);
        }
        let states: Vec<_> = (0..=one.journal().position())
            .map(|position| {
                one.go_to(position).unwrap();
                State::clone(one.state())
            })
            .collect();

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("changed.save.xml");
        let sources = [(plain.fingerprint(), opened.sources.clone()), (more.fingerprint(), changed)];
        let saved = save(&opened, &one, BTreeMap::from(sources));
        saved
            .write(&path, BACKUPS)
            .unwrap_or_else(|error| panic!("{error}: {}", error.help()));
        let read = SavedMatch::open(&path).unwrap_or_else(|found| panic!("{}", found.render()));
        let verified = read.verify().unwrap_or_else(|difference| panic!("{ruleset}: {difference}"));
        assert_eq!((verified.repeated, verified.applied), (one.journal().position() - 3, 3));
        let sources: [Arc<dyn RulesSource>; 2] = [plain, more];
        let mut again = Match::resume(&sources, read.start, read.save.seed, read.save.policy, read.save.journal).unwrap();
        for (position, state) in states.iter().enumerate().rev() {
            again.go_to(position).unwrap();
            assert_eq!(**again.state(), *state, "{ruleset} at {position}");
        }
    }
}

/// A short match with all that a save may hold.
fn small() -> Save {
    let opened = open("tic-tac-toe");
    let source = source(&opened.sources);
    let start = opened.scenario.scenario.setup.build(&opened.board, source.declarations()).unwrap();
    let mut one = begin(&source, &start, 7, Policy::default());
    play(&mut one, 7, 4);
    // Short sources, so that the file is.
    let sources = |text: &str| Sources::of(Layer::new("rulesets/tic-tac-toe").with("rules.rhai", text));
    let rules = ["// one", "// two"].map(|text| (sources(text).fingerprint(), sources(text)));
    // The first event was made under the one, the last under rules that are not at hand.
    let fingerprints = [rules[0].0, rules[1].0, rules[1].0, rules[1].0, Fingerprint::of(b"three")];
    let events = one.journal().events().iter().zip(fingerprints).map(|(event, fingerprint)| {
        Arc::new(Event {
            fingerprint,
            ..Event::clone(event)
        })
    });
    let mut saved = save(&opened, &one, BTreeMap::from(rules));
    saved.journal = Journal::new(events.collect(), one.journal().position());
    saved.scenario.overlay = Some(("more.rhai".to_owned(), "// more\n  fn f() { 1 < 2 && \"a  b\" }\n".to_owned()));
    saved
}

fn told(text: &str) -> String {
    Save::read(&Source::new("s", text)).unwrap_err().to_string()
}

/// Gives a changed text a checksum that fits, as its author would.
fn sealed(text: &str) -> String {
    let start = text.find(" checksum=\"").unwrap() + 11;
    // How lines end does not count.
    let without = format!("{}{}", &text[..start], &text[start + 64..]).replace("\r\n", "\n");
    format!("{}{}{}", &text[..start], blake3_hex(&without), &text[start + 64..])
}

fn blake3_hex(text: &str) -> String {
    Fingerprint::of(text.as_bytes()).to_string()
}

#[test]
fn every_changed_byte_is_told_as_damage() {
    let text = small().print();
    assert!(Save::read(&Source::new("s", &text)).is_ok());
    let damaged = "s: error[document]: the file is damaged or was changed by hand: its checksum does not fit";
    assert_eq!(told(&text.replacen("search:5", "search:9", 1)), damaged);
    assert_eq!(told(&text[..text.len() - 9]), damaged);
    for index in (0..text.len()).step_by(7) {
        let mut bytes = text.clone().into_bytes();
        bytes[index] ^= 1;
        let text = String::from_utf8(bytes).unwrap();
        assert!(Save::read(&Source::new("s", &text)).is_err(), "{index}");
    }
}

#[test]
fn a_save_of_a_newer_program_is_told_as_such() {
    let newer = small().print().replacen("format=\"1\"", "format=\"2\"", 1);
    assert_eq!(
        told(&newer),
        "s:2:15: error[version]: the document is of format 2; this program reads formats up to 1"
    );
}

#[test]
fn a_save_without_a_checksum_is_refused() {
    let text = small().print();
    let start = text.find(" checksum=\"").unwrap();
    let without = format!("{}{}", &text[..start], &text[start + 11 + 64 + 1..]);
    assert!(told(&without).contains("`<save>` lacks the attribute `checksum`"));
    let short = format!("{}{}", &text[..start + 40], &text[start + 11 + 64..]);
    assert!(told(&short).contains("the checksum is not one"));
}

#[test]
fn what_is_wrong_in_a_save_with_a_fitting_checksum_is_told_with_its_place() {
    let text = small().print();
    let fingerprint = small().journal.events()[0].fingerprint.to_string();
    let second = small().journal.events()[1].fingerprint.to_string();
    let missing = small().journal.events()[4].fingerprint.to_string();
    let told = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        let found = told(&sealed(&text.replacen(from, to, 1)));
        let mut lines: Vec<String> = found.lines().map(|line| line.split_once(": error").unwrap().1.to_owned()).collect();
        assert!(
            found
                .lines()
                .all(|line| line.split(':').nth(2).is_some_and(|column| column.parse::<u32>().is_ok())),
            "{found}"
        );
        lines.dedup();
        lines.join("\n")
    };
    assert_eq!(
        told("position=\"5\"", "position=\"6\""),
        "[bad-value]: `position`: 6 is past the end, there are 5 events"
    );
    assert_eq!(
        told("seed=\"7\"", "seed=\"-7\""),
        "[bad-value]: `seed`: expected a whole number or 64 hexadecimal digits, found \"-7\""
    );
    assert_eq!(
        told(&fingerprint, "xyz"),
        "[bad-value]: `rules`: expected 64 hexadecimal digits, found \"xyz\""
    );
    assert_eq!(
        told(
            &format!("<rules fingerprint=\"{second}"),
            &format!("<rules fingerprint=\"{missing}")
        ),
        "[bad-value]: the rules are not those that the fingerprint stands for"
    );
    assert!(told("<cause>\"begin\"", "<cause>\"start\"").starts_with("[bad-value]: the cause cannot be read: unknown variant `start`"));
    assert_eq!(
        told("undo=\"free\"", "undo=\"fre\""),
        "[bad-value]: `undo`: expected one of free, own-turn, never, found \"fre\""
    );
    assert_eq!(
        told("<generator ", "<genrator "),
        "[missing-value]: `<save>` lacks `<generator>`\n[unknown-key]: there is no element `<genrator>` in `<save>`"
    );
}

#[test]
fn the_save_of_format_1_is_read_as_ever() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/v1.save.xml");
    if std::env::var_os("BLESS").is_some() && !path.exists() {
        std::fs::write(&path, small().print()).unwrap();
    }
    let read = Save::open(&path, "v1.save.xml").unwrap_or_else(|found| panic!("{}", found.render()));
    assert_eq!(read.scenario, small().scenario);
    assert_eq!(
        (read.ruleset.as_str(), read.seed, read.players.len(), read.journal.position()),
        ("tic-tac-toe", 7.into(), 2, 5)
    );
    let notation: Vec<_> = read.journal.events().iter().map(|event| event.notation.to_string()).collect();
    assert_eq!(notation[0], "");
    assert!(notation[1..].iter().all(|notation| !notation.is_empty()));
    assert_eq!(
        read.rules
            .values()
            .map(|sources| sources.layers[0].files["rules.rhai"].len())
            .collect::<Vec<_>>(),
        [6, 6]
    );
}

#[test]
fn a_save_that_would_not_open_again_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.save.xml");
    let mut saved = small();
    saved.title = "\u{1}".to_owned();
    assert!(saved.write(&path, BACKUPS).unwrap_err().help().text().contains("U+0001"));
    assert!(!path.exists());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Even with a checksum that fits, nothing in a save makes its reader panic.
    #[test]
    fn no_mutilated_save_makes_the_reader_panic(cuts in prop::collection::vec((any::<prop::sample::Index>(), 0..40_usize, ".{0,6}"), 1..6)) {
        let mut text = GOLDEN.with(Clone::clone);
        for (at, length, put) in cuts {
            let at = 200 + at.index(text.len() - 200);
            let (from, to) = (text.floor_char_boundary(at), text.floor_char_boundary((at + length).min(text.len())));
            text.replace_range(from..to, &put);
        }
        let found: Result<Save, Diagnostics> = Save::read(&Source::new("s", &sealed(&text)));
        if let Err(found) = found {
            prop_assert!(!found.to_string().contains("checksum does not fit"), "{}", found);
        }
    }
}

thread_local! {
    static GOLDEN: String = small().print();
}

/// A match with dice, some actions long, as it is saved.
fn with_dice() -> Save {
    let opened = open("conquest");
    let source = source(&opened.sources);
    let start = opened.scenario.scenario.setup.build(&opened.board, source.declarations()).unwrap();
    let mut one = begin(&source, &start, 11, Policy::default());
    play(&mut one, 4, 120);
    assert!(
        one.journal().events().iter().skip(1).any(|event| !event.draws.is_empty()),
        "no dice were rolled"
    );
    save(&opened, &one, BTreeMap::from([(source.fingerprint(), opened.sources.clone())]))
}

/// What `verify` says of a save that somebody changed and sealed again.
fn verdict_of(saved: &Save) -> Result<boardwright::host::Verified, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("forged.save.xml");
    saved
        .write(&path, BACKUPS)
        .unwrap_or_else(|error| panic!("{error}: {}", error.help()));
    let opened = SavedMatch::open(&path).map_err(|found| found.to_string())?;
    opened.verify()
}

/// Changes an event of a save.
fn forge(saved: &Save, index: usize, change: impl FnOnce(&mut boardwright::host::Event)) -> Save {
    let mut events = saved.journal.events().to_vec();
    change(Arc::make_mut(&mut events[index]));
    Save {
        journal: boardwright::host::Journal::new(events, saved.journal.position()),
        ..saved.clone()
    }
}

#[test]
fn what_a_forged_save_says_of_itself_is_held_against_the_match() {
    let saved = with_dice();
    let verified = verdict_of(&saved).unwrap();
    assert_eq!((verified.repeated, verified.applied), (saved.journal.events().len(), 0));
    let rolled = saved.journal.events().iter().enumerate().skip(1);
    let rolled = rolled
        .filter(|(_, event)| !event.draws.is_empty())
        .map(|(index, _)| index)
        .next()
        .unwrap();
    let told = |forged: Save| verdict_of(&forged).expect_err("the forgery was not noticed");
    let says = |forged: Save, words: &str| {
        let told = told(forged);
        assert!(told.contains(words), "{words}: {told}");
    };
    says(forge(&saved, 9, |event| event.round += 1), "it is round ");
    says(
        forge(&saved, 9, |event| event.notation = Arc::from("a brilliant move")),
        "the rules write it as",
    );
    says(forge(&saved, 9, |event| event.generator += 16), "the generator is at");
    says(forge(&saved, 9, |event| event.digest ^= 1), "the digest is");
    says(
        forge(&saved, rolled, |event| {
            let faces = event.draws[0].result.iter().map(|face| face % 6 + 1).collect::<Vec<_>>();
            event.draws[0].result = faces.into();
        }),
        "luck gives ",
    );
    says(forge(&saved, rolled, |event| drop(event.effects.pop())), "recorded were");
    says(
        Save {
            seed: 12.into(),
            ..saved.clone()
        },
        "luck gives ",
    );
    says(
        Save {
            ruleset: "cornered".to_owned(),
            ..saved.clone()
        },
        "`cornered`",
    );
    says(
        Save {
            generator: "dice tower".to_owned(),
            ..saved.clone()
        },
        "dice tower",
    );
    let mut players = saved.players.clone();
    players[0].0 = "nobody".to_owned();
    says(Save { players, ..saved.clone() }, "there is no such seat");
    let mut scenario = saved.scenario.clone();
    scenario.map = "elsewhere".to_owned();
    says(Save { scenario, ..saved.clone() }, "is on the map `elsewhere`");
    // Options make another match.
    let mut scenario = saved.scenario.clone();
    let (_, rules) = saved.rules.first_key_value().unwrap();
    let option = source(rules)
        .declarations()
        .options
        .first()
        .map(|option| (option.name.to_string(), option.default.clone()));
    let (name, default) = option.unwrap();
    let other = match default {
        boardwright::model::Value::Flag(is_on) => (if is_on { "no" } else { "yes" }).to_owned(),
        boardwright::model::Value::Integer(number) => (number + 1).to_string(),
        other => panic!("{other:?}"),
    };
    scenario.setup.options = vec![(name, other)];
    told(Save { scenario, ..saved });
}

#[test]
fn rules_that_no_event_names_are_not_even_unpacked() {
    let other = "0".repeat(64);
    let rules = format!("<rules fingerprint=\"{other}\" encoding=\"json+gzip+base64\">no such thing</rules>\n</save>");
    let text = sealed(&small().print().replace("</save>", &rules));
    let read = Save::read(&Source::new("s", &text)).unwrap_or_else(|found| panic!("{}", found.render()));
    assert_eq!(read, small());
}

#[test]
fn a_match_that_has_become_too_large_for_a_save_is_not_saved_and_told_with_its_size() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.save.xml");
    small().write(&path, BACKUPS).unwrap();
    let before = std::fs::read(&path).unwrap();
    let mut events = small().journal.events().to_vec();
    events.push(Arc::new(Event {
        notation: "x".repeat(MOST_SAVE_BYTES).into(),
        ..Event::clone(&events[0])
    }));
    let large = Save {
        journal: Journal::new(events, 1),
        ..small()
    };
    let error = large.write(&path, BACKUPS).unwrap_err().to_string();
    assert!(
        error.contains("is not saved: it would have 671") && error.ends_with("is 67108864"),
        "{error}"
    );
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn a_file_that_is_no_text_is_refused_in_a_few_words() {
    let found = Save::read(&Source::new("s", &"\0".repeat(10 << 20))).unwrap_err().to_string();
    assert!(found.contains("this is no text") && found.len() < 200, "{found}");
}

#[test]
fn saving_asks_before_it_writes_over_something_else_than_a_save() {
    let folder = tempfile::tempdir().unwrap();
    let choice = MatchChoice {
        ruleset: "tic-tac-toe".to_owned(),
        ..MatchChoice::default()
    };
    let begun = LocalMatch::begin(&Catalog::scan(&[crate::common::root()]), &choice).unwrap();
    let mut client = Connection::open(Box::new(begun.connect(None))).unwrap();
    let notes = folder.path().join("notes.txt");
    std::fs::write(&notes, "buy bread").unwrap();
    let mut saves = |file: &Path, overwrite: bool| {
        let file = Some(file.display().to_string());
        client.ask(Command::Save { file, overwrite }).unwrap()
    };
    let reply = saves(&notes, false);
    assert!(
        matches!(&reply, Reply::Refused(refusal) if refusal.code == RefusalCode::WouldOverwrite && refusal.reason.contains("notes.txt")),
        "{reply:?}"
    );
    assert_eq!(std::fs::read_to_string(&notes).unwrap(), "buy bread");
    assert!(matches!(saves(&notes, true), Reply::Saved { .. }));
    assert_eq!(std::fs::read_to_string(folder.path().join("notes.txt.1~")).unwrap(), "buy bread");
    assert!(matches!(saves(&notes, false), Reply::Saved { .. }), "it is a save now");
    let reply = saves(Path::new("-"), true);
    assert!(
        matches!(&reply, Reply::Error { message } if message.contains("names no file")),
        "{reply:?}"
    );
}

/// Ships in one another's reach, one of which another one will fly through, over a body with bases of both, with ordnance aboard.
const CLOSE_QUARTERS: &str = r#"
<scenario format="1" id="close" title="Close quarters" ruleset="trajectory" map="inner-system" seats="blue red">
  <property of="match" name="game" value="trade"/>
  <piece kind="base" owner="blue" at="Venus" side="ne"/>
  <piece kind="base" owner="red" at="Venus" side="w"/>
  <piece kind="corvette" owner="blue" at="Venus" side="ne"/>
  <piece kind="frigate" owner="blue" at="k38" name="Lark"><property name="last" value="k38"/></piece>
  <piece kind="mine" owner="blue" aboard="Lark"/>
  <piece kind="torpedo" owner="blue" aboard="Lark"/>
  <piece kind="cruiser" owner="blue" at="k38"><property name="last" value="k38"/></piece>
  <piece kind="frigate" owner="red" at="l38" name="Wren"><property name="last" value="l38"/></piece>
  <piece kind="mine" owner="red" aboard="Wren"/>
  <piece kind="corvette" owner="red" at="l38"><property name="last" value="l38"/></piece>
  <piece kind="corvette" owner="blue" at="h38"><property name="last" value="f38"/><property name="fuel" value="0"/></piece>
  <piece kind="transport" owner="red" at="i38"><property name="last" value="i38"/><property name="fuel" value="0"/></piece>
</scenario>
"#;

/// What a match waits for: the phase, and the question that is open.
fn waiting_for(state: &State) -> String {
    let sequence = state.sequence();
    let phase = &state.declarations().phases[usize::from(sequence.phase.0)].name;
    match sequence.decision() {
        Some(question) => format!("{phase}: {}", state.declarations().action(question.action).unwrap().name),
        None => phase.to_string(),
    }
}

/// Plays one action drawn at random; false if the match is over.
fn play_one(one: &mut Match, generator: &mut Generator) -> bool {
    let acting = one.state().acting().first();
    let Some(seat) = acting.filter(|_| one.state().outcome().is_none()) else {
        return false;
    };
    let action = random_action(one.rules(), one.state(), seat, generator).unwrap().unwrap();
    one.submit(&action, one.journal().position()).unwrap();
    true
}

#[test]
fn a_match_saved_in_any_phase_or_with_a_question_open_goes_on_identically() {
    let catalog = Catalog::scan(&[Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()]);
    let close = boardwright::content::ScenarioDocument::read(&Source::new("close", CLOSE_QUARTERS.trim_start())).unwrap();
    let mut seen = std::collections::BTreeSet::new();
    let close = (0..8).map(|seed| ("trajectory", "piracy", Some(&close.scenario.setup), seed));
    let others = [
        ("conquest", "standard", None, 0),
        ("trajectory", "nova", None, 0),
        ("eight-kingdoms", "small", None, 0),
    ];
    for (ruleset, scenario, setup, seed) in others.into_iter().chain(close) {
        let mut opened = catalog.open(ruleset, Some(scenario)).unwrap();
        if let Some(setup) = setup {
            opened.scenario.scenario.setup = setup.clone();
        }
        let source = source(&opened.sources);
        let start = opened.scenario.scenario.setup.build(&opened.board, source.declarations()).unwrap();
        let mut one = begin(&source, &start, seed, Policy::default());
        let mut generator = Generator::new(seed);
        for _ in 0..200 {
            let mut waits = format!("{ruleset} {}", waiting_for(one.state()));
            // Turns of many actions are saved after each sort of them.
            if ruleset == "eight-kingdoms" {
                let last = one.journal().events().last().and_then(|event| event.action().cloned());
                let name = last.and_then(|action| {
                    one.state()
                        .declarations()
                        .action(action.action)
                        .map(|declared| declared.name.to_string())
                });
                waits = format!("{waits} after {}", name.unwrap_or_default());
            }
            if seen.insert(waits.clone()) {
                let text = save(&opened, &one, BTreeMap::from([(source.fingerprint(), opened.sources.clone())])).print();
                let read = Save::read(&Source::new("saved", &text)).unwrap();
                let sources = [Arc::clone(&source) as Arc<dyn RulesSource>];
                let resume = |journal| Match::resume(&sources, start.clone(), read.seed, read.policy, journal).unwrap();
                let (mut again, mut went_on) = (resume(read.journal.clone()), resume(one.journal().clone()));
                assert_eq!(**again.state(), **one.state(), "{waits}");
                let mut drawn = [5, 5].map(Generator::new);
                for _ in 0..12 {
                    assert_eq!(
                        play_one(&mut again, &mut drawn[0]),
                        play_one(&mut went_on, &mut drawn[1]),
                        "{waits}"
                    );
                    assert_eq!(**again.state(), **went_on.state(), "{waits}");
                }
            }
            if !play_one(&mut one, &mut generator) {
                break;
            }
        }
    }
    let of_trajectory: Vec<&str> = seen.iter().filter_map(|waits| waits.strip_prefix("trajectory ")).collect();
    assert_eq!(
        of_trajectory,
        [
            "combat",
            "combat: counterattack",
            "course",
            "fleet",
            "ordnance",
            "ramming",
            "supply"
        ]
    );
    let of_kingdoms = seen.iter().filter(|waits| waits.starts_with("eight-kingdoms ")).count();
    assert!(of_kingdoms > 6, "{seen:?}");
    assert!(seen.len() > of_trajectory.len() + of_kingdoms, "{seen:?}");
}
