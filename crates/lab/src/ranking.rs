//! What the matches of an arena say about its players and its seats.

use std::collections::BTreeMap;

use serde::Serialize;

use super::statistics::{Comparison, Rating, binomial_p, mean, rate_comparisons, share_interval, share_p};
use super::{Plan, Record, VariantLine, variants};

/// The table of an arena.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranking {
    /// How many matches have a result.
    pub matches: u64,
    /// How many have none, because rules or players failed.
    pub failed: u64,
    /// Why, the first time.
    pub failure: Option<String>,
    /// The players, in the order of the plan.
    pub players: Vec<PlayerLine>,
    /// What part of the matches each player won, in the order of the plan.
    pub shares: Vec<ShareLine>,
    /// Strategies with several settings, each beside the first of its name.
    pub variants: Vec<VariantLine>,
    /// Each two players that met.
    pub pairs: Vec<PairLine>,
    /// The scenarios, in the order of the plan.
    pub scenarios: Vec<ScenarioLine>,
}

/// What is found about a player.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PlayerLine {
    /// The player, by its word.
    pub player: String,
    /// How many seats it has had.
    pub matches: u64,
    /// How often it came first alone.
    pub won: u64,
    /// How often it shared the first place.
    pub drawn: u64,
    /// How often it did not come first.
    pub lost: u64,
    /// The mean part of the others that it left behind, 0 to 1.
    pub points: f64,
    /// Its rating.
    pub rating: Rating,
    /// The mean time of a choice, in milliseconds.
    pub milliseconds: f64,
    /// The mean number of nodes of a choice.
    pub nodes: f64,
    /// How many choices were made in its place.
    pub replaced: u64,
    /// Why, the first time.
    pub mishap: Option<String>,
}

/// What part of the matches a player won that it took part in, with however many seats.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShareLine {
    /// The player, by its word.
    pub player: String,
    /// How many matches it took part in.
    pub matches: u64,
    /// How many of them one of its seats won alone.
    pub won: u64,
    /// Which part of them that is.
    pub share: f64,
    /// Where the true part may well begin (19 of 20 times it lies in the interval).
    pub low: f64,
    /// Where it may well end.
    pub high: f64,
    /// What it would be if all were equally strong: its part of the seats.
    pub fair: f64,
    /// How likely so great a difference from that is if all are equally strong.
    pub p: f64,
}

/// What is found about two players.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairLine {
    /// One of them.
    pub one: String,
    /// The other.
    pub other: String,
    /// How often the one was placed before the other.
    pub won: u64,
    /// How often they shared a place.
    pub drawn: u64,
    /// How often the one was placed behind the other.
    pub lost: u64,
    /// How likely such a difference is if the two are equally strong.
    pub p: f64,
}

/// What is found about a scenario.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScenarioLine {
    /// The ruleset and the scenario.
    pub id: String,
    /// How many matches have a result.
    pub matches: u64,
    /// How many were drawn.
    pub drawn: u64,
    /// The mean number of actions.
    pub actions: f64,
    /// The time of the processor that a match takes, in milliseconds: half of the matches take less.
    pub median_milliseconds: f64,
    /// The seats.
    pub seats: Vec<SeatLine>,
    /// How likely the seats differ so much if none has an advantage; between two seats only.
    pub p: Option<f64>,
}

/// What is found about a seat.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeatLine {
    /// Its name.
    pub seat: String,
    /// How often whoever sat there came first alone.
    pub won: u64,
    /// The mean part of the others that it left behind.
    pub points: f64,
    /// By how much that is more than an equal share.
    pub advantage: f64,
}

impl Ranking {
    /// The table of what was played.
    pub fn of<'a>(plan: &Plan, records: impl Iterator<Item = &'a Record> + Clone) -> Self {
        let counted = records.clone().filter(|record| record.failure.is_none());
        let failures: Vec<&Record> = records.filter(|record| record.failure.is_some()).collect();
        let comparisons = comparisons(counted.clone());
        let ratings = rate_comparisons(plan.players.len(), &comparisons);
        let players = plan.players.iter().zip(ratings).enumerate();
        Self {
            matches: counted.clone().count() as u64,
            failed: failures.len() as u64,
            failure: failures.first().and_then(|record| record.failure.clone()),
            players: players
                .map(|(index, (spec, rating))| player_line(index, spec.to_string(), rating, counted.clone()))
                .collect(),
            shares: (0..plan.players.len())
                .map(|index| share_line(plan, index, counted.clone()))
                .collect(),
            variants: variants(plan, &counted),
            pairs: pairs(plan, &comparisons),
            scenarios: (0..plan.scenarios.len())
                .map(|index| scenario_line(plan, index, counted.clone()))
                .collect(),
        }
    }
}

