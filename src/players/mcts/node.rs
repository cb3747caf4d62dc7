//! The tree: what all threads of a search share, and nothing else.
//!
//! Nodes and edges are only ever added, and count in atomic numbers, so that threads read without waiting for one another. Only who
//! opens more actions of a node takes its lock.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::formula::Known;
use super::packed::Packed;
use crate::model::SeatId;

/// A state, or where something is hidden or drawn all states that look alike, in which a seat acts.
#[derive(Debug)]
pub(super) struct Node {
    /// Tells apart the ways in which one action can go on: who acts then, and what was drawn.
    pub(super) mark: u64,
    /// The digest of the state; of the first one seen where there are several.
    pub(super) digest: u64,
    /// Who acts.
    pub(super) seat: SeatId,
    /// Whether it stands for one state alone, so that its legal actions are always the same.
    pub(super) is_exact: bool,
    visits: AtomicU32,
    /// How many actions are open.
    open: AtomicU32,
    /// Whether nothing waits to be opened.
    is_complete: AtomicBool,
    first: OnceLock<Box<Block>>,
    /// The actions still to be opened, the best first. `None` before the first look.
    waiting: Mutex<Option<Waiting>>,
    /// Another way in which the same action can go on.
    sibling: OnceLock<Box<Node>>,
}

/// Actions opened together.
#[derive(Debug)]
struct Block {
    edges: Box<[Edge]>,
    next: OnceLock<Box<Block>>,
}

/// An action of a node that may be tried.
#[derive(Debug)]
pub(super) struct Edge {
    /// The action; empty where states differ in what it is made of.
    pub(super) action: Packed,
    /// The key by which it is known again.
    pub(super) key: u32,
    prior: u32,
    visits: AtomicU32,
    later_visits: AtomicU32,
    /// How often it was there to be tried.
    chances: AtomicU32,
    sum: AtomicU64,
    later_sum: AtomicU64,
    child: OnceLock<Box<Node>>,
}

/// Actions that wait to be opened, the next one last.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    bytes: Vec<u8>,
    /// Where the bytes of each action begin, its key and prior.
    actions: Vec<(u32, u32, u32)>,
}

/// An action before it is opened.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) action: Packed,
    pub(super) key: u32,
    /// What it is expected to bring, as a worth.
    pub(super) prior: u32,
}

impl Waiting {
    /// Takes in candidates, the best first.
    pub(super) fn new(candidates: &[Candidate]) -> Self {
        let mut waiting = Self::default();
        for candidate in candidates.iter().rev() {
            let start = waiting.bytes.len() as u32;
            waiting.bytes.extend_from_slice(candidate.action.bytes());
            waiting.actions.push((start, candidate.key, candidate.prior));
        }
        waiting.bytes.shrink_to_fit();
        waiting.actions.shrink_to_fit();
        waiting
    }

    fn next(&mut self) -> Option<Candidate> {
        let (start, key, prior) = self.actions.pop()?;
        let action = Packed::from_bytes(self.bytes.get(start as usize..).unwrap_or_default());
        self.bytes.truncate(start as usize);
        Some(Candidate { action, key, prior })
    }

    fn heap_bytes(&self) -> usize {
        self.bytes.capacity() + self.actions.capacity() * size_of::<(u32, u32, u32)>()
    }
}

impl Edge {
    fn new(candidate: Candidate) -> Self {
        Self {
            action: candidate.action,
            key: candidate.key,
            prior: candidate.prior,
            visits: AtomicU32::new(0),
            later_visits: AtomicU32::new(0),
            chances: AtomicU32::new(0),
            sum: AtomicU64::new(0),
            later_sum: AtomicU64::new(0),
            child: OnceLock::new(),
        }
    }

    /// What is known about it.
    pub(super) fn known(&self) -> Known {
        Known {
            visits: self.visits(),
            sum: self.sum.load(Ordering::Relaxed),
            later_visits: self.later_visits.load(Ordering::Relaxed),
            later_sum: self.later_sum.load(Ordering::Relaxed),
            prior: self.prior,
            markdown: 0,
        }
    }

