//! Rules made on a thread for the matches it is asked about.

use std::sync::Arc;

use crate::model::{Board, Frame, State, Value};
use crate::rules::{Rejection, Rules, RulesSource};

/// The rules of the last question, with what they were made for.
#[derive(Default)]
pub(super) struct Made(Option<(Arc<Board>, Arc<Frame>, Arc<[Value]>, Box<dyn Rules>)>);

impl Made {
    /// Rules for a state: those of the last question if they suit it.
    pub(super) fn rules_for(&mut self, source: &dyn RulesSource, state: &State) -> Result<&dyn Rules, Rejection> {
        let suits = |(board, frame, options, _): &(Arc<Board>, Arc<Frame>, Arc<[Value]>, _)| {
            Arc::ptr_eq(board, state.board()) && Arc::ptr_eq(frame, state.frame()) && options == state.options()
        };
        let made = match self.0.take().filter(suits) {
            Some(made) => made,
            None => (
                Arc::clone(state.board()),
                Arc::clone(state.frame()),
                Arc::clone(state.options()),
                source.rules(state.board(), state.frame(), state.options())?,
            ),
        };
        Ok(&*self.0.insert(made).3)
    }

    /// Forgets them.
    pub(super) fn clear(&mut self) {
        self.0 = None;
    }
}
