//! The texts of all languages say the same things, and the code asks for no others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
use fluent_syntax::parser;

use super::*;

/// The keys of a language, each with the names of the values that its text uses.
fn keys(language: Language) -> BTreeMap<String, BTreeSet<String>> {
    let resource = parser::parse(language.source()).unwrap_or_else(|(_, errors)| panic!("{language:?}: {errors:?}"));
    let mut keys = BTreeMap::new();
    for entry in resource.body {
        match entry {
            Entry::Message(message) => {
                let mut values = BTreeSet::new();
                let pattern = message.value.unwrap_or_else(|| panic!("{} says nothing", message.id.name));
                values_of(&pattern, &mut values);
                let before = keys.insert(message.id.name.to_owned(), values);
                assert_eq!(before, None, "{language:?} says {} twice", message.id.name);
            }
            Entry::Junk { content } => panic!("{language:?}: {content}"),
            _ => {}
        }
    }
    keys
}

fn values_of(pattern: &Pattern<&str>, values: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        let PatternElement::Placeable { expression } = element else {
            continue;
        };
        let inline = match expression {
            Expression::Inline(inline) => inline,
            Expression::Select { selector, variants } => {
                for variant in variants {
                    values_of(&variant.value, values);
                }
                selector
            }
        };
        if let InlineExpression::VariableReference { id } = inline {
            values.insert(id.name.to_owned());
        }
    }
}

/// Every file of code below a folder, but for those of the texts.
fn files(folder: &Path, take: &mut dyn FnMut(&Path, &str)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, take);
        } else if path.extension().is_some_and(|ending| ending == "rs") && !path.starts_with(home()) && !path.ends_with("tests.rs") {
            take(&path, &fs::read_to_string(&path).unwrap());
        }
    }
}

/// Every use of a text in the code below a folder: the file, the key and the names of its values.
fn uses(folder: &Path, found: &mut Vec<(PathBuf, String, BTreeSet<String>)>) {
    files(folder, &mut |path, code| {
        for part in code.split("text!(").skip(1) {
            let (key, rest) = part.trim_start().strip_prefix('"').and_then(|rest| rest.split_once('"')).unwrap();
            found.push((path.to_owned(), key.to_owned(), value_names(rest)));
        }
    });
}

/// The folders of the code of the window and of the editor.
fn code() -> [PathBuf; 3] {
    ["src", "../../editor/src", "../online/src"].map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder))
}

/// The folder of the texts, where keys are spelled without being used.
fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/texts")
}

