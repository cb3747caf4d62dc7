//! The reference of the words rules are written in, made from the words themselves: `docs/script-api.md` for people and
//! `scripts/boardwright.d.rhai` for editors of text.

pub(crate) mod chapters;
mod definitions;
mod language;
mod line;
mod markdown;
mod words;

use std::fmt::{self, Write as _};

pub use line::line_completions;
pub use words::{Topic, Word};

/// Both forms of the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The page for people: `docs/script-api.md`.
    pub markdown: String,
    /// The definitions for editors that know the language: `scripts/boardwright.d.rhai`.
    pub definitions: String,
}

/// The reference of this version.
pub fn reference() -> Reference {
    let topics = topics();
    Reference {
        markdown: markdown::page(&topics),
        definitions: definitions::file(&topics),
    }
}

/// Every word that rules are written in, by topic, in the order of the reference. Those of the plain language are not among them.
pub fn topics() -> Vec<Topic> {
    let begun_by = |chapter, modules| {
        let mut topics = words::topics(modules);
        if let Some(first) = topics.first_mut() {
            first.chapter = Some(chapter);
        }
        topics
    };
    let mut topics = words::topics(super::api::topics());
    topics.extend(begun_by(chapters::STRATEGIES, super::api::strategy_topics()));
    topics.extend(begun_by(chapters::TESTS, super::api::test_topics()));
    topics
}

/// The words of the plain language, each by its name and as it is written.
pub(crate) fn language_words() -> Vec<(String, String)> {
    language::words()
}

/// Adds to a text. Writing into a `String` cannot fail.
fn put(out: &mut String, text: fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
}
