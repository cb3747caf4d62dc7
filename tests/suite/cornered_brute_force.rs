//! Cornered once more, written from the rule book with plain coordinates and no code of the engine, and compared with it at every
//! ply of random matches.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::common::Bundled;
use boardwright::model::{Action, State};
use boardwright::rules::{Generator, Luck, PatternMove, Rules, Transaction, flow};

type Square = (i32, i32);

/// The pieces, by name, as the squares they cover.
const PIECES: [(&str, &[Square]); 21] = [
    ("i1", &[(0, 0)]),
    ("i2", &[(0, 0), (1, 0)]),
    ("i3", &[(0, 0), (1, 0), (2, 0)]),
    ("v3", &[(0, 0), (1, 0), (0, 1)]),
    ("i4", &[(0, 0), (1, 0), (2, 0), (3, 0)]),
    ("l4", &[(0, 0), (1, 0), (2, 0), (0, 1)]),
    ("t4", &[(0, 0), (1, 0), (2, 0), (1, 1)]),
    ("o4", &[(0, 0), (1, 0), (0, 1), (1, 1)]),
    ("z4", &[(0, 0), (1, 0), (1, 1), (2, 1)]),
    ("f5", &[(1, 0), (2, 0), (0, 1), (1, 1), (1, 2)]),
    ("i5", &[(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)]),
    ("l5", &[(0, 0), (1, 0), (2, 0), (3, 0), (0, 1)]),
    ("n5", &[(0, 0), (1, 0), (1, 1), (2, 1), (3, 1)]),
    ("p5", &[(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)]),
    ("t5", &[(0, 0), (1, 0), (2, 0), (1, 1), (1, 2)]),
    ("u5", &[(0, 0), (2, 0), (0, 1), (1, 1), (2, 1)]),
    ("v5", &[(0, 0), (1, 0), (2, 0), (0, 1), (0, 2)]),
    ("w5", &[(0, 0), (0, 1), (1, 1), (1, 2), (2, 2)]),
    ("x5", &[(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)]),
    ("y5", &[(0, 0), (1, 0), (2, 0), (3, 0), (1, 1)]),
    ("z5", &[(0, 0), (1, 0), (1, 1), (1, 2), (2, 2)]),
];

/// A piece laid on squares: its place in the table, and the squares, sorted.
type Placement = (usize, Vec<Square>);

struct Colour {
    start: Square,
    left: BTreeSet<usize>,
    last: Option<usize>,
    is_out: bool,
}

/// A match: which colour is on which square.
struct Table {
    size: i32,
    squares: Vec<Option<usize>>,
    colours: Vec<Colour>,
    next: usize,
}

/// Every way a piece can lie, its squares counted from the upper left one of their box.
fn ways() -> Vec<Vec<Vec<Square>>> {
    let moved = |squares: &[Square]| {
        let (left, top) = (
            squares.iter().map(|s| s.0).min().unwrap(),
            squares.iter().map(|s| s.1).min().unwrap(),
        );
        let mut squares: Vec<Square> = squares.iter().map(|s| (s.0 - left, s.1 - top)).collect();
        squares.sort_unstable();
        squares
    };
    let all = |squares: &[Square]| {
        let mut found = BTreeSet::new();
        let mut turned = squares.to_vec();
        for _ in 0..4 {
            turned = turned.iter().map(|s| (-s.1, s.0)).collect();
            found.insert(moved(&turned));
            found.insert(moved(&turned.iter().map(|s| (-s.0, s.1)).collect::<Vec<_>>()));
        }
        found.into_iter().collect()
    };
    PIECES.iter().map(|(_, squares)| all(squares)).collect()
}

impl Table {
    fn new(size: i32, starts: &[Square]) -> Self {
        let colour = |start: &Square| Colour {
            start: *start,
            left: (0..PIECES.len()).collect(),
            last: None,
            is_out: false,
        };
        Self {
            size,
            squares: vec![None; (size * size) as usize],
            colours: starts.iter().map(colour).collect(),
            next: 0,
        }
    }