/// The names in `, count = 3, seat = title)`, up to the parenthesis that closes the use.
fn value_names(rest: &str) -> BTreeSet<String> {
    let (mut names, mut word, mut depth, mut before) = (BTreeSet::new(), String::new(), 0, ' ');
    let mut in_string = false;
    for letter in rest.chars() {
        match letter {
            '"' if before != '\\' => in_string = !in_string,
            _ if in_string => {}
            '(' | '[' | '{' => depth += 1,
            ')' if depth == 0 => break,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => word.clear(),
            '=' if depth == 0 && !word.trim().is_empty() => drop(names.insert(std::mem::take(&mut word).trim().to_owned())),
            _ => word.push(letter),
        }
        before = letter;
    }
    names.retain(|name| name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_'));
    names
}

#[test]
fn every_language_says_the_same_things_with_the_same_values() {
    let english = keys(Language::English);
    for language in Language::ALL {
        let translated = keys(language);
        let missing: Vec<_> = english.keys().filter(|key| !translated.contains_key(*key)).collect();
        let surplus: Vec<_> = translated.keys().filter(|key| !english.contains_key(*key)).collect();
        assert!(
            missing.is_empty() && surplus.is_empty(),
            "{language:?} lacks {missing:?} and has besides {surplus:?}"
        );
        for (key, values) in translated {
            assert_eq!(values, english[&key], "{language:?}, the values of {key}");
        }
    }
}

#[test]
fn every_text_the_code_asks_for_exists_with_its_values_and_no_other_is_kept() {
    let english = keys(Language::English);
    let mut found = Vec::new();
    for folder in code() {
        uses(&folder, &mut found);
    }
    assert!(found.len() > 20, "only {} uses were found", found.len());
    for (file, key, values) in &found {
        let translated = english
            .get(key)
            .unwrap_or_else(|| panic!("{}: no text is called {key}", file.display()));
        assert_eq!(values, translated, "{}: the values of {key}", file.display());
    }
    let used: BTreeSet<&String> = found.iter().map(|(_, key, _)| key).collect();
    let unused: Vec<_> = english.keys().filter(|key| !used.contains(key)).collect();
    assert!(unused.is_empty(), "no code asks for {unused:?}");
}

/// What a literal is when it stands behind one of these: nothing that players read.
const NOT_FOR_PLAYERS: [&str; 20] = [
    "Panel::",
    "name_handle(",
    "salt(",
    "tracing::error!(",
    "tracing::warn!(",
    "tracing::debug!(",
    "debug_struct(",
    ".field(",
    "request_discard(",
    "reason = ",
    "error(",
    "write!(f, ",
    "include_str!(",
    "include_bytes!(",
    "env!(",
    "name(",
    "window_options(",
    "load_texture(",
    "Id::unique(",
    "id_salt(",
];

/// A literal without what is filled in: `Round {round}` is `Round `.
fn without_values(literal: &str) -> String {
    let parts = literal.split('{').enumerate();
    parts
        .map(|(place, part)| {
            if place == 0 {
                part
            } else {
                part.split_once('}').map_or("", |(_, rest)| rest)
            }
        })
        .collect()
}

/// The literals of a file that read like words for people: two letters of lower case in a row, and a capital or a space.
fn literals_for_people(code: &str) -> Vec<String> {
    let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let mut found = Vec::new();
    for line in code.lines() {
        let line = line.trim_start();
        if line.starts_with("//") {
            continue;
        }
        let line = line.replace("'\"'", "").replace("\\\"", "");
        let parts: Vec<&str> = line.split('"').collect();
        for (place, literal) in parts.iter().enumerate().skip(1).step_by(2) {
            let before = parts[place - 1].trim_end();
            let is_other = NOT_FOR_PLAYERS.iter().any(|word| parts[..place].concat().contains(word.trim_end()));
            let words = without_values(literal);
            let has_letters = words.as_bytes().windows(2).any(|two| two.iter().all(u8::is_ascii_lowercase));
            let reads_well = words.starts_with(|letter: char| letter.is_uppercase()) || words.trim().contains(' ');
            if has_letters && reads_well && !is_other && !words.contains(['<', '>']) && !before.ends_with("text!(") {
                found.push((*literal).to_owned());
            }
        }
    }
    found
}

#[test]
fn no_words_for_players_stand_in_the_code() {
    // Ids of panels and plugins, the name of the program and of languages, keys as they are engraved, and texts for those who write programs.
    let known = [
        "script problems",
        "match message",
        "match hint",
        "match odds",
        "history rolls",
        "input pacing",
    ];
    let known = [&known[..], &["Boardwright", "English", "Shift+", "Ctrl+", "Alt+", "Esc"]].concat();
    let mut found = Vec::new();
    let mut look = |path: &Path, code: &str| {
        let words = literals_for_people(code)
            .into_iter()
            .filter(|literal| !known.contains(&literal.as_str()));
        found.extend(words.map(|literal| format!("{}: {literal}", path.display())));
    };
    for folder in code() {
        files(&folder, &mut look);
    }
    assert_eq!(found, Vec::<String>::new());
    assert_eq!(literals_for_people("ui.label(\"Nothing yet\");"), ["Nothing yet"]);
    assert_eq!(literals_for_people("ui.label(text!(\"nothing-yet\"));"), Vec::<String>::new());
}

#[test]
fn the_names_of_values_are_read_out_of_the_code() {
    let names = |rest: &str| value_names(rest).into_iter().collect::<Vec<_>>().join(" ");
    assert_eq!(names(")"), "");
    assert_eq!(names(", count = list.len(), seat = &*name(a, \"b = (c\"))"), "count seat");
    assert_eq!(names(",\n    count = if x == y { 1 } else { 2 },\n)"), "count");
}

#[test]
fn numbers_are_counted_as_the_language_counts() {
    let seats = |count: i32| text!("facts-seats", count = count);
    assert_eq!((seats(1), seats(2)), ("1 seat".to_owned(), "2 seats".to_owned()));
    set_language(Language::Czech);
    let counted = [1, 3, 5].map(seats);
    set_language(Language::English);
    assert_eq!(counted, ["1 hráč", "3 hráči", "5 hráčů"]);
}

#[test]
fn decimals_stand_behind_the_sign_of_the_language() {
    let written = || {
        (
            text!("pace-seconds", seconds = 2.5),
            decimal(0.125, 2),
            text!("pace-seconds", seconds = 1500),
        )
    };
    assert_eq!(written(), ("2.5 s".to_owned(), "0.12".to_owned(), "1500 s".to_owned()));
    set_language(Language::Czech);
    let czech = written();
    set_language(Language::English);
    assert_eq!(czech, ("2,5 s".to_owned(), "0,12".to_owned(), "1500 s".to_owned()));
}

#[test]
fn the_language_of_a_locale_is_known_by_its_first_part() {
    for locale in ["cs", "cs-CZ", "cs_CZ.UTF-8", "CS"] {
        assert_eq!(Language::of_locale(locale), Some(Language::Czech), "{locale}");
    }
    assert_eq!(Language::of_locale("csb-PL"), None);
    assert_eq!(Language::of_locale("C"), None);
}

#[test]
fn a_text_that_is_nowhere_is_shown_as_its_key() {
    assert_eq!(find_text("there-is-no-such-text", None), "there-is-no-such-text");
}
