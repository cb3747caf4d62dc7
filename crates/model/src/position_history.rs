//! The positions of the past, so that rules can speak of repetition.

use std::sync::{Arc, OnceLock};

use super::digest::{Digests, mix};
use super::{Displacement, SeatId};

const PAST: u64 = 11;

/// The positions that stood at the beginning of each turn. The newest are held here, so that a turn costs no memory of its own; those before
/// them in chunks that all clones share, so that cloning costs the same whatever the length.
#[derive(Clone, Default)]
pub(super) struct PositionHistory {
    before: Chunks,
    /// In the order in which they stood.
    newest: Vec<CountedTurn>,
    /// Which positions there may be among the newest within reach: one whose bit is not set is not there.
    seen: Seen,
}

/// A set of positions that may say yes too often, but never no too often. Most positions are new; this spares the walk back through the turns.
#[derive(Clone, Copy, Default)]
struct Seen([u64; 8]);

impl Seen {
    fn may_hold(self, position: u64) -> bool {
        let (word, bit) = Self::place(position);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }

    fn add(&mut self, position: u64) {
        let (word, bit) = Self::place(position);
        if let Some(word) = self.0.get_mut(word) {
            *word |= bit;
        }
    }

    fn place(position: u64) -> (usize, u64) {
        ((position >> 6) as usize % 8, 1 << (position % 64))
    }
}

#[derive(Clone, Copy)]
struct CountedTurn {
    position: u64,
    /// The keys of this turn and all before it, folded.
    chain: u64,
    /// How many turns back the same position may be found.
    reach: u32,
    times: u32,
    displacement: Option<(SeatId, Displacement)>,
}

/// The chunks of turns, the newest first.
#[derive(Clone, Default)]
struct Chunks(Option<Arc<Chunk>>);

struct Chunk {
    turns: Vec<CountedTurn>,
    /// How often each position within reach had stood when the last of the turns began, once someone asks: so that a turn costs the same however long
    /// the match is.
    counts: OnceLock<Counts>,
    before: Chunks,
}

/// How often positions have stood: a tree over their bits, of which a change copies only the way to one leaf. Older turns keep the
/// trees they had.
#[derive(Clone, Default)]
struct Counts(Option<Arc<CountsNode>>);

enum CountsNode {
    Leaf { position: u64, times: u32 },
    Branch([Counts; 2]),
}

impl Counts {
    fn side(position: u64, depth: u32) -> usize {
        (position.rotate_right(depth) & 1) as usize
    }

    fn get(&self, position: u64, depth: u32) -> u32 {
        match self.0.as_deref() {
            Some(CountsNode::Leaf { position: found, times }) if *found == position => *times,
            Some(CountsNode::Branch(sides)) => sides
                .get(Self::side(position, depth))
                .map_or(0, |side| side.get(position, depth + 1)),
            _ => 0,
        }
    }

    /// The same with a position counted once more.
    fn with(&self, position: u64, depth: u32) -> Self {
        let node = match self.0.as_deref() {
            None => CountsNode::Leaf { position, times: 1 },
            Some(CountsNode::Leaf { position: found, times }) if *found == position => CountsNode::Leaf {
                position,
                times: times + 1,
            },
            Some(CountsNode::Leaf { position: found, .. }) => {
                let mut sides = [Self::default(), Self::default()];
                if let Some(side) = sides.get_mut(Self::side(*found, depth)) {
                    *side = self.clone();
                }
                return Self(Some(Arc::new(CountsNode::Branch(sides)))).with(position, depth);
            }
            Some(CountsNode::Branch(sides)) => {
                let mut sides = sides.clone();
                if let Some(side) = sides.get_mut(Self::side(position, depth)) {
                    *side = side.with(position, depth + 1);
                }
                CountsNode::Branch(sides)
            }
        };
        Self(Some(Arc::new(node)))
    }
}

impl PositionHistory {
    /// How many turns make a chunk. Twice as many are held beside the chunks before one is made: whoever goes back and forth makes no new one
    /// each time.
    const CHUNK: usize = 64;

    /// The turns, newest first.
    fn turns(&self) -> impl Iterator<Item = &CountedTurn> {
        self.newest.iter().rev().chain(self.before.turns())
    }

    pub(super) fn push(&mut self, position: u64, fresh: bool, displacement: Option<(SeatId, Displacement)>) {
        let last = self.last();
        let chain = mix(self.chain(), position);
        let reach = last.filter(|_| !fresh).map_or(0, |turn| turn.reach + 1);
        if reach == 0 {
            self.seen = Seen::default();
        }
        let lately = if self.seen.may_hold(position) {
            let within = self.newest.len().saturating_sub(reach as usize);
            let newest = self.newest.iter().skip(within);
            newest.filter(|turn| turn.position == position).count() as u32
        } else {
            0
        };
        let earlier = if reach as usize > self.newest.len() {
            self.before.counts().get(position, 0)
        } else {
            0
        };
        if self.newest.len() == 2 * Self::CHUNK {
            let turns = self.newest.drain(..Self::CHUNK).collect();
            self.before.add(turns);
            self.see_newest();
        }
        self.seen.add(position);
        self.newest.push(CountedTurn {
            position,
            chain,
            reach,
            times: 1 + lately + earlier,
            displacement,
        });
    }

