//! What the program says anywhere in its code is said in every language of the window.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::*;
use boardwright_localization::{Piece, pieces};

/// Enums of errors whose words reach the window as they are.
const ERRORS: [&str; 7] = [
    "crates/client/src/link.rs",
    "crates/host/src/error.rs",
    "crates/content/src/write_file.rs",
    "crates/model/src/value.rs",
    "crates/players/src/player.rs",
    "crates/players/src/spec.rs",
    "crates/server/src/setup.rs",
];

fn each_file(folder: &Path, take: &mut dyn FnMut(&Path, &str)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            each_file(&path, take);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let code = fs::read_to_string(&path).unwrap();
            let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            take(&path, &lines.collect::<Vec<_>>().join("\n"));
        }
    }
}

fn literals<'c>(code: &'c str, word: &'c str) -> impl Iterator<Item = String> + 'c {
    code.split(word).skip(1).filter_map(|rest| {
        let rest = rest.trim_start().strip_prefix('"')?;
        let mut before = ' ';
        let end = rest.find(|letter| {
            let is_end = letter == '"' && before != '\\';
            before = letter;
            is_end
        })?;
        Some(rest.get(..end)?.replace("\\\"", "\""))
    })
}

/// A sentence with the bare names of what is filled in: `{text:?}` is `{text}`.
fn with_bare_names(text: &str) -> String {
    let parts = text.split_inclusive('}').map(|part| match part.split_once(':') {
        Some((before, _)) if before.rfind('{').is_some_and(|at| !before[at + 1..].contains(' ')) && part.ends_with('}') => {
            format!("{before}}}")
        }
        _ => part.to_owned(),
    });
    parts.collect()
}

/// Every sentence that stands in the code and has words of its own.
fn sentences() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.as_path();
    let mut found = BTreeSet::new();
    let folders = fs::read_dir(root.join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap().path().join("src"));
    for folder in folders.chain([root.join("src"), root.join("editor/src")]) {
        each_file(&folder, &mut |path, code| {
            if path.ends_with("program_tests.rs") {
                return;
            }
            found.extend(literals(code, "sentence!(").map(|text| with_bare_names(&text)));
            let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            if ERRORS.contains(&&*name) {
                found.extend(literals(code, "#[error(").map(|text| with_bare_names(&text)));
            }
        });
    }
    found.retain(|text| !text.contains("{}") && has_words(text));
    found
}

fn has_words(text: &str) -> bool {
    let pieces = pieces(text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
    pieces
        .iter()
        .any(|piece| matches!(piece, Piece::Letters(letters) if letters.chars().any(char::is_alphabetic)))
}

#[test]
fn every_sentence_of_the_program_is_said_in_every_language_and_no_other() {
    let found = sentences();
    assert!(found.len() > 100, "only {} sentences were found", found.len());
    for language in Language::ALL {
        let phrases = language.program_phrases().unwrap_or_else(|error| panic!("{language:?}: {error}"));
        if phrases.is_empty() {
            continue;
        }
        let known: BTreeSet<String> = phrases.into_iter().map(|phrase| phrase.of).collect();
        let (missing, surplus): (Vec<_>, Vec<_>) = (found.difference(&known).collect(), known.difference(&found).collect());
        assert!(
            missing.is_empty() && surplus.is_empty(),
            "{language:?} lacks {missing:#?} and has besides {surplus:#?}"
        );
    }
}

#[test]
fn sentences_are_read_out_of_the_code() {
    let code = "say(sentence!(\n    \"{text:?} is \\\"no\\\" {what}: {a} or {b:>3}\", what = 1));";
    let found: Vec<_> = literals(code, "sentence!(").map(|text| with_bare_names(&text)).collect();
    assert_eq!(found, ["{text} is \"no\" {what}: {a} or {b}"]);
}

#[test]
fn what_the_program_says_is_heard_in_the_language_of_the_window() {
    set_language(Language::Czech);
    let localized = [
        localized("it is the turn of Red"),
        localized("\"zz\" is no cell of this board"),
        localized("/tmp/x is not saved: the folder could not be made: the disk is full: make room, then save again"),
        localized("an expression has at most 3 bytes, not 7"),
        localized("nobody ever says this"),
    ];
    set_language(Language::English);
    insta::assert_snapshot!(localized.join("\n"), @r#"
    na tahu: Red
    "zz" není pole této desky
    /tmp/x se neuložil: složku nešlo vytvořit: disk je plný: uvolněte místo a uložte znovu
    výraz má nejvýše 3 bajty, ne 7
    nobody ever says this
    "#);
}
