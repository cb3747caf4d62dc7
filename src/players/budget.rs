//! How much a player may think, and how it is stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

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
/// Limits in depth and nodes give the same choice on every machine; a limit in time does not.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// The time it may take.
    pub time: Option<Duration>,
    /// The greatest number of actions it looks ahead.
    pub depth: Option<u32>,
    /// The greatest number of actions it tries.
    pub nodes: Option<u64>,
    /// Stops it at any time.
    pub interrupt: Interrupt,
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

    /// A budget limited in the number of actions tried.
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }

    /// Whether neither time, depth nor nodes are limited.
    pub fn is_unlimited(&self) -> bool {
        self.time.is_none() && self.depth.is_none() && self.nodes.is_none()
    }

    /// Starts the clock.
    pub(super) fn meter(&self) -> Meter {
        let start = Instant::now();
        Meter {
            start,
            time: self.time,
            most_nodes: self.nodes.unwrap_or(u64::MAX),
            interrupt: self.interrupt.clone(),
            nodes: 0,
            next_look: 0,
            stride: 1,
            looked: start,
        }
    }
}

/// The budget is used up, or the player was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spent;

/// Counts nodes and watches the clock.
#[derive(Debug)]
pub(super) struct Meter {
    start: Instant,
    time: Option<Duration>,
    most_nodes: u64,
    interrupt: Interrupt,
    nodes: u64,
    /// The number of nodes at which the clock is looked at next.
    next_look: u64,
    stride: u64,
    looked: Instant,
}

impl Meter {
    /// The most nodes between two looks at the clock: a look costs about 30 ns, a node at least 500 ns.
    const LONGEST_STRIDE: u64 = 16;
    /// When so much time went by since the last look, the next one comes sooner.
    const PATIENCE: Duration = Duration::from_millis(2);

    /// Counts one node.
    ///
    /// # Errors
    /// If the budget does not allow it.
    pub(super) fn tick(&mut self) -> Result<(), Spent> {
        if self.nodes >= self.most_nodes || self.interrupt.is_stopped() {
            return Err(Spent);
        }
        if self.nodes >= self.next_look
            && let Some(time) = self.time
        {
            let now = Instant::now();
            if now.duration_since(self.start) >= time {
                self.next_look = 0;
                return Err(Spent);
            }
            self.stride = if now.duration_since(self.looked) > Self::PATIENCE {
                (self.stride / 4).max(1)
            } else {
                (self.stride * 2).min(Self::LONGEST_STRIDE)
            };
            self.looked = now;
            self.next_look = self.nodes + self.stride;
        }
        self.nodes += 1;
        Ok(())
    }

    /// How many nodes were counted.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The time since the start.
    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_counted_exactly() {
        let mut meter = Budget::nodes(3).meter();
        let allowed = (0..10).filter(|_| meter.tick().is_ok()).count();
        assert_eq!((allowed, meter.nodes()), (3, 3));
    }

    #[test]
    fn a_budget_of_no_time_allows_nothing() {
        assert_eq!(Budget::time(Duration::ZERO).meter().tick(), Err(Spent));
    }

    #[test]
    fn an_interrupt_stops_at_the_next_node() {
        let budget = Budget::unlimited();
        let mut meter = budget.meter();
        assert!(meter.tick().is_ok());
        budget.interrupt.clone().stop();
        assert_eq!(meter.tick(), Err(Spent));
    }

    #[test]
    fn slow_nodes_are_stopped_in_time_too() {
        let mut meter = Budget::time(Duration::from_millis(10)).meter();
        while meter.tick().is_ok() {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(meter.elapsed() < Duration::from_millis(60), "{:?}", meter.elapsed());
    }
}
