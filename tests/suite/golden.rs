//! Files that were approved once: `BLESS=1` writes them again.

use std::fs;

use crate::common::root;

/// Compares a text with a file, or writes the file when blessing.
pub(crate) fn compare(path: &str, text: &str) {
    let file = root().join(path);
    if std::env::var_os("BLESS").is_some() {
        fs::create_dir_all(file.parent().unwrap_or(&file)).unwrap_or_else(|error| panic!("{path}: {error}"));
        return fs::write(&file, text).unwrap_or_else(|error| panic!("{path}: {error}"));
    }
    let approved = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{path}: {error}; BLESS=1 writes it"));
    let difference = approved.lines().zip(text.lines()).enumerate().find(|(_, (old, new))| old != new);
    if let Some((line, (old, new))) = difference {
        panic!(
            "{path}:{}: approved is\n  {old}\nnow it is\n  {new}\nIf that is meant so: BLESS=1, and read the difference.",
            line + 1
        );
    }
    assert_eq!(
        approved.lines().count(),
        text.lines().count(),
        "{path}: one text goes on where the other ends"
    );
}
