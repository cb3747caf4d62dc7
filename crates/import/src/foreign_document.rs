//! XML and tables of any other program, as a tree with places.

use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use boardwright_model::{ForeignAttribute, ForeignDocument, ForeignElement, ForeignFormat, ForeignPlace};
use csv::StringRecord;
use roxmltree::Node;

use super::encoding::decode;
use super::foreign_xml::{Lines, parse};
use super::table::{delimiter_of, read_rows};

/// The most bytes of a file.
pub const MOST_FOREIGN_BYTES: usize = 4 << 20;
/// The most elements or rows of a file.
const MOST_ELEMENTS: usize = 50_000;

/// Reads a file of another program: XML where it begins with `<` or is called `.xml`, or else a table whose first line names the columns.
///
/// `encoding` is that of a file that does not declare its own; without it such a file is UTF-8.
///
/// # Errors
/// What is wrong in it, with its place: it is no text, not well formed, or too large.
pub fn read_foreign_document(bytes: &[u8], file: &str, encoding: Option<&str>) -> Result<ForeignDocument, Diagnostics> {
    let text = decode(bytes, file, encoding)?;
    let is_named_xml = file.rsplit('.').next().is_some_and(|ending| ending.eq_ignore_ascii_case("xml"));
    let (format, elements) = if is_named_xml || text.trim_start().starts_with('<') {
        (ForeignFormat::Xml, xml_elements(&text, file)?)
    } else {
        (ForeignFormat::Table, table_elements(&text, file)?)
    };
    let file = file.to_owned();
    Ok(ForeignDocument {
        file,
        format,
        text,
        elements,
    })
}

fn too_many(file: &str, what: &str) -> Diagnostic {
    Diagnostic::error(Code::SourceLimit, format!("the file has more than {MOST_ELEMENTS} {what}")).at(Location::file(file))
}

fn xml_elements(text: &str, file: &str) -> Result<Vec<ForeignElement>, Diagnostic> {
    let document = parse(text, file)?;
    let lines = Lines::of(&document);
    let mut elements = Vec::new();
    // Each element with the position of its parent; children are put on in reverse, so that they come off in order.
    let mut waiting = vec![(document.root_element(), None)];
    while let Some((node, parent)) = waiting.pop() {
        let here = elements.len();
        if here >= MOST_ELEMENTS {
            return Err(too_many(file, "elements"));
        }
        elements.push(element(node, text, &lines));
        if let Some(parent) = parent.and_then(|parent: usize| elements.get_mut(parent)) {
            parent.children.push(here);
        }
        let first = waiting.len();
        waiting.extend(node.children().filter(Node::is_element).map(|child| (child, Some(here))));
        if let Some(children) = waiting.get_mut(first..) {
            children.reverse();
        }
    }
    Ok(elements)
}

fn element(node: Node<'_, '_>, text: &str, lines: &Lines) -> ForeignElement {
    let attributes = node.attributes().map(|attribute| ForeignAttribute {
        name: attribute.name().to_owned(),
        value: attribute.value().trim().to_owned(),
        place: lines.place(text, attribute.range().start),
    });
    let content: String = node.children().filter(Node::is_text).filter_map(|child| child.text()).collect();
    ForeignElement {
        name: node.tag_name().name().to_owned(),
        place: lines.place(text, node.range().start),
        attributes: attributes.collect(),
        content: content.trim().to_owned(),
        children: Vec::new(),
    }
}

fn table_elements(text: &str, file: &str) -> Result<Vec<ForeignElement>, Diagnostics> {
    let rows = read_rows(text, file)?;
    let delimiter = char::from(delimiter_of(text));
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Diagnostics::new();
    let mut rows = rows.into_iter().filter(|(_, row)| row.iter().any(|field| !field.is_empty()));
    let Some((line, headings)) = rows.next() else {
        return Err(Diagnostic::error(Code::File, "the file is empty").at(Location::file(file)).into());
    };
    let names: Vec<&str> = headings.iter().collect();
    for (place, name) in names.iter().enumerate() {
        if !name.is_empty() && names.iter().take(place).any(|other| other == name) {
            let message = format!("the table has two columns `{name}`");
            found.push(Diagnostic::error(Code::DuplicateName, message).at(Location::at(file, line, 1)));
        }
    }
    let columns = |line: u32| columns_of(lines.get(line as usize - 1).unwrap_or(&""), delimiter);
    let mut elements = vec![row_element("table", line, &columns(line), &names, &headings)];
    for (line, row) in rows {
        if elements.len() > MOST_ELEMENTS {
            return Err(too_many(file, "rows").into());
        }
        if row.len() > names.len() {
            let message = format!("the row has {} fields, and the table {} columns", row.len(), names.len());
            found.push(Diagnostic::error(Code::Syntax, message).at(Location::at(file, line, 1)));
        }
        elements.push(row_element("row", line, &columns(line), &names, &row));
    }
    if let Some(children) = (elements.len() > 1).then_some(1..elements.len())
        && let Some(root) = elements.first_mut()
    {
        root.children = children.collect();
    }
    if found.has_errors() { Err(found) } else { Ok(elements) }
}

