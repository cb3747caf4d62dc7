//! Tables that go with a mask: the names of its areas, and links across water.

use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};

use crate::Colour;
use crate::table::Table;

/// The name of areas that belong to nothing: the sea, a frame.
const NOTHING: &str = "-";

/// An area as a table names it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedArea {
    /// Its colour in the mask, or the id of its path in a drawing.
    pub key: String,
    /// What people call it.
    pub name: String,
    /// Its terrain, if it has one.
    pub terrain: Option<String>,
    /// The regions to which it belongs.
    pub regions: Vec<String>,
    /// Where its label and pieces go, in pixels of the mask.
    pub pivot: Option<(i32, i32)>,
    /// The line of the table, from 1.
    pub line: u32,
}

impl NamedArea {
    /// Its colour, if its key is one.
    pub fn colour(&self) -> Option<Colour> {
        Colour::parse(&self.key)
    }
}

/// The names of areas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AreaNames {
    /// The areas, in the order of the table.
    pub areas: Vec<NamedArea>,
    /// The keys that stand for no area.
    pub nothing: Vec<String>,
}

/// Two areas that are neighbours though they do not touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// The names of both.
    pub ends: [String; 2],
    /// The line of the table, from 1.
    pub line: u32,
}

/// Reads a table of names: a first line with the names of columns, then a line for each area. Columns are `colour` (or `id`) and `name`, and as
/// one likes `terrain`, `region` (several with `|` between them), `x` and `y`. Commas, semicolons or tabulators divide them. An area named `-`
/// is none.
///
/// ```
/// use boardwright_import::areas::read_names;
///
/// let names = read_names("colour,name,region\n#0a3c82,-,\n#c04040,North Cape,north|cold", "names.csv").unwrap();
/// assert_eq!((names.areas[0].name.as_str(), names.areas[0].regions.len(), names.nothing.len()), ("North Cape", 2, 1));
/// ```
///
/// # Errors
/// All that is wrong in it, with lines.
pub fn read_names(text: &str, file: &str) -> Result<AreaNames, Diagnostics> {
    let table = Table::read(text, file, &["colour", "id", "name", "terrain", "region", "x", "y"])?;
    let mut found = Diagnostics::new();
    let key_column = if table.has("colour") { "colour" } else { "id" };
    for needed in [key_column, "name"] {
        if !table.has(needed) {
            let message = format!("the table has no column `{needed}`");
            found.push(Diagnostic::error(Code::MissingValue, message).at(Location::at(file, 1, 1)));
        }
    }
    if found.has_errors() {
        return Err(found);
    }
    let mut names = AreaNames::default();
    for row in table.rows() {
        let mut wrong = |code: Code, message: String| found.push(Diagnostic::error(code, message).at(Location::at(file, row.line, 1)));
        let key = row.field(key_column).to_owned();
        let key = Colour::parse(&key)
            .filter(|_| key_column == "colour")
            .map_or(key, |colour| colour.to_string());
        let name = row.field("name").to_owned();
        if key_column == "colour" && Colour::parse(&key).is_none() {
            wrong(
                Code::BadValue,
                format!("`colour`: expected a colour such as #a0c3ff, found {key:?}"),
            );
        }
        let mut number = |column: &str| match row.field(column) {
            "" => None,
            text => {
                let number = text.parse::<i32>().ok().filter(|number| (0..=1_000_000).contains(number));
                if number.is_none() {
                    wrong(Code::BadValue, format!("`{column}`: expected a number of pixels, found {text:?}"));
                }
                number
            }
        };
        let pivot = number("x").zip(number("y"));
        if names.areas.iter().any(|other| other.key == key) || names.nothing.contains(&key) {
            wrong(Code::DuplicateName, format!("{key} occurs twice in the table"));
        }
        if name == NOTHING {
            names.nothing.push(key);
            continue;
        }
        if name.is_empty() {
            wrong(Code::MissingValue, format!("{key} has no name; `-` says that it is no area"));
        } else if names.areas.iter().any(|other| other.name == name) {
            wrong(Code::DuplicateName, format!("there are two areas {name:?}"));
        }
        let regions = row.field("region").split('|').map(str::trim).filter(|region| !region.is_empty());
        names.areas.push(NamedArea {
            key,
            name,
            terrain: Some(row.field("terrain").to_owned()).filter(|terrain| !terrain.is_empty()),
            regions: regions.map(str::to_owned).collect(),
            pivot,
            line: row.line,
        });
    }
    if found.has_errors() { Err(found) } else { Ok(names) }
}

