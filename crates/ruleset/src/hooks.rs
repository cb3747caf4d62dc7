//! The functions of scripts that are called from outside, by their names.

use super::nearest;

/// A function that is called from outside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hook {
    /// The name: `outcome`, `do_move`.
    pub name: String,
    /// How it is written in the preferred form: `outcome(view)`.
    pub signature: String,
    /// Whether its doc comment has to start with the number of a rule, where no other hook of its subject cites one.
    pub cites_rule: bool,
    /// The action, phase or contest that it belongs to.
    pub subject: Option<String>,
    /// Whether it only declares data: it may be long and hold any numbers.
    pub is_table: bool,
    /// With how many parameters it is called, the preferred form first. Empty where that is not known.
    pub parameters: Vec<usize>,
}

/// The hooks that a program may have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hooks(Vec<Hook>);

impl FromIterator<Hook> for Hooks {
    fn from_iter<I: IntoIterator<Item = Hook>>(hooks: I) -> Self {
        Self(hooks.into_iter().collect())
    }
}

impl Hooks {
    /// The hook that a function is.
    pub fn find(&self, function: &str) -> Option<&Hook> {
        self.0.iter().find(|hook| hook.name == function)
    }

    /// The hook that a function was probably meant to be. Of a listener with a label, `on_entr_the_ford`, the label does not count.
    pub fn near(&self, function: &str) -> Option<&str> {
        let names = || self.0.iter().map(|hook| hook.name.as_str());
        let listener = || {
            let word = function.strip_prefix("on_")?.split('_').next()?;
            nearest(&format!("on_{word}"), names().filter(|name| name.starts_with("on_")))
        };
        nearest(function, names()).or_else(listener)
    }
}
