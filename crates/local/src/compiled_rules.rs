//! Rules that many matches share: compiled once for the same sources.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use boardwright_model::diagnostic::Diagnostics;
use boardwright_ruleset::Sources;
use boardwright_script::ScriptSource;
use boardwright_server::RulesetInfo;

use crate::ruleset_info_of;

/// The most rules that are kept.
const MOST: usize = 32;

/// The rules that were compiled last, for all matches of a server. Those with the same sources share what was compiled of them, and their texts.
#[derive(Default)]
pub struct CompiledRules(Mutex<VecDeque<Compiled>>);

/// Compiled rules, and what their sources tell people, once somebody has asked for that.
struct Compiled {
    source: Arc<ScriptSource>,
    info: Option<Arc<RulesetInfo>>,
}

impl Compiled {
    fn new(source: Arc<ScriptSource>) -> Self {
        Self { source, info: None }
    }
}

impl fmt::Debug for CompiledRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CompiledRules({})", self.0.lock().unwrap_or_else(PoisonError::into_inner).len())
    }
}

impl CompiledRules {
    /// Some that are compiled.
    pub(crate) fn of(source: Arc<ScriptSource>) -> Self {
        Self(Mutex::new(VecDeque::from([Compiled::new(source)])))
    }

    /// The compiled rules of sources. Two threads that ask for the same at once may both compile them.
    ///
    /// # Errors
    /// What `compile` finds wrong. Nothing is kept then.
    pub(crate) fn get(
        &self,
        sources: &Sources,
        compile: impl FnOnce() -> Result<ScriptSource, Diagnostics>,
    ) -> Result<Arc<ScriptSource>, Diagnostics> {
        if let Some(found) = self.find(sources) {
            return Ok(found);
        }
        let made = Arc::new(compile()?);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.truncate(MOST - 1);
        kept.push_front(Compiled::new(Arc::clone(&made)));
        Ok(made)
    }

    fn find(&self, sources: &Sources) -> Option<Arc<ScriptSource>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let index = kept.iter().position(|kept| **kept.source.sources() == *sources)?;
        let found = kept.remove(index)?;
        let source = Arc::clone(&found.source);
        kept.push_front(found);
        Some(source)
    }

    /// What the sources of compiled rules tell people, shared by all matches of these rules.
    pub(crate) fn ruleset_info(&self, source: &Arc<ScriptSource>) -> Arc<RulesetInfo> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(found) = kept.iter_mut().find(|kept| Arc::ptr_eq(&kept.source, source)) else {
            return Arc::new(ruleset_info_of(source));
        };
        Arc::clone(found.info.get_or_insert_with(|| Arc::new(ruleset_info_of(source))))
    }
}

#[cfg(test)]
mod tests {
    use boardwright_ruleset::Layer;
    use boardwright_script::Limits;

    use super::*;

    fn sources(title: &str) -> Sources {
        let text = format!(
            "fn ruleset() {{ #{{ seats: [#{{ name: \"red\", title: \"{title}\" }}], actions: [#{{ name: \"wait\", rule: \"1\" }}] }} }} fn do_wait(turn, picked) {{ }}"
        );
        Sources::of(Layer::new("rulesets/a").with("rules.rhai", text))
    }

    #[test]
    fn the_same_sources_are_compiled_once_and_the_oldest_forgotten() {
        let rules = CompiledRules::default();
        let get = |title: &str| {
            let sources = sources(title);
            rules
                .get(&sources, || ScriptSource::new(Arc::new(sources.clone()), Limits::default()))
                .unwrap()
        };
        let first = get("Red");
        assert!(Arc::ptr_eq(&first, &get("Red")));
        assert!(!Arc::ptr_eq(&first, &get("Blue")));
        for number in 0..MOST {
            get(&format!("Red {number}"));
        }
        assert!(!Arc::ptr_eq(&first, &get("Red")), "kept for ever");
        let last = get("Red");
        assert!(Arc::ptr_eq(&rules.ruleset_info(&last), &rules.ruleset_info(&last)));
        assert!(rules.get(&sources("\""), || Err(Diagnostics::new())).is_err());
    }
}
