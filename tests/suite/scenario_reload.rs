//! A map and a scenario changed while a match of them is running.

use std::fs;
use std::path::Path;

use boardwright::client::{Connection, MatchChoice};
use boardwright::content::Catalog;
use boardwright::local::{LocalMatch, SavedMatch};
use boardwright::model::diagnostic::Diagnostic;
use boardwright::model::{Scope, State, Target};
use boardwright::protocol::{Command, Reply};

const MANIFEST: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<ruleset format="1" id="duel" title="Duel" version="0.1.0" licence="MIT" seats="2"><description>Two walkers.</description></ruleset>"#;
const RULES: &str = r#"
/// 1 Two sides go where they like.
fn ruleset() {
    #{
        seats: [#{ name: "red" }, #{ name: "blue" }],
        kinds: [#{ name: "walker" }, #{ name: "wall" }],
        terrains: [#{ name: "land" }, #{ name: "wood" }, #{ name: "water" }],
        properties: [#{ of: "match", name: "rounds", integer: 9 }, #{ of: "cell", name: "gain", integer: 0 }],
        actions: [#{ name: "go", ends_turn: true, picks: [#{ name: "piece", pick: "piece" }, #{ name: "cell", pick: "cell" }] }],
    }
}

/// 2 A walker
fn go_piece(view) { view.pieces_of(view.seat) }

/// 2.1 goes to any empty cell, and leaves a wood as land.
fn go_cell(view, picked) { view.empty }

/// 2.2 The wood is felled.
fn do_go(turn, picked) {
    turn.move_piece(picked.piece, picked.cell);
    if picked.cell.terrain == "wood" { turn.set_terrain(picked.cell, "land"); }
}
"#;
const MAP: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<map format="1" id="field" title="Field">
  <square width="4" height="2" diagonals="no"/>
  <cell at="b1" terrain="wood"/>
  <cell at="c1" terrain="wood"/>
</map>"#;
const SCENARIO: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<scenario format="1" id="standard" title="Standard" ruleset="duel" map="field">
  <player seat="red" plays="human"/>
  <player seat="blue" plays="human"/>
  <piece kind="walker" owner="red" at="a1"/>
  <piece kind="walker" owner="red" at="a2"/>
  <piece kind="walker" owner="blue" at="d1"/>
</scenario>"#;

struct Playing {
    folder: tempfile::TempDir,
    _running: LocalMatch,
    client: Connection,
}

impl Playing {
    fn begin() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for path in ["rulesets/duel", "maps/duel"] {
            fs::create_dir_all(folder.path().join(path)).unwrap();
        }
        let write = |path: &str, text: &str| fs::write(folder.path().join(path), text).unwrap();
        write("rulesets/duel/ruleset.xml", MANIFEST);
        write("rulesets/duel/rules.rhai", RULES);
        write("maps/duel/field.map.xml", MAP);
        write("maps/duel/standard.scenario.xml", SCENARIO);
        let catalog = Catalog::scan(&[folder.path().to_path_buf()]);
        let choice = MatchChoice {
            ruleset: "duel".into(),
            saves: Some(folder.path().join("saves")),
            ..MatchChoice::default()
        };
        let running = LocalMatch::begin(&catalog, &choice).unwrap_or_else(|error| panic!("{error}"));
        let client = Connection::open(Box::new(running.connect(None))).unwrap();
        Self {
            folder,
            _running: running,
            client,
        }
    }

    fn write(&self, path: &str, text: &str) {
        fs::write(self.folder.path().join("maps/duel").join(path), text).unwrap();
    }

    fn plays(&mut self, text: &str) {
        let reply = self
            .client
            .ask(Command::Play {
                text: text.into(),
                seat: None,
                at: None,
            })
            .unwrap();
        assert!(matches!(reply, Reply::Done { .. }), "{text}: {reply:?}");
    }

    /// Reads the files again; what was said of them.
    fn reload(&mut self) -> Vec<String> {
        let reply = self.client.ask(Command::Reload).unwrap();
        let refused = matches!(reply, Reply::Problems { .. });
        let Reply::Problems { problems } = (if refused {
            reply
        } else {
            self.client.ask(Command::Problems).unwrap()
        }) else {
            panic!("no problems")
        };
        problems.iter().map(|problem: &Diagnostic| problem.message.clone()).collect()
    }

    fn at(&mut self, cell: &str) -> String {
        self.with_state(|state| {
            let pieces = state
                .pieces_at(state.board().find_cell(cell).unwrap())
                .iter()
                .filter_map(|id| state.piece(*id));
            let named = pieces.map(|piece| {
                let owner = piece.owner.map_or("nobody", |seat| &state.declarations().seats[seat.index()].name);
                format!("{owner} {}", state.declarations().kinds[piece.kind.index()].name)
            });
            let terrain = state.terrain(state.board().find_cell(cell).unwrap()).unwrap();
            named
                .chain([state.declarations().terrains[terrain.index()].name.to_string()])
                .collect::<Vec<_>>()
                .join(", ")
        })
    }

    fn with_state<T>(&mut self, read: impl FnOnce(&State) -> T) -> T {
        drop(self.client.ask(Command::View { seat: None }).unwrap());
        let mirror = self.client.mirror();
        read(mirror.view(None).expect("there is a view"))
    }

    fn digest(&mut self) -> u64 {
        self.with_state(State::digest)
    }
}

#[test]
fn what_changed_in_the_files_changes_in_the_match_where_it_is_still_as_they_had_it() {
    let mut playing = Playing::begin();
    playing.plays("go a1 c1");
    playing.plays("go d1 d2");
    let before = playing.digest();
    // The wood of c1 was left as land by the walker; that of b1 stands.
    playing.write(
        "field.map.xml",
        &MAP.replace(
            "terrain=\"wood\"/>",
            "terrain=\"water\"><property name=\"gain\" value=\"2\"/></cell>",
        ),
    );
    let scenario = SCENARIO
        .replace("  <piece kind=\"walker\" owner=\"red\" at=\"a2\"/>\n", "")
        .replace("at=\"a1\"", "at=\"b2\"")
        .replace("</scenario>", "  <piece kind=\"wall\" at=\"d1\"/>\n  <piece kind=\"wall\" at=\"d2\"/>\n  <property of=\"match\" name=\"rounds\" value=\"5\"/>\n</scenario>");
    playing.write("standard.scenario.xml", &scenario);
    let said = playing.reload();
    let after = ["a1", "b1", "c1", "d1", "a2", "b2", "d2"].map(|cell| playing.at(cell));
    assert_eq!(
        after,
        [
            "land",
            "water",
            "red walker, land",
            "nobody wall, land",
            "land",
            "red walker, land",
            "blue walker, land"
        ]
    );
    let (rounds, gain) = playing.with_state(|state| {
        let value = |target, scope, name| {
            state
                .value(target, state.declarations().find_property(scope, name).unwrap())
                .unwrap()
                .to_string()
        };
        let cell = state.board().find_cell("c1").unwrap();
        (
            value(Target::Match, Scope::Match, "rounds"),
            value(Target::Cell(cell), Scope::Cell, "gain"),
        )
    });
    assert_eq!((rounds.as_str(), gain.as_str()), ("5", "2"));
    assert_eq!(
        said,
        [
            "the terrain of c1 has changed in the match and stays",
            "Walker (a1 at first) is gone from the scenario but has moved on, and stays",
            "Wall has no room now: d2",
        ]
    );
    let carried = playing.digest();
    assert!(matches!(playing.client.ask(Command::Undo).unwrap(), Reply::Done { .. }));
    assert_eq!(playing.digest(), before);
    assert!(matches!(playing.client.ask(Command::Redo).unwrap(), Reply::Done { .. }));
    assert_eq!(playing.digest(), carried);
    verify(&mut playing);
}

/// The match is saved, opened and run again.
fn verify(playing: &mut Playing) {
    let file = playing.folder.path().join("match.save.xml");
    let saved = playing
        .client
        .ask(Command::Save {
            file: Some(file.display().to_string()),
            overwrite: true,
        })
        .unwrap();
    assert!(matches!(saved, Reply::Saved { .. }), "{saved:?}");
    let saved = SavedMatch::open(Path::new(&file)).unwrap_or_else(|found| panic!("{}", found.render()));
    saved.verify().unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn broken_files_keep_the_match_as_it_was() {
    let mut playing = Playing::begin();
    playing.plays("go a1 c1");
    let before = playing.digest();
    for (file, text) in [
        ("field.map.xml", MAP.replace("width=\"4\"", "width=\"many\"")),
        (
            "field.map.xml",
            MAP.replace(
                "terrain=\"wood\"/>",
                "terrain=\"wood\"><property name=\"gian\" value=\"2\"/></cell>",
            ),
        ),
        ("standard.scenario.xml", SCENARIO.replace("at=\"d1\"", "at=\"z9\"")),
    ] {
        playing.write(file, &text);
        let said = playing.reload();
        assert!(!said.is_empty(), "{file} is not found to be broken");
        assert_eq!(playing.digest(), before, "{said:?}");
        playing.write(file, if file.starts_with("field") { MAP } else { SCENARIO });
    }
    assert_eq!(playing.reload(), Vec::<String>::new());
    assert_eq!(playing.digest(), before);
    verify(&mut playing);
}

#[test]
fn what_takes_hold_only_in_the_next_match_is_said() {
    let mut playing = Playing::begin();
    let before = playing.digest();
    playing.write(
        "field.map.xml",
        &MAP.replace("width=\"4\"", "width=\"5\"")
            .replace("</map>", "  <region name=\"ford\" cells=\"a1\"/>\n</map>"),
    );
    let said = playing.reload().join("; ");
    for part in ["other regions", "other cells", "the cell e1 is new"] {
        assert!(said.contains(part), "{said}");
    }
    assert_eq!(playing.digest(), before);
}
