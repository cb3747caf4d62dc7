//! The texts of a ruleset in another language, `texts/<language>.xml`: what each becomes.

use std::collections::{BTreeMap, BTreeSet};

use super::xml::{self, Document, Fields, Source, Text};
use boardwright_localization::{MessageCatalog, Phrase, TemplateFault};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use boardwright_ruleset::Sources;

/// The folder of texts in that of a ruleset.
pub const TEXTS_FOLDER: &str = "texts/";
/// The folder of the rule book in that of a ruleset; pages in another language lie in a folder of it that is named after the language.
pub const HELP_FOLDER: &str = "help/";

/// The texts of a ruleset in another language, as their author wrote them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextsDocument {
    /// The language: `cs`.
    pub language: String,
    /// The phrases, in order.
    pub phrases: Vec<Phrase>,
    /// Where each stands.
    places: Vec<Location>,
}

impl TextsDocument {
    /// The phrases, each with its place.
    pub fn placed(&self) -> impl Iterator<Item = (&Phrase, &Location)> {
        self.phrases.iter().zip(&self.places)
    }
}

impl Document for TextsDocument {
    const NAME: &'static str = "texts";

    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.required("language", &Text::Id, &mut self.language);
        let source = fields.source();
        let (language, places, mut seen) = (&self.language, &mut self.places, BTreeSet::new());
        fields.list("text", &mut self.phrases, |fields, phrase| {
            let of = fields.required("of", &Text::Name, &mut phrase.of);
            let text = fields.text(&mut phrase.text);
            if !fields.is_whole() {
                return;
            }
            if let Err(fault) = MessageCatalog::check(phrase, language) {
                let is_of = matches!(fault, TemplateFault::Adjacent(..) | TemplateFault::Forms(_));
                fields.error(if is_of { of } else { text }, Code::BadValue, fault.to_string());
            }
            if !seen.insert(phrase.of.clone()) {
                fields.error(of, Code::DuplicateName, format!("`{}` is translated twice", phrase.of));
            }
            places.push(source.place(of));
        });
    }
}

/// The texts of sources by language, those of lower layers in front, and what is wrong with them. A file at fault is left out as a whole.
pub fn read_texts(sources: &Sources) -> (BTreeMap<String, Vec<TextsDocument>>, Diagnostics) {
    let (mut texts, mut found) = (BTreeMap::<String, Vec<TextsDocument>>::new(), Diagnostics::new());
    for layer in &sources.layers {
        for (path, text) in &layer.files {
            let Some(language) = language_of(path) else { continue };
            match read_texts_of(&Source::new(layer.place_of(path), text), language) {
                Ok(document) => texts.entry(language.to_owned()).or_default().push(document),
                Err(wrong) => found.extend(wrong),
            }
        }
    }
    (texts, found)
}

/// The language of a file of texts, by its path in the folder of a ruleset.
pub(super) fn language_of(path: &str) -> Option<&str> {
    path.strip_prefix(TEXTS_FOLDER)?
        .strip_suffix(".xml")
        .filter(|name| !name.contains('/'))
}

/// Reads the texts of a language.
///
/// # Errors
/// Everything that is wrong with the document, or that it is of another language than its file is named after.
pub(super) fn read_texts_of(source: &Source, language: &str) -> Result<TextsDocument, Diagnostics> {
    let document = TextsDocument::read(source)?;
    if document.language == language {
        return Ok(document);
    }
    let message = format!(
        "the texts say they are in `{}`, but their file is named `{language}`",
        document.language
    );
    let place = xml::place_of(source, None, "language");
    Err(Diagnostic::error(Code::BadValue, message).at(place).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<TextsDocument, Diagnostics> {
        TextsDocument::read(&Source::new("texts/cs.xml", text))
    }

    fn messages(text: &str) -> String {
        read(text)
            .unwrap_err()
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join("\n")
    }

    #[test]
    fn texts_are_read_with_entities_and_over_several_lines() {
        let document = read("<texts format=\"1\" language=\"cs\">\n<text of=\"a &lt; b\">b\n   &gt; a</text>\n</texts>").unwrap();
        assert_eq!(
            (&*document.language, &*document.phrases[0].of, &*document.phrases[0].text),
            ("cs", "a < b", "b > a")
        );
        assert_eq!(read(&document.print()).unwrap().phrases, document.phrases);
    }

    #[test]
    fn everything_that_is_wrong_is_told_where_it_stands() {
        let text = "<texts format=\"1\" language=\"cs\">\n<text of=\"{n} x\">{n|a|b}</text>\n<text of=\"{a}{b}\">x</text>\n<text of=\"y\">{z}</text>\n<text of=\"y\">w</text>\n<text of=\"v\"/>\n</texts>";
        insta::assert_snapshot!(messages(text), @r"
        texts/cs.xml:2:18: error[bad-value]: {n|..} has 2 forms, and this language counts in 3, as with 1, 2, 5
        texts/cs.xml:3:11: error[bad-value]: between {a} and {b} stands nothing, so that nobody can tell where one ends
        texts/cs.xml:4:14: error[bad-value]: {z} is not filled in: the text it translates has no such part
        texts/cs.xml:5:11: error[duplicate-name]: `y` is translated twice
        texts/cs.xml:6:1: error[missing-value]: `<text>` is empty
        ");
    }

    #[test]
    fn texts_at_fault_are_left_out_and_others_stay() {
        use boardwright_ruleset::Layer;
        let good = "<texts format=\"1\" language=\"cs\"><text of=\"a\">b</text></texts>";
        let sources = Sources::of(
            Layer::new("one")
                .with("texts/cs.xml", good)
                .with("texts/de.xml", "<texts")
                .with("texts/pl.xml", good),
        );
        let (texts, found) = read_texts(&sources);
        assert_eq!(texts.keys().collect::<Vec<_>>(), ["cs"]);
        let files: Vec<_> = found
            .iter()
            .filter_map(|one| one.place.as_ref())
            .map(|place| place.file.clone())
            .collect();
        assert_eq!(files, ["one/texts/de.xml", "one/texts/pl.xml"]);
    }
}