    /// How often it was tried.
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    /// How often it was there to be tried, where that is not always.
    pub(super) fn chances(&self) -> u32 {
        self.chances.load(Ordering::Relaxed)
    }

    /// Notes that it was there to be tried.
    pub(super) fn note_chance(&self) {
        self.chances.fetch_add(1, Ordering::Relaxed);
    }

    /// Begins a try, which counts as lost until it has ended: other threads look elsewhere meanwhile.
    pub(super) fn begin(&self) {
        self.visits.fetch_add(1, Ordering::Relaxed);
    }

    /// A try that was begun comes to nothing.
    pub(super) fn abandon(&self) {
        self.visits.fetch_sub(1, Ordering::Relaxed);
    }

    /// A try that was begun has ended.
    pub(super) fn end(&self, worth: u32) {
        self.sum.fetch_add(u64::from(worth), Ordering::Relaxed);
    }

    /// The rules refuse it after all: it is never tried again.
    pub(super) fn refuse(&self) {
        self.visits.store(u32::MAX / 2, Ordering::Relaxed);
    }

    /// Whether the rules have refused it.
    pub(super) fn is_refused(&self) -> bool {
        self.visits() >= u32::MAX / 4
    }

    /// It was played later in a match that went on from its node.
    pub(super) fn note_later(&self, worth: u32) {
        self.later_visits.fetch_add(1, Ordering::Relaxed);
        self.later_sum.fetch_add(u64::from(worth), Ordering::Relaxed);
    }

    /// The node it leads to, by its mark.
    pub(super) fn find_child(&self, mark: u64) -> Option<&Node> {
        let mut node = self.child.get();
        while let Some(found) = node {
            if found.mark == mark {
                return Some(found);
            }
            node = found.sibling.get();
        }
        None
    }

    /// The node it leads to most often.
    pub(super) fn main_child(&self) -> Option<&Node> {
        let all = std::iter::successors(self.child.get(), |node| node.sibling.get());
        all.max_by_key(|node| node.visits()).map(|node| &**node)
    }

    /// How many nodes it leads to.
    pub(super) fn child_count(&self) -> usize {
        std::iter::successors(self.child.get(), |node| node.sibling.get()).count()
    }

    /// Puts a node behind it. Another thread may have been sooner: then that one's node stays, and counts.
    pub(super) fn add_child(&self, tree: &Tree, node: Node) -> &Node {
        let mark = node.mark;
        let mut node = Some(Box::new(node));
        let mut place = &self.child;
        loop {
            let found = place.get_or_init(|| {
                tree.grow(size_of::<Node>());
                // There is one: it is taken in the one place that is empty.
                node.take().unwrap_or_else(|| Box::new(Node::new(mark, 0, SeatId(0), false)))
            });
            if found.mark == mark {
                return found;
            }
            place = &found.sibling;
        }
    }
}

impl Node {
    /// So many actions are opened at once.
    pub(super) const FEW: usize = 40;

    pub(super) fn new(mark: u64, digest: u64, seat: SeatId, is_exact: bool) -> Self {
        Self {
            mark,
            digest,
            seat,
            is_exact,
            visits: AtomicU32::new(0),
            open: AtomicU32::new(0),
            is_complete: AtomicBool::new(false),
            first: OnceLock::new(),
            waiting: Mutex::new(None),
            sibling: OnceLock::new(),
        }
    }

    /// How often a match went through it.
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    /// A match goes through it.
    pub(super) fn enter(&self) {
        self.visits.fetch_add(1, Ordering::Relaxed);
    }

    /// A match that went through it comes to nothing.
    pub(super) fn abandon(&self) {
        self.visits.fetch_sub(1, Ordering::Relaxed);
    }

    /// The open actions.
    pub(super) fn edges(&self) -> impl Iterator<Item = &Edge> {
        let blocks = std::iter::successors(self.first.get(), |block| block.next.get());
        blocks.flat_map(|block| block.edges.iter())
    }

