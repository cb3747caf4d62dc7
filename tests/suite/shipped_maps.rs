//! The boards and set-ups that are shipped are what their rules say.

use boardwright::content::xml::{Document as _, Source};
use boardwright::content::{Manifest, MapDocument, ScenarioDocument, print_map, print_scenario};
use boardwright::model::{Board, SetupPlace};

fn source(path: &str) -> Source {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    Source::open(&path, path.display().to_string()).unwrap_or_else(|found| panic!("{found}"))
}

fn map(path: &str) -> MapDocument {
    MapDocument::read(&source(path)).unwrap_or_else(|found| panic!("{found}"))
}

fn board(path: &str) -> Board {
    map(path).board().unwrap_or_else(|found| panic!("{found}"))
}

/// The cells that pieces of a seat stand on.
fn cells_of(scenario: &ScenarioDocument, seat: &str) -> Vec<String> {
    let pieces = scenario.scenario.setup.pieces.iter();
    let cells = pieces
        .filter(|piece| piece.owner.as_deref() == Some(seat))
        .map(|piece| match &piece.place {
            SetupPlace::Cell(cell) => cell.clone(),
            other => panic!("{other:?}"),
        });
    cells.collect()
}

#[test]
fn the_board_of_sixteen_soldiers_has_37_points_76_edges_and_112_jumps() {
    let board = board("maps/sixteen-soldiers/board.map.xml");
    let jumps = board
        .cells()
        .flat_map(|cell| board.steps(cell).iter().map(move |step| (cell, *step)));
    let jumps = jumps
        .filter(|(_, (direction, over))| board.step(*over, *direction).is_some())
        .count();
    assert_eq!((board.cell_count(), board.edge_count(), jumps), (37, 76, 112));
}

#[test]
fn every_line_of_sixteen_soldiers_is_straight_and_whole_in_the_drawing() {
    let board = board("maps/sixteen-soldiers/board.map.xml");
    let at = |cell| board.position(cell);
    let side = |(ax, ay): (i32, i32), (bx, by): (i32, i32), (cx, cy): (i32, i32)| {
        i64::from(bx - ax) * i64::from(cy - ay) - i64::from(by - ay) * i64::from(cx - ax)
    };
    for line in board.lines() {
        let (first, last) = (at(line.cells[0]), at(line.cells[line.cells.len() - 1]));
        let off_line = line.cells.iter().find(|&&cell| side(first, last, at(cell)) != 0);
        assert_eq!(off_line.map(|&cell| board.cell_name(cell)), None, "{}", line.name);
        // No point of the board lies between two neighbours of a line without being on it.
        for pair in line.cells.windows(2) {
            let between = |low: i32, high: i32, value: i32| (low.min(high)..=low.max(high)).contains(&value);
            let lies_between = |cell| {
                let ((ax, ay), (bx, by), (x, y)) = (at(pair[0]), at(pair[1]), at(cell));
                !pair.contains(&cell) && side((ax, ay), (bx, by), (x, y)) == 0 && between(ax, bx, x) && between(ay, by, y)
            };
            assert_eq!(board.cells().find(|&cell| lies_between(cell)), None, "{}", line.name);
        }
    }
}

#[test]
fn the_legs_of_the_triangles_run_on_into_the_square() {
    let board = board("maps/sixteen-soldiers/board.map.xml");
    let cell = |name| board.find_cell(name).unwrap();
    for run in [
        "a1 b2 c3 d4 e5",
        "e1 d2 c3 b4 a5",
        "a9 b8 c7 d6 e5",
        "e9 d8 c7 b6 a5",
        "c1 c2 c3 c4 c5 c6 c7 c8 c9",
    ] {
        let names: Vec<_> = run.split(' ').collect();
        let (direction, _) = *board.steps(cell(names[0])).iter().find(|(_, to)| *to == cell(names[1])).unwrap();
        let ray: Vec<_> = board.ray(cell(names[0]), direction).map(|cell| board.cell_name(cell)).collect();
        assert_eq!(ray, names[1..]);
    }
}

