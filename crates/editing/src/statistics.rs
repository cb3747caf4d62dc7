//! Counts that show whether a map or a scenario is fair.

use std::collections::BTreeMap;

use boardwright_model::{Board, CellId, CellSet, Declarations, Map, Scenario};

use super::setup::cell_of;

/// How many cells a map has of each terrain; those of which no terrain is said under `None`. Holes do not count.
pub fn cells_by_terrain(map: &Map) -> BTreeMap<Option<&str>, usize> {
    let mut counts: BTreeMap<Option<&str>, usize> = BTreeMap::new();
    let cells = map.cells.iter().filter(|cell| !cell.absent);
    for cell in cells {
        *counts.entry(cell.terrain.as_deref()).or_default() += 1;
    }
    if let Some((width, height)) = map.topology.size() {
        let unlisted = usize::from(width) * usize::from(height) - map.cells.len().min(usize::from(width) * usize::from(height));
        if unlisted > 0 {
            *counts.entry(None).or_default() += unlisted;
        }
    }
    counts
}

/// Where seats begin, and how far each is from each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Starts {
    /// The names of the seats.
    pub seats: Vec<String>,
    /// For each seat its cells.
    pub cells: Vec<CellSet>,
    /// For each pair of seats the fewest steps between their cells; `None` where no way leads.
    pub distances: Vec<Vec<Option<u32>>>,
    /// For each seat the cells that are nearer to it than to any other.
    pub nearest: Vec<usize>,
}

impl Starts {
    /// The starts that a map has: the regions called after seats.
    pub fn of_map(board: &Board, declarations: &Declarations) -> Self {
        let seats = declarations.seats.iter().filter_map(|seat| {
            let region = board.find_region(&seat.name)?;
            Some((seat.name.to_string(), board.region(region).clone()))
        });
        Self::of(board, seats.filter(|(_, cells)| !cells.is_empty()).unzip())
    }

    /// The starts of a scenario: the cells on which each seat has pieces.
    pub fn of_scenario(board: &Board, scenario: &Scenario) -> Self {
        let mut by_seat: BTreeMap<&str, CellSet> = BTreeMap::new();
        for piece in &scenario.setup.pieces {
            let cell = cell_of(piece).and_then(|cell| board.find_cell(cell));
            if let (Some(owner), Some(cell)) = (&piece.owner, cell) {
                let cells = by_seat.entry(owner).or_insert_with(|| CellSet::empty(board.cell_count()));
                cells.insert(cell);
            }
        }
        Self::of(board, by_seat.into_iter().map(|(seat, cells)| (seat.to_owned(), cells)).unzip())
    }

    fn of(board: &Board, (seats, cells): (Vec<String>, Vec<CellSet>)) -> Self {
        let steps: Vec<Vec<Option<u32>>> = cells.iter().map(|from| steps_from(board, from)).collect();
        let step = |steps: &[Option<u32>], cell: CellId| steps.get(cell.index()).copied().flatten();
        let least = |steps: &Vec<Option<u32>>, to: &CellSet| to.iter().filter_map(|cell| step(steps, cell)).min();
        let distances = steps
            .iter()
            .map(|steps| cells.iter().map(|to| least(steps, to)).collect())
            .collect();
        let mut nearest = vec![0; seats.len()];
        for cell in board.cells() {
            let mut ways: Vec<(u32, usize)> = steps
                .iter()
                .enumerate()
                .filter_map(|(seat, steps)| Some((step(steps, cell)?, seat)))
                .collect();
            ways.sort_unstable();
            let only = match ways.as_slice() {
                [(first, seat), (second, _), ..] if first < second => Some(*seat),
                [(_, seat)] => Some(*seat),
                _ => None,
            };
            if let Some(slot) = only.and_then(|seat| nearest.get_mut(seat)) {
                *slot += 1;
            }
        }
        Self {
            seats,
            cells,
            distances,
            nearest,
        }
    }

    /// For each seat the distance to the nearest other; `None` where no way leads to any.
    pub fn to_next(&self) -> Vec<Option<u32>> {
        let others = |(seat, row): (usize, &Vec<Option<u32>>)| {
            let others = row.iter().enumerate().filter(|(other, _)| *other != seat);
            others.filter_map(|(_, distance)| *distance).min()
        };
        self.distances.iter().enumerate().map(others).collect()
    }
}

