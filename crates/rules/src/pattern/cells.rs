//! Descriptions of sets of cells, worked out again for each state: what a pattern says about cells without asking a script.

use std::borrow::Cow;
use std::sync::Arc;

use boardwright_model::{Board, CellSet, DirectionId, PropertyId, RegionId, SeatId, State, TerrainId, Value};

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
    /// Those of a terrain.
    Terrain(TerrainId),
    /// Those with a piece that has a value in a declared property.
    Having(PropertyId, Each<Value>),
    /// Those beside a set.
    Sides(Arc<CellsOf>),
    /// Those at the corners of a set.
    Corners(Arc<CellsOf>),
    /// Those to which a step in a direction leads from a set.
    Shifted(Arc<CellsOf>, DirectionId),
    /// A set and those up to so many steps away.
    Dilated(Arc<CellsOf>, u32),
    /// Those of the second of two sets that up to so many steps lead to from the first without leaving the second.
    Flooded(Arc<CellsOf>, Arc<CellsOf>, u32),
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

impl CellsOf {
    /// The one or two sets it is made of.
    pub fn made_of(&self) -> (Option<&Self>, Option<&Self>) {
        match self {
            Self::Sides(of) | Self::Corners(of) | Self::Shifted(of, _) | Self::Dilated(of, _) => (Some(of), None),
            Self::Flooded(a, b, _) | Self::WithSidesIn(a, b, _) | Self::Union(a, b) | Self::Intersection(a, b) | Self::Difference(a, b) => {
                (Some(a), Some(b))
            }
            Self::All | Self::Empty | Self::Occupied | Self::Seat | Self::Region(_) | Self::Terrain(_) | Self::Having(..) => (None, None),
        }
    }

    /// Whether it is the same in every state of a match.
    fn is_fixed(&self) -> bool {
        match self {
            Self::All | Self::Region(Each::Always(_)) => true,
            Self::Empty | Self::Occupied | Self::Seat | Self::Region(_) | Self::Terrain(_) | Self::Having(..) => false,
            _ => {
                let (first, second) = self.made_of();
                first.is_some_and(Self::is_fixed) && second.is_none_or(Self::is_fixed)
            }
        }
    }
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
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Steps {
    steps: Vec<(CellsOf, [Place; 2])>,
}

impl Steps {
    /// Adds a description; gives the place of its set.
    pub(super) fn add(&mut self, cells: &CellsOf) -> Place {
        if let Some(known) = self.steps.iter().position(|(known, _)| known == cells) {
            return known;
        }
        let of = match cells.made_of() {
            (Some(a), Some(b)) => [self.add(a), self.add(b)],
            (Some(a), None) => [self.add(a), 0],
            _ => [0, 0],
        };
        self.steps.push((cells.clone(), of));
        self.steps.len() - 1
    }

    pub(super) fn count(&self) -> usize {
        self.steps.len()
    }

    /// Adds what in a description is the same in every state, so that it stands before all that is not.
    pub(super) fn add_fixed(&mut self, cells: &CellsOf) {
        if cells.is_fixed() {
            self.add(cells);
            return;
        }
        let (first, second) = cells.made_of();
        for part in first.into_iter().chain(second) {
            self.add_fixed(part);
        }
    }

    /// The sets at the beginning of the list that are the same in every state.
    pub(super) fn fixed(&self, board: &Board) -> Vec<CellSet> {
        let none = CellSet::empty(board.cell_count());
        let mut sets = Vec::new();
        for (step, of) in self.steps.iter().take_while(|(step, _)| step.is_fixed()) {
            let [first, second] = of.map(|place| sets.get(place).unwrap_or(&none));
            let Some(set) = on_board(step, board, first, second) else { break };
            sets.push(set);
        }
        sets
    }

