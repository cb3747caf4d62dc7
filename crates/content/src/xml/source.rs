//! The text of a document, with lines and columns.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use boardwright_model::sentence;

/// The most bytes a document may have.
pub const MOST_BYTES: usize = 16 << 20;

/// Longer lines are not quoted in diagnostics.
const LONGEST_QUOTED_LINE: usize = 1_000;

/// A point of a document: how many bytes stand before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot(pub(super) u32);

impl Spot {
    pub(super) const fn new(offset: usize) -> Self {
        // Documents are far shorter than 4 GiB.
        Self(offset as u32)
    }

    /// How many bytes stand before it.
    pub(crate) const fn offset(self) -> usize {
        self.0 as usize
    }

    /// The point so many bytes further on.
    pub(super) const fn plus(self, bytes: usize) -> Self {
        Self(self.0.saturating_add(bytes as u32))
    }
}

/// A line and a column, both counted from 1; columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A document: the name of its file and its text. Cheap to share, so that positions can be looked up as long as needed.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Source {
    file: Arc<str>,
    text: Arc<str>,
    /// Where each line begins.
    lines: Arc<[u32]>,
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Source({}, {} bytes)", self.file, self.text.len())
    }
}

impl Source {
    /// A text that is at hand already. A byte order mark at the start is left out.
    pub fn new(file: impl Into<Arc<str>>, text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1));
        Self {
            file: file.into(),
            lines: lines.collect(),
            text: text.into(),
        }
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// Text that is not UTF-8.
    pub fn from_bytes(file: impl Into<Arc<str>>, bytes: &[u8]) -> Result<Self, Diagnostics> {
        let file = file.into();
        let utf_16: [&[u8]; 4] = [&[0xff, 0xfe], &[0xfe, 0xff], &[b'<', 0], &[0, b'<']];
        if utf_16.iter().any(|start| bytes.starts_with(start)) {
            let message = sentence!("the file is encoded as UTF-16, not as UTF-8");
            let found = Diagnostic::error(Code::Document, message).at(Location::file(&*file));
            return Err(found.with_help("save it as UTF-8").into());
        }
        let error = match str::from_utf8(bytes) {
            Ok(text) => return Ok(Self::new(file, text)),
            Err(error) => error,
        };
        let (before, rest) = bytes.split_at(error.valid_up_to());
        let before = Self::new(Arc::clone(&file), str::from_utf8(before).unwrap_or_default());
        let position = before.position(Spot::new(before.text.len()));
        let byte = rest.first().copied().unwrap_or_default();
        let found = Diagnostic::error(Code::Document, sentence!("the byte {byte:#04x} is not UTF-8"));
        let found = found.at(Location::at(&*file, position.line, position.column));
        Err(found.with_help("save the file as UTF-8").into())
    }

    /// Reads a file, never more of it than a document may have.
    ///
    /// # Errors
    /// A file that cannot be read, is too large or is not UTF-8.
    pub fn open(path: &Path, name: impl Into<Arc<str>>) -> Result<Self, Diagnostics> {
        Self::open_up_to(path, name, MOST_BYTES)
    }

    /// Reads a file that may have so many bytes, never more of it than that.
    ///
    /// # Errors
    /// A file that cannot be read, is too large or is not UTF-8.
    pub fn open_up_to(path: &Path, name: impl Into<Arc<str>>, most: usize) -> Result<Self, Diagnostics> {
        let name = name.into();
        let bytes = super::super::read_bytes(path, &name, most)?;
        Self::from_bytes(name, &bytes)
    }

    /// The name of the file, as it stands in diagnostics.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The text, without a byte order mark.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Line and column of a spot.
    pub fn position(&self, spot: Spot) -> Position {
        let line = self.lines.partition_point(|&start| start <= spot.0).max(1);
        let start = self.lines.get(line - 1).map_or(0, |&start| start as usize);
        let before = self.text.get(start..(spot.0 as usize).min(self.text.len())).unwrap_or_default();
        Position {
            line: line as u32,
            column: before.chars().count() as u32 + 1,
        }
    }

    /// A spot as diagnostics show it, with the text of its line.
    pub fn place(&self, spot: Spot) -> Location {
        let position = self.position(spot);
        let start = self.lines.get(position.line as usize - 1).map_or(0, |&start| start as usize);
        let end = self.lines.get(position.line as usize).map_or(self.text.len(), |&end| end as usize);
        let line = self.text.get(start..end).unwrap_or_default().trim_end();
        Location {
            source_line: (line.len() <= LONGEST_QUOTED_LINE).then(|| line.to_owned()),
            ..Location::at(&*self.file, position.line, position.column)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_from_one() {
        let source = Source::new("a.xml", "\u{feff}<a>\n\täö<b/>\n");
        let at = |text: &str| source.position(Spot::new(source.text().find(text).unwrap())).to_string();
        assert_eq!((at("<a"), at("<b"), at("/>")), ("1:1".into(), "2:4".into(), "2:6".into()));
        assert_eq!(source.place(Spot::new(9)).source_line.as_deref(), Some("\täö<b/>"));
        assert_eq!(source.position(Spot::new(9_999)).to_string(), "3:1");
    }

    #[test]
    fn bytes_that_are_no_text_are_told_with_their_place() {
        let message = |bytes: &[u8]| Source::from_bytes("a.xml", bytes).unwrap_err().to_string();
        assert_eq!(
            message(b"<a>\n x\xe4</a>"),
            "a.xml:2:3: error[document]: the byte 0xe4 is not UTF-8"
        );
        assert_eq!(
            message(b"\xff\xfe<\0"),
            "a.xml: error[document]: the file is encoded as UTF-16, not as UTF-8"
        );
        assert!(Source::from_bytes("a.xml", b"\xef\xbb\xbf<a/>").unwrap().text().starts_with('<'));
    }
}
