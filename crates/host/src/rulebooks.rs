//! The rules a match was and is played under.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use boardwright_model::diagnostic::Diagnostic;
use boardwright_model::{Fingerprint, State};
use boardwright_rules::{MakeRules, Rules, RulesSource};

/// Where the rules of a match come from, by fingerprint, and those made last. A match that was reloaded goes back and forth between
/// some; making them again takes as long as compiling a ruleset.
#[derive(Clone, Default)]
pub(super) struct Rulebooks {
    sources: BTreeMap<Fingerprint, Arc<dyn RulesSource>>,
    made: Vec<Rc<dyn Rules>>,
}

impl Rulebooks {
    /// How many made rules are kept: those before and after a change, and a few more.
    const KEPT: usize = 4;

    pub(super) fn new(sources: &[Arc<dyn RulesSource>]) -> Self {
        let sources = sources.iter().map(|source| (source.fingerprint(), Arc::clone(source)));
        Self {
            sources: sources.collect(),
            made: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, source: Arc<dyn RulesSource>) {
        self.sources.insert(source.fingerprint(), source);
    }

    pub(super) fn source(&self, fingerprint: &Fingerprint) -> Option<&Arc<dyn RulesSource>> {
        self.sources.get(fingerprint)
    }

    pub(super) fn sources(&self) -> Vec<Arc<dyn RulesSource>> {
        self.sources.values().cloned().collect()
    }

    /// The rules of a fingerprint with the declarations of a state; `None` if their source is not here.
    pub(super) fn rules(&mut self, fingerprint: &Fingerprint, state: &State) -> Result<Option<Rc<dyn Rules>>, Diagnostic> {
        self.rules_made_by(None, fingerprint, state)
    }

    /// The same, made by `make` where they are to be made.
    pub(super) fn rules_made_by(
        &mut self,
        make: Option<MakeRules>,
        fingerprint: &Fingerprint,
        state: &State,
    ) -> Result<Option<Rc<dyn Rules>>, Diagnostic> {
        let fits = |rules: &&Rc<dyn Rules>| rules.fingerprint() == *fingerprint && **rules.declarations() == **state.declarations();
        if let Some(rules) = self.made.iter().find(fits) {
            return Ok(Some(Rc::clone(rules)));
        }
        let Some(source) = self.sources.get(fingerprint) else {
            return Ok(None);
        };
        let (board, declarations, options) = (state.board(), state.declarations(), state.options());
        let made = match make {
            Some(make) => make(board, declarations, options)?,
            None => source.rules(board, declarations, options)?,
        };
        let rules: Rc<dyn Rules> = Rc::from(made);
        if self.made.len() >= Self::KEPT {
            self.made.remove(0);
        }
        self.made.push(Rc::clone(&rules));
        Ok(Some(rules))
    }
}
