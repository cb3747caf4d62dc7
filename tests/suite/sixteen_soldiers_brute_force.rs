//! Sixteen soldiers once more, written from the rule book with plain coordinates and no code of the engine, and compared with it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::common::Bundled;
use boardwright::model::{Effect, SeatId, Setup, SetupPiece, SetupPlace, State, TurnMark};
use boardwright::rules::{Luck, Rules, RulesSource, Transaction, flow};

/// A point: column 0 to 4, row 1 to 9.
type Point = (i32, i32);

/// The board: who stands where. The side to move is 0 or 1.
type Soldiers = BTreeMap<Point, u8>;

#[derive(Clone, Copy)]
struct Options {
    must_capture: bool,
    double_step: bool,
}

/// A move: the points from the first to the last, and the captured ones.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Walk {
    points: Vec<Point>,
    captured: Vec<Point>,
}

impl Walk {
    fn written(&self) -> String {
        let sign = if self.captured.is_empty() { "-" } else { "x" };
        let names: Vec<String> = self.points.iter().map(|point| name(*point)).collect();
        names.join(sign)
    }
}

fn name((x, y): Point) -> String {
    format!("{}{y}", char::from(b'a' + x as u8))
}

fn is_in_square((x, y): Point) -> bool {
    (0..=4).contains(&x) && (3..=7).contains(&y)
}

fn is_in_triangle((x, y): Point) -> bool {
    match y {
        1 | 9 => [0, 2, 4].contains(&x),
        2 | 8 => [1, 2, 3].contains(&x),
        _ => false,
    }
}

fn points() -> Vec<Point> {
    let all = (1..=9).flat_map(|y| (0..=4).map(move |x| (x, y)));
    all.filter(|point| is_in_square(*point) || is_in_triangle(*point)).collect()
}

/// Whether a line joins two points without another between them.
fn is_joined(a: Point, b: Point) -> bool {
    let (dx, dy) = ((a.0 - b.0).abs(), (a.1 - b.1).abs());
    if is_in_square(a) && is_in_square(b) {
        // Orthogonals everywhere, diagonals on every other point. The first row of the square is the third of the board.
        let has_diagonals = (a.0 + a.1 - 3) % 2 == 0;
        return dx + dy == 1 || (dx == 1 && dy == 1 && has_diagonals);
    }
    if is_in_square(a) != is_in_square(b) {
        // Only the apex, the middle of a side of the square, leads into a triangle: to its three nearer points.
        let (apex, other) = if is_in_square(a) { (a, b) } else { (b, a) };
        return [(2, 3), (2, 7)].contains(&apex) && (other.1 - apex.1).abs() == 1;
    }
    if a.1 == b.1 {
        // Along the rows of a triangle; the outer one is twice as wide.
        return dx == if a.1 == 1 || a.1 == 9 { 2 } else { 1 };
    }
    // From row to row of a triangle: straight on from the apex, so twice as far from the middle.
    let (inner, outer) = if [2, 8].contains(&a.1) { (a, b) } else { (b, a) };
    dy == 1 && (inner.0 - 2) * 2 == outer.0 - 2
}

struct Rulebook {
    neighbours: BTreeMap<Point, Vec<Point>>,
    /// For each point, what is jumped over and where the jump ends.
    jumps: BTreeMap<Point, Vec<(Point, Point)>>,
}

impl Rulebook {
    fn new() -> Self {
        let points = points();
        let near = |point: Point| {
            points
                .iter()
                .copied()
                .filter(|other| *other != point && is_joined(point, *other))
                .collect::<Vec<_>>()
        };
        let neighbours: BTreeMap<Point, Vec<Point>> = points.iter().map(|point| (*point, near(*point))).collect();
        let is_straight = |a: Point, b: Point, c: Point| {
            let (first, second) = ((b.0 - a.0, b.1 - a.1), (c.0 - b.0, c.1 - b.1));
            first.0 * second.1 == first.1 * second.0 && first.0 * second.0 + first.1 * second.1 > 0
        };
        let over = |from: Point| {
            let pairs = neighbours[&from]
                .iter()
                .flat_map(|over| neighbours[over].iter().map(move |to| (*over, *to)));
            pairs.filter(|(over, to)| is_straight(from, *over, *to)).collect::<Vec<_>>()
        };
        let jumps = points.iter().map(|point| (*point, over(*point))).collect();
        Self { neighbours, jumps }
    }

