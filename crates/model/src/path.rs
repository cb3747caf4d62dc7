//! Cheapest ways over a board.
//!
//! Both searches keep their notes in lists by cell and settle ties by cell id, so that the same question gets the same way
//! everywhere.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Board, CellId, CellSet, graph};

/// Where one can go, at what cost and by which way; see [`reach`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    cells: CellSet,
    notes: Notes,
}

/// A way from one cell to another; see [`shortest_path`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The cells in order, both ends included.
    pub cells: Vec<CellId>,
    /// What all steps together cost.
    pub cost: u32,
}

/// Everything that can be reached from any of the cells `from` for at most `budget`.
///
/// `cost(a, b)` is what the step from a cell to its neighbour costs, `None` if it cannot be made. The cheapest way counts;
/// of ways that cost the same, the one whose last cell but one has the smaller id, and so on backwards (as long as no step
/// is free).
pub fn reach(board: &Board, from: &[CellId], budget: u32, cost: impl Fn(CellId, CellId) -> Option<u32>) -> Reach {
    reach_by(board, from, budget, |step| cost(step.from, step.to))
}

/// A step that a search looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What was spent before it.
    pub spent: u32,
    /// The cell from which it leads.
    pub from: CellId,
    /// The cell to which it leads.
    pub to: CellId,
    /// The place of that cell among the [neighbours](Board::neighbours) of the first.
    pub neighbour: usize,
}

/// The same where a step may cost more or less by what was spent before it. Who has spent less must not come to a neighbour later than who has
/// spent more.
pub fn reach_by(board: &Board, from: &[CellId], budget: u32, mut cost: impl FnMut(Step) -> Option<u32>) -> Reach {
    let mut notes = Notes::new(board.cell_count());
    let mut cells = CellSet::empty(board.cell_count());
    let mut open: BinaryHeap<Reverse<(u32, CellId)>> = BinaryHeap::new();
    for &start in from.iter().filter(|&&cell| board.contains(cell)) {
        if notes.start(start) {
            open.push(Reverse((0, start)));
        }
    }
    while let Some(Reverse((spent, cell))) = open.pop() {
        if !cells.insert(cell) {
            continue;
        }
        for (neighbour, &next) in board.neighbours(cell).iter().enumerate() {
            // Who was there before has spent no more.
            if cells.contains(next) {
                continue;
            }
            let step = Step {
                spent,
                from: cell,
                to: next,
                neighbour,
            };
            let Some(step) = cost(step) else { continue };
            let Some(total) = spent.checked_add(step).filter(|&total| total <= budget) else {
                continue;
            };
            if notes.offer(cell, next, step, total) {
                open.push(Reverse((total, next)));
            }
        }
    }
    Reach { cells, notes }
}

/// The cheapest way between two cells, `None` if there is none.
///
/// `cost(a, b)` is what the step from a cell to its neighbour costs, `None` if it cannot be made. `least` is a number that no
/// step costs less than; the nearer it is to the truth, the fewer cells are looked at, and 0 is always right. If a step
/// costs less than `least`, the way found may not be the cheapest. Ties are settled as in [`reach`].
pub fn shortest_path(board: &Board, from: CellId, to: CellId, least: u32, cost: impl Fn(CellId, CellId) -> Option<u32>) -> Option<Route> {
    if !board.contains(from) || !board.contains(to) {
        return None;
    }
    let still_to_go = StillToGo::new(board, to, least);
    let mut notes = Notes::new(board.cell_count());
    let mut done = CellSet::empty(board.cell_count());
    let mut open = BinaryHeap::new();
    notes.start(from);
    open.push(Reverse((still_to_go.from(board, from)?, from)));
    // Goes on until nothing open could be part of a way as cheap as the best one, for the sake of ties.
    while let Some(Reverse((estimate, cell))) = open.pop() {
        if notes.cost(to).is_some_and(|best| estimate > u64::from(best)) {
            break;
        }
        if cell == to || !done.insert(cell) {
            continue;
        }
        let spent = notes.cost(cell)?;
        for &next in board.neighbours(cell) {
            let Some(step) = cost(cell, next) else { continue };
            let Some(total) = spent.checked_add(step) else { continue };
            if notes.offer(cell, next, step, total)
                && let Some(rest) = still_to_go.from(board, next)
            {
                done.remove(next);
                open.push(Reverse((u64::from(total) + rest, next)));
            }
        }
    }
    Some(Route {
        cost: notes.cost(to)?,
        cells: notes.path_to(to),
    })
}

