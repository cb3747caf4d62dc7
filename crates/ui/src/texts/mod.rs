//! The texts of the window in every language.
//!
//! The code contains no texts for players. It names a text by its key, `text!("launcher-start")`, with its values behind it,
//! `text!("launcher-saves", count = 3)`. The texts lie in `en.ftl` and `cs.ftl` beside this file, those of a match in `match.en.ftl` and `match.cs.ftl`, those for trying
//! things out in it in `analysis.en.ftl` and `analysis.cs.ftl`, those of the editor in `drawing.en.ftl` and `drawing.cs.ftl`, those of matches on servers in `online.en.ftl` and `online.cs.ftl`, in the format of Project Fluent,
//! which knows how languages count and lets each order its sentences as it likes. What rulesets say (titles, reasons, notations) is
//! theirs and is shown as it is; so are diagnostics, whose readers write scripts.
//!
//! The current language belongs to the thread, as the window does: it is set at the beginning of each frame by [`set_language`].

#[cfg(test)]
mod program_tests;
#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

pub use fluent_bundle::FluentArgs;
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::memoizer::MemoizerKind;
use fluent_bundle::types::FluentNumber;
use fluent_bundle::{FluentResource, FluentValue};
use serde::{Deserialize, Serialize};
use unic_langid::LanguageIdentifier;

use boardwright_client::Locale;
use boardwright_localization::{Localizer, MessageCatalog, Phrase};

/// A language the window speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Czech.
    Czech,
}

/// All texts of a language.
struct Book {
    window: FluentBundle<FluentResource>,
    program: Arc<MessageCatalog>,
}

impl Language {
    /// Every language, in the order in which it is offered.
    pub const ALL: [Self; 2] = [Self::English, Self::Czech];

    /// Its code: `en`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Czech => "cs",
        }
    }

    /// What those who speak it call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Czech => "Čeština",
        }
    }

    const fn source(self) -> &'static str {
        match self {
            Self::English => concat!(
                include_str!("en.ftl"),
                include_str!("match.en.ftl"),
                include_str!("tools.en.ftl"),
                include_str!("analysis.en.ftl"),
                include_str!("drawing.en.ftl"),
                include_str!("online.en.ftl")
            ),
            Self::Czech => concat!(
                include_str!("cs.ftl"),
                include_str!("match.cs.ftl"),
                include_str!("tools.cs.ftl"),
                include_str!("analysis.cs.ftl"),
                include_str!("drawing.cs.ftl"),
                include_str!("online.cs.ftl")
            ),
        }
    }

    /// The first language of the system that the window speaks; English if there is none.
    pub fn of_system() -> Self {
        sys_locale::get_locales()
            .find_map(|locale| Self::of_locale(&locale))
            .unwrap_or_default()
    }

    /// The language of a locale such as `cs-CZ` or `cs_CZ.UTF-8`.
    fn of_locale(locale: &str) -> Option<Self> {
        let code = locale.split(['-', '_', '.']).next()?;
        Self::ALL.into_iter().find(|language| language.code().eq_ignore_ascii_case(code))
    }

    fn book(self) -> &'static Book {
        static BOOKS: LazyLock<[Book; Language::ALL.len()]> = LazyLock::new(|| {
            Language::ALL.map(|language| Book {
                window: language.read(),
                program: language.read_program(),
            })
        });
        let [english, czech] = &*BOOKS;
        match self {
            Self::English => english,
            Self::Czech => czech,
        }
    }

    fn read(self) -> FluentBundle<FluentResource> {
        let code: LanguageIdentifier = self.code().parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![code]);
        // The marks that keep right-to-left values apart have no shape in our fonts.
        bundle.set_use_isolating(false);
        bundle.set_formatter((self.decimal_sign() == ',').then_some(with_comma));
        // What could be read is used even if something could not; a test sees that nothing is left over.
        let resource = FluentResource::try_new(self.source().to_owned()).unwrap_or_else(|(read, _)| read);
        if let Err(errors) = bundle.add_resource(resource) {
            tracing::error!("texts in {}: {errors:?}", self.name());
        }
        bundle
    }

    /// The text of a key; none if there is no such text.
    fn find(self, key: &str, values: Option<&FluentArgs<'_>>) -> Option<String> {
        let bundle = &self.book().window;
        let pattern = bundle.get_message(key)?.value()?;
        let mut errors = Vec::new();
        let text = bundle.format_pattern(pattern, values, &mut errors).into_owned();
        for error in errors {
            tracing::error!("the text {key} in {}: {error}", self.name());
        }
        Some(text)
    }

    /// What stands between the whole part of a number and its decimals.
    const fn decimal_sign(self) -> char {
        match self {
            Self::English => '.',
            Self::Czech => ',',
        }
    }

    /// The file of what hosts and readers of files say, which is written in English; none for English itself.
    const fn of_program(self) -> Option<&'static str> {
        match self {
            Self::English => None,
            Self::Czech => Some(include_str!("program.cs.json")),
        }
    }

    /// The language as clients of a match speak it.
    fn locale(self) -> Locale {
        Locale {
            language: self.code().to_owned(),
            program: Arc::clone(&self.book().program),
        }
    }

    fn read_program(self) -> Arc<MessageCatalog> {
        let phrases = self.program_phrases().unwrap_or_else(|error| {
            tracing::error!("what the program says in {}: {error}", self.name());
            Vec::new()
        });
        Arc::new(MessageCatalog::new(self.code(), &phrases))
    }

    /// The texts of the program, section by section of their file.
    fn program_phrases(self) -> Result<Vec<Phrase>, serde_json::Error> {
        let Some(text) = self.of_program() else { return Ok(Vec::new()) };
        let sections: BTreeMap<String, BTreeMap<String, String>> = serde_json::from_str(text)?;
        let phrases = sections.into_values().flatten();
        Ok(phrases.map(|(of, text)| Phrase { of, text }).collect())
    }
}

