//! Rules changed under a running match: a thousand edits, good and broken, never lose or corrupt it.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use crate::common::{Bundled, root};
use boardwright::client::Connection;
use boardwright::client::MatchChoice;
use boardwright::content::Catalog;
use boardwright::host::{Match, verify};
use boardwright::local::{LocalMatch, SavedMatch};
use boardwright::model::diagnostic::{Code, Diagnostic, Severity};
use boardwright::model::{Board, Declarations, Fingerprint, Policy, State, Value};
use boardwright::protocol::{Command, FromHost, Notice, Reply};
use boardwright::rules::{Generator, MakeRules, Rules, RulesSource, flow};
use boardwright::ruleset::{Layer, Sources};
use boardwright::script::{Limits, ScriptSource};

const RULESET: &str = "sixteen-soldiers";

fn compile(text: &str) -> Option<ScriptSource> {
    let sources = Sources::of(Layer::new(RULESET).with("rules.rhai", text));
    ScriptSource::new(Arc::new(sources), Limits::default()).ok()
}

/// Rules that cannot be compiled a second time.
struct CompiledOnce(ScriptSource);

impl RulesSource for CompiledOnce {
    fn declarations(&self) -> &Arc<Declarations> {
        RulesSource::declarations(&self.0)
    }

    fn fingerprint(&self) -> Fingerprint {
        RulesSource::fingerprint(&self.0)
    }

    fn rules(&self, _: &Arc<Board>, _: &Arc<Declarations>, _: &[Value]) -> Result<Box<dyn Rules>, Diagnostic> {
        Err(Diagnostic::error(Code::Script, "the rules are compiled again"))
    }
}

#[test]
fn rules_that_were_compiled_to_be_checked_are_not_compiled_again_to_be_played() {
    let bundled = Bundled::read(RULESET, "standard");
    let mut playing = Match::begin(bundled.source.clone(), bundled.setup(), 1, Policy::default()).unwrap();
    let text = fs::read_to_string(root().join("rulesets").join(RULESET).join("rules.rhai")).unwrap();
    let changed = || {
        let sources = Sources::of(Layer::new(RULESET).with("rules.rhai", format!("{text}\n// changed\nfn more() {{ 1 }}\n")));
        ScriptSource::compile(Arc::new(sources), Limits::default()).unwrap()
    };
    let (source, program) = changed();
    let make: MakeRules = Box::new(move |board, declarations, options| source.rules_of(program, board, declarations, options));
    let event = playing.reload_made_by(Arc::new(CompiledOnce(changed().0)), Some(make), Vec::new());
    assert!(event.is_ok(), "{event:?}");
    assert_eq!(playing.rules().fingerprint(), RulesSource::fingerprint(&changed().0));
    let seat = playing.state().acting().first().unwrap();
    assert!(!flow::legal(playing.rules(), playing.state(), seat).unwrap().is_empty());
}

/// An edit as authors make them while they play: sensible ones, slips, and a cat on the keyboard.
fn edit(text: &str, generator: &mut Generator) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let line = generator.below(lines.len() as u32) as usize;
    match generator.below(9) {
        0 => return text.replace("[plain_step(), capture(options.must_capture)]", "[capture(false), plain_step()]"),
        1 => return text.replace("integer: 60, min: 1", &format!("integer: {}, min: 1", 2 + generator.below(400))),
        2 => return text.replace("times(2)", &format!("times({})", 1 + generator.below(3))),
        3 => {
            return text.replace(
                "kinds: [#{ name: \"soldier\"",
                "kinds: [#{ name: \"knight\" }, #{ name: \"soldier\"",
            );
        }
        4 => return text.replace("\"quiet_moves\", title", "\"loud_moves\", title"),
        5 => drop(lines.remove(line)),
        6 => {
            let again = lines[line].clone();
            lines.insert(line, again);
        }
        7 => lines[line].push_str(["}", "{", "\"", ");", " + 1", "//", "#{"][generator.below(7) as usize]),
        _ => {
            let place = generator.below(lines[line].chars().count() as u32 + 1) as usize;
            let letter = char::from(b' ' + generator.below(95) as u8);
            lines[line] = lines[line]
                .chars()
                .take(place)
                .chain([letter])
                .chain(lines[line].chars().skip(place + 1))
                .collect();
        }
    }
    lines.join("\n")
}