impl Reach {
    /// Every cell that can be reached, starts included.
    pub const fn cells(&self) -> &CellSet {
        &self.cells
    }

    /// What it costs to go to a cell.
    pub fn cost(&self, cell: CellId) -> Option<u32> {
        self.notes.cost(cell).filter(|_| self.cells.contains(cell))
    }

    /// The cell before this one on the cheapest way; `None` for starts and cells out of reach.
    pub fn predecessor(&self, cell: CellId) -> Option<CellId> {
        self.notes.before(cell).filter(|&before| before != cell)
    }

    /// The cheapest way to a cell, start and end included.
    pub fn path_to(&self, cell: CellId) -> Option<Vec<CellId>> {
        self.cells.contains(cell).then(|| self.notes.path_to(cell))
    }
}

/// The cheapest way found so far to each cell: its cost and the cell before, for starts the cell itself.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Notes(Vec<Option<(u32, CellId)>>);

impl Notes {
    fn new(count: usize) -> Self {
        Self(vec![None; count])
    }

    /// Notes a start. `false` if it is one already.
    fn start(&mut self, cell: CellId) -> bool {
        self.0.get_mut(cell.index()).is_some_and(|note| note.replace((0, cell)).is_none())
    }

    fn cost(&self, cell: CellId) -> Option<u32> {
        self.0.get(cell.index()).copied().flatten().map(|(cost, _)| cost)
    }

    fn before(&self, cell: CellId) -> Option<CellId> {
        self.0.get(cell.index()).copied().flatten().map(|(_, before)| before)
    }

    /// Notes a way over `cell` that costs `total` with its last step, if that is better. `true` if it is cheaper.
    fn offer(&mut self, cell: CellId, next: CellId, step: u32, total: u32) -> bool {
        let Some(note) = self.0.get_mut(next.index()) else { return false };
        match note {
            Some((cost, _)) if *cost < total => false,
            Some((cost, before)) if *cost == total => {
                // Free steps settle no ties, lest two cells each come before the other.
                if step > 0 && *before != next && cell < *before {
                    *before = cell;
                }
                false
            }
            _ => {
                *note = Some((total, cell));
                true
            }
        }
    }

    fn path_to(&self, cell: CellId) -> Vec<CellId> {
        let mut cells = vec![cell];
        let mut at = cell;
        while let Some(before) = self.before(at).filter(|&before| before != at) {
            cells.push(before);
            at = before;
        }
        cells.reverse();
        cells
    }
}

/// A cost that the rest of the way has at least.
struct StillToGo {
    to: CellId,
    least: u64,
    /// On free graphs: steps from each cell.
    steps: Vec<Option<u32>>,
}

impl StillToGo {
    fn new(board: &Board, to: CellId, least: u32) -> Self {
        let mut steps = Vec::new();
        if board.grid.is_none() {
            steps.resize(board.cell_count(), None);
            graph::breadth_first(&board.links, board.cell_count(), to, |cell, distance| {
                if let Some(slot) = steps.get_mut(cell.index()) {
                    *slot = Some(distance);
                }
                true
            });
        }
        Self {
            to,
            least: least.into(),
            steps,
        }
    }

    /// `None` if no way leads to the end.
    fn from(&self, board: &Board, cell: CellId) -> Option<u64> {
        let steps = if self.steps.is_empty() {
            board.distance(cell, self.to)
        } else {
            self.steps.get(cell.index()).copied().flatten()
        };
        steps.map(|steps| u64::from(steps) * self.least)
    }
}

#[cfg(test)]
mod tests {
    use pathfinding::prelude::{astar, dijkstra_all};
    use proptest::prelude::*;

    use super::super::boards_for_tests::{boards, square};
    use super::*;

    /// Costs that differ from step to step, and steps that cannot be made.
    fn cost(seed: u64, least: u32) -> impl Fn(CellId, CellId) -> Option<u32> {
        move |a, b| {
            let mixed = (u64::from(a.0) << 32 | u64::from(b.0))
                .wrapping_add(seed)
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                >> 40;
            (mixed % 7 != 0).then_some(least + (mixed / 7 % 4) as u32)
        }
    }

    fn total(route: &[CellId], cost: impl Fn(CellId, CellId) -> Option<u32>) -> u32 {
        route.windows(2).map(|pair| cost(pair[0], pair[1]).unwrap()).sum()
    }

