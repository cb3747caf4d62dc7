//! Steps that were made, and those that were undone.

use super::step::apply_all;
use super::{Draft, Edit, Step, StepKind};

/// The steps of a document: what undoes those that were made, and what makes those again that were undone. It has no end.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    /// What undoes each step, the latest last.
    undo: Vec<Step>,
    /// What makes each step again that was undone, the next one last.
    redo: Vec<Step>,
}

impl History {
    /// A history that was kept elsewhere: what undoes each step, and what makes those again that were undone.
    pub(crate) const fn new(undo: Vec<Step>, redo: Vec<Step>) -> Self {
        Self { undo, redo }
    }

    /// How many steps are made and not undone.
    pub(crate) const fn position(&self) -> usize {
        self.undo.len()
    }

    pub(crate) const fn has_redo(&self) -> bool {
        !self.redo.is_empty()
    }

    /// The kinds of all steps in order, those that were undone included.
    pub(crate) fn kinds(&self) -> impl ExactSizeIterator<Item = StepKind> + '_ {
        let count = self.undo.len() + self.redo.len();
        (0..count).map(move |index| {
            let step = self.undo.get(index).or_else(|| self.redo.get(count - 1 - index));
            step.map_or(StepKind::Other, |step| step.kind)
        })
    }

    /// Makes a step; what was undone is forgotten. Gives what undoes it.
    pub(crate) fn apply(&mut self, step: Step, draft: &mut Draft) -> &[Edit] {
        self.redo.clear();
        self.undo.push(step.apply(draft));
        self.undo.last().map_or(&[], |step| &step.edits)
    }

    /// Adds edits to the step that was made last. Gives what undoes them.
    pub(crate) fn extend(&mut self, edits: Vec<Edit>, draft: &mut Draft) -> Vec<Edit> {
        self.redo.clear();
        let undo = apply_all(edits, draft);
        match self.undo.last_mut() {
            // What was done last is undone first.
            Some(step) => drop(step.edits.splice(0..0, undo.iter().cloned())),
            None => self.undo.push(Step::new(StepKind::Other, undo.clone())),
        }
        undo
    }

    pub(crate) fn undo(&mut self, draft: &mut Draft) -> Option<StepKind> {
        let step = self.undo.pop()?;
        let kind = step.kind;
        self.redo.push(step.apply(draft));
        Some(kind)
    }

    pub(crate) fn redo(&mut self, draft: &mut Draft) -> Option<StepKind> {
        let step = self.redo.pop()?;
        let kind = step.kind;
        self.undo.push(step.apply(draft));
        Some(kind)
    }
}
