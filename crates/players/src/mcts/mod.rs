//! Monte Carlo tree search, in the words of Browne et al. (2012): UCT with RAVE, or PUCT where the rules give a prior.
//!
//! A simulation selects its way down the tree, plays on from there at random (the playout), and backs up the values it came to.
//!
//! Where there are many actions only the first by prior are expanded at first (progressive widening). Where something is hidden each
//! simulation determinizes the state again, and where something is drawn each result has a node of its own; there, nodes stand for all
//! states that look alike, and an action is selected among those legal in the present one (ISMCTS, Cowling et al. 2012).

mod amaf_table;
mod edge;
mod node;
mod packed_action;
mod prior;
mod search;
mod selection_policy;
mod simulation;
#[cfg(test)]
mod tests;
mod tree;
mod value;
mod workers;

use std::sync::Arc;
use std::time::{Duration, Instant};

use edge::Edge;
use node::Node;
use search::{Search, root_actions};
use selection_policy::SelectionPolicy;
use simulation::Simulator;
use tree::Tree;
use value::ScoreScale;
use workers::Workers;

use super::budget::Stop;
use super::rules_cache::RulesKey;
use super::{Choice, Decision, Level, Player, PlayerError, Thinking};
use boardwright_model::{Evaluation, Rejection, SeatId, State};
use boardwright_rules::{Generator, Rules, RulesSource, flow};

/// How a [`MonteCarlo`] player searches.
#[derive(Clone, Debug, PartialEq)]
pub struct MonteCarloSettings {
    /// The memory of its tree, in megabytes (2^20 bytes).
    pub memory_mb: usize,
    /// The most actions of a playout; without it as many as the rules declare or a few where they give states a value, else to the end.
    pub playout_actions: Option<u32>,
    /// The exploration constant of UCT.
    pub exploration: f32,
    /// As how many visits the initial value of an action counts.
    pub initial_visits: f32,
    /// The exploration constant of PUCT: how much the prior weighs.
    pub c_puct: f32,
    /// Whether actions played later in a simulation count (RAVE).
    pub uses_rave: bool,
}

impl Default for MonteCarloSettings {
    fn default() -> Self {
        Self {
            memory_mb: 512,
            playout_actions: None,
            exploration: 0.35,
            initial_visits: 2.0,
            c_puct: 1.0,
            uses_rave: true,
        }
    }
}

/// Plays by any rules, also with luck, with many seats, and where something is hidden.
pub struct MonteCarlo {
    level: Level,
    settings: MonteCarloSettings,
    generator: Generator,
    workers: Option<Workers>,
    tree: Option<Tree>,
    scale: ScoreScale,
    about: Option<RulesKey>,
}

impl std::fmt::Debug for MonteCarlo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "MonteCarlo({}, {:?})", self.level, self.settings)
    }
}

impl MonteCarlo {
    const PLAYOUT_TO_VALUE: u32 = 12;
    const PLAYOUT_TO_END: u32 = 2_000;
    const REPORT_PACE: Duration = Duration::from_millis(100);
    /// Trees above this size are taken apart on a thread of their own.
    const LARGE_BYTES: usize = 8 << 20;

    /// A player of a level that thinks on one thread. The seed gives it its luck.
    pub fn new(level: Level, seed: u64) -> Self {
        Self::with_settings(level, MonteCarloSettings::default(), seed)
    }

    /// A player with settings of its own.
    pub fn with_settings(level: Level, settings: MonteCarloSettings, seed: u64) -> Self {
        Self {
            level,
            settings,
            generator: Generator::new(seed),
            workers: None,
            tree: None,
            scale: ScoreScale::default(),
            about: None,
        }
    }

    /// The same on so many threads, each of which makes rules for itself. With more than one the same seed does not give the same
    /// choice: it depends on which thread is sooner.
    #[must_use]
    pub fn on_threads(mut self, threads: usize, source: &Arc<dyn RulesSource>) -> Self {
        self.workers = (threads > 1).then(|| Workers::new(threads - 1, source));
        self
    }

    /// The memory the tree takes, in bytes.
    pub fn tree_bytes(&self) -> usize {
        self.tree.as_ref().map_or(0, Tree::bytes)
    }

    /// How often a match went through the present root of the tree.
    pub fn tree_visits(&self) -> u32 {
        self.tree.as_ref().map_or(0, |tree| tree.root.visits())
    }

    /// The tree to begin with: what is left of that of the last choice, if it leads here.
    fn take_tree(&mut self, rules: &dyn Rules, state: &State, seat: SeatId) -> Tree {
        let is_same = self.about.as_ref().is_some_and(|about| about.holds_for(rules, state));
        self.about = Some(RulesKey::of(rules, state));
        let old = self.tree.take();
        self.scale = if is_same { self.scale.renewed() } else { ScoreScale::default() };
        if let Some(tree) = old {
            let (part, rest) = if is_same && !state.may_hide() {
                tree.below(state.digest())
            } else {
                (None, tree)
            };
            discard(rest);
            if let Some(part) = part.filter(|part| part.root.seat == seat) {
                return part;
            }
        }
        let root = Node::new(0, state.digest(), seat, !state.may_hide());
        Tree::new(root, self.settings.memory_mb.saturating_mul(1 << 20))
    }