    #[expect(
        clippy::option_option,
        reason = "whether there is a square, and whether a colour lies on it, are two questions"
    )]
    fn at(&self, (x, y): Square) -> Option<Option<usize>> {
        let is_inside = (0..self.size).contains(&x) && (0..self.size).contains(&y);
        is_inside.then(|| self.squares[(y * self.size + x) as usize])
    }

    fn touches(&self, (x, y): Square, steps: &[Square], colour: usize) -> bool {
        steps.iter().any(|(dx, dy)| self.at((x + dx, y + dy)) == Some(Some(colour)))
    }

    /// Whether a square is empty and beside no piece of the colour.
    fn is_free(&self, square: Square, colour: usize) -> bool {
        self.at(square) == Some(None) && !self.touches(square, &[(1, 0), (-1, 0), (0, 1), (0, -1)], colour)
    }

    /// The squares of which a piece has to cover one: the start, or those at a corner of the colour.
    fn goals(&self, colour: usize) -> Vec<Square> {
        let all = (0..self.size).flat_map(|y| (0..self.size).map(move |x| (x, y)));
        let is_goal = |square: &Square| match self.colours[colour].last {
            None => *square == self.colours[colour].start,
            Some(_) => self.touches(*square, &[(1, 1), (-1, 1), (1, -1), (-1, -1)], colour),
        };
        all.filter(is_goal).filter(|square| self.is_free(*square, colour)).collect()
    }

    /// What the colour in turn can place; only the first placement found, if one is enough.
    fn placements(&self, ways: &[Vec<Vec<Square>>], is_one_enough: bool) -> BTreeSet<Placement> {
        let mut found = BTreeSet::new();
        for goal in self.goals(self.next) {
            for piece in &self.colours[self.next].left {
                // The square that covers the goal may be any of the piece.
                for (way, held) in ways[*piece].iter().flat_map(|way| way.iter().map(move |held| (way, held))) {
                    let square = |s: &Square| (goal.0 + s.0 - held.0, goal.1 + s.1 - held.1);
                    if way.iter().all(|s| self.is_free(square(s), self.next)) {
                        found.insert((*piece, way.iter().map(square).collect()));
                        if is_one_enough {
                            return found;
                        }
                    }
                }
            }
        }
        found
    }

    /// Places a piece of the colour in turn; the turn goes on to the next colour that can place one.
    fn place(&mut self, (piece, squares): &Placement, ways: &[Vec<Vec<Square>>]) {
        let colour = self.next;
        for (x, y) in squares {
            self.squares[(y * self.size + x) as usize] = Some(colour);
        }
        self.colours[colour].left.remove(piece);
        self.colours[colour].last = Some(*piece);
        for _ in 0..self.colours.len() {
            self.next = (self.next + 1) % self.colours.len();
            if !self.colours[self.next].is_out {
                if !self.placements(ways, true).is_empty() {
                    return;
                }
                self.colours[self.next].is_out = true;
            }
        }
    }

    fn is_over(&self) -> bool {
        self.colours.iter().all(|colour| colour.is_out)
    }

    fn points(&self, colour: usize) -> i64 {
        let covered = self.squares.iter().filter(|square| **square == Some(colour)).count() as i64;
        let this = &self.colours[colour];
        let bonus = match (this.left.is_empty(), this.last) {
            (true, Some(0)) => 20,
            (true, _) => 15,
            _ => 0,
        };
        covered + bonus
    }
}

/// What the engine lists, in the same form.
fn listed(rules: &dyn Rules, state: &State, action: &Action) -> BTreeSet<Placement> {
    let (declarations, board) = (state.declarations(), state.board());
    let mut found = BTreeSet::new();
    let mut count = 0;
    rules.pattern(action.action).unwrap().list(state, action.seat, &mut |one| {
        let PatternMove::Posed(piece, pose, cell) = one else {
            panic!("{one:?}")
        };
        let kind = state.piece(piece).unwrap().kind;
        let name = &declarations.kinds[kind.index()].name;
        let piece = PIECES.iter().position(|(known, _)| *known == &**name).unwrap();
        let lying = boardwright::model::Place::Posed(cell, pose);
        let squares = state.cells_at(kind, lying).into_iter().map(|cell| board.coordinates(cell).unwrap());
        let mut squares: Vec<Square> = squares.collect();
        squares.sort_unstable();
        found.insert((piece, squares));
        count += 1;
        ControlFlow::Continue(())
    });
    assert_eq!(found.len(), count, "nothing is listed twice");
    found
}

