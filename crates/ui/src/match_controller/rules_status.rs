//! The rules as they change while the match runs: reloads and faults.

use boardwright_model::diagnostic::{Diagnostic, Severity};

/// Rules that were changed while the match ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReloadNotice {
    pub changes: Vec<String>,
    pub milliseconds: u64,
}

/// What is known of reloads and faults of the rules.
#[derive(Debug, Default)]
pub(crate) struct RulesStatus {
    pub(super) version: u64,
    /// The last reload, until the player has dismissed it.
    pub(crate) notice: Option<ReloadNotice>,
    /// The reloads that changed something, oldest first.
    pub(super) changes: Vec<ReloadNotice>,
    fault: Option<Diagnostic>,
    /// The first error of rules that have just been found broken, until an editor has gone there.
    pub(crate) broken_at: Option<Diagnostic>,
}

impl RulesStatus {
    /// Other rules are active. Whether anything in them has changed.
    pub(super) fn on_reload(&mut self, changes: Vec<String>, milliseconds: u64) -> bool {
        self.version += 1;
        self.fault = None;
        let is_changed = !changes.is_empty();
        if is_changed {
            let notice = ReloadNotice { changes, milliseconds };
            self.changes.push(notice.clone());
            self.notice = Some(notice);
        }
        is_changed
    }

    /// Changed rules were checked. Whether they have errors, so that the old ones stay active.
    pub(super) fn on_problems(&mut self, problems: &[Diagnostic]) -> bool {
        self.fault = None;
        let first = problems.iter().find(|problem| problem.severity == Severity::Error);
        self.broken_at = first.filter(|problem| problem.line() > 0).cloned();
        if first.is_some() {
            self.notice = None;
        }
        first.is_some()
    }

    pub(super) fn on_fault(&mut self, fault: &Diagnostic) {
        self.fault = Some(fault.clone());
    }

    /// The problems the host reported, and the last fault if it is not among them.
    pub(super) fn problems(&self, reported: &[Diagnostic]) -> Vec<Diagnostic> {
        let place = |problem: &Diagnostic| (problem.file().to_owned(), problem.line(), problem.code);
        let is_new = |fault: &&Diagnostic| !reported.iter().any(|known| place(known) == place(fault));
        reported.iter().chain(self.fault.as_ref().filter(is_new)).cloned().collect()
    }
}
