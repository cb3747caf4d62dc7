//! Who plays whom, where, how often, and with which luck.

use std::fmt;
use std::str::FromStr;

use itertools::Itertools as _;
use serde::{Deserialize, Serialize};

use super::Contestant;
use boardwright_players::Budget;

/// What an arena plays. Two arenas with equal plans play the same matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The scenarios.
    pub scenarios: Vec<PlannedScenario>,
    /// The players, by their words.
    pub players: Vec<Contestant>,
    /// How many matches each line-up plays in each scenario; as many more as it takes for everyone to sit everywhere equally often.
    pub matches: u32,
    /// Who sits at a table together, as indexes of the players; a player may be named several times. Without any all players meet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<Vec<usize>>,
    /// The seed of all luck.
    pub seed: u64,
    /// How much players may think.
    pub allowance: Allowance,
}

/// A scenario of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedScenario {
    /// The ruleset and the scenario, as `ruleset/scenario`.
    pub id: String,
    /// The fingerprint of the rules.
    pub rules: String,
    /// The names of the seats.
    pub seats: Vec<String>,
    /// The options that differ from the scenario's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<(String, String)>,
}

/// How much players may think about one choice. With no limit at all it is what their levels say, in nodes and simulations and not in time, so
/// that matches can be repeated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Allowance {
    /// In milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub milliseconds: Option<u64>,
    /// The most nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The most simulations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simulations: Option<u64>,
}

impl Allowance {
    /// The budget of one choice.
    pub fn budget(&self) -> Budget {
        let budget = Budget {
            time: self.milliseconds.map(std::time::Duration::from_millis),
            nodes: self.nodes,
            simulations: self.simulations,
            ..Budget::unlimited()
        };
        if budget.is_unlimited() { Budget::of_level() } else { budget }
    }
}

/// One match to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchJob {
    /// Its number in the plan, from 0.
    pub number: u64,
    /// Matches with the same luck, in which the players of a line-up change seats, belong to one group.
    pub group: u64,
    /// The scenario, an index of the plan.
    pub scenario: usize,
    /// Who sits where: for each seat the index of a player.
    pub seats: Vec<usize>,
    /// The seed of the match.
    pub seed: u64,
}

impl MatchJob {
    /// The seed of the luck of whoever sits at a seat. A player has the same luck wherever it sits, and other luck than the others.
    pub fn player_seed(&self, seat: usize) -> u64 {
        let player = self.seats.get(seat).copied().unwrap_or(0) as u64;
        // Where one player holds several seats each has luck of its own.
        let copy = self.seats.iter().take(seat).filter(|other| **other as u64 == player).count() as u64;
        mix(self.seed, 0x7061_7473 + (player << 16) + copy)
    }
}

/// A part of a plan, for one of several machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Which part, from 1.
    pub index: u64,
    /// How many parts there are.
    pub of: u64,
}

impl Shard {
    /// The plan as a whole.
    pub const WHOLE: Self = Self { index: 1, of: 1 };

