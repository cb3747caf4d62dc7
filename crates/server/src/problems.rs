//! What is wrong with the rules in force, as clients were told.

use super::roster::Roster;
use boardwright_model::diagnostic::Diagnostic;
use boardwright_protocol::Notice;

/// The most faults that clients are told of until the rules change.
const MOST_FAULTS: usize = 50;

#[derive(Debug)]
pub(super) struct ProblemList {
    pub(super) problems: Vec<Diagnostic>,
    /// The faults among them, each of which is reported once.
    faults: Vec<Diagnostic>,
}

impl ProblemList {
    pub(super) fn new(problems: Vec<Diagnostic>) -> Self {
        Self {
            problems,
            faults: Vec::new(),
        }
    }

    /// Adds faults that came up in play, and tells clients of those that are new.
    pub(super) fn add_faults(&mut self, faults: Vec<Diagnostic>, roster: &mut Roster) {
        for fault in faults {
            if self.faults.len() < MOST_FAULTS && !self.faults.contains(&fault) {
                self.faults.push(fault.clone());
                self.problems.push(fault.clone());
                roster.notify_all(&Notice::Fault(Box::new(fault)));
            }
        }
    }

    /// Other rules are in force, whose faults count again.
    pub(super) fn forget_faults(&mut self) {
        self.faults.clear();
    }

    /// Replaces all problems, and tells clients if they differ.
    pub(super) fn replace(&mut self, problems: Vec<Diagnostic>, roster: &mut Roster) {
        if self.problems != problems {
            self.problems.clone_from(&problems);
            roster.notify_all(&Notice::Problems { problems });
        }
    }
}
