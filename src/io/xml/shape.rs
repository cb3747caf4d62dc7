//! The shape of a document: which elements and attributes may stand where. One check tells everything that differs.

use std::collections::BTreeMap;

use crate::ruleset::Code;

use super::did_you_mean;
use super::{Element, Faults};

/// The attribute of the outermost element that says which version of the format a document is written in.
pub(super) const FORMAT: &str = "format";

/// What an element looks like.
#[derive(Debug)]
pub struct Shape {
    /// Its name.
    pub name: &'static str,
    /// Its attributes.
    pub attributes: &'static [AttributeShape],
    /// The elements in it, in any order.
    pub children: &'static [Child],
    /// The text in it.
    pub text: TextRule,
}

impl Shape {
    /// An element with attributes alone.
    pub const fn plain(name: &'static str, attributes: &'static [AttributeShape]) -> Self {
        Self {
            name,
            attributes,
            children: &[],
            text: TextRule::None,
        }
    }

    /// An element with text alone.
    pub const fn text(name: &'static str) -> Self {
        Self {
            name,
            attributes: &[],
            children: &[],
            text: TextRule::Required,
        }
    }
}

/// Whether there is text in an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextRule {
    /// No.
    None,
    /// There may be.
    Optional,
    /// There must be.
    Required,
}

/// An element in another.
#[derive(Debug)]
pub struct Child {
    /// What it looks like.
    pub shape: &'static Shape,
    /// How often it stands there.
    pub count: Count,
}

/// How often an element stands in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Exactly once.
    One,
    /// At most once.
    Optional,
    /// Any number of times.
    Many,
}

impl Count {
    /// An element that stands there so often.
    pub const fn of(self, shape: &'static Shape) -> Child {
        Child { shape, count: self }
    }
}

/// An attribute of an element.
#[derive(Debug)]
pub struct AttributeShape {
    /// Its name.
    pub name: &'static str,
    /// Whether it must be there.
    pub is_required: bool,
    /// What its value may be.
    pub kind: Kind,
}

impl AttributeShape {
    /// An attribute that must be there.
    pub const fn required(name: &'static str, kind: Kind) -> Self {
        Self {
            name,
            is_required: true,
            kind,
        }
    }

    /// An attribute that may be there.
    pub const fn optional(name: &'static str, kind: Kind) -> Self {
        Self {
            name,
            is_required: false,
            kind,
        }
    }
}

/// What the value of an attribute may be.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Any text.
    Text,
    /// A text that is not empty and has no blanks at its ends.
    Name,
    /// Small letters, digits and hyphens: what files and folders are called.
    Id,
    /// A whole number between two bounds, both allowed.
    Number(i64, i64),
    /// `yes` or `no`.
    Flag,
    /// One of these words.
    Word(&'static [&'static str]),
    /// At least one name; see [`lists`](super::lists).
    List,
}

impl Kind {
    /// What is wrong with a value.
    fn fault(self, value: &str) -> Option<(String, Option<String>)> {
        let wrong = |expected: String| Some((format!("expected {expected}, found {value:?}"), None));
        match self {
            Self::Name if value.is_empty() => Some(("the value is empty".to_owned(), None)),
            Self::Name if value.trim() != value => Some((format!("{value:?} begins or ends with a blank"), None)),
            Self::Id if is_id(value) => None,
            Self::Id => wrong("small letters, digits and hyphens".to_owned()),
            Self::Number(least, most) => match value.trim().parse::<i64>() {
                Ok(number) if (least..=most).contains(&number) => None,
                Ok(_) => Some((format!("{value} is outside {least} to {most}"), None)),
                Err(_) => wrong("a whole number".to_owned()),
            },
            Self::Flag if matches!(value.trim(), "yes" | "no") => None,
            Self::Flag => wrong("yes or no".to_owned()),
            Self::Word(words) if words.contains(&value.trim()) => None,
            Self::Word(words) => Some((
                format!("expected one of {}, found {value:?}", words.join(", ")),
                did_you_mean(value.trim(), words.iter().copied()),
            )),
            Self::List if super::lists::split(value).is_empty() => Some(("the list is empty".to_owned(), None)),
            Self::Text | Self::Name | Self::List => None,
        }
    }
}

/// Whether a text may be the name of a ruleset, map or scenario: 1 to 64 small letters, digits and single hyphens between them.
pub fn is_id(text: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    text.len() <= 64 && text.split('-').all(is_part)
}

/// Tells everything in which an element and what is in it differ from their shape.
pub(super) fn check(root: &Element<'_>, shape: &'static Shape, faults: &mut Faults) {
    let mut homes = BTreeMap::new();
    collect_homes(shape, &mut homes);
    Checker { homes, faults }.element(root, shape, true);
}