/// The current language for the client of a match.
pub fn locale() -> Locale {
    language().locale()
}

/// A message of the host or of a reader of files in the current language.
pub fn localized(text: &str) -> String {
    Localizer::new([language().locale().program]).translate(text).into_owned()
}

/// A text with its first letter in upper case.
pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next();
    first.map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A text with a capital letter and a full stop.
pub(crate) fn sentence(text: &str) -> String {
    let mut sentence = capitalized(text);
    if !sentence.ends_with(['.', '!', '?']) {
        sentence.push('.');
    }
    sentence
}

/// A number in a text of a language whose decimals stand behind a comma.
fn with_comma<M: MemoizerKind>(value: &FluentValue<'_>, _: &M) -> Option<String> {
    match value {
        FluentValue::Number(number) => Some(FluentNumber::as_string(number).replace('.', ",")),
        _ => None,
    }
}

/// A number with so many decimals, as the current language writes it: `0.25`, `0,25`.
pub fn decimal(value: f64, decimals: usize) -> String {
    let written = format!("{value:.decimals$}");
    written.replace('.', language().decimal_sign().encode_utf8(&mut [0; 4]))
}

thread_local! {
    static CURRENT: Cell<Language> = const { Cell::new(Language::English) };
}

/// Sets the language of this thread.
pub fn set_language(language: Language) {
    CURRENT.set(language);
}

/// The language of this thread.
pub fn language() -> Language {
    CURRENT.get()
}

/// The text of a key in the current language; in English if that lacks it, else the key itself.
pub fn find_text(key: &str, values: Option<&FluentArgs<'_>>) -> String {
    language()
        .find(key, values)
        .or_else(|| Language::English.find(key, values))
        .unwrap_or_else(|| key.to_owned())
}

/// A text for players: `text!("launcher-start")`, or with values `text!("seats-player-of", seat = title)`. A key is a literal, so that
/// tests find it.
#[macro_export]
macro_rules! text {
    ($key:literal) => {
        $crate::texts::find_text($key, None)
    };
    ($key:literal, $($name:ident = $value:expr),+ $(,)?) => {{
        let mut values = $crate::texts::FluentArgs::new();
        $(values.set(stringify!($name), $value);)+
        $crate::texts::find_text($key, Some(&values))
    }};
}
pub use text;
