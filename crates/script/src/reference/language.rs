//! The words of the plain language that the sandbox knows: numbers, texts, lists, maps.

use super::chapters::{LANGUAGE, quoted, rows, sections};

/// A word of the plain language.
pub(super) struct Entry {
    /// How it is written: `list.sum()`, `max(a, b)`, `range.start`.
    word: String,
    /// What it gives.
    gives: String,
    pub(super) help: String,
    /// Something that is true.
    pub(super) example: String,
}

/// The words, by what they work on.
pub(super) fn groups() -> impl Iterator<Item = (&'static str, Vec<Entry>)> {
    let entry = |row: Vec<String>| {
        let [word, gives, help, example] = <[String; 4]>::try_from(row).ok()?;
        Some(Entry {
            word: quoted(&word),
            gives,
            help,
            example: quoted(&example),
        })
    };
    sections(LANGUAGE).map(move |(title, section)| (title, rows(section).filter_map(entry).collect()))
}

/// The words, each by its name and as it is written.
pub(super) fn words() -> Vec<(String, String)> {
    let word = |entry: Entry| {
        let last = entry.word.rsplit('.').next().unwrap_or(&entry.word);
        let name = last.split('(').next().unwrap_or(last);
        let is_word = name.starts_with(|c: char| c.is_alphabetic()) && !name.contains(' ');
        is_word.then(|| (name.to_owned(), entry.word.clone()))
    };
    groups().flat_map(|(_, entries)| entries).filter_map(word).collect()
}

/// The definition of a word for editors of text. `None` for operators, which the language brings with it.
pub(super) fn definition(entry: &Entry) -> Option<String> {
    if entry.word.contains(' ') && !entry.word.contains('(') {
        return None;
    }
    let gives = editors(&entry.gives);
    let (front, rest) = entry
        .word
        .split_once('.')
        .map_or((None, &*entry.word), |(receiver, rest)| (Some(receiver), rest));
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

    fn entries() -> impl Iterator<Item = Entry> {
        groups().flat_map(|(_, entries)| entries)
    }

    #[test]
    fn every_row_of_the_chapter_is_a_word() {
        let rows = LANGUAGE
            .lines()
            .filter(|line| line.starts_with('|') && !line.starts_with("| Word") && !line.starts_with("| ---"));
        assert_eq!(entries().count(), rows.count());
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