/// For each cell the fewest steps to it from any of some.
fn steps_from(board: &Board, from: &CellSet) -> Vec<Option<u32>> {
    let mut steps = vec![None; board.cell_count()];
    let mut now: Vec<CellId> = from.iter().collect();
    let mut count = 0;
    while !now.is_empty() {
        now.retain(|cell| match steps.get_mut(cell.index()) {
            Some(slot @ None) => {
                *slot = Some(count);
                true
            }
            _ => false,
        });
        let next = now.iter().flat_map(|cell| board.neighbours(*cell)).copied();
        now = next.filter(|cell| steps.get(cell.index()) == Some(&None)).collect();
        count += 1;
    }
    steps
}

/// What each seat has in a scenario. Pieces without an owner are those of `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    /// The number of pieces by owner, then by kind.
    pub pieces: BTreeMap<Option<String>, BTreeMap<String, usize>>,
    /// The sum of each number that pieces have, by owner, then by the name of the property.
    pub sums: BTreeMap<Option<String>, BTreeMap<String, i64>>,
}

impl Balance {
    /// Counts a scenario. With the declarations of its ruleset pieces count with the values of their kinds too.
    pub fn of(scenario: &Scenario, declarations: Option<&Declarations>) -> Self {
        let mut balance = Self::default();
        for piece in &scenario.setup.pieces {
            let kinds = balance.pieces.entry(piece.owner.clone()).or_default();
            *kinds.entry(piece.kind.clone()).or_default() += 1;
            let mut values: BTreeMap<String, i64> = declarations.map(|known| values_of_kind(known, &piece.kind)).unwrap_or_default();
            for (name, text) in &piece.values {
                if let Ok(number) = text.trim().parse() {
                    values.insert(name.clone(), number);
                }
            }
            let sums = balance.sums.entry(piece.owner.clone()).or_default();
            for (name, number) in values {
                let sum = sums.entry(name).or_default();
                *sum = sum.saturating_add(number);
            }
        }
        balance
    }
}

/// The numbers that a new piece of a kind has.
fn values_of_kind(declarations: &Declarations, kind: &str) -> BTreeMap<String, i64> {
    let Some(kind) = declarations.find_kind(kind) else {
        return BTreeMap::new();
    };
    let values = declarations.starting_values(kind);
    let properties = declarations.properties_of(boardwright_model::Scope::Piece);
    let number = |property: &boardwright_model::PropertyDeclaration| {
        let value = values.get(usize::from(property.slot))?.as_integer()?;
        Some((property.name.to_string(), value))
    };
    properties.filter_map(|(_, property)| number(property)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_model::{MapCell, SetupPiece, SetupPlace, Topology};

    #[test]
    fn terrains_starts_and_pieces_are_counted() {
        let mut map = Map::new(
            "m",
            "M",
            Topology::Square {
                width: 5,
                height: 1,
                diagonals: false,
            },
        );
        map.cells = vec![MapCell {
            terrain: Some("wood".to_owned()),
            ..MapCell::new("", 1, 0)
        }];
        assert_eq!(cells_by_terrain(&map), [(None, 4), (Some("wood"), 1)].into());
        let mut scenario = Scenario::default();
        for (owner, cell, armies) in [("red", "a1", "2"), ("red", "b1", "3"), ("blue", "e1", "x")] {
            scenario.setup.pieces.push(SetupPiece {
                kind: "k".to_owned(),
                name: None,
                owner: Some(owner.to_owned()),
                place: SetupPlace::Cell(cell.to_owned()),
                values: vec![("armies".to_owned(), armies.to_owned())],
            });
        }
        let balance = Balance::of(&scenario, None);
        assert_eq!(balance.pieces[&Some("red".to_owned())]["k"], 2);
        assert_eq!(balance.sums[&Some("red".to_owned())]["armies"], 5);
        let board = Board::from_map(&map).unwrap();
        let starts = Starts::of_scenario(&board, &scenario);
        assert_eq!(starts.seats, ["blue", "red"]);
        assert_eq!((starts.to_next(), starts.nearest), (vec![Some(3), Some(3)], vec![2, 3]));
    }
}
