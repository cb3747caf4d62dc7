//! Terrain as plain text: one row of the grid a line, one short code a cell.
//!
//! ```xml
//! <legend>
//!   <code text="g" terrain="grass"/>
//!   <code text="f" terrain="forest"/>
//! </legend>
//! <terrain>
//!   <row>g g f f</row>
//!   <row>. g g -</row>
//! </terrain>
//! ```
//!
//! `.` stands for a cell about which nothing is said, `-` for a hole.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Map, MapCell, Topology};
use crate::ruleset::Code;

use super::properties::Seen;
use super::xml::{Element, Faults, Spot, Tag, did_you_mean};

const NOTHING: &str = ".";
const HOLE: &str = "-";

/// The cells that the rows of a map describe, with their spots.
pub(super) fn read(root: &Element<'_>, topology: Option<Topology>, faults: &mut Faults) -> Vec<(MapCell, Spot)> {
    let legend = legend(root, faults);
    let Some(terrain) = root.first("terrain") else { return Vec::new() };
    let Some((width, height)) = topology.and_then(Topology::size) else {
        if topology.is_some() {
            faults.error(
                terrain.spot,
                Code::Document,
                "a free graph has no rows: each cell names its terrain itself",
            );
        }
        return Vec::new();
    };
    let rows = terrain.all("row").count();
    if rows != usize::from(height) {
        faults.error(
            terrain.spot,
            Code::BadValue,
            format!("there are {rows} rows, but the height is {height}"),
        );
    }
    let mut cells = Vec::new();
    for (y, row) in terrain.all("row").enumerate().take(usize::from(height)) {
        let words = row.words();
        if words.len() != usize::from(width) {
            let message = format!("row {} has {} codes, but the width is {width}", y + 1, words.len());
            faults.error(row.spot, Code::BadValue, message);
        }
        for (x, (code, spot)) in words.into_iter().enumerate().take(usize::from(width)) {
            let (x, y) = (x as i32, y as i32);
            match code {
                NOTHING => {}
                HOLE => cells.push((MapCell::hole(x, y), spot)),
                _ => {
                    let Some(terrain) = legend.get(code) else {
                        let message = format!("the legend has no code `{code}`");
                        let help = did_you_mean(code, legend.keys().map(String::as_str));
                        faults.error_with_help(spot, Code::UnknownName, message, help);
                        continue;
                    };
                    let terrain = Some(terrain.clone());
                    cells.push((
                        MapCell {
                            terrain,
                            ..MapCell::new("", x, y)
                        },
                        spot,
                    ));
                }
            }
        }
    }
    cells
}

/// Terrains by code.
fn legend(root: &Element<'_>, faults: &mut Faults) -> BTreeMap<String, String> {
    let mut legend = BTreeMap::new();
    let mut seen = Seen::new("code");
    for code in root.first("legend").into_iter().flat_map(|legend| legend.all("code")) {
        let (Some(text), Some(terrain)) = (code.get("text"), code.get("terrain")) else {
            continue;
        };
        if text == NOTHING || text == HOLE {
            let meaning = if text == HOLE {
                "a hole"
            } else {
                "a cell about which nothing is said"
            };
            faults.error(
                code.spot_of("text"),
                Code::BadValue,
                format!("`{text}` stands for {meaning} already"),
            );
        } else if text.contains(char::is_whitespace) {
            faults.error(code.spot_of("text"), Code::BadValue, "a code may have no blanks in it");
        }
        seen.add(text, code.spot_of("text"), faults);
        legend.insert(text.to_owned(), terrain.to_owned());
    }
    legend
}

/// The legend and the rows of a map, if it needs them, and the cells that need elements of their own.
pub(super) fn write(map: &Map) -> (Option<Tag>, Option<Tag>, Vec<MapCell>) {
    let none = || (None, None, map.cells.clone());
    let Some((width, height)) = map.topology.size() else {
        return none();
    };
    let (columns, rows) = (0..i32::from(width), 0..i32::from(height));
    let mut by_place = BTreeMap::new();
    for cell in &map.cells {
        let is_inside = columns.contains(&cell.x) && rows.contains(&cell.y);
        if !is_inside || by_place.insert((cell.x, cell.y), cell).is_some() {
            // The map is wrong: it is written as it stands.
            return none();
        }
    }
    let terrains: BTreeSet<&str> = map.cells.iter().filter_map(|cell| cell.terrain.as_deref()).collect();
    let is_special = |cell: &MapCell| {
        let is_bare = cell.name.is_empty() && cell.elevation == 0 && cell.properties.is_empty() && cell.outline.is_empty();
        // A hole with a terrain is odd, and so is a cell about which nothing is said; but they are not lost.
        !is_bare || (cell.absent == cell.terrain.is_some())
    };
    if terrains.is_empty()
        && map.cells.iter().all(|cell| is_special(cell) || cell.absent)
        && map.cells.iter().filter(|cell| cell.absent).count() < 4
    {
        return none();
    }
    let codes = codes(&terrains);
    let code_of = |x, y| match by_place.get(&(x, y)) {
        None => NOTHING,
        Some(cell) if cell.absent => {
            if is_special(cell) {
                NOTHING
            } else {
                HOLE
            }
        }
        Some(cell) => cell
            .terrain
            .as_deref()
            .and_then(|terrain| codes.get(terrain))
            .map_or(NOTHING, String::as_str),
    };
    let wide = codes.values().map(|code| code.chars().count()).max().unwrap_or(1);
    let text_of = |y| {
        let row = columns.clone().map(|x| format!("{:wide$}", code_of(x, y)));
        row.collect::<Vec<_>>().join(" ").trim_end().to_owned()
    };
    let legend = codes
        .iter()
        .map(|(terrain, code)| Tag::new("code").with("text", code).with("terrain", terrain));
    let legend = (!codes.is_empty()).then(|| Tag::new("legend").children(legend));
    let terrain = Tag::new("terrain").children(rows.map(|y| Tag::new("row").raw(text_of(y))));
    let rest = map.cells.iter().filter(|cell| is_special(cell)).map(|cell| MapCell {
        // The rows have said it.
        terrain: cell.terrain.clone().filter(|_| cell.absent),
        ..cell.clone()
    });
    (legend, Some(terrain), rest.collect())
}

/// A code for each terrain: its first letters, as few as tell it from those before it.
fn codes<'a>(terrains: &BTreeSet<&'a str>) -> BTreeMap<&'a str, String> {
    let mut taken = BTreeSet::from([NOTHING.to_owned(), HOLE.to_owned()]);
    let mut codes = BTreeMap::new();
    for &terrain in terrains {
        let letters: Vec<char> = terrain.chars().filter(|letter| !letter.is_whitespace()).collect();
        let prefixes = (1..=letters.len()).map(|length| letters.iter().take(length).collect::<String>());
        let numbered = (2..).map(|number| format!("{}{number}", letters.iter().collect::<String>()));
        if let Some(code) = prefixes.chain(numbered).find(|code| !taken.contains(code)) {
            taken.insert(code.clone());
            codes.insert(terrain, code);
        }
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_short_and_differ() {
        let codes = codes(&BTreeSet::from(["clear", "city", "-", "a b", "ab", "a", "clear!"]));
        let codes: Vec<_> = codes.iter().map(|(terrain, code)| format!("{terrain}={code}")).collect();
        assert_eq!(codes, ["-=-2", "a=a", "a b=ab", "ab=ab2", "city=c", "clear=cl", "clear!=cle"]);
    }
}
