//! A node of the tree: a state in which a seat acts, with the actions that are open to be tried.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::edge::Edge;
use super::tree::Tree;
use super::waiting::{Candidate, Waiting};
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
    pub(super) sibling: OnceLock<Box<Node>>,
}

/// Actions opened together.
#[derive(Debug)]
struct Block {
    edges: Box<[Edge]>,
    next: OnceLock<Box<Block>>,
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
    pub(super) fn bytes(&self) -> usize {
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
    pub(super) fn take_below(&mut self, digest: u64, away: u32) -> Option<Box<Self>> {
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
