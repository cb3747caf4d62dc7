//! What the threads of one search share: the question, the tree, the budget.

use std::sync::Arc;

use super::edge::Edge;
use super::node::Node;
use super::selection_policy::{EdgeStatistics, SelectionPolicy};
use super::tree::Tree;
use super::value::{ScoreScale, WHOLE, squash};
use crate::budget::SharedBudget;
use crate::move_ordering::action_key;
use boardwright_model::{Action, Rejection, SeatId, State};
use boardwright_rules::Rules;

#[derive(Debug)]
pub(super) struct Search {
    /// The state, or what the seat sees of it.
    pub(super) root: Arc<State>,
    pub(super) seat: SeatId,
    pub(super) actions: Vec<(u32, Action)>,
    /// What negative hints of the rules take off the values of some, by key.
    penalties: Vec<(u32, u32)>,
    /// Whether something may be hidden from the seat.
    pub(super) hides: bool,
    pub(super) tree: Tree,
    pub(super) budget: SharedBudget,
    pub(super) scale: ScoreScale,
    pub(super) policy: SelectionPolicy,
    pub(super) most_playout_actions: u32,
}

impl Search {
    #[expect(clippy::too_many_arguments, reason = "the parts of a question, put together in one place")]
    pub(super) fn new(
        rules: &dyn Rules,
        root: &Arc<State>,
        seat: SeatId,
        actions: Vec<Action>,
        tree: Tree,
        budget: SharedBudget,
        scale: ScoreScale,
        policy: SelectionPolicy,
        most_playout_actions: u32,
    ) -> Result<Self, Rejection> {
        let actions = keyed(root, actions);
        let mut penalties = Vec::new();
        for (key, action) in &actions {
            if let Some(points @ ..0) = rules.guidance().ordering_points(root, action)? {
                let part = squash(points.saturating_neg(), scale.points());
                penalties.push((*key, (part * WHOLE as f32 * 0.5) as u32));
            }
        }
        penalties.sort_unstable();
        Ok(Self {
            root: Arc::clone(root),
            seat,
            actions,
            penalties,
            hides: root.may_hide(),
            tree,
            budget,
            scale,
            policy,
            most_playout_actions,
        })
    }

    /// What a negative hint of the rules takes off the value of an action at the root.
    fn penalty(&self, key: u32) -> u32 {
        let found = self.penalties.binary_search_by_key(&key, |(key, _)| *key).ok();
        found.and_then(|index| self.penalties.get(index)).map_or(0, |(_, value)| *value)
    }

    /// What the tree knows about an action, with its penalty where it is one of the root.
    pub(super) fn statistics(&self, node: &Node, edge: &Edge) -> EdgeStatistics {
        let penalty = if self.is_root(node) { self.penalty(edge.key) } else { 0 };
        EdgeStatistics {
            penalty,
            ..edge.statistics()
        }
    }

    pub(super) fn is_root(&self, node: &Node) -> bool {
        std::ptr::eq(node, &raw const *self.tree.root)
    }

    /// The mean value of an action at the root, 0 to 1, less its penalty.
    pub(super) fn value(&self, edge: &Edge) -> f32 {
        self.policy.mean(&edge.statistics()) - self.penalty(edge.key) as f32 / WHOLE as f32
    }

    /// The actions at the root that were visited, the best first: by visits, then by value.
    pub(super) fn ranked(&self) -> Vec<&Edge> {
        let mut edges: Vec<&Edge> = self
            .tree
            .root
            .edges()
            .filter(|edge| edge.visits() > 0 && !edge.is_refused())
            .collect();
        edges.sort_by(|a, b| b.visits().cmp(&a.visits()).then(self.value(b).total_cmp(&self.value(a))));
        edges
    }

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
