//! The player that looks ahead among any number of seats, through luck, and past what is hidden: max-n, paranoid, expectimax.
//!
//! Deeper and deeper until the budget is spent. Where an action draws, every result is looked at and weighed by its probability; where
//! there are too many, some. Where something is hidden several states that may be behind the view are looked at, and what they say of
//! an action is averaged.

use std::sync::Arc;

use smallvec::SmallVec;

use super::ahead::{Lookout, Stop};
use super::worth::{self, CERTAIN, WIN};
use super::{Budget, Choice, Level, Player, PlayerError, Thinking};
use crate::model::{Action, SeatId, State};
use crate::rules::{Generator, Rejection, Rules, flow, imagine};

/// What a seat takes the others to be after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stance {
    /// Each seat does what is best for itself (max-n).
    OwnGood,
    /// All others do what is worst for the seat that thinks (paranoid).
    AllAgainstOne,
    /// Between two seats the other is against the one that thinks; among more, each does what is best for itself.
    ByRules,
}

/// Looks ahead by any rules.
#[derive(Debug)]
pub struct Foresight {
    level: Level,
    stance: Stance,
    name: &'static str,
    generator: Generator,
}

/// What is found out about an action.
struct Prospect {
    action: Action,
    /// What the rules take off its worth.
    markdown: i64,
    worth: i64,
    line: Vec<Action>,
}

impl Foresight {
    /// How many states behind a view are looked at.
    const WORLDS: usize = 6;
    /// The greatest number of actions looked ahead.
    const DEEPEST: u32 = 60;

    /// A player of a level. The seed gives it its luck.
    pub fn new(level: Level, stance: Stance, seed: u64) -> Self {
        let name = match stance {
            Stance::OwnGood => "maxn",
            Stance::AllAgainstOne => "paranoid",
            Stance::ByRules => "expectimax",
        };
        Self {
            level,
            stance,
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

    /// The actions to choose from, in a random order but for the hints of the rules.
    fn prospects(&mut self, rules: &dyn Rules, state: &Arc<State>, seat: SeatId) -> Result<Vec<Prospect>, Rejection> {
        let mut found: Vec<(i64, Prospect)> = Vec::new();
        for action in flow::considered(rules, state, seat)? {
            let hint = i64::from(worth::of_points(rules.order(state, &action)?.unwrap_or(0)));
            let place = self.generator.below(found.len() as u32 + 1) as usize;
            found.push((
                hint,
                Prospect {
                    line: vec![action.clone()],
                    action,
                    markdown: hint.min(0),
                    worth: 0,
                },
            ));
            let last = found.len() - 1;
            found.swap(place, last);
        }
        found.sort_by_key(|(hint, _)| std::cmp::Reverse(*hint));
        Ok(found.into_iter().map(|(_, prospect)| prospect).collect())
    }
}

/// Looks at all prospects to a depth and puts the best first, the others behind it in their order. Gives false if none could be looked
/// at. Broken off, those looked at stand before the others: the first was the best of the depth before.
fn deepen(lookouts: &mut [Lookout<'_>], prospects: &mut [Prospect], depth: u32, needs_all: bool) -> (bool, Result<(), Stop>) {
    let mut best: Option<(usize, i64)> = None;
    let mut result = Ok(());
    'all: for (index, prospect) in prospects.iter_mut().enumerate() {
        let (mut sum, mut count) = (0, 0);
        let mut line = Vec::new();
        let is_alone = lookouts.len() == 1;
        for lookout in lookouts.iter_mut() {
            // Only what beats the best so far matters, where nothing is averaged.
            let floor = best.filter(|_| is_alone && !needs_all).map(|(_, worth)| worth - prospect.markdown);
            match lookout.try_root(&prospect.action, depth, floor, &mut line) {
                Ok(Some(worth)) => {
                    sum += worth;
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
            prospect.worth = i64::MIN / 2;
            continue;
        }
        let worth = sum / count;
        prospect.worth = if worth.abs() >= i64::from(CERTAIN) {
            worth
        } else {
            worth + prospect.markdown
        };
        if best.is_none_or(|(_, most)| prospect.worth > most) {
            best = Some((index, prospect.worth));
            prospect.line.truncate(1);
            prospect.line.append(&mut line);
        }
    }
    let Some((first, _)) = best else { return (false, result) };
    if let Some(head) = prospects.get_mut(..=first) {
        head.rotate_right(1);
    }
    (true, result)
}

impl Player for Foresight {
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
        let pool = budget.pool();
        let is_slip = self.generator.below(100) < self.level.skill().slips_percent;
        let mut prospects = self.prospects(rules, state, seat)?;
        let Some(first) = prospects.first() else {
            return Err(PlayerError::no_action(state, seat));
        };
        let mut choice = Choice {
            action: first.action.clone(),
            line: first.line.clone(),
            score: rules.score(state, seat)?,
            depth: 0,
            nodes: 0,
            elapsed: pool.elapsed(),
            instead_of: None,
            thoughts: Vec::new(),
        };
        if prospects.len() == 1 {
            return Ok(choice);
        }
        let worlds = self.worlds(rules, state, seat)?;
        let is_paranoid = match self.stance {
            Stance::OwnGood => false,
            Stance::AllAgainstOne => true,
            Stance::ByRules => state.frame().seats.len() == 2,
        };
        let generator = &mut self.generator;
        let lookout = |world: &Arc<State>| Lookout::new(rules, world, seat, is_paranoid, pool.share(), generator.next_seed());
        let mut lookouts: Vec<Lookout<'_>> = worlds.iter().map(lookout).collect();
        let most = budget.depth.unwrap_or(u32::MAX).min(Self::DEEPEST);
        let mut failure = None;
        for depth in 1..=most {
            for lookout in &mut lookouts {
                lookout.met_horizon = false;
            }
            let (found, result) = deepen(&mut lookouts, &mut prospects, depth, is_slip);
            if let Some(best) = prospects.first().filter(|_| found) {
                choice.action = best.action.clone();
                choice.score = best.worth;
                choice.line.clone_from(&best.line);
            }
            match result {
                Ok(()) => choice.depth = depth,
                Err(Stop::Spent) => break,
                Err(Stop::Rejected(rejection)) => {
                    failure = Some(*rejection);
                    break;
                }
            }
            report(&Thinking {
                score: choice.score,
                depth,
                nodes: pool.nodes(),
                line: choice.line.clone(),
                elapsed: pool.elapsed(),
            });
            let is_certain = choice.score.abs() >= i64::from(CERTAIN) && i64::from(WIN) - choice.score.abs() <= i64::from(depth);
            let met_horizon = lookouts.iter().any(|lookout| lookout.met_horizon);
            let is_late = budget.time.is_some_and(|time| pool.elapsed() > time.mul_f32(0.6));
            if is_certain || !met_horizon || is_late {
                break;
            }
        }
        drop(lookouts);
        if let Some(rejection) = failure {
            return Err(rejection.into());
        }
        if is_slip && choice.depth > 0 && choice.score < i64::from(WIN) - 1 {
            prospects.sort_by_key(|prospect| std::cmp::Reverse(prospect.worth));
            let better_half = prospects.len().div_ceil(2);
            let slip = prospects.swap_remove(self.generator.below(better_half as u32) as usize);
            choice.line = vec![slip.action.clone()];
            choice.score = slip.worth;
            choice.action = slip.action;
        }
        choice.nodes = pool.nodes();
        choice.elapsed = pool.elapsed();
        Ok(choice)
    }
}
