//! The rule book of a ruleset, read without beginning a match.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{help_pages, pictures, rule_texts, translations};
use crate::client::Tongue;
use crate::client::messages::{HelpPage, RuleText};
use crate::io::Catalog;
use crate::model::Fingerprint;
use crate::ruleset::{Phrasebook, Phrases};
use crate::script::{Limits, ScriptSource};

/// What a ruleset tells people about its rules.
#[derive(Clone, Debug, Default)]
pub struct RuleBook {
    /// The files it was made of; none if they could not be read.
    pub fingerprint: Option<Fingerprint>,
    /// Its pages.
    pub pages: Vec<HelpPage>,
    /// The rules as the scripts say them, by number; none if they do not compile.
    pub rules: Vec<RuleText>,
    /// The pictures: SVG by file name.
    pub art: BTreeMap<String, String>,
}

/// Reads the rule book of a ruleset in a language, as far as its files can be read.
pub fn read_book(catalog: &Catalog, ruleset: &str, tongue: &Tongue) -> RuleBook {
    let Ok(sources) = catalog.sources(ruleset, None) else {
        return RuleBook::default();
    };
    let languages = translations(&sources);
    let own = languages.get(&tongue.language);
    let book = own.map(|own| Phrasebook::new(&tongue.language, &own.texts)).unwrap_or_default();
    let phrases = Phrases::new([Arc::new(book), Arc::clone(&tongue.program)]);
    let said = |mut rules: Vec<RuleText>| {
        rules.iter_mut().for_each(|rule| rule.text = phrases.say(&rule.text).into_owned());
        rules
    };
    RuleBook {
        fingerprint: Some(sources.fingerprint()),
        pages: own.map_or_else(|| help_pages(&sources), |own| own.help.clone()),
        art: pictures(&sources),
        rules: ScriptSource::new(Arc::new(sources), Limits::default())
            .map(|source| said(rule_texts(&source)))
            .unwrap_or_default(),
    }
}
