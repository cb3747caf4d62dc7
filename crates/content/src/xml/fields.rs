//! One description per document, from which it is read, checked, printed and documented.
//!
//! A description visits the attributes and elements of a value in the order in which they are written. On reading, each visit
//! fills its value and records every fault; whatever the description did not visit is a fault too. On printing, each visit
//! writes its value.

use smallvec::SmallVec;

use boardwright_model::diagnostic::Code;

use super::values::Codec;
use super::{Element, Faults, Source, Spot, Tag};
use boardwright_ruleset::did_you_mean;

/// The attribute of the outermost element that says which version of the format a document is written in.
pub(super) const FORMAT: &str = "format";

type Names = SmallVec<[&'static str; 12]>;

/// What a description visits: an element that is read, one that is printed, or the outline of one.
pub struct Fields<'r> {
    mode: Mode<'r>,
    attributes: Names,
    children: Names,
    has_text: bool,
}

enum Mode<'r> {
    Read {
        element: &'r Element<'r>,
        faults: &'r mut Faults,
        /// Whether all that is required is there and sound.
        is_whole: bool,
    },
    Print(&'r mut Tag),
    Outline(&'r mut Outline),
}

/// How often an element stands in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    One,
    Optional,
    Many,
}

/// What an element may hold.
#[derive(Debug, Default)]
pub struct Outline {
    name: &'static str,
    attributes: Vec<(&'static str, bool, String)>,
    children: Vec<(Count, Outline)>,
    has_text: bool,
}

impl Outline {
    pub(super) fn of(name: &'static str, describe: impl FnOnce(&mut Fields<'_>)) -> Self {
        let mut outline = Self { name, ..Self::default() };
        describe(&mut Fields::new(Mode::Outline(&mut outline)));
        outline
    }

    /// The elements in which one of a name may stand.
    pub(super) fn homes(&self, name: &str, homes: &mut Vec<&'static str>) {
        for (_, child) in &self.children {
            if child.name == name && !homes.contains(&self.name) {
                homes.push(self.name);
            }
            child.homes(name, homes);
        }
    }

    /// The outline as text: an element a line, what is in it indented below it, with its attributes and their values.
    pub fn print(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, 0, "");
        text
    }

    fn write(&self, out: &mut String, depth: usize, count: &str) {
        let parts = self.attributes.iter().map(|(name, is_required, expected)| {
            let mark = if *is_required { "" } else { "?" };
            format!("{name}{mark} ({expected})")
        });
        let parts: Vec<String> = parts.chain(self.has_text.then(|| "text".to_owned())).collect();
        let colon = if parts.is_empty() { "" } else { ": " };
        out.push_str(&format!("{}{}{count}{colon}{}\n", "  ".repeat(depth), self.name, parts.join(", ")));
        for (count, child) in &self.children {
            let count = match count {
                Count::One => "",
                Count::Optional => "?",
                Count::Many => "*",
            };
            child.write(out, depth + 1, count);
        }
    }
}

/// Reads an element by its description; whether it is whole.
pub(super) fn read<'r>(element: &'r Element<'r>, faults: &'r mut Faults, describe: impl FnOnce(&mut Fields<'_>)) -> bool {
    let mut fields = Fields::new(Mode::Read {
        element,
        faults,
        is_whole: true,
    });
    describe(&mut fields);
    fields.finish()
}

