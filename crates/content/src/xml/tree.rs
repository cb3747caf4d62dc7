//! From the text of a document to a tree whose every part knows where it stood.

use std::borrow::Cow;
use std::mem;

use quick_xml::Reader;
use quick_xml::errors::Error;
use quick_xml::events::attributes::{AttrError, Attributes};
use quick_xml::events::{BytesDecl, Event};

use boardwright_model::diagnostic::Code;

use super::text::{self, TextBuilder};
use super::{Faults, Source, Spot};

/// How deep elements may be nested.
pub const MOST_DEPTH: usize = 32;
/// The most elements a document may have.
pub const MOST_ELEMENTS: usize = 400_000;
const MOST_ATTRIBUTES: usize = 64;
const WRITE_DECLARATION: &str = "write `<?xml version=\"1.0\" encoding=\"UTF-8\"?>`, or leave it out";
const WRITE_NAME: &str = "begin it with a letter; behind that it may have letters, digits, `-`, `_`, `.` and `:`";
/// With more characters that may not stand in XML a file is not taken for a text at all.
const MOST_FORBIDDEN: usize = 100;

/// An element of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Element<'a> {
    /// Its name.
    pub name: Cow<'a, str>,
    /// Where it begins.
    pub spot: Spot,
    /// Its attributes, in order.
    pub attributes: Vec<Attribute<'a>>,
    /// The elements in it, in order.
    pub children: Vec<Element<'a>>,
    /// The text in it, put together from what stands between its children.
    pub text: String,
    /// Where the text begins, if there is any.
    pub text_spot: Option<Spot>,
    /// Where its tags end and begin.
    pub(crate) tags: TagSpots,
}

/// Where the tags of an element lie. An element that closes itself has one tag, and then all three are where that ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TagSpots {
    /// Where the start tag ends.
    pub(crate) start_end: Spot,
    /// Where the end tag begins.
    pub(crate) end: Spot,
    /// Where the end tag ends.
    pub(crate) end_end: Spot,
}

/// An attribute of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute<'a> {
    /// Its name.
    pub name: Cow<'a, str>,
    /// Where its name begins.
    pub spot: Spot,
    /// Its value.
    pub value: Cow<'a, str>,
    /// Where its value begins, behind the quote.
    pub value_spot: Spot,
    /// Where its value ends, before the quote.
    pub(crate) value_end: Spot,
}

impl<'a> Element<'a> {
    /// The attribute of a name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute<'a>> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// The value of an attribute.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attribute(name).map(|attribute| &*attribute.value)
    }

    /// Where the value of an attribute begins, or else the element.
    pub fn spot_of(&self, name: &str) -> Spot {
        self.attribute(name).map_or(self.spot, |attribute| attribute.value_spot)
    }

    /// The names of a list, with the spot of each; see [`lists`](super::lists).
    pub fn names(&self, name: &str) -> Vec<(&str, Spot)> {
        let Some(attribute) = self.attribute(name) else { return Vec::new() };
        // Where references stand in the value, only the spot of the whole is known.
        let is_exact = matches!(attribute.value, Cow::Borrowed(_));
        let spot_at = |at| attribute.value_spot.plus(if is_exact { at } else { 0 });
        let names = super::lists::split_with_offsets(&attribute.value).into_iter();
        names.map(|(name, at)| (name, spot_at(at))).collect()
    }

    /// The children of a name.
    pub fn all(&self, name: &'static str) -> impl Iterator<Item = &Self> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The first child of a name.
    pub fn first(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name == name)
    }

    /// The words of the text, split at blanks, with the spot of each; of the whole where the text is not in one piece without references.
    pub fn words(&self, source: &Source) -> Vec<(&str, Spot)> {
        let spot = self.text_spot.unwrap_or(self.spot);
        let raw = source.text().get(spot.0 as usize..).unwrap_or_default();
        let raw = raw.split('<').next().unwrap_or_default();
        let words = self.text.split_whitespace();
        if words.clone().eq(raw.split_whitespace()) {
            let spots = words_of(raw).map(|(_, at)| spot.plus(at));
            words.zip(spots).collect()
        } else {
            words.map(|word| (word, spot)).collect()
        }
    }
}

/// The words of a text with the bytes before each.
pub(super) fn words_of(text: &str) -> impl Iterator<Item = (&str, usize)> {
    text.split_whitespace()
        .map(|word| (word, word.as_ptr().addr() - text.as_ptr().addr()))
}

