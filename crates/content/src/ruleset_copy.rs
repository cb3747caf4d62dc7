//! A ruleset copied with its maps and scenarios, under another id.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::xml::{Document as _, keep_comments};
use crate::{HELP_FOLDER, MANIFEST_FILE, Manifest, SCENARIO_ENDING, TEXTS_FOLDER};

/// A copy that is made of a ruleset.
#[derive(Clone, Debug)]
pub struct RulesetCopy<'a> {
    /// The id of the other ruleset, and that of the copy.
    pub ids: (&'a str, &'a str),
    /// The title of the other ruleset, whose translation is not that of the copy.
    pub title: &'a str,
    /// What the manifest of the copy says.
    pub manifest: Manifest,
    /// The files and folders of the ruleset, by their path in its folder, that are not copied.
    pub left_out: Vec<PathBuf>,
    /// Whether its texts and its rule book in other languages are copied.
    pub has_translations: bool,
}

impl RulesetCopy<'_> {
    /// Copies the folders of rules and of maps beside where they are to be, and then puts both in place, or none.
    ///
    /// # Errors
    /// Why they could not be copied.
    pub fn make(&self, rules: &Path, maps: Option<&Path>, (to_rules, to_maps): (&Path, &Path)) -> io::Result<()> {
        let (new_rules, new_maps) = (beside(to_rules), beside(to_maps));
        let copied = (|| {
            self.folder(rules, &new_rules, Path::new(""))?;
            if let Some(maps) = maps {
                self.folder(maps, &new_maps, Path::new(""))?;
                fs::rename(&new_maps, to_maps)?;
            }
            fs::rename(&new_rules, to_rules)
        })();
        if copied.is_err() {
            drop(fs::remove_dir_all(&new_rules));
            drop(fs::remove_dir_all(&new_maps));
            if maps.is_some() && !to_rules.exists() {
                drop(fs::remove_dir_all(to_maps));
            }
        }
        copied
    }

    /// Copies a folder; `inner` is its path in the folder of the ruleset or of its maps.
    fn folder(&self, from: &Path, to: &Path, inner: &Path) -> io::Result<()> {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            let (path, target, inner) = (entry.path(), to.join(entry.file_name()), inner.join(entry.file_name()));
            if self.left_out.contains(&inner) || (!self.has_translations && inner == Path::new(TEXTS_FOLDER)) {
                continue;
            }
            if path.is_dir() {
                // The folders in that of the rule book are translations of it.
                if self.has_translations || !from.ends_with(HELP_FOLDER) {
                    self.folder(&path, &target, &inner)?;
                }
                continue;
            }
            let name = entry.file_name().to_string_lossy().into_owned();
            if inner == Path::new(MANIFEST_FILE) {
                fs::write(target, keep_comments(&fs::read_to_string(&path)?, &self.manifest.print()))?;
            } else if inner.starts_with(TEXTS_FOLDER) {
                fs::write(target, without_text(&fs::read_to_string(&path)?, self.title))?;
            } else if name.ends_with(SCENARIO_ENDING) {
                fs::write(target, with_ruleset(&fs::read_to_string(&path)?, self.ids))?;
            } else {
                fs::copy(&path, &target)?;
            }
        }
        Ok(())
    }
}

/// A hidden folder beside a folder.
fn beside(folder: &Path) -> PathBuf {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    folder.with_file_name(format!(".{name}.{}", std::process::id()))
}

/// The text of a scenario with the id of its ruleset replaced. Comments and layout stay.
fn with_ruleset(text: &str, (from, to): (&str, &str)) -> String {
    text.replacen(&format!(" ruleset=\"{from}\""), &format!(" ruleset=\"{to}\""), 1)
}

/// The document of a language without the line that translates a text.
fn without_text(document: &str, text: &str) -> String {
    let begins = format!("<text of=\"{text}\">");
    let lines = document.split_inclusive('\n');
    lines.filter(|line| !line.trim_start().starts_with(&begins)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_translation_of_the_title_is_left_out() {
        let document = "<texts>\n  <text of=\"Chess\">Šachy</text>\n  <text of=\"Chess piece\">Figura</text>\n</texts>\n";
        let kept = without_text(document, "Chess");
        assert_eq!(kept, "<texts>\n  <text of=\"Chess piece\">Figura</text>\n</texts>\n");
    }
}
