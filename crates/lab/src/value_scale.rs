//! The scale at which leads in a ruleset's `value` predict results best. Chess programs fit the scaling constant of
//! their evaluation to finished games in the same way.

use boardwright_host::Match;
use boardwright_model::{SeatId, chance_of_lead};

/// A position of a match that has ended, as the seat to act saw it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueSample {
    /// What the rules gave as its value.
    pub lead: i64,
    /// How many seats had not been eliminated.
    pub seats_left: usize,
    /// What became of the seat: 1 for winning alone, a part of it where the first place was shared, 0 otherwise.
    pub won: f64,
}

/// The positions of a match that has ended at which somebody acted; none if its rules evaluate no states.
///
/// # Errors
/// If the match cannot be gone through again, or its rules fail.
pub fn value_samples(playing: &Match) -> Result<Vec<ValueSample>, String> {
    let Some(outcome) = playing.state().outcome() else {
        return Ok(Vec::new());
    };
    let seats = playing.state().declarations().all_seats();
    let is_first = |seat: SeatId| outcome.places.get(seat.index()) == Some(&1);
    let winners = seats.iter().filter(|seat| is_first(*seat)).count().max(1);
    let mut past = playing.branch();
    let mut samples = Vec::new();
    for position in (0..playing.journal().position()).rev() {
        past.go_to(position).map_err(|error| error.to_string())?;
        let Some(seat) = past.state().acting().first() else { continue };
        let view = past.view(Some(seat)).map_err(|error| error.to_string())?;
        let lead = past
            .rules()
            .guidance()
            .value(&view, seat)
            .map_err(|rejection| rejection.to_string())?;
        let Some(lead) = lead else { return Ok(Vec::new()) };
        samples.push(ValueSample {
            lead,
            seats_left: seats.iter().filter(|seat| !view.eliminated().contains(*seat)).count(),
            won: if is_first(seat) { 1.0 / winners as f64 } else { 0.0 },
        });
    }
    Ok(samples)
}

/// The lead that triples the odds of winning, fitted to what became of such leads by greatest likelihood. `None` where leads foretell nothing:
/// there are none, or who leads does not win more often.
pub fn fit_value_scale(samples: &[ValueSample]) -> Option<u32> {
    const MOST: f64 = u32::MAX as f64;
    // The likelihood is concave in the inverse of the scale, and so has one peak along its logarithm.
    let (mut low, mut high) = (0.0, MOST.ln());
    for _ in 0..100 {
        let (one, other) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if log_likelihood(samples, one.exp()) < log_likelihood(samples, other.exp()) {
            low = one;
        } else {
            high = other;
        }
    }
    let scale = low.exp().round();
    let is_told = log_likelihood(samples, scale) > log_likelihood(samples, MOST) + 1.0;
    (is_told && (1.0..MOST).contains(&scale)).then_some(scale as u32)
}

fn log_likelihood(samples: &[ValueSample], scale: f64) -> f64 {
    let of_sample = |sample: &ValueSample| {
        let chance = chance_of_lead(sample.lead as f64 / scale, sample.seats_left).clamp(1e-9, 1.0 - 1e-9);
        sample.won * chance.ln() + (1.0 - sample.won) * (1.0 - chance).ln()
    };
    samples.iter().map(of_sample).sum()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use boardwright_fixtures::Rows;
    use boardwright_model::Policy;
    use boardwright_rules::Generator;

    /// So many positions whose results follow a scale.
    fn drawn(scale: f64, seats_left: usize) -> Vec<ValueSample> {
        let mut generator = Generator::new(7);
        let mut sample = |_| {
            let lead = i64::from(generator.below(2_001)) - 1_000;
            let chance = chance_of_lead(lead as f64 / scale, seats_left);
            let won = f64::from(generator.below(1_000_000)) < chance * 1_000_000.0;
            ValueSample {
                lead,
                seats_left,
                won: f64::from(u8::from(won)),
            }
        };
        (0..20_000).map(&mut sample).collect()
    }

    #[test]
    fn the_scale_by_which_results_were_drawn_is_found() {
        for (scale, seats) in [(300.0, 2), (300.0, 4), (40.0, 3)] {
            let found = f64::from(fit_value_scale(&drawn(scale, seats)).unwrap());
            assert!((found / scale - 1.0).abs() < 0.06, "{scale} among {seats}: {found}");
        }
    }

    #[test]
    fn leads_that_foretell_nothing_have_no_scale() {
        let turned = |sample: ValueSample| ValueSample {
            lead: -sample.lead,
            ..sample
        };
        let against: Vec<ValueSample> = drawn(300.0, 2).into_iter().map(turned).collect();
        assert_eq!((fit_value_scale(&against), fit_value_scale(&[])), (None, None));
    }

    #[test]
    fn every_position_of_a_match_is_a_sample() {
        let rules = Rows::new(3, 3, 3);
        let start = boardwright_model::State::clone(&rules.begun("").unwrap());
        let mut playing = Match::begin(Arc::new(rules), start, 5, Policy::default()).unwrap();
        assert_eq!(value_samples(&playing), Ok(Vec::new()), "it has not ended");
        let mut generator = Generator::new(3);
        while let Some(seat) = playing.state().acting().first() {
            let legal = boardwright_rules::flow::legal(playing.rules(), playing.state(), seat).unwrap();
            let action = &legal[generator.below(legal.len() as u32) as usize];
            playing.submit(action, playing.journal().position()).unwrap();
        }
        let samples = value_samples(&playing).unwrap();
        assert_eq!(samples.len(), playing.journal().position());
        let won = samples.iter().filter(|sample| sample.won > 0.5).count();
        assert!(won > 0 && won < samples.len(), "{won} of {}", samples.len());
    }
}
