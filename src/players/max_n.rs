//! The player that looks ahead among any number of seats, through luck, and past what is hidden: max-n, paranoid, expectimax.
//!
//! Deeper and deeper until the budget is spent. Where an action draws, every result is looked at and weighed by its probability; where
//! there are too many, some. Where something is hidden several states that may be behind the view are looked at, and what they say of
//! an action is averaged.

use std::sync::Arc;
use std::time::Duration;

use smallvec::SmallVec;

use super::budget::{SharedBudget, Stop};
use super::expectimax::Expectimax;
use super::iterative_deepening::{DepthSearch, RootAction, deepen, root_actions};
use super::value::CERTAIN;
use super::{Budget, Choice, Level, Player, PlayerError, Thinking};
use crate::model::{SeatId, State};
use crate::rules::{Generator, Rejection, Rules, imagine};

/// What a seat takes the others to be after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpponentModel {
    /// Each seat does what is best for itself (max-n).
    SelfInterested,
    /// All others do what is worst for the seat that thinks (paranoid).
    Paranoid,
    /// Between two seats the other is against the one that thinks; among more, each does what is best for itself.
    BySeats,
}

/// Looks ahead by any rules.
#[derive(Debug)]
pub struct MaxN {
    level: Level,
    opponents: OpponentModel,
    name: &'static str,
    generator: Generator,
}

impl MaxN {
    /// How many states behind a view are looked at.
    const WORLDS: usize = 6;
    /// The greatest number of actions looked ahead.
    const DEEPEST: u32 = 60;

    /// A player of a level. The seed gives it its luck.
    pub fn new(level: Level, opponents: OpponentModel, seed: u64) -> Self {
        let name = match opponents {
            OpponentModel::SelfInterested => "maxn",
            OpponentModel::Paranoid => "paranoid",
            OpponentModel::BySeats => "expectimax",
        };
        Self {
            level,
            opponents,
            name,
            generator: Generator::new(seed),
        }
    }

    /// The states that may be behind what the seat sees.
    fn worlds(&mut self, rules: &dyn Rules, state: &Arc<State>, seat: SeatId) -> Result<SmallVec<[Arc<State>; 6]>, Rejection> {
        let mut worlds = SmallVec::new();
        for _ in 0..Self::WORLDS {
            match imagine(rules, state, seat, &mut self.generator)? {
                Some(world) if state.may_hide() => worlds.push(world),
                _ => break,
            }
        }
        if worlds.is_empty() {
            worlds.push(Arc::clone(state));
        }
        Ok(worlds)
    }
}

/// Searches of the states that may be behind what the seat sees.
struct Worlds<'a> {
    searches: Vec<Expectimax<'a>>,
    shared: &'a SharedBudget,
}

impl DepthSearch for Worlds<'_> {
    fn search_to(&mut self, actions: &mut Vec<RootAction>, depth: u32, needs_all: bool, best: &mut Choice) -> Result<(), Stop> {
        for search in &mut self.searches {
            search.met_horizon = false;
        }
        let mut first: Option<(usize, i64)> = None;
        let mut result = Ok(());
        let is_alone = self.searches.len() == 1;
        'all: for (index, root) in actions.iter_mut().enumerate() {
            let (mut sum, mut count) = (0, 0);
            let mut line = Vec::new();
            let penalty = i64::from(root.penalty);
            for search in &mut self.searches {
                // Only what beats the best so far matters, where nothing is averaged.
                let floor = first.filter(|_| is_alone && !needs_all).map(|(_, value)| value - penalty);
                match search.try_root(&root.action, depth, floor, &mut line) {
                    Ok(Some(value)) => {
                        sum += value;
                        count += 1;
                    }
                    Ok(None) => {}
                    Err(stop) => {
                        result = Err(stop);
                        break 'all;
                    }
                }
            }
            if count == 0 {
                root.value = i64::MIN / 2;
                continue;
            }
            let value = sum / count;
            root.value = if value.abs() >= i64::from(CERTAIN) {
                value
            } else {
                value + penalty
            };
            if first.is_none_or(|(_, most)| root.value > most) {
                first = Some((index, root.value));
                best.action = root.action.clone();
                best.score = root.value;
                best.line.clear();
                best.line.push(root.action.clone());
                best.line.append(&mut line);
            }
        }
        if let Some((first, _)) = first
            && let Some(head) = actions.get_mut(..=first)
        {
            head.rotate_right(1);
        }
        result
    }

    fn met_horizon(&self) -> bool {
        self.searches.iter().any(|search| search.met_horizon)
    }

    fn nodes(&self) -> u64 {
        self.shared.nodes()
    }

    fn elapsed(&self) -> Duration {
        self.shared.elapsed()
    }
}

impl Player for MaxN {
    fn name(&self) -> String {
        format!("{}:{}", self.name, self.level)
    }

    fn choose(
        &mut self,
        rules: &dyn Rules,
        state: &Arc<State>,
        seat: SeatId,
        budget: &Budget,
        report: &mut dyn FnMut(&Thinking),
    ) -> Result<Choice, PlayerError> {
        let budget = self.level.within(budget);
        let shared = budget.shared();
        let is_blunder = self.level.blunders(&mut self.generator);
        let actions = root_actions(rules, state, seat, &mut self.generator)?;
        let Some(first) = actions.first() else {
            return Err(PlayerError::no_action(state, seat));
        };
        let mut choice = Choice {
            score: rules.score(state, seat)?,
            elapsed: shared.elapsed(),
            ..Choice::of(first.action.clone())
        };
        if actions.len() == 1 {
            return Ok(choice);
        }
        let worlds = self.worlds(rules, state, seat)?;
        let is_paranoid = match self.opponents {
            OpponentModel::SelfInterested => false,
            OpponentModel::Paranoid => true,
            OpponentModel::BySeats => state.frame().seats.len() == 2,
        };
        let generator = &mut self.generator;
        let search = |world: &Arc<State>| Expectimax::new(rules, world, seat, is_paranoid, shared.for_thread(), generator.next_seed());
        let mut search = Worlds {
            searches: worlds.iter().map(search).collect(),
            shared: &shared,
        };
        let most = budget.depth.unwrap_or(u32::MAX).min(Self::DEEPEST);
        let generator = is_blunder.then_some(generator);
        deepen(&mut search, actions, (&budget, most), generator, &mut choice, report)?;
        // What the searches have claimed of the budget and not used is given back first.
        drop(search);
        choice.nodes = shared.nodes();
        choice.elapsed = shared.elapsed();
        Ok(choice)
    }
}
