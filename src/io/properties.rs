//! Declared properties as they stand in documents: `<property name="cost" value="2"/>`.

use std::collections::BTreeMap;

use crate::model::AuthoredProperties;
use crate::ruleset::Code;

use super::xml::{AttributeShape, Element, Faults, Kind, Shape, Spot, Tag};

/// A property.
pub(super) static PROPERTY: Shape = Shape::plain(
    "property",
    &[
        AttributeShape::required("name", Kind::Name),
        AttributeShape::required("value", Kind::Text),
    ],
);

/// A property as read: its name, its value, and where it stands.
pub(super) type ReadProperty = (String, String, Spot);

/// The properties in an element, in order; a name given twice is told.
pub(super) fn read_list(element: &Element<'_>, faults: &mut Faults) -> Vec<ReadProperty> {
    let mut seen = Seen::new("property");
    element
        .all("property")
        .filter_map(|property| {
            let (name, value) = (property.text_of("name")?, property.text_of("value")?);
            seen.add(&name, property.spot_of("name"), faults);
            Some((name, value, property.spot))
        })
        .collect()
}

/// The properties in an element by name.
pub(super) fn read(element: &Element<'_>, faults: &mut Faults) -> AuthoredProperties {
    read_list(element, faults)
        .into_iter()
        .map(|(name, value, _)| (name, value))
        .collect()
}

/// The elements for properties.
pub(super) fn write<'a>(properties: impl IntoIterator<Item = (&'a String, &'a String)> + 'a) -> impl Iterator<Item = Tag> + 'a {
    let tags = properties.into_iter();
    tags.map(|(name, value)| Tag::new("property").with("name", name).with("value", value))
}

/// Names seen so far, to tell those given twice.
pub(super) struct Seen {
    what: &'static str,
    names: BTreeMap<String, Spot>,
}

impl Seen {
    pub(super) const fn new(what: &'static str) -> Self {
        Self {
            what,
            names: BTreeMap::new(),
        }
    }

    pub(super) fn add(&mut self, name: &str, spot: Spot, faults: &mut Faults) {
        if let Some(&first) = self.names.get(name) {
            let line = faults.source().position(first).line;
            let message = format!("the {} `{name}` is given twice; the first is in line {line}", self.what);
            faults.error(spot, Code::DuplicateName, message);
        } else {
            self.names.insert(name.to_owned(), spot);
        }
    }
}
