//! The files of a ruleset that a person may want to edit while it is played.

use std::path::{Path, PathBuf};

use super::catalog::{Catalog, RulesetEntry};
use super::folders::{self, DEFINITION_ENDING, LIBRARY, MAPS, RULESETS};
use crate::ruleset::SCRIPT_ENDING;

/// Files with these endings are texts that people write.
const ENDINGS: [&str; 5] = [SCRIPT_ENDING, ".md", ".xml", ".ftl", ".txt"];

impl Catalog {
    /// The files of a ruleset that can be edited: its own first, then those of what it builds on, the scripts of its scenarios, and
    /// the scripts that rulesets share. Each with the name that diagnostics give it. A broken ruleset has its files as well: someone
    /// has to mend them.
    pub fn editable_files(&self, ruleset: &str) -> Vec<(String, PathBuf)> {
        let own = || self.rulesets.get(ruleset).into_iter().collect();
        let chain: Vec<&RulesetEntry> = self.chain(ruleset).unwrap_or_else(|_| own());
        let mut found = Vec::new();
        for entry in &chain {
            let is_text = |name: &str| ENDINGS.iter().any(|ending| name.ends_with(ending));
            add(&mut found, &entry.folder, &format!("{RULESETS}/{}", entry.id), is_text);
        }
        let is_script = |name: &str| name.ends_with(SCRIPT_ENDING) && !name.ends_with(DEFINITION_ENDING);
        for root in &self.roots {
            for entry in &chain {
                add(
                    &mut found,
                    &root.join(MAPS).join(&entry.id),
                    &format!("{MAPS}/{}", entry.id),
                    is_script,
                );
            }
            add(&mut found, &root.join(LIBRARY), LIBRARY, is_script);
        }
        found
    }
}

/// Adds the files of a folder; one of the same name in a better content folder was added before and counts.
fn add(found: &mut Vec<(String, PathBuf)>, folder: &Path, name: &str, is_wanted: impl Fn(&str) -> bool) {
    for (file, path) in folders::walk(folder, name).files {
        let place = folders::join(name, &file);
        if is_wanted(&file) && found.iter().all(|(known, _)| *known != place) {
            found.push((place, path));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn write(root: &Path, name: &str, text: &str) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn manifest(id: &str, below: &str) -> String {
        format!(
            "<ruleset format=\"1\" id=\"{id}\" title=\"T\" version=\"1\" licence=\"MIT\" seats=\"2\" {below}><description>d</description></ruleset>"
        )
    }

    #[test]
    fn the_files_of_a_mod_are_its_own_then_those_below_and_the_shared_ones() {
        let root = tempfile::tempdir().unwrap();
        write(root.path(), "rulesets/race/ruleset.xml", &manifest("race", ""));
        write(root.path(), "rulesets/race/rules.rhai", "");
        write(root.path(), "rulesets/race/art/card.svg", "");
        write(root.path(), "rulesets/long/ruleset.xml", &manifest("long", "builds_on=\"race\""));
        write(root.path(), "rulesets/long/help/1.md", "");
        write(root.path(), "maps/race/dusk.rhai", "");
        write(root.path(), "scripts/hex.rhai", "");
        write(root.path(), "scripts/boardwright.d.rhai", "");
        let catalog = Catalog::scan(&[root.path().to_path_buf()]);
        let places: Vec<String> = catalog.editable_files("long").into_iter().map(|(place, _)| place).collect();
        assert_eq!(
            places,
            [
                "rulesets/long/help/1.md",
                "rulesets/long/ruleset.xml",
                "rulesets/race/rules.rhai",
                "rulesets/race/ruleset.xml",
                "maps/race/dusk.rhai",
                "scripts/hex.rhai",
            ]
        );
    }

    #[test]
    fn a_ruleset_with_a_broken_manifest_has_its_files_too() {
        let root = tempfile::tempdir().unwrap();
        write(root.path(), "rulesets/race/ruleset.xml", "<ruleset");
        write(root.path(), "rulesets/race/rules.rhai", "");
        let catalog = Catalog::scan(&[root.path().to_path_buf()]);
        assert_eq!(catalog.editable_files("race").len(), 2);
        assert_eq!(catalog.editable_files("none"), []);
    }
}
