//! What the threads of one search share: the question, the tree, the budget.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::edge::Edge;
use super::formula::{Formula, WHOLE, squash};
use super::node::Node;
use super::tree::Tree;
use crate::model::{Action, SeatId, State};
use crate::players::budget::Pool;
use crate::players::ordering::action_key;
use crate::rules::{Rejection, Rules};

/// A question being thought about.
#[derive(Debug)]
pub(super) struct Search {
    /// The state, or what the seat sees of it.
    pub(super) root: Arc<State>,
    /// Whose action is looked for.
    pub(super) seat: SeatId,
    /// What it may do, each with its key.
    pub(super) actions: Vec<(u32, Action)>,
    /// What the rules take off some of them, by key, as a worth.
    markdowns: Vec<(u32, u32)>,
    /// Whether something may be hidden from the seat.
    pub(super) hides: bool,
    pub(super) tree: Tree,
    pub(super) pool: Pool,
    pub(super) usual: Usual,
    pub(super) formula: Formula,
    /// The most actions of a playout.
    pub(super) most_played: u32,
}

impl Search {
    #[expect(clippy::too_many_arguments, reason = "the parts of a question, put together in one place")]
    pub(super) fn new(
        rules: &dyn Rules,
        root: &Arc<State>,
        seat: SeatId,
        actions: Vec<Action>,
        tree: Tree,
        pool: Pool,
        usual: Usual,
        formula: Formula,
        most_played: u32,
    ) -> Result<Self, Rejection> {
        let actions = keyed(root, actions);
        let mut markdowns = Vec::new();
        for (key, action) in &actions {
            if let Some(points @ ..0) = rules.order(root, action)? {
                let part = squash(points.saturating_neg(), usual.points());
                markdowns.push((*key, (part * WHOLE as f32 * 0.5) as u32));
            }
        }
        markdowns.sort_unstable();
        Ok(Self {
            root: Arc::clone(root),
            seat,
            actions,
            markdowns,
            hides: root.may_hide(),
            tree,
            pool,
            usual,
            formula,
            most_played,
        })
    }

    /// What the rules take off an action at the root.
    pub(super) fn markdown(&self, key: u32) -> u32 {
        let found = self.markdowns.binary_search_by_key(&key, |(key, _)| *key).ok();
        found.and_then(|index| self.markdowns.get(index)).map_or(0, |(_, worth)| *worth)
    }

    /// Whether a node is the root.
    pub(super) fn is_root(&self, node: &Node) -> bool {
        std::ptr::eq(node, &raw const *self.tree.root)
    }

    /// What an action at the root is expected to bring, 0 to 1, with what the rules take off.
    pub(super) fn worth(&self, edge: &Edge) -> f32 {
        self.formula.mean(&edge.known()) - self.markdown(edge.key) as f32 / WHOLE as f32
    }

    /// The actions at the root that were tried, the best first: those tried most often, and of these the most promising.
    pub(super) fn ranked(&self) -> Vec<&Edge> {
        let mut edges: Vec<&Edge> = self
            .tree
            .root
            .edges()
            .filter(|edge| edge.visits() > 0 && !edge.is_refused())
            .collect();
        edges.sort_by(|a, b| b.visits().cmp(&a.visits()).then(self.worth(b).total_cmp(&self.worth(a))));
        edges
    }

    /// The action of a key at the root.
    pub(super) fn action(&self, key: u32) -> Option<&Action> {
        self.actions.iter().find(|(own, _)| *own == key).map(|(_, action)| action)
    }

    /// How play is expected to go on, beginning with an action at the root.
    pub(super) fn line(&self, first: &Edge) -> Vec<Action> {
        const LONGEST: usize = 20;
        let mut line: Vec<Action> = self.action(first.key).cloned().into_iter().collect();
        let mut next = first.main_child();
        while let Some(node) = next.filter(|node| node.is_exact && line.len() < LONGEST) {
            let tried = node.edges().filter(|edge| edge.visits() > 0 && !edge.is_refused());
            let Some(edge) = tried.max_by_key(|edge| edge.visits()) else {
                break;
            };
            let Some(action) = edge.action.unpack(node.seat) else { break };
            line.push(action);
            next = edge.main_child();
        }
        line
    }
}

/// Actions with their keys, each different: of actions that look alike the later ones get keys of their own.
pub(super) fn keyed(state: &State, actions: Vec<Action>) -> Vec<(u32, Action)> {
    let mut keyed: Vec<(u32, Action)> = actions.into_iter().map(|action| (action_key(state, &action), action)).collect();
    let mut taken: Vec<u32> = keyed.iter().map(|(key, _)| *key).collect();
    taken.sort_unstable();
    if taken.windows(2).any(|pair| matches!(pair, [a, b] if a == b)) {
        let mut taken = std::collections::BTreeSet::new();
        for (key, _) in &mut keyed {
            while !taken.insert(*key) {
                *key = key.wrapping_add(2);
            }
        }
    }
    keyed
}

/// The usual size of a score, which says how much one is worth next to a win. Learned from the first scores seen.
#[derive(Debug, Default)]
pub(super) struct Usual {
    sum: AtomicU64,
    count: AtomicU64,
}

impl Usual {
    /// So many scores are taken in for one choice.
    const MOST: u64 = 512;
    /// As how many scores those of earlier choices count.
    const REMEMBERED: u64 = 128;

    /// The usual number of points.
    pub(super) fn points(&self) -> f32 {
        let count = self.count.load(Ordering::Relaxed).max(1);
        self.sum.load(Ordering::Relaxed) as f32 / count as f32
    }

    /// Takes in a score.
    pub(super) fn note(&self, points: i64) {
        if self.count.load(Ordering::Relaxed) < Self::MOST {
            self.count.fetch_add(1, Ordering::Relaxed);
            self.sum.fetch_add(points.unsigned_abs().min(1 << 48), Ordering::Relaxed);
        }
    }

    /// The same for the next choice, which takes in scores again.
    pub(super) fn renewed(&self) -> Self {
        let count = self.count.load(Ordering::Relaxed);
        let kept = count.min(Self::REMEMBERED);
        Self {
            sum: AtomicU64::new((self.points() * kept as f32) as u64),
            count: AtomicU64::new(kept),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_score_follows_the_match() {
        let usual = Usual::default();
        (0..10_000).for_each(|_| usual.note(-20));
        assert!((usual.points() - 20.0).abs() < 0.01);
        let later = usual.renewed();
        (0..10_000).for_each(|_| later.note(60));
        assert!((45.0..60.0).contains(&later.points()), "{}", later.points());
    }
}
