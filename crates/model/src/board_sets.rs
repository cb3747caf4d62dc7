//! Questions about whole sets of cells of a board.

use std::borrow::Cow;

use hexx::Hex;

use super::links::Links;
use super::topology::{GridCells, Nudge};
use super::{Board, CellId, CellSet, DirectionId, graph};

/// How the ids of a grid's cells change by a step in one direction: by the same amount for all cells, or on hexes by one
/// amount for one half of them and by another for the other half.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shift {
    /// The cells that change by an amount, and the amount.
    parts: Vec<(CellSet, i32)>,
}

impl Shift {
    /// The shifts in all directions of a grid.
    pub(super) fn all(links: &Links, cells: &CellSet, directions: usize) -> Vec<Self> {
        let mut shifts = vec![Self { parts: Vec::new() }; directions];
        for cell in cells {
            for &(direction, to) in links.steps(cell) {
                let Some(shift) = shifts.get_mut(direction.index()) else { continue };
                let delta = i32::from(to.0) - i32::from(cell.0);
                match shift.parts.iter_mut().find(|(_, known)| *known == delta) {
                    Some((from, _)) => {
                        from.insert(cell);
                    }
                    None => shift.parts.push((CellSet::from_cells(cells.capacity(), [cell]), delta)),
                }
            }
        }
        shifts
    }

    /// Adds to `out` what `set` becomes.
    fn add(&self, set: &CellSet, out: &mut CellSet) {
        for (from, delta) in &self.parts {
            out.union_with_shifted(set, from, *delta);
        }
    }
}

impl Board {
    /// The cells of the board that are not in the set.
    pub fn complement(&self, set: &CellSet) -> CellSet {
        self.all.difference(set)
    }

    /// Where the cells of the set come to by one step in a direction; those that have no such step drop out.
    pub fn shift(&self, set: &CellSet, direction: DirectionId) -> CellSet {
        let set = self.own(set);
        let mut shifted = CellSet::empty(self.cell_count());
        if self.grid.is_some() {
            if let Some(shift) = self.shifts.get(direction.index()) {
                shift.add(&set, &mut shifted);
            }
        } else {
            shifted.extend(set.iter().filter_map(|cell| self.step(cell, direction)));
        }
        shifted
    }

    /// The cells of a set at which a row of so many of its cells ends in a direction. `look` is asked before each step, and shown the cells from
    /// which it leads.
    ///
    /// # Errors
    /// That of `look`.
    pub fn ends_of_rows<E>(
        &self,
        set: &CellSet,
        direction: DirectionId,
        length: i64,
        look: &mut dyn FnMut(&CellSet) -> Result<(), E>,
    ) -> Result<CellSet, E> {
        let mut ends = set.clone();
        for _ in 1..length {
            if ends.is_empty() {
                break;
            }
            look(&ends)?;
            ends = self.shift(&ends, direction);
            ends.intersect_with(set);
        }
        Ok(ends)
    }

