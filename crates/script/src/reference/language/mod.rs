//! The words of the plain language that the sandbox knows: numbers, texts, lists, maps.

mod collections;
mod plain;

/// Words of the plain language that belong together.
pub(super) struct Group {
    pub(super) title: &'static str,
    pub(super) about: &'static str,
    pub(super) entries: &'static [Entry],
}

/// A word of the plain language.
pub(super) struct Entry {
    /// How it is written: `list.sum()`, `max(a, b)`, `range.start`.
    pub(super) word: &'static str,
    /// What it gives.
    pub(super) gives: &'static str,
    pub(super) help: &'static str,
    /// Something that is true.
    pub(super) example: &'static str,
}

const fn entry(word: &'static str, gives: &'static str, help: &'static str, example: &'static str) -> Entry {
    Entry {
        word,
        gives,
        help,
        example,
    }
}

/// The words, by what they work on.
pub(super) const GROUPS: &[Group] = &[
    plain::NUMBERS,
    plain::TEXTS,
    collections::LISTS,
    collections::MAPS,
    collections::TABLES,
    collections::RANGES,
    plain::SAYING,
];

/// The definition of a word for editors of text. `None` for operators, which the language brings with it.
pub(super) fn definition(entry: &Entry) -> Option<String> {
    if entry.word.contains(' ') && !entry.word.contains('(') {
        return None;
    }
    let gives = editors(entry.gives);
    let (front, rest) = entry
        .word
        .split_once('.')
        .map_or((None, entry.word), |(receiver, rest)| (Some(receiver), rest));
    let Some((name, arguments)) = rest.split_once('(') else {
        let receiver = front?;
        return Some(format!("fn get {rest}({receiver}: {}) -> {gives};", editors(receiver)));
    };
    let arguments = arguments.trim_end_matches(')').split(", ").filter(|argument| !argument.is_empty());
    let receiver = front.map(|receiver| format!("{receiver}: {}", editors(receiver)));
    let all: Vec<String> = receiver
        .into_iter()
        .chain(arguments.map(|argument| format!("{argument}: ?")))
        .collect();
    Some(format!("fn {name}({}) -> {gives};", all.join(", ")))
}

fn editors(word: &str) -> &'static str {
    match word {
        "number" => "int",
        "text" => "String",
        "bool" => "bool",
        "list" => "Array",
        "map" => "Map",
        "character" => "char",
        "range" => "Range<int>",
        "function" => "FnPtr",
        "" => "()",
        _ => "?",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::super::{Limits, compile, new_engine};
    use super::*;
    use boardwright_ruleset::{Layer, Sources};

    fn entries() -> impl Iterator<Item = &'static Entry> {
        GROUPS.iter().flat_map(|group| group.entries)
    }

    #[test]
    fn every_example_of_the_plain_language_is_true() {
        let mut text = "const EXAMPLE = [1, 2];\n".to_owned();
        for (index, entry) in entries().enumerate() {
            text.push_str(&format!("fn example_{index}() {{ {} }}\n", entry.example));
        }
        let program = compile(
            &Sources::of(Layer::new("language").with("a.rhai", text)),
            &Limits::default(),
            &|_| (),
        );
        let program = program.unwrap_or_else(|problems| panic!("{}", problems.render()));
        for (index, entry) in entries().enumerate() {
            let result = program.call_as::<bool>(&format!("example_{index}"), ());
            assert_eq!(
                result.map_err(|fault| fault.to_string()),
                Ok(true),
                "{}: {}",
                entry.word,
                entry.example
            );
        }
    }

    #[test]
    fn every_word_that_the_sandbox_knows_is_listed() {
        let known = new_engine(&Limits::default())
            .engine
            .collect_fn_metadata(None, |info| Some(info.metadata.name.to_string()), true);
        let is_word = |name: &String| name.starts_with(|c: char| c.is_alphabetic());
        let plain = |name: String| name.trim_start_matches("get$").to_owned();
        let known: BTreeSet<String> = known
            .into_iter()
            .filter(|name| !name.starts_with("index$"))
            .map(plain)
            .filter(is_word)
            .collect();
        let listed: BTreeSet<String> = entries()
            .map(|entry| entry.word.rsplit('.').next().unwrap().split('(').next().unwrap().to_owned())
            .collect();
        assert_eq!(known.difference(&listed).collect::<Vec<_>>(), Vec::<&String>::new());
    }
}
