//! The levels of players that search, in one table.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Budget;

/// How strong a player plays, 1 for a beginner to 9 for all it can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Level(u8);

/// What a level means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skill {
    /// The greatest number of actions looked ahead; `None` for as many as the time allows.
    pub depth: Option<u32>,
    /// The longest time for one choice, where the budget of the choice sets no limit of its own.
    pub time: Duration,
    /// In how many of a hundred choices the player slips: it takes any of the better half of the actions instead of the best.
    pub slips_percent: u32,
}

/// Level by level. Slips rather than noise on the scores make the low levels weak: points mean something else in every
/// ruleset, a share of the actions does not. Slips never miss a win that comes with the action itself.
const SKILLS: [Skill; 9] = [
    skill(Some(1), 1_000, 60),
    skill(Some(1), 1_000, 30),
    skill(Some(2), 1_000, 30),
    skill(Some(2), 1_500, 10),
    skill(Some(3), 1_500, 5),
    skill(Some(4), 2_000, 0),
    skill(Some(6), 3_000, 0),
    skill(Some(9), 4_000, 0),
    skill(None, 5_000, 0),
];

const fn skill(depth: Option<u32>, time_ms: u64, slips_percent: u32) -> Skill {
    Skill {
        depth,
        time: Duration::from_millis(time_ms),
        slips_percent,
    }
}

impl Level {
    /// The lowest.
    pub const LOWEST: Self = Self(1);
    /// The highest: as deep as the time allows.
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

    /// A budget within this level. The depth of the level always holds; its time only where the budget has no limit of
    /// depth, nodes or time, so that a budget in depth or nodes gives the same choice on every machine.
    pub(super) fn within(self, budget: &Budget) -> Budget {
        let skill = self.skill();
        Budget {
            time: if budget.is_unlimited() { Some(skill.time) } else { budget.time },
            depth: match (skill.depth, budget.depth) {
                (Some(own), Some(given)) => Some(own.min(given)),
                (own, given) => own.or(given),
            },
            nodes: budget.nodes,
            interrupt: budget.interrupt.clone(),
        }
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
    fn a_higher_level_never_looks_less_far_nor_slips_more_often() {
        let skills: Vec<Skill> = Level::all().map(Level::skill).collect();
        for pair in skills.windows(2) {
            let depth = |skill: &Skill| skill.depth.unwrap_or(u32::MAX);
            assert!(depth(&pair[0]) <= depth(&pair[1]));
            assert!(pair[0].time <= pair[1].time);
            assert!(pair[0].slips_percent >= pair[1].slips_percent);
            assert_ne!(pair[0], pair[1]);
        }
        assert_eq!(skills.len(), 9);
        assert_eq!((skills[8].depth, skills[8].slips_percent), (None, 0));
    }

    #[test]
    fn the_time_of_a_level_gives_way_to_any_limit_of_the_budget() {
        let level = Level::default();
        assert_eq!(level.within(&Budget::unlimited()).time, Some(level.skill().time));
        assert_eq!(level.within(&Budget::nodes(100)).time, None);
        let short = Budget::time(Duration::from_millis(1));
        assert_eq!(level.within(&short).time, short.time);
        assert_eq!(level.within(&Budget::depth(1)).depth, Some(1));
        assert_eq!(level.within(&Budget::depth(50)).depth, level.skill().depth);
    }
}
