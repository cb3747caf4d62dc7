//! Words for movement that costs points: what can be reached, at what cost and by which way.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rhai::plugin::*;
use rhai::{INT, NativeCallContext};

use super::super::meter::pay;
use super::super::value::{Answer, wrong};
use super::call_context::SharedContext;
use super::grounds::{Search, Searched};
use super::handles::{Reach, View};
use super::step_costs::StepCosts;
use crate::lowered::Entries;
use boardwright_model::{CellId, CellSet, Reach as Found, State, Step, reach_by};

/// How many steps between cells are looked at before they are paid for, in as many operations.
const STEPS_AT_ONCE: usize = 32;

/// Counts the operations of a native.
pub(crate) type Pay<'a> = &'a dyn Fn(usize) -> Answer<()>;

/// Counts the steps that a search looks at, and ends it when they cannot be paid for: then no step is possible.
struct Steps<'a> {
    pay: Pay<'a>,
    unpaid: Cell<usize>,
    paid_for: Cell<usize>,
    paid: RefCell<Answer<()>>,
}

impl<'a> Steps<'a> {
    /// Pays for the places that a search keeps for the cells of a board.
    fn new(pay: Pay<'a>, state: &State) -> Answer<Self> {
        pay(state.board().cell_count() / 64)?;
        Ok(Self {
            pay,
            unpaid: Cell::new(0),
            paid_for: Cell::new(0),
            paid: RefCell::new(Ok(())),
        })
    }

    /// How many steps were looked at.
    fn count(&self) -> usize {
        self.paid_for.get() + self.unpaid.get()
    }

    /// Pays for as many steps as an earlier search has looked at.
    fn again(self, count: usize) -> Answer<()> {
        (self.pay)(count / STEPS_AT_ONCE * STEPS_AT_ONCE)
    }

    fn may_go_on(&self) -> bool {
        self.unpaid.set(self.unpaid.get() + 1);
        if self.unpaid.get() == STEPS_AT_ONCE {
            self.unpaid.set(0);
            self.paid_for.set(self.paid_for.get() + STEPS_AT_ONCE);
            let is_paid = self.paid.borrow().is_ok();
            if is_paid {
                *self.paid.borrow_mut() = (self.pay)(STEPS_AT_ONCE);
            }
        }
        self.paid.borrow().is_ok()
    }
}

/// The points of the turn at hand, and of each later one if movement goes on over several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turns {
    first: u32,
    each: Option<u32>,
}

impl Turns {
    /// The most that may be spent.
    fn most(self) -> u32 {
        if self.each.is_some() { u32::MAX } else { self.first }
    }

    /// How many turns later that much has been spent, and what is left of that turn.
    fn at(self, spent: u32) -> (u32, u32) {
        let Some(each) = self.each.filter(|each| *each > 0 && spent > self.first) else {
            return (0, self.first.saturating_sub(spent));
        };
        let later = spent - self.first;
        (later.div_ceil(each), (each - later % each) % each)
    }

    /// What a step comes to from where so much has been spent, with what goes unused when the next turn has to be waited for: because movement
    /// stops there, or not enough is left. `None` if no turn has enough for the step, or one cannot wait there.
    fn step(self, spent: u32, cost: u32, stops: bool, may_wait: bool) -> Option<u32> {
        let (_, left) = self.at(spent);
        if !stops && cost <= left {
            return Some(cost);
        }
        let each = self.each.filter(|_| may_wait)?;
        (cost <= each).then(|| cost.saturating_add(left))
    }
}

/// What can be reached from any cell of a set for the costs that a map of the engine says.
fn reach_from(context: &NativeCallContext<'_>, view: &View, starts: &CellSet, costs: &Dynamic) -> Answer<Reach> {
    view.context.read(|state| {
        let costs = StepCosts::read(state, costs)?;
        find_reach(&|operations| pay(context, operations), &view.context, state, starts, costs)
    })
}