/// Prints an element by its description.
pub(crate) fn print(mut tag: Tag, describe: impl FnOnce(&mut Fields<'_>)) -> Tag {
    describe(&mut Fields::new(Mode::Print(&mut tag)));
    tag
}

impl<'r> Fields<'r> {
    fn new(mode: Mode<'r>) -> Self {
        Self {
            mode,
            attributes: Names::new(),
            children: Names::new(),
            has_text: false,
        }
    }

    /// The element that is read, if one is.
    pub fn element(&self) -> Option<&'r Element<'r>> {
        match &self.mode {
            Mode::Read { element, .. } => Some(*element),
            Mode::Print(_) | Mode::Outline(_) => None,
        }
    }

    /// Where faults of what is read go; `None` if nothing is read.
    pub fn faults(&mut self) -> Option<&mut Faults> {
        match &mut self.mode {
            Mode::Read { faults, .. } => Some(faults),
            Mode::Print(_) | Mode::Outline(_) => None,
        }
    }

    /// Adds a fault of what is read.
    pub fn error(&mut self, spot: Spot, code: Code, message: impl Into<String>) {
        self.error_with_help(spot, code, message, None);
    }

    /// Adds a fault of what is read, with what to do about it.
    pub fn error_with_help(&mut self, spot: Spot, code: Code, message: impl Into<String>, help: Option<String>) {
        if let Some(faults) = self.faults() {
            faults.error_with_help(spot, code, message, help);
        }
    }

    /// Whether an element is read of which all visited so far was there and sound.
    pub fn is_whole(&self) -> bool {
        matches!(self.mode, Mode::Read { is_whole: true, .. })
    }

    /// The document that is read; an empty one if none is.
    pub fn source(&mut self) -> Source {
        self.faults().map(|faults| faults.source().clone()).unwrap_or_default()
    }

    /// Where the element begins.
    pub fn spot(&self) -> Spot {
        self.element().map_or_else(Spot::default, |element| element.spot)
    }

    /// Where the value of an attribute begins, or else the element.
    pub fn spot_of(&self, name: &str) -> Spot {
        self.element().map_or_else(Spot::default, |element| element.spot_of(name))
    }

    /// Where each name of a list begins.
    pub fn spots_in(&self, name: &str) -> Vec<Spot> {
        let names = self.element().map(|element| element.names(name)).unwrap_or_default();
        names.into_iter().map(|(_, spot)| spot).collect()
    }

    fn attribute<T>(&mut self, name: &'static str, is_required: bool, codec: &impl Codec<T>, value: Option<&T>) -> Option<T> {
        match &mut self.mode {
            Mode::Read { element, faults, is_whole } => {
                self.attributes.push(name);
                let Some(found) = element.attribute(name) else {
                    if is_required {
                        let message = format!("`<{}>` lacks the attribute `{name}`", element.name);
                        faults.error(element.spot, Code::MissingValue, message);
                        *is_whole = false;
                    }
                    return None;
                };
                match codec.read(&found.value) {
                    Ok(value) => Some(value),
                    Err((fault, help)) => {
                        let message = format!("`{name}`: {fault}");
                        faults.error_with_help(found.value_spot, Code::BadValue, message, help);
                        *is_whole = false;
                        None
                    }
                }
            }
            Mode::Print(tag) => {
                if let Some(value) = value {
                    tag.attributes.push((name, codec.print(value), codec.is_list()));
                }
                None
            }
            Mode::Outline(outline) => {
                outline.attributes.push((name, is_required, codec.expected()));
                None
            }
        }
    }

    /// Visits an attribute that must be there, and says where its value begins.
    pub fn required<T>(&mut self, name: &'static str, codec: &impl Codec<T>, value: &mut T) -> Spot {
        if let Some(read) = self.attribute(name, true, codec, Some(value)) {
            *value = read;
        }
        self.spot_of(name)
    }

    /// Visits an attribute that may be there.
    pub fn optional<T>(&mut self, name: &'static str, codec: &impl Codec<T>, value: &mut Option<T>) -> Spot {
        let read = self.attribute(name, false, codec, value.as_ref());
        if self.element().is_some() {
            *value = read;
        }
        self.spot_of(name)
    }

    /// Visits an attribute that is left out where it has its default value.
    pub fn default<T: Default + PartialEq>(&mut self, name: &'static str, codec: &impl Codec<T>, value: &mut T) {
        let printed = Some(&*value).filter(|value| **value != T::default());
        if let Some(read) = self.attribute(name, false, codec, printed) {
            *value = read;
        }
    }

    /// Visits the elements of some names, or those to be printed, each with its number; for each whether it is whole and where it begins.
    fn elements(
        &mut self,
        count: Count,
        names: &[&'static str],
        printed: &[&'static str],
        mut visit: impl FnMut(&mut Fields<'_>, &'static str, usize),
    ) -> Vec<(bool, Spot)> {
        let mut found = Vec::new();
        match &mut self.mode {
            Mode::Read { element, faults, .. } => {
                self.children.extend_from_slice(names);
                for child in &element.children {
                    let Some(name) = names.iter().find(|name| child.name == **name) else {
                        continue;
                    };
                    if let Some((_, first)) = found.first().filter(|_| count != Count::Many) {
                        let line = faults.source().position(*first).line;
                        let message = format!("there may be one `<{name}>` only; the first is in line {line}");
                        faults.error(child.spot, Code::DuplicateName, message);
                        continue;
                    }
                    let is_whole = read(child, faults, |fields| visit(fields, name, found.len()));
                    found.push((is_whole, child.spot));
                }
            }
            Mode::Print(tag) => {
                let group = names.first().copied().unwrap_or_default();
                for (index, name) in printed.iter().enumerate() {
                    tag.children
                        .push(print(Tag::of_group(name, group), |fields| visit(fields, name, index)));
                }
            }
            Mode::Outline(outline) => {
                for (index, name) in names.iter().enumerate() {
                    let child = Outline::of(name, |fields| visit(fields, name, index));
                    outline.children.push((count, child));
                }
            }
        }
        found
    }

    /// Visits an element that must be there.
    pub fn child<T>(&mut self, name: &'static str, value: &mut T, mut describe: impl FnMut(&mut Fields<'_>, &mut T)) {
        let found = self.elements(Count::One, &[name], &[name], |fields, _, _| describe(fields, value));
        if let Mode::Read { element, faults, is_whole } = &mut self.mode {
            if found.is_empty() {
                let message = format!("`<{}>` lacks `<{name}>`", element.name);
                faults.error(element.spot, Code::MissingValue, message);
            }
            *is_whole &= found.first().is_some_and(|(is_whole, _)| *is_whole);
        }
    }

    /// Visits an element that may be there.
    pub fn optional_child<T: Default>(
        &mut self,
        name: &'static str,
        value: &mut Option<T>,
        mut describe: impl FnMut(&mut Fields<'_>, &mut T),
    ) {
        let printed = value.take().filter(|_| self.element().is_none());
        let one = [name];
        let names: &[_] = if printed.is_some() { &one } else { &[] };
        let is_printed = printed.is_some();
        let mut visited = printed.unwrap_or_default();
        let found = self.elements(Count::Optional, &[name], names, |fields, _, _| describe(fields, &mut visited));
        *value = (is_printed || found.first().is_some_and(|(is_whole, _)| *is_whole)).then_some(visited);
    }

    /// Visits all elements of a name, and says where each begins.
    pub fn list<T: Default>(
        &mut self,
        name: &'static str,
        values: &mut Vec<T>,
        mut describe: impl FnMut(&mut Fields<'_>, &mut T),
    ) -> Vec<Spot> {
        self.mixed(&[name], values, |_| name, |fields, _, value| describe(fields, value))
    }

    /// Visits all elements of some names in the order in which they stand, and says where each begins.
    pub fn mixed<T: Default>(
        &mut self,
        names: &[&'static str],
        values: &mut Vec<T>,
        name_of: impl Fn(&T) -> &'static str,
        mut describe: impl FnMut(&mut Fields<'_>, &'static str, &mut T),
    ) -> Vec<Spot> {
        let is_printed = matches!(self.mode, Mode::Print(_));
        let printed: Vec<&'static str> = values.iter().map(name_of).filter(|_| is_printed).collect();
        let found = self.elements(Count::Many, names, &printed, |fields, name, index| {
            if !is_printed {
                values.push(T::default());
            }
            if let Some(value) = values.get_mut(index) {
                describe(fields, name, value);
            }
        });
        if !is_printed {
            let mut whole = found.iter().map(|(is_whole, _)| *is_whole);
            values.retain(|_| whole.next().unwrap_or(false));
        }
        found.into_iter().filter_map(|(is_whole, spot)| is_whole.then_some(spot)).collect()
    }

    fn any_text(&mut self, is_required: bool) -> Option<&'r Element<'r>> {
        self.has_text = true;
        match &mut self.mode {
            Mode::Read { element, faults, is_whole } => {
                if is_required && element.text.is_empty() {
                    faults.error(element.spot, Code::MissingValue, format!("`<{}>` is empty", element.name));
                    *is_whole = false;
                }
                Some(*element)
            }
            Mode::Print(_) => None,
            Mode::Outline(outline) => {
                outline.has_text = true;
                None
            }
        }
    }

    /// Visits an element that must be there and holds a text alone.
    pub fn text_child(&mut self, name: &'static str, text: &mut String) {
        self.child(name, text, |fields, text| {
            fields.text(text);
        });
    }

    /// Visits all elements of a name, each of which holds a text alone.
    pub fn text_list(&mut self, name: &'static str, texts: &mut Vec<String>) {
        self.list(name, texts, |fields, text| {
            fields.text(text);
        });
    }

    /// Visits the text of the element, which must be there, and says where it begins.
    pub fn text(&mut self, text: &mut String) -> Spot {
        self.text_that(true, text)
    }

    /// Visits the text of the element, which may be empty.
    pub fn optional_text(&mut self, text: &mut String) {
        self.text_that(false, text);
    }

    fn text_that(&mut self, is_required: bool, text: &mut String) -> Spot {
        if let Some(element) = self.any_text(is_required) {
            text.clone_from(&element.text);
            return element.text_spot.unwrap_or(element.spot);
        }
        if let Mode::Print(tag) = &mut self.mode {
            tag.text = Some(text.clone());
        }
        Spot::default()
    }

    /// Visits the text of the element as words, each with where it begins. The words are printed as `layout` puts them.
    pub fn words(&mut self, layout: impl FnOnce() -> String) -> Vec<(&'r str, Spot)> {
        if let Some(element) = self.any_text(true) {
            return element.words(&self.source());
        }
        if let Mode::Print(tag) = &mut self.mode {
            tag.words = Some(layout());
        }
        Vec::new()
    }

    /// Tells what stands in the element that was not visited; whether the element is whole.
    fn finish(self) -> bool {
        let Mode::Read {
            element,
            faults,
            mut is_whole,
        } = self.mode
        else {
            return true;
        };
        let name = &element.name;
        for found in &element.attributes {
            if self.attributes.iter().any(|known| found.name == *known) {
                continue;
            }
            let help = did_you_mean(&found.name, self.attributes.iter().copied())
                .or_else(|| (!self.attributes.is_empty()).then(|| format!("it has: {}", self.attributes.join(", "))));
            let message = format!("`<{name}>` has no attribute `{}`", found.name);
            faults.error_with_help(found.spot, Code::UnknownKey, message, help);
        }
        if let Some(spot) = element.text_spot.filter(|_| !self.has_text) {
            faults.error(spot, Code::Document, format!("there may be no text in `<{name}>`"));
            is_whole = false;
        }
        for child in &element.children {
            if !self.children.iter().any(|known| child.name == *known) {
                report_stray(child, name, &self.children, faults);
            }
        }
        is_whole
    }
}

/// Tells of an element that stands where it may not.
fn report_stray(child: &Element<'_>, parent: &str, known: &[&'static str], faults: &mut Faults) {
    let name = &*child.name;
    let homes = faults.homes(name);
    let list = |names: &[&str], between: &str| names.iter().map(|name| format!("`<{name}>`")).collect::<Vec<_>>().join(between);
    let (code, message, help) = if homes.is_empty() {
        let help = did_you_mean(name, known.iter().copied());
        let help = help.or_else(|| (!known.is_empty()).then(|| format!("there are: {}", list(known, ", "))));
        (Code::UnknownKey, format!("there is no element `<{name}>` in `<{parent}>`"), help)
    } else {
        let help = format!("it belongs into {}", list(&homes, " or "));
        (Code::Document, format!("`<{name}>` may not stand in `<{parent}>`"), Some(help))
    };
    faults.error_with_help(child.spot, code, message, help);
}