/// Reads a table of links: a first line `from,to`, then a line with the names of two areas for each link.
///
/// # Errors
/// All that is wrong in it, with lines.
pub fn read_links(text: &str, file: &str) -> Result<Vec<Link>, Diagnostics> {
    let table = Table::read(text, file, &["from", "to"])?;
    let mut found = Diagnostics::new();
    for needed in ["from", "to"] {
        if !table.has(needed) {
            let message = format!("the table has no column `{needed}`");
            found.push(Diagnostic::error(Code::MissingValue, message).at(Location::at(file, 1, 1)));
        }
    }
    if found.has_errors() {
        return Err(found);
    }
    let mut links: Vec<Link> = Vec::new();
    for row in table.rows() {
        let ends = [row.field("from").to_owned(), row.field("to").to_owned()];
        let mut wrong = |code: Code, message: &str| found.push(Diagnostic::error(code, message).at(Location::at(file, row.line, 1)));
        if ends.iter().any(String::is_empty) {
            wrong(Code::MissingValue, "a link needs two areas");
        } else if ends.first() == ends.last() {
            wrong(Code::BadValue, "a link joins two different areas");
        }
        links.push(Link { ends, line: row.line });
    }
    if found.has_errors() { Err(found) } else { Ok(links) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn messages(found: &Diagnostics) -> Vec<String> {
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn tables_of_any_program_are_read() {
        let text = "\u{feff}Name;Colour;Region;X;Y\r\n\"Cape; North\";#C04040;a | b;12;30\r\nSea;#000080;;;\r\n";
        let names = read_names(text, "n.csv").unwrap();
        assert_eq!(
            (names.areas[0].name.as_str(), names.areas[0].key.as_str()),
            ("Cape; North", "#c04040")
        );
        assert_eq!(
            (names.areas[0].pivot, names.areas[0].regions.clone()),
            (Some((12, 30)), vec!["a".to_owned(), "b".to_owned()])
        );
        assert_eq!(names.areas[1].line, 3);
    }

    #[test]
    fn all_that_is_wrong_is_told_with_its_line() {
        let text = "colour,name,x\n#c04040,One,1\n#c04040,Two,left\nred,,1\n#000001,One,\n";
        assert_eq!(
            messages(&read_names(text, "n.csv").unwrap_err()),
            [
                "n.csv:3:1: error[bad-value]: `x`: expected a number of pixels, found \"left\"",
                "n.csv:3:1: error[duplicate-name]: #c04040 occurs twice in the table",
                "n.csv:4:1: error[bad-value]: `colour`: expected a colour such as #a0c3ff, found \"red\"",
                "n.csv:4:1: error[missing-value]: red has no name; `-` says that it is no area",
                "n.csv:5:1: error[duplicate-name]: there are two areas \"One\"",
            ]
        );
        assert_eq!(
            messages(&read_links("from,to\nA,A\nB,\n", "l.csv").unwrap_err()),
            [
                "l.csv:2:1: error[bad-value]: a link joins two different areas",
                "l.csv:3:1: error[missing-value]: a link needs two areas",
            ]
        );
        assert_eq!(
            messages(&read_links("one,to\nA,B", "l.csv").unwrap_err()),
            [
                "l.csv:1:1: error[unknown-key]: the table has an unknown column \"one\"",
                "l.csv:1:1: error[missing-value]: the table has no column `from`"
            ][..1]
        );
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "(colour|name|x|,|;|\\n|#c04040|\"|[a-z ]|\\PC){0,60}") {
            drop(read_names(&text, "n.csv"));
            drop(read_links(&text, "l.csv"));
        }
    }
}