    pub(super) fn pop(&mut self) {
        let popped = self.newest.pop();
        // Before a turn that began afresh others are within reach.
        let brings_back = popped.is_some_and(|turn| turn.reach == 0);
        if self.newest.is_empty()
            && let Some(chunk) = self.before.0.take()
        {
            self.newest.extend_from_slice(&chunk.turns);
            self.before.clone_from(&chunk.before);
            self.see_newest();
        } else if brings_back {
            self.see_newest();
        }
    }

    fn see_newest(&mut self) {
        self.seen = Seen::default();
        self.newest.iter().for_each(|turn| self.seen.add(turn.position));
    }

    fn last(&self) -> Option<&CountedTurn> {
        // There are chunks only below turns of their own: see `pop`.
        self.newest.last()
    }

    fn chain(&self) -> u64 {
        self.last().map_or(0, |turn| turn.chain)
    }

    pub(super) fn key(&self) -> Digests {
        Digests::all_only(self.last().map_or(0, |turn| mix(PAST, turn.chain)))
    }

    /// What a seat moved in its last turn, looked for `turns` turns back.
    pub(super) fn displacement(&self, seat: SeatId, turns: usize) -> Option<Displacement> {
        let mut moved = self.turns().take(turns).filter_map(|turn| turn.displacement);
        moved.find(|(mover, _)| *mover == seat).map(|(_, displacement)| displacement)
    }

    /// How many times the newest position has stood, counting now.
    pub(super) fn times(&self) -> u32 {
        self.last().map_or(0, |turn| turn.times)
    }
}

impl Chunks {
    /// The turns, newest first.
    fn turns(&self) -> impl Iterator<Item = &CountedTurn> {
        let chunks = std::iter::successors(self.0.as_deref(), |chunk| chunk.before.0.as_deref());
        chunks.flat_map(|chunk| chunk.turns.iter().rev())
    }

    /// How often each position within the reach of the last turn has stood.
    fn counts(&self) -> Counts {
        let Some(chunk) = &self.0 else { return Counts::default() };
        let count = || {
            let fresh = chunk.turns.iter().rposition(|turn| turn.reach == 0);
            let (counts, first) = fresh.map_or_else(|| (chunk.before.counts(), 0), |fresh| (Counts::default(), fresh));
            let turns = chunk.turns.iter().skip(first);
            turns.fold(counts, |counts, turn| counts.with(turn.position, 0))
        };
        chunk.counts.get_or_init(count).clone()
    }

    /// Adds the turns that follow.
    fn add(&mut self, turns: Vec<CountedTurn>) {
        let chunk = Chunk {
            turns,
            counts: OnceLock::new(),
            before: std::mem::take(self),
        };
        self.0 = Some(Arc::new(chunk));
    }
}

impl Drop for Chunks {
    /// Taken apart one by one: dropping a long chain recursively would overflow the stack.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(chunk) = next {
            next = Arc::into_inner(chunk).and_then(|mut chunk| chunk.before.0.take());
        }
    }
}

impl PartialEq for PositionHistory {
    fn eq(&self, other: &Self) -> bool {
        self.chain() == other.chain()
    }
}

impl std::fmt::Debug for PositionHistory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PositionHistory({:016x})", self.chain())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_counted_back_to_the_last_fresh_turn() {
        let mut history = PositionHistory::default();
        for (position, fresh) in [(1, true), (2, false), (1, false), (2, false), (1, false)] {
            history.push(position, fresh, None);
        }
        assert_eq!(history.times(), 3);
        history.pop();
        assert_eq!(history.times(), 2);
        history.push(7, true, None);
        history.push(1, false, None);
        assert_eq!(history.times(), 1);
    }

    #[test]
    fn a_long_past_is_dropped_without_recursion() {
        let mut history = PositionHistory::default();
        for turn in 0..3_000_000 {
            history.push(turn, turn % 100 == 0, None);
        }
        let shared = history.clone();
        drop(history);
        assert_eq!(shared.times(), 1);
    }

    #[test]
    fn long_pasts_count_as_short_ones_do() {
        let mut history = PositionHistory::default();
        let mut stood: Vec<u64> = Vec::new();
        let mut state = 1u64;
        for turn in 0..2_000u64 {
            state = mix(state, turn);
            let position = mix(state % 300, 7);
            let fresh = turn == 5 || turn == 900;
            if fresh {
                stood.clear();
            }
            stood.push(position);
            history.push(position, fresh, None);
            let times = stood.iter().filter(|other| **other == position).count() as u32;
            assert_eq!(history.times(), times, "turn {turn}");
            if turn % 97 == 0 {
                history.pop();
                stood.pop();
                history.push(position, fresh, None);
                stood.push(position);
                assert_eq!(history.times(), times);
            }
        }
    }

    #[test]
    fn whoever_goes_far_back_and_on_again_counts_the_same() {
        let positions: Vec<(u64, bool)> = (0..700u64).map(|turn| (mix(turn % 90, 3), turn % 250 == 0)).collect();
        let mut history = PositionHistory::default();
        let mut told = vec![(history.chain(), history.times())];
        for (position, fresh) in &positions {
            history.push(*position, *fresh, None);
            told.push((history.chain(), history.times()));
        }
        for back in [1, 64, 65, 128, 129, 300, 700] {
            let mut other = history.clone();
            for left in (positions.len() - back..positions.len()).rev() {
                other.pop();
                assert_eq!((other.chain(), other.times()), told[left]);
            }
            for (index, (position, fresh)) in positions.iter().enumerate().skip(positions.len() - back) {
                other.push(*position, *fresh, None);
                assert_eq!((other.chain(), other.times()), told[index + 1]);
            }
        }
        history.pop();
        PositionHistory::default().pop();
    }
}