fn comparisons<'a>(records: impl Iterator<Item = &'a Record>) -> Vec<Comparison> {
    let mut found = Vec::new();
    for record in records {
        for (index, one) in record.seats.iter().enumerate() {
            for other in record.seats.iter().skip(index + 1).filter(|other| other.player != one.player) {
                found.push(Comparison {
                    one: one.player,
                    other: other.player,
                    points: match other.place.cmp(&one.place) {
                        std::cmp::Ordering::Greater => 1.0,
                        std::cmp::Ordering::Equal => 0.5,
                        std::cmp::Ordering::Less => 0.0,
                    },
                    group: record.group,
                });
            }
        }
    }
    found
}

fn player_line<'a>(index: usize, player: String, rating: Rating, records: impl Iterator<Item = &'a Record>) -> PlayerLine {
    let mut line = PlayerLine {
        player,
        rating,
        ..PlayerLine::default()
    };
    let (mut choices, mut microseconds, mut nodes, mut points) = (0, 0, 0, 0.0);
    for record in records {
        for (seat, own) in record.seats.iter().enumerate().filter(|(_, seat)| seat.player == index) {
            line.matches += 1;
            match (own.place, record.is_drawn()) {
                (1, false) => line.won += 1,
                (1, true) => line.drawn += 1,
                _ => line.lost += 1,
            }
            points += record.points(seat);
            choices += u64::from(own.choices);
            microseconds += own.microseconds;
            nodes += own.nodes;
            line.replaced += u64::from(own.replaced);
            line.mishap = line.mishap.take().or_else(|| own.mishap.clone());
        }
    }
    line.points = mean(points, line.matches);
    line.milliseconds = mean(microseconds as f64 / 1_000.0, choices);
    line.nodes = mean(nodes as f64, choices);
    line
}

fn share_line<'a>(plan: &Plan, index: usize, records: impl Iterator<Item = &'a Record>) -> ShareLine {
    let (mut matches, mut won, mut fair) = (0, 0, 0.0);
    for record in records {
        let seats = record.seats.iter().filter(|seat| seat.player == index).count();
        if seats == 0 {
            continue;
        }
        matches += 1;
        fair += seats as f64 / record.seats.len() as f64;
        won += u64::from(record.is_won_by(index));
    }
    let fair = mean(fair, matches);
    let (low, high) = share_interval(won, matches);
    ShareLine {
        player: plan.player_name(index),
        matches,
        won,
        share: mean(won as f64, matches),
        low,
        high,
        fair,
        p: share_p(won, matches, fair),
    }
}

fn pairs(plan: &Plan, comparisons: &[Comparison]) -> Vec<PairLine> {
    let mut counts: BTreeMap<(usize, usize), [u64; 3]> = BTreeMap::new();
    for comparison in comparisons {
        let (pair, points) = if comparison.one < comparison.other {
            ((comparison.one, comparison.other), comparison.points)
        } else {
            ((comparison.other, comparison.one), 1.0 - comparison.points)
        };
        let [won, drawn, lost] = counts.entry(pair).or_default();
        match points {
            0.75.. => *won += 1,
            0.25.. => *drawn += 1,
            _ => *lost += 1,
        }
    }
    let line = |((one, other), [won, drawn, lost]): ((usize, usize), [u64; 3])| PairLine {
        one: plan.player_name(one),
        other: plan.player_name(other),
        won,
        drawn,
        lost,
        p: binomial_p(won, lost),
    };
    counts.into_iter().map(line).collect()
}

fn scenario_line<'a>(plan: &Plan, index: usize, records: impl Iterator<Item = &'a Record>) -> ScenarioLine {
    let scenario = plan.scenarios.get(index);
    let names = scenario.map(|scenario| scenario.seats.as_slice()).unwrap_or_default();
    let records: Vec<&Record> = records.filter(|record| record.scenario == index).collect();
    let matches = records.len() as u64;
    let seats: Vec<SeatLine> = names
        .iter()
        .enumerate()
        .map(|(seat, name)| {
            let is_sole_first = |record: &&&Record| !record.is_drawn() && record.seats.get(seat).is_some_and(|own| own.place == 1);
            let points = mean(records.iter().map(|record| record.points(seat)).sum(), matches);
            SeatLine {
                seat: name.clone(),
                won: records.iter().filter(is_sole_first).count() as u64,
                points,
                advantage: if matches == 0 { 0.0 } else { points - 0.5 },
            }
        })
        .collect();
    ScenarioLine {
        id: scenario.map(|scenario| scenario.id.clone()).unwrap_or_default(),
        matches,
        drawn: records.iter().filter(|record| record.is_drawn()).count() as u64,
        actions: mean(records.iter().map(|record| f64::from(record.actions)).sum(), matches),
        median_milliseconds: median(records.iter().map(|record| record.microseconds).collect()) / 1_000.0,
        p: match seats.as_slice() {
            [first, second] => Some(binomial_p(first.won, second.won)),
            _ => None,
        },
        seats,
    }
}

