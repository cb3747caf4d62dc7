//! The faults of one document, collected.

use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};

use super::fields::Outline;
use super::{Source, Spot};

/// As many faults of one document are told; of more than that only the number.
const MOST_FAULTS: usize = 200;

/// Collects what is wrong with a document.
#[derive(Debug)]
pub struct Faults {
    source: Source,
    found: Diagnostics,
    /// What may stand in the document, if that is known.
    pub(super) outline: Option<fn() -> Outline>,
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
                .push(Diagnostic::error(Code::Document, message).at(Location::file(self.source.file())));
        }
        self.found
    }
}
