//! An action of a node: what the tree knows about it, and where it leads.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::node::Node;
use super::packed_action::PackedAction;
use super::prior::Candidate;
use super::selection_policy::EdgeStatistics;
use super::tree::Tree;

/// An expanded action of a node.
#[derive(Debug, Default)]
pub(super) struct Edge {
    /// The action; empty where states differ in what it is made of.
    pub(super) action: PackedAction,
    pub(super) key: u32,
    initial_value: u32,
    prior: f32,
    visits: AtomicU32,
    amaf_visits: AtomicU32,
    /// How often it was legal when its node was visited, where that is not always (ISMCTS).
    availability: AtomicU32,
    sum: AtomicU64,
    amaf_sum: AtomicU64,
    pub(super) child: OnceLock<Box<Node>>,
}

impl Edge {
    pub(super) fn new(candidate: Candidate) -> Self {
        Self {
            action: candidate.action,
            key: candidate.key,
            initial_value: candidate.initial_value,
            prior: candidate.prior,
            ..Self::default()
        }
    }

    pub(super) fn statistics(&self) -> EdgeStatistics {
        EdgeStatistics {
            visits: self.visits(),
            sum: self.sum.load(Ordering::Relaxed),
            amaf_visits: self.amaf_visits.load(Ordering::Relaxed),
            amaf_sum: self.amaf_sum.load(Ordering::Relaxed),
            initial_value: self.initial_value,
            prior: self.prior,
        }
    }

    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    pub(super) fn availability(&self) -> u32 {
        self.availability.load(Ordering::Relaxed)
    }

    pub(super) fn note_available(&self) {
        self.availability.fetch_add(1, Ordering::Relaxed);
    }

    /// Begins a visit, which counts as lost until it has ended (virtual loss): other threads look elsewhere meanwhile.
    pub(super) fn begin(&self) {
        self.visits.fetch_add(1, Ordering::Relaxed);
    }

    /// A visit that was begun comes to nothing.
    pub(super) fn abandon(&self) {
        self.visits.fetch_sub(1, Ordering::Relaxed);
    }

    pub(super) fn end(&self, value: u32) {
        self.sum.fetch_add(u64::from(value), Ordering::Relaxed);
    }

    /// The rules refuse it after all: it is never selected again.
    pub(super) fn refuse(&self) {
        self.visits.store(u32::MAX / 2, Ordering::Relaxed);
    }

    pub(super) fn is_refused(&self) -> bool {
        self.visits() >= u32::MAX / 4
    }

    /// It was played later in a simulation through its node.
    pub(super) fn note_amaf(&self, value: u32) {
        self.amaf_visits.fetch_add(1, Ordering::Relaxed);
        self.amaf_sum.fetch_add(u64::from(value), Ordering::Relaxed);
    }

    /// The nodes it leads to: the ways in which it can go on.
    pub(super) fn children(&self) -> impl Iterator<Item = &Node> {
        std::iter::successors(self.child.get(), |node| node.sibling.get()).map(|node| &**node)
    }

    /// The node it leads to, by its mark.
    pub(super) fn find_child(&self, mark: u64) -> Option<&Node> {
        self.children().find(|node| node.mark == mark)
    }

    pub(super) fn main_child(&self) -> Option<&Node> {
        self.children().max_by_key(|node| node.visits())
    }

    pub(super) fn add_child(&self, tree: &Tree, node: Node) -> &Node {
        let mark = node.mark;
        let mut node = Some(Box::new(node));
        let mut place = &self.child;
        loop {
            let found = place.get_or_init(|| {
                tree.grow(size_of::<Node>());
                // There is one: it is taken in the one place that is empty.
                node.take().unwrap_or_default()
            });
            if found.mark == mark {
                return found;
            }
            place = &found.sibling;
        }
    }
}
