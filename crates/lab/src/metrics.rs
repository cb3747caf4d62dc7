//! What random play shows about rules: how many actions there are, how long matches last, how often they are drawn, whether it matters
//! where one sits, and how fast it all goes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use super::CpuClock;
use super::statistics::{binomial_p, mean};
use boardwright_model::{Rejection, State};
use boardwright_rules::{Generator, Luck, PlayoutBuffers, Rules, Transaction, flow, playout};

/// How rules are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetricsSettings {
    /// How many matches are played.
    pub matches: u32,
    /// The seed of all luck.
    pub seed: u64,
    /// The most actions of a match; one that goes on counts as having no end.
    pub most_actions: u32,
}

/// Numbers, and how they are spread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    /// The least.
    pub least: u64,
    /// The mean.
    pub mean: f64,
    /// The one in the middle.
    pub median: u64,
    /// The greatest.
    pub greatest: u64,
}

impl Spread {
    /// The spread of some numbers.
    pub fn of(mut numbers: Vec<u64>) -> Self {
        numbers.sort_unstable();
        let sum: u64 = numbers.iter().sum();
        Self {
            least: numbers.first().copied().unwrap_or(0),
            mean: mean(sum as f64, numbers.len() as u64),
            median: numbers.get(numbers.len() / 2).copied().unwrap_or(0),
            greatest: numbers.last().copied().unwrap_or(0),
        }
    }
}

/// What random play has shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Metrics {
    /// How many matches were played.
    pub matches: u64,
    /// How many actions there are to choose from.
    pub branching: Spread,
    /// How many actions a match has.
    pub length: Spread,
    /// How many rounds a match has.
    pub rounds: Spread,
    /// Which part of the matches was drawn.
    pub drawn: f64,
    /// Which part did not end within the most actions.
    pub endless: f64,
    /// For each seat the mean part of the others that it left behind, 0 to 1.
    pub seats: Vec<f64>,
    /// How likely the first two seats differ so much if neither has an advantage; between two seats only.
    pub p: Option<f64>,
    /// How matches ended, and how often.
    pub endings: BTreeMap<String, u64>,
    /// Actions for a second of work on one core, in matches played for speed alone.
    pub actions_per_second: f64,
    /// Matches for a second of work on one core.
    pub matches_per_second: f64,
}

/// Plays random matches from a state before its match begins. `progress` is told how many were played.
///
/// # Errors
/// If the rules are at fault.
pub fn measure(rules: &dyn Rules, start: &State, settings: MetricsSettings, progress: &mut dyn FnMut(u32)) -> Result<Metrics, Rejection> {
    let mut generator = Generator::new(settings.seed);
    let mut found = Found::default();
    for played in 0..settings.matches {
        let (mut transaction, mut choices) = begin(rules, start, &mut generator)?;
        let mut length = 0;
        while let Some(seat) = transaction.state().acting().first() {
            if length >= u64::from(settings.most_actions) {
                break;
            }
            let legal = flow::legal(rules, transaction.state(), seat)?;
            found.branching.push(legal.len() as u64);
            let Some(action) = legal.get(choices.below(legal.len() as u32) as usize) else {
                break;
            };
            flow::perform_legal(rules, &mut transaction, action)?;
            transaction.forget();
            length += 1;
        }
        found.note(transaction.state(), length);
        progress(played + 1);
    }
    let (actions, matches, took) = race(rules, start, &mut generator, settings)?;
    let per_second = |count: u64| count as f64 / took.as_secs_f64().max(1e-9);
    let matches_played = u64::from(settings.matches);
    let part = |count: f64| mean(count, matches_played);
    Ok(Metrics {
        matches: matches_played,
        branching: Spread::of(found.branching),
        length: Spread::of(found.length),
        rounds: Spread::of(found.rounds),
        drawn: part(found.drawn as f64),
        endless: part(found.endless as f64),
        seats: found.points.into_iter().map(part).collect(),
        p: match found.won.as_slice() {
            [first, second] => Some(binomial_p(*first, *second)),
            _ => None,
        },
        endings: found.endings,
        actions_per_second: per_second(actions),
        matches_per_second: per_second(matches),
    })
}

#[derive(Default)]
struct Found {
    branching: Vec<u64>,
    length: Vec<u64>,
    rounds: Vec<u64>,
    drawn: u64,
    endless: u64,
    points: Vec<f64>,
    won: Vec<u64>,
    endings: BTreeMap<String, u64>,
}

