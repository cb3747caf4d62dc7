//! One strategy with several settings, compared where they played the same matches.

use std::collections::BTreeMap;

use serde::Serialize;

use super::statistics::{binomial_p, mean, share_interval};
use super::{Plan, Record};
use boardwright_players::PlayerSpec;

/// How a strategy with some settings did beside the first one of that name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariantLine {
    /// The strategy with its settings.
    pub player: String,
    /// The one it is compared with.
    pub base: String,
    /// How many matches both played with the same luck against the same others.
    pub matches: u64,
    /// Which part of them it won alone.
    pub share: f64,
    /// Where the true part may well begin.
    pub low: f64,
    /// Where it may well end.
    pub high: f64,
    /// How many it won that the other did not.
    pub better: u64,
    /// How many the other won that it did not.
    pub worse: u64,
    /// How likely such a difference is if both are equally strong: the sign test over the matches that came out differently.
    pub p: f64,
}

/// A match but for which variant played: scenario, seed, and who sat where.
type PairingKey = (usize, u64, Vec<usize>);

/// Compares players that are one strategy with several settings. Those that met no like match are left out.
pub fn variants<'a>(plan: &Plan, records: &(impl Iterator<Item = &'a Record> + Clone)) -> Vec<VariantLine> {
    let mut families: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, contestant) in plan.players.iter().enumerate() {
        if let PlayerSpec::Strategy { name, .. } = &contestant.player {
            families.entry(name).or_default().push(index);
        }
    }
    let mut found = Vec::new();
    for family in families.values().filter(|family| family.len() > 1) {
        let results: Vec<BTreeMap<PairingKey, bool>> = family.iter().map(|player| results_of(*player, records.clone())).collect();
        let Some((base, first)) = family.first().zip(results.first()) else {
            continue;
        };
        for (player, own) in family.iter().zip(&results) {
            let line = compare(own, first);
            if line.matches > 0 {
                found.push(VariantLine {
                    player: plan.player_name(*player),
                    base: plan.player_name(*base),
                    ..line
                });
            }
        }
    }
    if found.len() > 1 { found } else { Vec::new() }
}

/// Whether a player won each match it took part in, by what the match is like without it.
fn results_of<'a>(player: usize, records: impl Iterator<Item = &'a Record>) -> BTreeMap<PairingKey, bool> {
    let own = records.filter(|record| record.seats.iter().any(|seat| seat.player == player));
    let result = |record: &Record| {
        let seats = record
            .seats
            .iter()
            .map(|seat| if seat.player == player { usize::MAX } else { seat.player });
        ((record.scenario, record.seed, seats.collect()), record.is_won_by(player))
    };
    own.map(result).collect()
}

fn compare(own: &BTreeMap<PairingKey, bool>, base: &BTreeMap<PairingKey, bool>) -> VariantLine {
    let (mut matches, mut won, mut better, mut worse) = (0, 0, 0, 0);
    for (key, has_won) in own {
        let Some(other) = base.get(key) else { continue };
        matches += 1;
        won += u64::from(*has_won);
        better += u64::from(*has_won && !other);
        worse += u64::from(!has_won && *other);
    }
    let (low, high) = share_interval(won, matches);
    VariantLine {
        player: String::new(),
        base: String::new(),
        matches,
        share: mean(won as f64, matches),
        low,
        high,
        better,
        worse,
        p: binomial_p(better, worse),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Allowance, PlannedScenario};

    #[test]
    fn variants_are_compared_match_by_match() {
        let plan = Plan {
            scenarios: vec![PlannedScenario {
                id: "some/standard".to_owned(),
                rules: String::new(),
                seats: vec!["red".to_owned(), "blue".to_owned()],
                options: Vec::new(),
            }],
            players: ["calm", "calm+patience=9", "random"]
                .iter()
                .map(|word| word.parse().unwrap())
                .collect(),
            matches: 20,
            tables: vec![vec![0, 2], vec![1, 2]],
            seed: 1,
            allowance: Allowance::default(),
        };
        let records: Vec<Record> = plan
            .match_jobs()
            .unwrap()
            .iter()
            .map(|job| {
                let mut record = Record::before(job);
                // The second wins whenever the first does, and five times more.
                let own = job.seats.iter().position(|player| *player != 2).unwrap();
                let wins = if job.seats.contains(&0) { job.seed % 4 == 0 } else { true };
                record.seats[own].place = if wins { 1 } else { 2 };
                record.seats[1 - own].place = if wins { 2 } else { 1 };
                record
            })
            .collect();
        let lines = variants(&plan, &records.iter());
        let [base, other] = lines.as_slice() else { panic!("{lines:?}") };
        assert_eq!((base.better, base.worse, base.matches), (0, 0, 20));
        assert_eq!((other.player.as_str(), other.base.as_str()), ("calm+patience=9", "calm"));
        let lost = 20 - (base.share * 20.0).round() as u64;
        assert_eq!((other.better, other.worse, other.share), (lost, 0, 1.0));
        assert!((other.p - binomial_p(lost, 0)).abs() < 1e-12);
    }
}