/// Reads the whole text, and tells every fault of form on the way. None where tags do not match: the tree would not be what was meant.
pub(super) fn parse<'a>(source: &'a Source, faults: &mut Faults) -> Option<Element<'a>> {
    let text = source.text();
    let forbidden = || text.char_indices().filter(|&(_, letter)| !text::is_allowed(letter));
    if forbidden().nth(MOST_FORBIDDEN).is_some() {
        let first = forbidden().next().map_or(0, |(at, _)| at);
        let message = format!("this is no text: more than {MOST_FORBIDDEN} characters in it may not stand in XML");
        let help = Some("see whether this is the file that was meant".to_owned());
        faults.error_with_help(Spot::new(first), Code::Document, message, help);
        return None;
    }
    for (at, letter) in forbidden() {
        let message = format!("the character U+{:04X} may not stand in XML", u32::from(letter));
        let help = Some("take it out: text editors may not show it".to_owned());
        faults.error_with_help(Spot::new(at), Code::Document, message, help);
    }
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut parser = Parser {
        text,
        faults,
        open: Vec::new(),
        root: None,
        elements: 0,
        is_whole: true,
        has_tags: text.contains('<'),
    };
    loop {
        let start = reader.buffer_position() as usize;
        let event = reader.read_event();
        let end = reader.buffer_position() as usize;
        let message = match event {
            Ok(Event::Eof) => return parser.finish(),
            Ok(event) if parser.handle_event(&event, start, end) => continue,
            Ok(_) => return None,
            Err(Error::Syntax(error)) => error.to_string(),
            Err(Error::IllFormed(error)) => error.to_string(),
            Err(error) => error.to_string(),
        };
        let help = "see that each quote is closed, each tag ends with `>`, and each comment with `-->`";
        parser.fault(Spot::new(reader.error_position() as usize), message, help);
        return None;
    }
}

struct Parser<'a, 'f> {
    text: &'a str,
    faults: &'f mut Faults,
    /// The elements whose end tags have not been reached.
    open: Vec<(Element<'a>, TextBuilder)>,
    root: Option<Element<'a>>,
    elements: usize,
    is_whole: bool,
    /// Whether there is a tag at all.
    has_tags: bool,
}

impl<'a> Parser<'a, '_> {
    fn fault(&mut self, spot: Spot, message: impl Into<String>, help: impl Into<String>) {
        self.faults.error_with_help(spot, Code::Document, message, Some(help.into()));
    }

    /// Takes one event in; `false` if it is no use to go on.
    fn handle_event(&mut self, event: &Event<'_>, start: usize, end: usize) -> bool {
        let spot = Spot::new(start);
        let raw = self.text.get(start..end).unwrap_or_default();
        match event {
            Event::Start(tag) => return self.start(raw, tag.name().0.len(), spot),
            Event::Empty(tag) => {
                if !self.start(raw, tag.name().0.len(), spot) {
                    return false;
                }
                self.close(Spot::new(end), Spot::new(end));
            }
            Event::End(tag) => self.end(tag.name().0, spot, Spot::new(end)),
            Event::Text(_) => self.raw_text(raw, spot),
            Event::CData(_) => {
                let content = raw.strip_prefix("<![CDATA[").and_then(|raw| raw.strip_suffix("]]>"));
                self.exact_text(&content.unwrap_or_default().replace("\r\n", "\n"), spot);
            }
            Event::GeneralRef(_) => match text::resolve(raw.trim_start_matches('&').trim_end_matches(';')) {
                Ok(letter) => self.exact_text(letter.encode_utf8(&mut [0; 4]), spot),
                Err(message) => self.fault(
                    spot,
                    message,
                    "write the character itself, or one of `&lt;`, `&gt;`, `&amp;`, `&quot;`, `&apos;`",
                ),
            },
            Event::Comment(_) => {
                let content = raw.strip_prefix("<!--").and_then(|raw| raw.strip_suffix("-->")).unwrap_or_default();
                if content.contains("--") || content.ends_with('-') {
                    self.fault(spot, "a comment may not contain `--`", "write one `-`, or blanks between them");
                }
            }
            Event::Decl(declaration) => self.declaration(declaration, start, spot),
            Event::PI(_) => self.fault(spot, "processing instructions are not allowed", "leave it out"),
            Event::DocType(_) => {
                let message = "document types and entities of their own are not allowed";
                self.fault(spot, message, "leave it out: documents are checked by this program");
            }
            Event::Eof => {}
        }
        true
    }