/// The same for those that a map of lowered code says.
pub(crate) fn reach_of(pay: Pay<'_>, context: &SharedContext, starts: &CellSet, costs: &Entries) -> Answer<Reach> {
    context.read(|state| {
        let costs = StepCosts::of_entries(state, context, costs)?;
        find_reach(pay, context, state, starts, costs)
    })
}

fn find_reach(pay: Pay<'_>, context: &SharedContext, state: &State, starts: &CellSet, costs: StepCosts) -> Answer<Reach> {
    let points = costs.points.ok_or_else(|| wrong("`reach` needs `points`: how much may be spent"))?;
    let steps = Steps::new(pay, state)?;
    let turns = Turns {
        first: points,
        each: costs.each_turn,
    };
    let StepCosts {
        ground,
        each_turn,
        at_least_one,
        blocked,
        stop_in,
        no_stop,
        ..
    } = costs;
    let search = Search {
        starts: starts.clone(),
        points,
        each_turn,
        at_least_one,
        blocked,
        stop_in,
        no_stop,
    };
    let mut grounds = context.grounds().borrow_mut();
    let known = grounds.steps(state, &ground);
    let reach = |found: Rc<Found>, search: &Search| {
        let cells = found.cells().difference(starts).difference(&search.no_stop);
        Reach::new(context, turns, cells, found)
    };
    if let Some(searched) = known.searched(&search) {
        steps.again(searched.steps)?;
        return Ok(reach(searched.found, &search));
    }
    let from: Vec<CellId> = starts.iter().collect();
    let found = reach_by(state.board(), &from, turns.most(), |step| {
        let Step { from, to, .. } = step;
        if !steps.may_go_on() || search.blocked.contains(to) {
            return None;
        }
        let is_first = starts.contains(from);
        let cost = known.table.cost(from, step.neighbour, || ground.step(state, from, to))?;
        let cost = if is_first && at_least_one { cost.min(points) } else { cost };
        let stops = !is_first && search.stop_in.contains(from);
        turns.step(step.spent, cost, stops, is_first || !search.no_stop.contains(from))
    });
    let count = steps.count();
    steps.paid.into_inner()?;
    let found = Rc::new(found);
    let reach = reach(Rc::clone(&found), &search);
    known.keep(search, Searched { found, steps: count });
    Ok(reach)
}

impl Reach {
    /// What the cheapest way to a cell costs.
    pub(crate) fn cost(&self, cell: CellId) -> Option<INT> {
        self.found.cost(cell).map(INT::from)
    }

    /// What is left after it of the turn in which one gets there.
    pub(crate) fn points_left(&self, cell: CellId) -> Option<INT> {
        self.found.cost(cell).map(|cost| INT::from(self.turns.at(cost).1))
    }
}

#[export_module]
pub(super) mod movement {
    use rhai::{Array, Dynamic, INT, NativeCallContext};

    use super::super::super::meter::pay;
    use super::super::super::value::Answer;
    use super::super::cell_sets::by_word;
    use super::super::convert;
    use super::super::handles::{Cell, Cells, Reach, View};
    use super::super::step_costs::StepCosts;
    use super::{Steps, reach_from};
    use boardwright_model::{CellId, CellSet};

