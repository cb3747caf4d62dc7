//! Mistakes that authors make, one at a time, in a small ruleset that is healthy: each is told with its file, line and column and a cure.
//! `tests/mistakes` has the ruleset and the mistakes, `tests/golden/mistakes.txt` what is told of each.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use boardwright::content::Catalog;
use boardwright::local::examine;
use boardwright::model::diagnostic::{Diagnostics, Severity};

use crate::common::root;
use crate::golden;

/// Types and words of Rust and of the script engine that no author knows.
const FOREIGN: [&str; 10] = [
    "ImmutableString",
    "&str",
    "i64",
    "Dynamic",
    "FnPtr",
    "index$",
    "get$",
    "set$",
    "anon$",
    "value__",
];

/// Mistakes that have no line of their own: something is missing as a whole.
const WHOLE_FILE: [&str; 1] = ["no ruleset"];

/// Mistakes that end by the budget of steps or that of time, whichever is spent first on this machine.
const EITHER_BUDGET: [&str; 1] = ["an endless loop"];

struct Mistake {
    title: String,
    file: String,
    /// What is looked for, and what stands in its place.
    changes: Vec<(String, String)>,
}

fn mistakes() -> Vec<Mistake> {
    let text = fs::read_to_string(root().join("tests/mistakes/mistakes.txt")).unwrap();
    let sections = text.split("\n# ").skip(1);
    sections.map(mistake).collect()
}

fn mistake(section: &str) -> Mistake {
    let mut lines = section.lines();
    let (title, file) = (lines.next().unwrap().to_owned(), lines.next().unwrap().to_owned());
    let mut changes: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
    for line in lines.filter(|line| !line.is_empty()) {
        let (mark, rest) = line.split_at(1);
        match mark {
            "-" => {
                if changes.last().is_none_or(|(_, put)| !put.is_empty()) {
                    changes.push((Vec::new(), Vec::new()));
                }
                changes.last_mut().unwrap().0.push(rest);
            }
            "+" => changes.last_mut().unwrap().1.push(rest),
            _ => panic!("{title}: {line:?}"),
        }
    }
    let changes = changes
        .into_iter()
        .map(|(from, to)| {
            // A whole line goes with its end.
            let end = if to.is_empty() { "\n" } else { "" };
            (from.join("\n") + end, to.join("\n"))
        })
        .collect();
    Mistake { title, file, changes }
}

/// The files of the healthy ruleset by path.
fn healthy() -> BTreeMap<PathBuf, String> {
    fn gather(folder: &Path, base: &Path, found: &mut BTreeMap<PathBuf, String>) {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                gather(&path, base, found);
            } else {
                found.insert(path.strip_prefix(base).unwrap().to_owned(), fs::read_to_string(&path).unwrap());
            }
        }
    }
    let base = root().join("tests/mistakes/healthy");
    let mut found = BTreeMap::new();
    gather(&base, &base, &mut found);
    found
}

fn write(folder: &Path, files: &BTreeMap<PathBuf, String>) {
    for (path, text) in files {
        let file = folder.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
}

fn found_in(folder: &Path) -> Diagnostics {
    let catalog = Catalog::scan(&[folder.to_path_buf()]);
    let mut found = catalog.diagnostics.clone();
    found.extend(examine(&catalog, "orchard").found);
    found
}

#[test]
fn the_healthy_ruleset_is_healthy() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &healthy());
    assert_eq!(found_in(folder.path()).render(), "");
}

#[test]
fn every_mistake_is_told_with_its_place_and_a_cure() {
    let folder = tempfile::tempdir().unwrap();
    let healthy = healthy();
    write(folder.path(), &healthy);
    let (mut told, mut bad) = (String::new(), Vec::new());
    let all = mistakes();
    for mistake in &all {
        let file = healthy.keys().find(|path| path.ends_with(&mistake.file));
        let file = file.unwrap_or_else(|| panic!("{}: no file {}", mistake.title, mistake.file));
        let mut text = healthy[file].clone();
        for (from, to) in &mistake.changes {
            assert!(text.contains(from.as_str()), "{}: {from:?} is not there", mistake.title);
            text = text.replacen(from.as_str(), to, 1);
        }
        fs::write(folder.path().join(file), text).unwrap();
        let found = found_in(folder.path());
        fs::write(folder.path().join(file), &healthy[file]).unwrap();
        let shown = if EITHER_BUDGET.contains(&mistake.title.as_str()) {
            "(either budget: that of steps or that of time)".to_owned()
        } else {
            found.render()
        };
        write!(told, "# {}\n\n{shown}\n\n", mistake.title).unwrap();
        bad.extend(
            complaints(mistake, &found)
                .into_iter()
                .map(|complaint| format!("{}: {complaint}", mistake.title)),
        );
    }
    assert!(all.len() >= 141, "{} mistakes are too few", all.len());
    golden::compare("tests/golden/mistakes.txt", &told);
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// What is wrong with what is told of a mistake.
fn complaints(mistake: &Mistake, found: &Diagnostics) -> Vec<String> {
    let mut bad = Vec::new();
    let mut wrong = |what: &str| bad.push(what.to_owned());
    let Some(first) = found.iter().find(|one| one.severity != Severity::Note) else {
        return vec!["nothing is told".to_owned()];
    };
    let is_whole = WHOLE_FILE.contains(&mistake.title.as_str());
    match &first.place {
        None => wrong("no place"),
        Some(place) => {
            if !place.file.ends_with(&mistake.file) {
                wrong(&format!("told in {}", place.file));
            }
            if !is_whole && (place.line == 0 || place.column == 0) {
                wrong("no line and column");
            }
        }
    }
    if first
        .help
        .as_deref()
        .is_none_or(|help| help.is_empty() || help.starts_with("while running"))
    {
        wrong("no cure");
    }
    if found.len() > 3 {
        wrong(&format!("{} findings", found.len()));
    }
    let text = found.render();
    for word in FOREIGN {
        if text.contains(word) {
            wrong(&format!("{word} is told"));
        }
    }
    bad
}
