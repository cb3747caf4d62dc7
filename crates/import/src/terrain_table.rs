//! Tables of terrain codes: a line for each row of the board.

use std::collections::BTreeMap;

use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use boardwright_model::{MOST_CELLS, Map, MapCell, Topology};

use crate::table::{Table, read_rows};

/// The codes of cells without a terrain.
const NOTHING: [&str; 2] = ["", "."];
/// The code of a hole.
const HOLE: &str = "-";

/// Reads a table of codes as a board of the given topology, whose size the table decides. A code stands for the terrain that `legend` says, or
/// for the one of its own name; nothing or `.` for a cell without a terrain, `-` for a hole.
///
/// ```
/// use boardwright_import::read_terrain_table;
/// use boardwright_model::Topology;
///
/// let square = Topology::Square { width: 1, height: 1, diagonals: false };
/// let map = read_terrain_table("m,m,wood\nm,-,.", "field.csv", square, &[("m".into(), "meadow".into())].into())?;
/// assert_eq!(map.topology.size(), Some((3, 2)));
/// assert_eq!((map.cells.len(), map.cells[4].absent), (5, true));
/// # Ok::<(), boardwright_model::diagnostic::Diagnostics>(())
/// ```
///
/// # Errors
/// The table is empty or too large, its lines differ in length, or the topology is no grid.
pub fn read_terrain_table(text: &str, file: &str, topology: Topology, legend: &BTreeMap<String, String>) -> Result<Map, Diagnostics> {
    let mut found = Diagnostics::new();
    let mut wrong = |line: u32, message: String| found.push(Diagnostic::error(Code::BadValue, message).at(Location::at(file, line, 1)));
    let rows = read_rows(text, file)?;
    let width = rows.first().map_or(0, |(_, row)| row.len());
    if width == 0 || width * rows.len() > MOST_CELLS {
        wrong(
            1,
            format!(
                "the table has {} lines of {width} codes; a board has 1 to {MOST_CELLS} cells",
                rows.len()
            ),
        );
        return Err(found);
    }
    let mut map = Map::new("", "", topology);
    match &mut map.topology {
        Topology::Square {
            width: columns, height, ..
        }
        | Topology::Hex {
            width: columns, height, ..
        } => {
            (*columns, *height) = (width as u16, rows.len() as u16);
        }
        Topology::Graph => wrong(1, "a table makes squares or hexes".to_owned()),
    }
    for (y, (line, row)) in rows.iter().enumerate() {
        if row.len() != width {
            wrong(*line, format!("the line has {} codes, the first one {width}", row.len()));
        }
        for (x, code) in row.iter().enumerate().take(width) {
            let (x, y) = (x as i32, y as i32);
            if code == HOLE {
                map.cells.push(MapCell::hole(x, y));
            } else if !NOTHING.contains(&code) {
                let terrain = legend.get(code).map_or(code, String::as_str);
                map.cells.push(MapCell {
                    terrain: Some(terrain.to_owned()),
                    ..MapCell::new("", x, y)
                });
            }
        }
    }
    if found.has_errors() { Err(found) } else { Ok(map) }
}

/// Reads a legend: a first line `code,terrain`, then a line for each code.
///
/// # Errors
/// All that is wrong in it, with lines.
pub fn read_legend(text: &str, file: &str) -> Result<BTreeMap<String, String>, Diagnostics> {
    let table = Table::read(text, file, &["code", "terrain"])?;
    let mut found = Diagnostics::new();
    let mut legend = BTreeMap::new();
    for row in table.rows() {
        let (code, terrain) = (row.field("code"), row.field("terrain"));
        let mut wrong = |kind, message: String| found.push(Diagnostic::error(kind, message).at(Location::at(file, row.line, 1)));
        if code.is_empty() || terrain.is_empty() {
            wrong(Code::MissingValue, "a line of a legend has a code and a terrain".to_owned());
        } else if legend.insert(code.to_owned(), terrain.to_owned()).is_some() {
            wrong(Code::DuplicateName, format!("the code {code:?} stands in the legend twice"));
        }
    }
    if legend.is_empty() && !found.has_errors() {
        let empty = Diagnostic::error(Code::MissingValue, "the legend has no codes").at(Location::file(file));
        found.push(empty.with_help("write a line `code,terrain` for each code below the first"));
    }
    if found.has_errors() { Err(found) } else { Ok(legend) }
}

#[cfg(test)]
mod tests {
    use boardwright_model::{Offset, Orientation};
    use proptest::prelude::*;

    use super::*;

    const HEX: Topology = Topology::Hex {
        width: 1,
        height: 1,
        orientation: Orientation::Pointy,
        offset: Offset::Odd,
    };

    #[test]
    fn lines_of_other_lengths_and_double_codes_are_told() {
        let found = read_terrain_table("a,b\na\n", "t.csv", HEX, &BTreeMap::new()).unwrap_err();
        assert_eq!(
            found.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["t.csv:2:1: error[bad-value]: the line has 1 codes, the first one 2"]
        );
        assert!(read_terrain_table("", "t.csv", HEX, &BTreeMap::new()).is_err());
        assert!(read_terrain_table("a", "t.csv", Topology::Graph, &BTreeMap::new()).is_err());
        let found = read_legend("code,terrain\na,wood\na,hill\nb,\n", "l.csv").unwrap_err();
        assert_eq!(found.len(), 2, "{}", found.render());
    }

    proptest! {
        #[test]
        fn any_table_is_read_or_refused(text in "([a-c.-]|,|;|\\n|\"|\\PC){0,80}") {
            if let Ok(map) = read_terrain_table(&text, "t.csv", HEX, &BTreeMap::new()) {
                prop_assert!(map.topology.size().is_some());
            }
        }
    }
}
