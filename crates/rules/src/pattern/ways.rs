//! The ways that lead from each cell, whatever stands on them: what a playout proposes where it wants one move and not all.

use std::ops::Range;

use smallvec::SmallVec;

use super::motion::{Gait, Hops, Into, Motion, Whose};
use boardwright_model::{Board, CellId, Path};

/// A way that some motion can go from a cell.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Way {
    /// The place of the motion.
    pub(super) motion: usize,
    pub(super) path: Path,
    /// The cells that it passes, which have to be empty.
    pub(super) past: SmallVec<[CellId; 4]>,
    /// The cell that it hops over.
    pub(super) over: Option<CellId>,
}

/// The ways from each cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Ways {
    all: Vec<Way>,
    from_cell: Vec<Range<usize>>,
    /// The places of the motions whose ways depend on what stands where, or are too many.
    pub(super) open: Vec<usize>,
}

/// The most ways of one motion from one cell that are kept.
const MOST_WAYS: usize = 64;

impl Ways {
    /// Those of some motions. On boards of more than so many cells all motions are open.
    pub(super) fn new<'a>(motions: impl Iterator<Item = &'a Motion>, board: &Board, hops: &[Hops], most_cells: usize) -> Self {
        let mut by_cell: Vec<Vec<Way>> = vec![Vec::new(); board.cell_count()];
        let mut ways = Self::default();
        for (place, motion) in motions.enumerate() {
            let of_motion: Option<Vec<Vec<Way>>> = if board.cell_count() <= most_cells && is_settled(motion) {
                (0..board.cell_count())
                    .map(|cell| from_cell(motion, place, CellId::from_index(cell), board, hops))
                    .collect()
            } else {
                None
            };
            match of_motion {
                Some(of_motion) => by_cell.iter_mut().zip(of_motion).for_each(|(all, own)| all.extend(own)),
                None => ways.open.push(place),
            }
        }
        for own in by_cell {
            let start = ways.all.len();
            ways.all.extend(own);
            ways.from_cell.push(start..ways.all.len());
        }
        ways
    }

    /// Whether there are any, from whatever cell.
    pub(super) fn has_any(&self) -> bool {
        !self.all.is_empty()
    }

    /// How many lead from a cell.
    pub(super) fn count(&self, cell: CellId) -> usize {
        self.from_cell.get(cell.index()).map_or(0, Range::len)
    }

    /// One of the ways from a cell.
    pub(super) fn get(&self, cell: CellId, index: usize) -> Option<&Way> {
        let own = self.from_cell.get(cell.index())?;
        self.all.get(own.clone())?.get(index)
    }
}

/// Whether the ways of a motion are the same whatever stands on the board, and only whether they can be gone depends on it.
fn is_settled(motion: &Motion) -> bool {
    match motion.gait {
        Gait::Step => motion.at_most == 1 || (motion.into == Into::Empty && motion.enclosures.is_empty()),
        Gait::Slide => motion.at_most == 1,
        Gait::Hop => motion.at_most == 1 && motion.over != Whose::Own,
        Gait::Advance => false,
    }
}

/// The ways of a motion from a cell; `None` if they are too many.
fn from_cell(motion: &Motion, place: usize, start: CellId, board: &Board, hops: &[Hops]) -> Option<Vec<Way>> {
    let mut ways = Vec::new();
    if !board.contains(start) || motion.starts_in.is_some_and(|region| !board.region(region).contains(start)) {
        return Some(ways);
    }
    let way = |path: Path| Way {
        motion: place,
        path,
        past: SmallVec::new(),
        over: None,
    };
    match motion.gait {
        Gait::Step => {
            let mut paths = vec![Path::new()];
            for legs in 1..=usize::from(motion.at_most) {
                let longer = paths.iter().flat_map(|path| {
                    let steps = board.steps(path.last().copied().unwrap_or(start)).iter();
                    steps.filter(|(direction, _)| motion.allows(*direction)).map(|(_, next)| {
                        let mut path = path.clone();
                        path.push(*next);
                        path
                    })
                });
                paths = longer.take(MOST_WAYS + 1).collect();
                if legs >= usize::from(motion.at_least) {
                    let ends = paths.iter().filter(|path| motion.may_return || path.last() != Some(&start));
                    ways.extend(ends.cloned().map(way));
                }
                if paths.len() > MOST_WAYS || ways.len() > MOST_WAYS {
                    return None;
                }
                if paths.is_empty() {
                    break;
                }
            }
        }
        Gait::Slide => {
            for (direction, _) in board.steps(start).iter().filter(|(direction, _)| motion.allows(*direction)) {
                let mut past = SmallVec::new();
                for next in board.ray(start, *direction) {
                    if motion.may_return || next != start {
                        ways.push(Way {
                            past: past.clone(),
                            ..way(Path::from_slice(&[next]))
                        });
                    }
                    past.push(next);
                }
            }
        }
        Gait::Advance => return None,
        Gait::Hop => {
            let hops = hops.get(start.index()).map_or(&[][..], SmallVec::as_slice);
            for (_, over, next) in hops.iter().filter(|(direction, ..)| motion.allows(*direction)) {
                if motion.may_return || *next != start {
                    ways.push(Way {
                        over: Some(*over),
                        ..way(Path::from_slice(&[*next]))
                    });
                }
            }
        }
    }
    (ways.len() <= MOST_WAYS).then_some(ways)
}
