//! Max-n and paranoid search, with chance nodes (expectimax): for any number of seats, with luck, and where something is hidden.
//!
//! Deepens iteratively until the budget is spent. Where an action draws, every result is searched and weighed by its probability; where
//! there are too many, a sample. Where something is hidden the state is determinized several times, and the values of an action are
//! averaged.

use std::sync::Arc;

use smallvec::SmallVec;

use super::expectimax::Worlds;
use super::iterative_deepening::{deepen, root_actions};
use super::{Choice, Decision, Level, Player, PlayerError, Thinking, value};
use boardwright_model::{Evaluation, Rejection, SeatId, State};
use boardwright_rules::{Generator, Rules, determinize};

/// What a seat assumes the others to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpponentModel {
    /// Each seat does what is best for itself (max-n).
    SelfInterested,
    /// All others do what is worst for the seat that thinks (paranoid).
    Paranoid,
    /// Between two seats the other is against the one that thinks; among more, each does what is best for itself.
    BySeats,
}

/// Searches by any rules.
#[derive(Debug)]
pub struct MaxN {
    level: Level,
    opponents: OpponentModel,
    name: &'static str,
    generator: Generator,
}

impl MaxN {
    /// How many determinizations of a view are searched.
    const WORLDS: usize = 6;
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

    fn worlds(&mut self, rules: &dyn Rules, state: &Arc<State>, seat: SeatId) -> Result<SmallVec<[Arc<State>; 6]>, Rejection> {
        let mut worlds = SmallVec::new();
        for _ in 0..Self::WORLDS {
            match determinize(rules, state, seat, &mut self.generator)? {
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

impl Player for MaxN {
    fn name(&self) -> String {
        format!("{}:{}", self.name, self.level)
    }

    fn choose(&mut self, decision: Decision<'_>, report: &mut dyn FnMut(&Thinking)) -> Result<Choice, PlayerError> {
        let Decision {
            rules,
            state,
            seat,
            budget,
        } = decision;
        let budget = self.level.within(budget);
        let shared = budget.shared();
        let is_blunder = self.level.blunders(&mut self.generator);
        let actions = root_actions(rules, state, seat, &mut self.generator)?;
        let Some(first) = actions.first() else {
            return Err(PlayerError::no_action(state, seat));
        };
        let mut choice = Choice {
            evaluation: Some(Evaluation::Points(value::of_state(rules, state, seat)?)),
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
            OpponentModel::BySeats => state.declarations().seats.len() == 2,
        };
        let mut search = Worlds::new(rules, &worlds, (seat, is_paranoid), &shared, &mut self.generator);
        let most = budget.depth.unwrap_or(u32::MAX).min(Self::DEEPEST);
        let generator = is_blunder.then_some(&mut self.generator);
        deepen(&mut search, actions, (&budget, most), generator, &mut choice, report)?;
        // What the searches have claimed of the budget and not used is given back first.
        drop(search);
        choice.nodes = shared.nodes();
        choice.elapsed = shared.elapsed();
        Ok(choice)
    }
}
