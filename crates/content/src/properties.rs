//! Elements of two attributes, such as `<property name="cost" value="2"/>`.

use std::collections::BTreeMap;

use boardwright_model::AuthoredProperties;
use boardwright_model::diagnostic::Code;

use super::xml::{Fields, Spot, Text};

/// Elements of two attributes, of which the first tells them apart.
pub(super) struct Pairs {
    pub(super) element: &'static str,
    pub(super) names: [&'static str; 2],
    /// What the second may be; the first is a name.
    pub(super) second: Text,
    /// What an element is called in faults.
    pub(super) what: &'static str,
}

/// Where an element of two attributes begins, and where its two values do.
pub(super) type PairSpots = [Spot; 3];

pub(super) const PROPERTIES: Pairs = Pairs {
    element: "property",
    names: ["name", "value"],
    second: Text::Any,
    what: "property",
};

pub(super) const PLAYERS: Pairs = Pairs {
    element: "player",
    names: ["seat", "plays"],
    second: Text::Name,
    what: "player of seat",
};

impl Pairs {
    pub(super) fn describe(&self, fields: &mut Fields<'_>, pairs: &mut Vec<(String, String)>) -> Vec<PairSpots> {
        let mut seen = Seen::new(self.what);
        let mut spots = Vec::new();
        let [first, second] = self.names;
        fields.list(self.element, pairs, |fields, pair| {
            let at = [
                fields.spot(),
                fields.required(first, &Text::Name, &mut pair.0),
                fields.required(second, &self.second, &mut pair.1),
            ];
            if fields.is_whole() {
                seen.add(&pair.0, at[1], fields);
                spots.push(at);
            }
        });
        spots
    }
}

/// Visits declared properties by name.
pub(super) fn describe(fields: &mut Fields<'_>, properties: &mut AuthoredProperties) {
    let mut list = std::mem::take(properties).into_iter().collect();
    PROPERTIES.describe(fields, &mut list);
    *properties = list.into_iter().collect();
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

    pub(super) fn add(&mut self, name: &str, spot: Spot, fields: &mut Fields<'_>) {
        let Some(faults) = fields.faults() else { return };
        if let Some(&first) = self.names.get(name) {
            let line = faults.source().position(first).line;
            let message = format!("the {} `{name}` is given twice; the first is in line {line}", self.what);
            faults.error(spot, Code::DuplicateName, message);
        } else {
            self.names.insert(name.to_owned(), spot);
        }
    }
}