impl Found {
    fn note(&mut self, state: &State, length: u64) {
        let seats = state.declarations().seats.len();
        self.points.resize(seats, 0.0);
        self.won.resize(seats, 0);
        self.length.push(length);
        self.rounds.push(u64::from(state.sequence().mark.round));
        let Some(outcome) = state.outcome() else {
            self.endless += 1;
            self.points.iter_mut().for_each(|points| *points += 0.5);
            return;
        };
        self.drawn += u64::from(outcome.is_draw());
        *self.endings.entry(outcome.reason.to_string()).or_default() += 1;
        if let Some(won) = outcome.sole_winner().and_then(|seat| self.won.get_mut(seat.index())) {
            *won += 1;
        }
        let others = (seats as f64 - 1.0).max(1.0);
        for (points, own) in self.points.iter_mut().zip(&outcome.places) {
            let behind = outcome.places.iter().filter(|place| *place > own).count() as f64;
            let before = outcome.places.iter().filter(|place| *place < own).count() as f64;
            *points += 0.5 + (behind - before) / (2.0 * others);
        }
    }
}

fn begin(rules: &dyn Rules, start: &State, generator: &mut Generator) -> Result<(Transaction, Generator), Rejection> {
    let luck = Luck::Roll(Generator::new(generator.next_seed()));
    let mut transaction = Transaction::new(Arc::new(start.clone()), luck);
    flow::begin_scenario(rules, &mut transaction)?;
    transaction.forget();
    Ok((transaction, Generator::new(generator.next_seed())))
}

/// Plays matches as fast as it goes, as search does. Gives actions, matches and the time it took. Where no luck is drawn before the first action,
/// all of them begin alike, and that is done once.
fn race(rules: &dyn Rules, start: &State, generator: &mut Generator, settings: MetricsSettings) -> Result<(u64, u64, Duration), Rejection> {
    const ENOUGH: Duration = Duration::from_secs(1);
    const ACTIONS_BETWEEN_LOOKS: u64 = 256;
    let mut room = PlayoutBuffers::default();
    let (mut actions, mut matches, mut looked_at) = (0, 0, 0);
    let mut without_luck = Transaction::new(Arc::new(start.clone()), Luck::Forbidden);
    let begun = flow::begin_scenario(rules, &mut without_luck).map(|()| without_luck.into_parts().0);
    let clock = CpuClock::start();
    loop {
        let (mut transaction, mut choices) = match &begun {
            Ok(begun) => {
                let luck = Luck::Roll(Generator::new(generator.next_seed()));
                let transaction = Transaction::new(Arc::new(State::clone(begun)), luck);
                (transaction, Generator::new(generator.next_seed()))
            }
            Err(_) => begin(rules, start, generator)?,
        };
        actions += playout(rules, &mut transaction, &mut choices, settings.most_actions as usize, &mut room)? as u64;
        matches += 1;
        let is_last = matches >= u64::from(settings.matches) * 20;
        // To look at the clock takes as long as a short match.
        if !is_last && actions < looked_at + ACTIONS_BETWEEN_LOOKS {
            continue;
        }
        looked_at = actions;
        let took = clock.elapsed();
        if took >= ENOUGH || is_last {
            return Ok((actions, matches, took));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_fixtures::{Harvest, Race, Skirmish};

    fn settings(matches: u32) -> MetricsSettings {
        MetricsSettings {
            matches,
            seed: 4,
            most_actions: 1_000,
        }
    }

    #[test]
    fn what_is_known_of_a_game_is_measured() {
        let rules = Harvest::new(3, 3, 2).unwrap();
        let mut matches = Vec::new();
        let metrics = measure(&rules, &rules.begun().unwrap(), settings(30), &mut |played| matches.push(played)).unwrap();
        // Six squares are taken one after the other: 6, 5, 4, 3, 2, 1 to choose from.
        let expected = Spread {
            least: 1,
            mean: 3.5,
            median: 4,
            greatest: 6,
        };
        assert_eq!(metrics.branching, expected);
        assert_eq!((metrics.length.least, metrics.length.greatest), (6, 6));
        assert_eq!(metrics.endings.values().sum::<u64>(), 30);
        assert!((metrics.seats.iter().sum::<f64>() - 1.5).abs() < 1e-9);
        assert_eq!((metrics.p, matches.len()), (None, 30));
        assert!(metrics.actions_per_second > metrics.matches_per_second);
    }

    #[test]
    fn the_same_seed_measures_the_same_but_for_the_speed() {
        let rules = Race::default();
        let start = Race::start().unwrap();
        let measured = || Metrics {
            actions_per_second: 0.0,
            matches_per_second: 0.0,
            ..measure(&rules, &start, settings(20), &mut |_| {}).unwrap()
        };
        assert_eq!(measured(), measured());
        assert!(measured().p.is_some());
    }

    #[test]
    fn matches_that_do_not_end_are_told_apart_from_draws() {
        let rules = Skirmish::new(4, 4, false).unwrap();
        let short = MetricsSettings {
            most_actions: 3,
            ..settings(5)
        };
        let metrics = measure(&rules, &rules.full().unwrap(), short, &mut |_| {}).unwrap();
        assert_eq!((metrics.endless, metrics.drawn), (1.0, 0.0));
        assert_eq!(metrics.seats, [0.5, 0.5]);
    }
}
