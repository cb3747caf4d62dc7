//! Documents of any kind, told apart by their outermost element: to check them and to bring them up to date.

use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};

use super::xml::{self, Format, Source};
use super::{Manifest, MapDocument, Parameters, Save, ScenarioDocument, TextsDocument, TutorialDocument};

/// The formats of all kinds of documents.
pub fn document_formats() -> [Format; 7] {
    [
        Format::of::<MapDocument>(),
        Format::of::<ScenarioDocument>(),
        Format::of::<Manifest>(),
        Format::of::<Parameters>(),
        Format::of::<TextsDocument>(),
        Format::of::<TutorialDocument>(),
        Format::of::<Save>(),
    ]
}

/// The format of a document.
///
/// # Errors
/// The document is of no kind, or not well formed.
pub fn document_format(source: &Source) -> Result<Format, Diagnostics> {
    let name = xml::root_name(source)?;
    let formats = document_formats();
    let known = || formats.map(|format| format!("`<{}>`", format.name)).join(", ");
    formats.into_iter().find(|format| format.name == name).ok_or_else(|| {
        let message = format!("the document is a `<{name}>`, which is none of {}", known());
        Diagnostic::error(Code::Document, message).at(Location::file(source.file())).into()
    })
}

/// What is wrong with a document taken by itself: its form, and for maps also the map. What it needs of other files is not
/// looked at.
pub fn check_document(source: &Source) -> Diagnostics {
    let checked = document_format(source).and_then(|format| (format.check)(source));
    checked.unwrap_or_else(|found| found)
}

/// The text of a document of an older format in the current one; `None` if it is of the current one. Either is read as a whole: a damaged document
/// is not taken for one that needs nothing.
///
/// # Errors
/// Everything that is wrong with the document.
pub fn migrate_document(source: &Source) -> Result<Option<String>, Diagnostics> {
    let format = document_format(source)?;
    if xml::format_of(source, &format)? == format.version {
        return (format.check)(source).map(|_| None);
    }
    (format.rewrite)(source).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_the_outermost_element() {
        let check = |text: &str| check_document(&Source::new("f", text)).to_string();
        assert_eq!(check("<parameters format='1'/>"), "");
        assert!(check("<map format='1' id='a' title='A'><graph/></map>").contains("the map has no cells"));
        let doubtful = "<map format='1' id='a' title='A'><graph/>\n<cell name='a' x='0' y='0'/>\n<cell name='b' x='0' y='0'/></map>";
        assert!(
            check(doubtful).starts_with("f:3:1: warning[bad-value]: cell \"b\" lies at the same point as \"a\""),
            "{}",
            check(doubtful)
        );
        assert!(check("<maps/>").contains("the document is a `<maps>`, which is none of `<map>`, `<scenario>`, `<ruleset>`"));
        assert!(check("<map").contains("f:1:1: error[document]"));
    }

    #[test]
    fn the_outline_of_a_document_lists_what_it_may_hold() {
        let outline = Format::of::<Parameters>().outline();
        assert_eq!(
            outline,
            "parameters\n  parameter*: name (a name), of? (any text), value (any text), words? (a list of names)\n"
        );
        for format in document_formats() {
            let outline = format.outline();
            assert!(outline.starts_with(format.name) && outline.lines().count() > 1, "{outline}");
        }
    }

    #[test]
    fn documents_of_the_current_format_are_left_alone_and_rewritten_alike() {
        let text = "<parameters  format='1'><!-- x --><parameter value='1' name='a'/></parameters>";
        let source = Source::new("f", text);
        assert_eq!(migrate_document(&source), Ok(None));
        let rewrite = Format::of::<Parameters>().rewrite;
        let written = rewrite(&source).unwrap();
        assert!(written.contains("<!-- x -->\n  <parameter "), "{written}");
        assert_eq!(rewrite(&Source::new("f", &written)), Ok(written));
    }
}
