//! What follows from the ground alone, found once: what is seen from where, and what steps cost. Terrains, heights, roads and rivers hardly ever
//! change in a match, and pieces mostly stay where they are from one action to the next.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use super::step_costs::GroundCosts;
use boardwright_model::{CellId, CellSet, Ground, Reach, State};

/// How many grounds are known at a time: that of the match, and those that seats know.
const GROUNDS: usize = 6;
/// How many bytes of what is seen are kept for each way in which things are hidden.
const MOST_BYTES: usize = 2 << 20;
/// For how many ways of moving, and of hiding, something is kept. They differ by gaits and by weather.
const WAYS: usize = 16;
/// How many searches are kept for a way to move.
const SEARCHES: usize = 4;
/// To how many neighbours of a cell what a step costs is kept.
const NEIGHBOURS: usize = 8;

/// What hides something on a ground.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hiding {
    /// By terrain, whether it hides what lies behind it.
    pub(super) opaque: Vec<bool>,
    /// A cell that rises by more levels hides what lies behind it.
    pub(super) rise: Option<i16>,
}

/// What is seen from a cell so many steps far.
type Fields = HashMap<(CellId, u32), CellSet>;

/// What a step costs is not known yet, or it cannot be made.
const UNKNOWN: u32 = u32::MAX;
const IMPOSSIBLE: u32 = u32::MAX - 1;

/// What a search for what can be reached depends on, besides what steps cost by the ground.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Search {
    pub(super) starts: CellSet,
    pub(super) points: u32,
    pub(super) each_turn: Option<u32>,
    pub(super) at_least_one: bool,
    pub(super) blocked: CellSet,
    pub(super) stop_in: CellSet,
    pub(super) no_stop: CellSet,
}

/// What a search has found, and how many steps it has looked at.
#[derive(Clone, Debug)]
pub(super) struct Searched {
    pub(super) found: Rc<Reach>,
    pub(super) steps: usize,
}

/// What is known of a way to move on a ground.
#[derive(Debug)]
pub(super) struct Steps {
    pub(super) table: StepTable,
    /// The latest searches, the newest last: where a unit can go is asked when it is offered, when its move is checked and when it moves.
    searches: VecDeque<(Search, Searched)>,
}

impl Steps {
    pub(super) fn searched(&self, search: &Search) -> Option<Searched> {
        let known = self.searches.iter().rev().find(|(known, _)| known == search);
        known.map(|(_, searched)| searched.clone())
    }

    pub(super) fn keep(&mut self, search: Search, searched: Searched) {
        if self.searches.len() == SEARCHES {
            self.searches.pop_front();
        }
        self.searches.push_back((search, searched));
    }
}

/// What steps cost, by the cell from which they lead and the place of the other among its neighbours.
#[derive(Debug)]
pub(super) struct StepTable(Vec<u32>);

impl StepTable {
    fn new(cells: usize) -> Self {
        Self(vec![UNKNOWN; cells * NEIGHBOURS])
    }

    /// What the step from a cell to its neighbour of that number costs; `find` finds what is not known yet.
    pub(super) fn cost(&mut self, from: CellId, neighbour: usize, find: impl FnOnce() -> Option<u32>) -> Option<u32> {
        let place = from.index() * NEIGHBOURS + neighbour;
        let Some(known) = self.0.get_mut(place).filter(|_| neighbour < NEIGHBOURS) else {
            return find();
        };
        match *known {
            IMPOSSIBLE => None,
            UNKNOWN => {
                let cost = find();
                // The dearest steps look like none that is known, and are found each time.
                *known = cost.map_or(IMPOSSIBLE, |cost| if cost == IMPOSSIBLE { UNKNOWN } else { cost });
                cost
            }
            cost => Some(cost),
        }
    }
}

/// What is known of one ground.
#[derive(Debug)]
struct KnownGround {
    ground: Ground,
    fields: Vec<(Hiding, Fields)>,
    steps: Vec<(GroundCosts, Steps)>,
    /// How often it was of use lately.
    uses: u32,
}

/// What is known of the grounds that were looked at lately.
#[derive(Debug, Default)]
pub(crate) struct Grounds {
    known: Vec<KnownGround>,
}

impl Grounds {
    /// Adds what is seen from cells, each so many steps far, to a set. `find` finds what is not known yet.
    pub(super) fn add_seen(
        &mut self,
        state: &State,
        hiding: Hiding,
        looking: impl Iterator<Item = (CellId, u32)>,
        find: impl Fn(CellId, u32) -> CellSet,
        seen: &mut CellSet,
    ) {
        let fields = way(&mut self.ground(state).fields, hiding, Fields::new);
        let most = (MOST_BYTES / (size_of_val(seen.words()) + size_of::<CellSet>())).max(1);
        for (cell, range) in looking {
            if fields.len() >= most {
                fields.clear();
            }
            let field = match fields.entry((cell, range)) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(unknown) => unknown.insert(find(cell, range)),
            };
            seen.union_with(field);
        }
    }

    /// What is known of a way to move.
    pub(super) fn steps(&mut self, state: &State, costs: &GroundCosts) -> &mut Steps {
        let cells = state.board().cell_count();
        let steps = &mut self.ground(state).steps;
        // The costs are looked for before they are copied.
        match steps.iter().position(|(known, _)| known == costs) {
            Some(place) => &mut steps[place].1,
            None => way(steps, costs.clone(), || Steps {
                table: StepTable::new(cells),
                searches: VecDeque::new(),
            }),
        }
    }

    fn ground(&mut self, state: &State) -> &mut KnownGround {
        let place = self.known.iter().position(|known| known.ground.is_under(state)).unwrap_or_else(|| {
            // The one that was of least use lately makes room.
            self.known.iter_mut().for_each(|known| known.uses /= 2);
            self.known.sort_by_key(|known| std::cmp::Reverse(known.uses));
            self.known.truncate(GROUNDS - 1);
            self.known.push(KnownGround {
                ground: Ground::of(state),
                fields: Vec::new(),
                steps: Vec::new(),
                uses: 0,
            });
            self.known.len() - 1
        });
        let known = &mut self.known[place];
        known.uses = known.uses.saturating_add(1);
        known
    }
}

