//! Geometry of free graphs: distances along neighbours, and points inside outlines.

use super::links::Links;
use super::{CellId, Outline};

/// Graphs of up to this many cells keep a table of all distances.
const LARGEST_TABLE: usize = 512;
/// Stands for "no way" in the table.
const NO_WAY: u16 = u16::MAX;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Distances {
    count: usize,
    table: Vec<u16>,
}

impl Distances {
    /// The table of a small graph; `None` for a large one.
    pub(super) fn new(links: &Links, count: usize) -> Option<Self> {
        (count <= LARGEST_TABLE).then(|| {
            let mut table = vec![NO_WAY; count * count];
            for (cell, row) in table.chunks_mut(count.max(1)).enumerate() {
                breadth_first(links, count, CellId::from_index(cell), |to, distance| {
                    if let Some(slot) = row.get_mut(to.index()) {
                        *slot = distance as u16;
                    }
                    true
                });
            }
            Self { count, table }
        })
    }

    pub(super) fn between(&self, a: CellId, b: CellId) -> Option<u32> {
        let row = self.table.get(a.index() * self.count..(a.index() + 1) * self.count)?;
        row.get(b.index())
            .filter(|&&distance| distance != NO_WAY)
            .map(|&distance| distance.into())
    }
}

/// Calls `visit` with each cell that steps lead to and the fewest steps there, nearest first, until it says `false`.
pub(super) fn breadth_first(links: &Links, count: usize, from: CellId, mut visit: impl FnMut(CellId, u32) -> bool) {
    if from.index() >= count {
        return;
    }
    let mut is_seen = vec![false; count];
    let mut now = vec![from];
    if let Some(seen) = is_seen.get_mut(from.index()) {
        *seen = true;
    }
    for distance in 0.. {
        let mut next = Vec::new();
        for &cell in &now {
            if !visit(cell, distance) {
                return;
            }
            for &neighbour in links.neighbours(cell) {
                if let Some(seen) = is_seen.get_mut(neighbour.index()).filter(|seen| !**seen) {
                    *seen = true;
                    next.push(neighbour);
                }
            }
        }
        if next.is_empty() {
            return;
        }
        now = next;
    }
}

/// Whether a point lies inside an outline: within an odd number of its parts. Points on the left or upper side of a part
/// count as inside, those on the right or lower side as outside, so areas side by side share no point.
pub(super) fn is_inside(outline: &Outline, (x, y): (i64, i64)) -> bool {
    let mut inside = false;
    for part in outline {
        let ends = part.iter().zip(part.iter().cycle().skip(1));
        for (&(from_x, from_y), &(to_x, to_y)) in ends {
            let (from_x, from_y, to_x, to_y) = (i64::from(from_x), i64::from(from_y), i64::from(to_x), i64::from(to_y));
            if (from_y <= y) != (to_y <= y) {
                // Which side of the upward directed line the point is on.
                let turn = (to_x - from_x) * (y - from_y) - (to_y - from_y) * (x - from_x);
                inside ^= if to_y > from_y { turn <= 0 } else { turn >= 0 };
            }
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_and_second_parts_of_an_outline_count() {
        let square = |from: i32, to: i32| vec![(from, from), (to, from), (to, to), (from, to)];
        let outline = vec![square(0, 100), square(40, 60), square(200, 210)];
        let inside: Vec<_> = [10, 50, 99, 100, 150, 205]
            .into_iter()
            .map(|at| is_inside(&outline, (at, at)))
            .collect();
        assert_eq!(inside, [true, false, true, false, false, true]);
        assert!(is_inside(&outline, (0, 0)) && !is_inside(&outline, (100, 0)) && !is_inside(&outline, (-1, 50)));
        let mut turned = square(0, 100);
        turned.reverse();
        assert!(is_inside(&vec![turned.clone()], (0, 50)) && !is_inside(&vec![turned], (100, 50)));
    }
}
