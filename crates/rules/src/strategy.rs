//! What rules know of the strategies that are written for them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::{Rules, StrategyDebugger};
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{Action, Rejection, SeatId, State, Value};

/// What the parameters of a strategy stand at, by name. The value for one thing alone stands under the name, a point, and the name of
/// the thing: `value.centre`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Settings(BTreeMap<Arc<str>, Value>);

impl Settings {
    /// Reads what was written: whole numbers, `yes` and `no`; anything else is a text.
    pub fn read<'a>(written: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let value = |text: &str| match (text, text.parse::<i64>()) {
            (_, Ok(number)) => Value::Integer(number),
            ("yes" | "no", _) => Value::Flag(text == "yes"),
            _ => Value::text(text),
        };
        Self(written.into_iter().map(|(name, text)| (Arc::from(name), value(text))).collect())
    }

    /// Whether nothing is set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a parameter.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// The value of a parameter for one thing; where there is none, that for all.
    pub fn value_of(&self, name: &str, thing: &str) -> Option<&Value> {
        self.0.get(format!("{name}.{thing}").as_str()).or_else(|| self.value(name))
    }

    /// Everything that is set, in the order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }

    /// These, and others in their place where others say something.
    #[must_use]
    pub fn with(&self, others: &Self) -> Self {
        let mut all = self.0.clone();
        all.extend(others.0.iter().map(|(name, value)| (Arc::clone(name), value.clone())));
        Self(all)
    }
}

/// What a strategy is asked.
#[derive(Clone, Debug)]
pub struct Consultation<'a> {
    /// Its name.
    pub strategy: &'a str,
    /// Parameters that stand at something else than its file says.
    pub settings: &'a Settings,
    /// What the seat sees.
    pub state: &'a Arc<State>,
    /// The seat.
    pub seat: SeatId,
    /// The seed of its luck for this one decision.
    pub seed: u64,
    /// How many steps it may take.
    pub operations: u64,
    /// How long it may take, whatever the steps.
    pub wall: Duration,
    /// Whether somebody is told what it thinks; without it nothing that it says is noted.
    pub is_watched: bool,
    /// Who follows it line by line.
    pub debugger: Option<Arc<dyn StrategyDebugger>>,
}

/// What a strategy decides.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The action. None if the strategy leaves it to its evaluation.
    pub action: Option<Action>,
    /// Where the function stands that decided, for whoever has to say what is wrong with it.
    pub by: Diagnostic,
    /// What it said about its thoughts.
    pub remarks: Vec<Remark>,
    /// How many steps it took.
    pub operations: u64,
}

/// Something that a strategy says about its thoughts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The words; empty for an action it weighed.
    pub text: Arc<str>,
    /// The action it weighed, if it is one.
    pub action: Option<Action>,
    /// A number that goes with it: for an action what it is value.
    pub number: Option<i64>,
}

/// Strategies that are written for rules.
pub trait Strategies {
    /// What a strategy decides.
    ///
    /// # Errors
    /// If there is no such strategy, or it fails: with the place in its script.
    fn consult(&self, asked: &Consultation<'_>) -> Result<Advice, Rejection>;

    /// The value of a state for a seat; `None` if it does not say.
    ///
    /// # Errors
    /// As [`consult`](Self::consult).
    fn evaluate(&self, asked: &Consultation<'_>) -> Result<Option<i64>, Rejection>;

    /// The value of each cell for a seat; `None` where it does not say.
    ///
    /// # Errors
    /// As [`consult`](Self::consult).
    fn evaluate_cells(&self, asked: &Consultation<'_>) -> Result<Vec<Option<i64>>, Rejection>;
}

/// The strategies of rules, to ask the one of a name.
///
/// # Errors
/// If the rules have no strategies at all.
pub fn strategies_of<'a>(rules: &'a dyn Rules, name: &str) -> Result<&'a dyn Strategies, Rejection> {
    rules.strategies().ok_or_else(|| no_strategy(name).into())
}

/// The fault of asking for a strategy that is not there.
pub fn no_strategy(name: &str) -> Diagnostic {
    Diagnostic::error(Code::NoSuchThing, format!("there is no strategy `{name}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thing_has_its_own_value_or_that_of_all() {
        let settings = Settings::read([("value", "10"), ("value.centre", "30"), ("is_bold", "yes"), ("style", "calm")]);
        assert_eq!(settings.value_of("value", "centre"), Some(&Value::Integer(30)));
        assert_eq!(settings.value_of("value", "edge"), Some(&Value::Integer(10)));
        assert_eq!(settings.value_of("patience", "edge"), None);
        assert_eq!(settings.value("is_bold"), Some(&Value::Flag(true)));
        assert_eq!(settings.value("style"), Some(&Value::text("calm")));
        let other = settings.with(&Settings::read([("value", "-5")]));
        assert_eq!(other.value_of("value", "edge"), Some(&Value::Integer(-5)));
        assert_eq!(other.value_of("value", "centre"), Some(&Value::Integer(30)));
    }
}
