//! Why something was not read.

use boardwright_model::diagnostic::{Diagnostic, Diagnostics};

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