    /// What can be reached from a cell. The map says what steps cost:
    ///
    /// | Key | Meaning |
    /// | --- | --- |
    /// | `points` | how much may be spent (needed) |
    /// | `each_turn` | the points of each later turn: then movement goes on beyond `points`, turn after turn; what is left of a turn and is not enough for the next step is lost, and counts as spent |
    /// | `terrain` | what entering a cell costs, by the name of its terrain; a terrain left out cannot be entered. Without this key each step costs 1 |
    /// | `uphill`, `downhill` | what each level of elevation costs besides |
    /// | `edge` | what crossing an edge costs besides, by the name of a property of edges: for a number as many times, for a flag once |
    /// | `percent` | by how much the cost of entering a cell is multiplied before the rest is added, see below |
    /// | `blocked` | cells that cannot be entered |
    /// | `stop_in` | cells in which movement ends, with `each_turn` for the turn, such as zones of control; a unit that stands in one may leave it |
    /// | `no_stop` | cells that can be passed, but in which movement cannot end |
    /// | `at_least_one` | `true`: the first step can always be made, and then costs no more than there is |
    ///
    /// ```rhai
    /// let reach = view.reach(view.cell("a1"), #{ points: 3, terrain: #{ land: 1, water: 3 }, blocked: view.occupied });
    /// for cell in reach.cells { print(`${cell.name}: ${reach.cost(cell)}`); }
    /// ```
    ///
    /// The keys of `percent` are factors in percent. All that apply to a step are multiplied with the cost of the terrain, and the product is
    /// rounded up once:
    ///
    /// | Key of `percent` | Meaning |
    /// | --- | --- |
    /// | `terrain` | by the name of a terrain, such as what the weather makes of it; others keep their cost |
    /// | `uphill`, `downhill` | a list by the number of levels that the step goes up or down, from one level on |
    /// | `elevation` | a list by the elevation of the cell that is entered, from 0 on |
    /// | `edge` | by the name of a property of edges, for flags that are set and numbers above 0: `road: 50` |
    ///
    /// Beyond the end of a list its last number counts, and `()` in it stands for a step that cannot be made.
    ///
    /// ```rhai
    /// let march = view.reach(view.cell("a1"), #{
    ///     points: 30, terrain: #{ land: 10, water: 25 },
    ///     percent: #{ uphill: [150, 200, ()], downhill: [100, 120], elevation: [100, 100, 100, 130] },
    /// });
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn reach(context: NativeCallContext<'_>, view: &mut View, from: Cell, costs: Dynamic) -> Answer<Reach> {
        let count = view.context.read(|state| Ok(state.board().cell_count()))?;
        reach_from(&context, view, &CellSet::from_cells(count, [from.id]), &costs)
    }

    /// What can be reached from any cell of a set; see `reach(from, costs)`.
    ///
    /// ```rhai
    /// let threatened = view.reach(view.occupied, #{ points: 2 }).cells;
    /// ```
    #[rhai_fn(name = "reach", pure, return_raw)]
    pub fn reach_from_cells(context: NativeCallContext<'_>, view: &mut View, from: Cells, costs: Dynamic) -> Answer<Reach> {
        reach_from(&context, view, &from.set, &costs)
    }

    /// The cells in which movement can end, without those it starts from.
    ///
    /// ```rhai
    /// let near = view.reach(view.cell("a1"), #{ points: 2 }).cells;
    /// ```
    #[rhai_fn(get = "cells", pure, return_raw)]
    pub fn cells(context: NativeCallContext<'_>, reach: &mut Reach) -> Answer<Cells> {
        pay(&context, by_word(&reach.cells))?;
        Ok(Cells::new(&reach.context, reach.cells.clone()))
    }

    /// The `count` cells of a set that are cheapest to reach, the cheapest first; cells that cannot be reached are left out.
    ///
    /// ```rhai
    /// let two = view.reach(view.cell("a1"), #{ points: 3 }).cheapest(view.empty, 2);
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn cheapest(context: NativeCallContext<'_>, reach: &mut Reach, among: Cells, count: INT) -> Answer<Array> {
        // They are looked up and sorted.
        pay(&context, among.set.count())?;
        let costs = among.set.iter().filter_map(|cell| Some((reach.found.cost(cell)?, cell)));
        let mut costs: Vec<_> = costs.collect();
        costs.sort_unstable();
        costs.truncate(usize::try_from(count).unwrap_or(0));
        Ok(costs
            .into_iter()
            .map(|(_, cell)| Dynamic::from(Cell::new(&reach.context, cell)))
            .collect())
    }

    /// What the cheapest way to a cell costs; `()` if it cannot be reached.
    ///
    /// ```rhai
    /// let cost = view.reach(view.cell("a1"), #{ points: 2 }).cost(view.cell("b1"));
    /// ```
    #[rhai_fn(pure)]
    pub fn cost(reach: &mut Reach, cell: Cell) -> Dynamic {
        convert::or_unit(reach.cost(cell.id))
    }

