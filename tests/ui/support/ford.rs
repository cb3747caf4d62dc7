//! A ruleset that no one plays, with something of every sort that triggers speak of.

use std::fs;
use std::path::Path;

const MANIFEST: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<ruleset format="1" id="ford" title="Ford" version="0.1.0" licence="MIT OR Apache-2.0" seats="2" engine_min="0.1">
  <description>Two sides at a river.</description>
  <author>The Boardwright contributors</author>
</ruleset>
"#;

const MAP: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<map format="1" id="river" title="River">
  <square width="6" height="4" diagonals="no"/>
  <cell at="c2" terrain="water"/>
  <cell at="c3" terrain="water"/>
  <region name="ford" cells="c2 c3 d2"/>
  <region name="gate" cells="d2"/>
</map>
"#;

const SCENARIO: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<scenario format="1" id="standard" title="At the river" ruleset="ford" map="river">
  <description>Each side has a walker.</description>
  <player seat="red" plays="human"/>
  <player seat="blue" plays="human"/>
  <pieces kind="walker" owner="red" at="a1"/>
  <pieces kind="walker" owner="blue" at="f4"/>
</scenario>
"#;

const RULES: &str = r##"/// 1 Two sides with a walker each.
fn ruleset() {
    #{
        seats: [
            #{ name: "red", title: "Red", colour: "#b8402f" },
            #{ name: "blue", title: "Blue", colour: "#2f5f9e" },
        ],
        kinds: [#{ name: "walker", title: "Walker", glyph: "W" }, #{ name: "wall", title: "Wall", glyph: "#" }],
        terrains: [
            #{ name: "land", title: "Land", colour: "#d9d3a5" },
            #{ name: "water", title: "Water", colour: "#70a0b8" },
        ],
        zones: [#{ name: "reserve", title: "Reserve", each: "seat" }],
        properties: [
            #{ of: "match", name: "tension", title: "Tension", integer: 0, min: 0, max: 10 },
            #{ of: "match", name: "weather", title: "Weather", choice: "fair", words: ["fair", "rain"] },
            #{ of: "seat", name: "gold", title: "Gold", integer: 0, min: 0, max: 99 },
            #{ of: "seat", name: "rank", title: "Rank", text: "none" },
            #{ of: "piece", name: "strength", title: "Strength", integer: 3, min: 0, max: 9 },
            #{ of: "piece", name: "tired", title: "Tired", flag: false },
            #{ of: "cell", name: "held", title: "Held", text: "none" },
        ],
        actions: [
            #{ name: "go", title: "Go", rule: "2", ends_turn: true, picks: [#{ name: "cell", pick: "cell", prompt: "Where to?" }] },
        ],
    }
}

/// 2 A walker goes to the next cell,
fn go_cell(view) { view.pieces_of(view.seat).filter(|piece| piece.cell != ())[0].cell.neighbours }

/// 2 and drives what others have there away.
fn do_go(turn, picked) {
    let walker = turn.pieces_of(turn.seat).filter(|piece| piece.cell != ())[0];
    for other in turn.pieces_at(picked.cell) { turn.remove(other); }
    turn.move_piece(walker, picked.cell);
}
"##;

/// Puts the ruleset among the content of a folder.
pub fn lies_in(root: &Path) {
    for (file, text) in [
        ("rulesets/ford/ruleset.xml", MANIFEST),
        ("rulesets/ford/rules.rhai", RULES),
        ("maps/ford/river.map.xml", MAP),
        ("maps/ford/standard.scenario.xml", SCENARIO),
    ] {
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}
