//! How much a player may think, and how it is stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use boardwright_model::Rejection;

/// A handle that stops a player from another thread. Clones stop the same player.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// A handle that has not stopped anything yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops the player. It answers with the best it has found.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was stopped.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How much a player may think about one choice. What is `None` is not limited.
///
/// Limits in depth, nodes and simulations give the same choice on every machine; a limit in time does not.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// The time it may take.
    pub time: Option<Duration>,
    /// The greatest depth, in actions.
    pub depth: Option<u32>,
    /// The most nodes: actions tried in a search.
    pub nodes: Option<u64>,
    /// The most simulations, for Monte Carlo players.
    pub simulations: Option<u64>,
    /// Stops it at any time.
    pub interrupt: Interrupt,
    /// Whether somebody is told what it thinks. Strategies do not say it otherwise, so that it costs nothing.
    pub is_watched: bool,
}

impl Budget {
    /// A budget without limits, to be stopped by its interrupt or by the level of the player.
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// A budget limited in time.
    pub fn time(time: Duration) -> Self {
        Self {
            time: Some(time),
            ..Self::default()
        }
    }

    /// A budget limited in depth.
    pub fn depth(depth: u32) -> Self {
        Self {
            depth: Some(depth),
            ..Self::default()
        }
    }

    /// A budget limited in nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }

    /// A budget limited in simulations.
    pub fn simulations(simulations: u64) -> Self {
        Self {
            simulations: Some(simulations),
            ..Self::default()
        }
    }

    /// A budget that only the level of the player limits, and not in time: the same choice on every machine, however long it
    /// takes.
    pub fn of_level() -> Self {
        Self::nodes(u64::MAX)
    }

    pub(super) fn is_of_level(&self) -> bool {
        self.nodes == Some(u64::MAX) && self.time.is_none() && self.depth.is_none() && self.simulations.is_none()
    }

    /// Whether neither time, depth, nodes nor simulations are limited.
    pub fn is_unlimited(&self) -> bool {
        self.time.is_none() && self.depth.is_none() && self.nodes.is_none() && self.simulations.is_none()
    }

    /// Begins to use it up.
    pub(super) fn shared(&self) -> SharedBudget {
        SharedBudget {
            limits: self.clone(),
            begun: Instant::now(),
            nodes: AtomicU64::new(0),
            simulations: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spent;

#[derive(Debug)]
pub(super) enum Stop {
    Spent,
    Rejected(Box<Rejection>),
}

impl From<Spent> for Stop {
    fn from(_: Spent) -> Self {
        Self::Spent
    }
}

impl From<Rejection> for Stop {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(Box::new(rejection))
    }
}

/// A budget that one or several threads use up together.
#[derive(Debug)]
pub(super) struct SharedBudget {
    limits: Budget,
    begun: Instant,
    nodes: AtomicU64,
    simulations: AtomicU64,
    is_over: AtomicBool,
}

impl SharedBudget {
    pub(super) fn for_thread(&self) -> ThreadBudget<'_> {
        ThreadBudget {
            shared: self,
            claimed: 0,
            until_look: 0,
            interval: 1,
            looked: self.begun,
        }
    }

    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// How many nodes were counted, but for what threads at work have not given back.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    pub(super) fn simulations_left(&self) -> u64 {
        let most = self.limits.simulations.unwrap_or(u64::MAX);
        most.saturating_sub(self.simulations.load(Ordering::Relaxed))
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }
}

/// What one thread takes from a [`SharedBudget`]. Nodes are claimed in bundles, so that threads do not wait for one another; what is left
/// over is given back at the end. The clock is looked at seldom enough that it costs nothing and often enough that nobody waits.
#[derive(Debug)]
pub(super) struct ThreadBudget<'a> {
    shared: &'a SharedBudget,
    claimed: u64,
    /// Steps until the clock is looked at next.
    until_look: u64,
    interval: u64,
    looked: Instant,
}

