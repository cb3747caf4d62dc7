//! Who sees whom.

use super::topology::Nudge;
use super::{Board, CellId};

/// Whether nothing blocks the straight line between the middles of two cells; the same both ways.
///
/// The two cells themselves never block. `None` if one of them is not there, or if they lie on a free graph and no drawn
/// line joins them: what can be seen there is for the rules to say.
///
/// - On grids every cell the line runs through counts. Where it runs exactly between two cells, along the side of a hex or
///   through the corner of a square, it is looked at once a little to the one side and once a little to the other, and one
///   clear line is enough. A line over a hole or outside the board is not clear.
/// - On free graphs every cell between the two on the drawn line counts; of several lines one clear one is enough.
pub fn has_line_of_sight(board: &Board, a: CellId, b: CellId, blocks: impl Fn(CellId) -> bool) -> Option<bool> {
    if !board.contains(a) || !board.contains(b) {
        return None;
    }
    if a == b {
        return Some(true);
    }
    let Some(grid) = board.grid else {
        let mut seen = None;
        for &(direction, _) in board.steps(a) {
            if let Some(between) = board.ray(a, direction).position(|cell| cell == b) {
                let is_clear = !board.ray(a, direction).take(between).any(&blocks);
                seen = Some(seen == Some(true) || is_clear);
            }
        }
        return seen;
    };
    let (place_a, place_b) = (grid.place(a), grid.place(b));
    let is_clear = |nudge| {
        let places = grid.crossed(place_a, place_b, nudge);
        let mut between = places.iter().filter(|&&place| place != place_a && place != place_b);
        between.all(|&(x, y)| board.cell_at(x, y).is_some_and(|cell| !blocks(cell)))
    };
    Some(is_clear(Nudge::There) || is_clear(Nudge::Back))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::boards_for_tests::{boards_and_sets, crossed_map, hex, square};
    use super::super::{Map, MapCell, MapLine, Offset, Orientation, Topology};
    use super::*;

    fn sees(board: &Board, a: &str, b: &str, blocking: &str) -> Option<bool> {
        let cell = |name| board.find_cell(name).unwrap();
        has_line_of_sight(board, cell(a), cell(b), |between| {
            blocking.split(' ').any(|name| name == board.cell_name(between))
        })
    }

    #[test]
    fn a_line_along_the_side_of_a_hex_needs_one_clear_side() {
        let board = hex(5, 5, Orientation::Pointy, Offset::Odd);
        assert_eq!(sees(&board, "c1", "c3", ""), Some(true));
        assert_eq!(sees(&board, "c1", "c3", "b2"), Some(true));
        assert_eq!(sees(&board, "c1", "c3", "c2"), Some(true));
        assert_eq!(sees(&board, "c1", "c3", "b2 c2"), Some(false));
        assert_eq!(sees(&board, "a2", "d2", "b2"), Some(false));
        assert_eq!(sees(&board, "a1", "b1", "a1 b1"), Some(true));
    }

    #[test]
    fn the_outside_of_the_board_is_no_clear_side() {
        let board = hex(3, 3, Orientation::Pointy, Offset::Odd);
        assert_eq!(sees(&board, "a1", "a3", ""), Some(true));
        assert_eq!(sees(&board, "a1", "a3", "a2"), Some(false));
    }

    #[test]
    fn on_squares_a_corner_needs_one_clear_side_and_every_square_on_the_way_counts() {
        let board = square(4, 4, true);
        assert_eq!(sees(&board, "a1", "b2", "b1"), Some(true));
        assert_eq!(sees(&board, "a1", "b2", "b1 a2"), Some(false));
        assert_eq!(sees(&board, "a1", "c2", "b1"), Some(false));
        assert_eq!(sees(&board, "a1", "c2", "b2"), Some(false));
        assert_eq!(sees(&board, "a1", "c2", "a2 c1"), Some(true));
    }

    #[test]
    fn over_a_hole_nothing_is_seen() {
        let mut map = Map::new(
            "map",
            "Map",
            Topology::Square {
                width: 3,
                height: 1,
                diagonals: false,
            },
        );
        map.cells.push(MapCell::hole(1, 0));
        let board = Board::from_map(&map).unwrap();
        assert_eq!(sees(&board, "a1", "c1", ""), Some(false));
        assert_eq!(has_line_of_sight(&board, CellId(0), CellId(1), |_| false), None);
    }

    #[test]
    fn on_graphs_sight_follows_drawn_lines() {
        let board = Board::from_map(&crossed_map()).unwrap();
        assert_eq!(sees(&board, "a1", "e5", ""), Some(true));
        assert_eq!(sees(&board, "a1", "e5", "c3"), Some(false));
        assert_eq!(sees(&board, "a1", "c2", ""), None);
    }

    #[test]
    fn round_a_closed_line_one_clear_way_is_enough() {
        let mut map = Map::new("map", "Map", Topology::Graph);
        map.cells = ["a", "b", "c", "d"].map(|name| MapCell::new(name, 0, 0)).into();
        map.lines = vec![MapLine::new(["a", "b", "c", "d", "a"])];
        let board = Board::from_map(&map).unwrap();
        assert_eq!(
            [
                sees(&board, "a", "c", "b"),
                sees(&board, "a", "c", "d"),
                sees(&board, "a", "c", "b d")
            ],
            [Some(true), Some(true), Some(false)]
        );
    }

    proptest! {
        #[test]
        fn sight_goes_both_ways((board, blocking, _) in boards_and_sets(), ends in (0..200_usize, 0..200_usize)) {
            let cells: Vec<CellId> = board.cells().collect();
            let (a, b) = (cells[ends.0 % cells.len()], cells[ends.1 % cells.len()]);
            let blocks = |cell| blocking.contains(cell);
            let seen = has_line_of_sight(&board, a, b, blocks);
            prop_assert_eq!(seen, has_line_of_sight(&board, b, a, blocks));
            if board.neighbours(a).contains(&b) && board.grid.is_none() {
                prop_assert_eq!(seen, Some(true));
            }
            if board.all().count() == board.cell_count() && board.grid.is_some() {
                prop_assert_eq!(has_line_of_sight(&board, a, b, |_| false), Some(true));
            }
        }
    }
}
