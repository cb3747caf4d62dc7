//! The sources of rules, in memory: layers of files and the shared library.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use boardwright_model::Fingerprint;
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};

/// The file name ending of scripts.
pub const SCRIPT_ENDING: &str = ".rhai";

/// The folder of a ruleset with its strategies.
pub const STRATEGIES_FOLDER: &str = "strategies/";

/// The folder of a ruleset with its tests.
const TESTS_FOLDER: &str = "tests/";

/// Folders of a ruleset whose scripts are programs of their own and take no part in its rules.
pub const OTHER_PROGRAMS: [&str; 2] = [STRATEGIES_FOLDER, TESTS_FOLDER];

/// Files that belong together: a ruleset, a mod, the overlay of a scenario, the shared library.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// The name of the layer. Places in diagnostics are written `id/path`, so a folder is a good one.
    pub id: String,
    /// The texts by path, with `/` between folders.
    pub files: BTreeMap<String, Arc<str>>,
}

impl Layer {
    /// A layer without files.
    pub fn new(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            files: BTreeMap::new(),
        }
    }

    /// The same with one file more.
    #[must_use]
    pub fn with(mut self, path: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        self.files.insert(path.into(), text.into());
        self
    }

    /// How the place of a file is written.
    pub fn place_of(&self, path: &str) -> String {
        if self.id.is_empty() {
            path.to_owned()
        } else {
            format!("{}/{path}", self.id)
        }
    }

    /// The scripts that make up the rules of the layer: all but those of [`OTHER_PROGRAMS`], in the order of their paths.
    pub fn rules(&self) -> impl Iterator<Item = (&str, &Arc<str>)> {
        self.scripts()
            .filter(|(path, _)| !OTHER_PROGRAMS.iter().any(|folder| path.starts_with(folder)))
    }

    /// The scripts with tests of the layer, each with how its place is written.
    pub fn tests(&self) -> impl Iterator<Item = (String, &str)> {
        let tests = self.scripts().filter(|(path, _)| path.starts_with(TESTS_FOLDER));
        tests.map(|(path, text)| (self.place_of(path), &**text))
    }

    /// Every script of the layer, in the order of the paths.
    pub fn scripts(&self) -> impl Iterator<Item = (&str, &Arc<str>)> {
        self.files
            .iter()
            .filter(|(path, _)| path.ends_with(SCRIPT_ENDING))
            .map(|(path, text)| (path.as_str(), text))
    }
}

/// How much text sources may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceLimits {
    /// Files of all layers and the library together.
    pub files: usize,
    /// Bytes of one file.
    pub file_bytes: usize,
    /// Lines of all files together. Above 60,000 the lines of scripts could no longer be told apart.
    pub lines: usize,
}

impl Default for SourceLimits {
    fn default() -> Self {
        Self {
            files: 500,
            file_bytes: 1 << 20,
            lines: 60_000,
        }
    }
}

/// The sources of rules: the layers from the built-on ruleset at the bottom to the overlay of a scenario at the top, and the
/// shared library, whose scripts take part only where they are imported.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sources {
    /// From bottom to top.
    pub layers: Vec<Layer>,
    /// The shared scripts.
    pub library: Layer,
}

impl Sources {
    /// Sources of a single layer, without a library.
    pub fn of(layer: Layer) -> Self {
        Self {
            layers: vec![layer],
            library: Layer::default(),
        }
    }

    /// The same with one layer more on top.
    #[must_use]
    pub fn with_layer(mut self, layer: Layer) -> Self {
        self.layers.push(layer);
        self
    }

    /// The same with another library.
    #[must_use]
    pub fn with_library(mut self, library: Layer) -> Self {
        self.library = library;
        self
    }

    /// The hash over every layer, path and text in order. Where a part ends matters.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut hasher = blake3::Hasher::new();
        let mut part = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        for layer in self.layers.iter().chain([&self.library]) {
            part(layer.id.as_bytes());
            part(&(layer.files.len() as u64).to_le_bytes());
            for (path, text) in &layer.files {
                part(path.as_bytes());
                part(text.as_bytes());
            }
        }
        Fingerprint(*hasher.finalize().as_bytes())
    }

    /// What is wrong with the amount of text.
    pub fn check(&self, limits: &SourceLimits) -> Diagnostics {
        let mut found = Diagnostics::new();
        let (mut files, mut lines) = (0, 0);
        for layer in self.layers.iter().chain([&self.library]) {
            for (path, text) in &layer.files {
                files += 1;
                if text.len() > limits.file_bytes {
                    let message = format!("the file has {} bytes, more than the {} it may have", text.len(), limits.file_bytes);
                    found.push(Diagnostic::error(Code::SourceLimit, message).at(Location::file(layer.place_of(path))));
                }
                if path.ends_with(SCRIPT_ENDING) {
                    lines += text.lines().count() + 1;
                }
            }
        }
        if files > limits.files {
            let message = format!("there are {files} files, more than the {} there may be", limits.files);
            found.push(Diagnostic::error(Code::SourceLimit, message));
        }
        if lines > limits.lines {
            let most = limits.lines;
            let message = format!("the scripts have {lines} lines, more than the {most} they may have together");
            found.push(Diagnostic::error(Code::SourceLimit, message));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> Sources {
        Sources::of(
            Layer::new("base")
                .with("a.rhai", "fn a() {}")
                .with("strategies/s.rhai", "fn s() {}")
                .with("help/a.md", "#"),
        )
        .with_layer(Layer::new("mod").with("a.rhai", "fn b() {}"))
    }

    #[test]
    fn every_part_of_the_sources_is_in_the_fingerprint() {
        let print = two().fingerprint();
        assert_eq!(print, two().fingerprint());
        let changes: [fn(&mut Sources); 5] = [
            |s| s.layers.reverse(),
            |s| s.layers[0].id.push('x'),
            |s| s.library.files = std::mem::take(&mut s.layers[1].files),
            |s| drop(s.layers[1].files.insert("a.rhai".into(), "fn c() {}".into())),
            |s| drop(s.layers.pop()),
        ];
        for change in changes {
            let mut other = two();
            change(&mut other);
            assert_ne!(print, other.fingerprint());
        }
    }

    #[test]
    fn strategies_and_help_are_no_rules() {
        let paths: Vec<_> = two().layers[0].rules().map(|(path, _)| path.to_owned()).collect();
        assert_eq!(paths, ["a.rhai"]);
    }

    #[test]
    fn too_much_text_is_told_for_each_limit() {
        assert!(two().check(&SourceLimits::default()).is_empty());
        let found = two().check(&SourceLimits {
            files: 3,
            file_bytes: 3,
            lines: 3,
        });
        assert_eq!(found.len(), 5, "{found}");
        assert!(found.iter().all(|one| one.code == Code::SourceLimit));
    }
}
