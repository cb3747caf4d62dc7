//! A ruleset that no one plays, for what the shipped ones have no need of: animals that share a field, and tickets of which several
//! are handed in at once.

use std::fs;
use std::path::Path;

const MANIFEST: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<ruleset format="1" id="farm" title="Farm" version="0.1.0" licence="MIT OR Apache-2.0" seats="2" engine_min="0.1">
  <description>Animals walk from field to field.</description>
  <author>The Boardwright contributors</author>
</ruleset>
"#;

const MAP: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<map format="1" id="fields" title="Fields">
  <square width="4" height="2" diagonals="no"/>
</map>
"#;

const SCENARIO: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<scenario format="1" id="standard" title="Eight fields" ruleset="farm" map="fields">
  <description>Three animals share a field.</description>
  <player seat="hill" plays="human"/>
  <player seat="dale" plays="human"/>
  <piece kind="ox" owner="hill" at="a1"/>
  <piece kind="hen" owner="hill" at="a1"/>
  <piece kind="hen" owner="dale" at="a1"/>
  <piece kind="hen" owner="dale" at="d2"/>
  <piece kind="hay" zone="barn" zone_owner="hill"/>
  <piece kind="oats" zone="barn" zone_owner="hill"/>
  <piece kind="salt" zone="barn" zone_owner="hill"/>
  <piece kind="maize" zone="barn" zone_owner="hill"/>
</scenario>
"#;

const RULES: &str = r##"// The least and the most goods that are sold at once.
const FEWEST = 2;
const MOST = 3;

/// 1 Two farmers lead animals, and hand in what is in their barns.
fn ruleset() {
    #{
        seats: [
            #{ name: "hill", title: "Hill", colour: "#b8402f" },
            #{ name: "dale", title: "Dale", colour: "#2f5f9e" },
        ],
        kinds: [
            #{ name: "ox", title: "Ox", glyph: "X" },
            #{ name: "hen", title: "Hen", glyph: "H" },
            #{ name: "hay", title: "Hay", glyph: "h" },
            #{ name: "oats", title: "Oats", glyph: "o" },
            #{ name: "salt", title: "Salt", glyph: "s" },
            #{ name: "maize", title: "Maize", glyph: "m" },
        ],
        zones: [
            #{ name: "barn", title: "Barn", each: "seat" },
            #{ name: "market", title: "Market" },
        ],
        actions: [
            #{ name: "lead", title: "Lead", rule: "2", ends_turn: true, picks: [
                #{ name: "animal", pick: "piece", prompt: "Which animal?" },
                #{ name: "field", pick: "cell", prompt: "To which field?" },
            ] },
            #{ name: "sell", title: "Sell", rule: "3", ends_turn: true, picks: [
                #{ name: "goods", pick: "pieces", prompt: "Which goods?" },
            ] },
        ],
    }
}

/// 2 An animal of one's own
fn lead_animal(view) {
    view.pieces_of(view.seat).filter(|piece| piece.cell != ())
}

/// 2 goes to the next field,
fn lead_field(view, picked) {
    picked.animal.cell.neighbours
}

/// 2 and drives what others have there away.
fn do_lead(turn, picked) {
    let leader = turn.seat;
    for other in turn.pieces_at(picked.field).filter(|piece| piece.owner != leader) {
        turn.remove(other);
    }
    turn.move_piece(picked.animal, picked.field);
}

/// 3 Two or three goods are sold at once.
fn sell_goods(view) {
    let barn = view.zone("barn", view.seat);
    some(barn, FEWEST, MOST)
}

/// 3 They go to the market.
fn do_sell(turn, picked) {
    for good in picked.goods {
        turn.move_to_zone(good, "market");
    }
}
"##;

/// Puts the ruleset among the content of a folder.
pub fn lies_in(root: &Path) {
    for (file, text) in [
        ("rulesets/farm/ruleset.xml", MANIFEST),
        ("rulesets/farm/rules.rhai", RULES),
        ("maps/farm/fields.map.xml", MAP),
        ("maps/farm/standard.scenario.xml", SCENARIO),
    ] {
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}
