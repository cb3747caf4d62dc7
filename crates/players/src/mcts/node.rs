//! A node of the tree: a state in which a seat acts, with its expanded and unexpanded actions.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};

use super::edge::Edge;
use super::packed_action::PackedAction;
use super::prior::{Candidate, Candidates};
use super::tree::Tree;
use boardwright_model::SeatId;

/// A state, or where something is hidden or drawn all states that look alike, in which a seat acts.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// Tells apart the ways in which one action can go on: who acts then, and what was drawn.
    pub(super) mark: u64,
    /// The digest of the state; of the first one seen where there are several.
    pub(super) digest: u64,
    pub(super) seat: SeatId,
    /// Whether it stands for one state alone, so that its legal actions are always the same.
    pub(super) is_exact: bool,
    visits: AtomicU32,
    open: AtomicU32,
    /// Whether nothing waits to be opened.
    is_complete: AtomicBool,
    first: OnceLock<Box<Block>>,
    /// The actions still to be opened, the best first. `None` before the first look.
    unexpanded: Mutex<Option<UnexpandedChildren>>,
    /// Another way in which the same action can go on.
    pub(super) sibling: OnceLock<Box<Node>>,
}

#[derive(Debug, Default)]
struct Block {
    edges: Box<[Edge]>,
    next: OnceLock<Box<Block>>,
}

impl Node {
    /// So many actions are opened at once.
    pub(super) const FEW: usize = 40;
    /// So many actions are made ready at first; the others when these are open.
    const SHORTLIST: usize = 64;

    pub(super) fn new(mark: u64, digest: u64, seat: SeatId, is_exact: bool) -> Self {
        Self {
            mark,
            digest,
            seat,
            is_exact,
            ..Self::default()
        }
    }

    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    pub(super) fn enter(&self) {
        self.visits.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn abandon(&self) {
        self.visits.fetch_sub(1, Ordering::Relaxed);
    }

    pub(super) fn edges(&self) -> impl Iterator<Item = &Edge> {
        let blocks = std::iter::successors(self.first.get(), |block| block.next.get());
        blocks.flat_map(|block| block.edges.iter())
    }

    pub(super) fn open(&self) -> u32 {
        self.open.load(Ordering::Acquire)
    }

    /// Whether all actions are open, as far as is known.
    pub(super) fn is_complete(&self) -> bool {
        self.is_complete.load(Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, Option<UnexpandedChildren>> {
        self.unexpanded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens actions of a node that stands for one state until so many are open; all of them where there are few. `list` makes so many
    /// candidates, the best first, and is called when there are none or no more. While another thread opens some nothing is done: listing
    /// takes as long as a simulation, and there is enough to do elsewhere.
    pub(super) fn expand_to<E>(&self, tree: &Tree, wanted: u32, mut list: impl FnMut(usize) -> Result<Candidates, E>) -> Result<(), E> {
        let mut unexpanded = match self.unexpanded.try_lock() {
            Ok(unexpanded) => unexpanded,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(()),
        };
        let open = self.open();
        if open >= wanted || self.is_complete() {
            return Ok(());
        }
        let mut wanted = wanted;
        let before = unexpanded.as_ref().map_or(0, UnexpandedChildren::heap_bytes);
        let unexpanded = match &mut *unexpanded {
            Some(unexpanded) => unexpanded,
            nothing => {
                let candidates = list(Self::SHORTLIST)?;
                if candidates.first.len() <= Self::FEW {
                    wanted = Self::FEW as u32;
                }
                nothing.insert(UnexpandedChildren::new(&candidates))
            }
        };
        let mut next: Vec<Candidate> = std::iter::from_fn(|| unexpanded.next()).take((wanted - open) as usize).collect();
        if unexpanded.actions.is_empty() && unexpanded.rest > 0 && next.len() < (wanted - open) as usize {
            let mut all = list(usize::MAX)?;
            all.first.retain(|candidate| {
                next.iter().all(|taken| taken.key != candidate.key) && self.edges().all(|edge| edge.key != candidate.key)
            });
            *unexpanded = UnexpandedChildren::new(&all);
            next.extend(std::iter::from_fn(|| unexpanded.next()).take((wanted - open) as usize - next.len()));
        }
        if unexpanded.actions.is_empty() && unexpanded.rest == 0 {
            *unexpanded = UnexpandedChildren::default();
            self.is_complete.store(true, Ordering::Relaxed);
        }
        let after = unexpanded.heap_bytes();
        tree.grow(after.saturating_sub(before));
        tree.shrink(before.saturating_sub(after));
        self.append(tree, next);
        Ok(())
    }

    /// Opens actions that are not open yet, up to a number of open ones.
    pub(super) fn expand_new(&self, tree: &Tree, wanted: u32, candidates: impl Iterator<Item = Candidate>) {
        let _guard = self.lock();
        let room = wanted.saturating_sub(self.open()) as usize;
        let is_new = |candidate: &Candidate| self.edges().all(|edge| edge.key != candidate.key);
        self.append(tree, candidates.filter(is_new).take(room).collect());
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
            place = &place.get_or_init(|| block.take().unwrap_or_default()).next;
        }
        self.open.fetch_add(count, Ordering::Release);
    }

    pub(super) fn bytes(&self) -> usize {
        let unexpanded = self.lock().as_ref().map_or(0, UnexpandedChildren::heap_bytes);
        let blocks = std::iter::successors(self.first.get(), |block| block.next.get());
        let blocks = blocks.map(|block| size_of::<Block>() + size_of_val(&*block.edges)).sum::<usize>();
        let below = |edge: &Edge| edge.action.heap_bytes() + edge.children().map(Self::bytes).sum::<usize>();
        size_of::<Self>() + unexpanded + blocks + self.edges().map(below).sum::<usize>()
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

/// Actions that are not expanded yet, in little room, the next one last.
#[derive(Debug, Default)]
pub(super) struct UnexpandedChildren {
    bytes: Vec<u8>,
    /// Where the bytes of each action begin, its key, initial value and prior.
    pub(super) actions: Vec<(u32, u32, u32, f32)>,
    /// How many more there are, which are still to be listed.
    rest: usize,
}

impl UnexpandedChildren {
    pub(super) fn new(candidates: &Candidates) -> Self {
        let mut unexpanded = Self {
            rest: candidates.rest,
            ..Self::default()
        };
        for candidate in candidates.first.iter().rev() {
            let start = unexpanded.bytes.len() as u32;
            unexpanded.bytes.extend_from_slice(candidate.action.bytes());
            unexpanded
                .actions
                .push((start, candidate.key, candidate.initial_value, candidate.prior));
        }
        unexpanded.bytes.shrink_to_fit();
        unexpanded.actions.shrink_to_fit();
        unexpanded
    }

    pub(super) fn next(&mut self) -> Option<Candidate> {
        let (start, key, initial_value, prior) = self.actions.pop()?;
        let action = PackedAction::from_bytes(self.bytes.get(start as usize..).unwrap_or_default());
        self.bytes.truncate(start as usize);
        Some(Candidate {
            action,
            key,
            initial_value,
            prior,
        })
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.bytes.capacity() + self.actions.capacity() * size_of::<(u32, u32, u32, f32)>()
    }
}