    fn walks(&self, soldiers: &Soldiers, side: u8, options: Options) -> Vec<Walk> {
        let own = soldiers.iter().filter(|(_, owner)| **owner == side).map(|(point, _)| *point);
        let (mut steps, mut captures) = (Vec::new(), Vec::new());
        for from in own {
            let mut others = soldiers.clone();
            others.remove(&from);
            for first in self.free(&others, from) {
                steps.push(Walk {
                    points: vec![from, first],
                    captured: vec![],
                });
                if options.double_step && is_in_triangle(from) {
                    let second = self.free(&others, first).into_iter().filter(|second| *second != from);
                    steps.extend(second.map(|second| Walk {
                        points: vec![from, first, second],
                        captured: vec![],
                    }));
                }
            }
            let start = Walk {
                points: vec![from],
                captured: vec![],
            };
            self.chains(&others, side, &start, &mut captures);
        }
        if options.must_capture && !captures.is_empty() {
            return captures;
        }
        steps.append(&mut captures);
        steps
    }

    fn free(&self, soldiers: &Soldiers, from: Point) -> Vec<Point> {
        self.neighbours[&from]
            .iter()
            .copied()
            .filter(|to| !soldiers.contains_key(to))
            .collect()
    }

    /// All chains of jumps that go on from a walk; the soldier on its way is not among `others`.
    fn chains(&self, others: &Soldiers, side: u8, walk: &Walk, found: &mut Vec<Walk>) {
        let at = *walk.points.last().unwrap();
        for (over, to) in &self.jumps[&at] {
            if others.get(over).is_some_and(|owner| *owner != side) && !others.contains_key(to) {
                let mut left = others.clone();
                left.remove(over);
                let mut longer = walk.clone();
                longer.points.push(*to);
                longer.captured.push(*over);
                self.chains(&left, side, &longer, found);
                found.push(longer);
            }
        }
    }

    fn perft(&self, soldiers: &Soldiers, side: u8, options: Options, depth: u32) -> u64 {
        let walks = self.walks(soldiers, side, options);
        if depth == 1 {
            return walks.len() as u64;
        }
        walks
            .iter()
            .map(|walk| self.perft(&after(soldiers, walk), 1 - side, options, depth - 1))
            .sum()
    }
}

fn after(soldiers: &Soldiers, walk: &Walk) -> Soldiers {
    let mut after = soldiers.clone();
    let side = after.remove(&walk.points[0]).unwrap();
    for captured in &walk.captured {
        after.remove(captured);
    }
    after.insert(*walk.points.last().unwrap(), side);
    after
}

fn standard() -> Soldiers {
    let side = |(_, y): Point| match y {
        1..=4 => Some(0),
        6..=9 => Some(1),
        _ => None,
    };
    points().into_iter().filter_map(|point| Some((point, side(point)?))).collect()
}

/// Numbers that look random and are the same everywhere.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// The engine with options.
struct Engine {
    bundled: Bundled,
    rules: Box<dyn Rules>,
    options: Vec<(String, String)>,
}

impl Engine {
    fn new(options: Options) -> Self {
        let bundled = Bundled::read("sixteen-soldiers", "standard");
        let word = |flag: bool| if flag { "yes" } else { "no" }.to_owned();
        let options = vec![
            ("must_capture".to_owned(), word(options.must_capture)),
            ("triangle_double_step".to_owned(), word(options.double_step)),
        ];
        let values = bundled.source.declarations().read_options(&options).unwrap();
        let rules = bundled
            .source
            .rules(&bundled.board, bundled.source.declarations(), &values)
            .unwrap_or_else(|fault| panic!("{fault}"));
        Self { bundled, rules, options }
    }

    fn state(&self, soldiers: &Soldiers, side: u8) -> Transaction {
        let pieces = soldiers.iter().map(|(point, owner)| SetupPiece {
            kind: "soldier".into(),
            owner: Some(["red", "blue"][usize::from(*owner)].into()),
            place: SetupPlace::Cell(name(*point)),
            ..SetupPiece::default()
        });
        let setup = Setup {
            options: self.options.clone(),
            pieces: pieces.collect(),
            ..Setup::default()
        };
        let state = setup.build(&self.bundled.board, self.bundled.source.declarations()).unwrap();
        let mut transaction = Transaction::new(Arc::new(state), Luck::Forbidden);
        let turn = Effect::Turn {
            old: TurnMark::default(),
            new: TurnMark {
                round: 1,
                turn: 1,
                seat: Some(SeatId(side)),
                ..TurnMark::default()
            },
            fresh: true,
            displacement: None,
        };
        transaction.apply(turn).unwrap();
        transaction
    }
}

fn soldiers_of(state: &State) -> Soldiers {
    let on_board = state.pieces().filter_map(|piece| Some((piece.place.cell()?, piece.owner?)));
    let point = |text: &str| (i32::from(text.as_bytes()[0] - b'a'), i32::from(text.as_bytes()[1] - b'0'));
    on_board
        .map(|(cell, owner)| (point(state.board().cell_name(cell)), owner.0))
        .collect()
}

