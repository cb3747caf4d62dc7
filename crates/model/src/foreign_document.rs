//! A file of another program as a tree with places, from which a ruleset makes a map or a table of its own.

use super::diagnostic::Location;

/// Longer lines are not shown beside what is found in them.
const LONGEST_SHOWN: usize = 240;

/// What a file of another program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignFormat {
    /// An XML document.
    Xml,
    /// A table as text. Its root is called `table` and has the headings as attributes; its rows are children called `row`, whose attributes
    /// are the fields that are not empty.
    Table,
}

/// Where something stands in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ForeignPlace {
    /// The line, counted from 1.
    pub line: u32,
    /// The column in characters, counted from 1.
    pub column: u32,
}

/// A file of another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignDocument {
    /// How diagnostics call the file.
    pub file: String,
    /// What it is.
    pub format: ForeignFormat,
    /// Its text, decoded.
    pub text: String,
    /// Its elements in the order of the document: the root first, each before its children.
    pub elements: Vec<ForeignElement>,
}

/// An element of an XML document, or a row of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForeignElement {
    /// Its name, without a namespace.
    pub name: String,
    /// Where it begins.
    pub place: ForeignPlace,
    /// Its attributes, in the order of the document.
    pub attributes: Vec<ForeignAttribute>,
    /// The text in it, without that of its children and without blanks around it.
    pub content: String,
    /// The positions of its children in the list of elements.
    pub children: Vec<usize>,
}

/// An attribute of an element, or a field of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForeignAttribute {
    /// Its name.
    pub name: String,
    /// Its value, without blanks around it.
    pub value: String,
    /// Where it begins.
    pub place: ForeignPlace,
}

impl ForeignElement {
    /// The position of an attribute in the list.
    pub fn find_attribute(&self, name: &str) -> Option<usize> {
        self.attributes.iter().position(|attribute| attribute.name == name)
    }
}

impl ForeignDocument {
    /// A place as diagnostics tell it, with the text of its line.
    pub fn location(&self, place: ForeignPlace) -> Location {
        let line = self.text.lines().nth((place.line as usize).saturating_sub(1));
        Location {
            source_line: line.filter(|line| line.len() <= LONGEST_SHOWN).map(str::to_owned),
            ..Location::at(&*self.file, place.line, place.column)
        }
    }
}