    /// Works the first sets out, in the order of their places. Those that are there already stay.
    pub(super) fn work_out(&self, count: usize, state: &State, seat: SeatId, sets: &mut Vec<CellSet>) {
        let board = state.board();
        let none = CellSet::empty(board.cell_count());
        for (step, of) in self.steps.iter().take(count).skip(sets.len()) {
            let [first, second] = of.map(|place| sets.get(place).unwrap_or(&none));
            let set = on_board(step, board, first, second).unwrap_or_else(|| in_state(step, state, seat));
            sets.push(set);
        }
    }
}

/// Sets that a pattern speaks of, made ready for a board.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sets {
    steps: Steps,
    /// Those that are the same in every state, the first of `steps`.
    fixed: Vec<CellSet>,
}

impl Sets {
    /// Makes room for sets that are described; each of them is to be [added](Self::add).
    pub(super) fn new<'a>(all: impl Iterator<Item = &'a CellsOf>, board: &Board) -> Self {
        let mut steps = Steps::default();
        for cells in all {
            steps.add_fixed(cells);
        }
        let fixed = steps.fixed(board);
        Self { steps, fixed }
    }

    /// Adds a description; gives the place of its set.
    pub(super) fn add(&mut self, cells: &CellsOf) -> Place {
        self.steps.add(cells)
    }

    /// The sets by their places.
    pub(super) fn of(&self, state: &State, seat: SeatId) -> Cow<'_, [CellSet]> {
        // In a view that has not seen all of the map, regions are what is known of them.
        let is_known = state.explored_cells().is_none();
        if is_known && self.fixed.len() == self.steps.count() {
            return Cow::Borrowed(&self.fixed);
        }
        let mut sets = if is_known { self.fixed.clone() } else { Vec::new() };
        self.steps.work_out(self.steps.count(), state, seat, &mut sets);
        Cow::Owned(sets)
    }
}

/// A set that follows from the board and the sets it is made of; `None` if it depends on the state.
fn on_board(step: &CellsOf, board: &Board, first: &CellSet, second: &CellSet) -> Option<CellSet> {
    let both = |combine: fn(&mut CellSet, &CellSet)| {
        let mut set = first.clone();
        combine(&mut set, second);
        set
    };
    Some(match step {
        CellsOf::All => board.all().clone(),
        CellsOf::Region(Each::Always(region)) => board.region(*region).clone(),
        CellsOf::Sides(_) => board.sides(first),
        CellsOf::Corners(_) => board.corners(first),
        CellsOf::Shifted(_, direction) => board.shift(first, *direction),
        CellsOf::Dilated(_, steps) => board.dilate(first, *steps),
        CellsOf::Flooded(_, _, steps) => board.flood_steps(first, second, *steps),
        CellsOf::WithSidesIn(_, _, least) => board.with_sides_in(first, second, *least),
        CellsOf::Union(..) => both(CellSet::union_with),
        CellsOf::Intersection(..) => both(CellSet::intersect_with),
        CellsOf::Difference(..) => both(CellSet::subtract),
        CellsOf::Empty | CellsOf::Occupied | CellsOf::Seat | CellsOf::Region(_) | CellsOf::Terrain(_) | CellsOf::Having(..) => return None,
    })
}

/// A set that is read from the state; empty for what is not.
fn in_state(step: &CellsOf, state: &State, seat: SeatId) -> CellSet {
    let board = state.board();
    let none = || CellSet::empty(board.cell_count());
    match step {
        CellsOf::Empty => board.all().difference(state.occupied()),
        CellsOf::Occupied => state.occupied().clone(),
        CellsOf::Seat => state.owned_by(seat).cloned().unwrap_or_else(none),
        CellsOf::Region(region) => region.now(state, seat).map_or_else(none, |region| board.region(*region).clone()),
        CellsOf::Terrain(terrain) => {
            let cells = board.cells().filter(|cell| state.terrain(*cell) == Some(*terrain));
            CellSet::from_cells(board.cell_count(), cells)
        }
        CellsOf::Having(property, value) => value
            .now(state, seat)
            .map_or_else(none, |value| state.cells_having(*property, value)),
        _ => none(),
    }
}