    /// Whether so many cells of a set lie in a row, with `look` as in [`ends_of_rows`](Self::ends_of_rows).
    ///
    /// # Errors
    /// That of `look`.
    pub fn has_row<E>(&self, set: &CellSet, length: i64, look: &mut dyn FnMut(&CellSet) -> Result<(), E>) -> Result<bool, E> {
        if usize::try_from(length).is_ok_and(|length| set.count() < length) {
            return Ok(false);
        }
        // A row is one both ways.
        for direction in self.directions().filter(|direction| *direction <= self.opposite(*direction)) {
            if !self.ends_of_rows(set, direction, length, look)?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The cells that are in the set or at most so many steps from it.
    pub fn dilate(&self, set: &CellSet, steps: u32) -> CellSet {
        let mut grown = self.own(set).into_owned();
        let mut rim = grown.clone();
        for _ in 0..steps {
            if rim.is_empty() {
                break;
            }
            let mut next = CellSet::empty(self.cell_count());
            // A few cells are looked up one by one, so that what lies around a piece costs the same on any board.
            if self.grid.is_none() || rim.count() <= rim.words().len() {
                next.extend(rim.iter().flat_map(|cell| self.neighbours(cell).iter().copied()));
            } else {
                for shift in self.shifts.iter() {
                    shift.add(&rim, &mut next);
                }
            }
            next.subtract(&grown);
            grown.union_with(&next);
            rim = next;
        }
        grown
    }

    /// The cells that steps lead to from cells of `start` without leaving `within`; starts outside it do not count.
    pub fn flood(&self, start: &CellSet, within: &CellSet) -> CellSet {
        let mut left = self.own(within).into_owned();
        let mut flooded = left.intersection(&self.own(start));
        left.subtract(&flooded);
        let mut open: Vec<CellId> = flooded.iter().collect();
        while let Some(cell) = open.pop() {
            for &neighbour in self.neighbours(cell) {
                if left.remove(neighbour) {
                    flooded.insert(neighbour);
                    open.push(neighbour);
                }
            }
        }
        flooded
    }

    /// The same with at most so many steps.
    pub fn flood_steps(&self, start: &CellSet, within: &CellSet, steps: u32) -> CellSet {
        let within = self.own(within);
        let mut flooded = self.own(start).intersection(&within);
        let mut rim = flooded.clone();
        for _ in 0..steps {
            rim = self.dilate(&rim, 1);
            rim.intersect_with(&within);
            rim.subtract(&flooded);
            if rim.is_empty() {
                break;
            }
            flooded.union_with(&rim);
        }
        flooded
    }

    /// The connected parts of a set, in the order of their smallest cells.
    pub fn components(&self, set: &CellSet) -> Vec<CellSet> {
        let mut rest = self.own(set).into_owned();
        let mut components = Vec::new();
        while let Some(cell) = rest.first() {
            let component = self.flood(&CellSet::from_cells(self.cell_count(), [cell]), &rest);
            rest.subtract(&component);
            components.push(component);
        }
        components
    }

    /// The cells of a straight line, both ends included. The line from `b` to `a` is the reverse.
    ///
    /// On grids each cell is a neighbour of the one before; where the line runs exactly between two cells it takes the
    /// same side everywhere, the one without holes or the outside of the board if there is such a side, and leaves out
    /// holes otherwise. On free graphs the cells lie along one drawn line; `None` if no line joins the two. `None` also
    /// if one of the cells is not there.
    pub fn line(&self, a: CellId, b: CellId) -> Option<Vec<CellId>> {
        if !self.contains(a) || !self.contains(b) {
            return None;
        }
        let Some(grid) = self.grid else { return self.along_line(a, b) };
        let drawn = |nudge| {
            let places = grid.line(grid.place(a), grid.place(b), nudge);
            let cells: Vec<CellId> = places.iter().filter_map(|&(x, y)| self.cell_at(x, y)).collect();
            (cells.len() == places.len(), cells)
        };
        let (is_whole, cells) = drawn(Nudge::There);
        if !is_whole && let (true, cells) = drawn(Nudge::Back) {
            return Some(cells);
        }
        Some(cells)
    }

    /// The shortest stretch of a drawn line from one cell to another.
    fn along_line(&self, a: CellId, b: CellId) -> Option<Vec<CellId>> {
        if a == b {
            return Some(vec![a]);
        }
        let stretch = |&(direction, _): &(DirectionId, CellId)| {
            let steps = self.ray(a, direction).position(|cell| cell == b)? + 1;
            Some((steps, direction))
        };
        let (steps, direction) = self.steps(a).iter().filter_map(stretch).min()?;
        Some(std::iter::once(a).chain(self.ray(a, direction).take(steps)).collect())
    }

    /// The cells at exactly this [distance](Self::distance).
    pub fn ring(&self, center: CellId, radius: u32) -> CellSet {
        self.around(center, radius, radius)
    }

    /// The cells at this [distance](Self::distance) or less, the centre included.
    pub fn disk(&self, center: CellId, radius: u32) -> CellSet {
        self.around(center, 0, radius)
    }

    /// The cells whose distance from the centre is in a range, both ends included.
    fn around(&self, center: CellId, least: u32, most: u32) -> CellSet {
        let mut found = CellSet::empty(self.cell_count());
        if !self.contains(center) {
            return found;
        }
        let Some(grid) = self.grid else {
            graph::breadth_first(&self.links, self.cell_count(), center, |cell, distance| {
                if (least..=most).contains(&distance) {
                    found.insert(cell);
                }
                distance <= most
            });
            return found;
        };
        let middle = grid.place(center);
        // What the whole neighbourhood would count if the board had no borders; if that is more, go through the board.
        let radius = i64::from(most).min(i64::from(u16::MAX));
        let is_large = 3 * radius * (radius + 1) > self.cell_count() as i64;
        match grid.cells {
            GridCells::Hex(hexes) if !is_large => {
                let cell = |hex: Hex| grid.id(hexes.place(hex)).filter(|&cell| self.contains(cell));
                let rings = (least..=most).flat_map(|radius| hexes.hex(middle).ring(radius));
                found.extend(rings.filter_map(cell));
            }
            GridCells::Square(_) if !is_large => {
                let radius = radius as i32;
                for y in middle.1 - radius..=middle.1 + radius {
                    let row = (middle.0 - radius..=middle.0 + radius).filter_map(|x| self.cell_at(x, y));
                    found.extend(row.filter(|&cell| (least..=most).contains(&grid.distance(middle, grid.place(cell)))));
                }
            }
            _ => found.extend(
                self.cells()
                    .filter(|&cell| (least..=most).contains(&grid.distance(middle, grid.place(cell)))),
            ),
        }
        found
    }

    /// The set as one of this board: of its capacity, and without what is no cell.
    pub(super) fn own<'a>(&self, set: &'a CellSet) -> Cow<'a, CellSet> {
        if set.capacity() == self.cell_count() && set.is_subset(&self.all) {
            return Cow::Borrowed(set);
        }
        Cow::Owned(set.with_capacity(self.cell_count()).intersection(&self.all))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::boards_for_tests::{boards, boards_and_sets, crossed_map, hex, square};
    use super::super::{Offset, Orientation};
    use super::*;

    /// The cells of a board for which something holds.
    fn cells_where(board: &Board, mut holds: impl FnMut(CellId) -> bool) -> CellSet {
        CellSet::from_cells(board.cell_count(), board.cells().filter(|&cell| holds(cell)))
    }

    fn names(board: &Board, cells: impl IntoIterator<Item = CellId>) -> String {
        cells.into_iter().map(|cell| board.cell_name(cell)).collect::<Vec<_>>().join(" ")
    }

    fn set_of(board: &Board, names: &str) -> CellSet {
        CellSet::from_cells(board.cell_count(), names.split(' ').map(|name| board.find_cell(name).unwrap()))
    }

    proptest! {
        #[test]
        fn shift_is_a_step_of_every_cell((board, set, _) in boards_and_sets()) {
            for direction in board.directions() {
                let walked = set.iter().filter_map(|cell| board.step(cell, direction));
                prop_assert_eq!(board.shift(&set, direction), CellSet::from_cells(board.cell_count(), walked));
            }
            prop_assert!(board.shift(&set, DirectionId::from_index(board.direction_count())).is_empty());
        }

        #[test]
        fn dilate_takes_what_so_many_steps_lead_to((board, set, _) in boards_and_sets(), steps in 0..5_u32) {
            let mut walked = cells_where(&board, |cell| set.contains(cell));
            for _ in 0..steps {
                let rim: Vec<CellId> = walked.iter().flat_map(|cell| board.neighbours(cell).to_vec()).collect();
                walked.extend(rim);
            }
            prop_assert_eq!(board.dilate(&set, steps), walked);
            let everything = board.dilate(&set, u32::MAX);
            prop_assert_eq!(board.flood(&set, board.all()), everything);
        }

        #[test]
        fn a_flood_stays_within_and_leaves_nothing_beside_it((board, start, within) in boards_and_sets()) {
            let flooded = board.flood(&start, &within);
            prop_assert_eq!(&board.flood_steps(&start, &within, u32::MAX), &flooded);
            let (near, next) = (board.flood_steps(&start, &within, 1), board.flood_steps(&start, &within, 2));
            let reached = board.dilate(&start.intersection(&within), 1).intersection(&within);
            prop_assert_eq!(near.iter().collect::<Vec<_>>(), reached.iter().collect::<Vec<_>>());
            prop_assert_eq!(&board.flood_steps(&near, &within, 1), &next);
            prop_assert!(flooded.is_subset(&within) && flooded.is_subset(board.all()));
            prop_assert!(start.intersection(&within).intersection(board.all()).is_subset(&flooded));
            prop_assert!(!board.dilate(&flooded, 1).difference(&flooded).intersects(&within));
            for component in board.components(&flooded) {
                prop_assert!(component.intersects(&start), "every part of it begins at a start");
            }
        }

        #[test]
        fn components_part_a_set_into_connected_pieces((board, set, _) in boards_and_sets()) {
            let components = board.components(&set);
            let mut joined = CellSet::empty(board.cell_count());
            for component in &components {
                prop_assert!(!component.is_empty() && !joined.intersects(component));
                prop_assert!(!board.dilate(component, 1).intersects(&set.intersection(board.all()).difference(component)));
                prop_assert_eq!(&board.flood(&CellSet::from_cells(board.cell_count(), component.first()), component), component);
                joined.union_with(component);
            }
            prop_assert_eq!(joined, cells_where(&board, |cell| set.contains(cell)));
            prop_assert!(components.is_sorted_by_key(CellSet::first));
        }

        #[test]
        fn rings_and_disks_are_made_by_distance(board in boards(), at in 0..200_usize, radius in 0..9_u32) {
            let centers: Vec<CellId> = board.cells().collect();
            let center = centers[at % centers.len()];
            let ring = cells_where(&board, |cell| board.distance(center, cell) == Some(radius));
            prop_assert_eq!(board.ring(center, radius), ring);
            let disk = cells_where(&board, |cell| board.distance(center, cell).is_some_and(|distance| distance <= radius));
            prop_assert_eq!(board.disk(center, radius), disk);
            prop_assert!(board.ring(center, u32::MAX).is_empty());
            prop_assert_eq!(board.disk(center, u32::MAX), cells_where(&board, |cell| board.distance(center, cell).is_some()));
        }

        #[test]
        fn lines_are_connected_and_the_same_both_ways(board in boards(), ends in (0..200_usize, 0..200_usize)) {
            let cells: Vec<CellId> = board.cells().collect();
            let (a, b) = (cells[ends.0 % cells.len()], cells[ends.1 % cells.len()]);
            let there = board.line(a, b);
            let back = board.line(b, a).map(|line| line.into_iter().rev().collect::<Vec<_>>());
            prop_assert_eq!(there.is_some(), back.is_some());
            let Some(line) = there else { return Ok(()) };
            prop_assert_eq!((line[0], line[line.len() - 1]), (a, b));
            let is_whole = line.windows(2).all(|pair| board.neighbours(pair[0]).contains(&pair[1]));
            prop_assert!(is_whole || board.all().count() < board.cell_count());
            if board.grid.is_some() {
                prop_assert_eq!(Some(line), back);
            }
        }
    }

    #[test]
    fn stones_that_touch_are_one_group() {
        let board = square(5, 5, false);
        let stones = set_of(&board, "a1 b1 b2 d1 e2 d5");
        let groups: Vec<String> = board.components(&stones).iter().map(|group| names(&board, group)).collect();
        assert_eq!(groups, ["a1 b1 b2", "d1", "e2", "d5"]);
        assert_eq!(board.dilate(&set_of(&board, "a1 b1 b2"), 1).difference(&stones).count(), 4);
    }

    #[test]
    fn a_line_avoids_the_outside_of_the_board_and_holes_if_it_can() {
        let board = hex(3, 3, Orientation::Pointy, Offset::Odd);
        let [top, bottom] = ["a1", "a3"].map(|name| board.find_cell(name).unwrap());
        assert_eq!(names(&board, board.line(top, bottom).unwrap()), "a1 a2 a3");
        let board = hex(3, 3, Orientation::Pointy, Offset::Even);
        let [top, bottom] = ["c1", "c3"].map(|name| board.find_cell(name).unwrap());
        assert_eq!(names(&board, board.line(top, bottom).unwrap()), "c1 c2 c3");
    }

    #[test]
    fn lines_of_a_graph_run_along_drawn_lines_only() {
        let board = Board::from_map(&crossed_map()).unwrap();
        let line = |a, b| {
            board
                .line(board.find_cell(a).unwrap(), board.find_cell(b).unwrap())
                .map(|line| names(&board, line))
        };
        assert_eq!(line("a1", "d4").as_deref(), Some("a1 b2 c3 d4"));
        assert_eq!(line("e3", "b3").as_deref(), Some("e3 d3 c3 b3"));
        assert_eq!((line("a1", "b3"), line("a1", "a1").as_deref()), (None, Some("a1")));
    }
}
