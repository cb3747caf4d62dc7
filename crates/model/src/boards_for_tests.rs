//! Boards of every topology for tests.

use proptest::prelude::*;

use super::{Board, CellId, CellSet, Map, MapCell, MapEdge, MapLine, Offset, Orientation, Topology};

/// A board without anything special.
pub(super) fn plain(topology: Topology) -> Board {
    Board::from_map(&Map::new("plain", "Plain", topology)).unwrap()
}

/// A square grid.
pub(super) fn square(width: u16, height: u16, diagonals: bool) -> Board {
    plain(Topology::Square { width, height, diagonals })
}

/// A hex grid.
pub(super) fn hex(width: u16, height: u16, orientation: Orientation, offset: Offset) -> Board {
    plain(Topology::Hex {
        width,
        height,
        orientation,
        offset,
    })
}

/// The map of five by five points with lines along the rows, the columns, and every other diagonal.
pub(super) fn crossed_map() -> Map {
    let name = |x: i32, y: i32| Topology::default_name(x, y).unwrap();
    let mut map = Map::new("crossed", "Crossed", Topology::Graph);
    map.cells = (0..5)
        .flat_map(|y| (0..5).map(move |x| MapCell::new(name(x, y), 1000 * x, 1000 * y)))
        .collect();
    let line =
        |from: (i32, i32), by: (i32, i32), count: i32| MapLine::new((0..count).map(|at| name(from.0 + by.0 * at, from.1 + by.1 * at)));
    map.lines.extend((0..5).map(|y| line((0, y), (1, 0), 5)));
    map.lines.extend((0..5).map(|x| line((x, 0), (0, 1), 5)));
    map.lines.extend([line((0, 0), (1, 1), 5), line((4, 0), (-1, 1), 5)]);
    map.lines.extend([
        line((2, 0), (1, 1), 3),
        line((2, 0), (-1, 1), 3),
        line((2, 4), (1, -1), 3),
        line((2, 4), (-1, -1), 3),
    ]);
    map
}

/// The map of a square grid without diagonals.
pub(super) fn grid_map(width: u16, height: u16) -> Map {
    Map::new(
        "grid",
        "Grid",
        Topology::Square {
            width,
            height,
            diagonals: false,
        },
    )
}

/// The map of a free graph: points in a row, and lines through some of them.
pub(super) fn graph_map(cells: &[&str], lines: &[&[&str]]) -> Map {
    let mut map = Map::new("graph", "Graph", Topology::Graph);
    map.cells = cells
        .iter()
        .enumerate()
        .map(|(at, &name)| MapCell::new(name, 1000 * at as i32, 0))
        .collect();
    map.lines = lines.iter().map(|cells| MapLine::new(cells.iter().copied())).collect();
    map
}

/// An edge without properties.
pub(super) fn edge(a: &str, b: &str) -> MapEdge {
    MapEdge {
        a: a.into(),
        b: b.into(),
        ..MapEdge::default()
    }
}

fn topologies() -> impl Strategy<Value = Topology> {
    prop_oneof![
        (1..13_u16, 1..13_u16, any::<bool>(), any::<bool>()).prop_map(|(width, height, is_flat, is_even)| Topology::Hex {
            width,
            height,
            orientation: if is_flat { Orientation::Flat } else { Orientation::Pointy },
            offset: if is_even { Offset::Even } else { Offset::Odd },
        }),
        (1..13_u16, 1..13_u16, any::<bool>()).prop_map(|(width, height, diagonals)| Topology::Square { width, height, diagonals }),
        Just(Topology::Graph),
    ]
}

/// Maps of every topology: grids with holes, graphs with random lines, some of them closed.
pub(super) fn maps() -> impl Strategy<Value = Map> {
    let special = prop::collection::vec((0..13_i32, 0..13_i32), 0..12);
    let lines = prop::collection::vec((prop::collection::vec(0..24_usize, 2..7), any::<bool>()), 0..14);
    (topologies(), special, lines, 2..24_usize).prop_map(|(topology, holes, lines, count)| {
        let mut map = Map::new("sample", "Sample", topology);
        if let Some((width, height)) = topology.size() {
            let mut holes: Vec<_> = holes.into_iter().filter(|&(x, y)| x < width.into() && y < height.into()).collect();
            holes.sort_unstable();
            holes.dedup();
            holes.retain(|&place| place != (0, 0));
            map.cells = holes.into_iter().map(|(x, y)| MapCell::hole(x, y)).collect();
            return map;
        }
        map.cells = (0..count)
            .map(|cell| MapCell::new(format!("p{cell}"), (cell as i32 % 5) * 1000, (cell as i32 / 5) * 1000))
            .collect();
        let mut joined = std::collections::BTreeSet::new();
        for (cells, is_closed) in lines {
            let mut line: Vec<usize> = Vec::new();
            for cell in cells.into_iter().map(|cell| cell % count) {
                let is_new = |last: &&usize| !joined.contains(&(cell.min(**last), cell.max(**last)));
                if !line.contains(&cell) && line.last().is_none_or(|last| is_new(&last)) {
                    line.push(cell);
                }
            }
            let ends = line.first().copied().zip(line.last().copied());
            if let Some((first, last)) = ends.filter(|_| is_closed && line.len() > 2)
                && !joined.contains(&(first.min(last), first.max(last)))
            {
                line.push(first);
            }
            if line.len() > 1 {
                joined.extend(line.windows(2).map(|pair| (pair[0].min(pair[1]), pair[0].max(pair[1]))));
                map.lines.push(MapLine::new(line.into_iter().map(|cell| format!("p{cell}"))));
            }
        }
        map
    })
}

/// Boards of every topology.
pub(super) fn boards() -> impl Strategy<Value = Board> {
    maps().prop_map(|map| Board::from_map(&map).unwrap())
}

/// A board, and two sets that need not be made of its cells alone.
pub(super) fn boards_and_sets() -> impl Strategy<Value = (Board, CellSet, CellSet)> {
    boards().prop_flat_map(|board| {
        let count = board.cell_count() as u16;
        let set = move || {
            let cells = prop::collection::vec(0..count + 3, 0..usize::from(count));
            (cells, 0..5_usize).prop_map(move |(cells, more)| {
                CellSet::from_cells(usize::from(count) + more.saturating_sub(2) * 40, cells.into_iter().map(CellId))
            })
        };
        (Just(board), set(), set())
    })
}