/// Plays random matches with both, and compares what can be placed at every ply, whose turn it is, and the points at the end.
fn compare(scenario: &str, size: i32, starts: &[Square], seeds: std::ops::Range<u64>) {
    let bundled = Bundled::read("cornered", scenario);
    let ways = ways();
    let mut plies = 0;
    for seed in seeds.clone() {
        let (rules, start) = bundled.begin(seed);
        let mut generator = Generator::new(seed);
        let mut table = Table::new(size, starts);
        let mut transaction = Transaction::new(start, Luck::Forbidden);
        while let Some(seat) = transaction.state().acting().first() {
            let state = Arc::clone(transaction.state());
            let place = usize::from(state.sequence().mark.place);
            assert_eq!(place, table.next, "seed {seed}, ply {plies}: the colour in turn");
            let legal = flow::legal(&*rules, &state, seat).unwrap();
            let chosen = &legal[generator.below(legal.len() as u32) as usize];
            let found = listed(&*rules, &state, chosen);
            let expected = table.placements(&ways, false);
            assert_eq!(legal.len(), expected.len(), "seed {seed}, ply {plies}");
            assert!(found == expected, "seed {seed}, ply {plies}: other placements");
            drop(state);
            let before = transaction.mark();
            flow::perform_legal(&*rules, &mut transaction, chosen).unwrap();
            let laid = transaction.effects_since(before).iter().find_map(|effect| match effect {
                boardwright::model::Effect::Move { piece, to, .. } => Some((*piece, *to)),
                _ => None,
            });
            let (piece, to) = laid.unwrap();
            let state = transaction.state();
            let kind = state.piece(piece).unwrap().kind;
            let name = &state.declarations().kinds[kind.index()].name;
            let mut squares: Vec<Square> = state
                .cells_at(kind, to)
                .iter()
                .map(|cell| state.board().coordinates(*cell).unwrap())
                .collect();
            squares.sort_unstable();
            let placement = (PIECES.iter().position(|(known, _)| *known == &**name).unwrap(), squares);
            assert!(expected.contains(&placement));
            table.place(&placement, &ways);
            transaction.forget();
            plies += 1;
        }
        assert!(table.is_over(), "seed {seed}");
        let points: Vec<i64> = (0..starts.len()).map(|colour| table.points(colour)).collect();
        let outcome = transaction.state().outcome().unwrap();
        if outcome.scores.len() == points.len() {
            assert_eq!(outcome.scores, points, "seed {seed}");
        }
    }
    assert!(plies > 20 * seeds.count(), "{plies} plies");
}

const CORNERS: [Square; 4] = [(0, 0), (19, 0), (19, 19), (0, 19)];

#[test]
fn four_colours_agree_with_brute_force() {
    compare("standard", 20, &CORNERS, 0..100);
}

#[test]
fn four_colours_agree_with_brute_force_in_more_matches() {
    compare("standard", 20, &CORNERS, 100..200);
}

#[test]
fn two_colours_of_a_player_agree_with_brute_force() {
    compare("double", 20, &CORNERS, 0..5);
}

#[test]
fn a_colour_placed_in_turn_agrees_with_brute_force() {
    compare("three", 20, &CORNERS, 0..5);
}

#[test]
fn duo_agrees_with_brute_force() {
    compare("duo", 14, &[(4, 4), (9, 9)], 0..200);
}

#[test]
fn the_first_placements_are_as_many_as_are_known() {
    let count = |scenario: &str| {
        let (rules, start) = Bundled::read("cornered", scenario).begin(1);
        flow::legal(&*rules, &start, start.acting().first().unwrap()).unwrap().len()
    };
    assert_eq!((count("standard"), count("duo")), (58, 414));
}
