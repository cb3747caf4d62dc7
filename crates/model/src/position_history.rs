//! The positions of the past, so that rules can speak of repetition.

use std::sync::Arc;

use super::digest::{Digests, mix};
use super::{Displacement, SeatId};

const PAST: u64 = 11;

/// The positions that stood at the beginning of each turn, newest first. Cloning is free, whatever the length.
#[derive(Clone, Default)]
pub(super) struct PositionHistory(Option<Arc<CountedTurn>>);

struct CountedTurn {
    position: u64,
    /// The keys of this turn and all before it, folded.
    chain: u64,
    /// How many turns back the same position may be found.
    reach: u32,
    times: u32,
    /// How often each position within reach has stood, but for those of the newest turns: the tree is brought up to date once in
    /// [`PositionHistory::TAIL`] turns, so that a turn usually costs the same however long the match is.
    counts: Counts,
    /// Which positions there may be in the turns not yet counted, this one included: a position whose bit is not set is not there.
    seen: Seen,
    displacement: Option<(SeatId, Displacement)>,
    before: PositionHistory,
}

/// A set of positions that may say yes too often, but never no too often. Most positions are new; this spares the walk back
/// through the turns, which costs a cache miss each.
#[derive(Clone, Copy, Default)]
struct Seen([u64; 8]);

impl Seen {
    fn place(position: u64) -> (usize, u64) {
        ((position >> 6) as usize % 8, 1 << (position % 64))
    }

    fn may_hold(self, position: u64) -> bool {
        let (word, bit) = Self::place(position);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }

    fn with(mut self, position: u64) -> Self {
        let (word, bit) = Self::place(position);
        if let Some(word) = self.0.get_mut(word) {
            *word |= bit;
        }
        self
    }
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
    /// The most turns that are not in the tree yet and are walked through one by one.
    const TAIL: u32 = 64;

    /// The counts of the newest turn, with those of so many turns added.
    fn counts(&self, turns: u32) -> Counts {
        let counts = self.0.as_ref().map_or_else(Counts::default, |turn| turn.counts.clone());
        let newest = self.turns().take(turns as usize);
        newest.fold(counts, |counts, turn| counts.with(turn.position, 0))
    }

    /// The turns, newest first.
    fn turns(&self) -> impl Iterator<Item = &CountedTurn> {
        std::iter::successors(self.0.as_deref(), |turn| turn.before.0.as_deref())
    }

    pub(super) fn push(&mut self, position: u64, fresh: bool, displacement: Option<(SeatId, Displacement)>) {
        let before = Self(self.0.take());
        let within = before.0.as_ref().filter(|_| !fresh);
        let reach = within.map_or(0, |turn| turn.reach + 1);
        let tail = reach % Self::TAIL;
        let (counts, seen) = match within {
            Some(_) if tail == 0 => (before.counts(Self::TAIL), Seen::default()),
            Some(turn) => (turn.counts.clone(), turn.seen),
            None => Default::default(),
        };
        let lately = if seen.may_hold(position) { before.count(position, tail) } else { 0 };
        let times = 1 + lately + counts.get(position, 0);
        let chain = mix(before.chain(), position);
        let seen = seen.with(position);
        self.0 = Some(Arc::new(CountedTurn {
            position,
            chain,
            reach,
            times,
            counts,
            seen,
            displacement,
            before,
        }));
    }

    pub(super) fn pop(&mut self) {
        if let Some(turn) = self.0.take() {
            self.0.clone_from(&turn.before.0);
        }
    }

    fn chain(&self) -> u64 {
        self.0.as_ref().map_or(0, |turn| turn.chain)
    }

    pub(super) fn key(&self) -> Digests {
        Digests::all_only(self.0.as_ref().map_or(0, |turn| mix(PAST, turn.chain)))
    }

    /// What a seat moved in its last turn, looked for `turns` turns back.
    pub(super) fn displacement(&self, seat: SeatId, turns: usize) -> Option<Displacement> {
        let mut moved = self.turns().take(turns).filter_map(|turn| turn.displacement);
        moved.find(|(mover, _)| *mover == seat).map(|(_, displacement)| displacement)
    }

    /// How many times a position has stood in the newest turns.
    fn count(&self, position: u64, turns: u32) -> u32 {
        let newest = self.turns().take(turns as usize);
        newest.filter(|turn| turn.position == position).count() as u32
    }

    /// How many times the newest position has stood, counting now.
    pub(super) fn times(&self) -> u32 {
        self.0.as_ref().map_or(0, |turn| turn.times)
    }
}

impl Drop for PositionHistory {
    /// Taken apart one turn at a time: dropping a chain of ten thousand turns recursively would overflow the stack.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(turn) = next {
            next = Arc::into_inner(turn).and_then(|mut turn| turn.before.0.take());
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
        for turn in 0..200_000 {
            history.push(turn, false, None);
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
}
