//! XML of other programs, with the places of its elements.

use boardwright_model::ForeignPlace;
use boardwright_model::diagnostic::{Code, Diagnostic, Location};
use roxmltree::{Document, Node, ParsingOptions};

/// The most elements and texts of a document.
const MOST_NODES: u32 = 2_000_000;
/// The most levels: deeper ones would be read by a recursion that is too deep.
const MOST_LEVELS: usize = 200;

/// The tree of a document.
pub(crate) fn parse<'a>(text: &'a str, file: &str) -> Result<Document<'a>, Diagnostic> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if depth(text) > MOST_LEVELS {
        let message = format!("the document has more than {MOST_LEVELS} levels of elements");
        return Err(Diagnostic::error(Code::SourceLimit, message).at(Location::file(file)));
    }
    let options = ParsingOptions {
        allow_dtd: true,
        nodes_limit: MOST_NODES,
    };
    Document::parse_with_options(text, options).map_err(|error| {
        let message = match text.trim_start().chars().next() {
            None => "the file is empty".to_owned(),
            Some('<') => error.to_string(),
            Some(first) => format!("this is no XML: it begins with {first:?}, not with `<`"),
        };
        let position = error.pos();
        Diagnostic::error(Code::Syntax, message).at(Location::at(file, position.row, position.col))
    })
}

/// How deep elements are nested, at most; more where comments or texts hold signs of elements.
fn depth(text: &str) -> usize {
    let (mut depth, mut most) = (0_usize, 0);
    let bytes = text.as_bytes();
    for (place, byte) in bytes.iter().enumerate() {
        match (byte, bytes.get(place + 1)) {
            (b'<', Some(b'/')) | (b'/', Some(b'>')) => depth = depth.saturating_sub(1),
            (b'<', Some(b'!' | b'?')) => {}
            (b'<', _) => {
                depth += 1;
                most = most.max(depth);
            }
            _ => {}
        }
    }
    most
}

/// Where the lines of a text begin.
pub(crate) struct Lines(Vec<usize>);

impl Lines {
    /// The lines of a document's text.
    pub(crate) fn of(document: &Document<'_>) -> Self {
        let breaks = document.input_text().bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self(breaks.map(|(place, _)| place).collect())
    }

    /// The line and column of a byte of the text, in characters and from 1.
    pub(crate) fn place(&self, text: &str, byte: usize) -> ForeignPlace {
        let line = self.0.partition_point(|place| *place < byte);
        let start = line.checked_sub(1).and_then(|before| self.0.get(before)).map_or(0, |end| end + 1);
        let before = text.get(start..byte).unwrap_or("");
        ForeignPlace {
            line: line as u32 + 1,
            column: before.chars().count() as u32 + 1,
        }
    }

    /// The line on which an element begins, from 1.
    pub(crate) fn line(&self, node: Node<'_, '_>) -> u32 {
        let start = node.range().start;
        self.0.partition_point(|place| *place < start) as u32 + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_without_end_are_refused() {
        let deep = "<a>".repeat(100_000);
        assert!(parse(&deep, "deep.xml").unwrap_err().message.contains("200 levels"));
        let laughs = format!(
            "<!DOCTYPE a [<!ENTITY a0 \"ha\">{}]><a>&a9;</a>",
            (1..10)
                .map(|level| format!("<!ENTITY a{level} \"{}\">", format!("&a{};", level - 1).repeat(20)))
                .collect::<String>()
        );
        assert!(parse(&laughs, "laughs.xml").is_err());
        assert_eq!(parse("<a>\n<b></a>", "x.xml").unwrap_err().line(), 2);
    }
}