fn row_element(name: &str, line: u32, columns: &[u32], names: &[&str], row: &StringRecord) -> ForeignElement {
    let fields = names.iter().zip(row).enumerate();
    let attributes = fields
        .filter(|(_, (name, value))| !name.is_empty() && !value.is_empty())
        .map(|(place, (name, value))| ForeignAttribute {
            name: (*name).to_owned(),
            value: value.to_owned(),
            place: ForeignPlace {
                line,
                column: columns.get(place).copied().unwrap_or(1),
            },
        });
    ForeignElement {
        name: name.to_owned(),
        place: ForeignPlace { line, column: 1 },
        attributes: attributes.collect(),
        ..ForeignElement::default()
    }
}

/// In which columns the fields of a line begin, in characters and from 1.
fn columns_of(line: &str, delimiter: char) -> Vec<u32> {
    let mut columns = vec![1];
    let mut is_quoted = false;
    for (place, letter) in line.chars().enumerate() {
        if letter == '"' {
            is_quoted = !is_quoted;
        } else if letter == delimiter && !is_quoted {
            columns.push(place as u32 + 2);
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str, file: &str) -> Result<ForeignDocument, String> {
        read_foreign_document(text.as_bytes(), file, None).map_err(|found| found.to_string())
    }

    #[test]
    fn xml_is_a_tree_with_the_places_of_its_elements_and_attributes() {
        let document = read("<?xml version='1.0'?>\n<a é='1'>\n  x <b c='2'/> y\n  <d><e/></d></a>", "f.xml").unwrap();
        let shown: Vec<String> = document
            .elements
            .iter()
            .map(|element| {
                let attributes: Vec<_> = element
                    .attributes
                    .iter()
                    .map(|one| (&*one.name, &*one.value, one.place.line, one.place.column))
                    .collect();
                let (name, place) = (&element.name, element.place);
                format!("{name} {}:{} {:?} {attributes:?}", place.line, place.column, element.children)
            })
            .collect();
        assert_eq!(
            shown,
            [
                "a 2:1 [1, 2] [(\"é\", \"1\", 2, 4)]",
                "b 3:5 [] [(\"c\", \"2\", 3, 8)]",
                "d 4:3 [3] []",
                "e 4:6 [] []"
            ]
        );
        assert_eq!(document.elements[0].content.split_whitespace().collect::<String>(), "xy");
    }

    #[test]
    fn a_table_is_a_tree_of_rows_with_the_places_of_their_fields() {
        let document = read("name;é;fuel\r\n\"a;b\";;20\r\n\r\nc\r\n", "f.csv").unwrap();
        assert_eq!(document.format, ForeignFormat::Table);
        let [root, first, last] = &document.elements[..] else {
            panic!("{document:#?}")
        };
        assert_eq!((&*root.name, root.attributes.len(), &root.children[..]), ("table", 3, &[1, 2][..]));
        let fields: Vec<_> = first
            .attributes
            .iter()
            .map(|one| (&*one.name, &*one.value, one.place.line, one.place.column))
            .collect();
        assert_eq!(fields, [("name", "a;b", 2, 1), ("fuel", "20", 2, 8)]);
        assert_eq!((last.place.line, last.attributes.len()), (4, 1));
    }

    #[test]
    fn wrong_files_are_told_with_their_places() {
        for (text, file, said) in [
            ("<a>\n<b></a>", "f.xml", "f.xml:2:"),
            (
                "a,b",
                "f.xml",
                "f.xml:1:1: error[syntax]: this is no XML: it begins with 'a', not with `<`",
            ),
            (" \n", "f.xml", "f.xml:1:1: error[syntax]: the file is empty"),
            ("  \n", "f.csv", "f.csv: error[file]: the file is empty"),
            ("a,a\n1,2", "f.csv", "f.csv:1:1: error[duplicate-name]"),
            (
                "a,b\n1,2,3",
                "f.csv",
                "f.csv:2:1: error[syntax]: the row has 3 fields, and the table 2 columns",
            ),
        ] {
            let found = read(text, file).unwrap_err();
            assert!(found.starts_with(said), "{text:?}: {found}");
        }
        let many = format!("<a>{}</a>", "<b/>".repeat(MOST_ELEMENTS));
        assert!(read(&many, "f.xml").unwrap_err().contains("more than 50000 elements"));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200), is_xml: bool) {
            drop(read_foreign_document(&bytes, if is_xml { "f.xml" } else { "f.csv" }, None));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "(<a>|</a>|<b c='|'/>|;|,|\"|\n|[a-zé&]){0,40}") {
            drop(read_foreign_document(text.as_bytes(), "f", None));
        }
    }
}
