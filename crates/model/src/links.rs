//! Who is whose neighbour, in which direction and over which edge: lists in contiguous memory.

use super::{CellId, DirectionId, EdgeId};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Links {
    /// Where the steps of each cell begin in `steps`; one more entry than cells.
    step_starts: Vec<u32>,
    /// For each cell its steps in the order of their directions.
    steps: Vec<(DirectionId, CellId)>,
    /// Where the neighbours of each cell begin in `neighbours`; one more entry than cells.
    neighbour_starts: Vec<u32>,
    /// For each cell its neighbours in the order of their ids.
    neighbours: Vec<CellId>,
    /// The edge to each of `neighbours`.
    edges: Vec<EdgeId>,
    /// The ends of each edge, the smaller id first, in ascending order.
    ends: Vec<(CellId, CellId)>,
}

impl Links {
    /// The links of `count` cells from their steps, which come with one of each direction a cell at most, and with the
    /// step back for every step.
    pub(super) fn new(count: usize, mut all_steps: Vec<(CellId, DirectionId, CellId)>) -> Self {
        if !all_steps.is_sorted() {
            all_steps.sort_unstable();
        }
        let (mut step_starts, mut neighbour_starts) = (Vec::with_capacity(count + 1), Vec::with_capacity(count + 1));
        let mut steps = Vec::with_capacity(all_steps.len());
        let mut neighbours: Vec<CellId> = Vec::with_capacity(all_steps.len());
        let mut rest = all_steps.as_slice();
        for cell in 0..count {
            step_starts.push(steps.len() as u32);
            neighbour_starts.push(neighbours.len() as u32);
            let (own, others) = rest.split_at(rest.partition_point(|(from, ..)| from.index() <= cell));
            rest = others;
            steps.extend(own.iter().map(|&(_, direction, to)| (direction, to)));
            let mut own: Vec<CellId> = own.iter().map(|&(.., to)| to).collect();
            own.sort_unstable();
            own.dedup();
            neighbours.extend(own);
        }
        step_starts.push(steps.len() as u32);
        neighbour_starts.push(neighbours.len() as u32);
        let mut links = Self {
            step_starts,
            steps,
            neighbour_starts,
            neighbours,
            edges: Vec::new(),
            ends: Vec::new(),
        };
        links.number_edges(count);
        links
    }

    /// Numbers the edges by their smaller end and then by the other.
    fn number_edges(&mut self, count: usize) {
        // Cells come in ascending order, and so do the neighbours of each. So whenever an edge is numbered at its smaller
        // end, it is the next one without a number at its larger end.
        let mut next: Vec<u32> = self.neighbour_starts.clone();
        self.edges = vec![EdgeId(0); self.neighbours.len()];
        for cell in (0..count).map(CellId::from_index) {
            for at in span(&self.neighbour_starts, cell) {
                let Some(&neighbour) = self.neighbours.get(at) else { continue };
                if neighbour <= cell {
                    continue;
                }
                let edge = EdgeId::from_index(self.ends.len());
                self.ends.push((cell, neighbour));
                let at_other = next
                    .get_mut(neighbour.index())
                    .map(|next| std::mem::replace(next, *next + 1) as usize);
                for at in [Some(at), at_other].into_iter().flatten() {
                    if let Some(slot) = self.edges.get_mut(at) {
                        *slot = edge;
                    }
                }
            }
        }
    }

    #[inline]
    pub(super) fn steps(&self, cell: CellId) -> &[(DirectionId, CellId)] {
        self.steps.get(span(&self.step_starts, cell)).unwrap_or_default()
    }

    #[inline]
    pub(super) fn step(&self, cell: CellId, direction: DirectionId) -> Option<CellId> {
        let steps = self.steps(cell);
        // In the middle of a grid every direction has a step.
        match steps.get(direction.index()) {
            Some(&(found, to)) if found == direction => Some(to),
            _ => steps.iter().find(|(found, _)| *found == direction).map(|&(_, to)| to),
        }
    }

    #[inline]
    pub(super) fn neighbours(&self, cell: CellId) -> &[CellId] {
        self.neighbours.get(span(&self.neighbour_starts, cell)).unwrap_or_default()
    }

    pub(super) fn edges(&self, cell: CellId) -> &[EdgeId] {
        self.edges.get(span(&self.neighbour_starts, cell)).unwrap_or_default()
    }

    pub(super) fn edge_between(&self, a: CellId, b: CellId) -> Option<EdgeId> {
        let at = self.neighbours(a).binary_search(&b).ok()?;
        self.edges(a).get(at).copied()
    }

    pub(super) fn ends(&self) -> &[(CellId, CellId)] {
        &self.ends
    }
}

/// The positions that belong to a cell; none if there is no such cell.
#[inline]
fn span(starts: &[u32], cell: CellId) -> std::ops::Range<usize> {
    match starts.get(cell.index()..cell.index() + 2) {
        Some(&[start, end]) => start as usize..end as usize,
        _ => 0..0,
    }
}