#[test]
fn sixteen_soldiers_fill_each_triangle_and_two_rows() {
    let board = board("maps/sixteen-soldiers/board.map.xml");
    let scenario = ScenarioDocument::read(&source("maps/sixteen-soldiers/standard.scenario.xml")).unwrap();
    let region = |name: &str| board.region(board.find_region(name).unwrap());
    let mut taken = board.all().clone();
    for (seat, rows) in [("red", "34"), ("blue", "67")] {
        let (cells, triangle) = (cells_of(&scenario, seat), format!("{seat}_triangle"));
        assert_eq!(cells.len(), 16);
        for cell in cells {
            let id = board.find_cell(&cell).unwrap();
            assert!(taken.remove(id), "{cell}");
            assert!(region(&triangle).contains(id) || cell.ends_with(|row| rows.contains(row)), "{cell}");
        }
    }
    assert_eq!(&taken, region("middle"));
    let both = region("red_triangle").union(region("blue_triangle"));
    assert_eq!((&both, both.count()), (region("triangles"), 12));
}

#[test]
fn tic_tac_toe_starts_on_nine_empty_squares() {
    let board = board("maps/tic-tac-toe/board.map.xml");
    let scenario = ScenarioDocument::read(&source("maps/tic-tac-toe/standard.scenario.xml"))
        .unwrap()
        .scenario;
    assert_eq!((board.cell_count(), board.edge_count()), (9, 20));
    assert!(scenario.setup.pieces.is_empty());
}

/// The areas of the world in their order, each with those that a way leads to.
const WORLD: [(&str, &[usize]); 42] = [
    ("Alaska", &[1, 3, 29]),
    ("Northwest Territory", &[0, 2, 3, 4]),
    ("Greenland", &[1, 4, 5, 13]),
    ("Alberta", &[0, 1, 4, 6]),
    ("Ontario", &[1, 2, 3, 5, 6, 7]),
    ("Quebec", &[2, 4, 7]),
    ("Western United States", &[3, 4, 7, 8]),
    ("Eastern United States", &[4, 5, 6, 8]),
    ("Central America", &[6, 7, 9]),
    ("Venezuela", &[8, 10, 11]),
    ("Peru", &[9, 11, 12]),
    ("Brazil", &[9, 10, 12, 20]),
    ("Argentina", &[10, 11]),
    ("Iceland", &[2, 14, 15]),
    ("Scandinavia", &[13, 15, 17, 19]),
    ("Great Britain", &[13, 14, 16, 17]),
    ("Western Europe", &[15, 17, 18, 20]),
    ("Northern Europe", &[14, 15, 16, 18, 19]),
    ("Southern Europe", &[16, 17, 19, 20, 21, 35]),
    ("Ukraine", &[14, 17, 18, 26, 31, 35]),
    ("North Africa", &[11, 16, 18, 21, 22, 23]),
    ("Egypt", &[18, 20, 23, 35]),
    ("Congo", &[20, 23, 24]),
    ("East Africa", &[20, 21, 22, 24, 25, 35]),
    ("South Africa", &[22, 23, 25]),
    ("Madagascar", &[23, 24]),
    ("Ural", &[19, 27, 31, 32]),
    ("Siberia", &[26, 28, 30, 32, 33]),
    ("Yakutsk", &[27, 29, 30]),
    ("Kamchatka", &[0, 28, 30, 33, 34]),
    ("Irkutsk", &[27, 28, 29, 33]),
    ("Afghanistan", &[19, 26, 32, 35, 36]),
    ("China", &[26, 27, 31, 33, 36, 37]),
    ("Mongolia", &[27, 29, 30, 32, 34]),
    ("Japan", &[29, 33]),
    ("Middle East", &[18, 19, 21, 23, 31, 36]),
    ("India", &[31, 32, 35, 37]),
    ("Siam", &[32, 36, 38]),
    ("Indonesia", &[37, 39, 40]),
    ("New Guinea", &[38, 40, 41]),
    ("Western Australia", &[38, 39, 41]),
    ("Eastern Australia", &[39, 40]),
];

