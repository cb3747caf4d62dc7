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

/// One step of working sets out. The sets it works on stand before it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    All,
    Empty,
    Occupied,
    Seat,
    Region(Each<RegionId>),
    Having(PropertyId, Each<Value>),
    Sides(Place),
    Corners(Place),
    Dilated(Place, u32),
    WithSidesIn(Place, Place, u8),
    Union(Place, Place),
    Intersection(Place, Place),
    Difference(Place, Place),
}

/// Descriptions made into a list of steps, in which each set that occurs in several of them is worked out once.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    steps: Vec<Step>,
}

impl Steps {
    /// Adds a description; gives the place of its set.
    pub(super) fn add(&mut self, cells: &CellsOf) -> Place {
        let step = match cells {
            CellsOf::All => Step::All,
            CellsOf::Empty => Step::Empty,
            CellsOf::Occupied => Step::Occupied,
            CellsOf::Seat => Step::Seat,
            CellsOf::Region(region) => Step::Region(region.clone()),
            CellsOf::Having(property, value) => Step::Having(*property, value.clone()),
            CellsOf::Sides(of) => Step::Sides(self.add(of)),
            CellsOf::Corners(of) => Step::Corners(self.add(of)),
            CellsOf::Dilated(of, steps) => Step::Dilated(self.add(of), *steps),
            CellsOf::WithSidesIn(of, other, least) => Step::WithSidesIn(self.add(of), self.add(other), *least),
            CellsOf::Union(a, b) => Step::Union(self.add(a), self.add(b)),
            CellsOf::Intersection(a, b) => Step::Intersection(self.add(a), self.add(b)),
            CellsOf::Difference(a, b) => Step::Difference(self.add(a), self.add(b)),
        };
        let known = self.steps.iter().position(|known| *known == step);
        known.unwrap_or_else(|| {
            self.steps.push(step);
            self.steps.len() - 1
        })
    }

    pub(super) fn count(&self) -> usize {
        self.steps.len()
    }

    /// Works the first sets out, in the order of their places. Those that are there already stay.
    pub(super) fn work_out(&self, count: usize, state: &State, seat: SeatId, sets: &mut Vec<CellSet>) {
        let board = state.board();
        let none = CellSet::empty(board.cell_count());
        for step in self.steps.iter().take(count).skip(sets.len()) {
            let at = |place: Place| sets.get(place).unwrap_or(&none);
            let both = |a: Place, b: Place, combine: fn(&mut CellSet, &CellSet)| {
                let mut set = at(a).clone();
                combine(&mut set, at(b));
                set
            };
            let set = match step {
                Step::All => board.all().clone(),
                Step::Empty => board.all().difference(state.occupied()),
                Step::Occupied => state.occupied().clone(),
                Step::Seat => state.owned_by(seat).unwrap_or(&none).clone(),
                Step::Region(region) => region.now(state, seat).map_or(&none, |region| board.region(*region)).clone(),
                Step::Having(property, value) => match value.now(state, seat) {
                    Some(value) => state.cells_having(*property, value),
                    None => none.clone(),
                },
                Step::Sides(of) => board.sides(at(*of)),
                Step::Corners(of) => board.corners(at(*of)),
                Step::Dilated(of, steps) => board.dilate(at(*of), *steps),
                Step::WithSidesIn(of, other, least) => board.with_sides_in(at(*of), at(*other), *least),
                Step::Union(a, b) => both(*a, *b, CellSet::union_with),
                Step::Intersection(a, b) => both(*a, *b, CellSet::intersect_with),
                Step::Difference(a, b) => both(*a, *b, CellSet::subtract),
            };
            sets.push(set);
        }
    }
}