fn median(mut numbers: Vec<u64>) -> f64 {
    numbers.sort_unstable();
    let middle = numbers.len() / 2;
    let at = |index: usize| numbers.get(index).copied().unwrap_or(0) as f64;
    if numbers.len() % 2 == 1 {
        at(middle)
    } else {
        f64::midpoint(at(middle.saturating_sub(1)), at(middle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Allowance, PlannedScenario};

    fn plan(players: &[&str], seats: usize) -> Plan {
        Plan {
            scenarios: vec![PlannedScenario {
                id: "some/standard".to_owned(),
                rules: String::new(),
                seats: (0..seats).map(|seat| format!("seat {seat}")).collect(),
                options: Vec::new(),
            }],
            players: players.iter().map(|word| word.parse().unwrap()).collect(),
            matches: 12,
            tables: Vec::new(),
            seed: 1,
            allowance: Allowance::default(),
        }
    }

    /// Matches of a plan, each with the places that a function of who sits where gives.
    fn records(plan: &Plan, places: impl Fn(usize, &[usize]) -> Vec<u8>) -> Vec<Record> {
        let match_jobs = plan.match_jobs().unwrap();
        let record = |(index, job): (usize, &crate::MatchJob)| {
            let mut record = Record::before(job);
            record.actions = 10 + index as u32;
            for (seat, place) in record.seats.iter_mut().zip(places(index, &job.seats)) {
                seat.place = place;
                seat.choices = 5;
                seat.microseconds = 10_000;
            }
            record
        };
        match_jobs.iter().enumerate().map(record).collect()
    }

    #[test]
    fn wins_draws_and_losses_are_counted_for_players_and_seats() {
        let plan = plan(&["greedy", "random"], 2);
        // The first player wins from the first seat, and draws from the second.
        let records = records(&plan, |_, seats| if seats[0] == 0 { vec![1, 2] } else { vec![1, 1] });
        let ranking = Ranking::of(&plan, records.iter());
        let [greedy, random] = ranking.players.as_slice() else { panic!() };
        assert_eq!((greedy.won, greedy.drawn, greedy.lost), (6, 6, 0));
        assert_eq!((random.won, random.drawn, random.lost), (0, 6, 6));
        assert!((greedy.points - 0.75).abs() < 1e-9 && (greedy.milliseconds - 2.0).abs() < 1e-9);
        assert!(greedy.rating.elo > 0.0 && (greedy.rating.elo + random.rating.elo).abs() < 1e-6);
        let scenario = &ranking.scenarios[0];
        assert_eq!((scenario.drawn, scenario.seats[0].won, scenario.seats[1].won), (6, 6, 0));
        assert!((scenario.seats[0].advantage - 0.25).abs() < 1e-9);
        assert!((scenario.actions - 15.5).abs() < 1e-9);
        assert_eq!(scenario.p, Some(binomial_p(6, 0)));
        let pair = &ranking.pairs[0];
        assert_eq!((pair.won, pair.drawn, pair.lost), (6, 6, 0));
    }

    #[test]
    fn among_many_seats_every_two_players_are_compared() {
        let plan = plan(&["greedy", "random", "search:1"], 3);
        // Always in the order of the plan.
        let records = records(&plan, |_, seats| seats.iter().map(|player| *player as u8 + 1).collect());
        let ranking = Ranking::of(&plan, records.iter());
        assert_eq!(ranking.pairs.len(), 3);
        assert!(ranking.pairs.iter().all(|pair| (pair.won, pair.lost) == (12, 0)));
        let points: Vec<f64> = ranking.players.iter().map(|player| player.points).collect();
        assert_eq!(points, [1.0, 0.5, 0.0]);
        assert!(ranking.players.windows(2).all(|two| two[0].rating.elo > two[1].rating.elo));
        assert!(ranking.scenarios[0].seats.iter().all(|seat| seat.advantage.abs() < 1e-9));
    }

    #[test]
    fn the_share_of_matches_won_is_compared_with_the_share_of_seats() {
        let plan = Plan {
            tables: vec![vec![0, 1, 1]],
            ..plan(&["greedy", "random"], 3)
        };
        // The one wins half of the matches against two.
        let records = records(&plan, |index, seats| {
            let winner = index % 2;
            let first = seats.iter().position(|player| *player == winner).unwrap();
            (0..3).map(|seat| if seat == first { 1 } else { 2 }).collect()
        });
        let ranking = Ranking::of(&plan, records.iter());
        let [one, two] = ranking.shares.as_slice() else { panic!() };
        assert_eq!((one.matches, one.won, two.matches, two.won), (12, 6, 12, 6));
        assert!((one.fair - 1.0 / 3.0).abs() < 1e-9 && (two.fair - 2.0 / 3.0).abs() < 1e-9);
        assert!((one.share - 0.5).abs() < 1e-9 && one.low < 0.5 && one.high > 0.5 && one.p > 0.05);
    }

    #[test]
    fn a_match_without_a_result_counts_for_nobody() {
        let plan = plan(&["greedy", "random"], 2);
        let mut records = records(&plan, |_, _| vec![1, 2]);
        records[3].failure = Some("rules.rhai:3:1: no".to_owned());
        let ranking = Ranking::of(&plan, records.iter());
        assert_eq!((ranking.matches, ranking.failed), (11, 1));
        assert_eq!(ranking.failure.as_deref(), Some("rules.rhai:3:1: no"));
        assert_eq!(ranking.players[0].matches, 11);
    }
}
