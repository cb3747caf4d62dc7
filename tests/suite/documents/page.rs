//! Pages of Markdown, as far as tests need to understand them.

use std::fs;
use std::path::PathBuf;

use crate::common::root;

/// A fenced block of a page.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// The page, for messages.
    pub page: String,
    /// The line its text begins at, from 1.
    pub line: usize,
    /// The words behind the fence: the language, then what else is said about the block.
    pub words: Vec<String>,
    /// What is in it.
    pub text: String,
}

impl Block {
    /// Where it stands, as an editor can open it.
    pub(crate) fn place(&self) -> String {
        format!("{}:{}", self.page, self.line)
    }

    /// Whether it is in a language.
    pub(crate) fn is(&self, language: &str) -> bool {
        self.words.first().is_some_and(|word| word == language)
    }

    /// Whether something is said about it.
    pub(crate) fn says(&self, word: &str) -> bool {
        self.words.iter().skip(1).any(|other| other == word)
    }
}

/// The fenced blocks of a page, in order. `page` is a path from the root of the project.
pub(crate) fn blocks(page: &str) -> Vec<Block> {
    let text = fs::read_to_string(root().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"));
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for (index, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (Some(block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (Some(_), Some(_)) => found.extend(open.take()),
            (None, Some(words)) => {
                open = Some(Block {
                    page: page.to_owned(),
                    line: index + 2,
                    words: words.split_whitespace().map(str::to_owned).collect(),
                    text: String::new(),
                });
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{page}: the last block does not end");
    found
}

/// The pages of a folder, as paths from the root of the project.
pub(crate) fn pages(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(folder)).unwrap();
    let mut names: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    names.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    names.sort();
    let relative = |path: &PathBuf| path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
    names.iter().map(relative).collect()
}
