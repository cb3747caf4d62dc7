//! Descriptions of sets of cells, worked out again for each state: what a pattern says about cells without asking a script.

use std::sync::Arc;

use boardwright_model::{CellSet, PropertyId, RegionId, SeatId, State, Value};

/// A set of cells, described. What it is depends on the state, and on the seat whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellsOf {
    /// All cells.
    All,
    /// Those without a piece.
    Empty,
    /// Those with a piece.
    Occupied,
    /// Those with a piece of the seat.
    Seat,
    /// Those of a region.
    Region(Each<RegionId>),
    /// Those with a piece that has a value in a declared property.
    Having(PropertyId, Each<Value>),
    /// Those beside a set.
    Sides(Arc<CellsOf>),
    /// Those at the corners of a set.
    Corners(Arc<CellsOf>),
    /// A set and those up to so many steps away.
    Dilated(Arc<CellsOf>, u32),
    /// Those of the first of two sets of which at least so many sides lie in the second.
    WithSidesIn(Arc<CellsOf>, Arc<CellsOf>, u8),
    /// Those in either of two sets.
    Union(Arc<CellsOf>, Arc<CellsOf>),
    /// Those in both of two sets.
    Intersection(Arc<CellsOf>, Arc<CellsOf>),
    /// Those in the first of two sets and not in the second.
    Difference(Arc<CellsOf>, Arc<CellsOf>),
}

/// Something that is always the same, or another thing in each turn of a round or for each seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Each<T> {
    /// The same always.
    Always(T),
    /// By the declared turns of a round.
    InTurn(Vec<T>),
    /// By the seat that acts.
    OfSeat(Vec<T>),
}

impl<T> Each<T> {
    /// What it is in the present turn for a seat.
    pub fn now(&self, state: &State, seat: SeatId) -> Option<&T> {
        match self {
            Self::Always(same) => Some(same),
            Self::InTurn(each) => each.get(usize::from(state.sequence().mark.place)),
            Self::OfSeat(each) => each.get(seat.index()),
        }
    }
}

/// The place of a set in the list of those worked out.
pub(super) type Place = usize;

/// Descriptions made into a list, in which each set that occurs in several of them is worked out once. The sets that one is made of stand
/// before it, at the places that come with it.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    steps: Vec<(CellsOf, [Place; 2])>,
}

impl Steps {
    /// Adds a description; gives the place of its set.
    pub(super) fn add(&mut self, cells: &CellsOf) -> Place {
        if let Some(known) = self.steps.iter().position(|(known, _)| known == cells) {
            return known;
        }
        let of = match cells {
            CellsOf::Sides(of) | CellsOf::Corners(of) | CellsOf::Dilated(of, _) => [self.add(of), 0],
            CellsOf::WithSidesIn(a, b, _) | CellsOf::Union(a, b) | CellsOf::Intersection(a, b) | CellsOf::Difference(a, b) => {
                [self.add(a), self.add(b)]
            }
            CellsOf::All | CellsOf::Empty | CellsOf::Occupied | CellsOf::Seat | CellsOf::Region(_) | CellsOf::Having(..) => [0, 0],
        };
        self.steps.push((cells.clone(), of));
        self.steps.len() - 1
    }

    pub(super) fn count(&self) -> usize {
        self.steps.len()
    }

    /// Works the first sets out, in the order of their places. Those that are there already stay.
    pub(super) fn work_out(&self, count: usize, state: &State, seat: SeatId, sets: &mut Vec<CellSet>) {
        let board = state.board();
        let none = CellSet::empty(board.cell_count());
        for (step, of) in self.steps.iter().take(count).skip(sets.len()) {
            let [first, second] = of.map(|place| sets.get(place).unwrap_or(&none));
            let both = |combine: fn(&mut CellSet, &CellSet)| {
                let mut set = first.clone();
                combine(&mut set, second);
                set
            };
            let set = match step {
                CellsOf::All => board.all().clone(),
                CellsOf::Empty => board.all().difference(state.occupied()),
                CellsOf::Occupied => state.occupied().clone(),
                CellsOf::Seat => state.owned_by(seat).unwrap_or(&none).clone(),
                CellsOf::Region(region) => region.now(state, seat).map_or(&none, |region| board.region(*region)).clone(),
                CellsOf::Having(property, value) => match value.now(state, seat) {
                    Some(value) => state.cells_having(*property, value),
                    None => none.clone(),
                },
                CellsOf::Sides(_) => board.sides(first),
                CellsOf::Corners(_) => board.corners(first),
                CellsOf::Dilated(_, steps) => board.dilate(first, *steps),
                CellsOf::WithSidesIn(_, _, least) => board.with_sides_in(first, second, *least),
                CellsOf::Union(..) => both(CellSet::union_with),
                CellsOf::Intersection(..) => both(CellSet::intersect_with),
                CellsOf::Difference(..) => both(CellSet::subtract),
            };
            sets.push(set);
        }
    }
}
