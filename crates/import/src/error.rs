//! Why something was not read.

use boardwright_model::diagnostic::{Diagnostic, Diagnostics, Location};

/// Why an import came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// Whoever watched it said so; see [`Progress`](crate::Progress).
    #[error("the import was stopped")]
    Stopped,
    /// The source cannot be used as it stands.
    #[error("{}", .0.render())]
    Wrong(Diagnostics),
}

impl ImportError {
    /// The same, where what is wrong with the source as a whole names its file.
    #[must_use]
    pub fn in_file(self, file: &str) -> Self {
        match self {
            Self::Stopped => Self::Stopped,
            Self::Wrong(found) => {
                let located = found.iter().cloned().map(|one| match one.place {
                    Some(_) => one,
                    None => one.at(Location::file(file)),
                });
                Self::Wrong(located.collect())
            }
        }
    }
}

impl From<Diagnostic> for ImportError {
    fn from(found: Diagnostic) -> Self {
        Self::Wrong([found].into_iter().collect())
    }
}

impl From<Diagnostics> for ImportError {
    fn from(found: Diagnostics) -> Self {
        Self::Wrong(found)
    }
}