#[test]
fn a_thousand_edits_never_lose_or_corrupt_a_match() {
    let original = fs::read_to_string(root().join("rulesets").join(RULESET).join("rules.rhai")).unwrap();
    let bundled = Bundled::read(RULESET, "standard");
    let mut generator = Generator::new(11);
    let mut known: Vec<Arc<dyn RulesSource>> = vec![bundled.source.clone()];
    let (mut taken, mut refused, mut broken) = (0, 0, 0);
    let mut one = Match::begin(bundled.source.clone(), bundled.setup(), 1, Policy::default()).unwrap();
    for _ in 0..1_000 {
        let before = State::clone(one.state());
        let in_force = one.rules().fingerprint();
        match compile(&edit(&original, &mut generator)) {
            None => broken += 1,
            Some(source) => {
                let source = Arc::new(source);
                if one.reload(source.clone(), Vec::new()).is_ok() {
                    known.push(source);
                    taken += 1;
                } else {
                    refused += 1;
                    assert_eq!(**one.state(), before, "a refused reload left something behind");
                    assert_eq!(one.rules().fingerprint(), in_force);
                }
            }
        }
        assert_eq!(one.state().digest(), one.state().digest_from_scratch());
        // Play goes on, or where the match has ended a new one begins; its journal, run again, gives the same.
        let acting = one.state().acting().first();
        let legal = acting.map(|seat| flow::legal(one.rules(), one.state(), seat).unwrap_or_default());
        if let Some(legal) = legal.filter(|legal| !legal.is_empty()) {
            let action = &legal[generator.below(legal.len() as u32) as usize];
            let _ = one.submit(action, one.journal().position());
            // Now and then someone looks back, so that rules change there as well.
            if generator.below(8) == 0 && one.undo(None).is_ok() && generator.below(2) == 0 {
                one.redo().unwrap();
            }
        } else {
            check_journal(&bundled, &mut one, &known);
            one = Match::begin(bundled.source.clone(), bundled.setup(), 1, Policy::default()).unwrap();
        }
    }
    check_journal(&bundled, &mut one, &known);
    assert!(
        taken > 100 && refused > 10 && broken > 100,
        "{taken} taken, {refused} refused, {broken} broken"
    );
}

/// Takes a match back to the setup and up again, runs its journal again under the rules of each event, and takes it up as a save would.
fn check_journal(bundled: &Bundled, one: &mut Match, sources: &[Arc<dyn RulesSource>]) {
    let (position, end) = (one.journal().position(), one.state().digest());
    one.go_to(0).unwrap();
    assert_eq!(**one.state(), bundled.setup());
    one.go_to(position).unwrap();
    assert_eq!(one.state().digest(), end);
    let verified = verify(bundled.setup(), one.journal(), sources, Some(one.seed())).unwrap_or_else(|difference| panic!("{difference}"));
    assert_eq!(verified.repeated + verified.applied, one.journal().all_events().len());
    let resumed = Match::resume(sources, bundled.setup(), one.seed(), one.policy(), one.journal().clone()).unwrap();
    assert_eq!(**resumed.state(), **one.state());
}

/// A folder with a ruleset, a map and a scenario of one's own.
fn content(rules: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "rulesets/pond/ruleset.xml",
        "<ruleset format='1' id='pond' title='Pond' version='1' licence='MIT' seats='2'><description>D</description></ruleset>",
    );
    write("rulesets/pond/rules.rhai", rules);
    write(
        "maps/pond/board.map.xml",
        "<map format='1' id='board' title='Board'><square width='4' height='4' diagonals='no'/></map>",
    );
    write(
        "maps/pond/standard.scenario.xml",
        "<scenario format='1' id='standard' title='Standard' ruleset='pond' map='board'/>",
    );
    folder
}