    /// The cells of `cells` that one gets to just so many turns later; see `turns`.
    ///
    /// ```rhai
    /// let march = view.reach(view.cell("a1"), #{ points: 1, each_turn: 2 });
    /// let next = march.in_turns(1).count;
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn in_turns(context: NativeCallContext<'_>, reach: &mut Reach, turns: INT) -> Answer<Cells> {
        pay(&context, reach.cells.count())?;
        let count = reach.context.read(|state| Ok(state.board().cell_count()))?;
        let is_there = |cell: &CellId| {
            reach
                .found
                .cost(*cell)
                .is_some_and(|cost| INT::from(reach.turns.at(cost).0) == turns)
        };
        let found = CellSet::from_cells(count, reach.cells.iter().filter(is_there));
        Ok(Cells::new(&reach.context, found))
    }

    /// The points that are left in a cell after the cheapest way to it, of the turn in which one gets there; `()` if it cannot be reached.
    ///
    /// ```rhai
    /// let left = view.reach(view.cell("a1"), #{ points: 2 }).points_left(view.cell("b1"));
    /// ```
    #[rhai_fn(pure)]
    pub fn points_left(reach: &mut Reach, cell: Cell) -> Dynamic {
        convert::or_unit(reach.points_left(cell.id))
    }

    /// How many turns later one gets to a cell by the cheapest way: 0 with the `points` at hand, 1 with those of the next turn, and so on
    /// where the costs have `each_turn`; `()` if it cannot be reached.
    ///
    /// ```rhai
    /// let march = view.reach(view.cell("a1"), #{ points: 1, each_turn: 2 });
    /// let later = march.turns(view.cell("c1"));
    /// ```
    #[rhai_fn(pure)]
    pub fn turns(reach: &mut Reach, cell: Cell) -> Dynamic {
        let cost = reach.found.cost(cell.id);
        convert::or_unit(cost.map(|cost| INT::from(reach.turns.at(cost).0)))
    }

    /// The cells entered on the cheapest way to a cell, in order; `()` if it cannot be reached.
    ///
    /// ```rhai
    /// let path = view.reach(view.cell("a1"), #{ points: 2 }).path(view.cell("c1"));
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn path(context: NativeCallContext<'_>, reach: &mut Reach, cell: Cell) -> Answer<Dynamic> {
        let path = reach.found.path_to(cell.id);
        pay(&context, path.as_ref().map_or(0, Vec::len) / 2)?;
        let entered = path.map(|path| -> Array {
            path.iter()
                .skip(1)
                .map(|id| Dynamic::from(Cell::new(&reach.context, *id)))
                .collect()
        });
        Ok(convert::or_unit(entered))
    }

    /// The cheapest way from one cell to another, however far: the cells entered, in order; `()` if there is none. The map is that of
    /// `reach`; `points`, `no_stop` and `at_least_one` do not count.
    ///
    /// ```rhai
    /// let path = view.path(view.cell("a1"), view.cell("c3"), #{ terrain: #{ land: 1, water: 2 } });
    /// ```
    #[rhai_fn(name = "path", pure, return_raw)]
    pub fn cheapest_path(context: NativeCallContext<'_>, view: &mut View, from: Cell, to: Cell, costs: Dynamic) -> Answer<Dynamic> {
        view.context.read(|state| {
            let costs = StepCosts::read(state, &costs)?;
            let pay = |operations| pay(&context, operations);
            let steps = Steps::new(&pay, state)?;
            let route = boardwright_model::shortest_path(state.board(), from.id, to.id, costs.ground.least(), |a, b| {
                if !steps.may_go_on() || costs.blocked.contains(b) || (a != from.id && costs.stop_in.contains(a)) {
                    None
                } else {
                    costs.ground.step(state, a, b)
                }
            });
            steps.paid.into_inner()?;
            let entered = route.map(|route| -> Array {
                let entered = route.cells.iter().skip(1);
                entered.map(|id| Dynamic::from(Cell::new(&view.context, *id))).collect()
            });
            Ok(convert::or_unit(entered))
        })
    }
}