/// A position with few or many soldiers; always the same for a number.
fn random_position(numbers: &mut Numbers) -> (Soldiers, u8) {
    let empty = 1 + numbers.below(6);
    let mut soldiers = Soldiers::new();
    for point in points() {
        let drawn = numbers.below(empty + 2);
        if drawn < 2 {
            soldiers.insert(point, drawn as u8);
        }
    }
    (soldiers, numbers.below(2) as u8)
}

fn combinations() -> [Options; 4] {
    [(false, false), (false, true), (true, false), (true, true)].map(|(must_capture, double_step)| Options { must_capture, double_step })
}

#[test]
fn the_plain_board_has_37_points_76_edges_and_112_jumps() {
    let book = Rulebook::new();
    let ends: usize = book.neighbours.values().map(Vec::len).sum();
    let jumps: usize = book.jumps.values().map(Vec::len).sum();
    assert_eq!((book.neighbours.len(), ends / 2, jumps), (37, 76, 112));
}

#[test]
fn both_generators_count_the_same_from_the_beginning() {
    let book = Rulebook::new();
    let options = combinations()[1];
    let counts: Vec<u64> = (1..=5).map(|depth| book.perft(&standard(), 0, options, depth)).collect();
    assert_eq!(counts, [9, 69, 783, 9_063, 113_138]);
    let bundled = Bundled::read("sixteen-soldiers", "standard");
    assert_eq!(soldiers_of(&bundled.setup()), standard());
    for options in combinations() {
        let engine = Engine::new(options);
        let start = engine.state(&standard(), 0).into_parts().0;
        for depth in 1..=3 {
            let found = boardwright::rules::perft::perft(&*engine.rules, Arc::clone(&start), depth).unwrap();
            assert_eq!(found, book.perft(&standard(), 0, options, depth));
        }
    }
}

/// The deepest count of `tests/golden/sixteen-soldiers.perft`, which the engine repeats in every run. Once more with
/// `cargo test --test suite -- --ignored depth_six`.
#[test]
#[ignore = "takes a minute"]
fn the_plain_generator_has_the_approved_count_at_depth_six() {
    let approved = std::fs::read_to_string(crate::common::root().join("tests/golden/sixteen-soldiers.perft")).unwrap();
    let count = Rulebook::new().perft(&standard(), 0, combinations()[1], 6);
    assert!(approved.contains(&format!("perft 6 {count}\n")), "{count} is not in\n{approved}");
}

#[test]
fn both_generators_list_the_same_moves_in_random_positions() {
    let book = Rulebook::new();
    let engines = combinations().map(|options| (options, Engine::new(options)));
    let mut numbers = Numbers(1);
    let (mut captures, mut doubles, mut longest) = (0, 0, 0);
    for _ in 0..300 {
        let (soldiers, side) = random_position(&mut numbers);
        for (options, engine) in &engines {
            let walks = book.walks(&soldiers, side, *options);
            captures += walks.iter().filter(|walk| !walk.captured.is_empty()).count();
            doubles += walks
                .iter()
                .filter(|walk| walk.captured.is_empty() && walk.points.len() == 3)
                .count();
            longest = longest.max(walks.iter().map(|walk| walk.captured.len()).max().unwrap_or(0));
            let mut transaction = engine.state(&soldiers, side);
            let state = Arc::clone(transaction.state());
            let legal = flow::legal(&*engine.rules, &state, SeatId(side)).unwrap();
            let listed: Vec<String> = legal.iter().map(|action| engine.rules.notation(&state, action)).collect();
            let found: BTreeSet<String> = listed.iter().cloned().collect();
            assert_eq!(found.len(), listed.len(), "a move is listed twice");
            let expected: BTreeSet<String> = walks.iter().map(Walk::written).collect();
            assert_eq!(found, expected, "{soldiers:?}, side {side}");
            // And one of them leads to the same position.
            if legal.is_empty() {
                continue;
            }
            let chosen = numbers.below(legal.len() as u64) as usize;
            let walk = walks.iter().find(|walk| walk.written() == listed[chosen]).unwrap();
            flow::perform(&*engine.rules, &mut transaction, &legal[chosen]).unwrap();
            assert_eq!(soldiers_of(transaction.state()), after(&soldiers, walk), "{}", listed[chosen]);
        }
    }
    // The positions are of use only if everything happens in them.
    assert!(
        captures > 1_000 && doubles > 1_000 && longest >= 5,
        "{captures} {doubles} {longest}"
    );
}
