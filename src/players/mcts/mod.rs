//! The player that plays matches on to see how they end: Monte Carlo tree search.
//!
//! A try goes down the tree to an action that looks worth it, plays on from there by chance, and carries back up what came of it.
//! What is known about an action, the number of its tries, how they ended, and how matches ended in which the seat played it later,
//! decides how soon it is tried again.
//!
//! Where there are many actions only the most promising are opened at first. Where something is hidden each try imagines it anew,
//! and where something is drawn each result has a place of its own in the tree; there, nodes stand for all states that look alike,
//! and an action is tried if it is legal in the present one.

mod climb;
mod edge;
mod formula;
mod helpers;
mod latest;
mod node;
mod packed;
mod search;
#[cfg(test)]
mod tests;
mod tree;
mod waiting;

use std::sync::Arc;
use std::time::{Duration, Instant};

use climb::{Climber, Stop};
use edge::Edge;
use formula::Formula;
use helpers::Helpers;
use node::Node;
use search::{Search, Usual};
use tree::Tree;

use super::{Budget, Choice, Level, Player, PlayerError, Thinking};
use crate::model::{Board, Fingerprint, SeatId, State, Value};
use crate::rules::{Generator, Rejection, Rules, RulesSource, flow};

/// How a [`MonteCarlo`] player searches.
#[derive(Clone, Debug, PartialEq)]
pub struct MonteCarloSettings {
    /// The memory of its tree, in megabytes (2^20 bytes).
    pub memory_mb: usize,
    /// The most actions played on beyond the tree; without it a few where the rules have a score, else to the end.
    pub playout_actions: Option<u32>,
    /// How much little-tried actions are favoured.
    pub exploration: f32,
    /// As how many tries counts what the rules say of an action.
    pub prior_visits: f32,
    /// How much actions are favoured that the rules call promising.
    pub trust: f32,
    /// Whether what was played later counts for what is played now (RAVE).
    pub counts_later: bool,
}

impl Default for MonteCarloSettings {
    fn default() -> Self {
        Self {
            memory_mb: 512,
            playout_actions: None,
            exploration: 0.35,
            prior_visits: 2.0,
            trust: 1.0,
            counts_later: true,
        }
    }
}

/// Plays by any rules, also with luck, with many seats, and where something is hidden.
pub struct MonteCarlo {
    level: Level,
    settings: MonteCarloSettings,
    generator: Generator,
    helpers: Option<Helpers>,
    tree: Option<Tree>,
    usual: Usual,
    /// What the tree is about.
    subject: Option<(Fingerprint, Arc<Board>, Arc<[Value]>)>,
}

impl std::fmt::Debug for MonteCarlo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "MonteCarlo({}, {:?})", self.level, self.settings)
    }
}

impl MonteCarlo {
    /// Actions played on where the rules have a score.
    const PLAYED_TO_SCORE: u32 = 12;
    /// The most actions played on to an end.
    const PLAYED_TO_END: u32 = 2_000;
    /// The least time between two reports.
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
            helpers: None,
            tree: None,
            usual: Usual::default(),
            subject: None,
        }
    }

    /// The same on so many threads, each of which makes rules for itself. With more than one the same seed does not give the same
    /// choice: it depends on which thread is sooner.
    #[must_use]
    pub fn on_threads(mut self, threads: usize, source: &Arc<dyn RulesSource>) -> Self {
        self.helpers = (threads > 1).then(|| Helpers::new(threads - 1, source));
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
        let subject = (rules.fingerprint(), Arc::clone(state.board()), Arc::clone(state.options()));
        let is_same = self
            .subject
            .as_ref()
            .is_some_and(|(print, board, options)| *print == subject.0 && Arc::ptr_eq(board, &subject.1) && *options == subject.2);
        self.subject = Some(subject);
        let old = self.tree.take();
        self.usual = if is_same { self.usual.renewed() } else { Usual::default() };
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

    fn formula(&self) -> Formula {
        Formula {
            exploration: self.settings.exploration,
            prior_visits: self.settings.prior_visits,
            counts_later: self.settings.counts_later,
            trust: self.settings.trust,
            equal_visits: Formula::EQUAL_VISITS,
        }
    }

    /// Takes the tree back from a search that has ended.
    fn keep(&mut self, search: Arc<Search>) {
        if let Some(search) = Arc::into_inner(search) {
            self.tree = Some(search.tree);
            self.usual = search.usual;
        }
    }
}

