//! Rules made on a thread for the matches it is asked about.

use std::sync::Arc;

use boardwright_model::diagnostic::Diagnostic;
use boardwright_model::{Board, Declarations, Fingerprint, Rejection, State, Value};
use boardwright_rules::{Rules, RulesSource};

#[derive(Default)]
pub(super) struct RulesCache(Option<CachedRules>);

struct CachedRules {
    board: Arc<Board>,
    declarations: Arc<Declarations>,
    options: Arc<[Value]>,
    rules: Box<dyn Rules>,
}

impl RulesCache {
    /// Rules for a state: those of the last question if they suit it.
    pub(super) fn rules_for(&mut self, source: &dyn RulesSource, state: &State) -> Result<&dyn Rules, Rejection> {
        let suits = |cached: &CachedRules| {
            cached.board.has_cells_of(state.board())
                && Arc::ptr_eq(&cached.declarations, state.declarations())
                && cached.options == *state.options()
        };
        let cached = match self.0.take().filter(suits) {
            Some(cached) => cached,
            None => CachedRules {
                board: Arc::clone(state.board()),
                declarations: Arc::clone(state.declarations()),
                options: Arc::clone(state.options()),
                rules: source.rules(state.board(), state.declarations(), state.options())?,
            },
        };
        Ok(&*self.0.insert(cached).rules)
    }

    /// What they were found at fault with since this was last asked.
    pub(super) fn take_faults(&self) -> Vec<Diagnostic> {
        self.0.as_ref().map_or_else(Vec::new, |made| made.rules.take_faults())
    }

    pub(super) fn clear(&mut self) {
        self.0 = None;
    }
}

/// What a tree or a table is about: what it holds is of no use under other rules, on another board or with other options.
#[derive(Debug)]
pub(super) struct RulesKey {
    fingerprint: Fingerprint,
    board: Arc<Board>,
    options: Arc<[Value]>,
}

impl RulesKey {
    pub(super) fn of(rules: &dyn Rules, state: &State) -> Self {
        Self {
            fingerprint: rules.fingerprint(),
            board: Arc::clone(state.board()),
            options: Arc::clone(state.options()),
        }
    }

    pub(super) fn holds_for(&self, rules: &dyn Rules, state: &State) -> bool {
        self.fingerprint == rules.fingerprint() && self.board.has_cells_of(state.board()) && self.options == *state.options()
    }
}