    /// How many actions are open.
    pub(super) fn open(&self) -> u32 {
        self.open.load(Ordering::Acquire)
    }

    /// Whether all actions are open, as far as is known.
    pub(super) fn is_complete(&self) -> bool {
        self.is_complete.load(Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, Option<Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens actions of a node that stands for one state until so many are open; all of them where there are few. `list` makes the
    /// candidates, the best first, and is called by the first to come here.
    pub(super) fn open_until<E>(&self, tree: &Tree, wanted: u32, list: impl FnOnce() -> Result<Vec<Candidate>, E>) -> Result<(), E> {
        let mut waiting = self.lock();
        let open = self.open();
        if open >= wanted || self.is_complete() {
            return Ok(());
        }
        let mut wanted = wanted;
        let waiting = match &mut *waiting {
            Some(waiting) => waiting,
            nothing => {
                let candidates = list()?;
                if candidates.len() <= Self::FEW {
                    wanted = Self::FEW as u32;
                }
                nothing.insert(Waiting::new(&candidates))
            }
        };
        let before = waiting.heap_bytes();
        let next: Vec<Candidate> = std::iter::from_fn(|| waiting.next()).take((wanted - open) as usize).collect();
        if waiting.actions.is_empty() {
            *waiting = Waiting::default();
            self.is_complete.store(true, Ordering::Relaxed);
        }
        if open == 0 {
            tree.grow(waiting.heap_bytes());
        } else {
            tree.shrink(before - waiting.heap_bytes().min(before));
        }
        self.append(tree, next);
        Ok(())
    }

    /// Opens actions that are not open yet, up to a number of open ones.
    pub(super) fn open_new(&self, tree: &Tree, wanted: u32, candidates: impl Iterator<Item = Candidate>) {
        let _guard = self.lock();
        let mut new: Vec<Candidate> = Vec::new();
        let mut room = wanted.saturating_sub(self.open()) as usize;
        for candidate in candidates {
            if room == 0 {
                break;
            }
            if self.edges().all(|edge| edge.key != candidate.key) && new.iter().all(|other| other.key != candidate.key) {
                new.push(candidate);
                room -= 1;
            }
        }
        self.append(tree, new);
    }

    /// Appends actions. The caller holds the lock.
    fn append(&self, tree: &Tree, candidates: Vec<Candidate>) {
        if candidates.is_empty() {
            return;
        }
        let count = candidates.len() as u32;
        let edges: Box<[Edge]> = candidates.into_iter().map(Edge::new).collect();
        let heap: usize = edges.iter().map(|edge| edge.action.heap_bytes()).sum();
        tree.grow(size_of::<Block>() + size_of_val(&*edges) + heap);
        let mut block = Some(Box::new(Block {
            edges,
            next: OnceLock::new(),
        }));
        let mut place = &self.first;
        while block.is_some() {
            let found = place.get_or_init(|| {
                block.take().unwrap_or_else(|| {
                    Box::new(Block {
                        edges: Box::default(),
                        next: OnceLock::new(),
                    })
                })
            });
            place = &found.next;
        }
        self.open.fetch_add(count, Ordering::Release);
    }

    /// The memory it takes with all below it.
    fn bytes(&self) -> usize {
        let waiting = self.lock().as_ref().map_or(0, Waiting::heap_bytes);
        let blocks = std::iter::successors(self.first.get(), |block| block.next.get());
        let blocks = blocks.map(|block| size_of::<Block>() + size_of_val(&*block.edges)).sum::<usize>();
        let below = |edge: &Edge| {
            let children = std::iter::successors(edge.child.get(), |node| node.sibling.get());
            edge.action.heap_bytes() + children.map(|node| node.bytes()).sum::<usize>()
        };
        size_of::<Self>() + waiting + blocks + self.edges().map(below).sum::<usize>()
    }

    /// Takes out a node below that stands for a state, at most so many actions away.
    fn take_below(&mut self, digest: u64, away: u32) -> Option<Box<Self>> {
        let mut block = self.first.get_mut();
        while let Some(found) = block {
            for edge in &mut found.edges {
                let mut place = &mut edge.child;
                while place.get().is_some() {
                    if place.get().is_some_and(|node| node.is_exact && node.digest == digest) {
                        return place.take();
                    }
                    let Some(node) = place.get_mut() else { break };
                    if away > 1
                        && let Some(below) = node.take_below(digest, away - 1)
                    {
                        return Some(below);
                    }
                    place = &mut node.sibling;
                }
            }
            block = found.next.get_mut();
        }
        None
    }
}

/// The tree with its memory.
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

    /// The memory it takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Whether more nodes may be added.
    pub(super) fn has_room(&self) -> bool {
        self.bytes() < self.most_bytes
    }

    fn grow(&self, bytes: usize) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    fn shrink(&self, bytes: usize) {
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
    use crate::model::{Action, ActionId, CellId, Pick};

    fn candidates(count: u16) -> Vec<Candidate> {
        let candidate = |index: u16| Candidate {
            action: Packed::new(&Action {
                seat: SeatId(0),
                action: ActionId(0),
                picks: [Pick::Cell(CellId(index))].into_iter().collect(),
            }),
            key: u32::from(index),
            prior: 1_000 - u32::from(index),
        };
        (0..count).map(candidate).collect()
    }

    fn tree() -> Tree {
        Tree::new(Node::new(0, 1, SeatId(0), true), 1 << 20)
    }

    fn opened(tree: &Tree, wanted: u32, of: u16) -> Vec<u32> {
        tree.root.open_until(tree, wanted, || Ok::<_, ()>(candidates(of))).unwrap();
        tree.root.edges().map(|edge| edge.key).collect()
    }

    #[test]
    fn actions_are_opened_best_first_and_listed_once() {
        let tree = tree();
        assert_eq!(opened(&tree, 3, 100), [0, 1, 2]);
        tree.root.open_until(&tree, 5, || Err("listed again")).unwrap();
        assert_eq!(tree.root.edges().map(|edge| edge.key).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert!(!tree.root.is_complete());
        assert_eq!(opened(&tree, 999, 0).len(), 100);
        assert!(tree.root.is_complete());
        tree.root.open_until(&tree, 9_999, || Err("listed again")).unwrap();
        assert_eq!(tree.bytes(), tree.root.bytes());
    }

    #[test]
    fn where_there_are_few_actions_all_are_opened_at_once() {
        assert_eq!(opened(&tree(), 1, 40).len(), 40);
        assert_eq!(opened(&tree(), 1, 41).len(), 1);
    }

    #[test]
    fn actions_that_are_open_are_not_opened_again() {
        let tree = tree();
        tree.root.open_new(&tree, 2, candidates(4).into_iter());
        tree.root.open_new(&tree, 9, candidates(6).into_iter());
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
        assert_eq!(edge.child_count(), 3);
        assert_eq!(edge.find_child(5).unwrap().visits(), 2);
        assert_eq!(edge.main_child().unwrap().mark, 5);
    }

    #[test]
    fn a_part_of_the_tree_is_taken_on_with_its_memory() {
        let tree = tree();
        opened(&tree, 4, 8);
        let edge = tree.root.edges().nth(2).unwrap();
        let child = edge.add_child(&tree, Node::new(0, 7, SeatId(1), true));
        child.open_until(&tree, 8, || Ok::<_, ()>(candidates(8))).unwrap();
        let grandchild = child.edges().nth(1).unwrap().add_child(&tree, Node::new(0, 8, SeatId(0), true));
        grandchild.open_until(&tree, 2, || Ok::<_, ()>(candidates(2))).unwrap();
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
        assert_eq!((edge.child_count(), edge.visits(), edge.known().sum), (100, 400, 1_200));
        assert_eq!(tree.bytes(), tree.root.bytes());
    }
}
