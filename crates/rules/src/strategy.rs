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
pub struct Settings {
    values: BTreeMap<Arc<str>, Value>,
    /// The words that a parameter may have, where they are named.
    words: BTreeMap<Arc<str>, Vec<Arc<str>>>,
}

impl Settings {
    /// Reads what was written: whole numbers, `yes` and `no`; anything else is a text.
    pub fn read<'a>(written: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let value = |text: &str| match (text, text.parse::<i64>()) {
            (_, Ok(number)) => Value::Integer(number),
            ("yes" | "no", _) => Value::Flag(text == "yes"),
            _ => Value::text(text),
        };
        Self {
            values: written.into_iter().map(|(name, text)| (Arc::from(name), value(text))).collect(),
            words: BTreeMap::new(),
        }
    }

    /// The same, where a parameter may have only these words.
    #[must_use]
    pub fn with_words<'a>(mut self, name: &str, words: impl IntoIterator<Item = &'a str>) -> Self {
        self.words.insert(Arc::from(name), words.into_iter().map(Arc::from).collect());
        self
    }

    /// Whether nothing is set.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value of a parameter.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }

    /// The value of a parameter for one thing; where there is none, that for all.
    pub fn value_of(&self, name: &str, thing: &str) -> Option<&Value> {
        self.values.get(format!("{name}.{thing}").as_str()).or_else(|| self.value(name))
    }

    /// Everything that is set, in the order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.values.iter().map(|(name, value)| (&**name, value))
    }

    /// These, and others in their place where others say something.
    #[must_use]
    pub fn with(&self, others: &Self) -> Self {
        let mut all = self.clone();
        let others = others.clone();
        all.values.extend(others.values);
        all.words.extend(others.words);
        all
    }

    /// Checks what is given to a strategy in place of these: parameters that it has, with values as it has them. A `level` may be given to
    /// every strategy, as to other players.
    ///
    /// # Errors
    /// The first that it has not, or that has another type or another word.
    pub fn check(&self, strategy: &str, given: &Self) -> Result<(), Diagnostic> {
        for (full, value) in given.iter() {
            let name = full.split('.').next().unwrap_or_default();
            let own = self.value(full).or_else(|| self.value(name));
            let own = own.or_else(|| self.iter().find(|(known, _)| base(known) == name).map(|(_, value)| value));
            let Some(own) = own else {
                if full == "level" {
                    continue;
                }
                let mut known: Vec<&str> = self.iter().map(|(known, _)| base(known)).collect();
                known.dedup();
                let has = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                let message = format!("strategy `{strategy}` has no parameter `{name}`: it has {has}");
                return Err(Diagnostic::error(Code::NoSuchThing, message));
            };
            self.check_value(full, own, value).map_err(|wanted| {
                Diagnostic::error(
                    Code::BadValue,
                    format!("parameter `{full}` of strategy `{strategy}` is {wanted}, not `{value}`"),
                )
            })?;
        }
        Ok(())
    }

    fn check_value(&self, name: &str, own: &Value, value: &Value) -> Result<(), String> {
        if let Some(words) = self.words.get(base(name)) {
            // A word may look like a number.
            let written = value.to_string();
            return if words.iter().any(|word| **word == *written) {
                Ok(())
            } else {
                Err(format!("one of {}", words.join(", ")))
            };
        }
        match (own, value) {
            (Value::Integer(_), Value::Integer(_)) | (Value::Flag(_), Value::Flag(_)) | (Value::Text(_), _) => Ok(()),
            (Value::Integer(_), _) => Err("a whole number".to_owned()),
            _ => Err("`yes` or `no`".to_owned()),
        }
    }
}

/// The name of a parameter without that of the thing that it is for.
fn base(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
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

    #[test]
    fn what_is_given_has_to_fit() {
        let own = Settings::read([("value.centre", "30"), ("is_bold", "yes"), ("style", "calm"), ("mood", "any")])
            .with_words("style", ["calm", "bold"]);
        let check = |name, value| {
            own.check("careful", &Settings::read([(name, value)]))
                .map_err(|wrong| wrong.message)
        };
        for (name, value) in [
            ("value.edge", "3"),
            ("is_bold", "no"),
            ("style", "bold"),
            ("mood", "7"),
            ("level", "3"),
        ] {
            assert_eq!(check(name, value), Ok(()), "{name}={value}");
        }
        for (name, value, why) in [
            (
                "patience",
                "3",
                "strategy `careful` has no parameter `patience`: it has is_bold, mood, style, value",
            ),
            (
                "value.edge",
                "x",
                "parameter `value.edge` of strategy `careful` is a whole number, not `x`",
            ),
            (
                "is_bold",
                "1",
                "parameter `is_bold` of strategy `careful` is `yes` or `no`, not `1`",
            ),
            (
                "style",
                "x",
                "parameter `style` of strategy `careful` is one of calm, bold, not `x`",
            ),
            (
                "style",
                "1",
                "parameter `style` of strategy `careful` is one of calm, bold, not `1`",
            ),
        ] {
            assert_eq!(check(name, value), Err(why.to_owned()));
        }
    }
}
