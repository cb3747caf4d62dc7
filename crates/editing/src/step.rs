//! Edits that belong together: one step of the history.

use serde::{Deserialize, Serialize};

use super::{Draft, Edit};

/// What a step is about, for the history on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the variants name what was done")]
pub enum StepKind {
    Paint,
    Fill,
    Line,
    Rectangle,
    Replace,
    Holes,
    Elevation,
    Property,
    Name,
    Region,
    Points,
    Lines,
    Outline,
    Cut,
    Paste,
    Move,
    Turn,
    Mirror,
    Resize,
    Title,
    Seats,
    Players,
    Options,
    Pieces,
    Triggers,
    Script,
    Mend,
    Generate,
    Import,
    Merge,
    Other,
}

/// Edits that are undone and redone together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// What it is about.
    pub kind: StepKind,
    /// The edits, in the order in which they are applied.
    pub edits: Vec<Edit>,
}

impl Step {
    /// A step of some edits.
    pub const fn new(kind: StepKind, edits: Vec<Edit>) -> Self {
        Self { kind, edits }
    }

    /// A step of one edit.
    pub fn one(kind: StepKind, edit: Edit) -> Self {
        Self::new(kind, vec![edit])
    }

    /// Whether it holds no edit.
    pub const fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Changes a draft, and gives the step that changes it back exactly.
    #[must_use = "it is what undoes the change"]
    pub fn apply(self, draft: &mut Draft) -> Self {
        Self::new(self.kind, apply_all(self.edits, draft))
    }
}

/// Applies edits in order; gives those that undo them, in the order in which they are to be applied.
pub(crate) fn apply_all(edits: Vec<Edit>, draft: &mut Draft) -> Vec<Edit> {
    let mut undo: Vec<Edit> = edits.into_iter().map(|edit| edit.apply(draft)).collect();
    undo.reverse();
    undo
}