    /// Whether a match belongs to this part. Matches of one group stay together.
    pub fn has(&self, job: &MatchJob) -> bool {
        job.group % self.of == self.index - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text
            .split_once('/')
            .and_then(|(index, of)| Some((index.trim().parse().ok()?, of.trim().parse().ok()?)));
        match parts {
            Some((index, of)) if (1..=of).contains(&index) => Ok(Self { index, of }),
            _ => Err(format!("`{text}` is no part: write the part and how many there are, as in 2/8")),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// A plan that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// No players are named.
    #[error("no players are named")]
    NoPlayers,
    /// People cannot play in an arena.
    #[error("people cannot play in an arena: name computer players")]
    People,
    /// No scenario is named.
    #[error("no scenario is named")]
    NoScenario,
    /// A table does not fit a scenario.
    #[error("a line-up of {named} players does not fit {scenario}, which has {seats} seats")]
    Table {
        /// How many players are named.
        named: usize,
        /// The scenario.
        scenario: String,
        /// How many seats it has.
        seats: usize,
    },
    /// There would be too many matches.
    #[error("{0} matches are too many: there may be {most}", most = Plan::MOST_MATCHES)]
    TooMany(u64),
}

impl Plan {
    /// The most matches of a plan.
    pub const MOST_MATCHES: u64 = 10_000_000;

    /// All matches of the plan, in the order in which they are played: everyone has played about as often at any time.
    ///
    /// # Errors
    /// If it cannot be played.
    pub fn match_jobs(&self) -> Result<Vec<MatchJob>, PlanError> {
        if self.players.is_empty() {
            return Err(PlanError::NoPlayers);
        }
        if self.players.iter().any(|contestant| contestant.player.is_human()) {
            return Err(PlanError::People);
        }
        if self.scenarios.is_empty() {
            return Err(PlanError::NoScenario);
        }
        let line_ups = self
            .scenarios
            .iter()
            .map(|scenario| self.line_ups(scenario))
            .collect::<Result<Vec<Vec<Seatings>>, _>>()?;
        let rounds = |line_up: &Seatings| u64::from(self.matches).div_ceil(line_up.len() as u64);
        let all = line_ups
            .iter()
            .flatten()
            .map(|line_up| rounds(line_up) * line_up.len() as u64)
            .sum();
        if all > Self::MOST_MATCHES {
            return Err(PlanError::TooMany(all));
        }
        let most_rounds = line_ups.iter().flatten().map(rounds).max().unwrap_or(0);
        let mut match_jobs = Vec::with_capacity(all as usize);
        let mut group = 0;
        for round in 0..most_rounds {
            for (scenario, line_ups) in line_ups.iter().enumerate() {
                for (index, line_up) in line_ups.iter().enumerate().filter(|(_, line_up)| round < rounds(line_up)) {
                    // Line-ups that are named are there to be compared: they play with the same luck.
                    let own = if self.tables.is_empty() { index as u64 } else { 0 };
                    let seed = [scenario as u64, own, round].into_iter().fold(self.seed, mix);
                    for seats in line_up {
                        match_jobs.push(MatchJob {
                            number: match_jobs.len() as u64,
                            group,
                            scenario,
                            seats: seats.clone(),
                            // Seeds of matches are written down, and read again by programs that know whole numbers up to 2^53.
                            seed: seed >> 12,
                        });
                    }
                    group += 1;
                }
            }
        }
        Ok(match_jobs)
    }

    /// A player of the plan, by its word.
    pub(super) fn player_name(&self, player: usize) -> String {
        self.players.get(player).map(ToString::to_string).unwrap_or_default()
    }

    /// The line-ups of a scenario. Where no tables are named and there are as many players as seats, or fewer, it is all of them, each at as
    /// many seats as the others or one more; with more players every selection of them.
    fn line_ups(&self, scenario: &PlannedScenario) -> Result<Vec<Seatings>, PlanError> {
        let (players, seats) = (self.players.len(), scenario.seats.len().max(1));
        if let Some(table) = self.tables.iter().find(|table| table.len() != seats) {
            return Err(PlanError::Table {
                named: table.len(),
                scenario: scenario.id.clone(),
                seats,
            });
        }
        Ok(if self.tables.is_empty() {
            let selections = (0..players).combinations(players.min(seats));
            selections.map(|table| turning(&table, seats)).collect()
        } else {
            self.tables.iter().map(|table| turning(table, seats)).collect()
        })
    }
}

/// The ways in which the players of a table sit there.
type Seatings = Vec<Vec<usize>>;

/// A table that sits down once for every player named, moved on by one seat each time. Where the same players would sit in the same seats again
/// they do not: with the same luck they would play the same match.
fn turning(table: &[usize], seats: usize) -> Seatings {
    let seating = |turn| table.iter().copied().cycle().skip(turn).take(seats).collect();
    (0..table.len()).map(seating).unique().collect()
}

fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd6e8_feb8_6659_fd93);
    let folded = (product as u64) ^ ((product >> 64) as u64);
    folded ^ (folded >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(players: usize, seats: usize, matches: u32) -> Plan {
        Plan {
            scenarios: vec![PlannedScenario {
                id: "some/standard".to_owned(),
                rules: String::new(),
                seats: (0..seats).map(|seat| seat.to_string()).collect(),
                options: Vec::new(),
            }],
            players: ["random", "greedy", "search:1", "search:2", "search:3"]
                .iter()
                .take(players)
                .map(|word| word.parse().unwrap())
                .collect(),
            matches,
            tables: Vec::new(),
            seed: 7,
            allowance: Allowance::default(),
        }
    }

    #[test]
    fn everyone_sits_everywhere_equally_often_with_the_same_luck() {
        for (players, seats) in [(2, 2), (5, 2), (3, 4), (2, 4), (4, 4), (5, 3), (1, 2)] {
            let match_jobs = plan(players, seats, 10).match_jobs().unwrap();
            let mut counts = vec![vec![0; seats]; players];
            for job in &match_jobs {
                assert_eq!(job.seats.len(), seats);
                for (seat, player) in job.seats.iter().enumerate() {
                    counts[*player][seat] += 1;
                }
                let mates: Vec<_> = match_jobs.iter().filter(|other| other.group == job.group).collect();
                assert!(mates.iter().all(|mate| mate.seed == job.seed));
                assert_eq!(mates.len(), players.min(seats), "one match for each player at the table");
            }
            let first = counts[0][0];
            assert!(
                counts.iter().flatten().all(|count| *count == first),
                "{players} players, {seats} seats: {counts:?}"
            );
            assert!(match_jobs.iter().enumerate().all(|(index, job)| job.number == index as u64));
        }
    }

    #[test]
    fn a_player_has_the_same_luck_wherever_it_sits() {
        let match_jobs = plan(2, 2, 2).match_jobs().unwrap();
        let [one, other] = match_jobs.as_slice() else {
            panic!("{match_jobs:?}")
        };
        assert_eq!(
            (one.seats.as_slice(), other.seats.as_slice()),
            ([0, 1].as_slice(), [1, 0].as_slice())
        );
        assert_eq!(one.player_seed(0), other.player_seed(1));
        assert_ne!(one.player_seed(0), one.player_seed(1));
        let alone = &plan(1, 2, 1).match_jobs().unwrap()[0];
        assert_ne!(alone.player_seed(0), alone.player_seed(1), "two seats of one player");
    }

    #[test]
    fn the_parts_of_a_plan_are_the_whole_and_keep_groups_together() {
        let plan = plan(3, 2, 20);
        let match_jobs = plan.match_jobs().unwrap();
        let mut seen = Vec::new();
        for index in 1..=4 {
            let shard: Shard = format!("{index}/4").parse().unwrap();
            let part: Vec<_> = match_jobs.iter().filter(|job| shard.has(job)).collect();
            assert!(part.len() >= 12);
            seen.extend(part.iter().map(|job| job.number));
        }
        seen.sort_unstable();
        assert_eq!(seen, (0..60).collect::<Vec<_>>());
        for wrong in ["0/4", "5/4", "1", "a/b", "1/0"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_line_up_that_is_named_sits_down_in_every_order_of_turns() {
        let with = |table: &[usize], seats| Plan {
            tables: vec![table.to_vec()],
            ..plan(2, seats, 3)
        };
        let seatings: Vec<_> = with(&[0, 1, 1], 3).match_jobs().unwrap().into_iter().map(|job| job.seats).collect();
        assert_eq!(seatings, [[0, 1, 1], [1, 1, 0], [1, 0, 1]]);
        let alike: Vec<_> = with(&[0, 1, 0, 1], 4)
            .match_jobs()
            .unwrap()
            .into_iter()
            .map(|job| (job.seats, job.group))
            .collect();
        let (one, other) = (vec![0, 1, 0, 1], vec![1, 0, 1, 0]);
        assert_eq!(
            alike,
            [(one.clone(), 0), (other.clone(), 0), (one, 1), (other, 1)],
            "no match twice"
        );
        let error = with(&[0, 1], 3).match_jobs().unwrap_err();
        assert_eq!(
            error.to_string(),
            "a line-up of 2 players does not fit some/standard, which has 3 seats"
        );
    }

    #[test]
    fn seeds_differ_from_group_to_group_and_with_the_seed_of_the_plan() {
        let seeds = |seed| {
            let plan = Plan { seed, ..plan(2, 2, 1_000) };
            let mut seeds: Vec<u64> = plan.match_jobs().unwrap().iter().map(|job| job.seed).collect();
            seeds.sort_unstable();
            seeds.dedup();
            seeds
        };
        assert_eq!(seeds(1).len(), 500);
        assert!(seeds(1).iter().all(|seed| !seeds(2).contains(seed)));
    }

    #[test]
    fn what_can_not_be_played_is_said() {
        let with = |word: &str| Plan {
            players: vec![word.parse().unwrap()],
            ..plan(1, 2, 1)
        };
        assert_eq!(with("human").match_jobs(), Err(PlanError::People));
        assert_eq!(plan(0, 2, 1).match_jobs(), Err(PlanError::NoPlayers));
        assert!(matches!(plan(2, 2, u32::MAX).match_jobs(), Err(PlanError::TooMany(_))));
    }
}
