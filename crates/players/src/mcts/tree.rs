//! The tree: what all threads of a search share, and nothing else.
//!
//! Nodes and edges are only ever added, and count in atomic numbers, so that threads read without waiting for one another. Only who
//! opens more actions of a node takes its lock.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::node::Node;

#[derive(Debug)]
pub(super) struct Tree {
    pub(super) root: Box<Node>,
    bytes: AtomicUsize,
    most_bytes: usize,
}

impl Tree {
    /// The most actions from one root to the next that are gone along in the tree.
    const MOST_AWAY: u32 = 12;

    pub(super) fn new(root: Node, most_bytes: usize) -> Self {
        Self {
            root: Box::new(root),
            bytes: AtomicUsize::new(size_of::<Node>()),
            most_bytes,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    pub(super) fn has_room(&self) -> bool {
        self.bytes() < self.most_bytes
    }

    pub(super) fn grow(&self, bytes: usize) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(super) fn shrink(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// The part below the node that stands for a state, as a tree of its own, and the rest. `None` if there is no such node.
    pub(super) fn below(mut self, digest: u64) -> (Option<Self>, Self) {
        if self.root.is_exact && self.root.digest == digest {
            let rest = Self::new(Node::new(0, 0, self.root.seat, false), 0);
            return (Some(self), rest);
        }
        let mut found = self.root.take_below(digest, Self::MOST_AWAY);
        if let Some(node) = &mut found {
            // Other ways in which the action could have gone on.
            drop(node.sibling.take());
        }
        let part = found.map(|root| Self {
            bytes: AtomicUsize::new(root.bytes()),
            root,
            most_bytes: self.most_bytes,
        });
        (part, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcts::packed_action::PackedAction;
    use crate::mcts::prior::{Candidate, Candidates};
    use crate::mcts::selection_policy::SelectionPolicy;
    use crate::mcts::value::WHOLE;
    use boardwright_model::{Action, ActionId, CellId, Pick, SeatId};

    fn candidates(count: u16) -> Vec<Candidate> {
        let candidate = |index: u16| Candidate {
            action: PackedAction::new(&Action {
                seat: SeatId(0),
                action: ActionId(0),
                picks: [Pick::Cell(CellId(index))].into_iter().collect(),
            }),
            key: u32::from(index),
            initial_value: 1_000 - u32::from(index),
            prior: 0.0,
        };
        (0..count).map(candidate).collect()
    }

    /// So many candidates, of which as many are made ready as are asked for.
    fn listing(count: u16) -> impl FnMut(usize) -> Result<Candidates, &'static str> {
        move |most| {
            let mut first = candidates(count);
            first.truncate(most);
            let rest = usize::from(count) - first.len();
            Ok(Candidates { first, rest })
        }
    }

    fn tree() -> Tree {
        Tree::new(Node::new(0, 1, SeatId(0), true), 1 << 20)
    }

    fn opened(tree: &Tree, wanted: u32, of: u16) -> Vec<u32> {
        tree.root.expand_to(tree, wanted, listing(of)).unwrap();
        tree.root.edges().map(|edge| edge.key).collect()
    }

    #[test]
    fn actions_are_opened_best_first_and_those_beyond_the_shortlist_are_listed_when_their_turn_comes() {
        let tree = tree();
        assert_eq!(opened(&tree, 3, 100), [0, 1, 2]);
        tree.root.expand_to(&tree, 5, |_| Err("listed again")).unwrap();
        assert_eq!(tree.root.edges().map(|edge| edge.key).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert!(!tree.root.is_complete());
        assert_eq!(opened(&tree, 70, 100), (0..70).collect::<Vec<_>>());
        assert!(!tree.root.is_complete());
        assert_eq!(opened(&tree, 999, 0), (0..100).collect::<Vec<_>>());
        assert!(tree.root.is_complete());
        tree.root.expand_to(&tree, 9_999, |_| Err("listed again")).unwrap();
        assert_eq!(tree.bytes(), tree.root.bytes());
    }

    #[test]
    fn where_there_are_few_actions_all_are_opened_at_once() {
        assert_eq!(opened(&tree(), 1, 40).len(), 40);
        assert_eq!(opened(&tree(), 1, 41).len(), 1);
    }

    #[test]
    fn nobody_waits_for_a_thread_that_lists_the_actions_of_a_node() {
        let tree = tree();
        let meanwhile = |most| {
            tree.root.expand_to(&tree, 3, |_| Err("listed twice"))?;
            listing(100)(most)
        };
        tree.root.expand_to(&tree, 3, meanwhile).unwrap();
        assert_eq!(tree.root.open(), 3);
    }

    #[test]
    fn actions_that_are_open_are_not_opened_again() {
        let tree = tree();
        tree.root.expand_new(&tree, 2, candidates(4).into_iter());
        tree.root.expand_new(&tree, 9, candidates(6).into_iter());
        assert_eq!(tree.root.edges().map(|edge| edge.key).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn the_ways_in_which_an_action_goes_on_are_told_apart() {
        let tree = tree();
        opened(&tree, 1, 1);
        let edge = tree.root.edges().next().unwrap();
        for mark in [5, 6, 5, 7] {
            edge.add_child(&tree, Node::new(mark, mark, SeatId(1), true)).enter();
        }
        assert_eq!(edge.children().count(), 3);
        assert_eq!(edge.find_child(5).unwrap().visits(), 2);
        assert_eq!(edge.main_child().unwrap().mark, 5);
    }

    #[test]
    fn a_part_of_the_tree_is_taken_on_with_its_memory() {
        let tree = tree();
        opened(&tree, 4, 8);
        let edge = tree.root.edges().nth(2).unwrap();
        let child = edge.add_child(&tree, Node::new(0, 7, SeatId(1), true));
        child.expand_to(&tree, 8, listing(8)).unwrap();
        let grandchild = child.edges().nth(1).unwrap().add_child(&tree, Node::new(0, 8, SeatId(0), true));
        grandchild.expand_to(&tree, 2, listing(2)).unwrap();
        grandchild.enter();
        assert_eq!(tree.bytes(), tree.root.bytes());
        let (part, rest) = tree.below(8);
        let part = part.unwrap();
        assert_eq!((part.root.digest, part.root.visits(), part.root.edges().count()), (8, 1, 2));
        assert_eq!(part.bytes(), part.root.bytes());
        assert!(part.bytes() < rest.bytes());
        assert!(part.below(99).0.is_none());
    }

    #[test]
    fn a_visit_under_way_counts_as_lost_until_it_has_ended() {
        let policy = SelectionPolicy {
            exploration: 0.0,
            initial_visits: 2.0,
            uses_rave: false,
            c_puct: 0.0,
            rave_equivalence: SelectionPolicy::RAVE_EQUIVALENCE,
        };
        let tree = tree();
        opened(&tree, 1, 1);
        let edge = tree.root.edges().next().unwrap();
        edge.begin();
        edge.end(WHOLE);
        let before = policy.selection_score(&edge.statistics(), 1);
        edge.begin();
        let under_way = policy.selection_score(&edge.statistics(), 1);
        edge.end(WHOLE);
        let after = policy.selection_score(&edge.statistics(), 1);
        assert!(under_way < before && before < after, "{under_way} {before} {after}");
        edge.begin();
        edge.abandon();
        assert_eq!(edge.visits(), 2, "a visit that came to nothing is forgotten");
    }

    #[test]
    fn threads_that_add_the_same_node_meet_in_one() {
        let tree = tree();
        opened(&tree, 1, 1);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let edge = tree.root.edges().next().unwrap();
                    for mark in 0..100 {
                        edge.add_child(&tree, Node::new(mark, 0, SeatId(0), true)).enter();
                        edge.begin();
                        edge.end(3);
                    }
                });
            }
        });
        let edge = tree.root.edges().next().unwrap();
        assert_eq!((edge.children().count(), edge.visits(), edge.statistics().sum), (100, 400, 1_200));
        assert_eq!(tree.bytes(), tree.root.bytes());
    }
}
