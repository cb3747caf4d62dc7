//! Parameters of a strategy, `strategies/<name>.xml` of a ruleset, read anew whenever they change.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::ruleset::Diagnostics;

use super::properties::Seen;
use super::xml::{self, AttributeShape, Count, Format, Kind, Shape, Source, Tag, TextRule};

static PARAMETER: Shape = Shape::plain(
    "parameter",
    &[
        AttributeShape::required("name", Kind::Name),
        AttributeShape::required("value", Kind::Text),
    ],
);
static ROOT: Shape = Shape {
    name: "parameters",
    attributes: &[],
    children: &[Count::Many.of(&PARAMETER)],
    text: TextRule::None,
};
/// The format of parameters.
pub static PARAMETERS_FORMAT: Format = Format {
    root: &ROOT,
    upgrades: &[],
};

/// Parameters by name. What they mean, and of which type they are, is up to the strategy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Parameters(pub BTreeMap<String, String>);

impl Parameters {
    /// Reads parameters.
    ///
    /// # Errors
    /// Everything that is wrong with the document.
    pub fn read(source: &Source) -> Result<Self, Diagnostics> {
        xml::read(source, &PARAMETERS_FORMAT, |root, faults| {
            let mut seen = Seen::new("parameter");
            let mut parameters = BTreeMap::new();
            for parameter in root.all("parameter") {
                let (name, value) = (parameter.text_of("name")?, parameter.text_of("value")?);
                seen.add(&name, parameter.spot_of("name"), faults);
                parameters.insert(name, value);
            }
            Some(Self(parameters))
        })
    }

    /// The text of the file.
    pub fn print(&self) -> String {
        let tag = |(name, value)| Tag::new("parameter").with("name", name).with("value", value);
        Tag::new("parameters")
            .with("format", PARAMETERS_FORMAT.version())
            .children(self.0.iter().map(tag))
            .print()
    }
}