#[test]
fn the_world_of_conquest_has_its_42_areas_in_order_and_83_ways_between_them() {
    let board = board("maps/conquest/world.map.xml");
    assert_eq!((board.cell_count(), board.edge_count()), (WORLD.len(), 83));
    for (index, (cell, (name, ways))) in board.cells().zip(WORLD).enumerate() {
        assert_eq!((board.cell_name(cell), cell.index()), (name, index));
        let mut found: Vec<usize> = board.neighbours(cell).iter().map(|to| to.index()).collect();
        found.sort_unstable();
        assert_eq!(found, ways, "{name}");
        assert!(ways.iter().all(|way| WORLD[*way].1.contains(&index)), "ways lead back to {name}");
    }
}

#[test]
fn the_six_regions_of_the_world_hold_areas_that_follow_one_another() {
    let board = board("maps/conquest/world.map.xml");
    let mut next = 0;
    let sizes = ["north_america", "south_america", "europe", "africa", "asia", "australia"].map(|name| {
        let region = board.region(board.find_region(name).unwrap());
        for cell in region {
            assert_eq!((board.base_terrain_name(cell), cell.index()), (Some(name), next));
            next += 1;
        }
        region.count()
    });
    assert_eq!(sizes, [9, 4, 7, 6, 12, 4]);
}

/// Areas are drawn: each has its middle inside itself, no point of the sheet lies in two, and borders are shared to the point.
#[test]
fn the_areas_of_conquest_do_not_overlap() {
    let board = board("maps/conquest/world.map.xml");
    for cell in board.cells() {
        let (x, y) = board.position(cell);
        assert_eq!(board.hit(x, y), Some(cell), "{}", board.cell_name(cell));
        assert!(board.outline(cell).iter().all(|part| part.len() >= 5), "{}", board.cell_name(cell));
    }
    let parts = |name: &str| board.outline(board.find_cell(name).unwrap()).len();
    assert!(parts("Indonesia") >= 6 && parts("Japan") == 4 && parts("Great Britain") == 2 && parts("Peru") == 1);
    let points = |name: &str| board.outline(board.find_cell(name).unwrap()).concat();
    let shared = |a: &str, b: &str| points(a).iter().filter(|point| points(b).contains(point)).count();
    assert!(shared("Brazil", "Peru") > 10 && shared("China", "Mongolia") > 10 && shared("Alaska", "Kamchatka") == 0);
}

#[test]
fn shipped_documents_survive_being_written() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut seen = 0;
    let folders = ["maps", "rulesets"].map(|folder| std::fs::read_dir(root.join(folder)).unwrap());
    for folder in folders.into_iter().flatten() {
        for file in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            let again = |text: String| Source::new(name.as_str(), &text);
            if name.ends_with(".map.xml") {
                let read = map(&name).map;
                assert_eq!(MapDocument::read(&again(print_map(&read))).unwrap().map, read, "{name}");
            } else if name.ends_with(".scenario.xml") {
                let read = ScenarioDocument::read(&source(&name))
                    .unwrap_or_else(|found| panic!("{found}"))
                    .scenario;
                assert_eq!(
                    ScenarioDocument::read(&again(print_scenario(&read))).unwrap().scenario,
                    read,
                    "{name}"
                );
            } else if name.ends_with("ruleset.xml") {
                let read = Manifest::read(&source(&name)).unwrap_or_else(|found| panic!("{found}"));
                assert_eq!(Manifest::read(&again(read.print())).unwrap(), read, "{name}");
            } else {
                continue;
            }
            seen += 1;
        }
    }
    assert!(seen >= 6, "{seen}");
}
