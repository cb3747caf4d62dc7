//! A strategy played with one value of a parameter after the other.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::Contestant;
use boardwright_players::PlayerSpec;

/// A parameter of a strategy and the values it is tried with. Written `standard.boldness=50..200:25` (from, to, and the step between), or
/// `standard.boldness=50,80` for values one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sweep {
    /// The name of the strategy.
    pub strategy: String,
    /// The name of the parameter; for one thing alone with a point and its name behind it.
    pub parameter: String,
    /// The values.
    pub values: Vec<Arc<str>>,
}

/// A text that is no sweep.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SweepError {
    /// The form is another.
    #[error("`{0}` is not of the form STRATEGY.PARAMETER=FROM..TO:STEP or STRATEGY.PARAMETER=VALUE,VALUE")]
    Form(String),
    /// The range has no values, or too many.
    #[error("the range `{0}` has no values, or more than {most}", most = Sweep::MOST_VALUES)]
    Range(String),
}

impl Sweep {
    /// The most values of a parameter.
    pub const MOST_VALUES: usize = 200;

    /// The player with each of the values; nothing if it is another player.
    pub fn variants(&self, contestant: &Contestant) -> Vec<Contestant> {
        let PlayerSpec::Strategy { name, settings } = &contestant.player else {
            return Vec::new();
        };
        if **name != *self.strategy {
            return Vec::new();
        }
        let with = |value: &Arc<str>| {
            let mut settings = settings.clone();
            settings.push((Arc::from(self.parameter.as_str()), Arc::clone(value)));
            let player = PlayerSpec::Strategy {
                name: Arc::clone(name),
                settings,
            };
            Contestant {
                player,
                ..contestant.clone()
            }
        };
        self.values.iter().map(with).collect()
    }
}

/// The values of a range: whole numbers, with a step of 1 if none is named.
fn range(text: &str) -> Option<Vec<Arc<str>>> {
    let (ends, step) = text.split_once(':').unwrap_or((text, "1"));
    let (from, to) = ends.split_once("..")?;
    let number = |text: &str| text.trim().parse::<i64>().ok();
    let (from, to, step) = (number(from)?, number(to.trim_start_matches('='))?, number(step)?);
    let step = usize::try_from(step).ok().filter(|step| *step > 0)?;
    Some(
        (from..=to)
            .step_by(step)
            .take(Sweep::MOST_VALUES + 1)
            .map(|value| Arc::from(value.to_string()))
            .collect(),
    )
}

impl FromStr for Sweep {
    type Err = SweepError;

    fn from_str(text: &str) -> Result<Self, SweepError> {
        let form = || SweepError::Form(text.to_owned());
        let (name, values) = text.split_once('=').ok_or_else(form)?;
        let (strategy, parameter) = name.trim().split_once('.').ok_or_else(form)?;
        let values = if values.contains("..") {
            range(values).ok_or_else(form)?
        } else {
            values.split(',').map(|value| Arc::from(value.trim())).collect()
        };
        if strategy.is_empty() || parameter.is_empty() || values.iter().any(|value| value.is_empty()) {
            return Err(form());
        }
        if values.is_empty() || values.len() > Self::MOST_VALUES {
            return Err(SweepError::Range(text.to_owned()));
        }
        Ok(Self {
            strategy: strategy.to_owned(),
            parameter: parameter.to_owned(),
            values,
        })
    }
}

impl fmt::Display for Sweep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}={}", self.strategy, self.parameter, self.values.join(","))
    }
}

/// A line-up with every combination of values in the place of the players that the sweeps are about.
pub fn swept(line_up: &[Contestant], sweeps: &[Sweep]) -> Vec<Vec<Contestant>> {
    let mut all = vec![line_up.to_vec()];
    for sweep in sweeps {
        let spread = |line_up: Vec<Contestant>| -> Vec<Vec<Contestant>> {
            let variants: Vec<Vec<Contestant>> = line_up.iter().map(|contestant| sweep.variants(contestant)).collect();
            if variants.iter().all(Vec::is_empty) {
                return vec![line_up];
            }
            let with = |index: usize| {
                let seats = line_up.iter().zip(&variants);
                seats
                    .map(|(contestant, own)| own.get(index).unwrap_or(contestant).clone())
                    .collect()
            };
            (0..sweep.values.len()).map(with).collect()
        };
        all = all.into_iter().flat_map(spread).collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contestants(words: &[&str]) -> Vec<Contestant> {
        words.iter().map(|word| word.parse().unwrap()).collect()
    }

    fn shown(line_ups: &[Vec<Contestant>]) -> Vec<String> {
        let words = |line_up: &Vec<Contestant>| line_up.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        line_ups.iter().map(words).collect()
    }

    #[test]
    fn a_range_has_both_ends_and_values_may_be_listed() {
        let values = |text: &str| text.parse::<Sweep>().unwrap().values.join(" ");
        assert_eq!(values("calm.patience=50..200:50"), "50 100 150 200");
        assert_eq!(values("calm.patience=-1..1"), "-1 0 1");
        assert_eq!(values("calm.style=bold, shy"), "bold shy");
        assert_eq!("calm.value.North Shore=3".parse::<Sweep>().unwrap().parameter, "value.North Shore");
        for wrong in [
            "calm=3",
            "calm.patience",
            "calm.patience=9..1",
            "calm.patience=1..5:0",
            "calm.patience=1..1000",
            ".x=1",
            "calm.x=1,,2",
        ] {
            assert!(wrong.parse::<Sweep>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_combination_takes_the_place_of_the_strategy() {
        let sweeps: Vec<Sweep> = ["calm.patience=1,2", "calm.fear=5,6"]
            .iter()
            .map(|text| text.parse().unwrap())
            .collect();
        let line_ups = swept(&contestants(&["calm", "random", "calm"]), &sweeps);
        assert_eq!(
            shown(&line_ups),
            [
                "calm+patience=1+fear=5 random calm+patience=1+fear=5",
                "calm+patience=1+fear=6 random calm+patience=1+fear=6",
                "calm+patience=2+fear=5 random calm+patience=2+fear=5",
                "calm+patience=2+fear=6 random calm+patience=2+fear=6",
            ]
        );
        assert_eq!(shown(&swept(&contestants(&["greedy", "random"]), &sweeps)), ["greedy random"]);
    }
}
