//! The rule book of a ruleset, read without beginning a match.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use boardwright_client::Locale;
use boardwright_client::content::BookContent;
use boardwright_content::{Catalog, HELP_FOLDER, read_texts};
use boardwright_localization::{Localizer, MessageCatalog};
use boardwright_protocol::{HelpPage, RuleText, Translation};
use boardwright_ruleset::Sources;
use boardwright_script::{Limits, ScriptSource};

/// Reads the rule book of a ruleset in a language, as far as its files can be read.
pub fn read_book(catalog: &Catalog, ruleset: &str, locale: &Locale) -> BookContent {
    let Ok(sources) = catalog.sources(ruleset, None) else {
        return BookContent {
            ruleset: ruleset.to_owned(),
            ..BookContent::default()
        };
    };
    let languages = translations(&sources);
    let own = languages.get(&locale.language);
    let book = own.map(|own| MessageCatalog::new(&locale.language, &own.texts)).unwrap_or_default();
    let localizer = Localizer::new([Arc::new(book), Arc::clone(&locale.program)]);
    let translated = |mut rules: Vec<RuleText>| {
        for rule in &mut rules {
            rule.text = localizer.translate(&rule.text).into_owned();
        }
        rules
    };
    BookContent {
        ruleset: ruleset.to_owned(),
        fingerprint: Some(sources.fingerprint()),
        pages: own.map_or_else(|| help_pages(&sources), |own| own.help.clone()),
        art: pictures(&sources),
        rules: ScriptSource::new(Arc::new(sources), Limits::default())
            .map(|source| translated(rule_texts(&source)))
            .unwrap_or_default(),
    }
}

/// The rules as scripts say them, by number.
pub fn rule_texts(source: &ScriptSource) -> Vec<RuleText> {
    let cited = source.cited_rules().iter();
    cited
        .map(|rule| RuleText {
            number: rule.number.clone(),
            text: rule.text.clone(),
            file: rule.place.file.clone(),
            line: rule.place.line,
        })
        .collect()
}

/// Files of a folder from all layers, those of higher layers in front.
pub(super) fn files<'a>(sources: &'a Sources, folder: &str, ending: &str) -> BTreeMap<&'a str, &'a Arc<str>> {
    let mut found = BTreeMap::new();
    for layer in &sources.layers {
        for (path, text) in &layer.files {
            if let Some(name) = path.strip_prefix(folder).filter(|name| name.ends_with(ending)) {
                found.insert(name, text);
            }
        }
    }
    found
}

/// The pages of the rule book, in the order of their file names. The first heading of a page is its title.
pub fn help_pages(sources: &Sources) -> Vec<HelpPage> {
    let own = files(sources, HELP_FOLDER, ".md").into_iter();
    let mut pages: Vec<HelpPage> = own.filter(|(name, _)| !name.contains('/')).map(page).collect();
    pages.sort_by_key(chapter);
    pages
}

/// Chapters stand in the order of their numbers, so that the tenth is behind the ninth.
fn chapter(page: &HelpPage) -> u32 {
    let number = page.name.split('-').next().and_then(|number| number.parse().ok());
    number.unwrap_or(0)
}

fn page((name, text): (&str, &Arc<str>)) -> HelpPage {
    let heading = text.lines().find_map(|line| line.strip_prefix("# "));
    HelpPage {
        name: name.trim_end_matches(".md").to_owned(),
        title: heading.unwrap_or(name.trim_end_matches(".md")).trim().to_owned(),
        text: text.to_string(),
    }
}

/// The texts and the rule book in other languages, by the code of the language. Pages that nobody has translated stay as they are.
pub fn translations(sources: &Sources) -> BTreeMap<String, Translation> {
    let pages = files(sources, HELP_FOLDER, ".md");
    let languages_of_pages = pages
        .keys()
        .filter_map(|name| name.split_once('/'))
        .map(|(language, _)| language.to_owned());
    let mut texts = read_texts(sources).0;
    let languages: BTreeSet<String> = texts.keys().cloned().chain(languages_of_pages).collect();
    let translation = |language: String| {
        let documents = texts.remove(&language).unwrap_or_default();
        let own = pages.iter().filter(|(name, _)| !name.contains('/'));
        let help = own.map(|(name, text)| page((name, pages.get(&*format!("{language}/{name}")).unwrap_or(text))));
        let mut help: Vec<HelpPage> = help.collect();
        help.sort_by_key(chapter);
        let translation = Translation {
            help,
            texts: documents.into_iter().flat_map(|document| document.phrases).collect(),
        };
        (language, translation)
    };
    languages.into_iter().map(translation).collect()
}

/// The pictures of rules: SVG by file name.
pub fn pictures(sources: &Sources) -> BTreeMap<String, String> {
    let files = files(sources, "art/", ".svg");
    files.into_iter().map(|(name, text)| (name.to_owned(), text.to_string())).collect()
}
