//! A ruleset that no one plays, for stacks: ships that share a field, of which several fire at one of another stack, and actions that are confirmed.

use std::fs;
use std::path::Path;

const MANIFEST: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<ruleset format="1" id="harbour" title="Harbour" version="0.1.0" licence="MIT OR Apache-2.0" seats="2" engine_min="0.1">
  <description>Ships fire at ships.</description>
  <author>The Boardwright contributors</author>
</ruleset>
"#;

const MAP: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<map format="1" id="berths" title="Berths">
  <square width="5" height="2" diagonals="no"/>
</map>
"#;

const SCENARIO: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<scenario format="1" id="standard" title="Ten berths" ruleset="harbour" map="berths" seats="red blue">
  <description>Three ships share a berth.</description>
  <piece kind="frigate" owner="red" at="a1"/>
  <piece kind="sloop" owner="red" at="a1"/>
  <piece kind="sloop" owner="red" at="a1"/>
  <piece kind="frigate" owner="red" at="b2"/>
  <piece kind="frigate" owner="blue" at="d1"/>
  <piece kind="sloop" owner="blue" at="d1"/>
  <piece kind="sloop" owner="blue" at="e2"/>
</scenario>
"#;

const RULES: &str = r##"/// 1 Two fleets lie in a harbour.
fn ruleset() {
    #{
        seats: [
            #{ name: "red", title: "Red", colour: "#b8402f" },
            #{ name: "blue", title: "Blue", colour: "#2f5f9e" },
        ],
        kinds: [
            #{ name: "frigate", title: "Frigate", glyph: "F" },
            #{ name: "sloop", title: "Sloop", glyph: "S" },
        ],
        properties: [
            #{ of: "match", name: "shots", title: "Shots", integer: 0 },
            #{ of: "match", name: "aimed", title: "Aimed", text: "" },
        ],
        actions: [
            #{ name: "fire", title: "Fire", rule: "2", picks: [
                #{ name: "by", title: "Attackers", pick: "pieces", prompt: "Which ships fire?" },
                #{ name: "target", title: "Target", pick: "piece", prompt: "At which ship?" },
            ] },
            #{ name: "sail", title: "Sail", rule: "3", confirm: true, picks: [
                #{ name: "ship", pick: "piece" },
                #{ name: "to", pick: "cell", prompt: "Where to?" },
            ] },
            #{ name: "strike", title: "Strike", rule: "4", confirm: true, picks: [#{ name: "ship", pick: "piece" }] },
            #{ name: "done", title: "Done", rule: "5", ends_turn: true },
        ],
    }
}

/// 2 Any ships
fn fire_by(view) {
    some(view.pieces_of(view.seat), 1, 4)
}

/// 2 fire at one of another fleet.
fn fire_target(view, picked) {
    let own = view.seat;
    view.pieces.filter(|piece| piece.owner != own)
}

/// 2 It sinks.
fn do_fire(turn, picked) {
    turn.shots = picked.by.len();
    turn.aimed = picked.target.kind;
    turn.remove(picked.target);
}

/// 3 A ship
fn sail_ship(view) {
    view.pieces_of(view.seat)
}

/// 3 sails to the next berth.
fn sail_to(view, picked) {
    picked.ship.cell.neighbours
}

/// 3 It is there.
fn do_sail(turn, picked) {
    turn.move_piece(picked.ship, picked.to);
}

/// 4 A frigate strikes its flag.
fn strike_ship(view) {
    view.pieces_of(view.seat).filter(|piece| piece.kind == "frigate")
}

/// 4 It is gone.
fn do_strike(turn, picked) {
    turn.remove(picked.ship);
}

/// 5 The other fleet is next.
fn do_done(turn, picked) {}

/// 2 What was fired last is told.
fn panel(view) { [["Shots", `${view.shots} at a ${view.aimed}`]] }
"##;

/// Puts the ruleset among the content of a folder.
pub fn lies_in(root: &Path) {
    for (file, text) in [
        ("rulesets/harbour/ruleset.xml", MANIFEST),
        ("rulesets/harbour/rules.rhai", RULES),
        ("maps/harbour/berths.map.xml", MAP),
        ("maps/harbour/standard.scenario.xml", SCENARIO),
    ] {
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}