    fn declaration(&mut self, declaration: &BytesDecl<'_>, start: usize, spot: Spot) {
        if start > 0 {
            self.fault(
                spot,
                "`<?xml ..?>` may only stand at the very start",
                "move it there, or leave it out",
            );
        }
        match declaration.version() {
            Ok(version) if version == "1.0" => {}
            Ok(version) => self.fault(spot, format!("XML {version} is not read, only XML 1.0"), WRITE_DECLARATION),
            Err(error) => self.fault(spot, error.to_string(), WRITE_DECLARATION),
        }
        match declaration.encoding() {
            Some(Ok(encoding)) if !encoding.eq_ignore_ascii_case("utf-8") => {
                let message = format!("the encoding is said to be {encoding}, but documents are UTF-8");
                self.fault(spot, message, "save the file as UTF-8 and write encoding=\"UTF-8\"");
            }
            Some(Err(error)) => self.fault(spot, error.to_string(), WRITE_DECLARATION),
            Some(Ok(_)) | None => {}
        }
    }

    fn start(&mut self, raw: &'a str, name_length: usize, spot: Spot) -> bool {
        self.elements += 1;
        if self.elements > MOST_ELEMENTS {
            let help = "divide it, or say in one element what many say";
            self.fault(spot, format!("the document has more than {MOST_ELEMENTS} elements"), help);
            return false;
        }
        if self.open.len() >= MOST_DEPTH {
            let help = "see whether an element before it was not closed";
            self.fault(spot, format!("elements are nested more than {MOST_DEPTH} deep"), help);
            return false;
        }
        if let Some(root) = self.root.as_ref().filter(|_| self.open.is_empty()) {
            let help = format!("move it before `</{}>`", root.name);
            self.fault(spot, "a document has one outermost element only", help);
            self.is_whole = false;
        }
        let content = raw.strip_prefix('<').and_then(|raw| raw.strip_suffix('>')).unwrap_or_default();
        let content = content.strip_suffix('/').unwrap_or(content);
        let name = content.get(..name_length).unwrap_or_default();
        if !is_name(name) {
            self.fault(spot.plus(1), format!("`{name}` is no name of an element"), WRITE_NAME);
        }
        let attributes = self.attributes(content, name_length, spot.plus(1));
        let element = Element {
            name: name.into(),
            spot,
            attributes,
            tags: TagSpots {
                start_end: spot.plus(raw.len()),
                ..TagSpots::default()
            },
            ..Element::default()
        };
        self.open.push((element, TextBuilder::default()));
        true
    }

