//! The faults of one document, collected.

use crate::ruleset::{Code, Diagnostic, Diagnostics, Place};

use super::fields::Outline;
use super::{Source, Spot};

/// As many faults of one document are told; of more than that only the number.
const MOST_FAULTS: usize = 200;

/// Collects what is wrong with a document.
#[derive(Debug)]
pub struct Faults {
    source: Source,
    found: Diagnostics,
    /// What may stand in the document.
    outline: Option<fn() -> Outline>,
    /// How many were found beyond those kept.
    more: usize,
}

impl Faults {
    pub(super) fn new(source: &Source) -> Self {
        Self {
            source: source.clone(),
            found: Diagnostics::new(),
            outline: None,
            more: 0,
        }
    }

    /// The same for a document of which it is known what may stand in it.
    pub(super) fn with_outline(mut self, outline: fn() -> Outline) -> Self {
        self.outline = Some(outline);
        self
    }

    /// The elements in which one of a name may stand; none if no more faults are listed.
    pub(super) fn homes(&self, name: &str) -> Vec<&'static str> {
        let mut homes = Vec::new();
        if let Some(outline) = self.outline.filter(|_| self.more == 0) {
            outline().homes(name, &mut homes);
        }
        homes
    }

    /// Adds an error at a spot.
    pub fn error(&mut self, spot: Spot, code: Code, message: impl Into<String>) {
        self.error_with_help(spot, code, message, None);
    }

    /// Adds an error at a spot, with what to do about it.
    pub fn error_with_help(&mut self, spot: Spot, code: Code, message: impl Into<String>, help: Option<String>) {
        if self.found.len() == MOST_FAULTS {
            self.more += 1;
            return;
        }
        let mut found = Diagnostic::error(code, message).at(self.source.place(spot));
        found.help = help;
        self.found.push(found);
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The document they are about.
    pub const fn source(&self) -> &Source {
        &self.source
    }

    /// All of them, in the order of the text.
    pub(super) fn finish(mut self) -> Diagnostics {
        self.found.sort();
        if self.more > 0 {
            let message = format!("and {} more faults that are not listed", self.more);
            self.found
                .push(Diagnostic::error(Code::Document, message).at(Place::file(self.source.file())));
        }
        self.found
    }
}

/// What was probably meant: the known word nearest to one that is not known, if it is near at all.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    if length > 64 {
        return None;
    }
    let most = (length / 3).max(1);
    known
        .into_iter()
        .filter(|other| !other.is_empty() && other.chars().count().abs_diff(length) <= most)
        .map(|other| (edits(&word.to_lowercase(), &other.to_lowercase()), other))
        .filter(|&(edits, other)| edits <= most && edits < other.chars().count())
        .min_by_key(|&(edits, _)| edits)
        .map(|(_, other)| other)
}

/// `did you mean ..?` for the nearest known word.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(word, known).map(|meant| format!("did you mean `{meant}`?"))
}

/// The fewest letters to add, drop, change or swap with the next.
fn edits(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (row, letter) in a.iter().enumerate() {
        let mut now = Vec::with_capacity(b.len() + 1);
        now.push(row + 1);
        for (column, other) in b.iter().enumerate() {
            let at = |list: &[usize], index: usize| list.get(index).copied().unwrap_or(usize::MAX / 2);
            let change = at(&last, column) + usize::from(letter != other);
            let mut best = change.min(at(&last, column + 1) + 1).min(at(&now, column) + 1);
            let is_swapped = row > 0 && column > 0 && a.get(row - 1) == Some(other) && b.get(column - 1) == Some(letter);
            if is_swapped {
                best = best.min(at(&before, column - 1) + 1);
            }
            now.push(best);
        }
        before = std::mem::replace(&mut last, now);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_found_if_it_is_near() {
        let known = ["width", "height", "terrain", "id"];
        assert_eq!(nearest("widht", known), Some("width"));
        assert_eq!(nearest("Height", known), Some("height"));
        assert_eq!(nearest("terain", known), Some("terrain"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(nearest("x", known), None);
        assert_eq!(nearest("idd", known), Some("id"));
        assert_eq!(edits("abcd", "abdc"), 1);
        assert_eq!(edits("", "abc"), 3);
    }
}