/// Drops a tree without making anybody wait.
fn discard(tree: Tree) {
    if tree.bytes() < MonteCarlo::LARGE_BYTES {
        return;
    }
    // Where there is no thread to be had it is dropped here after all.
    drop(std::thread::Builder::new().name("old tree".to_owned()).spawn(move || drop(tree)));
}

/// Searches until the budget is spent, and tells how far it has come.
fn think(search: &Search, rules: &dyn Rules, seed: u64, report: &mut dyn FnMut(&Thinking)) -> Result<(), Rejection> {
    let mut climber = Climber::new(search, rules, seed);
    let mut reported = Instant::now();
    for tries in 1_u64.. {
        match climber.climb() {
            Ok(()) => {}
            Err(Stop::Spent) => break,
            Err(Stop::Rejected(rejection)) => return Err(*rejection),
        }
        let is_time = tries.is_multiple_of(16) && reported.elapsed() >= MonteCarlo::REPORT_PACE;
        if is_time && let Some(best) = search.ranked().first() {
            report(&thinking(search, best));
            reported = Instant::now();
        }
        if tries.is_multiple_of(64) && is_decided(search) {
            break;
        }
    }
    Ok(())
}

/// Whether the action tried most often stays that whatever the tries left bring.
fn is_decided(search: &Search) -> bool {
    let left = search.pool.simulations_left();
    let ranked = search.ranked();
    match ranked.as_slice() {
        [first, second, ..] => u64::from(first.visits() - second.visits()) > left,
        _ => false,
    }
}

fn thinking(search: &Search, best: &Edge) -> Thinking {
    let line = search.line(best);
    Thinking {
        score: points(search.worth(best)),
        depth: line.len() as u32,
        nodes: search.pool.nodes(),
        line,
        elapsed: search.pool.elapsed(),
    }
}

/// A worth from 0 to 1 in thousandths of a win.
fn points(worth: f32) -> i64 {
    ((worth * 2.0 - 1.0) * 1_000.0).clamp(-1_000.0, 1_000.0) as i64
}

impl Player for MonteCarlo {
    fn name(&self) -> String {
        format!("mcts:{}", self.level)
    }

    fn choose(
        &mut self,
        rules: &dyn Rules,
        state: &Arc<State>,
        seat: SeatId,
        budget: &Budget,
        report: &mut dyn FnMut(&Thinking),
    ) -> Result<Choice, PlayerError> {
        let budget = self.level.within_tries(budget);
        let pool = budget.pool();
        let is_slip = self.generator.below(100) < self.level.skill().slips_percent;
        let mut actions = flow::considered(rules, state, seat)?;
        let place = self.generator.below(actions.len() as u32) as usize;
        let Some(any) = actions.get(place).cloned() else {
            return Err(PlayerError::no_action(state, seat));
        };
        let mut choice = Choice {
            line: vec![any.clone()],
            action: any,
            score: 0,
            depth: 0,
            nodes: 0,
            elapsed: pool.elapsed(),
            instead_of: None,
            thoughts: Vec::new(),
        };
        if actions.len() == 1 {
            return Ok(choice);
        }
        actions.dedup();
        let tree = self.take_tree(rules, state, seat);
        let most_played = self.settings.playout_actions.unwrap_or(if rules.has_score() {
            Self::PLAYED_TO_SCORE
        } else {
            Self::PLAYED_TO_END
        });
        let usual = std::mem::take(&mut self.usual);
        let search = Search::new(rules, state, seat, actions, tree, pool, usual, self.formula(), most_played)?;
        let search = Arc::new(search);
        if let Some(helpers) = &self.helpers {
            helpers.begin(&search, || self.generator.next_seed());
        }
        let thought = think(&search, rules, self.generator.next_seed(), report);
        search.pool.end();
        if let Some(helpers) = &self.helpers {
            helpers.join();
        }
        let ranked = search.ranked();
        let chosen = if is_slip {
            let better_half = ranked.len().div_ceil(2);
            ranked.get(self.generator.below(better_half as u32) as usize)
        } else {
            ranked.first()
        };
        let found = chosen.and_then(|edge| Some((thinking(&search, edge), search.action(edge.key)?.clone())));
        choice.nodes = search.pool.nodes();
        choice.elapsed = search.pool.elapsed();
        if let Some((thinking, action)) = found {
            choice.action = action;
            choice.score = thinking.score;
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
