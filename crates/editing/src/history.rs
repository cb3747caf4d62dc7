//! Steps that were made, and those that were undone.

use std::sync::Arc;

use boardwright_content::LoggedLines;

use super::edit_log::Line;
use super::step::apply_all;
use super::{Draft, Edit, Step, StepKind};

/// A step as it lies in a log: it is read from there when it is undone or made again.
#[derive(Clone, Debug)]
pub(crate) struct LoggedStep {
    pub(crate) kind: StepKind,
    log: Arc<LoggedLines>,
    /// The lines that say it: the first the step, the others what was added to it.
    lines: Vec<usize>,
}

impl LoggedStep {
    pub(crate) fn new(kind: StepKind, log: &Arc<LoggedLines>, line: usize) -> Self {
        Self {
            kind,
            log: Arc::clone(log),
            lines: vec![line],
        }
    }

    pub(crate) fn extend(&mut self, line: usize) {
        self.lines.push(line);
    }

    /// What makes it, and what undoes it.
    fn read(&self) -> (Vec<Edit>, Vec<Edit>) {
        let (mut redo, mut undo) = (Vec::new(), Vec::new());
        for line in &self.lines {
            if let Some(
                Line::Step {
                    redo: made, undo: undone, ..
                }
                | Line::More { redo: made, undo: undone },
            ) = self.log.read(*line)
            {
                redo.extend(made);
                // What was done last is undone first.
                drop(undo.splice(0..0, undone));
            }
        }
        (redo, undo)
    }
}

/// A step that can be undone or made again.
#[derive(Clone, Debug)]
enum Entry {
    /// What does it.
    Step(Step),
    Logged(LoggedStep),
}

impl Entry {
    const fn kind(&self) -> StepKind {
        match self {
            Self::Step(step) => step.kind,
            Self::Logged(logged) => logged.kind,
        }
    }

    /// The step that undoes it.
    fn undo(self) -> Step {
        match self {
            Self::Step(step) => step,
            Self::Logged(logged) => Step::new(logged.kind, logged.read().1),
        }
    }

    /// The step that makes it again.
    fn redo(self) -> Step {
        match self {
            Self::Step(step) => step,
            Self::Logged(logged) => Step::new(logged.kind, logged.read().0),
        }
    }
}

/// The steps of a document: what undoes those that were made, and what makes those again that were undone. It has no end.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    /// What undoes each step, the latest last.
    undo: Vec<Entry>,
    /// What makes each step again that was undone, the next one last.
    redo: Vec<Entry>,
}

impl History {
    /// A history that was kept in a log: its steps in order, of which so many are made.
    pub(crate) fn logged(mut steps: Vec<LoggedStep>, made: usize) -> Self {
        let undone = steps.split_off(made.min(steps.len()));
        Self {
            undo: steps.into_iter().map(Entry::Logged).collect(),
            redo: undone.into_iter().rev().map(Entry::Logged).collect(),
        }
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
            step.map_or(StepKind::Other, Entry::kind)
        })
    }

    /// Makes a step; what was undone is forgotten. Gives what undoes it.
    pub(crate) fn apply(&mut self, step: Step, draft: &mut Draft) -> &[Edit] {
        self.redo.clear();
        self.undo.push(Entry::Step(step.apply(draft)));
        match self.undo.last() {
            Some(Entry::Step(step)) => &step.edits,
            _ => &[],
        }
    }

    /// Adds edits to the step that was made last. Gives what undoes them.
    pub(crate) fn extend(&mut self, edits: Vec<Edit>, draft: &mut Draft) -> Vec<Edit> {
        self.redo.clear();
        let undo = apply_all(edits, draft);
        let mut step = self.undo.pop().map_or_else(|| Step::new(StepKind::Other, Vec::new()), Entry::undo);
        // What was done last is undone first.
        drop(step.edits.splice(0..0, undo.iter().cloned()));
        self.undo.push(Entry::Step(step));
        undo
    }

    pub(crate) fn undo(&mut self, draft: &mut Draft) -> Option<StepKind> {
        let step = self.undo.pop()?.undo();
        let kind = step.kind;
        self.redo.push(Entry::Step(step.apply(draft)));
        Some(kind)
    }

    pub(crate) fn redo(&mut self, draft: &mut Draft) -> Option<StepKind> {
        let step = self.redo.pop()?.redo();
        let kind = step.kind;
        self.undo.push(Entry::Step(step.apply(draft)));
        Some(kind)
    }
}