impl ThreadBudget<'_> {
    const BUNDLE: u64 = 256;
    /// The most steps between two looks at the clock: a look costs about 30 ns, a step at least 500 ns.
    const LONGEST_INTERVAL: u64 = 16;
    /// When so much time went by since the last look, the next one comes sooner.
    const PATIENCE: Duration = Duration::from_millis(2);

    /// Begins a simulation, if any is left.
    pub(super) fn begin_simulation(&mut self) -> Result<(), Spent> {
        self.step()?;
        let most = self.shared.limits.simulations.unwrap_or(u64::MAX);
        let begun = &self.shared.simulations;
        if begun.fetch_add(1, Ordering::Relaxed) >= most {
            begun.fetch_sub(1, Ordering::Relaxed);
            return Err(Spent);
        }
        Ok(())
    }

    /// Counts a node, if any is left.
    pub(super) fn tick(&mut self) -> Result<(), Spent> {
        self.step()?;
        if self.claimed == 0 {
            let most = self.shared.limits.nodes.unwrap_or(u64::MAX);
            let claim = |counted: u64| (counted < most).then(|| counted + Self::BUNDLE.min(most - counted));
            let counted = self.shared.nodes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, claim);
            let counted = counted.map_err(|_| Spent)?;
            self.claimed = Self::BUNDLE.min(most - counted);
        }
        self.claimed -= 1;
        Ok(())
    }

    fn step(&mut self) -> Result<(), Spent> {
        let limits = &self.shared.limits;
        if self.shared.is_over.load(Ordering::Relaxed) || limits.interrupt.is_stopped() {
            return Err(Spent);
        }
        let Some(time) = limits.time else { return Ok(()) };
        if self.until_look > 0 {
            self.until_look -= 1;
            return Ok(());
        }
        let now = Instant::now();
        if now.duration_since(self.shared.begun) >= time {
            return Err(Spent);
        }
        self.interval = if now.duration_since(self.looked) > Self::PATIENCE {
            (self.interval / 4).max(1)
        } else {
            (self.interval * 2).min(Self::LONGEST_INTERVAL)
        };
        self.looked = now;
        self.until_look = self.interval - 1;
        Ok(())
    }

    /// How many nodes were counted, with those of other threads.
    pub(super) fn nodes(&self) -> u64 {
        self.shared.nodes() - self.claimed
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.shared.elapsed()
    }

    pub(super) fn give_back(&mut self) {
        self.shared.nodes.fetch_sub(std::mem::take(&mut self.claimed), Ordering::Relaxed);
    }
}

impl Drop for ThreadBudget<'_> {
    fn drop(&mut self) {
        self.give_back();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_counted_exactly() {
        let shared = Budget::nodes(3).shared();
        let mut budget = shared.for_thread();
        let allowed = (0..10).filter(|_| budget.tick().is_ok()).count();
        assert_eq!((allowed, budget.nodes()), (3, 3));
    }

    #[test]
    fn a_budget_of_no_time_allows_nothing() {
        assert_eq!(Budget::time(Duration::ZERO).shared().for_thread().tick(), Err(Spent));
    }

    #[test]
    fn an_interrupt_stops_at_the_next_node() {
        let limits = Budget::unlimited();
        let shared = limits.shared();
        let mut budget = shared.for_thread();
        assert!(budget.tick().is_ok());
        limits.interrupt.clone().stop();
        assert_eq!(budget.tick(), Err(Spent));
    }

    #[test]
    fn the_clock_is_looked_at_sooner_where_nodes_are_slow() {
        let shared = Budget::time(Duration::from_millis(10)).shared();
        let mut budget = shared.for_thread();
        let mut nodes = 0;
        while budget.tick().is_ok() {
            std::thread::sleep(Duration::from_millis(1));
            nodes += 1;
        }
        // The time is enough for ten, then one begins, and one more where the clock was not looked at.
        assert!(nodes <= 12, "{nodes}");
    }

    #[test]
    fn what_threads_take_together_is_counted_exactly() {
        let shared = Budget::nodes(10_000).shared();
        let counted: usize = std::thread::scope(|scope| {
            let count = || {
                let mut budget = shared.for_thread();
                (0..9_000).filter(|_| budget.tick().is_ok()).count()
            };
            let threads = [scope.spawn(count), scope.spawn(count)];
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        // A thread may hold a bundle that it does not use; it gives it back.
        assert!((9_744..=10_000).contains(&counted), "{counted}");
        assert_eq!(shared.nodes(), counted as u64);
    }

    #[test]
    fn simulations_are_counted_exactly() {
        let shared = Budget::simulations(5).shared();
        let mut budget = shared.for_thread();
        assert_eq!((0..10).filter(|_| budget.begin_simulation().is_ok()).count(), 5);
        assert_eq!(shared.simulations_left(), 0);
        shared.end();
        assert_eq!(budget.tick(), Err(Spent));
    }
}
