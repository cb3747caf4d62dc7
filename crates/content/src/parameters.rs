//! Parameters of a strategy, `strategies/<name>.xml` of a ruleset, read again whenever they change.

use std::collections::BTreeMap;

use serde::Serialize;

use boardwright_model::diagnostic::{Code, Diagnostics};
use boardwright_rules::Settings;
use boardwright_ruleset::{STRATEGIES_FOLDER, Sources};

use super::properties::Seen;
use super::xml::{Document, Fields, List, Source, Text};

/// Parameters by name; those of one thing alone by the name, a point, and the name of the thing. What they mean is up to the strategy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Parameters {
    /// What they stand at.
    pub values: BTreeMap<String, String>,
    /// The words of those that may have no others.
    pub words: BTreeMap<String, Vec<String>>,
}

#[derive(Default)]
struct Parameter {
    name: String,
    of: Option<String>,
    value: String,
    words: Vec<String>,
}

impl Parameter {
    fn new(name: &str, value: &str, words: &[String]) -> Self {
        // What would not be read back as a name stays whole.
        let is_whole = |part: &str| !part.is_empty() && part.trim() == part;
        let split = name.split_once('.').filter(|(name, of)| is_whole(name) && is_whole(of));
        Self {
            name: split.map_or(name, |(name, _)| name).to_owned(),
            of: split.map(|(_, of)| of.to_owned()),
            value: value.to_owned(),
            words: words.to_vec(),
        }
    }

    fn full_name(&self) -> String {
        self.of
            .as_ref()
            .map_or_else(|| self.name.clone(), |of| format!("{}.{of}", self.name))
    }
}

impl Document for Parameters {
    const NAME: &'static str = "parameters";

    fn describe(&mut self, fields: &mut Fields<'_>) {
        let mut seen = Seen::new("parameter");
        let words_of = |name: &String| self.words.get(name).map_or(&[][..], Vec::as_slice);
        let all = self.values.iter();
        let mut parameters: Vec<_> = all.map(|(name, value)| Parameter::new(name, value, words_of(name))).collect();
        let spots = fields.list("parameter", &mut parameters, |fields, parameter| {
            let name = fields.required("name", &Text::Name, &mut parameter.name);
            fields.optional("of", &Text::Any, &mut parameter.of);
            let value = fields.required("value", &Text::Any, &mut parameter.value);
            fields.default("words", &List::Filled, &mut parameter.words);
            if fields.is_whole() {
                seen.add(&parameter.full_name(), name, fields);
                if parameter.of.is_some() && !parameter.words.is_empty() {
                    let message = "`words` hold for every value of a parameter: write them where it stands without `of`".to_owned();
                    fields.error(name, Code::BadValue, message);
                }
                if !parameter.words.is_empty() && !parameter.words.contains(&parameter.value) {
                    let message = format!("`{}` is none of the words {}", parameter.value, parameter.words.join(", "));
                    fields.error(value, Code::BadValue, message);
                }
                if is_broken_number(&parameter.value) {
                    let message = format!(
                        "`{}` is no whole number: parameters are whole, so write 125 for 1.25 and say in the script that it is hundredths",
                        parameter.value
                    );
                    fields.error(value, Code::BadValue, message);
                }
            }
        });
        for (parameter, spot) in parameters.iter().zip(spots) {
            let own = parameters
                .iter()
                .find(|one| one.of.is_none() && one.name == parameter.name && !one.words.is_empty());
            if let Some(own) = own.filter(|own| parameter.of.is_some() && !own.words.contains(&parameter.value)) {
                let message = format!("`{}` is none of the words {}", parameter.value, own.words.join(", "));
                fields.error(spot, Code::BadValue, message);
            }
        }
        let with_words = parameters.iter().filter(|one| !one.words.is_empty());
        self.words = with_words.map(|one| (one.full_name(), one.words.clone())).collect();
        self.values = parameters.into_iter().map(|one| (one.full_name(), one.value)).collect();
    }
}

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
                    let pairs = read.values.iter().map(|(name, value)| (name.as_str(), value.as_str()));
                    let words = read.words.iter();
                    let own = words.fold(Settings::read(pairs), |own, (name, words)| {
                        own.with_words(name, words.iter().map(String::as_str))
                    });
                    let known = settings.entry(name.to_owned()).or_default();
                    *known = known.with(&own);
                }
                Err(wrong) => found.extend(wrong),
            }
        }
    }
    if found.has_errors() { Err(found) } else { Ok(settings) }
}
