//! Ratings and chances, worked out from results.

/// A rating in Elo points, with the interval in which the true one lies with 95 percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Rating {
    /// The rating; the mean of all is 0.
    pub elo: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// How one player did against another in one match: 1 for being placed before it, 0 for behind it, a half for a shared place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Comparison {
    pub(super) one: usize,
    pub(super) other: usize,
    pub(super) points: f64,
    /// Comparisons of one group (of matches with the same luck, of seats of one match) say less than as many of different groups.
    pub(super) group: u64,
}

/// Elo points for a natural unit of the logistic scale.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;
/// The normal distribution has 95 percent within so many standard deviations.
const NORMAL_95: f64 = 1.959_963_984_540_054;

/// The chance that a fair coin, thrown `won + lost` times, lies at least as unevenly as this: the two-sided sign test. Draws say nothing
/// and are left out. Below 0.05 the difference is hardly luck.
pub fn binomial_p(won: u64, lost: u64) -> f64 {
    share_p(won, won + lost, 0.5)
}

pub(super) fn mean(sum: f64, count: u64) -> f64 {
    if count == 0 { 0.0 } else { sum / count as f64 }
}

/// The interval in which the true part of wins lies in 19 of 20 cases (Wilson), where so many of so many matches were won.
pub fn share_interval(won: u64, matches: u64) -> (f64, f64) {
    const Z: f64 = 1.96;
    if matches == 0 {
        return (0.0, 1.0);
    }
    let (count, part) = (matches as f64, won as f64 / matches as f64);
    let scale = 1.0 + Z * Z / count;
    let middle = (part + Z * Z / (2.0 * count)) / scale;
    let half = Z * (part * (1.0 - part) / count + Z * Z / (4.0 * count * count)).sqrt() / scale;
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

/// The chance that so many wins, or a number as far from what is fair, come about if each match is won with a fair part.
pub fn share_p(won: u64, matches: u64, fair: f64) -> f64 {
    if matches == 0 || fair <= 0.0 || fair >= 1.0 {
        return 1.0;
    }
    // The chance of each number of wins, one from the other in logarithms.
    let step = (fair / (1.0 - fair)).ln();
    let mut log_chance = matches as f64 * (1.0 - fair).ln();
    let (mut below, mut above) = (0.0, 0.0);
    for count in 0..=matches {
        let chance = log_chance.exp();
        if count <= won {
            below += chance;
        }
        if count >= won {
            above += chance;
        }
        log_chance += ((matches - count) as f64).ln() - ((count + 1) as f64).ln() + step;
    }
    (2.0 * f64::min(below, above)).min(1.0)
}

/// Rates players by the logistic model of Elo (Bradley and Terry): the ratings under which these results are likeliest. Each pair that
/// met is taken to have won half a match against each other beside, so that who has won all has a rating too.
///
/// The interval allows for groups: with them, draws and matches that hang together are reckoned as they are.
pub(super) fn rate_comparisons(players: usize, comparisons: &[Comparison]) -> Vec<Rating> {
    let all = with_prior(comparisons);
    let mut natural = vec![0.0; players];
    // Newton's method. The likelihood is concave: it gets there from anywhere, if steps are not too long.
    for _ in 0..200 {
        let (slope, curve) = derivatives(&natural, &all);
        let Some(inverse) = inverse(&curve) else { break };
        let step: Vec<f64> = inverse.iter().map(|row| dot(row, &slope)).collect();
        let longest = step.iter().fold(0.0, |longest: f64, part| longest.max(part.abs()));
        let scale = if longest > 1.0 { 1.0 / longest } else { 1.0 };
        natural.iter_mut().zip(&step).for_each(|(rating, part)| *rating += part * scale);
        let mean = mean(natural.iter().sum(), players as u64);
        for rating in &mut natural {
            *rating -= mean;
        }
        if longest < 1e-12 {
            break;
        }
    }
    let deviations = deviations(&natural, &all);
    let rating = |(natural, deviation): (&f64, f64)| Rating {
        elo: natural * ELO,
        low: (natural - NORMAL_95 * deviation) * ELO,
        high: (natural + NORMAL_95 * deviation) * ELO,
    };
    natural.iter().zip(deviations).map(rating).collect()
}

type Weighed = (Comparison, f64);

fn with_prior(comparisons: &[Comparison]) -> Vec<Weighed> {
    let mut all: Vec<Weighed> = comparisons
        .iter()
        .filter(|one| one.one != one.other)
        .map(|one| (*one, 1.0))
        .collect();
    let mut pairs: Vec<(usize, usize)> = all
        .iter()
        .map(|(one, _)| (one.one.min(one.other), one.one.max(one.other)))
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    let mut group = u64::MAX;
    for (one, other) in pairs {
        for points in [1.0, 0.0] {
            let virtual_one = Comparison { one, other, points, group };
            all.push((virtual_one, 0.5));
            group -= 1;
        }
    }
    all
}

fn chance(natural: &[f64], one: usize, other: usize) -> f64 {
    let of = |player: usize| natural.get(player).copied().unwrap_or(0.0);
    1.0 / (1.0 + (of(other) - of(one)).exp())
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

fn add(vector: &mut [f64], index: usize, value: f64) {
    if let Some(part) = vector.get_mut(index) {
        *part += value;
    }
}

/// The slope of the logarithm of the likelihood, and its curvature, turned positive and made solvable: only differences of ratings show.
fn derivatives(natural: &[f64], all: &[Weighed]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let players = natural.len();
    let mut slope = vec![0.0; players];
    let mut curve = vec![vec![1.0 / players.max(1) as f64; players]; players];
    for (comparison, weight) in all {
        let Comparison { one, other, points, .. } = *comparison;
        let expected = chance(natural, one, other);
        let (pull, bend) = (weight * (points - expected), weight * expected * (1.0 - expected));
        for (player, opponent, pull) in [(one, other, pull), (other, one, -pull)] {
            add(&mut slope, player, pull);
            if let Some(row) = curve.get_mut(player) {
                add(row, player, bend);
                add(row, opponent, -bend);
            }
        }
    }
    (slope, curve)
}

/// The standard deviations of the ratings: the curvature around what groups really scatter (the sandwich of Huber and White).
fn deviations(natural: &[f64], all: &[Weighed]) -> Vec<f64> {
    let players = natural.len();
    let (_, curve) = derivatives(natural, all);
    let Some(inverse) = inverse(&curve) else {
        return vec![f64::INFINITY; players];
    };
    let mut pulls: std::collections::BTreeMap<u64, Vec<f64>> = std::collections::BTreeMap::new();
    for (comparison, weight) in all {
        let pull = weight * (comparison.points - chance(natural, comparison.one, comparison.other));
        let of_group = pulls.entry(comparison.group).or_insert_with(|| vec![0.0; players]);
        add(of_group, comparison.one, pull);
        add(of_group, comparison.other, -pull);
    }
    let variance = |row: &Vec<f64>| pulls.values().map(|pull| dot(row, pull).powi(2)).sum::<f64>();
    inverse.iter().map(|row| variance(row).sqrt()).collect()
}

/// The inverse of a positive definite matrix, by elimination, which needs no search for pivots there. `None` if it is none.
fn inverse(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    let unit = |index: usize| (0..size).map(move |column| if column == index { 1.0 } else { 0.0 });
    let with_unit = |(index, row): (usize, &Vec<f64>)| row.iter().copied().chain(unit(index)).collect();
    let mut rows: Vec<Vec<f64>> = matrix.iter().enumerate().map(with_unit).collect();
    for pivot in 0..size {
        let at = |row: &Vec<f64>| row.get(pivot).copied().unwrap_or(0.0);
        let divisor = rows.get(pivot).map(at).filter(|divisor| *divisor > 1e-12)?;
        let pivot_row: Vec<f64> = rows.get(pivot)?.iter().map(|value| value / divisor).collect();
        for (index, row) in rows.iter_mut().enumerate() {
            if index == pivot {
                row.clone_from(&pivot_row);
            } else {
                let factor = at(row);
                row.iter_mut().zip(&pivot_row).for_each(|(value, pivot)| *value -= factor * pivot);
            }
        }
    }
    Some(rows.into_iter().map(|row| row.into_iter().skip(size).collect()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_test_agrees_with_counting_all_throws() {
        // Out of 2^n series of throws those at least as uneven, counted one by one.
        for (won, lost) in [(0, 0), (1, 0), (3, 3), (8, 2), (2, 8), (10, 0), (11, 5), (9, 7)] {
            let (count, fewer) = (won + lost, won.min(lost));
            let series = 0_u32..1 << count;
            let uneven = series
                .filter(|throws| u64::from(throws.count_ones().min(count as u32 - throws.count_ones())) <= fewer)
                .count();
            let expected = uneven as f64 / f64::from(1_u32 << count);
            assert!(
                (binomial_p(won, lost) - expected).abs() < 1e-9,
                "{won}:{lost}: {} and {expected}",
                binomial_p(won, lost)
            );
        }
        // Worked out with exact fractions: min(1, 2 * sum(Fraction(comb(n, i), 2 ** n) for i in range(min(won, lost) + 1))) in Python.
        let exact = [
            (60, 40, 0.056_887_933_640_98),
            (560, 440, 1.650_498_705_504_53e-4),
            (5_200, 4_800, 6.593_515_598_672_44e-5),
        ];
        for (won, lost, expected) in exact {
            assert!(
                (binomial_p(won, lost) / expected - 1.0).abs() < 1e-9,
                "{won}:{lost}: {}",
                binomial_p(won, lost)
            );
        }
    }

    fn two(results: &[f64]) -> Vec<Comparison> {
        let comparison = |(group, points): (usize, &f64)| Comparison {
            one: 0,
            other: 1,
            points: *points,
            group: group as u64,
        };
        results.iter().enumerate().map(comparison).collect()
    }

    #[test]
    fn between_two_players_it_is_the_formula_for_one_share() {
        let results: Vec<f64> = [vec![1.0; 60], vec![0.5; 25], vec![0.0; 15]].concat();
        let ratings = rate_comparisons(2, &two(&results));
        // By hand: the share with half a win and half a loss added, its variance, and the slope of the logistic curve there.
        let (count, sum) = (results.len() as f64 + 1.0, results.iter().sum::<f64>() + 0.5);
        let share = sum / count;
        let difference = 400.0 * (share / (1.0 - share)).log10();
        assert!((ratings[0].elo - ratings[1].elo - difference).abs() < 1e-6);
        assert!((ratings[0].elo + ratings[1].elo).abs() < 1e-6);
        let squares: f64 =
            results.iter().map(|points| (points - share).powi(2)).sum::<f64>() + 0.25 * ((1.0 - share).powi(2) + share.powi(2));
        let deviation_of_share = squares.sqrt() / count;
        let deviation = 400.0 / std::f64::consts::LN_10 * deviation_of_share / (share * (1.0 - share));
        // Each of the two has half the difference, and half its deviation.
        let width = ratings[0].high - ratings[0].elo;
        assert!((width - 1.959_964 * deviation / 2.0).abs() < 1e-4, "{width}");
        assert!((ratings[0].elo - ratings[0].low - width).abs() < 1e-9);
    }

    #[test]
    fn the_interval_holds_the_truth_nineteen_times_of_twenty() {
        use boardwright_rules::Generator;
        let mut generator = Generator::new(11);
        let truth = 120.0;
        let chance = 1.0 / (1.0 + 10_f64.powf(-truth / 400.0));
        let mut held = 0;
        for _ in 0..400 {
            let results: Vec<f64> = (0..150)
                .map(|_| {
                    if f64::from(generator.below(1 << 30)) < chance * f64::from(1 << 30) {
                        1.0
                    } else {
                        0.0
                    }
                })
                .collect();
            let rating = rate_comparisons(2, &two(&results))[0];
            held += i32::from((rating.low..rating.high).contains(&(truth / 2.0)));
        }
        // 380 of 400 are expected, with a standard deviation of 4.4.
        assert!((365..=395).contains(&held), "{held} of 400");
    }

    #[test]
    fn matches_that_hang_together_widen_the_interval() {
        let alone: Vec<Comparison> = two(&[1.0, 1.0, 1.0, 0.0].repeat(20));
        let mut grouped = alone.clone();
        // Twenty groups of four equal results say as much as twenty matches.
        for (index, comparison) in grouped.iter_mut().enumerate() {
            comparison.group = index as u64 / 4;
            comparison.points = if index / 4 % 4 == 3 { 0.0 } else { 1.0 };
        }
        let width = |comparisons: &[Comparison]| {
            let rating = rate_comparisons(2, comparisons)[0];
            rating.high - rating.low
        };
        assert!((width(&grouped) / width(&alone) - 2.0).abs() < 0.1);
    }

    #[test]
    fn three_players_are_rated_as_the_results_were_made() {
        // 100 matches of each pair, as ratings of 100, 0 and -100 would have them on the average.
        let share = |difference: f64| 1.0 / (1.0 + 10_f64.powf(-difference / 400.0));
        let mut comparisons = Vec::new();
        for (one, other, difference) in [(0, 1, 100.0), (1, 2, 100.0), (0, 2, 200.0)] {
            for group in 0..1_000 {
                let points = if f64::from(group) < 1_000.0 * share(difference) { 1.0 } else { 0.0 };
                comparisons.push(Comparison {
                    one,
                    other,
                    points,
                    group: group as u64 + 10_000 * one as u64 + 1_000_000 * other as u64,
                });
            }
        }
        let ratings = rate_comparisons(3, &comparisons);
        for (rating, expected) in ratings.iter().zip([100.0, 0.0, -100.0]) {
            assert!((rating.elo - expected).abs() < 1.0, "{rating:?}");
            assert!(rating.low < expected && expected < rating.high);
        }
    }

    #[test]
    fn who_has_won_everything_has_a_rating_with_a_wide_interval() {
        let ratings = rate_comparisons(2, &two(&[1.0; 20]));
        assert!(ratings[0].elo > 200.0 && ratings[0].elo.is_finite());
        assert!(ratings[0].low < ratings[0].elo - 100.0, "{ratings:?}");
        assert!(rate_comparisons(3, &[]).iter().all(|rating| rating.elo.abs() < 1e-9));
    }

    #[test]
    fn shares_of_wins_are_compared_with_what_is_fair() {
        let (low, high) = share_interval(60, 100);
        assert!((low - 0.502).abs() < 0.001 && (high - 0.691).abs() < 0.001, "{low} {high}");
        assert_eq!(share_interval(0, 0), (0.0, 1.0));
        // With a fair half it is the sign test.
        assert!((share_p(60, 100, 0.5) - binomial_p(60, 40)).abs() < 1e-9);
        // 50 of 100 where a third is fair: 0.00067 of the numbers of wins are so high.
        let p = share_p(50, 100, 1.0 / 3.0);
        assert!((p - 2.0 * 0.000_43).abs() < 0.000_3, "{p}");
        assert!(share_p(33, 100, 1.0 / 3.0) > 0.9);
    }
}
