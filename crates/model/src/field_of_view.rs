//! What is seen from a cell: the cells in range to which there is a line of sight.

use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use super::topology::{Grid, GridCells, Nudge, Place};
use super::{Board, CellId, CellSet, Orientation, has_line_of_sight};

/// Up to this range the lines of a grid are drawn once for all cells of a board.
const DRAWN_RANGE: u32 = 12;

/// The lines of sight of a board, drawn when they are first needed. They follow from its grid, so that they are no part of its value.
#[derive(Clone, Debug, Default)]
pub(super) struct DrawnLines(OnceLock<Arc<Lines>>);

impl PartialEq for DrawnLines {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for DrawnLines {}

/// The lines from any cell of a grid to all places up to [`DRAWN_RANGE`]. Places are numbered from the nearest to the farthest.
#[derive(Clone, Debug)]
struct Lines {
    /// Where the places lie: first as seen from cells in even rows (or columns), then from those in odd ones.
    places: [Vec<Place>; 2],
    /// By range: how many places there are up to it.
    within: Vec<usize>,
    /// By place, the end of each of its two lines in `between`; each begins where the one before ends.
    ends: Vec<[usize; 2]>,
    /// The places between the ends of each line.
    between: Vec<u16>,
}

impl Lines {
    fn draw(grid: Grid) -> Self {
        let range = i32::try_from(DRAWN_RANGE).unwrap_or(0);
        // Far enough from the origin, so that all places have coordinates of one sign.
        let even = (4 * range, 4 * range);
        let odd = (even.0 + 1, even.1 + 1);
        let rows = (-2 * range..=2 * range).flat_map(|y| (-2 * range..=2 * range).map(move |x| (x, y)));
        let around = rows.map(|(x, y)| {
            let place = (even.0 + x, even.1 + y);
            (grid.distance(even, place), place)
        });
        let mut around: Vec<(u32, Place)> = around.filter(|(distance, _)| *distance <= DRAWN_RANGE).collect();
        around.sort_unstable_by_key(|&(distance, (x, y))| (distance, y, x));
        let from_odd = |(x, y): Place| match grid.cells {
            GridCells::Hex(hexes) => hexes.place(hexes.hex((x, y)) - hexes.hex(even) + hexes.hex(odd)),
            GridCells::Square(_) => (x + 1, y + 1),
        };
        let mut lines = Self {
            places: [
                around.iter().map(|&(_, (x, y))| (x - even.0, y - even.1)).collect(),
                around
                    .iter()
                    .map(|&(_, place)| from_odd(place))
                    .map(|(x, y)| (x - odd.0, y - odd.1))
                    .collect(),
            ],
            within: (0..=DRAWN_RANGE)
                .map(|range| around.partition_point(|(distance, _)| *distance <= range))
                .collect(),
            ends: Vec::with_capacity(around.len()),
            between: Vec::new(),
        };
        for &(_, place) in &around {
            let ends = [Nudge::There, Nudge::Back].map(|nudge| {
                let crossed = grid.crossed(even, place, nudge);
                let between = crossed.iter().filter(|&&crossed| crossed != even && crossed != place);
                let numbers = between.filter_map(|between| around.iter().position(|(_, known)| known == between));
                lines.between.extend(numbers.filter_map(|number| u16::try_from(number).ok()));
                lines.between.len()
            });
            lines.ends.push(ends);
        }
        lines
    }

    /// The places between the ends of the two lines to a place.
    fn between(&self, number: usize) -> [&[u16]; 2] {
        let before = number
            .checked_sub(1)
            .and_then(|before| self.ends.get(before))
            .map_or(0, |ends| ends[1]);
        let [there, back] = self.ends.get(number).copied().unwrap_or([before; 2]);
        [(before, there), (there, back)].map(|(start, end)| self.between.get(start..end).unwrap_or_default())
    }
}

impl Board {
    /// Adds to a set what is seen from a cell: the cell itself, and all cells up to `range` away to which
    /// [there is a line of sight](has_line_of_sight). On free graphs cells that no drawn line joins with it are not seen.
    ///
    /// ```
    /// use boardwright_model::{Board, CellSet, Map, Topology};
    ///
    /// let board = Board::from_map(&Map::new("row", "Row", Topology::Square { width: 6, height: 1, diagonals: false }))?;
    /// let [a1, c1] = ["a1", "c1"].map(|name| board.find_cell(name).unwrap());
    /// let mut seen = CellSet::empty(board.cell_count());
    /// board.add_field_of_view(a1, 4, |cell| cell == c1, &mut seen);
    /// assert_eq!(seen.iter().map(|cell| board.cell_name(cell)).collect::<String>(), "a1b1c1");
    /// # Ok::<(), Vec<boardwright_model::MapFault>>(())
    /// ```
    pub fn add_field_of_view(&self, from: CellId, range: u32, blocks: impl Fn(CellId) -> bool, seen: &mut CellSet) {
        if !self.contains(from) {
            return;
        }
        match self.grid {
            Some(grid) if range <= DRAWN_RANGE => self.look_along_lines(grid, from, range, blocks, seen),
            Some(_) => self.look_at(&self.disk(from, range), from, blocks, seen),
            None => self.look_at(
                &self.dilate(&CellSet::from_cells(self.cell_count(), [from]), range),
                from,
                blocks,
                seen,
            ),
        }
    }

