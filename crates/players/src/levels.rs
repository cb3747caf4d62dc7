//! The levels of players that search, in one table.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Budget;
use boardwright_rules::Generator;

/// How strong a player plays, 1 for a beginner to 9 for all it can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Level(u8);

/// What a level means. Budgets in nodes and simulations, not in time: a level plays alike on every machine. The time is there so that nobody
/// waits for ever where rules are slow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skill {
    /// The most nodes of a searching player for one choice.
    pub nodes: u64,
    /// The most simulations of a Monte Carlo player for one choice.
    pub simulations: u64,
    /// The longest time for one choice, where the budget of the choice sets no limit of its own.
    pub time: Duration,
    /// In how many of a hundred choices the player blunders (epsilon): it takes any of the better half of the actions instead of the best.
    pub blunder_percent: u32,
}

/// Level by level. Blunders rather than noise on the scores make the low levels weak: points mean something else in every
/// ruleset, a share of the actions does not. A blunder never misses a win that comes with the action itself.
///
/// The numbers are such that each level takes 60 to 80 % of the points from the one below where they were measured, in the
/// arena (docs/performance.md, "Levels"). The highest makes use of whatever it is given, or of its time; its numbers are for the arena alone.
const SKILLS: [Skill; 9] = [
    skill(200, 100, 1_000, 70),
    skill(200, 100, 1_000, 45),
    skill(200, 100, 1_000, 25),
    skill(300, 150, 1_500, 22),
    skill(350, 180, 1_500, 15),
    skill(420, 260, 2_000, 7),
    skill(600, 400, 2_500, 2),
    skill(1_100, 1_000, 3_000, 0),
    skill(3_000, 3_000, 3_000, 0),
];

const fn skill(nodes: u64, simulations: u64, time_ms: u64, blunder_percent: u32) -> Skill {
    Skill {
        nodes,
        simulations,
        time: Duration::from_millis(time_ms),
        blunder_percent,
    }
}

impl Level {
    /// The lowest.
    pub const LOWEST: Self = Self(1);
    /// The highest: it makes use of whatever it is given.
    pub const HIGHEST: Self = Self(9);

    /// All levels, the lowest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (Self::LOWEST.0..=Self::HIGHEST.0).map(Self)
    }

    /// The level of a number from 1 to 9.
    pub fn new(number: u8) -> Option<Self> {
        (Self::LOWEST.0..=Self::HIGHEST.0).contains(&number).then_some(Self(number))
    }

    /// The number.
    pub fn number(self) -> u8 {
        self.0
    }

    /// What the level means.
    pub fn skill(self) -> Skill {
        let index = usize::from(self.0 - Self::LOWEST.0);
        let [.., highest] = SKILLS;
        SKILLS.get(index).copied().unwrap_or(highest)
    }

    /// A budget of a searching player within this level. The nodes of a level hold whatever else is limited, but for the highest,
    /// which makes use of all it is given. The time of a level only holds where the budget has no limit at all, so that any other limit gives
    /// the same choice on every machine.
    pub(super) fn within(self, budget: &Budget) -> Budget {
        let mut within = self.within_time(budget);
        if !self.uses_all(budget) {
            within.nodes = Some(budget.nodes.unwrap_or(u64::MAX).min(self.skill().nodes));
        }
        within
    }

    /// The same for a Monte Carlo player.
    pub(super) fn within_simulations(self, budget: &Budget) -> Budget {
        let mut within = self.within_time(budget);
        if !self.uses_all(budget) {
            within.simulations = Some(budget.simulations.unwrap_or(u64::MAX).min(self.skill().simulations));
        }
        within
    }

    /// Whether a player of this level blunders at its next choice.
    pub(super) fn blunders(self, generator: &mut Generator) -> bool {
        generator.below(100) < self.skill().blunder_percent
    }

    fn within_time(self, budget: &Budget) -> Budget {
        let time = if budget.is_unlimited() {
            Some(self.skill().time)
        } else {
            budget.time
        };
        Budget { time, ..budget.clone() }
    }

    fn uses_all(self, budget: &Budget) -> bool {
        self == Self::HIGHEST && !budget.is_of_level()
    }
}

impl Default for Level {
    /// The middle one.
    fn default() -> Self {
        Self(5)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl TryFrom<u8> for Level {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        Self::new(number).ok_or_else(|| format!("{number} is no level: levels go from {} to {}", Self::LOWEST, Self::HIGHEST))
    }
}

impl From<Level> for u8 {
    fn from(level: Level) -> Self {
        level.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_level_never_looks_at_less_nor_blunders_more_often() {
        let skills: Vec<Skill> = Level::all().map(Level::skill).collect();
        for pair in skills.windows(2) {
            assert!(pair[0].nodes <= pair[1].nodes && pair[0].simulations <= pair[1].simulations);
            assert!(pair[0].time <= pair[1].time);
            assert!(pair[0].blunder_percent >= pair[1].blunder_percent);
            assert_ne!(pair[0], pair[1]);
        }
        assert_eq!(skills.len(), 9);
        assert_eq!(skills[8].blunder_percent, 0);
    }

    #[test]
    fn the_time_of_a_level_gives_way_to_any_limit_of_the_budget_but_its_size_holds() {
        let level = Level::default();
        let skill = level.skill();
        assert_eq!(level.within(&Budget::unlimited()).time, Some(skill.time));
        assert_eq!(level.within(&Budget::of_level()).time, None);
        assert_eq!(level.within(&Budget::of_level()).nodes, Some(skill.nodes));
        assert_eq!(level.within(&Budget::nodes(1)).nodes, Some(1));
        let short = Budget::time(Duration::from_millis(1));
        assert_eq!(level.within(&short).time, short.time);
        assert_eq!(level.within(&short).nodes, Some(skill.nodes));
        assert_eq!(level.within_simulations(&Budget::of_level()).simulations, Some(skill.simulations));
        assert_eq!(level.within_simulations(&Budget::simulations(1)).simulations, Some(1));
    }

    #[test]
    fn the_highest_level_makes_use_of_all_it_is_given() {
        let (level, most) = (Level::HIGHEST, Level::HIGHEST.skill());
        assert_eq!(level.within(&Budget::time(Duration::from_mins(1))).nodes, None);
        assert_eq!(level.within(&Budget::nodes(1 << 40)).nodes, Some(1 << 40));
        assert_eq!(level.within_simulations(&Budget::simulations(1 << 40)).simulations, Some(1 << 40));
        assert_eq!(level.within(&Budget::of_level()).nodes, Some(most.nodes));
        assert_eq!(level.within_simulations(&Budget::of_level()).simulations, Some(most.simulations));
        let alone = level.within(&Budget::unlimited());
        assert_eq!((alone.nodes, alone.time), (None, Some(most.time)));
    }
}
