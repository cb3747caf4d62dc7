//! Following strategies line by line, where this was left out of the program: nothing of it is there, and it costs nothing.

use std::sync::Arc;

use super::super::{Program, Sandbox};
use super::Agent;
use boardwright_rules::StrategyDebugger;

/// Follows nothing.
#[derive(Default)]
pub(super) struct Tracker;

impl Tracker {
    #[expect(clippy::unused_self, reason = "the form of the tracker that follows")]
    pub(super) fn register(&self, _: &mut Sandbox) {}

    #[expect(clippy::unused_self, reason = "the form of the tracker that follows")]
    pub(super) fn take_lines(&self, _: &Program) {}

    #[expect(clippy::unused_self, reason = "the form of the tracker that follows")]
    pub(super) fn during<R>(&self, _: &Arc<dyn StrategyDebugger>, _: &str, _: &Agent, run: impl FnOnce() -> R) -> R {
        run()
    }
}