/// For each element of a document the elements it may stand in.
fn collect_homes(shape: &'static Shape, homes: &mut BTreeMap<&'static str, Vec<&'static str>>) {
    for child in shape.children {
        let of_child = homes.entry(child.shape.name).or_default();
        if !of_child.contains(&shape.name) {
            of_child.push(shape.name);
            collect_homes(child.shape, homes);
        }
    }
}

struct Checker<'f> {
    homes: BTreeMap<&'static str, Vec<&'static str>>,
    faults: &'f mut Faults,
}

impl Checker<'_> {
    fn element(&mut self, element: &Element<'_>, shape: &'static Shape, is_root: bool) {
        self.attributes(element, shape, is_root);
        match (shape.text, element.text_spot) {
            (TextRule::None, Some(spot)) => {
                let message = format!("there may be no text in `<{}>`", shape.name);
                self.faults.error(spot, Code::Document, message);
            }
            (TextRule::Required, _) if element.text.is_empty() => {
                let message = format!("`<{}>` is empty", shape.name);
                self.faults.error(element.spot, Code::MissingValue, message);
            }
            _ => {}
        }
        for (index, found) in element.children.iter().enumerate() {
            let Some(child) = shape.children.iter().find(|child| found.name == child.shape.name) else {
                self.unknown_child(found, shape);
                continue;
            };
            let before = || element.children.iter().take(index).find(|other| other.name == found.name);
            if child.count != Count::Many
                && let Some(first) = before()
            {
                let line = self.faults.source().position(first.spot).line;
                let message = format!("there may be one `<{}>` only; the first is in line {line}", found.name);
                self.faults.error(found.spot, Code::DuplicateName, message);
            }
            self.element(found, child.shape, false);
        }
        for child in shape.children.iter().filter(|child| child.count == Count::One) {
            if element.first(child.shape.name).is_none() {
                let message = format!("`<{}>` lacks `<{}>`", shape.name, child.shape.name);
                self.faults.error(element.spot, Code::MissingValue, message);
            }
        }
    }

    fn attributes(&mut self, element: &Element<'_>, shape: &'static Shape, is_root: bool) {
        for found in element.attributes.iter().filter(|found| !(is_root && found.name == FORMAT)) {
            let Some(known) = shape.attributes.iter().find(|known| found.name == known.name) else {
                let message = format!("`<{}>` has no attribute `{}`", shape.name, found.name);
                let names = || shape.attributes.iter().map(|known| known.name);
                let help = did_you_mean(&found.name, names()).or_else(|| {
                    let names: Vec<_> = names().collect();
                    (!names.is_empty()).then(|| format!("it has: {}", names.join(", ")))
                });
                self.faults.error_with_help(found.spot, Code::UnknownKey, message, help);
                continue;
            };
            if let Some((fault, help)) = known.kind.fault(&found.value) {
                let message = format!("`{}`: {fault}", known.name);
                self.faults.error_with_help(found.value_spot, Code::BadValue, message, help);
            }
        }
        for known in shape.attributes.iter().filter(|known| known.is_required) {
            if element.attribute(known.name).is_none() {
                let message = format!("`<{}>` lacks the attribute `{}`", shape.name, known.name);
                self.faults.error(element.spot, Code::MissingValue, message);
            }
        }
    }

    fn unknown_child(&mut self, found: &Element<'_>, shape: &'static Shape) {
        if let Some(homes) = self.homes.get(&*found.name) {
            let message = format!("`<{}>` may not stand in `<{}>`", found.name, shape.name);
            let homes: Vec<_> = homes.iter().map(|home| format!("`<{home}>`")).collect();
            let help = format!("it belongs into {}", homes.join(" or "));
            self.faults.error_with_help(found.spot, Code::Document, message, Some(help));
            return;
        }
        let message = format!("there is no element `<{}>` in `<{}>`", found.name, shape.name);
        let names = || shape.children.iter().map(|child| child.shape.name);
        let help = did_you_mean(&found.name, names()).or_else(|| {
            let names: Vec<_> = names().map(|name| format!("`<{name}>`")).collect();
            (!names.is_empty()).then(|| format!("there are: {}", names.join(", ")))
        });
        self.faults.error_with_help(found.spot, Code::UnknownKey, message, help);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_small_letters_digits_and_single_hyphens() {
        for id in ["a", "tic-tac-toe", "4x", "x-4"] {
            assert!(is_id(id), "{id}");
        }
        for id in ["", "-", "a-", "-a", "a--b", "A", "a b", "a_b", "..", "a/b", "é", &"a".repeat(65)] {
            assert!(!is_id(id), "{id}");
        }
    }
}