    fn policy(&self) -> SelectionPolicy {
        SelectionPolicy {
            exploration: self.settings.exploration,
            initial_visits: self.settings.initial_visits,
            uses_rave: self.settings.uses_rave,
            c_puct: self.settings.c_puct,
            rave_equivalence: SelectionPolicy::RAVE_EQUIVALENCE,
        }
    }

    fn keep(&mut self, search: Arc<Search>) {
        if let Some(search) = Arc::into_inner(search) {
            self.tree = Some(search.tree);
            self.scale = search.scale;
        }
    }
}

fn discard(tree: Tree) {
    if tree.bytes() < MonteCarlo::LARGE_BYTES {
        return;
    }
    // Where there is no thread to be had it is dropped here after all.
    drop(std::thread::Builder::new().name("old tree".to_owned()).spawn(move || drop(tree)));
}

/// Searches until the budget is spent, and tells how far it has come.
fn think(search: &Search, rules: &dyn Rules, seed: u64, report: &mut dyn FnMut(&Thinking)) -> Result<(), Rejection> {
    let mut simulator = Simulator::new(search, rules, seed);
    let mut reported = Instant::now();
    for simulations in 1_u64.. {
        match simulator.simulate() {
            Ok(()) => {}
            Err(Stop::Spent) => break,
            Err(Stop::Rejected(rejection)) => return Err(*rejection),
        }
        let is_time = simulations.is_multiple_of(16) && reported.elapsed() >= MonteCarlo::REPORT_PACE;
        if is_time && let Some(best) = search.ranked().first() {
            report(&thinking(search, best));
            reported = Instant::now();
        }
        if simulations.is_multiple_of(64) && is_decided(search) {
            break;
        }
    }
    Ok(())
}

/// Whether the action visited most often stays that whatever the simulations left bring.
fn is_decided(search: &Search) -> bool {
    let left = search.budget.simulations_left();
    let ranked = search.ranked();
    match ranked.as_slice() {
        // Other threads count on: the second may have caught up by now.
        [first, second, ..] => u64::from(first.visits().saturating_sub(second.visits())) > left,
        _ => false,
    }
}

fn thinking(search: &Search, best: &Edge) -> Thinking {
    let line = search.line(best);
    Thinking {
        evaluation: Some(chance(search.value(best))),
        depth: line.len() as u32,
        nodes: search.budget.nodes(),
        line,
        elapsed: search.budget.elapsed(),
    }
}

/// A mean value from 0 to 1, as it is told.
fn chance(value: f32) -> Evaluation {
    Evaluation::Chance((value * 1_000.0).round().clamp(0.0, 1_000.0) as u16)
}

impl Player for MonteCarlo {
    fn name(&self) -> String {
        format!("mcts:{}", self.level)
    }

    fn choose(&mut self, decision: Decision<'_>, report: &mut dyn FnMut(&Thinking)) -> Result<Choice, PlayerError> {
        let Decision {
            rules,
            state,
            seat,
            budget,
        } = decision;
        let budget = self.level.within_simulations(budget).shared();
        let is_blunder = self.level.blunders(&mut self.generator);
        let actions = flow::candidates(rules, state, seat)?;
        let place = self.generator.below(actions.len() as u32) as usize;
        let Some(any) = actions.get(place).cloned() else {
            return Err(PlayerError::no_action(state, seat));
        };
        let mut choice = Choice {
            elapsed: budget.elapsed(),
            ..Choice::of(any)
        };
        if actions.len() == 1 {
            return Ok(choice);
        }
        let tree = self.take_tree(rules, state, seat);
        let most_playout_actions = match self.settings.playout_actions {
            Some(most) => most,
            None if rules.guidance().value(state, seat)?.is_some() => state.declarations().playout_depth.unwrap_or(Self::PLAYOUT_TO_VALUE),
            None => Self::PLAYOUT_TO_END,
        };
        let (actions, held_back) = root_actions(rules, state, actions)?;
        let search = Arc::new(Search {
            root: Arc::clone(state),
            seat,
            actions,
            held_back,
            hides: state.may_hide(),
            tree,
            budget,
            scale: std::mem::take(&mut self.scale),
            policy: self.policy(),
            most_playout_actions,
        });
        if let Some(workers) = &self.workers {
            workers.begin(&search, || self.generator.next_seed());
        }
        let thought = think(&search, rules, self.generator.next_seed(), report);
        search.budget.end();
        if let Some(workers) = &self.workers {
            workers.join();
        }
        let ranked = search.ranked();
        let chosen = if is_blunder {
            let better_half = ranked.len().div_ceil(2);
            ranked.get(self.generator.below(better_half as u32) as usize)
        } else {
            ranked.first()
        };
        let found = chosen.and_then(|edge| Some((thinking(&search, edge), search.action(edge.key)?.clone())));
        choice.nodes = search.budget.nodes();
        choice.elapsed = search.budget.elapsed();
        if let Some((thinking, action)) = found {
            choice.action = action;
            choice.evaluation = thinking.evaluation;
            choice.depth = thinking.depth;
            choice.line = thinking.line;
        }
        self.keep(search);
        match thought {
            Ok(()) => Ok(choice),
            Err(rejection) => Err(rejection.into()),
        }
    }
}