    proptest! {
        #[test]
        fn the_reach_is_that_of_another_search(board in boards(), seed in any::<u64>(), least in 0..3_u32, budget in 0..14_u32) {
            let cost = cost(seed, least);
            let start = board.all().first().unwrap();
            let steps = |&cell: &CellId| board.neighbours(cell).iter().filter_map(|&next| Some((next, cost(cell, next)?))).collect::<Vec<_>>();
            let found = reach(&board, &[start], budget, &cost);
            let others = dijkstra_all(&start, steps);
            for cell in board.cells() {
                let expected = if cell == start { Some(0) } else { others.get(&cell).map(|&(_, cost)| cost).filter(|&cost| cost <= budget) };
                prop_assert_eq!(found.cost(cell), expected);
                prop_assert_eq!(found.cells().contains(cell), expected.is_some());
                let route = found.path_to(cell);
                prop_assert_eq!(route.is_some(), expected.is_some());
                let Some(route) = route else { continue };
                prop_assert_eq!((route[0], route[route.len() - 1]), (start, cell));
                prop_assert_eq!(Some(total(&route, &cost)), expected);
                prop_assert_eq!(found.predecessor(cell), route.iter().rev().nth(1).copied());
            }
        }

        #[test]
        fn the_shortest_path_is_as_cheap_as_another_search_finds(board in boards(), seed in any::<u64>(), least in 0..3_u32, ends in (0..200_usize, 0..200_usize)) {
            let cost = cost(seed, least);
            let cells: Vec<CellId> = board.cells().collect();
            let (a, b) = (cells[ends.0 % cells.len()], cells[ends.1 % cells.len()]);
            let steps = |&cell: &CellId| board.neighbours(cell).iter().filter_map(|&next| Some((next, cost(cell, next)?))).collect::<Vec<_>>();
            let expected = astar(&a, steps, |_| 0, |&cell| cell == b).map(|(_, cost)| cost);
            let found = shortest_path(&board, a, b, least, &cost);
            prop_assert_eq!(found.as_ref().map(|route| route.cost), expected);
            if let Some(route) = found {
                prop_assert_eq!((route.cells[0], route.cells[route.cells.len() - 1]), (a, b));
                prop_assert_eq!(total(&route.cells, &cost), route.cost);
                if least > 0 {
                    // Which of several cheapest ways it takes depends on neither the search nor the estimate.
                    let reached = reach(&board, &[a], u32::MAX, &cost);
                    prop_assert_eq!(Some(route.cells.clone()), reached.path_to(b));
                    prop_assert_eq!(Some(route), shortest_path(&board, a, b, 0, &cost));
                }
            }
        }
    }

    #[test]
    fn of_equal_ways_the_one_over_smaller_ids_is_taken() {
        let board = square(3, 3, false);
        let route = shortest_path(&board, CellId(0), CellId(8), 1, |_, _| Some(1)).unwrap();
        assert_eq!((route.cells, route.cost), ([0, 1, 2, 5, 8].map(CellId).to_vec(), 4));
    }

    #[test]
    fn steps_that_cannot_be_made_and_strangers_end_the_search() {
        let board = square(3, 1, false);
        assert_eq!(
            shortest_path(&board, CellId(0), CellId(2), 1, |_, to| (to != CellId(1)).then_some(1)),
            None
        );
        assert_eq!(shortest_path(&board, CellId(0), CellId(3), 1, |_, _| Some(1)), None);
        assert_eq!(shortest_path(&board, CellId(0), CellId(2), 1, |_, _| Some(u32::MAX)), None);
        let found = reach(&board, &[CellId(2), CellId(0), CellId(2), CellId(77)], 0, |_, _| Some(1));
        assert_eq!(
            (found.cells().count(), found.predecessor(CellId(2)), found.cost(CellId(1))),
            (2, None, None)
        );
    }

    #[test]
    fn several_starts_share_the_board() {
        let board = square(7, 1, false);
        let found = reach(&board, &[CellId(0), CellId(6)], 2, |_, _| Some(1));
        let costs: Vec<_> = board.cells().map(|cell| found.cost(cell)).collect();
        assert_eq!(costs, [Some(0), Some(1), Some(2), None, Some(2), Some(1), Some(0)]);
        assert_eq!(found.path_to(CellId(4)), Some([6, 5, 4].map(CellId).to_vec()));
    }
}