    fn look_at(&self, cells: &CellSet, from: CellId, blocks: impl Fn(CellId) -> bool, seen: &mut CellSet) {
        seen.extend(
            cells
                .iter()
                .filter(|&cell| has_line_of_sight(self, from, cell, &blocks) == Some(true)),
        );
    }

    fn look_along_lines(&self, grid: Grid, from: CellId, range: u32, blocks: impl Fn(CellId) -> bool, seen: &mut CellSet) {
        let lines = self.drawn_lines.0.get_or_init(|| Arc::new(Lines::draw(grid)));
        let (x, y) = grid.place(from);
        let is_odd = match grid.cells {
            GridCells::Hex(hexes) if hexes.orientation == Orientation::Flat => x & 1 == 1,
            _ => y & 1 == 1,
        };
        let count = lines.within.get(range as usize).copied().unwrap_or(0);
        let places = lines.places[usize::from(is_odd)].iter().take(count);
        let cells: SmallVec<[Option<CellId>; 64]> = places.map(|(right, down)| self.cell_at(x + right, y + down)).collect();
        let is_blocked = |cell: Option<CellId>| cell.is_none_or(|cell| cell != from && blocks(cell));
        let blocked: SmallVec<[bool; 64]> = cells.iter().map(|cell| is_blocked(*cell)).collect();
        // Up to the ring before the first thing that is in the way, nothing hides anything.
        let first_blocked = blocked.iter().position(|is_blocked| *is_blocked).unwrap_or(count);
        let clear = lines
            .within
            .iter()
            .copied()
            .take_while(|within| *within <= first_blocked)
            .last()
            .unwrap_or(0);
        let is_clear = |line: &[u16]| {
            !line
                .iter()
                .any(|&place| blocked.get(usize::from(place)).is_none_or(|is_blocked| *is_blocked))
        };
        for (number, cell) in cells.iter().enumerate() {
            let Some(cell) = *cell else { continue };
            if number < clear || lines.between(number).into_iter().any(is_clear) {
                seen.insert(cell);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Orientation;
    use super::super::boards_for_tests::{boards_and_sets, crossed_map, hex};
    use super::super::{Board, CellId, CellSet, Offset, has_line_of_sight};

    fn seen(board: &Board, from: CellId, range: u32, blocks: impl Fn(CellId) -> bool) -> CellSet {
        let mut seen = CellSet::empty(board.cell_count());
        board.add_field_of_view(from, range, blocks, &mut seen);
        seen
    }

    #[test]
    fn what_hides_is_seen_and_what_is_behind_it_is_not() {
        let board = hex(5, 1, Orientation::Pointy, Offset::Odd);
        let names = |range, wall: &str| {
            let from = board.find_cell("a1").unwrap();
            let cells = seen(&board, from, range, |cell| board.cell_name(cell) == wall);
            cells.iter().map(|cell| board.cell_name(cell)).collect::<String>()
        };
        assert_eq!(names(3, ""), "a1b1c1d1");
        assert_eq!(names(9, "c1"), "a1b1c1");
        assert_eq!(names(2, "a1"), "a1b1c1");
        assert_eq!(names(0, ""), "a1");
    }

    #[test]
    fn on_graphs_one_looks_along_drawn_lines() {
        let board = Board::from_map(&crossed_map()).unwrap();
        let cell = |name| board.find_cell(name).unwrap();
        let far = seen(&board, cell("a1"), 9, |_| false);
        assert!(far.contains(cell("e5")) && !far.contains(cell("c2")));
        assert!(!seen(&board, cell("a1"), 9, |between| between == cell("c3")).contains(cell("e5")));
    }

    proptest! {
        #[test]
        fn a_field_of_view_is_what_lines_of_sight_say((board, blocking, _) in boards_and_sets(), from in 0..200_usize, range in 0..15_u32) {
            let cells: Vec<CellId> = board.cells().collect();
            let from = cells[from % cells.len()];
            let blocks = |cell| blocking.contains(cell);
            let near = if board.grid.is_some() { board.disk(from, range) } else { board.dilate(&CellSet::from_cells(board.cell_count(), [from]), range) };
            let expected = near.iter().filter(|&cell| has_line_of_sight(&board, from, cell, blocks) == Some(true));
            prop_assert_eq!(seen(&board, from, range, blocks), CellSet::from_cells(board.cell_count(), expected));
        }
    }
}
