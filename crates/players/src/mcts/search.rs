//! What the threads of one search share: the question, the tree, the budget.

use std::sync::Arc;

use super::edge::Edge;
use super::node::Node;
use super::selection_policy::SelectionPolicy;
use super::tree::Tree;
use super::value::ScoreScale;
use crate::budget::SharedBudget;
use crate::move_ordering::action_key;
use crate::prior::priors;
use boardwright_model::{Action, Rejection, SeatId, State};
use boardwright_rules::Rules;

#[derive(Debug)]
pub(super) struct Search {
    /// The state, or what the seat sees of it.
    pub(super) root: Arc<State>,
    pub(super) seat: SeatId,
    /// The actions at the root with their keys, but for those that are held back.
    pub(super) actions: Vec<(u32, Action)>,
    /// The keys of those that are held back.
    pub(super) held_back: Vec<u32>,
    /// Whether something may be hidden from the seat.
    pub(super) hides: bool,
    pub(super) tree: Tree,
    pub(super) budget: SharedBudget,
    pub(super) scale: ScoreScale,
    pub(super) policy: SelectionPolicy,
    pub(super) most_playout_actions: u32,
}

impl Search {
    /// The expanded actions of a node that are selected among: at the root those are left out that are held back.
    pub(super) fn open_edges<'a>(&'a self, node: &'a Node) -> impl Iterator<Item = &'a Edge> {
        let held_back = if self.is_root(node) { &self.held_back[..] } else { &[] };
        node.edges().filter(|edge| !edge.is_refused() && !held_back.contains(&edge.key))
    }

    pub(super) fn is_root(&self, node: &Node) -> bool {
        std::ptr::eq(node, &raw const *self.tree.root)
    }

    /// The mean value of an action, 0 to 1.
    pub(super) fn value(&self, edge: &Edge) -> f32 {
        self.policy.mean(&edge.statistics())
    }

    /// The actions at the root that were visited, the best first: by visits, then by value.
    pub(super) fn ranked(&self) -> Vec<&Edge> {
        // Other threads may go on counting, and a sort needs numbers that stay as they are.
        let read = self.open_edges(&self.tree.root).map(|edge| (edge.statistics(), edge));
        let visited = read.filter(|(statistics, _)| statistics.visits > 0);
        let mut ranked: Vec<_> = visited
            .map(|(statistics, edge)| (statistics.visits, self.policy.mean(&statistics), edge))
            .collect();
        ranked.sort_by(|(visits, value, _), (others, other, _)| others.cmp(visits).then(other.total_cmp(value)));
        ranked.into_iter().map(|(.., edge)| edge).collect()
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
            let tried = self.open_edges(node).filter(|edge| edge.visits() > 0);
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

/// Actions, each with its key.
type KeyedActions = Vec<(u32, Action)>;

/// The actions at the root with their keys, and the keys of those that are held back.
pub(super) fn root_actions(rules: &dyn Rules, root: &Arc<State>, actions: Vec<Action>) -> Result<(KeyedActions, Vec<u32>), Rejection> {
    let priors = priors(rules, root, &actions)?;
    let (held_back, open): (Vec<_>, Vec<_>) = keyed(root, actions)
        .into_iter()
        .zip(priors)
        .partition(|(_, prior)| prior.is_held_back);
    let open = open.into_iter().map(|(action, _)| action);
    let held_back = held_back.into_iter().map(|((key, _), _)| key);
    Ok((open.collect(), held_back.collect()))
}

/// Actions with their keys, each different: of actions that look alike the later ones get keys of their own.
pub(super) fn keyed(state: &State, actions: Vec<Action>) -> KeyedActions {
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use boardwright_fixtures::Skirmish;

    use super::*;
    use crate::mcts::MonteCarlo;
    use crate::mcts::packed_action::PackedAction;
    use crate::mcts::prior::{Candidate, Candidates};
    use crate::{Budget, Level};

    #[test]
    fn actions_are_ranked_while_others_count() {
        const ACTIONS: u32 = 400;
        let root = Skirmish::new(5, 5, false).unwrap().full().unwrap();
        let seat = SeatId(0);
        let tree = Tree::new(Node::new(0, 1, seat, true), usize::MAX);
        let candidate = |key| Candidate {
            action: PackedAction::default(),
            key,
            initial_value: 500,
            prior: 0.0,
        };
        let first: Vec<Candidate> = (0..ACTIONS).map(candidate).collect();
        let list = |_| {
            Ok::<_, ()>(Candidates {
                first: first.clone(),
                rest: 0,
            })
        };
        tree.root.expand_to(&tree, ACTIONS, list).unwrap();
        let search = Search {
            root,
            seat,
            actions: Vec::new(),
            held_back: Vec::new(),
            hides: false,
            tree,
            budget: Budget::unlimited().shared(),
            scale: ScoreScale::default(),
            policy: MonteCarlo::new(Level::HIGHEST, 1).policy(),
            most_playout_actions: 0,
        };
        let edges: Vec<&Edge> = search.tree.root.edges().collect();
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut place = 0;
                while !is_over.load(Ordering::Relaxed) {
                    place = (place + 7_919) % edges.len();
                    edges[place].begin();
                    edges[place].end(place as u32);
                }
            });
            while edges.iter().any(|edge| edge.visits() == 0) {
                std::thread::yield_now();
            }
            let ranked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                for _ in 0..300 {
                    assert_eq!(search.ranked().len(), edges.len());
                }
            }));
            is_over.store(true, Ordering::Relaxed);
            ranked.unwrap();
        });
    }
}
