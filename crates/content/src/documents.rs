//! Documents of any kind, told apart by their outermost element: to check them and to bring them up to date.

use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Place};

use super::xml::{self, Format, Source, keep_comments};
use super::{Manifest, MapDocument, Parameters, Save, ScenarioDocument, TextsDocument, print_map, print_scenario};

/// A kind of document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DocumentKind {
    /// A map.
    Map,
    /// A scenario.
    Scenario,
    /// The manifest of a ruleset.
    Manifest,
    /// Parameters of a strategy.
    Parameters,
    /// The texts of a ruleset in another language.
    Texts,
    /// A saved match.
    Save,
}

impl DocumentKind {
    /// Every kind.
    pub const ALL: [Self; 6] = [Self::Map, Self::Scenario, Self::Manifest, Self::Parameters, Self::Texts, Self::Save];

    /// Its format.
    pub fn format(self) -> Format {
        match self {
            Self::Map => Format::of::<MapDocument>(),
            Self::Scenario => Format::of::<ScenarioDocument>(),
            Self::Manifest => Format::of::<Manifest>(),
            Self::Parameters => Format::of::<Parameters>(),
            Self::Texts => Format::of::<TextsDocument>(),
            Self::Save => Format::of::<Save>(),
        }
    }

    /// The kind of a document.
    ///
    /// # Errors
    /// The document is of no kind, or not well formed.
    pub fn of(source: &Source) -> Result<Self, Diagnostics> {
        let name = xml::root_name(source)?;
        let mut kinds = Self::ALL.into_iter();
        kinds.find(|kind| kind.format().name == name).ok_or_else(|| {
            let known = Self::ALL.map(|kind| format!("`<{}>`", kind.format().name)).join(", ");
            Diagnostic::error(Code::Document, format!("the document is a `<{name}>`, which is none of {known}"))
                .at(Place::file(source.file()))
                .into()
        })
    }
}

/// What is wrong with a document taken by itself: its form, and for maps also the map. What it needs of other files is not
/// looked at.
pub fn check_document(source: &Source) -> Diagnostics {
    let check = || {
        match DocumentKind::of(source)? {
            DocumentKind::Map => {
                let document = MapDocument::read(source)?;
                document.board()?;
                return Ok(document.doubts());
            }
            DocumentKind::Scenario => ScenarioDocument::read(source).map(drop)?,
            DocumentKind::Manifest => Manifest::read(source).map(drop)?,
            DocumentKind::Parameters => Parameters::read(source).map(drop)?,
            DocumentKind::Texts => TextsDocument::read(source).map(drop)?,
            DocumentKind::Save => Save::read(source).map(drop)?,
        }
        Ok(Diagnostics::new())
    };
    check().unwrap_or_else(|found: Diagnostics| found)
}

/// The text of a document of an older format in the current one; `None` if it is of the current one.
///
/// # Errors
/// Everything that is wrong with the document.
pub fn migrate_document(source: &Source) -> Result<Option<String>, Diagnostics> {
    let kind = DocumentKind::of(source)?;
    if xml::format_of(source, &kind.format())? == kind.format().version {
        return Ok(None);
    }
    rewrite_document(source, kind).map(Some)
}

/// The text of a document as this program writes it, with its comments.
///
/// # Errors
/// Everything that is wrong with the document.
pub fn rewrite_document(source: &Source, kind: DocumentKind) -> Result<String, Diagnostics> {
    let text = match kind {
        DocumentKind::Map => print_map(&MapDocument::read(source)?.map),
        DocumentKind::Scenario => print_scenario(&ScenarioDocument::read(source)?.scenario),
        DocumentKind::Manifest => Manifest::read(source)?.print(),
        DocumentKind::Parameters => Parameters::read(source)?.print(),
        DocumentKind::Texts => TextsDocument::read(source)?.print(),
        // The checksum of a save is about every byte of it, and nobody writes into one.
        DocumentKind::Save => return Ok(Save::read(source)?.print()),
    };
    Ok(keep_comments(source.text(), &text))
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
        let outline = DocumentKind::Parameters.format().outline();
        assert_eq!(
            outline,
            "parameters\n  parameter*: name (a name), of? (any text), value (any text)\n"
        );
        for kind in DocumentKind::ALL {
            let outline = kind.format().outline();
            assert!(outline.starts_with(kind.format().name) && outline.lines().count() > 1, "{outline}");
        }
    }

    #[test]
    fn documents_of_the_current_format_are_left_alone_and_rewritten_alike() {
        let text = "<parameters  format='1'><!-- x --><parameter value='1' name='a'/></parameters>";
        let source = Source::new("f", text);
        assert_eq!(migrate_document(&source), Ok(None));
        let written = rewrite_document(&source, DocumentKind::Parameters).unwrap();
        assert!(written.contains("<!-- x -->\n  <parameter "), "{written}");
        assert_eq!(rewrite_document(&Source::new("f", &written), DocumentKind::Parameters), Ok(written));
    }
}