/// What is known of a way, of which there are a few.
fn way<K: PartialEq, V>(ways: &mut Vec<(K, V)>, way: K, new: impl FnOnce() -> V) -> &mut V {
    let place = ways.iter().position(|(known, _)| *known == way).unwrap_or_else(|| {
        if ways.len() >= WAYS {
            ways.clear();
        }
        ways.push((way, new()));
        ways.len() - 1
    });
    &mut ways[place].1
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::Arc;

    use super::*;
    use boardwright_model::{Board, Declarations, Map, Topology};

    fn state() -> State {
        let topology = Topology::Square {
            width: 10,
            height: 10,
            diagonals: false,
        };
        let board = Board::from_map(&Map::new("field", "Field", topology)).unwrap();
        State::empty(Arc::new(board), Arc::new(Declarations::default()), &[])
    }

    fn add(known: &mut Grounds, state: &State, cells: &[u16], finds: &Cell<u32>) -> Vec<u16> {
        let hiding = Hiding {
            opaque: Vec::new(),
            rise: None,
        };
        let find = |cell: CellId, range: u32| {
            finds.set(finds.get() + 1);
            CellSet::from_cells(100, [cell, CellId(cell.0 + range as u16)])
        };
        let mut seen = CellSet::empty(100);
        known.add_seen(state, hiding, cells.iter().map(|cell| (CellId(*cell), 2)), find, &mut seen);
        seen.iter().map(|cell| cell.0).collect()
    }

    #[test]
    fn what_is_seen_is_found_once_as_long_as_the_ground_is_the_same() {
        let (mut known, finds, state) = (Grounds::default(), Cell::new(0), self::state());
        assert_eq!(add(&mut known, &state, &[1, 5], &finds), [1, 3, 5, 7]);
        assert_eq!(add(&mut known, &state.clone(), &[5, 9], &finds), [5, 7, 9, 11]);
        assert_eq!(finds.get(), 3);
        // Those that are seen once make room for one another, and not for the ground that is looked at again and again.
        for _ in 0..20 {
            add(&mut known, &self::state(), &[5], &finds);
            add(&mut known, &state, &[5], &finds);
        }
        assert_eq!(finds.get(), 23);
        assert!(known.known.len() <= GROUNDS);
    }

    #[test]
    fn what_a_step_costs_is_found_once() {
        let (mut known, state, finds) = (Grounds::default(), state(), Cell::new(0));
        let costs = GroundCosts::default();
        let mut ask = |from, neighbour, cost| {
            known.steps(&state, &costs).table.cost(CellId(from), neighbour, || {
                finds.set(finds.get() + 1);
                cost
            })
        };
        assert_eq!(
            (ask(3, 1, Some(7)), ask(3, 1, Some(8)), ask(3, 2, None), ask(3, 2, Some(1))),
            (Some(7), Some(7), None, None)
        );
        assert_eq!(finds.get(), 2);
        // What has no place is found each time.
        for (from, neighbour, cost) in [(3, 8, Some(1)), (100, 0, Some(2)), (4, 0, Some(IMPOSSIBLE)), (4, 1, Some(UNKNOWN))] {
            assert_eq!((ask(from, neighbour, cost), ask(from, neighbour, cost)), (cost, cost));
        }
        assert_eq!(finds.get(), 10);
    }

    #[test]
    fn the_latest_searches_are_kept() {
        let (mut known, state) = (Grounds::default(), state());
        let costs = GroundCosts::default();
        let search = |points| Search {
            starts: CellSet::from_cells(100, [CellId(0)]),
            points,
            each_turn: None,
            at_least_one: false,
            blocked: CellSet::empty(100),
            stop_in: CellSet::empty(100),
            no_stop: CellSet::empty(100),
        };
        let kept = SEARCHES as u32;
        for points in 0..=kept {
            let found = Rc::new(boardwright_model::reach_by(state.board(), &[CellId(0)], points, |_| Some(1)));
            let steps = points as usize;
            known.steps(&state, &costs).keep(search(points), Searched { found, steps });
        }
        let mut asked = |search: &Search| Some(known.steps(&state, &costs).searched(search)?.steps);
        assert_eq!(
            (asked(&search(0)), asked(&search(1)), asked(&search(kept))),
            (None, Some(1), Some(4))
        );
        let other = Search {
            no_stop: CellSet::from_cells(100, [CellId(7)]),
            ..search(1)
        };
        assert_eq!(asked(&other), None);
    }
}