const POND: &str = r#"
/// 1 Markers are put on a pond.
fn ruleset() {
    #{
        seats: [#{ name: "light" }, #{ name: "dark" }],
        kinds: [#{ name: "marker" }],
        actions: [#{ name: "put", rule: "2", ends_turn: true, picks: [#{ name: "cell", pick: "cell" }] }],
    }
}
/// 2 Anywhere.
fn put_cell(view) { view.empty }
/// 2 A marker.
fn do_put(turn, picked) { turn.note("a marker"); turn.create("marker", turn.seat, picked.cell); }
"#;

/// Markers have a height, and can be lifted; both is declared in front of what was there.
const TALL_POND: &str = r#"
/// 1 Markers are put on a pond.
fn ruleset() {
    #{
        seats: [#{ name: "light" }, #{ name: "dark" }],
        kinds: [#{ name: "marker" }],
        properties: [#{ of: "piece", name: "height", integer: 0 }],
        actions: [
            #{ name: "lift", rule: "3", ends_turn: true, picks: [#{ name: "piece", pick: "piece" }] },
            #{ name: "put", rule: "2", ends_turn: true, picks: [#{ name: "cell", pick: "cell" }] },
        ],
    }
}
/// 2 Anywhere.
fn put_cell(view) { view.empty }
/// 2 A marker of some height.
fn do_put(turn, picked) {
    let marker = turn.create("marker", turn.seat, picked.cell);
    marker.height = 2;
}
/// 3 Any marker.
fn lift_piece(view) { view.pieces }
/// 3 By one.
fn do_lift(turn, picked) { picked.piece.height += 1; }
"#;

#[test]
fn a_match_saved_by_its_session_after_changed_files_is_taken_up_with_all_its_rules() {
    let folder = content(POND);
    let catalog = Catalog::scan(&[folder.path().to_path_buf()]);
    let choice = MatchChoice {
        ruleset: "pond".to_owned(),
        seed: Some(1.into()),
        ..MatchChoice::default()
    };
    let playing = LocalMatch::begin(&catalog, &choice).unwrap();
    let mut client = Connection::open(Box::new(playing.connect(None))).unwrap();
    client.settle().unwrap();
    for words in ["put a1", "put a2"] {
        done(&mut client, plays(words));
    }
    // A property and an action come.
    change(&mut client, &folder, TALL_POND);
    for words in ["lift a1", "put c3", "lift a2", "lift a1"] {
        done(&mut client, plays(words));
    }
    // They go again.
    change(&mut client, &folder, POND);
    assert!(matches!(client.ask(plays("lift a1")).unwrap(), Reply::Refused(_)));
    done(&mut client, plays("put d4"));
    let positions = positions(&mut client);
    assert_eq!(positions.len(), 10);

    let file = folder.path().join("pond.save.xml").display().to_string();
    let reply = client
        .ask(Command::Save {
            file: Some(file.clone()),
            overwrite: false,
        })
        .unwrap();
    assert_eq!(reply, Reply::Saved { file: file.clone() });
    let saved = SavedMatch::open(file.as_ref()).unwrap_or_else(|found| panic!("{}", found.render()));
    let verified = saved.verify().unwrap_or_else(|difference| panic!("{difference}"));
    assert_eq!((verified.repeated, verified.applied), (8, 2));

    // Taken up elsewhere, at the end and in the middle, it is the same match.
    for position in [10, 4] {
        done(&mut client, Command::GoTo { position });
        done(
            &mut client,
            Command::Save {
                file: Some(file.clone()),
                overwrite: false,
            },
        );
        let saved = SavedMatch::open(file.as_ref()).unwrap_or_else(|found| panic!("{}", found.render()));
        let again = LocalMatch::resume(&Catalog::default(), saved, &MatchChoice::default()).unwrap();
        let mut other = Connection::open(Box::new(again.connect(None))).unwrap();
        other.settle().unwrap();
        assert_eq!(other.mirror().at(), position);
        assert_eq!(self::positions(&mut other), positions);
        // Undo goes on under the newest rules, which were those of the end.
        done(&mut other, Command::GoTo { position: 7 });
        done(&mut other, Command::Undo);
        assert!(matches!(other.ask(plays("lift a1")).unwrap(), Reply::Refused(_)));
        done(&mut other, plays("put b1"));
        assert_eq!(other.mirror().at(), 8, "the rules changed in front of it");
    }
}

#[test]
fn changed_rules_in_which_a_word_does_not_exist_do_not_come_into_force() {
    let folder = content(POND);
    let choice = MatchChoice {
        ruleset: "pond".to_owned(),
        ..MatchChoice::default()
    };
    let catalog = Catalog::scan(&[folder.path().to_path_buf()]);
    let playing = LocalMatch::begin(&catalog, &choice).unwrap();
    let mut client = Connection::open(Box::new(playing.connect(None))).unwrap();
    client.settle().unwrap();
    done(&mut client, plays("put a1"));
    // It compiles, and nothing runs the rule before somebody puts a marker.
    let slip = POND.replace("turn.create(", "turn.craete(");
    fs::write(folder.path().join("rulesets/pond/rules.rhai"), &slip).unwrap();
    let Reply::Problems { problems } = client.ask(Command::Reload).unwrap() else {
        panic!("the rules came into force")
    };
    assert_eq!(
        (problems[0].code.text(), problems[0].line()),
        ("unknown-function", 13),
        "{problems:?}"
    );
    assert_eq!(client.mirror().problems(), problems);
    done(&mut client, plays("put a2"));
    change(&mut client, &folder, POND);
    assert!(client.mirror().problems().is_empty());
    // Nor does a match begin with them.
    fs::write(folder.path().join("rulesets/pond/rules.rhai"), &slip).unwrap();
    let refused = LocalMatch::begin(&Catalog::scan(&[folder.path().to_path_buf()]), &choice).unwrap_err();
    assert!(refused.to_string().contains("unknown-function"), "{refused}");
}

#[test]
fn changed_rules_that_do_not_come_to_an_end_when_they_are_played_do_not_come_into_force_and_taken_back_nothing_has_changed() {
    let folder = content(POND);
    let choice = MatchChoice {
        ruleset: "pond".to_owned(),
        ..MatchChoice::default()
    };
    let catalog = Catalog::scan(&[folder.path().to_path_buf()]);
    let playing = LocalMatch::begin(&catalog, &choice).unwrap();
    let mut client = Connection::open(Box::new(playing.connect(None))).unwrap();
    client.settle().unwrap();
    done(&mut client, plays("put a1"));
    // Nothing but an action runs the rule.
    fs::write(
        folder.path().join("rulesets/pond/rules.rhai"),
        POND.replace("turn.create(", "loop { } turn.create("),
    )
    .unwrap();
    let Reply::Problems { problems } = client.ask(Command::Reload).unwrap() else {
        panic!("the rules came into force")
    };
    assert_eq!((problems[0].code, problems[0].line()), (Code::BudgetOperations, 13), "{problems:?}");
    done(&mut client, plays("put a2"));

    fs::write(folder.path().join("rulesets/pond/rules.rhai"), POND).unwrap();
    client.ask(Command::Reload).unwrap();
    let told = loop {
        if let Some(FromHost::Notice(Notice::Reloaded { changes, .. })) = client.poll(Some(Duration::from_secs(20))).unwrap() {
            break changes;
        }
    };
    assert_eq!(told, [""; 0]);
}

fn plays(words: &str) -> Command {
    Command::Play {
        text: words.to_owned(),
        seat: None,
        at: None,
    }
}

#[track_caller]
fn done(client: &mut Connection, command: Command) {
    let reply = client.ask(command).unwrap();
    assert!(matches!(reply, Reply::Done { .. } | Reply::Saved { .. }), "{reply:?}");
}

fn change(client: &mut Connection, folder: &tempfile::TempDir, rules: &str) {
    fs::write(folder.path().join("rulesets/pond/rules.rhai"), rules).unwrap();
    done(client, Command::Reload);
}

/// The digest of what is seen at every position, from the end back to the beginning, and the position of the view.
fn positions(client: &mut Connection) -> Vec<(u64, u64)> {
    let length = client.mirror().length();
    let back = (1..=length).rev().map(|position| {
        done(client, Command::GoTo { position });
        let view = client.mirror().main_view().unwrap();
        assert_eq!(view.digest(), view.digest_from_scratch());
        (view.digest(), view.position())
    });
    back.collect()
}

/// A match on the pond in which a marker was put on a1, with the rules in two files.
fn on_a_pond() -> (tempfile::TempDir, LocalMatch, Connection) {
    let folder = content(POND);
    let (declarations, hooks) = POND.split_at(POND.find("/// 2 A marker.").unwrap());
    fs::write(folder.path().join("rulesets/pond/rules.rhai"), declarations).unwrap();
    fs::write(folder.path().join("rulesets/pond/putting.rhai"), hooks).unwrap();
    let choice = MatchChoice {
        ruleset: "pond".to_owned(),
        ..MatchChoice::default()
    };
    let playing = LocalMatch::begin(&Catalog::scan(&[folder.path().to_path_buf()]), &choice).unwrap();
    let mut client = Connection::open(Box::new(playing.connect(None))).unwrap();
    client.settle().unwrap();
    done(&mut client, plays("put a1"));
    (folder, playing, client)
}

fn problems_of_reload(client: &mut Connection) -> Vec<boardwright::model::diagnostic::Diagnostic> {
    match client.ask(Command::Reload).unwrap() {
        Reply::Problems { problems } => problems,
        other => panic!("the rules came into force: {other:?}"),
    }
}

#[test]
fn what_changed_rules_lose_is_told_where_it_should_be_with_where_it_was() {
    let (folder, _playing, mut client) = on_a_pond();
    let rules = folder.path().join("rulesets/pond/rules.rhai");
    let text = fs::read_to_string(&rules).unwrap();
    fs::write(
        &rules,
        text.replace("kinds: [#{ name: \"marker\" }]", "\n\n        kinds: [#{ name: \"token\" }]"),
    )
    .unwrap();
    let problems = problems_of_reload(&mut client);
    let [lost] = problems.as_slice() else { panic!("{problems:?}") };
    assert_eq!(
        (lost.code.text(), lost.file(), lost.line()),
        ("does-not-fit", "rulesets/pond/rules.rhai", 8)
    );
    assert_eq!(lost.message, "kind \"marker\" is in use and no longer declared");
    assert!(lost.column() > 0 && lost.source_line().unwrap().contains("token"), "{lost:?}");
    let help = lost.help.as_ref().unwrap();
    assert!(
        help.starts_with("it was declared in rulesets/pond/rules.rhai:6 by `kinds: [#{ name: \"marker\" }],`"),
        "{help}"
    );
    done(&mut client, plays("put a2"));
}

#[test]
fn a_file_that_was_deleted_is_named_beside_what_is_missing() {
    let (folder, _playing, mut client) = on_a_pond();
    fs::remove_file(folder.path().join("rulesets/pond/putting.rhai")).unwrap();
    let problems = problems_of_reload(&mut client);
    let codes: Vec<&str> = problems.iter().map(|problem| problem.code.text()).collect();
    assert_eq!(codes.first().copied(), Some("missing-hook"), "{problems:?}");
    let gone = problems.last().unwrap();
    assert_eq!((gone.severity, gone.file()), (Severity::Note, "rulesets/pond/putting.rhai"));
    assert!(gone.message.starts_with("the file is gone"), "{gone:?}");
    done(&mut client, plays("put a2"));
}

#[test]
fn a_manifest_that_is_broken_meanwhile_is_told_with_its_place() {
    let (folder, _playing, mut client) = on_a_pond();
    fs::write(folder.path().join("rulesets/pond/ruleset.xml"), "<ruleset format='1'\n  id='pond'").unwrap();
    let problems = problems_of_reload(&mut client);
    assert_eq!(problems[0].file(), "rulesets/pond/ruleset.xml", "{problems:?}");
    assert!(problems[0].line() > 0, "{problems:?}");
    done(&mut client, plays("put a2"));
}

#[test]
fn a_look_that_never_ends_does_not_come_into_force() {
    let (folder, _playing, mut client) = on_a_pond();
    let endless = format!("{POND}/// 4 Nothing.\nfn panel(view) {{ loop {{ }} }}\n");
    fs::remove_file(folder.path().join("rulesets/pond/putting.rhai")).unwrap();
    fs::write(folder.path().join("rulesets/pond/rules.rhai"), endless).unwrap();
    let problems = problems_of_reload(&mut client);
    assert_eq!(
        (problems[0].code.text(), problems[0].file()),
        ("budget-operations", "rulesets/pond/rules.rhai")
    );
    done(&mut client, plays("put a2"));
}

#[test]
fn a_match_is_looked_at_while_hostile_rules_are_tried_on_it() {
    let content = crate::command_line::copied(&["tic-tac-toe"]);
    let choice = MatchChoice {
        ruleset: "tic-tac-toe".to_owned(),
        ..MatchChoice::default()
    };
    let playing = LocalMatch::begin(&Catalog::scan(&[content.path().to_path_buf()]), &choice).unwrap();
    let mut client = Connection::open(Box::new(playing.connect(None))).unwrap();
    client.settle().unwrap();
    let file = content.path().join("rulesets/tic-tac-toe/rules.rhai");
    let rules = fs::read_to_string(&file).unwrap();
    for hostile in [
        "fn migrate(turn) { loop { } }",
        "fn migrate(turn) { loop { turn.cells.neighbours; } }",
        "fn migrate(turn) { let n = 0; while n < 100000000 { n += 1; } }",
    ] {
        fs::write(&file, format!("{rules}\n/// 9 Never ends.\n{hostile}\n")).unwrap();
        assert!(playing.session().reload(std::time::Instant::now()));
        let mut views = 0;
        while client.mirror().problems().is_empty() {
            let reply = client.ask(Command::View { seat: None }).unwrap();
            assert!(matches!(reply, Reply::View(_)), "{reply:?}");
            views += 1;
        }
        assert!(views > 1, "the match stood still while the rules were tried");
        let codes = [Code::BudgetTime, Code::BudgetOperations];
        assert!(
            codes.contains(&client.mirror().problems()[0].code),
            "{:?}",
            client.mirror().problems()
        );
        // What is sound again comes into force, and nothing is left of the trial.
        fs::write(&file, format!("{rules}\n// sound {hostile}\n")).unwrap();
        assert!(matches!(client.ask(Command::Reload).unwrap(), Reply::Done { .. }));
        assert!(client.mirror().problems().is_empty());
    }
}