    fn attributes(&mut self, content: &'a str, name_length: usize, spot: Spot) -> Vec<Attribute<'a>> {
        let mut attributes: Vec<Attribute<'a>> = Vec::new();
        let mut all = Attributes::new(content, name_length);
        // Twice the same name is told here: the reader would compare each with each.
        all.with_checks(false);
        for found in all {
            let attribute = match found {
                Ok(attribute) => attribute,
                Err(error) => {
                    let (at, message, help) = attribute_fault(&error);
                    self.fault(spot.plus(at), message, help);
                    continue;
                }
            };
            let Cow::Borrowed(raw) = attribute.value else { continue };
            let offset = |part: &str| part.as_ptr().addr().saturating_sub(content.as_ptr().addr());
            let (at, value_at) = (offset(attribute.key.0), offset(raw));
            let (name, spot, value_spot) = (attribute.key.0, spot.plus(at), spot.plus(value_at));
            let value_end = value_spot.plus(raw.len());
            if !is_name(name) {
                self.fault(spot, format!("`{name}` is no name of an attribute"), WRITE_NAME);
                continue;
            }
            if !content.get(..at).is_some_and(|before| before.ends_with([' ', '\t', '\n', '\r'])) {
                self.fault(spot, format!("a blank is missing before `{name}`"), format!("write ` {name}`"));
            }
            if attributes.len() == MOST_ATTRIBUTES {
                let message = format!("an element has at most {MOST_ATTRIBUTES} attributes");
                self.fault(spot, message, "leave out what it does not need");
                break;
            }
            let value = text::attribute_value(raw, value_spot, self.faults);
            if attributes.iter().any(|other| other.name == name) {
                let help = Some("leave one out".to_owned());
                self.faults
                    .error_with_help(spot, Code::DuplicateName, format!("`{name}` is given twice"), help);
                continue;
            }
            attributes.push(Attribute {
                name: name.into(),
                spot,
                value,
                value_spot,
                value_end,
            });
        }
        attributes
    }

    fn raw_text(&mut self, raw: &str, spot: Spot) {
        if let Some(at) = raw.find('&') {
            self.fault(spot.plus(at), text::LONE_AMPERSAND, text::WRITE_AMP);
        }
        let letters = raw.find(|letter: char| !letter.is_ascii_whitespace());
        self.push_text(letters.map(|at| spot.plus(at)), |text| text.push_raw(raw));
    }

    fn exact_text(&mut self, content: &str, spot: Spot) {
        self.push_text(Some(spot), |text| text.push_exact(content));
    }

    /// Adds text to the innermost element; `spot` is where it begins, if it is more than blanks.
    fn push_text(&mut self, spot: Option<Spot>, push: impl FnOnce(&mut TextBuilder)) {
        if let Some((element, text)) = self.open.last_mut() {
            element.text_spot = element.text_spot.or(spot);
            push(text);
        } else if let Some(spot) = spot {
            if !self.has_tags {
                // It is told once, and not that the document is empty.
                if mem::take(&mut self.is_whole) {
                    let help = "see whether another file was meant; `boardwright docs --form documents` has the elements of each document";
                    self.fault(spot, "this is text and no XML document", help);
                }
                return;
            }
            self.fault(
                spot,
                "text outside of the outermost element",
                "take it out, or write it as a comment: `<!-- .. -->`",
            );
        }
    }

    fn end(&mut self, name: &str, spot: Spot, end: Spot) {
        if self.open.last().is_some_and(|(element, _)| element.name == name) {
            self.close(spot, end);
            return;
        }
        self.is_whole = false;
        let matching = self.open.iter().rposition(|(element, _)| element.name == name);
        let inner = self.open.last().map(|(element, _)| (element.name.to_string(), element.spot));
        match inner {
            Some((inner, began)) => {
                let line = self.faults.source().position(began).line;
                let message = format!("`</{name}>` closes nothing here: `<{inner}>` of line {line} is still open");
                self.fault(
                    spot,
                    message,
                    format!("write `</{inner}>` before it, or end the tag of line {line} with `/>`"),
                );
            }
            None => self.fault(
                spot,
                format!("`</{name}>` closes nothing"),
                format!("take it out, or open `<{name}>` before it"),
            ),
        }
        if let Some(matching) = matching {
            while self.open.len() > matching {
                self.close(spot, end);
            }
        }
    }

    /// Closes the innermost element, whose end tag lies between two spots.
    fn close(&mut self, end: Spot, end_end: Spot) {
        let Some((mut element, text)) = self.open.pop() else { return };
        element.text = text.text;
        (element.tags.end, element.tags.end_end) = (end, end_end);
        match self.open.last_mut() {
            Some((parent, _)) => parent.children.push(element),
            None => drop(self.root.get_or_insert(element)),
        }
    }

    fn finish(mut self) -> Option<Element<'a>> {
        if self.is_whole && self.root.is_none() && self.open.is_empty() {
            self.fault(
                Spot::default(),
                "the document is empty",
                "the page of formats shows what stands in it: `boardwright docs`",
            );
        }
        for (element, _) in &self.open {
            let message = format!("`<{}>` is never closed", element.name);
            let help = Some(format!("write `</{}>` where it ends", element.name));
            self.faults.error_with_help(element.spot, Code::Document, message, help);
            self.is_whole = false;
        }
        self.root.filter(|_| self.is_whole)
    }
}

/// Names as documents use them: a letter or `_`, then letters, digits, `-`, `_`, `.`, `:`.
fn is_name(name: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphabetic() || letter == '_';
    name.chars().next().is_some_and(is_letter)
        && name
            .chars()
            .all(|letter| is_letter(letter) || letter.is_numeric() || "-.:".contains(letter))
}

fn attribute_fault(error: &AttrError) -> (usize, String, String) {
    let (at, message) = match *error {
        AttrError::ExpectedEq(at) => (at, "`=` and a value are missing behind the name of an attribute".to_owned()),
        AttrError::ExpectedValue(at) => (at, "the value of an attribute is missing".to_owned()),
        AttrError::UnquotedValue(at) => (at, "the value of an attribute must stand between quotes".to_owned()),
        AttrError::ExpectedQuote(at, quote) => {
            let quote = char::from(quote);
            let message = format!("the closing {quote} of an attribute is missing");
            return (at, message, format!("write `{quote}` where the value ends"));
        }
        AttrError::Duplicated(at, _) => return (at, "an attribute is given twice".to_owned(), "leave one out".to_owned()),
    };
    (at, message, "write `name=\"value\"`".to_owned())
}
