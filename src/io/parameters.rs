//! Parameters of a strategy, `strategies/<name>.xml` of a ruleset, read anew whenever they change.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::rules::Settings;
use crate::ruleset::{Code, Diagnostics, STRATEGIES_FOLDER, Sources};

use super::properties::Seen;
use super::xml::{self, AttributeShape, Count, Format, Kind, Shape, Source, Tag, TextRule};

static PARAMETER: Shape = Shape::plain(
    "parameter",
    &[
        AttributeShape::required("name", Kind::Name),
        AttributeShape::optional("of", Kind::Text),
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

/// Parameters by name; those of one thing alone by the name, a point, and the name of the thing. What they mean is up to the strategy.
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
                let name = parameter.text_of("of").map_or(name.clone(), |of| format!("{name}.{of}"));
                seen.add(&name, parameter.spot_of("name"), faults);
                if is_broken_number(&value) {
                    let message = format!(
                        "`{value}` is no whole number: parameters are whole, so write 125 for 1.25 and say in the script that it is hundredths"
                    );
                    faults.error(parameter.spot_of("value"), Code::BadValue, message);
                }
                parameters.insert(name, value);
            }
            Some(Self(parameters))
        })
    }

    /// The text of the file.
    pub fn print(&self) -> String {
        // What would not be read back as a name stays whole.
        let is_whole = |part: &str| !part.is_empty() && part.trim() == part;
        let tag = |(name, value): (&String, &String)| match name.split_once('.').filter(|(name, of)| is_whole(name) && is_whole(of)) {
            Some((name, of)) => Tag::new("parameter").with("name", name).with("of", of).with("value", value),
            None => Tag::new("parameter").with("name", name).with("value", value),
        };
        Tag::new("parameters")
            .with("format", PARAMETERS_FORMAT.version())
            .children(self.0.iter().map(tag))
            .print()
    }
}

/// Whether a text is a number that is not whole.
fn is_broken_number(text: &str) -> bool {
    text.parse::<i64>().is_err() && text.parse::<f64>().is_ok_and(f64::is_finite)
}

/// What the parameters of all strategies of sources stand at, by the names of the strategies. A file of a higher layer changes what it
/// names, and leaves the rest as the layers below have it.
///
/// # Errors
/// Everything that is wrong with the files.
pub fn read_settings(sources: &Sources) -> Result<BTreeMap<String, Settings>, Diagnostics> {
    let mut settings: BTreeMap<String, Settings> = BTreeMap::new();
    let mut found = Diagnostics::new();
    for layer in &sources.layers {
        for (path, text) in &layer.files {
            let name = path.strip_prefix(STRATEGIES_FOLDER).and_then(|file| file.strip_suffix(".xml"));
            let Some(name) = name else { continue };
            match Parameters::read(&Source::new(layer.place_of(path), text)) {
                Ok(read) => {
                    let pairs = read.0.iter().map(|(name, value)| (name.as_str(), value.as_str()));
                    let known = settings.entry(name.to_owned()).or_default();
                    *known = known.with(&Settings::read(pairs));
                }
                Err(wrong) => found.extend(wrong),
            }
        }
    }
    if found.has_errors() { Err(found) } else { Ok(settings) }
}
