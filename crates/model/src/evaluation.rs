//! How good a position is for a seat, as computer players find it.

use serde::{Deserialize, Serialize};

/// The score of a match won at once. Every action on the way there takes one off, so that the shortest way is preferred.
pub const WIN: i32 = 1_000_000_000;

/// Scores beyond this one are those of ends that are certain.
pub const CERTAIN: i32 = WIN - 1_000;

/// No lead is that great, in units of the value scale: it is a mean over luck, with certain ends among what it is the mean of.
const FARTHEST_LEAD: f64 = 30.0;

/// How good a position is for a seat, as a computer player finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Evaluation {
    /// Its lead, in points of the ruleset's `value`; 0 where the seats are level.
    Points(i64),
    /// How likely it is to win, a draw counting half, in thousandths.
    Chance(u16),
    /// It wins with this many more actions, of all seats together.
    WinsIn(u32),
    /// It loses within this many more actions, of all seats together.
    LosesIn(u32),
}

impl Evaluation {
    /// Reads the score of a search: points, or [`WIN`] less the actions until a certain end, the same below 0 for a loss.
    ///
    /// ```
    /// # use boardwright_model::{Evaluation, WIN};
    /// assert_eq!(Evaluation::of_score(-12), Evaluation::Points(-12));
    /// assert_eq!(Evaluation::of_score(i64::from(WIN) - 3), Evaluation::WinsIn(3));
    /// ```
    pub fn of_score(score: i64) -> Self {
        let ahead = (i64::from(WIN) - score.abs()).max(0) as u32;
        match score {
            _ if score.abs() < i64::from(CERTAIN) => Self::Points(score),
            1.. => Self::WinsIn(ahead),
            _ => Self::LosesIn(ahead),
        }
    }

    /// Points as a chance of winning among so many seats: a lead of `value_scale` triples the odds, and without a lead all seats are alike.
    /// It is the model by which chess programs fit their evaluations to results (the Elo formula with odds of three for a step in place of
    /// ten), between more than two seats with odds of one against the rest.
    ///
    /// ```
    /// # use boardwright_model::Evaluation;
    /// assert_eq!(Evaluation::Points(200).as_chance(200, 2), Evaluation::Chance(750));
    /// assert_eq!(Evaluation::Points(0).as_chance(200, 4), Evaluation::Chance(250));
    /// assert_eq!(Evaluation::WinsIn(2).as_chance(200, 2), Evaluation::WinsIn(2));
    /// ```
    #[must_use]
    pub fn as_chance(self, value_scale: u32, seats: usize) -> Self {
        let Self::Points(points) = self else { return self };
        let lead = points as f64 / f64::from(value_scale.max(1));
        let chance = if lead.abs() < FARTHEST_LEAD {
            chance_of_lead(lead, seats)
        } else {
            let (level, certain) = (chance_of_lead(0.0, seats), (points as f64 / f64::from(WIN)).clamp(-1.0, 1.0));
            level + certain * if certain > 0.0 { 1.0 - level } else { level }
        };
        Self::Chance((chance * 1_000.0).round() as u16)
    }
}

/// The leads of seats as their chances of winning, in thousandths that add up to a thousand; rounded, so by a few more or less. A lead of
/// `value_scale` triples the odds, as in [`Evaluation::as_chance`]: with two seats whose leads are opposite it gives the same.
///
/// ```
/// # use boardwright_model::chances_of_leads;
/// assert_eq!(chances_of_leads(&[200, -200], 200), [750, 250]);
/// assert_eq!(chances_of_leads(&[0, 0, 0, 0], 200), [250; 4]);
/// ```
pub fn chances_of_leads(leads: &[i64], value_scale: u32) -> Vec<u16> {
    let lead = |points: &i64| (*points as f64 / f64::from(value_scale.max(1))).clamp(-FARTHEST_LEAD, FARTHEST_LEAD);
    let chances: Vec<f64> = leads.iter().map(|points| chance_of_lead(lead(points), leads.len())).collect();
    let whole: f64 = chances.iter().sum();
    chances.iter().map(|chance| (chance / whole * 1_000.0).round() as u16).collect()
}

/// How likely a seat is to win with a lead, in units of the value scale, among so many seats; from 0 to 1.
pub fn chance_of_lead(lead: f64, seats: usize) -> f64 {
    let others = seats.saturating_sub(1).max(1) as f64;
    1.0 / (1.0 + others * 3f64.powf(-lead))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_stay_between_never_and_always() {
        let chance = |points| Evaluation::Points(points).as_chance(1, 3);
        assert_eq!(
            (chance(i64::MIN), chance(i64::MAX)),
            (Evaluation::Chance(0), Evaluation::Chance(1_000))
        );
    }

    #[test]
    fn a_mean_with_certain_ends_counts_them_as_often_as_they_come() {
        let chance = |wins: i64| Evaluation::Points(i64::from(WIN) / 10 * wins).as_chance(200, 2);
        assert_eq!((chance(1), chance(-4)), (Evaluation::Chance(550), Evaluation::Chance(300)));
    }

    #[test]
    fn the_chances_of_two_seats_add_up() {
        for lead in [0.0, 0.3, 1.0, 7.0] {
            assert!((chance_of_lead(lead, 2) + chance_of_lead(-lead, 2) - 1.0).abs() < 1e-12);
        }
    }
}
