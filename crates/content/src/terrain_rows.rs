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

use boardwright_model::diagnostic::Code;
use boardwright_model::{Map, MapCell, Topology};

use super::properties::Pairs;
use super::xml::{Fields, Spot, Text, did_you_mean};

pub(super) const NOTHING: &str = ".";
pub(super) const HOLE: &str = "-";
const CODES: Pairs = Pairs {
    element: "code",
    names: ["text", "terrain"],
    second: Text::Name,
    what: "code",
};

/// The legend and the rows of a map, if it needs them.
#[derive(Default)]
pub(super) struct TerrainRows {
    /// Codes with what they stand for.
    legend: Option<Vec<(String, String)>>,
    rows: Option<Vec<String>>,
}

impl TerrainRows {
    /// Visits the legend and the rows. On reading, the cells that the rows describe.
    pub(super) fn describe(&mut self, fields: &mut Fields<'_>, topology: Option<(Topology, Spot)>) -> Vec<(MapCell, Spot)> {
        fields.optional_child("legend", &mut self.legend, |fields, codes| {
            let spots = CODES.describe(fields, codes);
            for ((code, _), [_, spot, _]) in codes.iter().zip(spots) {
                let message = match code.as_str() {
                    HOLE => format!("`{code}` stands for a hole already"),
                    NOTHING => format!("`{code}` stands for a cell about which nothing is said already"),
                    _ if code.contains(char::is_whitespace) => "a code may have no blanks in it".to_owned(),
                    _ => continue,
                };
                fields.error(spot, Code::BadValue, message);
            }
        });
        let legend: BTreeMap<&str, &str> = self.legend.iter().flatten().map(|(code, terrain)| (&**code, &**terrain)).collect();
        let size = topology.and_then(|(topology, _)| topology.size());
        let mut cells = Vec::new();
        fields.optional_child("terrain", &mut self.rows, |fields, rows| {
            let mut count = 0;
            fields.list("row", rows, |fields, row: &mut String| {
                let words = fields.words(|| row.clone());
                if let Some((width, _)) = size.filter(|&(_, height)| count < usize::from(height)) {
                    read_row(fields, words, (count, usize::from(width)), &legend, &mut cells);
                }
                count += 1;
            });
            let spot = fields.spot();
            match size {
                Some((_, height)) if fields.element().is_some() && count != usize::from(height) => {
                    let message = format!("there are {count} rows, but the height is {height}");
                    let help = format!("write {height} rows, or `height=\"{count}\"`");
                    fields.error_with_help(spot, Code::BadValue, message, Some(help));
                }
                None if topology.is_some() => {
                    let message = "a free graph has no rows: each cell names its terrain itself";
                    fields.error(spot, Code::Document, message);
                }
                _ => {}
            }
        });
        cells
    }

    /// The legend and the rows of a map, and the cells that need elements of their own.
    pub(super) fn of(map: &Map) -> (Self, Vec<MapCell>) {
        let none = || (Self::default(), map.cells.clone());
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
            Some(cell) if cell.absent && !is_special(cell) => HOLE,
            Some(MapCell {
                absent: false,
                terrain: Some(terrain),
                ..
            }) => codes.get(terrain.as_str()).map_or(NOTHING, String::as_str),
            _ => NOTHING,
        };
        let wide = codes.values().map(|code| code.chars().count()).max().unwrap_or(1);
        let text_of = |y| {
            let row = columns.clone().map(|x| format!("{:wide$}", code_of(x, y)));
            row.collect::<Vec<_>>().join(" ").trim_end().to_owned()
        };
        let legend = codes.iter().map(|(terrain, code)| (code.clone(), (*terrain).to_owned())).collect();
        let rows = Self {
            legend: Some(legend).filter(|_| !codes.is_empty()),
            rows: Some(rows.map(text_of).collect()),
        };
        let rest = map.cells.iter().filter(|cell| is_special(cell)).map(|cell| MapCell {
            // The rows have said it.
            terrain: cell.terrain.clone().filter(|_| cell.absent),
            ..cell.clone()
        });
        (rows, rest.collect())
    }
}

/// Reads a row, given with its number and how many cells it has.
fn read_row(
    fields: &mut Fields<'_>,
    words: Vec<(&str, Spot)>,
    (y, width): (usize, usize),
    legend: &BTreeMap<&str, &str>,
    cells: &mut Vec<(MapCell, Spot)>,
) {
    if fields.element().is_some() && words.len() != width {
        let message = format!("row {} has {} codes, but the width is {width}", y + 1, words.len());
        let help = format!("write {width} codes with blanks between them, or `width=\"{}\"`", words.len());
        fields.error_with_help(fields.spot(), Code::BadValue, message, Some(help));
    }
    for (x, (code, spot)) in words.into_iter().enumerate().take(width) {
        let (x, y) = (x as i32, y as i32);
        match (code, legend.get(code)) {
            (NOTHING, _) => {}
            (HOLE, _) => cells.push((MapCell::hole(x, y), spot)),
            (_, Some(terrain)) => {
                let mut cell = MapCell::new("", x, y);
                cell.terrain = Some((*terrain).to_owned());
                cells.push((cell, spot));
            }
            (_, None) => {
                let help = did_you_mean(code, legend.keys().copied());
                fields.error_with_help(spot, Code::UnknownName, format!("the legend has no code `{code}`"), help);
            }
        }
    }
}

/// A code for each terrain: its first letters, as few as tell it from those before it.
fn codes<'a>(terrains: &BTreeSet<&'a str>) -> BTreeMap<&'a str, String> {
    let mut taken = BTreeSet::from([NOTHING.to_owned(), HOLE.to_owned()]);
    let mut codes = BTreeMap::new();
    for &terrain in terrains {
        let code = new_code(terrain, &taken);
        taken.insert(code.clone());
        codes.insert(terrain, code);
    }
    codes
}

/// A code for a terrain that is not taken: as few of its first letters as will do.
pub(super) fn new_code(terrain: &str, taken: &BTreeSet<String>) -> String {
    let letters: Vec<char> = terrain.chars().filter(|letter| !letter.is_whitespace()).collect();
    let prefixes = (1..=letters.len()).map(|length| letters.iter().take(length).collect::<String>());
    let numbered = (2..).map(|number| format!("{}{number}", letters.iter().collect::<String>()));
    prefixes.chain(numbered).find(|code| !taken.contains(code)).unwrap_or_default()
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
